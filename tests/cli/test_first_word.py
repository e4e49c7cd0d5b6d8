"""The first word of a line decides whether it is a command or a turn."""

from pathlib import Path

import pytest

from generala_cli.cli.first_word import read_line
from generala_cli.errors import Ambiguous, GeneralaError
from generala_cli.render.hints import SHELL, full_message
from generala_cli.render.language import speaking
from generala_cli.store.store import Store
from tests.app.table import begin
from tests.cli.program import Generala
from tests.store.files import store_in


@pytest.fixture
def store(directory: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """The player's own folder, without games."""
    monkeypatch.setenv("GENERALA_HOME", str(directory))
    return store_in(directory)


LINES = {
    "en": {
        "55533 1 full": "score 55533 1 full",
        "3": "score 3",
        "x ones": "scratch ones",
        "u": "undo",
        "U 2": "undo 2",
        "a 55533": "advise 55533",
        "check 55533": "check 55533",
        "amend 3 44444": "amend 3 44444",
        "CHECK 55533": "check 55533",
        "stake 500": "stake 500",
        "s 12345": "score s 12345",
        "full 55533": "score full 55533",
        "sta 55533": "score sta 55533",
        "stand 55533": "score stand 55533",
        "anotar 55533": "score 55533",
        "tachar 55533 full": "score tachar 55533 full",
        "s": "sheet",
        "P": "payouts",
        "b": "ledger",
        "v": "review",
        "stan": "standings",
        "five five five three three": "score five five five three three",
        "dreimal fünf zweimal drei": "score dreimal fünf zweimal drei",
        "games --since 2026-11-20": "games --since 2026-11-20",
        "ga --since 2026-11-20": "games --since 2026-11-20",
        "planilla": "sheet",
    },
    "es": {"tacho unos": "scratch unos", "corregir 3 44444": "amend 3 44444", "rat 55533": "score rat 55533"},
    "de": {"rat 55533": "advise 55533", "streiche Einser": "scratch Einser", "stand": "standings"},
}


@pytest.mark.complete
@pytest.mark.parametrize("language", LINES)
def test_the_first_word_decides(store: Store, language: str) -> None:
    begin(store)
    with speaking(language):
        assert {line: " ".join(read_line(line.split())) for line in LINES[language]} == LINES[language]


REFUSED = {
    "n": "type generala new",
    "m": "type generala rematch",
    "k": "type generala play --coach",
    "q": "'q' quits generala play",
    "st": "prefix of several commands",
    "del": "there is no command 'del'",
    "scoer 55533": "there is no command 'scoer'",
}


@pytest.mark.complete
def test_a_word_without_a_command_is_refused(store: Store) -> None:
    begin(store)
    for line, message in REFUSED.items():
        with pytest.raises(GeneralaError) as refused:
            read_line(line.split())
        assert message in str(full_message(refused.value, SHELL)), line


@pytest.mark.complete
def test_a_command_that_is_also_a_name_is_refused_before_a_hand(store: Store) -> None:
    begin(store, "general", "Check", "A")
    for line in ("check 55533", "a 55533 1"):
        with pytest.raises(Ambiguous, match="is a command and also names") as refused:
            read_line(line.split())
        first, *rest = line.split()
        hint = str(full_message(refused.value, SHELL))
        assert f"generala {' '.join(rest)} {first} or generala {first} -- {' '.join(rest)}" in hint
    assert read_line(["check", "--", "55533"])[0] == "check"
    assert read_line(["55533", "check"])[0] == "score"
    assert read_line(["check"]) == ("check",)


def test_a_new_game_may_begin_with_an_option(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto")
    generala.ok("new", "--player", "Zoe", "Ana")
    generala.ok("new", "--player", "Pot", "Ana", "--stake", "1", "--unit", "EUR")
    assert "type generala join Eva" in generala("new", "player", "Eva").err
    german = generala("neu", "Spieler", "Eva", environment={"GENERALA_LANGUAGE": "de"})
    assert "tippe generala mitspielen Eva" in german.err
