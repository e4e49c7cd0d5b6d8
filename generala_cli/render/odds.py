"""advise: the choices with a hand. odds: who may win and what it may bring. review: luck, costs, chances."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from rich.cells import cell_len
from rich.console import RenderableType
from rich.padding import Padding

from generala_cli.app.odds import COSTLIEST, Advised, Chances, Review, ReviewedTurn, expected_payouts
from generala_cli.game.events import Scored
from generala_cli.game.game import Game
from generala_cli.game.money import decimals, is_for_points
from generala_cli.game.standings import contenders
from generala_cli.messages import Message, tell
from generala_cli.odds.advice import Choice, Entering, Keeping, Kept
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
from generala_cli.render.language import LEAST_COST, hundredths, longer, number, percent, said, say, say_count
from generala_cli.render.lines import entry_parts, entry_title, named, stake_text, terms
from generala_cli.render.screen import ASCII, Screen
from generala_cli.render.tables import gain, game_heading
from generala_cli.rules.dice import join_dice, print_dice
from generala_cli.rules.ruleset import wins_with
from generala_cli.text import safe

_LEAST_SHOWN = 0.005
"""Chances below this are left out of the text; `--json` has all."""
_LONGEST_BAR = 24
_HEIGHTS, _TENTHS = "▁▂▃▄▅▆▇█", "0123456789"
_NARROW_ODDS = 64
"""Fewer columns than this have no room for the payout in the same line."""
_NARROW_REVIEW = 86
"""Fewer columns than this do not hold a turn on one line; where keeping is shown, it takes more."""
_KEEPING_TAKES = 18


def advice(result: Advised, screen: Screen, top: int | None = None) -> Stack:
    """The best choices, each with the final total it leads to, and what it costs against the best."""
    choices = result.advice.choices
    shown = list(choices[: 5 if top is None else top])
    if top is None and isinstance(choices[0], Entering):  # best entered now: all that it could go to
        shown += [choice for choice in choices[5:] if isinstance(choice, Entering)]
    words = [choice_words(choice) for choice in shown]
    widest = max(map(cell_len, words))
    parts: list[RenderableType] = [fitting(_hand(result), screen, "bold")]
    for choice, label in zip(shown, words, strict=True):
        cost = f"{screen.marks.minus}{number(choice.cost, '.2f')}" if choice.cost >= _LEAST_SHOWN else ""
        figures = f"{label}{' ' * (widest - cell_len(label))}  {number(choice.expected, '7.2f')}  {cost}"
        parts.append(line((figures.rstrip(), "bold" if choice is shown[0] else "")))
        if isinstance(choice, Keeping):
            ends = wrap(_ends(choice), max(1, screen.width - 4))  # which leaves `22 %` on one line
            parts += (Padding.indent(text(part), 4) for part in ends)
    return Stack(*parts, _basis(result))


def _hand(result: Advised) -> str:
    """Return whose hand it is, and on which throw of how many."""
    advised, spares = result.advice, result.sheet.spares
    who = named(result.rules) if result.player is None else safe(result.player)
    if result.number is not None:
        who = say("Game {game}, {player}", game=result.number, player=who)
    dice, throw, last = print_dice(advised.dice), advised.throw, advised.last
    if not spares:
        return say(
            "{player}: {dice} on throw {throw} of {last}", player=who, dice=dice, throw=throw, last=last
        )
    return say_count(
        "{player}: {dice} on throw {throw} of {last}, {count} spare among them",
        "{player}: {dice} on throw {throw} of {last}, {count} spares among them",
        spares,
        player=who,
        dice=dice,
        throw=throw,
        last=last,
    )


def choice_words(choice: Choice, blank: str = " ") -> str:
    """Return the words for a choice: `keep 4 4`, `score fours 8`; `blank` stands between the dice."""
    if isinstance(choice, Keeping):
        kept = print_dice(choice.kept).replace(" ", blank)
        return say("keep {dice}", dice=kept) if kept else say("throw all again")
    if choice.instant_win:
        return say("enter it: it wins at once")
    assert choice.category is not None
    name = named(choice.category)
    if choice.points:
        return say("score {category} {points}", category=name, points=choice.points)
    return say("scratch {category}", category=name)


def _ends(choice: Keeping) -> str:
    """Return the likely entries at the end of the turn: `fours 40%, full house 22%, scratch ones 3%`."""
    ends = [(each.scored, named(each.category)) for each in choice.likely]
    ends += [
        (each.scratched, say("scratch {category}", category=named(each.category))) for each in choice.likely
    ]
    likely = sorted((each for each in ends if each[0] >= _LEAST_SHOWN), key=lambda each: -each[0])
    return ", ".join(f"{what} {percent(chance)}" for chance, what in likely)


def _basis(result: Advised) -> str:
    """Return the sentence that says what the figures are."""
    what = tell("The figures are expected final totals with the best play to the end")
    if result.player is None:
        what = tell("The figures are the points to be expected with the best play to the end")
        if result.sheet.total:
            what = tell(
                "The figures are the points given, and those to be expected with the best play to the end"
            )
    if result.instant_value is None:
        return f"{said(what)}."
    if result.instant_value_given:
        win = tell(
            "an instant win counts {points} points on top of those on the sheet",
            points=result.instant_value,
        )
    else:
        win = tell(
            "an instant win counts as the largest total still possible, {total}",
            total=result.sheet.total + result.instant_value,
        )
    return f"{said(what)}; {said(win)}."


def odds(result: Chances, screen: Screen) -> Stack:
    """A line for each player or side: the chance to win as a bar, the final total, the payout."""
    agreed, best = result.game.agreed, max(chance.expected.wins for chance in result.chances)
    who = tell("side") if agreed.sides else tell("player")
    heads: tuple[str | Message, ...] = (who, tell("wins"), "", tell("total"), "", tell("payout"))
    values = expected_payouts(result.chances, agreed.stake, max(2, decimals(agreed.unit, agreed.stake)))
    payouts = [gain(value, agreed.unit) for value in values]
    width = screen.width - longer(*heads, hundredths(1, 1))
    length = max(min(8, width - 28), min(_LONGEST_BAR, width - 50), 1)
    give_or_take = "+-" if screen.marks is ASCII else "±"
    rows: list[tuple[str, ...]] = [
        (
            chance.contender.name,
            percent(chance.expected.wins, 1),
            bar(chance.expected.wins, length, screen),
            number(chance.expected.total, ".1f"),
            f"{give_or_take} {number(chance.expected.spread, '.1f')}",
            payout,
        )
        for chance, payout in zip(result.chances, payouts, strict=True)
    ]
    below: list[str] = []
    if width < _NARROW_ODDS:
        heads, rows = heads[:-1], [row[:-1] for row in rows]
        names = (safe(chance.contender.name) for chance in result.chances)
        expect = (
            say("{player} expects {payout}", player=name, payout=payout)
            for name, payout in zip(names, payouts, strict=True)
        )
        below = ["", *expect]
    styles = ["bold" if chance.expected.wins == best else "" for chance in result.chances]
    table = plain_table(heads, rows, right=(1, 3, 5), flexible=(0,), styles=styles)
    heading = game_heading(result.number) if result.number else text(terms(result.game), "bold")
    return Stack(heading, table, *below, "", *_conditions(result))


def _conditions(result: Chances) -> Iterator[str]:
    """Yield the conditions that the figures hold under."""
    agreed = result.game.agreed
    yield say("if everyone plays on for the highest expected total; total: the mean and the spread around it")
    method = agreed.payout
    if not is_for_points(agreed.stake, agreed.unit):
        method += f", {stake_text(agreed.stake, agreed.unit, method)}"
    yield say("payout: {terms}", terms=method)
    if at_once := sum(chance.expected.instant_wins for chance in result.chances):
        yield say("someone wins at once: {chance}", chance=percent(at_once, 2))


def review(result: Review, screen: Screen) -> RenderableType:
    """Every turn with its luck and its cost, the sums, and the chances to win as lines."""
    if not result.turns:
        return f"{say('nothing has been entered yet in game {game}', game=result.number)}\n"
    least = _NARROW_REVIEW + longer(*_heads(result)) + (_KEEPING_TAKES if _shows_keeping(result) else 0)
    turns = _below_each_other(result, screen) if screen.width < least else _table(result, screen)
    below = (*_costliest(result), "", *_lines(result, screen), "", *_explained(result))
    return Stack(game_heading(result.number), turns, "", _sums(result, screen), *below)


def _shows_keeping(result: Review) -> bool:
    """Whether there is any keeping to show: throws were given, or a hand was better not entered yet."""
    return any(
        kept.cost >= LEAST_COST or len(kept.kept) < len(kept.dice)
        for turn in result.turns
        for kept in turn.judged.keeps
    )


def _sums(result: Review, screen: Screen) -> RenderableType:
    """Return a table of everyone's total, luck and costs."""
    shows_keeping = _shows_keeping(result)
    keeping_head = (tell("keeping"),) if shows_keeping else ()
    heads = ("", tell("total"), tell("luck"), *keeping_head, tell("mistakes"))
    rows = []
    for player in result.game.seats:
        keeping = result.keeping(player)
        kept = ["" if keeping is None else signed(-keeping, screen)] if shows_keeping else []
        luck, mistakes = (signed(value, screen) for value in (result.luck(player), -result.mistakes(player)))
        rows.append((player, result.game.total(player), luck, *kept, mistakes))
    return plain_table(heads, rows, right=range(1, len(heads)), flexible=(0,))


