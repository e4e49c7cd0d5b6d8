"""The bonus for a served hand: only if it is entered as served."""

from generala_cli.rules.ruleset import bonus
from tests.cases import cases
from tests.game.table import Table, hand, house

FAMILY = {"generala": 5, "generala-round": 5, "generala-ace": 10, "generals": 5, "general": 5}
FIGURES = {"straight": ("12345", 20), "full-house": ("55533", 30), "four-of-a-kind": ("22226", 40)}


@cases("category", FIGURES)
@cases("name", FAMILY)
def test_a_served_figure_scores_its_first_throw_price(name: str, category: str) -> None:
    dice, later = FIGURES[category]
    assert Table(house(name)).score("Ana", dice, category, roll=1).points == later + FAMILY[name]


@cases("roll", [2, 3])
@cases("category", FIGURES)
@cases("name", FAMILY)
def test_a_later_figure_scores_no_bonus(name: str, category: str, roll: int) -> None:
    dice, later = FIGURES[category]
    assert Table(house(name)).score("Ana", dice, category, roll=roll).points == later


@cases("name", FAMILY)
def test_numbers_know_no_bonus(name: str) -> None:
    assert Table(house(name)).score("Ana", "55533", "fives", roll=1).points == 15


@cases(("name", "gain"), FAMILY.items())
def test_the_bonus_is_counted_apart(name: str, gain: int) -> None:
    rules = house(name)
    straight = rules.category("straight")
    assert [bonus(rules, straight, hand("12345"), roll) for roll in (1, 2, 3)] == [gain, 0, 0]
    assert bonus(rules, straight, hand("11133"), 1) == 0
    assert bonus(rules, rules.category("ones"), hand("11133"), 1) == 0


@cases("throws", [1, 2])
def test_the_bonus_is_the_same_however_few_throws_there_are(throws: int) -> None:
    rules = house("generala", f"throws={throws}")
    assert bonus(rules, rules.category("straight"), hand("12345"), 1) == 5


@cases(
    ("name", "dice", "category", "points"),
    [
        ("golden-fifty", "12345", "low-straight", 15),
        ("golden-fifty", "23456", "high-straight", 25),
        ("golden-fifty", "55533", "full-house", 30),
        ("golden-fifty", "55555", "golden-fifty", 50),
        ("yacht", "23456", "big-straight", 30),
        ("yacht", "12345", "little-straight", 30),
        ("yacht", "55533", "full-house", 21),
        ("yacht", "55553", "four-of-a-kind", 23),
        ("yacht", "55555", "yacht", 50),
        ("yacht", "55555", "choice", 25),
        ("crag", "661", "crag", 50),
        ("crag", "661", "thirteen", 26),
        ("crag", "444", "three-of-a-kind", 25),
        ("crag", "135", "odd-straight", 20),
    ],
)
def test_games_without_a_bonus_pay_a_served_hand_the_same(
    name: str, dice: str, category: str, points: int
) -> None:
    assert Table(house(name)).score("Ana", dice, category, roll=1).points == points
    assert Table(house(name)).score("Ana", dice, category).points == points


def test_of_two_categories_the_served_one_is_chosen_by_its_price() -> None:
    table = Table(house("generala", "straight=20/45", "four-of-a-kind=22/44"))
    assert table.score("Ana", "12345", roll=1).points == 45
