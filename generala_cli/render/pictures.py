"""Line charts as SVG pictures, in black on white. Lines differ by dashes and marks."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise

from msgspec import Struct

from generala_cli.render.language import number
from generala_cli.render.screen import UNICODE
from generala_cli.text import safe

_WIDTH, _HEIGHT = 800, 340
_LEFT, _RIGHT, _TOP, _BOTTOM = 50, 170, 50, 50
"""The margins around the lines. Names are on the right."""
LETTERS = 20  # the longest name that fits there, and the longest date below
_APART = 16  # pixels from one name to the next
_MOST_MARKS = 12  # marks on a line among several; more would hide it
_DASHES = ("", "8 4", "2 3", "12 3 2 3", "5 2", "1 5", "14 5", "8 3 2 3 2 3")
Point = tuple[float, float]


class ChartLine(Struct, frozen=True, kw_only=True):
    """A name and its points, joined by a line. Without a name, only the points are drawn."""

    name: str
    points: Sequence[Point]


class Chart(Struct, frozen=True, kw_only=True):
    """Lines over an axis of `ticks`, lowest first; `ends` label the first and the last position."""

    title: str
    lines: Sequence[ChartLine]
    ticks: Sequence[int]
    unit: str = ""
    ends: tuple[str, str]
    last: int

    def across(self, at: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * at / max(1, self.last)

    def down(self, value: float) -> float:
        share = (value - self.ticks[0]) / (self.ticks[-1] - self.ticks[0])
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * share


def as_svg(charts: Sequence[Chart]) -> str:
    height = _HEIGHT * len(charts)
    parts = [part for index, chart in enumerate(charts) for part in _drawn(chart, index * _HEIGHT)]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" '
        f'height="{height}" font-family="sans-serif" font-size="13" role="img">'
    )
    title = _text("title", "; ".join(chart.title for chart in charts))
    return "\n".join((head, title, '<rect width="100%" height="100%" fill="white"/>', *parts, "</svg>\n"))


def _drawn(chart: Chart, down: int) -> Iterator[str]:
    yield f'<g transform="translate(0 {down})">'
    yield _text("text", chart.title, x=_LEFT, y=_TOP - 22, font_weight="bold")
    right = _WIDTH - _RIGHT
    for tick in chart.ticks:
        y = chart.down(tick)
        yield f'<path d="M{_LEFT} {y:.1f}H{right}" stroke="#ccc"/>'
        yield _text(
            "text", f"{number(tick, ',')}{chart.unit}", x=_LEFT - 6, y=round(y + 4), text_anchor="end"
        )
    yield _text("text", chart.ends[0], x=_LEFT, y=_HEIGHT - _BOTTOM + 20)
    if chart.last:
        yield _text("text", chart.ends[1], x=right, y=_HEIGHT - _BOTTOM + 20, text_anchor="end")
    named = [line for line in chart.lines if line.name and line.points]
    for line in chart.lines:
        if not line.name:
            yield from (_mark(0, chart.across(at), chart.down(value), 2.5) for at, value in line.points)
    heights = _apart([chart.down(line.points[-1][1]) for line in named])
    for index, (line, height) in enumerate(zip(named, heights, strict=True)):
        yield from _line(chart, line, index, height, marks=_MOST_MARKS if len(named) > 1 else 1)
    yield "</g>"


def _line(chart: Chart, line: ChartLine, index: int, height: float, *, marks: int) -> Iterator[str]:
    """Yield a line with marks and its name at the end, moved up or down if names would overlap."""
    points = [(chart.across(at), chart.down(value)) for at, value in line.points]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    dash = f' stroke-dasharray="{_DASHES[index % len(_DASHES)]}"' if index % len(_DASHES) else ""
    yield f'<path d="M{path}" fill="none" stroke="black" stroke-width="1.6"{dash}/>'
    every = -(-len(points) // marks)
    yield from (_mark(index, x, y, 4) for x, y in points[::-every])
    x, y = points[-1]
    right = _WIDTH - _RIGHT
    yield f'<path d="M{x + 5:.1f} {y:.1f}L{right + 22} {height:.1f}" stroke="#999" stroke-width="0.7"/>'
    yield _mark(index, right + 30, height, 4)
    name = safe(line.name)
    short = name if len(name) <= LETTERS else name[: LETTERS - 1].rstrip() + UNICODE.ellipsis
    yield _text("text", short, x=right + 40, y=round(height + 4))


def _apart(wanted: Sequence[float]) -> Sequence[float]:
    found = list(wanted)
    order = sorted(range(len(found)), key=found.__getitem__)
    for above, below in pairwise(order):
        found[below] = max(found[below], found[above] + _APART)
    lowest = float(_HEIGHT - _BOTTOM)
    for index in reversed(order):
        found[index] = min(found[index], lowest)
        lowest = found[index] - _APART
    return found


def _mark(index: int, x: float, y: float, size: float) -> str:
    corners, fill = _SHAPES[index % len(_SHAPES)]
    return (
        f'<path transform="translate({x:.1f} {y:.1f}) scale({size})" d="{corners}Z" fill="{fill}" '
        'stroke="black" stroke-width="0.3"/>'
    )


_ROUND, _SQUARE = "M-1 0A1 1 0 1 1 1 0A1 1 0 1 1 -1 0", "M-.9 -.9H.9V.9H-.9"
_TRIANGLE, _DIAMOND = "M0 -1.1L1 .8H-1", "M0 -1.2L1.2 0L0 1.2L-1.2 0"
_SHAPES = tuple(
    (corners, fill) for fill in ("black", "white") for corners in (_ROUND, _SQUARE, _TRIANGLE, _DIAMOND)
)


def _text(tag: str, value: str, **attributes: object) -> str:
    given = "".join(f' {key.replace("_", "-")}="{each}"' for key, each in attributes.items())
    return f"<{tag}{given}>{escape(safe(value))}</{tag}>"
