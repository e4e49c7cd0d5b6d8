"""Export games in a form that other tools read: which games, and what a backup holds beside them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO

from msgspec import Struct, UnsetType
from msgspec.structs import replace

from generala_cli.app.defaults import check_defaults, without_sync
from generala_cli.app.rulebook import check_house
from generala_cli.app.views import standing_lines
from generala_cli.errors import DamagedFile, FileTrouble, Mistyped, NotAllowed, NotFound
from generala_cli.game.events import Entry, Scored, Scratched
from generala_cli.game.game import NO_BONUS, BonusChange, Game
from generala_cli.game.money import POINT
from generala_cli.game.people import People, ShownName
from generala_cli.messages import Message, tell
from generala_cli.progress import Progress
from generala_cli.remedies import InShell
from generala_cli.store import game_lists, payments, paymentsfile
from generala_cli.store.backup import (
    BackupPart,
    ConfigPart,
    LeftOutPart,
    OtherVersionPart,
    PaymentsPart,
    RulesPart,
)
from generala_cli.store.checking import CheckedFile, check_file
from generala_cli.store.files import write_chunks
from generala_cli.store.gamefile import RecordedGame
from generala_cli.store.house_rules import HouseRules, read_text
from generala_cli.store.paymentsfile import PaymentsFile
from generala_cli.store.store import Store, StoredGame
from generala_cli.store.subjects import ASIDE, OF_PAYMENTS, of_game
from generala_cli.text import safe, unprintable


class PlayedTurn(Struct, frozen=True, gc=False):
    """The entry that stands for a turn, when and where it was entered, and the bonuses that it earned.

    `by` is the machine, where that is known.
    """

    number: int
    at: datetime
    by: str | UnsetType
    entry: Entry
    bonuses: BonusChange


class PlayedGame(RecordedGame, frozen=True, kw_only=True, dict=True):
    """A game to be written for another tool.

    Attributes:
        shown: returns the name that is shown for the person of a name in the game.
    """

    shown: ShownName = str  # the name itself

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self.history.game

    @cached_property
    def turns(self) -> Sequence[PlayedTurn]:
        """The turns in order, under the names that the players have now."""
        if self.is_plain and not self.file.agreed.rules.has_bonus_beside:
            return [
                PlayedTurn(each.n, each.at, each.by, each.event, NO_BONUS)
                for each in self.file.events
                if isinstance(each.event, (Scored, Scratched))
            ]
        lines = standing_lines(StoredGame(file=self.file, history=self.history, seen=None))
        return [
            PlayedTurn(line.turn, line.recorded.at, line.recorded.by, line.entry, line.bonuses)
            for line in lines
            if line.turn is not None and line.entry is not None
        ]

    @property
    def ended(self) -> datetime:
        """When the last turn was entered."""
        if self.is_plain:
            return self.file.last
        return self.turns[-1].at if self.turns else self.file.started

    @property
    def instant_winner(self) -> str | None:
        """The player who won at once: no turn is after that."""
        last = self.entries[-1] if self.entries else None
        return last.player if last is not None and last.instant_win else None


class Omission(Struct, frozen=True, kw_only=True):
    """A game, or another thing, that is not in an export.

    Attributes:
        why: the reason, without its subject. game: the number, if it is a game.
        trouble: what is wrong with its file, if that is the reason.
    """

    what: str | Message
    why: Message
    game: int | None = None
    trouble: FileTrouble | None = None

    @property
    def note(self) -> Message:
        """The sentence that says what is left out, and why."""
        if self.game is not None:
            return tell("game {number} is left out: {reason}", number=self.game, reason=self.why)
        return tell("{name} is left out: {reason}", name=self.what, reason=self.why)


Write = Callable[[Iterable[PlayedGame]], Iterable[str]]
"""Writes games: returns the texts that make up the file, in order."""
WriteBackup = Callable[[Iterable[PlayedGame], Iterable[BackupPart]], Iterable[str]]
"""Writes games, and what else there is."""


class ExportFormat(Struct, frozen=True, kw_only=True):
    """A form in which games are written for another tool.

    Attributes:
        name: the word after `--format`. suffix: how the names of its files end.
        write_plainly: writes names as they are, where `write` changes some for the programs that read them.
        finished: whether only games that are over are written.
        judged: whether every event is decided again; else the seal is enough, as for a list of games.
        undisputed: whether a game with a conflict copy is refused.
        by_person: whether people are named as in statistics, which takes a look at all games first.
        staked: whether games that are for points are left out.
        backup: writes everything for --all, where that is more than the games.
    """

    name: str
    suffix: str
    write: Write
    write_plainly: Write | None = None
    finished: bool = False
    judged: bool = True
    undisputed: bool = False
    by_person: bool = False
    staked: bool = False
    backup: WriteBackup | None = None


_IN_MEMORY = 1 << 20
"""Bytes of an export that are kept in memory before it is answered; more are in a temporary file."""


class Exported(Struct, frozen=True, kw_only=True):
    """Games that were written, or would be, and where to; `file` is None for the answer itself.

    Attributes:
        written: what was written, which may be more than memory should hold; it is closed once it is read.
    """

    form: ExportFormat
    games: tuple[int, ...]
    left_out: tuple[Omission, ...]
    written: IO[bytes]
    file: Path | None = None
    saved: bool = False

    def chunks(self) -> Iterator[bytes]:
        """Yield what was written, in order."""
        with self.written:
            self.written.seek(0)
            yield from self.written

    @property
    def text(self) -> str:
        """All of it."""
        return b"".join(self.chunks()).decode()


def numbers(
    store: Store,
    references: Sequence[str],
    *,
    everything: bool,
    since: str | None = None,
    played: Sequence[str] = (),
) -> list[int]:
    """Return the numbers of the games meant, each once: those named, all or some, or else the usual one."""
    is_some = since is not None or bool(played)
    if references and (everything or is_some):
        raise Mistyped("games are named one by one and all together", "leave out one of the two")
    if is_some:
        begun = None if since is None else game_lists.moment(store, since)
        joined = game_lists.joined(store) if played else ()
        some = game_lists.chosen(game_lists.list_games(store), played=played, since=begun, joined=joined)
        return [game.game for game in some.games]
    if everything:
        store.warn_of_all()
        return store.numbers()
    found = [store.find(reference) for reference in references] or [store.find(None)]
    for number in found:
        store.warn_of(number)
    return list(dict.fromkeys(found))


def everything_else(
    store: Store, house_rules: HouseRules, config: Path, form: ExportFormat
) -> Iterator[BackupPart | Omission]:
    """Yield what a backup in that form holds beside the games: payments, rules, configuration.

    What cannot be used, and what is in no backup, is an omission.
    """
    if form.backup is None:
        return
    if form.staked:  # books of what people owe each other
        try:
            paid = payments.load(store)
            if paid.seen is not None:
                yield PaymentsPart(text=paid.seen.decode())
        except FileTrouble as error:
            yield Omission(what=tell("payments"), why=error.message, trouble=error)
        return
    yield from all_payments(store)
    if store.folder.is_there(ASIDE):
        what = safe(store.folder.path(ASIDE))
        yield Omission(what=what, why=tell("what was set aside is not part of a backup"))
    yield from all_rules(house_rules)
    try:
        if text := without_sync(read_text(config) or ""):
            check_defaults(text, safe(config))
            yield ConfigPart(text=text)
    except FileTrouble as error:
        yield Omission(what=config.name, why=error.message, trouble=error)
        yield LeftOutPart(what="config")


def all_rules(house_rules: HouseRules) -> Iterator[BackupPart | Omission]:
    """Yield the house's own rules."""
    for name in house_rules.names():
        try:
            text = read_text(house_rules.path(name)) or ""
            check_house(name, text)
            yield RulesPart(name=name, text=text)
        except FileTrouble as error:
            yield Omission(what=tell("rules {name}", name=safe(name)), why=error.message, trouble=error)
            yield LeftOutPart(what="rules", name=name)


