"""The installed program in conditions set up by a shell: limits, umasks, redirections, mounts."""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.program import GENERALA, Generala, Result, surroundings
from tests.posix import IS_POSIX

_PATIENCE = 300  # seconds before a hanging command fails its test; nothing is timed


SCORE = ("score", "44442")
"""A hand that can be entered in the game of the fixture `played`."""

MOUNTING = ("unshare", "--mount", "--map-root-user")
NAMELESS = ("unshare", "--user", "--map-user=54321")


def within(generala: Generala, setup: str, *arguments: str, apart: Sequence[str] = ()) -> Result:
    """Run a command after some lines of shell.

    Args:
        generala: the home; its data folder is `$GENERALA_ROOT/data`.
        setup: shell commands to run first, in the same process.
        arguments: the command's arguments.
        apart: a prefix for a separate namespace: MOUNTING (may mount) or NAMELESS (runs as a user unknown to
            the system).
    """
    if not IS_POSIX:
        pytest.skip("it runs after lines of a POSIX shell")
    shell = ["sh", "-c", f'{setup}\nexec "$@"', "sh", GENERALA, *arguments]
    done = subprocess.run(
        [*apart, *shell],
        cwd=generala.home.parent,
        env=surroundings(generala.home, generala.environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=_PATIENCE,
    )
    return Result(code=done.returncode, out=done.stdout.decode(), err=done.stderr.decode())


def can_mount() -> bool:
    """Whether this machine allows our own mounts."""
    return _succeeds(*MOUNTING, "mount", "-t", "tmpfs", "none", "/mnt")


def can_be_nobody() -> bool:
    """Whether this machine allows a user without a name."""
    return _succeeds(*NAMELESS, GENERALA, "--version")


def _succeeds(*command: str) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Modes:
    """The permissions of a folder and its contents."""

    folders: set[int]
    files: set[int]


PRIVATE = Modes(folders={0o700}, files={0o600})


def modes_below(folder: Path) -> Modes:
    """All that occur."""
    found = [folder, *folder.rglob("*")]
    return Modes(
        folders={path.stat().st_mode & 0o7777 for path in found if path.is_dir()},
        files={path.stat().st_mode & 0o7777 for path in found if path.is_file()},
    )


def is_reported(result: Result, *codes: int) -> bool:
    """Check that the command was refused in one sentence on stderr, with nothing on stdout."""
    assert result.code in codes, result
    assert result.out == ""
    assert result.err.startswith("generala: ")
    assert result.err.count("\n") == 1, result.err
    assert "Traceback" not in result.err
    return True
