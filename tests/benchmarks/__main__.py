"""Measure the program against the yardstick: `python -m tests.benchmarks`.

A wheel of this tree is installed in its own environment. Every figure is the median ratio of the run times of
whole processes. They run alternately, so that other load on the machine affects both. The table goes into
README.md in this folder.
"""

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tests.benchmarks import board, odds, play, stores

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
ROUNDS = 41
MANY_GAMES = 10_000
TIMES_UNDONE = 10
MARK = "<!-- figures -->"

Line = tuple[str, str, str, float]
"""The command, its reference, the limit, the ratio."""


def main() -> None:
    """Build, measure, write."""
    with tempfile.TemporaryDirectory() as folder:
        python = _environment(Path(folder))
        lines = list(_measured(Path(folder), python))
    table = "\n".join(_table(lines))
    sys.stdout.write(table + "\n")
    _put_into_readme(table)


def _environment(folder: Path) -> Path:
    venv.create(folder / "env", with_pip=True)
    scripts = folder / "env" / "bin"
    subprocess.run([scripts / "pip", "install", "-q", str(ROOT)], check=True)
    return scripts


def _measured(folder: Path, scripts: Path) -> Iterator[Line]:
    small, many, long = folder / "small", folder / "many", folder / "long"
    stores.half_full(small)
    stores.many_finished(many, MANY_GAMES)
    stores.undone_and_redone(long, TIMES_UNDONE)
    counter = folder / "counter.json"
    totals = ", ".join(f'"Player{number}": {number}' for number in range(1, 9))
    counter.write_text(f'{{"count": 0, "totals": {{{totals}}}}}')
    yardstick = (str(scripts / "python"), str(HERE / "yardstick.py"), str(counter))
    hello = (str(scripts / "python"), str(HERE / "hello.py"))
    generala = str(scripts / "generala")
    for home in (small, many, long):  # files from elsewhere are listed once
        subprocess.run([generala, "use", "1", "-q"], env=_surroundings(home), check=True)
    yield from _against_yardstick(generala, small, yardstick, hello)
    yield from _in_spanish(generala, small)
    yield from _against_small(generala, small, many, f"{MANY_GAMES:,} finished games next to it", "1.05")
    yield from _against_small(
        generala, small, long, "50 players, each entry undone and redone ten times", "2.00"
    )
    yield from _listing(generala, many, statistics.median(_seconds(yardstick, small) for _ in range(ROUNDS)))
    yield from odds.measured(folder / "odds", scripts, _surroundings(folder / "odds"))
    yield from play.measured(folder / "play", scripts, _surroundings(folder / "play"))
    yield from board.measured(folder / "board", scripts, _surroundings(folder / "board"))


def _against_yardstick(
    generala: str, home: Path, yardstick: Sequence[str], hello: Sequence[str]
) -> Iterator[Line]:
    limits = {
        ("score", "5", "5", "5", "3", "3"): "0.45",
        ("scratch", "general"): "0.45",
        ("undo",): "0.90",
        ("sheet",): "1.05",
        ("standings",): "1.05",
        ("payouts",): "1.05",
        ("log",): "1.05",
        (): "1.05",
        ("--help",): "0.50",
        ("score", "--nonsense"): "0.95",
        ("--version",): "0.15",
    }
    for arguments, limit in limits.items():
        undo = [generala, "redo" if arguments == ("undo",) else "undo", "-q"]
        writes = arguments[:1] in {("score",), ("scratch",), ("undo",)} and "--nonsense" not in arguments
        ours = [generala, *arguments]
        ratio = _ratio(ours, yardstick, home, home, after=undo if writes else ())
        yield " ".join(("generala", *arguments)), "yardstick", limit, ratio
    tab = [generala, "__complete", "score", "--as", ""]
    yield "one TAB", "Typer hello", "1.18", _ratio(tab, hello, home, home)


def _in_spanish(generala: str, home: Path) -> Iterator[Line]:
    for arguments in (("score", "5", "5", "5", "3", "3", "-n"), ("sheet",), ("--help",)):
        ratio = _ratio(
            [generala, "--language", "es", *arguments], [generala, "--language", "en", *arguments], home, home
        )
        yield f"generala {' '.join(arguments)}: in Spanish", "in English", "1.08", ratio


def _against_small(generala: str, small: Path, large: Path, what: str, limit: str) -> Iterator[Line]:
    score = ("score", "5", "5", "5", "3", "3")
    for arguments in ((*score, "-n"), score, ("sheet",)):
        command = [generala, *arguments]
        undo = [generala, "undo", "-q"] if arguments == score else ()
        ratio = _ratio(command, command, large, small, after=undo, after_theirs=undo)
        yield f"generala {' '.join(arguments)}: {what}", "the small one", limit, ratio


def _listing(generala: str, many: Path, yardstick: float) -> Iterator[Line]:
    """Commands that read many different games; yardstick: its seconds."""
    for arguments, limit in {
        ("games",): "9",
        ("games", "--json"): "7",
        ("export", "--all", "--format", "csv"): "15",
        ("export", "--all", "--format", "ndjson"): "11",
        ("stats",): "11",
        ("records",): "11",
    }.items():
        spent = min(_seconds([generala, *arguments], many) for _ in range(5))
        yield f"generala {' '.join(arguments)}: {MANY_GAMES:,} games", "yardstick", limit, spent / yardstick
    for arguments in (("doctor",), ("export", "--all", "--format", "generala")):
        peak = odds.spent([generala, *arguments], _surroundings(many)).mebibytes
        yield f"generala {' '.join(arguments)}: {MANY_GAMES:,} games, at its peak", "MiB", "200", peak


def _ratio(
    ours: Sequence[str],
    theirs: Sequence[str],
    our_home: Path,
    their_home: Path,
    *,
    after: Sequence[str] = (),
    after_theirs: Sequence[str] = (),
) -> float:
    ratios: list[float] = []
    for _ in range(ROUNDS):
        mine = _seconds(ours, our_home)
        if after:
            _seconds(after, our_home)
        ratios.append(mine / _seconds(theirs, their_home))
        if after_theirs:
            _seconds(after_theirs, their_home)
    return statistics.median(ratios)


def _seconds(command: Sequence[str], home: Path) -> float:
    begun = time.perf_counter()
    subprocess.run(
        command,
        env=_surroundings(home),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return time.perf_counter() - begun


def _surroundings(home: Path) -> Mapping[str, str]:
    """Return our own variables with a home, except what slows a start or hides its end."""
    unset = {"PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "GENERALA_CACHE"}
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    return {**kept, "GENERALA_ROOT": str(home), "GENERALA_HOME": str(home)}


def _table(lines: Sequence[Line]) -> Iterator[str]:
    machine = f"{platform.machine()}, {os.cpu_count()} cores"
    yield f"Python {platform.python_version()}, {machine}, {ROUNDS} rounds of each."
    yield ""
    yield "| what | against | at most | measured |"
    yield "|---|---|--:|--:|"
    for what, against, limit, ratio in lines:
        shown = f"{ratio:,.0f}" if ratio > 100 else f"{ratio:.2f}"
        yield f"| {what} | {against} | {limit} | {shown} |"


def _put_into_readme(table: str) -> None:
    readme = HERE / "README.md"
    before, _, rest = readme.read_text(encoding="utf-8").partition(MARK)
    _, _, after = rest.partition(MARK)
    readme.write_text(f"{before}{MARK}\n{table}\n{MARK}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
