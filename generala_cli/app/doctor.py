"""The state of every file, and what a player can do about the ones that are not well."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import zip_longest
from typing import Any, assert_never

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from generala_cli.errors import NotAllowed
from generala_cli.game.events import (
    Amended,
    Chosen,
    Event,
    Joined,
    Left,
    Redone,
    Renamed,
    Scored,
    Scratched,
    Staked,
    Undone,
)
from generala_cli.game.payments import NameParted, NamesJoined, Paid, PaymentEvent, PaymentUndone
from generala_cli.messages import Message, listing, tell, tell_count
from generala_cli.progress import Progress, no_progress
from generala_cli.rules.dice import print_dice
from generala_cli.store import choosing, examining
from generala_cli.store.checking import CheckedFile, check_readable, what_to_do
from generala_cli.store.examining import CurrentFile, FilesExamined, FolderExamined, by_hand
from generala_cli.store.gamefile import GameFile, Recorded
from generala_cli.store.paymentsfile import PaymentsFile, RecordedPayment
from generala_cli.store.store import Store
from generala_cli.store.subjects import (
    CURRENT,
    OF_CURRENT,
    OF_PAYMENTS,
    PAYMENTS,
    FileSubject,
    is_number,
    of_game,
)


class Diagnosis(Struct, frozen=True, kw_only=True):
    """The state of every file.

    Attributes:
        unwell: how many games, with the payments and the file that names the current game, need someone.
    """

    examined: FolderExamined
    unwell: int


class RestoredFile(Struct, frozen=True, kw_only=True):
    """A game, or the payments, put back to its backup, or that would be.

    Attributes:
        kept: where the file that it replaces was put, if there was one.
    """

    subject: FileSubject
    file: GameFile | PaymentsFile
    kept: str | None
    saved: bool


class Acceptance(Struct, frozen=True, kw_only=True):
    """The changes that come with accepting a game's file, or the payments', as it stands.

    Attributes:
        subject: a game, the payments, or the file that names the current game.
        hand_edited: the file to seal, if it needs that.
        differences: how it differs from its backup, in words.
        copies: the conflict copies to set aside; where they are now, once that is done.
        added: how many payments and names of the copies are put together with those of the file.
        unusable: why copies of the payments are set aside, and nothing of them is taken over.
        saved: whether it was done.
    """

    subject: FileSubject
    hand_edited: CheckedFile | None
    differences: tuple[Message, ...]
    copies: tuple[str, ...]
    added: int = 0
    unusable: tuple[Message, ...] = ()
    saved: bool = False

    @property
    def loses_nothing(self) -> bool:
        """Whether it is nothing that somebody would have to decide: payments are put together."""
        return self.subject == OF_PAYMENTS and self.hand_edited is None and not self.unusable


def diagnose(store: Store, progress: Progress = no_progress) -> Diagnosis:
    """Return the state of every file; nothing is written, and no lock is taken."""
    found = examining.examine(store, progress)
    games = sum(any(advice(files)) for files in found.games)
    return Diagnosis(examined=found, unwell=games + bool(current_advice(found.current)))


def diagnose_one(store: Store, reference: str) -> Diagnosis:
    """Return the state of the files of one game, or of the payments; otherwise as `diagnose`."""
    files = examining.examine_files(store, _subject(store, reference))
    current = examining.examine_current(store)
    found = FolderExamined(directory=str(store.folder.directory), current=current, games=(files,), litter={})
    return Diagnosis(examined=found, unwell=any(advice(files)) + bool(current_advice(current)))


def advice(files: FilesExamined) -> Iterator[Message]:
    """Yield what to do about a game's files, or those of the payments; nothing where they are well."""
    subject, is_restorable = files.subject, files.backup.state == "fine"
    match files.game.state:
        case "fine":
            if files.put_back is not None:
                is_restorable = files.behind is not None and files.behind < 0
                what = tell("if that is meant, generala doctor --accept {owner} goes on with it as it stands")
                yield what.with_values(owner=subject.name)
                if is_restorable:
                    yield tell("generala doctor --restore {owner} puts its backup back", owner=subject.name)
            if files.backup.state not in {"fine", "missing"}:
                yield tell("the next change makes a new backup")
        case "newer":
            yield tell("install that version of generala to use it")
        case "hand-edited":
            yield what_to_do(subject, is_edited=True, is_restorable=is_restorable) or by_hand(subject)
        case "missing" if not is_restorable and files.copies:
            pass
        case "damaged" | "unreadable" | "missing":
            yield what_to_do(subject, is_edited=False, is_restorable=is_restorable) or by_hand(subject)
    unread = [place for place, copy in files.copies.items() if copy.state == "unreadable"]
    if unread:
        yield from map(unread_advice, unread)
    elif files.copies and subject == OF_PAYMENTS:
        if files.game.state in {"fine", "hand-edited", "missing"}:
            yield tell("generala doctor --accept payments puts them together, and loses none")
    elif files.copies:
        yield tell(
            "generala doctor {number} lays them side by side; with --take this, or --take that, one is taken "
            "and the other set aside",
            number=subject.name,
        )


