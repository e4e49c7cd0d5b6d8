"""How turns are typed: from the text of a line to dice and words. `game.turnline` finds out what they mean.

DICE [THROW] [CATEGORY] [NAME]      55533 1 full Ana
x CATEGORY [DICE] [NAME]            x ones, 11226 x ones
HAND:KEPT ... DICE                  44126:44 425:444 44: earlier throws and the dice kept from each
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile

from msgspec import Struct

from generala_cli.errors import UsageError
from generala_cli.messages import NumberWord, lazy_count, shortened, words_for
from generala_cli.remedies import Remedy
from generala_cli.rules.dice import Dice, example_hand, join_dice
from generala_cli.rules.ruleset import RuleSet
from generala_cli.text import normalize, spellings

VERBS: Mapping[str, str] = {
    "x": "scratch",
    "u": "undo",
    "r": "redo",
    "a": "advise",
    "o": "odds",
    "q": "quit",
    "?": "help",
}
SCRATCH = "x"
ADVICE = words_for("giving advice elsewhere", "hint, advice, suggest, what should I do with, what to do with")
NO_DIE = "0"  # after the colon of a throw: no dice were kept
SEPARATORS = " ,;/-"
AS_BLANKS = str.maketrans(dict.fromkeys(SEPARATORS.replace("-", ""), " "))
"""For `str.translate`: the separators without the hyphen, which also occurs in names (`4-of-a-kind`)."""


def is_digits(text: str) -> bool:
    return text.isascii() and text.isdecimal()


def dice_groups(text: str) -> list[str]:
    """Return the groups of digits in a text of dice (`5,5 33`: 5, 5, 33), even invalid ones; or none."""
    if is_digits(text):
        return [text]
    groups = text.translate(AS_BLANKS).replace("-", " ").split()
    return groups if all(map(is_digits, groups)) and is_digits(text.strip()[:1]) else []


def parse_dice(words: Sequence[str], *, count: int, faces: int = 6) -> Dice:
    """Read one hand in any notation (`5 5 5 3 3`, `55533`, `5,5,5,3,3`, `5-5-5-3-3`) or raise UsageError."""
    dice = parse_faces(words, faces=faces)
    if len(dice) != count:
        message = lazy_count(
            "that is {number} die ({hand}); this game is played with {all}",
            "that is {number} dice ({hand}); this game is played with {all}",
            len(dice),
            hand=shortened(" ".join(words)),
            number=NumberWord(len(dice)),
            all=NumberWord(count),
        )
        example = join_dice(example_hand(count, faces))
        raise UsageError(message, "type all {all}, as in {example}", all=NumberWord(count), example=example)
    return dice


def parse_faces(words: Sequence[str], *, faces: int = 6) -> Dice:
    """Read any number of dice in the notations of `parse_dice`, or raise UsageError."""
    for word in words:
        if not dice_groups(word):
            raise UsageError(
                "{word!r} is not a die",
                "type each die as a number from 1 to {faces}",
                word=word,
                faces=faces,
            )
    digits = [digit for word in words for digit in word if digit.isdecimal()]
    for digit in digits:
        if not 1 <= int(digit) <= faces:
            raise UsageError(
                "{digit} is not a face of a die", "faces go from 1 to {faces}", digit=digit, faces=faces
            )
    return tuple(int(digit) for digit in digits)


class Word(Struct, frozen=True):
    """A word, or several as one phrase. `spellings` keep a name's accents."""

    typed: str
    key: str  # normalized
    spellings: tuple[str, str]


class LexedLine(Struct, frozen=True, kw_only=True):
    """A line cut into parts that have no meaning yet."""

    is_scratch: bool = False  # there is an `x` before the words or after the hand
    before: tuple[Word, ...] = ()  # all words if there are no dice
    throws: tuple[tuple[str, str], ...] = ()  # each HAND and KEPT, in digits
    dice: tuple[str, ...] = ()  # in groups; perhaps too few or too many for a hand
    after: tuple[Word, ...] = ()
    category: tuple[Word, ...] = ()
    roll: Word | None = None


def lex(text: str, count: int, *, category: str | None = None, roll: str | None = None) -> LexedLine:
    """Return the parts of a line typed in a game with `count` dice. Never refuses a line.

    A hand is one word, one word per die, or groups whose last has at least two dice, so `5553 1` is four
    dice. `/` and `,` may stand for spaces. Letters may directly follow a hand: `55533f`.
    """
    tokens = [part for token in _tokens(text) for part in _split_after_hand(token, count)]
    is_scratch = bool(tokens) and tokens[0].casefold() == SCRATCH
    if is_scratch:
        del tokens[0]
    start = _first_dice(tokens, 0)
    if is_scratch and start < len(tokens) and len(tokens[start]) == 1:
        is_hand = _hand_length(tokens[start:], count) and not _hand_length(tokens[start + 1 :], count)
        if not is_hand:  # `x 1`: a single digit is the category
            start = _first_dice(tokens, start + 1)
    before, rest = tokens[:start], tokens[start:]

    throws = []
    missing = count
    while rest and ":" in rest[0]:
        hand, _, kept = rest.pop(0).partition(":")
        throws.append((hand, kept.replace(NO_DIE, "")))
        missing = count - len(throws[-1][1])
    length = _hand_length(rest, missing) or _hand_length(rest, count)
    if not length:  # an incomplete hand: take everything meant for it
        digits = list(takewhile(is_digits, rest))
        is_one_word = len(digits) > 1 and len(digits[0]) > 1 and all(len(word) == 1 for word in digits[1:])
        is_one_word &= len(digits) == 2 or sum(map(len, digits)) != count  # `555 3 3` is dice only
        length = 1 if is_one_word else len(digits)
    dice, after = rest[:length], rest[length:]
    if not is_scratch and after and after[0].casefold() == SCRATCH:
        is_scratch = True
        del after[0]
    return LexedLine(
        is_scratch=is_scratch,
        before=as_words(before),
        throws=tuple(throws),
        dice=tuple(dice),
        after=as_words(after),
        category=as_words((category or "").split()),
        roll=None if roll is None else as_words([roll])[0],
    )


