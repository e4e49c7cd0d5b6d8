from collections.abc import Iterable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer
from msgspec.structs import replace

from generala_cli.cli import completers
from generala_cli.cli.parameters import CURRENT, Excel, PlayedBy, Since, Until, Yes, argument, option
from generala_cli.cli.progress import progress
from generala_cli.cli.prompts import ask_before
from generala_cli.cli.session import Answer, AnyDocument, Session, open_house_rules, read_input
from generala_cli.errors import FileError, Interrupted, UsageError
from generala_cli.messages import Message, lazy
from generala_cli.render.language import in_all_letters, in_users_language
from generala_cli.store.places import config_file
from generala_cli.text import safe

if TYPE_CHECKING:  # help must not import the game modules
    from generala_cli.exchange.answers import Export, ExportedGameDocument, Import, LeftOut, Sync
    from generala_cli.exchange.format import OtherPart


def _formats(_: typer.Context) -> Iterable[str]:
    from generala_cli.exchange.formats import FORMS

    return (form.name for form in FORMS)


_STDOUT = "-"

Games = Annotated[list[str] | None, argument("[GAME]...", CURRENT, completers.games)]
Everything = Annotated[bool, option("--all", "All games.")]
_FORMAT = lazy(
    "csv, markdown, html, ndjson, bgstats, hledger or generala; by default, the ending of FILE decides."
)
Format = Annotated[str | None, option("--format", _FORMAT, "FORMAT", _formats)]
_OUTPUT = lazy("The file to write; by default, or with -, standard output.")
Output = Annotated[str, option("--output -o", _OUTPUT, "FILE", completers.files)]
_PLAIN_NAMES = lazy(
    "csv: write names like =1+1 unchanged, not as '=1+1, which keeps spreadsheets from running them."
)
PlainNames = Annotated[bool, option("--plain-names", _PLAIN_NAMES)]

_WRITTEN = lazy("A file from export --format generala; - for standard input.")
File = Annotated[str, argument("FILE", _WRITTEN, completers.files)]


def export(
    session: Session,
    games: Games = None,
    everything: Everything = False,
    since: Since = None,
    until: Until = None,
    played: PlayedBy = None,
    form: Format = None,
    output: Output = _STDOUT,
    plain_names: PlainNames = False,
    excel: Excel = False,
    yes: Yes = False,
) -> "Answer[Export | ExportedGameDocument]":
    """Export one, some or all games for other tools.

    csv has a row for each entry. markdown and html show the scoresheet; html prints on one A5 page. ndjson
    has a line for each finished game, which generala schema export describes. bgstats has links that import
    games into the BG Stats app. hledger has a transaction for the debts of each game, and with --all for each
    payment. generala is for generala import; with --all it is a backup of everything.

    csv and ndjson check only the checksum of each file, the other formats also every turn. Anything that a
    format cannot hold is skipped, with a note on stderr. If an unusable file was skipped, the exit code is 3.
    """
    from generala_cli.exchange import exporting, formats, parts

    if form is None and output == _STDOUT:
        form = "csv" if excel else None
        for game in games or ():
            session.store.find(game)  # report an unknown game before a missing format
    wanted = formats.find_format(form, output)
    if plain_names:
        wanted = formats.with_plain_names(wanted)
    if excel:
        wanted = formats.with_excel(wanted)
    is_selection = everything or bool(played) or since is not None or until is not None
    if session.named_game is not None and is_selection:
        raise UsageError("--game selects one game, but other options select more", "use only one of them")
    for game in games or ():
        session.agree_on_game(game)
    store = session.store
    chosen = exporting.numbers(
        store, games or (), everything=everything, since=since, until=until, played=played or ()
    )
    others: list[OtherPart | LeftOut] = [*parts.other_versions(store, chosen, wanted)]
    if everything:
        others += parts.everything_else(store, open_house_rules(), config_file(), wanted)
    path = None if output == _STDOUT else _checked_path(session, output, yes=yes)
    language = in_all_letters() if path is None else in_users_language()
    with progress(of_games=True, quiet=session.quiet) as report, language:
        exported, written = exporting.export(
            store, chosen, wanted, others=others, is_named=not is_selection, progress=report
        )
    answer = _written(session, exported, written, path)
    return _with_notes(
        answer,
        [each.note for each in exported.left_out],
        is_troubled=any(each.is_troubled for each in exported.left_out),
    )


