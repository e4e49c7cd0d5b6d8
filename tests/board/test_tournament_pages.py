"""The pages of a tournament's board in a real Chromium: a wall, and phones that move from round to round."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from generala_cli.store.store import Store
from generala_cli.store.subjects import of_game
from tests.app.table import scratch
from tests.board.chromium import CHROMIUM, PHONE, WALL, Browser
from tests.board.test_browser import Board, check_fit, tap_hand
from tests.cli.program import Generala
from tests.posix import posix_only
from tests.store.files import store_in

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here"),
    posix_only("the browser is spoken to over a pipe with a number"),
]
LONG = "Maximiliano Hohenzollern-Sigmaringen"
LONGER = "Maximiliano Hohenzollernsigmarin Goikoetxeandiagaren"
NAMES = ("Ana", "Beto", "Ñandú", LONG, *(f"Player {number}" for number in range(5, 40)), LONGER)
HIDDEN = """
[...document.querySelectorAll('.seats .name, .cards li, .ahead tr')].filter((each) => {
  const { left, top, right, bottom } = each.getBoundingClientRect();
  return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
}).map((each) => each.textContent)
"""
"""Parts outside the window. A page on a wall is never scrolled."""
WRAPPED = """
[...document.querySelectorAll('.seats .number')].filter((each) =>
  each.getBoundingClientRect().bottom > each.parentNode.getBoundingClientRect().bottom + 2
).map((each) => each.parentNode.textContent)
"""
"""Seats whose table stands in the row of the next player."""
COVERED = """
[...document.querySelectorAll('.seats li, .cards > li, .ahead tr')].filter((each) => {
  const part = each.getBoundingClientRect(), code = document.querySelector('.code').getBoundingClientRect();
  return part.right > code.left + 1 && part.bottom > code.top + 1;
}).map((each) => each.textContent)
"""
"""Parts under the code for joining, which is in the lower right corner."""
SHOWN = "[...document.querySelectorAll('.seats .name')].map((each) => each.textContent)"
LOOKS = ("", f"be('{LONG}')", "tab = 'tables'; tournament.draw()", "tab = 'standings'; tournament.draw()")


def begin(generala: Generala, players: int, *options: str) -> None:
    names = (*NAMES, *(f"Player {number}" for number in range(41, players + 1)))[:players]
    generala.ok("tournament", "new", "Copa", *names, "--rules", "general", "--seed", "7", *options)


def store_of(generala: Generala) -> Store:
    return store_in(generala.home / "data")


def play(store: Store, game: int, turns: int = 999) -> None:
    named = replace(store, named=str(game))
    for _ in range(turns):
        played = named.open(None).game
        if played.to_move is None:
            break
        scratch(named, played.open_categories(played.to_move)[0].id)


@pytest.fixture
def generala(tmp_path: Path) -> Generala:
    return Generala(home=tmp_path / "home")


@pytest.fixture
def copa(generala: Generala) -> Iterator[Board]:
    """A tournament of seven players, with no round seated yet."""
    begin(generala, 7, "--rounds", "2")
    board = Board(generala, "--tournament", "--pad")
    yield board
    board.drop()


@pytest.mark.parametrize("language", ["en", "es", "de", "pt"])
@pytest.mark.parametrize("players", [3, 40, 100])
def test_a_wall_shows_all_of_a_page_without_scrolling(
    chromium: Browser, generala: Generala, players: int, language: str
) -> None:
    begin(generala, players)
    board = Board(generala, "--tournament", "--pad")
    try:
        walls = [chromium.open(board.watch, size, language) for size in (WALL, (1280, 720))]
        for wall in walls:
            wall.until("document.querySelectorAll('.seats .name').length")
            assert wall.run(HIDDEN) == []
        seated = generala.json("tournament", "seat")["tables"]
        for wall in walls:
            wall.until("document.querySelector('.seats .number')")
            assert wall.run(HIDDEN) == wall.run(WRAPPED) == []
            shown = set()
            for _ in range(9):
                shown |= set(wall.run(SHOWN))
                wall.run("document.querySelector('.turner')?.click()")
            assert len(shown) == players
        for table in seated:
            play(store_of(generala), table["game"], 1)
        for wall in walls:
            wall.until("document.querySelector('.cards') && tables.tables.every(each => each.turns)")
            assert wall.run(HIDDEN) == []
            assert wall.run("document.documentElement.scrollHeight <= innerHeight")
        if players == 40:  # all of them at once
            assert walls[0].run("document.querySelectorAll('.cards > li').length") == 10
    finally:
        board.drop()


def test_a_wall_with_a_warning_shows_all_of_a_page_next_to_the_code(
    chromium: Browser, generala: Generala
) -> None:
    begin(generala, 40, "--rounds", "2")
    store = store_of(generala)
    first = generala.json("tournament", "seat")["tables"]
    for table in first:
        play(store, table["game"])
    second = generala.json("tournament", "seat")["tables"]
    path = store.folder.path(of_game(first[0]["game"]).place)
    path.write_bytes(path.read_bytes()[:-9])
    board = Board(generala, "--tournament", "--pad")
    try:
        walls = [chromium.open(board.watch, size, "es") for size in (WALL, (1280, 720))]
        for wall in walls:
            wall.until("document.querySelector('.seats .number') && document.querySelector('.warning')")
            assert wall.run(HIDDEN) == wall.run(COVERED) == []
            assert wall.run("document.querySelector('.code svg').getBoundingClientRect().right < innerWidth")
            assert "0 de 0" not in wall.text
        for table in second:
            play(store, table["game"], 1)
        for wall in walls:
            wall.until("document.querySelector('.cards') && tables.tables.every(each => each.turns)")
            assert wall.run(HIDDEN) == wall.run(COVERED) == []
    finally:
        board.drop()


def test_a_phone_finds_its_seat_enters_a_hand_and_moves_with_the_next_round(
    chromium: Browser, generala: Generala, copa: Board
) -> None:
    phone = chromium.open(copa.join, PHONE)
    phone.until_shown("Where do I sit?", "Ana", "live")
    phone.run("document.querySelector('#seat input').focus()")
    phone.send("Input.insertText", text="ñan")
    phone.until("document.querySelectorAll('#seat .actions button').length === 1")
    phone.tap("Ñandú")
    phone.until_shown("no round is seated yet")
    first = generala.json("tournament", "seat")["tables"]
    (mine,) = (table for table in first if "Ñandú" in table["players"])
    phone.until_shown(f"Ñandú — table {mine['table']}", f"{mine['players'][0]} throws first")
    play(store_of(generala), mine["game"], len(mine["players"]) + mine["players"].index("Ñandú"))
    phone.until_shown("Ñandú is next, turn 2 of 10")
    phone.tap("✎ enter my hands on this phone")
    phone.until_shown("Ñandú, please wait for the keeper to let you in")
    keeper = chromium.open(copa.keeper, PHONE)
    keeper.tap("✓ let in")
    tap_hand(phone, "55533")
    phone.tap("✓ score full house 30")
    phone.until_shown("Ñandú, full house 30", "enter your dice here when it is your turn")
    log = generala.json("log", str(mine["game"]), "--all")["entries"]
    assert log[-1]["entered_by"] == "pad of Ñandú"
    phone.tap("standings")
    phone.until("document.querySelector('.places .me')?.textContent.includes('Ñandú')")
    for table in first:
        play(store_of(generala), table["game"])
    second = generala.json("tournament", "seat")["tables"]
    (mine,) = (table for table in second if "Ñandú" in table["players"])
    phone.until_shown("Copa, round 2 of 2", f"Ñandú — table {mine['table']}", "Ñandú is in place 1 of 7")
    assert phone.run("state.view.games[0].game") == mine["game"]
    elsewhere = 3 - mine["table"]
    phone.tap("tables")
    generala.ok("tournament", "move", "Ñandú", "--table", str(elsewhere))
    phone.until_shown(f"Ñandú — table {elsewhere}")
    again = chromium.open_beside(phone.context, copa.join, PHONE, "en")
    again.until_shown(f"Ñandú — table {elsewhere}")  # scanning again leads to the same page


def test_the_keeper_enters_at_any_table_and_whoever_looks_sees_its_sheet(
    chromium: Browser, generala: Generala, copa: Board
) -> None:
    table = generala.json("tournament", "seat")["tables"][1]
    keeper, phone = chromium.open(copa.keeper, PHONE), chromium.open(copa.watch, PHONE, "es")
    for tab in (keeper, phone):
        tab.until("tables?.tables.length === 2")
    phone.tap("mesas")
    for tab in (keeper, phone):
        tab.until("document.querySelectorAll('.tables button').length === 2")
        tab.run("document.querySelectorAll('.tables button')[1].click()")
        tab.until("state.view.games.length === 1 && document.querySelector('.sheet')")
    tap_hand(keeper, "55533")
    keeper.tap("✓ score full house 30")
    first, next_ = table["players"][:2]
    keeper.until_shown(f"{first}, full house 30")
    phone.until_shown(f"le toca a {next_}")
    assert phone.run("document.getElementById('pad').hidden")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", [(360, 740), (844, 390)], ids=["upright", "landscape"])
def test_all_pages_fit_with_letters_of_any_size_and_every_key_has_a_name(
    chromium: Browser, generala: Generala, copa: Board, size: tuple[int, int], language: str
) -> None:
    generala.ok("tournament", "seat")
    play(store_of(generala), 1, 3)
    copa.kill()
    copa.begin_again()
    for address, acts in (
        (copa.watch, LOOKS),
        (copa.join, ("be('Ana')",)),
        (copa.pads[LONG], ("",)),
        (copa.keeper, ("", "openTable(tables.tables[0])")),
    ):
        tab = chromium.open(address, size, language)
        for act in acts:
            tab.until(
                "state.view && tables && standings && link.stream && document.querySelector('#state.live')"
            )
            tab.run(f"{{ {act} }}")
            tab.until("tab !== 'game' || state.view.games.length")
            names = check_fit(tab, size, address, act)
            assert len(set(names)) == len(names), names
        tab.send("Page.close")
