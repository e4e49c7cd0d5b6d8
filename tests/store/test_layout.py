"""The reader of our own layout and the general one agree on every document, whoever wrote it."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generala_cli.facts import replace
from generala_cli.game.events import Event, Redone, Scored, Undone
from generala_cli.game.starting import start
from generala_cli.store.codec import Unreadable, _decode_any, decode, encode
from generala_cli.store.decoding import are_times, is_time
from generala_cli.store.layout import lay_out, open_layout, read_layout
from generala_cli.store.record import Record, new_record
from tests.game.strategies import Played, games
from tests.store.files import AT, LATER, record_of, tiny_record, tiny_rules

law = settings(deadline=None, max_examples=60)

GOOD = encode(tiny_record())
WORDS = (
    *('"', "\\", "\\u0041", "\\ud800", "\n", ",", ":", "{", "}", "[", "]", " ", "-", "+", ".", "0", "1", "7"),
    *("9", "_", "e1", "true", "false", "null", "None", "NaN", "٣", "\x1b", "\u2028", "é", "Ana", "twos"),
    *('"n":', '"at":', '"event":', '"undone"', '"points":4,', '"rules":', "},", "2028-02-29", "T24:", "1.0"),
)


def general(data: bytes) -> Record | None:
    try:
        return _decode_any(data)
    except Unreadable:
        return None


def judged(body: bytes, revision: int, game: int = 1) -> None:
    """However the lines were changed, sealed again: what is read at a glance is what is read with care."""
    data = lay_out(game, revision, (), body)
    found = read_layout(data)
    assert found is None or found == general(data), body


def mutated(text: str, randomness: Random) -> str:
    """Something put in, taken out, put in the place of something else, or repeated."""
    begin = randomness.randrange(len(text))
    end = min(len(text), begin + randomness.choice([0, 0, 1, 1, 2, 5, 20]))
    word = randomness.choice([*WORDS, "", text[begin:end] * 2, text[end : end + 9]])
    return text[:begin] + word + text[end:]


@law
@given(games())
def test_it_reads_every_game_that_we_write(played: Played) -> None:
    record = record_of(played.events, game=12)
    data = encode(record)
    assert read_layout(data) == record == _decode_any(data)


@law
@given(games(), st.integers(0, 2**32))
def test_of_changed_lines_both_readers_think_the_same(played: Played, seed: int) -> None:
    found = open_layout(encode(record_of(played.events)))
    assert found is not None
    randomness = Random(seed)
    for _ in range(20):
        text = mutated(found.body.decode(), randomness)
        judged(text.encode("utf-8", "surrogatepass"), found.revision)
        judged(text.encode("utf-8", "surrogatepass"), text.count("\n") + 1)


def test_every_word_at_every_place_of_the_short_facts() -> None:
    found = open_layout(GOOD)
    assert found is not None
    first, scored, *rest = found.body.decode().split("\n")
    for place in range(len(scored)):
        for word in WORDS:
            for taken in (0, 1):
                line = scored[:place] + word + scored[place + taken :]
                judged("\n".join((first, line, *rest)).encode(), found.revision)


@pytest.mark.parametrize(
    "line",
    [
        '{"n":2,"at":"2026-11-20T21:04:00Z","event":"undone","number":-1},',
        '{"n":2,"at":"2026-11-20T21:04:00Z","event":"undone","number":02},',
        '{"n":2,"at":"2026-11-20T21:04:00Z","event":"undone","number":2.0},',
        '{"n":2,"at":"2026-11-20T21:04:00Z","event":"undone","number":None},',
        '{"n":2,"at":"2026-11-20T21:04:00Z","event":"undone","number":2,"number":2},',
        '{"n":2,"at":"2026-11-31T21:04:00Z","event":"undone","number":2},',
        '{"n":02,"at":"2026-11-20T21:04:00Z","event":"undone","number":2},',
        '{"n":2,"at":"2026-11-20T21:04:00Z","event":"undone","number":2}},',
    ],
)
def test_what_is_not_spelled_as_ours_is_not_read_at_a_glance(line: str) -> None:
    found = open_layout(GOOD)
    assert found is not None
    first, _, *rest = found.body.decode().split("\n")
    assert read_layout(lay_out(1, found.revision, (), "\n".join((first, line, *rest)).encode())) is None


@pytest.mark.parametrize("name", ['O"Brien', "back\\slash", "日本", '"rules":{', "a,b", '"},'])
def test_a_name_that_is_spelled_with_care_is_read_as_it_is(name: str) -> None:
    started = start(tiny_rules(), [name, "Ana"], openings={})
    scored = Scored(player=name, dice=(2, 1), roll=2, category="twos", points=2)
    record = new_record(1, started, AT).with_events([scored, Undone(number=2), Redone(number=2)], LATER, ())
    assert read_layout(encode(record)) == record == _decode_any(encode(record))


@law
@given(games(), st.integers(0, 40))
def test_a_file_that_grows_is_the_file_written_anew(played: Played, kept: int) -> None:
    events: list[Event] = played.events
    before = record_of(events[: max(1, min(kept, len(events)))])
    after = replace(record_of(events), times=(*before.times, *[LATER] * (len(events) - len(before.events))))
    assert encode(after, encode(before)) == encode(after) == encode(after, b"laid out in another way")


@pytest.mark.parametrize("place", range(0, len(GOOD), 7))
def test_a_byte_that_changed_is_not_read_at_a_glance(place: int) -> None:
    data = bytearray(GOOD)
    data[place] ^= 1
    assert open_layout(bytes(data)) is None
    assert read_layout(bytes(data)) is None


def test_a_file_in_our_layout_is_read_at_a_glance_only() -> None:
    """Else the general reader would hide it that nothing is gained any more."""
    assert read_layout(GOOD) == decode(GOOD)


TIME_PARTS = (
    ("2026", "1899", "1900", "2999", "3000", "٢٠٢٦"),
    ("11", "02", "00", "13", "12"),
    ("20", "29", "30", "31", "32", "00"),
    ("T", " "),
    ("00", "19", "23", "24", "29", "30", "2x"),
    ("00", "59", "60", "99"),
    ("00", "59", "60", "-1"),
    ("Z", "Z", "", "ZZ", "+"),
)


@settings(deadline=None, max_examples=300)
@given(st.lists(st.tuples(*map(st.sampled_from, TIME_PARTS)), min_size=1, max_size=4))
def test_times_looked_at_together_are_times_each(parts: list[tuple[str, ...]]) -> None:
    times = ["{}-{}-{}{}{}:{}:{}{}".format(*part) for part in parts]
    assert are_times(times) == all(map(is_time, times))


@pytest.mark.parametrize(
    "times",
    [
        ["2026-11-20T21:04:00", "Z2026-11-20T21:04:00Z"],
        ["2026-11-20T21:04:00Z2", "026-11-20T21:04:00Z"],
        ["2026-11-20T21:04:00Z2026-11-20T21:04:00Z", ""],
    ],
)
def test_times_that_are_cut_in_the_wrong_place_are_none(times: list[str]) -> None:
    assert not are_times(times)
