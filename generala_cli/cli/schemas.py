"""JSON Schemas of the answers, read from the return types of the command functions."""

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, get_args, get_type_hints

import msgspec
from msgspec import Struct

from generala_cli.cli.commands import BELOW, COMMANDS, FILES, ROOT
from generala_cli.packages import Command, file_kinds, load, packages
from generala_cli.render.documents import Document, ErrorDocument, schema_of
from generala_cli.render.documents import sheet as sheet  # defines the documents of the current game


def answers() -> Mapping[str, tuple[type[Struct], ...]]:
    """Return the documents that each command may answer with, besides errors and help."""
    known = dict(_documents())
    found = {"generala": _of(ROOT, known)}
    for name, command in COMMANDS.items():
        found[name] = _of(command, known)
        for below, deeper in BELOW.get(name, {}).items():
            found[f"{name} {below}"] = _of(deeper, known)
    return {name: types for name, types in found.items() if Struct not in types} | {"error": (ErrorDocument,)}


def file_formats() -> Mapping[str, type[Struct]]:
    places = {**FILES, **{f"{name}-file": kind.format for name, kind in file_kinds().items()}}
    return {name: load(place) for name, place in places.items()}


def _documents() -> Iterator[tuple[str, type[Struct]]]:
    for name in ("games", "table", *packages()):
        if find_spec(f"generala_cli.{name}.answers") is not None:
            import_module(f"generala_cli.{name}.answers")
    yield from ((each.__name__, each) for each in _below(Document))


def _below(kind: type[Struct]) -> Iterator[type[Struct]]:
    each: type[Struct]
    for each in kind.__subclasses__():
        yield each
        yield from _below(each)


def _of(command: Command, known: Mapping[str, type[Struct]]) -> tuple[type[Struct], ...]:
    (answer,) = get_args(get_type_hints(load(command.place), localns=dict(known))["return"])
    return get_args(answer) or (answer,)


def schema(types: Sequence[type[Struct]], name: str = "") -> dict[str, Any]:
    found, components = msgspec.json.schema_components(
        types, ref_template="#/$defs/{name}", schema_hook=schema_of
    )
    for part in components.values():
        if "description" in part:  # a docstring with line breaks and indentation
            part["description"] = " ".join(part["description"].split())
    whole = found[0] if len(found) == 1 else {"anyOf": list(found)}
    named = {"$id": f"urn:generala:schema:{name}"} if name else {}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **named, **whole, "$defs": components}
