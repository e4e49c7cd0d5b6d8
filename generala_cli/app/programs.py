"""Command lines that a player wrote: an editor or a pager in the environment, a line of the dialogue."""

import os
import shlex


def words_of(line: str, *, is_posix: bool = os.name == "posix") -> list[str]:
    """Return the words of a command line as a shell of this system splits it.

    On Windows a backslash is part of a path, and only what stands in quotes holds spaces.

    Raises:
        ValueError: where a quote is left open.
    """
    if is_posix:
        return shlex.split(line)
    return [word.strip('"') for word in shlex.split(line, posix=False)]
