"""Answers of a line or two: what was written, taken back, begun. No table."""

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, assert_never

from generala_cli.app.playing import Changed, Entered, Moved
from generala_cli.game.events import Amended, Entry, Joined, Left, Renamed, Scored, Staked, TableChange
from generala_cli.game.game import Game
from generala_cli.game.history import Step
from generala_cli.game.money import METHODS, is_for_points
from generala_cli.game.seating import side_name
from generala_cli.game.standings import outcome
from generala_cli.render.screen import UNCUT, Screen
from generala_cli.rules.dice import print_dice
from generala_cli.rules.ruleset import RuleSet, wins_with
from generala_cli.text import listed, safe

if TYPE_CHECKING:  # a turn begins no game
    from generala_cli.app.exporting import Exported
    from generala_cli.app.games import Begun, Deleted
    from generala_cli.app.importing import Imported
    from generala_cli.store.store import StoredGame

_INDENT = 2


def entered(result: Entered, screen: Screen) -> str:
    """All that is needed next: the entry, the player's total, where else it could go, whose turn it is."""
    entry, game = result.entry, result.game
    lines = []
    if result.replaced is not None:
        whose = "" if result.replaced.player == result.entry.player else f"{safe(result.replaced.player)}'s: "
        was = f"turn {result.turn} was {whose}{' '.join(entry_parts(result.game, result.replaced))}"
        lines.append(was if result.entry != result.replaced else f"{was}: nothing to change")
    if result.exchanged is not None:
        given = result.game.entries[result.exchanged - 1]
        told = f"{safe(given.player)}'s: {' '.join(entry_parts(result.game, given))}"
        lines.append(f"turn {result.exchanged} is now {told}")
    if result.overruled is not None:
        lines.append(f"it wins at once, so {safe(result.overruled.name)} was not asked for")
    if result.upper_bonus:
        lines.append(upper_bonus(result.upper_bonus))
    lines += outlook(result)
    dice = "" if entry.dice is None else "".join(map(str, entry.dice))
    points = "scratched" if entry.scratched else "" if entry.category is None else str(entry.points)
    served = f" ({result.bonus} for the first throw)" if result.bonus else ""
    parts = (screen.strong(safe(entry.player)), dice, entry_title(game, entry), screen.strong(points))
    first = "  ".join(part for part in parts if part) + served
    return _with_lines(first, [*lines, *_turn(game, result.number, screen)], screen)


def outlook(result: Entered) -> Iterator[str]:
    """The player's total, and where else the hand could go: what there is room for behind the entry."""
    yield _total(result.game, result.entry.player)
    if result.alternatives:
        others = (f"{safe(choice.category.name)} {choice.points}" for choice in result.alternatives)
        yield f"could also go to {', '.join(others)}"


def _total(game: Game, player: str) -> str:
    """`total 120, 12 behind Beto`: what the player has now, and how far the leader is or the next below."""
    standings = outcome(game).standings
    own = next(standing for standing in standings if player in standing.contender.members)
    others = [standing for standing in standings if standing is not own]
    is_side = own.contender.members != (player,)
    told = f"total {game.total(player)}" + (f"; {safe(own.contender.name)} {own.total}" if is_side else "")
    nearest = max(others, key=lambda standing: standing.total)
    if game.is_over or nearest.total < 0:
        return told
    if own.behind:
        return f"{told}, {own.behind} behind {safe(nearest.contender.name)}"
    lead = own.total - nearest.total
    return f"{told}, leads by {lead}" if lead else f"{told}, level with {safe(nearest.contender.name)}"


def _turn(game: Game, number: int, screen: Screen) -> Iterator[str]:
    """Who throws next and what is open to them, by short names where the screen is narrow; or who has won."""
    if game.to_move is None:
        yield from what_is_next(game, number)
        return
    (said,) = what_is_next(game, number)
    fillable = game.fillable_categories(game.to_move)
    if len(fillable) == len(game.rules.categories):
        yield f"{said}, with everything open"
        return
    whole = f"{said}, open: {', '.join(safe(category.name) for category in fillable)}"
    short = f"{said}, open: {' '.join(safe(category.key) for category in fillable)}"
    yield whole if len(whole) + _INDENT <= screen.width else short


def changed(result: Changed, screen: Screen) -> str:
    """What is different at the table, and who is next."""
    told = change_text(result.change)
    lines = [] if result.is_news else ["nothing to change"]
    if isinstance(result.change, Left) and (points := result.game.total(result.change.player)):
        lines.append(f"{amount(points, 'point')} so far, to be counted at the end")
    if result.missed:
        turns = f"{result.missed} {'turn' if result.missed == 1 else 'turns'}"
        lines.append(f"{safe(result.game.to_move)} plays the {turns} missed first")
    return _with_lines(told, [*lines, *what_is_next(result.game, result.number)], screen)


