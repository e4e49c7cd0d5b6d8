"""Questions appear on a terminal only; pressing Enter answers them."""

import re
from itertools import product

import pytest

from tests.cases import cases
from tests.cli.in_process import run_in_process
from tests.cli.program import Generala, surroundings
from tests.sizes import thinned

TIE = ("score", "11123")  # three in ones, three in threes
ANY_DICE = ("score", "11266")  # in Kniffel chance 16, sixes 12, twos 2, ones 2
PROMPT = "help: "
SCRATCH_PROMPT = "scratch straight or four of a kind: "


def answered(generala: Generala, typed: tuple[str, ...], prompt: str, keys: str) -> tuple[int, str]:
    """Wait for the question, press the keys, and wait for the end."""
    with generala.on_terminal(*typed) as terminal:
        terminal.until(prompt)
        terminal.until_it_waits()
        terminal.type(keys)
        return terminal.end()


def last(generala: Generala) -> tuple[str, int, bool]:
    """Return the last entry: its category, its points, and whether it is a scratch."""
    entry = generala.json("log")["entries"][-1]
    return entry["category"], entry["points"], entry["scratched"]


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize(
    ("typed", "keys", "entry"),
    thinned(
        [
            (TIE, "3\n", ("threes", 3, False)),
            (TIE, "threes\n", ("threes", 3, False)),
            (TIE, "x ones\n", ("ones", 0, True)),
            (TIE, "unos\n", ("ones", 3, False)),
            (TIE, "X general\n", ("general", 0, True)),
        ],
        every=2,
    ),
)
def test_a_tie_is_asked_about(
    played: Generala, typed: tuple[str, ...], keys: str, entry: tuple[str, int, bool]
) -> None:
    code, _ = answered(played, typed, PROMPT, keys)
    assert code == 0
    assert last(played) == entry


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keys", "entry"), [("6\n", ("sixes", 12, False)), ("chance\n", ("chance", 16, False))]
)
def test_a_box_for_any_dice_is_asked_about(
    generala: Generala, keys: str, entry: tuple[str, int, bool]
) -> None:
    generala.ok("new", "Ana", "Beto", "--rules", "kniffel")
    refused = generala(*ANY_DICE)
    assert refused.code == 1
    assert "choose one with --as chance, sixes, ones or twos" in refused.err
    assert answered(generala, ANY_DICE, PROMPT, keys)[0] == 0
    assert last(generala) == entry


@pytest.mark.slow
def test_of_mere_numbers_the_best_is_taken_on_a_terminal_too(played: Generala) -> None:
    with played.on_terminal("score", "11223") as terminal:
        assert terminal.end()[0] == 0
    assert last(played) == ("twos", 4, False)


@pytest.mark.thinned(every=2)
@pytest.mark.parametrize(("typed", "dice"), [(("x",), None), (("11226", "x"), [1, 1, 2, 2, 6])])
def test_x_alone_asks_which(played: Generala, typed: tuple[str, ...], dice: list[int] | None) -> None:
    code, _ = answered(played, typed, "scratch which box? ", "ones\n")
    assert code == 0
    assert last(played) == ("ones", 0, True)
    assert played.json("log")["entries"][-1]["dice"] == dice


@pytest.mark.slow
def test_the_dice_of_a_hand_that_is_scratched_are_kept(played: Generala) -> None:
    answered(played, TIE, PROMPT, "x ones\n")
    assert sorted(played.json("log")["entries"][-1]["dice"]) == [1, 1, 1, 2, 3]


@pytest.mark.slow
def test_an_answer_that_cannot_be_taken_is_asked_for_again(played: Generala) -> None:
    with played.on_terminal(*TIE) as terminal:
        terminal.until(PROMPT)
        for wrong in ("nonsense", "f", "9", "straight", "full", "x nonsense", "x full"):
            terminal.type(f"{wrong}\n")
            terminal.until("\nAna 11123: ")
        terminal.type("threes\n")
        code, _ = terminal.end()
    assert code == 0
    assert last(played) == ("threes", 3, False)


