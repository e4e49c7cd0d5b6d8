"""A name that two boxes of a game share, such as *quadra*: fours, or four alike. The hand decides."""

import pytest

from generala_cli.errors import Ambiguous, GeneralaError, Retyped
from generala_cli.game.turn import Turn
from generala_cli.game.turnline import TurnLine, parse, parse_box
from generala_cli.rules.catalog import built_in
from generala_cli.rules.fingerprint import fingerprint
from generala_cli.rules.rulefile import check_rules, rules_document
from tests.cases import cases
from tests.game.table import Table, hand, house

GAMES = ["general-brasil", "bozo"]


def table(name: str = "general-brasil") -> Table:
    return Table(house(name), "Ana", "Beto")


def read(text: str, at: Table | None = None, **options: str) -> Turn:
    game = (at or table()).game
    return parse(TurnLine(words=text.split(), **options), game.rules, game)


def refusal(text: str, at: Table | None = None, **options: str) -> GeneralaError:
    with pytest.raises(GeneralaError) as refused:
        read(text, at, **options)
    return refused.value


@cases("name", GAMES)
@cases(
    ("text", "category"),
    [
        ("44126 quadra", "fours"),
        ("44126 1 QUADRA Beto", "fours"),
        ("quadra 44126", "fours"),
        ("44412quadra", "fours"),
        ("66661 quadra", "four-of-a-kind"),
        ("66666 quadra", "four-of-a-kind"),
        ("66661 de boca quadra", "four-of-a-kind"),
        ("55126 quina", "fives"),
        ("11111 quina", "general"),
        ("44441 quadra de quatro", "four-of-a-kind"),
        ("44441 4", "fours"),
        ("44441 quatros", "fours"),
        ("44441 quadrada", "four-of-a-kind"),
        ("44441 pôquer", "four-of-a-kind"),
        ("55544 fula", "full-house"),
        ("12345 sequência", "straight"),
        ("11234 ás", "ones"),
        ("66123 sena Ana", "sixes"),
    ],
)
def test_a_hand_that_makes_one_of_the_boxes_decides(name: str, text: str, category: str) -> None:
    text = text.replace("de quatro", "of fours")
    turn = read(text, table(name))
    assert turn.category is not None
    assert turn.category.id == category


@cases("name", GAMES)
@cases(
    ("text", "lines"),
    [
        ("44441 quadra", ["44441 fours", "44441 four-of-a-kind"]),
        ("44441 1 quadra Beto", ["44441 1 fours Beto", "44441 1 four-of-a-kind Beto"]),
        ("quadra 44444", ["fours 44444", "four-of-a-kind 44444"]),
        ("55555 de boca quina", ["55555 de boca fives", "55555 de boca general"]),
        ("x quadra", ["x fours", "x four-of-a-kind"]),
        ("44441 x quadra", ["44441 x fours", "44441 x four-of-a-kind"]),
        ("11226 2 quadra", ["11226 2 x fours", "11226 2 x four-of-a-kind"]),
    ],
)
def test_otherwise_both_ways_are_named_and_keep_the_rest_of_the_line(
    name: str, text: str, lines: list[str]
) -> None:
    error = refusal(text, table(name))
    assert isinstance(error, Retyped)
    first, second = lines
    assert str(error.hint) == f"type {first} or {second}"
    boxes = {turn.category.id for line in lines if (turn := read(line, table(name))).category}
    assert boxes in ({"fours", "four-of-a-kind"}, {"fives", "general"})
    assert all(read(line).is_scratch == (" x " in f" {line}") for line in lines)


def test_a_box_that_is_filled_is_not_meant() -> None:
    at = table()
    at.score("Ana", "44126", "fours")
    at.score("Beto", "66661", "four-of-a-kind")
    assert read("44441 quadra", at).category == at.rules.category("four-of-a-kind")
    assert read("44441 quadra Beto", at).category == at.rules.category("fours")
    assert read("x quadra", at).category == at.rules.category("four-of-a-kind")
    at.score("Ana", "66661", "four-of-a-kind")
    assert read("44441 quadra Ana", at).category == at.rules.category("fours")  # refused: it is filled


