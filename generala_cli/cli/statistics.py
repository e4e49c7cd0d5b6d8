"""stats, records, versus."""

from functools import partial
from typing import TYPE_CHECKING, Annotated

from msgspec.structs import replace

from generala_cli.cli import completers
from generala_cli.cli.lazy import app, documents, render
from generala_cli.cli.parameters import PlayedBy, Since, Yes, argument, option
from generala_cli.cli.pictures import Svg, picture_path, with_picture
from generala_cli.cli.progress import progress
from generala_cli.cli.session import Answer, AnyDocument, Session
from generala_cli.messages import tell
from generala_cli.render.hints import said_error

if TYPE_CHECKING:  # only the schema of an answer asks for its class
    from generala_cli.render.documents.statistics import RecordsDocument, StatsDocument, VersusDocument

_PLAYER = tell("One player, category by category; by default everyone.")
MaybePlayer = Annotated[str | None, argument("[PLAYER]", _PLAYER, completers.everyone)]
Players = Annotated[list[str], argument("NAME NAME...", "Two players, or more.", completers.everyone)]
_RULES = tell("Only games by this rule set, or of this fingerprint.")
Rules = Annotated[str | None, option("--rules", _RULES, "NAME", completers.rule_sets)]
Table = Annotated[int | None, option("--players", "Only games in which so many played.", "N", is_number=True)]
_LUCK = tell("Luck and mistakes too, which takes working every rule set out.")
WithLuck = Annotated[bool, option("--luck", _LUCK)]


def stats(
    session: Session,
    player: MaybePlayer = None,
    rules: Rules = None,
    since: Since = None,
    players: Table = None,
    played: PlayedBy = None,
    luck: WithLuck = False,
    svg: Svg = None,
    yes: Yes = False,
) -> "Answer[StatsDocument]":
    """Show how everyone plays: games won, totals, categories, streaks, and how sure the differences are.

    Other options of a rule set are another game. A win that several share counts as a share for each.
    Games that are not over and entries that were taken back are left out. --svg draws totals over time.
    """
    path = picture_path(session, svg, yes=yes)
    examined = _look(
        session, app.statistics.GameFilter(rules=rules, since=since, players=players, played=played or ())
    )
    if luck:
        with progress(quiet=session.quiet) as report:
            judge = partial(app.odds.luck_and_mistakes, session.store, progress=report)
            found = app.statistics.stats(examined, player, judge)
    else:
        found = app.statistics.stats(examined, player)
    answer = _answer(Answer.of(found, render.statistics.stats, documents.statistics.stats), examined)
    return with_picture(answer, session, path, lambda: render.pictures.totals(found))


def records(
    session: Session,
    rules: Rules = None,
    since: Since = None,
    players: Table = None,
    played: PlayedBy = None,
) -> "Answer[RecordsDocument]":
    """Show the records of every kind of game: totals, margins, wins in a row, with who made them and when."""
    examined = _look(
        session, app.statistics.GameFilter(rules=rules, since=since, players=players, played=played or ())
    )
    found = app.statistics.records(examined)
    return _answer(Answer.of(found, render.statistics.records, documents.statistics.records), examined)


def versus(
    session: Session,
    names: Players,
    rules: Rules = None,
    since: Since = None,
    players: Table = None,
) -> "Answer[VersusDocument]":
    """Show which of two players is ahead of the other how often, by how many points, and how sure that is.

    Counted are the games in which both took part and were not on one side; of more players every two.
    """
    examined = _look(session, app.statistics.GameFilter(rules=rules, since=since, players=players))
    found = app.statistics.versus(examined, names)
    return _answer(Answer.of(found, render.statistics.versus, documents.statistics.versus), examined)


def _look(session: Session, wanted: "app.statistics.GameFilter") -> "app.statistics.GamesExamined":
    with progress(of_games=True, quiet=session.quiet) as report:
        return app.statistics.examine_games(session.store, wanted, report)


def _answer(answer: Answer[AnyDocument], examined: "app.statistics.GamesExamined") -> Answer[AnyDocument]:
    """It may be long, and names the files that could not be read."""
    notes = tuple(said_error(problem) for _, problem in examined.left_out.damaged)
    return replace(answer.long(), notes=notes)
