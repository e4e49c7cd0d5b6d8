"""The finished games that statistics count, and what is read of each."""

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
from generala_cli.remedies import InShell
from generala_cli.render.documents import Count, DamagedGame
from generala_cli.rules.fingerprint import KnownRules, known
from generala_cli.rules.ruleset import RuleSet
from generala_cli.store import game_lists
from generala_cli.store.gamefile import RecordedGame
from generala_cli.store.store import Store
from generala_cli.store.tournaments import uncounted_games
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


class PlayerResult(Struct, frozen=True, kw_only=True, gc=False):
    """The result of one player in a finished game.

    Attributes:
        side: the name of who won or lost: the player alone, or the side. together: that side's total.
        share: of the win, half of it where two won; 0 where it was lost. A side's win is one of every member.
        extra_bonuses: how often all alike earned one.
    """

    player: str
    total: int
    side: str
    together: int
    share: float
    extra_bonuses: int = 0


class FinishedGame(Struct, frozen=True, kw_only=True):
    """A game that is over; one that somebody won at once, or left, with the points that stand on its sheet.

    Attributes:
        rules: as it was played, with their `fingerprint`. results: of all players, in seat order.
    """

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
    """Return a game that is over, by its stored result.

    Args:
        sides: the members of each; empty where all play alone.
    """
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
"""The parts of an entry that are counted: player, category, points, whether it was scratched, the throw."""
_entry_key: Callable[[Entry], _EntryKey] = attrgetter("player", "category", "points", "scratched", "roll")


class FinishedGames:
    """Finished games, and how often each entry was made in them, by the fingerprint of the rules."""

    def __init__(self) -> None:
        self.finished: list[FinishedGame] = []
        self.entries: dict[str, Counter[_EntryKey]] = {}

    def add(self, game: FinishedGame, entries: Iterable[Entry]) -> None:
        """Add a game, with the entries that stand in it."""
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
    """Return a result with its extra bonuses: what the total has beside the boxes and the upper bonus."""
    own = [entry for entry in entries if entry.player == result.player]
    numbers = {category.id for category in rules.numbers}
    in_numbers = sum(entry.points for entry in own if entry.category in numbers)
    upper = 0 if rules.upper_bonus is None else rules.upper_bonus.earned(in_numbers)
    beside = result.total - sum(entry.points for entry in own) - upper
    return replace(result, extra_bonuses=beside // rules.extra_bonus)


class LeftOut(Struct, frozen=True, kw_only=True):
    """The games and entries that do not count: unfinished, undone, or not readable."""

    unfinished: Count
    undone: Count
    damaged: tuple[DamagedGame, ...]


class ExaminedGames(Struct, frozen=True, kw_only=True, dict=True):
    """The finished games that were looked at, in the order in which they were started.

    Attributes:
        entries: how often each was made, by the fingerprint of the rules.
        people: everyone in any game, joined names being one person's.
    """

    finished: Sequence[FinishedGame]
    entries: Mapping[str, Counter[_EntryKey]]
    people: People
    left_out: LeftOut

    @cached_property
    def rules(self) -> Mapping[str, RuleSet]:
        """The rules of every kind of game by their fingerprint, called as in the latest game."""
        return {game.fingerprint: game.rules for game in self.finished}

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """The number of games of every kind, by fingerprint, the most played first."""
        return dict(Counter(game.fingerprint for game in self.finished).most_common())

    @cached_property
    def totals(self) -> Mapping[tuple[str, str], Sequence[int]]:
        """Everyone's totals, by person and fingerprint: two of a game that was played under two names."""
        found: dict[tuple[str, str], list[int]] = {}
        for game in self.finished:
            for result in game.results:
                key = (self.people.shown(result.player), game.fingerprint)
                found.setdefault(key, []).append(result.total)
        return found


def read_games(
    store: Store, wanted: GameFilter, add: Callable[[RecordedGame], None], progress: Progress = no_progress
) -> tuple[People, tuple[DamagedGame, ...]]:
    """Read every game that is wanted, by its seal; as for lists, only `doctor` judges the events.

    Args:
        wanted: its `rules` are left to the caller, for which names there are is known only when all is read.
        add: called with each game, over or not. Whatever may show that a seal lies comes before it counts.

    Returns: everyone in any game, joined names being one person's, and the games that cannot be read.
    """
    if wanted.players is not None and wanted.players < 2:
        raise UsageError(
            "{number} is not a number of players",
            InShell(lazy("type --players 2 or more")),
            number=wanted.players,
        )
    since = None if wanted.since is None else game_lists.moment(store, wanted.since)
    joined = game_lists.joined(store)
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
        is_recent = since is None or file.started >= since
        if is_recent and file.id not in uncounted and wanted.players in (None, len(file.result.totals)):
            add(game)

    damaged = [
        DamagedGame(game=number, error=trouble)
        for number, trouble in store.each(lambda number: store.recorded(number, read), progress, numbers)
        if trouble is not None
    ]
    return names.people(joined), tuple(damaged)


def examine_games(store: Store, wanted: GameFilter, progress: Progress = no_progress) -> ExaminedGames:
    """Read every finished game that is wanted; nothing of its entries is kept but their counts."""
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
            undone[played_by.fingerprint] += len(game.entered) - len(entries)
        elif not game.is_over:
            unfinished[played_by.fingerprint] += 1
        titles.setdefault(played_by.fingerprint, set()).add(played_by.rules.name)

    people, damaged = read_games(store, wanted, add, progress)
    kinds = set(titles if wanted.rules is None else find_kinds(wanted.rules, titles))
    chosen = (game for game in games.finished if game.fingerprint in kinds)
    return ExaminedGames(
        finished=sorted(chosen, key=lambda game: (game.started, game.game)),
        entries={kind: counts for kind, counts in games.entries.items() if kind in kinds},
        people=people,
        left_out=LeftOut(
            unfinished=sum(unfinished[kind] for kind in kinds),
            undone=sum(undone[kind] for kind in kinds),
            damaged=damaged,
        ),
    )


def find_kinds(wanted: str, kinds: Mapping[str, set[str]]) -> set[str]:
    """Return the fingerprints of the games by a rule set of that name, or the fingerprint that was typed."""
    names = {name: (name,) for of in kinds.values() for name in of}
    try:
        chosen = find(wanted, {kind: (kind,) for kind in kinds} | names, "rule set")
    except NotFound as error:
        raise NotFound("no game here was played by {rules!r}", error.hint, rules=wanted) from error
    return {kind for kind, of in kinds.items() if chosen == kind or chosen in of}
