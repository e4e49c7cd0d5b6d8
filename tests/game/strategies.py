"""Random legal games of any rule set, finished or not: entries, corrections, changes at the table, undo.

A seeded generator makes the moves, which is fast. Hypothesis draws their number, so that it can shrink.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from hypothesis import strategies as st
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from generala_cli.errors import NotAllowed
from generala_cli.game import decisions
from generala_cli.game.amending import amend, completed
from generala_cli.game.decisions import choices, judge, wins_instantly
from generala_cli.game.events import (
    Agreed,
    Amended,
    Entry,
    Event,
    Joined,
    Labelled,
    Left,
    Renamed,
    Scored,
    Staked,
    TableChange,
    Thrown,
    Throws,
)
from generala_cli.game.game import Game
from generala_cli.game.history import History, redo, replay, undo
from generala_cli.game.starting import start
from generala_cli.game.turn import Turn
from generala_cli.rules.catalog import built_in_names
from generala_cli.rules.dice import Dice
from generala_cli.rules.ruleset import RuleSet
from tests.game.table import cached_rules, hand, house


class Played(NamedTuple):
    """The events of a game, and their history."""

    events: list[Event]
    history: History

    @property
    def agreed(self) -> Agreed:
        """The agreement at the start."""
        return self.history.agreed

    def replayed(self, count: int | None = None) -> History:
        """Return the history of the first `count` events, by default all, decided again."""
        return replay(self.agreed, self.events[:count])

    def __repr__(self) -> str:
        agreed = self.history.game.agreed
        found = (f"{type(event).__name__}{_fields(event)}" for event in self.events)
        rules = f"{agreed.rules.name} {dict(agreed.rules.settings)}"
        return f"<{rules} {agreed.players} {agreed.sides} {agreed.openings}: {', '.join(found)}>"


def _fields(event: Event) -> str:
    return str(tuple(getattr(event, name) for name in event.__struct_fields__))


LATECOMERS = ("Gina", "Hugo", "Ana", "[red]", "Zoë")
PLAYERS = ("Ana", "Beto", "Cora", "Dani", "Eva", "Fede")

HOUSES: tuple[tuple[str, ...], ...] = (
    ("generala", "double-generala=yes", "bonus=10"),
    ("generala", "fill-order=top-to-bottom", "instant-win=never"),
    ("generala-ace", "double-generala=yes", "double-generala-needs=five-alike", "instant-win=never"),
    ("generals", "double-generala=yes", "throws=2"),
    ("general", "instant-win=while-open", "spares=yes", "aces=2", "straight=20/40"),
    ("generala-round", "straights=different", "throws=1"),
    ("yacht", "instant-win=always", "instant-win-points=50", "all-alike-as-full-house=yes"),
    ("golden-fifty", "fill-order=top-to-bottom"),
    ("golden-fifty", "throws=5"),
    ("kniffel", "upper-bonus=50", "upper-bonus-from=30"),
    ("kniffel", "five-alike-as-full-house=yes", "upper-bonus=no"),
    ("kniffel", "joker=free", "extra-kniffel=50"),
    ("yatzy", "same-face-as-two-pairs=yes"),
    ("crag", "upper-bonus=20", "upper-bonus-from=12"),
    ("cacho", "turning=none"),
    ("cacho", "turning=one", "instant-win=never", "straights=ace-after-six"),
)

# Opening hands of rising value in the whole Generala family: 6, 8, 10, 12 (numbers), a full house and four of
# a kind. None is a straight, under any rule for runs and aces. In other games a sum of all dice may tie.
# 11223 is lower than all of them: if players throw only for the first turn, only the lowest hands may tie.
OPENINGS = ("22334", "13344", "12455", "11366", "33555", "22226")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The possible kinds of moves."""

    corrections: bool = True
    instant_wins: bool = True
    changes: bool = True


def rule_sets() -> st.SearchStrategy[RuleSet]:
    """Every built-in rule set and some house rules."""
    built_in = [cached_rules(name) for name in built_in_names()]
    return st.sampled_from([*built_in, *(house(name, *settings) for name, *settings in HOUSES)])


