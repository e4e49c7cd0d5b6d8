"""The doctor's findings, repairs and seals."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from generala_cli.doctor.accepting import accept, acceptance, differences
from generala_cli.doctor.answers import Acceptance, CacheFiles, GameFiles
from generala_cli.doctor.diagnosis import diagnose, restore
from generala_cli.errors import (
    Ambiguous,
    DamagedFile,
    FileError,
    GeneralaError,
    NewerFile,
    NotAllowed,
    NotFound,
)
from generala_cli.game.events import Agreed
from generala_cli.packages import is_installed
from generala_cli.render.screen import UNICODE, Screen, as_text, drawn
from generala_cli.store.cache import MOST_BYTES, KeptFile
from generala_cli.store.folder import FileChanged
from generala_cli.store.gamefile import GameFile
from generala_cli.store.sealing import encode
from generala_cli.store.store import Store
from tests.app.table import begin, score
from tests.cases import cases
from tests.game.table import house
from tests.posix import make_pipe, posix_only
from tests.store.files import changed, document_of, file_of, listing, put, sealed, tiny_file, tiny_table


@pytest.fixture
def played(store: Store) -> Store:
    """Two games of an entry each, the second current."""
    for names in (("Ana", "Beto"), ("Cora", "Dani")):
        begin(store, "general", *names, label=names[0])
        score(store, "5 5 5 3 3")
    return store


def file(store: Store, number: int = 1, ending: str = "") -> Path:
    return store.folder.directory / "games" / str(number) / f"game.json{ending}"


def aside(store: Store, name: str) -> Path:
    return store.folder.directory / "aside" / name


def edited(store: Store, number: int = 1) -> bytes:
    """Change a hand of game 1 in an editor, valid except for its checksum. Return the file's bytes."""
    data = file(store, number).read_bytes().replace(b'"dice":[5,5,5,3,3]', b'"dice":[6,6,6,3,3]')
    file(store, number).write_bytes(data)
    return data


def game(store: Store, number: int = 1) -> GameFiles:
    return next(each for each in diagnose(store).games if each.game == number)


def accepted(store: Store, reference: str) -> Acceptance:
    return accept(store, *acceptance(store, reference))


# Looking


def test_nothing_at_all_is_well_and_stays_nothing(store: Store, directory: Path) -> None:
    found = diagnose(store)
    assert (found.unwell, found.well, found.games) == (0, True, ())
    assert not directory.exists()


def test_all_is_well(played: Store) -> None:
    before = listing(played.folder.directory)
    found = diagnose(played)
    assert found.unwell == 0
    states = [(each.game, each.state, each.backup.state) for each in found.games]
    assert states == [(1, "fine", "fine"), (2, "fine", "fine")]
    assert (found.current.game, found.others) == (2, ())
    assert listing(played.folder.directory) == before


def test_a_new_game_has_no_backup_and_is_well(store: Store) -> None:
    begin(store)
    found = diagnose(store)
    assert (found.unwell, found.games[0].backup.state) == (0, "missing")


def no_number(data: bytes) -> bytes:
    return data.replace(b'"game":1', b'"game":2')


STATES: dict[str, Callable[[bytes], bytes]] = {
    "hand-edited": lambda data: data.replace(b"Beto", b"Cora"),
    "damaged": lambda data: data[:-20],
    "newer": lambda data: data.replace(b'"format":3', b'"format":4'),
}


@pytest.mark.parametrize("state", STATES)
def test_what_is_wrong_with_a_game(played: Store, state: str) -> None:
    file(played).write_bytes(STATES[state](file(played).read_bytes()))
    found = diagnose(played)
    assert (game(played).state, found.unwell) == (state, 1)
    assert game(played).why
    assert game(played, 2).state == "fine"
    assert found.games[0].advice


def test_another_game_s_content_is_damage_even_if_edited(played: Store) -> None:
    for data in (file(played, 2).read_bytes(), no_number(file(played).read_bytes())):
        file(played).write_bytes(data)
        assert (game(played).state, str(game(played).why)) == ("damaged", "it holds game 2")


def test_an_edit_that_the_rules_do_not_allow_is_damage(played: Store) -> None:
    data = file(played).read_bytes().replace(b'"points":30,"instant_win"', b'"points":31,"instant_win"')
    file(played).write_bytes(data)
    assert game(played).state == "damaged"


