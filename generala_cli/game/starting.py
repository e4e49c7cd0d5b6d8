"""Everything agreed before the first throw, checked."""

from collections.abc import Sequence
from typing import TypedDict

from msgspec.structs import replace

from generala_cli.errors import Mistyped, NotAllowed
from generala_cli.game.events import Agreed
from generala_cli.game.game import Game
from generala_cli.game.money import METHODS, SIGNS, decimals, find_method, is_currency, unit_meant
from generala_cli.game.seating import Openings, check_sides, lowest_first, partnership, seats, sides
from generala_cli.rules.checking import unsound
from generala_cli.rules.dice import print_dice
from generala_cli.rules.ruleset import RuleSet
from generala_cli.text import composed, in_words, listed, same_name, unprintable

MOST_PLAYERS = 999
LONGEST_NAME = 100
LONGEST_UNIT = 20
_MOST_DIGITS, _MOST_DECIMALS = 12, 9


class Terms(TypedDict, total=False):
    """What may be agreed besides rules and players, as typed."""

    teams: Sequence[str]
    uneven: bool
    partners: bool
    stake: str
    unit: str
    payout: str
    label: str


def start(
    rules: RuleSet,
    names: Sequence[str],
    *,
    openings: Openings,
    teams: Sequence[str] = (),
    uneven: bool = False,
    partners: bool = False,
    stake: str = "1",
    unit: str = "point",
    payout: str = "difference",
    label: str = "",
) -> Agreed:
    """Begin a game with these players, as typed. `partners`: the opening throws of four make the sides."""
    players = tuple(parse_name(name) for name in names)
    found = sides(players, teams, uneven=uneven)
    if partners:
        if teams or not openings:
            hint = "give --opening for everyone and no --team"
            raise NotAllowed("a partnership is made by the opening throws", hint)
        found = partnership(lowest_first(rules, players, openings))
    agreed = Agreed(
        rules=rules,
        players=players,
        sides=found,
        openings=tuple((player, tuple(throws)) for player, throws in openings.items()),
        stake=parse_stake(stake),
        unit=unit_meant(parse_unit(unit), stake),
        payout=find_method(payout).name,
        label=parse_label(label),
    )
    check_agreed(agreed)
    seats(rules, players, openings)
    return agreed


def again(last: Game, *, label: str, openings: Openings, back: Sequence[str] = ()) -> Agreed:
    """The same players, sides, rules and stakes once more, without those who left and are not back.

    The seats stay as they were, unless there are new opening throws.
    """
    order = tuple(player for player in last.seats if player in last.playing or player in back)
    if len(order) < 2:
        gone = listed([player for player in last.left if player not in back], "and")
        raise NotAllowed(f"{gone} left, so nobody is there to play", "say who is back with --back NAME")
    found = tuple(tuple(player for player in side if player in order) for side in last.agreed.sides)
    thrown = tuple((player, tuple(throws)) for player, throws in openings.items())
    seats(last.rules, order, openings)
    agreed = replace(last.agreed, players=order, sides=found, openings=thrown, label=parse_label(label))
    check_agreed(agreed)
    return agreed


def check_agreed(agreed: Agreed) -> None:
    """Refuse what no game can start with."""
    if problems := unsound(agreed.rules):
        raise NotAllowed(f"its rules make no sense: {problems[0]}", "mend them")
    check_count(len(agreed.players))
    seen: set[str] = set()
    for player in agreed.players:
        check_name(player)
        if same_name(player) in seen:
            other = "give each a name of their own, as Ana and Ana P"
            raise Mistyped(f"two players are called {player}", other)
        seen.add(same_name(player))
    if agreed.sides:
        check_sides(agreed.players, agreed.sides, uneven=True)
    _check_openings(agreed)
    parse_stake(agreed.stake)
    parse_unit(agreed.unit, unassigned=False)
    parse_label(agreed.label, unassigned=False)
    if agreed.payout not in METHODS:
        raise NotAllowed(f"there is no payout method {agreed.payout!r}", f"choose from {listed(METHODS)}")


def check_count(players: int) -> None:
    """Refuse a table of one, or of more than fit."""
    if not 2 <= players <= MOST_PLAYERS:
        given = {0: "no player is named", 1: "one player alone is not a game"}
        what = given.get(players, f"{players} players are too many")
        raise Mistyped(what, f"name 2 to {MOST_PLAYERS} players, as in generala new Ana Beto")


def check_name(player: str) -> None:
    """Refuse what is not a name as `parse_name` gives it, for it was accepted once."""
    if parse_name(player, unassigned=False) != player:
        raise Mistyped(f"{player!r} is not how a name is written", "leave out spaces around it")


def _check_openings(agreed: Agreed) -> None:
    """Openings that were typed are read by the rules; those in a file may be anything."""
    rules = agreed.rules
    if len(dict(agreed.openings)) < len(agreed.openings):
        raise NotAllowed("a player's opening throws are given twice", "leave one out")
    for player, throws in agreed.openings:
        if player not in agreed.players:
            raise NotAllowed(f"{player} has an opening throw but is not in the game", "leave it out")
        for dice in throws:
            if not rules.has_hand(dice):
                what = f"an opening throw has {rules.dice} dice with faces from 1 to {rules.faces}"
                raise NotAllowed(f"{player}'s opening throw {print_dice(dice)} is no hand", what)


