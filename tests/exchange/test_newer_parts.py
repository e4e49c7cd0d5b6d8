"""Import and sync take nothing from a newer part."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from generala_cli.exchange.backup import BackupPart, FactsPart, GamePart, RulesPart, encode
from tests.cli.program import Generala
from tests.cli.refusing import refused
from tests.cli.test_newer import KINDS, files
from tests.store.files import with_new_field

__all__ = ["files"]

PARTS: Mapping[str, Callable[[str], BackupPart]] = {
    "game": lambda text: GamePart(text=text),
    "payments": lambda text: FactsPart(kind="payments", text=text),
    "training": lambda text: FactsPart(kind="training", text=text),
    "tournament": lambda text: FactsPart(kind="tournament", text=text),
    "rules": lambda text: RulesPart(name="casa", text=text),
}


@pytest.mark.thinned(every=5)
@pytest.mark.parametrize("kind", KINDS)
def test_neither_import_nor_sync_takes_anything_from_a_newer_part(
    played: Generala, files: Mapping[str, Path], kind: str, tmp_path: Path
) -> None:
    newer = with_new_field(files[kind].read_bytes(), minor=99)
    shared = tmp_path / "shared"
    shared.mkdir()
    backup = shared / "phone-12345678.generala"
    backup.write_bytes(encode([GamePart(text=files["game"].read_text()), PARTS[kind](newer.decode())]))
    if kind == "game":
        backup.write_bytes(encode([GamePart(text=newer.decode())]))
    fresh = Generala(home=tmp_path / "fresh")
    assert "newer generala (line " in refused(fresh, ("import", str(backup)), 3).err
    result = fresh("sync", str(shared))
    assert (result.code, "newer generala (line " in result.err) == (3, True), result
    assert fresh.json("games")["games"] == []
    if kind != "rules":
        (alone := tmp_path / "alone.json").write_bytes(newer)
        assert "newer generala" in refused(fresh, ("import", str(alone)), 3).err


def test_the_memory_of_sync_may_be_newer_too(played: Generala, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    played.ok("sync", str(shared))
    memory = played.data / "sync.json"
    memory.write_bytes(memory.read_bytes().replace(b'"format":1', b'"format":1,"minor":99,"mood":"good"'))
    said = refused(played, ("sync",), 3).err
    assert "newer generala" in said
    assert "delete" not in said
