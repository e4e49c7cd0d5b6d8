"""The line of every throw: kept dice are in both throws, and the entry is the same as in the shell."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from generala_cli.errors import GeneralaError, NotAllowed, UsageError
from generala_cli.game.decisions import decide, wins_instantly
from generala_cli.game.events import Thrown
from generala_cli.game.game import Game
from generala_cli.game.turnline import TurnLine
from generala_cli.play.coaching import (
    Coach,
    CoachedLine,
    Decision,
    after_backspace,
    tap_die,
    whole_hands,
)
from generala_cli.play.input_line import press
from generala_cli.play.table import Table as PlayTable
from generala_cli.play.turn_view import TurnView
from generala_cli.play.turn_view import read as read_view
from generala_cli.rules.catalog import built_in_names
from generala_cli.rules.dice import Dice
from generala_cli.table import turns
from generala_cli.text import NO_BREAK
from generala_cli.worker import RatedChoice
from tests.app.table import begin
from tests.cases import cases
from tests.game.strategies import random_dice, random_throws
from tests.game.table import Table, house
from tests.play.piloted import PLAIN
from tests.store.files import store_in


def game(name: str = "general") -> Game:
    return Table(house(name), "Ana", "Beto").game


GENERAL = game()


def line(keys: str, table: Game = GENERAL) -> str:
    """Return the line after these keys. Each key must be accepted; `<` is Backspace."""
    view = view_of("", table)
    for key in keys:
        view = pressed(view, key)
    return view.text


def view_of(text: str, table: Game = GENERAL) -> TurnView:
    return read_view(text, table, is_coached=True)


def pressed(view: TurnView, key: str) -> TurnView:
    """The line after a key; `<` is Backspace."""
    return view_of(after_backspace(view.text), view.game) if key == "<" else press(view, key)


def read(text: str, table: Game = GENERAL) -> CoachedLine:
    coached = view_of(text, table).coached
    assert coached is not None
    return coached


def coached_line(keys: str, table: Game = GENERAL) -> CoachedLine:
    return read(line(keys, table), table)


def typed_throw(thrown: Thrown) -> str:
    return f"{joined(thrown.dice)}:{joined(thrown.kept)}"


def joined(dice: Sequence[int]) -> str:
    return "".join(map(str, dice))


@cases(
    ("keys", "written", "threw", "dice", "throw"),
    [
        ("44126", "44126", (), "44126", 1),
        ("4412644", "44126:44", (), "44126", 1),
        ("44126:44", "44126:44", (), "44126", 1),
        ("4412644 ", "44126:44 ", ("44126:44",), "44", 2),
        ("4412644 42", "44126:44 42", ("44126:44",), "4442", 2),
        ("4412644 425", "44126:44 425", ("44126:44",), "44425", 2),
        ("4412644 425444 44", "44126:44 425:444 44", ("44126:44", "44425:444"), "44444", 3),
        ("44126 44", "44126:44", (), "44126", 1),
        ("44126 44 42", "44126:44 42", ("44126:44",), "4442", 2),
        ("44126  55533", "44126:0 55533", ("44126:",), "55533", 2),
        ("44126 full", "44126 full", (), "44126", 1),
        ("4412644 425full", "44126:44 425 full", ("44126:44",), "44425", 2),
        ("4412644 425 full", "44126:44 425 full", ("44126:44",), "44425", 2),
        ("4412644 425x", "44126:44 425 x", ("44126:44",), "44425", 2),
        ("4 4 1 2 6  5", "44126:0 5", ("44126:",), "5", 2),
        ("4412644<<", "44126", (), "44126", 1),
        ("4412644 <<1", "44126:41", (), "44126", 1),
        ("44126 <", "44126", (), "44126", 1),
        ("44126second", "44126 second", (), "44126", 2),
        ("x full", "x full", (), "", None),
        ("", "", (), "", 1),
    ],
)
def test_a_line_of_throws(keys: str, written: str, threw: tuple[str, ...], dice: str, throw: int) -> None:
    found = coached_line(keys)
    assert (line(keys), tuple(map(typed_throw, found.throws))) == (written, threw)
    assert (joined(found.turn.dice or ()), found.turn.roll) == (dice, throw)


@cases(
    ("keys", "refused"),
    [
        ("441263", "there is no 3 on the table"),
        ("44126444", "there is no other 4 on the table"),
        ("4412644f", "3 dice are still to be thrown"),
        ("4412644126 ", "all dice are kept"),
        (" ", "no dice thrown yet"),
    ],
)
def test_what_cannot_follow_is_refused_and_the_line_stays(keys: str, refused: str) -> None:
    before = line(keys[:-1])
    with pytest.raises(UsageError, match=refused):
        press(view_of(before), keys[-1])


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize("name", ["general", "crag", "golden-fifty"])
@given(keys=st.text(alphabet="123456 :,fx<?", max_size=24))
def test_what_was_kept_lies_in_both_throws_of_a_line_that_enter_accepts(name: str, keys: str) -> None:
    table = game(name)
    view = view_of("", table)
    for key in keys:
        try:
            view = pressed(view, key)
        except GeneralaError:
            continue
    found = read(view.text, table)
    count = table.rules.dice
    hands_after = [*(thrown.dice for thrown in found.throws), found.turn.dice or ()][1:]
    if isinstance(decide(table, found.turn), GeneralaError):
        return  # Enter refuses the line
    for thrown, after in zip(found.throws, hands_after, strict=True):
        assert len(thrown.kept) < count == len(thrown.dice)
        assert not Counter(thrown.kept) - Counter(thrown.dice)
        assert not Counter(thrown.kept) - Counter(after)
    assert not Counter(found.kept) - Counter(found.dice)
    assert sum(found.marks) == len(found.kept)
    assert len(found.throws) < table.rules.throws


@pytest.mark.slow
@settings(deadline=None, max_examples=20)
@given(name=st.sampled_from(built_in_names()), seed=st.integers(0, 2**32))
def test_the_line_is_entered_as_score_enters_it(name: str, seed: int) -> None:
    randomness = Random(seed)
    rules = house(name)
    assume(not rules.most_turned)  # the coach asks for all dice after turning
    dice, roll = random_dice(rules, randomness), randomness.randint(1, rules.throws)
    throws = random_throws(dice, roll, rules, randomness)
    before: tuple[Thrown, ...] = () if throws is UNSET else throws
    with TemporaryDirectory() as one, TemporaryDirectory() as other:
        here, there = store_in(Path(one)), store_in(Path(other))
        begin(here, name)
        begin(there, name)
        table = PlayTable(here, PLAIN, None)
        table.change_coach()
        for key in keys_of(before, dice):
            table.line.press(key)
        assert table.view.coached is not None
        kept = [Counter(each.kept) for each in table.view.coached.throws]
        assert kept == [Counter(each.kept) for each in before]
        threw = [f"{joined(each.dice)}:{joined(each.kept)}" for each in before]
        option = table.view.options[0]
        table.line.choose(option.category.id)
        try:
            table.enter()
        except NotAllowed:  # the coach asks if it was the first throw
            table.enter()
        category = None if wins_instantly(there.open(None).game, "Ana", dice, roll) else option.category.id
        scratch = ("x",) if option.scratched else ()
        line = TurnLine(words=(*scratch, joined(dice)), roll=str(roll), category=category, threw=threw)
        turns.enter(there, line)
        assert canonical(here.open(None).game) == canonical(there.open(None).game)


def keys_of(throws: Sequence[Thrown], dice: Dice) -> str:
    """Return the keys for these throws: only the newly thrown dice each time."""
    keys, lies = "", Counter[int]()
    for thrown in throws:
        keys += joined(sorted((Counter(thrown.dice) - lies).elements())) + (joined(thrown.kept) or " ") + " "
        lies = Counter(thrown.kept)
    return keys + joined(sorted((Counter(dice) - lies).elements()))


def canonical(table: Game) -> list[object]:
    """Return the last entry with its dice sorted."""
    entry = table.entries[-1]
    throws = () if isinstance(entry.throws, type(UNSET)) else entry.throws
    found = [(sorted(each.dice), sorted(each.kept)) for each in throws]
    return [entry.player, sorted(entry.dice or ()), entry.roll, entry.category, entry.points, found]


def test_a_tap_keeps_a_die_or_does_not_and_then_the_new_ones_are_typed() -> None:
    text = tap_die(read("44126"), 1)
    assert text == "44126:4 "
    text = tap_die(read(text), 4)
    assert read(text).marks == (True, False, False, False, True)
    assert press(view_of(text), "3").text == "44126:46 3"
    assert tap_die(read(tap_die(read(text), 0)), 4) == "44126"
    with pytest.raises(UsageError, match="you cannot keep dice now"):
        tap_die(read("44126:46 3"), 0)


def test_all_dice_tapped_are_a_hand_to_enter() -> None:
    text = "44126"
    for place in range(5):
        text = tap_die(read(text), place)
    assert read(text).turn.has_hand


# The coach's messages


CHOICES = (
    RatedChoice(kept=(4, 4), cost=0.0, words="keep 4 4"),
    RatedChoice(kept=(1, 4, 4), cost=1.25, words="keep 1 4 4"),
    RatedChoice(category="fours", cost=5.9, words="score fours 8"),
)


def says(when: str, keys: str, *, known: bool = True, choices: Sequence[RatedChoice] = CHOICES) -> str:
    coach = Coach()
    coach.begin()
    coach.when = when  # type: ignore[assignment]
    found = coached_line(keys)
    for hand in whole_hands(found, 0, "Ana", coach.aim):
        assert coach.wants(hand)
        assert not coach.wants(hand)
        if known:
            coach.set_choices(hand, choices)
    return coach.says(found, 0, "Ana", "-").replace(NO_BREAK, " ")


@cases(
    ("when", "keys", "words"),
    [
        ("before", "", ""),
        ("before", "4412", ""),
        ("before", "44126", "best: keep 4 4"),
        ("before", "4412644", "best: keep 4 4"),
        ("before", "44126441", "best: keep 4 4; as marked -1.2"),
        ("before", "44126441 ", "kept 4 4 1: -1.2; best: keep 4 4"),
        ("before", "4412644 ", "kept 4 4: the best choice"),
        ("before", "4412644 425", "best: keep 4 4"),
        ("after", "44126", "mark the dice to keep"),
        ("after", "44126441", "mark the dice to keep"),
        ("after", "44126441 2", "kept 4 4 1: -1.2; best: keep 4 4"),
        ("after", "44126441 25", "kept 4 4 1: -1.2; best: keep 4 4"),
    ],
)
def test_it_speaks_before_the_choice_or_after_it(when: str, keys: str, words: str) -> None:
    assert says(when, keys) == words


TO_WIN = (
    RatedChoice(kept=(4, 4), cost=0.0, wins=0.312, words="keep 4 4"),
    RatedChoice(kept=(1, 4, 4), cost=0.029, wins=0.283, words="keep 1 4 4"),
    RatedChoice(category="fours", cost=0.0003, wins=0.3117, words="score fours 8"),
)


@cases(
    ("keys", "words"),
    [
        ("44126", "best: keep 4 4 (31.2% to win)"),
        ("44126441", "best: keep 4 4 (31.2% to win); as marked -2.9%"),
        ("44126441 ", "kept 4 4 1: -2.9%; best: keep 4 4 (31.2% to win)"),
        ("4412644 ", "kept 4 4: the best choice"),
    ],
)
def test_to_win_it_speaks_of_chances(keys: str, words: str) -> None:
    assert says("win", keys, choices=TO_WIN) == words


def test_to_win_a_hand_is_asked_about_for_that() -> None:
    """A cached answer for points is not an answer for winning, unless there is no other."""
    coach = Coach()
    coach.when = "before"
    hand = whole_hands(coached_line("44126"), 0, "Ana", coach.aim)[-1]
    coach.when = "win"
    assert whole_hands(coached_line("44126"), 0, "Ana", coach.aim)[-1] != hand
    assert says("win", "44126441") == "best: keep 4 4; as marked -1.2"


def test_it_says_why_it_does_not_know() -> None:
    assert says("before", "44126", known=False) == "calculating"


def test_of_a_turn_that_is_over_it_speaks_until_the_next_hand_lies_there() -> None:
    coach = Coach()
    coach.when = "after"
    hand = whole_hands(coached_line("44126"), 0, "Ana")[-1]
    other = whole_hands(coached_line("44125"), 0, "Ana")[-1]
    assert coach.wants(hand)
    assert coach.wants(other)
    coach.enter(Decision(hand=hand, category="fours", scratched=False))
    coach.set_choices(other, CHOICES)  # too late
    coach.set_choices(hand, CHOICES)
    assert coach.known == {hand: CHOICES}
    assert coach.says(coached_line(""), 1, "Beto", "-") == "Ana: -5.9; best: keep 4 4"
    assert coach.says(coached_line("1"), 1, "Beto", "-") == ""
    coach.forget(1)  # the screen has noticed its own entry
    assert coach.says(coached_line(""), 1, "Beto", "-") == "Ana: -5.9; best: keep 4 4"
    coach.forget(2)
    assert coach.says(coached_line(""), 2, "Beto", "-") == ""


@cases(
    ("text", "state"),
    [
        ("44126", "thrown"),
        ("44126:44 425", "thrown"),  # the second throw: a die must be turned
        ("44126:44 44456", "turned"),
        ("44126:0 44456", "all-thrown"),
        ("44126:0 44456 mano", "served"),
        ("44456 2", "turned"),
    ],
)
def test_in_cacho_the_coach_knows_whether_dice_are_still_to_be_turned(text: str, state: str) -> None:
    cacho = game("cacho")
    hand = whole_hands(read(text, cacho), 0, "Ana")[-1]
    assert (hand.state, hand.throw) == (state, 1 if text == "44126" else 2)


def test_a_second_throw_of_cacho_is_not_entered_before_turning() -> None:
    decision = view_of("44126:44 425", game("cacho")).decision
    assert isinstance(decision, GeneralaError)
    assert "must be turned over first" in str(decision)
