import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar

from msgspec.structs import replace
from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.suggester import Suggester
from textual.widgets import Input, Static

from generala_cli.app.rule_sets import usable_names
from generala_cli.errors import GeneralaError, NotAllowed
from generala_cli.game.turnline import TurnLine
from generala_cli.games import forms as games
from generala_cli.messages import lazy
from generala_cli.play.layout import hint_line
from generala_cli.play.screen import LeaveTable, handled
from generala_cli.play.table import Table
from generala_cli.render import lines
from generala_cli.render.forms import Form, Values
from generala_cli.render.hints import SCREEN, full_message
from generala_cli.render.language import translate, translated
from generala_cli.render.screen import ASCII, Marks, Screen
from generala_cli.store.house_rules import HouseRules
from generala_cli.store.store import GameMovedOn, Store
from generala_cli.table import forms as turns
from generala_cli.text import safe


class Rows(VerticalScroll, can_focus=False, inherit_bindings=False):
    """The scrolling fields of a form, between which the arrow keys move."""


class Field(Input):
    """A field that edits as soon as a key comes, so that letters in the same chunk do not overtake it."""

    async def on_key(self, event: events.Key) -> None:
        for binding in self._bindings.key_to_bindings.get(event.key, ()):
            event.stop()
            event.prevent_default()
            await self.run_action(binding.action)