def test_a_word_to_leave_cancels_the_question(played: Generala) -> None:
    before = last(played)
    code, shown = answered(played, TIE, PROMPT, "quit\n")
    assert code == 130
    assert "nothing was chosen; nothing was changed" in shown
    assert last(played) == before


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize(
    ("typed", "prompt", "key"),
    [(TIE, PROMPT, "\x03"), (TIE, PROMPT, "\x04"), (("delete", "1"), "[y/N] ", "\x03")],
    ids=["Ctrl-C", "Ctrl-D", "Ctrl-C at yes or no"],
)
def test_leaving_a_question_changes_nothing(
    played: Generala, typed: tuple[str, ...], prompt: str, key: str
) -> None:
    before = played.files()
    code, shown = answered(played, typed, prompt, key)
    assert code == 130
    assert "Traceback" not in shown
    assert "nothing was changed" in shown
    assert played.files() == before


WHICH = "Which turn? Type its number, or ? for help: "
REALLY = "help: "


@pytest.fixture
def begun(generala: Generala) -> Generala:
    """Ana had a full house on the first throw."""
    generala.ok("new", "Ana", "Beto", "--rules", "general")
    generala.ok("score", "55533", "--roll", "1")
    return generala


def test_amend_alone_asks_which_turn_and_what_it_really_was(begun: Generala) -> None:
    with begun.on_terminal("amend") as terminal:
        terminal.until("1  Ana, full house 35, first throw (5 5 5 3 3)")
        terminal.until(WHICH)
        terminal.type("?\nnonsense\n9\n\n")
        terminal.until("type the number of a turn, and the correction if you like, as in 1 55532")
        terminal.until("'nonsense' is not a turn")
        terminal.until("there is no turn 9")
        terminal.until("nothing was chosen")
        terminal.type("1\n")
        terminal.until("Turn 1, Ana, full house 35, first throw (5 5 5 3 3). What was it really?")
        terminal.type("?\n44443 full\n")
        terminal.until("x makes it a scratch")
        terminal.until("or scratch it")
        terminal.type("55532 2 fives\n")
        code, shown = terminal.end()
    assert code == 0
    assert "turn 1 was full house 35, first throw" in shown
    assert last(begun) == ("fives", 15, False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "keys", "entry"),
    thinned(
        [
            (("amend",), "1 fours\n44432 fours\n", ("fours", 12, False)),
            (("amend",), "1 x\n", ("full-house", 0, True)),
            (("amend", "--as", "fives"), "1\n", ("fives", 15, False)),
            (("amend", "--scratch"), "1\n", ("full-house", 0, True)),
            (("amend",), "1\n\n", ("full-house", 35, False)),
        ],
        every=2,
    ),
)
def test_what_is_corrected_may_be_typed_at_once(
    begun: Generala, typed: tuple[str, ...], keys: str, entry: tuple[str, int, bool]
) -> None:
    assert answered(begun, typed, WHICH, keys)[0] == 0
    assert last(begun) == entry


@pytest.mark.slow
@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["Ctrl-C", "Ctrl-D"])
@pytest.mark.parametrize("keys", ["", "1\n"], ids=["which", "what"])
def test_leaving_a_correction_changes_nothing(begun: Generala, keys: str, key: str) -> None:
    before = begun.files()
    with begun.on_terminal("amend") as terminal:
        terminal.until(WHICH)
        terminal.type(keys)
        if keys:
            terminal.until(REALLY)
        terminal.type(key)
        code, shown = terminal.end()
    assert (code, begun.files()) == (130, before)
    assert "nothing was changed" in shown


@pytest.mark.slow
def test_a_correction_of_a_game_that_went_on_meanwhile_is_refused(begun: Generala) -> None:
    with begun.on_terminal("amend") as terminal:
        terminal.until(WHICH)
        begun.ok("undo")
        begun.ok("score", "44442")
        terminal.type("1 x\n")
        code, shown = terminal.end()
    assert code == 1
    assert "the game has moved on" in shown
    assert last(begun) == ("four-of-a-kind", 40, False)


@pytest.mark.slow
def test_the_answer_does_not_repeat_the_boxes_of_the_question(played: Generala) -> None:
    with played.on_terminal(*TIE) as terminal:
        terminal.until(PROMPT)
        terminal.type("straight\n")
        terminal.until("\nAna 11123: ")
        terminal.type("1\n")
        code, shown = terminal.end()
    assert code == 0
    assert shown.count("threes 3") == 1
    assert "could also go to" not in shown


@pytest.fixture
def late(generala: Generala) -> Generala:
    """Ana has no open box for 1 1 2 3 6: only the straight and the four of a kind are left."""
    generala.ok("new", "Ana", "Beto", "--rules", "general")
    for category in ("ones", "twos", "threes", "fours", "fives", "sixes", "full-house", "general"):
        generala.ok("scratch", category)
        generala.ok("scratch", category)
    return generala


