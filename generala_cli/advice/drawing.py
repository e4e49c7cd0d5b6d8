"""What a terminal shows of advise, odds and review.

An answer holds no names of categories in every language: those come from the rules, or the game, beside it.
"""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from rich.cells import cell_len
from rich.console import RenderableType
from rich.padding import Padding

from generala_cli.advice.answers import (
    COSTLIEST,
    Advice,
    AdviceChoice,
    AdviceKeep,
    Odds,
    Review,
    ReviewThrow,
    ReviewTurn,
)
from generala_cli.advice.payouts import rounded_payouts
from generala_cli.game.game import Game
from generala_cli.game.money import decimals, is_for_points
from generala_cli.messages import Message, lazy
from generala_cli.render.drawing import (
    Hanging,
    Stack,
    bar,
    fitting,
    line,
    plain_table,
    shortened,
    signed,
    text,
)
from generala_cli.render.language import (
    LEAST_COST,
    hundredths,
    longer,
    number,
    percent,
    translate,
    translate_count,
    translated,
)
from generala_cli.render.lines import entry_parts, entry_title, named, stake_text, terms
from generala_cli.render.screen import ASCII, Screen
from generala_cli.render.tables import gain, game_heading
from generala_cli.rules.dice import join_dice, print_dice
from generala_cli.rules.ruleset import RuleSet, wins_with
from generala_cli.text import safe

_LEAST_SHOWN = 0.005
"""Chances below this are left out of the text; `--json` has all."""
_LONGEST_BAR = 24
_HEIGHTS, _TENTHS = "▁▂▃▄▅▆▇█", "0123456789"
_SHOWN = 5
"""Choices, where nobody asked for more or fewer."""
_NARROW_ODDS = 64
"""Fewer columns than this have no room for the payout in the same line."""
_NARROW_REVIEW = 86
"""Fewer columns than this do not hold a turn on one line; where keeping is shown, it takes more."""
_KEEPING_TAKES = 18


def advice(
    result: Advice,
    rules: RuleSet,
    screen: Screen,
    *,
    all_shown: bool = False,
    instant_value_given: bool = False,
) -> Stack:
    """The best choices, each with the final total it leads to, and what it costs against the best.

    Args:
        all_shown: as many choices as the answer has; else the best, and where the hand is best entered now
            all that it could go to.
        instant_value_given: what an instant win counts was asked for.
    """
    choices = result.choices
    shown = list(choices if all_shown else choices[:_SHOWN])
    if not all_shown and not isinstance(choices[0], AdviceKeep):
        shown += [choice for choice in choices[_SHOWN:] if not isinstance(choice, AdviceKeep)]
    words = [choice_words(choice, rules) for choice in shown]
    widest = max(map(cell_len, words))
    parts: list[RenderableType] = [fitting(_hand(result, rules), screen, "bold")]
    for choice, label in zip(shown, words, strict=True):
        cost = f"{screen.marks.minus}{number(choice.cost, '.2f')}" if choice.cost >= _LEAST_SHOWN else ""
        figures = f"{label}{' ' * (widest - cell_len(label))}  {number(choice.expected, '7.2f')}  {cost}"
        parts.append(line((figures.rstrip(), "bold" if choice is shown[0] else "")))
        if isinstance(choice, AdviceKeep):
            ends = wrap(_ends(choice, rules), max(1, screen.width - 4))  # which leaves `22 %` on one line
            parts += (Padding.indent(text(part), 4) for part in ends)
    return Stack(*parts, _basis(result, instant_value_given=instant_value_given))


def _hand(result: Advice, rules: RuleSet) -> str:
    """Return whose hand it is, and on which throw of how many."""
    who = named(rules) if result.player is None else safe(result.player)
    if result.game is not None:
        who = translate("Game {game}, {player}", game=result.game, player=who)
    dice, throw, last = print_dice(result.dice), result.roll, result.last_roll
    if not result.spares:
        return translate(
            "{player}: {dice} on throw {throw} of {last}", player=who, dice=dice, throw=throw, last=last
        )
    return translate_count(
        "{player}: {dice} on throw {throw} of {last}, {count} spare among them",
        "{player}: {dice} on throw {throw} of {last}, {count} spares among them",
        result.spares,
        player=who,
        dice=dice,
        throw=throw,
        last=last,
    )


