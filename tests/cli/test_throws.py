"""score, scratch and amend with --threw, typed and shown."""

import pytest

from tests.cases import cases
from tests.cli.program import Generala
from tests.cli.refusing import Command, refused

TOLD = [{"dice": [4, 4, 1, 2, 6], "kept": [4, 4]}]


@pytest.fixture
def table(generala: Generala) -> Generala:
    generala.ok("new", "Ana", "Beto", "--rules", "general")
    generala.ok("score", "44442", "--threw", "44126:44")
    return generala


def test_the_throw_follows_from_it(table: Generala) -> None:
    entry = table.json("log")["entries"][0]
    assert (entry["roll"], entry["throws"]) == (2, TOLD)
    three = table.json("score", "55533", "--threw", "5 1 2 3 4 : 5", "--threw", "5,5,1,1,1:55")
    assert (three["roll"], [throw["kept"] for throw in three["throws"]]) == (3, [[5], [5, 5]])
    assert table.json("scratch", "ones", "23456", "--threw", "66655:")["throws"] == [
        {"dice": [6, 6, 6, 5, 5], "kept": []}
    ]
    assert "throws" not in table.json("scratch", "ones")


def test_the_log_shows_it_as_it_is_typed(table: Generala) -> None:
    table.ok("scratch", "ones", "23456", "--threw", "66655:", "--threw", "22345:2345")
    assert [line.rstrip().rpartition("  ")[2] for line in table.ok("log").splitlines()[1:]] == [
        "threw",
        "44126:44",
        "66655: 22345:2345",
    ]


def test_amending_the_dice_drops_it_unless_it_is_given_again(table: Generala) -> None:
    assert table.json("amend", "1", "--as", "fours")["throws"] == TOLD
    assert table.json("amend", "1", "24444")["throws"] == TOLD
    assert table.json("amend", "1", "44443", "--threw", "44126:4")["throws"] == [{**TOLD[0], "kept": [4]}]
    assert "throws" not in table.json("amend", "1", "44446")
    assert table.json("amend", "1", "--threw", "44126:44")["throws"] == TOLD
    assert "throws" not in table.json("amend", "1", "--roll", "3")


REFUSED: dict[Command, tuple[int, str]] = {
    ("score", "44442", "--threw", "44126"): (2, "as in --threw 66655:666"),
    ("score", "44442", "--threw", ":44"): (2, "as in --threw 66655:666"),
    ("score", "44442", "--threw", "44126:four"): (2, "'four' is not a die"),
    ("score", "44442", "--threw", "44126:44", "--roll", "1"): (
        2,
        "throw 2 and throw 1 contradict each other",
    ),
    ("score", "44442", "1", "--threw", "44126:44"): (2, "contradict each other"),
    ("score", "44442", *["--threw", "44126:44"] * 3): (1, "there is no throw 4"),
    ("score", "44442", "--threw", "55555:55"): (1, "5 5 cannot have been kept from throw 1"),
    ("scratch", "ones", "--threw", "55555:55"): (1, "type its dice, too"),
}


@cases("typed", REFUSED)
def test_what_cannot_be_is_refused(table: Generala, typed: Command) -> None:
    code, message = REFUSED[typed]
    assert message in refused(table, typed, code).err


@pytest.mark.slow
def test_on_a_terminal_it_is_kept_through_the_question(table: Generala) -> None:
    with table.on_terminal("score", "11123", "--threw", "11145:11") as terminal:
        terminal.until("help: ")
        terminal.type("x ones\n")
        assert terminal.end()[0] == 0
    last = table.json("log")["entries"][-1]
    assert (last["scratched"], last["throws"]) == (True, [{"dice": [1, 1, 1, 4, 5], "kept": [1, 1]}])
