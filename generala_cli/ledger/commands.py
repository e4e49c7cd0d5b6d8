from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

from msgspec.structs import replace

from generala_cli.cli import completers
from generala_cli.cli.parameters import (
    MaybeUnit,
    PlayedBy,
    Since,
    Until,
    Yes,
    argument,
    one_unit,
    option,
    unit_note,
)
from generala_cli.cli.progress import progress
from generala_cli.cli.prompts import ask_before, ask_yes, read_or_ask
from generala_cli.cli.session import Answer, Session
from generala_cli.errors import Interrupted, UsageError
from generala_cli.messages import CommandLine, command_line, lazy

if TYPE_CHECKING:  # help reads no games
    from generala_cli.ledger.accounts import LedgerData
    from generala_cli.ledger.answers import (
        DebtHistory,
        Ledger,
        NamesChanged,
        PaymentList,
        PaymentsMade,
        PlayerList,
        PotHistory,
    )

Fewest = Annotated[bool, option("--fewest", "Settle with as few payments as possible.")]
_WHY = lazy("The games behind a debt between two players, or between a player and the pot.")
WhyTwo = Annotated[tuple[str, str] | None, option("--why", _WHY, "NAME NAME", completers.everyone)]

_PAYMENTS = lazy("List every payment instead, with time, payer, payee, amount and whether it was undone.")
ListPayments = Annotated[bool, option("--payments", _PAYMENTS)]
_SETTLE = lazy("Record the payments shown, after they were made; it asks.")
Settle = Annotated[bool, option("--settle", _SETTLE)]
Payer = Annotated[str | None, argument("[FROM]", "The player who paid.", completers.everyone)]
Payee = Annotated[str | None, argument("[TO]", "The player who was paid.", completers.everyone)]
Amount = Annotated[str | None, argument("[AMOUNT]", "The amount, such as 3.50, or all.")]
_PAID_UNIT = lazy("The unit of the payment; by default the unit of the debt.")
PaidUnit = Annotated[str | None, option("--unit", _PAID_UNIT, "UNIT", completers.units)]
_MEANT = lazy("Record a doubtful payment without a question.")
Meant = Annotated[bool, option("--yes -y", _MEANT)]
Note = Annotated[str, option("--note", "A note on the payment.", "TEXT")]
_UNDO = lazy("Undo the last payment, or the last N.")
Undo = Annotated[bool, option("--undo", _UNDO)]
_WITH_POT = lazy("The tournament of the pot, if several have one: its number or name.")
WithPot = Annotated[str | None, option("--tournament", _WITH_POT, "TOURNAMENT")]
_PERSON = lazy("Pay a player who is named like the pot.")
Person = Annotated[bool, option("--person", _PERSON)]
Entrants = Annotated[list[str], argument("NAME...", "The players who paid.", completers.everyone)]
Names = Annotated[list[str], argument("NAME NAME...", "The names of one person.", completers.everyone)]
JoinedName = Annotated[str, argument("NAME", "The name to separate from the others.", completers.joined)]


def ledger(
    session: Session,
    since: Since = None,
    until: Until = None,
    played: PlayedBy = None,
    fewest: Fewest = False,
    why: WhyTwo = None,
    payments: ListPayments = False,
    settle: Settle = False,
    yes: Yes = False,
) -> "Answer[Ledger | DebtHistory | PotHistory | PaymentList | PaymentsMade]":
    """Show who owes whom over all finished games, with one table per unit.

    Amounts are the payouts of each game, added up. Units are never converted. Games for points owe nothing.
    Entry fees and prizes of a tournament count once it is over. Payments are subtracted. If a game or a
    tournament changed after players paid for it, the ledger says so.
    """
    from generala_cli.ledger import accounts, paying

    if payments:
        listed = paying.list_payments(session.store, since=since, until=until, among=played or ())
        return Answer.of_document(listed).long()
    with progress(of_games=True, quiet=session.quiet) as report:
        data = accounts.read_ledger_data(
            session.store, since=since, until=until, among=played or (), strict=settle, progress=report
        )
    if settle:
        options = ["--since", since] if since is not None else []
        options += ["--until", until] if until is not None else []
        options += [word for name in played or () for word in ("--with", name)]
        options += ["--fewest"] if fewest else []
        settled = _settle(session, data, paying.to_settle(data, fewest=fewest), options, yes=yes)
        return session.as_change(settled)
    if why is not None:
        if (player := accounts.next_to_pot(data, why)) is not None:
            return Answer.of_document(accounts.pot_history(data, player)).long()
        return Answer.of_document(accounts.debt_history(data, *why)).long()
    return Answer.of_document(accounts.ledger(data, fewest=fewest)).long()


