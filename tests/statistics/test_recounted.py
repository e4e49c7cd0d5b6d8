"""A database recounts the results of stats, records and versus from exports of the same games."""

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from generala_cli.game import decisions
from generala_cli.game.events import Scored, Scratched
from generala_cli.statistics.significance import LEVEL, Sample, paired_test, sign_test, welch_test
from tests.cli.program import Generala
from tests.game.table import Table, house
from tests.statistics.test_games import leave
from tests.store.files import store_in

GAMES = 80
PEOPLE = ("Ana", "Beto", "Cora", "Dani")
OTHER = {"Ana": "Anita", "Anita": "Ana"}
"""Another name of the same person."""
RULES = (("general",), ("general", "bonus=10"), ("generala",), ("kniffel",))
Row = dict[str, Any]
"""A part of a document."""
Counted = tuple[Any, ...]
"""Three keys and the figures that they have."""


class Recounted(NamedTuple):
    """A store of many games, and a database that has read what was exported of it."""

    generala: Generala
    tables: list[Table]
    ask: Callable[[str], list[Counted]]


VIEWS = Path(__file__).with_name("recounted.sql").read_text()


def play(randomness: Random) -> Table:
    """Play a game with random hands, sometimes with an undo, a renamed player, or no end."""
    names = [randomness.choice([name, OTHER.get(name, name)]) for name in randomness.sample(PEOPLE, 4)]
    count = randomness.randint(2, 4)
    teams = [f"{names[0]}+{names[2]}", f"{names[1]}+{names[3]}"] if count == 4 else []
    teams = teams if randomness.random() < 0.5 else []
    table = Table(house(*randomness.choice(RULES)), *names[:count], teams=teams)
    most = 5 if randomness.random() < 0.1 else 1000
    while not table.game.is_over and len(table.events) < most:
        enter(table, randomness)
        if randomness.random() < 0.05:
            table.undo()
    if (name := table.game.seats[0]) in OTHER and randomness.random() < 0.5:
        table.rename(name, OTHER[name])
    return table


def enter(table: Table, randomness: Random) -> None:
    """Enter the next hand in any possible box. Instant wins are rare."""
    game, player = table.game, table.game.to_move
    assert player is not None
    dice = "66666" if randomness.random() < 0.01 else "".join(map(str, randomness.choices(range(1, 7), k=5)))
    roll = randomness.randint(1, 3)
    choices = decisions.choices(game, player, tuple(map(int, dice)), roll)
    if choices:
        table.score(player, dice, randomness.choice(choices).category.id, roll=roll)
    else:
        table.scratch(player, randomness.choice(game.fillable_categories(player)).id, dice, roll=roll)


@pytest.fixture(scope="module")
def recounted(tmp_path_factory: pytest.TempPathFactory) -> Recounted:
    duckdb = pytest.importorskip("duckdb")
    folder = tmp_path_factory.mktemp("recounted")
    generala, randomness = Generala(home=folder), Random(GAMES)
    tables = [play(randomness) for _ in range(GAMES)]
    for number, table in enumerate(tables, start=1):
        leave(store_in(generala.data), table, number, days=randomness.randrange(GAMES))
    generala.ok("players", "same", "Ana", "Anita")
    database = duckdb.connect()
    for form, file in (("ndjson", "games.ndjson"), ("csv", "entries.csv")):
        path = folder / file
        assert generala("export", "--all", "--format", form, "-o", str(path)).code == 0
    database.sql(VIEWS.replace("'games.", f"'{folder}/games.").replace("'entries.", f"'{folder}/entries."))
    return Recounted(generala, tables, lambda query: list(database.sql(query).fetchall()))


def kind(of: Row) -> str:
    """The rules and options of a game."""
    return f"{of['rules']} {' '.join(f'{key}={value}' for key, value in of['settings'].items())}"


def figures(rows: Iterable[Counted]) -> dict[Counted, Any]:
    """Return the values by key, without rounded ones."""
    return {row[:3]: tuple(map(_near, row[3:])) for row in rows}


def _near(figure: object) -> object:
    return pytest.approx(figure, abs=1e-8) if isinstance(figure, float) else figure


def by_keys(rows: Iterable[Counted]) -> dict[Counted, Any]:
    """The figures that the program recounted, by their keys."""
    return {row[:3]: row[3:] for row in rows}


@pytest.mark.slow
def test_everyones_games_wins_and_streaks(recounted: Recounted) -> None:
    found = recounted.generala.json("stats")
    assert [(found["games"],)] == recounted.ask("select count(distinct game) from part")
    own = ("games", "wins", "win_share")
    mine = by_keys(
        (each["player"], "", "", *(each[key] for key in own), *each["streaks"].values())
        for each in found["players"]
    )
    assert mine == figures(
        recounted.ask(
            """select player, '', '', count(*), sum(share), avg(share),
                arg_max(if(won, long, -long), (started, game)), max(if(won, long, 0)), max(if(won, 0, long))
                from run group by player"""
        )
    )
    assert found["left_out"] == {
        "unfinished": sum(not table.game.is_over for table in recounted.tables),
        "undone": sum(taken_back(table) for table in recounted.tables if table.game.is_over),
        "damaged": [],
    }


def taken_back(table: Table) -> int:
    """Return the number of undone entries."""
    return sum(isinstance(event, (Scored, Scratched)) for event in table.events) - len(table.game.entries)


