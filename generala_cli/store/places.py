"""Where a user's files are; without a home folder to look in, that is a FileError."""

import os
import sys
from pathlib import Path
from typing import Literal

from generala_cli.errors import FileError

HOME_VARIABLE = "GENERALA_HOME"
CACHE_VARIABLE = "GENERALA_CACHE"
GAME_VARIABLE = "GENERALA_GAME"


def data_folder() -> Path:
    """Return `GENERALA_HOME`, else the platform's folder for a user's data."""
    if home := os.environ.get(HOME_VARIABLE):
        return Path(home).absolute()
    return _plain("XDG_DATA_HOME", ".local/share") or _found("data")


def config_file() -> Path:
    """Return where the defaults for new games are."""
    return config_folder() / "config.toml"


def rules_folder() -> Path:
    """Return the folder of the house's own rule files."""
    return config_folder() / "rules"


def config_folder() -> Path:
    """Return the platform's folder for a user's configuration."""
    return _plain("XDG_CONFIG_HOME", ".config") or _found("config")


def cache_folder() -> Path:
    """Return `GENERALA_CACHE`, else the platform's folder for what can be worked out again."""
    if folder := os.environ.get(CACHE_VARIABLE):
        return Path(folder).absolute()
    return _plain("XDG_CACHE_HOME", ".cache") or _found("cache")


def _plain(variable: str, otherwise: str) -> Path | None:
    """Return where Linux and Termux have it; None where platformdirs must say: other systems, and no home.

    To import that takes as long as all of a game's rules, and every command wants to know.
    """
    for base in (Path(os.environ.get(variable, "")), Path(os.environ.get("HOME", ""), otherwise)):
        if sys.platform in ("linux", "android") and base.is_absolute():
            return base / "generala"
    return None


def _found(kind: Literal["data", "config", "cache"]) -> Path:
    import platformdirs

    place = {
        "data": platformdirs.user_data_path,
        "config": platformdirs.user_config_path,
        "cache": platformdirs.user_cache_path,
    }[kind]
    try:
        path = place("generala", appauthor=False)
    except RuntimeError:  # an account that the system does not know
        path = Path()
    if path.is_absolute():
        return path
    raise FileError(
        "there is no home folder to keep games in", "set {variable} to a folder", variable=HOME_VARIABLE
    )
