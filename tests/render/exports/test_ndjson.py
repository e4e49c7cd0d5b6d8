"""The lines are what their schema says; the guide's queries are run on them by the database itself."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given

from generala_cli.cli.helping import GUIDE
from generala_cli.game.standings import outcome
from generala_cli.render.documents.files import ExportedGameDocument
from generala_cli.render.exports.ndjson import FORM
from tests.cli.shapes import strict
from tests.cli.test_json_shapes import assert_shape
from tests.game.strategies import Played, games
from tests.render.exports.playing import file_of, written, written_by_seal
from tests.transcripts import blocks

SHAPE = strict((ExportedGameDocument,))
QUERIES = blocks((GUIDE / "en" / "data.md").read_text(encoding="utf-8"), "sql")


@given(games(whole=True))
def test_a_line_is_a_finished_game_as_it_ended(played: Played) -> None:
    file = file_of(played.agreed, played.events)
    text = written(FORM, file)
    assert text.count("\n") == 1
    line = json.loads(text)
    assert_shape(line, SHAPE)
    game = played.history.game
    ended = outcome(game)
    places = {name: each.place for each in ended.standings for name in each.contender.members}
    assert {each["player"]: each["total"] for each in line["players"]} == {
        player: game.total(player) for player in game.seats
    }
    assert {each["player"]: each["place"] for each in line["players"]} == places
    assert tuple(line["winners"]) == ended.winners
    assert line["reason"] == ended.reason
    scratched = Counter(entry.player for entry in game.entries if entry.scratched)
    assert {each["player"]: each["scratched"] for each in line["players"]} == {
        player: scratched[player] for player in game.seats
    }
    assert written_by_seal(FORM, file) == text


def league(count: int) -> list[dict[str, Any]]:
    """Games of three people with random totals, as lines."""
    randomness = Random(count)
    return [_line(number, randomness) for number in range(1, count + 1)]


def _line(number: int, randomness: Random) -> dict[str, Any]:
    names = randomness.sample(["Ana", "Beto", "Cora", "Dani"], 3)
    totals = [randomness.randrange(180, 186) for _ in names]
    players = [
        {
            "player": name,
            "played_as": name,
            "team": "",
            "seat": seat,
            "place": 1 + sum(other > total for other in totals),
            "total": total,
            "won": total == max(totals),
            "scratched": randomness.randrange(4),
            "served": 0,
            "left_table": False,
        }
        for seat, (name, total) in enumerate(zip(names, totals, strict=True), start=1)
    ]
    winners = [each["player"] for each in players if each["won"]]
    return {"version": 2, "game": number, "id": f"{number:032x}", "winners": winners, "players": players}


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Sequence[tuple[Any, ...]]]:
    """What each query of the guide answers, of fifty games."""
    duckdb = pytest.importorskip("duckdb")
    text = "".join(f"{json.dumps(line)}\n" for line in league(50))
    (tmp_path / "games.ndjson").write_text(text)
    monkeypatch.chdir(tmp_path)
    return [duckdb.sql(query).fetchall() for query in QUERIES]


def test_the_queries_of_the_guide_count_what_is_there(found: list[Sequence[tuple[Any, ...]]]) -> None:
    leaderboard, versus, scratches = found
    lines = league(50)
    results = [(line, each) for line in lines for each in line["players"]]
    names = sorted({each["player"] for _, each in results})
    shares = dict.fromkeys(names, 0.0)
    for line, each in results:
        shares[each["player"]] += each["won"] / len(line["winners"])
    assert {row[0]: float(row[2]) for row in leaderboard} == pytest.approx(shares)
    for one, other, count, ahead, behind, _ in versus:
        pairs = [
            ({each["player"]: each["place"] for each in line["players"]})
            for line in lines
            if {one, other} <= {each["player"] for each in line["players"]}
        ]
        assert count == len(pairs)
        assert ahead == sum(pair[one] < pair[other] for pair in pairs)
        assert behind == sum(pair[one] > pair[other] for pair in pairs)
    scratched = Counter[str]()
    for _, each in results:
        scratched[each["player"]] += each["scratched"]
    assert {row[0]: row[1] for row in scratches} == scratched
