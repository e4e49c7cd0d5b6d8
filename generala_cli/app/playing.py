"""Entries: score, scratch, undo, redo, amend."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from generala_cli.app.typed import Hand, ReadHand, read_hand
from generala_cli.errors import Mistyped, NotAllowed
from generala_cli.game import decisions
from generala_cli.game.amending import amend as amended
from generala_cli.game.amending import turn_entry
from generala_cli.game.decisions import Choice, Undecided
from generala_cli.game.events import Action, Amended, Entry, Event, Redone, Scored, Undone
from generala_cli.game.game import Game, History, Step
from generala_cli.game.seating import find_player
from generala_cli.rules.dice import print_dice
from generala_cli.rules.ruleset import Category
from generala_cli.rules.scoring import bonus
from generala_cli.store.store import Store, StoredGame


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """An entry that was written, or would be.

    Attributes:
        number: the game. turn: of the entry, from 1. entry: what was written.
        bonus: how many of its points are there because the hand was served.
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
    overruled: Category | None = None
    replaced: Entry | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """Actions that were taken back or put back, in the order it was done.

    Attributes:
        undone: taken back rather than put back.
        steps: the actions.
        game: after it all.
    """

    number: int
    undone: bool
    steps: tuple[Step, ...]
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

    def enter(game: Game, player: str, read: ReadHand) -> Entry:
        assert read.dice is not None
        if careful and read.category is None:
            _refuse_mere_numbers(game, player, read.dice, read.roll)
        return decisions.score(game, player=player, dice=read.dice, roll=read.roll, category=read.category)

    return _enter(store, hand, enter, dry_run)


def scratch(store: Store, hand: Hand, *, dry_run: bool = False) -> Entered:
    """Give up the category named, for the player to move or the one named.

    Raises:
        GeneralaError: it cannot be read, or the rules forbid it; nothing was changed.
    """

    def enter(game: Game, player: str, read: ReadHand) -> Entry:
        assert read.category is not None
        return decisions.scratch(game, player=player, category=read.category, dice=read.dice, roll=read.roll)

    return _enter(store, hand, enter, dry_run)


def amend(store: Store, turn: int, hand: Hand, *, scratched: bool = False, dry_run: bool = False) -> Entered:
    """Correct the entry of a turn. What is not given stays as it was.

    Raises:
        GeneralaError: it cannot be read, the rules forbid it, or a later entry no longer fits; nothing
            was changed.
    """
    found: list[Entered] = []

    def decide(history: History) -> Sequence[Event]:
        game = history.game
        old = turn_entry(game, turn)
        read = read_hand(hand, game.rules, kept=old)
        box = read.category or _category(game, old)
        to_scratch = scratched or (not hand.dice and not isinstance(old, Scored))
        event = amended(game, turn=turn, dice=read.dice, roll=read.roll, category=box, scratched=to_scratch)
        before = game.entries[turn - 1]
        changed = event.entry != before
        entered = _entered(game, event.entry, None)
        found[:] = [replace(entered, turn=turn, alternatives=(), replaced=before, saved=changed)]
        return [event] if changed else []

    return _written(store, decide, found, dry_run)


def undo(store: Store, count: int = 1, *, dry_run: bool = False) -> Moved:
    """Take back the last actions: entries, scratches and corrections alike.

    Raises:
        Mistyped: the count is below 1. NotAllowed: there are not that many.
    """
    return _move(store, count, decisions.undo, dry_run)


def redo(store: Store, count: int = 1, *, dry_run: bool = False) -> Moved:
    """Put back what was taken back last.

    Raises:
        Mistyped: the count is below 1. NotAllowed: there are not that many.
    """
    return _move(store, count, decisions.redo, dry_run)


def _move(store: Store, count: int, decision: Callable[[History], Undone | Redone], dry_run: bool) -> Moved:
    back = decision is decisions.undo
    steps: list[Step] = []
    if count < 1:
        raise Mistyped(f"{count} is not a number of entries", "type how many, as in generala undo 2")

    def decide(history: History) -> Sequence[Event]:
        decision(history)
        there = list(reversed(history.done if back else history.undone))[:count]
        if len(there) < count:
            verb = "undone" if back else "redone"
            raise NotAllowed(f"only {len(there)} can be {verb}, not {count}", f"type {len(there)} or fewer")
        steps[:] = there
        return [Undone(number=step.number) if back else Redone(number=step.number) for step in there]

    stored = _run(store, decide, dry_run)
    return Moved(
        number=stored.number, undone=back, steps=tuple(steps), game=stored.history.game, saved=not dry_run
    )


def action_turn(step: Step) -> int:
    """The turn that an action wrote or corrected."""
    action: Action = step.action
    return action.turn if isinstance(action, Amended) else len(step.after.entries)


def _enter(store: Store, hand: Hand, enter: Callable[[Game, str, ReadHand], Entry], dry_run: bool) -> Entered:
    found: list[Entered] = []

    def decide(history: History) -> Sequence[Event]:
        game = history.game
        player = _player(game, hand.player)
        read = read_hand(hand, game.rules)
        entry = enter(game, player, read)
        found[:] = [_entered(game, entry, read.category)]
        return [entry]

    return _written(store, decide, found, dry_run)


def _written(
    store: Store, decide: Callable[[History], Sequence[Event]], found: Sequence[Entered], dry_run: bool
) -> Entered:
    stored = _run(store, decide, dry_run)
    (entered,) = found
    return replace(
        entered, number=stored.number, game=stored.history.game, saved=entered.saved and not dry_run
    )


def _run(store: Store, decide: Callable[[History], Sequence[Event]], dry_run: bool) -> StoredGame:
    return store.preview(None, decide) if dry_run else store.change(None, decide)


def _entered(game: Game, entry: Entry, named: Category | None) -> Entered:
    """The answer to an entry, as far as the game before it tells; `_written` completes it."""
    served = 0
    others: tuple[Choice, ...] = ()
    overruled = None
    if isinstance(entry, Scored):
        if entry.category is not None:
            served = bonus(game.rules, game.rules.category(entry.category), entry.dice, entry.roll)
        if not entry.instant_win:
            found = decisions.choices(game, entry.player, entry.dice, entry.roll)
            others = tuple(choice for choice in found if choice.category.id != entry.category)
        elif named is not None and named.id != entry.category:
            overruled = named
    return Entered(
        number=0,
        turn=len(game.entries) + 1,
        entry=entry,
        bonus=served,
        alternatives=others,
        game=game,
        saved=True,
        overruled=overruled,
    )


def _refuse_mere_numbers(game: Game, player: str, dice: tuple[int, ...], roll: int) -> None:
    """Where a hand makes number categories only, its player may rather scratch another box."""
    found = decisions.choices(game, player, dice, roll)
    wins = decisions.wins_instantly(game, player, dice, roll)
    if (
        len(game.fillable_categories(player)) > 1
        and found
        and not wins
        and all(choice.category.number for choice in found)
    ):
        raise Undecided(f"{print_dice(dice)} makes only numbers", "say which with --as", found)


def _player(game: Game, wanted: str | None) -> str:
    if wanted is not None:
        return find_player(wanted, game.seats)
    if game.to_move is None:
        raise NotAllowed("the game is over", decisions.AFTER_THE_END)
    return game.to_move


def _category(game: Game, entry: Entry) -> Category | None:
    return None if entry.category is None else game.rules.category(entry.category)
