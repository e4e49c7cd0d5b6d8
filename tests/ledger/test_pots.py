"""The pot of a tournament as an account: paid entries, and prizes."""

from datetime import timedelta
from decimal import Decimal
from functools import partial
from operator import add
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from generala_cli.errors import NotAllowed, NotFound, UsageError
from generala_cli.game.turnline import TurnLine
from generala_cli.ledger import storing
from generala_cli.ledger.accounts import pot_history, read_ledger_data
from generala_cli.ledger.answers import Pot
from generala_cli.ledger.forms import entry, payment, payment_back
from generala_cli.ledger.paying import DoubtfulPayment, list_payments, pay, settle, undo
from generala_cli.ledger.paying_pots import pay_entries, pay_pot
from generala_cli.ledger.people import join_names
from generala_cli.ledger.pots import is_pot
from generala_cli.render.language import translated
from generala_cli.render.screen import UNICODE, Screen, as_text, drawn
from generala_cli.store import facts
from generala_cli.store.store import Store
from generala_cli.table import turns
from generala_cli.tournament import storing as tournaments
from generala_cli.tournament.looking import tables
from generala_cli.tournament.rules.tournaments import TournamentUndone
from generala_cli.tournament.storing import find_tournament
from tests.cli.program import Generala
from tests.ledger.evening import ledger_of, play, play_on
from tests.ledger.test_entry_fees import ANAS_TABLE, DANIS_TABLE, over, seat
from tests.store.files import AT, store_in
from tests.tournament.test_tournaments import NAMES, hexed

FEE = Decimal("5.00")
PRIZES = {"Ana": Decimal("21.00"), "Dani": Decimal("14.00")}


def the_pot(store: Store) -> Pot:
    (pot,) = (pot for account in ledger_of(store).units for pot in account.pots)
    return pot


def due(store: Store) -> dict[str, Decimal]:
    """Return the pot's debt to each player, negative if the player owes it."""
    return {each.player: each.amount * (1 if each.is_out else -1) for each in the_pot(store).transfers}


def test_entries_are_paid_into_the_pot_and_prizes_from_it(store: Store) -> None:
    seat(store)
    pay_entries(store, ["ana", "Beto"])
    pay_pot(store, "Cora", "2")
    pot = the_pot(store)
    assert pot.cash == 12
    assert (pot.paid, pot.unpaid) == (("Ana", "Beto"), ("Cora", "Dani", "Eva", "Fito", "Gus"))
    assert due(store)["Cora"] == -3
    pay_entries(store, ["Cora", "Dani", "Eva", "Fito"])
    play_on(store, 1, ANAS_TABLE)
    play_on(store, 2, DANIS_TABLE)
    assert due(store) == {"Gus": -5, **PRIZES}
    assert ledger_of(store).units[0].transfers == (), "nobody owes another player"
    pay_pot(store, "Ana", "all", out=True)
    pay_pot(store, "Gus", "all")
    assert due(store) == {"Dani": the_pot(store).cash} == {"Dani": 14}
    with pytest.raises(NotAllowed, match="Gus has paid the entry"):
        pay_entries(store, ["Gus"])
    with pytest.raises(NotAllowed, match="the pot owes Ana nothing"):
        pay_pot(store, "Ana", "all", out=True)
    with pytest.raises(NotFound, match="no player 'Zoe'"):
        pay_entries(store, ["Zoe"])
    with pytest.raises(UsageError, match="this pot is in USD"):
        pay_pot(store, "Dani", "14", unit="EUR", out=True)
    ana = pot_history(read_ledger_data(store), "ana").pots[0]
    assert [ana.fee, ana.prize, *(each.amount for each in ana.payments)] == [5, 21, 5, 21]
    assert ana.owed is None
    undo(store, 2)
    assert due(store) == {"Gus": -5, **PRIZES}
    assert [each.undone for each in list_payments(store).pot_payments][-2:] == [True, True]


def tables_and_ledger(store: Store) -> tuple[list[str], list[str], list[str]]:
    """Return who paid, whose prize covers the entry, and who did not pay; the tables and the pot agree."""
    found, pot = tables(store, find_tournament(store, None)), the_pot(store)
    assert (found.paid, found.deducted, found.unpaid) == (pot.paid, pot.deducted, pot.unpaid)
    return [*pot.paid], [*pot.deducted], [*pot.unpaid]


