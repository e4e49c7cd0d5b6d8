from collections.abc import Mapping, Sequence
from functools import cache

from msgspec import Struct

from generala_cli.app.programs import PROGRAM, words_of
from generala_cli.cli.commands import BELOW, COMMANDS, ROOT
from generala_cli.cli.first_word import command_with_prefix, line_at_table, read_line
from generala_cli.cli.turn_line import SHARED
from generala_cli.errors import NotAllowed
from generala_cli.messages import LEAVING, CommandLine, Message, lazy
from generala_cli.packages import Command
from generala_cli.play.input_line import SCRATCH
from generala_cli.play.keys import KEYS, Key
from generala_cli.play.open_game import OpenGame
from generala_cli.play.shell import Order
from generala_cli.play.turn_view import ADVISE
from generala_cli.render.language import spoken, translate, translated
from generala_cli.render.screen import Screen
from generala_cli.rules.notation import VERBS
from generala_cli.store.places import GAME_VARIABLE
from generala_cli.text import find_word

_IN_TERMINAL = lazy("type it in another terminal")
_SAYS: Mapping[str, Message] = {
    "--version": lazy("Show the version."),
    "-V": lazy("Show the version."),
    "--help": lazy("Explain a command or show the guide."),
    "-h": lazy("Explain a command or show the guide."),
}
"""Options that replace the effect of their command, and their own effects."""
_CHOOSING = ("new", "use")
"""Commands that make a different game current, so they must not be about this one."""
_MOVES = ("undo", "redo")
_FIRST_OPTIONS = {
    name: value for field, (names, _, value) in SHARED.items() if field != "dry_run" for name in names.split()
}
"""The options that may stand before a command, each with its value or None."""


class TurnText(Struct, frozen=True):
    text: str


class KeyLetter(Struct, frozen=True):
    key: Key


class MoveLine(Struct, frozen=True):
    is_undo: bool
    count: int = 1


class ShellLine(Struct, frozen=True):
    words: tuple[str, ...]

    @property
    def command(self) -> str:
        return self.words[0]

    @property
    def asks_first(self) -> bool:
        """Whether Enter does nothing yet but ask for a confirmation."""
        is_delete = self.command == "delete" or self.words[:2] == ("tournament", "delete")
        return is_delete and not self._agrees

    @property
    def asks_again(self) -> bool:
        """Whether a second Enter answers the question of the first one."""
        return self.command == "ledger" and "--settle" in self.words and not self._agrees

    @property
    def _agrees(self) -> bool:
        return any(word in self.words for word in ("--yes", "-y"))

    @property
    def promise(self) -> str:
        """What Enter does with the command, in the words of the help."""
        asked = next((says for word, says in _SAYS.items() if word in self.words), None)
        says = translate(self.row.summary) if asked is None else translated(asked)
        return translate("Enter will {effect:small}", effect=says.rstrip("."))

    @property
    def only_shows(self) -> bool:
        """Whether the line changes nothing; then its answer is no preview."""
        needed = self.row.needs.get("-n", ())
        asks = any(word in self.words for word in _SAYS)
        return asks or not self.row.writes or bool(needed and not any(word in self.words for word in needed))

    @property
    def row(self) -> Command:
        below = BELOW.get(self.command, {})
        return next(
            (below[word] for word in self.words[1:2] if word in below), COMMANDS.get(self.command, ROOT)
        )


TypedLine = TurnText | KeyLetter | MoveLine | ShellLine


def typed_line(text: str, game: int) -> TypedLine:
    """Return the meaning of a line about a game, as the shell reads it. An empty line is an empty turn.

    UsageError if it names no command, or several; NotAllowed if the command needs a shell of its own.
    """
    words = _options_last(_words(text, str(game)))
    if not (words and words[0]):
        return TurnText(text.strip())
    if words[0].startswith("-"):
        return ShellLine(tuple(words))
    has_options = any(word.startswith("-") for word in words)
    if not has_options and (words[0][0].isdecimal() or words[0].casefold() in (SCRATCH, ADVISE)):
        return TurnText(" ".join(words))
    letter = words[0].casefold()
    if len(words) == 1 and find_word(letter, {True: LEAVING}):
        return KeyLetter(_letters()["q"])
    if len(words) == 1 and VERBS.get(letter) in _MOVES:
        return MoveLine(VERBS[letter] == "undo")
    if len(words) == 1 and letter in _letters():
        return KeyLetter(_letters()[letter])
    command, *rest = read_line(words, str(game))
    if command == "score" and not has_options:
        is_article = bool(rest) and rest[0].casefold() == ADVISE  # `anotar a Beto 55533`
        return TurnText(" ".join(rest[1:] if is_article else rest))
    if command == "scratch" and not has_options:
        return TurnText(" ".join((SCRATCH, *rest)))
    if command == "advise" and rest and not has_options:
        return TurnText(" ".join((ADVISE, *rest)))
    if command in _MOVES and len(rest) <= 1 and all(word.isdecimal() for word in rest):
        return MoveLine(command == "undo", *map(int, rest))
    if not rest and command in _keys_by_command():
        return KeyLetter(_keys_by_command()[command])
    if (below := BELOW.get(command)) and rest and not rest[0].startswith("-"):
        rest = [*(command_with_prefix(rest, below) or rest)]
    line = ShellLine((command, *rest))
    if line.row.runs_on:
        needed = CommandLine(" ".join((PROGRAM, *line.words)))
        raise NotAllowed(lazy("{command} runs until you stop it", command=needed), _IN_TERMINAL)
    return line


def order(line: ShellLine, opened: OpenGame, screen: Screen, *, is_trial: bool = False) -> Order:
    """Return the order for a command about a game, which refuses if the game is not as shown."""
    game = str(opened.number)
    options = ["--language", spoken(), "--color", "always" if screen.color else "never"]
    variables = {"COLUMNS": str(screen.width)}
    if line.command == "rematch":
        options += ["--game", game]
    elif line.command not in _CHOOSING:
        variables[GAME_VARIABLE] = game
    seen = {} if line.command == "delete" else {game: opened.events}
    return Order(
        words=line.words,
        options=tuple(options),
        variables=variables,
        seen=seen,
        is_change=line.row.writes,
        is_trial=is_trial,
    )


def _words(text: str, game: str) -> Sequence[str]:
    try:
        words = words_of(text)
    except ValueError:  # a single quote, as in O'Brien
        words = text.split()
    return line_at_table(words, game)


def _options_last(words: Sequence[str]) -> Sequence[str]:
    """Return a line with the shared options before its command after it."""
    count = 0
    while count < len(words) and (value := _FIRST_OPTIONS.get(words[count], "none")) != "none":
        count += 1 if value is None else 2
    return [*words[count:], *words[:count]]


@cache
def _letters() -> Mapping[str, Key]:
    return {key.key: key for key in KEYS if len(key.key) == 1 and key.command is not None}


@cache
def _keys_by_command() -> Mapping[str, Key]:
    return {VERBS.get(name, name): key for key in KEYS for name in key.runs.split()}
