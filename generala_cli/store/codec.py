"""A record as bytes and back. Strict: what this program would not write, it does not read.

The file is JSON, one fact a line, with a format number, a revision (how many facts there are) and a
CRC-32 over the rest as we lay it out, against accidents; so a file that someone laid out in another way
keeps its seal as long as it says the same. `game.schema.json` describes it to others.
"""

from collections.abc import Mapping
from typing import assert_never

from generala_cli.game.events import Amended, Entry, Event, GameStarted, Redone, Scored, Scratched, Undone
from generala_cli.rules.document import Fields, Problem, shown
from generala_cli.store.decoding import MOST_GAMES, read_facts
from generala_cli.store.layout import FORMAT, lay_out, open_layout, read_layout
from generala_cli.store.parsing import Unreadable as Unreadable
from generala_cli.store.parsing import compact, parse
from generala_cli.store.record import Record, Recorded


class Unsealed(Unreadable):
    """The bytes are a game in every way but their checksum: someone changed them by hand, it may be.

    Attributes:
        record: what they hold, not replayed yet.
    """

    def __init__(self, record: Record) -> None:
        super().__init__("its checksum does not fit its contents")
        self.record = record


class Newer(Exception):
    """The bytes are of a later format than this program knows."""


def encode(record: Record, seen: bytes | None = None) -> bytes:
    """The bytes of a game file.

    Args:
        seen: the file that the record has grown from: its lines are kept as they are, and not made again.
    """
    kept = None if seen is None else open_layout(seen)
    lines = _lines(record, 0 if kept is None else kept.revision)
    body = lines if kept is None else kept.body + b",\n" + lines if lines else kept.body
    return lay_out(record.game, len(record.events), record.winners, body)


def _lines(record: Record, after: int) -> bytes:
    """The facts after that one, one a line."""
    return ",\n".join(compact(_fact_document(fact)) for fact in record.facts_after(after)).encode()


def decode(data: bytes) -> Record:
    """The record in a game file.

    Raises:
        Newer: it was written by a later version.
        Unsealed: nothing is wrong with it but the checksum.
        Unreadable: anything else is.
    """
    return read_layout(data) or _decode_any(data)


def _decode_any(data: bytes) -> Record:
    """The general reader: of a document in any layout, and of what is wrong with one."""
    document = parse(data)
    if isinstance(document, dict):
        _check_format(document.get("format"))
        if document.get("format") is not True and document.get("format") == 1:
            return _decode_first(document)
    record, found = _record(document, FORMAT)
    if open_layout(data) is None and found != checksum(record):
        raise Unsealed(record)
    return record


def _decode_first(document: Mapping[str, object]) -> Record:
    """A file of format 1, in which nothing says who has won."""
    from generala_cli.store import first_format

    read, found = _record(first_format.as_now(document), 1)
    record = first_format.with_winners(read)
    if found != first_format.checksum(document):
        raise Unsealed(record)
    return record


def _record(document: object, number: int) -> tuple[Record, str]:
    """What a document of that format holds, and its checksum.

    Raises:
        Unreadable: the first thing that is wrong with it.
    """
    problems: list[Problem] = []
    fields = Fields(document, "", problems)
    fields.whole("format", number, number)
    game = fields.whole("game", 1, MOST_GAMES)
    winners = fields.texts("winners")
    facts = read_facts(fields)
    if fields.whole("revision", 1, 10_000_000) != len(facts):
        fields.wrong("revision", f"must be {len(facts)}, the number of events")
    found = fields.text("checksum")
    fields.end()
    if problems:
        raise Unreadable(str(problems[0]))
    record = Record(
        game=game,
        events=tuple(fact.event for fact in facts),
        times=tuple(fact.at for fact in facts),
        winners=winners,
    )
    return record, found


def checksum(record: Record) -> str:
    """What `encode` seals the record with."""
    return encode(record).partition(b'"checksum":"')[2][:8].decode()


def _check_format(found: object) -> None:
    if isinstance(found, int) and not isinstance(found, bool) and found > FORMAT:
        raise Newer(f"it is of format {shown(found)}, and this program knows format {FORMAT}")


def _fact_document(fact: Recorded) -> dict[str, object]:
    return {"n": fact.number, "at": fact.at, **_event_document(fact.event)}


def _event_document(event: Event) -> dict[str, object]:
    match event:
        case GameStarted():
            return _started_document(event)
        case Scored() | Scratched():
            return _entry_document(event)
        case Amended(turn=turn, entry=entry):
            return {"event": "amended", "turn": turn, "entry": _entry_document(entry)}
        case Undone(number=number):
            return {"event": "undone", "number": number}
        case Redone(number=number):
            return {"event": "redone", "number": number}
        case _:
            assert_never(event)


def _entry_document(entry: Entry) -> dict[str, object]:
    dice = None if entry.dice is None else list(entry.dice)
    document: dict[str, object] = {
        "player": entry.player,
        "dice": dice,
        "roll": entry.roll,
        "category": entry.category,
    }
    if isinstance(entry, Scratched):
        return {"event": "scratched", **document}
    return {"event": "scored", **document, "points": entry.points, "instant_win": entry.instant_win}


def _started_document(event: GameStarted) -> dict[str, object]:
    from generala_cli.rules.writing import ruleset_document  # only where a game begins or is written anew

    return {
        "event": "game-started",
        "players": list(event.players),
        "sides": [list(side) for side in event.sides],
        "openings": [
            {"player": player, "throws": [list(dice) for dice in throws]} for player, throws in event.openings
        ],
        "stake": event.stake,
        "unit": event.unit,
        "payout": event.payout,
        "label": event.label,
        "rules": ruleset_document(event.rules),
    }
