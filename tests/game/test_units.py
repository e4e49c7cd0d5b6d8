"""The meaning of a typed unit, and which spellings mean the same unit."""

import pytest

from generala_cli.errors import Retyped
from generala_cli.game.currencies import currency_of_region, decimals_by_code
from generala_cli.game.money import InDoubt, Spellings, unit_meant
from generala_cli.render.language import speaking
from tests.cases import cases


@cases("language", ["en", "es", "de", "pt"])
@cases(
    ("typed", "unit"),
    [
        ("EUR", "EUR"),
        ("eur", "EUR"),
        ("Eur", "EUR"),
        ("€", "EUR"),
        ("Euro", "EUR"),
        ("euros", "EUR"),
        ("US$", "USD"),
        ("Pfund Sterling", "GBP"),
        ("libra esterlina", "GBP"),
        ("Argentine pesos", "ARS"),
        ("PESO ARGENTINO", "ARS"),
        ("guaraníes", "PYG"),
        ("Schweizer Franken", "CHF"),
        ("point", "point"),
        ("Puntos", "point"),
        ("Punkte", "point"),
        ("drink", "drink"),
        ("Drink", "Drink"),
        ("cerveza", "cerveza"),
        ("BTC", "BTC"),
        ("ETH", "ETH"),
        ("gin", "gin"),
        ("round", "round"),
        ("beso", "beso"),
        ("🍺", "🍺"),
    ],
)
def test_a_unit_is_read_alike_in_every_language(typed: str, unit: str, language: str) -> None:
    with speaking(language):
        assert unit_meant(typed) == unit


@cases("typed", ["$", "peso", "Pesos", "dólar", "dollars", "kr", "¥", "£", "Krone", "Dinar"])
def test_what_several_currencies_share_is_in_doubt(typed: str) -> None:
    with pytest.raises(InDoubt) as doubt:
        unit_meant(typed, used=("EUR", "drink"), local_currency="EUR")
    codes = [code for (code,) in doubt.value.meant]
    assert len(codes) > 1
    assert all(unit_meant(code) == code for code in codes)


@cases(
    ("typed", "used", "local", "unit"),
    [
        ("$", ("ARS",), "USD", "ARS"),
        ("$", ("EUR",), "MXN", "MXN"),
        ("$", ("drink", "usd"), "MXN", "USD"),
        ("pesos", (), "ARS", "ARS"),
        ("dólar", ("ARS",), "USD", "USD"),
        ("kr", (), "SEK", "SEK"),
        ("$", ("$",), "", "$"),  # a game from before this question existed
    ],
)
def test_the_game_decides_then_the_region(typed: str, used: tuple[str, ...], local: str, unit: str) -> None:
    assert unit_meant(typed, used=used, local_currency=local) == unit


def test_a_doubt_is_only_about_the_currencies_that_are_used() -> None:
    with pytest.raises(InDoubt, match="'\\$' could be USD or ARS; type the one you mean, for example USD"):
        unit_meant("$", used=("USD", "ARS", "drink"), local_currency="MXN")


@cases(
    ("typed", "near"),
    [
        ("ERU", "EUR"),
        ("eru", "EUR"),
        ("UDS", "USD"),
        ("EUT", "EUR"),
        ("ARG", "ARS"),
        ("Eruo", "EUR"),
        ("pseo", "peso"),
    ],
)
def test_a_slip_for_a_currency_is_refused(typed: str, near: str) -> None:
    with pytest.raises(Retyped) as refused:
        unit_meant(typed)
    assert refused.value.meant == [(near,)]


@cases(
    ("region", "currency"),
    [
        ("AR", "ARS"),
        ("US", "USD"),
        ("MX", "MXN"),
        ("UY", "UYU"),
        ("EC", "USD"),
        ("CH", "CHF"),
        ("SE", "SEK"),
        ("DE", "EUR"),
        ("es", "EUR"),
        ("BG", "EUR"),
        ("", ""),
    ],
)
def test_the_currency_of_a_region(region: str, currency: str) -> None:
    assert currency_of_region(region) == currency


def test_spellings_of_one_unit_are_shown_as_the_first() -> None:
    units = Spellings(["eur", "Drink", "EUR", "café", "punto", "$"])
    shown = [*map(units.first, ("€", "Euro", "drink", "DRINK", "CAFÉ", "points", "$", "ARS"))]
    assert shown == ["eur", "eur", "Drink", "Drink", "café", "point", "$", "ARS"]


def test_every_code_is_itself() -> None:
    assert all(unit_meant(code) == unit_meant(code.lower()) == code for code in decimals_by_code())
