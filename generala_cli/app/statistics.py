"""How we play: figures over all finished games, records, head to head; luck and mistakes where asked for."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import combinations

from msgspec import Struct

from generala_cli.app import games as app_games
from generala_cli.app.games import Joined
from generala_cli.errors import FileTrouble, Mistyped, NotFound
from generala_cli.game import statistics
from generala_cli.game.events import Agreed, Entry, Scored, Scratched
from generala_cli.game.history import History
from generala_cli.game.people import People
from generala_cli.game.statistics import Difference, Finished, Games, HeadToHead, Person, Record
from generala_cli.progress import Progress, no_progress
from generala_cli.rules.fingerprint import fingerprint
from generala_cli.rules.ruleset import RuleSet
from generala_cli.store.gamefile import GameFile
from generala_cli.store.store import Store
from generala_cli.text import find

_UNLIKELY = (LookupError, ValueError, TypeError, ArithmeticError, AssertionError)
"""What comes of a file that is sealed, and whose events cannot have happened."""


class Wanted(Struct, frozen=True, kw_only=True):
    """Which games to look at, as typed; all of them where nothing is said.

    Attributes:
        rules: a rule set, or the fingerprint of one as it was played. players: how many sat there.
        played: names of those who all took part.
    """

    rules: str | None = None
    since: str | None = None
    players: int | None = None
    played: Sequence[str] = ()


class LeftOut(Struct, frozen=True, kw_only=True):
    """What does not count: games that are not over, entries that were taken back, files that are damaged."""

    unfinished: int
    undone: int
    damaged: tuple[tuple[int, FileTrouble], ...]


class Looked(Struct, frozen=True, kw_only=True):
    """The finished games that were looked at, in the order in which they were begun.

    Attributes:
        started: when each was, by number. people: everyone in any game, joined names being one person's.
    """

    games: Games
    started: Mapping[int, datetime]
    people: People
    left_out: LeftOut

    def named(self, player: str) -> str:
        """What the person of that name is called."""
        return self.people.shown(player)


class Luck(Struct, frozen=True, kw_only=True):
    """What someone's hands added to the expected total, and what their choices cost; or that on average."""

    luck: float
    mistakes: float


Judge = Callable[[Sequence[Finished]], Mapping[tuple[int, str], Luck]]
"""By game and player, the luck and the mistakes."""


class Kind(Struct, frozen=True, kw_only=True):
    """A game as it was played, how often, and what lies between those who played it."""

    kind: str
    rules: RuleSet
    games: int
    differences: tuple[Difference, ...]


class Figures(Struct, frozen=True, kw_only=True):
    """How people play.

    Attributes:
        people: everyone, or the one that was asked for. kinds: of games, the most played first.
        asked: the one who was asked for.
        luck: by person and kind of game, where that was asked for.
    """

    looked: Looked
    people: tuple[Person, ...]
    kinds: tuple[Kind, ...]
    asked: str | None
    luck: Mapping[tuple[str, str], Luck]


class Records(Struct, frozen=True, kw_only=True):
    """The bests of all these games."""

    looked: Looked
    records: tuple[Record, ...]


class Versus(Struct, frozen=True, kw_only=True):
    """Head to head, every two of those named."""

    looked: Looked
    pairs: tuple[HeadToHead, ...]


def look(store: Store, wanted: Wanted, progress: Progress = no_progress) -> Looked:
    """Every finished game that is wanted, by its seal: as in a list, `doctor` judges what a file says."""
    if wanted.players is not None and wanted.players < 2:
        raise Mistyped(
            "{number} is not a number of players", "type --players 2 or more", number=wanted.players
        )
    since = None if wanted.since is None else app_games.moment(store, wanted.since)
    joined = app_games.joined(store)
    reading = _Reading(store, since, wanted.players, joined)
    numbers = _numbers(store, wanted.played, joined)
    for done, number in enumerate(numbers):
        progress(done, len(numbers))
        reading.read(number)
    return reading.looked(wanted.rules)


def _numbers(store: Store, played: Sequence[str], joined: Joined) -> Sequence[int]:
    """Of all games, or of those in which these took part."""
    if played:
        found = app_games.chosen(app_games.list_games(store), played=played, joined=joined)
        return [game.game for game in found.games]
    store.warn_of_all()
    return store.numbers()


