"""The screen at four sizes matches `golden`: with Textual's pilot, and in a real tmux."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.program import GENERALA, Generala, surroundings
from tests.play.goldens import KEYS, PICTURES, SIZES, looked_at, pictured, play_some, text_of

each_size = pytest.mark.parametrize("size", SIZES, ids=str)


@each_size
def test_the_screen_is_as_it_is_kept(generala: Generala, size: tuple[int, int]) -> None:
    text, _ = looked_at(play_some(generala), size)
    assert text == text_of(size).read_text(encoding="utf-8")


@pytest.mark.parametrize("language", PICTURES)
def test_its_picture_is_as_it_is_kept(generala: Generala, language: str) -> None:
    picture = PICTURES[language].read_text(encoding="utf-8")
    assert pictured(play_some(generala, language), language) == picture


class Tmux:
    """Our own tmux, on a socket in the test's folder, with the screen inside."""

    def __init__(self, generala: Generala, socket: Path, size: tuple[int, int]) -> None:
        self._command = ("tmux", "-S", str(socket), "-f", "/dev/null")
        self._environment = surroundings(generala.home, {"SHELL": "/bin/sh"})
        width, height = map(str, size)
        self.run("new-session", "-d", "-x", width, "-y", height, GENERALA, "play")

    def run(self, *arguments: str) -> str:
        """Return the output of tmux."""
        done = subprocess.run(
            [*self._command, *arguments], env=self._environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    def until(self, text: str) -> str:
        """Return the screen as soon as it shows the text."""
        deadline = time.monotonic() + 30
        while text not in (shown := self.run("capture-pane", "-p")):
            assert time.monotonic() < deadline, shown
            time.sleep(0.05)
        return shown


@pytest.fixture
def tmux_of(generala: Generala, tmp_path: Path) -> Iterator[object]:
    """Return a function that starts a tmux of that size."""
    made: list[Tmux] = []

    def make(size: tuple[int, int]) -> Tmux:
        made.append(Tmux(generala, tmp_path / "tmux", size))
        return made[-1]

    yield make
    for each in made:
        each.run("kill-server")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux here")
@each_size
def test_tmux_shows_the_same(generala: Generala, tmux_of: object, size: tuple[int, int]) -> None:
    play_some(generala)
    assert callable(tmux_of)
    tmux = tmux_of(size)
    tmux.until("›")
    tmux.run("send-keys", KEYS)
    shown = tmux.until("Enter scores")
    assert shown.rstrip("\n") + "\n" == text_of(size).read_text(encoding="utf-8")
    column, line = tmux.run("display-message", "-p", "#{cursor_x} #{cursor_y}").split()
    assert (int(column), int(line)) == (len(f"› {KEYS}"), size[1] - 2)
