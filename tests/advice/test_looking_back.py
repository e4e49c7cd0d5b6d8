"""A look back on a game: the chances to win follow the table."""

from generala_cli.advice.looking_back import review
from tests.game.table import Table
from tests.store.files import tiny_rules


def test_who_leaves_or_joins_counts_at_that_moment_and_not_for_the_turn_before() -> None:
    table = Table(tiny_rules(), "Ana", "Beto", "Cora")
    table.score("Ana", "23", "twos")
    before = review(table.game, 1)
    table.leave("Cora")
    table.join("Dani")
    table.score("Beto", "22", "all")
    after = review(table.game, 1)
    assert after.changes[0].chances != before.turns[0].chances
    assert after.turns[0].chances == before.turns[0].chances
    assert [(each.turns, each.kind, each.player) for each in after.changes] == [
        (1, "left", "Cora"),
        (1, "joined", "Dani"),
    ]
    first, joined, *_ = (each.chances for each in after.changes)
    assert first is not None
    assert joined is not None
    assert [*first] == ["Ana", "Beto", "Cora"]
    assert [*joined] == [*after.contenders] == ["Ana", "Beto", "Cora", "Dani"]
    assert list(after.chances) == [
        after.start,
        before.turns[0].chances,
        first,
        joined,
        after.turns[1].chances,
    ]
