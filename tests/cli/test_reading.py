"""A typed line means the same whatever the output: text, JSON, a pipe, a terminal, a chosen game."""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from generala_cli.rules.catalog import built_in
from generala_cli.text import normalize
from tests.cases import cases
from tests.cli.in_process import run_in_process
from tests.cli.program import NOTHING, Generala, Result, surroundings
from tests.cli.typed_lines import PLAYERS, TABLES, typed_lines

LINES, QUICK = 200, 8
CHOSEN = {"GENERALA_GAME": "1"}
OUTPUTS: Sequence[tuple[tuple[str, ...], Mapping[str, str]]] = (
    (("--json",), {}),
    (("-q",), {}),
    (("--color", "always"), {}),
    ((), CHOSEN),
    (("--json",), CHOSEN),
)
"""Options after the line, and the environment. If that chooses game 1, game 2 is current."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The exit code, and the events of both games in their files."""

    code: int
    events: tuple[str, ...]


class TypingTable:
    """Two games in one home, restored before every line."""

    def __init__(self, home: Path, rules: str, language: str, players: Sequence[str] = PLAYERS) -> None:
        self.rules = built_in(rules)
        self.language = language
        self.generala = Generala(home=home / rules, environment={"GENERALA_LANGUAGE": language})
        self._saved = home / f"{rules}-saved"
        for number in (1, 2):
            self.generala.ok("new", *players, "--rules", rules)
            self.generala.ok("score", self.rules.example, "--as", "sixes", "--game", str(number), "-q")
            self.generala.ok("x", "ones", "--game", str(number), "-q")
        self.generala.ok("use", "1")
        shutil.copytree(self.generala.data, self._saved)
        self._events = self._all_events()

    def type(
        self, *words: str, environment: Mapping[str, str] = NOTHING, is_terminal: bool = False
    ) -> tuple[Outcome, Result]:
        """Type a line in game 1, return the result, and restore the games."""
        if environment:
            (self.generala.data / "current").write_text("2\n")
        variables = surroundings(self.generala.home, {**self.generala.environment, **environment})
        code, out, err = run_in_process(words, variables, is_terminal=is_terminal)
        events = self._all_events()
        if environment or events != self._events:
            shutil.rmtree(self.generala.data)
            shutil.copytree(self._saved, self.generala.data)
        return Outcome(code=code, events=events), Result(code=code, out=out.decode(), err=err.decode())

    def last_entry(self, words: Sequence[str]) -> dict[str, Any]:
        """The event that a line adds to game 1."""
        outcome, answer = self.type(*words)
        assert self.is_entry(outcome), answer
        event = json.loads(outcome.events[0])[-1]
        entry: dict[str, Any] = event.get("entry", event)
        return entry

    def is_entry(self, outcome: Outcome) -> bool:
        return outcome.events != self._events

    def boxes_named(self, text: str) -> set[str]:
        """Return the boxes that a text names, in English or the user's language."""
        names = {each.id: (each.name_in(self.language), each.name) for each in self.rules.categories}
        return {box for box, ways in names.items() if any(normalize(way) in normalize(text) for way in ways)}

    def _all_events(self) -> tuple[str, ...]:
        files = (json.loads(self.generala.game(number).read_bytes()) for number in (1, 2))
        return tuple(json.dumps([stored["event"] for stored in file["events"]]) for file in files)


def disagreements(table: TypingTable, words: Sequence[str]) -> list[str]:
    """Return the outputs that read a line differently. Only some commands accept `-q` and `-n`."""
    expected, text = table.type(*words)
    found = []
    for options, environment in OUTPUTS:
        outcome, answer = table.type(*words, *options, environment=environment)
        if outcome != expected and not (answer.code == 2 and "-q" in options and "-q" in answer.err):
            found.append(f"{options} {environment}: {answer}, not {text}")
    dry, answer = table.type(*words, "-n")
    if table.is_entry(dry) or not _is_same_dry(answer, text, is_entry=table.is_entry(expected)):
        found.append(f"-n: {answer}, not {text}")
    on_terminal, answer = table.type(*words, is_terminal=True)
    if on_terminal != expected and not _is_asked(table, answer, text):
        found.append(f"on a terminal: {answer}, not {text}")
    return found


