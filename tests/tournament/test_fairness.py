"""Fair tables: points, byes and odd tables on the command line."""

import pytest

from tests.cli.program import Generala

FIVE = ("Ana", "Beto", "Cora", "Dani", "Eva")


def win(generala: Generala) -> None:
    """Let the first player of each table of the last round win at once."""
    for table in generala.json("tournament", "tables")["tables"]:
        generala.ok("score", "66666", "--roll", "1", "--game", str(table["game"]))


def test_players_sit_out_in_turn_with_their_average_points(generala: Generala) -> None:
    options = ("--rules", "general", "--rounds", "5", "--byes", "--seed", "3")
    new = generala.json("tournament", "new", "Copa", *FIVE, *options)
    assert (new["odd_table"], new["full_points"], new["points"]) == ("byes", 60, [])
    out: list[str] = []
    for _ in FIVE:
        seated = generala.json("tournament", "seat")
        assert [len(table["players"]) for table in seated["tables"]] == [4]
        out += seated["byes"]
        win(generala)
    assert sorted(out) == [*FIVE]
    rows = generala.json("tournament", "standings")["standings"]
    assert {each["games"] for each in rows} == {4}
    assert sum(float(each["points"]) for each in rows) == 5 * 4 * 30 / 4 * 5


@pytest.mark.parametrize(
    ("options", "refusal"),
    [
        (("--byes", "--by", "totals"), "--byes works only with --by points"),
        (("--byes", "--odd-table", "top"), "--byes"),
        (("--odd-table", "left"), "there is no seating 'left'"),
    ],
)
def test_wrong_ways_to_seat_are_refused(generala: Generala, options: tuple[str, ...], refusal: str) -> None:
    assert refusal in generala("tournament", "new", "Copa", *FIVE, *options).err
