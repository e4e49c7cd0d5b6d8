import gc
import os
import subprocess
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, ClassVar, NoReturn

from msgspec.structs import replace
from rich.console import RenderableType
from textual._compositor import ChopsUpdate
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.filter import LineFilter
from textual.screen import Screen as TextualScreen

from generala_cli.errors import FileError, NotFound
from generala_cli.play.coaching import CoachMode
from generala_cli.play.repainting import ChangedParts
from generala_cli.play.screen import FormRequested, LeaveTable, TableView, TrainingRequested, WantedForm
from generala_cli.play.table import Table
from generala_cli.play.terminal import HUNG_UP, TakenTerminal, WithoutColour, ignoring_interrupts
from generala_cli.render.language import spoken, translate, translated
from generala_cli.render.screen import ColorChoice, Screen, screen_of
from generala_cli.store.house_rules import HouseRules
from generala_cli.store.signals import hold_nothing
from generala_cli.store.store import Store
from generala_cli.text import safe

if sys.platform == "win32":
    from generala_cli.play.windows_terminal import TableDriver, Terminal
else:
    from generala_cli.play.posix_terminal import TableDriver, Terminal


_SECONDS_OF_DOUBT = 30


class TableApp(App[int], inherit_bindings=False):
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(
        self,
        store: Store,
        house_rules: HouseRules,
        table: Table | None,
        screen: Screen,
        terminal: TakenTerminal | None = None,
        coach: CoachMode = "off",
    ) -> None:
        super().__init__(driver_class=TableDriver if terminal else None, ansi_color=True)
        self._store = store
        self._houses = house_rules
        self._table = table
        self._screen_kind = screen
        self._terminal = terminal
        self._coach = coach

    def compose(self) -> ComposeResult:
        if self._table is not None:
            yield self._view(self._table)

    def _view(self, table: Table) -> TableView:
        table.coach.when = self._coach
        return TableView(table, self._screen_kind)

    def on_mount(self) -> None:
        if self._terminal is not None:
            self.set_interval(1, self._end_with_terminal)
        if self._table is None:
            self.post_message(FormRequested("new"))

    def _end_with_terminal(self) -> None:
        """End if the terminal has gone: a lost connection may send no signal."""
        if self._terminal is not None and not self._terminal.is_there:
            self._terminal.leave(HUNG_UP)

    def get_line_filters(self) -> Sequence[LineFilter]:
        return () if self._screen_kind.color else (WithoutColour(),)

    def _display(self, screen: TextualScreen[Any], renderable: RenderableType | None) -> None:
        if isinstance(renderable, ChopsUpdate):
            renderable = ChangedParts(renderable.chops, renderable.spans, renderable.chop_ends)
        super()._display(screen, renderable)

    def on_leave_table(self, message: LeaveTable) -> None:
        if self._terminal is not None:
            self._terminal.leave(message.code)
        self.exit(return_code=message.code)

    async def on_form_requested(self, message: FormRequested) -> None:
        found = self.query(TableView)
        try:
            await self._open_form(message.wanted)
        finally:
            keys = await found.first().take_keys_for_form() if found else ()
        for key in keys:
            await self.on_event(key)

    async def _open_form(self, wanted: WantedForm) -> None:
        from generala_cli.play import forms  # fields load slowly, and the first screen has none

        marks = self._screen_kind.marks
        if wanted == "new":
            form = forms.new_game(self._store, self._houses, marks)
        else:
            table = self.query_one(TableView).table
            if wanted == "rematch":
                form = forms.rematch(table.opened.store, marks)
            elif wanted == "end":
                form = forms.ending(table, marks)
            else:
                form = forms.correction(table, wanted, marks)
        form.when_closed = self._show_start if wanted in ("new", "rematch") else self._show_message
        await self.push_screen(form)

    def on_training_requested(self, _: TrainingRequested) -> None:
        with self.suspend(), ignoring_interrupts():
            command = (sys.executable, "-P", "-m", "generala_cli", "--language", spoken(), "train")
            subprocess.run(command, check=False)  # noqa: S603 - our own program
            with suppress(EOFError, OSError):
                input(f"{translate('press Enter to return to the table')} ")

    async def _show_message(self, message: str | None) -> None:
        self.query_one(TableView).show_message(message)

    async def _show_start(self, message: str | None) -> None:
        found = self.query(TableView)
        if message is None:
            if not found:
                self.post_message(LeaveTable(0))
            return
        table = Table(self._store, self._screen_kind, str(self._store.current()))
        if found:
            found.first().begin(table)
            found.first().show_message(message)
        else:
            table.introduce()
            view = self._view(table)
            await self.mount(view)
            self.screen.set_focus(view)

    def _handle_exception(self, error: Exception) -> None:
        if self._terminal is None:
            super()._handle_exception(error)
            return
        place = traceback.extract_tb(error.__traceback__)[-1]
        sentence = translate(
            "the screen crashed ({kind}: {problem}; {file}, line {line}); your entries are saved; continue "
            "with generala score",
            kind=type(error).__name__,
            problem=safe(error),
            file=place.filename.rpartition("/")[2],
            line=place.lineno,
        )
        self._terminal.leave(1, f"generala: {sentence}\n")


def run(
    store: Store, house_rules: HouseRules, color: ColorChoice, reference: str | None, coach: CoachMode
) -> NoReturn:
    """Check the game, play in the terminal until the player leaves, and end the process."""
    gc.enable()  # other commands end too soon to need it
    terminal = Terminal()
    kind = screen_of(sys.stderr, color)

    def doubt(trouble: FileError) -> None:
        app.notify(safe(translated(trouble.message)), severity="warning", timeout=_SECONDS_OF_DOUBT)

    folder = replace(store.folder, hold=hold_nothing, on_doubt=doubt)
    quiet = replace(store, folder=folder, on_wait=None, warn=None)
    table = _table(quiet, kind, reference)
    os.environ.pop("NO_COLOR", None)  # Textual obeys even an empty value; `kind` already knows
    terminal.leave_on_signals()
    app = TableApp(quiet, house_rules, table, kind, terminal, coach)
    app.run()
    terminal.leave(app.return_code or 0)


def _table(store: Store, kind: Screen, reference: str | None) -> Table | None:
    try:
        return Table(store, kind, reference)
    except NotFound:
        if reference is not None or store.named is not None or store.numbers():
            raise
        return None
