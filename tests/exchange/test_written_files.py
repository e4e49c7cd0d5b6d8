"""Files that programs of earlier days wrote are read and merged, and stay as they are.

`written` has a folder for each day: two machines that share a folder, and a backup of the first one. They
have a game with an undone and a corrected entry, a joined player and a choice. They also have payments,
training answers, and a tournament in which a player moved.
"""

import shutil
from pathlib import Path

import pytest

from generala_cli.exchange.answers import Sync
from generala_cli.exchange.importing import import_file
from generala_cli.exchange.syncing import sync
from generala_cli.ledger import storing as payments
from generala_cli.progress import no_progress
from generala_cli.store import choosing
from generala_cli.store.examining import FilesExamined, examine, examine_files
from generala_cli.store.house_rules import HouseRules
from generala_cli.store.store import Store
from generala_cli.store.subjects import of_game
from generala_cli.tournament import storing as tournaments
from generala_cli.training import storing as training
from tests.store.files import listing, store_in

WRITTEN = Path(__file__).parent / "written"
DAYS = sorted(path.name for path in WRITTEN.iterdir())


@pytest.fixture(params=DAYS)
def written(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of the files of one day."""
    return Path(shutil.copytree(WRITTEN / request.param, tmp_path / "written"))


def states(store: Store) -> dict[str, str]:
    """Return the state of every file that `doctor` examines."""

    def state(files: FilesExamined) -> tuple[str, str]:
        assert not files.copies
        return files.subject.name, files.game.state

    return dict(examine(store, state, no_progress).games)


def imported(store: Store, file: Path) -> dict[str, object]:
    """Import a backup; return the result of each part."""
    folder = store.folder.directory.parent
    rules, config = HouseRules(directory=folder / "rules"), folder / "config.toml"
    result = import_file(
        store, rules, config, str(file), lambda _size: b"", dry_run=False, progress=no_progress
    )
    assert not result.refused
    return {
        "games": [game.fate for game in result.games],
        "payments": result.payments,
        "training": result.training,
        "tournaments": [each.fate for each in result.tournaments],
    }


def test_every_file_is_fine(written: Path) -> None:
    store = store_in(written / "laptop")
    games = [str(number) for number in store.numbers()]
    assert states(store) == dict.fromkeys([*games, "payments", "training", "tournament-1"], "fine")
    assert len(choosing.rejected_versions(store, examine_files(store, of_game(1)))) == 1
    assert len(store.load(1).history.game.seats) == 3
    assert len(payments.load(store).file.payments.standing) == 1
    assert len(training.load(store).file.events) == 2
    events = tournaments.load(store, 1).file.events
    kinds = [each.event.__struct_config__.tag for each in events]
    assert kinds == ["seated", "moved", "moved", "undone"]


def test_a_backup_is_imported_once(written: Path, tmp_path: Path) -> None:
    store = store_in(tmp_path / "new")
    games = len(store_in(written / "laptop").numbers())
    for fate in ("new", "same"):
        assert imported(store, written / "backup.generala") == {
            "games": [fate] * games,
            "payments": fate,
            "training": fate,
            "tournaments": [fate],
        }


def test_backups_of_all_days_merge(tmp_path: Path) -> None:
    store = store_in(tmp_path / "new")
    for day in DAYS:
        fates = imported(store, WRITTEN / day / "backup.generala")
        assert {fates["payments"], fates["training"]} <= {"new", "merged", "same"}
    assert len(payments.load(store).file.payments.standing) == len(DAYS)
    assert {*states(store).values()} == {"fine"}


def test_a_machine_syncs_and_follows_the_choice(written: Path) -> None:
    store = store_in(written / "phone")
    laptop = store_in(written / "laptop")

    def synced(*, dry_run: bool = False) -> Sync:
        return sync(
            store,
            HouseRules(directory=written / "rules"),
            written / "config.toml",
            folder=str(written / "shared"),
            name="phone",
            with_deleted=False,
            dry_run=dry_run,
            progress=no_progress,
        )

    before = listing(written)
    assert [(game.game, game.set_aside) for game in synced(dry_run=True).followed] == [(1, ())]
    assert listing(written) == before
    news = synced()
    assert [game.game for game in news.followed] == [1]
    assert {each.state for each in news.machines} == {"read"}
    assert store.load(1).file == laptop.load(1).file
    assert payments.load(store).file == payments.load(laptop).file
    assert {each.state for each in synced().machines} == {"unchanged"}
