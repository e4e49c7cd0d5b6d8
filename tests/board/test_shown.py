"""The game on a board: the right game, in every state, with every name unchanged."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from generala_cli import worker
from generala_cli.board.watching import Watcher
from generala_cli.errors import GeneralaError, NotFound
from generala_cli.game.starting import parse_name
from generala_cli.game.turnline import TurnLine
from generala_cli.games import starting
from generala_cli.ledger import paying
from generala_cli.store.store import Store
from generala_cli.store.subjects import BACKUP, file_name
from generala_cli.table import turns
from tests.app.table import begin, score
from tests.board.served import Served, served
from tests.cases import cases
from tests.ledger.evening import play
from tests.posix import posix_only
from tests.sessions.hostile import CONTROLS, LETTERS, MARKUP
from tests.store.files import begin as begin_any
from tests.store.files import store_in


def until_shown(board: Served, *numbers: int) -> dict[str, Any]:
    """Return the first view with these games, in this order."""
    return board.view(lambda view: tuple(game["game"] for game in view["games"]) == numbers)


def finished(store: Store) -> int:
    return play(store, {"Ana": 6, "Beto": 2})


def test_the_current_game_is_followed_into_a_rematch_and_wherever_it_goes(store: Store) -> None:
    first = finished(store)
    with served(store) as board:
        until_shown(board, first)
        second = starting.rematch(store, None).stored.number
        until_shown(board, second)
        store.use(first)
        until_shown(board, first)
        store.delete(first)
        assert until_shown(board)["hint"]
        store.use(second)
        assert until_shown(board, second)["hint"] == ""


def test_a_correction_shows_its_turn_and_its_dice_until_the_next_entry(store: Store) -> None:
    begin(store, "general", "Ana", "Beto")
    score(store, "55533", "full")
    score(store, "12345", "straight")
    turns.amend(store, 1, TurnLine(words=("44433", "full")))
    with served(store) as board:
        (game,) = board.view(lambda view: view["current"] == 1)["games"]
        assert (game["corrected"], game["hand"]) == (1, [4, 4, 4, 3, 3])
        score(store, "66652", "sixes")
        (game,) = board.view(lambda view: view["games"][0]["events"] == 4)["games"]
        assert (game["corrected"], game["hand"]) == (0, [6, 6, 6, 5, 2])


def test_where_there_is_no_game_the_board_says_so_until_there_is_one(store: Store) -> None:
    with served(store) as board, board.stream() as stream:
        view = stream.find("view")
        assert (view["games"], view["current"]) == ([], None)
        assert view["hint"] == "there is no current game"
        begin_any(store)
        assert stream.view(events=0)["current"] == 1


@pytest.mark.parametrize("by_name", [True, False])
def test_a_game_that_is_named_stays_whichever_is_current(store: Store, by_name: bool) -> None:
    """By an argument, or by --game or GENERALA_GAME."""
    begin_any(store, label="friday")
    begin_any(store)
    named = store if by_name else replace(store, named="friday", named_by="GENERALA_GAME")
    with served(named, "friday" if by_name else None) as board:
        begin_any(store)
        score(replace(store, named="1"), "13", "all")
        with board.stream() as stream:
            assert stream.view(events=1)["current"] == 1
        store.delete(1)
        (game,) = board.view(lambda view: view["games"][0]["problem"])["games"]
        assert game["sheet"] is None
        assert "game 1 no longer exists" in game["problem"]


def test_a_name_that_is_no_game_is_refused_before_anything_is_served(store: Store) -> None:
    begin_any(store)
    with pytest.raises(NotFound), served(store, "saturday"):
        raise AssertionError


def test_a_damaged_game_is_reported_and_so_is_that_it_is_well_again(store: Store) -> None:
    begin_any(store)
    path = store.folder.path(file_name(1))
    whole = path.read_bytes()
    with served(store) as board, board.stream() as stream:
        stream.view(problem="")
        path.write_bytes(whole[:-9])
        assert "a file is unusable" in stream.view(sheet=None)["games"][0]["problem"]
        path.write_bytes(whole)
        assert stream.view(problem="")["games"][0]["sheet"]


def test_a_disputed_game_is_shown_but_not_who_owes_whom(store: Store, tmp_path: Path) -> None:
    play(store, {"Ana": 6, "Beto": 2}, unit="USD")
    path = store.folder.path(file_name(1))
    copy = tmp_path / "copy"
    shutil.copy(path, copy)
    with served(store) as board, board.stream() as stream:
        assert stream.view(problem="")["games"][0]["debts"] == ["Beto owes Ana 4.00 USD"]
        copy.rename(path.with_name("game (Ana's conflicted copy).json"))
        game = stream.view(debts=[])["games"][0]
        assert game["sheet"]
        assert "its debts are unknown" in game["problem"]


def test_a_game_that_was_put_back_is_shown_but_not_who_owes_whom(store: Store) -> None:
    play(store, {"Ana": 6, "Beto": 2}, unit="USD")
    path = store.folder.path(file_name(1))
    with served(store) as board, board.stream() as stream:
        assert stream.view(problem="")["games"][0]["debts"]
        shutil.copy(store.folder.path(file_name(1) + BACKUP), path)
        game = stream.view(debts=[])["games"][0]
        assert game["sheet"]
        assert "this game has two versions" in game["problem"]


def test_the_evening_is_all_its_games_and_who_owes_whom_by_them(store: Store) -> None:
    yesterday = replace(store, clock=lambda: store.clock().replace(day=store.clock().day - 1))
    begin_any(yesterday, "Ana", "Old")
    with served(store, tonight=True) as board:
        assert until_shown(board, 1)["ledger"] == {"transfers": [], "problem": ""}
        first = finished(store)
        until_shown(board, first)
        second = begin_any(store, "Ana", "Beto")
        assert until_shown(board, second, first)["current"] == second
        owed = board.view(lambda view: view["ledger"]["transfers"])["ledger"]  # after the last turn was read
        assert owed == {"transfers": ["Beto owes Ana 4.00 USD"], "problem": ""}
        store.use(1)
        until_shown(board, 1, second, first)
        store.delete(second)
        until_shown(board, 1, first)


def test_a_game_whose_folder_is_made_before_its_file_is_not_missed(store: Store, tmp_path: Path) -> None:
    """An import or a sync creates the folder first, and the board may look in between."""
    other = store_in(tmp_path / "other")
    for each in (store, other, other):
        begin_any(each)
    watcher = Watcher(store, None, tonight=True)
    path = store.folder.path(file_name(2))
    path.parent.mkdir()
    assert not watcher.poll()
    shutil.copy(other.folder.path(file_name(2)), path)
    assert watcher.poll()
    assert [seen.number for seen in watcher.games] == [1, 2]


def test_players_are_told_what_they_owe_and_are_owed(store: Store) -> None:
    finished(store)
    second = begin_any(store, "Ana", "Beto")
    with served(store, pad=True) as board:
        until_shown(board, second, 1)
        for player, language, owed in (
            ("Ana", "en", "Beto owes you 4.00 USD"),
            ("Beto", "en", "you owe Ana 4.00 USD"),
            ("Beto", "de", "du schuldest Ana 4,00 USD"),
        ):
            with board.stream(board.pad(player), language) as stream:
                seat = stream.find("seat", lambda seat: seat["owed"])
                assert [debt["line"] for debt in seat["owed"]] == [owed]


def test_who_was_paid_is_seen_at_once(store: Store) -> None:
    finished(store)
    with served(store, tonight=True) as board, board.stream() as stream:
        assert stream.find("view")["ledger"]["transfers"] == ["Beto owes Ana 4.00 USD"]
        paying.pay(store, "Beto", "Ana", "4")
        stream.view_when(lambda view: view["ledger"]["transfers"] == [])


def test_one_damaged_game_does_not_hide_the_others_of_the_evening(store: Store) -> None:
    first, second = finished(store), begin_any(store)
    path = store.folder.path(file_name(first))
    with served(store, tonight=True) as board:
        until_shown(board, second, first)
        path.write_bytes(b"{")
        view = board.view(lambda view: view["ledger"]["problem"] and not view["ledger"]["transfers"])
        assert [bool(game["problem"]) for game in view["games"]] == [False, True]
        assert view["ledger"]["problem"].startswith(f"skipped game {first}: ")
        assert str(store.folder.directory) not in str(view)  # the location of files is private


@posix_only("a folder that is read cannot be moved on Windows")
def test_a_games_folder_that_goes_away_ends_no_board(store: Store, directory: Path) -> None:
    begin_any(store)
    with served(store, tonight=True) as board, board.stream() as stream:
        stream.view(problem="")
        (directory / "games").rename(directory / "gone")
        (directory / "games").write_text("no folder")
        stream.view_when(lambda view: not any(game["sheet"] for game in view["games"]))
        (directory / "games").unlink()
        (directory / "gone").rename(directory / "games")
        assert stream.view(problem="")["games"]


NAMES = [
    *("<b>Ana</b>", "</script><script>alert(1)</script>", "<!--", "&lt;", '"', "'", "\\", "\\u2028"),
    *("data: x", "event: closed", "{player}", "__proto__", "constructor", "LANGUAGE", "WORDS"),
    *(*CONTROLS, *MARKUP, *LETTERS),
]


def accepted(names: list[str]) -> list[str]:
    """Return the valid player names, each in its own game's words."""
    found = []
    for name in names:
        try:
            found.append(parse_name(name))
        except GeneralaError:
            continue
    return found


