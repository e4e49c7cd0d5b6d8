"""The layout on every size of screen, for every game, with any players' names."""

import re

import pytest
from rich.cells import cell_len

from generala_cli.errors import GeneralaError
from generala_cli.play import panels
from generala_cli.play.layout import Layout
from generala_cli.play.table import Table
from generala_cli.play.taps import BoxTap, has_tap
from generala_cli.render.screen import ASCII, UNICODE, Marks, Screen
from generala_cli.rules.catalog import built_in_names
from generala_cli.rules.ruleset import worth
from generala_cli.store.store import Store
from generala_cli.table import turns
from tests.app.table import begin, score
from tests.play.piloted import PLAIN
from tests.sessions.hostile import acting
from tests.sizes import thinned

SIZES = [(80, 24), (60, 20), (40, 20), (30, 12), (132, 50), (20, 8), (9, 5), (1, 1)]
FOUR = ("Ana", "Beto", "Cora", "Dani")


def shown(
    store: Store, text: str = "", *, size: tuple[int, int] = (80, 24), marks: Marks = UNICODE
) -> list[str]:
    """The lines of the screen while this is typed."""
    screen = Screen(width=size[0], height=size[1], color=True, marks=marks)
    table = Table(store, screen, None)
    table.line.text = text
    return [panels.text_of(line) for line in Layout().draw(table, None, screen).lines]


OF_FOURTEEN = [name for name in built_in_names() if "yatzy" not in name]
"""Games whose boxes fit a small screen. Boxes of a longer sheet are in columns, or scroll."""


@pytest.mark.parametrize("name", [name for name in built_in_names() if name != "maxi-yatzy"])
def test_80_by_24_shows_the_sheet_of_four_and_the_dice_drawn_in_every_game(store: Store, name: str) -> None:
    rules = begin(store, name, *FOUR).game.rules
    lines = shown(store, "5" * rules.dice)
    text = "\n".join(lines)
    assert len(lines) == 24
    assert all(any(line.startswith(category.name) for line in lines) for category in rules.categories)
    assert all(player in text for player in FOUR)
    if rules.poker_dice:
        assert text.count("  K  ") == rules.dice
    else:
        assert sum(line.count("●   ●") for line in lines) == 2 * rules.dice
    assert any(line.startswith("total") for line in lines)


@pytest.mark.parametrize("name", OF_FOURTEEN)
def test_40_by_20_shows_who_is_to_throw_and_the_neighbours(store: Store, name: str) -> None:
    rules = begin(store, name, *FOUR).game.rules
    head = shown(store, "1" * rules.dice, size=(40, 20))[1]
    assert "▸Ana" in head
    assert "Beto" in head


@pytest.mark.thinned(every=5)
@pytest.mark.parametrize(
    ("name", "size"),
    [
        *((name, (30, 12)) for name in built_in_names()),
        *(("generala", size) for size in ((40, 20), (60, 20), (80, 24), (120, 40))),
        *(("maxi-yatzy", size) for size in ((40, 20), (60, 20), (80, 24), (120, 40))),
    ],
    ids=str,
)
def test_every_box_of_the_mover_says_what_the_hand_would_pay_there(
    store: Store, name: str, size: tuple[int, int]
) -> None:
    if size == (30, 12) and name not in OF_FOURTEEN:
        size = (40, 16)
    rules = begin(store, name, *FOUR).game.rules
    dice = tuple(sorted((*[6] * (rules.dice - 1), 5)))
    screen = Screen(width=size[0], height=size[1], color=True, marks=UNICODE)
    table = Table(store, screen, None)
    table.line.text = "".join(map(str, dice))
    lines = Layout().draw(table, None, screen).lines
    assert "▸Ana" in "\n".join(map(panels.text_of, lines))
    for category in rules.categories:
        (line,) = (line for line in lines if has_tap(line, BoxTap(category.id)))
        box = "".join(
            each.text for each in line if each.style and each.style.meta.get("tap") == BoxTap(category.id)
        )
        points = worth(rules, category, dice, rules.throws)
        is_open = category in table.opened.game.fillable_categories("Ana")
        assert (re.findall(r"[+▸](\d+)", box) == [str(points)]) == bool(points and is_open), (
            category.id,
            box,
        )


def test_40_by_20_shows_everyone_above_the_dice_in_a_game_of_few_rows(store: Store) -> None:
    begin(store, "balut", *FOUR)
    lines = shown(store, "66622", size=(40, 20))
    assert all(player in lines[1] for player in FOUR)
    assert any("6 6 6 2 2" in line for line in lines)
    assert any("[1][2][3]" in line for line in lines)


SIX = ("Anke", "Jürgen", "Dörte", "Heinz", "Sabine", "Uwe")


def test_the_next_of_six_players_has_a_whole_name(store: Store) -> None:
    begin(store, "kniffel", *SIX)
    for player in SIX:
        assert f"▸{player} " in shown(store)[1]
        score(store, "12345", "chance")


