import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from generala_cli.errors import (
    Ambiguous,
    DamagedFile,
    FileError,
    GeneralaError,
    NewerFile,
    NotAllowed,
    NotFound,
)
from generala_cli.game import decisions
from generala_cli.game.events import Event, Scored
from generala_cli.game.history import History, undo
from generala_cli.game.starting import start
from generala_cli.game.turn import Turn
from generala_cli.rules.options import with_settings
from generala_cli.store.folder import FileChanged
from generala_cli.store.gamefile import GameFile
from generala_cli.store.sealing import Unreadable, encode
from generala_cli.store.store import GameMovedOn, Store
from tests.cases import cases
from tests.game.table import Table, cached_rules
from tests.store.files import (
    AT,
    Document,
    Place,
    begin,
    changed,
    document_of,
    file_of,
    listing,
    put,
    sealed,
    store_in,
    tiny_rules,
)

ROOT = Path(__file__).parents[2]


@pytest.fixture
def store(directory: Path) -> Store:
    return store_in(directory)


def game_file(store: Store, number: int = 1) -> Path:
    return store.folder.path(f"games/{number}/game.json")


def leave(store: Store, data: bytes, number: int = 1) -> None:
    """Put a file in the place of a game, like another program."""
    game_file(store, number).parent.mkdir(parents=True, exist_ok=True)
    game_file(store, number).write_bytes(data)


def twos(history: History) -> Sequence[Event]:
    """Enter a two for the next player."""
    game = history.game
    assert game.to_move is not None
    box = game.rules.category("twos")
    return [decisions.judge(game, Turn(dice=(2, 1), roll=2, category=box))]


def nothing_new(_: History) -> Sequence[Event]:
    return []


def refuse(_: History) -> Sequence[Event]:
    raise NotAllowed("not today")


# Numbers


def test_games_are_numbered_from_one(store: Store) -> None:
    assert [begin(store), begin(store), begin(store)] == [1, 2, 3]
    assert store.numbers() == [1, 2, 3]


def test_ten_comes_after_nine(store: Store) -> None:
    for number in (10, 9, 2):
        leave(store, b"", number)
    assert store.numbers() == [2, 9, 10]
    assert begin(store) == 11


def test_a_deleted_number_in_between_is_not_given_again(store: Store) -> None:
    begin(store)
    begin(store)
    store.delete(1)
    assert begin(store) == 3


def test_a_backup_that_was_left_keeps_its_number(store: Store) -> None:
    begin(store)
    begin(store)
    store.change(None, twos)
    game_file(store, 2).unlink()
    backup = game_file(store, 2).with_name("game.json.bak").read_bytes()
    assert begin(store) == 3
    assert game_file(store, 2).with_name("game.json.bak").read_bytes() == backup


@pytest.mark.parametrize(
    "name", ["01", "0", ".1", "1~", "x", "1.JSON", "1234567890", "-1", "+1", "1 (1)", "１"]
)
def test_only_exact_names_are_games(store: Store, name: str) -> None:
    begin(store)
    game_file(store).parent.rename(game_file(store).parent.with_name(name))
    for place in ("current", "marks/1"):  # a game with one of these names keeps its number
        (store.folder.directory / place).unlink()
    assert store.numbers() == []
    assert begin(store) == 1


def test_a_file_in_place_of_a_folder_is_no_game_and_its_number_is_not_given(store: Store) -> None:
    begin(store)
    (store.folder.directory / "games" / "2").touch()
    assert store.numbers() == [1]
    assert begin(store) == 3


def test_a_deleted_number_is_never_given_again(store: Store) -> None:
    begin(store)
    store.delete(1)
    assert begin(store) == 2


NEW = """
import sys
from generala_cli.cli.running import run
sys.stdin.read()
sys.exit(run(["new", "Ana", "Beto", "--json"]))
"""


