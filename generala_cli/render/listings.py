"""Lists that grow: the entries of a game, and the games. On a narrow screen each item takes two lines."""

import time
from calendar import timegm
from collections.abc import Iterator, Sequence

from rich.table import Table
from rich.text import Text

from generala_cli.app.games import GameLine, GameList
from generala_cli.app.views import Log, LogLine
from generala_cli.render.lines import entry_parts
from generala_cli.render.paper import drawn, plain_table, shortened, text
from generala_cli.render.screen import Screen
from generala_cli.rules.dice import print_dice
from generala_cli.rules.names import listed

NARROW_LOG = 78
NARROW_GAMES = 100
"""Fewer columns than these do not hold an item on one line with names worth reading."""


def log(result: Log, screen: Screen) -> str:
    """Every entry with its turn, time, dice, throw and points."""
    if not result.lines:
        return "nothing has been entered yet\n"
    return drawn(screen, *(_log_pairs if screen.width < NARROW_LOG else _log_table)(result, screen))


def _log_table(result: Log, _screen: Screen) -> Iterator[Table]:
    heads = ("event", "turn", "time", "player", "dice", "throw", "category", "points")
    table = plain_table(
        *heads[not result.everything :],
        right=(0, 1, 7) if result.everything else (0, 6),
        flexible=(2 + result.everything,),
    )
    for line in result.lines:
        entry = line.entry
        dice = "" if entry.dice is None else print_dice(entry.dice)
        throw = "" if entry.dice is None else str(entry.roll)
        what, points = _told(result, line)
        cells = (
            str(line.number),
            str(line.turn),
            local_time(line.at),
            entry.player,
            dice,
            throw,
            what,
            points,
        )
        style = "" if line.stands else "dim"
        table.add_row(*(text(cell, style) for cell in cells[not result.everything :]))
    yield table


def _log_pairs(result: Log, screen: Screen) -> Iterator[Text]:
    for line in result.lines:
        entry = line.entry
        dice = "" if entry.dice is None else f"{''.join(map(str, entry.dice))}, throw {entry.roll}: "
        name = shortened(entry.player, screen.width - 25, screen.marks)
        style = "" if line.stands else "dim"
        yield text(f"{line.turn:3}  {name}  {local_time(line.at)}", style)
        yield text(f"     {dice}{'  '.join(_told(result, line))}", style)


def _told(result: Log, line: LogLine) -> tuple[str, str]:
    """The category and the points, with what became of the entry."""
    what, points = entry_parts(result.game, line.entry)
    what = what.removesuffix(", first throw")
    if not line.stands:
        return f"{what} (not standing)", points
    if line.kind in ("scored", "scratched"):
        return what, points
    return (f"{line.kind}: {what}" if result.everything else f"{what} (corrected)"), points


def games(result: GameList, screen: Screen) -> str:
    """Every game, the current one marked."""
    if not result.lines and not result.damaged:
        return "no games yet; start one with generala new NAME NAME\n"
    return drawn(screen, *(_game_pairs if screen.width < NARROW_GAMES else _game_table)(result, screen))


def _game_table(result: GameList, screen: Screen) -> Iterator[Table]:
    table = plain_table(
        "", "game", "started", "rules", "players", "state", "label", right=(1,), flexible=(4, 6)
    )
    for line in result.lines:
        table.add_row(*(text(cell) for cell in _game_cells(result, line, screen)))
    for number, _ in result.damaged:
        table.add_row(*(text(cell) for cell in ("", number, "", "", "", "cannot be read", "")))
    yield table


def _game_pairs(result: GameList, screen: Screen) -> Iterator[Text]:
    for line in result.lines:
        mark, number, started, rules, players, state, label = _game_cells(result, line, screen)
        yield text(f"{mark or ' '}{number:>3}  {started}  {rules}")
        for told in (players, state, label):
            if told:
                yield text(f"      {shortened(told, screen.width - 6, screen.marks)}")
    for damaged, _ in result.damaged:
        yield text(f"{damaged:4}  cannot be read")


def _game_cells(result: GameList, line: GameLine, screen: Screen) -> Sequence[str]:
    started = line.game.started
    return (
        screen.marks.turn if line.number == result.current else "",
        str(line.number),
        local_time(line.started),
        started.rules.name,
        ", ".join(line.game.seats),
        f"won by {listed(line.winners, 'and')}" if line.winners else f"{line.game.to_move} to throw",
        started.label,
    )


def local_time(at: str) -> str:
    """A time of a game file (UTC) as the clock on the wall showed it."""
    moment = timegm(time.strptime(at, "%Y-%m-%dT%H:%M:%SZ"))
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(moment))
