"""In tests, boards look often, end at once and leave the process unchanged."""

import threading
from collections.abc import Iterator
from functools import partialmethod
from pathlib import Path

import pytest

from generala_cli.board import running
from generala_cli.board.server import BoardServer
from generala_cli.store.store import Store
from tests.board.chromium import Browser, browser
from tests.store.files import store_in


@pytest.fixture(scope="module", autouse=True)
def _quick_to_end() -> Iterator[None]:
    at_once = partialmethod(BoardServer.serve_forever, poll_interval=0.01)
    before = threading.stack_size()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BoardServer, "serve_forever", at_once)
        patch.setattr(running, "POLL_INTERVAL", 0.02)
        yield
    threading.stack_size(before)


@pytest.fixture
def store(directory: Path) -> Store:
    """No game yet."""
    return store_in(directory)


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("chromium")) as opened:
        yield opened
