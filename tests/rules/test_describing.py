"""Descriptions of rule sets, each compared with its source."""

from msgspec.structs import replace

from generala_cli.rules.catalog import built_in
from generala_cli.rules.describing import (
    describe_points,
    describe_requirement,
    describe_rules,
    describe_win_condition,
    most_on_sheet,
)
from generala_cli.rules.ruleset import most_points
from tests.cases import cases
from tests.game.table import house

ALWAYS = [
    "Each player fills each box once, with a matching hand or, as a scratch, with 0.",
    "The highest total wins; equal totals share the win.",
]
WINS = "Five alike on the first throw wins at once, whatever the totals"
PARTNERSHIP = "In a partnership of four, the two lowest hands play the two highest (--partnership)."


@cases(
    ("name", "settings", "first", "others"),
    [
        (
            "generala",
            [],
            "Five dice, three throws a turn.",
            [
                "The highest possible total is 260.",
                f"{WINS}, unless generala is scratched: generala servida.",
            ],
        ),
        (
            "generala",
            ["double-generala=yes", "fill-order=top", "instant-win-points=0", "throws=1"],
            "Five dice, one throw a turn.",
            [
                "The highest possible total is 360.",
                "Boxes are filled from top to bottom.",
                (
                    "Five alike on the first throw while generala is open wins at once, whatever the totals: "
                    "generala servida."
                ),
                "After a scored generala, it is double generala and does not win.",
                "Each loser then owes 0 points.",
            ],
        ),
        (
            "general",
            ["double-generala=yes"],
            "Five dice, three throws a turn.",
            [
                "The highest possible total is 390.",
                f"{WINS}: big general.",
                (
                    "At the start, each player throws all dice once (--opening). "
                    "The lowest hand plays first, the next lowest second, and so on."
                ),
                "An opening hand is worth its highest score on an empty sheet; equal hands throw again.",
                PARTNERSHIP,
            ],
        ),
        (
            "generals",
            ["instant-win=never"],
            "Five dice, three throws a turn.",
            [
                "The highest possible total is 270.",
                (
                    "At the start, each player throws all dice once (--opening). "
                    "The lowest hand plays first; the others follow clockwise, in the order given."
                ),
                (
                    "An opening hand is worth its highest score on an empty sheet; "
                    "players who tie for lowest throw again."
                ),
                PARTNERSHIP,
            ],
        ),
        (
            "golden-fifty",
            [],
            "Five dice, three throws a turn.",
            [
                "The highest possible total is 225.",
                (
                    "Spares: low straight, high straight, full house or golden fifty "
                    "in fewer than three throws saves the unused throws."
                ),
                "A spare is an extra throw in a later turn (--roll 4); a turn may use any number of spares.",
                (
                    "A number, a scratch or a turn that uses spares saves none; "
                    "spares left at the end score nothing."
                ),
            ],
        ),
        (
            "kniffel",
            [],
            "Five dice, three throws a turn.",
            [
                "The highest possible total is 375.",
                "Upper bonus: 35 points if the number boxes add up to 63 or more.",
            ],
        ),
        (
            "crag",
            [],
            "Three dice, two throws a turn.",
            ["The highest possible total is 244."],
        ),
    ],
)
def test_the_sentences_of_a_game(name: str, settings: list[str], first: str, others: list[str]) -> None:
    assert [str(sentence) for sentence in describe_rules(house(name, *settings))] == [first, *ALWAYS, *others]


def test_only_unusual_faces_are_named() -> None:
    rules = replace(built_in("crag"), faces=8)
    assert str(next(describe_rules(rules))) == "Three dice with 8 faces, two throws a turn."
    assert str(next(describe_rules(replace(rules, throws=1)))) == "Three dice with 8 faces, one throw a turn."


@cases(
    ("name", "category", "asks", "pays"),
    [
        ("generala", "fives", "one or more dice showing 5", "the sum of those dice"),
        ("generala-round", "straight", "12345, 23456 or 34561", "20, first throw 25"),
        ("generala-ace", "straight", "12345 or 23456; an ace may stand for a 2", "20, first throw 30"),
        (
            "generals",
            "straight",
            "five in a row, also around the circle; an ace may stand for a 2 or a 6",
            "20, first throw 25",
        ),
        (
            "generala",
            "full-house",
            "three alike and two alike (five alike does not count)",
            "30, first throw 35",
        ),
        ("generala", "four-of-a-kind", "four alike", "40, first throw 45"),
        ("generala", "double-generala", "five alike, after generala holds points", "100"),
        ("yacht", "four-of-a-kind", "four alike (five alike does not count)", "the sum of all dice"),
        ("yacht", "choice", "any dice", "the sum of all dice"),
        ("kniffel", "small-straight", "1234, 2345 or 3456 among the five", "30"),
        ("crag", "crag", "two alike and another (three alike does not count) and a sum of 13", "50"),
        ("crag", "three-of-a-kind", "three alike", "25"),
        ("escalero", "nines", "one or more dice showing 9", "the sum of those dice"),
        ("escalero", "aces", "one or more dice showing A", "the sum of those dice"),
        ("escalero", "straight", "9 10 J Q K or 10 J Q K A", "20, first throw 25"),
    ],
)
def test_what_a_category_asks_and_pays(name: str, category: str, asks: str, pays: str) -> None:
    rules = house(name, "double-generala=yes") if name == "generala" else built_in(name)
    box = rules.category(category)
    assert (str(describe_requirement(box, rules)), str(describe_points(box))) == (asks, pays)


def test_what_a_house_changes_is_described() -> None:
    rules = house("generala", "straights=different", "all-alike-as-full-house=yes")
    assert str(describe_requirement(rules.category("straight"), rules)) == "five different faces"
    assert str(describe_requirement(rules.category("full-house"), rules)) == (
        "three alike and two alike (five alike counts too)"
    )


@cases(
    ("settings", "condition"),
    [
        (["instant-win=never"], ""),
        (["instant-win=always"], ""),
        (["instant-win=unless-scratched"], "unless generala is scratched"),
        (["instant-win=while-open"], "while generala is open"),
        (["double-generala=yes"], "while generala is open"),
    ],
)
def test_when_the_box_allows_an_instant_win(settings: list[str], condition: str) -> None:
    assert str(describe_win_condition(house("generala", *settings))) == condition
    assert not describe_win_condition(built_in("crag"))


@cases(("threshold", "most"), [("105", 375), ("63", 375)])
def test_the_most_on_a_sheet_counts_an_upper_bonus_that_can_be_earned(threshold: str, most: int) -> None:
    """A hundred and five in numbers and 35 more, three times five sixes, and 25, 30, 40 and 50."""
    assert most_on_sheet(house("kniffel", f"upper-bonus-from={threshold}")) == most


@cases(("category", "most"), [("four-of-a-kind", 29), ("full-house", 28), ("sixes", 30)])
def test_the_most_of_yacht_is_the_published_one(category: str, most: int) -> None:
    rules = built_in("yacht")
    assert most_points(rules, rules.category(category)) == most
