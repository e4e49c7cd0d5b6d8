"""A turn's line in the shell, with a verb and without; command prefixes; and past causes of confusion."""

import pytest

from tests.cases import cases
from tests.cli.program import Generala
from tests.cli.refusing import Command, refused


@pytest.fixture
def table(generala: Generala) -> Generala:
    generala.ok("new", "Ana", "Beto", "--rules", "general")
    return generala


@pytest.mark.complete
@pytest.mark.parametrize(
    "typed",
    [
        ("5", "5", "5", "3", "3", "1", "f"),
        ("5-5-5-3-3", "servida", "Ana"),
        ("55533", "full", "house", "de", "mano"),
        ("score", "--roll", "primera", "55533", "ana"),
        ("score", "55533", "--as", "full servida"),
    ],
    ids=" ".join,
)
def test_an_entry_in_any_wording(table: Generala, typed: Command) -> None:
    entry = table.json(*typed)
    assert (entry["player"], entry["category"], entry["roll"], entry["points"]) == (
        "Ana",
        "full-house",
        1,
        35,
    )


@pytest.mark.complete
def test_letters_stand_for_commands(table: Generala) -> None:
    assert table.json("x", "1", "Beto")["player"] == "Beto"
    assert table.json("x", "four", "of", "a", "kind", "11236")["dice"] == [1, 1, 2, 3, 6]
    assert [step["category"] for step in table.json("u", "2")["undone"]] == ["four-of-a-kind", "ones"]
    assert [step["category"] for step in table.json("r")["redone"]] == ["ones"]
    assert table.json("a", "44126", "1")["roll"] == 1
    assert "Usage: generala" in table.ok("?")


@cases(
    ("typed", "code", "message"),
    [
        (("3",), 2, "that is one die (3); this game is played with five"),
        (("5553", "1"), 2, "that is four dice (5553)"),
        (("score", "foo", "55533"), 2, "'foo' is not a category, throw or player"),
        (("score", "full", "30"), 2, "30 is not a hand; type the dice, not the points"),
        (("score", "55533", "30"), 2, "the points are computed from them"),
        (("score", "55533", "--as", "Chance"), 1, "there is no category 'Chance'; choose from ones"),
        (("score", "55533", "--as", "póquer"), 1, "is not four of a kind"),
        (("--sheet",), 2, "sheet is a command, not an option; type generala sheet"),
        (("sc",), 2, "type score, scratch or schema"),
        (("sco", "55533"), 2, "'sco' is not a category, throw or player"),
        (("del", "1"), 2, "perhaps delete, which generala delete -h explains"),
        (("q",), 2, "'q' quits generala play"),
    ],
)
def test_what_is_refused_says_what_was_understood(
    table: Generala, typed: Command, code: int, message: str
) -> None:
    assert message in refused(table, typed, code).err


@pytest.mark.complete
def test_the_only_command_that_begins_so_is_meant(table: Generala) -> None:
    assert table.ok("stan") == table.ok("standings")
    assert table.ok("rul", "sho", "crag") == table.ok("rules", "show", "crag")
