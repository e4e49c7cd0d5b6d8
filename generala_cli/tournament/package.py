from collections.abc import Mapping

from generala_cli.messages import lazy
from generala_cli.packages import EVENING, GAMES, Command, FileKind, Package, is_folder
from generala_cli.remedies import in_shell

_NEW_TOURNAMENT = (
    "generala tournament new Copa Ana Beto Cora Dani Eva Fito --rounds 3 --tables-of 3",
    "generala tournament new Copa Ana Beto Cora Dani --rules general --points 4,2,1,0 --seating standings",
)
_LEAGUE = ("generala league", "generala league Tuesdays --best 5", "generala league Tuesdays --head-start")
_TOURNAMENT_COMMANDS: Mapping[str, Command] = {
    "new": Command(
        "tournament.commands:new",
        "Start a tournament.",
        _NEW_TOURNAMENT,
        GAMES,
        writes=True,
        excludes=(("--odd-table", "--byes"),),
    ),
    "seat": Command(
        "tournament.commands:seat",
        "Seat the next round and start a game at each table.",
        ("generala tournament seat", "generala tournament seat --again"),
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
    "paid": Command(
        "ledger.commands:paid",
        "Record that players paid their entry fee.",
        ("generala tournament paid Ana Beto",),
        EVENING,
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
TOURNAMENT = FileKind(
    name="tournament",
    format="tournament.tournamentfile:TournamentFile",
    folder="tournaments",
    numbered=True,
    shown=lazy("tournament {number}", context="file"),
    listed=lazy("tournament {number}"),
    lacking=lazy("part of tournament {name}"),
    none=lazy("there is no tournament {reference!r}"),
    begin=in_shell(lazy("generala tournament list lists them")),
    instead=lazy("to undo events, type generala tournament undo"),
)
PACKAGE = Package(
    commands={
        "tournament": Command(
            "tournament.commands:tournament",
            "Run a tournament with many tables.",
            ("generala tournament",),
            GAMES,
            commands={
                name: command
                for name, command in _TOURNAMENT_COMMANDS.items()
                if is_folder(command.place.partition(".")[0])
            },
        ),
        "league": Command(
            "tournament.league_commands:league",
            "Rank players over several nights.",
            _LEAGUE,
            EVENING,
            needs=dict.fromkeys(
                ("--best", "--by", "--points", "--head-start", "--since", "--until", "--format", "--excel"),
                ("NAME",),
            ),
        ),
    },
    chapters={"tournament": "files", "season": "files"},
    kinds=(TOURNAMENT,),
    hooks={
        "find_table": "tournament.storing:find_table",
        "after_merge": "tournament.storing:settle_all_moves",
        "tournaments_with_fee": "tournament.entry_fees:tournaments_with_fee",
        "uncounted_error": "tournament.storing:uncounted_error",
        "uncounted_games": "tournament.storing:uncounted_games",
    },
)
