from collections.abc import Iterable, Iterator, Mapping

from generala_cli.exchange.answers import (
    Export,
    FollowedGame,
    Import,
    Imported,
    ImportedFile,
    Sync,
    SyncMachine,
)
from generala_cli.messages import Message, lazy, lazy_count, listing
from generala_cli.render.hints import SHELL, full_message
from generala_cli.render.language import translate, translated
from generala_cli.render.lines import file_written, with_lines
from generala_cli.render.screen import Screen, draw
from generala_cli.text import safe


@draw.register
def exported(result: Export, screen: Screen) -> str:
    count, file = len(result.games), screen.strong(safe(result.file or ""))
    if result.file is not None and not result.saved:
        return f"{file_written(file, saved=False)}\n"
    line = lazy_count(
        "exported {count:,} game to {file} as {form}",
        "exported {count:,} games to {file} as {form}",
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
        *(lines or [translate("it is empty")]),
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
            yield translate("repaired game {game}, which was damaged here", game=number)
        elif kept is not None:
            what = lazy("repaired game {game}, which was damaged here; the damaged file is now {file}")
            yield translated(what.with_values(game=number, file=safe(kept)))
        else:
            yield translate("restored game {game}, which was missing here except for its backup", game=number)
    if mended_payments := [file for file in files if file.payments_mended]:
        if not saved:
            yield translate("repaired the payments, which were damaged here")
        elif (kept := mended_payments[0].payments_kept) is not None:
            yield translate(
                "repaired the payments, which were damaged here; the damaged file is now {file}",
                file=safe(kept),
            )
        else:
            yield translate("restored the payments, which were missing here except for their backup")
    for game in followed:
        if not saved:  # a dry run does not know the names of the others yet
            yield translate("game {game} has one version again", game=game.game)
            continue
        yield translate(
            "game {game} has one version again; the others are kept as {files}",
            game=game.game,
            files=listing([safe(place) for place in game.set_aside], "and"),
        )
    if mended_training := [file for file in files if file.training_mended]:
        if not saved:
            yield translate("repaired the training, which was damaged here")
        elif (kept := mended_training[0].training_kept) is not None:
            yield translate(
                "repaired the training, which was damaged here; the damaged file is now {file}",
                file=safe(kept),
            )
        else:
            yield translate("restored the training, which was missing here except for its backup")
    for each in (each for file in files for each in file.tournaments if each.mended):
        if saved and each.kept is not None:
            what = lazy("repaired tournament {name}, which was damaged here; the damaged file is now {file}")
            yield translated(what.with_values(name=safe(each.name), file=safe(each.kept)))
        else:
            yield translate(
                "repaired tournament {name}, which was damaged or missing here", name=safe(each.name)
            )
    if current is not None:
        yield translate("unfinished game {game} is now the current game", game=current)


def what_to_do_about_import(result: Import) -> Iterator[str]:
    return _what_to_do(result.file, result, result.followed)


def _what_to_do(source: object, result: Imported, followed: Iterable[FollowedGame]) -> Iterator[str]:
    done = {each.game for each in followed}
    for game in (each for each in result.games if each.game not in done):
        if game.fate in ("diverged", "chosen"):
            yield translate(
                "game {game} has no payouts until you choose a version: generala doctor {game}",
                game=game.game,
            )
    for tournament in result.tournaments:
        for passed in tournament.passed_over:
            yield translate(
                "in tournament {name}, this does not count: {event}",
                name=safe(tournament.name),
                event=passed,
            )
    for why in result.refused:
        yield translate("not imported: {reason}", reason=why)
    for part in result.left_out:
        lacking = lazy("{file} does not contain {what}, because the original is unusable")
        note = lacking.with_values(file=source, what=part.what) if part.error is None else part.note
        yield translated(note)


@draw.register
def synced(result: Sync, screen: Screen) -> str:
    parts = []
    for each in result.machines:
        if each.state == "unusable":
            continue
        lines = list(_news_of(each))
        if result.is_own(each):
            if not lines:
                continue
            heading = lazy("from this machine's own file:")
        else:
            heading = lazy("from {machine}:") if lines else lazy("nothing new from {machine}")
            heading = heading.with_values(machine=screen.strong(each.machine))
        parts.append(with_lines(translated(heading), lines, screen))
    own_file = translate("{file} is unchanged", file=result.file)
    if result.written:
        own_file = file_written(result.file, saved=result.saved)
    has_others = not all(map(result.is_own, result.machines))
    lines = [] if has_others else [translate("no other machine has written to the folder yet")]
    if result.given_up is not None:
        why = lazy(
            "a different machine writes {file} too; this machine uses a new file from now on",
            file=result.given_up,
        )
        lines.append(translated(why))
    lines += _afterwards(result.machines, result.followed, result.current, saved=result.saved)
    return "".join((*parts, with_lines(own_file, lines, screen)))


def _news_of(machine: SyncMachine) -> Iterator[str]:
    yield from _fates(machine)
    if machine.deleted:
        what = lazy_count(
            "{count} game was deleted here and is skipped; --deleted restores it",
            "{count} games were deleted here and are skipped; --deleted restores them",
            machine.deleted,
        )
        yield translated(what)


def what_to_do_about_sync(result: Sync) -> Iterator[str | Message]:
    for each in result.machines:
        if each.why is not None:
            what = lazy("{problem}; the next sync tries again")
            if result.is_own(each):
                what = lazy("{problem}; it is this machine's own file, so it is written again")
            yield translated(what.with_values(problem=each.why))
    for each in result.machines:
        yield from _what_to_do(each.machine, each, result.followed)
    yield from (each.note for each in result.left_out)
    if result.unsaved is not None:
        reason = full_message(result.unsaved, SHELL)
        yield translate("could not save the folder and the name: {reason}", reason=reason)


_FATES: Mapping[str, Message] = {
    "new": lazy_count("game {games} is new here", "games {games} are new here", 1),
    "longer": lazy_count(
        "game {games} was updated",
        "games {games} were updated",
        1,
    ),
    "diverged": lazy_count(
        "game {games} went on differently here and there; both versions are kept",
        "games {games} went on differently here and there; both versions are kept",
        1,
    ),
    "chosen": lazy_count(
        "the conflict in game {games} was settled elsewhere, with a different version; both are kept",
        "the conflicts in games {games} were settled elsewhere, with different versions; both are kept",
        1,
    ),
    "rejected": lazy_count(
        "skipped a version of game {games} that was rejected here",
        "skipped versions of games {games} that were rejected here",
        1,
    ),
    "same": lazy_count("game {games} was already here", "games {games} were already here", 1),
    "shorter": lazy_count("game {games} is already newer here", "games {games} are already newer here", 1),
}
_PAYMENTS: Mapping[str, Message] = {
    "new": lazy("payments are new here"),
    "longer": lazy_count(
        "payments were updated; {count} new entry",
        "payments were updated; {count} new entries",
        1,
    ),
    "merged": lazy_count(
        "payments were merged; {count} new entry",
        "payments were merged; {count} new entries",
        1,
    ),
    "same": lazy("payments were already here"),
    "shorter": lazy("payments are already newer here"),
}
_TRAINING: Mapping[str, Message] = {
    "new": lazy("training is new here"),
    "longer": lazy_count(
        "training was updated; {count} new answer",
        "training was updated; {count} new answers",
        1,
    ),
    "merged": lazy_count(
        "training was merged; {count} new answer",
        "training was merged; {count} new answers",
        1,
    ),
    "same": lazy("training was already here"),
    "shorter": lazy("training is already newer here"),
}
_TOURNAMENTS: Mapping[str, Message] = {
    "new": lazy("tournament {name} is new here"),
    "longer": lazy_count(
        "tournament {name} was updated; {count} new event",
        "tournament {name} was updated; {count} new events",
        1,
    ),
    "merged": lazy_count(
        "tournament {name} was merged; {count} new event",
        "tournament {name} was merged; {count} new events",
        1,
    ),
    "same": lazy("tournament {name} was already here"),
    "shorter": lazy("tournament {name} is already newer here"),
}
_TEXTS: Mapping[str, Mapping[str, Message]] = {
    "rules": {
        "new": lazy("rules {rules} are new here"),
        "same": lazy("rules {rules} were already here"),
        "kept": lazy("rules {rules} are different here; yours are kept"),
    },
    "config": {
        "new": lazy("{file} is new here"),
        "same": lazy("{file} was already here"),
        "kept": lazy("{file} is different here; yours is kept"),
    },
}
