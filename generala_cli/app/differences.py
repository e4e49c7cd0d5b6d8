"""How two versions of a game differ, in words."""

import json
from collections.abc import Iterator
from itertools import zip_longest
from typing import TypeGuard

from generala_cli.store.codec import encode
from generala_cli.store.record import Record


def differences(before: Record | None, after: Record | None) -> Iterator[str]:
    """One line for every field that was changed and every event that came or went.

    Args:
        before: the backup; None if there is no good one.
        after: the version that may be taken over.
    """
    if after is None:
        return
    new = _events(after)
    if before is None:
        yield f"there is no good backup to compare with; it has {len(new)} events, the last: {_told(new[-1])}"
        return
    for number, (old, event) in enumerate(zip_longest(_events(before), new), start=1):
        if old is None:
            yield f"event {number} is new: {_told(event)}"
        elif event is None:
            yield f"event {number} is gone: {_told(old)}"
        else:
            yield from (f"event {number} ({_told(old)}): {line}" for line in _changes(old, event, ""))


def _events(record: Record) -> list[dict[str, object]]:
    events: list[dict[str, object]] = json.loads(encode(record))["events"]
    return events


def _told(event: dict[str, object]) -> str:
    """`Ana, full-house 30 with 5 5 5 3 3, throw 2`; `event 3 undone`."""
    match event:
        case {
            "event": "scored",
            "player": player,
            "category": category,
            "points": points,
            "dice": list(dice),
        }:
            hand = f"{' '.join(map(str, dice))}, throw {event['roll']}"
            return f"{player}, {category or 'win at once'} {points} with {hand}"
        case {"event": "scratched", "player": player, "category": category}:
            return f"{player}, {category} scratched"
        case {"event": "amended", "turn": turn, "entry": dict(entry)}:
            return f"turn {turn} corrected to {_told(entry)}"
        case {"event": "undone" | "redone" as kind, "number": number}:
            return f"event {number} {kind}"
        case _:
            return "the start of the game"


def _changes(old: object, new: object, place: str) -> Iterator[str]:
    """`points was 30, is 31`, for every place in two documents where they differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys((*old, *new)):
            yield from _changes(old.get(key), new.get(key), f"{place}.{key}" if place else key)
    elif _are_tables(old) and _are_tables(new):
        for number, (one, other) in enumerate(zip_longest(old, new), start=1):
            yield from _changes(one, other, f"{place} {number}")
    elif old != new:
        yield f"{place} was {_shown(old)}, is {_shown(new)}"


def _are_tables(value: object) -> TypeGuard[list[dict[str, object]]]:
    """Whether it is a list of tables, as the categories are; dice are told as the hand they make."""
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def _shown(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
