"""The places of the user's files. Without a home folder, each raises a FileError."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from msgspec import Struct

from generala_cli.errors import FileError

HOME_VARIABLE = "GENERALA_HOME"
CACHE_VARIABLE = "GENERALA_CACHE"
ROOT_VARIABLE = "GENERALA_ROOT"
GAME_VARIABLE = "GENERALA_GAME"

Kind = Literal["data", "config", "cache"]


class UserFolder(Struct, frozen=True):
    """A folder of the user, and the variable that set it; None if the platform did."""

    path: Path
    variable: str | None


def data_folder() -> Path:
    return user_folder("data").path


def config_file() -> Path:
    return config_folder() / "config.toml"


def rules_folder() -> Path:
    return config_folder() / "rules"


def config_folder() -> Path:
    return user_folder("config").path


def cache_folder() -> Path:
    return user_folder("cache").path


def user_folder(kind: Kind) -> UserFolder:
    """Return the folder set by its own variable, by `GENERALA_ROOT`, or by the platform, in this order."""
    if own := _named(_OWN_VARIABLES.get(kind, "")):
        return UserFolder(own, _OWN_VARIABLES[kind])
    if root := _named(ROOT_VARIABLE):
        return UserFolder(root / kind, ROOT_VARIABLE)
    variable, below_home = _XDG[kind]
    path = _plain(variable, below_home) or _found(kind)
    is_xdg = path == Path(os.environ.get(variable, ""), "generala")
    return UserFolder(path, variable if is_xdg else None)


_OWN_VARIABLES: Mapping[Kind, str] = {"data": HOME_VARIABLE, "cache": CACHE_VARIABLE}
_XDG: Mapping[Kind, tuple[str, str]] = {
    "data": ("XDG_DATA_HOME", ".local/share"),
    "config": ("XDG_CONFIG_HOME", ".config"),
    "cache": ("XDG_CACHE_HOME", ".cache"),
}


def _named(variable: str) -> Path | None:
    named = os.environ.get(variable, "")
    return Path(os.path.expanduser(named)).absolute() if named else None  # noqa: PTH111 - unlike Path.expanduser, it never fails


def _plain(variable: str, below_home: str) -> Path | None:
    """Return the folder on Linux and Termux, because importing platformdirs is slow; None if unknown."""
    for base in (Path(os.environ.get(variable, "")), Path(os.environ.get("HOME", ""), below_home)):
        if sys.platform in ("linux", "android") and base.is_absolute():
            return base / "generala"
    return None


def _found(kind: Kind) -> Path:
    import platformdirs

    place = {
        "data": platformdirs.user_data_path,
        "config": platformdirs.user_config_path,
        "cache": platformdirs.user_cache_path,
    }[kind]
    try:
        path = place("generala", appauthor=False)
    except RuntimeError:  # the system does not know this account
        path = Path()
    if path.is_absolute():
        return path
    raise FileError(
        "there is no home folder for the games", "set {variable} to a folder", variable=ROOT_VARIABLE
    )
