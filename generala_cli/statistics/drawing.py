"""What a terminal shows of how everyone plays, of the records, and of two against each other.

An answer holds no names of rules and categories in every language: those come from the games examined.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import UNSET
from rich.cells import cell_len
from rich.console import RenderableType

from generala_cli.game.money import POINT
from generala_cli.messages import Message, listing, tell
from generala_cli.render.drawing import (
    Hanging,
    Stack,
    bar,
    plain_table,
    shortened,
    shortened_apart,
    signed,
    text,
)
from generala_cli.render.language import hundredths, longer, number, percent, said, say, say_count
from generala_cli.render.lines import amount, named
from generala_cli.render.screen import ASCII, Screen
from generala_cli.render.tables import local_time, short_name
from generala_cli.rules.ruleset import RuleSet
from generala_cli.statistics.games import ExaminedGames, LeftOut
from generala_cli.statistics.players import Difference, Stats, StatsPlayer, StatsRules
from generala_cli.statistics.records import Best, Record, Records
from generala_cli.statistics.significance import LEVEL
from generala_cli.statistics.versus import Duel, Versus, VersusPair, VersusRules
from generala_cli.text import safe

_LONGEST_BAR = 20
_NARROW = 64
"""Fewer columns than this have no room for shares of boxes beside totals."""
_MOST_STEPS = 8
"""Of a histogram."""
_MOST_HOLDERS = 3
_WHOLE = hundredths(1)
"""The widest share."""
_AHEAD, _LEVEL = tell("ahead"), tell("level")
_LEAST_NAME = 3


def drawn(answer: Stats | Records | Versus, examined: ExaminedGames, screen: Screen) -> Stack:
    """Any of the answers about these games."""
    match answer:
        case Stats():
            return stats(answer, examined, screen)
        case Records():
            return records(answer, examined, screen)
        case Versus():
            return versus(answer, examined, screen)


def stats(result: Stats, examined: ExaminedGames, screen: Screen) -> Stack:
    """Everyone's games, and their figures for every kind of game; or one person's, by category too."""
    left_out = _left_out(result.left_out)
    if not result.players:
        if result.player is None:
            return Stack(_no_game(), *left_out)
        nothing = say(
            "no finished game of {player} to count; generala games lists all there are",
            player=safe(result.player),
        )
        return Stack(nothing, *left_out)
    if result.player is None:
        parts = [_everyone(result, screen), *_by_kind(result, examined, screen)]
    else:
        parts = [*_one(result, result.players[0], examined, screen)]
    if any(player.wins % 1 for player in result.players):
        parts += ["", say("a win that several shared counts as a share")]
    turns = [each.keeping_turns for player in result.players for each in player.rules]
    if UNSET not in turns:
        parts += ["", say("luck, mistakes: a game, as generala review has them")]
        if known := sum(count for count in turns if count is not UNSET):
            parts.append(
                say_count(
                    "keeping: a game too, known of {count} turn",
                    "keeping: a game too, known of {count} turns",
                    known,
                )
            )
    return Stack(_heading(examined), "", *parts, *left_out)


def _heading(examined: ExaminedGames) -> RenderableType:
    """`6 finished games, 2026-11-20 21:04 to 2026-11-27 23:10`."""
    finished = examined.finished
    first, last = finished[0].started, finished[-1].started
    span = local_time(first)
    if len(finished) > 1:
        span = say("{first} to {last}", first=span, last=local_time(last))
    return text(f"{_games(len(finished))}, {span}", "bold")


def _no_game() -> str:
    return say("no finished game to count; generala games lists all there are")


def _games(count: int) -> str:
    return say_count("{count:,} finished game", "{count:,} finished games", count)


def _left_out(left: LeftOut) -> Iterator[str]:
    """The games and entries that were not counted, if any."""
    parts = []
    if left.unfinished:
        parts.append(say_count("{count:,} game not over", "{count:,} games not over", left.unfinished))
    if left.undone:
        parts.append(say_count("{count:,} entry taken back", "{count:,} entries taken back", left.undone))
    if damaged := len(left.damaged):
        parts.append(say_count("{count:,} that cannot be read", "{count:,} that cannot be read", damaged))
    if parts:
        yield ""
        yield say("left out: {games}", games=", ".join(parts))


def _everyone(result: Stats, screen: Screen) -> RenderableType:
    """A line a person: how many games, what share of them was won, and how many of the latest in a row."""
    heads: tuple[str | Message, ...] = (tell("player"), tell("games"), tell("won"), "", "", tell("in a row"))
    is_narrow = screen.width < _NARROW + longer(*heads, _WHOLE)
    heads = heads[: 5 if is_narrow else 6]
    width = screen.width - longer(*heads, _WHOLE)
    length = max(1, min(_LONGEST_BAR, width - (34 if is_narrow else 44)))
    names = _names([player.player for player in result.players], width - length - 24, screen)
    rows = []
    for player, name in zip(result.players, names, strict=True):
        share = (percent(player.win_share), bar(player.win_share, length, screen))
        now = player.streaks.now
        streak = say_count("{count} not", "{count} not", -now)
        if now > 0:
            streak = say_count("{count} won", "{count} won", now)
        row = (name, player.games, _wins(player.wins), *share)
        rows.append(row if is_narrow else (*row, streak))
    return plain_table(heads, rows, right=(1, 2, 3), flexible=(0,))


def _names(names: Sequence[str], room: int, screen: Screen) -> Sequence[str]:
    """No two of them look the same, however narrow it is."""
    return shortened_apart(names, [max(_LEAST_NAME, room)] * len(names), screen.marks)


def _wins(wins: float) -> str:
    """`3`, or `2.5` where some were shared."""
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
    """`General, bonus=10`: the game with the options that were changed."""
    return ", ".join([named(rules), *(safe(f"{key}={value}") for key, value in rules.settings)])


def _under_rules(own: Sequence[tuple[str, StatsRules]], screen: Screen) -> Iterator[RenderableType]:
    """A line a person, the highest mean first; luck and mistakes below where the screen is narrow."""
    heads: tuple[str | Message, ...] = (tell("player"), tell("games"), tell("mean"), "", tell("best"))
    has_luck = any(each.luck is not UNSET for _, each in own)
    has_keeping = any(each.keeping not in (UNSET, None) for _, each in own)
    keeping_head = (tell("keeping"),) if has_keeping else ()
    judged_heads = (tell("luck"), *keeping_head, tell("mistakes")) if has_luck else ()
    more = (tell("won"), tell("scratched", context="heading"), tell("served"), *judged_heads)
    is_narrow = screen.width < _NARROW + longer(*heads, *more, _WHOLE, _WHOLE)
    more = () if is_narrow else more
    rows: list[tuple[object, ...]] = []
    below = []
    for name, each in own:
        spread = ""
        if each.spread is not None:
            spread = f"{'+-' if screen.marks is ASCII else '±'} {number(each.spread, '.1f')}"
        row = (name, each.games, number(each.mean, ".1f"), spread, each.best)
        shares = (_wins(each.wins), percent(each.scratched), percent(each.served))
        if each.luck is UNSET or each.mistakes is UNSET:
            rows.append(row if is_narrow else (*row, *shares))
            continue
        luck, mistakes = signed(each.luck, screen), signed(-each.mistakes, screen)
        keeping = "" if each.keeping is UNSET or each.keeping is None else signed(-each.keeping, screen)
        rows.append(
            row if is_narrow else (*row, *shares, luck, *([keeping] if has_keeping else []), mistakes)
        )
        if is_narrow:
            judgement = tell("{player}: luck {luck}, mistakes {mistakes}")
            if keeping:
                judgement = tell("{player}: luck {luck}, keeping {keeping}, mistakes {mistakes}")
            values = {"player": safe(name), "luck": luck, "keeping": keeping, "mistakes": mistakes}
            below.append(said(judgement.with_values(**values)))
    right = (1, 2, *range(4, len(heads) + len(more)))
    figures = zip(*((said(head) for head in (*heads, *more)), *rows), strict=True)
    _, *taken = (2 + max(cell_len(str(shown)) for shown in column) for column in figures)
    names = _names([name for name, _ in own], screen.width - sum(taken), screen)
    rows = [(shown, *row[1:]) for shown, row in zip(names, rows, strict=True)]
    yield plain_table((*heads, *more), rows, right=right, flexible=(0,))
    yield from below


def _differences(found: Sequence[Difference]) -> Iterator[str]:
    """Between the highest mean and the others: which are sure, and of which nobody can tell."""
    for is_sure in (True, False):
        own = [each for each in found if each.sure == is_sure]
        leads = [
            tell("{points:.1f} more than {player}", points=each.points, player=safe(each.behind))
            for each in own
        ]
        if leads:
            ahead, more = safe(own[0].ahead), listing(leads, "and")
            sure = tell("hardly chance: {player} has {more} a game", player=ahead, more=more)
            unsure = tell("too few games to tell: {player} has {more} a game", player=ahead, more=more)
            yield said(sure if is_sure else unsure)


def _one(
    result: Stats, player: StatsPlayer, examined: ExaminedGames, screen: Screen
) -> Iterator[RenderableType]:
    """One person: all games in a few lines, then for each kind the categories and the totals."""
    yield text(_in_short(player))
    for each in player.rules:
        rules = examined.rules[each.fingerprint]
        yield ""
        yield text(f"{called(rules)} ({each.fingerprint})", "bold")
        yield from _under_rules([(player.player, each)], screen)
        yield ""
        yield _categories(each, rules, screen)
        if each.extra_bonuses is not UNSET and (box := rules.all_alike_box) is not None:
            yield say("extra {box}: {count:,}", box=named(box), count=each.extra_bonuses)
        if each.games > 1:
            yield from ("", *_histogram(examined.totals[player.player, each.fingerprint], screen))
        for found in result.differences:
            if found.behind == player.player and found.fingerprint == each.fingerprint:
                yield from _behind(found)


def _in_short(player: StatsPlayer) -> str:
    """`Ana: 3 of 9 finished games won (33%), the last 2 won; at most 2 won in a row, and 4 not`."""
    runs, now = player.streaks, player.streaks.now
    games = say_count(
        "{player}: {wins} of {count:,} finished game won ({share})",
        "{player}: {wins} of {count:,} finished games won ({share})",
        player.games,
        player=player.player,
        wins=_wins(player.wins),
        share=percent(player.win_share),
    )
    last = say_count("the last {count} not", "the last {count} not", abs(now))
    if now > 0:
        last = say_count("the last {count} won", "the last {count} won", now)
    most = say("at most {won} won in a row, and {lost} not", won=runs.won, lost=runs.lost)
    return f"{games}, {last}; {most}"


def _behind(found: Difference) -> Iterator[str]:
    """How far someone is from the one with the highest mean, and how sure that is."""
    ahead, more = safe(found.ahead), number(found.points, ".1f")
    sure = tell("{player} has {points} points a game more: hardly chance", player=ahead, points=more)
    unsure = tell(
        "{player} has {points} points a game more: too few games to tell", player=ahead, points=more
    )
    yield ""
    yield said(sure if found.sure else unsure)


def _categories(each: StatsRules, rules: RuleSet, screen: Screen) -> RenderableType:
    """A line a category, its mean as a bar."""
    highest = max((found.mean for found in each.categories), default=0) or 1
    whole = (
        tell("category"),
        tell("mean"),
        "",
        tell("best"),
        tell("scratched", context="heading"),
        tell("served"),
    )
    short = ("", tell("mean"), "", tell("best"), tell("x", context="scratched"), tell("1st", context="throw"))
    is_narrow = screen.width < _NARROW + longer(*whole, _WHOLE, _WHOLE)
    heads = short if is_narrow else whole
    width = screen.width - longer(*heads, _WHOLE, _WHOLE)
    length = max(1, min(_LONGEST_BAR, width - (34 if is_narrow else 52)))
    rows = []
    for found in each.categories:
        category = rules.category(found.category)
        name = short_name(category) if is_narrow else named(category)
        drawn = bar(found.mean / highest, length, screen)
        shares = (percent(found.scratched), percent(found.served))
        rows.append((name, number(found.mean, ".1f"), drawn, found.best, *shares))
    return plain_table(heads, rows, right=(1, 3, 4, 5), flexible=(0,))


def _histogram(totals: Sequence[int], screen: Screen) -> Iterator[str]:
    """How many totals lie between round numbers, as bars."""
    width = round_step(max(totals) - min(totals) + 1)
    low = min(totals) // width * width
    counts = [0] * ((max(totals) - low) // width + 1)
    for total in totals:
        counts[(total - low) // width] += 1
    starts = [low + place * width for place in range(len(counts))]
    names = [say("{first} to {last}", first=start, last=start + width - 1) for start in starts]
    longest, digits = max(map(cell_len, names)), len(f"{max(counts):,}")
    length = max(1, min(2 * _LONGEST_BAR, screen.width - longest - digits - 4))
    yield say("totals")
    for name, count in zip(names, counts, strict=True):
        drawn = bar(count / max(counts), length, screen)
        yield f"{name:>{longest}}  {number(count, f'>{digits},')}  {drawn}".rstrip()


def round_step(span: int) -> int:
    """A round number of which a few make up the span."""
    size = 1
    while True:
        for factor in (1, 2, 5):
            if span <= size * factor * (_MOST_STEPS - 1):
                return size * factor
        size *= 10


def records(result: Records, examined: ExaminedGames, screen: Screen) -> Stack:
    """The bests of every kind of game, each with who made it and when."""
    if not result.records:
        return Stack(_no_game(), *_left_out(result.left_out))
    parts: list[RenderableType] = [_heading(examined)]
    for kind in dict.fromkeys(record.fingerprint for record in result.records):
        title = say("all games") if kind is None else f"{called(examined.rules[kind])} ({kind})"
        parts += ["", text(title, "bold")]
        rows = []
        for record in (each for each in result.records if each.fingerprint == kind):
            at = local_time(record.holders[0].started)
            rows.append((said(_RECORDS[record.record]), number(record.value, ","), _holders(record), at))
        if screen.width < _NARROW:
            parts += [Hanging(f"{what}: {value}, {who}") for what, value, who, _ in rows]
        else:
            parts.append(plain_table(("", "", "", ""), rows, right=(1,), wrapping=(2,)))
    return Stack(*parts, *_left_out(result.left_out))


_RECORDS: Mapping[Best, Message] = {
    "highest total": tell("highest total"),
    "lowest total that won": tell("lowest total that won"),
    "widest margin": tell("widest margin"),
    "longest run of wins": tell("longest run of wins"),
}


def _holders(record: Record) -> str:
    """`Ana (game 3), Beto (game 7), 2 more`."""
    holders = [
        say("{player} (game {game})", player=safe(each.name), game=each.game)
        for each in record.holders[:_MOST_HOLDERS]
    ]
    if (more := len(record.holders) - _MOST_HOLDERS) > 0:
        holders.append(say_count("{count} more", "{count} more", more))
    return ", ".join(holders)


def versus(result: Versus, examined: ExaminedGames, screen: Screen) -> Stack:
    """Two against each other: who was ahead how often, by how many points, and how sure that is."""
    parts: list[RenderableType] = []
    for pair in result.pairs:
        parts += ["", *_pair(pair, examined, screen)] if parts else _pair(pair, examined, screen)
    if (count := len(result.pairs)) > 1:
        once = round(count / LEVEL)
        many = say(
            "of {count} pairs some lie far apart by chance: "
            "only what chance would do less than 1 time in {times:,} counts here",
            count=count,
            times=once,
        )
        parts += ["", many]
    return Stack(*parts, *_left_out(result.left_out))


def _pair(pair: VersusPair, examined: ExaminedGames, screen: Screen) -> Iterator[RenderableType]:
    one, other = pair.players
    who = say("{one} against {other}", one=one, other=other)
    yield text(f"{who}: {_games(pair.games)}", "bold")
    if not pair.games:
        yield say("they have not met in a finished game, but perhaps on one side")
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
    """A bar for each; games in which they stood level count in the shares."""
    rows = []
    longest = max(longer(_AHEAD), longer(_LEVEL))
    length = max(1, min(2 * _LONGEST_BAR, screen.width - 28 - longest - longer(_WHOLE)))
    for name, count in duel.ahead.items():
        share = count / duel.games
        name = shortened(name, 16, screen.marks)
        rows.append((name, number(count, ","), percent(share), bar(share, length, screen)))
    if duel.level:
        rows.append((said(_LEVEL), number(duel.level, ","), percent(duel.level / duel.games), ""))
    yield plain_table((_AHEAD, "", "", ""), rows, right=(1, 2), flexible=(0,))
    (one, ahead), (other, behind) = duel.ahead.items()
    if ahead != behind:
        who = say("{player} is ahead more often", player=safe(one if ahead > behind else other))
        yield f"{who}: {_how_sure(duel.p, duel.sure)}"


def _points(pair: VersusPair, duel: VersusRules) -> Iterator[str]:
    """Who has more points a game."""
    if not duel.mean:
        yield say("they have equally many points a game")
        return
    one, other = pair.players
    points = amount(abs(duel.mean), POINT, ".1f")
    more = say(
        "{player} has {points} more a game", player=safe(one if duel.mean > 0 else other), points=points
    )
    yield f"{more}: {_how_sure(duel.points_p, duel.points_sure)}"


def _how_sure(p: float, is_sure: bool) -> str:
    """How often chance would do that, and whether that is seldom enough."""
    if p >= _OFTEN:
        often = percent(p)
        sure = tell("hardly chance, which would do that {share} of the time", share=often)
        unsure = tell("too few games to tell; chance would do that {share} of the time", share=often)
    else:
        once = round(1 / max(p, _LEAST))
        sure = tell("hardly chance, which would do that 1 time in {times:,}", times=once)
        unsure = tell("too few games to tell; chance would do that 1 time in {times:,}", times=once)
    return said(sure if is_sure else unsure)


_LEAST = 1e-6
_OFTEN = 0.095
"""From here on a chance is shown in hundredths, below as once in so many times."""
