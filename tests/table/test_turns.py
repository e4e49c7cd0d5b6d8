from collections.abc import Callable
from pathlib import Path

import pytest

from generala_cli.errors import Ambiguous, NotAllowed, NotFound, UsageError
from generala_cli.game.decisions import Undecided
from generala_cli.game.events import Scored, Scratched
from generala_cli.game.turnline import TurnLine
from generala_cli.store.store import Store
from generala_cli.table import turns
from generala_cli.table.results import ActionsMoved, Entered
from tests.app.table import begin, hand, score, scratch
from tests.store.files import listing


@pytest.fixture
def general(store: Store) -> Store:
    """Ana and Beto at General, nothing entered."""
    begin(store)
    return store


def box(entered: Entered) -> tuple[str | None, int]:
    assert isinstance(entered.entry, Scored)
    return entered.entry.category, entered.entry.points


def others(entered: Entered) -> list[tuple[str, int]]:
    return [(choice.category.id, choice.points) for choice in entered.alternatives]


# Scoring


def test_the_answer_says_what_was_written_and_who_is_next(general: Store) -> None:
    entered = score(general, "55533", roll="1")
    assert (entered.number, entered.turn, entered.entry.player, entered.saved) == (1, 1, "Ana", True)
    assert box(entered) == ("full-house", 35)
    assert entered.game.to_move == "Beto"


def test_the_bonus_is_what_being_served_added(general: Store) -> None:
    assert score(general, "55533", roll="1").bonus == 5
    assert score(general, "55533", roll="2").bonus == 0
    assert score(general, "44433", "threes", roll="1").bonus == 0


def test_the_alternatives_are_the_other_open_boxes_best_first(general: Store) -> None:
    assert others(score(general, "55533")) == [("fives", 15), ("threes", 6)]
    score(general, "55533")
    assert others(score(general, "55533", "threes")) == [("fives", 15)]


def test_the_alternatives_to_a_lesser_box_begin_with_the_best(general: Store) -> None:
    assert others(score(general, "55533", "threes")) == [("full-house", 30), ("fives", 15)]


def test_an_instant_win_overrules_the_category_named(general: Store) -> None:
    entered = score(general, "44444", "fours", roll="1")
    assert box(entered) == ("general", 60)
    assert entered.overruled is not None
    assert entered.overruled.id == "fours"
    assert entered.alternatives == ()
    assert entered.game.is_over


def test_an_instant_win_in_its_own_box_overrules_nothing(general: Store) -> None:
    assert score(general, "44444", "general", roll="1").overruled is None


def test_an_instant_win_beside_the_sheet_scores_nothing(general: Store) -> None:
    score(general, "44444", "general")
    score(general, "12345")
    entered = score(general, "66666", roll="1")
    assert box(entered) == (None, 0)
    assert entered.bonus == 0
    assert entered.game.instant_winner == "Ana"


def test_a_player_may_be_named(general: Store) -> None:
    assert turns.enter(general, hand("12345", player="be")).entry.player == "Beto"
    with pytest.raises(NotAllowed, match="it is Ana's turn"):
        turns.enter(general, hand("12345", player="Beto"))
    with pytest.raises(NotFound):
        turns.enter(general, hand("12345", player="Zoe"))


def test_nothing_is_scored_after_the_end(general: Store) -> None:
    score(general, "44444", roll="1")
    with pytest.raises(NotAllowed, match="the game is over"):
        score(general, "12345")


def test_without_a_game_the_refusal_says_how_to_start_one(store: Store) -> None:
    with pytest.raises(NotFound, match="start-game"):
        score(store, "12345")


@pytest.mark.parametrize(("dice", "roll"), [("1234", None), ("12347", None), ("hello", None), ("12345", "x")])
def test_what_cannot_be_read_changes_nothing(
    general: Store, directory: Path, dice: str, roll: str | None
) -> None:
    before = listing(directory)
    with pytest.raises(UsageError):
        score(general, dice, roll=roll)
    assert listing(directory) == before


def test_a_tie_is_never_decided_unasked(general: Store) -> None:
    with pytest.raises(Undecided) as caught:
        score(general, "22114")
    assert [choice.points for choice in caught.value.choices][:2] == [4, 4]


def test_of_mere_numbers_the_best_is_taken(general: Store) -> None:
    assert box(turns.enter(general, hand("66521"))) == ("sixes", 12)


@pytest.mark.parametrize(
    ("rules", "spent"), [("kniffel", "chance"), ("yacht", "choice"), ("yatzy", "chance")]
)
def test_a_box_for_any_dice_is_never_spent_unasked(store: Store, rules: str, spent: str) -> None:
    begin(store, rules)
    with pytest.raises(Undecided, match="but so does any other hand") as caught:
        turns.enter(store, hand("11266"))
    assert caught.value.choices[0].category.id == spent
    assert box(turns.enter(store, hand("11266", spent))) == (spent, 16)


def test_a_box_for_any_dice_is_taken_where_no_other_could_take_the_hand(store: Store) -> None:
    begin(store, "kniffel")
    for number in ("ones", "twos", "sixes"):
        for _ in range(2):
            turns.enter(store, TurnLine(words=("x", number)))
    assert box(turns.enter(store, hand("11266"))) == ("chance", 16)


# Scratching


def test_a_scratch_has_neither_bonus_nor_alternatives(general: Store) -> None:
    entered = turns.enter(general, hand("x general 55533", roll="1"))
    assert entered.entry == Scratched(player="Ana", category="general", dice=(5, 5, 5, 3, 3), roll=1)
    assert (entered.bonus, entered.alternatives, entered.overruled) == (0, (), None)


