"""The layout of the screen at any size: lines of rich's segments, which the widget paints."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from textwrap import wrap

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import Console
from rich.segment import Segment
from rich.text import Text

from generala_cli.game.game import Game
from generala_cli.game.standings import outcome
from generala_cli.game.turn import Turn
from generala_cli.messages import Message, tell
from generala_cli.play import panels
from generala_cli.play.coaching import CoachedLine
from generala_cli.play.hand import Option
from generala_cli.play.panels import Line, Panel
from generala_cli.play.table import Table
from generala_cli.render import tables
from generala_cli.render.drawing import shortened
from generala_cli.render.language import said, say, say_count, spoken
from generala_cli.render.lines import ending, terms
from generala_cli.render.screen import ASCII, Marks, Screen
from generala_cli.rules.dice import example_hand
from generala_cli.rules.ruleset import bonus
from generala_cli.store.store import StoredGame
from generala_cli.text import safe

_AROUND = 4
"""Lines for the title, the last message, the line typed, and the keys."""
_LEAST = 34
"""Fewer columns than this have no room for a sheet beside the boxes to choose from."""
_NARROW, _ROOMY = 56, 76
_SIDE = {_NARROW: 15, _ROOMY: 22}
"""Columns of the list of boxes on screens narrower than so many; it has more where that is not enough."""
_WIDEST_SIDE, _WIDE_SIDE = 29, 26
_LABELS, _GAP = 9, 2
_UNBROKEN = "\u00a0"
"""A blank between what belongs together."""
_FEW = 11
"""Fewer lines than this, or so many, have none to leave empty."""


class Frame(Struct, frozen=True, kw_only=True):
    """A whole screen.

    Attributes:
        lines: from above. cursor: the column and line where the next character goes.
        options: the option that stands in a line, for who taps there, from column `left` on.
        keys: in a line, the key that a tap from one column up to another presses.
        top: the first line of a panel that is visible.
        dice: the line in which dice can be tapped, and how wide each is; None where they cannot.
    """

    lines: Sequence[Line]
    cursor: tuple[int, int]
    options: Mapping[int, int]
    left: int
    keys: Mapping[int, Sequence["TapKey"]]
    top: int = 0
    dice: tuple[int, int] | None = None


TapKey = tuple[int, int, str]
"""The columns of a hint, from one up to another, and the key that it is about."""
KeyHint = tuple[str, str]
"""The text of a hint, and the key that it is about; "" for several."""


class _Side(Struct, kw_only=True):
    """The part beside the sheet, or in its place; which lines are options, and which one has dice to tap."""

    texts: list[Text]
    options: dict[int, int]
    keys: dict[int, Sequence[TapKey]]
    dice: int | None = None


class Layout:
    """Draws a table; the sheet, which takes most of the time, only where it or its place is another."""

    def __init__(self) -> None:
        self._drawn: tuple[StoredGame, Screen] | None = None
        self._sheet: list[Line] = []

    def draw(self, table: Table, panel: Panel | None, screen: Screen) -> Frame:
        """Everything that is on the screen."""
        rich = panels.console(screen)
        room = max(1, screen.height - _AROUND)
        inner = replace(screen, height=room)
        options: Mapping[int, int] = {}
        dice: int | None = None
        taps: dict[int, Sequence[TapKey]] = {}
        left = below = top = 0
        body: list[Line] = []
        if panel is not None:
            body, below, top = panels.visible_lines(panel, inner)
        else:
            sheet = self._sheet_on(table, inner)
            left = max(map(panels.width, sheet), default=-_GAP) + _GAP
            side = _side(table, replace(inner, width=screen.width - left), has_sheet=bool(sheet))
            options, dice = side.options, side.dice
            for place, found in side.keys.items():
                taps[place + 1] = [(left + start, left + end, key) for start, end, key in found]
            beside = [_line(text, rich) for text in side.texts]
            for place in range(room):
                line = list(sheet[place]) if place < len(sheet) else []
                if place < len(beside):
                    line += [Segment(" " * (left - panels.width(line))), *beside[place]]
                body.append(line)
        body = (body + [[]] * room)[:room]
        prompt, message = _prompt(table, screen), _message(table, screen, below)
        if len(message) > 1 and room > 1 and not panels.text_of(body[-1]).strip():
            body.pop()
        else:
            message = message[:1]
        hints = list(_hints(table, panel, screen.marks))
        fitting = fitting_hints([hint for hint, _ in hints], screen)
        keys = Text(joint(screen).join(fitting))
        start, footer = 0, list[TapKey]()
        for shown, (_, key) in zip(fitting, hints, strict=False):
            footer.append((start, start + cell_len(shown), key))
            start += cell_len(shown) + cell_len(joint(screen))
        taps[min(screen.height, room + _AROUND) - 1] = footer
        if table.text.strip() or panel is not None:  # what Enter does, or why it does nothing
            keys.stylize("bold", 0, len(fitting[0]))
        rows_below = (*message, prompt, keys)
        whole = [_line(_title(table, screen), rich), *body, *(_line(text, rich) for text in rows_below)]
        return Frame(
            lines=whole[: screen.height],
            cursor=(min(screen.width - 1, prompt.cell_len), min(screen.height, room + _AROUND) - 2),
            options={place + 1: option for place, option in options.items()},
            left=left,
            keys=taps,
            top=top,
            dice=None if dice is None else (dice + 1, _DIE),
        )

    def _sheet_on(self, table: Table, screen: Screen) -> list[Line]:
        if self._drawn is None or self._drawn[0] is not table.stored or self._drawn[1] != screen:
            self._drawn, self._sheet = (table.stored, screen), _sheet(table.game, screen)
        return self._sheet


def _line(text: Text, rich: Console) -> Line:
    return list(Segment.apply_style(text.render(rich, end=""), rich.get_style(text.style)))


def _sheet(game: Game, screen: Screen) -> list[Line]:
    """The sheet of as many players as there is room for: who is to throw, and the neighbours."""
    side = next((width for narrow, width in _SIDE.items() if screen.width < narrow), _WIDEST_SIDE)
    width = screen.width - side - _GAP
    if screen.width < _LEAST:
        return []
    column = 4 if screen.width < _NARROW else 6
    players = _neighbours(game, max(1, (width - _LABELS) // column))
    lines = panels.rendered(tables.boxes(game, replace(screen, width=width), players), screen)
    if len(lines) > screen.height:
        return []
    wide = max(map(panels.width, lines))
    more = [*tables.sides(game), *([] if players == game.seats else _totals(game, wide))]
    below = [[], *([Segment(shortened(line, wide, screen.marks))] for line in more)]
    return [*lines, *below[: screen.height - len(lines)]] if more else lines


def _neighbours(game: Game, count: int) -> tuple[str, ...]:
    """So many players in seat order around the one to throw, or around the leader at the end."""
    if count >= len(game.seats):
        return game.seats
    middle = game.seats.index(game.to_move or outcome(game).leaders[0].contender.members[0])
    first = max(0, min(middle - count // 2, len(game.seats) - count))
    return game.seats[first : first + count]


def _side(table: Table, screen: Screen, *, has_sheet: bool) -> _Side:
    """Whose turn it is, the hand, and the boxes it may go to; at the end, how it ended."""
    game, turn = table.game, table.turn
    side = _Side(texts=[], options={}, keys={})
    if not has_sheet and screen.height > 6:
        side.texts.append(Text(_totals(game, screen.width)[0], "dim"))
    if game.is_over:
        side.texts += [Text(part) for coached in _end(table) for part in wrap(coached, screen.width) or [""]]
        return side
    side.texts.append(_mover(table, screen, is_short=has_sheet))
    coached = table.coached
    if coached is not None and coached.may_mark and _are_apart(game.rules.dice, screen):
        side.dice = len(side.texts)
    side.texts += _hand(table, turn, screen)
    side.texts += _advised(table, screen)
    if screen.height > _FEW and screen.width >= _WIDE_SIDE:
        side.texts.append(Text())
    room = screen.height - len(side.texts)
    if not table.text.strip():
        for line, found in islice(_first(table, screen), max(0, room)):
            side.keys[len(side.texts)] = found
            side.texts.append(_wide(line, screen))
        return side
    options = table.options
    first = max(0, min((table.marked or 0) - room // 2, len(options) - room))
    for place in range(first, min(len(options), first + room)):
        side.options[len(side.texts)] = place
        side.texts.append(_option(table, options[place], screen, is_marked=place == table.marked))
    return side


Hint = tuple[str, Message]
"""A letter, which is the same in every language, and what it does."""
_UNDO = ("u", tell("undo", context="key"))
_SCRATCH = ("x", tell("scratch", context="key"))
_LOG = ("l", tell("log", context="key"))
_COACH = ("k", tell("coach", context="key"))
_PAYOUTS = ("p", tell("payouts", context="key"))
_LEDGER = ("b", tell("ledger", context="key"))
_KEYS_HINT = ("?", tell("keys", context="key"))
_LEAVE = ("q", tell("leave", context="key"))
_FIRST: Sequence[Sequence[Hint]] = (
    (_SCRATCH, _UNDO, ("r", tell("redo", context="key"))),
    (_LOG, ("e", tell("correct", context="key"))),
    (_PAYOUTS, _LEDGER),
    (("a", tell("advice", context="key")), ("o", tell("odds", context="key"))),
    (("n", tell("new game", context="key")), ("g", tell("other games", context="key"))),
    (_COACH, _KEYS_HINT, _LEAVE),
)
_FIRST_NARROW: Sequence[Sequence[Hint]] = (
    (_SCRATCH,),
    (_UNDO,),
    (_LOG,),
    (_PAYOUTS,),
    (_KEYS_HINT,),
    (_LEAVE,),
)
"""The keys beside the sheet, where nothing is typed yet."""
_IS_OVER: Sequence[Hint] = (
    ("m", tell("the rematch")),
    ("v", tell("review: luck and mistakes")),
    ("b", tell("the ledger of all games")),
    ("n", tell("another game")),
    _LEAVE,
)
"""The keys when the game is over."""
_DIE = 3
"""Columns of a die that can be kept: `[4]`, or ` 4 `."""
_LONGEST_ADVICE, _SHORTEST_ADVICE = 3, 1
"""Lines for what the coach says, where there are many and where there are few."""


def _first(table: Table, screen: Screen) -> Iterator[tuple[str, Sequence[TapKey]]]:
    """How to begin, and the keys: each line with the keys that can be tapped in it."""
    is_wide, rules = screen.width >= _WIDE_SIDE, table.game.rules
    if table.coach.is_on:
        sentences = [say("type each throw and what you keep")]
    elif is_wide:
        example = "".join(map(str, example_hand(rules.dice, rules.faces)))
        sentences = [say("type the dice: {dice}", dice=example)]
        if rules.has_throws_that_matter:
            sentences.append(say("one digit more is the throw"))
    else:
        sentences = [say("type the dice and Enter")]
    for sentence in sentences:
        yield from ((line, ()) for line in wrap(sentence, screen.width, break_long_words=False))
    yield "", ()
    yield from _in_rows(_FIRST if is_wide else _FIRST_NARROW, screen)


def _keyed(hint: Hint) -> str:
    letter, does = hint
    return f"{letter} {said(does)}"


def _in_rows(rows: Sequence[Sequence[Hint]], screen: Screen) -> Iterator[tuple[str, Sequence[TapKey]]]:
    """Hints in two columns, where they fit there; else behind each other, in as many lines as they take."""
    texts = [[(_keyed(hint), hint[0]) for hint in row] for row in rows]
    column = max((cell_len(first) for (first, _), *others in texts if others), default=0) + _GAP
    for row in texts:
        (first, _), *others = row
        blanks = " " * (column - cell_len(first))
        whole = f"{first}{blanks}{(' ' * _GAP).join(text for text, _ in others)}"
        is_aligned = bool(others) and cell_len(whole) <= _WIDE_SIDE
        line, found = "", list[TapKey]()
        for text, key in row:
            shown = text if is_aligned else shortened(text, screen.width, screen.marks)
            gap = "" if not line else blanks if is_aligned and len(found) == 1 else " " * _GAP
            if not is_aligned and line and cell_len(line + gap + shown) > screen.width:
                yield line, found
                line, found, gap = "", [], ""
            start = cell_len(line + gap)
            line += gap + shown
            found.append((start, start + cell_len(shown), key))
        yield line, found


def _unbroken(parts: Iterable[str], width: int) -> list[str]:
    """The parts behind each other, in as many lines as they take; a blank in one of them ends no line."""
    joined = (" " * _GAP).join(part.replace(" ", _UNBROKEN) for part in parts)
    return [line.replace(_UNBROKEN, " ") for line in wrap(joined, max(1, width))]


def _mover(table: Table, screen: Screen, *, is_short: bool) -> Text:
    game, player = table.game, table.turn.player or table.player
    total = f" {game.total(player)}"
    name = shortened(player, screen.width - len(total) - 1, screen.marks)
    return Text.assemble((f"{screen.marks.turn}{name}", "bold reverse"), "" if is_short else total)


def _hand(table: Table, turn: Turn, screen: Screen) -> list[Text]:
    """The dice, with a place for each that is missing, and the throw, which is always there."""
    game, coached = table.game, table.coached
    there = turn.dice or ()
    dice = " ".join([*map(str, there), *(["_"] * (game.rules.dice - len(there)))])
    if coached is not None and coached.dice:
        dice = _marked_dice(coached, game.rules.dice, screen)
    last, roll = game.last_throw(turn.player or table.player), turn.roll or game.rules.throws
    throw = say("throw {throw} of {throws}", throw=roll, throws=last)
    style = "bold" if roll != game.rules.throws else ""
    if screen.width >= cell_len(dice) + cell_len(throw) + _GAP:
        return [Text.assemble((dice, "bold"), " " * _GAP, (throw, style))]
    return [Text(dice, "bold"), Text(shortened(throw, screen.width, screen.marks), style)]


def _marked_dice(coached: CoachedLine, count: int, screen: Screen) -> str:
    """`[4][4] 1  2  6`: what is kept and what is not; `44|126` where there is no room for that."""
    marked = list(zip(coached.dice, coached.marks, strict=True))
    missing = count - len(marked)
    if _are_apart(count, screen):
        shown = [f"[{die}]" if is_kept else f" {die} " for die, is_kept in marked]
        return "".join([*shown, *[" _ "] * missing])
    kept = "".join(str(die) for die, is_kept in marked if is_kept)
    others = "".join(str(die) for die, is_kept in marked if not is_kept)
    return f"{kept}|{others}{'_' * missing}"


def _are_apart(count: int, screen: Screen) -> bool:
    """Whether each of so many dice has a place of its own, to be tapped."""
    return _DIE * count <= screen.width


def _advised(table: Table, screen: Screen) -> list[Text]:
    """The coach's sentence, in a few lines."""
    advice = table.advised(screen.marks.minus)
    most = _LONGEST_ADVICE if screen.height > _FEW else _SHORTEST_ADVICE
    together = re.sub(r"(?<=\d) (?=\d)", _UNBROKEN, advice)  # dice stay on one line
    found = [part.replace(_UNBROKEN, " ") for part in wrap(together, min(screen.width, _WIDEST_SIDE))]
    if len(found) > most:
        found[most - 1 :] = [" ".join(found[most - 1 :])]
    return [_wide(each, screen) for each in found]


