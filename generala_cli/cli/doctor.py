"""doctor."""

from typing import TYPE_CHECKING, Annotated

from msgspec.structs import replace

from generala_cli.cli import completers
from generala_cli.cli.asking import ask_before
from generala_cli.cli.lazy import app, documents, render
from generala_cli.cli.parameters import Yes, argument, option
from generala_cli.cli.progress import progress
from generala_cli.cli.session import Answer, Session
from generala_cli.errors import FileTrouble, Mistyped
from generala_cli.messages import Message, tell
from generala_cli.store.subjects import PAYMENTS

if TYPE_CHECKING:  # only the schema of an answer asks for its class
    from generala_cli.render.documents.files import (
        AcceptDocument,
        CompareDocument,
        DoctorDocument,
        RestoreDocument,
        TakeDocument,
    )

_RESTORE = tell("Put this game's backup back, and keep the damaged file.")
Restore = Annotated[str | None, option("--restore", _RESTORE, "GAME", completers.games)]
_ACCEPT = tell("Seal this game's file as you edited it; set its conflict copies aside.")
Accept = Annotated[str | None, option("--accept", _ACCEPT, "GAME", completers.games)]


_ONE = tell("Only this game; where it went on in two places, both versions side by side.")
One = Annotated[str | None, argument("[GAME]", _ONE, completers.games)]
_TAKE = tell("Take one version of GAME: this, its own file; that, the other one; or a copy by its name.")
Take = Annotated[str | None, option("--take", _TAKE, "VERSION", completers.versions)]


def doctor(
    session: Session,
    game: One = None,
    take: Take = None,
    restore: Restore = None,
    accept: Accept = None,
    yes: Yes = False,
) -> "Answer[DoctorDocument | RestoreDocument | AcceptDocument | CompareDocument | TakeDocument]":
    """Check every file, and put one right.

    By itself it looks at every game, its backup, what sync programs left beside it and whatever else is
    in the folder, and changes nothing; the exit code is 3 if something needs you.

    generala doctor 3 shows a game that went on in two places side by side, from the first turn that differs.
    With --take this its own file is kept, with --take that the other one is. What was not taken is set
    aside, and on every other machine that meets it the game was settled.

    generala doctor --restore 3 puts the backup of game 3 back and sets the damaged file aside.
    generala doctor --accept 3 takes its file as it stands: it seals one that you edited, after showing
    what differs from the backup, and sets conflict copies aside. --accept current does that for the file
    that names the current game. payments in place of a game is what was paid between players.
    """
    if restore is not None and accept is not None:
        raise Mistyped("--restore and --accept exclude each other", "give one of them")
    if game is not None and (restore is not None or accept is not None):
        raise Mistyped("two games are named", "name one, as in generala doctor --restore 3")
    if take is not None:
        return _take(session, game, take)
    if game is not None:
        return _one(session, game)
    if restore is not None:
        back = app.doctor.restore(session.store, restore, dry_run=session.dry_run)
        return session.as_change(Answer.of(back, render.doctor.restored, documents.files.restored))
    if accept is not None:
        return _accept(session, app.doctor.acceptance(session.store, accept), yes=yes)
    with progress(of_games=True, quiet=session.quiet) as report:
        found = app.doctor.diagnose(session.store, report)
    answer = Answer.of(found, render.doctor.diagnosis, documents.files.diagnosis)
    return replace(session.as_change(answer), exit_code=FileTrouble.exit_code if found.unwell else 0)


def _one(session: Session, game: str) -> "Answer[CompareDocument | DoctorDocument]":
    if game != PAYMENTS:
        found = app.comparing.compare(session.store, app.doctor.number_of(session.store, game))
        if found is not None:
            compared = Answer.of(found, render.comparing.compared, documents.files.compared)
            return replace(compared.long(), exit_code=FileTrouble.exit_code)
    one = app.doctor.diagnose_one(session.store, game)
    answer = session.as_change(Answer.of(one, render.doctor.diagnosis, documents.files.diagnosis))
    return replace(answer, exit_code=FileTrouble.exit_code if one.unwell else 0)


def _take(session: Session, game: str | None, version: str) -> "Answer[TakeDocument]":
    if game is None or game == PAYMENTS:
        raise Mistyped("--take is about one game", "name it, as in generala doctor 3 --take this")
    number = app.doctor.number_of(session.store, game)
    taken = app.comparing.take(session.store, number, version, dry_run=session.dry_run)
    return session.as_change(Answer.of(taken, render.comparing.taken, documents.files.taken))


def _accept(session: Session, wanted: "app.doctor.Acceptance", *, yes: bool) -> "Answer[AcceptDocument]":
    if session.dry_run:
        return session.as_change(Answer.of(wanted, render.doctor.accepted, documents.files.accepted))
    if not yes and not wanted.loses_nothing:
        aside = (tell("to be set aside: {file}", file=name) for name in wanted.copies)
        means = tell("say that you mean it: generala doctor --accept {file} --yes", file=wanted.subject.name)
        changes: tuple[str | Message, ...] = (*render.doctor.differences(wanted), *wanted.unusable, *aside)
        refusal = Mistyped("accepting a file is yours to decide", means, changes)
        if not ask_before(session, tell("Accept {file} as it stands?", file=wanted.subject.shown), refusal):
            return session.as_change(Answer.of(wanted, render.doctor.declined, documents.files.accepted))
    return session.as_change(
        Answer.of(app.doctor.accept(session.store, wanted), render.doctor.accepted, documents.files.accepted)
    )
