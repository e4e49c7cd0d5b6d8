"""A shared folder. Each machine writes one file of its own there, and reads the others.

`sync.json` in the data folder remembers the id of this machine, which makes its file unique, and every file
when it was last read.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, field

from generala_cli.errors import DamagedFile, FileError, NewerFile, NotFound
from generala_cli.exchange.backup import MAX_BYTES, JoinedFile
from generala_cli.messages import lazy
from generala_cli.packages import file_kinds
from generala_cli.remedies import in_shell
from generala_cli.store.files import (
    NOT_DELETED,
    NOT_READ,
    NOT_WRITTEN,
    consists_of,
    create_file,
    explaining,
    flush_name,
    move_over,
    names_in,
    read_file,
    read_start,
    too_large,
    trouble,
)
from generala_cli.store.folder import Folder, Writer
from generala_cli.store.sealing import NOT_JSON, Newer, check_not_newer, new_id, reason
from generala_cli.store.subjects import SYNC
from generala_cli.text import normalize, safe

FORMAT: Final = 1
"""The format of `sync.json`."""
SUFFIX = ".generala"
_LONGEST_SEAL = 200
_LONGEST_NAME = 60
# A pattern, not the JSON reader: it also matches lines of a later format, and ten thousand lines take 0.1 s
# instead of 0.5 s.
_LINE = re.compile(
    rb'(\{"kind":"([a-z-]+)","text":"\{\\"format\\":[0-9]+,)'
    rb'\\"checksum\\":\\"[0-9a-f]{8}\\",'
    rb'((?:\\"minor\\":[0-9]+,)?\\"id\\":\\"([0-9a-f]{32})\\",)\\"[a-z]+\\":[0-9]+,'
)
"""The start of the line of a game or of a numbered file, with its number on that machine."""
_ID = re.compile("[0-9a-f]{32}")
_SINGLE = re.compile(rb'\{"kind":"([a-z]+)","text":"\{\\"format\\":')
"""The start of a line that occurs once in a file."""
_GAMES = (b"game", b"other-version")

Digest = Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]


class Line(Struct, frozen=True):
    """A line of a machine's file. `key` is a game's id, a kind (with the id if numbered), or ""."""

    key: str
    digest: str

    @classmethod
    def of(cls, data: bytes) -> "Line":
        """Return the key and the digest of a line without decoding it."""
        numbered = _LINE.match(data)
        if numbered is None:
            single = _SINGLE.match(data)
            key = "" if single is None or single[1] in _GAMES else single[1].decode()
            return cls(key, blake2b(data, digest_size=8).hexdigest())
        start, kind, named, known = numbered.groups()
        found = blake2b(start + named, digest_size=8)
        found.update(memoryview(data)[numbered.end() :])
        key = known if kind in _GAMES else kind + b"-" + known
        return cls(key.decode(), found.hexdigest())

    @property
    def is_unusable(self) -> bool:
        """Whether the package of the line's file is not installed."""
        return bool(self.key) and not is_game_key(self.key) and self.key.split("-")[0] not in file_kinds()


def is_game_key(key: str) -> bool:
    return _ID.fullmatch(key) is not None


class SharedFile(Struct, frozen=True, kw_only=True):
    """The lines of a file when it was last imported completely. `seal` is its first line."""

    machine: str
    seal: str
    lines: tuple[Digest, ...]


