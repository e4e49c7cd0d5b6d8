"""A player's sheet as the odds know it: from a game, or as someone tells it."""

from collections.abc import Iterator, Sequence

from generala_cli.errors import Mistyped, NotAllowed
from generala_cli.game.game import Game
from generala_cli.odds.sheets import Sheet
from generala_cli.rules.dice import every_hand
from generala_cli.rules.names import listed
from generala_cli.rules.ruleset import Category, RuleSet
from generala_cli.rules.scoring import worth

MOST_SPARES = 20


def sheet_of(game: Game, player: str) -> Sheet:
    """The sheet of a player as it stands."""
    column = game.columns[player]
    return Sheet(
        filled=frozenset(column.boxes),
        holding=frozenset(name for name, box in column.boxes.items() if not box.scratched),
        in_numbers=game.in_numbers(player),
        spares=column.spares,
        total=game.total(player),
    )


def told_sheet(rules: RuleSet, told: Sequence[str], spares: int) -> Sheet:
    """A sheet that nobody plays on, from texts as `ones`, `ones=3` or `ones=3,generala=0`.

    Without points a category counts as filled with some: what waits for it may be scored, but nothing is
    added to the total, and in a number category three of it count towards an upper bonus.

    Raises:
        Mistyped, NotFound, Ambiguous: something of it cannot be read, or is not in this game.
    """
    boxes = dict(_boxes(rules, told))
    if spares and not rules.has_spares:
        raise Mistyped(f"{rules.title} has no spares", "leave --spares out")
    if not 0 <= spares <= MOST_SPARES:
        raise Mistyped(f"{spares} is not a number of spares", f"type --spares 0 to {MOST_SPARES}")
    in_numbers = sum(_in_numbers(category, points) for category, points in boxes.items())
    bonus = 0 if rules.upper_bonus is None else rules.upper_bonus.earned(in_numbers)
    return Sheet(
        filled=frozenset(category.id for category in boxes),
        holding=frozenset(category.id for category, points in boxes.items() if points != 0),
        in_numbers=in_numbers,
        spares=spares,
        total=sum(points or 0 for points in boxes.values()) + bonus,
    )


def _boxes(rules: RuleSet, told: Sequence[str]) -> Iterator[tuple[Category, int | None]]:
    seen: set[str] = set()
    for text in (part for texts in told for part in texts.split(",") if part.strip()):
        name, equals, points = text.partition("=")
        category = rules.find_category(name.strip())
        if category.id in seen:
            raise Mistyped(f"{category.id} is given as filled twice", "give each category once")
        seen.add(category.id)
        yield category, _points(rules, category, text, points.strip()) if equals else None


def _points(rules: RuleSet, category: Category, text: str, points: str) -> int:
    if not (points.isascii() and points.isdecimal() and len(points) <= 6):
        raise Mistyped(
            f"{text!r} is not a filled category", "type it as --filled ones=3, or ones=0 for a scratch"
        )
    hands = [hand for hand, _ in every_hand(rules.dice, rules.faces)]
    possible = {worth(rules, category, hand, throw) for hand in hands for throw in (1, rules.throws + 1)}
    if int(points) not in {0, *possible}:
        some = listed([str(score) for score in sorted({0, *possible})])
        raise NotAllowed(f"{category.id} cannot hold {points} points", f"it holds {some}")
    return int(points)


def _in_numbers(category: Category, points: int | None) -> int:
    """A box whose points are not told is taken as three of its number, which is what the bonus asks for."""
    if category.number is None:
        return 0
    return 3 * category.number if points is None else points
