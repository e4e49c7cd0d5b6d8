"""The answers of advise, odds and review. Reading them needs no numpy."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from generala_cli.app.aims import Aim
from generala_cli.game.money import Amount
from generala_cli.messages import Message
from generala_cli.render.documents import Count, DecimalText, Dice, Document, Method, Ordinal, Probability
from generala_cli.render.documents.choices import KeepChoice, ScoreChoice, ScratchChoice
from generala_cli.render.documents.entries import EntryOfTurn

MAXIMISED: Mapping[Aim, str] = {
    "points": "expected final total",
    "win": "chance to win",
    "payout": "expected payout",
}
"""The value that advice maximizes, by aim."""
MAXIMISES = MAXIMISED["points"]
"""The value that odds and review assume everyone maximizes."""
COSTLIEST = 3
"""The number of turns listed as costliest in a review, and of costly choices shown."""
ChancesToWin = dict[str, Probability] | None
"""The chances to win, by name; null if a game has too many different totals."""


class AdviceCategory(Struct, frozen=True, kw_only=True):
    """The chances that a category is scored or scratched in this turn, and that its hand is made."""

    category: str
    scored: Probability
    scratched: Probability
    made: Probability


Goals = dict[str, Probability]
"""The chance of each row to reach its goal, by category."""


class AdviceKeep(KeepChoice, frozen=True, kw_only=True, tag="keep"):
    payout: Amount | UnsetType = UNSET
    goals: Goals | UnsetType = UNSET
    categories: tuple[AdviceCategory, ...]


class AdviceScore(ScoreChoice, frozen=True, kw_only=True, tag="score"):
    payout: Amount | UnsetType = UNSET
    goals: Goals | UnsetType = UNSET


class AdviceScratch(ScratchChoice, frozen=True, kw_only=True, tag="scratch"):
    payout: Amount | UnsetType = UNSET
    goals: Goals | UnsetType = UNSET


AdviceChoice = AdviceKeep | AdviceScore | AdviceScratch


class AdviceBox(Struct, frozen=True, kw_only=True):
    """The average result of playing this turn for one box only, and the chance to make its hand.

    `keep` is null if the hand is entered, after turning over the dice in `turned`. `turn` is the average of a
    whole turn for that box.
    """

    category: str
    keep: Dice | None
    made: Probability
    points: float
    turn: float
    turned: Dice | UnsetType = UNSET


class Advice(Document, frozen=True, kw_only=True):
    """The choices with a hand, best first. `game` and `player` are null outside of a game.

    `to` is the goal of the choices. It is `points` if the aim in `asked` takes too long to compute. If
    `exact` is false, the result is a lower bound: opponents maximize points, and you ignore their throws.
    With two players and few open boxes, both maximize the same (`others`); `both_from` is the approximate
    number of open boxes each from which they do. `best_for_points` is there if it is not the first choice.

    If rows earn game points, `goals` of a choice has their exact chances to do so, with that choice and then
    the best play for the total. It is omitted if the points of rows are unknown (`--filled`).

    If too many boxes are open to solve the whole sheet, `why` says so, and `boxes` replaces the choices,
    sorted by how much the hand gains on the average turn.
    """

    game: Ordinal | None
    rules: str
    player: str | None
    dice: Dice
    roll: Ordinal
    last_roll: Ordinal
    spares: Count
    total: Count
    maximises: str
    to: Aim
    asked: Aim
    exact: bool
    others: Aim
    both_from: Ordinal | UnsetType = UNSET
    unit: str | UnsetType = UNSET
    instant_value: int | None
    choices: tuple[AdviceChoice, ...]
    best_for_points: AdviceChoice | UnsetType = UNSET
    why: Message | None = None
    boxes: tuple[AdviceBox, ...] = ()


class OddsPlayer(Struct, frozen=True, kw_only=True):
    """The prospects of a player or team. `total` is the current total."""

    player: str | UnsetType = UNSET
    team: str | UnsetType = UNSET
    wins: Probability
    instant_wins: Probability
    total: Count
    expected: float
    spread: float
    payout: Amount

    @property
    def name(self) -> str:
        return str(self.player if self.team is UNSET else self.team)


class Odds(Document, frozen=True, kw_only=True):
    """Everyone's chances. Without a `game`, players are called `1` and `2`."""

    game: Ordinal | None
    over: bool
    rules: str
    maximises: str
    method: Method
    stake: DecimalText
    unit: str
    odds: tuple[OddsPlayer, ...]


class ReviewThrow(Struct, frozen=True, kw_only=True):
    """The dice that were kept, the best dice to keep, and the cost of the difference."""

    roll: Ordinal
    dice: Dice
    kept: Dice
    best: Dice
    cost: float


class ReviewWin(Struct, frozen=True, kw_only=True):
    """The costs of a turn in chances to win; not `exact` if later throws could change the best choice."""

    keeping: float | None
    keeps: tuple[ReviewThrow, ...]
    mistake: float
    best: str | None
    exact: bool

    @property
    def cost(self) -> float:
        return (self.keeping or 0) + self.mistake


class ReviewTurn(EntryOfTurn, frozen=True, kw_only=True):
    """An entry with its luck and costs. Null are `keeping` if unknown, and `win` if it takes too long."""

    expected: float
    luck: float
    keeping: float | None
    keeps: tuple[ReviewThrow, ...]
    mistake: float
    best: str | None
    chances: ChancesToWin
    win: ReviewWin | UnsetType | None = UNSET

    @property
    def cost(self) -> float:
        return (self.keeping or 0) + self.mistake


class ReviewPlayer(Struct, frozen=True, kw_only=True):
    total: Count
    luck: float
    keeping: float | None
    mistakes: float
    wins_lost: float | UnsetType = UNSET


class ReviewChange(Struct, frozen=True, kw_only=True):
    """A change after that many turns: a player joined or left, or the game was ended early."""

    turns: Count
    kind: Literal["joined", "left", "ended"]
    player: str | None
    chances: ChancesToWin


class Review(Document, frozen=True, kw_only=True):
    """A review of a game. `costliest` are turns by points, or by chances to win if `to` is win."""

    game: Ordinal
    rules: str
    over: bool
    maximises: str
    to: Aim
    start: ChancesToWin
    turns: tuple[ReviewTurn, ...]
    changes: tuple[ReviewChange, ...]
    players: dict[str, ReviewPlayer]
    costliest: tuple[Ordinal, ...]

    @property
    def chances(self) -> Iterator[ChancesToWin]:
        """The chances to win at the start, and after every turn and every joining or leaving player."""
        for turns, chances in enumerate((self.start, *(turn.chances for turn in self.turns))):
            yield chances
            yield from (change.chances for change in self.changes if change.turns == turns)

    @property
    def contenders(self) -> Sequence[str]:
        """Everyone with chances to win, in seat order; late players come last."""
        return tuple(dict.fromkeys(name for chances in self.chances for name in chances or ()))
