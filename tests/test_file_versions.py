"""A new field raises the minor of the files that use it, and of no others."""

from collections.abc import Mapping
from typing import Annotated

import pytest
from msgspec import UNSET, Struct, UnsetType, json

from generala_cli import file_versions
from generala_cli.file_versions import FileVersion, minor_of, since
from generala_cli.store.sealing import SealedDocument, encode, is_sealed
from tests.cases import cases
from tests.store.files import tiny_file


@pytest.fixture
def documents(monkeypatch: pytest.MonkeyPatch) -> Mapping[str, SealedDocument]:
    """Files of a program with three new fields, by their content."""
    monkeypatch.setattr(file_versions, "MINOR", 3)

    class Box(Struct, frozen=True):
        color: Annotated[str, since(2)] | UnsetType = UNSET

    class Rolled(Struct, frozen=True):
        dice: tuple[int, ...]
        cup: Annotated[str, since(3)] | UnsetType = UNSET

    class Tomorrow(SealedDocument, frozen=True, kw_only=True):
        label: Annotated[str, since(1)] | UnsetType = UNSET
        boxes: dict[str, Box] | UnsetType = UNSET
        events: tuple[Rolled, ...] = ()

    return {
        "nothing new": Tomorrow(boxes={"ones": Box()}, events=(Rolled((1,)),)),
        "a label": Tomorrow(label="evening", boxes={"ones": Box()}),
        "a color": Tomorrow(label="evening", boxes={"ones": Box(), "twos": Box("red")}),
        "a cup": Tomorrow(events=(Rolled((1,)), Rolled((2,), cup="leather"))),
    }


@pytest.mark.parametrize(
    ("holds", "minor"), [("nothing new", None), ("a label", 1), ("a color", 2), ("a cup", 3)]
)
def test_a_file_has_the_minor_of_its_newest_field(
    documents: Mapping[str, SealedDocument], holds: str, minor: int | None
) -> None:
    data = encode(documents[holds])
    assert is_sealed(data)
    head = json.decode(data)
    assert head.get("minor") == minor
    assert minor is None or list(head)[2] == "minor"
    assert minor_of(documents[holds]) == (minor or 0)


def test_a_file_of_today_says_no_minor() -> None:
    assert b'"minor"' not in encode(tiny_file())


def test_no_field_needs_a_minor_that_the_program_itself_does_not_read() -> None:
    with pytest.raises(ValueError, match="raise MINOR"):
        since(file_versions.MINOR + 1)


@cases(
    ("version", "is_newer"),
    [((3, 0), False), ((3, file_versions.MINOR + 1), True), ((4, 0), True), ((2, 9), False)],
)
def test_a_higher_format_or_minor_is_newer(version: tuple[int, int], is_newer: bool) -> None:
    assert (FileVersion(*version).why_newer(3) is not None) == is_newer
