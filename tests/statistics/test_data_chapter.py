"""The guide's chapter `data`, run on an export of a league, gives the results of `stats` and `versus`."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from generala_cli.cli.helping import chapter_file
from generala_cli.store.sealing import encode
from tests.cli.program import Generala
from tests.statistics.test_recounted import PEOPLE, play
from tests.store.files import AT, file_of
from tests.transcripts import blocks

pytest.importorskip("generala_cli.exchange", reason="the chapter is part of this package")
CHAPTER = chapter_file("data", "en").read_text(encoding="utf-8")
TYPES, *QUERIES, PARQUET = blocks(CHAPTER, "sql")
(SPARK,) = blocks(CHAPTER, "sparksql")
(PANDAS,) = blocks(CHAPTER, "python")
YEARS = 3
GAMES = 60

Rows = Sequence[tuple[Any, ...]]
Ask = Callable[[str], Rows]


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Generala:
    """Return games over several years, the last one with teams. One person has two names."""
    home, randomness = tmp_path_factory.mktemp("league"), Random(GAMES)
    generala = Generala(home=home)
    for number in range(1, GAMES + 1):
        year = number * YEARS // (GAMES + 1)
        table = play(randomness)
        while table.agreed.sides and year < YEARS - 1:
            table = play(randomness)
        started = AT + timedelta(365 * year)
        file = file_of(table.agreed, table.events, game=number)
        path = generala.game(number)
        path.parent.mkdir(parents=True)
        path.write_bytes(encode(replace(file, id=f"{number:032x}", started=started)))
    generala.ok("players", "same", "Ana", "Anita")
    assert generala("export", "--all", "-o", str(home / "games.ndjson")).code == 0
    return generala


@pytest.fixture
def ask(league: Generala, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Return a function that queries DuckDB after loading the lines as in the chapter."""
    duckdb = pytest.importorskip("duckdb")
    monkeypatch.chdir(league.home)
    connection = duckdb.connect()
    connection.execute(TYPES)
    return lambda query: list(connection.execute(query).fetchall())


def near(rows: Rows) -> list[Any]:
    """Return rows to compare, ignoring how engines round values halfway between two numbers."""
    return [
        tuple(pytest.approx(each, abs=0.101) if isinstance(each, float) else each for each in row)
        for row in rows
    ]


@pytest.mark.slow
def test_the_leaderboard_is_that_of_stats(league: Generala, ask: Ask) -> None:
    own = ("rules", "fingerprint", "games", "wins", "mean", "best")
    found = [
        (person["player"], *(each[key] for key in own))
        for person in league.json("stats")["players"]
        for each in person["rules"]
    ]
    assert sorted(ask(QUERIES[0])) == near(sorted(found))


@pytest.mark.slow
def test_who_is_ahead_of_whom_is_as_versus_says(league: Generala, ask: Ask) -> None:
    found = [
        (*pair["players"], of["fingerprint"], of["games"], *of["ahead"].values(), of["mean"])
        for pair in league.json("versus", *PEOPLE)["pairs"]
        for of in pair["rules"]
    ]
    assert sorted(ask(QUERIES[1])) == near(sorted(found))


@pytest.mark.slow
def test_the_queries_stay_as_they_are_for_a_league_in_parquet(ask: Ask) -> None:
    before = [ask(query) for query in QUERIES]
    ask(PARQUET)
    assert {path.parent.name for path in Path().glob("league/*/*.parquet")} == {
        "year=2026",
        "year=2027",
        "year=2028",
    }
    assert [ask(query) for query in QUERIES] == before


@pytest.mark.slow
def test_pandas_counts_as_the_leaderboard(ask: Ask, tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    (tmp_path / "code.py").write_text(
        PANDAS.replace("print(", "(", 1).rstrip() + ".to_json('found.json', orient='split')\n"
    )
    subprocess.run([sys.executable, tmp_path / "code.py"], check=True, capture_output=True)
    found = json.loads(Path("found.json").read_text())
    counted = [(*key, *row) for key, row in zip(found["index"], found["data"], strict=True)]
    assert sorted(counted) == near(
        sorted((name, kind, games, mean, best) for name, _, kind, games, _, mean, best in ask(QUERIES[0]))
    )


@pytest.mark.full
@pytest.mark.skipif(shutil.which("java") is None, reason="there is no Java here, which Spark needs")
def test_spark_counts_as_duckdb(ask: Ask) -> None:
    sql = pytest.importorskip("pyspark.sql")
    expected = [ask(query) for query in QUERIES]
    ask(PARQUET)
    local = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
    }
    spark = sql.SparkSession.builder.master("local[2]").config(map=local).getOrCreate()
    try:
        view, *queries = [each for each in SPARK.split(";\n") if each.strip()]
        spark.sql(view)
        found = [[tuple(row) for row in spark.sql(query).collect()] for query in queries]
    finally:
        spark.stop()
    assert found == [near(rows) for rows in expected[: len(queries)]]
