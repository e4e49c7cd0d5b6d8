"""Rule sets: the built-in ones, the player's own and how they are edited, and what a hand is worth by one."""

import os
import re
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from msgspec import UNSET, Struct
from msgspec.structs import replace

from generala_cli.app.defaults import PROGRAM
from generala_cli.app.programs import words_of
from generala_cli.errors import DamagedFile, FileTrouble, GeneralaError, Mistyped, NotAllowed, NotFound
from generala_cli.game.starting import MOST_PLAYERS
from generala_cli.game.turn import check_throw
from generala_cli.game.turnline import TurnLine, parse
from generala_cli.messages import Message, tell, tell_count, value_message
from generala_cli.rules.catalog import built_in, built_in_names, built_in_text, guide
from generala_cli.rules.checking import is_id
from generala_cli.rules.dice import Dice
from generala_cli.rules.options import with_settings_typed
from generala_cli.rules.rulefile import check_rules, problem_lines, rules_toml
from generala_cli.rules.ruleset import Category, RuleSet, can_win_instantly, worth
from generala_cli.store.files import write_whole
from generala_cli.store.house_rules import HouseRules, decoded, parsed, read_text, taken
from generala_cli.store.store import Store
from generala_cli.text import find, safe

STDIN = "-"
STANDARD_INPUT = tell("the standard input")
_LONGEST_NAME = 40
_COLUMNS = 4
_DEVICE = re.compile(r"con|prn|aux|nul|(?:com|lpt)[0-9]")
ReadInput = Callable[[], bytes]
"""Reads the standard input to its end."""
LeftDraft = Literal["take", "drop", "leave"]
"""Whether to go on with a draft that an earlier edit left behind, to delete it, or to begin beside it."""
AskDraft = Callable[[Path], LeftDraft]


class RuleSetEntry(Struct, frozen=True, kw_only=True):
    """A rule set in the list: built in, or the player's own, which may be unreadable (`problem`)."""

    name: str
    title: str | Message
    source: str
    path: Path | None
    problem: str | Message = ""


class CheckedHand(Struct, frozen=True, kw_only=True):
    """The worth of a hand in every category, which is 0 where it does not fit."""

    rules: RuleSet
    dice: Dice
    roll: int
    instant_win: bool
    worths: tuple[tuple[Category, int], ...]


class BlankSheet(Struct, frozen=True, kw_only=True):
    """An empty sheet to print, by certain rules, with a column for each player."""

    rules: RuleSet
    columns: int


def rule_lines(house_rules: HouseRules) -> tuple[RuleSetEntry, ...]:
    """Return every rule set there is; the player's own file replaces a built-in one of its name."""
    own = house_rules.names()
    built_in_rules = [built_in(name) for name in built_in_names() if name not in own]
    lines = [
        RuleSetEntry(name=rules.name, title=value_message(rules), source=rules.source, path=None)
        for rules in built_in_rules
    ]
    for name in own:
        path = house_rules.path(name)
        try:
            rules = load_rules(str(path), house_rules, bytes)
        except (FileTrouble, NotFound) as error:
            lines.append(RuleSetEntry(name=name, title="", source="", path=path, problem=error.message))
        else:
            lines.append(RuleSetEntry(name=name, title=value_message(rules), source=rules.source, path=path))
    return tuple(lines)


def load_rules(reference: str, house_rules: HouseRules, read_input: ReadInput) -> RuleSet:
    """Return a rule set by its name or an unambiguous start of it, by the path of a file, or from `-`."""
    shown, text = find_rules(reference, house_rules, read_input)
    return rules_of(text, shown)


def rules_to_check(
    store: Store,
    reference: str | None,
    house_rules: HouseRules,
    read_input: ReadInput,
    settings: Sequence[str] = (),
) -> RuleSet:
    """Return the rules named, else the game's that is meant, else the program's default; changed so."""
    if reference is None:
        try:
            return with_settings_typed(store.load(store.find(None)).game.rules, settings)
        except NotFound:
            if store.named is not None:
                raise
            reference = PROGRAM["rules"]
    return with_settings_typed(load_rules(reference, house_rules, read_input), settings)


