"""Long computations in a second process: advice, odds, review and the coach. They can be cancelled.

The process is `python -m generala_cli.worker QUESTION`. It writes a `Reply` per line, encoded in JSON. For
the coach it then reads hands, one per line, and replies to each.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, Literal, NoReturn

import msgspec
from msgspec import UNSET, Struct

from generala_cli.app.aims import Aim
from generala_cli.errors import GeneralaError
from generala_cli.game.turnline import TurnLine
from generala_cli.messages import lazy
from generala_cli.render.hints import SCREEN, full_message
from generala_cli.render.language import speak, spoken, translated
from generala_cli.render.screen import UNICODE, UNLIMITED, Screen, as_text
from generala_cli.rules.dice import Dice
from generala_cli.rules.ruleset import RuleSet
from generala_cli.store.folder import Folder
from generala_cli.store.store import Store
from generala_cli.text import NO_BREAK

if TYPE_CHECKING:
    from generala_cli.advice.answers import AdviceChoice

Subject = Literal["advice", "odds", "chances", "review", "coach", "worths"]
_BELOW_OTHERS = 10
"""Added to the niceness of the process, so that it does not slow down the program that asks."""
_NO_ANSWER = lazy("it could not be worked out")


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


class RatedChoice(Struct, frozen=True, kw_only=True):
    """A possible choice for a hand, and its cost compared with the best choice.

    Attributes:
        kept: ascending; None if the hand is entered: in `category`, or as a win without a box if that is
            None.
        cost: the expected points lost against the best choice, or the chance to win lost, if known.
        wins: the chance to win, if it was requested and can be computed.
        words: the choice in the language of the answer, with no line breaks between dice.
    """

    kept: Dice | None = None
    category: str | None = None
    scratched: bool = False
    cost: float
    wins: float | None = None
    words: str


class Progress(Struct, frozen=True, kw_only=True, tag=True):
    percent: int


class Completed(Struct, frozen=True, kw_only=True, tag=True):
    """The answer, drawn for the screen. For `chances` it is the document of `generala odds --json`.

    For `worths` it is empty: the result is cached for later questions.
    """

    text: str


class HandAdvice(Struct, frozen=True, kw_only=True, tag=True):
    hand: HandOnTable
    choices: tuple[RatedChoice, ...]


class Refusal(Struct, frozen=True, kw_only=True, tag=True):
    reason: str


Reply = Progress | Completed | HandAdvice | Refusal


class Worker:
    """A question and the process that computes its answer.

    Args:
        take: called in a thread with each reply; the last is a `Completed` or a `Refusal`. Never called after
            `end` returns.
    """

    def __init__(self, question: Question, take: Callable[[Reply], None]) -> None:
        self._take = take
        self._is_ended = False
        self._taking = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        command = (sys.executable, "-P", "-m", "generala_cli.worker", msgspec.json.encode(question).decode())
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
        """Cancel the computation and wait until the process is gone."""
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
            self._hand_on(Refusal(reason=translated(_NO_ANSWER)))
        with suppress(OSError), process:  # closes its pipes and waits for it
            process.kill()

    def _hand_on(self, reply: Reply) -> None:
        with self._taking:
            if not self._is_ended:
                self._take(reply)


# In the second process


def main() -> None:
    """Answer the question on the command line."""
    question = msgspec.json.decode(sys.argv[1], type=Question)
    speak(question.language)
    with suppress(OSError, AttributeError):
        os.nice(_BELOW_OTHERS)
    try:
        if question.about == "coach":
            _coach(question)
        _reply(Completed(text=_answered(question)))
    except GeneralaError as error:
        _reply(Refusal(reason=translated(full_message(error, SCREEN))))
    except (ImportError, MemoryError) as error:
        _reply(Refusal(reason=str(error) or translated(_NO_ANSWER)))
    os._exit(0)


def _reply(reply: Reply) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(reply) + b"\n")  # UTF-8, regardless of the console
    sys.stdout.buffer.flush()


def _answered(question: Question) -> str:
    """Return the answer as text. The chances to win are JSON."""
    from generala_cli.advice import drawing  # imports numpy, which the asking process avoids
    from generala_cli.advice.chances import odds
    from generala_cli.advice.hands import advice, hand_in_game
    from generala_cli.advice.looking_back import review
    from generala_cli.app.defaults import read_aim
    from generala_cli.app.long_work import steps
    from generala_cli.app.strategies import whole_strategy
    from generala_cli.render.documents import encoded, with_rounded_figures
    from generala_cli.store.places import config_file

    store = Store(folder=Folder(Path(question.directory)), named=str(question.game))
    screen, report = question.screen, _reporter()
    if question.about == "advice":
        hand = hand_in_game(store, TurnLine(words=(question.dice,), roll=str(question.throw)))
        found_advice = advice(hand, report, aim=read_aim(config_file()))
        return as_text(drawing.advice(found_advice, hand.rules, screen), screen)
    game = store.open(None).game
    if question.about == "worths":
        whole_strategy(game.rules, next(steps(report)))
        return ""
    if question.about == "review":
        return as_text(drawing.review(review(game, question.game, report), game, screen), screen)
    found = odds(game, question.game, report, whole=True)
    if question.about == "chances":
        return encoded(with_rounded_figures(found)).decode()
    return as_text(drawing.odds(found, game, screen), screen)


def _coach(question: Question) -> NoReturn:
    from generala_cli.advice.coaching import adviser

    store = Store(folder=Folder(Path(question.directory)), named=str(question.game))
    rules, advise_on = store.load(question.game).game.rules, adviser(store, question.game, _reporter())
    for line in sys.stdin.buffer:
        hand = msgspec.json.decode(line, type=HandOnTable)
        found = advise_on(hand.seen, hand.player, hand.dice, hand.throw, hand.aim)
        _reply(HandAdvice(hand=hand, choices=tuple(_choice(choice, found[0], rules) for choice in found)))
    os._exit(0)


def _choice(choice: "AdviceChoice", best: "AdviceChoice", rules: RuleSet) -> RatedChoice:
    from generala_cli.advice.answers import AdviceKeep, AdviceScratch
    from generala_cli.render.choices import choice_words

    words, cost, wins = choice_words(choice, rules, blank=NO_BREAK), choice.cost, None
    if choice.wins is not UNSET and best.wins is not UNSET:
        cost, wins = best.wins - choice.wins, choice.wins
    if isinstance(choice, AdviceKeep):
        return RatedChoice(kept=choice.keep, cost=cost, wins=wins, words=words)
    scratched = isinstance(choice, AdviceScratch)
    return RatedChoice(category=choice.category, scratched=scratched, cost=cost, wins=wins, words=words)


def _reporter() -> Callable[[int, int], None]:
    """Return a function that replies with each new percent, and exits if the parent process is gone."""
    asker, reported = os.getppid(), -1

    def report(done: int, total: int) -> None:
        nonlocal reported
        if os.getppid() != asker:
            os._exit(0)
        if (percent := 100 * done // max(1, total)) != reported:
            reported = percent
            _reply(Progress(percent=percent))

    return report


if __name__ == "__main__":
    main()
