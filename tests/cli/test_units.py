"""Units and amounts as typed in a shell."""

import pytest

from tests.cli.program import Generala

ARGENTINA = {"LC_ALL": "es_AR.UTF-8", "GENERALA_LANGUAGE": "en"}
NOWHERE = {"LC_ALL": "C.UTF-8"}


@pytest.fixture
def owing(generala: Generala) -> Generala:
    """Beto owes Ana 5.50 EUR."""
    generala.ok("new", "Ana", "Beto", "--stake", "0.10", "--unit", "EUR", "--rules", "general")
    generala.ok(
        "new", "Ana", "Beto", "--stake", "5.50", "--unit", "EUR", "--payout", "pot", "--rules", "general"
    )
    generala.ok("66666", "1")
    return generala


def refused(generala: Generala, *typed: str, language: str = "en") -> str:
    before = generala.files()
    result = generala(*typed, environment={**NOWHERE, "GENERALA_LANGUAGE": language})
    assert (result.code, result.out) == (2, "")
    assert generala.files() == before
    return result.err.removeprefix("generala: ").removesuffix("\n")


@pytest.mark.parametrize("unit", ["eur", "€", "Eur", "Euro"])
def test_a_payment_reduces_the_debt_however_its_unit_is_typed(owing: Generala, unit: str) -> None:
    result = owing("pay", "Beto", "Ana", "5.5", "--unit", unit)
    assert result.out == "payment 1: Beto paid Ana 5.50 EUR\n  Beto and Ana are even in EUR\n"
    assert result.err == f"generala: '{unit}' is read as the currency EUR\n"
    assert owing.json("ledger")["units"][0]["transfers"] == []


@pytest.mark.parametrize("amount", ["0.5", "1"])
def test_a_code_in_small_letters_is_a_currency_whatever_the_amount(generala: Generala, amount: str) -> None:
    generala("new", "Ana", "Beto", "--stake", amount, "--unit", "eur")
    assert generala.json("payouts")["unit"] == "EUR"
    generala("tournament", "new", "Copa", "Ana", "Beto", "Cora", "--entry-fee", amount, "--unit", "eur")
    assert generala.json("tournament", "standings")["pot"]["unit"] == "EUR"


def test_words_in_any_case_are_one_ledger(generala: Generala) -> None:
    for unit in ("Drink", "drink"):
        generala.ok(
            "new", "Ana", "Beto", "--rules", "general", "--stake", "1", "--unit", unit, "--payout", "pot"
        )
        generala.ok("66666", "1")
    (account,) = generala.json("ledger")["units"]
    assert (account["unit"], account["transfers"]) == (
        "Drink",
        [{"from": "Beto", "to": "Ana", "amount": "2"}],
    )
    assert generala.json("pay", "Beto", "Ana", "1", "DRINK")["payments"][0]["unit"] == "Drink"


def test_points_are_never_owed(owing: Generala) -> None:
    assert refused(owing, "pay", "Beto", "Ana", "5", "--unit", "points", "--yes") == (
        "points are never owed; choose one, as in --unit EUR"
    )


def test_a_slip_for_a_currency_is_answered_with_the_line_to_type(owing: Generala) -> None:
    assert refused(owing, "pay", "Beto", "Ana", "5", "--unit", "ERU") == (
        "'ERU' is not a currency; EUR? Type generala pay Beto Ana 5 --unit EUR"
    )
    owing.ok("pay", "Beto", "Ana", "5", "--unit", "EUR")


@pytest.mark.slow
def test_a_shared_sign_is_the_currency_of_the_game_then_of_the_region(generala: Generala) -> None:
    assert refused(generala, "new", "Ana", "Beto", "--stake", "5", "--unit", "$") == (
        "'$' could be USD, MXN, ARS, CLP, COP, UYU, CAD or AUD; "
        "type the one you mean, as in generala new Ana Beto --stake 5 --unit USD"
    )
    generala("new", "Ana", "Beto", "--stake", "5", "--unit", "pesos", environment=ARGENTINA)
    assert generala.json("payouts")["unit"] == "ARS"
    assert refused(generala, "apuesta", "$100", language="es") == (
        "la apuesta va sin su unidad: '$100'; escribir generala apuesta 100 --unit ARS"
    )
    generala("stake", "100", "$", environment={"LC_ALL": "en_US.UTF-8"})
    assert generala.json("payouts")["unit"] == "ARS"


