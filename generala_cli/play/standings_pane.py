"""The standings beside the table on a wide screen: places, everyone's chance to win, and the last entries."""

from collections.abc import Iterator, Sequence

from generala_cli.game.standings import outcome
from generala_cli.messages import Message, lazy
from generala_cli.play import panels
from generala_cli.play.open_game import OpenGame
from generala_cli.play.taps import Line
from generala_cli.render.drawing import PlainTable, plain_table
from generala_cli.render.language import percent
from generala_cli.render.lines import first_throw_pays, named
from generala_cli.render.screen import Screen

WIDTH = 20
"""Columns that it needs at least."""
_ROOMY = 36
"""From so many columns it says how far behind everyone is, and its columns have heads."""


def draw(opened: OpenGame, screen: Screen) -> Sequence[Line]:
    """Return its lines, in the width and height of the screen."""
    lines = [*panels.rendered(_places(opened, screen), screen), []]
    entries = list(_entries(opened, screen))[: max(0, screen.height - len(lines))]
    if entries:
        lines += panels.rendered(plain_table(("", "", ""), entries, right=(2,), flexible=(0, 1)), screen)
    return lines[: screen.height]


def _places(opened: OpenGame, screen: Screen) -> PlainTable:
    """Places and totals; how far behind, where there is room; the chance to win, if it can be worked out."""
    game, chances = opened.game, opened.chances
    heads: list[str | Message] = ["", lazy("side") if game.agreed.sides else lazy("player"), lazy("total")]
    rows = []
    is_roomy, has_chances = screen.width >= _ROOMY, chances is not None and not game.is_over
    if is_roomy:
        heads += [lazy("behind"), *([lazy("wins")] if has_chances else [])]
    for each in outcome(game).standings:
        row = [f"{each.place}.", each.contender.name, str(each.total)]
        if is_roomy:
            row.append(str(each.behind) if each.behind else screen.marks.dash)
        if has_chances and chances is not None:
            chance = chances.get(each.contender.name)
            row.append(screen.marks.ellipsis if chance is None else percent(chance))
        rows.append(row)
    right = range(2, len(rows[0]))
    return plain_table(heads if is_roomy else [""] * len(rows[0]), rows, right=right, flexible=(1,))


def _entries(opened: OpenGame, screen: Screen) -> Iterator[Sequence[str]]:
    """The last entries, the newest first: the player, the box, its points."""
    game, marks = opened.game, screen.marks
    for entry in reversed(game.entries):
        box = "" if entry.category is None else named(game.rules.category(entry.category))
        served = entry.roll == 1 and first_throw_pays(game.rules) and not entry.scratched
        points = marks.scratched if entry.scratched else str(entry.points)
        yield entry.player, box, f"{points}{marks.served if served else ' '}"
