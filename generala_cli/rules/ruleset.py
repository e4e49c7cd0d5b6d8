"""A rule set: a game as data, and the points of a hand.

Everything the program knows about a game is here. No other module turns dice into points.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from generala_cli.errors import NotAllowed, NotFound
from generala_cli.file_versions import since
from generala_cli.messages import ARTICLES, LANGUAGES
from generala_cli.rules.dice import (
    MOST_DICE,
    MOST_FACES,
    Dice,
    every_hand,
    example_hand,
    join_dice,
    most_alike,
)
from generala_cli.rules.game_points import GamePoints
from generala_cli.rules.patterns import Alike, AnyDice, Number, Pattern
from generala_cli.rules.throws import DE_MANO, NOT_SERVED, throw_words, throws_by_name
from generala_cli.text import find, normalize, word_meanings

MOST_THROWS, MOST_POINTS, MOST_LINES, MOST_BOXES = 9, 100_000, 40, 9

TURNING_THROWS = 2
"""The throws of a turn in a game with turning."""
_MOST_SHORT = 8

Name = Annotated[str, Meta(min_length=1, max_length=40)]
ShortName = Annotated[str, Meta(min_length=1, max_length=_MOST_SHORT)]
Title = Annotated[str, Meta(min_length=1, max_length=100)]
LongText = Annotated[str, Meta(max_length=2000)]
Names = tuple[tuple[str, Name], ...] | UnsetType
"""Pairs of a language code (`es`) and a text. UNSET omits the key from a file (in older games)."""
ShortNames = tuple[tuple[str, ShortName], ...] | UnsetType
Titles = tuple[tuple[str, Title], ...] | UnsetType
Summaries = tuple[tuple[str, LongText], ...] | UnsetType
Points = Annotated[int, Meta(ge=1, le=MOST_POINTS)]
Throw = Annotated[int, Meta(ge=1, le=MOST_THROWS)]
Prices = Annotated[tuple[Points, ...], Meta(min_length=2, max_length=MOST_THROWS)]
FillOrder = Literal["any", "top-to-bottom", "bottom-to-top", "upper-first", "lower-first"]
InstantWinMode = Literal["never", "unless-scratched", "while-open", "always"]
JokerRule = Literal["forced", "own-box-first", "free", "no"]
Need = Literal["points", "five-alike"]
BoxState = Literal["open", "held", "scratched"]
Turning = Literal["none", "one", "one-or-two"]


class Category(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of the sheet.

    Attributes:
        id: the name in files and JSON (`full-house`).
        name: the name at the table (`full house`). short: on a narrow sheet. names, shorts: translations.
        shared_names: names that other categories of the game also have. The hand decides between them.
        asks: the patterns that a hand must match, all of them.
        boxes: the number of interchangeable boxes in its row, if more than one. A hand goes into the row.
        points: the fixed score, or None if dice are summed: those of its number, or all.
        added: points that a sum of dice earns in addition.
        sums_what_makes_it: whether only the matching dice are summed (the two dice of a pair).
        first: the score on the first throw, if it differs.
        by_throw: a score for each throw, if more than the first have their own; later throws pay the last.
        after: the id of a category that must hold points before this one may (double generala).
        needs: the condition on `after`: `points` in that category (the default), or `five-alike`, a hand that
            matches it, scored with points in any box (guide: sources, "Double generala").
        saves_spares: whether scoring in fewer throws than allowed saves the unused throws.
        in_play: whether the sheet has this line. A house rule may add it.
    """

    id: Name
    name: Name
    names: Names = UNSET
    short: ShortName | UnsetType = UNSET
    shorts: ShortNames = UNSET
    aliases: tuple[Name, ...] = ()
    shared_names: Annotated[tuple[Name, ...], since(5)] | UnsetType = UNSET
    asks: Annotated[tuple[Pattern, ...], Meta(min_length=1)]
    boxes: Annotated[int, Meta(ge=1, le=MOST_BOXES), since(5)] | UnsetType = UNSET
    points: Points | None = None
    added: Annotated[Points, since(5)] | UnsetType = UNSET
    sums_what_makes_it: bool | UnsetType = UNSET
    first: Points | None = None
    by_throw: Annotated[Prices, since(5)] | UnsetType = UNSET
    after: Name | None = None
    needs: Need | UnsetType = UNSET
    saves_spares: bool = False
    in_play: bool = True

    @property
    def number(self) -> int | None:
        """The face of a number category, otherwise None."""
        return next((pattern.face for pattern in self.asks if isinstance(pattern, Number)), None)

    @property
    def box_count(self) -> int:
        """The number of boxes in its row."""
        return self.boxes or 1

    @property
    def needs_five_alike(self) -> bool:
        return self.after is not None and self.needs == "five-alike"

    @property
    def takes_any_dice(self) -> bool:
        return all(isinstance(pattern, AnyDice) for pattern in self.asks)

    @property
    def answers_to(self) -> tuple[str, ...]:
        elsewhere = [name for names in (self.names, self.shorts) if names for _, name in names]
        own = (self.id, self.name, *([self.short] if self.short else ()))
        return (*own, *self.aliases, *elsewhere, *(self.shared_names or ()))

    @property
    def key(self) -> str:
        """The shortest name that only this category has, for a line in few keys."""
        return min(filter(self.is_own, self.answers_to), key=len)

    def is_own(self, name: str) -> bool:
        """Return whether no other category shares this name of the category."""
        return normalize(name) not in map(normalize, self.shared_names or ())

    @property
    def typed(self) -> "NameToType":
        """The name to type for the category, as a message value."""
        return NameToType(self)

    def name_in(self, language: str) -> str:
        return _in(language, self.names) or self.name

    def short_in(self, language: str) -> str:
        name = _in(language, self.names)
        whole = name if len(name) <= _MOST_SHORT else ""
        return _in(language, self.shorts) or whole or self.short or self.name


