"""Send only the cells that changed, because connections may be slow."""

from collections.abc import Iterator
from itertools import zip_longest

from rich.console import Console
from rich.control import Control
from textual._compositor import ChopsUpdate
from textual.geometry import Region

from generala_cli.play import panels
from generala_cli.play.taps import DrawnLine

_GAP = 10
"""As many unchanged cells cost about as much as moving the cursor past them."""


def changed_parts(old: DrawnLine, new: DrawnLine, row: int) -> Iterator[Region]:
    """Yield the changed parts of a row; all after its equal start if a character is not one cell wide."""
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    first = panels.width(old[:same])
    old, new = old[same:], new[same:]
    before, after = (
        [(character, segment.style) for segment in line for character in segment.text] for line in (old, new)
    )
    width = max(panels.width(old), panels.width(new))
    if panels.width(old) != len(before) or panels.width(new) != len(after):
        yield Region(first, row, width, 1)
        return
    start = end = -1
    for place, (one, other) in enumerate(zip_longest(before, after, fillvalue=(" ", None))):
        if one == other:
            continue
        if start >= 0 and place - end > _GAP:
            yield Region(first + start, row, end - start, 1)
            start = -1
        start, end = place if start < 0 else start, place + 1
    if start >= 0:
        yield Region(first + start, row, end - start, 1)


class ChangedParts(ChopsUpdate):
    """An update of the screen from the first changed cells on. Textual begins at the widget's edge."""

    def render_segments(self, console: Console) -> str:
        sequences: list[str] = []
        for row, start, end in self.spans:
            for last, (first, strip) in zip(self.chop_ends[row], self.chops[row].items(), strict=False):
                left, right = max(first, start), min(last, end)
                if strip is not None and left < right:
                    sequences.append(Control.move_to(left, row).segment.text)
                    sequences.append(strip.crop(left - first, right - first).render(console))
        return "".join(sequences)
