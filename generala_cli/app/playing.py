"""Entries and changes at the table as they are typed, and what they do; undo, redo, amend."""

from collections.abc import Callable, Sequence
from itertools import combinations

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from generala_cli.errors import Mistyped, NotAllowed, NotFound
from generala_cli.game import amending, decisions, turnline
from generala_cli.game.decisions import Choice, Undecided
from generala_cli.game.events import (
    Amended,
    Entry,
    Event,
    Joined,
    Left,
    Renamed,
    Scored,
    Staked,
    TableChange,
    Thrown,
    Throws,
)
from generala_cli.game.game import Game, evolve
from generala_cli.game.history import History, Step
from generala_cli.game.history import redo as redo_steps
from generala_cli.game.history import undo as undo_steps
from generala_cli.game.money import find_method, unit_meant
from generala_cli.game.seating import find_player
from generala_cli.game.starting import parse_name, parse_stake, parse_unit
from generala_cli.game.turnline import Words, merged
from generala_cli.messages import listing, tell
from generala_cli.rules.dice import Dice, example_hand, is_dice, parse_dice, parse_faces, print_dice
from generala_cli.rules.ruleset import Category, RuleSet, bonus
from generala_cli.store.store import Decide, Store, StoredGame
from generala_cli.text import plain, same_name

CheckName = Callable[[str, RuleSet], None]
"""Refuses what can hardly be a player's name in a game of these rules."""


class Hand(Struct, frozen=True, kw_only=True):
    """What was typed after `score`, `scratch`, `amend`, `check` or `advise`.

    Attributes:
        dice: the words of the hand; those after it may name the throw, the category and the player.
        roll: the throw, a number or a word. category: `--as`; it may have a word for the throw.
        player: as typed, or None for the one to move.
        threw: the throws before the last, each with what was kept of it, as `44126:44`.
    """

    dice: Sequence[str] = ()
    roll: str | None = None
    category: str | None = None
    player: str | None = None
    threw: Sequence[str] = ()


class ReadHand(Struct, frozen=True, kw_only=True):
    """The same, read by the rules: no dice, no category and no player where none were told."""

    dice: Dice | None
    roll: int
    category: Category | None
    player: str | None = None
    throws: Throws | UnsetType = UNSET

    @property
    def hand(self) -> Dice:
        """The dice; raises Mistyped where none were told."""
        if self.dice is None:
            raise Mistyped("there is no hand", "type the dice, as in generala 55533")
        return self.dice


class Entered(Struct, frozen=True, kw_only=True):
    """An entry that was written, or would be.

    Attributes:
        number: the game. turn: of the entry, from 1.
        alternatives: the other open categories that the hand could have gone to, best first.
        game: after the entry.
        saved: False in a dry run and where nothing changed.
        upper_bonus: the points beside the box that it earned with the other numbers, or lost, if below 0.
        overruled: the category that was named but gave way to an instant win.
        replaced: what was written before, when an entry was amended.
        exchanged: the other turn of the round, where the two entries changed places.
    """

    number: int
    turn: int
    entry: Entry
    alternatives: tuple[Choice, ...] = ()
    game: Game
    saved: bool
    upper_bonus: int = 0
    overruled: Category | None = None
    replaced: Entry | None = None
    exchanged: int | None = None

    @property
    def bonus(self) -> int:
        """How many of its points are there because the hand was served."""
        entry, rules = self.entry, self.game.rules
        if not isinstance(entry, Scored) or entry.category is None:
            return 0
        return bonus(rules, rules.category(entry.category), entry.dice, entry.roll)


class Changed(Struct, frozen=True, kw_only=True):
    """A change at the table that was written, or would be.

    Attributes:
        is_news: False where it was so already. saved: False then, and in a dry run.
        missed: how many turns one who came late plays first.
    """

    number: int
    change: TableChange
    game: Game
    is_news: bool
    saved: bool
    missed: int = 0


