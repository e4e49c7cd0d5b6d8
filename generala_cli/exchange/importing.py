from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, assert_never

from msgspec import Struct
from msgspec.structs import asdict, replace

from generala_cli.app.defaults import check_defaults, read_sync, with_sync, without_sync
from generala_cli.app.rule_sets import STANDARD_INPUT, STDIN, check_house, check_new_name
from generala_cli.errors import DamagedFile, FileError, GeneralaError, NewerFile, NotAllowed, NotFound
from generala_cli.exchange import backup
from generala_cli.exchange.answers import (
    FollowedGame,
    Import,
    Imported,
    ImportedFile,
    ImportedGame,
    ImportedTournament,
    LeftOut,
)
from generala_cli.exchange.backup import (
    BackupPart,
    ConfigPart,
    FactsPart,
    GamePart,
    LeftOutPart,
    MachinePart,
    OtherVersionPart,
    RulesPart,
)
from generala_cli.game.history import ImpossibleEvent
from generala_cli.messages import Message, clauses, lazy, value_message
from generala_cli.packages import file_kinds
from generala_cli.progress import Progress
from generala_cli.remedies import in_shell
from generala_cli.render.hints import SHELL, full_message
from generala_cli.rules.fingerprint import known
from generala_cli.store.facts import FactsFile, NumberedFile
from generala_cli.store.files import MAX_BYTES, read_file, too_large, write_new
from generala_cli.store.folder import Writer
from generala_cli.store.gamefile import GameFile, PackedGame
from generala_cli.store.house_rules import HouseRules, read_text
from generala_cli.store.kinds import file_class
from generala_cli.store.logfile import LogFile
from generala_cli.store.merging import Merged, Merger, Written
from generala_cli.store.sealing import Newer, Unreadable, check_not_newer, is_sealed, reason
from generala_cli.store.store import Store
from generala_cli.store.subjects import GAME, all_kinds
from generala_cli.text import safe

_NOTHING = lazy(
    "nothing was imported; on the machine that wrote it, type generala export --format generala -o FILE"
)


class ImportResult(Struct, frozen=True, kw_only=True):
    files: tuple[Imported, ...]
    config: ImportedFile | None
    followed: tuple[FollowedGame, ...]
    current: int | None
    kept: tuple[str, ...]


class ImportContents(Struct, frozen=True, kw_only=True):
    """The validated contents of a file, including versions that conflict with a game."""

    files: Sequence[PackedGame | FactsFile]
    rules: Sequence[RulesPart]
    config: ConfigPart | None
    left_out: Sequence[LeftOutPart]


def read(reference: str, read_input: Callable[[int], bytes]) -> tuple[Message, bytes]:
    """Return the printable name and the bytes of a file, or of standard input for `-`."""
    if reference == STDIN:
        data = read_input(backup.MAX_BYTES)
        if len(data) > backup.MAX_BYTES:
            why = too_large(backup.MAX_BYTES)
            raise FileError("{file} cannot be read: {reason}", _NOTHING, file=STANDARD_INPUT, reason=why)
        return STANDARD_INPUT, data
    shown = safe(reference)
    hint = lazy("give a file from generala export --format generala")
    found = None if "\0" in reference or not reference else read_file(reference, backup.MAX_BYTES, hint)
    if found is None:
        raise NotFound(
            "there is no file '{file}'",
            in_shell(lazy("generala export --format generala -o FILE writes one")),
            file=shown,
        )
    return value_message(shown), found


def check_contents(shown: Message, data: bytes, progress: Progress) -> ImportContents:
    """Validate every event in a file. Raises DamagedFile or NewerFile."""
    with refusing(shown):
        check_not_newer(data)
        if is_sealed(data):
            return check_parts([(backup.FIRST, GamePart(text=data.decode()))], 1, progress)
        lines = enumerate(backup.split(data), start=backup.FIRST)
        parts = ((number, backup.decode_part(line, number)) for number, line in lines)
        return check_parts(parts, data.count(b"\n") - 1, progress)


@contextmanager
def refusing(shown: str | Message, hint: str | Message = _NOTHING) -> Iterator[None]:
    """Turn Unreadable and Newer into DamagedFile and NewerFile with the file's name."""
    try:
        yield
    except Newer as error:
        raise NewerFile.of(shown, reason(error)) from error
    except (Unreadable, UnicodeDecodeError) as error:
        raise DamagedFile(
            "{file} cannot be imported: {reason}", hint, file=shown, reason=reason(error)
        ) from error