def _settle(
    session: Session, data: "LedgerData", shown: "Ledger", options: Sequence[str], *, yes: bool
) -> "Answer[Ledger | PaymentsMade]":
    from generala_cli.ledger import paying
    from generala_cli.ledger.drawing import transfer_message
    from generala_cli.render.lines import measured

    transfers = [(each, account.unit) for account in shown.units for each in account.transfers]
    with_pots = [
        transfer_message(each, pot.name, account.unit)
        for account in shown.units
        for pot in account.pots
        for each in pot.transfers
    ]
    if (transfers or with_pots) and not (yes or session.dry_run):
        lines = [
            lazy(
                "{debtor} pays {creditor} {amount}",
                debtor=each.debtor,
                creditor=each.creditor,
                amount=measured(each.amount, unit),
            )
            for each, unit in transfers
        ]
        lines += with_pots
        typed = command_line(["ledger", *options, "--settle", "--yes"])
        means = lazy("if all of it was paid, type {command}", command=typed)
        refusal = UsageError("payments are recorded only after they were made", means, lines)
        if not ask_before(session, lazy("Was all of that paid?"), refusal):
            return replace(Answer.of_document(shown), notes=(lazy("nothing was recorded"),))
    return Answer.of_document(paying.settle(session.store, data, shown, dry_run=session.dry_run))


def pay(
    session: Session,
    payer: Payer = None,
    payee: Payee = None,
    amount: Amount = None,
    word: MaybeUnit = None,
    unit: PaidUnit = None,
    note: Note = "",
    undo: Undo = False,
    tournament: WithPot = None,
    person: Person = False,
    yes: Meant = False,
) -> "Answer[PaymentsMade]":
    """Record a payment between two players, or undo payments.

    The default unit is the one of their debt. A payment needs a confirmation if they owe each other only in
    other units, or if it is more than is in the pot. A payment reduces the debts in the ledger; no game
    changes.

    The word pot means the pot of a tournament with an entry fee: generala pay Ana pot 5 pays the entry, and
    generala pay pot Ana 40 a prize.

    generala pay --undo undoes the last payment, generala pay --undo 2 the last two.
    """
    from generala_cli.game.starting import amounts_meant
    from generala_cli.ledger import paying

    if undo:
        if payee is not None or (payer is not None and not payer.strip().isdecimal()):
            raise UsageError(
                "--undo takes only a number", "type generala pay --undo, or generala pay --undo 2"
            )
        count = 1 if payer is None else int(payer.strip()[:9])
        made = paying.undo(session.store, count, dry_run=session.dry_run)
    else:
        if payer is None or payee is None or amount is None:
            hint = lazy("type generala pay NAME NAME AMOUNT, for example generala pay Beto Ana 3.50")
            raise UsageError("give a payer, a payee and an amount", hint)
        if amounts_meant(word or payee) and not amounts_meant(amount):
            what = lazy("{word!r} is not an amount", word=amount)
            raise UsageError(what, lazy("type {command}", command=CommandLine("generala pay FROM TO AMOUNT")))
        unit = one_unit(word, unit)
        write = _with_pot(session, payer, payee, tournament, is_person=person)
        write = write or partial(paying.pay, session.store, payer, payee)
        write = partial(write, note=note, dry_run=session.dry_run)
        made = _pay_or_ask(session, write, is_meant=yes, amount=amount, unit=unit)
    answer = session.as_change(Answer.of_document(made))
    if undo:
        return answer
    written = [each.unit for each in made.payments] or [each.unit for each in made.pot_payments]
    return replace(answer, notes=(*unit_note(unit, written[0]), *answer.notes))


