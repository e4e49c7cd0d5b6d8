"""Whole games: start one, play it again, make it current, delete it, list them."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from itertools import accumulate
from shlex import quote
from typing import Unpack

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.errors import DamagedFile, FileTrouble, Mistyped, NotAllowed, NotFound
from generala_cli.game.events import Agreed
from generala_cli.game.people import People
from generala_cli.game.seating import Openings, find_player
from generala_cli.game.starting import Terms, again, start
from generala_cli.messages import Message, listing, tell, tell_count, words_for
from generala_cli.progress import Progress, no_progress
from generala_cli.remedies import KeyAndValue
from generala_cli.rules.dice import dice_groups, parse_faces
from generala_cli.rules.options import with_settings
from generala_cli.rules.ruleset import RuleSet
from generala_cli.store.gamefile import GameFile, Result
from generala_cli.store.store import Store, StoredGame
from generala_cli.store.subjects import PAYMENTS
from generala_cli.text import find_word


class ListedGame(Struct, frozen=True, kw_only=True):
    """What a list of games shows of one."""

    game: int
    id: str
    started: datetime
    label: str
    rules: str
    result: Result


class GameList(Struct, frozen=True, kw_only=True):
    """Games, oldest first, and what is wrong with the ones that cannot be read.

    Attributes:
        is_part: whether only some games were asked for.
    """

    current: int | None
    games: tuple[ListedGame, ...]
    damaged: tuple[tuple[int, FileTrouble], ...] = ()
    is_part: bool = False


class Period(Struct, frozen=True, kw_only=True):
    """A stretch of time, in UTC; without an end of either kind where that is None.

    Attributes:
        since: the first moment. until: the first one after it.
    """

    since: datetime | None = None
    until: datetime | None = None

    def covers(self, at: datetime) -> bool:
        """Whether the period holds that moment."""
        return (self.since is None or self.since <= at) and (self.until is None or at < self.until)


class StartedGame(Struct, frozen=True, kw_only=True):
    """A game that was started, or would be.

    Attributes:
        unfinished: the game that was current, if it is not over.
    """

    stored: StoredGame
    unfinished: int | None


class DeletedGame(Struct, frozen=True, kw_only=True):
    """A game that was deleted, unless `deleted` is False: in a dry run, and where it was not meant after all.

    Attributes:
        versions: the places of the other versions of it, which go too.
        unfinished: the latest game that is not over, where no game is current any more.
        used: whether that was made current.
    """

    number: int
    versions: tuple[str, ...]
    deleted: bool
    dry_run: bool
    unfinished: int | None = None
    used: bool = False


def new(
    store: Store,
    rules: RuleSet,
    names: Sequence[str],
    *,
    settings: Sequence[str] = (),
    openings: Sequence[str] = (),
    dry_run: bool = False,
    **terms: Unpack[Terms],
) -> StartedGame:
    """Start a game, as typed, and make it current; in a dry run, return what that would lead to."""
    rules = with_settings_typed(rules, settings)
    agreed = start(rules, names, openings=_openings(openings, names, rules), **terms)
    return _begin(store, agreed, dry_run)


def rematch(
    store: Store,
    reference: str | None,
    *,
    settings: Sequence[str] = (),
    label: str = "",
    openings: Sequence[str] = (),
    back: Sequence[str] = (),
    dry_run: bool = False,
) -> StartedGame:
    """Start a game with the players, sides, rules and stakes of another; settings change its rules.

    The seats stay as well, unless opening throws are given. Players who had left take part
    only if they are named in `back`.
    """
    last = store.open(reference).game
    rules = with_settings_typed(last.rules, settings)
    who = [find_player(name, last.seats) for name in back]
    thrown = _openings(openings, last.seats, rules)
    agreed = again(last, rules=rules, label=label, openings=thrown, back=who)
    return _begin(store, agreed, dry_run)


def _begin(store: Store, agreed: Agreed, dry_run: bool) -> StartedGame:
    check_people(store, agreed.players)
    try:
        current = store.current_or_none()
    except DamagedFile:  # it keeps nobody from a new game
        current = None
    unfinished = current if current is not None and _is_unfinished(store, current) else None
    stored = replace(store.preview_new(agreed), saved=False) if dry_run else store.add(agreed)
    return StartedGame(stored=stored, unfinished=unfinished)


def _is_unfinished(store: Store, number: int) -> bool:
    try:
        return store.summary(number).result.next is not None
    except (FileTrouble, NotFound):
        return False


def use(store: Store, reference: str, *, dry_run: bool = False) -> StoredGame:
    """Make a game the current one."""
    stored = store.open(reference)
    if not dry_run:
        store.use(stored.number)
    return replace(stored, saved=not dry_run)


def unfinished_without(store: Store, number: int) -> int | None:
    """Return the latest other game that is not over, if this one is current; else None."""
    if store.current_or_none() != number:
        return None
    others = (other for other in reversed(store.numbers()) if other != number)
    return next((other for other in others if _is_unfinished(store, other)), None)


def delete(
    store: Store,
    number: int,
    *,
    versions: tuple[str, ...],
    then: int | None,
    is_meant: bool,
    used: bool,
    dry_run: bool,
) -> DeletedGame:
    """Delete a game for ever, if that is meant.

    Args:
        versions: the places of the other versions of it, which go too.
        then: the game that may be made current in its place. used: whether it is.
    """
    if is_meant:
        store.delete(number, then=then if used else None, versions=versions)
    unfinished = then if is_meant or dry_run else None
    return DeletedGame(
        number=number,
        versions=versions,
        deleted=is_meant,
        dry_run=dry_run,
        unfinished=unfinished,
        used=used,
    )


def list_games(store: Store, progress: Progress = no_progress) -> GameList:
    """Return every game there is; one that cannot be read harms no other.

    A game is listed by what its file says of itself, which is sealed. If such a file were made to lie, with
    a checksum to match, `doctor` and every command that uses the game would say so, not the list.
    """
    try:
        current = store.current_or_none()
    except FileTrouble:  # a damaged file: the list still helps to choose another game
        current = None
    games: list[ListedGame] = []
    damaged: list[tuple[int, FileTrouble]] = []
    store.warn_of_all()
    for number, found in store.each(lambda number: _listed(store.summary(number)), progress):
        if isinstance(found, FileTrouble):
            damaged.append((number, found))
        else:
            games.append(found)
    return GameList(current=current, games=tuple(games), damaged=tuple(damaged))


def _listed(file: GameFile) -> ListedGame:
    """Return a game without its events and rules, of which a long list would fill the memory."""
    return ListedGame(
        game=file.game,
        id=file.id,
        started=file.started,
        label=file.agreed.label,
        rules=file.agreed.rules.name,
        result=file.result,
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

    def add(self, names: Iterable[str], started: datetime) -> None:
        """Add the names in a game that was started then."""
        for name in names:
            last = self.last.get(name)
            if last is None or last < started:
                self.last[name] = started

    def people(self, joined: Iterable[Sequence[str]]) -> People:
        """Return the people whose names they are."""
        return People(sorted(self.last, key=self.last.__getitem__), joined)


def check_people(store: Store, names: Sequence[str]) -> None:
    """Refuse two names of one person in a game, as far as the payments' file can be used, which has them."""
    if twice := People(names, joined(replace(store, warn=None))).one_person_twice(names):
        raise NotAllowed(
            "{names} are one person, who cannot play twice in a game",
            "leave one out, or say that they are two with generala players apart {name}",
            names=listing(twice, "and"),
            name=quote(twice[1]),
        )


