"""A turn's line: every hand, throw, category and player in every notation, and errors for the rest."""

from contextlib import suppress
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generala_cli.errors import Ambiguous, GeneralaError, NotAllowed, NotFound, UsageError
from generala_cli.game.turn import Turn
from generala_cli.game.turnline import TurnLine, parse, parse_box
from generala_cli.render import language
from generala_cli.rules.catalog import built_in_names
from generala_cli.rules.notation import lex
from generala_cli.rules.ruleset import Category
from tests.cases import cases
from tests.game.table import Table, house

PLAYERS = ("Ana", "Beto", "María José", "Full Moon")


def table(name: str = "general", *players: str) -> Table:
    return Table(house(name), *(players or PLAYERS))


def read(text: str, name: str = "general", *players: str) -> Turn:
    game = table(name, *players).game
    return parse(TurnLine(words=(text,)), game.rules, game)


def typed(turn: Turn) -> str:
    """Return the full text of a turn, after checking that it reads back as the same turn."""
    dice = turn.dice and "".join(map(str, turn.dice))
    roll = turn.roll and ("first", "second", "third")[turn.roll - 1]
    category = turn.category and turn.category.id
    parts = ("x", category, dice, roll) if turn.is_scratch else (dice, roll, category)
    return " ".join(str(part) for part in (*parts, turn.player) if part)


NOTATIONS = {
    "one word": "".join,
    "one a word": " ".join,
    "commas": ",".join,
    "hyphens": "-".join,
}


@given(
    data=st.data(),
    name=st.sampled_from(built_in_names()),
    notation=st.sampled_from(list(NOTATIONS.values())),
)
def test_a_hand_is_read_back_however_it_is_typed(data: st.DataObject, name: str, notation: object) -> None:
    rules = house(name)
    assert callable(notation)
    dice = data.draw(st.lists(st.integers(1, rules.faces), min_size=rules.dice, max_size=rules.dice))
    roll = data.draw(st.none() | st.integers(1, rules.throws))
    category = data.draw(st.none() | st.sampled_from(rules.categories))
    player = data.draw(st.none() | st.sampled_from(PLAYERS))
    found = category and data.draw(st.sampled_from(sorted(_own_names(category))))
    throw = roll and (str(roll) if rules.has_throws_that_matter else ("first", "second", "third")[roll - 1])
    rest = data.draw(st.permutations([part for part in (throw, found, player) if part]))
    turn = Turn(dice=tuple(dice), has_hand=True, roll=roll, category=category, player=player)
    assert read(" ".join([notation(map(str, dice)), *rest]), name) == turn
    assert read(typed(turn), name) == turn


def _own_names(category: Category) -> set[str]:
    """Return the names of this box that no other box shares."""
    shared = category.shared_names or ()
    return {name for name in category.answers_to if not name.isdecimal() and name not in shared}


@cases("category", house("general").categories)
def test_what_is_given_up_is_read_back(category: Category) -> None:
    turn = Turn(is_scratch=True, category=category, player="María José")
    assert read(typed(turn)) == turn