def _heads(result: Review) -> Sequence[Message]:
    """Return the heads of the table of turns."""
    entry = (tell("turn"), tell("player"), tell("dice"), tell("throw"), tell("entered"), tell("points"))
    keeping = (tell("keeping"),) if _shows_keeping(result) else ()
    return (*entry, tell("luck"), *keeping, tell("cost"), tell("better"))


def _table(result: Review, screen: Screen) -> RenderableType:
    heads, keeping = _heads(result), _shows_keeping(result)
    rows = []
    for turn in result.turns:
        entry, judged = turn.entry, turn.judged
        dice, throw = ("", "") if entry.dice is None else (print_dice(entry.dice), str(entry.roll))
        what, (_, points) = entry_title(result.game, entry), entry_parts(result.game, entry)
        costs = [*([judged.keeping] if keeping else []), judged.mistake]
        figures = (signed(judged.luck, screen), *(_cost(cost, screen) for cost in costs))
        better = _better(result.game, turn)
        rows.append((turn.turn, entry.player, dice, throw, what, points, *figures, better))
    last = len(heads) - 1
    return plain_table(heads, rows, right=(0, *range(5, last)), flexible=(1,), wrapping=(last,))


def _cost(cost: float | None, screen: Screen) -> str:
    """`1.3`, or the sign for none; nothing where it is not known."""
    if cost is None:
        return ""
    return number(cost, ".1f") if cost >= LEAST_COST else screen.marks.dash