class FormScreen(ModalScreen[None]):
    """A form with one field per row. `when_closed` gets the result of `send`, or None if canceled."""

    DEFAULT_CSS = """
    FormScreen { background: ansi_default; }
    FormScreen > Rows { height: 1fr; }
    FormScreen Horizontal { height: 1; }
    FormScreen Input { width: 1fr; border: none; height: 1; padding: 0; background: ansi_default; }
    FormScreen Input:focus { text-style: bold; }
    FormScreen Input > .input--suggestion { text-style: italic dim not bold; }
    FormScreen .line { height: auto; max-height: 3; }
    FormScreen #about { height: auto; }
    FormScreen .keys { height: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,ctrl+j", "send", "Done", priority=True),
        Binding("escape", "leave", "Back", priority=True),
        Binding("down", "app.focus_next", "Next", priority=True),
        Binding("up", "app.focus_previous", "Previous", priority=True),
        Binding("ctrl+c", "interrupt", "Leave", priority=True),
    ]
    """Each has priority, so a key that follows in the same chunk goes to the right field."""
    _kept: ClassVar[dict[str, Sequence[str]]] = {}
    """The values of forms that were canceled, by title, for the next time."""

    def __init__(self, form: Form, marks: Marks) -> None:
        super().__init__()
        self._form = form
        self._marks = marks
        self._first_values = [field.value for field in form.fields]
        self.when_closed: Callable[[str | None], Awaitable[None]] = _do_nothing

    def compose(self) -> ComposeResult:
        values = self._kept.pop(self._form.title, self._first_values)
        column = max(_LABELS, *(1 + cell_len(field.label) for field in self._form.fields), 0)
        yield Static(Text(self._form.title, "bold"), classes="line")
        with Rows():
            for index, (field, value) in enumerate(zip(self._form.fields, values, strict=True)):
                with Horizontal():
                    label = Static(Text(field.label), classes="label")
                    label.styles.width = column
                    yield label
                    offers = WordSuggester(field.offers) if field.offers else None
                    yield Field(value, id=f"field{index}", suggester=offers, compact=True)
            about = Static(id="about")
            about.styles.padding = (0, 0, 0, column)
            yield about
        yield Static(classes="line", id="refusal")
        yield Static(classes="keys", id="keys")

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        place, row = int((event.widget.id or "field0").removeprefix("field")), event.widget.parent
        assert isinstance(row, Horizontal)
        about = self.query_one("#about", Static)
        about.update(Text(self._form.fields[place].about, "dim"))
        self.query_one(Rows).move_child(about, after=row)
        self.call_after_refresh(self._show_field, about, row)

    def _show_field(self, about: Static, row: Horizontal) -> None:
        for part in (about, row):
            self.query_one(Rows).scroll_to_widget(part, animate=False)
        self.call_after_refresh(self._place_cursor)

    def on_resize(self) -> None:
        screen = Screen(width=self.size.width, color=True, marks=self._marks)
        keys = hint_line(_keys(self._marks), screen)
        self.query_one("#keys", Static).update(Text(keys, "dim", no_wrap=True))
        self.call_after_refresh(self._place_cursor)

    def _place_cursor(self) -> None:
        if isinstance(self.focused, Input):
            self.app.cursor_position = self.focused.cursor_screen_offset
            self.refresh()

    async def _typed(self) -> Sequence[str]:
        for field in self.query(Input):
            await handled(field)
        return [field.value for field in self.query(Input)]

    async def action_send(self) -> None:
        typed = await self._typed()
        values = {field.key: text.strip() for field, text in zip(self._form.fields, typed, strict=True)}
        try:
            done = await asyncio.to_thread(self._form.send, values)
        except GeneralaError as error:
            why = "; ".join(
                map(safe, (translated(full_message(error, SCREEN)), *map(translated, error.details)))
            )
            self.query_one("#refusal", Static).update(Text(f"! {why}", "bold"))
            self.app.bell()
        else:
            await self._close(done)

    async def _close(self, done: str | None) -> None:
        """Close the form. Keys that follow in the same chunk find the table as the form left it."""
        await self.dismiss()
        await self.when_closed(done)

    def action_interrupt(self) -> None:
        self.post_message(LeaveTable(130))

    async def action_leave(self) -> None:
        typed = await self._typed()
        if typed != self._first_values:
            self._kept[self._form.title] = typed
        await self._close(None)


async def _do_nothing(_: str | None) -> None: ...


_LABELS = 10
"""The minimum width of the labels."""


def _keys(marks: Marks) -> Sequence[str]:
    if marks is ASCII:
        return (
            translate("Enter done"),
            translate("Esc back"),
            translate("arrows: fields, right accepts the suggestion"),
        )
    return (
        translate("Enter done"),
        translate("Esc back"),
        translate("↑↓ fields"),
        translate("→ accepts the suggestion"),
    )


class WordSuggester(Suggester):
    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(case_sensitive=True)
        self._words = words

    async def get_suggestion(self, value: str) -> str | None:
        for start in (value.rfind(",") + 1, max(value.rfind(","), value.rfind(" ")) + 1):
            word_start = value[start:].lstrip()
            if (
                not word_start or word_start in self._words
            ):  # `general` is a whole word; do not complete it to `generala`
                continue
            for word in self._words:
                if word.startswith(word_start):
                    return value + word[len(word_start) :]
        return None


def new_game(store: Store, house_rules: HouseRules, marks: Marks) -> FormScreen:
    return FormScreen(games.new_game(store, house_rules, usable_names(house_rules)), marks)


def rematch(store: Store, marks: Marks) -> FormScreen:
    return FormScreen(games.rematch(store), marks)


def ending(table: Table, marks: Marks) -> FormScreen:
    """Return the form to end the game. It refuses once if another shell changed the game."""
    store, seen = table.opened.store, table.opened.events

    def send(values: Values) -> str:
        nonlocal seen
        try:
            return turns.ending(replace(store, seen=seen)).send(values)
        except GameMovedOn as error:
            stored = store.open(None)
            seen = len(stored.file.events)
            what = lazy("{trouble}: {news}", trouble=error.message, news=lines.latest(stored))
            raise NotAllowed(what, "press Enter again to end the game anyway, or Esc") from error

    return FormScreen(replace(turns.ending(store), send=send), marks)


def correction(table: Table, turn: int, marks: Marks) -> FormScreen:
    seen = table.opened.game.entries[turn - 1]

    def correct(number: int, line: TurnLine, scratched: bool) -> str:
        nonlocal seen
        if table.opened.has_changed():
            table.reload()
        entries = table.opened.game.entries
        now = entries[turn - 1] if turn <= len(entries) else None
        if now is None:
            raise NotAllowed("turn {turn} was undone elsewhere", "press Esc", turn=turn)
        if now != seen:
            seen = now
            raise NotAllowed(
                "turn {turn} is now {entry}",
                "press Enter again to correct it anyway, or Esc",
                turn=turn,
                entry=lines.entry_text(table.opened.game, now),
            )
        table.correct(number, line, scratched=scratched)
        return table.message.text

    return FormScreen(turns.correction(table.opened.stored, turn, correct), marks)
