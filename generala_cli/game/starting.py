"""Check everything agreed before the first throw."""

import re
from collections.abc import Callable, Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import TypedDict

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.errors import NotAllowed, Retyped, UsageError
from generala_cli.game.currencies import currency_meant
from generala_cli.game.events import Agreed
from generala_cli.game.game import Game
from generala_cli.game.money import (
    METHODS,
    POINT,
    InDoubt,
    decimal_text,
    decimals,
    find_method,
    is_currency,
    unit_meant,
)
from generala_cli.game.seating import Openings, check_sides, partnership, seats, sides
from generala_cli.messages import (
    LANGUAGES,
    Message,
    NumberWord,
    lazy,
    lazy_count,
    listing,
    number_message,
)
from generala_cli.remedies import Remedy
from generala_cli.rules.checking import find_errors
from generala_cli.rules.dice import print_dice
from generala_cli.rules.ruleset import RuleSet
from generala_cli.text import case_key, composed, find_player, name_key, unprintable

MOST_PLAYERS = 999
LONGEST_NAME = 100
LONGEST_UNIT = 20
_MOST_DIGITS, _MOST_DECIMALS = 12, 9


class Terms(TypedDict, total=False):
    """The typed agreement except rules and players."""

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
    unit: str = POINT,
    payout: str = "difference",
    label: str = "",
    local_currency: str = "",
) -> Agreed:
    """Agree on a game, from typed names and terms; with `partners`, opening throws make the sides."""
    players = tuple(parse_name(name) for name in names)
    check_count(len(players))
    _check_distinct(players, name_key)
    found = sides(players, teams, uneven=uneven)
    if partners:
        if teams or not openings:
            raise NotAllowed(
                "the opening throws decide the sides of a partnership", Remedy("openings-without-sides")
            )
        found = partnership(rules, players, openings)
    played_in = read_unit(unit, local_currency=local_currency)
    agreed = Agreed(
        rules=rules,
        players=players,
        sides=found,
        openings=tuple((player, tuple(throws)) for player, throws in openings.items()),
        stake=parse_stake(stake, played_in, local_currency=local_currency),
        unit=played_in,
        payout=find_method(payout).name,
        label=parse_label(label),
    )
    check_agreed(agreed)
    seats(rules, players, openings, found)
    return agreed


def again(
    last: Game,
    *,
    rules: RuleSet | None = None,
    label: str,
    openings: Openings,
    back: Sequence[str] = (),
    first: str = "",
) -> Agreed:
    """Agree on a rematch with the same players, sides and stake. Players who left are out unless in `back`.

    The rules stay the same unless `rules` is given. The seats stay the same without new opening throws;
    turns begin with `first`, and then go around as before.
    """
    rules = last.rules if rules is None else rules
    order = tuple(player for player in last.seats if player in last.playing or player in back)
    start = order.index(find_player(first, order)) if first else 0
    order = (*order[start:], *order[:start])
    if len(order) < 2:
        gone = [player for player in last.left if player not in back]
        what = lazy_count(
            "{players} left, and one player is not enough for a game",
            "{players} left, and one player is not enough for a game",
            len(gone),
            players=listing(gone, "and"),
        )
        if not order:
            what = lazy("all players have left")
        raise NotAllowed(what, Remedy("say-who-is-back"))
    found = tuple(tuple(player for player in side if player in order) for side in last.agreed.sides)
    thrown = tuple((player, tuple(throws)) for player, throws in openings.items())
    seats(rules, order, openings, found)
    agreed = replace(
        last.agreed,
        rules=rules,
        players=order,
        sides=found,
        openings=thrown,
        unit=currency_meant(last.agreed.unit) or last.agreed.unit,
        label=parse_label(label),
    )
    check_agreed(agreed)
    return agreed


def check_agreed(agreed: Agreed) -> None:
    """Refuse an agreement that no game can start with."""
    if problems := find_errors(agreed.rules):
        place, wrong = problems[0].place, problems[0].message
        what = lazy("its rules are invalid: {place}: {problem}", place=place, problem=wrong)
        raise NotAllowed(what, "correct them")
    check_count(len(agreed.players))
    for player in agreed.players:
        check_name(player)
    _check_distinct(agreed.players, case_key)
    if agreed.sides:
        check_sides(agreed.players, agreed.sides, uneven=True)
    _check_openings(agreed)
    if not _is_amount(agreed.stake) or not agreed.stake.strip("0."):
        what = lazy("{stake!r} is not a valid stake", stake=agreed.stake)
        raise UsageError(what, "write it with a point and without spaces")
    parse_unit(agreed.unit, unassigned=False)
    parse_label(agreed.label, unassigned=False)
    if agreed.payout not in METHODS:
        there = lazy("choose from {methods}", methods=listing(METHODS))
        raise NotAllowed("there is no payout method {method!r}", there, method=agreed.payout)


