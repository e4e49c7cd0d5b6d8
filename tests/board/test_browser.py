"""The page in a real Chromium, on a phone and on a wall, with a board in its own process."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from tests.board.chromium import CHROMIUM, PHONE, WALL, Browser, Tab
from tests.cli.program import GENERALA, Generala, surroundings
from tests.posix import posix_only

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here"),
    posix_only("the browser is spoken to over a pipe with a number"),
]


class Board:
    """A board that can be killed and restarted."""

    def __init__(self, generala: Generala, *options: str) -> None:
        self._generala, self._options = generala, options
        self._begin()

    def _begin(self) -> None:
        self._process = subprocess.Popen(
            [GENERALA, "board", "--json", *self._options],
            env=surroundings(self._generala.home, {}),
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        found = json.loads(self._process.stdout.readline())
        self.watch: str = found["watch"]
        self.pads: dict[str, str] = found.get("pads", {})
        self.keeper: str = found.get("keeper", "")
        self.join: str = found.get("join", "")

    def kill(self) -> None:
        """Kill the board, like `kill -9`."""
        os.kill(self._process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
        self._process.communicate()

    def begin_again(self) -> None:
        address = self.watch
        self._begin()
        assert self.watch == address

    def end(self) -> None:
        self._process.send_signal(signal.SIGINT)
        assert self._process.wait(10) == 0

    def drop(self) -> None:
        self._process.kill()
        self._process.communicate()


@pytest.fixture
def generala(tmp_path: Path) -> Generala:
    """A game of General for money with three players."""
    generala = Generala(home=tmp_path / "home")
    generala.ok("new", "Ana", "Beto", "Cora", "--rules", "general", "--stake", "0.01", "--unit", "USD")
    return generala


@pytest.fixture
def board(generala: Generala) -> Iterator[Board]:
    board = Board(generala, "--pad")
    yield board
    board.drop()


def tap_hand(tab: Tab, dice: str) -> None:
    for die in dice:
        tab.tap(die, ".keys")


@pytest.mark.parametrize("size", [PHONE, WALL], ids=["phone", "wall"])
def test_an_entry_from_a_shell_is_on_the_page(
    chromium: Browser, generala: Generala, board: Board, size: tuple[int, int]
) -> None:
    tab = chromium.open(board.watch, size)
    tab.until_shown("Ana is next", "live", "General, stake 0.01 USD a point")
    generala.ok("55533", "1")
    tab.until_shown("Beto is next", "Ana, full house 35, first throw", "Beto owes Ana 0.35 USD")
    assert tab.run("document.querySelector('td.last').textContent") == "35*"
    assert tab.run("document.querySelector('td.last').closest('tr').firstChild.textContent") == "Full house"
    assert tab.run("document.getElementById('news').textContent").startswith("Ana, full house")
    generala.ok("x", "ones")
    tab.until_shown("Cora is next")
    assert "scratched" in tab.run("document.querySelector('td.last').textContent")
    generala.ok("66666", "1")
    tab.until_shown("Cora wins at once, with 60 points on the sheet", "Ana owes Cora 0.25 USD")
    generala.ok("rematch")
    tab.until_shown("game 2", "is next")
    assert tab.run("document.documentElement.scrollWidth") <= size[0]
    assert tab.run("performance.getEntriesByType('resource').every(e => e.name.startsWith(location.origin))")


@pytest.mark.parametrize(
    ("language", "shown"),
    [("es-AR,es;q=0.9", "le toca a Ana"), ("de-DE,de;q=0.9", "Ana ist dran"), ("fr", "Ana is next")],
)
def test_it_speaks_the_language_of_the_phone(
    chromium: Browser, board: Board, language: str, shown: str
) -> None:
    tab = chromium.open(board.watch, PHONE, language)
    tab.until_shown(shown)
    spoken = language[:2] if language[:2] in ("es", "de", "pt") else "en"
    assert tab.run("document.documentElement.lang") == spoken  # for a screen reader


def test_it_comes_back_by_itself_after_the_board_was_killed(
    chromium: Browser, generala: Generala, board: Board
) -> None:
    tab = chromium.open(board.watch)
    tab.until_shown("live")
    board.kill()
    tab.until_shown("not connected since")
    generala.ok("55533", "1")
    board.begin_again()
    tab.until_shown("live", "Beto is next")
    assert "35, first throw" in tab.text  # entered while the board was down
    board.end()
    tab.until_shown("the board is closed")


def test_hidden_pages_leave_the_seventh_its_connection(chromium: Browser, board: Board) -> None:
    """A browser opens six connections to one board; a hidden page gives its connection back."""
    hide = (
        "Object.defineProperty(document, 'hidden', {value: %s, configurable: true});"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    tabs = [chromium.open(board.watch)]
    while len(tabs) < 8:
        tabs[-1].until_shown("live")
        tabs[-1].run(hide % "true")
        tabs.append(chromium.open_beside(tabs[0].context, board.watch, PHONE, "en"))
    tabs[-1].until_shown("live")
    tabs[0].run(hide % "false")
    tabs[0].until_shown("live")
    assert all("Ana is next" in tab.text for tab in tabs)  # hidden pages keep their contents


def test_two_phones_take_turns(chromium: Browser, generala: Generala, board: Board) -> None:
    ana, beto = chromium.open(board.pads["Ana"]), chromium.open(board.pads["Beto"], language="es")
    beto.until_shown("acá se anotan tus dados cuando te toque")
    tap_hand(ana, "55533")
    ana.tap("1", ".throws")
    ana.until_shown("✓ score full house 35")
    ana.tap("✓ score full house 35")
    tap_hand(beto, "12346")
    beto.tap("✕ póker")
    beto.tap("✓ tachar póker")
    ana.until_shown("Beto, four of a kind scratched", "enter your dice here when it is your turn")
    ana.run("openMenu(true)")
    ana.until_shown("this device")
    assert "undo" not in ana.text  # the last entry is Beto's
    ana.run("openMenu(false)")
    for back in ("↶ deshacer", "↷ rehacer", "↶ deshacer"):
        beto.tap(back, "#toast")
    ana.until_shown("undone: Beto, four of a kind scratched", "Beto is throwing")
    log = json.loads(generala.ok("log", "--all", "--json"))["entries"]
    assert [entry["entered_by"] for entry in log] == ["pad of Ana", *["pad of Beto"] * 4]
    keeper = chromium.open(board.keeper, language="de")
    keeper.tap("Cora", "#pad")
    tap_hand(keeper, "66663")
    keeper.tap("✓ Viererpasch 40 eintragen")
    ana.until_shown("Cora, four of a kind 40", "Beto is throwing")


def test_a_box_is_scratched_on_a_phone_with_thirteen_open_boxes(
    chromium: Browser, generala: Generala
) -> None:
    generala.ok("new", "Ana", "Beto", "--rules", "kniffel")
    board = Board(generala, "--pad")
    try:
        ana = chromium.open(board.pads["Ana"])
        tap_hand(ana, "11234")
        ana.tap("scratch a box…", ".boxes")
        ana.tap("✕ four of a kind", ".boxes")
        ana.tap("✓ scratch four of a kind")
        ana.until_shown("Ana, four of a kind scratched", "Beto is throwing")
        (entry,) = generala.json("log")["entries"]
        assert (entry["player"], entry["category"], entry["scratched"]) == ("Ana", "four-of-a-kind", True)
    finally:
        board.drop()


def test_what_the_phone_saw_last_is_what_counts(chromium: Browser, generala: Generala, board: Board) -> None:
    """If a page missed an entry, its request is refused and nothing is written."""
    ana = chromium.open(board.pads["Ana"])
    tap_hand(ana, "55533")
    ana.until_shown("✓ score full house 30")
    ana.run("disconnect()")
    generala.ok("44442")
    before = generala.files()
    ana.tap("✓ score full house 30")
    ana.until_shown("the game has moved on")
    assert generala.files() == before


def test_a_hand_is_entered_for_nobody_else(chromium: Browser, generala: Generala, board: Board) -> None:
    """A hand was typed for Beto, who was entered in a shell meanwhile. No tap writes it for Cora unasked."""
    generala.ok("55533", "1")
    keeper = chromium.open(board.keeper)
    keeper.until_shown("Beto is next")
    tap_hand(keeper, "66652")
    keeper.until_shown("✓ score sixes 18")
    generala.ok("44442")
    keeper.until_shown("6 6 6 5 2 were for Beto, but the game has moved on", "Cora is next")
    before = generala.files()
    assert not keeper.run("document.querySelector('.send')")
    keeper.tap("keep them for Cora")
    keeper.until_shown("✓ score sixes 18")
    assert generala.files() == before
    keeper.tap("✓ score sixes 18")
    keeper.until_shown("Cora, sixes 18")
    tap_hand(keeper, "11")
    generala.ok("x", "ones")
    keeper.until_shown("1 1 were for Ana")
    keeper.tap("discard them")
    assert keeper.run("document.querySelectorAll('.hand button:not(.clear):disabled').length") == 5


def test_who_left_is_told_so_and_has_no_open_boxes(
    chromium: Browser, generala: Generala, board: Board
) -> None:
    beto = chromium.open(board.pads["Beto"])
    generala.ok("leave", "Beto")
    beto.until_shown("you left the game; the keeper can add you again")
    column = "[...document.querySelectorAll('.sheet tbody tr')].map(row => row.children[1].textContent)"
    assert beto.run(f"{column}.join('')") == "←" * 10


def test_the_keeper_takes_the_last_turn_of_a_game_back(
    chromium: Browser, generala: Generala, board: Board
) -> None:
    tab = chromium.open(board.keeper)
    tap_hand(tab, "66666")
    tab.tap("1", ".throws")
    tab.tap("✓ big general: wins at once")
    tab.until_shown("Ana wins at once")
    tab.run("openMenu(true)")
    tab.tap("↶ undo", "#menu")
    tab.tap("? undo: Ana, big general 60, first throw (6 6 6 6 6)", "#menu")
    tab.until_shown("Ana is next")
    assert json.loads(generala.ok("sheet", "--json"))["next"] == "Ana"


UNFIT = """
var parts = document.querySelectorAll('button, input, select, summary, a, h1, h2, p, label, small');
[...parts].filter((each) => {
  const { width, height } = each.getBoundingClientRect();
  const least = each.matches('.keys > button') ? 56 : 44;
  const isTarget = each.matches('button, input, select, summary') && (width < least || height < least);
  return each.checkVisibility() && !each.matches('.unseen, .sheet *')
    && (isTarget || !each.matches('select') && each.scrollWidth > each.clientWidth + 1 && each.clientWidth);
}).map((each) => each.outerHTML)
"""
"""Controls below 44 pixels, keys for dice below 56, and elements too narrow for their text, but no select."""


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", [(360, 740), (740, 360)], ids=["upright", "landscape"])
def test_all_pages_fit_with_letters_of_any_size_and_every_key_has_a_name_of_its_own(
    chromium: Browser, generala: Generala, board: Board, size: tuple[int, int], language: str
) -> None:
    generala.ok("x", "ones")
    generala.ok("rename", "Cora", "Schmidthaubersdorfer")
    ask_for_seats(board, "Zoe", "Eva")
    hand = "const n = pad.hand; n.of = forNow(shown()); n.dice = [4, 4, 4, 3, 3]; rethink()"
    forms = [f"openForm('{name}')" for name in ("new", "join", "stake", "pay")] + ["chooseTurn()"]
    for address, acts in (
        (board.watch, [""]),
        (board.join, [""]),
        (board.pads["Beto"], ["", hand]),
        (board.keeper, ["", *forms]),
    ):
        for act in acts:
            tab = chromium.open(address, size, language)
            tab.until("state.view && link.stream && document.querySelector('#state.live')")
            tab.run(f"(async () => {{ {'await ' * act.startswith('openForm')}{act} }})()")
            tab.until("!pad.hand?.dice.length || pad.hand.options")
            names = check_fit(tab, size, address, act)
            assert act == hand or len(set(names)) == len(names), names  # equal dice are deleted alike
            tab.send("Page.close")


def test_a_form_for_a_new_game_keeps_its_names_while_a_phone_comes_in(
    chromium: Browser, board: Board
) -> None:
    keeper = chromium.open(board.keeper)
    keeper.until_shown("Ana is next")
    keeper.run("openForm('new')")
    type_name = "paper.form.more = '{}'; drawAll()"
    for name in ("Mama", "Mia"):
        keeper.until("document.querySelector('#field-players form')")
        keeper.run(type_name.format(name))
        keeper.tap("+", "#field-players form")
    ask_for_seats(board, "Oma")
    keeper.tap("✓ let in")
    keeper.until_shown("+ Oma")
    keeper.run(type_name.format("Opa"))
    keeper.run("change(paper.form.fields.find(({ key }) => key === 'rules'), 'kniffel')")
    keeper.until("paper.form.values.rules === 'kniffel'")
    assert keeper.run("[paper.form.values.players, paper.form.more]") == [
        "Ana, Beto, Cora, Mama, Mia,",
        "Opa",
    ]


def ask_for_seats(board: Board, *names: str) -> None:
    for name in names:
        path = urlsplit(board.join)
        body = json.dumps({"name": name, "token": f"{name:z<12}", "id": token_hex(16)})
        headers = {"Origin": f"http://{path.netloc}", "Content-Type": "application/json"}
        with urlopen(Request(f"{board.join}join", body.encode(), headers)) as answer:
            assert answer.status == 200


def check_fit(tab: Tab, size: tuple[int, int], *about: str) -> list[tuple[str, ...]]:
    """Check that the whole page fits, unfolded, in small and large letters. Return the names of its keys."""
    for scale in ("100%", "200%"):
        tab.run(f"document.documentElement.style.fontSize = '{scale}'")
        tab.run("for (const each of document.querySelectorAll('details')) each.open = true")
        assert tab.run("document.documentElement.scrollWidth") <= size[0], (*about, scale)
        assert tab.run(UNFIT) == [], (*about, scale)
    names = names_of_keys(tab)
    assert all(name for *_, name in names), names
    return names


def names_of_keys(tab: Tab) -> list[tuple[str, ...]]:
    """Return a screen reader's text for every control: its group, description and name."""
    nodes = {node["nodeId"]: node for node in tab.send("Accessibility.getFullAXTree")["nodes"]}
    found: list[tuple[str, ...]] = []
    for node in nodes.values():
        states = {each["name"]: each["value"].get("value") for each in node.get("properties", ())}
        if states.get("focusable") and node["role"]["value"] not in ("RootWebArea", "option"):
            above, group = node, ""
            while "parentId" in above and not group:
                above = nodes[above["parentId"]]
                group = said(above, "name") if above["role"]["value"] in ("group", "LabelText") else ""
            found.append((group, said(node, "description"), said(node, "name")))
    return found


