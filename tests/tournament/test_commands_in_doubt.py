"""A tournament never counts a doubtful table, or games of undone rounds."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from time import sleep

import pytest

from tests.cli.program import Generala

pytestmark = pytest.mark.usefixtures("short_plans")

TERMS = ("--tables-of", "3", "--rules", "general", "--seed", "7")
SIX = "Ana Beto Cora Dani Eva Fito".split()
FOR_MONEY = ("--stake", "1", "--unit", "EUR")


def begin(machine: Generala, *options: str, players: list[str] = SIX) -> None:
    machine.ok("tournament", "new", "Copa", *players, *TERMS, *options)


def win(machine: Generala, *games: int, player: str = "") -> None:
    """Let the next player win at once."""
    for game in games:
        machine.ok("score", "66666", "--roll", "1", "--game", str(game))


@pytest.fixture
def machines(tmp_path: Path) -> tuple[Generala, Generala]:
    (tmp_path / "shared").mkdir()
    a, b = (Generala(home=tmp_path / name) for name in "ab")
    return a, b


def meet(*machines: Generala) -> None:
    for machine in (*machines, *machines[:-1]):
        machine("sync", str(machine.home.parent / "shared"), "--as", machine.home.name)


@pytest.fixture
def disputed(machines: tuple[Generala, Generala]) -> tuple[Generala, Generala]:
    """The first player of table 1 won at once on one machine; on the other, there was no instant win."""
    a, b = machines
    begin(a, "--seating", "standings", "--rounds", "2", "--entry-fee", "5", *FOR_MONEY)
    meet(a, b)
    a.ok("tournament", "seat")
    meet(a, b)
    win(a, 1, 2)
    b.ok("scratch", "ones", "--game", "1")
    meet(a, b)
    return a, b


TABLE = "Copa, round 1, table 1 (game 1) does not count: "
WHAT_HELPS = "compare them with generala doctor 1"


@pytest.mark.slow
def test_no_machine_names_a_winner_by_a_disputed_table(disputed: tuple[Generala, Generala]) -> None:
    for machine in disputed:
        for line in ("seat", "final 3", "end"):
            refused = machine("tournament", *line.split())
            assert (refused.code, TABLE in refused.err, WHAT_HELPS in refused.err) == (3, True, True)
        refused = machine("ledger")
        assert (refused.code, "Copa, round 1, table 1" in refused.err) == (3, True)
        for line in ("tables", "standings", "print --html", "tables --format csv"):
            shown = machine("tournament", *line.split())
            assert (shown.code, TABLE in shown.err, WHAT_HELPS in shown.err) == (0, True, True)
        assert "does not count: it has two versions" in machine("tournament", "tables").out
        found = json.loads(machine("tournament", "standings", "--json").out)
        (damaged,) = found["damaged"]
        assert [damaged[key] for key in ("round", "table", "game", "kind")] == [1, 1, 1, "conflict"]
        assert (found["over"], {each["games"] for each in found["standings"]}) == (False, {0, 1})
    a, b = disputed
    a.ok("doctor", "1", "--take", "this")
    meet(a, b)
    standings = [machine.json("tournament", "standings")["standings"] for machine in disputed]
    assert standings[0] == standings[1]
    a.ok("tournament", "seat")


def cut_short(game: Path) -> None:
    game.write_bytes(game.read_bytes()[:-9])


def made_unreadable(game: Path) -> None:
    game.unlink()
    game.mkdir()


def lost(game: Path) -> None:
    game.rename(game.with_name("game.json.bak"))


def deleted(game: Path) -> None:
    shutil.rmtree(game.parent)
    (game.parents[2] / "marks" / "2").unlink()


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize("spoil", [cut_short, made_unreadable, lost, deleted])
def test_a_table_whose_game_cannot_be_used_decides_nothing(
    generala: Generala, spoil: object, tmp_path: Path
) -> None:
    begin(generala, "--rounds", "1", "--entry-fee", "5", "--unit", "EUR")
    generala.ok("tournament", "seat")
    win(generala, 1, 2)
    assert generala.json("ledger")["units"][0]["tournaments"]
    game = generala.data / "games" / "2" / "game.json"
    assert callable(spoil)
    spoil(game)
    is_here = spoil is not deleted
    told = "Copa, round 1, table 2 (game 2)" if is_here else "Copa, round 1, table 2 "
    for typed in (("tournament", "final", "3"), ("tournament", "end")):
        refused = generala(*typed)
        assert (refused.code, told in refused.err) == (3 if is_here else 1, True), refused
    shown = generala("tournament", "standings")
    assert (shown.code, told in shown.err, "the result" in shown.out) == (0, True, False)
    ledger = generala("ledger")
    assert (ledger.code, told in ledger.err) == (3 if is_here else 0, True)
    assert " EUR" not in ledger.out
    ended = generala("tournament", "end", "--yes")
    assert ended.code == (3 if is_here else 0), "a table that is only not here can be left out"


@pytest.mark.slow
def test_machines_that_seat_the_same_round_have_one_set_of_games(
    machines: tuple[Generala, Generala],
) -> None:
    a, b = machines
    begin(a, *FOR_MONEY)
    meet(a, b)
    for machine in machines:
        machine.ok("tournament", "seat")
    win(a, 1)
    win(b, 2)
    meet(a, b)
    for machine in machines:
        assert [each["game"] for each in machine.json("games")["games"]] == [1, 2]
        tables = machine.json("tournament", "tables")
        assert ([each["over"] for each in tables["tables"]], tables["others"]) == ([True, True], [])
    a.ok("tournament", "seat")
    b.ok("tournament", "seat")
    meet(a, b)
    assert [each["state"] for each in b.json("tournament", "log")["events"]] == ["stands", "stands"]


@pytest.mark.slow
def test_a_doubt_about_a_table_does_not_mark_the_same_table_of_the_next_round(
    machines: tuple[Generala, Generala],
) -> None:
    a, b = machines
    begin(a, "--rounds", "2")
    a.ok("tournament", "seat")
    meet(a, b)
    win(a, 1, 2)
    b.ok("scratch", "ones", "--game", "1")
    meet(a, b)
    seated = a("tournament", "seat")
    assert (seated.code, TABLE in seated.err) == (0, True)
    assert "does not count" not in seated.out


def nets(machine: Generala) -> Mapping[str, str]:
    units = json.loads(machine("ledger", "--json").out)["units"]
    return units[0]["net"] if units else {}


@pytest.mark.slow
def test_games_of_an_undone_round_count_nowhere_until_it_is_redone(generala: Generala) -> None:
    begin(generala, *FOR_MONEY)
    seated = generala.json("tournament", "seat")["tables"]
    win(generala, 1, 2)
    before = nets(generala)
    winner, loser = seated[0]["players"][:2]
    generala.ok("tournament", "undo", "--event", "1")
    assert nets(generala) == {}
    assert "no finished game" in generala("stats").out
    assert [each["counts"] for each in generala.json("games")["games"]] == [False, False]
    assert generala.ok("games").count("does not count") == 2
    assert "generala tournament redo --event 1 counts it again" in generala("use", "1").err
    assert "generala tournament redo --event 1 counts it again" in generala("payouts", "1").err
    for games in ("--all", "1"):
        refused = generala("export", games, "--format", "hledger")
        assert (refused.code, refused.out, "game 1 no longer counts" in refused.err) == (1, "", True)
    warned = generala("undo", "--game", "1")
    assert (warned.code, "game 1 does not count, because this was undone: round 1" in warned.err) == (0, True)
    generala("redo", "--game", "1")
    again = generala.json("tournament", "seat")["tables"]
    assert [each["game"] for each in again] == [3, 4]
    win(generala, 3, 4)
    assert nets(generala) == before, "the debt does not double"
    refused = generala("tournament", "redo")
    assert "first undo event 3: round 1 was seated" in refused.err
    generala.ok("tournament", "undo", "--event", "3")
    generala.ok("tournament", "redo", "--event", "1")
    assert nets(generala) == before
    assert [each["counts"] for each in generala.json("games")["games"]] == [True, True, False, False]
    generala.ok("pay", loser, winner, "60", "--unit", "EUR")
    sleep(1)  # times in files are whole seconds
    generala.ok("tournament", "undo", "--event", "1")
    assert "game 1, whose round was undone" in generala.ok("ledger")
    assert generala.json("ledger")["units"][0]["transfers"] == [
        {"from": winner, "to": loser, "amount": "60.00"}
    ]


def test_hints_name_the_event_that_stands_in_the_way(machines: tuple[Generala, Generala]) -> None:
    a, b = machines
    begin(a, "--rounds", "1")
    meet(a, b)
    b.ok("tournament", "add", "Hugo")
    a.ok("tournament", "seat")
    b.ok("tournament", "seat")
    meet(a, b)
    a.ok("tournament", "new", "Liga", *SIX, *TERMS)  # the newest, so the hint has to name Copa
    told = a.ok("tournament", "tables", "--tournament", "Copa")
    event = next(
        each["event"]
        for each in a.json("tournament", "log", "--tournament", "Copa")["events"]
        if each["kind"] == "seated" and each["state"] == "stands"
    )
    hint = f"generala tournament undo --event {event} --tournament 1"
    assert f"to use that seating, run {hint}" in told
    before = a.json("tournament", "tables", "--tournament", "Copa")
    a.ok(*hint.split()[1:])
    after = a.json("tournament", "tables", "--tournament", "Copa")
    assert [each["players"] for each in after["tables"]] == [*map(list, before["others"][0]["tables"])]
    assert after["others"] == []
    log = a.json("tournament", "log", "--tournament", "Copa")["events"]
    assert log[-1]["what"] == f"event {event} was undone: round 1 was seated"


@pytest.mark.slow
def test_a_round_with_a_move_is_undone_and_redone_with_it(generala: Generala) -> None:
    begin(generala)
    tables = generala.json("tournament", "seat")["tables"]
    one, other = (table["players"][0] for table in tables)
    generala.ok("tournament", "move", one, other)
    moved = generala.json("tournament", "tables")["tables"]
    win(generala, moved[0]["game"])
    assert "generala leave NAME --game" in generala("tournament", "undo").err
    generala.ok("tournament", "undo", "--event", "1")
    assert "no round is seated yet" in generala("tournament", "tables").err
    generala.ok("tournament", "redo", "--event", "1")
    again = generala.json("tournament", "tables")["tables"]
    assert [(each["players"], each["turns"]) for each in again] == [
        (each["players"], turns) for each, turns in zip(moved, (1, 0), strict=True)
    ]


@pytest.mark.slow
def test_a_late_player_in_a_round_names_what_to_undo_first(generala: Generala) -> None:
    begin(generala)
    generala.ok("tournament", "add", "Hugo")
    generala.ok("tournament", "seat")
    refused = generala("tournament", "undo", "--event", "1")
    assert "first undo event 2: round 1 was seated" in refused.err
    assert "generala tournament undo --event 2 does that" in refused.err
    generala.ok("tournament", "undo", "--event", "2")
    generala.ok("tournament", "undo", "--event", "1")


def test_an_announced_final_decides(generala: Generala) -> None:
    begin(generala, "--rounds", "1", "--final", "2", "--entry-fee", "5", "--unit", "EUR")
    assert (
        "announce a smaller final"
        in generala("tournament", "new", "Liga", "Ana", "Beto", "Cora", "--final", "4").err
    )
    generala.ok("tournament", "seat")
    win(generala, 1, 2)
    found = generala.json("tournament", "standings")
    assert (found["over"], found["pot"]["due"], found["final"]) == (False, False, 2)
    assert "the result" not in generala.ok("tournament", "standings")
    assert generala.json("ledger")["units"] == []
    assert "generala tournament final 2 seats a final" in generala("tournament", "seat").err
    final = generala.json("tournament", "final")
    assert len(final["tables"][0]["players"]) == 2
    assert "generala tournament tables shows the final" in generala("tournament", "tables", "2").err
    rows = generala.ok("tournament", "tables", "--format", "csv").splitlines()
    assert [row.split(",")[3:5] for row in rows[-2:]] == [["0", "1"]] * 2, "the final is no round"
    win(generala, final["tables"][0]["game"])
    assert generala.json("tournament", "standings")["pot"]["due"]


def test_a_tournament_ends_early_as_it_stands(generala: Generala) -> None:
    begin(generala, "--rounds", "3", "--entry-fee", "5", "--unit", "EUR", players=[*SIX, "Gus"])
    assert "no round is seated yet" in generala("tournament", "end").err
    first = generala.json("tournament", "seat")["tables"]
    refused = generala("tournament", "end", "--yes")
    assert "no hand has been entered at any table" in refused.err
    assert not generala.json("tournament", "standings")["over"]
    win(generala, *(each["game"] for each in first))
    second = generala.json("tournament", "seat")["tables"]
    generala.ok("scratch", "ones", "--game", str(second[0]["game"]))
    refused = generala("tournament", "end")
    assert f"generala end --game {second[0]['game']} ends it early" in refused.err
    generala.ok("undo", "--game", str(second[0]["game"]))
    for player in second[0]["players"]:
        generala("leave", player, "--game", str(second[0]["game"]))
    ended = generala.json("tournament", "end")
    assert (ended["over"], ended["ended"], ended["pot"]["due"]) == (True, True, True)
    assert ended["without"] == ["Copa, round 2, table 2"]
    assert generala.json("ledger")["units"][0]["tournaments"]
    refused = generala("tournament", "seat")
    assert "the tournament has ended; generala tournament undo --event 3 undoes it" in refused.err
    generala.ok("tournament", "undo")
    assert not generala.json("tournament", "standings")["over"]
    assert generala.json("ledger")["units"] == []


def test_a_second_tournament_of_a_name_has_to_be_meant(generala: Generala) -> None:
    begin(generala)
    before = generala.files()
    refused = generala("tournament", "new", "copa", *SIX)
    assert (refused.code, generala.files() == before) == (2, True)
    assert "generala tournament end --tournament 1" in refused.err
    generala.ok("tournament", "new", "copa", *SIX, "--yes")


@pytest.mark.slow
def test_a_deleted_tournament_stays_deleted_and_its_games_stay(
    machines: tuple[Generala, Generala],
) -> None:
    a, b = machines
    begin(a)
    a.ok("tournament", "seat")
    meet(a, b)
    refused = a("tournament", "delete", "Copa")
    assert (refused.code, "generala tournament delete 1 --yes" in refused.err) == (2, True)
    answer = a.ok("tournament", "delete", "Copa", "--yes")
    assert "games 1 and 2 stay as ordinary games" in answer
    meet(a, b)
    assert (a.json("tournament", "list")["tournaments"], len(a.json("games")["games"])) == ([], 2)
    assert len(b.json("tournament", "list")["tournaments"]) == 1
    begin(a)
    assert [each["tournament"] for each in a.json("tournament", "list")["tournaments"]] == [2]


def test_a_deleted_table_is_named(generala: Generala) -> None:
    begin(generala)
    generala.ok("tournament", "seat")
    refused = generala("delete", "2")
    assert "it is a table of a tournament: Copa, round 1, table 2" in refused.err
    document = generala.json("delete", "2", "--yes")
    assert document["table"] == {"tournament": 1, "name": "Copa", "round": 1, "table": 2}
    assert "Copa, round 1, table 1 no longer counts" in generala.ok("delete", "1", "--yes")


def test_who_comes_and_goes_at_a_table_is_shown(generala: Generala) -> None:
    begin(generala)
    player = generala.json("tournament", "seat")["tables"][0]["players"][1]
    hint = f"generala leave {player} --game 1"
    assert hint in generala.ok("tournament", "drop", player)
    assert hint in generala.ok("tournament", "tables")
    assert generala.json("tournament", "tables")["tables"][0]["dropped"] == [player]
    generala.ok(*hint.split()[1:])
    assert hint not in generala.ok("tournament", "tables")
    generala.ok("join", "Zoe", "--game", "1")
    table = generala.json("tournament", "tables")["tables"][0]
    assert (table["players"][-1], table["joined"]) == ("Zoe", ["Zoe"])
    win(generala, 1)
    assert "" not in generala.json("tournament", "tables")["tables"][0]["winners"]


def test_who_is_fixed_has_a_seat_there_and_is_not_moved(generala: Generala) -> None:
    eleven = [f"P{number}" for number in range(1, 12)]
    generala.ok("tournament", "new", "Copa", *eleven, "--rules", "general", "--seed", "1")
    generala.ok("tournament", "fix", "P1", "--table", "3")
    assert "there is no table 4" in generala("tournament", "fix", "P2", "--table", "4").err
    for name in ("P2", "P3", "P4"):
        generala.ok("tournament", "fix", name, "--table", "3")
    refused = generala("tournament", "fix", "P5", "--table", "3")
    assert "are fixed at table 3, which has no free seat" in refused.err
    assert "generala tournament fix P4 --any frees a seat" in refused.err
    seated = generala.json("tournament", "seat")["tables"]
    assert {*seated[2]["players"]} == {"P1", "P2", "P3", "P4"}
    refused = generala("tournament", "move", "P1", "--table", "1")
    assert "P1 stays at table 3; generala tournament fix P1 --any lets them move" in refused.err


def test_only_who_sat_at_a_table_owes_the_fee(generala: Generala) -> None:
    begin(generala, "--rounds", "1", "--entry-fee", "5", "--unit", "EUR")
    generala.ok("tournament", "drop", "Ana")
    generala.ok("tournament", "seat")
    win(generala, 1)
    (account,) = generala.json("ledger")["units"]
    assert (account["net"].get("Ana"), len(account["net"])) == (None, 5)
    assert generala.json("tournament", "standings")["pot"]["pot"] == "25.00"


def test_an_old_tournament_needs_no_newer_program(generala: Generala) -> None:
    begin(generala, "--points", "2,1,0")
    file = generala.data / "tournaments" / "1" / "tournament.json"
    generala.ok("tournament", "seat")
    generala.ok("tournament", "undo")
    assert b'"minor"' not in file.read_bytes()
    generala.ok("tournament", "redo")
    assert b'"minor":1' in file.read_bytes()
