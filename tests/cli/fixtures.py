"""Fixtures for all tests: the program in its own home, with or without a game."""

import shutil
from pathlib import Path

import pytest

from generala_cli.packages import is_installed
from tests.cli.every import begin_tournament, play_tournament
from tests.cli.program import Generala


@pytest.fixture
def generala(tmp_path: Path) -> Generala:
    """Return the program in an empty home."""
    return Generala(home=tmp_path / "home")


@pytest.fixture
def played(generala: Generala, played_once: Path) -> Generala:
    """Ana and Beto play General: a full house each, Beto's on the first throw; Ana's straight is undone.

    There are house rules, casa, a tournament of six, and a folder to share.
    """
    shutil.copytree(played_once, generala.home)
    return generala


@pytest.fixture(scope="session")
def played_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the home that is copied for every test of `played`."""
    generala = Generala(home=tmp_path_factory.mktemp("played"))
    generala.ok("new", "Ana", "Beto", "--rules", "general", "--stake", "0.01", "--unit", "USD")
    generala.ok("score", "5", "5", "5", "3", "3")
    generala.ok("score", "66633", "--roll", "1")
    generala.ok("score", "12345")
    generala.ok("undo")
    if is_installed("rulebook"):
        generala.ok("rules", "new", "casa", "--from", "general")
    if is_installed("tournament"):
        begin_tournament(generala)
    (generala.home / "user" / "shared").mkdir(parents=True)
    return generala.home


@pytest.fixture
def with_tournament(generala: Generala, with_tournament_once: Path) -> Generala:
    """The home of `played`, with a tournament in which every command succeeds."""
    shutil.copytree(with_tournament_once, generala.home)
    return generala


@pytest.fixture(scope="session")
def with_tournament_once(played_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the home that is copied for every test of `with_tournament`."""
    if not is_installed("tournament"):
        pytest.skip("tournament is not installed")
    home = tmp_path_factory.mktemp("tournament") / "home"
    shutil.copytree(played_once, home)
    play_tournament(Generala(home=home))
    return home
