"""The state of a game, and how each event changes it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Annotated, assert_never

from msgspec import UNSET, Meta, Struct
from msgspec.structs import replace

from generala_cli.game.events import (
    Action,
    Agreed,
    Amended,
    Ended,
    Entry,
    Joined,
    Labelled,
    Left,
    Renamed,
    Scored,
    Scratched,
    Served,
    Staked,
)
from generala_cli.game.seating import seats
from generala_cli.rules.dice import Dice
from generala_cli.rules.ruleset import Category, RuleSet, joker_may_fill, joker_pays, qualifies, worth


class Box(Struct, frozen=True, kw_only=True):
    points: Annotated[int, Meta(ge=0)]
    scratched: bool
    roll: Annotated[int, Meta(ge=1)]
    served: Served = UNSET
    dice: Dice | None
    turn: Annotated[int, Meta(ge=1)]

    @property
    def price_roll(self) -> int:
        return 1 if self.served else self.roll


_NOTHING: Mapping[str, tuple[Box, ...]] = {}


class Column(Struct, frozen=True, kw_only=True):
    """A player's column: turns, spares, and the bonus for repeated equal dice.

    Attributes:
        rows: the filled boxes of each category, by its id, in order of turns. Most categories have one box.
    """

    rows: Mapping[str, tuple[Box, ...]] = _NOTHING
    turns: int = 0
    saved: int = 0
    used: int = 0
    extra_bonus: int = 0

    @property
    def boxes(self) -> Iterator[Box]:
        return chain.from_iterable(self.rows.values())

    @property
    def total(self) -> int:
        return sum(box.points for box in self.boxes)

    def holds(self, category: str) -> bool:
        """Return whether a box of the category holds points, instead of a scratch."""
        return any(not box.scratched for box in self.rows.get(category, ()))

    @property
    def spares(self) -> int:
        return self.saved - self.used


GamePointsAndTie = tuple[int, int]
"""A player's game points, and the number of boxes that decides equal points and totals."""


class TableEvent(Struct, frozen=True, kw_only=True):
    """A player joined or left, or the game ended early, after this number of turns."""

    turns: int
    event: Joined | Left | Ended


