"""The schema generated from the structs accepts everything we write, and rejects wrong types."""

from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given

from generala_cli.errors import GeneralaError
from generala_cli.rules.catalog import built_in_names
from generala_cli.rules.options import options_of, with_settings
from generala_cli.store.gamefile import GameFile
from generala_cli.store.sealing import Unreadable, encode
from tests.cases import cases
from tests.game.strategies import Played, games
from tests.game.table import Table, cached_rules
from tests.sizes import thinned
from tests.store.files import (
    Document,
    Place,
    changed,
    compact,
    document_of,
    file_of,
    places,
    put,
    tiny_document,
)
from tests.store.test_gamefile import at, rich_file
from tests.validating import Draft202012Validator

TYPES: list[object] = [None, True, 1.5, "?", [None], {"?": 1}]
"""One value of every JSON type."""


@cache
def validator() -> Any:
    schema = msgspec.json.schema(GameFile)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def misfits(document: object) -> list[str]:
    """Return the violations of the schema in a document."""
    return [error.message for error in validator().iter_errors(document)]


def is_read(document: Document) -> bool:
    try:
        GameFile.decode(compact(document))
    except Unreadable:
        return False
    return True


@given(games())
def test_random_games_fit(played: Played) -> None:
    assert misfits(document_of(encode(file_of(played.agreed, played.events)))) == []


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize("name", thinned(zip(built_in_names()), every=4))
def test_every_setting_of_every_rule_set_fits(name: str) -> None:
    rules = cached_rules(name)
    for option in options_of(rules):
        for value in ("yes", "no", "40", "2", "2,6", "round", "never", "top-to-bottom"):
            try:
                house = with_settings(rules, [(option.key, value)])
            except GeneralaError:
                continue
            document = document_of(encode(file_of(Table(house).agreed, [])))
            assert misfits(document) == [], option.key


EXAMPLES = [tiny_document(), document_of(encode(rich_file()))]
CASES = [(number, place) for number, document in enumerate(EXAMPLES) for place in places(document)]
each_place = pytest.mark.parametrize("every", [40, pytest.param(3, marks=pytest.mark.slow)])
"""One place in this many is tried, some in each part of the two documents."""


@cases("number", range(2))
def test_the_examples_fit_and_are_read(number: int) -> None:
    assert misfits(EXAMPLES[number]) == []
    assert is_read(EXAMPLES[number])


@pytest.mark.slow
@each_place
def test_the_schema_takes_a_wrong_type_where_the_reader_does(every: int) -> None:
    for number, place in CASES[::every]:
        for value in TYPES:
            mutated = changed(EXAMPLES[number], place, put(value))
            if type(value) is not type(at(EXAMPLES[number], place)):
                assert is_read(mutated) == (misfits(mutated) == []), (place, value)


@each_place
def test_the_schema_misses_a_key_where_the_reader_does(every: int) -> None:
    def drop(container: Document, key: str) -> None:
        del container[key]

    for number, place in [case for case in CASES if isinstance(case[1][-1], str)][::every]:
        mutated = changed(EXAMPLES[number], place, drop)
        assert is_read(mutated) == (misfits(mutated) == []), place


@pytest.mark.slow
def test_an_unknown_key_does_not_fit() -> None:
    def add(container: Any, key: Any) -> None:
        container[key]["colour"] = 3

    for number, place in CASES:
        if isinstance(at(EXAMPLES[number], place), dict) and place[-1] != "totals":
            assert misfits(changed(EXAMPLES[number], place, add)), place
    assert misfits({**EXAMPLES[0], "colour": 3})


OUT_OF_RANGE: list[tuple[Place, object]] = [
    (("format",), 2),
    (("game",), 0),
    (("game",), 1_000_000_000),
    (("checksum",), "0123456g"),
    (("id",), "0123456789ABCDEF" * 2),
    (("events", 0, "n"), 0),
    (("events", 0, "event", "kind"), "game-started"),
    (("events", 0, "event", "roll"), 0),
    (("events", 0, "event", "roll"), 1_001),
    (("events", 0, "event", "points"), -1),
    (("events", 0, "event", "points"), 200_001),
    (("events", 0, "event", "dice"), []),
    (("events", 0, "event", "dice"), [2, 0]),
    (("events", 2, "event", "turn"), 0),
    (("events", 2, "event", "entry", "kind"), "amended"),
    (("events", 3, "event", "number"), 0),
]


@cases(("place", "value"), OUT_OF_RANGE)
def test_what_is_out_of_range_neither_fits_nor_is_read(place: Place, value: object) -> None:
    mutated = changed(EXAMPLES[0], place, put(value))
    assert misfits(mutated)
    assert place in [("checksum",), ("format",)] or not is_read(mutated)
