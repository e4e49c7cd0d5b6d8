"""A second implementation of the rules for comparison: slow, and written in a different way.

No pattern here has options. A category is a set of ordered throws (`"53535"`), made by permuting or
multiplying out every hand that makes it. A throw is looked up in that set.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, permutations, product

FACES = "123456"
FIVE_DICE = frozenset(map("".join, product(FACES, repeat=5)))
THREE_DICE = frozenset(map("".join, product(FACES, repeat=3)))

NUMBERS = ("ones", "twos", "threes", "fours", "fives", "sixes")
CARDS = ("nines", "tens", "jacks", "queens", "kings", "aces")
FACE_OF = dict(zip((*NUMBERS, *CARDS), FACES * 2, strict=True))
FIGURES = ("straight", "full-house", "four-of-a-kind")

CATEGORIES: dict[str, tuple[str, ...]] = {
    "generala": (*NUMBERS, *FIGURES, "generala"),
    "generala-round": (*NUMBERS, *FIGURES, "generala"),
    "generala-ace": (*NUMBERS, *FIGURES, "generala"),
    "generals": (*NUMBERS, *FIGURES, "general"),
    "general": (*NUMBERS, *FIGURES, "general"),
    "golden-fifty": (*NUMBERS, "low-straight", "high-straight", "full-house", "golden-fifty"),
    "kniffel": (
        *NUMBERS,
        "three-of-a-kind",
        "four-of-a-kind",
        "full-house",
        "small-straight",
        "large-straight",
        "kniffel",
        "chance",
    ),
    "yahtzee": (
        *NUMBERS,
        "three-of-a-kind",
        "four-of-a-kind",
        "full-house",
        "small-straight",
        "large-straight",
        "yahtzee",
        "chance",
    ),
    "yacht": (
        "yacht",
        "big-straight",
        "little-straight",
        "four-of-a-kind",
        "full-house",
        "choice",
        *reversed(NUMBERS),
    ),
    "crag": (
        "crag",
        "thirteen",
        "three-of-a-kind",
        "high-straight",
        "low-straight",
        "even-straight",
        "odd-straight",
        *reversed(NUMBERS),
    ),
}
SHAPES: dict[str, tuple[int, ...]] = {
    "one-pair": (2,),
    "two-pairs": (2, 2),
    "three-pairs": (2, 2, 2),
    "three-of-a-kind": (3,),
    "four-of-a-kind": (4,),
    "five-of-a-kind": (5,),
    "full-house": (3, 2),
    "house": (3, 2),
    "villa": (3, 3),
    "tower": (4, 2),
}
"""The categories of Yatzy that pay the sum of their dice: how many of each face."""
CATEGORIES["yatzy"] = (
    *NUMBERS,
    *("one-pair", "two-pairs", "three-of-a-kind", "four-of-a-kind"),
    *("small-straight", "large-straight", "full-house", "chance", "yatzy"),
)
CATEGORIES["maxi-yatzy"] = (
    *NUMBERS,
    *("one-pair", "two-pairs", "three-pairs", "three-of-a-kind", "four-of-a-kind", "five-of-a-kind"),
    *("small-straight", "large-straight", "full-straight", "house", "villa", "tower"),
    *("chance", "maxi-yatzy"),
)
_BALUT = ("fours", "fives", "sixes", "straight", "full-house", "choice", "balut")
CATEGORIES |= {"balut": _BALUT, "balut-stc": _BALUT}
_BRAZIL = {"general-brasil": FIGURES, "bozo": ("full-house", "straight", "four-of-a-kind")}
CATEGORIES |= {name: (*NUMBERS, *figures, "general") for name, figures in _BRAZIL.items()}
CATEGORIES["escalero"] = (*CARDS, *FIGURES, "grande")
CATEGORIES["cacho"] = (*NUMBERS, *FIGURES, "grande")
BOXES: dict[str, int] = {"balut": 4}
"""The number of boxes of every category, if it is not one."""
THROWS: dict[str, int] = {name: 2 if name in ("crag", "cacho") else 3 for name in CATEGORIES}
DICE_COUNT: dict[str, int] = {name: {"crag": 3, "maxi-yatzy": 6}.get(name, 5) for name in CATEGORIES}

# The columns of the table, "later throws / first throw".
TABLE: dict[str, dict[str, tuple[int, int]]] = {
    "generala": {
        "straight": (20, 25),
        "full-house": (30, 35),
        "four-of-a-kind": (40, 45),
        "generala": (50, 50),
    },
    "generala-round": {
        "straight": (20, 25),
        "full-house": (30, 35),
        "four-of-a-kind": (40, 45),
        "generala": (50, 50),
    },
    "generala-ace": {
        "straight": (20, 30),
        "full-house": (30, 40),
        "four-of-a-kind": (40, 50),
        "generala": (60, 60),
    },
    "generals": {
        "straight": (20, 25),
        "full-house": (30, 35),
        "four-of-a-kind": (40, 45),
        "general": (60, 60),
    },
    "general": {
        "straight": (20, 25),
        "full-house": (30, 35),
        "four-of-a-kind": (40, 45),
        "general": (60, 60),
    },
    "general-brasil": {
        "straight": (20, 25),
        "full-house": (30, 35),
        "four-of-a-kind": (40, 45),
        "general": (50, 55),
    },
    "bozo": {
        "full-house": (10, 15),
        "straight": (20, 25),
        "four-of-a-kind": (30, 35),
        "general": (40, 45),
    },
    "escalero": {
        "straight": (20, 25),
        "full-house": (30, 35),
        "four-of-a-kind": (40, 45),
        "grande": (50, 80),
    },
    "cacho": {
        "straight": (20, 25),
        "full-house": (30, 35),
        "four-of-a-kind": (40, 45),
        "grande": (50, 50),
    },
}
WINS_INSTANTLY = ("cacho", "generala", "generala-round", "generala-ace", "generals", "general")


def _every_order(hands: Iterable[str]) -> frozenset[str]:
    return frozenset("".join(order) for hand in hands for order in permutations(hand))


FIVE_ALIKE = frozenset(face * 5 for face in FACES)
FULL_HOUSES = _every_order(three * 3 + two * 2 for three, two in permutations(FACES, 2))
FOUR_AND_ONE = _every_order(four * 4 + one for four, one in permutations(FACES, 2))


def _with_aces_as(stands_for: str, runs: Iterable[str]) -> frozenset[str]:
    """Every throw that is one of `runs` when each ace is read as itself or as a face of `stands_for`."""
    accepted = _every_order(runs)
    return frozenset(
        throw
        for throw in FIVE_DICE
        if any(
            "".join(reading) in accepted
            for reading in product(*("1" + stands_for if die == "1" else die for die in throw))
        )
    )


STRAIGHTS: dict[str, frozenset[str]] = {
    "generala": _every_order(["12345", "23456"]),
    "generala-round": _every_order(["12345", "23456", "34561"]),
    "generala-ace": _with_aces_as("2", ["12345", "23456"]),
    "generals": _with_aces_as("26", ["12345", "23456", "34561", "45612", "56123", "61234"]),
    "general": _with_aces_as("26", ["12345", "23456"]),
    "general-brasil": _every_order(["12345", "23456", "34561"]),
    "bozo": _every_order(["12345", "23456"]),
    "escalero": _every_order(["12345", "23456"]),
    "cacho": _every_order(["12345", "23456"]),
}


# Three of one face, and two that both show another: alike or not.
THREE_AND_TWO_OTHERS = _every_order(
    three * 3 + one + other for three in FACES for one in FACES for other in FACES if three not in one + other
)
# Four in a row and any fifth die.
SMALL_STRAIGHTS = _every_order(run + fifth for run in ("1234", "2345", "3456") for fifth in FACES)

# The throws of each figure, and its points; None is the sum of all the dice.
FAMILY: dict[str, dict[str, frozenset[str]]] = {
    rule_set: {
        "straight": STRAIGHTS[rule_set],
        "full-house": FULL_HOUSES,
        "four-of-a-kind": FOUR_AND_ONE | FIVE_ALIKE,
        "generala": FIVE_ALIKE,
        "general": FIVE_ALIKE,
        "grande": FIVE_ALIKE,
    }
    for rule_set in TABLE
}
# A pair and one more that sum to 13: 2 × 6 + 1, 2 × 5 + 3, 2 × 4 + 5; two threes would need a seven.
CRAGS = _every_order(["661", "553", "445"])
# Thirteen without a pair: 6 + 5 + 2 and 6 + 4 + 3.
THIRTEENS = CRAGS | _every_order(["652", "643"])
OTHERS: dict[str, dict[str, tuple[frozenset[str], int | None]]] = {
    "golden-fifty": {
        "low-straight": (_every_order(["12345"]), 15),
        "high-straight": (_every_order(["23456"]), 25),
        "full-house": (FULL_HOUSES, 30),
        "golden-fifty": (FIVE_ALIKE, 50),
    },
    "kniffel": {
        "three-of-a-kind": (THREE_AND_TWO_OTHERS | FOUR_AND_ONE | FIVE_ALIKE, None),
        "four-of-a-kind": (FOUR_AND_ONE | FIVE_ALIKE, None),
        "full-house": (FULL_HOUSES, 25),
        "small-straight": (SMALL_STRAIGHTS, 30),
        "large-straight": (_every_order(["12345", "23456"]), 40),
        "kniffel": (FIVE_ALIKE, 50),
        "chance": (FIVE_DICE, None),
    },
    "yacht": {
        "yacht": (FIVE_ALIKE, 50),
        "big-straight": (_every_order(["23456"]), 30),
        "little-straight": (_every_order(["12345"]), 30),
        "four-of-a-kind": (FOUR_AND_ONE, None),
        "full-house": (FULL_HOUSES, None),
        "choice": (FIVE_DICE, None),
    },
    "crag": {
        "crag": (CRAGS, 50),
        "thirteen": (THIRTEENS, 26),
        "three-of-a-kind": (frozenset(face * 3 for face in FACES), 25),
        "high-straight": (_every_order(["456"]), 20),
        "low-straight": (_every_order(["123"]), 20),
        "even-straight": (_every_order(["246"]), 20),
        "odd-straight": (_every_order(["135"]), 20),
    },
}


_ROWS: dict[str, tuple[frozenset[str], int | None]] = {
    "straight": (_every_order(["12345", "23456"]), None),
    "full-house": (FULL_HOUSES, None),
    "choice": (FIVE_DICE, None),
}
OTHERS["balut"] = _ROWS | {"balut": (FIVE_ALIKE, None)}
OTHERS["balut-stc"] = _ROWS | {"balut": (FIVE_ALIKE, 30)}
OTHERS["yahtzee"] = {
    "yahtzee" if box == "kniffel" else box: asked for box, asked in OTHERS["kniffel"].items()
}


def points(rule_set: str, category: str, dice: tuple[int, ...], roll: int) -> int:
    """Return the score of `dice`, finished on throw `roll`, in `category`; 0 if they do not make it."""
    throw = "".join(map(str, dice))
    if len(throw) != DICE_COUNT[rule_set] or not {*throw} <= {*FACES}:
        raise ValueError(f"{throw} is not a throw of {rule_set}")
    if category not in CATEGORIES[rule_set]:
        raise ValueError(f"{rule_set} has no {category}")
    if category in FACE_OF:
        return throw.count(FACE_OF[category]) * int(FACE_OF[category])
    if rule_set in TABLE:
        later, first = TABLE[rule_set][category]
        if throw not in FAMILY[rule_set][category]:
            return 0
        return first if roll == 1 else later
    if rule_set in ("yatzy", "maxi-yatzy"):
        return _yatzy_points(category, dice)
    takes, fixed = OTHERS[rule_set][category]
    if throw not in takes:
        return 0
    more = 20 if (rule_set, category) == ("balut", "balut") else 0
    return sum(dice) + more if fixed is None else fixed


def _yatzy_points(category: str, dice: tuple[int, ...]) -> int:
    if category in SHAPES:
        shape = SHAPES[category]
        made = [
            sum(some)
            for some in combinations(dice, sum(shape))
            if sorted(map(some.count, {*some})) == sorted(shape)
        ]
        return max(made, default=0)
    runs = {"small-straight": ("12345", 15), "large-straight": ("23456", 20), "full-straight": ("123456", 21)}
    if category in runs:
        run, price = runs[category]
        return price if {*run} <= {*map(str, dice)} else 0
    if category == "chance":
        return sum(dice)
    return (100 if category == "maxi-yatzy" else 50) if len({*dice}) == 1 else 0


def yahtzee_points(joker: str, category: str, dice: tuple[int, ...], boxes: Mapping[str, int]) -> int | None:
    """Return the score of `dice` in an open category of Yahtzee, 0 for a scratch, or None if it is forbidden.

    Args:
        boxes: the points in the filled boxes, 0 for a scratch.
    """
    as_they_are = points("yahtzee", category, dice, 3)
    if "".join(map(str, dice)) not in FIVE_ALIKE or "yahtzee" not in boxes or joker == "no":
        return as_they_are
    own = NUMBERS[dice[0] - 1]
    lower = [box for box in CATEGORIES["yahtzee"] if box not in NUMBERS]
    in_full = {"full-house": 25, "small-straight": 30, "large-straight": 40}.get(category, as_they_are)
    if joker == "free" or (joker == "own-box-first" and own in boxes):
        return in_full
    if joker == "own-box-first":
        return as_they_are
    if own not in boxes:
        return as_they_are if category == own else None
    if any(box not in boxes for box in lower):
        return in_full if category in lower else None
    return 0


def extra_points(
    entries: Sequence[tuple[tuple[int, ...] | None, str | None, int]],
    all_alike: str = "yahtzee",
    each: int = 100,
) -> int:
    """Return a player's extra points for all dice alike, from the entries (dice, box, points)."""
    held, earned = False, 0
    for dice, box, scored in entries:
        if held and dice is not None and "".join(map(str, dice)) in FIVE_ALIKE:
            earned += each
        held = held or (box == all_alike and scored > 0)
    return earned


