"""A house's own rule files, in the configuration folder, and any other TOML file by its path."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

from generala_cli.errors import DamagedFile, NotAllowed, NotFound
from generala_cli.facts import Fact
from generala_cli.store.folder import Folder
from generala_cli.store.folders import flush
from generala_cli.store.trouble import explaining, printable

SUFFIX = ".toml"


class Houses(Fact):
    """The folder of a house's own rule files, one TOML file a rule set, named like the file."""

    directory: Path

    def names(self) -> tuple[str, ...]:
        """The names of the rule sets that are there."""
        found = Folder(self.directory.parent).names(self.directory.name)
        return tuple(name.removesuffix(SUFFIX) for name in found if name.endswith(SUFFIX) and name[0] != ".")

    def path(self, name: str) -> Path:
        """Where the rule set of that name is, or would be."""
        return self.directory / f"{name}{SUFFIX}"

    def create(self, name: str, text: str) -> Path:
        """Write a new rule file; an existing one is never overwritten.

        Raises:
            NotAllowed: there is one. FileTrouble: it cannot be written.
        """
        path = self.path(name)
        with explaining("cannot be written", path):
            self.directory.mkdir(parents=True, exist_ok=True)
            try:
                with path.open("x", encoding="utf-8") as file:
                    file.write(text)
            except FileExistsError as error:
                raise taken(path) from error
        return path

    def replace(self, name: str, text: str) -> None:
        """Put an edited rule file in place, whole or not at all."""
        write_whole(self.path(name), text)


def taken(path: Path) -> NotAllowed:
    """The refusal to write over a rule file."""
    return NotAllowed(f"{printable(path)} exists already", f"edit it with generala rules edit {path.stem}")


def write_whole(path: Path, text: str) -> None:
    """Write a text file by way of a temporary one in the same folder, down to the disk.

    Raises:
        FileTrouble: it cannot be written; the old one is as it was.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    with explaining("cannot be written", path):
        try:
            with temporary.open("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
            flush(path.parent)
        finally:
            temporary.unlink(missing_ok=True)


def read_text(path: Path) -> str | None:
    """A text file; None where there is none.

    Raises:
        DamagedFile: it is not UTF-8. FileTrouble: it cannot be read.
    """
    data = Folder(path.absolute().parent).read(path.name)
    return None if data is None else decoded(data, printable(path))


def read_toml(path: Path) -> Mapping[str, object]:
    """A TOML file.

    Raises:
        NotFound: there is none. DamagedFile: it is not TOML. FileTrouble: it cannot be read.
    """
    text = read_text(path)
    if text is None:
        raise NotFound(f"there is no file {printable(path)}", "generala rules lists the rule sets there are")
    return parsed(text, printable(path))


def decoded(data: bytes, shown: str) -> str:
    """The text of some bytes.

    Raises:
        DamagedFile: they are not UTF-8.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DamagedFile(f"{shown} is not UTF-8 text", "save it as UTF-8") from error


def parsed(text: str, shown: str) -> Mapping[str, object]:
    """The document in a TOML text.

    Raises:
        DamagedFile: it is empty or not TOML; the message has the line.
    """
    if not text.strip():
        raise DamagedFile(
            f"{shown} is empty", "generala rules new NAME --from general writes one to start from"
        )
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        reason = str(error).replace("\n", " ")
        raise DamagedFile(f"{shown} is not TOML: {reason!a}", "mend that line") from error
