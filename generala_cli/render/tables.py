"""What is drawn of games: the scoresheet, standings, payouts, the log and the list of games."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from itertools import groupby
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import RenderableType
from rich.table import Column, Table
from rich.text import Text

from generala_cli.game.events import Renamed, Staked
from generala_cli.game.game import Game
from generala_cli.game.money import METHODS, is_for_points, plain
from generala_cli.game.standings import outcome
from generala_cli.render.drawing import (
    Stack,
    cell,
    line,
    plain_table,
    ruled_table,
    shortened,
    shortened_apart,
    text,
)
from generala_cli.render.lines import (
    amount,
    change_text,
    entry_parts,
    entry_title,
    first_throw_pays,
    stake_text,
    terms,
    upper_bonus,
    what_is_next,
)
from generala_cli.render.screen import ASCII, Screen
from generala_cli.rules.dice import print_dice
from generala_cli.rules.ruleset import Category
from generala_cli.text import listed, safe

if TYPE_CHECKING:  # to draw a sheet asks nothing of these rooms
    from generala_cli.app.games import GameList
    from generala_cli.app.views import Log, LogLine, Settled
    from generala_cli.store.store import StoredGame

_PADDING, _RULE = 2, 1
_LEAST_NAME = 5
_NARROW_PAYOUTS = 60
"""Fewer columns than this have no room for names and points both."""
_NARROW_LOG = 78
_NARROW_LIST = 100
"""Fewer columns than these do not hold an item on one line with names worth reading."""

_Row = tuple[str, ...]


def glance(stored: "StoredGame", screen: Screen) -> Stack:
    """The current game and what to type next."""
    dots = "..." if screen.marks is ASCII else "…"
    advice = f"score it:  generala score DICE{dots} --roll N     more:  generala -h"
    if stored.game.is_over:
        advice = "again:  generala rematch     another:  generala new NAME NAME"
    return Stack(sheet(stored, screen), line((advice, "dim")))


def sheet(stored: "StoredGame", screen: Screen) -> Stack:
    """The scoresheet, players across and categories down, its heading and legend, and whose turn it is."""
    game = stored.game
    heading = Text.assemble(game_heading(stored.number), f": {terms(game)}")
    blocks = [part for table in _sheets(game, screen) for part in (table, "")]
    sides = outcome(game).standings if game.agreed.sides else ()
    totals = ["  ".join(f"{safe(side.contender.name)}: {side.total}" for side in sides)] if sides else []
    return Stack(heading, "", *blocks, *_legend(game, screen), *totals, *what_is_next(game))


def game_heading(number: int) -> Text:
    """Which game it is."""
    return text(f"Game {number}", "bold")


def _sheets(game: Game, screen: Screen) -> Iterator[Table]:
    """As many players side by side as the width has room for, in columns as wide as their names need."""
    sections = tuple(_sections(game, screen))
    rows = [row for section in sections for row in section]
    room = screen.width - max(cell_len(safe(head)) for head, _ in rows) - _PADDING // 2
    least = max(_LEAST_NAME, *(box.cell_len for _, boxes in rows for box in boxes))
    together = max(1, room // (least + _PADDING + _RULE))
    for start in range(0, len(game.seats), together):
        block = slice(start, start + together)
        table = ruled_table(Column(), *_columns(game, game.seats[block], room, least, screen), screen=screen)
        for section in sections:
            for head, boxes in section:
                table.add_row(cell(head), *boxes[block])
            table.add_section()
        yield table


def _columns(game: Game, players: Sequence[str], room: int, least: int, screen: Screen) -> Iterator[Column]:
    """A column for each player, with the name marked and shortened to it."""
    most = room // len(players) - _PADDING - _RULE
    marks = dict.fromkeys(game.left, screen.marks.left) | {game.to_move: screen.marks.turn}
    names = [f"{marks.get(name, '')}{name}" for name in players]
    widths = [max(least, min(cell_len(safe(name)) + 1, most)) for name in names]
    heads = shortened_apart(names, widths, screen.marks)
    for player, head, width in zip(players, heads, widths, strict=True):
        style = "bold reverse" if player == game.to_move else "bold"
        yield Column(cell(head, style), justify="right", width=width)


def _sections(game: Game, screen: Screen) -> Iterator[list[tuple[str, list[Text]]]]:
    """What is ruled apart: the numbers with their bonus, the other categories, the totals.

    Of each line what it is called, and the boxes in the order of the seats.
    """
    rules, columns = game.rules, game.columns
    for _, run in groupby(rules.categories, lambda category: category.number is None):
        categories = list(run)
        rows = [(c.name, [_box(game, player, c, screen) for player in game.seats]) for c in categories]
        if rules.upper_bonus is not None and categories[-1] == rules.numbers[-1]:
            rows.append(("upper bonus", [_upper_bonus(game, player) for player in game.seats]))
        yield rows
    last = [("total", [cell(f"{game.total(player)} ", "bold") for player in game.seats])]
    if rules.has_spares:
        told = (f"+{columns[name].saved} {screen.marks.minus}{columns[name].used}" for name in game.seats)
        last.insert(0, ("spares", [cell(spares) for spares in told]))
    yield last


def _box(game: Game, player: str, category: Category, screen: Screen) -> Text:
    """What is written there, with a place for a mark after the number."""
    box = game.columns[player].boxes.get(category.id)
    marks = screen.marks
    if box is None:
        return cell(f"{marks.left if player in game.left else marks.open} ", "dim")
    if box.scratched:
        return cell(f"{marks.scratched} ", "red")
    served = box.roll == 1 and first_throw_pays(game.rules)
    return cell(f"{box.points}{marks.served if served else ' '}", "green" if served else "")


def _upper_bonus(game: Game, player: str) -> Text:
    """Points where it is earned; else how far the numbers are, `41/63`, which cannot be taken for points."""
    bonus = game.rules.upper_bonus
    assert bonus is not None
    if earned := game.upper_bonus(player):
        return cell(f"{earned} ")
    return cell(f"{game.in_numbers(player)}/{bonus.threshold} ", "dim")


def _legend(game: Game, screen: Screen) -> Iterator[str]:
    """What the marks mean, those that are on the sheet."""
    boxes = [box for column in game.columns.values() for box in column.boxes.values()]
    marks = screen.marks
    told = [f"{marks.scratched} scratched"] if any(box.scratched for box in boxes) else []
    if first_throw_pays(game.rules) and any(box.roll == 1 and not box.scratched for box in boxes):
        told.append(f"{marks.served} first throw")
    if not game.is_over:
        told += [f"{marks.open} open", f"{marks.turn} to throw"]
    if game.left:
        told.append(f"{marks.left} left")
    if game.rules.has_spares:
        told.append(f"spares +saved {marks.minus}used")
    if (bonus := game.rules.upper_bonus) is not None:
        told.append(f"upper bonus {bonus.points} from {bonus.threshold} in numbers")
    if told:
        yield "  ".join(told)


def standings(stored: "StoredGame", screen: Screen) -> Stack:
    """Places, totals and margins."""
    game = stored.game
    heads = ("", "side" if game.agreed.sides else "player", "total", "behind")
    dash, places = screen.marks.dash, outcome(game).standings
    rows = [(each.place, each.contender.name, each.total, each.behind or dash) for each in places]
    styles = ["bold" if each.place == 1 else "" for each in places]
    table = plain_table(heads, rows, right=(0, 2, 3), flexible=(1,), styles=styles)
    still = sum(len(game.open_categories(player)) for player in game.playing)
    below = [] if game.is_over else [f"not over: {still} {'box is' if still == 1 else 'boxes are'} open"]
    if game.left:
        below.append(f"left: {', '.join(map(safe, game.left))}")
    return Stack(table, "", *what_is_next(game, stored.number), *below)


def payouts(result: "Settled", screen: Screen) -> Stack:
    """Who owes whom, and what each has in the end."""
    payout = result.payout
    agreed = f"{payout.method}, {stake_text(payout.stake, payout.unit, payout.method)}"
    if is_for_points(payout.stake, payout.unit) and METHODS[payout.method].per_point:
        agreed = f"{payout.method}, for points"
    ended = "" if result.game.is_over else ", if it ended now"
    heading = f"Game {result.number}{ended}: {agreed}{', tried out' if result.tried else ''}"
    owed = _debts(result, screen) if payout.debts else "nobody owes anybody anything"
    rows = [(name, gain(value, payout.unit)) for name, value in payout.net.items()]
    net = plain_table(("", "net"), rows, right=(1,), flexible=(0,))
    return Stack(text(heading, "bold"), "", owed, "", net, *_notes(result))


def _debts(result: "Settled", screen: Screen) -> RenderableType:
    """On a narrow screen the points give way to the names, and no two of these look the same."""
    payout = result.payout
    amounts = [amount(plain(debt.amount), payout.unit) for debt in payout.debts]
    counts = screen.width >= _NARROW_PAYOUTS and payout.unit != "point"
    points = [f"({amount(debt.points, 'point')})" if counts and debt.points else "" for debt in payout.debts]
    room = (screen.width - max(map(len, amounts)) - max(map(len, points)) - 4 - 4 * 2) // 2
    names = list(dict.fromkeys(name for debt in payout.debts for name in (debt.debtor, debt.creditor)))
    shown = dict(zip(names, shortened_apart(names, [room] * len(names), screen.marks), strict=True))
    heads = ("",) * (5 if any(points) else 4)
    rows = [
        (shown[debt.debtor], "owes", shown[debt.creditor], owed, why)[: len(heads)]
        for debt, owed, why in zip(payout.debts, amounts, points, strict=True)
    ]
    return plain_table(heads, rows, right=(3,), flexible=(0, 2))


def _notes(result: "Settled") -> Iterator[str]:
    if result.game.agreed.sides:
        shares = result.payout.members.items()
        told = (f"{safe(player)} {gain(value, result.payout.unit)}" for player, value in shares)
        yield f"\neach: {', '.join(told)}"
    rule = result.payout.instant_win_rule
    if rule == "points":
        points = result.game.rules.instant_win_points
        yield f"\nwon at once: each loser owes {points} points, a house rule of this game"
    elif rule == "difference":
        yield "\nwon at once: each loser owes the difference, or nothing where it is not above zero"
    if not result.game.is_over:
        yield "\nthe game is not over"


def gain(value: Decimal, unit: str) -> str:
    """`+0.62 USD`, `-3 drink`: what someone has of it in the end."""
    return amount(f"{'+' if value > 0 else ''}{plain(value)}", unit)


def log(result: "Log", screen: Screen) -> RenderableType:
    """Every entry with its turn, time, dice, throw and points."""
    if not result.lines:
        return f"nothing has been entered yet in game {result.number}\n"
    return Stack(game_heading(result.number), _log(result, screen))


def _log(result: "Log", screen: Screen) -> RenderableType:
    if screen.width < (_NARROW_LIST if result.everything else _NARROW_LOG):
        return Stack(*_log_pairs(result, screen))
    heads = ("event", "turn", "time", "player", "dice", "throw", "category", "points")
    rows = []
    for item in result.lines:
        entry, at = item.entry, local_time(item.recorded.at)
        hand = ("", "") if entry is None or entry.dice is None else (print_dice(entry.dice), entry.roll)
        rows.append((item.recorded.n, item.turn or "", at, _who(item), *hand, *_fate(result, item)))
    if result.everything:
        styles = [_style(item) for item in result.lines]
        return plain_table(heads, rows, right=(0, 1, 7), flexible=(3, 6), styles=styles)
    return plain_table(heads[1:], [row[1:] for row in rows], right=(0, 6), flexible=(2, 5))


def _log_pairs(result: "Log", screen: Screen) -> Iterator[RenderableType]:
    for item in result.lines:
        entry, dice = item.entry, ""
        if entry is not None and entry.dice is not None:
            dice = f"{''.join(map(str, entry.dice))}, throw {entry.roll}: "
        event = f"event {item.recorded.n}, " if result.everything else ""
        name = shortened(_who(item), screen.width - 25 - len(event), screen.marks)
        for told in (
            f"{item.turn or '':>3}  {name}{'  ' if name else ''}{event}{local_time(item.recorded.at)}",
            f"     {dice}{'  '.join(_fate(result, item))}".rstrip(),
        ):
            yield text(told, style) if (style := _style(item)) else safe(told)


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
        return f"{title} (corrected)" if item.corrects else title, points
    if item.kind in ("undone", "redone"):
        return f"{item.kind}: {'the correction to ' if item.corrects else ''}{title}", points
    was = "" if item.state == "stands" else f" ({item.state})"
    return f"{'corrected: ' if item.corrects else ''}{title}{was}", points


def _title(result: "Log", item: "LogLine") -> tuple[str, str]:
    match item.change:
        case None:
            assert item.entry is not None
            bonus = f", {upper_bonus(item.upper_bonus)}" if item.upper_bonus else ""
            _, points = entry_parts(result.game, item.entry)
            return f"{entry_title(result.game, item.entry)}{bonus}", points
        case Renamed(player=player):
            return f"renamed, was {player}", ""
        case Staked():
            return change_text(item.change), ""
        case _:
            return item.step.kind, ""


def games(result: "GameList", screen: Screen) -> RenderableType:
    """Every game, the current one marked; on a narrow screen each takes a few lines."""
    if not result.games and not result.damaged:
        return "no games yet; start one with generala new NAME NAME\n"
    rows: list[_Row] = [
        (
            screen.marks.turn if game.game == result.current else "",
            str(game.game),
            local_time(game.started),
            game.agreed.rules.name,
            ", ".join(found.totals),
            f"{found.next} to throw" if found.next else f"won by {listed(found.winners, 'and')}",
            game.agreed.label,
        )
        for game, found in ((game, game.result) for game in result.games)
    ]
    rows += [("", str(number), "", "", "", "cannot be read", "") for number, _ in result.damaged]
    if screen.width < _NARROW_LIST:
        return Stack(*_game_pairs(rows, screen))
    heads = ("", "game", "started", "rules", "players", "state", "label")
    return plain_table(heads, rows, right=(1,), flexible=(4, 5, 6))


def _game_pairs(rows: list[_Row], screen: Screen) -> Iterator[str]:
    for mark, number, started, rules, players, state, label in rows:
        yield safe(f"{mark or ' '}{number:>3}  {started or state}  {rules}")
        for told in (players, state if started else "", label):
            if told:
                yield f"      {shortened(told, screen.width - 6, screen.marks)}"


def local_time(at: datetime) -> str:
    """A time of a game file (UTC) as the clock on the wall showed it."""
    return f"{at.astimezone():%Y-%m-%d %H:%M}"
