"""Games of formats 1 and 2, which were one file each, moved over: the only code that knows those formats."""

import json
import os
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any
from zlib import crc32

import msgspec
from msgspec.structs import replace

from generala_cli.game.history import replay
from generala_cli.messages import Message, clauses, tell
from generala_cli.rules.rulefile import problem_lines, read_rules
from generala_cli.store.folder import BACKUP, Writer
from generala_cli.store.gamefile import GameFile, Result, encode, read, result_of
from generala_cli.store.sealing import Unreadable, reason
from generala_cli.store.store import Store, file_name, folder_name, older_name


class Upgraded(msgspec.Struct, frozen=True, kw_only=True):
    """What became, or would become, of one game: where its old file is now, or why that was left."""

    number: int
    kept: str | None = None
    problem: str | Message = ""


def upgrade(store: Store, progress: Callable[[int, int], None], *, dry_run: bool) -> tuple[Upgraded, ...]:
    """Move every game of an earlier format over, lowest first; what cannot be is named and left.

    At any moment the old file or the new one is there, whole; after a crash the next run goes on.
    """
    done: list[Upgraded] = []
    with nullcontext() if dry_run or not store.older() else store.folder.writing(store.on_wait) as writer:
        for number, name in (older := store.older()):
            progress(len(done), len(older))
            try:
                file = upgraded(store.folder.read(name) or b"", number)
                done.append(Upgraded(number=number, kept=_move(writer, file) if writer else None))
            except Exception as error:  # the file is anybody's: whatever is wrong with it, the others go on
                done.append(Upgraded(number=number, problem=_problem(error)))
    return tuple(done)


def _problem(error: Exception) -> str | Message:
    return tell("it has no {key}", key=str(error)) if isinstance(error, KeyError) else reason(error)


def upgraded(data: bytes, number: int) -> GameFile:
    """The record in an old file, with a new id. Raises whatever is wrong with it."""
    document: dict[str, Any] = json.loads(data)
    if document["format"] not in (1, 2) or document["checksum"] != _checksum(document):
        raise Unreadable(tell("it is of no earlier format, or its checksum does not fit"))
    started, *events = map(_recorded, document["events"])
    agreed = started["event"]
    rules, problems = read_rules(agreed.pop("rules"))
    if problems:
        why = clauses(problem_lines(problems))
        raise Unreadable(tell("it does not begin as games do: {problems}", problems=why))
    if agreed.pop("kind") != "game-started":
        raise Unreadable(tell("it does not begin as games do"))
    agreed |= {"rules": rules, "openings": [(each["player"], each["throws"]) for each in agreed["openings"]]}
    new = {"id": os.urandom(16).hex(), "game": document["game"], "started": started["at"]}
    nothing = Result(totals={}, winners=(), next=None)
    file = msgspec.convert({**new, "result": nothing, "agreed": agreed, "events": events}, GameFile)
    result = result_of(replay(file.agreed, [each.event for each in file.events]).game)
    if document.get("winners", list(result.winners)) != list(result.winners):
        raise Unreadable(tell("its winners do not follow from its events"))
    return read(encode(replace(file, result=result)), number)[0]


def _checksum(document: dict[str, Any]) -> str:
    """What the file was sealed with: in format 1 with its keys sorted, in format 2 with a line an event."""
    rest = {key: value for key, value in document.items() if key != "checksum"}
    lines = ({**rest, "events": []}, *rest["events"])
    head, *events = (json.dumps(line, separators=(",", ":"), ensure_ascii=False) for line in lines)
    text = head[:-2] + "\n" + ",\n".join(events) + "\n]}\n"
    if rest["format"] == 1:
        text = json.dumps(rest, separators=(",", ":"), sort_keys=True)
    return f"{crc32(text.encode()):08x}"


def _recorded(old: dict[str, Any]) -> dict[str, Any]:
    """An event as it is written now; its start was the first, so all numbers are one lower."""
    event = {key: value for key, value in old.items() if key not in ("n", "at", "event")}
    if "number" in event:
        event["number"] -= 1
    if "entry" in event:
        event["entry"] = _recorded({"n": 1, "at": "", **event["entry"]})["event"]
    return {"n": old["n"] - 1, "at": old["at"], "event": {"kind": old["event"], **event}}


def _move(writer: Writer, file: GameFile) -> str:
    """Write the new file, if it is not there yet, and then move the old ones aside, the game's own last."""
    number, name, older = file.game, file_name(file.game), older_name(file.game)
    writer.make_folder(folder_name(number))
    if (data := writer.folder.read(name)) is None:
        writer.replace(name, encode(file), seen=None)
    else:  # ours, if we were killed before, and perhaps played on
        there = read(data, number)[0]
        if there.agreed != file.agreed or there.events[: len(file.events)] != file.events:
            raise Unreadable(tell("{name} is another game of that number", name=name))
    if writer.folder.is_there(older + BACKUP):
        writer.set_aside(older + BACKUP, number)
    return writer.set_aside(older, number)
