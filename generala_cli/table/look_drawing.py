from collections.abc import Iterator, Sequence
from typing import assert_never

from msgspec import UnsetType
from rich.cells import cell_len
from rich.console import RenderableType

from generala_cli.game.events import Ended, Joined, Labelled, Left, Renamed, Staked
from generala_cli.game.money import METHODS, POINT, is_for_points
from generala_cli.messages import lazy
from generala_cli.render.drawing import Column, GivesWay, Hanging, Stack, fits, shortened, table, text
from generala_cli.render.language import translate, translate_count, translated
from generala_cli.render.lines import (
    amount,
    bonuses,
    change_text,
    debt_text,
    entry_points,
    entry_title,
    is_by_points_behind,
    machine_text,
    method_name,
    stake_text,
    throw_shown,
    what_is_next,
)
from generala_cli.render.lists import Item, row_items, stacked
from generala_cli.render.screen import Screen
from generala_cli.render.tables import gain, game_heading, local_time, standings_columns
from generala_cli.rules.dice import print_dice
from generala_cli.store.log import LogLine
from generala_cli.table.results import GamePayout, GameStandings, Log
from generala_cli.text import safe


def log(result: Log, screen: Screen) -> RenderableType:
    if not result.lines:
        return f"{translate('nothing has been entered yet in game {game}', game=result.number)}\n"
    return stacked(log_items(result, screen))


def log_items(result: Log, screen: Screen) -> list[Item]:
    heading = Item(None, (game_heading(result.number),))
    columns = _log_columns(result)
    if not fits(columns, screen):
        return [heading, *(_narrow_log_item(result, line, screen) for line in result.lines)]
    entries = table(*columns, screen=screen, styles=[_style(line) for line in result.lines])
    return [heading, *row_items(entries, [line.turn for line in result.lines], screen)]


def _log_columns(result: Log) -> Sequence[Column]:
    lines = result.lines
    hands = [None if line.entry is None or line.entry.dice is None else line.entry for line in lines]
    dice = ["" if hand is None or hand.dice is None else print_dice(hand.dice) for hand in hands]
    titles, points = zip(*(_fate(result, line) for line in lines), strict=True)
    columns = [
        Column(lazy("event"), [line.recorded.n for line in lines], right=True),
        Column(lazy("turn"), [line.turn or "" for line in lines], right=True),
        Column(lazy("time"), [local_time(line.recorded.at) for line in lines]),
        Column(lazy("player"), [_player(line) for line in lines], gives_way=GivesWay.SHORTENS),
        Column(lazy("dice"), dice),
        Column(lazy("throw"), ["" if hand is None else throw_shown(hand) for hand in hands]),
        Column(lazy("category"), titles, gives_way=GivesWay.SHORTENS),
        Column(lazy("points"), points, right=True),
    ]
    if any(throws := [_threw(line) for line in lines]):
        columns.append(Column(lazy("threw"), throws))
    if result.is_of_several:
        columns.append(Column(lazy("entered by"), [_machine(line) for line in lines]))
    return columns if result.everything else columns[1:]


def _narrow_log_item(result: Log, line: LogLine, screen: Screen) -> Item:
    entry, dice, at = line.entry, "", local_time(line.recorded.at)
    if entry is not None and entry.dice is not None:
        dice = f"{''.join(map(str, entry.dice))}, {translate('throw {throw}', throw=throw_shown(entry))}: "
    event = f"{translate('event {event}', event=line.recorded.n)}, " if result.everything else ""
    room = screen.width - 9 - cell_len(at)
    has_room = cell_len(safe(_player(line))) + cell_len(event) <= room
    above, below_name = (event, "") if has_room else ("", event)
    name = shortened(_player(line), room - cell_len(above), screen.marks)
    lines = [
        f"{line.turn or '':>3}  {name}{'  ' if name else ''}{above}{at}",
        f"{below_name}{dice}{'  '.join(_fate(result, line))}".rstrip(),
    ]
    if threw := _threw(line):
        lines.append(f"{translate('threw {throws}', throws=threw)}")
    if result.is_of_several and (machine := _machine(line)):
        lines.append(translate("entered by {machine}", machine=machine))
    style = _style(line)
    first, *below = lines
    return Item(line.turn, (text(first, style), *(Hanging(text(each, style), 5) for each in below)))


def _threw(item: LogLine) -> str:
    """Return the earlier throws and kept dice as typed: `44126:44 44425:444`."""
    if item.entry is None or isinstance(item.entry.throws, UnsetType):
        return ""
    return " ".join(
        f"{''.join(map(str, each.dice))}:{''.join(map(str, each.kept))}" for each in item.entry.throws
    )


def _player(item: LogLine) -> str:
    if item.entry is not None:
        return item.entry.player
    return getattr(item.change, "name", "") or getattr(item.change, "player", "")


def _machine(item: LogLine) -> str:
    return machine_text(item.recorded.by) if item.recorded.by else ""


def _style(item: LogLine) -> str:
    return "dim" if item.state in ("replaced", "undone") else ""


