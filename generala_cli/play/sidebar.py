"""The sidebar next to the sheet: the player to move, the dice, the coach, and keys to tap."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from msgspec.structs import replace
from rich.cells import cell_len
from rich.text import Text

from generala_cli.errors import GeneralaError
from generala_cli.play import dice, keys, panels
from generala_cli.play.dice import Die
from generala_cli.play.open_game import OpenGame
from generala_cli.play.standings_pane import recent
from generala_cli.play.table import Table
from generala_cli.play.taps import DrawnLine, KeyTap, drawn_line, tappable
from generala_cli.play.turn_view import TurnView
from generala_cli.render.drawing import joint, shortened
from generala_cli.render.hints import SCREEN, full_message
from generala_cli.render.language import translate, translated
from generala_cli.render.lines import cards, debt_text, distance_text, ending
from generala_cli.render.screen import ASCII, Screen
from generala_cli.rules.ruleset import RuleSet
from generala_cli.table import looking
from generala_cli.text import NO_BREAK, safe

WIDTH, NARROW_WIDTH = 30, 15
"""Its width with room for five drawn dice, and without."""
_GAP = 2
_WIDE = 26
"""With this many columns or more, keys stand in pairs and sentences are not shortened."""
_FEW = 11
"""With this many lines or fewer, there are no blank lines."""
_TALL = 16
"""With this many lines or more, dice are drawn."""
_ENTRIES = 3
_LONGEST_ADVICE, _SHORTEST_ADVICE = 3, 1
"""The most lines for the coach, on a tall screen and on a low one."""


class SidebarDrawer:
    """Draws the sidebar. The lines below the hand are reused until something changes."""

    def __init__(self) -> None:
        self._seen: object = None
        self._below: Sequence[DrawnLine] = ()

    def draw(
        self, table: Table, screen: Screen, *, has_mover: bool = True, has_entries: bool = True
    ) -> list[DrawnLine]:
        """Return the lines; without the mover or the latest entries if they stand elsewhere."""
        view, rich = table.view, panels.console(screen)
        if view.game.is_over:
            return end(table, screen)
        first = [mover(view, screen)] if has_mover else []
        texts = [*first, *_hand(view, screen), *advice(table, screen)]
        room = screen.height - len(texts)
        seen = (view.game, view.is_coached, table.opened, screen, has_entries, room)
        if self._seen != seen:
            self._seen, self._below = seen, _below(table, screen, room, has_entries=has_entries)
        return [*(drawn_line(text, rich) for text in texts), *self._below][: screen.height]


def end(table: Table, screen: Screen) -> list[DrawnLine]:
    return [drawn_line(text, panels.console(screen)) for text in _end(table.opened, screen)]


def _below(table: Table, screen: Screen, room: int, *, has_entries: bool) -> Sequence[DrawnLine]:
    view, rich = table.view, panels.console(screen)
    gap = [Text()] if screen.height > _FEW else []
    lines = [drawn_line(text, rich) for text in (*gap, *_keypad(view.game.rules, screen), *gap)]
    is_known = view.game.entries and not view.is_coached and screen.width >= _WIDE
    if is_known and has_entries:
        lines += recent(table.opened, replace(screen, width=min(WIDTH, screen.width)), _ENTRIES)
    else:
        lines += [drawn_line(text, rich) for text in _how_to_begin(view, screen)]
    keys_room = room - len(lines) - len(gap)
    return [*lines, *(drawn_line(text, rich) for text in (*gap, *_keys(screen, keys_room)))]


def mover(view: TurnView, screen: Screen) -> Text:
    total = f" {view.game.total(view.mover)}"
    name = shortened(view.mover, screen.width - len(total) - 1, screen.marks)
    shown = Text.assemble((f"{screen.marks.turn}{name}", "bold reverse"), total)
    distance = f"{joint(screen)}{distance_text(view.game, view.mover)}"
    return shown.append(distance) if shown.cell_len + cell_len(distance) <= screen.width else shown


def advice(table: Table, screen: Screen) -> list[Text]:
    most = _LONGEST_ADVICE if screen.height > _FEW else _SHORTEST_ADVICE
    sentence = table.advised(screen.marks.minus)
    found = [part.replace(NO_BREAK, " ") for part in wrap(sentence, min(screen.width, WIDTH))]
    if len(found) > most:
        found[most - 1 :] = [" ".join(found[most - 1 :])]
    return [Text(shortened(line, screen.width, screen.marks)) for line in found]


def _hand(view: TurnView, screen: Screen) -> list[Text]:
    on_table = _dice(view)
    if screen.height >= _TALL and dice.widest(len(on_table)) <= screen.width:
        return [*dice.draw_dice(on_table, screen.marks), _throw(view, screen)]
    return hand_in_text(view, screen)


def hand_in_text(view: TurnView, screen: Screen) -> list[Text]:
    number, on_table = _throw(view, screen), _dice(view)
    row = dice.print_row(on_table)
    row.stylize("bold")
    if row.cell_len > screen.width:
        row = Text("".join(die.face or "_" for die in on_table), "bold")
    if row.cell_len + _GAP + number.cell_len <= screen.width:
        return [Text.assemble(row, " " * _GAP, number)]
    return [row, number]


def _throw(view: TurnView, screen: Screen) -> Text:
    last = view.game.rules.throws
    roll = view.turn.roll or last
    throw = translate("throw {throw} of {throws}", throw=roll, throws=view.game.last_throw(view.mover))
    return Text(shortened(throw, screen.width, screen.marks), "bold" if roll != last else "")


def _dice(view: TurnView) -> list[Die]:
    coached, count = view.coached, view.game.rules.dice
    faces: Sequence[int] = view.turn.dice or ()
    kept: Sequence[bool] = ()
    if coached is not None and coached.dice:
        faces, kept = coached.dice, coached.marks
    shown = _faces(view.game.rules)
    return [
        Die(
            face=shown[faces[place] - 1] if place < len(faces) else "",
            place=place,
            kept=(place < len(kept) and kept[place]) if kept else None,
        )
        for place in range(count)
    ]


def _faces(rules: RuleSet) -> Sequence[str]:
    return cards(rules) or [str(face) for face in range(1, rules.faces + 1)]


def _keypad(rules: RuleSet, screen: Screen) -> list[Text]:
    faces = {str(face): shown for face, shown in enumerate(_faces(rules), 1)}
    back, scratch = ("<" if screen.marks is ASCII else "←", "backspace"), ("x", "x")
    if screen.width >= _WIDE:
        buttons = [_button(shown, face) for face, shown in faces.items()]
        return _in_lines([Text.assemble(*buttons), _button(*back), _button(*scratch)], " ", screen)
    buttons = [_button(f" {shown} ", face) for face, shown in faces.items()]
    others = [_button(*back), _button(*scratch), _button(translate("Enter"), "enter")]
    return [*_in_lines(buttons, "", screen), *_in_lines(others, " ", screen)]


def _button(shown: str, key: str) -> Text:
    return Text(f"[{shown}]", tappable(KeyTap(key)), no_wrap=True)


def _in_lines(parts: Sequence[Text], gap: str, screen: Screen) -> list[Text]:
    lines: list[Text] = []
    for part in parts:
        if lines and lines[-1].cell_len + len(gap) + part.cell_len <= screen.width:
            lines[-1].append(gap)
            lines[-1].append_text(part)
        else:
            lines.append(Text.assemble(part, no_wrap=True))
    return lines


def _how_to_begin(view: TurnView, screen: Screen) -> Iterator[Text]:
    rules = view.game.rules
    if view.is_coached:
        sentences = [translate("type each throw and the dice you keep")]
    elif screen.width >= _WIDE:
        example = "".join(_faces(rules)[int(face) - 1] for face in rules.example)
        sentences = [translate("type the dice: {dice}", dice=example)]
        if rules.has_throws_that_matter:
            sentences.append(translate("then a space and the throw"))
    else:
        sentences = [translate("type the dice and Enter")]
    for sentence in sentences:
        yield from map(Text, wrap(sentence, screen.width, break_long_words=False))


def _keys(screen: Screen, room: int) -> Sequence[Text]:
    rows = [
        [
            Text(shortened(key.shown, screen.width, screen.marks), tappable(KeyTap(key.key)), no_wrap=True)
            for key in row
        ]
        for row in keys.sidebar_rows()
    ]
    gap, flowing = " " * _GAP, [key for row in rows for key in row]
    first = max(row[0].cell_len for row in rows) if screen.width >= _WIDE else 0
    lines: list[Text] = []
    for start, *others in rows:
        column = start.copy()
        column.pad_right(first - start.cell_len if others else 0)
        lines += _in_lines([column, *others], gap, screen)
    return lines if len(lines) <= room else _in_lines(flowing, gap, screen)


def _end(opened: OpenGame, screen: Screen) -> Iterator[Text]:
    for sentence in (*ending(opened.game), "", *debts(opened), ""):
        yield from map(Text, wrap(sentence, screen.width) or [""])
    for key in keys.HINTS_AT_END:
        if key.end_sentence is not None:
            shown = shortened(f"{key.key}  {translated(key.end_sentence)}", screen.width, screen.marks)
            yield Text(shown, tappable(KeyTap(key.key)))


def debts(opened: OpenGame) -> Sequence[str]:
    """Return a line for each debt; with points, for each difference."""
    try:
        payout = looking.payouts(opened.store, None).payout
    except GeneralaError as error:
        return [safe(translated(full_message(error, SCREEN)))]
    owed = [debt_text(debt, payout) for debt in payout.debts]
    return owed or [translate("nobody owes anybody anything")]
