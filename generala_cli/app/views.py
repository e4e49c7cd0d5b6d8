"""What a player can look at: the sheet, the standings, the payouts, the log."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from generala_cli.errors import NotFound
from generala_cli.facts import Fact
from generala_cli.game import upper_bonus
from generala_cli.game.events import Action, Amended, Entry, Redone, Scored, Scratched, Undone
from generala_cli.game.game import Game, entry_of
from generala_cli.game.history import Step
from generala_cli.game.standings import Outcome, outcome
from generala_cli.game.starting import parse_stake, parse_unit
from generala_cli.store.record import Recorded, StoredGame
from generala_cli.store.store import Store

if TYPE_CHECKING:  # fractions and decimals are only for those who settle
    from generala_cli.game.payouts import Payout


class View(Fact):
    """A game to be shown: its number, its state and how it stands."""

    number: int
    game: Game
    outcome: Outcome


class Settled(Fact):
    """A game's payouts, and whether another stake, unit or method than the game's was asked for."""

    number: int
    game: Game
    outcome: Outcome
    payout: "Payout"
    tried: bool


class LogLine(Fact):
    """One fact of a game, for reading.

    Attributes:
        number: of the event. at: when it was entered (UTC).
        kind: scored, scratched, amended, undone or redone.
        turn: the turn that it wrote, corrected, took back or put back.
        entry: what was written, or is now written, or was taken back or put back.
        state: of what was written: "stands", "replaced" by a correction, or "undone"; "" for what only
            took back or put back.
        corrects: it is a correction, or takes one back or puts one back.
        upper_bonus: the points of upper bonus that the entry earned, or a correction lost, if below 0.
    """

    number: int
    at: str
    kind: str
    turn: int
    entry: Entry
    state: str
    corrects: bool
    upper_bonus: int = 0


class Log(Fact):
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
        Conflict: a sync program left another version of the game.
        GeneralaError: there is no such game or method, or the stake or unit cannot be read.
    """
    from generala_cli.game.payouts import settle

    shown = view(store, str(store.find_undisputed(reference)))
    agreed = shown.game.started
    payout = settle(
        shown.game,
        method=method or agreed.payout,
        stake=agreed.stake if stake is None else parse_stake(stake),
        unit=agreed.unit if unit is None else parse_unit(unit),
    )
    tried = (payout.stake, payout.unit, payout.method) != (agreed.stake, agreed.unit, agreed.payout)
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
    game = stored.history.game
    earned = upper_bonus.turns_that_earned(game.rules, game.entries)
    for turn, step in sorted(_standing(stored).items()):
        yield _line(facts[step.number], step.action, turn, "stands", earned.get(turn, 0))


def _standing(stored: StoredGame) -> dict[int, Step]:
    """The action that each turn is left with."""
    return {step.turn: step for step in stored.history.done}


def _facts(stored: StoredGame) -> Iterator[LogLine]:
    """Facts in order, following the same stack of steps as `History` does."""
    states = {step.number: "replaced" for step in stored.history.done}
    states |= {step.number: "stands" for step in _standing(stored).values()}
    actions: dict[int, tuple[Action, int]] = {}
    bonuses = upper_bonus.changes(stored.record.events)
    entries = 0
    for fact in stored.record.facts[1:]:
        match fact.event:
            case Undone(number=number) | Redone(number=number):
                action, turn = actions[number]
                change = 0 if isinstance(action, Amended) else 1
                entries += change if isinstance(fact.event, Redone) else -change
                yield _line(fact, action, turn, "", bonuses.get(number, 0))
            case Scored() | Scratched() | Amended() as action:
                entries += not isinstance(action, Amended)
                turn = action.turn if isinstance(action, Amended) else entries
                actions[fact.number] = action, turn
                state = states.get(fact.number, "undone")
                yield _line(fact, action, turn, state, bonuses.get(fact.number, 0))
            case _:
                raise AssertionError("a game starts once")


def _line(fact: Recorded, action: Action, turn: int, state: str, bonus: int) -> LogLine:
    return LogLine(
        number=fact.number,
        at=fact.at,
        kind=type(fact.event).__name__.lower(),
        turn=turn,
        entry=entry_of(action),
        state=state,
        corrects=isinstance(action, Amended),
        upper_bonus=bonus,
    )
