"""What advise, odds and review answer: their JSON documents.

They stand apart from what works them out, which needs numpy: the board, the screen and the schema read them
without. Their figures are rounded only where they are written (`with_rounded_figures`).
"""

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
"""What is as high as can be, by what advice aims at."""
MAXIMISES = MAXIMISED["points"]
"""What all else that is worked out here aims at."""
COSTLIEST = 3
"""The most turns that a review names as the costliest, and choices that it shows as such."""
ChancesToWin = dict[str, Probability] | None
"""The chances to win, by name; null where a game has too many different totals."""


class AdviceCategory(Struct, frozen=True, kw_only=True):
    """How likely a category is scored or scratched in this turn, and how likely the last hand makes it."""

    category: str
    scored: Probability
    scratched: Probability
    made: Probability


class AdviceKeep(KeepChoice, frozen=True, kw_only=True, tag="keep"):
    """Keep these dice and throw the others."""

    payout: Amount | UnsetType = UNSET
    categories: tuple[AdviceCategory, ...]


class AdviceScore(ScoreChoice, frozen=True, kw_only=True, tag="score"):
    """Score the hand; `category` is null for a win beside the sheet."""

    payout: Amount | UnsetType = UNSET


class AdviceScratch(ScratchChoice, frozen=True, kw_only=True, tag="scratch"):
    """Give a category up."""

    payout: Amount | UnsetType = UNSET


AdviceChoice = AdviceKeep | AdviceScore | AdviceScratch


class AdviceBox(Struct, frozen=True, kw_only=True):
    """What playing for one box alone brings in this turn, on average, and how likely its hand is made.

    `keep` is null where the hand is entered as it is; `turn` is what a whole turn for that box brings.
    """

    category: str
    keep: Dice | None
    made: Probability
    points: float
    turn: float


class Advice(Document, frozen=True, kw_only=True):
    """The choices with a hand, best first; `game` and `player` are null where it is of no game.

    They are in order of what they lead to, `to` points, a win or a payout: `points` too where what was
    `asked` for cannot be worked out in some seconds. `exact` is false where the chance or payout is at least
    what is told, for it does not count that one can react to what the others throw, who play for points; of
    two alone, where few boxes are open, the other one plays for the same (`others`), from about so many open
    for each on (`both_from`, where that is still to come). Where the best for points is another than the
    first, it is told.

    Where too many boxes are open to work the whole sheet out, `why` says so, and there are `boxes` in place
    of choices: each by itself, those first that gain most on a whole turn.
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
    """The prospects of a player, or of a team where there are any; `total` is that of now."""

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
        """That of the team, if there are any, else that of the player."""
        return str(self.player if self.team is UNSET else self.team)


class Odds(Document, frozen=True, kw_only=True):
    """Everyone's chances; `game` is null where the rules alone were asked about, with players `1`, `2`."""

    game: Ordinal | None
    over: bool
    rules: str
    maximises: str
    method: Method
    stake: DecimalText
    unit: str
    odds: tuple[OddsPlayer, ...]


class ReviewThrow(Struct, frozen=True, kw_only=True):
    """A throw: the dice that were kept, those that had better been kept, and what that cost."""

    roll: Ordinal
    dice: Dice
    kept: Dice
    best: Dice
    cost: float


class ReviewWin(Struct, frozen=True, kw_only=True):
    """What the choices of a turn cost in chances to win, as `ReviewTurn` tells it in points.

    `exact` is false where it does not count that one could react to what the others threw later.
    """

    keeping: float | None
    keeps: tuple[ReviewThrow, ...]
    mistake: float
    best: str | None
    exact: bool

    @property
    def cost(self) -> float:
        """Of the keeping and the category, as far as they are known."""
        return (self.keeping or 0) + self.mistake


class ReviewTurn(EntryOfTurn, frozen=True, kw_only=True):
    """An entry, looked back on; `keeping` is null where it is not known what was kept.

    `win` is there where the costs in chances to win were asked for: null where they take too long.
    """

    expected: float
    luck: float
    keeping: float | None
    keeps: tuple[ReviewThrow, ...]
    mistake: float
    best: str | None
    chances: ChancesToWin
    win: ReviewWin | UnsetType | None = UNSET


class ReviewPlayer(Struct, frozen=True, kw_only=True):
    total: Count
    luck: float
    keeping: float | None
    mistakes: float
    wins_lost: float | UnsetType = UNSET


class ReviewChange(Struct, frozen=True, kw_only=True):
    """A player joined or left, or the game was ended, after that many turns; the chances to win then."""

    turns: Count
    kind: Literal["joined", "left", "ended"]
    player: str | None
    chances: ChancesToWin


class Review(Document, frozen=True, kw_only=True):
    """A game, looked back on: chances to win at the start and after each turn, and the costliest turns.

    Those are the costliest in points, or in chances `to` win, if that was asked for.
    """

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
        """The chances to win from the start on, after every turn and every change at the table."""
        for turns, chances in enumerate((self.start, *(turn.chances for turn in self.turns))):
            yield chances
            yield from (change.chances for change in self.changes if change.turns == turns)

    @property
    def contenders(self) -> Sequence[str]:
        """The names of all who have chances to win, in seat order, those who came late last."""
        return tuple(dict.fromkeys(name for chances in self.chances for name in chances or ()))
