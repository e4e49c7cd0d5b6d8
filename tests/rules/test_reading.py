"""A rule set from a document and back, and every error in a document at once, each at its place."""

import tomllib
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, json

from generala_cli.errors import NotAllowed
from generala_cli.rules.catalog import built_in, built_in_names, built_in_text
from generala_cli.rules.fingerprint import fingerprint
from generala_cli.rules.options import options_of, with_settings
from generala_cli.rules.patterns import Alike, Groups, Straight, Total
from generala_cli.rules.rulefile import check_rules, read_rules, rules_document
from generala_cli.rules.ruleset import RuleSet, UpperBonus
from tests.cases import cases

# A value other than the present one, for every kind of option.
ORDERS = '"any", "bottom-to-top", "lower-first", "top-to-bottom" or "upper-first"'
OTHER_VALUES = {
    "throws": "5",
    "turning": "one",
    "fill-order": "top-to-bottom",
    "joker": "own-box-first",
    "instant-win": "while-open",
    "instant-win-points": "30",
    "bonus": "0",
    "spares": "yes",
    "straights": "different",
    "aces": "2,6",
    "double-generala": "yes",
    "double-generala-needs": "points",  # five-alike, if there is a double
}


HUGE = pytest.param(16**4999, id="huge")
POINTS = (
    'a number of points from 1 to 100000, a list of them by throw, "sum" (of all dice), "sum+20", '
    'or "made" (of the matching dice)'
)
RUNS = '"round", "different" or a list of runs of equal length, each with at most 5 faces from 1 to 6'


def other_value(key: str) -> str:
    return OTHER_VALUES.get(key, "yes" if key.startswith(("all-alike-as-", "same-face-as-")) else "77")


def document_of(name: str = "generala") -> dict[str, object]:
    return tomllib.loads(built_in_text(name))


def categories(document: Mapping[str, object]) -> list[dict[str, object]]:
    lines = document["category"]
    assert isinstance(lines, list)
    return lines


def line(document: Mapping[str, object], wanted: str) -> dict[str, object]:
    return next(category for category in categories(document) if category["id"] == wanted)


def problems_of(document: object) -> list[str]:
    return [str(problem) for problem in read_rules(document)[1]]


def sound(document: object) -> RuleSet:
    """The rule set in a document without any error."""
    rules, problems = check_rules(document)
    assert problems == []
    assert rules is not None
    return rules


def read_back(rules: RuleSet) -> RuleSet:
    return sound(rules_document(rules))


def small_document(**changed: object) -> dict[str, object]:
    document: dict[str, object] = {
        "format": 1,
        "name": "house",
        "title": "House",
        "source": "ours",
        "dice": 3,
        "faces": 6,
        "throws": 2,
        "category": [{"id": "ones", "name": "ones", "number": 1}],
    }
    return document | changed


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize("name", built_in_names())
def test_a_changed_rule_set_is_read_back_as_it_was(name: str) -> None:
    for setting in ((each.key, other_value(each.key)) for each in options_of(built_in(name))):
        changed = with_settings(built_in(name), [setting])
        assert read_back(changed) == changed
        assert read_back(changed).settings == (setting,)


def test_what_a_double_needs_is_read_back() -> None:
    settings = (("double-generala", "yes"), ("double-generala-needs", "five-alike"))
    changed = with_settings(built_in("generala"), settings)
    assert read_back(changed) == changed
    assert fingerprint(changed) != fingerprint(with_settings(built_in("generala"), settings[:1]))


def test_only_a_double_of_five_alike_needs_five_alike() -> None:
    document = document_of()
    line(document, "straight")["needs"] = "points"
    line(document, "double-generala").update({"after": "four-of-a-kind", "needs": "five-alike"})
    assert problems_of(document) == [
        "category 7 (straight): needs: is valid only together with after",
        "category 11 (double-generala): needs: must be after a category with alike = 5",
    ]


