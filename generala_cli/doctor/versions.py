"""Compare the versions of a game that continued in several places, and take one."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from msgspec import Struct

from generala_cli.doctor.answers import GameVersion, Standing, Taken, VersionEntry, Versions, VersionTurn
from generala_cli.doctor.diagnosis import reason_why
from generala_cli.errors import Ambiguous, NotAllowed
from generala_cli.game.events import Chosen, Entry
from generala_cli.game.game import Game
from generala_cli.game.history import replay
from generala_cli.messages import Message, lazy, listing, words_for
from generala_cli.remedies import in_shell
from generala_cli.store import choosing
from generala_cli.store.checking import CheckedFile
from generala_cli.store.examining import FilesExamined, examine_files
from generala_cli.store.gamefile import GameFile
from generala_cli.store.histories import common_events, relation
from generala_cli.store.store import Store
from generala_cli.store.subjects import FileSubject, of_game
from generala_cli.text import find, find_word, safe

THIS, THAT = "this", "that"
VERSION_WORDS: Mapping[str, Message] = {
    THIS: words_for("the version of a game that is its file", "this"),
    THAT: words_for("the other version of a game", "that"),
}


class ComparedTurn(Struct, frozen=True, kw_only=True):
    """A turn in every usable version; None if the version ends before it."""

    number: int
    entries: tuple[Entry | None, ...]


class Comparison(Struct, frozen=True, kw_only=True):
    """The versions of a game, its own first. Only usable ones have `games` and entries in the turns."""

    number: int
    versions: tuple[GameVersion, ...]
    games: tuple[Game, ...]
    turns: tuple[ComparedTurn, ...]

    @property
    def usable(self) -> Sequence[GameVersion]:
        return [version for version in self.versions if version.totals is not None]

    @property
    def unread(self) -> Sequence[GameVersion]:
        """The unreadable versions. While there is one, none can be taken."""
        return [version for version in self.versions if version.state == "unreadable"]


def compare(store: Store, number: int) -> Comparison | None:
    """Return the versions of a game side by side; None if there is only one."""
    files = examine_files(store, of_game(number))
    return _compared(number, files, files.copies) if files.copies else None


def compare_to_choose(store: Store, number: int) -> Comparison | None:
    """Return the versions to choose from, after a choice also the rejected ones; None if there is one."""
    files = examine_files(store, of_game(number))
    others = files.copies or choosing.rejected_versions(store, files)
    return _compared(number, files, others) if others else None


def _compared(number: int, files: FilesExamined, others: Mapping[str, CheckedFile]) -> Comparison:
    versions, games = zip(*_versions(files, others), strict=True)
    turns = tuple(
        ComparedTurn(number=turn, entries=entries)
        for turn, entries in enumerate(zip_longest(*(game.entries for game in games if game)), start=1)
    )
    differing = (turn.number for turn in turns if len(set(turn.entries)) > 1)
    first = next(differing, len(turns) + 1)
    return Comparison(
        number=number,
        versions=versions,
        games=tuple(game for game in games if game is not None),
        turns=turns[first - 1 :],
    )


def document(found: Comparison) -> Versions:
    return Versions(
        game=found.number,
        versions=found.versions,
        turns=tuple(
            VersionTurn(
                turn=turn.number,
                entries=tuple(
                    VersionEntry(
                        file=version.file,
                        player=entry.player,
                        dice=entry.dice,
                        roll=entry.roll,
                        served=entry.served,
                        category=entry.category,
                        points=entry.points,
                    )
                    for version, entry in zip(found.usable, turn.entries, strict=True)
                    if entry is not None
                ),
            )
            for turn in found.turns
        ),
    )


def _versions(
    files: FilesExamined, others: Mapping[str, CheckedFile]
) -> Iterator[tuple[GameVersion, Game | None]]:
    own = files.game.file
    copies = [copy.file for copy in others.values() if isinstance(copy.file, GameFile)]
    if files.game.state != "missing":
        yield _version(THIS, files.subject.place, files.game, None, copies)
    for place, copy in others.items():
        name = THAT if len(others) == 1 else place.removeprefix(f"{files.subject.folder}/")
        mine = own if isinstance(own, GameFile) else None
        yield _version(name, place, copy, mine, [mine] if mine is not None else copies)


def _version(
    name: str, place: str, checked: CheckedFile, own: GameFile | None, others: Sequence[GameFile]
) -> tuple[GameVersion, Game | None]:
    file, game = checked.file, None
    if isinstance(file, GameFile):
        game = replay(file.agreed, [recorded.event for recorded in file.events]).game
    standing: Standing = "own" if name == THIS else "unusable"
    if name != THIS and isinstance(file, GameFile):
        standing = "diverged" if own is None else relation(own, file)
    version = GameVersion(
        take=name,
        file=place,
        state=checked.state,
        why=reason_why(checked.why),
        standing=standing,
        events=checked.count,
        last=None if file is None else file.last,
        totals=None if game is None else {name: game.total(name) for name in game.seats},
        entered_by=_entered_by(file, others) if isinstance(file, GameFile) else (),
    )
    return version, game


def _entered_by(file: GameFile, others: Sequence[GameFile]) -> tuple[str, ...]:
    first = min((common_events(file, other) for other in others), default=0)
    new = (each for each in file.events[first:] if not isinstance(each.event, Chosen))
    return tuple(dict.fromkeys(each.by for each in new if each.by))


def take(store: Store, number: int, which: str, *, dry_run: bool = False) -> Taken:
    """Make a version the game's file, and set all others aside; `which` is this, that, or a copy's name."""
    subject = of_game(number)
    found = compare_to_choose(store, number)
    if found is None:
        what = lazy("game {number} has only one version", number=number)
        raise NotAllowed(what, in_shell(lazy("generala doctor lists the files that need attention")))
    chosen = choosing.choose_version(store, subject, _meant(found, subject, which), dry_run=dry_run)
    return Taken(
        game=number,
        taken=chosen.place,
        events=len(chosen.file.events),
        set_aside=chosen.set_aside,
        saved=chosen.saved,
    )


def _meant(found: Comparison, subject: FileSubject, which: str) -> str:
    copies = [version for version in found.versions if version.file != subject.place]
    match find_word(which, VERSION_WORDS):
        case "this":
            return subject.place
        case "that" if len(copies) == 1:
            return copies[0].file
        case "that":
            named = listing([safe(version.take) for version in copies])
            raise Ambiguous("there are several other versions", lazy("type {names}", names=named))
        case _:
            names = {version.file: (version.file, version.file_name) for version in found.versions}
            return find(which, names, "version")