def test_an_entry_that_was_not_paid_is_deducted_from_the_prize(store: Store) -> None:
    seat(store)
    pay_entries(store, ["Ana", "Beto"])
    assert tables_and_ledger(store) == (["Ana", "Beto"], [], ["Cora", "Dani", "Eva", "Fito", "Gus"])
    pay_pot(store, "Ana", "5", out=True)
    assert tables_and_ledger(store)[0] == ["Beto"], "paid back before the result"
    undo(store, 1)
    play_on(store, 1, ANAS_TABLE)
    play_on(store, 2, DANIS_TABLE)
    settled = (["Ana", "Beto"], ["Dani"], ["Cora", "Eva", "Fito", "Gus"])
    assert tables_and_ledger(store) == settled
    assert due(store)["Dani"] == PRIZES["Dani"] - FEE
    with pytest.raises(NotAllowed, match="the entry of Dani is deducted from the prize") as refused:
        pay_entries(store, ["Dani"])
    assert "generala pay Dani pot 5.00 --tournament 1 records a payment anyway" in translated(
        refused.value.hint
    )
    assert [*entry(store).fields[0].shown_as.values()] == settled[2], "the keeper still collects"
    pay_pot(store, "Ana", "all", out=True, is_meant=True)
    pay_pot(store, "Dani", "all", out=True, is_meant=True)
    assert tables_and_ledger(store) == settled
    pay_entries(store, ["Cora", "Eva", "Fito", "Gus"])
    assert tables_and_ledger(store) == (["Ana", "Beto", "Cora", "Eva", "Fito", "Gus"], ["Dani"], [])
    with pytest.raises(NotAllowed, match="nobody owes an entry fee"):
        entry(store)
    pay_pot(store, "Dani", "5", out=True, is_meant=True)  # too much
    assert tables_and_ledger(store)[2] == ["Dani"]
    turns.undo(replace(store, named="1"))
    assert the_pot(store).left == {"Dani": 19}, "a prize to give back, and the entry"
    assert tables(store, find_tournament(store, None)).left == the_pot(store).left


def test_more_than_is_in_the_pot_must_be_meant(store: Store) -> None:
    seat(store)
    for what in ("is empty", "has only 12.00 USD"):
        with pytest.raises(DoubtfulPayment, match=f"the pot of Copa {what}") as refused:
            pay_pot(store, "Ana", "12.01", out=True)
        assert str(refused.value.hint) == "collect-first()"
        pay_pot(store, "Cora", "12")
    pay_pot(store, "Ana", "24", out=True)
    pay_entries(store, [name for name in NAMES[:7] if name != "Cora"])
    with pytest.raises(DoubtfulPayment, match=r"has only 30\.00 USD; .*add --yes"):
        pay_pot(store, "Ana", "31", out=True)
    pay_pot(store, "Ana", "31", out=True, is_meant=True)
    assert the_pot(store).cash == -1


def test_the_command_says_what_is_in_the_pot_and_asks(generala: Generala) -> None:
    new = ("tournament", "new", "Copa", "Ana", "Beto", "Cora", "--rounds", "1", "--entry-fee", "5")
    generala.ok(*new, "--unit", "USD")
    generala.ok("tournament", "paid", "Ana", "Beto")
    typed = ("pay", "pot", "Ana", "15", "USD")
    refused, missing = generala(*typed, "--tournament", "Copa"), " --tournament 1"
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == (
        f"generala: the pot of Copa has only 10.00 USD; generala tournament paid NAME{missing} records an"
        " entry; add --yes to pay anyway\n"
    )
    generala.ok(*typed, "--yes")
    generala.ok("pay", "--undo")
    generala.ok("tournament", "paid", "Cora")
    assert "pot of Copa: 0.00 USD" in generala.ok(*typed)


@pytest.mark.slow
@pytest.mark.parametrize(("reply", "code"), [("y", 0), ("n", 130)])
def test_a_terminal_asks_before_more_than_is_in_the_pot(generala: Generala, reply: str, code: int) -> None:
    new = ("tournament", "new", "Copa", "Ana", "Beto", "Cora", "--rounds", "1", "--entry-fee", "5")
    generala.ok(*new, "--unit", "USD")
    with generala.on_terminal("pay", "pot", "Ana", "1.000") as terminal:
        terminal.until("which is it? ")
        terminal.type("1000\n")
        terminal.until("the pot of Copa is empty. Record it anyway? [y/N] ")
        terminal.type(f"{reply}\n")
        assert terminal.end()[0] == code


