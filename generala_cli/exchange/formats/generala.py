"""Games as they are on the disk, for `generala import`; with --all also all other data."""

from collections.abc import Iterable, Iterator
from itertools import chain

from generala_cli.exchange import backup
from generala_cli.exchange.backup import GamePart
from generala_cli.exchange.format import ExportFormat, JoinedNames, OtherPart, PlayedGame, Transaction
from generala_cli.store.sealing import encode


def write(games: Iterable[PlayedGame], others: Iterable[OtherPart] = ()) -> Iterator[str]:
    parts = (GamePart(text=encode(game.file).decode()) for game in games)
    other_parts = (each for each in others if not isinstance(each, Transaction | JoinedNames))
    with backup.joined(map(backup.encode_part, chain(parts, other_parts))) as file:
        yield from (line.decode() for line in file)


FORM = ExportFormat(name="generala", suffix=".generala", write=write, backup=write)
