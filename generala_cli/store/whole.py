"""A whole game from the bytes of its file, checked against its own rules from the first fact to the last."""

from generala_cli.errors import NotAllowed
from generala_cli.game.history import History
from generala_cli.game.replaying import ImpossibleEvent, replay
from generala_cli.game.standings import winners
from generala_cli.store.codec import Unreadable, decode, encode
from generala_cli.store.record import Record


def read_whole(data: bytes, number: int) -> tuple[Record, History]:
    """The record in the file of that game, and the history that it tells.

    Raises:
        Newer, Unreadable: as `codec.decode`, or it is another game's, or its winners are others.
        ImpossibleEvent: an event cannot have happened.
    """
    record = decode(data)
    history = replay_of(record, number)
    if record.winners != winners(history.game):
        raise Unreadable("its winners do not follow from its events")
    return record, history


def replay_of(record: Record, number: int) -> History:
    """The history that a record of that game tells, whoever it says has won.

    Raises:
        Unreadable: it is another game's. ImpossibleEvent: an event cannot have happened.
    """
    if record.game != number:
        raise Unreadable(f"it holds game {record.game}")
    return replay(record.events)


def check_readable(record: Record) -> History:
    """Refuse to begin what no later command could read, as rules with a price beyond every bound.

    Raises:
        NotAllowed: it could not be read again.
    """
    try:
        return read_whole(encode(record), record.game)[1]
    except (Unreadable, ImpossibleEvent) as error:
        raise NotAllowed(f"this game could not be read again ({error})", "change its rules") from error
