"""Draw statistics, records and head-to-head results, with names from the games."""

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import UNSET, UnsetType
from rich.console import RenderableType

from generala_cli.game.money import POINT
from generala_cli.messages import lazy, listing
from generala_cli.render.drawing import (
    Bars,
    Column,
    GivesWay,
    Hanging,
    Stack,
    fits,
    give_or_take,
    shortened,
    signed,
    table,
    text,
)
from generala_cli.render.language import number, percent, translate, translate_count, translated
from generala_cli.render.lines import amount, named, setting_text
from generala_cli.render.screen import Screen, draw
from generala_cli.render.tables import local_time, short_name
from generala_cli.rules.ruleset import RuleSet
from generala_cli.statistics.answers import (
    DiceKind,
    DiceStats,
    Difference,
    Duel,
    GameCost,
    LeftOut,
    Record,
    Records,
    Stats,
    StatsPlayer,
    StatsRules,
    Versus,
    VersusPair,
    VersusRules,
)
from generala_cli.statistics.dice import MOSTLY
from generala_cli.statistics.games import ExaminedGames
from generala_cli.statistics.records import TITLES
from generala_cli.statistics.significance import LEVEL
from generala_cli.text import safe

_LONGEST_BAR = 20
_LONGEST_NAME = 16
_MOST_STEPS = 8
_MOST_HOLDERS = 3


def drawn(answer: Stats | Records | Versus, examined: ExaminedGames, screen: Screen) -> Stack:
    match answer:
        case Stats():
            return stats(answer, examined, screen)
        case Records():
            return records(answer, examined, screen)
        case Versus():
            return versus(answer, examined, screen)


def stats(result: Stats, examined: ExaminedGames, screen: Screen) -> Stack:
    left_out = _left_out(result.left_out)
    if not result.players:
        if result.player is None:
            return Stack(_no_game(), *left_out)
        nothing = translate(
            "no finished games of {player} to count; generala games lists all games",
            player=safe(result.player),
        )
        return Stack(nothing, *left_out)
    if result.player is None:
        parts = [_everyone(result, screen), *_by_kind(result, examined, screen)]
    else:
        parts = [*_one(result, result.players[0], examined, screen)]
    if any(player.wins % 1 for player in result.players):
        parts += ["", translate("a joint win counts as a share")]
    turns = [each.keeping_turns for player in result.players for each in player.rules]
    if UNSET not in turns:
        parts += ["", translate("luck, mistakes: per game, as in generala review")]
        if known := sum(count for count in turns if count is not UNSET):
            parts.append(
                translate_count(
                    "keeping: per game, from {count} turn with known throws",
                    "keeping: per game, from {count} turns with known throws",
                    known,
                )
            )
    return Stack(_heading(examined), "", *parts, *left_out)


def _heading(examined: ExaminedGames) -> RenderableType:
    """Return `6 finished games, 2026-11-20 21:04 to 2026-11-27 23:10`."""
    finished = examined.finished
    first, last = finished[0].started, finished[-1].started
    span = local_time(first)
    if len(finished) > 1:
        span = translate("{first} to {last}", first=span, last=local_time(last))
    return text(f"{_games(len(finished))}, {span}", "bold")


def _no_game() -> str:
    return translate("no finished games to count; generala games lists all games")


def _games(count: int) -> str:
    return translate_count("{count:,} finished game", "{count:,} finished games", count)


def _left_out(left: LeftOut) -> Iterator[str]:
    parts = []
    if left.unfinished:
        parts.append(
            translate_count("{count:,} unfinished game", "{count:,} unfinished games", left.unfinished)
        )
    if left.undone:
        parts.append(translate_count("{count:,} undone entry", "{count:,} undone entries", left.undone))
    if damaged := len(left.damaged):
        parts.append(translate_count("{count:,} unreadable game", "{count:,} unreadable games", damaged))
    if parts:
        yield ""
        yield translate("not counted: {games}", games=", ".join(parts))


def _everyone(result: Stats, screen: Screen) -> RenderableType:
    players = result.players
    return table(
        Column(lazy("player"), [each.player for each in players], gives_way=GivesWay.APART),
        Column(lazy("games"), [each.games for each in players], right=True),
        Column(lazy("won"), [_wins(each.wins) for each in players], right=True),
        Column(cells=[percent(each.win_share) for each in players], right=True),
        Bars(cells=[each.win_share for each in players], longest=_LONGEST_BAR),
        Column(
            lazy("in a row"),
            [_in_a_row(each.streaks.now) for each in players],
            gives_way=GivesWay.DROPS,
        ),
        screen=screen,
    )


