"""Checks for every refusal: one sentence, an exit code, a document, and no change."""

import json

from tests.cli.program import Generala, Result
from tests.languages.pseudo import spoken, untranslated

Command = tuple[str, ...]
KINDS = {
    1: {"not-allowed", "not-found", "ambiguous", "undecided"},
    2: {"usage"},
    3: {"file", "damaged", "too-new", "conflict"},
}


def refused(generala: Generala, typed: Command, code: int, stdin: str = "") -> Result:
    """Return the refusal of a command: text and document. Check that nothing changed."""
    before = generala.files()
    result = generala(*typed, stdin=stdin)
    assert (result.code, result.out) == (code, ""), result
    first, *details = result.err.splitlines()
    assert first.startswith("generala: ")
    assert all(line.startswith("  ") for line in details)
    assert "Traceback" not in result.err
    assert _as_document(generala, typed, code, stdin) == details
    assert generala.files() == before
    assert _untranslated(generala, typed, stdin) == []
    return result


def _untranslated(generala: Generala, typed: Command, stdin: str) -> list[str]:
    """Return the words of the refusal that stay English in other languages. Places in a file are keys."""
    if "]" in "".join(typed):  # it would end a sentence too early
        return []
    with spoken() as environment:
        first, *details = generala(*typed, stdin=stdin, environment=environment).err.splitlines()
    found = [first, *(line[line.find("[") :] for line in details)]
    return untranslated("\n".join(found), typed)


def _as_document(generala: Generala, typed: Command, code: int, stdin: str) -> list[str]:
    """Return it as one document; the details are the shown text."""
    result = generala("--json", *typed, stdin=stdin)
    assert (result.code, result.err, result.out.count("\n")) == (code, "", 1), result
    error = json.loads(result.out)["error"]
    assert error["kind"] in KINDS[code]
    assert error["message"]
    assert error["hint"]
    return [f"  {line}" for line in error.get("details", ())]
