"""The training file: it round-trips, and files merged in any order agree."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generala_cli.errors import Conflict, DamagedFile
from generala_cli.store.facts import merged
from generala_cli.store.sealing import Unreadable, encode, new_id
from generala_cli.store.store import Store
from generala_cli.training import storing as training
from generala_cli.training.trainingfile import (
    Answered,
    DrawnHand,
    PlayedHand,
    RecordedAnswer,
    TrainingFile,
)
from tests.store.files import AT, store_in

IDS = [f"{number:032x}" for number in range(12)]
HANDS = st.one_of(
    st.builds(
        PlayedHand,
        game=st.sampled_from(IDS),
        turn=st.integers(1, 40),
        throw=st.integers(1, 4),
        dice=st.just((1, 2, 3, 4, 4)),
    ),
    st.builds(
        DrawnHand,
        rules=st.just("01234567"),
        number=st.integers(1, 99),
        throw=st.integers(1, 3),
        dice=st.just((6, 6)),
    ),
)
ANSWERS = st.one_of(
    st.builds(
        Answered,
        id=st.sampled_from(IDS),
        player=st.sampled_from(["Ana", "Ánã", ""]),
        hand=HANDS,
        kept=st.sampled_from([(), (4, 4)]),
        cost=st.floats(0, 50),
    ),
    st.builds(
        Answered,
        id=st.sampled_from(IDS),
        player=st.just("Beto"),
        hand=HANDS,
        category=st.just("fours"),
        cost=st.floats(0, 50),
    ),
)
MOMENTS = st.integers(0, 9).map(lambda day: AT + timedelta(day))
FILES = st.lists(st.tuples(ANSWERS, MOMENTS), max_size=6).map(lambda given: file_of(*given))


def file_of(*given: tuple[Answered, datetime]) -> TrainingFile:
    return merged(
        [
            TrainingFile(),
            *(TrainingFile(events=(RecordedAnswer(n=1, at=at, event=answer),)) for answer, at in given),
        ]
    )


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return store_in(tmp_path / "data")


def answer(cost: float = 2.0) -> Answered:
    hand = DrawnHand(rules="01234567", number=1, throw=1, dice=(1, 2, 3, 4, 4))
    return Answered(id=new_id(), player="Ana", hand=hand, kept=(4, 4), cost=cost)


@given(FILES)
def test_what_is_written_is_read(file: TrainingFile) -> None:
    assert TrainingFile.read(encode(file)).events == file.events


@given(FILES, ANSWERS, MOMENTS)
def test_an_answer_that_is_added_stands_where_it_would_after_a_meeting(
    file: TrainingFile, new: Answered, at: datetime
) -> None:
    """The clock may have been set back."""
    if new.id not in {recorded.event.id for recorded in file.events}:
        assert file.with_answer(new, at) == merged([file, file_of((new, at))])


@given(FILES, FILES, FILES)
def test_files_that_meet_in_any_order_come_to_the_same(
    one: TrainingFile, two: TrainingFile, three: TrainingFile
) -> None:
    together = merged([one, two, three])
    assert merged([three, merged([one, two])]) == merged([merged([two, three]), one]) == together
    assert merged([together, one, together]) == together
    everything = {recorded.event.id for file in (one, two, three) for recorded in file.events}
    assert {recorded.event.id for recorded in together.events} == everything
    assert TrainingFile.read(encode(together)).events == together.events


@given(st.data())
def test_one_bit_is_noticed(data: st.DataObject) -> None:
    whole = encode(file_of((answer(), AT), (answer(3.0), AT)))
    place = data.draw(st.integers(0, 8 * len(whole) - 1))
    flipped = bytearray(whole)
    flipped[place // 8] ^= 1 << place % 8
    with pytest.raises(Unreadable):
        TrainingFile.read(bytes(flipped))


def test_an_answer_has_either_dice_or_a_box() -> None:
    data = encode(file_of((answer(), AT)))
    for wrong in (b'"kept":[4,4],"category":"fours",', b""):
        with pytest.raises(Unreadable):
            TrainingFile.read(data.replace(b'"kept":[4,4],', wrong))


def test_answers_are_added_one_by_one_and_none_is_lost(store: Store) -> None:
    assert training.load(store).file.events == ()
    given = [answer(cost) for cost in (1.0, 2.0, 3.0)]
    for each in given:
        training.add(store, each)
    assert {recorded.event.id for recorded in training.load(store).file.events} == {each.id for each in given}


def test_a_damaged_file_and_a_conflict_copy_are_named_and_left(store: Store) -> None:
    training.add(store, answer())
    path = store.folder.path("training/training.json")
    copy = path.with_name("training (copy).json")
    copy.write_bytes(path.read_bytes())
    with pytest.raises(Conflict, match="a different version of the training file"):
        training.load(store)
    copy.unlink()
    path.write_bytes(b"junk")
    with pytest.raises(DamagedFile):
        training.add(store, answer())
    assert path.read_bytes() == b"junk"
