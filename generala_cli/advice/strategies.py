"""Strategies, prospects and outlooks of sheets, cached. Importing this imports numpy."""

from collections.abc import Collection, Iterable, Mapping

import msgspec
from msgspec.structs import replace

from generala_cli.app.long_work import steps
from generala_cli.errors import NotAllowed
from generala_cli.odds.goals import GoalChances, goals_to_cache, recalled_goals, solve_goals
from generala_cli.odds.sheets import Sheet, Sheets
from generala_cli.odds.solving import METHOD, Strategy, recalled, solve, worths_to_cache
from generala_cli.odds.totals import (
    Outlook,
    Prospect,
    outlooks,
    outlooks_to_cache,
    prospect,
    prospect_to_cache,
    recalled_outlooks,
    recalled_prospect,
)
from generala_cli.progress import Progress
from generala_cli.rules.fingerprint import played
from generala_cli.rules.ruleset import RuleSet
from generala_cli.store.cache import Kind, open_cache

CACHED_FROM = 1 << 15
"""Sheets. A strategy with fewer is not cached, because solving it is as fast as reading it."""
_PROSPECT_TAKES = 4
"""Duration, relative to solving the same sheet."""


def strategy_for(
    rules: RuleSet,
    sheet: Sheet,
    *,
    instant_value: float | None = None,
    totals: bool = False,
    progress: Progress | None = None,
) -> Strategy:
    """Return a strategy for a sheet and all that follow from it.

    It is the cached one of the whole game, or is solved from this sheet on, which is faster, and cached. For
    the other arguments and errors, see `solve`.
    """
    for start in dict.fromkeys((Sheet(), replace(sheet, total=0))):
        if (found := _cached_strategy(rules, start, instant_value)) is not None:
            return found
    strategy = solve(rules, sheet, instant_value=instant_value, totals=totals, progress=progress)
    if strategy.sheets.count >= CACHED_FROM:
        _save("worths", rules, [replace(sheet, total=0)], worths_to_cache(strategy), instant_value)
    return strategy


def whole_strategy(rules: RuleSet, progress: Progress | None = None) -> Strategy:
    return strategy_for(rules, Sheet(), progress=progress)


def prospects_from(
    rules: RuleSet, sheets: Collection[Sheet], progress: Progress | None = None, *, whole: bool = False
) -> Mapping[Sheet, Prospect]:
    """Return the possible final totals from each sheet; NotAllowed if there is too much to compute.

    With `whole`, or if that takes no longer, it solves the whole game, for later questions about other
    sheets.
    """
    boxes = rules.turns
    lefts = {sheet: 2 ** (boxes - len(sheet.filled)) for sheet in sheets}
    whole = whole or sum(lefts.values()) >= 2**boxes
    work = steps(progress, [weight for left in lefts.values() for weight in (left, left * _PROSPECT_TAKES)])
    strategy, found = None, {}
    for sheet in lefts:
        solving, following = next(work), next(work)
        start = replace(sheet, total=0)
        if (cached := _read("prospect", rules, [start])) is not None:
            found[sheet] = recalled_prospect(cached).above(sheet.total)
            continue
        if strategy is None or not whole:
            first = Sheet() if whole else sheet
            strategy = strategy_for(rules, first, totals=True, progress=solving)
        new = prospect(strategy, start, following)
        if strategy.sheets.count >= CACHED_FROM:
            _save("prospect", rules, [start], prospect_to_cache(new))
        found[sheet] = new.above(sheet.total)
    return found


def outlooks_from(
    strategy: Strategy, sheets: Collection[Sheet], progress: Progress
) -> Mapping[Sheet, Outlook]:
    """Return the outlook of each sheet; NotAllowed if there are too many different totals."""
    ordered = sorted(sheets, key=_in_order)
    if (cached := _read("outlooks", strategy.rules, ordered)) is not None:
        return dict(zip(ordered, recalled_outlooks(cached), strict=True))
    found = outlooks(strategy, ordered, progress)
    if strategy.sheets.count >= CACHED_FROM:
        data = outlooks_to_cache(found[sheet] for sheet in ordered)
        _save("outlooks", strategy.rules, ordered, data)
    return found


def goal_chances(strategy: Strategy, progress: Progress | None = None) -> GoalChances:
    start = [replace(strategy.sheets.sheet, total=0)]
    cached = _read("goals", strategy.rules, start)
    if cached is not None and (found := recalled_goals(strategy, cached)) is not None:
        return found
    found = solve_goals(strategy, progress)
    if strategy.sheets.count >= CACHED_FROM:
        _save("goals", strategy.rules, start, goals_to_cache(found))
    return found


def _cached_strategy(rules: RuleSet, sheet: Sheet, instant_value: float | None) -> Strategy | None:
    try:
        sheets = Sheets(rules, sheet)
    except NotAllowed:  # too many
        return None
    if sheets.count < CACHED_FROM:
        return None
    cached = _read("worths", rules, [sheet], instant_value)
    return None if cached is None else recalled(sheets, instant_value, cached)


def _read(
    kind: Kind, rules: RuleSet, sheets: Iterable[Sheet], instant_value: float | None = None
) -> memoryview | None:
    cache = open_cache()
    return None if cache is None else cache.read(_about(kind, rules, sheets, instant_value))


def _save(
    kind: Kind, rules: RuleSet, sheets: Iterable[Sheet], data: bytes, instant_value: float | None = None
) -> None:
    if (cache := open_cache()) is not None:
        cache.keep(_about(kind, rules, sheets, instant_value), data, kind=kind, rules=rules.name)


def _about(kind: Kind, rules: RuleSet, sheets: Iterable[Sheet], instant_value: float | None) -> bytes:
    described = [*map(_in_order, sheets)]
    return msgspec.json.encode((kind, METHOD, instant_value, described, msgspec.Raw(played(rules))))


def _in_order(sheet: Sheet) -> tuple[object, ...]:
    boxes = (sorted(sheet.filled), sorted(sheet.holding))
    return (*boxes, sheet.wrote_five_alike, sheet.in_numbers, sheet.spares, sheet.total)