@posix_only("links, pipes and sockets are made otherwise on Windows, if at all")
@pytest.mark.parametrize("make", [Path.mkdir, make_pipe, lambda path: path.symlink_to("nowhere")])
def test_what_cannot_be_read(played: Store, make: Callable[[Path], None]) -> None:
    file(played).unlink()
    make(file(played))
    assert game(played).state == "unreadable"
    assert str(file(played)) in str(game(played).why)


def test_a_bad_backup_is_not_well_until_the_next_entry(played: Store) -> None:
    file(played, 2, ".bak").write_bytes(b"junk")
    assert diagnose(played).unwell == 1
    score(played, "6 6 6 6 1")
    assert diagnose(played).unwell == 0


def test_a_backup_without_its_game(played: Store) -> None:
    file(played).unlink()
    found = diagnose(played)
    assert (found.unwell, game(played).state) == (1, "missing")
    assert list(map(str, found.games[0].advice)) == ["restore its backup with generala doctor --restore 1"]


def test_what_belongs_to_no_game_harms_none(played: Store) -> None:
    names = {
        "desktop.ini": "foreign",
        ".tmp-1-0123456789abcdef": "temporary",
        "games/notes.txt": "foreign",
        "games/01": "foreign",
        "games/9.json": "foreign",
        "games/1/.tmp-12-0123456789abcdef": "temporary",
        "games/1/.DS_Store": "foreign",
        "games/3/.tmp-12-0123456789abcdef": "abandoned",
        "marks/.tmp-12-0123456789abcdef": "abandoned",
        "tournaments/notes.txt": "foreign",
        "tournaments/.tmp-12-0123456789abcdef": "temporary",
        "aside/1/.tmp-12-0123456789abcdef": "temporary",
        "aside/1/game.json": "kept",
        "aside/1/game.json-2": "kept",
        "aside/1/game (1).json": "set aside",
        "aside/current/current (1)": "set aside",
    }
    if not is_installed("tournament"):
        names = {name: kind for name, kind in names.items() if not name.startswith("tournaments/")}
    for name in names:
        (played.folder.directory / name).parent.mkdir(parents=True, exist_ok=True)
        (played.folder.directory / name).write_text("")
    found = diagnose(played)
    assert (found.unwell, {each.file: each.kind for each in found.others}) == (0, names)


def test_the_empty_folder_of_a_deleted_game_is_no_trouble(played: Store) -> None:
    played.delete(1)
    found = diagnose(played)
    assert (found.unwell, [each.game for each in found.games]) == (0, [2])
    assert found.others == ()


@posix_only("links, pipes and sockets are made otherwise on Windows, if at all")
def test_a_file_in_place_of_a_folder_cannot_be_read(played: Store) -> None:
    (played.folder.directory / "games" / "7").write_text("")
    found = diagnose(played)
    assert (found.unwell, game(played, 7).state) == (1, "unreadable")


@pytest.mark.parametrize(
    ("content", "unwell"),
    [(b"1\n", 0), (b"9\n", 1), (b"???", 1), (None, 0)],
    ids=["fine", "gone", "bad", "none"],
)
def test_the_file_that_names_the_current_game(played: Store, content: bytes | None, unwell: int) -> None:
    current = played.folder.directory / "current"
    current.unlink() if content is None else current.write_bytes(content)
    found = diagnose(played)
    assert found.unwell == unwell
    assert bool(found.current.advice) == bool(unwell)


def test_a_folder_that_is_none_is_trouble(store: Store, directory: Path) -> None:
    directory.write_text("")
    with pytest.raises(FileError):
        diagnose(store)


# Putting a backup back


@pytest.mark.parametrize("reference", ["1"])
@pytest.mark.parametrize("damage", [b"", b"junk", b"[" * 100_000], ids=len)
def test_the_backup_comes_back_and_the_damaged_bytes_stay(
    played: Store, damage: bytes, reference: str
) -> None:
    backup = file(played, 1, ".bak").read_bytes()
    file(played).write_bytes(damage)
    result = restore(played, reference)
    assert (result.game, result.kept, result.saved) == (1, "aside/1/game.json", True)
    assert file(played).read_bytes() == file(played, 1, ".bak").read_bytes() == backup
    assert aside(played, "1/game.json").read_bytes() == damage
    assert diagnose(played).unwell == 0


