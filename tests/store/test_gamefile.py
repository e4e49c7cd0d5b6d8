"""A game's file: everything written can be read again, and invalid contents are refused."""

import json
import re
from itertools import product
from random import Random
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from generala_cli.game.events import Scored
from generala_cli.game.history import ImpossibleEvent
from generala_cli.store import gamefile
from generala_cli.store.gamefile import (
    GameFile,
    Recorded,
)
from generala_cli.store.sealing import Newer, Unreadable, Unsealed, encode, is_sealed
from tests.cases import cases
from tests.game.strategies import Played, games
from tests.game.table import Table, cached_rules
from tests.store.files import (
    Document,
    Place,
    changed,
    document_of,
    file_of,
    places,
    put,
    sealed,
    tiny_document,
    tiny_file,
    tiny_rules,
)

DATA = encode(tiny_file())
DOCUMENT = tiny_document()
REFUSALS = (Unreadable, Unsealed, Newer, ImpossibleEvent)
WRONG: list[object] = [None, True, 1.5, float("nan"), 1e5, -1, "", "\x1b[31m", [None], {"a": 1}, 10**30]


def rich_file() -> GameFile:
    """Return a file of General with every optional part."""
    table = Table(
        cached_rules("general"),
        *("Ana", "Beto", "Cora", "Dani"),
        openings={"Ana": "22334", "Beto": "13344", "Cora": "12455", "Dani": "11366"},
        partners=True,
    )
    table.score("Ana", "55533", "full-house", roll=1)
    table.undo()
    table.redo()
    table.rename("Beto", "Berta")
    table.score("Berta", "44442", "four-of-a-kind", roll=2, threw="44126:44")
    table.leave("Cora")
    table.join("Cora")
    table.stake("0.05", "USD", "pot")
    return file_of(table.agreed, table.events)


def finished() -> Table:
    table = Table(tiny_rules(), "Ana", "Beto")
    table.score("Ana", "22", "twos")
    table.score("Beto", "21", "twos")
    table.score("Ana", "33", "all")
    table.score("Beto", "11", "all")
    return table


def refused(data: bytes) -> str:
    with pytest.raises(REFUSALS) as caught:
        GameFile.read(data, 1)
    return str(caught.value)


def at(document: Document, place: Place) -> object:
    found: object = document
    for key in place:
        found = found[key]  # type: ignore[index]
    return found


# Writing


@given(games())
def test_what_is_written_reads_back_the_same(played: Played) -> None:
    file = file_of(played.agreed, played.events, 12)
    found = GameFile.read(encode(file), 12)
    assert encode(found) == encode(file)
    assert replace(found, checksum="", minor=file.minor) == file
    assert gamefile.sealed(encode(file)) == found
    assert (found.history.game, found.history.length) == (played.history.game, len(played.events))


def test_it_is_one_document_with_one_event_a_line() -> None:
    head, *events, end, after = DATA.decode().split("\n")
    assert json.loads(head + end)["events"] == []
    assert [json.loads(line.removesuffix(",")) for line in events] == DOCUMENT["events"]
    assert (end, after) == ("]}", "")


def test_it_is_compact_and_writes_letters_as_they_are() -> None:
    written = json.dumps(DOCUMENT, separators=(",", ":"), ensure_ascii=False)
    assert DATA.decode().replace("\n", "") == written
    assert "ñ" in written


def test_a_game_without_events_is_two_lines() -> None:
    data = encode(file_of(Table(tiny_rules()).agreed, []))
    assert data.count(b"\n") == 2
    assert GameFile.read(data, 1).events == ()


def test_the_checksum_is_crc_32_over_all_but_its_own_digits() -> None:
    digits = f'"checksum":"{DOCUMENT["checksum"]}"'.encode()
    assert DATA.count(digits) == 1
    blank = DATA.replace(digits, b'"checksum":""')
    assert DOCUMENT["checksum"] == f"{crc32(blank):08x}"
    assert is_sealed(DATA)


