from collections.abc import Callable, Sequence

from msgspec.structs import replace

from generala_cli.errors import GeneralaError, UsageError
from generala_cli.game import decisions
from generala_cli.game.decisions import Option, Undecided
from generala_cli.messages import lazy, lazy_count
from generala_cli.play import coaching
from generala_cli.play.coaching import Coach, CoachedLine
from generala_cli.play.open_game import OpenGame
from generala_cli.play.turn_view import TurnView, read

SCRATCH = "x"
"""The first letter of a line that scratches a box."""
LONGEST_LINE = 100
_MOST_EARLIER = 50
"""How many earlier lines can be brought back."""
_MOST_WORDS = 16
"""No turn has this many words, and every word makes a line slower to read."""


class InputLine:
    """The line that is being typed. `behind` characters are after the cursor.

    `started_at` is the number of the game's events when the line was started.
    """

    def __init__(self, opened: OpenGame, coach: Coach, as_turn: Callable[[str], str] = str) -> None:
        """Args: `as_turn` returns the turn in a line, without a verb such as `score`."""
        self.text = ""
        self.behind = 0
        self.started_at: int | None = None
        self._opened = opened
        self._coach = coach
        self._as_turn = as_turn
        self._chosen: tuple[str, bool] | None = None
        self._earlier: list[str] = []
        self._recalled = 0
        self._refused: GeneralaError | None = None
        self._read = self._empty = read("", opened.game)

    @property
    def view(self) -> TurnView:
        found = self.view_of(self._as_turn(self.text))
        if found.text != self.text:
            found = replace(found, text=self.text)
        chosen = next((option for option in found.options if option.key == self._chosen), None)
        return found if chosen is None else found.choosing(chosen)

    def view_of(self, turn: str) -> TurnView:
        """Return a line as understood; it is parsed again only if it, the game or the coach changed."""
        game, is_coached = self._opened.game, self._coach.is_on
        if not self._read.is_of(turn, game, is_coached=is_coached):
            self._read = read(turn, game, is_coached=is_coached)
        return self._read

    @property
    def empty_view(self) -> TurnView:
        """The view of an empty line, with the typed text, for a line that is no turn."""
        game, is_coached = self._opened.game, self._coach.is_on
        if not self._empty.is_of("", game, is_coached=is_coached):
            self._empty = read("", game, is_coached=is_coached)
        return replace(self._empty, text=self.text)

    @property
    def ends_with_hand(self) -> bool:
        view = self.view
        return (
            view.coached is None
            and not self.is_refused
            and view.turn.has_hand
            and self.text[-1:].isdecimal()
            and not view.parts.after
        )

    def refuse(self, error: GeneralaError) -> None:
        """Keep the line that Enter refused until something else is typed; an edit keeps it for good."""
        self._refused = error if self.text else None

    @property
    def is_refused(self) -> bool:
        return self._refused is not None

    def _begins_anew(self, key: str) -> bool:
        """Return whether a character after a refused line starts the next one.

        A blank goes on with the line. So does a letter that names the box for a hand, but never a scratch.
        """
        if self._refused is None or key == " ":
            return False
        asks_for_box = isinstance(self._refused, Undecided) and not self.view.turn.is_scratch
        return not (asks_for_box and key.isalpha())

    def press(self, key: str) -> None:
        if self._begins_anew(key):
            self.clear()
        elif self.is_refused and not self._coach.is_on:
            self._set(f"{self.text.rstrip()} ")
            self.behind = 0
        if not self.text:
            self.started_at = self._opened.events
        if self.behind:
            _check_room(self.text)
            self._set(self.text[: self.cursor] + key + self.text[self.cursor :])
        else:
            self._read = press(self.view, key)
            self._set(self._read.text)

    def _set(self, text: str) -> None:
        self.text, self._chosen, self._refused = text, None, None

    @property
    def cursor(self) -> int:
        return max(0, len(self.text) - self.behind)

    def move_cursor(self, by: int) -> None:
        self.behind = max(0, min(len(self.text), self.behind - by))
        self._refused = None

    def erase(self, count: int) -> None:
        """Remove characters before the cursor or, if the count is negative, after it."""
        cursor = self.cursor
        start, end = sorted((max(0, cursor - count), cursor))
        self._set(self.text[:start] + self.text[end:])
        self.behind = len(self.text) - start

    def erase_word(self) -> None:
        kept = self.text[: self.cursor].rstrip().rpartition(" ")
        self.erase(self.cursor - len(kept[0] + kept[1]))

    def recall(self) -> None:
        if not self._earlier:
            raise UsageError("there is no earlier line", "type dice, a box or a word")
        self._recalled = max(0, self._recalled - 1)
        self._set(self._earlier[self._recalled])
        self.behind, self.started_at = 0, self._opened.events

    @property
    def _is_recalled(self) -> bool:
        return self._earlier[self._recalled : self._recalled + 1] == [self.text]

    def paste(self, text: str) -> None:
        line = text.strip().partition("\n")[0]
        if self._begins_anew(line[:1]):
            self.clear()
        room = LONGEST_LINE - len(self.text)
        for character in line[:room]:
            self.press(character)
        if len(line) > room:
            raise UsageError("a line can have {count} characters", "the rest was dropped", count=LONGEST_LINE)

    def backspace(self) -> None:
        if self._coach.is_on and not self.behind:
            self._set(coaching.after_backspace(self.text))
        else:
            self.erase(1)

    def clear(self) -> None:
        if self.text.strip():
            self._earlier = [*self._earlier[1 - _MOST_EARLIER :], self.text]
        self._recalled, self.behind = len(self._earlier), 0
        self._set("")

    def forget_choice(self) -> None:
        self._chosen = None

    def tap_die(self, place: int) -> None:
        self._set(coaching.tap_die(self._coached(), place))

    def throw_others(self) -> None:
        self._set(coaching.throw_others(self._coached()))

    def _coached(self) -> CoachedLine:
        coached = self.view.coached
        assert coached is not None, "dice are kept only where the coach is on"
        return coached

    def move(self, by: int) -> None:
        """Mark the next or previous box that pays, or any if none does; on an empty line, `recall`."""
        was_refused, self._refused = self.is_refused, None
        if by < 0 and not self.view.names_a_turn and (was_refused or not self.text or self._is_recalled):
            if not was_refused:
                self.recall()
            return
        options, marked = self._choice(), self.view.marked
        outside = -1 if by > 0 else len(options)
        index = outside if marked is None else options.index(marked)
        ahead = options[index + 1 :] if by > 0 else options[:index][::-1]
        pays = any(not option.scratched for option in options)
        found = next((option for option in ahead if not (pays and option.scratched)), None)
        if found is None:
            raise UsageError("there is no other box in that direction")
        self._chosen = found.key

    def choose(self, category: str) -> None:
        found = next((option for option in self._choice() if option.category.id == category), None)
        if found is None:
            raise UsageError(
                lazy("{category} cannot be chosen here", category=self.view.game.rules.category(category)),
                "tap an open box",
            )
        self._chosen, self._refused = found.key, None

    def is_marked(self, category: str) -> bool:
        marked = self.view.marked
        return marked is not None and marked.category.id == category

    def _choice(self) -> Sequence[Option]:
        view = self.view
        if view.game.is_over:
            raise decisions.game_over_error()
        if not view.names_a_turn:
            hint = lazy_count("type {count} die", "type {count} dice", view.game.rules.dice)
            raise UsageError("there is nothing to choose yet", hint)
        return view.options


def press(view: TurnView, key: str) -> TurnView:
    """Return the line after one more character. With the coach on, it may mark dice or throws."""
    return read(_line_after(view, key), view.game, is_coached=view.is_coached)


def _line_after(view: TurnView, key: str) -> str:
    text = view.text
    if view.coached is not None:
        marked = coaching.press(view.coached, text, key)
        if marked is not None:
            return marked
    _check_room(text)
    if key == " " and (not text or text.endswith(" ")):
        return text
    return text + key


def _check_room(text: str) -> None:
    if len(text) >= LONGEST_LINE or len(text.split()) > _MOST_WORDS:
        raise UsageError("the line is full", "Esc clears it")
