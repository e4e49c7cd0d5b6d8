"""Questions, on a terminal only, on stderr, with an answer for everyone who just presses Enter."""

import shutil
import sys
from collections.abc import Sequence

from msgspec.structs import replace

from generala_cli.app import playing
from generala_cli.app.playing import Entered, Hand
from generala_cli.cli.output import note
from generala_cli.cli.session import Session
from generala_cli.errors import GeneralaError, Interrupted, Mistyped, NotAllowed, NotFound
from generala_cli.game.decisions import Choice, Undecided
from generala_cli.rules.ruleset import Category, RuleSet
from generala_cli.text import listed, safe


def ask_category(session: Session, hand: Hand, undecided: Undecided) -> Entered:
    """Ask where the hand goes, or what to scratch, and enter that; Interrupted where nothing is chosen."""
    stored = session.store.open(None)
    game, store = stored.game, replace(session.store, named=str(stored.number))  # whatever is current then
    player = undecided.player
    category, is_scratch = _chosen(undecided, game.fillable_categories(player), game.rules)
    named = replace(hand, category=category.id, player=player)  # the turn may have passed on meanwhile
    enter = playing.scratch if is_scratch else playing.score
    return enter(store, named, dry_run=session.dry_run)


def ask_before(session: Session, question: str, refusal: Mistyped) -> bool:
    """Whether someone agrees to what cannot be undone; where nobody can be asked, it is refused."""
    if not session.can_ask:
        raise refusal
    note("".join(f"{safe(line)}\n" for line in refusal.details))
    return ask_yes(question)


def ask_yes(question: str) -> bool:
    """Whether the answer is yes; anything else is no."""
    return _reply(f"{question} [y/N] ").strip().casefold() in {"y", "yes", "s", "si", "sí", "j", "ja"}


def _chosen(undecided: Undecided, fillable: Sequence[Category], rules: RuleSet) -> tuple[Category, bool]:
    """The category, and whether it is to be scratched; asked for until the answer can be taken."""
    choices, question = undecided.choices, _question(undecided, fillable)
    if not choices and len(fillable) == 1:
        if ask_yes(question):
            return fillable[0], True
        raise Interrupted("nothing was chosen", "nothing was changed")
    while True:
        reply = _reply(question).strip()
        if not reply and choices:
            return choices[0].category, False
        try:
            return _understood(reply, choices, fillable, rules)
        except GeneralaError as error:
            note(safe(str(error)) + ("\n" if str(error).endswith("?") else ".\n"))


def _question(undecided: Undecided, fillable: Sequence[Category]) -> str:
    """What may be scored, best first, and scratched: on one line, with shorter names where it is narrow."""
    hand = f"{safe(undecided.player)} {''.join(map(str, undecided.dice))}: "
    if not undecided.choices:
        names = listed(safe(category.name) for category in fillable)
        return f"{hand}nothing made; scratch {names}" + ("?" if len(fillable) == 1 else ": ")
    scratch = f"; x {' '.join(safe(category.key) for category in fillable)}: "
    (best, *others) = undecided.choices
    taken = [f"{safe(best.category.name)} {best.points} (Enter)"]
    taken += (f"{safe(choice.category.name)} {choice.points}" for choice in others)
    question = hand + ", ".join(taken) + scratch
    if len(question) < shutil.get_terminal_size().columns:
        return question
    short = [f"{safe(choice.category.key)}={choice.points}" for choice in undecided.choices]
    return f"{short[0]} (Enter) {' '.join(short[1:])}{scratch}"


def _understood(
    reply: str, choices: Sequence[Choice], fillable: Sequence[Category], rules: RuleSet
) -> tuple[Category, bool]:
    if not reply:
        raise NotFound("nothing was chosen", "type a name, or press Ctrl-C to leave it")
    word, _, rest = reply.partition(" ")
    is_scratch = not choices or (word.casefold() == "x" and bool(rest.strip()))
    category = rules.find_category(rest if choices and is_scratch else reply)
    if category not in fillable:
        raise NotAllowed(f"{category.name} is not open", f"choose from {listed(c.id for c in fillable)}")
    if not is_scratch and category not in [choice.category for choice in choices]:
        raise NotAllowed(f"the hand is not {category.name}", f"x {category.id} scratches it")
    return category, is_scratch


def _reply(question: str) -> str:
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
