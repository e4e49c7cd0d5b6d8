"""Features that some tests need and Windows lacks; `pytest -rs` shows the reasons."""

import os
from pathlib import Path

import pytest

IS_POSIX = os.name == "posix"


def posix_only(reason: str) -> pytest.MarkDecorator:
    """Return the mark of a test that runs on POSIX systems only."""
    return pytest.mark.skipif(not IS_POSIX, reason=reason)


def make_pipe(path: Path) -> None:
    """Make a named pipe in the place of a file."""
    if not IS_POSIX:
        pytest.skip("Windows has no named pipes in folders")
    os.mkfifo(path)
