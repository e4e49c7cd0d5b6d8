import os
import platform
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path

from msgspec import UNSET, Struct
from msgspec.structs import asdict, replace

from generala_cli.app.defaults import SyncSettings, read_sync, write_sync
from generala_cli.errors import DamagedFile, FileError, GeneralaError, NewerFile, UsageError
from generala_cli.exchange import backup
from generala_cli.exchange.answers import Imported, LeftOut, Sync, SyncMachine
from generala_cli.exchange.backup import (
    BackupPart,
    GamePart,
    LeftOutPart,
    MachinePart,
    OtherVersionPart,
)
from generala_cli.exchange.importing import (
    ImportContents,
    check_parts,
    followed_games,
    import_contents,
    refusing,
)
from generala_cli.exchange.parts import all_facts, all_rules, conflict_copies, unknown_files
from generala_cli.exchange.sharing import (
    SUFFIX,
    Line,
    Remembered,
    SharedFile,
    SharedFolder,
    folder_missing_error,
    is_game_key,
    machine_file,
    remember,
    remembered,
    seal_of,
)
from generala_cli.messages import lazy
from generala_cli.packages import file_kinds
from generala_cli.progress import Progress
from generala_cli.remedies import in_shell
from generala_cli.render.hints import SHELL, full_message
from generala_cli.store import kinds
from generala_cli.store.folder import FileChanged, Writer
from generala_cli.store.house_rules import HouseRules
from generala_cli.store.merging import Merger
from generala_cli.store.sealing import is_sealed, new_id
from generala_cli.store.store import Store
from generala_cli.store.subjects import SYNC, file_name, of_game, of_kind
from generala_cli.text import composed, safe, unprintable

_LONGEST_NAME = 40
_FROM_ELSEWHERE: AbstractSet[str] = {"new", "longer", "merged", "diverged", "chosen"}


def sync(
    store: Store,
    house_rules: HouseRules,
    config: Path,
    *,
    folder: str | None,
    name: str | None,
    with_deleted: bool,
    dry_run: bool,
    progress: Progress,
) -> Sync:
    """Import the files of the other machines, write our own file, then `sync.json`.

    After an interruption, the next sync repeats the rest. By default, `folder` and `name` are the last ones
    used.
    """
    settings = _settings(read_sync(config), folder, name)
    shared = SharedFolder(Path(settings.folder or ""))
    known = remembered(store.folder)
    lines = _OwnLines(store)
    reader = _Reader(store, lines, shared, known, with_deleted=with_deleted)
    files = [each for each in (reader.read(name, progress) for name in shared.names()) if each is not None]
    coming = [each.contents for each in files if each.contents is not None]
    imported = None
    if coming:
        imported = import_contents(store, house_rules, config, coming, dry_run=dry_run, progress=progress)
    news = iter(imported.files if imported is not None else ())
    files = [each if each.contents is None else _with_news(each, next(news)) for each in files]
    machines = tuple(each.machine for each in files)
    given_up = None
    for read, machine in zip(files, machines, strict=True):
        is_another = read.file is not None and read.file.seal != known.seal
        if machine.file == known.file and is_another and _is_from_elsewhere(machine):
            given_up = known.file
    judged = {line for each in files if each.file is not None for line in each.file.lines}
    judged.update(known.local.values(), reader.check_local(judged, progress))
    followed = {each.game: each.set_aside for each in (() if imported is None else imported.followed)}

    def attempt(writer: Writer | None) -> Sync:
        last = known if writer is None or not store.folder.is_there(SYNC) else remembered(store.folder)
        if given_up is not None and last.id == known.id:
            last = replace(last, id=new_id()[:8], file="", seal="", former=UNSET)
        if writer is not None and not last.file:
            # save the id first, or an interrupted sync would leave a file without an owner
            remember(writer, last)
        machine = MachinePart(id=last.id, name=settings.name or "")
        followed.update(_settle(store, writer, progress))
        own_file = _OwnFile(store, lines, house_rules, judged, progress)
        own = machine_file(machine.name, machine.id)
        with backup.joined(own_file.lines(machine)) as file:
            written = not shared.holds(own, file)
            if writer is not None:
                if last.file not in ("", own):
                    last = replace(last, former=(*(last.former or ()), last.file, own))
                    remember(writer, last)
                if written:
                    store.folder.hold()
                    shared.write(own, file, store.folder.on_doubt)
                for former in sorted({*(last.former or ())} - {own}):
                    shared.remove(former)
                there = {each.machine.file for each in files}
                before = {name: file for name, file in last.files.items() if name in there}
                after = {each.machine.file: each.file for each in files if each.file is not None}
                gone = dict.fromkeys(last.local, "")
                now = replace(
                    last,
                    file=own,
                    seal=seal_of(file.seal),
                    local={**gone, **own_file.digests},
                    undecided=tuple(sorted(own_file.undecided)) or UNSET,
                    files={**before, **after},
                    former=UNSET,
                )
                remember(writer, now)
            return Sync(
                folder=str(shared.directory),
                machine=machine.name,
                file=own,
                machines=machines,
                left_out=tuple(own_file.left_out),
                given_up=given_up,
                followed=followed_games(followed),
                written=written or (writer is None and any(each.is_news for each in machines)),
                current=None if imported is None else imported.current,
                kept=() if imported is None else imported.kept,
                saved=writer is not None,
            )

    if dry_run:
        return attempt(None)
    synced = store.retried(lambda writer, _: attempt(writer))
    try:
        write_sync(config, settings)
    except FileError as error:
        return replace(synced, unsaved=error)
    return synced


