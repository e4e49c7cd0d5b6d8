"""Luck and mistakes of games, as the odds see them. Importing this imports numpy."""

from collections.abc import Mapping, Sequence

from generala_cli.advice.strategies import whole_strategy
from generala_cli.app.long_work import steps
from generala_cli.app.luck import Luck
from generala_cli.errors import NotAllowed
from generala_cli.game.events import Entry
from generala_cli.game.game import Game, evolve, positions
from generala_cli.game.money import METHODS
from generala_cli.game.standings import contenders
from generala_cli.messages import lazy
from generala_cli.odds.advice import Judged, judge
from generala_cli.odds.chances import Ahead, Paying, Playing
from generala_cli.odds.sheets import Sheet
from generala_cli.odds.solving import Strategy
from generala_cli.progress import Progress
from generala_cli.remedies import in_shell
from generala_cli.rules.fingerprint import fingerprint
from generala_cli.rules.ruleset import RuleSet
from generala_cli.store.store import Store

_FEWER = in_shell(lazy("look at fewer games, for example with --since or --rules"))


def sheet_of(game: Game, player: str) -> Sheet:
    column = game.columns[player]
    return Sheet(
        filled=tuple(sorted(name for name, row in column.rows.items() for _ in row)),
        holding=frozenset(filter(column.holds, column.rows)),
        wrote_five_alike=game.wrote_five_alike(player),
        in_numbers=game.in_numbers(player),
        spares=column.spares,
        total=game.total(player),
    )


def paying(game: Game) -> Paying:
    """Return how the game is paid; NotAllowed if game points decide it, because odds know only totals."""
    if game.rules.game_points:
        raise NotAllowed(
            "game points decide this game, so there are no odds",
            in_shell(lazy("generala advise shows the best play for the total")),
        )
    return Paying(
        method=METHODS[game.agreed.payout],
        members=tuple(len(side.members) for side in contenders(game)),
        instant_win_points=game.rules.instant_win_points,
    )


def seated(game: Game, ahead: Mapping[Sheet, Ahead], kind: type[Ahead]) -> Sequence[Playing[Ahead]]:
    """Return the players in seat order with their futures; a player who left has no turns."""
    places = {player: place for place, side in enumerate(contenders(game)) for player in side.members}
    return [
        Playing(
            contender=places[player],
            turns_taken=game.columns[player].turns,
            ahead=kind.without_turns(game.total(player))
            if player in game.left
            else ahead[sheet_of(game, player)],
        )
        for player in game.seats
    ]


def judged_entry(strategy: Strategy, before: Game, entry: Entry) -> Judged:
    """Return the luck of an entry in the game `before`, and the cost of the choices in its turn."""
    sheet = sheet_of(before, entry.player)
    led_to = sheet if entry.instant_win else sheet_of(evolve(before, entry), entry.player)
    return judge(strategy, sheet, led_to, entry)


def luck_and_mistakes(
    store: Store, games: Mapping[int, RuleSet], progress: Progress | None = None
) -> Mapping[tuple[int, str], Luck]:
    """Return luck and mistakes by game number and player, given the rules by game number."""
    kinds = {number: fingerprint(rules) for number, rules in games.items()}
    strategies = {
        kind: whole_strategy(games[number], next(steps(progress, otherwise=_FEWER)))
        for kind, number in {kind: number for number, kind in kinds.items()}.items()
    }
    report = next(steps(progress, otherwise=_FEWER))
    found: dict[tuple[int, str], Luck] = {}
    for done, (number, kind) in enumerate(kinds.items()):
        report(done, len(games))
        game = store.load(number).game
        judged: dict[str, list[Judged]] = {player: [] for player in game.seats}
        for before, entry in zip(positions(game), game.entries, strict=False):
            judged[entry.player].append(judged_entry(strategies[kind], before, entry))
        found |= {(number, player): luck_of(turns) for player, turns in judged.items()}
    return found


def luck_of(turns: Sequence[Judged]) -> Luck:
    keeping = [turn.keeping for turn in turns if turn.keeping is not None]
    return Luck(
        luck=sum((turn.luck for turn in turns), 0.0),
        mistakes=sum((turn.mistake for turn in turns), 0.0),
        keeping=sum(keeping) if keeping else None,
        keeping_turns=len(keeping),
    )
