"""Stores and game files for tests. Files are sealed again after each change."""

import errno
import json
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from generala_cli.errors import FileError
from generala_cli.game.events import Agreed, Event
from generala_cli.game.history import replay
from generala_cli.game.starting import start
from generala_cli.rules.rulefile import read_rules
from generala_cli.rules.ruleset import RuleSet
from generala_cli.store.folder import Folder
from generala_cli.store.gamefile import GameFile, Recorded, result_of
from generala_cli.store.sealing import encode
from generala_cli.store.store import Store
from tests.game.table import Table

AT = datetime(2026, 11, 20, 21, 4, tzinfo=UTC)
LATER = datetime(2026, 11, 20, 21, 5, tzinfo=UTC)
ID = "0123456789abcdef" * 2
CHECKSUM = b'{"format":3,"checksum":"'

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
    rules, problems = read_rules(TINY)
    assert rules is not None, problems
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


def file_of(agreed: Agreed, events: Sequence[Event], game: int = 1) -> GameFile:
    """The file of a game that can have happened."""
    return GameFile(
        id=ID,
        game=game,
        started=AT,
        result=result_of(replay(agreed, events).game),
        agreed=agreed,
        events=tuple(Recorded(n=n, at=LATER, event=event) for n, event in enumerate(events, start=1)),
    )


def tiny_file(game: int = 1) -> GameFile:
    table = tiny_table()
    return file_of(table.agreed, table.events, game)


def tiny_document() -> Document:
    return document_of(encode(tiny_file()))


def document_of(data: bytes) -> Document:
    document: Document = json.loads(data)
    return document


def sealed(document: Document) -> bytes:
    """The document laid out as we lay it out, with the checksum that fits; one of another shape compactly."""
    rest = {key: value for key, value in document.items() if key not in ("format", "checksum")}
    head = {"format": document.get("format"), "checksum": "", **rest}
    events = head.pop("events", None)
    if not isinstance(events, list) or list(document)[:2] != ["format", "checksum"]:
        return compact({**head, **({} if events is None else {"events": events})})
    lines = b",\n".join(map(compact, events))
    blank = compact({**head, "events": []})[:-2] + (b"\n" + lines + b"\n" if lines else b"\n") + b"]}\n"
    return blank[: len(CHECKSUM)] + b"%08x" % crc32(blank) + blank[len(CHECKSUM) :]


def with_new_field(data: bytes, minor: int | None) -> bytes:
    """Return a file with an unknown field, and with a minor unless that is None."""
    if data.startswith(b"{"):
        document = document_of(data)
        head = {key: document.pop(key) for key in ("format", "checksum")}
        if minor is not None:
            head["minor"] = minor
            document.pop("minor", None)
        return sealed({**head, "mood": "good", **document})
    said_so = b"" if minor is None else b"minor = %d\n" % minor
    return data.replace(b"format = 1\n", b"format = 1\n" + said_so + b'mood = "good"\n', 1)


def compact(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")


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
    return store.add(start(rules or tiny_rules(), names, openings={}, label=label)).number


def listing(directory: Path) -> dict[str, bytes | None]:
    """Everything below a folder: the bytes of files, None for folders."""
    return {
        path.relative_to(directory).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(directory.rglob("*"))
    }


def folders_fail_to(fsync: Callable[[int], None]) -> Callable[[int], None]:
    """Flush files, and no folder."""

    def flush(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        fsync(descriptor)

    return flush


def unreadable(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """Make a file unreadable, as with another owner or a bad sector."""
    given = Folder.read

    def read(folder: Folder, name: str) -> bytes | None:
        if folder.path(name) == path:
            raise FileError("{path} cannot be read (Permission denied)", path=path)
        return given(folder, name)

    monkeypatch.setattr(Folder, "read", read)