class Game(Struct, frozen=True, kw_only=True):
    """The state of a game. Only `new_game` and `evolve` create it.

    Renames, new stakes and labels apply to the whole game, as if they had been agreed at the start.
    """

    agreed: Agreed
    seats: tuple[str, ...]  # the order of play; late players last, players who left stay
    columns: Mapping[str, Column]
    entries: tuple[Entry, ...] = ()
    table_events: tuple[TableEvent, ...] = ()
    instant_winner: str | None = None

    @property
    def left(self) -> tuple[str, ...]:
        if not self.table_events:
            return ()
        coming = (each.event for each in self.table_events)
        last = {event.player: event for event in coming if not isinstance(event, Ended)}
        return tuple(player for player in self.seats if isinstance(last.get(player), Left))

    @property
    def playing(self) -> tuple[str, ...]:
        left = self.left
        return tuple(player for player in self.seats if player not in left) if left else self.seats

    @property
    def rules(self) -> RuleSet:
        return self.agreed.rules

    @property
    def is_over(self) -> bool:
        if self.instant_winner is not None or self.is_ended_early:
            return True
        return not any(map(self.open_boxes, self.playing))

    @property
    def is_ended_early(self) -> bool:
        return bool(self.table_events) and isinstance(self.table_events[-1].event, Ended)

    @property
    def round(self) -> int:
        """The number of turns that all remaining players have had; 0 if everyone left."""
        return min((self.columns[player].turns for player in self.playing), default=0)

    @property
    def to_move(self) -> str | None:
        """The first player in seat order with the fewest turns; None if the game is over."""
        if self.is_over:
            return None
        fewest = self.round
        return next(player for player in self.playing if self.columns[player].turns == fewest)

    def may_move(self, player: str) -> bool:
        return self.columns[player].turns == self.round and player in self.playing

    def open_categories(self, player: str) -> tuple[Category, ...]:
        rows = self.columns[player].rows
        return tuple(each for each in self.rules.categories if len(rows.get(each.id, ())) < each.box_count)

    def open_boxes(self, player: str) -> int:
        return self.rules.turns - sum(map(len, self.columns[player].rows.values()))

    def is_open(self, player: str, category: Category) -> bool:
        return len(self.columns[player].rows.get(category.id, ())) < category.box_count

    def fillable_categories(self, player: str) -> tuple[Category, ...]:
        return self.rules.due(self.open_categories(player))

    def allowed_categories(self, player: str, dice: Dice) -> tuple[Category, ...]:
        """Return the boxes that the hand may fill or scratch. A forced joker has fewer."""
        fillable = self.fillable_categories(player)
        if self.rules.joker_rule != "forced" or not self.is_joker(player, dice):
            return fillable
        is_own_due = any(category.number == dice[0] for category in fillable)
        is_lower_due = any(category.number is None for category in fillable)
        return tuple(
            category
            for category in fillable
            if joker_may_fill(self.rules, category, dice[0], is_own_due=is_own_due, is_lower_due=is_lower_due)
        )

    def wrote_five_alike(self, player: str) -> bool:
        """Return whether the player scored five alike in any box, if the double generala needs that."""
        awaited = self.rules.awaited_hand
        return awaited is not None and any(
            box.dice is not None and not box.scratched and qualifies(self.rules, awaited, box.dice)
            for box in self.columns[player].boxes
        )

    def is_joker(self, player: str, dice: Dice) -> bool:
        """Return whether the hand is a joker: all dice equal, after the box for that hand is filled."""
        return self.rules.joker_rule != "no" and self._is_alike_again(player, dice)

    def points_in(self, player: str, category: Category, dice: Dice, roll: int) -> int:
        own = next((number for number in self.rules.numbers if number.number == dice[0]), None)
        is_own_filled = own is None or not self.is_open(player, own)
        is_joker = self.is_joker(player, dice) and joker_pays(self.rules, is_own_filled=is_own_filled)
        return worth(self.rules, category, dice, roll, is_joker=is_joker)

    def extra_bonus_for(self, player: str, dice: Dice) -> int:
        if not self.rules.extra_bonus or not self._is_alike_again(player, dice):
            return 0
        box = self.rules.all_alike_box
        return self.rules.extra_bonus if box is not None and self.columns[player].holds(box.id) else 0

    def _is_alike_again(self, player: str, dice: Dice) -> bool:
        box = self.rules.all_alike_box
        return box is not None and not self.is_open(player, box) and len({*dice}) == 1

    def last_throw(self, player: str) -> int:
        return self.rules.throws + self.columns[player].spares

    def total(self, player: str) -> int:
        column = self.columns[player]
        return column.total + self.upper_bonus(player) + column.extra_bonus

    @property
    def game_points(self) -> Mapping[str, GamePointsAndTie]:
        """The game points of each player by the rows and the total so far; empty if the total decides."""
        points = self.rules.game_points
        if not points:
            return {}
        found = {}
        for player, column in self.columns.items():
            filled = {name: [box.points for box in row] for name, row in column.rows.items()}
            tie = sum(made > 0 for made in filled.get(points.tie or "", ()))
            found[player] = points.earned(filled, self.total(player)), tie
        return found

    def in_numbers(self, player: str) -> int:
        rows = self.columns[player].rows
        return sum(box.points for category in self.rules.numbers for box in rows.get(category.id, ()))

    def upper_bonus(self, player: str) -> int:
        bonus = self.rules.upper_bonus
        return 0 if bonus is None else bonus.earned(self.in_numbers(player))


def new_game(agreed: Agreed) -> Game:
    order = seats(agreed.rules, agreed.players, dict(agreed.openings), agreed.sides)
    return Game(agreed=agreed, seats=order, columns={player: Column() for player in order})


def evolve(game: Game, action: Action) -> Game:
    """Return the game after an event. `decisions` checks beforehand that the event is allowed."""
    match action:
        case Scored() | Scratched():
            return _with_entry(game, action)
        case Amended(turn=turn, entry=entry):
            *_, corrected = positions(replace(game, entries=with_entry(game.entries, turn, entry)))
            return corrected
        case Renamed(player=player, name=name):
            return _renamed(game, player, name)
        case Left() | Joined():
            return _come(game, action)
        case Ended():
            ended = TableEvent(turns=len(game.entries), event=action)
            return replace(game, table_events=(*game.table_events, ended))
        case Staked(stake=stake, unit=unit, payout=payout):
            return replace(game, agreed=replace(game.agreed, stake=stake, unit=unit, payout=payout))
        case Labelled(label=label):
            return replace(game, agreed=replace(game.agreed, label=label))
        case _:
            assert_never(action)


def positions(game: Game) -> Iterator[Game]:
    """Yield the game before each entry, with all changes of players until then, and after the last one."""
    state = new_game(game.agreed)
    for _, fact in course(game):
        if isinstance(fact, Entry):
            yield state
        state = evolve(state, fact)
    yield state


