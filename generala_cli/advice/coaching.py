from collections.abc import Callable

from generala_cli.advice.aiming import best_play
from generala_cli.advice.answers import AdviceChoice
from generala_cli.advice.hands import as_choice
from generala_cli.advice.judging import sheet_of
from generala_cli.advice.strategies import whole_strategy
from generala_cli.app.aims import Aim
from generala_cli.app.long_work import steps
from generala_cli.game.game import Game
from generala_cli.game.history import replay
from generala_cli.odds.advice import advise
from generala_cli.odds.aiming import AimedPlay
from generala_cli.odds.duel import Duel
from generala_cli.progress import Progress
from generala_cli.store.store import Store
from generala_cli.worker import HandOnTable

Adviser = Callable[[HandOnTable], tuple[AdviceChoice, ...]]


def adviser(store: Store, number: int, progress: Progress | None = None) -> Adviser:
    """Solve a game, and return a function that advises on its hands; NotAllowed if it is too large."""
    strategy = whole_strategy(store.load(number).game.rules, next(steps(progress)))
    plays: dict[tuple[int, str, Aim], AimedPlay | Duel | None] = {}

    def aimed(seen: int, player: str, game: Game, aim: Aim) -> AimedPlay | Duel | None:
        if aim == "points":
            return None
        if (asked := (seen, player, aim)) not in plays:
            plays.clear()  # from the turn before
            plays[asked] = best_play(strategy, game, player, aim, progress)
        return plays[asked]

    def advise_on(hand: HandOnTable) -> tuple[AdviceChoice, ...]:
        file = store.load(number).file
        game = replay(file.agreed, (recorded.event for recorded in file.events[: hand.seen])).game
        play = aimed(hand.seen, hand.player, game, hand.aim)
        sheet = sheet_of(game, hand.player)
        found = advise(strategy, hand.dice, hand.throw, sheet, play, state=hand.state)
        to = "points" if play is None else hand.aim
        return tuple(as_choice(choice, to, game) for choice in found.choices)

    return advise_on
