"""Lists that grow: the entries of a game, and the games. On a narrow screen each item takes two lines."""

import time
from calendar import timegm
from collections.abc import Iterator, Sequence

from generala_cli.app.games import GameLine, GameList
from generala_cli.app.views import Log, LogLine
from generala_cli.render.letters import shortened
from generala_cli.render.lines import entry_parts, entry_title, upper_bonus
from generala_cli.render.paper import drawn
from generala_cli.render.screen import Screen
from generala_cli.render.table import Cell, Table, plain_table, text
from generala_cli.rules.dice import print_dice
from generala_cli.rules.names import listed

Row = tuple[str, ...]
"""Cells of a table."""

NARROW_LOG = 78
NARROW_LOG_ALL = 100
NARROW_GAMES = 100
"""Fewer columns than these do not hold an item on one line with names worth reading."""


def log(result: Log, screen: Screen) -> str:
    """Every entry with its turn, time, dice, throw and points."""
    if not result.lines:
        return "nothing has been entered yet\n"
    if screen.width < (NARROW_LOG_ALL if result.everything else NARROW_LOG):
        return drawn(screen, *_log_pairs(result, screen))
    return drawn(screen, _log_all_table(result) if result.everything else _log_table(result))


def _log_table(result: Log) -> Table:
    heads = ("turn", "time", "player", "dice", "throw", "category", "points")
    table = plain_table(*heads, right=(0, 6), flexible=(2, 5))
    for line in result.lines:
        table.add_row(*(text(cell) for cell in _log_cells(result, line)))
    return table


def _log_all_table(result: Log) -> Table:
    heads = ("event", "turn", "time", "player", "dice", "throw", "category", "points")
    table = plain_table(*heads, right=(0, 1, 7), flexible=(3, 6))
    for line in result.lines:
        cells = (str(line.number), *_log_cells(result, line))
        table.add_row(*(text(cell, _style(line)) for cell in cells))
    return table


def _log_cells(result: Log, line: LogLine) -> Sequence[str]:
    entry = line.entry
    dice, throw = ("", "") if entry.dice is None else (print_dice(entry.dice), str(entry.roll))
    return (str(line.turn), local_time(line.at), entry.player, dice, throw, *_told(result, line))


def _log_pairs(result: Log, screen: Screen) -> Iterator[Cell]:
    for line in result.lines:
        entry = line.entry
        dice = "" if entry.dice is None else f"{''.join(map(str, entry.dice))}, throw {entry.roll}: "
        event = f"event {line.number}, " if result.everything else ""
        name = shortened(entry.player, screen.width - 25 - len(event), screen.marks)
        yield text(f"{line.turn:3}  {name}  {event}{local_time(line.at)}", _style(line))
        yield text(f"     {dice}{'  '.join(_told(result, line))}", _style(line))


def _style(line: LogLine) -> str:
    return "dim" if line.state in ("replaced", "undone") else ""


def _told(result: Log, line: LogLine) -> tuple[str, str]:
    """The category and the points, with what became of the entry."""
    bonus = f", {upper_bonus(line.upper_bonus)}" if line.upper_bonus else ""
    title = f"{entry_title(result.game, line.entry)}{bonus}"
    _, points = entry_parts(result.game, line.entry)
    if not result.everything:
        return f"{title} (corrected)" if line.corrects else title, points
    if line.kind in ("undone", "redone"):
        return f"{line.kind}: {'the correction to ' if line.corrects else ''}{title}", points
    was = "" if line.state == "stands" else f" ({line.state})"
    return f"{'corrected: ' if line.corrects else ''}{title}{was}", points


def games(result: GameList, screen: Screen) -> str:
    """Every game, the current one marked."""
    if not result.lines and not result.damaged:
        return "no games yet; start one with generala new NAME NAME\n"
    rows = [_game_cells(result, line, screen) for line in result.lines]
    rows += [("", str(number), "", "", "", "cannot be read", "") for number, _ in result.damaged]
    return drawn(screen, *(_game_pairs(rows, screen) if screen.width < NARROW_GAMES else _game_table(rows)))


def _game_table(rows: Sequence[Row]) -> Iterator[Table]:
    heads = ("", "game", "started", "rules", "players", "state", "label")
    table = plain_table(*heads, right=(1,), flexible=(4, 5, 6))
    for row in rows:
        table.add_row(*map(text, row))
    yield table


def _game_pairs(rows: Sequence[Row], screen: Screen) -> Iterator[Cell]:
    for mark, number, started, rules, players, state, label in rows:
        yield text(f"{mark or ' '}{number:>3}  {started or state}  {rules}")
        for told in (players, state if started else "", label):
            if told:
                yield text(f"      {shortened(told, screen.width - 6, screen.marks)}")


def _game_cells(result: GameList, line: GameLine, screen: Screen) -> Row:
    return (
        screen.marks.turn if line.number == result.current else "",
        str(line.number),
        local_time(line.started),
        line.rules,
        ", ".join(line.players),
        f"won by {listed(line.winners, 'and')}" if line.winners else f"{line.next} to throw",
        line.label,
    )


def local_time(at: str) -> str:
    """A time of a game file (UTC) as the clock on the wall showed it."""
    parts = (at[:4], at[5:7], at[8:10], at[11:13], at[14:16], at[17:19])
    moment = timegm((*map(int, parts), 0, 0, 0))
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(moment))
