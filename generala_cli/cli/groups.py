"""Commands that are imported only when they are run, with the options that all of them take."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Annotated, Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup

from generala_cli.cli.commands import COMMANDS, MORE, RULES_COMMANDS, Command
from generala_cli.cli.session import COLOR, DRY_RUN, JSON, QUIET
from generala_cli.errors import Mistyped
from generala_cli.render.screen import COLOR_CHOICES
from generala_cli.rules.names import listed

USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]
"""What typer raises for a command line it cannot read, wherever this version of it keeps the class."""

HELP_OPTIONS = {"help_option_names": ["-h", "--help"]}


def shared_options(*, writes: bool) -> list[Any]:
    """New parameters for one command; each remembers its value for the session.

    They are made by typer from a function like any others: the classes behind them change from one
    version of it to the next.
    """
    app = new_app()
    app.command()(_writing if writes else _reading)
    return [option for option in typer.main.get_command(app).params if option.name != "help"]


def _rememberer(key: str) -> Callable[..., Any]:
    def remember(context: typer.Context, value: bool) -> bool:
        if value:
            context.meta[key] = True
        return value

    return remember


def _remember_color(context: typer.Context, value: str | None) -> str | None:
    if value is not None and value not in COLOR_CHOICES:
        from difflib import get_close_matches

        near = get_close_matches(value, COLOR_CHOICES, n=1)
        hint = f"did you mean {near[0]}?" if near else f"choose from {listed(COLOR_CHOICES)}"
        raise Mistyped(f"{value!r} is no choice for --color", hint)
    if value is not None:
        context.meta[COLOR] = value
    return value


def _flag(*names: str, key: str, told: str) -> Any:
    return typer.Option(*names, callback=_rememberer(key), expose_value=False, show_default=False, help=told)


_Json = Annotated[bool, _flag("--json", key=JSON, told="Answer with one JSON document.")]
_Quiet = Annotated[bool, _flag("--quiet", "-q", key=QUIET, told="Do not say what was changed.")]
_DryRun = Annotated[
    bool, _flag("--dry-run", "-n", key=DRY_RUN, told="Show what would change, and change nothing.")
]
_Color = Annotated[
    str | None,
    typer.Option(
        "--color",
        metavar="|".join(COLOR_CHOICES),
        callback=_remember_color,
        expose_value=False,
        help="Colour the answer; by default on a terminal.",
    ),
]


def _reading(json: _Json = False, quiet: _Quiet = False, color: _Color = None) -> None:
    """Only its parameters are used."""


def _writing(
    json: _Json = False, dry_run: _DryRun = False, quiet: _Quiet = False, color: _Color = None
) -> None:
    """Only its parameters are used."""


class ReadingCommand(TyperCommand):
    """A command with the shared options, that takes `-5` for the number it is."""

    writes = False

    def __init__(self, *args: Any, params: Sequence[Any] | None = None, **more: Any) -> None:
        super().__init__(*args, params=[*(params or ()), *shared_options(writes=self.writes)], **more)

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


class WritingCommand(ReadingCommand):
    """A command that can change something, and so takes `--dry-run`."""

    writes = True


class LazyGroup(TyperGroup):
    """A group whose commands are imported one at a time, when they are run."""

    table: ClassVar[Mapping[str, Command]] = {}

    def __init__(self, *args: Any, params: Sequence[Any] | None = None, **more: Any) -> None:
        super().__init__(*args, params=[*(params or ()), *shared_options(writes=False)], **more)

    def list_commands(self, ctx: Any) -> list[str]:
        """Every command, in the order of the help."""
        return list(self.table)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name, or None."""
        return build(cmd_name, self.table[cmd_name]) if cmd_name in self.table else None

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[Any, Any, list[str]]:
        """The command meant, or a refusal that names the nearest."""
        name = args[0]
        if name not in self.table and not name.startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(name, self.table, n=1)
            hint = f"did you mean {near[0]}?" if near else "the help lists those there are"
            raise Mistyped(f"there is no command {name!r}", hint)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands by section, from the table alone."""
        sections = dict.fromkeys(command.section for command in self.table.values())
        for section in sorted(sections, key=lambda section: section == MORE):
            named = [(name, c.summary) for name, c in self.table.items() if c.section == section]
            if section == MORE:
                formatter.write_paragraph()
                names = ", ".join(name for name, _ in named)
                formatter.write_text(f"Also: {names} (generala help COMMAND tells of each).")
            else:
                with formatter.section(section):
                    formatter.write_dl(named)


class RootGroup(LazyGroup):
    """`generala` itself."""

    table = COMMANDS


class RulesGroup(LazyGroup):
    """`generala rules`."""

    table = RULES_COMMANDS


def build(name: str, command: Command) -> Any:
    """A command with its function imported and its examples below its help."""
    module, _, function = command.place.partition(":")
    found = getattr(import_module(f"generala_cli.cli.{module}"), function)
    if isinstance(found, typer.Typer):  # a group
        return typer.main.get_command(found)
    kind = WritingCommand if command.writes else ReadingCommand
    app = new_app()
    app.command(name=name, cls=kind, epilog=examples(command), context_settings=HELP_OPTIONS)(found)
    return typer.main.get_command(app)


def new_app(
    cls: type[LazyGroup] | None = None, told: str | None = None, epilog: str | None = None
) -> typer.Typer:
    """A typer application with plain help. Completion is our own (completions/), so typer's is off."""
    return typer.Typer(
        cls=cls,
        help=told,
        epilog=epilog,
        invoke_without_command=cls is not None,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings=HELP_OPTIONS,
    )


def examples(command: Command) -> str:
    """The examples, each on its line."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in command.examples)
