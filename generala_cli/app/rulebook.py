"""Rule sets: the built-in ones, a house's own, and what a hand is worth by one of them."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from generala_cli.app.typed import Hand, read_hand
from generala_cli.errors import DamagedFile, FileTrouble, Mistyped, NotAllowed, NotFound
from generala_cli.facts import Fact
from generala_cli.rules.catalog import built_in_names, built_in_text
from generala_cli.rules.checking import check_ruleset
from generala_cli.rules.dice import Dice
from generala_cli.rules.document import Problem
from generala_cli.rules.names import find
from generala_cli.rules.reading import is_id
from generala_cli.rules.ruleset import Category, RuleSet
from generala_cli.rules.scoring import can_win_instantly, worth
from generala_cli.store.houses import Houses, decoded, parsed, read_text, read_toml, taken
from generala_cli.store.trouble import printable

STDIN = "-"
Input = Callable[[], bytes]
"""Reads all of the standard input."""


class RuleLine(Fact):
    """A rule set in the list: built in, or a house's own, which may be unreadable (`problem`)."""

    name: str
    title: str
    source: str
    path: Path | None
    problem: str = ""


class CheckedHand(Fact):
    """What a hand is worth in every category; 0 where it does not make it."""

    rules: RuleSet
    dice: Dice
    roll: int
    instant_win: bool
    worths: tuple[tuple[Category, int], ...]


def rule_lines(houses: Houses) -> tuple[RuleLine, ...]:
    """Every rule set there is; a house's own file stands in place of a built-in one of its name."""
    own = houses.names()
    built_in = (_built_in_line(name) for name in built_in_names() if name not in own)
    return (*built_in, *(_house_line(houses, name) for name in own))


def load_rules(reference: str, houses: Houses, read_input: Input) -> RuleSet:
    """A rule set by its name or an unambiguous start of it, by the path of a file, or from `-`.

    Raises:
        NotFound, Ambiguous: there is none of that name.
        DamagedFile: the file has errors; its details are all of them.
    """
    shown, document = _document(reference, houses, read_input)
    rules, problems = check_ruleset(document)
    if problems:
        raise _faulty(shown, problems)
    return rules


def check_file(reference: str, houses: Houses, read_input: Input) -> tuple[str, RuleSet]:
    """The same, for `rules check`: also what the file is called, for saying that it is in order."""
    rules = load_rules(reference, houses, read_input)
    return "the standard input" if reference == STDIN else _name_and_path(reference, houses)[0], rules


def rules_text(reference: str, houses: Houses, read_input: Input) -> str:
    """The TOML text of a rule set, with its comments.

    Raises:
        NotFound, Ambiguous: there is none of that name. FileTrouble: it cannot be read.
    """
    if reference == STDIN:
        return decoded(read_input(), "the standard input")
    shown, path = _name_and_path(reference, houses)
    if path is None:
        return built_in_text(shown)
    text = read_text(path)
    if text is None:
        raise NotFound(f"there is no file {printable(path)}", "generala rules lists the rule sets there are")
    return text


def new_rules(name: str, source: str, houses: Houses, read_input: Input, *, dry_run: bool = False) -> Path:
    """Write a house's own rule file, a copy of another rule set with every key explained.

    Raises:
        Mistyped: the name cannot be used. NotAllowed: it is taken.
    """
    if not is_id(name) or len(name) > 40:
        raise Mistyped(
            f"{name!r} is no name for a rule set", "use lower-case letters, digits and hyphens, as casa"
        )
    if name in built_in_names():
        raise NotAllowed(f"{name} is a built-in rule set", "give yours a name of its own, as casa")
    text = _house_text(rules_text(source, houses, read_input), name, source)
    if houses.path(name).exists():
        raise taken(houses.path(name))
    return houses.path(name) if dry_run else houses.create(name, text)


def check_hand(rules: RuleSet, hand: Hand) -> CheckedHand:
    """What a hand is worth in every category, on an empty sheet.

    Raises:
        Mistyped: the hand cannot be read. NotAllowed: the game has no such throw.
    """
    read = read_hand(hand, rules)
    assert read.dice is not None
    if read.roll > rules.throws and not rules.has_spares:
        raise NotAllowed(
            f"there is no throw {read.roll}: a turn has {rules.throws}", f"type --roll 1 to {rules.throws}"
        )
    worths = ((category, worth(rules, category, read.dice, read.roll)) for category in rules.categories)
    return CheckedHand(
        rules=rules,
        dice=read.dice,
        roll=read.roll,
        instant_win=can_win_instantly(rules, read.dice, read.roll),
        worths=tuple(worths),
    )


