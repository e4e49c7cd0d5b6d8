"""A game with several versions is settled once, and every machine learns the choice."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import count, permutations
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from generala_cli.doctor.accepting import accept, acceptance
from generala_cli.doctor.versions import compare, compare_to_choose, take
from generala_cli.errors import Ambiguous, Conflict, DamagedFile, NotFound
from generala_cli.game.events import Chosen, Event, Renamed
from generala_cli.game.history import History
from generala_cli.progress import no_progress
from generala_cli.store.folder import Writer
from generala_cli.store.gamefile import GameFile, PackedGame
from generala_cli.store.histories import contains, knows_of
from generala_cli.store.merging import Merger
from generala_cli.store.sealing import encode
from generala_cli.store.store import Store
from generala_cli.store.subjects import file_name, of_game
from tests.store.files import begin, listing, store_in, unreadable
from tests.store.test_merging import WHOLE, put
from tests.store.test_merging import other as other_version


def name_of(store: Store, wanted: GameFile) -> str:
    """Return the name of the file that holds a version of game 1."""
    found = compare(store, 1)
    assert found is not None
    data = encode(wanted)
    return next(each.file_name for each in found.versions if store.folder.read(each.file) == data)


@pytest.fixture
def machines(tmp_path: Path) -> Sequence[Store]:
    """Three machines and a game that continued differently on two of them. The third has the beginning."""
    found = [store_in(tmp_path / name) for name in ("one", "two", "three")]
    begin(found[0])
    go_on(found[0], "Ana")
    for other in found[1:]:
        meet(found[0], other)
    go_on(found[0], "Anna")
    go_on(found[1], "Anita")
    return found


_NAMES = count()


def go_on(store: Store, name: str = "") -> None:
    """Add an event: rename a player."""

    def decide(history: History) -> Sequence[Event]:
        return [Renamed(player=history.game.seats[0], name=f"{name}{next(_NAMES)}")]

    store.change("1", decide)


def meet(source: Store, target: Store) -> str:
    """Import everything from one machine into another and return the result."""
    return meet_version(target, source.load(1).file)


def meet_version(store: Store, file: GameFile) -> str:
    with store.folder.writing() as writer:
        merger = Merger(store)
        (merged,) = merger.add([PackedGame.of(file)])
        merger.write(writer, no_progress)
    return merged.fate


def follow(store: Store) -> Sequence[str]:
    """Settle the game, like a sync. Return where the rejected versions are now."""
    with store.folder.writing() as writer:
        merger = Merger(store)
        merger.settle([1])
        return merger.write(writer, no_progress).rejected.get(1, ())


def files(stores: Sequence[Store]) -> list[GameFile]:
    return [store.load(1).file for store in stores]


def versions(store: Store) -> Iterator[GameFile]:
    """Return every version of the game in a store."""
    for name, data in listing(store.folder.directory).items():
        if data and data[:1] == b"{" and not name.endswith(".bak"):
            yield GameFile.decode(data)


def set_aside(store: Store) -> Iterator[GameFile]:
    """Return every rejected version of the game."""
    for name in store.folder.names("aside/1"):
        yield GameFile.decode(store.folder.read(f"aside/1/{name}") or b"")


def test_what_was_not_taken_is_kept(machines: Sequence[Store]) -> None:
    one, two, _ = machines
    assert meet(two, one) == "diverged"
    ours, theirs = files([one, two])
    found = compare(one, 1)
    assert found is not None
    assert [(each.take, each.standing) for each in found.versions] == [("this", "own"), ("that", "diverged")]
    would = take(one, 1, "that", dry_run=True)
    assert (would.set_aside, would.saved, one.load(1).file) == ((file_name(1),), False, ours)
    done = take(one, 1, "that")
    assert GameFile.decode(one.folder.read(done.set_aside[0]) or b"") == ours
    assert one.load(1).file.events[:-1] == theirs.events
    assert isinstance(one.load(1).file.events[-1].event, Chosen)
    assert one.open_undisputed("1").game == two.load(1).game
    assert compare(one, 1) is None


def test_who_took_the_wrong_one_takes_the_other_after_all(machines: Sequence[Store]) -> None:
    """It works any number of times, and a machine that knew the first choice learns the next one."""
    one, two, three = machines
    meet(two, one)
    ours, theirs = (turns_of(file) for file in files([one, two]))
    assert compare_to_choose(two, 1) is None
    take(one, 1, "that")
    for wanted in (ours, theirs, ours):
        meet(one, three)
        go = compare_to_choose(one, 1)
        assert go is not None
        assert [(each.take, each.standing) for each in go.versions] == [
            ("this", "own"),
            ("that", "rejected"),
        ]
        take(one, 1, "that")
        assert turns_of(one.load(1).file) == wanted
        assert compare(one, 1) is None
        assert meet(one, three) == "chosen"
        assert turns_of(three.load(1).file) == wanted
    take(one, 1, "this")
    assert turns_of(one.load(1).file) == ours


def test_of_several_not_taken_each_has_the_name_of_its_place(machines: Sequence[Store]) -> None:
    wanted = three_versions(machines)
    one = machines[0]
    take(one, 1, "this")
    found = compare_to_choose(one, 1)
    assert found is not None
    assert [each.take for each in found.versions[1:]] == [each.file for each in found.versions[1:]]
    for name in [each.take for each in found.versions[1:]]:
        take(one, 1, name)
    assert turns_of(one.load(1).file) in [turns_of(file) for file in wanted[1:]]


def test_a_choice_travels(machines: Sequence[Store]) -> None:
    one, two, three = machines
    meet(two, one)
    take(one, 1, "this")
    assert meet(one, three) == "longer"
    assert [meet(one, two), meet(one, two)] == ["chosen", "same"]
    assert compare(two, 1) is None
    assert len({encode(file) for file in files(machines)}) == 1
    assert {meet(*pair) for pair in ((one, two), (two, three), (two, one))} == {"same"}


def exchange(stores: Sequence[Store]) -> None:
    """Let every machine meet every other twice and follow the choices."""
    for _ in range(2):
        for source, target in permutations(stores, 2):
            meet(source, target)
            follow(target)


def all_agree(stores: Sequence[Store]) -> bool:
    """Whether all machines have exactly the same history, without any other version."""
    return len({encode(file) for file in files(stores)}) == 1 and all(
        compare(store, 1) is None for store in stores
    )


def test_two_who_take_the_same_made_one_choice(machines: Sequence[Store]) -> None:
    one, two, three = machines
    meet(one, two)
    meet(two, one)
    take(one, 1, "this")
    take(two, 1, "that")
    exchange(machines)
    assert all_agree(machines)
    assert sum(isinstance(each.event, Chosen) for each in three.load(1).file.events) == 1


def test_who_took_the_same_and_knew_of_more_only_adds_that(machines: Sequence[Store]) -> None:
    one, two, three = machines
    go_on(three, "Anka")
    for source, target in ((one, two), (two, one), (three, two)):
        meet(source, target)
    wanted = one.load(1).file
    take(one, 1, "this")
    go_on(one)
    take(two, 1, name_of(two, wanted))
    exchange([one, two])
    assert all_agree([one, two])
    assert meet(two, three) == "chosen"
    exchange(machines)
    assert all_agree(machines)


def three_versions(machines: Sequence[Store]) -> Sequence[GameFile]:
    """Let the third machine continue the game, too, and give all machines every version."""
    go_on(machines[2], "Anka")
    found = files(machines)
    for source, target in permutations(machines, 2):
        meet_version(target, found[machines.index(source)])
    return found


def test_of_three_versions_too_two_who_take_the_same_made_one_choice(machines: Sequence[Store]) -> None:
    wanted = three_versions(machines)[2]
    for machine in machines:
        take(machine, 1, name_of(machine, wanted))
    choices = {choice for file in files(machines) for choice in choices_of(file)}
    assert len(choices) == 1
    exchange(machines)
    assert all_agree(machines)


def test_who_takes_another_one_over_a_choice_decides_of_what_that_decided(machines: Sequence[Store]) -> None:
    """Two still has the version that one rejected. Three never saw it and chooses its own version."""
    one, two, three = machines
    go_on(three, "Anka")
    meet(two, one)
    take(one, 1, "this")
    meet(one, three)
    take(three, 1, "this")
    assert meet(three, two) == "chosen"
    assert files([two]) == files([three])


def test_a_version_that_has_only_other_choices_is_no_other_version(machines: Sequence[Store]) -> None:
    one, two, three = machines
    go_on(three, "Anka")
    meet_version(three, one.load(1).file)
    take(three, 1, "that")
    meet(two, one)
    take(one, 1, "this")
    known = choices_of(one.load(1).file) | choices_of(three.load(1).file)
    before = files([one, three])
    three.folder.path("games/1/of one.json").write_bytes(encode(before[0]))
    take(three, 1, "this")
    assert (len(known), choices_of(three.load(1).file)) == (2, known)
    for number, file in enumerate(before):
        three.folder.path(f"games/1/before {number}.json").write_bytes(encode(file))
    found = compare(three, 1)
    assert found is not None
    assert [each.standing for each in found.versions] == ["own", "shorter", "shorter"]


def test_what_was_seen_at_a_choice_is_no_question_and_what_goes_on_from_it_is(
    machines: Sequence[Store],
) -> None:
    one, two, three = machines
    meet(two, one)
    (rejected,) = files([one])
    take(one, 1, "that")
    for machine in (one, two):
        go_on(machine)
    (seen,) = files([two])
    meet_version(two, rejected)
    take(two, 1, "that")
    assert meet(one, two) == "diverged"
    assert meet_version(two, seen) == "rejected"
    take(two, 1, "that")
    for machine in machines[:2]:
        meet(two, machine)
    for machine in machines[:2]:  # one of them never had it
        assert meet_version(machine, seen) == "rejected"
        assert compare(machine, 1) is None
    three.folder.path(file_name(1)).write_bytes(encode(seen))
    go_on(three)
    for machine in machines[:2]:
        assert meet(three, machine) == "diverged"
        assert compare(machine, 1) is not None


def test_what_goes_on_elsewhere_stays_one_version_beside_ours(machines: Sequence[Store]) -> None:
    one, two, _ = machines
    for _ in range(3):
        go_on(two, "Anita")
        assert meet(two, one) == "diverged"
    (place,) = one.copies(of_game(1))
    assert GameFile.decode(one.folder.read(place) or b"") == two.load(1).file
    take(one, 1, "that")
    assert turns_of(one.load(1).file) == turns_of(two.load(1).file)


def test_a_rejected_version_that_went_on_is_a_new_question(machines: Sequence[Store]) -> None:
    one, two, _ = machines
    meet(two, one)
    take(one, 1, "this")
    assert meet(two, one) == "rejected"
    go_on(two)
    assert meet(two, one) == "diverged"
    assert meet(one, two) == "diverged"
    take(two, 1, "that")
    exchange([one, two])
    assert all_agree([one, two])


def test_what_comes_is_one_version_with_what_has_the_same_turns_and_a_choice(
    machines: Sequence[Store],
) -> None:
    """One rejected two's turns. Three chose them without knowing that, and two goes on."""
    one, two, three = machines
    go_on(three, "Anka")
    for machine in (one, three):
        meet(two, machine)
    take(one, 1, "this")
    take(three, 1, "that")
    go_on(two)
    chosen, further = files([three, two])
    two.folder.path(file_name(1)).write_bytes(encode(one.load(1).file))
    for machine, coming in ((one, [chosen, further]), (two, [further, chosen])):
        merger = Merger(machine)
        merged = merger.add(map(PackedGame.of, coming))
        with machine.folder.writing() as writer:
            merger.write(writer, no_progress)
        assert merged[0].fate == "diverged"
        (place,) = machine.copies(of_game(1))
        found = GameFile.decode(machine.folder.read(place) or b"")
        assert (turns_of(found), choices_of(found)) == (turns_of(further), choices_of(chosen))


