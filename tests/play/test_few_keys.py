"""The keys per turn for a player who follows the exact strategy: seven, four times in five."""

import random
from collections.abc import Iterator

import pytest

from generala_cli.advice.judging import sheet_of
from generala_cli.errors import GeneralaError
from generala_cli.game import decisions
from generala_cli.game.decisions import options
from generala_cli.game.game import Game, evolve
from generala_cli.game.turn import Turn
from generala_cli.odds.advice import Entering, Keeping, advise
from generala_cli.odds.solving import solve
from generala_cli.play.turn_view import read
from generala_cli.rules.dice import Dice
from tests.game.table import Table, house

_GAMES, _FEW = 5, 7


def thrown(game: Game, chance: random.Random) -> tuple[Dice, int, Entering]:
    """Throw a turn with the best keeps. Return the hand, its throw, and its box."""
    rules, player = game.rules, game.to_move or ""
    strategy = solve(rules, sheet_of(game, player))
    dice: Dice = ()
    for throw in range(1, rules.throws + 1):
        dice = (*dice, *(chance.randint(1, rules.faces) for _ in range(rules.dice - len(dice))))
        best = advise(strategy, dice, throw).choices[0]
        if isinstance(best, Entering):
            return dice, throw, best
        assert isinstance(best, Keeping)
        dice = best.kept
    raise AssertionError("nothing is kept of the last throw")


def keys(game: Game, dice: Dice, throw: int, wanted: Entering) -> int:
    """The fewest keys that enter it: the dice, the throw if it matters, the box, and Enter."""
    has_throw = throw != game.rules.throws and game.rules.has_throws_that_matter
    typed = "".join(map(str, dice)) + (f" {throw}" if has_throw else "")
    is_scratch = wanted.points == 0 and not wanted.instant_win
    begun = "x " if is_scratch else typed
    pressed = 1 if is_scratch else len(typed)
    return pressed + min(_to_the_box(game, begun, wanted)) + 1


def _to_the_box(game: Game, begun: str, wanted: Entering) -> Iterator[int]:
    """How many keys mark the box: by the arrow, and by the start of each of its names."""
    player = game.to_move or ""
    line = read(begun, game).turn
    if wanted.category is None or wanted.instant_win:
        yield 0
        return
    pays = [each.category for each in options(line, game, player) if each.scratched == line.is_scratch]
    try:
        marked = decisions.judge(game, line).category
        yield abs(pays.index(wanted.category) - pays.index(game.rules.category(marked or "")))
    except GeneralaError:  # nothing is marked: from the first or the last
        yield 1 + min(pays.index(wanted.category), len(pays) - 1 - pays.index(wanted.category))
    for name in wanted.category.answers_to:
        for length in range(1, len(name) + 1):
            line = read(f"{begun} {name[:length]}", game).turn
            if [option.category for option in options(line, game, player)[:1]] == [wanted.category]:
                yield length
                break


@pytest.mark.slow
@pytest.mark.parametrize("name", ["general", "generala", "crag", "yacht"])
def test_four_turns_in_five_take_seven_keys_or_fewer(name: str) -> None:
    chance, counts = random.Random(9), []
    for _ in range(_GAMES):
        game = Table(house(name), "Ana", "Beto").game
        while game.to_move is not None:
            dice, throw, best = thrown(game, chance)
            counts.append(keys(game, dice, throw, best))
            if best.points or best.instant_win:
                entry = decisions.judge(game, Turn(dice=dice, roll=throw, category=best.category))
                game = evolve(game, entry)
            else:
                assert best.category is not None
                game = evolve(
                    game,
                    decisions.judge(
                        game, Turn(category=best.category, dice=dice, roll=throw, is_scratch=True)
                    ),
                )
    few = sum(count <= _FEW for count in counts)
    assert few >= 0.8 * len(counts), sorted(counts)