def joined(store: Store) -> NameGroups:
    """Return the names that were joined; none where the payments' file cannot be used, which is warned of."""
    if not store.folder.is_there(PAYMENTS):
        return ()
    from generala_cli.store.payments import load  # most lists of games need no payments

    try:
        return tuple(load(store).payments.joined)
    except FileTrouble as error:
        if store.warn is not None:
            store.warn(error.sentence)
        return ()


def chosen(
    found: GameList,
    *,
    played: Sequence[str] = (),
    since: datetime | None = None,
    joined: NameGroups = (),
) -> GameList:
    """Return the games in which all of these players, each as typed, took part, and that began then or later.

    Raises as `text.find` where a name is nobody's who ever played.
    """
    people = People((name for game in found.games for name in game.result.totals), joined)
    wanted = {people.find(name) for name in played}
    games = tuple(
        game
        for game in found.games
        if (since is None or game.started >= since) and wanted <= set(map(people.shown, game.result.totals))
    )
    return replace(found, games=games, is_part=bool(played) or since is not None)


def period(store: Store, since: str | None, until: str | None) -> Period:
    """Return the period from the beginning of one time to the end of another, each as typed."""
    first = None if since is None else moment(store, since)
    last = None if until is None else _span(store, until)[1]
    return Period(since=first, until=last)


