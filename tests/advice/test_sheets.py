"""A sheet typed in the shell."""

from generala_cli.advice.sheets import read_sheet
from tests.game.table import house


def test_a_sheet_of_no_game_has_the_points_that_were_typed() -> None:
    sheet = read_sheet(house("kniffel"), ["ones=3,twos", "kniffel=0"], 0)
    assert sheet.filled == ("kniffel", "ones", "twos")
    assert sheet.holding == {"ones", "twos"}  # without points it is filled with some
    assert (sheet.total, sheet.in_numbers, sheet.spares) == (3, 3 + 3 * 2, 0)