def choice_words(choice: AdviceChoice, rules: RuleSet, blank: str = " ") -> str:
    """Return the words for a choice: `keep 4 4`, `score fours 8`; `blank` stands between the dice."""
    if isinstance(choice, AdviceKeep):
        kept = print_dice(choice.keep).replace(" ", blank)
        return translate("keep {dice}", dice=kept) if kept else translate("throw all again")
    if choice.instant_win:
        return translate("enter it: it wins at once")
    assert choice.category is not None
    name = named(rules.category(choice.category))
    if choice.points:
        return translate("score {category} {points}", category=name, points=choice.points)
    return translate("scratch {category}", category=name)


def _ends(choice: AdviceKeep, rules: RuleSet) -> str:
    """Return the likely entries at the end of the turn: `fours 40%, full house 22%, scratch ones 3%`."""
    categories = [(named(rules.category(each.category)), each) for each in choice.categories]
    ends = [(each.scored, name) for name, each in categories]
    ends += [(each.scratched, translate("scratch {category}", category=name)) for name, each in categories]
    likely = sorted((each for each in ends if each[0] >= _LEAST_SHOWN), key=lambda each: -each[0])
    return ", ".join(f"{what} {percent(chance)}" for chance, what in likely)


def _basis(result: Advice, *, instant_value_given: bool) -> str:
    """Return the sentence that says what the figures are."""
    what = lazy("The figures are expected final totals with the best play to the end")
    if result.player is None:
        what = lazy("The figures are the points to be expected with the best play to the end")
        if result.total:
            what = lazy(
                "The figures are the points given, and those to be expected with the best play to the end"
            )
    if result.instant_value is None:
        return f"{translated(what)}."
    if instant_value_given:
        win = lazy(
            "an instant win counts {points} points on top of those on the sheet",
            points=result.instant_value,
        )
    else:
        win = lazy(
            "an instant win counts as the largest total still possible, {total}",
            total=result.total + result.instant_value,
        )
    return f"{translated(what)}; {translated(win)}."


def odds(result: Odds, game: Game, screen: Screen) -> Stack:
    """A line for each player or side: the chance to win as a bar, the final total, the payout."""
    best = max(each.wins for each in result.odds)
    who = lazy("side") if game.agreed.sides else lazy("player")
    heads: tuple[str | Message, ...] = (who, lazy("wins"), "", lazy("total"), "", lazy("payout"))
    places = max(2, decimals(result.unit, result.stake))
    values = rounded_payouts([each.payout for each in result.odds], places)
    payouts = [gain(value, result.unit) for value in values]
    width = screen.width - longer(*heads, hundredths(1, 1))
    length = max(min(8, width - 28), min(_LONGEST_BAR, width - 50), 1)
    give_or_take = "+-" if screen.marks is ASCII else "±"
    rows: list[tuple[str, ...]] = [
        (
            each.name,
            percent(each.wins, 1),
            bar(each.wins, length, screen),
            number(each.expected, ".1f"),
            f"{give_or_take} {number(each.spread, '.1f')}",
            payout,
        )
        for each, payout in zip(result.odds, payouts, strict=True)
    ]
    below: list[str] = []
    if width < _NARROW_ODDS:
        heads, rows = heads[:-1], [row[:-1] for row in rows]
        names = (safe(each.name) for each in result.odds)
        expect = (
            translate("{player} expects {payout}", player=name, payout=payout)
            for name, payout in zip(names, payouts, strict=True)
        )
        below = ["", *expect]
    styles = ["bold" if each.wins == best else "" for each in result.odds]
    table = plain_table(heads, rows, right=(1, 3, 5), flexible=(0,), styles=styles)
    heading = game_heading(result.game) if result.game else text(terms(game), "bold")
    return Stack(heading, table, *below, "", *_conditions(result))


def _conditions(result: Odds) -> Iterator[str]:
    """Yield the conditions that the figures hold under."""
    yield translate(
        "if everyone plays on for the highest expected total; total: the mean and the spread around it"
    )
    method = result.method
    if not is_for_points(result.stake, result.unit):
        method += f", {stake_text(result.stake, result.unit, method)}"
    yield translate("payout: {terms}", terms=method)
    if at_once := sum(each.instant_wins for each in result.odds):
        yield translate("someone wins at once: {chance}", chance=percent(at_once, 2))


def review(result: Review, game: Game, screen: Screen) -> RenderableType:
    """Every turn with its luck and its cost, the sums, and the chances to win as lines."""
    if not result.turns:
        return f"{translate('nothing has been entered yet in game {game}', game=result.game)}\n"
    least = _NARROW_REVIEW + longer(*_heads(result)) + (_KEEPING_TAKES if _shows_keeping(result) else 0)
    turns = _below_each_other(result, game, screen) if screen.width < least else _table(result, game, screen)
    below = (*_costliest(result, game), "", *_lines(result, screen), "", *_explained(result, game.rules))
    return Stack(game_heading(result.game), turns, "", _sums(result, screen), *below)


