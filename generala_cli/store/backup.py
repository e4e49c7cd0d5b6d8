"""A file that goes from one machine to another: games, and with all of them what else a player has.

The first line says how many follow, and seals them; each of the others holds one file, as it is on the disk.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import SEEK_END
from tempfile import SpooledTemporaryFile
from typing import IO, Annotated, Literal, cast
from zlib import crc32

import msgspec
from msgspec import Meta, Struct

from generala_cli.messages import lazy, lazy_count
from generala_cli.store.sealing import NOT_JSON, Newer, Unreadable, decode_some
from generala_cli.store.subjects import FactsKind

MAX_BYTES = 256 * 1024 * 1024
"""Some thirty thousand games."""
FIRST = 2
"""The number of the first line below the seal."""
_VERSION = 2
_IN_MEMORY = 1 << 20
"""Bytes of a backup that wait in memory for its seal; more wait in a temporary file."""
_OF_VERSION_2 = tuple(
    start % kind.encode()
    for start in (b'{"kind":"%s",', b'{"kind":"left-out","what":"%s",')
    for kind in ("training", "tournament")
)
"""How lines begin that a program of version 1 does not know."""


class _Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    """A line after the first; `kind` names its class."""


class GamePart(_Part, frozen=True, kw_only=True, tag="game"):
    """The text of a game's file."""

    text: str


class OtherVersionPart(_Part, frozen=True, kw_only=True, tag="other-version"):
    """The text of another version of a game: it went on in two places, and nobody has chosen yet."""

    text: str


class PaymentsPart(_Part, frozen=True, kw_only=True, tag="payments"):
    """The text of the payments' file: what was paid, and who is who."""

    text: str


class TrainingPart(_Part, frozen=True, kw_only=True, tag="training"):
    """The text of the training file: what was answered. There is none in a file of version 1."""

    text: str


class TournamentPart(_Part, frozen=True, kw_only=True, tag="tournament"):
    """The text of a tournament's file. There is none in a file of version 1."""

    text: str


FactsPart = PaymentsPart | TrainingPart | TournamentPart
_FACTS: Mapping[FactsKind, type[FactsPart]] = {
    "payments": PaymentsPart,
    "training": TrainingPart,
    "tournament": TournamentPart,
}


class RulesPart(_Part, frozen=True, kw_only=True, tag="rules"):
    """A rule file of the house's own, and the name of its rule set."""

    name: str
    text: str


class ConfigPart(_Part, frozen=True, kw_only=True, tag="config"):
    """The configuration file: defaults for new games."""

    text: str


class LeftOutPart(_Part, frozen=True, kw_only=True, tag="left-out"):
    """Something that should be here, and is not because its file cannot be used where this comes from.

    Attributes:
        what: which kind of part it would be. name: the number of a game or tournament, the name of rules.
    """

    what: Literal["game", "other-version", "rules", "config"] | FactsKind
    name: str = ""


class MachinePart(_Part, frozen=True, kw_only=True, tag="machine"):
    """The machine that a file in a shared folder is of.

    Attributes:
        id: random, made with the file's name. name: what the others call it.
    """

    id: Annotated[str, Meta(pattern="^[0-9a-f]{8}$")]
    name: Annotated[str, Meta(min_length=1, max_length=200)]


BackupPart = GamePart | OtherVersionPart | FactsPart | RulesPart | ConfigPart | LeftOutPart | MachinePart


