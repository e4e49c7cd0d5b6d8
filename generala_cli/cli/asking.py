"""Questions, on a terminal only, on stderr, with an answer for everyone who just presses Enter."""

import sys
from collections.abc import Sequence

from generala_cli.app import playing
from generala_cli.app.playing import Entered
from generala_cli.app.typed import Hand
from generala_cli.app.views import view
from generala_cli.cli.session import Session
from generala_cli.errors import GeneralaError, Interrupted, NotAllowed, NotFound
from generala_cli.facts import replace
from generala_cli.game.decisions import Choice, Undecided
from generala_cli.game.game import Game
from generala_cli.game.seating import find_player
from generala_cli.rules.names import listed, safe
from generala_cli.rules.ruleset import Category


def ask_category(session: Session, hand: Hand, undecided: Undecided) -> Entered:
    """Ask where the hand goes, or what to scratch, and enter that.

    Raises:
        Interrupted: nothing was chosen.
    """
    game = view(session.store, None).game
    player = find_player(hand.player, game.seats) if hand.player is not None else game.to_move or ""
    _say(f"{safe(undecided.message[:1].upper() + undecided.message[1:])}.")
    _list_choices(undecided.choices)
    category, is_scratch = _chosen(undecided.choices, game.fillable_categories(player), game)
    named = replace(hand, category=category.id, player=player)  # the turn may have passed on meanwhile
    enter = playing.scratch if is_scratch else playing.score
    return enter(session.store, named, dry_run=session.dry_run)


def ask_yes(question: str) -> bool:
    """Whether the answer is yes; anything else is no."""
    return _reply(f"{question} [y/N] ").strip().casefold() in {"y", "yes", "s", "si", "sí", "j", "ja"}


def _list_choices(choices: Sequence[Choice]) -> None:
    """Each with the shortest thing it answers to, so that `1` is always the ones."""
    width = max((len(choice.category.name) for choice in choices), default=0)
    for choice in choices:
        key = min(choice.category.names, key=len)
        _say(f"  {safe(key):4} {safe(choice.category.name):{width}}  {choice.points:3}")


def _chosen(choices: Sequence[Choice], fillable: Sequence[Category], game: Game) -> tuple[Category, bool]:
    """The category, and whether it is to be scratched."""
    if choices:
        best = choices[0].category
        question = f"Which one? Enter takes {safe(best.name)}, x NAME scratches, Ctrl-C leaves: "
    else:
        _say(f"Open: {', '.join(category.id for category in fillable)}")
        question = "Which one to scratch? (Ctrl-C leaves) "
    while True:
        reply = _reply(question).strip()
        if not reply and choices:
            return best, False
        try:
            return _understood(reply, choices, fillable, game)
        except GeneralaError as error:
            _say(safe(str(error)) + ("" if str(error).endswith("?") else "."))


def _understood(
    reply: str, choices: Sequence[Choice], fillable: Sequence[Category], game: Game
) -> tuple[Category, bool]:
    if not reply:
        raise NotFound("nothing was chosen", "type a name, or press Ctrl-C to leave it")
    word, _, rest = reply.partition(" ")
    is_scratch = not choices or (word.casefold() == "x" and bool(rest.strip()))
    category = game.rules.find_category(rest if choices and is_scratch else reply)
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
        _say("")
        raise
    if not line:
        _say("")
        raise Interrupted("nothing was chosen", "nothing was changed")
    return line


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")
