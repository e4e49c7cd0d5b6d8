"""Stakes: units in the words that people type, and the payout methods.

Amounts have the decimals of their currency. Amounts in a word such as `drink` have the decimals of the stake.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Literal

from msgspec import Meta, Struct

from generala_cli.errors import Retyped
from generala_cli.game.currencies import currencies_called, currency_meant, decimals_by_code, near_currency
from generala_cli.messages import Message, SeveralOf, listing, words_for
from generala_cli.remedies import Remedy
from generala_cli.text import choose, find_word, name_key


class PayoutMethod(Struct, frozen=True):
    """A rule for debts at the end of a game (guide: sources, "Payouts")."""

    name: str
    settles: Literal["with the winner", "in pairs", "with the lowest"]
    per_point: bool  # of difference; otherwise per game and player


_METHODS = (
    PayoutMethod("difference", "with the winner", per_point=True),
    PayoutMethod("pairwise", "in pairs", per_point=True),
    PayoutMethod("pot", "with the winner", per_point=False),
    PayoutMethod("low-pays", "with the lowest", per_point=False),
)
METHODS: Mapping[str, PayoutMethod] = {method.name: method for method in _METHODS}


METHOD_WORDS: Mapping[str, Message] = {
    "difference": words_for("payout by difference", "difference"),
    "pairwise": words_for("payout in pairs", "pairwise"),
    "pot": words_for("payout of a pot", "pot"),
    "low-pays": words_for("payout by the lowest", "low-pays"),
}
"""The shown word first."""


def find_method(name: str) -> PayoutMethod:
    if name in METHODS:
        return METHODS[name]
    return METHODS[choose(name, METHODS, "payout method", METHOD_WORDS)]


def unit_after(amount: Decimal | float, unit: str) -> object:
    """Return a unit as a message value after an amount. A player's own word may need a plural."""
    is_as_typed = unit.isupper() or abs(amount) == 1  # a code such as USD or BTC, or a single unit
    return unit if is_as_typed else SeveralOf(unit)


def is_currency(unit: str) -> bool:
    """Return whether the unit is an ISO 4217 code in capitals, the form that new files use."""
    return unit in decimals_by_code()


class InDoubt(Retyped):
    """A word with several meanings. On a terminal, the user is asked."""


def unit_meant(word: str, *, used: Sequence[str] = (), local_currency: str = "") -> str:
    """Return the unit for a word: `point`, a currency code, or the word itself.

    InDoubt if several currencies share this sign or name, and neither the `used` units (of the game, or of
    the debts) nor the region decide. Retyped if the word is probably a misspelled currency.
    """
    known = [code for code in map(currency_meant, used) if code is not None]
    codes = currencies_called(word)
    if len(codes) > 1:
        of_game = [code for code in dict.fromkeys(known) if code in codes]
        of_game += [unit for unit in used if unit_key(unit) == unit_key(word)]  # in the spelling of old files
        if not of_game and local_currency in codes:
            return local_currency
        codes = of_game or codes
    if len(codes) > 1:
        raise InDoubt(
            "{typed!r} could be {currencies}",
            "type the one you mean, for example {first}",
            word=word,
            meant=[(code,) for code in codes],
            currencies=listing(codes[:_MOST_LISTED]),
            first=codes[0],
        )
    if codes:
        return codes[0]
    if word == POINT or find_word(word, UNIT_WORDS) is not None:
        return POINT
    if near := near_currency(word, (*known, local_currency)):
        hint = Remedy("did-you-mean", names=listing([near]))
        raise Retyped("{typed!r} is not a currency", hint, word=word, meant=[(near,)])
    return word


_MOST_LISTED = 8


def unit_key(unit: str) -> str:
    """Return the same text for every spelling of a unit, including those in old files."""
    if codes := currencies_called(unit):
        return " ".join(codes)
    return find_word(unit, UNIT_WORDS) or name_key(unit)


class Spellings:
    """The units in use by their first spelling: `EUR`, `eur` and `euro` are one unit; points are `point`."""

    def __init__(self, units: Iterable[str]) -> None:
        self._first = {POINT: POINT}
        for unit in units:
            self._first.setdefault(unit_key(unit), unit)

    def first(self, unit: str) -> str:
        return self._first.get(unit_key(unit), unit)


Amount = Annotated[Decimal, Meta(extra_json_schema={"pattern": r"^-?[0-9]+(\.[0-9]+)?$"})]

POINT = "point"  # a unit that never makes debts (guide: sources, "Several games in one evening")
UNIT_WORDS: Mapping[str, Message] = {POINT: words_for("the unit of points", "point, points, pt, pts")}


def is_for_points(stake: str, unit: str) -> bool:
    return (stake, unit) == ("1", POINT)


def decimal_text(amount: Decimal) -> str:
    """Return an amount as plain decimal text, never with an exponent."""
    return f"{amount:f}"


def decimals(unit: str, stake: str) -> int:
    if is_currency(unit):
        return decimals_by_code()[unit]
    return len(stake.partition(".")[2])
