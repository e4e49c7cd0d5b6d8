"""advise, odds and review in the shell."""

import re
from collections.abc import Mapping

import pytest
from rich.cells import cell_len

from tests.cli.program import Generala
from tests.cli.refusing import Command, refused
from tests.sizes import thinned

ESCAPES = re.compile("\x1b\\[[0-9;]*[A-Za-z]")
ASKED: Mapping[str, tuple[int, Command]] = {
    "one player": (2, ("odds", "--players", "1")),
    "no dice": (2, ("advise",)),
    "a face too high": (2, ("advise", "44127")),
    "a die too few": (2, ("advise", "4412")),
    "throw 0": (2, ("advise", "44126", "--roll", "0")),
    "a throw past the last": (1, ("advise", "44126", "--roll", "4")),
    "a category for a throw": (2, ("advise", "44126", "full")),
    "unknown player": (1, ("advise", "44126", "--player", "Zoe")),
    "unknown rules": (1, ("advise", "44126", "--rules", "bridge")),
    "unknown category": (1, ("advise", "44126", "--filled", "yahtzee")),
    "a category twice": (2, ("advise", "44126", "--filled", "ones,ones=3")),
    "no points": (2, ("advise", "44126", "--filled", "ones=x")),
    "impossible points": (1, ("advise", "44126", "--filled", "twos=3")),
    "categories apart": (2, ("advise", "44126", "--filled", "ones", "twos")),
    "a value for an impossible instant win": (
        1,
        ("advise", "345", "--rules", "crag", "--instant-value", "9"),
    ),
    "all filled": (1, ("advise", "345", "--rules", "crag", "--filled", "1,2,3,4,5,6,c,thi,toak,hs,ls,es,os")),
    "spares in a game without": (2, ("advise", "44126", "--rules", "general", "--spares", "1")),
    "too many spares": (2, ("advise", "44126", "--rules", "golden-fifty", "--spares", "21")),
    "a throw past the spares": (
        1,
        ("advise", "44126", "--rules", "golden-fifty", "--spares", "1", "--roll", "5"),
    ),
    "a player in no game": (2, ("advise", "44126", "--rules", "general", "--player", "Ana")),
    "to an unknown end": (2, ("advise", "44126", "--to", "luck")),
    "to win in no game": (2, ("advise", "44126", "--to", "win", "--rules", "general")),
    "the cost of a payout": (2, ("review", "--to", "payout")),
    "no choices": (2, ("advise", "44126", "--top", "0")),
    "less than nothing": (2, ("advise", "44126", "--instant-value", "-1")),
    "unknown game": (1, ("review", "9")),
    "odds of another game": (2, ("odds", "1")),
}


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize("asked", thinned(zip(ASKED), every=2))
def test_what_cannot_be_answered_gets_a_sentence(played: Generala, asked: str) -> None:
    code, typed = ASKED[asked]
    assert refused(played, typed, code).err.count("\n") == 1


@pytest.mark.parametrize("typed", [("advise", "44126"), ("odds",), ("review",)])
def test_without_a_game_there_is_one_to_start(generala: Generala, typed: Command) -> None:
    assert "generala new" in refused(generala, typed, 1).err


def test_advice_is_about_the_player_to_move(played: Generala) -> None:
    document = played.json("advise", "4", "4", "1", "2", "6", "--roll", "1")
    assert (
        document["game"],
        document["player"],
        document["total"],
        document["roll"],
        document["last_roll"],
    ) == (
        1,
        "Ana",
        30,
        1,
        3,
    )
    best = document["choices"][0]
    assert (best["action"], best["keep"], best["cost"]) == ("keep", [4, 4], 0)
    assert sum(each["scored"] + each["scratched"] for each in best["categories"]) == pytest.approx(1)
    assert "full-house" not in {each["category"] for each in best["categories"]}
    beto = played.json("advise", "44126", "--roll", "1", "--player", "beto")
    assert (beto["player"], beto["total"]) == ("Beto", 35)


