"""What the doctor finds, puts back and seals."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from generala_cli.app import doctor
from generala_cli.app.differences import differences
from generala_cli.errors import Ambiguous, FileTrouble, NotAllowed, NotFound
from generala_cli.facts import replace
from generala_cli.store.checking import Checked
from generala_cli.store.codec import decode, encode
from generala_cli.store.folder import Changed
from generala_cli.store.store import Store
from tests.app.table import begin, score
from tests.store.files import changed, document_of, listing, put, sealed, tiny_record


@pytest.fixture
def played(store: Store) -> Store:
    """Two games of an entry each, the second current."""
    for names in (("Ana", "Beto"), ("Cora", "Dani")):
        begin(store, "general", *names, label=names[0])
        score(store, "5 5 5 3 3")
    return store


def file(store: Store, number: int = 1, ending: str = "") -> Path:
    return store.folder.directory / "games" / f"{number}.json{ending}"


def edited(store: Store, number: int = 1) -> bytes:
    """Game 1 with a hand changed in an editor, valid but for its checksum; its bytes."""
    data = file(store, number).read_bytes().replace(b'"dice":[5,5,5,3,3]', b'"dice":[6,6,6,3,3]')
    file(store, number).write_bytes(data)
    return data


def game(store: Store, number: int = 1) -> Checked:
    return next(files for files in doctor.diagnose(store).examined.games if files.number == number).game


# Looking


def test_nothing_at_all_is_well_and_stays_nothing(store: Store, directory: Path) -> None:
    found = doctor.diagnose(store)
    assert (found.unwell, found.examined.games) == (0, ())
    assert not directory.exists()


def test_all_is_well(played: Store) -> None:
    before = listing(played.folder.directory)
    found = doctor.diagnose(played)
    assert found.unwell == 0
    assert [(files.number, files.game.state, files.backup.state) for files in found.examined.games] == [
        (1, "fine", "fine"),
        (2, "fine", "fine"),
    ]
    assert (found.examined.current.number, found.examined.litter) == (2, {})
    assert listing(played.folder.directory) == before


def test_a_new_game_has_no_backup_and_is_well(store: Store) -> None:
    begin(store)
    found = doctor.diagnose(store)
    assert (found.unwell, found.examined.games[0].backup.state) == (0, "missing")


def no_number(data: bytes) -> bytes:
    return data.replace(b'"game":1', b'"game":2')


STATES: dict[str, Callable[[bytes], bytes]] = {
    "hand-edited": lambda data: data.replace(b"Beto", b"Cora"),
    "damaged": lambda data: data[:-20],
    "newer": lambda data: data.replace(b'"format":2', b'"format":3'),
}


@pytest.mark.parametrize("state", STATES)
def test_what_is_wrong_with_a_game(played: Store, state: str) -> None:
    file(played).write_bytes(STATES[state](file(played).read_bytes()))
    found = doctor.diagnose(played)
    assert (game(played).state, found.unwell) == (state, 1)
    assert game(played).why
    assert game(played, 2).state == "fine"
    assert any(doctor.advice(found.examined.games[0]))


def test_another_game_s_content_is_damage_even_if_edited(played: Store) -> None:
    for data in (file(played, 2).read_bytes(), no_number(file(played).read_bytes())):
        file(played).write_bytes(data)
        assert (game(played).state, game(played).why) == ("damaged", "it holds game 2")


def test_an_edit_that_the_rules_do_not_allow_is_damage(played: Store) -> None:
    data = file(played).read_bytes().replace(b'"points":30,"instant_win"', b'"points":31,"instant_win"')
    file(played).write_bytes(data)
    assert game(played).state == "damaged"


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("nowhere")])
def test_what_cannot_be_read(played: Store, make: Callable[[Path], None]) -> None:
    file(played).unlink()
    make(file(played))
    assert game(played).state == "unreadable"
    assert str(file(played)) in game(played).why


def test_a_bad_backup_is_not_well_until_the_next_entry(played: Store) -> None:
    file(played, 2, ".bak").write_bytes(b"junk")
    assert doctor.diagnose(played).unwell == 1
    score(played, "6 6 6 6 1")
    assert doctor.diagnose(played).unwell == 0


def test_a_backup_without_its_game(played: Store) -> None:
    file(played).unlink()
    found = doctor.diagnose(played)
    assert (found.unwell, game(played).state) == (1, "missing")
    assert list(doctor.advice(found.examined.games[0])) == [
        "generala doctor --restore 1 puts its backup back"
    ]


def test_what_belongs_to_no_game_harms_none(played: Store) -> None:
    names = {
        ".tmp-12-0123456789abcdef": "temporary",
        "1.json.damaged": "kept",
        "1.json.damaged-2": "kept",
        "1 (1).json.set-aside": "set aside",
        "notes.txt": "foreign",
        ".DS_Store": "foreign",
    }
    for name in names:
        (played.folder.directory / "games" / name).write_text("")
    (played.folder.directory / "desktop.ini").write_text("")
    (played.folder.directory / ".tmp-1-0123456789abcdef").write_text("")
    found = doctor.diagnose(played)
    inside = {f"games/{name}": kind for name, kind in names.items()}
    top = {"desktop.ini": "foreign", ".tmp-1-0123456789abcdef": "temporary"}
    assert (found.unwell, dict(found.examined.litter)) == (0, {**inside, **top})


@pytest.mark.parametrize(
    ("content", "unwell"),
    [(b"1\n", 0), (b"9\n", 1), (b"???", 1), (None, 0)],
    ids=["fine", "gone", "bad", "none"],
)
def test_the_file_that_names_the_current_game(played: Store, content: bytes | None, unwell: int) -> None:
    current = played.folder.directory / "current"
    current.unlink() if content is None else current.write_bytes(content)
    found = doctor.diagnose(played)
    assert found.unwell == unwell
    assert bool(doctor.current_advice(found.examined.current)) == bool(unwell)


def test_a_folder_that_is_none_is_trouble(store: Store, directory: Path) -> None:
    directory.write_text("")
    with pytest.raises(FileTrouble):
        doctor.diagnose(store)


# Putting a backup back


@pytest.mark.parametrize("reference", ["1"])
@pytest.mark.parametrize("damage", [b"", b"junk", b"[" * 100_000], ids=len)
def test_the_backup_comes_back_and_the_damaged_bytes_stay(
    played: Store, damage: bytes, reference: str
) -> None:
    backup = file(played, 1, ".bak").read_bytes()
    file(played).write_bytes(damage)
    result = doctor.put_back(played, reference)
    assert (result.number, result.kept, result.saved) == (1, "games/1.json.damaged", True)
    assert file(played).read_bytes() == file(played, 1, ".bak").read_bytes() == backup
    assert file(played, 1, ".damaged").read_bytes() == damage
    assert doctor.diagnose(played).unwell == 0


def test_no_damaged_bytes_are_ever_written_over(played: Store) -> None:
    for number in range(3):
        file(played).write_bytes(f"junk {number}".encode())
        doctor.put_back(played, "1")
    kept = [file(played, 1, ending) for ending in (".damaged", ".damaged-2", ".damaged-3")]
    assert [path.read_text() for path in kept] == ["junk 0", "junk 1", "junk 2"]


def test_the_same_bytes_are_kept_once(played: Store) -> None:
    """A command that was killed after keeping them is given again."""
    file(played).write_bytes(b"junk")
    file(played, 1, ".damaged").write_bytes(b"junk")
    assert doctor.put_back(played, "1").kept == "games/1.json.damaged"
    assert not file(played, 1, ".damaged-2").exists()


@pytest.mark.parametrize(
    "make",
    [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("nowhere"), lambda path: path.symlink_to(path.name)],
)
def test_what_is_no_file_is_moved_out_of_the_way(played: Store, make: Callable[[Path], None]) -> None:
    backup = file(played, 1, ".bak").read_bytes()
    file(played).unlink()
    make(file(played))
    mode = file(played).lstat().st_mode
    assert doctor.put_back(played, "1").kept == "games/1.json.damaged"
    assert file(played).read_bytes() == backup
    assert file(played, 1, ".damaged").lstat().st_mode == mode


def test_a_link_to_a_damaged_file_is_moved_and_what_it_leads_to_left(played: Store, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b"junk")
    file(played).unlink()
    file(played).symlink_to(elsewhere)
    doctor.put_back(played, "1")
    assert file(played, 1, ".damaged").readlink() == elsewhere
    assert not file(played).is_symlink()
    assert elsewhere.read_bytes() == b"junk"


def test_a_game_that_is_gone_comes_back(played: Store) -> None:
    file(played).unlink()
    assert doctor.put_back(played, "1").kept is None
    assert game(played).state == "fine"


def test_an_edited_game_may_go_back_too(played: Store) -> None:
    data = edited(played)
    doctor.put_back(played, "1")
    assert file(played, 1, ".damaged").read_bytes() == data


def test_a_dry_run_puts_nothing_back(played: Store) -> None:
    file(played).write_bytes(b"junk")
    before = listing(played.folder.directory)
    result = doctor.put_back(played, "1", dry_run=True)
    assert (result.saved, len(result.record.facts)) == (False, 1)
    assert listing(played.folder.directory) == before


@pytest.mark.parametrize(
    ("data", "backup", "said"),
    [
        (None, None, "game 1 is fine; generala undo"),
        (b'{"format":3}', None, "is not damaged but newer"),
        (b"junk", b"junk", "the backup of game 1 is no good either"),
        (b"junk", b"", r"has no backup; .*generala delete 1"),
    ],
)
def test_what_is_not_put_back(played: Store, data: bytes | None, backup: bytes | None, said: str) -> None:
    if data is not None:
        file(played).write_bytes(data)
    if backup:
        file(played, 1, ".bak").write_bytes(backup)
    if backup == b"":
        file(played, 1, ".bak").unlink()
    before = listing(played.folder.directory)
    for dry_run in (True, False):
        with pytest.raises(NotAllowed, match=said):
            doctor.put_back(played, "1", dry_run=dry_run)
    assert listing(played.folder.directory) == before


@pytest.mark.parametrize("reference", ["9", "nobody", "1" * 5000, "", "0"])
def test_a_game_that_there_is_not(played: Store, reference: str) -> None:
    with pytest.raises(NotFound):
        doctor.put_back(played, reference)
    with pytest.raises(NotFound):
        doctor.acceptance(played, reference)


def test_a_label_is_enough_and_must_be_one(played: Store) -> None:
    begin(played, "general", "Eva", "Fito", label="Anabel")
    edited(played, 2)
    assert doctor.acceptance(played, "2").number == 2
    with pytest.raises(NotAllowed, match="game 3 is fine"):
        doctor.acceptance(played, "anab")
    with pytest.raises(Ambiguous):
        doctor.acceptance(played, "an")


# Sealing


def test_an_edited_game_is_sealed_as_it_stands(played: Store) -> None:
    data = edited(played)
    wanted = doctor.acceptance(played, "1")
    assert file(played).read_bytes() == data
    assert wanted.differences == ("event 2 is new: Ana, full-house 30 with 6 6 6 3 3, throw 3",)
    backup = file(played, 1, ".bak").read_bytes()
    assert doctor.accept(played, wanted).saved
    assert played.load(1).history.game.entries[0].dice == (6, 6, 6, 3, 3)
    assert file(played, 1, ".bak").read_bytes() == backup
    assert doctor.diagnose(played).unwell == 0


def test_a_game_without_a_backup_is_sealed_too(played: Store) -> None:
    edited(played)
    file(played, 1, ".bak").unlink()
    wanted = doctor.acceptance(played, "1")
    assert "no good backup to compare with" in wanted.differences[0]
    doctor.accept(played, wanted)
    assert game(played).state == "fine"


def test_a_game_that_changed_since_it_was_shown_is_not_sealed(played: Store) -> None:
    edited(played)
    wanted = doctor.acceptance(played, "1")
    file(played).write_bytes(b"junk")
    with pytest.raises(Changed):
        doctor.accept(played, wanted)
    assert file(played).read_bytes() == b"junk"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"junk", "game 1 is damaged .*; generala doctor --restore 1"),
        (b'{"format":3}', "game 1 is newer"),
        (None, "game 1 is missing"),
    ],
)
def test_what_is_not_sealed(played: Store, data: bytes | None, said: str) -> None:
    file(played).unlink() if data is None else file(played).write_bytes(data)
    before = listing(played.folder.directory)
    with pytest.raises(NotAllowed, match=said):
        doctor.acceptance(played, "1")
    assert listing(played.folder.directory) == before


# Conflict copies


def leave(store: Store, name: str, data: bytes = b"junk") -> None:
    (store.folder.directory / name).write_bytes(data)


def test_copies_are_set_aside_and_nothing_of_them_is_lost(played: Store) -> None:
    leave(played, "games/1 (1).json", b"one")
    leave(played, "games/1 (1).json.set-aside", b"older")
    leave(played, "games/1.sync-conflict-20261120-210400-ABCDEFG.json", b"two")
    before = file(played).read_bytes()
    assert doctor.diagnose(played).unwell == 1
    done = doctor.accept(played, doctor.acceptance(played, "1"))
    assert done.copies == (
        "games/1 (1).json.set-aside-2",
        "games/1.sync-conflict-20261120-210400-ABCDEFG.json.set-aside",
    )
    contents = [(played.folder.directory / name).read_bytes() for name in done.copies]
    assert contents == [b"one", b"two"]
    assert (played.folder.directory / "games/1 (1).json.set-aside").read_bytes() == b"older"
    assert file(played).read_bytes() == before
    assert doctor.diagnose(played).unwell == 0
    assert played.find_undisputed("1") == 1


def test_an_edited_game_with_a_copy_is_sealed_and_the_copy_set_aside(played: Store) -> None:
    edited(played)
    leave(played, "games/1 (1).json")
    done = doctor.accept(played, doctor.acceptance(played, "1"))
    assert (done.hand_edited is not None, len(done.copies)) == (True, 1)
    assert doctor.diagnose(played).unwell == 0


def test_a_damaged_game_with_a_copy_is_put_back_first(played: Store) -> None:
    leave(played, "games/1 (1).json", file(played).read_bytes())
    file(played).write_bytes(b"junk")
    with pytest.raises(NotAllowed, match="--restore 1"):
        doctor.acceptance(played, "1")
    doctor.put_back(played, "1")
    doctor.accept(played, doctor.acceptance(played, "1"))
    assert doctor.diagnose(played).unwell == 0


def test_a_copy_without_its_game_says_what_to_do(played: Store) -> None:
    leave(played, "games/7 (1).json")
    found = doctor.diagnose(played)
    assert (found.unwell, game(played, 7).state) == (1, "missing")
    assert "rename it to 7.json" in next(doctor.advice(found.examined.games[2]))


def test_copies_of_current_are_set_aside_too(played: Store) -> None:
    leave(played, "current (1)", b"1\n")
    assert doctor.diagnose(played).unwell == 1
    done = doctor.accept(played, doctor.acceptance(played, "current"))
    assert done.copies == ("current (1).set-aside",)
    assert doctor.diagnose(played).unwell == 0
    with pytest.raises(NotAllowed):
        doctor.acceptance(played, "current")


def test_the_doctor_does_not_warn_of_what_it_is_about_to_show(played: Store) -> None:
    told: list[str] = []
    leave(played, "games/1 (1).json")
    doctor.acceptance(replace(played, on_copies=told.append), "1")
    assert told == []


# Differences in words


def test_what_differs_is_told_field_by_field() -> None:
    record = tiny_record()
    document = document_of(encode(record))
    for place, value in {
        ("events", 0, "players"): ["Ana", "Cora"],
        ("events", 0, "rules", "category", 1, "name"): "any",
        ("events", 3, "entry", "roll"): 1,
    }.items():
        document = changed(document, place, put(value))
    document = changed(document, ("events", 2, "player"), put("Cora"))
    after = decode(sealed(document))
    assert list(differences(record, after)) == [
        'event 1 (the start of the game): players was ["Ana", "Beto"], is ["Ana", "Cora"]',
        'event 1 (the start of the game): rules.category 2.name was "ñ", is "any"',
        'event 3 (Beto, twos scratched): player was "Beto", is "Cora"',
        "event 4 (turn 1 corrected to Ana, all 5 with 2 3, throw 2): entry.roll was 2, is 1",
    ]


def test_an_upper_bonus_that_was_put_in_by_hand_is_told() -> None:
    record = tiny_record()
    document = document_of(encode(record))
    document["events"][0]["rules"]["upper_bonus"] = {"from": 3, "points": 35}
    assert list(differences(record, decode(sealed(document)))) == [
        'event 1 (the start of the game): rules.upper_bonus was null, is {"from": 3, "points": 35}'
    ]


def test_events_that_came_and_went() -> None:
    record = tiny_record()
    shorter = replace(record, events=record.events[:4], times=record.times[:4])
    assert list(differences(shorter, record)) == [
        "event 5 is new: event 4 undone",
        "event 6 is new: event 4 redone",
    ]
    assert list(differences(record, shorter)) == [
        "event 5 is gone: event 4 undone",
        "event 6 is gone: event 4 redone",
    ]
    assert list(differences(record, record)) == []
    assert list(differences(record, None)) == []
