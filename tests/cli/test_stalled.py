"""A stuck reader cannot keep a command alive after it has saved: a signal ends it."""

import os
import signal
import subprocess
from contextlib import suppress

import pytest

from generala_cli.store.signals import HELD
from tests.cli.program import GENERALA, Generala, surroundings
from tests.posix import posix_only


@pytest.mark.thinned(every=3)
@posix_only("Windows sends no signals between processes")
@pytest.mark.parametrize("number", HELD)
def test_a_signal_ends_a_command_that_has_saved(played: Generala, number: signal.Signals) -> None:
    before = played.game(1).read_bytes()
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with suppress(BlockingIOError):
        while True:
            os.write(writer, b"x" * 65536)
    os.set_blocking(writer, True)
    with subprocess.Popen(
        [GENERALA, "score", "44442"],
        env=surroundings(played.home, {}),
        stdin=subprocess.DEVNULL,
        stdout=writer,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            while played.game(1).read_bytes() == before:
                assert process.poll() is None
            process.send_signal(number)
            _, errors = process.communicate(timeout=120)  # a busy disk can take half a minute to save
        finally:
            process.kill()
            os.close(reader)
            os.close(writer)
    assert (process.returncode, errors) == (0, b"")
