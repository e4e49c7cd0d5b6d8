"""The upper bonus as a player sees it: on the sheet, next to an entry, in the log, and in the rules."""

import pytest

from tests.cli.program import Generala

HEAD = "upper bonus"


@pytest.fixture
def earned(generala: Generala) -> Generala:
    """Ana has 35 for the 65 in her numbers; Beto holds 24 of the 63."""
    generala.ok("new", "Ana", "Beto", "--rules", "kniffel")
    for ana, beto, number in (
        ("66666", "66661", "sixes"),
        ("55555", None, "fives"),
        ("44355", None, "fours"),
    ):
        generala.ok("score", ana, "--as", number)
        generala.ok(*(("score", beto, "--as", number) if beto else ("scratch", number)))
    generala.ok("score", "11223", "--as", "ones")
    return generala


def row(sheet: str, head: str) -> list[str]:
    """The cells of a line of the sheet."""
    line = next(line for line in sheet.splitlines() if line.startswith(head))
    return [cell.strip() for cell in line.replace("|", "│").split("│")[1:]]


def heads(sheet: str) -> list[str]:
    """Return the first cell of each line of the table, with `-` for rules between sections."""
    lines = [line.replace("|", "│").replace("─", "-") for line in sheet.splitlines()]
    return [
        "-" if line.startswith("-") else line.partition("│")[0].strip()
        for line in lines
        if "│" in line or line.startswith("--")
    ]


def test_the_sheet_shows_it_earned_or_how_far_it_is(earned: Generala) -> None:
    sheet = earned.ok("sheet")
    assert row(sheet, HEAD) == ["35", "24/63"]
    assert row(sheet, "total") == ["100", "24"]
    assert "upper bonus 35 at 63 in numbers" in sheet


def test_it_stands_with_the_numbers_and_is_ruled_off_with_them(earned: Generala) -> None:
    assert heads(earned.ok("sheet"))[7:10] == ["sixes", HEAD, "-"]


def test_where_the_numbers_come_last_it_comes_after_them(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto", "--rules", "yacht", "--set", "upper-bonus=35")
    assert heads(generala.ok("sheet"))[-4:] == ["ones", HEAD, "-", "total"]


def test_a_game_without_it_shows_no_such_line(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto", "--rules", "kniffel", "--set", "upper-bonus=no")
    assert HEAD not in generala.ok("sheet")


def test_an_entry_that_earns_it_says_so_and_no_other(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto", "--rules", "kniffel", "--set", "upper-bonus-from=25")
    assert HEAD not in generala.ok("score", "66661", "--as", "sixes")
    assert HEAD not in generala.ok("score", "55551", "--as", "fives")
    assert "\n  upper bonus +35\n" in generala.ok("score", "11123", "--as", "ones")
    assert HEAD not in generala.ok("score", "11123", "--as", "ones")
    assert HEAD not in generala.ok("score", "55123", "--as", "fives")


def test_what_takes_it_away_or_brings_it_back_says_so(earned: Generala) -> None:
    assert "\n  upper bonus -35\n" in earned.ok("amend", "1", "66612")
    assert "turn 1 corrected to Ana, sixes 18 (6 6 6 1 2), upper bonus -35\n" in earned.ok("undo")
    assert "undone: Ana, ones 2 (1 1 2 2 3)\n" in earned.ok("undo")
    earned.ok("undo")
    assert "undone: Ana, fours 8 (4 4 3 5 5), upper bonus +35\n" in earned.ok("undo")


def test_a_dry_run_says_it_too(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto", "--rules", "kniffel", "--set", "upper-bonus-from=25")
    assert "upper bonus +35" in generala("score", "66666", "--as", "sixes", "--dry-run").out
    assert row(generala.ok("sheet"), HEAD) == ["0/25", "0/25"]


def test_the_log_says_which_turn_earned_it(earned: Generala) -> None:
    assert [line.split()[0] for line in earned.ok("log").splitlines() if "upper bonus +35" in line] == ["5"]
    earned.ok("amend", "1", "66612")
    assert HEAD not in earned.ok("log")
    assert [line.split()[0] for line in earned.ok("log", "--all").splitlines() if HEAD in line] == ["5", "8"]


def test_the_rules_tell_it_with_what_may_be_changed(generala: Generala) -> None:
    card = generala.ok("rules", "show", "kniffel")
    assert "Upper bonus: 35 points if the number boxes add up to 63 or more." in card
    assert "1234, 2345 or 3456 among the five" in card
    assert "upper-bonus-from" in card
    assert "three-of-a-kind (3 kind, 3k)" in " ".join(card.split())


def test_a_house_writes_checks_and_plays_it(generala: Generala) -> None:
    generala.ok("rules", "new", "casa", "--from", "kniffel")
    generala.ok("rules", "check", "casa")
    assert "[upper_bonus]\nfrom = 63\npoints = 35\n" in generala.ok("rules", "show", "casa", "--toml")
    generala.ok("new", "Ana", "Beto", "--rules", "casa")
    assert row(generala.ok("sheet"), HEAD) == ["0/63", "0/63"]
    file = next(generala.home.rglob("casa.toml"))
    file.write_text(file.read_text("utf-8").replace("from = 63", "from = 630"))
    result = generala("rules", "check", "casa")
    assert result.code == 3
    assert "upper_bonus: from: must be at most 105" in result.out + result.err
