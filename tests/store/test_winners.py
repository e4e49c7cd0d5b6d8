"""Who has won is kept in the head of a file, for lists; it follows from the events and from nothing else."""

from pathlib import Path

import pytest
from hypothesis import given, settings

from generala_cli.app.games import GameLine, list_games
from generala_cli.errors import DamagedFile
from generala_cli.facts import replace
from generala_cli.game.events import Scored
from generala_cli.game.game import Game
from generala_cli.game.standings import outcome
from generala_cli.store.checking import check
from generala_cli.store.codec import decode, encode
from generala_cli.store.layout import glance
from generala_cli.store.mending import seal
from generala_cli.store.record import Record
from generala_cli.store.store import Store
from tests.game.strategies import Played, games
from tests.game.table import Table
from tests.store.files import changed, document_of, put, record_of, sealed, store_in, tiny_rules


def finished(game: int = 1) -> Record:
    table = Table(tiny_rules(), "Ana", "Beto")
    table.score("Ana", "22", "twos")
    table.score("Beto", "21", "twos")
    table.score("Ana", "33", "all")
    table.score("Beto", "11", "all")
    return record_of(table.events, game)


def with_points(record: Record, points: int) -> Record:
    *events, last = record.events
    assert isinstance(last, Scored)
    return replace(record, events=(*events, replace(last, points=points)))


@pytest.fixture
def store(directory: Path) -> Store:
    store = store_in(directory)
    (directory / "games").mkdir(parents=True)
    return store


def leave(store: Store, data: bytes, number: int = 1) -> None:
    store.folder.path(f"games/{number}.json").write_bytes(data)


def line_of(game: Game, record: Record) -> GameLine:
    return GameLine(
        number=record.game,
        started=record.times[0],
        label=game.started.label,
        rules=game.rules.name,
        players=game.seats,
        next=game.to_move,
        winners=outcome(game).winners,
    )


@settings(deadline=None, max_examples=25)
@given(games(whole=True))
def test_a_list_tells_of_every_finished_game_what_its_replay_tells(
    tmp_path_factory: pytest.TempPathFactory, played: Played
) -> None:
    store = store_in(tmp_path_factory.mktemp("home"))
    (store.folder.directory / "games").mkdir()
    record = record_of(played.events)
    leave(store, encode(record))
    assert glance(encode(record)) is not None
    assert list_games(store).lines == (line_of(played.history.game, record),)


@settings(deadline=None, max_examples=25)
@given(games())
def test_the_same_of_a_game_that_goes_on(tmp_path_factory: pytest.TempPathFactory, played: Played) -> None:
    store = store_in(tmp_path_factory.mktemp("home"))
    (store.folder.directory / "games").mkdir()
    record = record_of(played.events)
    leave(store, encode(record))
    assert list_games(store).lines == (line_of(played.history.game, record),)


def test_a_game_that_ends_names_its_winners_and_forgets_them_when_that_is_undone(store: Store) -> None:
    whole = finished()
    leave(store, encode(replace(whole, events=whole.events[:-1], times=whole.times[:-1], winners=())))
    assert list_games(store).lines[0].next == "Beto"
    after = store.change("1", lambda _: whole.events[-1:])
    assert (after.record.winners, list_games(store).lines[0].winners) == (("Ana",), ("Ana",))
    table = Table(tiny_rules(), "Ana", "Beto")
    table.history = after.history
    store.change("1", lambda _: [table.undo()])
    assert decode(store.folder.read("games/1.json") or b"").winners == ()
    assert list_games(store).lines[0].next == "Beto"


@pytest.mark.parametrize("winners", [(), ("Beto",), ("Ana", "Beto"), ("Zoe",)])
def test_winners_that_do_not_follow_are_damage(store: Store, winners: tuple[str, ...]) -> None:
    data = encode(replace(finished(), winners=winners))
    leave(store, data)
    with pytest.raises(DamagedFile, match="winners do not follow"):
        store.load(1)
    assert check(data, 1).state == "damaged"
    assert store.folder.read("games/1.json") == data


def test_winners_before_the_end_are_damage() -> None:
    whole = finished()
    early = replace(whole, events=whole.events[:-1], times=whole.times[:-1])
    assert check(encode(early), 1).state == "damaged"


def test_a_list_trusts_the_seal_of_a_finished_game_and_nothing_else_does(store: Store) -> None:
    """Made on purpose, with a checksum to match: no accident does that, and reading all would be slow."""
    leave(store, encode(with_points(finished(), 3)))
    assert [line.winners for line in list_games(store).lines] == [("Ana",)]
    assert check(store.folder.read("games/1.json") or b"", 1).state == "damaged"
    with pytest.raises(DamagedFile, match="do not follow from the dice"):
        store.load(1)


def test_an_impossible_finished_game_that_is_not_laid_out_by_us_is_named_by_the_list(store: Store) -> None:
    leave(store, sealed(document_of(encode(with_points(finished(), 3)))))
    assert [number for number, _ in list_games(store).damaged] == [1]


def test_a_finished_game_with_a_changed_byte_is_named_by_the_list(store: Store) -> None:
    leave(store, encode(finished()).replace(b'"points":6', b'"points":5'))
    assert [number for number, _ in list_games(store).damaged] == [1]


def test_a_finished_game_under_another_number_is_named_by_the_list(store: Store) -> None:
    leave(store, encode(finished(game=7)))
    assert [number for number, _ in list_games(store).damaged] == [1]


def test_whoever_edits_a_game_by_hand_need_not_edit_who_won(store: Store) -> None:
    document = changed(document_of(encode(finished())), ("events", 1, "dice"), put([1, 2]))
    document = changed(document, ("events", 1, "points"), put(2))
    document = changed(document, ("events", 3, "dice"), put([1, 1]))
    document = changed(document, ("events", 3, "points"), put(2))
    document = changed(document, ("events", 4, "dice"), put([3, 3]))
    document = changed(document, ("events", 4, "points"), put(6))
    edited = sealed({**document, "winners": []}).replace(b'"checksum": "', b'"checksum": "0', 1)
    leave(store, edited)
    found = check(edited, 1)
    assert found.state == "hand-edited"
    assert found.record is not None
    assert found.record.winners == ("Beto",)
    seal(store, 1, found)
    assert store.load(1).record.winners == ("Beto",)
    assert list_games(store).lines[0].winners == ("Beto",)
