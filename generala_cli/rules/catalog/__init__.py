"""The built-in games, one TOML file each, and the boxes that they share."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from msgspec.structs import replace

from generala_cli.rules.boxes import shared_boxes, with_box
from generala_cli.rules.rulefile import category_toml, read_rules
from generala_cli.rules.ruleset import RuleSet

SOURCE = "source of the rules"  # the context of the sources of built-in games in the catalogues of languages


def built_in_names() -> tuple[str, ...]:
    stems = (entry.name.removesuffix(".toml") for entry in files(__name__).iterdir() if ".toml" in entry.name)
    return tuple(sorted({*stems} - {"boxes", "other-names"}))


@cache
def other_names() -> Mapping[str, RuleSet]:
    """Return the built-in games under other names (yams). Only their titles differ."""
    found = {}
    for name, table in tomllib.loads(_read("other-names.toml")).items():
        titles = tuple(table["titles"].items())
        found[name] = replace(built_in(table["like"]), title=table["title"], titles=titles)
    return found


def built_in_text(name: str) -> str:
    """Return the TOML text of a built-in rule set with its comments. Shared boxes are written out."""
    whole = _read(f"{name}.toml")
    text, *blocks = whole.split("[[category]]\n")
    for table, block in zip(tomllib.loads(whole)["category"], blocks, strict=True):
        box = shared_boxes()[table["like"]] if "like" in table else {}
        about_next = [line for line in block.splitlines(keepends=True) if line.startswith("#")]
        text += "".join((category_toml(with_box(table, box)), "\n", *about_next))
    return text.removesuffix("\n")


def guide() -> str:
    """Return the comment that explains every key of a rule file (with places `{name}` and `{source}`)."""
    return _read("guide.txt")


@cache
def built_in(name: str) -> RuleSet:
    rules, problems = read_rules(tomllib.loads(_read(f"{name}.toml")))
    assert rules is not None, problems
    return rules


def _read(file: str) -> str:
    return (files(__name__) / file).read_text(encoding="utf-8")
