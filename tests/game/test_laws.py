"""Laws that hold for every game."""

from collections import Counter
from itertools import product
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from generala_cli.errors import NotAllowed
from generala_cli.game.amending import amend, completed
from generala_cli.game.decisions import choices, judge, wins_instantly
from generala_cli.game.events import (
    Action,
    Amended,
    Entry,
    Event,
    Joined,
    Left,
    Redone,
    Renamed,
    Scored,
    Scratched,
    Staked,
    Undone,
)
from generala_cli.game.game import Game, evolve, new_game, positions
from generala_cli.game.history import History, ImpossibleEvent, redo, replay, undo
from generala_cli.game.turn import Turn
from generala_cli.rules.catalog import built_in_names
from generala_cli.rules.dice import Dice
from tests.cases import cases
from tests.game.strategies import HOUSES, Limits, Played, games, random_dice, random_entry
from tests.game.table import Table, cached_rules, house, untried_options
from tests.rules import reference

BUILT_IN = st.sampled_from(built_in_names()).map(cached_rules)


def test_random_games_try_every_option_of_the_rules() -> None:
    assert untried_options(HOUSES) == set()


@given(games())
def test_replaying_gives_the_game_built_step_by_step(played: Played) -> None:
    again = played.replayed()
    assert again.game == played.history.game
    assert again.length == played.history.length == len(played.events)
    assert [step.number for step in again.done] == [step.number for step in played.history.done]
    assert [step.number for step in again.undone] == [step.number for step in played.history.undone]


@given(games())
def test_a_total_is_never_negative(played: Played) -> None:
    game = played.history.game
    assert min(map(game.total, game.columns)) >= 0


@given(games())
def test_replaying_twice_gives_the_same_game(played: Played) -> None:
    once, again = played.replayed(), played.replayed()
    assert (once.game, once.length, once.done, once.undone) == (
        again.game,
        again.length,
        again.done,
        again.undone,
    )


@given(games())
def test_every_earlier_state_is_the_replay_of_the_events_so_far(played: Played) -> None:
    done = played.history.done
    if done:
        before = replay(played.agreed, [step.action for step in done[:-1]]).game
        assert evolve(before, done[-1].action) == played.history.game
    broken_off = len(played.events) // 2
    history = History(played.agreed)
    for event in played.events[:broken_off]:
        history.add(event)
    assert played.replayed(broken_off).game == history.game


@given(games())
def test_every_state_on_the_stack_is_what_its_entries_say(played: Played) -> None:
    for step in played.history.done:
        assert step.after == [*positions(step.after)][-1]
        assert evolve(step.before, step.action) == step.after


@given(games(), st.integers(0, 2**32))
def test_undo_after_anything_restores_the_state_before(played: Played, seed: int) -> None:
    history = played.history
    assume(not history.game.is_over)
    before = history.game
    history.add(random_entry(before, Random(seed), Limits()))
    assert history.game != before
    history.add(undo(history)[0])
    assert history.game == before


@given(games())
def test_undoing_everything_leads_back_to_the_empty_sheet(played: Played) -> None:
    history = played.history
    while history.done:
        history.add(undo(history)[0])
    assert history.game == new_game(played.agreed)


@given(games())
def test_redo_after_undo_is_nothing(played: Played) -> None:
    history = played.history
    assume(history.done)
    before, done = history.game, list(history.done)
    history.add(undo(history)[0])
    history.add(redo(history)[0])
    assert (history.game, history.done) == (before, done)


@given(games(), st.data())
def test_amending_an_entry_to_the_same_is_nothing(played: Played, data: st.DataObject) -> None:
    game = played.history.game
    assume(game.entries)
    turn = data.draw(st.integers(1, len(game.entries)), label="turn")
    same = game.entries[turn - 1]
    amended = amend(game, turn, completed(Turn(), same, game.rules))
    assert amended == Amended(turn=turn, entry=same)
    assert evolve(game, amended) == game


@given(games())
def test_the_game_is_what_its_entries_say(played: Played) -> None:
    game = played.history.game
    assert [*positions(game)][-1] == game


@given(games())
def test_totals_are_the_sum_of_the_boxes_and_of_the_upper_bonus(played: Played) -> None:
    game = played.history.game
    for player in game.seats:
        written = [
            (e.category, e.points) for e in game.entries if e.player == player and isinstance(e, Scored)
        ]
        boxes = sum(points for _, points in written)
        numbers = sum(points for category, points in written if category in reference.NUMBERS)
        assert boxes == sum(box.points for box in game.columns[player].boxes)
        bonus = game.rules.upper_bonus
        earned = bonus.points if bonus is not None and numbers >= bonus.threshold else 0
        entered = [(e.dice, e.category, e.points) for e in game.entries if e.player == player]
        alike = game.rules.all_alike_box
        extra = reference.extra_points(entered, alike.id, game.rules.extra_bonus) if alike else 0
        assert game.total(player) == boxes + earned + extra