@cases(
    ("message", "words"),
    [
        ("55533 1 f", "55533 first full-house"),
        ("5 5 5 3 3 1", "55533 first"),
        ("555 33", "55533"),
        ("66 655 2", "66655 second"),
        ("5 5 5 33", "55533"),
        ("55533/1", "55533 first"),
        ("55533,full", "55533 full-house"),
        ("55533f", "55533 full-house"),
        ("55533f 1", "55533 first full-house"),
        ("444424k", "44442 four-of-a-kind"),
        ("55533xf ana", "x full-house 55533 Ana"),
        ("5,5,5,3,3/1/full, ana", "55533 first full-house Ana"),
        ("Ana 55533", "55533 Ana"),
        ("full house 55533 ana", "55533 full-house Ana"),
        ("66661 6", "66661 sixes"),
        ("66661 1 6", "66661 first sixes"),
        ("55533 4", "55533 fours"),
        ("55533 de mano full house", "55533 first full-house"),
        ("55533 full house de mano", "55533 first full-house"),
        ("12345 servida escalera", "12345 first straight"),
        ("55533 ana four of a kind", "55533 four-of-a-kind Ana"),
        ("55533 full moon", "55533 Full Moon"),
        ("55533 full full moon", "55533 full-house Full Moon"),
        ("55533 mar póquer 2", "55533 second four-of-a-kind María José"),
        ("44442 4k", "44442 four-of-a-kind"),
        ("x 1 ana", "x ones Ana"),
        ("x", "x"),
        ("x full 55533", "x full-house 55533"),
        ("x 1 5 5 5 3 3", "x ones 55533"),
        ("x 5 5 5 3 3", "x 55533"),
        ("11226 x", "x 11226"),
        ("11226 x ones", "x ones 11226"),
        ("x ones 11236 2 Ana", "x ones 11236 second Ana"),
        ("five five five three three full", "55533 full-house"),
        ("five five five three three 1", "55533 first"),
        ("three fives and two three", "55533"),
        ("two three and three fives", "33555"),
        ("five five five two and three", "55523"),
        ("three fives and two threes Ana", "55533 Ana"),
        ("four fours and a six", "44446"),
        ("cinco cinco cinco tres tres", "55533"),
        ("full, tres cincos y dos treses", "55533 full-house"),
        ("x full cinco cinco cinco tres tres", "x full-house 55533"),
        ("tres quinas y dos trenes", "55533"),
        ("full, tres senas dos balas", "66611 full-house"),
        ("dreimal fünf zweimal drei", "55533"),
        ("drei Fünfer zwei Dreier", "55533"),
        ("póker de cuatros 44441", "44441 four-of-a-kind"),
        ("44441 Viererpasch aus Vieren", "44441 four-of-a-kind"),
        ("44441 cuatro iguales", "44441 four-of-a-kind"),
        ("vier gleiche 44441", "44441 four-of-a-kind"),
        ("Ana: 55533", "55533 Ana"),
        ("55533 full.", "55533 full-house"),
        ("55533 1ra", "55533 first"),
        ("throw 1 5 5 5 3 3", "55533 first"),
        ("12345 escalera armada", "12345 third straight"),
    ],
)
def test_a_line_as_people_say_it_at_a_table(message: str, words: str) -> None:
    assert typed(read(message)) == words


