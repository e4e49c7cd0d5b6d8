"""A reader built only from the guide's chapter reads our files and counts the same results."""

from pathlib import Path

from hypothesis import given

from generala_cli.store.sealing import encode
from tests.cli.plain_reader import documents, received, totals
from tests.cli.program import Generala
from tests.game.strategies import Played, games
from tests.store.files import file_of


@given(games())
def test_any_game_is_recounted_from_its_bytes(played: Played) -> None:
    file, game = file_of(played.agreed, played.events), played.history.game
    (read,) = documents(encode(file))
    assert totals(read) == {player: game.total(player) for player in game.columns} == read["result"]["totals"]


def test_every_kind_of_file_is_read(played: Generala, tmp_path: Path) -> None:
    played.ok("pay", "Ana", "Beto", "3.50", "--unit", "USD")
    played.ok("pay", "Ana", "Beto", "2", "--unit", "USD")
    played.ok("pay", "--undo")
    played.ok("export", "--all", "-o", str(tmp_path / "all.generala"))
    (tmp_path / "shared").mkdir()
    played.ok("sync", str(tmp_path / "shared"), "--as", "bar")
    (synced,) = (tmp_path / "shared").iterdir()
    sheet = played.json("sheet")["totals"]
    for path in (played.game(1), tmp_path / "all.generala", synced):
        assert totals(next(documents(path.read_bytes()))) == sheet
    (game,) = documents(played.game(1).read_bytes())
    (backup,) = documents(played.game(1).with_name("game.json.bak").read_bytes())
    assert backup["events"] == game["events"][:-1]
    for path in (played.data / "payments" / "payments.json", tmp_path / "all.generala", synced):
        *_, payments = documents(path.read_bytes())
        assert {key: str(value) for key, value in received(payments).items()} == {
            ("Ana", "USD"): "-3.50",
            ("Beto", "USD"): "3.50",
        }
