"""sheet, standings, payouts, log."""

import typer

from generala_cli.app import views
from generala_cli.cli.parameters import Everything, MaybeGame, TriedMethod, TriedStake, TriedUnit
from generala_cli.cli.session import Answer, Session
from generala_cli.render import envelope
from generala_cli.render.screen import Screen

Result = tuple[Answer, Session]


def sheet(context: typer.Context, game: MaybeGame = None) -> Result:
    """Show the scoresheet: players across, categories down, totals below."""
    session = Session.of(context)
    view = views.view(session.store, game)

    def text(screen: Screen) -> str:
        from generala_cli.render import sheet

        return sheet.sheet(view, screen)

    return Answer(text=text, document=lambda: envelope.sheet(view)), session


def standings(context: typer.Context, game: MaybeGame = None) -> Result:
    """Show places and margins, between players or between sides."""
    session = Session.of(context)
    view = views.view(session.store, game)

    def text(screen: Screen) -> str:
        from generala_cli.render import tables

        return tables.standings(view, screen)

    return Answer(text=text, document=lambda: envelope.standings(view)), session


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

    def text(screen: Screen) -> str:
        from generala_cli.render import tables

        return tables.payouts(settled, screen)

    return Answer(text=text, document=lambda: envelope.payouts(settled)), session


def log(context: typer.Context, game: MaybeGame = None, everything: Everything = False) -> Result:
    """Show every entry in order, with dice, throw, category, points and time."""
    session = Session.of(context)
    entries = views.log(session.store, game, everything=everything)

    def text(screen: Screen) -> str:
        from generala_cli.render import listings

        return listings.log(entries, screen)

    return Answer(text=text, document=lambda: envelope.log(entries)), session