@cases(
    "settings",
    [
        [("straight", "99990/99995")],
        [("bonus", "49990")],
        [("generala", "40000"), ("double-generala", "yes")],
        [("double-generala", "yes"), ("generala", "40000")],
    ],
)
def test_the_highest_prices_can_be_read_back(settings: list[tuple[str, str]]) -> None:
    changed = with_settings(built_in("generala"), settings)
    assert read_back(changed) == changed


@cases(
    "settings",
    [
        [("bonus", "100000")],
        [("generala", "60000"), ("double-generala", "yes")],
        [("double-generala", "yes"), ("generala", "60000")],
        [("generala", "100000")],
    ],
)
def test_a_box_worth_more_than_100000_is_refused(settings: list[tuple[str, str]]) -> None:
    with pytest.raises(NotAllowed, match="makes a box worth more than 100000 points"):
        with_settings(built_in("generala"), settings)


def test_the_smallest_document_is_a_game() -> None:
    rules = sound(small_document())
    assert (rules.fill_order, rules.opening_throws, rules.instant_win) == ("any", False, None)
    assert (rules.instant_win_points, rules.summary, rules.settings, rules.throw_names) == (None, "", (), ())


def test_what_a_category_asks_is_what_it_says() -> None:
    rules = sound(document_of("generala-ace"))
    assert rules.category("straight").asks == (Straight(runs=("12345", "23456"), aces_stand_for=(2,)),)
    assert rules.category("full-house").asks == (Groups(sizes=(3, 2), all_alike=False),)
    assert rules.category("four-of-a-kind").asks == (Alike(count=4, all_alike=True),)


def test_a_box_without_points_pays_twice_the_box_it_comes_after() -> None:
    document = document_of()
    line(document, "generala")["points"] = 70
    rules = sound(document)
    assert rules.lines[-1].points == 140


def test_all_dice_summed_stays_so_in_a_box_that_comes_after_another() -> None:
    document = small_document(
        category=[
            {"id": "three", "name": "three alike", "alike": 3, "points": 50},
            {"id": "any", "name": "any", "any": True, "points": "sum", "after": "three"},
        ]
    )
    rules = sound(document)
    assert rules.lines[1].points is None


@cases("name", built_in_names())
def test_every_category_has_a_name_for_a_narrow_sheet_and_answers_to_it(name: str) -> None:
    rules = built_in(name)
    short = {category.id: category.short or category.name for category in rules.categories}
    assert max(map(len, short.values())) <= 8
    assert {shown: rules.find_category(shown).id for shown in short.values()} == {
        shown: category for category, shown in short.items()
    }


def test_a_short_name_may_be_left_out_and_has_eight_letters_at_most() -> None:
    document = document_of()
    del line(document, "full-house")["short"]
    assert read_back(sound(document)).category("full-house").short is UNSET
    line(document, "full-house")["short"] = "full house"
    line(document, "four-of-a-kind")["short"] = "Straight"
    assert problems_of(document) == [
        "category 8 (full-house): short: must be a string of 1 to 8 characters, not 'full house'",
        "category 9 (four-of-a-kind): 'Straight' is already a name of straight",
    ]


def test_names_in_other_languages_are_read_back_and_left_out_where_there_are_none() -> None:
    document = small_document(titles={"es": "La casa"})
    categories(document)[0] |= {"names": {"es": "siete", "yue": "一"}, "shorts": {"de": "7"}}
    assert read_back(sound(document)) == sound(document)
    assert b'"names"' not in json.encode(sound(small_document()))


