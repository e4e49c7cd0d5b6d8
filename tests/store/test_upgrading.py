"""Games of formats 1 and 2 are told of by every command, and moved over without the loss of a byte."""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from zlib import crc32

import pytest

from generala_cli.errors import FileTrouble, NotFound
from generala_cli.game.events import Undone
from generala_cli.game.game import Game
from generala_cli.store.gamefile import read
from generala_cli.store.store import Store
from generala_cli.store.upgrading import Upgraded, upgrade
from tests.store.files import Document, begin, listing, store_in

FIRST = (Path(__file__).parent / "game-of-0.1.0.json").read_bytes()
"""As generala 0.1.0 wrote it, in format 1: game 1, "friday". Never to be changed."""
SECOND = (Path(__file__).parent / "game-of-format-2.json").read_bytes()
"""Of format 2: game 2, General in pairs, over, its win undone and redone. Never to be changed."""


def tell_nobody(_done: int, _total: int) -> None:
    """Nobody watches."""


def move(store: Store, *, dry_run: bool = False) -> tuple[Upgraded, ...]:
    return upgrade(store, tell_nobody, dry_run=dry_run)


def second(game: int, change: Callable[[Document], None] = lambda _: None) -> bytes:
    """A whole game of format 2 under another number, changed and sealed again."""
    document = json.loads(SECOND)
    document["game"] = game
    change(document)
    rest = {key: value for key, value in document.items() if key != "checksum"}
    head, *lines = (
        json.dumps(each, separators=(",", ":"), ensure_ascii=False)
        for each in ({**rest, "events": []}, *rest["events"])
    )
    body = head[:-2] + "\n" + ",\n".join(lines) + "\n]}\n"
    key = f'"checksum":"{crc32(body.encode()):08x}",'
    return body.replace('"events":[\n', key + '"events":[\n', 1).encode()


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def store(directory: Path, told: list[str]) -> Store:
    """A folder as earlier versions left it, game 2 current."""
    (directory / "games").mkdir(parents=True)
    (directory / "games" / "1.json").write_bytes(FIRST)
    (directory / "games" / "1.json.bak").write_bytes(b"its backup")
    (directory / "games" / "2.json").write_bytes(SECOND)
    (directory / "current").write_bytes(b"2\n")
    quiet = store_in(directory)
    return Store(folder=quiet.folder, clock=quiet.clock, warn=lambda what: told.append(str(what)))


def played(store: Store, number: int) -> Game:
    return store.load(number).game


# What they become


def test_a_game_of_the_first_format_is_what_it_was(store: Store) -> None:
    move(store)
    stored = store.load(1)
    assert stored.game.agreed.label == "friday"
    assert {player: stored.game.total(player) for player in stored.game.seats} == {"Ana": 30, "Beto": 24}
    assert f"{stored.file.started:%Y-%m-%dT%H:%M:%SZ}" == "2026-11-20T14:27:16Z"
    kinds = [(event.n, type(event.event).__name__) for event in stored.file.events]
    names = ["Scored", "Scored", "Undone", "Scored", "Amended"]
    assert kinds == list(enumerate(names, start=1))
    assert stored.file.events[2].event.number == 2  # type: ignore[union-attr]


def test_a_game_of_the_second_format_is_what_it_was(store: Store) -> None:
    was = json.loads(SECOND)
    move(store)
    stored = store.load(2)
    assert stored.file.result.winners == tuple(was["winners"])
    assert len(stored.file.events) == len(was["events"]) - 1
    assert stored.game.agreed.sides == tuple(map(tuple, was["events"][0]["sides"]))
    assert stored.game.agreed.openings[0][0] == was["events"][0]["openings"][0]["player"]
    instant_win = stored.game.rules.instant_win
    assert instant_win is not None
    assert instant_win.when == was["events"][0]["rules"]["instant_win"]["when"]
    undone = [event["number"] for event in was["events"] if event["event"] in ("undone", "redone")]
    now = [event.event.number for event in stored.file.events if hasattr(event.event, "number")]
    assert undone
    assert now == [number - 1 for number in undone]


def test_every_game_gets_an_id_of_its_own_and_keeps_its_number(store: Store) -> None:
    move(store)
    assert store.numbers() == [1, 2]
    assert store.load(1).file.id != store.load(2).file.id
    assert store.current() == 2
    assert begin(store) == 3


