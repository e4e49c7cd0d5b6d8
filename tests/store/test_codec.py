import json
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import given, settings

from generala_cli.game.replaying import replay
from generala_cli.store import first_format
from generala_cli.store.codec import Newer, Unreadable, Unsealed, decode, encode
from tests.game.strategies import Played, games
from tests.game.table import Table
from tests.store.files import (
    Document,
    Place,
    changed,
    document_of,
    places,
    put,
    record_of,
    sealed,
    tiny_document,
    tiny_record,
    tiny_table,
)

DATA = encode(tiny_record())
DOCUMENT = tiny_document()
WITH_DEFAULTS = {"summary", "fill_order", "opening_throws", "throw_names"}
"""Keys of a rule file that may be left out there, and so here."""

FITTING: list[tuple[object, object]] = [
    ("any", True),
    ("opening_throws", True),
    ("instant_win", True),
    ("summary", ""),
    ("label", ""),
    ("category", None),
    ("dice", None),
    ("throw_names", {"a": 1}),
]
"""What of these has the right type somewhere. (No category needs an instant win: that is for `replay`.)"""

WRONG: list[object] = [None, True, 1.5, float("nan"), float("inf"), 1e5, -1, "", [None], {"a": 1}]


def refused(document: Document) -> str:
    with pytest.raises(Unreadable) as caught:
        decode(sealed(document))
    return str(caught.value)


# Writing


@settings(deadline=None, max_examples=60)
@given(games())
def test_what_is_written_reads_back_the_same(played: Played) -> None:
    record = record_of(played.events, game=12)
    assert decode(encode(record)) == record


FIRST = (Path(__file__).parent / "game-of-0.1.0.json").read_bytes()
"""As generala 0.1.0 wrote it, in format 1. Never to be changed."""


def test_a_file_of_the_first_format_is_read() -> None:
    record = decode(FIRST)
    assert record.started.rules.upper_bonus is None
    assert record.winners == ()
    assert replay(record.events).game.total("Ana") == 30


def test_a_file_of_the_first_format_is_written_in_the_last() -> None:
    """All that was recorded is as it was, to the letter; only the head is another."""
    record = decode(FIRST)
    now = encode(record, FIRST)
    assert decode(now) == record
    assert document_of(now)["format"] == 2
    assert now.splitlines()[1:] == FIRST.splitlines()[1:]


def test_a_finished_game_of_the_first_format_says_who_won() -> None:
    document = document_of(encode(record_of(finished().events)))
    del document["winners"]
    document["format"] = 1
    document["checksum"] = first_format.checksum(document)
    assert decode(json.dumps(document).encode()).winners == ("Ana",)


def finished() -> Table:
    table = tiny_table()
    table.undo()
    for player, category in (("Ana", "all"), ("Beto", "all")):
        table.scratch(player, category)
    return table


@pytest.mark.parametrize(
    ("old", "new", "refusal"),
    [
        (b'"points":30', b'"points":35', Unsealed),
        (b'"checksum":', b'"winners":[],"checksum":', Unreadable),
        (b'"format":1', b'"format":1.0', Unreadable),
        (b'"format":1', b'"format":true', Unreadable),
        (b'"format":1', b'"format":2', Unreadable),
        (b'"revision":', b'"other":1,"revision":', Unreadable),
    ],
    ids=["another figure", "a later key", "a fraction", "a truth", "another format", "an unknown key"],
)
def test_a_file_of_the_first_format_is_read_as_strictly(
    old: bytes, new: bytes, refusal: type[Unreadable]
) -> None:
    assert FIRST.count(old) >= 1
    with pytest.raises(refusal) as caught:
        decode(FIRST.replace(old, new, 1))
    assert type(caught.value) is refusal


def test_it_is_one_document_with_one_fact_a_line() -> None:
    head, *facts, end, after = DATA.decode().split("\n")
    assert json.loads(head + end)["events"] == []
    assert [json.loads(line.removesuffix(",")) for line in facts] == document_of(DATA)["events"]
    assert (end, after) == ("]}", "")


def test_it_is_compact() -> None:
    written = json.dumps(DOCUMENT, separators=(",", ":"), ensure_ascii=False)
    assert DATA.decode().replace("\n", "") == written


