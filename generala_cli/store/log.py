from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.game.events import Amended, Entry, Joined, Left, Renamed, TableChange
from generala_cli.game.game import BonusChange, bonus_change, evolve, positions
from generala_cli.game.history import History, Step
from generala_cli.store.gamefile import Recorded
from generala_cli.store.store import StoredGame


class LogLine(Struct, frozen=True, kw_only=True):
    """A line of the log: an event and its effect, under current names."""

    recorded: Recorded
    step: Step  # that the event made, undid or redid
    turn: int | None  # None for a change at the table
    entry: Entry | None
    change: TableChange | None
    state: str  # "" for an undo or redo
    bonuses: BonusChange

    @property
    def kind(self) -> str:
        return type(self.recorded.event).__name__.lower()

    @property
    def corrects(self) -> bool:
        return isinstance(self.step.action, Amended)


def _standing(stored: StoredGame) -> Mapping[int, Step]:
    standing: dict[int, Step] = {}
    for step in stored.history.done:
        standing |= dict.fromkeys(filter(None, (step.turn, step.exchanged)), step)
    return standing


def standing_lines(stored: StoredGame) -> Iterator[LogLine]:
    """Yield each turn with its entry or last correction, and changes at the table in between."""
    standing = _standing(stored)
    game, now = stored.game, _names(stored)
    changes = [step for step in reversed(stored.history.done) if step.turn is None]
    for turn, before in enumerate(positions(game), start=1):
        while changes and len(changes[-1].before.entries) < turn:
            change = changes.pop()
            yield _line(stored.file.events[change.number - 1], stored.history, change, "stands", now)
        if turn in standing:
            entry, step = game.entries[turn - 1], standing[turn]
            line = _line(stored.file.events[step.number - 1], stored.history, step, "stands", now)
            earned = bonus_change(before, evolve(before, entry))
            yield replace(line, turn=turn, entry=entry, bonuses=earned)


def all_lines(stored: StoredGame) -> Iterator[LogLine]:
    states = {step.number: "stands" if step.turn is None else "replaced" for step in stored.history.done}
    states |= {step.number: "stands" for step in _standing(stored).values()}
    history, now = History(stored.file.agreed), _names(stored)
    for recorded in stored.file.events:
        if (step := history.add(recorded.event)) is None:
            continue
        state = states.get(step.number, "undone") if step.number == recorded.n else ""
        yield _line(recorded, history, step, state, now)


def undone_steps(stored: StoredGame) -> list[Step]:
    return [line.step for line in all_lines(stored) if line.state == "undone"]


def _line(recorded: Recorded, history: History, step: Step, state: str, now: Mapping[int, str]) -> LogLine:
    entry, change = step.entry, step.change
    if now and entry is not None:
        entry = replace(entry, player=_called(history, step, entry.player, now))
    if now and isinstance(change, Joined | Left):
        change = replace(change, player=_called(history, step, change.player, now))
    return LogLine(
        recorded=recorded,
        step=step,
        turn=step.turn,
        entry=entry,
        change=change,
        state=state,
        bonuses=step.bonuses,
    )


def _names(stored: StoredGame) -> Mapping[int, str]:
    if not any(isinstance(recorded.event, Renamed) for recorded in stored.file.events):
        return {}
    return dict(zip(seat_origins(stored.history), stored.game.seats, strict=True))


def _called(history: History, step: Step, player: str, now: Mapping[int, str]) -> str:
    seats = (*seat_origins(history, step.number), step.number)
    return now.get(dict(zip(step.after.seats, seats, strict=False))[player], player)


def seat_origins(history: History, before: int | None = None) -> Iterator[int]:
    """Yield the number of the event that added each seat; 0, -1, -2 and so on for the first players."""
    yield from range(0, -len(history.agreed.players), -1)
    for step in history.done:
        if (before is None or step.number < before) and len(step.after.seats) > len(step.before.seats):
            yield step.number
