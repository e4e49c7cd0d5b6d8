"""Sentences that are translated when shown, and words that users may type in any language.

Packages that know no language (`rules`, `game`, `odds`, `store`, `app`) make messages with `lazy` and
`lazy_count`; `render.language` translates them for the user. The English sentence is the key of its
translation. So it is written out whole, with a placeholder for each value, and never assembled from parts.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from shlex import quote
from threading import local
from typing import TYPE_CHECKING, Any, Literal, Protocol

from msgspec import Struct

if TYPE_CHECKING:  # creating this type takes longer than saving a turn

    class Catalogue(Protocol):
        def gettext(self, message: str) -> str: ...
        def ngettext(self, msgid1: str, msgid2: str, n: int) -> str: ...
        def pgettext(self, context: str, message: str) -> str: ...
        def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str: ...


_NO_VALUES: Mapping[str, object] = {}


class Message:
    """A sentence, or a part of an answer. It is no Struct, so documents encode it in English."""

    __slots__ = ("context", "several", "template", "values")

    def __init__(
        self, template: str, values: Mapping[str, object] = _NO_VALUES, several: str = "", context: str = ""
    ) -> None:
        self.template = template  # with `{name}` for each value, as in `str.format`
        self.values = values  # text, numbers, messages, lists, and things with names
        self.several = several  # the plural, for a `count` other than one
        self.context = context  # distinguishes equal sentences with different meanings

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    def __repr__(self) -> str:
        return f"Message({self.template!r}, {self.values!r}, {self.several!r}, {self.context!r})"

    def __str__(self) -> str:
        return ENGLISH.text_of(self)

    def __bool__(self) -> bool:
        return bool(self.template)

    def with_values(self, **values: object) -> "Message":
        """Return the message with values that were unknown when it was made."""
        return Message(self.template, {**self.values, **values}, self.several, self.context)


def lazy(template: str, /, *, context: str = "", **values: object) -> Message:
    """Return a message that is translated when it is shown."""
    return Message(template, values, context=context)


def lazy_count(one: str, several: str, count: int, /, *, context: str = "", **values: object) -> Message:
    """Return a message in the singular or the plural; `{count}` is the number in it."""
    return Message(one, {**values, "count": count}, several, context)


def words_for(meaning: str, english: str) -> Message:
    """Return the words, separated by commas, that `text.find_word` finds; each catalogue lists its own."""
    return Message(english, context=f"{WORDS}{meaning}")


def words_for_command(name: str, group: str = "") -> Message:
    return words_for(f"the command {group}{name}", name)


WORDS = "words for "
"""The prefix of the context of typed words, which the build copies into a small catalogue, with dates."""
YES = words_for("yes", "yes, y")
NO = words_for("no", "no, n")
ARTICLES = words_for("an article, which means nothing at the table", "the, a, in, on, to, as, for, of")
LEAVING = words_for("a word to leave the table", "q, quit, exit, bye")


def day_message(year: int, month: int, day: int) -> Message:
    return lazy("{year:04}-{month:02}-{day:02}", context="date", year=year, month=month, day=day)


def value_message(value: object) -> Message:
    return Message("{value}", {"value": value})


def number_message(number: float | Decimal, form: str = "") -> Message:
    """Return a message that shows a number in a format such as `.1f`, with the marks of the language."""
    return Message(f"{{number:{form}}}", {"number": number})


class ItemList(Struct, frozen=True):
    """Several things, such as `a, b or c`."""

    items: tuple[object, ...]
    last: Literal["or", "and", "against"] = "or"

    def __str__(self) -> str:
        return ENGLISH.text_of(self)


def listing(items: Iterable[object], last: Literal["or", "and", "against"] = "or") -> ItemList:
    return ItemList(tuple(items), last)


def number_range(first: int, last: int) -> Message:
    """Return the numbers that a user may type: `2`, `1 or 2`, `1 to 3`."""
    if last - first < _SHORTEST_RANGE:
        return Message("{numbers}", {"numbers": listing(range(first, last + 1))})
    return lazy("{first} to {last}", context="numbers to type").with_values(first=first, last=last)


_SHORTEST_RANGE = 2


class NumberWord(Struct, frozen=True):
    """A number that is shown as a word if it is below ten: `three`."""

    number: int

    def __str__(self) -> str:
        return ENGLISH.text_of(self)


class FirstWord(Struct, frozen=True):
    """The first of several words, as typed in a shell: `points`, `paga-el-último`."""

    words: Message

    def __str__(self) -> str:
        return ENGLISH.text_of(self)


class SeveralOf(Struct, frozen=True):
    """A unit in a player's own word, after a number that is not 1: `drinks`, `birras`."""

    word: str

    def __str__(self) -> str:
        return ENGLISH.text_of(self)


