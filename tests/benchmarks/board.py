"""The board with 1, 20 and 50 phones: the delay until they see an entry, and the resources used."""

import json
import os
import socket
import statistics
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

Line = tuple[str, str, str, float]
_UPDATES = 100
_HALF_OPEN = 300
_IDLE = 15.0
_GAME = ("new Ana Beto Cora --rules general -q", "55533 1 -q")


class _Board:
    """A board in a process of its own."""

    def __init__(self, scripts: Path, surroundings: Mapping[str, str]) -> None:
        command = [str(scripts / "generala"), "board", "--json", "--pad"]
        self._process = subprocess.Popen(command, env=surroundings, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self._address = json.loads(self._process.stdout.readline())["watch"]

    def ask(self, part: str) -> socket.socket:
        """Connect and request a part of the board; nothing if the part is empty."""
        _, _, host, token, _ = self._address.split("/")
        name, port = host.split(":")
        connection = socket.create_connection((name, int(port)))
        if part:
            path = f"/{token}{part}"
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        return connection

    def cpu(self) -> float:
        """The seconds of cpu that it took."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        """The most memory that it took, in MiB."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) / 1024

    def end(self) -> None:
        self._process.terminate()
        self._process.wait()


def measured(folder: Path, scripts: Path, surroundings: Mapping[str, str]) -> Iterator[Line]:
    """Yield the delay until phones show an entry, and the board's resource use. This needs /proc."""
    folder.mkdir(parents=True)
    for line in _GAME:
        subprocess.run([str(scripts / "generala"), *line.split()], env=surroundings, check=True)
    board = _Board(scripts, surroundings)
    try:
        yield from _with_phones(board, folder / "games" / "1" / "game.json")
    finally:
        board.end()


def _with_phones(board: _Board, game: Path) -> Iterator[Line]:
    arrived: list[float] = []
    phones: list[socket.socket] = []
    for count in (1, 20, 50):
        while len(phones) < count:
            phones.append(board.ask("/events"))
            threading.Thread(target=_read, args=(phones[-1], arrived), daemon=True).start()
        time.sleep(1)
        latencies = sorted(_latencies(game, arrived, count))
        yield (
            f"an entry, until it is on all phones ({count}): median",
            "milliseconds",
            "100",
            1000 * statistics.median(latencies),
        )
        yield "the same, 99 of 100", "milliseconds", "250", 1000 * latencies[len(latencies) * 99 // 100]
    yield "memory of the board with 50 phones", "MiB", "50", board.memory()
    before = board.cpu()
    time.sleep(_IDLE)
    yield "nothing is entered", "% of a core", "1.00", 100 * (board.cpu() - before) / _IDLE
    half_open = [board.ask("") for _ in range(_HALF_OPEN)]
    yield (
        f"the page next to {_HALF_OPEN} half-open connections",
        "milliseconds",
        "250",
        1000 * max(_seconds_of_page(board) for _ in range(20)),
    )
    assert len(half_open) == _HALF_OPEN


def _read(phone: socket.socket, arrived: list[float]) -> None:
    with suppress(OSError):
        views = (line for line in phone.makefile("rb") if line.startswith(b'data: {"version"'))
        arrived.extend(time.perf_counter() for _ in views)


def _latencies(game: Path, arrived: list[float], count: int) -> Iterator[float]:
    """Put a game with and without its entry in place by turns, out of step with the board's looks."""
    one = game.read_bytes()
    other = (game.parent / "game.json.bak").read_bytes()
    for update in range(_UPDATES):
        beside = game.parent.parent / "new.json"
        beside.write_bytes(one if update % 2 else other)
        arrived.clear()
        begun = time.perf_counter()
        beside.rename(game)
        while len(arrived) < count and time.perf_counter() - begun < 2:
            time.sleep(0.001)
        yield from (moment - begun for moment in arrived)
        time.sleep(0.037 + update % 7 * 0.011)


def _seconds_of_page(board: _Board) -> float:
    begun = time.perf_counter()
    with board.ask("/") as connection:
        answer = b"".join(iter(lambda: connection.recv(1 << 16), b""))
    assert answer.startswith(b"HTTP/1.1 200 ")
    return time.perf_counter() - begun
