"""`game.schema.json` says to others what the codec reads: its word is checked against both sides."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator

from generala_cli.errors import GeneralaError
from generala_cli.rules.catalog import built_in_names
from generala_cli.rules.options import options_of, with_settings
from generala_cli.store.codec import Unreadable, decode, encode
from generala_cli.store.record import new_record
from tests.game.strategies import Played, games
from tests.game.table import Table, cached_rules
from tests.store.files import (
    AT,
    Document,
    Place,
    changed,
    document_of,
    places,
    put,
    record_of,
    sealed,
    tiny_document,
)

TYPES: list[object] = [None, True, 1.5, "?", [None], {"?": 1}]
"""One value of every JSON type."""


@cache
def validator() -> Any:
    schema = json.loads((files("generala_cli.store") / "game.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def fits(document: object) -> bool:
    return bool(validator().is_valid(document))


def misfits(document: object) -> list[str]:
    """What the schema has against a document."""
    return [error.message for error in validator().iter_errors(document)]


def at(document: Document, place: Place) -> object:
    value: Any = document
    for key in place:
        value = value[key]
    return value


def is_read(document: Document) -> bool:
    try:
        decode(sealed(document))
    except Unreadable:
        return False
    return True


@settings(deadline=None, max_examples=60)
@given(games())
def test_random_games_fit(played: Played) -> None:
    assert misfits(document_of(encode(record_of(played.events)))) == []


@pytest.mark.parametrize("name", built_in_names())
def test_every_setting_of_every_rule_set_fits(name: str) -> None:
    rules = cached_rules(name)
    for option in options_of(rules):
        for value in ("yes", "no", "40", "2", "2,6", "round", "never", "top-to-bottom"):
            try:
                house = with_settings(rules, [(option.key, value)])
            except GeneralaError:
                continue
            assert misfits(document_of(encode(new_record(1, Table(house).started, AT)))) == [], option.key


def examples() -> list[Document]:
    """The tiny game, and one of General with everything else a file can hold."""
    table = Table(
        cached_rules("general"),
        *("Ana", "Beto", "Cora", "Dani"),
        openings={"Ana": "22334", "Beto": "13344", "Cora": "12455", "Dani": "11366"},
        partners=True,
    )
    table.score("Ana", "55533", "full-house", roll=1)
    table.score("Beto", "11111", roll=1)
    return [tiny_document(), document_of(encode(record_of(table.events)))]


CASES = [(number, place) for number, document in enumerate(examples()) for place in places(document)]


@pytest.mark.parametrize("number", range(2))
def test_the_examples_fit_and_are_read(number: int) -> None:
    document = examples()[number]
    assert fits(document)
    assert is_read(document)


@pytest.mark.parametrize(("number", "place"), CASES, ids=str)
def test_of_a_wrong_type_the_schema_thinks_as_the_codec(number: int, place: Place) -> None:
    document = examples()[number]
    for value in TYPES:
        mutated = changed(document, place, put(value))
        if type(value) is not type(at(document, place)) and not is_read(mutated):
            assert not fits(mutated), value


@pytest.mark.parametrize(
    ("number", "place"), [case for case in CASES if isinstance(case[1][-1], str)], ids=str
)
def test_of_a_missing_key_the_schema_thinks_as_the_codec(number: int, place: Place) -> None:
    def drop(container: Document, key: str) -> None:
        del container[key]

    mutated = changed(examples()[number], place, drop)
    if place == ("checksum",) or not is_read(mutated):
        assert not fits(mutated)


@pytest.mark.parametrize(("number", "place"), CASES, ids=str)
def test_an_unknown_key_does_not_fit(number: int, place: Place) -> None:
    def add(container: Any, key: Any) -> None:
        if isinstance(container[key], dict) and key != "throw_names":
            container[key]["colour"] = 3

    document = examples()[number]
    mutated = changed(document, place, add)
    assert mutated == document or not fits(mutated)
    assert not fits({**document, "colour": 3})


@pytest.mark.parametrize(
    ("key", "wrong"),
    [("from", 0), ("from", 100_001), ("from", "63"), ("from", True), ("points", 0), ("points", 1.5)],
)
def test_a_wrong_upper_bonus_neither_fits_nor_is_read(key: str, wrong: object) -> None:
    started = Table(cached_rules("kniffel")).started
    document = document_of(encode(new_record(1, started, AT)))
    assert fits(document)
    assert is_read(document)
    mutated = changed(document, ("events", 0, "rules", "upper_bonus", key), put(wrong))
    assert not fits(mutated)
    assert not is_read(mutated)


OUT_OF_RANGE: list[tuple[Place, object]] = [
    (("format",), 3),
    (("game",), 0),
    (("game",), 1_000_000_000),
    (("revision",), 0),
    (("checksum",), "0123456g"),
    (("events",), []),
    (("events", 0, "n"), 2),
    (("events", 0, "at"), "2026-13-20T21:04:00Z"),
    (("events", 0, "at"), "2026-11-31T21:04:00Z"),
    (("events", 0, "event"), "scored"),
    (("events", 0, "rules", "format"), 2),
    (("events", 0, "rules", "name"), "Not Plain"),
    (("events", 0, "rules", "title"), ""),
    (("events", 0, "rules", "title"), "x" * 101),
    (("events", 0, "rules", "source"), ""),
    (("events", 0, "rules", "dice"), 9),
    (("events", 0, "rules", "faces"), 1),
    (("events", 0, "rules", "throws"), 0),
    (("events", 0, "rules", "fill_order"), "bottom-up"),
    (("events", 0, "rules", "throw_names", "served"), 10),
    (("events", 0, "rules", "category"), []),
    (("events", 0, "rules", "category", 0, "id"), "Twos"),
    (("events", 0, "rules", "category", 0, "name"), "x" * 41),
    (("events", 0, "rules", "category", 0, "number"), 0),
    (("events", 0, "rules", "category", 1, "any"), False),
    (("events", 0, "rules", "category", 1, "points"), "dice"),
    (("events", 0, "rules", "category", 1, "points"), 100_001),
    (("events", 0, "players"), ["Ana", ""]),
    (("events", 0, "stake"), ""),
    (("events", 0, "unit"), ""),
    (("events", 1, "event"), "game-started"),
    (("events", 1, "roll"), 0),
    (("events", 1, "roll"), 1_001),
    (("events", 1, "points"), -1),
    (("events", 1, "points"), 200_001),
    (("events", 1, "dice"), []),
    (("events", 1, "dice"), [2, 0]),
    (("events", 1, "category"), ""),
    (("events", 2, "category"), ""),
    (("events", 3, "turn"), 0),
    (("events", 3, "entry", "event"), "amended"),
    (("events", 4, "number"), 1),
    (("events", 5, "number"), 1),
]


@pytest.mark.parametrize(("place", "value"), OUT_OF_RANGE, ids=str)
def test_what_is_out_of_range_neither_fits_nor_is_read(place: Place, value: object) -> None:
    mutated = changed(tiny_document(), place, put(value))
    assert not fits(mutated)
    assert place == ("checksum",) or place == ("format",) or not is_read(mutated)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("players", ["Ana"]),
        ("players", ["Ana", "Ana"]),
        ("players", ["Ana", "Be\x1bto"]),
        ("stake", "-1"),
        ("stake", "0.00"),
        ("stake", "1,5"),
        ("unit", "x" * 21),
        ("payout", "all"),
        ("label", "12"),
        ("label", "\x07"),
    ],
    ids=str,
)
def test_what_no_game_can_start_with_does_not_fit(key: str, value: object) -> None:
    assert not fits(changed(tiny_document(), ("events", 0, key), put(value)))