def test_letters_are_written_as_they_are() -> None:
    assert "ñ".encode() in DATA
    assert b"\\u" not in DATA


def test_the_checksum_is_crc_32_over_all_the_rest() -> None:
    key = f'"checksum":"{DOCUMENT["checksum"]}",'.encode()
    assert DATA.count(key) == 1
    assert DOCUMENT["checksum"] == f"{crc32(DATA.replace(key, b'')):08x}"


def test_the_revision_is_the_number_of_events() -> None:
    assert DOCUMENT["revision"] == len(DOCUMENT["events"]) == 6


def test_how_it_is_laid_out_does_not_matter() -> None:
    assert decode(json.dumps(DOCUMENT, indent=4).encode()) == tiny_record()


# What is no document at all


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "it is empty"),
        (b" \n\t", "it is empty"),
        (b"\0" * 512, "not JSON"),
        (DATA + b"\0", "not JSON"),
        (DATA + DATA, "not JSON"),
        (b"\xef\xbb\xbf" + DATA, "not JSON"),
        (DATA.decode().encode("latin-1"), "not UTF-8"),
        (DATA.decode().encode("utf-16"), "not UTF-8"),
        (b"hello", "not JSON"),
        (b"[]", "table of keys, not a list"),
        (b"3", "table of keys"),
        (b"null", "table of keys"),
        (b'{"format":1,"format":1}', "repeats a key"),
        (DATA.replace(b'"roll":2', b'"roll":2,"roll":2', 1), "repeats a key"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b'{"game":' + b"9" * 10_000 + b"}", "number that is too long"),
        (b"junk!" * 2_000_000, "not JSON"),
        (b"\xff" * 10_000_000, "not UTF-8"),
        (DATA.replace("ñ".encode(), b"\\ud800"), "half a character"),
    ],
    ids=range(20),
)
def test_what_is_no_document_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        decode(data)


def test_ten_megabytes_of_wrong_events_are_refused_at_the_first() -> None:
    data = json.dumps({**DOCUMENT, "events": [0] * 3_000_000}).encode()
    with pytest.raises(Unreadable, match="events 1: must be a table of keys, not 0"):
        decode(data)


def test_a_file_cut_off_anywhere_is_refused() -> None:
    for length in range(len(DATA) - 1):  # only the newline at the end may be missing
        with pytest.raises(Unreadable):
            decode(DATA[:length])


def test_one_digit_changed_anywhere_is_noticed() -> None:
    digits = [place for place, byte in enumerate(DATA) if chr(byte).isdigit()]
    assert len(digits) > 100
    for place in digits:
        other = str((int(chr(DATA[place])) + 1) % 10).encode()
        with pytest.raises((Unreadable, Newer)):
            decode(DATA[:place] + other + DATA[place + 1 :])


# What is wrong in a document, although its checksum fits


@pytest.mark.parametrize("place", [p for p in places(DOCUMENT) if isinstance(p[-1], str)], ids=str)
def test_every_key_is_needed(place: Place) -> None:
    def drop(container: Document, key: str) -> None:
        del container[key]

    without = changed(DOCUMENT, place, drop)
    if place[-1] in {*WITH_DEFAULTS, "served", "checksum"}:
        decode(sealed(without))
    else:
        refused(without)


@pytest.mark.parametrize("place", [(), *places(DOCUMENT)], ids=str)
def test_an_unknown_key_is_refused_at_every_level(place: Place) -> None:
    def add(container: Document, key: str) -> None:
        container[key]["colour"] = 3

    inner: object = DOCUMENT
    for key in place:
        inner = inner[key]  # type: ignore[index]
    if not isinstance(inner, dict):
        return
    document = changed({"all": DOCUMENT}, ("all", *place), add)["all"]
    assert "throw_names" in place or "'colour'" in refused(document)


