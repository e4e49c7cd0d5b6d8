"""People over many games: a person is a name, in any case, or several names that were joined."""

from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Sequence

from generala_cli.text import case_key, find, name_key, normalize, one_slip_apart

ShownName = Callable[[str], str]
"""Returns the name that is shown for the person of a name in a game."""


def names_apart(tables: Iterable[Iterable[str]]) -> set[str]:
    """Return the names, by `case_key`, that compare equal and yet belong to people who met.

    Args:
        tables: the names in one game, or in one payment, each.
    """
    apart: set[str] = set()
    for names in tables:
        keys = {case_key(name) for name in names}
        if not all(map(str.isascii, keys)):
            equal = Counter(map(name_key, keys))
            apart.update(key for key in keys if equal[name_key(key)] > 1)
    return apart


class People:
    """Everyone who is named anywhere, and the name that is shown for each of them.

    Args:
        names: as they were typed, latest last; of spellings that differ in case only the latest is shown.
        joined: groups of names that are one person's; the first of a group is shown.
        apart: the result of `names_apart`: names that belong to two people although they compare equal.
    """

    def __init__(
        self,
        names: Iterable[str],
        joined: Iterable[Sequence[str]] = (),
        *,
        apart: Container[str] = (),
    ) -> None:
        self._apart = apart
        self._spelled = {self._key(name): name for name in names}
        self._first: dict[str, str] = {}
        for group in joined:
            for name in group:
                self._spelled.setdefault(self._key(name), name)
            self._join(dict.fromkeys(map(self._key, group)))
        self._shown: dict[str, str] = {}
        self._names: dict[str, list[str]] = {}
        for name in self._spelled.values():
            self._names.setdefault(self.shown(name), []).append(name)

    def _key(self, name: str) -> str:
        key = case_key(name)
        return key if key in self._apart else name_key(name)

    def _join(self, keys: Collection[str]) -> None:
        """Add a group of names, given by their keys, and merge it with the groups that share a name."""
        first, *others = dict.fromkeys(self._first.get(key, key) for key in keys)
        merged = {key: first for key, then in self._first.items() if then in others}
        self._first |= merged | dict.fromkeys(keys, first)

    def shown(self, name: str) -> str:
        """Return the name that is shown for the person of that name; one that nobody has stays as it is."""
        if name not in self._shown:
            key = self._key(name)
            self._shown[name] = self._spelled.get(self._first.get(key, key), name)
        return self._shown[name]

    def names_of(self, person: str) -> tuple[str, ...]:
        """Return all names of a person, the one that is shown first."""
        return (person, *(name for name in self._names.get(person, ()) if name != person))

    @property
    def everyone(self) -> tuple[str, ...]:
        """The names that are shown for all people, in the order in which they were first named."""
        return tuple(self._names)

    def has(self, name: str) -> bool:
        """Return whether a person has exactly this name."""
        return self._key(name) in self._spelled

    def find(self, wanted: str) -> str:
        """Return the person meant by any of their names, or a start of one; raises NotFound, Ambiguous."""
        if self.has(wanted):
            return self.shown(self._spelled[self._key(wanted)])
        return find(wanted, {person: self.names_of(person) for person in self.everyone}, "player")

    def find_name(self, wanted: str) -> str:
        """Return the one of a person's names that was meant; raises as `find`."""
        person = self.find(wanted)
        typed = self._key(wanted)
        whole = [name for name in self.names_of(person) if self._key(name) == typed]
        begun = [name for name in self.names_of(person) if normalize(name).startswith(normalize(wanted))]
        return next(iter([*whole, *begun]), person)

    def one_person_twice(self, names: Iterable[str]) -> tuple[str, str] | None:
        """Return the first two of these names that are one person's; None where there are none."""
        by_person: dict[str, str] = {}
        for name in names:
            first = by_person.setdefault(self.shown(name), name)
            if first != name:
                return first, name
        return None

    def doubles(self) -> list[tuple[str, str]]:
        """Return pairs of people who may be one by their names: `José` and `Jose`, `Beto` and `Betto`."""
        return one_slip_apart(self.everyone)
