"""Export games in a form that other tools read: which games, and what a backup holds beside them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.app import games as app_games
from generala_cli.app.defaults import check_defaults
from generala_cli.app.rulebook import check_house
from generala_cli.app.views import standing_lines
from generala_cli.errors import DamagedFile, FileTrouble, Mistyped, NotAllowed, NotFound
from generala_cli.game.events import Entry, Scored, Scratched
from generala_cli.game.game import Game
from generala_cli.game.money import POINT
from generala_cli.messages import Message, clauses, tell
from generala_cli.progress import Progress
from generala_cli.store import payments, paymentsfile
from generala_cli.store.backup import (
    BackupPart,
    ConfigPart,
    LeftOutPart,
    OtherVersionPart,
    PaymentsPart,
    RulesPart,
)
from generala_cli.store.checking import CheckedFile, check_file
from generala_cli.store.gamefile import RecordedGame
from generala_cli.store.house_rules import HouseRules, read_text, write_whole
from generala_cli.store.paymentsfile import PaymentsFile
from generala_cli.store.store import HOW_TO_START, Store, StoredGame
from generala_cli.store.subjects import ASIDE, OF_PAYMENTS, of_game
from generala_cli.text import choose, safe, unprintable

STDOUT = "-"


class PlayedTurn(Struct, frozen=True, gc=False):
    """The entry that stands for a turn, when it was entered, and the points of upper bonus that it earned."""

    number: int
    at: datetime
    entry: Entry
    upper_bonus: int


class PlayedGame(RecordedGame, frozen=True, kw_only=True, dict=True):
    """A game to be written for another tool."""

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self.history.game

    @cached_property
    def turns(self) -> Sequence[PlayedTurn]:
        """The turns in order, under the names that the players have now."""
        if self.is_plain and self.file.agreed.rules.upper_bonus is None:
            return [
                PlayedTurn(each.n, each.at, each.event, 0)
                for each in self.file.events
                if isinstance(each.event, (Scored, Scratched))
            ]
        lines = standing_lines(StoredGame(file=self.file, history=self.history, seen=None))
        return [
            PlayedTurn(line.turn, line.recorded.at, line.entry, line.upper_bonus)
            for line in lines
            if line.turn is not None and line.entry is not None
        ]

    @property
    def instant_winner(self) -> str | None:
        """The player who won at once: no turn is after that."""
        turns = self.turns
        return turns[-1].entry.player if turns and turns[-1].entry.instant_win else None


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
        finished: whether only games that are over are written.
        judged: whether every event is decided again; else the seal is enough, as for a list of games.
        undisputed: whether a game with a conflict copy is refused.
        staked: whether games that are for points are left out.
        backup: writes everything for --all, where that is more than the games.
    """

    name: str
    suffix: str
    write: Write
    finished: bool = False
    judged: bool = True
    undisputed: bool = False
    staked: bool = False
    backup: WriteBackup | None = None


class Exported(Struct, frozen=True, kw_only=True):
    """Games that were written, or would be, and where to; `file` is None for the answer itself."""

    form: ExportFormat
    games: tuple[int, ...]
    left_out: tuple[Omission, ...]
    text: str
    file: Path | None = None
    saved: bool = False


def find_format(forms: Sequence[ExportFormat], name: str | None, output: str) -> ExportFormat:
    """Return the form of that name, or else the one that the output's name ends like."""
    if name is not None:
        wanted = choose(name, (form.name for form in forms), "format")
        return next(form for form in forms if form.name == wanted)
    for form in forms:
        if output.casefold().endswith(form.suffix):
            return form
    names = "|".join(form.name for form in forms)
    raise Mistyped("no format is given", "type --format {names}, or -o with such a file", names=names)


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
        begun = None if since is None else app_games.moment(store, since)
        joined = app_games.joined(store) if played else ()
        some = app_games.chosen(app_games.list_games(store), played=played, since=begun, joined=joined)
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
    yield from _all_payments(store)
    if store.folder.is_there(ASIDE):
        what = safe(store.folder.path(ASIDE))
        yield Omission(what=what, why=tell("what was set aside is not part of a backup"))
    for name in house_rules.names():
        try:
            text = read_text(house_rules.path(name)) or ""
            check_house(name, text)
            yield RulesPart(name=name, text=text)
        except FileTrouble as error:
            yield Omission(what=tell("rules {name}", name=safe(name)), why=error.message, trouble=error)
            yield LeftOutPart(what="rules", name=name)
    try:
        if text := read_text(config) or "":
            check_defaults(text, safe(config))
            yield ConfigPart(text=text)
    except FileTrouble as error:
        yield Omission(what=config.name, why=error.message, trouble=error)
        yield LeftOutPart(what="config")


def _all_payments(store: Store) -> Iterator[BackupPart | Omission]:
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
    """Yield the other versions of games that went on in two places, where games go to another machine."""
    if form.backup is None or form.staked:
        return
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
    return Omission(what=shown, why=why, trouble=DamagedFile("{path}: {reason}", path=shown, reason=copy.why))


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
    done: list[int] = []
    left_out: list[Omission] = []
    unfits: list[Message] = []

    def read(number: int) -> PlayedGame | _Unfit:
        if form.judged:
            stored = store.load(number)
            if form.undisputed:
                store.check_undisputed(number)
            played = PlayedGame(file=stored.file, judged=stored.history)
        else:
            played = store.recorded(number, _check_record)
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

    if form.backup is not None:
        text = "".join(form.backup(readable(), with_left_out()))
    else:
        text = "".join(form.write(readable()))
    troubles = [each.trouble for each in left_out if each.trouble is not None]
    if is_named and troubles:
        raise troubles[0]
    if not done and all(isinstance(part, LeftOutPart) for part in parts):
        if not left_out:
            hint = clauses([tell("generala games lists them all"), HOW_TO_START])
            raise NotFound("no game matches", hint)
        raise left_out[0].trouble or NotAllowed(unfits[0], "generala games shows which are over")
    left_out += [each for each in found if isinstance(each, Omission)]
    return Exported(form=form, games=tuple(done), left_out=tuple(left_out), text=text)


def _check_record(record: RecordedGame) -> PlayedGame:
    """Return the game to be written; ValueError where its seal is trusted, but what it holds makes no sense.

    On trust only texts are written that may be shown, and turns of its own players in its own categories.
    """
    played = PlayedGame(file=record.file, judged=record.judged)
    if played.judged is None:
        file, agreed = played.file, played.agreed
        texts = (*file.result.totals, agreed.label, agreed.unit, agreed.rules.name, agreed.rules.title)
        categories = {None, *(line.id for line in agreed.rules.categories)}
        if (
            any(unprintable(text, unassigned=False) for text in texts)
            or not {turn.entry.player for turn in played.turns} <= file.result.totals.keys()
            or not {turn.entry.category for turn in played.turns} <= categories
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
    write_whole(path, exported.text)
    return replace(exported, file=path, saved=True)
