from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from msgspec import Struct, field

from generala_cli.errors import FileError, GeneralaError
from generala_cli.messages import Message, lazy
from generala_cli.render.documents import Count, DecimalText, Document, Ordinal
from generala_cli.render.hints import SHELL, full_message
from generala_cli.store.merging import Fate


class LeftOut(Struct, frozen=True, kw_only=True):
    """A part that a file lacks, such as `game 3`. `why` is null if only the writing machine knows it."""

    what: Message
    game: Ordinal | None = None
    error: GeneralaError | None = field(default=None, name="why")

    @property
    def is_troubled(self) -> bool:
        """Whether a file is unusable. Otherwise, the part does not belong there."""
        return isinstance(self.error, FileError)

    @property
    def note(self) -> Message:
        reason = "" if self.error is None else full_message(self.error, SHELL)
        if self.game is not None:
            return lazy("skipped game {number}: {reason}", number=self.game, reason=reason)
        return lazy("skipped {name}: {reason}", name=self.what, reason=reason)


class Export(Document, frozen=True, kw_only=True):
    """The exported games, in `file` or as `text`."""

    format: str
    games: tuple[Ordinal, ...]
    left_out: tuple[LeftOut, ...]
    file: str | None = None
    text: str | None = None
    saved: bool = False


class ImportedGame(Struct, frozen=True, kw_only=True):
    """An imported game. `was` is its number in the file, and `added` the number of new events.

    `mended` means that the local file was damaged and is repaired; `kept` is the path of the damaged one.
    `why` is the reason if the two cannot be compared.
    """

    game: Ordinal
    id: str
    was: Ordinal
    fate: Fate
    added: Count
    mended: bool
    kept: str | None
    why: Message | None


class ImportedTournament(Struct, frozen=True, kw_only=True):
    """An imported tournament, with the keys of a game. `passed_over` lists events that no longer count."""

    tournament: Ordinal
    id: str
    name: str
    was: Ordinal
    fate: Fate
    added: Count
    mended: bool
    kept: str | None
    why: Message | None
    passed_over: tuple[Message, ...] = ()


class FollowedGame(Struct, frozen=True, kw_only=True):
    """A game to which a choice from a different machine was applied, because it was made knowing our version.

    `set_aside` lists the new paths of the rejected versions; it is empty in a dry run.
    """

    game: Ordinal
    set_aside: tuple[str, ...]


class ImportedFile(Struct, frozen=True, kw_only=True):
    name: str
    path: str
    fate: Literal["new", "same", "kept", "refused"]
    why: Message | None


class Imported(Struct, frozen=True, kw_only=True):
    """The result for all games, facts and rules of a file."""

    games: tuple[ImportedGame, ...] = ()
    payments: Fate | None = None
    payments_added: Count = 0
    payments_mended: bool = False
    payments_kept: str | None = None
    payments_why: Message | None = None
    training: Fate | None = None
    training_added: Count = 0
    training_mended: bool = False
    training_kept: str | None = None
    training_why: Message | None = None
    tournaments: tuple[ImportedTournament, ...] = ()
    rules: tuple[ImportedFile, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    @property
    def refused(self) -> Sequence[Message]:
        found = (
            *(each.why for each in self.games),
            self.payments_why,
            self.training_why,
            *(each.why for each in self.tournaments),
            *(each.why for each in self.rules),
        )
        return [why for why in found if why is not None]


class Import(Imported, Document, frozen=True, kw_only=True):
    """The result of an import. `payments_added` counts payments, undone payments and joined names.

    `current` is the new current game, if the import set one. `kept` lists the copies of damaged files that
    were repaired, `payments_kept` the copy of the payments. The keys for training are the same.
    """

    file: Message
    config: ImportedFile | None
    followed: tuple[FollowedGame, ...]
    current: Ordinal | None
    kept: tuple[str, ...]
    saved: bool


class SyncMachine(Imported, frozen=True, kw_only=True):
    """The file of a machine: unchanged since the last sync, read, or unusable.

    The other keys are the same as for an import, but list only news. `deleted` counts the skipped games that
    were deleted here.
    """

    machine: str
    file: str
    state: Literal["unchanged", "read", "unusable"]
    why: Message | None = None
    deleted: Count = 0

    @property
    def is_news(self) -> bool:
        facts = self.payments or self.training or self.tournaments
        return bool(self.games or facts or self.rules or self.left_out)


class Sync(Document, frozen=True, kw_only=True):
    """The news from each machine, and whether this machine's file changed.

    `left_out` lists the parts that our own file skips. `current` and `kept` are the same as for an import.
    `given_up` is our former file, if a different machine writes it too, because the data folder was copied
    there. `unsaved` is the reason why folder and name were not saved.
    """

    folder: str
    machine: str
    file: str
    given_up: str | None
    machines: tuple[SyncMachine, ...]
    left_out: tuple[LeftOut, ...]
    followed: tuple[FollowedGame, ...]
    written: bool
    current: Ordinal | None
    kept: tuple[str, ...]
    unsaved: FileError | None = None
    saved: bool

    @property
    def is_troubled(self) -> bool:
        """Whether any part is unusable, except in our own file, which is written again."""
        return bool(self.left_out) or any(
            each.refused or (each.state == "unusable" and not self.is_own(each)) for each in self.machines
        )

    def is_own(self, machine: SyncMachine) -> bool:
        return machine.file == self.file


class ExportedPlayer(Struct, frozen=True, kw_only=True):
    """A player: the display name, and the name in this game."""

    player: str
    played_as: str
    team: str
    seat: Ordinal
    place: Ordinal
    total: Count
    won: bool
    scratched: Count
    served: Count
    left_table: bool


class ExportedGameDocument(Document, frozen=True, kw_only=True, tag=2):
    """A finished game: a line of the format ndjson. An unknown text is empty, and no key is reserved in SQL.

    Games with the same `fingerprint` have the same rules. `settings` lists the changed options.
    """

    game: Ordinal
    id: str
    label: str
    rules: str
    fingerprint: str
    settings: str
    started: datetime
    ended: datetime
    turns: Count
    stake: DecimalText
    unit: str
    payout: str
    reason: Literal["points", "instant-win"]
    winners: tuple[str, ...]
    players: tuple[ExportedPlayer, ...]
