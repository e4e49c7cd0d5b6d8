"""Questions on a terminal, asked on stderr. Pressing Enter alone is always harmless."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from generala_cli.cli.output import fitted, note
from generala_cli.cli.session import Session
from generala_cli.errors import Interrupted, UsageError
from generala_cli.messages import NO, YES, Message, lazy
from generala_cli.render.language import translated
from generala_cli.text import find_word, safe

if TYPE_CHECKING:  # not needed for help
    from generala_cli.game.money import InDoubt

Read = TypeVar("Read")


class Interjection:
    """A command of the dialogue, typed in place of an answer; `typed` is the last one until it is used."""

    def __init__(self) -> None:
        self.is_one: Callable[[str], bool] = lambda reply: False
        self.typed = ""

    def take(self) -> str:
        typed, self.typed = self.typed, ""
        return typed


INTERJECTION = Interjection()
_PATIENCE = 60  # seconds to wait for a line through a pipe


def ask_before(session: Session, question: Message, refusal: UsageError) -> bool:
    """Return whether the user agrees to something irreversible. Off a terminal, raise `refusal`."""
    if not session.can_ask:
        raise refusal
    note("".join(f"{safe(translated(line))}\n" for line in refusal.details))
    return ask_yes(question)


def ask_yes(question: Message) -> bool:
    shown = translated(lazy("{question} [y/N]", question=question))
    return find_word(reply_to(f"{safe(shown)} "), {True: YES, False: NO}) is True


def read_or_ask(session: Session, read: Callable[..., Read], **typed: str | None) -> Read:
    """Return the result of `read`; on a terminal, ask what an ambiguous word such as `1.000` or `$` means."""
    from generala_cli.game.money import InDoubt  # not needed for help

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
    question = lazy(
        "{stake} of what? Type a currency or a word, or press Enter to play for points:", stake=stake
    )
    return reply_to(f"{safe(translated(question))} ").strip() or "points"


def ask_names() -> list[str]:
    question = lazy("Who plays? Type names, separated by spaces or commas:")
    if not (names := reply_to(f"{translated(question)} ").strip()):
        raise Interrupted("nothing was chosen", "nothing was changed")
    return [names] if "," in names else names.split()


def answer_to(question: str) -> str | None:
    """Return the answer to a question, None at the end of input; UsageError if a pipe stays silent."""
    if sys.stdin.isatty():
        try:
            return input(fitted(question)).strip()
        except EOFError:
            sys.stdout.write("\n")
            return None
    from queue import Empty, SimpleQueue  # needed only for a pipe
    from threading import Thread

    sys.stdout.write(f"{question.rstrip()}\n")
    sys.stdout.flush()
    lines: SimpleQueue[str] = SimpleQueue()
    Thread(target=lambda: lines.put(sys.stdin.readline()), daemon=True).start()
    try:
        line = lines.get(timeout=_PATIENCE)
    except Empty:
        what = lazy("no answer for {seconds} seconds", seconds=_PATIENCE)
        raise UsageError(what, "pipe in one answer per line, or type them on a terminal") from None
    return line.strip() if line else None


def reply_to(question: str) -> str:
    note(question)
    try:
        line = sys.stdin.readline()
    except KeyboardInterrupt:
        note("\n")
        raise
    if not line:
        note("\n")
        raise Interrupted("nothing was chosen", "nothing was changed")
    if INTERJECTION.is_one(line.strip()):
        INTERJECTION.typed = line.strip()
        raise Interrupted("nothing was chosen", "nothing was changed")
    return line
