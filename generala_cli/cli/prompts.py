"""Questions, on a terminal only, on stderr; Enter alone never spends anything dear."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from generala_cli.cli.output import note
from generala_cli.cli.session import Session
from generala_cli.errors import Interrupted, UsageError
from generala_cli.messages import NO, YES, Message, lazy
from generala_cli.render.language import translated
from generala_cli.text import find_word, safe

if TYPE_CHECKING:  # help reads nothing
    from generala_cli.game.money import InDoubt

Read = TypeVar("Read")
_PATIENCE = 60
"""Seconds to wait for a line through a pipe."""


def ask_before(session: Session, question: Message, refusal: UsageError) -> bool:
    """Return whether someone agrees to what cannot be undone; where nobody can be asked, it is refused."""
    if not session.can_ask:
        raise refusal
    note("".join(f"{safe(translated(line))}\n" for line in refusal.details))
    return ask_yes(question)


def ask_yes(question: Message) -> bool:
    """Return whether the answer is yes, in any language; anything else is no."""
    shown = translated(lazy("{question} [y/N]", question=question))
    return find_word(reply_to(f"{safe(shown)} "), {True: YES, False: NO}) is True


def read_or_ask(session: Session, read: Callable[..., Read], **typed: str | None) -> Read:
    """Return what `read` makes of the words typed; on a terminal, ask which meaning a word in doubt has.

    An amount may be in thousands, and several currencies share a sign or a name.
    """
    from generala_cli.game.money import InDoubt  # help reads nothing

    while True:
        try:
            return read(**typed)
        except InDoubt as doubt:
            names = [name for name, word in typed.items() if word == doubt.word]
            if not names or not session.can_ask:
                raise
            typed[names[0]] = _ask_which(doubt)


def _ask_which(doubt: "InDoubt") -> str:
    question = lazy("{doubt}; which is it?", doubt=doubt.message)
    meant = {word.casefold(): word for (word,) in doubt.meant}
    while True:
        reply = reply_to(f"{safe(translated(question))} ").strip().casefold()
        if not reply:
            raise Interrupted("nothing was chosen", "nothing was changed")
        if reply in meant:
            return meant[reply]


def ask_unit(stake: str) -> str:
    """Return the unit of a stake that was typed without one."""
    question = lazy("{stake} of what? A currency or a word; Enter plays for points:", stake=stake)
    return reply_to(f"{safe(translated(question))} ").strip() or "points"


def answer_to(question: str) -> str | None:
    """Return the line that answers a question of a dialogue, on a terminal or a pipe; None after the last.

    Raises UsageError where nothing comes through a pipe for so long that nobody will answer.
    """
    if sys.stdin.isatty():
        try:
            return input(question).strip()
        except EOFError:
            sys.stdout.write("\n")
            return None
    from queue import Empty, SimpleQueue  # hardly anybody pipes answers in
    from threading import Thread

    sys.stdout.write(f"{question.rstrip()}\n")
    sys.stdout.flush()
    lines: SimpleQueue[str] = SimpleQueue()
    Thread(target=lambda: lines.put(sys.stdin.readline()), daemon=True).start()
    try:
        line = lines.get(timeout=_PATIENCE)
    except Empty:
        what = lazy("no answer came in {seconds} seconds", seconds=_PATIENCE)
        raise UsageError(what, "pipe the answers in, a line each, or type them on a terminal") from None
    return line.strip() if line else None


def reply_to(question: str) -> str:
    """Return the line that is typed; Interrupted where there is none."""
    sys.stderr.write(question)
    sys.stderr.flush()
    try:
        line = sys.stdin.readline()
    except KeyboardInterrupt:
        note("\n")
        raise
    if not line:
        note("\n")
        raise Interrupted("nothing was chosen", "nothing was changed")
    return line
