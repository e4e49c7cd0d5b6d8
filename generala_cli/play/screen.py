"""The table as a Textual widget that paints lines, handles keys and taps, and watches for changes."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from rich.segment import Segment
from rich.text import Text
from textual import events
from textual.geometry import Offset, Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from generala_cli.errors import GeneralaError, NotAllowed, UsageError
from generala_cli.games import keeping, starting
from generala_cli.games.drawing import start_sentence
from generala_cli.messages import lazy, value_message
from generala_cli.packages import check_installed
from generala_cli.play import panels
from generala_cli.play.coaching import WORKING, Coach, progress
from generala_cli.play.keys import COMMANDS, Command
from generala_cli.play.layout import WIDE, Layout
from generala_cli.play.open_game import OpenGame
from generala_cli.play.panels import Panel
from generala_cli.play.repainting import changed_parts
from generala_cli.play.shell import Output, Shell
from generala_cli.play.table import Table, not_over_error
from generala_cli.play.taps import BoxTap, DieTap, ItemTap, KeyTap, Tap, find_tap
from generala_cli.play.typed_line import KeyLetter, MoveLine, ShellLine, TurnText, order
from generala_cli.render.language import translate, translated
from generala_cli.render.screen import Screen
from generala_cli.store.store import moved_on_error
from generala_cli.text import safe
from generala_cli.worker import Completed, HandAdvice, Progress, Question, Refusal, Reply, Subject, Worker

POLL_INTERVAL = 0.1
"""Seconds between two checks for changes by other shells."""


_Group = Literal["thinking", "chances", "coach", "ahead"]
"""Computations that can run at the same time, each in its own process; `ahead` fills caches."""
_SETTLED = 1.0
"""After this many seconds, the player is probably playing and not just looking."""
_END = 1_000_000
"""More lines than any panel has."""
_PAUSE = 0.2
"""Seconds without a key before a typed command is tried."""
_PATIENCE = 2.0
"""Seconds for a trial of a command that only shows something, which is long enough for most mistakes."""
_QUICK = 0.3
"""Seconds that the screen waits for an answer. A later one comes between keys, and the next key stops it."""
_MOST_LINES = 4
"""A longer answer of a command opens in a panel."""
_LEFT = 1
"""The left mouse button, and a finger."""
_DOUBLE_CLICK = 0.4
"""A second click on the same box within this many seconds is part of the first."""
_LEAVING_KEYS = ("ctrl+c", "ctrl+z")


class _Chance(Struct, frozen=True, kw_only=True):
    player: str = ""
    team: str = ""
    wins: float


class _Chances(Struct, frozen=True, kw_only=True):
    odds: tuple[_Chance, ...]


class LeaveTable(Message):
    def __init__(self, code: int) -> None:
        super().__init__()
        self.code = code


class TrainingRequested(Message):
    """The player wants to train; the trainer needs the terminal."""


WantedForm = Literal["new", "rematch", "end"] | int


class FormRequested(Message):
    def __init__(self, wanted: WantedForm) -> None:
        super().__init__()
        self.wanted = wanted


class TableView(Widget, can_focus=True):
    ALLOW_SELECT = False
    DEFAULT_CSS = "TableView { width: 1fr; height: 1fr; }"

    def __init__(self, table: Table, screen: Screen) -> None:
        super().__init__()
        self.table: Table = table
        self.panel: Panel | None = None
        self._screen_kind = screen
        self._layout = Layout()
        self._lines: list[list[Segment]] = []
        self._workers: dict[_Group, Worker] = {}
        self._coached: Table | None = None
        self._keys_for_form: list[events.Key] | None = None
        self._tapped: Tap | None = None
        self._tapped_at = 0.0
        self._dry_run: asyncio.Task[None] | None = None
        self._answer: asyncio.Task[Output | None] | None = None
        self._shell = Shell()

    def on_mount(self) -> None:
        self.focus()
        self._loop = asyncio.get_running_loop()
        self.table.opened.when_waiting(self._tell_waiting)
        self.set_interval(POLL_INTERVAL, self._poll)
        self.app.app_resume_signal.subscribe(self, lambda _: self.refresh())
        self.call_after_refresh(self._consult)
        self.set_timer(_SETTLED, self._work_ahead)

    async def on_unmount(self) -> None:
        for group in [*self._workers]:
            self._drop(group)
        self._shell.end()

    def on_resize(self) -> None:
        self._lines = []
        self._follow_chances()
        self.repaint()

    async def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        if self._keys_for_form is not None:
            self._keys_for_form.append(events.Key(event.key, event.character))
        else:
            await self._take_key(event.key, event.character or "")

    def request_form(self, wanted: WantedForm) -> None:
        self._keys_for_form = []
        self.post_message(FormRequested(wanted))

    async def take_keys_for_form(self) -> Sequence[events.Key]:
        await handled(self)
        keys, self._keys_for_form = self._keys_for_form or [], None
        return keys

    async def _take_key(self, key: str, character: str) -> None:
        if self._drop("thinking") or self._stop_answer():
            self.table.message.say("")
        self.table.message.forget_refusal()
        await self.attempt(partial(self._press, key, character))

    async def on_paste(self, event: events.Paste) -> None:
        """Type a pasted line, but leave Enter to the player."""
        event.stop()
        self.table.message.forget_refusal()
        await self.attempt(partial(self.table.line.paste, event.text))

    async def on_click(self, event: events.Click) -> None:
        if event.button != _LEFT:
            return
        self.table.message.forget_refusal()
        line = self._lines[event.y] if event.y < len(self._lines) else []
        found = find_tap(line, event.x)
        is_double = self._tapped == found and event.time - self._tapped_at < _DOUBLE_CLICK
        self._tapped, self._tapped_at = found, event.time
        match found:
            case BoxTap() | ItemTap() if is_double:
                pass
            case KeyTap(key) if len(key) == 1 and key in COMMANDS:
                await self.attempt(partial(self._run, COMMANDS[key]))
            case KeyTap(key):
                if key.isdecimal() and self.table.line.ends_with_hand:  # a tapped throw needs no space
                    await self._take_key("space", " ")
                await self._take_key(key, " " if key == "space" else key if len(key) == 1 else "")
            case DieTap(place):
                await self.attempt(partial(self.table.line.tap_die, place))
            case ItemTap(number) if self.panel is not None and self.panel.chosen == number:
                await self._take_key("enter", "")
            case ItemTap(number) if self.panel is not None:
                self.panel = replace(self.panel, chosen=number)
                self.repaint()
            case BoxTap(category) if self.table.line.is_marked(category):
                await self.attempt(self._enter_by_tap)
            case BoxTap(category):
                await self.attempt(partial(self.table.line.choose, category))
            case _:
                pass

    async def _enter_by_tap(self) -> None:
        marked = self.table.view.marked
        if marked is not None and marked.scratched:
            raise UsageError(
                lazy("a tap does not scratch {category}", category=marked.category), "Enter scratches it"
            )
        await self.enter()

    async def attempt(self, act: Callable[[], object]) -> None:
        try:
            found = act()
            if asyncio.iscoroutine(found):
                await found
        except GeneralaError as error:
            self.table.message.refuse(error)
            self.app.bell()
        except ImportError as error:  # a newer generala was installed meanwhile
            lost = lazy("a part of generala cannot be loaded: {error}", error=error)
            self.table.message.refuse(NotAllowed(lost, "leave with q and start it again"))
            self.app.bell()
        self._consult()
        self._foresee()
        self._follow_chances()
        self.repaint()

    def _foresee(self) -> None:
        if self._dry_run is not None:
            self._dry_run.cancel()
        self._dry_run = asyncio.create_task(self._try_later()) if self.table.is_command else None

    async def _try_later(self) -> None:
        await asyncio.to_thread(self._shell.prepare)
        await asyncio.sleep(_PAUSE)
        await self._show_effect()

    async def _show_effect(self) -> None:
        table, line = self.table, self.table.dry_run
        if line is None or table.is_foreseen:
            return
        key, screen = table.line_key, replace(self._screen_kind, color=False)
        tried = order(line, table.opened, screen, is_trial=True)
        patience = _PATIENCE if line.only_shows else None
        if (output := await asyncio.to_thread(self._shell.run, tried, patience)) is not None:
            table.foresee(key, line, output)
            self.repaint()
        await asyncio.to_thread(self._shell.prepare)

    def repaint(self) -> None:
        width, height = self.size
        if not width or not height:
            return
        drawn = self._layout.draw(
            self.table, self.panel, replace(self._screen_kind, width=width, height=height)
        )
        before, self._lines = self._lines, [list(line) for line in drawn.lines]
        if self.panel is not None:
            self.panel = replace(self.panel, top=drawn.top)
        cursor, self.app.cursor_position = self.app.cursor_position, Offset(*drawn.cursor)
        if len(before) != len(self._lines):
            self.refresh()
            return
        pairs = enumerate(zip(before, self._lines, strict=True))
        changed = [part for row, (old, new) in pairs if old != new for part in changed_parts(old, new, row)]
        if cursor != self.app.cursor_position:
            changed.append(Region(*self.app.cursor_position, 1, 1))
        if changed:  # without a region, Textual paints everything
            self.refresh(*changed)

    @property
    def shown(self) -> list[str]:
        return [panels.text_of(line).rstrip() for line in self._lines]

    def render_line(self, y: int) -> Strip:
        line = self._lines[y] if y < len(self._lines) else []
        return Strip(line).adjust_cell_length(self.size.width)

    async def _press(self, key: str, character: str) -> None:
        if self.panel is not None and key not in _LEAVING_KEYS and self._moves_in_panel(key):
            return
        is_help = character == "?" and self.table.view.is_empty
        if is_help or (len(key) > 1 and key in COMMANDS):
            await self._run(COMMANDS[character if is_help else key])
        elif not (character and character.isprintable()) or key.startswith("alt+"):
            raise UsageError("{key} does nothing here", "? shows all keys", key=key)
        else:
            self.table.line.press(character)

    async def _run(self, command: Command) -> None:
        found = command(self)
        if asyncio.iscoroutine(found):
            await found

    def _moves_in_panel(self, key: str) -> bool:
        """Return whether the panel used the key. Any other key closes the panel and takes effect."""
        assert self.panel is not None
        moves = {"down": 1, "up": -1, "pagedown": 10, "pageup": -10, "end": _END, "home": -_END}
        if key in moves:
            self.panel = self.panel.moved(moves[key])
            return True
        panel, self.panel = self.panel, None
        if key == "enter" and panel.chosen is not None:
            self._pick(panel, panel.chosen)
        return key in ("enter", "escape", "backspace")

    def _pick(self, panel: Panel, number: int) -> None:
        if panel.picks == "correct":
            self.request_form(number)
        elif panel.picks == "open":
            self._open(number)
        elif panel.picks == "take":
            self.table.take(panel.names[panel.numbers.index(number)])

    async def enter(self) -> None:
        await self._keeping_refused(self._enter())

    async def _keeping_refused(self, act: Awaitable[None]) -> None:
        """Do what the line says. If that is refused, the line stays until something else is typed."""
        try:
            await act
        except GeneralaError as error:
            self.table.line.refuse(error)
            raise

    async def _enter(self) -> None:
        line = self.table.typed
        match line:
            case TurnText() if self.table.view.asks_for_advice:
                if (error := self.table.view.advice_error) is not None:
                    raise error
                self.advise()
                self.table.line.clear()
            case TurnText():
                await asyncio.to_thread(self.table.enter)
            case MoveLine():
                await asyncio.to_thread(self.table.move, line)
            case KeyLetter(key):
                command = key.when_entered or key.command
                assert command is not None
                self.table.line.clear()
                await self._run(command)
            case ShellLine():
                await self._run_in_shell(line)

    async def _run_in_shell(self, line: ShellLine) -> None:
        """Run a command about this game, and show its answer."""
        opened = self.table.opened
        if opened.has_changed():
            await asyncio.to_thread(self.table.reload)
        self.table.check_started()
        if not line.only_shows:
            await self._show_effect()
        width, height = self.size
        screen = replace(self._screen_kind, width=width, height=height)
        current = opened.store.current_or_none()
        line = self.table.agreed(line)
        run = partial(self._shell.run, order(line, opened, screen), can_stop=line.only_shows)
        answer = asyncio.create_task(asyncio.to_thread(run))
        if line.only_shows and not (await asyncio.wait({answer}, timeout=_QUICK))[0]:
            self._take_later(line, answer, current)
        elif (output := await answer) is not None:
            await self._take_output(line, output, current)

    def _take_later(
        self, line: ShellLine, answer: "asyncio.Task[Output | None]", current: int | None
    ) -> None:
        """Show an answer when it comes, between keys. The next key stops the command."""
        self.table.message.say(translated(WORKING))
        self.table.line.clear()
        self._answer = answer

        async def take() -> None:
            if self._answer is not answer:
                return
            self._answer = None
            if (output := answer.result()) is None:
                return
            self.table.message.say("")
            if output.code:  # a refused line stays
                self.table.line.recall()
            taken = self._take_output(line, output, current)
            await self.attempt(partial(self._keeping_refused, taken))

        answer.add_done_callback(lambda _: self.call_later(take))

    def _stop_answer(self) -> bool:
        """Stop a command that has not answered yet, and return whether there was one."""
        answer, self._answer = self._answer, None
        if answer is not None:
            self._shell.stop()
        return answer is not None

    async def _take_output(self, line: ShellLine, output: Output, current: int | None) -> None:
        """Show the answer of a command, and the game that it started or opened."""
        opened = self.table.opened
        if output.code and opened.has_changed():
            raise await asyncio.to_thread(self.table.moved_on, moved_on_error().message)
        if output.code == UsageError.exit_code and line.asks_again:
            raise self.table.ask_again()
        if output.code:
            raise NotAllowed(value_message(output.notes))
        self.table.line.clear()
        now = opened.store.current_or_none()
        numbers = opened.store.numbers()
        if not numbers:
            self.request_form("new")
        elif opened.number not in numbers:
            self._open(max(numbers))
        elif now is not None and now not in (current, opened.number):
            self.begin(Table(opened.store, self._screen_kind, str(now)))
        elif opened.has_changed():
            await asyncio.to_thread(opened.read)
            self.table.coach.forget(opened.events)
        answer = Text.from_ansi(output.answer.rstrip())
        lines = [*replace(output, answer=answer.plain).lines]
        if self.table.opened is not opened:  # the new table says whose turn it is
            lines = [*(lines if line.command == "delete" else ()), self.table.message.text]
        if len(lines) > _MOST_LINES:
            lines, self.panel = [], panels.plain_panel(lambda _: answer)
        self.table.message.say("; ".join(filter(None, (*lines, output.notes))))

    def advise(self) -> None:
        turn, rules = self.table.view.turn, self.table.opened.game.rules
        if not turn.has_hand:
            raise UsageError("advice needs a whole hand", "type all dice on the table, and the throw")
        self.think("advice", dice="".join(map(str, turn.hand)), throw=turn.roll or rules.throws)

    def clear(self) -> None:
        self.table.line.clear()
        self.table.message.say("")

    def type_letter(self, letter: str) -> None:
        self.table.line.clear()
        self.table.line.press(letter)

    def open_panel(self, panel_of: Callable[[OpenGame], Panel]) -> None:
        self.panel = panel_of(self.table.opened)

    async def show_ledger(self) -> None:
        self.panel = await asyncio.to_thread(panels.ledger, self.table.opened)

    def leave(self, code: int = 0) -> None:
        self.post_message(LeaveTable(code))

    def train(self) -> None:
        check_installed("training")
        self.post_message(TrainingRequested())

    def think(self, about: Subject, **hand: Any) -> None:
        """Compute something in a separate process. The next key cancels it."""
        self.table.message.say(translated(WORKING))
        self._work("thinking", self._question(about, **hand), self._take_thought)

    def _work(self, group: _Group, question: Question, take: Callable[[Reply], None] | None) -> None:
        """Start a computation in place of the group's previous one; without `take`, ignore the replies.

        Replies are handled between keys, because a key may be saving in a thread.
        """

        def take_if_wanted(reply: Reply) -> None:
            if self._workers.get(group) is worker:
                if isinstance(reply, Completed | Refusal):
                    del self._workers[group]
                if take is not None:
                    take(reply)
                    self.repaint()

        self._drop(group)

        def take_later(reply: Reply) -> None:
            self._loop.call_soon_threadsafe(self.call_later, take_if_wanted, reply)

        worker = self._workers[group] = Worker(question, take_later)

    def _drop(self, group: _Group) -> bool:
        worker = self._workers.pop(group, None)
        if worker is not None:
            worker.end()
        return worker is not None

    def _question(self, about: Subject, **hand: Any) -> Question:
        width, height = self.size
        return Question(
            about=about,
            directory=str(self.table.opened.store.folder.directory),
            game=self.table.opened.number,
            screen=replace(self._screen_kind, width=width, height=height),
            **hand,
        )

    def _take_thought(self, reply: Reply) -> None:
        match reply:
            case Progress(percent=percent):
                self.table.message.say(translated(progress(percent)))
            case Completed(text=drawn):
                text = Text.from_ansi(drawn)
                self.table.message.say("")
                self.panel = panels.plain_panel(lambda _: text)
            case Refusal(reason=reason):
                self.table.message.refuse(NotAllowed(value_message(reason)))
                self.app.bell()
            case HandAdvice():
                raise AssertionError("only the coach is asked about hands")

    def _consult(self) -> None:
        table, coach = self.table, self.table.coach
        if self._coached is not None and not (coach.is_on and self._coached is table):
            self._drop("coach")
            self._coached = None
        if coach.is_on and self._coached is None:
            coach.begin()
            self._coached = table
            self._work("coach", self._question("coach"), partial(self._take_advice, coach))
        for asked in table.hands:
            if coach.wants(asked) and (worker := self._workers.get("coach")):
                worker.ask(asked)

    def _take_advice(self, coach: Coach, reply: Reply) -> None:
        match reply:
            case Progress(percent=percent):
                coach.state = progress(percent)
            case HandAdvice(hand=hand, choices=choices):
                coach.state = WORKING
                coach.set_choices(hand, choices)
            case Refusal(reason=reason):
                coach.state = safe(reason)
            case Completed():
                raise AssertionError("the coach replies to hands")

    def _work_ahead(self) -> None:
        if not (self.table.opened.game.is_over or self._workers):
            self._work("ahead", self._question("worths"), take=None)

    def _follow_chances(self) -> None:
        opened = self.table.opened
        if self.size.width >= WIDE and (events := opened.ask_chances()) is not None:
            self._work("chances", self._question("chances"), partial(self._take_chances, opened, events))

    def _take_chances(self, opened: OpenGame, events: int, reply: Reply) -> None:
        if isinstance(reply, Completed):
            found = msgspec.json.decode(reply.text, type=_Chances).odds
            opened.set_chances(events, {each.team or each.player: each.wins for each in found})
        elif isinstance(reply, Refusal):  # `o` says why
            opened.set_chances(events, None)

    def begin(self, table: Table) -> None:
        table.coach.when = self.table.coach.when
        self.table, self.panel = table, None
        table.opened.when_waiting(self._tell_waiting)
        table.introduce()
        self._follow_chances()
        self._drop("ahead")
        self.set_timer(_SETTLED, self._work_ahead)
        self.repaint()

    def _tell_waiting(self) -> None:
        self._loop.call_soon_threadsafe(self._show_waiting)

    def _show_waiting(self) -> None:
        self.table.message.say(translate("waiting for another generala to finish writing"))
        self.repaint()
        self.screen.refresh()  # this widget is busy until the key is handled

    def show_message(self, message: str | None) -> None:
        if message:
            self.table.message.say(message)
        self.repaint()

    def _open(self, number: int) -> None:
        table = Table(self.table.opened.store, self._screen_kind, str(number))
        keeping.use(table.opened.store, str(number))
        self.begin(table)

    def rematch(self) -> None:
        """Start a rematch. If players left, ask first who is back."""
        store, game = self.table.opened.store, self.table.opened.game
        if not game.is_over:
            raise not_over_error()
        if game.left:
            self.request_form("rematch")
            return
        started = starting.rematch(store, None)
        self.begin(Table(store, self._screen_kind, str(started.stored.number)))
        self.show_message(start_sentence(started))

    async def _poll(self) -> None:
        if self.table.opened.has_changed():
            await self.attempt(partial(asyncio.to_thread, self.table.reload))
            if not self.table.view.is_empty:  # a typing player looks at the dice, not at the screen
                self.app.bell()


async def handled(widget: Widget) -> None:
    """Wait until a widget has handled the keys that it was sent."""
    done = asyncio.Event()
    widget.call_later(done.set)
    await done.wait()
