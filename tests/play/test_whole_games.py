"""Whole games on the screen, by keys and by taps alone, in three languages: entries match the choices."""

from collections.abc import Iterator
from random import Random

import pytest
from textual.pilot import Pilot

from generala_cli.game.decisions import choices
from generala_cli.game.game import Game
from generala_cli.play.screen import TableView
from generala_cli.play.taps import BoxTap, KeyTap
from generala_cli.render.language import speak, translated
from generala_cli.rules.dice import Dice
from generala_cli.rules.ruleset import Category
from generala_cli.store.store import Store
from tests.app.table import begin
from tests.play.piloted import Acts, screen_after_acts, tap, typed

_Turn = tuple[Dice, int, Category, bool]
"""The dice, the throw, the box, and whether it is given up."""


@pytest.fixture(autouse=True)
def _english_afterwards() -> Iterator[None]:
    yield
    speak("en")


def chosen(game: Game, chance: Random) -> _Turn:
    """Generate dice and a throw without an instant win, for a box that they make or for a scratch."""
    player, rules = game.to_move or "", game.rules
    while len(set(dice := tuple(chance.randint(1, rules.faces) for _ in range(rules.dice)))) == 1:
        pass
    throw = chance.randint(1, rules.throws) if rules.has_throws_that_matter else rules.throws
    made = choices(game, player, dice, throw)
    if made and chance.random() < 0.8:
        return dice, throw, chance.choice(made).category, False
    pays = [choice.category for choice in made]
    left = [category for category in game.fillable_categories(player) if category not in pays]
    return (dice, throw, chance.choice(left), True) if left else (dice, throw, chance.choice(pays), False)


def play(store: Store, by_taps: bool, entered: list[_Turn]) -> Acts:
    """Plays the current game to its end."""

    async def turns(pilot: Pilot[int]) -> None:
        chance, view = Random(7), pilot.app.query_one(TableView)
        while not (game := view.table.opened.game).is_over:
            turn = dice, throw, category, is_scratch = chosen(game, chance)
            keys = "".join(map(str, dice)) + (str(throw) if throw != game.rules.throws else "")
            if by_taps:
                for key in keys:
                    await tap(pilot, KeyTap(key))
                if not view.table.line.is_marked(category.id):
                    await tap(pilot, BoxTap(category.id))
                assert translated(category) in view.shown[-1]
                if is_scratch:
                    await typed(pilot, "enter")
                else:
                    await tap(pilot, BoxTap(category.id))
            else:
                hand, behind = keys[: game.rules.dice], keys[game.rules.dice :]
                await typed(
                    pilot, f"{hand} {'x ' if is_scratch else ''}{translated(category)} {behind}", "enter"
                )
            for _ in range(3000):
                if len(view.table.opened.game.entries) > len(entered):
                    break
                await pilot.pause(0.01)  # a thread saves
            entered.append(turn)
            assert len(store.open(None).game.entries) == len(entered), (turn, view.shown)

    return turns


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "size", "language", "by_taps"),
    [
        ("general", (80, 24), "es", False),
        ("general", (40, 20), "en", True),
        ("kniffel", (80, 24), "de", True),
        ("kniffel", (40, 20), "es", False),
        ("general", (40, 20), "de", False),
        ("kniffel", (80, 24), "en", False),
    ],
    ids=str,
)
def test_a_whole_game(store: Store, name: str, size: tuple[int, int], language: str, by_taps: bool) -> None:
    begin(store, name, "Ana", "Beto")
    speak(language)
    entered: list[_Turn] = []
    screen_after_acts(store, play(store, by_taps, entered), size=size)
    game = store.open(None).game
    assert game.is_over
    found = [(entry.dice, entry.roll, entry.category, entry.scratched) for entry in game.entries]
    assert found == [(dice, throw, category.id, is_scratch) for dice, throw, category, is_scratch in entered]
