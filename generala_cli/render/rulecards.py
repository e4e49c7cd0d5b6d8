"""Rule sets told so that someone can play from them, and what a hand is worth by one."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.console import RenderableType
from rich.padding import Padding

from generala_cli.app.rulebook import CheckedHand, RuleLine
from generala_cli.render.drawing import Stack, plain_table, text
from generala_cli.render.language import said
from generala_cli.render.screen import Screen
from generala_cli.rules.describing import asked, paid, sentences, win_condition
from generala_cli.rules.dice import print_dice
from generala_cli.rules.options import options_of
from generala_cli.rules.ruleset import Category, RuleSet, most_worth
from generala_cli.text import listed, safe

_GAP = 2
_NARROW = 78
"""Fewer columns than this leave no room to say what an option may be."""


def check(result: CheckedHand, screen: Screen) -> Stack:
    """What a hand is worth, best first; what it does not make is left out."""
    made = sorted(((c, points) for c, points in result.worths if points), key=lambda pair: -pair[1])
    throw = f"throw {result.roll}" if result.roll > 1 else "first throw"
    heading = f"{print_dice(result.dice)}, {throw}, {safe(result.rules.title)}"
    table = plain_table(
        ("", ""), [(category.name, points) for category, points in made], right=(1,), flexible=(0,)
    )
    parts: list[RenderableType] = [text(heading, "bold"), table if made else "makes nothing"]
    if result.instant_win and result.rules.instant_win is not None:
        when = f", {safe(said(only))}" if (only := win_condition(result.rules)) else ""
        parts.append(f"wins at once: {safe(result.rules.instant_win.name)}{when}")
    return Stack(*parts)


def rule_list(lines: tuple[RuleLine, ...], screen: Screen) -> Stack:
    """The rule sets by name, a house's own after the built-in ones."""
    rows = [
        (line.name, line.title, line.problem or (f"yours, {line.path}" if line.path else ""))
        for line in lines
    ]
    table = plain_table(("name", "title", ""), rows, flexible=(1, 2))
    return Stack(table, "\ngenerala rules show NAME tells how a game is played")


def rule_card(rules: RuleSet, screen: Screen) -> Stack:
    """A game, so that someone can play from it."""
    changes = ", ".join(f"{key}={value}" for key, value in rules.settings)
    return Stack(
        text(f"{rules.title} ({rules.name})", "bold"),
        *(map(safe, rules.summary.split("\n")) if rules.summary else ()),
        *([safe(f"as changed: {changes}")] if changes else []),
        "",
        *_categories(rules, screen),
        "",
        *(safe(said(sentence)) for sentence in (*sentences(rules), *_aliases(rules))),
        "",
        *_options(rules, screen),
        "",
        safe(f"Source: {rules.source}"),
    )


def _categories(rules: RuleSet, screen: Screen) -> Iterator[RenderableType]:
    """What each asks and pays; on a narrow screen below its name, and that of the numbers together."""
    if screen.width >= _NARROW:
        rows = [
            (c.name, said(asked(c, rules)), said(paid(c)), most_worth(rules, c)) for c in rules.categories
        ]
        yield plain_table(("category", "asks", "pays", "most"), rows, right=(3,), wrapping=(1, 2))
        return
    for is_number, run in groupby(rules.categories, lambda category: category.number is not None):
        if is_number:
            yield from _numbers(tuple(run), rules)
            continue
        for each in run:
            most = f", at most {most_worth(rules, each)}" if each.points is None else ""
            yield text(each.name, "bold")
            yield from (_below(said(asked(each, rules))), _below(f"pays {said(paid(each))}{most}"))


def _numbers(run: Sequence[Category], rules: RuleSet) -> Iterator[RenderableType]:
    most = listed([str(most_worth(rules, each)) for each in run], "and")
    yield text(", ".join(each.name for each in run), "bold")
    yield _below(f"pay {said(paid(run[0]))}, at most {most}")


def _below(told: str) -> Padding:
    """What belongs to the line above, set in under it."""
    return Padding(text(told), (0, 0, 0, _GAP), expand=False)


def _options(rules: RuleSet, screen: Screen) -> Iterator[RenderableType]:
    """What a house may change; on a narrow screen what is possible stands below each."""
    if screen.width < _NARROW:
        yield text("options (--set KEY=VALUE)", "dim")
        for option in options_of(rules):
            yield from (safe(f"{option.key}={option.value}"), _below(said(option.choices)))
        return
    rows = [(option.key, option.value, said(option.choices)) for option in options_of(rules)]
    yield plain_table(("option (--set KEY=VALUE)", "now", "may be"), rows, wrapping=(2,))


def _aliases(rules: RuleSet) -> Iterator[str]:
    """What the categories may be called at the table."""
    others = {each.id: dict.fromkeys(each.answers_to[2:]) for each in rules.categories}
    told = (f"{name} ({', '.join(names)})" for name, names in others.items() if names)
    yield f"Names: {'; '.join(told)}."
    if rules.throw_names:
        throws = (f"{name} is throw {throw}" for name, throw in rules.throw_names)
        yield f"Words for throws: {', '.join(throws)}."
