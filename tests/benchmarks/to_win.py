"""Check how much playing to win helps: `python -m tests.benchmarks.to_win [ENDINGS]`.

Two players have six open boxes each and similar totals. The second one plays for points. The first one plays
to win or for points, against the same turns of the other. There are two ways to play to win. In the first,
the best play is computed once at the start, with its predicted chance. In the second, it is computed again
before every turn, so that it reacts to the opponent's throws, like a real player.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from generala_cli.game.money import METHODS
from generala_cli.odds.aiming import AimedPlay, Reach, TurnAims
from generala_cli.odds.chances import Paying, Playing, expected
from generala_cli.odds.choosing import TurnChoices
from generala_cli.odds.endings import endings
from generala_cli.odds.sheets import Sheet
from generala_cli.odds.solving import Strategy, TurnValues, solve
from generala_cli.odds.totals import prospect
from generala_cli.rules.catalog import built_in
from generala_cli.rules.dice import Dice
from generala_cli.rules.ruleset import RuleSet

GAMES = ("general", "kniffel")
OPEN = 6
POSITIONS = 100
SURE = 1.96
"""Standard errors on either side, between which 95 % lie."""


class Course(NamedTuple):
    """How the turns of one player went.

    Attributes:
        sheets: before each turn, and after the last one. won: in which turn at once, if any.
    """

    sheets: tuple[Sheet, ...]
    won: int | None


Choose = Callable[[int, Sheet], TurnChoices]
"""Returns what is chosen in a turn, by its number from 0, on that sheet."""


class Position(NamedTuple):
    """The positions of both players before their turns."""

    strategies: tuple[Strategy, Strategy]
    first: Sheet
    second: Sheet

    def play(self, first: Sheet, second: Sheet, taken: int) -> AimedPlay:
        """Return the first one's best play to win from there."""
        of_first, of_second = self.strategies
        ahead = prospect(of_first, first), prospect(of_second, second)
        players = [Playing(contender=seat, turns_taken=taken, ahead=each) for seat, each in enumerate(ahead)]
        totals = range(first.total, of_first.most_total(first) + 1)
        return AimedPlay(Reach(of_first, first), endings(players, 0, "win", _PAYING, totals))

    def for_points(self) -> float:
        """Return the first player's chance to win if both play for points."""
        ahead = prospect(self.strategies[0], self.first), prospect(self.strategies[1], self.second)
        players = [Playing(contender=seat, turns_taken=0, ahead=each) for seat, each in enumerate(ahead)]
        return expected(players, _PAYING)[0].wins


_PAYING = Paying(method=METHODS["pot"], members=(1, 1), instant_win_points=None)


def main() -> None:
    """Play the endings and print the results."""
    endings_of_each = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    random = np.random.default_rng(30)
    for name in GAMES:
        per_position = endings_of_each // len(GAMES) // POSITIONS
        found = np.array([row for _ in range(POSITIONS) for row in _endings(name, per_position, random)])
        told, told_for_points, to_win, for_points, again = found.T
        sys.stdout.write(
            f"{name}: {len(found)} endings\n"
            f"  told for points {told_for_points.mean():.2%}, simulated {_interval(for_points)}\n"
            f"  told to win {told.mean():.2%}, simulated {_interval(to_win)}\n"
            f"  more by playing to win: told {(told - told_for_points).mean():+.2%},"
            f" simulated {_interval(to_win - for_points)}\n"
            f"  off by tenths of the chance told: {_calibration(told, to_win)}\n"
            f"  more when asked again before every turn: {_interval(again - for_points)}\n"
        )
        sys.stdout.flush()


def _interval(values: np.ndarray) -> str:
    error = SURE * values.std() / np.sqrt(len(values))
    return f"{values.mean():.2%} ± {error:.2%}"


def _calibration(told: np.ndarray, won: np.ndarray) -> str:
    """Return by how many standard errors what was won is off, for the chances of each tenth."""
    tenths = np.minimum(9, (told * 10).astype(int))
    found = []
    for tenth in np.unique(tenths):
        some = tenths == tenth
        error = np.sqrt((told[some] * (1 - told[some])).sum()) / some.sum()
        found.append(f"{(won[some].mean() - told[some].mean()) / error:+.1f}")
    return " ".join(found)


