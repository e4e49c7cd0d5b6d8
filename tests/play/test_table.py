"""A game on the table, without a terminal: typed lines, and changes from other programs."""

import pytest
from msgspec.structs import replace

from generala_cli.errors import DamagedFile, NotAllowed
from generala_cli.game.turnline import TurnLine
from generala_cli.play import panels, sidebar
from generala_cli.play.layout import Layout
from generala_cli.play.table import Table
from generala_cli.play.typed_line import MoveLine
from generala_cli.render.language import speaking
from generala_cli.store.store import GameMovedOn, Store
from generala_cli.store.subjects import file_name
from generala_cli.table import turns
from tests.app.table import begin, score
from tests.play.piloted import PLAIN


@pytest.fixture
def table(store: Store) -> Table:
    """Ana and Beto play General, without entries yet."""
    begin(store)
    return Table(store, PLAIN, None)


def entered(store: Store) -> list[str | None]:
    """The categories of the entries, in order."""
    return [entry.category for entry in store.open(None).game.entries]


def test_a_line_that_the_game_has_overtaken_stays_and_says_so(table: Table, store: Store) -> None:
    table.line.text = "55533"
    score(store, "44442")
    with pytest.raises(GameMovedOn, match="moved on: Ana, four of a kind 40"):
        table.enter()
    assert table.line.text == "55533"
    assert table.opened.player == "Beto"
    assert entered(store) == ["four-of-a-kind"]
    table.enter()
    assert entered(store) == ["four-of-a-kind", "full-house"]


def test_a_line_begun_for_another_turn_needs_one_key_more(table: Table, store: Store) -> None:
    for key in "55533":
        table.line.press(key)
    score(store, "55533")
    table.reload()
    with pytest.raises(NotAllowed, match="press Enter again to enter this one for Beto anyway"):
        table.enter()
    assert entered(store) == ["full-house"]
    table.enter()
    assert entered(store) == ["full-house", "full-house"]


def test_undo_takes_back_what_was_seen_and_nothing_else(table: Table, store: Store) -> None:
    score(store, "44442")
    table.reload()
    score(store, "55533")
    with pytest.raises(GameMovedOn):
        table.move(MoveLine(is_undo=True))
    assert entered(store) == ["four-of-a-kind", "full-house"]


def test_what_another_shell_does_is_reported_and_what_is_typed_stays(table: Table, store: Store) -> None:
    table.line.text = "555"
    assert not table.opened.has_changed()
    score(store, "44442")
    assert table.opened.has_changed()
    table.reload()
    assert table.message.text == "elsewhere: Ana, four of a kind 40 (4 4 4 4 2)"
    assert (table.line.text, table.opened.player) == ("555", "Beto")
    turns.undo(store)
    table.reload()
    assert table.message.text == "elsewhere: undone: Ana, four of a kind 40 (4 4 4 4 2)"


def test_a_new_game_elsewhere_leaves_this_one_on_the_table(table: Table, store: Store) -> None:
    begin(store, "kniffel", "Cora", "Dani")
    table.line.text = "55533"
    table.enter()
    assert table.opened.number == 1
    assert store.load(2).game.entries == ()


def test_a_file_that_is_damaged_or_gone_is_noticed_and_nothing_is_written(table: Table, store: Store) -> None:
    path = store.folder.path(file_name(1))
    whole = path.read_bytes()
    path.write_bytes(whole[:-5])
    assert table.opened.has_changed()
    table.line.text = "55533"
    with pytest.raises(DamagedFile):
        table.reload()
    with pytest.raises(DamagedFile):
        table.enter()
    assert path.read_bytes() == whole[:-5]
    path.unlink()
    with pytest.raises(DamagedFile):
        table.enter()
    assert table.line.text == "55533"


def test_the_end_says_who_owes_whom(table: Table, store: Store) -> None:
    turns.enter(store, TurnLine(words=("55555",), roll="1"))
    table.reload()
    assert sidebar.debts(table.opened) == ["Beto is 60 points behind Ana"]


