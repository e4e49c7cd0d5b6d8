"""Our places for a user's files match platformdirs, even where we do not call it."""

import sys
from collections.abc import Mapping
from pathlib import Path

import platformdirs
import pytest

from generala_cli.store.places import cache_folder, config_folder, data_folder
from tests.posix import posix_only

pytestmark = posix_only("the variables are those of POSIX systems")

SURROUNDINGS: list[Mapping[str, str]] = [
    {},
    {"HOME": "/home/ana/"},
    {"XDG_DATA_HOME": "/srv/data", "XDG_CONFIG_HOME": "/srv/config//"},
    {"XDG_CACHE_HOME": "/srv/cache"},
    {"XDG_DATA_HOME": "", "XDG_CONFIG_HOME": "", "XDG_CACHE_HOME": ""},
    {"XDG_DATA_HOME": "relative/data", "XDG_CONFIG_HOME": "~/config"},
    {"XDG_DATA_HOME": "/srv/data", "XDG_CONFIG_HOME": "/srv/config", "HOME": "relative"},
    {"XDG_DATA_HOME": "/srv/data", "XDG_CONFIG_HOME": "/srv/config", "HOME": ""},
]


@pytest.mark.parametrize("system", ["linux", "android", "other"])
@pytest.mark.parametrize("surroundings", SURROUNDINGS, ids=str)
def test_a_folder_is_where_platformdirs_has_it(
    monkeypatch: pytest.MonkeyPatch, surroundings: Mapping[str, str], system: str
) -> None:
    monkeypatch.delenv("GENERALA_ROOT")
    for name, value in {"HOME": "/home/ana", **surroundings}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("generala_cli.store.places.sys.platform", system)
    assert data_folder() == platformdirs.user_data_path("generala", appauthor=False)
    assert config_folder() == platformdirs.user_config_path("generala", appauthor=False)
    assert cache_folder() == platformdirs.user_cache_path("generala", appauthor=False)


@pytest.mark.parametrize("system", ["linux", "android"])
def test_no_library_is_asked_where_a_home_is_known(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    monkeypatch.delenv("GENERALA_ROOT")
    monkeypatch.setenv("HOME", "/home/ana")
    monkeypatch.setitem(sys.modules, "platformdirs", None)
    monkeypatch.setattr("generala_cli.store.places.sys.platform", system)
    assert data_folder() == Path("/home/ana/.local/share/generala")


def test_our_variables_beat_the_platform_and_are_read_as_a_shell_reads_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/ana")
    monkeypatch.setenv("XDG_CONFIG_HOME", "/srv/config")
    monkeypatch.setenv("GENERALA_ROOT", "~/dice")
    assert data_folder() == Path("/home/ana/dice/data")
    assert config_folder() == Path("/home/ana/dice/config")
    assert cache_folder() == Path("/home/ana/dice/cache")
    monkeypatch.setenv("GENERALA_HOME", "~/games")
    monkeypatch.setenv("GENERALA_CACHE", "./cache")
    assert data_folder() == Path("/home/ana/games")
    assert cache_folder() == tmp_path / "cache"
    monkeypatch.setenv("GENERALA_ROOT", "")
    assert config_folder() == Path("/srv/config/generala")