def _is_asked(table: TypingTable, asked: Result, refused: Result) -> bool:
    """Whether a terminal asked and got no answer, and a pipe refuses and lists the same boxes."""
    listed = table.boxes_named(refused.err)
    return (asked.code, refused.code) == (130, 1) and bool(listed) and listed <= table.boxes_named(asked.err)


def _is_same_dry(dry: Result, text: Result, *, is_entry: bool) -> bool:
    """Whether a dry run shows the same entry or the same refusal. Commands that only read have no `-n`."""
    if is_entry:
        return (dry.code, dry.out) == (text.code, text.out)
    return dry.code == text.code or (dry.code == 2 and "-n" in dry.err)


Tables = Mapping[str, TypingTable]


@pytest.fixture(scope="module", params=["en", "es", "de", "pt"])
def tables(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Tables:
    """Yield a table for each of several rule sets, in one language."""
    return {name: TypingTable(tmp_path_factory.mktemp("table"), name, request.param) for name in TABLES}


SLICES = [(0, QUICK), *(pytest.param(*rest, marks=pytest.mark.slow) for rest in ((QUICK, 100), (100, LINES)))]


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize(("first", "last"), SLICES)
def test_a_line_gives_the_same_entry_and_exit_code_in_every_output(
    tables: Tables, first: int, last: int
) -> None:
    lines = typed_lines(tables["general"].language, LINES)[first:last]
    found = {
        f"{line.rules}: {' '.join(line.words)}": each
        for line in lines
        if (each := disagreements(tables[line.rules], line.words))
    }
    assert found == {}
    entries = sum(tables[line.rules].is_entry(tables[line.rules].type(*line.words)[0]) for line in lines)
    assert len(lines) / 3 < entries <= len(lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """The contents of an entry's last event."""

    category: str
    points: int | None = None
    roll: int | None = None
    player: str | None = None


WHOLE_NAMES = [
    ("kniffel", "chance 12345", Expected(category="chance", points=15)),
    ("kniffel", "uno 11236", Expected(category="ones", points=2)),
    ("kniffel", "uno 1,1,2,3,6", Expected(category="ones", points=2)),
    ("kniffel", "Stan 12345", Expected(category="large-straight", player="Stan")),
    ("kniffel", "stan 12345", Expected(category="large-straight", player="Stan")),
    ("kniffel", "Chanel 12345", Expected(category="large-straight", player="Chanel")),
    ("kniffel", "Rene 12345", Expected(category="large-straight", player="Rene")),
    ("kniffel", "jon 12345", Expected(category="large-straight", player="Jon")),
    ("kniffel", "card sharp 12345", Expected(category="large-straight", player="Card Sharp")),
]
"""They resemble commands of some language, and mean the same in all."""
IN_LANGUAGE = {
    "en": [("general", "55533 f", Expected(category="full-house", points=30))],
    "es": [
        ("golden-fifty", "12345 lo 1", Expected(category="ones", points=1)),
        ("golden-fifty", "x de o", Expected(category="golden-fifty")),
        ("maxi-yatzy", "123456 la 1", Expected(category="ones", points=1)),
        ("general", "x esc", Expected(category="straight")),
        ("general", "scratch esc 11236", Expected(category="straight")),
        ("general", "tachar cua", Expected(category="fours")),
        ("general", "amend 1 cin", Expected(category="fives", points=10)),
        ("general", "23456 escal 1", Expected(category="straight", points=25, roll=1)),
    ],
    "de": [
        ("yatzy", "44442 ein p", Expected(category="one-pair", points=8)),
        ("yatzy", "x ein p", Expected(category="one-pair")),
        ("kniffel", "44425 drei", Expected(category="three-of-a-kind", points=19)),
        ("kniffel", "score 44425 --as drei", Expected(category="three-of-a-kind", points=19)),
        ("kniffel", "amend 1 66623 drei", Expected(category="three-of-a-kind", points=23)),
        ("kniffel", "12345 g", Expected(category="large-straight", points=40)),
        ("kniffel", "12345 im zweiten Wurf gro", Expected(category="large-straight", points=40, roll=2)),
    ],
    "pt": [
        ("golden-fifty", "12345 no 1", Expected(category="ones", points=1)),
        ("golden-fifty", "x de o", Expected(category="golden-fifty")),
        ("maxi-yatzy", "123456 nos um", Expected(category="ones", points=1)),
        ("general", "x seg", Expected(category="straight")),
        ("general", "queimar quat", Expected(category="fours")),
        ("general", "amend 1 cin", Expected(category="fives", points=10)),
        ("general", "23456 de primeira segu", Expected(category="straight", points=25, roll=1)),
        ("kniffel", "44425 na tri", Expected(category="three-of-a-kind", points=19)),
        ("kniffel", "12345 seguida ma no segundo lance", Expected(category="large-straight", roll=2)),
    ],
}


@pytest.mark.slow
def test_a_line_is_read_in_the_users_language_in_every_output(tables: Tables) -> None:
    in_language = IN_LANGUAGE[tables["general"].language]
    for rules, line, expected in (*WHOLE_NAMES, *in_language):
        entry = tables[rules].last_entry(line.split())
        for name in ("category", "points", "roll", "player"):
            value = getattr(expected, name)
            assert value is None or entry[name] == value, line
    for rules, line, _ in (WHOLE_NAMES[0], *in_language):
        assert disagreements(tables[rules], line.split()) == []


@pytest.mark.parametrize(
    ("language", "typed", "message"),
    [
        ("es", "55533 d", "'d' could be the category threes or the player Dora"),
        ("en", "44425 drei", "'drei' is not a category, throw or player"),
        ("en", "games --since 26.11.2026", "'26.11.2026' is neither a time nor a game"),
        ("de", "games --since 26/11/2026", "'26/11/2026' is neither a time nor a game"),
        ("es", "stake 1.500", "'1.500' could be 1500 or 1.5"),
    ],
)
def test_what_text_refuses_json_refuses_in_english(
    played: Generala, language: str, typed: str, message: str
) -> None:
    played.ok("rename", "Beto", "Dora")
    text = played(*typed.split(), environment={"GENERALA_LANGUAGE": language})
    refused = played(*typed.split(), "--language", language, "--json")
    assert text.code == refused.code > 0
    assert json.loads(refused.out)["error"]["message"] == message


@cases(
    ("language", "typed"),
    [
        ("de", "check 44425 drei --rules kniffel"),
        ("es", "check 55533 de mano esc"),
        ("es", "advise 55533 --rules general --filled un,dos,tre,cua,cin,sei,esc"),
        ("es", "games --since 26/11/2026"),
        ("de", "games --since 26.11.2026"),
        ("de", "log --language es"),
        ("es", "payouts --stake 1,50 --method diferencia"),
    ],
)
def test_json_accepts_what_text_accepts_and_answers_in_english(
    played: Generala, language: str, typed: str
) -> None:
    german_or_spanish = {"GENERALA_LANGUAGE": language}
    played.ok(*typed.split(), environment=german_or_spanish)
    document = json.loads(played.ok(*typed.split(), "--json", environment=german_or_spanish))
    assert "error" not in document
    assert json.dumps(document).isascii()


def test_a_sheet_is_told_to_advise_in_the_users_language(played: Generala) -> None:
    filled = "un,dos,tre,cua,cin,sei,esc"
    words = ("advise", "55533", "--rules", "general", "--filled", filled, "--language", "es")
    taken = {choice.get("category") for choice in played.json(*words)["choices"]}
    assert "straight" not in taken
    assert "full-house" in taken


def test_a_file_is_in_the_users_language_and_its_document_in_english(played: Generala) -> None:
    file, spanish = played.home / "sheet.html", {"GENERALA_LANGUAGE": "es"}
    played.ok("export", "1", "-o", str(file), environment=spanish)
    page = file.read_bytes()
    document = json.loads(played.ok("export", "1", "-o", str(file), "--yes", "--json", environment=spanish))
    assert file.read_bytes() == page
    assert 'lang="es"' in page.decode()
    assert document["format"] == "html"
    assert (
        'lang="en"'
        in json.loads(played.ok("export", "1", "--format", "html", "--json", environment=spanish))["text"]
    )
