"""A game that continued in two places: the screen compares both versions, and the player takes one."""

import re
from pathlib import Path

import pytest
from textual.pilot import Pilot

from generala_cli.play.table import Table
from generala_cli.play.taps import ItemTap
from generala_cli.store.store import Store
from generala_cli.store.subjects import file_name
from tests.app.table import begin, score, scratch
from tests.play.piloted import PLAIN, screen_after, screen_after_acts, tap, typed

NOTICE = "! it also went on elsewhere: c compares"


@pytest.fixture
def parted(store: Store) -> Store:
    """Return a game whose second turn differs between two versions."""
    begin(store)
    file = game(store)
    score(store, "12345")
    before = file.read_bytes()
    score(store, "66621", "sixes")
    file.rename(file.with_name("game (phone).json"))
    file.write_bytes(before)
    scratch(store, "ones")
    return store


def game(store: Store) -> Path:
    """The file of the first game."""
    return store.folder.path(file_name(1))


@pytest.mark.thinned(every=2)
@pytest.mark.parametrize("size", [(80, 24), (40, 20)])
@pytest.mark.slow
def test_the_versions_are_side_by_side_and_the_one_that_is_marked_is_taken(
    parted: Store, size: tuple[int, int]
) -> None:
    assert NOTICE in screen_after(parted, size=size)
    shown = "\n".join(screen_after(parted, "c", size=size))
    assert "the same up to turn 1" in shown
    assert re.search(r"66621\s.*sixes", shown, re.DOTALL)
    assert "↑↓ choose" in shown
    before = game(parted).read_bytes()
    assert "Enter takes it" in screen_after(parted, "c", "down", "down", size=size)[-1]
    assert not any("»" in line for line in screen_after(parted, "c", "down", "down", "escape", size=size))
    assert game(parted).read_bytes() == before
    assert "taken: that; kept: aside/1/game.json" in screen_after(
        parted, "c", "down", "down", "enter", size=size
    )
    assert parted.open(None).game.total("Beto") == 18
    assert parted.folder.read("aside/1/game.json") == before
    assert "! game 1 has only one version" in " ".join(screen_after(parted, "c", size=size))


@pytest.mark.complete
def test_a_game_put_back_is_warned_of_and_what_a_shell_does_about_it_is_said_to_be_done_there(
    store: Store,
) -> None:
    begin(store)
    score(store, "12345")
    before = game(store).read_bytes()
    score(store, "66621", "sixes")
    game(store).write_bytes(before)
    warned = " ".join(screen_after(store, size=(160, 24)))
    assert "another program replaced game 1" in warned
    assert "; in a shell, generala doctor shows what to do" in warned


@pytest.mark.complete
def test_a_tap_marks_a_version_and_a_second_one_takes_it(parted: Store) -> None:
    async def take_this(pilot: Pilot[int]) -> None:
        await typed(pilot, "c")
        await tap(pilot, ItemTap(1))
        assert game(parted).with_name("game (phone).json").exists()
        await tap(pilot, ItemTap(1))

    screen_after_acts(parted, take_this)
    assert parted.open(None).game.total("Beto") == 0
    assert parted.folder.names("games/1") == ["game.json", "game.json.bak"]


@pytest.mark.complete
def test_a_version_that_comes_while_the_game_is_played_is_reported_each_time(parted: Store) -> None:
    copy = game(parted).with_name("game (phone).json")
    data = copy.read_bytes()
    copy.unlink()
    table = Table(parted, PLAIN, None)
    for _ in range(2):
        assert not table.opened.has_changed()
        copy.write_bytes(data)
        assert table.opened.has_changed()
        table.reload()
        assert f"! {table.message.text}" == NOTICE
        table.take("this")
        assert table.message.text.startswith("taken: this; kept: aside/1/")


def test_dice_that_are_typed_over_the_versions_are_dice(parted: Store) -> None:
    assert screen_after(parted, "c", "33")[-2] == "› 33"
