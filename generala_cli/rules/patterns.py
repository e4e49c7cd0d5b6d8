"""What a category asks of a hand: a number, alike, groups, a straight, a total, or any dice."""

from collections.abc import Iterator
from itertools import combinations, product
from typing import assert_never

from generala_cli.facts import Fact
from generala_cli.rules.dice import Dice, alike

ROUND = "round"
"""Straights: a run that may go round the circle (4-5-6-1-2)."""
DIFFERENT = "different"
"""Straights: every die shows another face."""


class Number(Fact):
    """One or more dice show the face; they alone are summed."""

    face: int


class Alike(Fact):
    """At least `count` dice show one face. `all_alike`: also when every die does."""

    count: int
    all_alike: bool = True


class Groups(Fact):
    """The dice fall into groups of exactly these sizes, as 3 and 2 of a full house.

    `all_alike`: a hand of one face only counts too.
    """

    sizes: tuple[int, ...]
    all_alike: bool = False


class Straight(Fact):
    """The dice show one of these runs, in any order.

    `runs` lists them (`12345`, ascending or not), or is ROUND or DIFFERENT, which take all dice. Runs of
    fewer faces than there are dice must be among the dice, whatever the others show (small straight). Each
    ace may be itself or one of `aces_stand_for` ("Generals": the ace as joker for two or six, in a straight
    only).
    """

    runs: tuple[str, ...] | str
    aces_stand_for: tuple[int, ...] = ()


class Total(Fact):
    """All dice together show exactly this sum."""

    total: int


class AnyDice(Fact):
    """Whatever the dice show."""


Pattern = Number | Alike | Groups | Straight | Total | AnyDice


def makes(pattern: Pattern, dice: Dice, faces: int) -> bool:
    """Whether the hand is what the pattern asks for. `faces` is the number of faces of a die."""
    match pattern:
        case Number(face=face):
            return face in dice
        case Alike(count=count, all_alike=all_alike):
            most = alike(dice)
            return most >= count and (all_alike or most < len(dice) or count == len(dice))
        case Groups(sizes=sizes, all_alike=all_alike):
            groups = sorted(map(dice.count, set(dice)))
            return groups == sorted(sizes) or (all_alike and len(groups) == 1)
        case Straight():
            accepted = accepted_runs(pattern, len(dice), faces)
            length = max(map(len, accepted), default=0)
            return any(run in accepted for run in _readings(dice, pattern.aces_stand_for, length))
        case Total(total=total):
            return sum(dice) == total
        case AnyDice():
            return True
        case _:
            assert_never(pattern)


def accepted_runs(pattern: Straight, count: int, faces: int) -> frozenset[Dice]:
    """The runs, ascending and of one length, that are taken before any ace stands for another face.

    Args:
        count: how many dice there are; a listed run may be shorter.
    """
    if pattern.runs == DIFFERENT:
        return frozenset(combinations(range(1, faces + 1), count))
    if pattern.runs == ROUND:
        circle = [face % faces + 1 for face in range(faces + count)]
        return frozenset(tuple(sorted(circle[start : start + count])) for start in range(faces))
    return frozenset(tuple(sorted(map(int, run))) for run in pattern.runs)


def _readings(dice: Dice, aces_stand_for: tuple[int, ...], length: int) -> Iterator[Dice]:
    """Every choice of so many of the dice, ascending, with each ace as whatever it may stand for."""
    choices = [(1, *aces_stand_for) if face == 1 else (face,) for face in dice]
    return (run for reading in product(*choices) for run in combinations(sorted(reading), length))
