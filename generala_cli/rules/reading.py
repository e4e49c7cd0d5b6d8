"""A rule set from a document and back. One code for built-in files, a house's own, and game files."""

from collections.abc import Mapping
from typing import cast

from generala_cli.facts import replace
from generala_cli.rules.document import Fields, Problem, shown
from generala_cli.rules.names import plain, unprintable
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
from generala_cli.rules.ruleset import (
    Category,
    FillOrder,
    InstantWin,
    InstantWinMode,
    RuleSet,
    UpperBonus,
)

FORMAT = 1
MOST_DICE, MOST_FACES, MOST_THROWS, MOST_POINTS, MOST_LINES = 8, 9, 9, 100_000, 40
_TWICE = 0
"""Stands for points that are not known until the box a category comes after has been read."""


def read_ruleset(document: object) -> tuple[RuleSet, list[Problem]]:
    """Read a rule set, with every error of form in it. With errors the rule set must not be used.

    `checking` finds the errors of sense: names that clash, a category that no hand makes.
    """
    problems: list[Problem] = []
    fields = Fields(document, "", problems)
    fields.whole("format", FORMAT, FORMAT)
    rules = RuleSet(
        name=_name(fields, "name"),
        title=fields.text("title", longest=100),
        summary=fields.text("summary", "", lines=True),
        source=fields.text("source", lines=True),
        dice=fields.whole("dice", 1, MOST_DICE, stand_in=5),
        faces=fields.whole("faces", 2, MOST_FACES, stand_in=6),
        throws=fields.whole("throws", 1, MOST_THROWS),
        fill_order=cast("FillOrder", fields.choice("fill_order", ["any", "top-to-bottom"], "any")),
        opening_throws=fields.flag("opening_throws", False),
        instant_win=_instant_win(fields.table("instant_win")) if "instant_win" in fields else None,
        instant_win_points=_optional(fields, "instant_win_points"),
        upper_bonus=_upper_bonus(fields.table("upper_bonus")) if "upper_bonus" in fields else None,
        throw_names=_throw_names(fields),
        settings=_settings(fields),
        lines=(),
    )
    lines = tuple(_category(table, rules) for table in fields.tables("category"))
    if not 1 <= len(lines) <= MOST_LINES and "category" in fields:
        fields.wrong("category", f"a sheet has 1 to {MOST_LINES} categories, not {len(lines)}")
    fields.end()
    return replace(rules, lines=_doubled(lines)), problems


def _category(fields: Fields, rules: RuleSet) -> Category:
    name = _name(fields, "id")
    fields.place = f"{fields.place} ({name})"
    asks = _asks(fields, rules)
    category = Category(
        id=name,
        name=fields.text("name", longest=40),
        aliases=fields.texts("aliases", ()),
        asks=asks,
        points=_points(fields, asks),
        first=_optional(fields, "first"),
        after=fields.text("after") if "after" in fields else None,
        saves_spares=fields.flag("saves_spares", False),
        in_play=fields.flag("in_play", True),
    )
    if category.first is not None and (not category.points or category.first < category.points):
        fields.wrong("first", "must be a fixed price, and at least the points of later throws")
    fields.end()
    return category


def _points(fields: Fields, asks: tuple[Pattern, ...]) -> int | None:
    """None where the dice are summed; TWICE for a category that pays twice another's points."""
    if any(isinstance(pattern, Number) for pattern in asks):
        if "points" in fields:
            fields.wrong("points", "must be left out: a number category scores the sum of its dice")
            fields.anything("points")
        return None
    if fields.anything("points") == "sum":
        return None
    if "points" not in fields and "after" in fields:
        return _TWICE
    if "points" not in fields or not isinstance(fields.anything("points"), int):
        value = f", not {shown(fields.anything('points'))}" if "points" in fields else ""
        fields.wrong("points", f'must be a number of points or "sum" (of all dice){value}')
        return 1
    return fields.whole("points", 1, MOST_POINTS)


def _asks(fields: Fields, rules: RuleSet) -> tuple[Pattern, ...]:
    """Every pattern that the category's keys name."""
    asks: list[Pattern] = []
    if "number" in fields:
        asks.append(Number(face=fields.whole("number", 1, rules.faces)))
    if "alike" in fields:
        asks.append(
            Alike(count=fields.whole("alike", 1, rules.dice), all_alike=fields.flag("all_alike", True))
        )
    if "groups" in fields:
        sizes = fields.wholes("groups", 1, rules.dice)
        if sum(sizes) != rules.dice:
            fields.wrong("groups", f"must add up to {rules.dice}, the number of dice")
        asks.append(Groups(sizes=sizes, all_alike=fields.flag("all_alike", False)))
    if "straight" in fields:
        asks.append(_straight(fields, rules))
    if "total" in fields:
        asks.append(Total(total=fields.whole("total", rules.dice, rules.dice * rules.faces)))
    if "any" in fields:
        if not fields.flag("any"):
            fields.wrong("any", "must be true, or left out")
        asks.append(AnyDice())
    if not asks:
        fields.wrong("", "must ask something of a hand: number, alike, groups, straight, total or any")
    return tuple(asks)


