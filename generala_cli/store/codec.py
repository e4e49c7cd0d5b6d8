"""A record as bytes and back. Strict: what this program would not write, it does not read.

The file is JSON, one fact a line, with a format number, a revision (how many facts there are) and a
CRC-32 over the rest in canonical form, against accidents. `game.schema.json` describes it to others.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import assert_never
from zlib import crc32

from generala_cli.game.events import Amended, Entry, Event, GameStarted, Redone, Scored, Scratched, Undone
from generala_cli.rules.document import Fields, Problem, shown
from generala_cli.rules.writing import ruleset_document
from generala_cli.store.decoding import read_facts
from generala_cli.store.record import Record, Recorded

FORMAT = 1


class Unreadable(Exception):
    """The bytes are not a game of this format; the text says why."""


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


def encode(record: Record) -> bytes:
    """The bytes of a game file."""
    facts = [_fact_document(fact) for fact in record.facts]
    rest: dict[str, object] = {
        "format": FORMAT,
        "game": record.game,
        "revision": len(facts),
        "events": facts,
    }
    lines = ",\n".join(_compact(fact) for fact in facts)
    head = f'{{"format":{FORMAT},"game":{record.game},"revision":{len(facts)},"checksum":"{checksum(rest)}"'
    return f'{head},"events":[\n{lines}\n]}}\n'.encode()


def decode(data: bytes) -> Record:
    """The record in a game file.

    Raises:
        Newer: it was written by a later version.
        Unsealed: nothing is wrong with it but the checksum.
        Unreadable: anything else is.
    """
    document = parse(data)
    if isinstance(document, dict):
        _check_format(document.get("format"))
    problems: list[Problem] = []
    fields = Fields(document, "", problems)
    fields.whole("format", FORMAT, FORMAT)
    game = fields.whole("game", 1, 999_999_999)
    facts = read_facts(fields)
    if fields.whole("revision", 1, 10_000_000) != len(facts):
        fields.wrong("revision", f"must be {len(facts)}, the number of events")
    found = fields.text("checksum")
    fields.end()
    if problems:
        raise Unreadable(str(problems[0]))
    assert isinstance(document, dict)
    record = Record(
        game=game,
        events=tuple(fact.event for fact in facts),
        times=tuple(fact.at for fact in facts),
    )
    if found != checksum({key: value for key, value in document.items() if key != "checksum"}):
        raise Unsealed(record)
    return record


def parse(data: bytes) -> object:
    """JSON without repeated keys, in text that can be written again.

    Fractions, NaN and Infinity are read, since a later format may hold them; no key of this one does.

    Raises:
        Unreadable: it is something else.
    """
    try:
        text = data.decode("utf-8")
        document: object = json.loads(text, object_pairs_hook=_unique)
        if "\\u" in text:  # half a surrogate pair can be spelled so, and is no character
            _compact(document).encode()
    except UnicodeEncodeError as error:
        raise Unreadable("it holds half a character") from error
    except UnicodeDecodeError as error:
        raise Unreadable("it is not UTF-8") from error
    except RecursionError as error:
        raise Unreadable("it is nested too deeply") from error
    except json.JSONDecodeError as error:
        what = "it is empty" if not data.strip() else f"it is not JSON (line {error.lineno}: {error.msg})"
        raise Unreadable(what) from error
    except ValueError as error:  # a whole number of thousands of digits
        raise Unreadable("it holds a number that is too long") from error
    return document


def checksum(rest: Mapping[str, object]) -> str:
    """CRC-32 over the document in canonical form: sorted keys, no spaces."""
    return f"{crc32(json.dumps(rest, separators=(',', ':'), sort_keys=True).encode()):08x}"


def _check_format(found: object) -> None:
    if isinstance(found, int) and not isinstance(found, bool) and found > FORMAT:
        raise Newer(f"it is of format {shown(found)}, and this program knows format {FORMAT}")


def _unique(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise Unreadable("it repeats a key")
    return document


_compact: Callable[[object], str] = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


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