@pytest.mark.slow
def test_of_eight_that_start_a_game_at_once_each_has_its_own(store: Store, directory: Path) -> None:
    reading, writing = os.pipe()  # closed at once, it starts them all
    environment = {**os.environ, "GENERALA_HOME": str(directory)}
    starters = [
        subprocess.Popen(
            [sys.executable, "-c", NEW], stdin=reading, stdout=subprocess.PIPE, cwd=ROOT, env=environment
        )
        for _ in range(8)
    ]
    os.close(reading)
    os.close(writing)
    found = [json.loads(starter.communicate()[0])["game"] for starter in starters]
    assert sorted(found) == store.numbers() == list(range(1, 9))
    assert len({store.load(number).file.id for number in found}) == 8


# Which game is current


def test_a_new_game_is_current(store: Store) -> None:
    begin(store)
    begin(store)
    assert store.current() == 2


def test_use_makes_another_game_current(store: Store) -> None:
    begin(store)
    begin(store)
    store.use(1)
    assert store.current() == 1


def test_a_game_that_is_gone_is_not_made_current(store: Store) -> None:
    begin(store)
    with pytest.raises(NotFound, match="game 7 no longer exists"):
        store.use(7)
    assert store.current() == 1


def test_without_games_the_refusal_says_how_to_start_one(store: Store) -> None:
    with pytest.raises(NotFound, match="start-game"):
        store.current()


def test_a_missing_current_file_is_not_guessed(store: Store) -> None:
    begin(store)
    store.folder.path("current").unlink()
    with pytest.raises(NotFound, match="choose-game"):
        store.current()


@pytest.mark.parametrize(
    "content", [b"", b"0\n", b"one\n", b"1.json", b"-1", b"../1", b"\xff", b"1\n2\n", b"1" * 10]
)
def test_a_wrong_current_file_is_named_and_left(store: Store, content: bytes) -> None:
    begin(store)
    path = store.folder.path("current")
    path.write_bytes(content)
    with pytest.raises(DamagedFile, match="current does not name a game") as caught:
        store.load(store.find(None))
    assert str(path) in str(caught.value)
    assert path.read_bytes() == content


def test_a_wrong_current_file_harms_no_game_that_is_named_and_use_mends_it(store: Store) -> None:
    begin(store)
    store.folder.path("current").write_bytes(b"???")
    assert store.load(store.find("1")).number == 1
    store.use(1)
    assert store.current() == 1


def test_a_current_game_that_is_gone_is_not_replaced_by_another(store: Store) -> None:
    begin(store)
    begin(store)
    game_file(store, 2).unlink()
    with pytest.raises(DamagedFile, match="forget it with generala doctor --accept 2"):
        store.load(store.find(None))


# Finding a game


@pytest.fixture
def labelled(store: Store) -> Store:
    for label in ("friday at Tito", "friday at Ana's", "Sábado", ""):
        begin(store, label=label)
    return store


@cases(
    ("wanted", "number"),
    [("1", 1), ("4", 4), ("friday at tito", 1), ("friday at a", 2), ("SABADO", 3), ("s", 3)],
)
def test_a_game_is_found_by_number_label_or_start(labelled: Store, wanted: str, number: int) -> None:
    assert labelled.find(wanted) == number


def test_an_ambiguous_start_lists_the_games(labelled: Store) -> None:
    with pytest.raises(Ambiguous, match="1 or 2"):
        labelled.find("fri")


@pytest.mark.parametrize("wanted", ["7", "monday", "", "0", "1" * 5000])
def test_what_is_not_there_is_not_found(labelled: Store, wanted: str) -> None:
    with pytest.raises(NotFound):
        labelled.find(wanted)


def test_the_exact_number_beats_a_longer_one_and_a_start_is_enough(store: Store) -> None:
    for _ in range(12):
        begin(store)
    assert store.find("1") == 1
    store.delete(1)
    with pytest.raises(Ambiguous, match="10, 11 or 12"):
        store.find("1")


@pytest.mark.parametrize("data", [b"", b"junk", b'{"format":4}'])
def test_an_unreadable_game_is_found_by_its_number_only(labelled: Store, data: bytes) -> None:
    leave(labelled, data, 1)
    assert labelled.find("1") == 1
    assert labelled.find("friday") == 2


# Changing


def test_a_change_is_on_disk_with_its_time(store: Store) -> None:
    begin(store)
    after = store.change(None, twos)
    file = GameFile.decode(game_file(store).read_bytes())
    assert replace(after.file, checksum=file.checksum) == file
    assert [(event.n, event.at) for event in file.events] == [(1, AT)]
    assert isinstance(file.events[0].event, Scored)