def _straight(fields: Fields, rules: RuleSet) -> Straight:
    runs = straight_runs(fields.anything("straight"), rules)
    if runs is None:
        runs_wanted = f"a list of runs of {rules.dice} faces from 1 to {rules.faces}, or all of fewer"
        wanted = f'"{ROUND}", "{DIFFERENT}" or {runs_wanted}'
        fields.wrong("straight", f"must be {wanted}, not {_shown_runs(fields.anything('straight'))}")
    elif isinstance(runs, tuple) and len(runs) != len(set(runs)):
        fields.wrong("straight", "names a run twice")
    aces = fields.wholes("aces", 1, rules.faces, ())
    if not allowed_aces(aces, rules):
        fields.wrong("aces", f"may stand for 2 and {rules.faces} only")
    return Straight(runs=runs or ROUND, aces_stand_for=aces)


def straight_runs(value: object, rules: RuleSet) -> tuple[str, ...] | str | None:
    """The accepted runs that a document or a setting names; None where they make no sense.

    Listed runs are all of one length: of every die, or fewer, but no single one.
    """
    if isinstance(value, str) and value in (ROUND, DIFFERENT):
        return value if rules.dice <= rules.faces else None
    if not isinstance(value, list) or not value:
        return None
    runs = tuple(run for run in value if isinstance(run, str) and _is_run(run, rules))
    return runs if len(runs) == len(value) and len(set(map(len, runs))) == 1 else None


def allowed_aces(aces: tuple[int, ...], rules: RuleSet) -> bool:
    """Whether aces may stand for these: a two, the highest face, or both; never for one in between."""
    return set(aces) <= {2, rules.faces} and len(aces) == len(set(aces))


def _is_run(run: str, rules: RuleSet) -> bool:
    faces = "123456789"[: rules.faces]
    return min(2, rules.dice) <= len(run) <= rules.dice and all(face in faces for face in run)


def _shown_runs(value: object) -> str:
    return ", ".join(shown(run) for run in value) if isinstance(value, list) and value else shown(value)


def _doubled(lines: tuple[Category, ...]) -> tuple[Category, ...]:
    """Categories that state no points of their own pay twice those of the box they come after."""
    prices = {line.id: line.points for line in lines}
    return tuple(
        replace(line, points=2 * (prices.get(line.after or "") or 0) or None)
        if line.points == _TWICE
        else line
        for line in lines
    )


def _instant_win(fields: Fields) -> InstantWin:
    win = InstantWin(
        name=fields.text("name", longest=40),
        box=fields.text("box"),
        when=cast("InstantWinMode", fields.choice("when", ["never", "while-open", "always"])),
    )
    fields.end()
    return win


def _upper_bonus(fields: Fields) -> UpperBonus:
    bonus = UpperBonus(
        threshold=fields.whole("from", 1, MOST_POINTS), points=fields.whole("points", 1, MOST_POINTS)
    )
    fields.end()
    return bonus


def _throw_names(fields: Fields) -> tuple[tuple[str, int], ...]:
    """Words for throws. They stand after the dice, so a number would be taken for a die."""
    if "throw_names" not in fields:
        return ()
    names = fields.table("throw_names")
    for name in _keys(fields.anything("throw_names")):
        if len(plain(name).split()) != 1 or not name[:1].isalpha() or unprintable(name):
            names.wrong(shown(name), "must be one word that begins with a letter")
    return tuple((name, names.whole(name, 1, MOST_THROWS)) for name in _keys(fields.anything("throw_names")))


def _settings(fields: Fields) -> tuple[tuple[str, str], ...]:
    """Only in game files: what `--set` changed."""
    if "settings" not in fields:
        return ()
    value = fields.anything("settings")
    if isinstance(value, list) and all(_is_setting(pair) for pair in value):
        return tuple((key, text) for key, text in value)
    fields.wrong("settings", "must be a list of pairs of texts")
    return ()


def _is_setting(pair: object) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and all(isinstance(part, str) for part in pair)


def _keys(value: object) -> list[str]:
    return list(value) if isinstance(value, Mapping) else []


def _optional(fields: Fields, key: str) -> int | None:
    return fields.whole(key, 1, MOST_POINTS) if key in fields else None


def _name(fields: Fields, key: str) -> str:
    name = fields.text(key, longest=40)
    if name != "?" and not is_id(name):
        fields.wrong(key, f"must be lower-case letters, digits and single hyphens, not {shown(name)}")
    return name


def is_id(name: str) -> bool:
    """Whether it is lower-case letters and digits, with single hyphens between."""
    # Not a pattern: to make one takes longer than to look at all the names of a game's rules.
    parts = name.split("-")
    return name.isascii() and name == name.lower() and all(map(str.isalnum, parts))
