"""The next hand: every mistake comes once before any is repeated, and missed hands return on their days."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from generala_cli.training.schedule import (
    DAYS,
    RIGHT,
    Asked,
    Attempt,
    History,
    due,
    is_right,
    next_due,
    upcoming,
)
from generala_cli.training.trainingfile import DrawnHand, PlayedHand, TrainedHand
from tests.cases import cases
from tests.store.files import AT

COSTS = st.one_of(st.just(0.0), st.just(RIGHT), st.floats(0, 30))


def hands(costs: Sequence[float]) -> list[Asked]:
    return [
        Asked(hand=PlayedHand(game="0" * 32, turn=turn, throw=1, dice=(1, 2, 3)), cost=cost)
        for turn, cost in enumerate(costs, start=1)
    ]


def attempts(*days: tuple[int, bool]) -> History:
    return History(attempts=tuple(Attempt(at=AT + timedelta(day), right=right) for day, right in days))


histories = st.lists(st.tuples(st.integers(0, 40), st.booleans()), min_size=1, max_size=4).map(
    lambda days: attempts(*sorted(days))
)


@st.composite
def trainings(draw: st.DrawFn) -> tuple[list[Asked], dict[TrainedHand, History]]:
    played = hands(draw(st.lists(COSTS, max_size=25)))
    answered = draw(st.dictionaries(st.sampled_from(played), histories)) if played else {}
    return played, {each.hand: history for each, history in answered.items()}


@given(trainings(), st.integers(0, 60), st.integers(0, 10**6))
def test_every_mistake_comes_once_before_any_comes_again(
    training: tuple[list[Asked], Mapping[TrainedHand, History]], day: int, seed: int
) -> None:
    played, answered = training
    now = AT + timedelta(day)
    found = list(upcoming(played, answered, now, seed))
    assert max(Counter(each.hand for each in found).values(), default=1) == 1
    new = [each for each in found if each.hand not in answered]
    mistakes = [each for each in new if not is_right(each.cost)]
    assert mistakes == sorted(
        (each for each in played if each.hand not in answered and not is_right(each.cost)),
        key=lambda each: -each.cost,
    )
    again = [each for each in found if each.hand in answered]
    assert again == list(due(played, answered, now))
    if mistakes and again:
        assert found.index(mistakes[-1]) < found.index(again[0])
    assert len(new) - len(mistakes) <= len(mistakes) + len(again)


@given(st.lists(st.floats(RIGHT * 2, 30), min_size=1, max_size=12), st.data())
def test_a_mistake_is_asked_every_day_until_each_was_asked_once(
    costs: list[float], data: st.DataObject
) -> None:
    """With any answers, over any number of sessions, with some hands each."""
    played, answered = hands(costs), dict[TrainedHand, History]()
    asked: list[TrainedHand] = []
    for day in range(len(costs)):
        for each in list(upcoming(played, answered, AT + timedelta(day), day))[
            : data.draw(st.integers(1, 3))
        ]:
            asked.append(each.hand)
            past = answered.get(each.hand, History()).attempts
            attempt = Attempt(at=AT + timedelta(day), right=data.draw(st.booleans()))
            answered[each.hand] = History(attempts=(*past, attempt))
    first = asked[: len(costs)]
    assert len(set(first)) == len(first)
    assert len(asked) < len(costs) or {*first} == {each.hand for each in played}


def test_what_was_missed_comes_again_after_its_days_and_then_no_more() -> None:
    history, day = [(0, False)], 0
    for days in DAYS:
        day += days
        assert attempts(*history).due == AT + timedelta(day)
        history.append((day, True))
    assert attempts(*history).due is None
    assert attempts((0, False)).days_after(AT + timedelta(1), right=True) == DAYS[1]
    assert attempts((0, False), (1, True)).days_after(AT + timedelta(4), right=False) == DAYS[0]
    assert attempts(*history[:-1]).days_after(AT + timedelta(day), right=True) is None
    assert attempts().days_after(AT, right=True) is None
    assert attempts((0, True)).due is None
    assert attempts((0, False), (1, True), (4, False)).due == AT + timedelta(5)
    assert attempts((0, True), (9, False)).due == AT + timedelta(10)


def test_what_waits_longest_comes_first_and_the_next_is_told() -> None:
    played = hands([5, 9, 7])
    answered = {
        played[0].hand: attempts((3, False)),
        played[1].hand: attempts((1, False)),
        played[2].hand: attempts((0, True)),
    }
    assert list(due(played, answered, AT + timedelta(4))) == [played[1], played[0]]
    assert list(due(played, answered, AT + timedelta(2))) == [played[1]]
    assert next_due(played, answered) == AT + timedelta(2)
    assert next_due(played[2:], answered) is None


@cases("seed", range(20))
def test_hands_that_were_played_well_are_among_them_where_they_are_tempting(seed: int) -> None:
    played = hands([5.0] * 40 + [0.0] * 40)
    tempting = {each.hand for each in played[40::2]}
    found = list(upcoming(played, {}, AT, seed, lambda each: each.hand in tempting))
    well = [each for each in found if is_right(each.cost)]
    assert 0 < len(well) <= 20
    assert {each.hand for each in well} <= tempting
    assert found == list(upcoming(played, {}, AT, seed, lambda each: each.hand in tempting))


def test_drawn_hands_are_known_by_rules_and_number() -> None:
    one, other = (DrawnHand(rules="01234567", number=number, throw=1, dice=(1, 1)) for number in (1, 2))
    now: datetime = AT + timedelta(2)
    found = due([Asked(hand=one), Asked(hand=other)], {other: attempts((0, False))}, now)
    assert [each.hand for each in found] == [other]
