"""One row per entry (RFC 4180)."""

import csv
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache, partial
from io import StringIO

from msgspec import to_builtins

from generala_cli.exchange.format import ExportFormat, PlayedGame
from generala_cli.game.seating import side_name
from generala_cli.rules.dice import print_dice
from generala_cli.rules.fingerprint import known
from generala_cli.text import guarded

COLUMNS = (
    *("game", "id", "label", "rules", "fingerprint", "settings", "started", "turn", "entered"),
    *("entered_by", "player", "played_as", "team", "dice", "throw", "category", "points"),
    *("upper_bonus", "extra_bonus", "scratched", "served", "instant_win", "version"),
)
VERSION = 2
"""The version of the columns. Raise it if a column changes its name or meaning."""
_dice = cache(print_dice)


def write(games: Iterable[PlayedGame], *, is_guarded: bool = True) -> Iterator[str]:
    """Yield the header and the rows; `is_guarded` escapes spreadsheet formulas."""
    yield f"{','.join(COLUMNS)}\r\n"
    for game in games:
        yield "".join(_rows(game, partial(_cell, is_guarded)))


def _rows(game: PlayedGame, cell: Callable[[str], str]) -> Iterator[str]:
    file, agreed, rules = game.file, game.agreed, known(game.agreed.rules)
    started, *times = to_builtins([file.started, *(turn.at for turn in game.turns)])
    about = (
        f"{file.game},{file.id},{cell(agreed.label)},{cell(agreed.rules.name)},"
        f"{rules.fingerprint},{cell(rules.settings)},{started}"
    )
    teams = {player: side_name(map(game.shown, side)) for side in agreed.sides for player in side}
    who = {
        player: f"{cell(game.shown(player))},{cell(player)},{cell(teams.get(player, ''))}"
        for player in file.result.totals
    }
    ids = {line.id: cell(line.id) for line in agreed.rules.categories} | {None: ""}
    for turn, at in zip(game.turns, times, strict=True):
        entry = turn.entry
        served = int(entry.price_roll == 1 and not entry.scratched)
        yield (
            f"{about},{turn.number},{at},{cell(turn.by or '')},{who[entry.player]},"
            f"{_dice(entry.dice or ())},{entry.roll},{ids[entry.category]},{entry.points},"
            f"{turn.bonuses.upper},{turn.bonuses.extra},{int(entry.scratched)},{served},"
            f"{int(entry.instant_win)},{VERSION}\r\n"
        )


@lru_cache(1000)
def _cell(is_guarded: bool, text: str) -> str:
    """Return a text, quoted if necessary. An empty text is `""`, not a missing value."""
    if not text:
        return '""'
    line = StringIO()
    csv.writer(line, lineterminator="").writerow((guarded(text) if is_guarded else text, ""))
    return line.getvalue().removesuffix(",")


FORM = ExportFormat(
    name="csv",
    suffix=".csv",
    write=write,
    write_plainly=partial(write, is_guarded=False),
    judged=False,
    by_person=True,
)
