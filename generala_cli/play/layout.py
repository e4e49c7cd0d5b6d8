"""Lay out the screen at any size, as lines of rich segments."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from generala_cli.errors import GeneralaError
from generala_cli.game.decisions import Undecided
from generala_cli.messages import Message, lazy
from generala_cli.play import keys, panels, sidebar, standings_pane
from generala_cli.play.message_line import MessageLine
from generala_cli.play.open_game import OpenGame
from generala_cli.play.panels import Panel
from generala_cli.play.sheet import SheetDrawer
from generala_cli.play.table import Table
from generala_cli.play.taps import BoxTap, DrawnLine, KeyTap, drawn_line, has_tap, tappable
from generala_cli.play.turn_view import TurnView
from generala_cli.render.drawing import joint, shortened
from generala_cli.render.hints import SCREEN, full_message
from generala_cli.render.language import translate, translate_count, translated
from generala_cli.render.lines import named, terms
from generala_cli.render.screen import ASCII, Marks, Screen
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
_MOST_ADDED = 3
"""A long message or a long last line may take as many lines from the body."""
_LEAST_BESIDE = 9
"""The first lines next to the sheet, down to the keys to tap, which must stay."""
_BELOW, _LEAST_BELOW = 6, 3
"""Lines below a low sheet, and the first of them, down to the keys to tap, which must stay."""


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
        self._low_sheet = SheetDrawer()
        self._sidebar = sidebar.SidebarDrawer()

    def draw(self, table: Table, panel: Panel | None, screen: Screen) -> Frame:
        rich = panels.console(screen)
        inner = replace(screen, height=max(1, screen.height - _AROUND))
        body, must_stay, below, top = self._body(table, panel, inner)
        must_see_boxes = table.view.chooses_box and not table.message.is_refusal
        borrowed = 0 if must_see_boxes else min(_MOST_ADDED, inner.height - 1)
        room = max(inner.height - must_stay, borrowed)
        message, footer = _below(table, panel, screen, below, room, inner.height - must_stay)
        added = len(message) + len(footer) - 2
        if added > inner.height - must_stay:
            lower = replace(inner, height=inner.height - added)
            body, _, _, top = self._body(table, panel, lower)
        room = inner.height - added
        body = [*body, *[[] for _ in range(room)]][: max(0, room)]
        prompt, column = _prompt(table, screen)
        title = drawn_line(_title(table.opened, screen), rich)
        whole = [title, *body, *(drawn_line(text, rich) for text in (*message, prompt, *footer))]
        return Frame(
            lines=whole[: screen.height],
            cursor=(column, min(screen.height - 2, len(whole) - 1 - len(footer))),
            top=top,
        )

    def _body(
        self, table: Table, panel: Panel | None, screen: Screen
    ) -> tuple[list[DrawnLine], int, int, int]:
        """Return the lines, how many of them must stay, and the numbers of lines below and above them."""
        if panel is not None:
            body, below, top = panels.visible_lines(panel, screen)
            return body, screen.height, below, top
        if screen.width < _LEAST:
            return self._small(table, screen), screen.height, 0, 0
        return *self._large(table, screen), 0, 0

    def _large(self, table: Table, screen: Screen) -> tuple[list[DrawnLine], int]:
        """Return the lines, and how many of them must stay if a message needs more room."""
        second = sidebar.NARROW_WIDTH if screen.width < _NARROW else sidebar.WIDTH
        third = standings_pane.WIDTH + _GAP if screen.width >= WIDE else 0
        sheet = self._sheet.draw(table.view, replace(screen, width=screen.width - second - _GAP - third))
        shows_everyone = sheet.players == table.view.game.seats
        if not shows_everyone and screen.width < _NARROW and (stacked := self._stacked(table, screen)):
            return stacked
        if len(sheet.players) == 1 and not shows_everyone and screen.width < _NARROW:
            return self._small(table, screen), screen.height
        first = sheet.width
        if not third:
            second = screen.width - first - _GAP
        beside = replace(screen, width=second)
        hand = self._sidebar.draw(table, beside, has_mover=shows_everyone, has_entries=not third)
        parts, widths = [sheet.lines, hand], [first, second]
        if third:
            room = screen.width - first - second - 2 * _GAP
            parts.append(standings_pane.draw(table.opened, replace(screen, width=room)))
        head = [] if shows_everyone else [_head(table, screen)]
        lines = [*head, *_side_by_side(parts, widths, screen.height - len(head))]
        least = max(len(sheet.lines), _LEAST_BESIDE) if not table.view.game.is_over else len(hand)
        return lines, min(screen.height, len(head) + least)

    def _stacked(self, table: Table, screen: Screen) -> tuple[list[DrawnLine], int] | None:
        """Return everyone's sheet above the hand, and how many lines must stay; None if it does not fit."""
        game = table.view.game
        if game.is_over or len(game.rules.categories) + _BELOW >= screen.height:
            return None
        sheet = self._low_sheet.draw(table.view, screen)
        room = screen.height - len(sheet.lines)
        if sheet.players != game.seats or room < _BELOW:
            return None
        hand = self._sidebar.draw(table, replace(screen, height=room), has_entries=False)
        return [*sheet.lines, *hand], len(sheet.lines) + _LEAST_BELOW

    def _small(self, table: Table, screen: Screen) -> list[DrawnLine]:
        rich, view = panels.console(screen), table.view
        if view.game.is_over:
            return sidebar.end(table, screen)
        coached = sidebar.advice(table, screen)
        height = max(1, screen.height - len(coached))
        boxes = self._sheet.draw_one(view, replace(screen, height=height))
        height -= 1  # the head
        top = 0
        if view.marked is not None:
            tap = BoxTap(view.marked.category.id)
            index = next((index for index, line in enumerate(boxes) if has_tap(line, tap)), 0)
            top = max(0, min(index - height // 2, len(boxes) - height))
        hand = sidebar.hand_in_text(view, screen)[: max(0, height - len(boxes))]
        above, below = ([drawn_line(text, rich) for text in texts] for texts in (hand, coached))
        return [_head(table, screen), *above, *boxes[top : top + height], *below]


def _head(table: Table, screen: Screen) -> DrawnLine:
    view, rich = table.view, panels.console(screen)
    if view.game.is_over:
        return drawn_line(standings_pane.ranking(view.game, "", screen.width, screen.marks), rich)
    mover = sidebar.mover(view, replace(screen, width=screen.width // 2))
    room = screen.width - mover.cell_len - _GAP
    ranking = standings_pane.ranking(view.game, view.mover, room, screen.marks)
    return drawn_line(Text.assemble(mover, " " * _GAP, ranking), rich)


def _side_by_side(
    parts: Sequence[Sequence[DrawnLine]], widths: Sequence[int], height: int
) -> list[DrawnLine]:
    """Join parts side by side with a gap between them; the last part may have any width."""
    lines: list[DrawnLine] = []
    for index in range(height):
        line: DrawnLine = []
        start = end = 0
        for part, width in zip(parts, (*widths, 0), strict=False):
            if index < len(part) and part[index]:
                line += [Segment(" " * (start - end)), *part[index]]
                end = start + panels.width(part[index])
            start += width + _GAP
        lines.append(line)
    return lines


def _title(opened: OpenGame, screen: Screen) -> Text:
    game = opened.game
    turns = game.rules.turns
    rounds = translate("turn {turn} of {turns}", turn=min(game.round + 1, turns), turns=turns)
    title = translate("Game {game}: {terms}", game=opened.number, terms=terms(game))
    room = screen.width - cell_len(rounds) - 2
    if room < 12:
        return Text(shortened(title, screen.width, screen.marks), "bold")
    if cell_len(title) > room:
        title = translate("Game {game}: {terms}", game=opened.number, terms=named(game.rules))
    name = shortened(title, room, screen.marks)
    blanks = " " * (screen.width - cell_len(name) - cell_len(rounds))
    return Text.assemble((name, "bold"), blanks, (rounds, "dim"))


def _below(
    table: Table, panel: Panel | None, screen: Screen, below: int, room: int, free: int
) -> tuple[list[Text], list[Text]]:
    """Return the message and the last line. While something is typed, the last line wraps first.

    A message that refuses the typed line wraps before the last line.

    The message and the last line may take `room` lines more; all but `free` of these hide a part of the body.
    """
    if table.view.is_empty or table.message.refuses_line:
        message = _message(table.message, screen, below, most=1 + room, free=free)
        return message, _footer(table, panel, screen, most=2 + room - len(message))
    footer = _footer(table, panel, screen, most=1 + room)
    added = len(footer) - 1
    return _message(table.message, screen, below, most=1 + room - added, free=free - added), footer


def _message(message: MessageLine, screen: Screen, below: int, *, most: int, free: int) -> list[Text]:
    if below:
        text = translate_count(
            "{count} more line below: Page Down or down", "{count} more lines below: Page Down or down", below
        )
        return [Text(shortened(text, screen.width, screen.marks), "dim")]
    text, style = (f"! {message.text}", "bold") if message.is_refusal else (message.text, "")
    if message.beginning and len(wrap(text, screen.width)) > 1 + free:
        text = message.beginning
    return [Text(line, style) for line in _wrapped(text, screen, most)]


def _wrapped(text: str, screen: Screen, most: int) -> list[str]:
    """Return the text in at most that many lines, with the last one shortened."""
    lines = wrap(text, screen.width) or [""]
    if len(lines) <= most:
        return lines
    kept = lines[: most - 1]
    return [*kept, shortened(" ".join(lines[len(kept) :]), screen.width, screen.marks)]


def _prompt(table: Table, screen: Screen) -> tuple[Text, int]:
    mark = ">" if screen.marks is ASCII else "›"
    line, sign = table.line, Text(f"{table.mode} {mark} " if table.mode else f"{mark} ", "bold")
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
    """Return the first hints that fit, at least some words of the first."""
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


def _footer(table: Table, panel: Panel | None, screen: Screen, *, most: int) -> list[Text]:
    (first, key), *others = _hints(table, panel, screen.marks)
    style = Style(bold=not table.view.is_empty or panel is not None or None)
    if key:
        style += tappable(KeyTap(key))
    parts = _wrapped(first, screen, most) if most > 1 else fitting_hints([first], screen)
    lines = [Text.assemble((part, style), no_wrap=True) for part in parts]
    for hint, key in others:
        added = f"{joint(screen)}{hint}"
        if lines[-1].cell_len + cell_len(added) > screen.width:
            break
        lines[-1].append(joint(screen)).append(hint, tappable(KeyTap(key)) if key else "")
    return lines


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
        yield from ((effect, "enter"), clear) if effect != table.message.text else (clear,)
        return
    turn, coached = view.turn, view.coached
    promises = [(promise, "enter") for promise in _promises(view, table.message)]
    if view.game.is_over:
        for key in keys.HINTS_AT_END:
            yield key.shown_at_end, key.key
    elif (error := view.advice_error if view.asks_for_advice else view.hand_error) is not None:
        refused = () if table.message.shows(error) else ((safe(translated(full_message(error, SCREEN))), ""),)
        yield from (*refused, clear)
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
        if (missing := view.game.rules.dice - len(turn.dice)) > 0:
            yield translate_count("{count} more die", "{count} more dice", missing), ""
        yield from ((translate("Backspace removes a die"), "backspace"), clear)
    elif view.awaits_dice is not None:
        yield from ((safe(translated(full_message(view.awaits_dice, SCREEN))), ""), clear)
    else:
        for key in keys.HINTS:
            yield key.shown, key.key


def _promises(view: TurnView, message: MessageLine) -> Sequence[str]:
    """Return the effect of Enter without a reason that the message gives."""
    promise, refused = view.promise, None if view.throws_on else view.decision
    if isinstance(refused, GeneralaError) and message.shows(refused):
        promise = promise[:1] if isinstance(refused, Undecided) else ()
    return [safe(translated(each)) for each in promise]