def begins_with_dice(word: str) -> bool:
    """Return whether a word starts with dice, or with a throw and its kept dice."""
    tokens = _tokens(word)
    return bool(tokens) and (
        _first_dice(tokens, 0) == 0 or (is_digits(word[:2]) and any(map(str.isalpha, word)))
    )


_AFTER_HAND = ":=+."  # as in `55533:full`


def _split_after_hand(token: str, count: int) -> Sequence[str]:
    """Split `55533xf` into `55533`, `x` and `f`. Return any other word unchanged."""
    hand, rest = token[:count], token[count:].lstrip(_AFTER_HAND)
    if not (is_digits(hand) and len(hand) == count and any(map(str.isalpha, rest)) and ":" not in rest):
        return (token,)
    if rest[0].casefold() == SCRATCH:
        return tuple(filter(None, (hand, rest[0], rest[1:])))
    return hand, rest


def _tokens(text: str) -> list[str]:
    """Return the words of a line. Dice become one word of digits per group: `5,5,33/1` is four words."""
    tokens: list[str] = []
    for word in text.split():
        if not is_digits(word[0]):
            tokens.append(word.rstrip(",;") or word)
            continue
        for part in word.translate(AS_BLANKS).split():
            hand, colon, kept = part.partition(":")
            if colon and dice_groups(hand) and (not kept or dice_groups(kept)):  # 4-4-1-2-6:4-4
                tokens.append(f"{_digits(hand)}:{_digits(kept)}")
            else:
                tokens.extend(dice_groups(part) or [part])
    return tokens


def _digits(dice: str) -> str:
    return "".join(dice_groups(dice)) or dice


def _first_dice(tokens: Sequence[str], start: int) -> int:
    for place in range(start, len(tokens)):
        hand, _, kept = tokens[place].partition(":")
        if is_digits(hand + kept) and hand:
            return place
    return len(tokens)


def _hand_length(tokens: Sequence[str], count: int) -> int:
    total = 0
    for length, word in enumerate(takewhile(is_digits, tokens), start=1):
        total += len(word)
        if total >= count:
            is_apart = length == count
            return length if total == count and (is_apart or length == 1 or len(word) > 1) else 0
    return 0


def as_words(typed: Iterable[str]) -> tuple[Word, ...]:
    return tuple(Word(word, normalize(word), spellings(word)) for word in typed)


def read_throws(parts: LexedLine, threw: Sequence[str], rules: RuleSet) -> tuple[tuple[Dice, Dice], ...]:
    """Return the throws before the last, from the line or from `--threw`, each with the dice kept from it."""
    pairs = list(parts.throws)
    for text in threw:
        hand, colon, kept = text.partition(":")
        if not colon or not hand.strip():
            example = f"{rules.example}:{rules.example[: (rules.dice + 1) // 2]}"
            raise UsageError(
                "{text!r} is not a throw with its kept dice", Remedy("give-throw", example=example), text=text
            )
        if parts.throws:
            raise UsageError(
                "earlier throws are given twice; the line has {throw}",
                "give one of them",
                throw=":".join(pairs[0]),
            )
        pairs.append((_digits(hand), _digits(kept).replace(NO_DIE, "")))
    throws: tuple[tuple[Dice, Dice], ...] = ()
    for hand, kept in pairs:
        dice = _whole_hand([hand], throws, rules)
        faces = parse_faces([kept], faces=rules.faces) if kept.strip() else ()
        throws = (*throws, (dice, faces))
    return throws


def read_hand(parts: LexedLine, throws: Sequence[tuple[Dice, Dice]], rules: RuleSet) -> Dice | None:
    """Return the hand of a line, or None if the line has no dice. Refuses anything but a whole hand."""
    if not parts.dice:
        if parts.throws:
            last = ":".join(parts.throws[-1])
            raise UsageError(
                "{throw} is not the last throw", "type the dice of the next throw, too", throw=last
            )
        return None
    if parts.dice == (NO_DIE,) and parts.after:  # `0 chance`
        raise UsageError("0 is not a face of a die", "to scratch, type x and the box")
    is_mixed = len(parts.dice) > 1 and sum(map(len, parts.dice)) >= rules.dice > len(parts.dice[0])
    if is_mixed and not _hand_length(parts.dice, rules.dice) and not throws:
        raise UsageError(
            "{mixed} has some dice together and some apart",
            "type them as one word, or one word per die",
            mixed=" ".join(parts.dice),
        )
    if parts.before and parts.before[-1].typed.removeprefix("-").isdecimal():
        parse_faces([parts.before[-1].typed], faces=rules.faces)  # refuses `-1`
    try:
        return _whole_hand(parts.dice, throws, rules)
    except UsageError as error:
        if parts.before and not parts.is_scratch:
            raise UsageError(
                "{hand} is not a hand", "type the dice, not the points", hand=" ".join(parts.dice)
            ) from error
        raise


def _whole_hand(groups: Sequence[str], throws: Sequence[tuple[Dice, Dice]], rules: RuleSet) -> Dice:
    kept = throws[-1][1] if throws else ()
    if kept and sum(map(len, groups)) == rules.dice - len(kept):
        return (*kept, *parse_faces(groups, faces=rules.faces))
    return parse_dice(groups, count=rules.dice, faces=rules.faces)
