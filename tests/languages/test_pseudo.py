"""No visible text stays in English: tested with a language that puts every sentence in brackets."""

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from rich.cells import cell_len

from generala_cli.cli.commands import BELOW, COMMANDS
from generala_cli.cli.helping import TOPICS, chapter_file, chapters, heading
from generala_cli.game.money import METHODS
from generala_cli.render.language import speak
from generala_cli.rules.catalog import built_in, built_in_names
from generala_cli.rules.options import options_of
from tests.cli.every import PATHS, named, working
from tests.cli.every import Path as Command
from tests.cli.program import Generala, run
from tests.golden_games import TABLES, command_lines
from tests.languages.pseudo import accented, spoken, untranslated
from tests.languages.sentences import Glued, found
from tests.play.goldens import SIZES, looked_at, play_some
from tests.play.piloted import PLAIN, screen_after
from tests.sizes import thinned

PEOPLE = (
    "Ana",
    "Beto",
    "Cora",
    "Dani",
    "Anita",
    "Berta",
    "Eva",
    "Fito",
    "Ines",
    "Tuesdays",
    "Wednesdays",
    "Fridays",
    "casa",
    "villa",
    "drink",
    "drinks",
    "generala",
    "ce",  # of the fingerprint of general
)
NAMES = [*COMMANDS, *(f"{group} {name}" for group, below in BELOW.items() for name in below)]
_VERBS = {*COMMANDS, *(name for below in BELOW.values() for name in below)}
_VALUES = (
    *("points", "totals", "places", "draw", "auto", "always", "never", "take", "drop", "csv", "ndjson"),
    *("rotate", "bottom", "top"),
)
"""Values of options, in their typed form."""
_KEYS = (
    "current",
    "rules",
    "stake",
    "unit",
    "payout",
    "advice",
    "language",
    "point",
    "points",
    "difference",
    "xx",
)
"""Values in config.toml, and the name of a file."""


FOR_PROGRAMS = {"schema", "completion", "export", "import"}
AS_FILES = {"--json", "--html", "--format"}
"""Options for an answer that programs read, or a page for a browser."""
_EXAMPLES = [
    example
    for command in (*COMMANDS.values(), *(each for below in BELOW.values() for each in below.values()))
    if not command.runs_on
    for example in command.examples
    if example.startswith("generala ") and "|" not in example
]


@pytest.fixture
def environment() -> Iterator[Mapping[str, str]]:
    with spoken() as variables:
        yield variables


@pytest.mark.slow
def test_no_sentence_is_put_together_from_pieces() -> None:
    assert [each for each in found() if isinstance(each, Glued)] == []


def test_the_language_accents_brackets_and_lengthens() -> None:
    assert accented("{player} has left").startswith("[{player} ĥåš ļéƒţ")
    assert len(accented("a" * 90)) == 122
    assert untranslated("[Ñö ĝåɱé [öƒ] ýöû] Ana full-house 35", ("Ana",)) == []
    assert untranslated("total [ţöţåļ] 35") == ["total"]


@pytest.mark.thinned(every=2)
@pytest.mark.parametrize("name", thinned(zip(built_in_names()), every=6))
@pytest.mark.slow
def test_a_whole_game(name: str, tmp_path: Path, environment: Mapping[str, str]) -> None:
    typed: set[str] = set()
    table = (TABLES / f"{name}.txt").read_text(encoding="utf-8")
    for line in (*command_lines(table), "sheet", "standings", "payouts", "log"):
        arguments = shlex.split(line)
        typed.update(arguments)
        done = run(*arguments, home=tmp_path, environment=environment)
        assert untranslated(done.out + done.err, (*PEOPLE, *typed)) == [], line


_NEED_MORE = (
    *("generala tournament move", "generala tournament redo", "generala tournament seat --again"),
    "generala pay Beto Ana 1 --unit drink",
)
"""Examples that need a round without entries, an undone event or a debt in drinks; this home has none."""
_LABEL = ("round", "table")
"""Words in the labels of a tournament's games."""


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize("path", [pytest.param(path, id=named(path)) for path in PATHS])
@pytest.mark.slow
def test_the_answer_of_every_command(
    with_tournament: Generala, path: Command, environment: Mapping[str, str]
) -> None:
    if path[0] in FOR_PROGRAMS - {"import"} or AS_FILES & {*working(path)}:
        pytest.skip("its output is for programs")
    done = with_tournament(*working(path), environment=environment)
    typed = {
        ("doctor",): ("current",),
        ("games",): _LABEL,
        ("help",): _contents(),
        ("rules", "new"): (*_VERBS, *_VALUES),
        ("rules", "show"): _options(),
    }
    assert untranslated(done.out + done.err, (*PEOPLE, *typed.get(path, ()))) == []


