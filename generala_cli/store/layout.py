"""Our own layout of a game file: a head, then one fact a line, as `codec` writes them.

Every command reads a whole game before it does anything, and a list reads every game there is. The general
reader asks each fact for its keys one by one, so that it can say what is wrong with any document at its
place; that takes ten times as long as reading what this program wrote itself and nobody changed since. Such
a file is known by its checksum, over the very bytes, and by every line being spelled as we spell it. It is
read here; whatever is not plainly so is not refused but left to the general reader.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar
from zlib import crc32

from generala_cli.facts import Fact
from generala_cli.game.events import Event, GameStarted, Redone, Scored, Scratched, Undone
from generala_cli.rules.checking import read_sound_ruleset
from generala_cli.rules.dice import Dice
from generala_cli.rules.document import Fields
from generala_cli.rules.reading import MOST_POINTS
from generala_cli.rules.ruleset import RuleSet
from generala_cli.store.decoding import (
    MOST_EVENTS,
    MOST_GAMES,
    MOST_ROLLS,
    are_times,
    check_references,
    read_later,
    read_started,
)
from generala_cli.store.parsing import Unreadable, compact, parse
from generala_cli.store.record import Glance, Record

FORMAT = 2

_BEGIN, _END = b'"events":[\n', b"\n]}\n"
_MOVES = ("undone", "redone")
_NOT_PLAIN = (Unreadable, ValueError, KeyError, IndexError)
"""What ends the reading of what is not plainly ours; the general reader then says what is wrong."""


class LaidOut(Fact):
    """A file in our layout whose checksum fits. `body` are its lines, without the last comma."""

    game: int
    revision: int
    winners: tuple[str, ...]
    body: bytes


def lay_out(game: int, revision: int, winners: Sequence[str], body: bytes) -> bytes:
    """The bytes of a file; the checksum is a CRC-32 over all of them but itself and its key."""
    rest = _BEGIN + body + _END
    return _head(game, revision, winners, rest) + rest


def _head(game: int, revision: int, winners: Sequence[str], rest: bytes | memoryview) -> bytes:
    start = f'{{"format":{FORMAT},"game":{game},"revision":{revision},"winners":{compact(list(winners))},'
    head = start.encode()
    return head + f'"checksum":"{crc32(rest, crc32(head)):08x}",'.encode()


def open_layout(data: bytes) -> LaidOut | None:
    """What is inside a file that is laid out and sealed by us; None if it is not."""
    begin = data.find(_BEGIN)
    head = data[: max(begin, 0)]
    try:
        fields = _fields_of(head[:-1] + b"}")
    except _NOT_PLAIN:
        return None
    found = LaidOut(
        game=fields.whole("game", 1, MOST_GAMES),
        revision=fields.whole("revision", 1, MOST_EVENTS),
        winners=fields.texts("winners"),
        body=data[begin + len(_BEGIN) : -len(_END)],
    )
    if fields.problems or not data.endswith(_END):
        return None
    ours = _head(found.game, found.revision, found.winners, memoryview(data)[begin:])
    return found if ours == head else None


def glance(data: bytes) -> Glance | None:
    """How a game began and who won it, by its head and first line; None if that is not plain to see.

    The checksum says that these are the winners we wrote; that they follow from the entries is not worked
    out again, as it is wherever a game is used.
    """
    found = open_layout(data)
    if found is None:
        return None
    first, _, _ = found.body.partition(b"\n")
    try:
        (at,), (told,) = _columns(first.removesuffix(b",") if found.revision > 1 else first, 1)
        started, _ = _started(told)
    except _NOT_PLAIN:
        return None
    return Glance(game=found.game, at=at, started=started, winners=found.winners)


def read_layout(data: bytes) -> Record | None:
    """The record in a file that this program wrote; None if that is not plain to see."""
    found = open_layout(data)
    if found is None:
        return None
    try:
        times, told = _columns(found.body, found.revision)
        events = _events(told)
    except _NOT_PLAIN:
        return None
    return Record(game=found.game, events=events, times=times, winners=found.winners)


def _columns(body: bytes, count: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The times of so many lines, and what follows them; all columns are compared as a whole, which is fast.

    Raises:
        one of _NOT_PLAIN: the lines do not all begin as ours, numbered from 1, with a time.
    """
    text = "\n" + body.decode("utf-8") + ","
    nothing, *lines = text.split('\n{"n":')
    numbers, keys, colons, times, told = zip(*[line.split('"', 4) for line in lines], strict=True)
    if (
        nothing
        or numbers != tuple([f"{number}," for number in range(1, count + 1)])
        or {*keys, *colons} != {"at", ":"}
        or not are_times(set(times))
    ):
        raise ValueError(lines[0])
    return times, told


def _events(told: Sequence[str]) -> tuple[Event, ...]:
    """The events behind the ends of lines; those undone and redone again and again are read once."""
    started, house = _started(told[0])
    reader = _Reader(started, house)
    known: dict[str, Event] = {text: reader.read(text) for text in dict.fromkeys(told[1:])}
    return (started, *map(known.__getitem__, told[1:]))


