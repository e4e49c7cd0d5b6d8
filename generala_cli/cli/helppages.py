"""The help of a command in the reader's language: its own words, and typer's headings translated."""

from collections.abc import Iterable, Iterator, Mapping
from inspect import cleandoc
from typing import Any

from typer.core import TyperCommand, TyperGroup

from generala_cli.cli.commands import SECTIONS, Command, command_words
from generala_cli.cli.typer_private import USAGE_ERROR
from generala_cli.messages import CommandLine, lazy
from generala_cli.render.language import first_word, translate, translated, usage

ALL_COMMANDS = "all commands"
"""Set in a context whose help is to be whole."""
_FIRST_COMMANDS = (
    *("new", "play", "scratch", "undo", "amend", "sheet", "payouts"),
    *("rematch", "games", "rules", "help"),
)
"""The commands that most people ever need, besides the line of a turn."""
HELP = lazy("Show this message and exit.")
"""Typer's own words about `-h`."""


def with_other_name(name: str, other: str) -> str:
    """Return a name, and beside it that of the language that is spoken, if it is another."""
    return name if other == name else f"{name}, {other}"


class Explained:
    """The help page of a command. What is translated stands in English where the command is made.

    Attributes:
        row: its row in the table of commands.
    """

    row: Command
    help: str | None

    def format_usage(self: Any, ctx: Any, formatter: Any) -> None:
        """Write `Usage:` and what is typed."""
        pieces = usage(" ".join(self.collect_usage_pieces(ctx)))
        formatter.write_usage(
            translated(CommandLine(ctx.command_path)), pieces, prefix=f"{translate('Usage:')} "
        )

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """Write what the command does: its docstring, whose English is the key."""
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(translate(cleandoc(self.help or "")))

    def format_options(self: Any, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the options, then the commands below."""
        for kind, heading in (("argument", translate("Arguments")), ("option", translate("Options"))):
            parameters = [each for each in self.get_params(ctx) if each.param_type_name == kind]
            if parameters:
                with formatter.section(heading):
                    formatter.write_dl([_row(each, ctx) for each in parameters])
        if hasattr(self, "format_commands"):
            self.format_commands(ctx, formatter)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; an error names its command, which typer leaves out of some."""
        try:
            return super().parse_args(ctx, args)  # type: ignore[misc, no-any-return]
        except USAGE_ERROR as error:
            error.ctx = getattr(error, "ctx", None) or ctx  # type: ignore[attr-defined]
            raise

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples, which run as they stand in every language."""
        formatter.write_paragraph()
        with formatter.indentation():
            lines = ["\b", translate("Examples:")]
            for example in self.row.examples:
                piped = " | ".join(translated(CommandLine(line)) for line in example.split(" | "))
                lines.append(f"  {piped}")
            formatter.write_text("\n".join(lines))


def _row(parameter: Any, ctx: Any) -> tuple[str, str]:
    """Return how a parameter is typed, and what it is for."""
    typed, _ = parameter.get_help_record(ctx)
    about = translated(HELP) if parameter.name == "help" else translate(parameter.help)
    return usage(typed), f"{about}  {translate('[required]')}" if parameter.required else about


class ExplainedCommand(Explained, TyperCommand):
    """A command with such a help page."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the names of the arguments, without the braces that typer puts around them."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]


class ExplainedGroup(Explained, TyperGroup):
    """A group with such a help page, and on it the commands of its table."""

    table: Mapping[str, Command]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help; that of the program itself is short, and `help commands` has all."""
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
            turn = translate("Write a hand: dice, throw, box, in any order.")
            formatter.write_dl([*rows[:2], ("55533 1 full", turn), *rows[2:]])
        formatter.write_paragraph()
        with formatter.indentation():
            options = ", ".join(min(each.opts, key=len) for each in self.get_params(ctx))
            formatter.write_text(translate("Options: {options}", options=options))
            formatter.write_text(
                translate(
                    "{commands} explains them and lists all commands; {help} has the guide.",
                    commands=translated(CommandLine("generala help commands")),
                    help=translated(CommandLine("generala help")),
                )
            )

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands by section, from the table alone."""
        for section in SECTIONS:
            rows = list(self._rows(name for name, each in self.table.items() if each.section == section))
            if rows:
                with formatter.section(translated(section)):
                    formatter.write_dl(rows)

    def _rows(self, names: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Yield commands by their names, each with its summary."""
        words = command_words(self.table)
        for name in names:
            yield with_other_name(name, first_word(words[name])), translate(self.table[name].summary)
