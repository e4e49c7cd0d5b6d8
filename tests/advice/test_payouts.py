"""Expected payouts in payable amounts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generala_cli.advice.payouts import rounded_payouts


@given(st.lists(st.floats(-1000, 1000), min_size=1, max_size=8), st.integers(0, 6))
def test_nothing_is_gained_or_lost_by_rounding(others: list[float], places: int) -> None:
    exact = [*others, -sum(others)]
    paid = rounded_payouts(exact, places)
    assert sum(paid) == 0
    for payout, value in zip(paid, exact, strict=True):
        assert float(payout) == pytest.approx(value, abs=1.001 * 10**-places)
        assert -payout.as_tuple().exponent == places  # type: ignore[operator]


def test_what_is_left_over_goes_to_those_who_lost_most() -> None:
    assert [*map(str, rounded_payouts([1.4, 0.9, -2.3], 0))] == ["1", "1", "-2"]
