"""Draw what happened at the table on a terminal. Views load rich, which a turn does not need."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from generala_cli.game.events import Left
from generala_cli.messages import lazy
from generala_cli.render.language import translate, translate_count, translated
from generala_cli.render.lines import (
    INDENT,
    bonuses,
    change_text,
    entry_points,
    entry_title,
    entry_words,
    named,
    of_game,
    step_text,
    total_sentence,
    what_is_next,
    with_lines,
)
from generala_cli.render.screen import Screen, draw
from generala_cli.rules.dice import print_dice
from generala_cli.table.results import (
    ActionsMoved,
    BlankSheet,
    Entered,
    GamePayout,
    GameStandings,
    Log,
    TableChanged,
)
from generala_cli.text import safe

if TYPE_CHECKING:  # takes 90 ms
    from rich.console import RenderableType


@draw.register
def new_entry(result: Entered, screen: Screen) -> str:
    entry, game = result.entry, result.game
    lines = []
    if result.overruled is not None:
        lines.append(
            translate("it wins at once, so {category} was ignored", category=named(result.overruled))
        )
    lines += bonuses(game.rules, result.bonuses)
    lines.append(total_sentence(game, entry.player))
    others = ", ".join(f"{named(choice.category)} {choice.points}" for choice in result.alternatives)
    if others:
        also = (
            translate("a joker; could also go to {categories}", categories=others) if result.is_joker else ""
        )
        lines.append(also or translate("could also go to {categories}", categories=others))
    elif result.is_joker:
        lines.append(translate("a joker"))
    return with_lines(entry_line(result, screen), [*lines, *_turn(result, screen)], screen)


def entry_line(result: Entered, screen: Screen) -> str:
    """Return the entry, and what a correction replaced: `Ana  55533  full house  35 (turn 1 was ones 1)`."""
    entry = result.entry
    dice = "" if entry.dice is None else "".join(map(str, entry.dice))
    points = screen.strong(entry_points(entry))
    parts = (screen.strong(safe(entry.player)), dice, entry_title(result.game, entry), points)
    line = "  ".join(part for part in parts if part)
    if result.bonus:
        bonus = translate("({points} for the first throw)", points=result.bonus)
        if result.game.rules.most_turned:
            bonus = translate("({points} de mano)", points=result.bonus)
        line = f"{line} {bonus}"
    was = "; ".join(_corrected(result))
    return f"{line} ({was})" if was else line


def _corrected(result: Entered) -> Iterator[str]:
    if (was := result.replaced) is not None:
        entry = entry_words(result.game, was)
        if was.dice is not None and was.dice != result.entry.dice:
            entry = f"{entry}, {print_dice(was.dice)}"
        if result.entry == was:
            yield translate("turn {turn} is already {entry}: no change", turn=result.turn, entry=entry)
        elif was.player == result.entry.player:
            yield translate("turn {turn} was {entry}", turn=result.turn, entry=entry)
        else:
            whose = safe(was.player)
            yield translate(
                "turn {turn} was {player}'s: {entry}", turn=result.turn, player=whose, entry=entry
            )
    if (turn := result.exchanged) is not None:
        given = result.game.entries[turn - 1]
        entry = entry_words(result.game, given)
        yield translate(
            "turn {turn} is now {player}'s: {entry}", turn=turn, player=safe(given.player), entry=entry
        )


def _number(result: Entered | ActionsMoved | TableChanged) -> int | None:
    return result.number if result.is_one_of_several else None


def _turn(result: Entered | ActionsMoved, screen: Screen) -> Iterator[str]:
    game, number = result.game, _number(result)
    if game.to_move is None:
        yield from what_is_next(game, screen, number, with_places=True)
        return
    if screen.in_dialogue:
        return
    player, fillable = safe(game.to_move), game.fillable_categories(game.to_move)
    if len(fillable) == len(game.rules.categories):
        yield of_game(number, translate("{player} is next, with all boxes open", player=player))
        return
    if len(fillable) == 1 < game.open_boxes(game.to_move):
        due = lazy("{player} is next, for {category}", player=player, category=fillable[0])
        yield of_game(number, translated(due))
        return
    whole, short = (
        of_game(
            number,
            translate_count(
                "{player} is next, open: {categories}",
                "{player} is next, open: {categories}",
                len(fillable),
                player=player,
                categories=names,
            ),
        )
        for names in (", ".join(map(named, fillable)), " ".join(safe(each.key) for each in fillable))
    )
    yield whole if len(whole) + INDENT <= screen.width else short


@draw.register
def changed(result: TableChanged, screen: Screen) -> str:
    change = change_text(result.change)
    lines = [] if result.is_news else [translate("no change")]
    if isinstance(result.change, Left) and (points := result.game.total(result.change.player)):
        lines.append(
            translate_count(
                "{count} point so far, which counts at the end",
                "{count} points so far, which count at the end",
                points,
            )
        )
    if result.missed:
        lines.append(
            translate_count(
                "{player} first plays {count} missed turn",
                "{player} first plays {count} missed turns",
                result.missed,
                player=safe(result.game.to_move),
            )
        )
    return with_lines(change, [*lines, *what_is_next(result.game, screen, _number(result))], screen)


@draw.register
def moved(result: ActionsMoved, screen: Screen) -> str:
    verb = screen.strong(translate("undone") if result.undone else translate("redone"))
    lines = (f"{verb}: {step_text(result.game, step)}" for step in result.steps)
    return with_lines("\n".join(lines), _turn(result, screen), screen)


@draw.register(Log)
def log(result: Log, screen: Screen) -> "RenderableType":
    from generala_cli.table import look_drawing

    return look_drawing.log(result, screen)


@draw.register(GameStandings)
def standings(result: GameStandings, screen: Screen) -> "RenderableType":
    from generala_cli.table import look_drawing

    return look_drawing.standings(result, screen)


@draw.register(GamePayout)
def payouts(result: GamePayout, screen: Screen) -> "RenderableType":
    from generala_cli.table import look_drawing

    return look_drawing.payouts(result, screen)


@draw.register(BlankSheet)
def blank_sheet(result: BlankSheet, screen: Screen) -> "RenderableType":
    from generala_cli.table import blank_drawing

    return blank_drawing.sheet(result, screen)
