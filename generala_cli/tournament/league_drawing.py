from collections.abc import Iterator, Sequence

from msgspec import UNSET
from rich.console import RenderableType

from generala_cli.messages import Message, lazy, lazy_count, listing
from generala_cli.render.drawing import Column, GivesWay, Stack, fits, table, text
from generala_cli.render.language import day, number, translate, translate_count, translated
from generala_cli.render.screen import Screen, draw
from generala_cli.render.tables import local_time
from generala_cli.tournament.answers import (
    League,
    LeagueList,
    LeagueNight,
    LeaguePlayer,
    NightPlace,
    RulesHeadStarts,
)
from generala_cli.tournament.wording import TIE_BREAKS, points_text


@draw.register
def league_list(result: LeagueList, screen: Screen) -> RenderableType:
    found = result.leagues
    if not found:
        hint = lazy("no nights share a name yet; to name a game, run generala new NAME NAME --name LABEL")
        return Stack(text(translated(hint)))
    return table(
        Column(lazy("name"), [each.name for each in found], gives_way=GivesWay.SHORTENS),
        Column(lazy("nights"), [each.nights for each in found], right=True),
        Column(
            lazy("players", context="count"),
            [each.players for each in found],
            right=True,
            gives_way=GivesWay.DROPS,
        ),
        Column(
            lazy("first", context="night"),
            [day(each.first.astimezone()) for each in found],
            gives_way=GivesWay.DROPS,
        ),
        Column(lazy("last", context="night"), [day(each.last.astimezone()) for each in found]),
        screen=screen,
    )


@draw.register
def league(result: League, screen: Screen) -> Stack:
    if not result.nights:
        nothing = lazy("{name} has no finished games yet", name=result.name)
        return Stack(text(translated(nothing)), *_not_counted(result))
    parts: list[RenderableType] = [
        text(translated(_heading(result)), "bold"),
        *_standings(result, screen),
        *_not_counted(result),
        "",
        _nights(result.nights, screen),
    ]
    if result.head_starts is not UNSET:
        last = result.nights[-1]
        parts += [part for each in result.head_starts for part in ("", *_head_starts(each, screen))]
        parts += ["", text(translate("ranked by totals, with each night's head starts"), "bold")]
        parts.append(_with_head_starts(result.standings, screen))
        if last.night > 1:
            heading = translate("night {number}, ranked by totals with its head starts", number=last.night)
            parts += ["", text(heading, "bold"), _with_head_starts(last.standings, screen)]
    return Stack(*parts)


def _heading(result: League) -> Message:
    count = len(result.nights)
    if result.best is None:
        return lazy_count(
            "{name} after {count} night", "{name} after {count} nights", count, name=result.name
        )
    if result.best == 1:
        return lazy_count(
            "{name} after {count} night; each player's best night counts",
            "{name} after {count} nights; each player's best night counts",
            count,
            name=result.name,
        )
    return lazy_count(
        "{name} after {count} night; each player's best {best} count",
        "{name} after {count} nights; each player's best {best} count",
        count,
        name=result.name,
        best=result.best,
    )


def _standings(result: League, screen: Screen) -> Iterator[RenderableType]:
    found = result.standings
    broken = [translated(TIE_BREAKS[each.decided_by]) for each in found]
    nights = [len(each.counted) + len(each.dropped) for each in found]
    figure = [] if result.by == "places" else [_figure(result)]
    won = GivesWay.NEVER if result.by == "places" else GivesWay.DROPS
    columns = [
        Column(lazy("place"), [each.place for each in found], right=True),
        Column(lazy("player"), [each.player for each in found], gives_way=GivesWay.APART),
        *figure,
        Column(lazy("nights"), nights, right=True, gives_way=GivesWay.DROPS),
        Column(lazy("won", context="nights"), [each.wins for each in found], right=True, gives_way=won),
        Column(lazy("decided"), broken, gives_way=GivesWay.DROPS, if_any=True),
    ]
    by_night = [_night_column(result, night) for night in result.nights]
    dropped = [", ".join(map(str, each.dropped)) for each in found]
    if fits([*columns, *by_night], screen):
        yield table(*columns, *by_night, screen=screen)
        if any(dropped):
            yield translate("  (nights in brackets are not among the player's best)")
    elif any(dropped):
        without = Column(lazy("without", context="nights"), dropped, gives_way=GivesWay.WRAPS)
        yield table(*columns, without, screen=screen)
    else:
        yield table(*columns, screen=screen)


