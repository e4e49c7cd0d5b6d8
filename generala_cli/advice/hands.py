from collections.abc import Mapping, Sequence
from decimal import Decimal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from generala_cli.advice.aiming import best_play, duels_from
from generala_cli.advice.answers import (
    MAXIMISED,
    Advice,
    AdviceBox,
    AdviceCategory,
    AdviceChoice,
    AdviceKeep,
    AdviceScore,
    AdviceScratch,
)
from generala_cli.advice.judging import paying, sheet_of
from generala_cli.advice.payouts import PAYOUT_PLACES
from generala_cli.advice.strategies import goal_chances, strategy_for
from generala_cli.app.aims import Aim
from generala_cli.app.long_work import steps
from generala_cli.errors import NotAllowed, NotFound, UsageError
from generala_cli.game.decisions import game_over_error, mover, player_left_error
from generala_cli.game.game import Game
from generala_cli.game.turn import Turn, check_throw
from generala_cli.game.turnline import TurnLine, parse
from generala_cli.messages import lazy
from generala_cli.odds.advice import Choice, Keeping, advise
from generala_cli.odds.aiming import AimedPlay
from generala_cli.odds.duel import Duel
from generala_cli.odds.sheets import Sheet, TooManySheets
from generala_cli.odds.solving import solve
from generala_cli.progress import Progress
from generala_cli.remedies import Remedy, in_shell
from generala_cli.render.hints import SHELL, full_message
from generala_cli.rules.dice import Dice
from generala_cli.rules.ruleset import RuleSet, wins_with
from generala_cli.rules.turning import HandState
from generala_cli.store.store import Store
from generala_cli.text import find_player

_AIMING_TAKES = 20
"""The time that an aim other than points takes, relative to solving the sheet for points."""
_GOALS_TAKE = 3
"""The time that the chances of rows take, relative to solving the sheet."""


class Hand(Struct, frozen=True, kw_only=True):
    """A hand to advise on, and its sheet.

    `instant_value` is the points that an instant win adds, in place of the open boxes. None means the largest
    possible total.
    """

    number: int | None = None
    game: Game | None = None
    player: str | None = None
    rules: RuleSet
    sheet: Sheet
    dice: Dice
    throw: int
    state: HandState = "thrown"
    instant_value: int | None


def hand_in_game(store: Store, line: TurnLine, instant_value: int | None = None) -> Hand:
    """Return the hand in a line, for the player to move or the named player of the current game."""
    try:
        number = store.find(None)
    except NotFound as error:
        if store.numbers():
            raise
        raise NotFound(error.message, Remedy("start-game-or-ask-in-none")) from error
    game = store.load(number).game
    player = _player(game, line.player)
    hand = hand_on_sheet(game.rules, sheet_of(game, player), line, instant_value, is_in_game=True)
    return replace(hand, number=number, game=game, player=player)


def _player(game: Game, wanted: str | None) -> str:
    if game.is_over:
        raise game_over_error()
    player = mover(game, Turn(player=wanted and find_player(wanted, game.seats)))
    if player in game.left:
        raise player_left_error(player)
    if not game.open_categories(player):
        raise NotAllowed(
            "{player} has no open category left", "it is {mover}'s turn", player=player, mover=game.to_move
        )
    return player


def hand_on_sheet(
    rules: RuleSet,
    sheet: Sheet,
    line: TurnLine,
    instant_value: int | None = None,
    *,
    is_in_game: bool = False,
) -> Hand:
    turn = parse(line, rules, is_throw_asked=True)
    if turn.category is not None:
        filled = in_shell(lazy("separate filled categories with commas, such as --filled ones,twos"))
        hint = filled if sheet.filled and not is_in_game else lazy("type the dice only")
        raise UsageError("{category} is not a throw", hint, category=turn.category.typed)
    throw = turn.roll or rules.throws
    check_throw(throw, rules, sheet.spares)
    if instant_value is not None and not wins_with(rules, "open"):
        hint = in_shell(lazy("remove --instant-value"))
        raise NotAllowed("{rules} has no instant win", hint, rules=rules)
    return Hand(
        rules=rules,
        sheet=sheet,
        dice=turn.hand,
        throw=throw,
        state="all-thrown" if turn.served else "thrown",
        instant_value=instant_value,
    )


