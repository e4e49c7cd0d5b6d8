"""The board of a tournament: tables, standings and seats, and the pad of every seat in each round."""

import gzip
import json
import re
from datetime import timedelta
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from generala_cli.board.page import page
from generala_cli.board.seats import ViewerKind
from generala_cli.board.tournament import TournamentWatcher
from generala_cli.errors import NotFound
from generala_cli.game.turnline import TurnLine
from generala_cli.render.documents import encoded
from generala_cli.store.sealing import encode
from generala_cli.store.store import Store
from generala_cli.store.subjects import file_name
from generala_cli.table import turns
from generala_cli.tournament import agreeing, changing, looking, seating
from generala_cli.tournament.rules.tournaments import RoundSeated, SeatedTable
from generala_cli.tournament.storing import find_tournament, of_tournament
from tests.app.table import begin as begin_game
from tests.app.table import scratch
from tests.board.served import Stream, served
from tests.cases import cases
from tests.store.files import tiny_rules
from tests.tournament.test_tournaments import hexed

NAMES = ("Ana", "Beto", "<b>Cora</b>", "Dani", "Eva", "Fito", "Gus")


def begin(store: Store, name: str = "Copa", names: tuple[str, ...] = NAMES) -> None:
    terms: dict[str, Any] = {"stake": "1", "unit": "points", "payout": "difference", "seed": 7}
    agreeing.begin(store, name, tiny_rules(), names, rounds=2, tables_of=3, **terms)


def play_out(store: Store, game: int) -> None:
    """Let all players scratch their open boxes."""
    named = replace(store, named=str(game))
    while (player := named.open(None).game.to_move) is not None:
        scratch(named, named.open(None).game.open_categories(player)[0].id)


@pytest.fixture
def copa(store: Store) -> Store:
    begin(store)
    seating.seat(store, None)
    return store


def tables(stream: Stream, is_wanted: Any = bool) -> dict[str, Any]:
    found: dict[str, Any] = stream.find("tables", is_wanted)
    return found


def standings(stream: Stream, is_wanted: Any = bool) -> dict[str, Any]:
    found: dict[str, Any] = stream.find("standings", is_wanted)
    return found


@pytest.mark.slow
def test_the_wall_follows_the_tables_and_who_is_ahead(store: Store) -> None:
    begin(store)
    with served(store, tournament=True) as board, board.stream() as stream:
        assert {each["player"] for each in standings(stream)["standings"]} == {*NAMES}
        first = tables(stream)
        assert (first["heading"], first["seating"], first["tables"]) == ("Copa", "", [])
        seating.seat(store, None)
        seated = tables(stream, lambda found: found["tables"])
        assert sorted(name for each in seated["tables"] for name in each["players"]) == sorted(NAMES)
        assert {(each["round"], each["rounds"], each["played"]) for each in seated["tables"]} == {(1, 2, 0)}
        scratch(replace(store, named="1"), "all")
        one = tables(stream, lambda found: found["tables"][0]["turns"])["tables"][0]
        assert one["next"] == one["players"][1]
        assert 0 < one["played"] < 100
        play_out(store, 1)
        ahead = standings(stream, lambda found: found["open"] == 1)
        over = tables(stream, lambda found: found["tables"][0]["over"])
        assert over["tables"][0]["played"] == 100
        assert over["tables"][1] == seated["tables"][1]
        assert (ahead.pop("prizes"), ahead.pop("lot")) == ([""] * len(NAMES), "")
        assert ahead == json.loads(encoded(looking.standings(store, find_tournament(store, None))))
        play_out(store, 2)
        seating.seat(store, None)
        second = tables(stream, lambda found: found["seating"] != seated["seating"])
        assert [each["game"] for each in second["tables"]] == [3, 4]


