"""The state of the files: one line each, and below it what to do."""

from collections.abc import Iterator, Mapping

from rich.text import Text

from generala_cli.app.doctor import Acceptance, Diagnosis, Restored, advice, current_advice
from generala_cli.messages import Message, tell
from generala_cli.render.drawing import Stack, line
from generala_cli.render.language import moment, said, say, say_count
from generala_cli.render.screen import Screen
from generala_cli.store.examining import Checked, CurrentFile, GameFiles, Litter, State, place_of
from generala_cli.store.folder import PAYMENTS
from generala_cli.store.store import HOW_TO_UPGRADE
from generala_cli.store.upgrading import Upgraded
from generala_cli.text import safe

_LITTER: Mapping[Litter, Message] = {
    "temporary": tell("left by a command that was killed; the next write sweeps it away"),
    "kept": tell("the damaged bytes that a backup was put in place of; yours to delete"),
    "set aside": tell("a conflict copy that was set aside; yours to delete"),
    "upgraded": tell("a file of an earlier format that was moved over; yours to delete"),
    "foreign": tell("not a file of this program's; it is left alone"),
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
    older = [line(f"  {name}  ", _strong(say("of an earlier format"))) for name in found.older]
    if older:
        older.append(line(f"    {said(HOW_TO_UPGRADE)}"))
    litter = (line(f"  {safe(name)}  {said(_LITTER[kind])}") for name, kind in found.litter.items())
    parts = (*_current(found.current), *games, *older, *litter)
    summary = say("all is well") if found.games else say("all is well; there are no games yet")
    if result.unwell:
        summary = say_count("{count} of these needs you", "{count} of these need you", result.unwell)
    return Stack(line(safe(found.directory)), *parts, _strong(summary))


def upgraded(result: tuple[Upgraded, ...], screen: Screen, *, saved: bool) -> Stack:
    """The games that were, or would be, moved over, and those that were left."""
    many = say_count("{count} game of an earlier format", "{count} games of earlier formats", len(result))
    lines = [line(many if result else say("no game is of an earlier format"))]
    for one in result:
        done = say("moved over; its old file is kept as {file}", file=one.kept)
        done = done if saved else say("would be moved over")
        left = line(_strong(say("left as it is")), f" ({safe(said(one.problem))})")
        lines.append(line(f"  {say('game {game}', game=one.number)}  ", left if one.problem else done))
    if any(one.problem for one in result):
        how = say("where games/N.json.bak is whole, put it in the place of games/N.json and try again")
        lines.append(line(f"    {how}"))
    return Stack(*lines)


def restored(result: Restored, screen: Screen) -> Stack:
    """The game as it is now, and where its damaged bytes are."""
    owner, events = result.owner, _events(len(result.file.events))
    head = tell("game {game} would be what its backup holds: {events}", game=owner, events=events)
    if owner == PAYMENTS:
        head = tell("the payments' file would be what its backup holds: {events}", events=events)
    if result.saved:
        head = tell("game {game} is what its backup holds: {events}", game=owner, events=events)
        if owner == PAYMENTS:
            head = tell("the payments' file is what its backup holds: {events}", events=events)
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
        if result.number == PAYMENTS:
            sealed = tell("the payments' file would be sealed as it stands")
            if result.saved:
                sealed = tell("the payments' file is sealed as it stands")
        else:
            sealed = tell("game {game} would be sealed as it stands", game=result.number)
            if result.saved:
                sealed = tell("game {game} is sealed as it stands", game=result.number)
        lines.append(_strong(said(sealed)))
    for name in map(safe, result.copies):
        done = say("set aside as {file}", file=name)
        lines.append(line(done if result.saved else say("would be set aside: {file}", file=name)))
    return Stack(*lines)


def declined(result: Acceptance, screen: Screen) -> str:
    """That nothing was changed."""
    left = tell("game {game} is left as it is", game=result.number)
    if result.number is None:
        left = tell("current is left as it is")
    elif result.number == PAYMENTS:
        left = tell("the payments' file is left as it is")
    return f"{said(left)}\n"


def differences(result: Acceptance) -> Iterator[str]:
    """How the file differs from its backup."""
    if result.hand_edited is not None:
        yield from map(said, result.differences or (tell("it holds what its backup holds"),))


def _strong(words: str) -> Text:
    return line((words, "bold"))


def _current(current: CurrentFile) -> Iterator[Text]:
    state: str | Text = say("names game {game}", game=current.number)
    if current.why:
        state = _strong(say("unusable ({why})", why=safe(said(current.why))))
    elif current.number is None:
        state = say("no game is current")
    elif not current.is_there:
        state = _strong(say("names game {game}, which is not there", game=current.number))
    yield line("  current  ", state)
    copy = _strong(say("a conflict copy of current"))
    yield from (line(f"  {safe(name)}  ", copy) for name in current.copies)
    if advised := current_advice(current):
        yield line(f"    {said(advised)}")


def _game(files: GameFiles) -> Iterator[Text]:
    yield line(f"  {place_of(files.number)}  ", _state(files.game), "; ", _backup(files))
    whose = say("a conflict copy of game {game}", game=files.number)
    if files.number == PAYMENTS:
        whose = say("a conflict copy of the payments' file")
    for name, copy in files.copies.items():
        is_same = copy.data is not None and copy.data == files.game.data
        same = f" ({say('the same bytes')})" if is_same else ""
        yield line(f"  {safe(name)}  ", _strong(whose), ": ", _state(copy), same)
    yield from (line(f"    {said(advised)}") for advised in advice(files))


def _state(found: Checked) -> Text:
    entries = "" if found.file is None else f", {_events(len(found.file.events))}"
    state = said(_STATES[found.state])
    if found.state == "fine":
        return line(f"{state}{entries}")
    why = f" ({safe(said(found.why))})" if found.why else ""
    return line(_strong(state), f"{why}{entries}")


def _backup(files: GameFiles) -> str | Text:
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
