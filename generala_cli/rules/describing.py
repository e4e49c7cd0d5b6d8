"""A rule set in sentences, complete enough to play from."""

from collections.abc import Iterator

from generala_cli.messages import Message, NumberWord, lazy, lazy_count, listing, value_message
from generala_cli.rules.dice import print_dice
from generala_cli.rules.poker_dice import CARDS
from generala_cli.rules.ruleset import Category, RuleSet, joker_pays, most_points, wins_with, worth


def describe_requirement(category: Category, rules: RuleSet) -> Message:
    """Return the requirement of a category ("three alike and two alike")."""
    shown = _card if rules.poker_dice else int
    asks = listing([pattern.describe(rules.dice, shown) for pattern in category.asks], "and")
    if category.after is None:
        return value_message(asks)
    if category.needs_five_alike:
        return lazy("{asks}, after five alike scored in any box", asks=asks)
    return lazy("{asks}, after {box} holds points", asks=asks, box=rules.category(category.after))


def _card(face: int) -> Message:
    return CARDS[face - 1]


def describe_points(category: Category) -> Message:
    """Return the price of a category ("30, first throw 35")."""
    if category.number is not None or category.sums_what_makes_it:
        return lazy("the sum of those dice")
    if category.points is None and category.added:
        return lazy("the sum of all dice and {points}", points=category.added)
    if category.points is None:
        return lazy("the sum of all dice")
    if category.by_throw:
        *earlier, last = category.by_throw
        return lazy("by throw {points}, then {last}", points=listing(earlier), last=last)
    if category.first is None:
        return value_message(category.points)
    return lazy("{points}, first throw {first}", points=category.points, first=category.first)


def most_on_sheet(rules: RuleSet) -> int:
    most = {category.id: most_points(rules, category) * category.box_count for category in rules.categories}
    bonus = rules.upper_bonus
    earned = 0 if bonus is None else bonus.earned(sum(most[number.id] for number in rules.numbers))
    for category in rules.categories if rules.extra_bonus else ():
        if category != rules.all_alike_box:
            repeated = _most_alike_again(rules, category) * category.box_count
            most[category.id] = max(most[category.id], repeated)
    return sum(most.values()) + earned


def _most_alike_again(rules: RuleSet, category: Category) -> int:
    is_joker = joker_pays(rules, is_own_filled=True)
    hands = [(face,) * rules.dice for face in range(1, rules.faces + 1)]
    made = (
        worth(rules, category, hand, roll, is_joker=is_joker) for hand in hands for roll in (1, rules.throws)
    )
    return max(made) + rules.extra_bonus


def _shared_names(rules: RuleSet) -> Iterator[Message]:
    shared = dict.fromkeys(name for category in rules.categories for name in category.shared_names or ())
    for name in shared:
        named = [category for category in rules.categories if name in (category.shared_names or ())]
        yield lazy("{name!r} can mean {boxes}; the dice decide.", name=name, boxes=listing(named))


