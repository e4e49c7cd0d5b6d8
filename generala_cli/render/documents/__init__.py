"""Answers as the JSON documents that scripts rely on: these types are what is written, and its schema.

`version` stays 1: keys are only ever added. A key that only some games have is left out of the others.

Here is what all documents are made of; the documents of the commands stand by subject in the files beside,
so that an answer makes few types but its own.
"""

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from generala_cli.game.money import METHODS, plain
from generala_cli.messages import Message

if TYPE_CHECKING:  # a document needs nothing of what makes the other answers
    from decimal import Decimal

    from generala_cli.app import games, ledger, paying
    from generala_cli.app.defaults import Surrounding
    from generala_cli.errors import GeneralaError
    from generala_cli.render.documents import answers as answers
    from generala_cli.render.documents import evening as evening
    from generala_cli.render.documents import files as files
    from generala_cli.render.documents import game as game
    from generala_cli.render.documents import odds as odds
    from generala_cli.render.documents import rules as rules
    from generala_cli.render.documents import statistics as statistics
    from generala_cli.rules.ruleset import Category

_PLACES = 9

Fields = dict[str, Any]
"""Keys, in the order in which they are written, and the type of each."""


def record(name: str, tag: tuple[Any, Any] = (None, None), /, **keys: Any) -> type[Struct]:
    """A type of objects with these keys, and a tag; a key that may be unset is left out where it is."""
    fields = [(key, kind, *((UNSET,) if UnsetType in get_args(kind) else ())) for key, kind in keys.items()]
    field, value = tag
    return defstruct(name, fields, frozen=True, kw_only=True, module=__name__, tag_field=field, tag=value)


def document(name: str, /, **keys: Any) -> type[Struct]:
    """A type of whole answers."""
    return record(name, ("version", 1), **keys)


def many(kind: Any) -> Any:
    """Any number of such things."""
    return tuple[kind, ...]


def by_name(kind: Any) -> Any:
    """Such a thing for every name."""
    return dict[str, kind]


Optional = str | None
Count = Annotated[int, Meta(ge=0)]
Ordinal = Annotated[int, Meta(ge=1)]
Amount = Annotated[str, Meta(pattern=r"^-?[0-9]+(\.[0-9]+)?$")]
Chance = Annotated[float, Meta(ge=0, le=1)]
Names, Dice = many(str), many(Ordinal)

Problem = record("Problem", kind=str, message=str, hint=str, details=Names | UnsetType)
Error = document("Error", error=Problem)
Text = document("Text", text=str)
Version = document("Version", generala=str)
ExitCodes = document("ExitCodes", exit_codes=by_name(str))
Setting = record("Setting", name=str, value=str, origin=str)
Environment = document("Environment", settings=many(Setting))
Installed = document("Installed", shell=str, path=str, note=Optional, saved=bool)
Schemas = document("Schemas", schemas=Names)
Schema = document("Schema", name=str, schema=by_name(Any))

# What several of them have.
WHO: Fields = {"player": str | UnsetType, "team": str | UnsetType}  # one of them: teams where there are any
Worth = record("Worth", category=str, points=Count)
REASON = Literal["points", "instant-win"] | None
STAKE: Fields = {"method": Literal[tuple(METHODS)], "stake": Amount, "unit": str}
AMOUNTS = by_name(Amount)
Damaged = record("Damaged", game=Ordinal, message=str)


def encoded(answer: Struct) -> bytes:
    """A document on one line, in UTF-8, with nothing in it that a terminal could obey."""
    try:
        text = msgspec.json.encode(answer).decode()
    except UnicodeEncodeError:  # half a character, as in a file's name that is not text, has to be escaped
        text = json.dumps(msgspec.to_builtins(answer), separators=(",", ":"))
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else json.dumps(letter)[1:-1] for letter in text)
    return f"{text}\n".encode()


_CALLED = {
    **dict.fromkeys(("game", "event"), "number"),
    "over": "is_over",
    "next": "to_move",
    "time": "at",
    "from": "debtor",
    "to": "creditor",
    "keep": "kept",
    "all": "everything",
}
"""What some keys are called in the answers, in the game and in its events."""
_NULL_IF_EMPTY = frozenset({"why", "problem", "kept"})


def filled(kind: type[Struct], /, *sources: object, **given: Any) -> Struct:
    """A document, or a part of one: each key as given, or from the first source with such an attribute.

    Its numbers are rounded: more digits mean nothing at a table, and differ from machine to machine.
    """
    for key in kind.__struct_fields__:
        name = _CALLED.get(key, key)
        for source in sources if key not in given else ():
            if hasattr(source, name):
                value = getattr(source, name)
                given[key] = _plain(value)
                break
        if key in _NULL_IF_EMPTY:
            given[key] = given[key] or None
    return kind(**given)


def rounded(value: float) -> float:
    """A figure with no more digits than mean anything."""
    return round(float(value), _PLACES) + 0.0  # never minus zero


def _plain(value: object) -> object:
    """A value as it stands in a document, where all that is said is English."""
    match value:
        case float():
            return rounded(value)
        case Message():
            return str(value)
        case [Message() | str(), *_]:
            return tuple(map(str, value))
        case _:
            return value


def error(problem: "GeneralaError") -> Struct:
    """Why a command was refused."""
    return Error(error=filled(Problem, problem, details=_plain(problem.details or UNSET)))


def environment(rows: "Iterable[Surrounding]") -> Struct:
    """The surroundings."""
    return Environment(settings=tuple(filled(Setting, row) for row in rows))


def worth(category: "Category", points: int) -> Struct:
    """What a hand is worth in a category."""
    return Worth(category=category.id, points=points)


def amounts(of: "Mapping[str, Decimal]") -> dict[str, str]:
    """Amounts as they are written."""
    return {name: plain(amount) for name, amount in of.items()}


def damaged(result: "games.GameList | ledger.Ledger | paying.PlayerList") -> tuple[Struct, ...]:
    """The games that could not be read."""
    return tuple(Damaged(game=number, message=str(problem.message)) for number, problem in result.damaged)