@pytest.mark.slow
def test_everyones_totals_and_boxes(recounted: Recounted) -> None:
    found = [
        (each["player"], of) for each in recounted.generala.json("stats")["players"] for of in each["rules"]
    ]
    totals = ("games", "wins", "mean", "best", "spread")
    mine = by_keys(((player, kind(of), "", *(of[key] for key in totals)) for player, of in found))
    assert mine == figures(
        recounted.ask(
            """select player, kind, '', count(*), sum(share), avg(total), max(total), stddev_samp(total)
                from part group by player, kind"""
        )
    )
    boxes = ("boxes", "scratched", "served")
    mine = by_keys(((player, kind(of), "", *(of[key] for key in boxes)) for player, of in found))
    assert mine == figures(
        recounted.ask(
            "select player, kind, '', count(*), avg(scratched), avg(served) from box group by player, kind"
        )
    )
    own = (*boxes, "mean", "best")
    mine = by_keys(
        (
            (player, kind(of), each["category"], *(each[key] for key in own))
            for player, of in found
            for each in of["categories"]
        )
    )
    assert mine == figures(
        recounted.ask(
            """select player, kind, category, count(*), avg(scratched), avg(served), avg(points), max(points)
                from box group by all"""
        )
    )


@pytest.mark.slow
def test_differences(recounted: Recounted) -> None:
    samples: dict[str, dict[str, Sample]] = {}
    rows = recounted.ask(
        "select kind, player, count(*), sum(total), sum(total * total) from part group by all"
    )
    for of, player, count, total, squares in rows:
        samples.setdefault(of, {})[player] = Sample(count=count, total=int(total), squares=int(squares))
    counted: list[Counted] = []
    for of, each in samples.items():
        first, *others = sorted(each, key=lambda name: -each[name].mean)
        pairs = len(each) * (len(each) - 1) / 2
        for other in others:
            p = welch_test(each[first], each[other])
            points = each[first].mean - each[other].mean
            counted.append((of, first, other, points, p, p * pairs <= LEVEL))
    found = recounted.generala.json("stats")["differences"]
    mine = by_keys((kind(d), d["ahead"], d["behind"], d["points"], d["p"], d["sure"]) for d in found)
    assert mine == figures(counted)


_BEST = "select *, rank() over (partition by kind order by value {}) as place from ({})"
_MARGIN = """select game, kind, started, arg_max(name, won) as name,
        max(if(won, together, null)) - max(if(won, null, together)) as value
    from side group by game, kind, started having count_if(won) = 1"""
RECORDS = {
    "highest total": _BEST.format("desc", "select *, player as name, total as value from part"),
    "lowest total that won": _BEST.format("asc", "select *, together as value from side where won"),
    "widest margin": f"select * from ({_BEST.format('desc', _MARGIN)}) where value > 0",
    "narrowest margin": _BEST.format("asc", f"select * from ({_MARGIN}) where value > 0"),
    "most scratches": _BEST.format(
        "desc",
        """select kind, player as name, value, max(started) as started, arg_max(game, (started, game)) as game
            from part join (select kind, player, sum(scratched::int) as value from box group by all)
            using (kind, player) where value > 0 group by all""",
    ),
    "most wins": _BEST.format(
        "desc",
        """select '' as kind, player as name, count(distinct game) as value, max(started) as started,
            arg_max(game, (started, game)) as game from part where won group by player""",
    ),
    "longest run of wins": _BEST.format(
        "desc", "select *, '' as kind, player as name, long as value from run where won"
    ),
}


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize("record", RECORDS)
def test_records(recounted: Recounted, record: str) -> None:
    found = recounted.generala.json("records")["records"]
    mine = by_keys(
        (kind(best) if best["rules"] else "", held["name"], held["game"], best["value"], held["started"])
        for best in found
        if best["record"] == record
        for held in best["holders"]
    )
    assert mine == figures(
        recounted.ask(
            f"""select kind, name, game, value::int, strftime(started, '%Y-%m-%dT%H:%M:%SZ')
                from ({RECORDS[record]}) where place = 1"""
        )
    )


def test_versus(recounted: Recounted) -> None:
    found = recounted.generala.json("versus", *PEOPLE)["pairs"]
    assert [tuple(pair["players"]) for pair in found] == list(combinations(PEOPLE, 2))
    pairs = len(found)
    met = [(*pair["players"], of, each) for pair in found for of, each in duels(pair)]
    mine = by_keys(
        (
            (one, other, of, *each["ahead"].values(), each["level"], each["games"], each["p"], each["sure"])
            for one, other, of, each in met
        )
    )
    assert mine == figures(
        (
            (
                *key,
                ahead,
                behind,
                games - ahead - behind,
                games,
                p := sign_test(ahead, behind),
                p * pairs <= LEVEL,
            )
            for *key, ahead, behind, games in recounted.ask(
                """select one, other, kind, count_if(ahead), count_if(behind), count(*)
                    from duel where one < other group by grouping sets ((one, other), (one, other, kind))"""
            )
        )
    )
    points = ("mean", "spread", "points_p", "points_sure")
    mine = by_keys(((one, other, of, *(each[key] for key in points)) for one, other, of, each in met if of))
    assert mine == figures(
        (
            (*key, sample.mean, sample.spread, p := paired_test(sample), p * pairs <= LEVEL)
            for *key, count, total, squares in recounted.ask(
                """select one, other, kind, count(*), sum(points), sum(points * points)
                    from duel where one < other group by all"""
            )
            for sample in [Sample(count=count, total=int(total), squares=int(squares))]
        )
    )


def duels(pair: Row) -> Iterator[tuple[str | None, Row]]:
    """All games of two people, and those of each kind."""
    yield None, pair
    yield from ((kind(duel), duel) for duel in pair["rules"])
