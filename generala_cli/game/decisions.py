"""Decide what the rules allow. Each function reads the game and returns an event, or raises the reason."""

from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from generala_cli.errors import GeneralaError, NotAllowed
from generala_cli.game.events import (
    Ended,
    Joined,
    Labelled,
    Left,
    Renamed,
    Scored,
    Scratched,
    Staked,
    TableChange,
    Thrown,
    Throws,
)
from generala_cli.game.game import Game, evolve
from generala_cli.game.starting import check_agreed, check_count, check_name
from generala_cli.game.turn import Turn, check_throw
from generala_cli.messages import FirstWord, ItemList, Message, lazy, lazy_count, listing, quoted
from generala_cli.remedies import Remedy
from generala_cli.rules.dice import Dice, join_dice, print_dice
from generala_cli.rules.notation import NO_DIE
from generala_cli.rules.ruleset import (
    Category,
    FillOrder,
    RuleSet,
    can_win_instantly,
    instant_win_fills,
    wins_with,
)
from generala_cli.rules.throws import DE_MANO
from generala_cli.rules.turning import may_follow
from generala_cli.text import case_key


def game_over_error() -> NotAllowed:
    return NotAllowed("the game is over", Remedy("undo-or-rematch"))


def player_left_error(player: str) -> NotAllowed:
    return NotAllowed("{player} has left", Remedy("bring-back", player=player), player=player)


_ONE_DUE: Mapping[FillOrder, Message] = {
    "top-to-bottom": lazy("boxes must be filled from top to bottom; {player}'s next is {category}"),
    "bottom-to-top": lazy("boxes must be filled from bottom to top; {player}'s next is {category}"),
    "upper-first": lazy("the upper boxes must be filled first; {player}'s last is {category}"),
    "lower-first": lazy("the lower boxes must be filled first; {player}'s last is {category}"),
}


class Choice(Struct, frozen=True, kw_only=True):
    category: Category
    points: int


class Option(Struct, frozen=True, kw_only=True):
    """A box that a turn may go to; `points` is None for an incomplete hand or a scratch."""

    category: Category
    points: int | None = None
    scratched: bool = False
    wins: bool = False

    @property
    def key(self) -> tuple[str, bool]:
        return self.category.id, self.scratched


class Undecided(NotAllowed):
    """The hand fits several categories (`choices`, best first) or none, so the player must choose."""

    kind = "undecided"

    def __init__(
        self,
        message: str | Message,
        hint: str | Message | Remedy,
        *,
        turn: Turn,
        choices: Sequence[Choice] = (),
        **values: Any,
    ) -> None:
        super().__init__(message, hint, player=turn.player, hand=print_dice(turn.dice or ()), **values)
        self.turn = turn
        self.choices = tuple(choices)


class WhichThrow(NotAllowed):
    """Five alike de mano would win at once on the first throw, but not on the second."""


class WrongBox(NotAllowed):
    """The named category cannot take the hand: it is filled or not due, or the hand does not make it."""


def choices(game: Game, player: str, dice: Dice, roll: int) -> tuple[Choice, ...]:
    """Return every category that the hand may score in now, best first, ties in sheet order."""
    made = (
        Choice(category=category, points=game.points_in(player, category, dice, roll))
        for category in game.allowed_categories(player, dice)
        if _may_score(game, player, category)
    )
    return tuple(sorted((choice for choice in made if choice.points), key=lambda choice: -choice.points))


def _choices(game: Game, turn: Turn) -> tuple[Choice, ...]:
    return choices(game, mover(game, turn), turn.hand, turn.finish(game.rules)[1])


def _best_choice(game: Game, turn: Turn) -> Category:
    """Return the category that scores most; Undecided if two score the same, or if the hand makes nothing.

    Also Undecided if the best one takes any dice and a different one fits. Nothing is ever scratched unasked.
    """
    scoring = _choices(game, turn)
    if not scoring:
        raise Undecided(
            "{hand} fits none of {player}'s open boxes",
            _other_box(game, turn),
            turn=turn,
        )
    best = [choice for choice in scoring if choice.points == scoring[0].points]
    if len(best) > 1:
        raise Undecided(
            "{hand} scores {points} in {categories}",
            Remedy("choose-box", categories=_ids([choice.category for choice in best])),
            turn=turn,
            choices=scoring,
            points=best[0].points,
            categories=_ids([choice.category for choice in best]),
        )
    if best[0].category.takes_any_dice and len(scoring) > 1:
        raise Undecided(
            "{hand} fits {category}, but so does any other hand",
            Remedy("choose-box", categories=_ids([choice.category for choice in scoring])),
            turn=turn,
            choices=scoring,
            category=best[0].category,
        )
    return best[0].category