def test_a_change_leaves_the_version_before_it(store: Store) -> None:
    begin(store)
    before = game_file(store).read_bytes()
    store.change(None, twos)
    assert game_file(store).with_name("game.json.bak").read_bytes() == before


@pytest.mark.parametrize("number", ["1", "2"])
def test_a_change_touches_no_other_game(store: Store, number: str) -> None:
    begin(store)
    begin(store)
    other = game_file(store, 3 - int(number))
    before = other.read_bytes()
    store.change(number, twos)
    assert other.read_bytes() == before


def test_deciding_nothing_writes_nothing(store: Store, directory: Path) -> None:
    begin(store)
    before = listing(directory)
    store.change(None, nothing_new)
    assert listing(directory) == before


def test_a_refusal_writes_nothing(store: Store, directory: Path) -> None:
    begin(store)
    before = listing(directory)
    with pytest.raises(NotAllowed, match="not today"):
        store.change(None, refuse)
    assert listing(directory) == before


def test_a_change_of_no_game_creates_nothing(store: Store, directory: Path) -> None:
    with pytest.raises(NotFound, match="start-game"):
        store.change(None, twos)
    assert not directory.exists()


class Intruder:
    """Another program that ignores the lock and writes the game while a command decides, several times."""

    def __init__(self, store: Store, times: int) -> None:
        self.store = store
        self.times = times
        self.decisions = 0

    def __call__(self, history: History) -> Sequence[Event]:
        self.decisions += 1
        decided = twos(history)
        if self.decisions <= self.times:
            table = Table(tiny_rules(), "Ana", "Beto")
            for _ in range(self.decisions):
                table.scratch("Ana", "all")
                table.undo()
            leave(self.store, encode(file_of(table.agreed, table.events)))
        return decided


@pytest.mark.parametrize("times", [0, 1, 2])
def test_a_game_that_changed_meanwhile_is_read_and_decided_again(store: Store, times: int) -> None:
    begin(store)
    intruder = Intruder(store, times)
    after = store.change(None, intruder)
    assert intruder.decisions == times + 1
    assert len(after.file.events) == 2 * times + 1
    assert GameFile.decode(game_file(store).read_bytes()).events == after.file.events


def test_a_game_that_changes_three_times_is_left_to_the_other_program(store: Store) -> None:
    begin(store)
    intruder = Intruder(store, 3)
    with pytest.raises(FileChanged, match="changed by another program"):
        store.change(None, intruder)
    assert intruder.decisions == 3
    assert len(GameFile.decode(game_file(store).read_bytes()).events) == 6


# Damaged files


def written(store: Store) -> Document:
    """Return a game of two scores in its form on the disk."""
    begin(store)
    store.change(None, twos)
    store.change(None, twos)
    return document_of(game_file(store).read_bytes())


def add(*events: Document) -> Callable[[Document], Document]:
    def change(document: Document) -> Document:
        more = [
            {"n": number, "at": "2026-11-20T21:04:00Z", "event": event}
            for number, event in enumerate(events, 3)
        ]
        return {**document, "events": [*document["events"], *more]}

    return change


def at(*place: str | int, value: object) -> Callable[[Document], Document]:
    where: Place = place
    return lambda document: changed(document, where, put(value))


def scored(player: str, category: str, points: int, dice: Sequence[int] = (2, 1), roll: int = 2) -> Document:
    return {
        "kind": "scored",
        "player": player,
        "dice": list(dice),
        "roll": roll,
        "category": category,
        "points": points,
        "instant_win": False,
    }


ALL = [scored("Ana", "all", 3), scored("Beto", "all", 3)]


def attempts(store: Store) -> list[Callable[[], object]]:
    return [
        lambda: store.load(1),
        lambda: store.change("1", twos),
        lambda: store.change("1", twos, dry_run=True),
    ]


