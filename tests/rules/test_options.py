"""House rules: the options of a rule set, and the effect of each on the game."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from generala_cli.errors import Ambiguous, GeneralaError, NotAllowed, NotFound, UsageError
from generala_cli.render.language import speaking
from generala_cli.rules.catalog import built_in, built_in_names
from generala_cli.rules.options import Option, options_of, settings_in_force, with_settings
from generala_cli.rules.patterns import Straight
from generala_cli.rules.ruleset import RuleSet, UpperBonus, can_win_instantly, qualifies, worth
from tests.cases import cases

FAMILY = ["generala", "generala-round", "generala-ace", "generals", "general"]


def changed(name: str, *settings: str) -> RuleSet:
    """The built-in rule set after settings in the form `key=value`."""
    return again(built_in(name), *settings)


def again(rules: RuleSet, *settings: str) -> RuleSet:
    """The rule set after settings in the form `key=value`."""
    pairs = [setting.partition("=") for setting in settings]
    return with_settings(rules, [(key, value) for key, _, value in pairs])


def option(rules: RuleSet, key: str) -> Option:
    return next(option for option in options_of(rules) if option.key == key)


def price(rules: RuleSet, category: str) -> tuple[int | None, int | None]:
    """Return the points on later throws and on the first, if different."""
    line = next(line for line in rules.lines if line.id == category)
    return line.points, line.first


def straights(rules: RuleSet) -> int:
    """How many of the 7,776 throws are a straight."""
    straight = rules.category("straight")
    return sum(qualifies(rules, straight, throw) for throw in product(range(1, 7), repeat=5))


@cases("name", built_in_names())
def test_setting_an_option_to_its_present_value_changes_nothing(name: str) -> None:
    rules = built_in(name)
    for key, value in ((each.key, each.value) for each in options_of(rules)):
        again = with_settings(rules, [(key, value)])
        assert again.settings == settings_in_force(again) == ((key, value),)
        assert replace(again, settings=()) == rules


ANOTHER_VALUE = {
    "joker": "free",
    "turning": "one",
    "throws": "4",
    "fill-order": "top-to-bottom",
    "instant-win": "always",
    "instant-win-points": "7",
    "bonus": "10",
    "straights": "different",
    "aces": "2",
    "spares": "yes",
    "double-generala-needs": "five-alike",
}


@cases("name", built_in_names())
def test_an_option_shows_the_value_it_was_set_to(name: str) -> None:
    for key in (each.key for each in options_of(built_in(name))):
        switched = "no" if key.startswith("all-alike") else "yes" if key.startswith("same") else "77"
        value = ANOTHER_VALUE.get(key, switched)
        needed = [("double-generala", "yes")] if key == "double-generala-needs" else []
        changed = with_settings(built_in(name), [*needed, (key, value)])
        assert option(changed, key).value.partition("/")[0] == value


def test_the_options_of_generala() -> None:
    assert [option.key for option in options_of(built_in("generala"))] == [
        "throws",
        "fill-order",
        "instant-win",
        "instant-win-points",
        "bonus",
        "upper-bonus",
        "spares",
        "straights",
        "aces",
        "all-alike-as-full-house",
        "all-alike-as-four-of-a-kind",
        "straight",
        "full-house",
        "four-of-a-kind",
        "generala",
        "double-generala",
        "double-generala-needs",
    ]


def test_a_double_that_needs_five_alike_is_to_be_in_play() -> None:
    with pytest.raises(NotAllowed, match="needs double generala in play; add double-generala=yes"):
        changed("generala", "double-generala-needs=five-alike")
    with pytest.raises(NotAllowed, match="in play"):
        changed("generala", "double-generala-needs=five-alike", "double-generala=no")
    assert changed("generala", "double-generala-needs=points").lines == built_in("generala").lines
    assert (
        changed("generala", "double-generala-needs=five", "double=130")
        .find_category("double")
        .needs_five_alike
    )


def test_later_and_first_throw_points_are_set_together() -> None:
    rules = changed("generala", "straight=21/33")
    straight = rules.category("straight")
    assert worth(rules, straight, (1, 2, 3, 4, 5), 1) == 33
    assert worth(rules, straight, (1, 2, 3, 4, 5), 2) == 21
    assert option(rules, "straight").value == "21/33"


@cases(("name", "first"), [("generala", 30), ("generala-ace", 35)])
def test_points_alone_keep_the_bonus_as_it_was(name: str, first: int) -> None:
    assert price(changed(name, "straight=25"), "straight") == (25, first)


def test_a_category_without_a_first_throw_price_can_be_given_one() -> None:
    rules = changed("generala", "generala=50/60")
    assert worth(rules, rules.category("generala"), (6,) * 5, 1) == 60
    assert worth(rules, rules.category("generala"), (6,) * 5, 3) == 50


def test_the_first_throw_may_pay_the_same_but_never_less() -> None:
    assert price(changed("generala", "straight=25/25"), "straight") == (25, 25)
    with pytest.raises(UsageError, match=r"^straight=25/20 pays less on the first throw"):
        changed("generala", "straight=25/20")


@cases(("name", "bonus"), [("generala", 0), ("generals", 5), ("general", 10)])
def test_the_bonus_is_what_a_served_hand_gains(name: str, bonus: int) -> None:
    rules = changed(name, f"bonus={bonus}")
    hands = {"straight": (1, 2, 3, 4, 5), "full-house": (3, 3, 5, 5, 5), "four-of-a-kind": (2, 2, 2, 2, 6)}
    later = {"straight": 20, "full-house": 30, "four-of-a-kind": 40}
    for category, dice in hands.items():
        assert worth(rules, rules.category(category), dice, 1) == later[category] + bonus
        assert worth(rules, rules.category(category), dice, 2) == later[category]


def test_the_bonus_leaves_generala_and_the_numbers_alone() -> None:
    rules = changed("generala", "bonus=10")
    assert worth(rules, rules.category("generala"), (6,) * 5, 1) == 50
    assert worth(rules, rules.category("sixes"), (6,) * 5, 1) == 30


def test_a_bonus_of_nothing_can_be_raised_again() -> None:
    assert again(changed("generala", "bonus=0"), "bonus=5").lines == built_in("generala").lines


def test_boxes_of_different_bonus_are_shown_so() -> None:
    assert option(changed("generala", "straight=20/30"), "bonus").value == "5, 10"


@cases(
    ("settings", "double"),
    [
        (["double-generala=yes"], 100),
        (["double-generala=yes", "generala=60"], 120),
        (["generala=60", "double-generala=yes"], 120),
        (["double-generala=130"], 130),
        (["double-generala=130", "generala=60"], 130),
        (["generala=60", "double-generala=130"], 130),
        (["doble=sí"], 100),
    ],
)
def test_double_generala_is_twice_generala_by_default(settings: list[str], double: int) -> None:
    rules = changed("generala", *settings)
    assert len(rules.categories) == 11
    assert worth(rules, rules.category("double-generala"), (4,) * 5, 1) == double
    assert worth(rules, rules.category("double-generala"), (4,) * 5, 3) == double


@cases(
    ("name", "double"),
    [("generala", 100), ("generala-round", 100), ("generala-ace", 120), ("generals", 120), ("general", 120)],
)
def test_double_generala_pays_100_with_50_and_120_with_60(name: str, double: int) -> None:
    rules = changed(name, "double-generala=yes")
    assert rules.categories[-1].id == "double-generala"
    assert price(rules, "double-generala") == (double, None)


@cases("name", FAMILY)
def test_double_generala_is_out_of_play_until_asked_for_and_can_be_put_out_again(name: str) -> None:
    assert len(built_in(name).categories) == 10
    assert len(again(changed(name, "double-generala=yes"), "double-generala=no").categories) == 10


@cases(
    ("yes", "no"),
    [("y", "n"), ("Sí", "No"), ("JA", "Nein"), ("on", "off"), ("1", "0")],
)
def test_yes_and_no_are_understood_in_every_language(yes: str, no: str) -> None:
    assert len(changed("generala", f"double-generala={yes}").categories) == 11
    assert len(again(changed("generala", f"double-generala={yes}"), f"double-generala={no}").categories) == 10
    assert changed("kniffel", f"upper-bonus={no}").upper_bonus is None
    with pytest.raises(UsageError, match="neither yes nor no"):
        changed("generala", f"double-generala=x{yes}")


@cases(
    ("name", "typed", "stored"),
    [
        ("generala", "todo-igual-es-full=sí", "all-alike-as-full-house=yes"),
        ("generala", "Straßen=rundum", "straights=round"),
        ("generala", "ases=ninguno", "aces=none"),
        ("generala", "orden=números-p", "fill-order=upper-first"),
        ("yatzy", "mismo-número-en-doble-par=sí", "same-face-as-two-pairs=yes"),
        ("yahtzee", "extra-yahtzee=50", "extra-yahtzee=50"),
    ],
)
def test_keys_and_values_work_in_every_language(name: str, typed: str, stored: str) -> None:
    with speaking("es"):
        assert settings_in_force(changed(name, typed)) == settings_in_force(changed(name, stored))


@cases(
    ("value", "throws"),
    [
        ("two-runs", 240),
        ("12345+23456", 240),
        ("54321, 65432,", 240),
        ("23456", 120),
        ("Ace After Six", 360),
        ("12345 23456 34561", 360),
        ("round", 720),
        ("DIFFERENT", 720),
    ],
)
def test_the_forms_of_straights_by_how_many_throws_they_take(value: str, throws: int) -> None:
    # A run of five different faces falls in 5! = 120 orders; six sets of five faces: 720.
    assert straights(changed("generala", f"straights={value}")) == throws


@cases(
    ("aces", "throws"),
    [
        # None: 2 x 120. A two: also 13456 (120) and 11345 (5! / 2! = 60). A six adds nothing: 2345 and an
        # ace is 12345 already, and no run holds both 1 and 6.
        ("none", 240),
        ("2", 420),
        ("6", 240),
        ("2,6", 420),
        ("6 2", 420),
    ],
)
def test_what_aces_that_stand_for_other_faces_add(aces: str, throws: int) -> None:
    assert straights(changed("generala", f"aces={aces}")) == throws


@cases(
    ("dice", "makes"),
    [
        ((1, 1, 3, 4, 5), True),
        ((1, 3, 4, 5, 6), True),
        ((1, 2, 3, 4, 5), True),
        ((2, 3, 4, 5, 6), True),
        ((1, 1, 2, 3, 4), False),
        ((1, 2, 4, 5, 6), False),
        ((1, 1, 4, 5, 6), False),
    ],
)
def test_two_and_six_add_exactly_11345_and_13456(dice: tuple[int, ...], makes: bool) -> None:
    rules = changed("generala", "aces=2,6")
    assert qualifies(rules, rules.category("straight"), dice) is makes


@cases("aces", ["5", "2,3", "1", "2,2", "7"])
def test_an_ace_stands_for_nothing_but_a_two_or_a_six(aces: str) -> None:
    with pytest.raises(UsageError, match=r"^an ace may stand only for a 2 or a 6"):
        changed("generala", f"aces={aces}")


@pytest.mark.parametrize("aces", ["", "two", "2;6", "２", pytest.param("2" * 5000, id="long")])
def test_aces_that_are_no_faces_are_refused(aces: str) -> None:
    with pytest.raises(UsageError):
        changed("generala", f"aces={aces}")


@cases("value", ["", "1234", "1234,12345", "12347", "12345,12345", "１２３４５", "runs"])
def test_straights_that_are_none_are_refused_with_what_to_type(value: str) -> None:
    with pytest.raises(UsageError) as refused:
        changed("generala", f"straights={value}")
    assert str(refused.value.message) == f"straights={value} is not a list of straights with 5 dice"
    assert "two-runs, ace-after-six, round, different" in str(refused.value.hint)


def test_straights_of_fewer_dice_are_typed_only_where_the_game_has_them() -> None:
    straight = next(line for line in built_in("kniffel").lines if line.id == "small-straight")
    generala = built_in("generala")
    lines = [replace(straight, id="straight") if line.id == "straight" else line for line in generala.lines]
    rules = replace(generala, lines=tuple(lines))
    assert option(rules, "straights").value == "1234,2345,3456"
    assert straights(with_settings(rules, [("straights", "1234,2345,3456")])) == 1_200
    assert straights(with_settings(rules, [("straights", "12345")])) == 120
    with pytest.raises(UsageError, match="is not a list of straights with 5 dice"):
        with_settings(rules, [("straights", "123")])


def test_an_ace_may_stand_for_a_two_in_a_run_of_fewer_dice() -> None:
    straight = Straight(runs=("1234", "2345", "3456"), aces_stand_for=(2,))
    assert straight.matches((1, 1, 3, 4, 6), 6)
    assert straight.matches((6, 5, 4, 3, 3), 6)
    assert not straight.matches((1, 2, 2, 4, 5), 6)
    assert not replace(straight, aces_stand_for=()).matches((1, 1, 3, 4, 6), 6)


def test_kniffel_pays_35_from_63_and_a_house_may_change_both() -> None:
    assert built_in("kniffel").upper_bonus == UpperBonus(threshold=63, points=35)
    house = changed("kniffel", "upper-bonus=50", "upper-bonus-from=84")
    assert house.upper_bonus == UpperBonus(threshold=84, points=50)
    assert option(house, "upper-bonus-from").value == "84"


@cases("off", ["0", "No", "none"])
def test_the_upper_bonus_is_switched_off_and_on_again(off: str) -> None:
    house = changed("kniffel", f"upper-bonus={off}")
    assert house.upper_bonus is None
    assert option(house, "upper-bonus").value == "no"
    assert "upper-bonus-from" not in [option.key for option in options_of(house)]
    assert again(house, "upper-bonus=35").upper_bonus == UpperBonus(threshold=63, points=35)


@cases(("name", "threshold"), [("generala", 63), ("yacht", 63), ("crag", 42)])
def test_any_game_may_have_an_upper_bonus_from_a_good_half_of_each_number(name: str, threshold: int) -> None:
    # Three of each number with five dice, two of each with three: 3 x 21 and 2 x 21.
    assert changed(name, "upper-bonus=35").upper_bonus == UpperBonus(threshold=threshold, points=35)


@cases(
    ("name", "setting", "message"),
    [
        ("kniffel", "upper-bonus=yes", "upper-bonus=yes is not a whole number from 0 to 100000"),
        ("kniffel", "upper-bonus=100001", "upper-bonus=100001 is not a whole number from 0 to 100000"),
        ("kniffel", "upper-bonus-from=106", "upper-bonus-from=106 is not a whole number from 1 to 105"),
        ("kniffel", "upper-bonus-from=0", "upper-bonus-from=0 is not a whole number from 1 to 105"),
        ("generala", "upper-bonus-from=63", "there is no option 'upper-bonus-from'"),
    ],
)
def test_an_upper_bonus_that_makes_no_sense_is_refused(name: str, setting: str, message: str) -> None:
    with pytest.raises(GeneralaError) as refused:
        changed(name, setting)
    assert str(refused.value.message) == message
    assert "upper-bonus" in str(refused.value.hint)


def test_where_no_number_is_played_there_is_no_upper_bonus_to_set() -> None:
    generala = built_in("generala")
    figures = replace(generala, lines=tuple(line for line in generala.lines if line.number is None))
    with pytest.raises(NotFound):
        with_settings(figures, [("upper-bonus", "35")])


@cases("value", ["0", "10", "-1", "3.0", "", "３", "1" * 30])
def test_a_wrong_number_of_throws_is_refused(value: str) -> None:
    with pytest.raises(UsageError, match=r"is not a whole number from 1 to 9; type throws=N$"):
        changed("generala", f"throws={value}")


@cases("prefix", ["five-alike-as-", "all-alike-as-"])
@cases("category", ["four-of-a-kind", "full-house"])
@cases(("value", "counts"), [("yes", True), ("no", False)])
@cases("name", ["generala", "yacht"])
def test_whether_five_alike_counts_is_a_house_rule(
    name: str, category: str, prefix: str, value: str, counts: bool
) -> None:
    rules = changed(name, f"{prefix}{category}={value}")
    assert qualifies(rules, rules.category(category), (3,) * 5) is counts
    assert qualifies(rules, rules.category("four-of-a-kind"), (3, 3, 3, 3, 5))
    assert qualifies(rules, rules.category("full-house"), (3, 3, 3, 5, 5))


@cases("name", ["generala", "yacht", "golden-fifty"])
@cases(("mode", "wins"), [("never", False), ("while-open", True), ("always", True)])
def test_instant_win_modes(name: str, mode: str, wins: bool) -> None:
    rules = changed(name, f"instant-win={mode}")
    assert rules.instant_win is not None
    assert rules.instant_win.when == mode
    assert can_win_instantly(rules, (2,) * 5, 1) is wins
    assert not can_win_instantly(rules, (2,) * 5, 2)
    assert not can_win_instantly(rules, (2, 2, 2, 2, 3), 1)


def test_instant_win_points() -> None:
    assert changed("generala", "instant-win-points=50").instant_win_points == 50
    assert (
        again(
            changed("generala", "instant-win-points=50"), "instant-win-points=difference"
        ).instant_win_points
        is None
    )


def test_the_fill_order_by_its_start() -> None:
    assert changed("generala", "fill-order=top").fill_order == "top-to-bottom"


def test_spares_are_saved_by_every_figure_of_a_fixed_price() -> None:
    rules = changed("generala", "double-generala=yes", "spares=yes")
    saving = [category.id for category in rules.categories if category.saves_spares]
    assert saving == ["straight", "full-house", "four-of-a-kind", "generala"]
    assert rules.has_spares
    assert not built_in("generala").has_spares


def test_golden_fifty_can_be_played_without_spares_and_with_them_again() -> None:
    assert built_in("golden-fifty").has_spares
    assert not changed("golden-fifty", "spares=no").has_spares
    assert again(changed("golden-fifty", "spares=no"), "spares=yes").lines == built_in("golden-fifty").lines


def test_crag_knows_no_instant_win() -> None:
    with pytest.raises(NotFound, match=r"^there is no option 'instant-win'"):
        changed("crag", "instant-win=always")


@cases(
    ("typed", "meant"),
    [("trows", "throws"), ("strait", "straight")],
)
def test_a_wrong_key_is_refused_with_the_nearest(typed: str, meant: str) -> None:
    with pytest.raises(NotFound, match=f"^there is no option '{typed}'; did-you-mean.*{meant}"):
        changed("generala", f"{typed}=3")


def test_a_key_that_could_be_two_is_ambiguous() -> None:
    with pytest.raises(Ambiguous, match=r"^'instant' fits more than one option"):
        changed("generala", "instant=never")


@cases(
    ("typed", "key"),
    [
        ("THROWS=4", "throws"),
        ("fill=any", "fill-order"),
        ("escalera=25", "straight"),
        ("póker=44", "four-of-a-kind"),
    ],
)
def test_a_key_may_be_any_name_in_use_and_is_recorded_by_its_own(typed: str, key: str) -> None:
    assert changed("generala", typed).settings[0][0] == key


@cases(
    ("setting", "message"),
    [
        ("fill-order=random", "there is no choice for fill-order: 'random'"),
        ("bonus=-5", "bonus=-5 is not a whole number from 0 to 100000"),
        ("spares=maybe", "spares=maybe is neither yes nor no"),
        ("double-generala=0/5", "double-generala=0 is not a whole number from 1 to 100000"),
        ("five-alike-as-full-house=2", "all-alike-as-full-house=2 is neither yes nor no"),
        ("instant-win-points=-1", "instant-win-points=-1 is not a whole number from 0 to 100000"),
        ("straight=100001", "straight=100001 is not a whole number from 1 to 100000"),
        ("straight=20/", "straight= is not a whole number from 1 to 100000"),
        ("straight=20/25/30", "straight=25/30 is not a whole number from 1 to 100000"),
    ],
)
def test_a_wrong_value_is_refused_with_a_reason(setting: str, message: str) -> None:
    with pytest.raises(GeneralaError) as refused:
        changed("generala", setting)
    assert str(refused.value.message) == message
    assert refused.value.hint


def test_a_value_like_another_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"did-you-mean\(never\)$"):
        changed("generala", "instant-win=neverr")


def test_a_number_category_has_no_price_to_set() -> None:
    with pytest.raises(NotFound):
        changed("generala", "sixes=60")


def test_settings_are_remembered_as_typed_and_once() -> None:
    rules = changed("generala", "throws=4", "bonus= 10 ", "throws=4")
    assert rules.throws == 4
    assert rules.settings == (("throws", "4"), ("bonus", "10"))
    assert again(rules, "throws=2").settings == (("bonus", "10"), ("throws", "2"))


PRICES = {"straight": "21", "full-house": "31/50", "generala": "60", "double-generala": "100", "bonus": "10"}
OTHERS = {"upper-bonus": "35", "fill-order": "top-to-bottom", "instant-win": "always", "spares": "yes"}
OTHERS |= {"straights": "ace-after-six", "aces": "2", "all-alike-as-full-house": "yes", "throws": "4"}


@given(st.permutations([*PRICES.items(), *OTHERS.items()]), st.integers(0, 13))
def test_settings_mean_the_same_in_whatever_order(settings: list[tuple[str, str]], count: int) -> None:
    some = settings[:count]
    rules = with_settings(built_in("generala"), some)
    assert replace(rules, settings=()) == replace(
        with_settings(built_in("generala"), sorted(some)), settings=()
    )
    assert rules.settings == tuple(some)


@given(st.permutations([*PRICES.items()]))
def test_a_price_that_was_set_stands_and_the_others_follow(settings: list[tuple[str, str]]) -> None:
    rules = with_settings(built_in("generala"), settings)
    prices = {line.id: price(rules, line.id) for line in rules.categories if line.points}
    assert prices == {
        "straight": (21, 31),
        "full-house": (31, 50),
        "four-of-a-kind": (40, 50),
        "generala": (60, None),
        "double-generala": (100, None),
    }


@cases(
    "settings",
    [
        ("throws=2", "throws=4"),
        ("double-generala=no", "double-generala=120"),
        ("double-generala=110", "double-generala=120"),
        ("straight=25/30", "escalera=25/35"),
        ("upper-bonus=no", "upper-bonus=35"),
    ],
)
def test_what_contradicts_is_refused_in_either_order(settings: tuple[str, str]) -> None:
    for order in (settings, settings[::-1]):
        with pytest.raises(UsageError, match="conflict"):
            changed("generala", *order)


@cases(
    "settings",
    [
        ("throws=3", "throws=3"),
        ("double-generala=yes", "double-generala=120"),
        ("double-generala=1", "double=yes"),
        ("straight=25", "straight=25/30"),
        ("straights=12345,23456", "straights=two-runs"),
        ("upper-bonus=no", "upper-bonus=0"),
    ],
)
def test_what_says_the_same_twice_is_accepted(settings: tuple[str, str]) -> None:
    one, other = (replace(changed("generala", *order), settings=()) for order in (settings, settings[::-1]))
    assert one == other


def test_an_option_that_another_brings_may_come_first() -> None:
    for order in (("upper-bonus-from=70", "upper-bonus=35"), ("upper-bonus=35", "upper-bonus-from=70")):
        assert changed("generala", *order).upper_bonus == UpperBonus(threshold=70, points=35)


def test_an_upper_bonus_that_is_switched_off_has_no_threshold() -> None:
    for order in (("upper-bonus=no", "upper-bonus-from=70"), ("upper-bonus-from=70", "upper-bonus=no")):
        with pytest.raises(NotAllowed, match="needs an upper bonus"):
            changed("kniffel", *order)


def test_an_instant_win_may_be_worth_nothing() -> None:
    rules = changed("generala", "instant-win-points=0")
    assert rules.instant_win_points == 0
    assert option(rules, "instant-win-points").value == "0"


@cases("name", built_in_names())
def test_every_option_says_what_may_be_typed(name: str) -> None:
    assert all(option.choices and option.value for option in options_of(built_in(name)))


def accepts(name: str, setting: str) -> bool:
    try:
        return bool(changed(name, setting))
    except GeneralaError:
        return False


@cases("name", built_in_names())
def test_a_switch_is_what_takes_yes_and_no(name: str) -> None:
    switches = [option.key for option in options_of(built_in(name)) if option.is_switch]
    keys = [option.key for option in options_of(built_in(name))]
    assert switches == [key for key in keys if accepts(name, f"{key}=yes") and accepts(name, f"{key}=no")]


def test_a_double_may_have_a_first_throw_price_of_its_own() -> None:
    double = changed("generala", "double-generala=120/150").category("double-generala")
    assert (double.points, double.first) == (120, 150)


@cases(
    ("typed", "meant"),
    [
        ("SPARES=sí", "spares=yes"),
        ("upper-bonus=0", "upper-bonus=no"),
        ("full=40", "full-house=40/45"),
        ("fill=top", "fill-order=top-to-bottom"),
        ("throws=2 bonus= 10", "bonus=10 throws=2"),
        ("bonus=10 throws=2 bonus=10", "bonus=10 throws=2"),
    ],
)
def test_options_that_were_set_have_one_spelling(typed: str, meant: str) -> None:
    pairs = [each.partition("=") for each in typed.replace("= ", "=").split()]
    rules = with_settings(built_in("general"), [(key, value) for key, _, value in pairs])
    assert " ".join(f"{key}={value}" for key, value in settings_in_force(rules)) == meant