def wins_instantly(game: Game, player: str, dice: Dice, roll: int) -> bool:
    win = game.rules.instant_win
    if win is None or not can_win_instantly(game.rules, dice, roll):
        return False
    if game.is_open(player, game.rules.category(win.box)):
        return wins_with(game.rules, "open")
    return wins_with(game.rules, "held" if game.columns[player].holds(win.box) else "scratched")


def options(turn: Turn, game: Game, player: str) -> tuple[Option, ...]:
    """Return the boxes that a turn may go to, in sheet order, with scratches for those it cannot score."""
    player, (throw, price_roll) = turn.player or player, turn.finish(game.rules)
    points: Mapping[str, int] = {}
    if turn.has_hand and turn.dice is not None and not turn.is_scratch:
        if wins_instantly(game, player, turn.dice, throw) and game.rules.instant_win is not None:
            return (Option(category=game.rules.category(game.rules.instant_win.box), wins=True),)
        points = {each.category.id: each.points for each in choices(game, player, turn.dice, price_roll)}
    is_known = turn.has_hand or turn.is_scratch
    fillable = game.fillable_categories(player)
    if turn.has_hand and turn.dice is not None:
        fillable = game.allowed_categories(player, turn.dice)
    named = (turn.category,) if turn.category else turn.candidates
    return tuple(
        Option(
            category=category,
            points=points.get(category.id),
            scratched=is_known and category.id not in points,
        )
        for category in fillable
        if not named or category in named
    )


def decide(game: Game, turn: Turn) -> Scored | Scratched | GeneralaError:
    """Return the entry that a turn makes, or the error that refuses it."""
    if turn.refusal is not None:
        return turn.refusal
    try:
        return judge(game, turn)
    except GeneralaError as error:
        return error


def mark(offered: Sequence[Option], decision: Scored | Scratched | GeneralaError) -> Option | None:
    """Return the option that a turn takes, or None if it is refused or the player must choose."""
    if isinstance(decision, GeneralaError) or not offered:
        return None
    if offered[0].wins:
        return offered[0]
    key = (decision.category, decision.scratched)
    return next((option for option in offered if option.key == key), None)


def mover(game: Game, turn: Turn) -> str:
    """Return the player that a turn names, or the player to move. Refuses if the game is over."""
    player = turn.player or game.to_move
    if player is None:
        raise game_over_error()
    return player


def judge(game: Game, turn: Turn) -> Scored | Scratched:
    """Return the entry that a turn makes: a hand in a box, or a scratch.

    A hand without a category must have a single best one, otherwise Undecided. A hand that wins at once goes
    into the box of its name, even if the turn names a different one. NotAllowed if the rules forbid the
    entry, UsageError if there is no hand.
    """
    player, (roll, price_roll) = mover(game, turn), turn.finish(game.rules)
    check_turn(game, player, roll)
    dice = turn.dice if turn.is_scratch else turn.hand
    if dice is not None:
        _check_dice(game, dice)
    _check_served(game, turn, player, dice)
    turn = replace(turn, player=player, roll=roll)
    _check_throws(game, turn, dice, roll)
    if turn.is_scratch or dice is None:
        return _scratch(game, turn, player, roll)
    if wins_instantly(game, player, dice, roll):
        return _instant_win(game, player, dice, roll)
    category = turn.category or _best_choice(game, turn)
    _check_fillable(game, turn, category)
    _check_allowed(game, turn, category)
    _check_made(game, turn, category)
    return Scored(
        player=player,
        dice=dice,
        roll=roll,
        category=category.id,
        points=game.points_in(player, category, dice, price_roll),
        throws=turn.throws,
        served=True if price_roll < roll else UNSET,
    )


