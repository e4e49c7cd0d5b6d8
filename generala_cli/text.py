"""Text to show, compare and find: by prefix, without regard to case or accents."""

import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Literal, TypeVar
from unicodedata import category, combining

from msgspec import Struct

from generala_cli.errors import Ambiguous, NotFound, UsageError
from generala_cli.messages import LANGUAGES, FirstWord, Message, lazy, listing
from generala_cli.remedies import Remedy

_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
"""A text with one of these prefixes is a formula to a spreadsheet."""

Meaning = TypeVar("Meaning")
_DOTLESS_I, _DOTTED_I = "ı", "i\N{COMBINING DOT ABOVE}"
"""The small letters of the Turkish I and İ. Unicode folds İ to the second."""
NO_BREAK = "\u00a0"


@lru_cache(maxsize=10_000)  # all words of all languages, which one line looks through several times
def normalize(name: str) -> str:
    """Return a name for comparing, without case and accents: `Große_Straße` equals `grosse-strasse`."""
    letters = name.casefold()
    if not letters.isascii():
        letters = "".join(
            letter for letter in unicodedata.normalize("NFKD", letters) if not combining(letter)
        ).replace(_DOTLESS_I, "i")
    return " ".join(letters.replace("-", " ").replace("_", " ").split())


def name_key(name: str) -> str:
    """Return the form for comparing the names that players type: accents matter, `Işık` is `IŞIK`."""
    key = case_key(name)
    return key if key.isascii() else key.replace(_DOTLESS_I, "i").replace(_DOTTED_I, "i")


def case_key(name: str) -> str:
    """Return the form for comparing the names in a file: `Işık` and `ışık` can be two players there."""
    return composed(composed(name).casefold())


def spellings(name: str) -> tuple[str, str]:
    return case_key(name), name_key(name)


def find_same(name: str, names: Iterable[str]) -> str | None:
    """Return the one of these names that equals `name`, or None. Equal by `case_key` comes first."""
    among = tuple(names)
    for key in (case_key, name_key):
        wanted = key(name)
        if len(same := [each for each in among if key(each) == wanted]) == 1:
            return same[0]
    return None


def composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


_LIKE = 0.65  # the required similarity of a suggestion: `chance` is no typing error for `aces`
_MOST_LISTED = 30


Kind = Literal[
    "aim of advice",
    "category",
    "command or topic",
    "draft",
    "fill order",
    "format",
    "game",
    "instant win",
    "turning",
    "joker",
    "league",
    "double generala",
    "option",
    "payout method",
    "player",
    "rule set",
    "rule set of yours",
    "version",
    "schema",
    "seating",
    "shell",
    "tournament",
    "way to rank",
]


class _Refusals(Struct, frozen=True):
    none: Message
    several: Message


_KINDS: Mapping[Kind, _Refusals] = {
    "aim of advice": _Refusals(
        lazy("there is nothing called {wanted!r} that advice can aim at"),
        lazy("{wanted!r} fits more than one thing that advice can aim at"),
    ),
    "category": _Refusals(
        lazy("there is no category {wanted!r}"), lazy("{wanted!r} fits more than one category")
    ),
    "command or topic": _Refusals(
        lazy("there is no command or topic {wanted!r}"),
        lazy("{wanted!r} fits more than one command or topic"),
    ),
    "draft": _Refusals(
        lazy("there is no such choice for the draft: {wanted!r}"),
        lazy("{wanted!r} fits more than one choice for the draft"),
    ),
    "fill order": _Refusals(
        lazy("there is no choice for fill-order: {wanted!r}"),
        lazy("{wanted!r} fits more than one choice for fill-order"),
    ),
    "format": _Refusals(lazy("there is no format {wanted!r}"), lazy("{wanted!r} fits more than one format")),
    "game": _Refusals(lazy("there is no game {wanted!r}"), lazy("{wanted!r} fits more than one game")),
    "joker": _Refusals(
        lazy("there is no choice for joker: {wanted!r}"),
        lazy("{wanted!r} fits more than one choice for joker"),
    ),
    "league": _Refusals(
        lazy("no tournament and no game is called {wanted!r}"),
        lazy("{wanted!r} is a prefix of several names"),
    ),
    "double generala": _Refusals(
        lazy("a double cannot need {wanted!r}"),
        lazy("{wanted!r} fits more than one requirement of a double"),
    ),
    "instant win": _Refusals(
        lazy("there is no choice for instant-win: {wanted!r}"),
        lazy("{wanted!r} fits more than one choice for instant-win"),
    ),
    "option": _Refusals(lazy("there is no option {wanted!r}"), lazy("{wanted!r} fits more than one option")),
    "payout method": _Refusals(
        lazy("there is no payout method {wanted!r}"), lazy("{wanted!r} fits more than one payout method")
    ),
    "player": _Refusals(lazy("there is no player {wanted!r}"), lazy("{wanted!r} fits more than one player")),
    "rule set": _Refusals(
        lazy("there is no rule set {wanted!r}"), lazy("{wanted!r} fits more than one rule set")
    ),
    "rule set of yours": _Refusals(
        lazy("there is no rule set of yours {wanted!r}"),
        lazy("{wanted!r} fits more than one rule set of yours"),
    ),
    "schema": _Refusals(lazy("there is no schema {wanted!r}"), lazy("{wanted!r} fits more than one schema")),
    "seating": _Refusals(
        lazy("there is no seating {wanted!r}"), lazy("{wanted!r} fits more than one seating")
    ),
    "shell": _Refusals(lazy("there is no shell {wanted!r}"), lazy("{wanted!r} fits more than one shell")),
    "tournament": _Refusals(
        lazy("there is no tournament {wanted!r}"), lazy("{wanted!r} fits more than one tournament")
    ),
    "turning": _Refusals(
        lazy("there is no choice for turning: {wanted!r}"),
        lazy("{wanted!r} fits more than one choice for turning"),
    ),
    "way to rank": _Refusals(
        lazy("there is no way to rank {wanted!r}"), lazy("{wanted!r} fits more than one way to rank")
    ),
    "version": _Refusals(
        lazy("there is no version {wanted!r}"), lazy("{wanted!r} fits more than one version")
    ),
}


