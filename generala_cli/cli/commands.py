"""The table of all commands: their functions and summaries. Importing this loads no command."""

from collections.abc import Mapping

from msgspec import Struct

from generala_cli.messages import Message, lazy, words_for

THE_GAME = lazy("The game")
TABLE = lazy("Players and stakes")
LOOKING = lazy("Scores and payouts")
ADVICE = lazy("Advice")
GAMES = lazy("Games")
EVENING = lazy("The evening")
RULES = lazy("Rules and files")
SECTIONS = (THE_GAME, TABLE, LOOKING, ADVICE, GAMES, EVENING, RULES)
"""The sections of the help, each with at most eight commands."""


class Command(Struct, frozen=True):
    """One command. Rows of the table pass the first fields by position."""

    place: str  # module and function, below `generala_cli`
    summary: str
    examples: tuple[str, ...]  # these run as shown
    section: Message
    writes: bool = False  # takes `--dry-run`
    of_game: bool = False  # is about one game and takes `--game`
    runs_on: bool = False  # runs until it is stopped
    needs: Mapping[str, tuple[str, ...]] = {}  # an option, and the options of which it needs one
    excludes: tuple[tuple[str, ...], ...] = ()  # options and arguments that exclude each other
    commands: "Mapping[str, Command] | None" = None  # the commands of a group


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
        "Show the rules of a game.",
        _SHOW,
        RULES,
        of_game=True,
        excludes=(("NAME|FILE", "--game"),),
    ),
    "new": Command(
        "rulebook.commands:new", "Create your own rules from a rule set.", _NEW_RULES, RULES, writes=True
    ),
    "edit": Command("rulebook.commands:edit", "Edit your rules, then check them.", _EDIT, RULES, writes=True),
    "check": Command(
        "rulebook.commands:check_file", "Check a rule file and list every error.", _CHECK_FILE, RULES
    ),
    "path": Command("rulebook.commands:path", "Show where your rule files are stored.", _RULES_PATH, RULES),
}
PLAYERS_COMMANDS: Mapping[str, Command] = {
    "list": Command(
        "ledger.commands:list_", "List everyone who has played here.", ("generala players list",), EVENING
    ),
    "same": Command("ledger.commands:same", "Treat two names as one person.", _SAME, EVENING, writes=True),
    "apart": Command(
        "ledger.commands:apart", 'Undo "players same" for a name.', _APART, EVENING, writes=True
    ),
}
TOURNAMENT_COMMANDS: Mapping[str, Command] = {
    "new": Command("tournament.commands:new", "Start a tournament.", _NEW_TOURNAMENT, GAMES, writes=True),
    "seat": Command(
        "tournament.commands:seat",
        "Seat the next round and start a game at each table.",
        ("generala tournament seat",),
        GAMES,
        writes=True,
    ),
    "tables": Command(
        "tournament.commands:tables",
        "Show who sits where and how far each table is.",
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
        "Seat the top players for a final game.",
        ("generala tournament final 3", "generala tournament final 3 --carry"),
        GAMES,
        writes=True,
    ),
    "end": Command(
        "tournament.commands:end",
        "End a tournament early; the current standings count.",
        ("generala tournament end",),
        GAMES,
        writes=True,
    ),
    "add": Command(
        "tournament.commands:add",
        "Add a late or returning player.",
        ("generala tournament add Gus",),
        GAMES,
        writes=True,
    ),
    "drop": Command(
        "tournament.commands:drop",
        "Remove a player from later rounds.",
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
        "Move a player to a different seat.",
        ("generala tournament move Eva --table 2 --tournament Tuesdays", "generala tournament move Ana Beto"),
        GAMES,
        writes=True,
    ),
    "log": Command(
        "tournament.commands:log", "Show every event in order.", ("generala tournament log",), GAMES
    ),
    "undo": Command(
        "tournament.commands:undo",
        "Undo the last event, or the last N.",
        ("generala tournament undo", "generala tournament undo --event 1"),
        GAMES,
        writes=True,
        excludes=(("N", "--event"),),
    ),
    "redo": Command(
        "tournament.commands:redo",
        "Restore undone events.",
        ("generala tournament redo", "generala tournament redo --event 1"),
        GAMES,
        writes=True,
    ),
    "delete": Command(
        "tournament.commands:delete",
        "Delete a tournament permanently, but keep its games.",
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
        "Open an interactive scoresheet.",
        _PLAY,
        THE_GAME,
        of_game=True,
        runs_on=True,
        needs={"--to": ("--coach",), "-q": ()},
        excludes=(("--plain", "--coach"), ("--plain", "--to")),
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
        "Rename a player.",
        _RENAME,
        TABLE,
        writes=True,
        of_game=True,
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
    "board": Command(
        "cli.board:board",
        "Show the game live on phones and big screens.",
        _BOARD,
        LOOKING,
        of_game=True,
        runs_on=True,
        needs={"--yes": ("--qr",)},
        excludes=(("--tournament", "--game"), ("--tournament", "--tonight"), ("--tournament", "--odds")),
    ),
    "advise": Command(
        "advice.commands:advise",
        "Show the best choice for a hand.",
        _ADVISE,
        ADVICE,
        of_game=True,
        excludes=(("--rules", "--game"),),
    ),
    "odds": Command(
        "advice.commands:odds",
        "Show each player's chance of winning.",
        ("generala odds",),
        ADVICE,
        of_game=True,
        excludes=(("--rules", "--game"),),
    ),
    "review": Command(
        "advice.commands:review",
        "Review the luck and mistakes of a game.",
        _REVIEW,
        ADVICE,
        of_game=True,
        needs={"--yes": ("--svg",)},
    ),
    "train": Command(
        "training.commands:train",
        "Train on hands from past games.",
        _TRAIN,
        ADVICE,
        writes=True,
        needs={"-q": ("--json",)},
    ),
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
    ),
    "delete": Command(
        "games.commands:delete",
        "Delete a game permanently.",
        ("generala delete 1 --yes",),
        GAMES,
        writes=True,
        of_game=True,
    ),
    "export": Command(
        "exchange.commands:export",
        "Export games for other tools.",
        _EXPORT,
        GAMES,
        writes=True,
        of_game=True,
        needs=dict.fromkeys(("-q", "-n", "--yes"), ("--output",)),
        excludes=(("GAME", "--all", "--since"), ("GAME", "--with"), ("--all", "--with")),
    ),
    "import": Command(
        "exchange.commands:import_", "Import games from a different machine.", _IMPORT, GAMES, writes=True
    ),
    "sync": Command(
        "exchange.commands:sync", "Share games and payments through a folder.", _SYNC, GAMES, writes=True
    ),
    "tournament": Command(
        "tournament.commands:tournament",
        "Run a tournament with many tables.",
        ("generala tournament",),
        GAMES,
        commands=TOURNAMENT_COMMANDS,
    ),
    "ledger": Command(
        "ledger.commands:ledger",
        "Show who owes whom across games.",
        _LEDGER,
        EVENING,
        writes=True,
        needs=dict.fromkeys(("-q", "-n", "--yes"), ("--settle",)),
        excludes=(("--why", "--payments", "--settle"), ("--fewest", "--payments"), ("--fewest", "--why")),
    ),
    "pay": Command(
        "ledger.commands:pay",
        "Record a payment.",
        _PAY,
        EVENING,
        writes=True,
        excludes=(("--undo", "--unit"), ("--undo", "--note")),
    ),
    "players": Command(
        "ledger.commands:players",
        "List everyone who has played here.",
        ("generala players",),
        EVENING,
        commands=PLAYERS_COMMANDS,
    ),
    "league": Command(
        "tournament.league_commands:league",
        "Rank players over several nights.",
        _LEAGUE,
        EVENING,
        needs=dict.fromkeys(
            ("--best", "--by", "--points", "--head-start", "--since", "--until", "--format"), ("NAME",)
        ),
    ),
    "stats": Command(
        "statistics.commands:stats",
        "Show each player's statistics.",
        _STATS,
        EVENING,
        needs={"--yes": ("--svg",)},
        excludes=(("--dice", "--luck"), ("--dice", "--svg")),
    ),
    "records": Command(
        "statistics.commands:records", "Show the record scores.", ("generala records",), EVENING
    ),
    "versus": Command("statistics.commands:versus", "Compare players head to head.", _VERSUS, EVENING),
    "check": Command(
        "rulebook.commands:check",
        "Show what a hand scores in each category.",
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
        "Check every file and repair damage.",
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
"""`generala` without a command."""

BELOW: Mapping[str, Mapping[str, Command]] = {
    name: command.commands for name, command in COMMANDS.items() if command.commands is not None
}
"""The commands of each group."""


def command_words(table: Mapping[str, Command]) -> Mapping[str, Message]:
    """Return the words for each command of a table: its name and, in each catalogue, more words."""
    group = next((f"{name} " for name, below in BELOW.items() if below is table), "")
    return {name: words_for(f"the command {group}{name}", name) for name in table}
