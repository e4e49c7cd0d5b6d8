import pytest

from generala_cli.rulebook.listing import rule_list
from generala_cli.rules.catalog import built_in_names
from generala_cli.store.house_rules import HouseRules
from tests.app.rule_files import TINY, write
from tests.cases import cases
from tests.cli.program import Generala


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


@cases(
    ("language", "names"),
    [
        (
            "en",
            "ones (1, aces); twos (2, deuces); threes (3, treys); fours (4); fives (5)",
        ),
        ("es", "unos (1, uno, ases); doses (2, dos); treses (3, tres); cuatros (4, cuatro)"),
        ("de", "Einser (1, 1er, Einsen); Zweier (2, 2er, Zweien)"),
        ("pt", "uns (1, ases, um); dois (2, duque, duques)"),
    ],
)
def test_rules_show_the_names_of_your_language(generala: Generala, language: str, names: str) -> None:
    shown = generala("--language", language, "rules", "show", "general").out
    assert f": {names}" in " ".join(shown.split())
