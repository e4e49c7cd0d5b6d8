"""advise, odds, review. Whatever needs numpy is imported when it is asked for."""

import typer

from generala_cli.app.typed import Hand
from generala_cli.cli.more_parameters import (
    AdvisedDice,
    AdvisedPlayer,
    AdvisedRoll,
    AdvisedRules,
    Filled,
    InstantValue,
    Spares,
    Top,
)
from generala_cli.cli.parameters import MaybeGame
from generala_cli.cli.progress import progress
from generala_cli.cli.session import Answer, Session, drawn_by, read_input, told_by
from generala_cli.errors import Mistyped

_MOST_VALUE = 1_000_000
Result = tuple[Answer, Session]


def advise(
    context: typer.Context,
    dice: AdvisedDice,
    roll: AdvisedRoll = None,
    player: AdvisedPlayer = None,
    rules: AdvisedRules = None,
    filled: Filled = None,
    spares: Spares = None,
    top: Top = None,
    instant_value: InstantValue = None,
) -> Result:
    """Tell which dice to keep or which category to take, best first, by solving the whole sheet.

    The best choice is the one with the highest expected final total. Of the player to move in the current
    game; or in no game, by --rules, --filled and --spares. Without --roll it is the last throw.
    """
    from generala_cli.app.advising import Asked, advice

    session = Session.of(context)
    if top is not None and top < 1:
        raise Mistyped(f"{top} is not a number of choices", "type --top 1 or more")
    if instant_value is not None and not 0 <= instant_value <= _MOST_VALUE:
        raise Mistyped(f"{instant_value} is not a number of points", f"type 0 to {_MOST_VALUE}")
    asked = Asked(rules=rules, filled=filled or (), spares=spares, instant_value=instant_value)
    hand = Hand(dice=dice, roll=roll, player=player)
    with progress(quiet=session.quiet) as tell:
        found = advice(session.store, session.houses, read_input, hand, asked, tell)
    return Answer(
        text=drawn_by("advice.advice", found, top), document=told_by("odds_documents.advice", found, top)
    ), session


def odds(context: typer.Context) -> Result:
    """Tell everyone's chance to win, the total and the payout to be expected.

    They are exact, if everyone plays on for the highest expected total; instant wins are among them.
    """
    from generala_cli.app.chances import chances

    session = Session.of(context)
    with progress(quiet=session.quiet) as tell:
        found = chances(session.store, tell)
    return Answer(
        text=drawn_by("chances.odds", found), document=told_by("odds_documents.odds", found)
    ), session


def review(context: typer.Context, game: MaybeGame = None) -> Result:
    """Look back on a game: the luck of every hand, what every choice cost, how the chances ran.

    The luck is what a hand added to the expected final total, entered where that is best. What a choice
    cost is how much less was expected of the category it was entered in.
    """
    from generala_cli.app.reviewing import review as look_back

    session = Session.of(context)
    with progress(quiet=session.quiet) as tell:
        found = look_back(session.store, game, tell)
    return Answer(
        text=drawn_by("review.review", found), document=told_by("odds_documents.review", found)
    ), session
