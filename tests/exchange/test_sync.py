"""Machines that share a folder get the same games, payments and rules."""

import csv
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from generala_cli.exchange.backup import FactsPart, GamePart, decode, encode
from generala_cli.store.store import Store, StoredGame
from tests.cli.program import Generala
from tests.cli.refusing import refused
from tests.posix import IS_POSIX
from tests.sizes import thinned
from tests.store.files import sealed


class Group:
    """Named machines and their shared folder."""

    def __init__(self, folder: Path, *names: str) -> None:
        self.shared = folder / "shared"
        self.shared.mkdir()
        self.machines = {name: Generala(home=folder / name) for name in names}

    def sync(self, name: str, *options: str) -> str:
        """Let a machine sync without warnings. Return the answer."""
        return self.machines[name].ok("sync", str(self.shared), "--as", name, *options)

    def meet(self) -> None:
        """Let all machines sync until no machine has news."""
        for name in [*self.machines, *self.machines]:
            self.sync(name)

    def file(self, name: str) -> Path:
        """Return the shared file of a machine."""
        (file,) = self.shared.glob(f"{name}-*.generala")
        return file

    def written(self) -> dict[str, tuple[int, int]]:
        """Return the inode and the time of every file. Writing a file changes them."""
        folders = (self.shared, *(machine.home for machine in self.machines.values()))
        found = [path for folder in folders for path in folder.rglob("*") if path.name != ".lock"]
        return {str(path): (path.stat().st_ino, path.stat().st_mtime_ns) for path in found}


def games_of(machine: Generala) -> dict[str, object]:
    """Return every game by id, without its number."""
    return {
        game["id"]: (game["players"], game["totals"], game["over"], game["label"])
        for game in machine.json("games")["games"]
    }


def debts_of(machine: Generala) -> list[tuple[str, object]]:
    """Return all debts."""
    return [(unit["unit"], unit["net"]) for unit in machine.json("ledger")["units"]]


@pytest.fixture
def group(tmp_path: Path) -> Group:
    """A laptop with a finished game, a phone with an unfinished one and a payment, and a tablet."""
    group = Group(tmp_path, "laptop", "phone", "tablet")
    laptop, phone = group.machines["laptop"], group.machines["phone"]
    laptop.ok("new", "Ana", "Beto", "--rules", "general", "--stake", "0.01", "--unit", "USD")
    laptop.ok("55533", "1")
    laptop.ok("66666", "1")
    laptop.ok("rules", "new", "casa", "--from", "general")
    phone.ok("new", "Cora", "Dani", "--name", "sunday")
    phone.ok("pay", "Cora", "Dani", "2", "--unit", "USD")
    return group


def test_all_come_to_have_everything(group: Group) -> None:
    group.meet()
    laptop, phone, tablet = group.machines.values()
    assert games_of(laptop) == games_of(phone) == games_of(tablet)
    assert len(games_of(laptop)) == 2
    assert debts_of(laptop) == debts_of(phone) == debts_of(tablet)
    assert [net for _, net in debts_of(laptop)] == [
        {"Ana": "-0.25", "Beto": "0.25", "Cora": "2.00", "Dani": "-2.00"}
    ]
    assert (tablet.rule_files / "casa.toml").read_text() == (laptop.rule_files / "casa.toml").read_text()
    before = group.written()
    group.meet()
    assert group.written() == before


def test_what_is_new_is_listed_by_the_name_of_the_machine(group: Group) -> None:
    assert group.sync("phone").splitlines() == [
        f"wrote {group.file('phone').name}",
        "  no other machine has written to the folder yet",
    ]
    output = group.sync("laptop").splitlines()
    assert output == [
        "from phone:",
        "  game 2 is new here",
        "  payments are new here",
        f"wrote {group.file('laptop').name}",
    ]
    output = group.sync("phone").splitlines()
    assert output[:3] == ["from laptop:", "  game 2 is new here", "  rules casa are new here"]
    assert group.sync("phone").splitlines() == [
        "nothing new from laptop",
        f"{group.file('phone').name} is unchanged",
    ]
    group.machines["phone"].ok("55533", "1")
    assert group.sync("phone").splitlines() == [
        "nothing new from laptop",
        f"wrote {group.file('phone').name}",
    ]


