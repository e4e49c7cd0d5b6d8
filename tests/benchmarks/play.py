"""The speed of the screen of `generala play` on its own terminal, measured by the output after a key."""

import fcntl
import os
import pty
import select
import statistics
import struct
import subprocess
import termios
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

PLAYERS = ("Ana", "Beto", "Cora", "Dani")
STARTS, KEYS, ENTRIES, TURNS = 11, 200, 60, 240
"""Starts, keys and entries that are timed, and the turns of an hour at a table."""
IDLE = 10.0
"""Seconds without a key."""
IMPORT = "import time; begun = time.perf_counter(); import textual.app; print(time.perf_counter() - begun)"
_FIRST = b"? keys"
_HAND = b"55533 \x7f\x7f\x7f\x7f\x7f\x7f"
_PATIENCE = 30.0
_CALM = 0.03
"""Seconds in which nothing more is painted."""

Line = tuple[str, str, str, float]
"""The measured thing, its unit or reference, the limit, the figure."""


def measured(folder: Path, scripts: Path, surroundings: Mapping[str, str]) -> Iterator[Line]:
    """Every figure of the screen.

    Args:
        folder: an empty one. scripts: the environment with the program.
    """
    home = {**surroundings, "GENERALA_HOME": str(folder), "TERM": "xterm-256color"}
    generala = str(scripts / "generala")
    subprocess.run([generala, "new", *PLAYERS, "--rules", "kniffel", "-q"], env=home, check=True)
    firsts, imports, leaving = [], [], []
    for _ in range(STARTS):
        with Played([generala, "play"], home) as played:
            firsts.append(played.first)
            leaving.append(played.leave())
        done = subprocess.run(
            [scripts / "python", "-c", IMPORT], env=home, capture_output=True, text=True, check=True
        )
        imports.append(float(done.stdout))
    ratio = statistics.median(firsts) / statistics.median(imports)
    yield "generala play: to the first screen", "import textual.app", "2.40", ratio
    yield "leaving it", "milliseconds", "50", _ms(statistics.median(leaving))
    with Played([generala, "play"], home) as played:
        yield from _typed(played)


def _typed(played: "Played") -> Iterator[Line]:
    keys = [played.key(bytes([_HAND[place % len(_HAND)]])) for place in range(KEYS)]
    yield "a key, until it is painted: median", "milliseconds", "15", _ms(statistics.median(keys))
    yield "the same, 19 of 20", "milliseconds", "35", _ms(statistics.quantiles(keys, n=20)[-1])
    entries = []
    for _ in range(ENTRIES):
        played.type(b"666551")
        entries.append(played.key(b"\r"))
        played.type(b"u\r")
    yield (
        "Enter, until saved and painted, 19 of 20",
        "milliseconds",
        "100",
        _ms(statistics.quantiles(entries, n=20)[-1]),
    )
    before = played.mebibytes()
    yield "memory before advice", "MiB", "70", before
    spent = played.cpu()
    time.sleep(IDLE)
    yield "an idle screen", "% of a core", "1.00", 100 * (played.cpu() - spent) / IDLE
    for _ in range(TURNS):
        played.type(b"666551\r")
        played.type(b"u\r")
    yield f"{TURNS} turns later", "memory before", "1.10", played.mebibytes() / before


def _ms(seconds: float) -> float:
    return 1000 * seconds


class Played:
    """The screen on a terminal of 80 by 24; `first`: seconds until it was there."""

    def __init__(self, command: Sequence[str], surroundings: Mapping[str, str]) -> None:
        self._terminal, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        begun = time.perf_counter()
        self._process = subprocess.Popen(
            command, env=surroundings, stdin=slave, stdout=slave, stderr=slave, start_new_session=True
        )
        os.close(slave)
        seen = b""
        while _FIRST not in seen:
            seen += self._read(_PATIENCE)
        self.first = time.perf_counter() - begun
        self._settle()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._terminal)

    def key(self, key: bytes) -> float:
        """Seconds from a key to the first byte that is painted."""
        begun = time.perf_counter()
        os.write(self._terminal, key)
        self._read(_PATIENCE)
        spent = time.perf_counter() - begun
        self._settle()
        return spent

    def type(self, keys: bytes) -> None:
        """Press several, and wait until all is painted."""
        os.write(self._terminal, keys)
        self._read(_PATIENCE)
        self._settle()

    def leave(self) -> float:
        """Seconds from q to the end of the process."""
        begun = time.perf_counter()
        os.write(self._terminal, b"q\r")
        self._process.wait(_PATIENCE)
        return time.perf_counter() - begun

    def mebibytes(self) -> float:
        """The memory that it holds."""
        status = Path(f"/proc/{self._process.pid}/status").read_text(encoding="ascii")
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def cpu(self) -> float:
        """The seconds of a processor that it has had."""
        fields = (
            Path(f"/proc/{self._process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        )
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _settle(self) -> None:
        """Wait until nothing more is painted."""
        while self._read(_CALM):
            pass

    def _read(self, seconds: float) -> bytes:
        ready, _, _ = select.select([self._terminal], [], [], seconds)
        if not ready and seconds == _PATIENCE:
            raise RuntimeError("nothing was painted")
        return os.read(self._terminal, 65536) if ready else b""
