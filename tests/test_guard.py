"""The guard of `conftest` is up in every test."""

import os
import signal
from pathlib import Path

import pytest

from generala_cli.store.places import cache_folder, config_folder, data_folder
from generala_cli.store.signals import HELD, hold_signals
from tests.cases import cases
from tests.posix import posix_only


def test_every_folder_is_a_temporary_and_empty_one(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [Path.home(), data_folder(), config_folder(), cache_folder()]
    monkeypatch.delenv("GENERALA_ROOT")
    for folder in (*folders, data_folder(), config_folder(), cache_folder()):
        assert folder.is_relative_to(tmp_path_factory.getbasetemp())
        assert list(folder.glob("*")) == []


@cases("variable", ["NO_COLOR", "FORCE_COLOR", "VISUAL", "EDITOR", "COLUMNS"])
def test_the_surroundings_say_nothing(variable: str) -> None:
    assert variable not in os.environ


@posix_only("Windows has no signals that can be held back")
@pytest.mark.parametrize("attempt", [1, 2])
def test_signals_held_back_in_one_test_reach_the_next(attempt: int) -> None:
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ()) & set(HELD)
    hold_signals()
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) >= set(HELD)