def test_a_beginning_of_what_was_not_taken_is_settled_too(machines: Sequence[Store]) -> None:
    one, two, three = machines
    meet(two, three)
    go_on(two)
    meet(two, one)
    take(one, 1, "this")
    assert meet(one, three) == "chosen"


def test_choices_that_differ_are_reported_until_someone_chooses_anew(machines: Sequence[Store]) -> None:
    one, two, three = machines
    first = files([one, two])
    meet(two, one)
    with two.folder.writing() as writer:
        merger = Merger(two)
        merger.add([PackedGame.of(first[0])])
        merger.write(writer, no_progress)
    for machine in (one, two):
        take(machine, 1, "this")
    assert [meet(two, one), meet(one, two), meet(two, one)] == ["diverged", "diverged", "same"]
    mine = one.load(1).file
    take(one, 1, "this")
    assert contains(one.load(1).file, mine)
    assert meet(two, one) == "rejected"
    assert meet(one, two) == "chosen"
    assert meet(two, three) == "longer"
    assert len({encode(file) for file in files(machines)}) == 1


def test_a_choice_elsewhere_settles_an_open_conflict(machines: Sequence[Store]) -> None:
    one, two, three = machines
    for machine in (one, three):
        meet(two, machine)
    meet(one, three)
    take(one, 1, "that")
    assert meet(one, three) == "longer"
    assert compare(three, 1) is None
    assert encode(three.load(1).file) == encode(one.load(1).file)


