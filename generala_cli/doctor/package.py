from generala_cli.packages import RULES, Command, Package

PACKAGE = Package(
    commands={
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
            before="help",
        ),
    },
)
