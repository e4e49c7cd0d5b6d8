"""People over many games. A person is one name, in any case, or several names that were joined."""

from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Sequence

from generala_cli.errors import NotFound
from generala_cli.text import case_key, find, name_key, normalize, one_slip_apart

ShownName = Callable[[str], str]


def names_apart(tables: Iterable[Iterable[str]]) -> set[str]:
    """Return the `case_key`s of names that look the same to `name_key` but met in one of `tables`."""
    apart: set[str] = set()
    for names in tables:
        keys = {case_key(name) for name in names}
        if not all(map(str.isascii, keys)):
            equal = Counter(map(name_key, keys))
            apart.update(key for key in keys if equal[name_key(key)] > 1)
    return apart


class People:
    """All known people, shown by the first name of their `joined` group, or the latest of equal `names`.

    `apart` has the names of two people that compare equal, from `names_apart`.
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
        first, *others = dict.fromkeys(self._first.get(key, key) for key in keys)
        merged = {key: first for key, then in self._first.items() if then in others}
        self._first |= merged | dict.fromkeys(keys, first)

    def shown(self, name: str) -> str:
        """Return the shown name of a person. An unknown name stays the same."""
        if name not in self._shown:
            key = self._key(name)
            self._shown[name] = self._spelled.get(self._first.get(key, key), name)
        return self._shown[name]

    def names_of(self, person: str) -> tuple[str, ...]:
        return (person, *(name for name in self._names.get(person, ()) if name != person))

    @property
    def everyone(self) -> tuple[str, ...]:
        return tuple(self._names)

    def has(self, name: str) -> bool:
        return self._key(name) in self._spelled

    def find(self, wanted: str, *, named: Collection[str] = ()) -> str:
        """Return the person with this name or prefix.

        Raises:
            NotFound: there is no such person; the hint suggests no person in `named`.
            Ambiguous: several people have this prefix.
        """
        if self.has(wanted):
            return self.shown(self._spelled[self._key(wanted)])
        people = {person: self.names_of(person) for person in self.everyone}
        try:
            return find(wanted, people, "player")
        except NotFound:
            others = {person: names for person, names in people.items() if person not in named}
            return find(wanted, others, "player")

    def find_each(self, wanted: Sequence[str]) -> tuple[str, ...]:
        """Return the people with these names or prefixes. Raises as `find`."""
        named = [self.find(name) for name in wanted if self.has(name)]
        return tuple(self.find(name, named=named) for name in wanted)

    def find_name(self, wanted: str) -> str:
        """Return the name of a person that matches best. It may not be the shown one. Raises as `find`."""
        person = self.find(wanted)
        typed = self._key(wanted)
        whole = [name for name in self.names_of(person) if self._key(name) == typed]
        prefixed = [name for name in self.names_of(person) if normalize(name).startswith(normalize(wanted))]
        return next(iter([*whole, *prefixed]), person)

    def one_person_twice(self, names: Iterable[str]) -> tuple[str, str] | None:
        """Return the first two of these names that belong to one person, or None."""
        by_person: dict[str, str] = {}
        for name in names:
            first = by_person.setdefault(self.shown(name), name)
            if first != name:
                return first, name
        return None

    def doubles(self) -> list[tuple[str, str]]:
        """Return pairs of people with nearly the same name: `José` and `Jose`, `Beto` and `Betto`."""
        return one_slip_apart(self.everyone)
