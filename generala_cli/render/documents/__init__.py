"""The JSON documents that scripts rely on. `generala schema` prints these classes with their docstrings.

`version` stays 1: documents only gain keys. (NDJSON lines have version 2 because their keys changed once.)
A key that applies only to some games is UNSET, and so omitted, in others.

A class named `SomethingDocument` is a whole answer; the name of a part starts with its document's name. Each
subject has its own module, so that a command loads few classes.
"""

import json
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, field
from msgspec.structs import replace

from generala_cli.errors import FileError, GeneralaError
from generala_cli.game.money import METHODS, decimal_text
from generala_cli.messages import Message, lazy
from generala_cli.render.hints import SHELL, full_message, hint_in

if TYPE_CHECKING:  # needed only by some documents
    from generala_cli.app.defaults import EffectiveSetting
    from generala_cli.render.documents import entries as entries
    from generala_cli.render.documents import sheet as sheet
    from generala_cli.rules.ruleset import Category

AnyStruct = TypeVar("AnyStruct", bound=Struct)

_PLACES = 9

Count = Annotated[int, Meta(ge=0)]
Ordinal = Annotated[int, Meta(ge=1)]
DecimalText = Annotated[str, Meta(pattern=r"^-?[0-9]+(\.[0-9]+)?$")]
Probability = Annotated[float, Meta(ge=0, le=1)]
Dice = tuple[Ordinal, ...]


def one_of(*words: str) -> Meta:
    return Meta(extra_json_schema={"enum": list(words)})


Method = Annotated[str, one_of(*METHODS)]


class Document(Struct, frozen=True, kw_only=True, tag_field="version", tag=1):
    """A whole answer. Its first key is `version`, which msgspec writes as the tag of the class."""

    @property
    def damage_notes(self) -> tuple[Message, ...]:
        """A note for each damaged file that the answer leaves out."""
        unreadable = (*getattr(self, "damaged", ()), *getattr(self, "damaged_tournaments", ()))
        return tuple(each.left_out for each in unreadable)


_KINDS = ("not-allowed", "not-found", "ambiguous", "undecided", "similar-name", "moved-on", "usage")
_FILE_KINDS = ("file", "damaged", "too-new", "conflict")


class ErrorProblem(Struct, frozen=True, kw_only=True):
    kind: Annotated[str, one_of(*_KINDS, *_FILE_KINDS, "interrupted")]
    message: str
    hint: str
    details: tuple[str, ...] | UnsetType = UNSET


class ErrorDocument(Document, frozen=True, kw_only=True):
    """Why a command failed."""

    error: ErrorProblem


class TextDocument(Document, frozen=True, kw_only=True):
    text: str


class VersionDocument(Document, frozen=True, kw_only=True):
    generala: str


class ExitCodesDocument(Document, frozen=True, kw_only=True):
    exit_codes: dict[str, str]


class EnvironmentSetting(Struct, frozen=True, kw_only=True):
    name: str
    value: str
    origin: str


class EnvironmentDocument(Document, frozen=True, kw_only=True):
    settings: tuple[EnvironmentSetting, ...]


class CompletionDocument(Document, frozen=True, kw_only=True):
    shell: str
    path: str
    note: str | None
    saved: bool


class SchemasDocument(Document, frozen=True, kw_only=True):
    schemas: tuple[str, ...]


class SchemaDocument(Document, frozen=True, kw_only=True):
    name: str
    schema: dict[str, Any]


class CategoryPoints(Struct, frozen=True, kw_only=True):
    """The points of a hand in a category."""

    category: str
    points: Count


class DamagedGame(Struct, frozen=True, kw_only=True):
    game: Ordinal
    error: FileError = field(name="message")

    @property
    def left_out(self) -> Message:
        return self.skipped(full_message(self.error, SHELL))

    def skipped(self, problem: Message) -> Message:
        return lazy("skipped game {game}: {problem}", game=self.game, problem=problem)


class DamagedTournament(Struct, frozen=True, kw_only=True):
    """A tournament whose file cannot be read."""

    tournament: Ordinal
    error: GeneralaError = field(name="message")

    @property
    def left_out(self) -> Message:
        return self.skipped(full_message(self.error, SHELL))

    def skipped(self, problem: Message) -> Message:
        return lazy("skipped tournament {number}: {problem}", number=self.tournament, problem=problem)


def encoded(answer: Struct) -> bytes:
    """Return a document as one line of UTF-8, without characters that could control a terminal."""
    values = msgspec.to_builtins(answer, builtin_types=(Decimal,), enc_hook=_english_text)
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"), default=decimal_text)
    if not text.isprintable():  # lone surrogates, from undecodable file names, are not printable
        text = "".join(letter if letter.isprintable() else json.dumps(letter)[1:-1] for letter in text)
    text += "\n"  # in place, because a copy of a large export would fill the memory
    return text.encode()


def exact_text(value: Fraction) -> str:
    """Return a number without rounding: `2`, `2.5`, or `7/3` if it has no finite decimal form."""
    return str(value) if 100 % value.denominator else f"{float(value):.2f}".rstrip("0").rstrip(".")


def _english_text(value: object) -> str:
    match value:
        case Fraction():
            return exact_text(value)
        case GeneralaError():
            return str(value.message)
        case Message():
            return str(value)
        case _:
            raise TypeError(type(value))


def schema_of(kind: type) -> dict[str, Any]:
    if issubclass(kind, Fraction):
        return {"type": "string", "pattern": r"^[0-9]+(\.[0-9]+|/[0-9]+)?$"}
    if issubclass(kind, (GeneralaError, Message)):
        return {"type": "string"}
    raise TypeError(kind)


def rounded(value: float) -> float:
    """Return a number with nine decimals. More would differ between machines."""
    return round(float(value), _PLACES) + 0.0  # never minus zero


def with_rounded_figures(document: AnyStruct) -> AnyStruct:
    rounded_document: AnyStruct = _with_rounded_figures(document)
    return rounded_document


def _with_rounded_figures(value: Any) -> Any:
    if isinstance(value, float):
        return rounded(value)
    if isinstance(value, tuple):
        return tuple(map(_with_rounded_figures, value))
    if isinstance(value, dict):
        return {key: _with_rounded_figures(each) for key, each in value.items()}
    if isinstance(value, Struct):
        own = {name: _with_rounded_figures(getattr(value, name)) for name in value.__struct_fields__}
        return replace(value, **own)
    return value


def english(texts: Iterable[str | Message]) -> tuple[str, ...]:
    return tuple(map(str, texts))


def error(problem: "GeneralaError") -> ErrorDocument:
    return ErrorDocument(
        error=ErrorProblem(
            kind=problem.kind,
            message=str(problem.message),
            hint=str(hint_in(SHELL, problem)),
            details=english(problem.details) or UNSET,
        )
    )


def environment(rows: "Iterable[EffectiveSetting]") -> EnvironmentDocument:
    return EnvironmentDocument(
        settings=tuple(
            EnvironmentSetting(name=row.name, value=str(row.value), origin=str(row.origin)) for row in rows
        )
    )


def category_points(category: "Category", points: int) -> CategoryPoints:
    return CategoryPoints(category=category.id, points=points)


def damaged(games: "Iterable[tuple[int, FileError]]") -> tuple[DamagedGame, ...]:
    return tuple(DamagedGame(game=number, error=trouble) for number, trouble in games)
