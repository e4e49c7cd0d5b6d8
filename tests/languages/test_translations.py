"""Every language has all of the program's messages, with the same placeholders and its own command names."""

import re
from pathlib import Path

import pytest

from generala_cli.cli.commands import BELOW, COMMANDS
from generala_cli.messages import WORDS
from generala_cli.render.language import languages
from tests.cases import cases
from tests.languages import translations
from tests.languages.translations import path_of, read, untranslated, updated, with_other_places


def test_there_are_four_languages() -> None:
    assert languages() == ("de", "en", "es", "pt")


@pytest.mark.thinned(every=2)
@pytest.mark.complete
@pytest.mark.parametrize("code", ["de", "es", "pt"])
def test_the_documented_step_changes_nothing_on_an_untouched_tree(code: str) -> None:
    assert updated(code) == path_of(code).read_text(encoding="utf-8"), f"python -m tests.languages {code}"


@pytest.mark.slow
@pytest.mark.complete
def test_a_catalogue_keeps_its_own_plural_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Babel's rule for a language differs between versions, which must not lose translations."""
    text = path_of("es").read_text(encoding="utf-8")
    own = text.replace("nplurals=2; plural=(n != 1);", "nplurals=2; plural=(n > 1);", 1)
    assert own != text
    monkeypatch.setattr(translations, "path_of", lambda _: tmp_path / "generala.po")
    (tmp_path / "generala.po").write_text(own, encoding="utf-8")
    assert updated("es") == own


def test_a_new_language_gets_a_plural_rule_and_keeps_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(translations, "path_of", lambda _: tmp_path / "generala.po")
    first = updated("pl")
    entries = [entry for entry in first.split("\n\n") if "msgid_plural" in entry]
    assert "nplurals=3;" in first
    assert {entry.count("msgstr[") for entry in entries} == {3}
    (tmp_path / "generala.po").write_text(first, encoding="utf-8")
    assert updated("pl") == first


@cases("code", ["de", "es", "pt"])
def test_a_translation_has_the_places_of_its_sentence(code: str) -> None:
    assert list(with_other_places(code)) == []


@pytest.mark.slow
def test_a_changed_sentence_changes_one_entry_and_is_shown_in_english(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """You can reword a sentence without knowing Spanish: the old translation remains as a fuzzy one."""
    before = path_of("es").read_text(encoding="utf-8")
    monkeypatch.setattr(translations, "path_of", lambda _: tmp_path / "generala.po")
    changed = before.replace('msgid "{player} left"', 'msgid "{player} left us"', 1)
    (tmp_path / "generala.po").write_text(changed, encoding="utf-8")
    assert "{player} left" in list(untranslated("es"))
    (tmp_path / "generala.po").write_text(updated("es"), encoding="utf-8")
    after = (tmp_path / "generala.po").read_text(encoding="utf-8")
    assert set(after.splitlines()) - set(before.splitlines()) <= {"#, fuzzy, python-brace-format"}
    assert "{player} left" in list(untranslated("es"))


def test_a_translation_with_another_place_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = path_of("es").read_text(encoding="utf-8")
    monkeypatch.setattr(translations, "path_of", lambda _: tmp_path / "generala.po")
    changed = text.replace('msgstr "{player} se fue"', 'msgstr "{jugador} se fue"', 1)
    assert changed != text
    (tmp_path / "generala.po").write_text(changed, encoding="utf-8")
    assert list(with_other_places("es")) == ["{jugador} se fue"]


@cases("code", ["de", "es", "pt"])
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
