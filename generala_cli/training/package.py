"""What `training` adds to the program: its commands and the rest of its entry."""

from generala_cli.packages import ADVICE, Command, Package

_TRAIN = ("generala train Ana --count 5", "generala train --rules kniffel", "generala train Ana --json")
PACKAGE = Package(
    commands={
        "train": Command(
            "training.commands:train",
            "Train on hands from past games.",
            _TRAIN,
            ADVICE,
            writes=True,
            needs={"-q": ("--json",)},
        ),
    },
    needs=("advice",),
    files={"training-file": "store.trainingfile:TrainingFile"},
)