def _scratch(game: Game, turn: Turn, player: str, roll: int) -> Scratched:
    category, dice = turn.category, turn.dice
    if dice is not None and wins_instantly(game, player, dice, roll):
        what = lazy("{hand} on the first throw wins at once", hand=print_dice(dice))
        raise NotAllowed(what, "remove the x, or give a later throw")
    if category is None:
        raise Undecided(
            "no category to scratch is given",
            "choose from {names}",
            turn=turn,
            names=_ids(game.allowed_categories(player, dice) if dice else game.fillable_categories(player)),
        )
    _check_fillable(game, turn, category)
    if dice is not None:
        _check_allowed(game, turn, category)
    return Scratched(player=player, category=category.id, dice=dice, roll=roll, throws=turn.throws)


def change(game: Game, wanted: TableChange) -> TableChange:
    """Change the players, the stake or the label. Possible after the end, too."""
    match wanted:
        case Renamed(player=player, name=name):
            _check_renamed(game, player, name)
        case Left(player=player):
            _check_playing(game, player)
        case Joined(player=player):
            return Joined(player=_check_joins(game, player))
        case Ended():
            if game.is_over:
                raise game_over_error()
            if not game.entries:
                raise NotAllowed("this game has no entries yet", "enter a hand first")
        case Staked() | Labelled():
            check_agreed(evolve(game, wanted).agreed)
        case _:
            assert_never(wanted)
    return wanted


def _check_renamed(game: Game, player: str, name: str) -> None:
    _check_seated(game, player)
    check_name(name)
    namesakes = [other for other in game.seats if other != player and case_key(other) == case_key(name)]
    if namesakes:
        raise _name_taken_error(namesakes[0])
    check_agreed(evolve(game, Renamed(player=player, name=name)).agreed)  # sides use the names


def _check_joins(game: Game, name: str) -> str:
    if game.is_over:
        raise game_over_error()
    check_name(name)
    known = next((player for player in game.seats if case_key(player) == case_key(name)), None)
    if known in game.left:
        return known
    if known is not None:
        raise _name_taken_error(known)
    if game.agreed.sides:
        raise NotAllowed("players cannot join a side after the game has started", "start a new game")
    check_count(len(game.seats) + 1)
    return name


def _name_taken_error(name: str) -> NotAllowed:
    return NotAllowed(
        "{player} is already in this game", "give a different name, such as {player} P", player=name
    )


def _check_playing(game: Game, player: str) -> None:
    if game.is_over:
        raise game_over_error()
    _check_seated(game, player)
    if player in game.left:
        raise player_left_error(player)


def _check_seated(game: Game, player: str) -> None:
    if player not in game.columns:
        there = lazy("its players are {players}", players=listing(game.seats, "and"))
        raise NotAllowed("{player} is not in this game", there, player=player)


def _instant_win(game: Game, player: str, dice: Dice, roll: int) -> Scored:
    win = game.rules.instant_win
    is_open = win is not None and game.is_open(player, game.rules.category(win.box))
    category, points = instant_win_fills(game.rules, dice, is_open=is_open)
    return Scored(
        player=player,
        dice=dice,
        roll=roll,
        category=category.id if category else None,
        points=points,
        instant_win=True,
    )


def check_turn(game: Game, player: str, roll: int) -> None:
    _check_playing(game, player)
    if not game.may_move(player):
        waiting = [other for other in game.playing if game.may_move(other)]
        raise NotAllowed(
            "{player} has had this round's turn; it is {next}'s turn",
            "still to play this round: {waiting}",
            player=player,
            next=game.to_move,
            waiting=listing(waiting, "and"),
        )
    check_throw(roll, game.rules, game.columns[player].spares)


def _check_dice(game: Game, dice: Dice) -> None:
    """Refuse dice that are not a hand. Typed dice were checked before, but a file may hold anything."""
    if not game.rules.has_hand(dice):
        played_with = lazy_count(
            "this game is played with {count} die with faces from 1 to {faces}",
            "this game is played with {count} dice with faces from 1 to {faces}",
            game.rules.dice,
            faces=game.rules.faces,
        )
        none = lazy("there are no dice")
        raise NotAllowed(lazy("{hand} is not a hand", hand=print_dice(dice)) if dice else none, played_with)


