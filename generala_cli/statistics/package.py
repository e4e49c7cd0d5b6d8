from generala_cli.packages import EVENING, Command, Package

_STATS = (
    "generala stats",
    "generala stats Ana --since 2026-01-01",
    "generala stats --rules general",
    "generala stats --dice --since tonight",
)
_VERSUS = ("generala versus Ana Beto",)
PACKAGE = Package(
    commands={
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
    },
    uses=("advice",),
    chapters={"statistics": "files"},
)
