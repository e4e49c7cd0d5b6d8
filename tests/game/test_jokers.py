"""Yahtzee's jokers, and the bonus for every further five of a kind."""

from decimal import Decimal
from itertools import combinations, combinations_with_replacement

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from generala_cli.errors import GeneralaError, NotAllowed
from generala_cli.game.decisions import choices, judge
from generala_cli.game.game import Box, Column, Game, new_game
from generala_cli.game.payouts import settle
from generala_cli.game.turn import Turn
from generala_cli.rules.describing import describe_rules
from tests.game.strategies import Played, games
from tests.game.table import Table, hand, house
from tests.rules import reference

RULES = ("forced", "own-box-first", "free", "no")
BOXES = reference.CATEGORIES["yahtzee"]


def yahtzee(*settings: str) -> Table:
    return Table(house("yahtzee", *settings))


def with_yahtzee(*settings: str) -> Table:
    table = yahtzee(*settings)
    table.score("Ana", "66666", "yahtzee")
    table.scratch("Beto", "ones")
    return table


def test_a_further_one_earns_a_hundred_and_must_go_to_its_number() -> None:
    table = with_yahtzee()
    with pytest.raises(NotAllowed, match="is a joker, and must go to Ana's fours while it is open"):
        table.score("Ana", "44444", "full-house")
    with pytest.raises(NotAllowed, match="is a joker, and must go to Ana's fours while it is open"):
        table.scratch("Ana", "ones", "44444")
    table.score("Ana", "44444")
    assert table.points("Ana") == {"yahtzee": 50, "fours": 20}
    assert (table.game.total("Ana"), table.column("Ana").extra_bonus) == (170, 100)


def test_with_its_number_filled_it_pays_in_full_below_and_nothing_above() -> None:
    table = with_yahtzee()
    table.score("Ana", "44444")
    table.scratch("Beto", "twos")
    with pytest.raises(NotAllowed, match="must go to a lower box while Ana has one open"):
        table.scratch("Ana", "ones", "44444")
    found = {choice.category.id: choice.points for choice in choices(table.game, "Ana", hand("44444"), 3)}
    assert found == {
        "large-straight": 40,
        "small-straight": 30,
        "full-house": 25,
        "three-of-a-kind": 20,
        "four-of-a-kind": 20,
        "chance": 20,
    }


def test_where_the_order_keeps_its_number_shut_it_goes_to_a_lower_box_that_is_due_and_pays_in_full() -> None:
    table = yahtzee("fill-order=lower-first")
    table.score("Ana", "66666", "yahtzee")
    table.scratch("Beto", "yahtzee")
    with pytest.raises(NotAllowed):
        table.score("Ana", "66666", "sixes")
    table.score("Ana", "66666", "full-house")
    assert table.points("Ana") == {"yahtzee": 50, "full-house": 25}
    output = " ".join(map(str, describe_rules(table.game.rules)))
    assert "6 6 6 6 6 in large straight scores 40 before sixes may be filled" in output


def test_a_scratched_box_makes_jokers_and_earns_nothing() -> None:
    table = yahtzee()
    table.scratch("Ana", "yahtzee")
    table.scratch("Beto", "ones")
    table.score("Ana", "22222")
    assert (table.points("Ana"), table.game.total("Ana")) == ({"yahtzee": 0, "twos": 10}, 10)


def test_a_scratch_of_five_alike_earns_the_bonus_where_the_dice_were_typed() -> None:
    table = with_yahtzee("joker=no")
    table.scratch("Ana", "ones", "44444")
    table.scratch("Beto", "twos")
    table.scratch("Ana", "twos")
    assert table.game.total("Ana") == 150


def test_own_box_first_forces_nothing_and_pays_in_full_later() -> None:
    table = with_yahtzee("joker=own-box-first")
    with pytest.raises(NotAllowed, match="counts as a joker in full house only after Ana's fours is filled"):
        table.score("Ana", "44444", "full-house")
    table.score("Ana", "44444", "chance")
    table.scratch("Beto", "twos")
    table.scratch("Ana", "fours")
    table.scratch("Beto", "threes")
    table.score("Ana", "44444", "full-house")
    assert table.points("Ana") == {"yahtzee": 50, "chance": 20, "fours": 0, "full-house": 25}


def test_a_correction_makes_it_or_takes_it_away_and_undo_brings_it_back() -> None:
    table = with_yahtzee()
    table.score("Ana", "44444")
    table.amend(3, "44441", "fours")
    assert table.game.total("Ana") == 66
    table.undo()
    assert table.game.total("Ana") == 170
    table.amend(1, "66666", "yahtzee", scratched=True)
    assert (table.history.done[-1].bonuses.extra, table.game.total("Ana")) == (-100, 20)


