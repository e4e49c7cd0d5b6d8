"""Accept a file as it is: seal an edited one, set its copies aside, forget a missing one."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import zip_longest
from typing import Any, assert_never

import msgspec
from msgspec.structs import replace

from generala_cli.doctor.answers import Acceptance
from generala_cli.doctor.diagnosis import advice, find_subject
from generala_cli.errors import NotAllowed
from generala_cli.game.events import (
    Amended,
    Chosen,
    Ended,
    Event,
    Joined,
    Labelled,
    Left,
    Redone,
    Renamed,
    Reseated,
    Scored,
    Scratched,
    Staked,
    Undone,
)
from generala_cli.messages import Message, lazy, lazy_count
from generala_cli.remedies import in_shell
from generala_cli.render.lines import throw_shown
from generala_cli.rules.dice import print_dice
from generala_cli.store import choosing, examining, kinds
from generala_cli.store.checking import CheckedFile, check_readable
from generala_cli.store.examining import FilesExamined
from generala_cli.store.facts import FactsFile
from generala_cli.store.logfile import LogFile
from generala_cli.store.store import Store
from generala_cli.store.subjects import CURRENT, OF_CURRENT


def acceptance(store: Store, reference: str) -> tuple[Acceptance, CheckedFile | None]:
    """Return the answer of `accept` and an edited file to seal.

    NotAllowed if it would change nothing, FileError if the file cannot be accepted.
    """
    if reference == CURRENT:
        current, copies = store.current(), store.copies(OF_CURRENT)
        if not copies:
            what = lazy("the file current is fine and names game {number}", number=current)
            raise NotAllowed(what, _NOTHING_TO_ACCEPT)
        return Acceptance(game=None, file=OF_CURRENT.place, set_aside=copies), None
    subject = find_subject(store, reference)
    files = examining.examine_files(store, subject)
    state = files.game.state
    is_edited = state == "hand-edited" or files.put_back is not None
    if state == "fine" and not files.copies and not is_edited:
        raise examining.nothing_to_repair_error(subject, _NOTHING_TO_ACCEPT)
    if files.is_lost:
        return _forgetting(files), None
    if state == "missing" and not files.is_missing and not files.copies:
        raise kinds.none_error(subject)
    can_be_merged = subject.is_united and state == "missing" and bool(files.copies)
    if state not in {"fine", "hand-edited"} and not can_be_merged:
        what = _UNACCEPTABLE[state].with_values(file=subject.shown, reason=files.game.why)
        raise files.game.refused_with(what, in_shell(next(advice(files))))
    edited = files.game if is_edited else None
    wanted = Acceptance(
        game=subject.game,
        file=subject.place,
        sealed=is_edited,
        differences=tuple(differences(files.backup.file, edited.file)) if edited and edited.file else (),
        set_aside=tuple(files.copies),
    )
    is_merged = subject.is_united and bool(files.copies)
    return (_with_copies(wanted, files) if is_merged else wanted), edited


def _forgetting(files: FilesExamined) -> Acceptance:
    left = {files.subject.backup: files.backup, **files.copies}
    left = {place: each for place, each in left.items() if each.state != "missing"}
    _check_known(left)
    return Acceptance(
        game=files.subject.game, file=files.subject.place, forgotten=True, set_aside=tuple(left)
    )


def _check_known(files: Mapping[str, CheckedFile]) -> None:
    check_readable(files)
    for name, file in files.items():
        if file.state == "newer":
            what = lazy("{file} is newer ({reason})", file=name, reason=file.why)
            raise file.refused_with(what, lazy("install that version to merge it with the others"))


def _with_copies(wanted: Acceptance, files: FilesExamined) -> Acceptance:
    _check_known(files.copies)
    unusable = (
        lazy("{file} is damaged ({reason}); nothing from it is merged", file=name, reason=copy.why)
        for name, copy in files.copies.items()
        if copy.state != "fine"
    )
    return replace(
        wanted,
        added=len(examining.merged_facts(files).events) - (files.game.count or 0),
        differences=(*wanted.differences, *unusable),
    )


_NOTHING_TO_ACCEPT = lazy("there is nothing to accept")
_UNACCEPTABLE: Mapping[str, Message] = {
    "damaged": lazy("{file} is damaged ({reason})"),
    "newer": lazy("{file} is newer ({reason})"),
    "unreadable": lazy("{file} is unreadable ({reason})"),
    "missing": lazy("{file} is missing"),
}


def accept(store: Store, wanted: Acceptance, edited: CheckedFile | None) -> Acceptance:
    """Accept a file as previewed. FileChanged if it has changed since."""
    subject, copies = wanted.subject, wanted.set_aside
    if wanted.forgotten:
        set_aside = examining.forget(store, subject, copies)
    elif wanted.game is not None and copies:
        if edited is not None:
            examining.seal_and_set_aside(store, subject, edited, ())
        set_aside = choosing.choose_version(store, subject, subject.place).set_aside
    elif subject.is_united and copies:
        set_aside = examining.merge_copies(store, subject, edited, copies)
    else:
        set_aside = examining.seal_and_set_aside(store, subject, edited, copies)
    return replace(wanted, set_aside=set_aside, saved=True)


def differences(before: LogFile | None, after: LogFile) -> Iterator[Message]:
    """Yield the differences from the backup; without a usable backup, name the last event."""
    in_words = after.in_words if isinstance(after, FactsFile) else _in_words
    if before is None:
        if not after.events:
            yield lazy("there is no good backup to compare with; the file has no events")
            return
        yield lazy_count(
            "there is no good backup to compare with; the file has {count} event: {last}",
            "there is no good backup to compare with; the file has {count} events, the last: {last}",
            len(after.events),
            last=in_words(after.events[-1].event),
        )
        return
    yield from _changes(_head(before), _head(after), "")
    old_events: Sequence[Any] = before.events
    new_events: Sequence[Any] = after.events
    for number, (old, new) in enumerate(zip_longest(old_events, new_events), start=1):
        if old is None:
            yield lazy("event {number} is new: {event}", number=number, event=in_words(new.event))
        elif new is None:
            yield lazy("event {number} is gone: {event}", number=number, event=in_words(old.event))
        else:
            what = lazy("event {number} ({event}): {change}", number=number, event=in_words(old.event))
            yield from (what.with_values(change=change) for change in _changes(_plain(old), _plain(new), ""))


def _head(file: LogFile) -> dict[str, Any]:
    head: dict[str, Any] = msgspec.to_builtins(replace(file, events=()))
    return {key: head[key] for key in ("id", "started", "agreed") if key in head}


def _plain(recorded: object) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(recorded)
    return {**plain["event"], **{key: plain[key] for key in ("at", "by") if key in plain}}


def _in_words(event: Event) -> Message:
    match event:
        case Scored(player=player, category=None, points=points):
            return lazy(
                "{player}, instant win {points} with {dice}, throw {throw}",
                player=player,
                points=points,
                dice=print_dice(event.dice),
                throw=throw_shown(event),
            )
        case Scored(player=player, category=category, points=points):
            return lazy(
                "{player}, {category} {points} with {dice}, throw {throw}",
                player=player,
                category=category,
                points=points,
                dice=print_dice(event.dice),
                throw=throw_shown(event),
            )
        case Scratched(player=player, category=category):
            return lazy("{player}, {category} scratched", player=player, category=category)
        case Amended(turn=turn, entry=entry):
            return lazy("turn {turn} corrected to {entry}", turn=turn, entry=_in_words(entry))
        case Renamed(player=player, name=name):
            return lazy("{player} renamed {name}", player=player, name=name)
        case Staked(stake=stake, unit=unit, payout=payout):
            return lazy("played for {stake} {unit}, {payout}", stake=Decimal(stake), unit=unit, payout=payout)
        case Labelled(label=label):
            return lazy("label {label!r}", label=label)
        case Ended():
            return lazy("ended early")
        case Left(player=player):
            return lazy("{player} left", player=player)
        case Joined(player=player):
            return lazy("{player} joined", player=player)
        case Undone(number=number):
            return lazy("event {number} undone", number=number)
        case Redone(number=number):
            return lazy("event {number} redone", number=number)
        case Chosen():
            return lazy("this version was taken")
        case Reseated(players=players):
            return lazy("seats changed: {players}", players=", ".join(players))
        case _:
            assert_never(event)


def _changes(old: object, new: object, place: str) -> Iterator[Message]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys((*old, *new)):
            yield from _changes(old.get(key), new.get(key), f"{place}.{key}" if place else key)
    elif (
        isinstance(old, list | tuple)
        and isinstance(new, list | tuple)
        and all(isinstance(item, dict) for item in (*old, *new))  # dice are compared as a whole hand
    ):
        for number, (old_item, new_item) in enumerate(zip_longest(old, new), start=1):
            yield from _changes(old_item, new_item, f"{place} {number}")
    elif old != new:
        yield lazy("{place} was {old}, is {new}", place=place, old=_as_json(old), new=_as_json(new))


def _as_json(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()
