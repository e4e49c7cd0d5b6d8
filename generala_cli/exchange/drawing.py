"""Draw exports, imports and syncs on a terminal, and write their notes."""

from collections.abc import Iterable, Iterator, Mapping

from generala_cli.exchange.exporting import Export
from generala_cli.exchange.importing import FollowedGame, Import, Imported, ImportedFile
from generala_cli.exchange.syncing import Sync, SyncMachine
from generala_cli.messages import Message, lazy, lazy_count, listing
from generala_cli.render.hints import SHELL, full_message
from generala_cli.render.language import translate, translated
from generala_cli.render.lines import with_lines
from generala_cli.render.screen import Screen, draw
from generala_cli.text import safe


@draw.register
def exported(result: Export, screen: Screen) -> str:
    count, file = len(result.games), screen.strong(safe(result.file or ""))
    line = lazy_count(
        "{count:,} game is in {file}, as {form}",
        "{count:,} games are in {file}, as {form}",
        count,
        file=file,
        form=result.format,
    )
    return f"{translated(line)}\n"


@draw.register
def imported(result: Import, screen: Screen) -> str:
    heading = lazy("imported from {file}")
    lines = [*_fates(result)]
    if result.config is not None:
        lines += _fate_of_text("config", result.config)
    lines = [
        *(lines or [translate("nothing is in it")]),
        *_afterwards([result], result.followed, result.current, saved=result.saved),
    ]
    return with_lines(
        translated(heading.with_values(file=screen.strong(translated(result.file)))), lines, screen
    )


def _fates(result: Imported) -> Iterator[str]:
    for fate, becomes in _FATES.items():
        if numbers := sorted(each.game for each in result.games if each.fate == fate):
            first, last = numbers[0], numbers[-1]
            is_run = len(numbers) > 2 and numbers == list(range(first, last + 1))
            run = lazy("{first} to {last}", first=first, last=last)
            games = run if is_run else listing(numbers, "and")
            yield translated(becomes.with_values(count=len(numbers), games=games))
    if result.payments is not None and result.payments != "refused":
        yield translated(_PAYMENTS[result.payments].with_values(count=result.payments_added))
    if result.training is not None and result.training != "refused":
        yield translated(_TRAINING[result.training].with_values(count=result.training_added))
    for each in result.tournaments:
        if each.fate != "refused":
            yield translated(_TOURNAMENTS[each.fate].with_values(name=safe(each.name), count=each.added))
    for text in result.rules:
        yield from _fate_of_text("rules", text)


def _fate_of_text(kind: str, text: ImportedFile) -> Iterator[str]:
    if text.fate != "refused":
        becomes = _TEXTS[kind][text.fate]
        yield translated(becomes.with_values(file=text.name, rules=text.name.removeprefix("rules ")))


def _afterwards(
    files: Iterable[Imported], followed: Iterable[FollowedGame], current: int | None, *, saved: bool
) -> Iterator[str]:
    files = list(files)
    mended = {game.game: game.kept for file in files for game in file.games if game.mended}
    for number, kept in mended.items():
        if not saved:  # a dry run does not know the name of the copy yet
            yield translate("game {game} was damaged here and is mended", game=number)
        elif kept is not None:
            what = lazy("game {game} was damaged here and is mended; what was there is kept as {file}")
            yield translated(what.with_values(game=number, file=safe(kept)))
        else:
            yield translate("game {game} was missing here, but for its backup, and is mended", game=number)
    if mended_payments := [file for file in files if file.payments_mended]:
        if not saved:
            yield translate("the payments were damaged here and are mended")
        elif (kept := mended_payments[0].payments_kept) is not None:
            yield translate(
                "the payments were damaged here and are mended; what was there is kept as {file}",
                file=safe(kept),
            )
        else:
            yield translate("the payments were missing here, but for their backup, and are mended")
    for game in followed:
        places = listing([safe(place) for place in game.set_aside], "and")
        yield translate(
            "game {game} has one version again; the rest is kept as {files}",
            game=game.game,
            files=places,
        )
    if mended_training := [file for file in files if file.training_mended]:
        if not saved:
            yield translate("the training was damaged here and is mended")
        elif (kept := mended_training[0].training_kept) is not None:
            yield translate(
                "the training was damaged here and is mended; what was there is kept as {file}",
                file=safe(kept),
            )
        else:
            yield translate("the training was missing here, but for its backup, and is mended")
    for each in (each for file in files for each in file.tournaments if each.mended):
        if saved and each.kept is not None:
            what = lazy("tournament {name} was damaged here and is mended; what was there is kept as {file}")
            yield translated(what.with_values(name=safe(each.name), file=safe(each.kept)))
        else:
            yield translate(
                "tournament {name} was damaged or missing here and is mended", name=safe(each.name)
            )
    if current is not None:
        yield translate("game {game}, which is not over, is now current", game=current)


