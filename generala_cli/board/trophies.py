from collections.abc import Iterator
from threading import Thread
from typing import TYPE_CHECKING

from generala_cli.board.watching import Trophies, Watcher
from generala_cli.errors import GeneralaError
from generala_cli.messages import Message, lazy, listing
from generala_cli.packages import is_installed
from generala_cli.store.store import Store
from generala_cli.text import safe

if TYPE_CHECKING:
    from generala_cli.statistics.answers import Best
    from generala_cli.statistics.games import ExaminedGames, FinishedGame

_TOTALS_BEFORE = 3
"""The number of other totals from which a best total is worth a line."""
_GAMES = 3
_MOST_HOLDERS = 4
_SHOWN: "tuple[Best, ...]" = (
    "most wins",
    "longest run of wins",
    "widest margin",
    "narrowest margin",
    "most scratches",
)


class TrophyCase:
    """Reads all games in the background when the current game ends."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self._asked: tuple[int, int] | None = None  # the number of a game, and of its events

    def poll(self) -> None:
        """Start reading if the current game is over. Never waits."""
        game = next(iter(self._watcher.games), None)
        if game is None or not game.is_over or not is_installed("statistics"):
            return
        wanted = game.number, game.events
        if wanted != self._asked:
            self._asked = wanted
            Thread(target=self._show, args=wanted, daemon=True).start()

    def _show(self, number: int, events: int) -> None:
        try:
            found = trophies(self._watcher.store, number)
        except GeneralaError:
            return
        self._watcher.set_trophies(number, events, found)


def trophies(store: Store, number: int) -> Trophies:
    """Return the lines for a finished game; none if it does not count."""
    from generala_cli.statistics.games import GameFilter, examine_games

    examined = examine_games(store, GameFilter())
    game = next((each for each in examined.finished if each.game == number), None)
    if game is None or len(examined.finished) < _GAMES:
        return Trophies()
    return Trophies(bests=tuple(_bests(examined, game)), held=tuple(_held(examined, game)))


def _bests(examined: "ExaminedGames", game: "FinishedGame") -> Iterator[Message]:
    shown = examined.people.shown
    before = [
        (shown(result.player), result.total)
        for each in examined.finished[: examined.finished.index(game)]
        if each.fingerprint == game.fingerprint
        for result in each.results
    ]
    for result in game.results:
        totals = [total for player, total in before if player == shown(result.player)]
        if len(totals) >= _TOTALS_BEFORE and result.total > max(totals):
            yield lazy("{player}: personal best!", player=safe(result.player))


def _held(examined: "ExaminedGames", game: "FinishedGame") -> Iterator[Message]:
    from generala_cli.statistics.records import TITLES, records

    found = {
        each.record: each
        for each in records(examined).records
        if each.fingerprint in (None, game.fingerprint)
    }
    for record in (found[each] for each in _SHOWN if each in found):
        names = tuple(dict.fromkeys(safe(each.name) for each in record.holders))
        if len(names) <= _MOST_HOLDERS:
            yield lazy(
                "{trophy}: {players} ({value})",
                trophy=TITLES[record.record],
                players=listing(names, "and"),
                value=record.value,
            )
