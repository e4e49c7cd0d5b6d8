from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Literal

from rich.console import RenderableType
from rich.text import Text

from generala_cli.game.payouts import Owed
from generala_cli.ledger.answers import (
    Account,
    ChangedDebt,
    ChangedGame,
    ChangedPot,
    ChangedTournament,
    DebtHistory,
    Ledger,
    LedgerPayment,
    ListedPayment,
    ListedPotPayment,
    NamesChanged,
    PairAccount,
    PaymentList,
    PaymentsMade,
    PlayerInPot,
    PlayerList,
    Pot,
    PotHistory,
    PotName,
    PotPayment,
    PotTransfer,
)
from generala_cli.messages import Message, command_line, lazy, lazy_count, listing
from generala_cli.render.drawing import Bars, Column, GivesWay, Hanging, Stack, fits, table, text
from generala_cli.render.language import translate, translated
from generala_cli.render.lines import amount, label_text, measured, unpaid_list
from generala_cli.render.screen import Screen, draw
from generala_cli.render.tables import gain, local_time
from generala_cli.text import safe

_LONGEST_BAR = 24


@draw.register
def ledger(result: Ledger, screen: Screen) -> Stack:
    parts = [part for account in result.units for part in _account(account, result.way, screen)]
    nothing = [translate("nobody owes anybody anything")] if not parts else []
    return Stack(text(_heading(result), "bold"), *parts, *nothing, *_warnings(result))


def _warnings(result: Ledger | DebtHistory) -> Iterator[RenderableType]:
    pots = result.changed_pots if isinstance(result, Ledger) else ()
    if result.changed or result.changed_tournaments or pots or result.strangers:
        yield ""
    for game in result.changed:
        yield _changed(game, lazy("game {game}", game=game.game))
    for each in result.changed_tournaments:
        yield _changed(each, lazy("tournament {number}", number=each.tournament))
    yield from map(_changed_pot, pots)
    for name in result.strangers:
        stranger = lazy(
            "{player} paid or was paid, but is in no game; generala players same NAME NAME joins two names",
            player=name,
        )
        yield text(translated(stranger))


def _changed_pot(found: ChangedPot) -> Text:
    return _changed(found, lazy("tournament {number}", number=found.debtor.tournament))


def _changed(found: ChangedDebt, source: Message) -> Text:
    """Return `changed since paid: game 4, Beto owed Ana 1.20 USD, now 0.80 USD`."""
    change = _change(found)
    what = lazy("changed since paid: {source}, {change}", source=source, change=change)
    if not found.over:
        what = lazy(
            "changed since paid: {source}, which is no longer over; {change}", source=source, change=change
        )
    elif not found.counts:
        what = lazy(
            "changed since paid: {source}, which now has a different unit; {change}",
            source=source,
            change=change,
        )
    if isinstance(found, ChangedGame) and found.undone:
        what = lazy(
            "changed since paid: {source}, whose round was undone; {change}", source=source, change=change
        )
    return text(translated(what))


def _change(found: ChangedDebt) -> Message:
    debtor, creditor, was, now = _one(found.debtor), found.creditor, found.was, found.now
    if isinstance(found, ChangedTournament):
        more = lazy("{creditor} gets {amount} more and {debtor} {amount} less")
        return more.with_values(creditor=creditor, debtor=debtor, amount=measured(now - was, found.unit))
    if was < 0 or (not was and now < 0):
        debtor, creditor, was, now = creditor, debtor, -was, -now
    owed, owes = _owed(was, found.unit), _owed(abs(now), found.unit)
    what = lazy("{debtor} owed {creditor} {was}, now {now}")
    if isinstance(found, ChangedPot):
        what = lazy("the pot owed {creditor} {was}, now {now}")
    elif now < 0:
        what = lazy("{debtor} owed {creditor} {was}, now {creditor} owes {debtor} {now}")
    return what.with_values(debtor=debtor, creditor=creditor, was=owed, now=owes)


