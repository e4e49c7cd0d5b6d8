"""Names as people say them, and the characters that no name may hold."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generala_cli.errors import Ambiguous, NotFound
from generala_cli.messages import listing
from generala_cli.text import (
    case_key,
    find,
    find_same,
    name_key,
    normalize,
    one_slip_apart,
    safe,
    unprintable,
)
from tests.cases import cases

SHEET = {
    "straight": ("straight", "escalera", "s"),
    "sixes": ("sixes", "6", "seises"),
    "poker": ("four of a kind", "póker"),
    "high-straight": ("große Straße",),
}


@cases(
    ("message", "meant"),
    [
        ("straight", "straight"),
        ("ESCALERA", "straight"),
        ("esc", "straight"),
        ("poker", "poker"),
        ("PÓKER", "poker"),
        ("po\u0301ker", "poker"),
        ("four-of-a-kind", "poker"),
        ("four_of_a_kind", "poker"),
        ("  four   of  a kind ", "poker"),
        ("grosse strasse", "high-straight"),
        ("GROSSE STRASSE", "high-straight"),
        ("Große Straße", "high-straight"),
        ("große-straße", "high-straight"),
        ("GROẞE", "high-straight"),
        ("6", "sixes"),
        ("６", "sixes"),
    ],
)
def test_a_name_is_found_in_any_case_with_or_without_accents_and_by_its_start(
    message: str, meant: str
) -> None:
    assert find(message, SHEET, "category") == meant


def test_a_whole_name_is_not_ambiguous_with_longer_ones() -> None:
    assert find("s", SHEET, "category") == "straight"
    assert find("ana", {"Ana": ("Ana",), "Anabel": ("Anabel",)}, "player") == "Ana"


def test_the_name_as_written_beats_one_that_differs_in_accents_only() -> None:
    names = {"Jose": ("Jose",), "José": ("José",)}
    assert find("Jose", names, "player") == "Jose"
    assert find("José", names, "player") == "José"
    assert find("Jose\u0301", names, "player") == "José"


def test_a_name_that_is_written_so_by_nobody_and_fits_two_is_ambiguous() -> None:
    with pytest.raises(Ambiguous, match=r"^'JOSE' fits more than one player; say which: Jose or José$"):
        find("JOSE", {"Jose": ("Jose",), "José": ("José",)}, "player")


def test_a_start_that_fits_two_names_lists_them() -> None:
    with pytest.raises(Ambiguous, match=r"^'an' fits more than one player; say which: Ana, Anabel or Ángel$"):
        find("an", {"Ana": ("Ana",), "Beto": ("Beto",), "Anabel": ("Anabel",), "Ángel": ("Ángel",)}, "player")


def test_two_names_of_one_thing_are_not_ambiguous() -> None:
    assert find("f", {"full-house": ("full", "full house"), "ones": ("ones",)}, "category") == "full-house"


def test_an_unknown_name_gives_the_nearest() -> None:
    with pytest.raises(NotFound, match=r"^there is no category 'strait'; did-you-mean.*straight"):
        find("strait", SHEET, "category")


def test_a_misspelt_alias_gives_what_it_stands_for() -> None:
    with pytest.raises(NotFound, match=r"; did-you-mean\(straight\)$"):
        find("escalara", SHEET, "category")


def test_a_name_like_no_other_gives_all_there_are() -> None:
    with pytest.raises(NotFound, match=r"; choose from straight, sixes, poker or high-straight$"):
        find("zzzzzz", SHEET, "category")


def test_no_name_at_all_is_found_nowhere() -> None:
    with pytest.raises(NotFound):
        find("", {"Ana": ("Ana",)}, "player")


def test_nothing_is_found_among_no_names() -> None:
    with pytest.raises(NotFound, match=r"^there is no player 'Ana'$"):
        find("Ana", {}, "player")


def test_plain_is_the_same_for_every_way_to_write_a_name() -> None:
    spellings = ["Große_Straße", "grosse-strasse", "GROSSE  STRASSE", "große straße"]
    assert {normalize(spelling) for spelling in spellings} == {"grosse strasse"}


def test_players_differ_by_accents_but_not_by_case_or_unicode_form() -> None:
    assert name_key("ÁNGEL") == name_key("ángel") == name_key("A\u0301ngel")
    assert name_key("Ángel") != name_key("Angel")
    assert name_key("STRASSE") == name_key("Straße")


def test_the_dot_of_an_i_makes_no_different_name() -> None:
    assert len({*map(name_key, ("Işık", "ışık", "IŞIK", "işik", "İŞİK"))}) == 1
    assert normalize("Işık") == normalize("ışık") == normalize("İŞİK") == "isik"
    assert find("ışık", {"Işık": ("Işık",)}, "player") == "Işık"
    assert case_key("Işık") != case_key("ışik")


def test_the_same_name_is_found_by_case_before_the_dot_of_an_i() -> None:
    assert find_same("IŞIK", ["Ana", "Işık"]) == "Işık"
    assert find_same("IŞıK", ["işik", "Işık"]) == "Işık"
    assert find_same("IŞİK", ["ışık", "İşık"]) is None


@cases(
    "pair",
    [
        ("José", "Jose"),
        ("Ana Lena", "anna-lena"),
        ("Beto", "Betto"),
        ("Cristian", "Christian"),
        ("Gonzalez", "Gonzales"),
        ("Mraio", "Mario"),
        ("Al", "Ali"),
        ("Ana B", "AnaB"),
    ],
)
def test_names_that_a_slip_leads_to_are_a_pair(pair: tuple[str, str]) -> None:
    assert one_slip_apart(pair) == [pair]


@cases(
    "pair", [("Ana 2", "Ana 3"), ("Player1", "Player10"), ("Ana P", "Ana R"), ("Al", "Bo"), ("Ana", "Eva")]
)
def test_other_names_are_no_pair(pair: tuple[str, str]) -> None:
    assert one_slip_apart(pair) == []


def slips(letters: str) -> set[str]:
    """Everything that one slip makes of a name of a few letters."""
    ends = [(letters[:at], letters[at:]) for at in range(len(letters) + 1)]
    return {
        *(before + after[1:] for before, after in ends),
        *(before + after[1::-1] + after[2:] for before, after in ends),
        *(before + letter + after for before, after in ends for letter in "abcd1"),
        *(before + letter + after[1:] for before, after in ends for letter in "abcd1"),
    }


def on_purpose(name: str) -> list[str]:
    return [letter for word in normalize(name).split() for letter in word if letter == "1" or len(word) == 1]


def are_one_slip_apart(one: str, other: str) -> bool:
    """As it is defined, tried out."""
    letters, others = (normalize(name).replace(" ", "") for name in (one, other))
    is_slip = others in slips(letters) and max(len(letters), len(others)) > 2
    return letters == others or (is_slip and on_purpose(one) == on_purpose(other))


@given(st.lists(st.text("abcá1 ", min_size=1, max_size=5), unique=True, max_size=30))
def test_the_pairs_are_those_that_are_found_by_comparing_every_two(names: list[str]) -> None:
    assert one_slip_apart(names) == [pair for pair in combinations(names, 2) if are_one_slip_apart(*pair)]


@cases(("names", "text"), [(["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c")])
def test_a_list_reads_as_people_say_it(names: list[str], text: str) -> None:
    assert str(listing(names)) == text


FORBIDDEN = {
    "escape": ("\x1b", "\\x1b"),
    "newline": ("\n", "\\n"),
    "tab": ("\t", "\\t"),
    "nul": ("\x00", "\\x00"),
    "delete": ("\x7f", "\\x7f"),
    "one-byte CSI": ("\x9b", "\\x9b"),
    "right-to-left override": ("\u202e", "\\u202e"),
    "bidi isolate": ("\u2066", "\\u2066"),
    "right-to-left mark": ("\u200f", "\\u200f"),
    "zero-width space": ("\u200b", "\\u200b"),
    "byte-order mark": ("\ufeff", "\\ufeff"),
    "line separator": ("\u2028", "\\u2028"),
    "paragraph separator": ("\u2029", "\\u2029"),
    "lone surrogate": ("\udc80", "\\udc80"),
    "private use": ("\ue000", "\\ue000"),
    "non-character": ("\uffff", "\\uffff"),
}


@cases(("letter", "escape"), FORBIDDEN.values())
def test_what_a_terminal_could_obey_is_refused_and_shown_as_an_escape(letter: str, escape: str) -> None:
    assert unprintable(f"An{letter}a") == letter
    assert safe(f"Án{letter}a") == f"Án{escape}a"
    assert safe(f"An{letter}a") == f"An{escape}a"


ALLOWED = {
    "letters": "Ana",
    "accents": "Ñandú",
    "combining accent": "A\u0301ngel",
    "Japanese": "日本",
    "Arabic": "سارة",
    "Persian with a non-joiner": "علی\u200cرضا",
    "emoji": "🎲",
    "a family of joined emoji": "👨\u200d👩\u200d👧",
    "a flag": "🇦🇷",
    "a heart with a variation selector": "❤\ufe0f",
    "markup": "[red]Ana[/]",
    "a shell's dollar": "$(touch x)",
    "spaces": "Maria Jose",
}


@cases("name", ALLOWED.values())
def test_what_people_write_names_with_is_allowed_and_unchanged(name: str) -> None:
    assert unprintable(name) == ""
    assert safe(name) == name


def test_the_first_of_several_forbidden_characters_is_the_one_named() -> None:
    assert unprintable("a\u202eb\x1b") == "\u202e"