def parse_stake(
    text: str, typed_after: str = "--stake", *, what: str = "a stake", most_digits: int = _MOST_DIGITS
) -> str:
    """An amount as plain decimal text, as typed: `0.10` stays `0.10`.

    Args:
        typed_after: what stands before it on the command line, for the hints.
        what: what it is, for the messages. most_digits: before the point.
    """
    stake = text.strip()
    if _is_amount(stake, most_digits) and stake.strip("0."):
        return stake
    above_zero = "type an amount above zero"
    if stake.startswith("-"):
        hint = f"{above_zero}, as {typed_after} 0.05"
        raise Mistyped(f"{what} cannot be negative: {stake!r}", hint)
    if "," in stake and _is_amount(stake.replace(",", ".", 1)):
        hint = f"type {typed_after} {stake.replace(',', '.')}"
        raise Mistyped(f"{what} is written with a point: {stake!r}", hint)
    if meant := _amount_and_unit(stake):
        hint = f"type {typed_after} {meant[0]} --unit {meant[1]}"
        raise Mistyped(f"{what} is written without its unit: {text!r}", hint)
    digits = f"at most {most_digits} digits before the point and {_MOST_DECIMALS} after"
    raise Mistyped(f"{text!r} is not {what}", f"{above_zero} with {digits}, as {typed_after} 0.05")


def _amount_and_unit(text: str) -> tuple[str, str] | None:
    """`0.05` and `USD` of `$0.05`, `0,05 usd` or `USD 0.05`; None where it is nothing of the kind."""
    unit = text.strip("0123456789., ")
    if not unit or not (text.startswith(unit) or text.endswith(unit)):
        return None
    amount = text.replace(unit, "").strip().replace(",", ".")
    code = SIGNS.get(unit, unit.upper() if is_currency(unit.upper()) else unit)
    return (amount, code) if _is_amount(amount) and amount.strip("0.") and code.isalpha() else None


def _is_amount(text: str, most_digits: int = _MOST_DIGITS) -> bool:
    """Whether it is plain decimal text with no zeros before it: every command asks this of a stake."""
    whole, point, decimals = text.partition(".")
    return (
        text.isascii()
        and whole.isdecimal()
        and len(whole) <= most_digits
        and (whole == "0" or not whole.startswith("0"))
        and (not point or (decimals.isdecimal() and len(decimals) <= _MOST_DECIMALS))
    )


def parse_payment(text: str, unit: str) -> str:
    """An amount that is paid, with the decimals of its unit where that is a currency."""
    amount = parse_stake(text, "generala pay NAME NAME", what="an amount", most_digits=2 * _MOST_DIGITS)
    if not is_currency(unit):
        return amount
    whole, _, typed = amount.partition(".")
    places = decimals(unit, amount)
    if typed[places:].strip("0"):
        raise Mistyped(f"{amount} {unit} cannot be paid", f"{unit} has {in_words(places)} decimals")
    return f"{whole}.{typed[:places]:0<{places}}" if places else whole


def parse_note(text: str, *, unassigned: bool = True) -> str:
    """What is noted of a payment; "" for nothing."""
    hint = "type some words, as --note 'paid in cash'"
    return _text(text, "the note", LONGEST_NAME, hint, unassigned) if text.strip() else ""


def parse_unit(text: str, *, unassigned: bool = True) -> str:
    """What is played for: a currency or a word."""
    hint = "type a currency or a word, as --unit USD or --unit drink"
    return _text(text, "the unit", LONGEST_UNIT, hint, unassigned)


def parse_label(text: str, *, unassigned: bool = True) -> str:
    """What the players call the game; "" for nothing."""
    if not text.strip():
        return ""
    label = _text(text, "the label", LONGEST_NAME, "type some words, as --name 'friday at Tito'", unassigned)
    if label.isdecimal():
        raise Mistyped(f"the label {label!r} looks like the number of a game", "add a word to it")
    return label


def parse_name(text: str, *, unassigned: bool = True) -> str:
    """What a player is called."""
    hint = "name each player by some letters, as Ana"
    return _text(text, "a player's name", LONGEST_NAME, hint, unassigned)


def _text(text: str, what: str, longest: int, hint: str, unassigned: bool) -> str:
    """The text in its composed form. What was accepted once is read back with `unassigned` False."""
    if letter := unprintable(text, unassigned=unassigned):
        raise Mistyped(f"{what} cannot hold the character U+{ord(letter):04X}: {text!a}", hint)
    name = composed(text.strip())
    if not name or not name.strip("\u200c\u200d"):
        raise Mistyped(f"{what} is empty", hint)
    if len(name) > longest:
        raise Mistyped(f"{what} is {len(name)} characters long, and {longest} is the most", hint)
    return name
