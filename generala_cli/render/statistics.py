"""stats: how everyone plays, or one. records: the bests. versus: two against each other."""

from collections.abc import Iterator, Mapping, Sequence

from rich.cells import cell_len
from rich.console import RenderableType

from generala_cli.app.statistics import (
    GameKind,
    GamesExamined,
    PlayerFigures,
    Records,
    UncountedGames,
    Versus,
)
from generala_cli.game.money import POINT
from generala_cli.game.significance import LEVEL
from generala_cli.game.statistics import Best, Duel, HeadToHead, PersonFigures, Record, RulesFigures
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


def stats(result: PlayerFigures, screen: Screen) -> Stack:
    """Everyone's games, and their figures for every kind of game; or one person's, by category too."""
    left_out = _left_out(result.examined)
    if not result.people:
        if result.asked is None:
            return Stack(_no_game(), *left_out)
        nothing = say(
            "no finished game of {player} to count; generala games lists all there are",
            player=safe(result.asked),
        )
        return Stack(nothing, *left_out)
    if result.asked is None:
        parts = [_everyone(result, screen), *_by_kind(result, screen)]
    else:
        parts = [*_one(result, result.people[0], screen)]
    if any(person.wins % 1 > _TINY for person in result.people):
        parts += ["", say("a win that several shared counts as a share")]
    if result.luck:
        parts += ["", say("luck, mistakes: a game, as generala review has them")]
        if turns := sum(judged.keeping_turns for judged in result.luck.values()):
            parts.append(
                say_count(
                    "keeping: a game too, known of {count} turn",
                    "keeping: a game too, known of {count} turns",
                    turns,
                )
            )
    return Stack(_heading(result.examined), "", *parts, *left_out)


def _heading(examined: GamesExamined) -> RenderableType:
    """`6 finished games, 2026-11-20 21:04 to 2026-11-27 23:10`."""
    finished = examined.games.finished
    first, last = examined.started[finished[0].number], examined.started[finished[-1].number]
    span = local_time(first)
    if len(finished) > 1:
        span = say("{first} to {last}", first=span, last=local_time(last))
    return text(f"{_games(len(finished))}, {span}", "bold")


def _no_game() -> str:
    return say("no finished game to count; generala games lists all there are")


def _games(count: int) -> str:
    return say_count("{count:,} finished game", "{count:,} finished games", count)


def _left_out(examined: GamesExamined) -> Iterator[str]:
    """The games and entries that were not counted, if any."""
    left: UncountedGames = examined.left_out
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


def _everyone(result: PlayerFigures, screen: Screen) -> RenderableType:
    """A line a person: how many games, what share of them was won, and how many of the latest in a row."""
    heads: tuple[str | Message, ...] = (tell("player"), tell("games"), tell("won"), "", "", tell("in a row"))
    is_narrow = screen.width < _NARROW + longer(*heads, _WHOLE)
    heads = heads[: 5 if is_narrow else 6]
    width = screen.width - longer(*heads, _WHOLE)
    length = max(1, min(_LONGEST_BAR, width - (34 if is_narrow else 44)))
    names = _names([person.name for person in result.people], width - length - 24, screen)
    rows = []
    for person, name in zip(result.people, names, strict=True):
        share = (percent(person.win_share), bar(person.win_share, length, screen))
        now = person.streaks.now
        streak = say_count("{count} not", "{count} not", -now)
        if now > 0:
            streak = say_count("{count} won", "{count} won", now)
        row = (name, person.games, _wins(person.wins), *share)
        rows.append(row if is_narrow else (*row, streak))
    return plain_table(heads, rows, right=(1, 2, 3), flexible=(0,))


def _names(names: Sequence[str], room: int, screen: Screen) -> Sequence[str]:
    """No two of them look the same, however narrow it is."""
    return shortened_apart(names, [max(_LEAST_NAME, room)] * len(names), screen.marks)


def _wins(wins: float) -> str:
    """`3`, or `2.5` where some were shared."""
    return number(wins, ".0f" if abs(wins - round(wins)) < _TINY else ".1f")


_TINY = 1e-6


def _by_kind(result: PlayerFigures, screen: Screen) -> Iterator[RenderableType]:
    for kind in result.kinds:
        own = [
            (person.name, each) for person in result.people for each in person.rules if each.kind == kind.kind
        ]
        yield ""
        yield text(f"{called(kind.rules)}: {_games(kind.games)} ({kind.kind})", "bold")
        yield from _under_rules(sorted(own, key=lambda each: -each[1].mean), result, screen)
        yield from _differences(kind)


