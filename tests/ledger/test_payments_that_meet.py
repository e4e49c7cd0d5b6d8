"""Payments of several machines: merged in any order, all machines agree, and no payment is lost."""

from collections.abc import Sequence
from datetime import timedelta
from itertools import count, permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from generala_cli.errors import GeneralaError
from generala_cli.ledger.payments import (
    NameParted,
    NamesJoined,
    Paid,
    PaymentEvent,
    Payments,
    PaymentUndone,
    judge,
    replay,
    undo_events,
)
from generala_cli.ledger.paymentsfile import PaymentsFile
from generala_cli.store.facts import merged
from generala_cli.store.sealing import Unreadable, encode
from tests.cases import cases
from tests.sessions.reporting import MET, report
from tests.store.files import AT, document_of, sealed

NAMES = ("Ana", "Beto", "Cora", "Ánã", "Dani")


class Machine:
    """One machine of a group: its payments file, and a clock that is wrong by some minutes."""

    def __init__(self, skew: int) -> None:
        self.file = PaymentsFile()
        self._skew = skew

    @property
    def payments(self) -> Payments:
        return replay(recorded.event for recorded in self.file.events)

    def write(self, events: Sequence[PaymentEvent], minute: int) -> None:
        file = self.file.with_events(events, AT + timedelta(minutes=minute + self._skew))
        self.file = PaymentsFile.read(encode(file))

    def meet(self, came: PaymentsFile) -> None:
        self.file = PaymentsFile.read(encode(merged([self.file, came])))


class Group:
    """Three machines in a ring, everything ever entered on them, and messages in transit."""

    def __init__(self, random: Random) -> None:
        self.machines = [Machine(random.randint(-90, 90)) for _ in range(3)]
        self.paid: dict[str, Paid] = {}
        self.undone: set[str] = set()
        self._random = random
        self._sent: list[tuple[int, PaymentsFile]] = []
        self._ids = count(1)

    def step(self, minute: int) -> None:
        """Record something, or send, deliver, repeat or lose a message."""
        random = self._random
        place = random.randrange(3)
        machine = self.machines[place]
        one, other = random.sample(NAMES, 2)
        match random.choice(["pay", "pay", "undo", "join", "part", "send", "arrive", "lose"]):
            case "pay":
                number = f"{random.getrandbits(128):032x}"
                self.paid[number] = Paid(id=number, payer=one, payee=other, amount="1.50", unit="USD")
                machine.write([self.paid[number]], minute)
            case "undo" if machine.payments.standing:
                self._undo(machine, minute)
            case "join":
                self._try(machine, NamesJoined(id=self._id(), names=(one, other)), minute)
            case "part":
                self._try(machine, NameParted(id=self._id(), name=one), minute)
            case "send":
                self._sent.append(((place + 1) % 3, machine.file))
            case "arrive" if self._sent:
                to, file = random.choice(self._sent)
                self.machines[to].meet(file)
            case "lose" if self._sent:
                self._sent.remove(random.choice(self._sent))

    def _undo(self, machine: Machine, minute: int) -> None:
        payments = machine.payments
        undone = undo_events(payments, self._random.randint(1, len(payments.standing)))
        self.undone |= {each.payment for each in undone}
        machine.write(undone, minute)

    def _try(self, machine: Machine, event: PaymentEvent, minute: int) -> None:
        try:
            judge(machine.payments, event)
        except GeneralaError:
            return
        machine.write([event], minute)

    def _id(self) -> str:
        return f"{next(self._ids):032x}"

    def exchange(self) -> None:
        """Pass files around the ring until nothing changes."""
        for _ in range(3):
            for place in range(3):
                self.machines[(place + 1) % 3].meet(self.machines[place].file)


