"""The value of an answer, compared with the plain recursion; the hands asked, compared with `review`."""

import gc
from contextlib import suppress
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from generala_cli.advice.aiming import aimed_play
from generala_cli.advice.judging import sheet_of
from generala_cli.advice.looking_back import review
from generala_cli.advice.strategies import whole_strategy
from generala_cli.errors import GeneralaError, NotAllowed
from generala_cli.game.decisions import judge
from generala_cli.game.events import Agreed, Entry, Thrown
from generala_cli.game.game import Game, evolve, new_game
from generala_cli.game.history import undo
from generala_cli.game.turn import Turn
from generala_cli.odds.advice import judge_aimed
from generala_cli.odds.sheets import Sheet
from generala_cli.odds.solving import solve
from generala_cli.progress import no_progress
from generala_cli.render.choices import choice_words
from generala_cli.render.documents.choices import EntryChoice, KeepChoice
from generala_cli.rules.ruleset import can_win_instantly
from generala_cli.store.store import Store
from generala_cli.training.dialogue import understood
from generala_cli.training.exercises import Exercise, choices, drawn, of_game, play_to_win
from generala_cli.training.schedule import RIGHT
from generala_cli.training.trainee import trainee
from generala_cli.training.trainingfile import DrawnHand, PlayedHand, TrainingFile
from tests.game.table import cached_rules
from tests.odds.naive import Naive
from tests.odds.tiny import Both, sheet, tinies

GENERAL = cached_rules("general")


@given(tinies(), st.integers(0, 2**32))
def test_every_answer_is_judged_as_the_recursion_does(game: Both, seed: int) -> None:
    """On an empty sheet of any tiny game, with a random throw and hand."""
    naive, random = Naive(game.tiny, 0), Random(seed)
    strategy = solve(game.rules, sheet(naive, naive.start), instant_value=0)
    last = naive.last(naive.start)
    throw, dice = random.randint(1, last), tuple(sorted(random.choice(naive.thrown())))
    moves = naive.moves(naive.start, throw, dice)
    if moves[0].state is None:  # it wins at once, so it is never asked
        return
    may_keep = throw < last and random.random() < 0.7
    exercise = Exercise(
        hand=DrawnHand(rules="01234567", number=1, throw=throw, dice=dice),
        position=new_game(Agreed(players=("Ana",), rules=game.rules)),
        player="Ana",
        throw=throw,
        last=last,
        dice=dice,
        may_keep=may_keep,
    )
    best = max(map(naive.worth, moves))
    best = naive.best(naive.start, throw, dice) if may_keep else best
    found = choices(exercise, strategy)
    assert min(choice.cost for choice in found) == pytest.approx(0, abs=1e-9)
    boxes = {move.box: naive.worth(move) for move in moves}
    entering = {each.category: each.cost for each in found if isinstance(each, EntryChoice)}
    assert entering == pytest.approx({box: float(best - worth) for box, worth in boxes.items()}, abs=1e-9)
    keeping = {each.keep: each.cost for each in found if isinstance(each, KeepChoice)}
    assert bool(keeping) == may_keep
    for kept, cost in keeping.items():
        assert cost == pytest.approx(float(best - naive.kept(naive.start, throw, kept)), abs=1e-9)


def played_at_random(store: Store, seed: int) -> int:
    """Play a game of General with the throws of some turns entered. Return its number."""
    random = Random(seed)
    number = store.add(Agreed(players=("Ana", "Beto"), rules=GENERAL)).number

    def turn() -> Turn:
        hand = tuple(random.randint(1, 6) for _ in range(5))
        throws: tuple[Thrown, ...] = ()
        for _ in range(random.randrange(3)):
            kept = tuple(random.sample(hand, random.randrange(5)))
            throws = (*throws, Thrown(dice=hand, kept=kept))
            hand = (*kept, *(random.randint(1, 6) for _ in range(5 - len(kept))))
        is_told = random.random() < 0.6
        whole = Turn(dice=hand, roll=len(throws) + 1)
        return replace(whole, throws=throws) if throws and is_told else whole

    for _ in range(14):
        game = store.load(number).game
        if game.to_move is None:
            break
        entry = _entered(game, turn(), random)
        store.change(str(number), lambda _, entry=entry: [entry])  # type: ignore[misc]
    return number


