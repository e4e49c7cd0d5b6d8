"""The line at the table: read as in the shell."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from generala_cli.errors import GeneralaError, UsageError
from generala_cli.game.decisions import Undecided, options
from generala_cli.game.game import Game
from generala_cli.game.turn import Turn
from generala_cli.game.turnline import TurnLine
from generala_cli.play.input_line import press
from generala_cli.play.table import Table as PlayTable
from generala_cli.play.turn_view import read
from generala_cli.rules.catalog import built_in_names
from generala_cli.table import turns
from tests.app.table import begin
from tests.cases import cases
from tests.game.table import Table, house
from tests.play.piloted import PLAIN
from tests.store.files import store_in

NOTATIONS = ("".join, " ".join, ",".join, "-".join)


def game(name: str = "general", *players: str) -> Game:
    return Table(house(name), *players).game


def line(keys: str, on: Game | None = None) -> str:
    """Return the line after these keys, which must all be accepted."""
    view = read("", on or game())
    for key in keys:
        view = press(view, key)
    return view.text


def typed(keys: str, on: Game | None = None) -> Turn:
    table = on or game()
    return read(line(keys, table), table).turn


def offered(keys: str, on: Game | None = None) -> list[tuple[str, int | None]]:
    """Return the boxes offered for the line with their points; None for a scratch."""
    table = on or game()
    return [(option.category.id, option.points) for option in options(typed(keys, table), table, "Ana")]


@given(data=st.data(), name=st.sampled_from(built_in_names()), join=st.sampled_from(NOTATIONS))
def test_what_is_typed_key_by_key_is_what_is_meant(
    data: st.DataObject, name: str, join: Callable[[list[str]], str]
) -> None:
    table = game(name, "Ana", "Beto", "Zoe Z")
    rules = table.rules
    dice = data.draw(st.lists(st.integers(1, rules.faces), min_size=rules.dice, max_size=rules.dice))
    throw = data.draw(st.none() | st.integers(1, rules.throws))
    category = data.draw(st.none() | st.sampled_from(rules.categories))
    player = data.draw(st.none() | st.sampled_from(table.seats))
    output = throw and (
        str(throw) if rules.has_throws_that_matter else ("first", "second", "third")[throw - 1]
    )
    named = category.name if category else ""
    words = (join([str(die) for die in dice]), output or "", named, player or "")
    found = typed(" ".join(filter(None, words)), table)
    assert (found.dice, found.roll) == (tuple(dice), throw), words
    assert (found.category, found.player) == (category, player), words


_PIECES = ["55533", "5", "3", "1", "4", "6", " ", "  ", "full", "f", "x", "x ", "ana", "beto", "fo", "12345"]
_PIECES += [",", "/", "-", ":", "44126:44", "servida", "gen", "a", "zz", "0", "7", "\x1b", "ñ"]


@given(
    text=st.lists(st.sampled_from(_PIECES), max_size=8).map("".join), name=st.sampled_from(built_in_names())
)
@example(text="66661 6", name="general")
@example(text="55533 1 2", name="general")
@example(text="33445 anax", name="general")
@example(text="12345 full", name="general")
@example(text="11266 4", name="kniffel")
def test_a_line_gives_the_same_entry_or_the_same_refusal_on_the_screen_and_in_the_shell(
    text: str, name: str
) -> None:
    with TemporaryDirectory() as one, TemporaryDirectory() as other:
        screen, shell = store_in(Path(one)), store_in(Path(other))
        begin(screen, name)
        begin(shell, name)
        table = PlayTable(screen, PLAIN, None)
        table.line.text = text
        refusals: list[GeneralaError | None] = [None, None]
        if not table.view.names_a_turn or table.view.asks_for_advice:
            return  # nothing is entered yet, and the screen says how many dice are missing
        try:
            turns.enter(shell, TurnLine(words=text.split()))
        except GeneralaError as error:
            refusals[0] = error
        try:
            table.enter()
        except GeneralaError as error:
            refusals[1] = error
        assert screen.open(None).game.entries == shell.open(None).game.entries
        in_shell, on_screen = refusals
        assert type(in_shell) is type(on_screen)
        assert in_shell is None or str(in_shell) == str(on_screen)


@cases(
    ("keys", "text"),
    [
        ("55533", "55533"),
        ("555331", "555331"),
        ("5 5 5 3 31", "5 5 5 3 31"),
        ("55533f", "55533f"),
        ("12345 5er", "12345 5er"),
        ("55533/1", "55533/1"),
        ("55533  f", "55533 f"),
        ("55533xf", "55533xf"),
        ("pay Beto Ana 5", "pay Beto Ana 5"),
        (" 55533", "55533"),
    ],
)
def test_the_line_is_as_typed_without_needless_blanks(keys: str, text: str) -> None:
    assert line(keys) == text


@cases(
    ("keys", "throw"),
    [
        ("55533", None),
        ("55533 ", None),
        ("55533    ", None),
        ("55533 1", 1),
        ("555331", None),
        ("55533 f", None),
        ("66661 6", None),
    ],
)
def test_a_throw_is_only_ever_what_was_typed_as_one(keys: str, throw: int | None) -> None:
    assert typed(keys).roll == throw
    assert read(line(keys)[:-1].rstrip("1"), game()).turn.roll is None


@cases(
    ("keys", "refused"),
    [
        ("x" + "f" * 100, "the line is full"),
    ],
)
def test_what_cannot_follow_is_refused_and_the_line_stays(keys: str, refused: str) -> None:
    text = line(keys[:-1])
    with pytest.raises(UsageError) as error:
        press(read(text, game()), keys[-1])
    assert refused in str(error.value.message)


@given(keys=st.text(alphabet="0123456789 xfghuzá,;-?", max_size=12))
@example(keys="x4á")
def test_no_keys_at_all_are_too_much_for_it(keys: str) -> None:
    view = read("", game())
    for key in keys:
        try:
            view = press(view, key)
        except GeneralaError:
            continue
    found = view.turn
    assert found.roll in (None, *range(1, 10))  # `4a` is a throw in words, refused by Enter
    assert len(found.dice or ()) <= 5


def test_boxes_follow_as_on_the_sheet_with_what_they_pay() -> None:
    pays = {"threes": 6, "fives": 15, "full-house": 30}
    assert offered("55533") == [(category.id, pays.get(category.id)) for category in game().rules.categories]
    assert ("full-house", 35) in offered("55533 1")


def test_words_leave_the_boxes_that_they_name_or_begin() -> None:
    assert offered("55533 f") == [("full-house", 30)]
    assert offered("55533 fiv") == [("fives", 15)]
    assert offered("55533 1 threes") == [("threes", 6)]
    assert offered("44442 4k") == [("four-of-a-kind", 40)]
    assert offered("44442 fo") == [("four-of-a-kind", 40)]  # the more expensive box, like plain dice


def test_x_scratches_before_the_hand_and_behind_it() -> None:
    assert offered("x ")[0] == ("ones", None)
    assert offered("x g") == [("general", None)]
    assert offered("55533x full") == [("full-house", None)]


def test_a_hand_that_wins_at_once_goes_nowhere_else() -> None:
    table = game()
    (only,) = options(typed("55555 1", table), table, "Ana")
    assert (only.category.id, only.wins) == ("general", True)


def test_of_a_tie_nothing_is_marked(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    begin(store, "kniffel")
    table = PlayTable(store, PLAIN, None)
    for text in ("11266", "55521"):  # only numbers and chance; three of a kind and chance
        table.line.text = text
        assert table.view.marked is None
        assert isinstance(table.view.decision, Undecided)
    table.line.move(1)
    assert table.line.is_marked("ones")


@pytest.mark.parametrize(
    ("text", "moves", "marked"),
    [
        ("55533", (), "full-house"),
        ("55533", (-1,), "fives"),
        ("55533", (-1, -1), "threes"),  # fours lie between, and would be scratched
        ("x ", (1,), "ones"),
        ("x ", (-1,), "general"),
        ("55533 x ", (1, 1), "twos"),
    ],
)
def test_an_arrow_goes_to_the_next_box_on_the_sheet_that_pays_and_scratches_nothing_unasked(
    tmp_path: Path, text: str, moves: tuple[int, ...], marked: str
) -> None:
    store = store_in(tmp_path)
    begin(store)
    table = PlayTable(store, PLAIN, None)
    table.line.text = text
    for by in moves:
        table.line.move(by)
    assert table.line.is_marked(marked)
    table.line.choose("ones")
    with pytest.raises(UsageError, match="no other box"):
        table.line.move(-1)


def test_the_line_is_edited_at_the_cursor_and_comes_back(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    begin(store)
    line = PlayTable(store, PLAIN, None).line
    for key in "fll 5533":
        line.press(key)
    line.move_cursor(-3)
    line.press("5")
    line.move_cursor(-100)
    line.move_cursor(1)
    line.press("u")
    assert (line.text, line.cursor) == ("full 55533", 2)
    line.erase(-2)
    assert (line.text, line.cursor) == ("fu 55533", 2)
    line.erase_word()
    assert (line.text, line.cursor) == (" 55533", 0)
    line.clear()
    line.press("u")
    line.clear()
    for earlier in ("u", " 55533", " 55533"):
        line.recall()
        assert line.text == earlier


def test_a_name_that_boxes_share_offers_both_and_says_how_to_type_each() -> None:
    table = game("bozo", "Ana", "Beto")
    assert offered("44126 quadra", table) == [("fours", 8)]
    assert offered("44441 quadra", table) == [("fours", 16), ("four-of-a-kind", 30)]
    refusal, hint = map(str, read(line("44441 quadra", table), table).promise)
    assert refusal == "'quadra' could be fours or four of a kind"
    assert hint == "type 44441 fours or 44441 four-of-a-kind"
