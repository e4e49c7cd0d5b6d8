"""The ledger of many games."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from msgspec.structs import replace

from generala_cli.errors import Ambiguous, Conflict, NotFound, UsageError
from generala_cli.game.payouts import settle
from generala_cli.ledger.accounts import debt_history, read_ledger_data
from generala_cli.ledger.sources import settled_game
from generala_cli.store import gamefile, saved_files
from generala_cli.store.game_lists import period
from generala_cli.store.gamefile import RecordedGame
from generala_cli.store.sealing import encode
from generala_cli.store.store import Store
from generala_cli.store.subjects import of_game
from generala_cli.table import turns
from tests.app.table import begin, score
from tests.cases import cases
from tests.game.strategies import Played, games
from tests.ledger.evening import ledger_of, play, transfers
from tests.store.files import AT, file_of


@pytest.mark.slow
@given(games(whole=True))
def test_a_game_is_paid_by_its_sealed_result_as_by_all_that_happened(played: Played) -> None:
    game = played.history.game
    agreed = game.agreed
    file = gamefile.sealed(encode(file_of(played.agreed, played.events)))
    assert file is not None
    by_result = settled_game(RecordedGame(file=file))
    whole = settle(game, method=agreed.payout, stake=agreed.stake, unit=agreed.unit)
    assert (by_result.owed, by_result.players, by_result.unit) == (whole.between, game.seats, agreed.unit)


def test_a_win_at_once_pays_what_the_house_says(store: Store) -> None:
    begin(store, stake="0.10", unit="USD", settings=("instant-win-points=40",))
    score(store, "66666", roll="1")
    assert transfers(ledger_of(store)) == {("Beto", "Ana"): "4.00"}


def test_what_games_made_people_owe_each_other_is_added_up(store: Store) -> None:
    play(store, {"Ana": 6, "Beto": 2, "Cora": 4})
    play(store, {"Ana": 2, "Beto": 5})
    assert transfers(ledger_of(store)) == {("Beto", "Ana"): "1.00", ("Cora", "Ana"): "2.00"}
    assert [account.unit for account in ledger_of(store).units] == ["USD"]


def test_units_are_never_converted_and_points_owe_nothing(store: Store) -> None:
    play(store, {"Ana": 6, "Beto": 2}, unit="drink", payout="pot")
    play(store, {"Ana": 6, "Beto": 2}, stake="0.10")
    play(store, {"Ana": 6, "Beto": 2}, unit="point")
    assert transfers(ledger_of(store), "drink") == {("Beto", "Ana"): "1"}
    assert transfers(ledger_of(store)) == {("Beto", "Ana"): "0.40"}
    assert len(ledger_of(store).units) == 2


def test_amounts_of_one_unit_have_as_many_decimals_as_the_finest(store: Store) -> None:
    play(store, {"Ana": 6, "Beto": 2}, unit="drink", stake="1")
    play(store, {"Ana": 6, "Cora": 3}, unit="drink", stake="0.5")
    assert transfers(ledger_of(store), "drink") == {("Beto", "Ana"): "4.0", ("Cora", "Ana"): "1.5"}


def test_sides_are_settled_by_member(store: Store) -> None:
    play(store, {"Ana": 6, "Beto": 2, "Cora": 4, "Dani": 0}, teams=("Ana+Cora", "Beto+Dani"), stake="0.05")
    pairs = [("Beto", "Ana"), ("Beto", "Cora"), ("Dani", "Ana"), ("Dani", "Cora")]
    assert transfers(ledger_of(store)) == dict.fromkeys(pairs, "0.10")


def test_a_game_that_goes_on_owes_nothing_yet(store: Store) -> None:
    play(store, {"Ana": 6, "Beto": 2}, over=False)
    assert ledger_of(store).units == ()


def test_a_game_counts_under_its_present_names_and_stake(store: Store) -> None:
    play(store, {"Ana": 6, "Beto": 2})
    turns.rename(store, "Beto", "Berta", check=lambda _name, _rules: None)
    turns.stake(store, "0.50")
    assert transfers(ledger_of(store)) == {("Berta", "Ana"): "2.00"}
    turns.undo(store, 2)
    assert transfers(ledger_of(store)) == {("Beto", "Ana"): "4.00"}


def test_names_in_another_case_are_one_person_called_as_last(store: Store) -> None:
    play(store, {"ANA": 6, "Beto": 2})
    play(store, {"Ana": 6, "beto": 2})
    assert transfers(ledger_of(store)) == {("beto", "Ana"): "8.00"}
    assert read_ledger_data(store).everyone.everyone == ("Ana", "beto")


def test_fewest_leaves_everyone_with_the_same(store: Store) -> None:
    play(store, {"Ana": 6, "Beto": 2})
    play(store, {"Beto": 6, "Cora": 2})
    direct, fewer = ledger_of(store), ledger_of(store, fewest=True)
    assert transfers(direct) == {("Beto", "Ana"): "4.00", ("Cora", "Beto"): "4.00"}
    assert transfers(fewer) == {("Cora", "Ana"): "4.00"}
    assert direct.units[0].net == fewer.units[0].net


def test_only_games_in_which_all_of_them_played(store: Store) -> None:
    play(store, {"Ana": 6, "Beto": 2})
    play(store, {"Ana": 6, "Beto": 2, "Cora": 3})
    assert transfers(ledger_of(store, among=["ana", "C"])) == {
        ("Beto", "Ana"): "4.00",
        ("Cora", "Ana"): "3.00",
    }
    with pytest.raises(NotFound, match="no player 'Betto'"):
        ledger_of(store, among=["Betto"])
    with pytest.raises(NotFound):
        ledger_of(store, among=[""])


@pytest.fixture
def evenings(store: Store) -> Store:
    """Store a game at each of four times. The last time is tonight, in UTC on the test machine."""
    for hours in (48, 25, 10, 0):
        play(replace(store, clock=lambda back=hours: AT - timedelta(hours=back)), {"Ana": 3, "Beto": 2})
    return store


@cases(
    ("since", "until", "counted"),
    [
        (None, None, [1, 2, 3, 4]),
        ("tonight", None, [4]),
        ("2026-11-19", None, [2, 3, 4]),
        ("2026-11-19", "2026-11-19", [2]),
        (None, "2026-11-19", [1, 2]),
        ("2", "3", [2, 3]),
        (None, "Tonight", [1, 2, 3, 4]),
        ("yesterday", "ayer", [2]),
        ("anoche", "last night", [2, 3]),
        ("3", "2", []),
    ],
)
def test_a_period_is_from_the_beginning_of_one_time_to_the_end_of_another(
    evenings: Store, monkeypatch: pytest.MonkeyPatch, since: str | None, until: str | None, counted: list[int]
) -> None:
    monkeypatch.setenv("TZ", "UTC")
    found = ledger_of(evenings, since=since, until=until)
    assert [game.game for account in found.units for game in account.games] == counted


def test_before_noon_tonight_is_since_yesterdays(store: Store) -> None:
    morning = replace(store, clock=lambda: datetime(2026, 11, 20, 11, 59, tzinfo=UTC))
    tonight = period(morning, "tonight", "tonight")
    assert tonight.since is not None
    assert tonight.until is not None
    assert tonight.covers(morning.clock())
    assert tonight.since.astimezone().hour == tonight.until.astimezone().hour == 12


@pytest.mark.parametrize("when", ["someday", "2026-13-01", "9", "", "2026-02-30"])
def test_what_is_no_time_and_no_game_is_refused(store: Store, when: str) -> None:
    with pytest.raises(NotFound, match="is neither a time nor a game"):
        ledger_of(store, since=when)


def test_a_conflict_copy_of_a_game_that_counts_refuses(store: Store) -> None:
    number = play(store, {"Ana": 6, "Beto": 2})
    play(replace(store, clock=lambda: AT + timedelta(hours=1)), {"Ana": 6, "Beto": 2})
    game = store.folder.path(f"games/{number}/game.json")
    game.with_name("game (1).json").write_bytes(game.read_bytes())
    with pytest.raises(Conflict, match="it is unclear who owes whom"):
        ledger_of(store)
    assert transfers(ledger_of(store, since="2")) == {("Beto", "Ana"): "4.00"}


def test_a_damaged_game_is_named_and_left_out(store: Store) -> None:
    play(store, {"Ana": 6, "Beto": 2})
    number = play(store, {"Ana": 6, "Beto": 2})
    store.folder.path(f"games/{number}/game.json").write_bytes(b"junk")
    found = ledger_of(store)
    assert transfers(found) == {("Beto", "Ana"): "4.00"}
    assert [left_out.game for left_out in found.damaged] == [number]


@pytest.mark.parametrize("terms", [{"stake": "much"}, {"payout": "wine"}, {"sides": (("Ana", "Eva"),)}])
def test_a_sealed_agreement_by_which_nobody_could_settle_is_damage(
    store: Store, directory: Path, terms: dict[str, object]
) -> None:
    number = play(store, {"Ana": 6, "Beto": 2})
    file = store.load(number).file
    wrong = replace(file, agreed=replace(file.agreed, **terms))
    seen = (directory / f"games/{number}/game.json").read_bytes()
    with store.folder.writing() as writer:
        saved_files.write(writer, of_game(number), encode(wrong), seen=seen)
    assert [left_out.game for left_out in ledger_of(store).damaged] == [number]


def test_a_sealed_result_that_lies_is_damage(store: Store, directory: Path) -> None:
    number = play(store, {"Ana": 6, "Beto": 2, "Cora": 3, "Dani": 0}, teams=("Ana+Beto", "Cora+Dani"))
    path = directory / f"games/{number}/game.json"
    file = store.load(number).file
    lie = replace(file, result=replace(file.result, totals={"Ana": 6}))
    with store.folder.writing() as writer:
        saved_files.write(writer, of_game(number), encode(lie), seen=path.read_bytes())
    assert [left_out.game for left_out in ledger_of(store).damaged] == [number]


def test_why_one_owes_another(store: Store) -> None:
    play(store, {"Ana": 6, "Beto": 2, "Cora": 4})
    play(store, {"Ana": 2, "Beto": 5})
    play(store, {"Ana": 2, "Cora": 5})
    found = debt_history(read_ledger_data(store), "Ana", "Beto")
    (account,) = found.units
    assert [(each.game, each.debtor, str(each.amount)) for each in account.reasons] == [
        (1, "Beto", "4.00"),
        (2, "Ana", "3.00"),
    ]
    assert account.owed is not None
    assert (account.owed.debtor, str(account.owed.amount)) == ("Beto", "1.00")


def test_why_needs_two_people(store: Store) -> None:
    play(store, {"Ana": 6, "Anita": 2})
    with pytest.raises(UsageError, match="the same person"):
        debt_history(read_ledger_data(store), "ana", "Ana")
    with pytest.raises(Ambiguous):
        debt_history(read_ledger_data(store), "An", "Ana")
