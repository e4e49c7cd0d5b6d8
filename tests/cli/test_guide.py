"""`generala help CHAPTER`: the guide, drawn on a terminal, unchanged elsewhere."""

import shutil
from itertools import product
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from generala_cli.cli import helping
from generala_cli.cli.commands import COMMANDS
from generala_cli.cli.completion import complete
from generala_cli.cli.helping import GUIDE, TOPICS, chapter_file, chapters, heading
from generala_cli.cli.usage import command_named
from tests.cases import cases
from tests.cli.program import Generala

ROOT = Path(__file__).parents[2]
LANGUAGES = sorted(path.name for path in GUIDE.iterdir())
SPANISH = {"GENERALA_LANGUAGE": "es"}


def test_piped_it_is_the_text_as_it_is(generala: Generala) -> None:
    for chapter in chapters():
        text = chapter_file(chapter, "en").read_text(encoding="utf-8")
        assert generala.ok("help", chapter) == text
        assert generala.json("help", chapter) == {"version": 1, "text": text}


def test_it_is_in_the_language_of_the_reader_and_a_document_in_english(generala: Generala) -> None:
    text = chapter_file("table", "es").read_text(encoding="utf-8")
    assert generala.ok("help", "table", environment=SPANISH) == text
    assert generala("help", "table", "--json", environment=SPANISH) == generala("help", "table", "--json")


@cases(
    ("typed", "language", "hint"),
    [
        ("korrigiern", "de", "meinst du korrigieren?"),
        ("tischh", "de", "meinst du tisch?"),
        ("standngs", "de", "meinst du standings?"),
        ("plnilla", "es", "¿será planilla?"),
        ("xyzzy", "en", "see generala help -h"),
    ],
)
def test_a_misspelled_command_or_chapter_is_recognized(
    generala: Generala, typed: str, language: str, hint: str
) -> None:
    result = generala("help", typed, environment={"GENERALA_LANGUAGE": language})
    assert (result.code, result.err.endswith(f"; {hint}\n")) == (2, True), result


def test_a_chapter_that_a_language_has_not_is_in_english(
    generala: Generala, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(GUIDE, tmp_path / "guide")
    (tmp_path / "guide" / "es" / "table.md").unlink()
    folders = {**chapters(), "table": tmp_path / "guide"}
    monkeypatch.setattr(helping, "chapters", lambda: folders)
    assert generala.ok("help", "table", environment=SPANISH).startswith("# Table: ")
    assert "\n  table  " in generala.ok("help", environment=SPANISH)


@pytest.mark.slow
def test_on_a_terminal_it_is_drawn_in_its_width(generala: Generala) -> None:
    environment = {"NO_COLOR": "1"}
    with generala.on_terminal("help", "table", "--no-pager", columns=60, environment=environment) as terminal:
        code, shown = terminal.end()
    lines = shown.splitlines()
    assert code == 0
    assert not any(line.startswith(("#", "```", "|")) or "`" in line for line in lines)
    assert max(map(len, lines)) <= 60
    assert " $ generala 55533 1" in lines
    assert "\x1b" not in shown


@pytest.mark.slow
def test_a_terminal_that_shows_only_ascii_gets_the_text(generala: Generala) -> None:
    with generala.on_terminal(
        "help",
        "table",
        "--no-pager",
        environment={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ) as terminal:
        _, shown = terminal.end()
    assert shown.startswith("# Table: ")


def test_a_chapter_answers_to_its_name_in_every_language(generala: Generala) -> None:
    for chapter, language in product(chapters(), LANGUAGES):
        name, contents = heading(chapter_file(chapter, language))
        assert contents, (chapter, language)
        text = chapter_file(chapter, "en").read_text(encoding="utf-8")
        assert generala.ok("help", name.lower()) == text, (chapter, language)
        if language == "en":
            assert name.lower() == chapter


@cases("language", LANGUAGES)
def test_only_a_few_are_a_chapter_and_a_command(language: str) -> None:
    names = {heading(chapter_file(chapter, language))[0]: chapter for chapter in chapters()}
    assert len(names) == len(chapters())
    both = {chapter for name, chapter in names.items() if command_named(name)}
    assert both <= {"rules", "board", "tournament", "statistics"}


@pytest.mark.complete
def test_the_rules_are_the_chapter_and_what_is_below_them_a_command(generala: Generala) -> None:
    assert generala.ok("help", "rules").startswith("# Rules: ")
    assert generala.ok("help", "rules", "show") == generala.ok("rules", "show", "-h")


def test_help_by_itself_lists_commands_chapters_and_topics(generala: Generala) -> None:
    output = generala.ok("help")
    assert output.startswith(generala.ok("help", "commands"))
    places = [output.rindex(f"\n  {name}  ") for name in (*chapters(), *TOPICS)]
    assert places == sorted(places)
    assert "\n  table, mesa  " in generala.ok("help", environment=SPANISH)


def test_a_start_and_a_slip_are_understood(generala: Generala) -> None:
    assert generala.ok("help", "inst") == generala.ok("help", "install")
    refused = generala("help", "instal1")
    assert (refused.code, refused.out) == (2, "")
    assert "did you mean install?" in refused.err


def test_every_chapter_is_in_the_wheel() -> None:
    files = {Path(file.distribution_path) for file in WheelBuilder(str(ROOT)).recurse_included_files()}
    for path in (path for name, folder in chapters().items() for path in folder.glob(f"*/{name}.md")):
        assert path.relative_to(ROOT) in files


def test_completion_offers_chapters_and_topics() -> None:
    assert [*complete(["help", ""])] == [
        *COMMANDS,
        *(name for name in chapters() if name not in COMMANDS),
        *TOPICS,
    ]
    assert [*complete(["help", "inst"])] == ["install"]