IMPOSSIBLE = {
    "points that do not follow from the dice": at("events", 0, "event", "points", value=4),
    "a hand that does not make its category": at("events", 0, "event", "dice", value=[1, 3]),
    "more dice than the rules have": at("events", 0, "event", "dice", value=[2, 1, 1]),
    "a face that the dice have not": at("events", 0, "event", "dice", value=[2, 4]),
    "a throw that there is not": at("events", 0, "event", "roll", value=3),
    "a win at once where the rules have none": at("events", 0, "event", "instant_win", value=True),
    "a stranger": at("events", 0, "event", "player", value="Zoe"),
    "a category that there is not": at("events", 0, "event", "category", value="threes"),
    "no category": at("events", 0, "event", "category", value=None),
    "a category filled twice": add(scored("Ana", "twos", 2)),
    "a turn too many": add(ALL[0], scored("Ana", "all", 3)),
    "an entry after the end": add(*ALL, scored("Ana", "all", 3)),
    "the wrong event undone": add({"kind": "undone", "number": 1}),
    "an event to come undone": add({"kind": "undone", "number": 3}),
    "something redone that was not undone": add({"kind": "redone", "number": 2}),
    "the wrong event redone": add({"kind": "undone", "number": 2}, {"kind": "redone", "number": 1}),
    "more undone than done": add(
        {"kind": "undone", "number": 2}, {"kind": "undone", "number": 1}, {"kind": "undone", "number": 0}
    ),
    "a turn amended that was not": add({"kind": "amended", "turn": 3, "entry": ALL[0]}),
    "a turn amended for an unknown player": add(
        {"kind": "amended", "turn": 1, "entry": {**ALL[0], "player": "Zoe"}}
    ),
    "a name that is taken": add({"kind": "renamed", "player": "Ana", "name": "beto"}),
    "one leaving who is not there": add({"kind": "left", "player": "Zoe"}),
    "one joining who is there": add({"kind": "joined", "player": "Ana"}),
    "a stake changed to nothing": add({"kind": "staked", "stake": "0", "unit": "USD", "payout": "pot"}),
    "one player": at("agreed", "players", value=["Ana"]),
    "two of a name": at("agreed", "players", value=["Ana", "ana"]),
    "a player on no side": at("agreed", "sides", value=[["Ana"]]),
    "a stake of nothing": at("agreed", "stake", value="0"),
    "an unknown payout": at("agreed", "payout", value="all"),
    "a name that acts": at("agreed", "players", value=["Ana", "\x1b[2J"]),
    "opening throws of one only": at("agreed", "openings", value=[["Ana", [[1, 2]]]]),
    "an opening throw of other dice": at(
        "agreed",
        "openings",
        value=[[name, [[face]]] for face, name in enumerate(("Ana", "Beto"), 1)],
    ),
    "the content of another game": at("game", value=2),
}


