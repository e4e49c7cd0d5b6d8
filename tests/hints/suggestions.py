"""The suggestions of a hint: whole commands, words instead of a wrong one, and options to add."""

import re
from collections.abc import Iterator, Sequence

from generala_cli.messages import _PLACEHOLDERS, LANGUAGES, quoted
from tests.hints.table import words_of_line

_MEANT = re.compile(r"(?:did you mean|será|meinst du|você quis dizer) (.+?)\?")
_HAND = re.compile(r"\b[1-6]{5}\b")
_CHOICE = re.compile(r"(?:choose from|a elegir:|wähle|escolha:) ([^\s,(-][^\s,(]*)")
_LAST = re.compile(r",? (?:or|o|u|oder|ou) |, ")


def suggestions(typed: str, answer: str, vocabulary: frozenset[str]) -> Iterator[str]:
    """Yield each line that the answer to a refused line says to type.

    Args:
        vocabulary: words that may belong to a command, besides the typed ones.
    """
    _, _, hint = answer.partition("; ")
    hint = hint.strip().split("\n")[0]
    words = words_of_line(typed)
    known = vocabulary | {*words}
    for meant in _MEANT.findall(hint):
        for each in _LAST.split(meant):
            yield _instead(words, _wrong_word(answer), each)
    is_turn = _HAND.search(typed) and "--" not in typed  # elsewhere, the choice is between several names
    if is_turn and (first := _CHOICE.search(hint)) and (wrong := _wrong_word(answer)) in typed:
        yield _instead(words, wrong, first[1])
    for command in re.findall(r"(?<!x )generala (?!\()([^;?]+)", hint):
        yield _joined(["generala", *_belonging(command, known)])
    rest = re.sub(r"(?<!x )generala [^;?]+", "", _MEANT.sub("", _CHOICE.sub("", hint)))
    for option, values in re.findall(r"(--[a-z-]+)((?: [^\s]+,?)*)", rest):
        for value in _values(values, known):
            if not any(word.partition("=")[0] == option for word in words):
                yield _joined([*words, option, *([value] if value else [])])
    scratches = r"\bx ([\w -]+?) (?:scratches|streicht|queima)|para tacharla: (?:\S+ )?x ([\w -]+)"
    for box in map("".join, re.findall(scratches, hint)):
        yield _scratched(words, box)


def has_placeholder(line: str) -> bool:
    """Return whether a suggested line leaves a real choice to the user."""
    placeholders = {LANGUAGES.typed.text_of(each) for each in _PLACEHOLDERS.values()} | {*_PLACEHOLDERS}
    return any(word.strip(".") in placeholders or "..." in word for word in line.replace("=", " ").split())


def _wrong_word(answer: str) -> str:
    message = answer.partition("; ")[0]
    quoted = re.findall(r"(?<!\w)['«]([^'»]+)['»]", message)
    return str((quoted or re.findall(r"--\S+", message) or [""])[0])


def _instead(words: Sequence[str], wrong: str, meant: str) -> str:
    if wrong not in words:
        return " ".join(words).replace(wrong, meant) if wrong else _joined(words)
    last = len(words) - 1 - words[::-1].index(wrong)
    return _joined([*words[:last], *words_of_line(meant), *words[last + 1 :]])


def _joined(words: Sequence[str]) -> str:
    return " ".join(map(quoted, words))


def _belonging(command: str, known: frozenset[str]) -> Iterator[str]:
    """Yield the words of a command up to the prose after it."""
    for place, word in enumerate(words_of_line(command)):
        bare = word.rstrip(",:;?")
        is_value = (
            bare in known or "=" in bare or any(map(str.isdecimal, bare)) or bare.isupper() or bare == "x"
        )
        if not (place == 0 or bare.startswith("-") or is_value):
            return
        yield bare
        if bare != word:
            return


def _values(text: str, known: frozenset[str]) -> list[str]:
    values = []
    for word in text.split():
        bare = word.rstrip(",:;?")
        if bare in known or any(map(str.isdecimal, bare)) or bare.isupper():
            values.append(bare)
        elif bare not in ("or", "o", "u", "oder", "to", "a", "bis"):
            break
    return values or [""]


def _scratched(words: Sequence[str], box: str) -> str:
    dice = [word for word in words if word.isdecimal()]
    return _joined([*dice[:1], "x", *box.split()])
