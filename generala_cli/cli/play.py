"""play, score, scratch, undo, redo, amend."""

import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from typing import Annotated, NoReturn

from msgspec.structs import replace

from generala_cli.app import playing
from generala_cli.app.playing import Hand
from generala_cli.cli import completers
from generala_cli.cli.output import encoding_of_people
from generala_cli.cli.parameters import MaybeDice, MaybeGame, Roll, argument, option
from generala_cli.cli.rendering import documents, lines
from generala_cli.cli.running import run
from generala_cli.cli.session import Answer, Session, open_houses
from generala_cli.errors import Mistyped
from generala_cli.game.decisions import Undecided
from generala_cli.messages import Message, tell
from generala_cli.render.language import speak, spoken

_HAND = tell("The hand, in any order: 5 5 5 3 3 or 55533; the throw, category and player may follow it.")
Dice = Annotated[list[str], argument("DICE...", _HAND, completers.hand_categories)]
_AS = tell("The category; by default the one that scores most.")
As = Annotated[str | None, option("--as", _AS, "CATEGORY", completers.categories)]
_PLAYER = tell("Someone else who has not had this round's turn.")
_THREW = tell("An earlier throw and what was kept of it, once for each: 44126:44. --roll follows from it.")
Threw = Annotated[list[str] | None, option("--threw", _THREW, "HAND:KEPT")]
Player = Annotated[str | None, option("--player", _PLAYER, "NAME", completers.players)]
Category = Annotated[str, argument("CATEGORY", "The category to give up.", completers.categories)]
Count = Annotated[list[str] | None, argument("[N]", "How many; by default 1.")]
_MOST_DIGITS = 1000
_TURN = tell("The turn, as generala log counts them.")
Turn = Annotated[int, argument("TURN", _TURN, completers.turns, is_number=True)]
_AMENDED_ROLL = tell("The throw the hand was finished on; by default as it was.")
AmendedRoll = Annotated[str | None, option("--roll", _AMENDED_ROLL, "N", completers.amended_throws)]
_AMENDED_AS = tell("The category; by default as it was.")
AmendedAs = Annotated[str | None, option("--as", _AMENDED_AS, "CATEGORY", completers.amended_categories)]
_AMENDED_PLAYER = tell("Who really threw it; by default as it was.")
AmendedPlayer = Annotated[str | None, option("--player", _AMENDED_PLAYER, "NAME", completers.seated)]
Lines = Annotated[bool, option("--plain", "A dialogue of lines: for screen readers and slow lines.")]
Coached = Annotated[bool, option("--coach", "Tell each throw and what you keep, and see what was best.")]
AsScratch = Annotated[bool, option("--scratch", "Make it a scratch.")]


def play(
    session: Session, game: MaybeGame = None, lines_only: Lines = False, coached: Coached = False
) -> Answer:
    """Play on one screen: the sheet, the hand, and what it would pay in every open box.

    Five dice and Enter write a hand in the best box; one digit more is the throw. Arrows or a name behind the
    dice choose another box, x scratches, u undoes, ? shows all keys, q leaves. Where there is no game
    yet, it asks who plays. What another shell enters is seen at once. With --plain, and on a terminal that
    has no screen to paint, it is a dialogue: a line in, what it comes to out. With --coach, or the key k, you
    type every throw and the dice that you keep, and it says what was best and what yours cost.
    """
    if session.json or not (session.can_ask and sys.__stdout__ and sys.__stdout__.isatty()):
        shell = tell("generala score DICE enters a hand without one")
        raise Mistyped("play needs a terminal, and answers on the screen alone", shell)
    if lines_only or os.environ.get("TERM", "dumb") in ("", "dumb"):
        if coached:
            hint = tell("leave --coach out; a 44126 1 advises, and score --threw tells the throws")
            raise Mistyped("the coach is on the screen, and this is a dialogue", hint)
        return _converse(session, game)
    return _paint(session, game, coached=coached)


def _paint(session: Session, game: str | None, *, coached: bool) -> NoReturn:
    """The screen, which ends the program."""
    from generala_cli.play import app  # a third of a second, which no other command has to wait

    app.run(session.store, open_houses(), session.color or "auto", game, "before" if coached else "off")


def _converse(session: Session, game: str | None) -> Answer:
    """The dialogue, whose lines are commands like any other; nothing is left to say when it ends."""
    from generala_cli.play.dialogue import converse  # no other command needs to take lines apart

    with redirect_stdout(sys.__stdout__):
        if game is not None:
            _run_line(session, ["use", "--", game])
        code = converse(lambda words: _run_line(session, ["--no-pager", *words]), session.store)
    return replace(Answer.said("", documents.Text, text=""), exit_code=code)


