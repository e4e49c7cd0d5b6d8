"""Draw advise, odds and review, with names of categories from the rules or the game."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from msgspec import UNSET
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
from generala_cli.advice.payouts import PAYOUT_PLACES, rounded_payouts
from generala_cli.game.game import Game
from generala_cli.game.money import decimals, is_for_points
from generala_cli.messages import Message, lazy
from generala_cli.render.choices import choice_words, keep_words
from generala_cli.render.drawing import (
    Bars,
    Column,
    GivesWay,
    Hanging,
    Stack,
    fits,
    fitting,
    give_or_take,
    line,
    shortened,
    signed,
    table,
    text,
)
from generala_cli.render.language import (
    LEAST_COST,
    LEAST_WIN_COST,
    number,
    percent,
    translate,
    translate_count,
    translated,
)
from generala_cli.render.lines import (
    entry_points,
    entry_title,
    entry_words,
    method_name,
    named,
    stake_text,
    terms,
)
from generala_cli.render.screen import ASCII, Screen
from generala_cli.render.tables import gain, game_heading
from generala_cli.rules.dice import join_dice, print_dice
from generala_cli.rules.ruleset import RuleSet, wins_with
from generala_cli.text import safe

_LEAST_SHOWN = 0.005
"""Chances below this are not shown; `--json` has all."""
_LONGEST_BAR = 24
_HEIGHTS, _TENTHS = "▁▂▃▄▅▆▇█", "0123456789"
_SHOWN = 5
_BOXES_SHOWN = 10


def advice(
    result: Advice,
    rules: RuleSet,
    screen: Screen,
    *,
    all_shown: bool = False,
    instant_value_given: bool = False,
) -> Stack:
    if result.why is not None:
        return _boxes(result, rules, screen, all_shown=all_shown)
    choices = result.choices
    shown = list(choices if all_shown else choices[:_SHOWN])
    if not all_shown and not isinstance(choices[0], AdviceKeep):
        others = (choice for choice in choices[_SHOWN:] if not isinstance(choice, AdviceKeep))
        shown += [choice for choice in others if choice.turned is UNSET]
    more_places, best, for_points = 0, choices[0], result.best_for_points
    if for_points is not UNSET:
        places = range(PAYOUT_PLACES)
        differ = (n for n in places if _brings(best, result, n) != _brings(for_points, result, n))
        more_places = next(differ, 0)
    return Stack(
        fitting(_hand(result, rules), screen, "bold"),
        *_choices(shown, result, rules, screen, more_places),
        *_compared(result, rules, more_places),
        *_goals(result, rules),
        _basis(result, rules, instant_value_given=instant_value_given),
    )


def _choices(
    shown: Sequence[AdviceChoice], result: Advice, rules: RuleSet, screen: Screen, more_places: int
) -> Iterator[RenderableType]:
    words = [choice_words(choice, rules) for choice in shown]
    widest = max(map(cell_len, words))
    brings = [_brings(choice, result, more_places) for choice in shown]
    widest_brings = max(map(cell_len, brings))
    for choice, label, brought in zip(shown, words, brings, strict=True):
        label += " " * (widest - cell_len(label))
        if widest_brings:
            label += f"  {' ' * (widest_brings - cell_len(brought))}{brought}"
        cost = f"{screen.marks.minus}{number(choice.cost, '.2f')}" if choice.cost >= _LEAST_SHOWN else ""
        figures = f"{label}  {number(choice.expected, '7.2f')}  {cost}"
        yield line((figures.rstrip(), "bold" if choice is shown[0] else ""))
        if isinstance(choice, AdviceKeep):
            ends: list[tuple[float, str]] = []
            for each in choice.categories:
                name = named(rules.category(each.category))
                ends.append((each.scored, name))
                ends.append((each.scratched, translate("scratch {category}", category=name)))
            likely = sorted((end for end in ends if end[0] >= _LEAST_SHOWN), key=lambda end: -end[0])
            listed = ", ".join(f"{what} {percent(chance)}" for chance, what in likely)
            # keep `22 %` on one line
            yield from (Padding.indent(text(part), 4) for part in wrap(listed, max(1, screen.width - 4)))


def _brings(choice: AdviceChoice, result: Advice, more_places: int) -> str:
    if choice.wins is not UNSET:
        return percent(choice.wins, 1 + more_places)
    if choice.payout is not UNSET and result.unit is not UNSET:
        places = max(2, decimals(result.unit, "1")) + more_places
        return gain(round(choice.payout, places), result.unit)
    return ""


def _compared(result: Advice, rules: RuleSet, more_places: int) -> Iterator[str]:
    best, for_points = result.choices[0], result.best_for_points
    if for_points is UNSET:
        return
    values = {
        "choice": choice_words(best, rules),
        "brings": _brings(best, result, more_places),
        "points": number(best.cost, ".1f"),
        "other": choice_words(for_points, rules),
        "others": _brings(for_points, result, more_places),
    }
    if best.wins is UNSET:
        yield translate(
            "{choice}: {brings} expected, but {points} points fewer than {other} ({others} expected)",
            **values,
        )
    else:
        yield translate(
            "{choice}: {brings} to win, but {points} points fewer than {other} ({others} to win)", **values
        )


def _aimed_at(result: Advice) -> Iterator[str]:
    if result.to != result.asked and result.asked == "win":
        yield translate(
            "With this many open categories, the best play to win takes too long to compute. This "
            "is for points."
        )
    elif result.to != result.asked:
        yield translate(
            "With this many open categories, the best play for the payout takes too long to "
            "compute. This is for points."
        )
    if result.to == "points":
        return
    if result.others == "win":
        yield translate("The first figure is the chance to win if both play to win.")
    elif result.others == "payout":
        yield translate("The first figure is the expected payout if both play for it.")
    elif result.to == "win":
        yield translate("The first figure is the chance to win if all others play for the highest total.")
    else:
        yield translate("The first figure is the expected payout if all others play for the highest total.")
    if not result.exact:
        yield translate("It can be higher, because you can still react to the throws of others.")
    if result.both_from is not UNSET:
        yield translate_count(
            "With about {count} open category left each, both are assumed to play for it, and it "
            "becomes exact.",
            "With about {count} open categories left each, both are assumed to play for it, and "
            "it becomes exact.",
            result.both_from,
        )


def _boxes(result: Advice, rules: RuleSet, screen: Screen, *, all_shown: bool) -> Stack:
    boxes = result.boxes if all_shown else result.boxes[:_BOXES_SHOWN]
    names = [named(rules.category(box.category)) for box in boxes]
    kept = [
        translate("turn {dice}", dice=print_dice(box.turned))
        if box.turned
        else translate("enter it")
        if box.keep is None
        else keep_words(box.keep)
        for box in boxes
    ]
    made = [percent(box.made) for box in boxes]
    points = [number(box.points, ".2f") for box in boxes]
    turns = [number(box.turn, ".2f") for box in boxes]
    columns = (
        Column(lazy("box alone"), names),
        Column(lazy("best"), kept),
        Column(lazy("made"), made, right=True),
        Column(lazy("points"), points, right=True),
        Column(lazy("a turn"), turns, right=True),
    )
    shown: Sequence[RenderableType] = [table(*columns, screen=screen)]
    if not fits(columns, screen):
        shown = [
            Hanging(
                translate(
                    "{category}: {choice}; made {chance}, points {points}, a turn {turn}",
                    category=name,
                    choice=choice,
                    chance=chance,
                    points=worth,
                    turn=turn,
                )
            )
            for name, choice, chance, worth, turn in zip(names, kept, made, points, turns, strict=True)
        ]
    explained = translate(
        "points: the average if you play for that box only; a turn: the average of a whole turn for it"
    )
    return Stack(
        fitting(_hand(result, rules), screen, "bold"),
        Hanging(translated(result.why or "")),
        *shown,
        Hanging(explained),
    )


def _hand(result: Advice, rules: RuleSet) -> str:
    who = named(rules) if result.player is None else safe(result.player)
    if result.game is not None:
        who = translate("Game {game}, {player}", game=result.game, player=who)
    dice, throw, last = print_dice(result.dice), result.roll, result.last_roll
    if not result.spares:
        return translate(
            "{player}: {dice} on throw {throw} of {last}", player=who, dice=dice, throw=throw, last=last
        )
    return translate_count(
        "{player}: {dice} on throw {throw} of {last}, including {count} spare",
        "{player}: {dice} on throw {throw} of {last}, including {count} spares",
        result.spares,
        player=who,
        dice=dice,
        throw=throw,
        last=last,
    )


def _goals(result: Advice, rules: RuleSet) -> Iterator[str]:
    best = result.choices[0]
    if best.goals:
        chances = [f"{named(rules.category(box))} {percent(chance)}" for box, chance in best.goals.items()]
        yield translate(
            "Chances of rows to reach their goals, with the first choice and then the best play for the "
            "total: {rows}.",
            rows=", ".join(chances),
        )


def _basis(result: Advice, rules: RuleSet, *, instant_value_given: bool) -> str:
    what = lazy("The figures are expected final totals with the best play to the end")
    if result.player is None:
        what = lazy("The figures are expected points with the best play to the end")
        if result.total:
            what = lazy(
                "The figures are the given points plus the expected points with the best play to the end"
            )
    if result.to != "points":
        what = lazy("The second figure is the expected final total with the best play for points")
    aimed_at = " ".join((*_aimed_at(result), ""))
    if rules.game_points:
        aimed_at = (
            f"{aimed_at}{translate('Game points decide this game; this is the best play for the total.')} "
        )
    if result.instant_value is None:
        return f"{aimed_at}{translated(what)}."
    if instant_value_given:
        win = lazy(
            "an instant win adds {points} points to the sheet",
            points=result.instant_value,
        )
    else:
        win = lazy(
            "an instant win counts as the highest total that is still possible, {total}",
            total=result.total + result.instant_value,
        )
    return f"{aimed_at}{translated(what)}; {translated(win)}."


def odds(result: Odds, game: Game, screen: Screen) -> Stack:
    who = lazy("side") if game.agreed.sides else lazy("player")
    places = max(2, decimals(result.unit, result.stake))
    values = rounded_payouts([each.payout for each in result.odds], places)
    payouts = [gain(value, result.unit) for value in values]
    names, wins = [each.name for each in result.odds], [each.wins for each in result.odds]
    spreads = [give_or_take(each.spread, screen) for each in result.odds]
    columns = (
        Column(who, names, gives_way=GivesWay.APART),
        Column(lazy("wins"), [percent(share, 1) for share in wins], right=True),
        Bars(cells=wins, longest=_LONGEST_BAR),
        Column(lazy("total"), [number(each.expected, ".1f") for each in result.odds], right=True),
        Column(cells=spreads),
        Column(lazy("payout"), payouts, right=True, gives_way=GivesWay.DROPS),
    )
    styles = ["bold" if share == max(wins) else "" for share in wins]
    below: list[str] = []
    if not fits(columns, screen):
        expect = (
            translate("{player} expects {payout}", player=safe(name), payout=payout)
            for name, payout in zip(names, payouts, strict=True)
        )
        below = ["", *expect]
    heading = game_heading(result.game) if result.game else text(terms(game), "bold")
    shown = table(*columns, screen=screen, styles=styles)
    agreed = method_name(result.method)
    if not is_for_points(result.stake, result.unit):
        agreed += f", {stake_text(result.stake, result.unit, result.method)}"
    below += (
        "",
        translate("if everyone plays for the highest expected total; total: mean and standard deviation"),
        translate("payout: {terms}", terms=agreed),
    )
    if at_once := sum(each.instant_wins for each in result.odds):
        below.append(translate("someone wins at once: {chance}", chance=percent(at_once, 2)))
    return Stack(heading, shown, *below)


def review(result: Review, game: Game, screen: Screen) -> RenderableType:
    if not result.turns:
        return f"{translate('nothing has been entered yet in game {game}', game=result.game)}\n"
    columns = _columns(result, game, screen)
    has_room = fits(columns, screen)
    turns = table(*columns, screen=screen) if has_room else _below_each_other(result, game, screen)
    below = (*_costliest(result, game), "", *_lines(result, screen), "", *_explained(result, game.rules))
    return Stack(game_heading(result.game), turns, "", _sums(result, screen), *below)


def _shows_keeping(result: Review) -> bool:
    return any(
        kept.cost >= LEAST_COST or len(kept.kept) < len(kept.dice)
        for turn in result.turns
        for kept in turn.keeps
    )


def _sums(result: Review, screen: Screen) -> RenderableType:
    sums = result.players.values()
    kept = ["" if each.keeping is None else signed(-each.keeping, screen) for each in sums]
    keeping = [Column(lazy("keeping"), kept, right=True)] if _shows_keeping(result) else []
    lost = [_win_cost(0.0 if each.wins_lost is UNSET else each.wins_lost, screen) for each in sums]
    return table(
        Column(cells=list(result.players), gives_way=GivesWay.APART),
        Column(lazy("total"), [each.total for each in sums], right=True),
        Column(lazy("luck"), [signed(each.luck, screen) for each in sums], right=True),
        *keeping,
        Column(lazy("mistakes"), [signed(-each.mistakes, screen) for each in sums], right=True),
        *([Column(lazy("to win"), lost, right=True)] if result.to == "win" else []),
        screen=screen,
    )


def _columns(result: Review, game: Game, screen: Screen) -> Sequence[Column]:
    turns, entries = result.turns, game.entries
    keeping = Column(lazy("keeping"), [_cost(turn.keeping, screen) for turn in turns], right=True)
    to_win = [_win_cost(turn.win.cost, screen) if turn.win else "" for turn in turns]
    return (
        Column(lazy("turn"), [turn.turn for turn in turns], right=True),
        Column(lazy("player"), [turn.player for turn in turns], gives_way=GivesWay.SHORTENS),
        Column(lazy("dice"), ["" if turn.dice is None else print_dice(turn.dice) for turn in turns]),
        Column(lazy("throw"), ["" if turn.dice is None else turn.roll for turn in turns]),
        Column(lazy("entered"), [entry_title(game, entry) for entry in entries]),
        Column(lazy("points"), [entry_points(entry) for entry in entries], right=True),
        Column(lazy("luck"), [signed(turn.luck, screen) for turn in turns], right=True),
        *([keeping] if _shows_keeping(result) else []),
        Column(lazy("cost"), [_cost(turn.mistake, screen) for turn in turns], right=True),
        *([Column(lazy("to win"), to_win, right=True)] if result.to == "win" else []),
        Column(lazy("better"), [_better(turn, game.rules) for turn in turns], gives_way=GivesWay.WRAPS),
    )


def _cost(cost: float | None, screen: Screen) -> str:
    if cost is None:
        return ""
    return number(cost, ".1f") if cost >= LEAST_COST else screen.marks.dash


def _win_cost(cost: float, screen: Screen) -> str:
    return percent(cost, 1) if cost >= LEAST_WIN_COST else screen.marks.dash


def _below_each_other(result: Review, game: Game, screen: Screen) -> RenderableType:
    numbers: list[str] = []
    lines: list[str] = []
    for turn, entry in zip(result.turns, game.entries, strict=True):
        name = shortened(turn.player, screen.width // 3, screen.marks)
        title = f"{name}: {entry_words(game, entry)}"
        if turn.dice is not None:
            title = translate("{entry} with {dice}", entry=title, dice=join_dice(turn.dice))
        costs = [translate("luck {points}", points=signed(turn.luck, screen))]
        if (turn.keeping or 0) >= LEAST_COST:
            costs.append(translate("keeping {points}", points=_cost(turn.keeping, screen)))
        if turn.mistake >= LEAST_COST:
            costs.append(translate("cost {points}", points=_cost(turn.mistake, screen)))
        if turn.win and turn.win.cost >= LEAST_WIN_COST:
            costs.append(translate("to win {share}", share=percent(turn.win.cost, 1)))
        parts = [title, ", ".join(costs)]
        if better := _better(turn, game.rules):
            parts.append(translate("better: {choices}", choices=better))
        numbers += [f"{turn.turn:3}", *[""] * (len(parts) - 1)]
        lines += parts
    return table(Column(cells=numbers), Column(cells=lines, gives_way=GivesWay.WRAPS), screen=screen)


def _costliest(result: Review, game: Game) -> Iterator[RenderableType]:
    is_to_win = result.to == "win"
    least = LEAST_WIN_COST if is_to_win else LEAST_COST
    costly: list[tuple[float, ReviewTurn, Message]] = []
    for turn in result.turns:
        if not (costs := turn.win if is_to_win else turn):
            continue
        costly += [
            (kept.cost, turn, _kept(kept, _shown_cost(kept.cost, is_to_win=is_to_win)))
            for kept in costs.keeps
            if kept.cost >= least
        ]
        if costs.mistake >= least:
            better = _better_category(turn, costs.best, game.rules)
            shown = _shown_cost(costs.mistake, is_to_win=is_to_win)
            costly.append((costs.mistake, turn, _entry_cost(turn, game, shown, better)))
    if not costly:
        return
    costly.sort(key=lambda each: -each[0])
    yield from ("", translate("costliest choices"))
    for _, turn, sentence in costly[:COSTLIEST]:
        entry = translate(
            "turn {turn}, {player}: {choice}", turn=turn.turn, player=turn.player, choice=sentence
        )
        yield Hanging(entry, 2)


def _shown_cost(cost: float, *, is_to_win: bool) -> str:
    return percent(cost, 1) if is_to_win else number(cost, ".1f")


def _entry_cost(turn: ReviewTurn, game: Game, cost: str, better: str) -> Message:
    entry = entry_words(game, game.entries[turn.turn - 1])
    if not better:
        return lazy("{entry} cost {points}", entry=entry, points=cost)
    values = {"entry": entry, "points": cost, "category": better}
    return lazy("{entry} cost {points}; {category} was better", **values)


def _kept(choice: ReviewThrow, cost: str) -> Message:
    hand, was, best = (join_dice(dice) for dice in (choice.dice, choice.kept, choice.best))
    values = {"hand": hand, "kept": was or _none(), "best": best or _none(), "points": cost}
    if len(was) == len(hand):
        return lazy("stopped at {hand} cost {points}; keeping {best} was better", **values)
    if len(best) == len(hand):
        return lazy("kept {kept} of {hand} cost {points}; entering it was better", **values)
    return lazy("kept {kept} of {hand} cost {points}; keeping {best} was better", **values)


def _none() -> str:
    return translate("none", context="dice")


def _better(turn: ReviewTurn, rules: RuleSet) -> str:
    found = []
    for kept in (each for each in turn.keeps if each.cost >= LEAST_COST):
        hand, best = join_dice(kept.dice), join_dice(kept.best)
        if len(best) == len(hand):
            found.append(translate("enter {hand}", hand=hand))
        else:
            found.append(translate("keep {dice} of {hand}", dice=best or _none(), hand=hand))
    if turn.mistake >= LEAST_COST and (better := _better_category(turn, turn.best, rules)):
        found.append(better)
    return "; ".join(found)


def _lines(result: Review, screen: Screen) -> Iterator[str]:
    if result.start is None:
        yield translate("no chances to win: game points decide, or too many totals are possible")
        return
    yield translate("chance to win, turn by turn")
    names = {name: shortened(name, screen.width // 3, screen.marks) for name in result.contenders}
    widest = max(map(cell_len, names.values()))
    digits = cell_len(percent(1))
    room = screen.width - widest - 2 * digits - len("      ")
    for name, shown in names.items():
        shares = [chances.get(name, 0) for chances in result.chances if chances is not None]
        shares_line = f"{percent(shares[0]):>{digits}} {run(shares, room, screen)} {percent(shares[-1])}"
        yield f"  {shown}{' ' * (widest - cell_len(shown))} {shares_line}"


def run(shares: Sequence[float], length: int, screen: Screen) -> str:
    """Return a sparkline of the shares, at most that long; in ASCII, digits that mean tenths."""
    signs = _TENTHS if screen.marks is ASCII else _HEIGHTS
    length = max(2, min(length, len(shares)))
    last = len(shares) - 1
    shown = (shares[round(place * last / (length - 1))] for place in range(length)) if last else shares
    return "".join(signs[min(len(signs) - 1, int(share * len(signs)))] for share in shown)


def _explained(result: Review, rules: RuleSet) -> Iterator[str]:
    luck = lazy("luck: how much the hand raised the expected final total")
    if any(turn.dice is None for turn in result.turns):
        luck = lazy(
            "luck: how much the hand (or the entry, if no dice were given) raised the expected final total"
        )
    kept = lazy("it includes the choice of dice to keep")
    if shows_keeping := _shows_keeping(result):
        kept = lazy("it includes the choice of dice to keep if that is unknown")
    yield f"{translated(luck)}; {translated(kept)}"
    if shows_keeping:
        yield translate("keeping: the expected points lost by the choice of dice to keep")
    yield translate("cost: the expected points lost by the choice of category")
    if result.to == "win":
        yield translate("to win: the chance to win lost by the choices, if all others play for points")
        if any(turn.win is None for turn in result.turns):
            yield translate("if that is empty, it takes too long to compute")
    if wins_with(rules, "open"):
        yield translate("an instant win counts as the highest total that is possible at that moment")


def _better_category(turn: ReviewTurn, best: str | None, rules: RuleSet) -> str:
    is_best = not turn.scratched and turn.category == best
    return "" if best is None or is_best else named(rules.category(best))
