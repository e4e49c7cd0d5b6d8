from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, cast

import typer
from msgspec.structs import replace

from generala_cli.cli import completers
from generala_cli.cli.parameters import Excel, Since, Until, argument, option
from generala_cli.cli.progress import progress
from generala_cli.cli.session import Answer, Session, open_store
from generala_cli.messages import VALUES, lazy
from generala_cli.text import choose
from generala_cli.tournament.commands import WAYS, Format, as_rows

if TYPE_CHECKING:  # only the schema of an answer loads these classes
    from generala_cli.render.documents import TextDocument
    from generala_cli.tournament.answers import ExportedNightPlace, League, LeagueList
    from generala_cli.tournament.rules.tournaments import By


def _names(_: typer.Context) -> Iterable[str]:
    from generala_cli.tournament.league import league_names

    return league_names(open_store())


_NAME = lazy("The name of tournaments and games, or its first words; by default, list such names.")
Name = Annotated[str | None, argument("[NAME]", _NAME, _names)]
_BEST = lazy("Count only each player's N best nights; by default, all nights.")
Best = Annotated[int | None, option("--best", _BEST, "N", is_number=True)]
_BY = lazy("Rank by points for the places of each night (the default), totals or places.")
RankedBy = Annotated[str, option("--by", _BY, "|".join(WAYS), completers.among(*WAYS))]
_POINTS = lazy(
    "Points for each place of a night, such as 10,6,3,1; tied players share the points of their places."
)
Points = Annotated[str | None, option("--points", _POINTS, "N,N...")]
_HEAD_START = lazy("Also show the head start that averages would give each player, and the ranking with it.")
HeadStart = Annotated[bool, option("--head-start", _HEAD_START)]


def league(
    session: Session,
    name: Name = None,
    best: Best = None,
    by: RankedBy = "points",
    points: Points = None,
    head_start: HeadStart = False,
    since: Since = None,
    until: Until = None,
    form: Format = None,
    excel: Excel = False,
) -> "Answer[League | LeagueList | TextDocument | ExportedNightPlace]":
    """Rank players over months, across all tournaments and evenings whose name starts with NAME.

    A tournament counts as one night, and so do all other games of one evening. Each night earns points for
    places, by default one for every place below. Nothing is stored for this.

    generala league Copa --format csv > copa.csv has a row for each player and night.
    """
    from generala_cli.tournament import league as leagues

    chosen = cast("By", choose(by, WAYS, "way to rank", VALUES))
    if name is None:
        with progress(of_games=True, quiet=session.quiet) as report:
            listed = leagues.list_leagues(session.store, report)
        return Answer.of_document(listed).long()
    with progress(of_games=True, quiet=session.quiet) as report:
        found = leagues.league(
            session.store,
            name,
            by=chosen,
            points=points,
            best=best,
            with_head_starts=head_start or form is not None or excel,
            since=since,
            until=until,
            progress=report,
        )
    answer: Answer[League | TextDocument] = Answer.of_document(found).long()
    if form is not None or excel:
        from generala_cli.tournament.answers import ExportedNightPlace
        from generala_cli.tournament.exporting import night_rows

        answer = replace(
            as_rows(night_rows(found), ExportedNightPlace, form, excel=excel), notes=answer.notes
        )
    return answer
