"""Draw the README's pictures of phones: `python -m tests.board.pictures` (needs Chromium)."""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.board.chromium import browser

PHONE, PAD = (Path(__file__).with_name(name) for name in ("phone.png", "pad.png"))
_SIZE = (390, 760)
_GAME = (
    "new Ana Beto Cora --rules general --stake 0.01 --unit USD",
    "55533 1",
    "44244",
    "x ones",
    "66652 2",
    "12345",
)
_HAND = "44433"


def main() -> None:
    """Play the start of a game, and take pictures of it and of the next player's pad."""
    with TemporaryDirectory() as home, TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        generala = [sys.executable, "-m", "generala_cli"]
        environment = {"GENERALA_ROOT": home, "LANG": "C.UTF-8"}
        for line in _GAME:
            subprocess.run([*generala, *line.split()], env=environment, check=True, capture_output=True)
        board = subprocess.Popen(
            [*generala, "board", "--json", "--pad"], env=environment, stdout=subprocess.PIPE, text=True
        )
        assert board.stdout is not None
        found = json.loads(board.stdout.readline())
        try:
            with browser(Path(profile)) as opened:
                tab = opened.open(found["watch"], _SIZE)
                tab.until_shown("live")
                tab.picture(PHONE)
                tab = opened.open(found["pads"]["Cora"], _SIZE)
                for die in _HAND:
                    tab.tap(die, ".keys")
                tab.until_shown("✓ score full house 30")
                tab.until("!document.getAnimations().length")
                tab.picture(PAD)
        finally:
            board.terminate()
            board.wait()


if __name__ == "__main__":
    main()
