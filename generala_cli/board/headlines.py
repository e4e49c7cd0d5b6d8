"""The headline of a finished game, the same on every device and at each look."""

from collections.abc import Mapping
from typing import Literal

from msgspec import UNSET

from generala_cli.errors import FileError
from generala_cli.game.events import Amended
from generala_cli.game.seating import side_name
from generala_cli.game.standings import outcome
from generala_cli.messages import Message, lazy
from generala_cli.store.gamefile import GameFile
from generala_cli.store.store import Store, StoredGame
from generala_cli.text import find_same, safe

Fact = Literal[
    "at once",
    "shared",
    "early",
    "comeback",
    "by one",
    "streak",
    "last round",
    "narrow",
    "wide",
    "usual",
]
"""A fact about a game, the rarest first. The first true fact chooses the line."""

_LINES: Mapping[Fact, tuple[Message, ...]] = {
    "at once": (
        lazy("One hand ends it all: {winner}!"),
        lazy("No need to count: {winner} wins at once!"),
        lazy("{winner} throws, and the game is over!"),
        lazy("A hand worth the whole game: {winner}!"),
    ),
    "shared": (
        lazy("Too close to call: a shared win!"),
        lazy("Level to the last point!"),
        lazy("Nobody gives way: a shared win!"),
    ),
    "early": (
        lazy("Time's up, and {winner} is in front!"),
        lazy("An early end, and {winner} leads!"),
    ),
    "comeback": (
        lazy("What a comeback by {winner}!"),
        lazy("{winner} comes from {behind} points behind!"),
        lazy("Down, but not out: {winner} wins!"),
        lazy("{behind} points behind, and still: {winner}!"),
    ),
    "by one": (
        lazy("A single point decides: {winner} wins!"),
        lazy("One point! The win goes to {winner}!"),
        lazy("It cannot be closer: {winner}, by one point!"),
    ),
    "streak": (
        lazy("{winner} again: {wins} wins in a row!"),
        lazy("Who can stop {winner}? {wins} wins in a row!"),
        lazy("Win number {wins} in a row for {winner}!"),
    ),
    "last round": (
        lazy("The last round decides: {winner} wins!"),
        lazy("{winner} turns it around in the last round!"),
        lazy("Ahead just in time: {winner}!"),
    ),
    "narrow": (
        lazy("A photo finish: {winner} by {margin} points!"),
        lazy("So close! {winner} wins by {margin} points!"),
        lazy("{winner} by a whisker!"),
    ),
    "wide": (
        lazy("{winner} runs away with it!"),
        lazy("A clear win for {winner}!"),
        lazy("No contest: {winner} wins by {margin} points!"),
        lazy("{margin} points clear: {winner}!"),
    ),
    "usual": (
        lazy("Well played, {winner}!"),
        lazy("{winner} takes it!"),
        lazy("This one goes to {winner}!"),
        lazy("{winner} wins by {margin} points!"),
    ),
}
_NARROW, _WIDE, _COMEBACK = 0.03, 0.25, 0.1
"""Margins, and the gap of a comeback, as shares of the winner's total."""
_LEAST_COMEBACK = 10
_STREAK = 3
_LOOK_BACK = 200
"""How many earlier games to read for a streak."""


def headline(store: Store, stored: StoredGame) -> Message | None:
    """Return the headline of a finished game; None without a winner or a loser."""
    found = outcome(stored.game)
    if not found.winners or len(found.standings) == len(found.winners) == 1:
        return None
    winner, (first, second, *_) = found.winners[0], found.standings
    margin, has_points = max(0, first.score - second.score), first.game_points is not UNSET
    if has_points and not margin and len(found.winners) == 1:
        return None  # the total decided between equal game points
    behind = 0 if has_points else _points_behind(stored, winner, stored.game.rules.turns // 3)
    wins = _wins_in_a_row(store, stored.file, winner)
    facts: Mapping[Fact, bool] = {
        "at once": found.reason == "instant-win",
        "shared": len(found.winners) > 1,
        "early": stored.game.is_ended_early,
        "comeback": behind >= max(_LEAST_COMEBACK, _COMEBACK * first.total),
        "by one": margin == 1,
        "streak": wins >= _STREAK,
        "last round": not has_points and _points_behind(stored, winner, 1) > 0,
        "narrow": margin <= _NARROW * first.score,
        "wide": margin >= _WIDE * first.score,
    }
    lines = _LINES[next((fact for fact, is_true in facts.items() if is_true), "usual")]
    line = lines[int(stored.file.id, 16) % len(lines)]
    return line.with_values(winner=safe(winner), margin=margin, behind=behind, wins=wins)


def _points_behind(stored: StoredGame, name: str, rounds_left: int) -> int:
    """Return the gap to the leader with that many rounds left, at least one.

    It is 0 in a game with corrections, because the corrected totals were unknown then.
    """
    steps = stored.history.done
    played = stored.game.rules.turns - max(1, rounds_left)
    if any(isinstance(step.action, Amended) for step in steps):
        return 0
    then = next((step.after for step in steps if step.after.round >= played), stored.game)
    return next((each.behind for each in outcome(then).standings if each.name == name), 0)


def _wins_in_a_row(store: Store, file: GameFile, winner: str) -> int:
    wins = 1
    earlier = [number for number in store.numbers() if number < file.game][-_LOOK_BACK:]
    for _, found in store.each(store.summary, numbers=earlier[::-1]):
        if isinstance(found, FileError) or not found.has_result:
            continue
        own = find_same(winner, found.result.totals)
        if own is None or found.started > file.started:
            continue
        sides = (side_name(side) for side in found.agreed.sides if own in side)
        if not {own, *sides}.intersection(found.result.winners):
            break
        wins += 1
    return wins
