from typing import TYPE_CHECKING, Annotated

from generala_cli.cli import completers
from generala_cli.cli.parameters import Roll, argument, option
from generala_cli.cli.session import Answer, Session
from generala_cli.cli.spoken_commands import LAST
from generala_cli.cli.turn_line import AS, PLAYER, THREW
from generala_cli.errors import UsageError
from generala_cli.messages import CommandLine, lazy
from generala_cli.text import find_word

if TYPE_CHECKING:  # help needs no game, and drawing needs no document
    from generala_cli.table.answers import EntryAnswer, UndoAnswer

_HAND = lazy("The hand, in any order: 5 5 5 3 3 or 55533. The throw, category and player may follow.")
Dice = Annotated[list[str], argument("DICE...", _HAND, completers.after_hand)]
As = Annotated[str | None, option(*AS, completers.categories)]
Threw = Annotated[list[str] | None, option(*THREW)]
Player = Annotated[str | None, option(*PLAYER, completers.players)]
_HAND_IF_ANY = lazy("The hand, in any order.")
ScratchDice = Annotated[list[str] | None, argument("[DICE]...", _HAND_IF_ANY, completers.after_scratch)]
AmendedDice = Annotated[list[str] | None, argument("[DICE]...", _HAND_IF_ANY, completers.after_amended)]
_CATEGORY = lazy("The category to give up.")
Category = Annotated[str | None, argument("[CATEGORY]", _CATEGORY, completers.categories)]
Count = Annotated[list[str] | None, argument("[N]", "How many; by default 1.")]
_MOST_DIGITS = 1000
_TURN = lazy("The number of the turn, from generala log, or last.")
Turn = Annotated[str | None, argument("[TURN]", _TURN, completers.turns)]
_AMENDED_ROLL = lazy("The throw that finished the hand; by default unchanged.")
AmendedRoll = Annotated[str | None, option("--roll", _AMENDED_ROLL, "N", completers.amended_throws)]
_AMENDED_AS = lazy("The category; by default unchanged.")
AmendedAs = Annotated[str | None, option("--as", _AMENDED_AS, "CATEGORY", completers.amended_categories)]
_AMENDED_PLAYER = lazy("The player who really threw it; by default unchanged.")
AmendedPlayer = Annotated[str | None, option("--player", _AMENDED_PLAYER, "NAME", completers.seated)]
AsScratch = Annotated[bool, option("--scratch", "Make it a scratch.")]


def score(
    session: Session,
    dice: Dice,
    roll: Roll = None,
    category: As = None,
    player: Player = None,
    threw: Threw = None,
) -> "Answer[EntryAnswer]":
    """Score a hand for the player to move.

    Without --as, it goes to the open category that scores most. If two score the same, or if the best one
    takes any dice and the hand fits a different one, it asks on a terminal and refuses elsewhere. It never
    scratches unasked. Words work, too: --as poker, or after the dice: 55533 full servido.
    """
    from generala_cli.table.entering import enter_line

    return enter_line(session, dice, roll=roll, category=category, player=player, threw=threw)


def scratch(
    session: Session,
    category: Category = None,
    dice: ScratchDice = None,
    roll: Roll = None,
    player: Player = None,
    threw: Threw = None,
) -> "Answer[EntryAnswer]":
    """Give up a category for 0. It stays closed for the rest of the game; undo reverts it."""
    from generala_cli.table.entering import enter_line

    words = ("x", *([category] if category else ()), *(dice or ()))
    return enter_line(session, words, roll=roll, player=player, threw=threw)


def undo(session: Session, count: Count = None) -> "Answer[UndoAnswer]":
    """Undo the last entry, or the last N. This works after the end of a game, too. Redo restores it."""
    from generala_cli.table import turns

    undone = turns.undo(session.store, _count(session, "undo", count), dry_run=session.dry_run)
    return session.as_change(Answer.of(undone, undone.document))


def redo(session: Session, count: Count = None) -> "Answer[UndoAnswer]":
    """Restore the entry that was undone last, or the last N, if nothing was entered since."""
    from generala_cli.table import turns

    redone = turns.redo(session.store, _count(session, "redo", count), dry_run=session.dry_run)
    return session.as_change(Answer.of(redone, redone.document))


def _count(session: Session, command: str, typed: list[str] | None) -> int:
    if typed and typed[-1].isalpha() and find_word(" ".join(typed), {True: LAST}):
        return 1
    *others, word = typed or ["1"]
    digits = word.removeprefix("-")  # a negative number is refused later
    is_whole = digits.isascii() and digits.isdecimal() and len(digits) <= _MOST_DIGITS
    if others:
        from generala_cli.cli.usage import amend_or_undo  # needed only for this mistake

        what = lazy("{command} takes a number of entries, not a turn", command=CommandLine(command))
        raise UsageError(
            what, amend_or_undo([*others, word]) if command == "undo" else lazy("type generala redo N")
        )
    if not is_whole:
        history = session.store.open(None).history
        if every := len(history.done if command == "undo" else history.undone):
            hint = lazy(
                "type {command}, with N up to {count}",
                command=CommandLine(f"generala {command} N"),
                count=every,
            )
        else:
            hint = lazy("there is nothing to undo" if command == "undo" else "there is nothing to redo")
        raise UsageError(lazy("{word!r} is not a number of entries", word=word), hint)
    return int(word)


def amend(
    session: Session,
    turn: Turn = None,
    dice: AmendedDice = None,
    roll: AmendedRoll = None,
    category: AmendedAs = None,
    player: AmendedPlayer = None,
    threw: Threw = None,
    scratched: AsScratch = False,
) -> "Answer[EntryAnswer]":
    """Correct any earlier entry. Fields that you do not give stay the same.

    Without arguments, it asks on a terminal. --player moves the entry to the player who really threw it; if
    that player had a turn in the same round, the two entries swap. Every later entry is checked again. If
    one no longer fits, the correction is refused and the turn named. A change of dice or throw drops what
    --threw gave. Undo reverts the correction.
    """
    from generala_cli.table import turns

    line = turns.TurnLine(words=dice or (), roll=roll, category=category, player=player, threw=threw or ())
    if turn is not None:
        number = _turn_number(session, turn)
        entered = turns.amend(session.store, number, line, scratched=scratched, dry_run=session.dry_run)
    else:
        from generala_cli.render.lines import latest_turns

        game = session.store.open(None).game
        if not (game.entries and session.can_ask):
            how = lazy("type generala amend TURN and the correction")
            hint = how if game.entries else lazy("nothing has been entered yet")
            raise UsageError(lazy("no turn is given"), hint, tuple(latest_turns(game)))
        from generala_cli.table.deciding import amend_by_asking  # needed only to ask

        entered = amend_by_asking(session, line, scratched=scratched)
    return session.as_change(Answer.of(entered, entered.document))


def _turn_number(session: Session, typed: str) -> int:
    try:
        return int(typed)
    except ValueError:
        if find_word(typed, {True: LAST}):
            return len(session.store.open(None).game.entries)
        from generala_cli.cli.usage import not_whole  # only errors need it

        raise UsageError(
            not_whole(CommandLine("TURN"), typed),
            lazy("type {command}", command=CommandLine("generala amend TURN DICE")),
        ) from None
