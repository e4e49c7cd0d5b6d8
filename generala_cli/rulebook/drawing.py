from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from rich.console import RenderableType
from rich.padding import Padding

from generala_cli.messages import LANGUAGES, CommandLine, Message, lazy, lazy_count, listing
from generala_cli.render.drawing import Column, GivesWay, Stack, fits, table, text
from generala_cli.render.language import first_word, spoken, translate, translated, word_shown
from generala_cli.render.lines import file_written, named, option_key, setting_text
from generala_cli.render.screen import Screen, draw
from generala_cli.rulebook.answers import (
    CheckedFile,
    CheckedHand,
    EditedRules,
    ListedRules,
    NewRules,
    RuleList,
    RulesFolder,
    RulesToml,
)
from generala_cli.rules.catalog import SOURCE, built_in_names
from generala_cli.rules.describing import (
    describe_points,
    describe_requirement,
    describe_rules,
    describe_win_condition,
)
from generala_cli.rules.dice import print_dice
from generala_cli.rules.option_words import VALUE_WORDS
from generala_cli.rules.options import Option, options_of
from generala_cli.rules.ruleset import RuleSet, most_points
from generala_cli.rules.throws import DE_MANO, THROWS
from generala_cli.text import normalize, safe

_GAP = 2


def checked_hand(result: CheckedHand, rules: RuleSet, screen: Screen) -> Stack:
    worths = [each.points for each in result.categories]
    made = sorted(
        ((category, points) for category, points in zip(rules.categories, worths, strict=True) if points),
        key=lambda pair: -pair[1],
    )
    throw = translate("throw {throw}", throw=result.roll) if result.roll > 1 else translate("first throw")
    if result.served:
        throw = first_word(DE_MANO)
    heading = f"{print_dice(result.dice)}, {throw}, {named(rules)}"
    worth = table(
        Column(cells=[named(category) for category, _ in made], gives_way=GivesWay.SHORTENS),
        Column(cells=[points for _, points in made], right=True),
        screen=screen,
    )
    parts: list[RenderableType] = [text(heading, "bold"), worth if made else translate("scores nothing")]
    if result.instant_win and (win := rules.instant_win) is not None:
        when = f", {safe(translated(only))}" if (only := describe_win_condition(rules)) else ""
        parts.append(f"{translate('wins at once: {win}', win=named(win))}{when}")
    return Stack(*parts)


@draw.register
def rule_list(result: RuleList, screen: Screen) -> Stack:
    shown = table(
        Column(lazy("name"), [line.name for line in result.rules]),
        Column(lazy("title"), [translated(line.title) for line in result.rules], gives_way=GivesWay.WRAPS),
        Column(cells=[*map(_note, result.rules)], gives_way=GivesWay.WRAPS),
        screen=screen,
    )
    return Stack(shown, f"\n{translate('generala rules show NAME shows the rules of a game')}")


def _note(line: ListedRules) -> str:
    if line.problem is not None:
        return translated(line.problem)
    return translate("yours, {file}", file=line.path) if line.path else ""


@draw.register
def new_rules(result: NewRules, screen: Screen) -> str:
    line = f"{file_written(safe(result.path), saved=result.saved)}\n"
    check = translated(CommandLine(f"generala rules check {result.rules}"))
    return f"{line}  {check}\n" if result.saved else line


@draw.register
def rules_toml(result: RulesToml, screen: Screen) -> str:
    return result.toml


@draw.register
def rules_folder(result: RulesFolder, screen: Screen) -> str:
    return f"{safe(result.path)}\n"


@draw.register
def edited_rules(result: EditedRules, screen: Screen) -> str:
    return f"{file_written(safe(result.path), saved=result.saved)}\n"


def checked_file(result: CheckedFile, rules: RuleSet) -> str:
    in_order = lazy_count(
        "{file} is valid: {rules}, {count} category",
        "{file} is valid: {rules}, {count} categories",
        len(rules.categories),
        file=result.file,
        rules=rules,
    )
    return f"{translated(in_order)}\n"


def rule_card(rules: RuleSet, screen: Screen) -> Stack:
    changes = ", ".join(f"{key}={value}" for key, value in rules.settings)
    summary = rules.summary_in(spoken())
    return Stack(
        text(f"{translated(rules)} ({rules.name})", "bold"),
        *(map(safe, summary.split("\n")) if summary else ()),
        *([safe(translate("with changes: {changes}", changes=changes))] if changes else []),
        "",
        *_categories(rules, screen),
        "",
        *(safe(translated(sentence)) for sentence in (*describe_rules(rules), *_aliases(rules))),
        "",
        *_options(rules, screen),
        "",
        safe(translate("Source: {source}", source=Message(rules.source, context=SOURCE))),
    )