def test_folder_and_name_are_remembered_and_are_this_machines_alone(
    group: Group, monkeypatch: pytest.MonkeyPatch
) -> None:
    laptop, phone = group.machines["laptop"], group.machines["phone"]
    config = laptop.rule_files.parent / "config.toml"
    config.write_text('# ours\nunit = "drink"')
    monkeypatch.chdir(group.shared.parent)
    laptop.ok("sync", "shared", "--as", "Küche 2")
    monkeypatch.chdir("/")
    folder = json.dumps(str(group.shared))  # TOML writes it like this, too
    assert config.read_text() == (f'# ours\nunit = "drink"\nsync.folder = {folder}\nsync.name = "Küche 2"\n')
    assert laptop.json("sync")["machine"] == "Küche 2"
    assert group.file("kuche-2").exists()
    laptop.ok("sync", "--as", "laptop")
    assert [file.name for file in group.shared.iterdir()] == [group.file("laptop").name]
    sent = laptop.ok("export", "--all", "--format", "generala")
    group.sync("phone")
    assert "  config.toml is new here\n" in phone("import", "-", stdin=sent).out
    taken = (phone.rule_files.parent / "config.toml").read_text()
    assert taken == f'# ours\nunit = "drink"\nsync.folder = {folder}\nsync.name = "phone"\n'
    assert "  config.toml was already here\n" in laptop("import", "-", stdin=sent).out


@pytest.mark.thinned(every=2)
@pytest.mark.parametrize(
    "typed", ["[sync]\nfolder = '{}'\nname = 'old'\n", "sync = {{folder = '{}', name = 'old'}}\n"]
)
def test_however_the_settings_are_spelled(group: Group, typed: str) -> None:
    laptop = group.machines["laptop"]
    config = laptop.rule_files.parent / "config.toml"
    config.write_text('unit = "drink"\n' + typed.format(group.shared))
    assert laptop.json("sync", "--as", "new")["machine"] == "new"
    folder = json.dumps(str(group.shared))  # TOML writes it like this, too
    assert config.read_text() == f'unit = "drink"\nsync.folder = {folder}\nsync.name = "new"\n'
    config.write_text("sync.folder = 3\n")
    assert "sync: folder" in refused(laptop, ("sync",), 3).err


def test_machines_of_one_name_have_a_file_each(group: Group) -> None:
    for machine in group.machines.values():
        machine.ok("sync", str(group.shared), "--as", "phone")
    assert len(list(group.shared.glob("phone-????????.generala"))) == 3


def test_a_conflict_is_reported_with_the_machine_that_it_is_with(group: Group) -> None:
    group.meet()
    phone, laptop = group.machines["phone"], group.machines["laptop"]
    phone.ok("12345", "--game", "1")
    laptop.ok("x", "ones", "--game", "2")
    group.sync("phone")
    result = laptop("sync")
    assert "from phone:\n  game 2 went on differently here and there; both versions are kept\n" in result.out
    assert "game 2 has no payouts until you choose a version: generala doctor 2" in result.err
    assert result.code == 0
    document = laptop.json("sync")
    assert [machine["games"] for machine in document["machines"]] == [[], []]


def gone_on_differently(group: Group) -> tuple[Generala, Generala]:
    """Return the phone, whose game 1 has two versions, and the laptop, which does not know it yet."""
    group.meet()
    phone, laptop = group.machines["phone"], group.machines["laptop"]
    phone.ok("12345", "--game", "1")
    laptop.ok("x", "ones", "--game", "2")
    group.sync("laptop")
    phone("sync")
    return phone, laptop


def test_a_rejected_version_that_went_on_is_a_new_question(group: Group) -> None:
    phone, laptop = gone_on_differently(group)
    phone.ok("doctor", "1", "--take", "this")
    group.sync("phone")
    laptop.ok("x", "twos", "--game", "2")
    for name, other, number in (("laptop", "phone", 2), ("phone", "laptop", 1)):
        told = group.machines[name]("sync").out
        assert f"from {other}:\n  game {number} went on differently here and there; both" in told
    versions = json.loads(phone("doctor", "1", "--json").out)["versions"]
    assert [each["standing"] for each in versions] == ["own", "diverged"]
    phone.ok("doctor", "1", "--take", "that")
    group.sync("phone")
    assert "game 2 has one version again; the others are kept as aside/2/" in group.sync("laptop")


