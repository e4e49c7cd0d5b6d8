"""The version of a file: its format, and its minor, which every new field raises.

A program calls a file of a higher version newer, not damaged. So both numbers are read before anything else.
A file has the lowest minor that its content needs, so an older program reads it unless it uses a new field.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, get_args

from msgspec import UNSET, Meta, Struct, structs

from generala_cli.messages import Message, lazy

MINOR = 1
"""The highest minor that this program reads, in files of every kind. A new field or event raises it."""


class FileVersion(Struct, frozen=True):
    """The version of any file, which may be newer than this program. No minor means 0."""

    format: int
    minor: int = 0

    def why_newer(self, known: int) -> Message | None:
        """Return why a program that knows this format cannot read the file; None if the version is known."""
        if (self.format, self.minor) <= (known, MINOR):
            return None
        what = lazy("it is of format {found}, and this program knows format {known}")
        return what.with_values(found=str(self), known=str(FileVersion(known, MINOR)))

    def __str__(self) -> str:
        return f"{self.format}.{self.minor}" if self.minor else str(self.format)


def since(minor: int) -> Meta:
    """Return the mark for the annotation of a field that programs before this minor do not know.

    The field is UNSET wherever it is not used.
    """
    if minor > MINOR:
        raise ValueError(f"raise MINOR to {minor}")
    return Meta(extra={"minor": minor})


def minor_of(value: object) -> int:
    """Return the lowest minor that can hold a record: the highest that it or one of its fields needs.

    A new kind of event has `SINCE: ClassVar = 1`.
    """
    if isinstance(value, Struct):
        held = ((getattr(value, name), minor) for name, minor in _fields(type(value)))
        own: int = getattr(value, "SINCE", 0)
        return max(own, *(max(minor, minor_of(part)) for part, minor in held if part is not UNSET), 0)
    if isinstance(value, Mapping):
        return max(map(minor_of, value.values()), default=0)
    return max(map(minor_of, value), default=0) if isinstance(value, tuple | list) else 0


@cache
def _fields(record: type[Struct]) -> tuple[tuple[str, int], ...]:
    """Return the names and the minors of the fields that are marked, or that may hold a marked one."""
    found = ((field.name, _mark(field.type)) for field in structs.fields(record))
    return tuple((name, mark) for name, mark in found if mark is not None)


def _mark(kind: Any) -> int | None:
    """Return the minor with which a type is marked, 0 if only a record in it is; None if nothing is."""
    if isinstance(kind, Meta):
        return (kind.extra or {}).get("minor")
    if isinstance(kind, type) and issubclass(kind, Struct):
        return 0 if hasattr(kind, "SINCE") or _fields(kind) else None
    return max((mark for part in get_args(kind) if (mark := _mark(part)) is not None), default=None)
