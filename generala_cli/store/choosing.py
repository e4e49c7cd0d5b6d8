"""Choosing one of several versions of a game, and carrying the choice to other machines.

A choice is an event in the history of the chosen version. For each rejected version it records a branch: the
number of its first different event, and a digest of its events up to there. A machine with such a version
learns from the branch that the game was settled.

A later choice beats an earlier one if it was made with knowledge of it. Two choices made independently settle
nothing, unless they are equal: equal choices after equal turns count as one, no matter who made them and
when.

A machine follows a choice without asking if its own version, with all turns and choices, had been seen when
the choice was made. To take a version that was chosen elsewhere, against a version unseen there, is a new
choice. So the choices in a file alone say which questions are open, not the files set aside on one machine.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import sha256

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from generala_cli.errors import NotAllowed
from generala_cli.game.events import MOST_SEEN, Branch, Chosen, Event
from generala_cli.messages import lazy
from generala_cli.remedies import in_shell
from generala_cli.store import gamefile, marks
from generala_cli.store.checking import CheckedFile, check_file, check_readable
from generala_cli.store.examining import FilesExamined, examine_files
from generala_cli.store.folder import Writer
from generala_cli.store.gamefile import GameFile, Recorded
from generala_cli.store.sealing import encode
from generala_cli.store.store import Store
from generala_cli.store.subjects import ASIDE, FileSubject, of_game


class TakenVersion(Struct, frozen=True, kw_only=True):
    """A chosen version, its former place, and the places of the others: new ones once `saved`."""

    file: GameFile
    place: str
    aside: tuple[str, ...]
    saved: bool


def common_events(one: GameFile, other: GameFile) -> int:
    """Return the number of equal events at the start of two histories."""
    both = enumerate(zip(one.events, other.events, strict=False))
    shorter = min(len(one.events), len(other.events))
    return next((place for place, (mine, theirs) in both if not _is_same(mine, theirs)), shorter)


def united(one: GameFile, other: GameFile) -> GameFile | None:
    """Return a history that contains two; None if they differ in more than choices.

    It has the number of the first. Otherwise the order of the two does not matter. If a choice was made
    twice, keep the earlier copy. Choices from only one history come last.
    """
    if _head(one) != _head(other):
        return None
    common = common_events(one, other)
    shared = [min(pair, key=_stamp) for pair in zip(one.events[:common], other.events[:common], strict=True)]
    longer, shorter = one, other
    if not _are_choices(shorter.events[common:]):
        longer, shorter = other, one
    if not _are_choices(shorter.events[common:]):
        return None
    later, added = longer.events[common:], shorter.events[common:]
    if _are_choices(later):
        later, added = (), tuple(sorted((*later, *added), key=_stamp))
    events = [*shared, *later]
    known: set[Event] = {each.event for each in events}
    for choice in added:
        if choice.event not in known:
            known.add(choice.event)
            events.append(replace(choice, n=len(events) + 1))
    return replace(longer, game=one.game, events=tuple(events))


def holds(one: GameFile, other: GameFile) -> bool:
    """Return whether a history contains all of another, including choices."""
    both = united(one, other)
    return both is not None and len(both.events) == len(one.events)


def _is_same(one: Recorded, other: Recorded) -> bool:
    """Return whether two events are equal. The author and time of a choice do not matter."""
    return one == other or (isinstance(one.event, Chosen) and (one.n, one.event) == (other.n, other.event))


def _are_choices(events: Sequence[Recorded]) -> bool:
    return all(isinstance(recorded.event, Chosen) for recorded in events)


def _stamp(recorded: Recorded) -> tuple[datetime, str, bytes]:
    """Return a sort key that orders choices the same way on every machine."""
    return recorded.at, recorded.by or "", msgspec.json.encode(recorded.event)


def chosen_knowing(one: GameFile, other: GameFile) -> bool:
    """Return whether `one` was chosen with knowledge of `other` and all its choices, and not vice versa.

    If each was chosen with knowledge of the other, nothing is settled.
    """
    return _knows(one, other) and not _knows(other, one)


def _knows(one: GameFile, other: GameFile) -> bool:
    return any(branch.choices >= _choices(other) for branch in _branches_of(one, other))


def is_chosen_over(one: GameFile, other: GameFile) -> bool:
    """Return whether `one` was chosen over `other`. Since then `other` may have been chosen, too."""
    return any(True for _ in _branches_of(one, other))


def overruled(store: Store, files: FilesExamined) -> Mapping[str, CheckedFile]:
    """Return the versions set aside in favor of the game's own, by place; the longest of each line."""
    own, folder = files.game.file, f"{ASIDE}/{files.subject.name}"
    found: dict[str, CheckedFile] = {}
    if not isinstance(own, GameFile) or not any(True for _ in _all_branches(own)):
        return found
    kept: list[GameFile] = []
    places = [f"{folder}/{name}" for name in store.folder.names(folder)]
    checked = [(place, check_file(store.folder, place, files.subject)) for place in places]
    for place, each in sorted(checked, key=lambda pair: pair[1].count or 0, reverse=True):
        file = each.file
        if each.state != "fine" or not isinstance(file, GameFile) or not chosen_knowing(own, file):
            continue
        if not any(holds(other, file) for other in kept):
            kept.append(file)
            found[place] = each
    return found


