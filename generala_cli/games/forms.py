from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from msgspec.structs import replace

from generala_cli.app.defaults import read_defaults
from generala_cli.app.naming import NameContext, doubt_names, joined_note
from generala_cli.app.rule_sets import load_rules
from generala_cli.cli.usage import command_named
from generala_cli.errors import GeneralaError, NotAllowed, NotFound, UsageError
from generala_cli.game.game import Game
from generala_cli.games import keeping, starting
from generala_cli.games.drawing import start_sentence
from generala_cli.messages import lazy
from generala_cli.render import lines
from generala_cli.render.forms import (
    Field,
    Form,
    Values,
    names_in,
    payout_in,
    stake_fields,
)
from generala_cli.render.language import spoken, translate, translated, word_shown
from generala_cli.rules.option_words import VALUE_WORDS
from generala_cli.rules.options import options_of
from generala_cli.rules.ruleset import RuleSet
from generala_cli.store.game_lists import evening_of, known_players, list_games
from generala_cli.store.house_rules import HouseRules
from generala_cli.store.places import config_file
from generala_cli.store.store import Store
from generala_cli.text import safe

_WITH_COMMA = lazy("type {name} and a comma if that is a player's name")
_OFTEN_VARIED = ("throws", "instant-win", "bonus", "upper-bonus", "joker", "double-generala", "spares")
"""The options that often vary between houses. The others need a shell."""
_LATEST = 30  # the maximum number of games offered to switch to
_OPTIONS = "options"
_OPTION = "option "


def new_game(
    store: Store,
    house_rules: HouseRules,
    rule_sets: Sequence[str],
    *,
    typed: Values | None = None,
    present: Sequence[str] = (),
) -> Form:
    """Return the form for a new game. Only names are required; config.toml presets the rest.

    If the form can be rebuilt with a field for each option, `typed` has the fields so far; otherwise None.
    Such a form presets the players, rules and stake of tonight's current game, or else who is `present`.
    """
    preset = {name: found.value for name, found in read_defaults(config_file()).items()}
    last = None if typed is None else _game_of_tonight(store)
    if last is not None:
        agreed = last.agreed
        preset |= {"stake": agreed.stake, "unit": agreed.unit, "payout": agreed.payout}
        if last.rules.name in rule_sets:
            preset["rules"] = last.rules.name

    def rules_called(name: str) -> RuleSet:
        if last is not None and last.rules.name == name:
            return last.rules
        return load_rules(name, house_rules, bytes)

    options: Sequence[Field] = ()
    has_openings = True
    chosen_rules = (typed or {}).get("rules") or preset["rules"]
    if typed is None:
        about = translate("changes to the rules, such as bonus=10 double-generala=yes")
        options = (Field(key=_OPTIONS, label=translate("options"), about=about),)
    elif chosen_rules in rule_sets:
        rules = rules_called(chosen_rules)
        options, has_openings = tuple(_option_fields(rules)), rules.opening_throws

    def send(values: Values) -> str:
        given = {**values, **preset, **{name: value for name, value in values.items() if value}}
        if typed is not None and given["rules"] not in rule_sets:  # a phone must not open files
            raise NotFound("there are no rules called {name!r}", name=given["rules"])
        context = NameContext(rules=rules_called(given["rules"]), rule_sets=rule_sets)
        return _start(store, context, given, settings=_settings(options, values))

    fields = [
        _players_field(present if last is None else last.playing, (*present, *known_players(store))),
        _rules_field(chosen_rules, rule_sets, house_rules, is_described=typed is not None),
        *options,
        *stake_fields(stake=preset["stake"], unit=preset["unit"], payout=preset["payout"]),
        Field(
            key="sides",
            label=translate("sides"),
            about=translate("such as Ana+Cora Beto+Dani; empty: everyone alone"),
            is_seldom=True,
        ),
        *([_opening_field()] if has_openings else []),
        Field(
            key="name",
            label=translate("name"),
            about=translate("a label for this game, optional"),
            is_seldom=True,
        ),
    ]
    confirm = translate("start the game")
    return Form(title=translate("A new game: who plays?"), fields=fields, send=send, confirm=confirm)


def _game_of_tonight(store: Store) -> Game | None:
    """Return the current game if it was started this evening and is readable."""
    with suppress(GeneralaError):
        stored = store.open(None)
        if evening_of(stored.file.started) == evening_of(store.now()):
            return stored.game
    return None


def _names_only(text: str) -> str:
    """Return the names of `new Ana Beto`; UsageError for an option, which a name would swallow."""
    if option := next((word for word in text.split() if word.startswith("--")), ""):
        what = lazy("{name!r} is an option, not a player's name", name=option)
        raise UsageError(what, "type only names; the other fields are for the rest")
    first, _, names = text.strip().partition(" ")
    return names if first.islower() and command_named(first) == "new" else text


def _start(store: Store, context: NameContext, given: Values, settings: Iterable[str]) -> str:
    players = names_in(_names_only(given["players"]))
    if "," not in given["players"]:
        doubt_names(players.names, context, as_is=_WITH_COMMA)
    started = starting.new(
        store,
        context.rules,
        players.names,
        settings=tuple(settings),
        teams=names_in(given["sides"]).names,
        openings=_openings(given.get("openings", "")),
        stake=given["stake"],
        unit=given["unit"],
        payout=payout_in(given),
        label=given["name"],
    )
    return "; ".join((*map(translated, joined_note(players)), start_sentence(started)))


