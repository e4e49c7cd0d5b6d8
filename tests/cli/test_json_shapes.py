import json
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

import pytest

from generala_cli.cli.schemas import answers
from generala_cli.errors import GeneralaError
from generala_cli.render import documents
from tests.cli.every import EDITING, PATHS, WRITES, named, working
from tests.cli.every import Path as Command
from tests.cli.program import Generala
from tests.cli.shapes import ERROR, Schema, shape, strict
from tests.validating import Draft202012Validator


def assert_shape(document: Any, schema: Schema) -> None:
    errors = [error.message for error in _validator(json.dumps(schema)).iter_errors(document)]
    assert errors == []


@cache
def _validator(schema: str) -> Any:
    Draft202012Validator.check_schema(json.loads(schema))
    return Draft202012Validator(json.loads(schema))


def document_of(generala: Generala, *typed: str) -> Any:
    """Return a command's single document, which has no escape sequences even with forced color."""
    result = generala(*typed, "--json", environment={"FORCE_COLOR": "1", **EDITING})
    assert (result.code, result.out.count("\n"), "\x1b" in result.out) == (0, 1, False), result
    return json.loads(result.out)


@pytest.mark.complete
def test_every_command_declares_its_shape() -> None:
    assert {*map(" ".join, PATHS), "board", "generala", "error"} == set(answers())


def test_every_command_that_reads_answers_in_its_declared_shape(with_tournament: Generala) -> None:
    for path in ((), *PATHS):
        if path not in WRITES:
            assert_shape(document_of(with_tournament, *working(path)), shape(path))


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize("path", WRITES, ids=named)
def test_every_command_that_writes_answers_in_its_declared_shape(
    with_tournament: Generala, path: Command
) -> None:
    assert_shape(document_of(with_tournament, *working(path)), shape(path))


@pytest.mark.slow
def test_a_dry_run_answers_alike_and_says_that_nothing_is_saved(with_tournament: Generala) -> None:
    for path in WRITES:
        before = with_tournament.files()
        result = with_tournament(*working(path), "--json", "--dry-run", environment=EDITING)
        document = json.loads(result.out)
        assert_shape(document, shape(path))
        assert (result.code, document["saved"]) == (0, False), path
        assert with_tournament.files() == before, path


def test_the_first_run_is_a_document_too(generala: Generala) -> None:
    assert_shape(document_of(generala), strict([documents.sheet.NoGameDocument]))


@pytest.mark.slow
def test_help_is_a_document_too(generala: Generala) -> None:
    for path in ((), *PATHS):
        document = document_of(generala, *path, "-h")
        assert_shape(document, strict([documents.TextDocument]))
        assert document["text"] == generala.ok(*path, "--help")
    assert generala.ok("--json", "score", "--help") == generala.ok("score", "-h", "--json")


def test_json_may_stand_before_the_command(played: Generala) -> None:
    assert played.ok("--json", "sheet") == played.ok("sheet", "--json")


def test_a_score_has_all_that_a_script_needs(played: Generala) -> None:
    document = document_of(played, "score", "2", "4", "4", "4", "4", "--roll", "1")
    expected = {
        "version": 1,
        "game": 1,
        "turn": 3,
        "player": "Ana",
        "dice": [4, 4, 4, 4, 2],
        "roll": 1,
        "category": "four-of-a-kind",
        "points": 45,
        "bonus": 5,
        "scratched": False,
        "instant_win": False,
        "over": False,
        "next": "Beto",
        "total": 75,
        "alternatives": [{"category": "fours", "points": 16}, {"category": "twos", "points": 2}],
    }
    assert document | {"dice": sorted(document["dice"], reverse=True)} == {**expected, "saved": True}


