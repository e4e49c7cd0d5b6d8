import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from generala_cli.cli.output import note
from generala_cli.progress import Progress, no_progress
from generala_cli.render.language import percent, translate

if TYPE_CHECKING:  # quick commands show no bar
    from rich.progress import Progress as Bar

PATIENCE = 1.0  # seconds before the bar appears
LONG = 10.0  # seconds that are worth a line without a bar
_BETWEEN = 0.1  # seconds between updates; faster would flicker
_CELLS = 20


@contextmanager
def progress(*, quiet: bool, of_games: bool = False) -> Iterator[Progress]:
    """Show progress on stderr if the work takes long: a bar, or one line if the terminal cannot erase."""
    can_erase = sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    if quiet or (of_games and not can_erase):
        yield no_progress
        return
    step = _Step(of_games=of_games)
    try:
        yield step.draw if can_erase else step.say
    finally:
        step.end()


class _Step:
    def __init__(self, *, of_games: bool) -> None:
        self._of_games = of_games
        self._begun = time.monotonic()
        self._due = self._begun + PATIENCE
        self._done = 0
        self._is_said = False
        self._bar: Bar | None = None

    def say(self, done: int, total: int) -> None:
        seconds = self._seconds(done, total, time.monotonic())
        if seconds is not None and seconds[0] > LONG and not self._is_said:
            self._is_said = True
            note(f"generala: {translate('this takes about {seconds:.0f} seconds', seconds=seconds[0])}\n")

    def draw(self, done: int, total: int) -> None:
        now = time.monotonic()
        seconds = self._seconds(done, total, now)
        if now < self._due:
            return
        self._due = now + _BETWEEN
        if self._of_games:
            text = translate("{done:,} of {total:,} games", done=done, total=total)
        elif seconds is None:
            text = percent(done / total)
        else:
            text = translate("{part}, {seconds:.0f} s left", part=percent(done / total), seconds=seconds[1])
        with suppress(OSError, ValueError):  # stderr is closed
            self._bar = self._bar or _new_bar()
            task = self._bar.task_ids[0]
            self._bar.update(task, completed=done, total=total, text=text, visible=True, refresh=True)

    def end(self) -> None:
        if self._bar is not None:
            with suppress(OSError, ValueError):
                self._bar.stop()

    def _seconds(self, done: int, total: int, now: float) -> tuple[float, float] | None:
        if done < self._done or not done:
            self._begun = now
        self._done = done
        spent = now - self._begun
        if done <= total // 20 or spent <= PATIENCE:
            return None
        takes = spent * total / done
        return takes, takes - spent


def _new_bar() -> "Bar":
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    class SteadyConsole(Console):
        def show_cursor(self, show: bool = True) -> bool:
            """Leave the cursor visible, because a killed command could not restore it."""
            return False

    bar = Bar(
        BarColumn(_CELLS),
        TextColumn("{task.fields[text]}", markup=False),
        console=SteadyConsole(stderr=True, color_system=None, legacy_windows=False),
        auto_refresh=False,  # no thread: the computation reports its progress
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    bar.add_task("", visible=False, text="")
    bar.start()
    return bar
