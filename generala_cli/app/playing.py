"""Entries: score, scratch, undo, redo, amend."""

from collections.abc import Sequence

from generala_cli.app.typed import Hand, ReadHand, read_hand
from generala_cli.errors import NotAllowed
from generala_cli.facts import Fact
from generala_cli.game import decisions
from generala_cli.game.decisions import Choice, Undecided
from generala_cli.game.events import Entry, Event, Scored
from generala_cli.game.game import Game
from generala_cli.game.history import History, Step
from generala_cli.game.seating import find_player
from generala_cli.rules.dice import Dice, print_dice
from generala_cli.rules.ruleset import Category
from generala_cli.rules.scoring import bonus
from generala_cli.store.record import StoredGame
from generala_cli.store.store import Decide, Store


class Entered(Fact):
    """An entry that was written, or would be.

    Attributes:
        number: the game. turn: of the entry, from 1. entry: what was written.
        bonus: how many of its points are there because the hand was served.
        upper_bonus: the points beside the box that it earned with the other numbers, or lost, if below 0.
        alternatives: the other open categories that the hand could have gone to, best first.
        overruled: the category that was named but gave way to an instant win.
        replaced: what was written before, when an entry was amended.
        game: after the entry.
        saved: whether it was saved; False in a dry run and where nothing changed.
    """

    number: int
    turn: int
    entry: Entry
    bonus: int
    alternatives: tuple[Choice, ...]
    game: Game
    saved: bool
    upper_bonus: int = 0
    overruled: Category | None = None
    replaced: Entry | None = None


class Moved(Fact):
    """Actions that were taken back or put back, in the order it was done.

    Attributes:
        undone: taken back rather than put back.
        steps: the actions.
        upper_bonuses: of each, the points of upper bonus that it brought when it was made, or lost.
        game: after it all.
    """

    number: int
    undone: bool
    steps: tuple[Step, ...]
    upper_bonuses: tuple[int, ...]
    game: Game
    saved: bool


def score(store: Store, hand: Hand, *, careful: bool = False, dry_run: bool = False) -> Entered:
    """Write a hand for the player to move, or the one named.

    Args:
        careful: raise `Undecided` also where only number categories are left to choose, so that
            someone can be asked.

    Raises:
        GeneralaError: the hand cannot be read, or the rules forbid it; nothing was changed.
    """

    def decide(history: History) -> Sequence[Event]:
        game, player, read = _read(history, hand)
        assert read.dice is not None
        if careful and read.category is None:
            _refuse_mere_numbers(game, player, read.dice, read.roll)
        return [decisions.score(game, player=player, dice=read.dice, roll=read.roll, category=read.category)]

    return _entered(_run(store, decide, dry_run), hand, saved=not dry_run)


def scratch(store: Store, hand: Hand, *, dry_run: bool = False) -> Entered:
    """Give up the category named, for the player to move or the one named.

    Raises:
        GeneralaError: it cannot be read, or the rules forbid it; nothing was changed.
    """

    def decide(history: History) -> Sequence[Event]:
        game, player, read = _read(history, hand)
        assert read.category is not None
        return [
            decisions.scratch(game, player=player, category=read.category, dice=read.dice, roll=read.roll)
        ]

    return _entered(_run(store, decide, dry_run), hand, saved=not dry_run)


def amend(store: Store, turn: int, hand: Hand, *, scratched: bool = False, dry_run: bool = False) -> Entered:
    """Correct the entry of a turn. What is not given stays as it was.

    Raises:
        GeneralaError: it cannot be read, the rules forbid it, or a later entry no longer fits; nothing
            was changed.
    """
    from generala_cli.game.amending import amend as amended
    from generala_cli.game.amending import turn_entry

    def decide(history: History) -> Sequence[Event]:
        game = history.game
        old = turn_entry(game, turn)
        read = read_hand(hand, game.rules, kept=old)
        box = read.category or _category(game, old)
        to_scratch = scratched or (not hand.dice and not isinstance(old, Scored))
        event = amended(game, turn=turn, dice=read.dice, roll=read.roll, category=box, scratched=to_scratch)
        return [event] if event.entry != old else []

    stored = _run(store, decide, dry_run)
    game, entry = stored.history.game, stored.history.game.entries[turn - 1]
    return Entered(
        number=stored.number,
        turn=turn,
        entry=entry,
        bonus=_bonus(game, entry),
        alternatives=(),
        game=game,
        saved=stored.added > 0 and not dry_run,
        upper_bonus=_upper_bonuses(stored, stored.history.done[-1:])[0] if stored.added else 0,
        replaced=stored.history.done[-1].replaced if stored.added else entry,
    )


