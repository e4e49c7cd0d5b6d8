"""Where a user's files are; without a home folder to look in, that is a FileTrouble."""

import os
from collections.abc import Callable
from pathlib import Path

from generala_cli.errors import FileTrouble

HOME_VARIABLE = "GENERALA_HOME"
GAME_VARIABLE = "GENERALA_GAME"


def data_folder() -> Path:
    """`GENERALA_HOME`, else the platform's folder for a user's data."""
    if home := os.environ.get(HOME_VARIABLE):
        return Path(home).absolute()
    from platformdirs import user_data_path

    return _found(user_data_path)


def config_folder() -> Path:
    """The platform's folder for a user's configuration: rule files and defaults."""
    from platformdirs import user_config_path

    return _found(user_config_path)


def _found(place: Callable[..., Path]) -> Path:
    try:
        path = place("generala", appauthor=False)
    except RuntimeError:  # an account that the system does not know
        path = Path()
    if path.is_absolute():
        return path
    raise FileTrouble(
        "there is no home folder to keep games in", "set {variable} to a folder", variable=HOME_VARIABLE
    )
