"""Draws the README's picture of a phone: `python -m tests.board.pictures`, where there is a Chromium."""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.board.chromium import browser

PHONE = Path(__file__).with_name("phone.png")
_SIZE = (390, 760)
_GAME = (
    "new Ana Beto Cora --rules general --stake 0.01 --unit USD",
    "55533 1",
    "44244",
    "x ones",
    "66652 2",
    "12345",
)


def main() -> None:
    """Play the beginning of a game, and look at it."""
    with TemporaryDirectory() as home, TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        generala = [sys.executable, "-m", "generala_cli"]
        environment = {"GENERALA_HOME": home, "LANG": "C.UTF-8"}
        for line in _GAME:
            subprocess.run([*generala, *line.split()], env=environment, check=True, capture_output=True)
        board = subprocess.Popen(
            [*generala, "board", "--json"], env=environment, stdout=subprocess.PIPE, text=True
        )
        assert board.stdout is not None
        address = json.loads(board.stdout.readline())["watch"]
        try:
            with browser(Path(profile)) as opened:
                tab = opened.open(address, _SIZE)
                tab.until_shown("live")
                tab.picture(PHONE)
        finally:
            board.terminate()
            board.wait()


if __name__ == "__main__":
    main()