def test_events_are_numbered_from_one_and_the_start_is_none_of_them() -> None:
    assert [event["n"] for event in DOCUMENT["events"]] == [1, 2, 3, 4, 5]
    assert [event["event"].get("number") for event in DOCUMENT["events"]] == [None, None, None, 3, 3]


# Files that we did not write


@pytest.mark.slow
def test_three_thousand_flipped_bits_are_noticed() -> None:
    data = encode(rich_file())
    for bit in Random(8).sample(range(len(data) * 8), 3_000):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        refused(bytes(flipped))
        assert gamefile.sealed(bytes(flipped)) is None


def test_a_file_cut_off_anywhere_is_refused() -> None:
    for length in range(len(DATA)):
        refused(DATA[:length])
        assert gamefile.sealed(DATA[:length]) is None


def test_one_digit_changed_anywhere_is_noticed() -> None:
    digits = [place for place, byte in enumerate(DATA) if chr(byte).isdigit()]
    assert len(digits) > 100
    for place in digits:
        other = str((int(chr(DATA[place])) + 1) % 10).encode()
        refused(DATA[:place] + other + DATA[place + 1 :])


@cases(
    "data",
    [
        json.dumps(DOCUMENT, indent=4).encode(),
        json.dumps(DOCUMENT).encode(),
        json.dumps(DOCUMENT, sort_keys=True).encode(),
        DATA.replace(b"\n", b"\r\n"),
        DATA + b"\n",
        DATA.rstrip(b"\n"),
        DATA.replace("ñ".encode(), b"\\u00f1"),
        DATA.replace(b'"roll":2', b'"roll":2,"roll":2', 1),
        DATA.replace(b'"game":1', b'"game":7,"game":1', 1),
        sealed({**DOCUMENT, "id": "f" * 32}).replace(b'"checksum":"', b'"checksum":"0', 1)[:-2] + b"}",
    ],
)
def test_another_layout_is_an_edit_by_hand_or_refused(data: bytes) -> None:
    with pytest.raises((Unsealed, Unreadable)) as caught:
        GameFile.read(data, 1)
    if isinstance(caught.value, Unsealed):
        assert caught.value.file.events == tiny_file().events
        assert replace(caught.value.file, checksum="") == tiny_file()
    assert gamefile.sealed(data) is None


def test_an_edit_by_hand_holds_what_follows_from_it() -> None:
    """After editing a game by hand, you need not edit the result."""
    table = finished()
    document = document_of(encode(file_of(table.agreed, table.events)))
    for number, dice, points in ((0, [1, 2], 2), (2, [1, 1], 2), (3, [3, 3], 6)):
        document = changed(document, ("events", number, "event", "dice"), put(dice))
        document = changed(document, ("events", number, "event", "points"), put(points))
    with pytest.raises(Unsealed, match="its checksum or layout") as caught:
        GameFile.read(json.dumps(document, indent=1).encode(), 1)
    assert caught.value.file.result.winners == ("Beto",)
    assert GameFile.read(encode(caught.value.file), 1).result.totals == {"Ana": 4, "Beto": 8}


@cases(
    ("data", "why"),
    [
        (b"", "it is empty"),
        (b" \n\t", "it is empty"),
        (b"\0" * 512, "malformed"),
        (DATA + b"\0", "trailing characters"),
        (DATA + DATA, "trailing characters"),
        (b"\xef\xbb\xbf" + DATA, "malformed"),
        (DATA.decode().encode("latin-1"), "utf-8|UTF-8"),
        (DATA.decode().encode("utf-16"), "malformed"),
        (b"hello", "malformed"),
        (b"[]", "Expected `object`, got `array`"),
        (b"3", "Expected `object`, got `int`"),
        (b"null", "Expected `object`, got `null`"),
        (b"[" * 100_000, "object|recursion"),
        (b'{"a":' * 100_000, "unknown field|recursion|missing"),
        (b'{"game":' + b"9" * 10_000 + b"}", "."),
        (b"junk!" * 2_000_000, "malformed"),
        (b"\xff" * 10_000_000, "."),
        (DATA.replace("ñ".encode(), b"\\ud800"), "surrogate|escape|unexpected end"),
        (DATA.replace(b'"points":4', b'"points":NaN', 1), "malformed"),
        (DATA.replace(b'"points":4', b'"points":1e999', 1), "."),
    ],
)
def test_what_is_no_document_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(Unreadable) as caught:
        GameFile.decode(data)
    assert re.search(why, str(caught.value))


