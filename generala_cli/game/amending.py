"""Correcting an earlier entry: it is decided again, and so is everything after it."""

from typing import assert_never

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from generala_cli.errors import GeneralaError, NotAllowed
from generala_cli.game.decisions import WrongBox, choices, score, scratch
from generala_cli.game.events import Amended, Entry, Joined, Left, Scored, Scratched, Throws
from generala_cli.game.game import Game, course, evolve, new_game, same_round, with_entry
from generala_cli.messages import listing, tell, tell_count
from generala_cli.rules.dice import Dice
from generala_cli.rules.ruleset import Category


def amend(
    game: Game,
    *,
    turn: int,
    player: str | None = None,
    dice: Dice | None,
    roll: int,
    category: Category | None,
    scratched: bool,
    throws: Throws | UnsetType = UNSET,
) -> Amended:
    """Replace the entry of a turn by another, and check everything after it again.

    Args:
        player: who really threw it; None for the one whose turn it is said to be. If that one had a turn in
            the same round, the two entries change places.

    Raises:
        NotAllowed: there is no such turn, the entry breaks a rule, or a later one no longer fits; that
            one is named.
    """
    old = turn_entry(game, turn)
    entry: Entry = replace(old, player=player or old.player)
    entries = with_entry(game.entries, turn, entry)
    first = min(turn, same_round(game.entries, turn, entry.player) or turn)
    state = new_game(game.agreed)
    for turns, fact in course(replace(game, entries=entries)):
        if fact is entry:
            entry = _corrected(state, turn, entry, dice, roll, category, throws, scratched=scratched)
            state = evolve(state, entry)
            continue
        if turns + 1 >= first:
            _check_still(state, fact, turns + 1, left=len(entries) - turns, corrected=turn)
        state = evolve(state, fact)
    return Amended(turn=turn, entry=entry)


def _corrected(
    before: Game,
    turn: int,
    old: Entry,
    dice: Dice | None,
    roll: int,
    category: Category | None,
    throws: Throws | UnsetType,
    *,
    scratched: bool,
) -> Entry:
    """The entry that stands in the place of the old one."""
    _check_there(before, old.player, turn)
    if dice is None and not scratched and isinstance(old, Scored):
        dice = old.dice
    if dice is not None and not scratched:
        return _scored(before, old.player, dice, roll, category, throws)
    box = category or (before.rules.category(old.category) if old.category else None)
    if box is None:
        what = tell("turn {turn} won at once and has no category", turn=turn)
        raise NotAllowed(what, "name the one to scratch with --as")
    return scratch(before, player=old.player, category=box, dice=dice, roll=roll, throws=throws)


def _check_there(before: Game, player: str, turn: int) -> None:
    if player not in before.playing:
        there = listing(before.playing, "and")
        count = len(before.playing)
        raise NotAllowed(
            tell("{player} was not at the table in turn {turn}", player=player, turn=turn),
            tell_count("there were {players}", "there were {players}", count, players=there),
        )


def _scored(
    before: Game,
    player: str,
    dice: Dice,
    roll: int,
    category: Category | None,
    throws: Throws | UnsetType,
) -> Scored:
    """The hand in the place of that turn, with hints that are about the turn and not about the next one."""
    try:
        return score(before, player=player, dice=dice, roll=roll, category=category, throws=throws)
    except WrongBox as error:
        made = [choice.category.typed for choice in choices(before, player, dice, roll)]
        other = tell("say where it went instead: --as {categories}, or --scratch", categories=listing(made))
        neither = tell("say where it went instead: --scratch")
        raise NotAllowed(error.message, other if made else neither) from error


def turn_entry(game: Game, turn: int) -> Entry:
    """The entry of a turn, counted from 1 over the whole game."""
    if not 1 <= turn <= len(game.entries):
        there = tell("turns go from 1 to {last}, as generala log shows them", last=len(game.entries))
        nothing = tell("nothing has been entered yet")
        raise NotAllowed(tell("there is no turn {turn}", turn=turn), there if game.entries else nothing)
    return game.entries[turn - 1]


def enter_again(game: Game, entry: Entry) -> Entry:
    """The entry that the rules lead to where this one is recorded."""
    box = game.rules.category(entry.category) if entry.category is not None else None
    match entry:
        case Scored(player=player, dice=dice, roll=roll, throws=throws):
            return score(game, player=player, dice=dice, roll=roll, category=box, throws=throws)
        case Scratched(player=player, dice=dice, roll=roll, throws=throws):
            assert box is not None
            return scratch(game, player=player, category=box, dice=dice, roll=roll, throws=throws)
        case _:
            assert_never(entry)


def amend_to(game: Game, turn: int, entry: Entry) -> Amended:
    """The correction that the rules lead to where one to this entry is recorded."""
    box = game.rules.category(entry.category) if entry.category is not None else None
    return amend(
        game,
        turn=turn,
        player=entry.player,
        dice=entry.dice,
        roll=entry.roll,
        category=box,
        scratched=entry.scratched,
        throws=entry.throws,
    )


def _check_still(game: Game, fact: Entry | Joined | Left, number: int, *, left: int, corrected: int) -> None:
    """Refuse a correction with which something else that happened could not have happened.

    Args:
        game: as it would be before that. number: of its turn, or of the next one.
        left: how many turns there are from here on. corrected: the turn that is corrected.
    """
    if game.is_over:
        raise _ends_too_early(fact, left, corrected)
    if isinstance(fact, Joined | Left):  # which asks nothing else of the game
        return
    try:
        _check_there(game, fact.player, number)
        again = enter_again(game, fact)
    except GeneralaError as error:
        what = tell("turn {turn} would no longer fit: {reason}", turn=number, reason=error.message)
        raise NotAllowed(what, tell("amend turn {turn} first", turn=number)) from error
    if again != fact and fact.instant_win:
        what = tell("turn {turn} won at once, and its box would now be another", turn=number)
        raise NotAllowed(what, "undo that turn, amend this one, and enter that one again")
    if again != fact:
        what = tell("turn {turn} ({player}) would then win at once", turn=number, player=fact.player)
        raise NotAllowed(what, tell("amend turn {turn} first", turn=number))


def _ends_too_early(fact: Entry | Joined | Left, left: int, corrected: int) -> NotAllowed:
    """The refusal of a correction that ends the game before so many turns, or before someone came or went."""
    if left:
        return NotAllowed(
            tell_count(
                "turn {turn} would end the game, and {count} more turn followed",
                "turn {turn} would end the game, and {count} more turns followed",
                left,
                turn=corrected,
            ),
            tell_count(
                "generala undo {count} takes those back, then amend turn {turn}",
                "generala undo {count} takes those back, then amend turn {turn}",
                left,
                turn=corrected,
            ),
        )
    went = tell(
        "turn {turn} would end the game, and {player} left after it", turn=corrected, player=fact.player
    )
    came = tell(
        "turn {turn} would end the game, and {player} joined after it", turn=corrected, player=fact.player
    )
    takes = tell("generala undo takes that back, then amend turn {turn}", turn=corrected)
    return NotAllowed(went if isinstance(fact, Left) else came, takes)