def check_group(seed: int, steps: int) -> None:
    group = Group(Random(seed))
    for minute in range(steps):
        group.step(minute // 3)
    group.exchange()
    one, *others = group.machines
    assert all(encode(each.file) == encode(one.file) for each in others)
    standing = {each.paid.id: each.paid for each in one.payments.standing}
    assert standing == {key: paid for key, paid in group.paid.items() if key not in group.undone}
    before = encode(one.file)
    group.exchange()
    assert encode(one.file) == before
    report(MET, "payments in a ring of three, with lost and repeated messages", runs=1)


@given(st.integers(0, 2**32), st.integers(0, 40))
def test_three_machines_come_to_the_same_payments(seed: int, steps: int) -> None:
    check_group(seed, steps)


@pytest.mark.slow
@settings(max_examples=1000)
@given(st.integers(0, 2**32), st.integers(0, 80))
def test_a_thousand_groups_come_to_the_same_payments(seed: int, steps: int) -> None:
    check_group(seed, steps)


def paid(letter: str, payer: str = "Beto") -> Paid:
    return Paid(id=letter * 32, payer=payer, payee="Ana", amount="1.00", unit="USD")


def test_the_order_in_which_files_are_put_together_does_not_matter() -> None:
    common = PaymentsFile().with_events([paid("a")], AT)
    files = [
        common.with_events([paid("b"), PaymentUndone(payment="a" * 32)], AT),
        common.with_events([NamesJoined(id="1" * 32, names=("Ana", "Anita"))], AT - timedelta(hours=1)),
        common.with_events([PaymentUndone(payment="a" * 32), paid("c")], AT + timedelta(hours=1)),
    ]
    whole = encode(merged(files))
    for one, two, three in permutations(files):
        assert encode(merged([one, two, three])) == whole
        assert encode(merged([merged([one, two]), three])) == whole
        assert encode(merged([one, merged([two, two, three]), three])) == whole
    standing = PaymentsFile.read(whole).payments
    assert [each.paid.id[0] for each in standing.standing] == ["b", "c"]
    assert standing.joined == (("Ana", "Anita"),)


def test_what_was_entered_after_what_is_so_whatever_the_clocks_say() -> None:
    """Beto's clock is a day behind, and he separates names that Ana joined."""
    ana = PaymentsFile().with_events([NamesJoined(id="1" * 32, names=("Ana", "Anita"))], AT)
    beto = merged([ana]).with_events([NameParted(id="2" * 32, name="Anita")], AT - timedelta(days=1))
    assert replay(each.event for each in merged([beto, ana]).events).joined == ()


@cases(
    "event",
    [{"kind": "joined", "names": ["Ana", "Anita"]}, {"kind": "undone", "number": 1}],
)
def test_events_of_the_first_files_are_refused(event: dict[str, object]) -> None:
    """They had no ids. No release wrote them."""
    document = document_of(encode(PaymentsFile().with_events([paid("a")], AT)))
    document["events"].append({"n": 2, "at": "2026-11-20T21:04:00Z", "event": event})
    with pytest.raises(Unreadable, match=r"an older generala .*(missing required|unknown) field"):
        PaymentsFile.read(sealed(document))


def test_one_payment_that_two_people_changed_by_hand_is_the_same_everywhere() -> None:
    one, other = (
        PaymentsFile().with_events([replace(paid("a"), amount=amount)], AT) for amount in ("1.00", "2.00")
    )
    assert encode(merged([one, other])) == encode(merged([other, one]))
    assert len(merged([one, other]).events) == 1


def test_a_line_that_was_taken_out_by_hand_harms_nothing_that_is_entered_later() -> None:
    two = PaymentsFile().with_events([paid("a"), paid("b")], AT)
    three = merged([two, PaymentsFile().with_events([paid("c"), paid("d")], AT)])
    without = PaymentsFile(events=tuple(replace(each, n=n) for n, each in enumerate(three.events[2:], 1)))
    later = PaymentsFile.read(encode(without.with_events([paid("e")], AT)))
    assert PaymentsFile.read(encode(merged([later, three]))).events[-1].event == paid("e")


def test_events_that_are_not_in_order_are_damage() -> None:
    document = document_of(encode(PaymentsFile().with_events([paid("a"), paid("b")], AT)))
    document["events"][0] = {**document["events"][0], "was": 3}
    with pytest.raises(Unreadable, match="not in order"):
        PaymentsFile.read(sealed(document))
