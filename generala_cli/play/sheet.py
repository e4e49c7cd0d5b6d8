"""The sheet on the screen, where players choose: open boxes show the points for the typed hand."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from msgspec import Struct
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
from generala_cli.text import NO_BREAK, safe

_PAYS = "+"
"""The sign before points that a box would pay, so that they do not look entered."""
_LABELS, _COLUMN, _COLUMN_OF_BONUS = 8, 5, 6
"""Minimum columns for box names, for a player, and for a player with an upper bonus such as `41/63`."""


class SheetDrawer:
    """Draws the sheet. This is slow, so the result is reused until something changes."""

    def __init__(self) -> None:
        self._seen: object = None
        self._lines: Sequence[DrawnLine] = ()

    def draw(self, view: TurnView, screen: Screen) -> Sequence[DrawnLine]:
        offers = tuple(_offers(view))
        seen = (view.game, view.mover, offers, screen)
        if self._seen != seen:
            boxes = {offer.option.category.id: _text(offer, view.game, screen.marks) for offer in offers}
            self._seen, self._lines = seen, _sheet(view.game, view.mover, boxes, screen)
        return self._lines


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
                bonus(rules, option.category, turn.hand, turn.roll or rules.throws)
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


def _sheet(game: Game, mover: str, boxes: Mapping[str, Text], screen: Screen) -> Sequence[DrawnLine]:
    """Return as many players' columns as fit, or one player's boxes if the screen is too low."""
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
    """Return that many players, in seat order, around the player to move (at the end, the leader)."""
    if count >= len(game.seats):
        return game.seats
    if game.is_over:
        result = outcome(game)
        mover = result.members[result.leaders[0].name][0]
    middle = game.seats.index(mover)
    first = max(0, min(middle - count // 2, len(game.seats) - count))
    return game.seats[first : first + count]


def players_from(game: Game, first: str) -> Sequence[str]:
    place = game.seats.index(first)
    return (*game.seats[place:], *game.seats[:place])


def totals(game: Game, players: Sequence[str], width: int) -> list[str]:
    """Return the players' totals in as many lines as needed, never splitting a name from its total."""
    each = (f"{safe(player)} {game.total(player)}".replace(" ", NO_BREAK) for player in players)
    return [line.replace(NO_BREAK, " ") for line in wrap("  ".join(each), max(1, width))]
