import os
import shlex


def words_of(line: str, *, is_posix: bool = os.name == "posix") -> list[str]:
    """Return the words of a command line, split as in a shell; ValueError if a quote is not closed."""
    reader = shlex.shlex(line, posix=True)
    reader.whitespace_split = True
    reader.commenters = ""
    if not is_posix:
        reader.escape = ""
    return list(reader)
