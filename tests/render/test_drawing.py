"""Tables and text: all contents are shown, in straight columns, on any screen."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import RenderableType
from rich.table import Column as RuledColumn

from generala_cli.render.drawing import (
    Bars,
    Column,
    GivesWay,
    Hanging,
    Stack,
    cell,
    cut,
    fits,
    line,
    ruled_table,
    shortened,
    shortened_apart,
    table,
    text,
)
from generala_cli.render.screen import ASCII, UNICODE, UNLIMITED, Marks, Screen, as_text
from generala_cli.text import safe
from tests.cases import cases

FAMILY = "👩‍👩‍👧‍👦"
words = st.text(st.sampled_from("abc 日👍é✗[]/"), min_size=1, max_size=12).map(lambda word: f"x{word}x")
rows = st.lists(st.tuples(words, words, words), min_size=1, max_size=4)
mixed = st.text(st.sampled_from("ab é日本👍ñ✗·▸…−ไ" + "e\u0301")).map(safe)
Rows = list[tuple[str, str, str]]


def on(drawn: RenderableType, width: int = UNLIMITED, *, color: bool = False) -> list[str]:
    return as_text(drawn, Screen(width=width, color=color, marks=UNICODE)).splitlines()


def screen(width: int) -> Screen:
    return Screen(width=width, color=False, marks=UNICODE)


WIDE = screen(UNLIMITED)
NEVER = GivesWay.NEVER


def plain(rows: Rows, ways: Sequence[GivesWay] = (NEVER,) * 3, width: int = UNLIMITED) -> RenderableType:
    """Return a table of three columns that shrink in these ways if it is too wide for the space."""
    one, two, three = zip(*rows, strict=True)
    return table(
        Column("one", one, gives_way=ways[0]),
        Column("two", two, gives_way=ways[1]),
        Column("three", three, right=True, gives_way=ways[2]),
        screen=screen(width),
    )


def ruled(rows: Rows) -> RenderableType:
    across = (RuledColumn(cell(head), justify="right") for head in ("Ana", "Beto"))
    table = ruled_table(RuledColumn(), *across, screen=Screen(width=UNLIMITED, color=False, marks=UNICODE))
    for row in rows:
        table.add_row(*map(cell, row), end_section=True)
    return table


@given(rows, st.booleans())
def test_nothing_is_lost_where_there_is_room(rows: Rows, is_ruled: bool) -> None:
    lines = on(ruled(rows) if is_ruled else plain(rows))
    found = [line for line in lines if "─" not in line][1:]
    for shown, row in zip(found, rows, strict=True):
        assert shown.replace(" ", "").replace("│", "") == "".join(row).replace(" ", "")


@given(rows)
def test_columns_are_straight(rows: Rows) -> None:
    lines = on(plain(rows))
    assert len({cell_len(line) for line in lines}) == 1  # the last column is aligned to the right


@given(rows, st.integers(24, 50))
def test_no_line_is_wider_than_the_screen(rows: Rows, width: int) -> None:
    lines = on(plain(rows, [GivesWay.SHORTENS] * 3, width), width)
    assert max(map(cell_len, lines)) <= width
    assert len(lines) == 1 + len(rows)


@given(rows, st.integers(25, 50))
def test_what_wraps_is_never_cut(rows: Rows, width: int) -> None:
    letters = sorted("".join("".join(row) for row in rows).replace(" ", ""))
    lines = on(plain(rows, [GivesWay.WRAPS] * 3, width), width)
    assert sorted("".join(lines[1:]).replace(" ", "")) == letters
    assert max(map(cell_len, lines)) <= width


@given(rows, st.booleans())
def test_a_table_that_may_wrap_looks_like_any_other_where_it_need_not(rows: Rows, color: bool) -> None:
    lines = on(plain(rows, (NEVER, GivesWay.WRAPS, NEVER)), color=color)
    escapes = re.compile("\x1b\\[[0-9;]*m")
    assert [escapes.sub("", line) for line in lines] == on(plain(rows))


@given(rows, st.booleans())
def test_colour_changes_nothing_but_the_colour(rows: Rows, is_ruled: bool) -> None:
    drawn = ruled(rows) if is_ruled else plain(rows)
    parts = Stack(drawn, *(text("end  ", style) for style in ("red", "bold reverse", "dim")))
    coloured = "\n".join(on(parts, color=True))
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured).splitlines() == on(parts)
    assert "\x1b[1;7m" in coloured


def test_a_plain_table_is_set_by_blanks() -> None:
    columns = (Column(cells=[1], right=True), Column("player", ["Ana"]), Column("total", [120], right=True))
    assert on(table(*columns, screen=WIDE)) == ["   player  total", "1  Ana       120"]


def test_a_head_with_nothing_in_it_is_left_out() -> None:
    assert on(table(Column(cells=["Ana"]), Column(cells=["owes"]), screen=WIDE)) == ["Ana  owes"]
    for way in (NEVER, GivesWay.WRAPS):
        assert on(table(Column(), Column(gives_way=way), screen=WIDE)) == []


def test_rows_are_in_their_style() -> None:
    shown = table(Column("a", ["1"]), Column("b", ["2"]), screen=WIDE, styles=["bold"])
    lines = on(shown, color=True)
    assert lines[0].startswith("\x1b[2ma")
    assert all(line.startswith("\x1b[1m1") and line.endswith("2\x1b[0m") for line in lines[1:])


def test_a_ruled_table_is_ruled_under_its_head_and_between_sections_not_at_its_end() -> None:
    shown = []
    for marks in (UNICODE, ASCII):
        screen = Screen(width=UNLIMITED, color=False, marks=marks)
        table = ruled_table(RuledColumn(), RuledColumn(cell("Ana"), justify="right", width=5), screen=screen)
        table.add_row(cell("ones"), cell("3"))
        table.add_row(cell("full house"), cell("30"), end_section=True)
        table.add_row(cell("total"), cell("33"), end_section=True)
        shown.append(as_text(table, screen).splitlines())
    rule = "───────────┼──────"
    lines = ["ones       │     3", "full house │    30", rule, "total      │    33"]
    assert shown[0] == ["           │   Ana", rule, *lines]
    assert shown[1] == [line.translate(str.maketrans("│─┼", "|-+")) for line in shown[0]]


@given(st.tuples(*[st.integers(1, 60)] * 3), st.integers(20, 120))
@example((17, 18, 1), 39)
def test_what_fits_is_whole_or_can_be_read_and_else_a_column_drops(widths: Sequence[int], width: int) -> None:
    ways = (GivesWay.SHORTENS, GivesWay.WRAPS, GivesWay.DROPS)
    columns = [
        Column(head, ["x" * most], gives_way=way) for head, most, way in zip("abc", widths, ways, strict=True)
    ]
    head = on(table(*columns, screen=screen(width)), width)[0]
    if not fits(columns, screen(width)):
        assert head.split() == ["a", "b"]
        return
    second, third = head.index("b"), head.index("c")
    assert second - 2 >= min(widths[0], 16)
    assert third - second - 2 >= min(widths[1], 24)
    assert third + widths[2] <= width


def test_those_that_give_way_are_levelled_before_the_others_are_touched() -> None:
    columns = (
        Column("game", ["12"]),
        Column("players", ["Ana, Beto, Cora, Dani"], gives_way=GivesWay.SHORTENS),
        Column("label", ["friday"], gives_way=GivesWay.SHORTENS),
    )
    lines = on(table(*columns, screen=screen(26)), 26)
    assert lines == ["game  players       label", "12    Ana, Beto, …  friday"]
    lines = on(table(*columns, screen=screen(15)), 15)
    assert all(line.endswith("…") and line.startswith("12  ") for line in lines[1:])


def test_where_all_is_too_wide_no_figure_is_cut_and_no_name_vanishes() -> None:
    for way, shown in ((NEVER, "total  12345"), (GivesWay.SHORTENS, "…  12345")):
        columns = (Column(cells=["total"], gives_way=way), Column(cells=[12345], right=True))
        assert on(table(*columns, screen=screen(7)), 7) == [shown]


def shares(width: int) -> list[str]:
    """Return a table whose columns shrink in every way, drawn in that space."""
    columns = (
        Column(
            "player",
            ["José María de la Concepción", "José María de la Construcción"],
            gives_way=GivesWay.APART,
        ),
        Column("games", [120, 7], right=True, short_heading="#"),
        Bars(cells=[1.0, -0.5], longest=20),
        Column("last seen", ["yesterday", ""], gives_way=GivesWay.DROPS),
    )
    return on(table(*columns, screen=screen(width)), width)


def test_a_table_gives_way_step_by_step_where_there_is_less_room() -> None:
    assert shares(69) == [
        "player                         games                        last seen",
        "José María de la Concepción      120  ████████████████████  yesterday",
        "José María de la Construcción      7  ░░░░░░░░░░",
    ]
    assert shares(57) == [  # first the bars are shorter
        "player                         games            last seen",
        "José María de la Concepción      120  ████████  yesterday",
        "José María de la Construcción      7  ░░░░",
    ]
    assert shares(44) == [  # then the names, as long as they can be read
        "player            games            last seen",
        "José Mar…cepción    120  ████████  yesterday",
        "José Mar…rucción      7  ░░░░",
    ]
    assert shares(43) == [  # then a column drops, and a heading is the short one
        "player                          #",
        "José María de la Concepción   120  ████████",
        "José María de la Construcci…    7  ░░░░",
    ]
    assert shares(20) == [  # then all is shorter
        "player          #",
        "José M…pción  120  █",
        "José M…cción    7  ░",
    ]


def test_a_name_that_needs_little_room_leaves_it_to_the_other() -> None:
    columns = (
        Column(cells=["José María de la Concepción"], gives_way=GivesWay.APART),
        Column(cells=["Ana"], gives_way=GivesWay.APART),
    )
    assert on(table(*columns, screen=screen(32)), 32) == ["José María de la Concepción  Ana"]
    assert on(table(*columns, screen=screen(20)), 20) == ["José María de…  Ana"]
    assert on(table(*columns, screen=screen(8)), 8) == ["Jos  Ana"]


def test_bars_are_as_long_as_the_largest_of_them_has_room() -> None:
    columns = (Column(cells=["Ana", "Bo"]), Bars(cells=[0.5, 0.25], longest=20))
    assert on(table(*columns, screen=screen(15)), 15) == ["Ana  ██████████", "Bo   █████"]
    assert on(table(*columns, screen=screen(11)), 11) == ["Ana  ██████", "Bo   ███"]


@given(st.lists(words, min_size=2, max_size=4, unique=True), st.integers(26, 80))
def test_no_table_is_wider_than_the_screen_and_no_name_looks_like_another(
    names: list[str], width: int
) -> None:
    lines = on(
        table(
            Column("player", names, gives_way=GivesWay.APART),
            Column("total", range(len(names)), right=True),
            Bars(cells=[1.0, *[0.0] * (len(names) - 1)], longest=20),
            Column("other", names, gives_way=GivesWay.DROPS),
            screen=screen(width),
        ),
        width,
    )
    assert max(map(cell_len, lines)) <= width
    assert len({line.split("  ")[0] for line in lines[1:]}) == len({*map(safe, names)})


def test_what_is_set_to_the_right_is_in_its_style_from_the_left() -> None:
    screen = Screen(width=UNLIMITED, color=True, marks=UNICODE)
    head = RuledColumn(cell("Bo", "bold reverse"), justify="right", width=4)
    assert on(ruled_table(RuledColumn(cell("ones")), head, screen=screen), color=True)[0].endswith(
        "\x1b[1;7m  Bo\x1b[0m"
    )


def test_parts_come_below_each_other_without_blanks_at_the_ends_of_lines() -> None:
    shown = table(Column("name", ["Ana"]), Column(cells=[""]), screen=WIDE)
    lines = on(Stack(text("Game 3", "bold"), "", shown, "one  \ntwo"), color=True)
    assert lines == ["\x1b[1mGame 3\x1b[0m", "", "\x1b[2mname\x1b[0m", "Ana", "one", "two"]


def test_paragraphs_are_broken_to_the_screen_and_keep_their_style() -> None:
    assert on(text("Ana is next", "dim"), 8, color=True) == ["\x1b[2mAna is\x1b[0m", "\x1b[2mnext\x1b[0m"]
    assert on(Stack("Ana is next"), 8) == ["Ana is", "next"]
    assert on(Stack("Ana is next")) == ["Ana is next"]


@given(mixed, st.integers(2, 30))
def test_paragraphs_fit_and_lose_nothing_but_blanks(shown: str, width: int) -> None:
    lines = on(Stack(shown), width)
    assert all(cell_len(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(shown.split())


def test_a_line_is_left_as_it_is() -> None:
    assert on(Stack(line("/home/Ana Maria/games  ", line(("fine", "bold")))), 8) == [
        "/home/Ana Maria/games  fine"
    ]


@cases("name", ["[red]Ana[/]", "[/]", ":smile:", "[link=x]Ana", "\\[b]"])
def test_a_name_is_no_markup(name: str) -> None:
    for width in (UNLIMITED, 30):
        shown = table(Column(cells=[name]), Column(cells=[1]), screen=screen(width))
        assert on(Stack(text(name), name, shown), width, color=True) == [name, name, f"{name}  1"]


def test_a_name_cannot_act() -> None:
    assert on(text("Ana \x1b[31m")) == ["Ana \\x1b[31m"]
    assert on(table(Column(cells=["Ana \x1b[31m"]), screen=WIDE))[0] == "Ana \\x1b[31m"


def test_on_a_terminal_of_ascii_only_the_ellipsis_is_another() -> None:
    assert as_text(cell("Maximilian"), Screen(width=5, color=False, marks=ASCII)) == "Maxi~\n"


def test_a_text_is_one_already() -> None:
    assert as_text("a  \n", Screen(width=1, color=True, marks=UNICODE)) == "a  \n"


def test_what_the_environment_says_is_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "3")
    assert on(text("Ana is next", "bold"), color=True) == ["\x1b[1mAna is next\x1b[0m"]
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert on(text("Ana is next", "bold")) == ["Ana is next"]


@given(mixed, st.integers(-3, 30))
def test_what_is_cut_fits_and_is_a_beginning(shown: str, width: int) -> None:
    piece = cut(shown, width)
    assert cell_len(piece) == min(cell_len(shown), max(0, width))
    assert shown.startswith(piece.removesuffix(" "))


@cases(
    ("value", "width", "short"),
    [
        ("Ana", 3, "Ana"),
        ("Anabel", 5, "Anab…"),
        ("Ana Maria", 5, "Ana…"),
        ("日本太郎", 6, "日本…"),
        (FAMILY, 2, FAMILY),
        ("Jose\u0301", 4, "Jose\u0301"),
        ("Ana", 1, "…"),
    ],
)
def test_what_does_not_fit_ends_in_an_ellipsis(value: str, width: int, short: str) -> None:
    assert shortened(value, width, UNICODE) == short


def test_those_that_would_look_the_same_are_shortened_in_the_middle() -> None:
    assert shortened_apart(["Player11", "Player12", "Bo"], [5, 5, 5], UNICODE) == ["Pl…11", "Pl…12", "Bo"]


def test_in_a_few_cells_they_are_told_apart_by_what_differs() -> None:
    names = [
        "Player11",
        "Player12",
        "Ana Maria",
        "Ana Paula",
        "Ana",
        "Anabel",
        "Beto",
        "日本太郎",
        "日本花子",
    ]
    short = ["P11", "P12", "AnM", "AnP", "Ana", "Anl", "Bet", "郎", "子"]
    assert shortened_apart(names, [3] * 9, UNICODE) == short


alike = st.text(st.sampled_from("ab日👍é 1"), min_size=1, max_size=9).map(lambda name: f"x{name}x")


@given(
    st.lists(alike, min_size=1, max_size=9, unique=True), st.integers(3, 9), st.sampled_from((UNICODE, ASCII))
)
def test_no_two_are_shortened_to_the_same(names: list[str], width: int, marks: Marks) -> None:
    short = shortened_apart(names, [width] * len(names), marks)
    assert len(set(short)) == len(names)
    assert all(0 < cell_len(shown) <= width for shown in short)


def test_where_there_is_no_room_at_all_each_has_what_fits() -> None:
    assert shortened_apart(["Ana", "Ane", "Ana"], [1, 1, 1], UNICODE) == ["…", "…", "…"]


@cases("drawn", [text("full 5\u00a0%, two 6\u00a0%"), Stack("full 5\u00a0%, two 6\u00a0%")])
def test_a_figure_and_its_sign_stay_on_one_line(drawn: RenderableType) -> None:
    assert on(drawn, 7) == ["full", "5\u00a0%,", "two 6\u00a0%"]


def test_what_is_longer_than_a_line_goes_on_further_in() -> None:
    words = "games/1/game.json  fine, 30 events; backup fine"
    assert on(Hanging(words, 2)) == on(Hanging(words, 2), 49) == [f"  {words}"]
    assert on(Hanging(words, 2), 32) == ["  games/1/game.json  fine, 30", "    events; backup fine"]
    assert all(cell_len(line) <= 12 for line in on(Hanging(words, 2), 12))
