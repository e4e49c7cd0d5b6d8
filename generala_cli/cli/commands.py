"""The table of all commands, of the core and of the installed packages."""

from collections.abc import Iterator, Mapping
from functools import cache

from generala_cli.messages import Message, words_for_command
from generala_cli.packages import (
    GAMES,
    LOOKING,
    RULES,
    SECTIONS,
    TABLE,
    THE_GAME,
    Command,
    packages,
)

_NEW = (
    "generala new Ana Beto Cora --rules general --stake 0.01 --unit USD",
    "generala new Ana Beto --set double-generala=yes --set bonus=10",
    "generala new Ana Beto Cora Dani --team Ana+Cora --team Beto+Dani",
)
_SCORE = ("generala score 5 5 5 3 3 --roll 1", "generala score 44442 --as poker --game 1")
_SCRATCH = ("generala scratch ones", "generala scratch generala 1 1 2 3 6")
_UNDO = ("generala undo", "generala undo 2")
_AMEND = (
    "generala amend 1 5 5 5 3 2 --as fives",
    "generala amend 1 --roll 2",
    "generala amend 1 --player Beto",
)
_RENAME = ("generala rename Beto Berta", "generala rename --label friday")
_JOIN = ("generala join Cora",)
_STAKE = ("generala stake 0.05", "generala stake 1 --unit drink --payout low-pays")
_SHEET = ("generala sheet", "generala sheet 1 --json", "generala sheet --blank --players 6 --rules kniffel")
_PAYOUTS = ("generala payouts", "generala payouts --stake 1 --unit drink --method low-pays")
_LOG = ("generala log", "generala log --all")
_GAMES = ("generala games", "generala games --with Ana --since tonight")
_REMATCH = ("generala rematch", "generala rematch --first Beto --name revenge")
_HELP = ("generala help score", "generala help money", "generala help environment")
_COMPLETION = ("generala completion bash", "generala completion bash --install")
_SCHEMA = ("generala schema", "generala schema sheet")
CORE: Mapping[str, Command] = {
    "new": Command(
        "games.commands:new",
        "Start a game and make it current.",
        _NEW,
        THE_GAME,
        writes=True,
        needs={"--uneven": ("--team",)},
    ),
    "score": Command(
        "table.turn_commands:score", "Enter a hand on the sheet.", _SCORE, THE_GAME, writes=True, of_game=True
    ),
    "scratch": Command(
        "table.turn_commands:scratch",
        "Give up a category for 0 points.",
        _SCRATCH,
        THE_GAME,
        writes=True,
        of_game=True,
    ),
    "undo": Command(
        "table.turn_commands:undo",
        "Undo the last action, or the last N.",
        _UNDO,
        THE_GAME,
        writes=True,
        of_game=True,
    ),
    "redo": Command(
        "table.turn_commands:redo",
        "Restore what you undid.",
        ("generala redo",),
        THE_GAME,
        writes=True,
        of_game=True,
    ),
    "amend": Command(
        "table.turn_commands:amend", "Correct an earlier entry.", _AMEND, THE_GAME, writes=True, of_game=True
    ),
    "rename": Command(
        "table.change_commands:rename",
        "Rename a player or the game.",
        _RENAME,
        TABLE,
        writes=True,
        of_game=True,
        excludes=(("OLD", "--label"), ("NEW", "--label"), ("--exactly", "--label")),
    ),
    "leave": Command(
        "table.change_commands:leave",
        "Let a player leave the game.",
        ("generala leave Beto",),
        TABLE,
        writes=True,
        of_game=True,
    ),
    "join": Command(
        "table.change_commands:join",
        "Add a late player.",
        _JOIN,
        TABLE,
        writes=True,
        of_game=True,
    ),
    "end": Command(
        "table.change_commands:end",
        "End the game early; the current totals count.",
        ("generala end",),
        TABLE,
        writes=True,
        of_game=True,
    ),
    "stake": Command(
        "table.change_commands:stake", "Change the stake.", _STAKE, TABLE, writes=True, of_game=True
    ),
    "sheet": Command(
        "table.look_commands:sheet",
        "Show the scoresheet.",
        _SHEET,
        LOOKING,
        of_game=True,
        needs={"--players": ("--blank",), "--rules": ("--blank",)},
        excludes=(("GAME", "--rules"), ("--game", "--rules")),
    ),
    "standings": Command(
        "table.look_commands:standings",
        "Show the ranking and the point gaps.",
        ("generala standings",),
        LOOKING,
        of_game=True,
    ),
    "payouts": Command("table.look_commands:payouts", "Show who owes whom.", _PAYOUTS, LOOKING, of_game=True),
    "log": Command("table.look_commands:log", "Show every entry in order.", _LOG, LOOKING, of_game=True),
    "games": Command("games.commands:games", "List all games.", _GAMES, GAMES),
    "use": Command(
        "games.commands:use", "Switch to a different game.", ("generala use 1",), GAMES, writes=True
    ),
    "rematch": Command(
        "games.commands:rematch",
        "Play again with the same players, rules and stake.",
        _REMATCH,
        GAMES,
        writes=True,
        of_game=True,
        excludes=(("--first", "--opening"),),
    ),
    "delete": Command(
        "games.commands:delete",
        "Delete a game permanently.",
        ("generala delete 1 --yes",),
        GAMES,
        writes=True,
        of_game=True,
    ),
    "help": Command("cli.helping:help_", "Explain a command or show the guide.", _HELP, RULES),
    "completion": Command(
        "cli.completion:completion",
        "Print or install shell completion.",
        _COMPLETION,
        RULES,
        writes=True,
        needs=dict.fromkeys(("-q", "-n"), ("--install",)),
    ),
    "schema": Command("cli.helping:schema", "Print the JSON Schema of a command's output.", _SCHEMA, RULES),
}
"""The commands that are always there. Reading them imports no package."""
LETTERS: Mapping[str, str] = {
    "s": "sheet",
    "l": "log",
    "p": "payouts",
    "b": "ledger",
    "g": "games",
    "v": "review",
}
"""The letters that mean a command if they stand alone. The screen has the same."""
SCREEN_LETTERS: Mapping[str, str] = {
    "c": "doctor",
    "e": "amend",
    "f": "end",
    "k": "play --coach",
    "m": "rematch",
    "n": "new",
    "t": "train",
}
"""The letters that work only on the screen, each with the command to type in a shell."""
FILES: Mapping[str, str] = {"file": "store.gamefile:GameFile"}
"""The file formats of the core by their names in `schema`."""


