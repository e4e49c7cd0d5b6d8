from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from msgspec import UNSET
from msgspec.structs import replace

from generala_cli.app.luck import Luck
from generala_cli.rules.ruleset import RuleSet
from generala_cli.statistics.answers import (
    Difference,
    GameCost,
    Stats,
    StatsCategory,
    StatsPlayer,
    StatsRules,
    Streaks,
)
from generala_cli.statistics.games import ExaminedGames, FinishedGame, PlayerResult
from generala_cli.statistics.significance import LEVEL, Sample, welch_test

LuckJudge = Callable[[Mapping[int, RuleSet]], Mapping[tuple[int, str], Luck]]
"""Returns luck and mistakes by game number and player, given the rules by game number."""


def stats(examined: ExaminedGames, player: str | None = None, judge: LuckJudge | None = None) -> Stats:
    """Return everyone's figures, or one player's; `judge` computes luck and mistakes."""
    asked = None if player is None else examined.people.find(player)
    everyone = _players(examined)
    found = tuple(each for each in everyone if asked in (None, each.player))
    if judge is not None:
        lucks = _lucks(examined, asked, judge)
        found = tuple(
            replace(
                each,
                rules=tuple(
                    _with_luck(of, lucks[each.player, of.fingerprint], is_asked=asked is not None)
                    for of in each.rules
                ),
            )
            for each in found
        )
    names = [each.player for each in everyone]
    return Stats(
        games=len(examined.finished),
        player=asked,
        players=found,
        differences=tuple(
            difference
            for fingerprint in examined.counts
            for difference in _differences(examined, names, fingerprint)
            if asked in (None, difference.ahead, difference.behind)
        ),
        left_out=examined.left_out,
    )


_Result = tuple[FinishedGame, PlayerResult]


_Boxes = Counter[tuple[int, bool, bool]]


def _players(examined: ExaminedGames) -> tuple[StatsPlayer, ...]:
    shown = examined.people.shown
    boxes: dict[tuple[str, str], dict[str, _Boxes]] = {}
    for kind, counts in examined.entries.items():
        for (player, category, points, is_scratched, roll), count in counts.items():
            if category is not None:  # an instant win that fills no box
                own = boxes.setdefault((shown(player), kind), {}).setdefault(category, Counter())
                own[points, is_scratched, roll == 1 and not is_scratched] += count
    results: dict[str, list[_Result]] = {}
    for game in examined.finished:
        for result in game.results:
            results.setdefault(shown(result.player), []).append((game, result))
    found: list[StatsPlayer] = []
    for name, played in results.items():
        kinds: dict[str, list[_Result]] = {}
        for game, result in played:
            kinds.setdefault(game.fingerprint, []).append((game, result))
        by_game = groupby(played, lambda each: each[0].game)
        rules = [
            _under_rules(examined.rules[kind], kind, own, boxes.get((name, kind), {}))
            for kind, own in kinds.items()
        ]
        games, wins = _count_games(played), sum(result.share for _, result in played)
        person = StatsPlayer(
            player=name,
            games=games,
            wins=_whole(wins),
            win_share=wins / games,
            streaks=streaks([any(result.share for _, result in own) for _, own in by_game]),
            rules=tuple(sorted(rules, key=lambda each: -each.games)),
        )
        found.append(person)
    return tuple(sorted(found, key=lambda person: (-person.games, -person.wins)))


def _count_games(results: Sequence[_Result]) -> int:
    return len({game.game for game, _ in results})


def _whole(wins: float) -> int | float:
    return round(wins) if round(wins, 9).is_integer() else wins


def streaks(won: Sequence[bool]) -> Streaks:
    runs = [(is_won, len(list(run))) for is_won, run in groupby(won)]
    last = runs[-1] if runs else (True, 0)
    return Streaks(
        now=last[1] if last[0] else -last[1],
        won=max((length for is_won, length in runs if is_won), default=0),
        lost=max((length for is_won, length in runs if not is_won), default=0),
    )


