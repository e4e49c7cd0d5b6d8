"""The state of every file, and what a player can do about the ones that are not well."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, TypeGuard

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from generala_cli.errors import NotAllowed
from generala_cli.store import examining
from generala_cli.store.examining import (
    Checked,
    CurrentFile,
    Examined,
    GameFiles,
    Owner,
    Tell,
    by_hand,
    in_words,
    place_of,
    what_to_do,
)
from generala_cli.store.folder import BACKUP, PAYMENTS
from generala_cli.store.gamefile import GameFile
from generala_cli.store.payments import PaymentsFile
from generala_cli.store.store import CURRENT, Store, file_name, is_number
from generala_cli.text import listed


class Diagnosis(Struct, frozen=True, kw_only=True):
    """What was found, and how many of the games' files, with that of the current game, need someone."""

    examined: Examined
    unwell: int


class Restored(Struct, frozen=True, kw_only=True):
    """A game, or the payments, that is or would be what its backup holds; `kept`: where the other one is."""

    owner: Owner
    file: GameFile | PaymentsFile
    kept: str | None
    saved: bool


class Acceptance(Struct, frozen=True, kw_only=True):
    """What accepting a game's file as it stands means.

    Attributes:
        number: the game, or the payments; None for the file that names the current one.
        hand_edited: the file to seal, if it needs that.
        differences: how it differs from its backup, in words. copies: to be set aside.
        saved: whether it was done; the copies then have the names in `copies`.
    """

    number: Owner | None
    hand_edited: Checked | None
    differences: tuple[str, ...]
    copies: tuple[str, ...]
    saved: bool = False

    @property
    def name(self) -> str:
        """The game, or `current`, as it is typed."""
        return CURRENT if self.number is None else str(self.number)


def diagnose(store: Store, tell: Tell = lambda _done, _total: None) -> Diagnosis:
    """Look at every file; nothing is written, and no lock is taken."""
    found = examining.examine(store, tell)
    games = sum(any(advice(files)) for files in found.games) + len(found.older)
    return Diagnosis(examined=found, unwell=games + bool(current_advice(found.current)))


def advice(files: GameFiles) -> Iterator[str]:
    """What to do about a game's files; nothing where they are well."""
    number, is_restorable = files.number, files.backup.state == "fine"
    place = place_of(number)
    match files.game.state:
        case "fine":
            if files.backup.state not in {"fine", "missing"}:
                entry = "payment" if number == PAYMENTS else "entry"
                yield f"the next {entry} makes a new backup"
        case "newer":
            yield "install that version of generala to use it"
        case "hand-edited":
            yield what_to_do(number, is_edited=True, is_restorable=is_restorable)
        case "missing" if not is_restorable and files.copies:
            yield f"to have one of them as {in_words(number)}, rename it to {place}"
            return
        case "damaged" | "unreadable" | "missing":
            yield what_to_do(number, is_edited=False, is_restorable=is_restorable) or by_hand(number)
    if files.copies:
        if files.game.state in {"fine", "hand-edited"}:
            yield f"generala doctor --accept {number} keeps {place} and sets the copies aside"
        yield f"to keep a copy instead, put it in the place of {place} yourself first"


def current_advice(current: CurrentFile) -> str:
    """What to do about the file that names the current game; "" if it is well."""
    choose = "generala use GAME chooses the current game"
    if current.copies:
        return f"{choose}, and generala doctor --accept {CURRENT} then sets the other file aside"
    return choose if current.why or (current.number is not None and not current.is_there) else ""


def put_back(store: Store, reference: str, *, dry_run: bool = False) -> Restored:
    """Put the backup of a game back, and set what was there aside; NotAllowed if that cannot help."""
    number = _owner(store, reference)
    if dry_run:
        _, file = examining.restorable(store.folder, number)
        return Restored(owner=number, file=file, kept=None, saved=False)
    file, kept = examining.restore(store, number)
    return Restored(owner=number, file=file, kept=kept, saved=True)


def acceptance(store: Store, reference: str) -> Acceptance:
    """What `accept` would do, for someone to agree to; NotAllowed where there is nothing that it could do."""
    if reference == CURRENT:
        current, copies = store.current(), store.copies(None)
        if not copies:
            what = f"the file {CURRENT} is fine and names game {current}"
            raise NotAllowed(what, "there is nothing to accept")
        return Acceptance(number=None, hand_edited=None, differences=(), copies=copies)
    number = _owner(store, reference)
    files = examining.examine_files(store, number)
    state = files.game.state
    if state == "fine" and not files.copies:
        raise NotAllowed(f"{in_words(number)} is fine", "there is nothing to accept")
    if state not in {"fine", "hand-edited"}:
        why = files.game.why or "its file is missing"
        hint = next(advice(files), "generala pay writes a payment down")
        raise NotAllowed(f"{in_words(number)} is {state} ({why})", hint)
    edited = files.game if state == "hand-edited" else None
    lines = tuple(differences(files.backup.file, edited.file)) if edited and edited.file else ()
    return Acceptance(number=number, hand_edited=edited, differences=lines, copies=tuple(files.copies))


