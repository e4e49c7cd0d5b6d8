"""check, and the group rules: list, show, new, edit, check, path."""

import typer

from generala_cli.app import rulebook
from generala_cli.app.checking import rules_to_check
from generala_cli.app.typed import Hand
from generala_cli.cli.commands import COMMANDS
from generala_cli.cli.groups import RulesGroup, examples, new_app
from generala_cli.cli.more_parameters import (
    AsToml,
    CheckRules,
    EditNow,
    From,
    MaybeRules,
    NewRulesName,
    RulesFile,
    RulesName,
)
from generala_cli.cli.parameters import Dice, Roll
from generala_cli.cli.session import Answer, Session, drawn_by, read_input, told_by
from generala_cli.errors import Mistyped
from generala_cli.store.trouble import printable

Result = tuple[Answer, Session]


def check(context: typer.Context, dice: Dice, roll: Roll = None, rules: CheckRules = None) -> Result:
    """Tell what a hand is worth in every category, in no game at all."""
    session = Session.of(context)
    house = rules_to_check(session.store, rules, session.houses, read_input)
    checked = rulebook.check_hand(house, Hand(dice=dice, roll=roll))
    return Answer(text=drawn_by("rulecards.check", checked), document=told_by("check", checked)), session


rules = new_app(RulesGroup, "Show, copy and check rule sets.", examples(COMMANDS["rules"]))


@rules.callback()
def _rules(context: typer.Context) -> Result | None:
    """Show, copy and check rule sets. By itself it lists them.

    A house's own rules are TOML files in the configuration folder; generala rules new writes one.
    """
    return None if context.invoked_subcommand is not None else list_(context)


def list_(context: typer.Context) -> Result:
    """List the rule sets, built in and your own."""
    session = Session.of(context)
    found = rulebook.rule_lines(session.houses)
    return Answer(text=drawn_by("rulecards.rule_list", found), document=told_by("rule_list", found)), session


def show(context: typer.Context, name: MaybeRules = None, toml: AsToml = False) -> Result:
    """Tell how a game is played: what each category asks and pays, its options, its source.

    Without NAME it is the current game, with the options it is played with.
    """
    session = Session.of(context)
    if toml:
        if name is None:
            raise Mistyped("no rule set is named", "type generala rules show NAME --toml")
        source = rulebook.rules_text(name, session.houses, read_input)
        return Answer(text=lambda _: source, document=lambda: {"toml": source}), session
    shown = rules_to_check(session.store, name, session.houses, read_input)
    return Answer(text=drawn_by("rulecards.rule_card", shown), document=told_by("rule_card", shown)), session


def new(
    context: typer.Context, name: NewRulesName, source: From = "generala", edit_now: EditNow = False
) -> Result:
    """Write rules of your own: a copy of other ones, with every key explained, ready to edit."""
    session = Session.of(context)
    path = rulebook.new_rules(name, source, session.houses, read_input, dry_run=session.dry_run)
    if edit_now and not session.dry_run:
        return edit(context, name)
    verb = "would write" if session.dry_run else "written:"
    said = f"{verb} {printable(path)}\n  generala rules check {name}\n"
    document = {"rules": name, "path": str(path), "saved": not session.dry_run}
    return session.news(lambda _: said, lambda: document), session


def edit(context: typer.Context, name: RulesName) -> Result:
    """Open rules of your own in VISUAL or EDITOR, and take the change if there is no error in it.

    A change with errors is refused and kept beside the file; editing again takes it up.
    """
    from generala_cli.app.editing import edit_rules

    session = Session.of(context)
    path = edit_rules(name, session.houses, dry_run=session.dry_run)
    document = {"rules": name, "path": str(path), "saved": not session.dry_run}
    verb = "would open" if session.dry_run else "saved:"
    return session.news(lambda _: f"{verb} {printable(path)}\n", lambda: document), session


def check_file(context: typer.Context, file: RulesFile) -> Result:
    """Report all that is wrong with a rule file, each with its place and what would be right."""
    session = Session.of(context)
    shown, found = rulebook.check_file(file, session.houses, read_input)
    many = len(found.categories)
    said = f"{shown} is in order: {found.title}, {many} {'category' if many == 1 else 'categories'}\n"
    document: dict[str, object] = {"file": shown, "rules": found.name, "problems": []}
    return Answer(text=lambda _: said, document=lambda: document), session


def path(context: typer.Context) -> Result:
    """Tell where your own rules are kept."""
    session = Session.of(context)
    folder = session.houses.directory
    return Answer(text=lambda _: f"{printable(folder)}\n", document=lambda: {"path": str(folder)}), session
