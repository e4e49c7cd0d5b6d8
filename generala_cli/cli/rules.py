"""check, and the group rules: list, show, new, edit, check, path."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from generala_cli.cli import completers
from generala_cli.cli.asking import ask_yes
from generala_cli.cli.lazy import app, documents, render
from generala_cli.cli.parameters import CheckRoll, Dice, Settings, argument, option, written
from generala_cli.cli.session import Answer, Session, open_house_rules, read_input
from generala_cli.messages import CommandLine, tell, tell_count
from generala_cli.render.language import said
from generala_cli.text import choose, safe

if TYPE_CHECKING:  # only the schema of an answer asks for its class
    from generala_cli.render.documents.rules import (
        CheckDocument,
        RuleCardDocument,
        RuleFileDocument,
        RulesCheckDocument,
        RulesDocument,
        RulesFolderDocument,
        TomlDocument,
    )

_CHECK_RULES = tell("By default the rules of the current game, else generala.")
CheckRules = Annotated[str | None, option("--rules", _CHECK_RULES, "NAME|FILE", completers.rule_sets)]
_SHOWN = tell("A rule set, or the start of its name; or a file. By default the current game's.")
MaybeRules = Annotated[str | None, argument("[NAME|FILE]", _SHOWN, completers.rule_sets)]
AsToml = Annotated[bool, option("--toml", "Print its file instead.")]
NewRules = Annotated[str, argument("NAME", "What to call your rules, as casa.")]
_FROM = tell("The rule set to begin with; by default generala.")
From = Annotated[str, option("--from", _FROM, "NAME", completers.rule_sets)]
EditNow = Annotated[bool, option("--edit", "Open it in VISUAL or EDITOR.")]
_OWN = tell("Rules of yours, or the start of their name.")
OwnRules = Annotated[str, argument("NAME", _OWN, completers.own_rule_sets)]
_DRAFT = tell("What to do with a draft left by an earlier edit: take it up, or drop it for ever.")
DraftLeft = Annotated[str | None, option("--draft", _DRAFT, "take|drop")]
_FILE = tell("A TOML file, - for stdin, or the name of a rule set.")
RulesFile = Annotated[str, argument("FILE|NAME", _FILE, completers.rule_sets)]


def check(
    session: Session,
    dice: Dice,
    roll: CheckRoll = None,
    rules: CheckRules = None,
    settings: Settings = None,
) -> "Answer[CheckDocument]":
    """Show what a hand is worth in every category, in no game at all."""
    house = app.rulebook.rules_to_check(session.store, rules, open_house_rules(), read_input, settings or ())
    from generala_cli.game.turnline import TurnLine  # help reads no line

    checked = app.rulebook.check_hand(house, TurnLine(words=dice, roll=roll))
    return Answer.of(checked, render.rulecards.check, documents.rules.check)


def rules(session: Session) -> "Answer[RulesDocument]":
    """Show, copy and check rule sets."""
    return list_(session)


def list_(session: Session) -> "Answer[RulesDocument]":
    """List the rule sets, built in and your own."""
    found = app.rulebook.rule_lines(open_house_rules())
    return Answer.of(found, render.rulecards.rule_list, documents.rules.rule_list).long()


def show(
    session: Session, name: MaybeRules = None, toml: AsToml = False, settings: Settings = None
) -> "Answer[RuleCardDocument | TomlDocument]":
    """Show how a game is played: what each category asks and pays, its options, its source.

    Without NAME it is the current game, with the options it is played with.
    """
    if toml and name is not None and not settings:
        source = app.rulebook.find_rules(name, open_house_rules(), read_input)[1]
        source = source.replace("\r\n", "\n")  # lines end as where they are written to
    else:
        found = app.rulebook.rules_to_check(
            session.store, name, open_house_rules(), read_input, settings or ()
        )
        if not toml:
            return Answer.of(found, render.rulecards.rule_card, documents.rules.rule_card).long()
        from generala_cli.rules.rulefile import rules_toml  # help reads no TOML

        source = rules_toml(found)
    return Answer.of_text(source, documents.rules.TomlDocument, toml=source).long()


def new(
    session: Session, name: NewRules, source: From = "generala", edit_now: EditNow = False
) -> "Answer[RuleFileDocument]":
    """Write rules of your own: a copy of other ones, with every key explained, ready to edit."""
    path = app.rulebook.new_rules(name, source, open_house_rules(), read_input, dry_run=session.dry_run)
    if edit_now and not session.dry_run:
        return edit(session, name)
    text = said(written(path, is_done=not session.dry_run))
    check = said(CommandLine(f"generala rules check {name}"))
    return _file(session, name, path, f"{text}\n  {check}\n")


def edit(session: Session, name: OwnRules, draft: DraftLeft = None) -> "Answer[RuleFileDocument]":
    """Open rules of your own in VISUAL or EDITOR, and take the change if there is no error in it.

    A change with errors is refused and kept beside the file; the next edit offers to take it up.
    """
    path = app.rulebook.edit_rules(
        name, open_house_rules(), offer=_offer(session, draft), dry_run=session.dry_run
    )
    text = tell("would open {file}" if session.dry_run else "saved: {file}", file=safe(path))
    return _file(session, name, path, f"{said(text)}\n")


def _offer(session: Session, draft: str | None) -> "app.rulebook.AskDraft | None":
    """Return how to decide about a draft left by an earlier edit: by the option, else by a question."""
    if draft is not None:
        chosen = choose(draft, ("take", "drop"), "draft")
        return lambda _: "take" if chosen == "take" else "drop"
    if not session.can_ask:
        return None

    def ask(left: Path) -> "app.rulebook.LeftDraft":
        goes_on = ask_yes(tell("Go on with the draft that was left in {file}?", file=safe(left)))
        return "take" if goes_on else "leave"

    return ask


def check_file(session: Session, file: RulesFile) -> "Answer[RulesCheckDocument]":
    """Report all that is wrong with a rule file, each with its place and what would be right."""
    shown, source = app.rulebook.find_rules(file, open_house_rules(), read_input)
    found = app.rulebook.rules_of(source, shown)
    text = tell_count(
        "{file} is in order: {rules}, {count} category",
        "{file} is in order: {rules}, {count} categories",
        len(found.categories),
        file=shown,
        rules=found,
    )
    return Answer.of_text(f"{said(text)}\n", documents.rules.RulesCheckDocument, file=shown, rules=found.name)


def path(session: Session) -> "Answer[RulesFolderDocument]":
    """Show where your own rules are kept."""
    folder = open_house_rules().directory
    return Answer.of_text(f"{safe(folder)}\n", documents.rules.RulesFolderDocument, path=str(folder))


def _file(session: Session, name: str, path: Path, text: str) -> "Answer[RuleFileDocument]":
    saved = not session.dry_run
    return session.as_change(
        Answer.of_text(text, documents.rules.RuleFileDocument, rules=name, path=str(path), saved=saved)
    )
