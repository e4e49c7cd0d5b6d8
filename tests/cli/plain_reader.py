"""Reads every kind of file using only the guide's chapter on files, so that it can be done in thirty years.

It must not import anything from the program.
"""

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any
from zlib import crc32

Document = Mapping[str, Any]


def documents(data: bytes) -> Iterator[Document]:
    """Return the document in a file of a game or of payments, or all documents in an export."""
    head, _, rest = data.partition(b"\n")
    first = json.loads(head if head.startswith(b'{"generala"') else data)
    digits = first["checksum"].encode()
    assert crc32(data.replace(digits, b"", 1) if "events" in first else rest) == int(digits, 16)
    if "events" in first:
        yield first
        return
    lines = rest.splitlines()
    assert len(lines) == first["lines"]
    for part in map(json.loads, lines):
        if part["kind"] in ("game", "other-version", "payments"):
            yield from documents(part["text"].encode())


def standing(document: Document) -> list[Document]:
    """Return the events that were not undone, in order."""
    events = {each["n"]: each["event"] for each in document["events"]}
    gone: set[int] = set()
    for event in events.values():
        if event["kind"] == "undone" and "payment" in event:
            gone |= {n for n, each in events.items() if each.get("id") == event["payment"]}
        elif event["kind"] == "undone":
            gone.add(event["number"])
        elif event["kind"] == "redone":
            gone.remove(event["number"])
    return [event for n, event in events.items() if n not in gone]


def totals(game: Document) -> dict[str, int]:
    """Return the total of every player, including players who left."""
    rules, players, turns = game["agreed"]["rules"], [*game["agreed"]["players"]], list[dict[str, Any]]()
    for event in standing(game):
        if event["kind"] in ("scored", "scratched"):
            turns.append({**event})
        elif event["kind"] == "joined":
            players += [event["player"]] if event["player"] not in players else []
        elif event["kind"] == "renamed":
            players = [event["name"] if name == event["player"] else name for name in players]
            for turn in turns:
                turn["player"] = event["name"] if turn["player"] == event["player"] else turn["player"]
        elif event["kind"] == "amended":
            place, entry = event["turn"] - 1, {**event["entry"]}
            was, now = turns[place]["player"], entry["player"]
            round_ = [turn for turn in turns if turn["player"] == was].index(turns[place])
            for other in [turn for turn in turns if turn["player"] == now][round_ : round_ + 1]:
                other["player"] = was if was != now else now
            turns[place] = entry
    return {name: total([turn for turn in turns if turn["player"] == name], rules) for name in players}


def total(turns: list[dict[str, Any]], rules: Document) -> int:
    """Return the sum of a player's turns and bonuses."""
    asked = {line["id"]: line["asks"] for line in rules["category"] if line["in_play"]}
    numbers = {name for name, asks in asked.items() if asks[0]["pattern"] == "number"}
    alike = [name for name, asks in asked.items() if [each.get("alike") for each in asks] == [rules["dice"]]]
    in_numbers, found, holds = 0, 0, False
    for turn in turns:
        points = turn.get("points", 0)
        is_alike = len({*(turn["dice"] or (1, 2))}) == 1
        found += points + (rules.get("joker", {"extra": 0})["extra"] if holds and is_alike else 0)
        holds = holds or (turn["category"] in alike and points > 0)
        in_numbers += points if turn["category"] in numbers else 0
    bonus = rules["upper_bonus"]
    return found + (bonus["points"] if bonus and in_numbers >= bonus["from"] else 0)


def received(payments: Document) -> dict[tuple[str, str], Decimal]:
    """Return payments received minus payments made, by name and unit."""
    found: dict[tuple[str, str], Decimal] = {}
    for paid in (event for event in standing(payments) if event["kind"] == "paid"):
        for name, sign in ((paid["payee"], 1), (paid["payer"], -1)):
            key = name, paid["unit"]
            found[key] = found.get(key, Decimal()) + sign * Decimal(paid["amount"])
    return found
