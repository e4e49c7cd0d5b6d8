"""Tiny games, told twice: as rule sets for the program, and as plain functions for `naive`."""

from collections.abc import Callable, Iterable
from typing import NamedTuple, get_args

from hypothesis import strategies as st
from msgspec import UNSET

from generala_cli.odds.sheets import Sheet
from generala_cli.rules.patterns import Alike, AnyDice, Groups, Number, Pattern, Straight, Total
from generala_cli.rules.ruleset import (
    Category,
    FillOrder,
    InstantWin,
    InstantWinMode,
    Joker,
    JokerRule,
    RuleSet,
    UpperBonus,
)
from tests.odds.naive import Hand, Line, Naive, State, Tiny


class Figure(NamedTuple):
    """The condition of a box, for the program and as a plain Python function."""

    asks: tuple[Pattern, ...]
    makes: Callable[[Hand], bool]


class Box(NamedTuple):
    """A figure with its price; without one its dice are summed. `hand`: it waits for a hand in any box."""

    figure: str
    points: int | None = None
    first: int | None = None
    after: str | None = None
    saves: bool = False
    hand: bool = False


def _one_or_more(face: int) -> Figure:
    return Figure((Number(face=face),), lambda hand: face in hand)


ONE_TWO_THREE = Straight(runs=("12", "23"))
FIGURES: dict[str, Figure] = {
    "ones": _one_or_more(1),
    "twos": _one_or_more(2),
    "threes": _one_or_more(3),
    "pair": Figure((Alike(count=2),), lambda hand: any(hand.count(die) >= 2 for die in hand)),
    "pair only": Figure(
        (Alike(count=2, all_alike=False),),
        lambda hand: any(hand.count(die) >= 2 for die in hand) and (len(hand) == 2 or len(set(hand)) > 1),
    ),
    "one at least": Figure((Alike(count=1, all_alike=False),), lambda hand: len({*hand}) > 1),
    "all different": Figure((Groups(sizes=(1, 1)),), lambda hand: len(hand) == 2 == len(set(hand))),
    "different or alike": Figure((Groups(sizes=(1, 1), all_alike=True),), lambda hand: len(hand) == 2),
    "two and one": Figure((Groups(sizes=(2, 1)),), lambda hand: len(hand) == 3 and len(set(hand)) == 2),
    "run": Figure((ONE_TWO_THREE,), lambda hand: 2 in hand and (1 in hand or 3 in hand)),
    "run with aces": Figure(
        (Straight(runs=("12", "23"), aces_stand_for=(2,)),),
        lambda hand: {1, 2} <= {*hand} or {2, 3} <= {*hand} or {1, 3} <= {*hand} or hand.count(1) >= 2,
    ),
    "four": Figure((Total(total=4),), lambda hand: sum(hand) == 4),
    "four alike": Figure(
        (Alike(count=2), Total(total=4)),
        lambda hand: sum(hand) == 4 and any(hand.count(die) >= 2 for die in hand),
    ),
    "any": Figure((AnyDice(),), lambda hand: True),
}
FACE = {"ones": 1, "twos": 2, "threes": 3}


class Shape(NamedTuple):
    """A tiny game without its boxes."""

    dice: int = 2
    faces: int = 3
    throws: int = 2
    win: InstantWinMode | None = None
    order: FillOrder = "any"
    bonus: tuple[int, int] | None = None
    joker: JokerRule = "no"
    extra: int = 0
    scratches_save: bool = False


class Both(NamedTuple):
    """The same game, told twice."""

    rules: RuleSet
    tiny: Tiny

    def __repr__(self) -> str:
        return repr(self.rules)


def both(shape: Shape, *boxes: Box) -> Both:
    """A game with these boxes; a figure that comes twice is told apart by its place."""
    ids = [f"{place}-{box.figure}" for place, box in enumerate(boxes)]
    after = [next((i for i in ids if box.after and i.endswith(box.after)), None) for box in boxes]
    rules = RuleSet(
        name="tiny",
        title="Tiny",
        source="a test",
        dice=shape.dice,
        faces=shape.faces,
        throws=shape.throws,
        lines=tuple(map(_category, ids, boxes, after)),
        fill_order=shape.order,
        scratches_save=shape.scratches_save or UNSET,
        instant_win=None if shape.win is None else InstantWin(name="win", box=ids[0], when=shape.win),
        joker=UNSET
        if (shape.joker, shape.extra) == ("no", 0)
        else Joker(rule=shape.joker, extra=shape.extra),
        upper_bonus=None
        if shape.bonus is None
        else UpperBonus(threshold=shape.bonus[0], points=shape.bonus[1]),
    )
    tiny = Tiny(
        dice=shape.dice,
        faces=shape.faces,
        throws=shape.throws,
        lines=tuple(map(_line, ids, boxes, after)),
        win_box=None if shape.win in (None, "never") else ids[0],
        win_filled=shape.win == "always",
        win_scored=shape.win == "unless-scratched",
        order=shape.order,
        bonus=shape.bonus,
        joker=shape.joker,
        joker_box=next((i for i, box in zip(ids, boxes, strict=True) if box.figure == "pair"), None),
        extra=shape.extra,
        scratches_save=shape.scratches_save,
    )
    return Both(rules, tiny)


