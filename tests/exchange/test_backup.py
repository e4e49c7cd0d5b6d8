import json
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generala_cli.exchange.backup import (
    BackupPart,
    ConfigPart,
    FactsPart,
    GamePart,
    RulesPart,
    decode,
    encode,
    joined,
)
from generala_cli.store.sealing import Newer, Unreadable
from tests.cases import cases

TEXT = st.text()
PARTS: st.SearchStrategy[BackupPart] = st.one_of(
    st.builds(GamePart, text=TEXT),
    st.builds(RulesPart, name=TEXT, text=TEXT),
    st.builds(ConfigPart, text=TEXT),
)
SOME = encode([GamePart(text='{"a":"ñ"}\n'), RulesPart(name="casa", text="x = 1\n"), ConfigPart(text="")])


def sealed(*lines: str, version: int = 1, count: int | None = None) -> bytes:
    """Any lines, with a first line that fits."""
    rest = "".join(f"{line}\n" for line in lines).encode()
    head = {"generala": version, "lines": len(lines) if count is None else count}
    return json.dumps({**head, "checksum": f"{crc32(rest):08x}"}).encode() + b"\n" + rest


@given(st.lists(PARTS))
def test_what_is_written_is_read(parts: list[BackupPart]) -> None:
    assert decode(encode(parts)) == parts


def test_a_file_that_was_read_in_part_is_read_again_whole() -> None:
    with joined([b"{}", b"{}"]) as file:
        lines = iter(file)
        next(lines), next(lines)
        del lines
        assert b"".join(file).endswith(b"{}\n{}\n")


@given(st.integers(0, 8 * len(SOME) - 1))
def test_one_bit_is_noticed(place: int) -> None:
    flipped = bytearray(SOME)
    flipped[place // 8] ^= 1 << place % 8
    with pytest.raises(Unreadable):
        decode(bytes(flipped))


@given(st.integers(0, len(SOME) - 1))
def test_what_is_cut_short_is_noticed(length: int) -> None:
    with pytest.raises(Unreadable):
        decode(SOME[:length])


@cases(
    ("data", "why"),
    [
        (b"", "does not start like"),
        (b"\n", "does not start like"),
        (b"PK\x03\x04", "does not start like"),
        (b"[" * 100_000, "does not start like"),
        (sealed("{}"), "line 2"),
        (sealed('{"kind":"game","text":"","more":1}'), "line 2"),
        (sealed('{"kind":"game","text":""}', '{"kind":"wine","text":"","more":1}'), "line 3"),
        (sealed('{"kind":"game","text":1}'), "line 2"),
        (sealed('{"kind":"game","text":"\\ud800"}'), "line 2"),
        (sealed("[" * 100_000), "line 2"),
        (sealed(count=1), "ends too soon"),
        (sealed(count=-1), "does not start like"),
    ],
)
def test_what_is_no_backup_is_reported(data: bytes, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        decode(data)


def test_a_file_of_a_package_that_is_not_here_is_still_a_part() -> None:
    assert decode(sealed('{"kind":"wine","text":"red"}')) == [FactsPart(kind="wine", text="red")]


def test_a_newer_one_is_called_newer() -> None:
    with pytest.raises(Newer, match="its version is 3"):
        decode(sealed(version=3))
