from collections.abc import Iterator, Sequence

from msgspec.structs import replace
from rich.cells import cell_len
from rich.text import Text

from generala_cli.game.game import Game
from generala_cli.game.standings import outcome
from generala_cli.messages import lazy
from generala_cli.play import panels
from generala_cli.play.open_game import OpenGame
from generala_cli.play.taps import DrawnLine, KeyTap, tappable
from generala_cli.render.drawing import Column, GivesWay, Table, fits, shortened, table
from generala_cli.render.language import percent
from generala_cli.render.lines import first_throw_pays, named
from generala_cli.render.screen import Marks, Screen
from generala_cli.render.tables import short_name, standings_columns
from generala_cli.text import safe

WIDTH = 20
_ROOMY = 36
"""With this many columns or more, it has a column for the gap to the leader."""


def draw(opened: OpenGame, screen: Screen) -> Sequence[DrawnLine]:
    lines = [*panels.rendered(_places(opened, screen), screen), []]
    lines += recent(opened, screen, max(0, screen.height - len(lines)))
    return lines[: screen.height]


def ranking(game: Game, mover: str, width: int, marks: Marks) -> Text:
    places = [place for place in outcome(game).standings if place.name != mover or game.is_over]
    each = [f"{place.place}.{safe(place.name)} {place.score}" for place in places]
    lines = ["  ".join(each)]
    lines += ["  ".join((*each[:count], f"+{len(each) - count} s")) for count in range(len(each) - 1, 0, -1)]
    shown = next((line for line in lines if cell_len(line) <= width), lines[-1])
    return Text(shortened(shown, max(0, width), marks), tappable(KeyTap("s")), no_wrap=True)


def recent(opened: OpenGame, screen: Screen, count: int) -> list[DrawnLine]:
    entries = list(_entries(opened, screen))[:count]
    if not entries:
        return []
    players, boxes, short_boxes, points = zip(*entries, strict=True)
    beside = (Column(cells=players), Column(cells=points, right=True))
    has_room = fits((*beside, Column(cells=boxes)), screen)
    shown = table(
        Column(cells=players, gives_way=GivesWay.SHORTENS),
        Column(cells=boxes if has_room else short_boxes, gives_way=GivesWay.SHORTENS),
        Column(cells=points, right=True),
        screen=screen,
    )
    return panels.rendered(shown, screen)


def _places(opened: OpenGame, screen: Screen) -> Table:
    game, chances, places = opened.game, opened.chances, outcome(opened.game).standings
    is_roomy = screen.width >= _ROOMY
    *columns, behind = standings_columns(places, screen)
    if is_roomy:
        columns.append(behind)
    if chances is not None and not game.is_over:
        known = [chances.get(each.name) for each in places]
        wins = [screen.marks.ellipsis if chance is None else percent(chance) for chance in known]
        columns.append(Column(lazy("wins"), wins, right=True))
    if not is_roomy and not fits(columns, screen):
        columns = [replace(each, heading="") for each in columns]
    return table(*columns, screen=screen)


def _entries(opened: OpenGame, screen: Screen) -> Iterator[Sequence[str]]:
    game, marks = opened.game, screen.marks
    for entry in reversed(game.entries):
        category = None if entry.category is None else game.rules.category(entry.category)
        box, short = ("", "") if category is None else (named(category), short_name(category))
        served = entry.price_roll == 1 and first_throw_pays(game.rules) and not entry.scratched
        points = marks.scratched if entry.scratched else str(entry.points)
        yield entry.player, box, short, f"{points}{marks.served if served else ' '}"