def what_to_do_about_import(result: Import) -> Iterator[str]:
    return _what_to_do(result.file, result, result.followed)


def _what_to_do(source: object, result: Imported, followed: Iterable[FollowedGame]) -> Iterator[str]:
    """Yield the notes about versions to choose, and about parts that were refused or missing.

    Args:
        source: the name of the file, or of the machine that wrote it.
    """
    done = {each.game for each in followed}
    for game in (each for each in result.games if each.game not in done):
        if game.fate == "settled-there":
            yield translate(
                "game {game} was settled elsewhere: takes what is there; "
                "generala doctor {game} --take that takes it over",
                game=game.game,
            )
        if game.settled:
            yield translate(
                "game {game} was settled elsewhere: takes what is here now; "
                "generala doctor {game} --take this sets the other version aside",
                game=game.game,
            )
        if game.fate == "settled-differently":
            yield translate(
                "game {game} was settled here and elsewhere, each another way: generala doctor {game}",
                game=game.game,
            )
        if game.fate == "diverged":
            yield translate(
                "payouts of game {game} wait until a version is chosen: generala doctor {game}",
                game=game.game,
            )
    for tournament in result.tournaments:
        for passed in tournament.passed_over:
            yield translate(
                "in tournament {name} this is passed over: {event}; generala tournament log shows what it "
                "waits for",
                name=safe(tournament.name),
                event=passed,
            )
    for why in result.refused:
        yield translate("not taken over: {reason}", reason=why)
    for part in result.left_out:
        yield translate("{file} is without {what}: it cannot be used there", file=source, what=part.what)


@draw.register
def synced(result: Sync, screen: Screen) -> str:
    """Return the news from each machine, then the state of this machine's file."""
    parts = []
    for each in result.machines:
        if each.state == "unusable":
            continue
        lines = list(_news_of(each))
        if result.is_own(each):
            heading = lazy("nothing new from this machine's own file")
            if lines:
                heading = lazy("from this machine's own file:")
        else:
            heading = lazy("from {machine}:") if lines else lazy("nothing new from {machine}")
            heading = heading.with_values(machine=screen.strong(each.machine))
        parts.append(with_lines(translated(heading), lines, screen))
    ours = lazy("{file} is as it was")
    if result.written:
        ours = lazy("written: {file}")
    lines = [] if result.machines else [translate("no other machine has written there yet")]
    if result.given_up is not None:
        why = lazy("another machine writes {file} too, which is its own from now on", file=result.given_up)
        lines.append(translated(why))
    lines += _afterwards(result.machines, result.followed, result.current, saved=result.saved)
    return "".join((*parts, with_lines(translated(ours.with_values(file=result.file)), lines, screen)))


def _news_of(machine: SyncMachine) -> Iterator[str]:
    yield from _fates(machine)
    if machine.deleted:
        what = lazy_count(
            "{count} game was deleted here and is left out; --deleted takes it over",
            "{count} games were deleted here and are left out; --deleted takes them over",
            machine.deleted,
        )
        yield translated(what)


