"""README and guide are correct: the program prints the shown output, and every name in them exists."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from generala_cli import __version__
from generala_cli.cli.commands import BELOW, COMMANDS
from generala_cli.cli.helping import GUIDE, TOPIC_WORDS, chapter_file, chapters, heading
from generala_cli.cli.usage import command_named
from generala_cli.game.money import METHODS
from generala_cli.messages import ExampleLine
from generala_cli.render.language import speaking, translated
from generala_cli.rules.catalog import built_in, built_in_names
from generala_cli.rules.option_words import KEY_WORDS
from generala_cli.rules.options import options_of
from generala_cli.text import find_word
from tests.cases import cases
from tests.cli.program import run
from tests.transcripts import blocks, commands, language_of, replayed

pytestmark = pytest.mark.complete
ROOT = Path(__file__).parent.parent
READMES = [ROOT / name for name in ("README.md", "README.es.md", "README.de.md", "README.pt.md")]
LANGUAGES = [language_of(path) for path in READMES]
CHAPTERS = {name: sorted(folder.glob(f"*/{name}.md")) for name, folder in chapters().items()}
DOCUMENTS = [*READMES, *(path for paths in CHAPTERS.values() for path in paths)]
SECTIONS_OF_SOURCES = [
    "What every game shares",
    "The Generala family",
    "The instant win",
    "Double generala",
    "Escalero",
    "Golden Fifty",
    "Yacht and Crag",
    "Kniffel",
    "Yahtzee",
    "Yatzy",
    "Balut",
    "Cacho",
    "Who begins",
    "Sides",
    "Payouts",
    "When someone leaves",
    "Several games in one evening",
]
"""The sections of sources that docstrings cite."""


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def documents(*, quick: str) -> list[ParameterSet]:
    """Return a case for each document; those in other languages than this are slow."""
    return [
        pytest.param(
            path,
            id=str(path.relative_to(ROOT)),
            marks=() if language_of(path) == quick else pytest.mark.slow,
        )
        for path in DOCUMENTS
    ]


@pytest.mark.parametrize("path", documents(quick="en"))
def test_every_transcript_comes_out_as_it_stands(path: Path, tmp_path: Path) -> None:
    assert replayed(text_of(path), tmp_path, language=language_of(path)) == text_of(path)


def test_a_transcript_goes_on_from_what_the_command_before_it_prints(tmp_path: Path) -> None:
    document = (
        "```sh\npip install . && generala new Ana Beto -q && generala 3\n```\n\n"
        "```console\n$ generala redo\n```\n"
    )
    again = replayed(document, tmp_path)
    assert "```console\ngenerala: " in again
    assert again.count("\n$ generala redo\ngenerala: ") == 1
    (tmp_path / "another").mkdir()
    assert replayed(again, tmp_path / "another") == again


@cases("path", READMES)
def test_it_begins_with_what_it_is_and_the_two_commands(path: Path) -> None:
    readme = text_of(path)
    install, check = blocks(readme, "sh")
    english, same_check = blocks(text_of(READMES[0]), "sh")
    with speaking(language_of(path)):
        assert install in (english, translated(ExampleLine(english)))
    assert check == same_check
    assert install.count("\n") == check.count("\n") == 1
    assert "pip install -q . && generala new Ana Beto Cora " in english
    assert check.endswith("pip install -q -c tests/constraints.txt '.[test]' && pytest\n")
    picture = re.search(r"^!\[.+\]\((.+)\)$", readme, re.MULTILINE)
    assert picture
    assert (ROOT / picture[1]).exists()
    assert readme.startswith("# generala\n")
    assert picture.start() < readme.index("```sh") < readme.rindex("```sh") < readme.index("```console")
    assert readme[: readme.rindex("```sh")].count("\n## ") == 1


@cases("path", READMES)
def test_it_is_short(path: Path) -> None:
    assert len(text_of(path).splitlines()) <= 135
    assert len(text_of(path).split()) <= 1100


@cases("language", [each for each in LANGUAGES if each != "en"])
def test_another_language_has_the_same(language: str) -> None:
    """The same chapters, sections, transcripts and queries, as many commands in each."""
    pairs = [(READMES[0], READMES[LANGUAGES.index(language)])]
    pairs += [
        (chapter_file(name, "en"), chapter_file(name, language))
        for name in chapters()
        if chapter_file(name, language).exists()
    ]
    for english, path in pairs:
        assert _shape(path) == _shape(english), path


def _shape(path: Path) -> tuple[object, ...]:
    text = text_of(path)
    transcripts = [len(commands(block)) for block in blocks(text)]
    tables = [len(table.splitlines()) for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)]
    headings = re.findall(r"^#+ ", text, re.MULTILINE)
    return headings, transcripts, tables, [blocks(text, kind) for kind in ("sql", "sparksql", "python")]


def test_there_is_a_chapter_of_each_name() -> None:
    assert {path.stem for path in GUIDE.parent.glob("**/guide/en/*.md")} == {*chapters()}


def test_sources_has_the_sections_that_the_code_cites() -> None:
    found = re.findall(r"^## (.+)$", text_of(chapter_file("sources", "en")), re.MULTILINE)
    assert found == SECTIONS_OF_SOURCES
    for path in (GUIDE.parent).rglob("*.py"):
        for cited in re.findall(r'\(guide: sources, "([^"]+)"', text_of(path)):
            assert cited in found, path


def test_every_game_is_in_the_readme_and_has_its_origin() -> None:
    for name in built_in_names():
        for path in (*READMES, *CHAPTERS["rules"]):
            assert f"`{name}`" in text_of(path), (name, path)
        sources = text_of(chapter_file("sources", "en"))
        assert f"`{name}`" in sources or built_in(name).title in sources, name


def test_every_link_leads_somewhere() -> None:
    for path in DOCUMENTS:
        for target in re.findall(r"\]\(([^)#]+)\)", text_of(path)):
            assert (path.parent / target).exists(), (path, target)


def _typed(path: Path) -> Iterator[list[str]]:
    """Return the words after `generala` of each command that a document shows or speaks of."""
    text = text_of(path)
    spoken = re.findall(
        r"`generala ([^`]+)`", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    )
    shown = [line.removeprefix("generala ") for block in blocks(text) for line in commands(block)]
    for line in (*spoken, *shown):
        yield line.split()


_PREFIXES = ("stan", "pos", "cart", "abr")
"""Beginnings of commands that the documents show in English, Spanish, Portuguese and German."""


def test_every_command_and_chapter_that_is_named_is_there() -> None:
    names = {heading(path)[0].lower() for paths in CHAPTERS.values() for path in paths}
    for words in (words for path in DOCUMENTS for words in _typed(path)):
        first = words[0]
        if first[0].isdigit() or first.startswith("-") or first in ("x", "generala", "TURN", *_PREFIXES):
            continue
        name = command_named(first)
        assert name, words
        if name == "help" and len(words) > 1 and words[1].islower():
            topic = command_named(words[1]) or find_word(words[1], TOPIC_WORDS)
            assert topic or words[1] in (*chapters(), *names), words
        if name in BELOW and len(words) > 1 and words[1].isalpha() and words[1].islower():
            assert command_named(words[1], BELOW[name]), words


def test_every_option_and_variable_that_is_named_is_explained(tmp_path: Path) -> None:
    paths = [*([name] for name in COMMANDS), *([group, name] for group in BELOW for name in BELOW[group])]
    lines = [*([*path, "-h"] for path in paths), ["help", "environment"]]
    explained = {*NAME.findall("".join(run(*typed, home=tmp_path).out for typed in lines))}
    for path in DOCUMENTS:
        text = re.sub(r"```sh.*?```", "", text_of(path), flags=re.DOTALL)
        assert {*NAME.findall(text)} <= explained, path


NAME = re.compile(r"(?<![-\w])--[a-z]+(?:-[a-z]+)*\b|\bGENERALA_[A-Z_]+")
"""An option, or a variable of the environment."""


@cases("language", sorted({path.parent.name for path in CHAPTERS["rules"]}))
def test_methods_games_and_options_are_those_there_are(language: str) -> None:
    def first_cells(chapter: str) -> list[str]:
        rows = re.findall(r"^\| (`.*?) \|", text_of(chapter_file(chapter, language)), re.MULTILINE)
        return [name for cell in rows for name in re.findall(r"`(.+?)`", cell)]

    assert first_cells("money") == [*METHODS]
    options = [option for name in built_in_names() for option in options_of(built_in(name))]
    with speaking(language):
        known = {name for option in options for name in (option.key, translated(option.shown))}
        general = {translated(option.shown) for option in options if option.key in KEY_WORDS}
    named = first_cells("rules")
    assert {*built_in_names()} <= {*named}
    assert {*named} - {*built_in_names()} <= known
    assert general <= {*named}


def test_the_changelog_has_this_version_or_is_unreleased() -> None:
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert {"Unreleased", __version__} & {*headings}
