"""Commands about all games read one game at a time, however many there are."""

import gc
import shutil
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from generala_cli.store.gamefile import GameFile
from generala_cli.store.sealing import encode
from tests.cli.program import Generala
from tests.store.files import tiny_file

GAMES = 40
AT_ONCE = 6
"""Games that a command may hold: one, its backup, and the same of the game before."""


@pytest.fixture
def alive(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Return a function for the most games that were in memory at once since the test began."""
    read, calls, before = GameFile.decode, count(1), count_games()
    most = [before]

    def decode(_cls: type[GameFile], data: bytes) -> GameFile:
        if next(calls) % 8 == 0:  # counting takes longer than reading
            most.append(count_games())
        return read(data)

    monkeypatch.setattr(GameFile, "decode", classmethod(decode))
    return lambda: max(most) - before


def count_games() -> int:
    gc.collect()
    """Return how many games have their events in memory. Packed ones do not."""
    return sum(type(each) is GameFile and bool(each.events) for each in gc.get_objects())


@pytest.mark.slow
def test_only_a_few_games_are_in_memory(generala: Generala, alive: Callable[[], int], tmp_path: Path) -> None:
    fill(generala)
    (shared := tmp_path / "shared").mkdir()
    for typed in (("doctor",), ("export", "--all", "--format", "generala"), ("sync", str(shared)), ("sync",)):
        assert generala(*typed).code == 0
        assert alive() <= AT_ONCE, typed


@pytest.mark.slow
def test_only_a_few_of_the_games_that_come_are_in_memory(
    generala: Generala, alive: Callable[[], int], tmp_path: Path
) -> None:
    fill(generala)
    (shared := tmp_path / "shared").mkdir()
    backup = str(tmp_path / "games.generala")
    assert generala("export", "--all", "-o", backup).code == 0
    assert generala("sync", str(shared), "--as", "kitchen").code == 0
    for typed in (("import", backup), ("sync", str(shared), "--as", "cellar")):
        shutil.rmtree(generala.home)
        assert generala(*typed).code == 0
        assert generala.game(GAMES).exists()
        assert alive() <= AT_ONCE, typed


def fill(generala: Generala) -> None:
    for number in range(1, GAMES + 1):
        data = encode(replace(tiny_file(number), id=f"{number:032x}"))
        generala.game(number).parent.mkdir(parents=True)
        generala.game(number).write_bytes(data)
        generala.game(number).with_name("game.json.bak").write_bytes(data)
