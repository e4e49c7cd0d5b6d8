"""Payments and people, with games that are played, corrected and deleted."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from generala_cli.errors import Conflict, FileError, NotAllowed, NotFound, UsageError
from generala_cli.game.money import METHODS
from generala_cli.ledger import paying, storing
from generala_cli.ledger.accounts import debt_history, ledger, read_ledger_data
from generala_cli.ledger.answers import Ledger, PaymentsMade
from generala_cli.ledger.paying import pay
from generala_cli.ledger.payments import NamesJoined
from generala_cli.ledger.people import join_names, part_name, players
from generala_cli.progress import no_progress
from generala_cli.statistics.games import GameFilter, examine_games
from generala_cli.statistics.players import stats
from generala_cli.statistics.versus import versus
from generala_cli.store.gamefile import PackedGame
from generala_cli.store.merging import Merger
from generala_cli.store.sealing import new_id
from generala_cli.store.store import Store
from generala_cli.table import turns
from tests.app.table import begin, scratch
from tests.cases import cases
from tests.ledger.evening import ledger_of, play, transfers
from tests.store.files import AT, listing, store_in


@pytest.fixture
def evening(store: Store) -> Store:
    """Beto owes Ana 4.00 USD."""
    play(store, {"Ana": 6, "Beto": 2, "Cora": 6})
    play(store, {"Ana": 4, "Beto": 2})
    return store


def at(hours: int, store: Store, game: str | None = None) -> Store:
    """Return the store with the clock that many hours later, and `--game` set."""
    return replace(store, named=game, clock=lambda: AT + timedelta(hours=hours))


def settle_all(store: Store, *, fewest: bool = False) -> PaymentsMade:
    books = read_ledger_data(store)
    return paying.settle(store, books, ledger(books, fewest=fewest))


def changed(found: Ledger) -> list[tuple[int, str, str]]:
    return [(each.game, str(each.was), str(each.now)) for each in found.changed]


def test_a_payment_is_taken_off_the_debt(evening: Store) -> None:
    assert transfers(ledger_of(evening)) == {("Beto", "Ana"): "4.00", ("Beto", "Cora"): "2.00"}
    made = pay(evening, "beto", "A", "1.5")
    assert made.left is not None
    assert (made.payments[0].payment, str(made.payments[0].amount)) == (1, "1.50")
    assert str(made.left.amount) == "2.50"
    assert transfers(ledger_of(evening)) == {("Beto", "Ana"): "2.50", ("Beto", "Cora"): "2.00"}
    assert pay(evening, "Beto", "Ana", "2.50").left is None
    over = pay(evening, "Beto", "Ana", "1").left
    assert over is not None
    assert (over.debtor, over.creditor) == ("Ana", "Beto")


def test_a_payment_is_taken_back(evening: Store) -> None:
    before = transfers(ledger_of(evening))
    pay(evening, "Beto", "Ana", "1", note="in cash")
    pay(evening, "Beto", "Cora", "2")
    undone = paying.undo(evening, 2)
    assert [(each.payment, str(each.amount)) for each in undone.payments] == [(2, "2.00"), (1, "1.00")]
    assert transfers(ledger_of(evening)) == before
    with pytest.raises(NotAllowed, match="no payment to undo"):
        paying.undo(evening)


@pytest.mark.complete  # a tournament cannot be read
def test_no_payment_is_undone_if_the_answer_cannot_be_given(evening: Store) -> None:
    pay(evening, "Beto", "Ana", "1")
    in_place = evening.folder.directory / "tournaments"
    in_place.write_bytes(b"")
    with pytest.raises(FileError):
        paying.undo(evening)
    in_place.unlink()
    assert [str(each.amount) for each in paying.undo(evening).payments] == ["1.00"]


def test_the_unit_is_that_between_the_two_by_default(evening: Store) -> None:
    assert pay(evening, "Beto", "Ana", "1").payments[0].unit == "USD"
    play(evening, {"Ana": 6, "Beto": 2}, unit="drink", payout="pot")
    with pytest.raises(UsageError, match=r"they owe in USD and drink; name-unit\(USD\)"):
        pay(evening, "Beto", "Ana", "1")
    assert pay(evening, "Beto", "Ana", "1", unit="drink").left is None
    assert pay(evening, "Beto", "Cora", "1").payments[0].unit == "USD"


def test_only_units_in_which_something_is_owed_are_named(evening: Store) -> None:
    play(evening, {"Ana": 6, "Beto": 2}, unit="drink", payout="pot")
    play(evening, {"Ana": 6, "Beto": 2}, unit="beer", payout="pot")
    pay(evening, "Beto", "Ana", "4", unit="USD")
    with pytest.raises(UsageError, match=r"^they owe in beer and drink; name-unit\(beer\)$"):
        pay(evening, "Beto", "Ana", "1")
    pay(evening, "Beto", "Ana", "1", unit="beer")
    assert pay(evening, "Beto", "Ana", "1").payments[0].unit == "drink"
    with pytest.raises(UsageError, match=r"^they owe each other nothing; name-unit"):
        pay(evening, "Beto", "Ana", "1")


@pytest.mark.parametrize(("payer", "payee"), [("Ana", "Zoe"), ("Zoe", "Ana"), ("Ana", "Anna")])
def test_a_hint_names_nobody_twice(evening: Store, payer: str, payee: str) -> None:
    with pytest.raises(NotFound, match=r"choose from Beto or Cora"):
        pay(evening, payer, payee, "1")
    with pytest.raises(NotFound, match=r"choose from Beto or Cora"):
        versus(examine_games(evening, GameFilter(), no_progress), [payer, payee])


@cases(
    ("payer", "payee", "amount", "error"),
    [
        ("Beto", "Betto", "1", NotFound),
        ("Beto", "beto", "1", UsageError),
        ("Beto", "Ana", "1.005", UsageError),
        ("Beto", "Ana", "0", UsageError),
        ("Beto", "Ana", "-1", UsageError),
        ("Beto", "Ana", "1,500", UsageError),
        ("Beto", "Ana", "9" * 5_000, UsageError),
    ],
)
def test_what_is_no_payment_is_refused(
    evening: Store, payer: str, payee: str, amount: str, error: type[Exception]
) -> None:
    before = listing(evening.folder.directory)
    with pytest.raises(error):
        pay(evening, payer, payee, amount)
    assert listing(evening.folder.directory) == before


@pytest.mark.parametrize("fewest", [False, True])
def test_to_settle_leaves_everyone_even(evening: Store, fewest: bool) -> None:
    play(evening, {"Cora": 6, "Ana": 2, "Dani": 3})
    found = ledger_of(evening, fewest=fewest)
    assert len(settle_all(evening, fewest=fewest).payments) == len(found.units[0].transfers)
    again = ledger_of(evening, fewest=fewest)
    assert transfers(again) == {}
    assert not any(again.units[0].net.values())
    assert again.changed == ()
    assert settle_all(evening, fewest=fewest).payments == ()


def test_to_settle_is_refused_where_somebody_paid_meanwhile(evening: Store) -> None:
    books = read_ledger_data(evening)
    pay(evening, "Beto", "Ana", "1")
    with pytest.raises(NotAllowed, match="in the meantime"):
        paying.settle(evening, books, ledger(books))


def test_a_game_that_is_corrected_after_it_was_paid_is_reported_until_it_is_paid_again(
    evening: Store,
) -> None:
    settle_all(evening)
    turns.stake(at(1, evening, "2"), "2")
    found = ledger_of(evening)
    assert changed(found) == [(2, "-2.00", "-4.00")]
    assert transfers(found) == {("Beto", "Ana"): "2.00"}
    pay(at(2, evening), "Beto", "Ana", "2")
    assert changed(ledger_of(evening)) == []
    turns.undo(at(3, evening, "2"), 1)
    assert changed(ledger_of(evening)) == [(2, "-4.00", "-2.00")]


def test_a_game_that_goes_on_again_after_it_was_paid_is_reported_but_not_one_that_is_deleted(
    evening: Store,
) -> None:
    pay(evening, "Ana", "Beto", "1")
    turns.undo(at(1, evening, "2"), 1)
    found = ledger_of(evening)
    assert changed(found) == [(2, "-2.00", "0")]
    assert not found.changed[0].counts
    turns.redo(at(1, evening, "2"), 1)
    assert changed(ledger_of(evening)) == []
    evening.delete(2)
    assert changed(ledger_of(evening)) == []


def test_a_game_that_was_not_over_when_somebody_paid_was_not_paid_for(store: Store) -> None:
    play(store, {"Ana": 6, "Beto": 2})
    play(store, {"Ana": 6, "Beto": 2}, over=False)
    pay(store, "Beto", "Ana", "4")
    for player in ("Ana", "Beto"):
        scratch(at(1, store), "twos", player=player)
    assert transfers(ledger_of(store)) == {("Beto", "Ana"): "4.00"}
    assert changed(ledger_of(store)) == []


def test_only_what_two_people_have_of_a_game_is_theirs(evening: Store) -> None:
    pay(evening, "Beto", "Ana", "4")
    play(evening, {"Cora": 6, "Dani": 2})
    turns.stake(at(1, evening, "3"), "2")
    assert changed(ledger_of(evening)) == []


def test_a_payment_is_of_its_time_and_of_its_people(evening: Store) -> None:
    later = replace(evening, clock=lambda: AT + timedelta(days=2))
    pay(later, "Beto", "Ana", "1")
    assert transfers(ledger_of(later, until="2")) == {("Beto", "Ana"): "4.00", ("Beto", "Cora"): "2.00"}
    assert transfers(ledger_of(later, since="tonight")) == {("Ana", "Beto"): "1.00"}
    assert [len(account.payments) for account in ledger_of(later, among=["Cora"]).units] == [0]
    assert [len(account.payments) for account in ledger_of(later, among=["Ana", "Beto"]).units] == [1]
    assert changed(ledger_of(later, since="tonight")) == []


def test_the_whole_debt_can_be_paid(evening: Store) -> None:
    assert str(pay(evening, "Beto", "Ana", "todo").payments[0].amount) == "4.00"
    for payer, payee in (("Beto", "Ana"), ("Ana", "Cora")):
        with pytest.raises(NotAllowed, match=f"{payer} owes {payee} no USD"):
            pay(evening, payer, payee, "all")


def test_why_lists_games_and_payments(evening: Store) -> None:
    pay(replace(evening, clock=lambda: AT + timedelta(hours=1)), "Beto", "Ana", "1")
    (account,) = debt_history(read_ledger_data(evening), "Ana", "Beto").units
    assert [(each.game, each.payment) for each in account.reasons] == [(1, None), (2, None), (None, 1)]


def test_a_payment_under_another_name_is_reported_until_the_names_are_joined(evening: Store) -> None:
    pay(evening, "Beto", "Ana", "1")
    for game in ("1", "2"):
        turns.rename(replace(evening, named=game), "Beto", "Berta", check=lambda _name, _rules: None)
    found = ledger_of(evening)
    assert found.strangers == ("Beto",)
    join_names(evening, ["Berta", "Beto"])
    found = ledger_of(evening)
    assert (found.strangers, found.changed) == ((), ())
    assert transfers(found) == {("Berta", "Ana"): "3.00", ("Berta", "Cora"): "2.00"}
    part_name(evening, "beto")
    assert ledger_of(evening).strangers == ("Beto",)


def test_everyone_who_ever_played_the_latest_first(evening: Store) -> None:
    tomorrow = replace(evening, clock=lambda: AT + timedelta(days=1))
    play(tomorrow, {"Betto": 6, "Ana": 2}, over=False)
    found = players(evening)
    assert [(each.player, each.games) for each in found.players] == [
        ("Ana", 3), ("Betto", 1), ("Beto", 2), ("Cora", 1),
    ]  # fmt: skip
    assert found.players[0].last == AT + timedelta(days=1)
    assert ("Beto", "Betto") in found.doubles
    join_names(evening, ["Beto", "Betto"])
    found = players(evening)
    assert (("Beto", "Betto"), 3) in [(each.names, each.games) for each in found.players]
    assert ("Beto", "Betto") not in found.doubles


def test_those_who_sat_at_one_table_are_two_people(evening: Store) -> None:
    play(evening, {"Jose": 6, "José": 2})
    assert players(evening).doubles == ()
    with pytest.raises(NotAllowed, match="both play in game 3"):
        join_names(evening, ["Jose", "José"])


def test_names_of_nobody_are_not_joined(evening: Store) -> None:
    assert join_names(evening, ["Ana", "Anita"]).new == ("Anita",)
    with pytest.raises(NotFound):
        join_names(evening, ["Zoe", "Max"])
    with pytest.raises(NotAllowed, match="already one person"):
        join_names(evening, ["Ana", "Anita"])
    with pytest.raises(UsageError):
        join_names(evening, ["Ana"])
    with pytest.raises(UsageError, match="short for Cora"):
        join_names(evening, ["Co", "Cor"])
    assert not part_name(evening, "Beto").saved
    with pytest.raises(NotFound):
        part_name(evening, "Zoe")


@pytest.mark.parametrize(
    ("played", "names", "new"),
    [
        (["Anastasia"], ["Ana", "Anastasia"], ["Ana"]),
        (["Anastasia"], ["Anastasia", "ana"], ["ana"]),
        (["Anastasia", "Anabel"], ["Ana", "Anastasia"], ["Ana"]),
        (["José"], ["Jose", "José"], ["Jose"]),
        (["Ana"], ["Ana", "Anastasia"], ["Anastasia"]),
    ],
)
def test_a_name_that_begins_one_it_is_joined_with_is_new(
    store: Store, played: list[str], names: list[str], new: list[str]
) -> None:
    for player in played:
        play(store, {player: 2, "Zoe": 3})
    assert [*join_names(store, names).new] == new
    with pytest.raises(NotAllowed, match="already one person"):
        join_names(store, names)


def test_a_file_that_the_disk_does_not_give_is_no_reason_to_write(evening: Store) -> None:
    game = evening.folder.path("games/2/game.json")
    game.unlink()
    game.mkdir()
    assert [each.game for each in ledger_of(evening).damaged] == [2]
    for write in (lambda: pay(evening, "Beto", "Ana", "1"), lambda: join_names(evening, ["Ana", "Anita"])):
        with pytest.raises(FileError, match="it is a folder"):
            write()


def test_payments_with_a_conflict_copy_refuse(evening: Store) -> None:
    pay(evening, "Beto", "Ana", "1")
    file = evening.folder.path("payments/payments.json")
    file.with_name("payments (1).json").write_bytes(file.read_bytes())
    with pytest.raises(Conflict, match="doctor --accept payments"):
        ledger_of(evening)


def test_a_settlement_clears_a_unit_in_which_debts_only_go_round(store: Store) -> None:
    for winner, loser in (("Ana", "Beto"), ("Beto", "Cora"), ("Cora", "Ana")):
        play(store, {winner: 6, loser: 2})
    play(store, {"Ana": 6, "Beto": 2}, unit="drink")
    assert len(settle_all(store, fewest=True).payments) == 1
    play(store, {"Ana": 6, "Beto": 5})
    assert transfers(ledger_of(store)) == {("Beto", "Ana"): "1.00"}


@pytest.mark.parametrize("unit", ["pts", "PT", "points"])
def test_points_are_never_owed_however_they_are_called(evening: Store, unit: str) -> None:
    with pytest.raises(UsageError, match="points"):
        pay(evening, "Beto", "Ana", "1", unit=unit, is_meant=True)


def _names(random: Random, people: Sequence[str]) -> dict[str, int]:
    return {name: random.choice((0, 2, 3, 4, 5, 6)) for name in random.sample(people, random.randint(2, 4))}


@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_played_and_paid_nets_sum_to_zero(store: Store, seed: int) -> None:
    random, people = Random(seed), ("Ana", "Beto", "Cora", "Dani")
    for _ in range(6):
        play(store, _names(random, people), payout=random.choice([*METHODS]))
        payer, payee = random.sample(read_ledger_data(store).everyone.everyone, 2)
        pay(store, payer, payee, f"{random.randint(1, 500) / 100:.2f}", unit="USD")
        (account,) = ledger_of(store).units
        assert sum(account.net.values()) == 0
    settle_all(store, fewest=True)
    assert not any(ledger_of(store).units[0].net.values())


def test_machines_that_exchanged_all_they_have_say_the_same_of_debts(tmp_path: Path) -> None:
    """Ana records Cora's payments, Beto records Dani's. They join and separate names, and exchange files."""
    one, other = store_in(tmp_path / "one"), store_in(tmp_path / "other")
    play(one, {"Ana": 6, "Cora": 2, "Dani": 3})
    meet(one, other)
    meet(other, one)
    play(other, {"Ana": 2, "Beto": 5})
    pay(one, "Cora", "Ana", "3")
    pay(other, "Dani", "Ana", "2")
    pay(other, "Dani", "Ana", "1")
    paying.undo(other)
    join_names(one, ["Ana", "Anita"])
    join_names(other, ["Ana", "Anna"])
    for source, target in ((one, other), (other, one), (one, other)):
        meet(source, target)
    ledgers = [ledger_of(store) for store in (one, other)]
    owed = {("Cora", "Ana"): "1.00", ("Dani", "Ana"): "1.00", ("Ana", "Beto"): "3.00"}
    assert transfers(ledgers[0]) == owed
    assert ledgers[0] == ledgers[1]
    assert read_ledger_data(one).everyone.everyone == read_ledger_data(other).everyone.everyone


def meet(source: Store, target: Store) -> None:
    """Import everything from one machine into another."""
    with target.folder.writing() as writer:
        merger = Merger(target)
        merger.add([PackedGame.of(source.load(number).file) for number in source.numbers()])
        merger.add([storing.load(source).file])
        merger.write(writer, no_progress)


def test_a_payment_keeps_the_name_that_was_typed(evening: Store) -> None:
    join_names(evening, ["Cora", "Carola", "Dani"])
    pay(evening, "Dani", "Beto", "28.36")
    pay(evening, "carol", "Beto", "1", unit="USD")
    assert [each.paid.payer for each in storing.load(evening).file.payments.standing] == ["Dani", "Carola"]
    assert {each.payer for each in paying.list_payments(evening).payments} == {"Cora"}
    part_name(evening, "Cora")
    assert {each.payer for each in paying.list_payments(evening).payments} == {"Carola"}


def test_one_person_cannot_play_twice_in_a_game(evening: Store) -> None:
    join_names(evening, ["Ana", "Anita"])
    with pytest.raises(NotAllowed, match="Ana and Anita are one person, who cannot play twice in a game"):
        begin(evening, "general", "Ana", "Anita", "Beto")
    begin(evening, "general", "Ana", "Beto")
    with pytest.raises(NotAllowed, match="are one person"):
        turns.rename(evening, "Beto", "Anita", check=lambda *_: None)
    with pytest.raises(NotAllowed, match="are one person"):
        turns.join(evening, "Anita", check=lambda *_: None)
    turns.rename(evening, "Ana", "Anita", check=lambda *_: None)
    part_name(evening, "Anita")
    turns.join(evening, "Ana", check=lambda *_: None)


def test_who_had_two_names_in_a_game_before_they_were_joined_played_it_once(evening: Store) -> None:
    """The game comes from a machine where the names are still separate."""
    play(evening, {"Ana": 6, "Anita": 5, "Beto": 2})
    joined = NamesJoined(id=new_id(), names=("Ana", "Anita"))
    storing.change(evening, lambda _: [joined])
    (ana,) = stats(examine_games(evening, GameFilter()), "Ana").players
    assert (ana.games, [each.games for each in ana.rules]) == (3, [3])
    assert ana.wins <= 3
