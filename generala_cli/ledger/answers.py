from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from msgspec import Struct, field

from generala_cli.game.money import Amount
from generala_cli.game.payouts import Owed
from generala_cli.render.documents import Count, DamagedGame, DamagedTournament, Document, Ordinal

Pair = tuple[str, str]


class LedgerGame(Struct, frozen=True, kw_only=True):
    """A finished game. `players` have their names in the game, all others the shown ones."""

    game: Ordinal
    id: str
    label: str
    started: datetime
    players: tuple[str, ...]
    unit: str
    owed: tuple[Owed, ...]
    net: Mapping[str, Amount]


class LedgerTournament(Struct, frozen=True, kw_only=True):
    """A finished tournament, whose entry fees and prizes are debts, with the keys of a game."""

    tournament: Ordinal
    id: str
    name: str
    started: datetime
    players: tuple[str, ...]
    unit: str
    owed: tuple[Owed, ...]
    net: Mapping[str, Amount]

    @property
    def label(self) -> str:
        return self.name


Source = LedgerGame | LedgerTournament
"""A cause of debts."""


class LedgerPayment(Struct, frozen=True, kw_only=True):
    """A payment between two people, under the shown names."""

    payment: Ordinal
    id: str
    time: datetime
    payer: str = field(name="from")
    payee: str = field(name="to")
    amount: Amount
    unit: str
    note: str

    @property
    def pair(self) -> frozenset[str]:
        return frozenset({self.payer, self.payee})

    @property
    def owed(self) -> Owed:
        return Owed(debtor=self.payee, creditor=self.payer, amount=self.amount)


class PotName(Struct, frozen=True, kw_only=True):
    """The pot of a tournament, which is null if it is not on this machine."""

    account: Literal["pot"]
    tournament: Ordinal | None


class PotTransfer(Struct, frozen=True, kw_only=True):
    """A payment into a pot or from it, recorded or still due."""

    payer: str | PotName = field(name="from")
    payee: str | PotName = field(name="to")
    amount: Amount

    @property
    def player(self) -> str:
        return self.payer if isinstance(self.payer, str) else str(self.payee)

    @property
    def is_out(self) -> bool:
        return isinstance(self.payer, PotName)


class PotPayment(PotTransfer, frozen=True, kw_only=True):
    """A payment with a pot. `name` is the tournament's name, empty if it is not on this machine."""

    payment: Ordinal
    id: str
    time: datetime
    unit: str
    note: str
    name: str


class Pot(Struct, frozen=True, kw_only=True):
    """The pot of a tournament into which anyone has paid. Its players owe each other nothing for it.

    `cash` is the money in it. `over` says that prizes are due. `paid` players have paid the entry fee,
    `deducted` ones have it deducted from their prize, and `unpaid` ones still owe some of it. `left` is the
    debt of unpaid players who do not owe exactly the fee. `transfers` are still due. `name` is empty if the
    tournament is not on this machine.
    """

    pot: PotName
    id: str
    name: str
    fee: Amount
    cash: Amount
    over: bool
    paid: tuple[str, ...]
    deducted: tuple[str, ...]
    unpaid: tuple[str, ...]
    left: Mapping[str, Amount]
    transfers: tuple[PotTransfer, ...]
    payments: tuple[PotPayment, ...]

    @property
    def entrants(self) -> int:
        return len(self.paid) + len(self.deducted) + len(self.unpaid)


class PlayerInPot(Struct, frozen=True, kw_only=True):
    """A player's account with the pot of a tournament: fee, prize and payments. `owed` is still due."""

    pot: PotName
    name: str
    unit: str
    started: datetime | None
    fee: Amount
    prize: Amount
    payments: tuple[PotPayment, ...]
    owed: PotTransfer | None


class Account(Struct, frozen=True, kw_only=True):
    """The balances in one unit; `fewest` if fewer transfers are impossible. Other keys exclude `pots`."""

    unit: str
    net: Mapping[str, Amount]
    transfers: tuple[Owed, ...]
    fewest: bool
    games: tuple[LedgerGame, ...]
    tournaments: tuple[LedgerTournament, ...]
    payments: tuple[LedgerPayment, ...]
    pots: tuple[Pot, ...] = ()


class ChangedDebt(Struct, frozen=True, kw_only=True):
    """The debt from `from` to `to` by a source: `was` when one last paid the other, and `now`.

    A negative amount means that `to` owes `from`. `counts` is false if the source is no longer over or now
    has a different unit.
    """

    unit: str
    debtor: str | PotName = field(name="from")
    creditor: str = field(name="to")
    counts: bool
    over: bool
    was: Amount
    now: Amount


class ChangedGame(ChangedDebt, frozen=True, kw_only=True):
    """A game that changed after a payment; `undone` if its tournament round was undone."""

    debtor: str = field(name="from")
    game: Ordinal
    undone: bool = False


