import os
import shlex
from collections.abc import Sequence

PROGRAM = "generala"


def without_program(words: Sequence[str]) -> list[str]:
    """Return a typed line without our own name: `generala undo` means `undo` everywhere."""
    return [*words[1:]] if words[1:] and words[0] in (PROGRAM, "--") else [*words]


def words_of(line: str, *, is_posix: bool = os.name == "posix") -> list[str]:
    """Return the words of a command line, split as in a shell; ValueError if a quote is not closed."""
    reader = shlex.shlex(line, posix=True)
    reader.whitespace_split = True
    reader.commenters = ""
    if not is_posix:
        reader.escape = ""
    return list(reader)
