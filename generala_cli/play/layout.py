"""Lay out the screen at any size, as lines of rich segments for the widget to paint."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import Console
from rich.segment import Segment
from rich.text import Text

from generala_cli.errors import GeneralaError
from generala_cli.game.decisions import Undecided
from generala_cli.messages import Message, lazy
from generala_cli.play import keys, panels, sidebar, standings_pane
from generala_cli.play.input_line import InputLine
from generala_cli.play.message_line import MessageLine
from generala_cli.play.open_game import OpenGame
from generala_cli.play.panels import Panel
from generala_cli.play.sheet import SheetDrawer, players_from, totals
from generala_cli.play.table import Table
from generala_cli.play.taps import BoxTap, DrawnLine, KeyTap, has_tap, tappable
from generala_cli.play.turn_view import TurnView
from generala_cli.render.drawing import shortened
from generala_cli.render.language import translate, translate_count, translated
from generala_cli.render.lines import terms
from generala_cli.render.screen import ASCII, UNLIMITED, Marks, Screen
from generala_cli.text import safe

_AROUND = 4
"""Lines for the title, the message, the input line and the keys."""
_LEAST = 34
"""With fewer columns, nothing fits next to the sheet."""
_NARROW = 56
"""With fewer columns, the dice next to the sheet are not drawn."""
WIDE = 100
"""With this many columns or more, the standings fit."""
_GAP = 2


class Frame(Struct, frozen=True, kw_only=True):
    """A whole screen. `cursor` is a column and a line; `top` is the first visible line of a panel."""

    lines: Sequence[DrawnLine]
    cursor: tuple[int, int]
    top: int = 0


_PICKS: Mapping[panels.Picked, Message] = {
    "correct": lazy("Enter corrects it"),
    "open": lazy("Enter opens it"),
    "take": lazy("Enter takes it"),
}

Hint = tuple[str, str]
"""The text of a hint, and its key; "" for a hint about several keys."""


class Layout:
    def __init__(self) -> None:
        self._sheet = SheetDrawer()

    def draw(self, table: Table, panel: Panel | None, screen: Screen) -> Frame:
        rich = panels.console(screen)
        inner = replace(screen, height=max(1, screen.height - _AROUND))
        top = below = 0
        if panel is not None:
            body, below, top = panels.visible_lines(panel, inner)
        elif screen.width < _LEAST:
            body = self._small(table, inner)
        else:
            body = self._large(table, inner)
        body = [*body, *[[] for _ in range(inner.height)]][: inner.height]
        is_spare = len(body) > 1 and not panels.text_of(body[-1]).strip()
        prompt, column = _prompt(table.line, screen)
        message = _message(table.message, screen, below, in_two=is_spare)
        if len(message) > 1:
            body.pop()
        rows_below = (*message, prompt, _footer(table, panel, screen))
        title = _line(_title(table.opened, screen), rich)
        whole = [title, *body, *(_line(text, rich) for text in rows_below)]
        return Frame(
            lines=whole[: screen.height],
            cursor=(column, min(screen.height, len(whole)) - 2),
            top=top,
        )

    def _large(self, table: Table, screen: Screen) -> list[DrawnLine]:
        rich = panels.console(screen)
        second = sidebar.NARROW_WIDTH if screen.width < _NARROW else sidebar.WIDTH
        third = standings_pane.WIDTH + _GAP if screen.width >= WIDE else 0
        sheet = self._sheet.draw(table.view, replace(screen, width=screen.width - second - _GAP - third))
        first = max(map(panels.width, sheet), default=0)
        if not third:
            second = screen.width - first - _GAP
        hand = [_line(text, rich) for text in sidebar.draw(table, replace(screen, width=second))]
        parts, widths = [sheet, hand], [first, second]
        if third:
            room = screen.width - first - second - 2 * _GAP
            parts.append(standings_pane.draw(table.opened, replace(screen, width=room)))
        return _side_by_side(parts, widths, screen.height)

    def _small(self, table: Table, screen: Screen) -> list[DrawnLine]:
        """Return the player to move and all totals, then one player's boxes, or the end of the game."""
        rich, view = panels.console(screen), table.view
        if view.game.is_over:
            return [_line(text, rich) for text in sidebar.draw(table, screen)]
        mover = sidebar.mover(view, screen)
        others = totals(view.game, players_from(view.game, view.mover)[1:], UNLIMITED)
        room = max(0, screen.width - mover.cell_len - _GAP)
        head = Text.assemble(mover, " " * _GAP, shortened(" ".join(others), room, screen.marks))
        coached = sidebar.advice(table, screen)
        height = max(1, screen.height - 1 - len(coached))
        boxes = self._sheet.draw(view, replace(screen, height=height))
        top = 0
        if view.marked is not None:
            tap = BoxTap(view.marked.category.id)
            index = next((index for index, line in enumerate(boxes) if has_tap(line, tap)), 0)
            top = max(0, min(index - height // 2, len(boxes) - height))
        hand = sidebar.hand_in_text(view, screen)[: max(0, height - len(boxes))]
        above, below = ([_line(text, rich) for text in texts] for texts in ([head, *hand], coached))
        return [*above, *boxes[top : top + height], *below]


def _side_by_side(
    parts: Sequence[Sequence[DrawnLine]], widths: Sequence[int], height: int
) -> list[DrawnLine]:
    """Join parts side by side with a gap between them; the last part may have any width."""
    lines: list[DrawnLine] = []
    for index in range(height):
        line: DrawnLine = []
        start = 0
        for part, width in zip(parts, (*widths, 0), strict=False):
            if index < len(part) and part[index]:
                line += [Segment(" " * (start - panels.width(line))), *part[index]]
            start += width + _GAP
        lines.append(line)
    return lines


def _line(text: Text, rich: Console) -> DrawnLine:
    return list(Segment.apply_style(text.render(rich, end=""), rich.get_style(text.style)))


def _title(opened: OpenGame, screen: Screen) -> Text:
    game = opened.game
    turns = len(game.rules.categories)
    rounds = translate("turn {turn} of {turns}", turn=min(game.round + 1, turns), turns=turns)
    title = translate("Game {game}: {terms}", game=opened.number, terms=terms(game))
    room = screen.width - cell_len(rounds) - 2
    if room < 12:
        return Text(shortened(title, screen.width, screen.marks), "bold")
    name = shortened(title, room, screen.marks)
    blanks = " " * (screen.width - cell_len(name) - cell_len(rounds))
    return Text.assemble((name, "bold"), blanks, (rounds, "dim"))


def _message(message: MessageLine, screen: Screen, below: int, *, in_two: bool) -> list[Text]:
    """Return the last message, in two lines if needed; `!` marks a refusal even without color."""
    if below:
        text = translate_count(
            "{count} more line below: Page Down or down", "{count} more lines below: Page Down or down", below
        )
        return [Text(shortened(text, screen.width, screen.marks), "dim")]
    text, style = (f"! {message.text}", "bold") if message.is_refusal else (message.text, "")
    lines = [text]
    if in_two and cell_len(text) > screen.width:
        first = wrap(text, screen.width)[0]
        lines = [first, text[len(first) :].strip()]
    return [Text(shortened(line, screen.width, screen.marks), style) for line in lines]


def _prompt(line: InputLine, screen: Screen) -> tuple[Text, int]:
    """Return the line as far as it fits, and the column of the cursor."""
    sign = Text(">" if screen.marks is ASCII else "›", "bold")
    sign.append(" ")
    room = max(1, screen.width - sign.cell_len - 1)
    before, behind = line.text[: line.cursor], line.text[line.cursor :]
    while cell_len(before) > room:
        before = before[1:]
    column = min(screen.width - 1, sign.cell_len + cell_len(before))
    shown = Text.assemble(sign, before, behind, no_wrap=True)
    shown.truncate(screen.width, overflow="crop")
    return shown, column


def hint_line(hints: Sequence[str], screen: Screen) -> str:
    return joint(screen).join(fitting_hints(hints, screen))


def fitting_hints(hints: Sequence[str], screen: Screen) -> list[str]:
    """Return the first hints that fit; if the very first does not, as many of its words as fit."""
    first = hints[0]
    if cell_len(first) > screen.width:
        words, *_ = wrap(first, max(1, screen.width - 2), break_long_words=False)
        return [shortened(f"{words} {screen.marks.ellipsis}", screen.width, screen.marks)]
    fitting = [first]
    for hint in hints[1:]:
        if cell_len(joint(screen).join((*fitting, hint))) > screen.width:
            break
        fitting.append(hint)
    return fitting


def joint(screen: Screen) -> str:
    return "  " if screen.marks is ASCII else " · "


def _footer(table: Table, panel: Panel | None, screen: Screen) -> Text:
    """Return the effect of Enter, or why it has none, and other keys. Each can be tapped."""
    hints = list(_hints(table, panel, screen.marks))
    footer = Text(no_wrap=True)
    for index, shown in enumerate(fitting_hints([hint for hint, _ in hints], screen)):
        if index:
            footer.append(joint(screen))
        start, key = len(footer), hints[index][1]
        footer.append(shown)
        if key:
            footer.stylize(tappable(KeyTap(key)), start)
        if not index and (not table.view.is_empty or panel is not None):
            footer.stylize("bold", start)
    return footer


def _hints(table: Table, panel: Panel | None, marks: Marks) -> Iterator[Hint]:
    arrows = translate("arrows another box") if marks is ASCII else translate("↑↓ another box")
    another, clear = (arrows, "down"), (translate("Esc clear"), "escape")
    if panel is not None:
        if panel.picks:
            if panel.chosen is not None:
                yield translated(_PICKS[panel.picks]), "enter"
            yield (translate("arrows choose") if marks is ASCII else translate("↑↓ choose")), "down"
        yield translate("any other key goes back"), "escape"
        return
    view = table.view
    if not view.is_empty and (effect := table.effect):
        yield from ((effect, "enter"), clear)
        return
    turn, coached = view.turn, view.coached
    promises = [(promise, "enter") for promise in _promises(view, table.message)]
    if view.game.is_over:
        for key in keys.HINTS_AT_END:
            yield key.shown_at_end, key.key
    elif view.asks_for_advice:
        yield from ((translate("Enter asks for advice"), "enter"), clear)
    elif coached is not None and coached.dice:
        if missing := view.game.rules.dice - len(coached.turn.dice or ()):
            yield translate_count("type {count} new die", "type {count} new dice", missing), ""
            yield translate("Backspace goes back"), "backspace"
            return
        yield from promises
        if coached.may_mark and coached.kept:
            yield translate("Backspace goes back"), "backspace"
        elif coached.may_mark:
            yield translate("digits keep dice"), ""
            yield translate("Space throws all again"), "space"
        yield from (another, clear)
    elif view.names_a_turn:
        yield from (*promises, another, clear)
    elif turn.dice:
        yield from ((translate("Backspace removes a die"), "backspace"), clear)
    else:
        for key in keys.HINTS:
            yield key.shown, key.key


def _promises(view: TurnView, message: MessageLine) -> Sequence[str]:
    """Return the effect of Enter, or why it has none, unless the message says it already."""
    refused = None if view.throws_on or isinstance(view.decision, Undecided) else view.decision
    if isinstance(refused, GeneralaError) and message.shows(refused):
        return ()
    return [safe(translated(promise)) for promise in view.promise]