def called(rules: RuleSet) -> str:
    """`General, bonus=10`: the game with the options that were changed."""
    return ", ".join([named(rules), *(safe(f"{key}={value}") for key, value in rules.settings)])


def _under_rules(
    own: Sequence[tuple[str, RulesFigures]], result: PlayerFigures, screen: Screen
) -> Iterator[RenderableType]:
    """A line a person, the highest mean first; luck and mistakes below where the screen is narrow."""
    heads: tuple[str | Message, ...] = (tell("player"), tell("games"), tell("mean"), "", tell("best"))
    has_keeping = any(judged.keeping is not None for judged in result.luck.values())
    keeping_head = (tell("keeping"),) if has_keeping else ()
    judged_heads = (tell("luck"), *keeping_head, tell("mistakes")) if result.luck else ()
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
        if (judged := result.luck.get((name, each.kind))) is None:
            rows.append(row if is_narrow else (*row, *shares))
            continue
        luck, mistakes = signed(judged.luck, screen), signed(-judged.mistakes, screen)
        keeping = "" if judged.keeping is None else signed(-judged.keeping, screen)
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


def _differences(kind: GameKind) -> Iterator[str]:
    """Between the highest mean and the others: which are sure, and of which nobody can tell."""
    for is_sure in (True, False):
        own = [each for each in kind.differences if each.is_sure == is_sure]
        leads = [
            tell("{points:.1f} more than {player}", points=each.points, player=safe(each.behind))
            for each in own
        ]
        if leads:
            ahead, more = safe(own[0].ahead), listing(leads, "and")
            sure = tell("hardly chance: {player} has {more} a game", player=ahead, more=more)
            unsure = tell("too few games to tell: {player} has {more} a game", player=ahead, more=more)
            yield said(sure if is_sure else unsure)


def _one(result: PlayerFigures, person: PersonFigures, screen: Screen) -> Iterator[RenderableType]:
    """One person: all games in a few lines, then for each kind the categories and the totals."""
    yield text(_in_short(person))
    for each in person.rules:
        yield ""
        yield text(f"{called(each.rules)} ({each.kind})", "bold")
        yield from _under_rules([(person.name, each)], result, screen)
        yield ""
        yield _categories(each, screen)
        if each.rules.extra_bonus and (box := each.rules.all_alike_box) is not None:
            yield say("extra {box}: {count:,}", box=named(box), count=each.extras)
        yield from ("", *_histogram(each.totals, screen)) if each.games > 1 else ()
        yield from _differences_of(result, person, each)


def _in_short(person: PersonFigures) -> str:
    """`Ana: 3 of 9 finished games won (33%), the last 2 won; at most 2 won in a row, and 4 not`."""
    runs, now = person.streaks, person.streaks.now
    games = say_count(
        "{player}: {wins} of {count:,} finished game won ({share})",
        "{player}: {wins} of {count:,} finished games won ({share})",
        person.games,
        player=person.name,
        wins=_wins(person.wins),
        share=percent(person.win_share),
    )
    last = say_count("the last {count} not", "the last {count} not", abs(now))
    if now > 0:
        last = say_count("the last {count} won", "the last {count} won", now)
    most = say("at most {won} won in a row, and {lost} not", won=runs.won, lost=runs.lost)
    return f"{games}, {last}; {most}"


def _differences_of(result: PlayerFigures, person: PersonFigures, each: RulesFigures) -> Iterator[str]:
    """How far this one is from the one with the highest mean, and how sure that is."""
    (kind,) = [kind for kind in result.kinds if kind.kind == each.kind]
    for found in kind.differences:
        if found.behind == person.name:
            ahead, more = safe(found.ahead), number(found.points, ".1f")
            sure = tell("{player} has {points} points a game more: hardly chance", player=ahead, points=more)
            unsure = tell(
                "{player} has {points} points a game more: too few games to tell", player=ahead, points=more
            )
            yield ""
            yield said(sure if found.is_sure else unsure)


def _categories(each: RulesFigures, screen: Screen) -> RenderableType:
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
        name = short_name(found.category) if is_narrow else named(found.category)
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


