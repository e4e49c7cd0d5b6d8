"""The headline of a finished game: only what is true of it, and the same at each look."""

from collections.abc import Mapping

import pytest

from generala_cli.board import headlines
from generala_cli.board.headlines import Fact, headline
from generala_cli.game.events import Ended
from generala_cli.messages import Message
from generala_cli.store.store import Store
from tests.app.table import begin, score, scratch
from tests.ledger.evening import play

NOBODY: Mapping[str, str] = {}


def fact(store: Store, number: int) -> Fact:
    found = headline(store, store.load(number))
    assert found == headline(store, store.load(number))
    assert found is not None
    assert str(found)  # it has a value for each placeholder
    return next(
        fact
        for fact, lines in headlines._LINES.items()
        if found.template in [line.template for line in lines]
    )


def general(store: Store, ana: Mapping[str, str], beto: Mapping[str, str] = NOBODY) -> int:
    """Play a game of General in which these boxes are scored, in sheet order, and all others scratched."""
    stored = begin(store)
    for category in stored.game.rules.categories:
        for hands in (ana, beto):
            if dice := hands.get(category.id):
                score(store, dice, category.id)
            else:
                scratch(store, category.id)
    return stored.number


FOUR, SIXES = {"four-of-a-kind": "66661"}, {"sixes": "66661"}


@pytest.mark.parametrize(
    ("ana", "beto", "expected"),
    [
        ({}, {}, "shared"),
        (FOUR, SIXES, "comeback"),
        ({"general": "66666"}, {"ones": "11122"}, "last round"),
        (SIXES | FOUR, {"fives": "55551", "ones": "16666"} | FOUR, "usual"),
        ({"sixes": "66666"} | FOUR, {"fives": "55555", "threes": "36661"} | FOUR, "narrow"),
        (SIXES | FOUR, SIXES, "wide"),
        (SIXES | {"ones": "16666"}, SIXES, "by one"),
    ],
)
def test_the_rarest_true_fact_makes_the_headline(
    store: Store, ana: Mapping[str, str], beto: Mapping[str, str], expected: Fact
) -> None:
    assert fact(store, general(store, ana, beto)) == expected


def test_a_hand_that_wins_at_once_and_an_early_end_have_their_own(store: Store) -> None:
    begin(store)
    score(store, "66666", roll="1")
    assert fact(store, 1) == "at once"
    begin(store)
    score(store, "66661", "sixes")
    store.change(None, lambda _: [Ended()])
    assert fact(store, 2) == "early"


def test_three_wins_in_a_row_are_a_streak_until_a_loss(store: Store) -> None:
    for totals in ({"Ana": 2, "Beto": 6}, *[{"Ana": 6, "Beto": 2}] * 2, {"Beto": 2, "Cora": 6}):
        assert fact(store, play(store, totals)) == "wide"
    third = play(store, {"Ana": 6, "Cora": 2})
    assert fact(store, third) == "streak"
    line = headline(store, store.load(third))
    assert line is not None
    assert line.values["wins"] == 3
    assert fact(store, play(store, {"Ana": 2, "Beto": 6})) == "wide"
    assert fact(store, third) == "streak"


def test_every_language_has_about_thirty_lines() -> None:
    lines: list[Message] = [line for lines in headlines._LINES.values() for line in lines]
    assert len({line.template for line in lines}) == len(lines) >= 30


@pytest.mark.parametrize(("choice", "expected"), [("", {"usual", "wide"}), ("66665", {None})])
def test_game_points_decide_what_is_said(store: Store, choice: str, expected: set[Fact | None]) -> None:
    number = begin(store, rules="balut").number
    for category in store.load(number).game.rules.categories:
        for box in range(4):
            is_balut = category.id == "balut" and box == 0
            score(store, "11111", "balut") if is_balut else scratch(store, category.id)
            score(store, choice, "choice") if choice and category.id == "choice" else scratch(
                store, category.id
            )
    said = headline(store, store.load(number))
    assert (None if said is None else fact(store, number)) in expected
