from tests.app.conftest import house_rules

__all__ = ["house_rules"]
