"""Errors of a rule set that types cannot express: duplicate names, dangling references, impossible boxes."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from msgspec import UNSET

from generala_cli.messages import Message, lazy
from generala_cli.rules.dice import every_hand
from generala_cli.rules.patterns import Alike
from generala_cli.rules.ruleset import (
    MOST_LINES,
    MOST_POINTS,
    TURNING_THROWS,
    Category,
    Names,
    RuleSet,
    qualifies,
)
from generala_cli.text import normalize, unprintable


class Problem(NamedTuple):
    """One error in a document, at a place such as `category 8 (full-house): points`."""

    place: str
    message: Message
    category: str | None = None

    @property
    def line(self) -> Message:
        if not self.place:
            return self.message
        return lazy("{place}: {problem}", place=self.place, problem=self.message)

    def __str__(self) -> str:
        return str(self.line)


_POKER_FACES = 6


@lru_cache  # many games share few rule sets
def find_errors(rules: RuleSet) -> tuple[Problem, ...]:
    """Return every error in a rule set with valid types and ranges, except for impossible boxes."""
    problems = [*_wrong_texts(rules)]
    for place, line in _placed(rules):
        problems += (problem._replace(category=place) for problem in _wrong_category(place, line, rules))
    return (*problems, *_clashes(rules), *_loose_ends(rules))


def find_impossible(rules: RuleSet) -> Iterator[Problem]:
    """Yield the boxes and bonuses that no hand or sheet can reach. Tries every hand."""
    hands = [hand for hand, _ in every_hand(rules.dice, rules.faces)]
    for place, line in _placed(rules):
        if not any(qualifies(rules, line, hand) for hand in hands):
            yield Problem(place, lazy("no hand can match it"), place)
    most, bonus = rules.most_in_numbers, rules.upper_bonus
    if rules.numbers and bonus is not None and bonus.threshold > most:
        fault = lazy("must be at most {most}, the highest sum of the number categories", most=most)
        yield Problem("upper_bonus: from", fault)
    if rules.lines and not rules.categories:
        yield Problem("category", lazy("at least one must be in play"))


def is_id(name: str) -> bool:
    """Return whether a name consists of lowercase letters and digits with single hyphens between."""
    return name.isascii() and name == name.lower() and all(map(str.isalnum, name.split("-")))


def _placed(rules: RuleSet) -> Iterator[tuple[str, Category]]:
    return ((category_place(number, line.id), line) for number, line in enumerate(rules.lines, start=1))


def category_place(number: int, name: object) -> str:
    """Return the place of a category in the document, such as `category 8 (full-house)`."""
    named = isinstance(name, str) and len(name) <= 40 and is_id(name)
    return f"category {number} ({name})" if named else f"category {number}"


def _wrong_texts(rules: RuleSet) -> Iterator[Problem]:
    yield from _wrong_id("name", rules.name)
    yield from find_unprintable("title", rules.title)
    yield from find_unprintable("summary", rules.summary.replace("\n", ""))
    yield from find_unprintable("source", rules.source.replace("\n", ""))
    yield from _wrong_by_language("titles", rules.titles)
    yield from _wrong_by_language("summaries", rules.summaries)
    if rules.instant_win is not None:
        yield from find_unprintable("instant_win: name", rules.instant_win.name)
        yield from _wrong_by_language("instant_win: names", rules.instant_win.names)
    for name, _ in rules.throw_names:  # they follow the dice, so a number would be read as a die
        words = normalize(name).split()
        if not words or not all(word[:1].isalpha() for word in words) or unprintable(name):
            yield Problem(f"throw_names: {show_value(name)}", lazy("must be words that start with a letter"))


def _wrong_id(place: str, name: str) -> Iterator[Problem]:
    if not is_id(name):
        fault = lazy(
            "must be lowercase letters, digits and single hyphens, not {name}", name=show_value(name)
        )
        yield Problem(place, fault)


def find_unprintable(place: str, text: str) -> Iterator[Problem]:
    """Yield a problem if a text contains terminal control characters. Unassigned characters are allowed."""
    if letter := unprintable(text, unassigned=False):
        yield Problem(place, lazy("must not contain the character {code}", code=f"U+{ord(letter):04X}"))


def _wrong_by_language(place: str, texts: Names) -> Iterator[Problem]:
    codes = [code for code, _ in texts or ()]
    for code, text in texts or ():
        inside = f"{place}.{show_key(code)}"
        if not (code.isascii() and code.isalpha() and code.islower() and 2 <= len(code) <= 3):
            yield Problem(inside, lazy("must be a language code, such as es"))
        if codes.count(code) > 1:
            yield Problem(inside, lazy("must appear only once"))
        yield from find_unprintable(inside, text.replace("\n", ""))


def _wrong_category(place: str, line: Category, rules: RuleSet) -> Iterator[Problem]:
    yield from _wrong_id(f"{place}: id", line.id)
    short = (("short", line.short),) if line.short else ()
    for key, text in (("name", line.name), *short, *(("aliases", alias) for alias in line.aliases)):
        yield from find_unprintable(f"{place}: {key}", text)
    yield from _wrong_by_language(f"{place}: names", line.names)
    yield from _wrong_by_language(f"{place}: shorts", line.shorts)
    for pattern in line.asks:
        for key, message in pattern.find_faults(rules.dice, rules.faces):
            yield Problem(f"{place}: {key}", message)
    if line.number is not None and line.points is not None:
        fault = lazy("must be omitted: a number category scores the sum of its dice")
        yield Problem(f"{place}: points", fault)
    prices = line.by_throw or ()
    if prices and (line.first, line.points) != (prices[0], prices[-1]):
        yield Problem(f"{place}: points", lazy("must be a list, and first must be omitted"))
    if line.first is not None and (not line.points or line.first < line.points):
        fault = lazy("must be a fixed number, at least the points of later throws")
        yield Problem(f"{place}: first", fault)


def _clashes(rules: RuleSet) -> Iterator[Problem]:
    owners: dict[str, Category] = {}
    for place, line in _placed(rules):
        names = {normalize(name): name for name in line.answers_to}
        for compared, name in names.items():
            owner = owners.get(compared)
            if owner is not None and (line.is_own(name) or owner.is_own(name)):
                fault = lazy("{name} is already a name of {owner}", name=show_value(name), owner=owner.id)
                yield Problem(place, fault, place)
        owners = dict.fromkeys(names, line) | owners  # the first owner keeps a name


def _loose_ends(rules: RuleSet) -> Iterator[Problem]:
    if not 1 <= len(rules.lines) <= MOST_LINES:
        fault = lazy(
            "a sheet has 1 to {most} categories, not {number}", most=MOST_LINES, number=len(rules.lines)
        )
        yield Problem("category", fault)
    above: list[str | None] = [None]
    for place, line in _placed(rules):
        if line.after not in above:
            yield Problem(f"{place}: after", lazy("must be the id of a category above it"), place)
        if line.needs is not UNSET and line.after is None:
            yield Problem(f"{place}: needs", lazy("is valid only together with after"), place)
        elif line.needs_five_alike and not any(
            line.after == other.id and other.asks == (Alike(count=5),) for other in rules.lines
        ):
            yield Problem(
                f"{place}: needs", lazy("must be after a category with alike = {dice}", dice=5), place
            )
        if (line.points or 0) > MOST_POINTS:
            yield Problem(f"{place}: points", lazy("must be at most {most}", most=MOST_POINTS), place)
        above.append(line.id)
    if rules.poker_dice and rules.faces != _POKER_FACES:
        yield Problem("poker_dice", lazy("needs dice with {faces} faces", faces=_POKER_FACES))
    if rules.upper_bonus is not None and all(line.number is None for line in rules.lines):
        yield Problem("upper_bonus", lazy("needs a number category, such as number = 6"))
    if rules.joker:
        if rules.all_alike_box is None:
            yield Problem("joker", lazy("needs a category with alike = {dice}", dice=rules.dice))
        if any(line.after for line in rules.lines):
            yield Problem("joker", lazy("cannot be combined with a category that has after"))
    yield from _loose_goals(rules)
    if rules.most_turned and (rules.throws != TURNING_THROWS or rules.has_spares):
        yield Problem("turning", lazy("needs a game with two throws and without spares"))
    win, box = rules.instant_win, rules.all_alike_box
    if win is not None and win.box != (box.id if box else None):
        fault = lazy("must be the id of the category with alike = {dice}", dice=rules.dice)
        yield Problem("instant_win: box", fault)


def _loose_goals(rules: RuleSet) -> Iterator[Problem]:
    points = rules.game_points
    if not points:
        return
    ids = {line.id for line in rules.lines}
    named = [goal.box for goal in points.rows]
    for name in (*named, *([points.tie] if points.tie else ())):
        if name not in ids:
            yield Problem("game_points", lazy("there is no category {name}", name=show_value(name)))
    if len({*named}) < len(named):
        yield Problem("game_points: rows", lazy("contains a category twice"))
    if any(goal.threshold and goal.made for goal in points.rows):
        yield Problem("game_points: rows", lazy("must have from or made, not both"))
    leasts = [least for least, _ in points.totals]
    if leasts != sorted({*leasts}):
        yield Problem("game_points: totals", lazy("must be in ascending order"))


def show_key(key: str) -> str | Message:
    return key if is_id(key) else show_value(key)


def show_value(value: object) -> str | Message:
    """Return a value for an error message: short, and without control characters."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return lazy("a table")
    if isinstance(value, int) and abs(value) >= 10**60:
        return lazy("a number with more than {digits} digits", digits=60)
    if isinstance(value, list) and (not value or any(isinstance(part, (list, dict)) for part in value)):
        return lazy("a list")
    text = (
        ", ".join(str(show_value(part)) for part in value[:20]) if isinstance(value, list) else ascii(value)
    )
    return text if len(text) <= 60 else text[:57] + "..."