def _under_rules(
    rules: RuleSet, fingerprint: str, results: Sequence[_Result], boxes: Mapping[str, _Boxes]
) -> StatsRules:
    totals = Sample.of([result.total for _, result in results])
    every = sum(boxes.values(), _Boxes())
    categories = [
        StatsCategory(
            category=category.id,
            boxes=own.total(),
            mean=sum(points * times for (points, _, _), times in own.items()) / own.total(),
            best=max(points for points, _, _ in own),
            scratched=_scratched_share(own),
            served=_served_share(own),
        )
        for category in rules.categories
        if (own := boxes.get(category.id))
    ]
    extra_bonuses = sum(result.extra_bonuses for _, result in results)
    return StatsRules(
        rules=rules.name,
        settings=dict(rules.settings),
        fingerprint=fingerprint,
        games=_count_games(results),
        wins=_whole(sum(result.share for _, result in results)),
        mean=totals.mean,
        best=max(result.total for _, result in results),
        spread=totals.spread,
        boxes=every.total(),
        scratched=_scratched_share(every),
        served=_served_share(every),
        categories=tuple(categories),
        extra_bonuses=extra_bonuses if rules.extra_bonus else UNSET,
    )


def _scratched_share(boxes: _Boxes) -> float:
    return sum(times for (_, is_scratched, _), times in boxes.items() if is_scratched) / max(1, boxes.total())


def _served_share(boxes: _Boxes) -> float:
    return sum(times for (_, _, is_served), times in boxes.items() if is_served) / max(1, boxes.total())


def _differences(examined: ExaminedGames, players: Sequence[str], fingerprint: str) -> Sequence[Difference]:
    """Compare the player with the highest mean with all others, by Welch's t-test.

    The level is divided by the number of all pairs (Bonferroni; Dunn, Multiple comparisons among means,
    1961), because the data decide who has the highest mean.
    """
    rules = examined.rules[fingerprint]
    totals = examined.totals
    own = [(name, Sample.of(totals[name, fingerprint])) for name in players if (name, fingerprint) in totals]
    (ahead, first), *others = sorted(own, key=lambda each: -each[1].mean)
    pairs = len(own) * (len(own) - 1) / 2
    return [
        Difference(
            rules=rules.name,
            settings=dict(rules.settings),
            fingerprint=fingerprint,
            ahead=ahead,
            behind=behind,
            points=first.mean - sample.mean,
            p=(p := welch_test(first, sample)),
            sure=p * pairs <= LEVEL,
        )
        for behind, sample in others
    ]


def _lucks(
    examined: ExaminedGames, asked: str | None, judge: LuckJudge
) -> "Mapping[tuple[str, str], Sequence[tuple[int, Luck]]]":
    shown = examined.people.shown
    games = [
        game
        for game in examined.finished
        if asked is None or asked in {shown(result.player) for result in game.results}
    ]
    judged = judge({game.game: game.rules for game in games})
    found: dict[tuple[str, str], list[tuple[int, Luck]]] = {}
    for game in games:
        for result in game.results:
            own = found.setdefault((shown(result.player), game.fingerprint), [])
            own.append((game.game, judged[game.game, result.player]))
    return found


def _with_luck(figures: StatsRules, of_games: "Sequence[tuple[int, Luck]]", *, is_asked: bool) -> StatsRules:
    judged = [luck for _, luck in of_games]
    costs = tuple(
        GameCost(game=number, cost=luck.mistakes + (luck.keeping or 0)) for number, luck in of_games
    )
    turns = sum(each.keeping_turns for each in judged)
    return replace(
        figures,
        luck=sum(each.luck for each in judged) / len(judged),
        mistakes=sum(each.mistakes for each in judged) / len(judged),
        keeping=sum(each.keeping or 0 for each in judged) / len(judged) if turns else None,
        keeping_turns=turns,
        costs=costs if is_asked else UNSET,
    )