def test_a_correction_that_a_later_joker_needs_is_refused_by_name() -> None:
    table = with_yahtzee("joker=free")
    table.score("Ana", "44444", "large-straight")
    with pytest.raises(NotAllowed, match=r"turn 3 would no longer fit: 4 4 4 4 4 is not large straight"):
        table.amend(1, "66666", "chance")


def test_kniffel_is_played_with_extra_kniffel() -> None:
    table = Table(house("kniffel", "extra-kniffel=50"))
    table.score("Ana", "66666", "kniffel")
    table.scratch("Beto", "ones")
    table.score("Ana", "66666", "sixes")
    assert table.game.total("Ana") == 130


def test_it_counts_in_what_a_game_pays() -> None:
    table = with_yahtzee()
    table.score("Ana", "44444")
    paid = settle(table.game, method="difference", stake="0.01", unit="USD")
    assert paid.net == {"Ana": Decimal("1.70"), "Beto": Decimal("-1.70")}


def test_an_order_comes_before_the_joker() -> None:
    table = yahtzee("fill-order=top-to-bottom")
    for number, box in enumerate(BOXES[:-2]):
        table.scratch("Ana", box, "12346" if number else None)
        table.scratch("Beto", box)
    table.score("Ana", "66666")
    table.scratch("Beto", "yahtzee")
    table.score("Ana", "66666")
    assert (table.points("Ana")["chance"], table.game.total("Ana")) == (30, 180)


def stands(joker: str, filled: frozenset[str], held: bool) -> Game:
    """Return a game with Ana's boxes filled like this. All hold points, except perhaps the Yahtzee box."""
    table = yahtzee(f"joker={joker}")
    points = dict.fromkeys(filled, 1) | ({} if held else {"yahtzee": 0})
    boxes = {
        name: (Box(turn=1, points=points[name], scratched=not points[name], roll=3, dice=None),)
        for name in filled
    }
    empty = new_game(table.agreed)
    return Game(
        agreed=table.agreed,
        seats=("Ana", "Beto"),
        columns={**empty.columns, "Ana": Column(rows=boxes), "Beto": Column()},
    )


HANDS = [*combinations_with_replacement(range(1, 7), 5)]
STATES = [frozenset(filled) for size in range(13) for filled in combinations(BOXES, size)]


@pytest.mark.parametrize("joker", RULES)
@pytest.mark.parametrize(
    "every", [pytest.param(5, marks=pytest.mark.slow), pytest.param(1, marks=pytest.mark.full)]
)
def test_every_hand_in_every_box_of_every_sheet_is_what_the_rules_say(joker: str, every: int) -> None:
    """Of 8,191 sheets with an open box. Hands without five of a kind do not depend on the filled boxes."""
    alike = [(face,) * 5 for face in range(1, 7)]
    for filled in STATES[::every]:
        game = stands(joker, filled, held=True)
        for dice in alike:
            assert_as_the_reference(game, joker, filled, dice)


@settings(deadline=None)
@given(st.sampled_from(RULES), st.sampled_from(STATES), st.sampled_from(HANDS), st.booleans())
def test_any_hand_in_any_box_of_any_sheet(
    joker: str, filled: frozenset[str], dice: tuple[int, ...], held: bool
) -> None:
    assert_as_the_reference(stands(joker, filled, held), joker, filled, dice)


def assert_as_the_reference(game: Game, joker: str, filled: frozenset[str], dice: tuple[int, ...]) -> None:
    for category in game.open_categories("Ana"):
        right = reference.yahtzee_points(joker, category.id, dice, dict.fromkeys(filled, 1))
        turn = Turn(player="Ana", dice=dice, category=category)
        try:
            found: int | None = judge(game, turn).points
        except GeneralaError:
            try:
                found = judge(game, replace(turn, is_scratch=True)).points
            except GeneralaError:
                found = None
        assert found == right, (joker, sorted(filled), dice, category.id)


@settings(deadline=None, max_examples=25)
@given(games(rules=house("yahtzee", "joker=free")))
def test_totals_hold_what_a_naive_count_of_the_entries_gives(played: Played) -> None:
    game = played.history.game
    for player in game.seats:
        own = [(entry.dice, entry.category, entry.points) for entry in game.entries if entry.player == player]
        numbers = sum(points for _, box, points in own if box in reference.NUMBERS)
        boxes = sum(points for _, _, points in own)
        extra = reference.extra_points(own)
        assert game.total(player) == boxes + reference.upper_bonus("yahtzee", numbers) + extra
