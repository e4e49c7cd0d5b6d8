"""Where a user's files are is what platformdirs says, where that is not asked too."""

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
    for name in ("GENERALA_HOME", "GENERALA_CACHE", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": "/home/ana", **surroundings}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("generala_cli.store.places.sys.platform", system)
    assert data_folder() == platformdirs.user_data_path("generala", appauthor=False)
    assert config_folder() == platformdirs.user_config_path("generala", appauthor=False)
    assert cache_folder() == platformdirs.user_cache_path("generala", appauthor=False)


@pytest.mark.parametrize("system", ["linux", "android"])
def test_no_library_is_asked_where_a_home_is_known(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    for name in ("GENERALA_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/ana")
    monkeypatch.setitem(sys.modules, "platformdirs", None)
    monkeypatch.setattr("generala_cli.store.places.sys.platform", system)
    assert data_folder() == Path("/home/ana/.local/share/generala")
