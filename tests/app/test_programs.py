import pytest

from generala_cli.app.programs import words_of
from tests.cases import cases


@cases(
    ("line", "words"),
    [
        (r"C:\Windows\notepad.exe", [r"C:\Windows\notepad.exe"]),
        (r'"C:\Program Files\less.exe" -R', [r"C:\Program Files\less.exe", "-R"]),
        (
            r"""'C:\Program Files\less.exe' "C:\O'Brien\#1" """,
            [r"C:\Program Files\less.exe", r"C:\O'Brien\#1"],
        ),
        ("code --wait", ["code", "--wait"]),
        ("", []),
    ],
)
def test_backslashes_are_parts_of_paths_on_windows(line: str, words: list[str]) -> None:
    assert words_of(line, is_posix=False) == words


def test_elsewhere_they_quote() -> None:
    assert words_of(r"my\ editor 'two words'", is_posix=True) == ["my editor", "two words"]


@cases("is_posix", [True, False])
def test_an_open_quote_is_no_command(is_posix: bool) -> None:
    with pytest.raises(ValueError, match="closing"):
        words_of('"C:/less', is_posix=is_posix)
