"""Hands to decide about, from games or drawn. Importing this imports numpy."""

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from msgspec import UNSET

from generala_cli.advice.aiming import ahead_by, aimed_play
from generala_cli.advice.judging import judged_entry, sheet_of
from generala_cli.errors import NotAllowed
from generala_cli.game.decisions import judge
from generala_cli.game.events import Agreed, Entry
from generala_cli.game.game import Game, evolve, new_game, positions
from generala_cli.game.turn import Turn
from generala_cli.messages import lazy
from generala_cli.odds.advice import Entering, Keeping, advise
from generala_cli.odds.aiming import MOST_VALUES, AimedPlay
from generala_cli.odds.solving import Strategy
from generala_cli.render.documents.choices import Choice, KeepChoice, ScoreChoice, ScratchChoice
from generala_cli.rules.dice import Dice
from generala_cli.rules.fingerprint import fingerprint
from generala_cli.rules.ruleset import Category, RuleSet, can_win_instantly
from generala_cli.rules.turning import HandState, turn_over
from generala_cli.store.store import StoredGame
from generala_cli.training.schedule import Asked, is_right
from generala_cli.training.trainingfile import DrawnHand, PlayedHand

_TEMPTING = 3.0
"""A wrong choice is tempting if it costs at most this many points."""
_MOST_GAMES = 50
_MOST_VALUES = MOST_VALUES // 20
"""The limit for the chance to win: about half a second."""


class Exercise(Asked, frozen=True, kw_only=True):
    """A hand in the turn after `position`. In the game, the choice was `kept` or `category`."""

    position: Game
    player: str
    number: int | None = None
    throw: int
    last: int
    dice: Dice
    may_keep: bool
    state: HandState = "thrown"
    kept: Dice | None = None
    category: str | None = None
    scratched: bool = False

    @property
    def rules(self) -> RuleSet:
        return self.position.rules

    @property
    def asks_to_turn(self) -> bool:
        """Whether dice must or may be turned over now."""
        is_second = self.rules.most_turned > 0 and self.throw == self.last
        return is_second and self.state in ("thrown", "all-thrown")


def of_game(stored: StoredGame, strategy: Strategy, players: Sequence[str]) -> Iterator[Exercise]:
    """Yield each mistake of these players, or the costliest choice of a turn without mistakes."""
    game = stored.game
    for turn, (before, entry) in enumerate(zip(positions(game), game.entries, strict=False), start=1):
        if entry.player in players:
            found = [*_choices(stored, turn, before, entry, strategy)]
            mistakes = [each for each in found if not is_right(each.cost)]
            if mistakes or not found:
                yield from mistakes
            else:
                yield max(reversed(found), key=lambda each: each.cost)  # the last one, if several are equal


def of_turn(stored: StoredGame, strategy: Strategy, turn: int) -> Sequence[Exercise]:
    """Return every choice of a turn that can be judged; none if the turn was undone."""
    if turn > len(stored.game.entries):
        return []
    before = next(islice(positions(stored.game), turn - 1, None))
    return [*_choices(stored, turn, before, stored.game.entries[turn - 1], strategy)]


def thrown_in(entry: Entry) -> Iterator[tuple[int, Dice]]:
    throws = () if entry.throws is UNSET else entry.throws
    yield from ((throw, tuple(sorted(each.dice))) for throw, each in enumerate(throws, start=1))
    if entry.dice is not None:
        yield entry.roll, tuple(sorted(entry.dice))


def _choices(
    stored: StoredGame, turn: int, before: Game, entry: Entry, strategy: Strategy
) -> Iterator[Exercise]:
    """Yield the choices of a turn that can be judged, except for hands that can win at once."""
    if entry.dice is None or entry.instant_win:
        return
    judged = judged_entry(strategy, before, entry)
    last = before.last_throw(entry.player)
    throws = () if entry.throws is UNSET else entry.throws

    def exercise(throw: int, dice: Dice, cost: float, *, may_keep: bool, kept: Dice | None) -> Exercise:
        dice = tuple(sorted(dice))
        return Exercise(
            hand=PlayedHand(game=stored.file.id, turn=turn, throw=throw, dice=dice),
            position=before,
            number=stored.number,
            player=entry.player,
            throw=throw,
            last=last,
            dice=dice,
            cost=cost,
            may_keep=may_keep,
            state="served" if entry.served else "turned",
            kept=kept,
            category=entry.category if kept is None else None,
            scratched=entry.scratched and kept is None,
        )

    stopping = 0.0
    for kept in judged.keeps:
        if kept.roll == entry.roll:  # the turn ended with this hand
            stopping = kept.cost
        elif not can_win_instantly(before.rules, kept.dice, kept.roll):
            yield exercise(kept.roll, kept.dice, kept.cost, may_keep=True, kept=kept.kept)
    if not can_win_instantly(before.rules, entry.dice, entry.roll):
        is_known = len(throws) == entry.roll - 1
        cost = stopping + judged.mistake
        yield exercise(entry.roll, entry.dice, cost, may_keep=is_known and entry.roll < last, kept=None)


