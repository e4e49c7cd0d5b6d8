"""One bench for each process that runs tests."""

import pytest

from tests.faults.harness import Bench, compile_shim


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """A place to run commands in, with the shim compiled."""
    folder = tmp_path_factory.mktemp("faults").resolve()
    return Bench(folder, compile_shim(folder))
