"""Any order, or from top to bottom (Generala obligada)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generala_cli.errors import NotAllowed
from generala_cli.game.decisions import Undecided
from tests.game.table import Table, house
from tests.rules import reference


def forced() -> Table:
    return Table(house("generala", "fill-order=top-to-bottom"))


def fillable(table: Table, player: str = "Ana") -> list[str]:
    return [category.id for category in table.game.fillable_categories(player)]


def test_any_box_may_be_filled_where_the_order_is_free() -> None:
    table = Table(house("generala"))
    assert len(fillable(table)) == 10
    table.score("Ana", "12345", "straight")
    assert "straight" not in fillable(table)
    assert len(fillable(table)) == 9


def test_only_the_first_open_box_may_be_filled_from_top_to_bottom() -> None:
    table = forced()
    assert fillable(table) == ["ones"]
    table.score("Ana", "11345", "ones")
    assert fillable(table) == ["twos"]
    assert fillable(table, "Beto") == ["ones"]


def test_all_empty_boxes_are_open_even_where_only_one_may_be_filled() -> None:
    assert len(forced().game.open_categories("Ana")) == 10


def test_another_box_than_the_one_due_is_refused_for_a_score() -> None:
    with pytest.raises(NotAllowed, match=r"^boxes must be filled from top to bottom; Ana's next is ones"):
        forced().score("Ana", "12345", "straight")


def test_another_box_than_the_one_due_is_refused_for_a_scratch() -> None:
    with pytest.raises(NotAllowed, match=r"^boxes must be filled from top to bottom; Ana's next is ones"):
        forced().scratch("Ana", "generala")


def test_a_hand_goes_to_the_box_due_when_none_is_named() -> None:
    assert forced().score("Ana", "11111", roll=2).category == "ones"


def test_a_hand_that_does_not_make_the_box_due_is_not_scratched_unasked() -> None:
    with pytest.raises(Undecided) as refused:
        forced().score("Ana", "23456")
    assert refused.value.choices == ()


def test_the_whole_sheet_is_filled_in_its_order() -> None:
    table = forced()
    for category in table.rules.categories:
        assert fillable(table) == [category.id]
        table.scratch("Ana", category.id)
        table.scratch("Beto", category.id)
    assert table.game.is_over


def test_a_filled_box_is_refused_with_what_it_holds() -> None:
    table = Table(house("generala"))
    table.score("Ana", "55533", "fives")
    table.scratch("Beto", "ones")
    boxes = r"choose from full-house \(30\) or threes \(6\)"
    with pytest.raises(NotAllowed, match=rf"^Ana's fives was filled with 15 in turn 1; {boxes}"):
        table.score("Ana", "55533", "fives")
    table.scratch("Ana", "full-house")
    with pytest.raises(NotAllowed, match=r"^Beto's ones was scratched in turn 2"):
        table.score("Beto", "11345", "ones")


def test_a_hand_may_go_to_any_open_box_it_makes() -> None:
    for category, points in [("threes", 15), ("four-of-a-kind", 40), ("generala", 50)]:
        assert Table(house("generala")).score("Ana", "33333", category, roll=2).points == points


def test_a_box_that_the_hand_does_not_make_is_refused_with_the_way_to_scratch_it() -> None:
    with pytest.raises(NotAllowed) as refused:
        Table(house("generala")).score("Ana", "55533", "straight")
    assert str(refused.value.message) == "5 5 5 3 3 is not straight"
    assert str(refused.value.hint).endswith("straight)")


def test_a_number_that_no_die_shows_is_never_scored_as_0() -> None:
    with pytest.raises(NotAllowed, match=r"^5 5 5 3 3 is not sixes"):
        Table(house("generala")).score("Ana", "55533", "sixes")


def test_two_boxes_that_score_most_are_left_to_the_player() -> None:
    table = Table(house("yacht"))
    with pytest.raises(Undecided) as refused:
        table.score("Ana", "55533")  # 21 as a full house and as choice
    assert [(choice.category.id, choice.points) for choice in refused.value.choices] == [
        ("full-house", 21),
        ("choice", 21),
        ("fives", 15),
        ("threes", 6),
    ]


ORDERS = ("any", "top-to-bottom", "bottom-to-top", "upper-first", "lower-first")


@settings(deadline=None, max_examples=50)
@given(st.sampled_from(ORDERS), st.data())
def test_a_whole_sheet_is_filled_in_its_order(order: str, data: st.DataObject) -> None:
    table = Table(house("kniffel", f"fill-order={order}"))
    filled = []
    while not table.game.is_over:
        box = data.draw(st.sampled_from(fillable(table)))
        table.scratch("Ana", box)
        table.scratch("Beto", data.draw(st.sampled_from(fillable(table, "Beto"))))
        filled.append(box)
    sheet = list(reference.CATEGORIES["kniffel"])
    upper = set(reference.NUMBERS)
    if order == "top-to-bottom":
        assert filled == sheet
    elif order == "bottom-to-top":
        assert filled == sheet[::-1]
    elif order == "upper-first":
        assert set(filled[:6]) == upper
    elif order == "lower-first":
        assert set(filled[7:]) == upper
    else:
        assert sorted(filled) == sorted(sheet)


def test_a_box_of_the_other_part_is_refused_with_those_that_are_due() -> None:
    table = Table(house("kniffel", "fill-order=upper-first"))
    with pytest.raises(NotAllowed, match=r"^the upper boxes must be filled first; Ana has some open"):
        table.score("Ana", "12345", "large-straight")
    for box in reference.NUMBERS[:5]:
        table.scratch("Ana", box)
        table.scratch("Beto", box)
    with pytest.raises(NotAllowed, match=r"^the upper boxes must be filled first; Ana's last is sixes"):
        table.scratch("Ana", "chance")
