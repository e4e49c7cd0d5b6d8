"""Answers of a few lines, without tables, such as after an entry or an undo."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, assert_never

from msgspec import UNSET

from generala_cli.game.events import (
    Amended,
    Ended,
    Entry,
    Joined,
    Labelled,
    Left,
    Redone,
    Renamed,
    Scored,
    Staked,
    TableChange,
    Undone,
)
from generala_cli.game.game import BonusChange, Game
from generala_cli.game.history import Step
from generala_cli.game.money import METHOD_WORDS, METHODS, POINT, is_for_points, unit_after
from generala_cli.game.standings import outcome
from generala_cli.messages import (
    NO,
    YES,
    FirstWord,
    ItemList,
    Message,
    lazy,
    lazy_count,
    listing,
    number_message,
    value_message,
)
from generala_cli.render.language import first_word, translate, translate_count, translated, word_shown
from generala_cli.render.screen import UNLIMITED, Screen
from generala_cli.rules.dice import print_dice
from generala_cli.rules.option_words import VALUE_WORDS, key_shown
from generala_cli.rules.ruleset import TURNING_THROWS, Category, InstantWin, RuleSet, wins_with
from generala_cli.rules.throws import DE_MANO
from generala_cli.store.gamefile import KEEPERS_PAD, PAD_OF
from generala_cli.store.hooks import label_message
from generala_cli.text import find_word, safe

if TYPE_CHECKING:  # a turn needs none of these
    from generala_cli.game.payouts import Debt, Owed, Payout
    from generala_cli.store.store import StoredGame

INDENT = 2


def named(what: Category | InstantWin | RuleSet) -> str:
    return safe(translated(what))


def total_sentence(game: Game, player: str) -> str:
    """Return a player's total and distance to the leader or runner-up: `total 120, 12 behind Beto`."""
    result = outcome(game)
    own = next(each for each in result.standings if player in result.members[each.name])
    total = translate("total {total}", total=game.total(player))
    if result.members[own.name] != (player,):
        total = f"{total}; {safe(own.name)} {own.total}"
    distance = distance_text(game, player)
    return f"{total}, {distance}" if distance else total


def distance_text(game: Game, player: str) -> str:
    """Return the distance to the leader or runner-up, or game points; "" after the end and without points."""
    result = outcome(game)
    own = next(each for each in result.standings if player in result.members[each.name])
    if own.game_points is not UNSET:
        return translate_count("{count} game point", "{count} game points", own.game_points)
    nearest = max((each for each in result.standings if each is not own), key=lambda each: each.total)
    other = safe(nearest.name)
    if game.is_over or nearest.total < 0:
        return ""
    if own.behind:
        return translate("{points} behind {player}", points=own.behind, player=other)
    if lead := own.total - nearest.total:
        return translate("leads by {points}", points=lead)
    return translate("level with {player}", player=other)


def of_game(number: int | None, sentence: str) -> str:
    return (
        sentence if number is None else translate("game {game}: {sentence}", game=number, sentence=sentence)
    )


def change_text(change: TableChange) -> str:
    match change:
        case Renamed(player=player, name=name):
            return translate("{player} is now called {name}", player=safe(player), name=safe(name))
        case Left(player=player):
            return translate("{player} left", player=safe(player))
        case Joined(player=player):
            return translate("{player} joined", player=safe(player))
        case Ended():
            return translate("ended early: open boxes count 0")
        case Staked(stake=stake, unit=unit, payout=payout):
            if is_for_points(stake, unit):
                return translate("played for points, {payout}", payout=method_name(payout))
            return translate(
                "played for {stake}, {payout}", stake=staked(stake, unit, payout), payout=method_name(payout)
            )
        case Labelled(label=""):
            return translate("the label was removed")
        case Labelled(label=label):
            return translate("the label is now {label}", label=safe(label))
        case _:
            assert_never(change)


def file_written(file: str, *, saved: bool) -> str:
    """Return a line about a file, which only a dry run does not save."""
    what = lazy("wrote {file}") if saved else lazy("would write {file}")
    return translated(what.with_values(file=file))