def _check_served(game: Game, turn: Turn, player: str, dice: Dice | None) -> None:
    """Refuse a claim de mano that leaves open which throw it was, if that decides the game."""
    if turn.is_unturned and not turn.is_scratch and dice is not None:
        raise NotAllowed(
            "one of {hand} must be turned over first",
            "type all dice after turning",
            hand=print_dice(dice),
        )
    if not game.rules.most_turned or turn.served is None or dice is None:
        return
    if not turn.served and turn.roll == 1:
        what = lazy("{hand} on the first throw is de mano", hand=print_dice(dice))
        raise NotAllowed(what, "give one of them")
    if turn.served and turn.roll is None and wins_instantly(game, player, dice, 1):
        hand = join_dice(dice)
        raise WhichThrow(
            "{hand} de mano wins at once on the first throw, but not on the second",
            Remedy(
                "which-throw",
                first=f"{hand} 1",
                second=Message("{hand} 2 {word}", {"hand": hand, "word": FirstWord(DE_MANO)}),
            ),
            hand=print_dice(dice),
        )


def _check_throws(game: Game, turn: Turn, dice: Dice | None, roll: int) -> None:
    throws = turn.throws
    if isinstance(throws, UnsetType):
        return
    if dice is None:
        raise NotAllowed("earlier throws are given, but not the final hand", "type its dice, too")
    if len(throws) != roll - 1:
        what = lazy_count(
            "{count} earlier throw is given for throw {roll}",
            "{count} earlier throws are given for throw {roll}",
            len(throws),
            roll=roll,
        )
        raise NotAllowed(what, Remedy("give-earlier-throws"))
    following = (*(thrown.dice for thrown in throws[1:]), dice)
    for number, (thrown, after) in enumerate(zip(throws, following, strict=True), start=1):
        _check_dice(game, thrown.dice)
        _check_kept(thrown, number, after, game.rules, is_served=bool(turn.served))


def _check_kept(thrown: Thrown, number: int, after: Dice, rules: RuleSet, *, is_served: bool) -> None:
    if is_served and rules.most_turned and thrown.kept:
        what = lazy("a second throw is de mano only if all dice were thrown again")
        raise NotAllowed(
            what, lazy("type 0 for no kept dice, as in {example}", example=f"{join_dice(thrown.dice)}:0")
        )
    for which, hand, most in ((number, thrown.dice, 0), (number + 1, after, rules.most_turned)):
        if not may_follow(thrown.kept, hand, most, rules.faces):
            raise NotAllowed(
                "{kept} cannot have been kept from throw {number}: throw {which} was {hand}",
                Remedy("give-throw", example=f"{join_dice(thrown.dice)}:{join_dice(thrown.dice[:2])}"),
                kept=print_dice(thrown.kept),
                number=number,
                which=which,
                hand=print_dice(hand),
            )
    if len(thrown.kept) == len(thrown.dice):
        what = lazy("all dice of throw {number} were kept, so it was the last throw", number=number)
        raise NotAllowed(what, "remove the later throws")


def _may_score(game: Game, player: str, category: Category) -> bool:
    if category.after is None:
        return True
    if category.needs_five_alike:
        return game.wrote_five_alike(player)
    return game.columns[player].holds(category.after)


def _check_fillable(game: Game, turn: Turn, category: Category) -> None:
    player = mover(game, turn)
    if not game.is_open(player, category):
        last = game.columns[player].rows[category.id][-1]
        raise WrongBox(
            "all {count} boxes of {player}'s {category} are filled"
            if category.box_count > 1
            else "{player}'s {category} was scratched in turn {turn}"
            if last.scratched
            else "{player}'s {category} was filled with {points} in turn {turn}",
            _other_box(game, turn),
            count=category.box_count,
            player=player,
            category=category,
            points=last.points,
            turn=last.turn,
        )
    if category not in game.fillable_categories(player):
        first, *others = game.fillable_categories(player)
        if others:
            upper_first = lazy("the upper boxes must be filled first; {player} has some open", player=player)
            lower_first = lazy("the lower boxes must be filled first; {player} has some open", player=player)
            raise WrongBox(
                lower_first if first.number is None else upper_first,
                _other_box(game, turn),
            )
        due = first
        is_made = not turn.is_scratch and due in [each.category for each in _choices(game, turn)]
        raise WrongBox(
            _ONE_DUE[game.rules.fill_order].with_values(player=player, category=due),
            Remedy("score-or-scratch-box" if is_made else "scratch-box", **_ways(game, turn, due)),
        )


