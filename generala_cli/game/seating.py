"""The order of play: opening throws, sides, and finding players by name."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct

from generala_cli.errors import NotAllowed, NotFound, UsageError
from generala_cli.messages import LANGUAGES, lazy, lazy_count, listing, words_for
from generala_cli.remedies import Remedy
from generala_cli.rules.dice import Dice, print_dice
from generala_cli.rules.ruleset import RuleSet, best_opening, can_win_instantly
from generala_cli.text import find_player, find_same, find_word

Openings = Mapping[str, tuple[Dice, ...]]


def seats(
    rules: RuleSet, players: Sequence[str], openings: Openings, sides: Sequence[Sequence[str]] = ()
) -> tuple[str, ...]:
    """Return the order of play: as given or, with opening throws, the lowest hand first.

    If a tie decides something, the tied players throw again (guide: sources, "Who begins"). Under clockwise
    rules, only the first player matters, and the partners if the opening throws made the `sides`.
    """
    if not openings:
        return tuple(players)
    _check_everyone_threw(rules, players, openings)
    if not rules.clockwise:
        return tuple(_by_openings(rules, players, openings, range(1, len(players))))
    deciding: tuple[int, ...] = (1,)
    with suppress(NotAllowed):  # the sides may not come from the throws
        if sides and {*map(frozenset, partnership(rules, players, openings))} == {*map(frozenset, sides)}:
            deciding = (1, 2)
    lowest, *_ = _by_openings(rules, players, openings, deciding)
    first = players.index(lowest)
    return (*players[first:], *players[:first])


def _check_everyone_threw(rules: RuleSet, players: Sequence[str], openings: Openings) -> None:
    if missing := [player for player in players if not openings.get(player)]:
        raise NotAllowed(
            "{player} has no opening throw",
            Remedy("give-openings", player=missing[0], example=rules.example),
            player=missing[0],
        )


def _by_openings(
    rules: RuleSet,
    players: Sequence[str],
    openings: Openings,
    deciding: Sequence[int],
    throw: int = 0,
    place: int = 0,
) -> Iterator[str]:
    """Yield players by their opening throws, lowest first; ties at the `deciding` places are refused."""
    if not any(place < cut < place + len(players) for cut in deciding):
        for player in players:
            if len(openings[player]) > throw:
                hand = print_dice(openings[player][throw])
                what = lazy(
                    "{player}'s extra opening throw {hand} does not break a tie", player=player, hand=hand
                )
                raise NotAllowed(what, "remove it")
        yield from players
        return
    if any(len(openings[player]) <= throw for player in players):
        raise NotAllowed(
            "{players} tie on the opening throw",
            Remedy("throw-again", first=players[0]),
            players=listing(players, "and"),
        )
    values = {player: opening_value(rules, openings[player][throw]) for player in players}
    for value in sorted(set(values.values())):
        equal = [player for player in players if values[player] == value]
        yield from _by_openings(rules, equal, openings, deciding, throw + 1, place)
        place += len(equal)


def opening_value(rules: RuleSet, dice: Dice) -> tuple[bool, int]:
    return can_win_instantly(rules, dice, 1), best_opening(rules, dice, 1)


def partnership(
    rules: RuleSet, players: Sequence[str], openings: Openings
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the sides of a partnership: the two lowest opening hands against the two highest (Scarne)."""
    if len(players) != 4:
        what = lazy("a partnership needs four players, not {number}", number=len(players))
        raise NotAllowed(what, Remedy("name-sides"))
    _check_everyone_threw(rules, players, openings)
    deciding = (1, 2) if rules.clockwise else (1, 2, 3)
    order = tuple(_by_openings(rules, players, openings, deciding))
    return order[:2], order[2:]


def sides(players: Sequence[str], teams: Sequence[str], *, uneven: bool) -> tuple[tuple[str, ...], ...]:
    """Return the sides for texts such as `Ana+Cora`. Names may be shortened and may contain a `+`."""
    found = tuple(tuple(_members(team, players)) for team in teams)
    if found:
        check_sides(players, found, uneven=uneven)
    return found


