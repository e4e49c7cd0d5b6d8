"""One whole game per rule set, from the shell: text in, sheet and payout out; in the languages too."""

import re
import shlex
from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from generala_cli.rules.catalog import built_in_names
from tests.rules import reference
from tests.sizes import thinned
from tests.transcripts import commands, language_of, played

GOLDEN = Path(__file__).parent / "golden"
ENTRY = re.compile(r"^(?P<player>\S+)  \d+  (?P<category>.+?)  (?P<points>\d+)(?: \(\d+ for .*\))?$")
SCRATCH = re.compile(r"^(?P<player>\S+)  (?:\d+  )?(?P<category>.+?)  scratched$")
TITLES = {"small general": "general", "minor general": "general", "great general": "general"}


def test_every_rule_set_has_a_golden_game_in_english_and_in_spanish_and_three_in_german() -> None:
    games = set(built_in_names())
    assert {path.stem for path in GOLDEN.glob("*.txt")} == games
    assert {path.stem for path in GOLDEN.glob("es/*.txt")} == games
    assert {path.stem for path in GOLDEN.glob("de/*.txt")} == {"general", "golden-fifty", "kniffel"}


def _param(path: Path) -> ParameterSet:
    is_quick = path.parent == GOLDEN or path.stem == "general"
    return pytest.param(
        path, id=f"{path.parent.name}-{path.stem}", marks=() if is_quick else pytest.mark.slow
    )


@pytest.mark.parametrize("path", [*map(_param, sorted(GOLDEN.rglob("*.txt")))])
def test_the_game_comes_out_as_it_stands(path: Path, tmp_path: Path) -> None:
    transcript = path.read_text(encoding="utf-8")
    assert played(commands(transcript), tmp_path, language=language_of(path)) == transcript


@pytest.mark.parametrize("name", thinned(zip(built_in_names()), every=9))
def test_documents_are_the_same_in_every_language(name: str, tmp_path: Path) -> None:
    lines = [f"{line} --json" for line in commands((GOLDEN / f"{name}.txt").read_text(encoding="utf-8"))]
    homes = {language: tmp_path / language for language in ("en", "es", "de")}
    for home in homes.values():
        home.mkdir()
    english, spanish, german = (played(lines, home, language=code) for code, home in homes.items())
    assert english == spanish == german
    assert english.count('{"version":1') == len(lines)


@pytest.mark.parametrize("name", built_in_names())
def test_every_entry_is_worth_what_an_independent_reading_of_the_rules_says(name: str) -> None:
    lines = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    boxes: dict[str, dict[str, int]] = defaultdict(dict)
    for command, answer in pairwise(lines):
        if not command.startswith(("$ generala score", "$ generala scratch")):
            continue
        entry, scratch = ENTRY.match(answer), SCRATCH.match(answer)
        if entry is not None:
            right = _points(name, command, entry["category"], boxes[entry["player"]])
            assert right == int(entry["points"]), (command, answer)
            boxes[entry["player"]][_id(entry["category"])] = right
        elif scratch is not None:
            boxes[scratch["player"]][_id(scratch["category"])] = 0


@pytest.mark.parametrize("name", built_in_names())
def test_the_game_is_played_to_its_end(name: str) -> None:
    assert "game 1 is over" in (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def _id(title: str) -> str:
    return TITLES.get(title, title.replace(" ", "-"))


def _points(rule_set: str, command: str, title: str, boxes: Mapping[str, int]) -> int | None:
    words = shlex.split(command)[3:]
    dice = tuple(int(word) for word in words[: reference.DICE_COUNT[rule_set]])
    served = "--roll 1" in command or "servid" in command
    roll = 1 if served else reference.THROWS[rule_set]
    if rule_set == "yahtzee":
        return reference.yahtzee_points("forced", _id(title), dice, boxes)
    return reference.points(rule_set, _id(title), dice, roll)
