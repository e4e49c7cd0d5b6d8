"""What the output can show: how wide, in colour or not, and which marks."""

import os
import shutil
from collections.abc import Mapping
from typing import Literal, TextIO

from generala_cli.facts import Fact

ColorChoice = Literal["auto", "always", "never"]
COLOR_CHOICES: tuple[ColorChoice, ...] = ("auto", "always", "never")
UNCUT = 100_000
"""The width of what is not a terminal: nothing is shortened there."""


class Marks(Fact):
    """The signs on a sheet. Each says by its shape what colour may repeat."""

    scratched: str
    served: str
    open: str
    turn: str
    ellipsis: str
    across: str
    down: str
    cross: str
    minus: str
    dash: str


PAPER = Marks(
    scratched="✗",
    served="*",
    open="·",
    turn="▸",
    ellipsis="…",
    across="─",
    down="│",
    cross="┼",
    minus="−",
    dash="·",
)
TYPEWRITER = Marks(
    scratched="x",
    served="*",
    open=".",
    turn=">",
    ellipsis="~",
    across="-",
    down="|",
    cross="+",
    minus="-",
    dash="-",
)
"""For a terminal that can only show ASCII."""


_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "bold reverse": "1;7"}
"""What a terminal is told for each."""


class Screen(Fact):
    """Where an answer will be shown."""

    width: int
    color: bool
    marks: Marks

    def styled(self, text: str, style: str) -> str:
        """Text in one of the styles, where there is colour."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if style and text and self.color else text

    def strong(self, text: str) -> str:
        """Text that stands out, where there is colour."""
        return self.styled(text, "bold")

    def faint(self, text: str) -> str:
        """Text that stays behind, where there is colour."""
        return self.styled(text, "dim")


def screen_of(stream: TextIO, choice: ColorChoice, environment: Mapping[str, str] = os.environ) -> Screen:
    """The screen behind a stream, by the flag, the environment and what it is."""
    is_terminal = stream.isatty()
    color, _ = color_and_origin(choice, environment, is_terminal=is_terminal)
    return Screen(
        width=shutil.get_terminal_size().columns if is_terminal else UNCUT,
        color=color,
        marks=PAPER if _can_show(stream, PAPER) else TYPEWRITER,
    )


def color_and_origin(
    choice: ColorChoice, environment: Mapping[str, str], *, is_terminal: bool
) -> tuple[bool, str]:
    """Whether to colour, and what decided it: the flag beats the environment beats what the output is."""
    if choice != "auto":
        return choice == "always", "--color"
    if environment.get("NO_COLOR"):
        return False, "NO_COLOR"
    if forced := environment.get("FORCE_COLOR"):
        return forced != "0", "FORCE_COLOR"
    if environment.get("TERM") == "dumb":
        return False, "TERM"
    return is_terminal, "default"


def _can_show(stream: TextIO, marks: Marks) -> bool:
    text = "".join((marks.scratched, marks.open, marks.turn, marks.ellipsis, marks.across, marks.cross))
    try:
        text.encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