def test_a_sheet_that_is_typed_gets_the_same_advice_as_that_of_a_game(played: Generala) -> None:
    of_game = played.json("advise", "44126", "--roll", "2")
    document = played.json("advise", "44126", "--roll", "2", "--filled", "full=30")
    by_name = played.json("advise", "44126", "--roll", "2", "--rules", "general", "--filled", "full=30")
    assert of_game["choices"] == document["choices"] == by_name["choices"]
    assert (document["game"], document["player"]) == (None, None)


def test_on_the_last_throw_every_category_is_listed_with_its_cost(played: Generala) -> None:
    shown = played.ok("advise", "4", "4", "1", "2", "6")
    assert shown.startswith("Game 1, Ana: 4 4 1 2 6 on throw 3 of 3\nscore ")
    assert sum(line.startswith(("score ", "scratch ")) for line in shown.splitlines()) == 9
    assert len(played.json("advise", "44126", "--top", "4")["choices"]) == 4


def test_a_hand_that_wins_at_once_is_named(played: Generala) -> None:
    document = played.json("advise", "55555", "--roll", "1", "--instant-value", "500")
    best = document["choices"][0]
    assert (best["instant_win"], best["category"], best["expected"]) == (True, "general", 530)
    assert document["instant_value"] == 500
    assert "it wins at once" in played.ok("advise", "55555", "--roll", "1")
    shown = " ".join(played.ok("advise", "55555", "--roll", "1").split())
    assert "an instant win counts as the highest total that is still possible, 265" in shown
    without = played.ok("advise", "44126", "--rules", "generala", "--filled", "generala=0")
    assert "instant win" not in without
    assert played.json("advise", "345", "--rules", "crag")["instant_value"] is None


def test_spares_are_spent_when_they_should_be(generala: Generala) -> None:
    typed = ("advise", "33334", "--rules", "golden-fifty", "--filled", "1,2,3,4,5,6,ls,hs,full")
    without = generala.json(*typed)["choices"]
    assert [(choice["action"], choice["category"]) for choice in without] == [("scratch", "golden-fifty")]
    with_one = generala.json(*typed, "--spares", "1")
    best = with_one["choices"][0]
    assert (with_one["last_roll"], best["action"], best["keep"]) == (4, "keep", [3, 3, 3, 3])
    assert best["expected"] == pytest.approx(50 / 6)


def test_an_upper_bonus_counts_from_the_points_that_are_typed(generala: Generala) -> None:
    filled = "2=10,3=15,4=16,5=15,three-of-a-kind,four-of-a-kind,full,small,large,kniffel,chance"
    document = generala.json("advise", "11123", "--rules", "kniffel", "--filled", filled)
    best = document["choices"][0]
    assert (document["total"], best["category"], best["points"]) == (56, "ones", 3)
    sixes, one_six_at_least = 30 * (1 - (5 / 6) ** 3), 1 - (5 / 6) ** 15
    assert best["expected"] == pytest.approx(56 + 3 + sixes + 35 * one_six_at_least)
    by_name = generala.json(
        "advise", "11123", "--rules", "kniffel", "--filled", re.sub("=[0-9]+", "", filled)
    )
    assert by_name["total"] == 0


@pytest.mark.slow
def test_odds_add_up(played: Generala) -> None:
    document = played.json("odds")
    assert [each["player"] for each in document["odds"]] == ["Ana", "Beto"]
    assert sum(each["wins"] for each in document["odds"]) == pytest.approx(1)
    assert sum(float(each["payout"]) for each in document["odds"]) == pytest.approx(0, abs=0.01)
    shown = played.ok("odds")
    assert "█" in shown
    assert "if everyone plays for the highest expected total" in shown