def test_errors_of_names_in_other_languages_are_reported_at_their_place() -> None:
    document = document_of()
    document |= {"titles": "La casa", "summaries": {"Deutsch": "Das Haus"}, "instant_win": {"name": "win"}}
    line(document, "ones")["names"] = {"es": "", "de": 1}
    line(document, "twos")["shorts"] = {"de": "Zweierchen"}
    line(document, "fours")["names"] = {"es": "cuatro\u202e", "e": "quatre", "a b": "four"}
    line(document, "fives")["names"] = {"es": "seises"}
    assert problems_of(document) == [
        "titles: must be a table of keys, not 'La casa'",
        "instant_win: box: is missing; it must be a string of 1 to 40 characters",
        'instant_win: when: is missing; it must be "always", "never", "unless-scratched" or "while-open"',
        "category 1 (ones): names.es: must be a string of 1 to 40 characters, not ''",
        "category 1 (ones): names.de: must be a string of 1 to 40 characters, not 1",
        "category 2 (twos): shorts.de: must be a string of 1 to 8 characters, not 'Zweierchen'",
        "category 4 (fours): names.es: must not contain the character U+202E",
        "category 4 (fours): names.e: must be a language code, such as es",
        "category 4 (fours): names.'a b': must be a language code, such as es",
        "category 6 (sixes): 'seises' is already a name of fives",
    ]


def test_every_error_in_a_document_is_reported_at_its_place() -> None:
    document = document_of()
    document |= {
        "format": 2,
        "title": "",
        "throws": True,
        "fill_order": "bottom-up",
        "opening_throw": True,
        "instant_win_points": -1,
    }
    line(document, "ones")["number"] = 7
    line(document, "twos").update({"points": 2, "saves_spares": 1})
    line(document, "threes")["nmae"] = "threes"
    del line(document, "fours")["name"]
    line(document, "straight")["straight"] = ["12345", "23457"]
    line(document, "full-house")["groups"] = [3, 3]
    line(document, "four-of-a-kind")["alike"] = "4"
    line(document, "generala")["points"] = 50.5
    line(document, "double-generala")["after"] = "nothing"
    assert problems_of(document) == [
        "format: must be 1, not 2",
        "title: must be a string of 1 to 100 characters, not ''",
        "throws: must be a whole number from 1 to 9, not true",
        f"fill_order: must be {ORDERS}, not 'bottom-up'",
        "instant_win_points: must be a whole number from 0 to 100000, not -1",
        "unknown key 'opening_throw'; did you mean 'opening_throws'?",
        "category 2 (twos): saves_spares: must be true or false, not 1",
        "category 3 (threes): unknown key 'nmae'; did you mean 'name'?",
        "category 4 (fours): name: is missing; it must be a string of 1 to 40 characters",
        "category 9 (four-of-a-kind): alike: must be a whole number from 1 to 8, not '4'",
        f"category 10 (generala): points: must be {POINTS}, not 50.5",
        "category 1 (ones): number: must be a whole number from 1 to 6, not 7",
        f"category 7 (straight): straight: must be {RUNS}, not '12345', '23457'",
        "category 8 (full-house): groups: must add up to 5, the number of dice",
        "category 11 (double-generala): after: must be the id of a category above it",
    ]


NO_ACES = "aces: may only be 2 and 6"
ABOVE = "after: must be the id of a category above it"
DEARER = "first: must be a fixed number, at least the points of later throws"
ONE_ERROR: list[tuple[str, str, dict[str, object], str]] = [
    (
        "generala",
        "twos",
        {"points": "sum"},
        "points: must be omitted: a number category scores the sum of its dice",
    ),
    ("generala", "twos", {"aliases": ["UNÓS"]}, "'UN\\xd3S' is already a name of ones"),
    ("generala", "straight", {"straight": ["12345", "12345"]}, "straight: contains a run twice"),
    ("generala", "straight", {"aces": [5]}, NO_ACES),
    ("generala", "straight", {"aces": [2, 3]}, NO_ACES),
    ("generala", "straight", {"aces": [2, 2]}, NO_ACES),
    ("generala", "straight", {"aces": [1]}, NO_ACES),
    ("yacht", "choice", {"any": False}, "any: must be true or omitted"),
    ("generala", "double-generala", {"after": "generalla"}, ABOVE),
    ("generala", "double-generala", {"after": "double-generala"}, ABOVE),
    ("generala", "double-generala", {"after": "Generala"}, ABOVE),
    ("generala", "straight", {"after": "generala"}, ABOVE),
    ("generala", "straight", {"first": 19}, DEARER),
    ("yacht", "choice", {"first": 20}, DEARER),
    ("yacht", "choice", {"first": 99}, DEARER),
]