def _category(name: str, box: Box, after: str | None) -> Category:
    asks = FIGURES[box.figure].asks
    return Category(
        id=name,
        name=name,
        asks=asks,
        points=box.points,
        first=box.first,
        after=after,
        needs="five-alike" if box.hand else UNSET,
        saves_spares=box.saves,
    )


def _line(name: str, box: Box, after: str | None) -> Line:
    def points(hand: Hand, price: int | None) -> int:
        if not FIGURES[box.figure].makes(hand):
            return 0
        face = FACE.get(box.figure)
        summed = [die for die in hand if face in (None, die)]
        return sum(summed) if price is None else price

    return Line(
        id=name,
        later=lambda hand: points(hand, box.points),
        first=lambda hand: points(hand, box.points if box.first is None else box.first),
        number=box.figure in FACE,
        after=after,
        hand=box.hand,
        saves=box.saves,
        face=FACE.get(box.figure),
        as_joker=lambda hand, first: sum(hand) if box.points is None else (first and box.first) or box.points,
    )


def sheet(naive: Naive, state: State, total: int = 0) -> Sheet:
    """Return the program's sheet for a state."""
    filled = {line.id for line in naive.game.lines} - {*state.open}
    return Sheet(
        filled=tuple(sorted(filled)),
        holding=state.held,
        wrote_five_alike=state.wrote,
        in_numbers=state.numbers,
        spares=state.spares,
        total=total,
    )


