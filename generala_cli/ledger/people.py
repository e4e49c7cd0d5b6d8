from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import combinations

from generala_cli.errors import NotAllowed, NotFound, UsageError
from generala_cli.game.people import People
from generala_cli.game.starting import parse_name
from generala_cli.ledger import storing
from generala_cli.ledger.answers import NamesChanged, Player, PlayerList
from generala_cli.ledger.payments import NameParted, NamesJoined, PaymentEvent, Payments
from generala_cli.ledger.sources import GamesRead, people_of, read_games
from generala_cli.messages import lazy, listing
from generala_cli.progress import Progress, no_progress
from generala_cli.remedies import in_shell
from generala_cli.store.sealing import new_id
from generala_cli.store.store import Store
from generala_cli.text import find_player, normalize

_NEVER = datetime.min.replace(tzinfo=UTC)


def players(store: Store, progress: Progress = no_progress) -> PlayerList:
    stored, read = storing.load(store), read_games(store, progress)
    people = people_of(read, stored)
    games: dict[str, list[datetime]] = {person: [] for person in people.everyone}
    for table in read.tables:
        for person in {people.shown(name) for name in table.players}:
            games[person].append(table.started)
    found = [
        Player(player=name, names=people.names_of(name), games=len(seen), last=max(seen, default=None))
        for name, seen in games.items()
    ]
    found.sort(key=lambda player: player.last or _NEVER, reverse=True)
    together = _played_together(read, people)
    doubles = tuple(pair for pair in people.doubles() if frozenset(pair) not in together)
    return PlayerList(
        players=tuple(found),
        doubles=doubles,
        damaged=read.damaged,
        damaged_tournaments=read.damaged_tournaments,
    )


def _played_together(read: GamesRead, people: People) -> dict[frozenset[str], int]:
    return {
        frozenset(pair): table.game
        for table in read.tables
        for pair in combinations(dict.fromkeys(map(people.shown, table.players)), 2)
    }


def join_names(store: Store, names: Sequence[str], *, dry_run: bool = False) -> NamesChanged:
    """Record that these names belong to one person, shown under the first. Some may be new, but not all."""
    read = read_games(store, strict=True)
    people = people_of(read, storing.load(store))
    found = list(_joined_names(people, names))
    new = tuple(name for name in found if name not in people.everyone)
    if len(new) == len(found):  # all names are new: raise the error
        people.find(names[0])
    together = _played_together(read, people)
    for pair in combinations(dict.fromkeys(found), 2):
        if number := together.get(frozenset(pair)):
            raise NotAllowed(
                "{names} both play in game {number}, so they are different people",
                in_shell(lazy("generala rename changes a name in one game")),
                names=listing(pair, "and"),
                number=number,
            )
    if len({*found}) == 1 < len(found):
        if not all(map(people.has, names)):
            raise UsageError(
                "{names} are short for {player}",
                "type each name in full",
                names=listing(names, "and"),
                player=found[0],
            )
        raise NotAllowed(
            "{names} are already one person",
            in_shell(lazy("generala players lists them")),
            names=listing(names, "and"),
        )
    joined = NamesJoined(id=new_id(), names=tuple(found))
    stored = storing.change(store, lambda _: [joined], dry_run=dry_run)
    return NamesChanged(
        names=tuple(found),
        new=new,
        joined=True,
        damaged=read.damaged,
        damaged_tournaments=read.damaged_tournaments,
        saved=stored.saved,
    )


def _joined_names(people: People, names: Sequence[str]) -> Iterator[str]:
    """Yield the person for each name, or a new name, even a prefix such as `Ana` of `Anastasia`."""
    whole = [normalize(name) for name in names if people.has(name)]
    for name in names:
        if not people.has(name) and any(each.startswith(normalize(name)) for each in whole):
            yield parse_name(name)
            continue
        try:
            yield people.find(name)
        except NotFound:
            yield parse_name(name)


def part_name(store: Store, name: str, *, dry_run: bool = False) -> NamesChanged:
    read = read_games(store, strict=True)
    people = people_of(read, storing.load(store))
    found = find_player(name, [each for person in people.everyone for each in people.names_of(person)])

    def decide(payments: Payments) -> Sequence[PaymentEvent]:
        is_joined = any(found in group for group in payments.joined)
        return [NameParted(id=new_id(), name=found)] if is_joined else []

    stored = storing.change(store, decide, dry_run=dry_run)
    return NamesChanged(
        names=(found,),
        joined=False,
        damaged=read.damaged,
        damaged_tournaments=read.damaged_tournaments,
        saved=stored.saved,
    )
