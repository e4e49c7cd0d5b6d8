"""stats: how everyone plays, or one. records: the bests. versus: two against each other."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType

from generala_cli.app.statistics import Figures, Kind, LeftOut, Looked, Luck, Records, Versus
from generala_cli.game.statistics import Duel, HeadToHead, Person, Record, UnderRules
from generala_cli.render.drawing import Stack, bar, plain_table, shortened, shortened_apart, signed, text
from generala_cli.render.lines import amount
from generala_cli.render.screen import ASCII, Screen
from generala_cli.render.tables import local_time
from generala_cli.rules.ruleset import RuleSet
from generala_cli.text import listed, safe

_LONGEST_BAR = 20
_NARROW = 64
"""Fewer columns than this have no room for shares of boxes beside totals."""
_MOST_STEPS = 8
"""Of a histogram."""
_MOST_HELD = 3
_LONGEST_NAME, _LEAST_NAME = 16, 3
_NOTHING = "no finished game to count; generala games lists all there are"


def stats(result: Figures, screen: Screen) -> Stack:
    """Everyone's games, and their figures for every kind of game; or one person's, by category too."""
    if not result.people:
        return Stack(_nothing(result), *_left_out(result.looked))
    if result.asked is None:
        parts = [_everyone(result, screen), *_by_kind(result, screen)]
    else:
        parts = [*_one(result, result.people[0], screen)]
    return Stack(_heading(result.looked), "", *parts, *_explained(result), *_left_out(result.looked))


def _heading(looked: Looked) -> RenderableType:
    """`6 finished games, 2026-11-20 21:04 to 2026-11-27 23:10`."""
    finished = looked.games.finished
    first, last = looked.started[finished[0].number], looked.started[finished[-1].number]
    span = f"{local_time(first)} to {local_time(last)}" if len(finished) > 1 else local_time(first)
    return text(f"{_games(len(finished))}, {span}", "bold")


def _nothing(result: Figures) -> str:
    if result.asked is None:
        return _NOTHING
    return f"no finished game of {safe(result.asked)} to count; generala games lists all there are"


def _games(count: int) -> str:
    return f"{count:,} finished game{'' if count == 1 else 's'}"


def _left_out(looked: Looked) -> Iterator[str]:
    """What was not counted, aloud."""
    left: LeftOut = looked.left_out
    told = []
    if left.unfinished:
        told.append(f"{left.unfinished:,} game{'' if left.unfinished == 1 else 's'} not over")
    if left.undone:
        told.append(f"{left.undone:,} {'entry' if left.undone == 1 else 'entries'} taken back")
    if left.damaged:
        told.append(f"{len(left.damaged):,} that cannot be read")
    if told:
        yield ""
        yield f"left out: {', '.join(told)}"


def _everyone(result: Figures, screen: Screen) -> RenderableType:
    """A line a person: how many games, what share of them was won, and what runs."""
    is_narrow = screen.width < _NARROW
    length = max(1, min(_LONGEST_BAR, screen.width - (34 if is_narrow else 44)))
    names = _names([person.name for person in result.people], screen.width - length - 24, screen)
    rows = []
    for person, name in zip(result.people, names, strict=True):
        share = (f"{person.win_share:.0%}", bar(person.win_share, length, screen))
        row = (name, person.games, _wins(person.wins), *share)
        rows.append(row if is_narrow else (*row, _run(person)))
    heads = ("player", "games", "won", "", "", "in a row")[: len(rows[0])]
    return plain_table(heads, rows, right=(1, 2, 3), flexible=(0,))


def _names(names: Sequence[str], room: int, screen: Screen) -> Sequence[str]:
    """No two of them look the same, however narrow it is."""
    return shortened_apart(names, [max(_LEAST_NAME, room)] * len(names), screen.marks)


def _wins(wins: float) -> str:
    """`3`, or `2.5` where some were shared."""
    return f"{wins:.0f}" if abs(wins - round(wins)) < _TINY else f"{wins:.1f}"


_TINY = 1e-6


def _run(person: Person) -> str:
    """`2 won`, `1 not`: up to the latest game."""
    now = person.streaks.now
    return f"{abs(now)} {'won' if now > 0 else 'not'}"


def _by_kind(result: Figures, screen: Screen) -> Iterator[RenderableType]:
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
    return ", ".join([safe(rules.title), *(safe(f"{key}={value}") for key, value in rules.settings)])


def _under_rules(
    own: Sequence[tuple[str, UnderRules]], result: Figures, screen: Screen
) -> Iterator[RenderableType]:
    """A line a person, the highest mean first; luck and mistakes below where the screen is narrow."""
    is_narrow = screen.width < _NARROW
    heads: tuple[str, ...] = ("player", "games", "mean", "", "best")
    more = () if is_narrow else ("won", "scratched", "served", *(("luck", "mistakes") if result.luck else ()))
    names = _names([name for name, _ in own], screen.width - 30 - sum(map(len, more)) - 2 * len(more), screen)
    rows: list[tuple[object, ...]] = []
    below = []
    for (name, each), shown in zip(own, names, strict=True):
        row = (shown, each.games, f"{each.mean:.1f}", _spread(each, screen), each.best)
        judged = _luck(result.luck.get((name, each.kind)), screen)
        shares = (_wins(each.wins), f"{each.scratched:.0%}", f"{each.served:.0%}", *judged)
        rows.append(row if is_narrow else (*row, *shares))
        if is_narrow and judged:
            below.append(f"{safe(name)}: luck {judged[0]}, mistakes {judged[1]}")
    right = (1, 2, *range(4, len(heads) + len(more)))
    yield plain_table((*heads, *more), rows, right=right, flexible=(0,))
    yield from below


def _spread(each: UnderRules, screen: Screen) -> str:
    if each.spread is None:
        return ""
    return f"{'+-' if screen.marks is ASCII else '±'} {each.spread:.1f}"


def _luck(luck: Luck | None, screen: Screen) -> tuple[str, ...]:
    """Of a game; nothing where nobody asked."""
    return () if luck is None else (signed(luck.luck, screen), signed(-luck.mistakes, screen))


def _differences(kind: Kind) -> Iterator[str]:
    """Between the highest mean and the others: which are sure, and of which nobody can tell."""
    for is_sure, how in ((True, "hardly chance"), (False, "too few games to tell")):
        own = [each for each in kind.differences if each.is_sure == is_sure]
        told = [f"{each.points:.1f} more than {safe(each.behind)}" for each in own]
        if told:
            yield f"{how}: {safe(own[0].ahead)} has {listed(told, 'and')} a game"


def _one(result: Figures, person: Person, screen: Screen) -> Iterator[RenderableType]:
    """One person: all games in a few lines, then for each kind the categories and the totals."""
    runs = person.streaks
    yield text(
        f"{person.name}: {_wins(person.wins)} of {_games(person.games)} won ({person.win_share:.0%}), "
        f"the last {_run(person)}; at most {runs.won} won in a row, and {runs.lost} not"
    )
    for each in person.rules:
        yield ""
        yield text(f"{called(each.rules)} ({each.kind})", "bold")
        yield from _under_rules([(person.name, each)], result, screen)
        yield ""
        yield _categories(each, screen)
        yield from ("", *_histogram(each.totals, screen)) if each.games > 1 else ()
        yield from _differences_of(result, person, each)


def _differences_of(result: Figures, person: Person, each: UnderRules) -> Iterator[str]:
    """How far this one is from the one with the highest mean, and how sure that is."""
    (kind,) = [kind for kind in result.kinds if kind.kind == each.kind]
    for found in kind.differences:
        if found.behind == person.name:
            how = "hardly chance" if found.is_sure else "too few games to tell"
            yield ""
            yield f"{safe(found.ahead)} has {found.points:.1f} points a game more: {how}"


def _categories(each: UnderRules, screen: Screen) -> RenderableType:
    """A line a category, its mean as a bar."""
    highest = max((found.mean for found in each.categories), default=0) or 1
    is_narrow = screen.width < _NARROW
    length = max(1, min(_LONGEST_BAR, screen.width - (34 if is_narrow else 52)))
    rows = []
    for found in each.categories:
        name = (found.category.short or found.category.name) if is_narrow else found.category.name
        drawn = bar(found.mean / highest, length, screen)
        shares = (f"{found.scratched:.0%}", f"{found.served:.0%}")
        rows.append((name, f"{found.mean:.1f}", drawn, found.best, *shares))
    heads = ("category", "mean", "", "best", "scratched", "served")
    if is_narrow:
        heads = ("", "mean", "", "best", "x", "1st")
    return plain_table(heads, rows, right=(1, 3, 4, 5), flexible=(0,))


def _histogram(totals: Sequence[int], screen: Screen) -> Iterator[str]:
    """How many totals lie between round numbers, as bars."""
    width = round_step(max(totals) - min(totals) + 1)
    low = min(totals) // width * width
    counts = [0] * ((max(totals) - low) // width + 1)
    for total in totals:
        counts[(total - low) // width] += 1
    names = [f"{low + place * width} to {low + (place + 1) * width - 1}" for place in range(len(counts))]
    longest, digits = max(map(len, names)), len(f"{max(counts):,}")
    length = max(1, min(2 * _LONGEST_BAR, screen.width - longest - digits - 4))
    yield "totals"
    for name, count in zip(names, counts, strict=True):
        yield f"{name:>{longest}}  {count:>{digits},}  {bar(count / max(counts), length, screen)}".rstrip()


def round_step(span: int) -> int:
    """A round number of which a few make up the span."""
    size = 1
    while True:
        for factor in (1, 2, 5):
            if span <= size * factor * (_MOST_STEPS - 1):
                return size * factor
        size *= 10


def _explained(result: Figures) -> Iterator[str]:
    if any(person.wins % 1 > _TINY for person in result.people):
        yield ""
        yield "a win that several shared counts as a share"
    if result.luck:
        yield ""
        yield "luck, mistakes: a game, as generala review has them"


def records(result: Records, screen: Screen) -> Stack:
    """The bests of every kind of game, each with who made it and when."""
    if not result.records:
        return Stack(
            "no finished game to count; generala games lists all there are", *_left_out(result.looked)
        )
    parts: list[RenderableType] = [_heading(result.looked)]
    for kind in dict.fromkeys(record.kind for record in result.records):
        own = [record for record in result.records if record.kind == kind]
        rules = own[0].rules
        parts += ["", text("all games" if rules is None else f"{called(rules)} ({kind})", "bold")]
        parts.append(_records(own, result.looked, screen))
    return Stack(*parts, *_left_out(result.looked))


def _records(own: Sequence[Record], looked: Looked, screen: Screen) -> RenderableType:
    rows = []
    for record in own:
        held = [(safe(each.name), each.game) for each in record.held[:_MOST_HELD]]
        more = len(record.held) - len(held)
        who = ", ".join(f"{name} (game {game})" for name, game in held) + (f", {more} more" if more else "")
        at = local_time(looked.started[record.held[0].game])
        rows.append((record.what, f"{record.value:,}", who, at))
    if screen.width < _NARROW:
        told = [f"{what}: {value}, {who}" for what, value, who, _ in rows]
        return Stack(*told)
    return plain_table(("", "", "", ""), rows, right=(1,), wrapping=(2,))


def versus(result: Versus, screen: Screen) -> Stack:
    """Two against each other: who was ahead how often, by how many points, and how sure that is."""
    parts: list[RenderableType] = []
    for pair in result.pairs:
        parts += ["", *_pair(pair, screen)] if parts else _pair(pair, screen)
    return Stack(*parts, *_left_out(result.looked))


def _pair(pair: HeadToHead, screen: Screen) -> Iterator[RenderableType]:
    one, other = pair.one, pair.other
    yield text(f"{one} against {other}: {_games(pair.all.games)}", "bold")
    if not pair.all.games:
        yield "they have not met in a finished game, but perhaps on one side"
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
    """Two bars, what stood level left out of neither."""
    rows = []
    length = max(1, min(2 * _LONGEST_BAR, screen.width - 28))
    for name, count in ((pair.one, duel.ahead), (pair.other, duel.behind)):
        share = count / duel.games
        rows.append(
            (shortened(name, 16, screen.marks), f"{count:,}", f"{share:.0%}", bar(share, length, screen))
        )
    if duel.level:
        rows.append(("level", f"{duel.level:,}", f"{duel.level / duel.games:.0%}", ""))
    yield plain_table(("ahead", "", "", ""), rows, right=(1, 2), flexible=(0,))
    if duel.ahead != duel.behind:
        first = pair.one if duel.ahead > duel.behind else pair.other
        yield f"{safe(first)} is ahead more often: {_how_sure(duel.p, duel.is_sure)}"


def _points(pair: HeadToHead, duel: Duel) -> Iterator[str]:
    """Who has more points a game."""
    mean = duel.points.mean
    if not mean:
        yield "they have equally many points a game"
        return
    first = pair.one if mean > 0 else pair.other
    points = amount(f"{abs(mean):.1f}", "point")
    yield f"{safe(first)} has {points} more a game: {_how_sure(duel.points_p, duel.is_sure_of_points)}"


def _how_sure(p: float, is_sure: bool) -> str:
    """`hardly chance (once in 300 times)`, `too few games to tell (chance does that once in 4 times)`."""
    often = f"{p:.0%} of the time" if p >= 0.095 else f"1 time in {1 / max(p, 1e-6):,.0f}"
    if is_sure:
        return f"hardly chance, which would do that {often}"
    return f"too few games to tell; chance would do that {often}"
