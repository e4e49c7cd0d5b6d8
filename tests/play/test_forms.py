"""Forms and overlays on the sheet, with Textual's pilot: new game, correction, log, places, games."""

import asyncio

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Static

from generala_cli.game.game import Game
from generala_cli.game.turnline import TurnLine
from generala_cli.games import starting
from generala_cli.play import screen
from generala_cli.play.screen import TableView
from generala_cli.render.language import speak
from generala_cli.store.store import Store
from generala_cli.table import turns
from tests.app.table import begin, score
from tests.play.piloted import screen_after, screen_after_acts, typed
from tests.sizes import thinned

PLAYERS, RULES, OPTIONS, STAKE, UNIT, PAYOUT, SIDES, OPENINGS, NAME = range(9)
"""The fields of a new game, from above."""


def game(store: Store) -> Game:
    return store.open(None).game


def down(count: int) -> list[str]:
    return ["down"] * count


@pytest.mark.slow
def test_with_no_game_at_all_names_and_enter_begin_one(store: Store) -> None:
    shown = screen_after(store, "Ana Beto", "enter")
    assert game(store).seats == ("Ana", "Beto")
    assert game(store).rules.name == "generala"
    assert any(line.startswith("game 1: Ana is to throw") for line in shown)


@pytest.mark.slow
def test_names_with_blanks_have_commas_between(store: Store) -> None:
    screen_after(store, "Ana Maria, Beto", "enter")
    assert game(store).seats == ("Ana Maria", "Beto")


@pytest.mark.slow
def test_what_can_hardly_be_a_name_is_doubted_unless_commas_say_that_it_is(store: Store) -> None:
    shown = screen_after(store, "Ana Beto poker", "enter")
    assert any("'poker' is" in line for line in shown)
    assert store.numbers() == []
    screen_after(store, "Ana, poker", "enter")
    assert game(store).seats == ("Ana", "poker")


@pytest.mark.slow
def test_every_field_of_a_new_game_counts(store: Store) -> None:
    def field(value: str) -> list[str]:
        return ["ctrl+u", value, "down"]

    shown = screen_after(
        store,
        *field("Ana Beto Cora Dani"),
        *field("general"),
        *field("bonus=10 double-generala=yes"),
        *field("0.05"),
        *field("USD"),
        *field("pairwise"),
        *field("Ana+Cora Beto+Dani"),
        *field("Ana=66655 Beto=11124 Cora=55521 Dani=66621"),
        *["friday", "enter"],
    )
    assert shown[0].startswith("Game 1: General")
    agreed = game(store).agreed
    assert game(store).seats == ("Beto", "Cora", "Dani", "Ana")
    assert agreed.sides == (("Ana", "Cora"), ("Beto", "Dani"))
    assert agreed.rules.settings == (("bonus", "10"), ("double-generala", "yes"))
    assert (agreed.stake, agreed.unit, agreed.payout, agreed.label) == ("0.05", "USD", "pairwise", "friday")


@pytest.mark.slow
def test_a_form_that_is_refused_stays_and_says_why(store: Store) -> None:
    shown = screen_after(store, "Ana", "enter")
    assert any("one player is not enough for a game" in line for line in shown)
    assert "Ana" in shown
    assert store.numbers() == []


@pytest.mark.slow
def test_an_amount_that_could_be_in_thousands_is_refused_in_the_words_of_the_form(store: Store) -> None:
    shown = screen_after(store, "Ana Beto", *down(3), "ctrl+u", "1.000", "enter")
    assert any("'1.000' could be 1000 or 1; type 1000 or 1" in line for line in shown)
    assert store.numbers() == []


@pytest.mark.slow
def test_rules_and_players_of_earlier_evenings_are_offered(store: Store) -> None:
    begin(store, "general", "Mariana", "Beto")
    shown = screen_after(store, "n")
    assert any("earlier: Mariana, Beto" in line for line in shown)
    screen_after(store, "n", "Mar", "right", ", Zoe", "down", "ctrl+u", "kni", "right", "enter")
    assert game(store).seats == ("Mariana", "Zoe")
    assert game(store).rules.name == "kniffel"


@pytest.mark.slow
def test_escape_leaves_a_form_and_the_table_is_as_it_was(store: Store) -> None:
    begin(store)
    shown = screen_after(store, "n", "Zoe", "escape", "555")
    assert shown[-2] == "› 555"
    assert store.numbers() == [1]


