"""A rule set: what a game is, as data, and what a hand is worth by it.

All that the program knows of a game is here, and nothing else turns dice into points.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from generala_cli.errors import NotAllowed, NotFound
from generala_cli.messages import LANGUAGES
from generala_cli.remedies import AddCategory
from generala_cli.rules.dice import (
    MOST_DICE,
    MOST_FACES,
    Dice,
    every_hand,
    example_hand,
    join_dice,
    most_alike,
)
from generala_cli.rules.patterns import Alike, AnyDice, Number, Pattern
from generala_cli.rules.throws import find_throw, throw_words
from generala_cli.text import find, normalize

MOST_THROWS, MOST_POINTS, MOST_LINES = 9, 100_000, 40

_MOST_SHORT = 8

Name = Annotated[str, Meta(min_length=1, max_length=40)]
ShortName = Annotated[str, Meta(min_length=1, max_length=_MOST_SHORT)]
Title = Annotated[str, Meta(min_length=1, max_length=100)]
LongText = Annotated[str, Meta(max_length=2000)]
Names = tuple[tuple[str, Name], ...] | UnsetType
"""By the code of a language, as `es`. UNSET leaves them out of a file: games begun before there were any stay
as they were written."""
ShortNames = tuple[tuple[str, ShortName], ...] | UnsetType
Titles = tuple[tuple[str, Title], ...] | UnsetType
Summaries = tuple[tuple[str, LongText], ...] | UnsetType
Points = Annotated[int, Meta(ge=1, le=MOST_POINTS)]
Throw = Annotated[int, Meta(ge=1, le=MOST_THROWS)]
FillOrder = Literal["any", "top-to-bottom", "bottom-to-top", "upper-first", "lower-first"]
InstantWinMode = Literal["never", "unless-scratched", "while-open", "always"]
JokerRule = Literal["forced", "own-box-first", "free", "no"]
Need = Literal["points", "five-alike"]
BoxState = Literal["open", "held", "scratched"]
"""Whether a box has nothing in it yet, holds points, or was scratched."""


class Category(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of the sheet.

    Attributes:
        id: its name in files and JSON, as `full-house`.
        name: its name at the table, as `full house`. names: the same in other languages.
        short: its name on a narrow sheet, as `full`. shorts: the same in other languages.
        aliases: whatever else people call it.
        asks: the patterns that a hand must make, all of them.
        points: what it scores; None where dice are summed: those of its number, or all.
        sums_what_makes_it: whether only the dice that make it are summed, as those of a pair.
        first: what it scores on the first throw, where that is something else.
        after: the id of a category that must hold points before this one may (double generala).
        needs: what must be there before: `points` in that category (as where it is UNSET), or `five-alike`, a
            hand that makes it, written for points in whichever box (guide: sources, "Double generala").
        saves_spares: whether points in fewer throws than allowed save the throws left over.
        in_play: whether the sheet has this line; a house may bring it in.
    """

    id: Name
    name: Name
    names: Names = UNSET
    short: ShortName | UnsetType = UNSET
    shorts: ShortNames = UNSET
    aliases: tuple[Name, ...] = ()
    asks: Annotated[tuple[Pattern, ...], Meta(min_length=1)]
    points: Points | None = None
    sums_what_makes_it: bool | UnsetType = UNSET
    first: Points | None = None
    after: Name | None = None
    needs: Need | UnsetType = UNSET
    saves_spares: bool = False
    in_play: bool = True

    @property
    def number(self) -> int | None:
        """The face of a number category; None for the others."""
        return next((pattern.face for pattern in self.asks if isinstance(pattern, Number)), None)

    @property
    def needs_five_alike(self) -> bool:
        """Whether it waits for five alike in any box, and not for points in one."""
        return self.after is not None and self.needs == "five-alike"

    @property
    def takes_any_dice(self) -> bool:
        """Whether every hand makes it (chance, choice)."""
        return all(isinstance(pattern, AnyDice) for pattern in self.asks)

    @property
    def answers_to(self) -> tuple[str, ...]:
        """All names of the category, in every language."""
        elsewhere = [name for names in (self.names, self.shorts) if names for _, name in names]
        return (self.id, self.name, *([self.short] if self.short else ()), *self.aliases, *elsewhere)

    def is_begun_by(self, start: str) -> bool:
        """Return whether its name in English, or in the language spoken, begins with these plain letters.

        A start in any language would be too many: `d` is no Dreier where nobody speaks German.
        """
        spoken = LANGUAGES.spoken.code
        names = (self.id, self.name, self.short, _in(spoken, self.names), _in(spoken, self.shorts))
        return any(name and normalize(name).startswith(start) for name in names)

    @property
    def key(self) -> str:
        """The shortest of all its names: what is quickest to type."""
        return min(self.answers_to, key=len)

    @property
    def typed(self) -> "NameToType":
        """The name to type for the category, as a value of a message."""
        return NameToType(self)

    def name_in(self, language: str) -> str:
        """Return its name in that language, or `name` where it has none."""
        return _in(language, self.names) or self.name

    def short_in(self, language: str) -> str:
        """Return its name in that language for a narrow sheet, which cuts it where it is too long."""
        name = _in(language, self.names)
        whole = name if len(name) <= _MOST_SHORT else ""
        return _in(language, self.shorts) or whole or self.short or self.name