def _branches_of(one: GameFile, other: GameFile) -> Sequence[Branch]:
    return [branch for branch in _all_branches(one) if _is_on(other, branch)]


def _all_branches(file: GameFile) -> Iterator[Branch]:
    for recorded in file.events:
        if isinstance(recorded.event, Chosen):
            yield from recorded.event.over


def _is_on(file: GameFile, branch: Branch) -> bool:
    return branch.number <= len(file.events) and branch.digest == _digest(file, branch.number)


def _branch(taken: GameFile, other: GameFile) -> Branch:
    number = common_events(taken, other) + 1 if _head(taken) == _head(other) else 0
    return Branch(number=number, digest=_digest(other, number), choices=_choices(other))


def _not_taken_before(taken: GameFile, other: GameFile) -> Iterator[Branch]:
    """Yield the branches rejected in `other`, except those in `taken`, whether rejected or part of it.

    On a third machine such a branch may still be the current game, so this choice must cover it, too.
    """
    known = set(_all_branches(taken))
    for branch in _all_branches(other):
        if branch not in known and not _is_on(taken, branch):
            yield branch


def _choices(file: GameFile) -> int:
    """Return the number of the latest choice in a history: one more than the highest number it knew."""
    come = 0
    for recorded in file.events:
        if isinstance(recorded.event, Chosen):
            come = 1 + max(come, *(branch.choices for branch in recorded.event.over))
    return come


def _turns(file: GameFile) -> int:
    return sum(not isinstance(recorded.event, Chosen) for recorded in file.events)


def _digest(file: GameFile, number: int) -> str:
    """Return a digest of a history up to an event, independent of the game's number.

    As in `_is_same`, the author and time of a choice do not matter.
    """
    events = [
        (each.n, each.event) if isinstance(each.event, Chosen) else each for each in file.events[:number]
    ]
    data = msgspec.json.encode([*_head(file), events])
    return sha256(data).hexdigest()[:32]


def _head(file: GameFile) -> tuple[object, ...]:
    return file.id, file.started, file.agreed


def covers(one: GameFile, other: GameFile) -> bool:
    """Return whether `one` contains all of `other`, or was chosen after all of it had been seen.

    Then the player need not be asked. A choice names everything that its predecessors had seen. So this
    relation is transitive, and the order of syncs does not matter.
    """
    known = _seen(one) | {*_turn_digests(one)} | _choice_digests(one)
    return _turn_digests(other)[-1] in known and _choice_digests(other) <= known


def _seen(file: GameFile) -> set[str]:
    """Return the digests of everything that had been seen when the choices in a history were made."""
    return {digest for choice in _chosen(file) for digest in choice.seen or ()}


def _chosen(file: GameFile) -> Iterator[Chosen]:
    return (each.event for each in file.events if isinstance(each.event, Chosen))


def _turn_digests(file: GameFile) -> list[str]:
    """Return a digest of the agreement, and one of each event except choices, with all events before it."""
    digests = [_fingerprint(_head(file))]
    for recorded in file.events:
        if not isinstance(recorded.event, Chosen):
            digests.append(_fingerprint((digests[-1], recorded)))
    return digests


def _choice_digests(file: GameFile) -> set[str]:
    return {_fingerprint(choice) for choice in _chosen(file)}


def _fingerprint(value: object) -> str:
    return sha256(msgspec.json.encode(value)).hexdigest()[:32]


def _to_be_seen(taken: GameFile, others: Sequence[GameFile]) -> tuple[str, ...] | UnsetType:
    """Return the digests of the others that a choice records; UNSET if there are none or too many."""
    found: set[str] = set()
    for other in others:
        found |= {*_turn_digests(other)} | _choice_digests(other) | _seen(other)
    found -= {*_turn_digests(taken)} | _choice_digests(taken)
    return tuple(sorted(found)) if 0 < len(found) <= MOST_SEEN else UNSET


