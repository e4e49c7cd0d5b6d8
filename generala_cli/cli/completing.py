"""What TAB offers: the files in completions/ ask `generala __complete WORD...` and get a candidate a line.

The candidates are raw text; each shell's file quotes them its own way. A person is waiting at the key, so
commands and options are a table here (a test compares it with the live commands), and a game or a rule
set is read only where a value of it is wanted. Whatever goes wrong, TAB just offers nothing.
"""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence

FLAG = ""
SHELLS = ("bash", "zsh", "fish", "powershell")
TOPICS = ("environment", "exit-codes")
COLORS = ("auto", "always", "never")
METHODS = ("difference", "pairwise", "pot", "low-pays")
UNITS = ("USD", "EUR", "ARS", "MXN", "drink", "beer", "point")

_READS = {"--json": FLAG, "-q": FLAG, "--quiet": FLAG, "--color": "color", "-h": FLAG, "--help": FLAG}
_WRITES = {**_READS, "-n": FLAG, "--dry-run": FLAG}
_REPEATED = ("--set", "--team", "--opening", "--filled")

OPTIONS: Mapping[str, Mapping[str, str]] = {
    "": {"--version": FLAG, **_READS},
    "new": {
        "--rules": "rules",
        "--set": "setting",
        "--team": "team",
        "--uneven": FLAG,
        "--partnership": FLAG,
        "--opening": "opening",
        "--stake": "anything",
        "--unit": "unit",
        "--payout": "method",
        "--name": "anything",
        **_WRITES,
    },
    "score": {"--roll": "roll", "--as": "category", "--player": "player", **_WRITES},
    "scratch": {"--roll": "roll", "--player": "player", **_WRITES},
    "undo": _WRITES,
    "redo": _WRITES,
    "amend": {"--roll": "amended roll", "--as": "amended category", "--scratch": FLAG, **_WRITES},
    "sheet": _READS,
    "standings": _READS,
    "payouts": {"--stake": "anything", "--unit": "unit", "--method": "method", **_READS},
    "log": {"--all": FLAG, **_READS},
    "advise": {
        "--roll": "advised roll",
        "--player": "player",
        "--rules": "rules",
        "--filled": "told category",
        "--spares": "anything",
        "--top": "anything",
        "--instant-value": "anything",
        **_READS,
    },
    "odds": _READS,
    "review": _READS,
    "games": _READS,
    "use": _WRITES,
    "rematch": {"--opening": "opening again", "--name": "anything", **_WRITES},
    "delete": {"--yes": FLAG, "-y": FLAG, **_WRITES},
    "check": {"--roll": "checked roll", "--rules": "rules", **_READS},
    "rules": _READS,
    "rules list": _READS,
    "rules show": {"--toml": FLAG, **_READS},
    "rules new": {"--from": "rules", "--edit": FLAG, **_WRITES},
    "rules edit": _WRITES,
    "rules check": _READS,
    "rules path": _READS,
    "doctor": {"--restore": "game", "--accept": "game", "--yes": FLAG, "-y": FLAG, **_WRITES},
    "help": _READS,
    "completion": _READS,
}
"""For each command its options, and what kind of value each takes."""

_ARGUMENTS: Mapping[str, Sequence[str]] = {
    "scratch": ("category",),
    "amend": ("turn",),
    **dict.fromkeys(
        ("sheet", "standings", "payouts", "log", "review", "use", "rematch", "delete"), ("game",)
    ),
    "rules show": ("rules",),
    "rules edit": ("own rules",),
    "rules check": ("rules",),
    "help": ("topic", "sub-command"),
    "completion": ("shell",),
}
"""For each command what its arguments are, in order; what is not here cannot be guessed."""


def candidates(words: Sequence[str]) -> list[str]:
    """What the last word may become: whole words, unquoted; none where nothing fits or anything fails.

    Args:
        words: what follows `generala`, up to and with the word at the cursor, which may be empty.
    """
    try:
        return [found for found in dict.fromkeys(_offered(Line(words or [""]))) if _is_showable(found)]
    except Exception:  # no game, a damaged file: a traceback in the middle of a prompt helps nobody
        return []


