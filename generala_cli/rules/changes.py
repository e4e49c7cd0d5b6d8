"""How each option of a rule set is changed: a new rule set, or a refusal."""

import re
from collections.abc import Callable, Iterator
from typing import cast

from generala_cli.errors import Mistyped
from generala_cli.facts import replace
from generala_cli.rules.names import choose
from generala_cli.rules.patterns import DIFFERENT, ROUND, Alike, Groups, Straight
from generala_cli.rules.reading import MOST_POINTS, MOST_THROWS, allowed_aces, straight_runs
from generala_cli.rules.ruleset import Category, FillOrder, InstantWinMode, RuleSet, UpperBonus

Change = Callable[[RuleSet, str], RuleSet]


def set_throws(rules: RuleSet, value: str) -> RuleSet:
    """How many throws a turn has."""
    return replace(rules, throws=_whole("throws", value, MOST_THROWS))


def set_fill_order(rules: RuleSet, value: str) -> RuleSet:
    """Whether boxes are filled in any order or top to bottom (*Generala obligada*)."""
    return replace(rules, fill_order=cast("FillOrder", _word("fill-order", value, "any", "top-to-bottom")))


def set_instant_win(rules: RuleSet, value: str) -> RuleSet:
    """When five alike on the first throw ends the game."""
    when = cast("InstantWinMode", _word("instant-win", value, "never", "while-open", "always"))
    win = rules.instant_win
    return rules if win is None else replace(rules, instant_win=replace(win, when=when))


def set_instant_win_points(rules: RuleSet, value: str) -> RuleSet:
    """What each loser owes for an instant win: points, or the difference."""
    points = None if value == "difference" else _whole("instant-win-points", value, MOST_POINTS)
    return replace(rules, instant_win_points=points)


def set_bonus(rules: RuleSet, value: str) -> RuleSet:
    """What a served hand gains, in every category that has a first-throw price."""
    bonus = _whole("bonus", value, MOST_POINTS, low=0)
    lines = (
        replace(line, first=line.points + bonus) if line.first is not None and line.points else line
        for line in rules.lines
    )
    return replace(rules, lines=tuple(lines))


def set_upper_bonus(rules: RuleSet, value: str) -> RuleSet:
    """What the number boxes earn together; where there was no such bonus, from a good half of each number."""
    points = 0 if value.lower() in {"no", "none", "off"} else _whole("upper-bonus", value, MOST_POINTS, low=0)
    if not points:
        return replace(rules, upper_bonus=None)
    threshold = _good_half(rules) if rules.upper_bonus is None else rules.upper_bonus.threshold
    return replace(rules, upper_bonus=UpperBonus(threshold=threshold, points=points))


def set_upper_bonus_from(rules: RuleSet, value: str) -> RuleSet:
    """How many points in the number boxes earn the upper bonus."""
    threshold = _whole("upper-bonus-from", value, rules.most_in_numbers)
    bonus = rules.upper_bonus
    return rules if bonus is None else replace(rules, upper_bonus=replace(bonus, threshold=threshold))


