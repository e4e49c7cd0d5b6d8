from collections.abc import Callable, Sequence

from msgspec.structs import replace

from generala_cli.app.region import local_currency
from generala_cli.errors import NotAllowed
from generala_cli.game import amending, decisions
from generala_cli.game.decisions import Choice
from generala_cli.game.events import (
    Amended,
    Ended,
    Event,
    Joined,
    Labelled,
    Left,
    Renamed,
    Scored,
    Staked,
    TableChange,
)
from generala_cli.game.game import Game, evolve
from generala_cli.game.history import History, Step
from generala_cli.game.history import redo as redo_steps
from generala_cli.game.history import undo as undo_steps
from generala_cli.game.money import find_method
from generala_cli.game.starting import parse_label, parse_name, read_stake
from generala_cli.game.turn import Turn
from generala_cli.game.turnline import TurnLine as TurnLine  # the commands import it from here
from generala_cli.game.turnline import parse
from generala_cli.messages import lazy
from generala_cli.rules.ruleset import Category, RuleSet
from generala_cli.store.store import Store, StoredGame
from generala_cli.table.results import ActionsMoved, Entered, TableChanged
from generala_cli.text import find_player, find_same

CheckName = Callable[[str, RuleSet], None]
"""Refuses a name that is probably a mistake in a game with these rules."""


def enter(store: Store, typed: TurnLine | Turn, *, dry_run: bool = False) -> Entered:
    """Score a hand or scratch a category. `typed` is a line to parse, or a turn of this game."""
    named: Category | None = None

    def decide(history: History) -> Sequence[Event]:
        nonlocal named
        game = history.game
        turn = typed if isinstance(typed, Turn) else parse(typed, game.rules, game)
        entry = decisions.judge(game, turn)
        named = None if entry.scratched else turn.category
        return [entry]

    stored = store.change(None, decide, dry_run=dry_run)
    return _entry_answer(store, stored, named)


def amend(
    store: Store, number: int, typed: TurnLine, *, scratched: bool = False, dry_run: bool = False
) -> Entered:
    """Correct the entry of a turn, counted from 1. Fields not given stay the same, including the player."""

    def decide(history: History) -> Sequence[Event]:
        game = history.game
        old = amending.turn_entry(game, number)
        last_throw = max(old.roll, game.last_throw(old.player))
        turn = parse(typed, game.rules, game, last_throw=last_throw, corrects=old)
        turn = replace(turn, is_scratch=turn.is_scratch or scratched)
        event = amending.amend(game, number, amending.completed(turn, old, game.rules))
        return [event] if event.entry != old else []

    stored = store.change(None, decide, dry_run=dry_run)
    if stored.added:
        return _entry_answer(store, stored, None)
    entry = stored.game.entries[number - 1]
    return Entered(
        number=stored.number,
        is_one_of_several=store.is_one_of_several(stored.number),
        turn=number,
        entry=entry,
        game=stored.game,
        saved=False,
        replaced=entry,
    )


def rename(store: Store, old: str, new: str, *, check: CheckName, dry_run: bool = False) -> TableChanged:
    name = parse_name(new)

    def wanted(game: Game) -> Renamed:
        player = find_player(old, game.seats)
        check(name, game.rules)
        namesake = find_same(name, (other for other in game.seats if other != player))
        return Renamed(player=player, name=namesake or name)

    return _change(store, wanted, dry_run=dry_run)


def label(store: Store, text: str, *, dry_run: bool = False) -> TableChanged:
    """Give the game a label; "" removes it. A table of a tournament keeps the tournament's label."""
    from generala_cli.store.hooks import find_table, label_message

    number = store.find(None)
    if (table := find_table(store, number)) is not None:
        of = label_message(table.name, table.round, table.table)
        raise NotAllowed(lazy("game {game} is a table of a tournament: {table}", game=number, table=of))
    given = parse_label(text)
    return _change(store, lambda _: Labelled(label=given), dry_run=dry_run)


def leave(store: Store, player: str, *, dry_run: bool = False) -> TableChanged:
    return _change(store, lambda game: Left(player=find_player(player, game.seats)), dry_run=dry_run)