def _in_a_row(now: int) -> str:
    if now > 0:
        return translate_count("{count} won", "{count} won", now)
    return translate_count("{count} not won", "{count} not won", -now)


def _wins(wins: float) -> str:
    return number(wins, ".1f" if wins % 1 else ".0f")


def _by_kind(result: Stats, examined: ExaminedGames, screen: Screen) -> Iterator[RenderableType]:
    for kind, games in examined.counts.items():
        own = [
            (player.player, each)
            for player in result.players
            for each in player.rules
            if each.fingerprint == kind
        ]
        yield ""
        yield text(f"{called(examined.rules[kind])}: {_games(games)} ({kind})", "bold")
        yield from _under_rules(sorted(own, key=lambda each: -each[1].mean), screen)
        yield from _differences([each for each in result.differences if each.fingerprint == kind])


def called(rules: RuleSet) -> str:
    return ", ".join([named(rules), *(setting_text(rules, key, value) for key, value in rules.settings)])


def _under_rules(own: Sequence[tuple[str, StatsRules]], screen: Screen) -> Iterator[RenderableType]:
    names, figures = [name for name, _ in own], [each for _, each in own]
    lucks = [_signed(each.luck, screen) for each in figures]
    keepings = [_signed(each.keeping, screen, -1) for each in figures]
    mistakes = [_signed(each.mistakes, screen, -1) for each in figures]
    drops = GivesWay.DROPS
    columns = (
        Column(lazy("player"), names, gives_way=GivesWay.APART),
        Column(lazy("games"), [each.games for each in figures], right=True),
        Column(lazy("mean"), [number(each.mean, ".1f") for each in figures], right=True),
        Column(cells=["" if each.spread is None else give_or_take(each.spread, screen) for each in figures]),
        Column(lazy("best"), [each.best for each in figures], right=True),
        Column(lazy("won"), [_wins(each.wins) for each in figures], right=True, gives_way=drops),
        Column(
            lazy("scratched", context="heading"),
            [percent(each.scratched) for each in figures],
            right=True,
            gives_way=drops,
        ),
        Column(
            lazy("served"),
            [percent(each.served) for each in figures],
            right=True,
            gives_way=drops,
        ),
        Column(lazy("luck"), lucks, right=True, gives_way=drops, if_any=True),
        Column(lazy("keeping"), keepings, right=True, gives_way=drops, if_any=True),
        Column(lazy("mistakes"), mistakes, right=True, gives_way=drops, if_any=True),
    )
    yield table(*columns, screen=screen)
    if any(lucks) and not fits(columns, screen):
        for name, luck, keeping, mistake in zip(names, lucks, keepings, mistakes, strict=True):
            judgement = lazy("{player}: luck {luck}, mistakes {mistakes}")
            if keeping:
                judgement = lazy("{player}: luck {luck}, keeping {keeping}, mistakes {mistakes}")
            values = {"player": safe(name), "luck": luck, "keeping": keeping, "mistakes": mistake}
            yield translated(judgement.with_values(**values))


def _signed(points: float | UnsetType | None, screen: Screen, sign: Literal[1, -1] = 1) -> str:
    return "" if points is UNSET or points is None else signed(sign * points, screen)


def _differences(found: Sequence[Difference]) -> Iterator[str]:
    if level := [safe(each.behind) for each in found if _is_level(each.points)]:
        players = listing([safe(found[0].ahead), *level], "and")
        yield translate("{players} have the same mean", players=players)
    for is_sure in (True, False):
        own = [each for each in found if each.sure == is_sure and not _is_level(each.points)]
        leads = [
            lazy("{points:.1f} more than {player}", points=each.points, player=safe(each.behind))
            for each in own
        ]
        if leads:
            ahead, more = safe(own[0].ahead), listing(leads, "and")
            sure = lazy("unlikely to be chance: {player} scores {more} per game", player=ahead, more=more)
            unsure = lazy("too few games to tell: {player} scores {more} per game", player=ahead, more=more)
            yield translated(sure if is_sure else unsure)


