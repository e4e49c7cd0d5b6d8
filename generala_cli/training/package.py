from generala_cli.messages import lazy
from generala_cli.packages import ADVICE, Command, FileKind, Package
from generala_cli.remedies import in_shell

_TRAIN = ("generala train Ana --count 5", "generala train --rules kniffel", "generala train Ana --json")
TRAINING = FileKind(
    name="training",
    format="training.trainingfile:TrainingFile",
    folder="training",
    shown=lazy("the training file"),
    listed=lazy("training"),
    lacking=lazy("part of the training"),
    none=lazy("there are no training answers yet"),
    begin=in_shell(lazy("start with generala train")),
    instead=lazy("continue with generala train"),
)
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
    kinds=(TRAINING,),
)