def test_the_keeper_pays_from_the_pot_as_in_a_shell(store: Store) -> None:
    seat(store)
    pay_entries(store, ["Ana", "Beto"])
    play_on(store, 1, ANAS_TABLE)
    play_on(store, 2, DANIS_TABLE)
    form = payment(store, {})
    assert [*form.fields[0].shown_as.values()][-2:] == [
        "the pot of Copa pays Ana 21.00 USD",
        "the pot of Copa pays Dani 9.00 USD",
    ]
    ana = form.fields[0].offers[-2]
    values = {each.key: each.value for each in payment(store, {"debt": ana}).fields}
    assert [*values.values()][1:] == ["pot", "Ana", "21.00", "USD"]
    with pytest.raises(DoubtfulPayment, match="the pot of Copa has only 10"):
        form.send(values)
    assert form.send({**values, "amount": "10"}) == "the pot paid Ana 10.00 USD"
    assert form.send({**values, "debt": "", "from": "Gus", "to": "Pozo", "amount": "5"}) == (
        "Gus paid the pot 5.00 USD"
    )
    assert form.send({"from": "Gus", "to": "Beto", "amount": "5", "unit": "USD"}) == "Gus paid Beto 5.00 USD"


def test_the_tables_use_the_names_at_the_tables(store: Store) -> None:
    seat(store)
    pay_entries(store, ["Ana"])
    join_names(store, ["Anita", "Ana"])
    assert the_pot(store).paid == ("Anita",)
    assert tables(store, find_tournament(store, None)).paid == ("Ana",)


@given(
    moves=st.lists(
        st.tuples(st.sampled_from(NAMES[:7]), st.integers(1, 2000), st.booleans()), min_size=1, max_size=12
    ),
    game=st.booleans(),
)
def test_everything_with_the_pot_is_settled_to_the_cent(
    moves: list[tuple[str, int, bool]], game: bool
) -> None:
    with TemporaryDirectory() as folder:
        store = store_in(Path(folder))
        over(store)
        if game:
            play(store, {"Ana": 2, "Gus": 5}, stake="0.10")
        count = {name: PRIZES.get(name, Decimal(0)) - FEE for name in NAMES[:7]}
        cash = Decimal(0)
        for name, cents, out in moves:
            amount = Decimal(cents) / 100 * (-1 if out else 1)
            pay_pot(store, name, str(abs(amount)), out=out, is_meant=True)
            count[name] += amount
            cash += amount
        assert due(store) == {name: owed for name, owed in count.items() if owed}
        assert the_pot(store).cash == cash == sum(count.values())
        data = read_ledger_data(store)
        settle(store, data, ledger_of(store))
        assert due(store) == {}
        assert the_pot(store).cash == 0
        assert not any(account.transfers for account in ledger_of(store).units)


def test_two_machines_that_record_the_same_entry_count_it_once(store: Store, tmp_path: Path) -> None:
    seat(store)
    other = store_in(tmp_path / "other")
    for place in ("tournaments/1/tournament.json", "games/1/game.json", "games/2/game.json"):
        other.folder.path(place).parent.mkdir(parents=True, exist_ok=True)
        other.folder.path(place).write_bytes(store.folder.path(place).read_bytes())
    pay_entries(store, ["Ana", "Beto"])
    pay_entries(other, ["Beto", "Cora"])
    pay_pot(other, "Dani", "5")
    one, two = storing.load(store).file, storing.load(other).file
    both = facts.merged([one, two])
    assert facts.merged([two, one]) == both
    storing.change(store, lambda _: [each.event for each in both.events[2:]])
    assert the_pot(store).cash == 20
    assert the_pot(store).paid == ("Ana", "Beto", "Cora", "Dani")
    with pytest.raises(NotAllowed, match="Ana has paid the entry") as refused:
        pay_entries(store, ["Ana", "Eva", "Dani", "Gus"], tournament="1")
    command = "generala tournament paid Eva Gus --tournament 1"
    assert f"for the others, type {command}" in translated(refused.value.hint)
    undo(store, 1)
    again = pay_entries(store, ["Dani"]).pot_payments[0]
    assert again.id not in {each.paid.id for each in both.payments.pots}


