"""What a player can look at: the sheet, the standings, the payouts, the log."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generala_cli.app.playing import action_turn
from generala_cli.errors import NotFound
from generala_cli.game.events import Action, Amended, Entry, Redone, Scored, Scratched, Undone
from generala_cli.game.game import Game
from generala_cli.game.standings import Outcome, outcome
from generala_cli.game.starting import parse_stake, parse_unit
from generala_cli.store.record import Recorded
from generala_cli.store.store import Store, StoredGame

if TYPE_CHECKING:  # fractions and decimals are only for those who settle
    from generala_cli.game.payouts import Payout


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A game to be shown: its number, its state and how it stands."""

    number: int
    game: Game
    outcome: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A game's payouts, and whether another stake, unit or method than the game's was asked for."""

    number: int
    game: Game
    outcome: Outcome
    payout: "Payout"
    tried: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """One fact of a game, for reading.

    Attributes:
        number: of the event. at: when it was entered (UTC).
        kind: scored, scratched, amended, undone or redone.
        turn: the turn that it wrote, corrected, took back or put back.
        entry: what was written, or is now written, or was taken back or put back.
        stands: whether it is part of the game as it is now.
    """

    number: int
    at: str
    kind: str
    turn: int
    entry: Entry
    stands: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """A game's entries in order of turns, or every fact in order of time."""

    number: int
    game: Game
    everything: bool
    lines: tuple[LogLine, ...]


def view(store: Store, reference: str | None) -> View:
    """A game as it stands.

    Raises:
        GeneralaError: there is no such game, or it cannot be read.
    """
    stored = store.load(store.find(reference))
    game = stored.history.game
    return View(number=stored.number, game=game, outcome=outcome(game))


def glance(store: Store) -> View | None:
    """The current game; None where no game has ever been started.

    Raises:
        GeneralaError: there are games but none is current, or it cannot be read.
    """
    try:
        return view(store, None)
    except NotFound:
        if store.numbers():
            raise
        return None


def payouts(
    store: Store,
    reference: str | None,
    *,
    stake: str | None = None,
    unit: str | None = None,
    method: str | None = None,
) -> Settled:
    """Who owes whom, by the game's agreement or by another stake, unit or method.

    Raises:
        GeneralaError: there is no such game or method, or the stake or unit cannot be read.
    """
    from generala_cli.game.payouts import settle

    shown = view(store, reference)
    agreed = shown.game.started
    payout = settle(
        shown.game,
        method=method or agreed.payout,
        stake=agreed.stake if stake is None else parse_stake(stake),
        unit=agreed.unit if unit is None else parse_unit(unit),
    )
    tried = not (stake is None and unit is None and method is None)
    return Settled(number=shown.number, game=shown.game, outcome=shown.outcome, payout=payout, tried=tried)


def log(store: Store, reference: str | None, *, everything: bool = False) -> Log:
    """Every entry that stands, turn by turn; or every fact, undone and corrected ones too.

    Raises:
        GeneralaError: there is no such game, or it cannot be read.
    """
    stored = store.load(store.find(reference))
    lines = _facts(stored) if everything else _turns(stored)
    return Log(number=stored.number, game=stored.history.game, everything=everything, lines=tuple(lines))


def _turns(stored: StoredGame) -> Iterator[LogLine]:
    """The fact behind each turn: the entry, or its last correction."""
    facts = {fact.number: fact for fact in stored.record.facts}
    last = {action_turn(step): step for step in stored.history.done}
    for turn in sorted(last):
        yield _line(facts[last[turn].number], last[turn].action, turn, stands=True)


def _facts(stored: StoredGame) -> Iterator[LogLine]:
    """Facts in order, following the same stack of steps as `History` does."""
    standing = {step.number for step in stored.history.done}
    steps: dict[int, tuple[Action, int]] = {}
    entries = 0
    for fact in stored.record.facts[1:]:
        match fact.event:
            case Undone(number=number):
                action, turn = steps[number]
                entries -= not isinstance(action, Amended)
                yield _line(fact, action, turn, stands=True)
            case Redone(number=number):
                action, turn = steps[number]
                entries += not isinstance(action, Amended)
                yield _line(fact, action, turn, stands=True)
            case Amended() as action:
                steps[fact.number] = action, action.turn
                yield _line(fact, action, action.turn, stands=fact.number in standing)
            case Scored() | Scratched() as action:
                entries += 1
                steps[fact.number] = action, entries
                yield _line(fact, action, entries, stands=fact.number in standing)
            case _:
                raise AssertionError("a game starts once")


def _line(fact: Recorded, action: Action, turn: int, *, stands: bool) -> LogLine:
    entry = action.entry if isinstance(action, Amended) else action
    kind = type(fact.event).__name__.lower()
    return LogLine(number=fact.number, at=fact.at, kind=kind, turn=turn, entry=entry, stands=stands)
