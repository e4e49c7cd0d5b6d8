"""How people play, from the finished games of many evenings: figures of each, records, head to head.

A win that several share counts as a share for each: half a win for two. A side's win is one of every member.
A game that somebody won at once, or left, counts with the points that stand on its sheet.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Literal

from msgspec import Struct

from generala_cli.game.events import Entry
from generala_cli.game.significance import LEVEL, Sample, paired_test, sign_test, welch_test
from generala_cli.game.standings import contenders_of
from generala_cli.rules.ruleset import Category, RuleSet

Named = Callable[[str], str]
"""What the person of a name in a game is called."""


class Part(Struct, frozen=True, kw_only=True, gc=False):
    """What one player had of a finished game.

    Attributes:
        side: who won or lost: the player alone, or the side. together: that side's total.
        share: of the win; 0 where it was lost.
    """

    player: str
    total: int
    side: str
    together: int
    share: float

    @property
    def place(self) -> tuple[bool, int]:
        """What is higher for who was ahead: a winner of all others, whatever the totals."""
        return self.share > 0, self.together


class Finished(Struct, frozen=True, kw_only=True):
    """A game that is over.

    Attributes:
        number: what tells it from the others. rules: as it was played; `kind` their fingerprint.
        parts: of everyone who sat there, in seat order.
    """

    number: int
    rules: RuleSet
    kind: str
    parts: tuple[Part, ...]


def finished(
    number: int,
    rules: RuleSet,
    kind: str,
    totals: Mapping[str, int],
    sides: Sequence[tuple[str, ...]],
    winners: Sequence[str],
) -> Finished:
    """A game that is over, by what its result says; its players' sides, or none where all are alone.

    `kind` is the fingerprint of the rules.
    """
    parts = []
    for side in contenders_of(sides, totals):
        together = sum(totals[player] for player in side.members)
        share = 1 / len(winners) if side.name in winners else 0.0
        parts += [
            Part(player=player, total=totals[player], side=side.name, together=together, share=share)
            for player in side.members
        ]
    return Finished(number=number, rules=rules, kind=kind, parts=tuple(parts))


Written = tuple[str, str | None, int, bool, int]
"""Of an entry what is counted: player, category, points, whether it was scratched, the throw."""
_written: Callable[[Entry], Written] = attrgetter("player", "category", "points", "scratched", "roll")


class Games:
    """Finished games, in the order in which they were played, and what was written in them.

    Attributes:
        finished: the games. entries: by fingerprint, how often each was written.
    """

    def __init__(self) -> None:
        self.finished: list[Finished] = []
        self.entries: dict[str, Counter[Written]] = {}

    def add(self, game: Finished, entries: Iterable[Entry]) -> None:
        """One more, with the entries that stand in it."""
        self.finished.append(game)
        counts = self.entries.get(game.kind)
        if counts is None:
            counts = self.entries[game.kind] = Counter()
        counts.update(map(_written, entries))

    def only(self, kinds: Container[str]) -> "Games":
        """Those of certain kinds, by their fingerprints."""
        chosen = Games()
        chosen.finished = [game for game in self.finished if game.kind in kinds]
        chosen.entries = {kind: counts for kind, counts in self.entries.items() if kind in kinds}
        return chosen


class InCategory(Struct, frozen=True, kw_only=True):
    """What someone wrote in the boxes of one category.

    Attributes:
        boxes: how many. mean: their points, a scratched one counting 0.
        scratched, served: the shares of those given up, and of those scored on the first throw.
    """

    category: Category
    boxes: int
    mean: float
    best: int
    scratched: float
    served: float


class UnderRules(Struct, frozen=True, kw_only=True):
    """How someone did in the games of one kind.

    Attributes:
        rules: as in the latest of them. kind: their fingerprint.
        wins: a shared one as a share. totals: in the order of the games.
        scratched, served: shares of all boxes written.
        categories: in sheet order, those with a box in them.
    """

    rules: RuleSet
    kind: str
    wins: float
    totals: tuple[int, ...]
    sample: Sample
    boxes: int
    scratched: float
    served: float
    categories: tuple[InCategory, ...]

    @property
    def games(self) -> int:
        """How many."""
        return len(self.totals)

    @property
    def mean(self) -> float:
        """Of the totals."""
        return self.sample.mean

    @property
    def spread(self) -> float | None:
        """The sample standard deviation of the totals; None of a single game."""
        return self.sample.spread

    @property
    def best(self) -> int:
        """The highest total."""
        return max(self.totals)


class Streaks(Struct, frozen=True, kw_only=True):
    """Games in a row that were won, alone or with others; or were not.

    Attributes:
        now: how many up to the latest game: above 0 won, below 0 not.
        won, lost: the longest of each.
    """

    now: int
    won: int
    lost: int


class Person(Struct, frozen=True, kw_only=True):
    """How someone plays. `rules`: by kind of game, the most played first."""

    name: str
    games: int
    wins: float
    streaks: Streaks
    rules: tuple[UnderRules, ...]

    @property
    def win_share(self) -> float:
        """The share of all games that was won."""
        return self.wins / self.games


_Had = tuple[Finished, Part]


def people(games: Games, named: Named) -> tuple[Person, ...]:
    """Everyone in these games, those who played most first, of these who won most."""
    parts: dict[str, list[_Had]] = {}
    for game in games.finished:
        for part in game.parts:
            parts.setdefault(named(part.player), []).append((game, part))
    boxes = _boxes(games.entries, named)
    found = (_person(name, own, boxes) for name, own in parts.items())
    return tuple(sorted(found, key=lambda person: (-person.games, -person.wins)))


_Boxes = Mapping[tuple[str, str], Mapping[str, Counter[tuple[int, bool, bool]]]]
"""By person and kind of game, then by category, how often what was written: points, scratched, served."""


def _boxes(entries: Mapping[str, Counter[Written]], named: Named) -> _Boxes:
    found: dict[tuple[str, str], dict[str, Counter[tuple[int, bool, bool]]]] = {}
    for kind, counts in entries.items():
        for (player, category, points, is_scratched, roll), count in counts.items():
            if category is not None:  # a win beside the sheet is in no box
                own = found.setdefault((named(player), kind), {}).setdefault(category, Counter())
                own[points, is_scratched, roll == 1 and not is_scratched] += count
    return found


def _person(name: str, parts: Sequence[_Had], boxes: _Boxes) -> Person:
    kinds: dict[str, list[_Had]] = {}
    for game, part in parts:
        kinds.setdefault(game.kind, []).append((game, part))
    under = (_under_rules(own, boxes.get((name, kind), {})) for kind, own in kinds.items())
    return Person(
        name=name,
        games=len(parts),
        wins=sum(part.share for _, part in parts),
        streaks=streaks([part.share > 0 for _, part in parts]),
        rules=tuple(sorted(under, key=lambda each: -each.games)),
    )


def streaks(won: Sequence[bool]) -> Streaks:
    """Of games in order, whether each was won."""
    runs = [(is_won, len(list(run))) for is_won, run in groupby(won)]
    last = runs[-1] if runs else (True, 0)
    return Streaks(
        now=last[1] if last[0] else -last[1],
        won=max((length for is_won, length in runs if is_won), default=0),
        lost=max((length for is_won, length in runs if not is_won), default=0),
    )


def _under_rules(parts: Sequence[_Had], boxes: Mapping[str, Counter[tuple[int, bool, bool]]]) -> UnderRules:
    game, _ = parts[-1]
    totals = tuple(part.total for _, part in parts)
    written = sum((boxes[name] for name in boxes), Counter[tuple[int, bool, bool]]())
    return UnderRules(
        rules=game.rules,
        kind=game.kind,
        wins=sum(part.share for _, part in parts),
        totals=totals,
        sample=Sample.of(totals),
        boxes=written.total(),
        scratched=_share(written, 1),
        served=_share(written, 2),
        categories=tuple(_in_category(c, boxes[c.id]) for c in game.rules.categories if c.id in boxes),
    )


def _in_category(category: Category, written: Counter[tuple[int, bool, bool]]) -> InCategory:
    count = written.total()
    return InCategory(
        category=category,
        boxes=count,
        mean=sum(points * times for (points, _, _), times in written.items()) / count,
        best=max(points for points, _, _ in written),
        scratched=_share(written, 1),
        served=_share(written, 2),
    )


def _share(written: Counter[tuple[int, bool, bool]], place: int) -> float:
    """Of what was written, that of which this is so; 0 of nothing."""
    return sum(times for each, times in written.items() if each[place]) / max(1, written.total())


class Difference(Struct, frozen=True, kw_only=True):
    """How much more someone has a game, on average, than another in games of the same kind.

    Attributes:
        p: how often chance alone makes a difference as large (`significance`).
        is_sure: whether that is seldom enough, of as many pairs as were compared; else the games are too few.
    """

    ahead: str
    behind: str
    points: float
    p: float
    is_sure: bool


def differences(found: Sequence[Person], kind: str) -> tuple[Difference, ...]:
    """Between the one with the highest mean in games of a kind and everyone else, by Welch's t.

    The level is shared among all pairs there are (Bonferroni; Dunn, Multiple comparisons among means, 1961),
    for who has the highest mean was seen only afterwards.
    """
    own = [(person.name, each) for person in found for each in person.rules if each.kind == kind]
    first, *others = sorted(own, key=lambda each: -each[1].mean)
    pairs = len(own) * (len(own) - 1) / 2
    told = []
    for name, each in others:
        p = welch_test(first[1].sample, each.sample)
        points = first[1].mean - each.mean
        told.append(Difference(ahead=first[0], behind=name, points=points, p=p, is_sure=p * pairs <= LEVEL))
    return tuple(told)


class Duel(Struct, frozen=True, kw_only=True):
    """Two people in games that both played, not side by side.

    Attributes:
        rules, kind: of the games; of all kinds together None and "".
        ahead: in how many of them the first was ahead of the other; behind, level: likewise.
        p: of being ahead, by the sign test.
        points: how many more the first had, of each game; of all kinds together there are none.
        points_p: of those points, by Student's t of pairs.
    """

    rules: RuleSet | None
    kind: str
    ahead: int
    behind: int
    level: int
    p: float
    points: Sample
    points_p: float

    @property
    def games(self) -> int:
        """How many."""
        return self.ahead + self.behind + self.level

    @property
    def is_sure(self) -> bool:
        """Whether who is ahead more often is hardly chance."""
        return self.p <= LEVEL

    @property
    def is_sure_of_points(self) -> bool:
        """Whether who has more points is hardly chance."""
        return self.points_p <= LEVEL


class HeadToHead(Struct, frozen=True, kw_only=True):
    """Two people against each other: in all their games, and by kind, the most played first."""

    one: str
    other: str
    all: Duel
    rules: tuple[Duel, ...]


def head_to_head(games: Iterable[Finished], one: str, other: str, named: Named) -> HeadToHead:
    """Two people in the games where they were not on one side."""
    met: dict[str, list[tuple[Finished, Part, Part]]] = {}
    for game in games:
        for mine, theirs in _meetings(game, one, other, named):
            met.setdefault(game.kind, []).append((game, mine, theirs))
    duels = sorted(map(_duel, met.values()), key=lambda duel: -duel.games)
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
    )
    return HeadToHead(one=one, other=other, all=whole, rules=tuple(duels))


def _meetings(game: Finished, one: str, other: str, named: Named) -> Iterator[tuple[Part, Part]]:
    mine = [part for part in game.parts if named(part.player) == one]
    theirs = [part for part in game.parts if named(part.player) == other]
    yield from ((own, each) for own in mine for each in theirs if own.side != each.side)


def _duel(met: Sequence[tuple[Finished, Part, Part]]) -> Duel:
    placed = [
        ((mine.share > 0, mine.together), (theirs.share > 0, theirs.together)) for _, mine, theirs in met
    ]
    ahead, behind = sum(one > other for one, other in placed), sum(one < other for one, other in placed)
    points = Sample.of([mine.total - theirs.total for _, mine, theirs in met])
    return Duel(
        rules=met[-1][0].rules,
        kind=met[-1][0].kind,
        ahead=ahead,
        behind=behind,
        level=len(met) - ahead - behind,
        p=sign_test(ahead, behind),
        points=points,
        points_p=paired_test(points),
    )


Best = Literal["highest total", "lowest total that won", "widest margin", "longest run of wins"]


class Held(Struct, frozen=True, kw_only=True):
    """Who holds a record, and the game it was made in; of a run of wins the last of them."""

    name: str
    game: int


class Record(Struct, frozen=True, kw_only=True):
    """A best, of games of one kind; `rules` None: of all. `held`: by all who share it, oldest first."""

    what: Best
    rules: RuleSet | None
    kind: str
    value: int
    held: tuple[Held, ...]


def records(games: Sequence[Finished], named: Named) -> tuple[Record, ...]:
    """The bests of every kind of game, the most played first, and the longest run of wins over all."""
    kinds: dict[str, list[Finished]] = {}
    for game in games:
        kinds.setdefault(game.kind, []).append(game)
    found: list[Record] = []
    for own in sorted(kinds.values(), key=len, reverse=True):
        found += _records_of_kind(own, named)
    return (*found, *_record("longest run of wins", None, _runs(games, named)))


_Made = tuple[int, str, int]
"""A value, whose it is, and the game."""


def _records_of_kind(games: Sequence[Finished], named: Named) -> Iterator[Record]:
    game = games[-1]
    totals = [(part.total, named(part.player), each.number) for each in games for part in each.parts]
    yield from _record("highest total", game, totals)
    sides = [_sides(each, named) for each in games]
    won = [(side.together, side.name, side.game) for of in sides for side in of if side.is_winner]
    yield from _record("lowest total that won", game, won)
    yield from _record("widest margin", game, filter(None, map(_margin, sides)))


class _Side(Struct, frozen=True):
    """Who won or lost a game, under the names of today."""

    name: str
    together: int
    is_winner: bool
    game: int


def _sides(game: Finished, named: Named) -> list[_Side]:
    members: dict[str, list[Part]] = {}
    for part in game.parts:
        members.setdefault(part.side, []).append(part)
    return [
        _Side("+".join(named(part.player) for part in own), own[0].together, own[0].share > 0, game.number)
        for own in members.values()
    ]


def _margin(sides: Sequence[_Side]) -> _Made | None:
    """How far a game's only winner was above the next; None where several won, or others had more."""
    won = [side for side in sides if side.is_winner]
    margin = won[0].together - max(side.together for side in sides if side not in won) if len(won) == 1 else 0
    return (margin, won[0].name, won[0].game) if margin > 0 else None


def _runs(games: Sequence[Finished], named: Named) -> Iterator[_Made]:
    """Every run of wins at its end."""
    running: dict[str, int] = {}
    for game in games:
        won = {named(part.player) for part in game.parts if part.share}
        for name in dict.fromkeys(named(part.player) for part in game.parts):
            running[name] = running.get(name, 0) + 1 if name in won else 0
            yield running[name], name, game.number


def _record(what: Best, game: Finished | None, made: Iterable[_Made]) -> Iterator[Record]:
    """The best of what was made, and who made it; none of nothing."""
    found = list(made)
    if not found:
        return
    value = (min if what.startswith("lowest") else max)(each[0] for each in found)
    held = tuple(Held(name=name, game=number) for best, name, number in found if best == value)
    rules, kind = (None, "") if game is None else (game.rules, game.kind)
    yield Record(what=what, rules=rules, kind=kind, value=value, held=held)
