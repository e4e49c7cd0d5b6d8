"""The documents of what is worked out: advice, chances to win, and a game looked back on."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from generala_cli.game.money import plain
from generala_cli.game.standings import contenders
from generala_cli.render.documents import (
    STAKE,
    WHO,
    Amount,
    Chance,
    Count,
    Dice,
    Fields,
    Optional,
    Ordinal,
    by_name,
    document,
    filled,
    many,
    record,
    rounded,
)
from generala_cli.render.documents.game import ENTRY, who

if TYPE_CHECKING:  # a document needs nothing of what makes the other answers
    from generala_cli.app import odds as app_odds
    from generala_cli.odds.advice import Choice

_MAXIMISES = "expected final total"
_PAYOUT_PLACES = 6
Chances = by_name(Chance) | None  # null where a game has too many different totals

Likely = record("Likely", category=str, scored=Chance, scratched=Chance, made=Chance)
FIGURES: Fields = {"expected": float, "cost": float}
Keep = record("Keep", ("action", "keep"), keep=Dice, **FIGURES, categories=many(Likely))
ENTER: Fields = {"category": Optional, "points": Count, "instant_win": bool, **FIGURES}
Score = record("Score", ("action", "score"), **ENTER)
Scratch = record("Scratch", ("action", "scratch"), **ENTER)
ASKED: Fields = {"game": Ordinal | None, "rules": str, "player": Optional}
TURN: Fields = {"dice": Dice, "roll": Ordinal, "last_roll": Ordinal, "spares": Count, "total": Count}
CHOICES: Fields = {"maximises": str, "instant_value": int | None, "choices": many(Keep | Score | Scratch)}
Advice = document("Advice", **ASKED, **TURN, **CHOICES)
WINS: Fields = {"wins": Chance, "instant_wins": Chance, "total": Count, "expected": float, "spread": float}
PlayerOdds = record("PlayerOdds", **WHO, **WINS, payout=Amount)
Odds = document("Odds", game=Ordinal, over=bool, rules=str, maximises=str, **STAKE, odds=many(PlayerOdds))
KeptThrow = record("KeptThrow", roll=Ordinal, dice=Dice, kept=Dice, best=Dice, cost=float)
KEEPING: Fields = {"keeping": float | None, "keeps": many(KeptThrow)}  # null where it is not known
COSTS: Fields = {**KEEPING, "mistake": float, "best": Optional}
JUDGED: Fields = {"expected": float, "luck": float, **COSTS, "chances": Chances}
ReviewedTurn = record("ReviewedTurn", turn=Ordinal, **ENTRY, **JUDGED)
ReviewedPlayer = record("ReviewedPlayer", total=Count, luck=float, keeping=float | None, mistakes=float)
TURNS: Fields = {"start": Chances, "turns": many(ReviewedTurn), "players": by_name(ReviewedPlayer)}
Review = document(
    "Review", game=Ordinal, rules=str, over=bool, maximises=str, **TURNS, costliest=many(Ordinal)
)


def advice(result: "app_odds.Advised", top: int | None = None) -> Struct:
    """The best choices with a hand, or the top ones."""
    advised = result.advice
    keys = {"rules": result.rules.name, "roll": advised.throw, "last_roll": advised.last}
    choices = tuple(_choice(choice) for choice in advised.choices[:top])
    return filled(Advice, result, advised, result.sheet, **keys, maximises=_MAXIMISES, choices=choices)


def _choice(choice: "Choice") -> Struct:
    from generala_cli.odds.advice import Keeping  # with numpy, which advice has by now

    if isinstance(choice, Keeping):
        likely = tuple(filled(Likely, each, category=each.category.id) for each in choice.likely)
        return filled(Keep, choice, categories=likely)
    kind = Score if choice.points or choice.instant_win else Scratch
    return filled(kind, choice, category=choice.category and choice.category.id)


def odds(result: "app_odds.Chances") -> Struct:
    from generala_cli.app.odds import expected_payouts  # with numpy, which odds have by now

    game, agreed = result.game, result.game.agreed
    found = []
    paid = expected_payouts(result.chances, agreed.stake, _PAYOUT_PLACES)
    for chance, payout in zip(result.chances, paid, strict=True):
        totals = {"total": chance.total, "expected": rounded(chance.expected.total), "payout": plain(payout)}
        found.append(filled(PlayerOdds, chance.expected, **{who(game): chance.contender.name}, **totals))
    terms = {"rules": agreed.rules.name, "maximises": _MAXIMISES, "method": agreed.payout}
    return filled(Odds, result, game, agreed, **terms, odds=tuple(found))


def review(result: "app_odds.Review") -> Struct:
    game = result.game
    names = [side.name for side in contenders(game)]
    players = {}
    for player in game.seats:
        figures = {key: getattr(result, key)(player) for key in ("luck", "keeping", "mistakes")}
        told = {key: None if figure is None else rounded(figure) for key, figure in figures.items()}
        players[player] = ReviewedPlayer(total=game.total(player), **told)
    turns = tuple(
        filled(
            ReviewedTurn,
            turned,
            turned.judged,
            turned.entry,
            chances=_chances(names, turned.chances),
            keeps=tuple(filled(KeptThrow, kept) for kept in turned.judged.keeps),
        )
        for turned in result.turns
    )
    return filled(
        Review,
        result,
        game,
        rules=game.rules.name,
        maximises=_MAXIMISES,
        start=_chances(names, result.start),
        turns=turns,
        players=players,
        costliest=tuple(turned.turn for turned in result.costliest),
    )


def _chances(names: Sequence[str], of: "app_odds.ToWin") -> dict[str, float] | None:
    """By name; those who had not come yet are left out."""
    return None if of is None else {name: rounded(chance) for name, chance in zip(names, of, strict=False)}
