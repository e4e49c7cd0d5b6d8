"""Running one command, from arguments to exit code. Only this module handles errors."""

import io
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout, suppress
from functools import partial
from itertools import islice, takewhile

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.cli import turn_line
from generala_cli.cli.output import (
    encoding_of_people,
    is_read,
    note,
    nothing_saved,
    saved_too,
    write,
)
from generala_cli.cli.session import (
    Answer,
    Session,
    chosen_language,
    name_game_in_hints,
    note_unreadable_configuration,
    option_value,
)
from generala_cli.errors import FileError, GeneralaError, Interrupted, Retyped, UsageError
from generala_cli.messages import LANGUAGES, Message, lazy, no_game
from generala_cli.render.hints import SHELL, hint_in, translated_error
from generala_cli.render.language import speak, translate, translated
from generala_cli.render.screen import UNLIMITED, Screen, as_text, screen_of
from generala_cli.store.signals import signals_ending_a_stall
from generala_cli.text import safe

# Without enough memory, importing a module can fail, too.
_NO_ROOM = (MemoryError, RecursionError, ImportError)


def run(typed: Sequence[str], *, added: Sequence[str] = (), in_dialogue: bool = False) -> int:
    """Run a command, write its answer, and return the exit code (see `generala help exit-codes`).

    Options that a screen or a dialogue has `added` take effect, but no hint repeats them.
    """
    before, LANGUAGES.about_game = LANGUAGES.about_game, no_game
    try:
        return _run(typed, added, in_dialogue=in_dialogue)
    finally:
        LANGUAGES.about_game = before


def _run(typed: Sequence[str], added: Sequence[str], *, in_dialogue: bool) -> int:
    printed = io.StringIO()
    arguments = [*added, *typed]
    options = _options(arguments)
    try:
        chosen = chosen_language(option_value(options, "--language"))
        speak(
            chosen.code,
            encoding_of_people(),
            region=chosen.region,
            answers_in_english="--json" in options,
        )
        note_unreadable_configuration()
        with redirect_stdout(printed):
            answer = _answer(arguments)
    except GeneralaError as error:
        return _refuse(error, typed)
    if isinstance(answer, int):  # help was printed
        return _help(printed.getvalue(), options) or answer
    try:
        with signals_ending_a_stall():
            return _give(*answer, in_dialogue=in_dialogue)
    except _NO_ROOM as error:
        sentence = translate("could not prepare the answer ({cause})", cause=_cause(error))
        note(f"generala: {safe(sentence)}{saved_too(partial(_has_saved, *answer))}\n")
        return FileError.exit_code


def _answer(arguments: Sequence[str]) -> tuple[Answer[Struct], Session] | int:
    try:
        turn = turn_line.read(arguments)
        return _answer_by_typer(arguments) if turn is None else turn.run()
    except KeyboardInterrupt as error:
        raise Interrupted("interrupted", "nothing was changed") from error
    except _NO_ROOM as error:
        raise FileError(_cause(error), "close other programs and try again") from error
    except OSError as error:
        raise FileError(_trouble(error), "check this and try again") from error


def _answer_by_typer(arguments: Sequence[str]) -> tuple[Answer[Struct], Session] | int:
    from generala_cli.cli.app import root  # a turn needs no Typer
    from generala_cli.cli.typer_private import USAGE_ERROR
    from generala_cli.cli.usage import mistyped

    try:
        result = root()(list(arguments), prog_name="generala", complete_var="", standalone_mode=False)
    except USAGE_ERROR as error:
        raise mistyped(error) from error
    if result == 130:
        raise Interrupted("interrupted", "nothing was changed")
    assert isinstance(result, int | tuple)
    return result


def _trouble(error: OSError) -> Message:
    reason = error.strerror or str(error)
    if error.filename:
        return lazy("{reason} ({file})", reason=reason, file=error.filename)
    return lazy("{reason} (the system)", reason=reason)


def _cause(error: BaseException) -> Message:
    if isinstance(error, ImportError):
        return lazy("a part of generala cannot be loaded: {error}", error=error)
    return lazy("there is not enough memory")


