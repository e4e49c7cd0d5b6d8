from pathlib import Path

import pytest

from generala_cli.errors import GeneralaError, NotFound, UsageError
from generala_cli.game.events import Scored
from generala_cli.game.standings import outcome
from generala_cli.store.game_lists import open_or_none
from generala_cli.store.store import Store
from generala_cli.table import looking, turns
from generala_cli.table.results import GamePayout, Log
from tests.app.table import begin, hand, score
from tests.cases import cases
from tests.store.files import AT, listing


@pytest.fixture
def corrected(store: Store) -> Store:
    """Turn 1 amended, turn 2 undone and put back, turn 3 undone and played otherwise."""
    begin(store)
    score(store, "55533")  # event 1
    score(store, "12345")  # 2
    turns.undo(store)  # 3
    turns.redo(store)  # 4
    turns.amend(store, 1, hand("", "fives"))  # 5
    score(store, "66661", "poker")  # 6
    turns.undo(store)  # 7
    turns.enter(store, hand("x ones"))  # 8
    return store


def summary(log: Log) -> list[tuple[int, str, int | None, str | None, str]]:
    return [
        (line.recorded.n, line.kind, line.turn, line.entry.category if line.entry else None, line.state)
        for line in log.lines
    ]


# Looking


def test_a_game_is_opened_as_it_stands(corrected: Store) -> None:
    stored = corrected.open("1")
    assert stored.number == 1
    assert [(place.place, place.name, place.total) for place in outcome(stored.game).standings] == [
        (1, "Beto", 20),
        (2, "Ana", 15),
    ]


def test_the_glance_of_no_game_is_none(store: Store, directory: Path) -> None:
    assert open_or_none(store) is None
    assert not directory.exists()


def test_the_glance_is_at_the_current_game(store: Store) -> None:
    begin(store)
    begin(store)
    glance = open_or_none(store)
    assert glance is not None
    assert glance.number == 2


def test_with_games_but_none_current_the_glance_says_so(store: Store) -> None:
    begin(store)
    store.folder.path("current").unlink()
    with pytest.raises(NotFound, match="choose-game"):
        open_or_none(store)


def test_a_look_at_no_game_is_refused(store: Store) -> None:
    with pytest.raises(NotFound, match="start-game"):
        store.open(None)


# The log


def test_the_log_has_what_stands_turn_by_turn(corrected: Store) -> None:
    assert summary(looking.log(corrected, None)) == [
        (5, "amended", 1, "fives", "stands"),
        (2, "scored", 2, "straight", "stands"),
        (8, "scratched", 3, "ones", "stands"),
    ]


def test_the_whole_log_has_every_fact_in_order_and_what_became_of_it(corrected: Store) -> None:
    log = looking.log(corrected, "1", everything=True)
    assert log.everything
    assert summary(log) == [
        (1, "scored", 1, "full-house", "replaced"),
        (2, "scored", 2, "straight", "stands"),
        (3, "undone", 2, "straight", ""),
        (4, "redone", 2, "straight", ""),
        (5, "amended", 1, "fives", "stands"),
        (6, "scored", 3, "four-of-a-kind", "undone"),
        (7, "undone", 3, "four-of-a-kind", ""),
        (8, "scratched", 3, "ones", "stands"),
    ]


def test_the_standing_points_of_the_whole_log_are_the_totals(corrected: Store) -> None:
    log = looking.log(corrected, None, everything=True)
    standing = [line.step.entry for line in log.lines if line.state == "stands"]
    points = sum(entry.points for entry in standing if isinstance(entry, Scored))
    assert points == sum(log.game.total(player) for player in log.game.seats)


def test_an_undone_amendment_gives_its_turn_back(corrected: Store) -> None:
    turns.undo(corrected, 2)
    assert summary(looking.log(corrected, None)) == [
        (1, "scored", 1, "full-house", "stands"),
        (2, "scored", 2, "straight", "stands"),
    ]
    log = looking.log(corrected, None, everything=True)
    assert (5, "amended", 1, "fives", "undone") in summary(log)
    assert log.lines[-1].corrects


def test_the_log_has_the_time_of_every_fact(corrected: Store) -> None:
    assert {line.recorded.at for line in looking.log(corrected, None, everything=True).lines} == {AT}


def test_the_log_of_a_new_game_is_empty(store: Store) -> None:
    begin(store)
    assert looking.log(store, None).lines == looking.log(store, None, everything=True).lines == ()


# Payouts


@pytest.fixture
def won(store: Store) -> Store:
    """Ana wins at once, 60 to 0, at 0.05 USD a point."""
    begin(store, stake="0.05", unit="USD", settings=("instant-win-points=difference",))
    score(store, "44444", roll="1")
    return store


def owed(settled: GamePayout) -> list[tuple[str, str, str]]:
    return [(debt.debtor, debt.creditor, str(debt.amount)) for debt in settled.payout.debts]


def test_payouts_are_by_the_agreement(won: Store) -> None:
    settled = looking.payouts(won, None)
    assert not settled.tried
    assert owed(settled) == [("Beto", "Ana", "3.00")]


def test_another_stake_unit_and_method_can_be_tried(won: Store, directory: Path) -> None:
    before = listing(directory)
    assert owed(looking.payouts(won, None, stake="2")) == [("Beto", "Ana", "120.00")]
    assert owed(looking.payouts(won, None, stake="1", unit="drink")) == [("Beto", "Ana", "60")]
    pot = looking.payouts(won, None, stake="5", method="pot")
    assert pot.tried
    assert owed(pot) == [("Beto", "Ana", "5.00")]
    assert listing(directory) == before


def test_trying_changes_nothing_agreed(won: Store) -> None:
    looking.payouts(won, None, stake="2")
    assert owed(looking.payouts(won, None)) == [("Beto", "Ana", "3.00")]


@cases("stake", ["", "0", "-1", "1,500", "a lot"])
def test_an_empty_or_wrong_stake_is_not_taken_for_none(won: Store, stake: str) -> None:
    with pytest.raises(UsageError):
        looking.payouts(won, None, stake=stake)


def test_a_wrong_unit_or_method_is_refused(won: Store) -> None:
    with pytest.raises(UsageError):
        looking.payouts(won, None, unit="")
    with pytest.raises(GeneralaError):
        looking.payouts(won, None, method="all")
