"""Sentences that are told later: written in English, read in the players' language.

The rooms that know no language (`rules`, `game`, `odds`, `store`, `app`) say what they have to say with
`tell` and `tell_count`; `render.language` tells it to the one who reads. The English sentence is the key of
its translation, so it stands whole in the code, with a place for each value, and is never glued together.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal, Protocol

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:  # to make these types takes longer than to tell a turn

    class Catalogue(Protocol):
        """Translations, as the standard library opens them."""

        def gettext(self, message: str) -> str: ...
        def ngettext(self, msgid1: str, msgid2: str, n: int) -> str: ...
        def pgettext(self, context: str, message: str) -> str: ...
        def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str: ...


class Message(Struct, frozen=True):
    """A sentence, or a part of an answer that stands alone.

    Attributes:
        template: the English sentence, with `{name}` for each value, as `str.format` has them.
        values: what goes there: text as it is, numbers, other messages, lists, things with names.
        several: the sentence for a `count` that is not one; empty where nothing is counted.
        context: what tells it from a sentence of the same words that means another thing.
    """

    template: str
    values: Mapping[str, object] = {}
    several: str = ""
    context: str = ""

    def __str__(self) -> str:
        """The sentence in English."""
        return ENGLISH.told(self)

    def __bool__(self) -> bool:
        """Whether it says anything."""
        return bool(self.template)

    def with_values(self, **values: object) -> "Message":
        """The same sentence with these values too: for one that stands where it is not known of what."""
        return Message(self.template, {**self.values, **values}, self.several, self.context)


def tell(template: str, /, *, context: str = "", **values: object) -> Message:
    """The sentence of that template with these values, to be told later."""
    return Message(template, values, context=context)


def tell_count(one: str, several: str, count: int, /, *, context: str = "", **values: object) -> Message:
    """The sentence for so many, which is `{count}` in it: another for one than for several."""
    return Message(one, {**values, "count": count}, several, context)


def alone(value: object) -> Message:
    """A value that stands for itself, with no words about it to be translated."""
    return Message("{value}", {"value": value})


def numeral(number: float | Decimal, form: str = "") -> Message:
    """A number in that form, as `.1f`, told later with the marks of the language."""
    return Message(f"{{number:{form}}}", {"number": number})


class Listed(Struct, frozen=True):
    """Several things in a row, as `a, b or c`."""

    items: tuple[object, ...]
    last: Literal["or", "and", "against"] = "or"

    def __str__(self) -> str:
        return ENGLISH.told(self)


def listing(items: Iterable[object], last: Literal["or", "and", "against"] = "or") -> Listed:
    """The things in a row, told later."""
    return Listed(tuple(items), last)


class InWords(Struct, frozen=True):
    """A number, as a word where it is a small one: `three`."""

    number: int

    def __str__(self) -> str:
        return ENGLISH.told(self)


def clauses(parts: Sequence[str | Message]) -> Message:
    """Sentences in a row, told as one: `it is damaged; it was left as it is`."""
    first, *others = parts
    if others:
        return tell("{first}; {then}", first=first, then=clauses(others))
    return first if isinstance(first, Message) else Message("{text}", {"text": first})


_LAST: Mapping[str, Message] = {
    "or": tell("{most} or {last}"),
    "and": tell("{most} and {last}"),
    "against": tell("{most} against {last}"),
}
_BEFORE: Mapping[str, tuple[tuple[str, ...], Message]] = {
    "or": (("o", "ó", "ho", "hó", "8"), tell("{most} or {last}", context="before the sound of o")),
    "and": (("i", "í", "hi", "hí"), tell("{most} and {last}", context="before the sound of i")),
}
"""How the last thing may begin, and the list that it then ends: in Spanish `Ana e Inés`."""
_NUMBERS: Sequence[Message] = (
    tell("no", context="number"),
    tell("one", context="number"),
    tell("two", context="number"),
    tell("three", context="number"),
    tell("four", context="number"),
    tell("five", context="number"),
    tell("six", context="number"),
    tell("seven", context="number"),
    tell("eight", context="number"),
    tell("nine", context="number"),
)
_DECIMAL_MARK = tell(".", context="decimal mark")
_THOUSANDS_MARK = tell(",", context="thousands mark")


class Teller:
    """Tells messages in one language: with its sentences, its lists, its names and its decimal mark.

    In a template `{word:capital}` begins with a capital letter, and `{word!r}` quotes what was typed.
    What has a name in several languages, as a category, a rule set or a win, tells it by its `name_in`.

    Args:
        spell: how sentences and names are spelled where some letters cannot be shown; what is typed stays.
    """

    def __init__(
        self, code: str, catalogue: "Catalogue | None", spell: Callable[[str], str] | None = None
    ) -> None:
        self.code = code
        self._catalogue = catalogue
        self._spell = spell

    def in_all_letters(self) -> "Teller":
        """The same, where nothing stands in the way of any letter."""
        return Teller(self.code, self._catalogue)

    def told(self, value: object) -> str:
        """The text of a message, a list, a thing with a name, a number or anything else."""
        match value:
            case str():
                return value
            case Message(template=""):  # a catalogue has its own header there
                return ""
            case Message():
                template = self._spelled(self._translated(value))
                places = {name: _Placed(self, each) for name, each in value.values.items()}
                return template.format_map(places) if places else template
            case Listed(items=items, last=last):
                return self._list([self.told(item) for item in items], last)
            case InWords(number=number):
                return self.told(_NUMBERS[number]) if number < len(_NUMBERS) else str(number)
            case float() | Decimal():
                return self._with_marks(str(value))
            case _ if hasattr(value, "name_in"):
                return self._spelled(value.name_in(self.code))
            case _:
                return str(value)

    def formed(self, value: Any, form: str) -> str:
        """One value in its place; numbers with a form of their own get the marks of the language."""
        if form == "capital":
            text = self.told(value)
            return text[:1].upper() + text[1:]
        if isinstance(value, int | float | Decimal) and form:
            return self._with_marks(format(value, form))
        return format(self.told(value), form)

    def _list(self, items: Sequence[str], last: str) -> str:
        if not items:
            return ""
        *most, final = items
        if not most:
            return final
        starts, before = _BEFORE.get(last, ((), _LAST[last]))
        chosen = before if final.casefold().startswith(starts) else _LAST[last]
        return self.told(replace(chosen, values={"most": ", ".join(most), "last": final}))

    def _spelled(self, text: str) -> str:
        return text if self._spell is None else self._spell(text)

    def _translated(self, message: Message) -> str:
        catalogue = self._catalogue
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
        if self._catalogue is None:
            return number
        marks = {",": self.told(_THOUSANDS_MARK), ".": self.told(_DECIMAL_MARK)}
        return "".join(marks.get(letter, letter) for letter in number)


class _Placed:
    """A value in its place in a template, which `str.format` asks for its text."""

    __slots__ = ("_teller", "_value")

    def __init__(self, teller: Teller, value: object) -> None:
        self._teller = teller
        self._value = value

    def __format__(self, form: str) -> str:
        return self._teller.formed(self._value, form)

    def __str__(self) -> str:
        return self._teller.told(self._value)

    def __repr__(self) -> str:
        return repr(self._value)


ENGLISH = Teller("en", None)
"""The language of the code, of JSON and of every file."""
