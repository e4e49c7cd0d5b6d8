from msgspec.structs import replace

from generala_cli.exchange.formats.markdown import FORM, text
from tests.cases import cases
from tests.exchange.formats.playing import file_of, written
from tests.game.table import Table, cached_rules


def test_it_is_a_table_with_who_owes_whom_below() -> None:
    table = Table(cached_rules("general"))
    agreed = replace(table.agreed, stake="0.01", unit="USD", label="friday")
    table.score("Ana", "55533", "full-house", roll=1)
    table.scratch("Beto", "ones")
    table.score("Ana", "66666", None, roll=1)
    lines = written(FORM, file_of(agreed, table.events)).splitlines()
    assert lines[0] == "## Game 1: General, friday, stake 0.01 USD a point"
    assert lines[4:6] == ["|  | Ana | Beto |", "| --- | --: | --: |"]
    assert "| full house | 35\\* | · |" in lines
    assert "| ones | · | ✗ |" in lines
    assert "| **total** | **95** | **0** |" in lines
    assert "Ana wins at once, with 95 points on the sheet" in lines
    assert "Beto owes Ana 0.95 USD" in lines


@cases(
    ("typed", "shown"),
    [
        ("a|b", r"a\|b"),
        ("**Ana**", r"\*\*Ana\*\*"),
        ("<script>", r"\<script\>"),
        ("[x](y)", r"\[x\](y)"),
        ("a_b `c` \\", r"a\_b \`c\` \\"),
        ("# x", r"\# x"),
        ("1. x", r"1\. x"),
        ("12) Ana", r"12\) Ana"),
        ("0.01 USD", "0.01 USD"),
    ],
)
def test_no_text_is_a_mark(typed: str, shown: str) -> None:
    assert text(typed) == shown
