import pytest

from generala_cli.tournament import planning


@pytest.fixture
def short_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plan rounds with less effort, where a test does not ask how good the plan is."""
    monkeypatch.setattr(planning, "_MOST_TRIES", 500)
