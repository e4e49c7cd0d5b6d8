"""Rule sets told so that someone can play from them, and what a hand is worth by one."""

from collections.abc import Iterator

from generala_cli.app.rulebook import CheckedHand, RuleLine
from generala_cli.render.paper import Part, drawn
from generala_cli.render.screen import Screen
from generala_cli.render.table import plain_table, text
from generala_cli.rules.describing import asked, paid, told
from generala_cli.rules.dice import print_dice
from generala_cli.rules.names import safe
from generala_cli.rules.options import options_of
from generala_cli.rules.ruleset import RuleSet

_NARROW = 78
"""Fewer columns than this leave no room to say what an option may be."""


def check(result: CheckedHand, screen: Screen) -> str:
    """What a hand is worth, best first; what it does not make is left out."""
    made = sorted(((c, points) for c, points in result.worths if points), key=lambda pair: -pair[1])
    throw = f"throw {result.roll}" if result.roll > 1 else "first throw"
    heading = f"{print_dice(result.dice)}, {throw}, {safe(result.rules.title)}"
    table = plain_table("", "", right=(1,))
    for category, points in made:
        table.add_row(text(category.name), text(points))
    parts = [text(heading, "bold"), table if made else "makes nothing"]
    if result.instant_win and result.rules.instant_win is not None:
        win = result.rules.instant_win
        box = safe(result.rules.category(win.box).name)
        when = f", while {box} is open" if win.when == "while-open" else ""
        parts.append(f"wins at once: {safe(win.name)}{when}")
    return drawn(screen, *parts)


def rule_list(lines: tuple[RuleLine, ...], screen: Screen) -> str:
    """The rule sets by name, a house's own after the built-in ones."""
    table = plain_table("name", "title", "", flexible=(1, 2))
    for line in lines:
        where = "" if line.path is None else f"yours, {line.path}"
        if line.problem:
            where = line.problem
        table.add_row(text(line.name), text(line.title), text(where))
    return drawn(screen, table, "\ngenerala rules show NAME tells how a game is played")


def rule_card(rules: RuleSet, screen: Screen) -> str:
    """A game, so that someone can play from it."""
    categories = plain_table("category", "asks", "pays", wrapping=(1, 2))
    for category in rules.categories:
        categories.add_row(text(category.name), text(asked(category, rules)), text(paid(category)))
    return drawn(
        screen,
        *_introduction(rules),
        "",
        categories,
        "",
        *(safe(sentence) for sentence in (*told(rules), *_aliases(rules))),
        "",
        *_options(rules, screen),
        "",
        safe(f"Source: {rules.source}"),
    )


def _introduction(rules: RuleSet) -> Iterator[Part]:
    yield text(f"{rules.title} ({rules.name})", "bold")
    if rules.summary:
        yield from map(safe, rules.summary.split("\n"))
    if rules.settings:
        yield safe(f"as changed: {', '.join(f'{key}={value}' for key, value in rules.settings)}")


def _options(rules: RuleSet, screen: Screen) -> Iterator[Part]:
    """What a house may change; on a narrow screen what is possible stands below each."""
    if screen.width < _NARROW:
        yield text("options (--set KEY=VALUE)", "dim")
        for option in options_of(rules):
            yield from (safe(f"{option.key}={option.value}"), safe(f"  {option.choices}"))
        return
    table = plain_table("option (--set KEY=VALUE)", "now", "may be", wrapping=(2,))
    for option in options_of(rules):
        table.add_row(text(option.key), text(option.value), text(option.choices))
    yield table


def _aliases(rules: RuleSet) -> Iterator[str]:
    """What the categories may be called at the table."""
    named = (
        f"{category.id} ({', '.join(category.aliases)})" for category in rules.categories if category.aliases
    )
    yield f"Names: {'; '.join(named)}."
    if rules.throw_names:
        throws = (f"{name} is throw {throw}" for name, throw in rules.throw_names)
        yield f"Words for throws: {', '.join(throws)}."