@given(games(limits=Limits(instant_wins=False), whole=True))
def test_a_whole_game_fills_every_box_once_and_gives_everyone_as_many_turns(played: Played) -> None:
    game = played.history.game
    for player in game.playing:
        assert set(game.columns[player].rows) == {category.id for category in game.rules.categories}
        assert game.columns[player].turns == game.rules.turns
    filled = Counter((entry.player, entry.category or "") for entry in game.entries)
    assert all(count <= game.rules.category(box).box_count for (_, box), count in filled.items())


@given(games(limits=Limits(changes=False)))
def test_nobody_is_ever_more_than_one_turn_ahead(played: Played) -> None:
    turns = [column.turns for column in played.history.game.columns.values()]
    assert max(turns) - min(turns) <= 1


@given(games())
def test_spares_are_never_below_none(played: Played) -> None:
    for column in played.history.game.columns.values():
        assert 0 <= column.used <= column.saved


def _entry_or_refusal(game: Game, player: str, dice: Dice, roll: int, category: str) -> Entry | str:
    try:
        return judge(game, Turn(player=player, dice=dice, roll=roll, category=game.rules.category(category)))
    except NotAllowed as refused:
        return refused.kind


@given(games(), st.integers(0, 2**32))
def test_the_order_of_the_dice_never_matters(played: Played, seed: int) -> None:
    game, randomness = played.history.game, Random(seed)
    assume(not game.is_over)
    player = next(player for player in game.seats if game.may_move(player))
    dice = random_dice(game.rules, randomness)
    shuffled = tuple(randomness.sample(dice, len(dice)))
    for roll in range(1, game.last_throw(player) + 1):
        assert choices(game, player, dice, roll) == choices(game, player, shuffled, roll)
        for category in game.rules.categories:
            one = _entry_or_refusal(game, player, dice, roll, category.id)
            other = _entry_or_refusal(game, player, shuffled, roll, category.id)
            if isinstance(one, Scored) and isinstance(other, Scored):
                assert replace(one, dice=()) == replace(other, dice=())
            else:
                assert one == other


EVERY_HAND = {
    count: sorted({tuple(sorted(t)) for t in product(range(1, 7), repeat=count)}) for count in (3, 5, 6)
}


@pytest.mark.slow
@settings(deadline=None, max_examples=10)  # each tries every hand in every box
@given(st.data())
def test_a_legal_entry_is_never_refused_and_scores_what_the_reference_gives(data: st.DataObject) -> None:
    rules = data.draw(BUILT_IN, label="rules")
    game = data.draw(games(rules=rules)).history.game
    assume(not game.is_over)
    player = data.draw(st.sampled_from([*filter(game.may_move, game.seats)]), label="player")
    roll = data.draw(st.integers(1, game.last_throw(player)), label="throw")
    for category in game.fillable_categories(player):
        for dice in EVERY_HAND[rules.dice]:
            points: int | None = reference.points(rules.name, category.id, dice, roll)
            if rules.name == "yahtzee":
                filled = {name: row[0].points for name, row in game.columns[player].rows.items()}
                points = reference.yahtzee_points("forced", category.id, dice, filled)
            if wins_instantly(game, player, dice, roll):
                continue
            if points:
                entry = judge(game, Turn(player=player, dice=dice, roll=roll, category=category))
                assert (entry.category, entry.points, entry.instant_win) == (category.id, points, False)
            else:
                assert _entry_or_refusal(game, player, dice, roll, category.id) == "not-allowed"


@given(games())
def test_whatever_is_fillable_may_be_scratched(played: Played) -> None:
    game = played.history.game
    for player in game.seats:
        if game.is_over or not game.may_move(player):
            continue
        for category in game.fillable_categories(player):
            entry = judge(game, Turn(player=player, category=category, is_scratch=True))
            box = evolve(game, entry).columns[player].rows[category.id][-1]
            assert (box.points, box.scratched) == (0, True)


@given(games(), st.integers(0, 2**32))
def test_every_choice_offered_can_be_taken_for_its_points(played: Played, seed: int) -> None:
    game = played.history.game
    assume(not game.is_over)
    player = next(player for player in game.seats if game.may_move(player))
    dice = random_dice(game.rules, Random(seed))
    offered = choices(game, player, dice, 2 if game.rules.throws > 1 else 1)
    assert [choice.points for choice in offered] == sorted((c.points for c in offered), reverse=True)
    for choice in offered:
        if game.rules.throws > 1:
            entry = judge(game, Turn(player=player, dice=dice, roll=2, category=choice.category))
            assert entry.points == choice.points > 0


def _tampered(entry: object, *, by: int) -> Scored:
    assert isinstance(entry, Scored)
    return replace(entry, points=entry.points + by)


