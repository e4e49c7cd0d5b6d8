from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO

from msgspec import Struct

from generala_cli.errors import FileError, NotAllowed, NotFound, UsageError
from generala_cli.exchange.answers import Export, LeftOut
from generala_cli.exchange.backup import LeftOutPart
from generala_cli.exchange.format import ExportFormat, OtherPart, PlayedGame
from generala_cli.game.money import POINT, unit_key
from generala_cli.game.people import People, ShownName
from generala_cli.messages import Message, lazy
from generala_cli.progress import Progress
from generala_cli.remedies import in_shell
from generala_cli.store import game_lists
from generala_cli.store.files import write_chunks
from generala_cli.store.gamefile import RecordedGame
from generala_cli.store.hooks import joined_names, uncounted_games
from generala_cli.store.store import Store
from generala_cli.text import safe, unprintable

_IN_MEMORY = 1 << 20
"""The size in bytes up to which an export stays in memory. A larger one goes to a temporary file."""


def chunks(written: IO[bytes]) -> Iterator[bytes]:
    with written:
        written.seek(0)
        yield from written


def numbers(
    store: Store,
    references: Sequence[str],
    *,
    everything: bool,
    since: str | None = None,
    until: str | None = None,
    played: Sequence[str] = (),
) -> list[int]:
    """Return the selected games; by default, the current one."""
    if played or since is not None or until is not None:
        within, joined = game_lists.period(store, since, until), joined_names(store) if played else ()
        some = game_lists.chosen(game_lists.list_games(store), played=played, within=within, joined=joined)
        return [game.game for game in some.games]
    if everything:
        store.warn_of_all()
        return store.numbers()
    found = [store.find(reference) for reference in references] or [store.find(None)]
    for number in found:
        store.warn_of(number)
    return list(dict.fromkeys(found))


class _Unfit(Struct, frozen=True):
    """The reason why a game does not fit a format. `alone` is for an export without any other game."""

    why: Message
    alone: Message


_UNFINISHED = _Unfit(
    lazy("it is not finished", context="game"), lazy("nothing to export: game {number} is not finished")
)
_EMPTY = _Unfit(
    lazy("it has no entries, so it has no result", context="game"),
    lazy("nothing to export: game {number} has no entries"),
)
_FOR_POINTS = _Unfit(
    lazy("it is for points, so nobody owes anything", context="game"),
    lazy("nothing to export: game {number} is for points, so nobody owes anything"),
)
_UNCOUNTED = _Unfit(
    lazy("its seating no longer counts in the tournament", context="game"),
    lazy("nothing to export: the seating of game {number} no longer counts in its tournament"),
)


def export(
    store: Store,
    chosen: Sequence[int],
    form: ExportFormat,
    *,
    others: Iterable[OtherPart | LeftOut] = (),
    is_named: bool = False,
    progress: Progress,
) -> tuple[Export, IO[bytes]]:
    """Write games in a format, and return the answer and the open file. If `is_named`, none is skipped."""
    found = list(others)
    names, joined = game_lists.NamesPlayed(), joined_names(store) if form.by_person else ()

    def write(shown: ShownName) -> tuple[Export, IO[bytes]]:
        return _export(
            store, chosen, form, found, is_named=is_named, progress=progress, shown=shown, names=names
        )

    as_typed = People((), joined).shown
    exported, written = write(as_typed)
    if not form.by_person:
        return exported, written
    for _, other in store.each(store.summary, progress, sorted({*store.used_numbers()}.difference(chosen))):
        if not isinstance(other, FileError):
            names.add(other.result.totals, other.started)
    people = names.people(joined)
    if all(people.shown(name) == as_typed(name) for name in names.last):
        return exported, written
    written.close()
    return write(people.shown)  # a name has two spellings (rare): write again with the latest one


def _export(
    store: Store,
    chosen: Sequence[int],
    form: ExportFormat,
    others: Sequence[OtherPart | LeftOut],
    *,
    is_named: bool,
    progress: Progress,
    shown: ShownName,
    names: game_lists.NamesPlayed,
) -> tuple[Export, IO[bytes]]:
    """Write the games under these names, and add the names in them to `names`."""
    done: list[int] = []
    left_out: list[LeftOut] = []
    unfits: list[Message] = []
    uncounted = uncounted_games(store) if form.staked else {}

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
        if form.finished and not played.file.has_result:
            return _EMPTY
        if form.staked and played.file.id in uncounted:
            return _UNCOUNTED
        return _FOR_POINTS if form.staked and unit_key(played.agreed.unit) == POINT else played

    def readable() -> Iterator[PlayedGame]:
        for number, found in store.each(read, progress, chosen):
            if isinstance(found, PlayedGame):
                yield found
                done.append(number)
                continue
            error = found if isinstance(found, FileError) else NotAllowed(found.why)
            left_out.append(LeftOut(what=lazy("game {number}", number=number), game=number, error=error))
            if isinstance(found, _Unfit):
                unfits.append(found.alone.with_values(number=number))

    found = list(others)
    parts = [part for part in found if not isinstance(part, LeftOut)]

    def with_left_out() -> Iterator[OtherPart]:
        yield from parts
        if not form.staked:  # after the games, because only then all skipped games are known
            yield from (
                LeftOutPart(what="game", name=str(each.game)) for each in left_out if each.is_troubled
            )

    texts = form.write(readable()) if form.backup is None else form.backup(readable(), with_left_out())
    with ExitStack() as closing:
        written = closing.enter_context(SpooledTemporaryFile(_IN_MEMORY))
        for text in texts:  # `writelines` would keep all of them in memory
            written.write(text.encode())
        troubles = [each.error for each in left_out if isinstance(each.error, FileError)]
        if is_named and troubles:
            raise troubles[0]
        if not done and all(isinstance(part, LeftOutPart) for part in parts):
            if not left_out:
                hint = lazy("generala games lists all games; generala new NAME NAME starts one")
                raise NotFound("no game matches", in_shell(hint))
            if isinstance(left_out[0].error, FileError):
                raise left_out[0].error
            raise NotAllowed(unfits[0], in_shell(lazy("generala games shows which games are finished")))
        closing.pop_all()  # the caller reads and closes the file
    left_out += [each for each in found if isinstance(each, LeftOut)]
    return Export(format=form.name, games=tuple(done), left_out=tuple(left_out)), written


def _check_record(record: RecordedGame, shown: ShownName) -> PlayedGame:
    """Return the game to write. ValueError if unreplayed events have foreign or unprintable texts."""
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
    path = Path(output)
    if not path.name or "\0" in output:
        raise UsageError("{name!r} is not a file name", "give one, such as -o games.csv", name=output)
    if path.exists() and not path.is_file():
        raise FileError("{path} is not a regular file", "choose a different name", path=safe(path))
    return path


def write_file(written: IO[bytes], path: Path) -> None:
    with written:
        write_chunks(path, chunks(written))
