"""Typer commands, built on demand from the table of commands, with the shared options."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct

from generala_cli import __version__
from generala_cli.cli.combining import check_combination
from generala_cli.cli.commands import COMMANDS, ROOT
from generala_cli.cli.completers import among, games, spoken_languages
from generala_cli.cli.first_word import command_with_prefix, no_command_error, read_line, rule_set_names
from generala_cli.cli.helppages import ExplainedCommand, ExplainedGroup, help_width
from generala_cli.cli.output import fitted_rows
from generala_cli.cli.parameters import option
from generala_cli.cli.session import Answer, Session, name_game_in_hints
from generala_cli.cli.turn_line import COLOR, DRY_RUN, GAME, JSON, LANGUAGE, QUIET
from generala_cli.cli.typer_private import USAGE_ERROR
from generala_cli.cli.usage import extra_arguments, nearest, nearest_command
from generala_cli.errors import UsageError
from generala_cli.messages import CommandLine, lazy, listing
from generala_cli.packages import Command
from generala_cli.render.language import translated
from generala_cli.render.screen import COLOR_CHOICES, UNLIMITED

if TYPE_CHECKING:  # at run time, only `generala schema` needs these
    from rich.console import RenderableType

    from generala_cli.render.documents import VersionDocument
    from generala_cli.render.documents.sheet import NoGameDocument, SheetDocument
    from generala_cli.render.screen import Screen

_SHARED: Mapping[str, tuple[Any, object]] = {
    "named_game": (Annotated[str | None, option(*GAME, games)], None),
    "json": (Annotated[bool, option(*JSON)], False),
    "dry_run": (Annotated[bool, option(*DRY_RUN)], False),
    "quiet": (Annotated[bool, option(*QUIET)], False),
    "no_pager": (Annotated[bool, option("--no-pager", "Do not use a pager for long output.")], False),
    "color": (
        Annotated[str | None, option(*COLOR, among(*COLOR_CHOICES))],
        None,
    ),
    "language": (Annotated[str | None, option(*LANGUAGE, spoken_languages)], None),
}

_FIRST_STEPS = lazy(
    """\
No game yet. Start one:

  generala new Ana Beto Cora                    Generala, for points
  generala new Ana Beto --rules general --stake 0.01 --unit USD

Then enter the dice on the table:

  generala 55533 1                              1: finished on the first throw