def _owed(value: Decimal, unit: str) -> str:
    return amount(value, unit) if value else translate("nothing", context="amount")


def _heading(result: Ledger) -> str:
    count = sum(len(account.games) for account in result.units)
    nights = sum(len(account.tournaments) + len(account.pots) for account in result.units)
    counted = []
    if count or not nights:
        counted.append(lazy_count("{count} game", "{count} games", count, context="ledger"))
    if nights:
        counted.append(lazy_count("{count} tournament", "{count} tournaments", nights, context="ledger"))
    pots = sum(len(pot.payments) for account in result.units for pot in account.pots)
    if paid := pots + sum(len(account.payments) for account in result.units):
        counted.append(lazy_count("{count} payment", "{count} payments", paid, context="ledger"))
    heading = lazy("Ledger of {counted}", counted=listing(counted, "and"))
    since, until = result.since, result.until
    if since is not None and until is not None:
        at, end = local_time(since), local_time(until)
        heading = lazy("{ledger} since {since} until {until}", ledger=heading, since=at, until=end)
    elif since is not None:
        heading = lazy("{ledger} since {since}", ledger=heading, since=local_time(since))
    elif until is not None:
        heading = lazy("{ledger} until {until}", ledger=heading, until=local_time(until))
    if result.people:
        heading = lazy("{ledger} with {people}", ledger=heading, people=listing(result.people, "and"))
    return translated(heading)


def _account(account: Account, way: Literal["direct", "fewest"], screen: Screen) -> Iterator[RenderableType]:
    for pot in account.pots:
        yield ""
        yield from _pot(pot, account.unit, screen)
    if account.pots and not account.transfers:
        return
    yield ""
    if account.transfers:
        verb = (
            translate("pays", context="payouts") if way == "fewest" else translate("owes", context="payouts")
        )
        yield from _transfers(account.transfers, account.unit, verb, screen)
        yield ""
        yield _nets(account, screen)
    else:
        yield text(translate("all are even in {unit}", unit=account.unit))
    if way == "fewest" and not account.fewest:
        yield translate("fewer payments may be possible; the search covers only up to 16 people")


def _pot(pot: Pot, unit: str, screen: Screen) -> Iterator[RenderableType]:
    yield text(translated(pot_message(pot, unit)))
    if pot.unpaid and not pot.over:
        names = unpaid_list(pot.unpaid, pot.left, unit)
        yield text(translated(lazy("  not paid: {players}", players=names)))
    if pot.deducted:
        deducted = lazy("entry deducted from the prize: {players}", players=listing(pot.deducted, "and"))
        yield text(f"  {translated(deducted)}")
    due = due_now(pot)
    if due:
        yield table(
            Column(cells=[f"  {_one(each.payer)}" for each in due], gives_way=GivesWay.APART),
            Column(cells=[_owes(each.payee) for each in due]),
            Column(cells=[_creditor(each.payee) for each in due], gives_way=GivesWay.APART),
            Column(cells=[amount(each.amount, unit) for each in due], right=True),
            screen=screen,
        )


def due_now(pot: Pot) -> Sequence[PotTransfer]:
    """Return the payments that are due: before the result, no entries."""
    return [each for each in pot.transfers if pot.over or each.is_out or each.player not in pot.unpaid]


def pot_message(pot: Pot, unit: str) -> Message:
    """Return `pot of Copa: 35.00 USD, 7 of 8 paid`."""
    if pot.pot.tournament is None:
        return lazy("pot of a tournament that is not here: {cash}", cash=measured(pot.cash, unit))
    what = lazy("pot of {name}: {cash}, {paid} of {all} paid")
    if pot.cash < 0:
        what = lazy("pot of {name}: {cash} short, {paid} of {all} paid")
    return what.with_values(
        name=pot.name,
        cash=measured(abs(pot.cash), unit),
        paid=len(pot.paid),
        all=pot.entrants,
    )