def upper_bonus(rule_set: str, number_points: int) -> int:
    """Return the bonus for the points in the number categories; 0 if there is no bonus."""
    least, bonus = {"yatzy": (63, 50), "maxi-yatzy": (84, 100)}.get(rule_set, (63, 35))
    has_one = rule_set in ("kniffel", "yahtzee", "yatzy", "maxi-yatzy")
    return bonus if has_one and number_points >= least else 0


def balut_points(rows: Mapping[str, Sequence[int]]) -> int:
    """Return the game points of a sheet of Balut, given the points in the boxes of each row."""
    total = sum(map(sum, rows.values()))
    earned = -2 if total < 300 else min(total // 50 - 7, 6)
    for row, least in (("fours", 52), ("fives", 65), ("sixes", 78), ("choice", 100)):
        earned += 2 if sum(rows[row]) >= least else 0
    for row, points in (("straight", 4), ("full-house", 3)):
        earned += points if sum(map(bool, rows[row])) == 4 else 0
    return earned + 2 * sum(map(bool, rows["balut"]))


def wins_instantly(rule_set: str, dice: tuple[int, ...], roll: int) -> bool:
    """Whether `dice` on throw `roll` end the game at once for a player whose sheet is still empty."""
    return rule_set in WINS_INSTANTLY and roll == 1 and "".join(map(str, dice)) in FIVE_ALIKE
