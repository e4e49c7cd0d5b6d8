"""House rule files in the configuration folder, and other TOML files by path."""

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from generala_cli.errors import DamagedFile, FileError, NotAllowed
from generala_cli.messages import Message, lazy
from generala_cli.remedies import in_shell
from generala_cli.store.files import (
    MAX_BYTES,
    MOVE_IT,
    explaining,
    names_in,
    read_file,
    too_large,
    write_new,
    write_whole,
)
from generala_cli.text import safe

SUFFIX = ".toml"


class HouseRules(Struct, frozen=True, kw_only=True):
    """The folder of house rule files: one TOML file per rule set, named after it."""

    directory: Path

    def names(self) -> tuple[str, ...]:
        found = [name for name in names_in(self.directory) if name.endswith(SUFFIX) and name[0] != "."]
        return tuple(name.removesuffix(SUFFIX) for name in found)

    def readable_names(self) -> tuple[str, ...]:
        try:
            return self.names()
        except FileError:
            return ()

    def path(self, name: str) -> Path:
        return self.directory / f"{name}{SUFFIX}"

    def create(self, name: str, text: str) -> Path:
        path = self.path(name)

        def check_free() -> None:
            if os.path.lexists(path):
                raise already_exists_error(path)

        check_free()
        write_new(path, text, check_free)
        return path

    def new_draft(self, name: str, text: str) -> Path:
        write_whole(draft := self._draft_path(name), text)
        return draft

    def take_up(self, draft: Path, name: str) -> Path:
        """Take over an abandoned draft for this edit, and return its new path."""
        taken_up = self._draft_path(name)
        with explaining(lazy("{path} cannot be renamed ({reason})"), draft):
            draft.rename(taken_up)
        return taken_up

    def _draft_path(self, name: str) -> Path:
        return self.directory / f".{name}.draft-{os.getpid()}-{os.urandom(4).hex()}{SUFFIX}"

    def drafts(self, name: str) -> list[Path]:
        """Return the abandoned drafts of a rule set, except files that are not text."""
        pattern = re.compile(rf"\.{re.escape(name)}\.draft(?:-([0-9]+)-[0-9a-f]+)?{re.escape(SUFFIX)}")
        drafts = filter(None, map(pattern.fullmatch, names_in(self.directory)))
        left = [draft[0] for draft in drafts if draft[1] is None or not _is_running(int(draft[1]))]
        return [path for path in map(self.directory.joinpath, left) if _is_text(path)]


def _is_text(path: Path) -> bool:
    try:
        return read_text(path) is not None
    except FileError:
        return False


def _is_running(process: int) -> bool:
    """Return whether another process has this number; always False on Windows, which cannot ask safely."""
    if os.name != "posix" or process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


def already_exists_error(path: Path) -> NotAllowed:
    return NotAllowed(
        "{path} already exists",
        in_shell(lazy("edit it with generala rules edit {name}", name=path.stem)),
        path=safe(path),
    )


def read_text(path: Path, hint: Message = MOVE_IT) -> str | None:
    """Return the text of a file as `read_file` returns its bytes; DamagedFile if it is not UTF-8."""
    data = read_file(str(path.absolute()), hint=hint)
    return None if data is None else decoded(data, safe(path))


def decoded(data: bytes, shown: str | Message) -> str:
    if len(data) > MAX_BYTES:
        what = lazy("{file} cannot be read: {reason}", file=shown, reason=too_large())
        raise FileError(what, "give a rule file")
    try:
        return data.decode("utf-8-sig")  # some editors begin a file with a byte order mark
    except UnicodeDecodeError as error:
        raise DamagedFile("{file} is not UTF-8 text", "save it as UTF-8", file=shown) from error


def parsed(text: str, shown: str | Message) -> Mapping[str, object]:
    if not text.strip():
        hint = in_shell(lazy("generala rules new NAME --from general creates one to start from"))
        raise DamagedFile("{file} is empty", hint, file=shown)
    for number, line in enumerate(_without_texts(text).split("\n"), start=1):
        if line.count(".") > _MOST_DOTS:
            raise DamagedFile(
                "{file} cannot be used: line {line} has more than {most} dots",
                "fix that line",
                file=shown,
                line=number,
                most=_MOST_DOTS,
            )
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        reason = str(error).replace("\n", " ")
        what = lazy("{file} is not TOML: {reason!a}", file=shown, reason=reason)
        raise DamagedFile(what, "fix that line") from error
    except ValueError as error:  # Python's own limit, at 4,300 digits
        what = lazy("{file} contains a number with thousands of digits", file=shown)
        raise DamagedFile(what, "write a smaller one") from error


def _without_texts(document: str) -> str:
    return _TEXTS.sub(lambda text: "\n" * text[0].count("\n"), document)


_TEXTS = re.compile(
    r""""{3}(?:\\.|[^\\])*?"{3}|'{3}.*?'{3}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*""", re.DOTALL
)
_MOST_DOTS = 100  # the TOML reader's time and memory grow with the square of a key's depth
