"""Every language says everything that the program says, with the same places, and names its own commands."""

import re
from pathlib import Path

import pytest

from generala_cli.cli.commands import BELOW, COMMANDS
from generala_cli.messages import WORDS
from generala_cli.render.language import languages
from tests.languages import translations
from tests.languages.translations import check, path_of, read


def test_there_are_spanish_and_german() -> None:
    assert languages() == ("de", "en", "es")


@pytest.mark.parametrize("code", ["de", "es"])
def test_everything_is_said(code: str) -> None:
    assert list(check(code)) == []


def test_what_is_missing_or_said_no_more_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = path_of("es").read_text(encoding="utf-8")
    monkeypatch.setattr(translations, "path_of", lambda _: tmp_path / "generala.po")
    changed = text.replace('msgid "{player} left"', 'msgid "{somebody} left"', 1)
    (tmp_path / "generala.po").write_text(changed, encoding="utf-8")
    assert {"missing: '{player} left'", "said no more: '{somebody} left'"} <= {*check("es")}


@pytest.mark.parametrize("code", ["de", "es"])
def test_commands_are_named_in_the_language_that_is_spoken(code: str) -> None:
    catalogue = read(code)
    names = {
        context: [word.strip() for word in str(message.string).split(",")]
        for message in catalogue
        if (context := message.context or "").startswith(f"{WORDS}the command ")
    }
    english = []
    for message in catalogue:
        texts = [message.string] if isinstance(message.string, str) else list(message.string or ())
        for text in texts if message.id else ():
            for command, below in re.findall(r"\bgenerala\s+([\w-]+)(?:\s+([\w-]+))?", text):
                group = next(
                    (each for each in BELOW if command in names.get(f"{WORDS}the command {each}", ())), None
                )
                is_english = command in COMMANDS and command not in names[f"{WORDS}the command {command}"]
                below_too = group is not None and below in BELOW[group]
                if is_english or (below_too and below not in names[f"{WORDS}the command {group} {below}"]):
                    english.append(text)
    assert english == []
