"""advise, odds and review without numpy, with a broken numpy, or with too little memory for it."""

import json
from itertools import product
from pathlib import Path

import pytest

from tests.cli.program import Generala
from tests.posix import posix_only
from tests.sessions.place import within
from tests.sizes import thinned

NEEDING = (("advise", "44126", "--roll", "1"), ("odds",), ("review",), ("train", "Ana"))
MISSING = 'raise ModuleNotFoundError("No module named \'numpy\'", name="numpy")'
BROKEN = 'raise ImportError("IMPORTANT: PLEASE READ THIS\\n\\nmany lines")'


@pytest.fixture(params=[(MISSING, "is not installed"), (BROKEN, "does not load")])
def without(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[dict[str, str], str]:
    """Return an environment that hides numpy, and the message about it."""
    source, reason = request.param
    (tmp_path / "hiding" / "numpy").mkdir(parents=True)
    (tmp_path / "hiding" / "numpy" / "__init__.py").write_text(source)
    return {"PYTHONPATH": str(tmp_path / "hiding")}, reason


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize("typed", thinned(zip(NEEDING), every=3))
def test_what_needs_numpy_says_how_to_get_it(
    played: Generala, without: tuple[dict[str, str], str], typed: tuple[str, ...]
) -> None:
    environment, reason = without
    found = played(*typed, environment=environment)
    assert (found.code, found.out, found.err.count("\n")) == (3, "", 1)
    assert found.err == (
        f"generala: advise, odds, review, train and stats --luck need numpy, which {reason}; "
        "pip install numpy, or in Termux pkg install python-numpy\n"
    )
    result = played(*typed, "--json", environment=environment)
    assert (result.code, result.err) == (3, "")
    assert json.loads(result.out)["error"]["kind"] == "file"


@pytest.mark.thinned(every=4, slow=2)
@pytest.mark.parametrize(
    "typed",
    thinned(
        zip(
            [
                *((), ("score", "55533"), ("sheet",), ("standings",), ("payouts",), ("log",), ("games",)),
                *(("check", "55533"), ("rules",), ("doctor",), ("advise", "-h"), ("undo",)),
            ]
        ),
        every=5,
    ),
)
def test_all_else_does_without(
    played: Generala, without: tuple[dict[str, str], str], typed: tuple[str, ...]
) -> None:
    assert played(*typed, environment=without[0]).code == 0


@pytest.mark.thinned(every=3, slow=2)
@posix_only("Windows limits the memory of a process otherwise")
@pytest.mark.parametrize(("typed", "megabytes"), thinned(product(NEEDING, [48, 60, 100, 130, 160]), every=7))
@pytest.mark.slow
def test_little_memory_is_one_sentence(played: Generala, typed: tuple[str, ...], megabytes: int) -> None:
    """With the largest of these limits, BLAS once printed its own message and ended the program."""
    limit = f"ulimit -v {megabytes * 1024}"
    found = within(played, limit, *typed)
    answer = "there is not enough memory"
    assert (found.code, found.out) == (3, "")
    assert found.err == f"generala: {answer}; close other programs and try again\n"
    result = within(played, limit, *typed, "--json")
    assert (result.code, result.err) == (3, "")
    assert json.loads(result.out)["error"]["message"] == answer
