"""The sheet on the screen, which is where one chooses: open boxes show what the hand would pay there."""

from collections.abc import Mapping, Sequence
from textwrap import wrap

from rich.segment import Segment
from rich.text import Text

from generala_cli.game.decisions import Option
from generala_cli.game.game import Game
from generala_cli.game.standings import outcome
from generala_cli.play import panels
from generala_cli.play.table import Table
from generala_cli.play.taps import BoxTap, Line, tappable
from generala_cli.render import tables
from generala_cli.render.drawing import cell, shortened
from generala_cli.render.language import say
from generala_cli.render.screen import Screen
from generala_cli.rules.ruleset import bonus
from generala_cli.store.store import StoredGame
from generala_cli.text import NO_BREAK, safe

_PAYS = "+"
"""Before what a box would pay, so that nobody takes it for written."""
_LABELS, _COLUMN, _COLUMN_OF_BONUS = 8, 5, 6
"""Columns that the names of the boxes need at least, and each player, also with an upper bonus, `41/63`."""


class SheetDrawer:
    """Draws the sheet; it takes the longest of all, so it is drawn anew only where it is another."""

    def __init__(self) -> None:
        self._seen: object = None
        self._lines: Sequence[Line] = ()

    def draw(self, table: Table, screen: Screen) -> Sequence[Line]:
        """Return the sheet in the width and height of the screen."""
        offers = dict(_offers(table, screen))
        shown = [(box, text.plain, text.style) for box, text in offers.items()]
        seen = (table.stored, table.mover, shown, screen)
        if self._seen != seen:
            self._seen, self._lines = seen, _sheet(table.stored, table.mover, offers, screen)
        return self._lines


def _offers(table: Table, screen: Screen) -> Sequence[tuple[str, Text]]:
    """The points that the hand would make in the open boxes, by category; the marked one is inverted."""
    marked = table.marked
    return [
        (option.category.id, _offer(table, option, screen, is_marked=place == marked))
        for place, option in enumerate(table.options)
        if option.points is not None or place == marked
    ]


def _offer(table: Table, option: Option, screen: Screen, *, is_marked: bool) -> Text:
    marks, rules, turn, blank = screen.marks, table.game.rules, table.turn, tables.place_for_mark(table.game)
    sign, style = (marks.turn, "bold reverse") if is_marked else (_PAYS, "bold")
    if option.wins:
        return cell(say("win!", context="box"), style)
    if option.scratched:
        return cell(f"{sign}{marks.scratched}{blank}", style)
    has_bonus = bonus(rules, option.category, turn.dice or (), turn.roll or rules.throws)
    return cell(f"{sign}{option.points}{marks.served if has_bonus else blank}", style)


def _sheet(stored: StoredGame, mover: str, boxes: Mapping[str, Text], screen: Screen) -> Sequence[Line]:
    """The columns of as many players as there is room for; the boxes of one where there are too few lines."""
    game = stored.game
    row_styles = {category.id: tappable(BoxTap(category.id)) for category in game.rules.categories}
    offers = tables.Offers(player=mover, boxes=boxes, row_styles=row_styles)
    column = _COLUMN if game.rules.upper_bonus is None else _COLUMN_OF_BONUS
    players = _neighbours(game, mover, max(1, (screen.width - _LABELS) // column))
    lines = panels.rendered(tables.boxes(game, screen, players, offers), screen)
    if len(lines) > screen.height:
        return panels.rendered(tables.boxes_of_one(game, screen, offers), screen)
    wide = max(map(panels.width, lines))
    below = [
        *tables.sides(game),
        *([] if players == game.seats else totals(game, players_from(game, mover), wide)),
    ]
    more = [[], *([Segment(shortened(line, wide, screen.marks))] for line in below)]
    return [*lines, *more[: screen.height - len(lines)]] if below else lines


def _neighbours(game: Game, mover: str, count: int) -> tuple[str, ...]:
    """So many players in seat order around the one whose hand it is, or around the leader at the end."""
    if count >= len(game.seats):
        return game.seats
    middle = game.seats.index(outcome(game).leaders[0].contender.members[0] if game.is_over else mover)
    first = max(0, min(middle - count // 2, len(game.seats) - count))
    return game.seats[first : first + count]


def players_from(game: Game, first: str) -> Sequence[str]:
    """Everyone in seat order, beginning with that player."""
    place = game.seats.index(first)
    return (*game.seats[place:], *game.seats[:place])


def totals(game: Game, players: Sequence[str], width: int) -> list[str]:
    """The totals of these players, in as many lines as they take; none is broken from its name."""
    each = (f"{safe(player)} {game.total(player)}".replace(" ", NO_BREAK) for player in players)
    return [line.replace(NO_BREAK, " ") for line in wrap("  ".join(each), max(1, width))]
