"""A command gives the same answer in the process of its test and as the installed program in a shell."""

import gc
import os
import re
import shutil
import signal
import sys
import time
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pytest

from generala_cli.store.signals import HELD
from tests.cli.every import EDITING, PATHS, named, working
from tests.cli.every import Path as Command
from tests.cli.in_process import Hung, run_in_process
from tests.cli.program import Generala, surroundings
from tests.posix import posix_only

MANNERS: tuple[Command, ...] = ((), ("--json",), ("--color", "always"))
CLOCK = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\dZ)?")
"""The time, which may change before the second run."""
MACHINE = re.compile(r"-[0-9a-f]{8}\.generala")
"""The end of the name of a machine's own file, which is random."""
PAYMENT = re.compile(r'"id":"[0-9a-f]{32}"')
"""The id of a payment, which is random, too."""
MORE: tuple[Command, ...] = (
    (),
    ("--version",),
    ("-h",),
    ("help",),
    ("help", "exit-codes"),
    ("score", "-h"),
    ("nonsense",),
    ("score", "55533", "--nonsense"),
    ("score", "11123"),
    ("score", "5553x"),
    ("sheet", "9"),
    ("delete", "1"),
    ("new", "日本", "[/]"),
    ("new", "\udcff", "Beto"),
    ("score", "44442", "-n"),
    ("undo", "-q"),
    ("rules", "check", "-"),
    ("__complete", "score", "--as", ""),
)


def _ways(generala: Generala, with_tournament_once: Path, typed: Command) -> list[tuple[object, list[str]]]:
    """Return everything visible of one run, in this process and in its own, from the same start."""
    ended: list[tuple[object, list[str]]] = []
    for run in (generala, generala.process):
        shutil.rmtree(generala.home, ignore_errors=True)
        shutil.copytree(with_tournament_once, generala.home)
        result = run(*typed, environment=EDITING, stdin="no\n")
        shown = PAYMENT.sub('"id":""', MACHINE.sub(".generala", CLOCK.sub("now", result.out)))
        files = sorted(MACHINE.sub(".generala", name) for name in generala.files())
        ended.append((replace(result, out=shown), files))
    return ended


@pytest.mark.thinned(slow=3)
@pytest.mark.slow
@pytest.mark.parametrize(("path", "manner"), [*zip(PATHS, cycle(MANNERS), strict=False)], ids=named)
def test_every_command_ends_alike(
    generala: Generala, with_tournament_once: Path, path: Command, manner: Command
) -> None:
    in_process, of_its_own = _ways(generala, with_tournament_once, (*working(path), *manner))
    assert in_process == of_its_own


@pytest.mark.thinned(slow=2)
@pytest.mark.slow
@pytest.mark.parametrize("typed", MORE, ids=ascii)
def test_refusals_and_help_are_alike(generala: Generala, with_tournament_once: Path, typed: Command) -> None:
    in_process, of_its_own = _ways(generala, with_tournament_once, typed)
    assert in_process == of_its_own


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize("typed", [("score", "44442"), ("--json", "sheet"), ("sheet", "9")], ids=" ".join)
def test_some_of_each_are_alike(generala: Generala, with_tournament_once: Path, typed: Command) -> None:
    in_process, of_its_own = _ways(generala, with_tournament_once, typed)
    assert in_process == of_its_own


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize("variable", [{"NO_COLOR": "1"}, {"FORCE_COLOR": "1"}, {"TZ": "Asia/Tokyo"}])
def test_the_environment_is_heard_alike(played: Generala, variable: dict[str, str]) -> None:
    for typed in (("sheet",), ("log",)):
        assert played(*typed, environment=variable) == played.process(*typed, environment=variable)


def test_nothing_of_it_is_left(played: Generala) -> None:
    def now() -> object:
        mask, numbers = None, [*HELD]
        if sys.platform != "win32":
            mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
            numbers.append(signal.SIGALRM)
        handlers = [signal.getsignal(number) for number in numbers]
        return dict(os.environ), time.tzname, mask, handlers, gc.isenabled()

    before = now()
    played.ok("score", "44442", environment={"TZ": "Asia/Tokyo", "GENERALA_SEEN": "1"})
    assert now() == before


@posix_only("Windows has no alarm: there a test that hangs ends the run")
def test_what_hangs_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.cli.in_process.LONGEST", 0.01)
    monkeypatch.setattr("tests.cli.in_process.program", lambda _arguments: time.sleep(60))
    with pytest.raises(Hung):
        run_in_process(["sheet"], surroundings(tmp_path, {}))
