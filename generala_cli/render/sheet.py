"""The scoresheet: players across, categories down, totals below."""

from collections.abc import Iterator, Sequence

from generala_cli.app.views import View
from generala_cli.facts import Fact
from generala_cli.game.game import Box, Game
from generala_cli.game.standings import Outcome
from generala_cli.render.letters import columns, shortened_apart, width_of
from generala_cli.render.lines import heading, what_is_next
from generala_cli.render.paper import drawn
from generala_cli.render.screen import Screen
from generala_cli.render.table import Cell, Column, Table, ruled_table, text
from generala_cli.rules.names import safe
from generala_cli.rules.ruleset import Category

_PADDING = 2
_RULE = 1
_LEAST_NAME = 5


class _Row(Fact):
    """A line of the sheet: its head, its cells by player, whether a rule is drawn below it."""

    head: str
    cells: dict[str, Cell]
    ends_section: bool = False


def sheet(view: View, screen: Screen) -> str:
    """The whole sheet with its heading, its legend and whose turn it is."""
    game = view.game
    rows = tuple(_rows(game, screen))
    tables = (_table(game, rows, players, screen) for players in _blocks(game, rows, screen))
    blocks = [part for table in tables for part in (table, "")]
    below = (*_legend(game, screen), *_sides(view.outcome, game), *what_is_next(game))
    return drawn(screen, heading("Game", view.number, game, screen), "", *blocks, *below)


def glance(view: View, screen: Screen) -> str:
    """The current game and what to type next."""
    advice = "score it:  generala score DICE… --roll N     more:  generala -h"
    if view.game.is_over:
        advice = "again:  generala rematch     another:  generala new NAME NAME"
    if screen.marks.across == "-":
        advice = advice.replace("…", "...")
    return sheet(view, screen) + screen.faint(advice) + "\n"


def _rows(game: Game, screen: Screen) -> Iterator[_Row]:
    categories = game.rules.categories
    for place, category in enumerate(categories):
        following = categories[place + 1] if place + 1 < len(categories) else None
        apart = following is None or (following.number is None) != (category.number is None)
        with_bonus = game.rules.upper_bonus is not None and category == game.rules.numbers[-1]
        cells = {player: _cell(game, player, category, screen) for player in game.seats}
        yield _Row(head=category.name, cells=cells, ends_section=apart and not with_bonus)
        if with_bonus:
            yield _upper_bonus(game, ends_section=apart)
    if game.rules.has_spares:
        yield _Row(head="spares", cells={player: _spares(game, player, screen) for player in game.seats})
    totals = {player: text(f"{game.total(player)} ", "bold") for player in game.seats}
    yield _Row(head="total", cells=totals)


def _cell(game: Game, player: str, category: Category, screen: Screen) -> Cell:
    """A box, with a place for a mark after the number so that numbers stay in line."""
    box: Box | None = game.columns[player].boxes.get(category.id)
    marks = screen.marks
    if box is None:
        return text(f"{marks.open} ", "dim")
    if box.scratched:
        return text(f"{marks.scratched} ", "red")
    served = box.roll == 1
    return text(f"{box.points}{marks.served if served else ' '}", "green" if served else "")


def _upper_bonus(game: Game, *, ends_section: bool) -> _Row:
    """Points where it is earned; else how far the numbers are, `41/63`, which cannot be taken for points."""
    bonus = game.rules.upper_bonus
    assert bonus is not None
    cells = {
        player: text(f"{earned} ")
        if (earned := game.upper_bonus(player))
        else text(f"{game.in_numbers(player)}/{bonus.threshold} ", "dim")
        for player in game.seats
    }
    return _Row(head="upper bonus", cells=cells, ends_section=ends_section)


def _spares(game: Game, player: str, screen: Screen) -> Cell:
    column = game.columns[player]
    return text(f"+{column.saved} {screen.marks.minus}{column.used}")


def _blocks(game: Game, rows: Sequence[_Row], screen: Screen) -> Iterator[Sequence[str]]:
    """As many players side by side as the width has room for."""
    room = screen.width - _head_width(rows)
    together = max(1, room // (_cell_width(rows) + _PADDING + _RULE))
    for start in range(0, len(game.seats), together):
        yield game.seats[start : start + together]


def _table(game: Game, rows: Sequence[_Row], players: Sequence[str], screen: Screen) -> Table:
    across = [Column(head=text(""))]
    for player, (head, width) in zip(players, _heads(game, rows, players, screen), strict=True):
        style = "bold reverse" if player == game.to_move else "bold"
        across.append(Column(head=text(head, style), right=True, width=width))
    table = ruled_table(*across)
    for row in rows:
        cells = (row.cells[player] for player in players)
        table.add_row(text(row.head), *cells, end_section=row.ends_section)
    return table


def _heads(
    game: Game, rows: Sequence[_Row], players: Sequence[str], screen: Screen
) -> Iterator[tuple[str, int]]:
    """Each player's name, marked and shortened to the column, and the width of that."""
    room = (screen.width - _head_width(rows)) // len(players) - _PADDING - _RULE
    names = [f"{screen.marks.turn}{name}" if name == game.to_move else name for name in players]
    least = _cell_width(rows)
    widths = [max(least, min(width_of(name) + 1, room)) for name in names]
    return zip(shortened_apart(names, widths, screen.marks), widths, strict=True)


def _cell_width(rows: Sequence[_Row]) -> int:
    """The least a column needs: its figures, and enough of a name to tell it by."""
    return max(_LEAST_NAME, *(columns(cell.text) for row in rows for cell in row.cells.values()))


def _head_width(rows: Sequence[_Row]) -> int:
    return max(width_of(row.head) for row in rows) + _PADDING // 2


def _legend(game: Game, screen: Screen) -> Iterator[str]:
    """What the marks mean, those that are on the sheet."""
    boxes = [box for column in game.columns.values() for box in column.boxes.values()]
    marks = screen.marks
    told = [f"{marks.scratched} scratched"] if any(box.scratched for box in boxes) else []
    if any(box.roll == 1 and not box.scratched for box in boxes):
        told.append(f"{marks.served} first throw")
    if not game.is_over:
        told += [f"{marks.open} open", f"{marks.turn} to throw"]
    if game.rules.has_spares:
        told.append(f"spares +saved {marks.minus}used")
    if (bonus := game.rules.upper_bonus) is not None:
        told.append(f"upper bonus {bonus.points} from {bonus.threshold} in numbers")
    if told:
        yield "  ".join(told)


def _sides(result: Outcome, game: Game) -> Iterator[str]:
    if game.started.sides:
        yield "  ".join(f"{safe(place.contender.name)}: {place.total}" for place in result.standings)
