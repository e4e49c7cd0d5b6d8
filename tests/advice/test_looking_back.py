"""Review of a game: the chances to win match the table."""

from collections.abc import Sequence

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from generala_cli.advice.answers import AdviceChoice, AdviceKeep
from generala_cli.advice.chances import odds
from generala_cli.advice.hands import Hand, advice
from generala_cli.advice.judging import sheet_of
from generala_cli.advice.looking_back import review
from generala_cli.errors import NotAllowed
from generala_cli.game.events import Entry
from generala_cli.game.game import Game, positions
from generala_cli.rules.game_points import GamePoints
from tests.game.table import Table
from tests.odds.tiny import ALONE
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


def asked(game: Game, entry: Entry) -> Sequence[AdviceChoice]:
    """Return the advice on an entry's hand, before the entry was made."""
    assert entry.dice is not None
    hand = Hand(
        game=game,
        player=entry.player,
        rules=game.rules,
        sheet=sheet_of(game, entry.player),
        dice=entry.dice,
        throw=entry.roll,
        instant_value=None,
    )
    return advice(hand, aim="win").choices


@pytest.mark.slow
def test_to_win_a_choice_costs_what_advice_tells_between_it_and_the_best() -> None:
    table = Table(ALONE["plain"].rules, "Ana", "Beto", "Cora")  # of three, advice is as of a look back
    table.score("Ana", "33", "0-pair")
    table.score("Beto", "23", "1-run")
    table.scratch("Cora", "1-run", "31")
    table.scratch("Ana", "1-run", "31")
    table.scratch("Beto", "0-pair", "23")
    table.scratch("Cora", "0-pair", "23")
    table.scratch("Ana", "2-threes", "11")
    table.score("Beto", "33", "2-threes")
    table.scratch("Cora", "2-threes", "11")
    found = review(table.game, 1, to_win=True)
    costs: dict[int, float] = {}
    for before, entry, turn in zip(positions(table.game), table.game.entries, found.turns, strict=False):
        choices = asked(before, entry)
        made = next(c for c in choices if not isinstance(c, AdviceKeep) and c.category == entry.category)
        assert turn.win
        assert choices[0].wins is not UNSET
        assert made.wins is not UNSET
        assert turn.win.mistake == pytest.approx(choices[0].wins - made.wins)
        costs[turn.turn] = turn.win.mistake
    assert max(costs.values()) > 0.05
    assert found.costliest[0] == max(costs, key=lambda turn: costs[turn])
    assert found.players["Ana"].wins_lost == pytest.approx(costs[1] + costs[4] + costs[7])


def test_chances_to_win_are_not_those_of_totals_if_game_points_decide() -> None:
    table = Table(replace(tiny_rules(), game_points=GamePoints(totals=((0, 1),))), "Ana", "Beto")
    table.score("Ana", "23", "twos")
    found = review(table.game, 1)
    assert (found.start, found.turns[0].chances) == (None, None)
    for asked in (lambda: review(table.game, 1, to_win=True), lambda: odds(table.game, 1)):
        with pytest.raises(NotAllowed, match="game points decide this game"):
            asked()
