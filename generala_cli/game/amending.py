"""Correcting an earlier entry: it is decided again, and so is everything after it."""

from collections.abc import Sequence
from typing import assert_never

from generala_cli.errors import GeneralaError, NotAllowed
from generala_cli.game.decisions import WrongBox, choices, score, scratch
from generala_cli.game.events import Amended, Entry, Scored, Scratched
from generala_cli.game.game import Game, after_entries, evolve
from generala_cli.rules.dice import Dice
from generala_cli.rules.ruleset import Category
from generala_cli.text import listed


def amend(
    game: Game, *, turn: int, dice: Dice | None, roll: int, category: Category | None, scratched: bool
) -> Amended:
    """Replace the entry of a turn by another of the same player, and check everything after it again.

    Raises:
        NotAllowed: there is no such turn, the entry breaks a rule, or a later one no longer fits; that
            one is named.
    """
    old = turn_entry(game, turn)
    before = after_entries(game.agreed, game.entries[: turn - 1])
    entry: Entry
    if dice is None and not scratched and isinstance(old, Scored):
        dice = old.dice
    if dice is not None and not scratched:
        entry = _scored(before, turn, old.player, dice, roll, category)
    else:
        box = category or (game.rules.category(old.category) if old.category else None)
        if box is None:
            what = f"turn {turn} won at once and has no category"
            raise NotAllowed(what, "name the one to scratch with --as")
        entry = scratch(before, player=old.player, category=box, dice=dice, roll=roll)
    _check_later(evolve(before, entry), game.entries[turn:], turn)
    return Amended(turn=turn, entry=entry)


def _scored(before: Game, turn: int, player: str, dice: Dice, roll: int, category: Category | None) -> Scored:
    """The hand in the place of that turn, with hints that are about the turn and not about the next one."""
    try:
        return score(before, player=player, dice=dice, roll=roll, category=category)
    except WrongBox as error:
        made = [choice.category.id for choice in choices(before, player, dice, roll)]
        other = f"--as {listed(made)}, or " if made else ""
        raise NotAllowed(error.message, f"say where it went instead: {other}--scratch") from error


def turn_entry(game: Game, turn: int) -> Entry:
    """The entry of a turn, counted from 1 over the whole game."""
    if not 1 <= turn <= len(game.entries):
        there = f"turns go from 1 to {len(game.entries)}, as generala log shows them"
        raise NotAllowed(
            f"there is no turn {turn}", there if game.entries else "nothing has been entered yet"
        )
    return game.entries[turn - 1]


def enter_again(game: Game, entry: Entry) -> Entry:
    """The entry that the rules lead to where this one is recorded."""
    box = game.rules.category(entry.category) if entry.category is not None else None
    match entry:
        case Scored(player=player, dice=dice, roll=roll):
            return score(game, player=player, dice=dice, roll=roll, category=box)
        case Scratched(player=player, dice=dice, roll=roll):
            assert box is not None
            return scratch(game, player=player, category=box, dice=dice, roll=roll)
        case _:
            assert_never(entry)


def amend_to(game: Game, turn: int, entry: Entry) -> Amended:
    """The correction that the rules lead to where one to this entry is recorded."""
    box = game.rules.category(entry.category) if entry.category is not None else None
    return amend(game, turn=turn, dice=entry.dice, roll=entry.roll, category=box, scratched=entry.scratched)


def _check_later(game: Game, entries: Sequence[Entry], turn: int) -> None:
    if game.is_over and entries:
        after = len(entries)
        turns = "turn" if after == 1 else "turns"
        what = f"turn {turn} would end the game, and {after} more {turns} followed"
        raise NotAllowed(what, f"generala undo {after} takes those back, then amend turn {turn}")
    for number, entry in enumerate(entries, start=turn + 1):
        try:
            again = enter_again(game, entry)
        except GeneralaError as error:
            what = f"turn {number} would no longer fit: {error.message}"
            raise NotAllowed(what, f"amend turn {number} first") from error
        if again != entry and entry.instant_win:
            what = f"turn {number} won at once, and its box would now be another"
            raise NotAllowed(what, "undo that turn, amend this one, and enter that one again")
        if again != entry:
            what = f"turn {number} ({entry.player}) would then win at once"
            raise NotAllowed(what, f"amend turn {number} first")
        game = evolve(game, entry)