def said(node: dict[str, Any], what: str) -> str:
    return str(node.get(what, {}).get("value", "")).strip()


def test_scroll_and_focus_stay_where_they_are(chromium: Browser, generala: Generala, board: Board) -> None:
    tab = chromium.open(board.keeper, (390, 500))
    tab.until_shown("Ana is next")
    tap_hand(tab, "55")
    tab.run("document.querySelectorAll('.keys button')[2].focus()")
    tab.run("document.querySelectorAll('.keys button')[4].click()")
    assert tab.run("document.activeElement.textContent") == "3"
    tab.run("document.querySelector('.sheet').scrollIntoView(); document.querySelector('.sheet').focus()")
    seen = "Math.round(document.querySelector('tfoot').getBoundingClientRect().top)"
    before = tab.run(seen)
    generala.ok("55533", "1")
    tab.until_shown("Ana, full house")
    assert tab.run("scrollY") > 100  # the pad above became shorter, but the text being read stays in place
    assert abs(tab.run(seen) - before) < 60
    assert tab.run("document.activeElement.className") == "sheet"


@pytest.mark.parametrize("rules", ["kniffel", "general", "cacho"])
def test_a_throw_is_asked_for_where_it_matters(chromium: Browser, tmp_path: Path, rules: str) -> None:
    generala = Generala(home=tmp_path / "other")
    generala.ok("new", "Ana", "Beto", "Cora", "Dani", "--rules", rules)
    board = Board(generala, "--pad")
    try:
        tab = chromium.open(board.pads["Ana"])
        tab.until_shown("You're up, Ana!")
        pad = tab.run("document.getElementById('pad').innerText.toLowerCase()")
        assert ("throw" in pad) == (rules != "kniffel")
        assert ("2 mano" in pad) == (rules == "cacho")
        heads = "[...document.querySelectorAll('thead th')].every(e => e.scrollWidth <= e.clientWidth)"
        assert tab.run(heads)
        tap_hand(tab, "11266")
        tab.until_shown("12")
        marked = tab.run("document.querySelectorAll('.boxes [aria-pressed=true]').length")
        assert marked == (rules != "kniffel")  # chance takes any dice, so the player chooses
    finally:
        board.drop()