def _contents() -> tuple[str, ...]:
    """Return the entries that the help of all commands lists literally, or as in the guide."""
    headings = (heading(chapter_file(chapter, "en")) for chapter in chapters())
    return (*_VERBS, *_VALUES, *TOPICS, *(contents for _, contents in headings), *chapters())


def _options() -> tuple[str, ...]:
    """Return the settings of rules and their values."""
    found = options_of(built_in("general"))
    return tuple(word for each in found for word in (each.key, each.value, str(each.choices)))


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_screen_to_play_on(
    generala: Generala, size: tuple[int, int], environment: Mapping[str, str]
) -> None:
    store = play_some(generala)
    speak(environment["GENERALA_LANGUAGE"])
    shown, _ = looked_at(store, size)
    assert untranslated(shown, PEOPLE) == []
    assert max(map(len, shown.splitlines())) <= size[0]


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize("keys", thinned(zip(["l", "p", "b", "?", "n", "g", "x", "55533z", "u"]), every=4))
def test_what_a_key_of_the_screen_shows(
    generala: Generala, keys: str, environment: Mapping[str, str]
) -> None:
    store = play_some(generala)
    speak(environment["GENERALA_LANGUAGE"])
    shown = screen_after(store, keys)
    assert untranslated("\n".join(shown), (*PEOPLE, *_KEYS, *METHODS, *built_in_names())) == []
    if keys != "n":  # the labels of a form continue in the next line
        assert max(map(cell_len, shown)) <= PLAIN.width


@pytest.mark.thinned(every=4, slow=2)
@pytest.mark.parametrize("example", thinned(zip(_EXAMPLES), every=4))
def test_every_example_of_the_help(
    with_tournament: Generala, example: str, environment: Mapping[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(with_tournament.home)
    if " rules new " in example:
        (with_tournament.rule_files / "casa.toml").unlink()
    _, *typed = shlex.split(example)
    done = with_tournament(*typed, environment=environment)
    assert done.code == 0 or example.startswith(_NEED_MORE)
    is_chapter = typed[0] == "help" and typed[1] in chapters()  # each language has its own file
    if typed[0] not in FOR_PROGRAMS and not AS_FILES & {*typed} and not is_chapter:
        shown = {"rules": _options(), "games": _LABEL}.get(typed[0], ())
        names = (*PEOPLE, *typed, *shown, *_VERBS, *_VALUES, *_KEYS)
        assert untranslated(re.sub(r"^    generala .*$", "", done.out, flags=re.MULTILINE), names) == []


@pytest.mark.slow
def test_the_help_of_every_command(generala: Generala, environment: Mapping[str, str]) -> None:
    for command in ("", *NAMES):
        shown = generala(*command.split(), "-h", environment=environment).out
        text = re.sub(r"^    (\S+=\S+ )?generala .*$", "", shown, flags=re.MULTILINE)
        assert untranslated(text, (*PEOPLE, *_VERBS, *_VALUES)) == [], command


@pytest.mark.parametrize("topic", ["environment", "exit-codes"])
def test_the_other_topics_of_help(generala: Generala, topic: str, environment: Mapping[str, str]) -> None:
    assert untranslated(generala("help", topic, environment=environment).out, (*PEOPLE, *_KEYS)) == []


def test_the_first_steps(generala: Generala, environment: Mapping[str, str]) -> None:
    assert untranslated(generala(environment=environment).out, (*PEOPLE, "new")) == []


def test_documents_are_english(with_tournament: Generala, environment: Mapping[str, str]) -> None:
    for typed in (("sheet",), ("score", "12"), ("advise", "44126"), ("rules", "show"), ("doctor",)):
        english = with_tournament("--json", *typed)
        assert with_tournament("--json", *typed, environment=environment) == english