@pytest.mark.slow
def test_ten_megabytes_of_wrong_events_are_refused_at_the_first() -> None:
    data = json.dumps({**DOCUMENT, "events": [0] * 3_000_000}).encode()
    with pytest.raises(Unreadable, match=r"Expected `object`, got `int` - at `\$.events"):
        GameFile.decode(data)


# Errors in a document with a valid checksum


def test_what_is_sealed_again_is_ours() -> None:
    assert sealed(DOCUMENT) == DATA


def test_a_value_of_the_wrong_type_or_range_is_refused() -> None:
    for place, wrong in product(set(places(DOCUMENT)) - {("checksum",)}, WRONG):
        was = at(DOCUMENT, place)
        mutated = changed(DOCUMENT, place, put(wrong))
        if (was, type(was)) != (wrong, type(wrong)) and not is_as_good(place, wrong):
            refused(sealed(mutated))


def is_as_good(place: Place, wrong: object) -> bool:
    """Whether a different value is valid there, too: free text, switches of the rules."""
    *_, key = place
    if "throw_names" in place:
        return wrong in ("", "\x1b[31m")
    switches = {"any", "opening_throws", "in_play", "saves_spares", "aces_high", "clockwise"}
    return (
        (wrong is True and key in switches)
        or (wrong == {"a": 1} and key == "throw_names")
        or (wrong in ("", "\x1b[31m") and key in {"summary", "title", "source", "label", "name", "id"})
        or (wrong is None and key in {"dice", "after", "first", "points", "instant_win", "upper_bonus"})
    )


def test_every_key_is_needed() -> None:
    def drop(container: Document, key: str) -> None:
        del container[key]

    for place in places(DOCUMENT):
        if isinstance(place[-1], str) and place[0] not in ("format", "checksum"):
            assert refused(sealed(changed(DOCUMENT, place, drop))), place


def test_an_unknown_key_is_refused_at_every_level() -> None:
    def add(container: Document, key: str) -> None:
        container[key]["colour"] = 3

    for place in ((), *places(DOCUMENT)):
        if isinstance(at(DOCUMENT, place), dict) and "throw_names" not in place:
            document = changed({"all": DOCUMENT}, ("all", *place), add)["all"]
            assert refused(sealed(document)), place