def _give(answer: Answer[Struct], session: Session, *, in_dialogue: bool) -> int:
    code, has_saved = 0, partial(_has_saved, answer, session)
    if session.json:
        from generala_cli.render.documents import encoded  # only scripts need it

        code = write(encoded(answer.document()), has_saved)
    elif not (answer.is_change and session.quiet):
        if answer.raw is not None:
            code = write(answer.raw(), has_saved)
        else:
            screen = replace(screen_of(sys.stdout, session.color or "auto"), in_dialogue=in_dialogue)
            is_long = answer.is_long and not session.no_pager
            code = _write(as_text(answer.draw(screen), screen), screen, has_saved, is_long=is_long)
    for line in answer.notes:
        note(f"generala: {safe(translated(line))}\n")
    if answer.then is not None and is_read():  # do not keep running unnoticed
        answer.then()
    return code or answer.exit_code


def _has_saved(answer: Answer[Struct], session: Session) -> bool:
    """Return whether a command saved changes, unless even that cannot be found out."""
    if not answer.is_change or session.dry_run:
        return False
    with suppress(*_NO_ROOM):
        return getattr(answer.document(), "saved", True) is True
    return True


def _help(text: str, options: Sequence[str]) -> int:
    if "--json" in options:
        from generala_cli.render.documents import TextDocument, encoded

        return write(encoded(TextDocument(text=text)))
    return _write(text, screen_of(sys.stdout, "auto"), is_long="--no-pager" not in options)


def _write(text: str, screen: Screen, has_saved: Callable[[], bool] = nothing_saved, *, is_long: bool) -> int:
    if is_long and screen.height < UNLIMITED:
        from generala_cli.cli.paging import show  # needed only on a terminal

        return show(text, screen, has_saved)
    return write(text, has_saved)


def _refuse(error: GeneralaError, arguments: Sequence[str]) -> int:
    options = _options(arguments)
    if LANGUAGES.about_game is no_game:
        name_game_in_hints(option_value(options, "--game"))
    if not isinstance(error, FileError) and (word := _undecoded(arguments)) is not None:
        error = _not_utf_8(word)
    if isinstance(error, Retyped):
        from generala_cli.cli.usage import with_whole_lines

        error = with_whole_lines(error, arguments)
    if isinstance(error, UsageError):
        error = _pointing_at_help(error, options)
    if "--json" in options:
        with suppress(*_NO_ROOM):  # otherwise report in text, which loads nothing more
            from generala_cli.render.documents import encoded
            from generala_cli.render.documents import error as error_document

            if write(encoded(error_document(error))) == 0:
                return error.exit_code
    lines = [
        f"generala: {safe(translated_error(error))}",
        *(f"  {safe(translated(line))}" for line in error.details),
    ]
    note("\n".join(lines) + "\n")
    return error.exit_code


def _undecoded(arguments: Sequence[str]) -> str | None:
    """Return the first argument with bytes that Python could not decode; None if there is none."""
    return next((word for word in arguments if any("\udc80" <= letter <= "\udcff" for letter in word)), None)


def _not_utf_8(word: str) -> UsageError:
    meant = os.fsencode(word).decode(errors="replace")
    what = lazy("{word!r} is not {encoding}", word=meant, encoding=sys.getfilesystemencoding().upper())
    if sys.getfilesystemencoding() == "utf-8":
        return UsageError(what, "type it in UTF-8")
    return UsageError(what, "set PYTHONUTF8=1, or a locale with UTF-8, and try again")


def _options(arguments: Sequence[str]) -> list[str]:
    return list(takewhile(lambda word: word != "--", arguments))


def _pointing_at_help(error: UsageError, arguments: Sequence[str]) -> UsageError:
    if hint_in(SHELL, error):
        return error
    from generala_cli.cli.commands import BELOW  # only some errors need it
    from generala_cli.cli.usage import command_named, see_help

    named = (command_named(word) for word in arguments)
    path = ["generala", *islice((name for name in named if name is not None), 1)]
    if path[-1] in BELOW:
        below = (command_named(word, BELOW[path[-1]]) for word in arguments)
        path += islice((name for name in below if name is not None), 1)
    return UsageError(error.message, see_help(" ".join(path)), error.details)
