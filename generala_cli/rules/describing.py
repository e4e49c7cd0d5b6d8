"""A rule set in words, so that someone can play from it."""

from typing import assert_never

from generala_cli.rules.names import listed
from generala_cli.rules.patterns import (
    DIFFERENT,
    ROUND,
    Alike,
    AnyDice,
    Groups,
    Number,
    Pattern,
    Straight,
    Total,
)
from generala_cli.rules.ruleset import Category, RuleSet

_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def asked(category: Category, rules: RuleSet) -> str:
    """What the category asks of a hand, as `three of one face and two of another`."""
    asks = listed([_asked(pattern, rules) for pattern in category.asks], "and")
    if category.after is None:
        return asks
    return f"{asks}, once {rules.category(category.after).name} holds points"


def paid(category: Category) -> str:
    """What it pays, as `30, first throw 35`."""
    if category.number is not None:
        return "the sum of those dice"
    if category.points is None:
        return "the sum of all dice"
    first = "" if category.first is None else f", first throw {category.first}"
    return f"{category.points}{first}"


def told(rules: RuleSet) -> tuple[str, ...]:
    """The rest of the rules, a sentence each: from the dice to who begins."""
    throws = f"{count(rules.throws)} throw{'' if rules.throws == 1 else 's'}"
    faces = "" if rules.faces == 6 else f" of {rules.faces} faces"
    return (
        f"{count(rules.dice).capitalize()} dice{faces}, {throws} a turn.",
        "Everyone fills every box once, with a hand that makes it or, as a scratch, with 0.",
        "The highest total wins; equal ones win together.",
        *(["Boxes are filled from top to bottom."] if rules.fill_order == "top-to-bottom" else []),
        *_instant_win(rules),
        *(_spares(rules) if rules.has_spares else []),
        *_upper_bonus(rules),
        *(_OPENING if rules.opening_throws else []),
    )


_OPENING = (
    "First everyone throws all dice once: the lowest hand plays first, and so on (--opening).",
    "Such a hand counts what it could score at most on an empty sheet; equal hands throw again.",
    "In a partnership of four the two lowest hands play the two highest (--partnership).",
)


def _spares(rules: RuleSet) -> list[str]:
    boxes = listed([category.name for category in rules.categories if category.saves_spares], "or")
    return [
        f"Spares: {boxes} in fewer than {count(rules.throws)} throws saves those left over.",
        f"A spare is one more throw in a later turn (--roll {rules.throws + 1}), any number in one turn.",
        "A number, a scratch or a turn that uses spares saves none; those left at the end score nothing.",
    ]


def _upper_bonus(rules: RuleSet) -> list[str]:
    bonus = rules.upper_bonus
    if bonus is None:
        return []
    return [
        f"Upper bonus: {bonus.points} more for number boxes that hold {bonus.threshold} or more together."
    ]


def count(number: int) -> str:
    """Small numbers in words."""
    return _COUNTS[number] if number < len(_COUNTS) else str(number)


def _instant_win(rules: RuleSet) -> list[str]:
    win = rules.instant_win
    if win is None or win.when == "never":
        return []
    when = f" while {rules.category(win.box).name} is open" if win.when == "while-open" else ""
    alike = f"{count(rules.dice).capitalize()} alike on the first throw"
    sentences = [f"{alike}{when} wins at once, whatever the totals: {win.name}."]
    if rules.instant_win_points is not None:
        sentences.append(f"Each loser then owes {rules.instant_win_points} points.")
    return sentences


def _asked(pattern: Pattern, rules: RuleSet) -> str:
    match pattern:
        case Number(face=face):
            return f"one or more dice showing {face}"
        case Alike(count=alike, all_alike=all_alike):
            but = "" if all_alike or alike == rules.dice else f" ({count(rules.dice)} alike does not count)"
            return f"{count(alike)} alike{but}"
        case Groups(sizes=sizes, all_alike=all_alike):
            groups = listed([f"{count(size)} alike" if size > 1 else "another" for size in sizes], "and")
            counts = "counts too" if all_alike else "does not count"
            return f"{groups} ({count(rules.dice)} alike {counts})"
        case Straight():
            return _straight(pattern, rules)
        case Total(total=total):
            return f"a sum of {total}"
        case AnyDice():
            return "any dice"
        case _:
            assert_never(pattern)


def _straight(pattern: Straight, rules: RuleSet) -> str:
    runs = {
        ROUND: f"{count(rules.dice)} in a row, also round the circle",
        DIFFERENT: f"{count(rules.dice)} different faces",
    }
    named = runs[pattern.runs] if isinstance(pattern.runs, str) else _listed_runs(pattern.runs, rules)
    if not pattern.aces_stand_for:
        return named
    return f"{named}; an ace may stand for a {listed([str(face) for face in pattern.aces_stand_for], 'or a')}"


def _listed_runs(runs: tuple[str, ...], rules: RuleSet) -> str:
    among = "" if len(runs[0]) == rules.dice else f" among the {count(rules.dice)}"
    return f"{listed(runs, 'or')}{among}"
