"""When the upper bonus was earned and lost. The bonus itself is worked out by `Game`, and never stored."""

from collections import Counter
from collections.abc import Mapping, Sequence

from generala_cli.game.events import Amended, Entry, Event, GameStarted, Redone, Scored, Scratched, Undone
from generala_cli.rules.ruleset import RuleSet

Entries = tuple[Entry, ...]


def turns_that_earned(rules: RuleSet, entries: Entries) -> Mapping[int, int]:
    """The turns whose entries made their player's numbers reach the bonus, each with its points."""
    if rules.upper_bonus is None:
        return {}
    paid = [_paid(rules, entries[:turn]) for turn in range(len(entries) + 1)]
    return {turn: paid[turn] - paid[turn - 1] for turn in range(1, len(paid)) if paid[turn] > paid[turn - 1]}


def changes(events: Sequence[Event]) -> Mapping[int, int]:
    """The points of bonus that each action brought its player when it was made; below 0 where it lost them.

    Args:
        events: of one game, from its start, every one possible where it stands.

    Returns:
        By event number (GameStarted is 1); empty in a game without such a bonus.
    """
    started = events[0]
    assert isinstance(started, GameStarted)
    if started.rules.upper_bonus is None:
        return {}
    found: dict[int, int] = {}
    entries: Entries = ()
    back: list[Entries] = []
    forth: list[Entries] = []
    for number, event in enumerate(events[1:], start=2):
        match event:
            case Undone():
                forth.append(entries)
                entries = back.pop()
            case Redone():
                back.append(entries)
                entries = forth.pop()
            case Scored() | Scratched() | Amended():
                back.append(entries)
                forth.clear()
                entries = _after(entries, event)
                found[number] = _paid(started.rules, entries) - _paid(started.rules, back[-1])
            case _:
                raise AssertionError("a game starts once")
    return found


def _after(entries: Entries, action: Entry | Amended) -> Entries:
    if isinstance(action, Amended):
        return (*entries[: action.turn - 1], action.entry, *entries[action.turn :])
    return (*entries, action)


def _paid(rules: RuleSet, entries: Entries) -> int:
    """What all players together have earned; an entry or a correction changes it for one of them only."""
    numbers = {category.id for category in rules.numbers}
    held: Counter[str] = Counter()
    for entry in entries:
        if isinstance(entry, Scored) and entry.category in numbers:
            held[entry.player] += entry.points
    bonus = rules.upper_bonus
    return 0 if bonus is None else sum(bonus.earned(points) for points in held.values())
