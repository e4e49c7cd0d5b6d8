from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from itertools import accumulate, groupby
from math import ceil
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from msgspec import UNSET, Struct
from rich.cells import cell_len
from rich.console import RenderableType
from rich.style import StyleType
from rich.table import Column as RuledColumn
from rich.table import Table
from rich.text import Text

from generala_cli.game.game import Game
from generala_cli.game.standings import Standing, outcome
from generala_cli.messages import CommandLine, lazy
from generala_cli.render.drawing import (
    Column,
    GivesWay,
    Stack,
    cell,
    fitting,
    ruled_table,
    shortened,
    shortened_apart,
    text,
)
from generala_cli.render.language import moment, spoken, translate, translated
from generala_cli.render.lines import (
    amount,
    ending,
    extra_title,
    first_throw_pays,
    named,
    served_name,
    terms,
    what_is_next,
)
from generala_cli.render.screen import UNLIMITED, Screen
from generala_cli.rules.ruleset import Category
from generala_cli.text import NO_BREAK, safe

if TYPE_CHECKING:  # needed only for type checks
    from generala_cli.store.store import StoredGame

_PADDING, _RULE = 2, 1
_BETWEEN, _MARK = 1, 1
"""Cells between names, and before a name for its mark, so that columns keep their place as turns change."""
_LEAST_NAME, _LEAST_BOXES, _LEAST_OFFER, _LONGEST_SHORT = 5, 3, 4, 8
_GAP = 5
_LINES_AROUND = 7  # heading, legend, whose turn, what to type, the next prompt, and two empty ones


class Offers(Struct, frozen=True, kw_only=True):
    """The points that a hand would score before it is entered, by category."""

    player: str
    boxes: Mapping[str, Text]
    row_styles: Mapping[str, StyleType]


class SheetLine(NamedTuple):
    """A line of the sheet; `category` is None for a bonus or a sum, `pays` has a bonus's points."""

    name: str
    short: str
    boxes: Sequence[Text]
    category: Category | None = None
    pays: str = ""
    style: StyleType = ""


class _Layout(NamedTuple):
    """The layout of a compact sheet, in cells; `blocks` says which players are side by side."""

    labels: Sequence[str]
    widths: Sequence[int]
    blocks: Sequence[slice]
    gap: int


def glance(stored: "StoredGame", screen: Screen) -> Stack:
    game = stored.game
    words, typing = game.rules.example, lazy("type the dice:  {command}")
    if game.rules.has_throws_that_matter:
        words, typing = f"{words} 1", lazy("type dice and throw:  {command}")
    line_to_type = translated(CommandLine(f"generala {words}"))
    if not _is_roomy(game, game.seats, screen, _LINES_AROUND):
        again = translate("again: {command}", command=CommandLine("generala rematch"))
        return Stack(*_compact_sheet(stored, screen, again if game.is_over else line_to_type))
    if screen.in_dialogue:
        return Stack(sheet(stored, screen))
    hints = [
        translated(typing.with_values(command=line_to_type)),
        translate("more:  {command}", command="generala -h"),
    ]
    if game.is_over:
        hints = [
            translate("again:  {command}", command=CommandLine("generala rematch")),
            translate("new game:  {command}", command=lazy("generala new NAME NAME")),
        ]
    whole = (" " * _GAP).join(hints)
    advice = [whole] if cell_len(whole) <= screen.width else hints
    return Stack(sheet(stored, screen), *(fitting(each, screen, "dim") for each in advice))


def sheet(stored: "StoredGame", screen: Screen) -> Stack:
    """Return the scoresheet: a heading, players across, categories down, a legend, and the next player."""
    game = stored.game
    if not _is_roomy(game, game.seats, screen, _LINES_AROUND):
        return Stack(*_compact_sheet(stored, screen))
    table = _ruled_boxes(game, game.seats, screen)
    return Stack(
        _heading(stored), "", table, "", *legend(game, screen), *sides(game), *what_is_next(game, screen)
    )