def with_lines(first: str, others: Iterable[str], screen: Screen) -> str:
    lines = [*first.split("\n"), *(f"{' ' * INDENT}{line}" for line in others)]
    if screen.width < UNLIMITED:
        lines = [part for line in lines for part in _wrapped(line, screen.width)]
    return "\n".join(lines) + "\n"


def _wrapped(line: str, width: int) -> Sequence[str]:
    """Return the parts of a line that break between words. Escapes of color have no width."""
    parts = [""]
    for gap, word in re.findall(r"( *)([^ ]+)", line):
        longer = f"{parts[-1]}{gap}{word}"
        if parts[-1].strip() and len(_ESCAPE.sub("", longer)) > width:
            parts.append(" " * 2 * INDENT + word)
        else:
            parts[-1] = longer
    return parts


_ESCAPE = re.compile(r"\x1b\[[\d;]*m")


def terms(game: Game) -> str:
    """Return the terms of a game, such as `General, friday, stake 0.01 USD a point, bonus=10`."""
    agreed = game.agreed
    parts = [named(agreed.rules), label_text(agreed.label), translated(stake_agreed(game) or "")]
    parts += [setting_text(agreed.rules, key, value) for key, value in agreed.rules.settings]
    return ", ".join(part for part in parts if part)


_OF_TABLE = re.compile(r"(.+), (?:final|round (\d+), table (\d+))")


def label_text(label: str) -> str:
    """Return the label of a game, translated if a tournament made it."""
    if not (found := _OF_TABLE.fullmatch(label)):
        return safe(label)
    name, number, table = found.groups()
    return safe(translated(label_message(name, int(number) if number else None, int(table or 1))))


def setting_text(rules: RuleSet, key: str, value: str) -> str:
    """Return a setting with words of the language that can be typed, such as `bonificación=10`."""
    if (is_yes := find_word(value, {True: YES, False: NO})) is not None:
        return f"{option_key(rules, key)}={first_word(YES if is_yes else NO)}"
    return safe(f"{option_key(rules, key)}={word_shown(value, VALUE_WORDS)}")


def option_key(rules: RuleSet, key: str) -> str:
    return translated(key_shown(rules, key))


def stake_agreed(game: Game) -> Message | None:
    """Return a message such as `stake 0.01 USD a point`, or None if the game is for plain points."""
    agreed = game.agreed
    if is_for_points(agreed.stake, agreed.unit):
        return None
    stake = staked(agreed.stake, agreed.unit, agreed.payout)
    return lazy("for {stake}", stake=stake) if agreed.unit == POINT else lazy("stake {stake}", stake=stake)


def what_is_next(
    game: Game,
    screen: Screen,
    number: int | None = None,
    *,
    with_places: bool = False,
    names_payouts: bool = True,
) -> Iterator[str]:
    """Yield the next player or the winners, with the game's number if given.

    `names_payouts` is false if the payouts are shown next to it.
    """
    if game.to_move is not None and screen.in_dialogue:
        return
    if game.to_move is not None:
        yield of_game(number, translate("{player} is next", player=safe(game.to_move)))
        return
    first, *others = ending(game)
    over = lazy("the game is over: {ending}", ending=first)
    if number is not None:
        over = lazy("game {game} is over: {ending}", game=number, ending=first)
    yield from (translated(over), *others)
    if with_places:
        yield places(game)
    if names_payouts and game.agreed.unit != POINT and game.entries:
        yield translate("generala payouts shows who owes whom")


def places(game: Game) -> str:
    standings = outcome(game).standings
    return ", ".join(f"{each.place}. {safe(each.name)} {each.score}" for each in standings)


def ending(game: Game) -> Iterator[str]:
    result = outcome(game)
    if not result.winners:
        yield translate("no entries")
        return
    yield _won(result.winners, result.standings[0].score, is_win_at_once=result.reason != "points")
    if game.entries and isinstance(win := game.entries[-1], Scored) and win.instant_win:
        yield translate(
            "{win} by {player} with {hand} in turn {turn}",
            win=entry_title(game, win),
            player=safe(win.player),
            hand=print_dice(win.dice),
            turn=len(game.entries),
        )


