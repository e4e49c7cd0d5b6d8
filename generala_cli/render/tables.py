"""Standings, payouts, the log, the list of games, a checked hand, the rule sets."""

import time
from calendar import timegm
from collections.abc import Iterator

from rich.text import Text

from generala_cli.app.games import GameLine, GameList
from generala_cli.app.rulebook import CheckedHand, RuleLine
from generala_cli.app.views import Log, LogLine, Settled, View
from generala_cli.render.lines import amount, entry_parts, what_is_next
from generala_cli.render.paper import drawn, plain_table, text
from generala_cli.render.screen import Screen
from generala_cli.rules.describing import asked, paid, told
from generala_cli.rules.dice import print_dice
from generala_cli.rules.names import listed, safe
from generala_cli.rules.options import options_of
from generala_cli.rules.ruleset import RuleSet


def standings(view: View, screen: Screen) -> str:
    """Places, totals and margins."""
    table = plain_table(
        "", "side" if view.game.started.sides else "player", "total", "behind", right=(0, 2, 3)
    )
    for place in view.outcome.standings:
        behind = str(place.behind) if place.behind else screen.marks.dash
        style = "bold" if place.place == 1 else ""
        row = (place.place, place.contender.name, place.total, behind)
        table.add_row(*(text(value, style) for value in row))
    return drawn(screen, table, Text(), *(Text(line) for line in _standing(view)))


def _standing(view: View) -> Iterator[str]:
    yield from what_is_next(view.game)
    left = sum(len(view.game.open_categories(player)) for player in view.game.seats)
    if not view.outcome.over:
        yield f"not over: {left} {'box is' if left == 1 else 'boxes are'} open"


def payouts(result: Settled, screen: Screen) -> str:
    """Who owes whom, and what each has in the end."""
    payout = result.payout
    lines = [Text(_agreement(result), style="bold"), Text()]
    table = plain_table("from", "to", "amount", "for", right=(2,))
    for debt in payout.debts:
        why = f"{debt.points} {'point' if debt.points == 1 else 'points'}" if debt.points else ""
        cells = (debt.debtor, debt.creditor, amount(debt.amount, payout.unit), why)
        table.add_row(*(text(cell) for cell in cells))
    net = plain_table("", "net", right=(1,))
    for name, value in payout.net.items():
        net.add_row(text(name), text(amount(_signed(value), payout.unit)))
    owed = table if payout.debts else Text("nobody owes anybody anything")
    notes = (Text(line) for line in _payout_notes(result))
    return drawn(screen, *lines, owed, Text(), net, *_members(result), *notes)


def _agreement(result: Settled) -> str:
    payout = result.payout
    ended = "" if result.outcome.over else "If it ended now: "
    per = " a point" if payout.method in ("difference", "pairwise") else ""
    tried = ", tried out" if result.tried else ""
    return f"{ended}{payout.method}, {amount(payout.stake, payout.unit)}{per}{tried}"


def _members(result: Settled) -> Iterator[Text]:
    """A side's share, split evenly."""
    if result.game.started.sides:
        shares = (
            f"{safe(player)} {amount(_signed(value), result.payout.unit)}"
            for player, value in result.payout.members.items()
        )
        yield Text(f"\neach: {', '.join(shares)}")


def _payout_notes(result: Settled) -> Iterator[str]:
    rule = result.payout.instant_win_rule
    if rule == "points":
        points = result.game.rules.instant_win_points
        yield f"\nwon at once: each loser owes {points} points (a house rule of this game)"
    elif rule == "difference":
        yield "\nwon at once: each loser owes the difference, or nothing where it is not above zero"
    if not result.outcome.over:
        yield "\nthe game is not over"


def _signed(value: object) -> str:
    shown = str(value)
    return shown if shown.startswith("-") or not shown.strip("0.") else f"+{shown}"


def log(result: Log, screen: Screen) -> str:
    """Every entry with its turn, time, dice, throw and points."""
    if not result.lines:
        return "nothing has been entered yet\n"
    heads = ("event", "turn", "time", "player", "dice", "throw", "category", "points")
    table = plain_table(*heads[0 if result.everything else 1 :], right=(0, 6))
    for line in result.lines:
        cells = _log_cells(result, line)
        shown = cells if result.everything else cells[1:]
        style = "" if line.stands else "dim"
        table.add_row(*(text(cell, style) for cell in shown))
    return drawn(screen, table)


