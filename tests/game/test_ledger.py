"""The ledger is a shorter way to what `decisions` and `evolve` say, never another way."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from generala_cli.errors import GeneralaError
from generala_cli.facts import replace
from generala_cli.game.amending import enter_again
from generala_cli.game.events import Entry, Scored, Scratched
from generala_cli.game.game import Game, new_game
from generala_cli.game.ledger import Ledger, after_entries, evolve
from tests.game.strategies import Limits, Played, games, random_dice, random_entry
from tests.game.table import Table, house

law = settings(deadline=None, max_examples=80)


def is_decided(game: Game, entry: Entry) -> bool:
    try:
        return enter_again(game, entry) == entry
    except GeneralaError:
        return False


def anything(game: Game, randomness: Random) -> Entry:
    """An entry that may or may not be possible: any player, box, throw, hand and points."""
    player = randomness.choice([*game.seats, "Zoe"])
    box = randomness.choice([*(line.id for line in game.rules.lines), "nothing"])
    roll = randomness.choice([0, 1, 1, 2, game.rules.throws, game.rules.throws + 1, 9])
    dice = random_dice(game.rules, randomness)
    dice = randomness.choice([dice, dice, dice, dice[1:], (*dice, 1), (9, *dice[1:])])
    if randomness.random() < 0.3:
        told = randomness.choice([dice, None])
        return Scratched(player=player, category=box, dice=told, roll=roll)
    worth = game.rules.worths[box, dice, roll == 1]
    points = randomness.choice([worth, worth, worth, worth + 1, 0])
    named = randomness.choice([box, box, box, None])
    win = randomness.random() < 0.1
    return Scored(player=player, dice=dice, roll=roll, category=named, points=points, instant_win=win)


@law
@given(games(), st.integers(0, 2**32))
def test_what_it_allows_is_what_the_rules_lead_to(played: Played, seed: int) -> None:
    game, randomness = played.history.game, Random(seed)
    ledger = Ledger(game)
    for _ in range(40):
        entry = anything(game, randomness)
        assert not ledger.allows(entry) or is_decided(game, entry), entry


@law
@given(games(), st.integers(0, 2**32))
def test_it_allows_whatever_wins_nothing_at_once(played: Played, seed: int) -> None:
    game = played.history.game
    if game.is_over:
        return
    entry = random_entry(game, Random(seed), Limits(corrections=False, instant_wins=False))
    assert isinstance(entry, Scored | Scratched)
    is_alike = entry.dice is not None and len(set(entry.dice)) == 1
    assert Ledger(game).allows(entry) or (entry.roll == 1 and is_alike)


@law
@given(games())
def test_taking_back_restores_every_state(played: Played) -> None:
    game = played.history.game
    ledger = Ledger(game)
    for count in range(len(game.entries) - 1, -1, -1):
        ledger.take_back()
        assert ledger.game() == after_entries(game.started, game.entries[:count])
    assert ledger.game() == new_game(game.started)


def test_a_game_that_was_made_never_changes() -> None:
    table = Table(house("generala"), "Ana", "Beto")
    table.score("Ana", "55533", "full-house")
    ledger = Ledger(table.game)
    before = ledger.game()
    ledger.enter(Scratched(player="Beto", category="ones", dice=None, roll=3))
    assert before == table.game
    assert ledger.game() == evolve(before, Scratched(player="Beto", category="ones", dice=None, roll=3))


def test_nothing_is_allowed_after_a_win() -> None:
    table = Table(house("general"), "Ana", "Beto")
    table.score("Ana", "55555", roll=1)
    entry = Scratched(player="Beto", category="ones", dice=None, roll=3)
    assert not Ledger(table.game).allows(entry)
    assert Ledger(new_game(table.started)).allows(replace(entry, player="Ana"))


def test_an_amended_entry_that_is_undone_and_redone_is_on_the_sheet_again() -> None:
    table = Table(house("generala"), "Ana", "Beto")
    table.score("Ana", "55533", "full-house")
    table.score("Beto", "66611", "sixes")
    before = table.game
    table.amend(1, "55533", "fives")
    after = table.game
    table.undo()
    assert table.game == before
    table.redo()
    assert table.game == after
    assert table.points("Ana") == {"fives": 15}
