"""A sync that is killed or fails anywhere loses nothing. Repeating it completes it."""

import subprocess
from itertools import islice
from pathlib import Path
from shutil import copytree, rmtree

import pytest

from generala_cli.exchange.backup import GamePart, decode
from generala_cli.store.gamefile import GameFile
from tests.cli.program import GENERALA, Generala, surroundings
from tests.faults.harness import Bench, Command, tally
from tests.faults.judging import check_whole, litter_in, state_in
from tests.faults.test_import import GONE_ON, WAYS, each_way

PROMISE = "A sync that was killed, or failed, is completed by repeating it"
MANY = "Commands run at the same time lose nothing"
THREES = "3 3 3 3 4"
OURS = Command(
    line="sync",
    then="new Zoe Max",
    before=("pay Ana Beto 1 --unit USD", "tournament new Copa P Q R --seed 1", "tournament drop P"),
)


@pytest.fixture(scope="module")
def theirs(bench: Bench, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of another machine that started with all our data and continued."""
    home, shared = bench.start(OURS, "sharing"), tmp_path_factory.mktemp("shared")
    seated = ("tournament add P", "tournament seat", "tournament new Liga P Q R --seed 2")
    for line in (*GONE_ON, *seated, f"sync {shared} --as theirs"):
        assert bench.run(home, line).code == 0
    (file,) = shared.iterdir()
    return file


@pytest.fixture(scope="module")
def parted(bench: Bench, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return our home with a game that differs, and the file of a machine that chose its own version."""
    shared = tmp_path_factory.mktemp("shared")
    ours, theirs, sent = bench.start(OURS, "parted"), bench.start(OURS, "choosing"), shared / "sent"
    for home, line in [
        (ours, f"score {THREES} --as threes"),
        (ours, f"export 1 -o {sent} --format generala"),
        *((theirs, line) for line in GONE_ON),
        (theirs, f"import {sent}"),
        (theirs, "doctor 1 --take this"),
        (theirs, f"sync {shared} --as theirs"),
    ]:
        assert bench.run(home, line).code == 0, line
    (file,) = shared.glob("theirs-*")
    return ours, file


def started(bench: Bench, ours: Path | None, theirs: Path, name: str = "try") -> tuple[Path, Path, str]:
    """Return a home folder, its shared folder and the command line to run.

    Args:
        ours: the contents of the home folder (default: OURS).
    """
    home = bench.start(OURS, name)
    if ours is not None:
        rmtree(home)
        copytree(ours, home)
    shared = home / "shared"
    shared.mkdir()
    (shared / theirs.name).write_bytes(theirs.read_bytes())
    return home, shared, f"sync {shared} --as ours"


def games_in(file: Path) -> object:
    """Return the games in a machine's file, ignoring their numbers."""
    parts = decode(file.read_bytes())
    files = [GameFile.decode(part.text.encode()) for part in parts if isinstance(part, GamePart)]
    return sorted((file.id, file.events) for file in files)


@each_way(every=5)
def test_a_sync_is_completed_by_repeating_it(bench: Bench, theirs: Path, how: str, every: int) -> None:
    check_repeated(bench, None, theirs, how, every)


@each_way(every=5)
def test_a_choice_is_followed_by_repeating_a_sync(
    bench: Bench, parted: tuple[Path, Path], how: str, every: int
) -> None:
    check_repeated(bench, *parted, how, every)


def events_in(home: Path) -> set[object]:
    """Return all events of a game in a store, from all of its versions."""
    files = (home / "data").rglob("game*.json")
    return {(each.at, each.event) for file in files for each in GameFile.decode(file.read_bytes()).events}


def tournaments_in(home: Path) -> dict[str, bytes]:
    """The files of the tournaments in a store."""
    files = (home / "data/tournaments").glob("*/tournament.json")
    return {file.parent.name: file.read_bytes() for file in files}


def check_repeated(bench: Bench, ours: Path | None, theirs: Path, how: str, every: int) -> None:
    """Let a sync fail in many places and repeat it each time. The results are equal, and nothing is lost."""
    home, shared, line = started(bench, ours, theirs, "recorded")
    recorded = bench.run(home, line)
    assert (recorded.code, recorded.err) == (0, "")
    new = state_in(home)
    (own,) = shared.glob("ours-*")
    assert len(new.games) >= 3
    tournaments = tournaments_in(home)
    assert not [*(home / "data").glob("games/*/game.imported-*")]
    events = events_in(home)
    with tally(PROMISE, how) as counted:
        for operation, fault in islice(WAYS[how](recorded), 0, None, every):
            with counted.trying(operation, fault):
                home, shared, line = started(bench, ours, theirs)
                run = bench.run(home, line, fault)
                assert run.hit, f"the fault was never reached: {run}"
                assert "Traceback" not in run.err, run
                check_whole(home)
                for file in shared.glob("*.generala"):
                    decode(file.read_bytes())
                again = bench.run(home, line)
                assert (again.code, again.err) == (0, ""), again
                assert state_in(home) == new
                assert tournaments_in(home) == tournaments
                assert events_in(home) == events
                assert not [*(home / "data").glob("games/*/game.imported-*")]
                check_whole(home)
                assert not litter_in(home)
                names = sorted(path.name for path in shared.iterdir())
                assert [name.partition("-")[0] for name in names] == ["ours", "theirs"], names
                assert (shared / theirs.name).read_bytes() == theirs.read_bytes()
                assert games_in(shared / names[0]) == games_in(own)


@pytest.mark.slow
def test_eight_at_once_lose_nothing(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    machines = [Generala(home=tmp_path / f"machine {number}") for number in range(8)]
    for number, machine in enumerate(machines):
        machine.ok("new", "Ana", "Beto", "--name", f"game of {number}", "--stake", "1", "--unit", "USD")
        machine.ok("pay", "Ana", "Beto", str(number + 1), "--unit", "USD")

    def all_at_once(homes: list[Path]) -> None:
        running = [
            subprocess.Popen(
                [GENERALA, "sync", str(shared), "--as", "phone"],
                env=surroundings(home, {}),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            for home in homes
        ]
        ended = [(each.communicate(), each.returncode) for each in running]
        assert [code for _, code in ended] == [0] * len(homes), ended

    all_at_once([machines[0].home] * 8)  # one data folder; the last sync finds nothing to do
    assert len([*shared.iterdir()]) == 1
    for _ in range(3):
        all_at_once([machine.home for machine in machines])
    labels = [sorted(game["label"] for game in machine.json("games")["games"]) for machine in machines]
    assert labels == [[f"game of {number}" for number in range(8)]] * 8
    ledgers = [machine.json("ledger")["units"][0]["net"] for machine in machines]
    assert {ledger["Ana"] for ledger in ledgers} == {"36.00"}
    assert len([*shared.iterdir()]) == 8
