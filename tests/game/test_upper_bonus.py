"""The upper bonus: the extra points for all number categories, in totals, standings and payouts."""

from decimal import Decimal
from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st

from generala_cli.game.history import undo
from generala_cli.game.payouts import settle
from generala_cli.game.standings import outcome
from tests.cases import cases
from tests.game.strategies import Limits, Played, games, random_entry
from tests.game.table import Table, house
from tests.rules import reference

NUMBERS = reference.NUMBERS
WITH_BONUS = st.sampled_from(
    [
        house("kniffel"),
        house("kniffel", "upper-bonus=50", "upper-bonus-from=20"),
        house("yacht", "upper-bonus=35", "upper-bonus-from=15", "fill-order=top-to-bottom"),
        house("general", "upper-bonus=40", "upper-bonus-from=20"),
    ]
)


def kniffel(*settings: str) -> Table:
    return Table(house("kniffel", *settings))


def number_hand(face: int, count: int) -> str:
    """Return that many dice of a face, and fill up with the next face."""
    return str(face) * count + str(face % 6 + 1) * (5 - count)


def fill_numbers(table: Table, counts: dict[int, int]) -> None:
    """Fill Ana's numbers with that many dice each, and scratch Beto's."""
    for face, count in counts.items():
        number = NUMBERS[face - 1]
        table.score("Ana", number_hand(face, count), number)
        table.scratch("Beto", number)


THREE_OF_EACH = dict.fromkeys(range(1, 7), 3)


def test_three_of_each_number_earn_the_bonus() -> None:
    table = kniffel()
    fill_numbers(table, THREE_OF_EACH)
    assert (table.game.in_numbers("Ana"), table.game.upper_bonus("Ana")) == (63, 35)
    assert (table.game.in_numbers("Beto"), table.game.upper_bonus("Beto")) == (0, 0)
    assert (table.game.total("Ana"), table.game.total("Beto")) == (98, 0)


def test_one_point_less_earns_nothing() -> None:
    table = kniffel()
    fill_numbers(table, THREE_OF_EACH | {1: 2})
    assert (table.game.in_numbers("Ana"), table.game.upper_bonus("Ana")) == (62, 0)
    assert table.game.total("Ana") == 62


def test_it_is_earned_as_soon_as_the_numbers_reach_it() -> None:
    table = kniffel()
    fill_numbers(table, {6: 5, 5: 5})
    assert table.game.upper_bonus("Ana") == 0
    fill_numbers(table, {4: 2})
    assert (table.game.in_numbers("Ana"), table.game.total("Ana")) == (63, 98)


def test_the_figures_count_nothing_towards_it() -> None:
    table = kniffel()
    for category in ("three-of-a-kind", "four-of-a-kind", "kniffel", "chance"):
        table.score("Ana", "66666", category)
        table.scratch("Beto", category)
    assert (table.game.in_numbers("Ana"), table.game.total("Ana")) == (0, 140)


@cases("name", ["generala", "yacht", "golden-fifty"])
def test_other_games_know_none(name: str) -> None:
    table = Table(house(name, "instant-win=never"))
    fill_numbers(table, dict.fromkeys(range(1, 7), 5))
    assert (table.game.upper_bonus("Ana"), table.game.total("Ana")) == (0, 105)


def test_undo_takes_it_back_and_redo_puts_it_back() -> None:
    table = kniffel()
    fill_numbers(table, {6: 5, 5: 5})
    table.score("Ana", "44456", "fours")
    assert table.game.total("Ana") == 102
    table.undo()
    assert table.game.total("Ana") == 55
    table.redo()
    assert table.game.total("Ana") == 102


def test_a_correction_may_lose_it_or_gain_it() -> None:
    table = kniffel()
    fill_numbers(table, THREE_OF_EACH)
    table.amend(1, "11222", "ones")
    assert table.game.total("Ana") == 62
    table.amend(11, "66665", "sixes")
    assert (table.game.in_numbers("Ana"), table.game.total("Ana")) == (68, 103)
    table.amend(11, None, "sixes", scratched=True)
    assert table.game.total("Ana") == 44