@pytest.mark.parametrize(
    ("language", "cards"), [("en", "9 10 J Q K A"), ("de", "9 10 B D K A")], ids=["en", "de"]
)
def test_poker_dice_show_cards(chromium: Browser, tmp_path: Path, language: str, cards: str) -> None:
    generala = Generala(home=tmp_path / "other")
    generala.ok("new", "Ana", "Beto", "--rules", "escalero")
    board = Board(generala, "--pad")
    try:
        tab = chromium.open(board.pads["Ana"], language=language)
        for card in cards.split()[:5]:
            tab.tap(card * 2, ".keys")  # the drawn card, and the same for a screen reader
        drawn = "[...document.querySelectorAll('%s .die')].map(die => die.textContent).join(' ')"
        assert tab.run(drawn % ".hand") == cards.removesuffix(" A")
        tab.until("document.querySelector('.send button')")
        tab.run("document.querySelector('.send button').click()")
        tab.until("document.querySelector('.news .die')")
        assert tab.run(drawn % ".news") == cards.removesuffix(" A")
        assert tab.run("document.querySelector('.dice').ariaLabel") == cards.removesuffix(" A")
    finally:
        board.drop()


@pytest.mark.parametrize("rules", ["yahtzee", "golden-fifty"])
@pytest.mark.parametrize("language", ["en", "es", "de", "pt"])
def test_the_rows_of_the_sheet_are_called_as_in_a_terminal(
    chromium: Browser, generala: Generala, rules: str, language: str
) -> None:
    generala.ok("new", "Ana", "Beto", "--rules", rules, "-q")
    shown = [
        line.split("│")[0].strip()
        for line in generala.ok("sheet", "--language", language).splitlines()
        if "│" in line
    ]
    board = Board(generala)
    try:
        page = chromium.open(board.watch, language=language)
        page.until("document.querySelector('.sheet tfoot th')")
        rows = page.run(
            "[...document.querySelectorAll('.sheet tbody th, .sheet tfoot th')].map(th => th.textContent)"
        )
        assert sorted(map(str.casefold, rows)) == sorted(map(str.casefold, filter(None, shown)))
    finally:
        board.drop()


