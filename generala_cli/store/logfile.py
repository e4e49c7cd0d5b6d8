"""A log file: a document whose events are only added to. All kinds are decoded, validated and sealed here."""

from datetime import datetime
from typing import ClassVar, Generic, Self, TypeVar

from msgspec import Struct

from generala_cli.messages import lazy
from generala_cli.packages import FileKind
from generala_cli.store.sealing import SealedDocument, Unreadable, Unsealed, check_events, encode, unseal


class LogFile(SealedDocument, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """The base of all log files; each class names its `kind`."""

    kind: ClassVar[FileKind]

    @property
    def number(self) -> int | None:
        return None

    @property
    def last(self) -> datetime | None:
        return self.events[-1].at if self.events else None

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Return the file in these bytes, sealed or not; raises Unreadable or Newer."""
        file = unseal(cls, data)
        check_events(file.events)
        return file

    @classmethod
    def read(cls, data: bytes, number: int | None = None) -> Self:
        """Return the file in these bytes, with every event validated; `number` is the expected one.

        Newer or Unreadable if it is no such file, or has a different number or result. ImpossibleEvent if an
        event cannot have happened. Unsealed if it is valid, but not as this program writes it.
        """
        file = cls.decode(data)
        if number not in (None, file.number):
            raise Unreadable(lazy("it holds {file}", file=cls.kind.shown.with_values(number=file.number)))
        correct = file.judged()
        if encode(file) != data:
            raise Unsealed(correct)
        if correct is not file:
            raise Unreadable(lazy("its result does not follow from its events"))
        return file

    def judged(self) -> Self:
        """Validate every event, and return the file with the fields that follow from them."""
        raise NotImplementedError


File = TypeVar("File", bound=LogFile)


class Stored(Struct, Generic[File], frozen=True, kw_only=True):
    """A file as read, and its bytes; `saved` is False after a dry run, or if nothing changed."""

    file: File
    seen: bytes | None
    saved: bool = True

    def at(self, number: int) -> datetime:
        at: datetime = self.file.events[number - 1].at
        return at
