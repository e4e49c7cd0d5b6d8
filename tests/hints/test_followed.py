"""Every hint works when typed, keeps what was typed, and never destroys or claims anything."""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

import pytest

from generala_cli.cli.usage import command_named
from generala_cli.game.currencies import currencies_called
from generala_cli.game.events import Scored
from generala_cli.render.language import speaking
from tests.hints.suggestions import has_placeholder, suggestions
from tests.hints.table import State, TypedAt
from tests.hints.wrong_lines import wrong_lines

LANGUAGES = ("en", "es", "de", "pt")
SURFACES = ("shell", "dialogue", "screen")
QUICK, SLOW, ALL = 30, 90, 600
MOST_WITHOUT_HINT = 0.15
OPEN_ENDED = ("undo", "redo", "delete", "new", "rematch")
"""Commands that a suggestion may name only if they were typed."""


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_hints_of_a_language_work(language: str, tmp_path: Path) -> None:
    assert [*problems(TypedAt(tmp_path, language), "shell", QUICK)] == []


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "count", [pytest.param(SLOW, marks=pytest.mark.slow), pytest.param(ALL, marks=pytest.mark.full)]
)
def test_every_hint_works_when_typed(language: str, surface: str, count: int, tmp_path: Path) -> None:
    assert [*problems(TypedAt(tmp_path, language), surface, count)] == []


def problems(at: TypedAt, surface: str, count: int) -> Iterator[str]:
    """Yield each suggestion that fails or does harm, and the lines without a hint if there are too many."""
    refused, without = 0, []
    for line in wrong_lines(at.language, count):
        answer, _ = at.type(surface, line)
        if not answer.code:
            continue
        refused += 1
        if "; " not in answer.text or answer.text.rstrip().endswith("generala -h"):
            without.append(line)
        with speaking(at.language):
            said = [*dict.fromkeys(suggestions(line, answer.text, at.vocabulary))]
            typed = [each for each in said if not has_placeholder(each)]
        for each in typed:
            if trouble := _trouble(at, surface, line, each):
                yield f"{line} → {answer.text.strip()} → {each}: {trouble}"
    if len(without) > MOST_WITHOUT_HINT * refused:
        yield f"{len(without)} of {refused} lines get no hint: {without}"


def _trouble(at: TypedAt, surface: str, line: str, suggestion: str) -> str:
    """Return the problem with a suggestion, or "" if it was accepted and did no harm."""
    answer, after = at.type(surface, suggestion)
    if answer.code and not _is_choice(answer.text):
        return f"refused: {answer.text.strip()}"
    return _harm(at.before, after, line, at.language)


def _is_choice(answer: str) -> bool:
    """Return whether a refusal only asks for a choice between several things."""
    return any(word in answer for word in _ASKING)


_ASKING = (
    "choose",
    "say which",
    "confirm",
    "elegir",
    "aclarar",
    "wähl",
    "sag,",
    "Bestätigen",
    "escolha",
    "diga",
    "confirm",
)


def _harm(before: State, after: State, line: str, language: str) -> str:
    with speaking(language):
        commands = {command_named(word) for word in line.split()} & {*OPEN_ENDED}
    if after.games != before.games and not commands & {"new", "rematch", "delete"}:
        return "a game starts or disappears"
    if before.game is None or after.game is None:
        return ""
    new = after.game.entries[len(before.game.entries) :]
    if len(after.game.entries) < len(before.game.entries) and "undo" not in commands:
        return "an entry is undone"
    is_unit_named = any(map(currencies_called, line.split())) or "$" in line
    if after.game.agreed.unit != before.game.agreed.unit and not is_unit_named:
        return "the unit changes"
    is_scratch = "x" in line.split() or _names(line, language, "scratch")
    for entry in new:
        if isinstance(entry, Scored) and is_scratch:
            return "a scratch becomes a score"
        if isinstance(entry, Scored) and not all(str(face) in line for face in entry.dice):
            return "a hand is invented"
        if entry.roll == 1 and not _says_first_throw(line):
            return "a first throw is claimed"
        for player in ("Ana", "Beto", "Dora"):
            if player in line.split() and player != entry.player:
                return f"the name {player} is lost"
    return ""


def _says_first_throw(line: str) -> bool:
    """Return whether a line has a word for the first throw, or a slip of one."""
    if re.search("serv|primeir|boca", line):
        return True
    words = ("servida", "servido", "served", "serviert", "primeira", "boca")
    return any(word == "1" or get_close_matches(word, words, cutoff=0.8) for word in line.split())


def _names(line: str, language: str, command: str) -> bool:
    with speaking(language):
        return any(command_named(word) == command for word in line.split())
