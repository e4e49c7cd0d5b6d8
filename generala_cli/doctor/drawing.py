from collections.abc import Iterator, Mapping
from datetime import datetime

from rich.console import RenderableType
from rich.text import Text

from generala_cli.doctor.answers import (
    Acceptance,
    Backup,
    CacheFiles,
    Copy,
    CurrentGame,
    Diagnosis,
    GameVersion,
    PaymentsFiles,
    Restored,
    Standing,
    Taken,
)
from generala_cli.doctor.diagnosis import unread_advice
from generala_cli.doctor.versions import VERSION_WORDS, Comparison
from generala_cli.game.events import Entry
from generala_cli.game.game import Game
from generala_cli.messages import Message, lazy, listing, quoted
from generala_cli.packages import file_kinds
from generala_cli.render.drawing import Column, GivesWay, Hanging, Stack, line, table, text
from generala_cli.render.language import moment, number, translate, translate_count, translated, word_shown
from generala_cli.render.lines import entry_words, machine_text, with_lines
from generala_cli.render.lists import Item
from generala_cli.render.screen import Screen, draw
from generala_cli.store.cache import KeptState, Kind
from generala_cli.store.checking import State
from generala_cli.store.examining import StrayFile
from generala_cli.store.subjects import (
    OF_CURRENT,
    FileSubject,
    of_game,
    of_kind,
    subject_at,
)
from generala_cli.text import safe

_STRAY_FILES: Mapping[StrayFile, Message] = {
    "temporary": lazy("left by a killed command; the next write to this folder deletes it"),
    "abandoned": lazy("left by a killed command; you can delete it"),
    "kept": lazy("a damaged file that its backup replaced; you can delete it"),
    "set aside": lazy("a version that was set aside; you can delete it"),
    "foreign": lazy("not a file of this program; it is ignored"),
    "unlisted": lazy("cannot be listed; until it can, a game replaced by an older file goes unnoticed"),
}
_STATES: Mapping[State, Message] = {
    "fine": lazy("fine"),
    "hand-edited": lazy("hand-edited"),
    "damaged": lazy("damaged"),
    "newer": lazy("newer"),
    "unreadable": lazy("cannot be read"),
    "missing": lazy("missing"),
}
_STANDINGS: Mapping[Standing, Message] = {
    "own": lazy("the game's own file"),
    "unusable": lazy("cannot be used ({why})"),
    "same": lazy("an earlier version of this, with nothing new"),
    "shorter": lazy("an earlier version of this, with nothing new"),
    "longer": lazy("this, continued"),
    "chosen": lazy("settled elsewhere: that was taken, not this"),
    "rejected": lazy("settled here: this was taken, not that"),
    "diverged": lazy("continued differently"),
}
_KINDS: Mapping[Kind, Message] = {
    "worths": lazy("the value of every sheet"),
    "prospect": lazy("the possible totals of a sheet"),
    "outlooks": lazy("the chances in every position of a game"),
    "goals": lazy("the chances of rows to reach their goals"),
}
_NOT_USED: Mapping[KeptState, Message] = {
    "damaged": lazy("damaged, and not used"),
    "newer": lazy("of a newer generala, and not used"),
}
_MEBIBYTE = 1 << 20


@draw.register
def diagnosis(result: Diagnosis, screen: Screen) -> Stack:
    games = [part for each in result.games for part in _files(each, of_game(each.game))]
    kinds = file_kinds()
    tournaments = [
        part
        for each in result.tournaments
        for part in _files(each, of_kind(kinds["tournament"], each.tournament))
    ]
    facts = [
        part
        for files, name in ((result.payments, "payments"), (result.training, "training"))
        if files is not None
        for part in _files(files, of_kind(kinds[name]))
    ]
    others = (
        Hanging(f"{safe(each.file)}  {translated(_STRAY_FILES[each.kind])}", 2) for each in result.others
    )
    summary = (
        translate("all is well")
        if games or tournaments or facts
        else translate("all is well; there are no games yet")
    )
    if not result.well:
        summary = translate_count(
            "{count} of these needs attention", "{count} of these need attention", result.unwell
        )
    return Stack(
        line(safe(result.folder)),
        *_current(result.current),
        *games,
        *tournaments,
        *facts,
        *others,
        _strong(summary),
    )


@draw.register
def restored(result: Restored, screen: Screen) -> Stack:
    subject = subject_at(result.file) if result.game is None else of_game(result.game)
    head = lazy(
        "{file} is restored from its backup: {events}", file=subject.shown, events=_events(result.events)
    )
    kept = (
        [line(f"  {translate('the old file is kept as {file}', file=safe(result.kept))}")]
        if result.kept
        else []
    )
    return Stack(line(_strong(translated(head)), _last(result.last, result.events)), *kept)