def _figure(result: League) -> Column:
    if result.by == "points":
        return Column(lazy("points"), [points_text(each.points) for each in result.standings], right=True)
    return Column(lazy("total"), [each.total for each in result.standings], right=True)


def _night_column(result: League, night: LeagueNight) -> Column:
    cells: dict[str, str] = {}
    for each in night.standings:
        worth = {"points": points_text(each.points), "totals": each.total, "places": each.place}[result.by]
        cells[each.player] = str(worth) if each.counts else f"({worth})"
    return Column(str(night.night), [cells.get(each.player, "") for each in result.standings], right=True)


def _not_counted(result: League) -> Iterator[str]:
    if result.open:
        yield translate_count(
            "{count} game is in progress and does not count yet",
            "{count} games are in progress and do not count yet",
            result.open,
        )
    if result.missing:
        yield translate_count(
            "the game of {count} table is missing and does not count",
            "the games of {count} tables are missing and do not count",
            result.missing,
        )
    if result.may_be_of_these:
        yield translate_count(
            "game {games} does not count: it may belong to a damaged tournament",
            "games {games} do not count: they may belong to a damaged tournament",
            len(result.may_be_of_these),
            games=listing(result.may_be_of_these, "and"),
        )


def _nights(nights: Sequence[LeagueNight], screen: Screen) -> RenderableType:
    first = [[place.player for place in each.standings if place.place == 1] for each in nights]
    return table(
        Column(lazy("night"), [each.night for each in nights], right=True),
        Column(
            lazy("started"),
            [local_time(each.started) for each in nights],
            short_cells=[day(each.started.astimezone()) for each in nights],
        ),
        Column(lazy("name"), [each.name for each in nights], gives_way=GivesWay.SHORTENS),
        Column(lazy("games"), [len(each.games) for each in nights], right=True, gives_way=GivesWay.DROPS),
        Column(
            lazy("players", context="count"),
            [len(each.standings) for each in nights],
            right=True,
            gives_way=GivesWay.DROPS,
        ),
        Column(
            lazy("first", context="place"),
            [translated(listing(names, "and")) for names in first],
            gives_way=GivesWay.SHORTENS,
        ),
        screen=screen,
    )


def _head_starts(found: RulesHeadStarts, screen: Screen) -> Iterator[RenderableType]:
    heading = translate(
        "head start in the next game of {rules} ({fingerprint})",
        rules=found.rules,
        fingerprint=found.fingerprint,
    )
    shown = found.players
    averages = ["" if each.average is None else number(each.average, ".1f") for each in shown]
    yield text(heading, "bold")
    yield table(
        Column(lazy("player"), [each.player for each in shown], gives_way=GivesWay.APART),
        Column(lazy("games"), [each.games for each in shown], right=True, gives_way=GivesWay.DROPS),
        Column(lazy("average"), averages, right=True),
        Column(
            lazy("expected"),
            [number(each.expected, ".1f") for each in shown],
            right=True,
            gives_way=GivesWay.DROPS,
        ),
        Column(lazy("head start"), [each.head_start for each in shown], right=True),
        screen=screen,
    )


def _with_head_starts(
    places: Sequence[LeaguePlayer] | Sequence[NightPlace], screen: Screen
) -> RenderableType:
    found = sorted(
        ((each, each.with_head_start) for each in places if each.with_head_start is not UNSET),
        key=lambda pair: (pair[1].place, pair[0].place),
    )
    return table(
        Column(lazy("place"), [given.place for _, given in found], right=True),
        Column(lazy("player"), [each.player for each, _ in found], gives_way=GivesWay.APART),
        Column(lazy("total"), [each.total for each, _ in found], right=True, gives_way=GivesWay.DROPS),
        Column(lazy("head start"), [given.head_start for _, given in found], right=True),
        Column(lazy("sum"), [given.total for _, given in found], right=True),
        screen=screen,
    )
