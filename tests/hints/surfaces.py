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
from generala_cli.cli.first_word import read_line
from generala_cli.errors import GeneralaError
from generala_cli.render.language import speaking
from generala_cli.store.house_rules import HouseRules
from tests.hints.table import TypedAt, words_of_line
from tests.play.piloted import app_of, settled, typed

Stored = Mapping[str, Any]
"""The content of each file, without times, machines and random ids."""
_MACHINE = {"at", "by", "id", "checksum", "started"}


def stored_after(at: TypedAt, surface: str, line: str) -> Stored:
    """Return the effects of a line on a surface. A refused line changes nothing."""
    if surface in ("shell", "dialogue", "screen"):
        with patch("builtins.input", side_effect=EOFError):  # `n` asks who plays
            at.type(surface, line)
    else:
        at.restore()
        with patch.dict(os.environ, at.environment, clear=True), speaking(at.language):
            {"piloted": _on_screen, "pad": _on_pad}[surface](at, line)
    return stored_below(at.store.folder.directory)


def stored_below(data: Path) -> Stored:
    files = [data / "current", *data.glob("games/*/game.json"), *data.glob("payments/*.json")]
    return {
        str(file.relative_to(data)): _content(json.loads(file.read_bytes()))
        for file in files
        if file.exists()
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


def is_turn(at: TypedAt, line: str) -> bool:
    """Return whether a pad must take the line: a turn without a command or quotes."""
    words = words_of_line(line)
    if not words or words[0] == "generala" or "'" in line or '"' in line:
        return False
    with patch.dict(os.environ, at.environment, clear=True), speaking(at.language):
        try:
            command, *rest = read_line(words)
        except GeneralaError:
            return False
    return command == "score" and rest == words


def effect(before: Stored, after: Stored) -> str:
    """Return the change, such as `Beto fives 15 (55532)`; `-` if there is none."""
    changed = [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)]
    return "; ".join(_change(name, before.get(name), after.get(name)) for name in changed) or "-"


def _change(name: str, before: Any, after: Any) -> str:
    if before is None or after is None or name == "current":
        return f"{name} {'is new' if before is None else 'is gone' if after is None else 'changes'}"
    return ", ".join(_event(each["event"]) for each in after["events"][len(before["events"]) :])


def _event(event: Mapping[str, Any]) -> str:
    match event:
        case {
            "kind": "scored",
            "player": player,
            "category": box,
            "points": points,
            "roll": roll,
            "dice": dice,
        }:
            return f"{player} {box} {points} with {_digits(dice)}{' at once' if roll == 1 else ''}"
        case {"kind": "scratched", "player": player, "category": box, "dice": dice}:
            return f"{player} scratches {box}{f' with {_digits(dice)}' if dice else ''}"
        case {"kind": "amended", "turn": turn, "entry": entry}:
            return f"turn {turn}: {_event(entry)}"
        case _:
            return " ".join(str(value) for value in event.values() if not isinstance(value, list))


def _digits(dice: Any) -> str:
    return "".join(map(str, dice))
