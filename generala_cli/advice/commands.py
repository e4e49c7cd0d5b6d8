from typing import TYPE_CHECKING, Annotated, TypeVar

from generala_cli.cli import completers
from generala_cli.cli.parameters import MaybeGame, Settings, Yes, argument, option
from generala_cli.cli.pictures import Svg, picture_path, with_picture
from generala_cli.cli.progress import progress
from generala_cli.cli.session import Answer, Session, open_house_rules, read_input
from generala_cli.errors import UsageError
from generala_cli.messages import lazy

if TYPE_CHECKING:  # help must not import the game modules
    from collections.abc import Callable

    from rich.console import RenderableType

    from generala_cli.advice.answers import Advice, Odds, Review
    from generala_cli.render.screen import Screen

Found = TypeVar("Found", bound="Advice | Odds | Review")

_MOST_VALUE = 1_000_000
_DICE = lazy("The dice in any order, such as 5 5 5 3 3 or 55533. You can add a word for the throw.")
Dice = Annotated[list[str], argument("DICE...", _DICE)]
_ROLL = lazy("The number of the throw; by default, the last one without spares.")
Roll = Annotated[str | None, option("--roll", _ROLL, "N", completers.advised_throws)]
_PLAYER = lazy("A different player of the current game.")
Player = Annotated[str | None, option("--player", _PLAYER, "NAME", completers.players)]
_RULES = lazy("Ask without a game, with these rules; --filled alone uses the current game's rules.")
Rules = Annotated[str | None, option("--rules", _RULES, "NAME|FILE", completers.rule_sets)]
_PLAYERS = lazy("Ask about a new game with this many players; by default 2.")
Players = Annotated[int | None, option("--players", _PLAYERS, "N", is_number=True)]
_FILLED = lazy("A filled category and its points; separate several with commas, or repeat the option.")
Filled = Annotated[list[str] | None, option("--filled", _FILLED, "CATEGORY[=POINTS]", completers.filled)]
Spares = Annotated[
    int | None, option("--spares", "Throws saved so far, without a game.", "N", is_number=True)
]
Top = Annotated[int | None, option("--top", "How many choices to show; by default 5.", "N", is_number=True)]
_INSTANT_VALUE = lazy(
    "The points that an instant win adds to the sheet; by default, the most that open boxes can bring."
)
InstantValue = Annotated[int | None, option("--instant-value", _INSTANT_VALUE, "POINTS", is_number=True)]

_TO = lazy("What to maximize: points, win (the chance to win) or payout; by default points.")
To = Annotated[str | None, option("--to", _TO, "AIM", completers.aims)]


def advise(
    session: Session,
    dice: Dice,
    roll: Roll = None,
    player: Player = None,
    to: To = None,
    rules: Rules = None,
    settings: Settings = None,
    filled: Filled = None,
    spares: Spares = None,
    top: Top = None,
    instant_value: InstantValue = None,
) -> "Answer[Advice]":
    """Show the best dice to keep or category to choose, by solving the whole sheet.

    The best choice has the highest expected final total. With --to, it has the highest chance to win or
    expected payout, if all others play for points. It is for the player to move in the current game; --rules,
    --set, --filled and --spares ask without a game. Without --roll, it is for the last throw.
    """
    if top is not None and top < 1:
        raise UsageError("--top cannot be {number}", "type --top 1 or more", number=top)
    if instant_value is not None and not 0 <= instant_value <= _MOST_VALUE:
        what = lazy("--instant-value cannot be {number}", number=instant_value)
        raise UsageError(what, lazy("type 0 to {most}", most=_MOST_VALUE))
    from generala_cli.advice.hands import advice, hand_in_game, hand_on_sheet
    from generala_cli.advice.sheets import read_sheet
    from generala_cli.app.aims import find_aim
    from generala_cli.app.defaults import read_aim
    from generala_cli.app.rule_sets import named_or_current_rules
    from generala_cli.game.turnline import TurnLine
    from generala_cli.store.places import config_file

    aim = read_aim(config_file()) if to is None else find_aim(to)
    line = TurnLine(words=dice, roll=roll, player=player)
    if rules is None and not settings and not filled and spares is None:
        hand = hand_in_game(session.store, line, instant_value)
    else:
        if player is not None:
            raise UsageError(
                "--player needs a game, but --rules, --set, --filled and --spares ask without one",
                "use only one of them",
            )
        if to is not None and aim != "points":
            raise UsageError(
                "--to win and --to payout need a game, but --rules, --set, --filled and --spares "
                "ask without one",
                "use only one of them",
            )
        aim = "points"
        wanted = named_or_current_rules(session.store, rules, open_house_rules(), read_input, settings or ())
        hand = hand_on_sheet(wanted, read_sheet(wanted, filled or (), spares or 0), line, instant_value)
    with progress(quiet=session.quiet) as report:
        found = advice(hand, report, top, aim)

    def draw(screen: "Screen") -> "RenderableType":
        from generala_cli.advice import drawing

        return drawing.advice(
            found,
            hand.rules,
            screen,
            all_shown=top is not None,
            instant_value_given=instant_value is not None,
        )

    return _answer(found, draw)


