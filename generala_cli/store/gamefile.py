"""A game's file: bytes to record and back. The classes here, and those of the events, are its format.

The first line holds everything but the events, which follow one a line. A file is ours when what is read
from it encodes back to the very same bytes: repeated keys, other spacing, a changed digit all show as that.
A CRC-32 over all bytes but its own digits is against accidents, not cheats.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Literal
from zlib import crc32

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from generala_cli.game.events import Agreed, Event, Number
from generala_cli.game.game import Game
from generala_cli.game.history import History, replay
from generala_cli.game.standings import winners

FORMAT = 3
_BLANK = b'{"format":3,"checksum":"'
"""What stands before the digits of the checksum."""

GameNumber = Annotated[int, Meta(ge=1, le=999_999_999)]
Moment = Annotated[datetime, Meta(tz=True)]
"""When something was entered, in UTC, to the second."""


class Unreadable(Exception):
    """The bytes are not a game of this format; the text says why."""


class Newer(Unreadable):
    """The bytes are of a later format than this program knows."""


class Unsealed(Unreadable):
    """The bytes are a game in every way, but not as this program writes them: edited by hand, it may be.

    Attributes:
        file: what they hold, with the result that follows from its events.
    """

    def __init__(self, file: "GameFile") -> None:
        super().__init__("its checksum or its layout is not what this program wrote")
        self.file = file


class Recorded(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An event, its number in the game (from 1) and when it was entered."""

    n: Number
    at: Moment
    event: Event

    def __post_init__(self) -> None:
        check_moment(self.at)


class Result(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the events come to, for lists, which would otherwise replay every game there is.

    Attributes:
        totals: of each player, in seat order. winners: of a game that is over.
        next: whose turn it is; None when the game is over.
    """

    totals: dict[str, int]
    winners: tuple[str, ...]
    next: str | None


class GameFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One game's file. Events are only ever added.

    Attributes:
        id: random, made when the game is: what tells games apart when two machines meet.
        game: its number, which is what the players call it. started: when.
    """

    format: Literal[3] = 3
    checksum: Annotated[str, Meta(pattern="^[0-9a-f]{8}$")] | Literal[""] = ""
    id: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    game: GameNumber
    started: Moment
    result: Result
    agreed: Agreed
    events: tuple[Recorded, ...] = ()

    def __post_init__(self) -> None:
        check_moment(self.started)

    @property
    def last(self) -> datetime:
        """When something was entered last."""
        return self.events[-1].at if self.events else self.started

    def with_events(self, events: Iterable[Event], at: datetime, game: Game) -> "GameFile":
        """The file with more events, all entered at the same time, and what they come to."""
        added = (Recorded(n=n, at=at, event=event) for n, event in enumerate(events, len(self.events) + 1))
        return replace(self, events=(*self.events, *added), result=result_of(game))


class GlanceRules(Struct, frozen=True, kw_only=True):
    """Of the rules what a list shows."""

    name: str


class GlanceAgreed(Struct, frozen=True, kw_only=True):
    """Of what was agreed what a list shows."""

    label: str
    rules: GlanceRules


class Glance(Struct, frozen=True, kw_only=True):
    """What the first line of a game's file tells a list of games."""

    id: str
    game: int
    started: datetime
    result: Result
    agreed: GlanceAgreed


class _Formatted(Struct):
    """Whatever else a document holds."""

    format: int


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(GameFile).decode
_decode_glance = msgspec.json.Decoder(Glance).decode
_NOT_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def check_moment(at: datetime) -> None:
    """Refuse, by a ValueError, a time that not every reader of the file could show again."""
    if not 1900 <= at.year < 3000:
        raise ValueError(f"{at:%Y-%m-%d} is no day to play on")


def result_of(game: Game) -> Result:
    """What is stored of how a game stands."""
    totals = {player: game.total(player) for player in game.seats}
    return Result(totals=totals, winners=winners(game), next=game.to_move)


def encode(file: GameFile) -> bytes:
    """The bytes of a game's file, sealed."""
    start = _encode(replace(file, checksum="", events=()))
    lines = b",\n".join(map(_encode, file.events))
    blank = start[:-2] + (b"\n" + lines + b"\n" if lines else b"\n") + b"]}\n"
    return blank[: len(_BLANK)] + b"%08x" % crc32(blank) + blank[len(_BLANK) :]


def decode(data: bytes) -> GameFile:
    """The record in the bytes of a game's file, whether they are sealed or not.

    Raises:
        Unreadable: it is no game; what is wrong, and where. Newer: it is of a later format.
    """
    try:
        file = _decode(data)
    except _NOT_JSON as error:
        _refuse_other_formats(data)
        raise Unreadable(str(error) if data.strip() else "it is empty") from error
    if [recorded.n for recorded in file.events] != list(range(1, len(file.events) + 1)):
        raise Unreadable("its events are not numbered in order")
    return file


def read(data: bytes, number: int) -> tuple[GameFile, History]:
    """The record in the file of that game, and the history that it tells, every event decided again.

    Raises:
        Newer, Unreadable: as `decode`, or it is another game's, or its result is another.
        ImpossibleEvent: an event cannot have happened.
        Unsealed: nothing is wrong but that the bytes are not those that this program writes.
    """
    file = decode(data)
    if file.game != number:
        raise Unreadable(f"it holds game {file.game}")
    try:
        history = replay(file.agreed, [recorded.event for recorded in file.events])
    except (ValueError, LookupError, TypeError, ArithmeticError, MemoryError) as error:
        raise Unreadable(f"its rules make no sense ({error})") from error
    if encode(file) != data:
        raise Unsealed(replace(file, result=result_of(history.game)))
    if file.result != result_of(history.game):
        raise Unreadable("its result does not follow from its events")
    return file, history


def is_sealed(data: bytes) -> bool:
    """Whether the checksum fits the bytes."""
    end = len(_BLANK) + 8
    blank = data[: len(_BLANK)] + data[end:]
    return data.startswith(_BLANK) and data[len(_BLANK) : end] == b"%08x" % crc32(blank)


def sealed(data: bytes) -> GameFile | None:
    """All that a game's file holds, by its seal alone; None if the bytes are not plainly ours.

    That its events can have happened is checked wherever the game is used, not here.
    """
    if not is_sealed(data):
        return None
    try:
        return decode(data)
    except Unreadable:
        return None


def glance(data: bytes) -> Glance | None:
    """How a game stands, by its first line alone; None if the bytes are not plainly ours.

    That the result follows from the events is checked wherever the game is used, not here.
    """
    if not is_sealed(data):
        return None
    try:
        return _decode_glance(data[: data.index(b"\n")] + b"]}")
    except (*_NOT_JSON, ValueError):
        return None


def _refuse_other_formats(data: bytes) -> None:
    try:
        found = msgspec.json.decode(data, type=_Formatted).format
    except _NOT_JSON:
        return
    if found > FORMAT:
        raise Newer(f"it is of format {found}, and this program knows format {FORMAT}")
    if found in (1, 2):
        raise Unreadable(f"it is of format {found}")
