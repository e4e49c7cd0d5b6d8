from datetime import datetime
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from generala_cli.render.documents import Count, DamagedGame, Document, Ordinal, Probability


class LeftOut(Struct, frozen=True, kw_only=True):
    unfinished: Count
    undone: Count
    damaged: tuple[DamagedGame, ...]


class StatsCategory(Struct, frozen=True, kw_only=True):
    """A player's boxes of a category. `scratched` and `served` are shares.

    A scratched box counts as 0 in the mean. A served box was scored on the first throw.
    """

    category: str
    mean: float
    best: Count
    boxes: Count
    scratched: Probability
    served: Probability


class Streaks(Struct, frozen=True, kw_only=True):
    """The longest streaks. `now` is the current one, negative for losses."""

    now: int
    won: Count
    lost: Count


class GameCost(Struct, frozen=True, kw_only=True):
    """The cost in points of a player's choices, as far as the kept dice are known."""

    game: Ordinal
    cost: float


class StatsRules(Struct, frozen=True, kw_only=True):
    """A player's figures under the same rules. `luck` and `mistakes` are points per game, if requested.

    `keeping` is the cost of kept dice per game, from `keeping_turns` turns in which they are known. `costs`
    lists the cost of each game by its start, if one player was requested. `extra_bonuses` counts those for
    all dice alike.
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
    costs: tuple[GameCost, ...] | UnsetType = UNSET
    categories: tuple[StatsCategory, ...]
    extra_bonuses: Count | UnsetType = UNSET


class StatsPlayer(Struct, frozen=True, kw_only=True):
    """A player's figures. A joint win counts as a share. The rules with the most games come first."""

    player: str
    games: Ordinal
    wins: int | float
    win_share: Probability
    streaks: Streaks
    rules: tuple[StatsRules, ...]


class Difference(Struct, frozen=True, kw_only=True):
    """The difference between two players in points per game, and the probability `p` that chance makes it.

    It is `sure` if `p` is small enough for the number of compared pairs.
    """

    rules: str
    settings: dict[str, str]
    fingerprint: str
    ahead: str
    behind: str
    points: float
    p: Probability
    sure: bool


class Stats(Document, frozen=True, kw_only=True):
    games: Count
    player: str | None
    players: tuple[StatsPlayer, ...]
    differences: tuple[Difference, ...]
    left_out: LeftOut


Best = Literal[
    "highest total",
    "lowest total that won",
    "widest margin",
    "narrowest margin",
    "most scratches",
    "most wins",
    "longest run of wins",
]


class RecordHolder(Struct, frozen=True, kw_only=True):
    """A record holder, and the game of the record, or the last of several games."""

    name: str
    game: Ordinal
    started: datetime


class Record(Struct, frozen=True, kw_only=True):
    """A record with all its holders, oldest first. The rules are null for a record over all games."""

    record: Best
    rules: str | None
    settings: dict[str, str] | None
    fingerprint: str | None
    value: Count
    holders: tuple[RecordHolder, ...]


class Records(Document, frozen=True, kw_only=True):
    games: Count
    records: tuple[Record, ...]
    left_out: LeftOut


class Duel(Struct, frozen=True, kw_only=True):
    """The results of two players against each other. `level` counts ties.

    `p` is the probability that chance makes such a difference. It is `sure` if `p` is small enough for the
    number of compared pairs.
    """

    games: Count
    ahead: dict[str, Count]
    level: Count
    p: Probability
    sure: bool


class VersusRules(Duel, frozen=True, kw_only=True):
    """Two players under the same rules. `mean` is the first player's lead in points per game."""

    rules: str
    settings: dict[str, str]
    fingerprint: str
    mean: float
    spread: float | None
    points_p: Probability
    points_sure: bool


class VersusPair(Duel, frozen=True, kw_only=True):
    """Two players in all their games, and by rules, most played first."""

    players: tuple[str, ...]
    rules: tuple[VersusRules, ...]


class Versus(Document, frozen=True, kw_only=True):
    pairs: tuple[VersusPair, ...]
    left_out: LeftOut


class DiceFace(Struct, frozen=True, kw_only=True):
    """How often a face came. The 95 % confidence interval of its true share is from `low` to `high`."""

    face: Ordinal
    times: Count
    share: Probability
    low: Probability
    high: Probability


class DiceKind(Struct, frozen=True, kw_only=True):
    """The test of all dice with that many `faces`.

    `p` is the probability that fair dice are at least as uneven. They are `sure` to be unfair if it is small
    enough. `notices` is the probability that this many dice reveal a face that comes a fifth too often, and
    `needed` the number that reveals it in 80 of 100 cases.
    """

    faces: Ordinal
    dice: Ordinal
    throws: Ordinal
    counts: tuple[DiceFace, ...]
    p: Probability
    sure: bool
    notices: Probability
    needed: Ordinal


class DiceLeftOut(Struct, frozen=True, kw_only=True):
    """The turns of players whose throws in a game were not all entered, and the damaged games."""

    turns: Count
    damaged: tuple[DamagedGame, ...]


class DiceStats(Document, frozen=True, kw_only=True):
    games: Count
    turns: Count
    player: str | None
    kinds: tuple[DiceKind, ...]
    left_out: DiceLeftOut
