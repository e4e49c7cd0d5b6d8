"""Tournaments on the command line."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.program import Generala

pytestmark = pytest.mark.usefixtures("short_plans")

ONE_TURN = ("--rules", "general", "--seed", "3")


FOR_MONEY = ("Ana", "Beto", "Cora", "--entry-fee", "5", "--unit", "USD")


def play_out(generala: Generala, game: int) -> None:
    """Let all players scratch their open boxes."""
    while (at := generala.json("sheet", str(game)))["next"] is not None:
        player = at["next"]
        box = next(each for each, points in at["boxes"][player].items() if points is None)
        generala.ok("scratch", box, "--game", str(game))


@pytest.fixture
def copa(generala: Generala) -> Generala:
    generala.ok(
        "tournament", "new", "Copa", *"Ana Beto Cora Dani Eva Fito Gus".split(), *ONE_TURN, "--rounds", "2"
    )
    return generala


def test_a_file_of_players_is_read(generala: Generala) -> None:
    file = generala.home / "players.txt"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\ufeff# the bar\nAna\n\n  Beto \r\nCora Cruz\n# Zoe\n", encoding="utf-8")
    begun = generala.json("tournament", "new", "Copa", "Dani", "--players", str(file))
    assert begun["players"] == ["Ana", "Beto", "Cora Cruz", "Dani"]
    begun = json.loads(
        generala("tournament", "new", "Liga", "--players", "-", "--json", stdin="Ana\nBeto\nCora\n").out
    )
    assert begun["players"] == ["Ana", "Beto", "Cora"]


@pytest.mark.thinned(every=8)
@pytest.mark.parametrize(
    ("typed", "stdin", "says"),
    [
        ((), "", "0 players are not enough for a tournament"),
        (("Ana", "Beto"), "", "2 players are not enough for a tournament"),
        ((), "Ana\nBeto\nAna\n", "two players are called Ana"),
        ((), "Ana\nBeto\nC\x07ra\n", "a player's name cannot contain the character U+0007"),
        ((), "".join(f"P{number}\n" for number in range(10_000)), "10000 players are too many"),
        ((), b"\xff\xfe\n", "is not UTF-8 text"),
        (("Ana", "Beto", "Cora", "--tables-of", "7"), "", "a table cannot have 7 players"),
        (("Ana", "Beto", "Cora", "--rounds", "0"), "", "a tournament cannot have 0 rounds"),
        (("Ana", "Beto", "Cora", "--points", "1,x"), "", "invalid points: '1,x'"),
        (("Ana", "Beto", "Cora", "--points", "1,2"), "", "a lower place is worth more points"),
        (("Ana", "Beto", "Cora", "--by", "luck"), "", "there is no way to rank 'luck'"),
        (("Ana", "Beto", "Cora", "--seating", "luck"), "", "there is no seating 'luck'"),
        (("Ana", "Beto", "Cora", "--seed", "-1"), "", "-1 is not a valid seed"),
        (("Ana", "Beto", "Cora", "--players", "nowhere.txt"), "", "there is no file"),
        (("Ana", "Beto", "Cora", "--entry-fee", "5"), "", "an entry fee cannot be in points"),
        (("Ana", "Beto", "Cora", "--entry-fee", "x", "--unit", "USD"), "", "'x' is not an amount"),
        (("Ana", "Beto", "Cora", "--entry-fee", "5.0001", "--unit", "USD"), "", "5.0001 USD cannot be paid"),
        (("Ana", "Beto", "Cora", "--prizes", "60,40"), "", "prizes need an entry fee"),
        ((*FOR_MONEY, "--prizes", "50,30"), "", "the prizes add up to 80, not to 100"),
        ((*FOR_MONEY, "--prizes", "40,60"), "", "a lower place gets a larger prize"),
        ((*FOR_MONEY, "--prizes", "25,25,25,25"), "", "there are more prizes (4) than players"),
        ((*FOR_MONEY, "--prizes", "50,x"), "", "invalid prizes: '50,x'"),
        ((*FOR_MONEY, "--prizes", ""), "", "the prizes add up to 0"),
        ((*FOR_MONEY, "--prizes", "99999999999999999999"), "", "invalid prizes"),
    ],
    ids=str,
)
def test_what_makes_no_tournament_is_one_sentence(
    generala: Generala, typed: tuple[str, ...], stdin: str | bytes, says: str
) -> None:
    file = ("--players", "-") if stdin else ()
    result = generala("tournament", "new", "Copa", *typed, *file, stdin=stdin)
    assert result.code in (1, 2, 3)
    assert says in result.err
    assert result.err.count("\n") == 1
    assert not (generala.home / "data").exists()


@pytest.mark.complete
def test_a_damaged_tournament_is_named_and_the_others_are_listed(copa: Generala) -> None:
    copa.ok("tournament", "new", "Liga", "Ana", "Beto", "Cora", *ONE_TURN)
    file = copa.home / "data" / "tournaments" / "1" / "tournament.json"
    file.write_bytes(file.read_bytes()[:-9])
    found = json.loads(copa("tournament", "list", "--json").out)
    assert [each["name"] for each in found["tournaments"]] == ["Liga"]
    assert [each["tournament"] for each in found["damaged_tournaments"]] == [1]
    listed = copa("tournament", "list")
    assert (listed.code, "Liga" in listed.out, listed.err.count("\n")) == (0, True, 1)
    assert "skipped tournament 1: " in listed.err
    assert "generala doctor shows what you can do" in listed.err
    assert "skipped tournament 1: " in copa("players").err


@pytest.mark.slow
def test_an_evening_from_the_first_round_to_the_final(copa: Generala) -> None:
    seated = copa.json("tournament", "seat")
    assert [table["game"] for table in seated["tables"]] == [1, 2]
    assert sorted(name for table in seated["tables"] for name in table["players"]) == sorted(
        "Ana Beto Cora Dani Eva Fito Gus".split()
    )
    assert "round 1 is seated, and nobody has thrown yet" in copa("tournament", "seat").err
    first, second = (table["players"] for table in seated["tables"])
    copa.ok("score", "66666", "--roll", "2", "--as", "sixes", "--game", "Copa, round 1, table 1")
    play_out(copa, 1)
    standings = copa.json("tournament", "standings")
    assert (standings["open"], standings["standings"][0]["player"]) == (1, first[0])
    play_out(copa, 2)
    found = {each["player"]: each for each in copa.json("tournament", "standings")["standings"]}
    assert found[first[0]]["points"] == "60"
    assert found[first[0]]["total"] == 30
    assert {found[player]["points"] for player in second} == {"30"}
    copa.ok("amend", "1", "61111", "--as", "sixes", "--game", "1")
    corrected = {each["player"]: each["total"] for each in copa.json("tournament", "standings")["standings"]}
    assert corrected[first[0]] == 6, "a corrected entry corrects the standings"
    copa.ok("tournament", "drop", first[0])
    assert first[0] not in json.dumps(copa.json("tournament", "seat")["tables"])
    for table in copa.json("tournament", "tables")["tables"]:
        play_out(copa, table["game"])
    assert "all 2 rounds are already seated" in copa("tournament", "seat").err
    final = copa.json("tournament", "final", "3")
    assert [len(final["tables"]), len(final["tables"][0]["players"]), final["round"]] == [1, 3, None]
    assert "the final is already seated" in copa("tournament", "final", "3").err
    play_out(copa, final["tables"][0]["game"])
    assert copa.json("tournament", "standings")["over"]
    shown = copa.ok("tournament", "standings")
    assert shown.startswith("Copa: the result\nplaces 1 to 3 are for the finalists\n")  # equal in the final
    copa.ok("amend", "1", "61111", "--as", "ones", "--game", str(final["tables"][0]["game"]))
    shown = copa.ok("tournament", "standings")
    assert shown.startswith("Copa: the result\nthe final decides places 1 to 3\n")
    assert "by the final" in shown.splitlines()[3]
    assert "by the total" not in shown
    assert copa.json("tournament", "list")["tournaments"][0]["over"]


@pytest.mark.slow
def test_a_round_is_seated_again_with_the_same_games(copa: Generala) -> None:
    before = copa.json("tournament", "seat")["tables"]
    copa.ok("tournament", "undo")
    assert "no round is seated yet" in copa("tournament", "tables").err
    assert copa.json("tournament", "seat")["tables"] == before
    assert len(copa.json("games")["games"]) == len(before)


def test_undo_does_not_claim_what_is_in_a_missing_game(copa: Generala) -> None:
    copa.ok("tournament", "seat")
    copa.game(2).unlink()
    refused = copa("tournament", "undo")
    assert refused.code == 1
    assert "game 2 is unusable and may have entries; generala" in refused.err


@pytest.mark.slow
def test_a_round_in_which_hands_were_entered_is_taken_back_only_by_its_number(copa: Generala) -> None:
    seated = copa.json("tournament", "seat")["tables"]
    copa.ok("tournament", "add", "Hugo")
    copa.ok("scratch", "ones", "--game", "2")
    before = copa.files()
    refused = copa("tournament", "undo", "2")
    assert refused.code == 1
    assert "game 2 already has entries; generala tournament undo --event 1 undoes" in refused.err
    assert copa.files() == before
    copa.ok("tournament", "undo")
    copa.ok("tournament", "undo", "--event", "1")
    again = copa.json("tournament", "seat")["tables"]
    assert [each["players"] for each in again] == [each["players"] for each in seated]
    assert [each["game"] for each in again] == [1, 3]


def test_an_undone_entry_does_not_block_a_new_draw(copa: Generala) -> None:
    first = copa.json("tournament", "seat")["tables"][0]
    copa.ok("scratch", "ones", "--game", "1")
    refused = copa("tournament", "seat", "--again")
    assert "game 1 already has entries" in refused.err
    moved = ("tournament", "move", first["players"][0], "--table", "2")
    other = "type generala leave NAME --game 1, and generala join NAME --game GAME at the other table"
    assert f"table 1 already has entries; {other}" in copa(*moved).err
    copa.ok("undo", "--game", "1")
    hint = re.search("the undone entries of table 1 can be redone; .* type generala (.+)", copa(*moved).err)
    assert hint
    again = copa.ok(*hint[1].split())
    assert copa("redo", "--game", "1").err.startswith("generala: game 1 does not count")
    assert copa.ok("tournament", "tables") == again, "a redo changes no table of the new draw"


def test_a_player_moves_and_two_swap_seats(copa: Generala) -> None:
    first, second = (table["players"] for table in copa.json("tournament", "seat")["tables"])
    if len(first) < len(second):
        first, second = second, first
    number = 1 if first[0] in copa.json("tournament", "tables")["tables"][0]["players"] else 2
    before = copa.json("games")
    copa.ok("tournament", "move", first[0], "--table", str(3 - number), "--dry-run", "-q")
    assert copa.json("games") == before
    moved = copa.json("tournament", "move", first[0], "--table", str(3 - number))
    assert moved["what"] == f"{first[0]} moved to table {3 - number}"
    tables = {table["table"]: table for table in moved["tables"]}
    assert tables[number]["players"] == first[1:]
    assert tables[3 - number]["players"] == [*second, first[0]]
    copa.ok("tournament", "move", first[1], second[0])
    assert len(copa.json("games")["games"]) == 2
    line = copa.json("tournament", "log")["events"][-1]
    assert [line[key] for key in ("kind", "player", "other", "table")] == ["moved", first[1], second[0], None]
    for table in copa.json("tournament", "tables")["tables"]:
        copa.ok("scratch", "ones", "--game", f"Copa, round 1, table {table['table']}")
    refused = copa("tournament", "move", first[1], second[0])
    assert "table 1 already has entries; type generala leave NAME --game" in refused.err


def test_who_is_called_otherwise_in_a_game_is_next_under_the_name_of_the_tournament(copa: Generala) -> None:
    first = copa.json("tournament", "seat")["tables"][0]
    copa.ok("rename", first["next"], "Zoe", "--game", str(first["game"]))
    assert copa.json("tournament", "tables")["tables"][0] == first


def test_a_dry_run_seats_nobody(copa: Generala) -> None:
    assert copa("tournament", "seat", "-n").out.count("not seated yet") == 2
    shown = json.loads(copa("tournament", "seat", "-n", "--json").out)
    assert [table["game"] for table in shown["tables"]] == [None, None]
    assert copa.json("games")["games"] == []


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize(
    ("typed", "says"),
    [
        (("seat", "--tournament", "2"), "there is no tournament '2'"),
        (("drop", "Zoe"), "there is no player 'Zoe'"),
        (("add", "Ana"), "Ana already takes part"),
        (("fix", "Ana"), "no table given"),
        (("fix", "Ana", "--table", "9"), "there is no table 9"),
        (("move", "Ana"), "no new seat given for Ana"),
        (
            ("move", "Ana", "Beto", "--table", "1"),
            "Beto and --table cannot be combined; remove Beto or --table",
        ),
        (("move", "Ana", "--table", "1"), "no round is seated yet"),
        (("final", "3"), "no round is seated yet"),
        (("final", "9"), "a final is played by 2 to 6 players, not 9"),
        (("undo",), "there is nothing to undo"),
        (("undo", "--event", "3"), "there is no event 3 to undo"),
        (("tables", "2"), "no round is seated yet"),
        (("standings", "--tournament", "Liga"), "there is no tournament 'Liga'"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(copa: Generala, typed: tuple[str, ...], says: str) -> None:
    result = copa("tournament", *typed)
    assert result.code in (1, 2)
    assert says in result.err
    assert result.err.count("\n") == 1


def test_doctor_knows_the_files(copa: Generala) -> None:
    copa.ok("tournament", "add", "Hugo")
    found = copa.json("doctor")
    assert found["well"]
    assert found["others"] == []
    assert [(each["tournament"], each["state"]) for each in found["tournaments"]] == [(1, "fine")]
    file = copa.home / "data" / "tournaments" / "1" / "tournament.json"
    whole = file.read_bytes()
    file.write_bytes(whole[:-9])
    assert "doctor --restore tournament-1" in copa("tournament", "log").err
    assert copa("doctor").code == 3
    copa.ok("doctor", "--restore", "tournament-1")
    assert copa.json("tournament", "log")["events"] == []
    file.with_name("tournament (2).json").write_bytes(whole)
    assert "doctor --accept tournament-1" in copa("tournament", "log").err
    copa.ok("doctor", "--accept", "tournament-1", "--yes")
    copa.ok("tournament", "log")


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize("order", ["abcabc", "cbacba", "acbbca"])
def test_machines_that_meet_in_any_order_have_one_tournament(tmp_path: Path, order: str) -> None:
    (shared := tmp_path / "shared").mkdir()
    machines = {name: Generala(home=tmp_path / name) for name in "abc"}
    a, b, c = machines.values()

    def meet(names: str) -> None:
        for name in names:
            machines[name].ok("sync", str(shared), "--as", name)

    a.ok("tournament", "new", "Copa", *"Ana Beto Cora Dani Eva Fito Gus".split(), *ONE_TURN, "--rounds", "2")
    c.ok("tournament", "new", "Liga", *"Ana Beto Cora".split(), *ONE_TURN)
    meet("abc")
    b.ok("tournament", "add", "Hugo", "--tournament", "Copa")
    for machine in (a, b):
        machine.ok("tournament", "seat", "--tournament", "Copa")
    c.ok("tournament", "drop", "Ana", "--tournament", "Copa")
    before = [events_of(machine) for machine in (a, b, c)]
    said = [machines[name]("sync", str(shared), "--as", name).err for name in order]
    meet("abcab")
    again = "in tournament Copa, this does not count: a different seating of round 1;"
    assert any(again in each for each in said)
    assert all(each.count("\n") < 5 and "Gus" not in each for each in said)
    after = [events_of(machine) for machine in (a, b, c)]
    assert after[0] == after[1] == after[2]
    assert {*after[0]} == {*before[0], *before[1], *before[2]}
    shown = [machine.json("tournament", "tables", "--tournament", "Copa") for machine in (a, b, c)]
    assert len({json.dumps([[*table["players"]] for table in each["tables"]]) for each in shown}) == 1
    assert [len(each["others"]) for each in shown] == [1, 1, 1]
    log = c.json("tournament", "log", "--tournament", "Copa")["events"]
    (other,) = (each for each in log if each["kind"] == "seated" and each["state"] == "stands")
    c.ok("tournament", "undo", "--event", str(other["event"]), "--tournament", "Copa")
    now = c.json("tournament", "tables", "--tournament", "Copa")
    assert now["others"] == []
    assert now["tables"][0]["game"] != shown[2]["tables"][0]["game"]
    assert {each["name"] for each in b.json("tournament", "list")["tournaments"]} == {"Copa", "Liga"}


def events_of(machine: Generala) -> list[str]:
    """Return the events of Copa in order, whatever its number."""
    files = [json.loads(path.read_text()) for path in machine.data.glob("tournaments/*/tournament.json")]
    (copa,) = (file for file in files if file["agreed"]["name"] == "Copa")
    return [json.dumps(each["event"]) for each in copa["events"]]


def test_a_backup_takes_tournaments_along(copa: Generala, tmp_path: Path) -> None:
    copa.ok("tournament", "seat")
    (backup := tmp_path / "all.generala").write_bytes(
        copa("export", "--all", "--format", "generala").out.encode()
    )
    other = Generala(home=tmp_path / "other")
    other.ok("tournament", "new", "Liga", *"Ana Beto Cora".split(), *ONE_TURN)
    assert "tournament Copa is new here" in other.ok("import", str(backup))
    assert "tournament Copa was already here" in other.ok("import", str(backup))
    there, here = (machine.json("tournament", "tables", "--tournament", "Copa") for machine in (other, copa))
    assert there["tables"] == here["tables"]
    copy = copa.data / "tournaments/1/tournament (copy).json"
    copy.write_bytes((copa.data / "tournaments/1/tournament.json.bak").read_bytes())
    assert "a different version" in copa("tournament", "tables").err
    copa.ok("doctor", "--accept", "tournament-1")
    copa.ok("tournament", "tables")


def test_nobody_is_seated_where_too_few_are_left(copa: Generala) -> None:
    copa.ok("tournament", "drop", *"Ana Beto Cora Dani Eva".split())
    refused = copa("tournament", "seat")
    assert (refused.code, refused.err) == (
        1,
        "generala: 2 players are not enough for a round; to add players, run generala tournament add NAME\n",
    )
    assert copa.json("games")["games"] == []


def test_a_move_gives_way_to_hands_that_another_machine_entered(tmp_path: Path) -> None:
    ours, bar = (Generala(home=tmp_path / name) for name in ("ours", "bar"))
    (shared := tmp_path / "shared").mkdir()
    ours.ok("tournament", "new", "Copa", *"Ana Beto Cora Dani Eva Fito Gus".split(), *ONE_TURN)
    before = ours.json("tournament", "seat")["tables"]
    one, other = (table["players"][0] for table in before)
    ours.ok("sync", str(shared), "--as", "ours")
    bar.ok("sync", str(shared), "--as", "bar")
    bar.ok("scratch", "ones", "--game", "1")
    ours.ok("tournament", "move", one, other)
    for machine in (bar, ours, bar, ours):
        machine.ok("sync")
    for machine in (ours, bar):
        found = machine.json("tournament", "tables")
        assert [table["players"] for table in found["tables"]] == [table["players"] for table in before]
        assert [table["turns"] for table in found["tables"]] == [1, 0]
        assert found["cancelled"] == [{"event": 2, "what": f"{one} and {other} swapped seats"}]
        assert "event 2 was cancelled, because a different machine" in machine.ok("tournament", "tables")
        assert len(machine.json("games")["games"]) == 2
        log = machine.json("tournament", "log")["events"]
        assert [(each["kind"], each["state"]) for each in log[1:]] == [
            ("moved", "undone"),
            ("cancelled", "stands"),
        ]


def test_moves_of_an_older_program_give_the_same_standings(generala: Generala) -> None:
    """In a backup of 25 November 2026, Fito moved before round 1, and Ana and Dani swapped before round 2."""
    generala.ok("import", str(Path(__file__).with_name("moved.generala")))
    found = generala.json("tournament", "standings")
    assert [(each["player"], each["points"]) for each in found["standings"]] == [
        ("Eva", "2.5"),
        ("Gus", "2.5"),
        ("Cora", "7/3"),
        ("Beto", "7/3"),
        ("Dani", "5/6"),
        ("Fito", "5/6"),
        ("Ana", "2/3"),
    ]
    assert found["over"]
    assert [each["players"] for each in generala.json("tournament", "tables")["tables"]] == [
        ["Gus", "Beto", "Cora", "Ana"],
        ["Eva", "Fito", "Dani"],
    ]
    assert "an older program made this move" in generala("tournament", "undo").err
    generala.ok("tournament", "undo", "--event", "3")
    assert len(generala.json("tournament", "tables")["tables"]) == 2


def test_late_players_see_when_they_play_and_how_to_play_now(copa: Generala) -> None:
    seated = copa.json("tournament", "seat")["tables"]
    smallest = min(seated, key=lambda table: len(table["players"]))["table"]
    added = copa.ok("tournament", "add", "Renée")
    says = "Renée plays from round 2; for a seat in this round, type "
    command = f"generala tournament move Renée --table {smallest} --tournament 1"
    assert f"{says}{command}\n" in added
    assert f"{says}{command}\n" in copa.ok("tournament", "tables")
    refused = copa("tournament", "seat").err
    assert "round 1 is seated, and nobody has thrown yet; generala tournament seat --again" in refused
    assert "plays from" not in copa.ok(*command.split()[1:])
    for table in seated:
        copa.ok("scratch", "sixes", "--game", str(table["game"]))
    assert "tables 1 and 2 are still playing" in copa("tournament", "seat").err
    assert "Zoë plays from round 2\n" in copa.ok("tournament", "add", "Zoë")
    found = copa.json("tournament", "tables")["without_seat"]
    assert found == [{"player": "Zoë", "next_round": 2, "free_table": None}]
