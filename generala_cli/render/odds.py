"""advise: the choices with a hand. odds: who may win and what it may bring. review: luck, costs, chances."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import RenderableType
from rich.padding import Padding

from generala_cli.app.odds import COSTLIEST, Advised, Chances, Review, Turned, expected_payouts
from generala_cli.game.events import Scored
from generala_cli.game.game import Game
from generala_cli.game.money import decimals, is_for_points
from generala_cli.game.standings import contenders
from generala_cli.odds.advice import Choice, Entering, Keeping, Kept
from generala_cli.render.drawing import Stack, bar, line, plain_table, shortened, signed, text
from generala_cli.render.lines import entry_parts, entry_title, stake_text
from generala_cli.render.screen import ASCII, Screen
from generala_cli.render.tables import gain, game_heading
from generala_cli.rules.dice import Dice, print_dice
from generala_cli.rules.ruleset import wins_with
from generala_cli.text import safe

_LEAST_TOLD = 0.005
"""What is less likely than this is left out of the text; `--json` has all."""
_LEAST_COST = 0.05
"""A smaller cost of a choice made is none: it would round to nothing."""
_LONGEST_BAR = 24
_HEIGHTS, _TENTHS = "▁▂▃▄▅▆▇█", "0123456789"
_NARROW_ODDS = 64
"""Fewer columns than this have no room for the payout in the same line."""
_NARROW_REVIEW = 86
"""Fewer columns than this do not hold a turn on one line; where keeping is told, it takes more."""
_KEEPING_TAKES = 18


def advice(result: Advised, screen: Screen, top: int | None = None) -> Stack:
    """The best choices, each with the final total it leads to, and what it costs against the best."""
    choices = result.advice.choices
    shown = list(choices[: 5 if top is None else top])
    if top is None and isinstance(choices[0], Entering):  # best entered now: all that it could go to
        shown += [choice for choice in choices[5:] if isinstance(choice, Entering)]
    words = [choice_words(choice) for choice in shown]
    widest = max(map(cell_len, words))
    advised, spares = result.advice, result.sheet.spares
    of_game = "" if result.number is None else f"Game {result.number}, "
    who = f"{of_game}{safe(result.rules.title if result.player is None else result.player)}"
    spare = f", {spares} spare{'' if spares == 1 else 's'} among them" if spares else ""
    heading = f"{who}: {print_dice(advised.dice)} on throw {advised.throw} of {advised.last}{spare}"
    parts: list[RenderableType] = [line((heading, "bold"))]
    for choice, said in zip(shown, words, strict=True):
        cost = f"{screen.marks.minus}{choice.cost:.2f}" if choice.cost >= _LEAST_TOLD else ""
        figures = f"{said}{' ' * (widest - cell_len(said))}  {choice.expected:7.2f}  {cost}"
        parts.append(line((figures.rstrip(), "bold" if choice is shown[0] else "")))
        if isinstance(choice, Keeping):
            parts.append(Padding.indent(text(_ends(choice)), 4))
    return Stack(*parts, _basis(result))


def choice_words(choice: Choice) -> str:
    """`keep 4 4`, `score fours 8`: what is done."""
    if isinstance(choice, Keeping):
        return f"keep {print_dice(choice.kept)}" if choice.kept else "throw all again"
    if choice.instant_win:
        return "enter it: it wins at once"
    assert choice.category is not None
    name = safe(choice.category.name)
    return f"score {name} {choice.points}" if choice.points else f"scratch {name}"


def _ends(choice: Keeping) -> str:
    """`fours 40%, full house 22%, scratch ones 3%`: what the turn ends with."""
    told = [(each.scored, safe(each.category.name)) for each in choice.likely]
    told += [(each.scratched, f"scratch {safe(each.category.name)}") for each in choice.likely]
    likely = sorted((each for each in told if each[0] >= _LEAST_TOLD), key=lambda each: -each[0])
    return ", ".join(f"{what} {chance:.0%}" for chance, what in likely)


def _basis(result: Advised) -> str:
    """What the figures are."""
    what = "The figures are expected final totals with the best play to the end"
    if result.player is None:
        told = "the points told, and those" if result.sheet.total else "the points"
        what = f"The figures are {told} to be expected with the best play to the end"
    if result.instant_value is not None:
        largest = result.sheet.total + result.instant_value
        counts = f"as the largest total still possible, {largest}"
        if result.instant_value_told:
            counts = f"{result.instant_value} points on top of those on the sheet"
        what += f"; an instant win counts {counts} (--instant-value)"
    return f"{what}."


def odds(result: Chances, screen: Screen) -> Stack:
    """A line for each player or side: the chance to win as a bar, the final total, the payout."""
    agreed, best = result.game.agreed, max(chance.expected.wins for chance in result.chances)
    heads: tuple[str, ...] = ("side" if agreed.sides else "player", "wins", "", "total", "", "payout")
    values = expected_payouts(result.chances, agreed.stake, max(2, decimals(agreed.unit, agreed.stake)))
    told = [gain(value, agreed.unit) for value in values]
    length = max(min(8, screen.width - 28), min(_LONGEST_BAR, screen.width - 50), 1)
    give_or_take = "+-" if screen.marks is ASCII else "±"
    rows: list[tuple[str, ...]] = [
        (
            chance.contender.name,
            f"{chance.expected.wins:.1%}",
            bar(chance.expected.wins, length, screen),
            f"{chance.expected.total:.1f}",
            f"{give_or_take} {chance.expected.spread:.1f}",
            payout,
        )
        for chance, payout in zip(result.chances, told, strict=True)
    ]
    below: list[str] = []
    if screen.width < _NARROW_ODDS:
        heads, rows = heads[:-1], [row[:-1] for row in rows]
        names = (safe(chance.contender.name) for chance in result.chances)
        below = ["", *(f"{name} expects {payout}" for name, payout in zip(names, told, strict=True))]
    styles = ["bold" if chance.expected.wins == best else "" for chance in result.chances]
    table = plain_table(heads, rows, right=(1, 3, 5), flexible=(0,), styles=styles)
    method = agreed.payout
    if not is_for_points(agreed.stake, agreed.unit):
        method += f", {stake_text(agreed.stake, agreed.unit, method)}"
    at_once = sum(chance.expected.instant_wins for chance in result.chances)
    return Stack(
        game_heading(result.number),
        table,
        *below,
        "",
        "if everyone plays on for the highest expected total; total: the mean and the spread around it",
        f"payout: {method}",
        *([f"someone wins at once: {at_once:.2%}"] if at_once else []),
    )


def review(result: Review, screen: Screen) -> RenderableType:
    """Every turn with its luck and its cost, the sums, and the chances to win as lines."""
    if not result.turns:
        return f"nothing has been entered yet in game {result.number}\n"
    least = _NARROW_REVIEW + (_KEEPING_TAKES if _tells_keeping(result) else 0)
    turns = _pairs(result, screen) if screen.width < least else (_table(result, screen),)
    told = (*_costliest(result), "", *_lines(result, screen), "", *_explained(result))
    return Stack(game_heading(result.number), *turns, "", _sums(result, screen), *told)


def _tells_keeping(result: Review) -> bool:
    """Whether there is something to tell of it: throws were told, or a hand was better not entered yet."""
    return any(
        kept.cost >= _LEAST_COST or len(kept.kept) < len(kept.dice)
        for turned in result.turns
        for kept in turned.judged.keeps
    )


def _sums(result: Review, screen: Screen) -> RenderableType:
    """Everyone's total, and what it was made of."""
    tells_keeping = _tells_keeping(result)
    heads = ("", "total", "luck", *(("keeping",) if tells_keeping else ()), "mistakes")
    rows = []
    for player in result.game.seats:
        keeping = result.keeping(player)
        kept = ["" if keeping is None else signed(-keeping, screen)] if tells_keeping else []
        luck, mistakes = (signed(value, screen) for value in (result.luck(player), -result.mistakes(player)))
        rows.append((player, result.game.total(player), luck, *kept, mistakes))
    return plain_table(heads, rows, right=range(1, len(heads)), flexible=(0,))