@pytest.mark.slow
def test_a_correction_of_an_earlier_round_is_seen(copa: Store) -> None:
    for game in (1, 2):
        play_out(copa, game)
    seating.seat(copa, None)
    with served(copa, tournament=True) as board, board.stream() as stream:
        before = standings(stream)
        named = replace(copa, named="1")
        last = len(named.open(None).game.entries)
        turns.amend(named, last, TurnLine(words=("22",)))
        after = standings(stream, lambda found: found != before)
        assert max(each["total"] for each in after["standings"]) > 0


def test_a_pad_is_of_the_seat_that_its_player_has_now(copa: Store) -> None:
    with served(copa, tournament=True, pad=True) as board:
        first = looking.tables(copa, find_tournament(copa, None)).tables[0]
        player, other = first.players[:2]
        with board.stream(board.pad(other)) as stream:
            before = stream.find("view")["games"][0]["game"]
            changing.move(copa, None, other, None, 2)
            assert stream.view_when(lambda view: view["games"][0]["game"] != before)
            changing.move(copa, None, other, None, 1)
        first = looking.tables(copa, find_tournament(copa, None)).tables[0]
        with board.stream(board.pad(player)) as stream:
            assert stream.seat(players={str(first.game): player})
            assert stream.view(game=first.game)
            seen = len(copa.load(first.game or 0).file.events)
            turn = {"game": first.game, "seen": seen, "category": "all", "scratch": True}
            assert board.post(board.pad(other) + "turn", turn).status == 400
            assert board.post(board.watch + "turn", turn).status == 404
            assert board.post(board.pad(player) + "turn", turn).status == 200
            stream.view(events=seen + 1)
            for table in looking.tables(copa, find_tournament(copa, None)).tables:
                play_out(copa, table.game or 0)
            second = seating.seat(copa, None).tables
            (now,) = (table.game for table in second if player in table.players)
            stream.view_when(lambda view: [each["game"] for each in view["games"]] == [now])
        assert copa.load(first.game or 0).file.events[seen].by == f"pad of {player}"
        assert board.post(board.pad(player) + "turn", turn).status == 400  # that game is off the board


@pytest.mark.slow
def test_who_was_renamed_at_a_table_keeps_the_seat_in_the_next_round(copa: Store) -> None:
    with served(copa, tournament=True, pad=True) as board:
        first = looking.tables(copa, find_tournament(copa, None)).tables[0]
        player = first.players[0]
        with board.stream(board.pad(player)) as stream:
            table = replace(copa, named=str(first.game))
            turns.rename(table, player, "Zoe", check=lambda _name, _rules: None)
            assert stream.seat(players={str(first.game): "Zoe"})
            for game in (1, 2):
                play_out(copa, game)
            (now,) = (each.game for each in seating.seat(copa, None).tables if player in each.players)
            assert stream.seat(players={str(now): player})


def test_whoever_looks_sees_the_sheet_of_the_table_that_they_ask_for(copa: Store) -> None:
    begin_game(copa, "general", "Zoe", "Xul")  # that game is not at a table
    with served(copa, tournament=True) as board:
        for asked, shown in (("", []), ("2", [2]), ("3", []), ("x" * 900, [])):
            with board.stream(query=f"?game={asked}") as stream:
                assert [game["game"] for game in stream.find("view")["games"]] == shown


@pytest.mark.complete
def test_the_keeper_is_offered_what_can_be_done_at_the_table_that_is_shown(copa: Store) -> None:
    with served(copa, tournament=True, pad=True) as board:
        for query, offered in (
            ("", {"pay"}),
            ("?game=1", {"pay", "join", "leave", "end", "rename", "stake"}),
        ):
            with board.stream(board.keeper, query=query) as stream:
                assert {form["name"] for form in stream.find("seat")["forms"]} == offered


