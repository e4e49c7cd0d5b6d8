"""A game for points: at the end, it shows how far each player is behind, and no debts."""

import pytest

from tests.cli.program import Generala

CATEGORIES = ("ones", "twos", "threes", "fours", "fives", "sixes", "straight", "full-house", "general")


def finished(generala: Generala, *terms: str) -> str:
    """Beto wins with 40 points, Ana has 15 and Cora 3; the answer of the last entry."""
    generala.ok("new", "Ana", "Beto", "Cora", "--rules", "general", *terms)
    for category in CATEGORIES:
        for player in ("Ana", "Beto", "Cora"):
            if (player, category) == ("Ana", "fives"):
                generala.ok("score", "55512", "--as", "fives")
            elif (player, category) == ("Cora", "ones"):
                generala.ok("score", "11123", "--as", "ones")
            else:
                generala.ok("scratch", category)
    generala.ok("scratch", "four-of-a-kind")
    generala.ok("score", "44442")
    return generala.ok("scratch", "four-of-a-kind")


def test_the_end_of_a_game_for_points_has_all_places_and_no_debt(generala: Generala) -> None:
    shown = finished(generala)
    assert "the game is over: Beto wins with 40 points\n  1. Beto 40, 2. Ana 15, 3. Cora 3\n" in shown
    assert "owes" not in shown
    assert "2. Ana 15, 3. Cora 3" in generala.ok("redo" if generala.ok("undo") else "")


def test_points_are_nobodys_debt_wherever_they_are_shown(generala: Generala) -> None:
    finished(generala)
    payouts = " ".join(generala.ok("payouts").split())
    assert "Ana is behind Beto 25 points Cora is behind Beto 37 points" in payouts
    assert "these are points: nobody owes anybody anything" in payouts
    assert " owes Beto" not in payouts
    assert "nobody owes anybody anything" in generala.ok("ledger")
    for form in ("markdown", "html"):
        assert "owes" not in generala.ok("export", "--format", form)
    assert generala.json("payouts")["debts"][0]["points"] == 25


@pytest.mark.slow
@pytest.mark.parametrize("terms", [("--payout", "pot"), ("--stake", "2", "--unit", "points")])
def test_what_points_are_lost_by_another_method_is_no_debt_either(
    generala: Generala, terms: tuple[str, ...]
) -> None:
    finished(generala, *terms)
    shown = " ".join(generala.ok("payouts").split())
    assert f"Ana loses to Beto {'1 point' if terms[0] == '--payout' else '50 points'}" in shown
    assert "owes Beto" not in shown
    assert "owes" not in generala.ok("export", "--format", "markdown")


@pytest.mark.slow
def test_for_a_stake_debts_are_shown_as_before(generala: Generala) -> None:
    shown = finished(generala, "--stake", "0.01", "--unit", "USD")
    assert "1. Beto 40, 2. Ana 15, 3. Cora 3\n  generala payouts shows who owes whom" in shown
    assert "Ana owes Beto 0.25 USD" in " ".join(generala.ok("payouts").split())
