"""Stores and game files for tests; files are sealed again after whatever was done to them."""

import json
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

from generala_cli.facts import replace
from generala_cli.game.events import Event
from generala_cli.game.replaying import ImpossibleEvent, replay
from generala_cli.game.standings import winners
from generala_cli.game.starting import start
from generala_cli.rules.reading import read_ruleset
from generala_cli.rules.ruleset import RuleSet
from generala_cli.store.codec import Newer, Unreadable, Unsealed, checksum, decode, encode
from generala_cli.store.folder import Folder
from generala_cli.store.record import Record, new_record
from generala_cli.store.store import Store
from tests.game.table import Table

AT = "2026-11-20T21:04:00Z"
LATER = "2026-11-20T21:05:00Z"

Document = dict[str, Any]
Place = tuple[str | int, ...]

TINY = {
    "format": 1,
    "name": "tiny",
    "title": "Tiny",
    "source": "the tests",
    "dice": 2,
    "faces": 3,
    "throws": 2,
    "throw_names": {"served": 1},
    "category": [
        {"id": "twos", "name": "twos", "number": 2},
        {"id": "all", "name": "ñ", "any": True, "points": "sum"},
    ],
}


def tiny_rules() -> RuleSet:
    rules, problems = read_ruleset(TINY)
    assert not problems
    return rules


def tiny_table() -> Table:
    """Every kind of event in as few bytes as possible."""
    table = Table(tiny_rules(), "Ana", "Beto")
    table.score("Ana", "22", "twos")
    table.scratch("Beto", "twos", "13")
    table.amend(1, "23", "all")
    table.undo()
    table.redo()
    return table


def record_of(events: Sequence[Event], game: int = 1) -> Record:
    first = events[0]
    return new_record(game, first, AT).with_events(events[1:], LATER, won(events))  # type: ignore[arg-type]


def won(events: Sequence[Event]) -> tuple[str, ...]:
    """Who has won after these events; nobody where they cannot have happened."""
    try:
        return winners(replay(events).game)
    except ImpossibleEvent:
        return ()


def tiny_record() -> Record:
    return record_of(tiny_table().events)


def tiny_document() -> Document:
    return document_of(encode(tiny_record()))


def document_of(data: bytes) -> Document:
    document: Document = json.loads(data)
    return document


def sealed(document: Document) -> bytes:
    """The document as bytes, with the winners and checksum that fit its contents, where it has contents."""
    rest = {key: value for key, value in document.items() if key != "checksum"}
    data = json.dumps({**rest, "checksum": "no"}).encode()
    try:
        decode(data)
    except Unsealed as error:
        record = replace(error.record, winners=won(error.record.events))
        fitting = {"winners": list(record.winners), "checksum": checksum(record)}
        return json.dumps({**rest, **fitting}).encode()
    except (Unreadable, Newer):
        return json.dumps({**rest, "checksum": "00000000"}).encode()
    raise AssertionError("it is read without a checksum that fits")


def places(value: object, here: Place = ()) -> Iterator[Place]:
    """Every key and index in a document, from the outside in."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield (*here, key)
        yield from places(part, (*here, key))


def changed(document: Document, place: Place, change: Callable[[Any, Any], None]) -> Document:
    """A copy, after `change(container, key)` at that place."""
    copy = deepcopy(document)
    container: Any = copy
    for key in place[:-1]:
        container = container[key]
    change(container, place[-1])
    return copy


def put(value: object) -> Callable[[Any, Any], None]:
    def change(container: Any, key: Any) -> None:
        container[key] = value

    return change


def nothing() -> None:
    """Signals are not held back in the process that runs the tests."""


def store_in(directory: Path) -> Store:
    return Store(folder=Folder(directory, hold=nothing), clock=lambda: AT)


def begin(store: Store, *players: str, label: str = "", rules: RuleSet | None = None) -> int:
    """Start a game; its number."""
    names = players or ("Ana", "Beto")
    started = start(rules or tiny_rules(), names, openings={}, label=label)
    return store.add(lambda: started).number


def listing(directory: Path) -> dict[str, bytes | None]:
    """Everything below a folder: the bytes of files, None for folders."""
    return {
        str(path.relative_to(directory)): path.read_bytes() if path.is_file() else None
        for path in sorted(directory.rglob("*"))
    }
