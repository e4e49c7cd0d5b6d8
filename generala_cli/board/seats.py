"""The addresses of a board and their rights, and the seats of an evening.

There are addresses for watching, for asking for a seat (shared by everyone), for the keeper, and one for each
pad. They are stored in the data folder, so that phones find the board again after a restart. All except the
address for watching expire after the evening: a later Ana never gets the pad of an earlier Ana.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from hmac import compare_digest
from secrets import token_urlsafe
from threading import Lock
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from generala_cli.errors import FileError, NotAllowed, NotFound
from generala_cli.store.folder import Folder
from generala_cli.store.subjects import BOARD
from generala_cli.text import case_key, safe

_BYTES = 9
"""The size of a token: 72 bits cannot be guessed over a network."""
_MOST_REFUSED = 200
"""How many refused phones to remember, to tell them so."""
ASK_AGAIN_AFTER = 60.0
Token = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{12}$")]
ViewerKind = Literal["watcher", "guest", "asking", "player", "keeper", "gone"]


def _new_token() -> str:
    return token_urlsafe(_BYTES)


class Viewer(Struct, frozen=True):
    """The role of an address, with the name of the player if it has one.

    A `guest` may ask for a seat, and `asking` has done so. A `player` has a pad. A `keeper` may enter hands
    for everyone. `gone` has an expired address. A request for a seat also has the `device`, a cookie, and its
    network `address`; `refused_at` is the time when it was refused.
    """

    kind: ViewerKind
    player: str = ""
    device: str = ""
    address: str = ""
    refused_at: float = 0

    @property
    def may_enter(self) -> bool:
        return self.kind in ("player", "keeper")

    @property
    def is_guest(self) -> bool:
        return self.kind in ("guest", "asking")

    def is_of(self, player: str) -> bool:
        return self.kind == "player" and case_key(player) == case_key(self.player)


class Seat(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A player of this evening with the token of the pad; `has_phone` is set once a phone is let in."""

    name: str
    token: Token
    has_phone: bool = False