def _won(winners: Sequence[str], best: int, *, is_win_at_once: bool) -> str:
    names = listing(map(safe, winners), "and")
    if len(winners) == 1 and is_win_at_once:
        return translate_count(
            "{winner} wins at once, with {count} point on the sheet",
            "{winner} wins at once, with {count} points on the sheet",
            best,
            winner=names,
        )
    if len(winners) == 1:
        return translate_count(
            "{winner} wins with {count} point", "{winner} wins with {count} points", best, winner=names
        )
    return translate_count(
        "{winners} win together with {count} point",
        "{winners} win together with {count} points",
        best,
        winners=names,
    )


def entry_words(game: Game, entry: Entry) -> str:
    """Return an entry, such as `full house 35, first throw` or `ones scratched`."""
    written = " ".join(filter(None, (entry_title(game, entry), entry_points(entry))))
    is_served = isinstance(entry, Scored) and entry.price_roll == 1 and game.rules.throws > 1
    if is_served and game.rules.most_turned:
        return f"{written}, {first_word(DE_MANO)}"
    if is_served and first_throw_pays(game.rules):
        return translate("{entry}, first throw", entry=written)
    return written


def entry_points(entry: Entry) -> str:
    """Return the points of an entry, or "" for some wins."""
    if not isinstance(entry, Scored):
        return translate("scratched")
    return "" if entry.category is None else str(entry.points)


def served_name(rules: RuleSet) -> Message:
    """Return the words for a hand at the price of the first throw."""
    return value_message(FirstWord(DE_MANO)) if rules.most_turned else lazy("first throw")


def throw_shown(entry: Entry) -> str:
    """Return the throw as you may type it: `2`, or `2 mano` if it stands de mano."""
    return f"{entry.roll} {first_word(DE_MANO)}" if entry.served else str(entry.roll)


def de_mano_throw(rules: RuleSet) -> str:
    """Return the throw to type for a second throw that stands de mano, or "" in a game without turning."""
    return f"{TURNING_THROWS} {first_word(DE_MANO)}" if rules.most_turned else ""


def cards(rules: RuleSet) -> tuple[str, ...]:
    """Return the faces of poker dice, and nothing in other games."""
    if not rules.poker_dice:
        return ()
    from generala_cli.rules.poker_dice import CARDS  # most games do not need it

    return tuple(map(translated, CARDS))


def first_throw_pays(rules: RuleSet) -> bool:
    """Return whether a first throw can earn more or win. Otherwise sheets do not mark it."""
    return wins_with(rules, "open") or any(
        category.first not in (None, category.points) for category in rules.categories
    )


def entry_title(game: Game, entry: Entry) -> str:
    if entry.instant_win and game.rules.instant_win is not None:
        return named(game.rules.instant_win)
    assert entry.category is not None
    return named(game.rules.category(entry.category))


def bonuses(rules: RuleSet, change: BonusChange) -> list[str]:
    found = [translate("upper bonus {points:+}", points=change.upper)] if change.upper else []
    if change.extra and (box := rules.all_alike_box) is not None:
        found.append(translate("extra {box} {points:+}", box=named(box), points=change.extra))
    return found


def extra_title(rules: RuleSet) -> str:
    return translate("extra {box}", box=named(box)) if (box := rules.all_alike_box) is not None else ""


def staked(stake: str, unit: str, method: str) -> Message:
    """Return a stake, such as `0.01 USD a point`, `1 drink` (per game), or `points × 50` (no debts)."""
    value = measured(stake, unit)
    if not METHODS[method].per_point:
        return value
    if unit == POINT:
        return lazy("points × {stake}", stake=number_message(Decimal(stake), "f"))
    return lazy("{stake} a point", stake=value)


def stake_text(stake: str, unit: str, method: str) -> str:
    return translated(staked(stake, unit, method))


def method_name(method: str) -> str:
    return first_word(METHOD_WORDS[method])


def measured(value: Decimal | float | str, unit: str, form: str = "") -> Message:
    """Return an amount with its unit: `0.62 USD`, `3 drinks`, `20 points`."""
    if isinstance(value, str):
        value = Decimal(value)
    shown = number_message(value, form or ("f" if isinstance(value, Decimal) else ""))
    if unit != POINT:
        return lazy("{amount} {unit}", context="amount", amount=shown, unit=unit_after(value, safe(unit)))
    digits = str(shown).lstrip("+-")
    count = int(digits) if digits.isdecimal() else _BROKEN
    return lazy_count("{amount} point", "{amount} points", count, context="amount", amount=shown)


