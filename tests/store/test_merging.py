"""Merging games of two machines: nothing is lost, and merging again changes nothing."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from generala_cli.errors import Conflict, DamagedFile, NewerFile, NotAllowed
from generala_cli.game.history import replay
from generala_cli.store import merging
from generala_cli.store.gamefile import GameFile, PackedGame, Recorded, result_of
from generala_cli.store.histories import contains, with_choice
from generala_cli.store.merging import Merged, Merger
from generala_cli.store.sealing import encode
from generala_cli.store.store import Store
from generala_cli.store.subjects import BACKUP, file_name, of_game
from tests.game.strategies import Played, games, played_on
from tests.sessions.reporting import MET, report
from tests.store.files import AT, begin, listing, store_in, tiny_file


def quiet(_done: int, _total: int) -> None:
    """Show no progress."""


def put(store: Store, file: GameFile) -> None:
    path = store.folder.path(file_name(file.game))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode(file))


def files_of(store: Store) -> list[GameFile]:
    """Return the files of a full export."""
    return [store.load(number).file for number in store.numbers()]


def versions(store: Store) -> list[GameFile]:
    """Return every version of every game in a store."""
    found = {name: data or b"" for name, data in listing(store.folder.directory).items()}
    documents = (data for name, data in found.items() if data[:1] == b"{" and not name.endswith(BACKUP))
    return [GameFile.decode(data) for data in documents]


def merge(store: Store, files: Sequence[GameFile]) -> "Taken":
    """Merge them, like an import."""
    with store.folder.writing() as writer:
        merger = Merger(store)
        games = merger.add(map(PackedGame.of, files))
        return Taken(games, merger.write(writer, quiet).damaged)


class Taken(NamedTuple):
    """The result for each incoming game, and the new places of our damaged files."""

    games: Sequence[Merged]
    damaged: Mapping[str, str]


def pass_on(source: Store, target: Store) -> Sequence[Merged]:
    return merge(target, files_of(source)).games


def short(file: GameFile, count: int) -> GameFile:
    """Return the same game with only its first events."""
    events = file.events[:count]
    game = replay(file.agreed, [recorded.event for recorded in events]).game
    return replace(file, events=events, result=result_of(game))


def other(file: GameFile, count: int) -> GameFile:
    """Return the same game with a different time for all events from this one on."""
    later = [replace(each, at=each.at + timedelta(hours=1)) for each in file.events[count:]]
    return replace(file, events=(*file.events[:count], *later))


WHOLE = tiny_file()


@pytest.mark.parametrize(
    ("theirs", "fate"),
    [
        (WHOLE, "same"),
        (replace(WHOLE, game=77), "same"),
        (short(WHOLE, 2), "shorter"),
        (other(WHOLE, 4), "diverged"),
        (short(other(WHOLE, 1), 2), "diverged"),
        (replace(WHOLE, started=AT - timedelta(days=1)), "same"),
        (replace(WHOLE, agreed=replace(WHOLE.agreed, label="friday")), "diverged"),
        (replace(WHOLE, id="f" * 32), "new"),
    ],
)
def test_a_game_that_we_have_whole(directory: Path, theirs: GameFile, fate: str) -> None:
    store = store_in(directory)
    put(store, WHOLE)
    before = listing(directory)
    (merged,) = Merger(store).add([PackedGame.of(theirs)])
    assert merged.fate == fate
    assert listing(directory) == before
    merge(store, [theirs])
    assert store.load(1).file.events == WHOLE.events
    assert len(store.copies(of_game(1))) == (fate == "diverged")
    assert store.numbers() == ([1, 2] if fate == "new" else [1])


def test_games_that_come_have_numbers_in_the_order_in_which_they_began(directory: Path) -> None:
    store = store_in(directory)
    first = replace(WHOLE, id="a" * 32, game=9, started=AT - timedelta(days=1))
    planned = Merger(store).add(map(PackedGame.of, [replace(WHOLE, game=3), first]))
    assert [(each.incoming.number, each.subject.number) for each in planned] == [(9, 1), (3, 2)]


def test_of_another_agreement_only_the_events_that_we_lack_are_new(directory: Path) -> None:
    store = store_in(directory)
    put(store, WHOLE)
    begun = short(WHOLE, 2)
    theirs = replace(begun, agreed=replace(begun.agreed, label="friday"))
    (merged,) = Merger(store).add([PackedGame.of(theirs)])
    assert (merged.fate, merged.added) == ("diverged", 0)


def test_a_game_that_is_here_twice_is_met_under_its_first_number(directory: Path) -> None:
    store = store_in(directory)
    for number in (1, 2):
        put(store, replace(short(WHOLE, 2), game=number))
    (merged,) = Merger(store).add([PackedGame.of(WHOLE)])
    assert (merged.fate, merged.subject.number) == ("longer", 1)


def test_a_longer_history_takes_the_place_of_ours_which_is_the_backup(directory: Path) -> None:
    store = store_in(directory)
    put(store, short(WHOLE, 2))
    ours = store.folder.path(file_name(1)).read_bytes()
    (merged,) = merge(store, [replace(WHOLE, game=5)]).games
    assert (merged.fate, merged.added, merged.subject.number, merged.incoming.number) == ("longer", 3, 1, 5)
    assert store.load(1).file.events == WHOLE.events
    assert store.folder.read(file_name(1) + BACKUP) == ours


def test_nobody_settles_a_game_of_two_histories(directory: Path) -> None:
    store = store_in(directory)
    put(store, WHOLE)
    merge(store, [other(WHOLE, 3)])
    with pytest.raises(Conflict):
        store.open_undisputed("1")


def test_new_games_get_numbers_in_order_of_their_start(directory: Path) -> None:
    store = store_in(directory)
    begin(store)
    begin(store)
    store.delete(2)
    days = {"a": 3, "b": 1, "c": 2}
    files = [
        replace(WHOLE, id=letter * 32, game=9, started=AT - timedelta(days=days[letter])) for letter in days
    ]
    merge(store, files)
    assert [store.load(number).file.id[0] for number in (3, 4, 5)] == ["a", "c", "b"]


DAMAGE = (encode(WHOLE)[:-20], b"", b"nothing at all")


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize(
    ("backup", "came", "fate", "length"),
    [
        (4, WHOLE, "longer", 5),
        (4, short(WHOLE, 2), "shorter", 4),
        (4, short(WHOLE, 4), "same", 4),
        (4, other(WHOLE, 2), "diverged", 4),
        (None, short(WHOLE, 2), "longer", 2),
    ],
)
def test_a_game_that_is_damaged_here_is_repaired_and_its_bytes_are_kept(
    directory: Path, damage: bytes, backup: int | None, came: GameFile, fate: str, length: int
) -> None:
    store = store_in(directory)
    put(store, WHOLE)
    path = store.folder.path(file_name(1))
    if backup is not None:
        path.with_name(path.name + BACKUP).write_bytes(encode(short(WHOLE, backup)))
    if backup is None and b"id" not in damage:  # then the game is unknown
        return
    path.write_bytes(damage)
    taken = merge(store, [replace(WHOLE, id="f" * 32), came])
    assert [(each.fate, each.subject.number, each.is_repaired) for each in taken.games] in (
        [("new", 2, False), (fate, 1, True)],
        [(fate, 1, True), ("new", 2, False)],
    )
    assert store.folder.read(taken.damaged["1"]) == damage
    assert len(store.load(1).file.events) == length
    assert len(store.copies(of_game(1))) == (fate == "diverged")
    assert not merge(store, [came]).damaged


def test_a_game_of_which_only_the_backup_is_left_is_repaired(directory: Path) -> None:
    store = store_in(directory)
    put(store, WHOLE)
    path = store.folder.path(file_name(1))
    path.rename(path.with_name(path.name + BACKUP))
    taken = merge(store, [short(WHOLE, 2)])
    assert ([each.is_repaired for each in taken.games], taken.damaged) == ([True], {})
    assert store.load(1).file.events == WHOLE.events


def test_a_game_of_which_only_another_version_is_left_gets_no_second_number(directory: Path) -> None:
    """A killed `delete` leaves the versions, which are deleted last."""
    store = store_in(directory)
    put(store, WHOLE)
    merge(store, [other(WHOLE, 4)])
    store.folder.path(file_name(1)).unlink()
    (merged,) = merge(store, [WHOLE]).games
    assert (merged.fate, merged.subject.number) == ("new", 1)
    assert store.numbers() == [1]
    assert len(store.copies(of_game(1))) == 1


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data.replace(b'"format":3', b'"format":9'),
        lambda data: data.replace(b'"label":""', b'"label":"x"'),
    ],
    ids=["of a later format", "edited by hand"],
)
def test_a_game_of_ours_that_nobody_can_compare_is_refused_and_left(
    directory: Path, spoil: Callable[[bytes], bytes]
) -> None:
    store = store_in(directory)
    put(store, WHOLE)
    path = store.folder.path(file_name(1))
    path.write_bytes(spoilt := spoil(path.read_bytes()))
    taken = merge(store, [replace(WHOLE, id="f" * 32, game=3), WHOLE])
    assert sorted(each.fate for each in taken.games) == ["new", "refused"]
    assert [type(each.trouble) for each in taken.games if each.trouble] in ([NewerFile], [DamagedFile])
    assert path.read_bytes() == spoilt


def test_files_of_several_machines_are_taken_over_in_one_go(directory: Path) -> None:
    store = store_in(directory)
    put(store, short(WHOLE, 1))
    merger = Merger(store)
    fates = [
        [(each.fate, each.subject.number) for each in merger.add(map(PackedGame.of, files))]
        for files in ([short(WHOLE, 3)], [replace(WHOLE, id="f" * 32)], [WHOLE], [other(WHOLE, 4)])
    ]
    assert fates == [[("longer", 1)], [("new", 2)], [("longer", 1)], [("diverged", 1)]]
    with store.folder.writing() as writer:
        merger.write(writer, quiet)
    assert [store.load(number).file.events for number in (1, 2)] == [WHOLE.events, WHOLE.events]
    assert len(store.copies(of_game(1))) == 1


def test_a_version_that_goes_on_and_is_rejected_in_one_merge_is_set_aside(directory: Path) -> None:
    store, played_here, longer = store_in(directory), other(WHOLE, 0), short(WHOLE, 3)
    put(store, played_here)
    merge(store, [short(longer, 2)])
    chosen = with_choice(played_here, [longer], AT + timedelta(days=1))
    merge(store, [longer, chosen])
    assert store.load(1).file.events == chosen.events
    assert [each.events for each in versions(store) if each.events != chosen.events] == [
        short(longer, 2).events,
    ]


# Two phones


class Meeting(NamedTuple):
    """The games of two machines."""

    one: list[GameFile]
    other: list[GameFile]


@st.composite
def meetings(draw: st.DrawFn) -> Meeting:
    """Generate games that both machines have, continued on either or both, and games on one machine only."""
    machines: tuple[list[GameFile], list[GameFile]] = ([], [])
    for number in range(1, draw(st.integers(1, 4), label="games") + 1):
        begun = draw(games())
        has = draw(st.sampled_from([(0, 1), (0, 1), (0, 1), (0,), (1,)]), label="machines with the game")
        for machine in has:
            moves = draw(st.integers(0, 5), label="moves")
            seed = draw(st.integers(0, 2), label="seed")
            on = played_on(begun, seed=seed, moves=moves) if moves else begun
            hours = draw(st.sampled_from([0, machine]), label="at another time")
            place = len(machines[machine]) + 1
            machines[machine].append(_file(on, number, place, len(begun.events), hours))
    return Meeting(*machines)


def _file(played: Played, identity: int, place: int, common: int, hours: int) -> GameFile:
    started = AT + timedelta(days=identity % 3)
    recorded = tuple(
        Recorded(
            n=n,
            at=started + timedelta(minutes=n, hours=hours if n > common else 0),
            event=event,
        )
        for n, event in enumerate(played.events, start=1)
    )
    return GameFile(
        id=f"{identity:032x}",
        game=place,
        started=started,
        result=result_of(played.history.game),
        agreed=played.agreed,
        events=recorded,
    )


@contextmanager
def stores(meeting: Meeting) -> Iterator[tuple[Store, Store]]:
    with TemporaryDirectory() as folder:
        found = (store_in(Path(folder) / "one"), store_in(Path(folder) / "other"))
        for store, files in zip(found, meeting, strict=True):
            for file in files:
                put(store, file)
        yield found


def check_meeting(meeting: Meeting) -> None:
    """Exchange everything. Both machines then have all games, and all games keep their numbers."""
    with stores(meeting) as (one, two):
        had = [*files_of(one), *files_of(two)]
        numbers = [{file.id: file.game for file in files} for files in meeting]
        pass_on(one, two)
        pass_on(two, one)
        pass_on(one, two)
        for store, own in zip((one, two), numbers, strict=True):
            kept = versions(store)
            assert all(any(contains(version, file) for version in kept) for file in had)
            now = {file.id: file.game for file in files_of(store)}
            assert len(now) == len(store.numbers()) == len({file.id for file in had})
            assert own.items() <= now.items()
        before = [listing(store.folder.directory) for store in (one, two)]
        for source, target in ((one, two), (two, one), (one, two)):
            assert {each.fate for each in pass_on(source, target)} <= {"same", "shorter"}
        assert [listing(store.folder.directory) for store in (one, two)] == before
    report(MET, "random histories, exchanged until nothing changes", runs=1)


@pytest.mark.slow
@given(meetings())
def test_two_machines_lose_nothing_and_meeting_again_changes_nothing(meeting: Meeting) -> None:
    check_meeting(meeting)


@pytest.mark.slow
@settings(max_examples=100)
@given(meetings())
def test_a_hundred_meetings_lose_nothing(meeting: Meeting) -> None:
    check_meeting(meeting)


def test_a_game_that_is_too_large_under_its_new_number_is_not_taken(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused before anything is written, because a larger file could not be read again."""
    store, others = store_in(directory), [replace(WHOLE, id=f"{number:032x}") for number in range(9)]
    merge(store, others)
    before = listing(directory)
    monkeypatch.setattr(merging, "MAX_BYTES", len(encode(WHOLE)))
    games = [replace(WHOLE, game=9, id="f" * 32)]
    with pytest.raises(NotAllowed, match="game 9 is too large"):
        merge(store, games)
    assert listing(directory) == before
    monkeypatch.setattr(merging, "MAX_BYTES", len(encode(WHOLE)) + 1)
    assert [each.fate for each in merge(store, games).games] == ["new"]


def test_what_a_killed_import_left_is_swept_by_the_next(directory: Path) -> None:
    store = store_in(directory)
    begin(store)
    litter = directory / "games" / ".tmp-1-0123456789abcdef"
    litter.mkdir()
    (litter / "game.json").touch()
    assert merge(store, [WHOLE]).games[0].subject.number == 2
    assert not litter.exists()