def test_a_hand_that_makes_nothing_is_asked_what_to_scratch(late: Generala) -> None:
    code, shown = answered(late, ("score", "11236"), SCRATCH_PROMPT, "straight\n")
    assert code == 0
    assert "four of a kind" in shown
    assert last(late) == ("straight", 0, True)


@pytest.mark.slow
def test_nothing_is_scratched_by_just_pressing_enter(late: Generala) -> None:
    before = late.files()
    code, _ = answered(late, ("score", "11236"), SCRATCH_PROMPT, "\n\x04")
    assert code == 130
    assert late.files() == before


def test_off_a_terminal_a_hand_that_makes_nothing_is_refused(late: Generala) -> None:
    before = late.files()
    result = late("score", "11236")
    assert (result.code, result.out) == (1, "")
    assert "straight or four-of-a-kind" in result.err
    assert late.files() == before


def test_off_a_terminal_a_tie_is_refused_with_the_choices(played: Generala) -> None:
    before = played.files()
    result = played(*TIE, stdin="1\n")
    assert (result.code, result.out) == (1, "")
    assert "--as ones or threes" in result.err
    assert played.files() == before


@pytest.mark.parametrize(
    "typed", thinned(zip([(*TIE, "--as", "threes"), ("score", "44442"), ("score", "12345")]), every=3)
)
def test_where_there_is_nothing_to_ask_nothing_is_asked(played: Generala, typed: tuple[str, ...]) -> None:
    with played.on_terminal(*typed) as terminal:
        code, shown = terminal.end()
    assert code == 0
    assert "?" not in shown
    assert "Enter" not in shown


@pytest.mark.slow
def test_where_several_score_most_or_any_dice_make_it_enter_alone_chooses_nothing(
    played: Generala, generala: Generala
) -> None:
    before = played.files()
    code, shown = answered(played, TIE, PROMPT, "\n\x04")
    assert code == 130
    assert "Ana 11123: ones 3, threes 3, twos 2; x and a box" in shown
    assert played.files() == before
    generala.ok("new", "Ana", "Beto", "--rules", "kniffel")
    code, shown = answered(generala, ("score", "11266"), PROMPT, "\n\x04")
    assert code == 130
    assert "chance 16, sixes 12" in shown
    assert generala.json("log")["entries"] == []


def test_a_question_mark_explains_and_asks_again(played: Generala) -> None:
    code, shown = answered(played, TIE, PROMPT, "?\n1\n")
    assert code == 0
    assert "type a box or the start of its name: ones, threes or twos" in shown
    assert "type x and a box to scratch it, as in x ones" in shown
    assert last(played) == ("ones", 3, False)


@pytest.mark.slow
def test_the_question_is_in_words_and_in_lines_that_fit(played: Generala) -> None:
    with played.on_terminal(*TIE, columns=30) as terminal:
        terminal.until("help: ")
        lines = terminal.shown.replace("\r", "").split("\n")
        terminal.type("1\n")
        terminal.end()
    assert max(map(len, lines)) <= 30
    assert "ones 3, threes 3" in " ".join(lines)


def test_for_a_document_nothing_is_asked(played: Generala) -> None:
    with played.on_terminal(*TIE, "--json") as terminal:
        code, shown = terminal.end()
    assert code == 1
    assert '"kind":"undecided"' in shown


def test_a_dry_run_asks_too_and_changes_nothing(played: Generala) -> None:
    before = played.files()
    with played.on_terminal(*TIE, "-n") as terminal:
        terminal.until(PROMPT)
        terminal.type("1\n")
        code, shown = terminal.end()
    assert code == 0
    assert "nothing was saved" in shown
    assert played.files() == before


@pytest.mark.slow
def test_one_asks_for_the_player_named(played: Generala) -> None:
    code, _ = answered(played, (*TIE, "--player", "beto"), PROMPT, "1\n")
    assert code == 0
    assert played.json("log")["entries"][-1]["player"] == "Beto"


@pytest.mark.parametrize("answer", thinned(zip(["sí", "y", "Y", "yes"]), every=4))
def test_delete_asks_and_takes_a_yes(played: Generala, answer: str) -> None:
    code, shown = answered(played, ("delete", "1"), "[y/N] ", f"{answer}\n")
    assert code == 0
    assert "game 1 is deleted" in shown
    assert played.json("games")["games"] == []


