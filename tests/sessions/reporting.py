"""The results of the harness, for the table of tests/faults: one line for each run of a promise."""

import json
import os
from pathlib import Path

DAMAGED = "A damaged file is named, untouched, and harms no other game"
FUZZ = "No input causes a traceback, a hang, or output that a terminal would obey"
SURROUNDINGS = "Hostile surroundings are told in one sentence"
MANY_HANDS = "Commands run at the same time lose nothing"
SYNCED = "Conflict copies are noticed, never merged"
MET = "Games of two machines that meet lose nothing"
WORLD = "Machines that share a folder lose nothing, count nothing twice, and come to the same"
"""The promises, as the table of tests/faults has them."""


def report(promise: str, how: str, *, runs: int, losses: int = 0) -> None:
    """Append a line to the file in GENERALA_FAULT_REPORT, in one write, because tests run in parallel."""
    name = os.environ.get("GENERALA_FAULT_REPORT")
    if not name:
        return
    line = json.dumps({"promise": promise, "how": how, "runs": runs, "losses": losses}) + "\n"
    descriptor = os.open(Path(name), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        os.write(descriptor, line.encode())
    finally:
        os.close(descriptor)