@pytest.mark.slow
def test_a_correction_changes_what_it_says(store: Store) -> None:
    begin(store)
    score(store, "55533")
    shown = screen_after(
        store, "e", "enter", "ctrl+u", "44442", *down(2), "ctrl+u", "four-of", "right", "enter"
    )
    said = " ".join(line.removeprefix("✓ ") for line in shown[-4:-2])
    assert "four of a kind  40 (turn 1 was full house 30" in said
    assert [(entry.category, entry.points) for entry in game(store).entries] == [("four-of-a-kind", 40)]


@pytest.mark.slow
def test_a_correction_can_make_it_a_scratch_and_another_players(store: Store) -> None:
    begin(store)
    score(store, "55533")
    screen_after(store, "e", "enter", *down(3), "ctrl+u", "Beto", "down", "ctrl+u", "yes", "enter")
    (entry,) = game(store).entries
    assert (entry.player, entry.category, entry.points) == ("Beto", "full-house", 0)


def test_the_form_to_end_a_game_notices_a_hand_from_elsewhere(store: Store) -> None:
    begin(store)

    async def end_after_a_shell(pilot: Pilot[int]) -> None:
        await typed(pilot, "f")
        score(store, "55533")
        await typed(pilot, "enter")
        assert not game(store).is_over
        refusal = pilot.app.screen.query_one("#refusal", Static).content
        assert "the game has moved on: Ana, full house 30" in str(refusal)
        await typed(pilot, "enter")

    screen_after_acts(store, end_after_a_shell)
    assert game(store).is_over


def test_what_is_looked_at_goes_with_the_next_key_which_counts(store: Store) -> None:
    begin(store)
    score(store, "55533")
    assert any("Ana" in line and "30" in line for line in screen_after(store, "p"))
    assert screen_after(store, "p", "4444")[-2] == "› 4444"
    assert screen_after(store, "?", "escape")[-2] == "›"
    assert any(line.startswith("Backspace") for line in screen_after(store, "?"))


def test_another_game_is_chosen_from_the_list_and_is_current_then(store: Store) -> None:
    begin(store, "general", "Ana", "Beto")
    begin(store, "kniffel", "Cora", "Dani")
    shown = screen_after(store, "g", "up", "enter")
    assert shown[0].startswith("Game 1: General")
    assert store.current() == 1


@pytest.mark.slow
def test_the_end_says_who_won_who_is_behind_and_m_plays_again(store: Store) -> None:
    begin(store)
    turns.enter(store, TurnLine(words=("55555",), roll="1"))
    text = "\n".join(screen_after(store))
    assert "Ana wins at once, with 60 points" in text
    assert "Beto is 60 points behind Ana" in text
    assert "m  a rematch" in text
    assert "the game is over" in screen_after(store, "55533", "enter")[-3]
    shown = screen_after(store, "m", "55533", "enter")
    assert shown[0].startswith("Game 2: General")
    assert len(game(store).entries) == 1


def test_the_rematch_says_which_game_is_kept_that_was_begun_elsewhere(store: Store) -> None:
    begin(store)
    turns.enter(store, TurnLine(words=("55555",), roll="1"))

    async def m_after_a_shell(pilot: Pilot[int]) -> None:
        starting.rematch(store, "1")
        await typed(pilot, "m")

    shown = screen_after_acts(store, m_after_a_shell)
    assert any(
        "game 3: Ana is to throw; game 2 is not over, and you can go back to it" in line for line in shown
    )


@pytest.mark.slow
def test_the_rematch_asks_who_is_back_of_those_who_left(store: Store) -> None:
    begin(store, "general", "Ana", "Beto", "Cora")
    for player in ("Ana", "Beto", "Cora"):
        turns.leave(store, player)
    assert any("left: Ana, Beto, Cora" in line for line in screen_after(store, "m"))
    assert any("! all players have left" in line for line in screen_after(store, "m", "enter"))
    assert screen_after(store, "m", "Beto Ana", "enter")[0].startswith("Game 2: General")
    assert game(store).seats == ("Ana", "Beto")


def test_a_tap_marks_a_box_and_enters_nothing(store: Store) -> None:
    begin(store)

    async def tap(pilot: Pilot[int]) -> None:
        await typed(pilot, "55533")
        shown = pilot.app.query_one(TableView).shown
        await pilot.click(offset=(2, next(place for place, text in enumerate(shown) if "fives" in text)))

    shown = screen_after_acts(store, tap)
    assert any(line.startswith("fives") and "▸15" in line for line in shown)
    assert game(store).entries == ()