def course(game: Game) -> Iterator[tuple[int, Entry | Joined | Left | Ended]]:
    """Yield the entries and table events of a game in order, each with the number of turns before it."""
    table_events = [(coming.turns, coming.event) for coming in reversed(game.table_events)]
    for turns, entry in enumerate(game.entries):
        while table_events and table_events[-1][0] == turns:
            yield table_events.pop()
        yield turns, entry
    yield from reversed(table_events)


def with_entry(entries: tuple[Entry, ...], turn: int, entry: Entry) -> tuple[Entry, ...]:
    """Return the entries after an amendment, which swaps two if the player had a turn in that round."""
    old, changed = entries[turn - 1], list(entries)
    changed[turn - 1] = entry
    if (other := same_round(entries, turn, entry.player)) is not None:
        changed[other - 1] = replace(entries[other - 1], player=old.player)
    return tuple(changed)


def same_round(entries: Sequence[Entry], turn: int, player: str) -> int | None:
    """Return the player's turn in the same round as `turn`; None if it is their own or there is none."""
    own = entries[turn - 1].player
    if own == player:
        return None
    before = sum(entry.player == own for entry in entries[: turn - 1])
    theirs = [number for number, entry in enumerate(entries, start=1) if entry.player == player]
    return theirs[before] if before < len(theirs) else None


class BonusChange(Struct, frozen=True, gc=False):
    """The bonus points gained between two states, negative if they were lost."""

    upper: int = 0
    extra: int = 0


NO_BONUS = BonusChange()


def bonus_change(before: Game, after: Game) -> BonusChange:
    if not after.rules.has_extra_points:
        return NO_BONUS
    seats = [*zip(before.seats, after.seats, strict=False)]  # by seat, since names may change
    return BonusChange(
        upper=sum(after.upper_bonus(now) - before.upper_bonus(then) for then, now in seats),
        extra=sum(after.columns[now].extra_bonus - before.columns[then].extra_bonus for then, now in seats),
    )


def _renamed(game: Game, old: str, new: str) -> Game:
    def called(players: Iterable[str]) -> tuple[str, ...]:
        return tuple(new if player == old else player for player in players)

    agreed = game.agreed
    openings = tuple((new if player == old else player, throws) for player, throws in agreed.openings)
    sides = tuple(map(called, agreed.sides))
    return replace(
        game,
        agreed=replace(agreed, players=called(agreed.players), sides=sides, openings=openings),
        seats=called(game.seats),
        columns=dict(zip(called(game.columns), game.columns.values(), strict=True)),
        entries=tuple(replace(e, player=new) if e.player == old else e for e in game.entries),
        table_events=tuple(
            replace(each, event=replace(each.event, player=new))
            if not isinstance(each.event, Ended) and each.event.player == old
            else each
            for each in game.table_events
        ),
        instant_winner=new if game.instant_winner == old else game.instant_winner,
    )


def _come(game: Game, event: Joined | Left) -> Game:
    """Return the game after a player joined or left. New players come last; spares lapse."""
    column = game.columns.get(event.player, Column())
    if isinstance(event, Left):
        column = replace(column, saved=column.used)
    seats = game.seats if event.player in game.seats else (*game.seats, event.player)
    table_events = (*game.table_events, TableEvent(turns=len(game.entries), event=event))
    return replace(
        game, seats=seats, columns={**game.columns, event.player: column}, table_events=table_events
    )


def _with_entry(game: Game, entry: Entry) -> Game:
    column, rules = game.columns[entry.player], game.rules
    rows = column.rows
    if entry.category is not None:
        box = Box(
            turn=len(game.entries) + 1,
            points=entry.points,
            scratched=entry.scratched,
            roll=entry.roll,
            served=entry.served,
            dice=entry.dice,
        )
        rows = {**rows, entry.category: (*rows.get(entry.category, ()), box)}
    written = Column(
        rows=rows,
        turns=column.turns + 1,
        saved=column.saved + _spares_saved(rules, entry),
        used=column.used + max(0, entry.roll - rules.throws),
        extra_bonus=column.extra_bonus
        + (0 if entry.dice is None else game.extra_bonus_for(entry.player, entry.dice)),
    )
    return replace(
        game,
        columns={**game.columns, entry.player: written},
        entries=(*game.entries, entry),
        instant_winner=entry.player if entry.instant_win else None,
    )


def _spares_saved(rules: RuleSet, entry: Entry) -> int:
    if entry.category is None or entry.roll >= rules.throws or (entry.scratched and not rules.scratches_save):
        return 0
    return rules.throws - entry.roll if rules.category(entry.category).saves_spares else 0
