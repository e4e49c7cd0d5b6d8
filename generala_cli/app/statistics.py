"""Statistics over all finished games: figures of each player, records, head to head, luck and mistakes."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import combinations

from msgspec import Struct

from generala_cli.app import games as app_games
from generala_cli.errors import FileTrouble, Mistyped, NotFound
from generala_cli.game import statistics
from generala_cli.game.people import People
from generala_cli.game.statistics import (
    Difference,
    FinishedGame,
    FinishedGames,
    HeadToHead,
    PersonFigures,
    Record,
)
from generala_cli.progress import Progress, no_progress
from generala_cli.rules.fingerprint import known
from generala_cli.rules.ruleset import RuleSet
from generala_cli.store.gamefile import RecordedGame
from generala_cli.store.store import Store
from generala_cli.text import find


class GameFilter(Struct, frozen=True, kw_only=True):
    """The games to look at, as typed; all of them unless something is given.

    Attributes:
        rules: a rule set, or the fingerprint of one as it was played. players: how many played.
        played: names of those who all took part.
    """

    rules: str | None = None
    since: str | None = None
    players: int | None = None
    played: Sequence[str] = ()


class UncountedGames(Struct, frozen=True, kw_only=True):
    """Games that are not over and entries that were taken back, counted; and the files that are damaged."""

    unfinished: int
    undone: int
    damaged: tuple[tuple[int, FileTrouble], ...]


class GamesExamined(Struct, frozen=True, kw_only=True):
    """The finished games that were looked at, in the order in which they were started.

    Attributes:
        started: when each game was started, by its number.
        people: everyone in any game, joined names being one person's.
    """

    games: FinishedGames
    started: Mapping[int, datetime]
    people: People
    left_out: UncountedGames

    def named(self, player: str) -> str:
        """Return the name that is shown for the person of that name."""
        return self.people.shown(player)


class Luck(Struct, frozen=True, kw_only=True):
    """Points that someone's hands added to the expected total and their choices cost; or averages.

    Attributes:
        keeping: what was kept cost so much; None where it is known of no turn.
        keeping_turns: of how many turns that is known.
    """

    luck: float
    mistakes: float
    keeping: float | None = None
    keeping_turns: int = 0


LuckJudge = Callable[[Sequence[FinishedGame]], Mapping[tuple[int, str], Luck]]
"""Returns the luck and the mistakes by game number and player."""


class GameKind(Struct, frozen=True, kw_only=True):
    """A game as it was played, how often, and the differences between those who played it."""

    kind: str
    rules: RuleSet
    games: int
    differences: tuple[Difference, ...]


class PlayerFigures(Struct, frozen=True, kw_only=True):
    """Figures of everyone, or of one person.

    Attributes:
        people: everyone, or the one who was asked for. kinds: of games, the most played first.
        asked: the one who was asked for.
        luck: by person and kind of game; empty unless it was asked for.
    """

    examined: GamesExamined
    people: tuple[PersonFigures, ...]
    kinds: tuple[GameKind, ...]
    asked: str | None
    luck: Mapping[tuple[str, str], Luck]


class Records(Struct, frozen=True, kw_only=True):
    """The bests of all these games."""

    examined: GamesExamined
    records: tuple[Record, ...]


class Versus(Struct, frozen=True, kw_only=True):
    """Head to head, every two of those named."""

    examined: GamesExamined
    pairs: tuple[HeadToHead, ...]


def examine_games(store: Store, wanted: GameFilter, progress: Progress = no_progress) -> GamesExamined:
    """Read every finished game that is wanted, by its seal; as for lists, only `doctor` judges the events."""
    if wanted.players is not None and wanted.players < 2:
        raise Mistyped(
            "{number} is not a number of players", "type --players 2 or more", number=wanted.players
        )
    since = None if wanted.since is None else app_games.moment(store, wanted.since)
    joined = app_games.joined(store)
    if wanted.played:
        listed = app_games.chosen(app_games.list_games(store), played=wanted.played, joined=joined)
        numbers = [game.game for game in listed.games]
    else:
        store.warn_of_all()
        numbers = store.numbers()

    games = FinishedGames()
    started: dict[int, datetime] = {}
    names = app_games.NamesPlayed()
    titles: dict[str, set[str]] = {}
    unfinished: Counter[str] = Counter()
    undone: Counter[str] = Counter()

    def add(game: RecordedGame) -> None:
        """Count a game; nothing of its entries is kept but their counts."""
        file, result = game.file, game.file.result
        names.add(result.totals, file.started)
        is_recent = since is None or file.started >= since
        if not is_recent or wanted.players not in (None, len(result.totals)):
            return
        played_by = known(file.agreed.rules)
        rules, kind = played_by.rules, played_by.fingerprint
        if game.is_over:
            # whatever may show that the seal lies comes before the first count
            entries, sides = game.entries, game.agreed.sides
            finished = statistics.finished(file.game, rules, kind, result.totals, sides, result.winners)
            games.add(finished, entries)
            started[file.game] = file.started
            undone[kind] += len(game.entered) - len(entries)
        else:
            unfinished[kind] += 1
        titles.setdefault(kind, set()).add(rules.name)

    damaged: list[tuple[int, FileTrouble]] = []
    for number, trouble in store.each(lambda number: store.recorded(number, add), progress, numbers):
        if trouble is not None:
            damaged.append((number, trouble))
    kinds = set(titles if wanted.rules is None else _find_kinds(wanted.rules, titles))
    games = games.only(kinds)
    games.finished.sort(key=lambda game: (started[game.number], game.number))
    left_out = UncountedGames(
        unfinished=sum(unfinished[kind] for kind in kinds),
        undone=sum(undone[kind] for kind in kinds),
        damaged=tuple(damaged),
    )
    return GamesExamined(games=games, started=started, people=names.people(joined), left_out=left_out)


def _find_kinds(wanted: str, kinds: Mapping[str, set[str]]) -> set[str]:
    """Return the fingerprints of the games by a rule set of that name, or the fingerprint that was typed."""
    names = {name: (name,) for of in kinds.values() for name in of}
    try:
        chosen = find(wanted, {kind: (kind,) for kind in kinds} | names, "rule set")
    except NotFound as error:
        raise NotFound("no game here was played by {rules!r}", error.hint, rules=wanted) from error
    return {kind for kind, of in kinds.items() if chosen == kind or chosen in of}


def stats(examined: GamesExamined, player: str | None, judge: LuckJudge | None = None) -> PlayerFigures:
    """Return everyone's figures, or one person's.

    Args:
        judge: works out luck and mistakes of the games that are given to it; without it there are none.
    """
    asked = None if player is None else examined.people.find(player)
    everyone = statistics.people(examined.games, examined.named)
    people = tuple(person for person in everyone if asked in (None, person.name))
    latest = {game.kind: game.rules for game in examined.games.finished}
    counts = Counter(game.kind for game in examined.games.finished)
    kinds = [
        GameKind(
            kind=kind,
            rules=rules,
            games=counts[kind],
            differences=statistics.differences(everyone, kind),
        )
        for kind, rules in latest.items()
        if asked is None or any(kind == each.kind for person in people for each in person.rules)
    ]
    luck: dict[tuple[str, str], Luck] = {}
    if judge is not None:
        games = [
            game
            for game in examined.games.finished
            if asked is None or asked in {examined.named(part.player) for part in game.parts}
        ]
        judged = judge(games)
        found: dict[tuple[str, str], list[Luck]] = {}
        for game in games:
            for part in game.parts:
                own = found.setdefault((examined.named(part.player), game.kind), [])
                own.append(judged[game.number, part.player])
        for key, own in found.items():
            turns = sum(each.keeping_turns for each in own)
            luck[key] = Luck(
                luck=sum(each.luck for each in own) / len(own),
                mistakes=sum(each.mistakes for each in own) / len(own),
                keeping=sum(each.keeping or 0 for each in own) / len(own) if turns else None,
                keeping_turns=turns,
            )
    by_count = tuple(sorted(kinds, key=lambda kind: -kind.games))
    return PlayerFigures(examined=examined, people=people, kinds=by_count, asked=asked, luck=luck)


def records(examined: GamesExamined) -> Records:
    """Return the bests of every kind of game."""
    return Records(examined=examined, records=statistics.records(examined.games.finished, examined.named))


def versus(examined: GamesExamined, players: Sequence[str]) -> Versus:
    """Compare every two of these people, of whom there must be two or more."""
    people = list(dict.fromkeys(map(examined.people.find, players)))
    if len(people) < 2:
        raise Mistyped("head to head takes two different players", "name two, as in generala versus Ana Beto")
    pairs = list(combinations(people, 2))
    met = (
        statistics.head_to_head(examined.games.finished, *pair, examined.named, pairs=len(pairs))
        for pair in pairs
    )
    return Versus(examined=examined, pairs=tuple(met))
