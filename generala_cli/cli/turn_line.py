"""Reading a turn on the command line without Typer, whose import takes longer than the turn.

`read` leaves every line that is not plain, such as an invalid one, to Typer, which has the same options.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from msgspec import Struct

from generala_cli.cli.session import Answer, Session, name_game_in_hints
from generala_cli.messages import Message, lazy
from generala_cli.render.screen import COLOR_CHOICES

Option = tuple[str, Message, str | None]
"""The names, separated by spaces, the help, and the name of the value in the help. A flag has no value."""

GAME: Option = (
    "--game",
    lazy("A game's number or label, or a unique prefix; the default is GENERALA_GAME or the current game."),
    "GAME",
)
JSON: Option = ("--json", lazy("Print one JSON document."), None)
DRY_RUN: Option = ("--dry-run -n", lazy("Show what would change without changing anything."), None)
QUIET: Option = ("--quiet -q", lazy("Print no confirmation or progress."), None)
COLOR: Option = ("--color", lazy("Color the output; by default only on a terminal."), "|".join(COLOR_CHOICES))
LANGUAGE: Option = ("--language", lazy("The language for input and output, such as es."), "CODE")
ROLL: Option = (
    "--roll",
    lazy("The throw that finished the hand, or a word such as served; the default is the last throw."),
    "N",
)
AS: Option = ("--as", lazy("The category; by default, the best one."), "CATEGORY")
PLAYER: Option = ("--player", lazy("A different player who has not had this round's turn."), "NAME")
THREW: Option = (
    "--threw",
    lazy("An earlier throw and its kept dice: 44126:44. Repeat for each throw; --roll follows from them."),
    "HAND:KEPT",
)
SHARED: Mapping[str, Option] = {
    "named_game": GAME,
    "json": JSON,
    "dry_run": DRY_RUN,
    "quiet": QUIET,
    "color": COLOR,
    "language": LANGUAGE,
}
_OF_TURN: Mapping[str, Option] = {"roll": ROLL, "player": PLAYER, "threw": THREW}
_COMMANDS: Mapping[str, Mapping[str, Option]] = {"score": {**_OF_TURN, "category": AS}, "scratch": _OF_TURN}


class TypedTurn(Struct, frozen=True, kw_only=True):
    """A turn on the command line; `words` has `x` for a scratch."""

    words: Sequence[str]
    options: Mapping[str, Any]
    shared: Mapping[str, Any]

    def run(self) -> tuple[Answer[Struct], Session]:
        session = Session(**self.shared)
        name_game_in_hints(session.named_game)
        enter_line = import_module("generala_cli.table.entering").enter_line
        return enter_line(session, self.words, **self.options), session


def read(arguments: Sequence[str]) -> TypedTurn | None:
    """Return the turn in the arguments, or None if Typer has to read them."""
    command = _command(arguments[0]) if arguments else None
    if command is None:
        return None
    left = [*arguments] if arguments[0][:1].isdecimal() else [*arguments[1:]]
    named = {**SHARED, **_COMMANDS[command]}
    fields = {name: field for field, (names, _, _) in named.items() for name in names.split()}
    words: list[str] = []
    given: dict[str, Any] = {}
    while left:
        word = left.pop(0)
        if not word.startswith("-"):
            words.append(word)
            continue
        name, _, value = word.partition("=")
        field = fields.get(name)
        if field is None or (field in given and field != "threw"):
            return None
        if named[field][2] is None:
            if word != name:
                return None
            given[field] = True
            continue
        if word == name:
            value = left.pop(0) if left else ""
        if not value or value.startswith("-"):
            return None
        given[field] = [*given.get(field, ()), value] if field == "threw" else value
    if given.get("color", "auto") not in COLOR_CHOICES or not words:
        return None
    return TypedTurn(
        words=("x", *words) if command == "scratch" else words,
        options={name: given.get(name) for name in _COMMANDS[command]},
        shared={
            name: given.get(name, False if option[2] is None else None) for name, option in SHARED.items()
        },
    )


def _command(first: str) -> str | None:
    if first in _COMMANDS:
        return first
    if first.isalpha():
        return "scratch" if first in ("x", "X") else None
    from generala_cli.rules.notation import begins_with_dice  # most commands do not need it

    return "score" if first[:1].isdecimal() and begins_with_dice(first) else None
