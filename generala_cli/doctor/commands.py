from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec.structs import replace

from generala_cli.cli import completers
from generala_cli.cli.parameters import Yes, argument, option
from generala_cli.cli.progress import progress
from generala_cli.cli.prompts import ask_before
from generala_cli.cli.session import Answer, Session, open_store
from generala_cli.errors import FileError, UsageError
from generala_cli.messages import Message, lazy
from generala_cli.store.subjects import of_game, subject_named

if TYPE_CHECKING:  # help reads no games
    from generala_cli.doctor.answers import Acceptance, CacheFiles, Diagnosis, Restored, Taken, Versions


def _versions(context: typer.Context) -> Iterable[str]:
    from generala_cli.doctor.diagnosis import number_of

    names = ["this", "that"]
    if game := context.params.get("game"):
        store = open_store()
        copies = store.copies(of_game(number_of(store, game)))
        names += [copy.rpartition("/")[2] for copy in copies]
    return names


_RESTORE = lazy("Restore this game's backup, and set the damaged file aside.")
Restore = Annotated[str | None, option("--restore", _RESTORE, "GAME", completers.games)]
_ACCEPT = lazy("Accept this game's file: seal your edits, or forget it if it is missing; set copies aside.")
Accept = Annotated[str | None, option("--accept", _ACCEPT, "GAME", completers.games)]
_ONE = lazy("Check only this game; if it continued in two places, show both versions side by side.")
One = Annotated[str | None, argument("[GAME]", _ONE, completers.games)]
_TAKE = lazy("Take a version of GAME: this (its own file), that (the other one), or a copy by its name.")
Take = Annotated[str | None, option("--take", _TAKE, "VERSION", _versions)]
_CACHE = lazy("List the cached results of advice, odds and review.")
Cached = Annotated[bool, option("--cache", _CACHE)]
_EMPTY = lazy("Delete these results; they are computed again when needed.")
EmptyCache = Annotated[bool, option("--empty-cache", _EMPTY)]


def doctor(
    session: Session,
    game: One = None,
    take: Take = None,
    restore: Restore = None,
    accept: Accept = None,
    cache: Cached = False,
    empty_cache: EmptyCache = False,
    yes: Yes = False,
) -> "Answer[Diagnosis | Restored | Acceptance | Versions | Taken | CacheFiles]":
    """Check every file and repair damage.

    Without options it checks every game, its backup, copies left by sync programs, and everything else in
    the folder. It changes nothing. The exit code is 3 if something needs your attention.

    If game 3 continued in two places, generala doctor 3 shows both versions side by side, from the first turn
    that differs. --take this keeps the game's own file, --take that takes the other version. The rejected
    version is set aside, and other machines learn from the next sync that the game is settled. You can still
    take the rejected version later, with --take that.

    generala doctor --restore 3 restores the backup of game 3 and sets the damaged file aside.
    generala doctor --accept 3 accepts the file as it is. If you edited it, you see how it differs from the
    backup, and then it is sealed. Conflict copies are set aside. --accept current does this for the file that
    names the current game. If the file of game 3 is missing and has no backup, --accept 3 forgets the game;
    its number is not used again. Instead of a game you can name payments (between players), training (your
    answers in generala train) or tournament-1 (the first tournament).

    generala doctor --cache lists the results that advice, odds and review keep, so that they need not be
    computed again. You can delete them at any time with --empty-cache. A damaged one is never used.
    """
    from generala_cli.doctor import diagnosis

    if cache or empty_cache:
        return _cache(session, empty=empty_cache)
    if game is not None and take is not None:
        return _take(session, game, take)
    if restore is not None:
        restored = diagnosis.restore(session.store, restore, dry_run=session.dry_run)
        return session.as_change(Answer.of_document(restored))
    if accept is not None:
        return session.as_change(_accept(session, accept, yes=yes))
    if game is not None:
        return _one(session, game)
    with progress(of_games=True, quiet=session.quiet) as report:
        return _diagnosis(diagnosis.diagnose(session.store, report))


def _cache(session: Session, *, empty: bool) -> "Answer[CacheFiles]":
    from generala_cli.doctor import caching

    if not empty:
        return Answer.of_document(caching.kept())
    return session.as_change(Answer.of_document(caching.empty(dry_run=session.dry_run)))


def _diagnosis(found: "Diagnosis") -> "Answer[Diagnosis]":
    return replace(Answer.of_document(found), exit_code=0 if found.well else FileError.exit_code)


def _one(session: Session, game: str) -> "Answer[Diagnosis | Versions]":
    from generala_cli.doctor import diagnosis, versions

    if not _is_no_game(game):
        found = versions.compare(session.store, diagnosis.number_of(session.store, game))
        if found is not None:
            answer = Answer.of(found, lambda: versions.document(found)).long()
            return replace(answer, exit_code=FileError.exit_code)
    return _diagnosis(diagnosis.diagnose_one(session.store, game))


def _is_no_game(name: str) -> bool:
    subject = subject_named(name)
    return subject is not None and subject.game is None


def _take(session: Session, game: str, version: str) -> "Answer[Taken]":
    from generala_cli.doctor import diagnosis, versions

    if _is_no_game(game):
        raise UsageError("--take works only for a game", "name it, as in generala doctor 3 --take this")
    number = diagnosis.number_of(session.store, game)
    taken = versions.take(session.store, number, version, dry_run=session.dry_run)
    return session.as_change(Answer.of_document(taken))


def _accept(session: Session, reference: str, *, yes: bool) -> "Answer[Acceptance]":
    from generala_cli.doctor import accepting

    wanted, edited = accepting.acceptance(session.store, reference)
    if session.dry_run:
        return Answer.of_document(wanted)
    if not yes and not wanted.loses_nothing:
        from generala_cli.doctor.drawing import declined, differences

        copies = (lazy("to be set aside: {file}", file=name) for name in wanted.set_aside)
        means = lazy("to confirm, type generala doctor --accept {file} --yes", file=wanted.subject.name)
        changes: tuple[str | Message, ...] = (*differences(wanted), *copies)
        why = lazy("accepting a file needs your confirmation")
        question = lazy("Accept {file} as it is?", file=wanted.subject.shown)
        if wanted.forgotten:
            why = lazy("forgetting a file needs your confirmation")
            question = lazy("Forget {file}?", file=wanted.subject.shown)
        if not ask_before(session, question, UsageError(why, means, changes)):
            return Answer(lambda _: declined(wanted), lambda: wanted)
    return Answer.of_document(accepting.accept(session.store, wanted, edited))
