"""help, completion."""

import os
import sys

import typer

from generala_cli.cli.commands import COMMANDS
from generala_cli.cli.completing import SHELLS, TOPICS
from generala_cli.cli.more_parameters import Shell, Topic
from generala_cli.cli.session import Answer, Session
from generala_cli.render.screen import color_and_origin
from generala_cli.rules.names import choose

Result = tuple[Answer, Session]

_EXIT_CODES = {
    0: "done",
    1: "the rules or the game do not allow it, or it was not found",
    2: "the command was typed wrong",
    3: "a file is damaged, too new, has a conflict copy, or cannot be read or written",
    130: "interrupted",
}


def help_(context: typer.Context, topic: Topic = None) -> Result:
    """Explain a command, or a topic: environment (settings and where they come from), exit-codes."""
    session = Session.of(context)
    if not topic:
        return _said(session, context.find_root().get_help())
    name = choose(topic[0], (*COMMANDS, *TOPICS), "command or topic")
    if name == "environment":
        return _environment(session)
    if name == "exit-codes":
        return _exit_codes(session)
    return _said(session, _command_help(context, [name, *topic[1:]]))


def completion(context: typer.Context, shell: Shell) -> Result:
    """Print the completion file for a shell.

    bash: generala completion bash > ~/.local/share/bash-completion/completions/generala.
    zsh: generala completion zsh > a folder of your fpath, as _generala.
    fish: generala completion fish > ~/.config/fish/completions/generala.fish.
    powershell: generala completion powershell >> $PROFILE.
    """
    from generala_cli.cli.shells import completion_text

    name = choose(shell, (*SHELLS, "pwsh"), "shell")
    return _said(Session.of(context), completion_text("powershell" if name == "pwsh" else name))


def _command_help(context: typer.Context, path: list[str]) -> str:
    current = context.find_root()
    for name in path:
        _, command, _ = current.command.resolve_command(current, [name])  # type: ignore[attr-defined]
        current = type(current)(command, info_name=name, parent=current)
        if not hasattr(command, "resolve_command"):
            break
    return current.get_help()


def _environment(session: Session) -> Result:
    from generala_cli.app.defaults import Setting
    from generala_cli.app.surroundings import surroundings

    is_colored, origin = color_and_origin(session.color, os.environ, is_terminal=sys.stdout.isatty())
    rows = (*surroundings(), Setting(name="color", value="yes" if is_colored else "no", origin=origin))

    def text(_: object) -> str:
        width = max(len(row.name) for row in rows)
        return "".join(f"{row.name:{width}}  {row.value}  ({row.origin})\n" for row in rows) + _ENVIRONMENT

    settings = [{"name": row.name, "value": row.value, "origin": row.origin} for row in rows]
    return Answer(text=text, document=lambda: {"settings": settings}), session


_ENVIRONMENT = """
A flag beats the environment, which beats the file, which beats the default.

GENERALA_HOME   the folder for games; else the platform's folder for a user's data
NO_COLOR        no colour, if it is not empty
FORCE_COLOR     colour in a pipe too, if it is neither empty nor 0
TERM            no colour if it is dumb
COLUMNS         how wide a terminal is taken to be
VISUAL, EDITOR  the editor for generala rules edit
XDG_DATA_HOME, XDG_CONFIG_HOME   as the XDG specification has them (full paths only)

config.toml in the configuration folder may set rules, stake, unit and payout for new games.
"""


def _exit_codes(session: Session) -> Result:
    text = "".join(f"{code:3}  {meaning}\n" for code, meaning in _EXIT_CODES.items())
    document = {str(code): meaning for code, meaning in _EXIT_CODES.items()}
    return Answer(text=lambda _: text, document=lambda: {"exit_codes": document}), session


def _said(session: Session, text: str) -> Result:
    whole = text if text.endswith("\n") else text + "\n"
    return Answer(text=lambda _: whole, document=lambda: {"text": whole}), session
