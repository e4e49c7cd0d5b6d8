"""Links in place of files and folders: followed if that is safe, otherwise refused; never written through."""

from pathlib import Path

import pytest

from tests.cli.program import Generala, files_below
from tests.posix import posix_only
from tests.sessions.place import PRIVATE, SCORE, is_reported, modes_below

pytestmark = posix_only("links are made otherwise on Windows, if at all")


@pytest.mark.slow
def test_the_data_folder_may_be_a_link(played: Generala) -> None:
    real = played.data.rename(played.home / "elsewhere")
    played.data.symlink_to(real)
    played.ok(*SCORE)
    played.ok("rematch")
    assert played.data.is_symlink()
    assert modes_below(real) == PRIVATE
    assert (real / "games" / "2" / "game.json").exists()


def test_the_folder_of_games_may_be_a_link_out_of_the_data_folder(played: Generala, tmp_path: Path) -> None:
    games = played.data / "games"
    outside = games.rename(tmp_path / "outside")
    games.symlink_to(outside)
    played.ok(*SCORE)
    played.ok("rematch")
    assert games.is_symlink()
    unplayed = [name for number in "236" for name in (number, f"{number}/game.json")]
    entered = [
        name for number in "145" for name in (number, *(f"{number}/game.json{end}" for end in ("", ".bak")))
    ]
    assert sorted(files_below(outside)) == sorted([*unplayed, *entered])
    assert modes_below(outside) == PRIVATE


@pytest.mark.parametrize("target", ["nowhere", "here", "/dev/null", "../config"])
@pytest.mark.parametrize("place", ["data", "data/games"])
def test_a_folder_that_leads_nowhere_is_reported(played: Generala, place: str, target: str) -> None:
    folder = played.home / place
    folder.rename(played.home / "kept")
    folder.symlink_to(folder.name if target == "here" else target)
    before = files_below(played.home)
    is_reported(played(*SCORE), 1, 3)
    is_reported(played("sheet"), 1, 3)
    if target != "../config":  # an ordinary folder
        is_reported(played("new", "Cora", "Dani"), 3)
    assert files_below(played.home) == before or target == "../config"


@pytest.mark.parametrize("name", ["current", ".lock", "games/1/game.json"])
def test_a_file_that_is_a_link_is_not_written_through(played: Generala, tmp_path: Path, name: str) -> None:
    place = played.data / name
    outside = place.rename(tmp_path / "outside")
    place.symlink_to(outside)
    before, held = files_below(played.home), outside.read_bytes()
    is_reported(played("use", "1") if name == "current" else played(*SCORE), 3)
    assert outside.read_bytes() == held
    assert files_below(played.home) == before
    assert played("sheet").code == 0


@pytest.mark.parametrize("target", ["nowhere", "here", "/dev/zero", "/etc/passwd", "games"])
@pytest.mark.parametrize("name", ["current", ".lock", "games/1/game.json"])
def test_a_file_that_is_a_link_to_something_else_is_reported(
    played: Generala, name: str, target: str
) -> None:
    place = played.data / name
    place.unlink()
    place.symlink_to(place.name if target == "here" else target)
    before = played.files()
    is_reported(played(*SCORE), 3)
    if name != ".lock":
        is_reported(played("sheet"), 3)
    assert played("games").code == 0
    assert played.files() == before


def test_a_backup_that_is_a_link_is_replaced_and_not_followed(played: Generala, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("mine")
    backup = played.game(1).with_name("game.json.bak")
    backup.unlink()
    backup.symlink_to(outside)
    played.ok(*SCORE)
    assert outside.read_text() == "mine"
    assert not backup.is_symlink()


def test_a_link_in_the_way_of_a_house_rule_file_is_not_followed(played: Generala, tmp_path: Path) -> None:
    (played.rule_files / "villa.toml").symlink_to(tmp_path / "outside.toml")
    assert played("rules", "new", "villa").code in (1, 3)
    assert not (tmp_path / "outside.toml").exists()


@pytest.mark.parametrize(
    "typed", [("export", "--format", "generala", "-o"), ("stats", "--svg")], ids=["export", "stats"]
)
def test_a_link_that_was_named_to_be_written_stays_and_its_target_is_written(
    played: Generala, tmp_path: Path, typed: tuple[str, ...]
) -> None:
    outside, link = tmp_path / "outside", tmp_path / "link.svg"
    outside.write_text("old")
    outside.chmod(0o604)
    link.symlink_to(outside)
    played.ok("new", "Ana", "Beto", "--rules", "general")
    played.ok("score", "66666", "--roll", "1")
    played.ok(*typed, str(link), "--yes", "--quiet")
    assert link.is_symlink()
    assert outside.read_text() != "old"
    assert outside.stat().st_mode & 0o777 == 0o604
