"""The game that a command uses: `--game`, then `GENERALA_GAME`, then the current game."""

import json
import re

import pytest

from generala_cli.cli.commands import BELOW, COMMANDS
from generala_cli.cli.schemas import answers
from tests.cli.every import Path as Command
from tests.cli.every import named, working
from tests.cli.program import Generala
from tests.cli.refusing import refused
from tests.sessions.hostile import VALUES, acting

OF_GAME: tuple[Command, ...] = (
    *((name,) for name, command in COMMANDS.items() if command.of_game and not command.runs_on),
    *(("rules", name) for name, command in BELOW.get("rules", {}).items() if command.of_game),
)
ABOUT_RULES = {("check",), ("rules", "show")}
READS = [(), ("sheet",), ("standings",), ("payouts",), ("log",), ("odds",), ("review",)]
ENTRIES = [("score", "44442"), ("scratch", "ones"), ("undo",), ("amend", "1", "--roll", "1")]


@pytest.fixture
def two_games(played: Generala) -> Generala:
    """Game 1 comes from `played`. Game 2, of Cora and Dani, is current and has no entries."""
    played.ok("new", "Cora", "Dani", "--rules", "general", "--name", "friday")
    return played


@pytest.mark.complete
def test_every_command_that_answers_about_a_game_takes_one() -> None:
    about_games = {
        name for name, types in answers().items() if any("game" in t.__struct_fields__ for t in types)
    }
    not_of_one = {"generala", "new", "use", "games", "doctor", "tournament tables"}
    assert {" ".join(path) for path in OF_GAME} == about_games - not_of_one | {"check", "rules show"}


@pytest.mark.thinned(every=8)
@pytest.mark.parametrize("path", OF_GAME, ids=named)
def test_a_game_named_is_the_one_that_is_meant_and_the_current_one_stays(
    two_games: Generala, path: Command
) -> None:
    current = (two_games.data / "current").read_bytes()
    answer = two_games.json(*working(path), "--game", "1")
    assert answer.get("game", 1) == (3 if path == ("rematch",) else 1)
    assert (two_games.data / "current").read_bytes() == (b"3\n" if path == ("rematch",) else current)


@pytest.mark.thinned(every=6)
@pytest.mark.parametrize("typed", [*READS, *ENTRIES], ids=named)
def test_the_environment_names_it_too_and_an_option_or_an_argument_beats_it(
    two_games: Generala, typed: Command
) -> None:
    environment = {"GENERALA_GAME": "1"}
    assert json.loads(two_games(*typed, "--json", environment=environment).out)["game"] == 1
    other = two_games(*typed[:1], "--game", "friday", *typed[1:], "--json", environment=environment)
    assert "game 1" not in other.err
    assert typed[:1] in {("undo",), ("amend",)} or json.loads(other.out)["game"] == 2


def test_an_argument_beats_the_environment(two_games: Generala) -> None:
    shown = two_games.ok("sheet", "friday", environment={"GENERALA_GAME": "1"})
    assert shown.startswith("Game 2: General, friday\n")


def test_nothing_in_the_environment_is_no_game(two_games: Generala) -> None:
    assert two_games.ok(environment={"GENERALA_GAME": ""}).startswith("Game 2")


def test_it_may_stand_before_the_command(two_games: Generala) -> None:
    assert two_games.ok("--game", "1", "standings") == two_games.ok("standings", "--game", "1")


def test_an_argument_and_an_option_that_name_two_games_are_refused(two_games: Generala) -> None:
    message = refused(two_games, ("sheet", "1", "--game", "friday"), 2).err
    assert "'1' and --game 'friday' are different games" in message
    assert two_games.ok("sheet", "2", "--game", "friday") == two_games.ok("sheet", "2")


@pytest.mark.parametrize("typed", [(), ("score", "44442"), ("check", "44442"), ("rules", "show")], ids=named)
def test_a_game_that_is_not_there_is_refused_saying_who_names_it(played: Generala, typed: Command) -> None:
    assert "there is no game '9' (from --game)" in refused(played, (*typed, "--game", "9"), 1).err
    result = played(*typed, environment={"GENERALA_GAME": "9"})
    assert (result.code, result.out) == (1, "")
    assert "there is no game '9' (from GENERALA_GAME)" in result.err