def test_no_damaged_bytes_are_ever_written_over(played: Store) -> None:
    for number in range(3):
        file(played).write_bytes(f"junk {number}".encode())
        restore(played, "1")
    kept = [aside(played, f"1/game.json{ending}") for ending in ("", "-2", "-3")]
    assert [path.read_text() for path in kept] == ["junk 0", "junk 1", "junk 2"]


@posix_only("links, pipes and sockets are made otherwise on Windows, if at all")
@pytest.mark.parametrize(
    "make",
    [Path.mkdir, make_pipe, lambda path: path.symlink_to("nowhere"), lambda path: path.symlink_to(path.name)],
)
def test_what_is_no_file_is_moved_out_of_the_way(played: Store, make: Callable[[Path], None]) -> None:
    backup = file(played, 1, ".bak").read_bytes()
    file(played).unlink()
    make(file(played))
    mode = file(played).lstat().st_mode
    assert restore(played, "1").kept == "aside/1/game.json"
    assert file(played).read_bytes() == backup
    assert aside(played, "1/game.json").lstat().st_mode == mode


@posix_only("links, pipes and sockets are made otherwise on Windows, if at all")
def test_a_link_to_a_damaged_file_is_moved_and_what_it_leads_to_left(played: Store, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b"junk")
    file(played).unlink()
    file(played).symlink_to(elsewhere)
    restore(played, "1")
    assert aside(played, "1/game.json").readlink() == elsewhere
    assert not file(played).is_symlink()
    assert elsewhere.read_bytes() == b"junk"


def test_a_game_that_is_gone_comes_back(played: Store) -> None:
    file(played).unlink()
    assert restore(played, "1").kept is None
    assert game(played).state == "fine"


def test_an_edited_game_may_go_back_too(played: Store) -> None:
    data = edited(played)
    restore(played, "1")
    assert aside(played, "1/game.json").read_bytes() == data


def test_a_dry_run_puts_nothing_back(played: Store) -> None:
    file(played).write_bytes(b"junk")
    before = listing(played.folder.directory)
    result = restore(played, "1", dry_run=True)
    assert (result.saved, result.events) == (False, 0)
    assert listing(played.folder.directory) == before


@pytest.mark.parametrize(
    ("data", "backup", "kind", "message"),
    [
        (None, None, NotAllowed, r"game 1 is fine; in-shell\(to undo entries, type generala undo"),
        (b'{"format":4}', None, NewerFile, "is not damaged but newer"),
        (b"junk", b"junk", DamagedFile, "the backup of game 1 is unusable, too"),
        (b"junk", b"", DamagedFile, r"has no backup; .*generala delete 1"),
    ],
)
def test_what_is_not_put_back(
    played: Store, data: bytes | None, backup: bytes | None, kind: type[GeneralaError], message: str
) -> None:
    if data is not None:
        file(played).write_bytes(data)
    if backup:
        file(played, 1, ".bak").write_bytes(backup)
    if backup == b"":
        file(played, 1, ".bak").unlink()
    before = listing(played.folder.directory)
    for dry_run in (True, False):
        with pytest.raises(kind, match=message):
            restore(played, "1", dry_run=dry_run)
    assert listing(played.folder.directory) == before


@pytest.mark.parametrize("reference", ["9", "nobody", "1" * 5000, "", "0"])
def test_a_game_that_there_is_not(played: Store, reference: str) -> None:
    with pytest.raises(NotFound):
        restore(played, reference)
    with pytest.raises(NotFound):
        acceptance(played, reference)


def test_a_label_is_enough_and_must_be_one(played: Store) -> None:
    begin(played, "general", "Eva", "Fito", label="Anabel")
    edited(played, 2)
    assert acceptance(played, "2")[0].game == 2
    with pytest.raises(NotAllowed, match="game 3 is fine"):
        acceptance(played, "anab")
    with pytest.raises(Ambiguous):
        acceptance(played, "an")


# Sealing