def test_the_old_files_are_kept_and_nothing_else_is_left(store: Store, directory: Path) -> None:
    done = move(store)
    assert done == (
        Upgraded(number=1, kept="aside/1/1.json"),
        Upgraded(number=2, kept="aside/2/2.json"),
    )
    found = listing(directory)
    new = {name: found.pop(f"games/{name}/game.json") for name in ("1", "2")}
    assert all(read(data or b"", int(number)) for number, data in new.items())
    assert found == {
        ".lock": b"",
        "current": b"2\n",
        **dict.fromkeys(("games", "games/1", "games/2", "aside", "aside/1", "aside/2")),
        "aside/1/1.json": FIRST,
        "aside/1/1.json.bak": b"its backup",
        "aside/2/2.json": SECOND,
    }
    assert move(store) == ()


def test_a_dry_run_changes_nothing(store: Store, directory: Path) -> None:
    before = listing(directory)
    assert move(store, dry_run=True) == (Upgraded(number=1), Upgraded(number=2))
    assert listing(directory) == before


def test_where_there_are_none_nothing_is_made(directory: Path) -> None:
    assert move(store_in(directory)) == ()
    assert not directory.exists()


# What is damaged


def at(*place: str | int, value: object) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        found = document
        for key in place[:-1]:
            found = found[key]  # type: ignore[index]
        found[place[-1]] = value  # type: ignore[index]

    return change


DAMAGED = {
    "empty": b"",
    "junk": b"junk",
    "another document": b"[]",
    "cut short": SECOND[:700],
    "another figure": SECOND.replace(b'"points":60', b'"points":65', 1),
    "another game": second(7),
    "a later format": second(2, at("format", value=9)),
    "no format": b'{"checksum":"00000000"}',
    "points that do not follow": second(2, at("events", 1, "points", value=1)),
    "a fraction": second(2, at("events", 1, "roll", value=1.5)),
    "a truth": second(2, at("events", 1, "roll", value=True)),
    "a stranger": second(2, at("events", 1, "player", value="Zoe")),
    "an unknown key": second(2, at("events", 1, "colour", value=3)),
    "another beginning": second(2, at("events", 0, "event", value="scored")),
    "rules that make no sense": second(2, at("events", 0, "rules", "dice", value=99)),
    "numbers out of order": second(2, at("events", 1, "n", value=3)),
    "winners that do not follow": second(2, at("winners", value=[])),
    "a day that there is not": second(2, at("events", 1, "at", value="2026-02-30T00:00:00Z")),
}


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_one_is_named_and_left_and_the_others_are_moved(
    store: Store, directory: Path, data: bytes
) -> None:
    (directory / "games" / "2.json").write_bytes(data)
    (directory / "games" / "10.json").write_bytes(second(10))
    first, damaged, last = move(store)
    assert (first.kept, last.kept) == ("aside/1/1.json", "aside/10/10.json")
    assert (damaged.number, damaged.kept) == (2, None)
    assert damaged.problem
    assert (directory / "games" / "2.json").read_bytes() == data
    assert store.numbers() == [1, 10]


def test_the_same_without_the_damage_is_moved(store: Store, directory: Path) -> None:
    assert second(2) == SECOND
    (directory / "games" / "2.json").write_bytes(json.dumps(json.loads(SECOND), indent=2).encode())
    assert [one.problem for one in move(store)] == ["", ""]  # earlier versions minded no other layout


def test_a_pipe_in_its_place_is_named(store: Store, directory: Path) -> None:
    (directory / "games" / "1.json").unlink()
    os.mkfifo(directory / "games" / "1.json")
    first, last = move(store)
    assert "not an ordinary file" in str(first.problem)
    assert last.kept


# Crashes


class Killed(BaseException):
    """Whatever was left is left; nothing catches it."""


def dying_at(turn: int, real: Callable[..., object]) -> Callable[..., object]:
    calls = iter(range(1000))

    def call(*arguments: object, **options: object) -> object:
        if next(calls) == turn:
            raise Killed
        return real(*arguments, **options)

    return call