def _shows_keeping(result: Review) -> bool:
    """Whether there is any keeping to show: throws were given, or a hand was better not entered yet."""
    return any(
        kept.cost >= LEAST_COST or len(kept.kept) < len(kept.dice)
        for turn in result.turns
        for kept in turn.keeps
    )


def _sums(result: Review, screen: Screen) -> RenderableType:
    """Return a table of everyone's total, luck and costs."""
    shows_keeping = _shows_keeping(result)
    keeping_head = (lazy("keeping"),) if shows_keeping else ()
    heads = ("", lazy("total"), lazy("luck"), *keeping_head, lazy("mistakes"))
    rows = []
    for player, sums in result.players.items():
        kept = ["" if sums.keeping is None else signed(-sums.keeping, screen)] if shows_keeping else []
        luck, mistakes = (signed(value, screen) for value in (sums.luck, -sums.mistakes))
        rows.append((player, sums.total, luck, *kept, mistakes))
    return plain_table(heads, rows, right=range(1, len(heads)), flexible=(0,))


def _heads(result: Review) -> Sequence[Message]:
    """Return the heads of the table of turns."""
    entry = (lazy("turn"), lazy("player"), lazy("dice"), lazy("throw"), lazy("entered"), lazy("points"))
    keeping = (lazy("keeping"),) if _shows_keeping(result) else ()
    return (*entry, lazy("luck"), *keeping, lazy("cost"), lazy("better"))


def _table(result: Review, game: Game, screen: Screen) -> RenderableType:
    heads, keeping = _heads(result), _shows_keeping(result)
    rows = []
    for turn, entry in zip(result.turns, game.entries, strict=True):
        dice, throw = ("", "") if turn.dice is None else (print_dice(turn.dice), str(turn.roll))
        what, (_, points) = entry_title(game, entry), entry_parts(game, entry)
        costs = [*([turn.keeping] if keeping else []), turn.mistake]
        figures = (signed(turn.luck, screen), *(_cost(cost, screen) for cost in costs))
        better = _better(turn, game.rules)
        rows.append((turn.turn, turn.player, dice, throw, what, points, *figures, better))
    last = len(heads) - 1
    return plain_table(heads, rows, right=(0, *range(5, last)), flexible=(1,), wrapping=(last,))


def _cost(cost: float | None, screen: Screen) -> str:
    """`1.3`, or the sign for none; nothing where it is not known."""
    if cost is None:
        return ""
    return number(cost, ".1f") if cost >= LEAST_COST else screen.marks.dash


