"""The documents of a game: what is written into it, the sheet and what it comes to, and the list of games."""

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from msgspec import UNSET, Struct, UnsetType

from generala_cli.game.events import Staked, TableChange
from generala_cli.game.money import plain
from generala_cli.game.standings import outcome
from generala_cli.render.documents import (
    AMOUNTS,
    REASON,
    STAKE,
    WHO,
    Amount,
    Count,
    Damaged,
    Dice,
    Fields,
    Names,
    Optional,
    Ordinal,
    Worth,
    amounts,
    by_name,
    damaged,
    document,
    filled,
    many,
    record,
    worth,
)

if TYPE_CHECKING:  # a document needs nothing of what makes the other answers
    from generala_cli.app import games as app_games
    from generala_cli.app import playing, rulebook, views
    from generala_cli.game.game import Game
    from generala_cli.rules.ruleset import UpperBonus as UpperBonusRule
    from generala_cli.store.store import StoredGame

Change = int | UnsetType  # of the upper bonus
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
Standings = document(
    "Standings", game=Ordinal, over=bool, reason=REASON, winners=Names, standings=many(Place)
)
Debt = record("Debt", **{"from": str, "to": str, "points": Count, "amount": Amount})
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
Games = document("Games", games=many(Summary), damaged=many(Damaged))
Deleted = document("Deleted", game=Ordinal, deleted=bool, unfinished=UNFINISHED, used=bool, saved=bool)


def entered(result: "playing.Entered") -> Struct:
    old, game, other = result.replaced, result.game, result.exchanged
    return filled(
        Entered,
        result,
        result.entry,
        game,
        alternatives=tuple(worth(choice.category, choice.points) for choice in result.alternatives),
        upper_bonus=_upper_bonus(game, result.upper_bonus),
        replaced=UNSET if old is None else filled(Written, old),
        exchanged=UNSET if other is None else filled(WrittenTurn, game.entries[other - 1], turn=other),
    )


def moved(result: "playing.Moved") -> Struct:
    game = result.game
    actions = []
    for step in result.steps:
        bonus = _upper_bonus(game, step.upper_bonus)
        told = _no_entry(step.change)
        actions.append(filled(Action, step, step.entry, step.change, **told, upper_bonus=bonus))
    undone, redone = (actions, UNSET) if result.undone else (UNSET, actions)
    return filled(Moved, result, game, undone=undone, redone=redone)


def changed(result: "playing.Changed") -> Struct:
    kind = type(result.change).__name__.lower()
    return filled(Changed, result, result.change, result.game, **_own(result.change), kind=kind)


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
        lines.append(filled(LogLine, *sources, **told, event=line.recorded.n, upper_bonus=bonus))
    return filled(Log, result, entries=tuple(lines))


def _upper_bonus(game: "Game", change: int) -> int | UnsetType:
    return UNSET if game.rules.upper_bonus is None else change


def sheet(stored: "StoredGame") -> Struct:
    game, rules, columns = stored.game, stored.game.rules, stored.game.columns
    categories = tuple(category.id for category in rules.categories)
    boxes = {
        player: {
            name: filled(Box, box) if (box := columns[player].boxes.get(name)) else None
            for name in categories
        }
        for player in game.seats
    }
    is_won = game.instant_winner is not None  # also where that is in a box
    bonus = rules.upper_bonus
    spares = {name: filled(Spares, column) for name, column in columns.items()}
    return filled(
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
        instant_win=filled(WrittenTurn, game.entries[-1], turn=len(game.entries)) if is_won else None,
        spares=spares if rules.has_spares else UNSET,
        upper_bonus=UNSET if bonus is None else {name: _numbers(game, name, bonus) for name in game.seats},
    )


def _numbers(game: "Game", player: str, bonus: "UpperBonusRule") -> Struct:
    points = {"from": bonus.threshold, "points": game.upper_bonus(player)}
    return UpperBonus(numbers=game.in_numbers(player), **points)


def blank_sheet(blank: "rulebook.BlankSheet", *, html: str | UnsetType = UNSET) -> Struct:
    rules = blank.rules
    categories = tuple(category.id for category in rules.categories)
    return filled(
        BlankSheet, blank, rules=rules.name, settings=dict(rules.settings), categories=categories, html=html
    )


def standings(stored: "StoredGame") -> Struct:
    found, key = outcome(stored.game), who(stored.game)
    places = (filled(Place, place, **{key: place.contender.name}) for place in found.standings)
    return filled(Standings, stored, found, over=found.over, standings=tuple(places))


def payouts(result: "views.Settled") -> Struct:
    payout, game = result.payout, result.game
    debts = tuple(filled(Debt, debt, amount=plain(debt.amount)) for debt in payout.debts)
    members = amounts(payout.members) if game.agreed.sides else UNSET
    return filled(Payouts, payout, result, game, debts=debts, net=amounts(payout.net), members=members)


def who(game: "Game") -> str:
    """The key of those who play against each other."""
    return "team" if game.agreed.sides else "player"


def used(result: "StoredGame") -> Struct:
    return filled(Used, result, result.game, result.game.agreed, **_agreed(result.game))


def begun(result: "app_games.Begun") -> Struct:
    stored = result.stored
    return filled(Begun, result, stored, stored.game, stored.game.agreed, **_agreed(stored.game))


def _agreed(game: "Game") -> dict[str, Any]:
    agreed, rules = game.agreed, game.rules
    settings, method = dict(rules.settings), agreed.payout
    keys = {"rules": rules.name, "settings": settings, "players": game.seats, "teams": agreed.sides}
    return {**keys, "method": method}


def deleted(result: "app_games.Deleted") -> Struct:
    return filled(Deleted, result, saved=result.deleted)


def games(result: "app_games.GameList") -> Struct:
    summaries = []
    for game in result.games:
        number, rules, players = game.game, game.agreed.rules.name, tuple(game.result.totals)
        keys = {"game": number, "rules": rules, "players": players, "current": number == result.current}
        over = game.result.next is None
        summaries.append(filled(Summary, game, game.result, game.agreed, over=over, **keys))
    return Games(games=tuple(summaries), damaged=damaged(result))
