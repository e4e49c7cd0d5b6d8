"""Answers as the JSON documents that scripts rely on: these types are what is written, and its schema.

`version` stays 1: keys are only ever added. A key that only some games have is left out of the others.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import starmap
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from generala_cli.game.events import Staked, TableChange
from generala_cli.game.money import METHODS, plain
from generala_cli.game.standings import contenders, outcome
from generala_cli.messages import Message

if TYPE_CHECKING:  # a document needs nothing of what makes the other answers
    from decimal import Decimal

    from generala_cli.app import doctor, exporting, importing, paying, playing, rulebook, views
    from generala_cli.app import games as app_games
    from generala_cli.app import ledger as app_ledger
    from generala_cli.app import odds as app_odds
    from generala_cli.app import statistics as app_statistics
    from generala_cli.errors import GeneralaError
    from generala_cli.game import statistics
    from generala_cli.game.game import Game
    from generala_cli.game.payouts import Owed
    from generala_cli.odds.advice import Choice
    from generala_cli.rules.ruleset import Category, RuleSet
    from generala_cli.rules.ruleset import UpperBonus as UpperBonusRule
    from generala_cli.store import merging, upgrading
    from generala_cli.store.examining import Checked as StoreChecked
    from generala_cli.store.examining import Owner
    from generala_cli.store.store import StoredGame

_MAXIMISES = "expected final total"
_PAYOUT_PLACES = 6
_PLACES = 9

Fields = dict[str, Any]
"""Keys, in the order in which they are written, and the type of each."""


def record(name: str, tag: tuple[Any, Any] = (None, None), /, **keys: Any) -> type[Struct]:
    """A type of objects with these keys, and a tag; a key that may be unset is left out where it is."""
    fields = [(key, kind, *((UNSET,) if UnsetType in get_args(kind) else ())) for key, kind in keys.items()]
    field, value = tag
    return defstruct(name, fields, frozen=True, kw_only=True, module=__name__, tag_field=field, tag=value)


def document(name: str, /, **keys: Any) -> type[Struct]:
    """A type of whole answers."""
    return record(name, ("version", 1), **keys)


def many(kind: Any) -> Any:
    """Any number of such things."""
    return tuple[kind, ...]


def by_name(kind: Any) -> Any:
    """Such a thing for every name."""
    return dict[str, kind]


Optional = str | None
Count = Annotated[int, Meta(ge=0)]
Ordinal = Annotated[int, Meta(ge=1)]
Amount = Annotated[str, Meta(pattern=r"^-?[0-9]+(\.[0-9]+)?$")]
Chance = Annotated[float, Meta(ge=0, le=1)]
Names, Dice = many(str), many(Ordinal)
Chances = by_name(Chance) | None  # null where a game has too many different totals
Change = int | UnsetType  # of the upper bonus
WHO: Fields = {"player": str | UnsetType, "team": str | UnsetType}  # one of them: teams where there are any

Problem = record("Problem", kind=str, message=str, hint=str, details=Names | UnsetType)
Error = document("Error", error=Problem)
Text = document("Text", text=str)
Version = document("Version", generala=str)
ExitCodes = document("ExitCodes", exit_codes=by_name(str))
Setting = record("Setting", name=str, value=str, origin=str)
Environment = document("Environment", settings=many(Setting))
Installed = document("Installed", shell=str, path=str, note=Optional, saved=bool)
Schemas = document("Schemas", schemas=Names)
Schema = document("Schema", name=str, schema=by_name(Any))

# The category is null for a win beside the sheet.
MADE: Fields = {"category": Optional, "points": Count, "scratched": bool, "instant_win": bool}
Thrown = record("Thrown", dice=Dice, kept=Dice)
THROWS: Fields = {"throws": many(Thrown) | UnsetType}  # those before the last, where they were told
ENTRY: Fields = {"player": str, "dice": Dice | None, "roll": Ordinal, **MADE, **THROWS}
CHANGE = Literal["renamed", "left", "joined", "staked"]
KIND = Literal["scored", "scratched", "amended", "renamed", "left", "joined", "staked", "undone", "redone"]
TO: Fields = {"name": str | UnsetType, "stake": Amount | UnsetType, "unit": str | UnsetType}
CHANGED: Fields = {**TO, "method": str | UnsetType}  # the new name, or what is played for
# A change at the table is no turn and has nothing of an entry but perhaps a player.
NO_TURN: Fields = {"turn": Ordinal | None, "player": Optional, "roll": Ordinal | None}
EVENT: Fields = {"kind": KIND, "turn": Ordinal, **ENTRY, **NO_TURN, **CHANGED}
STATE = Literal["stands", "replaced", "undone"] | None  # null for what took back or put back
Written = record("Written", **ENTRY)
WrittenTurn = record("WrittenTurn", turn=Ordinal, **ENTRY)
Action = record("Action", event=Ordinal, **EVENT, upper_bonus=Change)
LogLine = record(
    "LogLine", event=Ordinal, time=datetime, **EVENT, stands=bool, state=STATE, upper_bonus=Change
)
Worth = record("Worth", category=str, points=Count)
AFTER: Fields = {"over": bool, "next": Optional}
BONUSES: Fields = {"bonus": Count, "upper_bonus": Change}
REPLACED: Fields = {"replaced": Written | UnsetType, "exchanged": WrittenTurn | UnsetType}
ALTERNATIVES: Fields = {"alternatives": many(Worth), "saved": bool, **REPLACED}
Entered = document("Entered", game=Ordinal, turn=Ordinal, **ENTRY, **BONUSES, **AFTER, **ALTERNATIVES)
ACTIONS: Fields = {"undone": many(Action) | UnsetType, "redone": many(Action) | UnsetType}
Moved = document("Moved", game=Ordinal, **ACTIONS, **AFTER, saved=bool)
Changed = document("Changed", game=Ordinal, kind=CHANGE, player=Optional, **CHANGED, **AFTER, saved=bool)
Log = document("Log", game=Ordinal, all=bool, entries=many(LogLine))

Box = record("Box", points=Count, scratched=bool, roll=Ordinal, dice=Dice | None, turn=Ordinal)
Spares = record("Spares", saved=Count, used=Count)
UpperBonus = record("UpperBonus", **{"numbers": Count, "from": Count, "points": Count})
LINES: Fields = {
    "players": Names,
    "left": Names,
    "categories": Names,
    **AFTER,
    "boxes": by_name(by_name(Box | None)),
}
TOTALS: Fields = {"totals": by_name(Count), "settings": by_name(str), "instant_win": WrittenTurn | None}
OF_SOME: Fields = {"spares": by_name(Spares) | UnsetType, "upper_bonus": by_name(UpperBonus) | UnsetType}
Sheet = document("Sheet", game=Ordinal, id=str, rules=str, **LINES, **TOTALS, **OF_SOME)
BlankSheet = document(
    "BlankSheet", rules=str, settings=by_name(str), categories=Names, columns=Ordinal, html=str | UnsetType
)
NoGame = document("NoGame", game=None, hint=str)
Place = record("Place", place=Ordinal, **WHO, total=Count, behind=Count)
REASON = Literal["points", "instant-win"] | None
Standings = document(
    "Standings", game=Ordinal, over=bool, reason=REASON, winners=Names, standings=many(Place)
)
STAKE: Fields = {"method": Literal[tuple(METHODS)], "stake": Amount, "unit": str}
Debt = record("Debt", **{"from": str, "to": str, "points": Count, "amount": Amount})
AMOUNTS = by_name(Amount)
RULE = Literal["difference", "points"] | None
NET: Fields = {"net": AMOUNTS, "instant_win_rule": RULE, "members": AMOUNTS | UnsetType}
Payouts = document("Payouts", game=Ordinal, over=bool, **STAKE, debts=many(Debt), **NET)

START: Fields = {"game": Ordinal, "label": str, "rules": str, "settings": by_name(str), "players": Names}
TERMS: Fields = {"teams": many(Names), "stake": Amount, "unit": str, "method": str}
UNFINISHED = Ordinal | None
Used = document("Used", **START, **TERMS, next=Optional, saved=bool)
Begun = document("Begun", **START, **TERMS, next=Optional, unfinished=UNFINISHED, saved=bool)
SEATS: Fields = {"players": Names, "started": datetime, "over": bool, "winners": Names, "current": bool}
LISTED: Fields = {"game": Ordinal, "id": str, "label": str, "rules": str, "totals": by_name(Count)}
Summary = record("Summary", **LISTED, **SEATS)
Damaged = record("Damaged", game=Ordinal, message=str)
Games = document("Games", games=many(Summary), damaged=many(Damaged))
Deleted = document("Deleted", game=Ordinal, deleted=bool, unfinished=UNFINISHED, used=bool, saved=bool)

Transfer = record("Transfer", **{"from": str, "to": str, "amount": Amount})
LedgerGame = record("LedgerGame", game=Ordinal, id=str, label=str, started=datetime, net=AMOUNTS)
SETTLED: Fields = {"net": AMOUNTS, "transfers": many(Transfer), "fewest": bool}
FROM_TO: Fields = {"from": str, "to": str, "amount": Amount}
Payment = record("Payment", payment=Ordinal, time=datetime, **FROM_TO, unit=str, note=str)
Account = record("Account", unit=str, **SETTLED, games=many(LedgerGame), payments=many(Payment))
PERIOD: Fields = {"since": datetime | None, "until": datetime | None, "with": Names}
WAS: Fields = {"unit": str, "from": str, "to": str, "counts": bool, "was": Amount, "now": Amount}
ChangedGame = record("ChangedGame", game=Ordinal, **WAS)
# changed: since it was paid for. strangers: who paid or was paid, and is in no game.
ALOUD: Fields = {"changed": many(ChangedGame), "strangers": Names, "damaged": many(Damaged)}
Ledger = document("Ledger", **PERIOD, units=many(Account), **ALOUD, saved=bool)
# A game or a payment, the other of which is null.
Reason = record("Reason", game=Ordinal | None, payment=Ordinal | None, time=datetime, **FROM_TO)
PairAccount = record("PairAccount", unit=str, owed=Transfer | None, reasons=many(Reason))
Why = document("Why", **PERIOD, units=many(PairAccount), **ALOUD, saved=bool)
Paid = document("Paid", payments=many(Payment), undone=bool, left=Transfer | None, saved=bool)
Player = record("Player", player=str, names=Names, games=Count, last=datetime | None)
Players = document("Players", players=many(Player), doubles=many(Names), damaged=many(Damaged))
SaidWho = document("SaidWho", names=Names, joined=bool, saved=bool)

Checked = document("Checked", rules=str, dice=Dice, roll=Ordinal, instant_win=bool, categories=many(Worth))
RuleLine = record("RuleLine", name=str, title=str, source=str, path=Optional, problem=Optional)
Rules = document("Rules", rules=many(RuleLine))
RuleOption = record("RuleOption", key=str, value=str, choices=str)
RuleCard = document("RuleCard", rules=str, document=by_name(Any), options=many(RuleOption))
Toml = document("Toml", toml=str)
RuleFile = document("RuleFile", rules=str, path=str, saved=bool)
InOrder = document("InOrder", file=str, rules=str, problems=Names)
Folder = document("Folder", path=str)

Likely = record("Likely", category=str, scored=Chance, scratched=Chance, made=Chance)
FIGURES: Fields = {"expected": float, "cost": float}
Keep = record("Keep", ("action", "keep"), keep=Dice, **FIGURES, categories=many(Likely))
ENTER: Fields = {"category": Optional, "points": Count, "instant_win": bool, **FIGURES}
Score = record("Score", ("action", "score"), **ENTER)
Scratch = record("Scratch", ("action", "scratch"), **ENTER)
ASKED: Fields = {"game": Ordinal | None, "rules": str, "player": Optional}
TURN: Fields = {"dice": Dice, "roll": Ordinal, "last_roll": Ordinal, "spares": Count, "total": Count}
CHOICES: Fields = {"maximises": str, "instant_value": int | None, "choices": many(Keep | Score | Scratch)}
Advice = document("Advice", **ASKED, **TURN, **CHOICES)
WINS: Fields = {"wins": Chance, "instant_wins": Chance, "total": Count, "expected": float, "spread": float}
PlayerOdds = record("PlayerOdds", **WHO, **WINS, payout=Amount)
Odds = document("Odds", game=Ordinal, over=bool, rules=str, maximises=str, **STAKE, odds=many(PlayerOdds))
KeptThrow = record("KeptThrow", roll=Ordinal, dice=Dice, kept=Dice, best=Dice, cost=float)
KEEPING: Fields = {"keeping": float | None, "keeps": many(KeptThrow)}  # null where it is not known
COSTS: Fields = {**KEEPING, "mistake": float, "best": Optional}
JUDGED: Fields = {"expected": float, "luck": float, **COSTS, "chances": Chances}
ReviewedTurn = record("ReviewedTurn", turn=Ordinal, **ENTRY, **JUDGED)
ReviewedPlayer = record("ReviewedPlayer", total=Count, luck=float, keeping=float | None, mistakes=float)
TURNS: Fields = {"start": Chances, "turns": many(ReviewedTurn), "players": by_name(ReviewedPlayer)}
Review = document(
    "Review", game=Ordinal, rules=str, over=bool, maximises=str, **TURNS, costliest=many(Ordinal)
)

PLAYED: Fields = {"rules": str, "settings": by_name(str), "fingerprint": str}
SHARES: Fields = {"boxes": Count, "scratched": Chance, "served": Chance}
InCategory = record("InCategory", category=str, mean=float, best=Count, **SHARES)
Streaks = record("Streaks", now=int, won=Count, lost=Count)
TOTALLED: Fields = {"games": Count, "wins": int | float, "mean": float, "best": Count, "spread": float | None}
LUCK: Fields = {"luck": float | UnsetType, "mistakes": float | UnsetType}  # a game, where asked for
UnderRules = record("UnderRules", **PLAYED, **TOTALLED, **SHARES, **LUCK, categories=many(InCategory))
WON: Fields = {"player": str, "games": Ordinal, "wins": int | float, "win_share": Chance, "streaks": Streaks}
Person = record("Person", **WON, rules=many(UnderRules))
SURE: Fields = {"p": Chance, "sure": bool}
Difference = record("Difference", **PLAYED, ahead=str, behind=str, points=float, **SURE)
LeftOut = record("LeftOut", unfinished=Count, undone=Count, damaged=many(Damaged))
Stats = document("Stats", games=Count, players=many(Person), differences=many(Difference), left_out=LeftOut)
Holder = record("Holder", name=str, game=Ordinal, started=datetime)
RULED: Fields = {key: kind | None for key, kind in PLAYED.items()}  # null for one over all games
Best = record("Best", record=str, **RULED, value=Count, holders=many(Holder))
Records = document("Records", games=Count, records=many(Best), left_out=LeftOut)
MET: Fields = {"games": Count, "ahead": by_name(Count), "level": Count, **SURE}
POINTS: Fields = {"mean": float, "spread": float | None, "points_p": Chance, "points_sure": bool}
Duel = record("Duel", **PLAYED, **MET, **POINTS)
Pair = record("Pair", players=Names, **MET, rules=many(Duel))
Versus = document("Versus", pairs=many(Pair), left_out=LeftOut)

FILE_STATE = Literal["fine", "hand-edited", "damaged", "newer", "unreadable", "missing"]
FILE: Fields = {"state": FILE_STATE, "why": Optional, "events": Count | None}
Backup = record("Backup", **FILE, behind=int | None)
Copy = record("Copy", file=str, **FILE)
GameFiles = record("GameFiles", game=Ordinal, **FILE, backup=Backup, copies=many(Copy), advice=Names)
PaymentFiles = record("PaymentFiles", **FILE, backup=Backup, copies=many(Copy), advice=Names)
Current = record("Current", game=Ordinal | None, why=Optional, copies=Names, advice=Optional)
KIND_OF_FILE = Literal["temporary", "kept", "set aside", "upgraded", "foreign"]
Other = record("Other", file=str, kind=KIND_OF_FILE)
PAYMENTS: Fields = {"payments": PaymentFiles | None}  # null where nothing was ever paid
FILES: Fields = {
    "current": Current,
    "games": many(GameFiles),
    "older": Names,
    "others": many(Other),
}
Doctor = document("Doctor", folder=str, well=bool, **FILES, **PAYMENTS, saved=bool)
Restored = document("Restored", game=Ordinal | None, events=Count, kept=Optional, saved=bool)
SEALED: Fields = {"sealed": bool, "differences": Names, "set_aside": Names, "saved": bool}
Accepted = document("Accepted", game=Ordinal | None, **SEALED)
MovedOver = record("MovedOver", game=Ordinal, kept=Optional, problem=Optional)
Upgraded = document("Upgraded", games=many(MovedOver), saved=bool)

NotExported = record("NotExported", what=str, game=Ordinal | None, why=str)
WRITTEN: Fields = {"file": Optional, "text": Optional, "saved": bool}
Exported = document("Exported", format=str, games=many(Ordinal), left_out=many(NotExported), **WRITTEN)
RESULT: Fields = {"place": Ordinal, "total": Count, "won": bool, "scratched": Count, "served": Count}
ExportedPlayer = record("ExportedPlayer", player=str, team=Optional, seat=Ordinal, **RESULT, left=bool)
OF_GAME: Fields = {"game": Ordinal, "id": str, "label": str, "rules": str, "settings": Names}
COURSE: Fields = {"started": datetime, "ended": datetime, "turns": Count}
ENDED: Fields = {**COURSE, "stake": Amount, "unit": str, "method": str, "reason": REASON, "winners": Names}
ExportedGame = document("ExportedGame", **OF_GAME, **ENDED, players=many(ExportedPlayer))

FATE = Literal["new", "same", "shorter", "longer", "diverged"]
ImportedGame = record("ImportedGame", game=Ordinal, id=str, was=Ordinal, fate=FATE, added=Count)
ToldFile = record("ToldFile", name=str, path=str, fate=Literal["new", "same", "kept"])
CONFIGURED: Fields = {"rules": many(ToldFile), "config": ToldFile | None}
IMPORTED: Fields = {"games": many(ImportedGame), "payments": FATE | None, **CONFIGURED}
Imported = document("Imported", file=str, **IMPORTED, saved=bool)

ANSWERS: Mapping[str, tuple[type[Struct], ...]] = {
    "generala": (Sheet, NoGame, Version),
    **dict.fromkeys(("score", "scratch", "amend"), (Entered,)),
    **dict.fromkeys(("undo", "redo"), (Moved,)),
    **dict.fromkeys(("new", "rematch"), (Begun,)),
    "use": (Used,),
    **dict.fromkeys(("rename", "leave", "join", "stake"), (Changed,)),
    **{kind.__name__.lower(): (kind,) for kind in (Sheet, Standings, Payouts, Log, Odds, Review)},
    "sheet": (Sheet, BlankSheet),
    "advise": (Advice,),
    "games": (Games,),
    "ledger": (Ledger, Why, Paid),
    "pay": (Paid,),
    **dict.fromkeys(("players", "players list"), (Players,)),
    **dict.fromkeys(("players same", "players apart"), (SaidWho,)),
    **{kind.__name__.lower(): (kind,) for kind in (Stats, Records, Versus)},
    "delete": (Deleted,),
    "export": (Exported, ExportedGame),  # the second is a line of NDJSON
    "import": (Imported,),
    "check": (Checked,),
    **dict.fromkeys(("rules", "rules list"), (Rules,)),
    "rules show": (RuleCard, Toml),
    **dict.fromkeys(("rules new", "rules edit"), (RuleFile,)),
    "rules check": (InOrder,),
    "rules path": (Folder,),
    "doctor": (Doctor, Restored, Accepted, Upgraded),
    "help": (Text, Environment, ExitCodes),
    "completion": (Text, Installed),
    "schema": (Schemas, Schema),
    "error": (Error,),
}
"""What each command may answer. Any of them is refused with an error, and tells its help as `help` does."""


def encoded(answer: Struct) -> bytes:
    """A document on one line, in UTF-8, with nothing in it that a terminal could obey."""
    try:
        text = msgspec.json.encode(answer).decode()
    except UnicodeEncodeError:  # half a character, as in a file's name that is not text, has to be escaped
        text = json.dumps(msgspec.to_builtins(answer), separators=(",", ":"))
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else json.dumps(letter)[1:-1] for letter in text)
    return f"{text}\n".encode()


def schema(types: Sequence[type[Struct]]) -> dict[str, Any]:
    """The JSON Schema of a document of one of these types."""
    found, components = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    whole = found[0] if len(found) == 1 else {"anyOf": list(found)}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **whole, "$defs": components}


_CALLED = {
    **dict.fromkeys(("game", "event"), "number"),
    "over": "is_over",
    "next": "to_move",
    "time": "at",
    "from": "debtor",
    "to": "creditor",
    "keep": "kept",
    "all": "everything",
}
"""What some keys are called in the answers, in the game and in its events."""
_NULL_IF_EMPTY = frozenset({"why", "problem", "kept"})


def _of(kind: type[Struct], /, *sources: object, **given: Any) -> Struct:
    """A document, or a part of one: each key as given, or from the first source with such an attribute.

    Its numbers are rounded: more digits mean nothing at a table, and differ from machine to machine.
    """
    for key in kind.__struct_fields__:
        name = _CALLED.get(key, key)
        for source in sources if key not in given else ():
            if hasattr(source, name):
                value = getattr(source, name)
                given[key] = _plain(value)
                break
        if key in _NULL_IF_EMPTY:
            given[key] = given[key] or None
    return kind(**given)


def _round(value: float) -> float:
    return round(float(value), _PLACES) + 0.0  # never minus zero


def _plain(value: object) -> object:
    """A value as it stands in a document, where all that is said is English."""
    match value:
        case float():
            return _round(value)
        case Message():
            return str(value)
        case [Message() | str(), *_]:
            return tuple(map(str, value))
        case _:
            return value


def error(problem: "GeneralaError") -> Struct:
    return Error(error=_of(Problem, problem, details=_plain(problem.details or UNSET)))


def entered(result: "playing.Entered") -> Struct:
    old, game, other = result.replaced, result.game, result.exchanged
    return _of(
        Entered,
        result,
        result.entry,
        game,
        alternatives=tuple(_worth(choice.category, choice.points) for choice in result.alternatives),
        upper_bonus=_upper_bonus(game, result.upper_bonus),
        replaced=UNSET if old is None else _of(Written, old),
        exchanged=UNSET if other is None else _of(WrittenTurn, game.entries[other - 1], turn=other),
    )


def _worth(category: "Category", points: int) -> Struct:
    return Worth(category=category.id, points=points)


def moved(result: "playing.Moved") -> Struct:
    game = result.game
    actions = []
    for step in result.steps:
        bonus = _upper_bonus(game, step.upper_bonus)
        told = _no_entry(step.change)
        actions.append(_of(Action, step, step.entry, step.change, **told, upper_bonus=bonus))
    undone, redone = (actions, UNSET) if result.undone else (UNSET, actions)
    return _of(Moved, result, game, undone=undone, redone=redone)


def changed(result: "playing.Changed") -> Struct:
    kind = type(result.change).__name__.lower()
    return _of(Changed, result, result.change, result.game, **_own(result.change), kind=kind)


def _own(change: TableChange) -> Fields:
    """The keys of a change that are not its attributes."""
    if isinstance(change, Staked):
        return {"player": None, "method": change.payout}
    return {}


def _no_entry(change: TableChange | None) -> Fields:
    """The keys of an event, where that is a change at the table and no turn."""
    if change is None:
        return {}
    nothing = dict.fromkeys(("turn", "dice", "roll", "category"))
    return {**nothing, "points": 0, "scratched": False, "instant_win": False, **_own(change)}


def log(result: "views.Log") -> Struct:
    lines = []
    for line in result.lines:
        state = {"stands": line.state == "stands", "state": line.state or None}
        bonus = _upper_bonus(result.game, line.upper_bonus)
        sources = (line, line.recorded, line.entry, line.change)
        told = {**_no_entry(line.change), **state}
        lines.append(_of(LogLine, *sources, **told, event=line.recorded.n, upper_bonus=bonus))
    return _of(Log, result, entries=tuple(lines))


def _upper_bonus(game: "Game", change: int) -> int | UnsetType:
    return UNSET if game.rules.upper_bonus is None else change


def sheet(stored: "StoredGame") -> Struct:
    game, rules, columns = stored.game, stored.game.rules, stored.game.columns
    categories = tuple(category.id for category in rules.categories)
    boxes = {
        player: {
            name: _of(Box, box) if (box := columns[player].boxes.get(name)) else None for name in categories
        }
        for player in game.seats
    }
    is_won = game.instant_winner is not None  # also where that is in a box
    bonus = rules.upper_bonus
    return _of(
        Sheet,
        stored,
        stored.file,
        game,
        rules=rules.name,
        players=game.seats,
        categories=categories,
        boxes=boxes,
        totals={player: game.total(player) for player in game.seats},
        settings=dict(rules.settings),
        instant_win=_of(WrittenTurn, game.entries[-1], turn=len(game.entries)) if is_won else None,
        spares={name: _of(Spares, column) for name, column in columns.items()} if rules.has_spares else UNSET,
        upper_bonus=UNSET if bonus is None else {name: _numbers(game, name, bonus) for name in game.seats},
    )


def _numbers(game: "Game", player: str, bonus: "UpperBonusRule") -> Struct:
    points = {"from": bonus.threshold, "points": game.upper_bonus(player)}
    return UpperBonus(numbers=game.in_numbers(player), **points)


def blank_sheet(blank: "rulebook.BlankSheet", *, html: str | UnsetType = UNSET) -> Struct:
    rules = blank.rules
    categories = tuple(category.id for category in rules.categories)
    return _of(
        BlankSheet, blank, rules=rules.name, settings=dict(rules.settings), categories=categories, html=html
    )


def standings(stored: "StoredGame") -> Struct:
    found, who = outcome(stored.game), _who(stored.game)
    places = (_of(Place, place, **{who: place.contender.name}) for place in found.standings)
    return _of(Standings, stored, found, over=found.over, standings=tuple(places))


def payouts(result: "views.Settled") -> Struct:
    payout, game = result.payout, result.game
    debts = tuple(_of(Debt, debt, amount=plain(debt.amount)) for debt in payout.debts)
    members = _amounts(payout.members) if game.agreed.sides else UNSET
    return _of(Payouts, payout, result, game, debts=debts, net=_amounts(payout.net), members=members)


def _amounts(of: "Mapping[str, Decimal]") -> dict[str, str]:
    return {name: plain(amount) for name, amount in of.items()}


def _who(game: "Game") -> str:
    return "team" if game.agreed.sides else "player"


def used(result: "StoredGame") -> Struct:
    return _of(Used, result, result.game, result.game.agreed, **_agreed(result.game))


def begun(result: "app_games.Begun") -> Struct:
    stored = result.stored
    return _of(Begun, result, stored, stored.game, stored.game.agreed, **_agreed(stored.game))


def _agreed(game: "Game") -> dict[str, Any]:
    agreed, rules = game.agreed, game.rules
    settings, method = dict(rules.settings), agreed.payout
    keys = {"rules": rules.name, "settings": settings, "players": game.seats, "teams": agreed.sides}
    return {**keys, "method": method}


def deleted(result: "app_games.Deleted") -> Struct:
    return _of(Deleted, result, saved=result.deleted)


def games(result: "app_games.GameList") -> Struct:
    summaries = []
    for game in result.games:
        number, rules, players = game.game, game.agreed.rules.name, tuple(game.result.totals)
        keys = {"game": number, "rules": rules, "players": players, "current": number == result.current}
        over = game.result.next is None
        summaries.append(_of(Summary, game, game.result, game.agreed, over=over, **keys))
    return Games(games=tuple(summaries), damaged=_damaged(result))


def _damaged(result: "app_games.GameList | app_ledger.Ledger | paying.PlayerList") -> tuple[Struct, ...]:
    return tuple(Damaged(game=number, message=problem.message) for number, problem in result.damaged)


def ledger(result: "app_ledger.Ledger") -> Struct:
    from generala_cli.game.payouts import nets  # with decimals, which a ledger has by now

    units = []
    for account in result.accounts:
        settlement = account.settlement
        units.append(
            Account(
                unit=account.unit,
                net=_amounts(settlement.net),
                transfers=tuple(map(_transfer, settlement.transfers)),
                fewest=settlement.is_fewest,
                games=tuple(_of(LedgerGame, game, net=_amounts(nets(game.owed))) for game in account.games),
                payments=tuple(map(_payment, account.payments)),
            )
        )
    return Ledger(**_around(result, result.people), units=tuple(units), saved=False)


def why(result: "app_ledger.Why") -> Struct:
    units = []
    for account in result.accounts:
        reasons = tuple(
            Reason(**_game_or_payment(reason.of), time=reason.at, **_between(reason.owed))
            for reason in account.reasons
        )
        owed = account.owed and _transfer(account.owed)
        units.append(PairAccount(unit=account.unit, owed=owed, reasons=reasons))
    return Why(**_around(result.ledger, result.pair), units=tuple(units), saved=False)


def _game_or_payment(of: "app_ledger.PaidGame | app_ledger.Payment") -> Fields:
    is_payment = hasattr(of, "paid")
    return {"game": None if is_payment else of.number, "payment": of.number if is_payment else None}


def _around(result: "app_ledger.Ledger", people: Sequence[str]) -> Fields:
    """What was asked for, and what there is to tell of it."""
    period = {"since": result.period.since, "until": result.period.until, "with": tuple(people)}
    return {
        **period,
        "changed": tuple(
            ChangedGame(
                **{"game": each.number, "unit": each.unit, "from": each.debtor, "to": each.creditor},
                counts=each.counts,
                was=plain(each.was),
                now=plain(each.now),
            )
            for each in result.changed
        ),
        "strangers": result.strangers,
        "damaged": _damaged(result),
    }


def _payment(made: "app_ledger.Payment") -> Struct:
    paid = made.paid
    names = {"from": paid.payer, "to": paid.payee, "amount": paid.amount}
    return Payment(payment=made.number, time=made.at, **names, unit=paid.unit, note=paid.note)


def paid(result: "paying.Made") -> Struct:
    left = result.left and _transfer(result.left)
    payments = tuple(map(_payment, result.payments))
    return Paid(payments=payments, undone=result.undone, left=left, saved=result.saved)


def players(result: "paying.PlayerList") -> Struct:
    found = tuple(
        Player(player=each.name, names=(each.name, *each.others), games=each.games, last=each.last)
        for each in result.players
    )
    return Players(players=found, doubles=result.doubles, damaged=_damaged(result))


def said_who(result: "paying.SaidWho") -> Struct:
    return _of(SaidWho, result)


def _transfer(owed: "Owed") -> Struct:
    return Transfer(**_between(owed))


def _between(owed: "Owed") -> Fields:
    return {"from": owed.debtor, "to": owed.creditor, "amount": plain(owed.amount)}


def stats(result: "app_statistics.Figures") -> Struct:
    differences = tuple(
        _of(Difference, found, **_played(kind.rules, kind.kind), sure=found.is_sure)
        for kind in result.kinds
        for found in kind.differences
        if result.asked in (None, found.ahead, found.behind)
    )
    people = tuple(_person(person, result) for person in result.people)
    return Stats(
        games=len(result.looked.games.finished),
        players=people,
        differences=differences,
        left_out=_left_out(result.looked),
    )


def _person(person: "statistics.Person", result: "app_statistics.Figures") -> Struct:
    rules = []
    for each in person.rules:
        categories = tuple(_of(InCategory, found, category=found.category.id) for found in each.categories)
        luck = result.luck.get((person.name, each.kind))
        told = _played(each.rules, each.kind)
        judged = dict.fromkeys(LUCK, UNSET) if luck is None else {}
        wins = _whole(each.wins)
        rules.append(_of(UnderRules, each, luck, **told, **judged, wins=wins, categories=categories))
    streaks = _of(Streaks, person.streaks)
    wins = _whole(person.wins)
    return _of(Person, person, player=person.name, wins=wins, streaks=streaks, rules=tuple(rules))


def _whole(wins: float) -> int | float:
    """A whole number as such: only joint wins make it anything else."""
    return int(_round(wins)) if _round(wins).is_integer() else _round(wins)


def _played(rules: "RuleSet", kind: str) -> Fields:
    """Which game it was, with its options."""
    return {"rules": rules.name, "settings": dict(rules.settings), "fingerprint": kind}


def _left_out(looked: "app_statistics.Looked") -> Struct:
    damaged = (Damaged(game=number, message=error.message) for number, error in looked.left_out.damaged)
    return _of(LeftOut, looked.left_out, damaged=tuple(damaged))


def records(result: "app_statistics.Records") -> Struct:
    found = []
    for each in result.records:
        rules = dict.fromkeys(PLAYED) if each.rules is None else _played(each.rules, each.kind)
        started = result.looked.started
        holders = tuple(
            Holder(name=held.name, game=held.game, started=started[held.game]) for held in each.held
        )
        found.append(_of(Best, each, record=each.what, **rules, holders=holders))
    left_out = _left_out(result.looked)
    return Records(games=len(result.looked.games.finished), records=tuple(found), left_out=left_out)


def versus(result: "app_statistics.Versus") -> Struct:
    pairs = []
    for pair in result.pairs:
        duels = tuple(
            _of(
                Duel,
                duel,
                duel.points,
                **_met(pair, duel),
                **_played(duel.rules, duel.kind),
                points_sure=duel.is_sure_of_points,
            )
            for duel in pair.rules
            if duel.rules is not None
        )
        names = (pair.one, pair.other)
        pairs.append(_of(Pair, pair.all, **_met(pair, pair.all), players=names, rules=duels))
    return Versus(pairs=tuple(pairs), left_out=_left_out(result.looked))


def _met(pair: "statistics.HeadToHead", duel: "statistics.Duel") -> Fields:
    return {"ahead": {pair.one: duel.ahead, pair.other: duel.behind}, "sure": duel.is_sure}


def exported(result: "exporting.Exported") -> Struct:
    left_out = tuple(NotExported(what=each.what, game=each.game, why=each.why) for each in result.left_out)
    where = (
        {"file": None, "text": result.text}
        if result.file is None
        else {"file": str(result.file), "text": None}
    )
    return _of(Exported, result, format=result.form.name, left_out=left_out, **where)


def _imported_game(each: "merging.Merged") -> Struct:
    return _of(ImportedGame, each, each.file, game=each.file.game, added=max(0, each.added))


def imported(result: "importing.Imported") -> Struct:
    games = tuple(_imported_game(each) for each in result.games)
    rules = tuple(_of(ToldFile, each, path=str(each.path)) for each in result.rules)
    config = None if result.config is None else _of(ToldFile, result.config, path=str(result.config.path))
    paid = None if result.payments is None else result.payments.fate
    return _of(Imported, result, games=games, payments=paid, rules=rules, config=config)


def check(result: "rulebook.CheckedHand") -> Struct:
    return _of(Checked, result, rules=result.rules.name, categories=tuple(starmap(_worth, result.worths)))


def rule_list(lines: "Iterable[rulebook.RuleLine]") -> Struct:
    return Rules(rules=tuple(_of(RuleLine, line, path=line.path and str(line.path)) for line in lines))


def rule_card(rules: "RuleSet") -> Struct:
    from generala_cli.rules.options import options_of  # only who shows rules needs what reads them
    from generala_cli.rules.rulefile import rules_document

    options = tuple(_of(RuleOption, option) for option in options_of(rules))
    return RuleCard(rules=rules.name, document=rules_document(rules), options=options)


def advice(result: "app_odds.Advised", top: int | None = None) -> Struct:
    """The best choices with a hand, or the top ones."""
    advised = result.advice
    keys = {"rules": result.rules.name, "roll": advised.throw, "last_roll": advised.last}
    choices = tuple(_choice(choice) for choice in advised.choices[:top])
    return _of(Advice, result, advised, result.sheet, **keys, maximises=_MAXIMISES, choices=choices)


def _choice(choice: "Choice") -> Struct:
    from generala_cli.odds.advice import Keeping

    if isinstance(choice, Keeping):
        likely = tuple(_of(Likely, each, category=each.category.id) for each in choice.likely)
        return _of(Keep, choice, categories=likely)
    kind = Score if choice.points or choice.instant_win else Scratch
    return _of(kind, choice, category=choice.category and choice.category.id)


def odds(result: "app_odds.Chances") -> Struct:
    from generala_cli.app.odds import expected_payouts  # with numpy, which odds have by now

    game, agreed = result.game, result.game.agreed
    found = []
    paid = expected_payouts(result.chances, agreed.stake, _PAYOUT_PLACES)
    for chance, payout in zip(result.chances, paid, strict=True):
        totals = {"total": chance.total, "expected": _round(chance.expected.total), "payout": plain(payout)}
        found.append(_of(PlayerOdds, chance.expected, **{_who(game): chance.contender.name}, **totals))
    terms = {"rules": agreed.rules.name, "maximises": _MAXIMISES, "method": agreed.payout}
    return _of(Odds, result, game, agreed, **terms, odds=tuple(found))


def review(result: "app_odds.Review") -> Struct:
    game = result.game
    names = [side.name for side in contenders(game)]
    players = {}
    for player in game.seats:
        figures = {key: getattr(result, key)(player) for key in ("luck", "keeping", "mistakes")}
        told = {key: None if figure is None else _round(figure) for key, figure in figures.items()}
        players[player] = ReviewedPlayer(total=game.total(player), **told)
    turns = tuple(
        _of(
            ReviewedTurn,
            turned,
            turned.judged,
            turned.entry,
            chances=_chances(names, turned.chances),
            keeps=tuple(_of(KeptThrow, kept) for kept in turned.judged.keeps),
        )
        for turned in result.turns
    )
    return _of(
        Review,
        result,
        game,
        rules=game.rules.name,
        maximises=_MAXIMISES,
        start=_chances(names, result.start),
        turns=turns,
        players=players,
        costliest=tuple(turned.turn for turned in result.costliest),
    )


def _chances(names: Sequence[str], of: "app_odds.ToWin") -> dict[str, float] | None:
    """By name; those who had not come yet are left out."""
    return None if of is None else {name: _round(chance) for name, chance in zip(names, of, strict=False)}


def diagnosis(result: "doctor.Diagnosis") -> Struct:
    from generala_cli.app.doctor import advice, current_advice

    found, current = result.examined, result.examined.current
    games, payments = [], None
    for files in found.games:
        backup = _checked(Backup, files.backup, behind=files.behind)
        copies = tuple(_checked(Copy, copy, file=name) for name, copy in files.copies.items())
        beside = {"backup": backup, "copies": copies, "advice": tuple(advice(files))}
        if isinstance(files.number, int):
            games.append(_checked(GameFiles, files.game, game=files.number, **beside))
        else:
            payments = _checked(PaymentFiles, files.game, **beside)
    return Doctor(
        folder=found.directory,
        well=not result.unwell,
        current=_of(Current, current, advice=current_advice(current) or None),
        games=tuple(games),
        payments=payments,
        older=found.older,
        others=tuple(Other(file=name, kind=kind) for name, kind in found.litter.items()),
        saved=False,
    )


def _checked(kind: type[Struct], found: "StoreChecked", **given: Any) -> Struct:
    return _of(kind, found, events=None if found.file is None else len(found.file.events), **given)


def upgraded(result: "tuple[upgrading.Upgraded, ...]", *, saved: bool) -> Struct:
    return Upgraded(games=tuple(_of(MovedOver, one) for one in result), saved=saved)


def restored(result: "doctor.Restored") -> Struct:
    return _of(Restored, result, game=_game(result.owner), events=len(result.file.events))


def accepted(result: "doctor.Acceptance") -> Struct:
    return _of(
        Accepted,
        result,
        game=_game(result.number),
        sealed=result.hand_edited is not None,
        set_aside=result.copies,
    )


def _game(owner: "Owner | None") -> int | None:
    """The number of the game whose file it is; null of any other file."""
    return owner if isinstance(owner, int) else None
