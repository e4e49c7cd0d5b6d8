"""A board's pages for keyboard and screen reader users."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.board.chromium import CHROMIUM, Browser, Tab
from tests.board.evenings import Board
from tests.posix import posix_only

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here"),
    posix_only("the browser is spoken to over a pipe with a number"),
]
_LONG = "Maximiliana"
_REACHABLE = """
[...document.querySelectorAll('button, a, input, select, summary, [tabindex]')]
  .filter((each) => !each.disabled && each.checkVisibility())
"""


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    """A game of General for money, with three players and one turn each."""
    board = Board(tmp_path)
    board.shell("new", "Ana", _LONG, "Cora", "--rules", "general", "--stake", "0.01", "--unit", "USD")
    for line in ("55533 1", "44244", "x ones"):
        board.shell(*line.split())
    board.kill()
    board.begin()
    yield board
    board.kill()


def _watch(chromium: Browser, board: Board) -> Tab:
    return chromium.open(board.addresses["watch"])


def _pad(chromium: Browser, board: Board) -> Tab:
    tab = chromium.open(board.addresses["pads"]["Ana"])
    for die in "44433":
        tab.tap(die, ".keys")
    tab.until("pad.hand.choice")
    return tab


def _waiting(chromium: Browser, board: Board) -> Tab:
    tab = chromium.open(board.addresses["pads"]["Cora"])
    tab.until("state.seat.kind === 'player'")
    return tab


def _guest(chromium: Browser, board: Board) -> Tab:
    tab = chromium.open(board.addresses["join"])
    tab.until("state.seat.kind === 'guest'")
    return tab


def _asking(chromium: Browser, board: Board) -> Tab:
    tab = _guest(chromium, board)
    tab.run("join('Dani')")
    tab.until("state.seat.kind === 'asking' && !busy()")
    return tab


def _keeper(chromium: Browser, board: Board) -> Tab:
    _asking(chromium, board)
    guest = _guest(chromium, board)
    guest.run(f"join({json.dumps(_LONG)})")
    tab = chromium.open(board.addresses["keeper"])
    tab.until("state.seat.asking?.length === 2")
    tab.tap("✓ let in")
    tab.until("state.seat.asking.length === 1 && !busy()")
    guest.run("join('Eva')")
    return tab


def _new_game(chromium: Browser, board: Board) -> Tab:
    tab = _keeper(chromium, board)
    players = {"players": f"Ana, {_LONG},", "rules": "general"}
    tab.run(f"openForm('new', {json.dumps(players)})")
    tab.until("paper.form?.values.rules === 'general'")
    return tab


def _over(chromium: Browser, board: Board) -> Tab:
    board.shell("66666", "1")
    tab = _watch(chromium, board)
    tab.until_shown("Ana wins at once")
    return tab


PAGES: tuple[Callable[[Browser, Board], Tab], ...] = (
    _watch,
    _pad,
    _waiting,
    _guest,
    _asking,
    _keeper,
    _new_game,
    _over,
)


@pytest.fixture(params=PAGES, ids=lambda page: page.__name__.strip("_"))
def tab(chromium: Browser, board: Board, request: pytest.FixtureRequest) -> Tab:
    """Return each page with everything unfolded."""
    page: Callable[[Browser, Board], Tab] = request.param
    tab = page(chromium, board)
    tab.until("state.view && link.stream")
    tab.run("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    return tab


def press(tab: Tab, key: str, code: int, text: str = "") -> None:
    about = {"key": key, "code": key, "windowsVirtualKeyCode": code}
    tab.send("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **about)
    tab.send("Input.dispatchKeyEvent", type="keyUp", **about)


def test_all_that_can_be_done_is_reached_by_keys(tab: Tab) -> None:
    tab.send("Page.bringToFront")
    count = tab.run(f"{_REACHABLE}.length")
    assert count
    tab.run("document.activeElement.blur()")
    reached = []
    for _ in range(count + 1):  # after the last one comes the browser itself
        press(tab, "Tab", 9)
        reached.append(tab.run(f"{_REACHABLE}.indexOf(document.activeElement)"))
    assert sorted({*reached} - {-1}) == [*range(count)]


def test_a_turn_is_played_by_keys_alone(chromium: Browser, board: Board) -> None:
    tab = chromium.open(board.addresses["pads"]["Ana"])
    tab.until_shown("You're up, Ana!", "live")
    tab.send("Page.bringToFront")
    for name, times in (("4", 3), ("5", 2), ("✓ Score fours 12", 1)):
        for _ in range(60):
            press(tab, "Tab", 9)
            if tab.run("document.activeElement.textContent") == name:
                break
        for _ in range(times):
            press(tab, "Enter", 13, "\r")
        if name == "5":
            tab.until("document.getElementById('news').textContent === 'Score fours 12'")
    tab.until_shown("Ana, fours 12")
    assert board.shell("sheet")["boxes"]["Ana"]["fours"]["points"] == 12


def test_columns_are_as_wide_as_the_players_need_who_are_there_now(chromium: Browser, board: Board) -> None:
    """A style set by the script works; as an attribute, the page's policy would block it."""
    tab = _watch(chromium, board)
    tab.until_shown("live", "is next")
    players = "document.querySelector('.game').style.getPropertyValue('--players')"
    assert tab.run(players) == "3"
    tab.run("openMenu(true)")
    tab.tap("tonight", "#menu")
    tab.until("!document.querySelector('.game')")
    tab.run("openMenu(true)")
    tab.tap("game 1", "#menu")
    tab.until("document.querySelector('.game')")
    assert tab.run(players) == "3"
    board.shell("new", "Ana", "Cora")
    tab.until(f"{players} === '2'")


