"""review: every turn with its luck and its cost, the sums, and the chances to win as lines."""

from collections.abc import Iterable, Iterator

from generala_cli.app.reviewing import Review, Turned
from generala_cli.game.events import Scored
from generala_cli.game.standings import contenders
from generala_cli.render.bars import line
from generala_cli.render.letters import columns, shortened
from generala_cli.render.lines import entry_parts
from generala_cli.render.paper import drawn
from generala_cli.render.screen import Screen
from generala_cli.render.table import Cell, Table, plain_table, text
from generala_cli.rules.dice import print_dice
from generala_cli.rules.names import safe

_NARROW = 86
"""Fewer columns than this do not hold a turn on one line."""
_TOLD = 0.05
"""A smaller cost is none: it would round to nothing."""


def review(result: Review, screen: Screen) -> str:
    """The whole game, and then what it comes to."""
    if not result.turns:
        return "nothing has been entered yet\n"
    turns: Iterable[Table | Cell] = (
        _pairs(result, screen) if screen.width < _NARROW else (_table(result, screen),)
    )
    return drawn(
        screen,
        *turns,
        text(""),
        _sums(result, screen),
        *(text(told) for told in (*_costliest(result, screen), "", *_lines(result, screen), *_basis(result))),
    )


def _table(result: Review, screen: Screen) -> Table:
    heads = ("turn", "player", "dice", "throw", "entered", "points", "luck", "cost", "better")
    table = plain_table(*heads, right=(0, 5, 6, 7), flexible=(1, 8))
    for turned in result.turns:
        entry, (what, points) = turned.entry, entry_parts(result.game, turned.entry)
        dice, throw = ("", "") if entry.dice is None else (print_dice(entry.dice), str(entry.roll))
        figures = (_signed(turned.judged.luck, screen), _cost(turned, screen), _better(turned))
        what = what.removesuffix(", first throw")
        cells = (str(turned.turn), entry.player, dice, throw, what, points, *figures)
        table.add_row(*(text(cell) for cell in cells))
    return table


def _pairs(result: Review, screen: Screen) -> Iterator[Cell]:
    for turned in result.turns:
        entry, parts = turned.entry, entry_parts(result.game, turned.entry)
        dice = "" if entry.dice is None else f" with {''.join(map(str, entry.dice))}"
        name = shortened(entry.player, screen.width // 3, screen.marks)
        yield text(f"{turned.turn:3}  {name}: {' '.join(parts)}{dice}")
        better = f", better: {_better(turned)}" if _better(turned) else ""
        cost = f", cost {_cost(turned, screen)}" if _is_costly(turned) else ""
        yield text(f"     luck {_signed(turned.judged.luck, screen)}{cost}{better}")


def _sums(result: Review, screen: Screen) -> Table:
    table = plain_table("", "total", "luck", "mistakes", right=(1, 2, 3), flexible=(0,))
    for player in result.game.seats:
        mistakes = _signed(-result.mistakes(player), screen)
        cells = (player, result.game.total(player), _signed(result.luck(player), screen), mistakes)
        table.add_row(*(text(cell) for cell in cells))
    return table


def _costliest(result: Review, screen: Screen) -> Iterator[str]:
    costly = [turned for turned in result.costliest if _is_costly(turned)]
    if costly:
        yield ""
        yield "costliest choices"
    for turned in costly:
        what = " ".join(entry_parts(result.game, turned.entry))
        cost = f"cost {turned.judged.mistake:.1f}"
        better = f"; {_better(turned)} was better" if _better(turned) else ""
        yield f"  turn {turned.turn}, {safe(turned.entry.player)}: {what} {cost}{better}"


def _lines(result: Review, screen: Screen) -> Iterator[str]:
    if result.start is None:
        yield "the chances to win are left out: this game has too many different totals"
        return
    yield "chance to win, from before the first turn to after the last"
    names = [shortened(side.name, screen.width // 3, screen.marks) for side in contenders(result.game)]
    widest = max(map(columns, names))
    room = screen.width - widest - len("  100%  100%  ")
    for place, name in enumerate(names):
        ran = (turned.chances for turned in result.turns if turned.chances is not None)
        shares = [result.start[place], *(chances[place] for chances in ran)]
        told = f"{shares[0]:4.0%} {line(shares, room, screen)} {shares[-1]:.0%}"
        yield f"  {name}{' ' * (widest - columns(name))} {told}"


def _basis(result: Review) -> Iterator[str]:
    yield ""
    unknown = any(turned.entry.dice is None for turned in result.turns)
    without = ", or the entry where no dice were told" if unknown else ""
    yield f"luck: what a hand added to the expected final total{without}; which dice were kept is part of it"
    yield "cost: how much less was expected of the category it went to"
    win = result.game.rules.instant_win
    if win is not None and win.when != "never":
        yield "an instant win counts as the largest total still possible when it comes"


def _is_costly(turned: Turned) -> bool:
    return turned.judged.mistake >= _TOLD


def _cost(turned: Turned, screen: Screen) -> str:
    return f"{turned.judged.mistake:.1f}" if _is_costly(turned) else screen.marks.dash


def _better(turned: Turned) -> str:
    if not _is_costly(turned) or turned.best is None:
        return ""
    is_same = isinstance(turned.entry, Scored) and turned.entry.category == turned.best.id
    return "" if is_same else safe(turned.best.name)


def _signed(value: float, screen: Screen) -> str:
    if abs(value) < _TOLD:
        return "0.0"
    return f"{'+' if value > 0 else screen.marks.minus}{abs(value):.1f}"
