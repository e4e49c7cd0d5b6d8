"""Questions, on a terminal only, on stderr; Enter alone never spends anything dear."""

import shutil
import sys
from collections.abc import Iterator, Sequence
from textwrap import wrap

from msgspec.structs import replace

from generala_cli.app import playing
from generala_cli.app.playing import Entered
from generala_cli.cli.output import note
from generala_cli.cli.session import Session
from generala_cli.errors import GeneralaError, Interrupted, Mistyped, NotAllowed, NotFound
from generala_cli.game.decisions import Choice, Undecided
from generala_cli.game.starting import amounts_meant
from generala_cli.game.turnline import TurnLine
from generala_cli.messages import NO, YES, Message, listing, tell
from generala_cli.render.language import said, said_error, say
from generala_cli.rules.ruleset import Category, RuleSet
from generala_cli.text import find_word, safe

_UNBROKEN = "\u00a0"
"""A blank at which no line is broken."""


def enter_or_ask(session: Session, line: TurnLine) -> Entered:
    """Enter a turn; where it is not plain where it goes, ask. Interrupted where nothing is chosen."""
    try:
        return playing.enter(session.store, line, careful=True, dry_run=session.dry_run)
    except Undecided as undecided:
        stored = session.store.open(None)
        game, turn = stored.game, undecided.turn  # the player is named: the turn may pass on meanwhile
        assert turn.player is not None
        category, is_scratch = _chosen(undecided, game.fillable_categories(turn.player), game.rules)
        store = replace(session.store, named=str(stored.number))  # whatever is current then
        chosen = replace(turn, category=category, is_scratch=is_scratch)
        return playing.enter(store, chosen, dry_run=session.dry_run)


def ask_before(session: Session, question: Message, refusal: Mistyped) -> bool:
    """Whether someone agrees to what cannot be undone; where nobody can be asked, it is refused."""
    if not session.can_ask:
        raise refusal
    note("".join(f"{safe(said(line))}\n" for line in refusal.details))
    return ask_yes(question)


def ask_yes(question: Message) -> bool:
    """Return whether the answer is yes, in any language; anything else is no."""
    shown = said(tell("{question} [y/N]", question=question))
    return find_word(_reply(f"{safe(shown)} "), {True: YES, False: NO}) is True


def ask_amount(session: Session, typed: str) -> str:
    """Return the amount as typed; on a terminal one that could be in thousands is asked about."""
    meant = amounts_meant(typed.strip())
    if len(meant) < 2 or not session.can_ask:
        return typed
    question = tell(
        "{typed!r} could be {large} or {small}; which is it?", typed=typed, large=meant[0], small=meant[1]
    )
    while True:
        reply = _reply(f"{safe(said(question))} ").strip()
        if not reply:
            raise Interrupted("nothing was chosen", "nothing was changed")
        if reply in meant:
            return reply


def _chosen(undecided: Undecided, fillable: Sequence[Category], rules: RuleSet) -> tuple[Category, bool]:
    """The category, and whether it is to be scratched; asked for until the answer can be taken."""
    choices = undecided.choices
    player, dice = undecided.turn.player, "".join(map(str, undecided.turn.dice or ()))
    is_asked_to_scratch = undecided.turn.is_scratch
    if not choices and len(fillable) == 1 and not is_asked_to_scratch:
        question = tell(
            "{player} {dice}: nothing made; scratch {category}?",
            player=player,
            dice=dice,
            category=fillable[0],
        )
        if ask_yes(question):
            return fillable[0], True
        raise Interrupted("nothing was chosen", "nothing was changed")
    best = choices[0] if choices else None
    if best is not None and (
        best.category.takes_any_dice or any(other.points == best.points for other in choices[1:])
    ):
        best = None  # Enter alone neither settles a tie nor spends a chance
    if choices:
        shown = [f"{said(choice.category)} {choice.points}".replace(" ", _UNBROKEN) for choice in choices]
        if best is not None:
            shown[0] = say("{choice} (Enter)", choice=shown[0])
        question = tell(
            "{player} {dice}: {choices}; x and a box scratches it, ? explains:",
            player=player,
            dice=dice,
            choices=", ".join(shown),
        )
    elif is_asked_to_scratch:
        question = tell("{player}: scratch which? {categories}:", player=player, categories=listing(fillable))
    else:
        question = tell(
            "{player} {dice}: nothing made; scratch {categories}:",
            player=player,
            dice=dice,
            categories=listing(fillable),
        )
    while True:
        reply = _reply(f"{_wrapped(question)} ").strip()
        if reply == "?":
            for line in _explanation(choices, fillable):
                note(f"{_wrapped(line)}\n")
            continue
        if not reply and best is not None:
            return best.category, False
        try:
            return _understood(reply, choices, fillable, rules)
        except GeneralaError as error:
            note(f"{safe(said_error(error))}\n")


def _explanation(choices: Sequence[Choice], fillable: Sequence[Category]) -> Iterator[Message]:
    """All that can be answered."""
    if choices:
        made = listing(choice.category for choice in choices)
        yield tell("type a box, or the start of its name: {choices}", choices=made)
        yield tell(
            "x and a box scratches it, as x {example}; open are {categories}",
            example=fillable[0].typed,
            categories=listing(fillable, "and"),
        )
    else:
        yield tell("type the box to scratch: {categories}", categories=listing(fillable))
    yield tell("Ctrl-C leaves it, and nothing is entered")


def _wrapped(message: Message) -> str:
    """The message in as many lines as the terminal takes."""
    columns = max(20, shutil.get_terminal_size().columns)
    lines = wrap(safe(said(message)), columns - 1, break_long_words=False)
    return "\n".join(lines).replace(_UNBROKEN, " ")


def _understood(
    reply: str, choices: Sequence[Choice], fillable: Sequence[Category], rules: RuleSet
) -> tuple[Category, bool]:
    if not reply:
        raise NotFound("nothing was chosen", "type a name, or press Ctrl-C to leave it")
    word, _, rest = reply.partition(" ")
    is_behind_x = word.casefold() == "x" and bool(rest.strip())
    is_scratch = not choices or is_behind_x
    category = rules.find_category(rest if is_behind_x else reply)
    if category not in fillable:
        what = tell("{category} is not open", category=category)
        raise NotAllowed(what, tell("choose from {names}", names=listing(c.typed for c in fillable)))
    if not is_scratch and category not in [choice.category for choice in choices]:
        what = tell("the hand is not {category}", category=category)
        raise NotAllowed(what, tell("x {category} scratches it", category=category.typed))
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
