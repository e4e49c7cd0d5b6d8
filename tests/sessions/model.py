"""The simplest model of a game, to compare with the program.

A table is a list of facts (arrivals, entries, departures, stakes) and two stacks of older lists for undo and
redo. Everything else (players, sheet, totals, the next player) is computed from the list each time. A
renamed player is renamed in every fact. `tests/rules/reference.py` computes the points.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from tests.rules.reference import CATEGORIES, NUMBERS, THROWS, points, upper_bonus, wins_instantly

Dice = tuple[int, ...]
WINS_WITH_FULL_BOX = frozenset({"general", "generals"})
"""Rule sets in which five alike on the first throw win even if that box is full or scratched."""
WINNING = ("generala", "general")
FOR_ANY_DICE = ("chance", "choice")
"""Never spent unasked while another box could take the dice."""
SAVES_THROWS = ("golden-fifty", "maxi-yatzy")


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


class Came(NamedTuple):
    """A player joins."""

    player: str


class Went(NamedTuple):
    """A player leaves."""

    player: str


class PlayedFor(NamedTuple):
    """A stake and its unit."""

    stake: str
    unit: str
    method: str


FOR_POINTS = PlayedFor("1", "point", "difference")
Fact = Entry | Came | Went | PlayedFor


class Typed(NamedTuple):
    """A correction of a turn. None leaves a value unchanged."""

    dice: Dice | None
    roll: int | None
    category: str | None
    scratch: bool


class Table:
    """One game."""

    def __init__(self, rules: str, players: Sequence[str], played_for: PlayedFor = FOR_POINTS) -> None:
        self.rules = rules
        self.facts: list[Fact] = [played_for, *map(Came, players)]
        self.back: list[list[Fact]] = []
        self.forth: list[list[Fact]] = []

    @property
    def entries(self) -> list[Entry]:
        """The turns so far."""
        return _entries(self.facts)

    @property
    def players(self) -> tuple[str, ...]:
        """Return all players who ever joined, in the order of play."""
        return _players(self.facts)

    def again(self) -> "Table":
        """Return the game that a rematch starts with the remaining players."""
        if len(_there(self.facts)) < 2:
            raise Refused
        return Table(self.rules, _there(self.facts), self.played_for())

    def enter(self, typed: Typed, player: str | None) -> None:
        """Enter a hand or a scratch for a player, by default the next one."""
        self._do([*self.facts, self.decided(self.facts, typed, player or self.next(self.facts))])

    def rename(self, old: str, new: str) -> None:
        """Rename a player."""
        if old not in self.players or (new in self.players and new != old):
            raise Refused
        if new != old:
            self._do([_renamed(fact, old, new) for fact in self.facts])

    def leave(self, player: str) -> None:
        """Let a player leave."""
        if self.is_over(self.facts) or player not in _there(self.facts):
            raise Refused
        self._do([*self.facts, Went(player)])

    def join(self, player: str) -> None:
        """Let a player join late or come back."""
        if self.is_over(self.facts) or player in _there(self.facts):
            raise Refused
        self._do([*self.facts, Came(player)])

    def play_for(self, stake: str, unit: str | None, method: str | None) -> None:
        """Change the stake."""
        was = self.played_for()
        now = PlayedFor(stake, unit or was.unit, method or was.method)
        if now != was:
            self._do([*self.facts, now])

    def played_for(self) -> PlayedFor:
        """Return the current stake."""
        return [fact for fact in self.facts if isinstance(fact, PlayedFor)][-1]

    def amend(self, turn: int, typed: Typed, player: str | None = None) -> bool:
        """Correct a turn and return whether anything changed."""
        if not 1 <= turn <= len(self.entries):
            raise Refused
        old = self.entries[turn - 1]
        scratch = typed.scratch or (typed.dice is None and old.scratched)
        whole = Typed(
            typed.dice or old.dice, typed.roll or old.roll, typed.category or old.category, scratch=scratch
        )
        if scratch and whole.category is None:
            raise Refused
        wanted = self._whose(turn, player or old.player)
        facts: list[Fact] = []
        for fact in self.facts:
            if not isinstance(fact, Entry):
                if isinstance(fact, Came | Went) and len(_entries(facts)) and self.is_over(facts):
                    raise Refused
                facts.append(fact)
                continue
            expected = wanted[len(_entries(facts))]
            same = Typed(expected.dice, expected.roll, expected.category, expected.scratched)
            is_it = len(_entries(facts)) == turn - 1
            again = self.decided(facts, whole if is_it else same, expected.player)
            if again != expected and not is_it:
                raise Refused
            facts.append(again)
        if facts == self.facts:
            return False
        self._do(facts)
        return True

    def _whose(self, turn: int, player: str) -> list[Entry]:
        """Return the turns with this one given to a player, in exchange for their turn of the round."""
        entries = self.entries
        old = entries[turn - 1].player
        if player != old:
            round_ = [n for n, entry in enumerate(entries) if entry.player == old].index(turn - 1)
            theirs = [n for n, entry in enumerate(entries) if entry.player == player]
            for other in theirs[round_ : round_ + 1]:
                entries[other] = entries[other]._replace(player=old)
        entries[turn - 1] = entries[turn - 1]._replace(player=player)
        return entries

    def undo(self, count: int) -> None:
        """Undo steps."""
        self._step(self.back, self.forth, count)

    def redo(self, count: int) -> None:
        """Redo steps."""
        self._step(self.forth, self.back, count)

    def _do(self, facts: list[Fact]) -> None:
        self.back.append(self.facts)
        self.forth = []
        self.facts = facts

    def _step(self, source: list[list[Fact]], target: list[list[Fact]], count: int) -> None:
        if not 1 <= count <= len(source):
            raise Refused
        for _ in range(count):
            target.append(self.facts)
            self.facts = source.pop()

    def decided(self, before: Sequence[Fact], typed: Typed, player: str | None) -> Entry:
        """Return the entry for a typed line."""
        if self.is_over(before) or player not in _there(before):
            raise Refused
        if self._turns(before, player) > self._round(before):
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
        is_only_one = sum(map(bool, worths.values())) == 1
        if len(best) != 1 or (best[0] in FOR_ANY_DICE and not is_only_one):
            raise Refused
        return best[0]

    def _wins(self, before: Sequence[Fact], dice: Dice, roll: int, player: str) -> bool:
        """Return whether this wins at once. Usually a scratch of the box loses the win (guide: sources)."""
        mine = (e for e in _entries(before) if e.player == player and e.category in WINNING)
        lost = self.rules not in WINS_WITH_FULL_BOX and any(entry.scratched for entry in mine)
        return wins_instantly(self.rules, dice, roll) and not lost

    def _winning_box(self, is_open: Sequence[str]) -> str | None:
        return next((box for box in WINNING if box in is_open), None)

    def _spares(self, before: Sequence[Fact], player: str) -> int:
        """Return the saved throws that are left, if the game has them."""
        # All are lost when the player leaves.
        since = max((n for n, fact in enumerate(before) if fact == Went(player)), default=0)
        mine = [entry for entry in _entries(before[since:]) if entry.player == player]
        saving = mine if self.rules in SAVES_THROWS else []
        if self.rules == "golden-fifty":
            saving = [e for e in saving if not e.scratched and e.category not in NUMBERS]
        saved = sum(max(0, THROWS[self.rules] - entry.roll) for entry in saving)
        return saved - sum(max(0, entry.roll - THROWS[self.rules]) for entry in mine)

    def _turns(self, facts: Sequence[Fact], player: str) -> int:
        return sum(entry.player == player for entry in _entries(facts))

    def _round(self, facts: Sequence[Fact]) -> int:
        return min(self._turns(facts, player) for player in _there(facts))

    def open(self, facts: Sequence[Fact], player: str) -> list[str]:
        """The player's empty boxes."""
        filled = {entry.category for entry in _entries(facts) if entry.player == player}
        return [category for category in CATEGORIES[self.rules] if category not in filled]

    def is_over(self, facts: Sequence[Fact]) -> bool:
        """Return whether the game is over."""
        won = any(entry.wins for entry in _entries(facts))
        return won or not any(self.open(facts, player) for player in _there(facts))

    def next(self, facts: Sequence[Fact]) -> str | None:
        """Whose turn it is."""
        if self.is_over(facts):
            return None
        return min(_there(facts), key=lambda player: self._turns(facts, player))

    def _in_numbers(self, player: str) -> int:
        return sum(e.points for e in self.entries if e.player == player and e.category in NUMBERS)

    def sheet(self) -> dict[str, Any]:
        """Return the document of `generala sheet --json` without the number of the game."""
        boxes: dict[str, dict[str, Any]] = {
            player: dict.fromkeys(CATEGORIES[self.rules]) for player in self.players
        }
        for turn, entry in enumerate(self.entries, start=1):
            if entry.category is not None:
                dice = None if entry.dice is None else list(entry.dice)
                found = {"points": entry.points, "scratched": entry.scratched, "roll": entry.roll}
                boxes[entry.player][entry.category] = {**found, "dice": dice, "turn": turn}
        totals = {
            player: sum(e.points for e in self.entries if e.player == player)
            + upper_bonus(self.rules, self._in_numbers(player))
            for player in self.players
        }
        return {
            "rules": self.rules,
            "players": list(self.players),
            "left": [player for player in self.players if player not in _there(self.facts)],
            "categories": list(CATEGORIES[self.rules]),
            "over": self.is_over(self.facts),
            "next": self.next(self.facts),
            "boxes": boxes,
            "totals": totals,
        }


def _entries(facts: Sequence[Fact]) -> list[Entry]:
    return [fact for fact in facts if isinstance(fact, Entry)]


def _players(facts: Sequence[Fact]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(fact.player for fact in facts if isinstance(fact, Came)))


def _there(facts: Sequence[Fact]) -> list[str]:
    """Return the players who are at the table."""
    last = {fact.player: fact for fact in facts if isinstance(fact, Came | Went)}
    return [player for player in _players(facts) if isinstance(last[player], Came)]


def _renamed(fact: Fact, old: str, new: str) -> Fact:
    if isinstance(fact, PlayedFor) or fact.player != old:
        return fact
    return fact._replace(player=new)
