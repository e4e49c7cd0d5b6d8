"""Results as the JSON documents that scripts rely on (`version` 1; keys are only ever added)."""

import json
from typing import TYPE_CHECKING

from generala_cli.app.games import Begun, GameLine, GameList
from generala_cli.app.playing import Entered, Moved
from generala_cli.app.views import Log, LogLine, Settled, View
from generala_cli.errors import GeneralaError
from generala_cli.game.events import Entry, Scored
from generala_cli.game.game import Box, Game
from generala_cli.game.money import plain
from generala_cli.rules.options import options_of
from generala_cli.rules.ruleset import RuleSet
from generala_cli.rules.writing import ruleset_document

if TYPE_CHECKING:  # a sheet needs no rule files, nor what reads them
    from generala_cli.app.doctor import Acceptance, Restored
    from generala_cli.app.rulebook import CheckedHand, RuleLine

Document = dict[str, object]
VERSION = 1


def encoded(document: Document) -> str:
    """One document, on one line. ASCII only, so that nothing in it can act on a terminal."""
    return json.dumps({"version": VERSION, **document}, separators=(", ", ": ")) + "\n"


def error(problem: GeneralaError) -> Document:
    """A refusal."""
    inside: Document = {"kind": problem.kind, "message": problem.message, "hint": problem.hint}
    if problem.details:
        inside["details"] = list(problem.details)
    return {"error": inside}


def entered(result: Entered) -> Document:
    """An entry written, amended or scratched."""
    document = {
        "game": result.number,
        "turn": result.turn,
        **entry(result.entry),
        "bonus": result.bonus,
        **_upper_bonus(result.game, result.upper_bonus),
        "over": result.game.is_over,
        "next": result.game.to_move,
        "alternatives": [
            {"category": choice.category.id, "points": choice.points} for choice in result.alternatives
        ],
        "saved": result.saved,
    }
    return document if result.replaced is None else {**document, "replaced": entry(result.replaced)}


def moved(result: Moved) -> Document:
    """Actions taken back or put back, in the order it was done."""
    actions = []
    for step, change in zip(result.steps, result.upper_bonuses, strict=True):
        kind = type(step.action).__name__.lower()
        bonus = _upper_bonus(result.game, change)
        actions.append({"event": step.number, "kind": kind, "turn": step.turn, **entry(step.entry), **bonus})
    verb = "undone" if result.undone else "redone"
    over, following = result.game.is_over, result.game.to_move
    return {"game": result.number, verb: actions, "over": over, "next": following, "saved": result.saved}


def begun(result: Begun) -> Document:
    """A game started or made current."""
    started = result.game.started
    return {
        "game": result.number,
        "label": started.label,
        "rules": started.rules.name,
        "settings": dict(started.rules.settings),
        "players": list(result.game.seats),
        "teams": [list(side) for side in started.sides],
        "stake": started.stake,
        "unit": started.unit,
        "method": started.payout,
        "next": result.game.to_move,
        "saved": result.saved,
    }


def sheet(view: View) -> Document:
    """Every box of every player."""
    game = view.game
    document: Document = {
        "game": view.number,
        "rules": game.rules.name,
        "players": list(game.seats),
        "categories": [category.id for category in game.rules.categories],
        "over": game.is_over,
        "next": game.to_move,
        "boxes": {
            player: {
                category.id: _box(game.columns[player].boxes.get(category.id))
                for category in game.rules.categories
            }
            for player in game.seats
        },
        "totals": {player: game.total(player) for player in game.seats},
        "settings": dict(game.rules.settings),
        "instant_win": _instant_win(game),
    }
    if game.rules.has_spares:
        columns = game.columns.items()
        document["spares"] = {name: {"saved": column.saved, "used": column.used} for name, column in columns}
    if (bonus := game.rules.upper_bonus) is not None:
        document["upper_bonus"] = {
            player: {
                "numbers": game.in_numbers(player),
                "from": bonus.threshold,
                "points": game.upper_bonus(player),
            }
            for player in game.seats
        }
    return document


def no_game() -> Document:
    """The bare command before any game."""
    return {"game": None, "hint": "generala new NAME NAME"}


def standings(view: View) -> Document:
    """Places, totals and margins; `team` for `player` where there are sides."""
    who = "team" if view.game.started.sides else "player"
    return {
        "game": view.number,
        "over": view.outcome.over,
        "reason": view.outcome.reason,
        "winners": list(view.outcome.winners),
        "standings": [
            {"place": place.place, who: place.contender.name, "total": place.total, "behind": place.behind}
            for place in view.outcome.standings
        ],
    }


