"""The turn line: the small language for typing a turn, the same in the shell and on the screen.

    DICE [THROW] [CATEGORY] [NAME]      55533 1 full Ana
    x CATEGORY [DICE] [NAME]            x ones, 11226 x ones
    HAND:KEPT ... DICE                  44126:44 425:444 44: earlier throws and the dice kept from each

`lex` cuts a line into words and dice (`rules.dice`). `parse` finds out what the words mean in one game
and adds the options of the command.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, combinations, takewhile
from typing import Any, Literal

from msgspec import UNSET, Struct
from msgspec.structs import replace

from generala_cli.errors import Ambiguous, GeneralaError, NotFound, UsageError
from generala_cli.game.events import Thrown, Throws
from generala_cli.game.game import Game
from generala_cli.game.seating import find_player
from generala_cli.game.turn import Turn
from generala_cli.messages import Message, lazy, listing, words_for
from generala_cli.remedies import DidYouMean, GiveThrow, NameThrow, SayWhich
from generala_cli.rules.dice import AS_BLANKS, Dice, dice_groups, is_digits, parse_dice, parse_faces
from generala_cli.rules.ruleset import Category, RuleSet, qualifies, worth
from generala_cli.text import find_same, normalize, resembling, word_meanings

VERBS: Mapping[str, str] = {
    "x": "scratch",
    "u": "undo",
    "r": "redo",
    "a": "advise",
    "o": "odds",
    "q": "quit",
    "?": "help",
}
"""The letters for a command at the start of a line."""
SCRATCH = "x"
NO_DIE = "0"
"""After the colon of a throw: no dice were kept."""
ARTICLES = words_for("an article, which means nothing at the table", "the, a, in, on, to, as, for, of")
_SCRATCHING = words_for("the command scratch", "scratch")
_LONGEST_PHRASE = 50
"""No name has more words than this."""


class TurnLine(Struct, frozen=True, kw_only=True):
    """A turn as typed: the words of a line and the options of a command.

    Attributes:
        words: one per shell word, or a whole line as one.
        roll: `--roll`, a number or a word. category: `--as`. player: `--player`.
        threw: each `--threw`, such as `44126:44`.
    """

    words: Sequence[str] = ()
    roll: str | None = None
    category: str | None = None
    player: str | None = None
    threw: Sequence[str] = ()


# From text to dice and words


class Word(Struct, frozen=True):
    """A word, or several of a phrase, as typed and normalized, as the lexicon has it."""

    typed: str
    key: str


class LexedLine(Struct, frozen=True, kw_only=True):
    """A line cut into parts that have no meaning yet.

    Attributes:
        is_scratch: there is an `x` before the words or after the hand.
        before, behind: the words before and after the dice; all words are in `before` if there are no dice.
        throws: each HAND and KEPT, written as digits.
        dice: the digits of the hand, in groups. There may be too few or too many for a hand.
    """

    is_scratch: bool = False
    before: tuple[Word, ...] = ()
    throws: tuple[tuple[str, str], ...] = ()
    dice: tuple[str, ...] = ()
    behind: tuple[Word, ...] = ()


def lex(text: str, count: int) -> LexedLine:
    """Return the parts of a line typed in a game with `count` dice. Never refuses a line.

    A hand is one word, one word per die, or groups whose last has at least two dice, so `5553 1` is four
    dice. `/` and `,` may stand for spaces. Letters may directly follow a hand: `55533f`.
    """
    tokens = [part for token in _tokens(text) for part in _split_behind_hand(token, count)]
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
    dice, behind = rest[:length], rest[length:]
    if not is_scratch and behind and behind[0].casefold() == SCRATCH:
        is_scratch = True
        del behind[0]
    return LexedLine(
        is_scratch=is_scratch,
        before=as_words(before),
        throws=tuple(throws),
        dice=tuple(dice),
        behind=as_words(behind),
    )


def as_words(typed: Iterable[str]) -> tuple[Word, ...]:
    return tuple(Word(typed=word, key=normalize(word)) for word in typed)


def _phrase(words: Sequence[Word]) -> Word:
    """Return the words as one."""
    keys = (word.key for word in words if word.key)
    return Word(typed=" ".join(word.typed for word in words), key=" ".join(keys))


def begins_with_dice(word: str) -> bool:
    """Return whether a word starts with dice, or with a throw and its kept dice."""
    tokens = _tokens(word)
    return bool(tokens) and (
        _first_dice(tokens, 0) == 0 or (is_digits(word[:2]) and any(map(str.isalpha, word)))
    )


def _split_behind_hand(token: str, count: int) -> Sequence[str]:
    """Split `55533xf` into `55533`, `x` and `f`. Return any other word unchanged."""
    hand, rest = token[:count], token[count:]
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
    """Return `44126` for `4-4-1-2-6`, and any other text unchanged."""
    return "".join(dice_groups(dice)) or dice


def _first_dice(tokens: Sequence[str], start: int) -> int:
    """Return the index of the first word of digits or throw such as `44126:44`, or the length of `tokens`."""
    for place in range(start, len(tokens)):
        hand, _, kept = tokens[place].partition(":")
        if is_digits(hand + kept) and hand:
            return place
    return len(tokens)


def _hand_length(tokens: Sequence[str], count: int) -> int:
    """Return how many of the first words make up a hand of `count` dice, or 0."""
    total = 0
    for length, word in enumerate(takewhile(is_digits, tokens), start=1):
        total += len(word)
        if total >= count:
            is_apart = length == count
            return length if total == count and (is_apart or length == 1 or len(word) > 1) else 0
    return 0


# From words to their meaning in a game


def parse(
    line: TurnLine,
    rules: RuleSet,
    game: Game | None = None,
    *,
    last_throw: int | None = None,
    is_throw_asked: bool = False,
    unfinished: bool = False,
) -> Turn:
    """Return the turn that a line describes. Fields that the line does not mention stay None.

    A digit after the hand is the throw if throws matter and the player has that throw. Otherwise it is the
    category with that number. If a prefix fits several categories, the hand decides if it makes only one.

    Args:
        game: the game whose players may be named. A prefix names only a player who may move.
        last_throw: the highest throw that a digit may name; by default, the last throw of the player to move.
        is_throw_asked: a digit after the hand is always the throw, because the command takes no category.
        unfinished: the line is still being typed. Nothing is refused; `Turn.refusal` has the error.

    Raises:
        UsageError: the hand is incomplete, or a word has no meaning.
        Ambiguous: the words have two meanings.
        NotFound, NotAllowed: there is no such player or category, or this game does not play the category.
    """
    lexicon = _Lexicon(rules, game, last_throw=last_throw, is_throw_asked=is_throw_asked)
    parts = lexicon.with_scratch_read(lex(" ".join(line.words), rules.dice))
    turn = Turn(is_scratch=parts.is_scratch)
    try:
        throws = _earlier_throws(parts, line.threw, rules)
        turn = replace(turn, throws=throws or UNSET)
        dice = _hand(parts, throws, rules)
        turn = replace(turn, dice=dice, has_hand=dice is not None)
    except GeneralaError as error:
        if not unfinished:
            raise
        turn = replace(turn, dice=_dice_so_far(parts, turn.throws or (), rules), refusal=error)
    try:
        for given in _given(line, parts, turn, lexicon):
            turn = _merged(turn, given)
    except GeneralaError as error:
        if not unfinished:
            raise
        begun = lexicon.categories_begun_by(parts.behind or parts.before)
        turn = replace(turn, refusal=turn.refusal or error, begun=begun)
    return turn


def _given(line: TurnLine, parts: LexedLine, turn: Turn, lexicon: "_Lexicon") -> Iterator[Turn]:
    """Yield what the words say, then what the options say, each as a turn."""
    option, behind = _category_option(line.category, parts.behind, turn, lexicon)
    yield lexicon.read(parts.before, behind, turn)
    yield option
    if turn.throws:
        yield Turn(roll=len(turn.throws) + 1)
    if line.roll is not None:
        yield Turn(roll=_roll_option(line.roll, lexicon.rules))
    if line.player is not None and lexicon.game is not None:
        yield Turn(player=find_player(line.player, lexicon.game.seats))


def _earlier_throws(parts: LexedLine, threw: Sequence[str], rules: RuleSet) -> Throws | tuple[()]:
    """Return the throws before the last, from the line or from `--threw`."""
    pairs = list(parts.throws)
    for text in threw:
        hand, colon, kept = text.partition(":")
        if not colon or not hand.strip():
            raise UsageError(
                "{text!r} is not a throw and what was kept of it",
                GiveThrow(_example_throw(rules)),
                text=text,
            )
        if parts.throws:
            raise UsageError(
                "earlier throws are given twice, in the line as {throw}",
                "give one of them",
                throw=":".join(pairs[0]),
            )
        pairs.append((_digits(hand), _digits(kept).replace(NO_DIE, "")))
    throws: tuple[Thrown, ...] = ()
    for hand, kept in pairs:
        dice = _whole_hand([hand], throws, rules)
        faces = parse_faces([kept], faces=rules.faces) if kept.strip() else ()
        throws = (*throws, Thrown(dice=dice, kept=faces))
    return throws


def _example_throw(rules: RuleSet) -> str:
    hand = rules.example
    return f"{hand}:{hand[: (rules.dice + 1) // 2]}"


def _whole_hand(groups: Sequence[str], throws: Sequence[Thrown], rules: RuleSet) -> Dice:
    """Return the whole hand: as typed, or the typed dice added to those kept from the last throw."""
    kept = throws[-1].kept if throws else ()
    if kept and sum(map(len, groups)) == rules.dice - len(kept):
        return (*kept, *parse_faces(groups, faces=rules.faces))
    return parse_dice(groups, count=rules.dice, faces=rules.faces)


def _hand(parts: LexedLine, throws: Sequence[Thrown], rules: RuleSet) -> Dice | None:
    if not parts.dice:
        if parts.throws:
            last = ":".join(parts.throws[-1])
            raise UsageError(
                "{throw} is not the last throw", "type the dice of the throw after it", throw=last
            )
        return None
    is_mixed = len(parts.dice) > 1 and sum(map(len, parts.dice)) >= rules.dice > len(parts.dice[0])
    if is_mixed and not _hand_length(parts.dice, rules.dice) and not throws:
        raise UsageError(
            "{mixed} has some dice in one word and some apart",
            "type all in one word, as {hand}, or each in its own",
            mixed=" ".join(parts.dice),
            hand=rules.example,
        )
    if parts.before and parts.before[-1].typed.removeprefix("-").isdecimal():
        parse_faces([parts.before[-1].typed], faces=rules.faces)  # refuses `-1`
    try:
        return _whole_hand(parts.dice, throws, rules)
    except UsageError as error:
        if parts.before and not parts.is_scratch:
            line = f"{rules.example} {parts.before[0].typed}"
            hint = lazy("type what the dice show, not the points, as in {line}", line=line)
            raise UsageError("{hand} is not a hand", hint, hand=" ".join(parts.dice)) from error
        raise


def _dice_so_far(parts: LexedLine, throws: Sequence[Thrown], rules: RuleSet) -> Dice:
    kept = throws[-1].kept if throws else ()
    faces = (int(digit) for digit in "".join(parts.dice))
    return (*kept, *(face for face in faces if 1 <= face <= rules.faces))[: rules.dice]


def _category_option(
    typed: str | None, behind: tuple[Word, ...], turn: Turn, lexicon: "_Lexicon"
) -> tuple[Turn, tuple[Word, ...]]:
    """Return the turn described by `--as`, possibly with a throw, and the remaining words after the hand.

    The shell splits `--as full house` in two, so `house` is found among the words of the line.
    """
    if typed is None:
        return Turn(), behind
    rules = lexicon.rules
    wanted = as_words(typed.split())
    names = {name.key for name in rules.category_names}
    for start, end in combinations(range(len(behind) + 1), 2):
        whole = _phrase((*wanted, *behind[start:end]))
        if whole.key in names:
            return Turn(category=rules.find_category(whole.typed)), (*behind[:start], *behind[end:])
    try:
        named = lexicon.read(wanted, (), turn)
    except UsageError:
        named = Turn()
    return (named if named.category else Turn(category=rules.find_category(typed))), behind


def _roll_option(typed: str, rules: RuleSet) -> int:
    if is_digits(typed) and len(typed) <= 3 and int(typed) > 0:
        return int(typed)
    if (throw := rules.find_throw(typed)) is not None:
        return throw
    raise UsageError(
        "{text!r} is not a throw",
        NameThrow(rules.throws),
        text=typed,
    )


def _merged(turn: Turn, more: Turn) -> Turn:
    """Return a turn with the fields of both; refuse two different values for one field."""
    for one, other in (
        (turn.roll, more.roll),
        (turn.category, more.category),
        (turn.player, more.player),
    ):
        if one is not None and other is not None and one != other:
            both = listing((_shown(one), _shown(other)), "and")
            raise UsageError("{both} are both given", "give one of them", both=both)
    return replace(
        turn,
        roll=turn.roll if more.roll is None else more.roll,
        category=turn.category or more.category,
        player=turn.player or more.player,
    )


def _shown(value: int | Category | str) -> object:
    """Return a message such as `throw 1`, `full-house` or `Ana`."""
    if isinstance(value, Category):
        return value.typed
    return lazy("throw {number}", number=value) if isinstance(value, int) else value


class _Phrase(Struct, frozen=True, kw_only=True):
    """Words that name one thing.

    Attributes:
        what: the field of `Turn`.
        is_whole: whether the words are the whole name or only a prefix.
        digit: the digit after the hand that may be either the throw or a category.
        is_sure: False for the prefix of an alias. It makes other prefixes ambiguous but is never chosen.
    """

    what: Literal["roll", "category", "player"]
    value: int | Category | str
    is_whole: bool
    digit: int | None = None
    is_sure: bool = True


_Reading = tuple[_Phrase, ...]


def _is_sure(reading: _Reading) -> bool:
    return all(phrase.is_sure for phrase in reading)


class _Lexicon:
    """Everything that words can name in one game: its throws, categories and players.

    Words of languages that are not open yet are understood too, if a line means nothing without them.
    """

    def __init__(
        self,
        rules: RuleSet,
        game: Game | None,
        *,
        last_throw: int | None,
        is_throw_asked: bool,
        loaded_languages_only: bool = True,
    ) -> None:
        self.rules = rules
        self.game = game
        self._last_throw = last_throw
        self._is_throw_asked = is_throw_asked
        self._loaded_only = loaded_languages_only
        self._known: dict[tuple[Sequence[Word], bool], Sequence[_Phrase]] = {}

    @cached_property
    def _throws(self) -> Mapping[str, int]:
        return self.rules.throws_by_name(loaded_languages_only=self._loaded_only)

    @cached_property
    def _articles(self) -> Collection[str]:
        return word_meanings({True: ARTICLES}, loaded_languages_only=self._loaded_only)

    @cached_property
    def _players(self) -> Mapping[str, str]:
        return {player: normalize(player) for player in (self.game.seats if self.game else ())}

    @cached_property
    def _in_all_languages(self) -> "_Lexicon":
        return _Lexicon(
            self.rules,
            self.game,
            last_throw=self._last_throw,
            is_throw_asked=self._is_throw_asked,
            loaded_languages_only=False,
        )

    def read(self, before: Sequence[Word], behind: Sequence[Word], turn: Turn) -> Turn:
        """Return the turn described by the words before and after the dice, without its dice.

        A whole name beats a prefix, and one long phrase beats several short ones. Prefixes of categories that
        the dice cannot make are ignored.

        Raises:
            UsageError: a word has no meaning. Ambiguous: the words have two meanings.
        """
        readings = [
            (*first, *second)
            for first in self._readings(before, frozenset(), behind=False)
            for second in self._readings(behind, frozenset(phrase.what for phrase in first), behind=True)
            if self._has_right_digits((*first, *second))
        ]
        if not readings:
            if self._loaded_only:
                return self._in_all_languages.read(before, behind, turn)
            raise self._refusal(before, behind, turn)
        ranks = [(sum(not phrase.is_whole for phrase in reading), len(reading)) for reading in readings]
        best = [reading for reading, rank in zip(readings, ranks, strict=True) if rank == min(ranks)]
        if turn.dice is not None and turn.has_hand and not turn.is_scratch:
            made = [reading for reading in best if self._is_made(reading, turn.dice)]
            best = made if any(map(_is_sure, made)) else best
        if len(best) > 1 and all(map(_is_sure, best)):
            best = self._dearest(best, turn) or best
        fields: list[dict[str, Any]] = [{each.what: each.value for each in reading} for reading in best]
        if any(each != fields[0] for each in fields):  # `full full` with a player Full means one turn
            raise _two_things(_phrase((*before, *behind)).typed, best)
        return Turn(**fields[0])

    def with_scratch_read(self, parts: LexedLine) -> LexedLine:
        """Return the parts of a line, with a word for scratching read as `x`: `55533 scratch full`."""
        is_behind = not parts.before
        words = parts.behind if is_behind else parts.before
        if parts.is_scratch or not words:
            return parts
        if self._is_scratching(words[0], behind=is_behind):
            rest = words[1:]
        elif is_behind and self._is_scratching(words[-1], behind=True):
            rest = words[:-1]
        else:
            return parts
        return replace(parts, is_scratch=True, **{"behind" if is_behind else "before": rest})

    def _is_scratching(self, word: Word, *, behind: bool) -> bool:
        """Return whether a word means to scratch and does not name anything in this game."""
        if self.meanings((word,), behind=behind):
            return False
        return word.typed.casefold() == SCRATCH or word.key in word_meanings({True: _SCRATCHING})

    def categories_begun_by(self, words: Sequence[Word]) -> tuple[Category, ...]:
        return tuple(match.category for match in self.rules.match_categories(_phrase(words).key))

    def meanings(self, words: Sequence[Word], *, behind: bool) -> Sequence[_Phrase]:
        if (words, behind) not in self._known:
            self._known[words, behind] = self._find_meanings(words, behind=behind)
        return self._known[words, behind]

    def _find_meanings(self, words: Sequence[Word], *, behind: bool) -> Sequence[_Phrase]:
        phrase = _phrase(words)
        if len(phrase.typed) == 1 and is_digits(phrase.typed) and behind:
            return self._meanings_of_digit(int(phrase.typed))
        if phrase.typed.startswith("-") and phrase.typed[1:].isdecimal():  # `-1` is not `1`
            return []
        throw = self._throws.get(phrase.key)
        found = [] if throw is None else [_Phrase(what="roll", value=throw, is_whole=True)]
        for match in self.rules.match_categories(phrase.key):
            if match.is_whole and behind and throw and match.category.number == throw:
                return self._meanings_of_digit(throw)  # `3er` is a throw in Spanish, and a number in German
            found.append(
                _Phrase(what="category", value=match.category, is_whole=match.is_whole, is_sure=match.is_sure)
            )
        same = find_same(phrase.typed, self._players)
        for player, key in self._players.items():
            is_begun = phrase.key and key.startswith(phrase.key)
            if player == same or (is_begun and self.game and self.game.may_move(player)):
                found.append(_Phrase(what="player", value=player, is_whole=player == same))
        if found:
            return [each for each in found if each.is_whole] or found
        if len(words) > 1 and words[0].key in self._articles:
            return self.meanings(words[1:], behind=False)
        return []

    def _meanings_of_digit(self, digit: int) -> Sequence[_Phrase]:
        if not digit:
            return []
        throw = _Phrase(what="roll", value=digit, is_whole=True, digit=digit)
        if self._is_throw_asked:
            return [throw]
        numbers = [
            _Phrase(what="category", value=category, is_whole=True, digit=digit)
            for category in self.rules.categories
            if category.number == digit
        ]
        return [throw, *numbers] if self.rules.has_throws_that_matter else numbers

    def _has_right_digits(self, reading: _Reading) -> bool:
        """Return whether each digit is the throw if the player has that throw, and otherwise the category."""
        if self._is_throw_asked or not any(phrase.digit for phrase in reading):
            return True
        last = self._last_throw
        if last is None:
            named = (phrase.value for phrase in reading if phrase.what == "player")
            player = next(named, self.game and self.game.to_move)
            last = self.game.last_throw(str(player)) if self.game and player else self.rules.throws
        return all(
            (phrase.what == "roll") == (self.rules.has_throws_that_matter and phrase.digit <= last)
            for phrase in reading
            if phrase.digit is not None
        )

    def _is_made(self, reading: _Reading, dice: Dice) -> bool:
        return all(
            qualifies(self.rules, phrase.value, dice)
            for phrase in reading
            if isinstance(phrase.value, Category) and not phrase.is_whole
        )

    def _dearest(self, readings: Sequence[_Reading], turn: Turn) -> list[_Reading]:
        """Return the readings whose category pays most, if a prefix fits a number and one other category.

        `44442 four` is four of a kind, the same as the dice alone. The answer names the other category.
        """
        named = [phrase.value for reading in readings for phrase in reading if phrase.what == "category"]
        categories = [each for each in named if isinstance(each, Category)]
        others = {tuple(phrase for phrase in reading if phrase.what != "category") for reading in readings}
        is_number_or_another = len(categories) == len(readings) == 2 and len(others) == 1
        if not (is_number_or_another and turn.has_hand and turn.dice) or turn.is_scratch:
            return []
        if sum(category.number is not None for category in categories) != 1:
            return []
        paid = [
            worth(self.rules, category, turn.dice, self.rules.throws) if self._is_fillable(category) else -1
            for category in categories
        ]
        return [reading for reading, points in zip(readings, paid, strict=True) if points == max(paid)]

    def _is_fillable(self, category: Category) -> bool:
        if self.game is None or self.game.to_move is None:
            return True
        return category in self.game.fillable_categories(self.game.to_move)

    def _readings(self, words: Sequence[Word], taken: frozenset[str], *, behind: bool) -> Iterator[_Reading]:
        """Yield every way to cut the words into phrases for different fields."""
        if not words:
            yield ()
            return
        if len(taken) == len(_THINGS):
            return
        for end in range(1, min(len(words), _LONGEST_PHRASE) + 1):
            for phrase in self.meanings(words[:end], behind=behind):
                if phrase.what not in taken:
                    for rest in self._readings(words[end:], taken | {phrase.what}, behind=behind):
                        yield (phrase, *rest)

    def _refusal(self, before: Sequence[Word], behind: Sequence[Word], turn: Turn) -> GeneralaError:
        """Return the error for words without a meaning: an unknown word, or a field given twice."""
        words = [*((word, False) for word in before), *((word, True) for word in behind)]
        typed = [word.typed for word, _ in words]
        kinds = []
        for index, (word, is_behind) in enumerate(words):
            meanings = self.meanings((word,), behind=is_behind)
            likely = [phrase for phrase in meanings if self._has_right_digits((phrase,))]
            if not likely:
                return self._unknown_word(typed[index:], turn, is_behind=is_behind)
            kinds.append(likely[0].what)
        twice = next((kind for kind in kinds if kinds.count(kind) > 1), None)
        return UsageError(_TWICE[twice].with_values(words=" ".join(typed)), "give it once")

    def _unknown_word(self, typed: Sequence[str], turn: Turn, *, is_behind: bool) -> GeneralaError:
        """Return the error for the first of these words, which has no meaning."""
        word = typed[0]
        if is_behind and word.isdecimal():
            return UsageError(
                "{word} is neither a throw nor a category",
                "type what the dice show, as in {hand}; the points follow from them",
                word=word,
                hand=self.rules.example,
            )
        try:
            self.rules.find_category(" ".join(typed))
        except NotFound as error:
            if turn.is_scratch and not is_behind:
                return error
            names = (*self._players, *chain.from_iterable(self.rules.throw_words.values()))
            alike = resembling(word, names)[:3]
            hint = DidYouMean(listing(alike)) if alike else error.hint
            return UsageError("{word!r} is no category, throw or player", hint, word=word)
        except GeneralaError as error:  # for example, a category that this game does not play
            return error
        return UsageError("{word!r} is one word too many", "leave it out", word=word)


_TWICE: Mapping[str | None, Message] = {
    "roll": lazy("{words!r} gives the throw twice"),
    "category": lazy("{words!r} gives the category twice"),
    "player": lazy("{words!r} gives the player twice"),
    None: lazy("{words!r} gives something twice"),
}
_THINGS: Mapping[str, Message] = {
    "roll": lazy("the roll {it}"),
    "category": lazy("the category {it}"),
    "player": lazy("the player {it}"),
}


def _two_things(typed: str, readings: Sequence[_Reading]) -> Ambiguous:
    phrases = dict.fromkeys(phrase for reading in readings for phrase in reading)
    unsure = [phrase for phrase in phrases if not all(phrase in reading for reading in readings)]
    if {phrase.what for phrase in unsure} == {"category"}:
        which = listing(_shown(phrase.value) for phrase in unsure)
        what = lazy("{wanted!r} fits more than one category", wanted=typed)
        return Ambiguous(what, lazy("say which: {categories}", categories=which))
    both = listing(
        _THINGS[what.what].with_values(it=what.value if what.what == "roll" else _shown(what.value))
        for what in unsure
    )
    return Ambiguous(
        lazy("{words!r} could be {both}", words=typed, both=both),
        SayWhich(),
    )
