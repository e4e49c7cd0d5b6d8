"""The state of the files: one line each, and below it what to do."""

from collections.abc import Iterator

from rich.text import Text

from generala_cli.app.doctor import Acceptance, Diagnosis, Restored, advice, current_advice
from generala_cli.render.drawing import Stack, line
from generala_cli.render.screen import Screen
from generala_cli.store.examining import Checked, CurrentFile, GameFiles, Litter, in_words, place_of
from generala_cli.store.store import HOW_TO_UPGRADE
from generala_cli.store.upgrading import Upgraded
from generala_cli.text import safe

_LITTER: dict[Litter, str] = {
    "temporary": "left by a command that was killed; the next write sweeps it away",
    "kept": "the damaged bytes that a backup was put in place of; yours to delete",
    "set aside": "a conflict copy that was set aside; yours to delete",
    "upgraded": "a file of an earlier format that was moved over; yours to delete",
    "foreign": "not a file of this program's; it is left alone",
}


def diagnosis(result: Diagnosis, screen: Screen) -> Stack:
    """Every file with its state, and what to do."""
    found = result.examined
    games = (told for files in found.games for told in _game(files))
    older = [line(f"  {name}  ", _strong("of an earlier format")) for name in found.older]
    if older:
        older.append(line(f"    {HOW_TO_UPGRADE}"))
    litter = (line(f"  {safe(name)}  {_LITTER[kind]}") for name, kind in found.litter.items())
    parts = (*_current(found.current), *games, *older, *litter)
    summary = "all is well" if found.games else "all is well; there are no games yet"
    if result.unwell:
        summary = f"{result.unwell} of these need{'s' if result.unwell == 1 else ''} you"
    return Stack(line(safe(found.directory)), *parts, _strong(summary))


def upgraded(result: tuple[Upgraded, ...], screen: Screen, *, saved: bool) -> Stack:
    """What was, or would be, moved over, and what was left."""
    many = "1 game of an earlier format" if len(result) == 1 else f"{len(result)} games of earlier formats"
    lines = [line(many if result else "no game is of an earlier format")]
    for one in result:
        done = f"moved over; its old file is kept as {one.kept}" if saved else "would be moved over"
        left = line(_strong("left as it is"), f" ({safe(one.problem)})")
        lines.append(line(f"  game {one.number}  ", left if one.problem else done))
    if any(one.problem for one in result):
        lines.append(
            line("    where games/N.json.bak is whole, put it in the place of games/N.json and try again")
        )
    return Stack(*lines)


def restored(result: Restored, screen: Screen) -> Stack:
    """The game as it is now, and where its damaged bytes are."""
    what = "is" if result.saved else "would be"
    head = f"{in_words(result.owner)} {what} what its backup holds: {_events(len(result.file.events))}"
    kept = [line(f"  what was there is kept as {safe(result.kept)}")] if result.kept else []
    last = result.file.last
    return Stack(line(_strong(head), f", the last of {last:%Y-%m-%dT%H:%M:%SZ}" if last else ""), *kept)


def accepted(result: Acceptance, screen: Screen) -> Stack:
    """What was, or would be, sealed and set aside, with what differs from the backup."""
    is_done = result.saved
    lines = [line(safe(told)) for told in differences(result)]
    if result.hand_edited is not None:
        lines.append(_strong(f"{_about(result)} {'is' if is_done else 'would be'} sealed as it stands"))
    done = "set aside as" if is_done else "would be set aside:"
    return Stack(*lines, *(line(f"{done} {safe(name)}") for name in result.copies))


def declined(result: Acceptance, screen: Screen) -> str:
    """Nothing was changed."""
    return f"{_about(result)} is left as it is\n"


def _about(result: Acceptance) -> str:
    return "current" if result.number is None else in_words(result.number)


def differences(result: Acceptance) -> Iterator[str]:
    """How the file differs from its backup."""
    if result.hand_edited is not None:
        yield from result.differences or ("it holds what its backup holds",)


def _strong(told: str) -> Text:
    return line((told, "bold"))


def _current(current: CurrentFile) -> Iterator[Text]:
    state: str | Text = f"names game {current.number}"
    if current.why:
        state = _strong(f"unusable ({safe(current.why)})")
    elif current.number is None:
        state = "no game is current"
    elif not current.is_there:
        state = _strong(f"names game {current.number}, which is not there")
    yield line("  current  ", state)
    yield from (line(f"  {safe(name)}  ", _strong("a conflict copy of current")) for name in current.copies)
    if advised := current_advice(current):
        yield line(f"    {advised}")


def _game(files: GameFiles) -> Iterator[Text]:
    yield line(f"  {place_of(files.number)}  ", _state(files.game), "; ", _backup(files))
    for name, copy in files.copies.items():
        what = _strong(f"a conflict copy of {in_words(files.number)}")
        same = " (the same bytes)" if copy.data is not None and copy.data == files.game.data else ""
        yield line(f"  {safe(name)}  ", what, ": ", _state(copy), same)
    yield from (line(f"    {advised}") for advised in advice(files))


def _state(found: Checked) -> Text:
    why = f" ({safe(found.why)})" if found.why else ""
    entries = "" if found.file is None else f", {_events(len(found.file.events))}"
    if found.state == "fine":
        return line(f"fine{entries}")
    words = "cannot be read" if found.state == "unreadable" else found.state
    return line(_strong(words), f"{why}{entries}")


def _backup(files: GameFiles) -> str | Text:
    backup, behind = files.backup, files.behind
    if backup.state == "missing":
        return "no backup"
    if backup.state != "fine":
        return line("backup ", _strong(backup.state), f" ({safe(backup.why)})")
    if behind is None:
        assert backup.file is not None
        return f"backup fine, {_events(len(backup.file.events))}"
    entries = "1 entry" if behind == 1 else f"{behind} entries"
    return f"backup fine, {entries} behind" if behind > 0 else "backup fine"


def _events(count: int) -> str:
    return f"{count} event{'' if count == 1 else 's'}"
