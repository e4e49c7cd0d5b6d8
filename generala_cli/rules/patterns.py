"""Patterns: the requirements of a category, one class each.

A pattern decides which hands match, describes itself and lists its options. Its tag and fields are its keys
in a rule file.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product
from re import split
from typing import Annotated, Literal

from msgspec import Meta, Struct

from generala_cli.errors import UsageError
from generala_cli.messages import ItemList, Message, NumberWord, lazy, lazy_count, listing, value_message
from generala_cli.rules.dice import MOST_DICE, MOST_FACES, Dice, most_alike

_DIGITS = "123456789"

Count = Annotated[int, Meta(ge=1, le=MOST_DICE)]
Face = Annotated[int, Meta(ge=1, le=MOST_FACES)]
Runs = tuple[str, ...] | Literal["round", "different"]
Faults = Iterator[tuple[str, Message]]
"""Keys of the file that are impossible with this number of dice and faces, with the reason."""
ShownFace = Callable[[int], object]
"""Returns a face as it is shown: the number or, for poker dice, the card."""


class PatternOption(Struct, frozen=True, kw_only=True):
    """A property of a pattern that a house may change."""

    key: str
    field: str
    value: str  # the present value as typed
    choices: Message  # a description of the valid values
    read: Callable[[str], object] | None = None  # or raises UsageError; None: yes or no
    names: tuple[str, ...] = ()
    words: tuple[str, ...] = ()  # valid values that are words
    is_of_box: bool = False  # the id of the box follows the key


class PatternBase(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="pattern"):
    """A pattern has `matches(dice, faces)`, and `describe(dice, shown)`, such as "four alike"."""

    def counted(self, dice: Dice) -> Dice:
        """Return the matching dice of a hand, with the highest sum. The hand must match."""
        return dice

    def find_faults(self, dice: int, faces: int) -> Faults:
        return iter(())

    def options(self, dice: int, faces: int) -> Iterator[PatternOption]:
        return iter(())


class Number(PatternBase, frozen=True, kw_only=True, tag="number", rename={"face": "number"}):
    """One or more dice show the face. Other dice do not count."""

    face: Face

    def matches(self, dice: Dice, faces: int) -> bool:
        return self.face in dice

    def counted(self, dice: Dice) -> Dice:
        return tuple(die for die in dice if die == self.face)

    def describe(self, dice: int, shown: ShownFace = int) -> Message:
        return lazy("one or more dice showing {face}", face=shown(self.face))

    def find_faults(self, dice: int, faces: int) -> Faults:
        return _outside("number", self.face, 1, faces)


class Alike(PatternBase, frozen=True, kw_only=True, tag="alike", rename={"count": "alike"}):
    """At least `count` dice show one face. `all_alike`: whether more, up to all dice, count too."""

    count: Count
    all_alike: bool = True

    def matches(self, dice: Dice, faces: int) -> bool:
        most = most_alike(dice)
        return most >= self.count and (self.all_alike or most < len(dice) or self.count == len(dice))

    def counted(self, dice: Dice) -> Dice:
        return (max(face for face in dice if dice.count(face) >= self.count),) * self.count

    def describe(self, dice: int, shown: ShownFace = int) -> Message:
        if self.all_alike or self.count == dice:
            return lazy("{number} alike", number=NumberWord(self.count))
        number, every = NumberWord(self.count), NumberWord(dice)
        return lazy("{number} alike ({all} alike does not count)", number=number, all=every)

    def find_faults(self, dice: int, faces: int) -> Faults:
        return _outside("alike", self.count, 1, dice)

    def options(self, dice: int, faces: int) -> Iterator[PatternOption]:
        return iter(()) if self.count == dice else _all_alike_option(self.all_alike)


class Groups(PatternBase, frozen=True, kw_only=True, tag="groups", rename={"sizes": "groups"}):
    """The dice form groups of exactly these sizes (full house: 3 and 2); `all_alike` dice may count, too."""

    sizes: tuple[Count, ...]
    all_alike: bool = False

    def matches(self, dice: Dice, faces: int) -> bool:
        groups = sorted(map(dice.count, set(dice)))
        return groups == sorted(self.sizes) or (self.all_alike and len(groups) == 1)

    def describe(self, dice: int, shown: ShownFace = int) -> Message:
        sizes = [
            lazy("{number} alike", number=NumberWord(size)) if size > 1 else lazy("another", context="die")
            for size in self.sizes
        ]
        groups, every = listing(sizes, "and"), NumberWord(dice)
        if self.all_alike:
            return lazy("{groups} ({all} alike counts too)", groups=groups, all=every)
        return lazy("{groups} ({all} alike does not count)", groups=groups, all=every)

    def find_faults(self, dice: int, faces: int) -> Faults:
        if sum(self.sizes) != dice:
            yield "groups", lazy("must add up to {dice}, the number of dice", dice=dice)

    def options(self, dice: int, faces: int) -> Iterator[PatternOption]:
        return _all_alike_option(self.all_alike) if len(self.sizes) > 1 else iter(())


class Sets(PatternBase, frozen=True, kw_only=True, tag="sets", rename={"sizes": "sets"}):
    """The hand has sets of dice alike of these sizes, on different faces unless `same_face` (two pairs)."""

    sizes: tuple[Count, ...]
    same_face: bool = False

    def matches(self, dice: Dice, faces: int) -> bool:
        return any(self._ways(dice))

    def counted(self, dice: Dice) -> Dice:
        return max(self._ways(dice), key=sum)

    def _ways(self, dice: Dice) -> Iterator[Dice]:
        faces = [face for face in {*dice} if dice.count(face) >= min(self.sizes)]
        for chosen in product(faces, repeat=len(self.sizes)):
            made = [face for face, size in zip(chosen, self.sizes, strict=True) for _ in range(size)]
            if all(made.count(face) <= dice.count(face) for face in chosen) and (
                self.same_face or len({*chosen}) == len(chosen)
            ):
                yield tuple(made)

    def describe(self, dice: int, shown: ShownFace = int) -> Message:
        if set(self.sizes) == {2}:
            number = len(self.sizes)
            sets = lazy_count("{number} pair", "{number} pairs", number, number=NumberWord(number))
        else:
            alike = [lazy("{number} alike", number=NumberWord(size)) for size in self.sizes]
            sets = value_message(listing(alike, "and"))
        if len(self.sizes) == 1 or self.same_face:
            return sets
        return lazy("{sets}, of different faces", sets=sets)

    def find_faults(self, dice: int, faces: int) -> Faults:
        if not self.sizes or sum(self.sizes) > dice:
            yield "sets", lazy("must add up to at most {dice}, the number of dice", dice=dice)

    def options(self, dice: int, faces: int) -> Iterator[PatternOption]:
        if len(self.sizes) > 1:
            yield PatternOption(
                key="same-face-as",
                is_of_box=True,
                field="same_face",
                value="yes" if self.same_face else "no",
                choices=lazy("yes, no"),
            )


class Straight(
    PatternBase,
    frozen=True,
    kw_only=True,
    tag="straight",
    rename={"runs": "straight", "aces_stand_for": "aces"},
):
    """The dice show one of these runs, in any order.

    Attributes:
        runs: a list (`12345`), or `round` (a run may continue from the highest face to 1: 4-5-6-1-2), or
            `different` (all faces differ). The last two use all dice. A run that is shorter than the hand
            must be among the dice (small straight).
        aces_stand_for: the faces that an ace may also be (guide: sources, "The Generala family").
    """

    runs: Runs
    aces_stand_for: tuple[Face, ...] = ()

    def matches(self, dice: Dice, faces: int) -> bool:
        accepted = _accepted_runs(self, len(dice), faces)
        length = max(map(len, accepted), default=0)
        choices = [(1, *self.aces_stand_for) if face == 1 else (face,) for face in dice]
        return any(
            run in accepted for reading in product(*choices) for run in combinations(sorted(reading), length)
        )

    def describe(self, dice: int, shown: ShownFace = int) -> Message:
        if self.runs == "round":
            runs = lazy("{number} in a row, also around the circle", number=NumberWord(dice))
        elif self.runs == "different":
            runs = lazy("{number} different faces", number=NumberWord(dice))
        elif len(self.runs[0]) == dice:
            runs = value_message(_shown_runs(self.runs, shown))
        else:
            runs = lazy(
                "{runs} among the {number}", runs=_shown_runs(self.runs, shown), number=NumberWord(dice)
            )
        if not self.aces_stand_for:
            return runs
        one, *more = self.aces_stand_for
        if not more:
            return lazy("{runs}; an ace may stand for a {face}", runs=runs, face=one)
        return lazy("{runs}; an ace may stand for a {one} or a {other}", runs=runs, one=one, other=more[0])

    def find_faults(self, dice: int, faces: int) -> Faults:
        if not self._are_runs(dice, faces):
            named = self.runs if isinstance(self.runs, str) else ", ".join(map(ascii, self.runs))
            must = lazy(
                'must be "round", "different" or a list of runs of equal length, each with '
                "at most {dice} faces from 1 to {faces}, not {named}",
                dice=dice,
                faces=faces,
                named=named[:60] or lazy("none", context="straight"),
            )
            yield "straight", must
        elif not isinstance(self.runs, str) and len(self.runs) != len(set(self.runs)):
            yield "straight", lazy("contains a run twice")
        if not _are_aces(self.aces_stand_for, faces):
            yield "aces", lazy("may only be 2 and {faces}", faces=faces)

    def options(self, dice: int, faces: int) -> Iterator[PatternOption]:
        yield PatternOption(
            key="straights",
            field="runs",
            value=self.runs if isinstance(self.runs, str) else ",".join(self.runs),
            choices=lazy("two-runs, ace-after-six, round, different, or runs such as 12345,23456"),
            words=("two-runs", "ace-after-six", "round", "different"),
            read=lambda value: self._read_runs(value, dice, faces),
        )
        yield PatternOption(
            key="aces",
            field="aces_stand_for",
            value=",".join(map(str, self.aces_stand_for)) or "none",
            choices=lazy("none, 2, {faces} or 2,{faces}", faces=faces),
            words=("none",),
            read=lambda value: _read_aces(value, faces),
        )

    def _are_runs(self, dice: int, faces: int) -> bool:
        if isinstance(self.runs, str):
            return dice <= faces
        lengths = {len(run) for run in self.runs}
        fit = len(lengths) == 1 and all(min(2, dice) <= length <= dice for length in lengths)
        return fit and all(face in _DIGITS[:faces] for run in self.runs for face in run)

    def _read_runs(self, value: str, dice: int, faces: int) -> Runs:
        """Return the typed runs; UsageError if shorter than the hand, unless the game has such runs."""
        wanted = value.lower().replace("-", " ")
        in_order = [_DIGITS[start : start + dice] for start in range(faces - dice + 1)]
        after_highest = f"{_DIGITS[faces - dice + 1 : faces]}1"
        named: Mapping[str, Runs] = {
            "two runs": tuple(in_order),
            "ace after six": (*in_order, after_highest),
            "round": "round",
            "different": "different",
        }
        typed = tuple(run for run in split(r"[ ,+]+", value) if run)
        straight = Straight(runs=named.get(wanted, typed))
        lengths = {dice} if isinstance(self.runs, str) else {dice, *map(len, self.runs)}
        if any(straight.find_faults(dice, faces)) or not (
            isinstance(straight.runs, str) or len(straight.runs[0]) in lengths
        ):
            raise UsageError(
                "straights={value} is not a list of straights with {dice} dice",
                "type two-runs, ace-after-six, round, different, or runs such as 12345,23456",
                value=value,
                dice=dice,
            )
        return straight.runs


class Total(PatternBase, frozen=True, kw_only=True, tag="total"):
    """The sum of all dice is exactly this."""

    total: Annotated[int, Meta(ge=1, le=MOST_DICE * MOST_FACES)]

    def matches(self, dice: Dice, faces: int) -> bool:
        return sum(dice) == self.total

    def describe(self, dice: int, shown: ShownFace = int) -> Message:
        return lazy("a sum of {total}", total=self.total)

    def find_faults(self, dice: int, faces: int) -> Faults:
        return _outside("total", self.total, dice, dice * faces)


class AnyDice(PatternBase, frozen=True, kw_only=True, tag="any", rename={"takes_any": "any"}):
    """Any dice."""

    takes_any: bool = True

    def matches(self, dice: Dice, faces: int) -> bool:
        return True

    def describe(self, dice: int, shown: ShownFace = int) -> Message:
        return lazy("any dice")

    def find_faults(self, dice: int, faces: int) -> Faults:
        if not self.takes_any:
            yield "any", lazy("must be true or omitted")


def _shown_runs(runs: Sequence[str], shown: ShownFace) -> ItemList:
    """Return the runs as `12345`, or as the cards of poker dice, `9 10 J Q K`."""
    if shown is int:
        return listing(runs)
    cards = ({f"card{place}": shown(int(face)) for place, face in enumerate(run)} for run in runs)
    return listing(Message(" ".join(f"{{{name}}}" for name in run), run) for run in cards)


Pattern = Number | Alike | Groups | Sets | Straight | Total | AnyDice


def _outside(key: str, value: int, low: int, high: int) -> Faults:
    if not low <= value <= high:
        must = lazy("must be a whole number from {low} to {high}", low=low, high=high)
        yield key, lazy("{must}, not {value}", must=must, value=value)


def _all_alike_option(counts: bool) -> Iterator[PatternOption]:
    yield PatternOption(
        key="all-alike-as",
        names=("five-alike-as",),
        is_of_box=True,
        field="all_alike",
        value="yes" if counts else "no",
        choices=lazy("yes, no"),
    )


def _are_aces(stand_for: tuple[int, ...], faces: int) -> bool:
    """Return whether aces stand for a two, the highest face, or both, and for nothing else."""
    return set(stand_for) <= {2, faces} and len(stand_for) == len(set(stand_for))


def _read_aces(value: str, faces: int) -> tuple[int, ...]:
    parts = [] if value.lower() in {"none", "no"} else split(r"[ ,+]+", value)
    if not all(len(part) == 1 and part.isascii() and part.isdecimal() for part in parts):
        raise UsageError(
            "aces={value} is not a list of faces",
            "type none, 2, {faces} or 2,{faces}",
            value=value,
            faces=faces,
        )
    aces = tuple(sorted(map(int, parts)))
    if not _are_aces(aces, faces):
        raise UsageError(
            "an ace may stand only for a 2 or a {faces}", "type 2, {faces} or 2,{faces}", faces=faces
        )
    return aces


@lru_cache(maxsize=100)
def _accepted_runs(straight: Straight, count: int, faces: int) -> frozenset[Dice]:
    """Return the accepted runs, sorted and of one length, before aces stand for other faces."""
    if straight.runs == "different":
        return frozenset(combinations(range(1, faces + 1), count))
    if straight.runs == "round":
        circle = [face % faces + 1 for face in range(faces + count)]
        return frozenset(tuple(sorted(circle[start : start + count])) for start in range(faces))
    return frozenset(tuple(sorted(map(int, run))) for run in straight.runs)