def _option(table: Table, option: Option, screen: Screen, *, is_marked: bool) -> Text:
    """`▸ full house  35*`: the box, and what it would pay."""
    marks, rules, turn = screen.marks, table.game.rules, table.turn
    points = "" if option.points is None else str(option.points)
    if points and bonus(rules, option.category, turn.dice or (), turn.roll or rules.throws):
        points += marks.served
    if option.wins:
        points = say("wins!")
    category = option.category
    name = safe(said(category) if screen.width >= 24 else category.short_in(spoken()))
    mark = marks.turn if is_marked else " "
    sign = f"{marks.scratched} " if option.scratched else ""
    width = min(screen.width, _WIDEST_SIDE) - 1
    shown = shortened(f"{sign}{name}", width - cell_len(points) - 1, marks)
    blanks = " " * (width - cell_len(shown) - cell_len(points) - 1)
    style = "bold reverse" if is_marked else "dim" if option.scratched else ""
    return Text(f"{mark}{shown}{blanks}{points} ", style, no_wrap=True)


def _end(table: Table) -> Iterator[str]:
    """Who has won, who owes whom, and what can be done then."""
    yield from ending(table.game)
    yield ""
    yield from table.debts()
    yield ""
    yield from (f"{letter}  {said(does)}" for letter, does in _IS_OVER)


