"""Finished games for statistics that were never in a file."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta

from generala_cli.game.events import Entry
from generala_cli.game.people import People
from generala_cli.rules.fingerprint import known
from generala_cli.rules.ruleset import RuleSet
from generala_cli.statistics.answers import LeftOut
from generala_cli.statistics.games import ExaminedGames, FinishedGame, FinishedGames, finished
from tests.game.table import cached_rules
from tests.store.files import AT

GENERAL = cached_rules("general")


def game(
    number: int,
    winners: Sequence[str],
    totals: Mapping[str, int],
    rules: RuleSet = GENERAL,
    sides: Sequence[tuple[str, ...]] = (),
) -> FinishedGame:
    """Return a game that started that many days after the first."""
    return finished(number, AT + timedelta(number), known(rules), totals, sides, winners)


def examined(
    *games: FinishedGame,
    entries: Iterable[Iterable[Entry]] = (),
    joined: Iterable[Sequence[str]] = (),
    unfinished: int = 0,
    undone: int = 0,
) -> ExaminedGames:
    """These games, with the entries of each, if any."""
    found, made = FinishedGames(), [*entries] or [()] * len(games)
    for each, own in zip(games, made, strict=True):
        found.add(each, own)
    names = [result.player for each in games for result in each.results]
    return ExaminedGames(
        finished=found.finished,
        entries=found.entries,
        people=People(names, joined),
        left_out=LeftOut(unfinished=unfinished, undone=undone, damaged=()),
    )
