"""The parsed line: parsed once per key, whatever uses it."""

from typing import Any

import pytest
from textual.pilot import Pilot

from generala_cli.game.turn import Turn
from generala_cli.game.turnline import TurnLine, parse
from generala_cli.play import turn_view
from generala_cli.store.store import Store
from tests.app.table import begin
from tests.play.piloted import screen_after_acts, typed

PLAIN = "5 5 5 3 3 backspace 3 f up down enter x o enter u 5 escape".split()
COACHED = "k 4 4 1 2 6 4 4 backspace 4 enter 4 4 2 backspace 2 4 4 4 enter 5 5 escape u".split()


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize(
    ("keys", "size"), [(PLAIN, (80, 24)), (PLAIN, (30, 12)), (COACHED, (120, 40)), (COACHED, (40, 20))]
)
def test_a_key_has_the_line_read_once(
    store: Store, monkeypatch: pytest.MonkeyPatch, keys: list[str], size: tuple[int, int]
) -> None:
    begin(store)
    read = counted(monkeypatch)

    async def press(pilot: Pilot[int]) -> None:
        for key in keys:
            read.clear()
            await typed(pilot, key)
            # After Enter or a letter with Enter, an answer may be painted while the line is still there.
            assert len(read) <= (2 if key in ("enter", "u", "k") else 1), (key, read)
            assert read or not key.isdecimal(), key

    screen_after_acts(store, press, size=size)


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list of lines parsed from now on."""
    read: list[str] = []

    def parsed(line: TurnLine, *game: Any, **options: Any) -> Turn:
        read.extend(filter(None, [" ".join(line.words)]))
        return parse(line, *game, **options)

    monkeypatch.setattr(turn_view, "parse", parsed)
    return read
