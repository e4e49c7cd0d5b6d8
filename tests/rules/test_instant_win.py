"""When five alike on the first throw wins at once, by the mode and the state of the win's box."""

from typing import get_args

from generala_cli.rules.ruleset import BoxState, wins_with
from tests.cases import cases
from tests.game.table import cached_rules, house

STATES: tuple[BoxState, ...] = get_args(BoxState)
DOUBLE = "double-generala=yes"


@cases("name", ["generala", "generala-round", "generala-ace", "generals", "general"])
@cases(
    ("settings", "wins"),
    [
        (["instant-win=never"], ()),
        (["instant-win=never", DOUBLE], ()),
        (["instant-win=unless-scratched"], ("open", "held")),
        (["instant-win=unless-scratched", DOUBLE], ("open",)),
        (["instant-win=unless-scratched", "double-generala=no"], ("open", "held")),
        (["instant-win=while-open"], ("open",)),
        (["instant-win=while-open", DOUBLE], ("open",)),
        (["instant-win=always"], STATES),
        (["instant-win=always", DOUBLE], STATES),
    ],
)
def test_which_states_of_the_box_win(name: str, settings: list[str], wins: tuple[BoxState, ...]) -> None:
    rules = house(name, *settings)
    assert tuple(state for state in STATES if wins_with(rules, state)) == wins


@cases("state", STATES)
def test_a_game_that_knows_no_instant_win_has_none(state: BoxState) -> None:
    assert not wins_with(cached_rules("crag"), state)
