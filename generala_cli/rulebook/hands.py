from msgspec import UNSET

from generala_cli.game.turn import check_throw
from generala_cli.game.turnline import TurnLine, parse
from generala_cli.render.documents import category_points
from generala_cli.rulebook.answers import CheckedHand
from generala_cli.rules.ruleset import RuleSet, can_win_instantly, worth


def check_hand(rules: RuleSet, line: TurnLine) -> CheckedHand:
    turn = parse(line, rules, is_throw_asked=True)
    dice, (roll, price_roll) = turn.hand, turn.finish(rules)
    if not rules.has_spares:  # spares allow any throw, because there is no game
        check_throw(roll, rules)
    return CheckedHand(
        rules=rules.name,
        dice=dice,
        roll=roll,
        served=True if price_roll < roll else UNSET,
        instant_win=can_win_instantly(rules, dice, roll),
        categories=tuple(
            category_points(category, worth(rules, category, dice, price_roll))
            for category in rules.categories
        ),
    )