def test_digits_enter_dice_escape_clears_them_and_an_entry_can_be_undone_at_once(
    chromium: Browser, board: Board
) -> None:
    tab = chromium.open(board.addresses["pads"]["Ana"])
    tab.until_shown("You're up, Ana!", "live")
    tab.send("Page.bringToFront")
    for digit in "125":
        press(tab, digit, ord(digit), digit)
    assert tab.run("pad.hand.dice") == [1, 2, 5]
    press(tab, "Escape", 27)
    assert tab.run("pad.hand.dice") == []
    for digit in "44455":
        press(tab, digit, ord(digit), digit)
    tab.tap("✓ score fours 12")
    tab.tap("↶ undo", "#toast")
    tab.until_shown("undone: Ana, fours 12", "You're up, Ana!")


def test_headings_and_buttons_begin_with_a_capital_letter(tab: Tab) -> None:
    tab.run("openMenu(true)")
    texts = tab.run("[...document.querySelectorAll('h1, h2, button')].map((each) => each.innerText.trim())")
    small = [
        text
        for text in texts
        if (letters := [each for each in text if each.isalpha()]) and letters[0].islower()
    ]
    assert small == []


def test_players_are_reordered_by_keys(chromium: Browser, board: Board) -> None:
    tab = chromium.open(board.addresses["keeper"])
    tab.until("state.seat.kind === 'keeper' && link.stream")
    tab.run(f"openForm('new', {{ players: 'Ana, Cora, {_LONG},' }})")
    tab.until("paper.form")
    tab.send("Page.bringToFront")
    tab.run(f"document.querySelector('[aria-label=\"move {_LONG} up\"]').focus()")
    press(tab, "Enter", 13, "\r")
    tab.until(f"paper.form.values.players === 'Ana, {_LONG}, Cora,'")
    assert tab.run("document.getElementById('news').textContent") == f"2. {_LONG}"
    press(tab, "Enter", 13, "\r")  # the focus follows the player
    tab.until(f"paper.form.values.players === '{_LONG}, Ana, Cora,'")


def test_a_refused_form_says_why(chromium: Browser, board: Board) -> None:
    tab = chromium.open(board.addresses["keeper"])
    tab.until("state.seat.kind === 'keeper' && link.stream")
    tab.run("openForm('rename')")
    tab.until("paper.form")
    tab.run("paper.form.values.name = ''; sendForm()")
    tab.until("document.querySelector('#seat [role=alert]')?.checkVisibility()")
