"""The README is true: what it shows is what the program prints, and its two commands are the ones CI runs."""

import re
from pathlib import Path

from generala_cli import __version__
from tests.transcripts import blocks, replayed

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_transcript_comes_out_as_it_stands(tmp_path: Path) -> None:
    assert len(blocks(README)) >= 5
    assert replayed(README, tmp_path) == README


def test_it_begins_with_what_it_is_and_a_screen() -> None:
    assert README.startswith("# generala\n\nThe scorekeeper")
    assert README.index("```console") < README.index("## ")


def test_two_commands_do_everything() -> None:
    install, check = re.findall(r"^```sh\n(.*)\n```$", README, re.MULTILINE)
    assert "pip install -q ." in install
    assert install.endswith("generala 55533 1")
    assert "pip install -q '.[test]'" in check
    assert check.endswith("pytest")


def test_the_changelog_tells_of_this_version() -> None:
    assert f"## {__version__}\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
