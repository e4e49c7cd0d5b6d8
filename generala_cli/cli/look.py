"""sheet, standings, payouts, log."""

from typing import Annotated

from msgspec.structs import replace

from generala_cli.app import views
from generala_cli.cli import completers
from generala_cli.cli.parameters import MaybeGame, option, unit_note
from generala_cli.cli.rendering import documents, tables
from generala_cli.cli.session import Answer, Session

TriedStake = Annotated[str | None, option("--stake", "Try another stake.", "AMOUNT")]
_UNIT = "Try another unit, as USD or drink."
TriedUnit = Annotated[str | None, option("--unit", _UNIT, "UNIT", completers.units)]
_METHOD = "Try difference, pairwise, pot or low-pays."
TriedMethod = Annotated[str | None, option("--method", _METHOD, "METHOD", completers.methods)]
Everything = Annotated[bool, option("--all", "Corrections and undone entries too.")]


def sheet(session: Session, game: MaybeGame = None) -> Answer:
    """Show the scoresheet: players across, categories down, totals below."""
    return Answer.of(session.store.open(game), tables.sheet, documents.sheet)


def standings(session: Session, game: MaybeGame = None) -> Answer:
    """Show places and margins, between players or between sides."""
    return Answer.of(session.store.open(game), tables.standings, documents.standings)


def payouts(
    session: Session,
    game: MaybeGame = None,
    stake: TriedStake = None,
    unit: TriedUnit = None,
    method: TriedMethod = None,
) -> Answer:
    """Show who owes whom, to the cent. Of a game that is not over: what it would be if it ended now.

    difference: each loser owes the winner the difference in points. pairwise: every pair settles.
    pot: everyone antes one stake and the winner takes all. low-pays: the lowest total pays one stake
    for every other player.
    """
    settled = views.payouts(session.store, game, stake=stake, unit=unit, method=method)
    return replace(
        Answer.of(settled, tables.payouts, documents.payouts), notes=unit_note(unit, settled.payout.unit)
    )


def log(session: Session, game: MaybeGame = None, everything: Everything = False) -> Answer:
    """Show every entry in order, with dice, throw, category, points and time."""
    return Answer.of(views.log(session.store, game, everything=everything), tables.log, documents.log).long()
