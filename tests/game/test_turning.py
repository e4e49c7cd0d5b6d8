"""Cacho: dice turned over after the second throw, and hands that stand de mano."""

from collections import Counter
from itertools import combinations, combinations_with_replacement, product

import msgspec
import pytest
from hypothesis import given

from generala_cli.errors import GeneralaError, NotAllowed
from generala_cli.file_versions import minor_of
from generala_cli.game import amending, decisions
from generala_cli.game.events import Scored
from generala_cli.game.game import Game
from generala_cli.game.turn import Turn
from generala_cli.game.turnline import TurnLine, parse
from generala_cli.rules.turning import may_follow, turned_hands
from tests.cases import cases
from tests.game.strategies import Played, games
from tests.game.table import Table, cached_rules, hand, house, throws
from tests.rules import reference


def cacho(*settings: str) -> Table:
    return Table(house("cacho", *settings), "Ana", "Beto")


def entered(table: Table, line: str) -> Scored:
    """Return the entry of a typed line, without entering it."""
    entry = decisions.judge(table.game, parse(TurnLine(words=line.split()), table.rules, table.game))
    assert isinstance(entry, Scored)
    return entry


@cases(
    ("line", "entry"),
    [
        ("55533 1", ("full-house", 35, 1, False)),
        ("55533", ("full-house", 30, 2, False)),
        ("55533 2", ("full-house", 30, 2, False)),
        ("55533 huevo", ("full-house", 30, 2, False)),
        ("55533 de huevo", ("full-house", 30, 2, False)),
        ("55533 mano", ("full-house", 35, 2, True)),
        ("55533 de mano full", ("full-house", 35, 2, True)),
        ("mano 55533", ("full-house", 35, 2, True)),
        ("55533 2 mano", ("full-house", 35, 2, True)),
        ("55533 1 mano", ("full-house", 35, 1, False)),
        ("55533 mano quinas", ("fives", 15, 2, True)),
        ("44126 mano cuadras", ("fours", 8, 2, True)),
        ("44441 mano póker", ("four-of-a-kind", 45, 2, True)),
        ("55555 2 mano", ("grande", 50, 2, True)),
        ("55555", ("grande", 50, 2, False)),
        ("55555 2 mano póker", ("four-of-a-kind", 45, 2, True)),
    ],
)
def test_mano_claims_the_price_of_the_first_throw(line: str, entry: tuple[str, int, int, bool]) -> None:
    found = entered(cacho(), line)
    assert (found.category, found.points, found.roll, bool(found.served)) == entry
    assert not found.instant_win


def test_five_alike_on_the_first_throw_win_whatever_is_filled() -> None:
    table = cacho()
    for _ in range(2):
        table.scratch("Ana", "grande")
        table.scratch("Beto", "ones" if table.game.is_open("Beto", table.rules.category("ones")) else "twos")
    won = entered(table, "55555 1")
    assert (won.instant_win, won.category) == (True, None)


@cases("line", ["55555 mano", "55555 de mano grande", "x senas 55555 mano"])
def test_five_alike_with_mano_alone_are_asked_about_by_naming_both_ways(line: str) -> None:
    with pytest.raises(NotAllowed, match="wins at once on the first throw") as refused:
        entered(cacho(), line)
    assert "55555 1" in str(refused.value.hint)
    assert "55555 2 mano" in str(refused.value.hint)


def test_without_an_instant_win_nothing_is_asked() -> None:
    assert entered(cacho("instant-win=never"), "55555 mano").points == 50


def test_a_first_throw_is_never_de_huevo() -> None:
    with pytest.raises(NotAllowed, match="on the first throw is de mano"):
        entered(cacho(), "55533 1 huevo")


@cases("settings", [["turning=none"], ["turning=none", "throws=2"]])
def test_without_turning_mano_is_the_first_throw(settings: list[str]) -> None:
    table = cacho(*settings)
    assert table.rules.throws == (2 if "throws=2" in settings else 3)
    found = entered(table, "55533 mano")
    assert (found.roll, found.points, found.served) == (1, 35, msgspec.UNSET)
    assert entered(table, "55533 huevo").roll == table.rules.throws


def test_in_other_games_mano_is_the_first_throw() -> None:
    assert entered(Table(cached_rules("generala")), "55533 mano").roll == 1


def every_turn(dice: tuple[int, ...], most: int) -> set[tuple[int, ...]]:
    """Return every hand after turning one to `most` dice, one die after another by place."""
    found = set()
    for places in (some for size in range(1, most + 1) for some in combinations(range(5), size)):
        found.add(tuple(sorted(7 - die if place in places else die for place, die in enumerate(dice))))
    return found


@cases("most", [1, 2])
def test_every_way_to_turn_dice(most: int) -> None:
    for dice in combinations_with_replacement(range(1, 7), 5):
        assert set(turned_hands(dice, most, 6).values()) == every_turn(dice, most)


@pytest.mark.thinned(every=2)
@cases(("kept", "most"), [*product([(), (4,), (1, 6), (2, 2, 5), (3, 3, 3, 3), (1, 2, 3, 4)], [1, 2])])
def test_a_hand_may_follow_if_some_throw_of_the_others_leads_to_it(kept: tuple[int, ...], most: int) -> None:
    reached = set()
    for others in product(range(1, 7), repeat=5 - len(kept)):
        reached |= every_turn((*kept, *others), most)
    for dice in combinations_with_replacement(range(1, 7), 5):
        assert may_follow(kept, dice, most, 6) == (dice in reached)


