"""Statistics of finished games: figures of each player, records, head to head.

A win that several share counts as a share for each: half a win for two. A side's win is one of every member.
A game that somebody won at once, or left, counts with the points that stand on its sheet.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.game.events import Entry
from generala_cli.game.people import ShownName
from generala_cli.game.significance import LEVEL, Sample, paired_test, sign_test, welch_test
from generala_cli.game.standings import contenders_of
from generala_cli.rules.ruleset import Category, RuleSet


class PlayerResult(Struct, frozen=True, kw_only=True, gc=False):
    """The result of one player in a finished game.

    Attributes:
        side: the name of who won or lost: the player alone, or the side. together: that side's total.
        share: of the win; 0 where it was lost.
        extras: how often all alike earned the extra bonus.
    """

    player: str
    total: int
    side: str
    together: int
    share: float
    extras: int = 0


class FinishedGame(Struct, frozen=True, kw_only=True):
    """A game that is over.

    Attributes:
        number: of the game. rules: as it was played. kind: their fingerprint.
        parts: the results of all players, in seat order.
    """

    number: int
    rules: RuleSet
    kind: str
    parts: tuple[PlayerResult, ...]


def finished(
    number: int,
    rules: RuleSet,
    kind: str,
    totals: Mapping[str, int],
    sides: Sequence[tuple[str, ...]],
    winners: Sequence[str],
) -> FinishedGame:
    """Return a game that is over, by its stored result.

    Args:
        kind: the fingerprint of the rules. sides: the members of each; empty where all play alone.
    """
    parts: list[PlayerResult] = []
    for side in contenders_of(sides, totals):
        together = sum(totals[player] for player in side.members)
        share = 1 / len(winners) if side.name in winners else 0.0
        parts += [
            PlayerResult(player=player, total=totals[player], side=side.name, together=together, share=share)
            for player in side.members
        ]
    return FinishedGame(number=number, rules=rules, kind=kind, parts=tuple(parts))


_EntryKey = tuple[str, str | None, int, bool, int]
"""The parts of an entry that are counted: player, category, points, whether it was scratched, the throw."""
_entry_key: Callable[[Entry], _EntryKey] = attrgetter("player", "category", "points", "scratched", "roll")


class FinishedGames:
    """Finished games, in the order in which they were played, and how often each entry was made in them.

    Attributes:
        entries: the counts of entries, by the fingerprint of the rules.
    """

    def __init__(self) -> None:
        self.finished: list[FinishedGame] = []
        self.entries: dict[str, Counter[_EntryKey]] = {}

    def add(self, game: FinishedGame, entries: Iterable[Entry]) -> None:
        """Add a game, with the entries that stand in it."""
        if game.rules.extra_bonus:
            entries = [*entries]
            game = replace(game, parts=tuple(_with_extras(part, game.rules, entries) for part in game.parts))
        self.finished.append(game)
        counts = self.entries.get(game.kind)
        if counts is None:
            counts = self.entries[game.kind] = Counter()
        counts.update(map(_entry_key, entries))

    def only(self, kinds: Container[str]) -> "FinishedGames":
        """Return the games of certain kinds, given by their fingerprints."""
        chosen = FinishedGames()
        chosen.finished = [game for game in self.finished if game.kind in kinds]
        chosen.entries = {kind: counts for kind, counts in self.entries.items() if kind in kinds}
        return chosen


def _with_extras(part: PlayerResult, rules: RuleSet, entries: Sequence[Entry]) -> PlayerResult:
    """Return a result with its extra bonuses: what the total has beside the boxes and the upper bonus."""
    own = [entry for entry in entries if entry.player == part.player]
    numbers = {category.id for category in rules.numbers}
    in_numbers = sum(entry.points for entry in own if entry.category in numbers)
    upper = 0 if rules.upper_bonus is None else rules.upper_bonus.earned(in_numbers)
    beside = part.total - sum(entry.points for entry in own) - upper
    return replace(part, extras=beside // rules.extra_bonus)


class CategoryFigures(Struct, frozen=True, kw_only=True):
    """The figures of one person in one category.

    Attributes:
        boxes: how many. mean: of their points, a scratched one counting 0.
        scratched, served: the share of them that was scratched, and that was scored on the first throw.
    """

    category: Category
    boxes: int
    mean: float
    best: int
    scratched: float
    served: float


class RulesFigures(Struct, frozen=True, kw_only=True):
    """The figures of one person in the games of one kind.

    Attributes:
        rules: as in the latest of them. kind: their fingerprint. games: how many.
        wins: a shared one counts as a share.
        totals: in the order of the games; two of one in which somebody has two columns under two names.
        scratched, served: shares of all boxes.
        categories: in sheet order, those with an entry.
        extras: how often all alike earned the extra bonus.
    """

    rules: RuleSet
    kind: str
    games: int
    wins: float
    totals: tuple[int, ...]
    sample: Sample
    boxes: int
    scratched: float
    served: float
    categories: tuple[CategoryFigures, ...]
    extras: int

    @property
    def mean(self) -> float:
        """The mean of the totals."""
        return self.sample.mean

    @property
    def spread(self) -> float | None:
        """The sample standard deviation of the totals; None for a single game."""
        return self.sample.spread

    @property
    def best(self) -> int:
        """The highest total."""
        return max(self.totals)


class Streaks(Struct, frozen=True, kw_only=True):
    """Games in a row that were won, alone or with others, or lost.

    Attributes:
        now: how many up to the latest game: above 0 won, below 0 lost.
        won, lost: the longest of each.
    """

    now: int
    won: int
    lost: int


class PersonFigures(Struct, frozen=True, kw_only=True):
    """The figures of one person. `rules`: by kind of game, the most played first."""

    name: str
    games: int
    wins: float
    streaks: Streaks
    rules: tuple[RulesFigures, ...]

    @property
    def win_share(self) -> float:
        """The share of all games that was won."""
        return self.wins / self.games


_GameResult = tuple[FinishedGame, PlayerResult]


_Boxes = Counter[tuple[int, bool, bool]]
"""The number of boxes with these points, scratched or not, served or not."""


def people(games: FinishedGames, shown: ShownName) -> tuple[PersonFigures, ...]:
    """Return everyone in these games, those who played most first, of these those who won most."""
    boxes: dict[tuple[str, str], dict[str, _Boxes]] = {}
    for kind, counts in games.entries.items():
        for (player, category, points, is_scratched, roll), count in counts.items():
            if category is not None:  # a win beside the sheet is in no box
                own = boxes.setdefault((shown(player), kind), {}).setdefault(category, Counter())
                own[points, is_scratched, roll == 1 and not is_scratched] += count
    results: dict[str, list[_GameResult]] = {}
    for game in games.finished:
        for part in game.parts:
            results.setdefault(shown(part.player), []).append((game, part))
    found: list[PersonFigures] = []
    for name, played in results.items():
        kinds: dict[str, list[_GameResult]] = {}
        for game, part in played:
            kinds.setdefault(game.kind, []).append((game, part))
        by_game = groupby(played, lambda each: each[0].number)
        rules = [_under_rules(own, boxes.get((name, kind), {})) for kind, own in kinds.items()]
        person = PersonFigures(
            name=name,
            games=_count_games(played),
            wins=sum(part.share for _, part in played),
            streaks=streaks([any(part.share for _, part in own) for _, own in by_game]),
            rules=tuple(sorted(rules, key=lambda each: -each.games)),
        )
        found.append(person)
    return tuple(sorted(found, key=lambda person: (-person.games, -person.wins)))


def _count_games(results: Sequence[_GameResult]) -> int:
    """Return how many games these are: somebody may have played one under two names, joined since."""
    return len({game.number for game, _ in results})


def streaks(won: Sequence[bool]) -> Streaks:
    """Return the streaks of games in order, given whether each was won."""
    runs = [(is_won, len(list(run))) for is_won, run in groupby(won)]
    last = runs[-1] if runs else (True, 0)
    return Streaks(
        now=last[1] if last[0] else -last[1],
        won=max((length for is_won, length in runs if is_won), default=0),
        lost=max((length for is_won, length in runs if not is_won), default=0),
    )


def _under_rules(results: Sequence[_GameResult], boxes: Mapping[str, _Boxes]) -> RulesFigures:
    game, _ = results[-1]
    totals = tuple(part.total for _, part in results)
    every = sum(boxes.values(), _Boxes())
    categories = [
        CategoryFigures(
            category=category,
            boxes=own.total(),
            mean=sum(points * times for (points, _, _), times in own.items()) / own.total(),
            best=max(points for points, _, _ in own),
            scratched=_scratched_share(own),
            served=_served_share(own),
        )
        for category in game.rules.categories
        if (own := boxes.get(category.id))
    ]
    return RulesFigures(
        rules=game.rules,
        kind=game.kind,
        games=_count_games(results),
        wins=sum(part.share for _, part in results),
        totals=totals,
        sample=Sample.of(totals),
        boxes=every.total(),
        scratched=_scratched_share(every),
        served=_served_share(every),
        categories=tuple(categories),
        extras=sum(part.extras for _, part in results),
    )


def _scratched_share(boxes: _Boxes) -> float:
    return sum(times for (_, is_scratched, _), times in boxes.items() if is_scratched) / max(1, boxes.total())


def _served_share(boxes: _Boxes) -> float:
    return sum(times for (_, _, is_served), times in boxes.items() if is_served) / max(1, boxes.total())


class Difference(Struct, frozen=True, kw_only=True):
    """The points that someone has more than another on average, in games of one kind.

    Attributes:
        p: how often chance alone makes a difference as large (see `significance`).
        is_sure: whether that is seldom enough for as many pairs as were compared; else games are too few.
    """

    ahead: str
    behind: str
    points: float
    p: float
    is_sure: bool


def differences(found: Sequence[PersonFigures], kind: str) -> tuple[Difference, ...]:
    """Compare the one with the highest mean in games of a kind with everyone else, by Welch's t.

    The level is shared among all pairs (Bonferroni; Dunn, Multiple comparisons among means, 1961), because
    who has the highest mean was seen only afterwards.
    """
    own = [(person.name, each) for person in found for each in person.rules if each.kind == kind]
    first, *others = sorted(own, key=lambda each: -each[1].mean)
    pairs = len(own) * (len(own) - 1) / 2
    compared: list[Difference] = []
    for name, each in others:
        p = welch_test(first[1].sample, each.sample)
        points = first[1].mean - each.mean
        is_sure = p * pairs <= LEVEL
        compared.append(Difference(ahead=first[0], behind=name, points=points, p=p, is_sure=is_sure))
    return tuple(compared)


class Duel(Struct, frozen=True, kw_only=True):
    """Two people in the games that both played, but not on one side.

    Attributes:
        rules, kind: of the games; None and "" for all kinds together.
        ahead, behind, level: in how many games the first was ahead of the other, behind, or level.
        p: of being ahead, by the sign test.
        points: how many more the first had in each game; none for all kinds together.
        points_p: of those points, by Student's t of pairs.
        pairs: how many two are compared at once, among whom the level is shared (Bonferroni).
    """

    rules: RuleSet | None
    kind: str
    ahead: int
    behind: int
    level: int
    p: float
    points: Sample
    points_p: float
    pairs: int

    @property
    def games(self) -> int:
        """The number of games."""
        return self.ahead + self.behind + self.level

    @property
    def is_sure(self) -> bool:
        """Whether who is ahead more often is hardly chance."""
        return self.p * self.pairs <= LEVEL

    @property
    def is_sure_of_points(self) -> bool:
        """Whether who has more points is hardly chance."""
        return self.points_p * self.pairs <= LEVEL


class HeadToHead(Struct, frozen=True, kw_only=True):
    """Two people against each other: in all their games, and by kind, the most played first."""

    one: str
    other: str
    all: Duel
    rules: tuple[Duel, ...]


def head_to_head(
    games: Iterable[FinishedGame], one: str, other: str, shown: ShownName, *, pairs: int = 1
) -> HeadToHead:
    """Compare two people in the games where they were not on one side.

    Args:
        pairs: how many two are compared at once: of many who are equally good, some two lie far apart.
    """
    met: dict[str, list[tuple[FinishedGame, PlayerResult, PlayerResult]]] = {}
    for game in games:
        mine, theirs = _best_part(game, one, shown), _best_part(game, other, shown)
        if mine is not None and theirs is not None and mine.side != theirs.side:
            met.setdefault(game.kind, []).append((game, mine, theirs))
    duels = sorted((_duel(of_kind, pairs) for of_kind in met.values()), key=lambda duel: -duel.games)
    ahead, behind = sum(duel.ahead for duel in duels), sum(duel.behind for duel in duels)
    whole = Duel(
        rules=None,
        kind="",
        ahead=ahead,
        behind=behind,
        level=sum(duel.level for duel in duels),
        p=sign_test(ahead, behind),
        points=Sample(),
        points_p=1.0,
        pairs=pairs,
    )
    return HeadToHead(one=one, other=other, all=whole, rules=tuple(duels))


def _best_part(game: FinishedGame, person: str, shown: ShownName) -> PlayerResult | None:
    """Return how somebody fared in a game: one whose two names both played, before they were joined, once."""
    parts = (part for part in game.parts if shown(part.player) == person)
    return max(parts, key=lambda part: (part.share > 0, part.total), default=None)


def _duel(met: Sequence[tuple[FinishedGame, PlayerResult, PlayerResult]], pairs: int) -> Duel:
    ahead = behind = 0
    for _, mine, theirs in met:
        # a winner is ahead of all others, whatever the totals
        one, other = (mine.share > 0, mine.together), (theirs.share > 0, theirs.together)
        ahead += one > other
        behind += one < other
    points = Sample.of([mine.total - theirs.total for _, mine, theirs in met])
    game, _, _ = met[-1]
    return Duel(
        rules=game.rules,
        kind=game.kind,
        ahead=ahead,
        behind=behind,
        level=len(met) - ahead - behind,
        p=sign_test(ahead, behind),
        points=points,
        points_p=paired_test(points),
        pairs=pairs,
    )


Best = Literal["highest total", "lowest total that won", "widest margin", "longest run of wins"]


class RecordHolder(Struct, frozen=True, kw_only=True):
    """Who holds a record, and the game it was made in: for a run of wins the last of them."""

    name: str
    game: int


class Record(Struct, frozen=True, kw_only=True):
    """The best of games of one kind, or of all where `rules` is None.

    Attributes:
        held: by all who share it, oldest first.
    """

    what: Best
    rules: RuleSet | None
    kind: str
    value: int
    held: tuple[RecordHolder, ...]


_Feat = tuple[int, str, int]
"""A value, who reached it, and the game."""


def records(games: Sequence[FinishedGame], shown: ShownName) -> tuple[Record, ...]:
    """Return the bests of every kind of game, the most played first, and the longest run of wins over all."""
    kinds: dict[str, list[FinishedGame]] = {}
    for game in games:
        kinds.setdefault(game.kind, []).append(game)
    found: list[Record] = []
    for own in sorted(kinds.values(), key=len, reverse=True):
        totals = [(part.total, shown(part.player), game.number) for game in own for part in game.parts]
        won: list[_Feat] = []
        margins: list[_Feat] = []
        for game in own:
            sides = _sides(game, shown)
            winners = [(total, name, game.number) for name, total, is_winner in sides if is_winner]
            won += winners
            if len(winners) == 1:
                total, name, _ = winners[0]
                margin = total - max(other for _, other, is_winner in sides if not is_winner)
                if margin > 0:  # else the others had more than who won at once
                    margins.append((margin, name, game.number))
        found += _record("highest total", own[-1], totals)
        found += _record("lowest total that won", own[-1], won)
        found += _record("widest margin", own[-1], margins)
    running: dict[str, int] = {}
    runs: list[_Feat] = []
    for game in games:
        winning = {shown(part.player) for part in game.parts if part.share}
        for name in dict.fromkeys(shown(part.player) for part in game.parts):
            running[name] = running.get(name, 0) + 1 if name in winning else 0
            runs.append((running[name], name, game.number))
    return (*found, *_record("longest run of wins", None, runs))


def _sides(game: FinishedGame, shown: ShownName) -> list[tuple[str, int, bool]]:
    """Return the name that is shown for each side, its total, and whether it won."""
    members: dict[str, list[PlayerResult]] = {}
    for part in game.parts:
        members.setdefault(part.side, []).append(part)
    return [
        ("+".join(shown(part.player) for part in own), own[0].together, own[0].share > 0)
        for own in members.values()
    ]


def _record(what: Best, game: FinishedGame | None, feats: Sequence[_Feat]) -> Iterator[Record]:
    """Yield the best of these and who reached it; nothing where there are none."""
    if not feats:
        return
    value = (min if what == "lowest total that won" else max)(each[0] for each in feats)
    held = tuple(RecordHolder(name=name, game=number) for best, name, number in feats if best == value)
    rules, kind = (None, "") if game is None else (game.rules, game.kind)
    yield Record(what=what, rules=rules, kind=kind, value=value, held=held)