@pytest.mark.parametrize("damage", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_what_cannot_have_happened_is_damage_and_is_left(
    store: Store, directory: Path, damage: Callable[[Document], Document]
) -> None:
    leave(store, sealed(damage(written(store))))
    before = listing(directory)
    for attempt in attempts(store):
        with pytest.raises(DamagedFile, match=r"is damaged \(.+\); it was not changed") as caught:
            attempt()
        assert str(game_file(store)) in str(caught.value)
        assert "its result" not in str(caught.value)
    assert listing(directory) == before


def test_the_same_without_the_damage_is_read(store: Store) -> None:
    document = add(*ALL)(written(store))
    result = {"totals": {"Ana": 5, "Beto": 5}, "winners": ["Ana", "Beto"], "next": None}
    leave(store, sealed({**document, "result": result}))
    assert store.load(1).history.game.is_over


def test_a_damaged_game_harms_no_other(store: Store) -> None:
    begin(store)
    begin(store)
    leave(store, b"junk")
    assert store.change(None, twos).number == 2
    assert begin(store) == 3
    assert store.numbers() == [1, 2, 3]


def test_damage_says_how_to_put_a_good_backup_back(store: Store) -> None:
    begin(store)
    good = game_file(store).read_bytes()
    backup = game_file(store).with_name("game.json.bak")
    leave(store, b"junk")
    for data, hint in (
        (None, "it has no good backup; generala doctor shows"),
        (b"", "it has no good backup; generala doctor shows"),
        (good, "restore its backup with generala doctor --restore 1"),
    ):
        if data is not None:
            backup.write_bytes(data)
        with pytest.raises(DamagedFile, match=hint):
            store.load(1)


def test_a_game_that_was_changed_by_hand_may_be_sealed(store: Store) -> None:
    begin(store)
    edited = game_file(store).read_bytes().replace(b"Beto", b"Cora")
    leave(store, edited)
    for attempt in attempts(store):
        with pytest.raises(
            DamagedFile, match="if you edited it yourself, seal it with generala doctor --accept 1"
        ):
            attempt()
    assert game_file(store).read_bytes() == edited


def test_a_newer_file_is_named_and_left(store: Store) -> None:
    newer = b'{"format":4,"points":1.5}'
    leave(store, newer)
    for attempt in attempts(store):
        with pytest.raises(NewerFile, match="newer generala") as caught:
            attempt()
        assert str(game_file(store)) in str(caught.value)
    assert game_file(store).read_bytes() == newer


def test_a_folder_in_place_of_a_game_is_trouble_and_left(store: Store) -> None:
    game_file(store).mkdir(parents=True)
    with pytest.raises(FileError, match="it is a folder"):
        store.change("1", twos)
    assert game_file(store).is_dir()


# Games that must not start


@pytest.mark.parametrize("setting", [("generala", "60000"), ("bonus", "100000")], ids=str)
def test_a_game_that_could_not_be_read_again_is_not_begun(
    store: Store, directory: Path, setting: tuple[str, str]
) -> None:
    def decide() -> None:
        rules = with_settings(cached_rules("generala"), [setting])
        store.add(start(rules, ("Ana", "Beto"), openings={}))

    with pytest.raises(GeneralaError):
        decide()
    assert not game_file(store).exists()
    assert not (directory / "current").exists()


def test_after_the_highest_number_comes_the_first_that_no_game_had(store: Store) -> None:
    begin(store)
    begin(store)
    store.delete(2)
    leave(store, b"", 999_999_999)
    assert [begin(store), begin(store), store.current()] == [3, 4, 4]
    assert store.numbers() == [1, 3, 4, 999_999_999]


# A clock that cannot be right


@pytest.mark.parametrize("year", [1, 1899, 3000, 9999])
def test_a_clock_that_cannot_be_right_writes_nothing_and_is_named(
    store: Store, directory: Path, year: int
) -> None:
    begin(store)
    before = listing(directory)
    wrong = replace(store, clock=lambda: datetime(year, 2, 3, tzinfo=UTC))
    agreed = start(tiny_rules(), ("Ana", "Beto"), openings={})
    attempts: list[Callable[[], object]] = [
        lambda: wrong.change(None, twos),
        lambda: wrong.add(agreed),
    ]
    for attempt in attempts:
        with pytest.raises(FileError, match=f"the clock of this computer says 0*{year}-02-03") as caught:
            attempt()
        assert (caught.value.exit_code, str(caught.value.hint)) == (3, "set the clock and try again")
    assert listing(directory) == before


@pytest.mark.parametrize("error", [OverflowError, ValueError, OSError])
def test_a_clock_beyond_every_year_writes_nothing_and_is_named(
    store: Store, directory: Path, error: type[Exception]
) -> None:
    def clock() -> datetime:
        raise error("year is out of range")

    begin(store)
    before = listing(directory)
    with pytest.raises(FileError, match="the clock of this computer"):
        replace(store, clock=clock).change(None, twos)
    assert listing(directory) == before


# Deleting


def test_delete_leaves_neither_game_nor_backup_nor_current(store: Store, directory: Path) -> None:
    begin(store)
    store.change(None, twos)
    store.delete(1)
    assert listing(directory) == {".lock": b"", "games": None, "games/1": None, "marks": None}


def test_delete_keeps_another_current_game(store: Store) -> None:
    begin(store)
    begin(store)
    store.delete(1)
    assert store.current() == 2


def test_delete_needs_no_readable_game(store: Store) -> None:
    leave(store, b"junk")
    store.delete(1)
    assert store.numbers() == []


def test_delete_does_nothing_when_the_current_file_is_wrong(store: Store, directory: Path) -> None:
    begin(store)
    (directory / "current").write_bytes(b"???")
    before = listing(directory)
    with pytest.raises(DamagedFile):
        store.delete(1)
    assert listing(directory) == before


# Calls that write nothing


def test_reads_create_nothing(store: Store, directory: Path) -> None:
    def read() -> None:
        assert store.numbers() == []
        assert store.current_or_none() is None
        for attempt in (store.current, lambda: store.find("1"), lambda: store.load(1)):
            with pytest.raises(NotFound):
                attempt()

    read()
    assert not directory.exists()
    directory.mkdir()
    read()
    assert listing(directory) == {}


def test_reads_write_nothing(store: Store, directory: Path) -> None:
    written(store)
    before = listing(directory)
    store.load(store.find("1"))
    store.numbers()
    store.current()
    assert listing(directory) == before


def test_a_preview_shows_what_would_be_and_writes_nothing(store: Store, directory: Path) -> None:
    written(store)
    before = listing(directory)
    after = store.change(None, undo, dry_run=True)
    assert len(after.history.game.entries) == 1
    assert listing(directory) == before


def test_a_preview_of_a_new_game_creates_nothing(store: Store, directory: Path) -> None:
    started = start(tiny_rules(), ("Ana", "Beto"), openings={})
    assert store.preview_new(started).number == 1
    assert not directory.exists()


def test_a_current_game_that_is_deleted_is_followed_by_another_if_that_is_there(store: Store) -> None:
    for _ in range(3):
        begin(store)
    store.delete(3, then=1)
    assert store.current() == 1
    store.delete(1, then=3)
    assert store.current_or_none() is None


def test_mark_and_backup_are_deleted_before_their_game(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(store)
    store.change(None, twos)
    deleted: list[str] = []
    monkeypatch.setattr(os, "unlink", lambda path: deleted.append(Path(path).name))
    store.delete(1)
    assert deleted == ["1", "game.json.bak", "game.json", "current"]


def test_a_change_that_could_not_be_read_again_is_not_written(store: Store, directory: Path) -> None:
    begin(store)
    before = listing(directory)
    with pytest.raises(Unreadable):
        replace(store, clock=lambda: AT.replace(tzinfo=None)).change(None, twos)
    assert listing(directory) == before


def test_a_game_that_moved_on_since_it_was_looked_at_is_not_changed(store: Store, directory: Path) -> None:
    begin(store)
    store.change(None, twos)
    before = listing(directory)
    with pytest.raises(GameMovedOn):
        replace(store, seen=0).change(None, twos)
    assert listing(directory) == before


def test_a_start_that_fails_leaves_no_folder_and_one_that_was_killed_no_litter(
    store: Store, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(store)
    litter = directory / "games" / ".tmp-1-0123456789abcdef"
    litter.mkdir()
    (litter / "game.json").touch()

    def fail(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", fail)
        with pytest.raises(FileError):
            begin(store)
    assert [path.name for path in (directory / "games").iterdir()] == ["1"]
    assert not litter.exists()
    assert begin(store) == 2


def test_other_versions_are_named_once_however_often_a_change_is_tried(store: Store) -> None:
    begin(store)
    game_file(store).with_name("game (1).json").write_bytes(b"{")
    warned: list[str] = []
    warning = replace(store, warn=lambda message: warned.append(str(message)))
    warning.change(None, Intruder(store, 2))
    assert len(warned) == 1


def test_a_game_that_another_program_took_away_is_missed_and_its_number_is_not_given_again(
    directory: Path,
) -> None:
    notices: list[str] = []
    store = replace(store_in(directory), warn=lambda what: notices.append(str(what)))
    begin(store)
    begin(store)
    shutil.rmtree(directory / "games/2")
    with pytest.raises(DamagedFile, match=r"game\.json is missing"):
        store.open(None)
    (directory / "marks/2").unlink()
    with pytest.raises(NotFound, match="game 2 no longer exists"):
        store.open(None)
    assert begin(store) == 3
    assert notices == ["the current game 2 is gone: another program deleted it, or restored older files"]
    store.delete(3)
    assert begin(store) == 4
    assert len(notices) == 1
