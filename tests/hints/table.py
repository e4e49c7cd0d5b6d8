"""A game to type lines in: the answers of shell, dialogue and screen, and the game afterwards."""

import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from generala_cli.app.programs import words_of
from generala_cli.errors import GeneralaError
from generala_cli.game.game import Game
from generala_cli.game.money import METHODS
from generala_cli.messages import LANGUAGES
from generala_cli.play.dialogue import _follow as follow
from generala_cli.play.table import Table as ScreenTable
from generala_cli.play.typed_line import KeyLetter, MoveLine, ShellLine, TurnText
from generala_cli.render.hints import SCREEN, full_message
from generala_cli.render.language import speaking, translated
from generala_cli.rules.catalog import built_in_names
from generala_cli.store.folder import Folder
from generala_cli.store.store import Store
from tests.cli.in_process import run_in_process
from tests.cli.program import surroundings
from tests.play.piloted import PLAIN

_REGIONS = {"en": "en_US.UTF-8", "es": "es_AR.UTF-8", "de": "de_DE.UTF-8", "pt": "pt_BR.UTF-8"}
_RULES = {
    "en": "yahtzee --stake 1 --unit USD",
    "es": "generala --stake 1 --unit ARS",
    "de": "kniffel --stake 1 --unit EUR",
    "pt": "general --stake 1 --unit BRL",
}
_TURNS = (
    *("66655 --as full-house", "end", "new Ana Beto Dora --rules {rules}", "66611 --as full-house"),
    *("44441 --as four-of-a-kind", "11123 --as ones", "66621 sixes", "55543 --as fives", "undo"),
)
"""A finished game, in which Beto owes Ana, and one in which Beto is to move."""
_CURRENT = 2
_UNITS = ("ARS", "EUR", "USD", "csv")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer of a surface to a line. It is refused if `code` is not 0."""

    code: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Everything that a line may change."""

    games: tuple[int, ...]
    game: Game | None


class TypedAt:
    """A game in a language, restored after every line."""

    def __init__(self, folder: Path, language: str) -> None:
        self.language = language
        self._pristine, self._home = folder / "pristine", folder / "home"
        for line in ("new Ana Beto --rules {rules}", *_TURNS):
            words = line.format(rules=_RULES[language]).split()
            code, _, error = run_in_process(words, surroundings(self._pristine, {}))
            assert code == 0, (line, error)

    @property
    def vocabulary(self) -> frozenset[str]:
        """The words that may follow a command in a hint: boxes, players, rule sets, methods and units."""
        game = self.before.game
        assert game is not None
        boxes = {str(name) for box in game.rules.categories for name in (box.typed, *box.answers_to)}
        with speaking(self.language):
            boxes |= {LANGUAGES.typed.text_of(box.typed) for box in game.rules.categories}
        return frozenset({*boxes, *game.seats, *METHODS, *built_in_names(), *_UNITS})

    def type(self, surface: str, line: str) -> tuple[Answer, State]:
        """Type a line, and return the answer and the state that it left."""
        self.restore()
        say: Callable[[str], Answer] = getattr(self, surface)
        with patch.dict(os.environ, self.environment, clear=True), speaking(self.language):
            return say(line), self.state()

    def state(self) -> State:
        store = self.store
        numbers = tuple(store.numbers())
        return State(games=numbers, game=store.open(str(_CURRENT)).game if _CURRENT in numbers else None)

    @property
    def before(self) -> State:
        self.restore()
        return self.state()

    def restore(self) -> None:
        shutil.rmtree(self._home, ignore_errors=True)
        shutil.copytree(self._pristine, self._home)

    def shell(self, line: str) -> Answer:
        words = words_of_line(line)
        return self._run(words[1:] if words[:1] == ["generala"] else words)

    def dialogue(self, line: str) -> Answer:
        answers: list[Answer] = []

        def run(words: Sequence[str]) -> int:
            answers.append(self._run(words))
            return answers[-1].code

        follow(line, run)
        return answers[-1] if answers else Answer(code=0, text="")

    def screen(self, line: str) -> Answer:
        table = ScreenTable(self.store, PLAIN, None)
        try:
            for character in line:
                table.line.press(character)
            match table.typed:
                case TurnText() if table.view.asks_for_advice:
                    pass
                case TurnText():
                    table.enter()
                case MoveLine() as move:
                    table.move(move)
                case ShellLine(words=words):
                    return self._run(words)
                case KeyLetter():
                    pass  # opens a panel or a form
        except GeneralaError as error:
            return Answer(code=error.exit_code, text=translated(full_message(error, SCREEN)))
        return Answer(code=0, text=table.message.text)

    def _run(self, words: Sequence[str]) -> Answer:
        code, out, err = run_in_process([*words], self.environment)
        return Answer(code=code, text=(err if code else out).decode())

    @property
    def environment(self) -> dict[str, str]:
        region = {"GENERALA_LANGUAGE": self.language, "LC_ALL": _REGIONS[self.language]}
        return surroundings(self._home, region)

    @property
    def store(self) -> Store:
        return Store(folder=Folder(self._home / "data"))


def words_of_line(line: str) -> list[str]:
    try:
        return words_of(line)
    except ValueError:
        return line.split()