@pytest.mark.parametrize("place", [p for p in places(DOCUMENT) if p != ("checksum",)], ids=str)
def test_a_value_of_the_wrong_type_or_range_is_refused(place: Place) -> None:
    for wrong in WRONG:
        if (place[-1], wrong) not in FITTING:
            refused(changed(DOCUMENT, place, put(wrong)))


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("format",), 0),
        (("game",), 0),
        (("game",), 1_000_000_000),
        (("revision",), 5),
        (("revision",), 7),
        (("events", 1, "n"), 3),
        (("events", 1, "at"), "2026-11-20 21:04:00"),
        (("events", 1, "at"), "2026-13-20T21:04:00Z"),
        (("events", 1, "at"), "2026-02-29T21:04:00Z"),
        (("events", 1, "at"), "2026-04-31T21:04:00Z"),
        (("events", 1, "at"), "2026-11-20T24:04:00Z"),
        (("events", 1, "at"), "2026-11-20T21:04:00Z\n"),
        (("events", 1, "at"), "٢٠٢٦-11-20T21:04:00Z"),
        (("events", 1, "event"), "game-started"),
        (("events", 1, "event"), "won"),
        (("events", 1, "player"), "Zoe"),
        (("events", 1, "roll"), 0),
        (("events", 1, "dice"), [2]),
        (("events", 1, "dice"), [2, 2, 2]),
        (("events", 1, "dice"), [2, 4]),
        (("events", 1, "dice"), [0, 2]),
        (("events", 1, "dice"), []),
        (("events", 2, "dice"), [4, 4]),
        (("events", 3, "entry", "dice"), [2, 4]),
        (("events", 3, "entry", "player"), "Zoe"),
        (("events", 3, "entry", "event"), "undone"),
        (("events", 3, "turn"), 0),
        (("events", 4, "number"), 1),
        (("events", 0, "openings"), [{"player": "Zoe", "throws": []}]),
        (
            ("events", 0, "openings"),
            [{"player": "Ana", "throws": [[]]}, {"player": "Beto", "throws": [[1, 2]]}],
        ),
        (("events", 0, "openings"), [{"player": "Ana", "throws": [[1, 4]]}]),
        (("events", 0, "openings"), [{"player": "Ana", "throws": [[1, 2]]}] * 2),
        (("events", 0, "rules", "dice"), 9),
        (("events", 0, "rules", "category", 0, "number"), 4),
    ],
    ids=str,
)
def test_a_value_that_no_game_can_have_is_refused(place: Place, value: object) -> None:
    assert refused(changed(DOCUMENT, place, put(value))).startswith(str(place[0]))


def test_a_leap_day_is_a_day() -> None:
    leap_day = "2028-02-29T21:04:00Z"
    assert decode(sealed(changed(DOCUMENT, ("events", 1, "at"), put(leap_day)))).times[1] == leap_day


def test_events_out_of_order_are_refused() -> None:
    first, second, third, *rest = DOCUMENT["events"]
    assert refused({**DOCUMENT, "events": [first, third, second, *rest]}).startswith("events 2: n: must be 2")


def test_a_game_begins_with_its_start() -> None:
    scored = {**DOCUMENT["events"][1], "n": 1}
    assert '"game-started"' in refused({**DOCUMENT, "revision": 1, "events": [scored]})


def test_a_game_without_events_is_refused() -> None:
    assert refused({**DOCUMENT, "revision": 0, "events": []}).startswith("revision")


@pytest.mark.parametrize("checksum", ["00000000", "", None, 0, DOCUMENT["checksum"].upper() + " "])
def test_a_checksum_that_does_not_fit_is_refused(checksum: object) -> None:
    with pytest.raises(Unreadable, match="checksum"):
        decode(json.dumps({**DOCUMENT, "checksum": checksum}).encode())


# Later formats


@pytest.mark.parametrize(
    "document",
    [
        {**DOCUMENT, "format": 3},
        {"format": 3},
        {"format": 10**4000, "whatever": None},
        {"format": 3, "points": 1.5, "odds": float("nan"), "events": {"in": "another way"}},
    ],
    ids=range(4),
)
def test_a_later_format_is_newer_and_not_damaged(document: Document) -> None:
    with pytest.raises(Newer, match="knows format 2"):
        decode(json.dumps(document).encode())


@pytest.mark.parametrize("number", ["true", "2.0", '"2"', "-2", "null", "0"])
def test_what_is_no_format_is_not_a_later_one(number: str) -> None:
    with pytest.raises(Unreadable, match="format: must be"):
        decode(f'{{"format":{number}}}'.encode())
