from pathlib import Path

import pytest

from generala_cli.app.rule_sets import find_rules, load_rules
from generala_cli.errors import Ambiguous, DamagedFile, FileError, NotFound
from generala_cli.rules.catalog import built_in_names, other_names
from generala_cli.rules.fingerprint import fingerprint
from generala_cli.rules.ruleset import RuleSet
from generala_cli.store.house_rules import HouseRules
from tests.app.rule_files import TINY, write
from tests.cases import cases
from tests.game.table import cached_rules
from tests.posix import make_pipe


def no_input() -> bytes:
    raise AssertionError("the standard input was read")


def load(reference: str, house_rules: HouseRules) -> RuleSet:
    return load_rules(reference, house_rules, no_input)


@cases("name", built_in_names())
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


@cases(
    ("title", "name"),
    [
        ("Cincuenta de oro", "golden-fifty"),
        ("goldene fünf", "golden-fifty"),
        ("General (Brasil)", "general-brasil"),
    ],
)
def test_a_built_in_is_found_by_its_title_in_any_language(
    house_rules: HouseRules, title: str, name: str
) -> None:
    assert load(title, house_rules).name == name


def test_an_ambiguous_start_is_refused(house_rules: HouseRules) -> None:
    with pytest.raises(Ambiguous, match="general, general-brasil, generala"):
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
    "an impossible hand": (
        TINY.replace("groups =", "alike = 4\ngroups ="),
        "no hand can match it",
    ),
}


@cases(("text", "why"), BAD.values())
def test_a_bad_file_is_refused_and_named(house_rules: HouseRules, text: str | bytes, why: str) -> None:
    path = write(house_rules, "casa", text)
    with pytest.raises(DamagedFile) as caught:
        load("casa", house_rules)
    assert str(path) in str(caught.value.message)
    assert why in "\n".join((str(caught.value.message), *map(str, caught.value.details)))


def test_every_error_is_reported_at_once(house_rules: HouseRules) -> None:
    write(house_rules, "casa", TINY.replace("dice = 5", "dice = 99").replace("throws = 3", "colour = 3"))
    with pytest.raises(DamagedFile) as caught:
        load("casa", house_rules)
    output = "\n".join(map(str, caught.value.details))
    assert all(word in output for word in ("dice:", "throws:", "'colour'"))


def test_a_missing_file_is_not_found(house_rules: HouseRules, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"there is no file .+none\.toml"):
        load(str(tmp_path / "none.toml"), house_rules)


def test_an_unknown_name_is_answered_with_the_listed_rule_sets(house_rules: HouseRules) -> None:
    with pytest.raises(NotFound, match=r"choose from balut, .*, yahtzee or yatzy$"):
        load("nope", house_rules)
    with pytest.raises(NotFound, match="yams or yatzy"):
        load("yamz", house_rules)


def test_a_folder_is_no_rule_file(house_rules: HouseRules, tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(FileError, match=r"it is a folder.*give a rule file"):
        load(str(tmp_path / "folder.toml"), house_rules)


def test_a_pipe_is_not_waited_for(house_rules: HouseRules, tmp_path: Path) -> None:
    make_pipe(tmp_path / "pipe.toml")
    with pytest.raises(FileError, match=r"it is not a regular file.*give a rule file"):
        load(str(tmp_path / "pipe.toml"), house_rules)


def test_the_text_of_rules_has_its_comments(house_rules: HouseRules) -> None:
    write(house_rules, "casa", "# ours\n" + TINY)
    assert find_rules("casa", house_rules, bytes)[1] == "# ours\n" + TINY
    assert find_rules("general", house_rules, bytes)[1].startswith("# General")


HUGE = {
    "decimal": f"dice = {'5' * 5000}\n",
    "hexadecimal": f"dice = 0x{'f' * 5000}\n",
    "in a list": f"dice = [0x{'f' * 5000}]\n",
    "nested keys": "a." * 1000 + "a = 1\n",
    "nested lists": "a = " + "[" * 5000 + "\n",
    "very many keys": "".join(f"key{number} = 1\n" for number in range(20_000)),
}


@cases("text", HUGE.values())
def test_a_monstrous_file_is_refused_in_a_few_lines(house_rules: HouseRules, text: str) -> None:
    write(house_rules, "casa", TINY.replace("dice = 5\n", text))
    with pytest.raises(DamagedFile) as refused:
        load("casa", house_rules)
    assert len(refused.value.details) <= 21


def test_the_standard_input_has_the_limit_of_a_file(house_rules: HouseRules) -> None:
    with pytest.raises(FileError, match="the standard input cannot be read: it is larger than"):
        load_rules("-", house_rules, lambda: b"#" * (16 * 1024 * 1024 + 1))


@cases("name", other_names())
def test_a_game_under_another_name_has_the_same_rules(house_rules: HouseRules, name: str) -> None:
    rules = load(name, house_rules)
    assert rules.title.endswith(" (rules of Kniffel)")
    assert fingerprint(rules) == fingerprint(cached_rules("kniffel"))
