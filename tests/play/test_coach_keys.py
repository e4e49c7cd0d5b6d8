"""The coach at the table, with Textual's pilot: keys and taps, stored data, and messages."""

import asyncio

import pytest
from textual.pilot import Pilot

from generala_cli.play.screen import TableView
from generala_cli.store.store import Store
from tests.app.table import begin
from tests.cli.program import Generala
from tests.play.piloted import Acts, screen_after, screen_after_acts, typed
from tests.sizes import thinned

pytestmark = pytest.mark.complete  # the coach needs advice
SECONDS = 300
"""Longer than any machine takes to work General out."""


@pytest.fixture
def table(store: Store) -> Store:
    """Ana and Beto play General, without entries yet."""
    begin(store)
    return store


def entry(store: Store) -> tuple[str, str | None, int, list[tuple[tuple[int, ...], tuple[int, ...]]]]:
    """The only entry: player, category, throw, and the throws before."""
    (found,) = store.open(None).game.entries
    throws = [] if not isinstance(found.throws, tuple) else found.throws
    return found.player, found.category, found.roll, [(each.dice, each.kept) for each in throws]


def until(words: str) -> Acts:
    """Return an action that waits until this text is shown."""

    async def wait(pilot: Pilot[int]) -> None:
        shown: list[str] = []
        for _ in range(SECONDS * 20):
            shown = pilot.app.query_one(TableView).shown
            if any(words in line for line in shown):
                return
            await asyncio.sleep(0.05)
        raise AssertionError((words, shown))

    return wait


def seen(store: Store, *acts: str | Acts) -> list[str]:
    """Return the screen after some keys, and after waits between them."""

    async def run(pilot: Pilot[int]) -> None:
        for act in acts:
            await (typed(pilot, act) if isinstance(act, str) else act(pilot))

    return screen_after_acts(store, run)


@pytest.mark.slow
def test_k_goes_round_and_the_line_begins_anew(table: Store) -> None:
    assert screen_after(table, "k")[-3] == "the coach advises you before you choose"
    assert screen_after(table, "k", "k")[-3] == "the coach comments after you choose"
    assert (
        screen_after(table, "k", "k", "k")[-3]
        == "the coach shows the choice most likely to win, before you choose"
    )
    assert screen_after(table, "k", "k", "k", "k")[-3] == "coach off"
    assert any("throw 1 of 3" in line for line in screen_after(table, "k"))


FIRST, SECOND = ((4, 4, 1, 2, 6), (4, 4)), ((4, 4, 4, 2, 5), (4, 4, 4))


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize(
    ("keys", "found"),
    thinned(
        [
            (["55533", "enter", "enter"], ("Ana", "full-house", 1, [])),
            (["4412644 425444 64", "enter"], ("Ana", "four-of-a-kind", 3, [FIRST, SECOND])),
            (["4412644", "enter", "442", "enter"], ("Ana", "four-of-a-kind", 2, [FIRST])),
            (["44126  55533", "enter"], ("Ana", "full-house", 2, [((4, 4, 1, 2, 6), ())])),
            (["4412644 442x g", "enter"], ("Ana", "general", 2, [FIRST])),
            (["4412644 442four of", "enter"], ("Ana", "four-of-a-kind", 2, [FIRST])),
            (["4412646", "backspace", "4 442", "enter"], ("Ana", "four-of-a-kind", 2, [FIRST])),
            (["55533 full", "enter", "enter"], ("Ana", "full-house", 1, [])),
            (["44126", "escape", "x g", "enter"], ("Ana", "general", 3, [])),
        ],
        every=3,
    ),
    ids=str,
)
def test_every_throw_is_stored(table: Store, keys: list[str], found: tuple[object, ...]) -> None:
    shown = screen_after(table, "k", *keys)
    assert entry(table) == found, shown


@pytest.mark.slow
def test_dice_are_kept_by_a_tap_and_shown_apart(table: Store) -> None:
    async def tap(pilot: Pilot[int]) -> None:
        await typed(pilot, "k", "44126")
        view = pilot.app.query_one(TableView)
        row = next(place for place, line in enumerate(view.shown) if "4  4  1  2  6" in line)
        column = view.shown[row].index("4  4  1  2  6")
        for place in (0, 4, 4, 1):
            await pilot.click(offset=(column + 3 * place, row))
        assert "[4][4] 1  2  6" in view.shown[row]
        assert any("throw 2 of 3" in line for line in view.shown)
        await typed(pilot, "442", "enter")

    screen_after_acts(table, tap, size=(40, 20))
    assert entry(table) == ("Ana", "four-of-a-kind", 2, [((4, 4, 1, 2, 6), (4, 4))])


@pytest.mark.slow
def test_it_advises_before_the_choice_and_says_what_another_costs(table: Store) -> None:
    shown = seen(table, "k", "44126", until("best: keep 4 4"), "1", until("as marked"))
    assert any("−1." in line for line in shown)


@pytest.mark.slow
def test_it_says_after_the_choice_what_was_best_and_what_it_cost(table: Store) -> None:
    throws = ("44126", until("mark the dice to keep"), "144 ", until("kept 1 4 4: −1.1; best:"), "442")
    seen(table, "k", "k", *throws, "enter", until("Ana: −6.4; best: keep"))
    assert entry(table)[1] == "four-of-a-kind"


@pytest.mark.slow
def test_no_key_waits_for_it_and_none_drops_it(store: Store) -> None:
    begin(store, "kniffel")
    shown = seen(store, "k", "4412644 425", "escape", "44126", until("best: keep"))
    assert shown[-2] == "coach, throw 1 › 44126"


def test_what_cannot_be_worked_out_is_reported(table: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHOME", "/nowhere")  # Python cannot start there
    shown = seen(table, "k", "44126", until("could not be"))
    assert shown[-2] == "coach, throw 1 › 44126"


@pytest.mark.slow
def test_names_reach_it_whatever_the_encoding_of_pipes_is(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "cp1252")
    begin(store, "general", "José", "Ana")
    shown = seen(store, "k", "44126", until("best: keep 4 4"))
    assert any("José" in line for line in shown)


def test_a_line_about_advice_has_no_throws(table: Store) -> None:
    assert screen_after(table, "k", "a 44126 1")[-2] == "coach, throw 1 › a 44126 1"


def test_another_game_keeps_the_coach(table: Store) -> None:
    begin(table, "crag")
    shown = screen_after(table, "k", "g", "up", "enter", "4412")
    assert "44126" not in shown[-2]
    assert shown[-2] == "coach, throw 1 › 4412"


@pytest.mark.slow
def test_a_dialogue_has_no_coach(generala: Generala) -> None:
    with generala.on_terminal("play", "--coach", "--plain") as terminal:
        code, shown = terminal.end()
    assert code == 2
    assert "--plain and --coach cannot be combined" in shown