def choices(exercise: Exercise, strategy: Strategy, to_win: AimedPlay | None = None) -> Sequence[Choice]:
    """Return all choices for a hand with their costs, best first; `to_win` adds chances to win."""
    found = _possible(exercise, strategy)
    aimed = () if to_win is None else _possible(exercise, strategy, to_win)
    wins = {_action(choice): choice.brings for choice in aimed}
    return [_as_choice(choice, found[0].expected, wins.get(_action(choice))) for choice in found]


def play_to_win(exercise: Exercise, strategy: Strategy) -> AimedPlay | None:
    """Return the best play to win if others play for points; None for a drawn hand, or if it is slow."""
    game, player = exercise.position, exercise.player
    if game.rules.game_points:
        return None
    most_open = game.open_boxes(player) + 1
    if isinstance(exercise.hand, DrawnHand) or any(
        game.open_boxes(other) > most_open for other in game.playing
    ):
        return None
    ahead = ahead_by(strategy)
    return aimed_play(strategy, game, player, "win", ahead=ahead, most_values=_MOST_VALUES)


def _possible(
    exercise: Exercise, strategy: Strategy, to_win: AimedPlay | None = None
) -> Sequence[Keeping | Entering]:
    sheet = sheet_of(exercise.position, exercise.player)
    found = advise(strategy, exercise.dice, exercise.throw, sheet, to_win, state=exercise.state).choices
    return [choice for choice in found if exercise.may_keep or isinstance(choice, Entering)]


def _action(choice: Keeping | Entering) -> Dice | tuple[Category | None, Dice]:
    return choice.kept if isinstance(choice, Keeping) else (choice.category, choice.turned)


def _as_choice(choice: Keeping | Entering, best: float, wins: float | None) -> Choice:
    expected, cost = choice.expected, max(0.0, best - choice.expected)
    chance = UNSET if wins is None else min(1.0, wins)
    if isinstance(choice, Keeping):
        return KeepChoice(keep=choice.kept, expected=expected, cost=cost, wins=chance)
    assert choice.category is not None, "hands that win at once are not asked"
    return (ScoreChoice if choice.points else ScratchChoice)(
        category=choice.category.id,
        points=choice.points,
        instant_win=False,
        expected=expected,
        cost=cost,
        wins=chance,
        turned=choice.turned or UNSET,
    )


def is_tempting(exercise: Exercise, strategy: Strategy) -> bool:
    return any(
        not is_right(choice.cost) and choice.cost <= _TEMPTING for choice in choices(exercise, strategy)
    )


def drawn(strategy: Strategy, number: int) -> Exercise:
    """Return the drawn hand with that seed; NotAllowed if no choice would be tempting."""
    random, rules = Random(number), strategy.rules  # noqa: S311 - it deals, and hides nothing
    for _ in range(_MOST_GAMES):
        game = new_game(Agreed(players=("-",), rules=rules))
        turn = random.randrange(rules.turns)
        while not game.is_over:
            hands = list(_play(game, strategy, random))
            if len(game.entries) == turn:
                throw, dice, state = random.choice(hands)
                last = game.last_throw("-")
                exercise = Exercise(
                    hand=DrawnHand(rules=fingerprint(rules), number=number, throw=throw, dice=dice),
                    position=game,
                    player="-",
                    throw=throw,
                    last=last,
                    dice=dice,
                    may_keep=throw < last,
                    state=state,
                )
                if not can_win_instantly(rules, dice, throw) and is_tempting(exercise, strategy):
                    return exercise
                break
            game = evolve(game, _best_entry(game, strategy, *hands[-1]))
    raise NotAllowed(lazy("{rules} has no hands that need any thought", rules=rules))


_Hand = tuple[int, Dice, HandState]


def _play(game: Game, strategy: Strategy, random: Random) -> Iterator[_Hand]:
    kept: Dice = ()
    for throw in range(1, game.last_throw("-") + 1):
        thrown = (random.randint(1, game.rules.faces) for _ in range(game.rules.dice - len(kept)))
        dice = tuple(sorted((*kept, *thrown)))
        yield throw, dice, "thrown" if kept else "all-thrown"
        best = advise(strategy, dice, throw, sheet_of(game, "-")).choices[0]
        if not isinstance(best, Keeping):
            return
        kept = best.kept


def _best_entry(game: Game, strategy: Strategy, throw: int, dice: Dice, state: HandState) -> Entry:
    found = advise(strategy, dice, throw, sheet_of(game, "-"), state=state).choices
    best = next(choice for choice in found if isinstance(choice, Entering))
    is_scratch = not best.points and not best.instant_win
    stands = throw > 1 and state == "all-thrown" and not best.turned
    return judge(
        game,
        Turn(
            dice=turn_over(dice, best.turned, game.rules.faces),
            roll=throw,
            category=best.category,
            is_scratch=is_scratch,
            served=True if stands and game.rules.most_turned else None,
        ),
    )
