"""The screen without a terminal: keys in, and the lines that it shows out."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from rich.cells import cell_len
from textual import events
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.widgets import Input, Static

from generala_cli.errors import NotFound
from generala_cli.play.app import TableApp
from generala_cli.play.keys import KEYS
from generala_cli.play.screen import TableView
from generala_cli.play.table import Table
from generala_cli.play.taps import Tap, find_tap
from generala_cli.render.screen import UNICODE, Screen
from generala_cli.store.house_rules import HouseRules
from generala_cli.store.store import Store

Size = tuple[int, int]
Acts = Callable[[Pilot[int]], Awaitable[None]]
"""The test, called when the table is there."""

PLAIN = Screen(width=80, height=24, color=False, marks=UNICODE)


def screen_after(store: Store, *keys: str, size: Size = (80, 24)) -> list[str]:
    """Return the screen's lines after these keys, in Textual's names. A text of several letters is typed."""

    async def press(pilot: Pilot[int]) -> None:
        await typed(pilot, *keys)

    return screen_after_acts(store, press, size=size)


async def typed(pilot: Pilot[int], *keys: str) -> None:
    """Press keys: `enter`, `up` and so on by their names, and every other word letter by letter.

    Enter follows a word that is a letter of the table on an empty line, such as `u`.
    """
    for word in keys:
        is_letter = word in LETTERS and not isinstance(pilot.app.screen.focused, Input)
        if is_letter and pilot.app.query_one(TableView).table.view.is_empty:
            pilot.app.post_message(events.Key(word, word))
            word = "enter"
        for key in [word] if word in NAMED else word:
            name, letter = (key, None) if key in NAMED else (_character_to_key(key), key)
            pilot.app.post_message(events.Key(name, letter))
        await settled(pilot)


async def settled(pilot: Pilot[int]) -> None:
    """Wait until everything sent is processed. In each round, every widget has handled its earlier messages.

    A key passes from the app and its screen to a widget; a finished form passes from the app to a new table.
    `pilot.press` and `pilot.pause()` wait for an idle process instead, 20 ms and more each time.
    """
    for _ in range(6):
        await pilot.pause(0)
    for view in pilot.app.query(TableView):
        if view._answer is not None:  # of a command that is slow on a busy machine
            await view._answer
            await settled(pilot)


LETTERS = {key.key for key in KEYS if len(key.key) == 1 and key.command is not None} - {"x", "a", "?"}
NAMED = {
    "enter",
    "escape",
    "backspace",
    "up",
    "down",
    "tab",
    "pagedown",
    "pageup",
    "home",
    "end",
    "left",
    "right",
    "ctrl+c",
    "ctrl+j",
    "ctrl+u",
}


def screen_after_acts(store: Store, act: Acts, size: Size = (80, 24)) -> list[str]:
    """Return the screen's lines after some action."""

    async def run() -> list[str]:
        app = app_of(store)
        async with app.run_test(size=size) as pilot:
            await settled(pilot)
            await act(pilot)
            return lines_of(app)

    return asyncio.run(run())


def app_of(store: Store) -> TableApp:
    """Return the screen of the current game, or without a game."""
    try:
        table: Table | None = Table(store, PLAIN, None)
    except NotFound:
        table = None
    return TableApp(store, HouseRules(directory=Path("nowhere")), table, PLAIN)


async def tap(pilot: Pilot[int], wanted: Tap) -> None:
    """Tap the middle of the control for an action."""
    lines = pilot.app.query_one(TableView)._lines
    for row, line in enumerate(lines):
        start = 0
        for segment in line:
            width = cell_len(segment.text)
            column = start + width // 2
            if segment.text.strip() and find_tap(line, column) == wanted:
                await pilot.click(offset=(column, row))
                return
            start += width
    raise AssertionError((wanted, pilot.app.query_one(TableView).shown))


def lines_of(app: TableApp) -> list[str]:
    """Return the visible lines of the table, or of the form in front of it."""
    if isinstance(app.screen.focused, Input):
        labels = [str(each.visual) for each in app.screen.query(Static)]
        return [*labels, *(field.value for field in app.screen.query(Input))]
    return app.query_one(TableView).shown
