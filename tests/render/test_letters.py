"""How wide text is, and how it is made to fit. Rich is asked whether we are right."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from generala_cli.render.letters import columns, cut, shortened, shortened_apart, wrapped
from generala_cli.render.screen import PAPER, UNCUT, Screen
from generala_cli.rules.names import safe

SCREEN = Screen(width=UNCUT, color=True, marks=PAPER)
FAMILY = "👩‍👩‍👧‍👦"
words = st.text(st.sampled_from("ab é日本👍ñ✗·▸…−ไ" + "e\u0301")).map(safe)


@given(st.text().map(safe))
def test_text_is_as_wide_as_rich_says(shown: str) -> None:
    assert columns(shown) == cell_len(shown)


@pytest.mark.parametrize(
    ("shown", "width"), [("", 0), ("Ana", 3), ("José ✗·▸…−", 10), ("日本", 4), ("Jose\u0301", 4), (FAMILY, 2)]
)
def test_wide_letters_take_two_columns_and_accents_none(shown: str, width: int) -> None:
    assert columns(shown) == width


@given(words, st.integers(-3, 30))
def test_what_is_cut_fits_and_is_a_beginning(shown: str, width: int) -> None:
    piece = cut(shown, width)
    assert columns(piece) == min(columns(shown), max(0, width))
    assert shown.startswith(piece.removesuffix(" "))


@pytest.mark.parametrize(
    ("value", "width", "short"),
    [
        ("Ana", 3, "Ana"),
        ("Anabel", 5, "Anab…"),
        ("Ana Maria", 5, "Ana…"),
        ("日本太郎", 6, "日本…"),
        ("Ana", 1, "…"),
    ],
)
def test_what_does_not_fit_ends_in_an_ellipsis(value: str, width: int, short: str) -> None:
    assert shortened(value, width, PAPER) == short


def test_those_that_would_look_the_same_are_shortened_in_the_middle() -> None:
    assert shortened_apart(["Player11", "Player12", "Bo"], [5, 5, 5], PAPER) == ["Pl…11", "Pl…12", "Bo"]


@given(words, st.integers(2, 30))
def test_lines_fit_and_lose_nothing_but_blanks(shown: str, width: int) -> None:
    lines = wrapped(shown, width)
    assert all(columns(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(shown.split())


@given(st.lists(st.text("abc", min_size=1, max_size=8), min_size=1), st.integers(8, 30))
def test_lines_break_between_words_and_as_late_as_they_can(said: list[str], width: int) -> None:
    lines = wrapped(" ".join(said), width)
    assert " ".join(lines).split() == said
    assert all(len(line) + 1 + len(after.split()[0]) > width for line, after in pairwise(lines))


def test_what_stands_out_takes_no_room() -> None:
    assert wrapped(f"{SCREEN.strong('Game 3')}: General", 15) == [f"{SCREEN.strong('Game 3')}: General"]


def test_a_word_that_is_too_wide_is_broken() -> None:
    assert wrapped("to Maximiliano now", 5) == ["to", "Maxim", "ilian", "o now"]
    assert wrapped("日本太郎", 5) == ["日本", "太郎"]