@pytest.mark.slow
def test_a_shared_sign_is_asked_about_on_a_terminal(generala: Generala) -> None:
    typed = ("new", "Ana", "Beto", "--stake", "5", "--unit", "$")
    with generala.on_terminal(*typed, environment=NOWHERE) as terminal:
        terminal.until("which is it? ")
        terminal.type("clp\n")
        assert terminal.end()[0] == 0
    assert generala.json("payouts")["unit"] == "CLP"


@pytest.mark.slow
def test_a_payment_in_a_unit_that_is_not_owed_must_be_meant(owing: Generala) -> None:
    typed = ("pay", "Beto", "Ana", "1", "drink")
    assert refused(owing, *typed) == (
        "they owe each other in EUR, not in drink; give the amount in EUR, or add --yes if you mean it"
    )
    assert refused(owing, "pay", "Beto", "Ana", "1", "USD").startswith(
        "they owe each other in EUR, not in USD;"
    )
    with owing.on_terminal(*typed) as terminal:
        terminal.until("[y/N] ")
        terminal.type("y\n")
        assert terminal.end()[0] == 0
    assert owing.json(*typed)["left"]["amount"] == "2"  # now it is one of their units
    owing.ok("pay", "Beto", "Ana", "1", "USD", "--yes")


@pytest.mark.slow
def test_a_first_payment_needs_only_a_known_unit(owing: Generala) -> None:
    owing.ok("new", "Cora", "Dani", "--unit", "beer", "--stake", "1")
    assert refused(owing, "pay", "Cora", "Dani", "1", "drink").startswith(
        "no game or payment has used drink yet;"
    )
    for unit in ("beer", "CHF"):
        owing.ok("pay", "Cora", "Dani", "1", unit, "--dry-run", "--quiet")


@pytest.mark.slow
def test_a_stake_without_a_unit_is_for_points(generala: Generala) -> None:
    for typed in (("new", "Ana", "Beto", "--stake", "50"), ("stake", "20")):
        result = generala(*typed, environment=ARGENTINA)
        assert result.code == 0
        assert f"points × {typed[-1]}" in result.out
        assert result.err == (
            "generala: nobody will owe anything, because the game is for points; "
            f"to play for money, type generala stake {typed[-1]} --unit ARS\n"
        )
    with generala.on_terminal("stake", "20") as terminal:
        terminal.until("press Enter to play for points: ")
        terminal.type("usd\n")
        assert terminal.end()[0] == 0
    assert generala.json("payouts")["unit"] == "USD"
    result = generala("new", "Anna", "Ben", "--stake", "0,05", environment={"LC_ALL": "de_DE.UTF-8"})
    assert result.err.endswith("generala einsatz 0,05 --unit EUR\n")


@pytest.mark.parametrize("language", ["en", "es"])
def test_an_amount_with_three_decimals_is_one_in_a_unit_that_has_them(
    generala: Generala, language: str
) -> None:
    typed = "3.140" if language == "en" else "3,140"
    environment = {"GENERALA_LANGUAGE": language}
    generala.ok("new", "Ana", "Beto")
    for more in ((), ("--json",)):
        assert generala("pay", "Ana", "Beto", typed, "BHD", *more, environment=environment).code == 0
    assert [each["amount"] for each in generala.json("ledger", "--payments")["payments"]] == [
        "3.140",
        "3.140",
    ]


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize(
    ("typed", "unit", "offered"),
    [("12.345", "EUR", ["12345", "12.35"]), ("1.500", "JPY", ["1500"]), ("5.005", "EUR", ["5005", "5.01"])],
)
def test_what_a_refusal_offers_is_taken(
    generala: Generala, typed: str, unit: str, offered: list[str]
) -> None:
    generala.ok("new", "Ana", "Beto")
    lines = [f"generala pay Ana Beto {amount} {unit}" for amount in offered]
    assert refused(generala, "pay", "Ana", "Beto", typed, unit).endswith(f"; type {' or '.join(lines)}")
    for line in lines:
        generala.ok(*line.split()[1:])


@pytest.mark.complete
@pytest.mark.thinned(every=9)
@pytest.mark.parametrize(
    "typed",
    ["settle", "balance", "owes", "who owes", "saldo", "deuda", "quién debe", "Schulden", "wer schuldet"],
)
def test_words_of_money_lead_somewhere(generala: Generala, typed: str) -> None:
    assert refused(generala, *typed.split()).endswith(
        "; generala payouts shows who owes whom in a game, generala ledger across games"
    )
