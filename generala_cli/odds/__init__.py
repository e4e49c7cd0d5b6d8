"""Exact strategy for a rule set: advice and chances to win. The only package that needs numpy.

Glossary:

* sheet: the filled boxes of a player, and everything else that later turns depend on.
* key: a sheet as one whole number, an index into arrays over all sheets. Sheets with the same future share
  one canonical key.
* level: the sheets after the same number of turns.
* selection: the dice of a hand that are kept while the others are thrown. hand: all dice.
* finish: the throw on which a turn ends, as far as it affects the score.
* fill: one way to fill a box: the category, its points, and the other changes on the sheet.
* repeat: all dice alike after their own box is filled: a joker in some games, with an extra bonus in others.
* worth: the expected points from here on, with the best play. A strategy is the worth of every sheet.
* distribution: the chance of each total or number of points, by index from 0. A prospect or outlook has the
  distributions of one player's game.
* aim: what a player maximizes at the end instead of points: the chance to win, or the payout.

Most arrays have one row per selection, hand or fill, and one column per sheet. Read the modules in this
order: `selections`, `sheets`, `fills`, `solving`, `choosing`, `advice`, `totals`, `chances`,
`endings`, `aiming`, `duel`.
"""

import mmap
import os

from generala_cli.errors import FileError, NumpyMissing

_ROOM = 160 << 20
"""The memory in bytes for numpy and its BLAS buffer. Without it, BLAS ends the process."""


def _load_numpy() -> None:
    """Load numpy and allocate the buffer of its BLAS, or raise FileError."""
    for library in ("OPENBLAS", "OMP", "MKL"):  # more threads cost CPU and memory and gain nothing
        os.environ[f"{library}_NUM_THREADS"] = "1"
    try:
        mmap.mmap(-1, _ROOM).close()
        import numpy as np

        np.ones((64, 64)).dot(np.ones((64, 64)))
    except (OSError, MemoryError) as error:
        raise FileError("there is not enough memory", "close other programs and try again") from error
    except ImportError as error:
        raise NumpyMissing(is_installed=error.name != "numpy") from error


_load_numpy()
