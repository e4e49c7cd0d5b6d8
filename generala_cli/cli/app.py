"""Typer commands made from the table when they are wanted, with the options that all of them take."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from inspect import Parameter, signature
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from generala_cli import __version__
from generala_cli.cli.commands import COMMANDS, ROOT, Command
from generala_cli.cli.completers import among, games, spoken_languages
from generala_cli.cli.parameters import LABELLED, option
from generala_cli.cli.rendering import documents, tables
from generala_cli.cli.session import Answer, Session
from generala_cli.errors import Mistyped
from generala_cli.render.screen import COLOR_CHOICES
from generala_cli.rules.dice import is_dice
from generala_cli.text import listed

USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]
"""What typer raises for a command line it cannot read, wherever this version of it keeps the class."""

_SETTINGS = {"help_option_names": ["-h", "--help"]}
_COLORS = "|".join(COLOR_CHOICES)
_COLOR = "Colour the answer; by default on a terminal."
_LANGUAGE = "The language of the answer, as es; by default yours."
_GAME = f"{LABELLED}; by default GENERALA_GAME, or the current one."
_DRY_RUN = "Show what would change, and change nothing."
_SHARED: Mapping[str, tuple[Any, object]] = {
    "named_game": (Annotated[str | None, option("--game", _GAME, "GAME", games)], None),
    "json": (Annotated[bool, option("--json", "Answer with one JSON document.")], False),
    "dry_run": (Annotated[bool, option("--dry-run -n", _DRY_RUN)], False),
    "quiet": (Annotated[bool, option("--quiet -q", "Do not say what was changed.")], False),
    "no_pager": (Annotated[bool, option("--no-pager", "Write a long answer at once.")], False),
    "color": (
        Annotated[str | None, option("--color", _COLOR, _COLORS, among(*COLOR_CHOICES))],
        None,
    ),
    "language": (Annotated[str | None, option("--language", _LANGUAGE, "CODE", spoken_languages)], None),
}
"""The options of every command, and what they are when they are not given.

`--dry-run` is for writes, `--no-pager` for the others, `--game` for what is about one game.
"""

_FIRST_STEPS = """\
No game yet. Start one:

  generala new Ana Beto Cora                    Generala, for points
  generala new Ana Beto --rules general --stake 0.01 --unit USD

Then, with the dice on the table:

  generala 55533 1                              1: the throw it was finished on

The rule sets are listed by generala rules, the commands by generala -h.
"""
ShowVersion = Annotated[bool, option("--version", "Show the version.")]


def glance(session: Session, version: ShowVersion = False) -> Answer:
    """Keep score of Generala and its family, played with real dice.

    Type what the dice show; generala checks the category, adds the first-throw bonus, keeps the sheet,
    knows whose turn it is, and says who owes whom. By itself it shows the current game.
    """
    if version:
        return Answer.said(f"generala {__version__}\n", documents.Version, generala=__version__)
    from generala_cli.app import views  # every command and every help is below this one

    stored = views.glance(session.store)
    if stored is None:
        return Answer.said(_FIRST_STEPS, documents.game.NoGame, game=None, hint="generala new NAME NAME")
    return Answer.of(stored, tables.glance, documents.game.sheet)


def with_shared_options(function: Callable[..., Answer], command: Command) -> Callable[..., object]:
    """The same command, which takes the shared options in place of the session that they make."""

    def run(context: typer.Context, **given: Any) -> tuple[Answer, Session] | None:
        shared = context.meta.setdefault(
            "generala", {name: default for name, (_, default) in _SHARED.items()}
        )
        # What was said before the name of a command holds for it too.
        said = {name: given.pop(name) for name in _SHARED if name in given}
        shared.update({name: value for name, value in said.items() if value not in (None, False)})
        if shared["color"] not in (None, *COLOR_CHOICES):
            hint = nearest(shared["color"], COLOR_CHOICES) or f"choose from {listed(COLOR_CHOICES)}"
            raise Mistyped(f"{shared['color']!r} is no choice for --color", hint)
        if context.invoked_subcommand is not None:
            return None
        if shared["named_game"] is not None and not command.of_game:
            raise Mistyped(f"{context.info_name} is not about one game", "leave --game out")
        session = Session(context=context, **shared)
        session.agree_on_game(given.get("game"))
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


def nearest(word: str, names: Iterable[str]) -> str:
    """A hint at the name that was perhaps meant, or nothing."""
    near = get_close_matches(word, names, n=1)
    return f"did you mean {near[0]}?" if near else ""


class SingleCommand(TyperCommand):
    """A command that takes `-5` for the number it is."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The arguments as they are called in the help, without the braces that typer puts around them."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; a negative number is one of them, to be refused as what it is."""
        try:
            return super().parse_args(ctx, list(args))
        except USAGE_ERROR as error:
            if not str(getattr(error, "option_name", "")).lstrip("-").isdecimal():
                raise
        ctx.ignore_unknown_options = True
        return super().parse_args(ctx, list(args))


def _verb(first: str) -> str | None:
    """The command that a turn's line without a verb is, by its first word."""
    from generala_cli.game.turnline import VERBS  # what has a verb, and help, can do without it

    verb = "score" if is_dice(first) else VERBS.get(first.casefold())
    if verb == "quit":
        raise Mistyped(f"{first!r} leaves generala play, and here is nothing to leave")
    return verb