@pytest.mark.slow
def test_odds_are_between_sides(generala: Generala) -> None:
    generala.ok("new", "A", "B", "C", "D", "--team", "A+C", "--team", "B+D", "--rules", "generala", "-q")
    document = generala.json("odds")
    assert [each["team"] for each in document["odds"]] == ["A+C", "B+D"]
    assert sum(each["wins"] for each in document["odds"]) == pytest.approx(1)
    assert "A+C" in generala.ok("odds")


@pytest.mark.slow
def test_luck_and_mistakes_lead_from_the_start_to_the_end(played: Generala) -> None:
    document = played.json("review")
    assert [turned["turn"] for turned in document["turns"]] == [1, 2]
    for turned in document["turns"]:
        mine = document["players"][turned["player"]]
        assert (mine["luck"], mine["mistakes"]) == (turned["luck"], turned["mistake"])
        expected = turned["expected"] + turned["luck"] - turned["mistake"]
        player = next(p for p in played.json("odds")["odds"] if p["player"] == turned["player"])
        assert expected > player["total"]
    assert sum(document["turns"][-1]["chances"].values()) == pytest.approx(1)
    assert "chance to win" in played.ok("review")


@pytest.mark.slow
def test_what_was_kept_is_judged_where_the_throws_are_known(generala: Generala) -> None:
    """The best choice of `advise` costs nothing; any other choice costs what `advise` says."""
    generala.ok("new", "Ana", "Beto", "--rules", "general", "-q")
    choices = generala.json("advise", "44126", "1")["choices"]
    costs = {tuple(choice["keep"]): choice["cost"] for choice in choices if choice["action"] == "keep"}
    generala.ok("score", "44455", "--threw", "44126:144", "--threw", "14455:4455", "-q")
    generala.ok("scratch", "ones", "-q")
    document = generala.json("review")
    mine, theirs = document["turns"]
    assert [(kept["roll"], kept["kept"]) for kept in mine["keeps"]] == [(1, [1, 4, 4]), (2, [4, 4, 5, 5])]
    assert mine["keeps"][0]["cost"] == pytest.approx(costs[1, 4, 4])
    assert costs[tuple(mine["keeps"][0]["best"])] == 0
    assert mine["keeping"] == pytest.approx(sum(kept["cost"] for kept in mine["keeps"]))
    assert (theirs["keeping"], theirs["keeps"]) == (None, [])
    assert (document["players"]["Ana"]["keeping"], document["players"]["Beto"]["keeping"]) == (
        mine["keeping"],
        None,
    )
    shown = generala.ok("review")
    assert "keep 44 of 44126" in shown
    assert f"kept 144 of 44126 cost {mine['keeps'][0]['cost']:.1f}; keeping 44 was better" in shown