@cases(("name", "box", "keys", "problem"), ONE_ERROR)
def test_one_wrong_key_of_a_category_is_one_error(
    name: str, box: str, keys: dict[str, object], problem: str
) -> None:
    document = document_of(name)
    line(document, box).update(keys)
    (found,) = problems_of(document)
    assert found.startswith("category ")
    assert found.endswith(f" ({box}): {problem}")


def test_a_category_must_ask_something() -> None:
    document = document_of()
    del line(document, "generala")["alike"]
    asked = "number, alike, groups, sets, straight, total or any"
    assert f"category 10 (generala): must have at least one requirement: {asked}" in problems_of(document)


@cases("key", ["format", "name", "title", "source", "dice", "faces", "throws", "category"])
def test_a_missing_key_is_named(key: str) -> None:
    document = small_document()
    del document[key]
    assert [problem.split(";")[0] for problem in problems_of(document)] == [f"{key}: is missing"]


@pytest.mark.parametrize("wrong", [True, "3", 3.0, -1, 10**9, None, [3], 1e99, HUGE])
def test_what_is_no_whole_number_in_range_is_refused_wherever_one_must_stand(wrong: object) -> None:
    keys = ("format", "dice", "faces", "throws", "instant_win_points")
    document = document_of() | dict.fromkeys(keys, wrong) | {"upper_bonus": {"from": wrong, "points": wrong}}
    line(document, "generala").update(alike=wrong, first=wrong)
    line(document, "ones")["number"] = wrong
    places = (*keys, "upper_bonus: from", "upper_bonus: points", "category 1 (ones): number")
    found = problems_of(document)
    for place in (*places, "category 10 (generala): alike", "category 10 (generala): first"):
        must = "must be 1" if place == "format" else "must be a whole number from "
        assert any(problem.startswith(f"{place}: {must}") for problem in found)


@cases(
    ("key", "wrong", "wanted"),
    [
        ("title", "x" * 101, f"a string of 1 to 100 characters, not '{'x' * 56}..."),
        ("source", "", "a string of 1 to 2000 characters, not ''"),
        ("summary", 3, "a string of 0 to 2000 characters, not 3"),
        ("name", "a--b", "lowercase letters, digits and single hyphens, not 'a--b'"),
        ("settings", [["a", 1]], "a list of pairs of strings, not a list"),
        ("throw_names", 3, "a table of keys, not 3"),
        ("instant_win", "always", "a table of keys, not 'always'"),
        ("category", {"id": "ones"}, "a list of tables, not a table"),
    ],
)
def test_an_error_says_what_is_wrong_and_what_would_be_right(key: str, wrong: object, wanted: str) -> None:
    assert f"{key}: must be {wanted}" in problems_of(small_document(**{key: wrong}))


@cases("document", [None, [], "rules", 3])
def test_what_is_no_table_is_no_rule_set(document: object) -> None:
    assert problems_of(document)[0].startswith("must be a table of keys, not ")


def test_a_sheet_has_at_least_one_line_and_at_most_forty() -> None:
    assert "category: a sheet has 1 to 40 categories, not 0" in problems_of(small_document(category=[]))
    many: list[object] = [
        {"id": f"box{n}", "name": f"box {n}", "any": True, "points": n + 1} for n in range(41)
    ]
    assert problems_of(small_document(category=many[:40])) == []
    assert problems_of(small_document(category=many)) == ["category: a sheet has 1 to 40 categories, not 41"]


def test_an_entry_that_is_no_table_is_reported_at_its_number() -> None:
    document = document_of()
    categories(document)[1] = 3  # type: ignore[call-overload]
    assert "category 2: must be a table of keys, not 3" in problems_of(document)


def test_two_categories_of_one_id_are_refused() -> None:
    document = document_of()
    line(document, "twos").update({"id": "ones", "name": "second ones", "aliases": []})
    assert "category 2 (ones): 'ones' is already a name of ones" in problems_of(document)


