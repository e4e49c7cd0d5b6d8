import re
import tomllib
from pathlib import Path
from typing import get_args

import pytest
from msgspec.structs import fields

from generala_cli.app.rule_sets import find_rules, load_rules
from generala_cli.errors import NotAllowed, UsageError
from generala_cli.rulebook.rule_files import new_rules
from generala_cli.rules.catalog import built_in_names
from generala_cli.rules.game_points import GamePoints, RowGoal
from generala_cli.rules.patterns import Pattern
from generala_cli.rules.ruleset import Category, InstantWin, Joker, RuleSet, UpperBonus
from generala_cli.store.house_rules import HouseRules
from tests.app.rule_files import TINY, write
from tests.cases import cases
from tests.game.table import cached_rules
from tests.store.files import listing


def load(name: str, house_rules: HouseRules) -> RuleSet:
    return load_rules(name, house_rules, bytes)


@pytest.mark.parametrize("source", built_in_names())
def test_new_rules_are_a_valid_copy_of_their_source(house_rules: HouseRules, source: str) -> None:
    path = Path(new_rules("mi-casa", source, house_rules, bytes).path)
    copy, original = load("mi-casa", house_rules), cached_rules(source)
    assert (copy.name, copy.title) == ("mi-casa", "Mi Casa")
    assert copy.lines == original.lines
    same = ("source", "dice", "faces", "throws", "fill_order", "instant_win", "throw_names", "opening_throws")
    assert copy.upper_bonus == original.upper_bonus
    assert [getattr(copy, name) for name in same] == [getattr(original, name) for name in same]
    assert tomllib.loads(path.read_text("utf-8"))["name"] == "mi-casa"


NOT_KEYS = {"asks", "added", "by_throw", "sums_what_makes_it", "settings"}
"""Fields that a rule file spells as a pattern or a price, and the changed options, which it lacks."""


def test_new_rules_explain_every_key(house_rules: HouseRules) -> None:
    text = Path(new_rules("casa", "yacht", house_rules, bytes).path).read_text("utf-8")
    explained = text.partition("\nformat")[0]
    records = (RuleSet, Category, InstantWin, UpperBonus, Joker, GamePoints, RowGoal, *get_args(Pattern))
    keys = {field.encode_name for record in records for field in fields(record)} - NOT_KEYS
    assert keys - {*re.findall(r"\w+", explained)} == set()


def test_new_rules_can_be_a_copy_of_the_houses_own(house_rules: HouseRules) -> None:
    write(house_rules, "casa", TINY)
    new_rules("otra", "casa", house_rules, bytes)
    assert load("otra", house_rules).lines == load("casa", house_rules).lines


def test_existing_rules_are_never_written_over(house_rules: HouseRules) -> None:
    path = write(house_rules, "casa", TINY)
    with pytest.raises(NotAllowed, match="already exists"):
        new_rules("casa", "yacht", house_rules, bytes)
    assert path.read_text() == TINY


@cases("name", ["", "Casa", "mi casa", "../casa", "casa.toml", "-casa", "a--b", "x" * 41, "ñ"])
def test_a_name_that_is_no_name_is_refused(house_rules: HouseRules, name: str) -> None:
    with pytest.raises(UsageError, match="not a name for a rule set"):
        new_rules(name, "yacht", house_rules, bytes)
    assert not house_rules.directory.exists()


def test_a_built_in_name_is_taken(house_rules: HouseRules) -> None:
    with pytest.raises(NotAllowed, match="built-in"):
        new_rules("yacht", "crag", house_rules, bytes)


def test_a_dry_run_of_new_rules_writes_nothing(house_rules: HouseRules, tmp_path: Path) -> None:
    new = new_rules("casa", "yacht", house_rules, bytes, dry_run=True)
    assert (new.path, new.saved) == (str(house_rules.path("casa")), False)
    assert listing(tmp_path) == {}


def test_rules_from_the_standard_input_can_be_shown_and_begun_with(house_rules: HouseRules) -> None:
    text = find_rules("crag", house_rules, bytes)[1]
    assert find_rules("-", house_rules, text.encode)[1] == text
    path = new_rules("tres", "-", house_rules, text.encode).path
    assert load_rules(path, house_rules, bytes).dice == 3
