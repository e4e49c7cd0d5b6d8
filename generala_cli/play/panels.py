from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.segment import Segment
from rich.style import Style

from generala_cli.errors import FileError, NotAllowed
from generala_cli.games import keeping
from generala_cli.games.list_drawing import game_items
from generala_cli.packages import check_installed
from generala_cli.play.open_game import OpenGame
from generala_cli.play.taps import DrawnLine, ItemTap, tappable
from generala_cli.render import lists, tables
from generala_cli.render.drawing import Stack, text
from generala_cli.render.hints import SCREEN, full_message
from generala_cli.render.language import translated
from generala_cli.render.lines import moved_text
from generala_cli.render.screen import ASCII, UNICODE, UNLIMITED, Screen, drawn
from generala_cli.store.log import undone_steps
from generala_cli.table import look_drawing, looking
from generala_cli.text import safe

Picked = Literal["", "correct", "open", "take"]
"""The effect of Enter on the marked item."""
Draw = Callable[[Screen], Sequence[lists.Item]]

_MARKED = Style(reverse=True)


class Panel(Struct, frozen=True, kw_only=True):
    """A panel to look at, or to choose from. `top` is its first visible line.

    Attributes:
        picks: the effect of Enter on a numbered item, or "".
        chosen: the number of the marked item. If None, the arrow keys first mark an item or scroll.
        numbers: the numbers of all items that can be marked.
        names: the names of versions, in the order of their numbers.
    """

    draw: Draw
    top: int = 0
    picks: Picked = ""
    chosen: int | None = None
    numbers: tuple[int, ...] = ()
    names: tuple[str, ...] = ()

    def moved(self, by: int) -> "Panel":
        if self.chosen is None and self.picks:
            return replace(self, chosen=self.numbers[0 if by > 0 else -1])
        if not self.numbers or self.chosen is None:
            return replace(self, top=max(0, self.top + by))
        place = self.numbers.index(self.chosen) + by
        return replace(self, chosen=self.numbers[max(0, min(place, len(self.numbers) - 1))])


def plain_panel(draw: Callable[[Screen], RenderableType]) -> Panel:
    return Panel(draw=lambda screen: [lists.Item(None, (draw(screen),))])


def sheet(opened: OpenGame) -> Panel:
    stored = opened.stored
    return plain_panel(lambda screen: tables.sheet(stored, replace(screen, height=UNLIMITED)))


def log(opened: OpenGame) -> Panel:
    """Return the entries that count, to choose one to correct, and below them the undone ones."""
    found = looking.log(opened.store, None)
    undone = [
        lists.Item(None, (text(moved_text(found.game, step, undone=True)),))
        for step in undone_steps(opened.stored)
    ]

    def draw(screen: Screen) -> Sequence[lists.Item]:
        return [*look_drawing.log_items(found, screen), *undone]

    turns = tuple(line.turn for line in found.lines if line.turn is not None)
    if not turns:
        return Panel(draw=lambda screen: [lists.Item(None, (look_drawing.log(found, screen),)), *undone])
    return Panel(draw=draw, picks="correct", chosen=max(turns), numbers=turns)


def places(opened: OpenGame) -> Panel:
    places, settled = looking.standings(opened.stored), looking.payouts(opened.store, None)

    def draw(screen: Screen) -> Stack:
        standings = look_drawing.standings(places, screen, names_payouts=False)
        return Stack(standings, "", look_drawing.payouts(settled, screen))

    return plain_panel(draw)


def ledger(opened: OpenGame) -> Panel:
    """Return debts over all games, with the games that cannot be read; NotAllowed if no game is over."""
    check_installed("ledger")
    from generala_cli.ledger import accounts

    try:
        data = accounts.read_ledger_data(opened.store)
    except FileError as error:  # it names files, and needs more room than the line below the table has
        why = text(safe(translated(full_message(error, SCREEN))))
        return plain_panel(lambda _: why)
    found = accounts.ledger(data)
    if not (data.sources or found.units or found.damage_notes):
        raise NotAllowed("no game is over yet", "the ledger adds up finished games")
    left_out = [text(translated(each)) for each in found.damage_notes]

    def draw(screen: Screen) -> Stack:
        return Stack(drawn(found, screen), *([""] if left_out else []), *left_out)

    return plain_panel(draw)


def games(opened: OpenGame) -> Panel:
    found = keeping.games(opened.store)
    numbers = tuple(game.game for game in found.games)
    return Panel(draw=partial(game_items, found), picks="open", chosen=opened.number, numbers=numbers)


def versions(opened: OpenGame) -> Panel:
    """Return the versions of this game side by side; NotAllowed if there is only one."""
    check_installed("doctor")
    from generala_cli.doctor.drawing import version_items
    from generala_cli.doctor.versions import compare

    found = compare(opened.store, opened.number)
    if found is None:
        raise NotAllowed("game {number} has only one version", number=opened.number)
    names = tuple(version.take for version in found.usable)
    return Panel(
        draw=partial(version_items, found),
        picks="take",
        numbers=tuple(range(1, len(names) + 1)),
        names=names,
    )


@lru_cache(8)
def console(screen: Screen) -> Console:
    """Return a rich console of the screen's size that ignores markup and the environment."""
    return Console(
        width=screen.width,
        height=screen.height,
        color_system="standard",
        force_terminal=True,
        force_jupyter=False,
        no_color=False,
        legacy_windows=False,
        markup=False,
        highlight=False,
        emoji=False,
    )


def rendered(renderable: RenderableType, screen: Screen) -> list[DrawnLine]:
    rich = console(screen)
    found = rich.render_lines(Group(renderable), rich.options.update(height=None), pad=False)
    return [[Segment(_with_ellipsis_for(screen, text), style) for text, style, _ in line] for line in found]


def _with_ellipsis_for(screen: Screen, text: str) -> str:
    return text.replace(UNICODE.ellipsis, ASCII.ellipsis) if screen.marks is ASCII else text


def text_of(line: DrawnLine) -> str:
    return "".join(segment.text for segment in line)


def width(line: DrawnLine) -> int:
    return sum([len(each.text) if each.text.isascii() else cell_len(each.text) for each in line])


def visible_lines(panel: Panel, screen: Screen) -> tuple[list[DrawnLine], int, int]:
    """Return the visible lines of a panel, and the numbers of lines below and above them."""
    lines: list[DrawnLine] = []
    marked = range(0)
    if not panel.numbers:
        for item in panel.draw(screen):
            lines += rendered(Stack(*item.lines), screen)
    else:
        narrower = replace(screen, width=screen.width - 1)
        for item in panel.draw(narrower):
            own = rendered(Stack(*item.lines), narrower)
            if item.number in panel.numbers:
                tap = tappable(ItemTap(item.number))
                own = [list(Segment.apply_style(line, tap)) for line in own]
            if panel.chosen is not None and item.number == panel.chosen:
                marked = range(len(lines), len(lines) + len(own))
                first = ">" if screen.marks is ASCII else "»"
                signs = [first, *" " * (len(own) - 1)]
                style = _MARKED + tappable(ItemTap(panel.chosen))
                lines += [
                    [Segment(sign + text_of(line), style)] for sign, line in zip(signs, own, strict=True)
                ]
            else:
                lines += [[Segment(" "), *line] for line in own]
    top = min(panel.top, max(0, len(lines) - screen.height))
    if marked:
        top = max(min(top, marked.start), marked.stop - screen.height)
    return lines[top : top + screen.height], max(0, len(lines) - top - screen.height), top
