"""The state of the files: one line each, and below it what to do."""

from collections.abc import Iterator

from generala_cli.app.doctor import Acceptance, Diagnosis, Restored, advice, current_advice
from generala_cli.render.screen import Screen
from generala_cli.rules.names import safe
from generala_cli.store.checking import Checked
from generala_cli.store.examining import CurrentFile, GameFiles, Litter

Document = dict[str, object]

_LITTER: dict[Litter, str] = {
    "temporary": "left by a command that was killed; the next write sweeps it away",
    "kept": "the damaged bytes that a backup was put in place of; yours to delete",
    "set aside": "a conflict copy that was set aside; yours to delete",
    "foreign": "not a file of this program's; it is left alone",
}


def diagnosis(result: Diagnosis, screen: Screen) -> str:
    """Every file with its state, and what to do."""
    found = result.examined
    lines = [safe(found.directory), *_current(found.current, screen)]
    for files in found.games:
        lines += _game(files, screen)
    lines += [f"  {safe(name)}  {_LITTER[kind]}" for name, kind in found.litter.items()]
    lines.append(screen.strong(_summary(result)))
    return "\n".join(lines) + "\n"


def diagnosis_document(result: Diagnosis) -> Document:
    """The same for scripts."""
    found, current = result.examined, result.examined.current
    return {
        "folder": found.directory,
        "well": not result.unwell,
        "current": {
            "game": current.number,
            "why": current.why or None,
            "copies": list(current.copies),
            "advice": current_advice(current) or None,
        },
        "games": [_game_document(files) for files in found.games],
        "others": [{"file": name, "kind": kind} for name, kind in found.litter.items()],
        "saved": False,
    }


def restored(result: Restored, screen: Screen) -> str:
    """The game as it is now, and where its damaged bytes are."""
    what = "is" if result.saved else "would be"
    head = f"game {result.number} {what} what its backup holds: {_events(len(result.record.events))}"
    kept = f"  what was there is kept as {safe(result.kept)}\n" if result.kept else ""
    return f"{screen.strong(head)}, the last of {result.record.times[-1]}\n{kept}"


def accepted(result: Acceptance, screen: Screen) -> str:
    """What was, or would be, sealed and set aside, with what differs from the backup."""
    is_done = result.saved
    lines = [safe(line) for line in differences(result)]
    if result.hand_edited is not None:
        head = f"game {result.number} {'is' if is_done else 'would be'} sealed as it stands"
        lines.append(screen.strong(head))
    done = "set aside as" if is_done else "would be set aside:"
    lines += [f"{done} {safe(name)}" for name in result.copies]
    return "\n".join(lines) + "\n"


def declined(result: Acceptance) -> str:
    """Nothing was changed."""
    return f"{'current' if result.number is None else f'game {result.number}'} is left as it is\n"


def differences(result: Acceptance) -> Iterator[str]:
    """How the file differs from its backup."""
    if result.hand_edited is not None:
        yield from result.differences or ("it holds what its backup holds",)


def _summary(result: Diagnosis) -> str:
    if not result.unwell:
        return "all is well" if result.examined.games else "all is well; there are no games yet"
    return f"{result.unwell} of these need{'s' if result.unwell == 1 else ''} you"


def _current(current: CurrentFile, screen: Screen) -> Iterator[str]:
    if current.why:
        state = screen.strong(f"unusable ({safe(current.why)})")
    elif current.number is None:
        state = "no game is current"
    elif current.is_there:
        state = f"names game {current.number}"
    else:
        state = screen.strong(f"names game {current.number}, which is not there")
    yield f"  current  {state}"
    yield from (f"  {safe(name)}  {screen.strong('a conflict copy of current')}" for name in current.copies)
    if advised := current_advice(current):
        yield f"    {advised}"


def _game(files: GameFiles, screen: Screen) -> Iterator[str]:
    yield f"  games/{files.number}.json  {_state(files.game, screen)}; {_backup(files, screen)}"
    for name, copy in files.copies.items():
        what = screen.strong(f"a conflict copy of game {files.number}")
        same = " (the same bytes)" if copy.data is not None and copy.data == files.game.data else ""
        yield f"  {safe(name)}  {what}: {_state(copy, screen)}{same}"
    yield from (f"    {line}" for line in advice(files))


def _state(found: Checked, screen: Screen) -> str:
    why = f" ({safe(found.why)})" if found.why else ""
    entries = "" if found.record is None else f", {_events(len(found.record.events))}"
    if found.state == "fine":
        return f"fine{entries}"
    words = "cannot be read" if found.state == "unreadable" else found.state
    return f"{screen.strong(words)}{why}{entries}"


def _backup(files: GameFiles, screen: Screen) -> str:
    backup, behind = files.backup, _behind(files)
    if backup.state == "missing":
        return "no backup"
    if backup.state != "fine":
        return f"backup {screen.strong(backup.state)} ({safe(backup.why)})"
    if behind is None:
        assert backup.record is not None
        return f"backup fine, {_events(len(backup.record.events))}"
    entries = "1 entry" if behind == 1 else f"{behind} entries"
    return f"backup fine, {entries} behind" if behind > 0 else "backup fine"


def _behind(files: GameFiles) -> int | None:
    """How many events the backup lacks; None where one of the two cannot be read."""
    if files.game.record is None or files.backup.record is None:
        return None
    return len(files.game.record.events) - len(files.backup.record.events)


def _events(count: int) -> str:
    return f"{count} event{'' if count == 1 else 's'}"


def _game_document(files: GameFiles) -> Document:
    return {
        "game": files.number,
        **_checked_document(files.game),
        "backup": {**_checked_document(files.backup), "behind": _behind(files)},
        "copies": [{"file": name, **_checked_document(copy)} for name, copy in files.copies.items()],
        "advice": list(advice(files)),
    }


def _checked_document(found: Checked) -> Document:
    events = None if found.record is None else len(found.record.events)
    return {"state": found.state, "why": found.why or None, "events": events}