def blank_sheet(
    store: Store,
    game: str | None,
    rules: str | None,
    house_rules: HouseRules,
    read_input: ReadInput,
    *,
    players: int | None = None,
) -> BlankSheet:
    """Return an empty sheet by the rules named, or those of a game: the current one where none is named."""
    if game is not None and rules is not None:
        raise Mistyped("a blank sheet is by the rules of a game or by those named", "leave one of them out")
    if players is not None and not 1 <= players <= MOST_PLAYERS:
        raise Mistyped(
            "a sheet cannot have {columns} columns",
            "say --players 1 to {most}",
            columns=players,
            most=MOST_PLAYERS,
        )
    found = (
        rules_to_check(store, rules, house_rules, read_input) if game is None else store.open(game).game.rules
    )
    return BlankSheet(rules=found, columns=players or _COLUMNS)


def find_rules(reference: str, house_rules: HouseRules, read_input: ReadInput) -> tuple[str | Message, str]:
    """Return the name of a rule set, as it is shown, and its TOML text; found by name, path, or from `-`."""
    if reference == STDIN:
        return STANDARD_INPUT, decoded(read_input(), STANDARD_INPUT)
    if "/" in reference or reference.endswith(".toml") or "\\" in reference:
        return _read(Path(reference))
    own = house_rules.names()
    name = find(reference, {name: (name,) for name in (*built_in_names(), *own)}, "rule set")
    return _read(house_rules.path(name)) if name in own else (name, built_in_text(name))


def rules_of(text: str, shown: str | Message) -> RuleSet:
    """Return the rule set in the text of a file, `shown` as that; DamagedFile has the first errors in it."""
    rules, problems = check_rules(parsed(text, shown))
    if rules is None or problems:
        what = tell_count("{file} has an error", "{file} has {count:,} errors", len(problems), file=shown)
        raise DamagedFile(what, "fix the file", problem_lines(problems))
    return rules


def new_rules(
    name: str, source: str, house_rules: HouseRules, read_input: ReadInput, *, dry_run: bool = False
) -> Path:
    """Write a rule file of the player's own, a copy of another rule set with every key explained.

    Raises Mistyped where the name cannot be used, and NotAllowed where it is taken.
    """
    check_new_name(name, house_rules)
    rules = load_rules(source, house_rules, read_input)
    named = replace(rules, name=name, title=name.replace("-", " ").title(), titles=UNSET)
    if house_rules.path(name).exists():
        raise taken(house_rules.path(name))
    text = guide().format(name=name, source=source) + rules_toml(named)
    return house_rules.path(name) if dry_run else house_rules.create(name, text)


def check_new_name(name: str, house_rules: HouseRules) -> None:
    """Refuse a name that a rule set of the player's own cannot have, on whatever machine."""
    if not is_name(name):
        raise Mistyped(
            "{name!r} is not a name for a rule set",
            "use lower-case letters, digits and hyphens, as casa",
            name=name,
        )
    if name in built_in_names():
        raise NotAllowed("{name} is a built-in rule set", "give yours a name of its own, as casa", name=name)
    if _DEVICE.fullmatch(name):
        raise NotAllowed(
            "{name} is the name of a device on Windows, where no file can have it",
            "give yours another name, as casa",
            name=name,
        )
    for other in house_rules.names():
        if other != name == other.casefold():
            raise NotAllowed(
                "{path} is there already, and not every disk tells capitals apart",
                "rename that file, or give yours another name, as casa",
                path=safe(house_rules.path(other)),
            )


def is_name(name: str) -> bool:
    """Whether it can name a rule set of the player's own, and its file."""
    return is_id(name) and len(name) <= _LONGEST_NAME


def check_house(name: str, text: str) -> None:
    """Refuse a rule file that nobody can play by, or whose name would lead to another folder."""
    if not is_name(name):
        raise DamagedFile(
            "{name!r} is not a name for a rule set", "call it by letters and digits, as casa", name=name
        )
    rules_of(text, tell("rules {name}", name=name))