def test_a_scratch_needs_no_dice(general: Store) -> None:
    assert scratch(general, "general").entry.dice is None


def test_an_ambiguous_category_is_refused(general: Store) -> None:
    with pytest.raises(Ambiguous):
        scratch(general, "fo")


# Amending


def test_an_amended_entry_shows_what_it_was(general: Store) -> None:
    before = score(general, "55533").entry
    entered = turns.amend(general, 1, hand("55333"))
    assert (entered.turn, entered.replaced, entered.saved) == (1, before, True)
    assert entered.entry.dice == (5, 5, 3, 3, 3)
    assert entered.game.total("Ana") == 30


def test_what_is_not_given_stays_as_it_was(general: Store) -> None:
    score(general, "55533", roll="2")
    entered = turns.amend(general, 1, hand("", "fives"))
    assert entered.entry == Scored(player="Ana", dice=(5, 5, 5, 3, 3), roll=2, category="fives", points=15)
    again = turns.amend(general, 1, hand("", roll="1"))
    assert again.entry == Scored(player="Ana", dice=(5, 5, 5, 3, 3), roll=1, category="fives", points=15)


def test_a_scratch_with_dice_stays_a_scratch_unless_dice_are_given(general: Store) -> None:
    scratch(general, "general", "55533")
    assert isinstance(turns.amend(general, 1, hand("", "straight")).entry, Scratched)
    assert isinstance(turns.amend(general, 1, hand("55533", "full")).entry, Scored)
    assert isinstance(turns.amend(general, 1, hand(""), scratched=True).entry, Scratched)


@pytest.mark.parametrize("same", [hand(""), hand("55533"), hand("", "full"), hand("", roll="3")], ids=repr)
def test_amending_to_the_same_writes_nothing(general: Store, directory: Path, same: TurnLine) -> None:
    score(general, "55533")
    before = listing(directory)
    entered = turns.amend(general, 1, same)
    assert not entered.saved
    assert entered.entry == entered.replaced
    assert listing(directory) == before


def test_an_amendment_that_a_later_turn_does_not_fit_is_refused(general: Store, directory: Path) -> None:
    score(general, "55533")
    score(general, "12345")
    score(general, "55521", "fives")
    before = listing(directory)
    with pytest.raises(NotAllowed, match="turn 3 would no longer fit"):
        turns.amend(general, 1, hand("", "fives"))
    assert listing(directory) == before


@pytest.mark.parametrize("turn", [-1, 0, 2])
def test_there_must_be_such_a_turn(general: Store, turn: int) -> None:
    score(general, "55533")
    with pytest.raises(NotAllowed, match=f"there is no turn {turn}"):
        turns.amend(general, turn, hand(""))


# Undo and redo


def test_undo_gives_back_the_last_first(general: Store) -> None:
    score(general, "55533")
    score(general, "12345")
    moved = turns.undo(general, 2)
    assert (moved.number, moved.undone, moved.saved) == (1, True, True)
    assert [step.number for step in moved.steps] == [2, 1]
    assert moved.game.entries == ()


def test_redo_puts_back_in_the_order_it_was_played(general: Store) -> None:
    score(general, "55533")
    score(general, "12345")
    turns.undo(general, 2)
    moved = turns.redo(general, 2)
    assert (moved.undone, [step.number for step in moved.steps]) == (False, [1, 2])
    assert moved.game.total("Beto") == 20


def test_an_amendment_is_undone_like_an_entry(general: Store) -> None:
    score(general, "55533")
    score(general, "12345")
    turns.amend(general, 1, hand("", "fives"))
    moved = turns.undo(general)
    assert [step.turn for step in moved.steps] == [1]
    assert moved.game.total("Ana") == 30


def test_undo_works_after_the_end(general: Store) -> None:
    score(general, "44444", roll="1")
    assert not turns.undo(general).game.is_over


def test_no_more_is_undone_than_was_done(general: Store, directory: Path) -> None:
    score(general, "55533")
    before = listing(directory)
    with pytest.raises(NotAllowed, match="only 1 can be undone, not 2"):
        turns.undo(general, 2)
    with pytest.raises(NotAllowed, match="nothing to redo"):
        turns.redo(general)
    assert listing(directory) == before


@pytest.mark.parametrize("count", [0, -1])
def test_a_count_is_at_least_one(general: Store, count: int) -> None:
    with pytest.raises(UsageError):
        turns.undo(general, count)


# Dry runs

DRY: dict[str, Callable[[Store], Entered | ActionsMoved]] = {
    "score": lambda store: turns.enter(store, hand("12345"), dry_run=True),
    "scratch": lambda store: turns.enter(store, hand("x general"), dry_run=True),
    "amend": lambda store: turns.amend(store, 1, hand("", "fives"), dry_run=True),
    "undo": lambda store: turns.undo(store, dry_run=True),
    "redo": lambda store: turns.redo(store, dry_run=True),
}


@pytest.mark.parametrize("dry", DRY.values())
def test_a_dry_run_answers_as_if_and_writes_nothing(
    general: Store, directory: Path, dry: Callable[[Store], Entered | ActionsMoved]
) -> None:
    score(general, "55533")
    score(general, "12345")
    turns.undo(general)
    before = listing(directory)
    answer = dry(general)
    assert (answer.number, answer.saved) == (1, False)
    assert answer.game != general.load(1).history.game
    assert listing(directory) == before