def transfer_message(due: PotTransfer, name: str, unit: str) -> Message:
    what = lazy("{player} pays the pot of {name} {amount}")
    if due.is_out:
        what = lazy("the pot of {name} pays {player} {amount}")
    return what.with_values(player=due.player, name=name, amount=measured(due.amount, unit))


def _one(account: str | PotName) -> str:
    return account if isinstance(account, str) else translate("the pot")


def _owes(creditor: str | PotName) -> str:
    if isinstance(creditor, str):
        return translate("owes", context="payouts")
    return translate("owes", context="before the pot")


def _creditor(account: str | PotName) -> str:
    return account if isinstance(account, str) else translate("the pot", context="after owes")


def _named(account: str | PotName, made: LedgerPayment | PotPayment) -> str:
    if isinstance(account, PotName) and isinstance(made, PotPayment) and made.name:
        return translate("pot of {name}", name=made.name)
    return account if isinstance(account, str) else translate("the pot")


def _transfers(transfers: Sequence[Owed], unit: str, verb: str, screen: Screen) -> Iterator[RenderableType]:
    return _rows(
        Column(cells=[each.debtor for each in transfers], gives_way=GivesWay.APART),
        Column(cells=[verb] * len(transfers)),
        Column(cells=[each.creditor for each in transfers], gives_way=GivesWay.APART),
        Column(cells=[amount(each.amount, unit) for each in transfers], right=True),
        screen=screen,
    )


def _nets(account: Account, screen: Screen) -> RenderableType:
    net = account.net
    largest = max(map(abs, net.values()))
    return table(
        Column(cells=list(net), gives_way=GivesWay.SHORTENS),
        Column(lazy("net"), [gain(each, account.unit) for each in net.values()], right=True),
        Bars(cells=[float(each / largest) for each in net.values()], longest=_LONGEST_BAR),
        screen=screen,
    )


@draw.register
def debt_history(result: DebtHistory, screen: Screen) -> Stack:
    names = listing(result.people, "and")
    parts = [part for account in result.units for part in _pair_account(account, screen)]
    nothing = lazy("nothing was ever owed or paid between {names}", names=names)
    otherwise = [] if parts else [text(translated(nothing))]
    heading = translate("Between {names}", names=names)
    return Stack(text(heading, "bold"), *parts, *otherwise, *_warnings(result))


def _pair_account(account: PairAccount, screen: Screen) -> Iterator[RenderableType]:
    yield ""
    reasons = account.reasons
    what, who = [], []
    for reason in reasons:
        if reason.payment is not None:
            what.append(translate("payment {number}", number=reason.payment))
            who.append(translate("{payer} paid {payee}", payer=reason.creditor, payee=reason.debtor))
        elif reason.settlement is not None:
            what.append(translate("settled"))
            paid = {"payer": reason.creditor, "payee": reason.debtor}
            who.append(translate("{payer} settled with {payee} through other payments", **paid))
        else:
            source = translate("tournament {number}", number=reason.tournament)
            what.append(source if reason.game is None else translate("game {game}", game=reason.game))
            owes = lazy("{debtor} owes {creditor}")
            if reason.through_others:
                owes = lazy("{debtor} owes {creditor} through other players")
            who.append(translated(owes.with_values(debtor=reason.debtor, creditor=reason.creditor)))
    yield from _rows(
        Column(cells=what),
        Column(cells=[local_time(reason.time) for reason in reasons]),
        Column(cells=[label_text(reason.label) for reason in reasons], gives_way=GivesWay.DROPS, if_any=True),
        Column(cells=who, gives_way=GivesWay.SHORTENS),
        Column(cells=[amount(reason.amount, account.unit) for reason in reasons], right=True),
        screen=screen,
    )
    if (owed := account.owed) is None:
        yield text(translate("so they are even in {unit}", unit=account.unit))
    else:
        value = amount(owed.amount, account.unit)
        so = lazy(
            "so {debtor} owes {creditor} {amount}", debtor=owed.debtor, creditor=owed.creditor, amount=value
        )
        yield text(translated(so))
        if account.in_circle:
            yield text(translate("this debt is part of a circle in which everyone is even"))


