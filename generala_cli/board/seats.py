"""Who may do what by which address: the tokens of a board, and the seats of an evening.

A board has four kinds of addresses: to watch; to ask for a seat, one for everybody; of the keeper; and of a
pad, which is one phone's or is printed. They are kept in the data folder, so that phones find the board again
after it was started anew. All but the first are good for an evening: a later Ana never gets the pad of an
earlier one.
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
"""Of a token: 72 bits, which nobody guesses over a network."""
_MOST_ASKING = 100
Token = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{12}$")]
ViewerKind = Literal["watcher", "guest", "asking", "player", "keeper", "gone"]


def _new_token() -> str:
    return token_urlsafe(_BYTES)


class Viewer(Struct, frozen=True):
    """Who looks at the board.

    A watcher; a guest, who may ask for a seat; one who has asked; the pad of a player; the keeper's, which
    enters for everybody; or one whose address is good no more.

    Attributes:
        player: that player, or the one who asks to be it.
    """

    kind: ViewerKind
    player: str = ""

    @property
    def may_enter(self) -> bool:
        """Whether turns may be entered with that token."""
        return self.kind in ("player", "keeper")

    def is_of(self, player: str) -> bool:
        """Return whether it is the pad of that player."""
        return self.kind == "player" and case_key(player) == case_key(self.player)


class Seat(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A player of this evening, and the token of their pad; `has_phone` once a phone was let in by it."""

    name: str
    token: Token
    has_phone: bool = False