def check_count(players: int) -> None:
    if not 2 <= players <= MOST_PLAYERS:
        few = {0: lazy("no players are named"), 1: lazy("one player is not enough for a game")}
        what = few.get(players) or lazy("{number} players are too many", number=players)
        raise UsageError(what, lazy("name 2 to {most} players, such as Ana and Beto", most=MOST_PLAYERS))


def _check_distinct(players: Iterable[str], key: Callable[[str], str]) -> None:
    seen: set[str] = set()
    for player in players:
        if key(player) in seen:
            other = lazy("give them different names, such as Ana and Ana P")
            raise UsageError("two players are called {player}", other, player=player)
        seen.add(key(player))


def check_name(player: str) -> None:
    """Refuse a name that is not normalized by `parse_name`. Letters that were once accepted stay valid."""
    if parse_name(player, unassigned=False) != player:
        raise UsageError("{name!r} is not a valid name", "remove the spaces around it", name=player)


def _check_openings(agreed: Agreed) -> None:
    """Refuse impossible opening throws. Typed ones were checked before, but a file may hold anything."""
    rules = agreed.rules
    if len(dict(agreed.openings)) < len(agreed.openings):
        raise NotAllowed("a player's opening throws are given twice", "remove one")
    for player, throws in agreed.openings:
        if player not in agreed.players:
            what = lazy("{player} has an opening throw but is not in the game", player=player)
            raise NotAllowed(what, "remove it")
        for dice in throws:
            if not rules.has_hand(dice):
                raise NotAllowed(
                    lazy(
                        "{player}'s opening throw {hand} is not a hand", player=player, hand=print_dice(dice)
                    ),
                    lazy_count(
                        "an opening throw has {count} die with faces from 1 to {faces}",
                        "an opening throw has {count} dice with faces from 1 to {faces}",
                        rules.dice,
                        faces=rules.faces,
                    ),
                )


class _Refusals(Struct, frozen=True, kw_only=True):
    negative: Message
    with_unit: Message
    other: Message


_NO_STAKE = _Refusals(
    negative=lazy("a stake cannot be negative: {typed!r}"),
    with_unit=lazy("a stake must not include its unit: {typed!r}"),
    other=lazy("{typed!r} is not a stake"),
)
_NO_PAYMENT = _Refusals(
    negative=lazy("an amount cannot be negative: {typed!r}"),
    with_unit=lazy("an amount must not include its unit: {typed!r}"),
    other=lazy("{typed!r} is not an amount"),
)


def parse_stake(text: str, unit: str = POINT, *, local_currency: str = "") -> str:
    """Return an amount in plain decimal text: `0,10` becomes `0.10`; InDoubt for `1.000` and `1,000`."""
    return _read_amount(text, unit, _NO_STAKE, _MOST_DIGITS, local_currency=local_currency)


def _read_amount(
    text: str,
    unit: str,
    refusals: _Refusals,
    most_digits: int,
    *,
    local_currency: str,
) -> str:
    typed = text.strip()
    amount, *others = amounts_meant(typed, unit) or ("",)
    is_stake = refusals is _NO_STAKE
    if others:
        raise _doubt(text, unit, is_stake=is_stake)
    if _is_amount(amount, most_digits) and amount.strip("0."):
        return amount
    if typed.startswith("-"):
        raise UsageError(
            refusals.negative.with_values(typed=typed), "type an amount above zero, such as 0.05"
        )
    if meant := _amount_and_units(typed, unit, local_currency):
        amounts, units = meant
        if len(amounts) > 1:  # `$5.000`
            is_in_unit = unit in units or not any(map(str.isalpha, typed))
            raise _doubt(
                text, unit, amounts[1], () if is_in_unit else ("--unit", units[0]), is_stake=is_stake
            )
        amount = offered_amount(amounts[0], units[0])
        what = refusals.with_unit.with_values(typed=text)
        if is_currency(unit) and unit not in units and not any(map(str.isalpha, typed)):  # `$100` keeps EUR
            raise Retyped(what, "type {large}", word=text, meant=[(amount,)], large=amount)
        raise Retyped(
            what,
            "type {amount}, and {unit} as the unit",
            word=text,
            meant=[(amount, "--unit", each) for each in units],
            amount=amount,
            unit=units[0],
        )
    raise UsageError(
        refusals.other.with_values(typed=text),
        "type an amount above zero, such as 0.05, with at most {before} digits before the point and "
        "{after} after it",
        before=most_digits,
        after=_MOST_DECIMALS,
    )


