"""Answers of a line or two: what was written, taken back, begun. No table."""

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from generala_cli.app.playing import Entered, Moved
from generala_cli.game.decisions import Choice
from generala_cli.game.events import Amended, Entry, Scored
from generala_cli.game.game import Game
from generala_cli.game.history import Step
from generala_cli.game.money import is_for_points, is_per_point
from generala_cli.game.seating import side_name
from generala_cli.game.standings import outcome
from generala_cli.render.screen import UNCUT, Screen
from generala_cli.rules.dice import print_dice
from generala_cli.rules.names import listed, safe

if TYPE_CHECKING:  # only those who begin games import what it takes to
    from generala_cli.app.games import Begun


def entered(result: Entered, screen: Screen) -> str:
    """The entry, the other boxes it could have gone to, and who is next."""
    name = screen.strong(safe(result.entry.player))
    what, points = entry_parts(result.game, result.entry)
    lines = []
    if result.replaced is not None:
        was = f"turn {result.turn} was {' '.join(entry_parts(result.game, result.replaced))}"
        lines.append(was if result.entry != result.replaced else f"{was}: nothing to change")
    if result.overruled is not None:
        lines.append(f"it wins at once, so {safe(result.overruled.name)} was not asked for")
    if result.upper_bonus:
        lines.append(upper_bonus(result.upper_bonus))
    if result.alternatives:
        lines.append(f"could also go to {choices(result.alternatives)}")
    first = "  ".join(part for part in (name, what, screen.strong(points)) if part)
    return told(first, [*lines, *what_is_next(result.game)], screen)


def moved(result: Moved, screen: Screen) -> str:
    """`undone: Beto, full house 30`, one line an action, and who is next."""
    verb = screen.strong("undone" if result.undone else "redone")
    steps = zip(result.steps, result.upper_bonuses, strict=True)
    lines = [f"{verb}: {_step(result.game, step, bonus)}" for step, bonus in steps]
    return told("\n".join(lines), what_is_next(result.game), screen)


def begun(result: "Begun", screen: Screen) -> str:
    """The game, the order of play, and what to type."""
    game = result.game
    hint = " (as given; --opening seats by the opening throws)" if _could_throw_for_seats(game) else ""
    lines = [f"order of play: {', '.join(safe(player) for player in game.seats)}{hint}"]
    if game.started.sides:
        lines.insert(0, listed([safe(side_name(side)) for side in game.started.sides], "against"))
    return told(heading("game", result.number, game, screen), [*lines, *what_is_next(game)], screen)


def used(result: "Begun", screen: Screen) -> str:
    """The game that is the current one now, and where it stands."""
    turns = len(result.game.entries)
    lines = [f"now current, with {turns} {'turn' if turns == 1 else 'turns'} played"]
    return told(
        heading("game", result.number, result.game, screen), [*lines, *what_is_next(result.game)], screen
    )


def told(first: str, others: Iterable[str], screen: Screen) -> str:
    """An answer of a few lines: the first, and the others set in; on a terminal no word is cut in two."""
    lines = [f"  {line}" for line in others]
    if screen.width < UNCUT:
        lines = [part for line in lines for part in wrap(line, screen.width, subsequent_indent="    ")]
    return "\n".join((first, *lines)) + "\n"


def heading(word: str, number: int, game: Game, screen: Screen) -> str:
    """`game 3: General, friday, stake 0.01 USD a point, bonus=10`: what was agreed, options and all."""
    started = game.started
    parts = [safe(started.rules.title), safe(started.label)]
    if not is_for_points(started.stake, started.unit):
        parts.append(f"stake {stake_of(game)}")
    parts += [safe(f"{key}={value}") for key, value in started.rules.settings]
    return f"{screen.strong(f'{word} {number}')}: {', '.join(part for part in parts if part)}"


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
    if result.reason == "instant-win":
        yield _instant_win(game)
    yield "generala payouts says who owes whom"


def _instant_win(game: Game) -> str:
    """The win that stands in its box or beside the sheet: whose, with which dice, in which turn."""
    win = game.entries[-1]
    dice = "" if win.dice is None else f" with {print_dice(win.dice)}"
    return f"{entry_title(game, win)} by {safe(win.player)}{dice} in turn {len(game.entries)}"


def entry_parts(game: Game, entry: Entry) -> tuple[str, str]:
    """An entry in words, `full house, first throw`, and its points, `35`; a win beside the sheet has none."""
    title = entry_title(game, entry)
    if not isinstance(entry, Scored):
        return title, "scratched"
    throw = ", first throw" if entry.roll == 1 and game.rules.throws > 1 else ""
    return f"{title}{throw}", "" if entry.category is None else str(entry.points)


def entry_title(game: Game, entry: Entry) -> str:
    """The category by its name at the table; of a hand that wins at once, the name of that win."""
    if isinstance(entry, Scored) and entry.instant_win and game.rules.instant_win is not None:
        return safe(game.rules.instant_win.name)
    assert entry.category is not None
    return safe(game.rules.category(entry.category).name)


def upper_bonus(change: int) -> str:
    """`upper bonus +35`, beside the points of the entry that earned it; `-35` where a correction lost it."""
    return f"upper bonus {change:+}"


def choices(found: Sequence[Choice]) -> str:
    """`fives 15, threes 6`."""
    return ", ".join(f"{safe(choice.category.name)} {choice.points}" for choice in found)


def stake_of(game: Game) -> str:
    """`0.01 USD a point`, or `1 drink` where a game is played for it."""
    started = game.started
    return stake_text(started.stake, started.unit, started.payout)


def stake_text(stake: str, unit: str, method: str) -> str:
    """A stake, with what it is paid for."""
    return f"{amount(stake, unit)}{' a point' if is_per_point(method) else ''}"


def amount(value: object, unit: str) -> str:
    """`0.62 USD`, `3 drink`, `20 points`. A word of the players' own is left as they typed it."""
    plural = "s" if unit == "point" and str(value).lstrip("+-") != "1" else ""
    return f"{value} {safe(unit)}{plural}"


def _step(game: Game, step: Step, bonus: int) -> str:
    entry = step.entry
    what, points = entry_parts(game, entry)
    dice = "" if entry.dice is None else f" ({print_dice(entry.dice)})"
    told = f"{safe(entry.player)}, {' '.join(part for part in (what, points) if part)}{dice}"
    told += f", {upper_bonus(bonus)}" if bonus else ""
    return f"the correction of turn {step.turn} to {told}" if isinstance(step.action, Amended) else told
