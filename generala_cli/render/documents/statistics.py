"""The documents of who plays how: figures, records and who is ahead of whom."""

from datetime import datetime
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, UnsetType

from generala_cli.render.documents import (
    Count,
    DamagedGame,
    Document,
    Ordinal,
    Probability,
    damaged,
    rounded,
)

if TYPE_CHECKING:  # a document needs nothing of what makes the other answers
    from generala_cli.app import statistics as app_statistics
    from generala_cli.game import statistics


class StatsCategory(Struct, frozen=True, kw_only=True):
    """The entries of someone in the boxes of a category; `scratched` and `served` are shares of them."""

    category: str
    mean: float
    best: Count
    boxes: Count
    scratched: Probability
    served: Probability


class StatsStreaks(Struct, frozen=True, kw_only=True):
    """Games in a row that were won or not; `now` is below 0 where those up to now were not won."""

    now: int
    won: Count
    lost: Count


class StatsRules(Struct, frozen=True, kw_only=True):
    """How someone did by the same rules; `luck` and `mistakes`, where asked for, are points a game.

    So is `keeping`, what was kept cost in the turns of which it is known, `keeping_turns` in all.
    `extra_bonuses` is how often all alike earned one, in games that have them.
    """

    rules: str
    settings: dict[str, str]
    fingerprint: str
    games: Count
    wins: int | float
    mean: float
    best: Count
    spread: float | None
    boxes: Count
    scratched: Probability
    served: Probability
    luck: float | UnsetType = UNSET
    mistakes: float | UnsetType = UNSET
    keeping: float | UnsetType | None = UNSET
    keeping_turns: Count | UnsetType = UNSET
    categories: tuple[StatsCategory, ...]
    extra_bonuses: Count | UnsetType = UNSET


class StatsPlayer(Struct, frozen=True, kw_only=True):
    """How someone plays; a win that several share counts as a share."""

    player: str
    games: Ordinal
    wins: int | float
    win_share: Probability
    streaks: StatsStreaks
    rules: tuple[StatsRules, ...]


class StatsDifference(Struct, frozen=True, kw_only=True):
    """How many points a game someone is ahead of another, and how likely chance alone makes that."""

    rules: str
    settings: dict[str, str]
    fingerprint: str
    ahead: str
    behind: str
    points: float
    p: Probability
    sure: bool


class StatsLeftOut(Struct, frozen=True, kw_only=True):
    """The games and entries that do not count: unfinished, undone, or not readable."""

    unfinished: Count
    undone: Count
    damaged: tuple[DamagedGame, ...]


class StatsDocument(Document, frozen=True, kw_only=True):
    games: Count
    players: tuple[StatsPlayer, ...]
    differences: tuple[StatsDifference, ...]
    left_out: StatsLeftOut


class RecordsHolder(Struct, frozen=True, kw_only=True):
    name: str
    game: Ordinal
    started: datetime


class RecordsLine(Struct, frozen=True, kw_only=True):
    """A record; `rules` and what goes with it are null for one over all games."""

    record: str
    rules: str | None
    settings: dict[str, str] | None
    fingerprint: str | None
    value: Count
    holders: tuple[RecordsHolder, ...]


class RecordsDocument(Document, frozen=True, kw_only=True):
    games: Count
    records: tuple[RecordsLine, ...]
    left_out: StatsLeftOut


class VersusRules(Struct, frozen=True, kw_only=True):
    """Two people by the same rules: how often each was ahead, and by how many points a game the first."""

    rules: str
    settings: dict[str, str]
    fingerprint: str
    games: Count
    ahead: dict[str, Count]
    level: Count
    p: Probability
    sure: bool
    mean: float
    spread: float | None
    points_p: Probability
    points_sure: bool


class VersusPair(Struct, frozen=True, kw_only=True):
    """Two people in all their games."""

    players: tuple[str, ...]
    games: Count
    ahead: dict[str, Count]
    level: Count
    p: Probability
    sure: bool
    rules: tuple[VersusRules, ...]


class VersusDocument(Document, frozen=True, kw_only=True):
    pairs: tuple[VersusPair, ...]
    left_out: StatsLeftOut


