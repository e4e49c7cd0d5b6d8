"""The README is true: what it shows is what the program prints, and its two commands are the ones CI runs."""

import re
from pathlib import Path

import pytest

from generala_cli import __version__
from tests.transcripts import blocks, language_of, replayed

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["README.md", "README.es.md", "README.de.md"])
def test_every_transcript_comes_out_as_it_stands(name: str, tmp_path: Path) -> None:
    readme = (ROOT / name).read_text(encoding="utf-8")
    assert len(blocks(readme)) == len(blocks(README)) >= 5
    assert replayed(readme, tmp_path, language=language_of(Path(name))) == readme


@pytest.mark.parametrize("name", ["README.es.md", "README.de.md"])
def test_other_languages_tell_the_same(name: str) -> None:
    readme = (ROOT / name).read_text(encoding="utf-8")
    assert _commands(readme) == _commands(README)
    assert readme.count("\n## ") == README.count("\n## ")


def test_it_begins_with_what_it_is_and_a_screen() -> None:
    assert README.startswith("# generala\n\nThe scorekeeper")
    assert README.index("```console") < README.index("## ")


def test_two_commands_do_everything() -> None:
    install, check = _commands(README)
    assert "pip install -q ." in install
    assert install.endswith("generala 55533 1")
    assert "pip install -q '.[test]'" in check
    assert check.endswith("pytest")


def _commands(readme: str) -> list[str]:
    return re.findall(r"^```sh\n(.*)\n```$", readme, re.MULTILINE)


def test_the_changelog_tells_of_this_version() -> None:
    assert f"## {__version__}\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