@cases(
    ("message", "understood"),
    [
        ("5553 1", "that is four dice (5553)"),
        ("555331", "that is six dice (555331)"),
        ("5 5 5 3", "that is four dice (5 5 5 3)"),
        ("55 53 3 1", "55 53 3 1 has some dice"),
        ("5 5 5 3 33", "5 5 5 3 33 has some dice together and some apart"),
        ("55 5 3 3", "some dice together and some apart"),
        ("55533 4 full", "'4 full' gives the category twice"),
        ("44126:44", "44126:44 is not the last throw"),
        ("44126:44 4256", "that is four dice (4256)"),
        ("full 35", "35 is not a hand; type the dice, not the points"),
        ("foo 55533", "'foo' is not a category"),
        ("55537", "7 is not a face"),
        ("44441 póker de cincos", "44441 does not fit 'póker de cincos'"),
        ("12345 armada 1", "'armada 1' gives the throw twice"),
        ("five five five three", "that is four dice (5553)"),
        ("55533 1 2", "'1 2' gives the throw twice"),
        ("55533 full 1 2", "'full 1 2' gives the throw twice"),
        ("55533 full ones", "'full ones' gives the category twice"),
        ("55533 30", "30 is neither a throw nor a category; type only the dice"),
        ("55533 fulll", "did-you-mean(full"),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_was_understood(message: str, understood: str) -> None:
    with pytest.raises(UsageError) as refusal:
        read(message)
    assert understood in str(refusal.value)


def test_what_could_be_two_things_is_refused_with_both() -> None:
    with pytest.raises(Ambiguous, match="fours or four-of-a-kind"):
        read("55533 fo")
    with pytest.raises(Ambiguous, match="fours or four-of-a-kind"):
        read("x fo 66665")  # the dice do not decide which box a scratch means
    with pytest.raises(Ambiguous, match="the category straight or the player Stratos"):
        read("12345 stra", "general", "Ana", "Stratos")
    with pytest.raises(Ambiguous, match="could be the category straight or the player Stratos"):
        read("12345 1 stra", "general", "Ana", "Stratos")  # the throw is sure
    with pytest.raises(Ambiguous, match="the category full-house or the player Full"):
        read("55533 full", "general", "Full", "Ana")


def test_words_that_mean_the_same_in_either_order_are_no_question() -> None:
    turn = read("55533 full full", "general", "Full", "Ana")
    assert typed(turn) == "55533 full-house Full"


def test_earlier_throws_are_read_in_every_notation() -> None:
    """As options and in a line."""
    game = table().game
    whole = read("44126:44 425:444 44").throws
    assert read("4-4-1-2-6:4-4 4-2-5:444 44").throws == whole
    for first, then in (
        ("4 4 1 2 6:44", "4 2 5:444"),
        ("4,4,1,2,6:4 4", "4-2-5:4-4-4"),
        ("44 126:44", "4 25:444"),
    ):
        line = TurnLine(words=("44",), threw=(first, then))
        assert parse(line, game.rules, game).throws == whole, (first, then)


def test_a_box_out_of_play_can_only_be_in_a_new_game() -> None:
    with pytest.raises(NotAllowed, match=r"only a new game can add it"):
        read("55555 doble")


def test_the_start_of_a_name_is_that_of_someone_who_may_move() -> None:
    at = table("general", "Ana", "Alberto")
    at.score("Ana", "12345")
    assert parse(TurnLine(words=("12345 al",)), at.game.rules, at.game).player == "Alberto"


@cases(
    ("line", "category"),
    [
        ("44425 drei", "three-of-a-kind"),
        ("66665 vier", "four-of-a-kind"),
        ("12345 g", "large-straight"),
        ("44441 four", "four-of-a-kind"),
    ],
)
def test_of_several_starts_those_fall_away_that_the_dice_cannot_make(line: str, category: str) -> None:
    with language.speaking("de"):
        found = read(line, "kniffel").category
    assert found is not None
    assert found.id == category


def test_where_a_start_fits_a_number_too_the_dearer_is_meant_that_is_open() -> None:
    at = table("general", "Ana", "Beto")
    line = TurnLine(words=("44442 four",))
    assert parse(line, at.game.rules, at.game).category == at.game.rules.category("four-of-a-kind")
    at.score("Ana", "66661", "four-of-a-kind")
    at.score("Beto", "12345")
    assert parse(line, at.game.rules, at.game).category == at.game.rules.category("fours")


def test_a_start_is_one_in_english_or_in_the_language_that_is_spoken() -> None:
    """In English, `d` does not mean Dreier, which would put 6 into threes."""
    threes = house("general").category("threes")
    for start in ("d", "drei"):
        with language.speaking("en"), pytest.raises(GeneralaError, match="categor"):
            read(f"55533 {start}")
        with language.speaking("de"):
            assert read(f"55533 {start}").category == threes
    assert read("55533 Dreier").category == threes


@cases("words", ["44442 of a kind 1", "44442 1 of a kind", "44442 1 of a kind Ana"])
def test_the_words_of_a_box_may_go_on_behind_the_option_among_others(words: str) -> None:
    at = table("general", "Ana", "Beto")
    turn = parse(TurnLine(words=(words,), category="four"), at.game.rules, at.game)
    assert (turn.category and turn.category.id, turn.roll) == ("four-of-a-kind", 1)


@cases(("spoken", "line"), [("es", "55533 d"), ("de", "55522 d")])
def test_the_start_of_an_alias_is_not_meant_because_the_dice_do_not_make_the_other(
    spoken: str, line: str
) -> None:
    """In Spanish, `d` means doses. Without a two, it still does not mean the German box of threes."""
    with language.speaking(spoken), pytest.raises(GeneralaError, match="categor"):
        read(line)


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize("word", ["x", "X", "scratch", "tachar", "tacho", "tachó", "streichen", "gestrichen"])
@pytest.mark.parametrize(("dice", "box"), [("55533", "full"), ("11111", "general")])
def test_x_scratches_anywhere_after_the_dice(word: str, dice: str, box: str) -> None:
    for count in range(4):
        for others in combinations(("1", box, "Ana"), count):
            turn = read(" ".join(("x", dice, *others)))
            assert turn.is_scratch
            for words in permutations((word, *others)):
                assert read(" ".join((dice, *words))) == turn, words
    assert read(f"{word} {box} {dice}") == read(f"x {box} {dice}")


def test_x_is_refused_if_a_player_is_called_x() -> None:
    with pytest.raises(Ambiguous, match="could be a scratch or the player X"):
        read("55533 full x", "general", "Ana", "X")
    assert typed(read("55533 full x", "general", "Ana", "Xenia")) == "x full-house 55533"
    assert typed(read("55533 x full X", "general", "Ana", "X")) == "x full-house 55533 X"


def test_a_reply_names_a_box_as_a_line_does() -> None:
    replies = {
        "el póker": "four-of-a-kind",
        "5": "fives",
        "x full": "x full-house",
        "tacho el full": "x full-house",
    }
    for reply, box in replies.items():
        assert typed(parse_box(reply, house("general"))) == box
    for reply, error in (("nonsense", NotFound), ("x nonsense", NotFound), ("fo", Ambiguous)):
        with pytest.raises(error):
            parse_box(reply, house("general"))


@cases(("line", "roll", "category"), [("11266 1", None, "ones"), ("11266 first", 1, None)])
def test_a_digit_is_the_box_where_no_throw_matters(line: str, roll: int | None, category: str | None) -> None:
    turn = read(line, "kniffel")
    assert (turn.roll, turn.category and turn.category.id) == (roll, category)


@cases(("name", "roll", "category"), [("generala", 3, None), ("kniffel", None, "threes")])
def test_what_names_a_throw_and_a_number_is_read_as_its_digit(
    name: str, roll: int | None, category: str | None
) -> None:
    language.speak("es")
    try:
        turn = read("33345 3er", name)
    finally:
        language.speak("en")
    assert (turn.roll, turn.category and turn.category.id) == (roll, category)


def test_a_digit_is_a_throw_that_was_saved() -> None:
    at = table("golden-fifty", "Ana", "Beto")
    at.score("Ana", "12345", roll=2)  # which saves one
    at.score("Beto", "11126")
    for line, roll, category in (
        ("22236 4", 4, None),
        ("22236 5", None, "fives"),
        ("22236 4 beto", None, "fours"),
    ):
        turn = parse(TurnLine(words=(line,)), at.game.rules, at.game)
        assert (turn.roll, turn.category and turn.category.id) == (roll, category), line


def test_throws_before_the_last_are_read_from_the_line_or_the_options() -> None:
    output = read("44126:44 425:444 44 general")
    assert (output.dice, output.roll) == ((4, 4, 4, 4, 4), 3)
    rules = house("general")
    options = TurnLine(words=("44444 general",), threw=("44126:44", "44425:444"))
    assert parse(options, rules) == output
    with pytest.raises(UsageError, match="throw 3 and throw 2 contradict each other"):
        parse(TurnLine(words=options.words, threw=options.threw, roll="2"), rules)
    assert read("44126:0 55533").throws == read("44126: 55533").throws


@given(text=st.text(alphabet="0123456789 ,;-/:xXfúa\x1b", max_size=30), count=st.integers(1, 8))
def test_no_line_is_too_much_for_the_lexer(text: str, count: int) -> None:
    line = lex(text, count)
    before, after = ("".join(word.typed for word in words) for words in (line.before, line.after))
    kept = "".join((before, *(hand + kept for hand, kept in line.throws), *line.dice, after))
    digits = [letter for letter in text if letter.isdecimal() and letter != "0"]
    assert [letter for letter in kept if letter.isdecimal() and letter != "0"] == digits


@given(words=st.lists(st.sampled_from(["5", "55533", "full", "a", "x", "1", "de", "-1", "4k", "\x1b[", "u"])))
def test_any_words_are_read_back_or_are_refused(words: list[str]) -> None:
    with suppress(GeneralaError):
        found = read(" ".join(["55533", *words]))
        assert read(typed(found)) == found


def test_the_dice_of_a_line_stay_in_the_order_typed() -> None:
    lines = ["".join(order) for order in permutations("11236")]
    assert [typed(read(line)) for line in lines] == lines