def payouts(result: Settled) -> Document:
    """Debts and what each has in the end, as decimal texts."""
    payout = result.payout
    document: Document = {
        "game": result.number,
        "over": result.outcome.over,
        "method": payout.method,
        "stake": payout.stake,
        "unit": payout.unit,
        "debts": [
            {"from": debt.debtor, "to": debt.creditor, "points": debt.points, "amount": plain(debt.amount)}
            for debt in payout.debts
        ],
        "net": {name: plain(value) for name, value in payout.net.items()},
        "instant_win_rule": payout.instant_win_rule,
    }
    if result.game.started.sides:
        document["members"] = {name: plain(value) for name, value in payout.members.items()}
    return document


def log(result: Log) -> Document:
    """Entries by turn, or every fact."""
    return {
        "game": result.number,
        "all": result.everything,
        "entries": [_log_line(line) | _upper_bonus(result.game, line.upper_bonus) for line in result.lines],
    }


def games(result: GameList) -> Document:
    """Every game; those that cannot be read apart."""
    return {
        "games": [_game_line(line, result.current) for line in result.lines],
        "damaged": [{"game": number, "message": problem.message} for number, problem in result.damaged],
    }


def check(result: "CheckedHand") -> Document:
    """What a hand is worth in every category, 0 where it does not make it."""
    return {
        "rules": result.rules.name,
        "dice": list(result.dice),
        "roll": result.roll,
        "instant_win": result.instant_win,
        "categories": [{"category": category.id, "points": points} for category, points in result.worths],
    }


def rule_list(lines: "tuple[RuleLine, ...]") -> Document:
    """The rule sets there are."""
    return {
        "rules": [
            {
                "name": line.name,
                "title": line.title,
                "source": line.source,
                "path": None if line.path is None else str(line.path),
                "problem": line.problem or None,
            }
            for line in lines
        ]
    }


def rule_card(rules: RuleSet) -> Document:
    """A rule set as its file holds it, and its options."""
    options = [{"key": o.key, "value": o.value, "choices": o.choices} for o in options_of(rules)]
    return {"rules": rules.name, "document": ruleset_document(rules), "options": options}


def restored(result: "Restored") -> Document:
    """A game that is what its backup held."""
    events = len(result.record.events)
    return {"game": result.number, "events": events, "kept": result.kept, "saved": result.saved}


def accepted(result: "Acceptance") -> Document:
    """A game's file taken as it stands; `game` is null for the file that names the current one."""
    return {
        "game": result.number,
        "sealed": result.hand_edited is not None,
        "differences": list(result.differences),
        "set_aside": list(result.copies),
        "saved": result.saved,
    }


def entry(written: Entry) -> Document:
    """What was written on the sheet."""
    scored = isinstance(written, Scored)
    return {
        "player": written.player,
        "dice": None if written.dice is None else list(written.dice),
        "roll": written.roll,
        "category": written.category,
        "points": written.points if isinstance(written, Scored) else 0,
        "scratched": not scored,
        "instant_win": isinstance(written, Scored) and written.instant_win,
    }


def _upper_bonus(game: Game, change: int) -> Document:
    """What an entry earned beside its box; nothing in a game without such a bonus."""
    return {} if game.rules.upper_bonus is None else {"upper_bonus": change}


def _instant_win(game: Game) -> Document | None:
    """The win that ended the game, whether or not it is written in a box too."""
    if game.instant_winner is None:
        return None
    return {"turn": len(game.entries), **entry(game.entries[-1])}


def _box(box: Box | None) -> Document | None:
    if box is None:
        return None
    return {
        "points": box.points,
        "scratched": box.scratched,
        "roll": box.roll,
        "dice": None if box.dice is None else list(box.dice),
        "turn": box.turn,
    }


def _log_line(line: LogLine) -> Document:
    return {
        "event": line.number,
        "time": line.at,
        "kind": line.kind,
        "turn": line.turn,
        **entry(line.entry),
        "stands": line.state == "stands",
        "state": line.state or None,
    }


def _game_line(line: GameLine, current: int | None) -> Document:
    return {
        "game": line.number,
        "label": line.label,
        "rules": line.rules,
        "players": list(line.players),
        "started": line.started,
        "over": line.next is None,
        "winners": list(line.winners),
        "current": line.number == current,
    }
