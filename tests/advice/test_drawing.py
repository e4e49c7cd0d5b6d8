"""Advice on the terminal."""

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from generala_cli.advice import drawing
from generala_cli.advice.hands import advice, hand_on_sheet
from generala_cli.game.turnline import TurnLine
from generala_cli.odds.sheets import Sheet
from generala_cli.render.screen import UNICODE, Screen, as_text
from tests.game.table import cached_rules


@pytest.mark.slow
def test_boxes_by_themselves_have_all_figures_on_any_width() -> None:
    rules = cached_rules("maxi-yatzy")
    found = advice(hand_on_sheet(rules, Sheet(), TurnLine(words=["444126"], roll="1")))
    for width in (40, 60, 80):
        screen = Screen(width=width, color=False, marks=UNICODE)
        shown = as_text(drawing.advice(found, rules, screen), screen)
        assert max(map(cell_len, shown.splitlines())) <= width
        for box in found.boxes[:10]:
            assert f"{box.points:.2f}" in shown
            assert f"{box.turn:.2f}" in shown


def test_as_many_decimals_are_shown_as_tell_the_two_best_apart() -> None:
    rules = cached_rules("general")
    found = advice(hand_on_sheet(rules, Sheet(), TurnLine(words=["13455"], roll="1")))
    to_win, for_points = replace(found.choices[1], wins=0.20513), replace(found.choices[0], wins=0.20511)
    close = replace(found, to="win", choices=(to_win, for_points), best_for_points=for_points)
    far = replace(close, best_for_points=replace(for_points, wins=0.197))
    screen = Screen(width=100, color=False, marks=UNICODE)
    shown = as_text(drawing.advice(close, rules, screen), screen)
    assert "20.513% to win" in shown
    assert "(20.511% to win)" in shown
    assert "20.5% to win" in as_text(drawing.advice(far, rules, screen), screen)