def moment(store: Store, when: str) -> datetime:
    """Return when a time began: tonight, at the last noon; today, yesterday, a day as 2026-11-20; or a game.

    Days and noons are those of local time.
    """
    return _span(store, when)[0]


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
        noon = now.replace(hour=12, minute=0, second=0)
        first = noon if noon <= now else noon - day
        return first.astimezone(), (first + day).astimezone()
    if word is not None:
        first = datetime.combine(now if word == "today" else now - day, time())
        return first.astimezone(), (first + day).astimezone()
    with suppress(ValueError):
        if "-" in when:
            first = datetime.combine(date.fromisoformat(when), time())
            if first.year not in _YEARS:
                raise Mistyped(
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


_LATEST = 30
"""The number of games whose players may well come again."""


def known_players(store: Store) -> tuple[str, ...]:
    """Return the players of the latest games, the latest first; games that cannot be read are passed over."""
    known: dict[str, None] = {}
    for _, found in store.each(store.summary, numbers=store.numbers()[-_LATEST:][::-1]):
        if not isinstance(found, FileTrouble):
            known |= dict.fromkeys(found.result.totals)
    return tuple(known)


def _openings(texts: Sequence[str], names: Sequence[str], rules: RuleSet) -> Openings:
    """Read `Ana=55533` or `Ana=55533,12345`, once or more for a player; further throws break ties."""
    found: dict[str, tuple[tuple[int, ...], ...]] = {}
    first = next((name for name in names if name.strip()), "Ana")
    for text in texts:
        name, dice = _key_value(text, "--opening", f"{first}={rules.example}", last=True)
        player = find_player(name, [name.strip() for name in names])
        found[player] = (*found.get(player, ()), *_opening_throws(dice, rules))
    return found


def _opening_throws(text: str, rules: RuleSet) -> Sequence[tuple[int, ...]]:
    """Read hands that stand behind one another, `55533,12345`, each as a hand is typed anywhere."""
    faces = parse_faces([text], faces=rules.faces)
    starts = range(0, len(faces), rules.dice)
    ends = set(accumulate(map(len, dice_groups(text))))
    if not {start + rules.dice for start in starts} <= ends:
        what = tell("{text!r} is not a whole opening throw", text=text)
        hint = tell_count(
            "it has {count} die, as {example}",
            "it has {count} dice, as {example}",
            rules.dice,
            example=rules.example,
        )
        raise Mistyped(what, hint)
    return [faces[start : start + rules.dice] for start in starts]


def with_settings_typed(rules: RuleSet, settings: Sequence[str]) -> RuleSet:
    """Return the rules with changes as they are typed: `bonus=10`."""
    return with_settings(rules, [_key_value(text, "--set", "throws=3") for text in settings])


def _key_value(text: str, option: str, example: str, *, last: bool = False) -> tuple[str, str]:
    """Split at the first `=`, or the last one, since a name may hold it."""
    key, equals, value = text.rpartition("=") if last else text.partition("=")
    if not equals or not key.strip() or not value.strip():
        raise Mistyped(
            "{text!r} is not of the form KEY=VALUE",
            KeyAndValue(option, example),
            text=text,
        )
    return key.strip(), value.strip()
