"""score, scratch, undo, redo, amend."""

from collections.abc import Callable

import typer

from generala_cli.app import playing
from generala_cli.app.playing import Entered, Moved
from generala_cli.app.typed import Hand
from generala_cli.cli.parameters import (
    AmendedAs,
    AmendedRoll,
    As,
    AsScratch,
    Category,
    Count,
    Dice,
    MaybeDice,
    Player,
    Roll,
    Turn,
)
from generala_cli.cli.session import Answer, Session, drawn_by, told_by
from generala_cli.game.decisions import Undecided

Result = tuple[Answer, Session]


def score(
    context: typer.Context, dice: Dice, roll: Roll = None, category: As = None, player: Player = None
) -> Result:
    """Write a hand for the player to move.

    Without --as it goes to the open category that scores most. On a terminal you are asked where two
    score the same or only numbers are left; elsewhere that is refused, and nothing is ever scratched
    unasked. Words work too: --as poker, or after the dice: 55533 full servido.
    """
    session = Session.of(context)
    hand = Hand(dice=dice, roll=roll, category=category, player=player)
    asking = session.can_ask and category is None
    try:
        return _entered(session, playing.score(session.store, hand, careful=asking, dry_run=session.dry_run))
    except Undecided as undecided:
        if not asking:
            raise
        from generala_cli.cli.asking import ask_category

        return _entered(session, ask_category(session, hand, undecided))


def scratch(
    context: typer.Context,
    category: Category,
    dice: MaybeDice = None,
    roll: Roll = None,
    player: Player = None,
) -> Result:
    """Give a category up for 0. It is closed for the rest of the game; undo takes it back."""
    session = Session.of(context)
    hand = Hand(dice=dice or (), roll=roll, category=category, player=player)
    return _entered(session, playing.scratch(session.store, hand, dry_run=session.dry_run))


def undo(context: typer.Context, count: Count = 1) -> Result:
    """Take back the last entry, or the last N. It works after the end of a game too; redo puts it back."""
    return _moved(context, playing.undo, count)


def redo(context: typer.Context, count: Count = 1) -> Result:
    """Put back what was undone last, as long as nothing was entered since."""
    return _moved(context, playing.redo, count)


def amend(
    context: typer.Context,
    turn: Turn,
    dice: MaybeDice = None,
    roll: AmendedRoll = None,
    category: AmendedAs = None,
    scratched: AsScratch = False,
) -> Result:
    """Correct any earlier entry. What you do not give stays as it was.

    Everything after it is checked again; if something no longer fits, the correction is refused and
    the turn named. Undo takes the correction back.
    """
    session = Session.of(context)
    hand = Hand(dice=dice or (), roll=roll, category=category)
    return _entered(
        session, playing.amend(session.store, turn, hand, scratched=scratched, dry_run=session.dry_run)
    )


def _entered(session: Session, result: Entered) -> Result:
    return session.news(drawn_by("lines.entered", result), told_by("entered", result)), session


def _moved(context: typer.Context, move: Callable[..., Moved], count: int) -> Result:
    session = Session.of(context)
    result = move(session.store, count, dry_run=session.dry_run)
    return session.news(drawn_by("lines.moved", result), told_by("moved", result)), session