def test_the_keeper_records_an_entry_and_undoes_it(store: Store) -> None:
    seat(store)
    form = entry(store)
    assert [*form.fields[0].shown_as.values()] == [*NAMES[:7]]
    assert form.send({"player": "1.Beto"}) == "Beto paid the pot 5.00 USD"
    assert entry(store).fields[0].about == "1 of 7 paid"
    assert payment_back(store).send({}) == "undone: Beto paid the pot 5.00 USD"
    assert ledger_of(store).units == ()


def test_players_who_paid_each_other_do_not_need_the_pot(store: Store) -> None:
    over(store)
    pay(store, "Beto", "Ana", "5")
    with pytest.raises(NotAllowed, match="already paid each other without the pot"):
        pay_entries(store, ["Cora"])


def test_the_word_is_reserved_in_every_language_and_two_pots_or_a_namesake_are_refused(
    generala: Generala,
) -> None:
    assert all(map(is_pot, ("pot", "The Pot", "pozo", "el pozo", "Topf", "der Topf")))
    new = ("tournament", "new", "Copa", "Ana", "Beto", "Cora", "--rounds", "1", "--entry-fee", "5")
    generala.ok(*new, "--unit", "EUR")
    made = generala.json("pay", "Ana", "pot", "5")
    account = {"account": "pot", "tournament": 1}
    assert (made["payments"], made["pot_payments"][0]["to"]) == ([], account)
    generala.ok("pay", "pot", "Ana", "1.50")
    assert "pot of Copa  Ana" in generala.ok("ledger", "--payments")
    assert "so Ana owes the pot 1.50 EUR" in generala.ok("ledger", "--why", "Ana", "pozo")
    assert generala.json("ledger", "--why", "pot", "Ana")["pots"][0]["owed"]["to"] == account
    generala.ok("tournament", "seat")
    assert "0 of 3 have paid the entry; not paid: Ana (1.50 EUR left), Beto and Cora" in generala.ok(
        "tournament", "tables"
    )
    generala.ok("tournament", "paid", "Ana")
    assert "1 of 3 have paid the entry; not paid: Beto and Cora" in generala.ok("tournament", "tables")
    generala.ok(*(word.replace("Copa", "Liga") for word in new), "--unit", "EUR")
    assert "add --tournament 1 for Copa or --tournament 2 for Liga" in generala("pay", "Beto", "pot", "5").err
    generala.ok("tournament", "paid", "Beto", "--tournament", "Copa")
    generala.ok("new", "--player", "Pot", "Ana", "--stake", "1", "--unit", "EUR")
    refused = generala("pay", "Ana", "pot", "5")
    assert (refused.code, "add --tournament 2; for the player, add --person" in refused.err) == (2, True)
    assert "Ana paid Pot 5.00 EUR" in generala.ok("pay", "Ana", "pot", "5", "--person")
    assert "Ana paid the pot 5.00 EUR" in generala.ok("pay", "Ana", "pot", "5", "--tournament", "2")


def test_a_prize_to_give_back_is_no_unpaid_entry(store: Store) -> None:
    seat(store)
    pay_entries(store, NAMES[:7])
    play_on(store, 1, ANAS_TABLE)
    play_on(store, 2, DANIS_TABLE)
    pay_pot(store, "Ana", "all", out=True)
    turns.undo(replace(store, named="1"))
    assert tables_and_ledger(store)[2] == [], "the result is open again"
    turns.redo(replace(store, named="1"))
    turns.amend(replace(store, named="1"), 1, TurnLine(), scratched=True)
    assert tables_and_ledger(store) == ([*NAMES[:7]], [], [])
    owed = -due(store)["Ana"]
    with pytest.raises(NotAllowed, match=f"has to give back {owed} USD of a prize") as refused:
        pay_entries(store, ["Ana"])
    assert f"generala pay Ana pot {owed} --tournament 1 records that" in translated(refused.value.hint)
    pay_pot(store, "Ana", "all")
    assert "Ana" not in due(store)