@cases(
    ("threw", "dice", "served", "fits"),
    [
        ("44126:44", "44136", None, True),
        ("44126:44", "33136", None, True),
        ("44126:44", "55136", None, False),
        ("44126:", "12345", None, True),
        ("44126:", "12345", True, True),
        ("44126:44", "44136", True, False),
        ("44126:4412", "44126", None, True),  # the 6 was thrown as a 1, and turned
        ("44126:4412", "33555", None, False),
    ],
)
def test_the_dice_kept_from_the_first_throw_may_be_turned(
    threw: str, dice: str, served: bool | None, fits: bool
) -> None:
    turn = Turn(player="Ana", dice=hand(dice), throws=throws(threw), served=served)
    found = decisions.decide(cacho().game, turn)
    assert isinstance(found, GeneralaError) != fits or "fits" not in str(found)
    assert isinstance(found, NotAllowed) == (not fits) or isinstance(found, decisions.Undecided)


def amended(table: Table, line: str) -> Scored:
    turn = parse(TurnLine(words=line.split()), table.rules, table.game)
    entry = amending.amend(table.game, 1, amending.completed(turn, table.game.entries[0], table.rules)).entry
    assert isinstance(entry, Scored)
    return entry


@cases(
    ("first", "correction", "entry"),
    [
        ("55533 mano", "huevo", (30, 2, False)),
        ("55533", "mano", (35, 2, True)),
        ("55533 1", "second mano", (35, 2, True)),
        ("55533 mano", "first", (35, 1, False)),
        ("55533 mano", "55522", (35, 2, True)),  # only the dice were wrong
        ("55533 1", "55522", (35, 1, False)),
    ],
)
def test_a_correction_changes_the_claim(first: str, correction: str, entry: tuple[int, int, bool]) -> None:
    table = cacho()
    table._add(entered(table, first))
    found = amended(table, correction)
    assert (found.points, found.roll, bool(found.served)) == entry


def test_a_correction_to_five_alike_de_mano_asks_which_throw() -> None:
    table = cacho()
    table._add(entered(table, "55533 mano"))
    with pytest.raises(NotAllowed, match="wins at once on the first throw") as refused:
        amended(table, "55555 mano grande")
    assert str(refused.value.hint) == "add first, or second mano"
    assert amended(table, "55555 second mano grande").points == 50


@pytest.mark.thinned(every=2)
@cases(
    ("settings", "straights", "bonus"),
    [
        ([], 2, 5),
        (["straights=ace-after-six"], 3, 5),
        (["turning=one", "bonus=10"], 2, 10),
        (["turning=one", "instant-win=never"], 2, 5),
    ],
)
def test_every_hand_on_every_throw_pays_what_the_rules_list(
    settings: list[str], straights: int, bonus: int
) -> None:
    table, runs = cacho(*settings), ("12345", "23456", "13456")[:straights]
    for dice, (roll, claim) in product(
        combinations_with_replacement(range(1, 7), 5), ((1, None), (2, None), (2, True))
    ):
        counts, is_dear = sorted(Counter(dice).values()), roll == 1 or claim is True
        prices = {box: dice.count(face) * face for face, box in enumerate(reference.NUMBERS, start=1)}
        prices["straight"] = 20 if "".join(map(str, dice)) in runs else 0
        prices["full-house"] = 30 if counts == [2, 3] else 0
        prices["four-of-a-kind"] = 40 if counts[-1] >= 4 else 0
        for box in ("straight", "full-house", "four-of-a-kind"):
            prices[box] += bonus if prices[box] and is_dear else 0
        prices["grande"] = 50 if counts == [5] else 0
        turn = Turn(player="Ana", dice=dice, has_hand=True, roll=roll, served=claim)
        if decisions.wins_instantly(table.game, "Ana", dice, roll):
            assert counts == [5]
            assert roll == 1
            continue
        offered = {each.category.id: each.points or 0 for each in decisions.options(turn, table.game, "Ana")}
        assert offered == prices


def test_only_a_game_with_turning_and_a_claim_need_the_new_minor() -> None:
    assert minor_of(cached_rules("cacho")) == 6
    assert minor_of(entered(cacho(), "55533 mano")) == 6
    assert minor_of(entered(cacho(), "55533 1")) == 0


@given(games(rules=cached_rules("cacho")))
def test_every_entry_pays_what_the_rules_list(played: Played) -> None:
    game: Game = played.history.game
    for entry in game.entries:
        if isinstance(entry, Scored) and entry.category is not None:
            de_mano = entry.roll == 1 or entry.served is True
            roll = 1 if de_mano else 2
            assert entry.points == reference.points("cacho", entry.category, entry.dice, roll)
            assert entry.instant_win == (entry.roll == 1 and len({*entry.dice}) == 1)
    counted = Counter((entry.player, entry.category) for entry in game.entries)
    assert all(count <= (2 if box == "grande" else 1) for (_, box), count in counted.items() if box)
