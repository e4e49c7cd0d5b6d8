"""The answers of a data folder's training, kept as the payments are: reading them, and adding one."""

from msgspec import Struct

from generala_cli.errors import Conflict
from generala_cli.messages import lazy
from generala_cli.remedies import InShell
from generala_cli.store import marks
from generala_cli.store.folder import Writer
from generala_cli.store.sealing import Unreadable
from generala_cli.store.store import Store
from generala_cli.store.subjects import OF_TRAINING
from generala_cli.store.trainingfile import Answered, TrainingFile, encode, read
from generala_cli.text import safe


class StoredTraining(Struct, frozen=True, kw_only=True):
    """The answers as read, and the bytes of their file."""

    file: TrainingFile
    seen: bytes | None


def load(store: Store, known: StoredTraining | None = None) -> StoredTraining:
    """Return the answers as they stand; none where there is no file yet.

    Args:
        known: as they were read, or written, before: where the bytes are those, they are not read again.

    Raises:
        Conflict: there is another version of the file.
        FileError: it cannot be used, and is left as it is.
    """
    if others := store.copies(OF_TRAINING):
        raise Conflict(
            "{path} is another version of the training, left by a sync program",
            InShell(lazy("generala doctor --accept training puts them together, and loses none")),
            path=safe(store.folder.path(others[0])),
        )
    if known is not None and known.seen == store.folder.read(OF_TRAINING.place):
        return known
    return read_own(store)


def read_own(store: Store) -> StoredTraining:
    """Return the answers of the file itself, whatever other version of it there is."""
    seen = store.folder.read(OF_TRAINING.place)
    if seen is None:
        return StoredTraining(file=TrainingFile(), seen=None)
    try:
        return StoredTraining(file=read(seen), seen=seen)
    except Unreadable as error:
        from generala_cli.store.checking import refusal  # only where a file is not well

        raise refusal(store.folder, OF_TRAINING, error) from error


def add(store: Store, answer: Answered, known: StoredTraining | None = None) -> StoredTraining:
    """Read the answers and save them with one more, all under the lock; `known` is as of `load`."""

    def attempt(writer: Writer, _is_first: bool) -> StoredTraining:
        before = load(store, known)
        file = before.file.with_answer(answer, store.now())
        data = encode(file)
        read(data)  # what could not be read again is never put in place
        marks.put(writer, OF_TRAINING, data, seen=before.seen)
        return StoredTraining(file=file, seen=data)

    return store.retried(attempt)
