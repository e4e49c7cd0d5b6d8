"""Questions, on a terminal only, on stderr, with an answer for everyone who just presses Enter."""

import shutil
import sys
from collections.abc import Sequence

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
    if not choices and len(fillable) == 1:
        if ask_yes(_only_scratch(undecided, fillable[0])):
            return fillable[0], True
        raise Interrupted("nothing was chosen", "nothing was changed")
    question = _question(undecided, fillable)
    while True:
        reply = _reply(f"{safe(question)} ").strip()
        if not reply and choices:
            return choices[0].category, False
        try:
            return _understood(reply, choices, fillable, rules)
        except GeneralaError as error:
            told = safe(said_error(error))
            note(f"{told}\n" if told.endswith("?") else f"{told}.\n")


def _only_scratch(undecided: Undecided, left: Category) -> Message:
    dice = "".join(map(str, undecided.turn.dice or ()))
    return tell(
        "{player} {dice}: nothing made; scratch {category}?",
        player=undecided.turn.player,
        dice=dice,
        category=left,
    )


def _question(undecided: Undecided, fillable: Sequence[Category]) -> str:
    """What may be scored, best first, and scratched: on one line, with shorter names where it is narrow."""
    dice = "".join(map(str, undecided.turn.dice or ()))
    if not undecided.choices:
        return say(
            "{player} {dice}: nothing made; scratch {categories}:",
            player=undecided.turn.player,
            dice=dice,
            categories=listing(fillable),
        )
    keys = " ".join(category.key for category in fillable)
    best, *others = (f"{said(choice.category)} {choice.points}" for choice in undecided.choices)
    question = say(
        "{player} {dice}: {choices}; x {scratches}:",
        player=undecided.turn.player,
        dice=dice,
        choices=", ".join((say("{choice} (Enter)", choice=best), *others)),
        scratches=keys,
    )
    if len(question) + 1 < shutil.get_terminal_size().columns:
        return question
    best, *others = (f"{choice.category.key}={choice.points}" for choice in undecided.choices)
    return say(
        "{choice} (Enter) {others}; x {scratches}:", choice=best, others=" ".join(others), scratches=keys
    )


def _understood(
    reply: str, choices: Sequence[Choice], fillable: Sequence[Category], rules: RuleSet
) -> tuple[Category, bool]:
    if not reply:
        raise NotFound("nothing was chosen", "type a name, or press Ctrl-C to leave it")
    word, _, rest = reply.partition(" ")
    is_scratch = not choices or (word.casefold() == "x" and bool(rest.strip()))
    category = rules.find_category(rest if choices and is_scratch else reply)
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