def _rows(*columns: Column, screen: Screen) -> Iterator[RenderableType]:
    """Yield a table, or on a narrow screen a line for each row, which wraps."""
    if fits(columns, screen):
        yield table(*columns, screen=screen)
        return
    for row in zip(*(each.texts[1:] for each in columns), strict=True):
        yield Hanging("  ".join(filter(None, row)))


@draw.register
def pot_history(result: PotHistory, screen: Screen) -> Stack:
    if not result.pots:
        return Stack(text(translate("{player} is in no pot that has payments", player=result.player)))
    parts = [part for each in result.pots for part in _player_in_pot(result.player, each, screen)]
    changed = [*map(_changed_pot, result.changed_pots)]
    return Stack(*parts, *([""] if changed else []), *changed)


def _player_in_pot(player: str, account: PlayerInPot, screen: Screen) -> Iterator[RenderableType]:
    owes, gets = lazy("{player} owes the pot", player=player), lazy("the pot owes {player}", player=player)
    source = lazy("tournament {number}", number=account.pot.tournament)
    started = "" if account.started is None else local_time(account.started)
    rows = [
        (source, started, what, each) for what, each in ((owes, account.fee), (gets, account.prize)) if each
    ]
    for paid in account.payments:
        what = lazy("the pot paid {player}") if paid.is_out else lazy("{player} paid the pot")
        number = lazy("payment {number}", number=paid.payment)
        rows.append((number, local_time(paid.time), what.with_values(player=player), paid.amount))
    yield text(translate("Between {player} and the pot of {name}", player=player, name=account.name), "bold")
    yield from _rows(
        Column(cells=[translated(source) for source, _, _, _ in rows]),
        Column(cells=[time for _, time, _, _ in rows]),
        Column(cells=[translated(what) for _, _, what, _ in rows], gives_way=GivesWay.SHORTENS),
        Column(cells=[amount(each, account.unit) for *_, each in rows], right=True),
        screen=screen,
    )
    if (owed := account.owed) is None:
        yield text(translate("so they are even in {unit}", unit=account.unit))
    else:
        so = (
            lazy("so the pot owes {player} {amount}")
            if owed.is_out
            else lazy("so {player} owes the pot {amount}")
        )
        yield text(translated(so.with_values(player=player, amount=amount(owed.amount, account.unit))))


@draw.register
def payments_made(result: PaymentsMade, screen: Screen) -> Stack:
    every: list[LedgerPayment | PotPayment] = [*result.payments, *result.pot_payments]
    lines = [
        text(translate("undone: {payment}", payment=_payment(made)) if result.undone else _payment(made))
        for made in every
    ]
    if result.pot is not None and result.pot_payments:
        news = [pot_message(result.pot, result.pot_payments[0].unit), *_left_with_pot(result)]
        return Stack(*lines, *(text(f"  {translated(each)}") for each in news))
    if len(result.payments) != 1 or result.undone or result.pot_payments:
        return Stack(*lines) if lines else Stack(translate("nobody owes anybody anything"))
    if result.damage_notes:  # debts may be missing
        return Stack(*lines)
    made, left = result.payments[0], result.left
    if left is None:
        after = lazy(
            "{payer} and {payee} are even in {unit}", payer=made.payer, payee=made.payee, unit=made.unit
        )
    else:
        owed = amount(left.amount, made.unit)
        values = {"debtor": left.debtor, "creditor": left.creditor, "amount": owed}
        after = lazy("{debtor} now owes {creditor} {amount}", **values)
        if left.debtor == made.payer:
            after = lazy("{debtor} still owes {creditor} {amount}", **values)
    return Stack(*lines, text(f"  {translated(after)}"))


