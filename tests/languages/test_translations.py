"""Every language says everything that the program says, and has the same places in it."""

from pathlib import Path

import pytest

from generala_cli.render.language import languages
from tests.languages import translations
from tests.languages.translations import check, path_of


def test_there_are_spanish_and_german() -> None:
    assert languages() == ("de", "en", "es")


@pytest.mark.parametrize("code", ["de", "es"])
def test_everything_is_said(code: str) -> None:
    assert list(check(code)) == []


@pytest.mark.parametrize("code", ["de", "es"])
def test_what_is_missing_or_said_no_more_is_found(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = path_of(code).read_text(encoding="utf-8")
    monkeypatch.setattr(translations, "path_of", lambda _: tmp_path / "generala.po")
    changed = text.replace('msgid "{player} left"', 'msgid "{somebody} left"', 1)
    (tmp_path / "generala.po").write_text(changed, encoding="utf-8")
    assert {"missing: '{player} left'", "said no more: '{somebody} left'"} <= {*check(code)}