def _check_allowed(game: Game, turn: Turn, category: Category) -> None:
    player, dice = mover(game, turn), turn.hand
    allowed = game.allowed_categories(player, dice)
    if category in allowed:
        return
    if allowed[0].number == dice[0]:
        raise WrongBox(
            "{hand} is a joker, and must go to {player}'s {category} while it is open",
            Remedy("scratch-box" if turn.is_scratch else "score-box", **_ways(game, turn, allowed[0])),
            hand=print_dice(dice),
            player=player,
            category=allowed[0],
        )
    raise WrongBox(
        "{hand} is a joker, and must go to a lower box while {player} has one open",
        _other_box(game, turn),
        hand=print_dice(dice),
        player=player,
    )


def _check_made(game: Game, turn: Turn, category: Category) -> None:
    player, dice = mover(game, turn), turn.hand
    if not game.points_in(player, category, dice, turn.finish(game.rules)[1]):
        ways = _ways(game, turn, category)
        waits = category.number is None and game.is_joker(player, dice)
        raise WrongBox(
            "{hand} counts as a joker in {category} only after {player}'s {number} is filled"
            if waits
            else "{hand} is not {category}",
            Remedy("score-other-or-scratch-box", others=with_points(made), **ways)
            if (made := _choices(game, turn))
            else Remedy("scratch-box", **ways),
            hand=print_dice(dice),
            category=category,
            player=player,
            number=next((number for number in game.rules.numbers if number.number == dice[0]), category),
        )
    if not _may_score(game, player, category):
        raise WrongBox(
            "{category} needs five alike that {player} scored earlier"
            if category.needs_five_alike
            else "{category} needs points in {player}'s {other} first",
            Remedy("scratch-box", **_ways(game, turn, category)),
            category=category,
            player=player,
            other=game.rules.category(category.after or ""),
        )


def _other_box(game: Game, turn: Turn) -> Message | Remedy:
    player, dice = mover(game, turn), turn.dice
    allowed = game.allowed_categories(player, dice) if dice else game.fillable_categories(player)
    if turn.is_scratch:
        return lazy("choose from {names}", names=_ids(allowed))
    if made := _choices(game, turn):
        return lazy("choose from {names}", names=with_points(made))
    return Remedy("choose-scratch", hand=_hand(game, turn), categories=_ids(allowed))


def with_points(made: Sequence[Choice]) -> ItemList:
    return listing(
        Message("{box} ({points})", {"box": choice.category.typed, "points": choice.points})
        for choice in made
    )


def _ways(game: Game, turn: Turn, box: Category) -> dict[str, object]:
    """Return lines that score or scratch a hand. A hand de mano keeps its own throw."""
    player, (roll, price_roll) = mover(game, turn), turn.finish(game.rules)
    hand = f"{_hand(game, turn)} " if turn.dice else ""
    claim = f"{roll} {FirstWord(DE_MANO)} " if price_roll < roll else ""
    named = "" if player == game.to_move else f" {quoted(player)}"
    line = Message("{hand}{box}{player}", {"box": box.typed, "player": named})
    return {
        "box": box.typed,
        "score": line.with_values(hand=hand + claim),
        "scratch": line.with_values(hand=f"{hand}x "),
    }


def _hand(game: Game, turn: Turn) -> str:
    """Return the dice of a turn as typed, after its earlier throws or with its throw if that matters."""
    rules, roll = game.rules, turn.finish(game.rules)[0]
    if turn.throws:
        return _thrown(turn.throws, turn.hand, rules)
    is_last = roll == rules.throws or not rules.has_throws_that_matter
    return join_dice(turn.hand) if is_last else f"{join_dice(turn.hand)} {roll}"


def _thrown(throws: Throws, hand: Dice, rules: RuleSet) -> str:
    """Return a hand after its earlier throws, `44126:44 425:444 44`. A hand turned over stays whole."""
    words, kept = "", Dice()
    for thrown in throws:
        words += f"{_new_dice(thrown.dice, kept, rules)}:{join_dice(thrown.kept) or NO_DIE} "
        kept = thrown.kept
    return words + _new_dice(hand, kept, rules)


def _new_dice(hand: Dice, kept: Dice, rules: RuleSet) -> str:
    first, others = hand[: len(kept)], hand[len(kept) :]
    return join_dice(others if first == kept and not rules.most_turned else hand)


def _ids(categories: Sequence[Category]) -> ItemList:
    return listing(category.typed for category in categories)