class Asking(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A phone that asks for a seat, by a token that it chose, and by a number for whoever decides."""

    number: int
    name: str
    token: Token


class Seats(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The port of a board, its tokens, and who has a seat or asks for one.

    Attributes:
        port: 0 where none was ever bound. host: the host and port in the addresses of the latest board.
        watch, guest, keeper: the tokens of those who look, who may ask for a seat, who enters for everybody.
        seats: everyone who has a pad this evening, in the order in which they got it.
        asking: who waits to be let in, the first one first.
        evening: the day on which that began, at noon.
    """

    format: Literal[2] = 2
    port: Annotated[int, Meta(ge=0, lt=65536)] = 0
    host: str = ""
    watch: Token = msgspec.field(default_factory=_new_token)
    guest: Token = msgspec.field(default_factory=_new_token)
    keeper: Token = msgspec.field(default_factory=_new_token)
    seats: tuple[Seat, ...] = ()
    asking: tuple[Asking, ...] = ()
    evening: str = ""

    def viewer(self, token: str, *, with_pads: bool) -> Viewer | None:
        """Return whose token that is; None for nobody's. It takes as long whichever it is."""
        known = [(self.watch, Viewer("watcher"))]
        if with_pads:
            known += [(self.guest, Viewer("guest")), (self.keeper, Viewer("keeper"))]
            known += [(each.token, Viewer("player", each.name)) for each in self.seats]
            known += [(each.token, Viewer("asking", each.name)) for each in self.asking]
        given, found = token.encode(), None
        for one, viewer in known:
            if compare_digest(given, one.encode()):
                found = viewer
        return found

    def seat(self, player: str) -> Seat | None:
        """Return the seat of a player, if there is one."""
        return next((each for each in self.seats if case_key(each.name) == case_key(player)), None)

    @property
    def present(self) -> tuple[str, ...]:
        """The names of those whose phones were let in."""
        return tuple(each.name for each in self.seats if each.has_phone)

    def with_players(self, players: Iterable[str]) -> "Seats":
        """Return these with a seat for each of the players."""
        new = [Seat(name=name, token=_new_token()) for name in self.without_seat(players)]
        return replace(self, seats=(*self.seats, *new))

    def without_seat(self, players: Iterable[str]) -> list[str]:
        """Return those of the players who have no seat."""
        seated = {case_key(each.name) for each in self.seats}
        return [name for name in players if case_key(name) not in seated]

    def renamed(self, names: Mapping[str, str]) -> "Seats":
        """Return these where everyone who has another name keeps their pad: their new names, by the old."""
        new = {case_key(old): name for old, name in names.items() if old != name}
        theirs = [replace(each, name=new.get(case_key(each.name), each.name)) for each in self.seats]
        taken = {case_key(name) for name in new.values()}
        return replace(
            self,
            seats=tuple(
                now
                for now, before in zip(theirs, self.seats, strict=True)
                if now != before or case_key(now.name) not in taken
            ),
        )

    def asked(self, name: str, token: Token) -> "Seats":
        """Return these with a phone that asks to be that player, by a token of its own.

        Who has a seat by that token keeps it, and who asks already asks by the new name.
        """
        viewer = self.viewer(token, with_pads=True)
        if viewer is not None and viewer.kind == "player":
            return self
        if viewer is not None and viewer.kind != "asking":
            raise NotAllowed("this phone cannot have a seat")
        others = tuple(each for each in self.asking if each.token != token)
        if len(others) >= _MOST_ASKING:
            raise NotAllowed("too many ask for a seat", "try again once the keeper has answered them")
        number = max((each.number for each in self.asking), default=0) + 1
        return replace(self, asking=(*others, Asking(number=number, name=name, token=token)))

    def let_in(self, number: int) -> "Seats":
        """Return these where who asks has the seat; another phone that had it has it no more."""
        asking = self._asking(number)
        seat = Seat(name=asking.name, token=asking.token, has_phone=True)
        before = self.seat(asking.name)
        seats = tuple(seat if each is before else each for each in self.seats)
        return replace(self.turned_away(number), seats=seats if before else (*seats, seat))

    def turned_away(self, number: int) -> "Seats":
        """Return these without who asks."""
        gone = self._asking(number)
        return replace(self, asking=tuple(each for each in self.asking if each is not gone))

    def taken_back(self, player: str) -> "Seats":
        """Return these where no phone has that player's seat any more."""
        seat = self.seat(player)
        if seat is None:
            raise NotFound("{player} has no seat", player=safe(player))
        new = Seat(name=seat.name, token=_new_token())
        return replace(self, seats=tuple(new if each is seat else each for each in self.seats))

    def _asking(self, number: int) -> Asking:
        for each in self.asking:
            if each.number == number:
                return each
        raise NotFound("nobody asks for that seat any more")


class SeatBook:
    """The seats of a board, which many threads may change; each change is on disk before it holds.

    Args:
        on_change: called after each change.
    """

    def __init__(self, folder: Folder, seats: Seats, on_change: Callable[[], None]) -> None:
        self._folder = folder
        self._on_change = on_change
        self._changing = Lock()
        self.now = seats

    def change(self, how: Callable[[Seats], Seats], *, must_be_kept: bool = True) -> Seats:
        """Change the seats, and return them; raises what `how` does.

        Args:
            must_be_kept: whether a change that cannot be written is none; else it holds until the board ends.

        Raises:
            FileError: it cannot be written.
        """
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
    """Return the addresses that were kept; new ones where there are none, or none that can be read.

    Of those of another evening only the one to watch is good.
    """
    data = folder.read(BOARD)
    kept = Seats(evening=evening)
    if data is not None:
        with suppress(msgspec.MsgspecError, UnicodeDecodeError):  # then phones have to scan a code again
            kept = _decode(data)
    if kept.evening != evening:
        return Seats(port=kept.port, watch=kept.watch, evening=evening)
    return kept


def watched_at(folder: Folder) -> str:
    """Return the address at which the latest board is watched, or "" if it is not known."""
    with suppress(FileError, msgspec.MsgspecError, UnicodeDecodeError):
        kept = _decode(folder.read(BOARD) or b"")
        return address(kept.host, kept.watch) if kept.host else ""
    return ""


def address(host: str, token: str) -> str:
    """Return the address of the board with that token."""
    return f"http://{host}/{token}/"


def save(folder: Folder, seats: Seats) -> None:
    """Keep the addresses, readable by their owner alone."""
    data = msgspec.json.encode(seats)
    if folder.read(BOARD) == data:
        return
    with folder.writing() as writer:
        writer.replace(BOARD, data, seen=folder.read(BOARD), keep_backup=False)
