"""The commands advise, odds and review. Help must not import numpy."""

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
_DICE = lazy("The hand, in any order: 5 5 5 3 3 or 55533. A word after it may name the throw.")
Dice = Annotated[list[str], argument("DICE...", _DICE)]
_ROLL = lazy("The throw the hand lies there after; by default the last, without spares.")
Roll = Annotated[str | None, option("--roll", _ROLL, "N", completers.advised_throws)]
_PLAYER = lazy("Another player of the current game.")
Player = Annotated[str | None, option("--player", _PLAYER, "NAME", completers.players)]
_RULES = lazy("Ask in no game, by these rules; with --filled also by default those of the current game.")
Rules = Annotated[str | None, option("--rules", _RULES, "NAME|FILE", completers.rule_sets)]
_PLAYERS = lazy("So many players before the first throw, in no game; by default 2.")
Players = Annotated[int | None, option("--players", _PLAYERS, "N", is_number=True)]
_FILLED = lazy("A category that is filled, and with how much; several with commas, or the option again.")
Filled = Annotated[list[str] | None, option("--filled", _FILLED, "CATEGORY[=POINTS]", completers.filled)]
Spares = Annotated[int | None, option("--spares", "Throws saved so far, in no game.", "N", is_number=True)]
Top = Annotated[int | None, option("--top", "How many choices to show; by default 5.", "N", is_number=True)]
_INSTANT_VALUE = lazy(
    "What an instant win adds to the points on the sheet; by default all it can still hold."
)
InstantValue = Annotated[int | None, option("--instant-value", _INSTANT_VALUE, "POINTS", is_number=True)]

_TO = lazy("What is to be as high as can be: points, win (the chance to) or payout; by default points.")
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
    """Show which dice to keep or which category to take, best first, by solving the whole sheet.

    The best choice is the one with the highest expected final total; or the best one to win, or for the
    payout, against others who play on for points (--to). Of the player to move in the current game; or in
    no game, by --rules, --set, --filled and --spares. Without --roll it is the last throw.
    """
    if top is not None and top < 1:
        raise UsageError("{number} is not a number of choices", "type --top 1 or more", number=top)
    if instant_value is not None and not 0 <= instant_value <= _MOST_VALUE:
        what = lazy("{number} is not a number of points", number=instant_value)
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
                "--player is for a game, and --rules, --set, --filled and --spares are for none",
                "leave one of them out",
            )
        if to is not None and aim != "points":
            raise UsageError(
                "who wins is asked in a game, and --rules, --set, --filled and --spares are for none",
                "leave one of them out",
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
    """Show everyone's chance to win, the total and the payout to be expected.

    They are exact, if everyone plays on for the highest expected total; instant wins are among them. Of the
    current game; or in no game, before the first throw, by --rules, --set and --players.
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


_COST_TO = lazy("win: what every choice cost in chances to win, too, and the costliest by that; or points.")
CostTo = Annotated[str | None, option("--to", _COST_TO, "AIM", completers.review_aims)]


def review(
    session: Session, game: MaybeGame = None, to: CostTo = None, svg: Svg = None, yes: Yes = False
) -> "Answer[Review]":
    """Look back on a game: the luck of every hand, what every choice cost, how the chances ran.

    The luck is what a hand added to the expected final total, entered where that is best. What a choice
    cost is how much less was expected of the category it was entered in; and of what was kept, where the
    throws were given (score --threw, play --coach) or there was only one.
    """
    from generala_cli.advice.looking_back import review as review_of
    from generala_cli.app.aims import find_aim

    aim = "points" if to is None else find_aim(to)
    if aim == "payout":
        raise UsageError(
            "what a choice cost is told in points or in chances to win", "type --to points or --to win"
        )
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
