"""The meaning of a typed turn in one game. `rules.notation` cuts the line into dice and words.

`parse` looks the words up in a lexicon and adds the options of the command.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, pairwise, takewhile
from operator import not_
from typing import Any, Literal

from msgspec import UNSET, Struct
from msgspec.structs import replace

from generala_cli.errors import Ambiguous, GeneralaError, NotFound, Retyped, UsageError
from generala_cli.game.decisions import check_turn, choices
from generala_cli.game.events import Entry, Thrown
from generala_cli.game.game import Game
from generala_cli.game.turn import Turn
from generala_cli.messages import (
    ARTICLES,
    ENGLISH,
    LANGUAGES,
    Message,
    command_line,
    lazy,
    listing,
    number_range,
    shortened,
    words_for,
)
from generala_cli.remedies import Remedy
from generala_cli.rules.dice import Dice, join_dice, most_alike
from generala_cli.rules.notation import (
    ADVICE,
    SCRATCH,
    LexedLine,
    Word,
    as_words,
    is_digits,
    lex,
    read_hand,
    read_throws,
)
from generala_cli.rules.patterns import Alike
from generala_cli.rules.ruleset import Category, RuleSet, qualifies, worth
from generala_cli.rules.spoken_dice import AND, DICE, NUMBERS, in_digits
from generala_cli.rules.throws import THROWS
from generala_cli.text import find_player, find_word, normalize, resembling, word_meanings

_ALIKE = words_for("alike, after a number of dice", "alike, equal")
_OF = words_for("of, between a box and the face of its dice", "of")
_PUNCTUATION = ",;:.!?"
_BEFORE_DICE = words_for("a word between a name or a box and its dice", "with, has, throws, threw")
_SCRATCHING = words_for("the command scratch", "scratch")
_ASKING: Sequence[tuple[str, Message]] = (
    ("advise", words_for("the command advise", "advise")),
    ("advise", ADVICE),
    ("check", words_for("the command check", "check")),
)
"""Commands about a hand, and words for them after the dice."""
_ZERO = words_for("no points in a box", "zero, nothing, nil")
_SHORTEST = 3  # a shorter word resembles too many names
_SHORTEST_THROW = 6  # shorter words for a throw, such as `erster`
_LONGEST_PHRASE = 50
_PROGRAM = "generala"  # also the name of a box
_FEWEST_ALIKE = 4  # `cuadra` and `quina` are four and five alike, or fours and fives


class TurnLine(Struct, frozen=True, kw_only=True):
    """A turn as typed: the words of a line (or the whole line as one) and the options of a command."""

    words: Sequence[str] = ()
    roll: str | None = None
    category: str | None = None
    player: str | None = None
    threw: Sequence[str] = ()


def parse(
    line: TurnLine,
    rules: RuleSet,
    game: Game | None = None,
    *,
    last_throw: int | None = None,
    is_throw_asked: bool = False,
    unfinished: bool = False,
    corrects: Entry | None = None,
) -> Turn:
    """Return the turn that a line describes. Fields that the line does not mention stay None.

    A digit after the hand is the throw if throws matter and the player has that throw (up to `last_throw`),
    or always if `is_throw_asked`. Otherwise it is the category with that number. If a prefix fits several
    categories, the hand decides if it makes only one. A prefix names only a player who may move. A name that
    categories share means the only open one that the hand makes; otherwise Retyped. If a line without dice
    `corrects` an entry, the hand of the entry decides.

    UsageError for an incomplete hand or a meaningless word, Ambiguous for two meanings, NotFound or
    NotAllowed for a player or category that the game lacks. An `unfinished` line is never refused;
    `Turn.refusal` has the error.
    """
    text = " ".join(line.words)
    lexicon = _Lexicon(
        rules, game, text, last_throw=last_throw, is_throw_asked=is_throw_asked, corrects=corrects
    )
    line = replace(line, threw=[with_cards(hand, rules, game) for hand in line.threw])
    refusal: GeneralaError | None = None
    for digits in _in_digits(with_cards(text, rules, game), rules.dice):
        try:
            turn = _parse(digits, line, lexicon, unfinished=unfinished)
        except GeneralaError as error:
            refusal = refusal or error
        else:
            if turn.refusal is None:
                return turn
    if (few := _few_in_digits(text, rules.dice)) and (refusal is not None or not turn.dice):
        return _parse(few, line, lexicon, unfinished=unfinished)  # `three sixes` are too few dice
    if refusal is not None:
        raise refusal
    return turn


def is_in_named_box(words: Sequence[str], game: Game) -> bool:
    """Return whether a line is a box and a hand that makes it: `generala 33333`, not `generala de treses`."""
    if not "".join(words[1:2])[:1].isdecimal():
        return False
    try:
        turn = parse(TurnLine(words=words), game.rules, game)
    except GeneralaError:
        return False
    box, dice = turn.category, turn.dice if turn.has_hand else None
    return box is not None and dice is not None and qualifies(game.rules, box, dice)


def parse_box(reply: str, rules: RuleSet, hand: Dice | None = None) -> Turn:
    """Return the box that a reply names for a hand, and whether to scratch it: `el póker`, `x full`."""
    lexicon = _Lexicon(rules, None, reply, last_throw=None, is_throw_asked=False)
    first, _, rest = reply.partition(" ")
    try:
        turn = lexicon.read(as_words(reply.split()), (), Turn(dice=hand, has_hand=hand is not None))
        if turn.category is not None:
            return turn
    except UsageError as error:
        if isinstance(error, _SharedName):
            raise
    named = rest if first.casefold() == SCRATCH and rest else reply
    return Turn(category=rules.find_category(named), is_scratch=named != reply)


def with_cards(text: str, rules: RuleSet, game: Game | None) -> str:
    """Return a line with its dice in digits, if the game is played with poker dice."""
    if not rules.poker_dice:
        return text
    from generala_cli.rules.poker_dice import cards_in_digits  # most games do not need it

    return cards_in_digits(text, rules.dice, game.seats if game else ())


def _in_digits(text: str, count: int) -> Iterator[str]:
    """Yield the line with its dice in digits, in each way to read its words. Other languages come last."""
    known = [*in_digits(text, count, loaded_languages_only=True)] or [text]
    yield from known
    yield from (line for line in in_digits(text, count, loaded_languages_only=False) if line not in known)


def _few_in_digits(text: str, count: int) -> str | None:
    """Return the line with the most dice in words that it has, if they are fewer than a hand."""
    for fewer in range(count - 1, 1, -1):
        for digits in in_digits(text, fewer, loaded_languages_only=True):
            return digits
    return None


def _parse(text: str, line: TurnLine, lexicon: "_Lexicon", *, unfinished: bool) -> Turn:
    rules = lexicon.rules
    parts = lex(lexicon.with_throws_joined(text), rules.dice, category=line.category, roll=line.roll)
    turn = Turn(is_scratch=parts.is_scratch)
    throws: tuple[tuple[Dice, Dice], ...] = ()
    try:
        throws = read_throws(parts, line.threw, rules)
        turn = replace(turn, throws=tuple(Thrown(dice=dice, kept=kept) for dice, kept in throws) or UNSET)
        hand = read_hand(parts, throws, rules)
        typed_dice = sum(map(len, parts.dice))
        is_unturned = rules.most_turned > 0 and hand is not None and typed_dice < rules.dice
        turn = replace(turn, dice=hand, has_hand=hand is not None, is_unturned=is_unturned)
    except GeneralaError as error:
        if not unfinished:
            raise
        kept = throws[-1][1] if throws else ()
        typed = (int(digit) for digit in "".join(parts.dice))
        dice = (*kept, *(face for face in typed if 1 <= face <= rules.faces))
        turn = replace(turn, dice=dice[: rules.dice], refusal=error)
    try:
        for more in _given(line, parts, turn, lexicon):
            for given, other in (
                (turn.roll, more.roll),
                (turn.category, more.category),
                (turn.player, more.player),
            ):
                if given is not None and other is not None and given != other:
                    both = listing((_shown(given), _shown(other)), "and")
                    raise UsageError("{both} contradict each other", "give one of them", both=both)
            turn = replace(
                turn,
                roll=turn.roll if more.roll is None else more.roll,
                served=turn.served if more.served is None else more.served,
                category=turn.category or more.category,
                player=turn.player or more.player,
                is_scratch=turn.is_scratch or more.is_scratch,
            )
    except GeneralaError as error:
        if not unfinished:
            raise
        candidates = lexicon.categories_with_prefix(parts.after or parts.before)
        if isinstance(error, _SharedName):
            candidates = error.categories
        turn = replace(turn, refusal=turn.refusal or error, candidates=candidates)
    return turn


def _given(line: TurnLine, parts: LexedLine, turn: Turn, lexicon: "_Lexicon") -> Iterator[Turn]:
    option, after = Turn(), parts.after
    if line.category is not None:
        option, after = _category_option(line.category, parts, turn, lexicon)
    yield lexicon.read(parts.before, after, replace(turn, category=option.category))
    yield option
    if turn.throws:
        yield Turn(roll=len(turn.throws) + 1)
    if parts.roll is not None:
        typed, key = parts.roll.typed, parts.roll.key
        number, _, rest = key.partition(" ")
        if rest and is_digits(number) and lexicon.claim(rest) is not None:  # `2 mano`
            yield Turn(served=lexicon.claim(rest))
            typed = number
        if is_digits(typed) and len(typed) <= 3 and int(typed) > 0:
            yield Turn(roll=int(typed))
        elif (claim := lexicon.claim(key)) is not None:
            yield Turn(served=claim)
        elif throw := lexicon.throws.get(key) or lexicon.in_all_languages.throws.get(key):
            yield Turn(roll=throw)
        else:
            raise UsageError(
                "{text!r} is not a throw",
                Remedy("name-throw", throws=number_range(1, lexicon.rules.throws)),
                text=typed,
            )
    if line.player is not None and lexicon.game is not None:
        try:
            yield Turn(player=find_player(line.player, lexicon.game.seats))
        except NotFound:  # suggest only players who may move
            yield Turn(player=find_player(line.player, [*filter(lexicon.game.may_move, lexicon.game.seats)]))


def _category_option(
    typed: str, parts: LexedLine, turn: Turn, lexicon: "_Lexicon"
) -> tuple[Turn, tuple[Word, ...]]:
    """Return the turn of `--as` and the remaining words: the shell splits `--as full house` in two."""
    wanted, after = parts.category, parts.after
    names = {
        name.key: name.category for name in lexicon.rules.category_names if name.category.is_own(name.key)
    }
    for start, end in combinations(range(len(after) + 1), 2):
        category = names.get(_phrase((*wanted, *after[start:end])).key)
        if category is not None and typed != "-":  # `- 1` is not `1`
            return Turn(category=category), (*after[:start], *after[end:])
    try:
        named = lexicon.read(wanted, (), turn)
    except UsageError as error:
        if isinstance(error, _SharedName):
            raise
        named = Turn()
    return (named if named.category else Turn(category=lexicon.rules.find_category(typed))), after


def _phrase(words: Sequence[Word]) -> Word:
    first, second = zip(*(word.spellings for word in words), strict=True)
    return Word(
        typed=" ".join(word.typed for word in words),
        key=" ".join(word.key for word in words if word.key),
        spellings=(" ".join(first), " ".join(second)),
    )


def _shown(value: int | Category | str) -> object:
    if isinstance(value, Category):
        return value.typed
    return lazy("throw {number}", number=value) if isinstance(value, int) else value


class _Phrase(Struct, frozen=True, kw_only=True):
    """Words that name one thing, for a field of `Turn`."""

    what: Literal["roll", "served", "category", "player", "is_scratch"]
    value: int | Category | str
    is_whole: bool  # not only a prefix
    digit: int | None = None  # after the hand: either the throw or a category
    is_sure: bool = True  # False: a prefix of an alias, never chosen
    faces: tuple[int, ...] = ()  # of most dice, or all: `four of a kind of sixes`, `full of sixes and threes`
    shared: str = ""  # as typed, if it is the whole name of several categories
    roll: int | None = None  # of a category that is named as the instant win, such as `la dormida`


_Reading = tuple[_Phrase, ...]


def _is_sure(reading: _Reading) -> bool:
    return all(phrase.is_sure for phrase in reading)


def _fields(reading: _Reading, turn: Turn) -> dict[str, Any]:
    """Return the fields that a reading gives to a turn. Refuses `dormida 2`."""
    fields: dict[str, Any] = {each.what: each.value for each in reading}
    if turn.is_scratch or "is_scratch" in fields:
        return fields
    for roll in (each.roll for each in reading if each.roll is not None):
        if fields.setdefault("roll", roll) != roll:
            both = listing((_shown(roll), _shown(fields["roll"])), "and")
            raise UsageError("{both} contradict each other", "give one of them", both=both)
    return fields


class _Lexicon:
    """Everything that words can name in one game: its throws, categories and players.

    Words of languages that are not open yet are understood too, if a line means nothing without them.
    """

    def __init__(
        self,
        rules: RuleSet,
        game: Game | None,
        text: str,
        *,
        last_throw: int | None,
        is_throw_asked: bool,
        corrects: Entry | None = None,
        loaded_languages_only: bool = True,
    ) -> None:
        self.rules = rules
        self.game = game
        self._text = text
        self._corrects = corrects
        self._last_throw = last_throw
        self._is_throw_asked = is_throw_asked
        self._loaded_only = loaded_languages_only
        self._known: dict[tuple[Sequence[Word], bool], Sequence[_Phrase]] = {}

    @cached_property
    def throws(self) -> Mapping[str, int]:
        return self.rules.throws_by_name(loaded_languages_only=self._loaded_only)

    @cached_property
    def _claims(self) -> Mapping[str, bool]:
        return self.rules.de_mano_words(loaded_languages_only=self._loaded_only)

    def claim(self, key: str) -> bool | None:
        """Return whether a normalized word says that the hand is de mano; None if it says nothing of it."""
        claim = self._claims.get(key)
        return self.in_all_languages._claims.get(key) if claim is None else claim

    @cached_property
    def _scratching(self) -> Collection[str]:
        words = word_meanings({True: _SCRATCHING}, loaded_languages_only=self._loaded_only)
        return {SCRATCH, *words}

    @cached_property
    def _articles(self) -> Collection[str]:
        return word_meanings({True: ARTICLES}, loaded_languages_only=self._loaded_only)

    @cached_property
    def _instant_wins(self) -> Collection[str]:
        return self.rules.instant_win_names(loaded_languages_only=self._loaded_only)

    @cached_property
    def _players(self) -> Mapping[str, Word]:
        seats = self.game.seats if self.game else ()
        return dict(zip(seats, as_words(seats), strict=True))

    @cached_property
    def in_all_languages(self) -> "_Lexicon":
        return _Lexicon(
            self.rules,
            self.game,
            self._text,
            last_throw=self._last_throw,
            is_throw_asked=self._is_throw_asked,
            corrects=self._corrects,
            loaded_languages_only=False,
        )

    def read(self, before: Sequence[Word], after: Sequence[Word], turn: Turn) -> Turn:
        """Return the turn in the words before and after the dice; UsageError or Ambiguous if it is unclear.

        A whole name beats a prefix, and one long phrase beats several short ones. Prefixes of categories that
        the dice cannot make are ignored.
        """
        given = frozenset({"is_scratch"} if turn.is_scratch else ())
        if self._ends_in_verb(before):
            before = before[:-1]
        readings = [
            (*first, *second)
            for first in self._readings(before, given, after=False)
            for second in self._readings(after, given | {phrase.what for phrase in first}, after=True)
            if self._has_right_digits((*first, *second))
        ]
        if not readings:
            if self._loaded_only:
                return self.in_all_languages.read(before, after, turn)
            raise self._refusal(before, after, turn)
        ranks = [(sum(not phrase.is_whole for phrase in reading), len(reading)) for reading in readings]
        best: Sequence[_Reading] = [
            reading for reading, rank in zip(readings, ranks, strict=True) if rank == min(ranks)
        ]
        hand = self._hand_to_score(turn)
        if hand is not None:
            made = [
                reading
                for reading in best
                if any(phrase.what == "is_scratch" for phrase in reading)
                or all(
                    qualifies(self.rules, phrase.value, hand)
                    for phrase in reading
                    if isinstance(phrase.value, Category) and (phrase.shared or not phrase.is_whole)
                )
            ]
            best = made if any(map(_is_sure, made)) else best
        is_shared = all(any(phrase.shared for phrase in reading) for reading in best)
        if len(best) > 1 and is_shared:
            best = self._open(best, turn)
        elif len(best) > 1 and all(map(_is_sure, best)):
            best = self._dearest(best, turn) or best
        fields = [_fields(reading, turn) for reading in best]
        if any(each != fields[0] for each in fields):  # `full full` with a player Full means one turn
            if is_shared:
                raise self._shared_name(best, hand)
            raise _two_things(_phrase((*before, *after)).typed, best)
        self._check_faces(best[0], turn, (*before, *after))
        self._check_program(before, best[0], turn)
        return Turn(**fields[0])

    def _ends_in_verb(self, words: Sequence[Word]) -> bool:
        """Return whether words end as `Ana tiró` does, but not as `un tiro`."""
        ends = [" ".join(word.key for word in words[place:]) for place in range(len(words) - 1)]
        is_verb = bool(ends) and words[-1].key in self._meanings_of(_BEFORE_DICE)
        return is_verb and self.throws.keys().isdisjoint(ends)

    def _check_faces(self, reading: _Reading, turn: Turn, words: Sequence[Word]) -> None:
        """Refuse `póker de cuatros` and `full de seises y treses` for other dice."""
        named = [phrase.faces for phrase in reading if phrase.faces]
        dice = turn.dice if turn.has_hand and not turn.is_scratch else None
        if dice and any(not _fit(faces, dice) for faces in named):
            typed = _phrase(words).typed
            raise UsageError(
                "{hand} does not fit {words!r}", "check the dice", hand=join_dice(dice), words=typed
            )

    def _check_program(self, before: Sequence[Word], reading: _Reading, turn: Turn) -> None:
        """Refuse `de cuatros 44444`: in a shell, `generala` before it may have meant the box of that name."""
        given: dict[str, Any] = {phrase.what: phrase.value for phrase in reading}
        if len(before) < 2 or before[0].key != normalize(LANGUAGES.typed.words(_OF)[0]):
            return
        if reading[0].what != "category":  # `de una 44444`
            return
        box, is_scratch = given.get("category"), turn.is_scratch or "is_scratch" in given
        boxes = self._boxes_for(replace(turn, player=given.get("player", turn.player)))
        named = [each for each in boxes if _PROGRAM in each.answers_to]
        is_number = isinstance(box, Category) and box.number is not None and box in boxes
        if is_scratch or turn.dice is None or not (is_number and named):
            return
        more = [str(given[what]) for what in ("roll", "player") if what in given]
        both = (named[0], given["category"])
        meant = [each.typed.name_in(LANGUAGES.spoken.code) for each in both]
        lines = listing(command_line([join_dice(turn.dice), name, *more]) for name in meant)
        what = lazy("{words!r} could be {both}", words=_phrase(before).typed, both=listing(both))
        raise Ambiguous(what, lazy("type {lines}", lines=lines))

    def with_throws_joined(self, text: str) -> str:
        """Return the text with `tiro-3` for `tiro 3`, whose digit is no die."""
        words = text.split()
        for place, (first, second) in reversed([*enumerate(pairwise(words))]):
            is_numbered = len(second) == 1 and is_digits(second) and first.isalpha()
            if is_numbered and normalize(f"{first} {second}") in self.throws:
                words[place : place + 2] = [f"{first}-{second}"]
        return " ".join(words)

    def categories_with_prefix(self, words: Sequence[Word]) -> tuple[Category, ...]:
        phrases = self._categories(_phrase(words).key) if words else ()
        return tuple(phrase.value for phrase in phrases if isinstance(phrase.value, Category))

    def meanings(self, words: Sequence[Word], *, after: bool) -> Sequence[_Phrase]:
        if (words, after) not in self._known:
            self._known[words, after] = self._find_meanings(words, after=after)
        return self._known[words, after]

    def _find_meanings(self, words: Sequence[Word], *, after: bool) -> Sequence[_Phrase]:
        phrase = _phrase(words)
        if len(phrase.typed) == 1 and is_digits(phrase.typed) and after:
            return self._meanings_of_digit(int(phrase.typed))
        if phrase.typed.startswith("-") and phrase.typed[1:].isdecimal():  # `-1` is not `1`
            return []
        throw = None if phrase.key in self._claims else self.throws.get(phrase.key)
        phrases = [] if throw is None else [_Phrase(what="roll", value=throw, is_whole=True)]
        if phrase.key in self._claims:
            phrases.append(_Phrase(what="served", value=self._claims[phrase.key], is_whole=True))
        if throw and len(words) > 1 and words[0].key in self._articles:  # `en dos` is a throw or a box
            phrases += [each for each in self.meanings(words[1:], after=False) if each.what == "category"]
        if phrase.key in self._scratching:
            phrases.append(_Phrase(what="is_scratch", value=True, is_whole=True))
        if self.rules.instant_win is not None and phrase.key in self._instant_wins:
            box = self.rules.category(self.rules.instant_win.box)
            phrases.append(_Phrase(what="category", value=box, is_whole=True, roll=1))
        categories = self._categories(phrase.key)
        is_shared = sum(named.is_whole for named in categories) > 1
        for named in categories:
            assert isinstance(named.value, Category)
            if named.is_whole and after and throw and named.value.number == throw:
                return self._meanings_of_digit(throw)  # `3er` is a throw in Spanish, and a number in German
            phrases.append(replace(named, shared=phrase.typed) if is_shared and named.is_whole else named)
        phrases += self._players_named(phrase)
        if phrases:
            return [each for each in phrases if each.is_whole] or phrases
        if self._begins_with_article(words):
            return self.meanings(words[1:], after=False)
        bare = words[-1].typed.rstrip(_PUNCTUATION)
        if bare and bare != words[-1].typed:  # `full.`, `Ana:`
            return self.meanings((*words[:-1], *as_words([bare])), after=after)
        return self._alike(words)

    def _begins_with_article(self, words: Sequence[Word]) -> bool:
        """Return whether there is an article: not `A` of the poker dice, nor `de` in `de una cuatros`."""
        is_box = any(named.is_whole for named in self._categories(words[0].key))
        begun = {" ".join(word.key for word in words[:count]) for count in range(2, len(words))}
        is_article = len(words) > 1 and words[0].key in self._articles and not is_box
        return is_article and self.throws.keys().isdisjoint(begun)

    def _alike(self, words: Sequence[Word]) -> Sequence[_Phrase]:
        """Return the meaning of `cuatro iguales` and of `póker de cuatros`."""
        keys = [word.key for word in words]
        if " ".join(keys[1:]) in self._meanings_of(_ALIKE):
            count = self._faces.get(keys[0], 0)
            return [
                _Phrase(what="category", value=box, is_whole=True)
                for box in self.rules.categories
                if self._is_alike(box, count)
            ]
        for place, end in combinations(range(1, len(words)), 2):
            if " ".join(keys[place:]) in self.throws:  # `escalera de una`
                continue
            faces = self._faces_named(keys[end:])
            if faces and " ".join(keys[place:end]) in self._meanings_of(_OF):
                named = [each for each in self._categories(" ".join(keys[:place])) if each.is_whole]
                is_shared = len(named) > 1  # `quadra de senas` are no fours
                return [
                    replace(each, faces=faces)
                    for each in named
                    if not (is_shared and isinstance(each.value, Category) and each.value.number)
                ]
        return self._of_dice(words[0]) if len(words) == 1 else []

    def _faces_named(self, keys: Sequence[str]) -> tuple[int, ...]:
        """Return the faces of `seises` or of `seises y treses`; otherwise nothing."""
        faces = tuple(self._faces.get(key, 0) for key in keys[::2])
        is_joined = all(key in self._meanings_of(AND) for key in keys[1::2])
        return faces if is_joined and len(keys) in (1, 3) and all(faces) else ()

    def _of_dice(self, word: Word) -> Sequence[_Phrase]:
        """Return the box of a word for dice with one face: `al as`. `cuadras` may also be four alike."""
        face = word_meanings(DICE, loaded_languages_only=True).get(word.key)
        if face is None or not self._loaded_only or self.rules.poker_dice:
            return []
        boxes = [box for box in self.rules.categories if box.number == face]
        if boxes and face >= _FEWEST_ALIKE:
            boxes += [box for box in self.rules.categories if self._is_alike(box, face)]
        shared = word.typed if len(boxes) > 1 else ""
        return [_Phrase(what="category", value=box, is_whole=True, shared=shared) for box in boxes]

    def _is_alike(self, box: Category, count: int) -> bool:
        return any(isinstance(each, Alike) and each.count == count for each in box.asks)

    @cached_property
    def _faces(self) -> Mapping[str, int]:
        both = (word_meanings(table, loaded_languages_only=self._loaded_only) for table in (NUMBERS, DICE))
        return {word: number for words in both for word, number in words.items()}

    def _meanings_of(self, words: Message) -> Collection[str]:
        return word_meanings({True: words}, loaded_languages_only=self._loaded_only)

    def _categories(self, key: str) -> list[_Phrase]:
        """Return the categories with this normalized name or prefix, in sheet order.

        A prefix of an alias counts only if a name also matches, and makes the word ambiguous: `s` is not
        sixes in a game with the alias "straight big".
        """
        names = [name for name in self.rules.category_names if key and name.key.startswith(key)]
        whole = {name.category.id for name in names if name.key == key}
        prefixed = {name.category.id for name in names if name.has_prefixes}
        aliased = {name.category.id for name in names if name.is_alias and prefixed}
        return [
            _Phrase(
                what="category",
                value=category,
                is_whole=category.id in whole,
                is_sure=category.id in whole | prefixed,
            )
            for category in self.rules.categories
            if category.id in whole | prefixed | aliased
        ]

    def _players_named(self, phrase: Word) -> Iterator[_Phrase]:
        same = [
            [player for player, name in self._players.items() if name.spellings[at] == phrase.spellings[at]]
            for at in (0, 1)
        ]
        whole = next((players[0] for players in same if len(players) == 1), None)
        for player, name in self._players.items():
            is_prefix = phrase.key and name.key.startswith(phrase.key)
            if player == whole or (is_prefix and self.game and self.game.may_move(player)):
                yield _Phrase(what="player", value=player, is_whole=player == whole)

    def _meanings_of_digit(self, digit: int) -> Sequence[_Phrase]:
        if not digit:
            return []
        throw = _Phrase(what="roll", value=digit, is_whole=True, digit=digit)
        if self._is_throw_asked:
            return [throw]
        numbers = [
            _Phrase(what="category", value=category, is_whole=True, digit=digit)
            for category in self.rules.categories
            if category.number == digit or str(digit) in category.aliases
        ]
        return [throw, *numbers] if self.rules.has_throws_that_matter else numbers

    def _has_right_digits(self, reading: _Reading) -> bool:
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

    def _hand_to_score(self, turn: Turn) -> Dice | None:
        """Return the dice that the turn scores, typed or of the corrected entry; None for a scratch."""
        old = self._corrects
        if turn.has_hand or old is None:
            return turn.dice if turn.has_hand and not turn.is_scratch else None
        return None if turn.is_scratch or old.scratched else old.dice

    def _open(self, readings: Sequence[_Reading], turn: Turn) -> Sequence[_Reading]:
        """Return the readings with an open category; the first if there is none, or no box is asked for."""
        if self._is_throw_asked:
            return readings[:1]
        if self.game is None or self._corrects is not None:
            return readings
        named = [phrase.value for phrase in readings[0] if phrase.what == "player"]
        player = next(iter(named), turn.player or self.game.to_move)
        fillable = self.game.fillable_categories(str(player)) if player is not None else ()
        is_open = [
            reading
            for reading in readings
            if all(each.value in fillable for each in reading if isinstance(each.value, Category))
        ]
        return is_open or readings[:1]

    def _shared_name(self, readings: Sequence[_Reading], hand: Dice | None) -> "_SharedName":
        """Return the refusal of a name that categories share. It repeats the line for each of them."""
        phrases = dict.fromkeys(phrase for reading in readings for phrase in reading if phrase.shared)
        categories = [phrase.value for phrase in phrases if isinstance(phrase.value, Category)]
        is_made = hand is None or any(qualifies(self.rules, each, hand) for each in categories)
        names = [each.typed.name_in(LANGUAGES.spoken.code) for each in categories]
        return _SharedName(
            next(phrase.shared for phrase in phrases),
            categories,
            [(name,) if is_made else (SCRATCH, name) for name in names],
            self._text,
        )

    def _dearest(self, readings: Sequence[_Reading], turn: Turn) -> list[_Reading]:
        """Return the readings that pay most, if a prefix fits a number and one other box (`44442 four`)."""
        named = [phrase.value for reading in readings for phrase in reading if phrase.what == "category"]
        categories = [each for each in named if isinstance(each, Category)]
        others = {tuple(phrase for phrase in reading if phrase.what != "category") for reading in readings}
        is_number_or_another = len(categories) == len(readings) == 2 and len(others) == 1
        if not (is_number_or_another and turn.has_hand and turn.dice) or turn.is_scratch:
            return []
        if sum(category.number is not None for category in categories) != 1:
            return []
        fillable = self.rules.categories
        if self.game is not None and self.game.to_move is not None:
            fillable = self.game.fillable_categories(self.game.to_move)
        paid = [
            worth(self.rules, category, turn.dice, self.rules.throws) if category in fillable else -1
            for category in categories
        ]
        return [reading for reading, points in zip(readings, paid, strict=True) if points == max(paid)]

    def _readings(self, words: Sequence[Word], fields: frozenset[str], *, after: bool) -> Iterator[_Reading]:
        if not words:
            yield ()
            return
        if len(fields) == len(_THINGS):
            return
        for end in range(1, min(len(words), _LONGEST_PHRASE) + 1):
            for phrase in self.meanings(words[:end], after=after):
                if phrase.what not in fields:
                    for rest in self._readings(words[end:], fields | {phrase.what}, after=after):
                        yield (phrase, *rest)

    def _refusal(self, before: Sequence[Word], after: Sequence[Word], turn: Turn) -> GeneralaError:
        words = [*((word, False) for word in before), *((word, True) for word in after)]
        typed = [word.typed for word, _ in words]
        meanings = [
            [each for each in self.meanings((word,), after=after) if self._has_right_digits((each,))]
            for word, after in words
        ]
        first = next((place for place, meant in enumerate(meanings) if not meant), None)
        if first is not None:
            unknown = typed[first : first + sum(1 for _ in takewhile(not_, meanings[first:]))]
            if not all(meanings[first + len(unknown) :]):
                what = lazy("{word!r} is not a category, throw or player", word=" ".join(unknown))
                return UsageError(what, "type only the dice, the throw, the box and the player")
            given: dict[str, Any] = {meant[0].what: meant[0].value for meant in meanings if meant}
            game = self.game if self._corrects is None else None
            if (player := given.get("player")) and game and player in game.playing:
                check_turn(game, player, turn.roll or 1)
            return self._unknown_words(unknown, replace(turn, **given), is_after=words[first][1])
        kinds = [meant[0].what for meant in meanings]
        twice = next((kind for kind in kinds if kinds.count(kind) > 1), None)
        return UsageError(
            _TWICE.get(twice, _ANYTHING_TWICE).with_values(words=" ".join(typed)), "give it once"
        )

    def _unknown_words(self, typed: Sequence[str], turn: Turn, *, is_after: bool) -> GeneralaError:
        word, phrase = typed[0], " ".join(typed)
        if is_after and word.isdecimal():
            return UsageError(
                "{word} is neither a throw nor a category",
                "type only the dice; the points are computed from them",
                word=shortened(word),
            )
        try:
            self.rules.find_category(phrase)
        except NotFound as error:
            hint = (
                self._question(phrase, turn)
                or self._resembling(phrase, turn)
                or self._resembling(word, turn)
                or self._instead_of(word, turn)
            )
            if turn.is_scratch and not is_after:
                return NotFound(error.message, hint or error.hint)
            what = lazy("{word!r} is not a category, throw or player", word=phrase)
            return UsageError(what, hint or error.hint)
        except GeneralaError as error:  # for example, a category that this game does not play
            return error
        return UsageError("{word!r} is one word too many", "remove it", word=word)

    def _question(self, phrase: str, turn: Turn) -> Message | None:
        """Return the command that `55533 hint` asks for, with the hand."""
        asked = next((name for name, words in _ASKING if find_word(phrase, {True: words})), None)
        if asked is None or turn.dice is None or not turn.has_hand:
            return None
        throw = [str(turn.roll)] if turn.roll else []
        if turn.category is not None:  # in Kniffel `1` is a box
            throw = [each for each in self._text.split() if each == str(turn.category.number)][-1:]
        return lazy("type {command}", command=command_line([asked, join_dice(turn.dice), *throw]))

    def _resembling(self, word: str, turn: Turn) -> Remedy | None:
        """Return the similar boxes that take the hand, players, and words for the first throw."""
        boxes = () if turn.category else self._boxes_for(turn)
        names: dict[str, object] = {name: box.typed for box in boxes for name in box.answers_to}
        if turn.roll is None and turn.served is None and not turn.is_scratch:
            first = LANGUAGES.typed.words(THROWS[1])
            served = [each for each in first if each.isalpha() and len(each) >= _SHORTEST_THROW]
            shown = {each[:_SHORTEST]: each for each in reversed(served)}  # `servida` also for `servido`
            names |= {each: shown[each[:_SHORTEST]] for each in served}
        if self.game is not None and turn.player is None and self._corrects is None:
            names |= {player: player for player in filter(self.game.may_move, self.game.seats)}
        is_guessed = len(word) >= _SHORTEST and normalize(word) not in self._articles
        near = resembling(word, list(names)) if is_guessed else []
        if self._nearest_is_closed(word, near):
            return None
        alike = dict.fromkeys(names[name] for name in near if _may_be_slip(word, name))
        return Remedy("did-you-mean", names=listing([*alike][:3])) if alike else None

    def _nearest_is_closed(self, word: str, near: Sequence[str]) -> bool:
        """Return whether a word is most like a box that no longer takes a hand."""
        from difflib import get_close_matches  # only a suggestion needs it

        every = [name.key for name in self.rules.category_names]
        nearest = get_close_matches(normalize(word), every, n=1, cutoff=0.8)
        return bool(nearest) and nearest[0] not in map(normalize, near)

    def _instead_of(self, word: str, turn: Turn) -> Message | None:
        boxes = [name.key for name in self.rules.category_names]
        scratching = [SCRATCH, *ENGLISH.words(_SCRATCHING), *LANGUAGES.typed.words(_SCRATCHING)]
        is_zero = normalize(word) in self._meanings_of(_ZERO)
        means_scratch = is_zero or (resembling(word, scratching) and not resembling(word, boxes))
        if means_scratch and not turn.is_scratch:
            return lazy("to scratch, type x and the box")
        if turn.category or self._corrects is not None:
            return lazy("remove it")
        if not (turn.dice or turn.is_scratch):
            return lazy("type the dice, the throw, the box or the player")
        names = listing(box.typed for box in self._boxes_for(turn))
        return lazy("choose from {names}", names=names) if names.items else None

    def _boxes_for(self, turn: Turn) -> Sequence[Category]:
        if self._corrects is not None:
            hand = turn.dice if turn.has_hand and turn.dice else self._corrects.dice
            return [box for box in self.rules.categories if hand and qualifies(self.rules, box, hand)]
        player = turn.player or (self.game.to_move if self.game else None)
        if self.game is None or player is None:
            return ()
        if turn.is_scratch:
            return self.game.fillable_categories(player)
        if turn.dice is None or not turn.has_hand:
            return ()
        made = choices(self.game, player, turn.dice, turn.finish(self.rules)[1])
        return [choice.category for choice in made]


def _fit(faces: Sequence[int], dice: Dice) -> bool:
    """Return whether dice show exactly these faces or, if it is only one, that one most often."""
    if len(faces) > 1:
        return set(faces) == set(dice)
    return dice.count(faces[0]) == most_alike(dice)


def _may_be_slip(word: str, name: str) -> bool:
    """Return whether the first letter is right, or only missing, or one too many."""
    typed, right = normalize(word), normalize(name)
    return typed[:1] in (right[:1], right[1:2]) or typed[1:3] == right[:2]


_TWICE: Mapping[str | None, Message] = {
    "roll": lazy("{words!r} gives the throw twice"),
    "served": lazy("{words!r} gives the throw twice"),
    "category": lazy("{words!r} gives the category twice"),
    "player": lazy("{words!r} gives the player twice"),
}
_ANYTHING_TWICE = lazy("{words!r} gives something twice")
_THINGS: Mapping[str, Message] = {
    "roll": lazy("the roll {it}"),
    "served": lazy("the claim de mano"),
    "category": lazy("the category {it}"),
    "player": lazy("the player {it}"),
    "is_scratch": lazy("a scratch"),
}


class _SharedName(Retyped):
    """The name of several categories, in a line that fits more than one of them, or none."""

    def __init__(
        self, typed: str, categories: Sequence[Category], meant: Sequence[Sequence[str]], text: str
    ) -> None:
        before, found, after = text.rpartition(typed)
        before, after = (before, after) if found else (f"{text} ", "")  # it is the value of an option
        lines = [f"{before}{' '.join(words)}{after}" for words in meant]
        super().__init__(
            "{words!r} could be {both}",
            lazy("type {lines}", lines=listing(lines)),
            word=typed,
            meant=meant,
            words=typed,
            both=listing(categories),
        )
        self.categories = tuple(categories)


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
        Remedy("say-which"),
    )
