"""Questions, on a terminal only, on stderr; Enter alone never spends anything dear."""

import sys

from generala_cli.cli.output import note
from generala_cli.cli.session import Session
from generala_cli.errors import Interrupted, UsageError
from generala_cli.messages import NO, YES, Message, lazy
from generala_cli.render.language import translated
from generala_cli.text import find_word, safe


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


def ask_amount(session: Session, typed: str) -> str:
    """Return the amount as typed; on a terminal one that could be in thousands is asked about."""
    from generala_cli.game.starting import amounts_meant  # help asks for none

    meant = amounts_meant(typed.strip())
    if len(meant) < 2 or not session.can_ask:
        return typed
    question = lazy(
        "{typed!r} could be {large} or {small}; which is it?", typed=typed, large=meant[0], small=meant[1]
    )
    while True:
        reply = reply_to(f"{safe(translated(question))} ").strip()
        if not reply:
            raise Interrupted("nothing was chosen", "nothing was changed")
        if reply in meant:
            return reply


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