def find(
    wanted: str,
    names: Mapping[str, Sequence[str]],
    kind: Kind,
    otherwise: str | Message | Remedy = "",
    *,
    starts: Iterable[str] | None = None,
    typed: Mapping[str, object] | None = None,
    unlisted: Collection[str] = (),
) -> str:
    """Return the key with the name `wanted`, or the only key with a name that has this prefix.

    Ambiguous if several keys match. NotFound if none does, with the nearest or `otherwise` as its hint.
    `starts` replaces the keys that match as a prefix. In hints, `typed` has the text for a key. A list of all
    keys omits the `unlisted` ones.
    """
    literal = [key for key, answered in names.items() if composed(wanted) in answered]
    if len(literal) == 1:
        return literal[0]
    answers = {key: [normalize(name) for name in answered] for key, answered in names.items()}
    if wanted.strip()[:1] == "-" and wanted.strip()[1:].strip().isdecimal():  # `-1` is not `1`
        raise NotFound(_KINDS[kind].none, _nearest("", answers, typed, unlisted) or otherwise, wanted=wanted)
    start = normalize(wanted)
    exact = [key for key, answered in answers.items() if start in answered]
    if len(exact) == 1:
        return exact[0]
    if starts is None:
        starts = (key for key, named in answers.items() if any(name.startswith(start) for name in named))
    matches = exact or list(starts if start else ())
    if len(matches) == 1:
        return matches[0]
    if matches:
        left = len(matches) - _MOST_LISTED
        more = [lazy("{number} more", number=left)] if left > 0 else []
        which = lazy("say which: {which}", which=listing([*_as_typed(matches[:_MOST_LISTED], typed), *more]))
        raise Ambiguous(_KINDS[kind].several, which, wanted=wanted)
    raise NotFound(_KINDS[kind].none, _nearest(start, answers, typed, unlisted) or otherwise, wanted=wanted)


def find_player(wanted: str, players: Sequence[str]) -> str:
    same = find_same(wanted, players)
    return same or find(wanted, {player: (player,) for player in players}, "player")


def choose(wanted: str, names: Iterable[str], kind: Kind, words: Mapping[str, Message] | None = None) -> str:
    """Return the fixed word with this unique prefix; UsageError, with suggestions, if there is none.

    Args:
        words: the words for each name. A whole word of any language counts, and a prefix in the user's
            language if it is none in English.
    """
    answers = {name: [name] for name in names}
    words = {name: words[name] for name in answers} if words else {}
    if (meant := find_word(wanted, words)) is not None:
        return meant
    if words and not any(normalize(name).startswith(normalize(wanted)) for name in answers):
        answers = {name: [name, *LANGUAGES.typed.words(words[name])] for name in answers}
    try:
        return find(
            wanted, answers, kind, typed={name: FirstWord(words[name]) for name in answers} if words else None
        )
    except (NotFound, Ambiguous) as error:
        raise UsageError(error.message, error.hint) from error


