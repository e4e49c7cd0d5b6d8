"""Correct an earlier entry, then check every later one again."""

from msgspec import UNSET
from msgspec.structs import replace

from generala_cli.errors import GeneralaError, NotAllowed
from generala_cli.game.decisions import Option, WhichThrow, WrongBox, choices, judge, options, with_points
from generala_cli.game.events import Amended, Ended, Entry, Joined, Left
from generala_cli.game.game import Game, course, evolve, new_game, same_round, with_entry
from generala_cli.game.turn import Turn
from generala_cli.messages import FirstWord, lazy, lazy_count, listing, number_range
from generala_cli.remedies import Remedy
from generala_cli.rules.ruleset import RuleSet
from generala_cli.rules.throws import DE_MANO, THROWS


def amend(game: Game, number: int, turn: Turn) -> Amended:
    """Replace the entry of a turn, counted from 1, and check everything after it again.

    If the player had a turn in the same round, the two entries swap. NotAllowed names the turn that no longer
    fits, or the rule that the entry breaks.
    """
    old = turn_entry(game, number)
    entry: Entry = replace(old, player=turn.player or old.player)
    entries = with_entry(game.entries, number, entry)
    first = min(number, same_round(game.entries, number, entry.player) or number)
    state = new_game(game.agreed)
    for turns, fact in course(replace(game, entries=entries)):
        if fact is entry:
            _check_there(state, entry.player, number)
            entry = _corrected(state, number, replace(turn, player=entry.player))
            state = evolve(state, entry)
            continue
        if turns + 1 >= first:
            _check_still(state, fact, turns + 1, left=len(entries) - turns, corrected=number)
        state = evolve(state, fact)
    return Amended(turn=number, entry=entry)


def correct_options(game: Game, number: int, turn: Turn) -> tuple[Option, ...]:
    """Return the boxes to which a turn can be corrected with this hand, in sheet order."""
    old = turn_entry(game, number)
    player = turn.player or old.player
    before = new_game(game.agreed)
    for turns, fact in course(replace(game, entries=with_entry(game.entries, number, old))):
        if turns + 1 == number and fact is old:
            break
        before = evolve(before, fact)
    if player not in before.playing:
        return ()
    return tuple(each for each in options(turn, before, player) if _can_be(game, number, turn, each))


def _can_be(game: Game, number: int, turn: Turn, option: Option) -> bool:
    category = None if option.wins else option.category
    try:
        amend(game, number, replace(turn, category=category, is_scratch=option.scratched))
    except GeneralaError:
        return False
    return True


def completed(turn: Turn, old: Entry, rules: RuleSet) -> Turn:
    """Return a correction, completed from the old entry; throws stay only if hand and throw are the same."""
    dice = old.dice if turn.dice is None else turn.dice
    roll = turn.roll or (old.roll if turn.served is None else None)
    keeps_claim = turn.served is None and turn.roll is None
    is_same = (sorted(dice or ()), roll) == (sorted(old.dice or ()), old.roll)
    was_in = None if old.category is None else rules.category(old.category)
    return replace(
        turn,
        dice=dice,
        roll=roll,
        served=(True if old.served else None) if keeps_claim else turn.served,
        player=turn.player or old.player,
        category=turn.category or was_in,
        is_scratch=turn.is_scratch or (turn.dice is None and old.scratched),
        throws=old.throws if is_same and turn.throws is UNSET else turn.throws,
    )


def _corrected(before: Game, number: int, turn: Turn) -> Entry:
    """Return the new entry. Hints refer to this turn, not to the next one."""
    if turn.is_scratch and turn.category is None:
        what = lazy("turn {turn} won at once and has no category", turn=number)
        raise NotAllowed(what, Remedy("name-scratched"))
    try:
        return judge(before, turn)
    except WhichThrow as error:
        hint = lazy(
            "add {first}, or {second} {mano}",
            first=FirstWord(THROWS[1]),
            second=FirstWord(THROWS[2]),
            mano=FirstWord(DE_MANO),
        )
        raise NotAllowed(error.message, hint) from error
    except WrongBox as error:
        if turn.is_scratch:
            raise
        assert turn.dice is not None
        assert turn.player is not None
        scoring = choices(before, turn.player, turn.dice, turn.finish(before.rules)[1])
        raise NotAllowed(
            error.message,
            Remedy("correct-box", categories=with_points(scoring))
            if scoring
            else Remedy("correct-to-scratch"),
        ) from error


def _check_there(before: Game, player: str, turn: int) -> None:
    if player not in before.playing:
        there = listing(before.playing, "and")
        count = len(before.playing)
        raise NotAllowed(
            lazy("{player} was not at the table in turn {turn}", player=player, turn=turn),
            lazy_count("the players then: {players}", "the players then: {players}", count, players=there),
        )


def turn_entry(game: Game, turn: int) -> Entry:
    if not game.entries:
        raise NotAllowed("nothing has been entered yet", "enter a hand first")
    if not 1 <= turn <= len(game.entries):
        there = lazy("type {numbers}", numbers=number_range(1, len(game.entries)))
        raise NotAllowed(lazy("there is no turn {turn}", turn=turn), there)
    return game.entries[turn - 1]


def enter_again(game: Game, entry: Entry) -> Entry:
    return judge(game, _turn_of(entry, game.rules))


def amend_to(game: Game, number: int, entry: Entry) -> Amended:
    return amend(game, number, _turn_of(entry, game.rules))


def _turn_of(entry: Entry, rules: RuleSet) -> Turn:
    return Turn(
        player=entry.player,
        dice=entry.dice,
        roll=entry.roll,
        category=None if entry.category is None else rules.category(entry.category),
        is_scratch=entry.scratched,
        served=True if entry.served else None,
        throws=entry.throws,
    )


def _check_still(
    game: Game, fact: Entry | Joined | Left | Ended, number: int, *, left: int, corrected: int
) -> None:
    if game.is_over:
        raise _ends_too_early(fact, left, corrected, game.rules.throws)
    if isinstance(fact, Joined | Left | Ended):
        return
    try:
        _check_there(game, fact.player, number)
        again = enter_again(game, fact)
    except GeneralaError as error:
        what = lazy("turn {turn} would no longer fit: {reason}", turn=number, reason=error.message)
        raise NotAllowed(what, lazy("amend turn {turn} first", turn=number)) from error
    if again != fact and fact.instant_win:
        what = lazy("turn {turn} won at once, and its box would change", turn=number)
        raise NotAllowed(what, "undo it, amend this turn, then enter it again")
    if again != fact:
        what = lazy("turn {turn} ({player}) would then win at once", turn=number, player=fact.player)
        raise NotAllowed(what, lazy("amend turn {turn} first", turn=number))


def _ends_too_early(
    fact: Entry | Joined | Left | Ended, left: int, corrected: int, throws: int
) -> NotAllowed:
    what = lazy("turn {turn} would end the game, but it was ended early later on")
    match fact:
        case _ if left:
            what = lazy_count(
                "turn {turn} would end the game, but {count} more turn follows",
                "turn {turn} would end the game, but {count} more turns follow",
                left,
            )
        case Left(player=player):
            what = lazy("turn {turn} would end the game, but {player} left later", player=player)
        case Joined(player=player):
            what = lazy("turn {turn} would end the game, but {player} joined later", player=player)
        case _:
            pass
    later = Remedy("later-throw", throws=number_range(2, throws)) if throws > 1 else ""
    return NotAllowed(what.with_values(turn=corrected), later)
