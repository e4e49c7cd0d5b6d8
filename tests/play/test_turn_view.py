"""The line as it is understood: read once a key, whatever is drawn from it."""

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
            is_saving = key in (
                "enter",
                "u",
            )  # an answer from beside may be painted while the line is still there
            assert len(read) <= (2 if is_saving else 1), (key, read)
            assert read or not key.isdecimal(), key

    screen_after_acts(store, press, size=size)


def test_a_letter_behind_a_digit_is_tried_as_one_word_and_as_two(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(store)
    read = counted(monkeypatch)

    async def press(pilot: Pilot[int]) -> None:
        await typed(pilot, "555331")
        read.clear()
        await typed(pilot, "f")
        assert read == ["55533 1f", "55533 1 f"]

    screen_after_acts(store, press)


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lines that are read from now on."""
    read: list[str] = []

    def parsed(line: TurnLine, *game: Any, **options: Any) -> Turn:
        read.append(" ".join(line.words))
        return parse(line, *game, **options)

    monkeypatch.setattr(turn_view, "parse", parsed)
    return read
