"""The relation between two histories of one game, which continued in several places.

A history *knows* its own turns and choices, and everything that had been seen when it was chosen. If it knows
a second one, it replaces that one without a question. If neither knows the other, the players have to choose.

A choice names the rejected versions and everything that they knew. So `knows_of` is transitive, and the order
in which machines meet does not matter. A rejected version that went on after the choice is unknown to it: a
new question.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from generala_cli.game.events import MOST_SEEN, Branch, Chosen, Event
from generala_cli.store.gamefile import GameFile, Recorded

Relation = Literal["same", "shorter", "longer", "rejected", "chosen", "diverged"]
"""How another history compares with the game's own: nothing new, with as many events or with fewer; the same
turns and more events; known and rejected; chosen over it; or each has something that the other does not know.
"""


def relation(own: GameFile, other: GameFile) -> Relation:
    both = united(own, other)
    if both is not None:
        if not contains(own, other):
            return "longer"
        return "same" if contains(other, own) else "shorter"
    if knows_of(own, other):
        return "rejected"
    return "chosen" if knows_of(other, own) else "diverged"


def knows_of(one: GameFile, other: GameFile) -> bool:
    """Return whether everything in `other` is in `one`, or had been seen when `one` was chosen."""
    if one.is_unplayed or other.is_unplayed:
        return contains(one, other)
    known = _known(one)
    ends = {_turn_digests(other)[-1], _turn_digests(other, dated=True)[-1]}
    return not known.isdisjoint(ends) and _choice_digests(other) <= known


def contains(one: GameFile, other: GameFile) -> bool:
    both = united(one, other)
    if both is not None and one.is_unplayed:
        return both.events == one.events
    return both is not None and len(both.events) == len(one.events)


def united(one: GameFile, other: GameFile) -> GameFile | None:
    """Return a history that contains two, numbered like the first; None if they differ in more than choices.

    Two machines may have started the game of one table: the earlier start stays. Of a choice made twice, the
    earlier copy stays. Choices from only one history come last. Moves at a tournament give way to entries and
    to more moves.
    """
    if _head(one) != _head(other):
        return None
    started = min(one.started, other.started)
    if one.is_unplayed or other.is_unplayed:
        return replace(max(one, other, key=_rank), game=one.game, started=started)
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
    return replace(longer, game=one.game, started=started, events=tuple(events))


def _rank(file: GameFile) -> tuple[bool, int, bytes]:
    return not file.is_unplayed, len(file.events), msgspec.json.encode(file.events)


def common_events(one: GameFile, other: GameFile) -> int:
    pairs = enumerate(zip(one.events, other.events, strict=False))
    shorter = min(len(one.events), len(other.events))
    return next((place for place, pair in pairs if not _is_same(*pair)), shorter)


def with_choice(
    version: GameFile, others: Iterable[GameFile], at: datetime, by: str | UnsetType = UNSET
) -> GameFile:
    """Return a version chosen over others, with their choices if they have the same turns."""
    alternatives: list[GameFile] = []
    for other in others:
        both = united(version, other)
        if both is not None and _turns(both) == _turns(version):
            version = both
        else:
            alternatives.append(other)
    rejected = [other for other in alternatives if not knows_of(version, other)]
    if not rejected:
        return version
    heads = {(len(other.events), _turn_digests(other)[-1]) for other in rejected}
    seen = set[str]().union(*map(_known, rejected)) - _known(version)
    choice = Chosen(
        over=tuple(Branch(number=number, digest=digest) for number, digest in sorted(heads)),
        seen=tuple(sorted(seen)) if 0 < len(seen) <= MOST_SEEN else UNSET,
    )
    recorded = Recorded(n=len(version.events) + 1, at=at, by=by, event=choice)
    return replace(version, events=(*version.events, recorded))


def _known(file: GameFile) -> set[str]:
    known = {*_turn_digests(file), *_choice_digests(file)}
    for choice in _choices(file):
        known.update(choice.seen or (), (branch.digest for branch in choice.over))
    return known


def _turn_digests(file: GameFile, *, dated: bool = False) -> Sequence[str]:
    """Return a digest of the agreement, and one of each event except choices, with all events before it.

    Only `dated` ones, which choices in older files name, have the start, which `united` can change.
    """
    digests = [_digest((file.id, file.started, file.agreed) if dated else _head(file))]
    for recorded in file.events:
        if not isinstance(recorded.event, Chosen):
            digests.append(_digest((digests[-1], recorded)))
    return digests


def _choice_digests(file: GameFile) -> set[str]:
    return set(map(_digest, _choices(file)))


def _digest(value: object) -> str:
    return sha256(msgspec.json.encode(value)).hexdigest()[:32]


def _choices(file: GameFile) -> Iterator[Chosen]:
    return (each.event for each in file.events if isinstance(each.event, Chosen))


def _turns(file: GameFile) -> int:
    return sum(not isinstance(recorded.event, Chosen) for recorded in file.events)


def _head(file: GameFile) -> tuple[object, ...]:
    return file.id, file.agreed


def _is_same(one: Recorded, other: Recorded) -> bool:
    return one == other or (isinstance(one.event, Chosen) and (one.n, one.event) == (other.n, other.event))


def _are_choices(events: Sequence[Recorded]) -> bool:
    return all(isinstance(recorded.event, Chosen) for recorded in events)


def _stamp(recorded: Recorded) -> tuple[datetime, str, bytes]:
    """Return a sort key that orders choices the same way on every machine."""
    return recorded.at, recorded.by or "", msgspec.json.encode(recorded.event)
