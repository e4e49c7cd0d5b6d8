"""The picture of the chances to win."""

import pytest
from msgspec.structs import replace

from generala_cli.advice.looking_back import review
from generala_cli.advice.pictures import chances
from generala_cli.errors import NotAllowed
from tests.game.table import Table
from tests.render.test_pictures import curves, drawn, texts
from tests.store.files import tiny_rules


def test_chances_run_from_the_first_turn_to_the_last() -> None:
    table = Table(tiny_rules(), "Ana", "Beto")
    table.score("Ana", "23", "twos")
    table.score("Beto", "23", "twos")
    found = review(table.game, 7)
    one, two = found.turns
    turns = (
        replace(one, chances={"Ana": 0.75, "Beto": 0.25}),
        replace(two, chances={"Ana": 1.0, "Beto": 0.0, "Late": 0.0}),
    )
    picture = drawn(chances(replace(found, start={"Ana": 0.5, "Beto": 0.5}, turns=turns)))
    ana, beto, late = curves(picture)
    assert [y for _, y in ana] == [170, 110, 50]
    assert [y for _, y in beto] == [170, 230, 290]
    assert [x for x, _ in ana] == [50, 340, 630]
    assert late == [(630, 290)]
    assert {"Ana", "Beto", "0 %", "100 %", "after turn 2"} <= set(texts(picture))


def test_nothing_to_draw_is_refused() -> None:
    with pytest.raises(NotAllowed):
        chances(review(Table(tiny_rules(), "Ana", "Beto").game, 7))