class CommandLine(Struct, frozen=True):
    """A command as typed, such as `undo` or `rules edit NAME`, with its names and placeholders translated."""

    line: str
    is_whole: bool = True  # otherwise it is only named, or more words follow

    def __str__(self) -> str:
        return self.line


class AboutGame(Struct, frozen=True):
    """A game that hints have to name, because commands without `--game` use a different one."""

    number: int
    commands: frozenset[str]  # the commands that take `--game`


class ExampleLine(CommandLine, frozen=True):
    """A command line in the help, with names, words and amounts of the reader's country."""


def command_line(words: Iterable[str]) -> CommandLine:
    """Return `generala` with these words, quoted if a shell needs it."""
    return CommandLine(" ".join(["generala", *map(quoted, words)]))


def quoted(word: str) -> str:
    """Return a word as typed in a shell. Letters of any alphabet need no quotes."""
    return word if re.fullmatch(r"[\w@%+=:,./-]+", word) else quote(word)


def clauses(parts: Sequence[str | Message]) -> Message:
    """Return clauses joined by semicolons: `it is damaged; it was not changed`."""
    first, *others = parts
    if others:
        return lazy("{first}; {then}", first=first, then=clauses(others))
    return first if isinstance(first, Message) else Message("{text}", {"text": first})


_LAST: Mapping[str, Message] = {
    "or": lazy("{most} or {last}"),
    "and": lazy("{most} and {last}"),
    "against": lazy("{most} against {last}"),
}
_BEFORE: Mapping[str, tuple[Message, Message]] = {
    "or": (
        lazy("-", context="first letters that change the word 'or', separated by commas"),
        lazy("{most} or {last}", context="before such first letters"),
    ),
    "and": (
        lazy("-", context="first letters that change the word 'and', separated by commas"),
        lazy("{most} and {last}", context="before such first letters"),
    ),
}
"""First letters that need a different joining word, such as Spanish `e` for `y` before an i."""
_NUMBERS: Sequence[Message] = (
    lazy("no", context="number"),
    lazy("one", context="number"),
    lazy("two", context="number"),
    lazy("three", context="number"),
    lazy("four", context="number"),
    lazy("five", context="number"),
    lazy("six", context="number"),
    lazy("seven", context="number"),
    lazy("eight", context="number"),
    lazy("nine", context="number"),
)
_PLACEHOLDERS: Mapping[str, Message] = {
    word.template: word
    for word in (
        lazy("AMOUNT", context="placeholder"),
        lazy("ARGS", context="placeholder"),
        lazy("CATEGORY", context="placeholder"),
        lazy("CHAPTER", context="placeholder"),
        lazy("CODE", context="placeholder"),
        lazy("COMMAND", context="placeholder"),
        lazy("DAY", context="placeholder"),
        lazy("DICE", context="placeholder"),
        lazy("FILE", context="placeholder"),
        lazy("FOLDER", context="placeholder"),
        lazy("FORMAT", context="placeholder"),
        lazy("FROM", context="placeholder"),
        lazy("GAME", context="placeholder"),
        lazy("HAND", context="placeholder"),
        lazy("KEPT", context="placeholder"),
        lazy("KEY", context="placeholder"),
        lazy("LABEL", context="placeholder"),
        lazy("METHOD", context="placeholder"),
        lazy("AIM", context="placeholder"),
        lazy("N", context="placeholder"),
        lazy("NAME", context="placeholder"),
        lazy("NEW", context="placeholder"),
        lazy("OLD", context="placeholder"),
        lazy("OPTIONS", context="placeholder"),
        lazy("PLAYER", context="placeholder"),
        lazy("POINTS", context="placeholder"),
        lazy("ROUND", context="placeholder"),
        lazy("SHELL", context="placeholder"),
        lazy("TEXT", context="placeholder"),
        lazy("TO", context="placeholder"),
        lazy("TOPIC", context="placeholder"),
        lazy("TOURNAMENT", context="placeholder"),
        lazy("TURN", context="placeholder"),
        lazy("UNIT", context="placeholder"),
        lazy("VALUE", context="placeholder"),
        lazy("WHEN", context="placeholder"),
    )
}
_EXAMPLE_WORDS: Mapping[str, Message] = {
    word.template: word
    for word in (
        lazy("Ana", context="example"),
        lazy("Anita", context="example"),
        lazy("Berta", context="example"),
        lazy("Beto", context="example"),
        lazy("Copa", context="example"),
        lazy("Cora", context="example"),
        lazy("Dani", context="example"),
        lazy("Eva", context="example"),
        lazy("Fito", context="example"),
        lazy("Gus", context="example"),
        lazy("Tuesdays", context="example"),
        lazy("USD", context="example"),
        lazy("at the bar", context="example"),
        lazy("bonus", context="example"),
        lazy("casa", context="example"),
        lazy("double-generala", context="example"),
        lazy("drink", context="example"),
        lazy("environment", context="example"),
        lazy("money", context="example"),
        lazy("fives", context="example"),
        lazy("friday", context="example"),
        lazy("games", context="example"),
        lazy("laptop", context="example"),
        lazy("low-pays", context="example"),
        lazy("ones", context="example"),
        lazy("poker", context="example"),
        lazy("pot", context="example"),
        lazy("revenge", context="example"),
        lazy("score", context="example"),
        lazy("shared", context="example"),
        lazy("straight", context="example"),
        lazy("tonight", context="example"),
        lazy("yes", context="example"),
    )
}
_IN_EXAMPLE = re.compile(r"(?<=')[^']+(?=')|(?<![\w.-])\d+\.\d+|(?<![\w-])[^\W\d][\w-]*")
"""A quoted text, an amount or a word, but no option."""
_PLURALS = lazy(
    "ss=sses, s=s, x=xes, z=zes, ch=ches, sh=shes, ay=ays, ey=eys, oy=oys, y=ies, =s",
    context="plurals of a player's own word, as ending=plural ending, separated by commas",
)
"""The first ending that fits counts. A word that none fits, or of one letter, stays as it is."""
_DECIMAL_MARK = lazy(".", context="decimal mark")
_POINT_REGIONS = lazy("-", context="decimal mark: regions that write a point, separated by commas")
_THOUSANDS_MARK = lazy(",", context="thousands mark")


