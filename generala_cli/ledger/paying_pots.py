from collections.abc import Sequence
from decimal import Decimal
from hashlib import blake2b

import msgspec

from generala_cli.app.region import local_currency
from generala_cli.errors import FileError, NotAllowed, NotFound, UsageError
from generala_cli.game.money import decimal_text, unit_after, unit_key
from generala_cli.game.starting import parse_note, parse_payment, read_unit, write_payment
from generala_cli.ledger import storing
from generala_cli.ledger.accounts import LedgerData, read_ledger_data
from generala_cli.ledger.answers import PaymentsMade, Pot
from generala_cli.ledger.paying import ALL, DoubtfulPayment
from generala_cli.ledger.payments import PaidPot
from generala_cli.ledger.pots import PotAccount, is_pot, read_pot
from generala_cli.ledger.storing import StoredPayments
from generala_cli.messages import CommandLine, Message, command_line, lazy, listing
from generala_cli.remedies import Remedy, in_shell
from generala_cli.store.hooks import TournamentWithFee
from generala_cli.store.store import Store
from generala_cli.text import find, find_word


def pot_first(payer: str, payee: str) -> tuple[str, str, bool]:
    """Return the word for a pot, if either is one, the other name, and whether the pot pays."""
    return (payer, payee, True) if is_pot(payer) else (payee, payer, False)


def means_pot(store: Store, word: str) -> bool:
    """Return whether the word for the pot means a pot and no player. UsageError if it may be both."""
    data = read_ledger_data(store, strict=True)
    if data.with_fee and data.everyone.has(word):
        number = data.with_fee[-1].number
        raise UsageError(
            "{player} can be the player or the pot",
            in_shell(
                lazy("for the pot, add --tournament {number}; for the player, add --person", number=number)
            ),
            player=word,
        )
    return bool(data.with_fee) or not data.everyone.has(word)


def pay_pot(
    store: Store,
    player: str,
    amount: str,
    *,
    tournament: str | None = None,
    out: bool = False,
    unit: str | None = None,
    note: str = "",
    is_meant: bool = False,
    dry_run: bool = False,
) -> PaymentsMade:
    """Record a payment with a pot. Unless `is_meant`, more than is in the pot raises DoubtfulPayment."""
    data = read_ledger_data(store, strict=True)
    found = find_pot(data, tournament)
    _check_unit(found, unit)
    name = _find_entrant(data, found, player)
    before = read_pot(found.id, found.unit, found, data.stored, data.everyone)
    _check_unsettled(data, found, before)
    if find_word(amount, {True: ALL}):
        due = before.owed[data.everyone.shown(name)] * (1 if out else -1)
        if due <= 0:
            what = lazy("the pot owes {player} nothing") if out else lazy("{player} owes the pot nothing")
            raise NotAllowed(what, player=name)
        amount = decimal_text(due)
    paid = PaidPot(
        id=store.next_id(),
        tournament=found.id,
        player=name,
        amount=parse_payment(amount, found.unit, local_currency=local_currency()),
        unit=found.unit,
        out=out,
        note=parse_note(note),
    )
    if out and not is_meant:
        _check_covered(found, before.pot, Decimal(paid.amount), tournament)
    return _with_pot(data, found, storing.change(store, lambda _: [paid], dry_run=dry_run), 1)


def _check_unit(found: TournamentWithFee, typed: str | None) -> None:
    if typed is None:
        return
    meant = read_unit(typed, used=(found.unit,), local_currency=local_currency())
    if unit_key(meant) != unit_key(found.unit):
        raise UsageError("this pot is in {unit}", "remove the other unit", unit=found.unit)


def _check_covered(found: TournamentWithFee, pot: Pot, amount: Decimal, tournament: str | None) -> None:
    if amount <= pot.cash:
        return
    hint = in_shell(lazy("add --yes if you mean it"))
    if pot.unpaid:
        hint = Remedy("collect-first", tournament=f" --tournament {found.number}" if tournament else "")
    what = lazy("the pot of {name} is empty")
    if pot.cash > 0:
        what = lazy("the pot of {name} has only {cash:f} {unit}")
    unit = unit_after(pot.cash, found.unit)
    raise DoubtfulPayment(what, hint, name=found.name, cash=pot.cash, unit=unit)


def pay_entries(
    store: Store, players: Sequence[str], *, tournament: str | None = None, dry_run: bool = False
) -> PaymentsMade:
    """Record that players paid the rest of their entry fee. Two machines that record it make one event."""
    data = read_ledger_data(store, strict=True)
    found = find_pot(data, tournament, prefers_running=True)
    pot = read_pot(found.id, found.unit, found, data.stored, data.everyone)
    _check_unsettled(data, found, pot)
    names = dict.fromkeys(_find_entrant(data, found, typed) for typed in players)
    entries = {name: pot.entries.get(data.everyone.shown(name)) for name in names}
    due = {name: entry.left for name, entry in entries.items() if entry is not None and entry.left}
    if settled := [name for name in names if name not in due]:
        what, hint = _settled_entry(data, found, pot, settled[0])
        if due:
            hint = _hint_for_others([*due], tournament)
        raise NotAllowed(what, in_shell(hint))
    paid = {
        name: PaidPot(
            id=_entry_id(data, found, name),
            tournament=found.id,
            player=name,
            amount=write_payment(decimal_text(amount), found.unit),
            unit=found.unit,
        )
        for name, amount in due.items()
    }
    return _with_pot(
        data, found, storing.change(store, lambda _: [*paid.values()], dry_run=dry_run), len(paid)
    )


