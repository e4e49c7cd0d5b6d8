from functools import partial
from typing import TYPE_CHECKING, Annotated, TypeVar

from msgspec.structs import replace

from generala_cli.cli import completers
from generala_cli.cli.parameters import PlayedBy, Since, Until, Yes, argument, option
from generala_cli.cli.pictures import Svg, picture_path, with_picture
from generala_cli.cli.progress import progress
from generala_cli.cli.session import Answer, Session
from generala_cli.messages import lazy
from generala_cli.packages import check_installed

if TYPE_CHECKING:  # help must not import the game modules
    from rich.console import RenderableType

    from generala_cli.render.screen import Screen
    from generala_cli.statistics.answers import DiceStats, Records, Stats, Versus
    from generala_cli.statistics.games import ExaminedGames, GameFilter

Found = TypeVar("Found", bound="Stats | Records | Versus")

_PLAYER = lazy("One player, category by category; by default everyone.")
MaybePlayer = Annotated[str | None, argument("[PLAYER]", _PLAYER, completers.everyone)]
Players = Annotated[list[str], argument("NAME NAME...", "Two or more players.", completers.everyone)]
_RULES = lazy("Only games with this rule set or fingerprint.")
Rules = Annotated[str | None, option("--rules", _RULES, "NAME", completers.rule_sets)]
Table = Annotated[int | None, option("--players", "Only games with this many players.", "N", is_number=True)]
_LUCK = lazy("Add luck and mistakes, which requires solving every rule set.")
WithLuck = Annotated[bool, option("--luck", _LUCK)]
_DICE = lazy("Test if the dice are fair, with games where every throw was entered.")
OfDice = Annotated[bool, option("--dice", _DICE)]


def stats(
    session: Session,
    player: MaybePlayer = None,
    rules: Rules = None,
    since: Since = None,
    until: Until = None,
    players: Table = None,
    played: PlayedBy = None,
    luck: WithLuck = False,
    dice: OfDice = False,
    svg: Svg = None,
    yes: Yes = False,
) -> "Answer[Stats | DiceStats]":
    """Show how everyone plays: games won, totals, categories, streaks, and how sure the differences are.

    Games with different options of a rule set are counted separately. A joint win counts as a share for each
    winner. Unfinished games and undone entries are not counted. --svg draws totals over time.

    --dice counts the faces instead, for players who entered every throw; unfinished games count, too.
    """
    if dice:
        return _dice(session, player, _filter(rules, since, until, players, played))
    from generala_cli.statistics.players import stats as stats_of

    path = picture_path(session, svg, yes=yes)
    examined = _examined(session, rules, since, until, players, played)
    if luck:
        check_installed("advice")
        from generala_cli.advice.judging import luck_and_mistakes  # this imports numpy

        with progress(quiet=session.quiet) as report:
            found = stats_of(examined, player, partial(luck_and_mistakes, session.store, progress=report))
    else:
        found = stats_of(examined, player)

    def picture() -> str:
        from generala_cli.statistics.pictures import totals

        return totals(found, examined)

    return with_picture(_answer(found, examined), session, path, picture)


def _dice(session: Session, player: str | None, wanted: "GameFilter") -> "Answer[DiceStats]":
    from generala_cli.render.documents import with_rounded_figures
    from generala_cli.statistics.dice import dice_stats

    with progress(of_games=True, quiet=session.quiet) as report:
        found = dice_stats(session.store, wanted, player, report)
    answer = Answer.of(found, lambda: with_rounded_figures(found)).long()
    return replace(answer, notes=tuple(each.left_out for each in found.left_out.damaged))


def records(
    session: Session,
    rules: Rules = None,
    since: Since = None,
    until: Until = None,
    players: Table = None,
    played: PlayedBy = None,
) -> "Answer[Records]":
    """Show the records of each kind of game: totals, margins and runs of wins, with holders and dates."""
    from generala_cli.statistics.records import records as records_of

    examined = _examined(session, rules, since, until, players, played)
    return _answer(records_of(examined), examined)


def versus(
    session: Session,
    names: Players,
    rules: Rules = None,
    since: Since = None,
    until: Until = None,
    players: Table = None,
) -> "Answer[Versus]":
    """Show how often one player is ahead of another, by how many points, and how sure that is.

    Games with both on the same side do not count. With more players, each pair is compared.
    """
    from generala_cli.statistics.versus import versus as versus_of

    examined = _examined(session, rules, since, until, players)
    return _answer(versus_of(examined, names), examined)


def _examined(
    session: Session,
    rules: str | None,
    since: str | None,
    until: str | None,
    players: int | None,
    played: list[str] | None = None,
) -> "ExaminedGames":
    from generala_cli.statistics.games import examine_games

    with progress(of_games=True, quiet=session.quiet) as report:
        return examine_games(session.store, _filter(rules, since, until, players, played), report)


def _filter(
    rules: str | None,
    since: str | None,
    until: str | None,
    players: int | None,
    played: list[str] | None,
) -> "GameFilter":
    from generala_cli.statistics.games import GameFilter

    return GameFilter(rules=rules, since=since, until=until, players=players, played=played or ())


def _answer(found: Found, examined: "ExaminedGames") -> Answer[Found]:
    from generala_cli.render.documents import with_rounded_figures

    def draw(screen: "Screen") -> "RenderableType":
        from generala_cli.statistics.drawing import drawn

        return drawn(found, examined, screen)

    notes = tuple(each.left_out for each in examined.left_out.damaged)
    return replace(Answer(draw, lambda: with_rounded_figures(found)).long(), notes=notes)
