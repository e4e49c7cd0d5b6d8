"""Games to export, handmade or random, and their text in a format."""

from collections.abc import Sequence
from datetime import timedelta

from generala_cli.exchange.format import ExportFormat, PlayedGame
from generala_cli.game.events import Agreed, Event
from generala_cli.game.history import replay
from generala_cli.store.gamefile import GameFile, Recorded, result_of
from tests.store.files import AT


def file_of(agreed: Agreed, events: Sequence[Event], number: int = 1) -> GameFile:
    """Return a file with one event per minute."""
    recorded = enumerate(events, start=1)
    return GameFile(
        id=f"{number:032x}",
        game=number,
        started=AT,
        result=result_of(replay(agreed, events).game),
        agreed=agreed,
        events=tuple(Recorded(n=n, at=AT + timedelta(minutes=n), event=event) for n, event in recorded),
    )


def written(form: ExportFormat, *files: GameFile) -> str:
    """Return the games in a format, each replayed first."""
    histories = (replay(file.agreed, [recorded.event for recorded in file.events]) for file in files)
    games = (PlayedGame(file=file, judged=history) for file, history in zip(files, histories, strict=True))
    return "".join(form.write(games))


def written_by_seal(form: ExportFormat, *files: GameFile) -> str:
    """Return the same without replaying anything."""
    return "".join(form.write(PlayedGame(file=file) for file in files))
