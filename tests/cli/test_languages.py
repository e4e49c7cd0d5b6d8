"""The language of the command line: how it is chosen, which texts it covers, and which stay English."""

import os
import subprocess
import sys
from collections.abc import Mapping

import pytest

from generala_cli.cli import prompts
from generala_cli.cli.commands import BELOW, COMMANDS, command_words
from generala_cli.cli.usage import command_named
from generala_cli.messages import ENGLISH, LANGUAGES, lazy
from generala_cli.packages import Command
from generala_cli.render import language
from generala_cli.rules.notation import VERBS, dice_groups
from generala_cli.text import normalize
from tests.cases import cases
from tests.cli.in_process import run_in_process
from tests.cli.program import PROGRAM, Generala, surroundings
from tests.cli.refusing import refused
from tests.languages.pseudo import spoken, untranslated

TABLES: Mapping[str, Mapping[str, Command]] = {"": COMMANDS, **BELOW}
SPANISH = {"GENERALA_LANGUAGE": "es"}


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reset the language, which an earlier command may have set."""
    monkeypatch.setattr(LANGUAGES, "chosen", ENGLISH)


@pytest.fixture
def spanish(played: Generala) -> Generala:
    """A game of Spanish speakers."""
    return Generala(home=played.home, environment=SPANISH)


def is_spanish(generala: Generala, *typed: str, environment: Mapping[str, str]) -> bool:
    """Whether the help of a command is in Spanish."""
    variables = surroundings(generala.home, {**generala.environment, **environment})
    code, out, _ = run_in_process([*typed, "redo", "-h"], variables)
    assert code == 0
    return out.decode().startswith("Uso: ")


LOCALES = [
    ({"LC_ALL": "es_AR.UTF-8"}, True),
    ({"LC_ALL": "", "LC_MESSAGES": "es_ES", "LANG": "de_DE"}, True),
    ({"LC_ALL": "", "LANG": "es"}, True),
    ({"LC_ALL": "C", "LANG": "es"}, False),
    ({"LC_ALL": "POSIX"}, False),
    ({"LC_ALL": "fr_FR.UTF-8"}, False),
    ({"LC_ALL": "C", "LANGUAGE": "es"}, False),
    ({"LC_ALL": "C", "GENERALA_LANGUAGE": "es-MX"}, True),
    ({"LC_ALL": "es_AR.UTF-8", "GENERALA_LANGUAGE": "en"}, False),
]


@cases(("environment", "is_it"), LOCALES)
def test_the_environment_chooses_the_language(
    played: Generala, environment: Mapping[str, str], is_it: bool
) -> None:
    assert is_spanish(played, environment=environment) is is_it


@pytest.mark.parametrize("typed", [("--language", "es"), ("--language=es",)], ids=" ".join)
def test_the_option_beats_the_environment(played: Generala, typed: tuple[str, ...]) -> None:
    assert is_spanish(played, *typed, environment={"GENERALA_LANGUAGE": "en"})


def test_the_file_beats_the_locale_and_the_environment_the_file(played: Generala) -> None:
    file = played.home / "config" / "config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text('language = "es"\n')
    assert is_spanish(played, environment={"LC_ALL": "en_US.UTF-8"})
    assert not is_spanish(played, environment={"GENERALA_LANGUAGE": "en"})
    output = played.ok("help", "environment")
    assert "\nlanguage           es  (config.toml)\n" in output


def test_a_file_that_cannot_be_used_leaves_the_choice_to_the_locale(played: Generala) -> None:
    file = played.home / "config" / "config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("language = [")
    assert is_spanish(played, environment={"LC_ALL": "es_AR.UTF-8"})


@pytest.mark.parametrize(
    ("typed", "environment", "origin"),
    [(("--language", "tlh"), {}, "--language"), ((), {"GENERALA_LANGUAGE": "tlh"}, "GENERALA_LANGUAGE")],
)
def test_an_unknown_language_is_refused_naming_those_there_are(
    played: Generala, typed: tuple[str, ...], environment: Mapping[str, str], origin: str
) -> None:
    result = played(*typed, "sheet", environment=environment)
    assert (result.code, result.out) == (2, "")
    assert (
        result.err == f"generala: language 'tlh' is not available ({origin}); choose from de, en, es or pt\n"
    )


def test_help_lists_the_names_of_the_language_beside_the_english_ones(spanish: Generala) -> None:
    shown = spanish.ok("help", "commands")
    assert "\n  new, nueva  " in shown
    assert "\n  score, anotar  " in shown
    assert "eintragen" not in shown
    assert "anotar" not in spanish.ok("help", "commands", environment={"GENERALA_LANGUAGE": "en"})


@cases(("typed", "whole"), [("plat", "money"), ("plani", "sheet"), ("ento", "environment")])
def test_a_prefix_finds_a_chapter_and_a_command_in_the_language(
    spanish: Generala, typed: str, whole: str
) -> None:
    assert spanish.ok("ayuda", typed) == spanish.ok("help", whole)
    assert spanish("--language", "en", "help", typed).code == 2


@cases(
    ("typed", "message"),
    [
        (("rename", "Ana"), "NEW is missing; type generala rename OLD NEW"),
        (("score", "55533", "--rol"), "there is no option --rol; did you mean --roll?"),
        (("advise", "55533", "--top", "x"), "--top must be a whole number, not 'x'; type --top N"),
        (("amend", "x"), "TURN must be a whole number, not 'x'; type generala amend TURN DICE"),
        (("redo", "--json=1"), "option '--json' does not take a value; type only --json"),
        (("ledger", "--why", "Ana"), "option '--why' requires 2 arguments; type --why NAME NAME"),
        (("score", "55533", "--as"), "option '--as' requires an argument; type --as CATEGORY"),
        (("use", "1", "x"), "generala use does not take x; type generala use GAME"),
        (("shet",), "there is no command 'shet'; did you mean sheet?"),
    ],
)
def test_a_usage_error_is_a_sentence_in_every_language(
    played: Generala, typed: tuple[str, ...], message: str
) -> None:
    assert refused(played, typed, 2).err == f"generala: {message}\n"


@cases(
    "typed",
    [
        ("redo", "-h"),
        ("help", "exit-codes"),
        ("rename", "Ana"),
        ("score", "55533", "--rol"),
        ("amend", "x"),
        ("undo", "-n"),
        ("rules", "show", "generala"),
    ],
)
def test_a_document_is_english_whatever_is_spoken(spanish: Generala, typed: tuple[str, ...]) -> None:
    english = spanish(*typed, "--json", environment={"GENERALA_LANGUAGE": "en"})
    assert spanish(*typed, "--json") == english


@pytest.mark.parametrize("typed", [("--version",), ("schema",), ("schema", "score"), ("completion", "bash")])
def test_what_programs_read_is_english(spanish: Generala, typed: tuple[str, ...]) -> None:
    assert spanish.ok(*typed) == spanish.ok(*typed, environment={"GENERALA_LANGUAGE": "en"})


def test_a_note_is_in_the_language(played: Generala) -> None:
    with spoken() as environment:
        assert untranslated(played("undo", "-n", environment=environment).err, ("generala",)) == []


@pytest.mark.parametrize(
    ("keys", "agreed"), [("s", True), ("Sí", True), ("y", True), ("YES", True), ("ja", True), ("n", False)]
)
def test_a_question_is_answered_in_the_language_or_in_english(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    keys: str,
    agreed: bool,
) -> None:
    language.speak("es")
    monkeypatch.setattr(sys.stdin, "readline", lambda: f"{keys}\n")
    assert prompts.ask_yes(lazy("Delete game {game} forever?", game=3)) is agreed
    assert capsys.readouterr().err.endswith(" [s/N] ")


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize(
    ("encoding", "word", "name"),
    [
        ("ascii", "esta danado", "Jos? 0"),
        ("latin-1", "está dañado", "José 0"),
        ("utf-8", "está dañado", "José 0"),
    ],
)
def test_where_letters_are_missing_sentences_do_without_accents_and_names_stay(
    generala: Generala, encoding: str, word: str, name: str
) -> None:
    generala.ok("new", "José", "Ana")
    environment = surroundings(generala.home, {**SPANISH, "PYTHONIOENCODING": encoding})

    def shown(*typed: str) -> str:
        done = subprocess.run([*PROGRAM, *typed], env=environment, capture_output=True, check=True)
        return done.stdout.decode(encoding).replace(os.linesep, "\n")

    assert word in shown("ayuda", "exit-codes")
    assert name in shown("partidas")


@cases(
    ("text", "spelled"),
    [
        ("categoría", "categoria"),
        ("¿Ñandú?", "Nandu?"),
        ("Große Straße", "Grosse Strasse"),
        ("„so“ …", '"so" ...'),
    ],
)
def test_how_letters_that_are_lacking_are_spelled(text: str, spelled: str) -> None:
    assert language.spelled(text, encoding="ascii") == spelled


@pytest.mark.complete
@pytest.mark.thinned(every=4)
@pytest.mark.parametrize(
    ("typed", "name"),
    [
        (("planilla",), "sheet"),
        (("STANDINGS",), "standings"),
        (("Estadisticas",), "stats"),
        (("estadísticas",), "stats"),
        (("REGLAS", "lista"), "rules list"),
        (("regeln", "liste"), "rules list"),
        (("spieler",), "players"),
        (("ayuda", "anotar"), "help score"),
        (("hilfe", "regeln", "prufen"), "help rules check"),
        (("ayuda", "comandos"), "help commands"),
        (("hilfe", "umgebung"), "help environment"),
        (("hilfe", "regeln", "pruefen"), "help rules check"),
        (("planil",), None),
    ],
    ids=str,
)
def test_names_of_every_language_are_taken_whole_in_every_language(
    played: Generala, typed: tuple[str, ...], name: str | None
) -> None:
    if name is None:
        assert "there is no command" in played(*typed).err
    else:
        assert played.ok(*typed) == played.ok(*name.split())


def test_a_payout_method_is_typed_and_shown_in_the_language(spanish: Generala) -> None:
    assert "1 USD, pozo\n" in spanish.ok("stake", "1", "--payout", "Pott")  # German is understood too
    assert "de a pares, 1 USD por punto" in spanish.ok("payouts", "--method", "por pares")
    assert spanish.json("payouts")["method"] == "pot"


@pytest.mark.parametrize("unit", ["punto", "Punkte", "points"])
def test_points_are_the_unit_that_nobody_owes_by_any_word(spanish: Generala, unit: str) -> None:
    spanish.ok("stake", "2", "--unit", unit)
    assert spanish.json("payouts")["unit"] == "point"


@pytest.mark.slow
def test_the_region_decides_the_decimal_mark(played: Generala) -> None:
    for locale, amount in (("es_MX", "0.05"), ("es_PR", "0.05"), ("es_AR", "0,05"), ("es_ES", "0,05")):
        spanish = {"LC_ALL": f"{locale}.UTF-8"}
        assert amount in played.ok("payouts", environment=spanish)
        assert amount in played.ok("payouts", "--language", "es", environment=spanish)
        assert amount in played.ok("payouts", "--language", locale)
        assert f"1{amount[1]}5" in played("stake", "1.500", environment=spanish).err


def test_a_turn_is_written_and_taken_back_in_spanish_and_german(played: Generala) -> None:
    played.ok("anotar", "44442")
    assert played.json("log")["entries"][-1]["points"] > 0
    turns = len(played.json("log")["entries"])
    played.ok("zurück")
    assert len(played.json("log")["entries"]) == turns - 1
    assert played("borrar", "1").code == 2


@cases("group", TABLES)
def test_no_name_means_two_commands(group: str) -> None:
    table = TABLES[group]
    for name, words in command_words(table).items():
        for word in (word for each in LANGUAGES.understood() for word in each.words(words)):
            begun = {each for each in table if each.startswith(normalize(word))}
            assert command_named(word, table) == name
            assert begun <= {name} or word == name
            assert not dice_groups(word)
            assert normalize(word) not in VERBS
            assert " " not in word


@pytest.mark.complete
@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("planila", "planilla"),
        ("spieleer", "spieler"),
        ("shet", "sheet"),
        ("rückblik", "rückblick"),
    ],
)
def test_a_mistyped_command_is_found_in_every_language(generala: Generala, typed: str, hint: str) -> None:
    assert f"did you mean {hint}?" in generala(typed).err


@pytest.mark.parametrize(
    ("typed", "option"), [("--apuesta", "--stake"), ("--einsatz", "--stake"), ("--Währung", "--unit")]
)
def test_an_option_is_found_in_every_language(generala: Generala, typed: str, option: str) -> None:
    refused = generala("new", "Ana", "Beto", typed, "1")
    assert f"there is no option {typed}; did you mean {option}?" in refused.err


def test_completion_offers_the_english_names(played: Generala) -> None:
    assert played.ok("__complete", "").split() == [*COMMANDS]
    assert played.ok("__complete", "anot") == ""
    assert "--roll" in played.ok("__complete", "anotar", "--")


@pytest.mark.complete
def test_a_name_that_is_the_english_one_is_shown_once(generala: Generala) -> None:
    assert "\n  schema  " in generala.ok("help", "commands", "--language", "de")
    assert "\n  records, récords  " in generala.ok("help", "commands", "--language", "es")