class Remembered(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The memory of earlier syncs.

    Attributes:
        seal: the first line of our own file.
        local: digests of our games and facts by line key, as last written; "" for a deleted game.
        undecided: the games of which we then had several versions.
        former: the names of our own file during a renaming, of which a later sync keeps one.
    """

    format: Literal[1] = FORMAT
    id: Annotated[str, Meta(pattern="^[0-9a-f]{8}$")]
    file: str = ""
    seal: str = ""
    local: Mapping[str, Annotated[str, Meta(pattern="^([0-9a-f]{16})?$")]] = field(
        default_factory=dict, name="ours"
    )
    files: Mapping[str, SharedFile] = {}
    undecided: tuple[str, ...] | UnsetType = UNSET
    former: tuple[str, ...] | UnsetType = UNSET


_decode = msgspec.json.Decoder(Remembered).decode
_encode = msgspec.json.Encoder(order="deterministic").encode


def remembered(folder: Folder) -> Remembered:
    data = folder.read(SYNC)
    if data is None:
        return Remembered(id=new_id()[:8])
    try:
        check_not_newer(data, FORMAT)
        return _decode(data)
    except Newer as error:
        raise NewerFile.of(safe(folder.path(SYNC)), reason(error)) from error
    except NOT_JSON as error:
        what = lazy("{file} is damaged ({reason})", file=safe(folder.path(SYNC)), reason=str(error))
        hint = lazy("delete it to start over; games that were deleted here will come back")
        raise DamagedFile(what, hint) from error


def remember(writer: Writer, found: Remembered) -> None:
    seen, data = writer.folder.read(SYNC), _encode(found)
    if data != seen:
        writer.replace(SYNC, data, seen=seen, keep_backup=False)


_OTHER = in_shell(lazy("create it, or share a different one: generala sync FOLDER"))


def folder_missing_error(path: str) -> NotFound:
    return NotFound("there is no folder '{path}'", _OTHER, path=safe(path))


class SharedFolder(Struct, frozen=True):
    """A shared folder. NotFound if it is missing, FileError if it is not a folder."""

    directory: Path

    def __post_init__(self) -> None:
        with explaining(NOT_READ, self.directory):
            if self.directory.is_dir():
                return
            if self.directory.exists():
                raise FileError("{path} is not a folder", _OTHER, path=safe(self.directory))
        raise folder_missing_error(str(self.directory))

    def names(self) -> Sequence[str]:
        return [name for name in names_in(self.directory) if name[0] != "." and name.lower().endswith(SUFFIX)]

    def read(self, name: str) -> bytes | None:
        return read_file(str(self.directory / name), MAX_BYTES)

    def seal(self, name: str) -> str:
        return seal_of(read_start(str(self.directory / name), _LONGEST_SEAL) or b"")

    def holds(self, name: str, file: JoinedFile) -> bool:
        if self.seal(name) != seal_of(file.seal):
            return False
        path = self.directory / name
        with explaining(NOT_READ, path):
            return consists_of(path, file)

    def write(self, name: str, file: JoinedFile, on_doubt: Callable[[FileError], None]) -> None:
        """Write our own file, whole or not at all; `on_doubt` is as in `Folder`.

        No other machine uses the name of the temporary file, so a killed writer's is overwritten.
        """
        path = self.directory / name
        if file.size > MAX_BYTES:
            raise trouble(NOT_WRITTEN, path, too_large(MAX_BYTES))
        temporary = path.with_name(f".{name}.tmp")
        with explaining(NOT_WRITTEN, path):
            temporary.unlink(missing_ok=True)
            try:
                create_file(temporary, file, None, path)
                move_over(temporary, path)
            finally:
                with suppress(OSError):
                    temporary.unlink(missing_ok=True)
            flush_name(path, on_doubt=on_doubt)

    def remove(self, name: str) -> None:
        path = self.directory / name
        with explaining(NOT_DELETED, path):
            path.unlink(missing_ok=True)


def seal_of(data: bytes) -> str:
    """Return the first line of a machine's file; "" if it is incomplete."""
    first, end, _ = data[:_LONGEST_SEAL].partition(b"\n")
    return first.decode("ascii", errors="replace") if end else ""


def machine_file(machine: str, id: str) -> str:  # noqa: A002 - it is called that everywhere
    """Return a name for a machine's file that is valid on every file system."""
    letters = re.sub(r"[^0-9a-z]+", "-", normalize(machine)).strip("-")[:_LONGEST_NAME]
    return f"{letters or 'machine'}-{id}{SUFFIX}"