def all_payments(store: Store) -> Iterator[BackupPart | Omission]:
    """Yield the payments, with those of other versions of their file: none of them is lost in a conflict."""
    found: list[PaymentsFile] = []
    text: bytes | None = None
    try:
        own = payments.read_own(store)
        text = own.seen
        if text is not None:
            found.append(own.file)
    except FileTrouble as error:
        yield Omission(what=tell("payments"), why=error.message, trouble=error)
        yield LeftOutPart(what="payments")
    for place in store.copies(OF_PAYMENTS):
        copy = check_file(store.folder, place, OF_PAYMENTS)
        if isinstance(copy.file, PaymentsFile) and copy.state == "fine":
            found.append(copy.file)
            text = None
        else:
            yield _unusable(store, place, copy)
            yield LeftOutPart(what="payments")
    if found:
        yield PaymentsPart(text=(text or paymentsfile.encode(paymentsfile.merged(found))).decode())


def other_versions(
    store: Store, chosen: Iterable[int], form: ExportFormat
) -> Iterator[BackupPart | Omission]:
    """Yield the other versions of the games, where games go to another machine."""
    if form.backup is not None and not form.staked:
        yield from versions_beside(store, chosen)


def versions_beside(store: Store, chosen: Iterable[int]) -> Iterator[BackupPart | Omission]:
    """Yield the other versions of games that went on in two places."""
    for number in chosen:
        with suppress(FileTrouble):  # what is no folder is an omission of the game
            for place in store.copies(of_game(number)):
                copy = check_file(store.folder, place, of_game(number))
                if copy.state == "fine" and copy.data is not None:
                    yield OtherVersionPart(text=copy.data.decode())
                else:
                    yield _unusable(store, place, copy)
                    yield LeftOutPart(what="other-version", name=str(number))