def _categories(rules: RuleSet, screen: Screen) -> Iterator[RenderableType]:
    categories = rules.categories
    wraps = GivesWay.WRAPS
    columns = (
        Column(lazy("category"), [*map(translated, categories)]),
        Column(
            lazy("requires"),
            [translated(describe_requirement(c, rules)) for c in categories],
            gives_way=wraps,
        ),
        Column(lazy("pays"), [translated(describe_points(c)) for c in categories], gives_way=wraps),
        Column(lazy("most"), [most_points(rules, c) for c in categories], right=True),
    )
    if fits(columns, screen):
        yield table(*columns, screen=screen)
        return
    for is_number, run in groupby(rules.categories, lambda category: category.number is not None):
        if is_number:
            numbers = tuple(run)
            most = listing([most_points(rules, each) for each in numbers], "and")
            yield text(", ".join(map(translated, numbers)), "bold")
            yield _below(
                translate("pay {points}, at most {most}", points=describe_points(numbers[0]), most=most)
            )
            continue
        for each in run:
            pays = lazy(
                "pays {points}, at most {most}", points=describe_points(each), most=most_points(rules, each)
            )
            if each.points is not None:
                pays = lazy("pays {points}", points=describe_points(each))
            yield text(translated(each), "bold")
            yield _below(translated(describe_requirement(each, rules)))
            yield _below(translated(pays))


def _below(line: str) -> Padding:
    return Padding(text(line), (0, 0, 0, _GAP), expand=False)


def _options(rules: RuleSet, screen: Screen) -> Iterator[RenderableType]:
    options = options_of(rules)
    columns = (
        Column(lazy("option (--set KEY=VALUE)"), [option_key(rules, option.key) for option in options]),
        Column(lazy("value"), [word_shown(option.value, VALUE_WORDS) for option in options]),
        Column(lazy("choices"), [_choices(option) for option in options], gives_way=GivesWay.WRAPS),
    )
    if fits(columns, screen):
        yield table(*columns, screen=screen)
        return
    yield text(translate("options (--set KEY=VALUE)"), "dim")
    for option in options:
        yield from (setting_text(rules, option.key, option.value), _below(_choices(option)))


def _choices(option: Option) -> str:
    words = [word_shown(word, VALUE_WORDS) for word in option.words]
    return ", ".join(words) or translated(option.choices)


_NAMES = lazy(
    "1, 2, 3, 4, 5, 6, ace, aces, deuces, treys, 9, 10, A, K, Q, J, s, run, straight, small straight, "
    "large straight, small, large, low straight, high straight, low, high, ls, hs, ss, big straight, "
    "little straight, big, little, bs, even straight, odd straight, even, odd, es, os, whole straight, "
    "full, full house, fullhouse, fh, f, boat, house, pair, 1 pair, 1p, 2 pairs, 2p, 3 pairs, 3p, 3 "
    "kind, 3k, 4 kind, 4k, p, poker, four alike, four of a kind, 5 kind, 5k, five alike, five of a "
    "kind, 6k, six alike, two triplets, four and two, g, general, minor general, small general, "
    "generala, d, golden, 50, choice, c, any, chance, y, yahtzee, yahtze, yatzy, yatzi, maxi, b, balut, "
    "crag, 13",
    context="names of boxes and throws that this language uses, separated by commas",
)
"""Built-in rule sets have names in many languages; `--language` shows those of a different one."""


def _in_language(names: Iterable[str], rules: RuleSet) -> Sequence[str]:
    if rules.name not in built_in_names():
        return [*dict.fromkeys(names)]
    words = LANGUAGES.spoken.words
    spelled = {normalize(name): name for listed in (_NAMES, *THROWS.values()) for name in words(listed)}
    return [spelled[key] for key in dict.fromkeys(map(normalize, names)) if key in spelled]


def _aliases(rules: RuleSet) -> Iterator[str]:
    others = {box: _in_language(box.answers_to[2:], rules) for box in rules.categories}
    called = (
        f"{shown} ({', '.join(names)})"
        for box, listed in others.items()
        if (names := [name for name in listed if name != (shown := translated(box.typed))])
    )
    yield translate("Names: {names}.", names="; ".join(called))
    own = {throw: _in_language(words, rules) for throw, words in rules.throw_words.items()}
    throws = (
        translate("throw {number}: {words}", number=throw, words=", ".join(words))
        for throw, words in own.items()
        if words
    )
    yield translate("Words for throws: {throws}.", throws="; ".join(throws))
