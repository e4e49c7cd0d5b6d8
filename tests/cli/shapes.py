"""The shape of every command's document (`cli.md`), as JSON Schemas: keys are only ever added."""

from collections.abc import Mapping
from typing import Any

Schema = dict[str, Any]

INTEGER: Schema = {"type": "integer"}
COUNT: Schema = {"type": "integer", "minimum": 0}
TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
DECIMAL: Schema = {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]+)?$"}
NAME_OR_NULL: Schema = {"type": ["string", "null"]}
DICE_OR_NULL: Schema = {"type": ["array", "null"], "items": {"type": "integer", "minimum": 1}}


def record(**keys: Schema) -> Schema:
    """An object with all of these keys; others may be there too."""
    return {"type": "object", "required": list(keys), "properties": keys}


def listing(items: Schema) -> Schema:
    """A list of such things."""
    return {"type": "array", "items": items}


def by_name(values: Schema) -> Schema:
    """Such a thing for every name."""
    return {"type": "object", "additionalProperties": values}


def answer(**keys: Schema) -> Schema:
    """A whole document."""
    return record(version={"const": 1}, **keys)


ENTRY: Mapping[str, Schema] = {
    "turn": {"type": "integer", "minimum": 1},
    "player": TEXT,
    "dice": DICE_OR_NULL,
    "roll": {"type": "integer", "minimum": 1},
    "category": NAME_OR_NULL,
    "points": COUNT,
    "scratched": FLAG,
    "instant_win": FLAG,
}
ENTERED = answer(
    game=INTEGER,
    **ENTRY,
    bonus=COUNT,
    over=FLAG,
    next=NAME_OR_NULL,
    alternatives=listing(record(category=TEXT, points=COUNT)),
    saved=FLAG,
)
AMENDED = {"allOf": [ENTERED, answer(replaced=record(player=TEXT, points=COUNT))]}
MOVED: Mapping[str, Schema] = {"game": INTEGER, "over": FLAG, "next": NAME_OR_NULL, "saved": FLAG}
BEGUN = answer(
    game=INTEGER,
    label=TEXT,
    rules=TEXT,
    players=listing(TEXT),
    teams=listing(listing(TEXT)),
    stake=DECIMAL,
    unit=TEXT,
    method=TEXT,
    next=NAME_OR_NULL,
    saved=FLAG,
)
BOX = {
    "anyOf": [
        {"type": "null"},
        record(points=COUNT, scratched=FLAG, roll=INTEGER, dice=DICE_OR_NULL, turn=INTEGER),
    ]
}
SHEET = answer(
    game=INTEGER,
    rules=TEXT,
    players=listing(TEXT),
    categories=listing(TEXT),
    over=FLAG,
    next=NAME_OR_NULL,
    boxes=by_name(by_name(BOX)),
    totals=by_name(COUNT),
)
SHEET_WITH_SPARES = {"allOf": [SHEET, answer(spares=by_name(record(saved=COUNT, used=COUNT)))]}

UPPER_BONUS: Schema = record(numbers=COUNT, points=COUNT, **{"from": INTEGER})
SHEET_WITH_UPPER_BONUS = {"allOf": [SHEET, answer(upper_bonus=by_name(UPPER_BONUS))]}
ENTERED_WITH_UPPER_BONUS = {"allOf": [ENTERED, answer(upper_bonus=INTEGER)]}
"""In a game with an upper bonus: what the entry earned beside its box; below 0 where a correction lost it."""


def standings(who: str) -> Schema:
    """Between players or between teams."""
    place = record(place=INTEGER, total=COUNT, behind=COUNT, **{who: TEXT})
    reason: Schema = {"enum": ["points", "instant-win", None]}
    return answer(game=INTEGER, over=FLAG, reason=reason, winners=listing(TEXT), standings=listing(place))