@pytest.mark.thinned(every=2)
@pytest.mark.parametrize("size", [(40, 20), (120, 40)], ids=str)
def test_a_hand_is_typed_chosen_and_entered_by_taps_alone(store: Store, size: tuple[int, int]) -> None:
    begin(store)

    async def tap(pilot: Pilot[int]) -> None:
        async def at(words: str) -> None:
            shown = pilot.app.query_one(TableView).shown
            line = next(place for place, text in enumerate(shown) if words in text)
            await pilot.click(offset=(shown[line].index(words) + len(words) // 2, line))

        for button in ("4", "5", "2", "←", "5", "5", "3"):
            await at(f"[ {button} ]" if size == (40, 20) and button != "←" else f"[{button}]")
        await at("fives")
        await at("fives")

    screen_after_acts(store, tap, size=size)
    (entry,) = game(store).entries
    assert (entry.category, entry.dice) == ("fives", (4, 5, 5, 5, 3))


@pytest.mark.slow
def test_a_tap_on_an_entry_of_the_log_marks_it_and_another_corrects_it(store: Store) -> None:
    begin(store)
    for dice in ("55533", "44442", "12345"):
        turns.enter(store, TurnLine(words=(dice,)))

    async def tap(pilot: Pilot[int]) -> None:
        await typed(pilot, "l")
        shown = pilot.app.query_one(TableView).shown
        line = next(place for place, text in enumerate(shown) if "full house" in text)
        for _ in range(2):
            await pilot.click(offset=(10, line))
        await typed(pilot, "ctrl+u", "66655", "enter")

    screen_after_acts(store, tap)
    assert game(store).entries[0].dice == (6, 6, 6, 5, 5)


@pytest.mark.parametrize("tapped", ["full house", "Enter scores", "x scratch"])
def test_a_tap_on_the_marked_box_or_on_a_hint_does_what_it_says(store: Store, tapped: str) -> None:
    begin(store)

    async def tap(pilot: Pilot[int]) -> None:
        if tapped != "x scratch":
            await typed(pilot, "55533")
        shown = pilot.app.query_one(TableView).shown
        line = next(place for place, text in enumerate(shown) if tapped in text)
        await pilot.click(offset=(shown[line].index(tapped) + 2, line))
        while pilot.app.query_one(TableView).shown == shown:  # a thread saves
            await asyncio.sleep(0.01)

    shown = screen_after_acts(store, tap)
    if tapped == "x scratch":
        assert "› x" in shown
    else:
        assert [entry.category for entry in game(store).entries] == ["full-house"]


def test_keys_in_one_chunk_go_to_the_form_to_its_fields_and_to_the_new_game(store: Store) -> None:
    begin(store)

    async def send(pilot: Pilot[int]) -> None:
        keys = ("n", "enter", *"Xenia Yuri", "down", "ctrl+u", *"kniffel", "enter", *"55533", "enter")
        for key in keys:
            letter = key if len(key) == 1 else None
            pilot.app.post_message(events.Key("space" if key == " " else key, letter))
        while len(store.numbers()) < 2 or not game(store).entries:
            await pilot.pause(0.01)

    screen_after_acts(store, send)
    assert game(store).seats == ("Xenia", "Yuri")
    assert game(store).rules.name == "kniffel"
    assert [entry.category for entry in game(store).entries] == ["full-house"]


def test_a_correction_names_the_change_of_a_shell_once(store: Store) -> None:
    begin(store)
    score(store, "55533")

    async def correct_after_a_shell(pilot: Pilot[int]) -> None:
        await typed(pilot, "e", "enter", "ctrl+u", "66633")
        turns.amend(store, 1, TurnLine(words=("44433",)))
        await typed(pilot, "enter")
        refusal = pilot.app.screen.query_one("#refusal", Static).content
        assert str(refusal).startswith("! turn 1 is now Ana, full house 30 (4 4 4 3 3)")
        await typed(pilot, "enter")

    screen_after_acts(store, correct_after_a_shell)
    (entry,) = game(store).entries
    assert entry.dice == (6, 6, 6, 3, 3)


@pytest.mark.slow
def test_keys_of_one_chunk_edit_a_field_in_order(store: Store) -> None:
    begin(store)
    score(store, "55533")

    async def send(pilot: Pilot[int]) -> None:
        await typed(pilot, "e", "enter")
        for key in ("home", "ctrl+k", *"4454", "backspace", "5", "left", "left", "4", "enter"):
            pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))
        await typed(pilot, "escape")

    screen_after_acts(store, send)
    (entry,) = game(store).entries
    assert entry.dice == (4, 4, 4, 5, 5)


