"""A rule set as JSON in a game file and as the text of a rule file: out and in again, and strictly."""

import tomllib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generala_cli.rules.catalog import built_in, built_in_names
from generala_cli.rules.checking import find_errors
from generala_cli.rules.options import options_of, with_settings
from generala_cli.rules.rulefile import check_rules, problem_lines, rules_toml
from generala_cli.rules.ruleset import RuleSet
from tests.cases import cases

SETTINGS = [
    ("throws", "4"),
    ("bonus", "10"),
    ("double-generala", "yes"),
    ("straights", "round"),
    ("straights", "different"),
    ("straights", "ace-after-six"),
    ("straights", "54321"),
    ("aces", "2"),
    ("fill-order", "top-to-bottom"),
    ("full-house", "31/50"),
    ("all-alike-as-full-house", "yes"),
    ("upper-bonus", "35"),
    ("instant-win", "unless-scratched"),
    ("instant-win-points", "0"),
    ("spares", "yes"),
]


def taken(rules: RuleSet, settings: list[tuple[str, str]]) -> RuleSet:
    """Return the rule set with those settings that it knows."""
    known = {option.key for option in options_of(rules)}
    return with_settings(rules, [setting for setting in settings if setting[0] in known])


@given(
    st.sampled_from(built_in_names()),
    st.lists(st.sampled_from(SETTINGS), unique_by=lambda setting: setting[0]),
)
def test_what_is_written_is_read_back(name: str, settings: list[tuple[str, str]]) -> None:
    rules = taken(built_in(name), settings)
    assert check_rules(tomllib.loads(rules_toml(rules))) == (rules, [])
    assert msgspec.json.decode(msgspec.json.encode(rules), type=RuleSet, strict=True) == rules
    assert find_errors(rules) == ()


@cases(
    ("old", "new"),
    [
        (b'"dice":5', b'"dice":9'),
        (b'"dice":5', b'"dice":true'),
        (b'"throws":3', b'"throws":0'),
        (b'"points":50', b'"points":0'),
        (b'"pattern":"alike"', b'"pattern":"unlike"'),
        (b'"alike":5', b'"alike":5.5'),
        (b'"when":"unless-scratched"', b'"when":"sometimes"'),
        (b'"title":"Generala"', b'"title":""'),
        (b'"title"', b'"titel"'),
    ],
)
def test_types_and_ranges_are_part_of_a_rule_set(old: bytes, new: bytes) -> None:
    data = msgspec.json.encode(built_in("generala"))
    assert old in data
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(data.replace(old, new), type=RuleSet, strict=True)


@cases(
    ("old", "new", "place"),
    [
        (b'"alike":4', b'"alike":6', "category 9 (four-of-a-kind): alike"),
        (b'"groups":[3,2]', b'"groups":[3,3]', "category 8 (full-house): groups"),
        (b'"box":"generala"', b'"box":"nothing"', "instant_win: box"),
        (b'"id":"twos"', b'"id":"ones"', "category 2 (ones)"),
        (b'"id":"twos"', b'"id":"T"', "category 2: id"),
        (b'"first":25', b'"first":1', "category 7 (straight): first"),
    ],
)
def test_what_ranges_cannot_say_is_found(old: bytes, new: bytes, place: str) -> None:
    data = msgspec.json.encode(built_in("generala"))
    assert old in data
    rules = msgspec.json.decode(data.replace(old, new), type=RuleSet, strict=True)
    assert place in [problem.place for problem in find_errors(rules)]


def test_of_very_many_errors_the_first_twenty_are_reported() -> None:
    _, problems = check_rules({f"key{number}": 1 for number in range(30_000)})
    lines = problem_lines(problems)
    assert len(lines) == 21
    assert str(lines[-1]) == f"and {len(problems) - 20:,} more"
