"""What happened at a table, and what of it can be undone and redone."""

from collections.abc import Iterable
from typing import assert_never

from generala_cli.facts import Fact
from generala_cli.game.events import (
    Action,
    Amended,
    Entry,
    Event,
    GameStarted,
    Redone,
    Scored,
    Scratched,
    Undone,
)
from generala_cli.game.game import Game, entry_of
from generala_cli.game.ledger import Ledger, after_entries


class Step(Fact):
    """An action with its event number.

    Attributes:
        turn: that it wrote or corrected. replaced: the entry that stood there before a correction.
    """

    number: int
    action: Action
    turn: int
    replaced: Entry | None

    @property
    def entry(self) -> Entry:
        """The entry that the action wrote."""
        return entry_of(self.action)


class History:
    """A game together with what can be undone and redone. Grows by `add` and `follow`.

    Attributes:
        length: how many events it has seen, GameStarted among them.
        done: the actions that stand, oldest first. undone: what can be redone, next one last.
    """

    def __init__(self, game: Game) -> None:
        self.length = 1
        self.done: list[Step] = []
        self.undone: list[Step] = []
        self._ledger = Ledger(game)
        self._shown: list[Step] = []  # the steps in the ledger; `done` may have moved on
        self._game: Game | None = game

    @property
    def game(self) -> Game:
        """As it stands."""
        if self._game is None:
            self._catch_up()
            self._game = self._ledger.game()
        return self._game

    def add(self, event: Event) -> None:
        """One more fact. An action forgets what was undone; Undone and Redone move the last step."""
        self.length += 1
        self._game = None
        match event:
            case Undone():
                self.undone.append(self.done.pop())
            case Redone():
                self.done.append(self.undone.pop())
            case Scored() | Scratched() | Amended():
                self._act(event, self.length)
            case GameStarted():
                raise ValueError("a game starts once")
            case _:
                assert_never(event)

    def follow(self, events: Iterable[Event]) -> None:
        """Add facts for as long as they are plainly what could happen next.

        The one after them is for `decisions` to judge: it may be possible or not.
        """
        done, undone, number = self.done, self.undone, self.length + 1
        for event in events:
            if isinstance(event, Undone):
                if not done or done[-1].number != event.number:
                    break
                undone.append(done.pop())
            elif isinstance(event, Redone):
                if not undone or undone[-1].number != event.number:
                    break
                done.append(undone.pop())
            elif isinstance(event, Amended | GameStarted) or not self._allows(event):
                break
            else:
                self._act(event, number)
            number += 1
        self.length, self._game = number - 1, None

    def _allows(self, entry: Entry) -> bool:
        self._catch_up()
        return self._ledger.allows(entry)

    def _act(self, action: Action, number: int) -> None:
        self._catch_up()
        turn = action.turn if isinstance(action, Amended) else len(self._ledger.entries) + 1
        replaced = self._ledger.entries[turn - 1] if isinstance(action, Amended) else None
        self.done.append(Step(number=number, action=action, turn=turn, replaced=replaced))
        self.undone.clear()

    def _catch_up(self) -> None:
        """Bring the ledger to `done`, after whatever was undone and redone meanwhile.

        A step is put on one pile of others only, and comes back on the same one; so where the top of the
        two piles is the same step, so is all below it.
        """
        shown, done = self._shown, self.done
        while shown and (len(shown) > len(done) or shown[-1] is not done[len(shown) - 1]):
            self._hide(shown.pop())
        for step in done[len(shown) :]:
            self._show(step)
            shown.append(step)

    def _show(self, step: Step) -> None:
        if step.replaced is None:
            self._ledger.enter(step.entry)
        else:
            self._put(step.turn, step.entry)

    def _hide(self, step: Step) -> None:
        if step.replaced is None:
            self._ledger.take_back()
        else:
            self._put(step.turn, step.replaced)

    def _put(self, turn: int, entry: Entry) -> None:
        entries = self._ledger.entries
        changed = (*entries[: turn - 1], entry, *entries[turn:])
        self._ledger = Ledger(after_entries(self._ledger.started, changed))
