"""Output longer than the terminal goes through a pager, except output at a table."""

from collections.abc import Callable

import pytest

from tests.cli.program import Generala
from tests.sizes import thinned

LONG = (
    "log",
    "games",
    "rules",
    "rules show",
    "rules show kniffel --toml",
    "help score",
    "help table",
    "score -h",
    "-h",
)
PAGER = "sed 's/^/> /'"
Paged = Callable[..., tuple[int, list[str]]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Generala:
    """Several games, the last one just started."""
    generala = Generala(home=tmp_path_factory.mktemp("paging"))
    for number in range(3):
        generala.ok("new", "Ana", "Beto", "--rules", "general", "--name", f"evening {number}")
    for dice in ("55533", "44422", "12345", "22234"):
        generala.ok("score", dice, "--as", dice[0])
    return generala


@pytest.fixture
def paged(played: Generala) -> Paged:
    """Return the exit code and the output lines of a command on a terminal with the given number of lines."""

    def run(typed: str, *, lines: int = 4, pager: str = PAGER) -> tuple[int, list[str]]:
        environment = {"PAGER": pager, "NO_COLOR": "1"}
        with played.on_terminal(*typed.split(), lines=lines, environment=environment) as terminal:
            code, shown = terminal.end()
        return code, shown.splitlines()

    return run


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize("typed", thinned(zip(LONG), every=3))
def test_a_list_a_log_rules_and_help_are_paged(played: Generala, paged: Paged, typed: str) -> None:
    code, lines = paged(typed)
    assert code == 0
    assert [line[:2] for line in lines] == ["> "] * len(lines)
    if typed in ("log", "rules"):
        assert [line[2:] for line in lines] == played.ok(typed).splitlines()


def test_the_pager_knows_the_encoding_of_the_answer(paged: Paged) -> None:
    """Without an installed locale, less would show `qui<C3><A9>n`."""
    assert paged("rules", pager="printenv LESS LESSCHARSET") == (0, ["FRX", "utf-8"])


@pytest.mark.slow
@pytest.mark.parametrize(
    "typed", thinned(zip(["", "log --json", "--no-pager log", "sheet", "undo -n", "log --no-pager"]), every=2)
)
def test_an_entry_a_sheet_a_document_and_what_is_not_to_be_are_not_paged(paged: Paged, typed: str) -> None:
    code, lines = paged(typed)
    assert (code, [line for line in lines if line.startswith("> ")]) == (0, [])


@pytest.mark.slow
def test_what_leaves_a_line_for_the_prompt_is_not_paged(played: Generala, paged: Paged) -> None:
    lines = len(played.ok("log").splitlines())
    assert paged("log", lines=lines + 1)[1][0].startswith("Game 3")
    assert paged("log", lines=lines)[1][0].startswith("> Game 3")


def test_off_a_terminal_nothing_is_paged(played: Generala) -> None:
    assert played.process("log", environment={"PAGER": PAGER, "LINES": "2"}).out == played.ok("log")


@pytest.mark.thinned(every=2)
@pytest.mark.parametrize(
    ("pager", "why"), [("no-pager -x", "No such file"), ("less '", "No closing quotation")]
)
def test_a_pager_that_cannot_be_started_is_reported_and_done_without(
    paged: Paged, pager: str, why: str
) -> None:
    code, lines = paged("log", pager=pager)
    warning = " ".join(" ".join(lines[:-6]).split())
    assert warning.startswith(f"generala: cannot start the pager '{pager}' ({why}")
    assert warning.endswith("set PAGER to a different one, or to nothing")
    assert code == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pager", "shown"), thinned([("", 6), (" ", 6), ("true", 0), ("head -n1", 1), ("false", 0)], every=3)
)
def test_a_pager_may_be_none_and_may_stop_early(paged: Paged, pager: str, shown: int) -> None:
    code, lines = paged("log", pager=pager)
    assert (code, len(lines)) == (0, shown)


@pytest.mark.slow
def test_ctrl_c_is_the_pager_s_own(played: Generala) -> None:
    with played.on_terminal("log", lines=4, environment={"PAGER": "cat - /dev/tty"}) as terminal:
        terminal.until("2 2 2 3 4")
        terminal.type("\x03")
        code, shown = terminal.end()
    assert (code, "Traceback" in shown) == (0, False)


@pytest.mark.slow
@pytest.mark.thinned(every=2)
@pytest.mark.parametrize("message", [{}, {"PAGER": "less -X"}])
def test_by_itself_it_is_less_with_colours_and_left_as_ever(
    played: Generala, message: dict[str, str]
) -> None:
    with played.on_terminal("log", lines=4, environment=message) as terminal:
        terminal.until(":\x1b[K")
        terminal.type("q")
        code, shown = terminal.end()
    assert (code, "Traceback" in shown, "\x1b[2mturn" in shown) == (0, False, True)
