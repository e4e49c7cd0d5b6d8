"""The log and the list of games, drawn item by item: on the screen of `generala play` one is marked."""

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, assert_never

from msgspec import Struct, UnsetType
from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from generala_cli.game.events import Joined, Left, Renamed, Staked
from generala_cli.messages import Message, tell
from generala_cli.render.drawing import Hanging, PlainTable, Stack, plain_table, shortened, text
from generala_cli.render.language import longer, said, say
from generala_cli.render.lines import (
    bonuses,
    change_text,
    entry_parts,
    entry_title,
)
from generala_cli.render.screen import Screen
from generala_cli.render.tables import game_heading, local_time
from generala_cli.rules.dice import print_dice
from generala_cli.text import safe

if TYPE_CHECKING:  # to draw a sheet asks nothing of these rooms
    from generala_cli.app.views import Log, LogLine

_NARROW_LOG = 78
NARROW_LIST = 100
"""Fewer columns than these do not hold an item on one line with names worth reading."""


class Item(Struct, frozen=True):
    """The lines of one turn or game, and the number by which it is chosen; a heading has none."""

    number: int | None
    lines: tuple[RenderableType, ...]


def stacked(items: Sequence[Item]) -> Stack:
    """The whole list."""
    return Stack(*(line for item in items for line in item.lines))


def log(result: "Log", screen: Screen) -> RenderableType:
    """Every entry with its turn, time, dice, throw and points."""
    if not result.lines:
        return f"{say('nothing has been entered yet in game {game}', game=result.number)}\n"
    return stacked(log_items(result, screen))


def log_items(result: "Log", screen: Screen) -> list[Item]:
    """The items of the log: which game it is, and each entry under the number of its turn."""
    heading = Item(None, (game_heading(result.number),))
    columns: list[tuple[Message, Callable[[LogLine], str]]] = []
    if any(map(_threw, result.lines)):
        columns.append((tell("threw"), _threw))
    if result.is_of_several:
        columns.append((tell("entered by"), _machine))
    heads = (*_LOG_HEADS, *(head for head, _ in columns))
    narrow = (NARROW_LIST if result.everything else _NARROW_LOG) + longer(*heads)
    if result.is_of_several:
        narrow += 2 + max(map(cell_len, (say("entered by"), *map(_machine, result.lines))))
    if screen.width < narrow:
        return [heading, *(_narrow_log_item(result, line, screen) for line in result.lines)]
    rows = []
    for line in result.lines:
        entry, at = line.entry, local_time(line.recorded.at)
        hand = ("", "") if entry is None or entry.dice is None else (print_dice(entry.dice), entry.roll)
        row = (line.recorded.n, line.turn or "", at, _who(line), *hand, *_fate(result, line))
        rows.append((*row, *(cell(line) for _, cell in columns)))
    if result.everything:
        styles = [_style(line) for line in result.lines]
        table = plain_table(heads, rows, right=(0, 1, 7), flexible=(3, 6), styles=styles)
    else:
        table = plain_table(heads[1:], [row[1:] for row in rows], right=(0, 6), flexible=(2, 5))
    return [heading, *row_items(table, [line.turn for line in result.lines], screen)]


def row_items(table: PlainTable, numbers: Sequence[int | None], screen: Screen) -> Iterator[Item]:
    """The head of a table, and each of its rows under its number."""
    rows = zip_longest(table.lines(screen.width), table.styles, fillvalue="")
    for number, (line, style) in zip((None, *numbers), rows, strict=True):
        yield Item(number, (Text(line, style) if style else line,))


_LOG_HEADS: Sequence[Message] = (
    tell("event"),
    tell("turn"),
    tell("time"),
    tell("player"),
    tell("dice"),
    tell("throw"),
    tell("category"),
    tell("points"),
)


def _narrow_log_item(result: "Log", line: "LogLine", screen: Screen) -> Item:
    """Two lines or three."""
    entry, dice, at = line.entry, "", local_time(line.recorded.at)
    if entry is not None and entry.dice is not None:
        dice = f"{''.join(map(str, entry.dice))}, {say('throw {throw}', throw=entry.roll)}: "
    event = f"{say('event {event}', event=line.recorded.n)}, " if result.everything else ""
    name = shortened(_who(line), screen.width - 9 - cell_len(at) - cell_len(event), screen.marks)
    lines = [
        f"{line.turn or '':>3}  {name}{'  ' if name else ''}{event}{at}",
        f"{dice}{'  '.join(_fate(result, line))}".rstrip(),
    ]
    if threw := _threw(line):
        lines.append(f"{say('threw {throws}', throws=threw)}")
    if result.is_of_several and (machine := _machine(line)):
        lines.append(say("entered by {machine}", machine=machine))
    style = _style(line)
    first, *below = lines
    return Item(line.turn, (text(first, style), *(Hanging(text(each, style), 5) for each in below)))


def _threw(item: "LogLine") -> str:
    """`44126:44 44425:444`: what was thrown and kept before, as it is typed."""
    if item.entry is None or isinstance(item.entry.throws, UnsetType):
        return ""
    return " ".join(
        f"{''.join(map(str, each.dice))}:{''.join(map(str, each.kept))}" for each in item.entry.throws
    )


def _who(item: "LogLine") -> str:
    """The player of a line, or nobody where another stake was agreed."""
    if item.entry is not None:
        return item.entry.player
    return getattr(item.change, "name", "") or getattr(item.change, "player", "")


def _machine(item: "LogLine") -> str:
    """What the machine is called on which a line was entered; nothing where that is not known."""
    return safe(item.recorded.by or "")


def _style(item: "LogLine") -> str:
    return "dim" if item.state in ("replaced", "undone") else ""


def _fate(result: "Log", item: "LogLine") -> tuple[str, str]:
    """The category and the points, or the change at the table, with what became of it."""
    title, points = _title(result, item)
    if not result.everything:
        return say("{entry} (corrected)", entry=title) if item.corrects else title, points
    if item.kind == "undone":
        correction = tell("undone: the correction to {entry}", entry=title)
        return said(correction if item.corrects else tell("undone: {entry}", entry=title)), points
    if item.kind == "redone":
        correction = tell("redone: the correction to {entry}", entry=title)
        return said(correction if item.corrects else tell("redone: {entry}", entry=title)), points
    if item.corrects:
        title = say("corrected: {entry}", entry=title)
    if item.state == "replaced":
        return say("{entry} (replaced)", entry=title), points
    return say("{entry} (undone)", entry=title) if item.state == "undone" else title, points


def _title(result: "Log", item: "LogLine") -> tuple[str, str]:
    match item.change:
        case None:
            assert item.entry is not None
            _, points = entry_parts(result.game, item.entry)
            title = [entry_title(result.game, item.entry), *bonuses(result.game.rules, item.bonuses)]
            return ", ".join(title), points
        case Renamed(player=player):
            return say("renamed, was {player}", player=player), ""
        case Joined():
            return say("joined", context="player"), ""
        case Left():
            return say("left", context="player"), ""
        case Staked():
            return change_text(item.change), ""
        case _:
            assert_never(item.change)
