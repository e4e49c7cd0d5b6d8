"""What is drawn of many turns or games: the log and the list of games."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, assert_never

from msgspec import UNSET, UnsetType
from rich.cells import cell_len
from rich.console import RenderableType

from generala_cli.game.events import Joined, Left, Renamed, Staked
from generala_cli.messages import Message, listing, tell
from generala_cli.render.drawing import (
    Stack,
    plain_table,
    shortened,
    text,
)
from generala_cli.render.language import longer, said, say
from generala_cli.render.lines import (
    change_text,
    entry_parts,
    entry_title,
    upper_bonus,
)
from generala_cli.render.screen import Screen
from generala_cli.render.tables import game_heading, local_time
from generala_cli.rules.dice import print_dice
from generala_cli.text import safe

if TYPE_CHECKING:  # to draw a sheet asks nothing of these rooms
    from generala_cli.app.games import GameList
    from generala_cli.app.views import Log, LogLine
    from generala_cli.store.gamefile import Result

_NARROW_LOG = 78
_NARROW_LIST = 100
"""Fewer columns than these do not hold an item on one line with names worth reading."""

_GAP = 5
"""Between two things to type."""
_Row = tuple[str, ...]


def log(result: "Log", screen: Screen) -> RenderableType:
    """Every entry with its turn, time, dice, throw and points."""
    if not result.lines:
        return f"{say('nothing has been entered yet in game {game}', game=result.number)}\n"
    return Stack(game_heading(result.number), _log(result, screen))


def _log(result: "Log", screen: Screen) -> RenderableType:
    threw = any(map(_threw, result.lines))
    heads = _LOG_HEADS[: 8 + threw]
    narrow = (_NARROW_LIST if result.everything else _NARROW_LOG) + longer(*heads)
    if screen.width < narrow:
        return Stack(*_log_pairs(result, screen))
    rows = []
    for item in result.lines:
        entry, at = item.entry, local_time(item.recorded.at)
        hand = ("", "") if entry is None or entry.dice is None else (print_dice(entry.dice), entry.roll)
        told = (item.recorded.n, item.turn or "", at, _who(item), *hand, *_fate(result, item))
        rows.append((*told, *([_threw(item)] if threw else [])))
    if result.everything:
        styles = [_style(item) for item in result.lines]
        return plain_table(heads, rows, right=(0, 1, 7), flexible=(3, 6), styles=styles)
    return plain_table(heads[1:], [row[1:] for row in rows], right=(0, 6), flexible=(2, 5))


_LOG_HEADS: Sequence[Message] = (
    tell("event"),
    tell("turn"),
    tell("time"),
    tell("player"),
    tell("dice"),
    tell("throw"),
    tell("category"),
    tell("points"),
    tell("threw"),
)


def _log_pairs(result: "Log", screen: Screen) -> Iterator[RenderableType]:
    for item in result.lines:
        entry, dice, at = item.entry, "", local_time(item.recorded.at)
        if entry is not None and entry.dice is not None:
            dice = f"{''.join(map(str, entry.dice))}, {say('throw {throw}', throw=entry.roll)}: "
        event = f"{say('event {event}', event=item.recorded.n)}, " if result.everything else ""
        name = shortened(_who(item), screen.width - 9 - cell_len(at) - cell_len(event), screen.marks)
        threw = say("threw {throws}", throws=_threw(item)) if _threw(item) else ""
        for told in (
            f"{item.turn or '':>3}  {name}{'  ' if name else ''}{event}{at}",
            f"     {dice}{'  '.join(_fate(result, item))}".rstrip(),
            *([f"     {threw}"] if threw else []),
        ):
            yield text(told, style) if (style := _style(item)) else safe(told)


def _threw(item: "LogLine") -> str:
    """`44126:44 44425:444`: what was thrown and kept before, as it is typed."""
    throws = item.entry.throws if item.entry is not None else UNSET
    told = () if isinstance(throws, UnsetType) else throws
    return " ".join(f"{''.join(map(str, each.dice))}:{''.join(map(str, each.kept))}" for each in told)


def _who(item: "LogLine") -> str:
    """The player of a line; nobody's is what is played for."""
    if item.entry is not None:
        return item.entry.player
    return getattr(item.change, "name", "") or getattr(item.change, "player", "")


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
    told = say("corrected: {entry}", entry=title) if item.corrects else title
    if item.state == "replaced":
        return say("{entry} (replaced)", entry=told), points
    return say("{entry} (undone)", entry=told) if item.state == "undone" else told, points


def _title(result: "Log", item: "LogLine") -> tuple[str, str]:
    match item.change:
        case None:
            assert item.entry is not None
            bonus = f", {upper_bonus(item.upper_bonus)}" if item.upper_bonus else ""
            _, points = entry_parts(result.game, item.entry)
            return f"{entry_title(result.game, item.entry)}{bonus}", points
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


def games(result: "GameList", screen: Screen) -> RenderableType:
    """Every game, the current one marked; on a narrow screen each takes a few lines."""
    if not result.games and not result.damaged:
        if result.is_part:
            return f"{say('no game matches; generala games lists them all')}\n"
        return f"{say('no games yet; start one with generala new NAME NAME')}\n"
    rows: list[_Row] = [
        (
            screen.marks.turn if game.game == result.current else "",
            str(game.game),
            local_time(game.started),
            game.agreed.rules.name,
            ", ".join(f"{name} {total}" for name, total in found.totals.items()),
            _state(found),
            game.agreed.label,
        )
        for game, found in ((game, game.result) for game in result.games)
    ]
    rows += [("", str(number), "", "", "", say("cannot be read"), "") for number, _ in result.damaged]
    if screen.width < _NARROW_LIST + longer(*_GAMES_HEADS):
        totals = [list(game.result.totals.items()) for game in result.games] + [[] for _ in result.damaged]
        return Stack(*_game_pairs(rows, totals, screen))
    return plain_table(_GAMES_HEADS, rows, right=(1,), flexible=(4, 5, 6))


_GAMES_HEADS: Sequence[str | Message] = (
    "",
    tell("game"),
    tell("started"),
    tell("rules"),
    tell("players"),
    tell("state"),
    tell("label"),
)


def _state(found: "Result") -> str:
    """Who throws next in a game, or has won it."""
    if found.next:
        return say("{player} to throw", player=found.next)
    return say("won by {players}", players=listing(found.winners, "and"))


def _game_pairs(rows: list[_Row], totals: list[list[tuple[str, int]]], screen: Screen) -> Iterator[str]:
    room = screen.width - 6
    for (mark, number, started, rules, _, state, label), of in zip(rows, totals, strict=True):
        yield safe(f"{mark or ' '}{number:>3}  {started or state}  {rules}")
        for told in (*_filled(of, room, screen), state if started else "", label):
            if told:
                yield f"      {shortened(told, room, screen.marks)}"


def _filled(totals: list[tuple[str, int]], room: int, screen: Screen) -> list[str]:
    """Players with their totals, on as few lines as they fill."""
    lines: list[str] = []
    for name, total in totals:
        told = f"{shortened(name, room - len(f' {total},'), screen.marks)} {total}"
        if lines and cell_len(f"{lines[-1]}, {told},") <= room:
            lines[-1] += f", {told}"
        else:
            lines = [*lines[:-1], *(f"{last}," for last in lines[-1:]), told]
    return lines