def test_a_prize_that_changed_after_the_pot_paid_it_is_reported(store: Store) -> None:
    seat(store)
    pay_entries(store, NAMES[:6])
    late, corrected, later = (replace(store, clock=partial(add, AT, timedelta(hours=at))) for at in (1, 2, 3))
    play_on(late, 1, ANAS_TABLE)
    play_on(late, 2, DANIS_TABLE)
    pay_entries(late, ["Gus"])
    settle(late, read_ledger_data(late), ledger_of(late))
    assert ledger_of(store).changed_pots == ()
    turns.amend(replace(corrected, named="1"), 1, TurnLine(), scratched=True)
    found = ledger_of(store).changed_pots
    assert [(each.creditor, each.counts, each.was, each.now) for each in found] == [
        ("Ana", True, Decimal(21), Decimal(0)),
        ("Dani", True, Decimal(14), Decimal("17.50")),
    ]
    assert {each.debtor for each in found} == {the_pot(store).pot}
    screen = Screen(width=80, color=False, marks=UNICODE)
    line = "changed since paid: tournament 1, the pot owed Ana 21.00 USD, now nothing"
    ana, gus = (pot_history(read_ledger_data(store), name) for name in ("Ana", "Gus"))
    assert line in as_text(drawn(ledger_of(store), screen), screen)
    assert line in as_text(drawn(ana, screen), screen)
    assert gus.changed_pots == (), "the prize of Gus is the same"
    pay_pot(later, "Ana", "all")
    assert [each.creditor for each in ledger_of(store).changed_pots] == ["Dani"]
    tournaments.change(later, 1, lambda _: [TournamentUndone(id=hexed(78), event=hexed(77))])
    (dani,) = ledger_of(store).changed_pots
    assert (dani.counts, dani.over, dani.was, dani.now) == (False, False, Decimal(14), Decimal(0))


def test_part_payers_are_listed_with_the_rest(generala: Generala) -> None:
    new = ("tournament", "new", "Copa", "Ana", "Beto", "Cora", "Dani", "--rounds", "1", "--tables-of", "4")
    generala.ok(*new, "--entry-fee", "7.35", "--unit", "EUR")
    paid = generala.ok("pay", "Ana", "pot", "2")
    assert "0 of 4 paid\n  Ana still owes the pot 5.35 EUR\n" in paid
    generala.ok("tournament", "seat")
    listed = "not paid: Ana (5.35 EUR left), Beto, Cora and Dani"
    assert listed in generala.ok("ledger")
    assert listed in generala.ok("tournament", "tables")
    assert generala.json("tournament", "tables")["left"] == {"Ana": "5.35"}
    assert "the pot now owes Beto 2.65 EUR" in generala.ok("pay", "Beto", "pot", "10")
    assert "the pot still owes Beto 0.65 EUR" in generala.ok("pay", "pot", "Beto", "2")
    assert "Beto now owes the pot 0.35 EUR" in generala.ok("pay", "pot", "Beto", "1")
    assert "owes" not in generala.ok("tournament", "paid", "Ana")
    generala.ok("pay", "pot", "Dani", "4")
    listed = "not paid: Beto (0.35 EUR left), Cora and Dani (11.35 EUR left)"
    assert listed in generala.ok("ledger")
    assert listed in generala.ok("tournament", "tables")
    generala.ok("pay", "--undo")
    assert "pot of Copa: 9.65 EUR short" in generala.ok("pay", "pot", "Cora", "24", "--yes")


def test_debts_between_players_are_not_called_even_below_a_pot(store: Store) -> None:
    seat(store)
    pay_entries(store, ["Ana"])
    play(store, {"Beto": 6, "Ana": 2})
    pay(store, "Ana", "Beto", "all")
    screen = Screen(width=80, color=False, marks=UNICODE)
    assert "even" not in as_text(drawn(ledger_of(store), screen), screen)


def test_an_entry_goes_to_the_latest_tournament_that_is_not_over(store: Store) -> None:
    over(store)
    pay_pot(store, "Ana", "2")
    agreed = replace(tournaments.load(store, 1).terms, name="Doble")
    tournaments.add(store, agreed)
    pay_entries(store, ["Beto"])
    assert [pot.name for account in ledger_of(store).units for pot in account.pots] == ["Copa", "Doble"]
