"""Hints after a refusal: each surface has its own words, and only its own."""

import ast
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

import generala_cli
from generala_cli import errors, packages
from generala_cli.errors import GeneralaError
from generala_cli.game.amending import amend, completed, turn_entry
from generala_cli.game.decisions import judge
from generala_cli.game.game import Game
from generala_cli.game.seating import partnership, sides
from generala_cli.game.starting import parse_label, parse_name, parse_stake, parse_unit, start
from generala_cli.game.turnline import TurnLine, parse
from generala_cli.messages import lazy
from generala_cli.remedies import Remedy, RemedyCode, in_shell
from generala_cli.render.hints import PAD, SCREEN, SHELL, full_message, hint_in
from generala_cli.rules.catalog import SOURCE
from generala_cli.rules.notation import parse_faces
from generala_cli.rules.ruleset import RuleSet
from tests.cases import cases
from tests.game.table import Table, house, opening
from tests.languages.sentences import Sentence, found
from tests.store.files import tiny_rules
from tests.trees import tree_of

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


PACKAGE = Path(generala_cli.__file__).parent
CARDS = "generala_cli/rules/describing.py"
"""A hint of a rule set's card, which only the shell shows."""
REFUSALS = {
    name for name, each in vars(errors).items() if isinstance(each, type) and issubclass(each, GeneralaError)
}
BELOW_SURFACES = (
    *("text.py", "errors.py", "progress.py", "app", "store", "odds"),
    *("advice", "doctor", "exchange", "games", "ledger", "rulebook", "statistics", "table"),
)
SHELL_WORDS = re.compile(r"(?<!double )\bgenerala [a-z]|(^|\s)--[a-z]|\b(pip|pkg) install")
FOR_A_SHELL = {"in_shell", "take-name"}  # only a shell says how it read a name
HAND = re.compile(r"\b[1-9](?:[1-9]+|(?: [1-9])+)\b")


def check_refusal(act: Callable[[], object], rules: RuleSet) -> None:
    """No surface but the shell names a command or an option, and every example can be typed in that game."""
    with pytest.raises(GeneralaError) as refused:
        act()
    for surface in (SCREEN, PAD):
        assert not SHELL_WORDS.search(str(full_message(refused.value, surface)))
    for surface in (SHELL, SCREEN, PAD):
        for hand in HAND.findall(str(hint_in(surface, refused.value))):
            parse_faces(hand.split(), faces=rules.faces)


def test_the_shell_has_words_for_every_remedy() -> None:
    assert set(SHELL.words) == set(get_args(RemedyCode))


@pytest.mark.slow
@pytest.mark.complete
def test_every_refusal_gives_its_remedy_the_values_that_the_words_show() -> None:
    shown: dict[str, set[str]] = {code: set() for code in get_args(RemedyCode)}
    for surface in (SHELL, SCREEN, PAD):
        for code, words in surface.words.items():
            shown[code] |= {name for _, name, _, _ in Formatter().parse(words.template) if name}
    raised = set()
    for path in PACKAGE.rglob("*.py"):
        for call in ast.walk(tree_of(path)):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Remedy":
                raised |= {text.value for text in ast.walk(call.args[0]) if isinstance(text, ast.Constant)}
                given = {keyword.arg for keyword in call.keywords}
                assert None in given or shown.get(first_text(call), set()) <= given, path
    assert raised >= set(shown)


def first_text(call: ast.Call) -> str:
    first = call.args[0] if call.args else None
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""


@pytest.mark.complete
def test_a_hint_that_names_a_command_of_a_removed_package_is_not_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with_ledger = errors.NotAllowed("no", in_shell(lazy("generala {what} shows it", what="ledger")))
    without = errors.NotAllowed("no", Remedy("undo-or-rematch"))
    assert [bool(hint_in(SHELL, error)) for error in (with_ledger, without)] == [True, True]
    monkeypatch.setattr(packages, "packages", dict)
    monkeypatch.setattr(packages, "load", lambda _: ("undo", "rematch"))
    assert [str(full_message(error, SHELL)) for error in (with_ledger, without)] == [
        "no",
        "no; generala undo undoes the last entry, generala rematch starts a new game",
    ]


@pytest.mark.parametrize("room", ["rules", "game"])
def test_the_core_names_no_command_and_no_option(room: str) -> None:
    answer = [each for each in found() if isinstance(each, Sentence) and each.place != CARDS]
    of_room = [
        each.one
        for each in answer
        if each.place.startswith(f"generala_cli/{room}/") and each.context != SOURCE
    ]
    assert of_room
    assert list(filter(SHELL_WORDS.search, of_room)) == []


@cases("room", BELOW_SURFACES)
def test_a_hint_below_the_surfaces_names_a_command_only_where_a_shell_alone_can_do_it(room: str) -> None:
    """Shell commands appear only inside texts marked for the shell."""
    place = PACKAGE / room
    for path in [place] if place.is_file() else set(place.rglob("*.py")) - set(place.glob("*commands.py")):
        for call in ast.walk(tree_of(path)):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in REFUSALS:
                assert list(filter(SHELL_WORDS.search, texts_outside_shell(call))) == [], path


def texts_outside_shell(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    if not (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and {node.func.id, first_text(node)} & FOR_A_SHELL
    ):
        for below in ast.iter_child_nodes(node):
            yield from texts_outside_shell(below)


def test_where_numpy_is_missing_a_shell_alone_says_how_to_install_it() -> None:
    missing = errors.NumpyMissing(is_installed=False)
    assert str(full_message(missing, SCREEN)).endswith(
        "; in a shell, pip install numpy, or in Termux pkg install python-numpy"
    )
    assert not hint_in(PAD, missing)


def turn(game: Game, line: str) -> object:
    read = parse(TurnLine(words=(line,)), game.rules, game)
    return judge(game, read)


def correction(game: Game, line: str) -> object:
    read = parse(TurnLine(words=(line,)), game.rules, game)
    return amend(game, 1, completed(read, turn_entry(game, 1), game.rules))


@cases("line", TURNS)
def test_of_a_turn(line: str) -> None:
    game = Table(house("generala"), "Ana", "Beto").game
    check_refusal(partial(turn, game, line), game.rules)


@cases("line", ["", "1", "nonsense", "x", "1 2", "77777777", "11 nonsense"])
@cases("rules", [house("crag"), house("maxi-yatzy"), tiny_rules()])
def test_of_a_turn_with_other_dice(rules: RuleSet, line: str) -> None:
    check_refusal(partial(turn, Table(rules, "Ana", "Beto").game, line), rules)


@cases("line", CORRECTIONS)
def test_of_a_correction(line: str) -> None:
    table = Table(house("generala"), "Ana", "Beto")
    table.score("Ana", "55533", category="full-house")
    check_refusal(partial(correction, table.game, line), table.game.rules)


@cases("act", BEGINNINGS.values())
def test_of_a_new_game(act: Callable[[], object]) -> None:
    check_refusal(act, house("general"))