def accept(store: Store, wanted: Acceptance) -> Acceptance:
    """Seal the game's file, and set its conflict copies aside; Changed if it is not what was agreed to."""
    names = examining.settle(store, wanted.name, wanted.hand_edited, wanted.copies)
    return replace(wanted, copies=names, saved=True)


def differences(before: GameFile | PaymentsFile | None, after: GameFile | PaymentsFile) -> Iterator[str]:
    """In words, every value that was changed since the backup, if there is a good one, and every event."""
    new_head, new_events = _documents(after)
    if before is None:
        last = f", the last: {_in_words(new_events[-1])}" if new_events else ""
        yield f"there is no good backup to compare with; it has {len(new_events)} events{last}"
        return
    old_head, old_events = _documents(before)
    yield from _changes(old_head, new_head, "")
    for number, (old, new) in enumerate(zip_longest(old_events, new_events), start=1):
        if old is None:
            yield f"event {number} is new: {_in_words(new)}"
        elif new is None:
            yield f"event {number} is gone: {_in_words(old)}"
        else:
            yield from (f"event {number} ({_in_words(old)}): {line}" for line in _changes(old, new, ""))


def _owner(store: Store, reference: str) -> Owner:
    """Whose file is meant; a game of which only a backup is left has a number too, and no label."""
    if reference == PAYMENTS:
        return PAYMENTS
    if is_number(reference):
        backup = examining.check_file(store.folder, file_name(int(reference)) + BACKUP, int(reference))
        if backup.state != "missing":
            return int(reference)
    return replace(store, warn=None).find(reference)


def _documents(file: GameFile | PaymentsFile) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The events, and before them all else but what follows from them."""
    document: dict[str, Any] = msgspec.to_builtins(file)
    events = [{**recorded["event"], "at": recorded["at"]} for recorded in document["events"]]
    return {key: document[key] for key in ("id", "started", "agreed") if key in document}, events


def _in_words(event: dict[str, Any]) -> str:
    """`Ana, full-house 30 with 5 5 5 3 3, throw 2`; `event 3 undone`."""
    match event:
        case {"kind": "scored", "player": player, "category": category, "points": points}:
            hand = f"{' '.join(map(str, event['dice']))}, throw {event['roll']}"
            return f"{player}, {category or 'win at once'} {points} with {hand}"
        case {"kind": "scratched", "player": player, "category": category}:
            return f"{player}, {category} scratched"
        case {"kind": "amended", "turn": turn, "entry": entry}:
            return f"turn {turn} corrected to {_in_words(entry)}"
        case {"kind": "renamed", "player": player, "name": name}:
            return f"{player} renamed {name}"
        case {"kind": "staked", "stake": stake, "unit": unit, "payout": payout}:
            return f"played for {stake} {unit}, {payout}"
        case {"kind": "paid", "payer": payer, "payee": payee, "amount": amount, "unit": unit}:
            return f"{payer} paid {payee} {amount} {unit}"
        case {"kind": "joined", "names": names}:
            return f"{listed(names, 'and')} are one person"
        case {"kind": "parted", "name": name}:
            return f"{name} is a person of their own"
        case {"kind": "left" | "joined" as kind, "player": player}:
            return f"{player} {kind}"
        case _:
            return f"event {event['number']} {event['kind']}"


def _changes(old: object, new: object, place: str) -> Iterator[str]:
    """`points was 30, is 31`, for every place in two documents where they differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys((*old, *new)):
            yield from _changes(old.get(key), new.get(key), f"{place}.{key}" if place else key)
    elif _are_tables(old) and _are_tables(new):
        for number, (one, other) in enumerate(zip_longest(old, new), start=1):
            yield from _changes(one, other, f"{place} {number}")
    elif old != new:
        yield f"{place} was {_as_json(old)}, is {_as_json(new)}"


def _are_tables(value: object) -> TypeGuard[tuple[dict[str, Any], ...]]:
    """Whether it is a list of tables, as the categories are; dice are told as the hand they make."""
    return isinstance(value, (list, tuple)) and all(isinstance(item, dict) for item in value)


def _as_json(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()