def test_over_a_picture_there_is_a_strip(chromium: Browser, generala: Generala, board: Board) -> None:
    generala.ok("55533", "1")
    tab = chromium.open(f"{board.watch}?overlay", (1280, 720))
    tab.until_shown("Beto is next", "Ana, full house", "Ana 35")
    assert not tab.run("document.querySelector('table')")
    assert tab.run("document.querySelector('.strip').getBoundingClientRect().height") < 240
    assert tab.run("innerWidth - document.documentElement.clientWidth") == 0
    full = chromium.open(f"{board.watch}?overlay=full", (1280, 720))
    full.until_shown("Beto is next")
    assert full.run("document.querySelector('table') !== null")


@pytest.mark.parametrize("address", ["{}", "{}?overlay=full"])
def test_a_dozen_columns_of_twenty_boxes_fit_the_wall_and_who_is_next_is_named(
    chromium: Browser, tmp_path: Path, address: str
) -> None:
    generala = Generala(home=tmp_path / "home")
    generala.ok("new", *(f"Ana{number}" for number in range(12)), "--rules", "maxi-yatzy")
    board = Board(generala)
    try:
        tab = chromium.open(address.format(board.watch), (1280, 720))
        tab.until_shown("Ana0 is next")
        sheet, head = "document.querySelector('.sheet')", "document.querySelector('th.next')"
        assert tab.run(f"{sheet}.scrollWidth <= {sheet}.clientWidth")
        assert tab.run(f"{head}.scrollWidth <= {head}.clientWidth")
        for part in (sheet, "document.querySelector('.side')"):
            assert tab.run(f"{part}.scrollHeight <= {part}.clientHeight")
            assert tab.run(f"{part}.getBoundingClientRect().bottom <= innerHeight")
    finally:
        board.drop()