def test_one_category_may_repeat_its_own_names() -> None:
    document = document_of()
    line(document, "ones")["aliases"] = ["Ones", "ONES"]
    assert problems_of(document) == []


@cases(("key", "wrong"), [("number", 7), ("alike", 6), ("total", 4), ("total", 31)])
def test_a_pattern_outside_the_dice_is_refused(key: str, wrong: object) -> None:
    document = document_of()
    line(document, "generala").pop("alike")
    line(document, "generala")[key] = wrong
    (problem, *_) = problems_of(document)
    assert problem.startswith(f"category 10 (generala): {key}: must be a whole number from")


@cases("wrong", ["runde", ["123456"], ["12347"], ["12340"], [12345], [], ["1"], ["1234", "12345"]])
def test_straights_that_the_dice_cannot_show_are_refused(wrong: object) -> None:
    document = document_of()
    line(document, "straight")["straight"] = wrong
    (problem,) = problems_of(document)
    assert problem.startswith("category 7 (straight): straight: must be ")


@cases("runs", [["1234"], ["1234", "2345", "3456"], ["12", "23"], ["135"]])
def test_runs_may_all_be_of_fewer_faces_than_dice(runs: list[str]) -> None:
    document = document_of()
    line(document, "straight")["straight"] = runs
    rules = sound(document)
    assert read_back(rules) == rules


def test_a_round_of_more_dice_than_faces_is_refused() -> None:
    document = small_document(faces=2)
    document["category"] = [{"id": "run", "name": "run", "straight": "round", "points": 5}]
    assert len(problems_of(document)) == 1


def test_a_sum_may_be_as_high_as_all_dice_show() -> None:
    box = {"id": "most", "name": "most", "total": 72, "points": 5}
    assert sound(small_document(dice=8, faces=9, category=[box])).lines[0].asks == (Total(total=72),)


def test_the_instant_win_must_be_written_in_the_box_for_all_dice_alike() -> None:
    document = document_of()
    document["instant_win"] = {"name": "win", "box": "straight", "when": "always"}
    assert problems_of(document) == ["instant_win: box: must be the id of the category with alike = 5"]


def test_what_comes_after_a_double_pays_twice_as_much_again() -> None:
    """It sets no points of its own. Only `points = "sum"` sums the dice."""
    document = document_of()
    left_out = ("points", "names", "shorts", "aliases")
    double = {key: value for key, value in line(document, "double-generala").items() if key not in left_out}
    triple = {
        **double,
        "id": "triple",
        "name": "triple",
        "short": "triple",
        "after": "double-generala",
    }
    document["category"] = [*categories(document)[:-1], double, triple]
    assert [read.points for read in sound(document).lines[-3:]] == [50, 100, 200]


def with_upper_bonus(**keys: object) -> dict[str, object]:
    return document_of() | {"upper_bonus": {"from": 63, "points": 35} | keys}


def test_the_upper_bonus_is_what_it_says_and_is_read_back() -> None:
    rules = sound(with_upper_bonus())
    assert rules.upper_bonus == UpperBonus(threshold=63, points=35)
    assert read_back(rules) == rules
    assert rules_document(rules)["upper_bonus"] == {"from": 63, "points": 35}


def test_a_document_names_the_rule_of_jokers() -> None:
    assert rules_document(built_in("yahtzee"))["joker"] == {"rule": "forced", "extra": 100}


def test_an_upper_bonus_needs_both_its_keys_and_no_other() -> None:
    document = document_of() | {"upper_bonus": {"form": 63}}
    assert problems_of(document) == [
        "upper_bonus: from: is missing; it must be a whole number from 1 to 100000",
        "upper_bonus: points: is missing; it must be a whole number from 1 to 100000",
        "upper_bonus: unknown key 'form'; did you mean 'from'?",
    ]
    assert "upper_bonus: must be a table of keys, not 35" in problems_of(document_of() | {"upper_bonus": 35})


def test_an_upper_bonus_for_no_number_category_is_refused() -> None:
    document = with_upper_bonus()
    document["category"] = [line(document, "straight"), line(document, "full-house")]
    document.pop("instant_win")
    assert [str(problem) for problem in check_rules(document)[1]] == [
        "upper_bonus: needs a number category, such as number = 6"
    ]


