"""sheet, standings, payouts, log."""

import typer

from generala_cli.app import views
from generala_cli.cli.parameters import Everything, MaybeGame, TriedMethod, TriedStake, TriedUnit
from generala_cli.cli.session import Answer, Session, drawn_by, told_by

Result = tuple[Answer, Session]


def sheet(context: typer.Context, game: MaybeGame = None) -> Result:
    """Show the scoresheet: players across, categories down, totals below."""
    session = Session.of(context)
    view = views.view(session.store, game)
    return Answer(text=drawn_by("sheet.sheet", view), document=told_by("sheet", view)), session


def standings(context: typer.Context, game: MaybeGame = None) -> Result:
    """Show places and margins, between players or between sides."""
    session = Session.of(context)
    view = views.view(session.store, game)
    return Answer(text=drawn_by("tables.standings", view), document=told_by("standings", view)), session


def payouts(
    context: typer.Context,
    game: MaybeGame = None,
    stake: TriedStake = None,
    unit: TriedUnit = None,
    method: TriedMethod = None,
) -> Result:
    """Show who owes whom, to the cent. Of a game that is not over: what it would be if it ended now.

    difference: each loser owes the winner the difference in points. pairwise: every pair settles.
    pot: everyone antes one stake and the winner takes all. low-pays: the lowest total pays one stake
    for every other player.
    """
    session = Session.of(context)
    settled = views.payouts(session.store, game, stake=stake, unit=unit, method=method)
    return Answer(text=drawn_by("tables.payouts", settled), document=told_by("payouts", settled)), session


def log(context: typer.Context, game: MaybeGame = None, everything: Everything = False) -> Result:
    """Show every entry in order, with dice, throw, category, points and time."""
    session = Session.of(context)
    entries = views.log(session.store, game, everything=everything)
    return Answer(text=drawn_by("listings.log", entries), document=told_by("log", entries)), session
