"""A line of the screen means what it means in the shell."""

import pytest

from generala_cli.cli.first_word import read_line
from generala_cli.errors import GeneralaError, NotAllowed
from generala_cli.play.typed_line import KeyLetter, MoveLine, ShellLine, TurnText, typed_line
from generala_cli.render.language import speaking
from generala_cli.store.store import Store
from tests.app.table import begin
from tests.cases import cases


def meaning(line: str) -> str:
    """Return the meaning of a line at game 1: `turn: …`, `key …` or `command …`."""
    match typed_line(line, 1):
        case TurnText(text):
            return f"turn: {text}"
        case KeyLetter(key):
            return f"key {key.key}"
        case MoveLine(is_undo, count):
            return f"{'undo' if is_undo else 'redo'} {count}"
        case ShellLine(words):
            return f"command {' '.join(words)}"


@pytest.mark.complete
@cases(
    ("line", "expected"),
    [
        ("", "turn: "),
        ("''", "turn: ''"),
        ("55533 1 full", "turn: 55533 1 full"),
        ("full 55566", "turn: full 55566"),
        ("ana 55533", "turn: ana 55533"),
        ("x ones", "turn: x ones"),
        ("a 55533", "turn: a 55533"),
        ("advise 55533", "turn: a 55533"),
        ("score 55533", "turn: 55533"),
        ("generala scratch ones", "turn: x ones"),
        ("anotar 55533", "turn: 55533"),
        ("score 55533 --as full", "command score 55533 --as full"),
        ("u", "undo 1"),
        ("undo 2", "undo 2"),
        ("r", "redo 1"),
        ("undo --json", "command undo --json"),
        ("P", "key p"),
        ("payouts", "key p"),
        ("chau", "key q"),
        ("rematch", "command rematch"),
        ("end", "command end"),
        ("join O'Brien", "command join O'Brien"),
        ("check 55533", "command check 55533"),
        ("tournament sea", "command tournament seat"),
        ("torneo posiciones", "command tournament standings"),
        ("-V", "command -V"),
        ("--color never -q sheet", "command sheet --color never -q"),
        ("-n 55533", "command -n 55533"),
    ],
)
def test_a_line_is_read_as_in_the_shell(store: Store, line: str, expected: str) -> None:
    begin(store)
    assert meaning(line) == expected


@pytest.mark.complete
@pytest.mark.parametrize("line", ["board --lan", "play", "rules edit casa", "reglas editar casa"])
def test_a_command_that_needs_a_terminal_is_refused(store: Store, line: str) -> None:
    begin(store)
    with pytest.raises(NotAllowed, match="runs until you stop it"):
        typed_line(line, 1)


@pytest.mark.parametrize("line", ["fulll", "zz 1", "uuuuuu"])
def test_an_unknown_word_does_nothing(store: Store, line: str) -> None:
    begin(store)
    with pytest.raises(GeneralaError):
        typed_line(line, 1)


def test_only_delete_asks_for_more_than_enter() -> None:
    asking = ("delete 1", "tournament delete 1", "delete 1 --yes", "stake 5", "end")
    assert [ShellLine(tuple(line.split())).asks_first for line in asking] == [True, True, False, False, False]


PLAUSIBLE = {
    "en": (
        "full 55566",
        "unos 11123",
        "poker 44441",
        "uuuuuu",
        "und 55533",
        "Ana: 55533",
        "three fives two twos",
        "undo55533",
        "delte 1",
        "redo?",
    ),
    "es": (
        "cinco cinco cinco tres tres",
        "póker de cuatros 44441",
        "deshace 55533",
        "anoto 55533",
        "retiro 12345",
        "la del medio",
        "sí",
        "u 55533 full",
    ),
    "de": (
        "dreimal fünf zweimal drei",
        "zurückk",
        "neue Runde 55533",
        "geh 55533",
        "na ja",
        "Viererpasch 44441",
    ),
}
UNASKED = ("leave", "delete", "new", "rematch", "end", "use", "join", "redo")


@pytest.mark.parametrize("language", PLAUSIBLE)
def test_no_plausible_line_changes_more_than_a_turn(store: Store, language: str) -> None:
    begin(store)
    with speaking(language):
        for line in PLAUSIBLE[language]:
            try:
                shell = read_line(line.split())[0]
            except GeneralaError:
                shell = "refused"
            try:
                screen = meaning(line)
            except GeneralaError:
                screen = "refused"
            assert shell not in UNASKED, line
            turns = ("score", "scratch")
            assert screen.startswith("turn: ") if shell in turns else shell in screen, (line, shell, screen)
