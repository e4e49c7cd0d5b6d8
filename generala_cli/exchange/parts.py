import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from generala_cli.app.defaults import check_defaults, without_sync
from generala_cli.app.rule_sets import check_house
from generala_cli.errors import DamagedFile, FileError, NotAllowed
from generala_cli.exchange.answers import LeftOut
from generala_cli.exchange.backup import (
    BackupPart,
    ConfigPart,
    FactsPart,
    LeftOutPart,
    OtherVersionPart,
    RulesPart,
)
from generala_cli.exchange.debts import debts
from generala_cli.exchange.format import ExportFormat, OtherPart
from generala_cli.messages import lazy, value_message
from generala_cli.packages import file_kinds
from generala_cli.store import kinds, saved_files
from generala_cli.store.checking import CheckedFile, check_file
from generala_cli.store.facts import FactsFile, merged
from generala_cli.store.folder import Folder
from generala_cli.store.gamefile import id_in
from generala_cli.store.house_rules import HouseRules, read_text
from generala_cli.store.kinds import file_class
from generala_cli.store.sealing import encode, is_sealed
from generala_cli.store.store import Store
from generala_cli.store.subjects import ASIDE, MARKS, FileSubject, all_kinds, is_number, of_game
from generala_cli.text import safe


def everything_else(
    store: Store, house_rules: HouseRules, config: Path, form: ExportFormat
) -> Iterator[OtherPart | LeftOut]:
    """Yield the parts of a backup besides games, with `LeftOut` for unusable ones."""
    if form.backup is None:
        return
    if form.staked:  # debts only
        yield from debts(store)
        return
    yield from all_facts(store)
    yield from unknown_files(store)
    if store.folder.is_there(ASIDE):
        what = value_message(safe(store.folder.path(ASIDE)))
        yield LeftOut(what=what, error=NotAllowed("files that were set aside are not part of a backup"))
    yield from all_rules(house_rules)
    try:
        if text := without_sync(read_text(config) or ""):
            check_defaults(text, safe(config))
            yield ConfigPart(text=text)
    except FileError as error:
        yield LeftOut(what=value_message(config.name), error=error)
        yield LeftOutPart(what="config")


def all_rules(house_rules: HouseRules) -> Iterator[BackupPart | LeftOut]:
    try:
        names = house_rules.names()
    except FileError as error:
        yield LeftOut(what=lazy("the rules folder"), error=error)
        yield LeftOutPart(what="rules", name="*")
        return
    for name in names:
        try:
            text = read_text(house_rules.path(name)) or ""
            check_house(name, text)
            yield RulesPart(name=name, text=text)
        except FileError as error:
            yield LeftOut(what=lazy("rules {name}", name=safe(name)), error=error)
            yield LeftOutPart(what="rules", name=name)


def all_facts(store: Store) -> Iterator[BackupPart | LeftOut]:
    """Yield the files of optional packages, merged with their conflict copies."""
    for subject in kinds.subjects(store, file_kinds().values()):
        yield from _facts(store, subject)


def _facts(store: Store, subject: FileSubject) -> Iterator[BackupPart | LeftOut]:
    assert subject.kind is not None
    missing = LeftOutPart(what=subject.kind.name, name=str(subject.number or ""))
    found: list[FactsFile] = []
    text: bytes | None = None
    try:
        own = saved_files.load(store.folder, subject, file_class(subject.kind))
        if own is not None and isinstance(own.file, FactsFile):
            text, found = own.seen, [own.file]
    except FileError as error:
        yield LeftOut(what=subject.kind.listed.with_values(number=subject.number), error=error)
        yield missing
    for place in store.copies(subject):
        copy = check_file(store.folder, place, subject)
        if copy.state != "fine":
            yield _unusable(store, place, copy)
            yield missing
        elif isinstance(copy.file, FactsFile):
            text, found = None, [*found, copy.file]
    if found:
        yield FactsPart(kind=subject.kind.name, text=(text or encode(merged(found))).decode())


def unknown_files(store: Store) -> Iterator[BackupPart]:
    """Yield the sealed files of packages that are not installed, unchanged, each once."""
    known, found = all_kinds(), set[tuple[str, str | None]]()
    own = {ASIDE, MARKS, *(kind.folder for kind in known.values())}
    for folder in (name for name in store.folder.names("") if name not in own):
        for place in _places_in(store.folder, folder):
            match = _UNKNOWN.fullmatch(place)
            if match is None or match[1] in known:
                continue
            with suppress(FileError, UnicodeDecodeError):
                data = store.folder.read(place) or b""
                text, key = data.decode(), (match[1], id_in(data.partition(b"\n")[0]))
                if is_sealed(data) and key not in found:
                    found.add(key)
                    yield FactsPart(kind=match[1], text=text)


_UNKNOWN = re.compile(r"[^/]+/(?:[0-9]+/)?([a-z-]+)\.json")


def _places_in(folder: Folder, name: str) -> Iterator[str]:
    with suppress(FileError):  # it is no folder
        for each in folder.names(name):
            yield f"{name}/{each}"
            if is_number(each):
                yield from _places_in(folder, f"{name}/{each}")


def other_versions(store: Store, chosen: Iterable[int], form: ExportFormat) -> Iterator[BackupPart | LeftOut]:
    if form.backup is not None and not form.staked:
        yield from conflict_copies(store, chosen)


def conflict_copies(store: Store, chosen: Iterable[int]) -> Iterator[BackupPart | LeftOut]:
    for number in chosen:
        with suppress(FileError):  # a game without a folder is reported with the game
            for place in store.copies(of_game(number)):
                copy = check_file(store.folder, place, of_game(number))
                if copy.state == "fine" and copy.data is not None:
                    yield OtherVersionPart(text=copy.data.decode())
                else:
                    yield _unusable(store, place, copy)
                    yield LeftOutPart(what="other-version", name=str(number))


def _unusable(store: Store, place: str, copy: CheckedFile) -> LeftOut:
    error = DamagedFile("it cannot be used ({reason})", reason=copy.why)
    unread = FileError(copy.why)  # this message contains the path
    what = value_message(safe(store.folder.path(place)))
    return LeftOut(what=what, error=unread if copy.state == "unreadable" else error)