def describe_rules(rules: RuleSet) -> Iterator[Message]:
    """Yield the rules apart from the categories, one sentence each, from the dice to the seating."""
    dice, throws = NumberWord(rules.dice), NumberWord(rules.throws)
    if rules.faces == 6:
        yield lazy_count(
            "{dice:capital} dice, {throws} throw a turn.",
            "{dice:capital} dice, {throws} throws a turn.",
            rules.throws,
            dice=dice,
            throws=throws,
        )
    else:
        yield lazy_count(
            "{dice:capital} dice with {faces} faces, {throws} throw a turn.",
            "{dice:capital} dice with {faces} faces, {throws} throws a turn.",
            rules.throws,
            faces=rules.faces,
            dice=dice,
            throws=throws,
        )
    if rules.poker_dice:
        yield lazy("Dice may be typed as cards: 9, 10, B or J, D or Q, K and A for 1 to 6.")
    yield lazy("Each player fills each box once, with a matching hand or, as a scratch, with 0.")
    if rules.has_rows:
        rows = [
            Message("{row} {count}", {"row": each, "count": each.box_count})
            for each in rules.categories
            if each.box_count > 1
        ]
        yield lazy(
            "Rows with several boxes: {rows}. A hand goes into any box of its row.", rows=listing(rows, "and")
        )
    yield from _shared_names(rules)
    yield from _turning(rules)
    yield from _game_points(rules)
    yield lazy("The highest possible total is {most}.", most=most_on_sheet(rules))
    match rules.fill_order:
        case "any":
            pass
        case "top-to-bottom":
            yield lazy("Boxes are filled from top to bottom.")
        case "bottom-to-top":
            yield lazy("Boxes are filled from bottom to top.")
        case "upper-first":
            yield lazy("The upper boxes (the numbers) are filled before the others.")
        case "lower-first":
            yield lazy("The lower boxes (all except the numbers) are filled before the numbers.")
    yield from _instant_win(rules)
    if rules.has_spares:
        saving = [category for category in rules.categories if category.saves_spares]
        if rules.scratches_save and len(saving) == len(rules.categories):
            yield lazy(
                "Spares: a turn of fewer than {throws} throws saves the unused throws, even with a scratch.",
                throws=throws,
            )
        elif len(saving) == len(rules.categories):
            yield lazy(
                "Spares: scoring in fewer than {throws} throws saves the unused throws.", throws=throws
            )
        else:
            yield lazy(
                "Spares: {boxes} in fewer than {throws} throws saves the unused throws.",
                boxes=listing(saving),
                throws=throws,
            )
        yield lazy(
            "A spare is an extra throw in a later turn (--roll {throw}); a turn may use any "
            "number of spares.",
            throw=rules.throws + 1,
        )
        if rules.scratches_save:
            yield lazy("Spares left at the end score nothing.")
        elif any(category.saves_spares for category in rules.numbers):
            yield lazy(
                "A scratch or a turn that uses spares saves none; spares left at the end score nothing."
            )
        else:
            yield lazy(
                "A number, a scratch or a turn that uses spares saves none; spares left at "
                "the end score nothing."
            )
    if bonus := rules.upper_bonus:
        yield lazy(
            "Upper bonus: {points} points if the number boxes add up to {threshold} or more.",
            points=bonus.points,
            threshold=bonus.threshold,
        )
    yield from _joker(rules)
    if not rules.opening_throws:
        return
    if rules.clockwise:
        yield lazy(
            "At the start, each player throws all dice once (--opening). The lowest hand "
            "plays first; the others follow clockwise, in the order given."
        )
        yield lazy(
            "An opening hand is worth its highest score on an empty sheet; players who tie "
            "for lowest throw again."
        )
    else:
        yield lazy(
            "At the start, each player throws all dice once (--opening). The lowest "
            "hand plays first, the next lowest second, and so on."
        )
        yield lazy("An opening hand is worth its highest score on an empty sheet; equal hands throw again.")
    yield lazy("In a partnership of four, the two lowest hands play the two highest (--partnership).")


def _forced_joker_in_order(rules: RuleSet) -> Iterator[Message]:
    lower = [each for each in rules.categories if each.number is None and each != rules.all_alike_box]
    if rules.fill_order not in ("bottom-to-top", "lower-first") or not lower:
        return  # the numbers come first, and are filled by then
    last = rules.numbers[-1]
    hand = (last.number or 1,) * rules.dice
    points = {worth(rules, each, hand, rules.throws, is_joker=True): each for each in lower}
    yield lazy(
        "The fill order has priority: until its number box is due, a joker goes to a "
        "lower box that is due and pays in full there. For example, {hand} in {box} scores "
        "{points} before {number} may be filled.",
        hand=print_dice(hand),
        box=points[max(points)],
        points=max(points),
        number=last,
    )


