"""rename, leave, join, stake and amend --player, and their effect on every view."""

import pytest

from tests.cli.program import Generala
from tests.cli.refusing import Command, refused


@pytest.fixture
def table(generala: Generala) -> Generala:
    """Ana 35 in turn 1, Beto 40 in turn 2; Cora is next."""
    generala.ok("new", "Ana", "Beto", "Cora", "--rules", "general")
    generala.ok("score", "55533", "--roll", "1")
    generala.ok("score", "44441")
    return generala


def test_each_says_what_changed_and_who_is_next(table: Generala) -> None:
    assert table.ok("rename", "An", "Anna") == "Ana is now called Anna\n  Cora is next\n"
    assert table.ok("leave", "Beto") == (
        "Beto left\n  40 points so far, which count at the end\n  Cora is next\n"
    )
    assert table.ok("stake", "0.05", "--unit", "USD") == (
        "played for 0.05 USD a point, difference\n  Cora is next\n"
    )
    table.ok("scratch", "ones")
    assert table.ok("join", "Dani") == "Dani joined\n  Dani first plays 1 missed turn\n  Dani is next\n"
    assert table.ok("undo", "3") == (
        "undone: Dani joined\nundone: Cora, ones scratched\n"
        "undone: played for 0.05 USD a point, difference\n  Cora is next, with all boxes open\n"
    )


def test_what_is_so_already_is_no_event(table: Generala) -> None:
    before = table.files()
    assert "no change" in table.ok("rename", "Ana", "Ana")
    assert "no change" in table.ok("stake", "1", "points")
    assert table.files() == before


def test_a_game_gets_a_label_and_undo_removes_it(table: Generala) -> None:
    assert table.ok("rename", "--label", "Liga 3") == "the label is now Liga 3\n  Cora is next\n"
    assert b'"minor":3' in table.game(1).read_bytes()
    assert table.json("games")["games"][0]["label"] == "Liga 3"
    table.ok("new", "Dani", "Eva")
    table.ok("rename", "--label", "Copa", "--game", "Liga")
    assert table.ok("sheet", "Copa").startswith("Game 1: General, Copa\n")
    table.ok("undo", "2", "--game", "1")
    refused(table, ("sheet", "Copa"), 1)
    assert table.json("games")["games"][0]["label"] == ""
    assert "no change" in table.ok("rename", "--label", "")


@pytest.mark.slow
def test_every_view_has_the_new_name(table: Generala) -> None:
    table.ok("rename", "Ana", "Zoé [/]")
    for view in ("sheet", "standings", "payouts", "log", "games", "odds", "review"):
        output = table.ok(view)
        assert "Zoé [/]" in output
        assert "Ana" not in output.replace("renamed from Ana", "")
    assert '"player":"Ana"' in table.game(1).read_text("utf-8")


def test_a_view_of_old_entries_knows_who_is_who_now(table: Generala) -> None:
    """Two players swap names. A player joins under a free name, is removed by undo, and joins again."""
    for old, new in (("Ana", "X"), ("Beto", "Ana"), ("X", "Beto")):
        table.ok("rename", old, new)
    table.ok("join", "Eva")
    table.ok("scratch", "ones", "--player", "Eva")
    table.ok("undo", "2")
    table.ok("join", "Fede")
    table.ok("rename", "Fede", "Frida")
    lines = table.json("log", "--all")["entries"]
    assert [(line["player"], line.get("name")) for line in lines[:2]] == [("Beto", None), ("Ana", None)]
    assert [(line["player"], line["name"]) for line in lines[2:5]] == [
        ("Ana", "X"),
        ("Beto", "Ana"),
        ("X", "Beto"),
    ]
    assert [line["player"] for line in lines[5:]] == ["Eva", "Eva", "Eva", "Eva", "Frida", "Fede"]


def test_the_sheet_shows_who_left_by_a_mark_and_a_word(table: Generala) -> None:
    table.ok("leave", "Beto")
    output = table.ok("sheet")
    assert "←Beto" in output
    assert "← left" in output
    assert output.count("←  │") == 9
    assert table.json("sheet")["left"] == ["Beto"]
    assert "<Beto" in table.ok("sheet", environment={"PYTHONIOENCODING": "ascii"})


def test_the_log_reports_them_between_the_turns(table: Generala) -> None:
    table.ok("leave", "Cora")
    table.ok("score", "12345")
    table.ok("rename", "Cora", "Carla")
    found = [(line["kind"], line["turn"], line["player"]) for line in table.json("log")["entries"]]
    assert found == [
        ("scored", 1, "Ana"),
        ("scored", 2, "Beto"),
        ("left", None, "Carla"),
        ("scored", 3, "Ana"),
        ("renamed", None, "Cora"),
    ]
    assert "Carla                     renamed from Cora" in table.ok("log")


