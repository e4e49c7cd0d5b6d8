"""The values that TAB offers for each kind of parameter.

Each function returns all values; the caller filters them by the typed word. zsh and fish show the description
of a value. `context.params` holds the typed words, parsed as far as possible; `context.obj` is the word at
the cursor. Every command imports this module, so functions import the rest when TAB is pressed.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import typer

from generala_cli.app.aims import AIMS
from generala_cli.cli.session import open_house_rules, open_store
from generala_cli.errors import GeneralaError
from generala_cli.game.money import METHODS, POINT
from generala_cli.messages import lazy_count
from generala_cli.render.language import first_word, languages, translate, translated
from generala_cli.rules.throws import DE_MANO
from generala_cli.text import find_player, normalize

if TYPE_CHECKING:
    from generala_cli.game.events import Entry
    from generala_cli.game.game import Game
    from generala_cli.game.turn import Turn
    from generala_cli.rules.ruleset import Category, RuleSet
    from generala_cli.store.store import Store

Described = tuple[str, str]
Context = typer.Context
FILES, FOLDERS = "\tfiles", "\tfolders"
"""Candidates that tell a shell to offer its own files or folders. No name can begin with a tab."""


def fitting(found: Iterable[str], start: str) -> list[str]:
    """Return the values that start with `start`. If none does, ignore case and accents.

    A shell replaces the typed word with the longest common prefix. If that is shorter than `start` (`mar`
    fits Maria and MArta, which share an M), return nothing until more is typed.
    """
    every = list(found)
    exact = [candidate for candidate in every if candidate.startswith(start)]
    if exact or not every:
        return exact
    wanted = normalize(start)
    near = [candidate for candidate in every if wanted and normalize(candidate).startswith(wanted)]
    shared = {candidate[: len(start)] for candidate in near}
    return near if len(near) == 1 or len(shared) == 1 else []


def spoken_languages(_: typer.Context) -> Iterable[str]:
    return languages()


def players(context: typer.Context) -> Iterable[str]:
    game = _game(context)
    return () if game.is_over else filter(game.may_move, game.seats)


def categories(context: typer.Context) -> Iterable[Described]:
    game, player = _mover(context)
    if player is None:
        return ()
    words = context.params.get("dice") or ()
    return _named(context.obj, _open_to(context, game, player, words))


def after_hand(context: typer.Context) -> Iterator[Described]:
    typed = context.params
    *words, _ = typed["dice"]
    game, player = _mover(context)
    if player is None or not words:
        return
    turn = _turn(context, game, words)
    names = [] if turn.player or typed["player"] else [*players(context)]
    if not (turn.category or typed["category"]):
        yield from _named(context.obj, _open_to(context, game, turn.player or player, words), names)
    if game.rules.has_throws_that_matter and not (turn.roll or typed["roll"] or typed["threw"]):
        yield from _throws(context, game.last_throw(turn.player or player), game.rules)
    yield from ((name, "") for name in names)


def after_scratch(context: typer.Context) -> Iterable[str]:
    *words, _ = context.params["dice"]
    return () if words or context.params["player"] else players(context)


def amended_categories(context: typer.Context) -> Iterable[Described]:
    return _amended_categories(context, ())


def _amended_categories(context: typer.Context, others: Iterable[str]) -> Iterable[Described]:
    game, entry = _amended(context)
    still = {entry.category, *(category.id for category in game.open_categories(entry.player))}
    found = [(category, None) for category in game.rules.categories if category.id in still]
    return _named(context.obj, found, others)


def after_amended(context: typer.Context) -> Iterator[Described]:
    yield from _amended_categories(context, seated(context))
    yield from amended_throws(context)
    yield from ((name, "") for name in seated(context))


def turns(context: typer.Context) -> Iterable[Described]:
    game = _game(context)
    numbered = enumerate(game.entries, start=1)
    from generala_cli.render.lines import entry_text

    return [(str(number), entry_text(game, entry)) for number, entry in numbered][::-1]


def throws(context: typer.Context) -> Iterable[Described]:
    game, player = _mover(context)
    return () if player is None else _throws(context, game.last_throw(player), game.rules)


def amended_throws(context: typer.Context) -> Iterable[Described]:
    game, entry = _amended(context)
    return _throws(context, max(entry.roll, game.last_throw(entry.player)), game.rules)


def checked_throws(context: typer.Context) -> Iterable[Described]:
    rules = _rules(context)
    return _throws(context, rules.throws + (context.params.get("spares") or 0), rules)


def advised_throws(context: typer.Context) -> Iterable[Described]:
    is_given = any(context.params[name] for name in ("rules", "filled", "spares"))
    return checked_throws(context) if is_given else throws(context)


def filled(context: typer.Context) -> Iterable[str]:
    """Return the categories not given yet, by id or other name. After `ones=3,`, offer the next one."""
    rules = _rules(context)
    head, comma, start = context.obj.rpartition(",")
    taken = set()
    for part in ",".join([*context.params["filled"][:-1], head]).split(","):
        with suppress(GeneralaError):
            taken.add(rules.find_category(part.partition("=")[0].strip()))
    left = [(category, None) for category in rules.categories if category not in taken]
    names = [name for name, _ in _named(start, left)]
    return (f"{head}{comma}{name}" for name in fitting(names, start))


def games(context: typer.Context) -> Iterable[str]:
    """Return game numbers, latest first, and labels. Labels require reading every game."""
    store = open_store()
    numbers = store.numbers()[::-1]
    labels = [] if context.obj.isdecimal() else filter(None, map(store.label, numbers))
    return [*map(str, numbers), *labels]


def moments(context: typer.Context) -> Iterable[str]:
    return ["tonight", *games(context)]


def everyone(context: typer.Context) -> Iterable[str]:
    """Return everyone who has played, the latest game's players first, then all joined names."""
    from generala_cli.store.game_lists import list_games

    found = list_games(_store(context)).games[::-1]
    return dict.fromkeys((*(name for game in found for name in game.players), *joined(context)))


