"""Empty sheets: nothing is cut, the page is full, and a real browser prints them on any paper."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from generala_cli.render import blank_page
from generala_cli.render.language import speak
from generala_cli.render.lines import named
from generala_cli.render.screen import ASCII, UNICODE, UNLIMITED, Marks, Screen, as_text
from generala_cli.render.screen import drawn as drawn_answer
from generala_cli.rules.catalog import built_in_names
from generala_cli.rules.ruleset import RuleSet, most_points
from generala_cli.table.results import BlankSheet
from tests.game.table import cached_rules
from tests.render.browser import needs_browser, paper_sizes, what_is_cut
from tests.render.pages import Page

LANGUAGES = ("en", "es", "de", "pt")
LONG = (
    "four of a kind as grandfather had it, ok",
    "Donaudampfschifffahrtsgesellschaftskapit",
    "日本語の名前がとても長い役の名前です",
)
PAPERS = {"A4": (595, 842), "A5": (420, 595)}
"""In points."""


@contextmanager
def spoken(language: str) -> Iterator[None]:
    speak(language)
    try:
        yield
    finally:
        speak("en")


def house() -> RuleSet:
    """General with names as long as names can be."""
    rules = cached_rules("general")
    first, second, third, *others = rules.lines
    longer = (replace(each, name=name) for each, name in zip((first, second, third), LONG, strict=True))
    return replace(rules, title="A house game of our own, with a title as long", lines=(*longer, *others))


def drawn(
    rules: RuleSet,
    columns: int = 4,
    *,
    width: int = UNLIMITED,
    height: int = UNLIMITED,
    marks: Marks = UNICODE,
) -> list[str]:
    blank = BlankSheet(rules=rules, columns=columns)
    screen = Screen(width=width, height=height, color=False, marks=marks)
    return as_text(drawn_answer(blank, screen), screen).splitlines()


def first_cells(lines: list[str], place: int) -> str:
    """Return all contents of the first column as one text."""
    cells = [line.split("│") for line in lines if "│" in line]
    return "".join("".join(row[place].split()) for row in cells)


@pytest.mark.thinned(every=6, slow=2)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "rules", [*map(cached_rules, built_in_names()), house()], ids=lambda each: each.title
)
def test_names_and_prices_are_whole_on_paper_and_the_page_is_full(rules: RuleSet, language: str) -> None:
    with spoken(language):
        lines = drawn(rules)
        names, prices = first_cells(lines, 0), first_cells(lines, 1)
        assert all("".join(named(category).split()) in names for category in rules.categories)
        for category in rules.categories:
            price = category.points if category.number is None else ""
            assert str(most_points(rules, category) if price is None else price) in prices
    assert max(map(cell_len, lines)) <= 76
    assert 43 <= len(lines) <= 60
    assert lines[0].endswith("____") or lines[2].endswith("____")


@pytest.mark.thinned(every=6, slow=2)
@pytest.mark.parametrize("rules", built_in_names())
@pytest.mark.parametrize(("width", "marks"), [(30, UNICODE), (80, ASCII), (UNLIMITED, UNICODE)])
def test_every_line_has_a_box_for_everyone_and_no_figure_but_prices(
    rules: str, width: int, marks: Marks
) -> None:
    lines = drawn(cached_rules(rules), 9, width=width, height=24, marks=marks)
    assert max(map(cell_len, lines)) <= min(width, 76)
    assert marks is UNICODE or "".join(lines).isascii()
    for name in (*(category.name for category in cached_rules(rules).categories), "total"):
        rows = [re.split(r"[│|]", line) for line in lines if line.startswith(f"{name} ")]
        boxes = 1 if name == "total" else cached_rules(rules).find_category(name).box_count
        assert sum(len(row) - 2 for row in rows) == 9 * boxes
        assert all(not box.strip() for row in rows for box in row[2:])


def test_prices_are_explained_and_yacht_has_its_maxima() -> None:
    lines = drawn(cached_rules("general"), height=40)
    assert any(line.startswith("full house     │ 30/35 │") for line in lines)
    assert lines[-1] == "20/25: 25 on the first throw"
    lines = drawn(cached_rules("yacht"), height=40)
    assert any(line.startswith("four of a kind  │ sum ≤29 │") for line in lines)
    assert any(line.startswith("full house      │ sum ≤28 │") for line in lines)
    assert lines[-1] == "sum ≤29: the sum of all dice, at most 29"
    assert drawn(cached_rules("kniffel"), height=40)[-1] == "upper bonus 35 at 63 in numbers"


def test_a_page_has_a_box_for_every_line_its_price_and_every_player() -> None:
    page = Page(blank_page.page(cached_rules("general"), 4))
    assert page.tags.count("td") == 11 * (1 + 4)
    assert {"full house", "30/35", "20/25: 25 on the first throw"} <= set(page.texts)


@pytest.mark.slow
@needs_browser
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(
    ("rules", "columns", "pages"), [("general", 1, 1), ("crag", 12, 1), ("kniffel", 30, 2)]
)
def test_a_page_fills_any_paper(tmp_path: Path, paper: str, rules: str, columns: int, pages: int) -> None:
    text = blank_page.page(cached_rules(rules), columns)
    sizes = paper_sizes(tmp_path, text.replace("size: portrait", f"size: {paper}"))
    assert sizes == [pytest.approx(PAPERS[paper], abs=1)] * pages


@pytest.mark.slow
@needs_browser
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_cut_in_any_language(tmp_path: Path, language: str) -> None:
    with spoken(language):
        pages = {
            f"{rules.name} {columns}": blank_page.page(rules, columns)
            for rules in (*map(cached_rules, built_in_names()), house())
            for columns in (4, 10)
        }
    assert what_is_cut(tmp_path, pages, 390, 1000) == "nothing"
