from generala_cli.store import facts
from generala_cli.store.folder import Writer
from generala_cli.store.logfile import Stored
from generala_cli.store.store import Store
from generala_cli.store.subjects import of_kind
from generala_cli.training.package import TRAINING
from generala_cli.training.trainingfile import Answered, TrainingFile

OF_TRAINING = of_kind(TRAINING)
StoredTraining = Stored[TrainingFile]


def load(store: Store, known: StoredTraining | None = None) -> StoredTraining:
    """Return the stored answers, or `known` if the file has not changed."""
    if (
        known is not None
        and not store.copies(OF_TRAINING)
        and known.seen == store.folder.read(OF_TRAINING.place)
    ):
        return known
    return facts.load(store, OF_TRAINING, TrainingFile) or Stored(file=TrainingFile(), seen=None)


def add(store: Store, answer: Answered, known: StoredTraining | None = None) -> StoredTraining:
    def attempt(writer: Writer, _is_first: bool) -> StoredTraining:
        before = load(store, known)
        file = before.file.with_answer(answer, store.now())
        return facts.put(writer, OF_TRAINING, file, seen=before.seen)

    return store.retried(attempt)
