"""The games we ship, one TOML file each: data, not code."""

import tomllib
from importlib.resources import files

from generala_cli.rules.rulefile import read_rules
from generala_cli.rules.ruleset import RuleSet


def built_in_names() -> tuple[str, ...]:
    """The names of every rule set in the package."""
    entries = (entry.name for entry in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in entries if name.endswith(".toml")))


def built_in_text(name: str) -> str:
    """The TOML text of a rule set of the package, comments and all."""
    return (files(__name__) / f"{name}.toml").read_text(encoding="utf-8")


def guide() -> str:
    """What stands above a house's own copy of a rule set, `{name}` of `{source}`: every key explained."""
    return (files(__name__) / "guide.txt").read_text(encoding="utf-8")


def built_in(name: str) -> RuleSet:
    """A rule set of the package."""
    rules, problems = read_rules(tomllib.loads(built_in_text(name)))
    assert rules is not None, problems
    return rules