def test_a_choice_that_is_lost_with_its_file_is_asked_for_again(group: Group) -> None:
    phone, _ = gone_on_differently(group)
    assert "unchanged" in phone("sync").out, "an open question alone is nothing new"
    phone.ok("doctor", "1", "--take", "this")
    (phone.data / "games" / "1" / "game.json").unlink()
    phone.ok("doctor", "--restore", "1")
    assert "both" in phone("sync").out
    versions = json.loads(phone("doctor", "1", "--json").out)["versions"]
    assert [each["standing"] for each in versions] == ["own", "diverged"]


@pytest.mark.slow
def test_what_was_entered_says_where_from_the_first_sync_on(group: Group) -> None:
    laptop, phone = group.machines["laptop"], group.machines["phone"]
    phone.ok("12345", "--game", "sunday")
    group.meet()
    phone.ok("x", "ones", "--game", "sunday")
    assert "entered by" not in phone.ok("log", "sunday")  # all of it was entered here
    group.meet()
    laptop.ok("x", "twos", "--game", "sunday")
    log = laptop.json("log", "sunday")["entries"]
    assert [entry.get("entered_by") for entry in log] == [None, "phone", "laptop"]
    *_, second, third = laptop.ok("log", "sunday").splitlines()
    assert (second.split()[-1], third.split()[-1]) == ("phone", "laptop")
    with laptop.on_terminal("log", "sunday", columns=40) as terminal:
        assert [line.strip() for line in terminal.end()[1].splitlines() if "entered" in line] == [
            "entered by phone",
            "entered by laptop",
        ]
    rows = csv.DictReader(laptop.ok("export", "sunday", "--format", "csv").splitlines())
    assert [row["entered_by"] for row in rows] == ["", "phone", "laptop"]
    laptop.ok("amend", "2", "44421", "--as", "fours", "--game", "sunday")
    assert laptop.json("log", "sunday")["entries"][1]["entered_by"] == "laptop"
    laptop.ok("undo", "--game", "sunday")
    assert laptop.json("log", "sunday")["entries"][1]["entered_by"] == "phone"
    phone.ok("x", "threes", "--game", "sunday")
    group.sync("phone")
    laptop("sync")
    versions = json.loads(laptop("doctor", "sunday", "--json").out)["versions"]
    assert [version["entered_by"] for version in versions] == [["laptop"], ["phone"]]
    assert "entered by phone" in laptop("doctor", "sunday").out


def test_a_turn_is_entered_whatever_the_configuration_says_this_machine_is_called(group: Group) -> None:
    laptop = group.machines["laptop"]
    group.sync("laptop")
    laptop.ok("new", "Eva", "Fede")
    config = laptop.rule_files.parent / "config.toml"
    for name in ("a" * 101, "a\\u001bb", "\\"):
        config.write_text(f'sync.name = "{name}"\n')
        laptop.ok("12345")
        assert "entered_by" not in laptop.json("log")["entries"][0]
        laptop.ok("undo")


