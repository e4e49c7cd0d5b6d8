"""What a house may change of a rule set with `--set KEY=VALUE`, without writing a file.

Every option is a question (its present value, for `rules show`) and a change (a new rule set). Settings are
applied in the order in which the options are listed, never in that in which they were given: what adds to
prices or follows from them comes before those that are set, so that a price that was set always stands.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import combinations
from typing import get_args

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.errors import Mistyped, NotAllowed, NotFound
from generala_cli.messages import Message, alone, tell
from generala_cli.rules.patterns import PatternOption
from generala_cli.rules.ruleset import (
    MOST_POINTS,
    MOST_THROWS,
    Category,
    FillOrder,
    InstantWinMode,
    RuleSet,
    UpperBonus,
)
from generala_cli.text import choose, find

Change = Callable[[RuleSet, str], RuleSet]
Setting = tuple[str, str]


class Option(Struct, frozen=True, kw_only=True):
    """One thing that a house may decide: as a pattern's `Question`, of the whole rule set.

    `change` is the rule set with another value, in the notation of `value`; raises Mistyped or NotAllowed.
    """

    key: str
    value: str
    choices: Message
    change: Change
    names: tuple[str, ...] = ()


def with_settings(rules: RuleSet, settings: Sequence[Setting]) -> RuleSet:
    """The rule set with all of the settings, which mean the same in whatever order they are given.

    Raises NotFound or Ambiguous where there is no such option, Mistyped where a value cannot be read or
    contradicts another one, and NotAllowed where it makes no sense in this rule set.
    """
    if not settings:
        return rules
    chosen = _chosen(rules, settings)
    changed = _applied(rules, chosen)
    if max(max(line.points or 0, line.first or 0) for line in changed.lines) > MOST_POINTS:
        subject = ", ".join(f"{option.key}={value}" for option, value in chosen)
        raise NotAllowed(
            "{subject} makes a box worth more than {most} points",
            "type less",
            subject=subject,
            most=MOST_POINTS,
        )
    said = dict.fromkeys((option.key, value) for option, value in chosen)
    return replace(changed, settings=(*rules.settings, *said))


def options_of(rules: RuleSet) -> tuple[Option, ...]:
    """Every option that the rule set takes, with its present value, in the order they are applied."""
    return (*_game_options(rules), *_pattern_options(rules), *_box_options(rules))


def _chosen(rules: RuleSet, settings: Sequence[Setting]) -> list[tuple[Option, str]]:
    """The options meant, in the order given; some are there only because of others (upper-bonus-from)."""
    options, found = options_of(rules), []
    for setting in settings:
        with suppress(NotFound):
            found.append(_meant(options, setting))
    if len(found) < len(settings):
        options += options_of(_applied(rules, found))
    return [_meant(options, setting) for setting in settings]


def _meant(options: Sequence[Option], setting: Setting) -> tuple[Option, str]:
    key, value = setting
    found = find(key, {option.key: (option.key, *option.names) for option in options}, "option")
    return next(option for option in options if option.key == found), value.strip()


def _applied(rules: RuleSet, chosen: Sequence[tuple[Option, str]]) -> RuleSet:
    """The rule set with all of them; two of one key stand together where neither undoes the other."""
    for (option, one), (also, other) in combinations(chosen, 2):
        change = option.change
        if option.key == also.key and change(change(rules, one), other) != change(change(rules, other), one):
            raise Mistyped(
                "{key}={one} and {key}={other} cannot both hold",
                "leave one out",
                key=option.key,
                one=one,
                other=other,
            )
    places = {option.key: place for place, option in enumerate(options_of(rules))}
    changed = rules
    for option, value in sorted(chosen, key=lambda meant: places.get(meant[0].key, len(places))):
        changed = option.change(changed, value)
    return changed


def _game_options(rules: RuleSet) -> Iterator[Option]:
    yield Option(
        key="throws",
        value=str(rules.throws),
        choices=tell("1 to {most}", most=MOST_THROWS),
        change=lambda old, value: replace(old, throws=_number("throws", value, MOST_THROWS)),
    )
    orders = get_args(FillOrder)
    yield Option(
        key="fill-order",
        value=rules.fill_order,
        choices=_words(orders),
        change=lambda old, value: replace(old, fill_order=choose(value, orders, "fill order")),
    )
    if rules.instant_win is not None:
        points = rules.instant_win_points
        yield Option(
            key="instant-win",
            value=rules.instant_win.when,
            choices=_words(get_args(InstantWinMode)),
            change=_set_instant_win,
        )
        yield Option(
            key="instant-win-points",
            value="difference" if points is None else str(points),
            choices=tell("difference, or the points that each loser owes"),
            change=_set_instant_win_points,
        )
    bonuses = {line.first - line.points for line in rules.lines if line.first and line.points}
    if bonuses:
        yield Option(
            key="bonus",
            value=", ".join(map(str, sorted(bonuses))),
            choices=tell("points more on the first throw"),
            change=_set_bonus,
        )
    if rules.numbers:
        yield from _upper_bonus_options(rules)
    if any(line.points for line in rules.lines):
        spares = "yes" if rules.has_spares else "no"
        yield Option(key="spares", value=spares, choices=tell("yes, no"), change=_set_spares)


def _upper_bonus_options(rules: RuleSet) -> Iterator[Option]:
    bonus = rules.upper_bonus
    yield Option(
        key="upper-bonus",
        value="no" if bonus is None else str(bonus.points),
        choices=tell("no, or points for the number boxes together"),
        change=_set_upper_bonus,
    )
    if bonus is not None:
        yield Option(
            key="upper-bonus-from",
            value=str(bonus.threshold),
            choices=tell("1 to {most}: the points that they must hold", most=rules.most_in_numbers),
            change=_set_upper_bonus_from,
        )


def _set_instant_win(rules: RuleSet, value: str) -> RuleSet:
    when = choose(value, get_args(InstantWinMode), "instant win")
    win = rules.instant_win
    return rules if win is None else replace(rules, instant_win=replace(win, when=when))


def _set_instant_win_points(rules: RuleSet, value: str) -> RuleSet:
    points = None if value == "difference" else _number("instant-win-points", value, MOST_POINTS, low=0)
    return replace(rules, instant_win_points=points)


def _set_bonus(rules: RuleSet, value: str) -> RuleSet:
    """What a served hand gains, in every category that has a first-throw price."""
    bonus = _number("bonus", value, MOST_POINTS, low=0)
    served = [line for line in rules.lines if line.first is not None and line.points]
    return _with_lines(rules, *(replace(line, first=(line.points or 0) + bonus) for line in served))


def _set_upper_bonus(rules: RuleSet, value: str) -> RuleSet:
    """Where there was no such bonus, from more than half of the dice in every number: 63 with five dice."""
    no = value.lower() in {"no", "none", "off"}
    points = 0 if no else _number("upper-bonus", value, MOST_POINTS, low=0)
    if not points:
        return replace(rules, upper_bonus=None)
    good_half = (rules.dice // 2 + 1) * rules.most_in_numbers // rules.dice
    threshold = good_half if rules.upper_bonus is None else rules.upper_bonus.threshold
    return replace(rules, upper_bonus=UpperBonus(threshold=threshold, points=points))


def _set_upper_bonus_from(rules: RuleSet, value: str) -> RuleSet:
    threshold = _number("upper-bonus-from", value, rules.most_in_numbers)
    if rules.upper_bonus is None:
        raise NotAllowed(
            "upper-bonus-from={value} needs an upper bonus", "leave out upper-bonus=no", value=value
        )
    return replace(rules, upper_bonus=replace(rules.upper_bonus, threshold=threshold))


def _set_spares(rules: RuleSet, value: str) -> RuleSet:
    """Whatever has a fixed price saves spares: straights, full house, golden fifty (rules.md)."""
    saves = _yes("spares", value)
    fixed = {line.id for line in rules.lines if line.points is not None and line.after is None}
    return _with_lines(
        rules, *(replace(line, saves_spares=saves and line.id in fixed) for line in rules.lines)
    )


def _pattern_options(rules: RuleSet) -> Iterator[Option]:
    """What the patterns ask, where it is clear which is meant: one of them in all the game or in its box."""
    asked = [
        (line, place, question)
        for line in rules.lines
        for place, pattern in enumerate(line.asks)
        for question in pattern.options(rules.dice, rules.faces)
    ]
    keys = [question.key for _, _, question in asked]
    for line, place, question in asked:
        of_box = question.key.endswith("-")
        if len(line.asks) == 1 if of_box else keys.count(question.key) == 1:
            about = line.id if of_box else ""
            yield Option(
                key=question.key + about,
                names=tuple(name + about for name in question.names),
                value=question.value,
                choices=question.choices,
                change=partial(_set_pattern, line.id, place, question.key + about, question),
            )


def _set_pattern(
    wanted: str, place: int, key: str, question: PatternOption, rules: RuleSet, value: str
) -> RuleSet:
    line = _line(rules, wanted)
    read = _yes(key, value) if question.read is None else question.read(value)
    asks = [*line.asks]
    asks[place] = replace(asks[place], **{question.field: read})
    return _with_lines(rules, replace(line, asks=tuple(asks)))


def _box_options(rules: RuleSet) -> Iterator[Option]:
    """The prices of boxes, and those that a house may bring into play or leave out; doubles come last."""
    for line in rules.lines:
        may_be_out = line.after is not None or not line.in_play
        if may_be_out or line.points is not None:
            yield Option(
                key=line.id,
                names=line.answers_to,
                value=_price(line) if line.in_play else "no",
                choices=tell("no, yes, points, or points/first-throw points")
                if may_be_out
                else tell("points, or points/first-throw points"),
                change=partial(_set_box, line.id, may_be_out),
            )


def _words(words: Sequence[str]) -> Message:
    """Fixed words, which stay as they are to be typed."""
    return alone(", ".join(words))


def _price(line: Category) -> str:
    if line.points is None:
        return "yes"
    return str(line.points) if line.first is None else f"{line.points}/{line.first}"


def _set_box(wanted: str, may_be_out: bool, rules: RuleSet, value: str) -> RuleSet:
    """`60` keeps the first-throw bonus as it was, `60/70` sets it; a double that was twice stays twice."""
    line = _line(rules, wanted)
    is_price = value[:1].isdecimal() and value not in {"0", "1"}
    if may_be_out and (line.number is not None or not is_price):
        return _with_lines(rules, replace(line, in_play=_yes(wanted, value)))
    priced = replace(_priced(line, value), in_play=True)
    twice = 2 * (line.points or 0)
    doubles = [double for double in rules.lines if double.after == wanted and double.points == twice]
    return _with_lines(rules, priced, *(_at(double, 2 * (priced.points or 0)) for double in doubles))


def _priced(line: Category, value: str) -> Category:
    later, slash, served = value.partition("/")
    changed = _at(line, _number(line.id, later, MOST_POINTS))
    if not slash:
        return changed
    first = _number(line.id, served, MOST_POINTS)
    if changed.points is not None and first < changed.points:
        raise Mistyped(
            "{key}={value} pays less on the first throw",
            "type later/first, as 20/25",
            key=line.id,
            value=value,
        )
    return replace(changed, first=first)


def _at(line: Category, points: int) -> Category:
    """The category at another price, with the bonus for a served hand as it was."""
    bonus = None if line.first is None or line.points is None else line.first - line.points
    return replace(line, points=points, first=None if bonus is None else points + bonus)


def _line(rules: RuleSet, wanted: str) -> Category:
    return next(line for line in rules.lines if line.id == wanted)


def _with_lines(rules: RuleSet, *changed: Category) -> RuleSet:
    by_id = {line.id: line for line in changed}
    return replace(rules, lines=tuple(by_id.get(line.id, line) for line in rules.lines))


def _number(key: str, value: str, high: int, low: int = 1) -> int:
    text = value.strip()
    if text.isascii() and text.isdecimal() and len(text) < 9 and low <= int(text) <= high:
        return int(text)
    raise Mistyped(
        "{key}={value} is not a whole number from {low} to {high}",
        "type {key}=N",
        key=key,
        value=value,
        low=low,
        high=high,
    )


def _yes(key: str, value: str) -> bool:
    word = value.lower()
    if word in {"yes", "true", "on", "si", "sí", "1"}:
        return True
    if word in {"no", "false", "off", "0"}:
        return False
    raise Mistyped("{key}={value} is neither yes nor no", "type {key}=yes or {key}=no", key=key, value=value)
