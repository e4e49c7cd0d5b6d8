"""A rule set: what a game is, as data. Everything the program knows of a game is asked here."""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from generala_cli.errors import NotAllowed, NotFound
from generala_cli.facts import Fact
from generala_cli.rules.dice import Dice
from generala_cli.rules.names import find, plain
from generala_cli.rules.patterns import Alike, Number, Pattern

if TYPE_CHECKING:
    from generala_cli.rules.scoring import Worths

FillOrder = Literal["any", "top-to-bottom"]
InstantWinMode = Literal["never", "while-open", "always"]


class Category(Fact):
    """A line of the sheet.

    Attributes:
        id: its name in files and JSON, as `full-house`.
        name: its name at the table, as `full house`.
        aliases: everything else people call it.
        asks: the patterns that a hand must make, all of them.
        points: what it scores; None where the dice are summed (those of its number, or all).
        first: what it scores on the first throw, where that is something else.
        after: the id of a category that must hold points before this one may (double generala).
        saves_spares: a score in fewer throws than allowed saves the throws left over.
        in_play: whether the sheet has this line; a house may bring it in.
    """

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    asks: tuple[Pattern, ...]
    points: int | None = None
    first: int | None = None
    after: str | None = None
    saves_spares: bool = False
    in_play: bool = True

    @property
    def number(self) -> int | None:
        """The face of a number category; None for the others."""
        return next((pattern.face for pattern in self.asks if isinstance(pattern, Number)), None)

    @property
    def names(self) -> tuple[str, ...]:
        """Everything the category answers to."""
        return (self.id, self.name, *self.aliases)


class InstantWin(Fact):
    """All dice alike on the first throw ends the game, `when` the mode allows it.

    `box` is the category of its name: where it is written, and whose being open `while-open` asks for.
    """

    name: str
    box: str
    when: InstantWinMode


class UpperBonus(Fact):
    """Points for the number categories together, once they hold `threshold` or more."""

    threshold: int
    points: int

    def earned(self, numbers: int) -> int:
        """What number categories that hold so many points together earn: all of it, or 0."""
        return self.points if numbers >= self.threshold else 0


class RuleSet(Fact):
    """A whole game: the dice, the throws, the lines of its sheet, and how it ends.

    Attributes:
        name: what `--rules` takes.
        title: what people call it.
        source: where its rules come from.
        dice: how many dice; faces: of each of them.
        throws: in a turn, before any spares.
        lines: every category the rule set knows, in sheet order, in play or not.
        instant_win: None where the game knows none.
        instant_win_points: what each loser owes for an instant win; None: the difference (rules.md, Payouts).
        upper_bonus: None where the game knows none.
        opening_throws: the lowest opening throw begins (General, Generals).
        throw_names: words for a throw, as `servida` for 1.
        settings: the options that were changed from the file, as typed, for showing.
    """

    name: str
    title: str
    summary: str = ""
    source: str
    dice: int
    faces: int
    throws: int
    lines: tuple[Category, ...]
    fill_order: FillOrder = "any"
    opening_throws: bool = False
    instant_win: InstantWin | None = None
    instant_win_points: int | None = None
    upper_bonus: UpperBonus | None = None
    throw_names: tuple[tuple[str, int], ...] = ()
    settings: tuple[tuple[str, str], ...] = ()

    @cached_property
    def categories(self) -> tuple[Category, ...]:
        """The lines in play: what the sheet shows."""
        return tuple(line for line in self.lines if line.in_play)

    @cached_property
    def numbers(self) -> tuple[Category, ...]:
        """The number categories in play."""
        return tuple(category for category in self.categories if category.number is not None)

    @property
    def most_in_numbers(self) -> int:
        """The most that the number categories can hold together: every die shows the number, each time."""
        return self.dice * sum(category.number or 0 for category in self.numbers)

    def category(self, wanted: str) -> Category:
        """The category in play of that id.

        Raises:
            NotFound: the sheet has no such line.
        """
        try:
            return self._by_id[wanted]
        except KeyError:
            raise NotFound(f"{self.title} has no category {wanted!r}") from None

    def find_category(self, wanted: str) -> Category:
        """The category that someone means by a name, an alias, or an unambiguous start of one.

        Raises:
            Ambiguous, NotFound: as `names.find`. NotAllowed: the sheet of this game has no such line.
        """
        try:
            return self.category(find(wanted, {c.id: c.names for c in self.categories}, "category"))
        except NotFound as error:
            for line in self.lines:
                if not line.in_play and plain(wanted) in map(plain, line.names):
                    how = f"generala new --set {line.id}=yes brings it in"
                    raise NotAllowed(f"{line.name} is not played in this game", how) from error
            raise

    def find_throw(self, word: str) -> int | None:
        """The throw that a word names (`servida`: 1), or None."""
        wanted = plain(word)
        return next((throw for name, throw in self.throw_names if plain(name) == wanted), None)

    @cached_property
    def _by_id(self) -> Mapping[str, Category]:
        return {line.id: line for line in reversed(self.categories)}

    @cached_property
    def worths(self) -> "Worths":
        """What hands are worth in which category, each worked out once."""
        from generala_cli.rules.scoring import Worths

        return Worths(self)

    def has_hand(self, dice: Dice) -> bool:
        """Whether these are dice of this game, as many as it has."""
        return len(dice) == self.dice and min(dice) >= 1 and max(dice) <= self.faces

    @cached_property
    def has_spares(self) -> bool:
        """Whether throws can be saved for later turns."""
        return any(category.saves_spares for category in self.categories)

    @property
    def all_alike_box(self) -> Category | None:
        """The category that asks for all dice alike and for nothing else (generala, yacht)."""
        wanted = (Alike(count=self.dice),)
        return next((c for c in self.categories if c.asks == wanted and c.after is None), None)
