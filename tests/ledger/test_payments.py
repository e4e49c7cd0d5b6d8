"""Payments and players' names: the result of any events."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generala_cli.errors import NotAllowed, UsageError
from generala_cli.game.history import ImpossibleEvent
from generala_cli.game.payouts import Owed
from generala_cli.game.people import People
from generala_cli.ledger.payments import (
    NameParted,
    NamesJoined,
    Paid,
    PaymentEvent,
    Payments,
    PaymentUndone,
    evolve,
    judge,
    replay,
    undo_events,
)
from tests.cases import cases

ID = "0" * 32
NAMES = ("Ana", "Beto", "Cora", "Ánã", "Dani")


def paid(
    payer: str = "Beto",
    payee: str = "Ana",
    amount: str = "3.50",
    unit: str = "USD",
    number: int = 0,
    **more: object,
) -> Paid:
    identity = f"{number:032x}"
    return Paid(id=identity, payer=payer, payee=payee, amount=amount, unit=unit, **more)  # type: ignore[arg-type]


def owed(debtor: str, creditor: str, amount: str) -> Owed:
    return Owed(debtor=debtor, creditor=creditor, amount=Decimal(amount))


@st.composite
def histories(draw: st.DrawFn) -> list[PaymentEvent]:
    """Generate valid histories of payments, undos, and names joined and separated."""
    state, events = Payments(), []
    for number in range(draw(st.integers(0, 12))):
        two = draw(st.permutations(NAMES))[:2]
        possible: list[PaymentEvent] = [
            paid(two[0], two[1], number=number),
            NamesJoined(id=ID, names=tuple(two)),
            NameParted(id=ID, name=two[0]),
        ]
        event = draw(st.sampled_from([*possible, *undo_or_nothing(state)]))
        try:
            judge(state, event)
        except (NotAllowed, UsageError):
            continue
        state = evolve(state, event)
        events.append(event)
    return events


def undo_or_nothing(state: Payments) -> list[PaymentUndone]:
    return undo_events(state, 1) if state.standing else []


@given(histories())
def test_no_name_is_two_people_and_nobody_has_one_name_twice(events: list[PaymentEvent]) -> None:
    state = replay(events)
    joined = [name for group in state.joined for name in group]
    assert len(joined) == len(set(joined))
    assert all(len(group) > 1 for group in state.joined)
    assert state.length == len(events)


@given(histories())
def test_to_undo_a_payment_is_as_if_it_had_not_been(events: list[PaymentEvent]) -> None:
    before = replay(events)
    more = evolve(before, paid(number=99))
    (back,) = undo_events(more, 1)
    after = evolve(more, back)
    assert (after.standing, after.joined) == (before.standing, before.joined)


def test_joined_names_are_shown_as_the_first_of_the_latest_joining() -> None:
    state = replay([NamesJoined(id=ID, names=("Ana", "Anita")), NamesJoined(id=ID, names=("Anna", "Anita"))])
    assert state.joined == (("Anna", "Anita", "Ana"),)
    people = People(["Ana", "Beto"], state.joined)
    assert [people.shown(name) for name in ("ana", "ANITA", "Anna", "Beto", "Zoe")] == [
        "Anna", "Anna", "Anna", "Beto", "Zoe",
    ]  # fmt: skip
    assert people.names_of("Anna") == ("Anna", "Ana", "Anita")
    assert replay([NamesJoined(id=ID, names=("Ana", "Anita")), NameParted(id=ID, name="anita")]).joined == ()


@cases(
    "event",
    [
        paid("Ana", "ana"),
        paid(" Ana"),
        paid(payee=" Ana"),
        paid("\x1b"),
        paid(amount="0"),
        paid(amount="-1"),
        paid(amount="3.5"),
        paid(amount="3.505"),
        paid(amount="nan"),
        paid(unit=" USD"),
        paid(unit=""),
        paid(note=" x"),
        PaymentUndone(payment=ID),
        NamesJoined(id=ID, names=("Ana",)),
        NamesJoined(id=ID, names=()),
        NamesJoined(id=ID, names=("Ana", "ANA")),
        NamesJoined(id=ID, names=("Ana", "Beto", "Ana")),
        NameParted(id=ID, name=" Ana"),
    ],
)
def test_what_cannot_happen_is_impossible(event: PaymentEvent) -> None:
    with pytest.raises(ImpossibleEvent, match="event 1"):
        replay([event])


def test_the_same_event_again_changes_nothing() -> None:
    """Another machine may have recorded it, too."""
    joined = NamesJoined(id=ID, names=("Ana", "Anita"))
    assert replay([joined, joined]).joined == replay([joined]).joined
    assert replay([joined, NameParted(id=ID, name="Zoe")]).joined == replay([joined]).joined
    assert replay([NameParted(id=ID, name="Ana")]).joined == ()


def test_only_a_payment_that_stands_can_be_taken_back() -> None:
    one, other = paid(number=1), paid(number=2)
    two = replay([one, other])
    assert undo_events(two, 2) == [PaymentUndone(payment=other.id), PaymentUndone(payment=one.id)]
    with pytest.raises(NotAllowed, match="only 2 can be undone"):
        undo_events(two, 3)
    with pytest.raises(UsageError):
        undo_events(two, 0)
    with pytest.raises(NotAllowed, match="no payment to undo"):
        undo_events(Payments(), 1)
    undone = PaymentUndone(payment=one.id)
    assert [each.paid for each in replay([one, other, undone]).standing] == [other]
    with pytest.raises(ImpossibleEvent, match="event 4"):
        replay([one, other, undone, undone])
