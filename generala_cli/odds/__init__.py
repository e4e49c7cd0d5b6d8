"""Exact strategy over a rule set: advice, and everyone's chances. The only room that needs numpy.

The words of the room, each for one thing:

* sheet: which boxes a player has filled, and what else on it the rest of the game depends on.
* key: a sheet as one whole number, an index into arrays over all sheets. Of the keys that no later turn can
  tell apart one is canonical, and stands for all.
* level: the sheets that equally many turns lead to.
* selection: some dice of a hand, which are kept while the others are thrown. hand: all the dice.
* finish: the throw on which a turn ends, as far as it matters to what is filled.
* fill: one way to fill a box: a category, the points there, and what that changes on the sheet besides.
* repeat: all dice alike once their own box is filled: a joker in some games, with an extra bonus in others.
* worth: the points still to come on average, for whoever always does what is best on average.
* strategy: the worth of every sheet.
* distribution: a chance for each total or number of points, by index from 0.
* prospect, outlook: what may become of one player's game.
* aim: what the end of a game is to bring: the chance to win, or the payout, in place of points.

Most arrays have a row for each selection, hand or fill, and a column for each sheet. The modules are best
read in this order: `selections`, `sheets`, `fills`, `solving`, `choosing`, `advice`, `totals`, `chances`,
`endings`, `aiming`, `duel`.
"""

import mmap
import os

from generala_cli.errors import FileError, NumpyMissing

_ROOM = 160 << 20
"""Bytes that numpy and the buffer of its BLAS take. Where BLAS gets none it ends the process by itself."""


def _load_numpy() -> None:
    """Load numpy and let its BLAS take its buffer, or raise FileError where that cannot be."""
    for library in ("OPENBLAS", "OMP", "MKL"):  # more threads take more cpu and memory, and gain nothing
        os.environ[f"{library}_NUM_THREADS"] = "1"
    try:
        mmap.mmap(-1, _ROOM).close()
        import numpy as np

        np.ones((64, 64)).dot(np.ones((64, 64)))
    except (OSError, MemoryError) as error:
        raise FileError(
            "there is not enough memory for this", "close other programs and try again"
        ) from error
    except ImportError as error:
        raise NumpyMissing(is_installed=error.name != "numpy") from error


_load_numpy()
