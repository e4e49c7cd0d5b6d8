"""The schema of every command's document, printed by the program."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from generala_cli.cli.schemas import answers, schema

Schema = Mapping[str, Any]
_ANSWERS = answers()
ERROR: Schema = schema(_ANSWERS["error"])


def strict(types: Sequence[type[Struct]]) -> Schema:
    """Return the schema of these documents without any extra keys."""
    found = schema(types)
    for part in found["$defs"].values():
        part["additionalProperties"] = False
    return found


def shape(path: tuple[str, ...]) -> Schema:
    """Return the shape of a command's answer; () is the shape of a plain value."""
    return strict(_ANSWERS[" ".join(path) or "generala"])
