"""The screen in a language with sentences a third longer: nothing is too wide, and no hint is cut."""

import asyncio
from itertools import product

import pytest
from rich.cells import cell_len
from textual.widgets import Input, Static

from generala_cli.game.turnline import TurnLine
from generala_cli.messages import LANGUAGES, Language
from generala_cli.play import panels
from generala_cli.play.keys import all_keys
from generala_cli.play.layout import Layout
from generala_cli.play.panels import Panel
from generala_cli.play.table import Table
from generala_cli.render.screen import ASCII, UNICODE, Marks, Screen
from generala_cli.store.store import Store
from generala_cli.table import turns
from generala_cli.worker import Question
from tests.app.table import begin
from tests.play.piloted import PLAIN, app_of, screen_after, typed
from tests.play.test_layout import SIZES
from tests.sizes import thinned

LINES = ("", "555", "55533", "x ", "a ", "55533 t", "12346")


class Longer:
    """Every sentence in brackets, and a third longer in one more word."""

    def gettext(self, message: str) -> str:
        return f"[{message} {'ö' * (len(message) // 3)}]"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return message if context.endswith(" mark") else self.gettext(message)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return self.ngettext(msgid1, msgid2, n)


@pytest.fixture(autouse=True)
def _longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LANGUAGES, "chosen", Language("xx", Longer))


def drawn(
    table: Table, size: tuple[int, int], marks: Marks = UNICODE, panel: Panel | None = None
) -> list[str]:
    """The lines of the screen."""
    screen = Screen(width=size[0], height=size[1], color=True, marks=marks)
    lines = [panels.text_of(line) for line in Layout().draw(table, panel, screen).lines]
    assert len(lines) == size[1]
    assert max(map(cell_len, lines)) <= size[0], lines
    return lines


def assert_whole(lines: list[str], marks: Marks) -> None:
    """Check that no hint is cut, except a lone hint, which wraps at words and ends where the space ends."""
    keys = lines[-1]
    for line in reversed(lines[-3:-1]):
        if keys.count("[") < keys.count("]"):
            keys = f"{line.rstrip()} {keys}"
    hints = keys.rstrip().split("  " if marks is ASCII else " · ")
    assert len(hints) == 1 or all(hint.endswith("]") for hint in hints), keys
    assert keys.count("[") == keys.count("]") or keys.rstrip().endswith(marks.ellipsis), keys


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize(("size", "marks"), thinned(product(SIZES[:6], [UNICODE, ASCII]), every=5))
@pytest.mark.slow
def test_the_line_of_keys_drops_hints_from_its_end(store: Store, size: tuple[int, int], marks: Marks) -> None:
    begin(store, "general", "Ana", "Beto", "Cora", "Dani")
    table = Table(store, PLAIN, None)
    for when in ("off", "before", "after"):
        table.coach.when = when
        for line in (*LINES, "44126:44", "44126:44 4"):
            table.line.text = line
            drawn(table, size, marks)  # its answer wraps at words
        table.line.clear()
        assert_whole(drawn(table, size, marks), marks)
    for panel in (panels.log(table.opened), all_keys(table.opened)):
        assert_whole(drawn(table, size, marks, panel), marks)
    turns.enter(store, TurnLine(words=("55555",), roll="1"))
    table.reload()
    assert_whole(drawn(table, size, marks), marks)


def test_a_hint_that_is_too_long_alone_ends_behind_a_word(store: Store) -> None:
    begin(store)
    table = Table(store, PLAIN, None)
    table.line.text = "55533"
    assert drawn(table, (60, 20))[-1].startswith("[Enter scores full house 30 for Ana")
    assert drawn(table, (24, 12))[-1] == "[Enter scores full …"


def test_keys_beside_the_sheet_go_on_in_the_next_line(store: Store) -> None:
    begin(store)
    lines = drawn(Table(store, PLAIN, None), (60, 20))
    (first,) = (place for place, line in enumerate(lines) if line.endswith("  x [scratch öö]  u [undo ö]"))
    assert lines[first + 1].endswith("  r [redo ö]  l [log ö]")


def test_labels_of_a_form_stand_whole(store: Store) -> None:
    async def run() -> None:
        app = app_of(store)
        async with app.run_test(size=(60, 20)) as pilot:
            await typed(pilot, "Ana")
            labels = [each for each in app.screen.query(Static) if "label" in each.classes]
            assert all(str(each.visual).endswith("]") for each in labels)
            assert all(cell_len(str(each.visual)) < each.size.width for each in labels)
            assert isinstance(app.screen.focused, Input)
            keys = str(app.screen.query_one("#keys", Static).visual)
            assert keys == "[Enter done ööö] · [Esc back öö] · [↑↓ fields ööö]"

    asyncio.run(run())


@pytest.mark.slow
def test_what_was_done_is_shown_in_the_language(store: Store) -> None:
    begin(store)
    assert screen_after(store, "k")[-3].startswith("[the coach advises you before you choose")
    assert screen_after(store, "zz", "enter")[-3].startswith("! [there is no command")


@pytest.mark.slow
def test_yes_is_understood_in_the_language_and_in_english(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Longer, "gettext", lambda _, message: {"yes": "sí"}.get(message, message))
    for answer in ("Si", "yes"):
        begin(store)
        turns.enter(store, TurnLine(words=("55533",)))
        screen_after(store, "e", "enter", *["down"] * 4, "ctrl+u", answer, "enter")
        assert store.open(None).game.entries[0].points == 0


def test_what_the_worker_finds_is_shown_in_the_same_language() -> None:
    assert Question(about="odds", directory="", game=1, screen=PLAIN).language == "xx"