def _endings(name: str, count: int, random: np.random.Generator) -> Iterator[tuple[float, ...]]:
    """Yield the predictions and the results of each ending of one position, for each way to play."""
    rules = built_in(name)
    first, second = (_drawn(rules, random) for _ in range(2))
    second = replace(second, total=first.total + int(random.integers(-25, 26)))
    position = Position((solve(rules, first), solve(rules, second)), first, second)
    play, for_points = position.play(first, second, 0), position.for_points()
    told = float(play.turn().value[0])
    ways = [_by_points(strategy) for strategy in position.strategies]
    for _ in range(count):
        seed, other = int(random.integers(1 << 60)), _course(ways[1], position, 1, random)
        results = [
            _result(_course(way, position, 0, np.random.default_rng(seed)), other)
            for way in (_by_play(play), ways[0])
        ]
        way = _asked_again(position, other, play)
        again = _result(_course(way, position, 0, np.random.default_rng(seed)), other)
        yield told, for_points, *results, again


def _drawn(rules: RuleSet, random: np.random.Generator) -> Sheet:
    filled = random.permutation([each.id for each in rules.categories])[OPEN:].tolist()
    numbers = [rules.category(box).number or 0 for box in filled]
    held = {box for box in filled if random.random() < 0.8}
    return Sheet(
        filled=tuple(sorted(filled)),
        holding=frozenset(held),
        in_numbers=sum(int(random.integers(2, 5)) * number for number in numbers),
        total=100,
    )


def _by_points(strategy: Strategy) -> Choose:
    known: dict[int, TurnChoices] = {}

    def choose(_: int, sheet: Sheet) -> TurnChoices:
        key = strategy.sheets.key(sheet)
        if key not in known:
            known[key] = TurnChoices(TurnValues(strategy, np.array([key])))
        return known[key]

    return choose


def _by_play(play: AimedPlay) -> Choose:
    def choose(turn: int, sheet: Sheet) -> TurnChoices:
        key, gained = play.strategy.sheets.key(sheet), sheet.total - play.sheet.total
        return TurnChoices(TurnAims(play, turn, np.array([key]), np.array([gained])))

    return choose


def _asked_again(position: Position, other: Course, first: AimedPlay) -> Choose:
    def choose(turn: int, sheet: Sheet) -> TurnChoices:
        if turn == 0:
            return TurnChoices(first.turn())
        if turn >= len(other.sheets):  # the other has won before, so it does not matter
            return _by_points(position.strategies[0])(turn, sheet)
        return TurnChoices(position.play(sheet, other.sheets[turn], turn).turn())

    return choose


def _course(choose: Choose, position: Position, seat: int, random: np.random.Generator) -> Course:
    """Play the turns of one player."""
    strategy, sheet = position.strategies[seat], (position.first, position.second)[seat]
    sheets = [sheet]
    for turn in range(OPEN):
        ended = _turn(choose(turn, sheet), strategy, sheet, random)
        if ended is None:
            return Course(tuple(sheets), turn)
        sheet = ended
        sheets.append(sheet)
    return Course(tuple(sheets), None)


def _turn(turn: TurnChoices, strategy: Strategy, sheet: Sheet, random: np.random.Generator) -> Sheet | None:
    """Throw until the hand is entered; return the sheet after it, None for a win at once."""
    rules = strategy.rules
    kept: Dice = ()
    for throw in range(1, turn.values.last + 1):
        rest = random.integers(1, rules.faces + 1, rules.dice - len(kept)).tolist()
        row = strategy.selections.hand((*kept, *rest))
        chosen = int(turn.chosen[throw][row, 0])
        if chosen >= turn.fill:
            break
        kept = strategy.selections.kept[chosen]
    if chosen == turn.win:
        return None
    fill = strategy.table.of(turn.values.finishes[throw]).fills[turn.win - 1 - chosen]
    box = strategy.sheets.categories[fill.category]
    in_numbers = sheet.in_numbers + (fill.points if box.number is not None else 0)
    bonus = rules.upper_bonus
    earned = 0 if bonus is None else bonus.earned(in_numbers) - bonus.earned(sheet.in_numbers)
    return replace(
        sheet,
        filled=tuple(sorted((*sheet.filled, box.id))),
        holding=sheet.holding | {box.id} if fill.points else sheet.holding,
        in_numbers=in_numbers,
        total=sheet.total + fill.earned + earned,
    )


def _result(first: Course, second: Course) -> float:
    """Return 1 if the first player wins, one half for a tie."""
    turns = [OPEN if course.won is None else course.won for course in (first, second)]
    if min(turns) < OPEN:
        return float(turns[0] <= turns[1])
    totals: Sequence[int] = [course.sheets[-1].total for course in (first, second)]
    return 0.5 if totals[0] == totals[1] else float(totals[0] > totals[1])


if __name__ == "__main__":
    main()