def joined(context: typer.Context) -> Iterable[str]:
    from generala_cli.store.hooks import joined_names

    return (name for group in joined_names(_store(context)) for name in group)


def openings(context: typer.Context) -> Iterable[str]:
    if "names" in context.params:
        return (f"{name}=" for name in _invited(context))
    return (f"{name}=" for name in _store(context).open(context.params["game"]).game.seats)


def seated(context: typer.Context) -> Iterable[str]:
    return _game(context).seats


def playing(context: typer.Context) -> Iterable[str]:
    return _store(context).open(context.params.get("game")).game.playing


def gone(context: typer.Context) -> Iterable[str]:
    return _store(context).open(context.params.get("game")).game.left


def teams(context: typer.Context) -> Iterable[str]:
    seated = {name for side in context.params["teams"][:-1] for name in side.split("+")}
    head, plus, _ = context.obj.rpartition("+")
    free = [name for name in _invited(context) if name not in seated.union(head.split("+"))]
    if plus:
        return (f"{head}+{name}" for name in free)
    return (f"{one}+{other}" for index, one in enumerate(free) for other in free[index + 1 :])


def _invited(context: typer.Context) -> Sequence[str]:
    from generala_cli.game.seating import list_names

    return [*list_names(context.params["names"] or ()).names, *(context.params["exactly"] or ())]


def among(*values: str) -> Callable[[typer.Context], Iterable[str]]:
    def offered(_: typer.Context) -> Iterable[str]:
        return values

    return offered


methods = among(*METHODS)
aims = among(*AIMS)
review_aims = among("points", "win")
units = among("USD", "EUR", "ARS", "MXN", "drink", "beer", POINT)  # the most common units


files = among(FILES)
folders = among(FOLDERS)


def rule_sets(_: typer.Context) -> Iterable[str]:
    """Return the built-in rule sets and the house rules. If none fits, the shell offers files."""
    from generala_cli.rules.catalog import built_in_names, other_names

    return (*built_in_names(), *other_names(), *open_house_rules().readable_names(), FILES)