class Moved(Struct, frozen=True, kw_only=True):
    """Actions that were taken back (`undone`) or put back, in that order, and the game after it all."""

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
    """
    named: Category | None = None

    def decide(history: History) -> Sequence[Event]:
        nonlocal named
        game = history.game
        read = read_hand(hand, game.rules, game)
        player, named = mover(game, read.player), read.category
        if careful and read.category is None:
            _refuse_mere_numbers(game, player, read.hand, read.roll)
        return [
            decisions.score(
                game,
                player=player,
                dice=read.hand,
                roll=read.roll,
                category=read.category,
                throws=read.throws,
            )
        ]

    stored = _run(store, decide, dry_run)
    return _entered(stored, named, saved=not dry_run)


def scratch(store: Store, hand: Hand, *, dry_run: bool = False) -> Entered:
    """Give up the category named, for the player to move or the one named."""

    def decide(history: History) -> Sequence[Event]:
        game = history.game
        told = turnline.read_scratch([hand.category or "", *hand.dice], game.rules, game)
        read = _read_options(told, hand, game.rules, game)
        if read.category is None:
            names = listing(category.typed for category in game.rules.categories)
            raise NotFound("nothing to scratch is named", "choose from {names}", names=names)
        player = mover(game, read.player)
        return [
            decisions.scratch(
                game,
                player=player,
                category=read.category,
                dice=read.dice,
                roll=read.roll,
                throws=read.throws,
            )
        ]

    return _entered(_run(store, decide, dry_run), None, saved=not dry_run)


def amend(store: Store, turn: int, hand: Hand, *, scratched: bool = False, dry_run: bool = False) -> Entered:
    """Correct the entry of a turn. What is not given stays as it was, also whose it is."""

    def decide(history: History) -> Sequence[Event]:
        game = history.game
        old = amending.turn_entry(game, turn)
        read = read_hand(hand, game.rules, kept=old)
        was_in = None if old.category is None else game.rules.category(old.category)
        event = amending.amend(
            game,
            turn=turn,
            player=hand.player and find_player(hand.player, game.seats),
            dice=read.dice,
            roll=read.roll,
            category=read.category or was_in,
            scratched=scratched or (not hand.dice and not isinstance(old, Scored)),
            throws=read.throws,
        )
        return [event] if event.entry != old else []

    stored = _run(store, decide, dry_run)
    if stored.added:
        return _entered(stored, None, saved=not dry_run)
    entry = stored.game.entries[turn - 1]
    return Entered(
        number=stored.number, turn=turn, entry=entry, game=stored.game, saved=False, replaced=entry
    )


def rename(store: Store, old: str, new: str, *, check: CheckName, dry_run: bool = False) -> Changed:
    """Call a player by another name, in every view of the game, if `check` has nothing against it."""
    name = parse_name(new)

    def wanted(game: Game) -> Renamed:
        player = find_player(old, game.seats)
        check(name, game.rules)
        return Renamed(player=player, name=name)

    return _change(store, wanted, dry_run=dry_run)


def leave(store: Store, player: str, *, dry_run: bool = False) -> Changed:
    """Let a player go home: what is written counts, and turns pass over who left."""
    return _change(store, lambda game: Left(player=find_player(player, game.seats)), dry_run=dry_run)


def join(store: Store, player: str, *, check: CheckName, dry_run: bool = False) -> Changed:
    """Give one who comes late a column after the others, or let one who left come back.

    Args:
        check: refuses what can hardly be the name of someone new.
    """
    name = parse_name(player)

    def wanted(game: Game) -> Joined:
        if same_name(name) not in map(same_name, game.seats):
            check(name, game.rules)
        return Joined(player=name)

    return _change(store, wanted, dry_run=dry_run)


def stake(
    store: Store, amount: str, *, unit: str | None = None, payout: str | None = None, dry_run: bool = False
) -> Changed:
    """Play the whole game for something else; the unit and the payout method stay unless they are given."""
    played_for = parse_stake(amount, "generala stake")
    new_unit, method = unit and parse_unit(unit), payout and find_method(payout).name

    def wanted(game: Game) -> Staked:
        agreed = game.agreed
        meant = unit_meant(new_unit, played_for) if new_unit else agreed.unit
        return Staked(stake=played_for, unit=meant, payout=method or agreed.payout)

    return _change(store, wanted, dry_run=dry_run)


def _change(store: Store, wanted: Callable[[Game], TableChange], *, dry_run: bool) -> Changed:
    """Change who plays or what for, unless it is so already."""
    made: TableChange | None = None

    def decide(history: History) -> Sequence[Event]:
        nonlocal made
        game = history.game
        made = decisions.change(game, wanted(game))
        return [] if evolve(game, made) == game else [made]

    stored = _run(store, decide, dry_run)
    assert made is not None
    game, missed = stored.game, 0
    if isinstance(made, Joined):
        others = [game.columns[player].turns for player in game.playing if player != made.player]
        missed = max(0, min(others, default=0) - game.columns[made.player].turns)
    return Changed(
        number=stored.number,
        change=made,
        game=game,
        is_news=stored.added > 0,
        saved=stored.added > 0 and not dry_run,
        missed=missed,
    )


def undo(store: Store, count: int = 1, *, dry_run: bool = False) -> Moved:
    """Take back the last actions: entries, corrections and changes at the table alike."""
    stored = _run(store, lambda history: undo_steps(history, count), dry_run)
    steps = tuple(stored.history.undone[-count:])
    return Moved(number=stored.number, undone=True, steps=steps, game=stored.game, saved=not dry_run)


def redo(store: Store, count: int = 1, *, dry_run: bool = False) -> Moved:
    """Put back what was taken back last."""
    stored = _run(store, lambda history: redo_steps(history, count), dry_run)
    steps = tuple(stored.history.done[-count:])
    return Moved(number=stored.number, undone=False, steps=steps, game=stored.game, saved=not dry_run)


def mover(game: Game, wanted: str | None) -> str:
    """The player named, or the one to move; after the end there is none."""
    if wanted is not None:
        return find_player(wanted, game.seats)
    if game.to_move is None:
        raise NotAllowed("the game is over", decisions.AFTER_THE_END)
    return game.to_move


def read_hand(hand: Hand, rules: RuleSet, game: Game | None = None, *, kept: Entry | None = None) -> ReadHand:
    """Read what was typed, in a game or in none; what is not told is as in the entry that is `kept`."""
    hand = _put_together(hand, rules)
    told = turnline.read_hand(hand.dice, rules, game)
    if hand.category is not None:
        named = turnline.read_words([hand.category], rules)
        told = merged(told, named if named.category else Words(category=rules.find_category(hand.category)))
    return _read_options(told, hand, rules, game, kept)


def _read_options(
    told: Words, hand: Hand, rules: RuleSet, game: Game | None, kept: Entry | None = None
) -> ReadHand:
    """What the words told, with `--roll` and `--player`, which must not say something else."""
    throws = _read_throws(hand.threw, rules)
    if throws is not UNSET:
        told = merged(told, Words(roll=len(throws) + 1))
    if hand.roll is not None:
        told = merged(told, Words(roll=_read_roll(hand.roll, rules)))
    if hand.player is not None and game is not None:
        told = merged(told, Words(player=find_player(hand.player, game.seats)))
    default = rules.throws if kept is None else kept.roll
    dice = kept.dice if told.dice is None and kept is not None else told.dice
    roll = default if told.roll is None else told.roll
    is_same = kept is not None and (sorted(dice or ()), roll) == (sorted(kept.dice or ()), kept.roll)
    if kept is not None and is_same and throws is UNSET:  # else they would not be true any more
        throws = kept.throws
    return ReadHand(dice=dice, roll=roll, category=told.category, player=told.player, throws=throws)


def _read_throws(texts: Sequence[str], rules: RuleSet) -> Throws | UnsetType:
    """`44126:44`, once for every throw before the last; nothing may have been kept."""
    if not texts:
        return UNSET
    throws = []
    for text in texts:
        hand, colon, kept = text.partition(":")
        if not colon or not hand.strip():
            raise Mistyped(
                "--threw {text!r} is not a throw and what was kept of it",
                "type it as --threw {example}",
                text=text,
                example=_example_throw(rules),
            )
        dice = parse_dice([hand], count=rules.dice, faces=rules.faces)
        throws.append(Thrown(dice=dice, kept=parse_faces([kept], faces=rules.faces) if kept.strip() else ()))
    return tuple(throws)


def _example_throw(rules: RuleSet) -> str:
    """`66655:666`."""
    hand = example_hand(rules.dice, rules.faces)
    return f"{''.join(map(str, hand))}:{''.join(map(str, hand[: (rules.dice + 1) // 2]))}"


def _put_together(hand: Hand, rules: RuleSet) -> Hand:
    """`--as full house`, of which a shell makes two words, as the one name that it is."""
    if hand.category is None:
        return hand
    names = {plain(name) for category in rules.categories for name in category.answers_to}
    loose = [word for word in hand.dice if not is_dice(word)]
    for start, end in combinations(range(len(loose) + 1), 2):
        whole = " ".join((hand.category, *loose[start:end]))
        if plain(whole) in names:
            left = [word for word in hand.dice if word not in loose[start:end]]
            return replace(hand, category=whole, dice=left)
    return hand


def _run(store: Store, decide: Decide, dry_run: bool) -> StoredGame:
    return (store.preview if dry_run else store.change)(None, decide)


def _entered(stored: StoredGame, named: Category | None, *, saved: bool) -> Entered:
    """The answer to the entry that was just made, the last step of the history."""
    step = stored.history.done[-1]
    entry, before, turn = step.entry, step.before, step.turn
    assert entry is not None
    assert turn is not None
    alternatives: tuple[Choice, ...] = ()
    if isinstance(entry, Scored) and not entry.instant_win and not isinstance(step.action, Amended):
        found = decisions.choices(before, entry.player, entry.dice, entry.roll)
        alternatives = tuple(choice for choice in found if choice.category.id != entry.category)
    return Entered(
        number=stored.number,
        turn=turn,
        entry=entry,
        alternatives=alternatives,
        game=stored.game,
        saved=saved,
        upper_bonus=step.upper_bonus,
        overruled=named if named is not None and named.id != entry.category else None,
        replaced=step.replaced,
        exchanged=step.exchanged,
    )


def _refuse_mere_numbers(game: Game, player: str, dice: Dice, roll: int) -> None:
    """Where a hand makes number categories only, its player may rather scratch another box."""
    found = decisions.choices(game, player, dice, roll)
    could_scratch = len(game.fillable_categories(player)) > 1
    wins = decisions.wins_instantly(game, player, dice, roll)
    if found and could_scratch and not wins and all(choice.category.number for choice in found):
        what = tell("{dice} makes only numbers", dice=print_dice(dice))
        raise Undecided(what, "say which with --as", player=player, dice=dice, choices=found)


def _read_roll(text: str | None, rules: RuleSet) -> int | None:
    if text is None:
        return None
    if (throw := rules.find_throw(text)) is not None:
        return throw
    if text.isascii() and text.isdecimal() and len(text) <= 3 and int(text) > 0:
        return int(text)
    raise Mistyped(
        "{text!r} is not a throw",
        "type --roll 1 to {throws}, the throw the hand was finished on",
        text=text,
        throws=rules.throws,
    )