class Asking(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A phone that asks for a seat, with a token of its choice. `refused_at` is in seconds since 1970."""

    number: int
    name: str
    token: Token
    device: str = ""
    refused_at: float = 0


class Seats(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The port (0 if never used) and tokens of a board, its seats, and the requests for seats."""

    format: Literal[2] = 2
    port: Annotated[int, Meta(ge=0, lt=65536)] = 0
    host: str = ""
    watch: Token = msgspec.field(default_factory=_new_token)
    guest: Token = msgspec.field(default_factory=_new_token)
    keeper: Token = msgspec.field(default_factory=_new_token)
    seats: tuple[Seat, ...] = ()
    asking: tuple[Asking, ...] = ()
    evening: str = ""
    is_closed: bool = False

    @property
    def waiting(self) -> tuple[Asking, ...]:
        return tuple(each for each in self.asking if not each.refused_at)

    def viewer(self, token: str, *, with_pads: bool) -> Viewer | None:
        """Return the viewer with a token, in the same time for every token."""
        known = [(self.watch, Viewer("watcher"))]
        if with_pads:
            known += [(self.guest, Viewer("guest")), (self.keeper, Viewer("keeper"))]
            known += [(each.token, Viewer("player", each.name)) for each in self.seats]
            known += [
                (each.token, Viewer("asking", each.name, refused_at=each.refused_at)) for each in self.asking
            ]
        given, found = token.encode(), None
        for one, viewer in known:
            if compare_digest(given, one.encode()):
                found = viewer
        return found

    def seat(self, player: str) -> Seat | None:
        return next((each for each in self.seats if case_key(each.name) == case_key(player)), None)

    @property
    def present(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.seats if each.has_phone)

    def with_players(self, players: Iterable[str]) -> "Seats":
        new = [Seat(name=name, token=_new_token()) for name in self.without_seat(players)]
        return replace(self, seats=(*self.seats, *new))

    def without_seat(self, players: Iterable[str]) -> list[str]:
        seated = {case_key(each.name) for each in self.seats}
        return [name for name in players if case_key(name) not in seated]

    def renamed(self, names: Mapping[str, str]) -> "Seats":
        """Rename players from old to new names. They keep their pads."""
        new = {case_key(old): name for old, name in names.items() if old != name}
        renamed = [replace(each, name=new.get(case_key(each.name), each.name)) for each in self.seats]
        taken = {case_key(name) for name in new.values()}
        return replace(
            self,
            seats=tuple(
                now
                for now, before in zip(renamed, self.seats, strict=True)
                if now != before or case_key(now.name) not in taken
            ),
        )

    def asked(self, name: str, token: Token, *, device: str = "", most: int = 30, now: float = 0) -> "Seats":
        """Add a phone that asks to be a player, or change its name. `most` phones may wait.

        A refused phone may ask again after a minute; `now` is in seconds since 1970.
        """
        viewer = self.viewer(token, with_pads=True)
        if viewer is not None and viewer.kind == "player":
            return self
        if viewer is not None and viewer.kind != "asking":
            raise NotAllowed("this phone cannot have a seat")
        if self.is_closed:
            raise NotAllowed("the keeper has closed the door", "ask the keeper to open it")
        before = [each for each in self.asking if each.token == token or (device and each.device == device)]
        if any(each.refused_at and now < each.refused_at + ASK_AGAIN_AFTER for each in before):
            raise NotAllowed("the keeper has just refused your request", "ask again in a minute")
        others = tuple(each for each in self.asking if each not in before)
        if sum(not each.refused_at for each in others) >= most:
            raise NotAllowed(
                "too many phones are asking for a seat", "try again when the keeper has answered them"
            )
        number = max((each.number for each in self.asking), default=0) + 1
        return replace(self, asking=(*others, Asking(number=number, name=name, token=token, device=device)))

    def let_in(self, number: int) -> "Seats":
        """Give a phone the seat that it asks for; another phone with that seat loses it."""
        asking = self._asking(number)
        seat = Seat(name=asking.name, token=asking.token, has_phone=True)
        before = self.seat(asking.name)
        seats = tuple(seat if each is before else each for each in self.seats)
        others = tuple(each for each in self.asking if each is not asking)
        return replace(self, asking=others, seats=seats if before else (*seats, seat))

    def all_let_in(self) -> "Seats":
        """Let everyone in, except phones that ask for the seat of a different phone."""
        now = self
        for asking in self.waiting:
            seat = now.seat(asking.name)
            if seat is None or not seat.has_phone:
                now = now.let_in(asking.number)
        return now

    def turned_away(self, *numbers: int, now: float) -> "Seats":
        gone = [replace(self._asking(number), refused_at=now) for number in numbers]
        staying = [each for each in self.asking if each.number not in numbers]
        refused = [each for each in (*staying, *gone) if each.refused_at][-_MOST_REFUSED:]
        return replace(self, asking=(*(each for each in staying if not each.refused_at), *refused))

    def without_phone(self, player: str) -> "Seats":
        seat = self.seat(player)
        if seat is None:
            raise NotFound("{player} has no seat", player=safe(player))
        new = Seat(name=seat.name, token=_new_token())
        return replace(self, seats=tuple(new if each is seat else each for each in self.seats))

    def _asking(self, number: int) -> Asking:
        for each in self.waiting:
            if each.number == number:
                return each
        raise NotFound("that request for a seat is gone")


class SeatBook:
    """The seats of a board, for many threads. Each change is saved before it takes effect."""

    def __init__(self, folder: Folder, seats: Seats, on_change: Callable[[], None]) -> None:
        self._folder = folder
        self._on_change = on_change
        self._changing = Lock()
        self.now = seats

    def change(self, how: Callable[[Seats], Seats], *, must_be_kept: bool = True) -> Seats:
        """Change, save and return the seats. FileError if saving fails and they `must_be_kept`."""
        with self._changing:
            after = how(self.now)
            if after == self.now:
                return after
            try:
                save(self._folder, after)
            except FileError:
                if must_be_kept:
                    raise
            self.now = after
        self._on_change()
        return after


_decode = msgspec.json.Decoder(Seats).decode


def load(folder: Folder, evening: str) -> Seats:
    """Return the stored addresses, or new ones. On a new evening, only the watching address stays."""
    data = folder.read(BOARD)
    kept = Seats(evening=evening)
    if data is not None:
        with suppress(msgspec.MsgspecError, UnicodeDecodeError):  # otherwise phones have to scan a code again
            kept = _decode(data)
    if kept.evening != evening:
        return Seats(port=kept.port, watch=kept.watch, evening=evening)
    return kept


def watched_at(folder: Folder) -> str:
    """Return the address for watching the latest board, or "" if unknown."""
    with suppress(FileError, msgspec.MsgspecError, UnicodeDecodeError):
        kept = _decode(folder.read(BOARD) or b"")
        return address(kept.host, kept.watch) if kept.host else ""
    return ""


def address(host: str, token: str) -> str:
    return f"http://{host}/{token}/"


def save(folder: Folder, seats: Seats) -> None:
    data = msgspec.json.encode(seats)
    if folder.read(BOARD) == data:
        return
    with folder.writing() as writer:
        writer.replace(BOARD, data, seen=folder.read(BOARD), keep_backup=False)
