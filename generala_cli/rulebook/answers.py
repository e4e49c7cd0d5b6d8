from typing import Any

from msgspec import UNSET, Struct, field

from generala_cli.errors import FileError
from generala_cli.game.events import Served
from generala_cli.messages import Message, lazy
from generala_cli.render.documents import CategoryPoints, Dice, Document, Ordinal
from generala_cli.render.hints import SHELL, full_message


class RuleCardOption(Struct, frozen=True, kw_only=True):
    """An option of `--set`, and its valid values."""

    key: str
    value: str
    choices: Message


class RuleCard(Document, frozen=True, kw_only=True):
    """A rule set. `document` has the keys of a rule file."""

    rules: str
    document: dict[str, Any]
    options: tuple[RuleCardOption, ...]


class RulesToml(Document, frozen=True, kw_only=True):
    toml: str


class ListedRules(Struct, frozen=True, kw_only=True):
    """A rule set. `path` is null if it is built in. `problem` says why a file of yours is invalid."""

    name: str
    title: Message
    source: str
    path: str | None = None
    problem: Message | None = None


class UnlistedRules(Struct, frozen=True, kw_only=True):
    error: FileError = field(name="message")

    @property
    def left_out(self) -> Message:
        return lazy("skipped your own rule sets: {problem}", problem=full_message(self.error, SHELL))


class RuleList(Document, frozen=True, kw_only=True):
    rules: tuple[ListedRules, ...]
    damaged: tuple[UnlistedRules, ...] = ()


class RuleFile(Document, frozen=True, kw_only=True):
    rules: str
    path: str
    saved: bool


class NewRules(RuleFile, frozen=True, kw_only=True):
    pass


class EditedRules(RuleFile, frozen=True, kw_only=True):
    pass


class CheckedFile(Document, frozen=True, kw_only=True):
    file: Message
    rules: str


class RulesFolder(Document, frozen=True, kw_only=True):
    path: str


class CheckedHand(Document, frozen=True, kw_only=True):
    """The points of a hand in every category, 0 if it does not match."""

    rules: str
    dice: Dice
    roll: Ordinal
    served: Served = UNSET
    instant_win: bool
    categories: tuple[CategoryPoints, ...]
