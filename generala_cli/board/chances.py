"""Everyone's chances to win, worked out by `generala odds` in a process beside the board."""

import os
import subprocess
import sys
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import msgspec

from generala_cli.advice.answers import Odds
from generala_cli.board.watching import SeenGame, Watcher
from generala_cli.store.places import HOME_VARIABLE

_BELOW_OTHERS = 10
"""How much nicer than the board to everyone else."""


class Chances:
    """Works out the chances in the game that goes on, and drops that when the game has moved on.

    Args:
        directory: the data folder.
    """

    def __init__(self, watcher: Watcher, directory: Path) -> None:
        self._watcher = watcher
        self._directory = directory
        self._asked: tuple[int, int] | None = None  # a game, and how many events it had
        self._process: subprocess.Popen[bytes] | None = None
        self._answer: IO[bytes] = BytesIO()

    def go_on(self) -> None:
        """Ask for the chances that are not known yet, and hand on those that are ready. Never waits."""
        going_on = (game for game in self._watcher.games if game.stored is not None and not game.is_over)
        game = next(going_on, None)
        wanted = None if game is None else (game.number, game.events)
        if wanted != self._asked:
            self.end()
            self._asked = wanted
            if game is not None:
                self._process = self._begun(game)
        if self._process is not None and self._process.poll() is not None and self._asked is not None:
            self._answer.seek(0)
            try:
                found = msgspec.json.decode(self._answer.read(), type=Odds)
            except (msgspec.MsgspecError, UnicodeDecodeError):  # it was refused, or has failed
                self._watcher.learn_odds(*self._asked, None)
            else:
                self._watcher.learn_odds(*self._asked, found)
            self.end()

    def end(self) -> None:
        """Drop what is being worked out."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
            self._answer.close()

    def _begun(self, game: SeenGame) -> subprocess.Popen[bytes]:
        self._answer = TemporaryFile()  # a pipe holds no chances of hundreds of players  # noqa: SIM115
        process = subprocess.Popen(  # noqa: S603 - our own program, with a number
            [sys.executable, "-P", "-m", "generala_cli", "odds", "--json", "--game", str(game.number)],
            stdin=subprocess.DEVNULL,
            stdout=self._answer,
            stderr=subprocess.DEVNULL,
            env={**os.environ, HOME_VARIABLE: str(self._directory)},
        )
        with suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, process.pid, _BELOW_OTHERS)
        return process
