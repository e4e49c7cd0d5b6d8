"""Who sits where: opening throws, sides, and whose name is whose."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from generala_cli.errors import Mistyped, NotAllowed, NotFound
from generala_cli.messages import listing, tell, tell_count
from generala_cli.rules.dice import Dice, print_dice
from generala_cli.rules.ruleset import RuleSet, best_worth, can_win_instantly
from generala_cli.text import find, same_name

Openings = Mapping[str, tuple[Dice, ...]]


def seats(rules: RuleSet, players: Sequence[str], openings: Openings) -> tuple[str, ...]:
    """The order of play: as given, or by the opening throws, the lowest first.

    Equal hands throw again among themselves where it decides something (rules.md, Who begins); where the
    others follow clockwise, only who begins is thrown for.
    """
    if not openings:
        return tuple(players)
    if rules.clockwise:
        _check_everyone_threw(players, openings)
        first = players.index(_lowest(rules, list(players), openings, 0))
        return (*players[first:], *players[:first])
    return lowest_first(rules, players, openings)


def lowest_first(rules: RuleSet, players: Sequence[str], openings: Openings) -> tuple[str, ...]:
    """The players by their opening throws, the lowest first; equal hands by their further throws."""
    _check_everyone_threw(players, openings)
    return tuple(_lowest_first(rules, list(players), openings, 0))


def _check_everyone_threw(players: Sequence[str], openings: Openings) -> None:
    if missing := [player for player in players if not openings.get(player)]:
        raise NotAllowed(
            "{player} has no opening throw",
            "give one for everyone: --opening {player}=DICE",
            player=missing[0],
        )


def _lowest(rules: RuleSet, players: list[str], openings: Openings, throw: int) -> str:
    """Who has the lowest hand, ties broken by the next throw of those who tie, and of nobody else."""
    values = _values(rules, players, openings, throw)
    least = min(values.values())
    lowest = [player for player in players if values[player] == least]
    for player in players:
        if player not in lowest or len(lowest) == 1:
            _refuse_further(player, openings, throw + 1)
    return lowest[0] if len(lowest) == 1 else _lowest(rules, lowest, openings, throw + 1)


def _lowest_first(rules: RuleSet, players: list[str], openings: Openings, throw: int) -> Iterator[str]:
    """The players, who are equal so far, by their throw of that index, ties by the next one."""
    if len(players) == 1:
        _refuse_further(players[0], openings, throw)
        yield players[0]
        return
    values = _values(rules, players, openings, throw)
    for value in sorted(set(values.values())):
        yield from _lowest_first(rules, [p for p in players if values[p] == value], openings, throw + 1)


def _values(
    rules: RuleSet, players: list[str], openings: Openings, throw: int
) -> dict[str, tuple[bool, int]]:
    """What each player's throw of that index is worth; they tie so far."""
    if any(len(openings[player]) <= throw for player in players):
        raise NotAllowed(
            "{players} tie on the opening throw",
            "they throw again: --opening {first}=DICE,DICE gives the throw and the one after it",
            players=listing(players, "and"),
            first=players[0],
        )
    return {player: opening_value(rules, openings[player][throw]) for player in players}


def _refuse_further(player: str, openings: Openings, throw: int) -> None:
    if len(openings[player]) > throw:
        hand = print_dice(openings[player][throw])
        what = tell("{player}'s further opening throw {hand} breaks no tie", player=player, hand=hand)
        raise NotAllowed(what, "leave it out")


def opening_value(rules: RuleSet, dice: Dice) -> tuple[bool, int]:
    """What an opening hand is worth, for comparing: the most points on an empty sheet as a first throw.

    A hand that would win instantly is the highest, whatever its points. In what order the sheet must be
    filled plays no part: it is the hand that is compared.
    """
    return can_win_instantly(rules, dice, 1), best_worth(rules, dice, 1)


def partnership(order: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The two sides of a partnership: the two lowest opening hands against the two highest (Scarne)."""
    if len(order) != 4:
        what = tell("a partnership is four players, not {number}", number=len(order))
        raise NotAllowed(what, "use --team for other sides")
    return tuple(order[:2]), tuple(order[2:])


def sides(players: Sequence[str], teams: Sequence[str], *, uneven: bool) -> tuple[tuple[str, ...], ...]:
    """The sides that `Ana+Cora` and so on name.

    Args:
        players: everyone at the table.
        teams: each side as typed; names may be shortened, and may hold a `+` themselves.
        uneven: whether sides may differ in size.
    """
    found = tuple(tuple(_members(team, players)) for team in teams)
    if found:
        check_sides(players, found, uneven=uneven)
    return found


def check_sides(players: Sequence[str], found: Sequence[Sequence[str]], *, uneven: bool) -> None:
    """Everyone on exactly one side, two sides at least, of one size unless said so."""
    members = [player for side in found for player in side]
    if strangers := [member for member in members if member not in players]:
        what = tell("{player} is on a side but not in the game", player=strangers[0])
        raise NotAllowed(what, "put only players on sides")
    if repeated := [player for player in members if members.count(player) > 1]:
        what = tell("{player} is on a side twice", player=repeated[0])
        raise NotAllowed(what, "put every player on one side")
    if missing := [player for player in players if player not in members]:
        on_none, count = listing(missing, "and"), len(missing)
        what = tell_count("{players} is on no side", "{players} are on no side", count, players=on_none)
        raise NotAllowed(what, "put every player on one side")
    if len(found) < 2:
        raise NotAllowed("one side alone has nobody to play against", "give another --team")
    names = [side_name(side) for side in found]
    if not all(found) or len(set(names)) < len(names):
        raise NotAllowed("two sides go by one name, or one is empty", "name the players so that sides differ")
    if not uneven and len({len(side) for side in found}) > 1:
        raise NotAllowed("the sides differ in size", "say so with --uneven, if it is meant")


def _members(team: str, players: Sequence[str]) -> Iterator[str]:
    """Each member, a name with a `+` in it being taken whole first."""
    parts = team.split("+")
    while parts:
        for taken in range(len(parts), 0, -1):
            name = "+".join(parts[:taken]).strip()
            if taken == 1 or any(same_name(name) == same_name(player) for player in players):
                if not name:
                    raise Mistyped("--team {team!r} has an empty name", "write --team Ana+Beto", team=team)
                yield _member(name, team, players)
                parts = parts[taken:]
                break


def _member(name: str, team: str, players: Sequence[str]) -> str:
    try:
        return find_player(name, players)
    except NotFound:
        if len(meant := list(split_names([team]))) < 2:
            raise
        joined = "+".join(meant)
        raise Mistyped(
            "the names of a side have + between them, not as in {team!r}",
            "type --team {names}",
            team=team,
            names=repr(joined) if " " in joined else joined,
        ) from None


def split_names(words: Iterable[str]) -> Iterator[str]:
    """The names in some words; commas part them too: `Ana,Beto`, or `Ana,` and `Beto`."""
    for word in words:
        parts = [part.strip() for part in word.split(",")]
        yield from filter(None, parts) if len(parts) > 1 else (word,)


def find_player(wanted: str, players: Sequence[str]) -> str:
    """The player meant by a name, in any case, or by an unambiguous start of one."""
    same = [player for player in players if same_name(player) == same_name(wanted)]
    return same[0] if same else find(wanted, {player: (player,) for player in players}, "player")


def side_name(members: Sequence[str]) -> str:
    """What a side is called: `Ana+Cora`."""
    return "+".join(members)