def import_(session: Session, file: File) -> "Answer[Import]":
    """Import a file from generala export --format generala, from a different machine or a backup.

    A game is known by its id, not its number. A new game gets the next number. If a game went on elsewhere,
    the longer history wins. If it went on differently in both places, both versions are kept, and it has no
    payouts until you choose one with generala doctor. Payments and joined names are merged. Your own rule
    files and configuration are never replaced.

    Everything is checked before anything is written, and a second import of the same file changes nothing. A
    damaged file here is repaired by the import; a copy is kept. If no game is current, the unfinished game
    that was played last becomes current.
    """
    from generala_cli.exchange import importing
    from generala_cli.exchange.drawing import what_to_do_about_import

    with progress(of_games=True, quiet=session.quiet) as report:
        imported = importing.import_file(
            session.store,
            open_house_rules(),
            config_file(),
            file,
            read_input,
            dry_run=session.dry_run,
            progress=report,
        )
    answer = _as_change(session, Answer.of_document(imported), imported.current)
    return _with_notes(answer, what_to_do_about_import(imported), is_troubled=bool(imported.refused))


_FOLDER = lazy("The shared folder; by default, the last one used.")
SharedFolder = Annotated[str | None, argument("[FOLDER]", _FOLDER, completers.folders)]
_AS = lazy("The name of this machine for the others; by default, the last one used, or the host name.")
MachineName = Annotated[str | None, option("--as", _AS, "NAME")]
Deleted = Annotated[bool, option("--deleted", "Also restore games that were deleted here.")]


def sync(
    session: Session, folder: SharedFolder = None, name: MachineName = None, deleted: Deleted = False
) -> "Answer[Sync]":
    """Sync games, payments and rules with other machines, through a shared folder.

    Share the folder in any way: Syncthing, a cloud, a USB stick, git. Each machine writes one file of its own
    there, and imports the files of the others, as generala import does. Run it on each machine, before and
    after playing. The folder and the name are saved in config.toml: from then on generala sync is enough.

    An incomplete file is reported, and read by the next sync. Games that were deleted here do not come back.
    If a game went on differently in two places, both versions are kept until you choose one with generala
    doctor.
    """
    from generala_cli.exchange import syncing
    from generala_cli.exchange.drawing import what_to_do_about_sync

    with progress(of_games=True, quiet=session.quiet) as report:
        synced = syncing.sync(
            session.store,
            open_house_rules(),
            config_file(),
            folder=folder,
            name=name,
            with_deleted=deleted,
            dry_run=session.dry_run,
            progress=report,
        )
    answer = _as_change(session, Answer.of_document(synced), synced.current)
    return _with_notes(answer, what_to_do_about_sync(synced), is_troubled=synced.is_troubled)


def _as_change(session: Session, answer: Answer[AnyDocument], current: int | None) -> Answer[AnyDocument]:
    return session.as_change(answer) if current is None else session.with_current_game_note(answer, current)


def _with_notes(
    answer: Answer[AnyDocument], notes: Iterable[str | Message], *, is_troubled: bool
) -> Answer[AnyDocument]:
    code = FileError.exit_code if is_troubled else 0
    return replace(answer, notes=(*answer.notes, *notes), exit_code=code)


def _checked_path(session: Session, output: str, *, yes: bool) -> Path:
    from generala_cli.exchange.exporting import output_path

    path = output_path(output)
    if not yes and not session.dry_run and path.exists():
        hint = lazy("add --yes to overwrite it")
        refusal = UsageError(lazy("{file} already exists", file=safe(path)), hint)
        if not ask_before(session, lazy("Overwrite {file}?", file=safe(path)), refusal):
            raise Interrupted("nothing was written", "choose a different name")
    return path


def _written(session: Session, exported: "Export", written: IO[bytes], path: Path | None) -> "Answer[Export]":
    from generala_cli.exchange.exporting import chunks, write_file

    if path is None:

        def as_text() -> "Export":
            with written:
                written.seek(0)
                return replace(exported, text=written.read().decode())

        return replace(Answer.of(exported, as_text), raw=lambda: chunks(written))
    if session.dry_run:
        written.close()
    else:
        write_file(written, path)
    saved = replace(exported, file=str(path), saved=not session.dry_run)
    return session.as_change(Answer.of_document(saved))
