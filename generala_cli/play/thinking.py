"""Long computations in a process beside the screen: no key waits for them, and they can be dropped.

The process is `python -m generala_cli.play.thinking`. It writes a line for each percent that is done, then
`answer` or `refused`, and below that the text. For the coach it reads hands, a line each, once the game is
worked out, and writes a line of choices for each.
"""

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NoReturn

import msgspec
from msgspec import Struct

from generala_cli.errors import GeneralaError, NotAllowed
from generala_cli.game.turnline import TurnLine
from generala_cli.play.coaching import HandOnTable, RatedChoice
from generala_cli.render.hints import SCREEN, told
from generala_cli.render.language import said, speak, spoken
from generala_cli.render.screen import Screen, as_text
from generala_cli.rules.ruleset import RuleSet
from generala_cli.store.folder import Folder
from generala_cli.store.store import Store
from generala_cli.text import safe

if TYPE_CHECKING:
    from generala_cli.advice.answers import AdviceChoice

Subject = Literal["advice", "odds", "chances", "review", "coach"]
_ANSWER, _REFUSED = "answer", "refused"
_BELOW_KEYS = 10
"""How much nicer than the screen to everyone else."""
_LONGEST_LINE = 1 << 20
"""Bytes; every choice with eight dice takes a fortieth of it."""


class Question(Struct, frozen=True, kw_only=True):
    """A computation: about which game in which data folder, and for which screen it is drawn.

    Attributes:
        dice, throw: the hand that advice is about.
        language: the code of the answer's language.
    """

    about: Subject
    directory: str
    game: int
    screen: Screen
    dice: str = ""
    throw: int = 0
    language: str = msgspec.field(default_factory=spoken)


class HandAdvice(Struct, frozen=True, kw_only=True):
    """The choices with a hand, best first."""

    hand: HandOnTable
    choices: tuple[RatedChoice, ...]


async def ask(question: Question, tell: Callable[[int], None]) -> str:
    """The answer as text. To cancel it is to end the process.

    Args:
        tell: called with the percent that are done.

    Raises:
        NotAllowed: there is no answer; the text says why.
    """
    process = await _begun(question, asyncio.subprocess.DEVNULL)
    assert process.stdout is not None
    try:
        while (line := (await process.stdout.readline()).decode().strip()).isdecimal():
            tell(int(line))
        text = (await process.stdout.read()).decode()
    finally:
        await _end(process)
    if line != _ANSWER:
        raise NotAllowed(text.strip() or "it could not be worked out")
    return text


async def consult(
    question: Question,
    hands: asyncio.Queue[HandOnTable],
    tell: Callable[[int], None],
    answer: Callable[[HandAdvice], None],
) -> None:
    """Work out the choices with every hand that is put into the queue, until this is cancelled.

    Args:
        tell: called with the percent of the game that are worked out. answer: called with each answer.

    Raises:
        NotAllowed: there is no answer to any; the text says why.
    """
    process = await _begun(question, asyncio.subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    feeding = asyncio.create_task(_feed(process.stdin, hands))
    try:
        while (line := (await process.stdout.readline()).decode().strip()) not in ("", _REFUSED):
            if line.isdecimal():
                tell(int(line))
            else:
                answer(msgspec.json.decode(line, type=HandAdvice))
        text = (await process.stdout.read()).decode()
    except ValueError as error:
        problem = safe(error)
        raise NotAllowed("the coach is not to be understood: {problem}", problem=problem) from error
    finally:
        feeding.cancel()
        await _end(process)
    raise NotAllowed(text.strip() or "it could not be worked out")


async def _begun(question: Question, stdin: int) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "generala_cli.play.thinking"),
        msgspec.json.encode(question).decode(),
        stdin=stdin,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=_LONGEST_LINE,
    )


async def _end(process: asyncio.subprocess.Process) -> None:
    """Kill it, and wait until it is gone, however often that is cancelled."""
    with suppress(ProcessLookupError):
        process.kill()
    while process.returncode is None:
        with suppress(asyncio.CancelledError):
            await process.communicate()


