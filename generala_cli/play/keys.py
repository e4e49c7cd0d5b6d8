"""The keys of the screen: the one source for commands, hints, help, the dialogue and the guide."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct

from generala_cli.messages import Message, lazy
from generala_cli.play import panels
from generala_cli.play.input_line import LONGEST_LINE
from generala_cli.play.open_game import OpenGame
from generala_cli.play.panels import Panel
from generala_cli.render.drawing import Column, GivesWay, table
from generala_cli.render.language import translated

if TYPE_CHECKING:  # the screen imports this module
    from generala_cli.play.screen import TableView

Command = Callable[["TableView"], object]


class Key(Struct, frozen=True):
    """A key and its places on the screen.

    Attributes:
        key: its name in Textual. A letter is the same in every language, and works only on an empty line.
        command: its action; None for a key that is typed.
        promise: what Enter does after the typed letter, for the last line; the label if it is empty.
        when_entered: the action of the typed letter with Enter, if a tap only types it.
        row, hint, end_hint: its place in the sidebar, and in the last line during and after a game, or 0.
        end_label, end_sentence: shorter texts for the end of a game.
        runs: the commands that the letter runs in the line dialogue, or "".
        tries: the command whose dry run shows what the letter does, or "".
    """

    key: str
    command: Command | None = None
    label: Message = Message("")
    promise: Message = Message("")
    row: int = 0
    hint: int = 0
    end_hint: int = 0
    end_label: Message | None = None
    end_sentence: Message | None = None
    runs: str = ""
    tries: str = ""
    when_entered: Command | None = None

    @property
    def shown(self) -> str:
        return f"{self.key} {translated(self.label)}"

    @property
    def shown_at_end(self) -> str:
        return f"{self.key} {translated(self.end_label or self.label)}"


class KeyLine(Struct, frozen=True):
    keys: tuple[Key, ...]
    does: Message
    name: Message | None = None

    @property
    def letters(self) -> Sequence[str]:
        return [each.key for each in self.keys if len(each.key) == 1]


def _line(does: Message, *keys: Key, name: Message | None = None) -> KeyLine:
    return KeyLine(keys, does, name)


LINES: Sequence[KeyLine] = (
    _line(
        lazy(
            "the dice in any order; after a space, the throw, or the number box if the throw does not matter"
        ),
        *map(Key, "123456"),
    ),
    _line(
        lazy("separates words; with the coach on, marks dice to keep, then throws"),
        Key("space"),
        name=lazy("Space"),
    ),
    _line(
        lazy("does what the last line says; a letter or a word is a command, as in a shell"),
        *(
            Key(key, lambda at: at.enter()) for key in ("enter", "ctrl+j")
        ),  # typed before the screen was there
        name=lazy("Enter"),
    ),
    _line(
        lazy(
            "choose a different box; or type its name after the dice: 55533 full; up on an empty line brings "
            "the last line back"
        ),
        Key("up", lambda at: at.table.line.move(-1)),
        Key("down", lambda at: at.table.line.move(1)),
        name=lazy("arrows, a tap"),
    ),
    _line(
        lazy(
            "delete a character, clear the line; left, right, Home, End, Delete and Ctrl-A, E, W, U edit it"
        ),
        Key("backspace", lambda at: at.table.line.backspace()),
        Key("escape", lambda at: at.clear()),
        Key("left", lambda at: at.table.line.move_cursor(-1)),
        Key("right", lambda at: at.table.line.move_cursor(1)),
        *(Key(key, lambda at: at.table.line.move_cursor(-LONGEST_LINE)) for key in ("home", "ctrl+a")),
        *(Key(key, lambda at: at.table.line.move_cursor(LONGEST_LINE)) for key in ("end", "ctrl+e")),
        Key("delete", lambda at: at.table.line.erase(-1)),
        Key("ctrl+w", lambda at: at.table.line.erase_word()),
        Key("ctrl+u", lambda at: at.table.line.erase(LONGEST_LINE)),
        name=lazy("Backspace, Esc"),
    ),
    _line(
        lazy("scratch: x, a box, Enter; also after the dice"),
        Key(
            "x", lambda at: at.table.line.press("x"), lazy("scratch", context="key"), row=1, hint=3, runs="x"
        ),
    ),
    _line(
        lazy("undo the last entry, redo it"),
        Key(
            "u",
            lambda at: at.type_letter("u"),
            lazy("undo", context="key"),
            row=1,
            hint=2,
            end_hint=5,
            runs="u",
        ),
        Key("r", lambda at: at.type_letter("r"), lazy("redo", context="key"), row=1, runs="r"),
    ),
    _line(
        lazy("everyone's sheet, if it does not fit on the screen"),
        Key(
            "s",
            lambda at: at.open_panel(panels.sheet),
            lazy("sheet", context="key"),
            lazy("the sheets of {players}"),
            row=4,
            runs="sheet",
        ),
    ),
    _line(
        lazy("the log; Enter there opens a form to correct an entry"),
        Key(
            "l",
            lambda at: at.open_panel(panels.log),
            lazy("log", context="key"),
            lazy("the log of game {game}"),
            row=2,
            runs="log",
        ),
        Key(
            "e",
            lambda at: at.open_panel(panels.log),
            lazy("correct", context="key"),
            lazy("choose an entry of game {game} to correct"),
            row=2,
            runs="amend",
        ),
    ),
    _line(
        lazy("the coach: before you choose, after, to win, or off; type each throw, then the dice you keep"),
        Key(
            "k",
            lambda at: at.table.change_coach(),
            lazy("coach", context="key"),
            Message("{coach}"),
            row=4,
            hint=4,
        ),
    ),
    _line(
        lazy(
            "advice for the dice you type next (or Tab after them); everyone's chance to win; a review of "
            "the game; training on your mistakes"
        ),
        Key("a", lambda at: at.table.line.press("a"), lazy("advice", context="key"), row=5, runs="a"),
        Key("tab", lambda at: at.advise()),
        Key(
            "o",
            lambda at: at.think("odds"),
            lazy("odds", context="key"),
            lazy("everyone's chance to win game {game}"),
            row=5,
            runs="o",
        ),
        Key(
            "v",
            lambda at: at.think("review"),
            lazy("review", context="key"),
            lazy("luck and mistakes in game {game} so far"),
            row=4,
            end_hint=2,
            end_sentence=lazy("review: luck and mistakes"),
            runs="review",
        ),
        Key(
            "t",
            lambda at: at.train(),
            lazy("train", context="key"),
            lazy("train on your mistakes"),
            row=5,
            runs="train",
        ),
    ),
    _line(
        lazy("the standings and debts; the ledger of all games"),
        Key(
            "p",
            lambda at: at.open_panel(panels.places),
            lazy("payouts", context="key"),
            lazy("the places in game {game}, and who owes whom"),
            row=3,
            end_hint=3,
            runs="standings payouts",
        ),
        Key(
            "b",
            lambda at: at.show_ledger(),
            lazy("ledger", context="key"),
            lazy("the ledger of all games"),
            row=3,
            end_hint=4,
            end_sentence=lazy("the ledger of all games"),
            runs="ledger",
        ),
    ),
    _line(
        lazy("a new game in a form; a rematch; a different game"),
        Key(
            "n",
            lambda at: at.request_form("new"),
            lazy("new game", context="key"),
            lazy("a form for a new game"),
            row=6,
            end_hint=6,
            end_label=lazy("new", context="key"),
            end_sentence=lazy("a new game"),
            runs="new",
        ),
        Key(
            "m",
            lambda at: at.type_letter("m"),
            lazy("rematch", context="key"),
            lazy("a rematch of game {game}"),
            end_hint=1,
            end_sentence=lazy("a rematch"),
            when_entered=lambda at: at.rematch(),
            tries="rematch",
        ),
        Key(
            "g",
            lambda at: at.open_panel(panels.games),
            lazy("other games", context="key"),
            lazy("choose a game to open"),
            row=6,
            runs="games",
        ),
    ),
    _line(
        lazy("end the game early in a form; the current totals count"),
        Key(
            "f",
            lambda at: at.request_form("end"),
            lazy("finish", context="key"),
            lazy("a form to end game {game} now"),
            row=6,
        ),
    ),
    _line(
        lazy("compare versions of a game that went on in two places, and take one"),
        Key(
            "c",
            lambda at: at.open_panel(panels.versions),
            promise=lazy("compare the versions of game {game}"),
        ),
    ),
    _line(
        lazy("all keys; quit, also with Ctrl-C; Ctrl-Z suspends the program"),
        Key(
            "?",
            lambda at: at.open_panel(all_keys),
            lazy("keys", context="key"),
            row=7,
            hint=1,
            end_hint=7,
            runs="?",
        ),
        Key(
            "q",
            lambda at: at.leave(),
            lazy("leave", context="key"),
            lazy("leave; every turn is saved"),
            row=7,
            hint=5,
            end_hint=8,
            end_sentence=lazy("leave", context="key"),
            runs="q",
        ),
        Key("ctrl+c", lambda at: at.leave(130)),
        Key("ctrl+z", lambda at: at.app.action_suspend_process()),
    ),
)
KEYS: Sequence[Key] = tuple(key for line in LINES for key in line.keys)
COMMANDS: Mapping[str, Command] = {key.key: key.command for key in KEYS if key.command is not None}
HINTS: Sequence[Key] = sorted((key for key in KEYS if key.hint), key=lambda key: key.hint)
"""The keys in the last line while nothing is typed, most important first."""
HINTS_AT_END: Sequence[Key] = sorted((key for key in KEYS if key.end_hint), key=lambda key: key.end_hint)
DIALOGUE: Mapping[str, Sequence[str]] = {key.key: key.runs.split() for key in KEYS if key.runs}


def sidebar_rows() -> Iterator[Sequence[Key]]:
    shown = sorted((key for key in KEYS if key.row), key=_row)
    for _, row in groupby(shown, _row):
        yield tuple(row)


def _row(key: Key) -> int:
    return key.row


def all_keys(_: OpenGame) -> Panel:
    names = [translated(line.name) if line.name else " ".join(line.letters) for line in LINES]
    columns = (
        Column(cells=names),
        Column(cells=[translated(line.does) for line in LINES], gives_way=GivesWay.WRAPS),
    )
    return panels.plain_panel(lambda screen: table(*columns, screen=screen))
