"""The manual pages, which a release makes of help and guide, can be read by every reader of such pages."""

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.manual import LANGUAGES, write_pages

READERS = {
    "groff": ("groff", "-man", "-t", "-K", "utf8", "-T", "utf8", "-ww"),
    "mandoc": ("mandoc", "-T", "lint", "-W", "error"),
    "lexgrog": ("lexgrog",),  # the line that `apropos` lists
}
"""Programs that say on stderr, or by their exit code, what is wrong with a page."""


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    return write_pages(tmp_path_factory.mktemp("man"))


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_is_read_without_a_complaint(language: str, reader: str, pages: Mapping[str, Path]) -> None:
    if not shutil.which(reader):
        pytest.skip(f"{reader} is not installed")
    done = subprocess.run([*READERS[reader], pages[language]], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_man_shows_every_command(tmp_path: Path, pages: Mapping[str, Path]) -> None:
    if not shutil.which("man"):
        pytest.skip("man is not installed")
    shown = subprocess.run(
        ["man", "-l", pages["en"]],
        env={"PATH": "/usr/bin:/bin", "MANWIDTH": "60", "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "\n   generala new\n       generala new [OPTIONS] [NAME NAME...]\n" in shown
    assert "\n   generala rules edit\n" in shown