def _is_level(points: float) -> bool:
    return round(abs(points), 1) == 0


def _one(
    result: Stats, player: StatsPlayer, examined: ExaminedGames, screen: Screen
) -> Iterator[RenderableType]:
    yield text(_in_short(player))
    for each in player.rules:
        rules = examined.rules[each.fingerprint]
        yield ""
        yield text(f"{called(rules)} ({each.fingerprint})", "bold")
        yield from _under_rules([(player.player, each)], screen)
        yield ""
        yield _categories(each, rules, screen)
        if each.extra_bonuses is not UNSET and (box := rules.all_alike_box) is not None:
            yield translate("extra {box}: {count:,}", box=named(box), count=each.extra_bonuses)
        if each.games > 1:
            yield from ("", *_histogram(examined.totals[player.player, each.fingerprint], screen))
        if each.costs is not UNSET and len(each.costs) > 1:
            yield from ("", *_costs(each.costs, screen))
        for found in result.differences:
            if found.behind == player.player and found.fingerprint == each.fingerprint:
                yield from _behind(found)
    if all(each.luck is UNSET for each in player.rules):
        yield ""
        yield translate("generala stats NAME --luck shows luck and the cost of choices per game over time")


def _in_short(player: StatsPlayer) -> str:
    runs, now = player.streaks, player.streaks.now
    games = translate_count(
        "{player}: {wins} of {count:,} finished game won ({share})",
        "{player}: {wins} of {count:,} finished games won ({share})",
        player.games,
        player=player.player,
        wins=_wins(player.wins),
        share=percent(player.win_share),
    )
    last = translate_count("the last {count} not won", "the last {count} not won", abs(now))
    if now > 0:
        last = translate_count("the last {count} won", "the last {count} won", now)
    most = translate("longest streaks: {won} won, {lost} not won", won=runs.won, lost=runs.lost)
    return f"{games}, {last}; {most}"


def _behind(found: Difference) -> Iterator[str]:
    ahead, more = safe(found.ahead), number(found.points, ".1f")
    if _is_level(found.points):
        yield ""
        yield translate("{player} has the same mean", player=ahead)
        return
    sure = lazy(
        "{player} scores {points} more points per game: unlikely to be chance", player=ahead, points=more
    )
    unsure = lazy(
        "{player} scores {points} more points per game: too few games to tell", player=ahead, points=more
    )
    yield ""
    yield translated(sure if found.sure else unsure)


def _categories(each: StatsRules, rules: RuleSet, screen: Screen) -> RenderableType:
    found = each.categories
    highest = max((figures.mean for figures in found), default=0) or 1
    categories = [rules.category(figures.category) for figures in found]
    return table(
        Column(
            lazy("category"),
            [named(category) for category in categories],
            gives_way=GivesWay.SHORTENS,
            short_heading="",
            short_cells=[short_name(category) for category in categories],
        ),
        Column(lazy("mean"), [number(figures.mean, ".1f") for figures in found], right=True),
        Bars(cells=[figures.mean / highest for figures in found], longest=_LONGEST_BAR),
        Column(lazy("best"), [figures.best for figures in found], right=True),
        Column(
            lazy("scratched", context="heading"),
            [percent(figures.scratched) for figures in found],
            right=True,
            short_heading=lazy("x", context="scratched"),
        ),
        Column(
            lazy("served"),
            [percent(figures.served) for figures in found],
            right=True,
            short_heading=lazy("1st", context="throw"),
        ),
        screen=screen,
    )


