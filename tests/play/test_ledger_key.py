"""The ledger in front of the sheet, with Textual's pilot: same contents as `generala ledger`, and errors."""

import shutil
import sys

import pytest

from generala_cli.play import panels
from generala_cli.render.screen import drawn
from generala_cli.store.store import Store
from generala_cli.store.subjects import file_name
from tests.ledger.evening import ledger_of, play
from tests.play.piloted import PLAIN, screen_after


def damage(store: Store, number: int) -> None:
    """Make a game's file unreadable."""
    store.folder.path(file_name(number)).write_bytes(b"not a game")


def test_b_shows_the_ledger_as_the_command_does_and_the_next_key_takes_it_off(store: Store) -> None:
    play(store, {"Ana": 6, "Beto": 2, "Cora": 4})
    play(store, {"Ana": 2, "Beto": 5})
    shown = screen_after(store, "b")
    found = [panels.text_of(line).rstrip() for line in panels.rendered(drawn(ledger_of(store), PLAIN), PLAIN)]
    assert shown[1 : len(found) + 1] == found
    assert any(line.split() == ["Beto", "owes", "Ana", "1.00", "USD"] for line in found)
    assert shown[-1] == "any other key goes back"
    assert "Ledger" not in "\n".join(screen_after(store, "b", "escape"))


def test_where_no_game_is_over_it_says_so(store: Store) -> None:
    play(store, {"Ana": 6, "Beto": 2}, over=False)
    assert screen_after(store, "b")[-3].startswith("! no game is over yet; the ledger adds up finished games")


@pytest.mark.slow
def test_settling_asks_on_the_screen_and_a_second_enter_records_every_payment(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GENERALA_HOME", str(store.folder.directory))
    play(store, {"Ana": 6, "Beto": 2, "Cora": 4, "Dani": 3})
    asked = " ".join(screen_after(store, "ledger --settle", "enter", size=(40, 20)))
    assert "! was all of that paid?; if it was, press Enter again to record it › ledger --settle" in asked
    assert ledger_of(store).units[0].transfers
    again = " ".join(screen_after(store, "ledger --settle", "enter", "escape", "ledger --settle", "enter"))
    assert "payment 1: Beto paid Ana 4.00 USD; payment 2: Dani paid Ana 3.00 USD; payment 3: Cora" in again
    assert ledger_of(store).units[0].transfers
    screen_after(store, "ledger --settle", "enter", "enter")
    assert not ledger_of(store).units[0].transfers


def test_a_part_that_was_replaced_by_a_newer_program_does_not_end_the_screen(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(store, {"Ana": 6, "Beto": 2})
    monkeypatch.setitem(sys.modules, "generala_cli.ledger.accounts", None)
    monkeypatch.delattr("generala_cli.ledger.accounts", raising=False)
    text = " ".join(screen_after(store, "b"))
    assert "! a part of generala cannot be loaded" in text
    assert "leave with q and start it again" in text


def test_what_cannot_be_read_is_reported_in_a_sentence(store: Store) -> None:
    damaged = play(store, {"Ana": 6, "Beto": 2})
    disputed = play(store, {"Ana": 6, "Beto": 2})
    play(store, {"Ana": 4, "Beto": 2})
    damage(store, damaged)
    text = " ".join(screen_after(store, "b"))
    assert "Beto  owes  Ana  6.00 USD" in text
    assert f"skipped game {damaged}: " in text
    file = store.folder.path(file_name(disputed))
    shutil.copy(file, file.with_name(f"{file.stem} 2.json"))
    text = " ".join(" ".join(screen_after(store, "b")).split())
    assert (
        f"so it is unclear who owes whom; at game {disputed}, type c and press Enter to compare them" in text
    )
    assert "Beto  owes" not in text