def _doubt(text: str, unit: str, amount: str = "", more: tuple[str, ...] = (), *, is_stake: bool) -> Retyped:
    large, *others = offered_amounts(amount or text.strip(), unit, is_stake=is_stake)
    if not others:
        what = lazy("{unit} has no decimals", unit=unit)
        return Retyped(what, "type {large}", word=text, meant=[(large, *more)], large=large)
    return InDoubt(
        "{typed!r} could be {large} or {small}",
        "type {large} or {small}",
        word=text,
        meant=[(large, *more), (*others, *more)],
        large=large,
        small=others[0],
    )


_ONE_MARK = r"[0-9]+([.,][0-9]+)?"
_IN_DOUBT = r"[1-9][0-9]{0,2}[.,][0-9]{3}"
_WITH_POINTS = r"[1-9][0-9]{0,2}(\.[0-9]{3})+(,[0-9]+)?"
_WITH_COMMAS = r"[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]+)?"


def amounts_meant(typed: str, unit: str = POINT) -> tuple[str, ...]:
    """Return every possible reading of an amount in plain decimal text; empty if it is not an amount.

    `0,05` is 0.05 and `1.000,50` is 1000.50, whatever the language. `1.000` is 1000 or 1.000, the large one
    first. In a unit with three decimals, it is 1.000 if the language writes decimals that way.
    """
    if re.fullmatch(_IN_DOUBT, typed):
        exact = typed.replace(",", ".")
        if _has_three_decimals(unit) and LANGUAGES.typed.decimal_mark in typed:
            return (exact,)
        return exact.replace(".", ""), exact
    if re.fullmatch(_ONE_MARK, typed):
        return (typed.replace(",", "."),)
    if re.fullmatch(_WITH_POINTS, typed):
        return (typed.replace(".", "").replace(",", "."),)
    if re.fullmatch(_WITH_COMMAS, typed):
        return (typed.replace(",", ""),)
    return ()


def _has_three_decimals(unit: str) -> bool:
    return is_currency(unit) and decimals(unit, "") == _GROUP


_GROUP = 3  # the number of digits after a thousands mark


def offered_amounts(typed: str, unit: str = POINT, *, is_stake: bool = False) -> tuple[str, ...]:
    """Return the amounts to type instead of an ambiguous one, with the decimal mark of the answer.

    In a currency, the small amount is rounded to its decimals, but never to a whole number. The stake for a
    point may have more decimals.
    """
    large, exact = amounts_meant(typed, unit)
    small = Decimal(exact)
    if is_currency(unit):
        places = decimals(unit, "")
        small = small.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
        if places == 0 and small != Decimal(exact):
            return (large,)
    text = exact if is_stake else decimal_text(small)
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return large, offered_amount(text, unit)


def offered_amount(amount: str, unit: str = POINT) -> str:
    """Return a plain amount to type, with the decimal mark of the answer."""
    language = LANGUAGES.spoken
    if re.fullmatch(_IN_DOUBT, amount):
        if _has_three_decimals(unit):
            language = LANGUAGES.typed
        else:
            amount = f"{amount}0"  # three decimals would be ambiguous again
    return amount.replace(".", language.decimal_mark)


def _amount_and_units(
    text: str, unit: str, local_currency: str
) -> tuple[Sequence[str], Sequence[str]] | None:
    """Return the amounts that `$5.000` can be, and the units; None if it is not an amount with a unit."""
    word = text.strip("0123456789., ")
    if not word or not (text.startswith(word) or text.endswith(word)):
        return None
    amounts = amounts_meant(text.replace(word, "").strip(), unit)
    if not amounts or not _is_amount(amounts[0]) or not amounts[0].strip("0."):
        return None
    try:
        units: Sequence[str] = (unit_meant(word, used=(unit,), local_currency=local_currency),)
    except Retyped as error:
        units = [currency for (currency,) in error.meant]
    return (amounts, units) if all(map(str.isalpha, units)) else None


def _is_amount(text: str, most_digits: int = _MOST_DIGITS) -> bool:
    """Return whether a text is plain decimal text without leading zeros. Fast: every command calls it."""
    whole, point, decimals = text.partition(".")
    return (
        text.isascii()
        and whole.isdecimal()
        and len(whole) <= most_digits
        and (whole == "0" or not whole.startswith("0"))
        and (not point or (decimals.isdecimal() and len(decimals) <= _MOST_DECIMALS))
    )


