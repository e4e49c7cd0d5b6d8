"""The layout, the seal and the numbered events that all documents of the data folder share.

The first line holds everything except the events, which follow one per line. A file is sealed if its content
encodes to exactly the same bytes. This reveals repeated keys, different spacing and changed digits. The
checksum, a CRC-32 over all bytes except its own digits, protects against accidents, not against cheating.
"""

import os
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar
from zlib import crc32

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from generala_cli.errors import GeneralaError
from generala_cli.file_versions import MINOR, FileVersion, minor_of
from generala_cli.game.events import Number
from generala_cli.messages import Message, lazy

FORMAT = 3
_BLANK = b'{"format":3,"checksum":"'

Moment = Annotated[datetime, Meta(tz=True)]  # when something was entered, in UTC, to the second


class Unreadable(Exception):
    """The bytes are not a document of this format; a message of ours, or of the JSON reader, says why."""

    def __init__(self, why: str | Message) -> None:
        super().__init__(why)


class Newer(Unreadable):
    """The bytes have a later format or minor than this program knows."""


class Unsealed(Unreadable):
    """The bytes are a valid document, but not as written here: perhaps edited; `file` is their content."""

    def __init__(self, file: Any) -> None:
        super().__init__(lazy("its checksum or layout was not written by this program"))
        self.file = file


class NumberedEvent(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    n: Number
    at: Moment


class SealedDocument(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The start of every document. `events` is its last field; `encode` computes `minor`."""

    format: Literal[3] = 3
    checksum: Annotated[str, Meta(pattern="^[0-9a-f]{8}$")] | Literal[""] = ""
    minor: Annotated[int, Meta(ge=0, le=MINOR)] | UnsetType = UNSET

    if TYPE_CHECKING:
        events: tuple[Any, ...] = ()


NOT_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
Document = TypeVar("Document")
_encoder = msgspec.json.Encoder()


def new_id() -> str:
    return os.urandom(16).hex()


def check_moment(at: datetime) -> None:
    """Raise ValueError for a time that some reader of the file could not show."""
    if not 1900 <= at.year < 3000:
        raise ValueError(f"{at:%Y-%m-%d} is no day to play on")


def encode(document: SealedDocument) -> bytes:
    """Return the sealed bytes of a document, with the lowest minor that can hold it."""
    head = replace(document, checksum="", minor=minor_of(document) or UNSET, events=())
    lines = _encoder.encode_lines(document.events)[:-1].replace(b"\n", b",\n")  # JSON escapes line ends
    blank = _encoder.encode(head)[:-2] + (b"\n" + lines + b"\n" if lines else b"\n") + b"]}\n"
    return blank[: len(_BLANK)] + b"%08x" % crc32(blank) + blank[len(_BLANK) :]


def checksum(data: bytes) -> str:
    """Return the checksum that a file states. Different versions of a document have different ones."""
    return data[len(_BLANK) : len(_BLANK) + 8].decode("ascii")


def is_sealed(data: bytes) -> bool:
    end = len(_BLANK) + 8
    if not data.startswith(_BLANK):
        return False
    checksum = crc32(memoryview(data)[end:], crc32(_BLANK))  # no copy of a large backup
    return data[len(_BLANK) : end] == b"%08x" % checksum


def unseal(kind: type[Document], data: bytes) -> Document:
    """Return the document in these bytes, sealed or not; Unreadable, or Newer for a later version."""
    try:
        return msgspec.json.decode(data, type=kind)
    except NOT_JSON as error:
        check_not_newer(data)
        found = decode_some(FileVersion, data)
        if found is not None and found.format < FORMAT:
            why = lazy("its format is {found}, and the oldest supported format is {known}")
            raise Unreadable(why.with_values(found=found.format, known=FORMAT)) from error
        if not data.strip():
            raise Unreadable(lazy("it is empty")) from error
        if is_sealed(data):
            why = lazy("an older generala or another program wrote it: {reason}", reason=str(error))
            raise Unreadable(why) from error
        raise Unreadable(str(error)) from error


def check_not_newer(data: bytes, known: int = FORMAT) -> None:
    found = decode_some(FileVersion, data)
    if found is not None and (why := found.why_newer(known)):
        raise Newer(why)


def check_events(events: Sequence[NumberedEvent]) -> None:
    if [recorded.n for recorded in events] != list(range(1, len(events) + 1)):
        raise Unreadable(lazy("its events are not numbered in order"))
    try:
        for at in {recorded.at.year: recorded.at for recorded in events}.values():
            check_moment(at)
    except ValueError as error:
        raise Unreadable(str(error)) from error


def decode_some(kind: type[Document], data: bytes) -> Document | None:
    """Return the fields of this type in a document of any format; None if they are missing."""
    try:
        return msgspec.json.decode(data, type=kind)
    except NOT_JSON:
        return None


def reason(error: Exception) -> str | Message:
    """Return why something cannot be read: a message of ours, or the text of a library's error."""
    if isinstance(error, GeneralaError):
        return error.sentence
    why = error.args[0] if error.args else ""
    return why if isinstance(why, Message) else str(error)