def _log_cells(result: Log, line: LogLine) -> tuple[str, ...]:
    entry = line.entry
    what, points = entry_parts(result.game, entry)
    note = "" if line.stands else " (not standing)"
    prefix = "" if line.kind in ("scored", "scratched") else f"{line.kind}: "
    if not result.everything and line.kind == "amended":
        prefix, note = "", " (corrected)"
    return (
        str(line.number),
        str(line.turn),
        local_time(line.at),
        entry.player,
        "" if entry.dice is None else print_dice(entry.dice),
        str(entry.roll) if entry.dice is not None else "",
        prefix + what.removesuffix(", first throw") + note,
        points,
    )


def games(result: GameList, screen: Screen) -> str:
    """Every game, the current one marked."""
    if not result.lines and not result.damaged:
        return "no games yet; start one with generala new NAME NAME\n"
    table = plain_table("", "game", "started", "rules", "players", "state", "label", right=(1,))
    for line in result.lines:
        mark = screen.marks.turn if line.number == result.current else ""
        started = line.game.started
        players = ", ".join(line.game.seats)
        cells = (
            mark,
            line.number,
            local_time(line.started),
            started.rules.name,
            players,
            _state(line),
            started.label,
        )
        table.add_row(*(text(cell) for cell in cells))
    for number, _ in result.damaged:
        table.add_row(*(text(cell) for cell in ("", number, "", "", "", "cannot be read", "")))
    return drawn(screen, table)


def _state(line: GameLine) -> str:
    if line.winners:
        return f"won by {listed(line.winners, 'and')}"
    return f"{line.game.to_move} to throw"


def check(result: CheckedHand, screen: Screen) -> str:
    """What a hand is worth, best first; what it does not make is left out."""
    made = sorted(((c, points) for c, points in result.worths if points), key=lambda pair: -pair[1])
    throw = f"throw {result.roll}" if result.roll > 1 else "first throw"
    heading = f"{print_dice(result.dice)}, {throw}, {safe(result.rules.title)}"
    table = plain_table("", "", right=(1,))
    table.show_header = False
    for category, points in made:
        table.add_row(text(category.name), text(points))
    parts = [Text(heading, style="bold"), table if made else Text("makes nothing")]
    if result.instant_win and result.rules.instant_win is not None:
        parts.append(Text(f"wins at once: {safe(result.rules.instant_win.name)}"))
    return drawn(screen, *parts)


def rule_list(lines: tuple[RuleLine, ...], screen: Screen) -> str:
    """The rule sets by name, a house's own after the built-in ones."""
    table = plain_table("name", "title", "")
    for line in lines:
        where = "" if line.path is None else f"yours, {line.path}"
        if line.problem:
            where = line.problem
        table.add_row(text(line.name), text(line.title), text(where))
    return drawn(screen, table, Text("\ngenerala rules show NAME tells how a game is played"))


def rule_card(rules: RuleSet, screen: Screen) -> str:
    """A game, so that someone can play from it."""
    categories = plain_table("category", "asks", "pays")
    categories.columns[1].no_wrap = False
    categories.columns[2].no_wrap = False
    for category in rules.categories:
        categories.add_row(text(category.name), Text(asked(category, rules)), Text(paid(category)))
    options = plain_table("option (--set KEY=VALUE)", "now", "may be")
    options.columns[2].no_wrap = False
    for option in options_of(rules):
        options.add_row(text(option.key), text(option.value), Text(option.choices))
    head = [Text(f"{rules.title} ({rules.name})", style="bold")]
    if rules.summary:
        head.append(Text(rules.summary))
    sentences = [Text(sentence) for sentence in (*told(rules), *_aliases(rules))]
    source = Text(f"Source: {rules.source}")
    return drawn(screen, *head, Text(), categories, Text(), *sentences, Text(), options, Text(), source)


def _aliases(rules: RuleSet) -> Iterator[str]:
    """What the categories may be called at the table."""
    named = (
        f"{category.id} ({', '.join(category.aliases)})" for category in rules.categories if category.aliases
    )
    yield f"Names: {'; '.join(named)}."
    if rules.throw_names:
        throws = (f"{name} is throw {throw}" for name, throw in rules.throw_names)
        yield f"Words for throws: {', '.join(throws)}."


def local_time(at: str) -> str:
    """A time of a game file (UTC) as the clock on the wall showed it."""
    moment = timegm(time.strptime(at, "%Y-%m-%dT%H:%M:%SZ"))
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(moment))
