"""The fast path without Typer reads a turn like Typer."""

from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from msgspec import Struct

from generala_cli.cli import turn_line
from generala_cli.cli.app import root
from generala_cli.cli.session import Answer, Session
from generala_cli.cli.turn_line import read
from tests.cases import cases
from tests.cli.program import Generala
from tests.cli.typed_lines import typed_lines

ENTER = "generala_cli.table.entering.enter_line"
PLAIN = [
    "55533",
    "55533 1 full Ana",
    "5 5 5 3 3 --as full",
    "5-5-5-3-3 full --json",
    "44126:44 425:444 44",
    "score 55533 --as=full --roll=1",
    "score --roll served 55533 full",
    "score full 55533 -n -q",
    "score 55533 --threw 44126:44 --threw 44425:444",
    "x ones",
    "X 11226 ones",
    "scratch ones --player Ana --game 1",
    "scratch --color never --language es ones 1 1 2 2 6",
    "55533 --dry-run --quiet --json --color always --game two",
]
LEFT_TO_TYPER = [
    "",
    "score",
    "x",
    "-n 55533",
    "55533 -h",
    "55533 -nq",
    "55533 --",
    "55533 -1",
    "55533 --rol 1",
    "55533 --roll",
    "55533 --roll -1",
    "55533 --roll 1 --roll 2",
    "55533 --json=yes",
    "55533 --as=",
    "55533 --color pink",
    "55533 --no-pager",
    "x ones --as twos",
    "sc 55533",
    "full 55533",
    "undo",
    "a 55533",
    "sheet",
]


def typed(line: str) -> tuple[list[str], dict[str, Any], dict[str, Any]]:
    turn = read(line.split())
    assert turn is not None, line
    return [*turn.words], {name: value for name, value in turn.options.items() if value}, {**turn.shared}


def by_typer(line: str) -> tuple[list[str], dict[str, Any], dict[str, Any]]:
    entered: list[Any] = []

    def enter_line(session: Session, words: list[str], **options: Any) -> Answer[Struct]:
        entered.append((session, words, options))
        return Answer.of_text("", Struct)

    with patch(ENTER, enter_line):
        root()(line.split(), prog_name="generala", standalone_mode=False)
    ((session, words, options),) = entered
    shared = {name: getattr(session, name) for name in turn_line.SHARED}
    return [*words], {name: value for name, value in options.items() if value}, shared


@cases("line", PLAIN)
def test_a_plain_turn_is_read_as_typer_reads_it(line: str) -> None:
    assert typed(line) == by_typer(line)


@cases("line", LEFT_TO_TYPER)
def test_any_other_line_is_left_to_typer(line: str) -> None:
    assert read(line.split()) is None


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize("language", ["en", "es", "de", "pt"])
def test_lines_are_read_as_typer_reads_them(language: str) -> None:
    lines = [" ".join(line.words) for line in typed_lines(language, 200)]
    turns = [line for line in lines if read(line.split()) is not None]
    assert len(turns) > len(lines) / 2
    assert [line for line in turns if typed(line) != by_typer(line)] == []


@pytest.mark.parametrize("line", ["55533 1 full", "x ones", "55533 nonsense", "55538", "x"])
def test_the_answer_is_the_same(played: Generala, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = (*line.split(), "-n")
    answer = played(*words)
    monkeypatch.setattr(turn_line, "read", lambda _: None)
    assert played(*words) == answer


def test_a_folder_that_cannot_be_written_is_told_alike(played: Generala, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    environment = {"GENERALA_HOME": str(file)}
    told = played("55533", environment=environment)
    with patch.object(turn_line, "read", lambda _: None):
        assert played("55533", environment=environment) == told
    assert told.code == 3
