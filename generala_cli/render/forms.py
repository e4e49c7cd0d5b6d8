from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from typing import Literal

from msgspec import Struct

from generala_cli.game.money import METHOD_WORDS, METHODS, UNIT_WORDS
from generala_cli.game.seating import ListedNames, list_names
from generala_cli.messages import Message, lazy
from generala_cli.render.language import number, translate, translated, word_shown
from generala_cli.text import find_word

Values = Mapping[str, str]
FieldKind = Literal["text", "digits", "choice", "names", "throws"]


class Field(Struct, frozen=True, kw_only=True):
    """A line of a form."""

    key: str
    label: str
    value: str = ""
    about: str = ""
    offers: Sequence[str] = ()  # words to choose from
    shown_as: Mapping[str, str] = {}  # labels for some of the offers
    lines: Mapping[str, str] = {}  # a line about some of the offers
    kind: FieldKind = "text"
    shapes_form: bool = False  # other fields depend on its value
    is_seldom: bool = False  # few people fill it in


class Form(Struct, frozen=True, kw_only=True):
    """Fields that are sent together."""

    title: str
    fields: Sequence[Field]
    send: Callable[[Values], str]  # returns a sentence about the result, or raises
    question: str = ""  # a phone asks it before sending; `{key}` stands for the value of a field
    confirm: str = ""  # the label of the button; "" for the name of the form


_PAYOUT_LINES: Mapping[str, Message] = {
    "difference": lazy("the others pay the winner the stake for each point they are behind"),
    "pairwise": lazy("each player pays everyone ahead the stake for each point between them"),
    "pot": lazy("everyone puts the stake into the pot, and the winner takes it"),
    "low-pays": lazy("the player with the lowest total pays one stake for every other player"),
}


def stake_fields(*, stake: str, unit: str, payout: str) -> Iterator[Field]:
    about = translate("an amount, such as 0.05")
    with suppress(InvalidOperation):
        stake = number(Decimal(stake), "f")
    yield Field(key="stake", label=translate("stake"), value=stake, about=about)
    about = translate("a currency or a word, such as USD or drink")
    yield Field(key="unit", label=translate("unit"), value=word_shown(unit, UNIT_WORDS), about=about)
    methods = tuple(word_shown(method, METHOD_WORDS) for method in METHODS)
    yield Field(
        key="payout",
        label=translate("payout"),
        value=word_shown(payout, METHOD_WORDS),
        about=", ".join(methods),
        offers=methods,
        lines=dict(zip(methods, (translated(_PAYOUT_LINES[method]) for method in METHODS), strict=True)),
        kind="choice",
    )


def payout_in(values: Values) -> str:
    return find_word(values["payout"], METHOD_WORDS) or values["payout"]


def names_in(text: str) -> ListedNames:
    return list_names([text] if "," in text else text.split())
