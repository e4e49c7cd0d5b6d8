from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict

from generala_cli.game.events import Entry, Served, Thrown
from generala_cli.render.documents import Count, Dice, Ordinal


class WrittenEntry(Struct, frozen=True, kw_only=True):
    """An entry. `category` is null for an instant win outside the boxes. `throws` is present if given.

    `served` marks a second throw of all dice that stands de mano, in games with turning.
    """

    player: str
    dice: Dice | None
    roll: Ordinal
    category: str | None
    points: Count
    scratched: bool
    instant_win: bool
    throws: tuple[Thrown, ...] | UnsetType = UNSET
    served: Served = UNSET


class EntryOfTurn(WrittenEntry, frozen=True, kw_only=True):
    """An entry with the number of its turn."""

    turn: Ordinal


def written_entry(entry: Entry) -> WrittenEntry:
    return WrittenEntry(
        player=entry.player,
        dice=entry.dice,
        roll=entry.roll,
        category=entry.category,
        points=entry.points,
        scratched=entry.scratched,
        instant_win=entry.instant_win,
        throws=entry.throws,
        served=entry.served,
    )


def entry_fields(entry: Entry) -> dict[str, Any]:
    return asdict(written_entry(entry))


def entry_of_turn(turn: int, entry: Entry) -> EntryOfTurn:
    return EntryOfTurn(turn=turn, **entry_fields(entry))