def own_rule_sets(_: typer.Context) -> Iterable[str]:
    return open_house_rules().readable_names()


def settings(context: typer.Context) -> Iterable[str]:
    from generala_cli.app.defaults import read_defaults
    from generala_cli.app.rule_sets import load_rules, named_or_current_rules
    from generala_cli.rules.options import options_of, with_settings
    from generala_cli.store.places import config_file

    typed, named = (text.partition("=") for text in context.params["settings"][:-1]), context.command.name
    if named == "new":
        chosen = read_defaults(config_file(), rules=context.params["rules"])
        rules = load_rules(chosen["rules"].value, open_house_rules(), bytes)
    elif named == "rematch":
        rules = open_store(None).open(context.params["game"]).game.rules
    else:
        wanted = context.params.get("rules", context.params.get("name"))
        rules = named_or_current_rules(_store(context), wanted, open_house_rules(), bytes)
    changed = with_settings(rules, [(key, value) for key, equals, value in typed if equals])
    return (f"{option.key}=" for option in options_of(changed))


def _store(context: Any) -> "Store":
    named = context.params.get("named_game")
    if named is None and context.parent is not None:
        return _store(context.parent)
    return open_store(named)


def _game(context: typer.Context) -> "Game":
    return _store(context).open(None).game


def _rules(context: typer.Context) -> "RuleSet":
    from generala_cli.app.rule_sets import named_or_current_rules

    return named_or_current_rules(_store(context), context.params["rules"], open_house_rules(), bytes)


def _mover(context: typer.Context) -> "tuple[Game, str | None]":
    game, named = _game(context), context.params.get("player")
    return game, game.to_move if named is None else find_player(named, game.seats)


def _turn(context: typer.Context, game: "Game", words: Sequence[str]) -> "Turn":
    from generala_cli.game.turnline import TurnLine, parse

    return parse(TurnLine(words=words, roll=context.params.get("roll")), game.rules, game)


def _open_to(
    context: typer.Context, game: "Game", player: str, words: Sequence[str]
) -> "Sequence[tuple[Category, int | None]]":
    from generala_cli.game.decisions import choices

    if game.is_over:
        return ()
    turn = _turn(context, game, words) if words else None
    if turn is None or turn.is_scratch:
        return [(category, None) for category in game.fillable_categories(player)]
    roll = turn.roll or game.rules.throws
    found = choices(game, turn.player or player, turn.hand, roll)
    return [(choice.category, choice.points) for choice in found]


def _amended(context: typer.Context) -> "tuple[Game, Entry]":
    from generala_cli.game.amending import turn_entry

    game, turn = _game(context), context.params["turn"] or ""
    return game, turn_entry(game, int(turn) if turn.isdecimal() else 0)


def _named(
    start: str, found: "Sequence[tuple[Category, int | None]]", others: Iterable[str] = ()
) -> Iterator[Described]:
    """Yield the ids that start with `start`; if no id or other candidate does, yield names."""
    ids = fitting((category.id for category, _ in found), start)
    is_id = bool(ids or fitting(others, start))
    for category, points in found:
        names = category.answers_to if len(found) == 1 else filter(category.is_own, category.answers_to)
        for name in {category.id}.intersection(ids) if is_id else names:
            called = "" if normalize(name) == normalize(translated(category)) else translated(category)
            pays = "" if points is None else translated(lazy_count("{count} point", "{count} points", points))
            yield name, ", ".join(filter(None, (called, pays)))


def _throws(context: typer.Context, last: int, rules: "RuleSet") -> Iterator[Described]:
    numbers = [(str(number), number) for number in range(1, last + 1)]
    is_number = fitting([text for text, _ in numbers], context.obj)
    words = [(word, throw) for throw, named in rules.throw_words.items() for word in named if " " not in word]
    words += [(first_word(DE_MANO), rules.throws)] if rules.most_turned else []
    for text, number in numbers if is_number else words:
        yield text, translate("throw {number}", number=number)
