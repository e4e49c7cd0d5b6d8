import pytest

from generala_cli.rulebook.listing import rule_list
from generala_cli.rules.catalog import built_in_names
from generala_cli.store.house_rules import HouseRules
from tests.app.rule_files import TINY, write


def test_the_list_has_the_built_in_ones_first(house_rules: HouseRules) -> None:
    write(house_rules, "casa", TINY)
    lines = rule_list(house_rules).rules
    assert [line.name for line in lines] == [*built_in_names(), "casa"]
    paths = [None] * len(built_in_names()) + [str(house_rules.path("casa"))]
    assert [line.path for line in lines] == paths
    assert (str(lines[-1].title), lines[-1].source, lines[-1].problem) == ("Casa", "the tests", None)


@pytest.mark.parametrize("data", [b"", b"\xff", b"dice = 5\n", b"dice = " + b"[" * 5000])
def test_a_broken_one_is_in_the_list_with_what_is_wrong(house_rules: HouseRules, data: bytes) -> None:
    write(house_rules, "casa", data)
    line = rule_list(house_rules).rules[-1]
    assert (line.name, str(line.title)) == ("casa", "")
    assert str(house_rules.path("casa")) in str(line.problem)


def test_a_folder_among_the_rules_harms_no_other(house_rules: HouseRules) -> None:
    write(house_rules, "casa", TINY)
    house_rules.path("folder").mkdir()
    assert [line.name for line in rule_list(house_rules).rules][-2:] == ["casa", "folder"]


def test_without_a_folder_the_list_is_the_built_in_ones(house_rules: HouseRules) -> None:
    assert [line.name for line in rule_list(house_rules).rules] == list(built_in_names())
    assert not house_rules.directory.exists()
