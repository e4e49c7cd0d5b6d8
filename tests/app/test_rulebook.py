import tomllib
from pathlib import Path

import pytest

from generala_cli.app.rulebook import check_hand, find_rules, load_rules, new_rules, rule_lines
from generala_cli.errors import Ambiguous, DamagedFile, FileTrouble, Mistyped, NotAllowed, NotFound
from generala_cli.rules.catalog import built_in_names
from generala_cli.rules.ruleset import RuleSet
from generala_cli.store.house_rules import HouseRules
from tests.app.table import hand
from tests.game.table import cached_rules
from tests.posix import make_pipe
from tests.store.files import listing

TINY = """\
format = 1
name = "casa"
title = "Casa"
source = "the tests"
dice = 5
faces = 6
throws = 3

[[category]]
id = "fives"
name = "fives"
number = 5

[[category]]
id = "full-house"
name = "full house"
aliases = ["full"]
groups = [3, 2]
points = 30
"""


def no_input() -> bytes:
    raise AssertionError("the standard input was read")


def load(reference: str, house_rules: HouseRules) -> RuleSet:
    return load_rules(reference, house_rules, no_input)


def write(house_rules: HouseRules, name: str, data: str | bytes) -> Path:
    house_rules.directory.mkdir(parents=True, exist_ok=True)
    house_rules.path(name).write_bytes(data if isinstance(data, bytes) else data.encode())
    return house_rules.path(name)


# Loading


@pytest.mark.parametrize("name", built_in_names())
def test_every_built_in_is_loaded_by_its_name(house_rules: HouseRules, name: str) -> None:
    assert load(name, house_rules) == cached_rules(name)


@pytest.mark.parametrize(
    ("start", "name"),
    [("yac", "yacht"), ("GOLD", "golden-fifty"), ("general", "general"), ("generala", "generala")],
)
def test_a_start_is_enough_and_a_whole_name_beats_longer_ones(
    house_rules: HouseRules, start: str, name: str
) -> None:
    assert load(start, house_rules).name == name


def test_an_ambiguous_start_is_refused(house_rules: HouseRules) -> None:
    with pytest.raises(Ambiguous, match="general, generala"):
        load("gener", house_rules)


@pytest.mark.parametrize("name", ["poker", "", "yacht2"])
def test_an_unknown_name_is_refused(house_rules: HouseRules, name: str) -> None:
    with pytest.raises(NotFound, match="rule set"):
        load(name, house_rules)


def test_a_houses_own_is_loaded_by_name(house_rules: HouseRules) -> None:
    write(house_rules, "casa", TINY)
    assert load("cas", house_rules).title == "Casa"


