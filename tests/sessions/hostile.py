"""Values that are never typed at a table. The program must refuse them or take them as plain text."""

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from generala_cli.cli.app import build
from generala_cli.cli.commands import BELOW, COMMANDS
from tests.cli.every import Path as CommandPath
from tests.cli.every import working
from tests.posix import make_pipe

_FORMAT_LETTERS = "\u200c\u200d"  # some scripts and emoji need these
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")

EMPTY = ("", " ", "\t", "\u00a0", "\u3000", "\u200b", "\u200d", "\ufeff", "\u0301", "\u2800")
CONTROLS = (
    *("Ana\nBeto", "\r", "\x07", "\x08\x08", "\x7f", "\x85", "\u2028", "\x1b[31mred\x1b[0m", "\x9b31m"),
    *("\x1b]0;title\x07", "\x1b[2J", "\x1bc", "\u202eevil", "\u2066x\u2069", "\u200fx", "\u061c"),
    *("\ue000", "\U000e0041", "\ufffe", "\udcff", "a\udc80b"),
)
MARKUP = ("[/]", "[red]x[/red]", "[bold", ":smile:", "{}", "{0.x}", "%s%n", "$(touch x)", "`touch x`", ";|&*")
PATHS = (
    *(
        "../../evil",
        "/etc/passwd",
        "..",
        ".",
        "/",
        "a/../../b.toml",
        "a\\..\\b",
        "C:\\x.toml",
        "~",
        "~/x.toml",
    ),
    *("/dev/zero", "/dev/full", "/dev/tty", "/proc/self/mem", "con.toml", "x" * 300 + ".toml"),
    *("pipe.toml", "folder.toml", "dangling.toml", "loop.toml", "big.toml", "latin.toml", "deep.toml"),
)
OPTIONS = ("-", "--", "-5", "-1.5", "--json", "-h", "--no-such-option", "--yes", "-nq", "--roll=", "=")
NUMBERS = (
    *("NaN", "-nan", "inf", "-Infinity", "1e999", "1e5", "0", "-0", "00", "0.0", "1.", ".5", "1,5", "1_000"),
    *("٣", "３", "²", "½", "0x5", "9" * 5000, "-" + "9" * 5000, "99999999999", "1" + "0" * 400, "+1"),
)
HANDS = ("777777", "0 0 0 0 0", "55533", "5555", "5 5 5 3 3 3", "5-5-5-3-3", "٥٥٥٣٣", "5" * 10_000, "servida")
PAIRS = (
    *(
        "throws=NaN",
        "throws=-1",
        "throws=" + "9" * 5000,
        "throws=0",
        "bonus=1e9",
        "=1",
        "a=b",
        "a==",
        "bonus=",
    ),
    *("Ana=55533", "Ana=", "Ana=55533,12345", "=55533", "A+B", "+", "Ana+Ana", "Ana+", "Ana+Beto"),
)
LETTERS = ("日本語", "e\u0301", "ß", "İ", "ﬁ", "👨‍👩‍👧", "🇦🇷", "नि", "ا", "Z\u0300" * 200, "A" * 100_000)
VALUES = (*EMPTY, *CONTROLS, *MARKUP, *PATHS, *OPTIONS, *NUMBERS, *HANDS, *PAIRS, *LETTERS)


def lay_traps(folder: Path) -> None:
    """Create the files that some of the values name."""
    make_pipe(folder / "pipe.toml")
    (folder / "folder.toml").mkdir()
    (folder / "dangling.toml").symlink_to("nowhere")
    (folder / "loop.toml").symlink_to("loop.toml")
    (folder / "latin.toml").write_bytes(b'name = "ni\xf1o"\n')
    (folder / "deep.toml").write_text("x = " + "[" * 100_000)
    with (folder / "big.toml").open("wb") as file:
        file.truncate(20 * 1024 * 1024)  # uses no space on the disk


def command_lines(path: CommandPath, value: str) -> Iterator[list[str]]:
    """Yield the command with the value for each of its arguments and options."""
    right = list(working(path))
    names = BELOW[path[0]] if len(path) == 2 else COMMANDS
    for parameter in build(path[-1], names[path[-1]]).params:
        if parameter.param_type_name == "argument":
            yield [*path, value]
            yield [*path, "--", value]
            yield [*right, "--", value]
        elif not parameter.is_flag:
            # You may write a file anywhere; only the attempt is tested here.
            dry = ["-n"] if "--output" in parameter.opts else []
            yield [*right, *dry, f"{parameter.opts[0]}={value}"]


def acting(text: str) -> set[str]:
    """Return the characters in an output that control a terminal or reverse the line."""
    kinds = {letter: unicodedata.category(letter) for letter in set(text) - {"\n", *_FORMAT_LETTERS}}
    return {letter for letter, kind in kinds.items() if kind in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}}


def without_colour(text: str) -> str:
    """Return the text without our own colors."""
    return _COLOUR.sub("", text)
