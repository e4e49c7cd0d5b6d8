"""A round on paper."""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import pytest

from generala_cli.render.language import speak
from generala_cli.tournament.answers import (
    TournamentPlayer,
    TournamentPot,
    TournamentStandings,
    TournamentTable,
    TournamentTables,
)
from generala_cli.tournament.paper import page
from generala_cli.tournament.rules.tournaments import TournamentTerms
from tests.game.table import cached_rules
from tests.render.browser import needs_browser, paper_sizes, what_is_cut
from tests.render.pages import Page

PAPERS = {"A4": (595, 842), "A5": (420, 595)}
"""In points."""
LONG = "Maximiliano Hohenzollern-Sigmaringen von und zu den Sieben Bergen"


@contextmanager
def spoken(language: str) -> Iterator[None]:
    speak(language)
    try:
        yield
    finally:
        speak("en")


def printed(
    players: int, size: int, rules: str = "general", *, games: int = 1, byes: tuple[str, ...] = ("Zoe",)
) -> str:
    """Print the second of three rounds, for that many players and Zoe, who sits out."""
    names = [LONG, "Ñandú <b>", *(f"Player {number}" for number in range(3, players + 1))]
    terms = TournamentTerms(
        name="Copa",
        players=(*names, "Zoe"),
        rounds=3,
        tables_of=size,
        by="points",
        points=(3, 2, 1),
        seating="draw",
        stake="0",
        unit="points",
        payout="pool",
        seed=1,
        rules=cached_rules(rules),
    )
    tables = TournamentTables(
        tournament=1,
        name="Copa",
        round=2,
        rounds=3,
        tables=tuple(
            TournamentTable(
                table=start // size + 1,
                game=None,
                players=tuple(names[start : start + size]),
                totals={},
                turns=0,
                next=None,
                over=False,
                winners=(),
            )
            for start in range(0, players, size)
        ),
        byes=byes,
        others=(),
        cancelled=(),
    )
    standings = TournamentStandings(
        tournament=1,
        name="Copa",
        by="points",
        rounds=3,
        seated=2,
        open=1,
        missing=0,
        over=False,
        pot=TournamentPot(fee="5.00", unit="USD", pot="45.00", prizes=(100,), due=False),
        standings=tuple(
            TournamentPlayer(
                place=place,
                shared_place=place,
                prize="45.00" if place == 1 else "0.00",
                player=name,
                points=Fraction(3, 2),
                total=1000 - place,
                wins=0,
                places=(),
                games=games,
                lot=place,
                decided_by="",
                dropped=name == "Zoe",
                finalist=False,
            )
            for place, name in enumerate((*names, "Zoe"), start=1)
        ),
    )
    return page(terms, tables, standings)


def test_everybody_finds_their_table_and_every_table_its_sheet() -> None:
    texts = Page(printed(8, 4)).texts
    assert {"Copa, round 2 of 3", "Copa, round 2 of 3, table 1", "Copa, round 2 of 3, table 2"} <= set(texts)
    assert {"full house", "sits out", "dropped out", "9. Zoe"} <= set(texts)
    by_name = [text for text in texts[: texts.index("Zoe")] if text.startswith(("Max", "Ñ", "Player"))]
    assert by_name == [LONG, "Ñandú <b>", *(f"Player {number}" for number in range(3, 9))]
    assert texts.count("Player 5") == 4, "by name, by table, over a column of the sheet, and under a line"


def test_names_that_only_an_accent_separates_have_one_order() -> None:
    texts = Page(printed(8, 4, byes=("Zoë", "Zoe"))).texts
    assert texts.index("Zoe") < texts.index("Zoë")


def test_standings_are_printed_as_soon_as_a_game_is_over() -> None:
    assert "5. Player 5" in Page(printed(8, 4)).texts
    assert "5. Player 5" not in Page(printed(8, 4, games=0)).texts
    with spoken("es"):
        assert {"1,5", "premio", "45,00 USD"} <= {*Page(printed(8, 4)).texts}


@pytest.mark.slow
@needs_browser
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(
    ("players", "size", "rules", "pages"), [(6, 3, "kniffel", 5), (60, 6, "crag", 2 + 1 + 2 + 10)]
)
def test_it_fills_any_paper(
    tmp_path: Path, paper: str, players: int, size: int, rules: str, pages: int
) -> None:
    text = printed(players, size, rules)
    sizes = paper_sizes(tmp_path, text.replace("size: portrait", f"size: {paper}"))
    assert sizes == [pytest.approx(PAPERS[paper], abs=1)] * pages


@pytest.mark.slow
@needs_browser
@pytest.mark.parametrize("language", ["en", "es", "de", "pt"])
def test_nothing_is_cut_in_any_language(tmp_path: Path, language: str) -> None:
    with spoken(language):
        pages = {f"tables of {size}": printed(12, size) for size in (3, 4, 6)}
    assert what_is_cut(tmp_path, pages, 390, 1000) == "nothing"
