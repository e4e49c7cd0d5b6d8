"""Tables: what stands in them is all there, in straight columns, on any screen."""

from collections.abc import Sequence
from re import sub

from hypothesis import given
from hypothesis import strategies as st

from generala_cli.render.letters import columns
from generala_cli.render.paper import drawn
from generala_cli.render.screen import PAPER, TYPEWRITER, UNCUT, Screen
from generala_cli.render.table import Cell, Column, Table, plain_table, ruled_table, text

PAPERED = Screen(width=UNCUT, color=False, marks=PAPER)
COLOURED = Screen(width=UNCUT, color=True, marks=PAPER)
words = st.text(st.sampled_from("abc 日👍é✗"), min_size=1, max_size=12).map(lambda word: f"x{word}x")
rows = st.lists(st.tuples(words, words, words), min_size=1, max_size=4)
Rows = Sequence[tuple[str, str, str]]


def plain(rows: Rows, flexible: Sequence[int] = (), wrapping: Sequence[int] = ()) -> Table:
    table = plain_table("one", "two", "three", right=(1,), flexible=flexible, wrapping=wrapping)
    for row in rows:
        table.add_row(*map(text, row))
    return table


def ruled(rows: Rows) -> Table:
    head, *across = (Column(head=text(head), right=head != "") for head in ("", "Ana", "Beto"))
    table = ruled_table(head, *across)
    for row in rows:
        table.add_row(*map(text, row), end_section=True)
    return table


def on(table: Table, width: int = UNCUT, *, color: bool = False) -> list[str]:
    return list(table.lines(Screen(width=width, color=color, marks=PAPER)))


@given(rows, st.booleans())
def test_every_line_is_as_wide_as_the_others(rows: Rows, is_ruled: bool) -> None:
    lines = on(ruled(rows) if is_ruled else plain(rows))
    assert len({columns(line) for line in lines}) == 1


@given(rows, st.booleans())
def test_nothing_is_lost_where_there_is_room(rows: Rows, is_ruled: bool) -> None:
    lines = on(ruled(rows) if is_ruled else plain(rows))
    found = [line for line in lines if "─" not in line][1:]
    for line, row in zip(found, rows, strict=True):
        assert line.replace(" ", "").replace("│", "") == "".join(row).replace(" ", "")


@given(rows, st.integers(14, 50), st.booleans())
def test_no_line_is_wider_than_the_screen(rows: Rows, width: int, is_ruled: bool) -> None:
    lines = on(ruled(rows) if is_ruled else plain(rows, flexible=(0, 2)), width)
    assert all(columns(line) <= width for line in lines)
    assert len({columns(line) for line in lines}) == 1


@given(rows, st.integers(25, 50))
def test_what_wraps_is_never_cut(rows: Rows, width: int) -> None:
    letters = sorted("".join("".join(row) for row in rows).replace(" ", ""))
    lines = on(plain(rows, wrapping=(0, 1, 2)), width)
    below = "".join(lines[1:]) if columns("one  two  three") <= width else "".join(lines)
    assert sorted(below.replace(" ", "")) == letters
    assert all(columns(line) <= width for line in lines)


@given(rows, st.booleans())
def test_colour_changes_nothing_but_the_colour(rows: Rows, is_ruled: bool) -> None:
    table = ruled(rows) if is_ruled else plain(rows)
    table.add_row(*(text("end", style) for style in ("red", "bold reverse", "dim")))
    coloured = "\n".join(on(table, color=True))
    assert sub("\x1b\\[[0-9;]*m", "", coloured) == "\n".join(on(table))
    assert "\x1b[1;7m" in coloured


def test_a_plain_table_is_set_by_blanks() -> None:
    table = plain_table("", "player", "total", right=(0, 2))
    table.add_row(text(1), text("Ana"), text(120))
    assert on(table) == ["   player  total", "1  Ana       120"]


def test_a_head_with_nothing_in_it_is_left_out() -> None:
    table = plain_table("", "")
    table.add_row(text("Ana"), text("owes"))
    assert on(table) == ["Ana  owes"]


def test_a_ruled_table_is_ruled_under_its_head_and_between_sections_not_at_its_end() -> None:
    table = ruled_table(Column(head=text("")), Column(head=text("Ana"), right=True, width=5))
    table.add_row(text("ones"), text("3"))
    table.add_row(text("full house"), text("30"), end_section=True)
    table.add_row(text("total"), text("33"), end_section=True)
    rule = "───────────┼──────"
    head, *lines = on(table)
    assert head == "           │   Ana"
    assert lines == [rule, "ones       │     3", "full house │    30", rule, "total      │    33"]
    ascii_screen = Screen(width=UNCUT, color=False, marks=TYPEWRITER)
    assert list(table.lines(ascii_screen))[1] == "-----------+------"


def test_those_that_give_way_are_levelled_before_the_others_are_touched() -> None:
    table = plain_table("game", "players", "label", flexible=(1, 2))
    table.add_row(text("12"), text("Ana, Beto, Cora, Dani"), text("friday"))
    assert on(table, 26) == ["game  players       label ", "12    Ana, Beto, …  friday"]
    assert on(table, 16) == ["game  pl…  label", "12    An…  frid…"]


def test_where_all_is_too_wide_figures_are_not_cut_unseen() -> None:
    table = plain_table("", "", right=(1,))
    table.add_row(text("total"), text("12345"))
    assert on(table, 9) == ["to…  123…"]


def test_what_is_set_to_the_right_is_in_its_style_from_the_left() -> None:
    table = ruled_table(
        Column(head=text("ones")), Column(head=Cell(text="Bo", style="bold reverse"), right=True, width=4)
    )
    assert on(table, color=True)[0] == "ones │ \x1b[1;7m  Bo\x1b[0m"


def test_parts_come_below_each_other_without_blanks_at_the_ends_of_lines() -> None:
    table = plain_table("name", "")
    table.add_row(text("Ana"), text(""))
    told = drawn(COLOURED, text("Game 3", "bold"), "", table, "one\ntwo")
    assert told == "\x1b[1mGame 3\x1b[0m\n\n\x1b[2mname\x1b[0m\nAna\none\ntwo\n"


def test_paragraphs_are_broken_to_the_screen_and_keep_their_style() -> None:
    screen = Screen(width=8, color=True, marks=PAPER)
    assert drawn(screen, text("Ana is next", "dim")) == "\x1b[2mAna is\x1b[0m\n\x1b[2mnext\x1b[0m\n"
    assert drawn(PAPERED, "Ana is next") == "Ana is next\n"


def test_a_name_is_no_markup_and_cannot_act() -> None:
    assert drawn(PAPERED, text("[red]Ana[/] \x1b[31m")) == "[red]Ana[/] \\x1b[31m\n"