@draw.register
def accepted(result: Acceptance, screen: Screen) -> Stack:
    lines = [line(safe(each)) for each in differences(result)]
    if result.sealed:
        lines.append(_strong(translate("{file} is sealed as it is", file=result.subject.shown)))
    if result.forgotten:
        lines.append(_strong(translate("{file} is forgotten", file=result.subject.shown)))
    elif result.subject.is_united and result.set_aside:
        head = translate_count(
            "{file} is merged with its copies: {count} new entry",
            "{file} is merged with its copies: {count} new entries",
            result.added,
            file=result.subject.shown,
        )
        lines.append(_strong(head))
    return Stack(*lines, *map(line, _set_aside(result)))


def _set_aside(result: Acceptance | Taken) -> list[str]:
    done = lazy("set aside: {file}")  # a dry run does not know the new names
    if result.saved:
        done = lazy("set aside as {file}")
    return [translated(done.with_values(file=safe(name))) for name in result.set_aside]


def declined(result: Acceptance) -> str:
    return f"{translate('{file} was not changed', file=result.subject.shown)}\n"


def differences(result: Acceptance) -> Iterator[str]:
    if result.sealed and not result.differences:
        yield translate("it has the same content as its backup")
    yield from map(translated, result.differences)


def _strong(words: str) -> Text:
    return line((words, "bold"))


def _current(current: CurrentGame) -> Iterator[RenderableType]:
    state: str | Text = translate("names game {game}", game=current.game)
    if current.why is not None:
        state = _strong(translate("unusable ({why})", why=safe(translated(current.why))))
    elif current.game is None:
        state = translate("no game is current")
    elif not current.exists:
        state = _strong(translate("names game {game}, which is missing", game=current.game))
    yield Hanging(line("current  ", state), 2)
    copy = _strong(translate("a conflict copy of {file}", file=OF_CURRENT.shown))
    yield from (Hanging(line(f"{safe(name)}  ", copy), 2) for name in current.copies)
    if current.advice is not None:
        yield line(f"    {translated(current.advice)}")


def _files(files: PaymentsFiles, subject: FileSubject) -> Iterator[RenderableType]:
    yield Hanging(line(f"{subject.place}  ", _state(files), "; ", _backup(files.backup)), 2)
    if files.state == "fine" and files.why is not None:
        yield line("    ", _strong(translated(files.why)))
    for copy in files.copies:
        remark = f" ({translate('the same bytes')})" if copy.same else ""
        what = _strong(translate("a conflict copy of {file}", file=subject.shown))
        yield Hanging(line(f"{safe(copy.file)}  ", what, ": ", _state(copy), remark), 2)
    yield from (line(f"    {translated(advised)}") for advised in files.advice)


def _state(found: PaymentsFiles | Copy) -> Text:
    entries = "" if found.events is None else f", {_events(found.events)}"
    state = translated(_STATES[found.state])
    if found.state == "fine":
        return line(f"{state}{entries}")
    why = f" ({safe(translated(found.why))})" if found.why else ""
    return line(_strong(state), f"{why}{entries}")


def _backup(backup: Backup) -> str | Text:
    if backup.state == "missing":
        return translate("no backup")
    if backup.state != "fine":
        state = translate("unreadable") if backup.state == "unreadable" else translated(_STATES[backup.state])
        return line(translate("backup"), " ", _strong(state), f" ({safe(translated(backup.why))})")
    if backup.behind is None:
        return translate("backup fine, {events}", events=_events(backup.events or 0))
    if backup.behind <= 0:
        return translate("backup fine")
    return translate_count(
        "backup fine, {count} entry behind", "backup fine, {count} entries behind", backup.behind
    )


def _events(count: int) -> str:
    return translate_count("{count} event", "{count} events", count)


def _last(last: datetime | None, events: int) -> str:
    if last is None or not events:
        return ""
    return f", {translate('the last at {moment}', moment=moment(last.astimezone()))}"


@draw.register
def compared(result: Comparison, screen: Screen) -> RenderableType:
    parts: list[RenderableType] = [_heading(result)]
    parts += [text(f"  {_described(version)}") for version in result.versions]
    parts += _side_by_side(result, screen)
    if result.unread:
        return Stack(*parts, *(text(translated(unread_advice(version.file))) for version in result.unread))
    takes = [
        translate(
            "generala doctor {game} --take {version}", game=result.number, version=quoted(_named(version))
        )
        for version in result.usable
    ]
    parts.append(text(translate("to take one and set the other aside:")))
    parts += [text(f"  {each}") for each in takes]
    return Stack(*parts)


def _named(version: GameVersion) -> str:
    return safe(word_shown(version.take, VERSION_WORDS))


