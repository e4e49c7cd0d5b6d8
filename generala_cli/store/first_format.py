"""Files of format 1, as generala 0.1.0 wrote them: read for ever, and written as what we write now.

They did not say who won, and their checksum was taken over the document with its keys sorted.
"""

import json
from collections.abc import Mapping
from zlib import crc32

from generala_cli.facts import replace
from generala_cli.game.replaying import ImpossibleEvent, replay
from generala_cli.game.standings import winners
from generala_cli.store.parsing import Unreadable
from generala_cli.store.record import Record


def as_now(document: Mapping[str, object]) -> Mapping[str, object]:
    """The document with the key that files have now.

    Raises:
        Unreadable: it has that key, which no file of format 1 has.
    """
    if "winners" in document:
        raise Unreadable("winners: is not a key of this format")
    return {**document, "winners": []}


def with_winners(record: Record) -> Record:
    """The record, saying who has won; one that cannot have happened is left for others to refuse."""
    try:
        return replace(record, winners=winners(replay(record.events).game))
    except ImpossibleEvent:
        return record


def checksum(document: Mapping[str, object]) -> str:
    """What format 1 was sealed with."""
    rest = {key: value for key, value in document.items() if key != "checksum"}
    return f"{crc32(json.dumps(rest, separators=(',', ':'), sort_keys=True).encode()):08x}"
