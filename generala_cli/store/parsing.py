"""JSON as strictly as game files need it."""

import json
from collections.abc import Callable, Sequence


class Unreadable(Exception):
    """The bytes are not a game of this format; the text says why."""


compact: Callable[[object], str] = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
"""A value as we write it: without spaces, letters as they are."""


def parse(data: bytes) -> object:
    """JSON without repeated keys, in text that can be written again.

    Fractions, NaN and Infinity are read, since a later format may hold them; no key of this one does.

    Raises:
        Unreadable: it is something else.
    """
    try:
        text = data.decode("utf-8")
        document: object = _decoded(text)
        if "\\u" in text:  # half a surrogate pair can be spelled so, and is no character
            compact(document).encode()
    except UnicodeEncodeError as error:
        raise Unreadable("it holds half a character") from error
    except UnicodeDecodeError as error:
        raise Unreadable("it is not UTF-8") from error
    except RecursionError as error:
        raise Unreadable("it is nested too deeply") from error
    except json.JSONDecodeError as error:
        what = "it is empty" if not data.strip() else f"it is not JSON (line {error.lineno}: {error.msg})"
        raise Unreadable(what) from error
    except ValueError as error:  # a whole number of thousands of digits
        raise Unreadable("it holds a number that is too long") from error
    return document


def _unique(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise Unreadable("it repeats a key")
    return document


_decoded: Callable[[str], object] = json.JSONDecoder(object_pairs_hook=_unique).decode