def stats(answer: "app_statistics.PlayerFigures") -> StatsDocument:
    differences = tuple(
        StatsDifference(
            rules=kind.rules.name,
            settings=dict(kind.rules.settings),
            fingerprint=kind.kind,
            ahead=found.ahead,
            behind=found.behind,
            points=rounded(found.points),
            p=rounded(found.p),
            sure=found.is_sure,
        )
        for kind in answer.kinds
        for found in kind.differences
        if answer.asked in (None, found.ahead, found.behind)
    )
    return StatsDocument(
        games=len(answer.examined.games.finished),
        players=tuple(
            StatsPlayer(
                player=person.name,
                games=person.games,
                wins=_wins(person.wins),
                win_share=rounded(person.win_share),
                streaks=StatsStreaks(
                    now=person.streaks.now, won=person.streaks.won, lost=person.streaks.lost
                ),
                rules=tuple(
                    _under_rules(each, answer.luck.get((person.name, each.kind))) for each in person.rules
                ),
            )
            for person in answer.people
        ),
        differences=differences,
        left_out=_left_out(answer.examined),
    )


def _under_rules(found: "statistics.RulesFigures", luck: "app_statistics.Luck | None") -> StatsRules:
    return StatsRules(
        rules=found.rules.name,
        settings=dict(found.rules.settings),
        fingerprint=found.kind,
        games=found.games,
        wins=_wins(found.wins),
        mean=rounded(found.mean),
        best=found.best,
        spread=None if found.spread is None else rounded(found.spread),
        boxes=found.boxes,
        scratched=rounded(found.scratched),
        served=rounded(found.served),
        luck=UNSET if luck is None else rounded(luck.luck),
        mistakes=UNSET if luck is None else rounded(luck.mistakes),
        keeping=UNSET if luck is None else None if luck.keeping is None else rounded(luck.keeping),
        keeping_turns=UNSET if luck is None else luck.keeping_turns,
        categories=tuple(
            StatsCategory(
                category=each.category.id,
                mean=rounded(each.mean),
                best=each.best,
                boxes=each.boxes,
                scratched=rounded(each.scratched),
                served=rounded(each.served),
            )
            for each in found.categories
        ),
        extra_bonuses=found.extras if found.rules.extra_bonus else UNSET,
    )


def _wins(wins: float) -> int | float:
    """Return a whole number as such: only joint wins make it anything else."""
    return int(rounded(wins)) if rounded(wins).is_integer() else rounded(wins)


def _left_out(examined: "app_statistics.GamesExamined") -> StatsLeftOut:
    found = examined.left_out
    return StatsLeftOut(unfinished=found.unfinished, undone=found.undone, damaged=damaged(found.damaged))


def records(answer: "app_statistics.Records") -> RecordsDocument:
    return RecordsDocument(
        games=len(answer.examined.games.finished),
        records=tuple(
            RecordsLine(
                record=each.what,
                rules=None if each.rules is None else each.rules.name,
                settings=None if each.rules is None else dict(each.rules.settings),
                fingerprint=None if each.rules is None else each.kind,
                value=each.value,
                holders=tuple(
                    RecordsHolder(name=held.name, game=held.game, started=answer.examined.started[held.game])
                    for held in each.held
                ),
            )
            for each in answer.records
        ),
        left_out=_left_out(answer.examined),
    )


def versus(answer: "app_statistics.Versus") -> VersusDocument:
    pairs = []
    for pair in answer.pairs:
        under_rules = tuple(
            VersusRules(
                rules=duel.rules.name,
                settings=dict(duel.rules.settings),
                fingerprint=duel.kind,
                games=duel.games,
                ahead={pair.one: duel.ahead, pair.other: duel.behind},
                level=duel.level,
                p=rounded(duel.p),
                sure=duel.is_sure,
                mean=rounded(duel.points.mean),
                spread=None if duel.points.spread is None else rounded(duel.points.spread),
                points_p=rounded(duel.points_p),
                points_sure=duel.is_sure_of_points,
            )
            for duel in pair.rules
            if duel.rules is not None
        )
        whole = pair.all
        pairs.append(
            VersusPair(
                players=(pair.one, pair.other),
                games=whole.games,
                ahead={pair.one: whole.ahead, pair.other: whole.behind},
                level=whole.level,
                p=rounded(whole.p),
                sure=whole.is_sure,
                rules=under_rules,
            )
        )
    return VersusDocument(pairs=tuple(pairs), left_out=_left_out(answer.examined))
