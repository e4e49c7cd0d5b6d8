"""`train` in the shell: answers are saved, exported and merged."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.program import PROGRAM, Generala, Result, surroundings
from tests.cli.refusing import refused
from tests.validating import Draft202012Validator


@pytest.fixture
def trained(generala: Generala) -> Generala:
    """Ana made five mistakes, three of them in one turn with its throws entered."""
    generala.ok("new", "Ana", "Beto", "--rules", "general")
    for line in ("44126:12 34512:345 11 x ones", "44126:44 425:444 44 poker", "12345 1 fives", "55533 full"):
        generala.ok(*line.split())
    generala.ok("44441", "fours")
    return generala


def answered(generala: Generala, *replies: str, who: str = "Ana") -> Result:
    return generala.process("train", who, stdin="".join(f"{reply}\n" for reply in replies))


def answers(generala: Generala) -> list[dict[str, object]]:
    file = generala.home / "data" / "training" / "training.json"
    return [each["event"] for each in json.loads(file.read_text())["events"]] if file.exists() else []


@pytest.mark.slow
def test_mistakes_come_costliest_first_and_each_answer_is_kept_and_judged(trained: Generala) -> None:
    document = trained.json("train", "-q", "Ana")
    assert (document["player"], document["new"], document["due"]) == ("Ana", 5, 0)
    costs = [hand["cost"] for hand in document["hands"]]
    assert costs == sorted(costs, reverse=True)
    entered = {hand["turn"]: hand["scratched"] for hand in document["hands"] if hand["category"]}
    assert entered == {1: True, 3: False, 5: False}
    assert [(hand["turn"], hand["roll"]) for hand in document["hands"]] == [
        (3, 1),
        (1, 3),
        (1, 2),
        (5, 3),
        (1, 1),
    ]
    replies = ("2345", "?", "7", "straight", "12345", "2345", "x four of a kind", "four of a kind", "keep 44")
    told = answered(trained, *replies).out
    assert "throw 1 of 3: 1 2 3 4 5\nWhich dice do you keep, or which box?\n" in told
    assert (
        "points less than the best: score straight 25\nchance to win if the others play for points: " in told
    )
    assert "; score straight 25 has " in told
    assert "\nin the game: fives, which cost 20.1\n" in told
    assert "\nin the game: scratch ones, which cost " in told
    assert "type a box for the hand" in told
    assert "asked for the first time\nit comes again tomorrow\n" in told
    assert "of 5 answers were right\nAna: 0 mistakes not asked yet\n" in told
    schema = json.loads(trained.ok("schema", "training-file"))
    Draft202012Validator(schema).validate(
        json.loads((trained.home / "data/training/training.json").read_bytes())
    )
    kept = answers(trained)
    # within one second, so their ids decide
    assert {
        (each["hand"]["turn"], each["hand"]["throw"]): each.get("kept") or each.get("category")  # type: ignore[index]
        for each in kept
    } == {
        (3, 1): [2, 3, 4, 5],
        (1, 3): "straight",
        (1, 2): [2, 3, 4, 5],
        (5, 3): "four-of-a-kind",
        (1, 1): [4, 4],
    }
    later = trained.json("train", "-q", "Ana")
    assert (later["new"], later["due"], later["hands"]) == (0, 0, [])
    assert later["next_due"] is not None


@pytest.mark.slow
def test_a_document_has_what_each_choice_is_worth_as_advice_has_it(trained: Generala) -> None:
    """The document has the points of `advise` for the hand, and the dialogue's chance to win."""
    hand = trained.json("train", "-q", "Ana", "--count", "1")["hands"][0]
    told = answered(trained, "fives", "q").out
    best, wins = hand["choices"][0], {each.get("category"): each["wins"] for each in hand["choices"]}
    assert (best["action"], best["category"], best["cost"]) == ("score", "straight", 0)
    assert f": {100 * wins['fives']:.1f}%; score straight 25 has {100 * wins['straight']:.1f}%\n" in told
    filled = ",".join(f"{box}={points}" for box, points in hand["boxes"].items())
    dice = "".join(map(str, hand["dice"]))
    on_sheet = ("--rules", "general", "--filled", filled, "--top", "99")
    advice = trained.json("advise", dice, str(hand["roll"]), *on_sheet)["choices"]
    in_points = ("action", "keep", "category", "points", "cost")
    assert [{key: each.get(key) for key in in_points} for each in hand["choices"]] == [
        {key: each.get(key) for key in in_points} for each in advice
    ]


@pytest.mark.slow
def test_it_says_how_often_others_played_the_same_hand_right(trained: Generala) -> None:
    trained.ok("new", "Beto", "Cora", "--rules", "general")
    for line in ("12345 1 straight", "54321 1 ones", "12345 2 ones"):
        trained.ok(*line.split())
    hand = trained.json("train", "-q", "Ana", "--count", "1")["hands"][0]
    assert (hand["dice"], hand["roll"], hand["alike"], hand["alike_right"]) == ([1, 2, 3, 4, 5], 1, 2, 1)
    told = answered(trained, "straight", "q").out
    assert "this hand on this throw was played right in 1 of 2 other turns\n" in told