def _settle(store: Store, writer: Writer | None, progress: Progress) -> Mapping[int, tuple[str, ...]]:
    """Settle games with several versions, and return the new paths of the rejected ones by game."""
    merger = Merger(store)
    merger.settle(store.numbers())
    return dict.fromkeys(merger.settled, ()) if writer is None else merger.write(writer, progress).rejected


def _settings(last: SyncSettings, folder: str | None, name: str | None) -> SyncSettings:
    chosen = last.folder if folder is None else folder
    if chosen is None:
        raise UsageError("there is no shared folder yet", in_shell(lazy("start with generala sync FOLDER")))
    if not chosen or "\0" in chosen:
        raise folder_missing_error(chosen)
    called = last.name or _host() if name is None else _machine_name(name)
    return SyncSettings(folder=os.path.abspath(os.path.expanduser(chosen)), name=called)  # noqa: PTH100, PTH111


def _machine_name(text: str) -> str:
    name = composed(text.strip())
    if not name or unprintable(name) or len(name) > _LONGEST_NAME:
        hint = in_shell(lazy("use a word or two, such as --as kitchen"))
        raise UsageError("{name!r} is not a valid name for a machine", hint, name=text)
    return name


def _host() -> str:
    host = platform.node().partition(".")[0]
    return host if host and len(host) <= _LONGEST_NAME and not unprintable(host) else "generala"


def _is_from_elsewhere(own: SyncMachine) -> bool:
    """Return whether our own file has entries from a different machine, apart from repairs.

    A game that continued after we deleted it counts too. Otherwise its turns would be overwritten and lost.
    """
    fates: set[str | None] = {game.fate for game in own.games if not game.mended}
    if not own.payments_mended:
        fates.add(own.payments)
    if not own.training_mended:
        fates.add(own.training)
    fates |= {each.fate for each in own.tournaments if not each.mended}
    return bool(own.deleted or fates & _FROM_ELSEWHERE)


class _FileRead(Struct, frozen=True, kw_only=True):
    machine: SyncMachine
    file: SharedFile | None = None
    contents: ImportContents | None = None


