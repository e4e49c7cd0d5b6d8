"""What a house may change of a rule set with `--set KEY=VALUE`, without writing a file.

Every option is a question (its present value, for `rules show`) and a change (a new rule set).
"""

from collections.abc import Iterator, Sequence

from generala_cli.errors import NotAllowed
from generala_cli.facts import Fact, replace
from generala_cli.rules import changes
from generala_cli.rules.names import find, listed
from generala_cli.rules.patterns import Alike, Groups, Pattern, Straight
from generala_cli.rules.reading import MOST_POINTS, MOST_THROWS
from generala_cli.rules.ruleset import Category, RuleSet


class Option(Fact):
    """One thing that a house may decide.

    Attributes:
        key: as typed.
        value: how it stands in the rule set at hand, in the notation that `change` reads.
        choices: what may be typed, for people.
        change: the rule set with another value; raises Mistyped or NotAllowed.
        names: what else the key may be called.
    """

    key: str
    value: str
    choices: str
    change: changes.Change
    names: tuple[str, ...] = ()


def with_settings(rules: RuleSet, settings: Sequence[tuple[str, str]]) -> RuleSet:
    """The rule set with every setting applied in turn.

    Raises:
        NotFound, Ambiguous: there is no such option in this rule set.
        Mistyped: a value cannot be read.
        NotAllowed: a value makes no sense in this rule set.
    """
    for key, value in settings:
        options = {option.key: option for option in options_of(rules)}
        found = find(key, {name: (name, *option.names) for name, option in options.items()}, "option")
        rules = options[found].change(rules, value.strip())
        _check_prices(rules, f"{found}={value.strip()}")
        rules = replace(rules, settings=(*rules.settings, (found, value.strip())))
    return rules


def _check_prices(rules: RuleSet, setting: str) -> None:
    """A price that follows from another (a bonus, a double) has the same limit as one that is typed."""
    if max(max(line.points or 0, line.first or 0) for line in rules.lines) > MOST_POINTS:
        raise NotAllowed(f"{setting} makes a box worth more than {MOST_POINTS} points", "type less")


def options_of(rules: RuleSet) -> tuple[Option, ...]:
    """Every option that the rule set takes, with its present value."""
    return (*_game_options(rules), *_pattern_options(rules), *_box_options(rules))


def _game_options(rules: RuleSet) -> Iterator[Option]:
    yield Option(
        key="throws", value=str(rules.throws), choices=f"1 to {MOST_THROWS}", change=changes.set_throws
    )
    yield Option(
        key="fill-order", value=rules.fill_order, choices="any, top-to-bottom", change=changes.set_fill_order
    )
    if rules.instant_win is not None:
        when = rules.instant_win.when
        yield Option(
            key="instant-win", value=when, choices="never, while-open, always", change=changes.set_instant_win
        )
        points = rules.instant_win_points
        yield Option(
            key="instant-win-points",
            value="difference" if points is None else str(points),
            choices="difference, or the points that each loser owes",
            change=changes.set_instant_win_points,
        )
    bonuses = {line.first - line.points for line in rules.lines if line.first and line.points}
    if bonuses:
        yield Option(
            key="bonus",
            value=listed([str(bonus) for bonus in sorted(bonuses)], "and"),
            choices="points more on the first throw",
            change=changes.set_bonus,
        )
    yield from _upper_bonus_options(rules)
    if any(line.points for line in rules.lines):
        spares = "yes" if rules.has_spares else "no"
        yield Option(key="spares", value=spares, choices="yes, no", change=changes.set_spares)


def _upper_bonus_options(rules: RuleSet) -> Iterator[Option]:
    bonus = rules.upper_bonus
    if not rules.numbers:
        return
    yield Option(
        key="upper-bonus",
        value="no" if bonus is None else str(bonus.points),
        choices="no, or points for the number boxes together",
        change=changes.set_upper_bonus,
    )
    if bonus is not None:
        yield Option(
            key="upper-bonus-from",
            value=str(bonus.threshold),
            choices=f"1 to {rules.most_in_numbers}: the points that they must hold",
            change=changes.set_upper_bonus_from,
        )


def _pattern_options(rules: RuleSet) -> Iterator[Option]:
    straights = [pattern for pattern in _patterns(rules) if isinstance(pattern, Straight)]
    if len(straights) == 1:
        (straight,) = straights
        runs = straight.runs if isinstance(straight.runs, str) else ",".join(straight.runs)
        yield Option(
            key="straights",
            value=runs,
            choices="two-runs, ace-after-six, round, different, or runs as 12345,23456",
            change=changes.set_straights,
        )
        aces = ",".join(map(str, straight.aces_stand_for)) or "none"
        yield Option(
            key="aces",
            value=aces,
            choices=f"none, 2, {rules.faces} or 2,{rules.faces}",
            change=changes.set_aces,
        )
    for line in rules.lines:
        counts = _counts_all_alike(line, rules)
        if counts is not None:
            yield Option(
                key=f"all-alike-as-{line.id}",
                names=(f"five-alike-as-{line.id}",),
                value="yes" if counts else "no",
                choices="yes, no",
                change=changes.all_alike_setter(line),
            )


def _box_options(rules: RuleSet) -> Iterator[Option]:
    for line in rules.lines:
        if line.after is not None or not line.in_play:
            value = _price(line) if line.in_play else "no"
            yield Option(
                key=line.id,
                names=line.names,
                value=value,
                choices="no, yes, points, or points/first-throw points",
                change=changes.box_setter(line),
            )
        elif line.points is not None:
            choices = "points, or points/first-throw points"
            yield Option(
                key=line.id,
                names=line.names,
                value=_price(line),
                choices=choices,
                change=changes.price_setter(line),
            )


def _price(line: Category) -> str:
    if line.points is None:
        return "yes"
    return str(line.points) if line.first is None else f"{line.points}/{line.first}"


def _patterns(rules: RuleSet) -> Iterator[Pattern]:
    return (pattern for line in rules.lines for pattern in line.asks)


def _counts_all_alike(line: Category, rules: RuleSet) -> bool | None:
    """Whether a hand of one face only makes the category too; None where that is no question."""
    match line.asks:
        case (Alike(count=count, all_alike=all_alike),) if count < rules.dice:
            return all_alike
        case (Groups(sizes=sizes, all_alike=all_alike),) if len(sizes) > 1:
            return all_alike
        case _:
            return None