def _players_field(preset: Sequence[str], known: Sequence[str]) -> Field:
    about = translate("names, separated by spaces or commas")
    if known:
        earlier = safe(", ".join(known))
        about = translate("names, separated by spaces or commas; earlier: {names}", names=earlier)
    return Field(
        key="players",
        label=translate("players"),
        value=", ".join(preset),
        about=about,
        offers=tuple(dict.fromkeys((*preset, *known))),
        kind="names",
    )


def _rules_field(
    chosen: str, rule_sets: Sequence[str], house_rules: HouseRules, *, is_described: bool
) -> Field:
    titles, summaries = {}, {}
    for name in rule_sets if is_described else ():
        with suppress(GeneralaError):  # a damaged rule file has no description
            rules = load_rules(name, house_rules, bytes)
            titles[name], summaries[name] = rules.name_in(spoken()), rules.summary_in(spoken())
    return Field(
        key="rules",
        label=translate("rules"),
        value=chosen,
        about=", ".join(rule_sets),
        offers=tuple(rule_sets),
        kind="choice",
        shapes_form=True,
        shown_as=titles,
        lines=summaries,
    )


def rematch(store: Store) -> Form:
    last = store.open(None).game

    def send(values: Values) -> str:
        return start_sentence(
            starting.rematch(
                store,
                None,
                openings=_openings(values.get("openings", "")),
                back=names_in(values.get("back", "")).names,
                first=values.get("first", ""),
            )
        )

    first = Field(
        key="first",
        label=translate("begins"),
        value=last.playing[0] if last.playing else "",
        about=translate("a name"),
        offers=last.playing,
        kind="choice",
    )
    fields = [first, *([_opening_field(last.playing)] if last.rules.opening_throws else [])]
    if last.left:
        back = Field(
            key="back",
            label=translate("back again"),
            about=translate(
                "names, separated by spaces or commas; left: {names}", names=safe(", ".join(last.left))
            ),
            offers=tuple(last.left),
            kind="names",
        )
        fields.insert(0, back)
    title = translate("The rematch: {terms}", terms=lines.terms(last))
    return Form(title=title, fields=fields, send=send, confirm=translate("start the game"))


def another_game(store: Store) -> Form:
    games = list_games(replace(store, warn=None)).games[-_LATEST:]
    shown = {
        str(each.game): " ".join(
            (
                f"{each.game} {safe(each.label or each.rules)}:",
                ", ".join(f"{safe(player)} {total}" for player, total in each.totals.items()),
            )
        )
        for each in reversed(games)
        if not each.current
    }
    if not shown:
        raise NotAllowed("there is no other game")

    def send(values: Values) -> str:
        keeping.use(store, values["game"])
        return ""

    field = Field(
        key="game",
        label=translate("game", context="label"),
        value=next(iter(shown)),
        offers=tuple(shown),
        shown_as=shown,
        kind="choice",
    )
    return Form(title=translate("Switch to a different game"), fields=(field,), send=send)


def withdrawal(store: Store) -> Form:
    """Return the form that deletes a game without entries. The game before it becomes current again."""
    stored = store.open(None)
    if stored.file.events:
        raise NotAllowed("this game has entries", "keep it and start a new one")
    before = next((number for number in reversed(store.numbers()) if number < stored.number), None)

    def send(_: Values) -> str:
        keeping.delete(
            store,
            stored.number,
            versions=(),
            then=before,
            is_meant=True,
            used=before is not None,
            dry_run=False,
        )
        return ""

    title = translate("Delete game {game}, which has no entries?", game=stored.number)
    return Form(title=title, fields=(), send=send)


def _opening_field(players: Sequence[str] = ()) -> Field:
    about = translate("opening throws, such as Ana=55533 Beto=12345; the lowest begins")
    return Field(key="openings", label=translate("openings"), about=about, offers=players, kind="throws")


def _openings(text: str) -> Sequence[str]:
    return [line for line in text.splitlines() if line] if "\n" in text else text.split()


def _option_fields(rules: RuleSet) -> Iterator[Field]:
    for option in options_of(rules):
        if option.key in _OFTEN_VARIED:
            words = [word_shown(word, VALUE_WORDS) for word in option.words]
            yield Field(
                key=_OPTION + option.key,
                label=_in_words(lines.option_key(rules, option.key)),
                value=word_shown(option.value, VALUE_WORDS),
                about=translated(option.choices),
                offers=words,
                shown_as={word: _in_words(word) for word in words},
                kind="choice" if option.words else "text",
                is_seldom=True,
            )


def _in_words(typed: str) -> str:
    return typed.replace("-", " ")


def _settings(options: Sequence[Field], values: Values) -> Iterator[str]:
    for field in options:
        value = values.get(field.key, "")
        if field.key == _OPTIONS:
            yield from value.split()
        elif value and value != field.value:
            yield f"{field.key.removeprefix(_OPTION)}={value}"
