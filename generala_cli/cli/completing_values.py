"""What TAB offers of a game or a rule set: imported only where such a value is wanted."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from generala_cli.cli.completing import Line, fitting
from generala_cli.errors import GeneralaError
from generala_cli.game.events import Entry, GameStarted
from generala_cli.game.game import Game
from generala_cli.game.seating import find_player
from generala_cli.rules.ruleset import Category, RuleSet
from generala_cli.store.folder import Folder
from generala_cli.store.places import config_folder, data_folder
from generala_cli.store.store import Store

if TYPE_CHECKING:  # the values of a game need no rule files
    from generala_cli.store.houses import Houses


def _store() -> Store:
    return Store(folder=Folder(data_folder()))


def _houses() -> "Houses":
    from generala_cli.store.houses import Houses

    return Houses(directory=config_folder() / "rules")


def _game() -> Game:
    store = _store()
    return store.load(store.current()).history.game


def _mover(line: Line, game: Game) -> str | None:
    named = line.value("--player")
    return game.to_move if named is None else find_player(named, game.seats)


def _amended(line: Line, game: Game) -> Entry:
    return game.entries[range(1, len(game.entries) + 1).index(int(line.arguments[0]))]


def _players(_: Line) -> Iterable[str]:
    game = _game()
    return () if game.is_over else filter(game.may_move, game.seats)


def _categories(line: Line) -> Iterable[str]:
    game = _game()
    player = _mover(line, game)
    return () if player is None or game.is_over else _named(line, game.fillable_categories(player))


def _amended_categories(line: Line) -> Iterable[str]:
    game = _game()
    entry = _amended(line, game)
    still = {entry.category, *(category.id for category in game.open_categories(entry.player))}
    return _named(line, [category for category in game.rules.categories if category.id in still])


def _named(line: Line, categories: Iterable[Category]) -> Iterable[str]:
    """Their ids; if what was typed begins none, what else they are called at the table."""
    every = list(categories)
    ids = fitting((category.id for category in every), line.word)
    return ids or [name for category in every for name in category.names]


def _turns(_: Line) -> Iterable[str]:
    return map(str, range(len(_game().entries), 0, -1))


def _rolls(line: Line) -> Iterable[str]:
    game = _game()
    player = _mover(line, game)
    return () if player is None else _throws(line, game.last_throw(player), game.rules)


def _amended_rolls(line: Line) -> Iterable[str]:
    game = _game()
    entry = _amended(line, game)
    return _throws(line, max(entry.roll, game.last_throw(entry.player)), game.rules)


def _checked_rolls(line: Line) -> Iterable[str]:
    from generala_cli.app.checking import rules_to_check

    rules = rules_to_check(_store(), line.value("--rules"), _houses(), bytes)
    return _throws(line, rules.throws, rules)


def _advised_rolls(line: Line) -> Iterable[str]:
    if not any(line.value(option) is not None for option in ("--rules", "--filled", "--spares")):
        return _rolls(line)
    from generala_cli.app.checking import rules_to_check

    rules = rules_to_check(_store(), line.value("--rules"), _houses(), bytes)
    return _throws(line, rules.throws + int(line.value("--spares") or 0), rules)


def _told_categories(line: Line) -> Iterable[str]:
    """Those not told yet, by their ids or what else they are called; `ones=3,` goes on with the next."""
    from generala_cli.app.checking import rules_to_check

    rules = rules_to_check(_store(), line.value("--rules"), _houses(), bytes)
    head, comma, start = line.word.rpartition(",")
    told = ",".join([text for option, text in line.given if option == "--filled"] + [head])
    taken = {_category_id(rules, part.partition("=")[0]) for part in told.split(",")}
    names = [name for category in rules.categories if category.id not in taken for name in category.names]
    ids = {category.id for category in rules.categories}
    fits = fitting((name for name in names if name in ids), start) or fitting(names, start)
    return (f"{head}{comma}{name}" for name in fits)


def _category_id(rules: RuleSet, told: str) -> str:
    try:
        return rules.find_category(told.strip()).id
    except GeneralaError:
        return ""


def _throws(line: Line, last: int, rules: RuleSet) -> Iterable[str]:
    """Their numbers; if what was typed begins none, the words for them (`servida`)."""
    numbers = fitting(map(str, range(1, last + 1)), line.word)
    return numbers or [name for name, _ in rules.throw_names]


def _games(line: Line) -> Iterable[str]:
    """The numbers, latest first, and the labels, which take reading every game."""
    store = _store()
    numbers = store.numbers()[::-1]
    labels = [] if line.word.isdecimal() else filter(None, map(store.label, numbers))
    return [*map(str, numbers), *labels]


def _last_started(line: Line) -> GameStarted:
    store = _store()
    return store.load(store.find(next(iter(line.arguments), None))).record.started


def _openings_again(line: Line) -> Iterable[str]:
    return (f"{player}=" for player in _last_started(line).players)


def _rule_sets(line: Line) -> Iterable[str]:
    from generala_cli.rules.catalog import built_in_names

    return (*built_in_names(), *_houses().names())


def _settings(line: Line) -> Iterable[str]:
    """The keys that there are after the settings already typed, some of which bring others."""
    from generala_cli.app.defaults import read_defaults
    from generala_cli.app.rulebook import load_rules
    from generala_cli.rules.options import options_of, with_settings

    name = read_defaults(config_folder() / "config.toml").of("rules", line.value("--rules"))
    typed = [value.partition("=") for given, value in line.given if given == "--set"]
    rules = with_settings(
        load_rules(name, _houses(), bytes), [(key, value) for key, equals, value in typed if equals]
    )
    return (f"{option.key}=" for option in options_of(rules))


LOOKED_UP: Mapping[str, Callable[[Line], Iterable[str]]] = {
    "player": _players,
    "category": _categories,
    "roll": _rolls,
    "turn": _turns,
    "amended category": _amended_categories,
    "amended roll": _amended_rolls,
    "checked roll": _checked_rolls,
    "advised roll": _advised_rolls,
    "told category": _told_categories,
    "game": _games,
    "opening again": _openings_again,
    "rules": _rule_sets,
    "own rules": lambda _: _houses().names(),
    "setting": _settings,
}
"""For each kind of value that must be looked up, how."""