def _entered(game: Game, turn: Turn, random: Random) -> Entry:
    """Return the turn in a random box, scored or scratched."""
    assert game.to_move is not None
    boxes = list(game.fillable_categories(game.to_move))
    for box in random.sample(boxes, len(boxes)):
        for is_scratch in (False, True):
            with suppress(GeneralaError):
                return judge(game, replace(turn, category=box, is_scratch=is_scratch))
    raise AssertionError(turn)


def replied(exercise: Exercise) -> str:
    """Return the typed answer that matches the player's choice in the game."""
    return exercise.category or "".join(map(str, exercise.kept or ())) or "0"


@pytest.mark.slow
def test_a_trainee_keeps_no_game_in_memory_and_skips_turns_that_were_undone(store: Store) -> None:
    number = played_at_random(store, 0)
    file = TrainingFile()
    found = trainee(store, "Ana", None, file, no_progress)
    assert len(found.played) > 1
    gc.collect()
    assert not any(isinstance(each, Exercise) for each in gc.get_objects())
    asked = {each.hand for each in found.upcoming(file, store.now())}
    assert asked <= {each.hand for each in found.played}
    assert {each.hand for each in found.played if each.cost > RIGHT} <= asked
    store.change(str(number), lambda history: undo(history, 4))
    left = {each.hand for each in found.upcoming(file, store.now())}
    assert left < asked


@pytest.mark.thinned(every=6)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.slow
def test_each_mistake_is_asked_once_and_costs_what_the_review_says(store: Store, seed: int) -> None:
    number = played_at_random(store, seed)
    stored, strategy = store.load(number), whole_strategy(GENERAL)
    found: dict[int, list[Exercise]] = {}
    for exercise in of_game(stored, strategy, ["Ana"]):
        assert isinstance(exercise.hand, PlayedHand)
        found.setdefault(exercise.hand.turn, []).append(exercise)
        judged = understood(replied(exercise), exercise, choices(exercise, strategy))
        assert judged.cost == pytest.approx(exercise.cost, abs=1e-9)
    for turn in review(stored.game, number).turns:
        if turn.player != "Ana" or turn.instant_win or turn.dice is None:
            assert turn.turn not in found
            continue
        stopping = sum(keep.cost for keep in turn.keeps if keep.roll == turn.roll)
        thrown = [(keep.roll, keep.dice, keep.cost) for keep in turn.keeps if keep.roll < turn.roll]
        thrown.append((turn.roll, turn.dice, stopping + turn.mistake))
        costs = [cost for roll, dice, cost in thrown if not can_win_instantly(GENERAL, dice, roll)]
        wrong = [cost for cost in costs if cost > RIGHT]
        asked = [each.cost for each in found.get(turn.turn, ())]
        assert asked == pytest.approx(wrong or ([max(costs)] if costs else []))


@pytest.mark.slow
def test_to_win_an_answer_costs_what_a_look_back_says(store: Store) -> None:
    stored, strategy = store.load(played_at_random(store, 4)), whole_strategy(GENERAL)
    first, *_, before, last = of_game(stored, strategy, ["Ana"])
    assert play_to_win(first, strategy) is None
    assert choices(first, strategy)[0].wins is UNSET
    for exercise in (before, last):
        assert isinstance(exercise.hand, PlayedHand)
        entry = stored.game.entries[exercise.hand.turn - 1]
        found = choices(exercise, strategy, play_to_win(exercise, strategy))
        play = aimed_play(strategy, exercise.position, "Ana", "win")
        assert play is not None
        win = judge_aimed(play, sheet_of(evolve(exercise.position, entry), "Ana"), entry)
        done = understood(replied(exercise), exercise, found)
        stopped = sum(keep.cost for keep in win.keeps if keep.roll == exercise.throw)
        cost = stopped if exercise.kept is not None else win.mistake + stopped * exercise.may_keep
        most = max(each.wins or 0 for each in found)
        assert done.wins is not UNSET
        assert most - done.wins == pytest.approx(cost, abs=1e-9)
        assert [each.cost for each in found] == [each.cost for each in choices(exercise, strategy)]