def _wide(words: str, screen: Screen) -> Text:
    return Text(shortened(words, screen.width, screen.marks) if words else "")


def _title(table: Table, screen: Screen) -> Text:
    game = table.game
    turns = len(game.rules.categories)
    rounds = say("turn {turn} of {turns}", turn=min(game.round + 1, turns), turns=turns)
    title = say("Game {game}: {terms}", game=table.number, terms=terms(game))
    room = screen.width - cell_len(rounds) - 2
    if room < 12:
        return Text(shortened(title, screen.width, screen.marks), "bold")
    name = shortened(title, room, screen.marks)
    blanks = " " * (screen.width - cell_len(name) - cell_len(rounds))
    return Text.assemble((name, "bold"), blanks, (rounds, "dim"))


def _totals(game: Game, width: int) -> list[str]:
    """Everyone's total, where not all are on the sheet; who is to throw first."""
    first = game.seats.index(game.to_move) if game.to_move else 0
    order = (*game.seats[first:], *game.seats[:first])
    return _unbroken((f"{safe(player)} {game.total(player)}" for player in order), width)


def _message(table: Table, screen: Screen, below: int) -> list[Text]:
    """The last message, in two lines if it has to be; a `!` marks a refusal without colour."""
    if below:
        text = say_count(
            "{count} more line below: Space or down", "{count} more lines below: Space or down", below
        )
        return [Text(shortened(text, screen.width, screen.marks), "dim")]
    text, style = (f"! {table.said}", "bold") if table.is_refusal else (table.said, "")
    first, *more = wrap(text, screen.width) or [""]
    return [
        Text(shortened(first, screen.width, screen.marks), style),
        *(Text(shortened(" ".join(more), screen.width, screen.marks), style) for _ in more[:1]),
    ]