def find_name(reference: str, houses: Houses) -> str:
    """The name of a rule set from an unambiguous start of it.

    Raises:
        NotFound, Ambiguous: there is none, or more than one.
    """
    return find(reference, {name: (name,) for name in (*built_in_names(), *houses.names())}, "rule set")


def _document(reference: str, houses: Houses, read_input: Input) -> tuple[str, Mapping[str, object]]:
    if reference == STDIN:
        shown = "the standard input"
        return shown, parsed(decoded(read_input(), shown), shown)
    shown, path = _name_and_path(reference, houses)
    if path is not None:
        return shown, read_toml(path)
    return shown, parsed(built_in_text(shown), shown)


def _name_and_path(reference: str, houses: Houses) -> tuple[str, Path | None]:
    """What to call it, and its file; a built-in one has none."""
    if "/" in reference or reference.endswith(".toml") or "\\" in reference:
        return printable(Path(reference)), Path(reference)
    name = find_name(reference, houses)
    return (printable(houses.path(name)), houses.path(name)) if name in houses.names() else (name, None)


def _faulty(shown: str, problems: Sequence[Problem]) -> DamagedFile:
    many = "an error" if len(problems) == 1 else f"{len(problems)} errors"
    return DamagedFile(f"{shown} has {many}", "mend the file", [str(problem) for problem in problems])


def _built_in_line(name: str) -> RuleLine:
    rules, _ = check_ruleset(parsed(built_in_text(name), name))
    return RuleLine(name=name, title=rules.title, source=rules.source, path=None)


def _house_line(houses: Houses, name: str) -> RuleLine:
    path = houses.path(name)
    try:
        rules = load_rules(str(path), houses, bytes)
    except (FileTrouble, NotFound) as error:
        return RuleLine(name=name, title="", source="", path=path, problem=error.message)
    return RuleLine(name=name, title=rules.title, source=rules.source, path=path)


_GUIDE = """\
# {name}: a house's own rules, begun as a copy of {source}.
#
# Try it:    generala rules check {name}
# Play it:   generala new Ana Beto --rules {name}
#
# Top level  dice, faces (of a die), throws (in a turn); fill_order "any" or "top-to-bottom";
#            opening_throws true: the lowest opening throw plays first;
#            instant_win_points = N: what each loser owes for an instant win, instead of the difference.
# [instant_win]   name; box: the category it is written in; when "never", "while-open" or "always".
# [upper_bonus]   from = 63, points = 35: what the number categories earn once they hold that together.
# [throw_names]   words for a throw, as servida = 1.
# [[category]]    one for each line of the sheet, in order:
#   id, name, aliases        what it is called; no name may belong to two categories
#   number = 5               one or more fives; they alone are summed
#   alike = 4                so many alike; all_alike = false: not when every die is
#   groups = [3, 2]          exactly these groups; all_alike = true: every die alike counts too
#   straight = ["12345"]     these runs, in any order; or "round" (round the circle), or "different";
#                            shorter ones, as ["1234", "2345"], among the dice
#   aces = [2, 6]            in a straight, each ace may stand for a 2, a 6, or both
#   total = 13               all dice sum to 13
#   any = true               any dice
#   points = 30              or "sum" (of all dice); first = 35: on the first throw
#   after = "generala"       needs points in that box first; without points of its own it pays double
#   saves_spares = true      throws not needed are saved for later turns
#   in_play = false          not on the sheet

"""


def _house_text(text: str, name: str, source: str) -> str:
    """The copy under its new name; the comments at the head give way to the guide."""
    lines = text.splitlines(keepends=True)
    while lines and lines[0].startswith(("#", "\n")):
        lines.pop(0)
    first_table = next((place for place, line in enumerate(lines) if line.startswith("[")), len(lines))
    own = {"name": name, "title": name.replace("-", " ").title()}
    head = (_renamed(line, own) for line in lines[:first_table])
    return _GUIDE.format(name=name, source=source) + "".join((*head, *lines[first_table:]))


def _renamed(line: str, own: Mapping[str, str]) -> str:
    key = line.partition("=")[0].strip()
    return f'{key} = "{own[key]}"\n' if key in own else line