class _Hands(dict[str, Dice]):
    """Hands as they are spelled, each taken apart once."""

    def __init__(self, rules: RuleSet) -> None:
        super().__init__()
        self._rules = rules

    def __missing__(self, spelled: str) -> Dice:
        dice = tuple(map(int, spelled.split(",")))
        if not self._rules.has_hand(dice) or spelled != ",".join(map(str, dice)):
            raise ValueError(spelled)
        self[spelled] = dice
        return dice


class _House(Fact):
    """A rule set, with what is asked of it at every line."""

    rules: RuleSet
    lines: frozenset[str]
    hands: _Hands


@lru_cache(maxsize=100)
def _house(text: str) -> _House:
    """Rules are the same in many games, and dear to read."""
    rules, problems = read_sound_ruleset(parse(text.encode()))
    if problems:
        raise ValueError(text)
    return _House(rules=rules, lines=frozenset(line.id for line in rules.categories), hands=_Hands(rules))


def _started(text: str) -> tuple[GameStarted, _House]:
    agreed, _, rules_text = text.partition(',"rules":')
    house = _house(rules_text.removesuffix("},"))
    fields = _fields(agreed + "},")
    fields.choice("event", ("game-started",))
    started = read_started(fields, house.rules)
    fields.end()
    check_references(started, started, fields)
    return _sound(started, fields), house


class _Reader:
    """Reads the end of a line, from after its time on, in a game that began so.

    The commonest facts are taken apart at their quotation marks, and put together again to see that
    nothing else was there.
    """

    def __init__(self, started: GameStarted, house: _House) -> None:
        self._started = started
        self._players = {compact(player)[1:-1]: player for player in started.players}
        self._lines, self._hands = house.lines, house.hands

    def read(self, text: str) -> Event:
        """The event.

        Raises:
            one of _NOT_PLAIN: something is wrong with it.
        """
        try:
            event, spelled = self._moved(text) if text[10:16] in _MOVES else self._entry(text.split('"'))
        except _NOT_PLAIN:  # a name with a quotation mark in it, say
            return self._other(text)
        return event if spelled == text else self._other(text)

    def _moved(self, text: str) -> tuple[Event, str]:
        kind, number = text[10:16], _whole(text[27:-2], 2, MOST_EVENTS)
        event = Undone(number=number) if kind == "undone" else Redone(number=number)
        return event, f',"event":"{kind}","number":{number}}},'

    def _entry(self, parts: Sequence[str]) -> tuple[Event, str]:
        return self._scored(parts) if len(parts) == 21 else self._scratched(parts)

    def _scored(self, parts: Sequence[str]) -> tuple[Event, str]:
        *_, player, _, _, hand, _, throw, _, _, category, _, _, worth, _, win = parts
        event = Scored(
            player=self._players[player],
            dice=self._hands[hand[2:-2]],
            roll=_whole(throw[1:-1], 1, MOST_ROLLS),
            category=self._category(category),
            points=_whole(worth[1:-1], 0, MOST_POINTS * 2),
            instant_win=win == ":true},",
        )
        spelled = (
            f',"event":"scored","player":"{player}","dice":[{hand[2:-2]}],"roll":{event.roll},'
            f'"category":"{category}","points":{event.points},'
            f'"instant_win":{"true" if event.instant_win else "false"}}},'
        )
        return event, spelled

    def _scratched(self, parts: Sequence[str]) -> tuple[Event, str]:
        *_, player, _, _, hand, _, throw, _, _, category, _ = parts
        event = Scratched(
            player=self._players[player],
            category=self._category(category),
            dice=None if hand == ":null," else self._hands[hand[2:-2]],
            roll=_whole(throw[1:-1], 1, MOST_ROLLS),
        )
        dice = "null" if event.dice is None else f"[{hand[2:-2]}]"
        start = f',"event":"scratched","player":"{player}","dice":{dice}'
        return event, f'{start},"roll":{event.roll},"category":"{category}"}},'

    def _category(self, name: str) -> str:
        if name not in self._lines:
            raise ValueError(name)
        return name

    def _other(self, text: str) -> Event:
        fields = _fields(text)
        return _sound(read_later(fields, self._started), fields)


F = TypeVar("F", bound=Fact)


def _fields(text: str) -> Fields:
    if text[:1] != "," or text[-2:] != "},":
        raise ValueError(text)
    return _fields_of(f"{{{text[1:-1]}".encode())


def _fields_of(data: bytes) -> Fields:
    return Fields(parse(data), "", [])


def _sound(fact: F, fields: Fields) -> F:
    if fields.problems:
        raise ValueError(fact)
    return fact


def _whole(text: str, low: int, high: int) -> int:
    number = int(text)
    if not low <= number <= high:
        raise ValueError(text)
    return number