@pytest.mark.parametrize("function", ["fsync", "replace", "rename", "mkdir"])
def test_wherever_it_stops_each_game_is_whole_and_the_next_run_goes_on(
    store: Store, directory: Path, monkeypatch: pytest.MonkeyPatch, function: str
) -> None:
    for turn in range(40):
        with monkeypatch.context() as patched:
            patched.setattr(os, function, dying_at(turn, getattr(os, function)))
            try:
                done = move(store)
            except Killed:
                done = None
        for number, data in ((1, FIRST), (2, SECOND)):
            old = directory / "games" / f"{number}.json"
            assert old.exists() or played(store, number).agreed.players
            assert data in {old.read_bytes() if old.exists() else b"", *aside(directory, number)}
        if done is not None and not turn:
            pytest.fail("nothing was killed")
        if not store.older():
            break
    assert store.numbers() == [1, 2]
    assert [path.name for path in directory.rglob(".tmp-*")] == []


def aside(directory: Path, number: int) -> list[bytes]:
    return [path.read_bytes() for path in (directory / "aside" / str(number)).glob("*.json*")]


def test_one_that_was_played_on_after_a_crash_is_not_written_over(store: Store, directory: Path) -> None:
    move(store)
    (directory / "aside" / "1" / "1.json").rename(directory / "games" / "1.json")
    store.change("1", lambda history: [Undone(number=5)])
    assert move(store)[0].kept == "aside/1/1.json"
    assert store.load(1).history.length == 6


def test_another_game_of_that_number_is_not_written_over(store: Store, directory: Path) -> None:
    move(store)
    (directory / "games" / "1.json").write_bytes(second(1))
    before = listing(directory)
    assert "another game of that number" in str(move(store)[0].problem)
    assert listing(directory) == before


# The telling


def telling(told: list[str]) -> str:
    (line,) = set(told)
    told.clear()
    return line


def test_whatever_is_asked_it_is_told(store: Store, directory: Path, told: list[str]) -> None:
    attempts: list[Callable[[], object]] = [
        lambda: store.open(None),
        lambda: store.open("1"),
        lambda: store.open("nobody"),
        lambda: store.change(None, lambda _: []),
        lambda: store.current(),
    ]
    for attempt in attempts:
        with suppress(NotFound, FileTrouble):
            attempt()
        assert telling(told) == (
            f"{directory}/games/1.json and 1 more are of an earlier format; "
            "generala doctor --upgrade moves games of earlier formats over"
        )
    store.warn_of_all()
    assert "generala doctor --upgrade" in telling(told)
    assert begin(store) == 3
    assert "generala doctor --upgrade" in telling(told)
    store.open("3")
    assert "generala doctor --upgrade" in telling(told)


@pytest.mark.parametrize("reference", [None, "2"])
def test_a_game_of_an_earlier_format_is_not_called_gone(store: Store, reference: str | None) -> None:
    attempts: list[Callable[[], object]] = [
        lambda: store.open(reference),
        lambda: store.change(reference, lambda _: []),
    ]
    for attempt in attempts:
        with pytest.raises(FileTrouble, match="game 2 is of an earlier format") as caught:
            attempt()
        assert "generala doctor --upgrade" in str(caught.value.hint)


def test_a_damaged_one_that_was_left_is_told_on(store: Store, directory: Path, told: list[str]) -> None:
    (directory / "games" / "2.json").write_bytes(b"junk")
    move(store)
    told.clear()
    store.open("1")
    assert telling(told).startswith(f"{directory}/games/2.json is of an earlier format")


def test_nothing_is_told_after_it_and_no_list_is_made_where_there_never_were_any(
    directory: Path, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    quiet = store_in(directory)
    begin(quiet)
    begin(quiet)
    store = Store(folder=quiet.folder, clock=quiet.clock, warn=lambda what: told.append(str(what)))
    listdir = os.listdir

    def spy(path: str | Path = ".") -> list[str]:
        assert Path(path) != directory / "games"
        return listdir(path)

    monkeypatch.setattr(os, "listdir", spy)
    store.open(None)
    assert told == []


def test_an_old_program_beside_this_one_is_noticed(directory: Path, told: list[str]) -> None:
    quiet = store_in(directory)
    begin(quiet)
    (directory / "games" / "1.json").write_bytes(FIRST)
    Store(folder=quiet.folder, clock=quiet.clock, warn=lambda what: told.append(str(what))).open("1")
    assert "of an earlier format" in telling(told)
