"""The cost of exact strategy: inside the process, by whole commands, and compared with the published tool."""

import os
import statistics
import subprocess
import time
import venv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

PUBLISHED = "generala==2.0.0"
"""The strategy tool on PyPI: the dice to keep for each category, by the recursion of one turn."""
ROUNDS = 5
PLAYERS = ("Ana", "Beto", "Cora", "Dani")
SOLVE = """
import sys
from time import process_time
from generala_cli.odds.sheets import Sheet
from generala_cli.odds.solving import solve
from generala_cli.rules.catalog import built_in
rules = built_in(sys.argv[1])
begun = process_time()
solve(rules, Sheet(), instant_value=200)
print(process_time() - begun)
"""
WHOLE_SHEETS = {"general": "0.10", "golden-fifty": "1.00", "kniffel": "4.00"}
"""Cpu seconds at most."""
EMPTY_SHEETS = {"kniffel": "6.00", "yahtzee": "11.00", "yatzy": "16.00"}
"""Cpu of `odds` for four players at the start, at most so many times that of solving a sheet of kniffel."""

Line = tuple[str, str, str, float]
"""The measured thing, its unit or reference, the limit, the figure."""


class Spent(NamedTuple):
    """The resources used by a whole process."""

    seconds: float
    cpu_seconds: float
    mebibytes: float


def measured(folder: Path, scripts: Path, surroundings: Mapping[str, str]) -> Iterator[Line]:
    """Every figure of odds.

    Args:
        folder: an empty one. scripts: the environment with the program.
    """
    solved = {name: _solving(scripts, name) for name in WHOLE_SHEETS}
    for name, limit in WHOLE_SHEETS.items():
        yield f"odds: a whole sheet of {name}, in process", "cpu seconds", limit, solved[name]
    home = {**surroundings, "GENERALA_HOME": str(folder / "home")}
    generala = str(scripts / "generala")
    subprocess.run([generala, "new", *PLAYERS, "--rules", "general", "-q"], env=home, check=True)
    odds = _median([generala, "odds"], home)
    yield "generala odds: four players at the start", "seconds", "1.00", odds.seconds
    yield "the same, at its peak", "MiB", "300", odds.mebibytes
    for name, limit in EMPTY_SHEETS.items():
        first = _first_odds(generala, folder / name, surroundings, name)
        ratio = first.cpu_seconds / solved["kniffel"]
        yield f"generala odds: four players at the start of {name}", "a sheet of kniffel", limit, ratio
        yield "the same, at its peak", "MiB", "300", first.mebibytes
    advise = [generala, "advise", "4", "4", "1", "2", "6", "--roll", "1", "--rules", "general"]
    ratio = _median(advise, home).seconds / _median([_published(folder), "1", "44126"], home).seconds
    yield "generala advise 4 4 1 2 6 --roll 1 --rules general", PUBLISHED, "0.08", ratio


def _solving(scripts: Path, name: str) -> float:
    command = [str(scripts / "python"), "-c", SOLVE, name]
    runs = (subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(3))
    return statistics.median(float(run.stdout) for run in runs)


def _first_odds(generala: str, folder: Path, surroundings: Mapping[str, str], name: str) -> Spent:
    """The first odds of a game, after one question of advice."""
    runs = []
    for number in range(3):
        home = {
            **surroundings,
            "GENERALA_HOME": str(folder),
            "GENERALA_CACHE": str(folder / f"cache-{number}"),
        }
        subprocess.run([generala, "new", *PLAYERS, "--rules", name, "-q"], env=home, check=True)
        spent([generala, "advise", "44126", "1"], home)
        runs.append(spent([generala, "odds"], home))
    return _medians(runs)


def _published(folder: Path) -> str:
    """Its command, in an environment of its own: it has the name of ours."""
    venv.create(folder / "published", with_pip=True)
    subprocess.run([folder / "published" / "bin" / "pip", "install", "-q", PUBLISHED], check=True)
    return str(folder / "published" / "bin" / "generala")


def _median(command: Sequence[str], surroundings: Mapping[str, str]) -> Spent:
    return _medians([spent(command, surroundings) for _ in range(ROUNDS)])


def _medians(runs: Sequence[Spent]) -> Spent:
    return Spent(*(statistics.median(figures) for figures in zip(*runs, strict=True)))


def spent(command: Sequence[str], surroundings: Mapping[str, str]) -> Spent:
    """Return the time of a process from start to end, and the peak of its memory."""
    begun = time.perf_counter()
    process = subprocess.Popen(
        command, env=surroundings, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    _, problem = process.communicate()
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)}: {problem.decode()}")
    return Spent(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