def unpaid_list(unpaid: Iterable[str], left: Mapping[str, Decimal], unit: str) -> ItemList:
    """Return the players who owe a fee, with the debts in `left`: `Ana and Fito (5 USD left)`."""
    rest = lazy("{player} ({amount} left)")
    return listing(
        (
            rest.with_values(player=player, amount=measured(left[player], unit)) if player in left else player
            for player in unpaid
        ),
        "and",
    )


_BROKEN = 2  # the plural count for a number with decimals


def amount(value: Decimal | float | str, unit: str, form: str = "") -> str:
    return translated(measured(value, unit, form))


def debt_text(debt: "Debt", payout: "Payout") -> str:
    """Return a debt, such as `Ana owes Beto 0.25 USD` or, for points, `Ana is 25 points behind Beto`."""
    values = {"debtor": safe(debt.debtor), "creditor": safe(debt.creditor)}
    shown = amount(debt.amount, payout.unit)
    if payout.unit != POINT:
        return translate("{debtor} owes {creditor} {amount}", amount=shown, **values)
    if is_by_points_behind(payout):
        return translate(
            "{debtor} is {points} behind {creditor}", points=amount(debt.points, POINT), **values
        )
    return translate("{debtor} loses {amount} to {creditor}", amount=shown, **values)


def owed_text(owed: "Owed", unit: str) -> str:
    return translate(
        "{debtor} owes {creditor} {amount}",
        debtor=safe(owed.debtor),
        creditor=safe(owed.creditor),
        amount=amount(owed.amount, unit),
    )


def paid_text(payer: str, payee: str, paid: Decimal, unit: str) -> str:
    return translate(
        "{payer} paid {payee} {amount}", payer=safe(payer), payee=safe(payee), amount=amount(paid, unit)
    )


def is_by_points_behind(payout: "Payout") -> bool:
    is_plain = is_for_points(payout.stake, payout.unit) and METHODS[payout.method].per_point
    return is_plain and payout.instant_win_rule != "points"


def latest_turns(game: Game) -> Iterator[str]:
    for number, entry in list(enumerate(game.entries, start=1))[-_AT_A_GLANCE:]:
        yield f"{number:>3}  {entry_text(game, entry)}"


_AT_A_GLANCE = 8


def entry_text(game: Game, entry: Entry) -> str:
    dice = "" if entry.dice is None else f" ({print_dice(entry.dice)})"
    return f"{safe(entry.player)}, {entry_words(game, entry)}{dice}"


def latest(stored: "StoredGame") -> str:
    history, events = stored.history, stored.file.events
    if events and stored.file.is_unplayed:
        return translate("seats changed: {players}", players=", ".join(map(safe, stored.game.seats)))
    if events and isinstance(events[-1].event, Undone):
        return moved_text(stored.game, history.undone[-1], undone=True)
    if not history.done:
        return translate("the game starts over")
    if isinstance(events[-1].event, Redone):
        return moved_text(stored.game, history.done[-1], undone=False)
    return step_text(stored.game, history.done[-1])


def machine_text(name: str) -> str:
    if name == KEEPERS_PAD:
        return translate("pad of the keeper", context="entered by")
    if name.startswith(PAD_OF):
        return translate("pad of {player}", context="entered by", player=safe(name.removeprefix(PAD_OF)))
    return safe(name)


def moved_text(game: Game, step: Step, *, undone: bool) -> str:
    action = step_text(game, step)
    if undone:
        return translate("undone: {action}", action=action)
    return translate("redone: {action}", action=action)


def step_text(game: Game, step: Step) -> str:
    if step.change is not None:
        return change_text(step.change)
    entry = step.entry
    assert entry is not None
    written = ", ".join([entry_text(game, entry), *bonuses(game.rules, step.bonuses)])
    if isinstance(step.action, Amended):
        return translate("turn {turn} corrected to {entry}", turn=step.turn, entry=written)
    return written