def what_to_do_about_sync(result: Sync) -> Iterator[str | Message]:
    """Yield the notes: files to read again, versions to choose, and parts that the others do not get."""
    for each in result.machines:
        if each.why is not None:
            what = lazy("{problem}; it is read again next time")
            if result.is_own(each):
                what = lazy("{problem}; it is this machine's own, and written anew")
            yield translated(what.with_values(problem=each.why))
    for each in result.machines:
        yield from _what_to_do(each.machine, each, result.followed)
    yield from (each.note for each in result.left_out)
    if result.unsaved is not None:
        reason = full_message(result.unsaved, SHELL)
        yield translate("folder and name are not remembered: {reason}", reason=reason)


_FATES: Mapping[str, Message] = {
    "new": lazy_count("game {games} is new here", "games {games} are new here", 1),
    "longer": lazy_count(
        "game {games} went on there, and is now as it is there",
        "games {games} went on there, and are now as they are there",
        1,
    ),
    "diverged": lazy_count(
        "game {games} went on here and there, each another way; both are kept",
        "games {games} went on here and there, each another way; both are kept",
        1,
    ),
    "settled-there": lazy_count(
        "game {games} was settled elsewhere, and not as it is here; both are kept",
        "games {games} were settled elsewhere, and not as they are here; both are kept",
        1,
    ),
    "settled-here": lazy_count(
        "game {games} is there in a version that was not taken here, and is left there",
        "games {games} are there in versions that were not taken here, and are left there",
        1,
    ),
    "settled-differently": lazy_count(
        "game {games} was settled here and there, each another way",
        "games {games} were settled here and there, each another way",
        1,
    ),
    "same": lazy_count("game {games} was here already", "games {games} were here already", 1),
    "shorter": lazy_count(
        "game {games} was here already, and went on", "games {games} were here already, and went on", 1
    ),
}
"""One line for each fate of imported games. The count and the numbers are filled in."""
_PAYMENTS: Mapping[str, Message] = {
    "new": lazy("payments taken over"),
    "longer": lazy_count(
        "payments went on there; {count} entry is new here",
        "payments went on there; {count} entries are new here",
        1,
    ),
    "merged": lazy_count(
        "payments went on here and there, and are put together; {count} entry is new here",
        "payments went on here and there, and are put together; {count} entries are new here",
        1,
    ),
    "same": lazy("payments were here already"),
    "shorter": lazy("payments were here already, and went on"),
}
_TRAINING: Mapping[str, Message] = {
    "new": lazy("training taken over"),
    "longer": lazy_count(
        "training went on there; {count} answer is new here",
        "training went on there; {count} answers are new here",
        1,
    ),
    "merged": lazy_count(
        "training went on here and there; {count} answer is new here",
        "training went on here and there; {count} answers are new here",
        1,
    ),
    "same": lazy("training was here already"),
    "shorter": lazy("training was here already, and went on"),
}
_TOURNAMENTS: Mapping[str, Message] = {
    "new": lazy("tournament {name} is new here"),
    "longer": lazy_count(
        "tournament {name} went on there; {count} event is new here",
        "tournament {name} went on there; {count} events are new here",
        1,
    ),
    "merged": lazy_count(
        "tournament {name} went on here and there; {count} event is new here",
        "tournament {name} went on here and there; {count} events are new here",
        1,
    ),
    "same": lazy("tournament {name} was here already"),
    "shorter": lazy("tournament {name} was here already, and went on"),
}
_TEXTS: Mapping[str, Mapping[str, Message]] = {
    "rules": {
        "new": lazy("rules {rules} taken over"),
        "same": lazy("rules {rules} was here already"),
        "kept": lazy("rules {rules} is another here, which is kept"),
    },
    "config": {
        "new": lazy("{file} taken over"),
        "same": lazy("{file} was here already"),
        "kept": lazy("{file} is another here, which is kept"),
    },
}
