"""Names that compare equal: one person for every new game, and still two players in old files."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from generala_cli.errors import Ambiguous, NotAllowed, UsageError
from generala_cli.game.events import Agreed
from generala_cli.game.people import People, names_apart
from generala_cli.game.starting import start
from generala_cli.games import starting
from generala_cli.ledger.accounts import read_ledger_data
from generala_cli.ledger.people import players
from generala_cli.progress import no_progress
from generala_cli.store.gamefile import PackedGame
from generala_cli.store.merging import Merger
from generala_cli.store.store import Store
from generala_cli.table import turns
from generala_cli.text import find_player
from tests.ledger.evening import ledger_of, play, play_on, transfers
from tests.store.files import store_in, tiny_rules


def old_pair(**terms: str) -> Agreed:
    """Return terms that older programs accepted: two names that compare equal."""
    agreed = start(tiny_rules(), ["Zoe", "Max"], openings={}, stake="1", unit="USD", **terms)  # type: ignore[arg-type]
    return replace(agreed, players=("Işık", "ışik"))


def test_two_spellings_of_one_name_cannot_start_a_game_or_come_to_one(store: Store) -> None:
    with pytest.raises(UsageError, match="two players are called ışık"):
        starting.new(store, tiny_rules(), ["Işık", "ışık"])
    starting.new(store, tiny_rules(), ["Işık", "Beto"])
    with pytest.raises(NotAllowed, match="Işık is already in this game"):
        turns.join(store, "işik", check=lambda *_: None)
    with pytest.raises(NotAllowed, match="Işık is already in this game"):
        turns.rename(store, "beto", "IŞIK", check=lambda *_: None)
    turns.leave(store, "ışık")
    assert turns.join(store, "IŞIK", check=lambda *_: None).game.playing == ("Işık", "Beto")


def test_games_under_both_spellings_are_of_one_person(store: Store) -> None:
    play(store, {"Işık": 6, "Beto": 2})
    play(store, {"Beto": 2, "ışık": 4})
    assert {each.player for each in players(store).players} == {"ışık", "Beto"}
    assert transfers(ledger_of(store)) == {("Beto", "ışık"): "6.00"}
    assert read_ledger_data(store).everyone.find("IŞIK") == "ışık"


def test_two_old_players_stay_two(store: Store, tmp_path: Path) -> None:
    number = store.add(old_pair()).number
    play_on(store, number, {"Işık": 6, "ışik": 2})
    game = store.open(None).game
    assert (find_player("IŞıK", game.seats), find_player("ışiK", game.seats)) == ("Işık", "ışik")
    with pytest.raises(Ambiguous):
        find_player("IŞIK", game.seats)
    assert transfers(ledger_of(store)) == {("ışik", "Işık"): "4.00"}
    assert {each.player for each in players(store).players} == {"Işık", "ışik"}
    other = store_in(tmp_path / "other")
    with other.folder.writing() as writer:
        merged = Merger(other)
        merged.add([PackedGame.of(store.load(number).file)])
        merged.write(writer, no_progress)
    assert other.load(1).file.result == store.load(number).file.result
    assert starting.rematch(store, None).stored.game.seats == ("Işık", "ışik")
    assert turns.join(store, "Zoe", check=lambda *_: None).game.seats == ("Işık", "ışik", "Zoe")


def test_joined_groups_that_share_a_name_are_one_person() -> None:
    people = People(["Işık", "Zed", "Bob"], [("Işık", "Zed"), ("ışık", "Bob")])
    assert {*map(people.shown, ("Işık", "ışık", "Zed", "Bob"))} == {"Işık"}
    apart = names_apart([("Işık", "ışik"), ("Ana", "ana")])
    assert len({*map(People(["Işık", "ışik"], apart=apart).shown, ("Işık", "ışik"))}) == 2
