from itertools import product

from generala_cli.packages import GAMES, Command, Package

_IMPORT = ("generala export --all --format generala | generala import -",)
_EXPORT = ("generala export 1 --format markdown", "generala export --all -o games.csv --yes")
_SYNC = ("generala sync ~/shared --as laptop",)
PACKAGE = Package(
    commands={
        "export": Command(
            "exchange.commands:export",
            "Export games for other tools.",
            _EXPORT,
            GAMES,
            writes=True,
            of_game=True,
            needs=dict.fromkeys(("-q", "-n", "--yes"), ("--output",)),
            excludes=(("GAME", "--all"), *product(("GAME", "--all"), ("--since", "--until", "--with"))),
            before="tournament",
        ),
        "import": Command(
            "exchange.commands:import_",
            "Import games from a different machine.",
            _IMPORT,
            GAMES,
            writes=True,
            before="tournament",
        ),
        "sync": Command(
            "exchange.commands:sync",
            "Share games and payments through a folder.",
            _SYNC,
            GAMES,
            writes=True,
            before="tournament",
        ),
    },
    uses=("ledger", "tournament"),
    chapters={"data": "files", "machines": "files"},
)