def test_an_option_for_the_box_is_read_like_the_line() -> None:
    assert read("44126", category="quadra").category == built_in("general-brasil").category("fours")
    assert str(refusal("44441", category="quadra").hint) == "type 44441 fours or 44441 four-of-a-kind"


def test_the_hand_of_a_corrected_turn_decides() -> None:
    at = table()
    at.score("Ana", "44126", "twos")
    at.score("Beto", "44441", "ones")
    game = at.game
    for entry, category in zip(game.entries, ["fours", None], strict=True):
        if category is None:
            with pytest.raises(Retyped):
                parse(TurnLine(words=("quadra",)), game.rules, game, corrects=entry)
        else:
            turn = parse(TurnLine(words=("quadra",)), game.rules, game, corrects=entry)
            assert turn.category == game.rules.category(category)


def test_an_unfinished_line_offers_both_boxes() -> None:
    game = table().game
    turn = parse(TurnLine(words=("44441 quadra",)), game.rules, game, unfinished=True)
    assert isinstance(turn.refusal, Retyped)
    assert [category.id for category in turn.candidates] == ["fours", "four-of-a-kind"]


def test_a_reply_to_a_question_is_decided_by_the_hand() -> None:
    rules = built_in("bozo")
    assert parse_box("quadra", rules, hand("44126")).category == rules.category("fours")
    assert parse_box("x 4", rules, hand("44126")).is_scratch
    with pytest.raises(Retyped):
        parse_box("quadra", rules)


def test_a_hand_without_a_box_needs_no_decision() -> None:
    game = table().game
    line = TurnLine(words=("44441", "quadra"))
    assert parse(line, game.rules, is_throw_asked=True).category is not None  # advice asks for no box
    with pytest.raises(Ambiguous, match="fours or four-of-a-kind"):
        game.rules.find_category("quadra")


def test_a_player_of_that_name_makes_the_line_ambiguous() -> None:
    game = Table(house("bozo"), "Quadra", "Beto").game
    with pytest.raises(Ambiguous):
        parse(TurnLine(words=("44441", "quadra")), game.rules, game)


def test_only_names_that_both_boxes_share_may_occur_twice() -> None:
    document = rules_document(built_in("bozo"))
    boxes = document["category"]
    assert isinstance(boxes, list)
    rules, problems = check_rules(document)
    assert rules == built_in("bozo")
    assert not problems
    fours = next(box for box in boxes if box["id"] == "fours")
    fours["names"] = {}
    fours["aliases"] = ["4", *fours.pop("shared_names")]
    rules, problems = check_rules(document)
    assert rules is None
    assert [problem.message.template for problem in problems] == ["{name} is already a name of {owner}"]


def test_shared_names_do_not_change_how_a_game_is_played() -> None:
    document = rules_document(built_in("bozo"))
    for box in document["category"]:  # type: ignore[attr-defined]
        box.pop("shared_names", None)
        box["names"] = {}
    rules, _ = check_rules(document)
    assert rules is not None
    assert fingerprint(rules) == fingerprint(built_in("bozo"))


@cases("name", GAMES)
@cases("words", ["de boca", "boca", "de primeira", "Primeira"])
def test_brazil_has_its_own_words_for_the_first_throw(name: str, words: str) -> None:
    turn = read(f"12345 {words} seguida Beto", table(name))
    assert (turn.roll, turn.player, turn.category) == (1, "Beto", built_in(name).category("straight"))
    assert read(f"12345 Beto {words}", table(name)).roll == 1


def test_cacho_shares_its_spanish_names() -> None:
    at = table("cacho")
    assert read("44126 cuadras", at).category == at.rules.category("fours")
    assert read("66661 cuadra", at).category == at.rules.category("four-of-a-kind")
    assert str(refusal("55555 2 quinas", at).hint) == "type 55555 2 fives or 55555 2 grande"
