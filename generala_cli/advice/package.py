from generala_cli.packages import ADVICE, Command, Package

_ADVISE = (
    "generala advise 4 4 1 2 6 --roll 1",
    "generala advise 44126 --roll 2 --rules general --filled ones=3,straight=0",
)
_REVIEW = ("generala review", "generala review 1 --json")
PACKAGE = Package(
    commands={
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
    },
    needs=("odds",),
    chapters={"advice": "files"},
)
