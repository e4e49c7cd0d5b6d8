from functools import partial
from pathlib import Path

import msgspec

from generala_cli.board.watching import Watcher
from generala_cli.worker import Completed, Question, Refusal, Reply, Worker


class Chances:
    """Computes the chances to win in a separate process, until the game moves on."""

    def __init__(self, watcher: Watcher, directory: Path) -> None:
        self._watcher = watcher
        self._directory = directory
        self._asked: tuple[int, int] | None = None  # the number of a game, and of its events
        self._worker: Worker | None = None

    def poll(self) -> None:
        """Start computing chances that are not known yet. Never waits."""
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
        if self._worker is not None:
            self._worker.end()
            self._worker = None

    def _show_odds(self, number: int, events: int, reply: Reply) -> None:
        if isinstance(reply, Completed):
            self._watcher.set_odds(number, events, msgspec.json.decode(reply.text))
        elif isinstance(reply, Refusal):
            self._watcher.set_odds(number, events, None)
