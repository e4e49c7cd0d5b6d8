"""The manual pages say what help and guide say now, and every reader of such pages can read them."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.manual import LANGUAGES, page, page_path

READERS = {
    "groff": ("groff", "-man", "-t", "-K", "utf8", "-T", "utf8", "-ww"),
    "mandoc": ("mandoc", "-T", "lint", "-W", "error"),
    "lexgrog": ("lexgrog",),  # what `apropos` lists
}
"""Programs that say on stderr, or by their exit code, what is wrong with a page."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_is_what_help_and_guide_say_now(language: str) -> None:
    assert page(language) == page_path(language).read_text(encoding="utf-8"), "python -m tests.manual"


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_is_read_without_a_complaint(language: str, reader: str) -> None:
    if not shutil.which(reader):
        pytest.skip(f"{reader} is not installed")
    done = subprocess.run(
        [*READERS[reader], page_path(language)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_man_shows_every_command(tmp_path: Path) -> None:
    if not shutil.which("man"):
        pytest.skip("man is not installed")
    shown = subprocess.run(
        ["man", "-l", page_path("en")],
        env={"PATH": "/usr/bin:/bin", "MANWIDTH": "60", "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "\n   generala new\n       generala new [OPTIONS] [NAME NAME...]\n" in shown
    assert "\n   generala rules edit\n" in shown