def undo(store: Store, count: int = 1, *, dry_run: bool = False) -> Moved:
    """Take back the last actions: entries, scratches and corrections alike.

    Raises:
        Mistyped: the count is below 1. NotAllowed: there are not that many.
    """
    stored = _run(store, lambda history: decisions.undo_many(history, count), dry_run)
    return _moved(stored, stored.history.undone[-count:], undone=True, saved=not dry_run)


def redo(store: Store, count: int = 1, *, dry_run: bool = False) -> Moved:
    """Put back what was taken back last.

    Raises:
        Mistyped: the count is below 1. NotAllowed: there are not that many.
    """
    stored = _run(store, lambda history: decisions.redo_many(history, count), dry_run)
    return _moved(stored, stored.history.done[-count:], undone=False, saved=not dry_run)


def _moved(stored: StoredGame, steps: Sequence[Step], *, undone: bool, saved: bool) -> Moved:
    return Moved(
        number=stored.number,
        undone=undone,
        steps=tuple(steps),
        upper_bonuses=_upper_bonuses(stored, steps),
        game=stored.history.game,
        saved=saved,
    )


def _upper_bonuses(stored: StoredGame, steps: Sequence[Step]) -> tuple[int, ...]:
    if stored.record.started.rules.upper_bonus is None:
        return (0,) * len(steps)
    from generala_cli.game.upper_bonus import changes  # few games have one

    found = changes(stored.record.events)
    return tuple(found.get(step.number, 0) for step in steps)


def _run(store: Store, decide: Decide, dry_run: bool) -> StoredGame:
    return store.preview(None, decide) if dry_run else store.change(None, decide)


def _read(history: History, hand: Hand) -> tuple[Game, str, ReadHand]:
    game = history.game
    return game, _player(game, hand.player), read_hand(hand, game.rules)


def _entered(stored: StoredGame, hand: Hand, *, saved: bool) -> Entered:
    """The answer to the entry that was just made, the last step of the history."""
    step, before = stored.history.done[-1], stored.before
    assert before is not None
    named = read_hand(hand, before.rules).category
    return Entered(
        number=stored.number,
        turn=step.turn,
        entry=step.entry,
        bonus=_bonus(before, step.entry),
        alternatives=_alternatives(before, step.entry),
        game=stored.history.game,
        saved=saved,
        upper_bonus=_upper_bonuses(stored, [step])[0],
        overruled=named if named is not None and named.id != step.entry.category else None,
    )


def _bonus(game: Game, entry: Entry) -> int:
    if not isinstance(entry, Scored) or entry.category is None:
        return 0
    return bonus(game.rules, game.rules.category(entry.category), entry.dice, entry.roll)


def _alternatives(game: Game, entry: Entry) -> tuple[Choice, ...]:
    """A hand that wins at once, and a scratch, have none."""
    if not isinstance(entry, Scored) or entry.instant_win:
        return ()
    found = decisions.choices(game, entry.player, entry.dice, entry.roll)
    return tuple(choice for choice in found if choice.category.id != entry.category)


def _refuse_mere_numbers(game: Game, player: str, dice: Dice, roll: int) -> None:
    """Where a hand makes number categories only, its player may rather scratch another box."""
    found = decisions.choices(game, player, dice, roll)
    could_scratch = len(game.fillable_categories(player)) > 1
    wins = decisions.wins_instantly(game, player, dice, roll)
    if found and could_scratch and not wins and all(choice.category.number for choice in found):
        raise Undecided(f"{print_dice(dice)} makes only numbers", "say which with --as", found)


def _player(game: Game, wanted: str | None) -> str:
    if wanted is not None:
        return find_player(wanted, game.seats)
    if game.to_move is None:
        raise NotAllowed("the game is over", decisions.AFTER_THE_END)
    return game.to_move


def _category(game: Game, entry: Entry) -> Category | None:
    return None if entry.category is None else game.rules.category(entry.category)
