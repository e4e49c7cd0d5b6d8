"""Long computations in a second process: advice, odds, review and the coach. They can be cancelled.

The process is `python -m generala_cli.advice.answering QUESTION`. It writes a `Reply` in JSON per line. For
the coach it then reads hands, one per line, and replies to each.
"""

import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread
from typing import Literal

import msgspec
from msgspec import Struct

from generala_cli.app.aims import Aim
from generala_cli.errors import NotAllowed
from generala_cli.messages import lazy
from generala_cli.packages import check_installed
from generala_cli.render.language import spoken, translated
from generala_cli.render.screen import UNICODE, UNLIMITED, Screen
from generala_cli.rules.dice import Dice
from generala_cli.rules.turning import HandState

Subject = Literal["advice", "odds", "chances", "review", "coach", "worths"]
NO_ANSWER = lazy("the answer could not be computed")


class Question(Struct, frozen=True, kw_only=True):
    """A computation for one game of a data folder, drawn for one screen. Only advice has dice and a throw."""

    about: Subject
    directory: str
    game: int
    screen: Screen = Screen(width=UNLIMITED, color=False, marks=UNICODE)
    dice: str = ""
    throw: int = 0
    language: str = msgspec.field(default_factory=spoken)


class HandOnTable(Struct, frozen=True, kw_only=True):
    """A hand that a player must decide about; `seen` is the number of events in the game so far."""

    seen: int
    player: str
    dice: Dice
    throw: int
    aim: Aim = "points"
    state: HandState = "thrown"


class RatedChoice(Struct, frozen=True, kw_only=True):
    """A possible choice for a hand, and its cost compared with the best choice."""

    kept: Dice | None = None  # ascending; None if the hand is entered
    category: str | None = None  # None for a win without a box
    scratched: bool = False
    cost: float  # expected points, or the chance to win if known
    wins: float | None = None
    words: str


class Progress(Struct, frozen=True, kw_only=True, tag=True):
    percent: int


class Completed(Struct, frozen=True, kw_only=True, tag=True):
    """The answer as text: for `chances` the document of `generala odds --json`, for `worths` empty."""

    text: str


class HandAdvice(Struct, frozen=True, kw_only=True, tag=True):
    hand: HandOnTable
    choices: tuple[RatedChoice, ...]


class Refusal(Struct, frozen=True, kw_only=True, tag=True):
    reason: str


Reply = Progress | Completed | HandAdvice | Refusal


class Worker:
    """A question and its process. `take` is called in a thread with each reply; never after `end`."""

    def __init__(self, question: Question, take: Callable[[Reply], None]) -> None:
        self._take = take
        self._is_ended = False
        self._taking = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        try:
            check_installed("advice")
        except NotAllowed as error:
            self._hand_on(Refusal(reason=translated(error.message)))
            return
        command = (
            sys.executable,
            "-P",
            "-m",
            "generala_cli.advice.answering",
            msgspec.json.encode(question).decode(),
        )
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        except OSError as error:  # cannot start a process
            self._hand_on(Refusal(reason=error.strerror or str(error)))
        else:
            Thread(target=self._follow, args=(self._process,), daemon=True).start()

    def ask(self, hand: HandOnTable) -> None:
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError, ValueError):  # the process has ended and said why
                self._process.stdin.write(msgspec.json.encode(hand) + b"\n")
                self._process.stdin.flush()

    def end(self) -> None:
        with self._taking:
            self._is_ended = True
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _follow(self, process: subprocess.Popen[bytes]) -> None:
        last: Reply | None = None
        with suppress(msgspec.MsgspecError, UnicodeDecodeError):
            for line in process.stdout or ():
                last = msgspec.json.decode(line, type=Reply)
                self._hand_on(last)
        if not isinstance(last, Completed | Refusal):
            self._hand_on(Refusal(reason=translated(NO_ANSWER)))
        with suppress(OSError), process:  # closes its pipes and waits for it
            process.kill()

    def _hand_on(self, reply: Reply) -> None:
        with self._taking:
            if not self._is_ended:
                self._take(reply)
