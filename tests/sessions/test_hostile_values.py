"""Every argument and option of every command with hostile values.

Every command must meet these conditions: no traceback, no hang, a documented exit code, no control sequences
for the terminal, one valid document with `--json`, and no file outside the data and configuration folders.
"""

import json
from collections.abc import Callable, Sequence
from decimal import Decimal
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any, NoReturn

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cli.every import EDITING, PATHS, named
from tests.cli.every import Path as CommandPath
from tests.cli.program import Generala, files_below
from tests.sessions.hostile import VALUES, acting, command_lines, lay_traps, without_colour
from tests.sessions.reporting import FUZZ, report

CODES = {0, 1, 2, 3}
MODES = (("--json",), (), ("--color", "always"))
STDIN = b"\x00\xff[/]\x1b[31m = \n"
ASKED_FOR = "user/.local/share/bash-completion/completions/generala"  # by `completion bash --install`
MANY = 20  # games; then they are checked and deleted, so that listing them stays quick


@pytest.fixture
def generala(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generala:
    """A game in progress, house rules, and a working folder full of traps."""
    generala = Generala(home=tmp_path / "home")
    work = tmp_path / "work"
    work.mkdir()
    lay_traps(work)
    monkeypatch.chdir(work)
    for typed in (
        ("new", "Ana", "Beto", "--rules", "general", "--stake", "0.01", "--unit", "USD"),
        ("score", "55533"),
        ("score", "66633", "--roll", "1"),
        ("rules", "new", "casa", "--from", "general"),
    ):
        assert generala(*typed).code == 0
    return generala


def harms(generala: Generala, typed: Sequence[str], mode: Sequence[str]) -> list[str]:
    """Return the violations of a command, run in one of the modes."""
    result = generala(*mode, *typed, stdin=STDIN, environment=EDITING)
    out = without_colour(result.out) if "always" in mode else result.out
    is_document = "--json" in mode
    held = {
        "another exit code": result.code in CODES,
        "a traceback": "Traceback" not in result.err,
        # CSV lines end as in RFC 4180, which a terminal shows as normal line ends.
        "output that a terminal would obey": acting(out.replace("\r\n", "\n") + result.err) == set(),
        "not one document": not is_document or _is_one_document(result.out),
    }
    return [f"{harm}: {typed} {result}" for harm, is_harmless in held.items() if not is_harmless]


def _is_one_document(out: str) -> bool:
    try:
        json.loads(out, parse_constant=_no_constant)
    except ValueError:
        return False
    return out.count("\n") == 1 and out[:-1].isprintable()


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def is_in_order(generala: Generala) -> None:
    """Check that games, stakes and dice are valid, and that there are no other files."""
    games = generala.json("games")
    assert games["damaged"] == []
    for game in games["games"]:
        assert Decimal(_strictly(generala, "payouts", game)["stake"]) > 0
        for entry in _strictly(generala, "log", game)["entries"]:
            assert entry["dice"] is None or (
                len(entry["dice"]) in (3, 5) and {*entry["dice"]} <= {*range(1, 7)}
            )
    others = [name for name in files_below(generala.home) if not name.startswith(("data", "config"))]
    assert [name for name in others if not ASKED_FOR.startswith(name)] == []


def _strictly(generala: Generala, command: str, game: dict[str, Any]) -> dict[str, Any]:
    result = generala(command, str(game["game"]), "--json")
    assert result.code == 0
    return dict(json.loads(result.out, parse_constant=_no_constant))


def _leave_only_the_first(generala: Generala) -> None:
    for game in generala.json("games")["games"][1:]:
        generala("delete", str(game["game"]), "--yes")
    generala("use", "1")


SHARES = [
    pytest.param(12, id="a twelfth", marks=pytest.mark.slow),
    pytest.param(1, id="all", marks=pytest.mark.full),
]


@pytest.mark.thinned(slow=2)
@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("path", PATHS, ids=named)
def test_a_hostile_value_does_no_harm_anywhere(generala: Generala, path: CommandPath, share: int) -> None:
    work = work_files()
    lines = [typed for value in VALUES for typed in command_lines(path, value)]
    thinned = Random(0).sample(lines, len(lines) // share)
    for typed, mode in zip(thinned, cycle(MODES), strict=False):
        assert harms(generala, typed, mode) == []
        if len(files_below(generala.home / "data" / "games")) > MANY:
            is_in_order(generala)
            _leave_only_the_first(generala)
    is_in_order(generala)
    report(FUZZ, "hostile values", runs=len(thinned))
    assert work_files() == work


def work_files() -> dict[str, bytes | None]:
    """Return the files in the working folder, except the shared folder that a value of `sync` names."""
    found = files_below(Path.cwd().parent / "work")
    return {name: data for name, data in found.items() if not name.endswith(".generala")}


TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=30)
BYTES = st.binary(max_size=12).map(lambda data: data.replace(b"\0", b"").decode("utf-8", "surrogateescape"))


WORDS = sorted({word for path in PATHS for word in path})
Test = Callable[..., None]


one_home = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
very_often = settings(one_home, max_examples=10_000)


def arbitrary_text(often: settings) -> Test:
    @often
    @given(path=st.sampled_from(PATHS), value=TEXT | BYTES, mode=st.sampled_from(MODES))
    def does_no_harm(generala: Generala, path: CommandPath, value: str, mode: Sequence[str]) -> None:
        lines = list(command_lines(path, value))
        report(FUZZ, "arbitrary text", runs=len(lines))
        assert [harm for typed in lines for harm in harms(generala, typed, mode)] == []

    return does_no_harm


def arbitrary_words(often: settings) -> Test:
    @often
    @given(words=st.lists(st.sampled_from(WORDS) | TEXT, max_size=5))
    def does_no_harm(generala: Generala, words: list[str]) -> None:
        report(FUZZ, "arbitrary words", runs=1)
        assert harms(generala, words, ()) == []

    return does_no_harm


test_arbitrary_text_does_no_harm_anywhere = arbitrary_text(one_home)
test_arbitrary_words_do_no_harm = arbitrary_words(one_home)
test_ten_thousand_texts_do_no_harm_anywhere = pytest.mark.full(arbitrary_text(very_often))
test_ten_thousand_lines_of_words_do_no_harm = pytest.mark.full(arbitrary_words(very_often))


def _size(place: int) -> list[pytest.MarkDecorator]:
    """CI tries every eighth value, the quick run every fortieth."""
    return [] if place % 40 == 0 else [pytest.mark.slow] if place % 8 == 0 else [pytest.mark.full]


every_value = pytest.mark.parametrize(
    "value",
    [
        pytest.param(value, id=f"{place} {value[:20]!a}", marks=_size(place))
        for place, value in enumerate(VALUES)
    ],
)


@pytest.mark.thinned(slow=2)
@pytest.mark.slow
@every_value
def test_a_hostile_value_does_no_harm_on_a_terminal(tmp_path: Path, value: str) -> None:
    generala = Generala(home=tmp_path)
    generala.ok("new", "Ana", "Beto")
    for typed in (
        ["new", value, "Beto", "--name", value],
        ["score", "--as", value, value],
        ["delete", value],
    ):
        with generala.on_terminal(*typed, environment={"PAGER": ""}) as terminal:
            terminal.type("\x04")
            code, shown = terminal.end()
            assert code in CODES | {130}
            assert acting(without_colour(shown).replace("^D\b\b", "")) <= {"\r"}
            assert "Traceback" not in shown
    report(FUZZ, "hostile values on a terminal", runs=3)


@pytest.mark.thinned(every=4)
@every_value
def test_a_hostile_reply_does_no_harm(tmp_path: Path, value: str) -> None:
    generala = Generala(home=tmp_path)
    generala.ok("new", "Ana", "Beto")
    with generala.on_terminal("score", "11123") as terminal:  # three in ones, three in threes
        terminal.until("help: ")
        terminal.type(value.encode("utf-8", "replace").decode()[:1000] + "\nx \nx nothing\nx ones\n")
        code, shown = terminal.end()
    assert code in CODES | {130}
    assert "Traceback" not in shown
    report(FUZZ, "hostile replies", runs=1)