def check_parts(parts: Iterable[tuple[int, BackupPart]], total: int, progress: Progress) -> ImportContents:
    """Validate numbered lines of a file. Unreadable or Newer names the bad line."""
    found: dict[tuple[str, str], _Content] = {}
    for done, (number, part) in enumerate(parts):
        progress(done, total)
        try:
            key, content = _check_part(part)
            if found.setdefault(key, content) != content:
                raise Unreadable(_twice(*key))
        except (Unreadable, ImpossibleEvent, DamagedFile, NewerFile) as error:
            match error:
                case DamagedFile():
                    why: str | Message = clauses((error.message, *error.details))
                case NewerFile():
                    why = error.why
                case _:
                    why = reason(error)
            what = lazy("line {number}: {reason}", number=number, reason=why)
            raise (Newer if isinstance(error, Newer | NewerFile) else Unreadable)(what) from error
    contents = found.values()
    return ImportContents(
        files=[each for each in contents if isinstance(each, PackedGame | FactsFile)],
        rules=[each for each in contents if isinstance(each, RulesPart)],
        config=next((each for each in contents if isinstance(each, ConfigPart)), None),
        left_out=[each for each in contents if isinstance(each, LeftOutPart)],
    )


_Content = PackedGame | LogFile | RulesPart | ConfigPart | LeftOutPart | MachinePart


def _check_part(part: BackupPart) -> tuple[tuple[str, str], _Content]:
    """Return a validated part and its key, which must be unique in the file."""
    match part:
        case GamePart() | OtherVersionPart():
            data = part.text.encode()
            if len(data) > MAX_BYTES:
                raise Unreadable(too_large())
            file = GameFile.read(data)
            # most games share their rules, which take most of the memory
            rules = known(file.agreed.rules).rules
            file = replace(file, agreed=replace(file.agreed, rules=rules))
            is_other = isinstance(part, OtherVersionPart)
            return ("version", part.text) if is_other else ("game", file.id), PackedGame.of(file)
        case FactsPart(kind=kind) if kind not in file_kinds():
            return ("left out", kind), LeftOutPart(what=kind)
        case FactsPart(kind=kind):
            facts = file_class(file_kinds()[kind]).read(part.text.encode())
            return (kind, facts.id if isinstance(facts, NumberedFile) else ""), facts
        case RulesPart():
            check_house(part.name, part.text)
            return ("rules", part.name), part
        case ConfigPart():
            check_defaults(part.text, "config.toml")
            return ("config.toml", ""), part
        case LeftOutPart():
            return ("left out", f"{part.what} {part.name}"), part
        case MachinePart():
            return ("machine", ""), part
        case _:
            assert_never(part)


def _twice(kind: str, name: str) -> Message:
    match kind:
        case "game":
            return lazy("game {id} appears twice, so it is unclear which one counts", id=name)
        case "rules":
            return lazy("rules {name} appear twice, so it is unclear which ones count", name=name)
        case "tournament":
            return lazy("tournament {id} appears twice, so it is unclear which one counts", id=name)
        case _:
            return lazy("{kind} appears twice, so it is unclear which one counts", kind=kind)


def import_contents(
    store: Store,
    house_rules: HouseRules,
    config: Path,
    contents: Sequence[ImportContents],
    *,
    dry_run: bool,
    progress: Progress,
) -> ImportResult:
    """Import the contents of files in order.

    Games and facts are written first, under one lock, then the current game, rules and configuration. After
    an interruption, a second run completes the import.
    """
    merged: list[tuple[Merged, ...]] = []

    def merge() -> Merger:
        merger = Merger(store)
        merged[:] = [merger.add(each.files) for each in contents]
        return merger

    texts = _Texts(house_rules, config)
    rules = [tuple(map(texts.add_rules, each.rules)) for each in contents]
    settings = [texts.add_config(each.config) for each in contents if each.config is not None]
    current: int | None = None
    written = Written()
    if dry_run or not any(each.files for each in contents):
        merger = merge()
        current = _to_be_current(store, merger)
        written = Written(rejected=dict.fromkeys(merger.settled, ()))
    else:

        def attempt(writer: Writer, _is_first: bool) -> None:
            nonlocal current, written
            merger = merge()
            current = _to_be_current(store, merger)
            written = merger.write(writer, progress)
            if current is not None:
                store.point(writer, current, None)

        store.retried(attempt)
    if not dry_run:
        for path, text in texts.new.items():
            write_new(path, with_sync(text, read_sync(config)) if path == config else text)
    return ImportResult(
        files=tuple(
            _imported(files, written.damaged, names, map(_left_out, each.left_out))
            for each, files, names in zip(contents, merged, rules, strict=True)
        ),
        config=next(iter(settings), None),
        followed=followed_games(written.rejected),
        current=current,
        kept=tuple(written.damaged.values()),
    )