def advice(
    hand: Hand, progress: Progress | None = None, top: int | None = None, aim: Aim = "points"
) -> Advice:
    """Return the best `top` choices, or all; for points if there is no game or the aim takes too long."""
    if hand.game is not None and aim != "points":
        paying(hand.game)  # refuses a game that game points decide
    goal_boxes = _goal_boxes(hand)
    takes = [1, 0 if aim == "points" else _AIMING_TAKES, 0 if goal_boxes is None else _GOALS_TAKE]
    solving, aiming, following = steps(progress, takes)
    try:
        strategy = strategy_for(hand.rules, hand.sheet, instant_value=hand.instant_value, progress=solving)
    except TooManySheets as refusal:
        return _advice_on_boxes(hand, refusal, top, aim)
    play = both_from = None
    if hand.game is not None and hand.player is not None and aim != "points":
        play = best_play(strategy, hand.game, hand.player, aim, aiming)
        if isinstance(play, AimedPlay) and not play.is_exact:
            both_from = duels_from(strategy, hand.game, hand.player)
    found = advise(strategy, hand.dice, hand.throw, hand.sheet, play, state=hand.state)
    to = "points" if play is None else aim
    choices = tuple(as_choice(choice, to, hand.game) for choice in found.choices)
    best_for_points = as_choice(found.best_for_points, to, hand.game)
    is_best = best_for_points == choices[0]
    if goal_boxes is not None:
        chances = goal_chances(strategy, following).of_choices(found, hand.sheet, goal_boxes)
        choices = tuple(replace(choice, goals=each) for choice, each in zip(choices, chances, strict=True))
    return Advice(
        game=hand.number,
        rules=hand.rules.name,
        player=hand.player,
        dice=found.dice,
        roll=found.throw,
        last_roll=found.last,
        spares=hand.sheet.spares,
        total=hand.sheet.total,
        maximises=MAXIMISED[to],
        to=to,
        asked=aim,
        exact=play is None or play.is_exact,
        others=aim if isinstance(play, Duel) else "points",
        both_from=UNSET if both_from is None else both_from,
        unit=hand.game.agreed.unit if to == "payout" and hand.game is not None else UNSET,
        instant_value=strategy.instant_value(hand.sheet),
        choices=choices[:top],
        best_for_points=UNSET if is_best else best_for_points,
    )


def _goal_boxes(hand: Hand) -> Mapping[str, Sequence[int]] | None:
    """Return the points in the filled boxes of each row; None if no row has a goal, or points are unknown."""
    points = hand.rules.game_points
    goals = {row.box for row in points.rows if row.needed} if points else set()
    if not goals or hand.rules.most_turned:  # the chances of turning dice over are not known here
        return None
    if hand.game is not None and hand.player is not None:
        rows = hand.game.columns[hand.player].rows
        return {box: [entry.points for entry in row] for box, row in rows.items()}
    return None if goals.intersection(hand.sheet.filled) else {}


def _advice_on_boxes(hand: Hand, why: TooManySheets, top: int | None, asked: Aim) -> Advice:
    rules, sheet = hand.rules, hand.sheet
    boxes = []
    for category in rules.categories:
        if not sheet.left(category):
            continue
        others = [each.id for each in rules.categories for _ in range(each.box_count)]
        others.remove(category.id)
        alone = replace(
            sheet, filled=tuple(sorted(others)), total=0, spares=max(0, hand.throw - rules.throws)
        )
        choice = advise(solve(rules, alone), hand.dice, hand.throw, state=hand.state).choices[0]
        boxes.append(
            AdviceBox(
                category=category.id,
                keep=choice.kept if isinstance(choice, Keeping) else None,
                made=choice.likely[0].made if isinstance(choice, Keeping) else float(choice.points > 0),
                points=choice.expected,
                turn=solve(rules, replace(alone, spares=0)).worth,
                turned=UNSET if isinstance(choice, Keeping) or not choice.turned else choice.turned,
            )
        )
    boxes.sort(key=lambda box: box.turn - box.points)
    return Advice(
        game=hand.number,
        rules=rules.name,
        player=hand.player,
        dice=hand.dice,
        roll=hand.throw,
        last_roll=rules.throws + sheet.spares,
        spares=sheet.spares,
        total=sheet.total,
        maximises=MAXIMISED["points"],
        to="points",
        asked=asked,
        exact=True,
        others="points",
        instant_value=hand.instant_value,
        choices=(),
        why=full_message(why, SHELL),
        boxes=tuple(boxes[:top]),
    )


def as_choice(choice: Choice, to: Aim = "points", game: Game | None = None) -> AdviceChoice:
    """Return a choice as a document, with ids of categories, and payouts in the unit of the game."""
    wins: float | UnsetType = UNSET
    payout: Decimal | UnsetType = UNSET
    if to == "win" and choice.brings is not None:
        wins = min(1.0, choice.brings)
    elif to == "payout" and choice.brings is not None and game is not None:
        payout = round(Decimal(choice.brings) * Decimal(game.agreed.stake), PAYOUT_PLACES)
    if isinstance(choice, Keeping):
        categories = tuple(
            AdviceCategory(
                category=each.category.id, scored=each.scored, scratched=each.scratched, made=each.made
            )
            for each in choice.likely
        )
        return AdviceKeep(
            keep=choice.kept,
            expected=choice.expected,
            cost=choice.cost,
            wins=wins,
            payout=payout,
            categories=categories,
        )
    kind = AdviceScore if choice.points or choice.instant_win else AdviceScratch
    return kind(
        category=None if choice.category is None else choice.category.id,
        points=choice.points,
        instant_win=choice.instant_win,
        expected=choice.expected,
        cost=choice.cost,
        wins=wins,
        payout=payout,
        turned=choice.turned or UNSET,
    )
