"""The table as a Textual widget, which paints lines, takes keys and taps, and looks for changes."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import msgspec
from msgspec.structs import replace
from rich.segment import Segment
from rich.text import Text
from textual import events
from textual.geometry import Offset, Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from generala_cli.advice.answers import Odds
from generala_cli.errors import GeneralaError, NotAllowed, UsageError
from generala_cli.games import keeping, starting
from generala_cli.games.sentences import begun_sentence
from generala_cli.messages import value_message
from generala_cli.play import panels
from generala_cli.play.coaching import WORKING, Coach, progress
from generala_cli.play.keys import COMMANDS, Command
from generala_cli.play.layout import WIDE, Layout
from generala_cli.play.open_game import OpenGame
from generala_cli.play.panels import Panel
from generala_cli.play.table import Table
from generala_cli.play.taps import BoxTap, DieTap, ItemTap, KeyTap, find_tap
from generala_cli.render.language import translate, translated
from generala_cli.render.screen import Screen
from generala_cli.text import safe
from generala_cli.worker import Completed, HandAdvice, Progress, Question, Refusal, Reply, Subject, Worker

POLL_INTERVAL = 0.1
"""Seconds between two looks for changes by other shells."""


_Group = Literal["thinking", "chances", "coach", "ahead"]
"""What may be worked out at the same time, each in a process of its own; `ahead` is what others ask later."""
_SETTLED = 1.0
"""Seconds after which somebody plays here, and did not only look."""
_END = 1_000_000
"""More lines than any panel has."""
_LEAVING_KEYS = ("ctrl+c", "ctrl+z")


class LeaveTable(Message):
    """Someone leaves the table, with this exit code."""

    def __init__(self, code: int) -> None:
        super().__init__()
        self.code = code


class TrainingRequested(Message):
    """The trainer is to have the terminal for a while."""


class FormRequested(Message):
    """A form is requested: a new game, the rematch, the end of the game, or the correction of a turn."""

    def __init__(self, wanted: Literal["new", "rematch", "end"] | int) -> None:
        super().__init__()
        self.wanted = wanted


class TableView(Widget, can_focus=True):
    """The whole screen of a game."""

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

    def on_mount(self) -> None:
        """Take the keys, and begin to look for changes."""
        self.focus()
        self._loop = asyncio.get_running_loop()
        self.table.opened.when_waiting(self._tell_waiting)
        self.set_interval(POLL_INTERVAL, self._poll)
        self.call_after_refresh(self._consult)
        self.set_timer(_SETTLED, self._work_ahead)

    async def on_unmount(self) -> None:
        """End the processes beside."""
        for group in [*self._workers]:
            self._drop(group)

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
        if self._drop("thinking"):
            self.table.message.say("")
        await self.attempt(partial(self._press, key, character))

    async def on_paste(self, event: events.Paste) -> None:
        """Type a line that was pasted; Enter is left to the player."""
        event.stop()
        await self.attempt(partial(self.table.line.paste, event.text))

    async def on_click(self, event: events.Click) -> None:
        """Press the key that was tapped, keep the die or mark the box; enter the hand in a marked one."""
        line = self._lines[event.y] if event.y < len(self._lines) else []
        match find_tap(line, event.x):
            case KeyTap(key):
                await self._take_key(key, " " if key == "space" else key if len(key) == 1 else "")
            case DieTap(place):
                await self.attempt(partial(self.table.line.tap_die, place))
            case ItemTap(number) if self.panel is not None and self.panel.chosen == number:
                await self._take_key("enter", "")
            case ItemTap(number) if self.panel is not None:
                self.panel = replace(self.panel, chosen=number)
                self.repaint()
            case BoxTap(category) if self.table.line.is_marked(category):
                await self._take_key("enter", "")
            case BoxTap(category):
                await self.attempt(partial(self.table.line.choose, category))
            case _:
                pass

    async def attempt(self, act: Callable[[], object]) -> None:
        """Do something, and show its result or its refusal."""
        try:
            found = act()
            if asyncio.iscoroutine(found):
                await found
        except GeneralaError as error:
            self.table.message.refuse(error)
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
        if len(key) > 1 and (command := COMMANDS.get(key)):
            await self._run(command)
        elif not (character and character.isprintable()):
            raise UsageError("{key} does nothing here", "? shows all keys", key=key)
        elif self.table.view.is_empty and not character.isdecimal() and character != " ":
            if character.lower() not in COMMANDS:
                raise UsageError("{key} is no key here", "? shows all keys", key=safe(character))
            await self._run(COMMANDS[character.lower()])
        else:
            self.table.line.press(character)

    async def _run(self, command: Command) -> None:
        found = command(self)
        if asyncio.iscoroutine(found):
            await found

    def _moves_in_panel(self, key: str) -> bool:
        """Return whether the key was for the panel; every other key closes it and counts."""
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
        if self.table.view.asks_for_advice:
            self.advise()
            self.table.line.clear()
        else:
            await asyncio.to_thread(self.table.enter)

    def advise(self) -> None:
        """Have the dice on the line advised on."""
        turn, rules = self.table.view.turn, self.table.opened.game.rules
        if not turn.has_hand:
            raise UsageError("advice is about a whole hand", "type the dice that lie there, and the throw")
        self.think("advice", dice="".join(map(str, turn.hand)), throw=turn.roll or rules.throws)

    def clear(self) -> None:
        """Empty the line, and leave nothing said."""
        self.table.line.clear()
        self.table.message.say("")

    async def undo(self) -> None:
        """Take the last entry back."""
        await asyncio.to_thread(self.table.undo)

    async def redo(self) -> None:
        """Put it back."""
        await asyncio.to_thread(self.table.redo)

    def open_panel(self, panel_of: Callable[[OpenGame], Panel]) -> None:
        """Lay something over the sheet."""
        self.panel = panel_of(self.table.opened)

    async def show_ledger(self) -> None:
        """Lay the ledger over the sheet; it reads every game."""
        self.panel = await asyncio.to_thread(panels.ledger, self.table.opened)

    def leave(self, code: int = 0) -> None:
        self.post_message(LeaveTable(code))

    def train(self) -> None:
        """Ask for the trainer, which is a dialogue of lines."""
        self.post_message(TrainingRequested())

    def want_game(self) -> None:
        """Ask for the form for another game."""
        self.post_message(FormRequested("new"))

    def want_end(self) -> None:
        """Ask for the form that ends the game early."""
        self.post_message(FormRequested("end"))

    def think(self, about: Subject, **hand: Any) -> None:
        """Have something worked out in another process; the next key drops it."""
        self.table.message.say(translated(WORKING))
        self._work("thinking", self._question(about, **hand), self._take_thought)

    def _work(self, group: _Group, question: Question, take: Callable[[Reply], None] | None) -> None:
        """Have a question worked out, in place of what the group did before.

        Each reply is taken between two keys: a key may be saving in a thread. Without `take` nobody waits.
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
        """Drop what is being worked out, if there is anything."""
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
        """Ask the coach about the hands on the line; no key waits for it."""
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
        """Have what every sheet is worth worked out, unless that is asked for already."""
        if not (self.table.opened.game.is_over or self._workers):
            self._work("ahead", self._question("worths"), take=None)

    def _follow_chances(self) -> None:
        """Have the chances to win worked out anew where they are on the screen and the game has changed."""
        opened = self.table.opened
        if self.size.width >= WIDE and (events := opened.ask_chances()) is not None:
            self._work("chances", self._question("chances"), partial(self._take_chances, opened, events))

    def _take_chances(self, opened: OpenGame, events: int, reply: Reply) -> None:
        if isinstance(reply, Completed):
            found = msgspec.json.decode(reply.text, type=Odds).odds
            opened.set_chances(events, {str(each.team or each.player): each.wins for each in found})
        elif isinstance(reply, Refusal):  # `o` says why
            opened.set_chances(events, None)

    def change_coach(self) -> None:
        """Have the coach speak at another time, or not at all."""
        self.table.change_coach()

    def begin(self, table: Table) -> None:
        """Put another game on the table."""
        table.coach.when = self.table.coach.when
        self.table, self.panel = table, None
        table.opened.when_waiting(self._tell_waiting)
        table.introduce()
        self._follow_chances()
        self._drop("ahead")
        self.set_timer(_SETTLED, self._work_ahead)
        self.repaint()

    def _tell_waiting(self) -> None:
        """Show that another command is waited for; a thread that saves calls it, while the keys wait."""
        self._loop.call_soon_threadsafe(self._show_waiting)

    def _show_waiting(self) -> None:
        self.table.message.say(translate("waiting for another generala that is writing"))
        self.repaint()
        self.screen.refresh()  # this widget is busy until the key is done

    def show_message(self, message: str | None) -> None:
        """Show what came of a form."""
        if message:
            self.table.message.say(message)
        self.repaint()

    def _open(self, number: int) -> None:
        """Open another game and make it current."""
        table = Table(self.table.opened.store, self._screen_kind, str(number))
        keeping.use(table.opened.store, str(number))
        self.begin(table)

    def rematch(self) -> None:
        """Begin another game with these players, rules and stakes; ask who is back of those who left."""
        store, game = self.table.opened.store, self.table.opened.game
        if not game.is_over:
            raise NotAllowed("the game is not over", "n starts another one")
        if game.left:
            self.post_message(FormRequested("rematch"))
            return
        begun = starting.rematch(store, None)
        self.begin(Table(store, self._screen_kind, str(begun.stored.number)))
        self.show_message(begun_sentence(begun))

    async def _poll(self) -> None:
        """Read the game again where another shell changed it."""
        if self.table.opened.has_changed():
            await self.attempt(partial(asyncio.to_thread, self.table.reload))
            if not self.table.view.is_empty:  # who is typing looks at the dice
                self.app.bell()
