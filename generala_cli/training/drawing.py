from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import UNSET

from generala_cli.messages import listing
from generala_cli.render.choices import choice_words, keep_words
from generala_cli.render.documents import rounded
from generala_cli.render.documents.choices import Choice
from generala_cli.render.drawing import Stack
from generala_cli.render.language import number, percent, translate, translate_count, translated
from generala_cli.render.lines import named, places
from generala_cli.render.screen import Screen, draw
from generala_cli.render.tables import local_time
from generala_cli.rules.dice import print_dice
from generala_cli.rules.ruleset import RuleSet
from generala_cli.text import safe
from generala_cli.training.answers import Training
from generala_cli.training.schedule import History, is_right
from generala_cli.training.trainingfile import DrawnHand

if TYPE_CHECKING:  # drawing a summary must not import numpy
    from generala_cli.training.exercises import Exercise
    from generala_cli.training.trainee import Attempts


def exercise(asked: "Exercise") -> Iterator[str]:
    game, player, rules = asked.position, asked.player, asked.rules
    if isinstance(asked.hand, DrawnHand):
        yield translate("{rules}, drawn hand {number}", rules=named(rules), number=asked.hand.number)
    else:
        yield translate(
            "game {game}, {rules}: turn {turn}, {player}",
            game=asked.number,
            rules=named(rules),
            turn=asked.hand.turn,
            player=safe(player),
        )
    rows = game.columns[player].rows
    written = [
        translate("{category} scratched", category=named(rules.category(name)))
        if box.scratched
        else f"{named(rules.category(name))} {box.points}"
        for name, row in rows.items()
        for box in row
    ]
    if written:
        yield translate("filled: {boxes}; total {total}", boxes=", ".join(written), total=game.total(player))
    if rules.upper_bonus is not None:
        yield translate(
            "numbers: {points} of {needed} for the bonus",
            points=game.in_numbers(player),
            needed=rules.upper_bonus.threshold,
        )
    is_open = ", ".join(named(category) for category in game.open_categories(player))
    yield translate("open: {categories}", categories=is_open)
    if len(game.seats) > 1:
        yield translate("places: {places}", places=places(game))
    yield translate(
        "throw {throw} of {last}: {dice}", throw=asked.throw, last=asked.last, dice=print_dice(asked.dice)
    )
    if asked.asks_to_turn and asked.state == "all-thrown":
        yield translate("all dice were thrown again, so the hand may stand de mano: then type a box")


def question(asked: "Exercise") -> str:
    if asked.asks_to_turn:
        return translate("Which dice do you turn over?")
    if asked.may_keep:
        return translate("Which dice do you keep, or which box?")
    return translate("Which box?")


def explanation(asked: "Exercise") -> Iterator[str]:
    if asked.asks_to_turn:
        yield translate("type the dice to turn over, such as 25; they go to the best box")
        if asked.state == "thrown":
            yield translate("q quits; every answer is saved")
            return
    if asked.may_keep:
        yield translate("type the dice to keep, such as 44, or 0 to throw all again")
    fillable = listing(asked.position.open_categories(asked.player))
    yield translate("type a box for the hand: {categories}", categories=translated(fillable))
    yield translate("q quits; every answer is saved")


def verdict(
    asked: "Exercise",
    chosen: Choice,
    choices: Sequence[Choice],
    past: History,
    alike: "Attempts",
    days: int | None,
) -> Iterator[str]:
    """Yield the verdict on an answer, and earlier answers to this hand (`past`).

    `alike` counts other turns with this hand on this throw. The hand comes again in `days`, or never.
    """
    rules, best = asked.rules, choice_words(choices[0], asked.rules)
    if chosen.cost == 0:
        yield translate("right: {choice}", choice=choice_words(chosen, rules))
    elif is_right(chosen.cost):
        yield translate("right: as good as the best, {choice}", choice=best)
    else:
        yield translate(
            "{points} points less than the best: {choice}", points=number(chosen.cost, ".1f"), choice=best
        )
    yield from _to_win(chosen, choices, rules)
    if (done := _done(asked)) is not None:
        cost = number(asked.cost, ".1f")
        if is_right(asked.cost):
            yield translate("in the game: {choice}, which was right", choice=done)
        else:
            yield translate("in the game: {choice}, which cost {points}", choice=done, points=cost)
    if attempts := past.attempts:
        yield translate_count(
            "answered {count} time before, {right} right",
            "answered {count} times before, {right} right",
            len(attempts),
            right=sum(attempt.right for attempt in attempts),
        )
    else:
        yield translate("asked for the first time")
    if alike.count:
        yield translate_count(
            "this hand on this throw was played right in {right} of {count} other turn",
            "this hand on this throw was played right in {right} of {count} other turns",
            alike.count,
            right=alike.right,
        )
    if days == 1:
        yield translate("it comes again tomorrow")
    elif days is not None:
        yield translate_count("it comes again in {count} day", "it comes again in {count} days", days)


def _to_win(chosen: Choice, choices: Sequence[Choice], rules: RuleSet) -> Iterator[str]:
    if chosen.wins is UNSET:
        return
    wins, best = max(((each.wins or 0, each) for each in choices), key=lambda pair: rounded(pair[0]))
    if (share := percent(chosen.wins, 1)) == (most := percent(wins, 1)):
        yield translate(
            "chance to win if the others play for points: {share}, the best possible", share=share
        )
    else:
        yield translate(
            "chance to win if the others play for points: {share}; {choice} has {most}",
            share=share,
            choice=choice_words(best, rules),
            most=most,
        )


def _done(asked: "Exercise") -> str | None:
    if asked.kept is not None:
        return keep_words(asked.kept)
    if asked.category is None:
        return None
    name = named(asked.rules.category(asked.category))
    return translate("scratch {category}", category=name) if asked.scratched else name


@draw.register
def summary(result: Training, screen: Screen) -> Stack:
    parts: list[str] = []
    if result.answered:
        parts.append(
            translate_count(
                "{right} of {count} answer was right",
                "{right} of {count} answers were right",
                result.answered,
                right=result.right,
            )
        )
    if result.player is not None and result.rules is None:
        parts.append(
            translate_count(
                "{player}: {count} mistake not asked yet",
                "{player}: {count} mistakes not asked yet",
                result.new,
                player=safe(result.player),
            )
        )
    if result.due:
        parts.append(
            translate_count(
                "{count} missed hand is due again",
                "{count} missed hands are due again",
                result.due,
            )
        )
    elif result.next_due is not None:
        parts.append(translate("the next missed hand is due {when}", when=local_time(result.next_due)))
    return Stack(*parts, *map(translated, result.left_out))