@cases(("threshold", "refused"), [(105, False), (106, True)])
def test_an_upper_bonus_that_nobody_can_reach_is_an_error_of_sense(threshold: int, refused: bool) -> None:
    document = with_upper_bonus(**{"from": threshold})
    assert problems_of(document) == []
    assert [str(problem) for problem in check_rules(document)[1]] == (
        ["upper_bonus: from: must be at most 105, the highest sum of the number categories"]
        if refused
        else []
    )


def test_what_the_numbers_can_hold_is_not_guessed_from_wrong_dice() -> None:
    document = with_upper_bonus(**{"from": 106}) | {"dice": "6"}
    assert "upper_bonus" not in [problem.place.partition(":")[0] for problem in check_rules(document)[1]]


def test_a_throw_name_must_name_a_throw() -> None:
    document = document_of()
    document["throw_names"] = {"served": 1, "gut": 0, "late": "3"}
    assert problems_of(document) == [
        "throw_names: gut: must be a whole number from 1 to 9, not 0",
        "throw_names: late: must be a whole number from 1 to 9, not '3'",
    ]


@cases(("name", "shown"), [("throw 2", "'throw 2'"), ("4th", "'4th'"), ("a\u202e", "'a\\u202e'")])
def test_a_throw_name_cannot_be_taken_for_a_die(name: str, shown: str) -> None:
    document = document_of() | {"throw_names": {name: 1, "servida": 1}}
    assert problems_of(document) == [f"throw_names: {shown}: must be words that start with a letter"]


def test_a_pattern_that_no_hand_makes_is_an_error_of_sense() -> None:
    document = document_of("crag")
    line(document, "crag")["total"] = 3  # 1 1 1 is no pair and another
    line(document, "three-of-a-kind")["total"] = 13  # no multiple of three
    _, problems = check_rules(document)
    assert [str(problem) for problem in problems] == [
        "category 1 (crag): no hand can match it",
        "category 3 (three-of-a-kind): no hand can match it",
    ]
    assert read_rules(document)[1] == []


def test_a_sheet_with_no_line_in_play_is_an_error_of_sense() -> None:
    document = small_document()
    line(document, "ones")["in_play"] = False
    assert [str(problem) for problem in check_rules(document)[1]] == [
        "category: at least one must be in play"
    ]


def test_errors_of_form_and_of_sense_are_reported_together() -> None:
    document = document_of("crag")
    line(document, "crag")["total"] = 3
    document["throws"] = 0
    assert [problem.place for problem in check_rules(document)[1]] == ["throws", "category 1 (crag)"]


def test_no_hand_is_tried_on_a_category_that_makes_no_sense() -> None:
    document = document_of()
    document["throws"] = 0
    line(document, "straight")["straight"] = ["1234a"]
    assert [problem.place for problem in check_rules(document)[1]] == [
        "throws",
        "category 7 (straight): straight",
    ]


JUNK = st.sampled_from([None, True, 0, 3, 2.5, "", "x", "generala", [], ["1234a"], [3, "a"], {}, {"es": 1}])


@given(st.sampled_from(built_in_names()), st.data())
def test_whatever_stands_in_a_document_is_read_or_reported(name: str, data: st.DataObject) -> None:
    document = rules_document(built_in(name))
    for _ in range(3):
        table = data.draw(st.sampled_from([document, *categories(document)]))
        table[data.draw(st.sampled_from(sorted(set(table) - {"category"})))] = data.draw(JUNK)
    rules, problems = check_rules(document)
    assert rules is not None or problems


def test_a_message_holds_nothing_that_a_terminal_would_obey() -> None:
    for wrong in ({"\x1b[31mred": 1, "title": 3}, {"name": "\x1b]0;x\x07"}, {"title": "\x1b[31m"}):
        problems = problems_of(small_document(**wrong))
        assert problems
        assert all(problem.isprintable() for problem in problems)
