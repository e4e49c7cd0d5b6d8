"""Options: the parts of a rule set that `--set KEY=VALUE` may change without a rule file.

Settings apply in the order of the list of options, not in the order typed: options that change all prices
come before the prices of single boxes, so an explicit price always wins.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import combinations
from typing import get_args

from msgspec import UNSET, Struct
from msgspec.structs import replace

from generala_cli.errors import NotAllowed, NotFound, UsageError
from generala_cli.messages import LANGUAGES, NO, YES, FirstWord, Message, lazy, value_message
from generala_cli.remedies import Remedy
from generala_cli.rules.option_words import KEY_WORDS, VALUE_WORDS, key_shown
from generala_cli.rules.patterns import Alike, PatternOption
from generala_cli.rules.ruleset import (
    MOST_POINTS,
    MOST_THROWS,
    TURNING_THROWS,
    Category,
    FillOrder,
    InstantWinMode,
    Joker,
    JokerRule,
    Need,
    RuleSet,
    Turning,
    UpperBonus,
    sum_and_more,
)
from generala_cli.text import choose, find, find_word, normalize

Change = Callable[[RuleSet, str], RuleSet]
Setting = tuple[str, str]


class Option(Struct, frozen=True, kw_only=True):
    """A part of the rules that a house may decide."""

    key: str
    value: str  # the present value as typed
    choices: Message  # a description of the valid values
    change: Change  # raises UsageError or NotAllowed
    names: tuple[str, ...] = ()
    words: tuple[str, ...] = ()  # all valid values, if they are a few fixed words
    also: tuple[str, ...] = ()  # valid words among other values
    shown: object = ""  # the key as a message value, which shows the word to type
    is_switch: bool = False  # yes or no


def with_settings(rules: RuleSet, settings: Sequence[Setting]) -> RuleSet:
    """Return the rule set with these settings. Their order does not matter.

    NotFound or Ambiguous if no option or several have that name, UsageError for an invalid or contradictory
    value, NotAllowed if the value is impossible in this rule set.
    """
    if not settings:
        return rules
    chosen = _find_options(rules, settings)
    changed = _apply(rules, chosen)
    if max(max(line.points or 0, line.first or 0) for line in changed.lines) > MOST_POINTS:
        subject = ", ".join(f"{option.key}={value}" for option, value in chosen)
        raise NotAllowed(
            "{subject} makes a box worth more than {most} points",
            "type a smaller number",
            subject=subject,
            most=MOST_POINTS,
        )
    once = dict.fromkeys((option.key, value) for option, value in chosen)
    before = (setting for setting in rules.settings if setting[0] not in {key for key, _ in once})
    return replace(changed, settings=(*before, *once))


def settings_in_force(rules: RuleSet) -> tuple[Setting, ...]:
    """Return the changed options, sorted, spelled by `options_of`: `spares=1` is `spares=yes`."""
    values = {option.key: option.value for option in options_of(rules)} if rules.settings else {}
    return tuple(sorted((key, values.get(key, typed)) for key, typed in dict(rules.settings).items()))


def options_of(rules: RuleSet) -> tuple[Option, ...]:
    """Return every option of the rule set, in the order of application."""
    options = (*_game_options(rules), *_pattern_options(rules), *_box_options(rules))
    return tuple(replace(option, shown=key_shown(rules, option.key)) for option in options)


def _find_options(rules: RuleSet, settings: Sequence[Setting]) -> list[tuple[Option, str]]:
    """Return the option for each setting. Some exist only after another setting (upper-bonus-from)."""
    options, found = options_of(rules), []
    for setting in settings:
        with suppress(NotFound):
            found.append(_find_option(options, setting))
    if len(found) < len(settings):
        options += options_of(_apply(rules, found))
    return [_find_option(options, setting) for setting in settings]


def _find_option(options: Sequence[Option], setting: Setting) -> tuple[Option, str]:
    key, value = setting
    known = {option.key: KEY_WORDS[option.key] for option in options if option.key in KEY_WORDS}
    names = {option.key: (option.key, *option.names) for option in options}
    found = key if key in names else find_word(key, known) or _find_shown(options, key)
    if found is None:
        found = find(key, names, "option", typed={option.key: option.shown for option in options})
    option = next(option for option in options if option.key == found)
    words = {word: VALUE_WORDS[word] for word in (*option.words, *option.also)}
    return option, find_word(value.strip(), words) or value.strip()


def _find_shown(options: Sequence[Option], key: str) -> str | None:
    """Return the option that a language shows with this key, such as `extra-trío`."""
    wanted = normalize(key)
    for language in LANGUAGES.understood():
        for option in options:
            if normalize(language.text_of(option.shown)) == wanted:
                return option.key
    return None


def _apply(rules: RuleSet, chosen: Sequence[tuple[Option, str]]) -> RuleSet:
    """Apply all settings. Two with the same key are valid if their order does not matter."""
    for (option, one), (another, other) in combinations(chosen, 2):
        change = option.change
        if option.key != another.key:
            continue
        if change(change(rules, one), other) != change(change(rules, other), one):
            raise UsageError(
                "{key}={one} and {key}={other} conflict",
                "remove one",
                key=option.shown,
                one=one,
                other=other,
            )
    order = {option.key: index for index, option in enumerate(options_of(rules))}
    changed = rules
    for option, value in sorted(chosen, key=lambda pair: order.get(pair[0].key, len(order))):
        changed = option.change(changed, value)
    return changed


def _with_throws(rules: RuleSet, value: str) -> RuleSet:
    """Return the rules with this many throws. Names of later throws, such as `gut`, move with them."""
    throws = _read_number("throws", value, MOST_THROWS)
    moved = (
        (name, at if at <= rules.throws else at + throws - rules.throws) for name, at in rules.throw_names
    )
    names = tuple((name, at) for name, at in moved if at <= MOST_THROWS)
    return replace(rules, throws=throws, throw_names=names)


def _set_turning(rules: RuleSet, value: str) -> RuleSet:
    """Set how many dice are turned. Without turning, a turn has three throws (*tripleta*)."""
    modes = get_args(Turning)
    wanted = choose(value, modes, "turning", _words(modes))
    turning: Turning = next(mode for mode in modes if mode == wanted)
    if turning == rules.turning:
        return rules
    if turning == "none":
        return _with_throws(replace(rules, turning=turning), str(TURNING_THROWS + 1))
    return replace(_with_throws(rules, str(TURNING_THROWS)), turning=turning)


def _game_options(rules: RuleSet) -> Iterator[Option]:
    if rules.turning:
        yield Option(
            key="turning",
            value=rules.turning,
            choices=value_message(", ".join(get_args(Turning))),
            words=get_args(Turning),
            change=_set_turning,
        )
    if not rules.most_turned:
        yield Option(
            key="throws",
            value=str(rules.throws),
            choices=lazy("1 to {most}", most=MOST_THROWS),
            change=_with_throws,
        )
    orders = get_args(FillOrder)
    yield Option(
        key="fill-order",
        value=rules.fill_order,
        choices=value_message(", ".join(orders)),
        words=orders,
        change=_set_fill_order,
    )
    if rules.instant_win is not None:
        points = rules.instant_win_points
        yield Option(
            key="instant-win",
            value=rules.instant_win.when,
            choices=value_message(", ".join(get_args(InstantWinMode))),
            words=get_args(InstantWinMode),
            change=_set_instant_win,
        )
        yield Option(
            key="instant-win-points",
            value="difference" if points is None else str(points),
            choices=lazy("difference, or the points that each loser owes"),
            change=_set_instant_win_points,
        )
    if bonuses := _bonuses(rules):
        yield Option(
            key="bonus",
            value=bonuses,
            choices=lazy("extra points on the first throw"),
            change=_set_bonus,
        )
    if rules.numbers:
        upper_bonus = rules.upper_bonus
        yield Option(
            key="upper-bonus",
            value="no" if upper_bonus is None else str(upper_bonus.points),
            choices=lazy("no, or the points of the bonus"),
            change=_set_upper_bonus,
        )
        if upper_bonus is not None:
            yield Option(
                key="upper-bonus-from",
                value=str(upper_bonus.threshold),
                choices=lazy("1 to {most}: the sum that the number boxes need", most=rules.most_in_numbers),
                change=_set_upper_bonus_from,
            )
    if (box := rules.all_alike_box) is not None and not any(line.after for line in rules.lines):
        yield Option(
            key="joker",
            value=rules.joker_rule,
            choices=value_message(", ".join(get_args(JokerRule))),
            words=get_args(JokerRule),
            change=_set_joker,
        )
        yield Option(
            key=f"extra-{box.id}",
            names=("extra", "extra-bonus", *(f"extra-{name}" for name in box.answers_to)),
            value=str(rules.extra_bonus or "no"),
            choices=lazy("no, or points for each further one, after its box holds points"),
            change=partial(_set_extra_bonus, f"extra-{box.id}"),
        )
    if any(line.points for line in rules.lines) and not rules.most_turned:
        yield Option(
            key="spares",
            value=_yes_or_no(rules.has_spares),
            choices=lazy("yes, no"),
            change=_set_spares,
            words=("yes", "no"),
            is_switch=True,
        )


def _set_fill_order(rules: RuleSet, value: str) -> RuleSet:
    orders = get_args(FillOrder)
    return replace(rules, fill_order=choose(value, orders, "fill order", _words(orders)))


def _set_instant_win(rules: RuleSet, value: str) -> RuleSet:
    modes = get_args(InstantWinMode)
    when = choose(value, modes, "instant win", _words(modes))
    win = rules.instant_win
    return rules if win is None else replace(rules, instant_win=replace(win, when=when))


def _set_instant_win_points(rules: RuleSet, value: str) -> RuleSet:
    is_usual = find_word(value, {True: VALUE_WORDS["difference"]})
    points = None if is_usual else _read_number("instant-win-points", value, MOST_POINTS, low=0)
    return replace(rules, instant_win_points=points)


def _bonuses(rules: RuleSet) -> str:
    bonuses = {line.first - line.points for line in _served(rules) if line.first and line.points}
    return ", ".join(map(str, sorted(bonuses)))


def _set_bonus(rules: RuleSet, value: str) -> RuleSet:
    if value.replace(" ", "") == _bonuses(rules).replace(" ", ""):  # perhaps several: `5, 30`
        return rules
    bonus = _read_number("bonus", value, MOST_POINTS, low=0)
    return _with_lines(rules, *(replace(line, first=(line.points or 0) + bonus) for line in _served(rules)))


def _served(rules: RuleSet) -> list[Category]:
    """Return the categories with two prices, for the first throw and for later throws."""
    return [line for line in rules.lines if line.first is not None and line.points and not line.by_throw]


def _set_upper_bonus(rules: RuleSet, value: str) -> RuleSet:
    """Set the points of the upper bonus. A new one starts at more than half of all dice (63)."""
    points = 0 if _is_yes(value) is False else _read_number("upper-bonus", value, MOST_POINTS, low=0)
    if not points:
        return replace(rules, upper_bonus=None)
    good_half = (rules.dice // 2 + 1) * rules.most_in_numbers // rules.dice
    threshold = good_half if rules.upper_bonus is None else rules.upper_bonus.threshold
    return replace(rules, upper_bonus=UpperBonus(threshold=threshold, points=points))


def _set_upper_bonus_from(rules: RuleSet, value: str) -> RuleSet:
    threshold = _read_number("upper-bonus-from", value, rules.most_in_numbers)
    if rules.upper_bonus is None:
        raise NotAllowed(
            "upper-bonus-from={value} needs an upper bonus", "remove upper-bonus=no", value=value
        )
    return replace(rules, upper_bonus=replace(rules.upper_bonus, threshold=threshold))


def _set_joker(rules: RuleSet, value: str) -> RuleSet:
    wanted = choose(value, get_args(JokerRule), "joker", _words(get_args(JokerRule)))
    rule: JokerRule = next(rule for rule in get_args(JokerRule) if rule == wanted)
    return _with_joker(rules, Joker(rule=rule, extra=rules.extra_bonus))


def _set_extra_bonus(key: str, rules: RuleSet, value: str) -> RuleSet:
    extra = 0 if _is_yes(value) is False else _read_number(key_shown(rules, key), value, MOST_POINTS, low=0)
    return _with_joker(rules, Joker(rule=rules.joker_rule, extra=extra))


def _with_joker(rules: RuleSet, joker: Joker) -> RuleSet:
    return replace(rules, joker=UNSET if joker == Joker(rule="no", extra=0) else joker)


def _set_spares(rules: RuleSet, value: str) -> RuleSet:
    """Save spares in every box with a fixed price, but not in numbers (guide: sources, "Golden Fifty")."""
    saves = _read_yes("spares", value)
    if saves == rules.has_spares:
        return rules
    fixed = {line.id for line in rules.lines if line.points is not None and line.after is None}
    return _with_lines(
        rules, *(replace(line, saves_spares=saves and line.id in fixed) for line in rules.lines)
    )


def _pattern_options(rules: RuleSet) -> Iterator[Option]:
    found = [
        (line, index, option)
        for line in rules.lines
        for index, pattern in enumerate(line.asks)
        for option in pattern.options(rules.dice, rules.faces)
    ]
    keys = [option.key for _, _, option in found]
    for line, index, option in found:
        if len(line.asks) > 1 if option.is_of_box else keys.count(option.key) > 1:
            continue
        box = f"-{line.id}" if option.is_of_box else ""
        key = f"{option.key}{box}"
        yield Option(
            key=key,
            names=tuple(f"{name}{box}" for name in option.names),
            value=option.value,
            choices=option.choices,
            also=option.words,
            change=partial(_set_pattern, line.id, index, key, option),
            is_switch=option.read is None,
        )


def _set_pattern(
    wanted: str, index: int, key: str, option: PatternOption, rules: RuleSet, value: str
) -> RuleSet:
    line = _find_line(rules, wanted)
    read = _read_yes(key_shown(rules, key), value) if option.read is None else option.read(value)
    asks = [*line.asks]
    asks[index] = replace(asks[index], **{option.field: read})
    return _with_lines(rules, replace(line, asks=tuple(asks)))


def _box_options(rules: RuleSet) -> Iterator[Option]:
    for line in rules.lines:
        may_be_out = line.after is not None or not line.in_play
        if not may_be_out and line.points is None and not line.added:
            continue
        value = _price(line) if line.in_play and (line.points or line.added) else _yes_or_no(line.in_play)
        yield Option(
            key=line.id,
            names=line.answers_to,
            value=value,
            choices=lazy("no, yes, points, points/first-throw points, points by throw (66,56,46), or sum+20")
            if may_be_out
            else lazy("points, points/first-throw points, points by throw (66,56,46), or sum+20"),
            change=partial(_set_box, line.id, may_be_out),
            is_switch=may_be_out,
        )
        if line.after is not None and _find_line(rules, line.after).asks == (Alike(count=5),):
            yield Option(
                key=f"{line.id}-needs",
                names=tuple(f"{name}-needs" for name in line.answers_to),
                value=line.needs or "points",
                choices=value_message(", ".join(get_args(Need))),
                words=get_args(Need),
                change=partial(_set_need, line.id),
            )


def _set_box(wanted: str, may_be_out: bool, rules: RuleSet, value: str) -> RuleSet:
    """Add a box, remove it, or set its price: `60` keeps the first-throw bonus, `60/70` sets it."""
    line = _find_line(rules, wanted)
    is_price = sum_and_more(value) or (value[:1].isdecimal() and value not in {"0", "1"})
    if may_be_out and (line.number is not None or not is_price):
        return _with_lines(rules, replace(line, in_play=_read_yes(line.typed, value)))
    if added := sum_and_more(value):
        return _with_lines(rules, replace(_at_price(line, None), added=added, in_play=True))
    typed = value.split(",")[:MOST_THROWS] if "," in value else [*reversed(value.split("/", 1))]
    prices = [_read_number(line.typed, price, MOST_POINTS) for price in typed]
    priced = replace(_at_price(line, prices[-1]), in_play=True)
    if len(prices) > 1:
        by_throw = tuple(prices) if len(prices) > 2 else UNSET
        priced = replace(priced, first=prices[0], by_throw=by_throw)
        if prices[0] < prices[-1]:
            raise UsageError(
                "{key}={value} pays less on the first throw",
                "type later/first, such as 20/25",
                key=line.typed,
                value=value,
            )
    twice = 2 * (line.points or 0)
    doubles = [double for double in rules.lines if double.after == wanted and double.points == twice]
    return _with_lines(rules, priced, *(_at_price(double, 2 * (priced.points or 0)) for double in doubles))


def _set_need(wanted: str, rules: RuleSet, value: str) -> RuleSet:
    needs = get_args(Need)
    line, need = _find_line(rules, wanted), choose(value, needs, "double generala", _words(needs))
    if need == "points":
        return _with_lines(rules, replace(line, needs=UNSET))
    if not line.in_play:
        raise NotAllowed(
            "{option}={value} needs {category} in play",
            "add {key}=yes",
            option=key_shown(rules, f"{wanted}-needs"),
            key=line.typed,
            value=value,
            category=line,
        )
    return _with_lines(rules, replace(line, needs="five-alike"))


def _price(line: Category) -> str:
    if line.added:
        return f"sum+{line.added}"
    if line.by_throw:
        return ",".join(map(str, line.by_throw))
    return str(line.points) if line.first is None else f"{line.points}/{line.first}"


def _at_price(line: Category, points: int | None) -> Category:
    """Return the category with a fixed price and its old first-throw bonus, or with none of them."""
    bonus = None if line.first is None or line.points is None or line.by_throw else line.first - line.points
    first = None if bonus is None or points is None else points + bonus
    return replace(line, points=points, first=first, added=UNSET, by_throw=UNSET)


def _find_line(rules: RuleSet, wanted: str) -> Category:
    return next(line for line in rules.lines if line.id == wanted)


def _with_lines(rules: RuleSet, *changed: Category) -> RuleSet:
    by_id = {line.id: line for line in changed}
    return replace(rules, lines=tuple(by_id.get(line.id, line) for line in rules.lines))


def _words(values: Sequence[str]) -> Mapping[str, Message]:
    return {value: VALUE_WORDS[value] for value in values}


def _named(key: object) -> object:
    return FirstWord(KEY_WORDS[key]) if isinstance(key, str) and key in KEY_WORDS else key


def _read_number(key: object, value: str, high: int, low: int = 1) -> int:
    text = value.strip()
    if text.isascii() and text.isdecimal() and len(text) < 9 and low <= int(text) <= high:
        return int(text)
    raise UsageError(
        "{key}={value} is not a whole number from {low} to {high}",
        "type {key}=N",
        key=_named(key),
        value=value,
        low=low,
        high=high,
    )


def _yes_or_no(value: bool) -> str:
    return "yes" if value else "no"


def _read_yes(key: object, value: str) -> bool:
    if (is_yes := _is_yes(value)) is not None:
        return is_yes
    raise UsageError(
        "{key}={value} is neither yes nor no", "type {key}=yes or {key}=no", key=_named(key), value=value
    )


def _is_yes(value: str) -> bool | None:
    """Read yes or no in any language, or as programs write it; None if it is neither."""
    word = value.strip().lower()
    if word in {"true", "on", "1"}:
        return True
    if word in {"false", "off", "none", "0"}:
        return False
    return None if word[:1].isdecimal() else find_word(word, {True: YES, False: NO})


def with_settings_typed(rules: RuleSet, settings: Sequence[str]) -> RuleSet:
    return with_settings(rules, [key_and_value(text, "--set", "throws=3") for text in settings])


def key_and_value(text: str, option: str, example: str, *, last: bool = False) -> tuple[str, str]:
    """Split a text at its first or `last` `=`; `option` and `example` are for the error message."""
    key, equals, value = text.rpartition("=") if last else text.partition("=")
    if not equals or not key.strip() or not value.strip():
        raise UsageError(
            "{text!r} is not of the form KEY=VALUE",
            Remedy("key-and-value", option=option, example=example),
            text=text,
        )
    return key.strip(), value.strip()
