"""Command lines that a player wrote: an editor or a pager in the environment, a line of the dialogue."""

import os
import shlex


def words_of(line: str, *, is_posix: bool = os.name == "posix") -> list[str]:
    """Return the words of a command line as a shell splits it; on Windows a backslash is part of a path.

    Raises:
        ValueError: where a quote is left open.
    """
    reader = shlex.shlex(line, posix=True)
    reader.whitespace_split = True
    reader.commenters = ""
    if not is_posix:
        reader.escape = ""
    return list(reader)
