"""Files of a newer program: each reader says so, uses nothing from them, and changes no byte."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from generala_cli.file_versions import MINOR, FileVersion
from generala_cli.packages import is_installed
from generala_cli.store.subjects import all_kinds
from tests.cli.program import Generala
from tests.cli.refusing import Command, refused
from tests.store.files import sealed, with_new_field

PLACES = {
    "game": "games/1/game.json",
    "payments": "payments/payments.json",
    "training": "training/training.json",
    "tournament": "tournaments/1/tournament.json",
}
READERS: Mapping[str, tuple[Command, ...]] = {
    "game": (("sheet", "1"), ("score", "12345", "--game", "1"), ("undo", "--game", "1"), ("payouts", "1")),
    "payments": (("ledger", "--payments"), ("pay", "Ana", "Beto", "1"), ("pay", "--undo")),
    "training": (("train", "Ana"),),
    "tournament": (("tournament", "standings"), ("tournament", "seat"), ("tournament", "log")),
    "rules": (
        ("rules", "check", "casa"),
        ("new", "Cora", "Dani", "--rules", "casa", "-n"),
        ("rules", "show", "casa"),
    ),
}
DOCUMENTS = [kind for kind in PLACES if kind in all_kinds()]
KINDS = [*DOCUMENTS, *(["rules"] if is_installed("rulebook") else [])]


@pytest.fixture
def files(played: Generala) -> Mapping[str, Path]:
    """Return a file of every kind, with an equal backup that would be easy to restore."""
    files = {kind: played.data / PLACES[kind] for kind in DOCUMENTS}
    for path in files.values():
        if not path.exists():
            path.parent.mkdir()
            path.write_bytes(sealed({"format": 3, "checksum": "", "events": []}))
    for path in files.values():
        path.with_name(f"{path.name}.bak").write_bytes(path.read_bytes())
    return {**files, "rules": played.rule_files / "casa.toml"}


@pytest.mark.thinned(every=5)
@pytest.mark.parametrize("kind", KINDS)
def test_a_newer_file_is_refused_as_newer_and_no_remedy_touches_it(
    played: Generala, files: Mapping[str, Path], kind: str
) -> None:
    files[kind].write_bytes(with_new_field(files[kind].read_bytes(), minor=99))
    known = 1 if kind == "rules" else 3
    for typed in READERS[kind]:
        said = refused(played, typed, 3).err
        assert "written by a newer generala" in said
        ours = FileVersion(known, MINOR)
        assert f"its format is {known}.99, and this program reads format {ours})" in said
        assert "install that version" in said
        assert "doctor" not in said
        assert json.loads(played("--json", *typed).out)["error"]["kind"] == "too-new"


@pytest.mark.thinned(every=5)
@pytest.mark.parametrize("kind", KINDS)
def test_an_unknown_field_without_a_higher_minor_is_damage(
    played: Generala, files: Mapping[str, Path], kind: str
) -> None:
    good = files[kind].read_bytes()
    for minor in (None, 0):
        files[kind].write_bytes(with_new_field(good, minor))
        for typed in READERS[kind]:
            result = played("--json", *typed)
            assert (result.code, json.loads(result.out)["error"]["kind"]) == (3, "damaged")


def test_lists_name_a_newer_game_and_go_on(played: Generala, files: Mapping[str, Path]) -> None:
    played.ok("new", "Cora", "Dani")
    files["game"].write_bytes(with_new_field(files["game"].read_bytes(), minor=99))
    for typed in (("games",), ("stats",), ("ledger",), ("players",)):
        result = played(*typed)
        assert (result.code, "newer generala" in result.err) == (0, True), result
    (damaged,) = json.loads(played("games", "--json").out)["damaged"]
    assert damaged["game"] == 1


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize("kind", DOCUMENTS)
def test_doctor_calls_it_newer_and_neither_restores_nor_seals_it(
    played: Generala, files: Mapping[str, Path], kind: str
) -> None:
    files[kind].write_bytes(newer := with_new_field(files[kind].read_bytes(), minor=99))
    name = {"game": "1", "tournament": "tournament-1"}.get(kind, kind)
    document = json.loads(played("doctor", name, "--json").out)
    assert '"state":"newer"' in json.dumps(document, separators=(",", ":"))
    assert "--restore" not in played("doctor").out
    for remedy in ("--restore", "--accept"):
        assert "newer" in refused(played, ("doctor", remedy, name), 3).err
    assert files[kind].read_bytes() == newer
