import pytest

from generala_cli.app.aims import find_aim
from generala_cli.errors import UsageError
from generala_cli.render.language import speaking, translated


@pytest.mark.parametrize(
    ("typed", "aim"),
    [("ganar", "win"), ("gan", "win"), ("PLATA", "payout"), ("win", "win"), ("pa", "payout")],
)
def test_an_aim_is_found_by_words_and_prefixes_of_the_language(typed: str, aim: str) -> None:
    with speaking("es"):
        assert find_aim(typed) == aim


def test_the_aims_to_choose_from_are_in_the_language() -> None:
    with speaking("es"), pytest.raises(UsageError) as refused:
        find_aim("perder")
    with speaking("es"):
        assert translated(refused.value.hint) == "a elegir: puntos, ganar o cobrar"
    assert str(refused.value.hint) == "choose from points, win or payout"
