"""Hints as data: the action to take instead of a refused one, as a code with values.

A shell names a command, the screen a key, a phone a button: `render/hints.py` has the words. A hint that is
the same everywhere is a plain message.
"""

from typing import Literal

from generala_cli.messages import Message

RemedyCode = Literal[
    "did-you-mean",  # names: one of them may have been meant
    "in-shell",  # how: a hint that only applies to a shell
    "take-name",  # a word looks like something else; meant: a hint at that, otherwise: to use it as a name
    "undo-or-rematch",  # the game is over
    "look-back",  # review the game
    "bring-back",  # player: someone who left
    "choose-scratch",  # hand: the dice as typed, categories: the boxes that may be scratched
    "choose-box",  # categories
    "score-box",  # box, score: the line to type
    "scratch-box",  # box, scratch: the line to type
    "score-or-scratch-box",  # box, score and scratch: the lines to type
    "score-other-or-scratch-box",  # others: the boxes to score in, box, scratch: the line to type
    "name-scratched",  # name the box to scratch
    "correct-box",  # categories: where the corrected hand may go, with points
    "correct-to-scratch",  # no box is left for the corrected hand
    "later-throw",  # throws: the later ones; the corrected hand wins on the first
    "name-throw",  # throws: the possible ones
    "give-earlier-throws",  # every throw before the last
    "which-throw",  # first, second: lines for the first throw, and for the second
    "give-throw",  # example: a throw with the kept dice
    "say-which",  # of two things
    "give-openings",  # player and example: an opening throw, which every player needs
    "throw-again",  # first: one of the tied players, who need a second throw
    "openings-without-sides",  # the opening throws decide the sides
    "name-sides",
    "name-side",  # names: the players of one side, as typed
    "allow-uneven",  # sides of different sizes
    "leave-one-out",  # name: one of two names of the same person
    "say-who-is-back",  # of the players who left
    "key-and-value",  # example: a key with a value, option: the option before it in a shell
    "name-unit",  # unit: an example
    "pay-anyway",  # unit: one with a debt
    "collect-first",  # tournament: the option that names it; not everyone paid into its pot
    "start-game",
    "start-game-or-ask-in-none",  # name a rule set to ask about
    "choose-game",
    "choose-version",  # number: of a game with several versions
    "seat-round",  # tournament: the option that names it if the command would otherwise use a different one
    "seat-final",  # tournament, count: the number of players
    "take-event-back",  # tournament, event: its number
    "add-again",  # tournament, player: someone who dropped out of the tournament
]


class Remedy:
    """Something to do instead of a refused action; the comment at each code names its `values`."""

    __match_args__ = __slots__ = ("code", "values")

    def __init__(self, code: RemedyCode, /, **values: object) -> None:
        self.code = code
        self.values = values

    def __str__(self) -> str:
        return f"{self.code}({', '.join(map(str, self.values.values()))})"


def in_shell(how: Message) -> Remedy:
    """Return a hint that only applies to a shell."""
    return Remedy("in-shell", how=how)
