"""The sheet on the screen. Open boxes show the points for the typed hand."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len
from rich.segment import Segment
from rich.text import Text

from generala_cli.game.decisions import Option
from generala_cli.game.game import Game
from generala_cli.game.standings import outcome
from generala_cli.play import panels
from generala_cli.play.taps import BoxTap, DrawnLine, tappable
from generala_cli.play.turn_view import TurnView
from generala_cli.render import tables
from generala_cli.render.drawing import cell, shortened
from generala_cli.render.language import translate
from generala_cli.render.screen import Marks, Screen
from generala_cli.rules.ruleset import bonus
from generala_cli.text import safe

_PAYS = "+"
"""The sign before points that a box would pay, so that they do not look entered."""
_LABELS, _COLUMN, _COLUMN_OF_BONUS = 8, 5, 6
"""Minimum columns for box names, for a player, and for a player with an upper bonus such as `41/63`."""
_NAME, _AROUND_NAME = 4, 2
"""The first letters of a name that must fit, and the columns for a gap and the mark before it."""


class DrawnSheet(Struct, frozen=True, dict=True):
    lines: Sequence[DrawnLine] = ()
    players: Sequence[str] = ()

    @cached_property
    def width(self) -> int:
        return max(map(panels.width, self.lines), default=0)


class SheetDrawer:
    """Draws the sheet. This is slow, so the result is reused until something changes."""

    def __init__(self) -> None:
        self._seen: object = None
        self._drawn = DrawnSheet()

    def draw(self, view: TurnView, screen: Screen) -> DrawnSheet:
        """Return the sheet with a line to spare, unless everyone's boxes are shown."""
        return self._draw(view, screen, _sheet)

    def draw_one(self, view: TurnView, screen: Screen) -> Sequence[DrawnLine]:
        return self._draw(view, screen, _sheet_of_one).lines

    def _draw(
        self, view: TurnView, screen: Screen, draw: Callable[[Game, tables.Offers, Screen], DrawnSheet]
    ) -> DrawnSheet:
        game, found = view.game, tuple(_offers(view))
        seen = (game, view.mover, found, screen, draw)
        if self._seen != seen:
            boxes = {offer.option.category.id: _text(offer, game, screen.marks) for offer in found}
            row_styles = {category.id: tappable(BoxTap(category.id)) for category in game.rules.categories}
            offers = tables.Offers(player=view.mover, boxes=boxes, row_styles=row_styles)
            self._seen, self._drawn = seen, draw(game, offers, screen)
        return self._drawn


class _Offer(Struct, frozen=True, kw_only=True):
    """A hand in an open box. `is_marked`: Enter would choose it. `has_bonus`: its first throw pays more."""

    option: Option
    is_marked: bool
    has_bonus: bool


def _offers(view: TurnView) -> Iterator[_Offer]:
    rules, turn = view.game.rules, view.turn
    for option in view.options:
        is_marked = option == view.marked
        if option.points is not None or is_marked:
            has_bonus = option.points is not None and bool(
                bonus(rules, option.category, turn.hand, turn.finish(rules)[1])
            )
            yield _Offer(option=option, is_marked=is_marked, has_bonus=has_bonus)


def _text(offer: _Offer, game: Game, marks: Marks) -> Text:
    option, blank = offer.option, tables.place_for_mark(game)
    sign, style = (marks.turn, "bold reverse") if offer.is_marked else (_PAYS, "bold")
    if option.wins:
        return cell(translate("win!", context="box"), style)
    if option.scratched:
        return cell(f"{sign}{marks.scratched}{blank}", style)
    return cell(f"{sign}{option.points}{marks.served if offer.has_bonus else blank}", style)


def _sheet(game: Game, offers: tables.Offers, screen: Screen) -> DrawnSheet:
    """Return as many players' columns as fit, or one player's boxes if the screen is too low."""
    least = _COLUMN if game.rules.upper_bonus is None else _COLUMN_OF_BONUS
    names = min(_NAME, max(cell_len(safe(player)) for player in game.seats))
    players = _chosen(
        game, offers.player, max(1, (screen.width - _LABELS) // max(least, names + _AROUND_NAME))
    )
    lines = panels.rendered(tables.boxes(game, screen, players, offers), screen)
    if players != game.seats and len(lines) == screen.height:
        lines = lines[:-1]  # the ranking shows the totals, too
    if len(lines) > screen.height:
        return _sheet_of_one(game, offers, screen)
    sides = [[Segment(shortened(line, panels.width(lines[0]), screen.marks))] for line in tables.sides(game)]
    below = [[], *sides] if sides else []
    return DrawnSheet([*lines, *below[: screen.height - len(lines)]], players)


def _sheet_of_one(game: Game, offers: tables.Offers, screen: Screen) -> DrawnSheet:
    low = replace(screen, height=max(1, screen.height - 1))
    return DrawnSheet(panels.rendered(tables.boxes_of_one(game, low, offers), low), (offers.player,))


def _chosen(game: Game, mover: str, count: int) -> tuple[str, ...]:
    """Return that many players, in seat order: the player to move, the leaders, and the next ones."""
    if count >= len(game.seats):
        return game.seats
    result, place = outcome(game), game.seats.index(mover)
    leaders = [player for each in result.leaders for player in result.members[each.name]]
    wanted = [mover, *leaders] if not game.is_over else leaders
    others = (*game.seats[place:], *game.seats[:place])
    first = [*dict.fromkeys((*wanted[:count], *others))][:count]
    return tuple(player for player in game.seats if player in first)