def _fate(result: Log, item: LogLine) -> tuple[str, str]:
    title, points = _title(result, item)
    if not result.everything:
        return translate("{entry} (corrected)", entry=title) if item.corrects else title, points
    if item.kind == "undone":
        correction = lazy("undone: the correction to {entry}", entry=title)
        return translated(correction if item.corrects else lazy("undone: {entry}", entry=title)), points
    if item.kind == "redone":
        correction = lazy("redone: the correction to {entry}", entry=title)
        return translated(correction if item.corrects else lazy("redone: {entry}", entry=title)), points
    if item.corrects:
        title = translate("corrected: {entry}", entry=title)
    if item.state == "replaced":
        return translate("{entry} (replaced)", entry=title), points
    return translate("{entry} (undone)", entry=title) if item.state == "undone" else title, points


def _title(result: Log, item: LogLine) -> tuple[str, str]:
    match item.change:
        case None:
            assert item.entry is not None
            title = [entry_title(result.game, item.entry), *bonuses(result.game.rules, item.bonuses)]
            return ", ".join(title), entry_points(item.entry)
        case Renamed(player=player):
            return translate("renamed from {player}", player=player), ""
        case Joined():
            return translate("joined", context="player"), ""
        case Left():
            return translate("left", context="player"), ""
        case Staked() | Ended() | Labelled():
            return change_text(item.change), ""
        case _:
            assert_never(item.change)


def standings(result: GameStandings, screen: Screen, *, names_payouts: bool = True) -> Stack:
    game, places = result.game, result.outcome.standings
    shown = table(
        *standings_columns(places, screen),
        screen=screen,
        styles=["bold" if each.place == 1 else "" for each in places],
    )
    next_lines = what_is_next(game, screen, result.number, names_payouts=names_payouts)
    parts: list[RenderableType] = [shown, "", *next_lines]
    if not game.is_over:
        still = sum(map(game.open_boxes, game.playing))
        parts.append(
            translate_count("not over: {count} box is open", "not over: {count} boxes are open", still)
        )
    if game.left:
        parts.append(translate("left: {players}", players=", ".join(map(safe, game.left))))
    return Stack(*parts)


def payouts(result: GamePayout, screen: Screen) -> Stack:
    payout = result.payout
    stake = stake_text(payout.stake, payout.unit, payout.method)
    if is_for_points(payout.stake, payout.unit) and METHODS[payout.method].per_point:
        stake = translate("for points")
    agreed = ", ".join(
        (method_name(payout.method), stake, *([translate("as a trial")] if result.tried else []))
    )
    heading = translate("Game {game}, if it ended now: {terms}", game=result.number, terms=agreed)
    if result.game.is_over:
        heading = translate("Game {game}: {terms}", game=result.number, terms=agreed)
    owed = _debts(result, screen) if payout.debts else translate("nobody owes anybody anything")
    net = table(
        Column(cells=list(payout.net), gives_way=GivesWay.APART),
        Column(lazy("net"), [gain(value, payout.unit) for value in payout.net.values()], right=True),
        screen=screen,
    )
    return Stack(text(heading, "bold"), "", owed, "", net, *_notes(result))


def _debts(result: GamePayout, screen: Screen) -> RenderableType:
    payout, debts = result.payout, result.payout.debts
    amounts = [amount(debt.amount, payout.unit) for debt in debts]
    owes = translate("owes", context="payouts")
    if is_by_points_behind(payout):
        amounts = [amount(debt.points, POINT) for debt in debts]
        owes = translate("is behind", context="payouts")
    elif payout.unit == POINT:
        owes = translate("loses to", context="payouts")
    points = [f"({amount(debt.points, POINT)})" if debt.points else "" for debt in debts]
    has_points = payout.unit != POINT and any(points)
    columns = [
        Column(cells=[debt.debtor for debt in debts], gives_way=GivesWay.APART),
        Column(cells=[owes] * len(debts)),
        Column(cells=[debt.creditor for debt in debts], gives_way=GivesWay.APART),
        Column(cells=amounts, right=True),
    ]
    if not fits(columns, screen):
        return Stack(*(Hanging(debt_text(debt, payout)) for debt in debts))
    return table(
        *columns, *([Column(cells=points, gives_way=GivesWay.DROPS)] if has_points else []), screen=screen
    )


def _notes(result: GamePayout) -> Iterator[str]:
    if result.payout.unit == POINT and result.payout.debts:
        yield f"\n{translate('these are points: nobody owes anybody anything')}"
    if result.game.agreed.sides:
        shares = result.payout.members.items()
        each = (f"{safe(player)} {gain(value, result.payout.unit)}" for player, value in shares)
        yield f"\n{translate('each: {shares}', shares=', '.join(each))}"
    rule = result.payout.instant_win_rule
    if rule == "points":
        points = result.game.rules.instant_win_points
        assert points is not None
        owed = translate_count(
            "won at once: each loser owes {count} point, a house rule of this game",
            "won at once: each loser owes {count} points, a house rule of this game",
            points,
        )
        yield f"\n{owed}"
    elif rule == "difference":
        owed = translate("won at once: each loser owes the difference, or nothing if it is not above zero")
        yield f"\n{owed}"
