"""One complete game per rule set as a table: the typed line, and the resulting box, points and total.

The text is the golden master. A table is replayed from its first column with `--json` and must give the same
text. To accept new results after reading the diff: `python -m tests.golden_games`.

To begin the table of a new rule set, write the `new` command without `generala`, an empty line, the heading
`typed`, and a line for each entry (`55533 1 full`, `x ones`) until the game is over. The command above fills
in the rest.
"""

import json
import re
import shlex
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.cli.program import run

TABLES = Path(__file__).parent / "golden"
_HEADINGS = ("typed", "player", "box", "points", "total")
_BETWEEN = re.compile(r" {2,}")


def rows(table: str) -> Iterator[list[str]]:
    """Yield the cells of every entry: the typed line, the player, the box, its points, the player's total."""
    _, entries, *_ = table.split("\n\n")
    yield from (_BETWEEN.split(line.strip()) for line in entries.splitlines()[1:])


def played(table: str, home: Path) -> str:
    """Return the table of the game that its commands make in a fresh home."""
    start, *_ = table.splitlines()
    _run(home, start)
    cells = [_HEADINGS, *(_entry(home, typed) for typed, *_ in rows(table))]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(map(_aligned, row, widths, (0, 0, 0, 1, 1))).rstrip() for row in cells]
    return "\n".join([start, "", *lines, "", *_end(home, lines), ""])


def _entry(home: Path, typed: str) -> tuple[str, ...]:
    """Return the entry of a command. Undo and redo give none. A refusal gives its message."""
    found = _run(home, typed)
    if "points" not in found:
        return (typed, found["error"]["kind"] if "error" in found else "", "", "", "")
    points = "x" if found["scratched"] else str(found["points"])
    return (typed, found["player"], found["category"] or "-", points, str(found["total"]))


def _end(home: Path, lines: Sequence[str]) -> Iterator[str]:
    standings, payouts = _run(home, "standings"), _run(home, "payouts")
    assert standings["over"], "\n".join(["this game is not over:", *lines])
    yield f"won by {' and '.join(standings['winners'])} ({standings['reason']})"
    for place in standings["standings"]:
        points = f", {place['game_points']} points" if "game_points" in place else ""
        yield f"{place['place']}. {place.get('player', place.get('team'))} {place['total']}{points}"
    for debt in payouts["debts"]:
        yield f"{debt['from']} owes {debt['to']} {debt['amount']} {payouts['unit']}"


def _run(home: Path, typed: str) -> Any:
    return json.loads(run(*shlex.split(typed), "--json", home=home).out)


def _aligned(cell: str, width: int, is_number: int) -> str:
    return cell.rjust(width) if is_number else cell.ljust(width)


def command_lines(table: str) -> Sequence[str]:
    """Return all that is typed to play the game."""
    return [table.splitlines()[0], *(typed for typed, *_ in rows(table))]


if __name__ == "__main__":
    for path in sorted(TABLES.glob("*.txt")):
        with tempfile.TemporaryDirectory() as home:
            path.write_text(played(path.read_text(encoding="utf-8"), Path(home)), encoding="utf-8")