class _Reading:
    """Games as they are read, one by one; nothing of their entries is kept but the counts."""

    def __init__(self, store: Store, since: datetime | None, players: int | None, joined: Joined) -> None:
        self._store, self._since, self._players, self._joined = store, since, players, joined
        self._games = Games()
        self._started: dict[int, datetime] = {}
        self._spelled: dict[str, datetime] = {}
        self._kinds: dict[str, set[str]] = {}
        self._unfinished: Counter[str] = Counter()
        self._undone: Counter[str] = Counter()
        self._damaged: list[tuple[int, FileTrouble]] = []

    def read(self, number: int) -> None:
        """One more: by its seal alone, and where that does not hang together as `load` judges it."""
        try:
            file = self._store.sealed(number)
            if file is None or not self._add_unjudged(file):
                stored = self._store.load(number)
                self._add(stored.file, stored.history)
        except FileTrouble as error:
            self._damaged.append((number, error))
        except NotFound:  # deleted while we looked
            return

    def _add_unjudged(self, file: GameFile) -> bool:
        try:
            self._add(file, None)
        except _UNLIKELY:
            return False
        return True

    def _add(self, file: GameFile, judged: History | None) -> None:
        result = file.result
        for name in result.totals:
            self._spelled[name] = max(file.started, self._spelled.get(name, file.started))
        is_recent = self._since is None or file.started >= self._since
        if not is_recent or self._players not in (None, len(result.totals)):
            return
        rules = file.agreed.rules
        kind = fingerprint(rules)
        if result.next is None:
            agreed, entries, undone = _standing(file, judged)
            of = (result.totals, agreed.sides, result.winners)
            self._games.add(statistics.finished(file.game, rules, kind, *of), entries)
            self._started[file.game] = file.started
            self._undone[kind] += undone
        else:
            self._unfinished[kind] += 1
        self._kinds.setdefault(kind, set()).add(rules.name)

    def looked(self, rules: str | None) -> Looked:
        """All that was read, or only that by certain rules."""
        kinds = set(self._kinds if rules is None else _find_kinds(rules, self._kinds))
        games = self._games.only(kinds)
        games.finished.sort(key=lambda game: (self._started[game.number], game.number))
        latest = sorted(self._spelled, key=self._spelled.__getitem__)
        left_out = LeftOut(
            unfinished=sum(self._unfinished[kind] for kind in kinds),
            undone=sum(self._undone[kind] for kind in kinds),
            damaged=tuple(self._damaged),
        )
        people = People(latest, self._joined)
        return Looked(games=games, started=self._started, people=people, left_out=left_out)


def _standing(file: GameFile, judged: History | None) -> tuple[Agreed, Sequence[Entry], int]:
    """What was agreed, under the names of the end; the entries that stand; how many were taken back."""
    events = [recorded.event for recorded in file.events]
    entries = [event for event in events if isinstance(event, (Scored, Scratched))]
    if judged is None and len(entries) == len(events):
        return file.agreed, entries, 0
    history = judged or History(file.agreed)
    if judged is None:
        for event in events:
            history.add(event)
    return history.game.agreed, history.game.entries, len(entries) - len(history.game.entries)


def _find_kinds(wanted: str, kinds: Mapping[str, set[str]]) -> set[str]:
    """The fingerprints of games by a rule set of that name, or the one that is typed."""
    names = {name: (name,) for of in kinds.values() for name in of}
    try:
        chosen = find(wanted, {kind: (kind,) for kind in kinds} | names, "rule set")
    except NotFound as error:
        raise NotFound("no game here was played by {rules!r}", error.hint, rules=wanted) from error
    return {kind for kind, of in kinds.items() if chosen == kind or chosen in of}


def stats(looked: Looked, player: str | None, judge: Judge | None = None) -> Figures:
    """Everyone's figures, or one person's; with their luck and mistakes where there is who judges them."""
    asked = None if player is None else looked.people.find(player)
    found = statistics.people(looked.games, looked.named)
    mine = {each.kind for person in found if person.name == asked for each in person.rules}
    kinds = _kinds(looked.games.finished, found, None if asked is None else mine)
    people = tuple(person for person in found if asked in (None, person.name))
    games = [
        game
        for game in looked.games.finished
        if asked is None or asked in {looked.named(part.player) for part in game.parts}
    ]
    luck = {} if judge is None else _averages(games, judge(games), looked)
    return Figures(looked=looked, people=people, kinds=kinds, asked=asked, luck=luck)


def _kinds(games: Sequence[Finished], people: Sequence[Person], only: set[str] | None) -> tuple[Kind, ...]:
    latest = {game.kind: game.rules for game in games if only is None or game.kind in only}
    counts = Counter(game.kind for game in games)
    kinds = (
        Kind(kind=kind, rules=rules, games=counts[kind], differences=statistics.differences(people, kind))
        for kind, rules in latest.items()
    )
    return tuple(sorted(kinds, key=lambda kind: -kind.games))


def _averages(
    games: Sequence[Finished], judged: Mapping[tuple[int, str], Luck], looked: Looked
) -> Mapping[tuple[str, str], Luck]:
    """By person and kind of game."""
    found: dict[tuple[str, str], list[Luck]] = {}
    for game in games:
        for part in game.parts:
            own = found.setdefault((looked.named(part.player), game.kind), [])
            own.append(judged[game.number, part.player])
    return {key: _average(own) for key, own in found.items()}


def _average(found: Sequence[Luck]) -> Luck:
    return Luck(
        luck=sum(each.luck for each in found) / len(found),
        mistakes=sum(each.mistakes for each in found) / len(found),
    )


def records(looked: Looked) -> Records:
    """The bests of every kind of game."""
    return Records(looked=looked, records=statistics.records(looked.games.finished, looked.named))


def versus(looked: Looked, players: Sequence[str]) -> Versus:
    """Every two of these people, who must be at least two."""
    people = list(dict.fromkeys(map(looked.people.find, players)))
    if len(people) < 2:
        raise Mistyped("head to head takes two different players", "name two, as in generala versus Ana Beto")
    pairs = combinations(people, 2)
    met = (statistics.head_to_head(looked.games.finished, *pair, looked.named) for pair in pairs)
    return Versus(looked=looked, pairs=tuple(met))