def check_sides(players: Sequence[str], found: Sequence[Sequence[str]], *, uneven: bool) -> None:
    """Refuse sides unless everyone is on exactly one of at least two, all of one size unless `uneven`."""
    members = [player for side in found for player in side]
    if strangers := [member for member in members if member not in players]:
        what = lazy("{player} is on a side but not in the game", player=strangers[0])
        raise NotAllowed(what, "use only names of players in the game")
    if repeated := [player for player in members if members.count(player) > 1]:
        what = lazy("{player} is on a side twice", player=repeated[0])
        raise NotAllowed(what, "put every player on one side")
    if missing := [player for player in players if player not in members]:
        on_none, count = listing(missing, "and"), len(missing)
        what = lazy_count("{players} is on no side", "{players} are on no side", count, players=on_none)
        raise NotAllowed(what, "put every player on one side")
    if len(found) < 2:
        raise NotAllowed(
            "a single side has no opponent",
            Remedy("name-sides"),
        )
    names = [side_name(side) for side in found]
    if not all(found) or len(set(names)) < len(names):
        raise NotAllowed(
            "two sides have the same name, or a side is empty",
            "choose player names that make the sides different",
        )
    if not uneven and len({len(side) for side in found}) > 1:
        raise NotAllowed(
            "the sides differ in size",
            Remedy("allow-uneven"),
        )


def _members(team: str, players: Sequence[str]) -> Iterator[str]:
    """Yield the members of a side. A whole name with a `+` in it is not split."""
    parts = team.split("+")
    while parts:
        for taken in range(len(parts), 0, -1):
            name = "+".join(parts[:taken]).strip()
            if taken == 1 or find_same(name, players):
                if not name:
                    raise UsageError(
                        "the side {team!r} has an empty name",
                        Remedy("name-side", names="Ana+Beto"),
                        team=team,
                    )
                yield _member(name, team, players)
                parts = parts[taken:]
                break


def _member(name: str, team: str, players: Sequence[str]) -> str:
    try:
        return find_player(name, players)
    except NotFound:
        if len(meant := list_names([team]).names) < 2:
            raise
        joined = "+".join(meant)
        raise UsageError(
            "{team!r} is not a side: join its names with +",
            Remedy("name-side", names=repr(joined) if " " in joined else joined),
            team=team,
        ) from None


class ListedNames(Struct, frozen=True, kw_only=True):
    """The names in a list; `joined` are those next to a joining word, as in `Mirta y Ñato`."""

    names: tuple[str, ...]
    joined: tuple[str, ...]


JOINING_WORDS = words_for("a word that joins two names, as in Ana and Beto", "and, &")


def list_names(words: Iterable[str], known: Sequence[str] = ()) -> ListedNames:
    """Read a list of names, separated by commas or joining words; `known` names are never split."""
    parts: list[str] = []
    for word in _without_articles([*words]):
        split = [part.strip() for part in word.split(",")]
        parts += filter(None, split) if len(split) > 1 and not find_same(word, known) else (word,)
    are_long = any(len(part.strip()) > 1 for part in parts)  # X Y Z are three players
    names: list[str] = []
    joined: dict[str, None] = {}
    for index, part in enumerate(parts):
        if find_same(part, known):
            names.append(part)
            continue
        if 0 < index < len(parts) - 1 and (len(part) > 1 or are_long) and _joins(part):
            joined |= dict.fromkeys((names[-1], parts[index + 1]))
            continue
        first, _, rest = part.partition(" ")
        is_last_of_many = index and rest.strip() and len(first) > 1 and _joins(first)
        found = _names_joined(rest.strip() if is_last_of_many else part)
        joined |= dict.fromkeys(found if len(found) > 1 else ())
        names += found
    return ListedNames(names=tuple(names), joined=tuple(joined))


def _without_articles(words: Sequence[str]) -> Iterator[str]:
    """Yield the words of a list of names without the articles in `el Negro y la Caro`."""
    articles = LANGUAGES.typed.words(_ARTICLES)
    for word, after in zip(words, (*words[1:], ""), strict=False):
        if not (word in articles and len(after) > 1 and after[0].isupper()):
            yield word


_ARTICLES = words_for("an article before the name of a player", "the")


def _names_joined(part: str) -> Sequence[str]:
    words = part.split()
    between = [index for index in range(1, len(words) - 1) if _joins(words[index])]
    if not between:
        return (part,)
    starts = (0, *(index + 1 for index in between))
    names = (" ".join(words[start:end]) for start, end in zip(starts, (*between, None), strict=True))
    return [*filter(None, names)]


def _joins(word: str) -> bool:
    is_initial = len(word) == 1 and word.isupper()
    return not is_initial and find_word(word, {True: JOINING_WORDS}) is True


def side_name(members: Iterable[str]) -> str:
    return "+".join(members)
