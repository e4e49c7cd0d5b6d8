import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from generala_cli.app.defaults import PROGRAM
from generala_cli.errors import Ambiguous, DamagedFile, FileError, NewerFile, NotAllowed, NotFound, UsageError
from generala_cli.messages import FirstWord, Message, lazy, lazy_count
from generala_cli.remedies import in_shell
from generala_cli.rules.catalog import built_in, built_in_names, built_in_text, other_names
from generala_cli.rules.checking import is_id
from generala_cli.rules.option_words import KEY_WORDS, VALUE_WORDS
from generala_cli.rules.options import with_settings_typed
from generala_cli.rules.rulefile import check_rules, problem_lines, rules_toml, why_newer
from generala_cli.rules.ruleset import RuleSet
from generala_cli.store.files import MOVE_IT
from generala_cli.store.house_rules import HouseRules, decoded, parsed, read_text
from generala_cli.store.store import Store
from generala_cli.text import find, find_word, safe

STDIN = "-"
STANDARD_INPUT = lazy("the standard input")
_LONGEST_NAME = 40
_DEVICE = re.compile(r"con|prn|aux|nul|(?:com|lpt)[0-9]")
ReadInput = Callable[[], bytes]
"""Reads the standard input to its end."""


def load_rules(reference: str, house_rules: HouseRules, read_input: ReadInput) -> RuleSet:
    """Return a rule set by its name or title, or a unique prefix of it, by a path, or `-` for the input."""
    shown, text = find_rules(reference, house_rules, read_input)
    return rules_of(text, shown)


def named_or_current_rules(
    store: Store,
    reference: str | None,
    house_rules: HouseRules,
    read_input: ReadInput,
    settings: Sequence[str] = (),
) -> RuleSet:
    """Return the rules by reference, or of the current game, or the default rules, with these settings."""
    if reference is None:
        try:
            return with_settings_typed(store.load(store.find(None)).game.rules, settings)
        except NotFound:
            if store.named is not None:
                raise
            reference = PROGRAM["rules"]
    return with_settings_typed(load_rules(reference, house_rules, read_input), settings)


def find_rules(reference: str, house_rules: HouseRules, read_input: ReadInput) -> tuple[str | Message, str]:
    """Return the displayed name and the TOML text of a rule set, found by name, title, path or `-`."""
    if reference == STDIN:
        return STANDARD_INPUT, decoded(read_input(), STANDARD_INPUT)
    if "/" in reference or reference.endswith(".toml") or "\\" in reference:
        return _read(Path(reference), lazy("give a rule file"))
    own = house_rules.readable_names() if reference in built_in_names() else house_rules.names()
    every = {name: (name,) for name in (*built_in_names(), *other_names(), *own)}
    try:
        name = find(reference, every, "rule set", unlisted={*other_names()} - {*own})
    except NotFound as error:
        if (titled := _with_title(reference)) is None:
            raise NotFound(error.message, _forced_game(reference) or error.hint) from error
        name = titled
    if name in own:
        return _read(house_rules.path(name))
    return name, rules_toml(other_names()[name]) if name in other_names() else built_in_text(name)


def _forced_game(typed: str) -> Message | None:
    """Return a hint for a game's name and "forced", as in *generala obligada*, otherwise nothing."""
    name, _, word = typed.rpartition(" ")
    if not find_word(word, {True: VALUE_WORDS["top-to-bottom"]}):
        return None
    if (rules := _with_title(name) if name else PROGRAM["rules"]) is None:
        return None
    return lazy(
        "that is {rules} with --set {key}={value}",
        rules=rules,
        key=FirstWord(KEY_WORDS["fill-order"]),
        value=FirstWord(VALUE_WORDS["top-to-bottom"]),
    )


def _with_title(typed: str) -> str | None:
    """Return the name of the only built-in game whose title, in any language, begins like this."""
    games = {name: built_in(name) for name in built_in_names()} | {**other_names()}
    titles = {name: (game.title, *(title for _, title in game.titles or ())) for name, game in games.items()}
    with suppress(NotFound, Ambiguous):
        return find(typed, titles, "rule set")
    return None


def _read(path: Path, hint: Message = MOVE_IT) -> tuple[str, str]:
    text = read_text(path, hint)
    if text is None:
        raise NotFound(
            "there is no file {path}",
            in_shell(lazy("generala rules lists the rule sets")),
            path=safe(path),
        )
    return safe(path), text


def rules_of(text: str, shown: str | Message) -> RuleSet:
    """Return the rule set in a text, called `shown` in errors; NewerFile or DamagedFile if invalid."""
    document = parsed(text, shown)
    if newer := why_newer(document):
        raise NewerFile.of(shown, newer)
    rules, problems = check_rules(document)
    if rules is None or problems:
        what = lazy_count("{file} has an error", "{file} has {count:,} errors", len(problems), file=shown)
        raise DamagedFile(what, "fix the file", problem_lines(problems))
    return rules


def usable_names(house_rules: HouseRules) -> tuple[str, ...]:
    """Return the names of all valid rule sets, the player's own last."""
    try:
        own = house_rules.names()
    except FileError:
        own = ()
    built_in = (name for name in built_in_names() if name not in own)
    return (*built_in, *(name for name in own if _is_usable(name, house_rules)))


def _is_usable(name: str, house_rules: HouseRules) -> bool:
    try:
        load_rules(str(house_rules.path(name)), house_rules, bytes)
    except (FileError, NotFound):
        return False
    return True


def check_new_name(name: str, house_rules: HouseRules) -> None:
    """Refuse a name that a house rule set cannot have on every operating system."""
    if not is_name(name):
        raise UsageError(
            "{name!r} is not a name for a rule set",
            "use lower-case letters, digits and hyphens, such as casa",
            name=name,
        )
    if name in built_in_names():
        raise NotAllowed("{name} is a built-in rule set", "choose a different name, such as casa", name=name)
    if _DEVICE.fullmatch(name):
        raise NotAllowed(
            "{name} is a device name on Windows, so no file there can have it",
            "choose a different name, such as casa",
            name=name,
        )
    for other in house_rules.names():
        if other != name == other.casefold():
            raise NotAllowed(
                "{path} already exists, and some disks ignore upper and lower case",
                "rename that file, or choose a different name, such as casa",
                path=safe(house_rules.path(other)),
            )


def is_name(name: str) -> bool:
    return is_id(name) and len(name) <= _LONGEST_NAME


def check_house(name: str, text: str) -> None:
    """Refuse an invalid rule file, or a name that could lead to a different folder."""
    if not is_name(name):
        raise DamagedFile(
            "{name!r} is not a name for a rule set",
            "name it with letters and digits, such as casa",
            name=name,
        )
    rules_of(text, lazy("rules {name}", name=name))
