"""FORMATS.md names every kind of event and its keys, as the schemas do."""

import re
from pathlib import Path

import pytest

from generala_cli.cli.schemas import file_formats, schema
from tests.cases import cases

pytestmark = pytest.mark.complete
REFERENCE = (Path(__file__).parents[2] / "generala_cli" / "FORMATS.md").read_text("utf-8")
SECTIONS = {
    "A game": "file",
    "Payments": "payments-file",
    "Tournaments": "tournament-file",
    "Training": "training-file",
}


@cases("section", SECTIONS)
def test_the_reference_has_the_events_of_the_schema(section: str) -> None:
    text = re.split(r"^## ", REFERENCE, flags=re.MULTILINE)
    (own,) = (part for part in text if part.startswith(f"{section}:"))
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", own, re.MULTILINE)
    documented = {kind: re.findall(r"`(\w+)`", keys) for kind, keys in rows}
    assert documented == _events(SECTIONS[section])


def _events(name: str) -> dict[str, list[str]]:
    kinds = (struct.get("properties", {}) for struct in schema((file_formats()[name],))["$defs"].values())
    return {
        keys["kind"]["enum"][0]: [key for key in keys if key != "kind"] for keys in kinds if "kind" in keys
    }