def _game_points(rules: RuleSet) -> Iterator[Message]:
    points = rules.game_points
    if not points:
        yield lazy("The highest total wins; equal totals share the win.")
        return
    yield lazy("The most game points win, then the highest total.")
    for goal in points.rows:
        row, earned = rules.category(goal.box), lazy_count("{count} point", "{count} points", goal.points)
        if goal.threshold:
            yield lazy("{points} for {row} of {least} or more.", points=earned, row=row, least=goal.threshold)
        elif goal.made:
            boxes = NumberWord(goal.made)
            yield lazy(
                "{points} for {boxes} boxes of {row} with points.", points=earned, boxes=boxes, row=row
            )
        else:
            yield lazy("{points} for each {row}.", points=earned, row=row)
    if points.totals:
        steps = [lazy("{points} from {least}", points=earned, least=least) for least, earned in points.totals]
        yield lazy("Points for the total: {steps}.", steps=listing(steps, "and"))
    if points.tie:
        yield lazy("Equal totals are decided by the number of {row}.", row=rules.category(points.tie))


def _turning(rules: RuleSet) -> Iterator[Message]:
    if not rules.most_turned:
        return
    yield lazy("A hand of the first throw may stand: it is de mano, and no die is turned over.")
    yield lazy(
        "After a second throw of one to four dice, one die must be turned over: 1 becomes 6, 2 becomes 5, "
        "3 becomes 4."
    )
    if rules.most_turned > 1:
        yield lazy("A second die may be turned over, too.")
    yield lazy(
        "After a second throw of all dice, you may also stand de mano, at the price of the first throw."
    )
    yield lazy("Type the hand after turning: 55533 1 is a first throw, 55533 mano a second one that stands.")


def _joker(rules: RuleSet) -> Iterator[Message]:
    if (box := rules.all_alike_box) is None:
        return
    dice = NumberWord(rules.dice)
    match rules.joker_rule:
        case "forced":
            yield lazy(
                "Joker: after {box} is filled, {dice} alike go to their number box. If that "
                "is filled, they go to any lower box and pay in full. Otherwise, they "
                "scratch a number box.",
                box=box,
                dice=dice,
            )
            yield from _forced_joker_in_order(rules)
        case "own-box-first":
            yield lazy(
                "Joker: after {box} and their number box are filled, {dice} alike pay in "
                "full in any lower box.",
                box=box,
                dice=dice,
            )
        case "free":
            yield lazy(
                "Joker: after {box} is filled, {dice} alike pay in full in any lower box.", box=box, dice=dice
            )
        case "no":
            pass
    if rules.extra_bonus:
        yield lazy(
            "After {box} holds points, {dice} alike earn {points} extra points each time, in any box.",
            box=box,
            dice=dice,
            points=rules.extra_bonus,
        )


def describe_win_condition(rules: RuleSet) -> Message:
    """Return the condition of an instant win ("while generala is open"), empty if there is none."""
    win = rules.instant_win
    if win is None or wins_with(rules, "scratched") or not wins_with(rules, "open"):
        return lazy("")
    box = rules.category(win.box)
    if wins_with(rules, "held"):
        return lazy("unless {box} is scratched", box=box)
    return lazy("while {box} is open", box=box)


def _instant_win(rules: RuleSet) -> Iterator[Message]:
    win = rules.instant_win
    if win is None or win.when == "never":
        return
    dice, box = NumberWord(rules.dice), rules.category(win.box)
    if not describe_win_condition(rules):
        yield lazy(
            "{dice:capital} alike on the first throw wins at once, whatever the totals: {win}.",
            dice=dice,
            win=win,
        )
    elif wins_with(rules, "held"):
        yield lazy(
            "{dice:capital} alike on the first throw wins at once, whatever the totals, "
            "unless {box} is scratched: {win}.",
            dice=dice,
            box=box,
            win=win,
        )
    else:
        yield lazy(
            "{dice:capital} alike on the first throw while {box} is open wins at once, "
            "whatever the totals: {win}.",
            dice=dice,
            box=box,
            win=win,
        )
    double = next((category for category in rules.categories if category.after == win.box), None)
    if double is not None and describe_win_condition(rules):
        yield lazy("After a scored {box}, it is {double} and does not win.", box=box, double=double)
    if rules.instant_win_points is not None:
        yield lazy("Each loser then owes {points} points.", points=rules.instant_win_points)