def _prompt(table: Table, screen: Screen) -> Text:
    """The line that is typed; of one that is longer than the screen, its end."""
    sign = ">" if screen.marks is ASCII else "›"
    text = table.text[-max(0, screen.width - 3) :]
    return Text.assemble((f"{sign} ", "bold"), text, no_wrap=True)


def hint_line(hints: Sequence[str], screen: Screen) -> str:
    """As many of the hints as there is room for, in one line."""
    return joint(screen).join(fitting_hints(hints, screen))


def fitting_hints(hints: Sequence[str], screen: Screen) -> list[str]:
    """The first hints, as many as there is room for; of the very first what fits, in whole words."""
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
    """The sign between two hints."""
    return "  " if screen.marks is ASCII else " · "


def _hints(table: Table, panel: Panel | None, marks: Marks) -> Iterator[KeyHint]:
    arrows = say("arrows another box") if marks is ASCII else say("↑↓ another box")
    another, clear = (arrows, "down"), (say("Esc clear"), "escape")
    if panel is not None:
        if panel.picks:
            does = say("Enter corrects it") if panel.picks == "correct" else say("Enter opens it")
            yield does, "enter"
            yield (say("arrows choose") if marks is ASCII else say("↑↓ choose")), "down"
        yield say("any other key goes back"), "escape"
        return
    turn, coached = table.turn, table.coached
    promises = [(promise, "enter") for promise in table.promise()]
    if table.game.is_over:
        rematch, review = ("m", tell("rematch", context="key")), ("v", tell("review", context="key"))
        new = ("n", tell("new", context="key"))
        for hint in (rematch, review, _PAYOUTS, _LEDGER, _UNDO, new, _KEYS_HINT, _LEAVE):
            yield _keyed(hint), hint[0]
    elif table.asks_for_advice:
        yield from ((say("Enter asks for advice"), "enter"), clear)
    elif coached is not None and coached.dice:
        if missing := table.game.rules.dice - len(coached.turn.dice or ()):
            yield say_count("type {count} new die", "type {count} new dice", missing), ""
            yield say("Backspace goes back"), "backspace"
            return
        yield from promises
        if coached.may_mark and coached.kept:
            yield say("Backspace goes back"), "backspace"
        elif coached.may_mark:
            yield say("digits keep dice"), ""
            yield say("Space throws all again"), "space"
        yield from (another, clear)
    elif turn.has_hand or turn.is_scratch:
        yield from (*promises, another, clear)
    elif turn.dice:
        yield from ((say("Backspace takes a die back"), "backspace"), clear)
    else:
        for hint in (_KEYS_HINT, _UNDO, _SCRATCH, _COACH, _LEAVE):
            yield _keyed(hint), hint[0]