@cases(
    ("place", "value"),
    [
        (("game",), 0),
        (("game",), 1_000_000_000),
        (("game",), 7),
        (("id",), "0123456789ABCDEF" * 2),
        (("id",), "0" * 31),
        (("started",), "2026-11-20T21:04:00"),
        (("started",), "1899-12-31T23:59:59Z"),
        (("started",), "3000-01-01T00:00:00Z"),
        (("events", 0, "n"), 2),
        (("events", 0, "at"), "2026-11-20 21:04:00"),
        (("events", 0, "at"), "2026-13-20T21:04:00Z"),
        (("events", 0, "at"), "2026-02-29T21:04:00Z"),
        (("events", 0, "at"), "2026-04-31T21:04:00Z"),
        (("events", 0, "at"), "2026-11-20T24:04:00Z"),
        (("events", 0, "at"), "2026-11-20T21:04:60Z"),
        (("events", 0, "at"), "2026-11-20T21:04:00Z\n"),
        (("events", 0, "at"), "٢٠٢٦-11-20T21:04:00Z"),
        (("events", 0, "at"), "1899-12-31T23:59:59Z"),
        (("events", 0, "at"), "3000-01-01T00:00:00Z"),
        (("events", 0, "event", "kind"), "game-started"),
        (("events", 0, "event", "kind"), "won"),
        (("events", 0, "event", "player"), "Zoe"),
        (("events", 0, "event", "player"), "Beto"),
        (("events", 0, "event", "points"), 3),
        (("events", 0, "event", "points"), 200_001),
        (("events", 0, "event", "roll"), 0),
        (("events", 0, "event", "roll"), 1_001),
        (("events", 0, "event", "category"), ""),
        (("events", 0, "event", "dice"), [2]),
        (("events", 0, "event", "dice"), [2, 2, 2]),
        (("events", 0, "event", "dice"), [2, 4]),
        (("events", 0, "event", "dice"), [0, 2]),
        (("events", 0, "event", "dice"), []),
        (("events", 1, "event", "dice"), [4, 4]),
        (("events", 2, "event", "entry", "dice"), [2, 4]),
        (("events", 2, "event", "entry", "player"), "Zoe"),
        (("events", 2, "event", "entry", "kind"), "undone"),
        (("events", 2, "event", "turn"), 0),
        (("events", 2, "event", "turn"), 3),
        (("events", 3, "event", "number"), 1),
        (("events", 3, "event", "number"), 0),
        (("agreed", "players"), ["Ana"]),
        (("agreed", "players"), ["Ana", "Ana"]),
        (("agreed", "players"), ["Ana", ""]),
        (("agreed", "players"), ["Ana", "Be\x1bto"]),
        (("agreed", "stake"), ""),
        (("agreed", "stake"), "-1"),
        (("agreed", "stake"), "1,5"),
        (("agreed", "unit"), ""),
        (("agreed", "unit"), "x" * 21),
        (("agreed", "payout"), "all"),
        (("agreed", "label"), "12"),
        (("agreed", "label"), "\x07"),
        (("agreed", "openings"), [["Zoe", []]]),
        (("agreed", "openings"), [["Ana", [[]]], ["Beto", [[1, 2]]]]),
        (("agreed", "openings"), [["Ana", [[1, 4]]]]),
        (("agreed", "openings"), [["Ana", [[1, 2]]]] * 2),
        (("agreed", "rules", "dice"), 9),
        (("agreed", "rules", "faces"), 1),
        (("agreed", "rules", "throws"), 0),
        (("agreed", "rules", "fill_order"), "bottom-up"),
        (("result", "totals"), {"Ana": 9, "Beto": 0}),
        (("result", "totals"), {}),
        (("result", "winners"), ["Ana"]),
        (("result", "winners"), ["Zoe"]),
        (("result", "next"), "Beto"),
        (("result", "next"), None),
    ],
)
def test_a_value_that_no_game_can_have_is_refused(place: Place, value: object) -> None:
    mutated = changed(DOCUMENT, place, put(value))
    assert mutated != DOCUMENT
    assert refused(sealed(mutated))


def test_a_leap_day_is_a_day() -> None:
    document = changed(DOCUMENT, ("events", 0, "at"), put("2028-02-29T21:04:00Z"))
    assert GameFile.read(sealed(document), 1).events[0].at.day == 29


def test_events_out_of_order_are_refused() -> None:
    first, second, *rest = DOCUMENT["events"]
    assert "not numbered in order" in refused(sealed({**DOCUMENT, "events": [second, first, *rest]}))


@cases("number", [1, 4])
def test_an_event_that_cannot_have_happened_is_named(number: int) -> None:
    again = {**DOCUMENT["events"][number], "n": 6}
    assert refused(sealed({**DOCUMENT, "events": [*DOCUMENT["events"], again]})).startswith("event 6: ")


