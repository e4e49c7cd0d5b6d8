"""Exact strategy over a rule set: advice, and the chances of everyone. The only place that needs numpy."""

import mmap
import os

from generala_cli.errors import FileTrouble, NumpyMissing

_ROOM = 160 << 20
"""Bytes that numpy and the buffer of its BLAS take. Where BLAS gets none it ends the process by itself."""


def _load_numpy() -> None:
    """Load numpy, and let its BLAS take its buffer; FileTrouble where that cannot be."""
    for library in ("OPENBLAS", "OMP", "MKL"):  # more threads take more cpu and memory, and gain nothing
        os.environ[f"{library}_NUM_THREADS"] = "1"
    try:
        mmap.mmap(-1, _ROOM).close()
        import numpy as np

        np.ones((64, 64)).dot(np.ones((64, 64)))
    except (OSError, MemoryError) as error:
        raise FileTrouble(
            "there is not enough memory for this", "close other programs and try again"
        ) from error
    except ImportError as error:
        raise NumpyMissing(is_installed=error.name != "numpy") from error


_load_numpy()