def _left_with_pot(result: PaymentsMade) -> Iterator[Message]:
    """Yield the remaining debts between the pot and the players of new payments."""
    last = {made.player: made for made in result.pot_payments}
    for due in () if result.pot is None else result.pot.transfers:
        if (made := last.get(due.player)) is None:
            continue
        if due.is_out:
            what = lazy("the pot still owes {player} {amount}")
            now = lazy("the pot now owes {player} {amount}")
        else:
            what, now = (
                lazy("{player} still owes the pot {amount}"),
                lazy("{player} now owes the pot {amount}"),
            )
        what = what if made.is_out == due.is_out else now
        yield what.with_values(player=due.player, amount=measured(due.amount, made.unit))


def _payment(made: LedgerPayment | PotPayment) -> str:
    note = f" ({made.note})" if made.note else ""
    match made.payer, made.payee:
        case str(player), PotName():
            what = lazy("payment {number}: {player} paid the pot {amount}", player=player)
        case PotName(), str(player):
            what = lazy("payment {number}: the pot paid {player} {amount}", player=player)
        case payer, payee:
            values = {"payer": _one(payer), "payee": _one(payee)}
            what = lazy("payment {number}: {payer} paid {payee} {amount}", **values)
    line = translated(what.with_values(number=made.payment, amount=amount(made.amount, made.unit)))
    return f"{line}{note}"


@draw.register
def payments(result: PaymentList, screen: Screen) -> Stack:
    made: list[ListedPayment | ListedPotPayment] = [*result.payments, *result.pot_payments]
    made.sort(key=lambda each: each.payment)
    if not made:
        return Stack(translate("there are no payments"))
    columns = (
        Column(lazy("no.", context="payment"), [each.payment for each in made], right=True),
        Column(lazy("recorded"), [local_time(each.time) for each in made]),
        Column(
            lazy("paid", context="who paid"),
            [_named(each.payer, each) for each in made],
            gives_way=GivesWay.APART,
        ),
        Column(
            lazy("to", context="who was paid"),
            [_named(each.payee, each) for each in made],
            gives_way=GivesWay.APART,
        ),
        Column(lazy("amount"), [amount(each.amount, each.unit) for each in made], right=True),
        Column(lazy("note"), [each.note for each in made], gives_way=GivesWay.SHORTENS, if_any=True),
        Column(cells=[translate("undone") if each.undone else "" for each in made], if_any=True),
    )
    if not fits(columns, screen):
        return Stack(*(Hanging(f"{local_time(each.time)}  {_listed(each)}") for each in made))
    return Stack(table(*columns, screen=screen))


def _listed(made: ListedPayment | ListedPotPayment) -> str:
    return translate("undone: {payment}", payment=_payment(made)) if made.undone else _payment(made)


@draw.register
def players(result: PlayerList, screen: Screen) -> RenderableType:
    if not result.players:
        return Stack(translate("no games yet; start one with generala new NAME NAME"))
    near = []
    for pair in result.doubles:
        names, command = listing(pair, "and"), command_line(["players", "same", *map(safe, pair)])
        near.append(text(translate("{names} may be one person: {command}", names=names, command=command)))
    found = result.players
    others = [", ".join(each.names[1:]) for each in found]
    shown = table(
        Column(lazy("player"), [each.player for each in found], gives_way=GivesWay.SHORTENS),
        Column(lazy("games"), [each.games for each in found], right=True),
        Column(lazy("last seen"), [local_time(each.last) if each.last else "" for each in found]),
        Column(lazy("also called"), others, gives_way=GivesWay.SHORTENS, if_any=True),
        screen=screen,
    )
    return Stack(shown, *([""] if near else []), *near)


@draw.register
def names_changed(result: NamesChanged, screen: Screen) -> Stack:
    names, shown = listing(map(safe, result.names), "and"), safe(result.names[0])
    if not result.joined:
        return Stack(translate("{player} is a separate person", player=names))
    joined = translate("{players} are now one person, shown as {player}", players=names, player=shown)
    new = (translate("no player has been called {player} yet", player=safe(name)) for name in result.new)
    return Stack(joined, *(f"  {each}" for each in new))