def _unusable(store: Store, place: str, copy: CheckedFile) -> Omission:
    shown, why = safe(store.folder.path(place)), tell("it cannot be used ({reason})", reason=copy.why)
    damaged = DamagedFile("{path}: {reason}", path=shown, reason=copy.why)
    trouble = FileTrouble(copy.why) if copy.state == "unreadable" else damaged  # the first names the file
    return Omission(what=shown, why=why, trouble=trouble)


class _Unfit(Struct, frozen=True):
    """Why a game is not written in a form: as the reason of an omission, and where there is no other game."""

    why: Message
    alone: Message


_UNFINISHED = _Unfit(
    tell("is not over", context="game"), tell("there is nothing to export: game {number} is not over")
)
_FOR_POINTS = _Unfit(
    tell("is for points, which nobody owes", context="game"),
    tell("there is nothing to export: game {number} is for points, which nobody owes"),
)


def export(
    store: Store,
    chosen: Sequence[int],
    form: ExportFormat,
    *,
    others: Iterable[BackupPart | Omission] = (),
    is_named: bool = False,
    progress: Progress,
) -> Exported:
    """Write the games in that form, and in a backup the others too.

    A game that cannot be used is left out, or where it `is_named`, refused.
    """
    found = list(others)
    names, joined = game_lists.NamesPlayed(), game_lists.joined(store) if form.by_person else ()

    def write(shown: ShownName) -> Exported:
        return _export(
            store, chosen, form, found, is_named=is_named, progress=progress, shown=shown, names=names
        )

    as_typed = People((), joined).shown
    exported = write(as_typed)
    if not form.by_person:
        return exported
    for _, other in store.each(store.summary, progress, sorted({*store.taken()}.difference(chosen))):
        if not isinstance(other, FileTrouble):
            names.add(other.result.totals, other.started)
    people = names.people(joined)
    if all(people.shown(name) == as_typed(name) for name in names.last):
        return exported
    exported.written.close()
    return write(people.shown)  # somebody is spelled in two ways, as one seldom is, and the latest is shown