@cases("winners", [(), ("Beto",), ("Ana", "Beto"), ("Zoe",)])
def test_winners_that_do_not_follow_are_damage(winners: tuple[str, ...]) -> None:
    table = finished()
    file = file_of(table.agreed, table.events)
    assert file.result.winners == ("Ana",)
    data = encode(replace(file, result=replace(file.result, winners=winners)))
    assert "its result does not follow" in refused(data)


def test_a_list_trusts_the_seal_and_nothing_else_does() -> None:
    """Only a forged checksum gets this far; no accident does. Reading everything would be slow."""
    table = finished()
    *_, last = table.events
    assert isinstance(last, Scored)
    file = file_of(table.agreed, table.events)
    wrong = Recorded(n=4, at=file.last, event=replace(last, points=3))
    data = encode(replace(file, events=(*file.events[:-1], wrong)))
    assert gamefile.sealed(data) is not None
    assert "do not match the dice" in refused(data)


# Other formats


@cases(
    "document",
    [
        {**DOCUMENT, "format": 4},
        {"format": 4},
        {"format": 10**15, "whatever": None},
        {"format": 4, "points": 1.5, "events": {"in": "another way"}},
    ],
)
def test_a_later_format_is_newer_and_not_damaged(document: Document) -> None:
    with pytest.raises(Newer, match="reads format 3"):
        GameFile.decode(json.dumps(document).encode())


@cases("number", [-2, 0, 1, 2])
def test_there_is_no_earlier_format(number: int) -> None:
    with pytest.raises(
        Unreadable, match=f"its format is {number}, and the oldest supported format is 3"
    ) as refused:
        GameFile.decode(json.dumps({"format": number}).encode())
    assert not isinstance(refused.value, Newer)


@cases("number", ["true", "4.5", '"4"', "null"])
def test_what_is_no_format_is_not_a_later_one(number: str) -> None:
    with pytest.raises(Unreadable):
        GameFile.decode(f'{{"format":{number}}}'.encode())


# Reading and writing any valid file gives the same file


WORDS = (
    *('"', "\\", "\\u0041", "\\ud800", "\n", ",", ":", "{", "}", "[", "]", " ", "-", "+", ".", "0", "1", "7"),
    *("9", "_", "e1", "true", "false", "null", "None", "NaN", "٣", "\x1b", "\u2028", "é", "Ana", "twos"),
    *('"n":', '"at":', '"event":', '"undone"', '"points":4,', '"rules":', "},", "2028-02-29", "T24:", "1.0"),
)


def mutated(text: str, randomness: Random) -> str:
    """Return the document with something inserted, deleted, replaced or repeated."""
    begin = randomness.randrange(len(text))
    end = min(len(text), begin + randomness.choice([0, 0, 1, 1, 2, 5, 20]))
    word = randomness.choice([*WORDS, "", text[begin:end] * 2, text[end : end + 9]])
    return text[:begin] + word + text[end:]


@given(games(), st.integers(0, 2**32))
def test_however_a_file_is_changed_what_is_read_is_what_would_be_written(played: Played, seed: int) -> None:
    randomness = Random(seed)
    text = encode(file_of(played.agreed, played.events)).decode()
    for _ in range(20):
        data = mutated(text, randomness).encode("utf-8", "surrogatepass")
        try:
            found = GameFile.read(data, 1)
        except REFUSALS:
            continue
        assert encode(found) == data


@pytest.mark.slow
def test_every_word_at_every_place_of_a_short_line() -> None:
    lines = DATA.decode().split("\n")
    for place in range(len(lines[1])):
        for word in WORDS:
            for taken in (0, 1):
                line = lines[1][:place] + word + lines[1][place + taken :]
                data = "\n".join((lines[0], line, *lines[2:])).encode("utf-8", "surrogatepass")
                assert data == DATA or refused(data)


def test_a_newer_file_that_looks_like_ours_is_not_ours() -> None:
    newer = sealed({**DOCUMENT, "format": 4})
    assert not is_sealed(newer)
    assert gamefile.sealed(newer) is None
