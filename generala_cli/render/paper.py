"""Tables as on paper, by rich: columns ruled apart, nothing wrapped, every user's text taken literally."""

from collections.abc import Sequence
from io import StringIO

from rich.box import Box
from rich.cells import cell_len, set_cell_size
from rich.console import Console, JustifyMethod, OverflowMethod, RenderableType
from rich.table import Table
from rich.text import Text

from generala_cli.render.screen import PAPER, Marks, Screen
from generala_cli.rules.names import safe


def text(value: object, style: str = "") -> Text:
    """A cell. Never markup: a name like `[red]` is only a name."""
    return Text(safe(str(value)), style=style, no_wrap=True)


def width_of(value: str) -> int:
    """How many columns it takes: East Asian letters and emoji take two."""
    return cell_len(safe(value))


def shortened(value: str, width: int, marks: Marks) -> str:
    """The text, or as much of it as fits before an ellipsis."""
    shown = safe(value)
    if cell_len(shown) <= width:
        return shown
    return set_cell_size(shown, max(0, width - 1)).rstrip() + marks.ellipsis


def shortened_apart(values: Sequence[str], widths: Sequence[int], marks: Marks) -> list[str]:
    """Each text in its width; those that would look the same are shortened in the middle instead."""
    short = [shortened(value, width, marks) for value, width in zip(values, widths, strict=True)]
    return [
        _middle_out(value, width, marks) if short.count(shown) > 1 else shown
        for value, width, shown in zip(values, widths, short, strict=True)
    ]


def _middle_out(value: str, width: int, marks: Marks) -> str:
    """`Player12` as `P…12`: numbered names differ at the end."""
    shown = safe(value)
    if cell_len(shown) <= width:
        return shown
    end = shown[-((width - 1) // 2) :]
    return set_cell_size(shown, max(0, width - 1 - cell_len(end))).rstrip() + marks.ellipsis + end


def ruled_box(marks: Marks) -> Box:
    """Lines between columns and under the head, none around."""
    row, rule = f"  {marks.down} ", f" {marks.across}{marks.cross} "
    lines = ("    ", row, rule, row, rule, rule, row, "    ")
    return Box("\n".join(lines) + "\n", ascii=marks.across == "-")


def plain_table(*heads: str, right: Sequence[int] = (), flexible: Sequence[int] = ()) -> Table:
    """A table without rules.

    Args:
        right: the columns of numbers. flexible: those that give way on a narrow screen, with an ellipsis.
    """
    # Rich first narrows the columns that may wrap; their cells, made by `text`, then do not.
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for place, head in enumerate(heads):
        overflow: OverflowMethod = "ellipsis" if place in flexible else "crop"
        justify: JustifyMethod = "right" if place in right else "left"
        table.add_column(Text(head), justify=justify, no_wrap=place not in flexible, overflow=overflow)
    return table


def drawn(screen: Screen, *parts: RenderableType) -> str:
    """The parts as text, each on lines of its own, without blanks at the ends of lines."""
    output = StringIO()
    console = Console(
        file=output,
        width=screen.width,
        force_terminal=screen.color,
        color_system="standard" if screen.color else None,
        no_color=not screen.color,
        markup=False,
        emoji=False,
        highlight=False,
        legacy_windows=False,
        _environ={},
    )
    for part in parts:
        console.print(part)
    lines = output.getvalue().replace(PAPER.ellipsis, screen.marks.ellipsis).splitlines()
    return "\n".join(line.rstrip() for line in lines) + "\n"
