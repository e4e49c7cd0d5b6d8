"""English sentences are plain: few of them use constructions that native writers avoid."""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.cases import cases
from tests.languages.sentences import PACKAGE, template
from tests.trees import tree_of

ROOT = PACKAGE.parent
UNUSUAL = re.compile(
    r"""
    \b(?:return|yield|of|by|with|from|after|than)s?\s+(?:what|whom?|whoever|whatever)\b
    | (?:\bnone|\bempty|\bfalse|\btrue|[,;(])\s+where\b
    | \b(?:whoever|whomever|whatever|anew|aught|onwards|thereof|beside|but\ for|be\ it)\b
    | \b(?:for\ ever|no\ more|any\ more)\b
    | \b(?:is|are|was|were)\ another\b | \bthose\ (?:that|which|who)\b | \bthat\ of\ (?:which|whom|who|what)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""A clause as a noun, "where" for "if", archaic words, and "another" for "different"."""
MOST = 0.005
"""The share of pieces that may match, because some are good English, such as "wins, whatever the totals"."""


@cases(
    "sentence",
    [
        "Whatever may show that a seal lies comes before it counts.",
        "to what they throw of whom it does not react",
        "number: of the first event that is another; 0 where what was agreed is.",
        "this address is good no more; scan the code for everybody again",
        "Only those that were given until then.",
    ],
)
def test_unusual_sentences_are_found(sentence: str) -> None:
    assert UNUSUAL.search(sentence)


@pytest.mark.slow
@pytest.mark.complete
def test_prose_is_plain() -> None:
    pieces = [*docstrings(), *messages(), *paragraphs()]
    found = [piece for piece in pieces if UNUSUAL.search(piece)]
    assert len(pieces) > 4_000
    assert len(found) / len(pieces) < MOST, "\n".join(found)


def docstrings() -> Iterator[str]:
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                yield str(node.value.value)


def messages() -> Iterator[str]:
    for message in template():
        yield from [message.id] if isinstance(message.id, str) else message.id


def paragraphs() -> Iterator[str]:
    pages = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    for page in (*map(ROOT.joinpath, pages), *PACKAGE.glob("**/guide/en/*.md")):
        text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        yield from re.sub(r"`[^`]*`", "x", text).split("\n\n")
