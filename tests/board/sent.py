"""Execute a pad's request in its own process: `python -m tests.board.sent HOME ACTION DOCUMENT`.

It prints the status of the answer when the request is done.
"""

import sys
from pathlib import Path

from generala_cli.board import seats
from generala_cli.board.pad import Pad
from generala_cli.board.seats import SeatBook, Viewer
from generala_cli.board.watching import Watcher
from generala_cli.store.house_rules import HouseRules
from tests.faults.judging import store_in


def main() -> None:
    """Send one thing."""
    home, action, document = sys.argv[1:]
    store = store_in(Path(home))
    book = SeatBook(store.folder, seats.load(store.folder, ""), lambda: None)
    watcher = Watcher(store, None, tonight=False)
    pad = Pad(store, watcher, book, HouseRules(directory=Path(home) / "rules"))
    viewer = Viewer("guest" if action == "join" else "keeper")
    status, _ = pad.enter(viewer, action, document.encode(), "en")
    sys.stdout.write(f"{int(status)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
