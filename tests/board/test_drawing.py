"""The titles of a board's addresses."""

from generala_cli.board.answers import BoardAddresses
from generala_cli.board.drawing import page


def test_titles_say_which_address_of_a_tournament_to_show() -> None:
    alone = BoardAddresses(watch="http://bar/watch")
    assert "<b>to watch</b><br>http://bar/watch" in page(alone)
    of_tournament = page(BoardAddresses(watch="http://bar/watch", games="http://bar/games"))
    assert "<b>the tournament: seats and standings</b><br>http://bar/watch" in of_tournament
    assert "<b>single games</b><br>http://bar/games" in of_tournament