@pytest.mark.slow
def test_a_hand_that_was_better_not_entered_yet_is_reported(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto", "--rules", "general", "-q")
    generala.ok("score", "44126", "1", "fours", "-q")
    stopped = generala.json("review")["turns"][0]
    assert (stopped["keeps"][0]["kept"], stopped["keeps"][0]["best"]) == ([1, 2, 4, 4, 6], [4, 4])
    assert "stopped at 44126 cost" in generala.ok("review")


def finish(generala: Generala) -> None:
    """Ana wins at once in the second round."""
    generala.ok("score", "66666", "--roll", "1")


def test_a_finished_game_has_no_odds_and_is_looked_back_on(played: Generala) -> None:
    finish(played)
    assert "generala review" in refused(played, ("odds",), 1).err
    refused(played, ("advise", "44126"), 1)
    document = played.json("review")
    assert document["over"] is True
    assert document["turns"][-1]["chances"] == {"Ana": 1, "Beto": 0}
    assert document["turns"][-1]["mistake"] == 0


@pytest.mark.slow
def test_a_game_without_an_entry_has_nothing_to_look_back_on(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto")
    assert generala.ok("review") == "nothing has been entered yet in game 1\n"
    assert generala.json("review")["turns"] == []


@pytest.mark.slow
@pytest.mark.parametrize("typed", [("advise", "44126", "--roll", "1"), ("odds",), ("review",)])
def test_a_phone_has_room_for_it(played: Generala, typed: Command) -> None:
    with played.on_terminal(*typed, columns=40) as terminal:
        code, shown = terminal.end()
    assert code == 0
    assert max(map(cell_len, ESCAPES.sub("", shown).splitlines())) <= 40


@pytest.mark.thinned(every=2)
@pytest.mark.parametrize("typed", [("odds",), ("review",)])
@pytest.mark.slow
def test_bars_are_drawn_in_ascii_too(played: Generala, typed: Command) -> None:
    plain = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    shown = played.ok(*typed, environment=plain)
    assert shown.isascii()
    assert "?" not in shown


LONG = """
format = 1
name = "long"
title = "Long"
source = "a test"
dice = 5
faces = 6
throws = 3
upper_bonus = {from = 60, points = 30}
"""


@pytest.mark.slow
def test_what_takes_long_says_how_long(generala: Generala) -> None:
    """Fifteen categories and an upper bonus: more than half a million sheets. The test does not wait."""
    numbers = "".join(f'[[category]]\nid="n{face}"\nname="n{face}"\nnumber={face}\n' for face in range(1, 7))
    others = "".join(f'[[category]]\nid="any{n}"\nname="any{n}"\nany=true\npoints="sum"\n' for n in range(9))
    generala.rule_files.mkdir(parents=True)
    (generala.rule_files / "long.toml").write_text(LONG + numbers + others)
    with generala.on_terminal("advise", "44126", "--rules", "long", "--roll", "1") as terminal:
        assert "%" in terminal.until("s left")


@pytest.mark.slow
def test_what_would_take_hours_is_refused(generala: Generala) -> None:
    """Eight dice of nine faces and nine throws once ran without any message."""
    largest = LONG.replace("dice = 5\nfaces = 6\nthrows = 3", "dice = 8\nfaces = 9\nthrows = 9")
    numbers = "".join(f'[[category]]\nid="n{face}"\nname="n{face}"\nnumber={face}\n' for face in range(1, 10))
    others = "".join(f'[[category]]\nid="any{n}"\nname="any{n}"\nany=true\npoints="sum"\n' for n in range(6))
    generala.rule_files.mkdir(parents=True)
    (generala.rule_files / "long.toml").write_text(largest + numbers + others)
    message = refused(generala, ("advise", "11223344", "--rules", "long", "--roll", "1"), 1).err
    assert re.search(r"this would take about \d+ (minutes|hours|days); ask again when", message)


def test_forty_categories_are_refused_at_once(generala: Generala) -> None:
    others = "".join(f'[[category]]\nid="any{n}"\nname="any{n}"\nany=true\npoints="sum"\n' for n in range(40))
    generala.rule_files.mkdir(parents=True)
    (generala.rule_files / "long.toml").write_text(
        LONG.replace("upper_bonus = {from = 60, points = 30}", "") + others
    )
    assert "40 open categories are too many" in refused(generala, ("odds", "--rules", "long"), 1).err


@pytest.mark.slow
def test_a_variant_may_be_asked_about_in_no_game(generala: Generala) -> None:
    variant = ("--rules", "general", "--set", "full-house=99")
    assert "full house  99\n" in generala.ok("check", "55533", *variant)
    assert "score full house 99" in generala.ok("advise", "55533", *variant, "--top", "1")
    assert "with changes: full-house=99" in generala.ok("rules", "show", "general", "--set", "full-house=99")
    assert "points = 99" in generala.ok("rules", "show", "general", "--set", "full-house=99", "--toml")
    crag = ("odds", "--rules", "crag", "--set", "crag=99", "--players", "3")
    found = generala.json(*crag)
    assert (found["game"], [each["player"] for each in found["odds"]]) == (None, ["1", "2", "3"])
    assert sum(each["wins"] for each in found["odds"]) == pytest.approx(1)
    assert generala.ok(*crag).startswith("Crag, crag=99\n")
    assert generala("__complete", "check", "55533", "--rules", "crag", "--set", "cr").out == "crag=\n"


@pytest.mark.slow
def test_where_the_sheet_is_too_large_each_box_is_told_by_itself(generala: Generala) -> None:
    told = generala.json("advise", "444126", "1", "--rules", "maxi-yatzy")
    assert (told["choices"], told["why"][:18]) == ([], "20 open categories")
    assert len(told["boxes"]) == 20
    boxes = {box["category"]: box for box in told["boxes"]}
    fours = boxes["fours"]
    assert fours["keep"] == [4, 4, 4]
    assert fours["points"] == pytest.approx(4 * (3 + 3 * (1 - (5 / 6) ** 2)))  # each die may be thrown twice
    assert fours["turn"] == pytest.approx(4 * 6 * (1 - (5 / 6) ** 3))
    six_alike = (1 - (5 / 6) ** 2) ** 3
    assert boxes["maxi-yatzy"]["made"] == pytest.approx(six_alike)
    assert boxes["maxi-yatzy"]["points"] == pytest.approx(100 * six_alike)
    entered = {
        box["category"]: box for box in generala.json("advise", "123345", "--rules", "maxi-yatzy")["boxes"]
    }
    straight = entered["small-straight"]
    assert (straight["keep"], straight["made"], straight["points"]) == (None, 1, 15)
    assert (
        generala.json("advise", "444126", "1", "--rules", "maxi-yatzy", "--top", "2")["boxes"]
        == told["boxes"][:2]
    )
    assert "fours" in generala.ok("advise", "444126", "1", "--rules", "maxi-yatzy")


@pytest.mark.slow
def test_to_win_is_another_order_with_the_points_beside(played: Generala) -> None:
    """The first choice has the highest chance. The points are the same as in the answer for points."""
    document = played.json("advise", "13455", "--roll", "1", "--to", "win", "-q")
    choices, for_points = document["choices"], played.json("advise", "13455", "--roll", "1")["choices"]
    assert (document["to"], document["asked"], document["exact"]) == ("win", "win", False)
    wins = [each["wins"] for each in choices]
    assert wins == sorted(wins, reverse=True)
    assert {repr(each.get("keep")): each["expected"] for each in choices} == {
        repr(each.get("keep")): each["expected"] for each in for_points
    }
    assert all("wins" not in each for each in for_points)


def test_in_the_last_turn_of_all_only_what_is_missing_counts(generala: Generala) -> None:
    """Ana is 35 ahead, so only a yacht on the last throw wins for Beto."""
    generala.ok("new", "Ana", "Beto", "--rules", "yacht")
    boxes = "ones twos threes fours fives sixes full-house little-straight big-straight choice".split()
    for box in (*boxes, "four-of-a-kind"):
        generala.ok("scratch" if box != "four-of-a-kind" else "score", *_entry(box, "66665"))
        generala.ok("scratch", box)
    generala.ok("scratch", "yacht")
    document = generala.json("advise", "66611", "--roll", "2", "--to", "win", "-q")
    best = document["choices"][0]
    assert (document["exact"], best["keep"], best["wins"]) == (True, [6, 6, 6], pytest.approx(1 / 36))
    scratch = next(each for each in document["choices"] if each["action"] == "scratch")
    assert scratch["wins"] == 0


@pytest.mark.slow
def test_two_alone_both_play_to_win_and_the_others_of_three_for_points(generala: Generala) -> None:
    """A player who plays for points rarely rerolls a good hand, and so is behind with it more often."""
    generala.ok("new", "Ana", "Beto", "--rules", "yacht")
    boxes = "ones twos threes fours fives sixes full-house little-straight big-straight four-of-a-kind yacht"
    for box in boxes.split():
        for _ in "ab":
            generala.ok("scratch", box)
    asked = ("advise", "66654", "--to", "win", "-q")
    alone, words = generala.json(*asked), generala.ok(*asked)
    assert (alone["to"], alone["exact"], alone["others"]) == ("win", True, "win")
    assert "both_from" not in alone
    assert "if both play to win" in words
    generala.ok("join", "Cora")
    generala.ok("leave", "Cora")
    of_three, words = generala.json(*asked), generala.ok(*asked)
    assert (of_three["to"], of_three["exact"], of_three["others"]) == ("win", True, "points")
    assert "if all others play for the highest total" in words
    assert alone["choices"][0]["wins"] < of_three["choices"][0]["wins"]


def _entry(box: str, dice: str) -> tuple[str, ...]:
    return (dice, "--as", box) if box == "four-of-a-kind" else (box,)


@pytest.mark.slow
def test_what_takes_too_long_to_win_is_told_for_points(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto", "--rules", "kniffel")
    document = generala.json("advise", "13455", "--to", "win", "-q")
    assert (document["to"], document["asked"]) == ("points", "win")
    assert "the best play to win takes too long" in generala.ok("advise", "13455", "--to", "win", "-q")
    assert "the best play for the payout takes too long" in generala.ok(
        "advise", "13455", "--to", "payout", "-q"
    )


@pytest.mark.slow
def test_two_alone_are_told_from_when_on_both_play_to_win(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto", "--rules", "general")
    boxes = generala.json("advise", "13455", "--to", "win", "-q")["both_from"]
    words = generala.ok("advise", "13455", "--to", "win", "-q")
    assert f"With about {boxes} open categories left each, both are assumed to play for it" in words
    generala.ok("join", "Cora")
    assert "both_from" not in generala.json("advise", "13455", "--to", "win", "-q")


@pytest.mark.slow
def test_a_look_back_to_win_has_a_column_more(played: Generala) -> None:
    for_points, to_win = (played("review", *more).out for more in ((), ("--to", "win")))
    assert "cost  to win" not in for_points
    assert "cost  to win" in to_win
    assert {line.partition(":")[0] for line in to_win.splitlines()} >= {"luck", "cost", "to win"}


@pytest.mark.slow
def test_config_may_say_what_advice_aims_at(played: Generala) -> None:
    config = played.home / "config" / "config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text('advice = "win"\n')
    assert played.json("advise", "13455", "-q")["to"] == "win"
    assert played.json("advise", "13455", "--to", "points", "-q")["to"] == "points"
    assert played.json("advise", "13455", "--rules", "general", "-q")["to"] == "points"
    config.write_text('advice = "luck"\n')
    assert "luck" in refused(played, ("advise", "13455"), 3).err


@pytest.mark.slow
def test_to_payout_counts_in_the_unit_of_the_game(played: Generala) -> None:
    choices = played.json("advise", "13455", "--to", "payout", "-q")
    assert choices["unit"] == played.json("payouts")["unit"]
    payouts = [float(each["payout"]) for each in choices["choices"]]
    assert payouts == sorted(payouts, reverse=True)


@pytest.mark.slow
def test_rows_that_earn_game_points_have_their_chances(generala: Generala) -> None:
    generala("new", "Ana", "Beto", "--rules", "balut")
    for hand in ("44444", "44444", "44441"):
        generala(hand, "fours")
        generala("11111", "balut")
    found = generala.json("advise", "44426", "2")
    first, *_ = found["choices"]
    assert "best_for_points" not in found
    assert all(0 <= chance <= 1 for choice in found["choices"] for chance in choice["goals"].values())
    assert {*first["goals"]} == {"fours", "fives", "sixes", "straight", "full-house", "choice"}
    assert next(each for each in found["choices"] if each["action"] == "keep")["goals"]["fours"] == 1
    shown = generala("advise", "44426", "2").out
    assert "with the first choice and then the best play for the total: fours 100%, fives " in shown
    assert generala("advise", "44426", "2", "--rules", "balut").out.count("Chances of rows") == 1
    assert "Chances of rows" not in generala("advise", "44426", "--rules", "balut", "--filled", "fours").out
