"""Files of facts, to which several machines add events, such as payments. Optional packages have them.

A fact has an id, and its position follows from the fact alone. So files merge by union into the same bytes.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, Self, TypeVar

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from generala_cli.game.events import Id, Number
from generala_cli.messages import Message, lazy
from generala_cli.store import saved_files
from generala_cli.store.folder import Writer
from generala_cli.store.logfile import LogFile, Stored
from generala_cli.store.sealing import NumberedEvent, Unreadable, encode
from generala_cli.store.store import Store
from generala_cli.store.subjects import FileSubject

_encode_event = msgspec.json.Encoder().encode


class RecordedFact(NumberedEvent, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An event, its number in this file, and the time it was entered.

    `was` is its number in the file of its origin, if different: higher than all known there.
    """

    was: Number | UnsetType = UNSET
    event: Any

    @property
    def order(self) -> tuple[Any, ...]:
        return (self.n if self.was is UNSET else self.was, self.at, _encode_event(self.event))

    @property
    def unnumbered(self) -> Self:
        return replace(self, n=1, was=self.order[0])

    def numbered(self, n: int) -> Self:
        return replace(self, n=n, was=UNSET if self.order[0] == n else self.order[0])


class FactsFile(LogFile, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file of facts; packages define its `kind` and the class of its events."""

    recorded: ClassVar[type[Any]]

    def facts(self) -> Iterator[tuple[object, Any]]:
        """Yield every event with its id, in a form that does not depend on this file."""
        for recorded in self.events:
            yield recorded.event.id, recorded.unnumbered

    @classmethod
    def in_words(cls, event: Any) -> Message:
        raise NotImplementedError

    def with_events(self, events: Sequence[object], at: datetime) -> Self:
        """Return the file with more events, entered at the same time and after everything known here."""
        number, last = len(self.events) + 1, self.events[-1].order[0] if self.events else 0
        first = max(number, last + 1)  # higher only if lines were removed by hand
        added = (
            self.recorded(
                n=number + place, at=at, was=UNSET if first == number else first + place, event=event
            )
            for place, event in enumerate(events)
        )
        return replace(self, events=(*self.events, *added))

    def judged(self) -> Self:
        self.check()
        return self

    def check(self) -> None:
        if list(self.events) != sorted(self.events, key=_order):
            raise Unreadable(lazy("its events are not in order"))


class NumberedFile(FactsFile, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file of a numbered kind. Its id is random and identifies it on all machines."""

    id: Id

    @property
    def number(self) -> int:
        raise NotImplementedError

    @property
    def name(self) -> str:
        raise NotImplementedError

    @property
    def uncounted(self) -> Collection[str]:
        raise NotImplementedError

    @property
    def passed_over(self) -> Mapping[str, Message]:
        """The events that no longer count and why, by their ids."""
        raise NotImplementedError

    def with_number(self, number: int) -> Self:
        raise NotImplementedError


def _order(recorded: RecordedFact) -> tuple[Any, ...]:
    return recorded.order


Facts = TypeVar("Facts", bound=FactsFile)


def merged(files: Iterable[Facts]) -> Facts:
    """Return the first file with the events of all files. For events with one id, the first in order wins."""
    first, *others = files
    found: dict[object, RecordedFact] = {}
    for file in (first, *others):
        for key, recorded in file.facts():
            if key not in found or recorded.order < found[key].order:
                found[key] = recorded
    ordered = enumerate(sorted(found.values(), key=_order), start=1)
    return replace(first, checksum="", events=tuple(recorded.numbered(n) for n, recorded in ordered))


def load(store: Store, subject: FileSubject, kind: type[Facts]) -> Stored[Facts] | None:
    """Return the file; None if it never existed or was deleted; FileError if it cannot be used.

    Conflict if it has a second version, or if a different program replaced it with older bytes.
    """
    found = None if store.copies(subject) else saved_files.load(store.folder, subject, kind)
    if (dispute := store.find_dispute(subject)) is not None:
        raise dispute
    return found


def put(writer: Writer, subject: FileSubject, file: Facts, *, seen: bytes | None) -> Stored[Facts]:
    data = encode(file)
    file.read(data, subject.number)  # never write a file that could not be read again
    saved_files.write(writer, subject, data, seen=seen)
    return Stored(file=file, seen=data)


def change(
    store: Store,
    subject: FileSubject,
    before: Callable[[], Stored[Facts]],
    decide: Callable[[Facts], Sequence[object]],
    *,
    dry_run: bool = False,
) -> Stored[Facts]:
    def decided(found: Stored[Facts]) -> Stored[Facts]:
        events = decide(found.file)
        file = found.file.with_events(events, store.now()) if events else found.file
        return Stored(file=file, seen=found.seen, saved=False)

    def attempt(writer: Writer, _is_first: bool) -> Stored[Facts]:
        found = before()
        after = decided(found)
        return after if after.file is found.file else put(writer, subject, after.file, seen=found.seen)

    return decided(before()) if dry_run else store.retried(attempt)
