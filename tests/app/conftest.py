from pathlib import Path

import pytest

from generala_cli.store.house_rules import HouseRules
from generala_cli.store.store import Store
from tests.store.files import store_in


@pytest.fixture
def store(directory: Path) -> Store:
    """No game yet."""
    return store_in(directory)


@pytest.fixture
def house_rules(tmp_path: Path) -> HouseRules:
    """No rules of the house's own yet."""
    return HouseRules(directory=tmp_path / "config" / "rules")
