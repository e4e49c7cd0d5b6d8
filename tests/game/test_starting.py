"""Valid settings for a new game: names, label, stake, unit, payout."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from generala_cli.errors import GeneralaError, Retyped, UsageError
from generala_cli.game.events import Agreed
from generala_cli.game.game import new_game
from generala_cli.game.history import ImpossibleEvent, replay
from generala_cli.game.money import InDoubt
from generala_cli.game.starting import (
    again,
    parse_label,
    parse_payment,
    parse_stake,
    parse_unit,
    start,
)
from generala_cli.render.language import speaking
from tests.cases import cases
from tests.game.table import house


@pytest.fixture(autouse=True)
def _typed_in_english() -> Iterator[None]:
    """Speak English, because suggested amounts use the decimal mark of the language."""
    with speaking("en"):
        yield


def begin(
    *players: str, stake: str = "1", unit: str = "point", payout: str = "difference", label: str = ""
) -> Agreed:
    return start(house("generala"), players, openings={}, stake=stake, unit=unit, payout=payout, label=label)


@cases(
    "name",
    [
        "Ana",
        "Maria Jose",
        "日本",
        "[/]",
        "[red]",
        "$(touch x)",
        "O'Brien",
        "-5",
        "*",
        "5",
        "👩\u200d🚀",
        "x" * 100,
    ],
)
def test_names_that_people_have_are_taken_as_they_are(name: str) -> None:
    assert begin(name, "Beto").players == (name, "Beto")


def test_spaces_around_a_name_are_left_out_and_accents_written_in_one_way() -> None:
    assert begin("  Ana ", "A\u0301ngel").players == ("Ana", "Ángel")


@cases("name", ["", "   ", "\u200d", " \u200c\u200d "])
def test_an_empty_name_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=r"^a player's name is empty"):
        begin("Ana", name)


@cases(
    ("name", "code"),
    [
        ("A\x1b[31m", "001B"),
        ("A\nB", "000A"),
        ("A\tB", "0009"),
        ("A\u202e", "202E"),
        ("\ufeffA", "FEFF"),
        ("A\ud800", "D800"),
    ],
)
def test_a_character_that_a_terminal_would_obey_is_refused_by_its_code(name: str, code: str) -> None:
    with pytest.raises(
        UsageError, match=rf"^a player's name cannot contain the character U\+{code}: "
    ) as refused:
        begin("Ana", name)
    assert str(refused.value.message).isprintable()


def test_a_name_is_at_most_a_hundred_characters() -> None:
    with pytest.raises(UsageError, match=r"^a player's name has 101 characters; the maximum is 100"):
        begin("Ana", "x" * 101)


@cases(
    ("one", "other"),
    [("Ana", "Ana"), ("Ana", "ANA"), ("Ana", " ana "), ("Ángel", "A\u0301NGEL"), ("Weiß", "WEISS")],
)
def test_two_players_of_one_name_are_refused(one: str, other: str) -> None:
    with pytest.raises(UsageError, match=r"^two players are called"):
        begin(one, other)


def test_names_that_differ_in_accents_are_two_names() -> None:
    assert begin("Jose", "José").players == ("Jose", "José")


@cases(
    ("count", "message"),
    [
        (0, "no players are named"),
        (1, "one player is not enough for a game"),
        (1000, "1000 players are too many"),
    ],
)
def test_a_game_is_for_two_to_999(count: int, message: str) -> None:
    with pytest.raises(UsageError, match=f"^{message}"):
        begin(*(f"player {number}" for number in range(count)))


@cases("count", [2, 999])
def test_two_and_999_may_play(count: int) -> None:
    assert len(begin(*(f"player {number}" for number in range(count))).players) == count


@cases(
    ("typed", "stake"),
    [
        ("1", "1"),
        ("100", "100"),
        (" 5 ", "5"),
        ("0.05", "0.05"),
        ("0.50", "0.50"),
        ("1.0", "1.0"),
        ("10.00", "10.00"),
        ("0.001", "0.001"),
        ("0.000000001", "0.000000001"),
        ("999999999999", "999999999999"),
    ],
)
def test_a_stake_is_an_exact_amount_as_typed(typed: str, stake: str) -> None:
    assert parse_stake(typed) == stake
    assert parse_stake(stake) == stake


@cases(
    "typed",
    [
        "",
        "0",
        "0.0",
        "0.000",
        "1.",
        ".5",
        "01",
        "1e3",
        "1_000",
        "1,00,000",
        "1,000.",
        "1.000,50.5",
        "0.000,50",
        "0,00",
        ",5",
        "1,",
        "NaN",
        "Infinity",
        "٣",
        "１",
        "+1",
        "1.0000000001",
        "1000000000000",
        "1 000",
        "1/3",
        "five",
    ],
)
def test_what_is_no_amount_above_zero_is_no_stake(typed: str) -> None:
    with pytest.raises(UsageError, match=r"is not a stake; type an amount above zero"):
        parse_stake(typed)


def test_a_negative_stake_is_refused_as_such() -> None:
    with pytest.raises(UsageError, match=r"^a stake cannot be negative: '-1'"):
        parse_stake("-1")


@cases(
    ("typed", "stake"),
    [
        ("0,05", "0.05"),
        (" 1,5 ", "1.5"),
        ("12,50", "12.50"),
        ("0,001", "0.001"),
        ("1234,000", "1234.000"),
        ("1.000,50", "1000.50"),
        ("1,000.50", "1000.50"),
        ("1.234,567", "1234.567"),
        ("1,000,000", "1000000"),
        ("1.000.000", "1000000"),
        ("0,000000001", "0.000000001"),
    ],
)
def test_a_decimal_comma_is_as_good_as_a_point(typed: str, stake: str) -> None:
    assert parse_stake(typed) == stake
    assert begin("Ana", "Beto", stake=typed).stake == stake


@cases(
    ("typed", "small", "large"),
    [
        ("1,000", "1", "1000"),
        ("1.000", "1", "1000"),
        ("1.500", "1.5", "1500"),
        ("10.000", "10", "10000"),
        ("12,345", "12.3450", "12345"),
        ("100,000", "100", "100000"),
    ],
)
def test_a_mark_that_could_part_thousands_is_asked_about(typed: str, small: str, large: str) -> None:
    with pytest.raises(InDoubt) as refused:
        parse_stake(typed)
    assert str(refused.value.message) == f"'{typed}' could be {large} or {small}"
    assert str(refused.value.hint) == f"type {large} or {small}"
    with pytest.raises(InDoubt, match=f"type {large} or {small}"):
        parse_payment(typed, "drink")
    assert [parse_stake(large), parse_stake(small)] == [large, small]


@cases("language", ["en", "es", "de", "pt"])
@cases(
    ("typed", "unit", "offered"),
    [
        ("12.345", "EUR", "12345 12.35"),
        ("5.005", "EUR", "5005 5.01"),
        ("1.000", "USD", "1000 1"),
        ("1.500", "JPY", "1500"),
        ("1.000", "JPY", "1000 1"),
        ("12.345", "drink", "12345 12.3450"),
        ("3.140", "BHD", "3.140"),
        ("3,140", "BHD", "3140 3.14"),
        ("3,145", "BHD", "3145 3.145"),
    ],
)
def test_what_is_offered_instead_of_thousands_is_taken(
    typed: str, unit: str, offered: str, language: str
) -> None:
    mirrored = str.maketrans(".,", ",.") if language != "en" else {}
    with speaking(language):
        try:
            assert parse_payment(typed.translate(mirrored), unit) == offered
        except Retyped as refused:
            words = [word for (word,) in refused.meant]
            assert words == offered.translate(mirrored).split()
            assert all(parse_payment(word, unit) and parse_stake(word, unit) for word in words)


def test_a_stake_that_was_agreed_before_it_was_doubted_stands() -> None:
    agreed = replace(begin("Ana", "Beto"), stake="1.000")
    assert again(replay(agreed, []).game, label="", openings={}).stake == "1.000"


def test_a_stake_with_a_comma_stands_in_no_file() -> None:
    agreed = replace(begin("Ana", "Beto"), stake="0,05")
    with pytest.raises(ImpossibleEvent, match="the agreement: '0,05' is not a valid stake"):
        replay(agreed, [])


@cases(
    ("typed", "unit", "amount"),
    [
        ("3,50", "USD", "3.50"),
        ("3,5", "USD", "3.50"),
        ("0,500", "USD", "0.50"),
        ("1000,50", "EUR", "1000.50"),
        ("1,25", "KWD", "1.250"),
        ("1.2340", "KWD", "1.234"),
        ("1.000,50", "ARS", "1000.50"),
        ("1,5", "drink", "1.5"),
        ("7,0", "JPY", "7"),
    ],
)
def test_a_payment_is_taken_with_a_comma_too(typed: str, unit: str, amount: str) -> None:
    assert parse_payment(typed, unit) == amount


@cases(
    ("typed", "unit", "message"),
    [
        ("0,505", "USD", "0.505 USD cannot be paid; USD has two decimals"),
        ("1.5", "JPY", "1.5 JPY cannot be paid; JPY has no decimals"),
    ],
)
def test_what_is_finer_than_the_unit_is_not_paid(typed: str, unit: str, message: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_payment(typed, unit)
    assert str(refused.value) == message


@cases(
    ("typed", "amount", "unit"),
    [
        ("$1", "1", "ARS"),
        ("US$ 0.10", "0.10", "USD"),
        ("0,05€", "0.05", "EUR"),
        ("ars 5", "5", "ARS"),
        ("3beer", "3", "beer"),
    ],
)
def test_an_amount_with_its_unit_is_answered_with_both_apart(typed: str, amount: str, unit: str) -> None:
    with pytest.raises(UsageError, match=rf"; type {amount}, and {unit} as the unit$"):
        parse_stake(typed, local_currency="ARS")


@cases("unit", ["USD", "drink", "beer", "café", "🍺", "x" * 20])
def test_the_unit_is_a_currency_or_any_word(unit: str) -> None:
    assert begin("Ana", "Beto", unit=unit).unit == unit


@cases("unit", ["", "  ", "x" * 21, "a\x1bb", "a\nb"])
def test_what_is_no_word_is_no_unit(unit: str) -> None:
    with pytest.raises(UsageError, match=r"^the unit "):
        parse_unit(unit)


@cases(
    ("typed", "label"),
    [("friday at Tito", "friday at Tito"), ("  x ", "x"), ("", ""), ("  ", ""), ("2nd", "2nd")],
)
def test_a_label_is_any_text_or_none(typed: str, label: str) -> None:
    assert parse_label(typed) == label


@cases("label", ["7", "007", "１２", "x" * 101, "a\x1b", "a\u202eb"])
def test_a_label_is_no_number_nor_what_is_not_text(label: str) -> None:
    with pytest.raises(UsageError):
        parse_label(label)


def test_an_unknown_payout_is_refused() -> None:
    with pytest.raises(
        UsageError, match=r"^there is no payout method 'winner'; choose from difference, pairwise, pot"
    ):
        begin("Ana", "Beto", payout="winner")


@cases("payout", ["difference", "pairwise", "pot", "low-pays"])
def test_the_four_payout_methods(payout: str) -> None:
    assert begin("Ana", "Beto", payout=payout).payout == payout


def test_the_default_is_one_point_by_the_difference() -> None:
    started = begin("Ana", "Beto")
    assert (started.stake, started.unit, started.payout, started.label) == ("1", "point", "difference", "")
    assert (started.sides, started.openings) == ((), ())


def test_a_rematch_has_the_same_players_sides_rules_and_stakes() -> None:
    first = start(
        house("generala"),
        ["Ana", "Beto", "Cora", "Dani"],
        openings={},
        teams=["Ana+Cora", "Beto+Dani"],
        stake="0.05",
        unit="USD",
        payout="pot",
        label="friday",
    )
    rematch = again(new_game(first), label="", openings={})
    assert rematch.label == ""
    assert (rematch.players, rematch.sides, rematch.rules) == (first.players, first.sides, first.rules)
    assert (rematch.stake, rematch.unit, rematch.payout) == ("0.05", "USD", "pot")


RULES = house("general")


def started(**changed: object) -> Agreed:
    agreed: dict[str, object] = {"rules": RULES, "players": ("Ana", "Beto", "Cora", "Dani")}
    return Agreed(**(agreed | changed))  # type: ignore[arg-type]


TAMPERED: dict[str, dict[str, object]] = {
    "one player": {"players": ("Ana",)},
    "two of a name": {"players": ("Ana", "ana")},
    "a name with spaces around it": {"players": ("Ana", " Beto")},
    "an escape in a name": {"players": ("Ana", "B\x1b")},
    "a stake of nothing": {"stake": "0"},
    "an unknown payout": {"payout": "winner"},
    "a label that is a number": {"label": "7"},
    "a player on two sides": {"sides": (("Ana", "Beto"), ("Beto", "Cora", "Dani"))},
    "a player on no side": {"sides": (("Ana", "Beto"), ("Cora",))},
    "a stranger on a side": {"sides": (("Ana", "Beto"), ("Cora", "Dani", "Zoe"))},
    "an empty side": {"sides": ((), ("Ana", "Beto", "Cora", "Dani"))},
    "opening throws of some": {"openings": (("Ana", ((1, 2, 3, 4, 5),)),)},
    "an opening throw of a stranger": {
        "players": ("Ana", "Beto"),
        "openings": (("Ana", ((5, 5, 5, 3, 3),)), ("Beto", ((2, 2, 3, 4, 4),)), ("Zoe", ((1, 1, 1, 1, 2),))),
    },
    "opening throws twice": {
        "players": ("Ana", "Beto"),
        "openings": (
            ("Ana", ((5, 5, 5, 3, 3),)),
            ("Beto", ((2, 2, 3, 4, 4),)),
            ("Ana", ((5, 5, 5, 3, 3),)),
        ),
    },
    "rules in which two boxes have one name": {
        "rules": replace(RULES, lines=(*RULES.lines, RULES.lines[0])),
    },
    "an opening throw of four dice": {
        "players": ("Ana", "Beto"),
        "openings": (("Ana", ((5, 5, 5, 3),)), ("Beto", ((2, 2, 3, 4, 4),))),
    },
    "an opening throw of a seven": {
        "players": ("Ana", "Beto"),
        "openings": (("Ana", ((5, 5, 5, 3, 7),)), ("Beto", ((2, 2, 3, 4, 4),))),
    },
}


@cases("changed", TAMPERED.values())
def test_a_stored_beginning_that_cannot_be_is_impossible(changed: dict[str, object]) -> None:
    with pytest.raises(ImpossibleEvent) as impossible:
        replay(started(**changed), [])
    assert impossible.value.number == 0


def test_a_stored_beginning_that_can_be_is_replayed() -> None:
    assert replay(started(), []).game.seats == ("Ana", "Beto", "Cora", "Dani")
    with_sides = started(sides=(("Ana", "Beto", "Cora"), ("Dani",)))
    assert replay(with_sides, []).game.agreed == with_sides


def test_every_refusal_is_the_users_to_mend() -> None:
    with pytest.raises(GeneralaError) as refused:
        begin("Ana")
    assert str(refused.value.hint) == "name 2 to 999 players, such as Ana and Beto"


def test_a_sign_of_another_currency_does_not_change_the_unit() -> None:
    with pytest.raises(Retyped) as refused:
        parse_stake("$100", "EUR")
    assert [*refused.value.meant] == [("100",)]


@cases(
    ("typed", "unit", "meant"),
    [
        ("$5.000", "ARS", [("5000",), ("5",)]),
        ("5.000$", "ARS", [("5000",), ("5",)]),
        ("5.000USD", "ARS", [("5000", "--unit", "USD"), ("5", "--unit", "USD")]),
        ("$5000", "EUR", [("5000",)]),
    ],
)
def test_an_amount_with_a_sign_is_doubted_as_without(
    typed: str, unit: str, meant: list[tuple[str, ...]]
) -> None:
    with pytest.raises(Retyped) as refused:
        parse_payment(typed, unit, local_currency="ARS")
    assert [*map(tuple, refused.value.meant)] == meant
