"""The facts in a parsed game file, typed, with every error of form reported at its place."""

from collections.abc import Collection, Iterator, Sequence

from generala_cli.game.events import Amended, Entry, Event, GameStarted, Redone, Scored, Scratched, Undone
from generala_cli.rules.checking import read_sound_ruleset
from generala_cli.rules.dice import Dice
from generala_cli.rules.document import Fields, shown
from generala_cli.rules.reading import MOST_FACES, MOST_POINTS
from generala_cli.rules.ruleset import RuleSet
from generala_cli.store.record import Recorded

_SHORT_MONTHS = {2: 29, 4: 30, 6: 30, 9: 30, 11: 30}
_SHAPE = "0000-00-00T00:00:00Z"
_ANY_DIGIT = str.maketrans("123456789", "000000000")
_TENS = frozenset("012345")
_FIRST = ("game-started",)
_LATER = ("scored", "scratched", "amended", "undone", "redone")
MOST_GAMES = 999_999_999
MOST_EVENTS = 10_000_000
MOST_ROLLS = 1_000


def read_facts(document: Fields) -> tuple[Recorded, ...]:
    """The list under `events`, up to the first with an error, which goes to the document's problems."""
    facts: list[Recorded] = []
    for number, fields in enumerate(document.tables("events"), start=1):
        fact = _fact(fields, number)
        facts.append(fact)
        if not document.problems:
            check_references(fact.event, facts[0].event, fields)
        if document.problems:  # one is enough to refuse a file, and a huge one may hold millions
            break
    return tuple(facts)


def _fact(fields: Fields, number: int) -> Recorded:
    if fields.whole("n", 1, MOST_EVENTS) != number:
        fields.wrong("n", f"must be {number}: events are numbered in order")
    at = fields.text("at", longest=20)
    if not is_time(at):
        fields.wrong("at", "must be a time in UTC, as 2026-11-20T21:04:00Z")
    event = _event(fields, _FIRST if number == 1 else _LATER)
    fields.end()
    return Recorded(number=number, at=at, event=event)


def is_time(text: str) -> bool:
    """Whether it is a time in UTC as we write it, on a day that there is, since 1900."""
    parts = (text[:4], text[5:7], text[8:10], text[11:13], text[14:16], text[17:19])
    if len(text) != 20 or text[4::3] != "--T::Z" or not (text.isascii() and all(map(str.isdecimal, parts))):
        return False
    year, month, day, hour, minute, second = map(int, parts)
    if not (1900 <= year < 3000 and 1 <= month <= 12 and hour < 24 and minute < 60 and second < 60):
        return False
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= day <= _SHORT_MONTHS.get(month, 31) and (is_leap or (month, day) != (2, 29))


def are_times(texts: Collection[str]) -> bool:
    """`is_time` of each of thousands, by what they have in common: an evening has few hours."""
    together = "".join(texts)
    return (
        together.translate(_ANY_DIGIT) == _SHAPE * len(texts)
        and all(is_time(f"{hour}:00:00Z") for hour in {text[:13] for text in texts})
        and set(together[14::20]) <= _TENS  # of minutes
        and set(together[17::20]) <= _TENS  # of seconds
    )


def check_references(event: Event, first: Event, fields: Fields) -> None:
    """Report players who are not of this game, and hands that are not of its dice."""
    assert isinstance(first, GameStarted)
    for player, dice in _hands(event):
        if player not in first.players:
            fields.wrong("", f"{shown(player)} is not a player of this game")
        if dice is not None and not first.rules.has_hand(dice):
            fields.wrong("", f"a hand must have {first.rules.dice} dice of {first.rules.faces} faces")


def _hands(event: Event) -> Iterator[tuple[str, Dice | None]]:
    """Who threw what, wherever an event says so."""
    match event:
        case GameStarted(openings=openings):
            for player, throws in openings:
                yield from ((player, throw) for throw in (None, *throws))
        case Scored() | Scratched():
            yield event.player, event.dice
        case Amended(entry=entry):
            yield entry.player, entry.dice
        case Undone() | Redone():
            return


