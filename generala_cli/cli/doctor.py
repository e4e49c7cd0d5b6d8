"""doctor."""

import sys

import typer

from generala_cli.app import doctor as app_doctor
from generala_cli.app.doctor import Acceptance
from generala_cli.cli.more_parameters import Accept, Restore, Yes
from generala_cli.cli.output import note
from generala_cli.cli.progress import progress
from generala_cli.cli.session import Answer, Session
from generala_cli.errors import FileTrouble, Mistyped
from generala_cli.render import doctor as shown
from generala_cli.render import envelope
from generala_cli.render.screen import screen_of

Result = tuple[Answer, Session]


def doctor(
    context: typer.Context, restore: Restore = None, accept: Accept = None, yes: Yes = False
) -> Result:
    """Tell the state of every file, and put one right.

    By itself it looks at every game, its backup, what sync programs left beside it and whatever else is
    in the folder, and changes nothing; the exit code is 3 if something needs you.

    generala doctor --restore 3 puts the backup of game 3 back and keeps the damaged file beside it.
    generala doctor --accept 3 takes its file as it stands: it seals one that you edited, after showing
    what differs from the backup, and sets conflict copies aside. --accept current does that for the file
    that names the current game.
    """
    session = Session.of(context)
    if restore is not None and accept is not None:
        raise Mistyped("--restore and --accept exclude each other", "give one of them")
    if restore is not None:
        back = app_doctor.put_back(session.store, restore, dry_run=session.dry_run)
        return session.news(
            lambda screen: shown.restored(back, screen), lambda: envelope.restored(back)
        ), session
    if accept is not None:
        return _accept(session, app_doctor.acceptance(session.store, accept), yes=yes)
    return _diagnose(session)


def _diagnose(session: Session) -> Result:
    with progress(what="games", quiet=session.quiet) as tell:
        found = app_doctor.diagnose(session.store, tell)
    answer = session.news(
        lambda screen: shown.diagnosis(found, screen), lambda: shown.diagnosis_document(found)
    )
    if found.unwell:
        _end(answer, session, FileTrouble.exit_code)
    return answer, session


def _end(answer: Answer, session: Session, code: int) -> None:
    """Give an answer and an exit code: what is printed while a command runs is written at its end."""
    if session.json:
        sys.stdout.write(envelope.encoded(answer.document()))
    elif not session.quiet:
        sys.stdout.write(answer.text(screen_of(sys.__stdout__ or sys.stdout, session.color)))
    note("".join(f"generala: {line}\n" for line in answer.notes))
    raise typer.Exit(code)


def _accept(session: Session, wanted: Acceptance, *, yes: bool) -> Result:
    is_agreed = session.dry_run or _agreed(session, wanted, yes=yes)
    if not is_agreed:
        return session.news(lambda _: shown.declined(wanted), lambda: envelope.accepted(wanted)), session
    result = wanted if session.dry_run else app_doctor.accept(session.store, wanted)
    return session.news(
        lambda screen: shown.accepted(result, screen), lambda: envelope.accepted(result)
    ), session


def _agreed(session: Session, wanted: Acceptance, *, yes: bool) -> bool:
    if yes:
        return True
    told = (*shown.differences(wanted), *(f"to be set aside: {name}" for name in wanted.copies))
    if not session.can_ask:
        raise Mistyped(
            "accepting a file is yours to decide",
            f"say that you mean it: generala doctor --accept {wanted.name} --yes",
            told,
        )
    from generala_cli.cli.asking import ask_yes
    from generala_cli.rules.names import safe

    note("".join(f"{safe(line)}\n" for line in told))
    return ask_yes(
        f"Accept {'the file current' if wanted.number is None else f'game {wanted.number}'} as it stands?"
    )
