"""People over many games: a person is a name, in any case, or several names that were joined."""

from collections.abc import Callable, Iterable, Sequence

from generala_cli.text import find, name_key, normalize, one_slip_apart

ShownName = Callable[[str], str]
"""Returns the name that is shown for the person of a name in a game."""


class People:
    """Everyone who is named anywhere, and the name that is shown for each of them.

    Args:
        names: as they were typed, latest last; of spellings that differ in case only the latest is shown.
        joined: groups of names that are one person's; the first of a group is shown.
    """

    def __init__(self, names: Iterable[str], joined: Iterable[Sequence[str]] = ()) -> None:
        self._spelled = {name_key(name): name for name in names}
        for group in joined:
            for name in group:
                self._spelled.setdefault(name_key(name), name)
        self._first = {name_key(name): name_key(group[0]) for group in joined for name in group}
        self._shown: dict[str, str] = {}
        self._names: dict[str, list[str]] = {}
        for name in self._spelled.values():
            self._names.setdefault(self.shown(name), []).append(name)

    def shown(self, name: str) -> str:
        """Return the name that is shown for the person of that name; one that nobody has stays as it is."""
        if name not in self._shown:
            key = name_key(name)
            self._shown[name] = self._spelled.get(self._first.get(key, key), name)
        return self._shown[name]

    def names_of(self, person: str) -> tuple[str, ...]:
        """Return all names of a person, the one that is shown first."""
        return (person, *(name for name in self._names.get(person, ()) if name != person))

    @property
    def everyone(self) -> tuple[str, ...]:
        """The names that are shown for all people, in the order in which they were first named."""
        return tuple(self._names)

    def find(self, wanted: str) -> str:
        """Return the person meant by any of their names, or a start of one; raises NotFound, Ambiguous."""
        if name_key(wanted) in self._spelled:
            return self.shown(self._spelled[name_key(wanted)])
        return find(wanted, {person: self.names_of(person) for person in self.everyone}, "player")

    def find_name(self, wanted: str) -> str:
        """Return the one of a person's names that was meant; raises as `find`."""
        person = self.find(wanted)
        typed = name_key(wanted)
        whole = [name for name in self.names_of(person) if name_key(name) == typed]
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