def test_a_file_is_loaded_by_its_path(
    house_rules: HouseRules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.toml").write_text(TINY)
    monkeypatch.chdir(tmp_path)
    for reference in ("mine.toml", "./mine.toml", str(tmp_path / "mine.toml")):
        assert load(reference, house_rules).name == "casa"


def test_rules_are_loaded_from_the_standard_input(house_rules: HouseRules) -> None:
    assert load_rules("-", house_rules, TINY.encode).name == "casa"
    assert str(find_rules("-", house_rules, TINY.encode)[0]) == "the standard input"


@pytest.mark.parametrize("data", [b"", b"\xff", b"dice = 5", b"dice"])
def test_a_bad_standard_input_is_called_so(house_rules: HouseRules, data: bytes) -> None:
    with pytest.raises(DamagedFile, match="the standard input"):
        load_rules("-", house_rules, lambda: data)


# Bad files


BAD = {
    "empty": ("", "is empty"),
    "not TOML": ("dice = = 5", "is not TOML"),
    "a key twice": ("dice = 5\ndice = 6\n", "is not TOML"),
    "not UTF-8": (b"title = \xff", "is not UTF-8"),
    "nested too deeply": ("a = " + "[" * 100_000, "is not TOML"),
    "a wrong type": (TINY.replace("dice = 5", 'dice = "5"'), "dice: must be a whole number from 1 to 8"),
    "an unknown key": (TINY.replace("throws =", "thorws ="), "did you mean 'throws'?"),
    "a hand nobody makes": (
        TINY.replace("groups =", "alike = 4\ngroups ="),
        "no hand of these dice makes it",
    ),
}


@pytest.mark.parametrize(("text", "why"), BAD.values(), ids=BAD)
def test_a_bad_file_is_refused_and_named(house_rules: HouseRules, text: str | bytes, why: str) -> None:
    path = write(house_rules, "casa", text)
    with pytest.raises(DamagedFile) as caught:
        load("casa", house_rules)
    assert str(path) in str(caught.value.message)
    assert why in "\n".join((str(caught.value.message), *map(str, caught.value.details)))


def test_every_error_is_told_at_once(house_rules: HouseRules) -> None:
    write(house_rules, "casa", TINY.replace("dice = 5", "dice = 99").replace("throws = 3", "colour = 3"))
    with pytest.raises(DamagedFile) as caught:
        load("casa", house_rules)
    told = "\n".join(map(str, caught.value.details))
    assert all(word in told for word in ("dice:", "throws:", "'colour'"))


def test_a_missing_file_is_not_found(house_rules: HouseRules, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"there is no file .+none\.toml"):
        load(str(tmp_path / "none.toml"), house_rules)


def test_a_folder_is_no_rule_file(house_rules: HouseRules, tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(FileTrouble, match="not an ordinary file"):
        load(str(tmp_path / "folder.toml"), house_rules)


def test_a_pipe_is_not_waited_for(house_rules: HouseRules, tmp_path: Path) -> None:
    make_pipe(tmp_path / "pipe.toml")
    with pytest.raises(FileTrouble, match="not an ordinary file"):
        load(str(tmp_path / "pipe.toml"), house_rules)


# The list


def test_the_list_has_the_built_in_ones_first(house_rules: HouseRules) -> None:
    write(house_rules, "casa", TINY)
    lines = rule_lines(house_rules)
    assert [line.name for line in lines] == [*built_in_names(), "casa"]
    assert [line.path for line in lines] == [None] * len(built_in_names()) + [house_rules.path("casa")]
    assert (str(lines[-1].title), lines[-1].source, lines[-1].problem) == ("Casa", "the tests", "")


@pytest.mark.parametrize("data", [b"", b"\xff", b"dice = 5\n"])
def test_a_broken_one_is_in_the_list_with_what_is_wrong(house_rules: HouseRules, data: bytes) -> None:
    write(house_rules, "casa", data)
    line = rule_lines(house_rules)[-1]
    assert (line.name, line.title) == ("casa", "")
    assert str(house_rules.path("casa")) in str(line.problem)


def test_a_folder_among_the_rules_harms_no_other(house_rules: HouseRules) -> None:
    write(house_rules, "casa", TINY)
    house_rules.path("folder").mkdir()
    assert [line.name for line in rule_lines(house_rules)][-2:] == ["casa", "folder"]


def test_without_a_folder_the_list_is_the_built_in_ones(house_rules: HouseRules) -> None:
    assert [line.name for line in rule_lines(house_rules)] == list(built_in_names())
    assert not house_rules.directory.exists()


# New rules


@pytest.mark.parametrize("source", built_in_names())
def test_new_rules_are_a_valid_copy_of_their_source(house_rules: HouseRules, source: str) -> None:
    path = new_rules("mi-casa", source, house_rules, bytes)
    copy, original = load("mi-casa", house_rules), cached_rules(source)
    assert (copy.name, copy.title) == ("mi-casa", "Mi Casa")
    assert copy.lines == original.lines
    same = ("source", "dice", "faces", "throws", "fill_order", "instant_win", "throw_names", "opening_throws")
    assert copy.upper_bonus == original.upper_bonus
    assert [getattr(copy, name) for name in same] == [getattr(original, name) for name in same]
    assert tomllib.loads(path.read_text("utf-8"))["name"] == "mi-casa"


KEYS = """
dice faces throws fill_order opening_throws instant_win instant_win_points upper_bonus throw_names category
id name aliases number alike groups straight aces total any points first after needs saves_spares
in_play all_alike
"""


def test_new_rules_explain_every_key(house_rules: HouseRules) -> None:
    text = new_rules("casa", "yacht", house_rules, bytes).read_text("utf-8")
    explained = text.partition("\nformat")[0]
    assert [key for key in KEYS.split() if key not in explained] == []


def test_new_rules_can_be_a_copy_of_the_houses_own(house_rules: HouseRules) -> None:
    write(house_rules, "casa", TINY)
    new_rules("otra", "casa", house_rules, bytes)
    assert load("otra", house_rules).lines == load("casa", house_rules).lines


def test_existing_rules_are_never_written_over(house_rules: HouseRules) -> None:
    path = write(house_rules, "casa", TINY)
    with pytest.raises(NotAllowed, match="exists already"):
        new_rules("casa", "yacht", house_rules, bytes)
    assert path.read_text() == TINY


@pytest.mark.parametrize(
    "name", ["", "Casa", "mi casa", "../casa", "casa.toml", "-casa", "a--b", "x" * 41, "ñ"]
)
def test_a_name_that_is_no_name_is_refused(house_rules: HouseRules, name: str) -> None:
    with pytest.raises(Mistyped, match="not a name for a rule set"):
        new_rules(name, "yacht", house_rules, bytes)
    assert not house_rules.directory.exists()


def test_a_built_in_name_is_taken(house_rules: HouseRules) -> None:
    with pytest.raises(NotAllowed, match="built-in"):
        new_rules("yacht", "crag", house_rules, bytes)


def test_a_dry_run_of_new_rules_writes_nothing(house_rules: HouseRules, tmp_path: Path) -> None:
    assert new_rules("casa", "yacht", house_rules, bytes, dry_run=True) == house_rules.path("casa")
    assert listing(tmp_path) == {}


def test_the_text_of_rules_has_its_comments(house_rules: HouseRules) -> None:
    write(house_rules, "casa", "# ours\n" + TINY)
    assert find_rules("casa", house_rules, bytes)[1] == "# ours\n" + TINY
    assert find_rules("general", house_rules, bytes)[1].startswith("# General")


# What a hand is worth


def worths(rules: str, dice: str, roll: str) -> dict[str, int]:
    checked = check_hand(cached_rules(rules), hand(dice, roll=roll))
    return {category.id: points for category, points in checked.worths if points}


def test_a_hand_is_checked_in_every_category() -> None:
    assert worths("general", "55533", "1") == {"threes": 6, "fives": 15, "full-house": 35}
    assert worths("general", "55533", "2") == {"threes": 6, "fives": 15, "full-house": 30}
    assert len(check_hand(cached_rules("general"), hand("55533")).worths) == 10


def test_a_hand_that_would_win_at_once_says_so() -> None:
    rules = cached_rules("general")
    assert check_hand(rules, hand("55555", roll="1")).instant_win
    assert not check_hand(rules, hand("55555", roll="2")).instant_win


def test_a_throw_that_there_is_not_is_refused() -> None:
    with pytest.raises(NotAllowed, match="there is no throw 4"):
        check_hand(cached_rules("general"), hand("55533", roll="4"))


def test_rules_from_the_standard_input_can_be_shown_and_begun_with(house_rules: HouseRules) -> None:
    text = find_rules("crag", house_rules, bytes)[1]
    assert find_rules("-", house_rules, text.encode)[1] == text
    path = new_rules("tres", "-", house_rules, text.encode)
    assert load_rules(str(path), house_rules, bytes).dice == 3


HUGE = {
    "decimal": f"dice = {'5' * 5000}\n",
    "hexadecimal": f"dice = 0x{'f' * 5000}\n",
    "in a list": f"dice = [0x{'f' * 5000}]\n",
    "nested keys": "a." * 1000 + "a = 1\n",
    "nested lists": "a = " + "[" * 5000 + "\n",
    "very many keys": "".join(f"key{number} = 1\n" for number in range(20_000)),
}


@pytest.mark.parametrize("text", HUGE.values(), ids=HUGE)
def test_a_monstrous_file_is_refused_in_a_few_lines_and_harms_no_list(
    house_rules: HouseRules, text: str
) -> None:
    write(house_rules, "casa", TINY.replace("dice = 5\n", text))
    with pytest.raises(DamagedFile) as refused:
        load("casa", house_rules)
    assert len(refused.value.details) <= 21
    assert rule_lines(house_rules)[-1].problem


def test_the_standard_input_has_the_limit_of_a_file(house_rules: HouseRules) -> None:
    with pytest.raises(FileTrouble, match="the standard input cannot be read: it is larger than"):
        load_rules("-", house_rules, lambda: b"#" * (16 * 1024 * 1024 + 1))
