from tests.app.conftest import house_rules, store

__all__ = ["house_rules", "store"]
