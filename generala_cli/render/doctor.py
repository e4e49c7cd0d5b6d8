"""The state of the files: one line each, and below it what to do."""

from collections.abc import Iterator, Mapping

from rich.console import RenderableType
from rich.text import Text

from generala_cli.app.doctor import Acceptance, Diagnosis, RestoredFile, advice, current_advice
from generala_cli.messages import Message, tell, tell_count
from generala_cli.render.drawing import Hanging, Stack, line
from generala_cli.render.language import moment, said, say, say_count
from generala_cli.render.screen import Screen
from generala_cli.store.checking import CheckedFile, State
from generala_cli.store.examining import CurrentFile, FilesExamined, Litter
from generala_cli.store.subjects import OF_CURRENT, OF_PAYMENTS
from generala_cli.text import safe

_LITTER: Mapping[Litter, Message] = {
    "temporary": tell("left by a command that was killed; the next write sweeps it away"),
    "kept": tell("the damaged bytes that a backup was put in place of; yours to delete"),
    "set aside": tell("a version that was set aside; yours to delete"),
    "foreign": tell("not a file of this program's; it is left alone"),
    "unlisted": tell("cannot be listed; a game that is put back to older bytes goes unnoticed until it can"),
}
_STATES: Mapping[State, Message] = {
    "fine": tell("fine"),
    "hand-edited": tell("hand-edited"),
    "damaged": tell("damaged"),
    "newer": tell("newer"),
    "unreadable": tell("cannot be read"),
    "missing": tell("missing"),
}


def diagnosis(result: Diagnosis, screen: Screen) -> Stack:
    """Every file with its state, and what to do."""
    found = result.examined
    games = (each for files in found.games for each in _game(files))
    litter = (Hanging(f"{safe(name)}  {said(_LITTER[kind])}", 2) for name, kind in found.litter.items())
    parts = (*_current(found.current), *games, *litter)
    summary = say("all is well") if found.games else say("all is well; there are no games yet")
    if result.unwell:
        summary = say_count("{count} of these needs you", "{count} of these need you", result.unwell)
    return Stack(line(safe(found.directory)), *parts, _strong(summary))


def restored(result: RestoredFile, screen: Screen) -> Stack:
    """The game as it is now, and where its damaged bytes are."""
    head = tell("{file} would be what its backup holds: {events}")
    if result.saved:
        head = tell("{file} is what its backup holds: {events}")
    head = head.with_values(file=result.subject.shown, events=_events(len(result.file.events)))
    kept = (
        [line(f"  {say('what was there is kept as {file}', file=safe(result.kept))}")] if result.kept else []
    )
    last = result.file.last
    at = say("the last of {moment}", moment=moment(last.astimezone())) if last else ""
    return Stack(line(_strong(said(head)), f", {at}" if at else ""), *kept)


def accepted(result: Acceptance, screen: Screen) -> Stack:
    """The files that were, or would be, sealed and set aside, with what differs from the backup."""
    lines = [line(safe(each)) for each in differences(result)]
    if result.hand_edited is not None:
        head = tell("{file} would be sealed as it stands")
        if result.saved:
            head = tell("{file} is sealed as it stands")
        lines.append(_strong(said(head.with_values(file=result.subject.shown))))
    if result.subject == OF_PAYMENTS and result.copies:
        head = tell_count(
            "the payments would be put together: {count} entry would be new in their file",
            "the payments would be put together: {count} entries would be new in their file",
            result.added,
        )
        if result.saved:
            head = tell_count(
                "the payments are put together: {count} entry is new in their file",
                "the payments are put together: {count} entries are new in their file",
                result.added,
            )
        lines.append(_strong(said(head)))
    lines += [line(safe(said(each))) for each in result.unusable]
    for name in map(safe, result.copies):
        done = say("set aside as {file}", file=name)
        lines.append(line(done if result.saved else say("would be set aside: {file}", file=name)))
    return Stack(*lines)


def declined(result: Acceptance, screen: Screen) -> str:
    """Return the line that says that nothing was changed."""
    return f"{say('{file} is left as it is', file=result.subject.shown)}\n"


def differences(result: Acceptance) -> Iterator[str]:
    """Yield how the file differs from its backup."""
    if result.hand_edited is not None:
        yield from map(said, result.differences or (tell("it holds what its backup holds"),))


def _strong(words: str) -> Text:
    return line((words, "bold"))


def _current(current: CurrentFile) -> Iterator[RenderableType]:
    state: str | Text = say("names game {game}", game=current.number)
    if current.why:
        state = _strong(say("unusable ({why})", why=safe(said(current.why))))
    elif current.number is None:
        state = say("no game is current")
    elif not current.is_there:
        state = _strong(say("names game {game}, which is not there", game=current.number))
    yield Hanging(line("current  ", state), 2)
    copy = _strong(say("a conflict copy of {file}", file=OF_CURRENT.shown))
    yield from (Hanging(line(f"{safe(name)}  ", copy), 2) for name in current.copies)
    if advised := current_advice(current):
        yield line(f"    {said(advised)}")


def _game(files: FilesExamined) -> Iterator[RenderableType]:
    yield Hanging(line(f"{files.subject.place}  ", _state(files.game), "; ", _backup(files)), 2)
    if files.put_back is not None:
        yield line("    ", _strong(said(files.put_back.message)))
    for name, copy in files.copies.items():
        same = copy.data is not None and copy.data == files.game.data
        remark = f" ({say('the same bytes')})" if same else ""
        what = _strong(say("a conflict copy of {file}", file=files.subject.shown))
        yield Hanging(line(f"{safe(name)}  ", what, ": ", _state(copy), remark), 2)
    yield from (line(f"    {said(advised)}") for advised in advice(files))


def _state(found: CheckedFile) -> Text:
    entries = "" if found.file is None else f", {_events(len(found.file.events))}"
    state = said(_STATES[found.state])
    if found.state == "fine":
        return line(f"{state}{entries}")
    why = f" ({safe(said(found.why))})" if found.why else ""
    return line(_strong(state), f"{why}{entries}")


def _backup(files: FilesExamined) -> str | Text:
    backup, behind = files.backup, files.behind
    if backup.state == "missing":
        return say("no backup")
    if backup.state != "fine":
        state = say("unreadable") if backup.state == "unreadable" else said(_STATES[backup.state])
        return line(say("backup"), " ", _strong(state), f" ({safe(said(backup.why))})")
    if behind is None:
        assert backup.file is not None
        return say("backup fine, {events}", events=_events(len(backup.file.events)))
    if behind <= 0:
        return say("backup fine")
    return say_count("backup fine, {count} entry behind", "backup fine, {count} entries behind", behind)


def _events(count: int) -> str:
    return say_count("{count} event", "{count} events", count)