def _below_each_other(result: Review, screen: Screen) -> RenderableType:
    """Each turn in a few lines, behind its number."""
    rows: list[tuple[str, str]] = []
    for turn in result.turns:
        entry, judged = turn.entry, turn.judged
        name = shortened(entry.player, screen.width // 3, screen.marks)
        title = f"{name}: {' '.join(entry_parts(result.game, entry))}"
        if entry.dice is not None:
            title = say("{entry} with {dice}", entry=title, dice=join_dice(entry.dice))
        rows.append((f"{turn.turn:3}", title))
        costs = [say("luck {points}", points=signed(judged.luck, screen))]
        if (judged.keeping or 0) >= LEAST_COST:
            costs.append(say("keeping {points}", points=_cost(judged.keeping, screen)))
        if judged.mistake >= LEAST_COST:
            costs.append(say("cost {points}", points=_cost(judged.mistake, screen)))
        rows.append(("", ", ".join(costs)))
        if better := _better(result.game, turn):
            rows.append(("", say("better: {choices}", choices=better)))
    return plain_table(("", ""), rows, wrapping=(1,))


def _costliest(result: Review) -> Iterator[RenderableType]:
    costly = [(turn, *choice) for turn in result.turns for choice in _costly(result.game, turn)]
    if not costly:
        return
    costly.sort(key=lambda each: -each[1])
    yield from ("", say("costliest choices"))
    for turn, _, sentence in costly[:COSTLIEST]:
        player = turn.entry.player
        yield Hanging(
            say("turn {turn}, {player}: {choice}", turn=turn.turn, player=player, choice=sentence), 2
        )


def _costly(game: Game, turn: ReviewedTurn) -> Iterator[tuple[float, Message]]:
    """Yield the cost of each costly choice of a turn, and a sentence about it."""
    yield from ((kept.cost, _kept(kept)) for kept in _costly_keeps(turn))
    if (cost := turn.judged.mistake) < LEAST_COST:
        return
    entry, points = " ".join(entry_parts(game, turn.entry)), number(cost, ".1f")
    if category := _better_category(game, turn):
        values = {"entry": entry, "points": points, "category": category}
        yield cost, tell("{entry} cost {points}; {category} was better", **values)
    else:
        yield cost, tell("{entry} cost {points}", entry=entry, points=points)


def _kept(choice: Kept) -> Message:
    """Return `kept 44 of 44126 cost 1.3; keeping 444 was better`."""
    hand, was, best = (join_dice(dice) for dice in (choice.dice, choice.kept, choice.best))
    values = {
        "hand": hand,
        "kept": was or _none(),
        "best": best or _none(),
        "points": number(choice.cost, ".1f"),
    }
    if len(was) == len(hand):
        return tell("stopped at {hand} cost {points}; keeping {best} was better", **values)
    if len(best) == len(hand):
        return tell("kept {kept} of {hand} cost {points}; entering it was better", **values)
    return tell("kept {kept} of {hand} cost {points}; keeping {best} was better", **values)


def _none() -> str:
    """Return the word for no dice, where all are thrown again."""
    return say("none", context="dice")


def _better(game: Game, turn: ReviewedTurn) -> str:
    """Return the better choices of a turn: `keep 44 of 44126; full house`."""
    found = []
    for kept in _costly_keeps(turn):
        hand, best = join_dice(kept.dice), join_dice(kept.best)
        enter, keep = (
            tell("enter {hand}", hand=hand),
            tell("keep {dice} of {hand}", dice=best or _none(), hand=hand),
        )
        found.append(said(enter if len(best) == len(hand) else keep))
    return "; ".join(filter(None, (*found, _better_category(game, turn))))


def _costly_keeps(turn: ReviewedTurn) -> list[Kept]:
    return [kept for kept in turn.judged.keeps if kept.cost >= LEAST_COST]


def _lines(result: Review, screen: Screen) -> Iterator[str]:
    if result.start is None:
        yield say("the chances to win are left out: this game has too many different totals")
        return
    yield say("chance to win, from before the first turn to after the last")
    names = [shortened(side.name, screen.width // 3, screen.marks) for side in contenders(result.game)]
    widest = max(map(cell_len, names))
    digits = cell_len(percent(1))
    room = screen.width - widest - 2 * digits - len("      ")
    for place, name in enumerate(names):
        ran = (chances for chances in result.chances if chances is not None)
        shares = [chances[place] if place < len(chances) else 0 for chances in ran]
        shares_line = f"{percent(shares[0]):>{digits}} {run(shares, room, screen)} {percent(shares[-1])}"
        yield f"  {name}{' ' * (widest - cell_len(name))} {shares_line}"


def run(shares: Sequence[float], length: int, screen: Screen) -> str:
    """Return a sign for each share, higher for more; for some of them, the last too, where there is no room.

    Where the terminal has no such signs, they are tenths as digits.
    """
    signs = _TENTHS if screen.marks is ASCII else _HEIGHTS
    length = max(2, min(length, len(shares)))
    last = len(shares) - 1
    shown = (shares[round(place * last / (length - 1))] for place in range(length)) if last else shares
    return "".join(signs[min(len(signs) - 1, int(share * len(signs)))] for share in shown)


def _explained(result: Review) -> Iterator[str]:
    luck = tell("luck: what a hand added to the expected final total")
    if any(turn.entry.dice is None for turn in result.turns):
        luck = tell(
            "luck: what a hand added to the expected final total, or the entry where no dice were given"
        )
    kept = tell("which dice were kept is part of it")
    if shows_keeping := _shows_keeping(result):
        kept = tell("which dice were kept is part of it where that is not known")
    yield f"{said(luck)}; {said(kept)}"
    if shows_keeping:
        yield say("keeping: how much less was expected of the dice that were kept than of the best ones")
    yield say("cost: how much less was expected of the category it went to")
    if wins_with(result.game.rules, "open"):
        yield say("an instant win counts as the largest total still possible when it comes")


def _better_category(game: Game, turn: ReviewedTurn) -> str:
    """Return the category that was better for the hand; nothing where the cost is next to nothing."""
    best, entry = turn.judged.best, turn.entry
    is_costly = turn.judged.mistake >= LEAST_COST
    if not is_costly or best is None or (isinstance(entry, Scored) and entry.category == best):
        return ""
    return named(game.rules.category(best))
