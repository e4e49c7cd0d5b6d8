"""A name that boxes share, in the shell: the refusal repeats the command line for each box."""

import pytest

from tests.cases import cases
from tests.cli.program import Generala
from tests.cli.refusing import refused


@pytest.fixture
def bozo(generala: Generala) -> Generala:
    generala("new", "Ana", "Beto", "--rules", "bozo")
    generala("44441", "ones")
    return generala


@cases(
    ("typed", "lines"),
    [
        (("44441", "1", "quadra"), "generala 44441 1 fours or generala 44441 1 four-of-a-kind"),
        (
            ("score", "55555", "--as", "quina"),
            "generala score 55555 --as fives or generala score 55555 --as gen",
        ),
        (("44441quadra",), "generala 44441fours or generala 44441four-of-a-kind"),
        (("44441 quadra",), "generala '44441 fours' or generala '44441 four-of-a-kind'"),
        (("scratch", "quadra"), "generala scratch fours or generala scratch four-of-a-kind"),
        (("x", "quadra", "--roll", "2"), "generala x fours --roll 2 or generala x four-of-a-kind --roll 2"),
        (("11226", "quadra"), "generala 11226 x fours or generala 11226 x four-of-a-kind"),
        (("amend", "1", "quadra"), "generala amend 1 fours or generala amend 1 four-of-a-kind"),
    ],
)
def test_both_ways_are_whole_lines_that_work(bozo: Generala, typed: tuple[str, ...], lines: str) -> None:
    error = refused(bozo, typed, 2).err
    assert f"type {lines}" in error
    for line in error.strip().partition("; type ")[2].split(" or "):
        words = line.removeprefix("generala ").replace("'", "").split()
        assert bozo(*words, "--dry-run").code == 0, line


def test_the_lines_have_the_words_of_your_language(bozo: Generala) -> None:
    error = bozo("44441", "quadra", environment={"GENERALA_LANGUAGE": "es"}).err
    assert "escribir generala 44441 cuatros o generala 44441 póker" in error


def test_the_sheet_of_the_rules_says_what_the_name_can_mean(generala: Generala) -> None:
    shown = generala("rules", "show", "bozo").out
    assert "'quadra' can mean fours or four of a kind; the dice decide." in shown


def test_advice_and_checks_ask_for_no_box(bozo: Generala) -> None:
    assert "four of a kind  30" in bozo("check", "44441", "quadra").out
    assert "is not a throw; type the dice only" in bozo("advise", "44441", "quadra").err