def boxes(
    game: Game, screen: Screen, players: Sequence[str] = (), offers: Offers | None = None
) -> RenderableType:
    """Return only the boxes and totals of some players (by default of all), for a part of the screen."""
    shown = players or game.seats
    draw = _ruled_boxes if _is_roomy(game, shown, screen, 0, offers) else _compact_boxes
    return draw(game, shown, screen, offers)


def boxes_of_one(game: Game, screen: Screen, offers: Offers) -> Table:
    sections = sheet_lines(game, (offers.player,), screen, is_compact=True, offers=offers)
    rows = [row for section in sections for row in section][:-1]  # the turn's line shows the total
    box_width = max(_LEAST_OFFER, *(row.boxes[0].cell_len for row in rows))
    most = max(1, (screen.width + 1) // (_LEAST_NAME + box_width + 1))
    count = min(most, -(-len(rows) // max(1, screen.height)))
    lines = -(-len(rows) // count)
    room = max(1, (screen.width + 1) // count - 2 - box_width)
    names = [row.name if cell_len(row.name) <= room else row.short for row in rows]
    table = Table(*[""] * count, box=None, padding=(0, 1, 0, 0), pad_edge=False, show_header=False)
    cells = []
    for row, label in zip(rows, shortened_apart(names, [room] * len(rows), screen.marks), strict=True):
        box = row.boxes[0]
        blanks = " " * (room + 1 - cell_len(label) + box_width - box.cell_len)
        shown = Text.assemble(label, blanks, box, no_wrap=True)
        shown.stylize(row.style)
        cells.append(shown)
    for line in range(lines):
        table.add_row(*cells[line::lines])
    return table


def _is_roomy(
    game: Game, players: Sequence[str], screen: Screen, lines_around: int, offers: Offers | None = None
) -> bool:
    if screen.width == screen.height == UNLIMITED:
        return True
    sections = tuple(sheet_lines(game, players, screen, offers=offers))
    rows = [row for section in sections for row in section]
    width = max(cell_len(safe(row.name)) for row in rows)
    width += sum(each + _PADDING + _RULE for each in _ruled_widths(players, rows))
    return width <= screen.width and len(rows) + len(sections) + 1 + lines_around <= screen.height


def _heading(stored: "StoredGame") -> Text:
    return Text.assemble(game_heading(stored.number), f": {terms(stored.game)}")


def game_heading(number: int) -> Text:
    return text(translate("Game {game}", game=number), "bold")


def standings_columns(places: Sequence[Standing], screen: Screen) -> list[Column]:
    who = lazy("side") if any(each.team for each in places) else lazy("player")
    behind = [each.behind or screen.marks.dash for each in places]
    points = [each.game_points for each in places if each.game_points is not UNSET]
    return [
        Column(cells=[each.place for each in places], right=True),
        Column(who, [each.name for each in places], gives_way=GivesWay.APART),
        *([Column(lazy("points", context="game points"), points, right=True)] if points else []),
        Column(lazy("total"), [each.total for each in places], right=True),
        Column(lazy("behind"), behind, right=True),
    ]


def sides(game: Game) -> Iterator[str]:
    if game.agreed.sides:
        ranked = outcome(game).standings
        yield "  ".join(f"{safe(side.name)}: {side.total}" for side in ranked)


def _ruled_boxes(game: Game, players: Sequence[str], screen: Screen, offers: Offers | None = None) -> Table:
    sections = tuple(sheet_lines(game, players, screen, offers=offers))
    widths = _ruled_widths(players, [row for section in sections for row in section])
    columns = [_column(game, name, name, width, screen) for name, width in zip(players, widths, strict=True)]
    table = ruled_table(RuledColumn(), *columns, screen=screen)
    for section in sections:
        for row in section:
            table.add_row(cell(row.name), *map(_right_aligned, row.boxes, widths), style=row.style)
        table.add_section()
    return table


def _ruled_widths(players: Sequence[str], rows: Sequence[SheetLine]) -> list[int]:
    least = max(_LEAST_NAME, *(box.cell_len for row in rows for box in row.boxes))
    return [max(least, cell_len(safe(name)) + _MARK) for name in players]


def _column(game: Game, player: str, shown: str, width: int, screen: Screen) -> RuledColumn:
    style = "bold reverse" if player == game.to_move else "bold"
    return RuledColumn(_right_aligned(cell(_mark(game, player, screen) + shown, style), width), width=width)


def _room(name: str, width: int, mark: str, screen: Screen) -> int:
    """Return the cells for a name. The mark of the next player may stand in the gap if the name needs it."""
    room = width - _BETWEEN - cell_len(mark)
    return room + 1 if mark == screen.marks.turn and cell_len(safe(name)) == room + 1 else room


def _right_aligned(box: Text, width: int) -> Text:
    """Return the box padded on the left. Rich would strip the blank that replaces a mark."""
    box.pad_left(max(0, width - box.cell_len))
    return box


def _mark(game: Game, player: str, screen: Screen) -> str:
    if player == game.to_move:
        return screen.marks.turn
    return screen.marks.left if player in game.left else ""


def _compact_sheet(stored: "StoredGame", screen: Screen, advice: str = "") -> Iterator[RenderableType]:
    game, heading = stored.game, _heading(stored)
    heading.no_wrap, heading.overflow = True, "ellipsis"
    yield from (heading, _compact_boxes(game, game.seats, screen))
    yield from (*legend(game, screen, compact=True), *sides(game))
    if game.to_move is None:
        yield from (*ending(game), *([advice] if advice else ()))
        return
    if screen.in_dialogue:
        return
    # The hint shares a line with the next player if the name fits.
    alone = lazy("{player} is next", player="")
    both = lazy("{player} is next:  {command}", player="", command=advice) if advice else alone
    is_whole = cell_len(translated(both)) + cell_len(safe(game.to_move)) <= screen.width
    shown = both if is_whole else alone
    short = shortened(game.to_move, screen.width - cell_len(translated(shown)), screen.marks)
    yield cell(translated(shown.with_values(player=short)))
    if advice and not is_whole:
        yield cell(advice)


def _compact_boxes(game: Game, players: Sequence[str], screen: Screen, offers: Offers | None = None) -> Stack:
    least, drafts = _LEAST_BOXES if offers is None else _LEAST_OFFER, []
    for is_brief in (False, True):  # shorter boxes only if that saves a block
        sections = sheet_lines(game, players, screen, is_compact=True, is_brief=is_brief, offers=offers)
        rows = [row for section in sections for row in section]
        drafts.append((rows, _layout(players, rows, screen, least)))
    rows, (labels, widths, blocks, gap) = min(
        drafts, key=lambda draft: (_is_too_wide(draft[1], screen), len(draft[1].blocks))
    )
    rooms = [
        _room(player, width + gap, _mark(game, player, screen), screen)
        for player, width in zip(players, widths, strict=True)
    ]
    shown = shortened_apart(players, rooms, screen.marks)
    parts: list[RenderableType] = []
    for block in blocks:
        across = zip(players[block], shown[block], widths[block], strict=True)
        columns = [_column(game, player, name, width + gap, screen) for player, name, width in across]
        table = Table(RuledColumn(), *columns, box=None, padding=0, pad_edge=False, header_style="")
        for label, row in zip(labels, rows, strict=True):
            boxes = map(_fitted, row.boxes[block], widths[block])
            aligned = (
                _right_aligned(box, width + gap) for box, width in zip(boxes, widths[block], strict=True)
            )
            table.add_row(cell(label), *aligned, style=row.style)
        parts += ["", table]
    return Stack(*parts[1:])


def _is_too_wide(layout: _Layout, screen: Screen) -> bool:
    label = max(map(cell_len, layout.labels))
    widths = (layout.widths[block] for block in layout.blocks)
    return any(label + sum(each) + layout.gap * len(each) > screen.width for each in widths)


def _layout(players: Sequence[str], rows: Sequence[SheetLine], screen: Screen, least_box: int) -> _Layout:
    needs = [  # without room for a mark
        max(least_box, *(cell_len(row.boxes[place].plain.rstrip()) for row in rows))
        for place in range(len(players))
    ]
    names = [cell_len(safe(name)) for name in players]
    labels, gap = [row.name for row in rows], _BETWEEN + _MARK
    wants = list(map(max, needs, names))
    if max(map(cell_len, labels)) + sum(wants) + gap * len(players) <= screen.width:
        return _Layout(labels, wants, [slice(None)], gap)
    gap = _BETWEEN
    wants = [max(need, name + _MARK) for need, name in zip(needs, names, strict=True)]
    widest_first = accumulate(sorted((need + gap for need in needs), reverse=True))
    most = max(1, sum(width <= screen.width - _LEAST_NAME for width in widest_first))
    blocks = even_blocks(len(needs), most)
    left = screen.width - max(sum(needs[block]) + gap * len(needs[block]) for block in blocks)
    words = max((cell_len(row.short) for row in rows if row.category is None), default=0)
    least = [max(_LEAST_NAME, min(left, max(_LONGEST_SHORT, words)))] * len(rows)
    labels = shortened_apart([row.short for row in rows], least, screen.marks)
    room = screen.width - max(map(cell_len, labels))
    widths = (_levelled(needs[block], wants[block], room - gap * len(needs[block])) for block in blocks)
    return _Layout(labels, [width for block in widths for width in block], blocks, gap)


def _fitted(box: Text, width: int) -> Text:
    if box.cell_len > width:
        box.rstrip()
    return box


def even_blocks(columns: int, most: int) -> Sequence[slice]:
    size = ceil(columns / ceil(columns / most))
    return [slice(start, min(start + size, columns)) for start in range(0, columns, size)]


def _levelled(needs: Sequence[int], wants: Sequence[int], room: int) -> list[int]:
    """Return the widths. Each grows from its need toward its want while there is room, narrowest first."""
    widths = list(needs)
    for _ in range(room - sum(needs)):
        if wanting := [index for index, width in enumerate(widths) if width < wants[index]]:
            widths[min(wanting, key=widths.__getitem__)] += 1
    return widths


def sheet_lines(
    game: Game,
    players: Sequence[str],
    screen: Screen,
    *,
    is_compact: bool = False,
    is_brief: bool = False,
    offers: Offers | None = None,
) -> Iterator[list[SheetLine]]:
    """Yield the sections of a sheet: the numbers with their bonus, the other categories, the totals."""
    rules, columns = game.rules, [game.columns[player] for player in players]
    for _, run in groupby(rules.categories, lambda category: category.number is None):
        categories, rows = list(run), []
        for category in categories:
            offer = None if offers is None else offers.boxes.get(category.id)
            boxes = [
                _boxes(
                    game,
                    player,
                    category,
                    screen,
                    offer=offer if offers is not None and player == offers.player else None,
                    is_brief=is_brief,
                )
                for player in players
            ]
            style = "" if offers is None else offers.row_styles[category.id]
            rows.append(SheetLine(named(category), short_name(category), boxes, category, style=style))
        if rules.upper_bonus is not None and categories[-1] == rules.numbers[-1]:
            boxes = [_upper_bonus(game, player, is_brief=is_brief) for player in players]
            pays = str(rules.upper_bonus.points)
            rows.append(
                SheetLine(translate("upper bonus"), translate("bonus", context="short"), boxes, pays=pays)
            )
        has_extra = any(column.extra_bonus for column in columns) or (rules.extra_bonus and not is_compact)
        if has_extra and rules.all_alike_box in categories:
            short = translate("extra", context="short")
            boxes = [_extra_bonus(game, player) for player in players]
            rows.append(SheetLine(extra_title(rules), short, boxes, pays=str(rules.extra_bonus)))
        yield rows
    blank = place_for_mark(game)
    totals = [cell(f"{game.total(player)}{blank}", "bold") for player in players]
    last = [SheetLine(translate("total"), translate("total", context="short"), totals)]
    if points := game.game_points:
        earned = [cell(f"{points[player][0]}{blank}", "bold") for player in players]
        short = translate("points", context="short game points")
        last.append(SheetLine(translate("points", context="game points"), short, earned))
    if rules.has_spares:
        minus = screen.marks.minus
        spares = [
            cell(f"+{each.spares}{blank}" if is_compact else f"+{each.saved} {minus}{each.used}")
            for each in columns
        ]
        last.insert(0, SheetLine(translate("spares"), translate("spares", context="short"), spares))
    yield last


def short_name(category: Category) -> str:
    return category.short_in(spoken())


def _boxes(
    game: Game, player: str, category: Category, screen: Screen, *, offer: Text | None, is_brief: bool
) -> Text:
    """Return the boxes of a row, with an offer in the first open one, and the progress to its goal."""
    filled = game.columns[player].rows.get(category.id, ())
    marks, blank = screen.marks, place_for_mark(game)
    open_box = cell(f"{marks.left if player in game.left else marks.open}{blank}", "dim")
    texts = []
    for box in filled:
        served = box.price_roll == 1 and first_throw_pays(game.rules)
        shown = f"{box.points}{marks.served if served else blank}"
        scratch = cell(f"{marks.scratched}{blank}", "red")
        texts.append(scratch if box.scratched else cell(shown, "green" if served else ""))
    still_open = category.box_count - len(filled)
    texts += [offer, *[open_box] * (still_open - 1)] if offer is not None else [open_box] * still_open
    if category.box_count == 1:
        return texts[0]
    goal = game.rules.game_points.goal(category.id) if game.rules.game_points else None
    if goal is not None and goal.needed is not None and not is_brief:
        reached = goal.reached([box.points for box in filled])
        texts.append(cell(f"{reached:>{len(str(goal.needed))}}/{goal.needed}", "dim"))
    return Text(" ").join(texts)


def place_for_mark(game: Game) -> str:
    """Return the blank for a missing first-throw mark, or "" if the game has no such mark."""
    return " " if first_throw_pays(game.rules) else ""


def _upper_bonus(game: Game, player: str, *, is_brief: bool) -> Text:
    bonus = game.rules.upper_bonus
    assert bonus is not None
    if earned := game.upper_bonus(player):
        return cell(f"{earned}{place_for_mark(game)}")
    least = str(bonus.threshold)
    so_far = f"{game.in_numbers(player):>{len(least)}}/"  # as wide with a digit as with two
    return cell(f"{so_far}{'' if is_brief else least}", "dim")


def _extra_bonus(game: Game, player: str) -> Text:
    earned = game.columns[player].extra_bonus
    return cell(f"{earned}{place_for_mark(game)}", "" if earned else "dim")


def sheet_sections(game: Game, screen: Screen) -> Iterator[Sequence[tuple[str, Sequence[str]]]]:
    for section in sheet_lines(game, game.seats, screen):
        yield [(row.name, [box.plain.strip() for box in row.boxes]) for row in section]


def legend(game: Game, screen: Screen, *, compact: bool = False) -> Iterator[str]:
    boxes = [box for column in game.columns.values() for box in column.boxes]
    marks = screen.marks
    parts = [f"{marks.scratched} {translate('scratched')}"] if any(box.scratched for box in boxes) else []
    if first_throw_pays(game.rules) and any(box.price_roll == 1 and not box.scratched for box in boxes):
        parts.append(f"{marks.served} {translated(served_name(game.rules))}")
    if not game.is_over:
        parts.append(f"{marks.open} {translate('open', context='box')}")
        parts += [] if compact else [f"{marks.turn} {translate('to throw')}"]
    if game.left:
        parts.append(f"{marks.left} {translate('left', context='player')}")
    if game.rules.has_spares:
        parts.append(
            translate("spares +left")
            if compact
            else translate("spares +saved {minus}used", minus=marks.minus)
        )
    if (bonus := game.rules.upper_bonus) is not None:
        least = bonus.threshold
        pays = translate("upper bonus {points} at {least} in numbers", points=bonus.points, least=least)
        parts.append(
            translate("bonus {points} at {least}", points=bonus.points, least=least) if compact else pays
        )
    fits = (each.replace(" ", NO_BREAK) if cell_len(each) <= screen.width else each for each in parts)
    unbroken = "  ".join(fits)
    yield from (part.replace(NO_BREAK, " ") for part in wrap(unbroken, screen.width))


def gain(value: Decimal, unit: str) -> str:
    return amount(value, unit, "+f" if value > 0 else "f")


def local_time(at: datetime) -> str:
    return moment(at.astimezone())
