"""The answer of a sync: news from other machines through a shared folder."""

from collections.abc import Iterator

from generala_cli.app.importing import Imported
from generala_cli.app.syncing import MachineRead, Synced
from generala_cli.messages import Message, tell, tell_count
from generala_cli.render.importing import afterwards, imported_from
from generala_cli.render.importing import what_to_do as what_to_do_about
from generala_cli.render.language import said, say
from generala_cli.render.lines import with_lines
from generala_cli.render.screen import Screen


def synced(result: Synced, screen: Screen) -> str:
    """For each machine what is new here, then what is so of this one."""
    parts = []
    for each in result.machines:
        if each.state == "unusable":
            continue
        lines = list(_news_of(each, saved=result.saved))
        if result.is_own(each):
            heading = tell("nothing new from this machine's own file")
            if lines:
                heading = tell("from this machine's own file:")
        else:
            heading = tell("from {machine}:") if lines else tell("nothing new from {machine}")
            heading = heading.with_values(machine=screen.strong(each.machine))
        parts.append(with_lines(said(heading), lines, screen))
    ours = tell("{file} is as it was")
    if result.written:
        ours = tell("written: {file}") if result.saved else tell("would write {file}")
    alone = [] if result.machines else [say("no other machine has written there yet")]
    if result.given_up is not None:
        why = tell("another machine writes {file} too, which is its own from now on", file=result.given_up)
        alone.append(said(why))
    shown = said(ours.with_values(file=result.file))
    return "".join((*parts, with_lines(shown, [*alone, *afterwards(_imported(result))], screen)))


def _news_of(machine: MachineRead, *, saved: bool) -> Iterator[str]:
    if machine.news is not None:
        yield from imported_from(machine.news, saved=saved)
    if machine.deleted:
        what = tell_count(
            "{count} game was deleted here and is left out; --deleted takes it over",
            "{count} games were deleted here and are left out; --deleted takes them over",
            machine.deleted,
        )
        yield said(what)


def what_to_do(result: Synced) -> Iterator[str | Message]:
    """What is read again next time, what waits for a choice, and what of ours the others do not get."""
    for each in result.machines:
        if each.trouble is not None:
            what = tell("{problem}; it is read again next time")
            if result.is_own(each):
                what = tell("{problem}; it is this machine's own, and written anew")
            yield said(what.with_values(problem=each.trouble.message))
    yield from what_to_do_about(_imported(result))
    yield from (each.note for each in result.left_out)
    if result.unsaved is not None:
        yield say("folder and name are not remembered: {reason}", reason=result.unsaved.message)


def _imported(result: Synced) -> Imported:
    """All that was new here, as one import."""
    return Imported(
        files=tuple(each.news for each in result.machines if each.news is not None),
        current=result.current,
        kept=result.kept,
        saved=result.saved,
    )
