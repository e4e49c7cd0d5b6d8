"""What a player can look at beyond the game itself: the payouts, the log."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from generala_cli.errors import NotFound
from generala_cli.game.events import Amended
from generala_cli.game.game import Game, positions, upper_bonus_change
from generala_cli.game.history import History, Step
from generala_cli.game.payouts import Payout, settle
from generala_cli.game.starting import parse_stake, parse_unit
from generala_cli.store.gamefile import Recorded
from generala_cli.store.store import Store, StoredGame


class Settled(Struct, frozen=True, kw_only=True):
    """A game's payouts, and whether another stake, unit or method than the game's was asked for."""

    number: int
    game: Game
    payout: Payout
    tried: bool


class LogLine(Struct, frozen=True, kw_only=True):
    """One fact of a game, for reading.

    Attributes:
        recorded: the event, its number, and when it was entered (UTC).
        step: what it wrote, corrected, took back or put back.
        state: of what was written: "stands", "replaced" by a correction, or "undone"; "" for what only
            took back or put back.
        upper_bonus: the points of upper bonus that the entry earned, or a correction lost, if below 0.
    """

    recorded: Recorded
    step: Step
    state: str
    upper_bonus: int

    @property
    def kind(self) -> str:
        """What it is: scored, scratched, amended, undone or redone."""
        return type(self.recorded.event).__name__.lower()

    @property
    def corrects(self) -> bool:
        """Whether it is a correction, or takes one back or puts one back."""
        return isinstance(self.step.action, Amended)


class Log(Struct, frozen=True, kw_only=True):
    """A game's entries in order of turns, or every fact in order of time."""

    number: int
    game: Game
    everything: bool
    lines: tuple[LogLine, ...]


def glance(store: Store) -> StoredGame | None:
    """The game that is meant; None where none is named and no game has ever been started."""
    try:
        return store.open(None)
    except NotFound:
        if store.named is not None or store.numbers():
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
    """Who owes whom, by the game's agreement or by another stake, unit or method."""
    stored = store.open_undisputed(reference)
    agreed = stored.game.agreed
    payout = settle(
        stored.game,
        method=method or agreed.payout,
        stake=agreed.stake if stake is None else parse_stake(stake),
        unit=agreed.unit if unit is None else parse_unit(unit),
    )
    tried = (payout.stake, payout.unit, payout.method) != (agreed.stake, agreed.unit, agreed.payout)
    return Settled(number=stored.number, game=stored.game, payout=payout, tried=tried)


def log(store: Store, reference: str | None, *, everything: bool = False) -> Log:
    """Every entry that stands, turn by turn; or every fact, undone and corrected ones too."""
    stored = store.open(reference)
    standing = {step.turn: step for step in stored.history.done}
    lines = (_facts if everything else _turns)(stored, standing)
    return Log(number=stored.number, game=stored.game, everything=everything, lines=tuple(lines))


def _turns(stored: StoredGame, standing: Mapping[int, Step]) -> Iterator[LogLine]:
    """The fact that each turn is left with: the entry, or its last correction."""
    game = stored.game
    states = list(positions(game.agreed, game.entries))
    for turn, step in sorted(standing.items()):
        earned = upper_bonus_change(*states[turn - 1 : turn + 1])
        recorded = stored.file.events[step.number - 1]
        yield LogLine(recorded=recorded, step=step, state="stands", upper_bonus=earned)


def _facts(stored: StoredGame, standing: Mapping[int, Step]) -> Iterator[LogLine]:
    """Every event in order, with the step that it took, took back or put back."""
    states = {step.number: "replaced" for step in stored.history.done}
    states |= {step.number: "stands" for step in standing.values()}
    history = History(stored.game.agreed)
    for recorded in stored.file.events:
        step = history.add(recorded.event)
        state = states.get(step.number, "undone") if step.number == recorded.n else ""
        yield LogLine(recorded=recorded, step=step, state=state, upper_bonus=step.upper_bonus)
