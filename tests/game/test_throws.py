"""Throws and keeps before the last throw, saved with an entry."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from generala_cli.errors import NotAllowed
from generala_cli.game.decisions import judge
from generala_cli.game.events import Thrown
from generala_cli.game.history import ImpossibleEvent, replay
from generala_cli.game.turn import Turn
from generala_cli.game.turnline import TurnLine, parse
from generala_cli.remedies import Remedy
from generala_cli.rules.dice import Dice
from generala_cli.rules.ruleset import RuleSet
from tests.cases import cases
from tests.game.strategies import rule_sets
from tests.game.table import Table, house, throws


def test_they_are_kept_with_the_entry() -> None:
    table = Table(house("generala"))
    scored = table.score("Ana", "44442", "four-of-a-kind", threw="44126:44 44425:444")
    assert scored.throws == (
        Thrown(dice=(4, 4, 1, 2, 6), kept=(4, 4)),
        Thrown(dice=(4, 4, 4, 2, 5), kept=(4, 4, 4)),
    )
    assert table.scratch("Beto", "ones", "23456", roll=2, threw="66554:").throws == throws("66554:")
    assert table.scratch("Ana", "ones").throws is UNSET
    assert replay(table.agreed, table.events).game == table.game


@cases(
    ("threw", "refusal"),
    [
        ("44126:44", "1 earlier throw is given for throw 3"),
        ("44126:44 44425:444 44442:444", "3 earlier throws are given for throw 3"),
        ("44126:66 44425:444", "6 6 cannot have been kept from throw 1: throw 1 was 4 4 1 2 6"),
        ("44126:46 44425:444", "4 6 cannot have been kept from throw 1: throw 2 was 4 4 4 2 5"),
        ("44126:44 44425:445", "4 4 5 cannot have been kept from throw 2: throw 3 was 4 4 4 4 2"),
        ("44126:44 44442:44442", "all dice of throw 2 were kept, so it was the last throw"),
        ("4412:44 44425:444", "4 4 1 2 is not a hand"),
        ("44127:44 44425:444", "4 4 1 2 7 is not a hand"),
    ],
)
def test_what_cannot_have_been_thrown_or_kept_is_refused(threw: str, refusal: str) -> None:
    with pytest.raises(NotAllowed, match=f"^{refusal}"):
        Table(house("generala")).score("Ana", "44442", "four-of-a-kind", threw=threw)


def test_an_instant_win_has_no_throw_before_it() -> None:
    with pytest.raises(NotAllowed, match=r"^1 earlier throw is given for throw 1"):
        Table(house("generala")).score("Ana", "44444", roll=1, threw="44442:4444")


def test_they_lead_to_a_hand_with_dice() -> None:
    table = Table(house("generala"))
    with pytest.raises(NotAllowed, match=r"^earlier throws are given, but not the final hand"):
        table.scratch("Ana", "ones", roll=2, threw="23456:2")


def test_spares_are_throws_too() -> None:
    table = Table(house("golden-fifty"))
    table.score("Ana", "12345", "low-straight", roll=2, threw="12344:1234")
    table.scratch("Beto", "ones")
    table.score("Ana", "66655", "sixes", roll=4, threw="66123:66 66124:66 66654:6665")
    assert table.column("Ana").used == 1


def test_they_go_with_an_entry_that_is_given_to_another() -> None:
    table = Table(house("generala"))
    table.score("Ana", "44442", "four-of-a-kind", roll=2, threw="44126:44")
    table.score("Beto", "55533", "full-house", roll=2, threw="55511:555")
    table.give(1, "Beto")
    assert [entry.throws for entry in table.game.entries] == [throws("44126:44"), throws("55511:555")]


def test_a_stored_one_that_cannot_be_is_impossible() -> None:
    table = Table(house("generala"))
    scored = table.score("Ana", "44442", "four-of-a-kind", roll=2, threw="44126:44")
    for wrong in ("44126:46", "44126:44 44126:44", "55555:44"):
        with pytest.raises(ImpossibleEvent):
            replay(table.agreed, [replace(scored, throws=throws(wrong))])


HANDS = st.lists(st.integers(1, 3), min_size=3, max_size=3).map(tuple)
KEPT = st.lists(st.integers(1, 3), max_size=3).map(tuple)


@given(HANDS, KEPT, HANDS)
def test_what_was_kept_stayed_on_the_table(before: Dice, kept: Dice, last: Dice) -> None:
    """A keep must be part of the dice of both throws."""

    def holds(hand: Dice) -> bool:
        left = [*hand]
        for die in kept:
            if die not in left:
                return False
            left.remove(die)
        return True

    table = Table(house("crag"))
    found = (Thrown(dice=before, kept=kept),)
    category = table.rules.category("ones")
    may_be = holds(before) and holds(last) and len(kept) < 3
    try:
        entry = judge(table.game, Turn(category=category, dice=last, roll=2, throws=found, is_scratch=True))
    except NotAllowed:
        assert not may_be
    else:
        assert may_be
        assert entry.throws == found


@given(rule_sets().filter(lambda rules: rules.throws > 1), st.randoms(use_true_random=False))
def test_a_suggested_line_keeps_the_dice_and_the_throws_before(rules: RuleSet, random: Random) -> None:
    table, dice, found = Table(rules), thrown(rules, random), list[Thrown]()
    for _ in range(random.randint(1, rules.throws - 1)):
        kept = tuple(random.sample(dice, random.randrange(rules.dice)))
        found.append(Thrown(dice=dice, kept=kept))
        dice = (*kept, *thrown(rules, random)[len(kept) :])
        dice = random.choice((dice, tuple(sorted(dice))))
    turn = Turn(
        category=random.choice((None, *rules.categories)),
        dice=dice,
        has_hand=True,
        roll=len(found) + 1,
        throws=tuple(found),
        player=random.choice((None, "Ana", "Beto")),
        is_scratch=random.random() < 0.3,
    )
    try:
        judge(table.game, turn)
    except NotAllowed as error:
        given = error.hint.values if isinstance(error.hint, Remedy) else {}
        hands = [f"{given['hand']} x"] if "hand" in given else []
        for line in (*hands, *(str(given[key]) for key in ("score", "scratch") if key in given)):
            typed = parse(TurnLine(words=line.split()), rules, table.game)
            assert (typed.dice, typed.throws, typed.roll) == (dice, turn.throws, turn.roll), line


def thrown(rules: RuleSet, random: Random) -> Dice:
    return tuple(random.randint(1, rules.faces) for _ in range(rules.dice))
