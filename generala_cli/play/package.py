from generala_cli.packages import THE_GAME, Command, Package

_PLAY = ("generala play", "generala play 1", "generala play --coach")
PACKAGE = Package(
    commands={
        "play": Command(
            "play.commands:play",
            "Open an interactive scoresheet.",
            _PLAY,
            THE_GAME,
            of_game=True,
            runs_on=True,
            needs={"--to": ("--coach",), "-q": ()},
            excludes=(("--plain", "--coach"), ("--plain", "--to")),
            before="score",
        ),
    },
    chapters={"screen": "rules"},
    uses=("doctor", "ledger"),
)