def test_a_file_that_is_not_all_there_is_reported_and_read_the_next_time(group: Group) -> None:
    group.sync("laptop")
    group.sync("phone")
    file = group.file("phone")
    whole = file.read_bytes()
    tablet = group.machines["tablet"]
    for data in (whole[: len(whole) // 2], b"", whole.replace(b"Cora", b"Dora"), whole[:100]):
        file.write_bytes(data)
        result = tablet("sync", str(group.shared), "--as", "tablet")
        assert (result.code, "phone" not in result.out) == (3, True)
        assert f"{file.name} cannot be imported: " in result.err
        assert result.err.endswith("; the next sync tries again\n")
        assert result.err.count("\n") == 1
    assert len(games_of(tablet)) == 1
    file.write_bytes(whole)
    assert "from phone:\n  game 2 is new here\n" in group.sync("tablet")


def test_what_is_no_machines_file_harms_nothing(group: Group) -> None:
    (group.shared / "folder.generala").mkdir()
    broken = ["folder.generala"]
    if IS_POSIX:  # Windows asks for a right before it makes a link
        (group.shared / "link.generala").symlink_to("nowhere")
        broken.append("link.generala")
    (group.shared / ".syncthing.phone-1a2b3c4d.generala.tmp").write_bytes(b"half")
    (group.shared / ".hidden.generala").write_bytes(b"half")
    (group.shared / "notes.txt").write_bytes(b"buy dice")
    result = group.machines["laptop"]("sync", str(group.shared), "--as", "laptop")
    assert (result.code, result.out.startswith("wrote laptop-")) == (3, True)
    assert [line.partition(" cannot")[0] for line in result.err.splitlines()] == [
        f"generala: {group.shared / name}" for name in broken
    ]


@pytest.mark.slow
def test_a_sync_program_may_rename_copy_delete_and_bring_back_files(group: Group) -> None:
    group.meet()
    before = {name: games_of(machine) for name, machine in group.machines.items()}
    own, other = group.file("laptop"), group.file("phone")
    old = own.read_bytes()
    group.machines["laptop"].ok("new", "Eva", "Fede")
    group.sync("laptop")
    shutil.copy(own, own.with_name("laptop (conflicted copy).generala"))
    other.rename(other.with_name("phone.sync-conflict.generala"))
    group.meet()
    own.write_bytes(old)
    assert "wrote " in group.sync("laptop")
    own.unlink()
    assert "wrote " in group.sync("laptop")
    group.meet()
    found = [games_of(machine) for machine in group.machines.values()]
    assert found[0] == found[1] == found[2]
    assert len(found[0]) == len(before["laptop"]) + 1
    settled = group.written()
    group.meet()
    assert group.written() == settled


@pytest.mark.slow
def test_a_deleted_game_does_not_come_back_unless_asked_for(group: Group) -> None:
    group.meet()
    laptop, phone = group.machines["laptop"], group.machines["phone"]
    laptop.ok("delete", "2", "--yes")
    assert "nothing new from phone" in group.sync("laptop")
    phone.ok("12345", "--game", "1")
    group.sync("phone")
    found = group.sync("laptop")
    assert "from phone:\n  1 game was deleted here and is skipped; --deleted restores it\n" in found
    assert "skipped" not in group.sync("laptop")
    assert len(games_of(laptop)) == 1
    assert games_of(phone).keys() > games_of(laptop).keys()
    output = laptop("sync", "--deleted", "-n").out
    assert "  game 3 is new here\n" in output
    assert "  game 3 is new here\n" in group.sync("laptop", "--deleted")
    assert games_of(laptop) == games_of(phone)
    assert "new here" not in group.sync("laptop", "--deleted")


def test_what_is_damaged_here_is_repaired_though_it_was_taken_over_before(group: Group) -> None:
    group.meet()
    laptop = group.machines["laptop"]
    file = laptop.game(2)
    whole = file.read_bytes()
    file.write_bytes(whole[:-20])
    output = group.sync("laptop")
    assert "  repaired game 2, which was damaged here; the damaged file is now aside/2/game.json\n" in output
    assert file.read_bytes() == whole
    file.write_bytes(b"junk")  # its mark knows which game it was
    assert "  repaired game 2, which was damaged here" in group.sync("laptop")
    file.write_bytes(b"junk")
    (laptop.data / "marks/2").unlink()
    result = laptop("sync")
    assert (result.code, "  game 3 is new here\n" in result.out) == (3, True)
    assert "skipped game 2: " in result.err


def test_what_is_damaged_here_and_nowhere_else_is_repaired_from_its_own_file(group: Group) -> None:
    group.sync("phone")
    phone = group.machines["phone"]
    files = [phone.game(1), phone.data / "payments" / "payments.json"]
    whole = [file.read_bytes() for file in files]
    for file in files:
        file.write_bytes(file.read_bytes()[:-20])
    output = group.sync("phone")
    assert output.startswith("from this machine's own file:\n")
    assert "repaired game 1, which was damaged here" in output
    assert "repaired the payments, which were damaged here" in output
    assert [file.read_bytes() for file in files] == whole


def test_what_another_program_put_back_comes_back_from_its_own_file(group: Group) -> None:
    phone = group.machines["phone"]
    older = phone.game(1).read_bytes()
    phone.ok("12345")
    group.sync("phone")
    newer = phone.game(1).read_bytes()
    phone.game(1).write_bytes(older)
    own = group.file("phone")
    found = "from this machine's own file:\n  game 1 was updated\n"
    assert found in group.sync("phone")
    assert phone.game(1).read_bytes() == newer
    assert [*group.shared.iterdir()] == [own]
    phone.game(1).write_bytes(older)
    assert "another program replaced game 1: it has 0 of 1 events" in phone("x", "ones").err
    assert "game 1 went on differently here and there" in phone("sync").out


def test_what_cannot_be_used_is_left_out_and_the_other_machines_hear_of_it(tmp_path: Path) -> None:
    group = Group(tmp_path, "laptop", "phone")
    laptop, phone = group.machines.values()
    laptop.ok("new", "Ana", "Beto")
    laptop.ok("rematch")
    laptop.game(1).write_bytes(b"junk")
    result = laptop("sync", str(group.shared), "--as", "laptop")
    assert (result.code, "skipped game 1: " in result.err) == (3, True)
    result = phone("sync", str(group.shared), "--as", "phone")
    assert (result.code, "laptop does not contain game 1" in result.err) == (0, True)
    assert len(games_of(phone)) == 1
    assert phone("sync").err == ""


def test_a_data_folder_that_was_put_back_gets_its_own_file_back(group: Group, tmp_path: Path) -> None:
    group.sync("laptop")
    laptop = group.machines["laptop"]
    shutil.copytree(laptop.home, tmp_path / "backup")
    laptop.ok("new", "Eva", "Fede")
    group.sync("laptop")
    after = games_of(laptop)
    shutil.rmtree(laptop.home)
    shutil.move(tmp_path / "backup", laptop.home)
    assert "from laptop:\n  game 2 is new here\n" in laptop.ok("sync")
    assert games_of(laptop) == after


@pytest.mark.slow
def test_of_two_machines_with_one_data_folder_one_takes_another_file(group: Group) -> None:
    group.meet()
    laptop = group.machines["laptop"]
    copied = group.machines["copied"] = Generala(home=laptop.home.with_name("copied"))
    shutil.copytree(laptop.home, copied.home)
    file = group.file("laptop").name
    laptop.ok("new", "Eva", "Fede")
    assert f"wrote {file}\n" in laptop.ok("sync")
    copied.ok("new", "Gabi", "Hugo")
    output = copied.ok("sync")
    assert "from laptop:\n  game 4 is new here\n" in output
    assert f"  a different machine writes {file} too; this machine uses a new file from now on\n" in output
    assert f"wrote {file}\n" not in output
    copied.ok("rematch")
    for machine in (copied, laptop, copied, laptop):
        machine.ok("sync")
    assert len(list(group.shared.glob("laptop-*.generala"))) == 2
    assert games_of(laptop) == games_of(copied)
    assert len(games_of(laptop)) == 5
    settled = group.written()
    for machine in (copied, laptop):
        assert " is unchanged\n" in machine.ok("sync")
    assert group.written() == settled


@pytest.mark.slow
def test_a_copied_data_folder_in_which_a_game_is_deleted_leaves_the_others_file_alone(group: Group) -> None:
    """Otherwise both write the same file, and syncs after the copy never see the laptop's turns."""
    laptop = group.machines["laptop"]
    laptop.ok("new", "Hugo", "Ida", "--rules", "general")
    group.meet()
    copied = group.machines["copied"] = Generala(home=laptop.home.with_name("copied"))
    shutil.copytree(laptop.home, copied.home)
    laptop.ok("score", "66655")
    laptop.ok("sync")
    written = group.file("laptop").read_bytes()
    copied.ok("delete", str(copied.json("sheet")["game"]), "--yes")
    copied.ok("sync")
    assert written in [file.read_bytes() for file in group.shared.glob("laptop-*.generala")]


def test_a_dry_run_reports_and_writes_nothing(group: Group) -> None:
    group.sync("phone")
    before = group.written()
    laptop = group.machines["laptop"]
    result = laptop("sync", str(group.shared), "--as", "laptop", "-n")
    assert "from phone:\n  game 2 is new here\n  payments are new here\nwould write " in result.out
    assert result.err == "generala: dry run: nothing was saved\n"
    assert group.written() == before
    assert laptop.json("sync", str(group.shared))["written"]


@pytest.mark.parametrize(
    ("typed", "code", "why"),
    [
        ((), 2, "there is no shared folder yet; start with generala sync FOLDER"),
        (("nowhere",), 1, "there is no folder "),
        (("",), 1, "there is no folder ''"),
        ((__file__,), 3, f"{Path(__file__).name} is not a folder"),
        ((".", "--as", " "), 2, "is not a valid name for a machine"),
        ((".", "--as", "a\nb"), 2, "is not a valid name for a machine"),
    ],
)
def test_what_cannot_be_is_refused(
    generala: Generala,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    typed: Sequence[str],
    code: int,
    why: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert why in refused(generala, ("sync", *typed), code).err
    assert [*tmp_path.glob("*.generala")] == []


def test_a_folder_that_cannot_be_written_is_reported(group: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("generala_cli.exchange.sharing.create_file", refuse)
    result = group.machines["laptop"]("sync", str(group.shared))
    assert (result.code, result.err.count("\n")) == (3, 1)
    assert "cannot be written (Permission denied)" in result.err
    assert [*group.shared.iterdir()] == []


def test_what_is_remembered_is_left_as_it_is_where_it_is_damaged(group: Group) -> None:
    group.sync("laptop")
    laptop = group.machines["laptop"]
    memory = laptop.data / "sync.json"
    memory.write_text("junk")
    assert "delete it to start over" in refused(laptop, ("sync",), 3).err
    assert memory.read_text() == "junk"
    memory.unlink()
    assert "nothing new from laptop" in laptop.ok("sync")
    assert "all is well" in laptop.ok("doctor")


def test_a_machines_file_may_be_imported_by_itself(group: Group) -> None:
    group.sync("phone")
    assert "game 2 is new here" in group.machines["laptop"].ok("import", str(group.file("phone")))
    parts = decode(group.file("phone").read_bytes())
    assert encode(parts) == group.file("phone").read_bytes()


def test_the_answer_names_what_a_script_needs(group: Group) -> None:
    group.sync("phone")
    document = json.loads(group.machines["laptop"].ok("sync", str(group.shared), "--as", "laptop", "--json"))
    (machine,) = document["machines"]
    assert (machine["machine"], machine["state"], machine["payments"]) == ("phone", "read", "new")
    assert [(game["game"], game["was"], game["fate"]) for game in machine["games"]] == [(2, 1, "new")]
    assert (document["written"], document["saved"], document["file"]) == (
        True,
        True,
        group.file("laptop").name,
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", thinned([(seed,) for seed in range(8)], every=8))
def test_whatever_happens_where_all_end_up_with_the_same(tmp_path: Path, seed: int) -> None:
    group, random = Group(tmp_path, "laptop", "phone", "tablet"), Random(seed)
    names = list(group.machines)
    begun: list[tuple[str, str]] = []

    def begin(name: str) -> None:
        label = f"of {name} {len(begun)}"
        group.machines[name].ok("new", "Ana", "Beto", "--name", label, "--stake", "1", "--unit", "USD")
        begun.append((name, label))

    def play(_: str) -> None:
        if begun:  # only a game's first machine continues it: conflicts are tested elsewhere
            name, label = random.choice(begun)
            group.machines[name]("x", random.choice(["1", "2", "3", "4", "5", "6"]), "--game", label)

    def pay(name: str) -> None:
        group.machines[name]("pay", "Ana", "Beto", str(random.randint(1, 9)), "--unit", "USD")

    def take_back(name: str) -> None:
        group.machines[name]("pay", "--undo")

    def disturb(_: str) -> None:
        if not (files := sorted(group.shared.iterdir())):
            return
        match file := random.choice(files), random.randrange(3):
            case _, 0:
                file.unlink()
            case _, 1:
                file.write_bytes(file.read_bytes()[:-50])
            case _:
                shutil.copy(file, file.with_name(f"copy {random.randrange(3)}.generala"))

    def meet(name: str) -> None:
        """A truncated file is reported each time, and everything else is imported."""
        result = group.machines[name]("sync", str(group.shared), "--as", name)
        is_troubled = "the next sync tries again" in result.err
        assert result.code == (3 if is_troubled else 0), result.err

    for _ in range(30):
        random.choice([begin, play, play, pay, take_back, disturb, meet, meet, meet])(random.choice(names))
    for name in names * 3:
        meet(name)
    machines = list(group.machines.values())
    assert games_of(machines[0]) == games_of(machines[1]) == games_of(machines[2])
    assert debts_of(machines[0]) == debts_of(machines[1]) == debts_of(machines[2])
    before = group.written()
    for name in names:
        meet(name)
    assert group.written() == before


def test_this_machines_own_file_is_named_as_such_and_written_anew(group: Group) -> None:
    group.sync("laptop")
    laptop, own = group.machines["laptop"], group.file("laptop")
    whole = own.read_bytes()
    own.write_bytes(b"x" + whole)
    result = laptop("sync")
    assert (result.code, own.read_bytes()) == (0, whole)
    assert "it is this machine's own file, so it is written again" in result.err


@pytest.mark.parametrize("is_saved", [False, True])
def test_a_killed_sync_under_another_name_leaves_no_file_for_ever(group: Group, is_saved: bool) -> None:
    group.sync("laptop")
    laptop, before = group.machines["laptop"], group.file("laptop")
    old = before.read_bytes()
    memory = json.loads((laptop.data / "sync.json").read_bytes())
    group.sync("laptop", "--as", "kitchen")
    after = group.file("kitchen")
    memory["former"] = [before.name, after.name]
    (laptop.data / "sync.json").write_text(json.dumps(memory))  # the sync was killed before remembering all
    before.write_bytes(old)
    laptop.ok("sync", "--as", "kitchen" if is_saved else "laptop")
    assert [path.name for path in group.shared.iterdir()] == [(after if is_saved else before).name]
    assert "former" not in json.loads((laptop.data / "sync.json").read_bytes())


def test_a_file_that_another_machine_writes_is_not_removed_with_former_ones(group: Group) -> None:
    group.sync("laptop")
    laptop, shared_name = group.machines["laptop"], group.file("laptop")
    copied = Generala(home=laptop.home.with_name("copied"))
    shutil.copytree(laptop.home, copied.home)
    copied.ok("new", "Gabi", "Hugo")
    copied.ok("sync")
    memory = json.loads((laptop.data / "sync.json").read_bytes())
    memory["former"] = [shared_name.name, "kitchen-" + shared_name.name.partition("-")[2]]
    (laptop.data / "sync.json").write_text(json.dumps(memory))
    before = shared_name.read_bytes()
    assert "game 2 is new here" in laptop.ok("sync", "--as", "kitchen")
    assert shared_name.read_bytes() == before


@pytest.mark.slow
def test_units_stand_in_one_order_everywhere(group: Group) -> None:
    """They are in the order of their first use, whatever the numbers of the games on a machine."""
    laptop, tablet = group.machines["laptop"], group.machines["tablet"]
    for machine, unit in ((tablet, "drink"), (laptop, "beer")):
        machine.ok("new", "Ana", "Beto", "--stake", "1", "--unit", unit)
        machine.ok("66666", "1")
    group.meet()
    orders = [[unit for unit, _ in debts_of(machine)] for machine in group.machines.values()]
    assert orders[0] == orders[1] == orders[2]
    assert len(orders[0]) == 3


def test_a_game_that_another_program_spoils_while_ours_is_made_is_left_out_and_the_rest_goes(
    group: Group, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was checked, continued, checked again, and is damaged when it should be written."""
    laptop = group.machines["laptop"]
    path, load, judged = laptop.game(1), Store.load, list[int]()

    def load_and_change(store: Store, number: int) -> StoredGame:
        found = load(store, number)
        judged.append(number)
        if judged == [1, 2]:
            path.write_bytes(path.with_name("game.json.bak").read_bytes())
        elif judged == [1, 2, 1]:
            path.write_bytes(b"junk")
        return found

    laptop.ok("new", "Cora", "Dani")
    monkeypatch.setattr(Store, "load", load_and_change)
    result = laptop("sync", str(group.shared), "--as", "laptop")
    assert (result.code, "skipped game 1" in result.err) == (3, True), result
    assert judged[:3] == [1, 2, 1]
    assert sum(isinstance(part, GamePart) for part in decode(group.file("laptop").read_bytes())) == 1


def test_files_of_a_removed_package_are_carried_unchanged(group: Group) -> None:
    data = group.machines["laptop"].data
    dominoes = sealed({"format": 3, "checksum": "", "id": "d" * 32, "events": []})
    for place in ("dominoes/1", "dominoes", "dominoes/2"):  # the last one is a copy of the first
        (data / place).mkdir(parents=True, exist_ok=True)
        (data / place / "domino.json").write_bytes(dominoes)
    (data / "dominoes" / "notes.json").write_text("{}")
    group.meet()
    before = group.written()
    group.meet()
    assert group.written() == before
    parts = decode(group.file("laptop").read_bytes())
    assert [part for part in parts if isinstance(part, FactsPart)][1:] == [
        FactsPart(kind="domino", text=dominoes.decode())
    ]
    exported = group.machines["laptop"].ok("export", "--all", "--format", "generala")
    assert "its package is not installed" in group.machines["phone"]("import", "-", stdin=exported).err
