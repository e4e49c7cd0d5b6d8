"""Numbers, amounts and names as another language writes them; English is in every other test."""

from decimal import Decimal

import pytest

from generala_cli.messages import LANGUAGES
from generala_cli.render import language
from generala_cli.render.drawing import fitting, signed
from generala_cli.render.language import number, percent
from generala_cli.render.lines import amount, label_text, named, setting_text, stake_text
from generala_cli.render.screen import UNICODE, Screen
from generala_cli.render.tables import gain
from tests.game.table import cached_rules

SCREEN = Screen(width=20, color=False, marks=UNICODE)


@pytest.fixture
def spanish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LANGUAGES, "chosen", LANGUAGES.chosen)  # restore it afterwards
    language.speak("es")


@pytest.mark.usefixtures("spanish")
def test_numbers_have_the_marks_of_the_language() -> None:
    assert (number(12.5, ".2f"), number(1234567, ","), percent(0.125, 1)) == (
        "12,50",
        "1.234.567",
        "12,5\xa0%",
    )
    assert (signed(-0.25, SCREEN), signed(0.01, SCREEN)) == ("−0,2", "0,0")


@pytest.mark.usefixtures("spanish")
def test_an_amount_is_written_as_in_the_language_wherever_it_stands() -> None:
    assert amount("0.50", "USD") == "0,50 USD"
    assert amount(Decimal("0.00000001"), "BTC") == "0,00000001 BTC"
    assert (gain(Decimal("1.20"), "EUR"), gain(Decimal("-1.20"), "EUR")) == ("+1,20 EUR", "-1,20 EUR")
    assert stake_text("0.01", "USD", "difference") == "0,01 USD por punto"
    assert (amount(20, "point"), amount(12.5, "point", ".1f")) == ("20 puntos", "12,5 puntos")


def test_a_word_that_is_played_for_has_a_plural(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (amount("3", "cerveza"), amount("0.5", "beer")) == ("3 cervezas", "0.5 beers")
    assert (gain(Decimal(1), "drink"), gain(Decimal(-2), "drink")) == ("+1 drink", "-2 drinks")
    assert (amount("2", "BTC"), amount("2", "USD")) == ("2 BTC", "2 USD")
    monkeypatch.setattr(LANGUAGES, "chosen", LANGUAGES.chosen)
    language.speak("en", "ascii")
    assert amount("3", "glass") == "3 glasses"


@pytest.mark.usefixtures("spanish")
@pytest.mark.parametrize(
    ("word", "several"),
    [
        ("birra", "birras"),
        ("pesos", "pesos"),
        ("porrón", "porrones"),
        ("fernet", "fernets"),
        ("café", "cafés"),
    ],
)
def test_spanish_knows_the_plural_of_such_words(word: str, several: str) -> None:
    assert (amount("0", word), amount("1", word)) == (f"0 {several}", f"1 {word}")
    assert amount("2", f"{word} con soda") == f"2 {several} con soda"


@pytest.mark.usefixtures("spanish")
def test_names_are_those_at_a_table_where_it_is_spoken() -> None:
    rules = cached_rules("generala")
    category = rules.category("full-house")
    assert named(category) == category.name_in("es") != category.name


def test_a_line_is_broken_between_words_only_where_it_must() -> None:
    assert fitting("short enough", SCREEN).no_wrap
    assert not fitting("a line that is far too long for this", SCREEN).no_wrap


def test_points_are_counted_as_they_are_written() -> None:
    assert [amount(n, "point") for n in ("1", "-1", "1.0", "0")] == [
        "1 point",
        "-1 point",
        "1.0 points",
        "0 points",
    ]


@pytest.mark.usefixtures("spanish")
def test_the_label_of_a_tournament_table_is_translated() -> None:
    assert label_text("Copa, round 2, table 13") == "Copa, ronda 2, mesa 13"
    assert label_text("Copa, final") == "Copa, final"
    assert label_text("round 2") == "round 2"


@pytest.mark.usefixtures("spanish")
@pytest.mark.parametrize("typed", ["si", "yes", "ja"])
def test_a_setting_that_says_yes_does_so_in_the_language_of_the_answer(typed: str) -> None:
    assert setting_text(cached_rules("generala"), "double-generala", typed) == "doble-generala=sí"
