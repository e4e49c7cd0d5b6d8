import os
import shutil
import signal
import sys
from collections.abc import Callable, Sequence
from re import sub
from subprocess import PIPE, Popen

from generala_cli.app.programs import words_of
from generala_cli.cli.output import note, write
from generala_cli.render.language import translate
from generala_cli.render.screen import Screen


def show(answer: str, screen: Screen, has_saved: Callable[[], bool]) -> int:
    """Write an answer, through a pager if it is longer than the terminal, and return the exit code."""
    plain = sub(r"\x1b\[[\d;]*m", "", answer)
    rows = sum(1 + max(0, len(line) - 1) // screen.width for line in plain.splitlines())
    if rows < screen.height:  # the prompt takes a line
        return write(answer, has_saved)
    try:
        if command := _pager():
            _page(answer, command)
            return 0
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        problem = translate(
            "cannot start the pager '{pager}' ({reason}); set PAGER to a different one, or to nothing",
            pager=os.environ.get("PAGER"),
            reason=why,
        )
        note(f"generala: {problem}\n")
    return write(answer, has_saved)


def _pager() -> Sequence[str]:
    chosen = os.environ.get("PAGER")
    if chosen is not None:
        return words_of(chosen)
    has_less = shutil.which("less") is not None and os.environ.get("TERM") != "dumb"
    return ("less", "-FRX") if has_less else ()


def _page(answer: str, command: Sequence[str]) -> None:
    """Run the pager until it exits. It handles Ctrl-C itself. The user's settings come first."""
    data = answer.encode(sys.stdout.encoding, "replace")
    settings = {"LESS": "FRX"}
    if sys.stdout.encoding.lower() == "utf-8":  # without the user's locale, less shows the bytes of letters
        settings["LESSCHARSET"] = "utf-8"
    with Popen(command, stdin=PIPE, env={**settings, **os.environ}) as pager:  # noqa: S603 - the user's own
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            pager.communicate(data)  # it may exit before reading everything
        finally:
            signal.signal(signal.SIGINT, before)
