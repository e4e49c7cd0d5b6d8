"""Boxes that several games share. A category refers to one with `like = "ones"`."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def shared_boxes() -> Mapping[str, Mapping[str, object]]:
    """Return the category table of every shared box by id. Most leave the points to each game."""
    text = (files("generala_cli.rules.catalog") / "boxes.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text)["category"]
    return {table["id"]: table for table in tables}


def with_box(table: Mapping[str, object], box: Mapping[str, object]) -> dict[str, object]:
    """Replace `like` in a category table by the keys of the box. The table's keys and translations win."""
    own = {key: value for key, value in table.items() if key != "like"}
    for key, shared in box.items():
        mine = own.get(key)
        if isinstance(mine, Mapping) and isinstance(shared, Mapping):
            own[key] = {**shared, **mine}
    return {**box, **own}
