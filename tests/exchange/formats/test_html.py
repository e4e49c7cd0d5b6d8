"""The HTML page, and how a real browser shows it."""

import re
from pathlib import Path

import pytest
from hypothesis import given

from generala_cli.exchange.formats.html import FORM
from generala_cli.game.starting import start
from generala_cli.store.gamefile import GameFile
from tests.exchange.formats.playing import file_of, written
from tests.game.strategies import Played, games
from tests.game.table import Table, cached_rules
from tests.render.browser import needs_browser, paper_sizes, what_is_cut
from tests.render.pages import Page

A5 = (419.5, 595.3)
"""In points."""


def game_of(rules: str, names: list[str], *, label: str = "", number: int = 1) -> GameFile:
    """Return a complete game: one full house, and everything else scratched."""
    agreed = start(cached_rules(rules), names, openings={}, label=label, stake="0.01", unit="USD")
    table = Table(agreed.rules, *names)
    for category in agreed.rules.categories:
        for name in names:
            if (category.id, name) == ("full-house", names[0]):
                table.score(name, "55533", category.id, roll=1)
            else:
                table.scratch(name, category.id)
    return file_of(agreed, table.events, number)


def test_texts_are_only_texts() -> None:
    names = ["<script>alert(1)</script>", "A&B", '"><img src=x onerror=y>', "</style>"]
    text = written(FORM, game_of("general", names, label="<b>friday</b>"))
    page = Page(text)
    assert {"script", "img", "b", "link"}.isdisjoint(page.tags)
    assert set(names) <= set(page.texts)
    assert not re.search(r"https?:|url\(|@import|src=\"|\son\w+=\"", text.replace("&", ""))


@given(games())
def test_every_box_is_on_the_page(played: Played) -> None:
    page = Page(written(FORM, file_of(played.agreed, played.events)))
    game = played.history.game
    assert page.tags.count("html") == page.tags.count("style") == 1
    bonuses = (game.rules.upper_bonus is not None) + (game.rules.extra_bonus > 0)
    lines = len(game.rules.categories) + 1 + bonuses + game.rules.has_spares + bool(game.rules.game_points)
    assert page.tags.count("td") == lines * len(game.seats)


LONG = "A name of a hundred letters ".ljust(100, "x")


@pytest.mark.slow
@needs_browser
@pytest.mark.parametrize(
    ("rules", "names"),
    [
        ("general", ["Ana", "Beto", "Cora"]),
        ("kniffel", ["Ana", LONG]),
        ("kniffel", [f"Player {number}" for number in range(20)]),
        ("crag", [f"日本語の名前{number}" for number in range(8)]),
    ],
)
def test_a_game_is_one_page_of_a5(tmp_path: Path, rules: str, names: list[str]) -> None:
    sizes = paper_sizes(tmp_path, written(FORM, game_of(rules, names)))
    assert sizes == [pytest.approx(A5, abs=1)]


@pytest.mark.slow
@needs_browser
def test_every_game_has_a_page_of_its_own(tmp_path: Path) -> None:
    files = [game_of("general", ["Ana", "Beto"], number=number) for number in (1, 2, 3)]
    assert len(paper_sizes(tmp_path, written(FORM, *files))) == 3


@pytest.mark.slow
@needs_browser
def test_names_and_totals_of_five_players_are_whole_on_a_phone(tmp_path: Path) -> None:
    five = ["Maximiliano", "Bernardita", "José María", "Guadalupe", "Wilhelmina"]
    pages = {
        f"{rules} {first}": written(FORM, game_of(rules, [first, *others]))
        for rules in ("general", "kniffel", "golden-fifty")
        for first, *others in (["Ana", "Beto", "Cora", "Dani", "Eva"], five)
    }
    assert what_is_cut(tmp_path, pages, 390, 800) == "nothing"


@pytest.mark.slow
@needs_browser
def test_ten_long_names_are_cut_nowhere_but_by_the_edge_of_what_can_be_scrolled(tmp_path: Path) -> None:
    names = [f"{number} Maximiliano Hermenegildo" for number in range(10)]
    pages = {
        rules: written(FORM, game_of(rules, names)).replace("<div>", "").replace("</div>", "")
        for rules in ("general", "kniffel")
    }
    assert what_is_cut(tmp_path, pages, 390, 800) == "nothing"
