"""The stores that are measured: a half-full sheet, ten thousand finished games, a game undone and redone."""

import shutil
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path

from generala_cli.game import decisions
from generala_cli.game.events import Event, GameStarted, Redone, Undone
from generala_cli.game.game import new_game
from generala_cli.game.history import History
from generala_cli.game.starting import start
from generala_cli.rules.catalog import built_in
from generala_cli.store.codec import encode
from generala_cli.store.record import Record

TIME = "2026-11-20T21:04:00Z"


def half_full(home: Path) -> None:
    """Eight players of general, five boxes each, and one more to undo."""
    _write(home, 1, _played(8, rounds=5, more=1))
    (home / "current").write_text("1\n")


def many_finished(home: Path, games: int) -> None:
    """The same, among finished games of four players with a backup each."""
    half_full(home)
    finished = _played(4, rounds=10)
    for number in range(2, games + 2):
        _write(home, number, finished)
        shutil.copy(_path(home, number), _path(home, number).with_suffix(".json.bak"))


def undone_and_redone(home: Path, times: int) -> None:
    """Fifty players, every box but the last round's, every entry undone and redone so many times."""
    events = _played(50, rounds=9)
    history = History(new_game(_started(50)))
    told: list[Event] = events[:1]
    for event in events[1:]:
        for one in (event, *_back_and_forth(len(told) + 1, times)):
            history.add(one)
            told.append(one)
    _write(home, 1, told)
    (home / "current").write_text("1\n")


def _back_and_forth(number: int, times: int) -> Sequence[Event]:
    return tuple(islice(cycle((Undone(number=number), Redone(number=number))), 2 * times))


def _started(players: int) -> GameStarted:
    names = [f"Player{number}" for number in range(1, players + 1)]
    return start(built_in("general"), names, openings={}, stake="0.01", unit="USD")


def _played(players: int, *, rounds: int, more: int = 0) -> list[Event]:
    started = _started(players)
    history = History(new_game(started))
    events: list[Event] = [started]
    for _ in range(players * rounds + more):
        player = history.game.to_move
        assert player is not None
        category = history.game.open_categories(player)[0]
        event = decisions.scratch(history.game, player=player, category=category, dice=None, roll=3)
        history.add(event)
        events.append(event)
    return events


def _write(home: Path, number: int, events: Sequence[Event]) -> None:
    path = _path(home, number)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode(Record(game=number, events=tuple(events), times=(TIME,) * len(events))))


def _path(home: Path, number: int) -> Path:
    return home / "games" / f"{number}.json"
