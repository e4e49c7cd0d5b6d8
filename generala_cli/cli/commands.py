"""Every command: where it is, and what help says of it in a line. Reading this imports nothing."""

from collections.abc import Mapping

from msgspec import Struct

from generala_cli.messages import Message, lazy, words_for

THE_GAME = lazy("The game")
TABLE = lazy("Who plays, and what for")
LOOKING = lazy("Looking")
ADVICE = lazy("Advice")
GAMES = lazy("Games")
EVENING = lazy("The evening")
RULES = lazy("Rules and files")
SECTIONS = (THE_GAME, TABLE, LOOKING, ADVICE, GAMES, EVENING, RULES)
"""The sections of the help, none of more than eight commands, so that each is taken in at a glance."""


class Command(Struct, frozen=True):
    """One command; made without keywords, for it is a row of the table below."""

    place: str  # module and function, under `generala_cli`
    summary: str
    examples: tuple[str, ...]  # they run as they stand
    section: Message
    writes: bool = False  # it takes `--dry-run`
    of_game: bool = False  # it is about one game, and takes `--game`
    runs_on: bool = False  # until somebody ends it
    needs: Mapping[str, tuple[str, ...]] = {}  # an option, and those of which one must be typed with it
    excludes: tuple[tuple[str, ...], ...] = ()  # options and arguments of which only one may be typed
    commands: "Mapping[str, Command] | None" = None  # those of a group


_NEW = (
    "generala new Ana Beto Cora --rules general --stake 0.01 --unit USD",
    "generala new Ana Beto --set double-generala=yes --set bonus=10",
    "generala new Ana Beto Cora Dani --team Ana+Cora --team Beto+Dani",
)
_PLAY = ("generala play", "generala play 1", "generala play --coach")
_SCORE = ("generala score 5 5 5 3 3 --roll 1", "generala score 44442 --as poker --game 1")
_SCRATCH = ("generala scratch ones", "generala scratch generala 1 1 2 3 6")
_UNDO = ("generala undo", "generala undo 2")
_AMEND = (
    "generala amend 1 5 5 5 3 2 --as fives",
    "generala amend 1 --roll 2",
    "generala amend 1 --player Beto",
)
_RENAME = ("generala rename Beto Berta",)
_JOIN = ("generala join Cora",)
_STAKE = ("generala stake 0.05", "generala stake 1 --unit drink --payout low-pays")
_SHEET = ("generala sheet", "generala sheet 1 --json", "generala sheet --blank --players 6 --rules kniffel")
_PAYOUTS = ("generala payouts", "generala payouts --stake 1 --unit drink --method low-pays")
_LOG = ("generala log", "generala log --all")
_BOARD = (
    "generala board",
    "generala board --lan --pad",
    "generala board 1 --json",
    "generala board --tournament Copa",
)
_ADVISE = (
    "generala advise 4 4 1 2 6 --roll 1",
    "generala advise 44126 --roll 2 --rules general --filled ones=3,straight=0",
)
_TRAIN = ("generala train Ana --count 5", "generala train --rules kniffel", "generala train Ana --json")
_REVIEW = ("generala review", "generala review 1 --json")
_GAMES = ("generala games", "generala games --with Ana --since tonight")
_IMPORT = ("generala export --all --format generala | generala import -",)
_EXPORT = ("generala export 1 --format markdown", "generala export --all -o games.csv --yes")
_NEW_TOURNAMENT = (
    "generala tournament new Copa Ana Beto Cora Dani Eva Fito --rounds 3 --tables-of 3",
    "generala tournament new Copa Ana Beto Cora Dani --rules general --points 4,2,1,0 --seating standings",
)
_LEAGUE = ("generala league", "generala league Tuesdays --best 5", "generala league Tuesdays --head-start")
_SYNC = ("generala sync ~/shared --as laptop",)
_STATS = (
    "generala stats",
    "generala stats Ana --since 2026-01-01",
    "generala stats --rules general",
    "generala stats --dice --since tonight",
)
_VERSUS = ("generala versus Ana Beto",)
_REMATCH = ("generala rematch", "generala rematch --name revenge")
_PAY = ("generala pay Beto Ana 3.50 --unit USD", "generala pay Beto Ana 1 --unit drink --note 'at the bar'")
_SAME = ("generala players same Ana Anita",)
_APART = ("generala players apart Beto",)
_LEDGER = (
    "generala ledger --since tonight",
    "generala ledger --fewest",
    "generala ledger --why Ana Beto",
    "generala ledger --payments",
)
_CHECK = ("generala check 5 5 5 3 3 --roll 1 --rules general",)
_RULES = ("generala rules", "generala rules show general")
_SHOW = ("generala rules show general", "generala rules show --game 1")
_NEW_RULES = ("generala rules new casa --from general",)
_EDIT = ("EDITOR=true generala rules edit casa",)
_CHECK_FILE = ("generala rules check casa",)
_RULES_PATH = ("generala rules path",)
_HELP = ("generala help score", "generala help evening", "generala help environment")
_COMPLETION = ("generala completion bash", "generala completion bash --install")
_SCHEMA = ("generala schema", "generala schema score")