def follow_choices(store: Store, writer: Writer, numbers: Iterable[int]) -> dict[int, tuple[str, ...]]:
    """Take the version of each game that covers all others, and set the others aside.

    Returns:
        the new places of the others, by game. A game with an unreadable version is skipped.
    """
    found: dict[int, tuple[str, ...]] = {}
    for number in numbers:
        if store.copies(of_game(number)) and (aside := _follow(store, writer, of_game(number))):
            found[number] = aside
    return found


def _follow(store: Store, writer: Writer, subject: FileSubject) -> tuple[str, ...]:
    files = examine_files(store, subject)
    found = {place: each.file for place, each in _versions(files).items()}
    usable = {place: file for place, file in found.items() if isinstance(file, GameFile)}
    covering = [
        (len(file.events), encode(file), place)
        for place, file in usable.items()
        if all(covers(file, other) for other in usable.values())
    ]
    if not covering or len(usable) < len(found) or subject.place not in found:
        return ()
    place = max(covering)[-1]  # of versions with the same turns, the one with the most choices
    return _put_in_place(store, writer, files, place, usable[place], found.keys() - {place})


def take(store: Store, subject: FileSubject, place: str, *, dry_run: bool = False) -> TakenVersion:
    """Make one version of a game its file, and set all others aside.

    Args:
        place: the game's own file, a copy, or a version that was `overruled`.

    Raises:
        NotAllowed: the version cannot be used. FileError: a different version cannot be read.
    """
    if dry_run:
        files = examine_files(store, subject)
        file, others = _taken(store, files, place)
        return TakenVersion(file=file, place=place, aside=tuple(others), saved=False)
    return store.retried(lambda writer, _: _take(store, writer, subject, place))


def _take(store: Store, writer: Writer, subject: FileSubject, place: str) -> TakenVersion:
    files = examine_files(store, subject)
    file, others = _taken(store, files, place)
    aside = _put_in_place(store, writer, files, place, file, others)
    return TakenVersion(file=file, place=place, aside=aside, saved=True)


def _put_in_place(
    store: Store, writer: Writer, files: FilesExamined, place: str, file: GameFile, others: Iterable[str]
) -> tuple[str, ...]:
    """Make the version in one place the game's file, set others aside, and return their new places."""
    aside: list[str] = []
    own, subject = files.game, files.subject
    if place != subject.place and own.data is not None:
        aside.append(writer.quarantine_copy(own.data, subject.place, subject.name))
    elif place != subject.place and own.state != "missing":
        aside.append(writer.quarantine_move(subject.place, subject.name))
    data = encode(file)
    gamefile.read(data, file.game)  # never write a file that could not be read again
    if data != own.data or marks.find_put_back(store.folder, subject) is not None:
        marks.put(writer, subject, data, seen=own.data, keep_backup=own.state == "fine")
    if place != subject.place:
        writer.remove(place)  # the game's file contains all of it now
    aside += [writer.quarantine_move(other, subject.name) for other in others if other != subject.place]
    return tuple(aside)


def _versions(files: FilesExamined) -> dict[str, CheckedFile]:
    own = {} if files.game.state == "missing" else {files.subject.place: files.game}
    return {**files.copies, **own}


def _taken(store: Store, files: FilesExamined, place: str) -> tuple[GameFile, Mapping[str, CheckedFile]]:
    """Return the game's new file, which ends with the choice, and the rejected versions."""
    found = _versions(files)
    taken = found.pop(place, None) or overruled(store, files).get(place)
    if taken is None or taken.state != "fine" or not isinstance(taken.file, GameFile):
        why = lazy("it is missing") if taken is None else taken.why
        what = lazy("{file} cannot be taken ({reason})", file=place, reason=why)
        hint = lazy("generala doctor {game} lists the versions", game=files.subject.name)
        raise NotAllowed(what, in_shell(hint))
    check_readable(found)
    file, parted = taken.file, list[GameFile]()
    for other in (other.file for other in found.values() if isinstance(other.file, GameFile)):
        both = united(file, other)
        if both is not None and _turns(both) == _turns(file):
            file = both  # the other can only have added choices
        else:
            parted.append(other)
    over: set[Branch] = set()
    for other in parted:  # also versions that were rejected before and then continued unseen
        if not (chosen_knowing(file, other) and covers(file, other)):
            over |= {_branch(file, other), *_not_taken_before(file, other)}
    if not over:
        return file, found
    new = tuple(sorted(over, key=lambda branch: (branch.number, branch.digest, branch.choices)))
    number = len(file.events) + 1
    choice = Chosen(over=new, seen=_to_be_seen(file, parted))
    recorded = Recorded(n=number, at=store.now(), by=store.entered_by, event=choice)
    return replace(file, events=(*file.events, recorded)), found