generala rules lists the rule sets, generala -h the commands.
"""
)
ShowVersion = Annotated[bool, option("--version -V", "Show the version.")]


def glance(
    session: Session, version: ShowVersion = False
) -> "Answer[SheetDocument | NoGameDocument | VersionDocument]":
    """Keep score of Generala and its family, played with real dice.

    Type what the dice show. generala checks the category, adds the first-throw bonus, keeps the sheet,
    knows whose turn it is, and shows who owes whom. Without a command, it shows the current game.
    """
    if version:
        return Answer.of_text(f"generala {__version__}\n", _version)
    from generala_cli.store.game_lists import open_or_none

    stored = open_or_none(session.store)
    if stored is None:
        return Answer(_first_steps, _no_game)

    def draw(screen: "Screen") -> "RenderableType":
        from generala_cli.render.tables import glance

        return glance(stored, screen)

    def document() -> "SheetDocument":
        from generala_cli.render.documents.sheet import sheet

        return sheet(stored)

    return Answer(draw, document)


def _first_steps(screen: "Screen") -> str:
    text = translated(_FIRST_STEPS)
    return text if screen.width == UNLIMITED else fitted_rows(text)


def _version() -> "VersionDocument":
    from generala_cli.render.documents import VersionDocument

    return VersionDocument(generala=__version__)


def _no_game() -> "NoGameDocument":
    from generala_cli.render.documents.sheet import NoGameDocument

    return NoGameDocument(game=None, hint="generala new NAME NAME")


def with_shared_options(function: Callable[..., Answer[Struct]], command: Command) -> Callable[..., object]:
    """Return the command with the shared options in place of its `session` parameter."""

    def run(context: typer.Context, **given: Any) -> tuple[Answer[Struct], Session] | None:
        shared = context.meta.setdefault(
            "generala", {name: default for name, (_, default) in _SHARED.items()}
        )
        # Options before the name of a command apply to it, too.
        own = {name: given.pop(name) for name in _SHARED if name in given}
        shared.update({name: value for name, value in own.items() if value not in (None, False)})
        if shared["color"] not in (None, *COLOR_CHOICES):
            choice = shared["color"]
            hint = nearest(choice, COLOR_CHOICES) or lazy("choose from {names}", names=listing(COLOR_CHOICES))
            raise UsageError(lazy("{choice!r} is not a valid value for --color", choice=choice), hint)
        if context.invoked_subcommand is not None:
            return None
        check_combination(context, command)
        if shared["named_game"] is not None and not command.of_game:
            what = lazy("{command} does not take --game", command=CommandLine(context.info_name or ""))
            raise UsageError(what, "remove --game")
        session = Session(context=context, **shared)
        session.agree_on_game(given.get("game"))
        if command.of_game and not command.runs_on:
            name_game_in_hints(given.get("game") or session.named_game)
        return function(session, **given), session

    left_out = {
        "dry_run": not command.writes,
        "no_pager": command.writes,
        "named_game": not command.of_game,
    }
    own = [parameter for name, parameter in signature(function).parameters.items() if name != "session"]
    more = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, (annotation, default) in _SHARED.items()
        if not left_out.get(name)
    ]
    first = Parameter("context", Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
    run.__signature__ = signature(run).replace(parameters=[first, *own, *more])  # type: ignore[attr-defined]
    run.__doc__ = function.__doc__
    return run


class SingleCommand(ExplainedCommand):
    """A command that reads `-5` as a negative number, not as an option."""

    allow_extra_args = True  # this class rejects them in our own words

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        try:
            rest = super().parse_args(ctx, list(args))
        except USAGE_ERROR as error:
            if not str(getattr(error, "option_name", "")).lstrip("-").isdecimal():
                raise
            ctx.ignore_unknown_options = True
            rest = super().parse_args(ctx, list(args))
        if rest and not ctx.resilient_parsing:
            raise extra_arguments(ctx, rest)
        return rest


class LazyGroup(ExplainedGroup):
    """A group that imports a command only when it runs."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.table)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return build(cmd_name, self.table[cmd_name]) if cmd_name in self.table else None

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[Any, Any, list[str]]:
        """Return the command for the first word, or raise UsageError with the nearest name."""
        if args[0].startswith("-"):
            return super().resolve_command(ctx, args)
        return super().resolve_command(ctx, [*self.named_command(args, ctx.params.get("named_game"))])

    def named_command(self, words: Sequence[str], named_game: str | None = None) -> tuple[str, ...]:
        if self.table is COMMANDS:
            return read_line(words, named_game)
        if found := command_with_prefix(words, self.table):
            return found
        first, takes_rules = words[0], self.row.takes_rules
        if takes_rules and first.casefold() in rule_set_names():
            return takes_rules, *words  # rules kniffel
        near = nearest(first, rule_set_names()) if takes_rules else lazy("")
        raise no_command_error(first, near or nearest_command(first, self.table))


def build(name: str, command: Command) -> Any:
    module, _, function = command.place.partition(":")
    found = getattr(import_module(f"generala_cli.{module}"), function)
    run = with_shared_options(found, command)
    # Our own completion (completions/) replaces Typer's, and help is plain text.
    settings = {"help_option_names": ["-h", "--help"], "terminal_width": help_width()}
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    if command.commands is None:
        app.command(name, cls=SingleCommand, context_settings=settings)(run)
    else:
        app.callback(cls=LazyGroup, invoke_without_command=True, context_settings=settings)(run)
    built: Any = typer.main.get_command(app)
    built.row, built.table = command, command.commands
    return built


root = partial(build, "generala", ROOT)
