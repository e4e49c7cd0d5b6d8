"""Boxes that games share: a category that is `like` another has its keys, unless it sets its own."""

import re
import tomllib
from collections import Counter
from importlib.resources import files

from generala_cli.rules.boxes import shared_boxes
from generala_cli.rules.catalog import built_in, built_in_names, built_in_text, guide
from generala_cli.rules.patterns import Alike, Groups
from generala_cli.rules.rulefile import check_rules
from generala_cli.rules.ruleset import Category
from generala_cli.rules.throws import throws_by_name
from generala_cli.text import normalize
from tests.cases import cases

HOUSE = 'format = 1\nname = "house"\ntitle = "House"\nsource = "ours"\ndice = 5\nfaces = 6\nthrows = 3\n'


def house(*categories: str) -> object:
    return tomllib.loads(HOUSE + "".join(f"[[category]]\n{keys}\n" for keys in categories))


def category(keys: str) -> Category:
    rules, problems = check_rules(house(keys))
    assert rules is not None, problems
    return rules.lines[0]


def problems_of(*categories: str) -> list[str]:
    return [str(problem) for problem in check_rules(house(*categories))[1]]


def file_text(name: str) -> str:
    return (files("generala_cli.rules.catalog") / f"{name}.toml").read_text(encoding="utf-8")


def test_every_shared_box_is_used_by_two_games_or_more() -> None:
    documents = [tomllib.loads(file_text(name)) for name in built_in_names()]
    games = Counter(like for each in documents for like in {line.get("like") for line in each["category"]})
    assert {box: games[box] for box in shared_boxes() if games[box] < 2} == {}


@cases("name", built_in_names())
def test_a_game_repeats_nothing_of_a_shared_box(name: str) -> None:
    for line in tomllib.loads(file_text(name))["category"]:
        assert "like" in line or line["id"] not in shared_boxes()
        box = shared_boxes().get(line.get("like", ""), {})
        assert [key for key in line if line[key] == box.get(key)] == []


@cases("name", built_in_names())
def test_the_text_of_a_game_has_every_box_written_out_and_all_its_comments(name: str) -> None:
    text = built_in_text(name)
    assert "like" not in {key for line in tomllib.loads(text)["category"] for key in line}
    assert check_rules(tomllib.loads(text)) == (built_in(name), [])
    comments = re.findall("#.*", file_text(name))
    assert [comment for comment in comments if comment not in text] == []


@cases("name", built_in_names())
def test_a_game_names_only_throws_that_no_other_game_calls_so(name: str) -> None:
    assert {normalize(word) for word, _ in built_in(name).throw_names}.isdisjoint(throws_by_name())


def test_a_category_has_every_key_of_the_box_it_is_like() -> None:
    assert category('like = "full-house"\npoints = 25') == category(
        """
        id = "full-house"
        name = "full house"
        names.es = "full"
        names.de = "Full House"
        names.pt = "full"
        short = "full"
        shorts.de = "Full"
        aliases = ["fh", "f", "boat", "fullhouse", "volles Haus", "Full Haus", "fula"]
        groups = [3, 2]
        points = 25
        """
    )


def test_a_key_beside_like_replaces_that_of_the_box() -> None:
    house_full = category(
        'id = "two-pairs"\nlike = "full-house"\ngroups = [2, 2, 1]\naliases = []\npoints = 15'
    )
    assert house_full.id == "two-pairs"
    assert house_full.name == "full house"
    assert house_full.aliases == ()
    assert house_full.asks == (Groups(sizes=(2, 2, 1)),)


def test_a_name_in_one_language_leaves_the_others_of_the_box() -> None:
    assert dict(category('like = "ones"\nnames.de = "Asse"\nnames.fr = "as"').names or ()) == {
        "es": "unos",
        "de": "Asse",
        "fr": "as",
        "pt": "uns",
    }


def test_what_a_box_does_not_ask_may_be_asked_as_well() -> None:
    asked = category('like = "four-of-a-kind"\ntotal = 9\npoints = "sum"').asks
    assert asked[0] == Alike(count=4)
    assert len(asked) == 2


@cases(
    ("keys", "problem"),
    [
        ('like = "onse"', "category 1: like: there is no shared box 'onse'; did you mean 'ones'?"),
        ('id = "ones"\nlike = 1', "category 1 (ones): like: must be a string, not 1"),
        ("like = true", "category 1: like: must be a string, not true"),
        ('like = ["ones"]', "category 1: like: must be a string, not 'ones'"),
        ('like = "ones"\nnumber = 7', "category 1 (ones): number: must be a whole number from 1 to 6, not 7"),
        ('like = "ones"\nnames = "Asse"', "category 1 (ones): names: must be a table of keys, not 'Asse'"),
        ('like = "ones"\nnmae = "aces"', "category 1 (ones): unknown key 'nmae'; did you mean 'name'?"),
        (
            'lik = "ones"\nid = "ones"\nname = "ones"\nnumber = 1',
            "category 1 (ones): unknown key 'lik'; did you mean 'like'?",
        ),
    ],
)
def test_an_error_is_reported_at_its_place(keys: str, problem: str) -> None:
    assert problems_of(keys, 'like = "twos"') == [problem]


def test_a_box_like_none_is_refused_with_all_there_are() -> None:
    (problem,) = problems_of('like = "\\u001b[31m"', 'like = "twos"')
    assert problem.startswith(
        "category 1: like: there is no shared box '\\x1b[31m'; choose from ones, twos, "
    )
    assert all(box in problem for box in shared_boxes())


def test_after_a_wrong_like_the_rest_is_read_as_the_nearest_box() -> None:
    assert problems_of(
        'like = "onse"\nfirst = "a"', 'like = "generla"\npoints = 50', 'like = "double-generala"'
    ) == [
        "category 1: like: there is no shared box 'onse'; did you mean 'ones'?",
        "category 1 (ones): first: must be a whole number from 1 to 100000, not 'a'",
        "category 2: like: there is no shared box 'generla'; did you mean 'generala'?",
    ]


def test_two_categories_like_one_box_clash() -> None:
    assert problems_of('like = "ones"', 'like = "ones"\nid = "aces"')[0] == (
        "category 2 (aces): 'aces' is already a name of ones"
    )


def test_the_guide_names_every_shared_box() -> None:
    assert [box for box in shared_boxes() if f" {box}," not in f"{guide()},".replace("\n", ",")] == []
