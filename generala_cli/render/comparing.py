"""A game that went on in two places: the versions side by side, and what was taken."""

from collections.abc import Iterator, Mapping

from rich.console import RenderableType
from rich.text import Text

from generala_cli.app.comparing import Comparison, GameVersion, Standing
from generala_cli.app.doctor import unread_advice
from generala_cli.game.events import Entry
from generala_cli.messages import Message, listing, tell
from generala_cli.render.drawing import Hanging, Stack, plain_table, text
from generala_cli.render.language import moment, said, say, say_count
from generala_cli.render.lines import entry_parts, with_lines
from generala_cli.render.lists import Item
from generala_cli.render.screen import Screen
from generala_cli.store.choosing import TakenVersion
from generala_cli.text import safe

_STANDINGS: Mapping[Standing, Message] = {
    "own": tell("the game's own file"),
    "unusable": tell("cannot be used ({why})"),
    "earlier": tell("an earlier version of this, with nothing of its own"),
    "later": tell("this, and more"),
    "settled": tell("was settled elsewhere: takes that, and not this"),
    "not taken": tell("was settled here: takes this, and not that"),
    "both taken": tell("was settled here and elsewhere, each another way"),
    "parted": tell("went on another way"),
}


def compared(result: Comparison, screen: Screen) -> RenderableType:
    """The versions, the turns from the first that differs, the totals, and how one is taken."""
    parts: list[RenderableType] = [_heading(result)]
    parts += [text(f"  {_described(version)}") for version in result.versions]
    parts += _side_by_side(result, screen.marks.missing)
    if result.unread:
        return Stack(*parts, *(text(said(unread_advice(version.place))) for version in result.unread))
    takes = [
        say("generala doctor {game} --take {version}", game=result.number, version=_typed(version))
        for version in result.usable
    ]
    parts.append(text(say("to take one and set the other aside:")))
    parts += [text(f"  {each}") for each in takes]
    return Stack(*parts)


def version_items(result: Comparison, screen: Screen) -> list[Item]:
    """The same on the screen of a game: a version that can be taken under its number there, from 1."""
    usable = result.usable
    items = [Item(None, (_heading(result),))]
    for version in result.versions:
        number = usable.index(version) + 1 if version in usable else None
        items.append(Item(number, (Hanging(text(f"{number or ' '}  {_described(version)}"), 1),)))
    return [*items, Item(None, ("", *_side_by_side(result, screen.marks.missing)))]


def _heading(result: Comparison) -> Text:
    return text(
        say("game {game} has {count} versions", game=result.number, count=len(result.versions)), "bold"
    )


def _side_by_side(result: Comparison, missing: str) -> Iterator[RenderableType]:
    """The turns from the first that differs and the totals, a column for each version that can be used."""
    if not result.usable:
        return
    heads = [say("turn"), say("player"), *(version.name for version in result.usable)]
    if result.turns:
        first = result.turns[0].number
        yield text(say("the same up to turn {turn}", turn=first - 1) if first > 1 else "")
    elif len(result.usable) > 1:
        yield text(say("all turns are the same"))
    rows = [*_turns(result, missing), *_totals(result, missing)]
    yield plain_table(heads, rows, right=(0,), wrapping=tuple(range(2, len(heads))))


def _typed(version: GameVersion) -> str:
    name = safe(version.name)
    return f"'{name}'" if " " in name else name


def _described(version: GameVersion) -> str:
    standing = _STANDINGS[version.standing].with_values(why=version.checked.why)
    line = f"{safe(version.name)}: {said(standing)}"
    if version.name != version.file_name:
        line += f", {safe(version.place)}"
    file = version.checked.file
    if file is None:
        return line
    events = say_count("{count} event", "{count} events", len(file.events))
    at = f", {say('the last of {moment}', moment=moment(file.last.astimezone()))}" if file.last else ""
    machines = listing([safe(name) for name in version.entered_by], "and")
    by = f", {say('entered by {machine}', machine=machines)}" if version.entered_by else ""
    return f"{line}, {events}{at}{by}"


def _turns(result: Comparison, missing: str) -> Iterator[tuple[str, ...]]:
    for turn in result.turns:
        players = dict.fromkeys(entry.player for entry in turn.entries if entry is not None)
        cells = (
            _cell(version, entry, missing, is_named=len(players) > 1)
            for version, entry in zip(result.usable, turn.entries, strict=True)
        )
        yield (str(turn.number), "/".join(players), *cells)


def _cell(version: GameVersion, entry: Entry | None, missing: str, *, is_named: bool) -> str:
    """`55533 full house 30`, with the player where it is another one elsewhere."""
    if entry is None or version.game is None:
        return missing
    title, points = entry_parts(version.game, entry)
    dice = "" if entry.dice is None else "".join(map(str, entry.dice))
    parts = (entry.player if is_named else "", dice, title, points)
    return " ".join(part for part in parts if part)


def _totals(result: Comparison, missing: str) -> Iterator[tuple[str, ...]]:
    games = [version.game for version in result.usable if version.game is not None]
    players = dict.fromkeys(player for game in games for player in game.seats)
    for place, player in enumerate(players):
        totals = (str(game.total(player)) if player in game.seats else missing for game in games)
        yield ("" if place else say("total"), player, *totals)


def taken(result: TakenVersion, screen: Screen) -> str:
    """Which version the game is now, and where the others are."""
    what = tell("game {game} would be as in {file}, with {events}")
    if result.saved:
        what = tell("game {game} is as in {file}, with {events}")
    events = say_count("{count} event", "{count} events", len(result.file.events))
    head = said(what.with_values(game=result.file.game, file=safe(result.place), events=events))
    if result.saved:
        lines = [say("what was not taken is kept as {file}", file=safe(name)) for name in result.aside]
    else:
        lines = [say("would be set aside: {file}", file=safe(name)) for name in result.aside]
    return with_lines(head, lines, screen)
