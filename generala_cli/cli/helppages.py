"""Help pages in the user's language: Typer's layout with our texts."""

from collections.abc import Iterable, Iterator, Mapping
from inspect import cleandoc
from typing import Any

from typer.core import TyperCommand, TyperGroup

from generala_cli.cli.commands import command_words
from generala_cli.cli.output import broken, columns
from generala_cli.cli.typer_private import USAGE_ERROR
from generala_cli.messages import CommandLine, ExampleLine, lazy, words_for
from generala_cli.packages import SECTIONS, Command
from generala_cli.render.language import first_word, translate, translated, usage

ALL_COMMANDS = "all commands"  # key in `Context.meta`: show the program's full help
_FIRST_COMMANDS = (
    *("new", "play", "scratch", "undo", "amend", "sheet", "payouts"),
    *("rematch", "games", "rules", "help"),
)
"""The commands in the short help, along with the turn line."""
HELP = lazy("Show this message and exit.")
COMMANDS_TOPIC = words_for("the topic commands", "commands")


_WIDE, _NARROW = 52, 20
"""From `_WIDE` columns on, Typer's own width fits. Below `_NARROW`, words would break."""


def help_width() -> int | None:
    """Return the width of help on a terminal that is narrower than Typer's 50 columns; otherwise None."""
    width = columns()
    return max(_NARROW, width - 2) if width < _WIDE else None


def write_rows(formatter: Any, rows: Iterable[tuple[str, str]]) -> None:
    """Write names with their meanings; on a narrow terminal, below a name that is long."""
    formatter.write_dl(list(rows), col_max=30 if formatter.width >= _WIDE - 2 else _SHORT)


_SHORT = 4


def with_other_name(name: str, other: str) -> str:
    return name if other == name else f"{name}, {other}"


class Explained:
    row: Command
    help: str | None

    def format_usage(self: Any, ctx: Any, formatter: Any) -> None:
        pieces = usage(" ".join(self.collect_usage_pieces(ctx)))
        formatter.write_usage(
            translated(CommandLine(ctx.command_path)), pieces, prefix=f"{translate('Usage:')} "
        )

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(translate(cleandoc(self.help or "")))

    def format_options(self: Any, ctx: Any, formatter: Any) -> None:
        for kind, heading in (("argument", translate("Arguments")), ("option", translate("Options"))):
            parameters = [each for each in self.get_params(ctx) if each.param_type_name == kind]
            if parameters:
                with formatter.section(heading):
                    write_rows(formatter, [_row(each, ctx) for each in parameters])
        if hasattr(self, "format_commands"):
            self.format_commands(ctx, formatter)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)  # type: ignore[misc, no-any-return]
        except USAGE_ERROR as error:
            error.ctx = getattr(error, "ctx", None) or ctx  # type: ignore[attr-defined]
            raise

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            lines = ["\b", translate("Examples:")]
            lines += [f"  {translated(ExampleLine(example))}" for example in self.row.examples]
            room = formatter.width - formatter.current_indent
            formatter.write_text("".join(broken(f"{line}\n", room) for line in lines).rstrip())


def _row(parameter: Any, ctx: Any) -> tuple[str, str]:
    is_argument = parameter.param_type_name == "argument"
    typed = parameter.metavar if is_argument else parameter.get_help_record(ctx)[0]
    about = translated(HELP) if parameter.name == "help" else translate(parameter.help)
    return usage(typed), f"{about}  {translate('[required]')}" if parameter.required else about


class ExplainedCommand(Explained, TyperCommand):
    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the options and the arguments. Typer 0.29 adds signs of its own to a metavar."""
        arguments = (each for each in self.get_params(ctx) if each.param_type_name == "argument")
        return [self.options_metavar or "", *map(_argument, arguments)]


def _argument(parameter: Any) -> str:
    shown: str = parameter.metavar
    return shown if parameter.required or shown.startswith("[") else f"[{shown}]"


class ExplainedGroup(Explained, TyperGroup):
    table: Mapping[str, Command]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        if ctx.parent is not None or ctx.meta.get(ALL_COMMANDS):
            super().format_help(ctx, formatter)
            return
        self.format_usage(ctx, formatter)
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(translate("Keep score of Generala and its family, played with real dice."))
        formatter.write_paragraph()
        with formatter.indentation():
            rows = list(self._rows(_FIRST_COMMANDS))
            turn = translate("Enter a hand: dice, throw and box, in any order.")
            write_rows(formatter, [*rows[:2], ("55533 1 full", turn), *rows[2:]])
        formatter.write_paragraph()
        with formatter.indentation():
            options = ", ".join(min(each.opts, key=len) for each in self.get_params(ctx))
            formatter.write_text(translate("Options: {options}", options=options))
            guide = translated(CommandLine("generala help"))
            formatter.write_text(
                translate(
                    "{commands} explains them and lists all commands; {help} shows the guide.",
                    commands=f"{guide} {first_word(COMMANDS_TOPIC)}",
                    help=guide,
                )
            )

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        for section in SECTIONS:
            rows = list(self._rows(name for name, each in self.table.items() if each.section == section))
            if rows:
                with formatter.section(translated(section)):
                    write_rows(formatter, rows)

    def _rows(self, names: Iterable[str]) -> Iterator[tuple[str, str]]:
        words = command_words(self.table)
        for name in filter(words.__contains__, names):
            yield with_other_name(name, first_word(words[name])), translate(self.table[name].summary)
