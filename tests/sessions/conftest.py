"""A game for the tests to disturb."""

import shutil
from pathlib import Path

import pytest

from tests.cli.every import EDITING, begin_tournament, play_tournament
from tests.cli.program import Generala
from tests.sessions.reporting import SURROUNDINGS, report


@pytest.fixture
def played(tmp_path: Path, played_once: Path) -> Generala:
    """Ana and Beto have a full house each, and Ana's straight is undone.

    There are house rules, casa, and a tournament of six.
    """
    shutil.copytree(played_once, tmp_path / "home")
    return Generala(home=tmp_path / "home", environment=EDITING)


@pytest.fixture(scope="session")
def played_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the home that is copied for every test of `played`."""
    generala = Generala(home=tmp_path_factory.mktemp("played") / "home")
    generala.ok("new", "Ana", "Beto", "--rules", "general")
    generala.ok("score", "55533")
    generala.ok("score", "66633", "--roll", "1")
    generala.ok("score", "12345")
    generala.ok("undo")
    generala.ok("rules", "new", "casa", "--from", "general")
    begin_tournament(generala)
    play_tournament(generala)
    return generala.home


@pytest.fixture(autouse=True)
def _reported(request: pytest.FixtureRequest) -> None:
    """Write a line for the table in tests/faults per hostile surroundings test. A failing test fails CI."""
    if request.module.__name__.rpartition(".")[2] in ("test_surroundings", "test_links"):
        report(SURROUNDINGS, "read-only, full, closed, linked and cramped places", runs=1)
