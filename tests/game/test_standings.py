"""Places, winners, and the reason for the end of a game."""

from generala_cli.game.standings import outcome
from tests.cases import cases
from tests.game.table import Table, house, stand


def placed(totals: dict[str, int], *, instant_winner: str | None = None) -> list[tuple[int, str, int, int]]:
    started = Table(house("generala"), *totals).agreed
    result = outcome(stand(started, totals, instant_winner=instant_winner))
    return [(s.place, s.name, s.total, s.behind) for s in result.standings]


def test_the_highest_total_wins() -> None:
    started = Table(house("generala"), "Ana", "Beto", "Cora").agreed
    result = outcome(stand(started, {"Ana": 90, "Beto": 120, "Cora": 100}))
    assert (result.over, result.reason, result.winners) == (True, "points", ("Beto",))
    assert [leader.name for leader in result.leaders] == ["Beto"]


def test_places_run_from_the_best_down_with_how_far_behind() -> None:
    assert placed({"Ana": 90, "Beto": 120, "Cora": 100}) == [
        (1, "Beto", 120, 0),
        (2, "Cora", 100, 20),
        (3, "Ana", 90, 30),
    ]


@cases(
    ("totals", "places"),
    [
        ([100, 100, 90], [1, 1, 3]),
        ([100, 90, 90], [1, 2, 2]),
        ([100, 100, 100], [1, 1, 1]),
        ([100, 90, 90, 80], [1, 2, 2, 4]),
        ([100, 100, 90, 90], [1, 1, 3, 3]),
        ([0, 0], [1, 1]),
    ],
)
def test_equal_totals_share_a_place_and_the_next_is_skipped(totals: list[int], places: list[int]) -> None:
    players = ["Ana", "Beto", "Cora", "Dani"][: len(totals)]
    assert [place for place, *_ in placed(dict(zip(players, totals, strict=True)))] == places


def test_equal_top_totals_are_joint_winners_in_seat_order() -> None:
    started = Table(house("generala"), "Cora", "Ana", "Beto").agreed
    result = outcome(stand(started, {"Ana": 100, "Beto": 90, "Cora": 100}))
    assert result.winners == ("Cora", "Ana")


def test_a_game_that_goes_on_has_leaders_and_no_winners() -> None:
    table = Table(house("generala"))
    table.score("Ana", "55533", "full-house")
    result = outcome(table.game)
    assert (result.over, result.reason, result.winners) == (False, None, ())
    assert [leader.name for leader in result.leaders] == ["Ana"]


def test_an_instant_win_beats_every_total() -> None:
    assert placed({"Ana": 90, "Beto": 0, "Cora": 100}, instant_winner="Beto") == [
        (1, "Beto", 0, 0),
        (2, "Cora", 100, 0),
        (3, "Ana", 90, 0),
    ]


def test_an_instant_winner_never_shares_the_first_place() -> None:
    started = Table(house("generala"), "Ana", "Beto").agreed
    result = outcome(stand(started, {"Ana": 50, "Beto": 50}, instant_winner="Beto"))
    assert (result.winners, result.reason) == (("Beto",), "instant-win")
    assert [s.place for s in result.standings] == [1, 2]


def test_joint_winning_sides() -> None:
    started = Table(house("generala"), "Ana", "Beto", "Cora", "Dani", teams=["Ana+Cora", "Beto+Dani"]).agreed
    result = outcome(stand(started, {"Ana": 10, "Beto": 30, "Cora": 40, "Dani": 20}))
    assert result.winners == ("Ana+Cora", "Beto+Dani")


PRINTED = {
    "Ana": [0, 4, 9, 8, 20, 12, 25, 35, 40, 0],
    "Beto": [0, 6, 9, 8, 10, 0, 25, 30, 40, 0],
    "Cora": [4, 6, 6, 12, 15, 18, 20, 30, 45, 0],
    "Dani": [3, 4, 6, 12, 20, 18, 25, 30, 40, 60],
}
FIGURES = {"straight": "12345", "full-house": "33555", "four-of-a-kind": "44442", "general": "66666"}
LATER = {"straight": 20, "full-house": 30, "four-of-a-kind": 40, "general": 60}


def play_printed_sheet() -> Table:
    """The printed General sheet of the guide (sources), played box by box."""
    table = Table(house("general"), *PRINTED)
    for row, category in enumerate(table.rules.categories):
        for player, column in PRINTED.items():
            points = column[row]
            if not points:
                table.scratch(player, category.id)
            elif category.number is None:
                roll = 3 if points == LATER[category.id] else 1
                assert table.score(player, FIGURES[category.id], category.id, roll=roll).points == points
            else:
                shown, rest = divmod(points, category.number)
                assert rest == 0
                others = ["1", "2"] if category.number > 2 else ["5", "6"]
                dice = str(category.number) * shown + "".join((others * 3)[: 5 - shown])
                assert table.score(player, dice, category.id).points == points
    return table


def test_the_printed_general_sheet() -> None:
    table = play_printed_sheet()
    assert {player: table.game.total(player) for player in PRINTED} == {
        "Ana": 153,
        "Beto": 128,
        "Cora": 156,
        "Dani": 218,
    }
    result = outcome(table.game)
    assert (result.over, result.reason, result.winners) == (True, "points", ("Dani",))
    assert [s.name for s in result.standings] == ["Dani", "Cora", "Ana", "Beto"]
