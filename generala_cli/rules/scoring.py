"""What a hand is worth. The only place that turns dice into points."""

from generala_cli.rules.dice import Dice, alike
from generala_cli.rules.patterns import makes
from generala_cli.rules.ruleset import Category, RuleSet


def qualifies(rules: RuleSet, category: Category, dice: Dice) -> bool:
    """Whether the hand is what the category asks for, whatever the state of the sheet."""
    return all(makes(pattern, dice, rules.faces) for pattern in category.asks)


def worth(rules: RuleSet, category: Category, dice: Dice, roll: int) -> int:
    """The points of a hand finished on throw `roll`; 0 where it does not make the category."""
    if not qualifies(rules, category, dice):
        return 0
    if category.points is None:
        face = category.number
        return sum(dice) if face is None else face * dice.count(face)
    return category.first if roll == 1 and category.first is not None else category.points


class Worths(dict[tuple[str | None, Dice, bool], int]):
    """`worth` by category id, dice and whether they were served: 0 also where there is no such thing.

    A game is read again at every command, and thousands of games by a list of them.
    """

    def __init__(self, rules: RuleSet) -> None:
        super().__init__()
        self._rules = rules

    def __missing__(self, key: tuple[str | None, Dice, bool]) -> int:
        wanted, dice, is_first = key
        roll = 1 if is_first else self._rules.throws + 1
        line = next((line for line in self._rules.categories if line.id == wanted), None)
        found = worth(self._rules, line, dice, roll) if line and self._rules.has_hand(dice) else 0
        self[key] = found
        return found


def bonus(rules: RuleSet, category: Category, dice: Dice, roll: int) -> int:
    """How many of the hand's points are there because it was served."""
    return worth(rules, category, dice, roll) - worth(rules, category, dice, rules.throws + 1)


def can_win_instantly(rules: RuleSet, dice: Dice, roll: int) -> bool:
    """Whether the hand ends the game at once, given that its box is open."""
    win = rules.instant_win
    return win is not None and win.when != "never" and roll == 1 and alike(dice) == rules.dice


def best_worth(rules: RuleSet, dice: Dice, roll: int) -> int:
    """The most points the hand could score on an empty sheet, in whatever order it is filled."""
    return max(worth(rules, category, dice, roll) for category in rules.categories if category.after is None)