def test_the_total_is_that_of_the_sheet_after_the_entry(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto", "--rules", "kniffel", "--set", "upper-bonus-from=25")
    generala.ok("score", "66661", "--as", "sixes")
    assert document_of(generala, "scratch", "fives")["total"] == 0
    earned = document_of(generala, "score", "11123", "--as", "ones")
    assert (earned["player"], earned["total"]) == ("Ana", 62)
    amended = document_of(generala, "amend", "2", "55551")
    assert (amended["player"], amended["total"]) == ("Beto", 20)
    exchanged = document_of(generala, "amend", "1", "--player", "Beto")
    assert (exchanged["player"], exchanged["total"]) == ("Beto", 24)
    assert document_of(generala, "sheet")["totals"] == {"Ana": 23, "Beto": 24}


def test_where_no_die_was_kept_that_is_an_empty_array(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto", "--rules", "crag")
    generala.ok("score", "661", "--threw", "123:")
    reviewed = document_of(generala, "review")
    assert_shape(reviewed, shape(("review",)))
    assert [kept["kept"] for kept in reviewed["turns"][0]["keeps"]] == [[]]


def test_every_kind_of_event_has_the_shape_of_the_log(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto", "--rules", "general")
    for typed in (
        ("score", "55533", "--threw", "55312:55", "--threw", "55361:553"),
        ("scratch", "ones"),
        ("amend", "1", "--roll", "2", "--threw", "55312:55"),
        ("rename", "Beto", "Berta"),
        ("join", "Cora"),
        ("leave", "Cora"),
        ("stake", "0.10", "--unit", "EUR"),
        ("rename", "--label", "friday"),
        ("end",),
        ("undo", "8"),
        ("redo", "2"),
    ):
        assert_shape(document_of(generala, *typed), shape(typed[:1]))
    log = document_of(generala, "log", "--all")
    assert_shape(log, shape(("log",)))
    kinds = {line["kind"] for line in log["entries"]}
    written = {"scored", "scratched", "amended", "renamed", "joined", "left", "ended", "staked", "labelled"}
    assert kinds == {*written, "undone", "redone"}
    assert {line["state"] for line in log["entries"]} == {"stands", "replaced", "undone", None}


def test_a_check_names_every_category_and_0_where_it_is_not_made(generala: Generala) -> None:
    document = document_of(generala, "check", "55533", "--roll", "1", "--rules", "general")
    made = {line["category"]: line["points"] for line in document["categories"]}
    assert made == {
        "ones": 0,
        "twos": 0,
        "threes": 6,
        "fours": 0,
        "fives": 15,
        "sixes": 0,
        "straight": 0,
        "full-house": 35,
        "four-of-a-kind": 0,
        "general": 0,
    }


def test_an_open_box_is_null_and_a_scratched_one_is_not(played: Generala) -> None:
    played.ok("scratch", "ones")
    boxes = document_of(played, "sheet")["boxes"]["Ana"]
    assert boxes["twos"] is None
    assert boxes["ones"] == {"points": 0, "scratched": True, "roll": 3, "dice": None, "turn": 3}


def test_spares_are_there_where_the_game_has_them(played: Generala) -> None:
    assert "spares" not in document_of(played, "sheet")
    played.ok("new", "Ana", "Beto", "--rules", "golden-fifty")
    played.ok("score", "55533", "--roll", "1")
    sheet = document_of(played, "sheet")
    assert_shape(sheet, shape(("sheet",)))
    assert sheet["spares"] == {"Ana": {"saved": 2, "used": 0}, "Beto": {"saved": 0, "used": 0}}


def test_the_upper_bonus_is_there_where_the_game_has_one(played: Generala) -> None:
    for typed in (("sheet",), ("score", "44442"), ("amend", "1", "--roll", "1"), ("undo",), ("log",)):
        assert "upper_bonus" not in json.dumps(document_of(played, *typed))
    played.ok("new", "Ana", "Beto", "--rules", "kniffel", "--set", "upper-bonus-from=25")
    assert_shape(document_of(played, "score", "66661", "--as", "sixes"), shape(("score",)))
    played.ok("score", "55551", "--as", "fives")
    earned = document_of(played, "score", "11123", "--as", "ones")
    assert_shape(earned, shape(("score",)))
    assert (earned["points"], earned["bonus"], earned["upper_bonus"]) == (3, 0, 35)
    sheet = document_of(played, "sheet")
    assert_shape(sheet, shape(("sheet",)))
    assert sheet["upper_bonus"] == {
        "Ana": {"numbers": 27, "from": 25, "points": 35},
        "Beto": {"numbers": 20, "from": 25, "points": 0},
    }
    assert sheet["totals"] == {"Ana": 62, "Beto": 20}
    assert [line["total"] for line in document_of(played, "standings")["standings"]] == [62, 20]
    assert document_of(played, "payouts")["debts"][0]["points"] == 42


def test_every_answer_about_an_entry_shows_what_it_did_to_the_upper_bonus(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto", "--rules", "kniffel", "--set", "upper-bonus-from=25")
    for dice, number in (("66661", "sixes"), ("55551", "fives"), ("11123", "ones")):
        generala.ok("score", dice, "--as", number)
    assert document_of(generala, "amend", "1", "66612")["upper_bonus"] == -35
    assert document_of(generala, "amend", "1", "66612")["upper_bonus"] == 0
    assert [line["upper_bonus"] for line in document_of(generala, "log")["entries"]] == [0, 0, 0]
    undone = document_of(generala, "undo", "2")["undone"]
    assert [(line["kind"], line["upper_bonus"]) for line in undone] == [("amended", -35), ("scored", 35)]
    assert [line["upper_bonus"] for line in document_of(generala, "redo")["redone"]] == [35]
    assert [line["upper_bonus"] for line in document_of(generala, "log")["entries"]] == [0, 0, 35]
    everything = [line["upper_bonus"] for line in document_of(generala, "log", "--all")["entries"]]
    # Entered 3, corrected it, undid the correction and the entry, restored the entry.
    assert everything == [0, 0, 35, -35, -35, 35, 35]


def test_standings_and_payouts_between_teams(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto", "Cora", "Dani", "--team", "Ana+Cora", "--team", "Beto+Dani")
    generala.ok("score", "55533")
    found = document_of(generala, "standings")
    assert_shape(found, shape(("standings",)))
    assert {line["team"] for line in found["standings"]} == {"Ana+Cora", "Beto+Dani"}
    assert not any("player" in line for line in found["standings"])
    assert_shape(document_of(generala, "payouts"), shape(("payouts",)))
    assert set(document_of(generala, "payouts")["members"]) == {"Ana", "Beto", "Cora", "Dani"}


def test_places_skip_after_a_tie(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto", "Cora")
    for hand in ("55533", "66622", "12346"):
        generala.ok("score", hand, *(() if hand != "12346" else ("--as", "ones")))
    found = document_of(generala, "standings")["standings"]
    assert [(line["place"], line["total"], line["behind"]) for line in found] == [
        (1, 30, 0),
        (1, 30, 0),
        (3, 1, 29),
    ]


def test_an_instant_win_ends_the_game(played: Generala) -> None:
    document = document_of(played, "score", "66666", "--roll", "1")
    assert (document["instant_win"], document["over"], document["next"]) == (True, True, None)
    found = document_of(played, "standings")
    assert (found["reason"], found["winners"]) == ("instant-win", ["Ana"])


@pytest.mark.parametrize("typed", [("score", "11123"), ("nonsense",), ("sheet", "9"), ("score",)])
def test_errors_are_documents(played: Generala, typed: Command) -> None:
    result = played(*typed, "--json")
    assert_shape(json.loads(result.out), ERROR)
    assert result.err == ""
    assert result.code == played(*typed).code


def test_an_answer_is_compact_and_its_version_comes_first(played: Generala) -> None:
    assert played.ok("standings", "--json").startswith('{"version":1,"game":1,"over":false,')


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_a_document_is_utf_8_whatever_the_locale(generala: Generala, encoding: str) -> None:
    generala.ok("new", "José", "日本")
    environment = {"PYTHONIOENCODING": encoding}
    assert '"players":["José","日本"]' in generala.ok("sheet", "--json", environment=environment)


def test_what_a_terminal_could_obey_is_escaped_in_a_document(played: Generala) -> None:
    result = played("rules", "check", "./\x9b31m\u202e\x1b[0m", "--json")
    assert result.code == 1
    assert result.out.rstrip("\n").isprintable()
    assert encoded_text("a\x9b\u202e\x1b日") == '{"version":1,"text":"a\\u009b\\u202e\\u001b日"}\n'
    assert encoded_text("\udcff") == '{"version":1,"text":"\\udcff"}\n'


def encoded_text(text: str) -> str:
    return documents.encoded(documents.TextDocument(text=text)).decode()


@pytest.mark.slow
def test_the_schema_of_every_command_is_printed(generala: Generala) -> None:
    for name in ("generala", *map("-".join, PATHS)):
        printed = json.loads(generala.ok("schema", name))
        Draft202012Validator.check_schema(printed)
    assert generala.json("schema", name) == {"version": 1, "name": name, "schema": printed}


@pytest.mark.complete
def test_the_schemas_there_are_are_listed(generala: Generala) -> None:
    listed = generala.ok("schema").split()
    assert {"score", "rules-show", "error", "file"} < set(listed)
    assert generala.json("schema") == {"version": 1, "schemas": listed}


def test_there_is_no_schema_of_what_there_is_not(generala: Generala) -> None:
    result = generala("schema", "scoer")
    assert (result.code, result.out) == (2, "")
    assert "did you mean score?" in result.err


def test_the_schema_of_a_game_file_is_that_of_a_game_file(played: Generala) -> None:
    played.ok("undo")
    printed = json.loads(played.ok("schema", "file"))
    Draft202012Validator.check_schema(printed)
    document = json.loads(played.game(1).read_bytes())
    Draft202012Validator(printed).validate(document)
    assert not Draft202012Validator(printed).is_valid({**document, "game": 0})


@pytest.mark.complete
def test_the_schema_names_the_kind_of_every_error() -> None:
    for module in ("board.pad", "game.decisions", "store.store"):  # they declare some
        import_module(f"generala_cli.{module}")
    kinds = {kind for kind in _kinds(GeneralaError) if kind != GeneralaError.kind}
    assert set(ERROR["$defs"]["ErrorProblem"]["properties"]["kind"]["enum"]) == kinds


def _kinds(family: type[GeneralaError]) -> Iterator[str]:
    yield family.kind
    for each in family.__subclasses__():
        yield from _kinds(each)