class CategoryName(Struct, frozen=True):
    """A normalized name of a category. `language` is empty if it counts in every language."""

    key: str
    category: Category
    language: str = ""
    is_alias: bool = False

    @property
    def has_prefixes(self) -> bool:
        """Whether a prefix is enough: not for an alias or for a name in a different language."""
        return not self.is_alias and self.language in ("", LANGUAGES.typed.code)


class NameToType(Struct, frozen=True):
    """The name to type for a category: the id (`double-generala`), or its translation (`doble-generala`)."""

    category: Category

    def name_in(self, language: str) -> str:
        category = self.category
        name = _in(language, category.names)
        if name and not category.is_own(name):  # all names of a category with shared ones are in its language
            name = next(filter(category.is_own, category.aliases), "")
        return name.replace(" ", "-") if name else category.id

    def __str__(self) -> str:
        return self.category.id


class InstantWin(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rule that all dice alike on the first throw win at once, scored in `box` (see `wins_with`)."""

    name: Name
    names: Names = UNSET
    box: Name
    when: InstantWinMode

    def name_in(self, language: str) -> str:
        return _in(language, self.names) or self.name


class UpperBonus(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"threshold": "from"}):
    """Points earned when the number categories together hold at least `threshold` points."""

    threshold: Points
    points: Points

    def earned(self, numbers: int) -> int:
        return self.points if numbers >= self.threshold else 0


class Joker(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rule for all dice alike after their own box is filled, even with 0 (guide: sources, "Yahtzee").

    Attributes:
        rule: the boxes that such a hand, a joker, may or must fill, besides those it matches.
            `forced`: the box of its number while that may be filled; otherwise a lower box, which pays in
            full; otherwise a number box is scratched. `own-box-first`: any box, and a lower box pays in full
            if the box of its number is filled. `free`: any box, and lower boxes pay in full. `no`: no jokers.
        extra: additional points, in any box, if the joker's own box holds points.
    """

    rule: JokerRule = "forced"
    extra: Annotated[int, Meta(ge=0, le=MOST_POINTS)] = 0


class RuleSet(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True, rename={"lines": "category"}
):
    """A complete game: dice, throws, the lines of the sheet, and the end of the game.

    Attributes:
        name: the value of `--rules`. title: the name for people. titles, summaries: translations.
        throws: the number of throws in a turn, without spares.
        turning: how many dice are turned over after a second throw of some dice (guide: sources, "Cacho").
            UNSET: no such rule.
        lines: all categories in sheet order, in play or not.
        instant_win_points: the points that each loser owes after an instant win; None means the difference
            (guide: sources, "Payouts").
        opening_throws: whether the lowest opening throw begins (guide: sources, "Who begins").
        clockwise: whether the others then follow in the order given.
        joker: the joker rule. UNSET (older games) means that there is none.
        game_points: the points that decide instead of the total. UNSET: the total decides.
        scratches_save: whether a scratch also saves the unused throws of a box that saves spares. UNSET: no.
        poker_dice: whether the faces may be typed as cards (see `rules.poker_dice`).
        throw_names: names of throws that only this game has (`gut` for 4). Older files repeat common names.
        settings: the changed options as typed, for display.
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
    turning: Annotated[Turning, since(6)] | UnsetType = UNSET
    lines: tuple[Category, ...]
    fill_order: FillOrder = "any"
    opening_throws: bool = False
    clockwise: bool = False
    instant_win: InstantWin | None = None
    instant_win_points: Annotated[int, Meta(ge=0, le=MOST_POINTS)] | None = None
    upper_bonus: UpperBonus | None = None
    joker: Joker | UnsetType = UNSET
    game_points: Annotated[GamePoints, since(5)] | UnsetType = UNSET
    scratches_save: bool | UnsetType = UNSET
    poker_dice: Annotated[bool, since(5)] | UnsetType = UNSET
    throw_names: tuple[tuple[str, Throw], ...] = ()
    settings: tuple[tuple[str, str], ...] = ()

    def name_in(self, language: str) -> str:
        return _in(language, self.titles) or self.title

    def summary_in(self, language: str) -> str:
        return _in(language, self.summaries) or self.summary

    @cached_property
    def categories(self) -> tuple[Category, ...]:
        return tuple(line for line in self.lines if line.in_play)

    @cached_property
    def turns(self) -> int:
        """The number of turns of each player, one for each box."""
        return sum(category.box_count for category in self.categories)

    @cached_property
    def has_rows(self) -> bool:
        """Whether a category has several boxes."""
        return self.turns > len(self.categories)

    @cached_property
    def price_throws(self) -> tuple[int, ...]:
        """Throws that show every price: each throw with a price of its own, and one after all of them."""
        longest = max((len(line.by_throw or ()) for line in self.lines), default=0)
        return (*range(1, max(2, longest)), max(self.throws + 1, longest))

    @cached_property
    def numbers(self) -> tuple[Category, ...]:
        return tuple(category for category in self.categories if category.number is not None)

    def due(self, empty: Sequence[Category]) -> tuple[Category, ...]:
        """Return the empty boxes that the fill order allows now."""
        if self.fill_order == "any":
            return tuple(empty)
        ids = {category.id for category in empty}
        return tuple(category for category in empty if ids.isdisjoint(self.filled_before[category.id]))

    @cached_property
    def filled_before(self) -> Mapping[str, frozenset[str]]:
        """For each category in play, the ids of the categories that must be filled first."""
        ids = [category.id for category in self.categories]
        upper = {category.id for category in self.numbers}
        lower = {*ids} - upper
        earlier: dict[str, frozenset[str]] = {}
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
            earlier[name] = frozenset(before)
        return earlier

    @property
    def most_in_numbers(self) -> int:
        return self.dice * sum((category.number or 0) * category.box_count for category in self.numbers)

    def category(self, wanted: str) -> Category:
        """Return the category in play with that id, or raise NotFound."""
        try:
            return self._by_id[wanted]
        except KeyError:
            raise NotFound("{game} has no category {wanted!r}", game=self, wanted=wanted) from None

    def find_category(self, wanted: str) -> Category:
        """Return the category in play with that name, alias or unique prefix; NotAllowed if out of play."""
        key = normalize(wanted)
        prefixed = [name for name in self.category_names if key and name.key.startswith(key)]
        starts = {name.category.id for name in prefixed if name.has_prefixes}
        aliased = {name.category.id for name in prefixed if name.is_alias}
        if starts or len(aliased) > 1:
            starts |= aliased
        answers = {category.id: category.answers_to for category in self.categories}
        typed = {category.id: category.typed for category in self.categories}
        try:
            ordered = [category.id for category in self.categories if category.id in starts]
            return self._by_id[find(wanted, answers, "category", starts=ordered, typed=typed)]
        except NotFound as error:
            for line in self.lines:
                if not line.in_play and key in map(normalize, line.answers_to):
                    raise NotAllowed(
                        "{category} is not played in this game",
                        "choose a different box; only a new game can add it",
                        category=line,
                    ) from error
            raise

    @cached_property
    def category_names(self) -> tuple[CategoryName, ...]:
        names = []
        for category in self.categories:
            own = (category.id, category.name, *([category.short] if category.short else ()))
            names += [CategoryName(normalize(name), category) for name in own]
            others = (*category.aliases, *(category.shared_names or ()))
            names += [CategoryName(normalize(name), category, is_alias=True) for name in others]
            for translations in (category.names, category.shorts):
                for language, name in translations or ():
                    names.append(CategoryName(normalize(name), category, language))
        return tuple(names)

    def find_throw(self, word: str) -> int | None:
        """Return the throw with that name in any language, in this game (`gut`: 4) or any (`first`: 1)."""
        key = normalize(word)
        throw = self.throws_by_name(loaded_languages_only=True).get(key)
        return self.throws_by_name().get(key) if throw is None else throw

    def throws_by_name(self, *, loaded_languages_only: bool = False) -> dict[str, int]:
        """Return the throw of each normalized name, in all languages or only in the loaded ones."""
        later = word_meanings({self.throws: NOT_SERVED}, loaded_languages_only=loaded_languages_only)
        own = {normalize(name): throw for name, throw in reversed(self.throw_names)}
        named = throws_by_name(loaded_languages_only=loaded_languages_only) | later | own
        claims = self.de_mano_words(loaded_languages_only=loaded_languages_only)
        return named | dict.fromkeys(claims, self.throws)

    def instant_win_names(self, *, loaded_languages_only: bool = False) -> Collection[str]:
        """Return the normalized names of the instant win, also without an article (`la dormida`).

        A name that a category has, too, means only the category.
        """
        if (win := self.instant_win) is None:
            return ()
        articles = word_meanings({True: ARTICLES}, loaded_languages_only=loaded_languages_only)
        names = {normalize(name) for name in (win.name, *dict(win.names or ()).values())}
        bare = {rest for name in names for first, _, rest in [name.partition(" ")] if first in articles}
        return (names | bare) - {"", *(name.key for name in self.category_names)}

    def de_mano_words(self, *, loaded_languages_only: bool = False) -> Mapping[str, bool]:
        """Return whether each normalized word claims the price de mano; empty in a game without turning."""
        if not self.most_turned:
            return {}
        return word_meanings({True: DE_MANO, False: NOT_SERVED}, loaded_languages_only=loaded_languages_only)

    @property
    def throw_words(self) -> Mapping[int, Sequence[str]]:
        throws = sorted({*range(1, self.throws + 1), *(throw for _, throw in self.throw_names)})
        names = {throw: [name for name, at in self.throw_names if at == throw] for throw in throws}
        words = {throw: tuple(dict.fromkeys((*own, *throw_words(throw)))) for throw, own in names.items()}
        return {throw: named for throw, named in words.items() if named}

    @cached_property
    def _by_id(self) -> Mapping[str, Category]:
        return {line.id: line for line in reversed(self.categories)}

    def has_hand(self, dice: Dice) -> bool:
        return len(dice) == self.dice and min(dice) >= 1 and max(dice) <= self.faces

    @property
    def example(self) -> str:
        return join_dice(example_hand(self.dice, self.faces))

    @cached_property
    def has_spares(self) -> bool:
        return any(category.saves_spares for category in self.categories)

    @cached_property
    def has_throws_that_matter(self) -> bool:
        has_instant_win = self.instant_win is not None and self.instant_win.when != "never"
        return has_instant_win or self.has_spares or any(line.first is not None for line in self.categories)

    @cached_property
    def most_turned(self) -> int:
        """The most dice that may be turned over in a turn, 0 without turning."""
        return {"one": 1, "one-or-two": 2}.get(self.turning or "none", 0)

    @cached_property
    def joker_rule(self) -> JokerRule:
        return self.joker.rule if self.joker else "no"

    @cached_property
    def extra_bonus(self) -> int:
        """The additional points for all alike, if their own box holds points."""
        return self.joker.extra if self.joker else 0

    @property
    def has_extra_points(self) -> bool:
        return self.upper_bonus is not None or self.extra_bonus > 0

    @cached_property
    def awaited_hand(self) -> Category | None:
        """The category whose hand a different category requires in any box, or None."""
        return next((self.category(c.after) for c in self.categories if c.after and c.needs_five_alike), None)

    @cached_property
    def all_alike_box(self) -> Category | None:
        """The category that requires all dice alike and nothing more (generala, yacht), or None."""
        wanted = (Alike(count=self.dice),)
        return next((c for c in self.categories if c.asks == wanted and c.after is None), None)


def _in(language: str, texts: Names) -> str:
    return dict(texts).get(language, "") if texts else ""


def qualifies(rules: RuleSet, category: Category, dice: Dice) -> bool:
    """Return whether the hand matches the category, regardless of the sheet."""
    return all(pattern.matches(dice, rules.faces) for pattern in category.asks)


def worth(rules: RuleSet, category: Category, dice: Dice, roll: int, *, is_joker: bool = False) -> int:
    """Return the points of a hand finished on throw `roll`, or 0 if it does not match (see `joker_pays`)."""
    if not (is_joker and category.number is None) and not qualifies(rules, category, dice):
        return 0
    if category.points is None:
        face = category.number
        if category.sums_what_makes_it and qualifies(rules, category, dice):
            return max(sum(pattern.counted(dice)) for pattern in category.asks)
        return sum(dice) + (category.added or 0) if face is None else face * dice.count(face)
    if category.by_throw:
        return category.by_throw[min(roll, len(category.by_throw)) - 1]
    return category.first if roll == 1 and category.first is not None else category.points


def sum_and_more(price: str) -> int | None:
    """Return the points that a price such as `sum+20` adds to the sum of all dice; None for other texts."""
    added = price.lower().replace(" ", "").removeprefix("sum+")
    is_price = added != price and added.isascii() and added.isdecimal() and len(added) < 7
    return int(added) if is_price and 1 <= int(added) <= MOST_POINTS else None


def bonus(rules: RuleSet, category: Category, dice: Dice, roll: int) -> int:
    """Return how many of the hand's points come from finishing on that throw."""
    return worth(rules, category, dice, roll) - worth(rules, category, dice, rules.throws + 1)


def joker_may_fill(
    rules: RuleSet, category: Category, face: int, *, is_own_due: bool, is_lower_due: bool
) -> bool:
    """Return whether a joker of that face may fill a category; the box of its number may if `is_own_due`."""
    if rules.joker_rule != "forced":
        return True
    if is_own_due:
        return category.number == face
    return category.number is None or not is_lower_due


def joker_pays(rules: RuleSet, *, is_own_filled: bool) -> bool:
    """Return whether a joker matches every lower box."""
    match rules.joker_rule:
        case "forced" | "free":
            return True
        case "own-box-first":
            return is_own_filled
        case "no":
            return False


def can_win_instantly(rules: RuleSet, dice: Dice, roll: int) -> bool:
    """Return whether the hand wins at once if the box of the instant win is open."""
    return wins_with(rules, "open") and roll == 1 and most_alike(dice) == rules.dice


def wins_with(rules: RuleSet, box: BoxState) -> bool:
    """Return whether all dice alike on the first throw win, if the box of the instant win has this state.

    If a double of that box is in play, a second such hand is the double, not a win ("not an automatic
    game-winner"), on any throw, even if the double is filled (guide: sources, "The instant win").
    """
    win = rules.instant_win
    if win is None or win.when == "never":
        return False
    if win.when == "always" or box == "open":
        return True
    has_double = any(category.after == win.box for category in rules.categories)
    return win.when == "unless-scratched" and box == "held" and not has_double


def instant_win_fills(rules: RuleSet, dice: Dice, *, is_open: bool) -> tuple[Category | None, int]:
    """Return the category that an instant win fills, and its points: None and 0 if the box is not open."""
    if rules.instant_win is None or not is_open:
        return None, 0
    box = rules.category(rules.instant_win.box)
    return box, worth(rules, box, dice, 1)


def possible_points(rules: RuleSet, category: Category) -> set[int]:
    """Return every score that is possible in the category. Tries every hand."""
    hands = [hand for hand, _ in every_hand(rules.dice, rules.faces)]
    rolls = rules.price_throws
    points = {worth(rules, category, hand, roll) for hand in hands for roll in rolls}
    if rules.joker_rule != "no" and category != rules.all_alike_box:
        jokers = [hand for hand in hands if most_alike(hand) == rules.dice]
        points |= {worth(rules, category, hand, roll, is_joker=True) for hand in jokers for roll in rolls}
    return points


def most_points(rules: RuleSet, category: Category) -> int:
    return max(possible_points(rules, category))


def best_opening(rules: RuleSet, dice: Dice, roll: int) -> int:
    return max(worth(rules, category, dice, roll) for category in rules.categories if category.after is None)