def test_two_entries_that_change_places_are_shown(table: Generala) -> None:
    output = table.ok("amend", "1", "--player", "Beto")
    was = "turn 1 was Ana's: full house 35, first throw; turn 2 is now Ana's: four of a kind 40"
    assert output.startswith("Beto  55533  full house  35 (5 for the first throw)")
    assert f" ({was})\n" in output
    assert table.json("sheet")["totals"] == {"Ana": 40, "Beto": 35, "Cora": 0}
    lines = table.json("log")["entries"]
    assert [(line["event"], line["turn"], line["player"]) for line in lines] == [
        (3, 1, "Beto"),
        (3, 2, "Ana"),
    ]
    back = table.json("amend", "1", "--player", "Ana")
    assert (back["replaced"]["player"], back["exchanged"]["turn"], back["exchanged"]["player"]) == (
        "Beto",
        2,
        "Beto",
    )


@pytest.mark.slow
def test_odds_hold_the_column_of_who_left(table: Generala) -> None:
    table.ok("leave", "Beto")
    odds = {line["player"]: line for line in table.json("odds")["odds"]}
    assert (odds["Beto"]["expected"], odds["Beto"]["spread"]) == pytest.approx((40, 0), abs=1e-4)
    assert odds["Ana"]["wins"] > odds["Cora"]["wins"] > 0.2


@pytest.mark.slow
def test_a_review_has_no_chances_of_those_who_had_not_come(table: Generala) -> None:
    table.ok("scratch", "ones")
    table.ok("join", "Dani")
    table.ok("leave", "Cora")
    review = table.json("review")
    assert [*review["start"]] == ["Ana", "Beto", "Cora"]
    last = review["changes"][-1]["chances"]
    assert (last["Cora"], sum(last.values())) == (0, pytest.approx(1))
    assert last["Dani"] > 0.2


REFUSED: dict[Command, tuple[int, str]] = {
    ("rename", "Ana", "beto"): (1, "Beto is already in this game; give a different name"),
    ("rename", "Zoe", "Eva"): (1, "there is no player 'Zoe'"),
    ("rename", "Ana", " "): (2, "a player's name is empty"),
    ("rename", "Ana"): (2, "NEW is missing; type generala rename OLD NEW"),
    ("rename", "Ana", "--label", "x"): (2, "Ana and --label cannot be combined"),
    ("rename", "--label", "12"): (2, "the label '12' looks like a game number"),
    ("leave", "Zoe"): (1, "there is no player 'Zoe'"),
    ("join", "ana"): (1, "Ana is already in this game"),
    ("stake", "0"): (2, "'0' is not a stake"),
    ("stake", "1,500"): (2, "type generala stake 1500 or generala stake 1.5"),
    ("stake", "1", "--payout", "pots"): (2, "there is no payout method 'pots'; did you mean pot"),
    ("amend", "1", "--player", "Zoe"): (1, "there is no player 'Zoe'"),
}


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize("typed", REFUSED, ids=" ".join)
def test_what_cannot_be_is_refused(table: Generala, typed: Command) -> None:
    code, message = REFUSED[typed]
    assert message in refused(table, typed, code).err


def test_a_game_that_everyone_left_is_over(table: Generala) -> None:
    for player in ("Ana", "Beto", "Cora"):
        output = table.ok("leave", player)
    assert "the game is over: Beto wins with 40 points" in output
    assert "the game is over" in refused(table, ("join", "Ana"), 1).err
    table.ok("undo")
    assert table.json("sheet")["next"] == "Cora"


# A rematch


def test_off_a_terminal_a_rematch_is_without_who_left_and_says_so(table: Generala) -> None:
    table.ok("leave", "Beto")
    rematch = table("rematch")
    assert "order of play: Ana, Cora" in rematch.out
    assert "Beto left game 1 and is not in this one; generala join NAME" in rematch.err
    assert table.json("rematch", "1", "--back", "Beto")["players"] == ["Ana", "Beto", "Cora"]


@pytest.mark.slow
@pytest.mark.parametrize(("keys", "players"), [("y\n", ["Ana", "Beto", "Cora"]), ("\n", ["Ana", "Cora"])])
def test_on_a_terminal_a_rematch_asks_whether_they_are_back(
    table: Generala, keys: str, players: list[str]
) -> None:
    table.ok("leave", "Beto")
    with table.on_terminal("rematch") as terminal:
        terminal.until("Is Beto back? [y/N] ")
        terminal.type(keys)
        assert terminal.end()[0] == 0
    assert table.json("sheet")["players"] == players


def test_a_rematch_begins_with_the_chosen_player(table: Generala) -> None:
    assert table.json("rematch", "--first", "Be")["players"] == ["Beto", "Cora", "Ana"]
    assert "there is no player 'Zoe'" in refused(table, ("rematch", "--first", "Zoe"), 1).err
    refused(table, ("rematch", "--first", "Ana", "--opening", "Ana=55533"), 2)


def test_a_rematch_of_one_is_refused(table: Generala) -> None:
    for player in ("Ana", "Beto"):
        table.ok("leave", player)
    assert (
        "Ana and Beto left, and one player is not enough for a game; name returning players with --back NAME"
        in (refused(table, ("rematch",), 1).err)
    )