class _Header(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line: `generala` is the version of the format, 2 with training or a tournament in it."""

    generala: Literal[1, 2] = 1
    lines: Annotated[int, Meta(ge=0)]
    checksum: Annotated[str, Meta(pattern="^[0-9a-f]{8}$")]


class _Version(Struct):
    generala: int


_encode = msgspec.json.Encoder().encode
_decoder: msgspec.json.Decoder[BackupPart] = msgspec.json.Decoder(BackupPart)


def encode(parts: Iterable[BackupPart]) -> bytes:
    """Return the file that holds them, in this order."""
    with joined(map(encode_part, parts)) as file:
        return b"".join(file)


def facts_kind(part: FactsPart) -> FactsKind:
    """Return the kind of facts that are in a part."""
    return next(kind for kind, each in _FACTS.items() if isinstance(part, each))


def facts_part(kind: FactsKind, text: str) -> FactsPart:
    """Return the part with the text of a file of facts."""
    return _FACTS[kind](text=text)


def encode_part(part: BackupPart) -> bytes:
    """Return the line of a part, without its end."""
    return _encode(part)


class JoinedFile(Struct, frozen=True):
    """The file of many parts: its lines in order, of which the first is the seal.

    Attributes:
        waiting: the other lines, in memory or in a temporary file if they are many.
    """

    seal: bytes
    waiting: IO[bytes]

    def __iter__(self) -> Iterator[bytes]:
        yield self.seal
        self.waiting.seek(0)
        for line in self.waiting:  # noqa: UP028 - `yield from` closes the file if a reader stops early
            yield line

    @property
    def size(self) -> int:
        """Its bytes."""
        return len(self.seal) + self.waiting.seek(0, SEEK_END)


@contextmanager
def joined(encoded: Iterable[bytes]) -> Iterator[JoinedFile]:
    """Join encoded parts to a file. Its seal depends on all of them, so they are read before this returns."""
    version: Literal[1, 2] = 1
    count = checksum = 0
    with SpooledTemporaryFile(_IN_MEMORY) as waiting:
        for line in encoded:
            if line.startswith(_OF_VERSION_2):
                version = 2
            count, checksum = count + 1, crc32(b"\n", crc32(line, checksum))
            waiting.write(line)
            waiting.write(b"\n")
        header = _Header(generala=version, lines=count, checksum=f"{checksum:08x}")
        yield JoinedFile(_encode(header) + b"\n", cast("IO[bytes]", waiting))


def decode(data: bytes) -> Sequence[BackupPart]:
    """Return the parts in such a file, none of them judged yet.

    Raises:
        Unreadable: it is no such file, or not all of it; what is wrong, and in which line.
        Newer: it is of a later version.
    """
    return [decode_part(line, number) for number, line in enumerate(split(data), start=FIRST)]


def split(data: bytes) -> Iterator[bytes]:
    """Return the lines below the first, which seals them, one by one; errors are those of `decode`."""
    start = data.find(b"\n") + 1
    first = data[: start - 1] if start else data
    try:
        header = msgspec.json.decode(first, type=_Header)
    except NOT_JSON as error:
        version = decode_some(_Version, first)
        if version is not None and version.generala > _VERSION:
            what = lazy("it is of version {found}, and this program knows version {known}")
            raise Newer(what.with_values(found=version.generala, known=_VERSION)) from error
        raise Unreadable(lazy("it does not begin as generala export --format generala does")) from error
    if not data.endswith(b"\n") or data.count(b"\n") - 1 != header.lines:
        raise Unreadable(
            lazy_count(
                "it ends too soon: {count} line should follow the first",
                "it ends too soon: {count} lines should follow the first",
                header.lines,
            )
        )
    if f"{crc32(memoryview(data)[start:]):08x}" != header.checksum:  # a copy would fill the memory
        raise Unreadable(lazy("its checksum does not fit"))
    return _lines(data, start)


def _lines(data: bytes, start: int) -> Iterator[bytes]:
    while start < len(data):
        end = data.index(b"\n", start)
        yield data[start:end]
        start = end + 1


def decode_part(line: bytes, number: int) -> BackupPart:
    """Return the part in the line of that number; Unreadable says what is wrong with it."""
    try:
        return _decoder.decode(line)
    except NOT_JSON as error:
        raise Unreadable(lazy("line {number}: {reason}", number=number, reason=str(error))) from error
