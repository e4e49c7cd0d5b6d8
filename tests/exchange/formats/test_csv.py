import csv
from io import StringIO

from hypothesis import given

from generala_cli.exchange.formats import with_plain_names
from generala_cli.exchange.formats.csv import COLUMNS, FORM
from generala_cli.game.events import Agreed
from generala_cli.game.starting import start
from generala_cli.rules.fingerprint import fingerprint
from generala_cli.text import guarded
from tests.cases import cases
from tests.exchange.formats.playing import file_of, written, written_by_seal
from tests.game.strategies import Played, games
from tests.game.table import Table, cached_rules


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text, newline="")))


@given(games())
def test_its_rows_are_the_entries_and_add_up_to_the_totals(played: Played) -> None:
    game = played.history.game
    found = rows(written(FORM, file_of(played.agreed, played.events)))
    assert [(row["player"], row["category"] or None) for row in found] == [
        (guarded(entry.player), entry.category) for entry in game.entries
    ]
    sums = {guarded(player): 0 for player in game.seats}
    for row in found:
        sums[row["player"]] += int(row["points"]) + int(row["upper_bonus"]) + int(row["extra_bonus"])
    assert sums == {guarded(player): game.total(player) for player in game.seats}


@given(games())
def test_what_a_seal_is_enough_for_is_what_deciding_again_comes_to(played: Played) -> None:
    file = file_of(played.agreed, played.events)
    assert written_by_seal(FORM, file) == written(FORM, file)


def test_a_row_is_what_was_entered() -> None:
    table = Table(cached_rules("general"), "Ana", "Beto")
    table.score("Ana", "55533", "full-house", roll=1)
    table.scratch("Beto", "ones")
    text = written(FORM, file_of(table.agreed, table.events))
    about = f'1,{1:032x},"",general,{fingerprint(table.agreed.rules)},"",2026-11-20T21:04:00Z'
    assert text.splitlines(keepends=True) == [
        ",".join(COLUMNS) + "\r\n",
        f'{about},1,2026-11-20T21:05:00Z,"",Ana,Ana,"",5 5 5 3 3,1,full-house,35,0,0,0,1,0,2\r\n',
        f'{about},2,2026-11-20T21:06:00Z,"",Beto,Beto,"",,3,ones,0,0,0,1,0,0,2\r\n',
    ]


@given(games())
def test_names_may_be_written_as_they_are(played: Played) -> None:
    found = rows(written(with_plain_names(FORM), file_of(played.agreed, played.events)))
    assert [row["played_as"] for row in found] == [entry.player for entry in played.history.game.entries]


NAMES = ['=HYPERLINK("x")', "+1", "-2+3", "@SUM(A1)", "＝1", 'Ana "la" P', "Be,to", "O'Brien"]


def test_names_come_back_as_text_that_is_no_formula() -> None:
    agreed: Agreed = start(cached_rules("general"), NAMES, openings={}, label="=1+1, and more")
    table = Table(agreed.rules, *NAMES)
    for name in NAMES:
        table.scratch(name, "ones")
    found = rows(written(FORM, file_of(agreed, table.events)))
    assert [row["player"] for row in found] == [*(f"'{name}" for name in NAMES[:5]), *NAMES[5:]]
    assert {row["label"] for row in found} == {"'=1+1, and more"}


@cases("text", ["=1", " =1", "-1", "+", "@x", "＋1"])
def test_what_a_spreadsheet_would_run_is_guarded(text: str) -> None:
    assert guarded(text) == f"'{text}"


@cases("text", ["", "Ana", "3-4", "a=b", "'x"])
def test_other_texts_are_left_as_they_are(text: str) -> None:
    assert guarded(text) == text
