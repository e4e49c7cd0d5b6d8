"""One bench for each process that runs tests, and the marker of what is too long for every day."""

import pytest

from tests.faults.harness import Bench, compile_shim


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "full: every fault there is; run by pytest -m full tests/faults")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "full" in config.getoption("-m"):
        return
    for item in items:
        if item.get_closest_marker("full"):
            item.add_marker(pytest.mark.skip(reason="every fault there is takes minutes: pytest -m full"))


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """A place to run commands in, with the shim compiled."""
    folder = tmp_path_factory.mktemp("faults").resolve()
    return Bench(folder, compile_shim(folder))
