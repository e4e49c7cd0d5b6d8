"""Typed reading of a document (TOML or JSON, already parsed) that reports every error with its place.

Reading goes on after an error with a harmless stand-in, so that one pass finds them all; whoever reads
must look at `problems` before using what was read.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from generala_cli.facts import Fact
from generala_cli.rules.names import unprintable

Problems = list["Problem"]


class Problem(Fact):
    """One error in a document: where it is, and what would be right."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


class _Required:
    """The default of a key that has none."""


REQUIRED: Final = _Required()


class Fields:
    """One table of a document, read key by key; `end` reports the keys nobody asked for."""

    def __init__(self, table: object, place: str, problems: Problems) -> None:
        self.place = place
        self.problems = problems
        self._asked: list[str] = []
        self._table: Mapping[str, object] = {}
        if isinstance(table, dict):
            self._table = table
        else:
            self.wrong("", f"must be a table of keys, not {shown(table)}")

    def __contains__(self, key: str) -> bool:
        return key in self._table

    def wrong(self, key: str, message: str) -> None:
        """Report an error at a key of this table ("" for the table itself)."""
        place = ": ".join(part for part in (self.place, key) if part)
        self.problems.append(Problem(place=place, message=message))

    def whole(
        self, key: str, low: int, high: int, default: int | _Required = REQUIRED, stand_in: int = 0
    ) -> int:
        """A whole number from low to high; where it is wrong, `stand_in` (or low) lets reading go on."""
        value = self._take(key, default)
        if type(value) is int and low <= value <= high:  # not isinstance: true and false are no numbers
            return value
        self._refuse(key, value, str(low) if low == high else f"a whole number from {low} to {high}")
        return stand_in or low

    def text(
        self, key: str, default: str | _Required = REQUIRED, *, longest: int = 2000, lines: bool = False
    ) -> str:
        """A text that is not empty, unless its default is; of one line, unless `lines` are allowed."""
        value = self._take(key, default)
        if isinstance(value, str) and (value or default == "") and len(value) <= longest:
            self._check_letters(key, value.replace("\n", "") if lines else value)
            return value
        self._refuse(key, value, "a text" if value is REQUIRED else f"a text of 1 to {longest} characters")
        return "?"

    def choice(self, key: str, choices: Sequence[str], default: str | _Required = REQUIRED) -> str:
        """One of a few words."""
        value = self._take(key, default)
        if isinstance(value, str) and value in choices:
            return value
        self._refuse(key, value, " or ".join(f'"{choice}"' for choice in choices))
        return choices[0]

    def flag(self, key: str, default: bool | _Required = REQUIRED) -> bool:
        """True or false."""
        value = self._take(key, default)
        if isinstance(value, bool):
            return value
        self._refuse(key, value, "true or false")
        return False

    def wholes(self, key: str, low: int, high: int, default: Sequence[int] | None = None) -> tuple[int, ...]:
        """A list of whole numbers from low to high."""
        read: list[int] = []
        for value in self._list(key, default, f"a list of whole numbers from {low} to {high}"):
            if type(value) is int and low <= value <= high:
                read.append(value)
            else:
                wanted = f"a list of whole numbers from {low} to {high}"
                self.wrong(key, f"must be {wanted}, not with {shown(value)}")
        return tuple(read)

    def texts(self, key: str, default: Sequence[str] | None = None) -> tuple[str, ...]:
        """A list of texts, none empty."""
        read: list[str] = []
        for value in self._list(key, default, "a list of texts"):
            if isinstance(value, str) and value:
                self._check_letters(key, value)
                read.append(value)
            else:
                self.wrong(key, f"must be a list of texts, not with {shown(value)}")
        return tuple(read)

    def anything(self, key: str) -> object:
        """The value as it is; absent: None."""
        self._asked.append(key)
        return self._table.get(key)

    def table(self, key: str) -> "Fields":
        """A table inside this one."""
        value = self._take(key, REQUIRED)
        if value is REQUIRED:
            self._refuse(key, value, "a table of keys")
        return Fields({} if value is REQUIRED else value, self._inside(key), self.problems)

    def tables(self, key: str) -> Iterator["Fields"]:
        """A list of tables, each with a place that counts from 1."""
        for number, value in enumerate(self._list(key, None, "a list of tables"), start=1):
            yield Fields(value, f"{self._inside(key)} {number}", self.problems)

    def end(self) -> None:
        """Report every key that was not asked for, with the nearest that could be meant."""
        for key in self._table:
            if key not in self._asked:
                self.wrong("", _unknown(key, self._asked))

    def _check_letters(self, key: str, value: str) -> None:
        """What a terminal could obey has no place in a text; new letters of Unicode do."""
        if letter := unprintable(value, unassigned=False):
            self.wrong(key, f"must not hold the character U+{ord(letter):04X}")

    def _take(self, key: str, default: object) -> object:
        self._asked.append(key)
        return self._table.get(key, default)

    def _refuse(self, key: str, value: object, wanted: str) -> None:
        if value is REQUIRED:
            self.wrong(key, f"is missing; it must be {wanted}")
        else:
            self.wrong(key, f"must be {wanted}, not {shown(value)}")

    def _list(self, key: str, default: Sequence[object] | None, wanted: str) -> Sequence[object]:
        value = self._take(key, REQUIRED if default is None else default)
        if isinstance(value, (list, tuple)):
            return value
        self._refuse(key, value, wanted)
        return ()

    def _inside(self, key: str) -> str:
        return f"{self.place}: {key}" if self.place else key


def shown(value: object) -> str:
    """A value as an error message shows it: short, and with nothing in it that a terminal would obey."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    text = ascii(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _unknown(key: str, known: Sequence[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(key, known, n=1)
    return f"unknown key {shown(key)}" + (f"; did you mean {near[0]!r}?" if near else "")
