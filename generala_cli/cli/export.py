"""export, import, sync."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec.structs import replace

from generala_cli.cli import completers
from generala_cli.cli.asking import ask_before
from generala_cli.cli.lazy import app, documents, render
from generala_cli.cli.parameters import CURRENT, PlayedBy, Since, Yes, argument, option
from generala_cli.cli.progress import progress
from generala_cli.cli.session import Answer, Session, open_house_rules, read_input
from generala_cli.errors import FileTrouble, Interrupted, Mistyped
from generala_cli.messages import tell
from generala_cli.render.language import in_all_letters
from generala_cli.store.places import config_file
from generala_cli.text import safe

if TYPE_CHECKING:  # only the schema of an answer asks for its class
    from generala_cli.render.documents.files import (
        ExportDocument,
        ExportedGameDocument,
        ImportDocument,
        SyncDocument,
    )

_STDOUT = "-"

Games = Annotated[list[str] | None, argument("[GAME]...", CURRENT, completers.games)]
Everything = Annotated[bool, option("--all", "Every game there is.")]
_FORMAT = tell(
    "csv, markdown, html, ndjson, bgstats, hledger, generala; by default what the name of FILE ends like."
)
Format = Annotated[str | None, option("--format", _FORMAT, "FORMAT", completers.forms)]
_OUTPUT = tell("Where to; by default, and with -, the standard output.")
Output = Annotated[str, option("--output -o", _OUTPUT, "FILE")]
_PLAIN_NAMES = tell("csv: write =1+1 as it is, and not as '=1+1, which no spreadsheet runs.")
PlainNames = Annotated[bool, option("--plain-names", _PLAIN_NAMES)]

File = Annotated[str, argument("FILE", "What export --format generala wrote; - for the standard input.")]


def export(
    session: Session,
    games: Games = None,
    everything: Everything = False,
    since: Since = None,
    played: PlayedBy = None,
    form: Format = None,
    output: Output = _STDOUT,
    plain_names: PlainNames = False,
    yes: Yes = False,
) -> "Answer[ExportDocument | ExportedGameDocument]":
    """Write games for any other tool: one, some, or all of them.

    csv has a row for every entry. markdown and html show the scoresheet; html prints on one A5 page. ndjson
    has a line for every finished game, which generala schema export describes. bgstats has a link that hands
    a game to the BG Stats app, hledger a transaction for what each game made people owe each other,
    and with --all for what they paid.
    generala is for generala import: with --all it is a backup of everything.

    Games are read by what their files say of themselves, which is sealed. What has no place in the format is
    left out and reported on stderr; where that is a file that cannot be used, the exit code is 3.
    """
    if form is None and output == _STDOUT:
        for game in games or ():
            session.store.find(game)  # what is no game is a worse slip than that there is no format
    wanted = render.exports.find_format(form, output)
    if plain_names:
        wanted = render.exports.with_plain_names(wanted)
    if session.named_game is not None and (everything or since is not None or played):
        raise Mistyped("--game names one game, and others are meant too", "name them one way")
    for game in games or ():
        session.agree_on_game(game)
    store = session.store
    chosen = app.exporting.numbers(
        store, games or (), everything=everything, since=since, played=played or ()
    )
    is_named = not (everything or since is not None or played)
    others = [*app.exporting.other_versions(store, chosen, wanted)]
    if everything:
        others += app.exporting.everything_else(store, open_house_rules(), config_file(), wanted)
    path = None if output == _STDOUT else _checked_path(session, output, yes=yes)
    with progress(of_games=True, quiet=session.quiet) as report, in_all_letters():
        exported = app.exporting.export(
            store, chosen, wanted, others=others, is_named=is_named, progress=report
        )
    answer = _written(session, exported, path)
    notes = [each.note for each in exported.left_out]
    troubled = any(each.trouble is not None for each in exported.left_out)
    code = FileTrouble.exit_code if troubled else 0
    return replace(answer, notes=(*answer.notes, *notes), exit_code=code)


def import_(session: Session, file: File) -> "Answer[ImportDocument]":
    """Take over what generala export --format generala wrote, on another machine or as a backup.

    A game is known by its id, whatever its number. One that is not here gets the next number; of one that
    went on there, the longer history is kept. Where both went on, each another way, both are kept, and
    payouts refuse until generala doctor has chosen. Payments are put together, and so is who is who. Rule
    files and configuration are taken over only where there are none.

    Everything is judged before the first is written, and what was imported already is not imported again. A
    damaged file here is mended by what comes, and kept aside. Where no game is current, the one that was
    played last and is not over becomes current.
    """
    shown, data = app.importing.read(file, read_input)
    with progress(of_games=True, quiet=session.quiet) as report:
        imported = app.importing.take_over(
            session.store,
            open_house_rules(),
            config_file(),
            [app.importing.check_contents(shown, data, report)],
            dry_run=session.dry_run,
            progress=report,
        )
    answer = Answer.of(imported, render.importing.imported, documents.files.imported)
    current = imported.current
    answer = session.as_change(answer) if current is None else session.with_current_game_note(answer, current)
    refused = any(file.troubles for file in imported.files)
    return replace(
        answer,
        notes=(*answer.notes, *render.importing.what_to_do(imported)),
        exit_code=FileTrouble.exit_code if refused else 0,
    )


_FOLDER = tell("The folder that you share; by default the one that was used last.")
SharedFolder = Annotated[str | None, argument("[FOLDER]", _FOLDER)]
_AS = tell("What the other machines call this one; by default the last name, or the host's.")
MachineName = Annotated[str | None, option("--as", _AS, "NAME")]
Deleted = Annotated[bool, option("--deleted", "Take over games that were deleted here, too.")]


def sync(
    session: Session, folder: SharedFolder = None, name: MachineName = None, deleted: Deleted = False
) -> "Answer[SyncDocument]":
    """Share games, payments and rules with other machines, through a folder.

    You share the folder by any means: Syncthing, a cloud, a stick, git. Each machine writes one file of its
    own there, and takes over what the others wrote, as generala import does. Type it on each of them, before
    and after playing. Folder and name stay in config.toml: from then on generala sync is enough.

    A file that is only half there is named, and read the next time. Games that were deleted here do not
    come back. Where a game went on in two places, each another way, both are kept until generala doctor has
    chosen.
    """
    with progress(of_games=True, quiet=session.quiet) as report:
        synced = app.syncing.sync(
            session.store,
            open_house_rules(),
            config_file(),
            folder=folder,
            name=name,
            with_deleted=deleted,
            dry_run=session.dry_run,
            progress=report,
        )
    answer = Answer.of(synced, render.syncing.synced, documents.files.synced)
    current = synced.current
    answer = session.as_change(answer) if current is None else session.with_current_game_note(answer, current)
    return replace(
        answer,
        notes=(*answer.notes, *render.syncing.what_to_do(synced)),
        exit_code=FileTrouble.exit_code if synced.is_troubled else 0,
    )


def _checked_path(session: Session, output: str, *, yes: bool) -> Path:
    """Return the file to write; whoever has one of that name is asked first."""
    path = app.exporting.output_path(output)
    if not yes and not session.dry_run and path.exists():
        hint = tell("say that it may be overwritten with --yes")
        refusal = Mistyped(tell("{file} exists already", file=safe(path)), hint)
        if not ask_before(session, tell("Overwrite {file}?", file=safe(path)), refusal):
            raise Interrupted("nothing was written", "give another name")
    return path


def _written(
    session: Session, exported: "app.exporting.Exported", path: Path | None
) -> "Answer[ExportDocument | ExportedGameDocument]":
    if path is None:
        answer = Answer.of(exported, render.lines.exported, documents.files.exported)
        return replace(answer, raw=exported.chunks)
    if session.dry_run:
        exported.written.close()
        exported = replace(exported, file=path)
    else:
        exported = app.exporting.write_file(exported, path)
    return session.as_change(Answer.of(exported, render.lines.exported, documents.files.exported))
