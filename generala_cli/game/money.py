"""The stakes and how they are settled: units with their decimals, and the payout methods.

The codes and their minor units are those of ISO 4217; a word (`drink`) is settled in whole ones, or as
finely as the stake was given.
"""

from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from typing import Annotated, Literal

from msgspec import Meta, Struct

from generala_cli.messages import Message, words_for
from generala_cli.text import choose, find_word


class PayoutMethod(Struct, frozen=True):
    """Who owes whom at the end of a game (guide: sources, "Payouts").

    Attributes:
        settles: every loser with the winner, every pair, or the lowest with everyone else.
        per_point: a stake for every point of difference; else one a game, for each player.
    """

    name: str
    settles: Literal["with the winner", "in pairs", "with the lowest"]
    per_point: bool


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
"""What people type for each payout method; the first word is the one shown."""


def find_method(name: str) -> PayoutMethod:
    """Return the payout method that is meant: a word for it in any language, or a start of its name."""
    if name in METHODS:
        return METHODS[name]
    return METHODS[find_word(name, METHOD_WORDS) or choose(name, METHODS, "payout method")]


_TWO_DECIMALS = """
AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF
CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG
HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU
MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR
SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES
WST XCD XCG YER ZAR ZMW ZWG
"""
_NO_DECIMALS = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
_THREE_DECIMALS = "BHD IQD JOD KWD LYD OMR TND"


_OF_ONE_CURRENCY = {"€": "EUR", "£": "GBP", "US$": "USD", "R$": "BRL"}
SIGNS = {**_OF_ONE_CURRENCY, "$": "USD", "¥": "JPY"}
"""Signs that people write before or behind an amount; of several currencies the one most meant."""


@cache
def _decimals() -> dict[str, int]:
    """Return the decimals of each currency by its code; made for those who settle."""
    codes = {2: _TWO_DECIMALS, 0: _NO_DECIMALS, 3: _THREE_DECIMALS}
    return {code: places for places, listed in codes.items() for code in listed.split()}


def is_currency(unit: str) -> bool:
    """Return whether the unit is an ISO 4217 code, in capitals; `cup` is a word, `CUP` the Cuban peso."""
    return unit in _decimals()


def unit_meant(unit: str, stake: str) -> str:
    """Return the unit as typed; points are known by any word for them, a currency by a sign that is its own.

    A code in small letters is a currency where the stake has decimals: nobody plays for 0.05 of something
    called usd; `cup` for 1 stays a word.
    """
    if unit in _OF_ONE_CURRENCY:
        return _OF_ONE_CURRENCY[unit]
    if unit == POINT or (not is_currency(unit) and find_word(unit, UNIT_WORDS) is not None):
        return POINT
    return unit.upper() if "." in stake and unit.islower() and is_currency(unit.upper()) else unit


Amount = Annotated[Decimal, Meta(extra_json_schema={"pattern": r"^-?[0-9]+(\.[0-9]+)?$"})]
"""An amount in some unit, which an answer gives as `decimal_text`."""

POINT = "point"
"""The unit that nobody ever owes (guide: sources, "Several games in one evening")."""
UNIT_WORDS: Mapping[str, Message] = {POINT: words_for("the unit of points", "point, points")}
"""What people type for it; the first word is the one shown."""


def is_for_points(stake: str, unit: str) -> bool:
    """Return whether nothing but the points themselves is played for."""
    return (stake, unit) == ("1", POINT)


def decimal_text(amount: Decimal) -> str:
    """Return an amount as plain decimal text, never in powers of ten."""
    return f"{amount:f}"


def decimals(unit: str, stake: str) -> int:
    """Return how many decimals an amount in this unit is settled with."""
    if is_currency(unit):
        return _decimals()[unit]
    return len(stake.partition(".")[2])
