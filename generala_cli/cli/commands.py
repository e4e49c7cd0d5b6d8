"""Every command: where it is, and what help says of it in a line. Reading this imports nothing."""

from collections.abc import Mapping

from generala_cli.facts import Fact

THE_GAME = "The game"
GAMES = "Games"
RULES = "Rules"
MORE = "More"
"""Named in a line below the others, which are few enough to be taken in at a glance: fourteen."""


class Command(Fact):
    """One command.

    Attributes:
        place: module and function, under `generala_cli.cli`. section: of the help, MORE being a line.
        summary: what it does. examples: lines that run as they stand.
        writes: whether it can change something, and so takes `--dry-run`.
    """

    place: str
    section: str
    summary: str
    examples: tuple[str, ...]
    writes: bool = False


COMMANDS: Mapping[str, Command] = {
    "new": Command(
        place="games:new",
        section=THE_GAME,
        summary="Start a game and make it current.",
        examples=(
            "generala new Ana Beto Cora --rules general --stake 0.01 --unit USD",
            "generala new Ana Beto --set double-generala=yes --set bonus=10",
            "generala new Ana Beto Cora Dani --team Ana+Cora --team Beto+Dani",
        ),
        writes=True,
    ),
    "score": Command(
        place="play:score",
        section=THE_GAME,
        summary="Write a hand on the sheet.",
        examples=("generala score 5 5 5 3 3 --roll 1", "generala score 44442 --as poker"),
        writes=True,
    ),
    "scratch": Command(
        place="play:scratch",
        section=THE_GAME,
        summary="Give a category up for 0.",
        examples=("generala scratch ones", "generala scratch generala 1 1 2 3 6"),
        writes=True,
    ),
    "undo": Command(
        place="play:undo",
        section=THE_GAME,
        summary="Take the last entries back.",
        examples=("generala undo", "generala undo 2"),
        writes=True,
    ),
    "redo": Command(
        place="play:redo",
        section=THE_GAME,
        summary="Put back what was undone.",
        examples=("generala redo",),
        writes=True,
    ),
    "amend": Command(
        place="play:amend",
        section=THE_GAME,
        summary="Correct an earlier entry.",
        examples=("generala amend 1 5 5 5 3 2 --as fives", "generala amend 1 --roll 2"),
        writes=True,
    ),
    "sheet": Command(
        place="look:sheet",
        section=THE_GAME,
        summary="Show the scoresheet.",
        examples=("generala sheet", "generala sheet 1 --json"),
    ),
    "standings": Command(
        place="look:standings",
        section=THE_GAME,
        summary="Show places and margins.",
        examples=("generala standings",),
    ),
    "payouts": Command(
        place="look:payouts",
        section=THE_GAME,
        summary="Show who owes whom.",
        examples=("generala payouts", "generala payouts --stake 1 --unit drink --method low-pays"),
    ),
    "log": Command(
        place="look:log",
        section=THE_GAME,
        summary="Show every entry in order.",
        examples=("generala log", "generala log --all"),
    ),
    "advise": Command(
        place="odds:advise",
        section=THE_GAME,
        summary="Tell the best thing to do with a hand.",
        examples=(
            "generala advise 4 4 1 2 6 --roll 1",
            "generala advise 44126 --roll 2 --rules general --filled ones=3,straight=0",
        ),
    ),
    "odds": Command(
        place="odds:odds",
        section=MORE,
        summary="Tell everyone's chance to win.",
        examples=("generala odds",),
    ),
    "review": Command(
        place="odds:review",
        section=MORE,
        summary="Look back on luck and mistakes.",
        examples=("generala review", "generala review 1 --json"),
    ),
    "games": Command(
        place="games:games",
        section=GAMES,
        summary="List all games.",
        examples=("generala games",),
    ),
    "use": Command(
        place="games:use",
        section=MORE,
        summary="Make another game the current one.",
        examples=("generala use 1",),
        writes=True,
    ),
    "rematch": Command(
        place="games:rematch",
        section=GAMES,
        summary="Same players, rules and stakes again.",
        examples=("generala rematch", "generala rematch --name revenge"),
        writes=True,
    ),
    "delete": Command(
        place="games:delete",
        section=MORE,
        summary="Delete a game for ever.",
        examples=("generala delete 1 --yes",),
        writes=True,
    ),
    "check": Command(
        place="rulebook:check",
        section=MORE,
        summary="Tell what a hand is worth, in no game.",
        examples=("generala check 5 5 5 3 3 --roll 1 --rules general",),
    ),
    "rules": Command(
        place="rulebook:rules",
        section=RULES,
        summary="Show, copy and check rule sets.",
        examples=("generala rules", "generala rules show general"),
    ),
    "doctor": Command(
        place="doctor:doctor",
        section=MORE,
        summary="Tell the state of every file, and put one right.",
        examples=("generala doctor",),
        writes=True,
    ),
    "help": Command(
        place="helping:help_",
        section=MORE,
        summary="Explain a command or a topic.",
        examples=("generala help score", "generala help environment", "generala help exit-codes"),
    ),
    "completion": Command(
        place="helping:completion",
        section=MORE,
        summary="Print the completion file for a shell.",
        examples=("generala completion bash",),
    ),
}

RULES_COMMANDS: Mapping[str, Command] = {
    "list": Command(
        place="rulebook:list_",
        section=RULES,
        summary="List the rule sets.",
        examples=("generala rules list",),
    ),
    "show": Command(
        place="rulebook:show",
        section=RULES,
        summary="Tell how a game is played.",
        examples=("generala rules show general",),
    ),
    "new": Command(
        place="rulebook:new",
        section=RULES,
        summary="Write rules of your own, to edit.",
        examples=("generala rules new casa --from general",),
        writes=True,
    ),
    "edit": Command(
        place="rulebook:edit",
        section=RULES,
        summary="Open your rules in an editor, and check them.",
        examples=("EDITOR=true generala rules edit casa",),
        writes=True,
    ),
    "check": Command(
        place="rulebook:check_file",
        section=RULES,
        summary="Report all that is wrong with a file.",
        examples=("generala rules check casa",),
    ),
    "path": Command(
        place="rulebook:path",
        section=RULES,
        summary="Tell where your rules are kept.",
        examples=("generala rules path",),
    ),
}