class _Reader:
    """Selects the lines to import from the files of the other machines.

    A line that was imported before is skipped if our game is the same as after that import. If our game was
    damaged or restored since, its lines are read again. The same goes for a game that had several versions
    and has one now: if a choice was lost with the file, nothing else brings the other version back.
    """

    def __init__(
        self, store: Store, lines: "_OwnLines", shared: SharedFolder, known: Remembered, *, with_deleted: bool
    ) -> None:
        self._shared = shared
        self._known = known
        self._store = store
        self._own = lines
        self._numbers: dict[str, int] = {}
        self._local: dict[str, str] = {}
        for number in reversed(store.used_numbers()):
            if (own := lines.find(number)) is not None:
                self._local[own.key] = own.digest
            if key := own.key if own is not None else store.id_of(of_game(number)):
                self._numbers[key] = number
        self._local |= _facts_digests(store)
        self._lines = {line for file in known.files.values() for line in file.lines}
        missing = {key for key in known.local if is_game_key(key)} - self._numbers.keys()
        # a damaged file may be any game, so none counts as deleted
        if {*store.numbers()} - {*self._numbers.values()}:
            missing = {key for key in missing if not known.local[key]}
        missing |= _deleted_files(store, known)
        self._deleted = missing
        self._with_deleted = with_deleted
        self._decided = {
            key
            for key in known.undecided or ()
            if key in self._numbers and not store.copies(of_game(self._numbers[key]))
        }
        before = {key: digest for key, digest in known.local.items() if digest}
        self._is_some_other = bool(self._decided) or any(
            self._local.get(key) != digest for key, digest in before.items() if key not in self._deleted
        )
        is_as_before = before == self._local and not self._decided
        self._is_as_before = is_as_before and not (with_deleted and self._deleted)

    def check_local(self, judged: set[str], progress: Progress) -> Iterator[str]:
        """Yield the digests of our own valid games that were not checked before.

        With many games this takes long, so it happens before taking the lock.
        """
        numbers = [
            number
            for key, number in self._numbers.items()
            if (digest := self._local.get(key))
            and digest not in judged
            and digest != self._known.local.get(key)
        ]
        for number, found in self._store.each(self._store.load, progress, sorted(numbers)):
            if not isinstance(found, FileError) and (own := self._own.find(number)) is not None:
                yield own.digest

    def read(self, name: str, progress: Progress) -> _FileRead | None:
        """Read a file; None for our own file, unless it or our games changed. Then it can repair them."""
        before = self._known.files.get(name)
        machine = before.machine if before is not None else name[: -len(SUFFIX)]
        try:
            seal = self._shared.seal(name)
            if seal and seal == self._known.seal and not self._is_some_other:
                return None
            if before is not None and seal == before.seal and self._is_as_before:
                return _FileRead(machine=SyncMachine(file=name, machine=machine, state="unchanged"))
            data = self._shared.read(name)
            if data is None:
                return None
            with refusing(safe(name), ""):
                return self._read(name, data, progress)
        except FileError as trouble:
            return _FileRead(
                machine=SyncMachine(
                    file=name, machine=machine, state="unusable", why=full_message(trouble, SHELL)
                )
            )

    def _read(self, name: str, data: bytes, progress: Progress) -> _FileRead:
        machine, deleted = name[: -len(SUFFIX)], set[str]()
        lines: list[str] = []
        wanted, is_whole = set[int](), True
        for number, raw in enumerate(backup.split(data), start=backup.FIRST):
            line = Line.of(raw)
            if line.is_unusable:
                is_whole = False
                continue
            lines.append(line.digest)
            if line.key in self._deleted and not self._with_deleted:
                is_news = line.digest not in self._lines and line.digest != self._known.local[line.key]
                if is_news and is_game_key(line.key):
                    deleted.add(line.key)
            elif not line.key or self._is_wanted(line):
                part = None if line.key else backup.decode_part(raw, number)
                if isinstance(part, MachinePart):
                    machine = safe(part.name)
                elif self._is_wanted(line):
                    wanted.add(number)
        # split again, because a list of all lines would use too much memory
        again = enumerate(backup.split(data), start=backup.FIRST)
        parts = ((number, backup.decode_part(raw, number)) for number, raw in again if number in wanted)
        contents = check_parts(parts, len(wanted), progress)
        self._lines.update(lines)
        return _FileRead(
            machine=SyncMachine(file=name, machine=machine, state="read", deleted=len(deleted)),
            file=SharedFile(machine=machine, seal=seal_of(data) if is_whole else "", lines=tuple(lines)),
            contents=contents if wanted else None,
        )

    def _is_wanted(self, line: Line) -> bool:
        local = self._local.get(line.key, "")
        if line.key and local == line.digest:
            return False
        is_as_then = not line.key or local == self._known.local.get(line.key, "")
        is_known = line.digest in self._lines and is_as_then and line.key not in self._decided
        return not is_known or line.key in self._deleted


def _deleted_files(store: Store, known: Remembered) -> set[str]:
    deleted = set[str]()
    for kind in file_kinds().values():
        here = {store.id_of(of_kind(kind, number)) for number in kinds.numbers(store, kind)}
        if None not in here:  # a damaged file may not tell its id
            known_here = {f"{kind.name}-{id_}" for id_ in here}
            deleted |= {key for key in known.local if key.startswith(f"{kind.name}-")} - known_here
    return deleted


