"""Option combinations that a command rejects, according to the table of commands."""

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations
from typing import Any

from msgspec import Struct

from generala_cli.errors import UsageError
from generala_cli.messages import CommandLine, Message, lazy, listing
from generala_cli.packages import Command

_MANNER = {"-q", "-n", "--yes"}
"""Options that only affect a write. No hint suggests a write just to make them valid."""


class _Clash(Struct, frozen=True):
    what: Message
    involved: tuple[str, ...]
    missing: tuple[str, ...] = ()


def check_combination(context: Any, command: Command) -> None:
    """Raise UsageError if the typed options conflict. The hint says what to change."""
    typed = dict(_typed(context))
    clash = _find_clash(command, typed)
    if clash is not None:
        ways = listing(_ways_out(command, typed, clash))
        shown = dict(zip(("one", "other"), (typed[name] for name in clash.involved), strict=False))
        raise UsageError(clash.what.with_values(**shown), Message("{ways}", {"ways": ways}))


def _typed(context: Any) -> Iterator[tuple[str, str]]:
    """Yield each typed option, under all its names, and each argument, with the text to show."""
    while context is not None:
        for parameter in context.command.params:
            source = context.get_parameter_source(parameter.name)
            value = context.params.get(parameter.name)
            if getattr(source, "name", "") != "COMMANDLINE" or value in (None, False, [], ()):
                continue
            if parameter.param_type_name == "option":
                yield from ((name, name) for name in parameter.opts)
            else:
                yield (
                    parameter.metavar.strip("[]."),
                    str(value) if isinstance(value, str | int) else " ".join(value),
                )
        context = context.parent


def _find_clash(command: Command, typed: Collection[str]) -> _Clash | None:
    for group in command.excludes:
        both = tuple(name for name in group if name in typed)[:2]
        if len(both) > 1:
            return _Clash(lazy("{one} and {other} cannot be combined"), both)
    for name, others in command.needs.items():
        if name in typed and not any(other in typed for other in others):
            what = lazy("{one} has no effect here")
            if others:
                what = lazy("{one} works only with {needed}", needed=listing(map(CommandLine, others)))
            return _Clash(what, (name,), others)
    return None


def _ways_out(command: Command, typed: Mapping[str, str], clash: _Clash) -> Iterator[Message]:
    for name in clash.missing:
        if clash.involved[0] not in _MANNER and _find_clash(command, {*typed, name}) is None:
            yield lazy("add {option}", option=CommandLine(name))
    rules = (clash.involved, *command.excludes, tuple(command.needs))
    ruled = dict.fromkeys(name for rule in rules for name in rule if name in typed)
    for count in range(1, len(ruled) + 1):
        found = [
            listing((CommandLine(typed[name]) for name in names), "and")
            for names in combinations(ruled, count)
            if _find_clash(command, typed.keys() - set(names)) is None
        ]
        if found:
            yield lazy("remove {options}", options=listing(found))
            return