@pytest.mark.parametrize("size", [(1280, 720), WALL], ids=["720p", "1080p"])
def test_debts_at_the_end_are_readable_across_the_room(
    chromium: Browser, generala: Generala, board: Board, size: tuple[int, int]
) -> None:
    generala.ok("rename", "Cora", "Maximiliana")
    generala.ok("join", "Dani")
    for line in ("55533", "66663", "x ones", "66666 1"):
        generala.ok(*line.split())
    tab = chromium.open(board.watch, size, "de")
    tab.until_shown("schuldet Dani")
    sizes = "[...document.querySelectorAll('.debts li')].map((e) => parseFloat(getComputedStyle(e).fontSize))"
    tab.until(f"Math.min(...{sizes}) >= {size[1] / 30}")
    assert tab.run(f"{sizes}.length") == 3
    side = "document.querySelector('.side')"
    assert tab.run(f"{side}.scrollHeight <= {side}.clientHeight")


def test_twelve_debts_at_the_end_are_readable_across_the_room(chromium: Browser, tmp_path: Path) -> None:
    generala = Generala(home=tmp_path / "home")
    names = [f"Maximiliana{number}" for number in range(12)]
    generala.ok("new", *names, "--rules", "general", "--stake", "0.05", "--unit", "EUR")
    for line in ["x ones"] * 11 + ["66666 1"]:
        generala.ok(*line.split())
    board = Board(generala)
    try:
        tab = chromium.open(board.watch, (1280, 720), "de")
        tab.until_shown("schuldet Maximiliana11")
        debts = "[...document.querySelectorAll('.debts li')]"
        tab.until(f"Math.min(...{debts}.map((e) => parseFloat(getComputedStyle(e).fontSize))) >= 24")
        assert tab.run(f"{debts}.length") == 11
        assert tab.run(f"{debts}.every((each) => each.getBoundingClientRect().bottom <= innerHeight)")
    finally:
        board.drop()