RULES_COMMANDS: Mapping[str, Command] = {
    "list": Command("rulebook.commands:list_", "List the rule sets.", ("generala rules list",), RULES),
    "show": Command(
        "rulebook.commands:show",
        "Show how a game is played.",
        _SHOW,
        RULES,
        of_game=True,
        excludes=(("NAME|FILE", "--game"),),
    ),
    "new": Command(
        "rulebook.commands:new", "Write rules of your own, to edit.", _NEW_RULES, RULES, writes=True
    ),
    "edit": Command(
        "rulebook.commands:edit", "Open your rules in an editor, and check them.", _EDIT, RULES, writes=True
    ),
    "check": Command(
        "rulebook.commands:check_file", "Report all that is wrong with a file.", _CHECK_FILE, RULES
    ),
    "path": Command("rulebook.commands:path", "Show where your rules are kept.", _RULES_PATH, RULES),
}
PLAYERS_COMMANDS: Mapping[str, Command] = {
    "list": Command(
        "ledger.commands:list_", "List everyone who ever played here.", ("generala players list",), EVENING
    ),
    "same": Command(
        "ledger.commands:same", "Say that two names are one person.", _SAME, EVENING, writes=True
    ),
    "apart": Command("ledger.commands:apart", "Take that back.", _APART, EVENING, writes=True),
}
TOURNAMENT_COMMANDS: Mapping[str, Command] = {
    "new": Command("tournament.commands:new", "Begin a tournament.", _NEW_TOURNAMENT, GAMES, writes=True),
    "seat": Command(
        "tournament.commands:seat",
        "Seat the next round, with a game for each table.",
        ("generala tournament seat",),
        GAMES,
        writes=True,
    ),
    "tables": Command(
        "tournament.commands:tables",
        "Show who sits where, and how far they are.",
        (
            "generala tournament tables",
            "generala tournament tables 1",
            "generala tournament tables --format csv",
        ),
        GAMES,
    ),
    "standings": Command(
        "tournament.commands:standings",
        "Show who is ahead.",
        ("generala tournament standings", "generala tournament standings --format ndjson"),
        GAMES,
    ),
    "print": Command(
        "tournament.commands:print_",
        "Print seats, standings and a sheet for each table.",
        ("generala tournament print --html", "generala tournament print 1 --html"),
        GAMES,
    ),
    "final": Command(
        "tournament.commands:final",
        "Seat the best to one last game.",
        ("generala tournament final 3", "generala tournament final 3 --carry"),
        GAMES,
        writes=True,
    ),
    "end": Command(
        "tournament.commands:end",
        "End a tournament early, as it stands.",
        ("generala tournament end",),
        GAMES,
        writes=True,
    ),
    "add": Command(
        "tournament.commands:add",
        "Let in who comes late, or is back.",
        ("generala tournament add Gus",),
        GAMES,
        writes=True,
    ),
    "drop": Command(
        "tournament.commands:drop",
        "Let a player go.",
        ("generala tournament drop Eva",),
        GAMES,
        writes=True,
    ),
    "fix": Command(
        "tournament.commands:fix",
        "Keep a player at one table.",
        ("generala tournament fix Ana --table 1", "generala tournament fix Ana --any"),
        GAMES,
        writes=True,
        excludes=(("--table", "--any"),),
    ),
    "move": Command(
        "tournament.commands:move",
        "Let a player take another seat.",
        ("generala tournament move Eva --table 2 --tournament Tuesdays", "generala tournament move Ana Beto"),
        GAMES,
        writes=True,
    ),
    "log": Command(
        "tournament.commands:log", "Show every event in order.", ("generala tournament log",), GAMES
    ),
    "undo": Command(
        "tournament.commands:undo",
        "Undo the last events.",
        ("generala tournament undo", "generala tournament undo --event 1"),
        GAMES,
        writes=True,
        excludes=(("N", "--event"),),
    ),
    "redo": Command(
        "tournament.commands:redo",
        "Let what was undone count again.",
        ("generala tournament redo", "generala tournament redo --event 1"),
        GAMES,
        writes=True,
    ),
    "delete": Command(
        "tournament.commands:delete",
        "Delete a tournament for good; its games stay.",
        ("generala tournament delete Tuesdays --yes",),
        GAMES,
        writes=True,
    ),
    "list": Command(
        "tournament.commands:list_", "List all tournaments.", ("generala tournament list",), GAMES
    ),
}
COMMANDS: Mapping[str, Command] = {
    "new": Command(
        "games.commands:new",
        "Start a game and make it current.",
        _NEW,
        THE_GAME,
        writes=True,
        needs={"--uneven": ("--team",)},
    ),
    "play": Command(
        "cli.screen:play",
        "Play on one screen.",
        _PLAY,
        THE_GAME,
        of_game=True,
        runs_on=True,
        needs={"--to": ("--coach",), "-q": ()},
        excludes=(("--plain", "--coach"), ("--plain", "--to")),
    ),
    "score": Command(
        "table.turn_commands:score", "Write a hand on the sheet.", _SCORE, THE_GAME, writes=True, of_game=True
    ),
    "scratch": Command(
        "table.turn_commands:scratch",
        "Give a category up for 0.",
        _SCRATCH,
        THE_GAME,
        writes=True,
        of_game=True,
    ),
    "undo": Command(
        "table.turn_commands:undo", "Take the last entries back.", _UNDO, THE_GAME, writes=True, of_game=True
    ),
    "redo": Command(
        "table.turn_commands:redo",
        "Put back what was undone.",
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
        "Call a player by another name.",
        _RENAME,
        TABLE,
        writes=True,
        of_game=True,
    ),
    "leave": Command(
        "table.change_commands:leave",
        "Let a player go home.",
        ("generala leave Beto",),
        TABLE,
        writes=True,
        of_game=True,
    ),
    "join": Command(
        "table.change_commands:join",
        "Let one who comes late play too.",
        _JOIN,
        TABLE,
        writes=True,
        of_game=True,
    ),
    "end": Command(
        "table.change_commands:end",
        "End the game early, as it stands.",
        ("generala end",),
        TABLE,
        writes=True,
        of_game=True,
    ),
    "stake": Command(
        "table.change_commands:stake", "Play for something else.", _STAKE, TABLE, writes=True, of_game=True
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
        "Show places and margins.",
        ("generala standings",),
        LOOKING,
        of_game=True,
    ),
    "payouts": Command("table.look_commands:payouts", "Show who owes whom.", _PAYOUTS, LOOKING, of_game=True),
    "log": Command("table.look_commands:log", "Show every entry in order.", _LOG, LOOKING, of_game=True),
    "board": Command(
        "cli.board:board",
        "Show the game on phones and on the wall.",
        _BOARD,
        LOOKING,
        of_game=True,
        runs_on=True,
        needs={"--yes": ("--qr",)},
        excludes=(("--tournament", "--game"), ("--tournament", "--tonight"), ("--tournament", "--odds")),
    ),
    "advise": Command(
        "advice.commands:advise",
        "Show the best thing to do with a hand.",
        _ADVISE,
        ADVICE,
        of_game=True,
        excludes=(("--rules", "--game"),),
    ),
    "odds": Command(
        "advice.commands:odds",
        "Show everyone's chance to win.",
        ("generala odds",),
        ADVICE,
        of_game=True,
        excludes=(("--rules", "--game"),),
    ),
    "review": Command(
        "advice.commands:review",
        "Look back on luck and mistakes.",
        _REVIEW,
        ADVICE,
        of_game=True,
        needs={"--yes": ("--svg",)},
    ),
    "train": Command(
        "training.commands:train",
        "Learn from your own mistakes.",
        _TRAIN,
        ADVICE,
        writes=True,
        needs={"-q": ("--json",)},
    ),
    "games": Command("games.commands:games", "List all games.", _GAMES, GAMES),
    "use": Command(
        "games.commands:use", "Make another game the current one.", ("generala use 1",), GAMES, writes=True
    ),
    "rematch": Command(
        "games.commands:rematch",
        "Same players, rules and stakes again.",
        _REMATCH,
        GAMES,
        writes=True,
        of_game=True,
    ),
    "delete": Command(
        "games.commands:delete",
        "Delete a game for ever.",
        ("generala delete 1 --yes",),
        GAMES,
        writes=True,
        of_game=True,
    ),
    "export": Command(
        "exchange.commands:export",
        "Write games for any other tool.",
        _EXPORT,
        GAMES,
        writes=True,
        of_game=True,
        needs=dict.fromkeys(("-q", "-n", "--yes"), ("--output",)),
        excludes=(("GAME", "--all", "--since"), ("GAME", "--with"), ("--all", "--with")),
    ),
    "import": Command(
        "exchange.commands:import_", "Take games over from another machine.", _IMPORT, GAMES, writes=True
    ),
    "sync": Command(
        "exchange.commands:sync", "Share games and payments through a folder.", _SYNC, GAMES, writes=True
    ),
    "tournament": Command(
        "tournament.commands:tournament",
        "Many tables, round after round, and one list.",
        ("generala tournament",),
        GAMES,
        commands=TOURNAMENT_COMMANDS,
    ),
    "ledger": Command(
        "ledger.commands:ledger",
        "Show who owes whom over many games.",
        _LEDGER,
        EVENING,
        writes=True,
        needs=dict.fromkeys(("-q", "-n", "--yes"), ("--settle",)),
        excludes=(("--why", "--payments", "--settle"), ("--fewest", "--payments"), ("--fewest", "--why")),
    ),
    "pay": Command(
        "ledger.commands:pay",
        "Write down what somebody paid.",
        _PAY,
        EVENING,
        writes=True,
        excludes=(("--undo", "--unit"), ("--undo", "--note")),
    ),
    "players": Command(
        "ledger.commands:players",
        "List everyone who ever played here.",
        ("generala players",),
        EVENING,
        commands=PLAYERS_COMMANDS,
    ),
    "league": Command(
        "tournament.league_commands:league",
        "Show who is ahead over many nights.",
        _LEAGUE,
        EVENING,
        needs=dict.fromkeys(
            ("--best", "--by", "--points", "--head-start", "--since", "--until", "--format"), ("NAME",)
        ),
    ),
    "stats": Command(
        "statistics.commands:stats",
        "Show how everyone plays.",
        _STATS,
        EVENING,
        needs={"--yes": ("--svg",)},
        excludes=(("--dice", "--luck"), ("--dice", "--svg")),
    ),
    "records": Command("statistics.commands:records", "Show the records.", ("generala records",), EVENING),
    "versus": Command("statistics.commands:versus", "Show which of two players is ahead.", _VERSUS, EVENING),
    "check": Command(
        "rulebook.commands:check",
        "Show what a hand is worth, in no game.",
        _CHECK,
        RULES,
        of_game=True,
        excludes=(("--rules", "--game"),),
    ),
    "rules": Command(
        "rulebook.commands:rules", "Show, copy and check rule sets.", _RULES, RULES, commands=RULES_COMMANDS
    ),
    "doctor": Command(
        "doctor.commands:doctor",
        "Check every file, and put one right.",
        ("generala doctor",),
        RULES,
        writes=True,
        needs={
            **dict.fromkeys(("-q", "-n"), ("--take", "--restore", "--accept", "--empty-cache")),
            "--yes": ("--accept",),
            "--take": ("GAME",),
        },
        excludes=(
            ("--take", "--restore", "--accept", "--cache", "--empty-cache"),
            *(("GAME", name) for name in ("--restore", "--accept", "--cache", "--empty-cache")),
        ),
    ),
    "help": Command("cli.helping:help_", "Explain a command, or show the guide.", _HELP, RULES),
    "completion": Command(
        "cli.completion:completion",
        "Print or install a shell's completion.",
        _COMPLETION,
        RULES,
        writes=True,
        needs=dict.fromkeys(("-q", "-n"), ("--install",)),
    ),
    "schema": Command("cli.helping:schema", "Print the JSON Schema of a command's answer.", _SCHEMA, RULES),
}
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
"""`generala` itself."""

BELOW: Mapping[str, Mapping[str, Command]] = {
    name: command.commands for name, command in COMMANDS.items() if command.commands is not None
}
"""The commands of each group."""


def command_words(table: Mapping[str, Command]) -> Mapping[str, Message]:
    """Return the words for each command of a table: its name, beside which each catalogue lists others."""
    group = next((f"{name} " for name, below in BELOW.items() if below is table), "")
    return {name: words_for(f"the command {group}{name}", name) for name in table}