@pytest.mark.slow
def test_a_hostile_value_in_the_environment_names_no_game(played: Generala) -> None:
    for value in VALUES:
        if "\0" not in value and len(value) < 1000:
            result = played("score", "44442", environment={"GENERALA_GAME": value})
            assert result.code == (1 if value else 0), ascii(value)
            assert acting(result.out + result.err) == set(), ascii(value)


@pytest.mark.complete
@pytest.mark.parametrize("path", [("games",), ("use",), ("new",), ("help",), ("rules", "list")], ids=named)
def test_what_is_not_about_one_game_takes_none(played: Generala, path: Command) -> None:
    assert "remove --game" in refused(played, ("--game", "1", *working(path)), 2).err


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize(
    "typed",
    [
        *READS,
        *ENTRIES,
        ("advise", "44126", "--roll", "1"),
        ("use", "1"),
        ("delete", "1", "--yes"),
        ("new", "A", "B"),
    ],
    ids=named,
)
def test_every_answer_names_its_game_where_two_are_going_on(two_games: Generala, typed: Command) -> None:
    shown = two_games(*typed, environment={"GENERALA_GAME": "1"}).out
    assert re.search(rf"\bgame {3 if typed[0:1] == ('new',) else 1}\b", shown, re.IGNORECASE)


def test_the_only_game_that_goes_on_is_not_named_at_every_turn(played: Generala) -> None:
    assert "game" not in played.ok("score", "44442")
    assert "the game is over: Beto wins at once" in played.ok("score", "66666", "--roll", "1")
    played.ok("new", "Cora", "Dani")
    assert "game" not in played.ok("score", "44442")
    played.ok("undo", "--game", "1")
    assert "game 2" in played.ok("score", "55533")


def test_the_environment_is_shown_with_where_it_comes_from(two_games: Generala) -> None:
    assert re.search(r"^game +2  \(current\)$", two_games.ok("help", "environment"), re.MULTILINE)
    environment = {"GENERALA_GAME": "fri"}
    output = two_games.ok("help", "environment", environment=environment)
    assert re.search(r"^game +fri  \(GENERALA_GAME\)$", output, re.MULTILINE)


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (("score", "--player"), ("Ana", "Beto")),
        (("amend",), ("2", "1")),
        (("rematch", "--opening"), ("Ana=", "Beto=")),
        (("advise", "44126", "--player"), ("Ana", "Beto")),
    ],
    ids=named,
)
def test_tab_offers_what_is_in_the_game_that_is_named(
    two_games: Generala, typed: Command, offered: Command
) -> None:
    name, *rest = typed
    for words in ((name, "--game", "1", *rest), ("--game=1", name, *rest)):
        assert sorted(two_games.ok("__complete", *words, "").split()) == sorted(offered)
    here = two_games.ok("__complete", *typed, "", environment={"GENERALA_GAME": "1"})
    assert sorted(here.split()) == sorted(offered)
    assert not {*offered} & {*two_games.ok("__complete", *typed, "").split()}


def test_tab_offers_the_games(two_games: Generala) -> None:
    assert two_games.ok("__complete", "score", "44442", "--game", "").split() == ["2", "1", "friday"]


def test_a_question_is_about_the_game_it_was_asked_in(two_games: Generala) -> None:
    """Another terminal may start a game meanwhile."""
    with two_games.on_terminal("score", "11123") as terminal:
        terminal.until("help: ")
        two_games.ok("new", "Cora", "Dani")
        terminal.type("ones\n")
        code, shown = terminal.end()
    assert (code, two_games.json("log")["entries"]) == (0, [])
    assert "game 2: Dani is next" in shown  # because game 3 is in progress, too


# The current game and the previous one