_DEBT = {
    "type": "object",
    "required": ["from", "to", "points", "amount"],
    "properties": {"from": TEXT, "to": TEXT, "points": COUNT, "amount": DECIMAL},
}
PAYOUTS = answer(
    game=INTEGER,
    over=FLAG,
    method={"enum": ["difference", "pairwise", "pot", "low-pays"]},
    stake=DECIMAL,
    unit=TEXT,
    debts=listing(_DEBT),
    net=by_name(DECIMAL),
)
LOG = answer(game=INTEGER, all=FLAG, entries=listing(record(event=INTEGER, time=TEXT, kind=TEXT, **ENTRY)))
GAMES = answer(
    games=listing(
        record(
            game=INTEGER,
            label=TEXT,
            rules=TEXT,
            players=listing(TEXT),
            started=TEXT,
            over=FLAG,
            winners=listing(TEXT),
            current=FLAG,
        )
    )
)
CHECK = answer(
    rules=TEXT,
    dice=listing(INTEGER),
    roll=INTEGER,
    instant_win=FLAG,
    categories=listing(record(category=TEXT, points=COUNT)),
)
FIGURE: Schema = {"type": "number"}
CHANCE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
KEPT = record(
    action={"const": "keep"},
    keep=listing(INTEGER),
    expected=FIGURE,
    cost=FIGURE,
    categories=listing(record(category=TEXT, scored=CHANCE, scratched=CHANCE, made=CHANCE)),
)
WRITTEN = record(
    action={"enum": ["score", "scratch"]},
    category=NAME_OR_NULL,
    points=COUNT,
    instant_win=FLAG,
    expected=FIGURE,
    cost=FIGURE,
)
ADVICE = answer(
    game={"type": ["integer", "null"]},
    rules=TEXT,
    player=NAME_OR_NULL,
    dice=listing(INTEGER),
    roll=INTEGER,
    last_roll=INTEGER,
    spares=COUNT,
    total=COUNT,
    maximises=TEXT,
    instant_value={"type": ["integer", "null"]},
    choices=listing({"anyOf": [KEPT, WRITTEN]}),
)
CHANCES_OR_NULL = {"anyOf": [by_name(CHANCE), {"type": "null"}]}
ODDS = answer(
    game=INTEGER,
    over=FLAG,
    rules=TEXT,
    maximises=TEXT,
    method=TEXT,
    stake=DECIMAL,
    unit=TEXT,
    odds=listing(
        record(
            player=TEXT,
            wins=CHANCE,
            instant_wins=CHANCE,
            total=COUNT,
            expected=FIGURE,
            spread=FIGURE,
            payout=DECIMAL,
        )
    ),
)
REVIEW = answer(
    game=INTEGER,
    rules=TEXT,
    over=FLAG,
    maximises=TEXT,
    start=CHANCES_OR_NULL,
    turns=listing(
        record(
            **ENTRY, expected=FIGURE, luck=FIGURE, mistake=FIGURE, best=NAME_OR_NULL, chances=CHANCES_OR_NULL
        )
    ),
    players=by_name(record(total=COUNT, luck=FIGURE, mistakes=FIGURE)),
    costliest=listing(INTEGER),
)
_CHECKED: Mapping[str, Schema] = {
    "state": {"enum": ["fine", "hand-edited", "damaged", "newer", "unreadable", "missing"]},
    "why": NAME_OR_NULL,
    "events": {"type": ["integer", "null"], "minimum": 1},
}
DOCTOR = answer(
    folder=TEXT,
    well=FLAG,
    current=record(
        game={"type": ["integer", "null"]}, why=NAME_OR_NULL, copies=listing(TEXT), advice=NAME_OR_NULL
    ),
    games=listing(
        record(
            game=INTEGER,
            **_CHECKED,
            backup=record(**_CHECKED, behind={"type": ["integer", "null"]}),
            copies=listing(record(file=TEXT, **_CHECKED)),
            advice=listing(TEXT),
        )
    ),
    others=listing(record(file=TEXT, kind={"enum": ["temporary", "kept", "set aside", "foreign"]})),
    saved={"const": False},
)
RESTORED = answer(game=INTEGER, events=INTEGER, kept=NAME_OR_NULL, saved=FLAG)
ACCEPTED = answer(
    game={"type": ["integer", "null"]},
    sealed=FLAG,
    differences=listing(TEXT),
    set_aside=listing(TEXT),
    saved=FLAG,
)
ERROR = answer(error=record(kind=TEXT, message=TEXT, hint=TEXT))

SHAPES: Mapping[tuple[str, ...], Schema] = {
    ("new",): BEGUN,
    ("score",): ENTERED,
    ("scratch",): ENTERED,
    ("undo",): answer(undone=listing(record(kind=TEXT, **ENTRY)), **MOVED),
    ("redo",): answer(redone=listing(record(kind=TEXT, **ENTRY)), **MOVED),
    ("amend",): AMENDED,
    ("sheet",): SHEET,
    ("standings",): standings("player"),
    ("payouts",): PAYOUTS,
    ("log",): LOG,
    ("games",): GAMES,
    ("use",): BEGUN,
    ("rematch",): BEGUN,
    ("delete",): answer(game=INTEGER, deleted=FLAG, saved=FLAG),
    ("check",): CHECK,
    ("advise",): ADVICE,
    ("odds",): ODDS,
    ("review",): REVIEW,
    ("rules",): answer(rules=listing(record(name=TEXT, title=TEXT, source=TEXT))),
    ("rules", "list"): answer(rules=listing(record(name=TEXT, title=TEXT, source=TEXT))),
    ("rules", "show"): answer(rules=TEXT, document=record(), options=listing(record(key=TEXT, value=TEXT))),
    ("rules", "new"): answer(rules=TEXT, path=TEXT, saved=FLAG),
    ("rules", "edit"): answer(rules=TEXT, path=TEXT, saved=FLAG),
    ("rules", "check"): answer(file=TEXT, rules=TEXT, problems=listing(TEXT)),
    ("rules", "path"): answer(path=TEXT),
    ("doctor",): DOCTOR,
    ("help",): answer(text=TEXT),
    ("completion",): answer(text=TEXT),
    (): SHEET,
}
"""By command; () is the bare one, in a game."""
