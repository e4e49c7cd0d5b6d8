"""One command from its arguments to its exit code: the only error boundary."""

import io
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout, suppress

from generala_cli.cli.commands import COMMANDS, RULES_COMMANDS
from generala_cli.cli.groups import USAGE_ERROR, build
from generala_cli.cli.output import note, write
from generala_cli.cli.session import Answer, Session
from generala_cli.errors import FileTrouble, GeneralaError, Interrupted, Mistyped
from generala_cli.render.screen import screen_of
from generala_cli.rules.names import safe

# Where memory ends, a part of the program that was not needed before cannot be loaded either.
_NO_ROOM = (MemoryError, RecursionError, ImportError)


def run(arguments: Sequence[str]) -> int:
    """Run a command, write what it answers, and return the exit code of `cli.md`."""
    printed = io.StringIO()
    try:
        with redirect_stdout(printed):
            answer = _answer(arguments)
    except GeneralaError as error:
        return _refuse(error, arguments)
    if isinstance(answer, int):  # help was printed, or Ctrl-C came
        return write(printed.getvalue()) or answer
    try:
        return _give(*answer)
    except _NO_ROOM as error:
        cause = safe(_cause(error))
        note(f"generala: the answer could not be made ({cause}); what was to be saved is saved\n")
        return FileTrouble.exit_code


def _answer(arguments: Sequence[str]) -> "tuple[Answer, Session] | int":
    """What the command returned, with typer's own errors in our words."""
    try:
        command, name, rest = _command(arguments)
        result = command(rest, prog_name=name, complete_var="", standalone_mode=False)
    except USAGE_ERROR as error:
        raise _mistyped(error) from error
    except _NO_ROOM as error:
        raise FileTrouble(_cause(error), "close other programs and try again") from error
    except OSError as error:
        raise FileTrouble(
            f"{error.strerror or error} ({error.filename or 'the system'})", "look at it and try again"
        ) from error
    if isinstance(result, int):
        if result == 130:
            raise Interrupted("interrupted", "nothing was changed")
        return result
    assert isinstance(result, tuple)
    return result


def _command(arguments: Sequence[str]) -> tuple[Callable[..., object], str, list[str]]:
    """What is to be run, what it is called, and what is left of the arguments.

    A command that is named first is run by itself. Only before another one, and in help, there are options
    and other commands to look at.
    """
    first = arguments[0] if arguments else ""
    if first in COMMANDS and first != "help":
        return build(first, COMMANDS[first]), f"generala {first}", list(arguments[1:])
    from generala_cli.cli.root import app

    return app, "generala", list(arguments)


def _cause(error: BaseException) -> str:
    """Why there is no room, in words."""
    if isinstance(error, ImportError):
        return f"a part of generala cannot be loaded: {error}"
    return "there is not enough memory for this"


def _give(answer: Answer, session: Session) -> int:
    """Write the answer, then its notes."""
    if session.json:
        from generala_cli.render import envelope

        code = write(envelope.encoded(answer.document()))
    elif answer.is_news and session.quiet:
        code = 0
    else:
        code = write(answer.text(screen_of(sys.stdout, session.color)))
    for line in answer.notes:
        note(f"generala: {safe(line)}\n")
    return code


def _refuse(error: GeneralaError, arguments: Sequence[str]) -> int:
    """Say what is wrong and what to do instead, on stderr, or as a document on stdout."""
    given = list(arguments)
    options = given[: given.index("--")] if "--" in given else given
    if isinstance(error, Mistyped):
        error = _pointing_at_help(error, options)
    if "--json" in options:
        with suppress(*_NO_ROOM):  # then in words, which need no more of the program
            from generala_cli.render import envelope

            return write(envelope.encoded(envelope.error(error))) or error.exit_code
    lines = (f"generala: {safe(str(error))}", *(f"  {safe(line)}" for line in error.details))
    note("\n".join(lines) + "\n")
    return error.exit_code


def _pointing_at_help(error: Mistyped, arguments: Sequence[str]) -> Mistyped:
    """The same, with the help of the command that was typed; the first word that is a command is it."""
    if error.hint.endswith(" -h"):
        return error
    path = ["generala", *(word for word in arguments if word in COMMANDS)][:2]
    if path[1:] == ["rules"]:
        path += [word for word in arguments if word in RULES_COMMANDS][:1]
    pointer = f"see {' '.join(path)} -h"
    hint = f"{error.hint}{' ' if error.hint.endswith('?') else '; '}{pointer}" if error.hint else pointer
    return Mistyped(error.message, hint, error.details)


def _mistyped(error: Exception) -> Mistyped:
    """A usage error of typer's as one sentence."""
    option = getattr(error, "option_name", None)
    possible = getattr(error, "possibilities", None)
    if option is not None and hasattr(error, "possibilities"):
        context = getattr(error, "ctx", None)
        where = f"see {getattr(context, 'command_path', 'generala')} -h"
        return Mistyped(f"there is no option {option}", _nearest(option, possible, context) + where)
    said = getattr(error, "format_message", lambda: str(error))().replace("a valid int", "a whole number")
    return Mistyped(said[:1].lower() + said[1:].rstrip("."))


def _nearest(option: str, possible: Sequence[str] | None, context: object) -> str:
    from difflib import get_close_matches

    command = getattr(context, "command", None)
    names = [name for parameter in getattr(command, "params", ()) for name in parameter.opts]
    near = get_close_matches(option, names, n=1) or sorted(possible or ())
    return f"did you mean {near[0]}? " if near else ""