def unread_advice(place: str) -> Message:
    """Return what to do about another version that cannot be read: until then nothing is decided."""
    return tell("nothing can be decided before {file} is read: let it be read, or move it away", file=place)


def current_advice(current: CurrentFile) -> Message | None:
    """Return what to do about the file that names the current game; None if it is well."""
    if current.copies:
        return tell(
            "generala use GAME chooses the current game, and generala doctor --accept current then sets the "
            "other file aside"
        )
    if current.why or (current.number is not None and not current.is_there):
        return tell("generala use GAME chooses the current game")
    return None


def restore(store: Store, reference: str, *, dry_run: bool = False) -> RestoredFile:
    """Put the backup of a game back, and set what was there aside; NotAllowed if that cannot help."""
    subject = _subject(store, reference)
    if dry_run:
        file = examining.restorable(store.folder, subject).file
        return RestoredFile(subject=subject, file=file, kept=None, saved=False)
    file, kept = examining.restore(store, subject)
    return RestoredFile(subject=subject, file=file, kept=kept, saved=True)


def acceptance(store: Store, reference: str) -> Acceptance:
    """Return what `accept` would do, for someone to agree to; NotAllowed where it could do nothing."""
    if reference == CURRENT:
        current, copies = store.current(), store.copies(OF_CURRENT)
        if not copies:
            what = tell("the file current is fine and names game {number}", number=current)
            raise NotAllowed(what, _NOTHING_TO_ACCEPT)
        return Acceptance(subject=OF_CURRENT, hand_edited=None, differences=(), copies=copies)
    subject = _subject(store, reference)
    files = examining.examine_files(store, subject)
    state = files.game.state
    is_edited = state == "hand-edited" or files.put_back is not None
    if state == "fine" and not files.copies and not is_edited:
        raise examining.is_fine(subject, _NOTHING_TO_ACCEPT)
    is_lost = state == "missing" and any(copy.state == "fine" for copy in files.copies.values())
    if state not in {"fine", "hand-edited"} and not (subject == OF_PAYMENTS and is_lost):
        what = _UNACCEPTABLE[state].with_values(file=subject.shown, reason=files.game.why)
        raise NotAllowed(what, next(advice(files), tell("generala pay writes a payment down")))
    edited = files.game if is_edited else None
    lines = tuple(differences(files.backup.file, edited.file)) if edited and edited.file else ()
    wanted = Acceptance(subject=subject, hand_edited=edited, differences=lines, copies=tuple(files.copies))
    return _with_payments(wanted, files) if subject == OF_PAYMENTS and files.copies else wanted


def _with_payments(wanted: Acceptance, files: FilesExamined) -> Acceptance:
    """Add what is put together with the payments; NotAllowed where a copy is of a later version."""
    check_readable(files.copies)
    for name, copy in files.copies.items():
        if copy.state == "newer":
            what = tell("{file} is newer ({reason})", file=name, reason=copy.why)
            raise NotAllowed(what, "install that version to put it together with the payments")
    own = 0 if files.game.file is None else len(files.game.file.events)
    return replace(
        wanted,
        added=len(examining.put_together(files).events) - own,
        unusable=tuple(
            tell("{file} is damaged ({reason}): nothing of it is taken over", file=name, reason=copy.why)
            for name, copy in files.copies.items()
            if copy.state != "fine"
        ),
    )


_NOTHING_TO_ACCEPT = tell("there is nothing to accept")
_UNACCEPTABLE: Mapping[str, Message] = {
    "damaged": tell("{file} is damaged ({reason})"),
    "newer": tell("{file} is newer ({reason})"),
    "unreadable": tell("{file} is unreadable ({reason})"),
    "missing": tell("{file} is missing"),
}
"""Why a file cannot be accepted, by its state."""


def accept(store: Store, wanted: Acceptance) -> Acceptance:
    """Seal the game's file, and set its conflict copies aside; Changed if it is not what was agreed to."""
    if wanted.subject.number is not None and wanted.copies:
        if wanted.hand_edited is not None:
            examining.seal_and_set_aside(store, wanted.subject, wanted.hand_edited, ())
        names = choosing.take(store, wanted.subject, wanted.subject.place).aside
    elif wanted.subject == OF_PAYMENTS and wanted.copies:
        names = examining.merge_copies(store, wanted.hand_edited, wanted.copies)
    else:
        names = examining.seal_and_set_aside(store, wanted.subject, wanted.hand_edited, wanted.copies)
    return replace(wanted, copies=names, saved=True)


