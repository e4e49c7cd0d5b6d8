from tests.app.conftest import store

__all__ = ["store"]
