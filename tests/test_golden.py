"""One whole game per rule set as a table, and one as a shell shows it in every language."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

from generala_cli.rules.catalog import built_in_names
from tests.cases import cases
from tests.golden_games import TABLES, command_lines, played, rows
from tests.rules import reference
from tests.sizes import thinned
from tests.transcripts import commands, language_of
from tests.transcripts import played as transcript_of


def table_of(name: str) -> str:
    return (TABLES / f"{name}.txt").read_text(encoding="utf-8")


def test_every_rule_set_has_a_game_and_every_language_a_transcript() -> None:
    assert {path.stem for path in TABLES.glob("*.txt")} == set(built_in_names())
    assert {path.parent.name for path in TABLES.glob("*/*.txt")} == {"en", "es", "de", "pt"}


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize("name", built_in_names())
def test_the_game_comes_out_as_it_stands(name: str, tmp_path: Path) -> None:
    assert played(table_of(name), tmp_path) == table_of(name)


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize("path", sorted(TABLES.glob("*/*.txt")), ids=lambda path: path.parent.name)
def test_a_shell_shows_it_as_it_stands(path: Path, tmp_path: Path) -> None:
    transcript = path.read_text(encoding="utf-8")
    assert transcript_of(commands(transcript), tmp_path, language=language_of(path)) == transcript


@pytest.mark.slow
@pytest.mark.parametrize("name", thinned(zip(built_in_names()), every=12))
def test_documents_are_the_same_in_every_language(name: str, tmp_path: Path) -> None:
    typed = [*command_lines(table_of(name)), "sheet", "standings", "payouts", "log --all"]
    lines = [f"generala {line} --json" for line in typed]
    homes = {language: tmp_path / language for language in ("en", "es", "de", "pt")}
    for home in homes.values():
        home.mkdir()
    english, *others = (transcript_of(lines, home, language=code) for code, home in homes.items())
    assert all(other == english for other in others)
    assert english.count('{"version":1') == len(lines)


@cases("name", built_in_names())
def test_every_entry_is_worth_what_an_independent_reading_of_the_rules_says(name: str) -> None:
    boxes: dict[str, dict[str, int]] = defaultdict(dict)
    for typed, *entry in rows(table_of(name)):
        if len(entry) == 4 and typed.startswith(("score", "scratch")):
            player, box, points, _ = entry
            right = 0 if points == "x" else _points(name, typed, box, boxes[player])
            assert points in ("x", str(right)), typed
            boxes[player][box] = right


def _points(rule_set: str, typed: str, box: str, boxes: Mapping[str, int]) -> int:
    served = any(word in typed for word in ("--roll 1", "servid", "mano"))
    dice = tuple(int(word) for word in typed.split()[1 : 1 + reference.DICE_COUNT[rule_set]])
    if rule_set == "yahtzee":
        found = reference.yahtzee_points("forced", box, dice, boxes)
    else:
        found = reference.points(rule_set, box, dice, 1 if served else reference.THROWS[rule_set])
    return found or 0
