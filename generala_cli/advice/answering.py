"""The second process of `worker`: `python -m generala_cli.advice.answering QUESTION`."""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import msgspec
from msgspec import UNSET

from generala_cli.advice.answers import AdviceKeep, AdviceScratch
from generala_cli.errors import GeneralaError
from generala_cli.game.turnline import TurnLine
from generala_cli.render.choices import choice_words
from generala_cli.render.hints import SCREEN, full_message
from generala_cli.render.language import speak, translated
from generala_cli.render.screen import as_text
from generala_cli.store.folder import Folder
from generala_cli.store.store import Store
from generala_cli.text import NO_BREAK
from generala_cli.worker import (
    NO_ANSWER,
    Completed,
    HandAdvice,
    HandOnTable,
    Progress,
    Question,
    RatedChoice,
    Refusal,
    Reply,
)

_NICENESS = 10
"""Added to the niceness of the process, so that it does not slow down the program that asks."""


def main() -> None:
    question = msgspec.json.decode(sys.argv[1], type=Question)
    speak(question.language)
    with suppress(OSError, AttributeError):
        os.nice(_NICENESS)
    try:
        if question.about == "coach":
            _coach(question)
        _reply(Completed(text=_answered(question)))
    except GeneralaError as error:
        _reply(Refusal(reason=translated(full_message(error, SCREEN))))
    except (ImportError, MemoryError) as error:
        _reply(Refusal(reason=str(error) or translated(NO_ANSWER)))
    os._exit(0)


def _reply(reply: Reply) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(reply) + b"\n")  # UTF-8, regardless of the console
    sys.stdout.buffer.flush()


def _answered(question: Question) -> str:
    from generala_cli.advice import drawing  # without numpy, `main` says why
    from generala_cli.advice.chances import odds
    from generala_cli.advice.hands import advice, hand_in_game
    from generala_cli.advice.looking_back import review
    from generala_cli.advice.strategies import whole_strategy
    from generala_cli.app.defaults import read_aim
    from generala_cli.app.long_work import steps
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
        found = advise_on(hand)
        rated: list[RatedChoice] = []
        for choice in found:
            cost, wins = choice.cost, None
            if choice.wins is not UNSET and found[0].wins is not UNSET:
                cost, wins = found[0].wins - choice.wins, choice.wins
            rated.append(
                RatedChoice(
                    kept=choice.keep if isinstance(choice, AdviceKeep) else None,
                    category=None if isinstance(choice, AdviceKeep) else choice.category,
                    scratched=isinstance(choice, AdviceScratch),
                    cost=cost,
                    wins=wins,
                    words=choice_words(choice, rules, blank=NO_BREAK),
                )
            )
        _reply(HandAdvice(hand=hand, choices=tuple(rated)))
    os._exit(0)


def _reporter() -> Callable[[int, int], None]:
    """Return a function that reports each new percent, and exits if the parent process is gone."""
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