async def _feed(stdin: asyncio.StreamWriter, hands: asyncio.Queue[HandOnTable]) -> None:
    while True:
        stdin.write(msgspec.json.encode(await hands.get()) + b"\n")


def main() -> None:
    """Answer the question on the command line."""
    question = msgspec.json.decode(sys.argv[1], type=Question)
    speak(question.language)
    with suppress(OSError, AttributeError):
        os.nice(_BELOW_KEYS)
    sys.stdout.reconfigure(encoding="utf-8", errors="replace", newline="\n")  # type: ignore[union-attr]
    try:
        if question.about == "coach":
            _coach(question)
        kind, text = _ANSWER, _answered(question)
    except GeneralaError as error:
        kind, text = _REFUSED, said(told(error, SCREEN))
    except (ImportError, MemoryError) as error:
        kind, text = _REFUSED, str(error)
    sys.stdout.write(f"{kind}\n{text}")
    sys.stdout.flush()
    os._exit(0)


def _answered(question: Question) -> str:
    """The answer of `advise`, `odds` or `review`; everyone's chance to win as JSON."""
    from generala_cli.advice import drawing  # numpy is asked for here, and the screen does without
    from generala_cli.advice.chances import odds
    from generala_cli.advice.hands import advice, hand_in_game
    from generala_cli.advice.looking_back import review

    store = Store(folder=Folder(Path(question.directory)), named=str(question.game))
    screen, report = question.screen, _tell()
    if question.about == "advice":
        line = TurnLine(words=(question.dice,), roll=str(question.throw))
        hand = hand_in_game(store, line)
        return as_text(drawing.advice(advice(hand, report), hand.rules, screen), screen)
    game = store.open(None).game
    if question.about == "review":
        return as_text(drawing.review(review(game, question.game, report), game, screen), screen)
    found = odds(game, question.game, report)
    if question.about == "chances":
        return msgspec.json.encode({each.name: each.wins for each in found.odds}).decode()
    return as_text(drawing.odds(found, game, screen), screen)


def _coach(question: Question) -> NoReturn:
    """Work the game out, and answer for hands until there are no more."""
    from generala_cli.advice.coaching import adviser

    store = Store(folder=Folder(Path(question.directory)), named=str(question.game))
    rules, advise_on = store.load(question.game).game.rules, adviser(store, question.game, _tell())
    for line in sys.stdin.buffer:  # UTF-8, whatever a console here has
        hand = msgspec.json.decode(line, type=HandOnTable)
        found = advise_on(hand.seen, hand.player, hand.dice, hand.throw)
        choices = tuple(_choice(choice, rules) for choice in found)
        sys.stdout.write(f"{msgspec.json.encode(HandAdvice(hand=hand, choices=choices)).decode()}\n")
        sys.stdout.flush()
    os._exit(0)


def _choice(choice: "AdviceChoice", rules: RuleSet) -> RatedChoice:
    from generala_cli.advice.answers import AdviceKeep, AdviceScratch
    from generala_cli.advice.drawing import choice_words

    words = choice_words(choice, rules)
    if isinstance(choice, AdviceKeep):
        return RatedChoice(kept=choice.keep, cost=choice.cost, words=words)
    scratched = isinstance(choice, AdviceScratch)
    return RatedChoice(category=choice.category, scratched=scratched, cost=choice.cost, words=words)


def _tell() -> Callable[[int, int], None]:
    """Writes each percent once; ends with whoever asked."""
    asker, said = os.getppid(), -1

    def tell(done: int, total: int) -> None:
        nonlocal said
        if os.getppid() != asker:
            os._exit(0)
        if (percent := 100 * done // max(1, total)) != said:
            said = percent
            sys.stdout.write(f"{percent}\n")
            sys.stdout.flush()

    return tell


if __name__ == "__main__":
    main()
