"""What takes long, worked out in a process beside the screen: no key waits, and all of it can be dropped.

The process is `python -m generala_cli.play.thinking`. It writes a line for each percent that is done, then
`answer` or `refused`, and below that the text.
"""

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from generala_cli.app.playing import Hand
from generala_cli.errors import GeneralaError, NotAllowed
from generala_cli.render.screen import Screen, as_text
from generala_cli.store.folder import Folder
from generala_cli.store.houses import Houses
from generala_cli.store.places import config_folder
from generala_cli.store.store import Store

Subject = Literal["advice", "odds", "review"]
_ANSWER, _REFUSED = "answer", "refused"
_BELOW_KEYS = 10
"""How much nicer than the screen to everyone else."""


class Question(Struct, frozen=True, kw_only=True):
    """What is to be worked out, of which game in which data folder, and for which screen it is drawn.

    Attributes:
        dice, throw: the hand that advice is about.
    """

    about: Subject
    directory: str
    game: int
    screen: Screen
    dice: str = ""
    throw: int = 0


async def ask(question: Question, tell: Callable[[int], None]) -> str:
    """The answer as text. To cancel it is to end the process.

    Args:
        tell: called with the percent that are done.

    Raises:
        NotAllowed: there is no answer; the text says why.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "generala_cli.play.thinking"),
        msgspec.json.encode(question).decode(),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdout is not None
    try:
        while (line := (await process.stdout.readline()).decode().strip()).isdecimal():
            tell(int(line))
        text = (await process.stdout.read()).decode()
    finally:
        with suppress(ProcessLookupError):
            process.kill()
    if line != _ANSWER:
        raise NotAllowed(text.strip() or "it could not be worked out", "")
    return text


def main() -> None:
    """Answer the question on the command line."""
    question = msgspec.json.decode(sys.argv[1], type=Question)
    with suppress(OSError, AttributeError):
        os.nice(_BELOW_KEYS)
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    try:
        kind, text = _ANSWER, _answered(question)
    except (GeneralaError, ImportError, MemoryError) as error:
        kind, text = _REFUSED, str(error)
    sys.stdout.write(f"{kind}\n{text}")
    sys.stdout.flush()
    os._exit(0)


def _answered(question: Question) -> str:
    """The answer of `advise`, `odds` or `review`."""
    from generala_cli.app import odds  # numpy is asked for here, and the screen does without
    from generala_cli.render import odds as drawings

    store = Store(folder=Folder(Path(question.directory)), named=str(question.game))
    screen, told = question.screen, _tell()
    if question.about == "odds":
        return as_text(drawings.odds(odds.chances(store, told), screen), screen)
    if question.about == "review":
        return as_text(drawings.review(odds.review(store, None, told), screen), screen)
    hand = Hand(dice=(question.dice,), roll=str(question.throw))
    houses = Houses(directory=config_folder() / "rules")
    found = odds.advice(store, houses, bytes, hand, odds.Asked(), told)
    return as_text(drawings.advice(found, screen), screen)


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