def test_an_entry_hides_no_box_on_a_low_screen(store: Store) -> None:
    begin(store, "kniffel", *SIX)
    screen = Screen(width=40, height=20, color=True, marks=UNICODE)
    table = Table(store, screen, None)
    before = [panels.text_of(line)[:9] for line in Layout().draw(table, None, screen).lines[3:17]]
    table.line.text = "65432 large"
    table.enter()
    lines = [panels.text_of(line) for line in Layout().draw(table, None, screen).lines]
    assert [line[:9] for line in lines[3:17]] == before
    assert lines[17] == "Anke  65432  large straight  40"


def test_a_wrong_word_is_shown_whole_on_a_low_screen(store: Store) -> None:
    begin(store, "kniffel", *SIX)
    lines = shown(store, "33325 threez", size=(40, 20))
    below = " ".join(lines[lines.index("› 33325 threez") + 1 :])
    assert below == "'threez' is not a category, throw or player · did you mean threes?"


def test_the_marked_box_alone_is_inverted_and_says_so_without_colour(store: Store) -> None:
    begin(store, "general", *FOUR)
    screen = Screen(width=80, height=24, color=True, marks=UNICODE)
    table = Table(store, screen, None)
    table.line.text = "55533"
    for marked in ("full-house", "fives"):
        inverted = {
            tap.category: "".join(each.text for each in line if each.style and each.style.reverse)
            for line in Layout().draw(table, None, screen).lines
            for each in line
            if each.style and each.style.reverse and isinstance(tap := each.style.meta.get("tap"), BoxTap)
        }
        assert list(inverted) == [marked]
        assert "▸" in inverted[marked]
        table.line.move(-1)


HOSTILE = ("[red]x[/red]", "[/]", "日本語の名前", "👨‍👩‍👧", "نادية", "A" * 100, "a\u0301" * 40, ":smile:")


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize("size", thinned(zip(SIZES), every=3), ids=str)
@pytest.mark.parametrize("marks", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_no_name_and_no_size_breaks_a_line(store: Store, size: tuple[int, int], marks: Marks) -> None:
    begin(store, "kniffel", *HOSTILE)
    score(store, "55533")
    for text in ("", "555", "55533", "x ", "55533 t"):
        lines = shown(store, text, size=size, marks=marks)
        assert len(lines) == size[1]
        assert max(map(cell_len, lines)) <= size[0]
        assert acting("\n".join(lines)) == set()


def test_ascii_is_enough(store: Store) -> None:
    begin(store, "general")
    assert all(line.isascii() for line in shown(store, "55533", marks=ASCII))


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize("width", range(36, 48))
def test_all_lines_of_the_entry_that_is_marked_are_marked(store: Store, width: int) -> None:
    """A bonus at the start of a line, `+35  24`, is not turn 35."""
    begin(store, "kniffel", "Ana", "Beto")
    for face in range(1, 7):
        dice = f"{face}{face}{face}{face}{7 - face}"
        score(store, dice, str(face))
        score(store, dice, str(face))
    turns.undo(store, 1)
    table = Table(store, PLAIN, None)
    lines, _, _ = panels.visible_lines(
        panels.log(table.opened), Screen(width=width, height=20, color=False, marks=UNICODE)
    )
    marked = [panels.text_of(line)[1:] for line in lines if line[0].style and line[0].style.reverse]
    assert marked[0].split()[:2] == ["11", "Ana"]
    found = "66661, throw 3: sixes, upper bonus +35  24"
    assert " ".join(" ".join(marked[1:]).split()) == " ".join(found.split())


def test_what_enter_does_is_the_brightest_line_and_stands_once(store: Store) -> None:
    begin(store, "general")
    screen = Screen(width=80, height=24, color=True, marks=UNICODE)
    table = Table(store, screen, None)
    table.line.text = "12345 full"
    promise = list(map(str, table.view.promise))
    footer = Layout().draw(table, None, screen).lines[-1]
    assert [panels.text_of([each]) for each in footer if each.style and each.style.bold] == [promise[0]]
    assert not any(each.style and each.style.dim for each in footer)
    with pytest.raises(GeneralaError) as refused:
        table.enter()
    table.message.refuse(refused.value)
    shown = [panels.text_of(line) for line in Layout().draw(table, None, screen).lines]
    assert sum(promise[0] in line for line in shown) == 1


@pytest.mark.parametrize(
    ("name", "example", "has_throw"),
    [("general", "66655", True), ("crag", "666", False), ("kniffel", "66655", False)],
)
def test_the_first_hint_is_true_of_the_game(store: Store, name: str, example: str, has_throw: bool) -> None:
    begin(store, name)
    text = "\n".join(shown(store))
    assert f"type the dice: {example}\n" in re.sub(" +\n", "\n", text + "\n")
    assert ("then a space and the throw" in text) == has_throw


def test_a_small_screen_names_the_leader_and_counts_the_others(store: Store) -> None:
    begin(store, "kniffel", "Anna", "Björn", "Clara", "Dennis", "Erika", "Ferdinand")
    score(store, "66655", "full")
    lines = shown(store, size=(40, 20))
    assert lines[1] == "▸Björn 0  1.Anna 25  2.Clara 0  +3 s"
    assert any("Anna" in line and "▸Björn" in line for line in lines[2:])
