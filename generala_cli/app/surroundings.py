"""Every setting, its value, and where it came from."""

import os
import sys
from pathlib import Path

from generala_cli.app.defaults import Setting, read_defaults
from generala_cli.errors import FileTrouble
from generala_cli.store.places import HOME_VARIABLE, config_folder, data_folder
from generala_cli.store.trouble import printable


def surroundings() -> tuple[Setting, ...]:
    """The folders, and what a new game is like when nothing is said.

    Raises:
        FileTrouble: there is no home folder.
    """
    home = HOME_VARIABLE if os.environ.get(HOME_VARIABLE) else "default"
    config = config_folder()
    return (
        Setting(name="games", value=printable(data_folder()), origin=home),
        Setting(name="configuration", value=printable(config), origin=_xdg("XDG_CONFIG_HOME")),
        *_defaults(config / "config.toml"),
    )


def _defaults(path: Path) -> tuple[Setting, ...]:
    """What holds for new games; a file that cannot be used is what one comes here to find out about."""
    try:
        return tuple(read_defaults(path).settings.values())
    except FileTrouble as error:
        said = "; ".join((error.message, *error.details))
        return (Setting(name="new games", value="cannot be begun", origin=said),)


def _xdg(variable: str) -> str:
    value = os.environ.get(variable, "")
    return variable if value.startswith("/") and sys.platform not in ("win32", "darwin") else "default"