def parse_payment(text: str, unit: str, *, local_currency: str = "") -> str:
    """Return a payment's amount, with the decimals of its unit if that is a currency."""
    read = _read_amount(text, unit, _NO_PAYMENT, 2 * _MOST_DIGITS, local_currency=local_currency)
    return write_payment(read, unit)


def write_payment(amount: str, unit: str) -> str:
    """Return a plain amount with the decimals of its unit; raises UsageError if it has more of them."""
    if not _is_amount(amount, 2 * _MOST_DIGITS) or not amount.strip("0."):
        raise UsageError(_NO_PAYMENT.other.with_values(typed=amount))
    if not is_currency(unit):
        return amount
    whole, _, typed = amount.partition(".")
    places = decimals(unit, amount)
    if typed[places:].strip("0"):
        has_none = lazy("{unit} has no decimals", unit=unit)
        has_some = lazy("{unit} has {number} decimals", unit=unit, number=NumberWord(places))
        shown = number_message(Decimal(amount), "f")
        what = lazy("{amount} {unit} cannot be paid", amount=shown, unit=unit)
        raise UsageError(what, has_some if places else has_none)
    return f"{whole}.{typed[:places]:0<{places}}" if places else whole


class _Kind(Struct, frozen=True, kw_only=True):
    longest: int
    forbidden: Message
    empty: Message
    too_long: Message
    hint: Message


_NOTE = _Kind(
    longest=LONGEST_NAME,
    forbidden=lazy("the note cannot contain the character U+{code:04X}: {text!a}"),
    empty=lazy("the note is empty"),
    too_long=lazy("the note has {length} characters; the maximum is {longest}"),
    hint=lazy("type some words, such as 'paid in cash'"),
)
_UNIT = _Kind(
    longest=LONGEST_UNIT,
    forbidden=lazy("the unit cannot contain the character U+{code:04X}: {text!a}"),
    empty=lazy("the unit is empty"),
    too_long=lazy("the unit has {length} characters; the maximum is {longest}"),
    hint=lazy("type a currency or a word, such as USD or drink"),
)
_LABEL = _Kind(
    longest=LONGEST_NAME,
    forbidden=lazy("the label cannot contain the character U+{code:04X}: {text!a}"),
    empty=lazy("the label is empty"),
    too_long=lazy("the label has {length} characters; the maximum is {longest}"),
    hint=lazy("type some words, such as 'friday at Tito'"),
)
_NAME = _Kind(
    longest=LONGEST_NAME,
    forbidden=lazy("a player's name cannot contain the character U+{code:04X}: {text!a}"),
    empty=lazy("a player's name is empty"),
    too_long=lazy("a player's name has {length} characters; the maximum is {longest}"),
    hint=lazy("give each player a name, such as Ana"),
)


def parse_note(text: str, *, unassigned: bool = True) -> str:
    return _text(text, _NOTE, unassigned) if text.strip() else ""


def parse_unit(text: str, *, unassigned: bool = True) -> str:
    """Return a unit as typed, stripped. `read_unit` finds out what it means."""
    return _text(text, _UNIT, unassigned)


def read_unit(text: str, *, used: Sequence[str] = (), local_currency: str = "") -> str:
    return unit_meant(parse_unit(text), used=used, local_currency=local_currency)


def read_stake(
    agreed: Agreed, *, stake: str | None, unit: str | None, local_currency: str
) -> tuple[str, str]:
    played_in = agreed.unit
    if unit is not None:
        played_in = read_unit(unit, used=(agreed.unit,), local_currency=local_currency)
    if stake is None:
        return agreed.stake, played_in
    return parse_stake(stake, played_in, local_currency=local_currency), played_in


def parse_label(text: str, *, unassigned: bool = True) -> str:
    if not text.strip():
        return ""
    label = _text(text, _LABEL, unassigned)
    if label.isdecimal():
        what = lazy("the label {label!r} looks like a game number", label=label)
        raise UsageError(what, "add a word to it")
    return label


def parse_name(text: str, *, unassigned: bool = True) -> str:
    return _text(text, _NAME, unassigned)


def _text(text: str, kind: _Kind, unassigned: bool) -> str:
    if letter := unprintable(text, unassigned=unassigned):
        raise UsageError(kind.forbidden.with_values(code=ord(letter), text=text), kind.hint)
    name = composed(text.strip())
    if not name or not name.strip("\u200c\u200d"):
        raise UsageError(kind.empty, kind.hint)
    if len(name) > kind.longest:
        raise UsageError(kind.too_long.with_values(length=len(name), longest=kind.longest), kind.hint)
    return name
