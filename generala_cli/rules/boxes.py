"""The boxes that several games share, and how a category takes one with `like = "ones"`."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def shared_boxes() -> Mapping[str, Mapping[str, object]]:
    """Return the category table of every shared box by its id; most have no points, which each game sets."""
    text = (files("generala_cli.rules.catalog") / "boxes.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text)["category"]
    return {table["id"]: table for table in tables}


def with_box(table: Mapping[str, object], box: Mapping[str, object]) -> dict[str, object]:
    """Return a category table with the keys of a box that it does not have itself, in place of `like`.

    Names in other languages are taken one by one: `names.de` beside `like` leaves the box's `names.es`.
    """
    own = {key: value for key, value in table.items() if key != "like"}
    for key, shared in box.items():
        mine = own.get(key)
        if isinstance(mine, Mapping) and isinstance(shared, Mapping):
            own[key] = {**shared, **mine}
    return {**box, **own}
