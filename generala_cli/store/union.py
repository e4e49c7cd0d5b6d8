"""Events that several machines add to one file, put together.

Where an event stands follows from it alone: after all that its machine knew, then by time. So all machines
come to the same file, in whatever order they meet.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TypeVar

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from generala_cli.game.events import Number
from generala_cli.messages import lazy
from generala_cli.store.sealing import NumberedEvent, Unreadable, check_events

_encode_event = msgspec.json.Encoder().encode


class UnitedEvent(NumberedEvent, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An event, its number (from 1) and when it was entered.

    Attributes:
        was: its number in the file in which it was entered, where that is another; so it is higher than
            that of every event that was known there.
    """

    was: Number | UnsetType = UNSET
    event: object

    @property
    def order(self) -> tuple[int, datetime, bytes]:
        """Where it stands among the events of all machines."""
        return (self.n if self.was is UNSET else self.was, self.at, _encode_event(self.event))


Recorded = TypeVar("Recorded", bound=UnitedEvent)


def with_events(
    kind: type[Recorded], known: Sequence[Recorded], new: Sequence[object], at: datetime
) -> tuple[Recorded, ...]:
    """Return the known events and new ones, all entered at the same time, after all that are known here."""
    number = len(known) + 1
    last = known[-1].order[0] if known else 0
    ahead = max(last + 1 - number, 0)  # only where somebody took lines out of the file
    added = (
        kind(n=n, at=at, was=n + ahead if ahead else UNSET, event=event)
        for n, event in enumerate(new, number)
    )
    return (*known, *added)


def united(facts: Iterable[tuple[object, Recorded]]) -> tuple[Recorded, ...]:
    """Return all events in order, each under its id; of two with one id the first in order."""
    found: dict[object, Recorded] = {}
    for key, recorded in facts:
        if key not in found or recorded.order < found[key].order:
            found[key] = recorded
    ordered = sorted(found.values(), key=lambda recorded: recorded.order)
    return tuple(
        replace(recorded, n=n, was=UNSET if recorded.order[0] == n else recorded.order[0])
        for n, recorded in enumerate(ordered, start=1)
    )


def check_united(events: Sequence[UnitedEvent]) -> None:
    """Refuse events that are not numbered from 1, or not in order."""
    check_events(events)
    if list(events) != sorted(events, key=lambda recorded: recorded.order):
        raise Unreadable(lazy("its events are not in order"))
