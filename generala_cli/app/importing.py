"""Import games, payments, rules and configuration; all is checked before the first byte is written."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, assert_never

from msgspec import Struct

from generala_cli.app.defaults import check_defaults
from generala_cli.app.rulebook import STANDARD_INPUT, STDIN, check_house
from generala_cli.errors import DamagedFile, FileTrouble, NewerFile, NotFound
from generala_cli.game.history import ImpossibleEvent
from generala_cli.messages import Message, clauses, tell
from generala_cli.progress import Progress
from generala_cli.store import backup, gamefile, merging, paymentsfile
from generala_cli.store.backup import BackupPart, ConfigPart, GamePart, PaymentsPart, RulesPart
from generala_cli.store.files import MAX_BYTES, read_file, too_large
from generala_cli.store.gamefile import GameFile
from generala_cli.store.house_rules import HouseRules, read_text, write_new
from generala_cli.store.merging import MergedGame, MergedPayments
from generala_cli.store.paymentsfile import PaymentsFile
from generala_cli.store.sealing import Newer, Unreadable, is_sealed, reason
from generala_cli.store.store import Store
from generala_cli.text import safe

_NOTHING = tell("nothing was imported; export it again where it comes from")


class ImportedText(Struct, frozen=True, kw_only=True):
    """A text for the configuration folder: new here, the same as ours, or left out because ours is kept."""

    name: str
    path: Path
    text: str
    fate: Literal["new", "same", "kept"]


class Imported(Struct, frozen=True, kw_only=True):
    """The games that were imported, or would be, in order of their start; payments, rules, configuration."""

    file: str | Message
    games: tuple[MergedGame, ...]
    payments: MergedPayments | None
    rules: tuple[ImportedText, ...]
    config: ImportedText | None
    saved: bool


class ImportContents(Struct, frozen=True, kw_only=True):
    """The contents of a file to import, checked."""

    games: Sequence[GameFile]
    payments: PaymentsFile | None
    rules: Sequence[RulesPart]
    config: ConfigPart | None


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
            "there is no file {file!r}", "generala export --format generala -o FILE writes one", file=shown
        )
    return shown, found


def check_contents(shown: str | Message, data: bytes, progress: Progress) -> ImportContents:
    """Check all that the bytes hold, deciding every event of every game again, and return it.

    Args:
        shown: the name of the file, as it is shown.

    Raises:
        DamagedFile, NewerFile: something in it cannot be used, so that nothing is.
    """
    try:
        parts = [GamePart(text=data.decode())] if is_sealed(data) else backup.decode(data)
        found: dict[tuple[str, str], _Content] = {}
        for done, part in enumerate(parts):
            progress(done, len(parts))
            try:
                key, content = _check_part(part)
                if found.setdefault(key, content) != content:
                    raise Unreadable(_twice(*key))
            except (Unreadable, ImpossibleEvent, DamagedFile) as error:
                why = reason(error)
                if isinstance(error, DamagedFile):
                    why = clauses((error.message, *error.details))
                what = tell("line {number}: {reason}", number=done + 2, reason=why)
                raise (Newer(what) if isinstance(error, Newer) else Unreadable(what)) from error
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
    return ImportContents(
        games=[each for each in found.values() if isinstance(each, GameFile)],
        payments=next((each for each in found.values() if isinstance(each, PaymentsFile)), None),
        rules=[each for each in found.values() if isinstance(each, RulesPart)],
        config=next((each for each in found.values() if isinstance(each, ConfigPart)), None),
    )


_Content = GameFile | PaymentsFile | RulesPart | ConfigPart


def _check_part(part: BackupPart) -> tuple[tuple[str, str], _Content]:
    """Return what no two parts may have in common, a kind and a name, and what the part holds."""
    match part:
        case GamePart():
            data = part.text.encode()
            if len(data) > MAX_BYTES:
                raise Unreadable(too_large())
            file, _ = gamefile.read(data, gamefile.decode(data).game)
            return ("game", file.id), file
        case PaymentsPart():
            return ("payments", ""), paymentsfile.read(part.text.encode())[0]
        case RulesPart():
            check_house(part.name, part.text)
            return ("rules", part.name), part
        case ConfigPart():
            check_defaults(part.text, "config.toml")
            return ("config.toml", ""), part
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


def import_all(
    store: Store,
    house_rules: HouseRules,
    config: Path,
    judged: ImportContents,
    *,
    shown: str | Message,
    dry_run: bool,
    progress: Progress,
) -> Imported:
    """Put everything in its place, the games first; what was done before a kill is not done again."""
    rules = tuple(
        _fate_of(f"rules {part.name}", house_rules.path(part.name), part.text) for part in judged.rules
    )
    settings = None if judged.config is None else _fate_of(config.name, config, judged.config.text)
    if dry_run or not judged.games:
        games = merging.plan(store, judged.games)
    else:
        games = merging.merge(store, judged.games, progress)
    paid = None
    if judged.payments is not None:
        put = merging.plan_payments if dry_run else merging.merge_payments
        paid = put(store, judged.payments)
    for text in (*rules, *([settings] if settings else [])):
        if text.fate == "new" and not dry_run:
            write_new(text.path, text.text)
    return Imported(file=shown, games=games, payments=paid, rules=rules, config=settings, saved=not dry_run)


def _fate_of(name: str, path: Path, text: str) -> ImportedText:
    ours = read_text(path)
    fate: Literal["new", "same", "kept"] = "new" if ours is None else "same" if ours == text else "kept"
    return ImportedText(name=name, path=path, text=text, fate=fate)