def _table(result: Review, screen: Screen) -> RenderableType:
    keeping = ("keeping",) if _tells_keeping(result) else ()
    heads = ("turn", "player", "dice", "throw", "entered", "points", "luck", *keeping, "cost", "better")
    rows = []
    for turned in result.turns:
        entry, judged = turned.entry, turned.judged
        dice, throw = ("", "") if entry.dice is None else (print_dice(entry.dice), str(entry.roll))
        what, (_, points) = entry_title(result.game, entry), entry_parts(result.game, entry)
        costs = [*([judged.keeping] if keeping else []), judged.mistake]
        figures = (signed(judged.luck, screen), *(_cost(cost, screen) for cost in costs))
        better = _better(result.game, turned)
        rows.append((turned.turn, entry.player, dice, throw, what, points, *figures, better))
    last = len(heads) - 1
    return plain_table(heads, rows, right=(0, *range(5, last)), flexible=(1, last))


def _cost(cost: float | None, screen: Screen) -> str:
    """`1.3`, or the sign for none; nothing where it is not known."""
    if cost is None:
        return ""
    return f"{cost:.1f}" if cost >= _LEAST_COST else screen.marks.dash


def _pairs(result: Review, screen: Screen) -> Iterator[str]:
    for turned in result.turns:
        entry, parts, judged = turned.entry, entry_parts(result.game, turned.entry), turned.judged
        dice = "" if entry.dice is None else f" with {''.join(map(str, entry.dice))}"
        name = shortened(entry.player, screen.width // 3, screen.marks)
        yield f"{turned.turn:3}  {name}: {' '.join(parts)}{dice}"
        costs = (("keeping", judged.keeping or 0), ("cost", judged.mistake))
        told = [f"{what} {cost:.1f}" for what, cost in costs if cost >= _LEAST_COST]
        yield f"     {', '.join([f'luck {signed(judged.luck, screen)}', *told])}"
        if better := _better(result.game, turned):
            yield f"     better: {better}"


def _costliest(result: Review) -> Iterator[str]:
    costly = [(turned, *choice) for turned in result.turns for choice in _costly(result.game, turned)]
    costly.sort(key=lambda each: -each[1])
    yield from ("", "costliest choices") if costly else ()
    for turned, cost, what, better in costly[:COSTLIEST]:
        told = f"; {better} was better" if better else ""
        yield f"  turn {turned.turn}, {safe(turned.entry.player)}: {what} cost {cost:.1f}{told}"


def _costly(game: Game, turned: Turned) -> Iterator[tuple[float, str, str]]:
    """The choices of a turn that cost something: how much, what was done, what was better."""
    for kept in _costly_keeps(turned):
        hand, was, best = (_joined(dice) for dice in (kept.dice, kept.kept, kept.best))
        what = f"stopped at {hand}" if len(was) == len(hand) else f"kept {was or 'none'} of {hand}"
        yield kept.cost, what, "entering it" if len(best) == len(hand) else f"keeping {best or 'none'}"
    if turned.judged.mistake >= _LEAST_COST:
        entered = " ".join(entry_parts(game, turned.entry))
        yield turned.judged.mistake, entered, _better_category(game, turned)


def _better(game: Game, turned: Turned) -> str:
    """`keep 44 of 44126; full house`: what had better been kept, and where it had better gone."""
    found = []
    for kept in _costly_keeps(turned):
        hand, best = _joined(kept.dice), _joined(kept.best)
        found.append(f"enter {hand}" if len(best) == len(hand) else f"keep {best or 'none'} of {hand}")
    return "; ".join(filter(None, (*found, _better_category(game, turned))))


def _costly_keeps(turned: Turned) -> list[Kept]:
    return [kept for kept in turned.judged.keeps if kept.cost >= _LEAST_COST]


def _joined(dice: Dice) -> str:
    return "".join(map(str, dice))


def _lines(result: Review, screen: Screen) -> Iterator[str]:
    if result.start is None:
        yield "the chances to win are left out: this game has too many different totals"
        return
    yield "chance to win, from before the first turn to after the last"
    names = [shortened(side.name, screen.width // 3, screen.marks) for side in contenders(result.game)]
    widest = max(map(cell_len, names))
    room = screen.width - widest - len("  100%  100%  ")
    for place, name in enumerate(names):
        ran = (turned.chances for turned in result.turns if turned.chances is not None)
        shares = [chances[place] if place < len(chances) else 0 for chances in (result.start, *ran)]
        told = f"{shares[0]:4.0%} {run(shares, room, screen)} {shares[-1]:.0%}"
        yield f"  {name}{' ' * (widest - cell_len(name))} {told}"


def run(shares: Sequence[float], length: int, screen: Screen) -> str:
    """A sign for each share, higher for more; for some of them, the last among these, where there is no room.

    Where the terminal has no such signs, they are tenths as digits.
    """
    signs = _TENTHS if screen.marks is ASCII else _HEIGHTS
    length = max(2, min(length, len(shares)))
    last = len(shares) - 1
    shown = (shares[round(place * last / (length - 1))] for place in range(length)) if last else shares
    return "".join(signs[min(len(signs) - 1, int(share * len(signs)))] for share in shown)


def _explained(result: Review) -> Iterator[str]:
    unknown = any(turned.entry.dice is None for turned in result.turns)
    without = ", or the entry where no dice were told" if unknown else ""
    kept = "which dice were kept is part of it"
    if tells_keeping := _tells_keeping(result):
        kept += " where that was not told"
    yield f"luck: what a hand added to the expected final total{without}; {kept}"
    if tells_keeping:
        yield "keeping: how much less was expected of the dice that were kept than of the best ones"
    yield "cost: how much less was expected of the category it went to"
    if wins_with(result.game.rules, "open"):
        yield "an instant win counts as the largest total still possible when it comes"


def _better_category(game: Game, turned: Turned) -> str:
    """Where the hand would have gone better; nothing where that costs next to nothing."""
    best, entry = turned.judged.best, turned.entry
    is_costly = turned.judged.mistake >= _LEAST_COST
    if not is_costly or best is None or (isinstance(entry, Scored) and entry.category == best):
        return ""
    return safe(game.rules.category(best).name)
