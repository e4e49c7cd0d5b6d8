"""Every key at the table, with Textual's pilot: its effect on the game, and the screen."""

import re

import pytest
from textual import events
from textual.pilot import Pilot

from generala_cli.cli.helping import chapter_file
from generala_cli.game.turnline import TurnLine
from generala_cli.play.keys import COMMANDS, HINTS, HINTS_AT_END, KEYS, sidebar_rows
from generala_cli.play.screen import TableView
from generala_cli.store.store import Store
from generala_cli.table import turns
from tests.app.table import begin, score
from tests.cases import cases
from tests.play.piloted import screen_after, screen_after_acts, settled
from tests.sizes import thinned
from tests.transcripts import KEY_ROWS, key_rows


def entries(store: Store) -> list[tuple[str, str | None, int, int]]:
    """Return the player, category, throw and points of every entry."""
    found = store.open(None).game.entries
    return [(entry.player, entry.category, entry.roll, entry.points) for entry in found]


@pytest.fixture
def table(store: Store) -> Store:
    """Ana and Beto play General, without entries yet."""
    begin(store)
    return store


def test_a_key_stands_in_the_table_once_and_has_a_name_wherever_it_is_shown() -> None:
    assert len({key.key for key in KEYS}) == len(KEYS)
    for key in KEYS:
        assert bool(key.label) == bool(key.row or key.hint or key.end_hint), key
    for places in ([key.hint for key in HINTS], [key.end_hint for key in HINTS_AT_END]):
        assert places == list(range(1, len(places) + 1))
    assert [row[0].row for row in sidebar_rows()] == list(range(1, 1 + max(key.row for key in KEYS)))


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize(
    ("keys", "entry"),
    thinned(
        [
            (["55533", "enter"], ("Ana", "full-house", 3, 30)),
            (["55533 1", "enter"], ("Ana", "full-house", 1, 35)),
            (["55533 ", "enter"], ("Ana", "full-house", 3, 30)),
            (["66661 6", "enter"], ("Ana", "sixes", 3, 24)),
            (["55533 f", "backspace", "enter"], ("Ana", "full-house", 3, 30)),
            (["55533 1 full", "enter"], ("Ana", "full-house", 1, 35)),
            (["5 5 5 3 3 fives", "enter"], ("Ana", "fives", 3, 15)),
            (["55533", "up", "enter"], ("Ana", "fives", 3, 15)),
            (["55533", "up", "up", "down", "enter"], ("Ana", "fives", 3, 15)),
            (["5544", "backspace", "backspace", "533", "enter"], ("Ana", "full-house", 3, 30)),
            (["1111", "escape", "55533", "enter"], ("Ana", "full-house", 3, 30)),
            (["55533", "ctrl+j"], ("Ana", "full-house", 3, 30)),
            (["1111", "ctrl+u", "55533", "enter"], ("Ana", "full-house", 3, 30)),
            (["x g", "enter"], ("Ana", "general", 3, 0)),
            (["x", "down", "enter"], ("Ana", "ones", 3, 0)),
            (["55533xf", "enter"], ("Ana", "full-house", 3, 0)),
            (["55533 Beto", "enter"], ("Beto", "full-house", 3, 30)),
            (["55533 t", "enter"], ("Ana", "threes", 3, 6)),
            (["X", "down", "down", "enter"], ("Ana", "twos", 3, 0)),
            (["33355 beto", "enter"], ("Beto", "full-house", 3, 30)),
            (["unos 11123", "enter"], ("Ana", "ones", 3, 3)),
            (["full 55566", "enter"], ("Ana", "full-house", 3, 30)),
            (["score 55533 1 full", "enter"], ("Ana", "full-house", 1, 35)),
        ],
        every=3,
    ),
    ids=str,
)
def test_what_is_typed_is_entered(table: Store, keys: list[str], entry: tuple[str, str, int, int]) -> None:
    shown = screen_after(table, *keys)
    assert entries(table) == [entry]
    assert shown[-2] == "›"


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (["enter"], "nothing typed yet"),
        (["555", "enter"], "3 of 5 dice typed"),
        (["three sixes", "enter"], "3 of 5 dice typed"),
        (["x", "enter"], "no category to scratch is given"),
        (["33445 anax", "enter"], "'anax' is not a category, throw or player"),
        (["57533", "enter"], "7 is not a face of a die"),
        (["z", "enter"], "there is no command 'z'"),
        (["55533 general", "enter"], "or scratch it with 55533 x general"),
        (["12345 full", "enter"], "1 2 3 4 5 is not full house; score it as straight"),
        (["55533", "down"], "no other box"),
        (["down"], "nothing to choose yet"),
        (["u"], "there is nothing to undo"),
        (["m"], "the game is not over"),
        (["tab"], "advice needs a whole hand"),
        (["a 55", "enter"], "advice needs a whole hand"),
        (["pageup"], "pageup does nothing here"),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused_in_a_line_and_nothing_is_entered(
    table: Store, keys: list[str], message: str
) -> None:
    shown = screen_after(table, *keys)
    first = next(place for place, line in enumerate(shown) if line.startswith("! "))
    assert message in " ".join(shown[first:])
    assert entries(table) == []