def import_file(
    store: Store,
    house_rules: HouseRules,
    config: Path,
    file: str,
    read_input: Callable[[int], bytes],
    *,
    dry_run: bool,
    progress: Progress,
) -> Import:
    shown, data = read(file, read_input)
    contents = check_contents(shown, data, progress)
    result = import_contents(store, house_rules, config, [contents], dry_run=dry_run, progress=progress)
    (imported,) = result.files
    return Import(
        file=shown,
        **asdict(imported),
        config=result.config,
        followed=result.followed,
        current=result.current,
        kept=result.kept,
        saved=not dry_run,
    )


def followed_games(rejected: Mapping[int, tuple[str, ...]]) -> tuple[FollowedGame, ...]:
    return tuple(FollowedGame(game=number, set_aside=places) for number, places in sorted(rejected.items()))


def _imported(
    files: Iterable[Merged],
    kept: Mapping[str, str],
    rules: tuple[ImportedFile, ...],
    left_out: Iterable[LeftOut],
) -> Imported:
    """Return the result for a file; `kept` has the new paths of damaged local files, by subject."""
    games: list[ImportedGame] = []
    tournaments: list[ImportedTournament] = []
    keys: dict[str, object] = {}
    for each in files:
        result: dict[str, Any] = {
            "fate": each.fate,
            "added": each.added,
            "mended": each.is_repaired,
            "kept": kept.get(each.subject.name) if each.is_repaired else None,
            "why": None if each.trouble is None else full_message(each.trouble, SHELL),
        }
        match each.incoming:
            case GameFile(id=id_, game=was):
                games.append(ImportedGame(game=each.subject.number or 0, id=id_, was=was, **result))
            case NumberedFile(id=id_) as incoming:
                tournaments.append(
                    ImportedTournament(
                        tournament=each.subject.number or 0,
                        id=id_,
                        name=incoming.name,
                        was=incoming.number,
                        passed_over=each.passed_over,
                        **result,
                    )
                )
            case _:
                keys[each.subject.name] = result.pop("fate")
                keys |= {f"{each.subject.name}_{key}": value for key, value in result.items()}
    found = Imported(
        games=tuple(games), tournaments=tuple(tournaments), rules=rules, left_out=tuple(left_out)
    )
    return replace(found, **keys)


def _to_be_current(store: Store, merger: Merger) -> int | None:
    """Return the imported unfinished game that was played last; None if a game is current already."""
    try:
        if store.current_or_none() is not None:
            return None
    except FileError:  # `generala use` repairs that
        return None
    games = [local.packed for local in merger.games.values() if local.packed is not None]
    uncounted = merger.uncounted_games()
    unfinished = [
        game for game in games if game.head.result.next is not None and game.head.id not in uncounted
    ]
    last = max(unfinished, key=lambda game: (game.last, game.head.game), default=None)
    return None if last is None else last.head.game


class _Texts:
    """The imported rules and configuration. `new` has the texts to write, by path."""

    def __init__(self, house_rules: HouseRules, config: Path) -> None:
        self.new: dict[Path, str] = {}
        self._house_rules = house_rules
        self._config = config

    def add_rules(self, part: RulesPart) -> ImportedFile:
        name, path = f"rules {part.name}", self._house_rules.path(part.name)
        local = self.new.get(path) or read_text(path)
        if local is None:
            try:
                check_new_name(path.stem, self._house_rules)
            except GeneralaError as error:
                return ImportedFile(name=name, path=str(path), fate="refused", why=full_message(error, SHELL))
        return self._add(name, path, part.text, local)

    def add_config(self, part: ConfigPart) -> ImportedFile:
        """Add a configuration without its settings of sync, which belong to one machine."""
        path, local = self._config, read_text(self._config)
        local = self.new.get(path) or (local and (without_sync(local) or None))
        return self._add(path.name, path, without_sync(part.text), local)

    def _add(self, name: str, path: Path, text: str, local: str | None) -> ImportedFile:
        if local is None:
            self.new[path] = text
        fate: Literal["new", "same", "kept"] = "new" if local is None else "same" if local == text else "kept"
        return ImportedFile(name=name, path=str(path), fate=fate, why=None)


def _left_out(part: LeftOutPart) -> LeftOut:
    if (kind := all_kinds().get(part.what)) is not None:
        number = int(part.name) if kind is GAME and part.name.isdecimal() else None
        return LeftOut(what=kind.lacking.with_values(name=safe(part.name)), game=number)
    if part.what not in _LEFT_OUT:
        return LeftOut(what=value_message(part.what), error=NotAllowed("its package is not installed"))
    return LeftOut(what=_LEFT_OUT[part.what].with_values(name=safe(part.name)))


_LEFT_OUT: Mapping[str, Message] = {
    "other-version": lazy("a different version of game {name}"),
    "rules": lazy("the rules {name}"),
    "config": lazy("the configuration"),
}
