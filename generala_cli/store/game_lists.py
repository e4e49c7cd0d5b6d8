"""Lists of games: all games, the games in a period, the games of certain players."""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.errors import FileError, NotAllowed, NotFound, UsageError
from generala_cli.game.people import People, names_apart
from generala_cli.messages import LANGUAGES, Message, day_message, listing, words_for
from generala_cli.progress import Progress, no_progress
from generala_cli.remedies import Remedy
from generala_cli.store.gamefile import GameFile
from generala_cli.store.hooks import joined_names, uncounted_games
from generala_cli.store.store import Store, StoredGame
from generala_cli.text import find_word


class ListedGame(Struct, frozen=True, kw_only=True):
    """The state of a game. `next` is null if it is over; `counts` is false in an undone tournament round."""

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
    """Games, oldest first, and the errors of unreadable ones; `all` is True if none was filtered out."""

    games: tuple[ListedGame, ...]
    damaged: tuple[tuple[int, FileError], ...] = ()
    all: bool = True


class Period(Struct, frozen=True, kw_only=True):
    """A period in UTC: from `since`, up to but not including `until`; None means no limit."""

    since: datetime | None = None
    until: datetime | None = None

    def covers(self, at: datetime) -> bool:
        return (self.since is None or self.since <= at) and (self.until is None or at < self.until)


_ALWAYS = Period()


def list_games(store: Store, progress: Progress = no_progress) -> ListedGames:
    """Return every game, trusting the sealed result in each file; unreadable ones come separately.

    A forged file with a matching checksum is noticed by `doctor` and by every command about the game.
    """
    try:
        current = store.current_or_none()
    except FileError:  # a damaged file; the list still helps to choose a game
        current = None
    store.warn_of_all()
    uncounted = uncounted_games(store)
    games, damaged = store.read_all(lambda game: _listed(game.file, current, uncounted), progress)
    return ListedGames(games=tuple(games), damaged=tuple(damaged))


def _listed(file: GameFile, current: int | None, uncounted: Container[str]) -> ListedGame:
    return ListedGame(
        game=file.game,
        id=file.id,
        label=file.label,
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


class NamesPlayed:
    """The names in many games, added in any order; `last` is the start of the latest game with each."""

    def __init__(self) -> None:
        self.last: dict[str, datetime] = {}
        self._apart: set[str] = set()

    def add(self, names: Iterable[str], started: datetime) -> None:
        together = tuple(names)
        self._apart |= names_apart([together])
        for name in together:
            last = self.last.get(name)
            if last is None or last < started:
                self.last[name] = started

    def people(self, joined: Iterable[Sequence[str]]) -> People:
        return People(sorted(self.last, key=self.last.__getitem__), joined, apart=self._apart)


def check_people(store: Store, names: Sequence[str], *, before: Sequence[str] = ()) -> None:
    """Refuse two names of the same person in a game with the players `before`."""
    people = People(names, joined_names(replace(store, warn=None)), apart=names_apart([before]))
    if twice := people.one_person_twice(names):
        raise NotAllowed(
            "{names} are one person, who cannot play twice in a game",
            Remedy("leave-one-out", name=twice[1]),
            names=listing(twice, "and"),
        )


def chosen(
    found: ListedGames,
    *,
    played: Sequence[str] = (),
    within: Period = _ALWAYS,
    joined: NameGroups = (),
) -> ListedGames:
    """Return the games of a period with all of the typed players; NotFound or Ambiguous for a name."""
    tables = [game.players for game in found.games]
    people = People((name for table in tables for name in table), joined, apart=names_apart(tables))
    wanted = {*people.find_each(played)}
    games = tuple(
        game
        for game in found.games
        if within.covers(game.started) and wanted <= set(map(people.shown, game.players))
    )
    return replace(found, games=games, all=not played and within == _ALWAYS)


def period(store: Store, since: str | None, until: str | None) -> Period:
    first = None if since is None else moment(store, since)
    last = None if until is None else _span(store, until)[1]
    return Period(since=first, until=last)


def moment(store: Store, when: str) -> datetime:
    """Return the start of a typed local time: tonight (from the last noon), yesterday, 2026-11-20, a game."""
    return _span(store, when)[0]


def day_played(store: Store, when: str) -> datetime:
    """Return the start of a game that was played on a typed day: noon, or now if that is in the future."""
    span, now = _day_span(store, when), store.now()
    if span is None:
        raise UsageError("{when!r} is not a day", "type a day such as 2026-11-20, or yesterday", when=when)
    first, _ = span
    if first > now:
        raise NotAllowed("{when} is in the future", "type the day when the game was played", when=when)
    return min(first.replace(hour=_NOON).astimezone(UTC), now)


def evening_of(moment: datetime) -> date:
    """Return the day on which an evening began. An evening ends at the next noon."""
    return (moment.astimezone().replace(tzinfo=None) - timedelta(hours=_NOON)).date()


_NOON = 12
_YEARS = range(1971, 3000)  # years that every system's clock can represent, in every time zone
TIMES: Mapping[str, Message] = {
    "tonight": words_for("tonight", "tonight"),
    "today": words_for("today", "today"),
    "yesterday": words_for("yesterday", "yesterday"),
    "last night": words_for("last night", "last night"),
}


def _span(store: Store, when: str) -> tuple[datetime, datetime]:
    """Return the start of a typed time and the first moment after it: a noon, a midnight, the next second."""
    if (found := _day_span(store, when)) is not None:
        return found
    try:
        number = store.find(when)
    except NotFound as error:
        raise NotFound(
            "{when!r} is neither a time nor a game",
            "type tonight, a day such as 2026-11-20, or a game",
            when=when,
        ) from error
    started = store.summary(number).started
    return started, started + timedelta(seconds=1)


def _day_span(store: Store, when: str) -> tuple[datetime, datetime] | None:
    day, now = timedelta(days=1), store.clock().astimezone().replace(tzinfo=None)
    word = None if when.strip()[:1].isdecimal() else find_word(when, TIMES)
    if word in ("tonight", "last night"):
        noon = now.replace(hour=_NOON, minute=0, second=0)
        first = noon if word == "tonight" and noon <= now else noon - day
        return first.astimezone(), (first + day).astimezone()
    if word is not None:
        first = datetime.combine(now if word == "today" else now - day, time())
        return first.astimezone(), (first + day).astimezone()
    with suppress(ValueError):
        if (typed := _day(when)) is not None:
            first = datetime.combine(typed, time())
            if first.year not in _YEARS:
                raise UsageError(
                    "{when} is outside the supported dates",
                    "type a day from {first} to {last}",
                    when=when,
                    first=f"{_YEARS[0]}-01-01",
                    last=f"{_YEARS[-1]}-12-31",
                )
            return first.astimezone(), (first + day).astimezone()
    return None


def _day(typed: str) -> date | None:
    """Return a typed day, or None; raises ValueError if it has the form of a day and is invalid."""
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


def known_players(store: Store) -> tuple[str, ...]:
    """Return the players of the latest games, latest first. Unreadable games are skipped."""
    known: dict[str, None] = {}
    for _, found in store.each(store.summary, numbers=store.numbers()[-_LATEST:][::-1]):
        if not isinstance(found, FileError):
            known |= dict.fromkeys(found.result.totals)
    return tuple(known)


def open_or_none(store: Store) -> StoredGame | None:
    """Return the named or current game; None if no game was named and none was ever started."""
    try:
        return store.open(None)
    except NotFound:
        if store.named is not None or store.numbers():
            raise
        return None
