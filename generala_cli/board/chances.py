"""Everyone's chances to win, worked out beside the board."""

from functools import partial
from pathlib import Path

import msgspec

from generala_cli.advice.answers import Odds
from generala_cli.board.watching import Watcher
from generala_cli.worker import Completed, Question, Refusal, Reply, Worker


class Chances:
    """Works out the chances in the game that goes on, and drops that when the game has moved on.

    Args:
        directory: the data folder.
    """

    def __init__(self, watcher: Watcher, directory: Path) -> None:
        self._watcher = watcher
        self._directory = directory
        self._asked: tuple[int, int] | None = None  # a game, and how many events it had
        self._worker: Worker | None = None

    def poll(self) -> None:
        """Ask for the chances that are not known yet. Never waits."""
        going_on = (game for game in self._watcher.games if game.stored is not None and not game.is_over)
        game = next(going_on, None)
        wanted = None if game is None else (game.number, game.events)
        if wanted == self._asked:
            return
        self.end()
        self._asked = wanted
        if wanted is not None:
            question = Question(about="chances", directory=str(self._directory), game=wanted[0])
            self._worker = Worker(question, partial(self._show_odds, *wanted))

    def end(self) -> None:
        """Drop what is being worked out."""
        if self._worker is not None:
            self._worker.end()
            self._worker = None

    def _show_odds(self, number: int, events: int, reply: Reply) -> None:
        if isinstance(reply, Completed):
            self._watcher.set_odds(number, events, msgspec.json.decode(reply.text, type=Odds))
        elif isinstance(reply, Refusal):
            self._watcher.set_odds(number, events, None)