def test_an_edited_game_is_sealed_as_it_stands(played: Store) -> None:
    data = edited(played)
    wanted, file_edited = acceptance(played, "1")
    assert file(played).read_bytes() == data
    assert tuple(map(str, wanted.differences)) == (
        "event 1 is new: Ana, full-house 30 with 6 6 6 3 3, throw 3",
    )
    backup = file(played, 1, ".bak").read_bytes()
    assert accept(played, wanted, file_edited).saved
    assert played.load(1).history.game.entries[0].dice == (6, 6, 6, 3, 3)
    assert file(played, 1, ".bak").read_bytes() == backup
    assert diagnose(played).unwell == 0


def test_a_game_without_a_backup_is_sealed_too(played: Store) -> None:
    edited(played)
    file(played, 1, ".bak").unlink()
    wanted, file_edited = acceptance(played, "1")
    assert "no good backup to compare with" in str(wanted.differences[0])
    accept(played, wanted, file_edited)
    assert game(played).state == "fine"


def test_a_game_that_changed_since_it_was_shown_is_not_sealed(played: Store) -> None:
    edited(played)
    wanted, file_edited = acceptance(played, "1")
    file(played).write_bytes(b"junk")
    with pytest.raises(FileChanged):
        accept(played, wanted, file_edited)
    assert file(played).read_bytes() == b"junk"


@pytest.mark.parametrize(
    ("data", "kind", "message"),
    [
        (b"junk", DamagedFile, "game 1 is damaged .*generala doctor --restore 1"),
        (b'{"format":4}', NewerFile, "game 1 is newer"),
        (None, DamagedFile, "game 1 is missing"),
    ],
)
def test_what_is_not_sealed(
    played: Store, data: bytes | None, kind: type[GeneralaError], message: str
) -> None:
    file(played).unlink() if data is None else file(played).write_bytes(data)
    before = listing(played.folder.directory)
    with pytest.raises(kind, match=message):
        acceptance(played, "1")
    assert listing(played.folder.directory) == before


# Conflict copies


def leave(store: Store, name: str, data: bytes = b"{junk") -> None:
    (store.folder.directory / name).parent.mkdir(parents=True, exist_ok=True)
    (store.folder.directory / name).write_bytes(data)


def test_copies_are_set_aside_and_nothing_of_them_is_lost(played: Store) -> None:
    leave(played, "games/1/game (1).json", b"{one")
    leave(played, "aside/1/game (1).json", b"older")
    leave(played, "games/1/game.sync-conflict-20261120-210400-ABCDEFG.json", b"{two")
    before = file(played).read_bytes()
    assert diagnose(played).unwell == 1
    done = accepted(played, "1")
    assert done.set_aside == (
        "aside/1/game (1).json-2",
        "aside/1/game.sync-conflict-20261120-210400-ABCDEFG.json",
    )
    contents = [(played.folder.directory / name).read_bytes() for name in done.set_aside]
    assert contents == [b"{one", b"{two"]
    assert (played.folder.directory / "aside/1/game (1).json").read_bytes() == b"older"
    assert file(played).read_bytes() == before
    assert diagnose(played).unwell == 0
    assert played.open_undisputed("1").number == 1


def test_an_edited_game_with_a_copy_is_sealed_and_the_copy_set_aside(played: Store) -> None:
    edited(played)
    leave(played, "games/1/game (1).json")
    done = accepted(played, "1")
    assert (done.sealed, len(done.set_aside)) == (True, 1)
    assert diagnose(played).unwell == 0


def test_a_damaged_game_with_a_copy_is_put_back_first(played: Store) -> None:
    leave(played, "games/1/game (1).json", file(played).read_bytes())
    file(played).write_bytes(b"junk")
    with pytest.raises(DamagedFile, match="--restore 1"):
        acceptance(played, "1")
    restore(played, "1")
    accepted(played, "1")
    assert diagnose(played).unwell == 0


def test_a_copy_without_its_game_says_what_to_do(played: Store) -> None:
    leave(played, "games/7/game (1).json")
    found = diagnose(played)
    assert (found.unwell, game(played, 7).state) == (1, "missing")
    assert "forget it with generala doctor --accept 7" in str(found.games[2].advice[0])
    assert accepted(played, "7").set_aside == ("aside/7/game (1).json",)
    assert diagnose(played).unwell == 0