@pytest.mark.slow
def test_a_canceled_form_comes_back_once_with_its_text(store: Store) -> None:
    begin(store)
    shown = screen_after(store, "n", "Xenia Yuri", "escape", "n")
    assert "Xenia Yuri" in shown
    assert "Xenia Yuri" not in screen_after(store, "n")


@pytest.mark.slow
def test_a_double_click_a_right_click_and_a_tap_on_a_scratch_enter_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screen, "_DOUBLE_CLICK", 60)
    begin(store)

    async def click(pilot: Pilot[int]) -> None:
        shown = pilot.app.query_one(TableView).shown
        rows = {name: next(y for y, line in enumerate(shown) if name in line) for name in ("fives", "sixes")}
        await typed(pilot, "55533")
        await pilot.click(offset=(2, rows["fives"]), button=3)
        for _ in range(3):
            await pilot.click(offset=(2, rows["fives"]))
        monkeypatch.setattr(screen, "_DOUBLE_CLICK", 0)
        for _ in range(2):
            await pilot.click(offset=(2, rows["sixes"]))

    shown = screen_after_acts(store, click)
    assert game(store).entries == ()
    assert "a tap does not scratch sixes; Enter scratches it" in "\n".join(shown)


def test_end_scrolls_a_page_to_its_end_and_up_goes_on_from_there(store: Store) -> None:
    begin(store)
    shown = screen_after(store, "?", "end", size=(40, 12))
    assert not any("below" in line for line in shown)
    assert any("1 more line below" in line for line in screen_after(store, "?", "end", "up", size=(40, 12)))


@pytest.mark.slow
def test_dice_make_a_scratch_a_score_again(store: Store) -> None:
    begin(store)
    turns.enter(store, TurnLine(words=("x", "ones", "22345")))
    screen_after(store, "e", "enter", "ctrl+u", "11123", "enter")
    (entry,) = game(store).entries
    assert (entry.category, entry.points, entry.scratched) == ("ones", 3, False)


@pytest.mark.slow
def test_a_whole_word_is_not_the_start_of_another(store: Store) -> None:
    screen_after(store, "Ana Beto", "down", "ctrl+u", "general", "right", "enter")
    assert game(store).rules.name == "general"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "box", "unit", "payout", "pot"),
    [
        ("es", "cinco", "punto", "diferencia", "pozo"),
        pytest.param("de", "Fünfer", "Punkt", "Differenz", "Topf", marks=pytest.mark.slow),
    ],
)
def test_forms_speak_the_language_and_understand_english_too(
    store: Store, language: str, box: str, unit: str, payout: str, pot: str
) -> None:
    speak(language)
    try:
        shown = screen_after(store, "Ana Beto", *down(3), "1", *down(2), "ctrl+u", pot, "enter")
        assert game(store).agreed.payout == "pot"
        fields = screen_after(store, "n")
        assert unit in fields, fields
        assert payout in fields, fields
        screen_after(store, "n", "Ana Beto", *down(3), "2", *down(2), "ctrl+u", "pairwise", "enter")
        assert (game(store).agreed.payout, game(store).agreed.unit) == ("pairwise", "point")
        score(store, "55533", "fives")
        shown = screen_after(store, "l", "enter")
        assert any(line.startswith(box) for line in shown), shown
    finally:
        speak("en")


@pytest.mark.slow
@pytest.mark.parametrize("size", thinned(zip([(40, 12), (80, 24), (30, 12)]), every=3))
def test_what_may_be_typed_stands_below_its_field_and_arrows_reach_each(
    store: Store, size: tuple[int, int]
) -> None:
    async def walk(pilot: Pilot[int]) -> None:
        for place in range(NAME + 1):
            field, about = pilot.app.screen.focused, pilot.app.screen.query_one("#about")
            assert field is not None
            assert field.id == f"field{place}"
            for _ in range(50):  # the layout follows the focus, at times after the scrolling
                if about.region.y == field.region.bottom:
                    break
                await pilot.pause()
            assert about.region.y == field.region.bottom
            assert about.region.bottom <= size[1] - 1 or about.region.height > size[1] - 4
            await typed(pilot, "down")

    screen_after_acts(store, walk, size=size)