def join(store: Store, player: str, *, check: CheckName, dry_run: bool = False) -> TableChanged:
    """Add a late player after the others, or bring back a player who left. `check` may refuse a new name."""
    name = parse_name(player)

    def wanted(game: Game) -> Joined:
        known = find_same(name, game.seats)
        if known is None:
            check(name, game.rules)
        return Joined(player=known or name)

    return _change(store, wanted, dry_run=dry_run)


def end(store: Store, *, dry_run: bool = False) -> TableChanged:
    return _change(store, lambda _: Ended(), dry_run=dry_run)


def stake(
    store: Store, amount: str, *, unit: str | None = None, payout: str | None = None, dry_run: bool = False
) -> TableChanged:
    method = payout and find_method(payout).name

    def wanted(game: Game) -> Staked:
        agreed = game.agreed
        played_for, played_in = read_stake(agreed, stake=amount, unit=unit, local_currency=local_currency())
        return Staked(stake=played_for, unit=played_in, payout=method or agreed.payout)

    return _change(store, wanted, dry_run=dry_run)


def _change(store: Store, wanted: Callable[[Game], TableChange], *, dry_run: bool) -> TableChanged:
    made: TableChange | None = None

    def decide(history: History) -> Sequence[Event]:
        nonlocal made
        game = history.game
        made = decisions.change(game, wanted(game))
        after = evolve(game, made)
        if after.seats != game.seats:
            from generala_cli.store.game_lists import check_people  # a turn does not need it

            check_people(store, after.seats, before=game.seats)
        return [] if after == game else [made]

    stored = store.change(None, decide, dry_run=dry_run)
    assert made is not None
    game, missed = stored.game, 0
    if isinstance(made, Joined):
        others = [game.columns[player].turns for player in game.playing if player != made.player]
        missed = max(0, min(others, default=0) - game.columns[made.player].turns)
    return TableChanged(
        number=stored.number,
        is_one_of_several=store.is_one_of_several(stored.number),
        change=made,
        game=game,
        is_news=stored.added > 0,
        saved=stored.saved,
        missed=missed,
    )


def undo(store: Store, count: int = 1, *, dry_run: bool = False) -> ActionsMoved:
    stored = store.change(None, lambda history: undo_steps(history, count), dry_run=dry_run)
    return _moved(store, stored, stored.history.undone[-count:], undone=True)


def redo(store: Store, count: int = 1, *, dry_run: bool = False) -> ActionsMoved:
    stored = store.change(None, lambda history: redo_steps(history, count), dry_run=dry_run)
    return _moved(store, stored, stored.history.done[-count:], undone=False)


def _moved(store: Store, stored: StoredGame, steps: Sequence[Step], *, undone: bool) -> ActionsMoved:
    number = stored.number
    return ActionsMoved(
        number=number,
        is_one_of_several=store.is_one_of_several(number) or store.has_later_neighbor(number),
        undone=undone,
        steps=tuple(steps),
        game=stored.game,
        saved=stored.saved,
    )


def _entry_answer(store: Store, stored: StoredGame, named: Category | None) -> Entered:
    step = stored.history.done[-1]
    entry, before, turn = step.entry, step.before, step.turn
    assert entry is not None
    assert turn is not None
    alternatives: tuple[Choice, ...] = ()
    is_joker = False
    if isinstance(entry, Scored) and not entry.instant_win and not isinstance(step.action, Amended):
        scoring = decisions.choices(before, entry.player, entry.dice, entry.price_roll)
        alternatives = tuple(choice for choice in scoring if choice.category.id != entry.category)
        is_joker = before.is_joker(entry.player, entry.dice)
    return Entered(
        number=stored.number,
        is_one_of_several=store.is_one_of_several(stored.number),
        turn=turn,
        entry=entry,
        alternatives=alternatives,
        game=stored.game,
        saved=stored.saved,
        bonuses=step.bonuses,
        is_joker=is_joker,
        overruled=named if named is not None and named.id != entry.category else None,
        replaced=step.replaced,
        exchanged=step.exchanged,
    )
