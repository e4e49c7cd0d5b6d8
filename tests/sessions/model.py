"""The game as simply as it can be told, to be compared with the program.

A table is a list of entries and two piles of older lists, what undo and what redo goes back to.
All else (sheet, totals, whose turn) is worked out from the list each time. The points are those of
`tests/rules/reference.py`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests.rules.reference import CATEGORIES, NUMBERS, THROWS, points, upper_bonus, wins_instantly

Dice = tuple[int, ...]
WINS_WITH_FULL_BOX = frozenset({"general", "generals"})
"""Where five alike on the first throw win even though the box of that name is filled or scratched."""
WINNING = ("generala", "general")
SAVES_THROWS = "golden-fifty"


class Refused(Exception):
    """The rules do not allow it."""


class Entry(NamedTuple):
    """One turn."""

    player: str
    category: str | None
    points: int
    scratched: bool
    roll: int
    dice: Dice | None
    wins: bool


class Typed(NamedTuple):
    """What somebody says that a turn was; None where nothing is said."""

    dice: Dice | None
    roll: int | None
    category: str | None
    scratch: bool


@dataclass
class Table:
    """One game."""

    rules: str
    players: tuple[str, ...]
    entries: list[Entry] = field(default_factory=list)
    back: list[list[Entry]] = field(default_factory=list)
    forth: list[list[Entry]] = field(default_factory=list)

    def enter(self, typed: Typed, player: str | None) -> None:
        """Write a hand or a scratch for a player, or for whoever is next."""
        self._do([*self.entries, self.decided(self.entries, typed, player or self.next(self.entries))])

    def amend(self, turn: int, typed: Typed) -> bool:
        """Say that a turn was another; whether it is."""
        if not 1 <= turn <= len(self.entries):
            raise Refused
        old = self.entries[turn - 1]
        scratch = typed.scratch or (typed.dice is None and old.scratched)
        whole = Typed(
            typed.dice or old.dice, typed.roll or old.roll, typed.category or old.category, scratch=scratch
        )
        if scratch and whole.category is None:
            raise Refused
        entries = [*self.entries[: turn - 1]]
        entries.append(self.decided(entries, whole, old.player))
        for later in self.entries[turn:]:
            same = Typed(later.dice, later.roll, later.category, later.scratched)
            if self.decided(entries, same, later.player) != later:
                raise Refused
            entries.append(later)
        if entries == self.entries:
            return False
        self._do(entries)
        return True

    def undo(self, count: int) -> None:
        """Take steps back."""
        self._step(self.back, self.forth, count)

    def redo(self, count: int) -> None:
        """Put steps back in place."""
        self._step(self.forth, self.back, count)

    def _do(self, entries: list[Entry]) -> None:
        self.back.append(self.entries)
        self.forth = []
        self.entries = entries

    def _step(self, source: list[list[Entry]], target: list[list[Entry]], count: int) -> None:
        if not 1 <= count <= len(source):
            raise Refused
        for _ in range(count):
            target.append(self.entries)
            self.entries = source.pop()

    def decided(self, before: Sequence[Entry], typed: Typed, player: str | None) -> Entry:
        """The entry that the rules make of what was typed."""
        if self.is_over(before) or player is None or self._turns(before, player) > self._round(before):
            raise Refused
        roll = typed.roll or THROWS[self.rules]
        if not 1 <= roll <= THROWS[self.rules] + self._spares(before, player):
            raise Refused
        wins = typed.dice is not None and self._wins(before, typed.dice, roll, player)
        is_open = self.open(before, player)
        if typed.scratch:
            if wins or typed.category not in is_open:
                raise Refused
            return Entry(player, typed.category, 0, scratched=True, roll=roll, dice=typed.dice, wins=False)
        assert typed.dice is not None
        category = (
            self._winning_box(is_open) if wins else typed.category or self._best(is_open, typed.dice, roll)
        )
        worth = 0 if category is None else points(self.rules, category, typed.dice, roll)
        if not wins and (category not in is_open or not worth):
            raise Refused
        return Entry(player, category, worth, scratched=False, roll=roll, dice=typed.dice, wins=wins)

    def _best(self, is_open: Iterable[str], dice: Dice, roll: int) -> str:
        worths = {category: points(self.rules, category, dice, roll) for category in is_open}
        best = [category for category, worth in worths.items() if worth and worth == max(worths.values())]
        if len(best) != 1:
            raise Refused
        return best[0]

    def _wins(self, before: Sequence[Entry], dice: Dice, roll: int, player: str) -> bool:
        """Elsewhere only a scratch of that box loses the win: rules.md, The instant win."""
        mine = (entry for entry in before if entry.player == player and entry.category in WINNING)
        lost = self.rules not in WINS_WITH_FULL_BOX and any(entry.scratched for entry in mine)
        return wins_instantly(self.rules, dice, roll) and not lost

    def _winning_box(self, is_open: Sequence[str]) -> str | None:
        return next((box for box in WINNING if box in is_open), None)

    def _spares(self, before: Sequence[Entry], player: str) -> int:
        """Throws saved for later, less those used, where the game has that."""
        mine = [entry for entry in before if entry.player == player]
        saving = [
            e for e in mine if not e.scratched and e.category not in NUMBERS and self.rules == SAVES_THROWS
        ]
        saved = sum(max(0, THROWS[self.rules] - entry.roll) for entry in saving)
        return saved - sum(max(0, entry.roll - THROWS[self.rules]) for entry in mine)

    def _turns(self, entries: Sequence[Entry], player: str) -> int:
        return sum(entry.player == player for entry in entries)

    def _round(self, entries: Sequence[Entry]) -> int:
        return min(self._turns(entries, player) for player in self.players)

    def open(self, entries: Sequence[Entry], player: str) -> list[str]:
        """The player's empty boxes."""
        filled = {entry.category for entry in entries if entry.player == player}
        return [category for category in CATEGORIES[self.rules] if category not in filled]

    def is_over(self, entries: Sequence[Entry]) -> bool:
        """Whether nothing can be entered any more."""
        won = bool(entries) and entries[-1].wins
        return won or not any(self.open(entries, player) for player in self.players)

    def next(self, entries: Sequence[Entry]) -> str | None:
        """Whose turn it is."""
        if self.is_over(entries):
            return None
        return min(self.players, key=lambda player: self._turns(entries, player))

    def _in_numbers(self, player: str) -> int:
        return sum(e.points for e in self.entries if e.player == player and e.category in NUMBERS)

    def sheet(self) -> dict[str, Any]:
        """The document of `generala sheet --json`, but for the number of the game."""
        boxes: dict[str, dict[str, Any]] = {
            player: dict.fromkeys(CATEGORIES[self.rules]) for player in self.players
        }
        for turn, entry in enumerate(self.entries, start=1):
            if entry.category is not None:
                dice = None if entry.dice is None else list(entry.dice)
                told = {"points": entry.points, "scratched": entry.scratched, "roll": entry.roll}
                boxes[entry.player][entry.category] = {**told, "dice": dice, "turn": turn}
        totals = {
            player: sum(e.points for e in self.entries if e.player == player)
            + upper_bonus(self.rules, self._in_numbers(player))
            for player in self.players
        }
        return {
            "rules": self.rules,
            "players": list(self.players),
            "categories": list(CATEGORIES[self.rules]),
            "over": self.is_over(self.entries),
            "next": self.next(self.entries),
            "boxes": boxes,
            "totals": totals,
        }