@pytest.mark.thinned(every=2)
@pytest.mark.parametrize("answer", thinned(zip(["", "n", "maybe"]), every=2))
def test_delete_asks_and_takes_anything_else_for_a_no(played: Generala, answer: str) -> None:
    before = played.files()
    answered(played, ("delete", "1"), "[y/N] ", f"{answer}\n")
    assert played.files() == before


AMOUNTS = (
    ("new", "Ana", "Beto", "--unit", "ARS", "--stake"),
    ("stake", "--unit", "ARS"),
    ("payouts", "--unit", "ARS", "--stake"),
    ("pay", "Ana", "Beto", "--unit", "ARS"),
)


@pytest.mark.parametrize("typed", AMOUNTS, ids=lambda typed: str(typed[0]))
def test_an_amount_that_could_be_in_thousands_is_refused_with_both_spellings(
    played: Generala, typed: tuple[str, ...]
) -> None:
    before = played.files()
    for language, amount in product(["en", "es", "de", "pt"], ["1.000", "1,000"]):
        result = played(*typed, amount, "--language", language)
        assert (result.code, result.out) == (2, "")
        assert re.search(r" 1000 .* 1000 .* 1\b", result.err)
    assert played.files() == before


@pytest.mark.thinned(every=2)
@pytest.mark.parametrize("typed", thinned(zip(AMOUNTS), every=2), ids=lambda typed: str(typed[0]))
def test_on_a_terminal_such_an_amount_is_asked_about(played: Generala, typed: tuple[str, ...]) -> None:
    question = "'1.000' could be 1000 or 1; which is it? "
    with played.on_terminal(*typed, "1.000") as terminal:
        terminal.until(question)
        terminal.type("7\n")
        terminal.until(question)
        terminal.type("1000\n")
        code, _ = terminal.end()
    assert code == 0
    match typed[0]:
        case "new" | "stake":
            assert played.json("payouts")["stake"] == "1000"
        case "pay":
            assert played.json("pay", "--undo")["payments"][0]["amount"] == "1000.00"
        case _:
            assert played.json("payouts")["stake"] == "0.01"


@pytest.mark.slow
def test_of_such_an_amount_nothing_is_taken_by_just_pressing_enter(played: Generala) -> None:
    before = played.files()
    assert answered(played, ("stake", "1.500"), "could be 1500 or 1.5; which is it? ", "\n")[0] == 130
    assert played.files() == before


def test_a_stake_in_the_configuration_could_be_in_thousands_too(generala: Generala) -> None:
    config = generala.home / "config" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('stake = "1.000"\n')
    result = generala("new", "Ana", "Beto")
    assert result.code == 3
    assert "stake: '1.000' could be 1000 or 1" in result.err


def test_new_alone_asks_who_plays(generala: Generala) -> None:
    variables = surroundings(generala.home, {})
    words = ("new", "--payout", "pot", "--stake", "1", "--unit", "USD")
    code, out, err = run_in_process(words, variables, b"Ana, Beto\n", is_terminal=True)
    assert code == 0
    assert b"Who plays?" in err
    assert b"payout: pot" in out
    assert generala.json("sheet")["players"] == ["Ana", "Beto"]
    assert run_in_process(("new",), variables, b"\n", is_terminal=True)[0] == 130
    assert run_in_process(("new",), variables)[0] == 2
    wrong = run_in_process(("new", "--rules", "bridge"), variables, b"Ana, Beto\n", is_terminal=True)
    assert wrong[0] == 1
    assert b"Who plays?" not in wrong[2]  # the names would be lost


@cases(
    ("rules", "language", "words"),
    [("escalero", "en", "x"), ("balut", "pt", "x"), ("cacho", "es", "x"), ("escalero", "en", "amend")],
)
def test_q_leaves_a_question_even_if_it_begins_a_box(
    generala: Generala, rules: str, language: str, words: str
) -> None:
    generala.ok("new", "Ana", "Beto", "--rules", rules)
    generala.ok("55544", "--as", "full-house")
    before = generala.files()
    variables = surroundings(generala.home, {"GENERALA_LANGUAGE": language})
    assert run_in_process(words.split(), variables, b"q\n", is_terminal=True)[0] == 130
    assert generala.files() == before