@st.composite
def beginnings(draw: st.DrawFn, rules: RuleSet) -> Agreed:
    """Generate two to six players, on sides or alone, ordered by opening throws (some tied) or as given."""
    players = PLAYERS[: draw(st.integers(2, 6), label="players")]
    teams: Sequence[str] = ()
    if len(players) % 2 == 0 and len(players) > 2 and draw(st.booleans(), label="sides"):
        half = len(players) // 2
        teams = ["+".join(players[:half]), "+".join(players[half:])]
    openings: dict[str, tuple[Dice, ...]] = {}
    if rules.name.startswith("general") and draw(st.booleans(), label="opening throws"):
        openings = dict(
            zip(players, draw(_openings(len(players), "11223" if rules.clockwise else "11111")), strict=True)
        )
    return start(rules, players, openings=openings, teams=teams)


@st.composite
def _openings(draw: st.DrawFn, players: int, tied: str) -> list[tuple[Dice, ...]]:
    order = draw(st.permutations(range(players)), label="opening hands")
    throws: list[tuple[Dice, ...]] = [(hand(OPENINGS[place]),) for place in order]
    if draw(st.booleans(), label="a tie"):
        throws[0] = (hand(tied), hand("66661"))
        throws[1] = (hand(tied), hand("22334"))
    return throws


@st.composite
def games(
    draw: st.DrawFn, *, limits: Limits | None = None, rules: RuleSet | None = None, whole: bool = False
) -> Played:
    """Generate the events of a legal game, and the resulting history.

    Args:
        limits: the possible kinds of moves; all of them by default.
        rules: a single rule set.
        whole: play to the end; otherwise stop anywhere.
    """
    allowed = limits or Limits()
    agreed = draw(beginnings(rules or draw(rule_sets(), label="rules")))
    randomness = Random(draw(st.integers(0, 2**32), label="seed"))
    events: list[Event] = []
    history = History(agreed)
    moves = 10_000 if whole else draw(st.integers(0, 40), label="moves")
    while len(events) < moves and not (whole and history.game.is_over):
        event = _move(history, randomness, allowed)
        if event is None:
            break
        history.add(event)
        events.append(event)
    return Played(events, history)


def played_on(played: Played, *, seed: int, moves: int) -> Played:
    """Return the same game after up to that many more moves."""
    events, history, randomness = list(played.events), played.replayed(), Random(seed)
    for _ in range(moves):
        if (event := _move(history, randomness, Limits())) is None:
            break
        history.add(event)
        events.append(event)
    return Played(events, history)


def _move(history: History, randomness: Random, allowed: Limits) -> Event | None:
    kind = randomness.random()
    if allowed.corrections and history.undone and kind < 0.5:
        return redo(history)[0]
    if allowed.corrections and history.done and kind < 0.12:
        return undo(history)[0]
    if allowed.corrections and history.game.entries and kind < 0.25:
        amended = random_amend(history.game, randomness, allowed)
        if amended is not None:
            return amended
    if allowed.changes and kind > 0.92 and (change := random_change(history.game, randomness)) is not None:
        return change
    return None if history.game.is_over else random_entry(history.game, randomness, allowed)


def random_change(game: Game, randomness: Random) -> TableChange | None:
    """Return a random valid change: a player joins, leaves or is renamed, or stake or label change."""
    player, name = randomness.choice(game.seats), randomness.choice((*LATECOMERS, *game.left))
    unit, payout = randomness.choice(("USD", "drink")), randomness.choice(("pairwise", "pot"))
    changes: list[TableChange] = [
        Renamed(player=player, name=name),
        Left(player=player),
        Joined(player=name),
        Joined(player=name),
        Labelled(label=randomness.choice(("", "friday"))),
        Staked(stake=str(randomness.randint(1, 9)), unit=unit, payout=payout),
    ]
    try:
        return decisions.change(game, randomness.choice(changes))
    except NotAllowed:
        return None


