"""Two games are the same game if their rules are the same, whatever their names."""

from msgspec.structs import replace

from generala_cli.rules.catalog import built_in_names
from generala_cli.rules.fingerprint import fingerprint
from tests.game.table import cached_rules, house


def test_every_built_in_game_is_another() -> None:
    found = {fingerprint(cached_rules(name)) for name in built_in_names()}
    assert len(found) == len(built_in_names())


def test_it_stays_what_it_is() -> None:
    """Otherwise figures recorded earlier could not be found again."""
    assert fingerprint(cached_rules("general")) == "24ce9a6c"


def test_names_and_texts_do_not_count() -> None:
    rules = cached_rules("general")
    names = (("fr", "la maison"),)
    lines = tuple(
        replace(line, name=line.name.upper(), names=names, shorts=names, aliases=()) for line in rules.lines
    )
    assert rules.instant_win is not None
    ours = replace(rules, name="casa", title="Casa", summary="As at home.", source="us", lines=lines)
    ours = replace(ours, titles=names, summaries=names, instant_win=replace(rules.instant_win, names=names))
    assert fingerprint(ours) == fingerprint(rules)


def test_an_option_that_changes_nothing_is_none() -> None:
    assert fingerprint(house("general", "throws=3")) == fingerprint(cached_rules("general"))


def test_every_option_makes_another_game() -> None:
    settings = ("throws=2", "bonus=10", "instant-win=while-open", "spares=yes", "double-generala=yes")
    found = {fingerprint(house("generala", setting)) for setting in settings}
    assert len(found | {fingerprint(cached_rules("generala"))}) == len(settings) + 1
