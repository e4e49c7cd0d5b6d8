"""Frozen records with keyword-only fields: what facts, states and answers are made of.

They are written and type-checked like frozen dataclasses. The standard decorator writes six methods a
class as text and compiles them at every start, which for the fifty classes on the way of `generala
score` took longer than everything else this program does; here one set of methods serves them all.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, NoReturn, TypeVar, dataclass_transform


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Fact:
    """The base of every record. Equal when of one class with equal fields; hashable when those are."""

    _fields: ClassVar[tuple[str, ...]] = ()
    _wanted: ClassVar[frozenset[str]] = frozenset()
    _defaults: ClassVar[Mapping[str, object]] = {}

    def __init_subclass__(cls) -> None:
        cls._fields = tuple(name for name in cls.__annotations__ if not name.startswith("_"))
        cls._wanted = frozenset(cls._fields)
        cls._defaults = {name: vars(cls)[name] for name in cls._fields if name in vars(cls)}

    def __init__(self, **values: Any) -> None:
        # All in order is what the many records of a long game are made with, and costs least.
        self.__dict__.update(values if tuple(values) == self._fields else self._completed(values))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} never changes: {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} never changes: {name}")

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return False
        return self.__dict__ == other.__dict__ or _values(self) == _values(other)

    def __hash__(self) -> int:
        return hash((type(self), *_values(self)))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({fields})"

    @classmethod
    def _completed(cls, values: Mapping[str, object]) -> Mapping[str, object]:
        fields = {**cls._defaults, **values}
        if fields.keys() != cls._wanted:
            wrong = sorted(fields.keys() ^ cls._wanted)
            raise TypeError(f"{cls.__name__} has missing or unknown fields: {', '.join(wrong)}")
        return fields


F = TypeVar("F", bound=Fact)


def replace(fact: F, **changes: Any) -> F:
    """The same record with other values in some fields.

    Raises:
        TypeError: it has no such field.
    """
    fields = {name: getattr(fact, name) for name in fact._fields}
    return type(fact)(**{**fields, **changes})


def _values(fact: Fact) -> list[object]:
    return [getattr(fact, name) for name in fact._fields]
