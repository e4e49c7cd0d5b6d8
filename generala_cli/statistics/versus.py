from collections.abc import Sequence
from itertools import combinations

from generala_cli.errors import UsageError
from generala_cli.messages import command_line, lazy
from generala_cli.remedies import in_shell
from generala_cli.rules.ruleset import RuleSet
from generala_cli.statistics.answers import Versus, VersusPair, VersusRules
from generala_cli.statistics.games import ExaminedGames, FinishedGame, PlayerResult
from generala_cli.statistics.significance import LEVEL, Sample, paired_test, sign_test


def versus(examined: ExaminedGames, players: Sequence[str]) -> Versus:
    """Compare all pairs of players. The level is divided by the number of pairs (Bonferroni)."""
    people = list(dict.fromkeys(examined.people.find_each(players)))
    if len(people) < 2:
        hint = in_shell(lazy("type {command}", command=command_line(["versus", *people, "NAME"])))
        raise UsageError("versus needs two different players", hint)
    pairs = list(combinations(people, 2))
    met = tuple(_pair(examined, *pair, pairs=len(pairs)) for pair in pairs)
    return Versus(pairs=met, left_out=examined.left_out)


def _pair(examined: ExaminedGames, one: str, other: str, *, pairs: int) -> VersusPair:
    met: dict[str, list[tuple[PlayerResult, PlayerResult]]] = {}
    for game in examined.finished:
        mine, theirs = (_best_result(examined, game, person) for person in (one, other))
        if mine is not None and theirs is not None and mine.side != theirs.side:
            met.setdefault(game.fingerprint, []).append((mine, theirs))
    duels = [
        _under_rules(examined.rules[kind], kind, (one, other), results, pairs)
        for kind, results in met.items()
    ]
    ahead, behind = (sum(duel.ahead[name] for duel in duels) for name in (one, other))
    return VersusPair(
        players=(one, other),
        games=sum(duel.games for duel in duels),
        ahead={one: ahead, other: behind},
        level=sum(duel.level for duel in duels),
        p=(p := sign_test(ahead, behind)),
        sure=p * pairs <= LEVEL,
        rules=tuple(sorted(duels, key=lambda duel: -duel.games)),
    )


def _best_result(examined: ExaminedGames, game: FinishedGame, person: str) -> PlayerResult | None:
    """Return a person's result in a game, or the better one of two under different names."""
    results = (result for result in game.results if examined.people.shown(result.player) == person)
    return max(results, key=lambda result: (result.share > 0, result.total), default=None)


def _under_rules(
    rules: RuleSet,
    fingerprint: str,
    players: tuple[str, str],
    met: Sequence[tuple[PlayerResult, PlayerResult]],
    pairs: int,
) -> VersusRules:
    ahead = behind = 0
    for mine, theirs in met:
        # a winner is ahead of everyone else, whatever the totals
        one, other = (mine.share > 0, mine.together), (theirs.share > 0, theirs.together)
        ahead += one > other
        behind += one < other
    points = Sample.of([mine.total - theirs.total for mine, theirs in met])
    return VersusRules(
        rules=rules.name,
        settings=dict(rules.settings),
        fingerprint=fingerprint,
        games=len(met),
        ahead=dict(zip(players, (ahead, behind), strict=True)),
        level=len(met) - ahead - behind,
        p=(p := sign_test(ahead, behind)),
        sure=p * pairs <= LEVEL,
        mean=points.mean,
        spread=points.spread,
        points_p=(points_p := paired_test(points)),
        points_sure=points_p * pairs <= LEVEL,
    )
