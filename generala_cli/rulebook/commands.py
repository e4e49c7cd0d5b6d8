from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from generala_cli.cli import completers
from generala_cli.cli.parameters import CheckRoll, Dice, Settings, argument, option
from generala_cli.cli.prompts import ask_yes
from generala_cli.cli.session import Answer, Session, open_house_rules, read_input
from generala_cli.messages import VALUES, lazy, value_message
from generala_cli.text import choose, safe

if TYPE_CHECKING:  # not needed for help
    from rich.console import RenderableType

    from generala_cli.render.screen import Screen
    from generala_cli.rulebook.answers import (
        CheckedFile,
        CheckedHand,
        EditedRules,
        NewRules,
        RuleCard,
        RuleList,
        RulesFolder,
        RulesToml,
    )
    from generala_cli.rulebook.rule_files import AskDraft, LeftDraft

_CHECK_RULES = lazy("The rule set; the default is the current game's, or generala.")
CheckRules = Annotated[str | None, option("--rules", _CHECK_RULES, "NAME|FILE", completers.rule_sets)]
_SHOWN = lazy(
    "A rule set, a unique prefix of its name, or a file; the default is the current game's rule set."
)
MaybeRules = Annotated[str | None, argument("[NAME|FILE]", _SHOWN, completers.rule_sets)]
AsToml = Annotated[bool, option("--toml", "Print the rule file instead.")]
NewName = Annotated[str, argument("NAME", "The name of your rules, such as casa.")]
_FROM = lazy("The rule set to copy; the default is generala.")
From = Annotated[str, option("--from", _FROM, "NAME", completers.rule_sets)]
EditNow = Annotated[bool, option("--edit", "Open it in VISUAL or EDITOR.")]
_OWN = lazy("The name of your rules, or a unique prefix.")
OwnRules = Annotated[str, argument("NAME", _OWN, completers.own_rule_sets)]
_DRAFT = lazy("Continue with the draft of an earlier edit (take), or delete it (drop).")
DraftLeft = Annotated[str | None, option("--draft", _DRAFT, "take|drop")]
_FILE = lazy("A TOML file, - for stdin, or the name of a rule set.")
RulesFile = Annotated[str, argument("FILE|NAME", _FILE, completers.rule_sets)]


def check(
    session: Session,
    dice: Dice,
    roll: CheckRoll = None,
    rules: CheckRules = None,
    settings: Settings = None,
) -> "Answer[CheckedHand]":
    """Show what a hand scores in each category, outside any game."""
    from generala_cli.app.rule_sets import named_or_current_rules
    from generala_cli.game.turnline import TurnLine
    from generala_cli.rulebook.hands import check_hand

    house = named_or_current_rules(session.store, rules, open_house_rules(), read_input, settings or ())
    checked = check_hand(house, TurnLine(words=dice, roll=roll))

    def draw(screen: "Screen") -> "RenderableType":
        from generala_cli.rulebook.drawing import checked_hand

        return checked_hand(checked, house, screen)

    return Answer(draw, lambda: checked)


def rules(session: Session) -> "Answer[RuleList]":
    """Show, copy and check rule sets."""
    return list_(session)


def list_(session: Session) -> "Answer[RuleList]":
    """List the rule sets: the built-in ones and your own."""
    from generala_cli.rulebook.listing import rule_list

    return Answer.of_document(rule_list(open_house_rules())).long()


def show(
    session: Session, name: MaybeRules = None, toml: AsToml = False, settings: Settings = None
) -> "Answer[RuleCard | RulesToml]":
    """Show the rules of a game: the categories with their points, the options, and the source.

    Without NAME, show the rules of the current game, with its options.
    """
    from generala_cli.app.rule_sets import find_rules, named_or_current_rules
    from generala_cli.rulebook.answers import RulesToml
    from generala_cli.rulebook.cards import rule_card
    from generala_cli.rules.rulefile import rules_toml

    if toml and name is not None and not settings:
        source = find_rules(name, open_house_rules(), read_input)[1]
        source = source.replace("\r\n", "\n")  # the output decides the line endings
        return Answer.of_document(RulesToml(toml=source)).long()
    shown = named_or_current_rules(session.store, name, open_house_rules(), read_input, settings or ())
    if toml:
        return Answer.of_document(RulesToml(toml=rules_toml(shown))).long()

    def draw(screen: "Screen") -> "RenderableType":
        from generala_cli.rulebook import drawing

        return drawing.rule_card(shown, screen)

    return Answer(draw, lambda: rule_card(shown)).long()


def new(
    session: Session, name: NewName, source: From = "generala", edit_now: EditNow = False
) -> "Answer[NewRules | EditedRules]":
    """Create your own rules: a copy of a rule set, with comments that explain every key."""
    from generala_cli.rulebook.rule_files import new_rules

    written = new_rules(name, source, open_house_rules(), read_input, dry_run=session.dry_run)
    if edit_now and not session.dry_run:
        return edit(session, name)
    return session.as_change(Answer.of_document(written))


def edit(session: Session, name: OwnRules, draft: DraftLeft = None) -> "Answer[EditedRules]":
    """Edit your own rules in VISUAL or EDITOR, and save the change if it has no errors.

    A change with errors is kept next to the file; the next edit offers to continue with it.
    """
    from generala_cli.rulebook.rule_files import edit_rules

    offer = _offer(session, draft)
    edited = edit_rules(name, open_house_rules(), offer=offer, dry_run=session.dry_run)
    return session.as_change(Answer.of_document(edited))


def _offer(session: Session, draft: str | None) -> "AskDraft | None":
    if draft is not None:
        chosen = choose(draft, ("take", "drop"), "draft", VALUES)
        return lambda _: "take" if chosen == "take" else "drop"
    if not session.can_ask:
        return None

    def ask(left: Path) -> "LeftDraft":
        goes_on = ask_yes(lazy("Continue with the draft in {file}?", file=safe(left)))
        return "take" if goes_on else "leave"

    return ask


def check_file(session: Session, file: RulesFile) -> "Answer[CheckedFile]":
    """Check a rule file. List every error with its place and the correct form."""
    from generala_cli.app.rule_sets import find_rules, rules_of
    from generala_cli.rulebook.answers import CheckedFile

    shown, source = find_rules(file, open_house_rules(), read_input)
    found = rules_of(source, shown)
    checked = CheckedFile(file=value_message(shown), rules=found.name)

    def draw(_: "Screen") -> "RenderableType":
        from generala_cli.rulebook.drawing import checked_file

        return checked_file(checked, found)

    return Answer(draw, lambda: checked)


def path(session: Session) -> "Answer[RulesFolder]":
    """Show where your rule files are stored."""
    from generala_cli.rulebook.answers import RulesFolder

    return Answer.of_document(RulesFolder(path=str(open_house_rules().directory)))
