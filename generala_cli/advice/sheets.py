from collections.abc import Iterator, Sequence

from generala_cli.errors import NotAllowed, UsageError
from generala_cli.messages import lazy, listing
from generala_cli.odds.sheets import Sheet
from generala_cli.remedies import in_shell
from generala_cli.rules.ruleset import Category, RuleSet, possible_points

MOST_SPARES = 20


def read_sheet(rules: RuleSet, filled: Sequence[str], spares: int) -> Sheet:
    """Return a sheet from texts such as `ones` or `ones=3,generala=0`; NotAllowed if impossible.

    A category without points counts as scored, but adds nothing to the total, and three of a number to the
    upper bonus. If a box requires five alike in any box, a number category with the points of five meets
    that.
    """
    boxes = [*_boxes(rules, filled)]
    if spares and not rules.has_spares:
        raise UsageError("{rules} has no spares", in_shell(lazy("remove --spares")), rules=rules)
    if not 0 <= spares <= MOST_SPARES:
        raise UsageError(
            "a player cannot have {number} spares",
            in_shell(lazy("type --spares 0 to {most}", most=MOST_SPARES)),
            number=spares,
        )
    if len(boxes) == rules.turns:
        raise NotAllowed("every category is filled, so there is nothing to advise", "leave one open")
    numbers = ((category.number, points) for category, points in boxes if category.number)
    in_numbers = sum(3 * number if points is None else points for number, points in numbers)
    bonus = 0 if rules.upper_bonus is None else rules.upper_bonus.earned(in_numbers)
    holding = frozenset(category.id for category, points in boxes if points != 0)
    awaited = rules.awaited_hand
    most = {number.id: (number.number or 0) * rules.dice for number in rules.numbers}
    are_all_of_a_number = any(points == most.get(category.id) for category, points in boxes if points)
    return Sheet(
        filled=tuple(sorted(category.id for category, _ in boxes)),
        holding=holding,
        wrote_five_alike=awaited is not None and (awaited.id in holding or are_all_of_a_number),
        in_numbers=in_numbers,
        spares=spares,
        total=sum(points or 0 for _, points in boxes) + bonus,
    )


def _boxes(rules: RuleSet, filled: Sequence[str]) -> Iterator[tuple[Category, int | None]]:
    seen: list[str] = []
    for text in (part for texts in filled for part in texts.split(",") if part.strip()):
        name, equals, points = text.partition("=")
        category = rules.find_category(name.strip())
        if seen.count(category.id) == category.box_count > 1:
            what = "{category} has only {count} boxes"
            raise UsageError(what, "give it less often", category=category.typed, count=category.box_count)
        if category.id in seen and category.box_count == 1:
            raise UsageError("{category} is filled twice", "give each category once", category=category.typed)
        seen.append(category.id)
        yield category, _points(rules, category, text, points.strip()) if equals else None


def _points(rules: RuleSet, category: Category, text: str, points: str) -> int:
    if not (points.isascii() and points.isdecimal() and len(points) <= 6):
        raise UsageError(
            "{text!r} is not a filled category",
            in_shell(lazy("type it as --filled ones=3, or ones=0 for a scratch")),
            text=text,
        )
    possible = {0, *possible_points(rules, category)}
    if int(points) not in possible:
        raise NotAllowed(
            "{category} cannot hold {points} points",
            "it can hold {possible}",
            category=category.typed,
            points=points,
            possible=listing(sorted(possible)),
        )
    return int(points)
