from collections.abc import Mapping

from generala_cli.packages import RULES, Command, Package

_CHECK = ("generala check 5 5 5 3 3 --roll 1 --rules general",)
_RULES = ("generala rules", "generala rules show general")
_SHOW = ("generala rules show general", "generala rules show --game 1")
_NEW_RULES = ("generala rules new casa --from general",)
_EDIT = ("EDITOR=true generala rules edit casa",)
_CHECK_FILE = ("generala rules check casa",)
_RULES_PATH = ("generala rules path",)
_RULES_COMMANDS: Mapping[str, Command] = {
    "list": Command("rulebook.commands:list_", "List the rule sets.", ("generala rules list",), RULES),
    "show": Command(
        "rulebook.commands:show",
        "Show the rules of a game.",
        _SHOW,
        RULES,
        of_game=True,
        excludes=(("NAME|FILE", "--game"),),
    ),
    "new": Command(
        "rulebook.commands:new", "Create your own rules from a rule set.", _NEW_RULES, RULES, writes=True
    ),
    "edit": Command(
        "rulebook.commands:edit", "Edit your rules and check them.", _EDIT, RULES, writes=True, runs_on=True
    ),
    "check": Command(
        "rulebook.commands:check_file", "Check a rule file and list every error.", _CHECK_FILE, RULES
    ),
    "path": Command("rulebook.commands:path", "Show where your rule files are stored.", _RULES_PATH, RULES),
}
PACKAGE = Package(
    commands={
        "check": Command(
            "rulebook.commands:check",
            "Show what a hand scores in each category.",
            _CHECK,
            RULES,
            of_game=True,
            excludes=(("--rules", "--game"),),
            before="help",
        ),
        "rules": Command(
            "rulebook.commands:rules",
            "Show, copy and check rule sets.",
            _RULES,
            RULES,
            commands=_RULES_COMMANDS,
            before="help",
            takes_rules="show",
        ),
    },
)
