"""ledger."""

from typing import Annotated

from msgspec.structs import replace

from generala_cli.app import ledger as app_ledger
from generala_cli.cli import completers
from generala_cli.cli.games import PlayedBy, Since
from generala_cli.cli.parameters import option
from generala_cli.cli.progress import progress
from generala_cli.cli.rendering import documents
from generala_cli.cli.rendering import ledger as drawings
from generala_cli.cli.session import Answer, Session
from generala_cli.errors import Mistyped

_UNTIL = "Only those begun until then, that day or game among them."
Until = Annotated[str | None, option("--until", _UNTIL, "WHEN", completers.moments)]
Direct = Annotated[bool, option("--direct", "Each pays those they owe; this is the default.")]
Fewest = Annotated[bool, option("--fewest", "As few payments as there can be.")]
_WHY = "The games that made a debt between two players."
WhyTwo = Annotated[tuple[str, str] | None, option("--why", _WHY, "NAME NAME", completers.everyone)]


def ledger(
    session: Session,
    since: Since = None,
    until: Until = None,
    played: PlayedBy = None,
    direct: Direct = False,
    fewest: Fewest = False,
    why: WhyTwo = None,
) -> Answer:
    """Tell who owes whom over all finished games, a table a unit.

    Amounts are those of each game's payouts, added up; units are never converted. Games for points only
    owe nothing.
    """
    if direct and fewest:
        raise Mistyped("--direct and --fewest exclude each other", "give one of them")
    with progress(what="games", quiet=session.quiet) as tell:
        found = app_ledger.ledger(
            session.store, since=since, until=until, among=played or (), fewest=fewest, tell=tell
        )
    notes = tuple(f"game {number} is left out: {problem}" for number, problem in found.damaged)
    if why is not None:
        answer = Answer.of(app_ledger.why(found, *why), drawings.why, documents.why)
    else:
        answer = Answer.of(found, drawings.ledger, documents.ledger)
    return replace(answer, notes=notes)
