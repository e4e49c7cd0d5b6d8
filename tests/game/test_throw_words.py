"""The words for a throw and for the instant win mean the same next to every box, and in every order."""

from itertools import cycle, permutations

import pytest

from generala_cli.errors import GeneralaError, Retyped, UsageError
from generala_cli.game.turn import Turn
from generala_cli.game.turnline import TurnLine, parse
from generala_cli.messages import LANGUAGES, listing
from generala_cli.remedies import Remedy
from generala_cli.render.language import speaking
from generala_cli.rules.catalog import built_in_names
from generala_cli.rules.dice import every_hand
from generala_cli.rules.ruleset import qualifies
from generala_cli.rules.throws import THROWS
from generala_cli.text import normalize
from tests.cases import cases
from tests.game.table import Table, house

CODES = ("es", "en", "de", "pt")


def read(text: str, name: str) -> Turn:
    game = Table(house(name), "Zoe", "Yuri").game
    return parse(TurnLine(words=(text,)), game.rules, game)


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize("code", CODES)
def test_a_throw_is_that_throw_before_and_after_every_box(code: str) -> None:
    """`escalera de una` is no straight of ones."""
    with speaking(code):
        words = cycle((word, throw) for throw in (1, 2) for word in LANGUAGES.typed.words(THROWS[throw]))
        for name in built_in_names():
            rules, own = house(name), house(name).throws_by_name()
            hands = [hand for hand, _ in every_hand(rules.dice, rules.faces)]
            for box, (word, throw) in zip(rules.categories, words, strict=False):
                hand = max(hand for hand in hands if qualifies(rules, box, hand))
                for order in permutations(("".join(map(str, hand)), word, box.name_in(code))):
                    line = " ".join(order)
                    try:
                        turn = read(line, name)
                    except Retyped:  # `quadra` has two meanings in Bozo
                        continue
                    assert turn.category == box, (name, line)
                    assert turn.served or turn.roll in (throw, own[normalize(word)]), (name, line)


@cases(
    ("code", "name", "line", "roll"),
    [
        ("es", "generala", "Zoe 33366 full de una", 1),
        ("es", "generala", "33366 full de una Zoe", 1),
        ("es", "generala", "33366 de una full", 1),
        ("es", "generala", "66661 póker de seises de una", 1),
        ("es", "generala", "de una cinco cinco cinco tres tres", 1),
        ("es", "generala", "un tiro 55533", 1),
        ("es", "generala", "Zoe tiró 55533", None),
        ("es", "generala", "66661 póker de seises", None),
        ("de", "general", "33366 Full House auf einmal", 1),
        ("pt", "general", "33366 full de uma", 1),
        ("pt", "general", "33366 full de uma vez Zoe", 1),
        ("en", "general", "33366 full house in one throw", 1),
    ],
)
def test_words_that_look_like_a_number_are_the_throw(
    code: str, name: str, line: str, roll: int | None
) -> None:
    with speaking(code):
        assert read(line, name).roll == roll


@cases("code", CODES)
def test_the_name_of_the_instant_win_means_its_box_on_the_first_throw(code: str) -> None:
    for name in built_in_names():
        rules = house(name)
        if (win := rules.instant_win) is None:
            continue
        boxes = {each.key for each in rules.category_names}
        with speaking(code):
            for named in {win.name, win.name_in(code)}:
                is_box = normalize(named) in boxes  # `golden fifty` says nothing of a throw
                for line in (f"66666 {named}", f"{named} 66666", f"Zoe {named} 66666", f"66666 {named} Zoe"):
                    turn = read(line, name)
                    assert turn.category == rules.category(win.box), line
                    assert turn.roll == (None if is_box else 1), line


@cases(
    ("line", "roll", "is_scratch"),
    [
        ("55555 dormida", 1, False),
        ("la dormida 55555", 1, False),
        ("55555 dormida 1", 1, False),
        ("x dormida", None, True),
    ],
)
def test_it_needs_no_article(line: str, roll: int | None, *, is_scratch: bool) -> None:
    with speaking("es"):
        turn = read(line, "cacho")
    assert (turn.category and turn.category.id, turn.roll, turn.is_scratch) == ("grande", roll, is_scratch)


@cases(
    ("code", "line", "meant"),
    [
        ("es", "33366 full serbida", "servida"),
        ("es", "33366 ful serv", "servida"),
        ("es", "33366 servidos poker", "servida"),
        ("es", "33366 full primra", "primera"),
        ("en", "33366 full servd", "served"),
        ("de", "33366 full servirt", "serviert"),
    ],
)
def test_a_misspelled_throw_is_asked_about(code: str, line: str, meant: str) -> None:
    with speaking(code), pytest.raises(UsageError) as refused:
        read(line, "generala")
    hint = refused.value.hint
    assert isinstance(hint, Remedy)
    assert (hint.code, hint.values["names"]) == ("did-you-mean", listing([meant]))


def test_it_is_no_later_throw() -> None:
    with speaking("es"), pytest.raises(UsageError, match="throw 1 and throw 2 contradict each other"):
        read("55555 dormida 2", "cacho")
    with pytest.raises(GeneralaError):
        read("55555 dormida", "kniffel")