def _export(
    store: Store,
    chosen: Sequence[int],
    form: ExportFormat,
    others: Sequence[BackupPart | Omission],
    *,
    is_named: bool,
    progress: Progress,
    shown: ShownName,
    names: game_lists.NamesPlayed,
) -> Exported:
    """Write the games with those names of people, and add the names in them to `names`."""
    done: list[int] = []
    left_out: list[Omission] = []
    unfits: list[Message] = []

    def read(number: int) -> PlayedGame | _Unfit:
        if form.judged:
            stored = store.load(number)
            if form.undisputed:
                store.check_undisputed(number)
            played = PlayedGame(file=stored.file, judged=stored.history, shown=shown)
        else:
            played = store.recorded(number, partial(_check_record, shown=shown))
        names.add(played.file.result.totals, played.file.started)
        if form.finished and not played.is_over:
            return _UNFINISHED
        return _FOR_POINTS if form.staked and played.agreed.unit == POINT else played

    def readable() -> Iterator[PlayedGame]:
        for number, found in store.each(read, progress, chosen):
            if isinstance(found, PlayedGame):
                yield found
                done.append(number)
                continue
            why = found.message if isinstance(found, FileTrouble) else found.why
            trouble = found if isinstance(found, FileTrouble) else None
            what = tell("game {number}", number=number)
            left_out.append(Omission(what=what, why=why, game=number, trouble=trouble))
            if isinstance(found, _Unfit):
                unfits.append(found.alone.with_values(number=number))

    found = list(others)
    parts = [part for part in found if not isinstance(part, Omission)]

    def with_left_out() -> Iterator[BackupPart]:
        yield from parts
        if not form.staked:  # after the games, when it is known which are left out
            yield from (LeftOutPart(what="game", name=str(each.game)) for each in left_out if each.trouble)

    texts = form.write(readable()) if form.backup is None else form.backup(readable(), with_left_out())
    with ExitStack() as closing:
        written = closing.enter_context(SpooledTemporaryFile(_IN_MEMORY))
        for text in texts:  # `writelines` would keep all of them in memory
            written.write(text.encode())
        troubles = [each.trouble for each in left_out if each.trouble is not None]
        if is_named and troubles:
            raise troubles[0]
        if not done and all(isinstance(part, LeftOutPart) for part in parts):
            if not left_out:
                hint = tell("generala games lists them all, generala new NAME NAME starts one")
                raise NotFound("no game matches", InShell(hint))
            raise left_out[0].trouble or NotAllowed(unfits[0], "generala games shows which are over")
        closing.pop_all()  # all is well: who answers reads it
    left_out += [each for each in found if isinstance(each, Omission)]
    return Exported(form=form, games=tuple(done), left_out=tuple(left_out), written=written)


def _check_record(record: RecordedGame, shown: ShownName) -> PlayedGame:
    """Return the game to be written; ValueError where its seal is trusted, but what it holds makes no sense.

    On trust only texts are written that may be shown, and turns of its own players in its own categories.
    """
    played = PlayedGame(file=record.file, judged=record.judged, shown=shown)
    if played.judged is None:
        file, agreed = played.file, played.agreed
        texts = (*file.result.totals, agreed.label, agreed.unit, agreed.rules.name, agreed.rules.title)
        categories = {None, *(line.id for line in agreed.rules.categories)}
        if (
            any(unprintable(text, unassigned=False) for text in texts)
            or not {entry.player for entry in played.entries} <= file.result.totals.keys()
            or not {entry.category for entry in played.entries} <= categories
        ):
            raise ValueError("a seal that was made on purpose")
    return played


def output_path(output: str) -> Path:
    """Return the file meant; a name that cannot be one is Mistyped, what is no ordinary file is trouble."""
    path = Path(output)
    if not path.name or "\0" in output:
        raise Mistyped("{name!r} is not a file name", "give one, as -o games.csv", name=output)
    if path.exists() and not path.is_file():
        raise FileTrouble("{path} is not an ordinary file", "give another name", path=safe(path))
    return path


def write_file(exported: Exported, path: Path) -> Exported:
    """Write the file whole or not at all; a link is followed to the file that it names."""
    with exported.written:
        write_chunks(path, exported.chunks())
    return replace(exported, file=path, saved=True)