def test_copies_of_current_are_set_aside_too(played: Store) -> None:
    leave(played, "current (1)", b"1\n")
    assert diagnose(played).unwell == 1
    done = accepted(played, "current")
    assert done.set_aside == ("aside/current/current (1)",)
    assert diagnose(played).unwell == 0
    with pytest.raises(NotAllowed):
        acceptance(played, "current")


def test_the_doctor_does_not_warn_of_what_it_is_about_to_show(played: Store) -> None:
    told: list[str] = []
    leave(played, "games/1/game (1).json")
    acceptance(replace(played, warn=told.append), "1")
    assert told == []


# Differences in words


def test_what_differs_is_listed_value_by_value() -> None:
    file = tiny_file()
    document = document_of(encode(file))
    for place, value in {
        ("agreed", "players"): ["Ana", "Cora"],
        ("agreed", "rules", "title"): "any",
        ("started",): "2026-11-20T21:04:01Z",
        ("events", 2, "event", "entry", "roll"): 1,
        ("events", 0, "at"): "2026-11-20T21:05:09Z",
    }.items():
        document = changed(document, place, put(value))
    document = changed(document, ("events", 1, "event", "player"), put("Cora"))
    assert list(map(str, differences(file, GameFile.decode(sealed(document))))) == [
        'started was "2026-11-20T21:04:00Z", is "2026-11-20T21:04:01Z"',
        'agreed.players was ["Ana", "Beto"], is ["Ana", "Cora"]',
        'agreed.rules.title was "Tiny", is "any"',
        'event 1 (Ana, twos 4 with 2 2, throw 2): at was "2026-11-20T21:05:00Z", is "2026-11-20T21:05:09Z"',
        'event 2 (Beto, twos scratched): player was "Beto", is "Cora"',
        "event 3 (turn 1 corrected to Ana, all 5 with 2 3, throw 2): entry.roll was 2, is 1",
    ]


def test_events_that_came_and_went() -> None:
    file = tiny_file()
    shorter = replace(file, events=file.events[:3])
    assert list(map(str, differences(shorter, file))) == [
        "event 4 is new: event 3 undone",
        "event 5 is new: event 3 redone",
    ]
    assert list(map(str, differences(file, shorter))) == [
        "event 4 is gone: event 3 undone",
        "event 5 is gone: event 3 redone",
    ]
    assert list(differences(file, file)) == []


def test_changes_at_the_table_are_shown_in_words() -> None:
    table = tiny_table()
    table.rename("Beto", "Berta")
    table.leave("Ana")
    table.join("Ana")
    table.stake("0.05", "USD", "pot")
    file = file_of(table.agreed, table.events)
    assert list(map(str, differences(tiny_file(), file))) == [
        "event 6 is new: Beto renamed Berta",
        "event 7 is new: Ana left",
        "event 8 is new: Ana joined",
        "event 9 is new: played for 0.05 USD, pot",
    ]


def test_a_table_of_the_rules_that_is_gone_is_one_difference() -> None:
    rules = house("kniffel")
    before = Agreed(rules=rules, players=("Ana", "Beto"))
    after = replace(before, rules=replace(rules, upper_bonus=None))
    (told,) = differences(file_of(before, ()), file_of(after, ()))
    assert str(told).startswith('agreed.rules.upper_bonus was {"')


@cases("width", [40, 60])
def test_what_is_kept_can_be_read_on_a_narrow_terminal(width: int) -> None:
    """A damaged file is named by a digest as long as a line."""
    kept = KeptFile(
        file=f"{'1a' * 20}.kept",
        state="fine",
        kind="worths",
        rules="kniffel",
        bytes=1 << 22,
        used=datetime.now(UTC),
    )
    damaged = replace(kept, state="damaged", kind=None, rules=None)
    found = CacheFiles(
        folder="cache",
        files=(kept, damaged),
        bytes=1 << 23,
        most_bytes=MOST_BYTES,
        why=None,
        emptied=False,
        saved=False,
    )
    lines = as_text(
        drawn(found, screen := Screen(width=width, color=False, marks=UNICODE)), screen
    ).splitlines()
    assert max(map(cell_len, lines)) <= width
    assert any("not used" in line or "damaged, and" in line for line in lines)