@pytest.mark.slow
def test_drawn_hands_are_the_same_for_everybody_and_make_one_think() -> None:
    strategy = whole_strategy(GENERAL)
    for number in range(1, 6):
        exercise = drawn(strategy, number)
        assert exercise == drawn(strategy, number)
        wrong = [choice.cost for choice in choices(exercise, strategy) if choice.cost > RIGHT]
        assert min(wrong) <= 3
    assert len({drawn(strategy, number).dice for number in range(1, 6)}) > 1


def test_answers_are_dice_or_boxes_and_all_else_is_told() -> None:
    strategy = whole_strategy(GENERAL)
    exercise = next(each for each in (drawn(strategy, number) for number in range(1, 50)) if each.may_keep)
    found = choices(exercise, strategy)
    for choice in islice(found, 40):
        if isinstance(choice, KeepChoice) and choice.keep != exercise.dice:
            reply = " ".join(map(str, reversed(choice.keep))) or "0"
            assert understood(reply, exercise, found) == choice
        elif isinstance(choice, EntryChoice):
            assert understood(str(choice.category), exercise, found) == choice
            if choice.points:
                with pytest.raises(NotAllowed):
                    understood(f"x {choice.category}", exercise, found)
            else:
                assert understood(f"x {choice.category}", exercise, found) == choice
        assert understood(choice_words(choice, GENERAL), exercise, found) == choice
    absent = next(face for face in range(1, 7) if face not in exercise.dice)
    for reply in (str(absent), "7", "".join(map(str, exercise.dice)), "bridge"):
        with pytest.raises(GeneralaError):
            understood(reply, exercise, found)
    boxes = replace(exercise, may_keep=False)
    with pytest.raises(GeneralaError, match="you cannot keep dice here"):
        understood(str(exercise.dice[0]), boxes, choices(boxes, strategy))


def test_a_drawn_hand_of_cacho_asks_which_dice_to_turn() -> None:
    strategy = solve(cached_rules("cacho"), Sheet())
    asked = next(each for number in range(1, 20) if (each := drawn(strategy, number)).asks_to_turn)
    found = choices(asked, strategy)
    turned = [each for each in found if isinstance(each, EntryChoice) and each.turned]
    assert found[0].cost == 0
    for choice in turned:
        assert understood("".join(map(str, choice.turned or ())), asked, found) == choice
        assert understood(choice_words(choice, asked.rules), asked, found) == choice
    with pytest.raises(GeneralaError, match="cannot be turned over"):
        understood("123456", asked, found)
    if asked.state == "thrown":
        assert len(turned) == len(found)
        with pytest.raises(GeneralaError, match="one die must be turned over"):
            understood("full", asked, found)


def test_a_turned_hand_of_a_game_is_asked_for_its_box_only(store: Store) -> None:
    number = store.add(Agreed(players=("Ana", "Beto"), rules=cached_rules("cacho"))).number
    lines = (("44136", None, "sixes"), ("55533", True, "fives"))
    for typed, served, box in lines:
        turn = Turn(dice=tuple(map(int, typed)), served=served, category=cached_rules("cacho").category(box))
        entry = judge(store.load(number).game, turn)
        store.change(str(number), lambda _, entry=entry: [entry])  # type: ignore[misc]
    strategy = whole_strategy(cached_rules("cacho"), no_progress)
    first, second = [*of_game(store.load(number), strategy, ["Ana", "Beto"])]
    assert (first.state, second.state) == ("turned", "served")
    for asked, points in ((first, 30), (second, 35)):
        found = choices(asked, strategy)
        assert all(isinstance(each, EntryChoice) and not each.turned for each in found)
        houses = [each for each in found if isinstance(each, EntryChoice) and each.category == "full-house"]
        assert [each.points for each in houses] == ([points] if asked is second else [0])
