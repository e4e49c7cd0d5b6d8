"""Answers of a line or two: what was written, taken back, begun. No table, so no rich."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from generala_cli.app.playing import Entered, Moved
from generala_cli.game.decisions import Choice
from generala_cli.game.events import Amended, Entry, Scored
from generala_cli.game.game import Game, Step
from generala_cli.game.standings import outcome
from generala_cli.render.screen import Screen
from generala_cli.rules.dice import print_dice
from generala_cli.rules.names import listed, safe

if TYPE_CHECKING:  # only those who begin games import what it takes to
    from generala_cli.app.games import Begun


def entered(result: Entered, screen: Screen) -> str:
    """The entry, the other boxes it could have gone to, and who is next."""
    name = screen.strong(safe(result.entry.player))
    what, points = entry_parts(result.game, result.entry)
    lines = [f"{name}  {what}  {screen.strong(points)}"]
    if result.replaced is not None:
        was, old = entry_parts(result.game, result.replaced)
        again = f"turn {result.turn} was {was} {old}"
        lines.append(again if result.entry != result.replaced else f"{again}: nothing to change")
    if result.overruled is not None:
        lines.append(f"it wins at once, so {result.overruled.name} was not asked for")
    if result.alternatives:
        lines.append(f"could also go to {choices(result.alternatives)}")
    return "\n".join([lines[0], *(f"  {line}" for line in (*lines[1:], *what_is_next(result.game)))]) + "\n"


def moved(result: Moved, screen: Screen) -> str:
    """`undone: Beto, full house 30`, one line an action, and who is next."""
    verb = "undone" if result.undone else "redone"
    lines = [f"{verb}: {_step(result.game, step)}" for step in result.steps]
    return "\n".join((*lines, *(f"  {line}" for line in what_is_next(result.game)))) + "\n"


def begun(result: "Begun", screen: Screen) -> str:
    """The game, the order of play, and what to type."""
    started = result.game.started
    label = f", {safe(started.label)}" if started.label else ""
    stake = "" if (started.stake, started.unit) == ("1", "point") else f", stake {stake_of(result.game)}"
    lines = [f"{screen.strong(f'game {result.number}')}: {safe(started.rules.title)}{label}{stake}"]
    if started.sides:
        lines.append(listed([safe("+".join(side)) for side in started.sides], "against"))
    hint = " (as given; --opening seats by the opening throws)" if _could_throw_for_seats(result.game) else ""
    lines.append(f"order of play: {', '.join(safe(player) for player in result.game.seats)}{hint}")
    lines += what_is_next(result.game)
    return "\n".join([lines[0], *(f"  {line}" for line in lines[1:])]) + "\n"


def _could_throw_for_seats(game: Game) -> bool:
    return game.rules.opening_throws and not game.started.openings and not game.entries


def what_is_next(game: Game) -> Iterator[str]:
    """Who throws next, or who has won."""
    if game.to_move is not None:
        yield f"{safe(game.to_move)} is next"
        return
    result = outcome(game)
    names = listed([safe(name) for name in result.winners], "and")
    wins = "wins" if len(result.winners) == 1 else "win together"
    best = result.standings[0].total
    how = f"with {best} points" if result.reason == "points" else f"at once, with {best} points on the sheet"
    yield f"the game is over: {names} {wins} {how}"
    yield "generala payouts says who owes whom"


def entry_parts(game: Game, entry: Entry) -> tuple[str, str]:
    """An entry in words, `full house, first throw`, and its points, `35`."""
    title = entry_title(game, entry)
    if not isinstance(entry, Scored):
        return title, "scratched"
    throw = ", first throw" if entry.roll == 1 and game.rules.throws > 1 else ""
    return f"{title}{throw}", str(entry.points)


def entry_title(game: Game, entry: Entry) -> str:
    """The category by its name at the table; of a hand that wins at once, the name of that win."""
    if isinstance(entry, Scored) and entry.instant_win and game.rules.instant_win is not None:
        return safe(game.rules.instant_win.name)
    assert entry.category is not None
    return safe(game.rules.category(entry.category).name)


def choices(found: Sequence[Choice]) -> str:
    """`fives 15, threes 6`."""
    return ", ".join(f"{safe(choice.category.name)} {choice.points}" for choice in found)


def stake_of(game: Game) -> str:
    """`0.01 USD a point`, or `1 drink` where a game is played for it."""
    started = game.started
    per = " a point" if started.payout in ("difference", "pairwise") else ""
    return f"{amount(started.stake, started.unit)}{per}"


def amount(value: object, unit: str) -> str:
    """`0.62 USD`, `3 drink`, `20 points`. A word of the players' own is left as they typed it."""
    plural = "s" if unit == "point" and str(value).lstrip("+-") != "1" else ""
    return f"{value} {safe(unit)}{plural}"


def _step(game: Game, step: Step) -> str:
    action = step.action
    entry = action.entry if isinstance(action, Amended) else action
    what, points = entry_parts(game, entry)
    dice = "" if entry.dice is None else f" ({print_dice(entry.dice)})"
    told = f"{safe(entry.player)}, {what} {points}{dice}"
    return f"the correction of turn {action.turn} to {told}" if isinstance(action, Amended) else told
