"""What a refusal says on the screen: no option of the shell, which nobody can type there."""

from collections.abc import Callable
from functools import partial

import pytest

from generala_cli.errors import GeneralaError
from generala_cli.game.amending import amend, completed, turn_entry
from generala_cli.game.decisions import enter
from generala_cli.game.game import Game
from generala_cli.game.seating import partnership, sides
from generala_cli.game.starting import parse_label, parse_name, parse_stake, parse_unit, start
from generala_cli.game.turnline import TurnLine, parse
from tests.game.table import Table, house, opening

FOUR = ("Ana", "Beto", "Cora", "Dani")
TURNS = (
    *("11123", "11226 general", "55533 4", "55533 straight", "55533 double-generala", "55533 g"),
    *("44126:44 55533", "44126:55 55533", "44126:44 44425:444 44 1", "55533 nonsense", "5553", "x"),
    *("55533 Cora", "55533 sixes full", "11126 sixes ones"),
)
CORRECTIONS = ("11236", "44443", "44443 full", "11236 generala", "99")
BEGINNINGS = {
    "one side": partial(sides, FOUR, ["Ana+Beto+Cora+Dani"], uneven=False),
    "uneven": partial(sides, FOUR, ["Ana", "Beto+Cora+Dani"], uneven=False),
    "no name": partial(sides, FOUR, ["Ana+", "Beto+Cora+Dani"], uneven=False),
    "commas": partial(sides, FOUR, ["Ana,Beto", "Cora+Dani"], uneven=False),
    "no opening": partial(partnership, house("general"), FOUR, {"Ana": opening("55533")}),
    "tie": partial(start, house("general"), FOUR[:2], openings={name: opening("55533") for name in FOUR[:2]}),
    **{amount: partial(parse_stake, amount) for amount in ("-1", "5 pesos", "nonsense", "1.000", "0")},
    **{f"unit {text!r}": partial(parse_unit, text) for text in ("", "\x07", "x" * 200)},
    **{f"label {text!r}": partial(parse_label, text) for text in ("\x07", "x" * 200)},
    **{f"name {text!r}": partial(parse_name, text) for text in ("", "\x07")},
}


def check_refusal(act: Callable[[], object]) -> None:
    """What is refused is refused without an option on the screen."""
    with pytest.raises(GeneralaError) as refused:
        act()
    assert "--" not in str(refused.value.told_on_screen)


def turn(game: Game, line: str) -> object:
    read = parse(TurnLine(words=(line,)), game.rules, game)
    return enter(game, read)


def correction(game: Game, line: str) -> object:
    read = parse(TurnLine(words=(line,)), game.rules, game)
    return amend(game, 1, completed(read, turn_entry(game, 1), game.rules))


@pytest.mark.parametrize("line", TURNS)
def test_of_a_turn(line: str) -> None:
    game = Table(house("generala"), "Ana", "Beto").game
    check_refusal(partial(turn, game, line))


@pytest.mark.parametrize("line", CORRECTIONS)
def test_of_a_correction(line: str) -> None:
    table = Table(house("generala"), "Ana", "Beto")
    table.score("Ana", "55533", category="full-house")
    check_refusal(partial(correction, table.game, line))


@pytest.mark.parametrize("act", BEGINNINGS.values(), ids=BEGINNINGS)
def test_of_a_new_game(act: Callable[[], object]) -> None:
    check_refusal(act)
