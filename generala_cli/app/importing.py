"""Import games, payments, rules and configuration; all is checked before the first byte is written."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, assert_never

from msgspec import Struct

from generala_cli.app.defaults import check_defaults, read_sync, with_sync, without_sync
from generala_cli.app.rule_sets import STANDARD_INPUT, STDIN, check_house, check_new_name
from generala_cli.errors import DamagedFile, FileTrouble, GeneralaError, NewerFile, NotFound
from generala_cli.game.history import ImpossibleEvent
from generala_cli.messages import Message, clauses, tell
from generala_cli.progress import Progress
from generala_cli.store import backup, gamefile, paymentsfile
from generala_cli.store.backup import (
    BackupPart,
    ConfigPart,
    GamePart,
    LeftOutPart,
    MachinePart,
    OtherVersionPart,
    PaymentsPart,
    RulesPart,
)
from generala_cli.store.files import MAX_BYTES, read_file, too_large, write_new
from generala_cli.store.folder import Writer
from generala_cli.store.gamefile import GameFile
from generala_cli.store.house_rules import HouseRules, read_text
from generala_cli.store.merging import MergedGame, MergedPayments, Merger
from generala_cli.store.paymentsfile import PaymentsFile
from generala_cli.store.sealing import Newer, Unreadable, is_sealed, reason
from generala_cli.store.store import Store
from generala_cli.text import safe

_NOTHING = tell("nothing was imported; export it again where it comes from")


class ImportedText(Struct, frozen=True, kw_only=True):
    """A text for the configuration folder.

    Attributes:
        fate: new here, the same as ours, not taken because ours is kept, or refused for its name.
        trouble: why it is refused.
    """

    name: str
    path: Path
    text: str
    fate: Literal["new", "same", "kept", "refused"]
    trouble: GeneralaError | None = None


class ImportContents(Struct, frozen=True, kw_only=True):
    """The contents of a file to import, checked.

    Attributes:
        file: its name, as it is shown.
        games: with the other versions of games that had gone on in two places there.
        left_out: what is not in it because its file cannot be used there.
    """

    file: str | Message
    games: Sequence[GameFile]
    payments: PaymentsFile | None
    rules: Sequence[RulesPart]
    config: ConfigPart | None
    left_out: Sequence[LeftOutPart]


class ImportedFile(Struct, frozen=True, kw_only=True):
    """The fate of everything that one file holds; of games in the order in which they began."""

    file: str | Message
    games: tuple[MergedGame, ...]
    payments: MergedPayments | None
    rules: tuple[ImportedText, ...]
    config: ImportedText | None
    left_out: tuple[LeftOutPart, ...]

    @property
    def troubles(self) -> tuple[GeneralaError, ...]:
        """Why something of it was refused."""
        found = [
            *(each.trouble for each in self.games),
            None if self.payments is None else self.payments.trouble,
            *(each.trouble for each in self.rules),
        ]
        return tuple(trouble for trouble in found if trouble is not None)


class Imported(Struct, frozen=True, kw_only=True):
    """The outcome of an import, or of one that was only tried.

    Attributes:
        current: the game that became the current one, because there was none.
        kept: where damaged files of ours that were mended are now, by the name of their subject.
    """

    files: tuple[ImportedFile, ...]
    current: int | None
    kept: Mapping[str, str]
    saved: bool


def read(reference: str, read_input: Callable[[int], bytes]) -> tuple[str | Message, bytes]:
    """Return the name of a file, as it is shown, and its bytes; `-` is the standard input."""
    if reference == STDIN:
        data = read_input(backup.MAX_BYTES)
        if len(data) > backup.MAX_BYTES:
            why = too_large(backup.MAX_BYTES)
            raise FileTrouble("{file} cannot be read: {reason}", _NOTHING, file=STANDARD_INPUT, reason=why)
        return STANDARD_INPUT, data
    shown = safe(reference)
    found = None if "\0" in reference or not reference else read_file(reference, backup.MAX_BYTES)
    if found is None:
        raise NotFound(
            "there is no file '{file}'", "generala export --format generala -o FILE writes one", file=shown
        )
    return shown, found


def check_contents(shown: str | Message, data: bytes, progress: Progress) -> ImportContents:
    """Check all that the bytes hold, deciding every event of every game again, and return it.

    Args:
        shown: the name of the file, as it is shown.

    Raises:
        DamagedFile, NewerFile: something in it cannot be used, so that nothing is.
    """
    with refusing(shown):
        parts = [GamePart(text=data.decode())] if is_sealed(data) else backup.decode(data)
        return check_parts(shown, list(enumerate(parts, start=backup.FIRST)), progress)


@contextmanager
def refusing(shown: str | Message) -> Iterator[None]:
    """Turn what is wrong with the contents of a file into DamagedFile or NewerFile, which name it."""
    try:
        yield
    except Newer as error:
        raise NewerFile(
            "{file} was written by a newer generala ({reason})",
            "install that version",
            file=shown,
            reason=reason(error),
        ) from error
    except (Unreadable, UnicodeDecodeError) as error:
        raise DamagedFile(
            "{file} cannot be imported: {reason}", _NOTHING, file=shown, reason=reason(error)
        ) from error


def check_parts(
    shown: str | Message, parts: Sequence[tuple[int, BackupPart]], progress: Progress
) -> ImportContents:
    """Check some parts of a file, each with the number of its line, as `check_contents` does all of them.

    Raises Unreadable, which names the line, or Newer.
    """
    found: dict[tuple[str, str], _Content] = {}
    for done, (number, part) in enumerate(parts):
        progress(done, len(parts))
        try:
            key, content = _check_part(part)
            if found.setdefault(key, content) != content:
                raise Unreadable(_twice(*key))
        except (Unreadable, ImpossibleEvent, DamagedFile) as error:
            why = reason(error)
            if isinstance(error, DamagedFile):
                why = clauses((error.message, *error.details))
            what = tell("line {number}: {reason}", number=number, reason=why)
            raise (Newer(what) if isinstance(error, Newer) else Unreadable(what)) from error
    contents = found.values()
    return ImportContents(
        file=shown,
        games=[each for each in contents if isinstance(each, GameFile)],
        payments=next((each for each in contents if isinstance(each, PaymentsFile)), None),
        rules=[each for each in contents if isinstance(each, RulesPart)],
        config=next((each for each in contents if isinstance(each, ConfigPart)), None),
        left_out=[each for each in contents if isinstance(each, LeftOutPart)],
    )


_Content = GameFile | PaymentsFile | RulesPart | ConfigPart | LeftOutPart | MachinePart


def _check_part(part: BackupPart) -> tuple[tuple[str, str], _Content]:
    """Return what no two parts may have in common, a kind and a name, and what the part holds."""
    match part:
        case GamePart() | OtherVersionPart():
            data = part.text.encode()
            if len(data) > MAX_BYTES:
                raise Unreadable(too_large())
            file, _ = gamefile.read(data, gamefile.decode(data).game)
            is_other = isinstance(part, OtherVersionPart)
            return ("version", part.text) if is_other else ("game", file.id), file
        case PaymentsPart():
            return ("payments", ""), paymentsfile.read(part.text.encode())[0]
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
            return tell("game {id} is there twice, and nobody knows which is meant", id=name)
        case "rules":
            return tell("rules {name} is there twice, and nobody knows which is meant", name=name)
        case _:
            return tell("{kind} is there twice, and nobody knows which is meant", kind=kind)


def take_over(
    store: Store,
    house_rules: HouseRules,
    config: Path,
    contents: Sequence[ImportContents],
    *,
    dry_run: bool,
    progress: Progress,
) -> Imported:
    """Take over what files hold, one after the other; all is judged before the first byte is written.

    Games and payments are put in their place under one lock, the current game last of them, then rules and
    configuration. What was done before a kill is not done again.
    """
    merged: list[tuple[tuple[MergedGame, ...], MergedPayments | None]] = []

    def judge() -> Merger:
        merger = Merger(store)
        merged[:] = [
            (
                merger.add_games(each.games),
                None if each.payments is None else merger.add_payments(each.payments),
            )
            for each in contents
        ]
        return merger

    texts = list(_texts(house_rules, config, contents))
    current: int | None = None
    kept: Mapping[str, str] = {}
    if dry_run or not any(each.games or each.payments for each in contents):
        current = _to_be_current(store, judge())
    else:

        def attempt(writer: Writer, _is_first: bool) -> None:
            nonlocal current, kept
            merger = judge()
            current = _to_be_current(store, merger)
            kept = merger.write(writer, progress)
            if current is not None:
                store.point(writer, current, None)

        store.retried(attempt)
    if not dry_run:
        for text in (text for rules, settings in texts for text in (*rules, *settings)):
            if text.fate == "new":
                is_config = text.path == config
                write_new(text.path, with_sync(text.text, read_sync(config)) if is_config else text.text)
    return Imported(
        files=tuple(
            ImportedFile(
                file=each.file,
                games=games,
                payments=paid,
                rules=rules,
                config=next(iter(settings), None),
                left_out=tuple(each.left_out),
            )
            for each, (games, paid), (rules, settings) in zip(contents, merged, texts, strict=True)
        ),
        current=current,
        kept=kept,
        saved=not dry_run,
    )


def _to_be_current(store: Store, merger: Merger) -> int | None:
    """Return the game that was played last of those that came and are not over, where none is current."""
    try:
        if store.current_or_none() is not None:
            return None
    except FileTrouble:  # that is for `generala use` to put right
        return None
    files = [ours.file for ours in merger.games.values() if ours.file is not None]
    unfinished = [file for file in files if file.result.next is not None]
    return max(unfinished, key=lambda file: (file.last, file.game)).game if unfinished else None


def _texts(
    house_rules: HouseRules, config: Path, contents: Sequence[ImportContents]
) -> Iterator[tuple[tuple[ImportedText, ...], tuple[ImportedText, ...]]]:
    """Yield what becomes of the rules and of the configuration in each file."""
    there: dict[Path, str | None] = {}
    if any(each.config is not None for each in contents):
        ours = read_text(config)
        # What it says of sync is this machine's alone, and is neither compared nor taken over.
        there[config] = ours and (without_sync(ours) or None)
    for each in contents:
        yield (
            tuple(
                _fate_of(f"rules {part.name}", house_rules.path(part.name), part.text, there, house_rules)
                for part in each.rules
            ),
            ()
            if each.config is None
            else (_fate_of(config.name, config, without_sync(each.config.text), there),),
        )


def _fate_of(
    name: str, path: Path, text: str, there: dict[Path, str | None], house_rules: HouseRules | None = None
) -> ImportedText:
    """Return what becomes of a text where `there` are those that were read or came before."""
    ours = there.setdefault(path, read_text(path))
    if ours is None and house_rules is not None:
        try:
            check_new_name(path.stem, house_rules)
        except GeneralaError as error:
            return ImportedText(name=name, path=path, text=text, fate="refused", trouble=error)
    there[path] = text if ours is None else ours
    fate: Literal["new", "same", "kept"] = "new" if ours is None else "same" if ours == text else "kept"
    return ImportedText(name=name, path=path, text=text, fate=fate)


def name_of(part: LeftOutPart) -> Message:
    """Return what a file lacks that could not be used where it was written: `game 3`, `the rules casa`."""
    return _LEFT_OUT[part.what].with_values(name=safe(part.name))


_LEFT_OUT: Mapping[str, Message] = {
    "game": tell("game {name}"),
    "other-version": tell("another version of game {name}"),
    "payments": tell("some payments"),
    "rules": tell("the rules {name}"),
    "config": tell("the configuration"),
}
