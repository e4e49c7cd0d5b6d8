"""advise, odds and review as JSON documents (`version` 1; keys are only ever added)."""

from generala_cli.app.advising import Advised
from generala_cli.app.chances import Chances, payouts
from generala_cli.app.reviewing import Review, ToWin, Turned
from generala_cli.game.money import plain
from generala_cli.game.standings import contenders
from generala_cli.odds.advice import Choice, Keeping, Likely
from generala_cli.render.envelope import Document, entry

MAXIMISES = "expected final total"
_PAYOUT_PLACES = 6
_PLACES = 9
"""More digits than that mean nothing at a table, and differ from machine to machine."""


def advice(result: Advised, top: int | None = None) -> Document:
    """Every choice, best first; or the first few."""
    advised = result.advice
    return {
        "game": result.number,
        "rules": result.rules.name,
        "player": result.player,
        "dice": list(advised.dice),
        "roll": advised.throw,
        "last_roll": advised.last,
        "spares": result.sheet.spares,
        "total": result.sheet.total,
        "maximises": MAXIMISES,
        "instant_value": result.instant_value,
        "choices": [_choice(choice) for choice in advised.choices[:top]],
    }


def _choice(choice: Choice) -> Document:
    figures = {"expected": _rounded(choice.expected), "cost": _rounded(choice.cost)}
    if isinstance(choice, Keeping):
        likely = [_likely(each) for each in choice.likely]
        return {"action": "keep", "keep": list(choice.kept), **figures, "categories": likely}
    return {
        "action": "score" if choice.points or choice.instant_win else "scratch",
        "category": None if choice.category is None else choice.category.id,
        "points": choice.points,
        "instant_win": choice.instant_win,
        **figures,
    }


def _likely(each: Likely) -> Document:
    return {
        "category": each.category.id,
        "scored": _rounded(each.scored),
        "scratched": _rounded(each.scratched),
        "made": _rounded(each.made),
    }


def odds(result: Chances) -> Document:
    """What each player or side may expect; payouts as decimal texts."""
    started = result.game.started
    who = "team" if started.sides else "player"
    return {
        "game": result.number,
        "over": result.game.is_over,
        "rules": started.rules.name,
        "maximises": MAXIMISES,
        "method": started.payout,
        "stake": started.stake,
        "unit": started.unit,
        "odds": [
            {
                who: chance.contender.name,
                "wins": _rounded(chance.expected.wins),
                "instant_wins": _rounded(chance.expected.instant_wins),
                "total": chance.total,
                "expected": _rounded(chance.expected.total),
                "spread": _rounded(chance.expected.spread),
                "payout": plain(payout),
            }
            for chance, payout in zip(
                result.chances, payouts(result.chances, started.stake, _PAYOUT_PLACES), strict=True
            )
        ],
    }


def review(result: Review) -> Document:
    """Every turn, and the sums."""
    names = [side.name for side in contenders(result.game)]

    def chances(of: ToWin) -> Document | None:
        return (
            None if of is None else {name: _rounded(chance) for name, chance in zip(names, of, strict=True)}
        )

    return {
        "game": result.number,
        "rules": result.game.rules.name,
        "over": result.game.is_over,
        "maximises": MAXIMISES,
        "start": chances(result.start),
        "turns": [{**_turned(turned), "chances": chances(turned.chances)} for turned in result.turns],
        "players": {
            player: {
                "total": result.game.total(player),
                "luck": _rounded(result.luck(player)),
                "mistakes": _rounded(result.mistakes(player)),
            }
            for player in result.game.seats
        },
        "costliest": [turned.turn for turned in result.costliest],
    }


def _turned(turned: Turned) -> Document:
    judged = turned.judged
    return {
        "turn": turned.turn,
        **entry(turned.entry),
        "expected": _rounded(judged.expected),
        "luck": _rounded(judged.luck),
        "mistake": _rounded(judged.mistake),
        "best": None if turned.best is None else turned.best.id,
    }


def _rounded(value: float) -> float:
    return round(value, _PLACES) + 0.0  # never minus zero
