"""What the rules allow. A decision reads the game and returns a fact, or refuses with the reason."""

from collections.abc import Sequence

from generala_cli.errors import Mistyped, NotAllowed
from generala_cli.facts import Fact
from generala_cli.game.events import Redone, Scored, Scratched, Undone
from generala_cli.game.game import Game
from generala_cli.game.history import History, Step
from generala_cli.rules.dice import Dice, print_dice
from generala_cli.rules.names import listed
from generala_cli.rules.ruleset import Category
from generala_cli.rules.scoring import can_win_instantly, qualifies, worth

AFTER_THE_END = "generala undo takes the last entry back, generala rematch starts another game"


class Choice(Fact):
    """A category that a hand may go to, and what it would score there."""

    category: Category
    points: int


class Undecided(NotAllowed):
    """The hand could go to several categories, or makes none: someone must say which.

    Attributes:
        choices: what the hand makes, best first; empty where it makes nothing.
    """

    kind = "undecided"

    def __init__(self, message: str, hint: str, choices: Sequence[Choice]) -> None:
        super().__init__(message, hint)
        self.choices = tuple(choices)


class WrongBox(NotAllowed):
    """The category that was named cannot take the hand: it is filled, not due, or the hand is another."""


def choices(game: Game, player: str, dice: Dice, roll: int) -> tuple[Choice, ...]:
    """Every category the hand may score in now, best first, equal ones in sheet order."""
    made = (
        Choice(category=category, points=worth(game.rules, category, dice, roll))
        for category in game.fillable_categories(player)
        if _may_score(game, player, category)
    )
    return tuple(sorted((choice for choice in made if choice.points), key=lambda choice: -choice.points))


def best_choice(game: Game, player: str, dice: Dice, roll: int) -> Category:
    """The category that scores most.

    Raises:
        Undecided: two score the same, or the hand makes nothing; nothing is ever scratched unasked.
    """
    found = choices(game, player, dice, roll)
    if not found:
        raise Undecided(
            f"{print_dice(dice)} makes nothing that is open to {player}",
            f"scratch one with generala scratch CATEGORY: {_ids(game.fillable_categories(player))}",
            (),
        )
    best = [choice for choice in found if choice.points == found[0].points]
    if len(best) > 1:
        names = _ids([choice.category for choice in best])
        raise Undecided(
            f"{print_dice(dice)} scores {best[0].points} in {names}", f"say which with --as {names}", found
        )
    return best[0].category


def wins_instantly(game: Game, player: str, dice: Dice, roll: int) -> bool:
    """Whether entering the hand ends the game at once."""
    win = game.rules.instant_win
    if win is None or not can_win_instantly(game.rules, dice, roll):
        return False
    return win.when == "always" or win.box not in game.columns[player].boxes


def score(game: Game, *, player: str, dice: Dice, roll: int, category: Category | None) -> Scored:
    """Write a hand. Without a category it must win at once, or have one that scores most.

    A hand that wins at once needs no category, and any that is named gives way to the box of its name.

    Raises:
        NotAllowed: the rules forbid it. Undecided: a category must be named.
    """
    _check_turn(game, player, roll)
    _check_dice(game, dice)
    if wins_instantly(game, player, dice, roll):
        return _instant_win(game, player, dice, roll)
    chosen = category or best_choice(game, player, dice, roll)
    if not _takes(game, player, chosen, dice):
        made = [choice.category for choice in choices(game, player, dice, roll)]
        _check_fillable(game, player, chosen, made)
        _check_made(game, player, dice, chosen, made)
    points = worth(game.rules, chosen, dice, roll)
    return Scored(player=player, dice=dice, roll=roll, category=chosen.id, points=points)


def scratch(game: Game, *, player: str, category: Category, dice: Dice | None, roll: int) -> Scratched:
    """Give a category up for 0.

    Raises:
        NotAllowed: the rules forbid it, or the dice win at once.
    """
    _check_turn(game, player, roll)
    if dice is not None:
        _check_dice(game, dice)
    if dice is not None and wins_instantly(game, player, dice, roll):
        raise NotAllowed(
            f"{print_dice(dice)} on the first throw wins at once", "enter it with generala score"
        )
    _check_fillable(game, player, category, ())
    return Scratched(player=player, category=category.id, dice=dice, roll=roll)


def undo(history: History) -> Undone:
    """Take back the last action.

    Raises:
        NotAllowed: there is none.
    """
    if not history.done:
        raise NotAllowed("there is nothing to undo", "no entry has been made in this game")
    return Undone(number=history.done[-1].number)


def redo(history: History) -> Redone:
    """Put back the last action that was taken back.

    Raises:
        NotAllowed: there is none, or something was entered since.
    """
    if not history.undone:
        raise NotAllowed(
            "there is nothing to redo", "only what was undone last, with nothing entered since, can be"
        )
    return Redone(number=history.undone[-1].number)