_CAPITALS = re.compile(r"\b[A-Z]+\b")
_ALTERNATIVES = re.compile(r"[a-z]+(?:\|[a-z]+)+")
VALUES: Mapping[str, Message] = {
    "points": words_for("ranking by points for places", "points"),
    "totals": words_for("ranking by totals", "totals"),
    "places": words_for("ranking by places", "places"),
    "draw": words_for("seating by draw", "draw"),
    "standings": words_for("seating by the standings", "standings"),
    "fixed": words_for("seating at fixed tables", "fixed"),
    "rotate": words_for("odd tables for all in turn", "rotate"),
    "bottom": words_for("odd tables for the last players", "bottom"),
    "top": words_for("odd tables for the first players", "top"),
    "take": words_for("continuing with a draft", "take"),
    "drop": words_for("deleting a draft", "drop"),
}
"""The words for values of options that help lists as `take|drop`."""


class Language:
    """Translates messages into one language, including lists, names and numbers.

    In a template, `{word:capital}` capitalizes the first letter, and `{word:small}` does the opposite.
    `{word:quoted}` quotes for a shell, and `{word!r}` quotes typed text. Things with a name in every
    language, such as a category, a rule set or a win, have a method `name_in`.
    """

    def __init__(
        self,
        code: str,
        open_catalogue: "Callable[[], Catalogue] | None",
        spell: Callable[[str], str] | None = None,
        *,
        region: str = "",
    ) -> None:
        self.code = code
        self._region = region  # a country, because Mexico, for example, writes numbers as in English
        self._open_catalogue = open_catalogue  # called for every translation; None for English
        self._spell = spell  # replaces letters that the terminal cannot show, except in typed text

    def in_all_letters(self) -> "Language":
        return Language(self.code, self._open_catalogue, region=self._region)

    def text_of(self, value: object) -> str:
        match value:
            case str():
                return value
            case Message(template=""):  # the empty key is the header of a catalogue
                return ""
            case Message():
                template = self._spelled(self._naming_game(self._translated(value)))
                places = {name: _Placed(self, each) for name, each in value.values.items()}
                return template.format_map(places) if places else template
            case ItemList(items=items, last=last):
                return self._list([self.text_of(item) for item in items], last)
            case NumberWord(number=number):
                return self.text_of(_NUMBERS[number]) if number < len(_NUMBERS) else str(number)
            case ExampleLine(line=line):
                return self._example(line)
            case FirstWord(words=words):
                return self.words(words)[0].replace(" ", "-")
            case SeveralOf(word=word):
                return self._several(word)
            case CommandLine(line=line, is_whole=is_whole):
                return self._command(line, is_whole=is_whole)
            case float() | Decimal():
                return self._with_marks(str(value))
            case _ if hasattr(value, "name_in"):
                return self._spelled(value.name_in(self.code))
            case _:
                return str(value)

    @property
    def _has_decimal_point(self) -> bool:
        return bool(self._region) and self._region in self.words(_POINT_REGIONS)

    @property
    def decimal_mark(self) -> str:
        return "." if self._has_decimal_point else self.text_of(_DECIMAL_MARK)

    def words(self, words: Message) -> list[str]:
        listed = self._spelled(self._translated(words)).split(",")
        return [word.strip() for word in listed if word.strip()]

    def formed(self, value: Any, form: str) -> str:
        """Return a value in the format of its placeholder; numbers get the marks of the language."""
        if form == "capital":
            text = self.text_of(value)
            return text[:1].upper() + text[1:]
        if form == "small":
            text = self.text_of(value)
            return text[:1].lower() + text[1:]
        if form == "quoted":
            return quoted(self.text_of(value))
        if isinstance(value, int | float | Decimal) and form:
            return self._with_marks(format(value, form))
        return format(self.text_of(value), form)

    def with_placeholders(self, usage: str) -> str:
        if self._open_catalogue is None:
            return usage
        usage = _ALTERNATIVES.sub(lambda found: "|".join(map(self._value, found[0].split("|"))), usage)
        return _CAPITALS.sub(lambda found: self._placeholder(found[0]), usage)

    def _value(self, word: str) -> str:
        return self.words(VALUES[word])[0] if word in VALUES else word

    def _placeholder(self, word: str) -> str:
        return self.text_of(_PLACEHOLDERS[word]) if word in _PLACEHOLDERS else word

    def _list(self, items: Sequence[str], last: str) -> str:
        if not items:
            return ""
        *most, final = items
        if not most:
            return final
        chosen = _LAST[last]
        if self._open_catalogue is not None and last in _BEFORE:
            beginnings, other = _BEFORE[last]
            if final.casefold().startswith(tuple(self.words(beginnings))):
                chosen = other
        return self.text_of(chosen.with_values(most=", ".join(most), last=final))

    def _several(self, word: str) -> str:
        first, space, others = word.partition(" ")
        endings = [rule.partition("=") for rule in self.words(_PLURALS) if "=" in rule]
        for ending, _, plural in endings:
            if len(first) > 1 and first.endswith(ending):
                return f"{first.removesuffix(ending)}{plural}{space}{others}"
        return word

    def _naming_game(self, template: str) -> str:
        """Add `--game` to each command of a sentence if it would otherwise use a different game."""
        if "generala " not in template or (about := LANGUAGES.about_game()) is None:
            return template
        named = {word for each in about.commands for word in (each, *self.words(words_for_command(each)))} | {
            "x"
        }

        def add_option(found: re.Match[str]) -> str:
            is_command = found["first"] in named or found["first"].startswith("{")
            is_complete = "{game}" in found[0] or template.startswith(" -", found.end())
            return f"{found[0]} --game {about.number}" if is_command and not is_complete else found[0]

        return _LINE_IN_SENTENCE.sub(add_option, template)

    def _command(self, line: str, *, is_whole: bool = True) -> str:
        about = LANGUAGES.about_game() if is_whole and line.startswith("generala ") else None
        if about is not None and "--game" not in line:
            word = line.split(" ")[1]
            if word in about.commands or not word.isalpha() or word.isupper():
                line = f"{line} --game {about.number}"
        words = line.split(" ")
        first = 1 if words[0] == "generala" else 0
        command = " ".join(words[first : first + 1])
        for at, meaning in ((first, ""), (first + 1, f"{command} ")):
            if at < len(words):
                named = words_for_command(words[at], meaning)
                if (listed := self._translated(named)) != words[at]:
                    words[at] = self._spelled(listed.split(",")[0])
        placed = (self.with_placeholders(word) if word.isupper() or "|" in word else word for word in words)
        return " ".join(placed)

    def _example(self, line: str) -> str:
        start = max(0, line.find("generala "))
        parts = [self._command(each) for each in line[start:].split(" | ")]
        return line[:start] + " | ".join(_IN_EXAMPLE.sub(self._example_word, each) for each in parts)

    def _example_word(self, found: re.Match[str]) -> str:
        word = found[0]
        return self.text_of(_EXAMPLE_WORDS[word]) if word in _EXAMPLE_WORDS else self._with_marks(word)

    def _spelled(self, text: str) -> str:
        return text if self._spell is None else self._spell(text)

    def _translated(self, message: Message) -> str:
        catalogue = self._open_catalogue and self._open_catalogue()
        one, several, context = message.template, message.several, message.context
        count = message.values.get("count")
        if not several:
            if catalogue is None:
                return one
            return catalogue.pgettext(context, one) if context else catalogue.gettext(one)
        assert isinstance(count, int)
        if catalogue is None:
            return one if count == 1 else several
        if context:
            return catalogue.npgettext(context, one, several, count)
        return catalogue.ngettext(one, several, count)

    def _with_marks(self, number: str) -> str:
        if self._open_catalogue is None or self._has_decimal_point:
            return number
        marks = {",": self.text_of(_THOUSANDS_MARK), ".": self.text_of(_DECIMAL_MARK)}
        return "".join(marks.get(letter, letter) for letter in number)