def records(result: Records, screen: Screen) -> Stack:
    """The bests of every kind of game, each with who made it and when."""
    if not result.records:
        return Stack(_no_game(), *_left_out(result.examined))
    parts: list[RenderableType] = [_heading(result.examined)]
    for kind in dict.fromkeys(record.kind for record in result.records):
        own = [record for record in result.records if record.kind == kind]
        rules = own[0].rules
        parts += ["", text(say("all games") if rules is None else f"{called(rules)} ({kind})", "bold")]
        rows = []
        for record in own:
            at = local_time(result.examined.started[record.held[0].game])
            rows.append((said(_RECORDS[record.what]), number(record.value, ","), _holders(record), at))
        if screen.width < _NARROW:
            parts += [Hanging(f"{what}: {value}, {who}") for what, value, who, _ in rows]
        else:
            parts.append(plain_table(("", "", "", ""), rows, right=(1,), wrapping=(2,)))
    return Stack(*parts, *_left_out(result.examined))


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
        for each in record.held[:_MOST_HOLDERS]
    ]
    if (more := len(record.held) - _MOST_HOLDERS) > 0:
        holders.append(say_count("{count} more", "{count} more", more))
    return ", ".join(holders)


def versus(result: Versus, screen: Screen) -> Stack:
    """Two against each other: who was ahead how often, by how many points, and how sure that is."""
    parts: list[RenderableType] = []
    for pair in result.pairs:
        parts += ["", *_pair(pair, screen)] if parts else _pair(pair, screen)
    if (count := len(result.pairs)) > 1:
        once = round(count / LEVEL)
        many = say(
            "of {count} pairs some lie far apart by chance: "
            "only what chance would do less than 1 time in {times:,} counts here",
            count=count,
            times=once,
        )
        parts += ["", many]
    return Stack(*parts, *_left_out(result.examined))


def _pair(pair: HeadToHead, screen: Screen) -> Iterator[RenderableType]:
    one, other = pair.one, pair.other
    who = say("{one} against {other}", one=one, other=other)
    yield text(f"{who}: {_games(pair.all.games)}", "bold")
    if not pair.all.games:
        yield say("they have not met in a finished game, but perhaps on one side")
        return
    yield from _duel(pair, pair.all, screen)
    for duel in pair.rules:
        assert duel.rules is not None
        if len(pair.rules) > 1:
            yield ""
            yield text(f"{called(duel.rules)}: {_games(duel.games)} ({duel.kind})", "bold")
            yield from _duel(pair, duel, screen)
        yield from _points(pair, duel)


def _duel(pair: HeadToHead, duel: Duel, screen: Screen) -> Iterator[RenderableType]:
    """A bar for each; games in which they stood level count in the shares."""
    rows = []
    longest = max(longer(_AHEAD), longer(_LEVEL))
    length = max(1, min(2 * _LONGEST_BAR, screen.width - 28 - longest - longer(_WHOLE)))
    for name, count in ((pair.one, duel.ahead), (pair.other, duel.behind)):
        share = count / duel.games
        name = shortened(name, 16, screen.marks)
        rows.append((name, number(count, ","), percent(share), bar(share, length, screen)))
    if duel.level:
        rows.append((said(_LEVEL), number(duel.level, ","), percent(duel.level / duel.games), ""))
    yield plain_table((_AHEAD, "", "", ""), rows, right=(1, 2), flexible=(0,))
    if duel.ahead != duel.behind:
        ahead = safe(pair.one if duel.ahead > duel.behind else pair.other)
        who = say("{player} is ahead more often", player=ahead)
        yield f"{who}: {_how_sure(duel.p, duel.is_sure)}"


def _points(pair: HeadToHead, duel: Duel) -> Iterator[str]:
    """Who has more points a game."""
    mean = duel.points.mean
    if not mean:
        yield say("they have equally many points a game")
        return
    first = safe(pair.one if mean > 0 else pair.other)
    more = say("{player} has {points} more a game", player=first, points=amount(abs(mean), POINT, ".1f"))
    yield f"{more}: {_how_sure(duel.points_p, duel.is_sure_of_points)}"


def _how_sure(p: float, is_sure: bool) -> str:
    """How often chance would do that, and whether that is seldom enough."""
    if p >= _OFTEN:
        often = percent(p)
        sure = tell("hardly chance, which would do that {share} of the time", share=often)
        unsure = tell("too few games to tell; chance would do that {share} of the time", share=often)
    else:
        once = round(1 / max(p, _TINY))
        sure = tell("hardly chance, which would do that 1 time in {times:,}", times=once)
        unsure = tell("too few games to tell; chance would do that 1 time in {times:,}", times=once)
    return said(sure if is_sure else unsure)


_OFTEN = 0.095
"""From here on a chance is shown in hundredths, below as once in so many times."""
