from collections.abc import Callable, Mapping
from typing import TypeVar

from msgspec.structs import replace

from generala_cli.errors import FileError
from generala_cli.game.game import Game
from generala_cli.render.hints import SCREEN, full_message
from generala_cli.render.language import translate, translated
from generala_cli.store.store import Store
from generala_cli.store.subjects import of_game

Result = TypeVar("Result")


class OpenGame:
    """A game in play as last read, and changes to it. Its store has it selected, whichever is current."""

    def __init__(self, store: Store, reference: str | None, warn: Callable[[str], None]) -> None:
        self._warn_table = warn
        self.number = store.find(reference)
        self.store = replace(store, named=str(self.number), warn=self._warn)
        self._chances: tuple[int, Mapping[str, float] | None] = (-1, {})
        self._stamp = self.store.stamp(self.number)
        self.stored = self.store.open(None)

    @property
    def game(self) -> Game:
        return self.stored.game

    @property
    def events(self) -> int:
        return len(self.stored.file.events)

    @property
    def player(self) -> str:
        """The player to move, or the first player if the game is over."""
        return self.game.to_move or self.game.seats[0]

    def when_waiting(self, tell: Callable[[], None]) -> None:
        """Set a callback for when saving has to wait for another command; a worker thread calls it."""
        self.store = replace(self.store, on_wait=tell)

    def has_changed(self) -> bool:
        return self._stamp != self.store.stamp(self.number)

    def read(self) -> None:
        self._stamp = self.store.stamp(self.number)
        self.stored = self.store.load(self.number)

    def change(self, act: Callable[[Store], Result]) -> Result:
        """Change the game and read it again. GameMovedOn, and no change, if it is out of date."""
        result = act(replace(self.store, seen=self.events))
        self.read()
        return result

    @property
    def chances(self) -> Mapping[str, float] | None:
        """Each contender's chance to win; empty until computed, None if that is impossible."""
        events, chances = self._chances
        return chances if events == self.events or chances is None else {}

    def ask_chances(self) -> int | None:
        """Return the number of events to compute chances for; None if that is not needed."""
        if self.game.is_over or self.chances is None or self._chances[0] == self.events:
            return None
        self._chances = (self.events, {})
        return self.events

    def set_chances(self, events: int, chances: Mapping[str, float] | None) -> None:
        self._chances = (events, chances)

    def _warn(self, warning: FileError) -> None:
        if self.store.copies(of_game(self.number)):
            self._warn_table(translate("it also went on elsewhere: c compares"))
        else:
            self._warn_table(translated(full_message(warning, SCREEN)))