def random_entry(game: Game, randomness: Random, allowed: Limits) -> Entry:
    """Return a score or a scratch for any player who may move."""
    player = randomness.choice([player for player in game.seats if game.may_move(player)])
    roll = randomness.randint(1, game.last_throw(player))
    dice = random_dice(game.rules, randomness)
    throws = random_throws(dice, roll, game.rules, randomness) if randomness.random() < 0.2 else UNSET
    if wins_instantly(game, player, dice, roll):
        if allowed.instant_wins and randomness.random() < 0.3:
            return judge(game, Turn(player=player, dice=dice, roll=roll))
        dice = (1, 2, *dice[2:])  # on the first throw there are no earlier ones
    may_claim = game.rules.most_turned > 0 and roll > 1 and throws is UNSET
    turn = Turn(
        player=player,
        dice=dice,
        roll=roll,
        throws=throws,
        served=True if may_claim and randomness.random() < 0.5 else None,
    )
    made = choices(game, player, dice, turn.finish(game.rules)[1])
    if made and randomness.random() < 0.85:
        return judge(game, replace(turn, category=randomness.choice(made).category))
    category = randomness.choice(game.allowed_categories(player, dice))
    if throws is not UNSET:
        return judge(
            game, Turn(player=player, category=category, dice=dice, roll=roll, throws=throws, is_scratch=True)
        )
    found = dice if randomness.random() < 0.5 else None
    return judge(game, Turn(player=player, category=category, dice=found, roll=roll, is_scratch=True))


def random_throws(dice: Dice, roll: int, rules: RuleSet, randomness: Random) -> Throws | UnsetType:
    """Return throws that may have led to the hand, generated backwards."""
    throws: list[Thrown] = []
    for _ in range(roll - 1):
        kept = tuple(randomness.sample(dice, randomness.randrange(rules.dice)))
        others = [randomness.randint(1, rules.faces) for _ in range(rules.dice - len(kept))]
        dice = tuple(randomness.sample([*kept, *others], rules.dice))
        throws.insert(0, Thrown(dice=dice, kept=kept))
    return tuple(throws) or UNSET


def random_amend(game: Game, randomness: Random, allowed: Limits) -> Amended | None:
    """Return a different entry for some turn, with all later turns still valid."""
    for _ in range(5):
        turn = randomness.randint(1, len(game.entries))
        category = randomness.choice([None, *game.rules.categories])
        dice = random_dice(game.rules, randomness)
        roll, scratched = randomness.randint(1, game.rules.throws + 1), randomness.random() < 0.3
        player = randomness.choice(game.seats) if allowed.changes and randomness.random() < 0.4 else None
        if player is not None and randomness.random() < 0.5:  # only the player
            old = game.entries[turn - 1]
            dice, roll, scratched = old.dice or dice, old.roll, old.scratched
            category = game.rules.category(old.category) if old.category is not None else None
        try:
            wanted = Turn(player=player, dice=dice, roll=roll, category=category, is_scratch=scratched)
            if scratched and category is None:
                was_in = completed(wanted, game.entries[turn - 1], game.rules).category
                wanted = replace(wanted, category=was_in)
            amended = amend(game, turn, wanted)
        except NotAllowed:
            continue
        if allowed.instant_wins or not (isinstance(amended.entry, Scored) and amended.entry.instant_win):
            return amended
    return None


def random_dice(rules: RuleSet, randomness: Random) -> Dice:
    """Return any hand, with far more figures than random throws."""
    face, other = randomness.sample(range(1, rules.faces + 1), 2)
    kinds: list[list[int]] = [
        [randomness.randint(1, rules.faces) for _ in range(rules.dice)],
        [face] * rules.dice,
        [face] * (rules.dice - 1) + [other],
        [face] * (rules.dice - 2) + [other] * 2,
        randomness.sample(range(1, rules.faces + 1), rules.dice),
    ]
    dice = randomness.choice(kinds)
    randomness.shuffle(dice)
    return tuple(dice)
