"""Which games there are: all of them, those of a period, those in which some people played."""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from shlex import quote

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.errors import FileError, NotAllowed, NotFound, UsageError
from generala_cli.game.people import People, names_apart
from generala_cli.messages import LANGUAGES, Message, day_message, listing, words_for
from generala_cli.progress import Progress, no_progress
from generala_cli.remedies import LeaveOneOut
from generala_cli.store import kept
from generala_cli.store.gamefile import GameFile
from generala_cli.store.store import Store, StoredGame
from generala_cli.store.subjects import OF_PAYMENTS
from generala_cli.text import find_word


class ListedGame(Struct, frozen=True, kw_only=True):
    """How a game stands; `next` throws next, and is null if it is over.

    `counts` is false for a game of a tournament's round that was undone.
    """

    game: int
    id: str
    label: str
    rules: str
    players: tuple[str, ...]
    totals: dict[str, int]
    started: datetime
    over: bool
    next: str | None
    winners: tuple[str, ...]
    current: bool
    counts: bool = True


class ListedGames(Struct, frozen=True, kw_only=True):
    """Games, oldest first, and what is wrong with those that cannot be read; `all` where none is left out."""

    games: tuple[ListedGame, ...]
    damaged: tuple[tuple[int, FileError], ...] = ()
    all: bool = True


class Period(Struct, frozen=True, kw_only=True):
    """A stretch of time, in UTC; without an end of either kind where that is None.

    Attributes:
        since: the first moment. until: the first one after it.
    """

    since: datetime | None = None
    until: datetime | None = None

    def covers(self, at: datetime) -> bool:
        """Return whether the period holds that moment."""
        return (self.since is None or self.since <= at) and (self.until is None or at < self.until)


def list_games(store: Store, progress: Progress = no_progress) -> ListedGames:
    """Return every game there is; one that cannot be read harms no other.

    A game is listed by what its file says of itself, which is sealed. If such a file were made to lie, with
    a checksum to match, `doctor` and every command that uses the game would say so, not the list.
    """
    try:
        current = store.current_or_none()
    except FileError:  # a damaged file: the list still helps to choose another game
        current = None
    games: list[ListedGame] = []
    damaged: list[tuple[int, FileError]] = []
    from generala_cli.store.tournaments import uncounted_games  # most commands list no games

    store.warn_of_all()
    uncounted = uncounted_games(store)
    listed = store.each(lambda number: _listed(store.summary(number), current, uncounted), progress)
    for number, found in listed:
        if isinstance(found, FileError):
            damaged.append((number, found))
        else:
            games.append(found)
    return ListedGames(games=tuple(games), damaged=tuple(damaged))


def _listed(file: GameFile, current: int | None, uncounted: Container[str]) -> ListedGame:
    """Return a game without its events and rules, of which a long list would fill the memory."""
    return ListedGame(
        game=file.game,
        id=file.id,
        label=file.agreed.label,
        rules=file.agreed.rules.name,
        players=tuple(file.result.totals),
        totals=file.result.totals,
        started=file.started,
        over=file.result.next is None,
        next=file.result.next,
        winners=file.winners,
        current=file.game == current,
        counts=file.id not in uncounted,
    )


NameGroups = Sequence[Sequence[str]]
"""Names that are one person's, a group for each such person."""


class NamesPlayed:
    """The names in many games, met in any order.

    Attributes:
        last: when a game was last started under each.
    """

    def __init__(self) -> None:
        self.last: dict[str, datetime] = {}
        self._apart: set[str] = set()

    def add(self, names: Iterable[str], started: datetime) -> None:
        """Add the names in a game that was started then."""
        together = tuple(names)
        self._apart |= names_apart([together])
        for name in together:
            last = self.last.get(name)
            if last is None or last < started:
                self.last[name] = started

    def people(self, joined: Iterable[Sequence[str]]) -> People:
        """Return the people whose names they are."""
        return People(sorted(self.last, key=self.last.__getitem__), joined, apart=self._apart)


def check_people(store: Store, names: Sequence[str], *, before: Sequence[str] = ()) -> None:
    """Refuse two names of one person in a game, as far as the payments' file can be used, which has them.

    Args:
        before: names that already sit in one game.
    """
    people = People(names, joined(replace(store, warn=None)), apart=names_apart([before]))
    if twice := people.one_person_twice(names):
        raise NotAllowed(
            "{names} are one person, who cannot play twice in a game",
            LeaveOneOut(quote(twice[1])),
            names=listing(twice, "and"),
        )


def joined(store: Store) -> NameGroups:
    """Return the names that were joined; none where the payments' file cannot be used, which is warned of."""
    if not kept.has_trace(store.folder, OF_PAYMENTS):
        return ()
    from generala_cli.store.payments import load  # most lists of games need no payments

    try:
        return tuple(load(store).file.payments.joined)
    except FileError as error:
        if store.warn is not None:
            store.warn(error)
        return ()


