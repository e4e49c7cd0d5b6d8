"""Rule files of a house's own."""

from pathlib import Path

from generala_cli.store.house_rules import HouseRules

TINY = """\
format = 1
name = "casa"
title = "Casa"
source = "the tests"
dice = 5
faces = 6
throws = 3

[[category]]
id = "fives"
name = "fives"
number = 5

[[category]]
id = "full-house"
name = "full house"
aliases = ["full"]
groups = [3, 2]
points = 30
"""


def write(house_rules: HouseRules, name: str, data: str | bytes) -> Path:
    house_rules.directory.mkdir(parents=True, exist_ok=True)
    house_rules.path(name).write_bytes(data if isinstance(data, bytes) else data.encode())
    return house_rules.path(name)
