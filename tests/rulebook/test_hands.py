import pytest

from generala_cli.errors import NotAllowed
from generala_cli.rulebook.hands import check_hand
from tests.app.table import hand
from tests.game.table import cached_rules


def worths(rules: str, dice: str, roll: str) -> dict[str, int]:
    checked = check_hand(cached_rules(rules), hand(dice, roll=roll))
    return {each.category: each.points for each in checked.categories if each.points}


def test_a_hand_is_checked_in_every_category() -> None:
    assert worths("general", "55533", "1") == {"threes": 6, "fives": 15, "full-house": 35}
    assert worths("general", "55533", "2") == {"threes": 6, "fives": 15, "full-house": 30}
    assert len(check_hand(cached_rules("general"), hand("55533")).categories) == 10


def test_a_hand_that_would_win_at_once_says_so() -> None:
    rules = cached_rules("general")
    assert check_hand(rules, hand("55555", roll="1")).instant_win
    assert not check_hand(rules, hand("55555", roll="2")).instant_win


def test_a_throw_that_there_is_not_is_refused() -> None:
    with pytest.raises(NotAllowed, match="there is no throw 4"):
        check_hand(cached_rules("general"), hand("55533", roll="4"))
