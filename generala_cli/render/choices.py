from msgspec import UNSET
from msgspec.structs import replace

from generala_cli.render.documents.choices import EntryChoice, KeepChoice
from generala_cli.render.language import translate
from generala_cli.render.lines import named
from generala_cli.rules.dice import Dice, print_dice
from generala_cli.rules.ruleset import RuleSet


def choice_words(choice: KeepChoice | EntryChoice, rules: RuleSet, blank: str = " ") -> str:
    """Return a choice in words, such as `keep 4 4` or `score fours 8`. `blank` separates the dice."""
    if isinstance(choice, KeepChoice):
        return keep_words(choice.keep, blank)
    if choice.instant_win:
        return translate("enter it: it wins at once")
    if choice.turned:
        dice = print_dice(choice.turned).replace(" ", blank)
        entry = choice_words(replace(choice, turned=UNSET), rules, blank)
        return translate("turn {dice}, {entry}", dice=dice, entry=entry)
    assert choice.category is not None
    name = named(rules.category(choice.category))
    if choice.points:
        return translate("score {category} {points}", category=name, points=choice.points)
    return translate("scratch {category}", category=name)


def keep_words(dice: Dice, blank: str = " ") -> str:
    kept = print_dice(dice).replace(" ", blank)
    return translate("keep {dice}", dice=kept) if kept else translate("throw all again")
