"""The version of a file: its format, and its minor, which every new field raises.

Both are read first, so that a file of a higher version is newer, not damaged. Each file gets the lowest minor
that its content needs: an older program can read it unless it uses a new field.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec import UNSET, Meta, Struct

from generala_cli.messages import Message, lazy

MINOR = 6
"""The highest minor that this program reads, in files of every kind. A new field or event raises it."""


class FileVersion(Struct, frozen=True):
    """The version in a file, which may be newer than this program. A missing minor means 0."""

    format: int
    minor: int = 0

    def why_newer(self, known: int) -> Message | None:
        """Return why a program for format `known` cannot read the file; None if it can."""
        if (self.format, self.minor) <= (known, MINOR):
            return None
        what = lazy("its format is {found}, and this program reads format {known}")
        return what.with_values(found=str(self), known=str(FileVersion(known, MINOR)))

    def __str__(self) -> str:
        return f"{self.format}.{self.minor}" if self.minor else str(self.format)


def since(minor: int) -> Meta:
    """Return the annotation of a field that was added in this minor. An unused field is UNSET."""
    if minor > MINOR:
        raise ValueError(f"raise MINOR to {minor}")
    return Meta(extra={"minor": minor})


def minor_of(value: object) -> int:
    """Return the lowest minor that can hold a record; a new event class declares `SINCE: ClassVar = 1`."""
    if isinstance(value, Struct):
        held = ((getattr(value, name), minor) for name, minor in _fields(type(value)))
        own: int = getattr(value, "SINCE", 0)
        return max(own, *(max(minor, minor_of(part)) for part, minor in held if part is not UNSET), 0)
    if isinstance(value, Mapping):
        return max(map(minor_of, value.values()), default=0)
    return max(map(minor_of, value), default=0) if isinstance(value, tuple | list) else 0


@cache
def _fields(record: type[Struct]) -> tuple[tuple[str, int], ...]:
    """Return the fields with a minor, or whose types may contain one; faster than `structs.fields`."""
    kinds: dict[str, Any] = {}
    for base in reversed(record.mro()):
        kinds |= getattr(base, "__annotations__", {})
    found = ((name, _minor_in(kinds[name])) for name in record.__struct_fields__)
    return tuple((name, minor) for name, minor in found if minor is not None)


def _minor_in(kind: Any) -> int | None:
    if isinstance(kind, Meta):
        return (kind.extra or {}).get("minor")
    if isinstance(kind, type) and issubclass(kind, Struct):
        return 0 if hasattr(kind, "SINCE") or _fields(kind) else None
    parts = (*getattr(kind, "__args__", ()), *getattr(kind, "__metadata__", ()))
    return max((minor for part in parts if (minor := _minor_in(part)) is not None), default=None)
