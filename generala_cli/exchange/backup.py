"""A file that carries games, or everything that a player has, from one machine to another.

The first line has the number and a checksum of the others. Each of them has one file, as it is on the disk.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from os import SEEK_END
from tempfile import SpooledTemporaryFile
from typing import IO, Annotated, Literal, cast, get_args
from zlib import crc32

import msgspec
from msgspec import Meta, Struct

from generala_cli.messages import lazy, lazy_count
from generala_cli.store.sealing import NOT_JSON, Newer, Unreadable, decode_some

MAX_BYTES = 256 * 1024 * 1024
"""About thirty thousand games."""
FIRST = 2
"""The number of the first line after the header."""
_VERSION = 2
_IN_MEMORY = 1 << 20
"""Bytes that are collected in memory. A larger backup is collected in a temporary file."""
_OF_VERSION_1 = re.compile(
    rb'\{"kind":(?:"left-out","what":)?"(?:game|other-version|payments|rules|config|machine)",'
)
"""The starts of lines that programs of version 1 know."""


class _Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    pass


class GamePart(_Part, frozen=True, kw_only=True, tag="game"):
    text: str


class OtherVersionPart(_Part, frozen=True, kw_only=True, tag="other-version"):
    """A different version of a game, between which the player has not chosen yet."""

    text: str


class RulesPart(_Part, frozen=True, kw_only=True, tag="rules"):
    name: str
    text: str


class ConfigPart(_Part, frozen=True, kw_only=True, tag="config"):
    text: str


class LeftOutPart(_Part, frozen=True, kw_only=True, tag="left-out"):
    """An unusable file; `name` is its number, or the name of a rule set."""

    what: Annotated[str, Meta(pattern="^[a-z-]+$")]
    name: str = ""


class MachinePart(_Part, frozen=True, kw_only=True, tag="machine"):
    """The machine that wrote a file of a shared folder."""

    id: Annotated[str, Meta(pattern="^[0-9a-f]{8}$")]
    name: Annotated[str, Meta(min_length=1, max_length=200)]


class FactsPart(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file of an optional package, which need not be installed here."""

    kind: Annotated[str, Meta(pattern="^[a-z-]+$")]
    text: str


_OwnPart = GamePart | OtherVersionPart | RulesPart | ConfigPart | LeftOutPart | MachinePart
_OWN_KINDS = {each.__struct_config__.tag for each in get_args(_OwnPart)}
BackupPart = _OwnPart | FactsPart


class _Header(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line. Training and tournaments need version 2."""

    generala: Literal[1, 2] = 1
    lines: Annotated[int, Meta(ge=0)]
    checksum: Annotated[str, Meta(pattern="^[0-9a-f]{8}$")]


class _Version(Struct):
    generala: int


_encode = msgspec.json.Encoder().encode
_decoder: msgspec.json.Decoder[_OwnPart] = msgspec.json.Decoder(_OwnPart)
_facts_decoder = msgspec.json.Decoder(FactsPart)


def encode(parts: Iterable[BackupPart]) -> bytes:
    with joined(map(encode_part, parts)) as file:
        return b"".join(file)


def encode_part(part: BackupPart) -> bytes:
    return _encode(part)


class JoinedFile(Struct, frozen=True):
    """The first line and the others, in memory or in a temporary file."""

    seal: bytes
    waiting: IO[bytes]

    def __iter__(self) -> Iterator[bytes]:
        yield self.seal
        self.waiting.seek(0)
        for line in self.waiting:  # noqa: UP028 - `yield from` closes the file if a reader stops early
            yield line

    @property
    def size(self) -> int:
        return len(self.seal) + self.waiting.seek(0, SEEK_END)


@contextmanager
def joined(encoded: Iterable[bytes]) -> Iterator[JoinedFile]:
    """Join encoded parts into a file. All are read first, to compute the checksum."""
    version: Literal[1, 2] = 1
    count = checksum = 0
    with SpooledTemporaryFile(_IN_MEMORY) as waiting:
        for line in encoded:
            if _OF_VERSION_1.match(line) is None:
                version = 2
            count, checksum = count + 1, crc32(b"\n", crc32(line, checksum))
            waiting.write(line)
            waiting.write(b"\n")
        header = _Header(generala=version, lines=count, checksum=f"{checksum:08x}")
        yield JoinedFile(_encode(header) + b"\n", cast("IO[bytes]", waiting))


def decode(data: bytes) -> Sequence[BackupPart]:
    """Return the parts of a backup, not validated. Raises Unreadable with the bad line, or Newer."""
    return [decode_part(line, number) for number, line in enumerate(split(data), start=FIRST)]


def split(data: bytes) -> Iterator[bytes]:
    """Yield the lines after the header; errors as in `decode`."""
    start = data.find(b"\n") + 1
    first = data[: start - 1] if start else data
    try:
        header = msgspec.json.decode(first, type=_Header)
    except NOT_JSON as error:
        version = decode_some(_Version, first)
        if version is not None and version.generala > _VERSION:
            what = lazy("its version is {found}, and this program reads version {known}")
            raise Newer(what.with_values(found=version.generala, known=_VERSION)) from error
        raise Unreadable(lazy("it does not start like a file for generala import")) from error
    if not data.endswith(b"\n") or data.count(b"\n") - 1 != header.lines:
        raise Unreadable(
            lazy_count(
                "it ends too soon: {count} line should follow the first",
                "it ends too soon: {count} lines should follow the first",
                header.lines,
            )
        )
    if f"{crc32(memoryview(data)[start:]):08x}" != header.checksum:  # no copy of the data
        raise Unreadable(lazy("its checksum does not match"))
    return _lines(data, start)


def _lines(data: bytes, start: int) -> Iterator[bytes]:
    while start < len(data):
        end = data.index(b"\n", start)
        yield data[start:end]
        start = end + 1


def decode_part(line: bytes, number: int) -> BackupPart:
    try:
        return _decoder.decode(line)
    except NOT_JSON as error:
        with suppress(*NOT_JSON):
            part = _facts_decoder.decode(line)
            if part.kind not in _OWN_KINDS:
                return part
        raise Unreadable(lazy("line {number}: {reason}", number=number, reason=str(error))) from error