def test_game_points_stand_on_the_podium_before_the_totals(
    chromium: Browser, generala: Generala, board: Board
) -> None:
    generala.ok("66666", "1")
    tab = chromium.open(board.watch)
    tab.until_shown("Ana wins at once")
    tab.run("shown().standings.standings.forEach((each, at) => { each.game_points = 3 - 4 * at; }); redraw()")
    steps = tab.run("[...document.querySelectorAll('.podium .step')].map((each) => each.innerText)")
    assert [step.split() for step in steps] == [
        ["1.", "3", "Game", "points", "Total", "60"],
        ["2.", "−1", "Game", "points", "Total", "0"],
        ["2.", "−5", "Game", "points", "Total", "0"],
    ]
    heads = tab.run("[...document.querySelectorAll('.places th')].map((each) => each.innerText)")
    assert heads == ["Game points", "Total"]


def test_an_open_menu_hides_the_pad_and_keeps_its_dice(chromium: Browser, board: Board) -> None:
    keeper = chromium.open(board.keeper)
    tap_hand(keeper, "553")
    keeper.run("openMenu(true)")
    keeper.until("document.getElementById('pad').hidden")
    keeper.tap("back", "#menu")
    keeper.until("!document.getElementById('pad').hidden")
    assert keeper.run("pad.hand.dice") == [5, 5, 3]


def test_a_menu_closes_when_the_turn_comes(chromium: Browser, generala: Generala, board: Board) -> None:
    beto = chromium.open(board.pads["Beto"])
    beto.until_shown("Ana is throwing")
    beto.run("openMenu(true)")
    generala.ok("55533", "1")
    beto.until_shown("You're up, Beto!")
    beto.until("document.getElementById('menu').hidden")
    assert not beto.run("document.getElementById('pad').hidden")


def test_a_copied_result_says_what_is_still_owed(chromium: Browser, generala: Generala, board: Board) -> None:
    generala.ok("55533", "1")
    generala.ok("end")
    keeper = chromium.open(board.keeper)
    keeper.until_shown("payout of this game", "Beto owes Ana 0.35 USD")
    copied = "resultOf(shown()).split('\\n').at(-1)"
    assert keeper.run(copied) == "Tonight: Cora owes Ana 0.35 USD; Beto owes Ana 0.35 USD"
    for _ in range(2):
        keeper.tap("✓ paid", ".balance")
    keeper.until_shown("nobody owes anybody anything")
    assert keeper.run(copied) == "Tonight: nobody owes anybody anything"


def test_a_name_of_markup_is_text(chromium: Browser, tmp_path: Path) -> None:
    generala = Generala(home=tmp_path / "other")
    name = "<img src=x onerror=document.title=1>"
    generala.ok("new", "--player", name, "--player", "אבא", "--rules", "general")
    board = Board(generala)
    try:
        tab = chromium.open(board.watch)
        tab.until_shown(f"{name} is next")
        assert tab.run("document.querySelector('img') === null && document.title !== '1'")
    finally:
        board.drop()