def _good_half(rules: RuleSet) -> int:
    """More than half of the dice in every number: 63 with five dice, as in Kniffel."""
    return (rules.dice // 2 + 1) * rules.most_in_numbers // rules.dice


def set_spares(rules: RuleSet, value: str) -> RuleSet:
    """Whatever has a fixed price saves spares: straights, full house, golden fifty (rules.md)."""
    saves = _yes("spares", value)
    lines = (
        replace(line, saves_spares=saves and line.points is not None and line.after is None)
        for line in rules.lines
    )
    return replace(rules, lines=tuple(lines))


def set_straights(rules: RuleSet, value: str) -> RuleSet:
    """Which runs are straights."""
    named: dict[str, object] = {
        "two runs": list(_runs_in_order(rules)),
        "ace after six": [*_runs_in_order(rules), _ace_after_highest(rules)],
        "round": ROUND,
        "different": DIFFERENT,
    }
    wanted = value.lower().replace("-", " ")
    asked = named[wanted] if wanted in named else [run for run in re.split(r"[ ,+]+", value) if run]
    runs = straight_runs(asked, rules)
    if runs is None or (isinstance(runs, tuple) and not _may_be_typed(runs, rules)):
        raise Mistyped(
            f"straights={value} names no straights of {rules.dice} dice",
            "type two-runs, ace-after-six, round, different, or runs as 12345,23456",
        )
    return _with_straights(rules, lambda straight: replace(straight, runs=runs))


def _may_be_typed(runs: tuple[str, ...], rules: RuleSet) -> bool:
    """Each named once, and of all dice unless the game has shorter ones: a die left out is a slip."""
    now = (p.runs for line in rules.lines for p in line.asks if isinstance(p, Straight))
    lengths = {rules.dice, *(len(run) for listed in now if isinstance(listed, tuple) for run in listed)}
    return len(runs) == len(set(runs)) and len(runs[0]) in lengths


def set_aces(rules: RuleSet, value: str) -> RuleSet:
    """Which faces an ace may stand for in a straight."""
    parts = [] if value.lower() in {"none", "no"} else re.split(r"[ ,+]+", value)
    if not all(len(part) == 1 and part.isascii() and part.isdecimal() for part in parts):
        raise Mistyped(
            f"aces={value} is not a list of faces", f"type none, 2, {rules.faces} or 2,{rules.faces}"
        )
    aces = tuple(sorted(int(part) for part in parts))
    if not allowed_aces(aces, rules):
        raise Mistyped(
            f"an ace may stand for a 2 or a {rules.faces} only", f"type 2, {rules.faces} or 2,{rules.faces}"
        )
    return _with_straights(rules, lambda straight: replace(straight, aces_stand_for=aces))


def _runs_in_order(rules: RuleSet) -> Iterator[str]:
    """Runs that do not go round: 12345 and 23456 with five dice."""
    faces = "123456789"[: rules.faces]
    return (faces[start : start + rules.dice] for start in range(rules.faces - rules.dice + 1))


def _ace_after_highest(rules: RuleSet) -> str:
    return "123456789"[: rules.faces][rules.faces - rules.dice + 1 :] + "1"


def _with_straights(rules: RuleSet, change: Callable[[Straight], Straight]) -> RuleSet:
    return replace(
        rules,
        lines=tuple(
            replace(line, asks=tuple(change(p) if isinstance(p, Straight) else p for p in line.asks))
            for line in rules.lines
        ),
    )


def all_alike_setter(line: Category) -> Change:
    """Whether a hand of one face only makes this category too."""

    def change(rules: RuleSet, value: str) -> RuleSet:
        counts = _yes(f"all-alike-as-{line.id}", value)
        asks = tuple(
            replace(pattern, all_alike=counts) if isinstance(pattern, (Alike, Groups)) else pattern
            for pattern in line.asks
        )
        return _with_line(rules, replace(line, asks=asks))

    return change


def box_setter(line: Category) -> Change:
    """Brings a box into play; without a price of its own it pays twice the box it comes after."""

    def change(rules: RuleSet, value: str) -> RuleSet:
        if value not in {"0", "1"} and value[:1].isdecimal():
            return _priced(rules, replace(line, in_play=True), value)
        in_play = _yes(line.id, value)
        before = rules.category(line.after).points if line.after and in_play else None
        points = line.points if before is None else 2 * before
        return _with_line(rules, replace(line, in_play=in_play, points=points))

    return change


def price_setter(line: Category) -> Change:
    """`60` keeps the first-throw bonus as it was, `60/70` sets it; a double that was twice stays twice."""

    def change(rules: RuleSet, value: str) -> RuleSet:
        changed = _priced(rules, line, value)
        points = next(other.points for other in changed.lines if other.id == line.id) or 0
        for other in rules.lines:
            if other.after == line.id and line.points and other.points == 2 * line.points:
                changed = _with_line(changed, replace(other, points=2 * points))
        return changed

    return change


def _priced(rules: RuleSet, line: Category, value: str) -> RuleSet:
    later, slash, served = value.partition("/")
    points = _whole(line.id, later, MOST_POINTS)
    kept = None if line.first is None or line.points is None else points + line.first - line.points
    first = _whole(line.id, served, MOST_POINTS) if slash else kept
    if first is not None and first < points:
        raise Mistyped(f"{line.id}={value} pays less on the first throw", "type later/first, as 20/25")
    return _with_line(rules, replace(line, points=points, first=first))


def _with_line(rules: RuleSet, changed: Category) -> RuleSet:
    return replace(rules, lines=tuple(changed if line.id == changed.id else line for line in rules.lines))


def _whole(key: str, value: str, high: int, low: int = 1) -> int:
    text = value.strip()
    if text.isascii() and text.isdecimal() and len(text) < 9 and low <= int(text) <= high:
        return int(text)
    raise Mistyped(f"{key}={value} is not a whole number from {low} to {high}", f"type {key}=N")


def _word(key: str, value: str, *words: str) -> str:
    return choose(value, words, f"choice for {key}:")


def _yes(key: str, value: str) -> bool:
    word = value.lower()
    if word in {"yes", "true", "on", "si", "sí", "1"}:
        return True
    if word in {"no", "false", "off", "0"}:
        return False
    raise Mistyped(f"{key}={value} is neither yes nor no", f"type {key}=yes or {key}=no")