class _OwnLines:
    """Our games as lines, validated by their seals and cached until a file changes."""

    def __init__(self, store: Store) -> None:
        self._folder = store.folder
        self._found: dict[int, tuple[tuple[int, int, int], Line]] = {}

    def find(self, number: int) -> Line | None:
        found = self._found.get(number)
        if found is not None and found[0] == self._folder.signature(file_name(number)):
            return found[1]
        read = self.read(number)
        return None if read is None else read[0]

    def read(self, number: int) -> tuple[Line, bytes] | None:
        """Return the line of a game and its bytes; None if its file is missing or damaged."""
        place = file_name(number)
        signature = self._folder.signature(place)
        data = self._folder.read(place)
        if data is None or not is_sealed(data):
            return None
        try:
            encoded = backup.encode_part(GamePart(text=data.decode()))
        except UnicodeDecodeError:
            return None
        line = Line.of(encoded)
        if signature is not None:
            self._found[number] = signature, line
        return line, encoded


def _facts_digests(store: Store) -> Iterator[tuple[str, str]]:
    for subject in kinds.subjects(store, file_kinds().values()):
        data = store.folder.read(subject.place)
        if data is not None and is_sealed(data) and subject.kind is not None:
            part = backup.FactsPart(kind=subject.kind.name, text=data.decode(errors="replace"))
            line = Line.of(backup.encode_part(part))
            yield line.key, line.digest


class _OwnFile:
    """This machine's own file; `digests` and `undecided` are complete after `lines`."""

    def __init__(
        self, store: Store, lines: _OwnLines, house_rules: HouseRules, judged: set[str], progress: Progress
    ) -> None:
        self._store = store
        self._lines = lines
        self._house_rules = house_rules
        self._judged = judged
        self._progress = progress
        self.digests: dict[str, str] = {}
        self.undecided: set[str] = set()
        self.left_out: list[LeftOut] = []

    def lines(self, machine: MachinePart) -> Iterator[bytes]:
        """Yield the lines of the file, with only one game in memory at a time."""
        yield backup.encode_part(machine)
        numbers, missing = [], list[BackupPart]()
        for number, found in self._store.each(self._read, self._progress):
            if isinstance(found, FileError):
                _raise_unless_damaged(found)
                what = lazy("game {number}", number=number)
                self.left_out.append(LeftOut(what=what, game=number, error=found))
                missing.append(LeftOutPart(what="game", name=str(number)))
            else:
                line, data = found
                yield data
                self.digests[line.key] = line.digest
                numbers.append(number)
        store = self._store
        self.digests |= _facts_digests(store)
        for other in (
            *conflict_copies(store, numbers),
            *all_facts(store),
            *unknown_files(store),
            *all_rules(self._house_rules),
            *missing,
        ):
            if isinstance(other, LeftOut):
                _raise_unless_damaged(other.error)
                self.left_out.append(other)
            else:
                data = backup.encode_part(other)
                if isinstance(other, OtherVersionPart):
                    self.undecided.add(Line.of(data).key)
                yield data

    def _read(self, number: int) -> tuple[Line, bytes]:
        own = self._lines.read(number)
        if own is None or own[0].digest not in self._judged:
            self._store.load(number)  # raises the exact error
            own = self._lines.read(number)
        if own is None:
            raise FileChanged(self._store.folder.path(file_name(number)))
        return own


def _raise_unless_damaged(error: GeneralaError | None) -> None:
    """Raise errors of the disk: our shared file may be the only copy, so it must not be overwritten."""
    if isinstance(error, FileError) and not isinstance(error, (DamagedFile, NewerFile)):
        raise error


def _with_news(read: _FileRead, imported: Imported) -> _FileRead:
    news = replace(
        imported,
        games=tuple(each for each in imported.games if each.fate not in ("same", "shorter")),
        rules=tuple(each for each in imported.rules if each.fate != "same"),
    )
    if imported.payments in ("same", "shorter"):
        news = replace(news, payments=None, payments_added=0, payments_mended=False, payments_kept=None)
    if imported.training in ("same", "shorter"):
        news = replace(news, training=None, training_added=0, training_mended=False, training_kept=None)
    news = replace(
        news, tournaments=tuple(each for each in imported.tournaments if each.fate not in ("same", "shorter"))
    )
    return replace(read, machine=replace(read.machine, **asdict(news)))