def test_the_coach_asks_before_it_takes_a_hand_for_a_better_first_throw(store: Store) -> None:
    begin(store, "general")
    table = Table(store, PLAIN, None)
    table.coach.when = "before"
    assert table.mode == "coach, throw 1"
    for key in "44441":
        table.line.press(key)
    with pytest.raises(NotAllowed, match="was this the first throw"):
        table.enter()
    assert entered(store) == []
    table.enter()
    assert [entry.roll for entry in store.open(None).game.entries] == [1]


def test_a_lost_entry_is_named_and_stays_in_the_log(table: Table, store: Store) -> None:
    score(store, "44442")
    turns.undo(store)
    score(store, "55533")
    table.reload()
    with pytest.raises(NotAllowed, match=r"Ana, four of a kind 40 .* cannot be restored"):
        table.move(MoveLine(is_undo=False))
    lines, _, _ = panels.visible_lines(panels.log(table.opened), PLAIN)
    assert "undone: Ana, four of a kind 40" in panels.text_of(lines[-1])


def test_places_and_debts_in_one_panel_do_not_name_the_command_for_the_debts(store: Store) -> None:
    begin(store, "general", stake="5", unit="ARS")
    score(store, "55533")
    turns.end(store)
    lines, _, _ = panels.visible_lines(panels.places(Table(store, PLAIN, None).opened), PLAIN)
    text = "\n".join(map(panels.text_of, lines))
    assert "Beto" in text
    assert "generala" not in text


@pytest.mark.parametrize(
    ("line", "promise"),
    [
        ("score 55533 full", "Enter scores full house 30 for Ana"),
        ("generala 55533", "Enter scores full house 30 for Ana"),
        ("full", "full house: no dice yet; type the dice, or x full to scratch it"),
        ("Beto", "Beto: no dice yet; type the dice"),
        ("payouts --method pot", "Enter will show who owes whom"),
        ("s", "Enter: the sheets of Ana and Beto"),
        ("e", "Enter: choose an entry of game 1 to correct"),
        ("k", "Enter: the coach advises you before you choose"),
        ("m", "the game is not over; type rematch to start one anyway"),
        ("q", "Enter: leave; every turn is saved"),
        ("-V", "Enter will show the version"),
        ("a 55533", "Enter asks for advice"),
        pytest.param("advise 55533", "Enter asks for advice", marks=pytest.mark.complete),
        ("a fives 55533", "fives is not a throw; type the dice only"),
        ("a 555", "advice needs a whole hand; type all dice on the table"),
        ("555331", "that is six dice (555331); this game is played with five"),
    ],
)
def test_the_last_line_says_what_enter_does_with_words(table: Table, line: str, promise: str) -> None:
    table.line.text = line
    shown = [*map(panels.text_of, Layout().draw(table, None, PLAIN).lines)]
    below = shown[shown.index(f"› {line}") + 1 :]
    assert " ".join(below).startswith(promise)


@pytest.mark.parametrize(
    ("language", "line", "promise"),
    [
        ("es", "registro 1", "Enter va a mostrar todas las anotaciones en orden"),
        ("pt", "registro 1", "Enter mostra todas as anotações em ordem"),
        ("de", "protokoll 1", "Enter: Alle Einträge der Reihe nach zeigen"),
    ],
)
def test_a_command_is_promised_in_the_words_of_the_language(
    table: Table, language: str, line: str, promise: str
) -> None:
    with speaking(language):
        table.line.text = line
        assert table.effect == promise


def test_undoing_several_names_each_even_on_a_small_screen(table: Table, store: Store) -> None:
    for dice in ("55533", "44442", "12345"):
        score(store, dice)
    table.reload()
    table.line.text = "undo 3"
    shown = Layout().draw(table, None, replace(PLAIN, width=40, height=20)).lines
    text = " ".join(panels.text_of(line).strip() for line in shown[-4:])
    assert "Enter undoes Ana, straight 20 (1 2 3 4 5); Beto, four of a kind 40" in text
    assert "Ana, full house 30 (5 5 5 3 3)" in text
