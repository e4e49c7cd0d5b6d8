from collections.abc import Callable, Sequence
from itertools import islice

from msgspec import UNSET, Struct
from msgspec.structs import replace

from generala_cli.errors import GeneralaError, NotAllowed, UsageError
from generala_cli.game.turnline import parse_box
from generala_cli.messages import LEAVING, lazy
from generala_cli.progress import Progress
from generala_cli.render.choices import choice_words
from generala_cli.render.documents import rounded
from generala_cli.render.documents.choices import Choice, EntryChoice, KeepChoice
from generala_cli.render.hints import SCREEN, full_message
from generala_cli.render.language import translated
from generala_cli.rules.dice import join_dice
from generala_cli.rules.notation import dice_groups, parse_faces
from generala_cli.store.store import Store
from generala_cli.text import find_word, normalize
from generala_cli.training import drawing, schedule
from generala_cli.training import storing as training
from generala_cli.training.answers import Training, TrainingHand
from generala_cli.training.exercises import Exercise, choices, play_to_win
from generala_cli.training.schedule import NEVER, is_right
from generala_cli.training.storing import StoredTraining
from generala_cli.training.trainee import Trainee
from generala_cli.training.trainingfile import Answered, DrawnHand, PlayedHand, TrainingFile

Ask = Callable[[str], str | None]
"""Asks a question and returns the reply, or None at the end of the input."""
Say = Callable[[Sequence[str]], None]
_NO_DICE = ("0", "-")
_LISTED = 10


class Answers(Struct, kw_only=True):
    """All answers ever `stored`, and the numbers given in this session."""

    stored: StoredTraining
    given: int = 0
    right: int = 0

    @property
    def file(self) -> TrainingFile:
        return self.stored.file


def converse(
    store: Store, trainee: Trainee, answers: Answers, ask: Ask, say: Say, most: int | None, *, dry_run: bool
) -> None:
    """Ask about hands until none are left or the user quits. Every answer is saved at once."""
    now = store.now()
    everyone, own = schedule.histories(answers.file), trainee.histories(answers.file)
    for exercise in islice(trainee.upcoming(answers.file, now), most):
        say([*drawing.exercise(exercise)])
        strategy = trainee.strategy(exercise)
        found = choices(exercise, strategy, play_to_win(exercise, strategy))
        chosen = _chosen(exercise, found, ask, say)
        if chosen is None:
            return
        if not dry_run:
            given = _answer(store.next_id(), trainee.player, exercise, chosen)
            answers.stored = training.add(store, given, answers.stored)
        answers.given += 1
        answers.right += is_right(chosen.cost)
        past, alike = everyone.get(exercise.hand, NEVER), trainee.played_alike(exercise)
        days = own.get(exercise.hand, NEVER).days_after(now, right=is_right(chosen.cost))
        say([*drawing.verdict(exercise, chosen, found, past, alike, days), ""])


def _chosen(exercise: Exercise, found: Sequence[Choice], ask: Ask, say: Say) -> Choice | None:
    while (reply := ask(drawing.question(exercise))) is not None and not find_word(reply, {True: LEAVING}):
        if reply in ("", "?"):
            say([*drawing.explanation(exercise)])
            continue
        try:
            return understood(reply, exercise, found)
        except GeneralaError as error:
            say([translated(full_message(error, SCREEN))])
    return None


def understood(reply: str, exercise: Exercise, found: Sequence[Choice]) -> Choice:
    """Return the choice in a reply: dice, a box (with an x to scratch), or words such as `keep 4 4`."""
    rules, hand = exercise.rules, join_dice(exercise.dice)
    for choice in found:
        if _squeezed(reply) == _squeezed(choice_words(choice, rules)):
            return choice
    if exercise.asks_to_turn and dice_groups(reply):
        return _turning(reply, exercise, found)
    if reply in _NO_DICE or dice_groups(reply):
        if not exercise.may_keep:
            raise UsageError("you cannot keep dice here", "type a box for the hand")
        dice = () if reply in _NO_DICE else parse_faces([reply], faces=rules.faces)
        kept = tuple(sorted(dice))
        if kept == exercise.dice:
            raise UsageError("you would not throw any dice", "type a box for the hand")
        for choice in found:
            if isinstance(choice, KeepChoice) and choice.keep == kept:
                return choice
        raise UsageError(
            "{dice} is not in {hand}", "type some of the dice in the hand", dice=join_dice(kept), hand=hand
        )
    if exercise.asks_to_turn and exercise.state == "thrown":
        raise UsageError("one die must be turned over", "type the dice to turn over, such as 25")
    named = parse_box(reply, rules, exercise.dice)
    category, is_scratch = named.category, named.is_scratch
    assert category is not None
    for choice in found:
        if isinstance(choice, EntryChoice) and choice.category == category.id and not choice.turned:
            if is_scratch and choice.points:
                what = lazy(
                    "{hand} scores {points} in {category}", hand=hand, points=choice.points, category=category
                )
                raise NotAllowed(what, "type the box without x")
            return choice
    raise NotAllowed(
        "{hand} does not fit in {category}", "type ? to list the boxes", hand=hand, category=category
    )


