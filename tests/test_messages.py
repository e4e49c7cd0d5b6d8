"""Messages that are translated later, such as texts of errors and files."""

from collections.abc import Mapping
from pathlib import Path

from generala_cli.errors import DamagedFile, FileError
from generala_cli.messages import Language, clauses, lazy, lazy_count, number_range
from generala_cli.store.checking import check, refusal
from generala_cli.store.files import NOT_READ, too_large, trouble
from generala_cli.store.folder import Folder
from generala_cli.store.sealing import Unreadable
from generala_cli.store.subjects import of_game
from tests.cases import cases


class Spanish:
    """As much of a catalogue as these tests say."""

    texts: Mapping[str, str] = {
        "{path} cannot be read ({reason})": "no se puede leer {path} ({reason})",
        "it is larger than {most} bytes": "ocupa más de {most} bytes",
        "check the path and try again": "mirá qué hay ahí y probá de nuevo",
        "{path} is damaged ({reason}); it was not changed": "{path} está dañado ({reason})",
        "it is empty": "está vacío",
    }

    def gettext(self, message: str) -> str:
        return self.texts.get(message, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return self.ngettext(msgid1, msgid2, n)


spanish = Language("es", Spanish)


def test_a_sentence_gets_its_values_where_they_are_known() -> None:
    assert str(lazy("{path} and {reason}", reason="b").with_values(path="a")) == "a and b"
    counted = lazy_count("{count} day", "{count} days", 1)
    assert [str(counted.with_values(count=count)) for count in (1, 2)] == ["1 day", "2 days"]


def test_clauses_make_one_sentence() -> None:
    assert str(clauses(["a {b}", lazy("c"), "d"])) == "a {b}; c; d"
    assert str(clauses(["{a}"])) == "{a}"


def test_a_range_of_two_numbers_names_both() -> None:
    found = [str(number_range(first, last)) for first, last in ((2, 2), (1, 2), (1, 3), (2, 10))]
    assert found == ["2", "1 or 2", "1 to 3", "2 to 10"]


def test_an_error_says_what_to_do_instead() -> None:
    assert str(FileError("{file} is gone", "look for {file}", file="x").sentence) == "x is gone; look for x"
    assert FileError("it is gone").sentence == lazy("it is gone")


def test_what_the_files_say_is_in_the_language_of_the_one_who_reads(tmp_path: Path) -> None:
    found = trouble(NOT_READ, tmp_path, too_large(12))
    assert spanish.text_of(found.message) == f"no se puede leer {tmp_path} (ocupa más de 12 bytes)"
    assert spanish.text_of(found.hint) == "mirá qué hay ahí y probá de nuevo"
    refused = refusal(Folder(tmp_path), of_game(1), Unreadable(lazy("it is empty")))
    assert isinstance(refused, DamagedFile)
    path = tmp_path / "games" / "1" / "game.json"
    assert spanish.text_of(refused.message) == f"{path} está dañado (está vacío)"


@cases("data", [b"{", b'{"format":3}'])
def test_what_another_library_says_stays_as_it_is(data: bytes) -> None:
    assert isinstance(check(data, of_game(1)).why, str)
