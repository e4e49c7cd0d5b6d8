"""Whether a folder is as it was when somebody last listed it, without listing it again.

A list of 20,000 names takes as long as a quarter of a command. But every name that is made, renamed or
removed in a folder moves the folder's own time of change. So whoever holds the lock and knows what is in
the folder notes that time, as the time of the empty lock file: as long as the two are equal, nothing has
come since, and two calls of `stat` say so. Anything else (another program was at work, a writer was killed,
the note could not be made) only means that the folder must be listed.

What a writer does itself moves the time too, so it notes it again at its end, if it knew at its beginning.
What another program puts there within those milliseconds is therefore missed until the folder next changes
by other hands than ours, or until somebody lists it.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path

_COARSE = 1_000_000  # nanoseconds: a disk whose times are no finer could hide a change within one of them


def is_unchanged(folder: Path, note: Path) -> bool:
    """Whether the folder is what it was when the note was made; False is "not known"."""
    changed = _time_of_change(folder)
    if changed is None or changed % _COARSE == 0:
        return False
    try:
        return os.stat(note).st_mtime_ns == changed  # noqa: PTH116 - every command does this
    except OSError:
        return False


def note_unchanged(folder: Path, note: Path) -> None:
    """Make the note. Only the holder of the lock may, and only knowing what is in the folder."""
    # What was to be saved is saved: whatever goes wrong here, the next command just lists the folder.
    with suppress(OSError, MemoryError):
        changed = _time_of_change(folder)
        if changed is not None:
            os.utime(note, ns=(changed, changed))


def _time_of_change(folder: Path) -> int | None:
    """In nanoseconds. Nobody can set it back, as `rsync -t` does the time of modification.

    On Windows that one counts, and this is the time of its making, which is never later.
    """
    try:
        found = os.stat(folder)  # noqa: PTH116 - every command does this
    except OSError:
        return None
    if not stat.S_ISDIR(found.st_mode):
        return None
    return max(found.st_ctime_ns, found.st_mtime_ns)
