"""Errors of sense in a rule set: what can be read but not played."""

from collections.abc import Iterator

from generala_cli.rules.dice import every_hand
from generala_cli.rules.document import Problem, shown
from generala_cli.rules.names import plain
from generala_cli.rules.reading import MOST_POINTS, read_ruleset
from generala_cli.rules.ruleset import Category, RuleSet
from generala_cli.rules.scoring import qualifies


def read_sound_ruleset(document: object) -> tuple[RuleSet, list[Problem]]:
    """Read a rule set whose names all mean something; what hands can make is not looked into.

    Game files are read this way: their rules were checked when the game began.
    """
    rules, problems = read_ruleset(document)
    return rules, [*problems, *_clashes(rules), *_loose_ends(rules)]


def check_ruleset(document: object) -> tuple[RuleSet, list[Problem]]:
    """Read a rule set and find every error in it, of form and of sense.

    Whether some hand makes a category is found by trying every hand; a category with an error of its
    own is left out of that, and all are when it is not known what dice there are.
    """
    rules, problems = read_sound_ruleset(document)
    faulty = [problem.place for problem in problems]
    if not {"dice", "faces", ""} & set(faulty):
        problems += [
            Problem(place=place, message="no hand of these dice makes it")
            for place, category in _placed(rules)
            if not any(other.startswith(place) for other in faulty) and not _can_be_made(rules, category)
        ]
        problems += _out_of_reach(rules)
    if rules.lines and not rules.categories:
        problems.append(Problem(place="category", message="at least one must be in play"))
    return rules, problems


def _placed(rules: RuleSet) -> Iterator[tuple[str, Category]]:
    """Each category with the place that `reading` gives it."""
    return ((f"category {place} ({line.id})", line) for place, line in enumerate(rules.lines, start=1))


def _can_be_made(rules: RuleSet, category: Category) -> bool:
    return any(qualifies(rules, category, hand) for hand, _ in every_hand(rules.dice, rules.faces))


def _out_of_reach(rules: RuleSet) -> Iterator[Problem]:
    """An upper bonus that nobody can ever earn."""
    most = rules.most_in_numbers
    if rules.numbers and rules.upper_bonus is not None and rules.upper_bonus.threshold > most:
        message = f"must be at most {most}, all that the number categories can hold"
        yield Problem(place="upper_bonus: from", message=message)


def _clashes(rules: RuleSet) -> Iterator[Problem]:
    """Names that two categories answer to."""
    owners: dict[str, int] = {}
    for place, category in enumerate(rules.lines, start=1):
        for name in {plain(name): name for name in category.names}.values():
            owner = owners.setdefault(plain(name), place)
            if owner != place:
                other = rules.lines[owner - 1].id
                message = f"{shown(name)} is a name of {other} already"
                yield Problem(place=f"category {place} ({category.id})", message=message)


def _loose_ends(rules: RuleSet) -> Iterator[Problem]:
    """Names of categories that are not there, a bonus for none, and prices that followed and are too high."""
    above: list[str] = []
    for place, category in _placed(rules):
        if category.after is not None and category.after not in above:
            yield Problem(place=f"{place}: after", message="must be the id of a category above it")
        if (category.points or 0) > MOST_POINTS:
            yield Problem(place=f"{place}: points", message=f"must be at most {MOST_POINTS}")
        above.append(category.id)
    if rules.upper_bonus is not None and all(line.number is None for line in rules.lines):
        yield Problem(place="upper_bonus", message="needs a number category, as number = 6, to count")
    win = rules.instant_win
    if win is not None and win.box != (rules.all_alike_box.id if rules.all_alike_box else None):
        wanted = f"must be the id of the category with alike = {rules.dice}"
        yield Problem(place="instant_win: box", message=wanted)