@given(games(), st.data())
def test_a_stored_entry_with_other_points_is_impossible(played: Played, data: st.DataObject) -> None:
    scored = [n for n, event in enumerate(played.events) if isinstance(event, Scored)]
    assume(scored)
    place = data.draw(st.sampled_from(scored), label="event")
    tampered = _tampered(played.events[place], by=data.draw(st.sampled_from([-1, 1, 5]), label="by"))
    with pytest.raises(ImpossibleEvent) as impossible:
        replay(played.agreed, [*played.events[:place], tampered, *played.events[place + 1 :]])
    assert impossible.value.number == place + 1


@given(games(), st.data())
def test_an_amended_entry_with_other_points_is_impossible(played: Played, data: st.DataObject) -> None:
    amends = [
        n for n, e in enumerate(played.events) if isinstance(e, Amended) and isinstance(e.entry, Scored)
    ]
    assume(amends)
    place = data.draw(st.sampled_from(amends), label="event")
    amended = played.events[place]
    assert isinstance(amended, Amended)
    entry = _tampered(amended.entry, by=1)
    with pytest.raises(ImpossibleEvent) as impossible:
        replay(
            played.agreed,
            [*played.events[:place], replace(amended, entry=entry), *played.events[place + 1 :]],
        )
    assert impossible.value.number == place + 1


AGREED = Table(house("generala")).agreed
FULL = Scored(player="Ana", dice=(5, 5, 5, 3, 3), roll=3, category="full-house", points=30)
SCRATCH = Scratched(player="Ana", category="ones", dice=None, roll=3)

IMPOSSIBLE: dict[str, tuple[Event, ...]] = {
    "a hand that does not make its category": (replace(FULL, category="straight", points=20),),
    "a category that is not on the sheet": (replace(FULL, category="chance"),),
    "a category out of play": (replace(SCRATCH, category="double-generala"),),
    "a score without a category": (replace(FULL, category=None),),
    "an instant win of no five alike": (replace(FULL, roll=1, points=35, instant_win=True),),
    "an instant win that is none in the file": (
        Scored(player="Ana", dice=(5,) * 5, roll=1, category="fives", points=25),
    ),
    "a fourth throw": (replace(FULL, roll=4),),
    "a score of an unknown player": (replace(FULL, player="Zoe"),),
    "a scratch of an unknown player": (replace(SCRATCH, player="Zoe"),),
    "six dice": (replace(FULL, dice=(5, 5, 5, 3, 3, 3), category="fives", points=15),),
    "four dice": (replace(FULL, dice=(5, 5, 5, 3), category="fives", points=15),),
    "no dice": (replace(SCRATCH, dice=()),),
    "a seven": (replace(FULL, dice=(5, 5, 5, 7, 7)),),
    "a scratch with a seven": (replace(SCRATCH, dice=(5, 5, 5, 7, 7)),),
    "two turns in one round": (FULL, SCRATCH),
    "undo of nothing": (Undone(number=1),),
    "undo of another event": (FULL, Undone(number=2)),
    "redo of nothing": (FULL, Redone(number=1)),
    "redo of another event": (FULL, Undone(number=1), Redone(number=2)),
    "redo after a new entry": (FULL, Undone(number=1), SCRATCH, Redone(number=1)),
    "an amend of no turn": (FULL, Amended(turn=2, entry=FULL)),
    "an amend for an unknown player": (FULL, Amended(turn=1, entry=replace(FULL, player="Zoe"))),
    "an amend for a player who came later": (
        FULL,
        Joined(player="Zoe"),
        Amended(turn=1, entry=replace(FULL, player="Zoe")),
    ),
    "a name of an unknown player": (Renamed(player="Zoe", name="Zoé"),),
    "a name that is taken": (Renamed(player="Ana", name="beto"),),
    "a name that is none": (Renamed(player="Ana", name=" "),),
    "a name with blanks around it": (Renamed(player="Ana", name=" Anna"),),
    "an unknown player leaving": (Left(player="Zoe"),),
    "leaving twice": (Left(player="Ana"), Left(player="Ana")),
    "leaving when all have": (Left(player="Ana"), Left(player="Beto"), Left(player="Ana")),
    "a turn of a player who left": (Left(player="Ana"), FULL),
    "one joining who is there": (Joined(player="Ana"),),
    "one back in another spelling": (Left(player="Ana"), Joined(player="ana")),
    "a stake of nothing": (Staked(stake="0", unit="USD", payout="pot"),),
    "a payout method that is none": (Staked(stake="1", unit="USD", payout="pots"),),
}


@cases("events", IMPOSSIBLE.values())
def test_a_stored_event_that_cannot_have_happened_is_impossible(events: tuple[Event, ...]) -> None:
    with pytest.raises(ImpossibleEvent) as impossible:
        replay(AGREED, events)
    assert impossible.value.number == len(events)


def test_what_did_happen_is_replayed() -> None:
    beto = Scratched(player="Beto", category="ones", dice=(2, 3, 4, 5, 5), roll=2)
    actions: list[Action] = [FULL, beto]
    history = replay(AGREED, [*actions, Undone(number=2), Redone(number=2)])
    assert history.game.entries == (FULL, beto)
    assert history.game.agreed == AGREED