def change_text(change: TableChange) -> str:
    """`Ana is called Anna now`, `Beto left`, `Cora joined`, `played for 0.05 USD a point, difference`."""
    match change:
        case Renamed(player=player, name=name):
            return f"{safe(player)} is called {safe(name)} now"
        case Left(player=player):
            return f"{safe(player)} left"
        case Joined(player=player):
            return f"{safe(player)} joined"
        case Staked(stake=stake, unit=unit, payout=payout):
            what = "points" if is_for_points(stake, unit) else stake_text(stake, unit, payout)
            return f"played for {what}, {payout}"
        case _:
            assert_never(change)


def moved(result: Moved, screen: Screen) -> str:
    """`undone: Beto, full house 30`, one line an action, and who is next."""
    verb = screen.strong("undone" if result.undone else "redone")
    lines = [f"{verb}: {step_text(result.game, step)}" for step in result.steps]
    return _with_lines("\n".join(lines), _turn(result.game, result.number, screen), screen)


def begun(result: "Begun", screen: Screen) -> str:
    """The game, the order of play, and where one was left that is not over."""
    game = result.stored.game
    is_as_given = game.rules.opening_throws and not game.agreed.openings and not game.entries
    hint = " (as given; --opening seats by the opening throws)" if is_as_given else ""
    lines = [f"order of play: {', '.join(safe(player) for player in game.seats)}{hint}"]
    if game.agreed.sides:
        lines.insert(0, listed([safe(side_name(side)) for side in game.agreed.sides], "against"))
    if (kept := result.unfinished) is not None:
        lines.append(f"game {kept} is not over and is kept; generala use {kept} goes back to it")
    return _about(result.stored, lines, screen)


def deleted(result: "Deleted", screen: Screen) -> str:
    """Whether it is gone, and which game may be gone on with."""
    done = "is" if result.deleted else "would be" if result.dry_run else "is not"
    lines = []
    if result.used:
        lines.append(f"game {result.unfinished} is now current")
    elif result.unfinished is not None:
        lines.append(f"generala use {result.unfinished} goes on with the latest game that is not over")
    return _with_lines(f"game {result.number} {done} deleted", lines, screen)


def exported(result: "Exported", screen: Screen) -> str:
    """`3 games are in evening.csv, as csv`."""
    count = len(result.games)
    games = "1 game" if count == 1 else f"{count:,} games"
    verb = ("is" if count == 1 else "are") if result.saved else "would be"
    return f"{games} {verb} in {screen.strong(safe(result.file))}, as {result.form.name}\n"


def imported(result: "Imported", screen: Screen) -> str:
    """What became of the games, of rules and of configuration, a line each."""
    lines = []
    for fate, what in _FATES.items():
        if found := sorted(each.file.game for each in result.games if each.fate == fate):
            lines.append(f"{_numbered(found)} {what[len(found) > 1]}")
    if result.payments is not None:
        lines.append(f"payments {_PAYMENTS[result.payments.fate]}")
    told = (*result.rules, *([result.config] if result.config else []))
    lines += [f"{each.name} {_TOLD[each.fate]}" for each in told]
    said = "imported" if result.saved else "would be imported"
    return _with_lines(f"{said} from {screen.strong(result.file)}", lines or ["nothing is in it"], screen)


def diverged(result: "Imported") -> Iterator[str]:
    """What there is to do where there are two versions now."""
    if result.payments is not None and result.payments.fate == "diverged":
        yield "the ledger waits until generala doctor --accept payments has chosen a version"
    for each in result.games:
        if each.fate == "diverged":
            number = each.file.game
            choose = f"generala doctor --accept {number} has chosen a version"
            yield f"payouts of game {number} wait until {choose}"


_FATES = {
    "new": ("is new here", "are new here"),
    "longer": ("went on there, and is now as it is there", "went on there, and are now as they are there"),
    "diverged": ("went on here and there, each another way; both are kept",) * 2,
    "same": ("was here already", "were here already"),
    "shorter": ("was here already, and went on", "were here already, and went on"),
}
"""Of one game, and of several."""
_PAYMENTS = {
    "new": "taken over",
    "longer": "went on there, and are now as they are there",
    "diverged": "went on here and there, each another way; both are kept",
    "same": "were here already",
    "shorter": "were here already, and went on",
}
_TOLD = {"new": "taken over", "same": "was here already", "kept": "is another here, which is kept"}


def _numbered(numbers: Sequence[int]) -> str:
    """`game 3`, `games 3 to 7`, `games 1, 4 and 9`."""
    if len(numbers) == 1:
        return f"game {numbers[0]}"
    first, *_, last = numbers
    is_run = len(numbers) > 2 and list(numbers) == list(range(first, last + 1))
    return f"games {first} to {last}" if is_run else f"games {listed(map(str, numbers), 'and')}"


def export_text(result: "Exported", _: Screen) -> str:
    """The text of the file itself."""
    return result.text


