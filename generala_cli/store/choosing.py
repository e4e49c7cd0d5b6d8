"""Choosing one of several versions of a game. `histories` explains how other machines learn of the choice."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from generala_cli.messages import lazy
from generala_cli.remedies import in_shell
from generala_cli.store import saved_files
from generala_cli.store.checking import CheckedFile, check_file, check_readable
from generala_cli.store.examining import FilesExamined, examine_files
from generala_cli.store.folder import Writer
from generala_cli.store.gamefile import GameFile
from generala_cli.store.histories import contains, relation, with_choice
from generala_cli.store.sealing import encode
from generala_cli.store.store import Store
from generala_cli.store.subjects import ASIDE, FileSubject


class ChosenVersion(Struct, frozen=True, kw_only=True):
    """A chosen version, its former place, and the places of the others: new ones once `saved`."""

    file: GameFile
    place: str
    set_aside: tuple[str, ...]
    saved: bool


def rejected_versions(store: Store, files: FilesExamined) -> Mapping[str, CheckedFile]:
    """Return the versions set aside in favor of the game's own, by place; the longest of each line."""
    own, folder = files.game.file, f"{ASIDE}/{files.subject.name}"
    if not isinstance(own, GameFile):
        return {}
    found: dict[str, CheckedFile] = {}
    places = [f"{folder}/{name}" for name in store.folder.names(folder)]
    checked = [(place, check_file(store.folder, place, files.subject)) for place in places]
    for place, each in sorted(checked, key=lambda pair: pair[1].count or 0, reverse=True):
        file = each.file
        if each.state != "fine" or not isinstance(file, GameFile) or relation(own, file) != "rejected":
            continue
        if not any(
            isinstance(other.file, GameFile) and contains(other.file, file) for other in found.values()
        ):
            found[place] = each
    return found


def choose_version(store: Store, subject: FileSubject, place: str, *, dry_run: bool = False) -> ChosenVersion:
    """Make one version of a game its file, and set all others aside.

    `place` is the game's own file, a copy, or one of `rejected_versions`. FileError if that version
    cannot be used, or a different one cannot be read.
    """
    if dry_run:
        file, others = _chosen(store, examine_files(store, subject), place)
        return ChosenVersion(file=file, place=place, set_aside=tuple(others), saved=False)
    set_aside: list[str] = []
    return store.retried(lambda writer, _: _choose(store, writer, subject, place, set_aside))


def _choose(
    store: Store, writer: Writer, subject: FileSubject, place: str, set_aside: list[str]
) -> ChosenVersion:
    """Choose a version. `set_aside` gets the places of the others, and has those of earlier attempts.

    The choice is also over these: another program may have deleted the game's file since.
    """
    files = examine_files(store, subject)
    own, (file, others) = files.game, _chosen(store, files, place, set_aside)
    if place != subject.place and own.data is not None:
        set_aside.append(writer.quarantine_copy(own.data, subject.place, subject.name))
    elif place != subject.place and own.state != "missing":
        set_aside.append(writer.quarantine_move(subject.place, subject.name))
    data = encode(file)
    GameFile.read(data, file.game)  # never write a file that could not be read again
    if data != own.data or files.put_back is not None:
        saved_files.write(writer, subject, data, seen=own.data, keep_backup=own.state == "fine")
    if place != subject.place:
        writer.remove(place)  # the game's file contains all of it now
    set_aside.extend(
        writer.quarantine_move(other, subject.name) for other in others if other != subject.place
    )
    return ChosenVersion(file=file, place=place, set_aside=tuple(dict.fromkeys(set_aside)), saved=True)


def _chosen(
    store: Store, files: FilesExamined, place: str, set_aside: Iterable[str] = ()
) -> tuple[GameFile, Mapping[str, CheckedFile]]:
    own = {} if files.game.state == "missing" else {files.subject.place: files.game}
    others = {**files.copies, **own}
    version = others.pop(place, None) or rejected_versions(store, files).get(place)
    if version is None or version.state != "fine" or not isinstance(version.file, GameFile):
        version = version or CheckedFile(state="missing", why=lazy("it is missing"))
        what = lazy("{file} cannot be taken ({reason})", file=place, reason=version.why)
        hint = lazy("generala doctor {game} lists the versions", game=files.subject.name)
        raise version.refused_with(what, in_shell(hint))
    check_readable(others)
    rejected = [*others.values(), *(check_file(store.folder, each, files.subject) for each in set_aside)]
    usable = [other.file for other in rejected if isinstance(other.file, GameFile)]
    return with_choice(version.file, usable, store.now(), store.entered_by), others
