"""Memory runs out while the answer is printed: the message says what was saved, and there is no traceback."""

from pathlib import Path

import pytest

from generala_cli.cli.running import run
from generala_cli.render import documents
from tests.faults.harness import tally
from tests.faults.judging import state_in

PROMISE = "The program reports only what is on the disk"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GENERALA_ROOT", str(tmp_path))
    assert run(["new", "Ana", "Beto", "--quiet"]) == 0
    return tmp_path


def no_room(*_: object) -> str:
    raise MemoryError


def part_missing(*_: object) -> str:
    raise ImportError("failed to map segment from shared object")


@pytest.mark.parametrize("ending", [no_room, part_missing])
def test_what_is_saved_is_reported_as_saved(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], ending: object
) -> None:
    before = state_in(home)
    monkeypatch.setattr(documents, "encoded", ending)
    with tally(PROMISE, "memory ends while the answer is made") as counted, counted.trying():
        assert run(["score", "66666", "--json"]) == 3
        assert state_in(home) != before
        result = capsys.readouterr()
        assert result.out == ""
        assert result.err.startswith("generala: could not prepare the answer (")
        assert result.err.endswith("; your changes were saved\n")


def test_a_refusal_that_cannot_be_a_document_is_a_sentence(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(documents, "encoded", no_room)
    assert run(["score", "1", "--json"]) == 2
    result = capsys.readouterr()
    assert result.out == ""
    assert result.err.startswith("generala: that is one die (1)")