class NameToType(Struct, frozen=True):
    """The name to type for a category: its id, `double-generala`, or in a language `doble-generala`."""

    category: Category

    def name_in(self, language: str) -> str:
        name = _in(language, self.category.names)
        return name.replace(" ", "-") if name else self.category.id

    def __str__(self) -> str:
        return self.category.id


class InstantWin(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rule that all dice alike on the first throw end the game, and `when` they do.

    `box` is the category where it is written, and on whose state it may depend (`wins_with`). `names` are
    those in other languages.
    """

    name: Name
    names: Names = UNSET
    box: Name
    when: InstantWinMode

    def name_in(self, language: str) -> str:
        return _in(language, self.names) or self.name


class UpperBonus(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"threshold": "from"}):
    """Points that the number categories earn once they hold `threshold` or more together."""

    threshold: Points
    points: Points

    def earned(self, numbers: int) -> int:
        """Return what number categories that hold so many points together earn: all of it, or 0."""
        return self.points if numbers >= self.threshold else 0


class Joker(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What all dice alike are once their own box is filled, be it with 0 (guide: sources, "Yahtzee").

    Attributes:
        rule: where such a hand, a joker, may go besides the boxes that it makes, and where it must.
            `forced`: into its number's box while that may be filled; else into a lower box, in which it pays
            in full whatever that asks; else a number's box is scratched. `own-box-first`: anywhere, and in
            full in a lower box once its number's box is filled. `free`: anywhere, in full in lower boxes.
            `no`: there are no jokers.
        extra: what the player gets beside the box, whichever that is, where the own box holds points.
    """

    rule: JokerRule = "forced"
    extra: Annotated[int, Meta(ge=0, le=MOST_POINTS)] = 0


class RuleSet(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True, rename={"lines": "category"}
):
    """A whole game: the dice, the throws, the lines of its sheet, and how it ends.

    Attributes:
        name: what `--rules` takes. title: what people call it. titles, summaries: in other languages.
        throws: in a turn, before any spares.
        lines: every category of the rule set, in sheet order, in play or not.
        instant_win_points: what each loser owes for an instant win; None is the difference (guide: sources,
            "Payouts").
        opening_throws: whether the lowest opening throw begins (guide: sources, "Who begins").
        clockwise: whether the others then follow in the order given.
        joker: what all alike are once their box is filled; UNSET, as in games begun before there was any: no
            more than before.
        scratches_save: whether a scratch in fewer throws than allowed saves those left over in a box that
            saves spares, as points do; UNSET, as in games begun before that could be said: it does not.
        throw_names: words for a throw that only this game has, as `gut` for 4; the files of older games
            repeat `served` and `servida` here.
        settings: the options that were changed, as typed, to be shown.
    """

    name: Name
    title: Title
    titles: Titles = UNSET
    summary: LongText = ""
    summaries: Summaries = UNSET
    source: Annotated[str, Meta(min_length=1, max_length=2000)]
    dice: Annotated[int, Meta(ge=1, le=MOST_DICE)]
    faces: Annotated[int, Meta(ge=2, le=MOST_FACES)]
    throws: Throw
    lines: tuple[Category, ...]
    fill_order: FillOrder = "any"
    opening_throws: bool = False
    clockwise: bool = False
    instant_win: InstantWin | None = None
    instant_win_points: Annotated[int, Meta(ge=0, le=MOST_POINTS)] | None = None
    upper_bonus: UpperBonus | None = None
    joker: Joker | UnsetType = UNSET
    scratches_save: bool | UnsetType = UNSET
    throw_names: tuple[tuple[str, Throw], ...] = ()
    settings: tuple[tuple[str, str], ...] = ()

    def name_in(self, language: str) -> str:
        """Return its title in that language, or `title` where it has none."""
        return _in(language, self.titles) or self.title

    def summary_in(self, language: str) -> str:
        """Return its summary in that language, or `summary` where it has none."""
        return _in(language, self.summaries) or self.summary

    @cached_property
    def categories(self) -> tuple[Category, ...]:
        """The lines in play: what the sheet shows."""
        return tuple(line for line in self.lines if line.in_play)

    @cached_property
    def numbers(self) -> tuple[Category, ...]:
        """The number categories in play."""
        return tuple(category for category in self.categories if category.number is not None)

    def due(self, empty: Sequence[Category]) -> tuple[Category, ...]:
        """Return those of a player's empty boxes that the fill order lets them fill now."""
        if self.fill_order == "any":
            return tuple(empty)
        ids = {category.id for category in empty}
        return tuple(category for category in empty if ids.isdisjoint(self.filled_before[category.id]))

    @cached_property
    def filled_before(self) -> Mapping[str, frozenset[str]]:
        """By the id of each category in play, the ids of those that must be filled before it."""
        ids = [category.id for category in self.categories]
        upper = {category.id for category in self.numbers}
        lower = {*ids} - upper
        found: dict[str, frozenset[str]] = {}
        for index, name in enumerate(ids):
            match self.fill_order:
                case "any":
                    before: Iterable[str] = ()
                case "top-to-bottom":
                    before = ids[:index]
                case "bottom-to-top":
                    before = ids[index + 1 :]
                case "upper-first":
                    before = () if name in upper else upper
                case "lower-first":
                    before = lower if name in upper else ()
            found[name] = frozenset(before)
        return found

    @property
    def most_in_numbers(self) -> int:
        """The most points that the number categories can hold together."""
        return self.dice * sum(category.number or 0 for category in self.numbers)

    def category(self, wanted: str) -> Category:
        """Return the category in play of that id; raises NotFound."""
        try:
            return self._by_id[wanted]
        except KeyError:
            raise NotFound("{game} has no category {wanted!r}", game=self, wanted=wanted) from None

    def find_category(self, wanted: str) -> Category:
        """Return the category in play with that name, alias, or unambiguous start of one.

        Raises as `text.find`, and NotAllowed where the category is out of play.
        """
        try:
            answers = {category.id: category.answers_to for category in self.categories}
            typed = {category.id: category.typed for category in self.categories}
            begun = self.categories_begun_by(wanted)
            if not begun and len(aliased := self._with_alias_begun_by(normalize(wanted))) > 1:
                begun = tuple(aliased)
            starts = [category.id for category in begun]
            return self.category(find(wanted, answers, "category", starts=starts, typed=typed))
        except NotFound as error:
            for line in self.lines:
                if not line.in_play and normalize(wanted) in map(normalize, line.answers_to):
                    raise NotAllowed(
                        "{category} is not played in this game",
                        AddCategory(line.id),
                        category=line,
                    ) from error
            raise

    def categories_begun_by(self, typed: str) -> tuple[Category, ...]:
        """Return the categories in play that a name stands for, or a start of one that is enough.

        The start of an alias, whose language nobody knows, only makes it doubtful which category is meant:
        `s` is not sixes where there is a straight big.
        """
        start = normalize(typed)
        whole = [category for category in self.categories if start in map(normalize, category.answers_to)]
        begun = [category for category in self.categories if start and category.is_begun_by(start)]
        if begun:
            begun += self._with_alias_begun_by(start)
        return tuple(category for category in self.categories if category in (*whole, *begun))

    def _with_alias_begun_by(self, start: str) -> Sequence[Category]:
        return [
            category
            for category in self.categories
            if start and any(normalize(alias).startswith(start) for alias in category.aliases)
        ]

    def find_throw(self, word: str, *, loaded_languages_only: bool = False) -> int | None:
        """Return the throw that a word of this game names (`gut`: 4), or one of any game (`first`: 1).

        Words of all languages are understood; with `loaded_languages_only` no catalogue is opened.
        """
        wanted = normalize(word)
        own = next((throw for name, throw in self.throw_names if normalize(name) == wanted), None)
        return find_throw(wanted, loaded_languages_only=loaded_languages_only) if own is None else own

    @property
    def throw_words(self) -> Mapping[int, Sequence[str]]:
        """Words for each throw: those of these rules, and those of the language that is spoken."""
        throws = sorted({*range(1, self.throws + 1), *(throw for _, throw in self.throw_names)})
        found = {throw: [name for name, at in self.throw_names if at == throw] for throw in throws}
        words = {throw: tuple(dict.fromkeys((*own, *throw_words(throw)))) for throw, own in found.items()}
        return {throw: named for throw, named in words.items() if named}

    @cached_property
    def _by_id(self) -> Mapping[str, Category]:
        return {line.id: line for line in reversed(self.categories)}

    def has_hand(self, dice: Dice) -> bool:
        """Return whether the dice are a hand of this game: as many as it has, with its faces."""
        return len(dice) == self.dice and min(dice) >= 1 and max(dice) <= self.faces

    @property
    def example(self) -> str:
        """A hand of this game, as it is typed in one word."""
        return join_dice(example_hand(self.dice, self.faces))

    @cached_property
    def has_spares(self) -> bool:
        """Whether throws can be saved for later turns."""
        return any(category.saves_spares for category in self.categories)

    @cached_property
    def has_throws_that_matter(self) -> bool:
        """Whether a hand may be worth something else on another throw."""
        has_instant_win = self.instant_win is not None and self.instant_win.when != "never"
        return has_instant_win or self.has_spares or any(line.first is not None for line in self.categories)

    @cached_property
    def joker_rule(self) -> JokerRule:
        """Where all alike may go once their own box is filled."""
        return self.joker.rule if self.joker else "no"

    @cached_property
    def extra_bonus(self) -> int:
        """What all alike earn beside their box, once the box for them holds points."""
        return self.joker.extra if self.joker else 0

    @property
    def has_bonus_beside(self) -> bool:
        """Whether anything is earned that stands in no box."""
        return self.upper_bonus is not None or self.extra_bonus > 0

    @cached_property
    def awaited_hand(self) -> Category | None:
        """The category of the hand that another one waits for, in whichever box; None where none does."""
        return next((self.category(c.after) for c in self.categories if c.after and c.needs_five_alike), None)

    @cached_property
    def all_alike_box(self) -> Category | None:
        """The category that asks for all dice alike and nothing else (generala, yacht)."""
        wanted = (Alike(count=self.dice),)
        return next((c for c in self.categories if c.asks == wanted and c.after is None), None)


def _in(language: str, texts: Names) -> str:
    return dict(texts).get(language, "") if texts else ""


def qualifies(rules: RuleSet, category: Category, dice: Dice) -> bool:
    """Return whether the hand is what the category asks for, whatever is on the sheet."""
    return all(pattern.matches(dice, rules.faces) for pattern in category.asks)


def worth(rules: RuleSet, category: Category, dice: Dice, roll: int, *, is_joker: bool = False) -> int:
    """Return the points of a hand finished on throw `roll`; 0 where it does not make the category.

    A joker that pays in full makes every lower box (`joker_pays`).
    """
    if not (is_joker and category.number is None) and not qualifies(rules, category, dice):
        return 0
    if category.points is None:
        face = category.number
        if category.sums_what_makes_it and qualifies(rules, category, dice):
            return max(sum(pattern.counted(dice)) for pattern in category.asks)
        return sum(dice) if face is None else face * dice.count(face)
    return category.first if roll == 1 and category.first is not None else category.points


def bonus(rules: RuleSet, category: Category, dice: Dice, roll: int) -> int:
    """Return how many of the hand's points it has because it was finished on that throw."""
    return worth(rules, category, dice, roll) - worth(rules, category, dice, rules.throws + 1)


def joker_may_fill(
    rules: RuleSet, category: Category, face: int, *, is_own_due: bool, is_lower_due: bool
) -> bool:
    """Return whether a joker of that face may go to a category, by a score or a scratch.

    Args:
        is_own_due, is_lower_due: whether its number's box, or any lower one, may be filled now.
    """
    if rules.joker_rule != "forced":
        return True
    if is_own_due:
        return category.number == face
    return category.number is None or not is_lower_due


def joker_pays(rules: RuleSet, *, is_own_filled: bool) -> bool:
    """Return whether a joker makes every lower box; its number's box may be filled or not."""
    match rules.joker_rule:
        case "forced" | "free":
            return True
        case "own-box-first":
            return is_own_filled
        case "no":
            return False


def can_win_instantly(rules: RuleSet, dice: Dice, roll: int) -> bool:
    """Return whether the hand ends the game at once while the box of the win is open."""
    return wins_with(rules, "open") and roll == 1 and most_alike(dice) == rules.dice


def wins_with(rules: RuleSet, box: BoxState) -> bool:
    """Return whether all alike on the first throw wins at once while the box of the win is in that state.

    Where a double of that box is in play, such a hand after a scored one is the double and no win: "not an
    automatic game-winner", on any throw, filled double or not (guide: sources, "The instant win").
    """
    win = rules.instant_win
    if win is None or win.when == "never":
        return False
    if win.when == "always" or box == "open":
        return True
    has_double = any(category.after == win.box for category in rules.categories)
    return win.when == "unless-scratched" and box == "held" and not has_double


def possible_points(rules: RuleSet, category: Category) -> set[int]:
    """Return all that a hand can ever score in the category, found by trying every hand."""
    hands = [hand for hand, _ in every_hand(rules.dice, rules.faces)]
    rolls = (1, rules.throws + 1)
    found = {worth(rules, category, hand, roll) for hand in hands for roll in rolls}
    if rules.joker_rule != "no" and category != rules.all_alike_box:
        jokers = [hand for hand in hands if most_alike(hand) == rules.dice]
        found |= {worth(rules, category, hand, roll, is_joker=True) for hand in jokers for roll in rolls}
    return found


def most_points(rules: RuleSet, category: Category) -> int:
    """Return the most points that any hand can ever score in the category."""
    return max(possible_points(rules, category))


def best_opening(rules: RuleSet, dice: Dice, roll: int) -> int:
    """Return the most points that the hand could score on an empty sheet."""
    return max(worth(rules, category, dice, roll) for category in rules.categories if category.after is None)