def _below_each_other(result: Review, game: Game, screen: Screen) -> RenderableType:
    """Each turn in a few lines, behind its number."""
    rows: list[tuple[str, str]] = []
    for turn, entry in zip(result.turns, game.entries, strict=True):
        name = shortened(turn.player, screen.width // 3, screen.marks)
        title = f"{name}: {' '.join(entry_parts(game, entry))}"
        if turn.dice is not None:
            title = translate("{entry} with {dice}", entry=title, dice=join_dice(turn.dice))
        rows.append((f"{turn.turn:3}", title))
        costs = [translate("luck {points}", points=signed(turn.luck, screen))]
        if (turn.keeping or 0) >= LEAST_COST:
            costs.append(translate("keeping {points}", points=_cost(turn.keeping, screen)))
        if turn.mistake >= LEAST_COST:
            costs.append(translate("cost {points}", points=_cost(turn.mistake, screen)))
        rows.append(("", ", ".join(costs)))
        if better := _better(turn, game.rules):
            rows.append(("", translate("better: {choices}", choices=better)))
    return plain_table(("", ""), rows, wrapping=(1,))


def _costliest(result: Review, game: Game) -> Iterator[RenderableType]:
    costly = [(turn, *choice) for turn in result.turns for choice in _costly(turn, game)]
    if not costly:
        return
    costly.sort(key=lambda each: -each[1])
    yield from ("", translate("costliest choices"))
    for turn, _, sentence in costly[:COSTLIEST]:
        told = translate(
            "turn {turn}, {player}: {choice}", turn=turn.turn, player=turn.player, choice=sentence
        )
        yield Hanging(told, 2)


def _costly(turn: ReviewTurn, game: Game) -> Iterator[tuple[float, Message]]:
    """Yield the cost of each costly choice of a turn, and a sentence about it."""
    yield from ((kept.cost, _kept(kept)) for kept in _costly_keeps(turn))
    if (cost := turn.mistake) < LEAST_COST:
        return
    entry, points = " ".join(entry_parts(game, game.entries[turn.turn - 1])), number(cost, ".1f")
    if category := _better_category(turn, game.rules):
        values = {"entry": entry, "points": points, "category": category}
        yield cost, lazy("{entry} cost {points}; {category} was better", **values)
    else:
        yield cost, lazy("{entry} cost {points}", entry=entry, points=points)


def _kept(choice: ReviewThrow) -> Message:
    """Return `kept 44 of 44126 cost 1.3; keeping 444 was better`."""
    hand, was, best = (join_dice(dice) for dice in (choice.dice, choice.kept, choice.best))
    values = {
        "hand": hand,
        "kept": was or _none(),
        "best": best or _none(),
        "points": number(choice.cost, ".1f"),
    }
    if len(was) == len(hand):
        return lazy("stopped at {hand} cost {points}; keeping {best} was better", **values)
    if len(best) == len(hand):
        return lazy("kept {kept} of {hand} cost {points}; entering it was better", **values)
    return lazy("kept {kept} of {hand} cost {points}; keeping {best} was better", **values)


def _none() -> str:
    """Return the word for no dice, where all are thrown again."""
    return translate("none", context="dice")


def _better(turn: ReviewTurn, rules: RuleSet) -> str:
    """Return the better choices of a turn: `keep 44 of 44126; full house`."""
    found = []
    for kept in _costly_keeps(turn):
        hand, best = join_dice(kept.dice), join_dice(kept.best)
        enter, keep = (
            lazy("enter {hand}", hand=hand),
            lazy("keep {dice} of {hand}", dice=best or _none(), hand=hand),
        )
        found.append(translated(enter if len(best) == len(hand) else keep))
    return "; ".join(filter(None, (*found, _better_category(turn, rules))))


def _costly_keeps(turn: ReviewTurn) -> list[ReviewThrow]:
    return [kept for kept in turn.keeps if kept.cost >= LEAST_COST]


def _lines(result: Review, screen: Screen) -> Iterator[str]:
    if result.start is None:
        yield translate("the chances to win are left out: this game has too many different totals")
        return
    yield translate("chance to win, from before the first turn to after the last")
    names = {name: shortened(name, screen.width // 3, screen.marks) for name in result.contenders}
    widest = max(map(cell_len, names.values()))
    digits = cell_len(percent(1))
    room = screen.width - widest - 2 * digits - len("      ")
    for name, shown in names.items():
        shares = [chances.get(name, 0) for chances in result.chances if chances is not None]
        shares_line = f"{percent(shares[0]):>{digits}} {run(shares, room, screen)} {percent(shares[-1])}"
        yield f"  {shown}{' ' * (widest - cell_len(shown))} {shares_line}"


def run(shares: Sequence[float], length: int, screen: Screen) -> str:
    """Return a sign for each share, higher for more; for some of them, the last too, where there is no room.

    Where the terminal has no such signs, they are tenths as digits.
    """
    signs = _TENTHS if screen.marks is ASCII else _HEIGHTS
    length = max(2, min(length, len(shares)))
    last = len(shares) - 1
    shown = (shares[round(place * last / (length - 1))] for place in range(length)) if last else shares
    return "".join(signs[min(len(signs) - 1, int(share * len(signs)))] for share in shown)


def _explained(result: Review, rules: RuleSet) -> Iterator[str]:
    luck = lazy("luck: what a hand added to the expected final total")
    if any(turn.dice is None for turn in result.turns):
        luck = lazy(
            "luck: what a hand added to the expected final total, or the entry where no dice were given"
        )
    kept = lazy("which dice were kept is part of it")
    if shows_keeping := _shows_keeping(result):
        kept = lazy("which dice were kept is part of it where that is not known")
    yield f"{translated(luck)}; {translated(kept)}"
    if shows_keeping:
        yield translate(
            "keeping: how much less was expected of the dice that were kept than of the best ones"
        )
    yield translate("cost: how much less was expected of the category it went to")
    if wins_with(rules, "open"):
        yield translate("an instant win counts as the largest total still possible when it comes")


def _better_category(turn: ReviewTurn, rules: RuleSet) -> str:
    """Return the category that was better for the hand; nothing where the cost is next to nothing."""
    is_best = not turn.scratched and turn.category == turn.best
    if turn.mistake < LEAST_COST or turn.best is None or is_best:
        return ""
    return named(rules.category(turn.best))