class Line:
    """The command line up to the cursor.

    Attributes:
        command: as `rules show`; "" until one is named. arguments: of it, those before the cursor.
        given: option and value, those before the cursor; a flag's value is "".
        option: the one whose value is being typed, or "". word: as far as it is typed.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.command, self.option, self.word = "", "", words[-1]
        self.arguments: list[str] = []
        self.given: list[tuple[str, str]] = []
        self.is_past_options = False
        for word in words[:-1]:
            self._read(word)
        option, equals, value = self.word.partition("=")
        self.joined = f"{option}=" if equals and self._takes_value(option) else ""
        if self.joined:  # --player=An
            self.option, self.word = option, value

    @property
    def options(self) -> Mapping[str, str]:
        """The options of the command."""
        return OPTIONS[self.command]

    def value(self, option: str) -> str | None:
        """The last value given to an option."""
        return next((value for name, value in reversed(self.given) if name == option), None)

    def _takes_value(self, option: str) -> bool:
        return not self.option and not self.is_past_options and self.options.get(option, FLAG) != FLAG

    def _read(self, word: str) -> None:
        if self.option:
            self.given.append((self.option, word))
            self.option = ""
        elif word == "--":
            self.is_past_options = True
        elif word.startswith("-") and word != "-" and not self.is_past_options:
            self._read_option(word)
        elif not self.arguments and f"{self.command} {word}".strip() in OPTIONS:
            self.command = f"{self.command} {word}".strip()
        else:
            self.arguments.append(word)

    def _read_option(self, word: str) -> None:
        name, equals, value = word.partition("=")
        if not equals and self._takes_value(name):
            self.option = name
        else:
            self.given.append((name, value))


def _offered(line: Line) -> Iterable[str]:
    if line.option:
        values = _values(line.options[line.option], line)
        return (line.joined + value for value in fitting(values, line.word))
    if line.word.startswith("-") and not line.is_past_options:
        used = {option for option, _ in line.given}.difference(_REPEATED)
        return fitting((option for option in line.options if option not in used), line.word)
    return fitting(_words(line), line.word)


def _words(line: Line) -> Iterable[str]:
    """The commands below the one named, or what its next argument may be."""
    if line.command in {"", "rules"}:
        return () if line.arguments else _below(line.command)
    kinds = _ARGUMENTS.get(line.command, ())
    place = len(line.arguments)
    return _values(kinds[place], line) if place < len(kinds) else ()


def _below(command: str) -> Iterable[str]:
    """The sub-commands of a command; of "" the commands themselves."""
    paths = (path.rpartition(" ") for path in OPTIONS if path)
    return [name for parent, _, name in paths if parent == command]


def fitting(found: Iterable[str], start: str) -> list[str]:
    """Those that begin with what was typed; if none does, case and accents do not matter.

    A shell puts what several have in common in place of what was typed: where that is less (`mar` fits
    Maria and MArta, which share an M), they are kept back until more is typed.
    """
    every = list(found)
    exact = [candidate for candidate in every if candidate.startswith(start)]
    if exact or not every:
        return exact
    from generala_cli.rules.names import plain

    wanted = plain(start)
    near = [candidate for candidate in every if wanted and plain(candidate).startswith(wanted)]
    shared = {candidate[: len(start)] for candidate in near}
    return near if len(near) == 1 or len(shared) == 1 else []


def _is_showable(text: str) -> bool:
    """Whether a shell can take it: on a line, with nothing that a terminal obeys, in its encoding."""
    if text.isascii() and text.isprintable():
        return bool(text)
    from generala_cli.rules.names import unprintable

    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return False
    return not unprintable(text)


def _values(kind: str, line: Line) -> Iterable[str]:
    if kind in _AT_HAND:
        return _AT_HAND[kind](line)
    from generala_cli.cli.completing_values import LOOKED_UP

    return LOOKED_UP[kind](line)


def _teams(line: Line) -> Iterable[str]:
    """Pairs of the players who are on no side yet; after `A+B+` one more."""
    seated = {name for option, side in line.given if option == "--team" for name in side.split("+")}
    head, plus, _ = line.word.rpartition("+")
    free = [name for name in line.arguments if name not in seated.union(head.split("+"))]
    if plus:
        return (f"{head}+{name}" for name in free)
    return (f"{one}+{other}" for place, one in enumerate(free) for other in free[place + 1 :])


_AT_HAND: Mapping[str, Callable[[Line], Iterable[str]]] = {
    "anything": lambda _: (),
    "opening": lambda line: (f"{name}=" for name in line.arguments),
    "team": _teams,
    "unit": lambda _: UNITS,
    "method": lambda _: METHODS,
    "color": lambda _: COLORS,
    "shell": lambda _: SHELLS,
    "topic": lambda _: (*_below(""), *TOPICS),
    "sub-command": lambda line: _below(line.arguments[0]),
}
"""The values that are known without reading anything."""