def _histogram(totals: Sequence[int], screen: Screen) -> Iterator[RenderableType]:
    width = round_step(max(totals) - min(totals) + 1)
    low = min(totals) // width * width
    counts = [0] * ((max(totals) - low) // width + 1)
    for total in totals:
        counts[(total - low) // width] += 1
    starts = [low + place * width for place in range(len(counts))]
    yield translate("totals")
    yield table(
        Column(
            cells=[translate("{first} to {last}", first=each, last=each + width - 1) for each in starts],
            right=True,
        ),
        Column(cells=[number(count, ",") for count in counts], right=True),
        Bars(cells=[count / max(counts) for count in counts], longest=2 * _LONGEST_BAR),
        screen=screen,
    )


def _costs(costs: Sequence[GameCost], screen: Screen) -> Iterator[RenderableType]:
    width = -(-len(costs) // _MOST_STEPS)
    stretches = [costs[start : start + width] for start in range(0, len(costs), width)]
    means = [sum(each.cost for each in stretch) / len(stretch) for stretch in stretches]
    names = [
        translate("game {first}", first=first.game)
        if first is last
        else translate("games {first} to {last}", first=first.game, last=last.game)
        for first, last in ((stretch[0], stretch[-1]) for stretch in stretches)
    ]
    yield translate("cost of choices per game, over time")
    yield table(
        Column(cells=names),
        Column(cells=[number(mean, ".1f") for mean in means], right=True),
        Bars(cells=[mean / (max(means) or 1) for mean in means], longest=2 * _LONGEST_BAR),
        screen=screen,
    )


def round_step(span: int) -> int:
    """Return a round width (1, 2 or 5 times a power of ten) for at most eight bars."""
    size = 1
    while True:
        for factor in (1, 2, 5):
            if span <= size * factor * (_MOST_STEPS - 1):
                return size * factor
        size *= 10


def records(result: Records, examined: ExaminedGames, screen: Screen) -> Stack:
    if not result.records:
        return Stack(_no_game(), *_left_out(result.left_out))
    parts: list[RenderableType] = [_heading(examined)]
    for kind in dict.fromkeys(record.fingerprint for record in result.records):
        title = translate("all games") if kind is None else f"{called(examined.rules[kind])} ({kind})"
        parts += ["", text(title, "bold")]
        own = [record for record in result.records if record.fingerprint == kind]
        what = [translated(TITLES[record.record]) for record in own]
        values = [number(record.value, ",") for record in own]
        holders = [_holders(record) for record in own]
        columns = (
            Column(cells=what),
            Column(cells=values, right=True),
            Column(cells=holders, gives_way=GivesWay.WRAPS),
            Column(cells=[local_time(record.holders[0].started) for record in own]),
        )
        if fits(columns, screen):
            parts.append(table(*columns, screen=screen))
        else:
            lines = zip(what, values, holders, strict=True)
            parts += [Hanging(f"{record}: {value}, {who}") for record, value, who in lines]
    return Stack(*parts, *_left_out(result.left_out))


def _holders(record: Record) -> str:
    holders = [
        translate("{player} (game {game})", player=safe(each.name), game=each.game)
        for each in record.holders[:_MOST_HOLDERS]
    ]
    if (more := len(record.holders) - _MOST_HOLDERS) > 0:
        holders.append(translate_count("{count} more", "{count} more", more))
    return ", ".join(holders)


def versus(result: Versus, examined: ExaminedGames, screen: Screen) -> Stack:
    parts: list[RenderableType] = []
    for pair in result.pairs:
        parts += ["", *_pair(pair, examined, screen)] if parts else _pair(pair, examined, screen)
    if (count := len(result.pairs)) > 1:
        once = round(count / LEVEL)
        many = translate(
            "among {count} pairs, some differ by chance: only a difference that chance makes less "
            "than 1 time in {times:,} counts here",
            count=count,
            times=once,
        )
        parts += ["", many]
    return Stack(*parts, *_left_out(result.left_out))


def _pair(pair: VersusPair, examined: ExaminedGames, screen: Screen) -> Iterator[RenderableType]:
    one, other = pair.players
    who = translate("{one} against {other}", one=one, other=other)
    yield text(f"{who}: {_games(pair.games)}", "bold")
    if not pair.games:
        yield translate("they have no finished game against each other, except perhaps on the same side")
        return
    yield from _duel(pair, screen)
    for duel in pair.rules:
        if len(pair.rules) > 1:
            rules = called(examined.rules[duel.fingerprint])
            yield ""
            yield text(f"{rules}: {_games(duel.games)} ({duel.fingerprint})", "bold")
            yield from _duel(duel, screen)
        yield from _points(pair, duel)


def _duel(duel: Duel, screen: Screen) -> Iterator[RenderableType]:
    names = [shortened(name, _LONGEST_NAME, screen.marks) for name in duel.ahead]
    counts = [*duel.ahead.values()]
    bars: list[float | None] = [count / duel.games for count in counts]
    if duel.level:
        names, counts, bars = [*names, translate("tied")], [*counts, duel.level], [*bars, None]
    yield table(
        Column(lazy("ahead"), names, gives_way=GivesWay.SHORTENS),
        Column(cells=[number(count, ",") for count in counts], right=True),
        Column(cells=[percent(count / duel.games) for count in counts], right=True),
        Bars(cells=bars, longest=2 * _LONGEST_BAR),
        screen=screen,
    )
    (one, ahead), (other, behind) = duel.ahead.items()
    if ahead != behind:
        who = translate("{player} is ahead more often", player=safe(one if ahead > behind else other))
        yield f"{who}: {_how_sure(duel.p, duel.sure)}"


def _points(pair: VersusPair, duel: VersusRules) -> Iterator[str]:
    if _is_level(duel.mean):
        yield translate("they average the same points per game")
        return
    one, other = pair.players
    points = amount(abs(duel.mean), POINT, ".1f")
    more = translate(
        "{player} scores {points} more per game", player=safe(one if duel.mean > 0 else other), points=points
    )
    yield f"{more}: {_how_sure(duel.points_p, duel.points_sure)}"


@draw.register
def dice(result: DiceStats, screen: Screen) -> Stack:
    left = result.left_out
    parts: list[RenderableType] = []
    if not result.kinds:
        parts.append(
            translate(
                "no throws to count: enter every throw of a turn, for example with generala play "
                "--coach, or in a line such as {line}",
                line="44126:44 425:444 44",
            )
        )
    for kind in result.kinds:
        if parts:
            parts.append("")
        parts += _dice_kind(kind, screen)
    if left.turns:
        chosen = translate_count(
            "not counted: {count:,} turn of a player whose throws in that game were not all entered",
            "not counted: {count:,} turns of players whose throws in a game were not all entered",
            left.turns,
        )
        parts += ["", chosen]
    return Stack(*parts)


def _dice_kind(kind: DiceKind, screen: Screen) -> Iterator[RenderableType]:
    counts = kind.counts
    thrown = translate_count("{count:,} die", "{count:,} dice", kind.dice)
    in_throws = translate_count("in {count:,} throw", "in {count:,} throws", kind.throws)
    yield text(f"{thrown} {in_throws}", "bold")
    highest = max(each.high for each in counts)
    yield table(
        Column(lazy("face"), [each.face for each in counts], right=True),
        Column(lazy("times"), [number(each.times, ",") for each in counts], right=True),
        Column(cells=[percent(each.share, 1) for each in counts], right=True),
        Bars(cells=[each.share / highest for each in counts], longest=_LONGEST_BAR),
        Column(
            lazy("true share between"),
            [
                translate("{low} and {high}", low=percent(each.low, 1), high=percent(each.high, 1))
                for each in counts
            ],
        ),
        screen=screen,
    )
    if kind.p >= _OFTEN:
        often = percent(kind.p)
        sure = lazy(
            "these dice are probably not fair: fair dice are this uneven {share} of the time", share=often
        )
        unsure = lazy("no sign of unfair dice: fair dice are this uneven {share} of the time", share=often)
    else:
        once = round(1 / max(kind.p, _LEAST))
        sure = lazy(
            "these dice are probably not fair: fair dice are this uneven 1 time in {times:,}", times=once
        )
        unsure = lazy("too few dice to tell: fair dice are this uneven 1 time in {times:,}", times=once)
    yield translated(sure if kind.sure else unsure)
    yield translate(
        "with {dice:,} dice, a face that comes up a fifth too often is noticed in {times} of 100 "
        "evenings; with {needed:,}, in {often}",
        dice=kind.dice,
        times=round(100 * kind.notices),
        needed=kind.needed,
        often=round(100 * MOSTLY),
    )


def _how_sure(p: float, is_sure: bool) -> str:
    if p >= _OFTEN:
        often = percent(p)
        sure = lazy("unlikely to be chance, which would do that {share} of the time", share=often)
        unsure = lazy("too few games to tell; chance would do that {share} of the time", share=often)
    else:
        once = round(1 / max(p, _LEAST))
        sure = lazy("unlikely to be chance, which would do that 1 time in {times:,}", times=once)
        unsure = lazy("too few games to tell; chance would do that 1 time in {times:,}", times=once)
    return translated(sure if is_sure else unsure)


_LEAST = 1e-6
_OFTEN = 0.095
"""Larger probabilities are shown as percentages, smaller ones as 1 in N."""