class LazyGroup(TyperGroup):
    """A group whose commands are imported one at a time, when they are run."""

    table: Mapping[str, Command]

    def list_commands(self, ctx: Any) -> list[str]:
        """Every command, in the order of the help."""
        return list(self.table)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name, or None."""
        return build(cmd_name, self.table[cmd_name]) if cmd_name in self.table else None

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[Any, Any, list[str]]:
        """The command meant, or a refusal that names the nearest."""
        if args[0].startswith("-"):
            return super().resolve_command(ctx, args)
        return super().resolve_command(ctx, [*self.begun_by(args)])

    def begun_by(self, words: Sequence[str]) -> tuple[str, ...]:
        """The name of the command that words begin, and the words for it: all of them, for dice need no verb.

        Raises Mistyped where there is no such command, or several begin so. `delete` is never shortened.
        """
        first, *rest = words
        if first in self.table:
            return first, *rest
        if self.table is COMMANDS and (verb := _verb(first)):
            return (verb, *words) if verb == "score" else (verb, *rest)
        found = [name for name in self.table if name.startswith(first) and name != "delete"]
        if len(found) == 1:
            return found[0], *rest
        if found:
            raise Mistyped(f"{first!r} begins more than one command", f"type {listed(found)}")
        hint = nearest(first, self.table) or "the help lists those there are"
        raise Mistyped(f"there is no command {first!r}", hint)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands by section, from the table alone."""
        for section in dict.fromkeys(command.section for command in self.table.values()):
            with formatter.section(section):
                formatter.write_dl([(n, c.summary) for n, c in self.table.items() if c.section == section])


def build(name: str, command: Command) -> Any:
    """A command with its function imported, the shared options, and its examples below its help."""
    module, _, function = command.place.partition(":")
    found = getattr(import_module(f"generala_cli.cli.{module}"), function)
    run = with_shared_options(found, command)
    examples = "\b\nExamples:\n" + "\n".join(f"  {line}" for line in command.examples)
    # Completion is our own (completions/), so typer's is off; and help is plain.
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    if command.commands is None:
        app.command(name, cls=SingleCommand, epilog=examples, context_settings=_SETTINGS)(run)
        return typer.main.get_command(app)
    app.callback(cls=LazyGroup, invoke_without_command=True, epilog=examples, context_settings=_SETTINGS)(run)
    group: Any = typer.main.get_command(app)
    group.table = command.commands
    return group


root = partial(build, "generala", ROOT)
"""`generala` itself, with every command below it."""
