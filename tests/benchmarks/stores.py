"""The stores that are measured: a half-full sheet, ten thousand finished games, a game undone and redone."""

import shutil
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count, cycle, islice, repeat
from pathlib import Path
from random import Random

from generala_cli.game import decisions
from generala_cli.game.events import Agreed, Entry, Event, Redone, Scored, Scratched, Undone
from generala_cli.game.game import Game, evolve, new_game
from generala_cli.game.history import History
from generala_cli.game.starting import start
from generala_cli.game.turn import Turn
from generala_cli.rules.catalog import built_in
from generala_cli.rules.ruleset import RuleSet, worth
from generala_cli.store.folder import Folder
from generala_cli.store.gamefile import GameFile, Recorded, result_of
from generala_cli.store.sealing import encode
from generala_cli.store.subjects import file_name

PLAYERS = [
    f"{name} {letter}" for name in ("Ana", "Beto", "Cora", "Dani", "Eva", "Fede") for letter in "ABCDEFGH"
]
RULES = ("general", "generala", "generals")
"""Sheets of ten boxes."""
_rules = cache(built_in)

TIME = datetime(2026, 11, 20, 21, 4, tzinfo=UTC)


def half_full(home: Path) -> None:
    """Eight players of general, five boxes each, and one more to undo."""
    _write(home, 1, *_played(8, rounds=5, more=1))
    (home / "current").write_text("1\n")


def many_finished(home: Path, games: int) -> None:
    """The same, among finished games of three players with a backup each: no two of them alike."""
    half_full(home)
    randomness = Random(games)
    for number in range(2, games + 2):
        _write(home, number, *_thrown(randomness), at=_evening(randomness))
        shutil.copy(_path(home, number), _path(home, number).with_suffix(".json.bak"))


def _thrown(randomness: Random) -> tuple[Agreed, list[Event]]:
    """Return a full game of ten rounds with random hands. Each goes to a random open box for its points."""
    players = randomness.sample(PLAYERS, 3)
    agreed = start(_rules(randomness.choice(RULES)), players, openings={}, stake="0.01", unit="USD")
    game = new_game(agreed)
    for turn in range(3 * agreed.rules.turns):
        game = evolve(game, _entry(agreed.rules, game, players[turn % 3], randomness))
    return agreed, [*game.entries]


def _entry(rules: RuleSet, game: Game, player: str, randomness: Random) -> Entry:
    dice = tuple(randomness.choices(range(1, rules.faces + 1), k=rules.dice))
    roll = randomness.randint(1 if len(set(dice)) > 1 else 2, rules.throws)
    made = decisions.choices(game, player, dice, roll)
    if not made:
        box = randomness.choice(game.fillable_categories(player))
        return Scratched(player=player, category=box.id, dice=dice, roll=roll)
    box = randomness.choice(made).category
    points = worth(rules, box, dice, roll)
    return Scored(player=player, dice=dice, roll=roll, category=box.id, points=points)


def _evening(randomness: Random, seconds: int = 60) -> Iterator[datetime]:
    """Yield a time at regular intervals, starting on some evening."""
    begun = datetime.fromtimestamp(randomness.randrange(1_600_000_000, 1_900_000_000), UTC)
    return (begun + timedelta(seconds=passed) for passed in count(0, seconds))


def undone_and_redone(home: Path, times: int) -> None:
    """Fifty players, every box except in the last round, every entry undone and redone several times."""
    agreed, events = _played(50, rounds=9)
    with_repeats: list[Event] = []
    for event in events:
        with_repeats += (event, *_back_and_forth(len(with_repeats) + 1, times))
    _write(home, 1, agreed, with_repeats, at=_evening(Random(times), seconds=3))
    (home / "current").write_text("1\n")


def _back_and_forth(number: int, times: int) -> Sequence[Event]:
    return tuple(islice(cycle((Undone(number=number), Redone(number=number))), 2 * times))


def _agreed(players: int) -> Agreed:
    names = [f"Player{number}" for number in range(1, players + 1)]
    return start(_rules("general"), names, openings={}, stake="0.01", unit="USD")


def _played(players: int, *, rounds: int, more: int = 0) -> tuple[Agreed, list[Event]]:
    agreed = _agreed(players)
    game = new_game(agreed)
    for _ in range(players * rounds + more):
        player = game.to_move
        assert player is not None
        category = game.open_categories(player)[0]
        game = evolve(
            game, decisions.judge(game, Turn(player=player, category=category, roll=3, is_scratch=True))
        )
    return agreed, [*game.entries]


def _write(
    home: Path, number: int, agreed: Agreed, events: Sequence[Event], at: Iterator[datetime] | None = None
) -> None:
    times = at or repeat(TIME)
    history = History(agreed)
    for event in events:
        history.add(event)
    file = GameFile(
        id=f"{number:032x}",
        game=number,
        started=next(times),
        result=result_of(history.game),
        agreed=agreed,
        events=tuple(Recorded(n=n, at=next(times), event=event) for n, event in enumerate(events, start=1)),
    )
    path = _path(home, number)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode(file))


def _path(home: Path, number: int) -> Path:
    return Folder(home).path(file_name(number))
