import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.cli import completers
from generala_cli.cli.output import encoding_of_people
from generala_cli.cli.parameters import MaybeGame, option
from generala_cli.cli.running import run
from generala_cli.cli.session import Answer, Session, open_house_rules
from generala_cli.errors import UsageError
from generala_cli.messages import lazy
from generala_cli.render.language import speak, spoken
from generala_cli.store.places import GAME_VARIABLE
from generala_cli.store.signals import release_signals

if TYPE_CHECKING:  # at run time, only `generala schema` needs these
    from generala_cli.play.coaching import CoachMode
    from generala_cli.render.documents import TextDocument

Lines = Annotated[
    bool, option("--plain", "Use a line-by-line dialogue, for screen readers and slow connections.")
]
Coached = Annotated[
    bool, option("--coach", "Enter each throw and the dice you keep, and see the best choice.")
]

_TO = lazy("The coach's aim: points, or win (the chance of winning).")
CoachedTo = Annotated[str | None, option("--to", _TO, "AIM", completers.review_aims)]


def play(
    session: Session,
    game: MaybeGame = None,
    lines_only: Lines = False,
    coached: Coached = False,
    to: CoachedTo = None,
) -> Answer[Struct]:
    """Open an interactive scoresheet. It shows what your hand would score in every open box.

    Type five dice and press Enter to enter a hand in the best box; a digit after a space is the throw. To
    choose a different box, use the arrow keys or type its name after the dice. x scratches, u undoes, ? shows
    all keys, q quits. If there is no game yet, it asks who plays. Entries from other shells appear at once.

    With --plain, or on a terminal that cannot show it, it is a dialogue, line by line. With --coach, or
    the key k, you type every throw and the dice you keep, and see the best choice and what yours cost.
    """
    shell = lazy("generala score DICE enters a hand without one")
    if session.json:
        raise UsageError("play cannot print JSON", shell)
    if not (session.can_ask and sys.__stdout__ and sys.__stdout__.isatty()):
        raise UsageError("play needs a terminal", shell)
    # A Windows console has no TERM but can show the screen.
    if lines_only or os.environ.get("TERM", "console" if os.name == "nt" else "dumb") in ("", "dumb"):
        if coached:
            hint = lazy("remove --coach; a 44126 1 gives advice, and score --threw takes the throws")
            raise UsageError("the coach is not available in the dialogue", hint)
        return _converse(session, game)
    from generala_cli.play import app  # slow to import: a third of a second

    coach = _coach(to) if coached else "off"
    return app.run(session.store, open_house_rules(), session.color or "auto", game, coach)


def _coach(to: str | None) -> "CoachMode":
    from generala_cli.app.aims import find_aim
    from generala_cli.app.defaults import read_aim
    from generala_cli.store.places import config_file

    aim = read_aim(config_file()) if to is None else find_aim(to)
    if to is not None and aim == "payout":
        raise UsageError("the coach can aim only for points or for a win", "type --to points or --to win")
    return "win" if aim == "win" else "before"


def _converse(session: Session, game: str | None) -> "Answer[TextDocument]":
    from generala_cli.play.dialogue import converse  # no other command needs it
    from generala_cli.render.documents import TextDocument

    if session.named_game is not None:
        os.environ[GAME_VARIABLE] = session.named_game  # every line is about this game
    with redirect_stdout(sys.__stdout__):
        if game is not None:
            _run_line(session, ["use", "--", game])
        code = converse(lambda words: _run_line(session, words), session.store)
    return replace(Answer.of_text("", lambda: TextDocument(text="")), exit_code=code)


def _run_line(session: Session, words: Sequence[str]) -> int:
    language = spoken()
    options = {"--color": session.color, "--language": session.language}
    given = [word for name, value in options.items() if value is not None for word in (name, value)]
    code = run(words, added=[*given, "--no-pager"], in_dialogue=True)
    release_signals()
    if spoken() != language:
        speak(language, encoding_of_people())
    return code