def odds(
    session: Session, rules: Rules = None, settings: Settings = None, players: Players = None
) -> "Answer[Odds]":
    """Show everyone's chance to win, expected total and expected payout.

    The chances are exact if everyone plays for the highest expected total; they include instant wins. They
    are for the current game; --rules, --set and --players ask about a new game, before the first throw.
    """
    from generala_cli.advice.chances import game_before_first_throw
    from generala_cli.advice.chances import odds as odds_of
    from generala_cli.app.rule_sets import named_or_current_rules

    number = None
    if rules is None and not settings and players is None:
        stored = session.store.open(None)
        number, game = stored.number, stored.game
    else:
        wanted = named_or_current_rules(session.store, rules, open_house_rules(), read_input, settings or ())
        game = game_before_first_throw(wanted, 2 if players is None else players)
    with progress(quiet=session.quiet) as report:
        found = odds_of(game, number, report)

    def draw(screen: "Screen") -> "RenderableType":
        from generala_cli.advice import drawing

        return drawing.odds(found, game, screen)

    return _answer(found, draw)


_COST_TO = lazy("points, or win to show the costs in chances to win, too, and rank the costliest by them.")
CostTo = Annotated[str | None, option("--to", _COST_TO, "AIM", completers.review_aims)]


def review(
    session: Session, game: MaybeGame = None, to: CostTo = None, svg: Svg = None, yes: Yes = False
) -> "Answer[Review]":
    """Review a game: the luck of each hand, the cost of each choice, and the chances to win.

    Luck is how much the hand raised the expected final total, if scored in its best box. The cost of a choice
    is how much the chosen category lowered it. The dice that were kept have a cost, too, if the throws were
    entered (score --threw, play --coach) or if there was only one.
    """
    from generala_cli.advice.looking_back import review as review_of
    from generala_cli.app.aims import find_aim

    aim = "points" if to is None else find_aim(to)
    if aim == "payout":
        raise UsageError("costs are in points or in chances to win", "type --to points or --to win")
    path = picture_path(session, svg, yes=yes)
    stored = session.store.open(game)
    with progress(quiet=session.quiet) as report:
        found = review_of(stored.game, stored.number, report, to_win=aim == "win")

    def draw(screen: "Screen") -> "RenderableType":
        from generala_cli.advice import drawing

        return drawing.review(found, stored.game, screen)

    def picture() -> str:
        from generala_cli.advice.pictures import chances

        return chances(found)

    return with_picture(_answer(found, draw), session, path, picture)


def _answer(found: Found, draw: "Callable[[Screen], RenderableType]") -> Answer[Found]:
    from generala_cli.render.documents import with_rounded_figures

    return Answer(draw, lambda: with_rounded_figures(found))
