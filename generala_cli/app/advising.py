"""advise: what to do with a hand, in a game or in none."""

from collections.abc import Sequence

from generala_cli.app.checking import rules_to_check
from generala_cli.app.rulebook import Input
from generala_cli.app.sheets import sheet_of, told_sheet
from generala_cli.app.typed import Hand, read_hand
from generala_cli.errors import Mistyped, NotAllowed, NotFound
from generala_cli.facts import Fact, replace
from generala_cli.game.decisions import AFTER_THE_END
from generala_cli.game.game import Game
from generala_cli.game.seating import find_player
from generala_cli.odds.advice import Advice, advise
from generala_cli.odds.sheets import Sheet
from generala_cli.odds.solving import Progress, most_to_come, solve
from generala_cli.rules.ruleset import RuleSet
from generala_cli.store.houses import Houses
from generala_cli.store.store import Store


class Asked(Fact):
    """Whose hand it is.

    Attributes:
        rules, filled, spares: of a sheet that is told, in no game; None and none for one of a game.
        instant_value: what an instant win adds to the points on the sheet, in place of all that is still
            open; None: what leads to the largest total still possible.
    """

    rules: str | None = None
    filled: Sequence[str] = ()
    spares: int | None = None
    instant_value: int | None = None

    @property
    def is_of_no_game(self) -> bool:
        """Whether the sheet is told."""
        return self.rules is not None or bool(self.filled) or self.spares is not None


class Advised(Fact):
    """An answer to what to do.

    Attributes:
        number, player: the game and whose turn it is; None where the sheet was told.
        sheet: what it is about.
        instant_value: what an instant win in this turn was taken to add; None where none can come.
        instant_value_told: whether that was asked for.
    """

    number: int | None
    player: str | None
    rules: RuleSet
    sheet: Sheet
    advice: Advice
    instant_value: int | None
    instant_value_told: bool


def advice(
    store: Store,
    houses: Houses,
    read_input: Input,
    hand: Hand,
    asked: Asked,
    progress: Progress | None = None,
) -> Advised:
    """Every choice with a hand, best first.

    Raises:
        GeneralaError: the hand cannot be read, there is no such throw, or nothing is open.
    """
    if asked.is_of_no_game:
        return _of_no_game(store, houses, read_input, hand, asked, progress)
    number = _current(store)
    game = store.load(number).history.game
    player = _player(game, hand.player)
    found = _advised(game.rules, sheet_of(game, player), hand, asked, progress)
    return replace(found, number=number, player=player)


def _of_no_game(
    store: Store,
    houses: Houses,
    read_input: Input,
    hand: Hand,
    asked: Asked,
    progress: Progress | None,
) -> Advised:
    if hand.player is not None:
        raise Mistyped(
            "--player is for a game, and --rules, --filled and --spares are for none", "leave one of them out"
        )
    rules = rules_to_check(store, asked.rules, houses, read_input)
    sheet = told_sheet(rules, asked.filled, asked.spares or 0)
    if len(sheet.filled) == len(rules.categories):
        raise NotAllowed("every category is filled, so there is nothing to advise", "leave one open")
    return _advised(rules, sheet, hand, asked, progress)


def _advised(rules: RuleSet, sheet: Sheet, hand: Hand, asked: Asked, progress: Progress | None) -> Advised:
    read = read_hand(hand, rules)
    assert read.dice is not None
    if read.category is not None:
        hint = (
            "filled categories go with commas, as --filled ones,twos"
            if asked.filled
            else "type the dice only"
        )
        raise Mistyped(f"{read.category.id} is not a throw", hint)
    last = rules.throws + sheet.spares
    if read.roll > last:
        some = f" and {sheet.spares} spare{'' if sheet.spares == 1 else 's'}" if rules.has_spares else ""
        what = f"there is no throw {read.roll}: a turn has {rules.throws}{some}"
        raise NotAllowed(what, f"type --roll 1 to {last}" if last > 1 else "type --roll 1 or leave it out")
    _check_instant_value(rules, asked)
    strategy = solve(rules, sheet, instant_value=asked.instant_value, progress=progress)
    return Advised(
        number=None,
        player=None,
        rules=rules,
        sheet=sheet,
        advice=advise(strategy, read.dice, read.roll),
        instant_value=_instant_value(rules, sheet, asked),
        instant_value_told=asked.instant_value is not None,
    )


def _check_instant_value(rules: RuleSet, asked: Asked) -> None:
    if asked.instant_value is not None and (rules.instant_win is None or rules.instant_win.when == "never"):
        raise NotAllowed(f"{rules.title} is never won at once", "leave --instant-value out")


def _instant_value(rules: RuleSet, sheet: Sheet, asked: Asked) -> int | None:
    """What an instant win counts in this turn; None where none can come any more."""
    win = rules.instant_win
    if win is None or win.when == "never" or (win.when == "while-open" and win.box in sheet.filled):
        return None
    return most_to_come(rules, sheet) if asked.instant_value is None else asked.instant_value


def _current(store: Store) -> int:
    try:
        return store.find(None)
    except NotFound as error:
        raise NotFound(error.message, f"{error.hint}; or ask in no game, with --rules NAME") from error


def _player(game: Game, wanted: str | None) -> str:
    if game.to_move is None:
        raise NotAllowed("the game is over", AFTER_THE_END)
    player = game.to_move if wanted is None else find_player(wanted, game.seats)
    if not game.open_categories(player):
        raise NotAllowed(f"{player} has no open category left", f"it is {game.to_move}'s turn")
    return player
