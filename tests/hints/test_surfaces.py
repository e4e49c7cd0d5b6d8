"""A line stores the same in the shell, the dialogue, the screen and the keeper's pad, and nothing unasked.

`lines` has a file for each language: lines with what they store in the game of `TypedAt`, or `-` for nothing.
"""

import re
from pathlib import Path

import pytest

from tests.hints.surfaces import effect, is_turn, stored_after, stored_below
from tests.hints.table import TypedAt

LANGUAGES = ("en", "es", "de", "pt")
QUICK = 5
"""How many lines of each language the quick run types."""
PILOTED, ALL_PILOTED = 30, 5
"""One line in 30, or in 5 with `-m full`, goes to the whole screen key by key."""


def lines(language: str) -> list[tuple[str, str]]:
    text = (Path(__file__).parent / "lines" / f"{language}.txt").read_text("utf-8")
    return [(line, stored) for line, _, stored in (each.partition("\t") for each in text.splitlines())]


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize("language", LANGUAGES)
def test_some_lines_mean_the_same_everywhere(language: str, tmp_path: Path) -> None:
    every = lines(language)
    assert differences(TypedAt(tmp_path, language), every[:: len(every) // QUICK], piloted=0) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "piloted",
    [pytest.param(PILOTED, marks=pytest.mark.slow), pytest.param(ALL_PILOTED, marks=pytest.mark.full)],
)
def test_every_line_means_the_same_everywhere(language: str, piloted: int, tmp_path: Path) -> None:
    assert differences(TypedAt(tmp_path, language), lines(language), piloted=piloted) == []


def differences(at: TypedAt, typed: list[tuple[str, str]], *, piloted: int) -> list[str]:
    """Return a text for each line that stores something different on a surface. A pad may refuse commands."""
    at.restore()
    before = stored_below(at.store.folder.directory)
    found = []
    for number, (line, expected) in enumerate(typed):
        surfaces = ["shell", "dialogue", "screen", *(["piloted"] if piloted and not number % piloted else [])]
        allowed = {surface: {expected} for surface in surfaces}
        if not re.search("(^| )-", line):  # a pad has no options
            allowed["pad"] = {expected} if is_turn(at, line) else {expected, "-"}
        for surface, effects in allowed.items():
            stored = effect(before, stored_after(at, surface, line))
            if stored not in effects:
                found.append(f"{line!r} stores {stored} in the {surface}, not {expected}")
    return found