def test_it_counts_in_places_and_in_what_is_owed() -> None:
    table = kniffel()
    fill_numbers(table, THREE_OF_EACH)
    table.scratch("Ana", "chance")
    table.score("Beto", "66666", "chance")
    assert [(s.name, s.total, s.behind) for s in outcome(table.game).standings] == [
        ("Ana", 98, 0),
        ("Beto", 30, 68),
    ]
    (debt,) = settle(table.game, method="difference", stake="0.5", unit="USD").debts
    assert (debt.debtor, debt.creditor, debt.points, debt.amount) == ("Beto", "Ana", 68, Decimal("34.00"))


def test_it_is_each_players_own_on_a_side() -> None:
    players = ("Ana", "Beto", "Cora", "Dani")
    table = Table(house("kniffel"), *players, teams=("Ana+Cora", "Beto+Dani"))
    for face, number in enumerate(NUMBERS, start=1):
        for player, count in zip(players, (3, 2, 3, 4), strict=True):
            table.score(player, number_hand(face, count), number)
    # Three of each twice, 63 + 35; two of each and four of each have as many dice: 42 and 84 + 35.
    assert [(s.name, s.total) for s in outcome(table.game).standings] == [
        ("Ana+Cora", 196),
        ("Beto+Dani", 161),
    ]


@given(WITH_BONUS.flatmap(lambda rules: games(rules=rules)))
def test_a_total_has_the_bonus_exactly_when_the_numbers_reach_it(played: Played) -> None:
    game = played.history.game
    bonus = game.rules.upper_bonus
    assert bonus is not None
    for player, column in game.columns.items():
        in_numbers = sum(box.points for name in NUMBERS for box in column.rows.get(name, ()))
        boxes = sum(box.points for box in column.boxes)
        assert game.total(player) - boxes == (bonus.points if in_numbers >= bonus.threshold else 0)


@given(WITH_BONUS.flatmap(lambda rules: games(rules=rules, whole=True)))
def test_places_and_debts_are_of_totals_with_the_bonus(played: Played) -> None:
    game = played.history.game
    assume(not game.agreed.sides and game.instant_winner is None)
    standings = outcome(game).standings
    assert {s.name: s.total for s in standings} == {p: game.total(p) for p in game.seats}
    best = max(map(game.total, game.seats))
    debts = settle(game, method="difference", stake="1", unit="point").debts
    assert {debt.debtor: debt.points for debt in debts} == {
        player: best - game.total(player) for player in game.seats if game.total(player) < best
    }


@given(WITH_BONUS.flatmap(lambda rules: games(rules=rules)), st.integers(0, 2**32))
def test_undo_gives_back_the_totals_before(played: Played, seed: int) -> None:
    history = played.history
    assume(not history.game.is_over)
    before = {player: history.game.total(player) for player in history.game.seats}
    history.add(random_entry(history.game, Random(seed), Limits()))
    history.add(undo(history)[0])
    assert {player: history.game.total(player) for player in history.game.seats} == before


@given(WITH_BONUS.flatmap(lambda rules: games(rules=rules)))
def test_it_is_worked_out_again_from_the_record(played: Played) -> None:
    again = played.replayed().game
    totals = {player: played.history.game.total(player) for player in again.seats}
    assert {player: again.total(player) for player in again.seats} == totals


@given(WITH_BONUS.flatmap(lambda rules: games(rules=rules)))
def test_what_every_action_brought_is_the_difference_it_made(played: Played) -> None:
    for step in played.history.done:
        before, after = ([*map(game.upper_bonus, game.seats)] for game in (step.before, step.after))
        assert step.bonuses.upper == sum(after) - sum(before)


def test_a_game_without_it_has_no_such_changes() -> None:
    table = Table(house("yacht"))
    fill_numbers(table, THREE_OF_EACH)
    assert {step.bonuses.upper for step in table.history.done} == {0}