def _settled_entry(
    data: LedgerData, found: TournamentWithFee, account: PotAccount, player: str
) -> tuple[Message, Message]:
    """Return why the player owes no entry, and a hint."""
    shown = data.everyone.shown(player)
    entry, owed = account.entries.get(shown), account.owed.get(shown, Decimal(0))

    def paying(amount: Decimal) -> CommandLine:
        return command_line(("pay", player, "pot", decimal_text(amount), "--tournament", str(found.number)))

    if entry is not None and entry.state == "deducted":
        what = lazy("the entry of {player} is deducted from the prize", player=player)
        return what, lazy("{command} records a payment anyway", command=paying(found.fee))
    if owed < 0:
        what = lazy("{player} has paid the entry, but has to give back {amount} {unit} of a prize")
        what = what.with_values(player=player, amount=-owed, unit=unit_after(-owed, found.unit))
        return what, lazy("{command} records that", command=paying(-owed))
    return lazy("{player} has paid the entry", player=player), lazy("generala ledger shows the pot")


def _hint_for_others(others: Sequence[str], tournament: str | None) -> Message:
    named = () if tournament is None else ("--tournament", tournament)
    command = command_line(("tournament", "paid", *others, *named))
    return lazy("for the others, type {command}", command=command)


def _entry_id(data: LedgerData, found: TournamentWithFee, player: str) -> str:
    events = (each.event for each in data.stored.file.events)
    own = [
        event
        for event in events
        if isinstance(event, PaidPot) and (event.tournament, event.player) == (found.id, player)
    ]
    return blake2b(msgspec.json.encode((found.id, player, len(own))), digest_size=16).hexdigest()


def find_pot(data: LedgerData, typed: str | None, *, prefers_running: bool = False) -> TournamentWithFee:
    """Return the tournament; by default, the only open one or, if preferred, the latest running one."""
    if typed is None:  # the pot may belong to an unreadable tournament
        for skipped in data.damaged_tournaments:
            if isinstance(skipped.error, FileError):
                raise skipped.error
    if not data.with_fee:
        raise NotFound(
            "there is no pot, because no tournament has an entry fee",
            in_shell(lazy("give one an entry fee: generala tournament new NAME --entry-fee 5")),
        )
    by_number = {str(each.number): each for each in data.with_fee}
    if typed is not None:
        names = {number: (number, each.name) for number, each in by_number.items()}
        return by_number[find(typed, names, "tournament")]
    running = [each for each in data.with_fee if each.payout is None]
    if prefers_running and running:
        return running[-1]
    pots = {each.pot.id: each.pot for each in data.pots}
    is_open = [
        each for each in data.with_fee if each.payout is None or (each.id in pots and pots[each.id].transfers)
    ]
    if len(chosen := is_open or data.with_fee) > 1:
        options = [
            lazy("--tournament {number} for {name}", number=each.number, name=each.name) for each in chosen
        ]
        raise UsageError(
            "several tournaments have a pot", in_shell(lazy("add {options}", options=listing(options)))
        )
    return chosen[0]


def _find_entrant(data: LedgerData, found: TournamentWithFee, typed: str) -> str:
    people = data.everyone
    names = {name: people.names_of(people.shown(name)) for name in found.players}
    return find(typed, names, "player")


def _check_unsettled(data: LedgerData, found: TournamentWithFee, before: PotAccount) -> None:
    """Refuse the first payment into a pot if the players already paid each other."""
    if before.pot.payments or found.payout is None:
        return
    among = {*map(data.everyone.shown, found.players)}
    paid = [each for each in data.payments if each.time >= found.last and each.pair <= among]
    if any(unit_key(each.unit) == unit_key(found.unit) for each in paid):
        raise NotAllowed(
            "the players of {name} already paid each other without the pot",
            in_shell(lazy("generala ledger shows who owes whom")),
            name=found.name,
        )


def _with_pot(data: LedgerData, found: TournamentWithFee, stored: StoredPayments, count: int) -> PaymentsMade:
    pot = read_pot(found.id, found.unit, found, stored, data.everyone).pot
    last = stored.file.payments.length
    return PaymentsMade(
        payments=(),
        pot_payments=tuple(each for each in pot.payments if each.payment > last - count),
        pot=pot,
        damaged=data.damaged,
        damaged_tournaments=data.damaged_tournaments,
        saved=stored.saved,
    )