def read_later(fields: Fields, first: Event) -> Event:
    """A fact after the first, without its number and time."""
    event = _event(fields, _LATER)
    fields.end()
    if not fields.problems:
        check_references(event, first, fields)
    return event


def _event(fields: Fields, kinds: Sequence[str]) -> Event:
    match fields.choice("event", kinds):
        case "scored":
            return _scored(fields)
        case "scratched":
            return _scratched(fields)
        case "amended":
            turn = fields.whole("turn", 1, MOST_EVENTS)
            return Amended(turn=turn, entry=_amended_entry(fields.table("entry")))
        case "undone":
            return Undone(number=fields.whole("number", 2, MOST_EVENTS))
        case "redone":
            return Redone(number=fields.whole("number", 2, MOST_EVENTS))
        case _:
            return _started(fields)


def _amended_entry(fields: Fields) -> Entry:
    kind = fields.choice("event", ("scored", "scratched"))
    entry = _scored(fields) if kind == "scored" else _scratched(fields)
    fields.end()
    return entry


def _scored(fields: Fields) -> Scored:
    return Scored(
        player=fields.text("player"),
        dice=_dice(fields, "dice"),
        roll=fields.whole("roll", 1, MOST_ROLLS),
        category=_text_or_none(fields, "category"),
        points=fields.whole("points", 0, MOST_POINTS * 2),
        instant_win=fields.flag("instant_win"),
    )


def _scratched(fields: Fields) -> Scratched:
    told = "dice" not in fields or fields.anything("dice") is not None
    return Scratched(
        player=fields.text("player"),
        dice=_dice(fields, "dice") if told else None,
        roll=fields.whole("roll", 1, MOST_ROLLS),
        category=fields.text("category"),
    )


def _started(fields: Fields) -> GameStarted:
    rules, problems = read_sound_ruleset(fields.anything("rules"))
    for problem in problems:
        fields.wrong("rules", str(problem))
    return read_started(fields, rules)


def read_started(fields: Fields, rules: RuleSet) -> GameStarted:
    """The first fact, its rules given."""
    return GameStarted(
        rules=rules,
        players=fields.texts("players"),
        sides=tuple(_sides(fields)),
        openings=tuple(_openings(fields)),
        stake=fields.text("stake"),
        unit=fields.text("unit"),
        payout=fields.text("payout"),
        label=_empty_or_text(fields, "label"),
    )


def _sides(fields: Fields) -> Iterator[tuple[str, ...]]:
    for side in _lists(fields, "sides"):
        if all(isinstance(player, str) for player in side):
            yield tuple(str(player) for player in side)
        else:
            fields.wrong("sides", "must be lists of players")


def _openings(fields: Fields) -> Iterator[tuple[str, tuple[Dice, ...]]]:
    seen: set[str] = set()
    for opening in fields.tables("openings"):
        throws = tuple(_faces(opening, "throws", throw) for throw in _lists(opening, "throws"))
        player = opening.text("player")
        if player in seen:
            opening.wrong("player", "has opening throws already")
        seen.add(player)
        opening.end()
        yield player, throws


def _lists(fields: Fields, key: str) -> Iterator[list[object]]:
    value = fields.anything(key)
    if not isinstance(value, list):
        fields.wrong(key, "must be a list of lists")
        return
    for inner in value:
        if isinstance(inner, list):
            yield inner
        else:
            fields.wrong(key, "must be a list of lists")


def _dice(fields: Fields, key: str) -> Dice:
    return fields.wholes(key, 1, MOST_FACES)


def _faces(fields: Fields, key: str, values: list[object]) -> Dice:
    faces = tuple(
        v for v in values if isinstance(v, int) and not isinstance(v, bool) and 1 <= v <= MOST_FACES
    )
    if len(faces) != len(values):
        fields.wrong(key, "must be lists of the faces of dice")
    return faces


def _text_or_none(fields: Fields, key: str) -> str | None:
    if key in fields and fields.anything(key) is None:
        return None
    return fields.text(key)


def _empty_or_text(fields: Fields, key: str) -> str:
    if key in fields and fields.anything(key) == "":
        return ""
    return fields.text(key)
