"""The pot of a tournament: players pay their entry into it, and it pays the prizes.

Once anyone has paid into it, each player owes the pot the fee, and the pot owes each player the prize.
Otherwise, players owe each other.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal, localcontext

from msgspec import Struct

from generala_cli.game.payouts import DIGITS, EntryPayout
from generala_cli.game.people import People
from generala_cli.ledger.answers import PlayerInPot, Pot, PotName, PotPayment, PotTransfer
from generala_cli.ledger.payments import PaidPot
from generala_cli.ledger.storing import StoredPayments
from generala_cli.messages import words_for
from generala_cli.store.hooks import EntryState, PaidEntry, TournamentWithFee
from generala_cli.text import find_word

POT = words_for("the pot, as payer or payee", "pot, the pot")


class PotAccount(Struct, frozen=True, kw_only=True):
    """A pot, the amount it owes each player, everyone's entry, and its tournament if that is here."""

    unit: str
    pot: Pot
    found: TournamentWithFee | None
    owed: Mapping[str, Decimal]
    entries: Mapping[str, PaidEntry]


def is_pot(typed: str) -> bool:
    return find_word(typed, {True: POT}) is not None


def read_pots(
    with_fee: Sequence[TournamentWithFee], stored: StoredPayments, people: People
) -> tuple[PotAccount, ...]:
    """Return every pot with payments, in order of the first payment."""
    known, standing = {each.id: each for each in with_fee}, stored.file.payments.pots
    return tuple(
        read_pot(tournament, unit, known.get(tournament), stored, people)
        for tournament, unit in dict.fromkeys((each.paid.tournament, each.paid.unit) for each in standing)
    )


def read_pot(
    tournament: str, unit: str, found: TournamentWithFee | None, stored: StoredPayments, people: People
) -> PotAccount:
    payments = tuple(
        as_pot_payment(stored, each.number, each.paid, found, people)
        for each in stored.file.payments.pots
        if (each.paid.tournament, each.paid.unit) == (tournament, unit)
    )
    name = pot_name(found)
    with localcontext(prec=DIGITS):
        owed = _owed(found, payments, people)
        entries = {} if found is None else _entries(found, payments, owed, people)
        cash = sum((-each.amount if each.is_out else each.amount for each in payments), Decimal(0))
    pot = Pot(
        pot=name,
        id=tournament,
        name="" if found is None else found.name,
        fee=Decimal(0) if found is None else found.fee,
        cash=cash,
        over=found is None or found.payout is not None,
        paid=tuple(player for player, entry in entries.items() if entry.state == "paid"),
        deducted=tuple(player for player, entry in entries.items() if entry.state == "deducted"),
        unpaid=tuple(player for player, entry in entries.items() if entry.state == "unpaid"),
        left={player: entry.other_debt for player, entry in entries.items() if entry.other_debt is not None},
        transfers=()
        if found is None
        else (
            *(PotTransfer(payer=who, payee=name, amount=-due) for who, due in owed.items() if due < 0),
            *(PotTransfer(payer=name, payee=who, amount=due) for who, due in owed.items() if due > 0),
        ),
        payments=payments,
    )
    return PotAccount(unit=unit, pot=pot, found=found, owed=owed, entries=entries)


def _entries(
    found: TournamentWithFee, payments: Sequence[PotPayment], owed: Mapping[str, Decimal], people: People
) -> Mapping[str, PaidEntry]:
    """Return the entry of every entrant. A player who got it back before the result owes it again.

    More than that is a prize, even if the result is corrected later. Then the player owes the prize.
    """
    entries: dict[str, PaidEntry] = {}
    for player, count in Counter(map(people.shown, found.entrants)).items():
        own = [each for each in payments if each.player == player]
        paid = sum((each.amount for each in own if not each.is_out), Decimal(0))
        given = sum((each.amount for each in own if each.is_out), Decimal(0))
        fee, returned = found.fee * count, given if found.payout is None and given <= paid else Decimal(0)
        debt = -owed[player]
        left = max(Decimal(0), min(debt, fee - (paid - returned)))
        state: EntryState = "unpaid" if left else "paid" if paid >= fee else "deducted"
        other_debt = debt if left and debt != found.fee else None
        entries[player] = PaidEntry(state=state, left=left, other_debt=other_debt)
    return entries


def _owed(
    found: TournamentWithFee | None, payments: Sequence[PotPayment], people: People
) -> Mapping[str, Decimal]:
    moved = [(each.player, -each.amount if each.is_out else each.amount) for each in payments]
    if found is not None:
        prizes = {} if found.payout is None else found.payout.prizes
        moved = [
            *((people.shown(player), prize) for player, prize in prizes.items()),
            *((people.shown(player), -found.fee) for player in found.entrants),
            *moved,
        ]
    owed: dict[str, Decimal] = {}
    for player, amount in moved:
        owed[player] = owed.get(player, Decimal(0)) + amount
    return owed


def with_pot(account: PotAccount, player: str, people: People) -> PlayerInPot:
    """Return the fee, the prize and the payments of a player, under the shown name."""
    pot, found = account.pot, account.found
    entries = [] if found is None else [each for each in found.entrants if people.shown(each) == player]
    due = account.owed.get(player, Decimal(0))
    payer, payee = (pot.pot, player) if due > 0 else (player, pot.pot)
    with localcontext(prec=DIGITS):
        return PlayerInPot(
            pot=pot.pot,
            name=pot.name,
            unit=account.unit,
            started=None if found is None else found.started,
            fee=pot.fee * len(entries),
            prize=prize_of(None if found is None else found.payout, player, people),
            payments=tuple(each for each in pot.payments if each.player == player),
            owed=PotTransfer(payer=payer, payee=payee, amount=abs(due)) if due else None,
        )


def prize_of(payout: EntryPayout | None, player: str, people: People) -> Decimal:
    prizes = {} if payout is None else payout.prizes
    with localcontext(prec=DIGITS):
        return sum((prize for name, prize in prizes.items() if people.shown(name) == player), Decimal(0))


def pot_name(found: TournamentWithFee | None) -> PotName:
    return PotName(account="pot", tournament=None if found is None else found.number)


def as_pot_payment(
    stored: StoredPayments, number: int, paid: PaidPot, found: TournamentWithFee | None, people: People
) -> PotPayment:
    player, pot = people.shown(paid.player), pot_name(found)
    return PotPayment(
        payer=pot if paid.out else player,
        payee=player if paid.out else pot,
        amount=Decimal(paid.amount),
        payment=number,
        id=paid.id,
        time=stored.at(number),
        unit=paid.unit,
        note=paid.note,
        name="" if found is None else found.name,
    )