def test_what_is_wrong_at_one_table_harms_no_other(copa: Store) -> None:
    path = copa.folder.path(file_name(1))
    whole = path.read_bytes()
    with served(copa, tournament=True) as board, board.stream() as stream:
        well = tables(stream)["tables"]
        path.write_bytes(whole[:-9])
        one, two = tables(stream, lambda found: found["tables"][0]["problem"])["tables"]
        assert (one["game"], one["players"], two) == (1, well[0]["players"], well[1])
        path.write_bytes(whole)
        assert tables(stream, lambda found: not found["tables"][0]["problem"])["tables"] == well
        copa.delete(1)
        assert tables(stream, lambda found: found["tables"][0]["game"] is None)["tables"][1] == well[1]


def test_a_damaged_tournament_is_said_to_be_so_until_it_is_well(copa: Store) -> None:
    path = copa.folder.path(of_tournament(1).place)
    whole = path.read_bytes()
    with served(copa, tournament=True) as board, board.stream() as stream:
        tables(stream)
        path.write_bytes(whole[:-9])
        found = tables(stream, lambda found: found["problem"])
        assert "a file is unusable" in found["problem"]
        assert found["tables"]
        path.write_bytes(whole)
        tables(stream, lambda found: not found["problem"])
        changing.add(copa, None, ["Zoe"])
        standings(stream, lambda found: any(each["player"] == "Zoe" for each in found["standings"]))


def test_a_seating_of_another_machine_is_told_in_a_line(copa: Store) -> None:
    watcher = TournamentWatcher(copa, None)
    file = find_tournament(copa, None).file
    table = SeatedTable(game=hexed(9), players=("Ana", "<b>Cora</b>", "Gus"))
    seated = RoundSeated(id=hexed(8), round=1, tables=(table,))
    path = copa.folder.path(of_tournament(1).place)
    path.write_bytes(encode(file.with_events([seated], file.last + timedelta(hours=1))))
    assert watcher.poll()
    found = json.loads(watcher.other_documents("en")["tables"])
    (told,) = found["elsewhere"]
    assert told.startswith("another machine seated this differently (Ana, <b>Cora</b>, Gus); ")
    assert [each["game"] for each in found["tables"]] == [1, 2]


def test_it_follows_the_newest_that_is_not_over_unless_one_is_named(copa: Store) -> None:
    newest, named = TournamentWatcher(copa, None), TournamentWatcher(copa, "Copa")
    begin(copa, "Liga")
    for watcher, heading in ((newest, "Liga"), (named, "Copa, round 1 of 2")):
        assert watcher.poll()
        assert json.loads(watcher.other_documents("en")["tables"])["heading"] == heading


@pytest.mark.slow
def test_a_look_reads_no_game_that_has_not_changed(copa: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for game in (1, 2):
        play_out(copa, game)
    seating.seat(copa, None)
    watcher = TournamentWatcher(copa, None)
    for _ in range(20):
        watcher.poll()
    read: list[int] = []
    monkeypatch.setattr(Store, "_read", lambda _store, number: read.append(number))
    for _ in range(20):
        assert not watcher.poll()
    assert read == []


def test_what_cannot_be_is_refused(store: Store) -> None:
    with pytest.raises(NotFound), served(store, tournament=True):
        raise AssertionError
    begin(store)
    with pytest.raises(NotFound), served(store, "Liga", tournament=True):
        raise AssertionError


@cases("language", ["en", "es", "de", "pt"])
def test_its_script_is_on_its_own_page_alone(language: str) -> None:
    game, tournament = page(language), page(language, of_tournament=True)
    assert b"tournament.draw=" not in game.body
    assert b"tournament.draw=" in tournament.body
    for kind in get_args(ViewerKind):
        sent = page(language, kind, of_tournament=True)
        assert len(sent.body) <= 90_000
        assert len(sent.packed) <= 29_000
        assert gzip.decompress(sent.packed) == sent.body
    assert not re.search(rb"https?://|javascript:|@import|url\(|innerHTML", tournament.body)
    markup = re.sub(rb"<(style|script)>.*?</\1>", b"", tournament.body, flags=re.DOTALL)
    assert not re.search(rb"\s(on\w+|style)=", markup)
