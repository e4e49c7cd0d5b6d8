"""Pictures are whole documents, in which names are only text and everything lies where it belongs."""

import re
from itertools import pairwise
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

from generala_cli.errors import NotAllowed
from generala_cli.render import pictures
from tests.game.table import Table, cached_rules

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


def reviewed(shares: list[tuple[float, ...]], *names: str) -> Any:
    """As much of a review as its picture asks for."""
    table = Table(cached_rules("general"), *names)
    turns = tuple(SimpleNamespace(chances=share) for share in shares[1:])
    return SimpleNamespace(number=7, game=table.game, start=shares[0], turns=turns)


def test_chances_run_from_the_first_turn_to_the_last() -> None:
    picture = drawn(pictures.chances(reviewed([(0.5, 0.5), (0.75, 0.25), (1.0, 0.0)], "Ana", "Beto")))
    ana, beto = curves(picture)
    assert [y for _, y in ana] == [170, 110, 50]
    assert [y for _, y in beto] == [170, 230, 290]
    assert [x for x, _ in ana] == [50, 340, 630]
    assert {"Ana", "Beto", "0 %", "100 %", "after turn 2"} <= set(texts(picture))


def test_names_that_end_at_one_height_stand_apart() -> None:
    names = [f"Player{number}" for number in range(8)]
    share = tuple(0.125 for _ in names)
    picture = drawn(pictures.chances(reviewed([share, share], *names)))
    heights = sorted(
        int(element.get("y", "")) for element in picture.iter(f"{SVG}text") if (element.text or "") in names
    )
    assert len(heights) == 8
    assert min(below - above for above, below in pairwise(heights)) >= 15


def test_lines_are_told_apart_without_colour() -> None:
    names = [f"Player{number}" for number in range(6)]
    share = tuple(1 / 6 for _ in names)
    picture = drawn(pictures.chances(reviewed([share, share], *names)))
    dashes = {
        each.get("stroke-dasharray")
        for each in picture.iter(f"{SVG}path")
        if each.get("stroke-width") == "1.6"
    }
    assert len(dashes) == 6


def test_nothing_to_draw_is_refused() -> None:
    with pytest.raises(NotAllowed):
        pictures.chances(reviewed([(0.5, 0.5)], "Ana", "Beto"))
