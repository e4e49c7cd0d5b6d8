"""The command `generala` on the PATH. A different tool, from the package `generala`, has the same name."""

import re
import shutil
import sys
from contextlib import suppress
from pathlib import Path

from generala_cli.app.defaults import EffectiveSetting
from generala_cli.messages import Message, lazy
from generala_cli.text import safe

OTHER_PACKAGE = "generala"
_READ = 1 << 20  # enough for a script, or for its launcher on Windows


def command_on_path() -> EffectiveSetting:
    found = shutil.which("generala")
    if found is None:
        origin = lazy("not on the PATH; this program is {program}", program=_own())
        return EffectiveSetting(name="command", value=lazy("none", context="command"), origin=origin)
    return EffectiveSetting(name="command", value=safe(found), origin=_whose(Path(found)))


def _whose(command: Path) -> str | Message:
    code, is_this_file = b"", False
    with suppress(OSError), command.open("rb") as file:
        code = file.read(_READ)
        is_this_file = command.samefile(sys.argv[0])
    if re.search(rb"\b(from|import) generala\b", code):
        return lazy("a different tool of the same name; this program is {program}", program=_own())
    if _other_is_here():
        return lazy(
            "this program; the package generala is also installed here, and the last one "
            "installed owns the command"
        )
    # Other launchers, such as a version manager's shim, may start either program.
    return lazy("this program") if is_this_file or b"generala_cli" in code else "PATH"


def _other_is_here() -> bool:
    """Return whether the other tool is in this environment. Each overwrites the other's command."""
    from importlib.metadata import PackageNotFoundError, distribution  # slow, and needed only here

    with suppress(PackageNotFoundError):
        return distribution(OTHER_PACKAGE).metadata["Name"] == OTHER_PACKAGE
    return False


def _own() -> str:
    started = Path(sys.argv[0])
    if started.stem.startswith("generala"):
        return safe(started.absolute())
    return safe(f"{sys.executable} -m generala_cli")
