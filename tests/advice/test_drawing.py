"""Advice on a narrow terminal."""

from rich.cells import cell_len

from generala_cli.advice import drawing
from generala_cli.advice.hands import advice, hand_on_sheet
from generala_cli.game.turnline import TurnLine
from generala_cli.odds.sheets import Sheet
from generala_cli.render.screen import UNICODE, Screen, as_text
from tests.game.table import cached_rules


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