def version_items(result: Comparison, screen: Screen) -> list[Item]:
    usable = result.usable
    items = [Item(None, (_heading(result),))]
    for version in result.versions:
        number = usable.index(version) + 1 if version in usable else None
        items.append(Item(number, (Hanging(text(f"{number or ' '}  {_described(version)}"), 1),)))
    return [*items, Item(None, ("", *_side_by_side(result, screen)))]


def _heading(result: Comparison) -> Text:
    return text(
        translate("game {game} has {count} versions", game=result.number, count=len(result.versions)), "bold"
    )


def _side_by_side(result: Comparison, screen: Screen) -> Iterator[RenderableType]:
    if not result.usable:
        return
    if result.turns:
        first = result.turns[0].number
        yield text(translate("the same up to turn {turn}", turn=first - 1) if first > 1 else "")
    elif len(result.usable) > 1:
        yield text(translate("all turns are the same"))
    missing = screen.marks.missing
    numbers, players, *versions = zip(*_turns(result, missing), *_totals(result, missing), strict=True)
    yield table(
        Column(lazy("turn"), numbers, right=True),
        Column(lazy("player"), players),
        *(
            Column(_named(version), cells, gives_way=GivesWay.WRAPS)
            for version, cells in zip(result.usable, versions, strict=True)
        ),
        screen=screen,
    )


def _described(version: GameVersion) -> str:
    standing = _STANDINGS[version.standing].with_values(why=version.why or "")
    line = f"{_named(version)}: {translated(standing)}"
    if version.take != version.file_name:
        line += f", {safe(version.file)}"
    if version.events is None:
        return line
    at = _last(version.last, version.events)
    machines = listing([machine_text(name) for name in version.entered_by], "and")
    by = f", {translate('entered by {machine}', machine=machines)}" if version.entered_by else ""
    return f"{line}, {_events(version.events)}{at}{by}"


def _turns(result: Comparison, missing: str) -> Iterator[tuple[str, ...]]:
    for turn in result.turns:
        players = dict.fromkeys(entry.player for entry in turn.entries if entry is not None)
        cells = (
            _cell(game, entry, missing, is_named=len(players) > 1)
            for game, entry in zip(result.games, turn.entries, strict=True)
        )
        yield (str(turn.number), "/".join(players), *cells)


def _cell(game: Game, entry: Entry | None, missing: str, *, is_named: bool) -> str:
    if entry is None:
        return missing
    dice = "" if entry.dice is None else "".join(map(str, entry.dice))
    parts = (entry.player if is_named else "", dice, entry_words(game, entry))
    return " ".join(part for part in parts if part)


def _totals(result: Comparison, missing: str) -> Iterator[tuple[str, ...]]:
    games = result.games
    players = dict.fromkeys(player for game in games for player in game.seats)
    for place, player in enumerate(players):
        totals = (str(game.total(player)) if player in game.seats else missing for game in games)
        yield ("" if place else translate("total"), player, *totals)


@draw.register
def taken(result: Taken, screen: Screen) -> str:
    head = translate(
        "game {game} has the version from {file}, with {events}",
        game=result.game,
        file=safe(result.taken),
        events=_events(result.events),
    )
    return with_lines(head, _set_aside(result), screen)


@draw.register
def cache_files(result: CacheFiles, screen: Screen) -> Stack:
    held = [_NOT_USED[each.state] if each.kind is None else _KINDS[each.kind] for each in result.files]
    shown = table(
        Column(
            lazy("rules"), [each.rules or each.file for each in result.files], gives_way=GivesWay.SHORTENS
        ),
        Column(lazy("holds"), [*map(translated, held)], gives_way=GivesWay.WRAPS),
        Column(lazy("MiB"), [_mebibytes(each.bytes) for each in result.files], right=True),
        Column(
            lazy("used"), [moment(each.used.astimezone()) for each in result.files], gives_way=GivesWay.DROPS
        ),
        screen=screen,
    )
    summary = translate_count(
        "{count} file, {size} of at most {most} MiB",
        "{count} files, {size} of at most {most} MiB",
        len(result.files),
        size=_mebibytes(result.bytes),
        most=result.most_bytes // _MEBIBYTE,
    )
    if result.emptied:
        summary = translate_count(
            "{count} file deleted, {size} MiB",
            "{count} files deleted, {size} MiB",
            len(result.files),
            size=_mebibytes(result.bytes),
        )
    parts: list[RenderableType] = [line(safe(result.folder))]
    if result.files:
        parts.append(shown)
    if result.why is not None:
        parts.append(translate("nothing more can be cached ({why})", why=translated(result.why)))
    return Stack(*parts, _strong(summary))


def _mebibytes(size: int) -> str:
    return number(size / _MEBIBYTE, ".1f")
