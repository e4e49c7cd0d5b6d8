"""The documents of what is worked out: advice, chances to win, and a game looked back on."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import UNSET, Struct, UnsetType

from generala_cli.game.events import Joined
from generala_cli.game.money import decimal_text
from generala_cli.game.standings import contenders
from generala_cli.render.documents import (
    Count,
    DecimalText,
    Dice,
    Document,
    Method,
    Ordinal,
    Probability,
    rounded,
)
from generala_cli.render.documents.entries import EntryThrow, throws

if TYPE_CHECKING:  # a document needs nothing of what makes the other answers
    from generala_cli.app import odds as app_odds
    from generala_cli.odds.advice import Choice

_MAXIMISES = "expected final total"
_PAYOUT_PLACES = 6
ChancesToWin = dict[str, Probability] | None
"""The chances to win, by name; null where a game has too many different totals."""


class AdviceCategory(Struct, frozen=True, kw_only=True):
    """How likely a category is scored or scratched in this turn, and how likely the last hand makes it."""

    category: str
    scored: Probability
    scratched: Probability
    made: Probability


class AdviceKeep(Struct, frozen=True, kw_only=True, tag_field="action", tag="keep"):
    """Keep these dice and throw the others."""

    keep: Dice
    expected: float
    cost: float
    categories: tuple[AdviceCategory, ...]


class AdviceEntry(Struct, frozen=True, kw_only=True, tag_field="action"):
    category: str | None
    points: Count
    instant_win: bool
    expected: float
    cost: float


class AdviceScore(AdviceEntry, frozen=True, kw_only=True, tag="score"):
    """Score the hand; `category` is null for a win beside the sheet."""


class AdviceScratch(AdviceEntry, frozen=True, kw_only=True, tag="scratch"):
    """Give a category up."""


class AdviceDocument(Document, frozen=True, kw_only=True):
    """The choices with a hand, best first; `game` and `player` are null where it is of no game."""

    game: Ordinal | None
    rules: str
    player: str | None
    dice: Dice
    roll: Ordinal
    last_roll: Ordinal
    spares: Count
    total: Count
    maximises: str
    instant_value: int | None
    choices: tuple[AdviceKeep | AdviceScore | AdviceScratch, ...]


class OddsPlayer(Struct, frozen=True, kw_only=True):
    """The prospects of a player, or of a team where there are any; `total` is that of now."""

    player: str | UnsetType = UNSET
    team: str | UnsetType = UNSET
    wins: Probability
    instant_wins: Probability
    total: Count
    expected: float
    spread: float
    payout: DecimalText


class OddsDocument(Document, frozen=True, kw_only=True):
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


class ReviewTurn(Struct, frozen=True, kw_only=True):
    """An entry, looked back on; `keeping` is null where it is not known what was kept."""

    turn: Ordinal
    player: str
    dice: Dice | None
    roll: Ordinal
    category: str | None
    points: Count
    scratched: bool
    instant_win: bool
    throws: tuple[EntryThrow, ...] | UnsetType = UNSET
    expected: float
    luck: float
    keeping: float | None
    keeps: tuple[ReviewThrow, ...]
    mistake: float
    best: str | None
    chances: ChancesToWin


class ReviewPlayer(Struct, frozen=True, kw_only=True):
    total: Count
    luck: float
    keeping: float | None
    mistakes: float


class ReviewChange(Struct, frozen=True, kw_only=True):
    """Someone who came or left after so many turns, and the chances to win from then on."""

    turns: Count
    kind: Literal["joined", "left"]
    player: str
    chances: ChancesToWin


class ReviewDocument(Document, frozen=True, kw_only=True):
    """A game, looked back on: chances to win at the start and after each turn, and the costliest turns."""

    game: Ordinal
    rules: str
    over: bool
    maximises: str
    start: ChancesToWin
    turns: tuple[ReviewTurn, ...]
    changes: tuple[ReviewChange, ...]
    players: dict[str, ReviewPlayer]
    costliest: tuple[Ordinal, ...]


def advice(answer: "app_odds.Advised", top: int | None = None) -> AdviceDocument:
    """Return the best choices with a hand: all of them, or the top ones."""
    advised = answer.advice
    return AdviceDocument(
        game=answer.number,
        rules=answer.rules.name,
        player=answer.player,
        dice=advised.dice,
        roll=advised.throw,
        last_roll=advised.last,
        spares=answer.sheet.spares,
        total=answer.sheet.total,
        maximises=_MAXIMISES,
        instant_value=answer.instant_value,
        choices=tuple(map(_choice, advised.choices[:top])),
    )


def _choice(choice: "Choice") -> AdviceKeep | AdviceScore | AdviceScratch:
    from generala_cli.odds.advice import Keeping  # with numpy, which advice has by now

    if isinstance(choice, Keeping):
        return AdviceKeep(
            keep=choice.kept,
            expected=rounded(choice.expected),
            cost=rounded(choice.cost),
            categories=tuple(
                AdviceCategory(
                    category=each.category.id,
                    scored=rounded(each.scored),
                    scratched=rounded(each.scratched),
                    made=rounded(each.made),
                )
                for each in choice.likely
            ),
        )
    kind = AdviceScore if choice.points or choice.instant_win else AdviceScratch
    return kind(
        category=None if choice.category is None else choice.category.id,
        points=choice.points,
        instant_win=choice.instant_win,
        expected=rounded(choice.expected),
        cost=rounded(choice.cost),
    )


def odds(answer: "app_odds.Chances") -> OddsDocument:
    from generala_cli.app.odds import expected_payouts  # with numpy, which odds have by now

    game, agreed, has_teams = answer.game, answer.game.agreed, bool(answer.game.agreed.sides)
    payouts = expected_payouts(answer.chances, agreed.stake, _PAYOUT_PLACES)
    return OddsDocument(
        game=answer.number,
        over=game.is_over,
        rules=agreed.rules.name,
        maximises=_MAXIMISES,
        method=agreed.payout,
        stake=agreed.stake,
        unit=agreed.unit,
        odds=tuple(
            OddsPlayer(
                player=UNSET if has_teams else chance.contender.name,
                team=chance.contender.name if has_teams else UNSET,
                wins=rounded(chance.expected.wins),
                instant_wins=rounded(chance.expected.instant_wins),
                total=chance.total,
                expected=rounded(chance.expected.total),
                spread=rounded(chance.expected.spread),
                payout=decimal_text(payout),
            )
            for chance, payout in zip(answer.chances, payouts, strict=True)
        ),
    )


def review(answer: "app_odds.Review") -> ReviewDocument:
    game = answer.game
    names = [side.name for side in contenders(game)]
    return ReviewDocument(
        game=answer.number,
        rules=game.rules.name,
        over=game.is_over,
        maximises=_MAXIMISES,
        start=_chances(names, answer.start),
        turns=tuple(_turn(turn, names) for turn in answer.turns),
        changes=tuple(
            ReviewChange(
                turns=each.turns,
                kind="joined" if isinstance(each.change, Joined) else "left",
                player=each.change.player,
                chances=_chances(names, each.chances),
            )
            for each in answer.changes
        ),
        players={
            player: ReviewPlayer(
                total=game.total(player),
                luck=rounded(answer.luck(player)),
                keeping=_rounded_if_known(answer.keeping(player)),
                mistakes=rounded(answer.mistakes(player)),
            )
            for player in game.seats
        },
        costliest=tuple(turn.turn for turn in answer.costliest),
    )


def _turn(turn: "app_odds.ReviewedTurn", names: Sequence[str]) -> ReviewTurn:
    entry, judged = turn.entry, turn.judged
    return ReviewTurn(
        turn=turn.turn,
        player=entry.player,
        dice=entry.dice,
        roll=entry.roll,
        category=entry.category,
        points=entry.points,
        scratched=entry.scratched,
        instant_win=entry.instant_win,
        throws=throws(entry),
        expected=rounded(judged.expected),
        luck=rounded(judged.luck),
        keeping=_rounded_if_known(judged.keeping),
        keeps=tuple(
            ReviewThrow(
                roll=each.roll, dice=each.dice, kept=each.kept, best=each.best, cost=rounded(each.cost)
            )
            for each in judged.keeps
        ),
        mistake=rounded(judged.mistake),
        best=judged.best,
        chances=_chances(names, turn.chances),
    )


def _rounded_if_known(value: float | None) -> float | None:
    return None if value is None else rounded(value)


def _chances(names: Sequence[str], of: "app_odds.ToWin") -> dict[str, float] | None:
    """Return the chances by name; those who had not come yet are left out."""
    return None if of is None else {name: rounded(chance) for name, chance in zip(names, of, strict=False)}
