from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.errors import NotFound, UsageError
from generala_cli.game.events import Entry
from generala_cli.game.people import People
from generala_cli.game.standings import contenders_of
from generala_cli.messages import lazy
from generala_cli.progress import Progress, no_progress
from generala_cli.remedies import in_shell
from generala_cli.render.documents import DamagedGame, damaged
from generala_cli.rules.fingerprint import KnownRules, known
from generala_cli.rules.ruleset import RuleSet
from generala_cli.statistics.answers import LeftOut
from generala_cli.store import game_lists
from generala_cli.store.gamefile import RecordedGame
from generala_cli.store.hooks import joined_names, uncounted_games
from generala_cli.store.store import Store
from generala_cli.text import find


class GameFilter(Struct, frozen=True, kw_only=True):
    """The typed selection of games to count, by default all. `rules` is a name or a fingerprint."""

    rules: str | None = None
    since: str | None = None
    until: str | None = None
    players: int | None = None
    played: Sequence[str] = ()


class PlayerResult(Struct, frozen=True, kw_only=True, gc=False):
    """One player's result; `share` is 1/2 for each of two joint winners, `together` the side's total."""

    player: str
    total: int
    side: str
    together: int
    share: float
    extra_bonuses: int = 0


class FinishedGame(Struct, frozen=True, kw_only=True):
    """A finished game with the points on the sheets, even after an instant win."""

    game: int
    started: datetime
    rules: RuleSet
    fingerprint: str
    results: tuple[PlayerResult, ...]


def finished(
    game: int,
    started: datetime,
    played_by: KnownRules,
    totals: Mapping[str, int],
    sides: Sequence[tuple[str, ...]],
    winners: Sequence[str],
) -> FinishedGame:
    """Return a game from its stored result. `sides` is empty if everyone plays alone."""
    results: list[PlayerResult] = []
    for side in contenders_of(sides, totals):
        together = sum(totals[player] for player in side.members)
        share = 1 / len(winners) if side.name in winners else 0.0
        results += [
            PlayerResult(player=player, total=totals[player], side=side.name, together=together, share=share)
            for player in side.members
        ]
    return FinishedGame(
        game=game,
        started=started,
        rules=played_by.rules,
        fingerprint=played_by.fingerprint,
        results=tuple(results),
    )


_EntryKey = tuple[str, str | None, int, bool, int]
"""The parts of an entry that count: player, category, points, whether it is a scratch, and the throw."""
_entry_key: Callable[[Entry], _EntryKey] = attrgetter(
    "player", "category", "points", "scratched", "price_roll"
)


class FinishedGames:
    def __init__(self) -> None:
        self.finished: list[FinishedGame] = []
        self.entries: dict[str, Counter[_EntryKey]] = {}

    def add(self, game: FinishedGame, entries: Iterable[Entry]) -> None:
        if game.rules.extra_bonus:
            entries = [*entries]
            results = tuple(_with_extra_bonuses(each, game.rules, entries) for each in game.results)
            game = replace(game, results=results)
        self.finished.append(game)
        counts = self.entries.get(game.fingerprint)
        if counts is None:
            counts = self.entries[game.fingerprint] = Counter()
        counts.update(map(_entry_key, entries))