THREE = (Box("pair", 5), Box("run", 4), Box("threes"))
NUMBERS = (Box("ones"), Box("twos"), Box("threes"))
ALONE: dict[str, Both] = {
    "plain": both(Shape(), *THREE),
    "numbers": both(Shape(), *NUMBERS),
    "one throw": both(Shape(throws=1), *THREE),
    "three throws": both(Shape(throws=3), *THREE),
    "one die": both(Shape(dice=1), *NUMBERS),
    "three dice": both(Shape(dice=3, faces=2), Box("pair only", 3), Box("two and one"), Box("any")),
    "first throw": both(Shape(), Box("pair", 5, 9), Box("run", 4, 6), Box("any")),
    "no instant win": both(Shape(win="never"), *THREE),
    "win while open": both(Shape(win="while-open"), *THREE),
    "win always": both(Shape(win="always"), *THREE),
    "win unless scratched": both(Shape(win="unless-scratched"), *THREE),
    "win unless scratched, double": both(
        Shape(win="unless-scratched"), Box("pair", 5), Box("pair", 10, 90, after="0-pair"), Box("any")
    ),
    "win unless scratched, another waits": both(
        Shape(win="unless-scratched"), Box("pair", 5), Box("run", 4), Box("any", 9, after="1-run")
    ),
    "win unless scratched, in order, bonus, spares": both(
        Shape(win="unless-scratched", order="top-to-bottom", bonus=(2, 20), throws=3),
        Box("pair", 5, 6),
        Box("run", 4, saves=True),
        Box("twos"),
    ),
    "double": both(Shape(), Box("pair", 5), Box("pair", 10, after="0-pair"), Box("any")),
    "double, first throw": both(
        Shape(win="while-open"), Box("pair", 5, 7), Box("pair", 10, 90, after="0-pair"), Box("any")
    ),
    "double after any pair": both(
        Shape(win="while-open"),
        Box("pair", 5, 7),
        Box("pair", 10, 90, after="0-pair", hand=True),
        Box("any"),
        Box("twos"),
    ),
    "double after any pair, in order, bonus, spares": both(
        Shape(order="bottom-to-top", throws=3, bonus=(4, 20)),
        Box("pair", 5, saves=True),
        Box("any", 10, after="0-pair", hand=True),
        Box("ones"),
        Box("run", 9),
    ),
    "spares": both(Shape(throws=3), Box("pair", 5, saves=True), Box("run", 4, saves=True), Box("threes")),
    "spares, by a scratch too": both(
        Shape(throws=3, scratches_save=True),
        Box("pair", 5, saves=True),
        Box("run", 4, saves=True),
        Box("threes"),
    ),
    "in order": both(Shape(order="top-to-bottom"), *THREE),
    "in order, double": both(
        Shape(order="top-to-bottom"), Box("pair", 5), Box("any", 9, after="0-pair"), Box("run", 3)
    ),
    "from bottom to top": both(Shape(order="bottom-to-top", bonus=(3, 9)), *THREE),
    "numbers first": both(Shape(order="upper-first", bonus=(3, 9)), *THREE, Box("ones")),
    "numbers last": both(Shape(order="lower-first", joker="free", extra=4), *THREE, Box("ones")),
    "upper bonus": both(Shape(bonus=(7, 20)), *NUMBERS),
    "upper bonus at once": both(Shape(bonus=(1, 20)), *NUMBERS),
    "upper bonus out of reach": both(Shape(bonus=(13, 20)), *NUMBERS),
    "loose figures": both(
        Shape(), Box("one at least", 3), Box("different or alike", 2), Box("all different")
    ),
    "aces": both(Shape(), Box("run with aces", 5), Box("four", 7), Box("four alike")),
    "joker forced": both(Shape(joker="forced"), *THREE, Box("ones")),
    "joker forced, in order": both(Shape(joker="forced", order="top-to-bottom", extra=5), *THREE, Box("any")),
    "joker with its own box first": both(Shape(joker="own-box-first", extra=3), *THREE, Box("four")),
    "joker free, first throw": both(
        Shape(joker="free", extra=20), Box("pair", 5), Box("run", 4, 6), Box("twos")
    ),
    "extra bonus alone": both(Shape(extra=20), *THREE, Box("any")),
    "joker, upper bonus and a win": both(
        Shape(joker="forced", extra=7, bonus=(4, 9), win="unless-scratched"),
        Box("pair", 5),
        Box("run", 4),
        Box("threes"),
    ),
    "equal points": both(Shape(), Box("pair", 5), Box("pair", 5), Box("pair", 5)),
}


def _boxes(dice: int) -> st.SearchStrategy[Box]:
    prices = st.one_of(st.none(), st.integers(1, 9))
    figures = [name for name in FIGURES if _fits(name, dice)]

    def box(figure: str, points: int | None, more: int | None, *, saves: bool) -> Box:
        fixed = None if figure in FACE else points
        first = None if fixed is None or more is None else fixed + more
        return Box(figure, fixed, first, saves=saves)

    return st.builds(
        box, st.sampled_from(figures), prices, st.sampled_from([None, 0, 2, 7]), saves=st.booleans()
    )


def _fits(figure: str, dice: int) -> bool:
    """Whether any hand of that many dice makes it."""
    sizes = {3: ("all different", "different or alike"), 2: ("two and one",)}
    return figure not in sizes.get(dice, ())


@st.composite
def tinies(
    draw: st.DrawFn, *, wins: Iterable[InstantWinMode | None] = (None, *get_args(InstantWinMode))
) -> Both:
    """Any tiny game: every feature, with any other."""
    dice, faces = draw(st.sampled_from([(2, 3), (2, 3), (2, 2), (3, 2)]))
    shape = Shape(
        dice=dice,
        faces=faces,
        throws=draw(st.integers(1, 3)),
        win=draw(st.sampled_from([*wins])),
        order=draw(st.sampled_from(get_args(FillOrder))),
        bonus=draw(st.none() | st.tuples(st.integers(1, 9), st.integers(1, 15))),
        scratches_save=draw(st.booleans()),
    )
    boxes = draw(st.lists(_boxes(dice), min_size=1, max_size=3))
    has_alike = dice == 2 and any(box.figure == "pair" for box in boxes)
    if has_alike and draw(st.booleans()):
        joker = draw(st.sampled_from(get_args(JokerRule)))
        shape = shape._replace(joker=joker, extra=draw(st.sampled_from([0, 1, 9])))
    elif draw(st.booleans()):
        awaited = draw(st.integers(0, len(boxes) - 1))
        boxes.append(Box("any", 6, after=f"{awaited}-{boxes[awaited].figure}", hand=draw(st.booleans())))
    return both(shape, *boxes)
