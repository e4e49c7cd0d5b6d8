"""The significance of a difference, against every way that chance could produce the same figures."""

from itertools import combinations, product
from math import gamma, pi, sqrt
from statistics import mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generala_cli.statistics.significance import (
    LEVEL,
    Sample,
    paired_test,
    sign_test,
    students_t,
    welch_test,
)
from tests.cases import cases

totals = st.lists(st.integers(0, 400), min_size=2, max_size=30)


@given(totals)
def test_a_sample_has_the_mean_and_the_spread_of_its_numbers(values: list[int]) -> None:
    sample = Sample.of(values)
    assert sample.mean == pytest.approx(mean(values))
    assert sample.spread == pytest.approx(stdev(values), abs=1e-9)
    assert Sample.of(values[:1]).spread is None


@cases(("more", "fewer"), [(0, 0), (1, 0), (5, 0), (6, 0), (8, 2), (3, 4), (7, 7), (2, 10)])
def test_the_sign_test_is_the_share_of_all_tosses_that_lie_so_far_apart(more: int, fewer: int) -> None:
    tosses = list(product((1, -1), repeat=more + fewer))
    as_far = sum(abs(sum(toss)) >= abs(more - fewer) for toss in tosses)
    assert sign_test(more, fewer) == sign_test(fewer, more) == as_far / len(tosses)


@cases(("t", "freedom"), [(12.706, 1), (4.303, 2), (2.571, 5), (2.228, 10), (2.042, 30), (1.9602, 10_000)])
def test_students_t_has_the_percentiles_of_the_printed_tables(t: float, freedom: int) -> None:
    assert students_t(t, freedom) == pytest.approx(0.05, abs=1e-4)


@cases(("t", "freedom"), [(0.0, 3), (0.3, 2.5), (1.0, 7), (2.5, 4.75), (-3.1, 12), (6.0, 20)])
def test_students_t_is_what_its_density_leaves_outside(t: float, freedom: float) -> None:
    scale = gamma((freedom + 1) / 2) / (sqrt(freedom * pi) * gamma(freedom / 2))
    steps, far = 20_000, abs(t)
    middle = ((place + 0.5) * far / steps for place in range(steps))
    inside = sum(scale * (1 + x * x / freedom) ** (-(freedom + 1) / 2) for x in middle) * far / steps
    assert students_t(t, freedom) == pytest.approx(1 - 2 * inside, abs=1e-7)


def test_pairs_are_as_sure_as_all_changes_of_their_signs_say() -> None:
    differences = (12, -3, 25, 8, 31, -10, 17, 5, 22, -1, 9, 14)
    signs = product((1, -1), repeat=len(differences))
    sums = [sum(sign * each for sign, each in zip(of, differences, strict=True)) for of in signs]
    exact = sum(abs(each) >= sum(differences) for each in sums) / len(sums)
    assert paired_test(Sample.of(differences)) == pytest.approx(exact, abs=0.005)


@cases("shift", [0, 15, 30, 45])
def test_two_samples_are_as_sure_as_all_ways_to_deal_them_out_say(shift: int) -> None:
    one, other = (
        [150, 172, 165, 181, 158, 177, 169],
        [shift + each for each in (140, 149, 171, 133, 160, 152)],
    )
    every = [*one, *other]
    apart = abs(mean(one) - mean(other))
    as_far = ways = 0
    for chosen in combinations(range(len(every)), len(one)):
        dealt = sum(every[place] for place in chosen)
        ways += 1
        as_far += abs(dealt / len(one) - (sum(every) - dealt) / len(other)) >= apart - 1e-9
    assert welch_test(Sample.of(one), Sample.of(other)) == pytest.approx(as_far / ways, abs=0.02)


@given(totals, totals)
def test_whoever_comes_first_a_difference_is_as_sure(one: list[int], other: list[int]) -> None:
    p = welch_test(Sample.of(one), Sample.of(other))
    assert 0 <= p <= 1
    assert p == pytest.approx(welch_test(Sample.of(other), Sample.of(one)))


def test_few_games_are_never_sure_however_far_apart() -> None:
    assert welch_test(Sample.of([100, 101, 102]), Sample.of([300, 301, 302])) > LEVEL
    assert paired_test(Sample.of([200, 200, 200, 201, 200])) > LEVEL
    assert sign_test(5, 0) > LEVEL
    assert paired_test(Sample.of([200] * 6)) <= LEVEL
    assert welch_test(Sample.of([7]), Sample.of([1, 2, 3])) == welch_test(Sample.of([]), Sample.of([])) == 1


def test_a_player_ten_points_better_shows_after_some_250_games() -> None:
    """That player wins 59 % of the games."""
    assert sign_test(59 * 25 // 100, 41 * 25 // 100) > LEVEL
    assert sign_test(59, 41) > LEVEL
    assert sign_test(148, 102) < LEVEL
