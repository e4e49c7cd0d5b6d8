"""The documents of who plays how: figures, records and who is ahead of whom."""

from datetime import datetime
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, UnsetType

from generala_cli.render.documents import (
    Chance,
    Count,
    Damaged,
    Fields,
    Names,
    Ordinal,
    by_name,
    document,
    filled,
    many,
    record,
    rounded,
)

if TYPE_CHECKING:  # a document needs nothing of what makes the other answers
    from generala_cli.app import statistics as app_statistics
    from generala_cli.game import statistics
    from generala_cli.rules.ruleset import RuleSet

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


def stats(result: "app_statistics.Figures") -> Struct:
    differences = tuple(
        filled(Difference, found, **_played(kind.rules, kind.kind), sure=found.is_sure)
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
        categories = tuple(filled(InCategory, found, category=found.category.id) for found in each.categories)
        luck = result.luck.get((person.name, each.kind))
        told = _played(each.rules, each.kind)
        judged = dict.fromkeys(LUCK, UNSET) if luck is None else {}
        wins = _whole(each.wins)
        rules.append(filled(UnderRules, each, luck, **told, **judged, wins=wins, categories=categories))
    streaks = filled(Streaks, person.streaks)
    wins = _whole(person.wins)
    return filled(Person, person, player=person.name, wins=wins, streaks=streaks, rules=tuple(rules))


def _whole(wins: float) -> int | float:
    """A whole number as such: only joint wins make it anything else."""
    return int(rounded(wins)) if rounded(wins).is_integer() else rounded(wins)


def _played(rules: "RuleSet", kind: str) -> Fields:
    """Which game it was, with its options."""
    return {"rules": rules.name, "settings": dict(rules.settings), "fingerprint": kind}


def _left_out(looked: "app_statistics.Looked") -> Struct:
    damaged = (Damaged(game=number, message=str(error.message)) for number, error in looked.left_out.damaged)
    return filled(LeftOut, looked.left_out, damaged=tuple(damaged))


def records(result: "app_statistics.Records") -> Struct:
    found = []
    for each in result.records:
        rules = dict.fromkeys(PLAYED) if each.rules is None else _played(each.rules, each.kind)
        started = result.looked.started
        holders = tuple(
            Holder(name=held.name, game=held.game, started=started[held.game]) for held in each.held
        )
        found.append(filled(Best, each, record=each.what, **rules, holders=holders))
    left_out = _left_out(result.looked)
    return Records(games=len(result.looked.games.finished), records=tuple(found), left_out=left_out)


def versus(result: "app_statistics.Versus") -> Struct:
    pairs = []
    for pair in result.pairs:
        duels = tuple(
            filled(
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
        pairs.append(filled(Pair, pair.all, **_met(pair, pair.all), players=names, rules=duels))
    return Versus(pairs=tuple(pairs), left_out=_left_out(result.looked))


def _met(pair: "statistics.HeadToHead", duel: "statistics.Duel") -> Fields:
    return {"ahead": {pair.one: duel.ahead, pair.other: duel.behind}, "sure": duel.is_sure}
