"""A game's file: encoding and decoding. The classes here and the event classes are its format."""

import re
import zlib
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cached_property
from itertools import takewhile
from typing import Annotated, ClassVar, Self, cast

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from generala_cli.file_versions import since
from generala_cli.game.events import (
    Action,
    Agreed,
    Chosen,
    Entry,
    Event,
    Id,
    Labelled,
    Redone,
    Reseated,
    Scored,
    Scratched,
    Undone,
)
from generala_cli.game.game import Game, GamePointsAndTie
from generala_cli.game.history import History, replay
from generala_cli.game.standings import recorded_winners
from generala_cli.messages import lazy
from generala_cli.store.logfile import LogFile
from generala_cli.store.sealing import (
    Moment,
    NumberedEvent,
    Unreadable,
    check_moment,
    is_sealed,
    reason,
)
from generala_cli.store.subjects import GAME

GameNumber = Annotated[int, Meta(ge=1, le=999_999_999)]
MachineName = Annotated[str, Meta(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]
PAD_OF = "pad of "
KEEPERS_PAD = f"{PAD_OF}keeper"


class Recorded(NumberedEvent, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An event, its number in the game (from 1), and the time and machine on which it was entered."""

    by: MachineName | UnsetType = UNSET
    event: Event


class Result(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The result of all events, so that lists need not replay every game; totals are in seat order.

    `game_points` are each player's game points and number of boxes with points in the category `tie`.
    """

    totals: dict[str, int]
    winners: tuple[str, ...]
    next: str | None
    game_points: Annotated[dict[str, GamePointsAndTie], since(5)] | UnsetType = UNSET


class GameFile(LogFile, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game's file; `id` identifies the game on all machines, `game` is its number on this one."""

    kind: ClassVar = GAME
    id: Id
    game: GameNumber
    started: Moment
    result: Result
    agreed: Agreed
    events: tuple[Recorded, ...] = ()

    def __post_init__(self) -> None:
        check_moment(self.started)

    @property
    def number(self) -> int:
        return self.game

    @property
    def last(self) -> datetime:
        return super().last or self.started

    @cached_property
    def history(self) -> History:
        """The history, with every event validated; raises Unreadable or ImpossibleEvent."""
        try:
            return replay(self.agreed, [recorded.event for recorded in self.events])
        except (ValueError, LookupError, TypeError, ArithmeticError, MemoryError) as error:
            raise Unreadable(lazy("its rules are invalid ({reason})", reason=reason(error))) from error

    def judged(self) -> Self:
        result = result_of(self.history.game)
        return self if self.result == result else replace(self, result=result)

    @property
    def label(self) -> str:
        """The current label, or "". Events are not validated."""
        if not any(type(recorded.event) is Labelled for recorded in self.events):
            return self.agreed.label
        given = [event.label for event in self._standing if isinstance(event, Labelled)]
        return given[-1] if given else self.agreed.label

    @property
    def has_result(self) -> bool:
        return self.result.next is None and (
            any(self.result.totals.values()) or any(type(event) in _ENTRIES for event in self._standing)
        )

    @property
    def is_unplayed(self) -> bool:
        """Whether nothing happened at the table: nothing was entered or changed, even if it was undone."""
        return all(isinstance(recorded.event, Reseated) for recorded in self.events)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was entered or changed, or all of it was undone."""
        return not self._standing

    @property
    def seatings(self) -> tuple[tuple[str, ...], ...]:
        """The players at the start, and after each move at a tournament."""
        moves = (each.event.players for each in self.events if isinstance(each.event, Reseated))
        return self.agreed.players, *moves

    @property
    def winners(self) -> tuple[str, ...]:
        return self.result.winners if self.has_result else ()

    @property
    def _standing(self) -> Sequence[Action]:
        """The actions that were not undone. Events are not validated, so they may be impossible."""
        done: list[Action] = []
        undone: list[Action] = []
        for recorded in self.events:
            match recorded.event:
                case Undone():
                    undone += done[-1:]
                    del done[-1:]
                case Redone():
                    done += undone[-1:]
                    del undone[-1:]
                case Chosen() | Reseated():
                    pass
                case event:
                    done.append(event)
                    undone.clear()
        return done

    def with_events(
        self, events: Iterable[Event], at: datetime, by: str | UnsetType, game: Game
    ) -> "GameFile":
        numbered = enumerate(events, len(self.events) + 1)
        added = (Recorded(n=n, at=at, by=by, event=event) for n, event in numbered)
        return replace(self, events=(*self.events, *added), result=result_of(game))

    def until(self, time: datetime) -> "GameFile":
        if self.last <= time:
            return self
        entered = tuple(takewhile(lambda recorded: recorded.at <= time, self.events))
        game = RecordedGame(file=replace(self, events=entered)).history.game
        return replace(self, events=entered, result=result_of(game))


_decode_events = msgspec.json.Decoder(tuple[Recorded, ...]).decode
_FAST = 1  # a higher compression level saves little and takes longer


class PackedGame(Struct, frozen=True, kw_only=True):
    """A game with compressed events, of which ten thousand fit into memory."""

    head: GameFile
    last: datetime
    events: bytes

    @classmethod
    def of(cls, file: GameFile) -> "PackedGame":
        events = zlib.compress(msgspec.json.encode(file.events), _FAST)
        return cls(head=replace(file, events=()), last=file.last, events=events)

    @property
    def file(self) -> GameFile:
        return replace(self.head, events=_decode_events(zlib.decompress(self.events)))


_ENTRIES = {Scored, Scratched}


class RecordedGame(Struct, frozen=True, kw_only=True, dict=True):
    """A game as read from its file, for work on many games. Its events are replayed only on demand."""

    file: GameFile
    judged: History | None = None  # None while the seal is trusted (see `store.NONSENSE`)

    @property
    def is_over(self) -> bool:
        return self.file.result.next is None

    @cached_property
    def is_plain(self) -> bool:
        return {type(recorded.event) for recorded in self.file.events} <= _ENTRIES

    @cached_property
    def history(self) -> History:
        if self.judged is not None:
            return self.judged
        history = History(self.file.agreed)
        for recorded in self.file.events:
            history.add(recorded.event)
        return history

    @property
    def agreed(self) -> Agreed:
        return self.file.agreed if self.is_plain else self.history.game.agreed

    @cached_property
    def all_entries(self) -> Sequence[Entry]:
        """Every entry ever made, including undone ones, as it was made."""
        events = [recorded.event for recorded in self.file.events]
        entries = events if self.is_plain else [event for event in events if type(event) in _ENTRIES]
        return cast("Sequence[Entry]", entries)

    @property
    def entries(self) -> Sequence[Entry]:
        """The entries that stand, after amendments, under current names."""
        return self.all_entries if self.is_plain else self.history.game.entries


def result_of(game: Game) -> Result:
    totals = {player: game.total(player) for player in game.seats}
    points = dict(game.game_points) or UNSET
    return Result(totals=totals, winners=recorded_winners(game), next=game.to_move, game_points=points)


def id_in(data: bytes) -> str | None:
    """Return the id of the game in these bytes; only their beginning must be intact."""
    found = re.search(rb'"id":"([0-9a-f]{32})"', data[:1000])  # quotes in a JSON text are escaped
    return None if found is None else found[1].decode()


def sealed(data: bytes) -> GameFile | None:
    """Return a game's content without validating events; None if the seal is invalid."""
    if not is_sealed(data):
        return None
    try:
        return GameFile.decode(data)
    except Unreadable:
        return None
