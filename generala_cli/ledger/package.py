from collections.abc import Mapping
from itertools import product

from generala_cli.messages import lazy
from generala_cli.packages import EVENING, Command, FileKind, Package
from generala_cli.remedies import in_shell

_PAY = (
    "generala pay Beto Ana 3.50 --unit USD",
    "generala pay Beto Ana 1 --unit drink --note 'at the bar'",
    "generala pay Ana pot 5",
)
_SAME = ("generala players same Ana Anita",)
_APART = ("generala players apart Beto",)
_LEDGER = (
    "generala ledger --since tonight",
    "generala ledger --fewest",
    "generala ledger --why Ana Beto",
    "generala ledger --payments",
)
_PLAYERS_COMMANDS: Mapping[str, Command] = {
    "list": Command(
        "ledger.commands:list_", "List everyone who has played here.", ("generala players list",), EVENING
    ),
    "same": Command("ledger.commands:same", "Treat two names as one person.", _SAME, EVENING, writes=True),
    "apart": Command(
        "ledger.commands:apart", 'Undo "players same" for a name.', _APART, EVENING, writes=True
    ),
}
PAYMENTS = FileKind(
    name="payments",
    format="ledger.paymentsfile:PaymentsFile",
    folder="payments",
    shown=lazy("the payments file"),
    listed=lazy("payments"),
    lacking=lazy("some payments"),
    none=lazy("there are no payments"),
    begin=in_shell(lazy("record one with generala pay")),
    instead=lazy("to undo payments, type generala pay --undo"),
)
PACKAGE = Package(
    commands={
        "ledger": Command(
            "ledger.commands:ledger",
            "Show who owes whom across games.",
            _LEDGER,
            EVENING,
            writes=True,
            needs=dict.fromkeys(("-q", "-n", "--yes"), ("--settle",)),
            excludes=(("--why", "--payments", "--settle"), ("--fewest", "--payments"), ("--fewest", "--why")),
        ),
        "pay": Command(
            "ledger.commands:pay",
            "Record a payment.",
            _PAY,
            EVENING,
            writes=True,
            excludes=(
                *product(("--undo",), ("--unit", "--note", "--tournament", "--person")),
                ("--tournament", "--person"),
            ),
        ),
        "players": Command(
            "ledger.commands:players",
            "List everyone who has played here.",
            ("generala players",),
            EVENING,
            commands=_PLAYERS_COMMANDS,
        ),
    },
    chapters={"debts": "files"},
    kinds=(PAYMENTS,),
    hooks={"joined_names": "ledger.hooks:joined_names", "paid_entries": "ledger.hooks:paid_entries"},
)