def _pay_or_ask(
    session: Session, write: "partial[PaymentsMade]", *, is_meant: bool, amount: str, unit: str | None
) -> "PaymentsMade":
    from generala_cli.ledger.paying import DoubtfulPayment

    def confirmed(**typed: str) -> "PaymentsMade":
        nonlocal is_meant
        try:
            return write(**typed, is_meant=is_meant)
        except DoubtfulPayment as refused:
            if not session.can_ask:
                raise
            if not ask_yes(lazy("{doubt}. Record it anyway?", doubt=refused.message)):
                raise Interrupted("nothing was chosen", "nothing was changed") from None
            is_meant = True
            return write(**typed, is_meant=is_meant)

    return read_or_ask(session, confirmed, amount=amount, unit=unit)


def _with_pot(
    session: Session, payer: str, payee: str, tournament: str | None, *, is_person: bool
) -> "partial[PaymentsMade] | None":
    """Return the function that records a payment with a pot; None if the payment is between people."""
    from generala_cli.ledger import paying_pots
    from generala_cli.ledger.pots import is_pot

    word, player, out = paying_pots.pot_first(payer, payee)
    if is_person and not is_pot(word):
        raise UsageError("--person is only for a player who is named like the pot", "remove --person")
    if is_person or not is_pot(word):
        if tournament is not None:
            raise UsageError(
                "--tournament is only for payments to or from a pot",
                "type generala pay NAME pot AMOUNT --tournament NUMBER",
            )
        return None
    if tournament is None and not paying_pots.means_pot(session.store, word):
        return None
    return partial(
        paying_pots.pay_pot,
        session.store,
        player,
        out=out,
        tournament=tournament,
    )


def paid(session: Session, names: Entrants, tournament: WithPot = None) -> "Answer[PaymentsMade]":
    """Record that players paid their entry fee into the pot.

    If two machines record the same entry, it counts once. generala pay --undo undoes it, generala pay pot
    NAME AMOUNT pays a prize from the pot, and generala ledger shows the pot.
    """
    from generala_cli.ledger import paying_pots

    made = paying_pots.pay_entries(session.store, names, tournament=tournament, dry_run=session.dry_run)
    return session.as_change(Answer.of_document(made))


def players(session: Session) -> "Answer[PlayerList]":
    """List everyone who ever played here, with their games and when they last played.

    A person is a name, in upper or lower case. Similar names that never played together may be the same
    person: generala players same joins them, and generala players apart separates them again.
    """
    return list_(session)


def list_(session: Session) -> "Answer[PlayerList]":
    """List everyone who ever played here, with their games and when they last played."""
    from generala_cli.ledger import people

    with progress(of_games=True, quiet=session.quiet) as report:
        found = people.players(session.store, report)
    return Answer.of_document(found).long()


def same(session: Session, names: Names) -> "Answer[NamesChanged]":
    """Treat two or more names as one person, shown under the first name."""
    from generala_cli.ledger import people

    changed = people.join_names(session.store, names, dry_run=session.dry_run)
    return session.as_change(Answer.of_document(changed))


def apart(session: Session, name: JoinedName) -> "Answer[NamesChanged]":
    """Treat a name as a separate person again."""
    from generala_cli.ledger import people

    changed = people.part_name(session.store, name, dry_run=session.dry_run)
    return session.as_change(Answer.of_document(changed))