def differences(before: GameFile | PaymentsFile | None, after: GameFile | PaymentsFile) -> Iterator[Message]:
    """Yield every value and event that differs from the backup, in words.

    Without a good backup there is only one sentence, which says so and names the last event.
    """
    if before is None:
        if not after.events:
            yield tell("there is no good backup to compare with; it has 0 events")
            return
        yield tell_count(
            "there is no good backup to compare with; it has {count} event, the last: {last}",
            "there is no good backup to compare with; it has {count} events, the last: {last}",
            len(after.events),
            last=_in_words(after.events[-1].event),
        )
        return
    yield from _changes(_head(before), _head(after), "")
    old_events: Sequence[Recorded | RecordedPayment] = before.events
    new_events: Sequence[Recorded | RecordedPayment] = after.events
    for number, (old, new) in enumerate(zip_longest(old_events, new_events), start=1):
        if old is None:
            yield tell("event {number} is new: {event}", number=number, event=_in_words(new.event))
        elif new is None:
            yield tell("event {number} is gone: {event}", number=number, event=_in_words(old.event))
        else:
            what = tell("event {number} ({event}): {change}", number=number, event=_in_words(old.event))
            yield from (what.with_values(change=change) for change in _changes(_plain(old), _plain(new), ""))


def number_of(store: Store, reference: str) -> int:
    """Return the number of a game, which may have lost its file, but for a backup or a copy."""
    number = _subject(store, reference).number
    assert number is not None, "else it is the payments"
    return number


def _subject(store: Store, reference: str) -> FileSubject:
    """Find the game, or the payments; one of which only a backup or a copy is left, by its number alone."""
    if reference == PAYMENTS:
        return OF_PAYMENTS
    if is_number(reference):
        subject = of_game(int(reference))
        if store.folder.is_there(subject.backup) or store.copies(subject):
            return subject
    return of_game(replace(store, warn=None).find(reference))


def _head(file: GameFile | PaymentsFile) -> dict[str, Any]:
    """Return what stands before the events and does not follow from them, as plain values."""
    head: dict[str, Any] = msgspec.to_builtins(replace(file, events=()))
    return {key: head[key] for key in ("id", "started", "agreed") if key in head}


def _plain(recorded: Recorded | RecordedPayment) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(recorded)
    return {**plain["event"], **{key: plain[key] for key in ("at", "by") if key in plain}}


def _in_words(event: Event | PaymentEvent) -> Message:
    """Return `Ana, full-house 30 with 5 5 5 3 3, throw 2`, or `event 3 undone`."""
    match event:
        case Scored(player=player, category=None, points=points):
            return tell(
                "{player}, win at once {points} with {dice}, throw {throw}",
                player=player,
                points=points,
                dice=print_dice(event.dice),
                throw=event.roll,
            )
        case Scored(player=player, category=category, points=points):
            return tell(
                "{player}, {category} {points} with {dice}, throw {throw}",
                player=player,
                category=category,
                points=points,
                dice=print_dice(event.dice),
                throw=event.roll,
            )
        case Scratched(player=player, category=category):
            return tell("{player}, {category} scratched", player=player, category=category)
        case Amended(turn=turn, entry=entry):
            return tell("turn {turn} corrected to {entry}", turn=turn, entry=_in_words(entry))
        case Renamed(player=player, name=name):
            return tell("{player} renamed {name}", player=player, name=name)
        case Staked(stake=stake, unit=unit, payout=payout):
            return tell("played for {stake} {unit}, {payout}", stake=Decimal(stake), unit=unit, payout=payout)
        case Left(player=player):
            return tell("{player} left", player=player)
        case Joined(player=player):
            return tell("{player} joined", player=player)
        case Paid(payer=payer, payee=payee, amount=amount, unit=unit):
            return tell(
                "{payer} paid {payee} {amount} {unit}",
                payer=payer,
                payee=payee,
                amount=Decimal(amount),
                unit=unit,
            )
        case NamesJoined(names=names):
            return tell("{names} are one person", names=listing(names, "and"))
        case NameParted(name=name):
            return tell("{player} is a person of their own", player=name)
        case PaymentUndone(payment=str(payment)):
            return tell("payment {id} undone", id=payment)
        case Undone(number=number) | PaymentUndone(number=number):
            return tell("event {number} undone", number=number)
        case Redone(number=number):
            return tell("event {number} redone", number=number)
        case Chosen():
            return tell("this version was taken")
        case _:
            assert_never(event)


def _changes(old: object, new: object, place: str) -> Iterator[Message]:
    """Yield `points was 30, is 31` for every place where two documents differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys((*old, *new)):
            yield from _changes(old.get(key), new.get(key), f"{place}.{key}" if place else key)
    elif (
        isinstance(old, list | tuple)
        and isinstance(new, list | tuple)
        and all(isinstance(item, dict) for item in (*old, *new))  # dice are compared as the hand they make
    ):
        for number, (one, other) in enumerate(zip_longest(old, new), start=1):
            yield from _changes(one, other, f"{place} {number}")
    elif old != new:
        yield tell("{place} was {old}, is {new}", place=place, old=_as_json(old), new=_as_json(new))


def _as_json(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()