def undo_many(history: History, count: int) -> Sequence[Undone]:
    """Take back the last so many actions, the latest first.

    Raises:
        Mistyped: the count is below 1. NotAllowed: there are not that many.
    """
    _check_count(count)
    undo(history)
    return [Undone(number=step.number) for step in _last(history.done, count, "undone")]


def redo_many(history: History, count: int) -> Sequence[Redone]:
    """Put back the last so many that were taken back.

    Raises:
        Mistyped: the count is below 1. NotAllowed: there are not that many.
    """
    _check_count(count)
    redo(history)
    return [Redone(number=step.number) for step in _last(history.undone, count, "redone")]


def _check_count(count: int) -> None:
    if count < 1:
        raise Mistyped(f"{count} is not a number of entries", "type how many, as in generala undo 2")


def _last(steps: Sequence[Step], count: int, verb: str) -> Sequence[Step]:
    if count > len(steps):
        raise NotAllowed(f"only {len(steps)} can be {verb}, not {count}", f"type {len(steps)} or fewer")
    return steps[: -count - 1 : -1]


def _instant_win(game: Game, player: str, dice: Dice, roll: int) -> Scored:
    win = game.rules.instant_win
    assert win is not None
    box = game.rules.category(win.box)
    is_open = box.id not in game.columns[player].boxes
    return Scored(
        player=player,
        dice=dice,
        roll=roll,
        category=box.id if is_open else None,
        points=worth(game.rules, box, dice, roll) if is_open else 0,
        instant_win=True,
    )


def _check_turn(game: Game, player: str, roll: int) -> None:
    if game.is_over:
        raise NotAllowed("the game is over", AFTER_THE_END)
    if player not in game.columns:
        raise NotAllowed(f"{player} is not in this game", f"its players are {listed(game.seats, 'and')}")
    if not game.may_move(player):
        raise NotAllowed(
            f"{player} has had this round's turn; it is {game.to_move}'s turn", _who_may_move(game)
        )
    if not 1 <= roll <= game.last_throw(player):
        spares = game.columns[player].spares
        saved = (
            f" and {player} has {spares or 'no'} spare{'' if spares == 1 else 's'}"
            if game.rules.has_spares
            else ""
        )
        raise NotAllowed(
            f"there is no throw {roll}: a turn has {game.rules.throws}{saved}", _roll_range(game, player)
        )


def _check_dice(game: Game, dice: Dice) -> None:
    """Hands that are typed are read by the rules; those in a file may be anything."""
    if len(dice) != game.rules.dice or not all(1 <= face <= game.rules.faces for face in dice):
        what = f"{game.rules.dice} dice with faces from 1 to {game.rules.faces}"
        raise NotAllowed(f"{print_dice(dice) or 'no die'} is not a hand", f"this game is played with {what}")


def _who_may_move(game: Game) -> str:
    waiting = [player for player in game.seats if game.may_move(player)]
    return f"this round's turns are left to {listed(waiting, 'and')}"


def _roll_range(game: Game, player: str) -> str:
    last = game.last_throw(player)
    return f"type --roll 1 to {last}" if last > 1 else "type --roll 1 or leave it out"


def _may_score(game: Game, player: str, category: Category) -> bool:
    if category.after is None:
        return True
    box = game.columns[player].boxes.get(category.after)
    return box is not None and not box.scratched


def _takes(game: Game, player: str, category: Category, dice: Dice) -> bool:
    """Whether the hand can be written there; why it cannot takes more work, which is done only then."""
    return (
        category in game.fillable_categories(player)
        and qualifies(game.rules, category, dice)
        and _may_score(game, player, category)
    )


def _check_fillable(game: Game, player: str, category: Category, made: Sequence[Category]) -> None:
    """Refuse a box that is filled or not due; `made` are the boxes that the hand could go to instead."""
    box = game.columns[player].boxes.get(category.id)
    if box is not None:
        was = "scratched" if box.scratched else f"filled with {box.points}"
        raise WrongBox(
            f"{player}'s {category.name} was {was} in turn {box.turn}",
            f"choose an open category: {_ids(game.fillable_categories(player))}",
        )
    if category not in game.fillable_categories(player):
        (due,) = game.fillable_categories(player)
        scoring = f"score it with --as {due.id} or " if due in made else ""
        raise WrongBox(
            f"boxes are filled from top to bottom here, and {player}'s next is {due.name}",
            f"{scoring}scratch it with generala scratch {due.id}",
        )


def _check_made(game: Game, player: str, dice: Dice, category: Category, made: Sequence[Category]) -> None:
    if not qualifies(game.rules, category, dice):
        other = f"score it as {_ids(made)}, or scratch" if made else "scratch"
        raise WrongBox(
            f"{print_dice(dice)} is not {category.name}",
            f"{other} with generala scratch {category.id}",
        )
    if not _may_score(game, player, category):
        after = game.rules.category(category.after or "")
        raise WrongBox(
            f"{category.name} needs points in {player}'s {after.name} first",
            f"generala scratch {category.id} gives it up",
        )


def _ids(categories: Sequence[Category]) -> str:
    return listed([category.id for category in categories])
