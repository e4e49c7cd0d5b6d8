"""The stores that are measured: a half-full sheet, ten thousand finished games, a game undone and redone."""

import shutil
import time
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count, cycle, islice, repeat
from pathlib import Path
from random import Random

from generala_cli.game import decisions
from generala_cli.game.events import Entry, Event, GameStarted, Redone, Scored, Scratched, Undone
from generala_cli.game.game import Game, new_game
from generala_cli.game.history import History
from generala_cli.game.ledger import Ledger
from generala_cli.game.replaying import replay
from generala_cli.game.standings import winners
from generala_cli.game.starting import start
from generala_cli.rules.catalog import built_in
from generala_cli.rules.ruleset import RuleSet
from generala_cli.store.codec import encode
from generala_cli.store.record import Record

PLAYERS = [
    f"{name} {letter}" for name in ("Ana", "Beto", "Cora", "Dani", "Eva", "Fede") for letter in "ABCDEFGH"
]
RULES = ("general", "generala", "generals")
"""Sheets of ten boxes."""
_rules = cache(built_in)

TIME = "2026-11-20T21:04:00Z"


def half_full(home: Path) -> None:
    """Eight players of general, five boxes each, and one more to undo."""
    _write(home, 1, _played(8, rounds=5, more=1))
    (home / "current").write_text("1\n")


def many_finished(home: Path, games: int) -> None:
    """The same, among finished games of three players with a backup each: no two of them alike."""
    half_full(home)
    randomness = Random(games)
    for number in range(2, games + 2):
        _write(home, number, _thrown(randomness), at=_evening(randomness))
        shutil.copy(_path(home, number), _path(home, number).with_suffix(".json.bak"))


def _thrown(randomness: Random) -> list[Event]:
    """A whole game of ten rounds with random hands: each goes to a random open box, for what it is worth."""
    players = randomness.sample(PLAYERS, 3)
    started = start(_rules(randomness.choice(RULES)), players, openings={}, stake="0.01", unit="USD")
    ledger = Ledger(new_game(started))
    for turn in range(3 * len(started.rules.categories)):
        ledger.enter(_entry(started.rules, ledger.game(), players[turn % 3], randomness))
    return [started, *ledger.entries]


def _entry(rules: RuleSet, game: Game, player: str, randomness: Random) -> Entry:
    dice = tuple(randomness.choices(range(1, rules.faces + 1), k=rules.dice))
    roll = randomness.randint(1 if len(set(dice)) > 1 else 2, rules.throws)
    made = decisions.choices(game, player, dice, roll)
    if not made:
        box = randomness.choice(game.fillable_categories(player))
        return Scratched(player=player, category=box.id, dice=dice, roll=roll)
    box = randomness.choice(made).category
    points = rules.worths[box.id, dice, roll == 1]
    return Scored(player=player, dice=dice, roll=roll, category=box.id, points=points)


def _evening(randomness: Random, seconds: int = 60) -> Iterator[str]:
    """A time every so many seconds, from some evening on."""
    moment = randomness.randrange(1_600_000_000, 1_900_000_000)
    for passed in count(0, seconds):
        yield time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment + passed))


def undone_and_redone(home: Path, times: int) -> None:
    """Fifty players, every box but the last round's, every entry undone and redone so many times."""
    events = _played(50, rounds=9)
    history = History(new_game(_started(50)))
    told: list[Event] = events[:1]
    for event in events[1:]:
        for one in (event, *_back_and_forth(len(told) + 1, times)):
            history.add(one)
            told.append(one)
    _write(home, 1, told, at=_evening(Random(times), seconds=3))
    (home / "current").write_text("1\n")


def _back_and_forth(number: int, times: int) -> Sequence[Event]:
    return tuple(islice(cycle((Undone(number=number), Redone(number=number))), 2 * times))


def _started(players: int) -> GameStarted:
    names = [f"Player{number}" for number in range(1, players + 1)]
    return start(_rules("general"), names, openings={}, stake="0.01", unit="USD")


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


def _write(home: Path, number: int, events: Sequence[Event], at: Iterator[str] | None = None) -> None:
    times = tuple(islice(at or repeat(TIME), len(events)))
    won = winners(replay(events).game)
    path = _path(home, number)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode(Record(game=number, events=tuple(events), times=times, winners=won)))


def _path(home: Path, number: int) -> Path:
    return home / "games" / f"{number}.json"
