"""The picture of totals: names are only text, and lines stay in their frame."""

import pytest

from generala_cli.errors import NotAllowed
from generala_cli.statistics.pictures import totals
from generala_cli.statistics.players import stats
from tests.cases import cases
from tests.render.test_pictures import curves, drawn, texts
from tests.statistics.examined import examined
from tests.statistics.test_drawing import played

HOSTILE = ("<b>&Ana", '"x"', "]]>", "日本太郎", "José María de la Concepción", "&amp;")


@cases("count", [1, 2, 30])
@cases("player", [None, HOSTILE[0]])
def test_names_are_only_text_and_lines_stay_in_their_frame(count: int, player: str | None) -> None:
    found = played(count, HOSTILE)
    picture = drawn(totals(stats(found, player), found))
    shown = texts(picture)
    assert all(name in shown for name in ((player,) if player else HOSTILE[:4]))
    for line in curves(picture):
        assert all(50 <= x <= 630 and 50 <= y <= 290 for x, y in line)


def test_nothing_to_draw_is_refused() -> None:
    with pytest.raises(NotAllowed):
        totals(stats(examined()), examined())
