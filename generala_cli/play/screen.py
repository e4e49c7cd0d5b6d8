"""The table as a Textual widget, which paints lines, takes keys and taps, and looks for changes."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace
from rich.segment import Segment
from rich.text import Text
from textual import events
from textual.geometry import Offset, Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.worker import Worker, WorkerError

from generala_cli.errors import GeneralaError, Mistyped, NotAllowed
from generala_cli.games import keeping, starting
from generala_cli.play import panels
from generala_cli.play.coaching import WORKING, HandOnTable, State, progress
from generala_cli.play.layout import WIDE, Layout
from generala_cli.play.panels import Panel
from generala_cli.play.table import Table
from generala_cli.play.taps import BoxTap, DieTap, ItemTap, KeyTap, find_tap
from generala_cli.play.thinking import HandAdvice, Question, Subject, ask, consult
from generala_cli.render.hints import SCREEN, told
from generala_cli.render.language import said, say
from generala_cli.render.screen import Screen
from generala_cli.text import safe

LOOKS_EVERY = 0.1
"""Seconds between two looks for changes by other shells."""


_THINKING, _CHANCES, _COACH = "thinking", "chances", "coach"
_END = 1_000_000
"""More lines than any panel has."""


class LeaveTable(Message):
    """Someone leaves the table, with this exit code."""

    def __init__(self, code: int) -> None:
        super().__init__()
        self.code = code


class FormRequested(Message):
    """A form is to be filled in: for a new game, or to correct the entry of a turn."""

    def __init__(self, turn: int | None = None) -> None:
        super().__init__()
        self.turn = turn


class TableView(Widget, can_focus=True):
    """The whole screen of a game."""

    ALLOW_SELECT = False
    DEFAULT_CSS = "TableView { width: 1fr; height: 1fr; }"

    def __init__(self, table: Table, screen: Screen) -> None:
        super().__init__()
        self.table = table
        self.panel: Panel | None = None
        self._screen_kind = screen
        self._layout = Layout()
        self._lines: list[list[Segment]] = []
        self._coached: tuple[Table, Worker[None]] | None = None
        self._hands: asyncio.Queue[HandOnTable] = asyncio.Queue()
        self._beside: list[Worker[None]] = []  # each has a process that must be gone before the screen is

    def on_mount(self) -> None:
        """Take the keys, and begin to look for changes."""
        self.focus()
        self._loop = asyncio.get_running_loop()
        self.table.when_waiting(self._tell_waiting)
        self.set_interval(LOOKS_EVERY, self._look)
        self.call_after_refresh(self._consult)

    async def on_unmount(self) -> None:
        """End the processes beside."""
        for worker in self._beside:
            worker.cancel()
            with suppress(WorkerError):
                await worker.wait()

    def on_resize(self) -> None:
        """Draw everything anew."""
        self._lines = []
        self._follow_chances()
        self.repaint()

    async def on_key(self, event: events.Key) -> None:
        """Do what the key says; what cannot be rings the bell and says why."""
        event.stop()
        event.prevent_default()
        await self._take_key(event.key, event.character or "")

    async def _take_key(self, key: str, character: str) -> None:
        if self.workers.cancel_group(self, _THINKING):
            self.table.say("")
        await self.attempt(partial(self._press, key, character))

    async def on_paste(self, event: events.Paste) -> None:
        """Type a line that was pasted; Enter is left to the player."""
        event.stop()
        await self.attempt(partial(self.table.paste, event.text))

    async def on_click(self, event: events.Click) -> None:
        """Press the key that was tapped, keep the die or mark the box; enter the hand in a marked one."""
        line = self._lines[event.y] if event.y < len(self._lines) else []
        match find_tap(line, event.x):
            case KeyTap(key):
                await self._take_key(key, " " if key == "space" else key if len(key) == 1 else "")
            case DieTap(place):
                await self.attempt(partial(self.table.tap_die, place))
            case ItemTap(number) if self.panel is not None and self.panel.chosen == number:
                await self._take_key("enter", "")
            case ItemTap(number) if self.panel is not None:
                self.panel = replace(self.panel, chosen=number)
                self.repaint()
            case BoxTap(category) if self.table.is_marked(category):
                await self._take_key("enter", "")
            case BoxTap(category):
                await self.attempt(partial(self.table.choose, category))
            case _:
                pass

    async def attempt(self, act: Callable[[], object]) -> None:
        """Do something, and show its result or its refusal."""
        try:
            found = act()
            if asyncio.iscoroutine(found):
                await found
        except GeneralaError as error:
            self.table.refuse(error)
            self.app.bell()
        self._consult()
        self._follow_chances()
        self.repaint()

    def repaint(self) -> None:
        """Paint the lines that changed."""
        width, height = self.size
        if not width or not height:
            return
        drawn = self._layout.draw(
            self.table, self.panel, replace(self._screen_kind, width=width, height=height)
        )
        before, self._lines = self._lines, [list(line) for line in drawn.lines]
        if self.panel is not None:
            self.panel = replace(self.panel, top=drawn.top)
        self.app.cursor_position = Offset(*drawn.cursor)
        if len(before) != len(self._lines):
            self.refresh()
            return
        pairs = enumerate(zip(before, self._lines, strict=True))
        self.refresh(*(Region(0, place, width, 1) for place, (old, new) in pairs if old != new))

    @property
    def shown(self) -> list[str]:
        """The text of the lines that are painted."""
        return [panels.text_of(line).rstrip() for line in self._lines]

    def render_line(self, y: int) -> Strip:
        """Return one line as Textual wants it."""
        line = self._lines[y] if y < len(self._lines) else []
        return Strip(line).adjust_cell_length(self.size.width)

    async def _press(self, key: str, character: str) -> None:
        if self.panel is not None and key not in _LEAVING_KEYS and self._moves_in_panel(key):
            return
        if command := _KEYS.get(key):
            await self._run(command)
        elif not (character and character.isprintable()):
            raise Mistyped("{key} does nothing here", "? shows all keys", key=key)
        elif not self.table.text.strip() and not character.isdecimal() and character != " ":
            if character.lower() not in _COMMANDS:
                raise Mistyped("{key} is no key here", "? shows all keys", key=safe(character))
            await self._run(_COMMANDS[character.lower()])
        else:
            self.table.press(character)

    async def _run(self, command: "Command") -> None:
        found = command(self)
        if asyncio.iscoroutine(found):
            await found

    def _moves_in_panel(self, key: str) -> bool:
        """Whether the key was for the panel; every other key closes it and counts."""
        assert self.panel is not None
        moves = {"down": 1, "up": -1, "space": 10, "pagedown": 10, "pageup": -10, "end": _END, "home": -_END}
        if key in moves:
            self.panel = self.panel.moved(moves[key])
            return True
        if self.panel.picks == "take" and key.isdecimal() and int(key) in self.panel.numbers:
            self.panel = replace(self.panel, chosen=int(key))
            return True
        panel, self.panel = self.panel, None
        if key == "enter" and panel.chosen is not None:
            self._pick(panel, panel.chosen)
        return key in ("enter", "escape", "q", "backspace")

    def _pick(self, panel: Panel, number: int) -> None:
        """Correct the entry, open the game or take the version that is marked."""
        if panel.picks == "correct":
            self.post_message(FormRequested(number))
        elif panel.picks == "open":
            self._open(number)
        elif panel.picks == "take":
            self.table.take(panel.names[panel.numbers.index(number)])

    async def enter(self) -> None:
        """Write what is typed; after `a`, ask for advice about it, and the line is empty again."""
        if self.table.asks_for_advice:
            self.advise()
            self.table.clear()
        else:
            await asyncio.to_thread(self.table.enter)

    def advise(self) -> None:
        """Have the dice on the line advised on."""
        turn = self.table.turn
        if not turn.has_hand:
            raise Mistyped("advice is about a whole hand", "type the dice that lie there, and the throw")
        self.think(
            "advice", dice="".join(map(str, turn.hand)), throw=turn.roll or self.table.game.rules.throws
        )

    def clear(self) -> None:
        """An empty line, and nothing said."""
        self.table.clear()
        self.table.say("")

    async def undo(self) -> None:
        """Take the last entry back."""
        await asyncio.to_thread(self.table.undo)

    async def redo(self) -> None:
        """Put it back."""
        await asyncio.to_thread(self.table.redo)

    def look(self, at: Callable[[Table], Panel]) -> None:
        """Lay something over the sheet."""
        self.panel = at(self.table)

    async def show_ledger(self) -> None:
        """Lay the ledger over the sheet; it reads every game."""
        self.panel = await asyncio.to_thread(panels.ledger, self.table)

    def leave(self, code: int = 0) -> None:
        """Leave the table."""
        self.post_message(LeaveTable(code))

    def want_game(self) -> None:
        """Ask for the form for another game."""
        self.post_message(FormRequested())

    def think(self, about: Subject, **hand: Any) -> None:
        """Have something worked out in another process; the next key drops it."""
        self.table.say(said(WORKING))
        self._run_beside(self._thought(self._question(about, **hand)), _THINKING)

    def _run_beside(self, work: Coroutine[Any, Any, None], group: str) -> Worker[None]:
        """Run work that has a process of its own, in place of what the group did before."""
        worker = self.run_worker(work, group=group, exclusive=True, exit_on_error=False)
        self._beside = [worker, *(each for each in self._beside if not each.is_finished)]
        return worker

    def _question(self, about: Subject, **hand: Any) -> Question:
        width, height = self.size
        return Question(
            about=about,
            directory=str(self.table.store.folder.directory),
            game=self.table.number,
            screen=replace(self._screen_kind, width=width, height=height),
            **hand,
        )

    async def _thought(self, question: Question) -> None:
        def tell(percent: int) -> None:
            self.table.say(said(progress(percent)))
            self.repaint()

        async def found() -> None:
            text = Text.from_ansi(await ask(question, tell))
            self.table.say("")
            self.panel = panels.plain_panel(lambda _: text)

        await self.attempt(found)

    def _consult(self) -> None:
        """Queue the hands on the line for the coach; no key waits for it."""
        table, coach = self.table, self.table.coach
        if self._coached is not None and not (coach.is_on and self._coached[0] is table):
            self._coached[1].cancel()
            self._coached = None
        if coach.is_on and self._coached is None:
            coach.begin()
            self._hands = asyncio.Queue()
            self._coached = table, self._run_beside(self._advised(table), _COACH)
        for asked in table.asked:
            if coach.wants(asked):
                self._hands.put_nowait(asked)

    async def _advised(self, table: Table) -> None:
        """Pass answers on to the coach, between two keys: a key may be saving in a thread."""

        def tell(state: State, found: HandAdvice | None = None) -> None:
            table.coach.state = state
            if found is not None:
                table.coach.learn(found.hand, found.choices)
            self.repaint()

        def report(percent: int) -> None:
            self.call_later(tell, progress(percent))

        def answered(found: HandAdvice) -> None:
            self.call_later(tell, WORKING, found)

        try:
            await consult(self._question("coach"), self._hands, report, answered)
        except GeneralaError as error:
            self.call_later(tell, safe(said(told(error, SCREEN))))

    def _follow_chances(self) -> None:
        """Have the chances to win worked out anew where they are on the screen and the game has changed."""
        if self.size.width >= WIDE and (seen := self.table.ask_chances()) is not None:
            self._run_beside(self._work_out_chances(self.table, seen), _CHANCES)

    async def _work_out_chances(self, table: Table, seen: int) -> None:
        try:
            answer = await ask(self._question("chances"), lambda _: None)
            table.learn_chances(seen, msgspec.json.decode(answer, type=dict[str, float]))
        except GeneralaError:  # `o` says why
            table.learn_chances(seen, None)
        self.repaint()

    def change_coach(self) -> None:
        """Have the coach speak at another time, or not at all."""
        self.table.change_coach()

    def begin(self, table: Table) -> None:
        """Put another game on the table."""
        table.coach.when = self.table.coach.when
        self.table, self.panel = table, None
        table.when_waiting(self._tell_waiting)
        table.introduce()
        self._follow_chances()
        self.repaint()

    def _tell_waiting(self) -> None:
        """Called by a thread that saves, while the keys wait for it."""
        self._loop.call_soon_threadsafe(self._show_waiting)

    def _show_waiting(self) -> None:
        self.table.say(say("waiting for another generala that is writing"))
        self.repaint()
        self.screen.refresh()  # this widget is busy until the key is done

    def show_message(self, message: str | None) -> None:
        """Show what came of a form."""
        if message:
            self.table.say(message)
        self.repaint()

    def _open(self, number: int) -> None:
        """Open another game and make it current."""
        table = Table(self.table.store, self._screen_kind, str(number))
        keeping.use(table.store, str(number))
        self.begin(table)

    def rematch(self) -> None:
        """Begin another game with these players, rules and stakes."""
        if not self.table.game.is_over:
            raise NotAllowed("the game is not over", "n starts another one")
        begun = starting.rematch(self.table.store, None)
        self.begin(Table(self.table.store, self._screen_kind, str(begun.stored.number)))

    async def _look(self) -> None:
        """Read the game again where another shell changed it."""
        if self.table.has_changed():
            await self.attempt(partial(asyncio.to_thread, self.table.look_again))
            if self.table.text.strip():  # who is typing looks at the dice
                self.app.bell()


Command = Callable[[TableView], object]

_LEAVING_KEYS = ("ctrl+c", "ctrl+z")
_KEYS: Mapping[str, Command] = {
    "enter": TableView.enter,
    "tab": TableView.advise,
    "backspace": lambda view: view.table.take_back(),
    "escape": TableView.clear,
    "ctrl+u": TableView.clear,
    "up": lambda view: view.table.move(-1),
    "down": lambda view: view.table.move(1),
    "ctrl+c": lambda view: view.leave(130),
    "ctrl+z": lambda view: view.app.action_suspend_process(),
}
_COMMANDS: Mapping[str, Command] = {
    "x": lambda view: view.table.press("x"),
    "a": lambda view: view.table.press("a"),
    "u": TableView.undo,
    "r": TableView.redo,
    "s": lambda view: view.look(panels.sheet),
    "l": lambda view: view.look(panels.log),
    "e": lambda view: view.look(panels.log),
    "p": lambda view: view.look(panels.places),
    "b": TableView.show_ledger,
    "g": lambda view: view.look(panels.games),
    "c": lambda view: view.look(panels.versions),
    "k": TableView.change_coach,
    "?": lambda view: view.look(panels.keys),
    "o": lambda view: view.think("odds"),
    "v": lambda view: view.think("review"),
    "n": TableView.want_game,
    "m": TableView.rematch,
    "q": TableView.leave,
}
"""The letters that do something on an empty line."""