@pytest.mark.thinned(every=2)
@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (["x", "enter", "ones"], "ones"),
        (["x", "enter", "backspace", "55533"], "55533"),
        (["x", "enter", "up", " ones"], "x ones"),
        (["x", "enter", " ones"], "x ones"),
        (["x ons", "enter", "left", "e"], "x ones"),
        (["fulll 55533", "enter", "up", "1"], "fulll 555331"),
        (["fulll", "enter", "z", "escape", "up", "up"], "fulll"),
        (["fulll", "enter", "enter", "5"], "5"),
        (["555", "enter", "6"], "6"),
        (["52525 z", "enter", "5"], "5"),
        (["11666", "x", "enter", "2"], "2"),
        (["m", "5"], "5"),
    ],
    ids=str,
)
def test_after_a_refused_line_typing_starts_the_next_line_and_an_edit_goes_on(
    table: Store, keys: list[str], line: str
) -> None:
    assert f"› {line}" in screen_after(table, *keys)


def test_a_question_for_a_box_is_answered_with_its_name(store: Store) -> None:
    begin(store, "kniffel")
    keys = ["11266", "enter"]  # ones, twos, sixes or chance
    assert "› 55533" in screen_after(store, *keys, "55533")
    assert "› 11266 chance" in screen_after(store, *keys, "chance")
    screen_after(store, *keys, "chance", "enter")
    assert entries(store) == [("Ana", "chance", 3, 16)]


def test_nothing_is_entered_without_enter(table: Store) -> None:
    shown = screen_after(table, "55533 1")
    assert entries(table) == []
    assert shown[-2] == "› 55533 1"
    assert shown[-1].startswith("Enter scores full house")
    assert any(line.startswith("full house") and "▸35*" in line for line in shown)


def test_a_hand_that_makes_nothing_waits_for_a_box_to_be_chosen(table: Store) -> None:
    for category in ("ones", "twos", "threes", "fours", "sixes"):
        for player in ("Ana", "Beto"):
            turns.enter(table, TurnLine(words=("x", category), player=player))
    before = entries(table)
    shown = screen_after(table, "12346", "enter")
    assert "fits none of Ana's open boxes" in shown[-3]
    assert entries(table) == before
    screen_after(table, "12346", "down", "enter")
    assert entries(table)[-1] == ("Ana", "fives", 3, 0)


def test_undo_and_redo(table: Store) -> None:
    score(table, "55533")
    assert screen_after(table, "u")[-3] == "undone: Ana, full house 30 (5 5 5 3 3)"
    assert entries(table) == []
    assert screen_after(table, "r")[-3].startswith("redone: Ana, full house 30")
    assert len(entries(table)) == 1


@pytest.mark.slow
def test_the_log_marks_the_last_entry_and_opens_a_form_to_correct_it(table: Store) -> None:
    score(table, "55533")
    score(table, "44442")
    shown = screen_after(table, "l")
    assert [line[:6] for line in shown[2:5]] == [" turn ", "    1 ", "»   2 "]
    assert "Correct turn 1: Ana, full house 30" in screen_after(table, "e", "up", "enter")
    screen_after(table, "e", "up", "enter", "down", "1", "enter")
    assert entries(table)[0] == ("Ana", "full-house", 1, 35)


@pytest.mark.slow
def test_a_long_paste_is_cut_at_once_and_says_so(store: Store) -> None:
    begin(store)

    async def paste(pilot: Pilot[int]) -> None:
        pilot.app.query_one(TableView).post_message(events.Paste("55533 " + "f" * 1200))
        await settled(pilot)

    shown = screen_after_acts(store, paste)
    line = next(
        place for place, line in enumerate(shown) if line.startswith("› " + "f" * 20)
    )  # its end is seen
    assert shown[line - 1] == "! a line can have 100 characters; the rest was dropped"


@pytest.mark.complete  # without a package, keys are missing
@cases("language", ["en", "es", "de", "pt"])
def test_the_guide_has_the_keys_of_the_screen(language: str) -> None:
    """The table appears once, with every letter of the screen."""
    text = chapter_file("screen", language).read_text(encoding="utf-8")
    assert KEY_ROWS.findall(text) == [key_rows(language)]
    letters = {letter for letter in re.findall(r"`(.)`", key_rows(language)) if not letter.isdecimal()}
    assert letters == {key for key in COMMANDS if len(key) == 1}