_LINE_IN_SENTENCE = re.compile(
    r"\bgenerala (?P<first>\{[^}]*\}|[^\s;,.:)]+)(?: (?:\{[^}]*\}|x\b|[^\W\d_a-z\u00df-\u00ff]+\b))*"
)
"""A command with its placeholders, such as `generala join {player:quoted}`."""
_LONGEST_QUOTE = 50


def shortened(typed: str) -> str:
    """Return typed text as an error shows it: its beginning, if it is long."""
    return typed if len(typed) <= _LONGEST_QUOTE else f"{typed[:_LONGEST_QUOTE]}..."


class _Placed:
    __slots__ = ("_teller", "_value")

    def __init__(self, teller: Language, value: object) -> None:
        self._teller = teller
        self._value = value

    def __format__(self, form: str) -> str:
        return self._teller.formed(self._value, form)

    def __str__(self) -> str:
        return self._teller.text_of(self._value)

    def __repr__(self) -> str:
        return repr(shortened(self._value) if isinstance(self._value, str) else self._value)


def no_game() -> AboutGame | None:
    return None


ENGLISH = Language("en", None)  # the language of the code, of JSON and of all files


class Languages:
    """The languages of this process. `render.language` sets them; packages below it open no catalogue."""

    def __init__(self) -> None:
        self.chosen = ENGLISH  # typed text is read in it
        self.answers: Language | None = None  # if it differs from the user's: English for JSON
        self.region = ""
        self.about_game: Callable[[], AboutGame | None] = no_game  # for hints
        self.for_now = local()  # thread-local; its `language` replaces both
        self.open_others: Callable[[], Iterable[Language]] = tuple  # all except English and the user's

    @property
    def typed(self) -> Language:
        return self._for_now or self.chosen

    @property
    def spoken(self) -> Language:
        return self._for_now or self.answers or self.chosen

    @property
    def _for_now(self) -> Language | None:
        language: Language | None = getattr(self.for_now, "language", None)
        return language

    def understood(self, *, loaded_languages_only: bool = False) -> Iterator[Language]:
        """Yield the languages of typed text: English, the user's, then all others, opened when reached."""
        yield ENGLISH
        if self.typed.code != ENGLISH.code:
            yield self.typed
        if not loaded_languages_only:
            yield from self.open_others()


LANGUAGES = Languages()
