from generala_cli.packages import LOOKING, Command, Package

_BOARD = (
    "generala board",
    "generala board --lan --pad",
    "generala board 1 --json",
    "generala board --tournament Copa",
)
PACKAGE = Package(
    commands={
        "board": Command(
            "board.commands:board",
            "Show the game live on phones and big screens.",
            _BOARD,
            LOOKING,
            of_game=True,
            runs_on=True,
            needs={"--yes": ("--qr",)},
            excludes=(("--tournament", "--game"), ("--tournament", "--tonight"), ("--tournament", "--odds")),
        ),
    },
    chapters={"board": "rules"},
    uses=("doctor", "ledger", "statistics", "tournament"),
)