def check_hand(rules: RuleSet, line: TurnLine) -> CheckedHand:
    """Return what a hand is worth in every category, on an empty sheet."""
    turn = parse(line, rules, is_throw_asked=True)
    dice, roll = turn.hand, turn.roll or rules.throws
    if not rules.has_spares:  # an empty sheet may have saved any number of them
        check_throw(roll, rules)
    worths = ((category, worth(rules, category, dice, roll)) for category in rules.categories)
    return CheckedHand(
        rules=rules,
        dice=dice,
        roll=roll,
        instant_win=can_win_instantly(rules, dice, roll),
        worths=tuple(worths),
    )


def _read(path: Path) -> tuple[str, str]:
    text = read_text(path)
    if text is None:
        raise NotFound(
            "there is no file {path}", "generala rules lists the rule sets there are", path=safe(path)
        )
    return safe(path), text


def edit_rules(
    wanted: str,
    house_rules: HouseRules,
    *,
    environment: Mapping[str, str] = os.environ,
    offer: AskDraft | None = None,
    dry_run: bool = False,
) -> Path:
    """Open a rule set of the player's own in an editor, check it, and put it in place.

    Every edit has a draft of its own, beside the file. Where it is not put in place it is kept, and `offer`
    asks at the next edit whether to go on with it; without that there is no next edit until it is gone.
    """
    own = {name: (name,) for name in house_rules.names()}
    if not own:
        raise NotFound(
            "you have no rules of your own yet", "generala rules new {name} writes some to edit", name=wanted
        )
    name = find(wanted, own, "rule set of yours")
    path = house_rules.path(name)
    if dry_run:
        return path
    editor = _editor(environment)
    before = read_text(path) or ""
    draft = _left_draft(name, house_rules, before, offer) or house_rules.new_draft(name, before)
    _open_in(editor, draft)
    try:
        text = read_text(draft)
        if text is None:
            raise NotFound("there is no draft {path} any more", path=safe(draft))
        rules_of(text, safe(draft))
    except GeneralaError as error:
        kept = tell("the file is as it was; generala rules edit {name} takes your change up again", name=name)
        raise type(error)(error.message, kept, error.details) from error
    if read_text(path) != before:
        what = tell("{path} was changed meanwhile", path=safe(path))
        raise NotAllowed(what, _kept_in(draft))
    write_whole(path, text)
    draft.unlink()
    return path


def _left_draft(name: str, house_rules: HouseRules, before: str, offer: AskDraft | None) -> Path | None:
    """Return the draft of an earlier edit to go on with; another one stays, unless it is dropped."""
    for draft in house_rules.drafts(name):
        if read_text(draft) == before:
            draft.unlink()
            continue
        if offer is None:
            raise NotAllowed(
                "a draft of {name} was left by an earlier edit: {path}",
                "generala rules edit {name} --draft take goes on with it, --draft drop deletes it",
                name=name,
                path=safe(draft),
            )
        chosen = offer(draft)
        if chosen == "take":
            return house_rules.take_up(draft, name)
        if chosen == "drop":
            draft.unlink()
    return None


def _editor(environment: Mapping[str, str]) -> list[str]:
    """Return the editor's command: VISUAL beats EDITOR; either may have arguments, as `code --wait`."""
    for variable in ("VISUAL", "EDITOR"):
        if command := environment.get(variable, "").strip():
            try:
                return words_of(command)
            except ValueError as error:
                raise NotAllowed(
                    "{variable} cannot be read: {reason}",
                    "close its quotes",
                    variable=variable,
                    reason=str(error),
                ) from error
    raise NotAllowed("no editor is set", "set VISUAL or EDITOR, as EDITOR=nano")


def _open_in(editor: list[str], draft: Path) -> None:
    try:
        code = subprocess.run([*editor, str(draft)], check=False).returncode  # noqa: S603 - the user's own
    except OSError as error:
        raise FileTrouble(
            "the editor '{editor}' cannot be started ({reason})",
            "set EDITOR to another",
            editor=editor[0],
            reason=error.strerror,
        ) from error
    if code:
        what = tell("the editor '{editor}' ended with {code}", editor=editor[0], code=code)
        raise NotAllowed(what, _kept_in(draft))


def _kept_in(draft: Path) -> Message:
    return tell("your change is kept in {path}", path=safe(draft))
