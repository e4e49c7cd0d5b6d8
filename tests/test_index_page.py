"""The README on the package index: every link and picture of a build in a workflow has a whole address."""

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture
def metadata(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setenv("GITHUB_REPOSITORY", "ana/generala")
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://example.org")
    monkeypatch.setenv("GITHUB_REF_NAME", "v1.0.0")
    spec = spec_from_file_location("metadata", ROOT / ".ci" / "metadata.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    found: dict[str, Any] = {}
    module.IndexPage(str(ROOT), {}).update(found)
    return found


def test_every_address_is_whole(metadata: dict[str, Any]) -> None:
    text = metadata["readme"]["text"]
    targets = re.findall(r"\]\(([^)]+)\)|src=\"([^\"]+)\"", text)
    pictures = [src for _, src in targets if src]
    assert len(pictures) == 2
    for target in (link or picture for link, picture in targets):
        assert target.startswith("https://example.org/ana/generala/"), target
        assert (ROOT / target.split("/v1.0.0/")[1]).exists(), target
    assert all("/raw/" in picture for picture in pictures)
    assert "[Español](https://example.org/ana/generala/blob/v1.0.0/README.es.md)" in text


def test_the_project_has_addresses(metadata: dict[str, Any]) -> None:
    assert metadata["urls"]["Issues"] == "https://example.org/ana/generala/issues"
