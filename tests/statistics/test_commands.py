"""stats, records and versus in the shell, and their pictures."""

import re
from pathlib import Path

import pytest

from tests.cli.program import Generala
from tests.cli.refusing import refused


@pytest.fixture
def evening(played: Generala, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generala:
    """One game in progress, two with an instant win by Ana, and one of Beto's under different rules."""
    monkeypatch.chdir(tmp_path)
    for winner, rules in (("Ana", ()), ("Ana", ()), ("Beto", ("--set", "bonus=10"))):
        other = "Beto" if winner == "Ana" else "Ana"
        played.ok("new", other, winner, "--rules", "general", *rules)
        played.ok("score", "66661", "--as", "sixes")
        played.ok("score", "66666", "--roll", "1")
    return played


def test_stats_have_the_keys_that_scripts_rely_on(evening: Generala) -> None:
    document = evening.json("stats")
    ana, beto = document["players"]
    assert (ana["player"], ana["games"], ana["wins"], ana["win_share"]) == ("Ana", 3, 2, pytest.approx(2 / 3))
    assert [(each["rules"], each["settings"], each["games"]) for each in ana["rules"]] == [
        ("general", {}, 2),
        ("general", {"bonus": "10"}, 1),
    ]
    under = beto["rules"][0]
    assert (under["mean"], under["best"], under["spread"]) == (24, 24, 0)
    (sixes,) = under["categories"]
    assert {"category": "sixes", "mean": 24, "scratched": 0, "best": 24}.items() <= sixes.items()
    assert document["left_out"] == {"unfinished": 1, "undone": 0, "damaged": []}
    assert "luck" not in under


def test_until_leaves_out_later_games(evening: Generala) -> None:
    evening.ok("new", "Ana", "Beto", "--rules", "general", "--date", "2026-11-01")
    evening.ok("score", "66666", "--roll", "1")
    until = ("--until", "2026-11-01")
    assert [player["games"] for player in evening.json("stats", *until)["players"]] == [1, 1]
    assert evening.json("records", *until)["games"] == 1
    assert [pair["games"] for pair in evening.json("versus", "Ana", "Beto", *until)["pairs"]] == [1]
    assert [game["game"] for game in evening.json("games", *until)["games"]] == [5]


@pytest.mark.slow
def test_luck_and_mistakes_are_those_of_the_reviews(evening: Generala) -> None:
    document = {person["player"]: person for person in evening.json("stats", "--luck")["players"]}
    reviews = [evening.json("review", number)["players"] for number in ("2", "3")]
    for name, person in document.items():
        own = person["rules"][0]
        assert own["luck"] == pytest.approx(sum(review[name]["luck"] for review in reviews) / 2)
        assert own["mistakes"] == pytest.approx(sum(review[name]["mistakes"] for review in reviews) / 2)


@pytest.mark.slow
def test_one_player_s_costs_are_told_game_by_game_and_drawn(evening: Generala) -> None:
    (ana,) = evening.json("stats", "Ana", "--luck", "--rules", "general")["players"]
    for own in ana["rules"]:
        costs = {each["game"]: each["cost"] for each in own["costs"]}
        assert len(costs) == own["games"]
        for number, cost in costs.items():
            of_review = evening.json("review", str(number))["players"]["Ana"]
            assert cost == pytest.approx(of_review["mistakes"] + (of_review["keeping"] or 0))
    assert "costs" not in evening.json("stats", "--luck")["players"][0]["rules"][0]
    told = evening.ok("stats", "Ana", "--luck")
    first, *_ = ana["rules"][0]["costs"]
    assert f"cost of choices per game, over time\ngame {first['game']}" in told
    assert "--luck shows" in evening.ok("stats", "Ana")
    assert "--luck shows" not in told + evening.ok("stats")


def test_head_to_head_and_records_tell_every_kind_of_game(evening: Generala) -> None:
    (pair,) = evening.json("versus", "beto", "ana")["pairs"]
    assert (pair["players"], pair["ahead"], pair["level"]) == (["Beto", "Ana"], {"Beto": 1, "Ana": 2}, 0)
    assert (pair["p"], pair["sure"], [each["games"] for each in pair["rules"]]) == (1, False, [2, 1])
    records = evening.json("records")["records"]
    assert [(each["record"], each["value"], each["holders"][0]["name"]) for each in records[-1:]] == [
        ("longest run of wins", 2, "Ana")
    ]
    shown = evening.ok("versus", "Ana", "Beto")
    assert "too few games to tell; chance would do that 100% of the time" in shown


def test_without_a_finished_game_nothing_is_made_up(generala: Generala, played: Generala) -> None:
    for command in ("stats", "records"):
        assert "no finished games to count" in played.ok(command)
        assert "not counted: 1 unfinished game" in played.ok(command)
    assert "they have no finished game against each other" in played.ok("versus", "Ana", "Beto")


def test_a_damaged_game_is_named_and_harms_no_other(evening: Generala) -> None:
    (evening.home / "data" / "games" / "3" / "game.json").write_text("{")
    result = evening("stats", "--json")
    assert (result.code, result.err.count("\n")) == (0, 1)
    assert '"damaged":[{"game":3' in result.out


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize("typed", [("stats",), ("stats", "Ana"), ("review", "2")])
def test_a_picture_is_drawn_into_a_file_of_its_own(
    evening: Generala, tmp_path: Path, typed: tuple[str, ...]
) -> None:
    drawn = evening(*typed, "--svg", "it.svg")
    assert (drawn.code, drawn.err) == (0, "generala: saved to it.svg\n")
    assert drawn.out == evening.ok(*typed)
    picture = tmp_path / "it.svg"
    assert re.match(r'<svg xmlns="http://www\.w3\.org/2000/svg" .*</svg>\n$', picture.read_text(), re.DOTALL)
    picture.write_text("mine")
    assert "--yes" in refused(evening, (*typed, "--svg", "it.svg"), 2).err
    assert picture.read_text() == "mine"
    evening.ok(*typed, "--svg", "it.svg", "--yes", "-q")
    assert picture.read_text().startswith("<svg")


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize(
    ("name", "code"),
    [("it.png", 2), (".svg", 2), ("", 2), ("folder.svg", 3), ("nowhere/it.svg", 3), ("x" * 300 + ".svg", 3)],
)
def test_only_what_is_called_a_picture_is_written(
    evening: Generala, tmp_path: Path, name: str, code: int
) -> None:
    (tmp_path / "folder.svg").mkdir()
    before = sorted(tmp_path.iterdir())
    assert refused(evening, ("stats", "--svg", name), code).err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


def test_a_picture_of_nothing_is_refused(
    played: Generala, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "no finished games to draw" in refused(played, ("stats", "--svg", "it.svg"), 1).err
    assert not (tmp_path / "it.svg").exists()


def test_dice_are_those_of_players_who_entered_every_throw(played: Generala) -> None:
    """Ana's turns in game 1 have only their last hands."""
    played.ok("new", "Ana", "Beto", "--rules", "general")
    for line in (
        ("44126:44", "425:444", "44"),
        ("55533", "full"),
        ("12345", "1"),
        ("11226", "x", "ones"),
        ("66612:666", "52", "--as", "sixes"),
    ):
        played.ok(*line)
    document = played.json("stats", "--dice")
    (kind,) = document["kinds"]
    assert (document["games"], document["turns"], kind["throws"]) == (1, 3, 6)
    # 4 4 1 2 6, 4 2 5, 4 4; 1 2 3 4 5; 6 6 6 1 2, 5 2
    assert [each["times"] for each in kind["counts"]] == [3, 5, 1, 6, 3, 4]
    assert (kind["dice"], kind["sure"]) == (22, False)
    assert document["left_out"]["turns"] >= 2
    shown = played.ok("stats", "Ana", "--dice")
    assert "22 dice in 6 throws" in shown
    assert "no sign of unfair dice" in shown
    assert "no throws to count" in played.ok("stats", "Beto", "--dice")
    refused(played, ("stats", "--dice", "--luck"), 2)