def find_word(typed: str, meanings: Mapping[Meaning, Message]) -> Meaning | None:
    """Return the meaning of a whole word in any case, or None; English first, then the user's language."""
    wanted = normalize(typed)
    for language in LANGUAGES.understood():
        for meaning, words in meanings.items():
            if wanted in map(normalize, language.words(words)):
                return meaning
    return None


def word_meanings(
    meanings: Mapping[Meaning, Message], *, loaded_languages_only: bool = False
) -> dict[str, Meaning]:
    """Return the meaning of every word that `find_word` understands, by its normalized form."""
    table: dict[str, Meaning] = {}
    for language in LANGUAGES.understood(loaded_languages_only=loaded_languages_only):
        for meaning, words in meanings.items():
            for word in language.words(words):
                table.setdefault(normalize(word), meaning)
    return table


def _as_typed(keys: Iterable[str], typed: Mapping[str, object] | None) -> Sequence[object]:
    return [key if typed is None else typed[key] for key in keys]


def _nearest(
    start: str,
    answers: Mapping[str, Sequence[str]],
    typed: Mapping[str, object] | None,
    unlisted: Collection[str],
) -> Message | Remedy:
    from difflib import get_close_matches  # only a suggestion needs it

    spelled = {name: key for key, answered in answers.items() for name in (*answered, normalize(key))}
    close = [] if start.isdecimal() else get_close_matches(start, spelled, n=3, cutoff=_LIKE)
    near = dict.fromkeys(spelled[name] for name in close)
    if near:
        return Remedy("did-you-mean", names=listing(_as_typed(near, typed)))
    listed = [name for name in answers if name not in unlisted]
    return (
        lazy("choose from {names}", names=listing(_as_typed(listed, typed)))
        if 0 < len(listed) <= _MOST_LISTED
        else lazy("")
    )


def resembling(word: str, names: Sequence[str]) -> list[str]:
    from difflib import get_close_matches

    compared = list(map(normalize, names))
    near = get_close_matches(normalize(word), compared, n=max(1, len(names)), cutoff=_LIKE)
    return [name for name, form in zip(names, compared, strict=True) if form in near]


def one_slip_apart(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return pairs of names that may be the same name with a typing error, in the order of the names.

    They differ in case, accents and spaces, or in one letter, which is different, missing or swapped with its
    neighbor. Digits and single letters are no typing errors. Names of one or two letters must be equal.
    """
    with_key: dict[tuple[str, str], list[int]] = {}
    for index, name in enumerate(names):
        words = normalize(name).split()
        letters = "".join(words)
        on_purpose = "".join(
            letter for word in words for letter in word if letter.isdecimal() or len(word) == 1
        )
        with_key.setdefault((letters, ""), []).append(index)
        for slip in _slips(letters):
            with_key.setdefault((slip, on_purpose), []).append(index)
    pairs = {pair for places in with_key.values() if len(places) > 1 for pair in combinations(places, 2)}
    return [(names[one], names[other]) for one, other in sorted(pairs)]


_ANY_LETTER, _EITHER_ORDER = "\0", "\1"  # characters that no name contains


def _slips(letters: str) -> set[str]:
    """Return keys. Two names share a key if one typing error turns one into the other."""
    ends = [(letters[:at], letters[at:]) for at in range(len(letters) + 1)]
    another = {f"{before}{_ANY_LETTER}{after[1:]}" for before, after in ends[:-1] if len(letters) > 2}
    missing = {f"{before}{_ANY_LETTER}{after}" for before, after in ends if len(letters) > 1}
    swapped = {
        "".join((before, _EITHER_ORDER, *sorted(after[:2]), after[2:]))
        for before, after in ends[:-2]
        if len(letters) > 2
    }
    return another | missing | swapped


_JOINERS = "\u200c\u200d"  # zero-width joiners: format characters that some scripts and emoji require


def unprintable(text: str, *, unassigned: bool = True) -> str:
    """Return the first character that is invalid in a name (control, format, bidi, unassigned), or "".

    Names from files are checked with `unassigned=False`, because that set depends on the version of Python.
    """
    if text.isascii() and text.isprintable():
        return ""
    kinds = _UNPRINTABLE if unassigned else _UNPRINTABLE - {"Cn"}
    return next((letter for letter in text if _forbidden(letter, kinds)), "")


_UNPRINTABLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def _forbidden(letter: str, kinds: frozenset[str] = _UNPRINTABLE) -> bool:
    return category(letter) in kinds and letter not in _JOINERS


def safe(value: object) -> str:
    """Return the text of a value, such as a name from a file, with control characters escaped."""
    text = str(value)
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        letter.encode("unicode_escape").decode() if _forbidden(letter) else letter for letter in text
    )


def guarded(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text