@pytest.mark.slow
def test_the_one_who_trained_last_goes_on_and_others_are_named(trained: Generala) -> None:
    refused(trained, ("train",), 2)
    refused(trained, ("train", "Zoe"), 1)
    for count in ("0", "1" + 30 * "0"):
        refused(trained, ("train", "Ana", "--count", count), 2)
    answered(trained, "straight", "q")
    assert trained.json("train", "-q")["player"] == "Ana"


@pytest.mark.slow
def test_without_games_there_are_drawn_hands_the_same_for_everybody(generala: Generala) -> None:
    refused(generala, ("train",), 1)
    assert "train with different rules" in refused(generala, ("train", "--rules", "maxi-yatzy"), 1).err
    assert "draws hands" in refused(generala, ("train", "Ana"), 1).err
    assert "remove the name" in refused(generala, ("train", "Ana", "--rules", "general"), 1).err
    document = generala.json("train", "-q", "--rules", "general", "--count", "2")
    assert [hand["drawn"] for hand in document["hands"]] == [1, 2]
    hand = document["hands"][0]
    reply = "0" if hand["may_keep"] else hand["open"][0]
    told = generala.process("train", "--rules", "general", "--count", "1", stdin=f"{reply}\n").out
    assert "General, drawn hand 1\n" in told
    again = generala.json("train", "-q", "--rules", "general", "--count", "1")["hands"][0]
    assert again["drawn"] == 2


@pytest.mark.slow
def test_a_dry_run_keeps_nothing_and_the_end_of_a_pipe_ends_it(trained: Generala) -> None:
    before = trained.files()
    done = trained.process("train", "Ana", "-n", stdin="straight\n")
    assert (done.code, done.err) == (0, "generala: dry run: nothing was saved\n")
    assert trained.files() == before
    assert trained.process("train", "Ana").code == 0


@pytest.mark.slow
def test_answers_travel_and_are_put_together(trained: Generala, tmp_path: Path) -> None:
    other = Generala(home=tmp_path / "other")
    backup = str(tmp_path / "all.generala")
    answered(trained, "straight", "q")
    trained.ok("export", "--all", "--format", "generala", "-o", backup)
    assert (json.loads(Path(backup).read_bytes().splitlines()[0])["generala"]) == 2
    assert "training is new here" in other.ok("import", backup)
    assert other.json("train", "-q")["new"] == 4
    answered(trained, "ones", "q")
    answered(other, "twos", "fours", "q")
    (tmp_path / "shared").mkdir()
    for _ in range(2):
        for machine, name in ((trained, "one"), (other, "two")):
            machine.ok("sync", str(tmp_path / "shared"), "--as", name)
    ours, theirs = answers(trained), answers(other)
    assert ours == theirs
    assert len(ours) == 4
    assert trained.json("train", "-q", "--json", "--count", "9") == other.json("train", "--count", "9")


@pytest.mark.slow
def test_doctor_knows_the_file_its_backup_and_its_copies(trained: Generala) -> None:
    answered(trained, "straight", "ones", "q")
    path = trained.home / "data" / "training" / "training.json"
    assert trained.json("doctor")["training"]["state"] == "fine"
    assert trained.json("doctor")["others"] == []
    copy = path.with_name("training.sync-conflict.json")
    copy.write_bytes(path.with_name("training.json.bak").read_bytes())
    assert "merge them with generala doctor" in trained("doctor").out
    assert trained("train", "Ana").code == 3
    trained.ok("doctor", "--accept", "training")
    assert not copy.exists()
    assert len(answers(trained)) == 2
    path.write_bytes(b"junk")
    assert trained("doctor", "training").code == 3
    restored = trained.json("doctor", "--restore", "training")
    assert (restored["game"], restored["file"], restored["events"]) == (
        None,
        "training/training.json",
        len(answers(trained)),
    )


@pytest.mark.slow
def test_a_pipe_that_says_nothing_does_not_keep_the_program_for_ever(trained: Generala) -> None:
    """The timeout is that of `prompts`, shortened."""
    code = (
        "import sys\nfrom generala_cli.cli import prompts\nprompts._PATIENCE = 0.2\n"
        "from generala_cli.__main__ import main\nsys.argv = ['generala', 'train', 'Ana']\nmain()"
    )
    reader, writer = os.pipe()
    try:
        done = subprocess.run(
            [PROGRAM[0], "-c", code],
            env=surroundings(trained.home, {}),
            stdin=reader,
            capture_output=True,
            check=False,
            timeout=30,
        )
    finally:
        os.close(writer)
        os.close(reader)
    assert done.returncode == 2
    assert b"no answer for" in done.stderr