def _run_line(session: Session, words: Sequence[str]) -> int:
    """Run a line as a command in the language of the dialogue, which goes on in it whatever the line said."""
    language = spoken()
    code = run([*words] if session.language is None else ["--language", session.language, *words])
    if spoken() != language:
        speak(language, encoding_of_people())
    return code


def score(
    session: Session,
    dice: Dice,
    roll: Roll = None,
    category: As = None,
    player: Player = None,
    threw: Threw = None,
) -> Answer:
    """Write a hand for the player to move.

    Without --as it goes to the open category that scores most. On a terminal you are asked where two
    score the same or only numbers are left; elsewhere that is refused, and nothing is ever scratched
    unasked. Words work too: --as poker, or after the dice: 55533 full servido.
    """
    hand = Hand(dice=dice, roll=roll, category=category, player=player, threw=threw or ())
    asking = session.can_ask and category is None
    try:
        entered = playing.score(session.store, hand, careful=asking, dry_run=session.dry_run)
    except Undecided as undecided:
        if not asking:
            raise
        from generala_cli.cli.asking import ask_category  # only where there is something to ask

        entered = ask_category(session, hand, undecided)
    return session.news(Answer.of(entered, lines.entered, documents.game.entered))


def scratch(
    session: Session,
    category: Category,
    dice: MaybeDice = None,
    roll: Roll = None,
    player: Player = None,
    threw: Threw = None,
) -> Answer:
    """Give a category up for 0. It is closed for the rest of the game; undo takes it back."""
    hand = Hand(dice=dice or (), roll=roll, category=category, player=player, threw=threw or ())
    entered = playing.scratch(session.store, hand, dry_run=session.dry_run)
    return session.news(Answer.of(entered, lines.entered, documents.game.entered))


def undo(session: Session, count: Count = None) -> Answer:
    """Take back the last entry, or the last N. It works after the end of a game too; redo puts it back."""
    moved = playing.undo(session.store, _count(session, "undo", count), dry_run=session.dry_run)
    return session.news(Answer.of(moved, lines.moved, documents.game.moved))


def redo(session: Session, count: Count = None) -> Answer:
    """Put back what was undone last, as long as nothing was entered since."""
    moved = playing.redo(session.store, _count(session, "redo", count), dry_run=session.dry_run)
    return session.news(Answer.of(moved, lines.moved, documents.game.moved))


def _count(session: Session, command: str, typed: list[str] | None) -> int:
    """How many of the last actions: one number, or a refusal that says what may have been meant."""
    *others, word = typed or ["1"]
    is_whole = _is_whole(word)
    if others:
        what = tell("{command} takes how many entries, not which", command=command)
        raise Mistyped(what, _how_many(command, word if is_whole else "2"))
    if not is_whole:
        history = session.store.open(None).history
        every = len(history.done if command == "undo" else history.undone)
        what = tell("{word!r} is not a number of entries", word=word)
        raise Mistyped(what, _all_of_them(command, every))
    return int(word)


def _how_many(command: str, count: str) -> Message:
    if command == "redo":
        return tell("type generala redo {number} for as many of the last ones", number=count)
    return tell(
        "type generala undo {number} for as many of the last ones, "
        "or generala amend TURN to correct an earlier one",
        number=count,
    )


def _all_of_them(command: str, every: int) -> Message:
    if every:
        return tell("type generala {command} {number} for all of them", command=command, number=every)
    return tell("there is nothing to undo" if command == "undo" else "there is nothing to redo")


def _is_whole(word: str) -> bool:
    """Whether it is a number, also one below 0, which is refused as what it is."""
    digits = word.removeprefix("-")
    return digits.isascii() and digits.isdecimal() and len(digits) <= _MOST_DIGITS


def amend(
    session: Session,
    turn: Turn,
    dice: MaybeDice = None,
    roll: AmendedRoll = None,
    category: AmendedAs = None,
    player: AmendedPlayer = None,
    threw: Threw = None,
    scratched: AsScratch = False,
) -> Answer:
    """Correct any earlier entry. What you do not give stays as it was.

    --player gives it to the player who really threw it; if that one had a turn in the same round, the
    two entries change places. Everything after it is checked again; if something no longer fits, the
    correction is refused and the turn named. Other dice, or another throw, drop what was told by --threw.
    Undo takes the correction back.
    """
    hand = Hand(dice=dice or (), roll=roll, category=category, player=player, threw=threw or ())
    entered = playing.amend(session.store, turn, hand, scratched=scratched, dry_run=session.dry_run)
    return session.news(Answer.of(entered, lines.entered, documents.game.entered))