def test_a_machine_follows_a_choice_that_had_seen_its_version(machines: Sequence[Store]) -> None:
    one, two, three = machines
    meet(two, three)
    ours, theirs = files([one, two])
    meet(two, one)
    take(one, 1, "this")
    for machine in (two, three):
        assert meet(one, machine) == "chosen"
        assert [*set_aside(machine)] == [theirs]
        assert compare(machine, 1) is None
    assert len({encode(file) for file in files(machines)}) == 1
    assert turns_of(files(machines)[0]) == turns_of(ours)


def test_a_choice_holds_if_the_game_turns_out_to_have_begun_earlier(machines: Sequence[Store]) -> None:
    """Two machines that seat one table start its game twice, and the earlier start stays."""
    one, two, three = machines
    (beginning,) = files([three])
    meet(two, one)
    for machine in (one, two):
        meet_version(machine, replace(beginning, started=beginning.started - timedelta(hours=1)))
    take(one, 1, "this")
    assert meet(one, two) == "chosen"
    assert all_agree([one, two])


def test_a_choice_is_also_over_a_file_that_vanishes_meanwhile(
    machines: Sequence[Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, _ = machines
    meet(two, one)
    (ours,) = files([one])
    copy = Writer.quarantine_copy

    def copy_and_lose(writer: Writer, data: bytes, place: str, owner: str) -> str:
        kept = copy(writer, data, place, owner)
        one.folder.path(place).unlink()
        return kept

    monkeypatch.setattr(Writer, "quarantine_copy", copy_and_lose)
    (place,) = take(one, 1, "that").set_aside
    assert GameFile.decode(one.folder.read(place) or b"") == ours
    assert knows_of(one.load(1).file, ours)


def test_a_choice_that_had_not_seen_all_is_a_question(machines: Sequence[Store]) -> None:
    one, two, _ = machines
    meet(two, one)
    take(one, 1, "this")
    go_on(two)
    assert meet(one, two) == "diverged"
    assert follow(two) == ()
    assert compare(two, 1) is not None


def test_only_a_version_that_was_not_seen_stays_a_question(machines: Sequence[Store]) -> None:
    one, two, three = machines
    go_on(three, "Anka")
    theirs, unseen = files([two, three])
    meet(two, one)
    take(one, 1, "this")
    meet(three, two)
    assert meet(one, two) == "chosen"
    assert ([*set_aside(two)], two.load(1).file) == ([theirs], one.load(1).file)
    (place,) = two.copies(of_game(1))
    assert GameFile.decode(two.folder.read(place) or b"") == unseen
    take(two, 1, "this")
    for machine in (one, three):
        meet(two, machine)
    assert all_agree(machines)


def test_who_takes_a_choice_from_elsewhere_over_what_was_not_seen_there_chooses_too(
    machines: Sequence[Store],
) -> None:
    """Three imports the choice of two. Meanwhile one, which has the data of three, undoes that choice."""
    one, two, three = machines
    meet(one, three)
    meet(one, two)
    take(two, 1, "this")
    for machine in (one, three):
        go_on(machine)
    for machine in (one, three):
        meet(two, machine)
    take(one, 1, "this")
    meet(three, one)
    take(three, 1, "that")
    exchange(machines)
    assert all(compare(machine, 1) is not None for machine in machines)
    take(three, 1, "this")
    exchange(machines)
    assert all_agree(machines)


def test_what_the_games_own_file_holds_is_no_question(machines: Sequence[Store]) -> None:
    one, *_ = machines
    beginning = one.load(1).file
    go_on(one)
    copy = one.folder.path(file_name(1)).with_name("game (conflicted copy).json")
    copy.write_bytes(encode(beginning))
    assert len(follow(one)) == 1
    assert beginning in versions(one)
    assert compare(one, 1) is None


def test_while_a_version_cannot_be_read_no_choice_is_followed(
    machines: Sequence[Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, _ = machines
    meet(two, one)
    take(one, 1, "this")
    copy = two.folder.path(file_name(1)).with_name("game (conflicted copy).json")
    copy.write_bytes(encode(one.load(1).file))
    with monkeypatch.context() as patch:
        unreadable(patch, copy)
        assert follow(two) == ()
    assert len(follow(two)) == 1


def test_several_copies_are_taken_by_name(machines: Sequence[Store]) -> None:
    one, two, three = machines
    go_on(three, "Anka")
    meet(two, one)
    meet(three, one)
    with pytest.raises(Ambiguous, match="several other versions; type game"):
        take(one, 1, "that")
    with pytest.raises(NotFound, match="no version 'other'"):
        take(one, 1, "other")
    name = one.copies(of_game(1))[1].rpartition("/")[2]
    assert len(take(one, 1, name).set_aside) == 2
    with pytest.raises(NotFound, match="no version"):  # it is the game's own now
        take(one, 1, name)


@pytest.mark.parametrize("data", [b"junk", None])
def test_a_copy_takes_the_place_of_a_file_that_is_damaged_or_gone(
    machines: Sequence[Store], data: bytes | None
) -> None:
    one, two, _ = machines
    meet(two, one)
    path = one.folder.path(file_name(1))
    path.unlink()
    if data is not None:
        path.write_bytes(data)
        with pytest.raises(DamagedFile, match="cannot be taken"):
            take(one, 1, "this")
    kept = take(one, 1, "that").set_aside
    assert [one.folder.read(name) for name in kept] == [data] * (data is not None)
    assert one.load(1).file == two.load(1).file


def check_group(seed: int, steps: int) -> None:
    """Machines continue, meet and choose at random. No version is lost, and none returns by itself."""
    random = Random(seed)
    with TemporaryDirectory() as folder:
        machines = [store_in(Path(folder) / str(number)) for number in range(3)]
        begin(machines[0])
        for other in machines[1:]:
            meet(machines[0], other)
        ever: dict[bytes, GameFile] = {}
        for _ in range(steps):
            one, other = random.sample(machines, 2)
            before = files([one, other])
            had = [list(versions(one)), list(versions(other))]
            ever.update((encode(each), each) for each in (*had[0], *had[1]))
            match random.choice(["go on", "meet", "meet", "take"]):
                case "go on":
                    go_on(one)
                case "meet":
                    meet(one, other)
                    assert any(holds(version, before[1]) for version in versions(other))
                case "take" if (found := compare(one, 1)) is not None:
                    take(one, 1, random.choice(found.versions).file_name)
            assert all(knows_of(one.load(1).file, each) for each in set_aside(one))
            for machine, each in zip((one, other), had, strict=True):
                now = list(versions(machine))
                assert all(any(holds(kept, version) for kept in now) for version in each)
        settle(machines)
    check_transitive([*ever.values()])


def check_transitive(found: Sequence[GameFile]) -> None:
    """Check that if A covers B and B covers C, then A covers C, so the order of meetings never matters.

    Two versions that cover each other have the same turns.
    """
    above = {
        place: {other for other, each in enumerate(found) if knows_of(each, one)}
        for place, one in enumerate(found)
    }
    for place, others in above.items():
        for other in others:
            assert above[other] <= others
            assert place not in above[other] or turns_of(found[place]) == turns_of(found[other])


def holds(kept: GameFile, version: GameFile) -> bool:
    """Return whether a version contains another: its turns as the first ones, its choices in any order."""
    turns = turns_of(version)
    return turns_of(kept)[: len(turns)] == turns and choices_of(kept) >= choices_of(version)


def turns_of(file: GameFile) -> list[Event]:
    return [recorded.event for recorded in file.events if not isinstance(recorded.event, Chosen)]


def choices_of(file: GameFile) -> set[Event]:
    return {recorded.event for recorded in file.events if isinstance(recorded.event, Chosen)}


def settle(machines: Sequence[Store]) -> None:
    """If one machine chooses and all others follow, all have the same."""
    first, *others = machines
    for other in others:
        meet(other, first)
    if compare(first, 1) is not None:
        take(first, 1, "this")
    go_on(first)
    for other in (*others, *others):
        meet(first, other)
        if compare(other, 1) is not None:
            take(other, 1, name_of(other, first.load(1).file))
        assert meet(other, first) in ("same", "longer")  # longer if it knew one more version
    assert len({encode(file) for file in files(machines)}) == 1


@pytest.mark.slow
@example(6574, 25)  # a choice known on the chosen branch
@given(st.integers(0, 2**32), st.integers(0, 25))
def test_machines_that_choose_at_random_lose_nothing_and_can_be_settled(seed: int, steps: int) -> None:
    check_group(seed, steps)


@settings(max_examples=3)
@given(st.integers(0, 2**32))
def test_three_groups_lose_nothing(seed: int) -> None:
    check_group(seed, 15)


def test_nobody_settles_a_game_of_two_histories_until_one_is_chosen(directory: Path) -> None:
    store = store_in(directory)
    put(store, WHOLE)
    theirs = other_version(WHOLE, 3)
    meet_version(store, theirs)
    with pytest.raises(Conflict):
        store.open_undisputed("1")
    accept(store, *acceptance(store, "1"))
    assert store.open_undisputed("1").file.events[:-1] == WHOLE.events
    assert meet_version(store, theirs) == "rejected"  # and set aside
    assert store.open_undisputed("1").number == 1
