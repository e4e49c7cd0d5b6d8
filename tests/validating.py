"""The validator of JSON schemas; tests that need it are skipped where its compiled part does not load."""

import pytest

Draft202012Validator = pytest.importorskip("jsonschema", exc_type=ImportError).Draft202012Validator
