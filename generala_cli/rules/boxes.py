"""The boxes that several games share, and how a category takes one with `like = "ones"`."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def shared_boxes() -> Mapping[str, Mapping[str, object]]:
    """Return the category table of every shared box by its id; most have no points, which each game sets."""
    tables = tomllib.loads(_boxes_text())["category"]
    return {table["id"]: table for table in tables}


def with_box(table: Mapping[str, object], box: Mapping[str, object]) -> dict[str, object]:
    """Return a category table with the keys of a box that it does not have itself.

    Names in other languages are taken one by one: `names.de` beside `like` leaves the box's `names.es`.
    """
    own = dict(table)
    for key, shared in box.items():
        mine = own.get(key)
        if isinstance(mine, Mapping) and isinstance(shared, Mapping):
            own[key] = {**shared, **mine}
    return {**box, **own}


def write_out(text: str) -> str:
    """Return the text of a rule file of the package with the lines of each box in place of `like`.

    Every category then has its keys in one order and its comments, which no TOML writer would keep.
    """
    boxes = {}
    for block in _boxes_text().split("[[category]]\n")[1:]:
        lines = _lines_by_key(block)
        boxes[lines["id"]] = lines

    def whole(taken: re.Match[str]) -> str:
        box, own = boxes[f"id = {taken['box']}\n"], _lines_by_key(taken["own"])
        return "".join((box | own).values())

    apart = text.replace('"\n[[category]]', '"\n\n[[category]]')
    return re.sub(rf'(?m)^like = (?P<box>".+")\n(?P<own>(?:{_KEY_LINE})*)', whole, apart)


_KEY_LINE = r"[a-z_.]+ = .*\n"


def _lines_by_key(block: str) -> dict[str, str]:
    return {line.partition(" = ")[0]: line for line in re.findall(f"(?m)^{_KEY_LINE}", block)}


def _boxes_text() -> str:
    return (files("generala_cli.rules.catalog") / "boxes.toml").read_text(encoding="utf-8")
