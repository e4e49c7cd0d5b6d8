"""Damaged files with the real program: each is refused and named, no byte changes, and nothing hangs.

`pytest -m full` tries every byte, bit and digit instead of a sample.
"""

import json
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from generala_cli.cli.running import run
from generala_cli.store import gamefile
from generala_cli.store.sealing import encode
from tests.cli.program import Generala
from tests.posix import make_pipe, posix_only
from tests.removed import skip_if_removed
from tests.sessions.reporting import DAMAGED, report
from tests.sizes import thinned
from tests.store.files import (
    Document,
    begin,
    changed,
    places,
    put,
    sealed,
    store_in,
    tiny_document,
    tiny_file,
)

GOOD = encode(tiny_file())
ON_THE_DAMAGED = (
    *(("sheet",), ("score", "2", "1"), ("undo",), ("payouts",), ("standings", "1"), ()),
    ("export", "--format", "generala"),
)
PATIENCE = 600  # seconds before a whole group counts as hanging

Call = Callable[..., tuple[int, str, str]]


A_FEW = 45
EVERY = 1_000_000


def few(found: range, most: int) -> range:
    """Return up to that many items, evenly spaced."""
    return range(found.start, found.stop, -(-len(found) // most))


def truncated(most: int) -> Iterator[bytes]:
    for length in few(range(len(GOOD)), most):
        yield GOOD[:length]


def bits(most: int) -> Iterator[bytes]:
    for bit in few(range(len(GOOD) * 8), most):
        data = bytearray(GOOD)
        data[bit // 8] ^= 1 << bit % 8
        yield bytes(data)


def digits(most: int) -> Iterator[bytes]:
    places = [place for place, byte in enumerate(GOOD) if 48 <= byte <= 57]
    for which in few(range(len(places)), most):
        data = bytearray(GOOD)
        data[places[which]] = 48 + (data[places[which]] - 47) % 10
        yield bytes(data)


def not_a_game(_most: int) -> Iterator[bytes]:
    yield from (
        b"\0" * 512,
        b"\0" + GOOD,
        GOOD + b"\0",
        b"\xef\xbb\xbf" + GOOD,
        GOOD.decode().encode("utf-16"),
    )
    yield from (
        b"\xff" + GOOD,
        GOOD.replace(b"Ana", b"\xc3\x28"),
        GOOD + GOOD,
        GOOD + b"x",
        b"null",
        b"[]",
        b"1",
    )
    yield from (b" " * 10_000_000, b"x" * 10_000_000, b"[" * 100_000, b'{"a":' * 100_000, b"9" * 100_000)
    yield from (
        b"{}",
        b"{",
        b"\n",
        b"Ana 12, Beto 14\n",
        b"\x1b[2J",
        b'{"format":"\\ud800"}',
        b"-0",
        b'"' * 3,
    )
    yield from (b'{"format":3}', b'{"format":3,"events":[]}', b"{}\n" * 3, GOOD[::-1], GOOD.upper(), b"\r\n")
    yield b" " * (17 * 1024 * 1024)


def wrong_values(most: int) -> Iterator[bytes]:
    """Yield the document with a wrong type in each place, sealed again."""
    document = tiny_document()
    everywhere = [place for place in places(document) if place != ("checksum",)]
    wrong: tuple[object, ...] = (None, True, -1, 1.5, "\x1b[31m", [], {}, 10**30)
    for which in few(range(len(everywhere)), most):
        value = wrong[which % len(wrong)]
        other = wrong[(which + 1) % len(wrong)]
        if "rules" in everywhere[which]:  # almost any value is a valid name or figure there
            value = other = [None, {"x": [-1.5]}]
        yield sealed(changed(document, everywhere[which], _another(value, other)))


def _another(value: object, other: object) -> Callable[[object, object], None]:
    def change(container: object, key: object) -> None:
        was = container[key]  # type: ignore[index]
        put(other if was == value or _is_empty_as(was, value) else value)(container, key)

    return change


def _is_empty_as(was: object, value: object) -> bool:
    """Whether these are the dice of a scratch, which may be missing."""
    return value is None and isinstance(was, list)


def keys(_most: int) -> Iterator[bytes]:
    document = tiny_document()
    for place in [
        (),
        ("agreed",),
        ("events", 0, "event"),
        ("events", 2, "event", "entry"),
        ("agreed", "rules"),
    ]:
        for key in [key for key in _inside(document, place) if key not in {"format", "checksum", "summary"}][
            :4
        ]:
            yield sealed(changed(document, (*place, key), lambda table, name: table.pop(name)))
        yield sealed(changed(document, (*place, "wheels"), put(4)))
    for twice in (b'"started"', b'"game"', b'"n"', b'"player"', b'"points"'):
        yield GOOD.replace(twice, twice + b":1," + twice, 1)
    for value in (b"NaN", b"Infinity", b"-Infinity", b"1e999"):
        yield GOOD.replace(b'"points":4', b'"points":' + value, 1)


def _inside(document: Document, place: tuple[str | int, ...]) -> Document:
    found: Document = document
    for key in place:
        found = found[key]  # type: ignore[index]
    return found


def other_games(_most: int) -> Iterator[bytes]:
    document = tiny_document()
    yield encode(tiny_file(game=7))
    yield sealed({**document, "format": 4})
    yield b'{"format":99}'
    yield sealed({**document, "format": 2})
    yield sealed({**document, "result": {"totals": {"Ana": 99, "Beto": 0}, "winners": [], "next": "Ana"}})
    yield GOOD.replace(b'"checksum"', b'"checksun"', 1)
    for number in (1, 4):
        events = document["events"]
        again = [*events, {**events[number], "n": len(events) + 1}]
        yield sealed({**document, "events": again})
    yield sealed(changed(document, ("events", 0, "event", "points"), put(3)))
    yield sealed(changed(document, ("events", 0, "event", "dice"), put([1, 1])))
    yield sealed(changed(document, ("events", 0, "event", "player"), put("Beto")))


GROUPS: Mapping[str, Callable[[int], Iterator[bytes]]] = {
    "truncated": truncated,
    "one bit": bits,
    "one digit": digits,
    "not a game": not_a_game,
    "wrong values": wrong_values,
    "keys": keys,
    "another or an impossible game": other_games,
}


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest) -> Iterator[Call]:
    """Run a command in this process. Return its exit code, stdout and stderr. A hang fails the test."""

    def ring(_number: int, _frame: object) -> None:
        raise AssertionError("it hangs")

    def command(*typed: str) -> tuple[int, str, str]:
        skip_if_removed(typed)
        code = run(typed)
        result = capsys.readouterr()
        return code, result.out, result.err

    if sys.platform == "win32":  # on Windows, a hanging test ends the run
        yield command
        return
    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(3600 if request.node.get_closest_marker("full") else PATIENCE)
    yield command
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def games(directory: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the first of three games: the current one, to be damaged."""
    store = store_in(directory)
    for names in (("Ana", "Beto"), ("Cora", "Dani"), ("Eva", "Fito")):
        begin(store, *names)
    store.use(1)
    monkeypatch.setenv("GENERALA_HOME", str(directory))
    (directory / "games" / "1" / "game.json").write_bytes(GOOD)
    return directory / "games" / "1"


def state(directory: Path) -> dict[str, object]:
    """Return everything in a folder without opening files that could hang."""
    found: dict[str, object] = {}
    for path in sorted(directory.rglob("*")):
        mode = path.lstat().st_mode
        is_file = path.is_file() and not path.is_symlink()
        found[str(path)] = (
            mode,
            path.readlink() if path.is_symlink() else path.read_bytes() if is_file else None,
        )
    return found


def wrongs(call: Call, games: Path, *, is_trusted: bool = False) -> Iterator[str]:
    """Return the errors of the commands on a damaged first game. Lists and statistics trust a forged seal."""
    file, before = str(games / "game.json"), state(games.parents[1])
    for typed in ON_THE_DAMAGED:
        code, out, err = call(*typed)
        if (code, out) != (3, "") or file not in err or err.count("\n") != 1:
            yield f"{typed}: {code} {out!r} {err!r}"
    code, out, err = call("games")
    if code != 0 or "Cora 0, Dani 0" not in out or "Eva 0, Fito 0" not in out or (file in err) is is_trusted:
        yield f"games: {code} {out!r} {err!r}"
    damaged = json.loads(call("games", "--json")[1])["damaged"]
    if not is_trusted and ([line["game"] for line in damaged] != [1] or file not in damaged[0]["message"]):
        yield f"games --json: {damaged}"
    code, out, err = call("stats")
    if code != 0 or "unfinished" not in out or (not is_trusted and file not in err):
        yield f"stats: {code} {out!r} {err!r}"
    if call("sheet", "2", "--json")[0] != 0 or call("doctor")[0] != 3:
        yield "another game, or the doctor"
    if state(games.parents[1]) != before:
        yield "bytes were changed"


@contextmanager
def counted(how: str) -> Iterator[list[str]]:
    """Collect one line per run, empty if it went well. Report and check them."""
    runs: list[str] = []
    yield runs
    bad = [line for line in runs if line]
    report(DAMAGED, how, runs=len(runs), losses=len(bad))
    assert bad == []


def test_the_undamaged_game_is_read(call: Call, games: Path) -> None:
    assert call("sheet")[0] == call("doctor")[0] == 0


QUICK = ("wrong values", "another or an impossible game")
SIZES = [pytest.param(A_FEW, id="a few"), pytest.param(EVERY, id="every", marks=pytest.mark.full)]


@pytest.mark.slow
@pytest.mark.parametrize("most", SIZES)
@pytest.mark.parametrize(
    "group", [pytest.param(group, marks=() if group in QUICK else pytest.mark.slow) for group in GROUPS]
)
def test_damage_is_named_and_left(call: Call, games: Path, group: str, most: int) -> None:
    with counted(group) as runs:
        for data in GROUPS[group](most):
            (games / "game.json").write_bytes(data)
            seen = gamefile.sealed(data)
            found = wrongs(call, games, is_trusted=seen is not None and seen.game == 1)
            runs.append("; ".join(f"{data[:200]!r}: {wrong}" for wrong in found))
    assert set(runs) == {""}


def test_about_250_are_tried() -> None:
    assert sum(1 for group in GROUPS.values() for _ in group(A_FEW)) >= 240


def fifo(file: Path) -> None:
    make_pipe(file)


def folder(file: Path) -> None:
    file.mkdir()


def full_folder(file: Path) -> None:
    file.mkdir()
    (file / "game.json").write_bytes(GOOD)


def dangling(file: Path) -> None:
    file.symlink_to("nowhere/game.json")


def looping(file: Path) -> None:
    file.symlink_to(file.name)


def device(file: Path) -> None:
    file.symlink_to("/dev/zero")


IN_ITS_PLACE = (fifo, folder, full_folder, dangling, looping, device)


@posix_only("links, pipes and sockets are made otherwise on Windows, if at all")
@pytest.mark.parametrize("put_there", IN_ITS_PLACE, ids=lambda each: each.__name__)
def test_what_is_no_file_is_named_and_left(
    call: Call, games: Path, put_there: Callable[[Path], None]
) -> None:
    (games / "game.json").unlink()
    put_there(games / "game.json")
    with counted("a folder, pipe, device or link in its place") as runs:
        runs.append("; ".join(wrongs(call, games)))
    assert runs == [""]


@posix_only("links, pipes and sockets are made otherwise on Windows, if at all")
@pytest.mark.parametrize("put_there", [fifo, folder, dangling, looping], ids=lambda each: each.__name__)
def test_a_current_that_is_no_file_is_named_and_left(
    call: Call, games: Path, put_there: Callable[[Path], None]
) -> None:
    current = games.parents[1] / "current"
    current.unlink()
    put_there(current)
    before = state(games.parents[1])
    with counted("a folder, pipe, device or link in its place") as runs:
        for typed in (("sheet",), ("score", "2", "1"), ("undo",), ()):
            code, out, err = call(*typed)
            runs.append("" if (code, out, str(current) in err) == (3, "", True) else f"{typed}: {err}")
        runs.append("" if call("sheet", "2")[0] == call("games")[0] == 0 else "others")
    assert state(games.parents[1]) == before


@pytest.mark.slow
@posix_only("links, pipes and sockets are made otherwise on Windows, if at all")
@pytest.mark.parametrize("what", thinned(zip(["half", "empty", "fifo", "looping", "deep"]), every=5))
def test_the_same_in_a_process_of_its_own(tmp_path: Path, what: str) -> None:
    played = Generala(home=tmp_path / "home")
    played.ok("new", "Ana", "Beto")
    played.ok("score", "55533")
    file = played.game(1)
    whole = file.read_bytes()
    file.unlink()
    contents = {"empty": b"", "half": whole[: len(whole) // 2], "deep": b"[" * 100_000}
    if what in contents:
        file.write_bytes(contents[what])
    else:
        {"fifo": fifo, "looping": looping}[what](file)
    before = state(played.home)
    with counted("as a shell runs it") as runs:
        for typed in (("sheet",), ("score", "44442"), ("undo",), ("payouts",)):
            result = played.process(*typed)
            is_right = (result.code, result.out, str(file) in result.err) == (3, "", True)
            runs.append("" if is_right else f"{typed}: {result}")
    assert state(played.home) == before
