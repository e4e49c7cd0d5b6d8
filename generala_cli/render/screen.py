"""The screen that an answer is drawn for (size, color, marks), and drawing an answer as text."""

import os
import re
from collections.abc import Mapping
from functools import singledispatch
from importlib import import_module
from io import StringIO
from typing import TYPE_CHECKING, Literal, TextIO

from msgspec import Struct

if TYPE_CHECKING:  # at run time, only drawing needs it
    from rich.console import RenderableType

ColorChoice = Literal["auto", "always", "never"]
COLOR_CHOICES: tuple[ColorChoice, ...] = ("auto", "always", "never")
UNLIMITED = 100_000  # the width and height outside a terminal


class Marks(Struct, frozen=True, kw_only=True):
    """The signs on a sheet. They differ in shape, so color is never needed to tell them apart."""

    scratched: str
    served: str = "*"
    open: str
    turn: str
    left: str
    ellipsis: str
    minus: str
    dash: str
    missing: str
    at_most: str


UNICODE = Marks(
    scratched="✗", open="·", turn="▸", left="←", ellipsis="…", minus="−", dash="·", missing="–", at_most="≤"
)
ASCII = Marks(
    scratched="x", open=".", turn=">", left="<", ellipsis="~", minus="-", dash="-", missing="-", at_most="<="
)


class Screen(Struct, frozen=True, kw_only=True):
    width: int
    height: int = UNLIMITED  # also counts the line of a shell's prompt
    color: bool
    marks: Marks
    in_dialogue: bool = False  # a prompt names the next player, and tables are read aloud

    def strong(self, text: str) -> str:
        return f"\x1b[1m{text}\x1b[0m" if text and self.color else text


@singledispatch
def draw(answer: object, screen: Screen) -> "RenderableType":
    """Return an answer drawn for a terminal. Each package registers functions for its own answers."""
    raise TypeError(type(answer))


def drawn(answer: object, screen: Screen) -> "RenderableType":
    package = type(answer).__module__.rpartition(".")[0]
    import_module(f"{package}.drawing")
    return draw(answer, screen)


def as_text(renderable: "RenderableType", screen: Screen) -> str:
    """Return the text that rich draws, without trailing blanks. A str is returned as it is."""
    if isinstance(renderable, str):
        return renderable
    from rich.console import Console, Group

    drawn = StringIO()
    console = Console(
        file=drawn,
        width=screen.width,
        height=screen.height,
        color_system="standard" if screen.color else None,
        force_terminal=screen.color,
        force_jupyter=False,
        no_color=False,  # already decided, so rich must ignore the environment
        legacy_windows=False,
        markup=False,
        highlight=False,
        emoji=False,
    )
    console.print(Group(renderable), crop=False)
    end_of_line = re.compile(r"(?<! )(?: |\x1b\[[\d;]*m)++$", re.MULTILINE)
    text = end_of_line.sub(lambda end: "\x1b[0m" if "\x1b" in end[0] else "", drawn.getvalue())
    return text.replace(UNICODE.ellipsis, screen.marks.ellipsis)


def screen_of(stream: TextIO, choice: ColorChoice) -> Screen:
    is_terminal = stream.isatty()
    color, _ = color_and_origin(choice, os.environ, is_terminal=is_terminal)
    width, height = UNLIMITED, UNLIMITED
    if is_terminal:
        import shutil  # only a terminal has a size, and this takes a fiftieth of a turn

        width, height = shutil.get_terminal_size()
    try:
        "✗·▸←…─┼━≤".encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return Screen(width=width, height=height, color=color, marks=ASCII)
    return Screen(width=width, height=height, color=color, marks=UNICODE)


def color_and_origin(
    choice: ColorChoice, environment: Mapping[str, str], *, is_terminal: bool
) -> tuple[bool, str]:
    if choice != "auto":
        return choice == "always", "--color"
    if environment.get("NO_COLOR"):
        return False, "NO_COLOR"
    if forced := environment.get("FORCE_COLOR"):
        return forced != "0", "FORCE_COLOR"
    if environment.get("TERM") == "dumb":
        return False, "TERM"
    return is_terminal, "default"