def chosen(
    found: ListedGames,
    *,
    played: Sequence[str] = (),
    since: datetime | None = None,
    joined: NameGroups = (),
) -> ListedGames:
    """Return the games in which all of these players, each as typed, took part, and that began then or later.

    Raises as `text.find` where a name is nobody's who ever played.
    """
    tables = [game.players for game in found.games]
    people = People((name for table in tables for name in table), joined, apart=names_apart(tables))
    wanted = {people.find(name) for name in played}
    games = tuple(
        game
        for game in found.games
        if (since is None or game.started >= since) and wanted <= set(map(people.shown, game.players))
    )
    return replace(found, games=games, all=not played and since is None)


def period(store: Store, since: str | None, until: str | None) -> Period:
    """Return the period from the beginning of one time to the end of another, each as typed."""
    first = None if since is None else moment(store, since)
    last = None if until is None else _span(store, until)[1]
    return Period(since=first, until=last)


def moment(store: Store, when: str) -> datetime:
    """Return when a time began: tonight, at the last noon; today, yesterday, a day as 2026-11-20; or a game.

    Days and noons are those of local time. A day may also be written as in the user's language.
    """
    return _span(store, when)[0]


def evening_of(moment: datetime) -> date:
    """Return the day on which the evening of a moment began: it goes on until the next noon, as tonight."""
    return (moment.astimezone().replace(tzinfo=None) - timedelta(hours=_NOON)).date()


_NOON = 12
_YEARS = range(1971, 3000)
"""Those that the clock of every system can tell, in every time zone."""
_TIMES: Mapping[str, Message] = {
    "tonight": words_for("tonight", "tonight"),
    "today": words_for("today", "today"),
    "yesterday": words_for("yesterday", "yesterday"),
}


def _span(store: Store, when: str) -> tuple[datetime, datetime]:
    """Return when that begins, and the first moment after it: the next noon or midnight, the next second."""
    day, now = timedelta(days=1), store.clock().astimezone().replace(tzinfo=None)
    word = None if when.strip()[:1].isdecimal() else find_word(when, _TIMES)
    if word == "tonight":
        noon = now.replace(hour=_NOON, minute=0, second=0)
        first = noon if noon <= now else noon - day
        return first.astimezone(), (first + day).astimezone()
    if word is not None:
        first = datetime.combine(now if word == "today" else now - day, time())
        return first.astimezone(), (first + day).astimezone()
    with suppress(ValueError):
        if (typed := _day(when)) is not None:
            first = datetime.combine(typed, time())
            if first.year not in _YEARS:
                raise UsageError(
                    "{when} is a day that not every clock can tell",
                    "type one from {first} to {last}",
                    when=when,
                    first=f"{_YEARS[0]}-01-01",
                    last=f"{_YEARS[-1]}-12-31",
                )
            return first.astimezone(), (first + day).astimezone()
    try:
        number = store.find(when)
    except NotFound as error:
        raise NotFound(
            "{when!r} is neither a time nor a game", "say tonight, a day as 2026-11-20, or a game", when=when
        ) from error
    started = store.summary(number).started
    return started, started + timedelta(seconds=1)


def _day(typed: str) -> date | None:
    """Return a day that was typed, or None; ValueError where it has the form of one, and is none."""
    if "-" in typed:
        return date.fromisoformat(typed)
    pattern = re.escape(LANGUAGES.typed.text_of(day_message(year=1111, month=22, day=33)))
    for digits, part in (
        ("1111", r"(?P<year>\d{4})"),
        ("22", r"(?P<month>\d\d?)"),
        ("33", r"(?P<day>\d\d?)"),
    ):
        pattern = pattern.replace(digits, part)
    found = re.fullmatch(pattern, typed.strip(), re.ASCII)
    return date(**{part: int(digits) for part, digits in found.groupdict().items()}) if found else None


_LATEST = 30
"""The number of games whose players may well come again."""


def known_players(store: Store) -> tuple[str, ...]:
    """Return the players of the latest games, the latest first; games that cannot be read are passed over."""
    known: dict[str, None] = {}
    for _, found in store.each(store.summary, numbers=store.numbers()[-_LATEST:][::-1]):
        if not isinstance(found, FileError):
            known |= dict.fromkeys(found.result.totals)
    return tuple(known)


def open_or_none(store: Store) -> StoredGame | None:
    """Return the game that is meant; None where none is named and no game has ever been started."""
    try:
        return store.open(None)
    except NotFound:
        if store.named is not None or store.numbers():
            raise
        return None
