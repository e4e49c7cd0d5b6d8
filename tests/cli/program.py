"""The program as a shell runs it: arguments in; exit code, stdout and stderr out.

Commands run in this process (`in_process.py`), which is thirty times as fast. `process` and `on_terminal`
start a new process.
"""

import json
import os
import select
import signal
import struct
import subprocess
import sys
import sysconfig
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pytest

from tests.cli.in_process import run_in_process
from tests.removed import skip_if_removed

if sys.platform != "win32":
    import fcntl
    import pty
    import termios

GENERALA = str(Path(sysconfig.get_path("scripts")) / "generala")
"""The installed program, for shells and terminals."""
PROGRAM = (sys.executable, "-m", "generala_cli")
"""The same program, started alike on every system."""
NOTHING: Mapping[str, str] = {}
_READ_AT_START = ("PYTHON", "LC_", "LANG")
"""Prefixes of variables that Python reads only when it starts."""
_PATIENCE = 300  # seconds until a program that hangs fails its test; no test measures time


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str


def surroundings(home: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment without folders outside `home`, terminal or color."""
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR", "SYSTEMROOT") if name in os.environ}
    own = {
        "HOME": str(home / "user"),
        "USERPROFILE": str(home / "user"),  # the same on Windows
        "GENERALA_ROOT": str(home),
        "LC_ALL": "C.UTF-8",
        "PYTHONUTF8": "1",  # Windows ignores LC_ALL for it
        "TZ": "UTC",
        "TERM": "xterm",
    }
    return {**kept, **own, **environment}


def run(
    *arguments: str,
    home: Path,
    environment: Mapping[str, str] = NOTHING,
    stdin: str | bytes = b"",
) -> Result:
    """Run `generala` without a terminal: in this process, unless Python reads a variable when it starts."""
    skip_if_removed(arguments)
    if any(name.startswith(_READ_AT_START) for name in environment):
        return run_process(*arguments, home=home, environment=environment, stdin=stdin)
    return _result(*run_in_process(arguments, surroundings(home, environment), _bytes(stdin)))


def run_process(
    *arguments: str,
    home: Path,
    environment: Mapping[str, str] = NOTHING,
    stdin: str | bytes = b"",
) -> Result:
    """Run `generala` in a new process."""
    skip_if_removed(arguments)
    done = subprocess.run(
        [*PROGRAM, *arguments],
        env=surroundings(home, environment),
        input=_bytes(stdin),
        capture_output=True,
        check=False,
        timeout=_PATIENCE,
    )
    return _result(done.returncode, done.stdout, done.stderr)


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def _result(code: int, out: bytes, err: bytes) -> Result:
    return Result(code=code, out=_text(out), err=_text(err))


def _text(written: bytes) -> str:
    """Return the output with the same line ends on every system."""
    return written.decode().replace(os.linesep, "\n")


def files_below(folder: Path) -> dict[str, bytes | None]:
    """Return every file and folder below a folder, with the bytes of files."""
    found = sorted(folder.rglob("*")) if folder.exists() else []
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None for path in found
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Generala:
    """The program in a temporary home, and its files."""

    home: Path
    environment: Mapping[str, str] = field(default_factory=dict)

    def __call__(
        self, *arguments: str, environment: Mapping[str, str] = NOTHING, stdin: str | bytes = b""
    ) -> Result:
        """Run a command."""
        return run(*arguments, home=self.home, environment={**self.environment, **environment}, stdin=stdin)

    def process(
        self, *arguments: str, environment: Mapping[str, str] = NOTHING, stdin: str | bytes = b""
    ) -> Result:
        """Run a command in a new process."""
        merged = {**self.environment, **environment}
        return run_process(*arguments, home=self.home, environment=merged, stdin=stdin)

    def ok(self, *arguments: str, environment: Mapping[str, str] = NOTHING) -> str:
        """Run a command that must succeed with an empty stderr, and return its answer."""
        result = self(*arguments, environment=environment)
        assert (result.code, result.err) == (0, ""), result
        return result.out

    def json(self, *arguments: str) -> dict[str, Any]:
        """Return the JSON document of a command that must succeed."""
        document = json.loads(self.ok(*arguments, "--json"))
        assert isinstance(document, dict)
        return document

    def on_terminal(
        self, *arguments: str, columns: int = 80, lines: int = 50, environment: Mapping[str, str] = NOTHING
    ) -> "Terminal":
        """Run a command on a terminal of this size."""
        merged = {**self.environment, **environment}
        return Terminal(arguments, home=self.home, environment=merged, size=(lines, columns))

    @property
    def data(self) -> Path:
        """Where the games are."""
        return self.home / "data"

    @property
    def rule_files(self) -> Path:
        """The folder of house rules."""
        return self.home / "config" / "rules"

    def game(self, number: int) -> Path:
        """The file of a game."""
        return self.data / "games" / str(number) / "game.json"

    def files(self) -> dict[str, bytes | None]:
        """Return everything in the home, to check that nothing changed."""
        return files_below(self.home)


class Terminal:
    """A command on a terminal: read what it shows, answer, and wait for its end."""

    def __init__(
        self,
        arguments: tuple[str, ...],
        *,
        home: Path,
        environment: Mapping[str, str],
        size: tuple[int, int],
        program: str = GENERALA,
    ) -> None:
        if sys.platform == "win32":
            pytest.skip("Windows has no pseudo-terminals as tests make them")
        self._master, slave = pty.openpty()
        self.resize(*size)
        self.modes_before = self.modes()
        self._process = subprocess.Popen(
            [program, *arguments],
            env=surroundings(home, environment),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=_take_terminal,
        )
        os.close(slave)
        self.shown = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._master)

    @property
    def pid(self) -> int:
        """The process id, for signals."""
        return self._process.pid

    def modes(self) -> list[object]:
        """The settings of the terminal, as in `stty -a`."""
        return termios.tcgetattr(self._master)

    def resize(self, lines: int, columns: int) -> None:
        """Resize the terminal and notify the program."""
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def until(self, text: str) -> str:
        """Return the output as soon as it contains the text."""
        while text not in self.shown:
            assert self._read(), f"{text!r} never came: {self.shown!r}"
        return self.shown

    def until_it_waits(self) -> None:
        """Return when the program waits for keys: a Ctrl-C just before its read would be lost."""
        status = Path(f"/proc/{self.pid}/stat")
        while status.exists() and status.read_text().rpartition(")")[2].split()[0] not in ("S", "Z"):
            time.sleep(0.001)

    def type(self, text: str) -> None:
        r"""Press keys; ``\n`` is Enter, ``\x03`` Ctrl-C, ``\x04`` Ctrl-D."""
        self.press(text.encode())

    def press(self, keys: bytes) -> None:
        """Send bytes as they are."""
        os.write(self._master, keys)

    def end(self) -> tuple[int, str]:
        """Return the exit code and the output."""
        while self._read():
            pass
        return self._process.wait(_PATIENCE), self.shown

    def _read(self) -> bool:
        ready, _, _ = select.select([self._master], [], [], _PATIENCE)
        assert ready, f"nothing came for {_PATIENCE} seconds after {self.shown!r}"
        try:
            data = os.read(self._master, 65536)
        except OSError:  # on Linux: the other end is closed
            return False
        self.shown += data.decode(errors="replace").replace("\r\n", "\n")
        return bool(data)


def _take_terminal() -> None:
    """Make this the controlling terminal, and let Ctrl-C send a signal even if the tests ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def wait_for(path: Path) -> None:
    """Wait until a different process has created a file."""
    deadline = time.monotonic() + _PATIENCE
    while not path.exists():
        assert time.monotonic() < deadline, f"{path} never came"
        time.sleep(0.01)