def test_every_name_that_is_allowed_is_shown_as_it_is(store: Store) -> None:
    names = list(dict.fromkeys(accepted(NAMES)))
    assert "</script><script>alert(1)</script>" in names
    begin(store, "general", *names)
    score(store, "55533", "full")
    with served(store, pad=True) as board:
        for language in ("en", "es", "de", "pt"):
            game = board.view(language=language)["games"][0]
            assert game["sheet"]["players"] == names
            assert [*game["sheet"]["boxes"]] == names
            assert names[0] in game["news"]
        with board.stream(board.pad(names[1])) as stream:
            assert stream.find("seat")["players"] == {"1": names[1]}


def test_a_sheet_of_as_many_as_can_play_is_one_event(store: Store) -> None:
    names = [f"Player {number}" for number in range(999)]
    begin(store, "general", *names)
    with served(store) as board, board.stream() as stream:
        assert stream.find("view")["games"][0]["sheet"]["players"] == names
        score(store, "55533", "full")
        assert stream.view(events=1)["games"][0]["sheet"]["next"] == names[1]


@pytest.fixture(scope="module")
def tongues(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A board without a game."""
    with served(store_in(tmp_path_factory.mktemp("tongues"))) as board:
        yield board


@cases(
    ("accepted", "language"),
    [
        ("", "en"),
        ("es", "es"),
        ("es-AR,es;q=0.9,en;q=0.8", "es"),
        ("DE-de", "de"),
        ("xx,de;q=0.3", "de"),
        ("xx", "en"),
        ("en;q=0.1,de;q=0.8,es;q=0.4", "de"),
        ("en; q=0.1, de; q=0.8", "de"),
        ("es;q=0,de;q=0.1", "de"),
        ("de;q=0", "en"),
        ("*", "en"),
        ("de;q=x,es", "es"),
        ("de;q=nan,es;q=nan", "en"),
        ("es;q=1e999,de", "es"),
        (";q=1,,;;,=", "en"),
        ("../de,de/..", "en"),
        ("es" * 3000, "en"),
    ],
)
def test_a_phone_is_spoken_to_in_its_language(tongues: Served, accepted: str, language: str) -> None:
    page = tongues.ask(tongues.watch, headers={"Accept-Language": accepted}).body.decode()
    assert f'<html lang="{language}">' in page
    with tongues.stream(language=accepted) as stream:
        hint = stream.find("view")["hint"]
    assert hint.startswith({"en": "there is no", "es": "no hay", "de": "es "}[language])


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, pytest.param(700, marks=pytest.mark.slow)])
def test_chances_come_beside_and_are_of_the_game_as_it_is(store: Store, players: int) -> None:
    begin_any(store, *(f"Player {number}" for number in range(players)))
    with served(store, odds=True) as board, board.stream() as stream:
        first = stream.view_when(lambda view: "odds" in view["games"][0])["games"][0]["odds"]["odds"]
        assert len(first) == players
        score(store, "33", "all")
        assert "odds" not in stream.view(events=1)["games"][0]
        second = stream.view_when(lambda view: "odds" in view["games"][0])["games"][0]["odds"]["odds"]
        assert second[0]["wins"] > first[0]["wins"]


@pytest.mark.complete  # without advice, there are no chances
def test_chances_that_cannot_be_had_are_reported(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(store, "general")
    monkeypatch.setattr(worker, "sys", SimpleNamespace(executable=shutil.which("false")))
    with served(store, odds=True) as board, board.stream() as stream:
        shown = stream.view_when(lambda view: view["games"][0]["odds_problem"])["games"][0]
    assert (shown["odds_problem"], "odds" in shown) == ("cannot calculate the chances to win", False)