def _with_extra_bonuses(result: PlayerResult, rules: RuleSet, entries: Sequence[Entry]) -> PlayerResult:
    own = [entry for entry in entries if entry.player == result.player]
    numbers = {category.id for category in rules.numbers}
    in_numbers = sum(entry.points for entry in own if entry.category in numbers)
    upper = 0 if rules.upper_bonus is None else rules.upper_bonus.earned(in_numbers)
    outside = result.total - sum(entry.points for entry in own) - upper
    return replace(result, extra_bonuses=outside // rules.extra_bonus)


class ExaminedGames(Struct, frozen=True, kw_only=True, dict=True):
    """The finished games by start, and the number of equal entries by fingerprint."""

    finished: Sequence[FinishedGame]
    entries: Mapping[str, Counter[_EntryKey]]
    people: People
    left_out: LeftOut

    @cached_property
    def rules(self) -> Mapping[str, RuleSet]:
        """The rules by fingerprint, with the name from the latest game."""
        return {game.fingerprint: game.rules for game in self.finished}

    @cached_property
    def counts(self) -> Mapping[str, int]:
        return dict(Counter(game.fingerprint for game in self.finished).most_common())

    @cached_property
    def totals(self) -> Mapping[tuple[str, str], Sequence[int]]:
        """All totals by person and fingerprint. A game counts twice for a person with two names in it."""
        found: dict[tuple[str, str], list[int]] = {}
        for game in self.finished:
            for result in game.results:
                key = (self.people.shown(result.player), game.fingerprint)
                found.setdefault(key, []).append(result.total)
        return found


def read_games(
    store: Store, wanted: GameFilter, add: Callable[[RecordedGame], None], progress: Progress = no_progress
) -> tuple[People, tuple[DamagedGame, ...]]:
    """Read the selected games, and return everyone in any game and the damaged games.

    `add` must validate a game before counting it. The caller applies the filter's `rules`, because all names
    are known only at the end.
    """
    if wanted.players is not None and wanted.players < 2:
        raise UsageError(
            "there cannot be {number} players",
            in_shell(lazy("type --players 2 or more")),
            number=wanted.players,
        )
    within = game_lists.period(store, wanted.since, wanted.until)
    joined = joined_names(store)
    if wanted.played:
        listed = game_lists.chosen(game_lists.list_games(store), played=wanted.played, joined=joined)
        numbers = [game.game for game in listed.games]
    else:
        store.warn_of_all()
        numbers = store.numbers()
    names, uncounted = game_lists.NamesPlayed(), uncounted_games(store)

    def read(game: RecordedGame) -> None:
        file = game.file
        names.add(file.result.totals, file.started)
        is_wanted = within.covers(file.started) and wanted.players in (None, len(file.result.totals))
        if is_wanted and file.id not in uncounted:
            add(game)

    _, unreadable = store.read_all(read, progress, numbers)
    return names.people(joined), damaged(unreadable)


def examine_games(store: Store, wanted: GameFilter, progress: Progress = no_progress) -> ExaminedGames:
    """Read the selected finished games, keeping only counts of their entries in memory."""
    games = FinishedGames()
    titles: dict[str, set[str]] = {}
    unfinished: Counter[str] = Counter()
    undone: Counter[str] = Counter()

    def add(game: RecordedGame) -> None:
        file, result = game.file, game.file.result
        played_by = known(file.agreed.rules)
        if file.has_result:
            entries, sides = game.entries, game.agreed.sides
            found = finished(file.game, file.started, played_by, result.totals, sides, result.winners)
            games.add(found, entries)
            undone[played_by.fingerprint] += len(game.all_entries) - len(entries)
        elif not game.is_over:
            unfinished[played_by.fingerprint] += 1
        titles.setdefault(played_by.fingerprint, set()).add(played_by.rules.name)

    people, unreadable = read_games(store, wanted, add, progress)
    kinds = set(titles if wanted.rules is None else find_kinds(wanted.rules, titles))
    chosen = (game for game in games.finished if game.fingerprint in kinds)
    return ExaminedGames(
        finished=sorted(chosen, key=lambda game: (game.started, game.game)),
        entries={kind: counts for kind, counts in games.entries.items() if kind in kinds},
        people=people,
        left_out=LeftOut(
            unfinished=sum(unfinished[kind] for kind in kinds),
            undone=sum(undone[kind] for kind in kinds),
            damaged=unreadable,
        ),
    )


def find_kinds(wanted: str, kinds: Mapping[str, set[str]]) -> set[str]:
    names = {name: (name,) for of in kinds.values() for name in of}
    try:
        chosen = find(wanted, {kind: (kind,) for kind in kinds} | names, "rule set")
    except NotFound as error:
        raise NotFound("no game here was played with {rules!r}", error.hint, rules=wanted) from error
    return {kind for kind, of in kinds.items() if chosen == kind or chosen in of}
