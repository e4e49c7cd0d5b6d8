"""A sheet that is written on, for those who enter many entries one after another.

`Game` never changes, which whoever decides and whoever draws can rely on. To make one for every entry of
a long game would cost more than all else about it; so entries are written here, and a `Game` is made of
it when somebody wants to look.
"""

from collections.abc import Iterable
from typing import assert_never

from generala_cli.game.events import Action, Amended, Entry, GameStarted, Scored, Scratched
from generala_cli.game.game import Box, Column, Game, new_game, spares_saved
from generala_cli.rules.dice import Dice


class _Page:
    """A column that is being written on."""

    __slots__ = ("boxes", "saved", "turns", "used")

    def __init__(self, column: Column) -> None:
        self.boxes = dict(column.boxes)
        self.turns = column.turns
        self.saved = column.saved
        self.used = column.used


class Ledger:
    """The entries of a game and what they add up to. Begins where a game stands, and leaves that as it is."""

    def __init__(self, game: Game) -> None:
        self.started = game.started
        self.rules = game.rules
        self.entries = list(game.entries)
        self._seats = game.seats
        self._columns = dict(game.columns)
        self._pages: dict[str, _Page] = {}
        self._winner = game.instant_winner
        self._after = {line.id: line.after for line in self.rules.categories if line.after is not None}

    def game(self) -> Game:
        """How the game stands."""
        for player, page in self._pages.items():
            self._columns[player] = Column(
                boxes=page.boxes, turns=page.turns, saved=page.saved, used=page.used
            )
        self._pages.clear()  # their boxes are the game's now
        return Game(
            started=self.started,
            seats=self._seats,
            columns=dict(self._columns),
            entries=tuple(self.entries),
            instant_winner=self._winner,
        )

    def enter(self, entry: Entry) -> None:
        """Write the next entry. Whether it may be is asked in `decisions`."""
        page = self._page(entry.player)
        self.entries.append(entry)
        if entry.category is not None:
            page.boxes[entry.category] = Box(
                turn=len(self.entries),
                points=entry.points if isinstance(entry, Scored) else 0,
                scratched=isinstance(entry, Scratched),
                roll=entry.roll,
                dice=entry.dice,
            )
        self._count(page, entry, 1)
        self._winner = _winner(entry)

    def take_back(self) -> None:
        """Rub the last entry out."""
        entry = self.entries.pop()
        page = self._page(entry.player)
        if entry.category is not None:
            del page.boxes[entry.category]
        self._count(page, entry, -1)
        self._winner = _winner(self.entries[-1]) if self.entries else None

    def allows(self, entry: Entry) -> bool:
        """Whether the entry is plainly what the rules lead to: a check without a reason, for the many.

        False means that `decisions` must be asked: who may win at once, say, is left to it. All entries
        before this one must have been allowed.
        """
        page = self._page(entry.player) if entry.player in self._columns else None
        return (
            page is not None
            and self._winner is None
            and page.turns == len(self.entries) // len(self._seats)
            and entry.category not in page.boxes
            and 1 <= entry.roll <= self.rules.throws + page.saved - page.used
            and not (entry.roll == 1 and self._may_win(entry.dice))
            and (self.rules.fill_order == "any" or self._is_due(page, entry))
            and (self._scores(page, entry) if isinstance(entry, Scored) else self._gives_up(entry))
        )

    def _scores(self, page: _Page, entry: Scored) -> bool:
        worth = self.rules.worths[entry.category, entry.dice, entry.roll == 1]
        if not worth or worth != entry.points or entry.instant_win:
            return False
        if entry.category not in self._after:
            return True
        box = page.boxes.get(self._after[entry.category])
        return box is not None and not box.scratched

    def _gives_up(self, entry: Scratched) -> bool:
        is_line = any(line.id == entry.category for line in self.rules.categories)
        return is_line and (entry.dice is None or self.rules.has_hand(entry.dice))

    def _may_win(self, dice: Dice | None) -> bool:
        return self.rules.instant_win is not None and dice is not None and len(set(dice)) == 1

    def _is_due(self, page: _Page, entry: Entry) -> bool:
        open_lines = (line.id for line in self.rules.categories if line.id not in page.boxes)
        return next(open_lines, None) == entry.category

    def _count(self, page: _Page, entry: Entry, times: int) -> None:
        page.turns += times
        if self.rules.has_spares:
            page.saved += times * spares_saved(self.rules, entry)
        if entry.roll > self.rules.throws:
            page.used += times * (entry.roll - self.rules.throws)

    def _page(self, player: str) -> _Page:
        page = self._pages.get(player)
        if page is None:
            page = self._pages[player] = _Page(self._columns[player])
        return page


def _winner(entry: Entry) -> str | None:
    return entry.player if isinstance(entry, Scored) and entry.instant_win else None


def evolve(game: Game, action: Action) -> Game:
    """The game after one more fact. Never refuses: whether it may happen is asked in `decisions`."""
    match action:
        case Scored() | Scratched():
            ledger = Ledger(game)
            ledger.enter(action)
            return ledger.game()
        case Amended(turn=turn, entry=entry):
            return after_entries(game.started, (*game.entries[: turn - 1], entry, *game.entries[turn:]))
        case _:
            assert_never(action)


def after_entries(started: GameStarted, entries: Iterable[Entry]) -> Game:
    """The game after these entries, from an empty sheet."""
    ledger = Ledger(new_game(started))
    for entry in entries:
        ledger.enter(entry)
    return ledger.game()