class ChangedTournament(ChangedDebt, frozen=True, kw_only=True):
    """A tournament that changed after payments: `to` gets `now` minus `was` more, and `from` less."""

    debtor: str = field(name="from")
    tournament: Ordinal


class ChangedPot(ChangedDebt, frozen=True, kw_only=True):
    """A prize that changed after a payment between the pot and the player."""

    debtor: PotName = field(name="from")


class PotHistory(Document, frozen=True, kw_only=True):
    """Why a player owes the pots of tournaments something, or they the player."""

    player: str
    pots: tuple[PlayerInPot, ...]
    changed_pots: tuple[ChangedPot, ...]
    damaged: tuple[DamagedGame, ...]
    damaged_tournaments: tuple[DamagedTournament, ...]


class Ledger(Document, frozen=True, kw_only=True):
    """The debts between people by unit. `strangers` paid or were paid but are in no game.

    Everyone pays their creditors (`way` is `direct`), or there are as few payments as possible (`fewest`).
    """

    since: datetime | None
    until: datetime | None
    people: tuple[str, ...] = field(name="with")
    way: Literal["direct", "fewest"]
    units: tuple[Account, ...]
    changed: tuple[ChangedGame, ...]
    changed_tournaments: tuple[ChangedTournament, ...]
    changed_pots: tuple[ChangedPot, ...]
    strangers: tuple[str, ...]
    damaged: tuple[DamagedGame, ...]
    damaged_tournaments: tuple[DamagedTournament, ...]
    saved: bool = False


class DebtReason(Owed, frozen=True, kw_only=True):
    """Why `from` owes `to`: a game, a tournament, a payment or a settlement. The others are null.

    `through_others` says that debts and payments of other players of tournaments cause this debt.
    A settlement clears debts between people who did not pay each other. `label` may be a name or a note.
    """

    game: Ordinal | None = None
    tournament: Ordinal | None = None
    payment: Ordinal | None = None
    settlement: Ordinal | None = None
    time: datetime
    label: str
    through_others: bool = False


class PairAccount(Struct, frozen=True, kw_only=True):
    """The account of two people in one unit. The ledger omits debts that cancel out (`in_circle`)."""

    unit: str
    owed: Owed | None
    in_circle: bool = False
    reasons: tuple[DebtReason, ...]


class DebtHistory(Document, frozen=True, kw_only=True):
    """Why one of two people owes the other."""

    since: datetime | None
    until: datetime | None
    people: Pair = field(name="with")
    units: tuple[PairAccount, ...]
    changed: tuple[ChangedGame, ...]
    changed_tournaments: tuple[ChangedTournament, ...]
    strangers: tuple[str, ...]
    damaged: tuple[DamagedGame, ...]
    damaged_tournaments: tuple[DamagedTournament, ...]
    saved: bool = False


class PaymentsMade(Document, frozen=True, kw_only=True):
    """Payments that were recorded or `undone`. `left` is the debt after a single payment between people."""

    payments: tuple[LedgerPayment, ...]
    pot_payments: tuple[PotPayment, ...] = ()
    pot: Pot | None = None
    undone: bool = False
    left: Owed | None = None
    damaged: tuple[DamagedGame, ...] = ()
    damaged_tournaments: tuple[DamagedTournament, ...] = ()
    saved: bool


class ListedPayment(LedgerPayment, frozen=True, kw_only=True):
    undone: bool


class ListedPotPayment(PotPayment, frozen=True, kw_only=True):
    undone: bool


class PaymentList(Document, frozen=True, kw_only=True):
    """Every payment, including undone ones."""

    since: datetime | None
    until: datetime | None
    people: tuple[str, ...] = field(name="with")
    payments: tuple[ListedPayment, ...]
    pot_payments: tuple[ListedPotPayment, ...] = ()


class Player(Struct, frozen=True, kw_only=True):
    """A person with all names. `last` is the start of their latest game."""

    player: str
    names: tuple[str, ...]
    games: Count
    last: datetime | None


class PlayerList(Document, frozen=True, kw_only=True):
    """Everyone who ever played, the latest first. `doubles` may be one person: they never played together."""

    players: tuple[Player, ...]
    doubles: tuple[Pair, ...]
    damaged: tuple[DamagedGame, ...]
    damaged_tournaments: tuple[DamagedTournament, ...]


class NamesChanged(Document, frozen=True, kw_only=True):
    """Names joined into one person, or a name that was parted. `new` names never played."""

    names: tuple[str, ...]
    new: tuple[str, ...] = ()
    joined: bool
    damaged: tuple[DamagedGame, ...]
    damaged_tournaments: tuple[DamagedTournament, ...]
    saved: bool