@cache
def _all() -> Mapping[str, Command]:
    """Return every command in the order of the help: by section, then the core's before those of packages."""
    rows = {name: row for package in packages().values() for name, row in package.commands.items()}
    names = list(CORE)
    for name, row in rows.items():
        names.insert(names.index(row.before) if row.before in names else len(names), name)
    rows = {**CORE, **rows}
    return {name: rows[name] for section in SECTIONS for name in names if rows[name].section == section}


class _Commands(Mapping[str, Command]):
    """All commands. Packages are read only to find a command that the core does not have, or to list all."""

    def __getitem__(self, name: str) -> Command:
        return CORE[name] if name in CORE else _all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_all())

    def __len__(self) -> int:
        return len(_all())


class _Groups(Mapping[str, Mapping[str, Command]]):
    def __getitem__(self, name: str) -> Mapping[str, Command]:
        below = COMMANDS[name].commands
        if below is None:
            raise KeyError(name)
        return below

    def __iter__(self) -> Iterator[str]:
        return (name for name, command in COMMANDS.items() if command.commands is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)


COMMANDS: Mapping[str, Command] = _Commands()
BELOW: Mapping[str, Mapping[str, Command]] = _Groups()
_BEGIN = ("generala new Ana Beto", "generala score 5 5 5 3 3 --roll 1")
ROOT = Command(
    "cli.app:glance",
    "Show the current game.",
    _BEGIN,
    THE_GAME,
    of_game=True,
    commands=COMMANDS,
    excludes=(("--version", "--game"),),
)


def command_words(table: Mapping[str, Command]) -> Mapping[str, Message]:
    """Return the words for each command of a table: its name and, in each catalogue, more words."""
    group = "" if table is COMMANDS else next((f"{name} " for name in BELOW if BELOW[name] is table), "")
    return {name: words_for_command(name, group) for name in table}