def _turning(reply: str, exercise: Exercise, found: Sequence[Choice]) -> Choice:
    """Return the choice to turn these dice over, with the best box."""
    dice = tuple(sorted(parse_faces([reply], faces=exercise.rules.faces)))
    for choice in found:
        if isinstance(choice, EntryChoice) and choice.turned == dice:
            return choice
    raise UsageError(
        "{dice} cannot be turned over in {hand}",
        "type one or two of the dice in the hand",
        dice=join_dice(dice),
        hand=join_dice(exercise.dice),
    )


def _squeezed(words: str) -> str:
    return normalize(words).replace(" ", "")


def _answer(key: str, player: str, exercise: Exercise, chosen: Choice) -> Answered:
    answer = Answered(id=key, player=player, hand=exercise.hand, kept=(), cost=rounded(chosen.cost))
    if isinstance(chosen, KeepChoice):
        return replace(answer, kept=chosen.keep)
    return replace(answer, kept=UNSET, category=chosen.category)


def training_document(
    store: Store, trainee: Trainee, answers: Answers, hands: tuple[TrainingHand, ...] = (), *, saved: bool
) -> Training:
    now, known = store.now(), trainee.histories(answers.file)
    missed = trainee.missed(answers.file)
    return Training(
        player=trainee.player or None,
        rules=None if trainee.drawn_by is None else trainee.drawn_by.name,
        new=sum(each.hand not in known and not is_right(each.cost) for each in trainee.played),
        due=len(schedule.due(missed, known, now)),
        next_due=schedule.next_due(missed, known),
        hands=hands,
        answered=answers.given,
        right=answers.right,
        left_out=trainee.left_out,
        saved=saved,
    )


def upcoming_hands(
    store: Store, trainee: Trainee, file: TrainingFile, most: int | None, progress: Progress
) -> tuple[TrainingHand, ...]:
    everyone, most = schedule.histories(file), _LISTED if most is None else most
    hands: list[TrainingHand] = []
    for exercise in islice(trainee.upcoming(file, store.now()), most):
        progress(len(hands), most)
        hands.append(_hand(trainee, exercise, everyone.get(exercise.hand, NEVER)))
    return tuple(hands)


def _hand(trainee: Trainee, exercise: Exercise, past: schedule.History) -> TrainingHand:
    game, hand, is_played = exercise.position, exercise.hand, isinstance(exercise.hand, PlayedHand)
    strategy, alike = trainee.strategy(exercise), trainee.played_alike(exercise)
    return TrainingHand(
        game=exercise.number,
        turn=hand.turn if isinstance(hand, PlayedHand) else None,
        drawn=hand.number if isinstance(hand, DrawnHand) else None,
        player=exercise.player if is_played else None,
        rules=exercise.rules.name,
        roll=exercise.throw,
        last_roll=exercise.last,
        dice=exercise.dice,
        may_keep=exercise.may_keep,
        boxes={
            name: sum(box.points for box in row) for name, row in game.columns[exercise.player].rows.items()
        },
        open=tuple(category.id for category in game.open_categories(exercise.player)),
        total=game.total(exercise.player),
        totals={player: game.total(player) for player in game.seats} if is_played else {},
        kept=exercise.kept,
        category=exercise.category,
        scratched=exercise.scratched,
        cost=exercise.cost if is_played else None,
        answers=len(past.attempts),
        right=sum(attempt.right for attempt in past.attempts),
        alike=alike.count,
        alike_right=alike.right,
        choices=tuple(choices(exercise, strategy, play_to_win(exercise, strategy))),
    )
