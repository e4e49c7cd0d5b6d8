"""A rule set in words, so that someone can play from it."""

from collections.abc import Iterator

from generala_cli.rules.ruleset import Category, RuleSet, most_worth, wins_with
from generala_cli.text import in_words, listed


def asked(category: Category, rules: RuleSet) -> str:
    """What the category asks of a hand, as `three of one face and two of another`."""
    asks = listed([pattern.words(rules.dice) for pattern in category.asks], "and")
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


def most_on_sheet(rules: RuleSet) -> int:
    """The most points that a sheet can hold, the upper bonus among them."""
    most = {category.id: most_worth(rules, category) for category in rules.categories}
    bonus = rules.upper_bonus
    earned = 0 if bonus is None else bonus.earned(sum(most[number.id] for number in rules.numbers))
    return sum(most.values()) + earned


def sentences(rules: RuleSet) -> Iterator[str]:
    """The rest of the rules, a sentence each: from the dice to who begins."""
    throws = f"{in_words(rules.throws)} throw{'' if rules.throws == 1 else 's'}"
    faces = "" if rules.faces == 6 else f" of {rules.faces} faces"
    yield f"{in_words(rules.dice).capitalize()} dice{faces}, {throws} a turn."
    yield "Everyone fills every box once, with a hand that makes it or, as a scratch, with 0."
    yield "The highest total wins; equal ones win together."
    yield f"The most that a sheet can hold is {most_on_sheet(rules)}."
    if rules.fill_order == "top-to-bottom":
        yield "Boxes are filled from top to bottom."
    yield from _instant_win(rules)
    if rules.has_spares:
        boxes = listed([category.name for category in rules.categories if category.saves_spares], "or")
        yield f"Spares: {boxes} in fewer than {in_words(rules.throws)} throws saves those left over."
        one_more = f"one more throw in a later turn (--roll {rules.throws + 1})"
        yield f"A spare is {one_more}, any number in one turn."
        none = "A number, a scratch or a turn that uses spares saves none"
        yield f"{none}; those left at the end score nothing."
    if bonus := rules.upper_bonus:
        most = f"number boxes that hold {bonus.threshold} or more together"
        yield f"Upper bonus: {bonus.points} more for {most}."
    if rules.opening_throws:
        others = "the others follow clockwise, as they were named" if rules.clockwise else "and so on"
        again = "those who tie for lowest" if rules.clockwise else "equal hands"
        yield f"First everyone throws all dice once: the lowest hand plays first, {others} (--opening)."
        yield f"Such a hand counts what it could score at most on an empty sheet; {again} throw again."
        yield "In a partnership of four the two lowest hands play the two highest (--partnership)."


def win_condition(rules: RuleSet) -> str:
    """What a box must be for an instant win, as `while generala is open`; empty where it does not matter."""
    win = rules.instant_win
    if win is None or wins_with(rules, "scratched") or not wins_with(rules, "open"):
        return ""
    box = rules.category(win.box).name
    return f"unless {box} is scratched" if wins_with(rules, "held") else f"while {box} is open"


def _instant_win(rules: RuleSet) -> Iterator[str]:
    win = rules.instant_win
    if win is None or win.when == "never":
        return
    only = win_condition(rules)
    before, after = ("", f", {only}") if only.startswith("unless") else (f" {only}".rstrip(), "")
    alike = f"{in_words(rules.dice).capitalize()} alike on the first throw"
    yield f"{alike}{before} wins at once, whatever the totals{after}: {win.name}."
    if only and (double := next((c for c in rules.categories if c.after == win.box), None)):
        yield f"After a scored {rules.category(win.box).name} it is {double.name}, and no win."
    if rules.instant_win_points is not None:
        yield f"Each loser then owes {rules.instant_win_points} points."
