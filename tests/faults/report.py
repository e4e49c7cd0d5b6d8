"""Write the figures that the tests reported into the README of this folder, as a table between two comments.

    GENERALA_FAULT_REPORT=figures.jsonl pytest tests/faults
    python tests/faults/report.py figures.jsonl tests/faults/README.md

Any test may report. A line is `{"promise": str, "how": str, "runs": int, "losses": int}`, written by
`harness.report`. Lines with the same promise and how are added up and sorted, so that the same figures give
the same table.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

START, END = "<!-- faults -->", "<!-- /faults -->"


def table(lines: Iterable[str]) -> str:
    """Return the figures as a Markdown table, added up and sorted.

    Raises:
        ValueError: a line is not a figure.
    """
    runs: Counter[tuple[str, str]] = Counter()
    losses: Counter[tuple[str, str]] = Counter()
    for line in filter(str.strip, lines):
        promise, how, tried, lost = _figure(line)
        runs[promise, how] += tried
        losses[promise, how] += lost
    rows = (
        f"| {_cell(key[0])} | {_cell(key[1])} | {runs[key]:,} | {losses[key]:,} |" for key in sorted(runs)
    )
    return "\n".join(["| promise | how it was tried | runs | losses |", "|---|---|--:|--:|", *rows])


def put_between(text: str, figures: str) -> str:
    """Return a document with the table between the two comments. Repeating this changes nothing.

    Raises:
        ValueError: the comments are not there, once each and in order.
    """
    before, start, rest = text.partition(START)
    _, end, after = rest.partition(END)
    if not start or not end or START in rest or END in before + after:
        raise ValueError(f"there is no one place between {START} and {END}")
    return f"{before}{START}\n{figures}\n{END}{after}"


def _figure(line: str) -> tuple[str, str, int, int]:
    match json.loads(line):
        case {"promise": str(promise), "how": str(how), "runs": int(runs), "losses": int(losses)}:
            return promise, how, runs, losses
        case _:
            raise ValueError(f"not a figure: {line.strip()}")


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def main(figures: str, document: str) -> None:
    """Write the table of one file into another."""
    target = Path(document)
    with Path(figures).open(encoding="utf-8") as lines:
        new = put_between(target.read_text(encoding="utf-8"), table(lines))
    target.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