def test_new_says_that_a_game_is_left_unfinished_and_how_to_go_back(played: Generala) -> None:
    assert "game 1 is not over; generala use 1 goes back to it" in played.ok("new", "Cora", "Dani")
    assert "game 2 is not over" in played.ok("rematch", "1")
    assert played.json("new", "Cora", "Dani")["unfinished"] == 3
    played.ok("score", "66666", "--roll", "1")
    assert "is kept" not in played.ok("new", "Cora", "Dani")


@pytest.mark.parametrize("typed", [("new", "Cora", "Dani"), ("use", "2"), ("rematch",)], ids=named)
def test_what_is_made_current_is_not_what_the_environment_names(two_games: Generala, typed: Command) -> None:
    number = 2 if typed[0] == "use" else 3
    result = two_games(*typed, environment={"GENERALA_GAME": "1"})
    assert result.code == 0
    assert result.err == (
        "generala: GENERALA_GAME is '1', so commands here still use that game;"
        f" unset it, or set it to {number}\n"
    )


def test_what_the_environment_names_already_is_no_news(two_games: Generala) -> None:
    assert two_games.ok("use", "2", environment={"GENERALA_GAME": "friday"})
    assert two_games("use", "2", environment={"GENERALA_GAME": "9"}).err == (
        "generala: GENERALA_GAME is '9', and there is no such game; unset it, or set it to 2\n"
    )


def test_delete_takes_no_game_that_is_not_named(played: Generala) -> None:
    assert "type generala delete GAME" in refused(played, ("delete", "--yes"), 2).err
    assert played("delete", "--yes", environment={"GENERALA_GAME": "1"}).code == 2
    assert played.game(1).exists()
    assert played.ok("delete", "--game", "1", "--yes") == "game 1 is deleted\n"


def test_after_delete_the_latest_unfinished_game_is_reported(two_games: Generala) -> None:
    advice = "generala use 1 continues the latest unfinished game"
    assert advice in two_games("delete", "2", "--dry-run").out
    document = two_games.json("delete", "2", "--yes")
    assert (document["deleted"], document["unfinished"], document["used"]) == (True, 1, False)
    assert "generala use GAME" in refused(two_games, ("sheet",), 1).err
    two_games.ok("use", "1")
    assert two_games.ok("delete", "1", "--yes") == "game 1 is deleted\n"


@pytest.mark.thinned(every=2)
@pytest.mark.parametrize(("reply", "current"), [("y\n", "1\n"), ("\n", None)], ids=["yes", "no"])
def test_after_delete_the_latest_unfinished_game_is_offered(
    two_games: Generala, reply: str, current: str | None
) -> None:
    with two_games.on_terminal("delete", "2") as terminal:
        terminal.until("Delete game 2 forever? [y/N]")
        terminal.type("y\n")
        terminal.until("Continue with game 1? [y/N]")
        terminal.type(reply)
        code, shown = terminal.end()
    assert (code, two_games.game(2).exists()) == (0, False)
    assert ("game 1 is now current" if current else "generala use 1 continues") in shown
    pointer = two_games.data / "current"
    assert (pointer.read_text() if pointer.exists() else None) == current


@pytest.mark.slow
def test_ctrl_c_at_the_second_question_deletes_nothing(two_games: Generala) -> None:
    before = two_games.files()
    with two_games.on_terminal("delete", "2") as terminal:
        terminal.until("Delete game 2 forever? [y/N]")
        terminal.type("y\n")
        terminal.until("Continue with game 1?")
        terminal.type("\x03")
        code, shown = terminal.end()
    assert (code, two_games.files()) == (130, before)
    assert "nothing was changed" in shown


def test_a_number_is_never_used_again(two_games: Generala) -> None:
    two_games.ok("delete", "2", "--yes")
    two_games.ok("delete", "1", "--yes")
    assert two_games.json("new", "Ana", "Beto")["game"] == 3


def test_after_the_highest_number_there_is_a_game_to_be_begun(played: Generala) -> None:
    (played.data / "games" / "999999999").mkdir()
    assert played.json("new", "Ana", "Beto")["game"] == 2
    assert played.json("score", "44442")["game"] == 2
