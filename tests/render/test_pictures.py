"""Pictures are complete documents. Names are plain text, and everything is in its place."""

import re
from collections.abc import Sequence
from itertools import pairwise
from xml.etree import ElementTree

from generala_cli.render.pictures import Chart, ChartLine, as_svg

SVG = "{http://www.w3.org/2000/svg}"


def drawn(text: str) -> ElementTree.Element:
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    return root


def texts(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def curves(root: ElementTree.Element) -> list[list[tuple[float, float]]]:
    """The points of every line."""
    paths = [
        element.get("d", "") for element in root.iter(f"{SVG}path") if element.get("stroke-width") == "1.6"
    ]
    return [[(float(x), float(y)) for x, y in re.findall(r"([\d.]+) ([\d.]+)", path)] for path in paths]


def side_by_side(names: Sequence[str]) -> ElementTree.Element:
    """Level lines at one height."""
    lines = [ChartLine(name=name, points=[(0, 50), (1, 50)]) for name in names]
    return drawn(as_svg([Chart(title="", lines=lines, ticks=range(0, 101, 25), ends=("", ""), last=1)]))


def test_names_that_end_at_one_height_stand_apart() -> None:
    names = [f"Player{number}" for number in range(8)]
    picture = side_by_side(names)
    heights = sorted(
        int(element.get("y", "")) for element in picture.iter(f"{SVG}text") if (element.text or "") in names
    )
    assert len(heights) == 8
    assert min(below - above for above, below in pairwise(heights)) >= 15


def test_lines_are_told_apart_without_colour() -> None:
    names = [f"Player{number}" for number in range(6)]
    picture = side_by_side(names)
    dashes = {
        each.get("stroke-dasharray")
        for each in picture.iter(f"{SVG}path")
        if each.get("stroke-width") == "1.6"
    }
    assert len(dashes) == 6