def used(result: "StoredGame", screen: Screen) -> str:
    """The game that is the current one now, and where it stands."""
    turns = len(result.game.entries)
    return _about(result, [f"now current, with {turns} {'turn' if turns == 1 else 'turns'} played"], screen)


def _about(result: "StoredGame", lines: Iterable[str], screen: Screen) -> str:
    heading = f"{screen.strong(f'game {result.number}')}: {terms(result.game)}"
    return _with_lines(heading, [*lines, *what_is_next(result.game)], screen)


def _with_lines(first: str, others: Iterable[str], screen: Screen) -> str:
    """An answer of a few lines: the first, and the others set in; on a terminal no word is cut in two."""
    lines = [f"{' ' * _INDENT}{line}" for line in others]
    if screen.width < UNCUT:
        lines = [part for line in lines for part in wrap(line, screen.width, subsequent_indent="    ")]
    return "\n".join((first, *lines)) + "\n"


def terms(game: Game) -> str:
    """`General, friday, stake 0.01 USD a point, bonus=10`: what was agreed, options and all."""
    agreed = game.agreed
    parts = [safe(agreed.rules.title), safe(agreed.label)]
    if not is_for_points(agreed.stake, agreed.unit):
        parts.append(f"stake {stake_text(agreed.stake, agreed.unit, agreed.payout)}")
    parts += [safe(f"{key}={value}") for key, value in agreed.rules.settings]
    return ", ".join(part for part in parts if part)


def what_is_next(game: Game, number: int | None = None) -> Iterator[str]:
    """Who throws next, or who has won; with the number of the game where nothing above it names that."""
    if game.to_move is not None:
        named = "" if number is None else f"game {number}: "
        yield f"{named}{safe(game.to_move)} is next"
        return
    first, *others = ending(game)
    yield from (f"{'the game' if number is None else f'game {number}'} is over: {first}", *others)
    yield "generala payouts says who owes whom"


def ending(game: Game) -> Iterator[str]:
    """Who has won, and how, in a game that is over."""
    result = outcome(game)
    names = listed([safe(name) for name in result.winners], "and")
    wins = "wins" if len(result.winners) == 1 else "win together"
    best = result.standings[0].total
    how = f"with {best} points" if result.reason == "points" else f"at once, with {best} points on the sheet"
    yield f"{names} {wins} {how}"
    if game.entries and isinstance(win := game.entries[-1], Scored) and win.instant_win:
        hand = print_dice(win.dice)
        yield f"{entry_title(game, win)} by {safe(win.player)} with {hand} in turn {len(game.entries)}"


def entry_parts(game: Game, entry: Entry) -> tuple[str, str]:
    """An entry in words, `full house, first throw`, and its points, `35`; a win beside the sheet has none."""
    title = entry_title(game, entry)
    if not isinstance(entry, Scored):
        return title, "scratched"
    is_served = entry.roll == 1 and game.rules.throws > 1 and first_throw_pays(game.rules)
    throw = ", first throw" if is_served else ""
    return f"{title}{throw}", "" if entry.category is None else str(entry.points)


def first_throw_pays(rules: RuleSet) -> bool:
    """Whether a first throw is worth something of its own in this game; else it is not told of."""
    return wins_with(rules, "open") or any(
        category.first not in (None, category.points) for category in rules.categories
    )


def entry_title(game: Game, entry: Entry) -> str:
    """The category by its name at the table; of a hand that wins at once, the name of that win."""
    if entry.instant_win and game.rules.instant_win is not None:
        return safe(game.rules.instant_win.name)
    assert entry.category is not None
    return safe(game.rules.category(entry.category).name)


def upper_bonus(change: int) -> str:
    """`upper bonus +35`, beside the points of the entry that earned it; `-35` where a correction lost it."""
    return f"upper bonus {change:+}"


def stake_text(stake: str, unit: str, method: str) -> str:
    """`0.01 USD a point`, or `1 drink` where a game is played for it."""
    return f"{amount(stake, unit)}{' a point' if METHODS[method].per_point else ''}"


def amount(value: object, unit: str) -> str:
    """`0.62 USD`, `3 drink`, `20 points`. A word of the players' own is left as they typed it."""
    plural = "s" if unit == "point" and str(value).lstrip("+-") != "1" else ""
    return f"{value} {safe(unit)}{plural}"


def step_text(game: Game, step: Step) -> str:
    """What an action did: `Beto, full house 30 (5 5 5 3 3)`, or what it changed at the table."""
    if step.change is not None:
        return change_text(step.change)
    entry = step.entry
    assert entry is not None
    what, points = entry_parts(game, entry)
    dice = "" if entry.dice is None else f" ({print_dice(entry.dice)})"
    told = f"{safe(entry.player)}, {' '.join(part for part in (what, points) if part)}{dice}"
    told += f", {upper_bonus(step.upper_bonus)}" if step.upper_bonus else ""
    return f"the correction of turn {step.turn} to {told}" if isinstance(step.action, Amended) else told
