"""A line typed in the shell, the dialogue, the screen and the keeper's pad, and everything that it stored."""

import asyncio
import json
import os
from collections.abc import Mapping
from pathlib import Path
from secrets import token_hex
from typing import Any
from unittest.mock import patch

from generala_cli.board import seats
from generala_cli.board.pad import Pad, PadTurn
from generala_cli.board.seats import SeatBook, Viewer
from generala_cli.board.watching import Watcher
from generala_cli.errors import GeneralaError
from generala_cli.render.language import speaking
from generala_cli.store.house_rules import HouseRules
from tests.hints.table import TypedAt
from tests.play.piloted import app_of, settled, typed

Stored = Mapping[str, Any]
"""The content of each file, without times, machines and random ids."""
_MACHINE = {"at", "by", "id", "checksum", "started"}


def stored_after(at: TypedAt, surface: str, line: str) -> Stored:
    """Return what a line on a surface leaves behind. A refused line leaves everything as it was."""
    if surface in ("shell", "dialogue", "screen"):
        at.type(surface, line)
    else:
        at.restore()
        with patch.dict(os.environ, at.environment, clear=True), speaking(at.language):
            {"piloted": _on_screen, "pad": _on_pad}[surface](at, line)
    return stored_below(at.store.folder.directory)


def stored_below(data: Path) -> Stored:
    files = [data / "current", *data.glob("games/*/game.json"), *data.glob("*.json")]
    return {
        str(file.relative_to(data)): _content(json.loads(file.read_bytes()))
        for file in files
        if file.exists() and file.name != "board.json"
    }


def _content(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _content(each) for key, each in value.items() if key not in _MACHINE}
    return [*map(_content, value)] if isinstance(value, list) else value


def _on_screen(at: TypedAt, line: str) -> None:
    async def type_it() -> None:
        app = app_of(at.store)
        async with app.run_test(size=(100, 30)) as pilot:
            await settled(pilot)
            await typed(pilot, *([line] if line != "?" else []), "enter")

    asyncio.run(type_it())


def _on_pad(at: TypedAt, line: str) -> None:
    book = SeatBook(at.store.folder, seats.load(at.store.folder, ""), lambda: None)
    watcher = Watcher(at.store, None, tonight=False)
    watcher.poll()
    pad = Pad(at.store, watcher, book, HouseRules(directory=Path("nowhere")))
    sent = PadTurn(id=token_hex(16), game=2, seen=len(at.store.open(None).file.events), dice=line)
    try:
        pad.turn(Viewer("keeper"), sent)
    except GeneralaError:
        pass
    finally:
        pad.finish()
