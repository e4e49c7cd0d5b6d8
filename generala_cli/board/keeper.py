from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from generala_cli.app.naming import check_one_name
from generala_cli.board.documents import OfferedForm
from generala_cli.board.watching import SeenGame, Watcher
from generala_cli.errors import Conflict
from generala_cli.game.events import Chosen
from generala_cli.games.forms import another_game, new_game, rematch, withdrawal
from generala_cli.messages import Message, lazy
from generala_cli.packages import is_installed
from generala_cli.render.forms import Form, Values
from generala_cli.render.language import translated
from generala_cli.rules.ruleset import RuleSet
from generala_cli.store.game_lists import known_players
from generala_cli.store.house_rules import HouseRules
from generala_cli.store.store import Store
from generala_cli.table.forms import ending, joining, leaving, renaming, staking


class Asked(Struct, frozen=True, kw_only=True):
    """A request for a form, or a form sent back. `store` has a game selected if the form is about one."""

    store: Store
    game: int
    typed: Values
    house_rules: HouseRules
    rule_sets: Sequence[str]
    present: Sequence[str]


class KeeperForm(Struct, frozen=True, kw_only=True):
    """A form on the keeper's pad.

    Attributes:
        depends_on: the data that must not change before it is sent.
        names: the field for players' names, which may be new.
    """

    label: Message
    make: Callable[[Asked], Form]
    depends_on: Literal["game", "current", "payments"]
    leads_elsewhere: bool = False
    of_package: str = ""
    names: str = ""


def _check_name(name: str, _: RuleSet) -> None:
    """Refuse a list of names: on a phone, every name has its own field."""
    check_one_name(name)


def _version(asked: Asked) -> Form:
    from generala_cli.doctor.forms import choice_of_version

    return choice_of_version(asked.store, asked.game)


def _payment(asked: Asked) -> Form:
    from generala_cli.ledger.forms import payment

    return payment(asked.store, asked.typed)


def _entry(asked: Asked) -> Form:
    from generala_cli.ledger.forms import entry

    return entry(asked.store)


def _payment_back(asked: Asked) -> Form:
    from generala_cli.ledger.forms import payment_back

    return payment_back(asked.store)


FORMS: Mapping[str, KeeperForm] = {
    "new": KeeperForm(
        label=lazy("new game"),
        make=lambda asked: new_game(
            asked.store, asked.house_rules, asked.rule_sets, typed=asked.typed, present=asked.present
        ),
        depends_on="current",
        leads_elsewhere=True,
        names="players",
    ),
    "rematch": KeeperForm(
        label=lazy("rematch"),
        make=lambda asked: rematch(asked.store),
        depends_on="current",
        leads_elsewhere=True,
    ),
    "another": KeeperForm(
        label=lazy("switch game"),
        make=lambda asked: another_game(asked.store),
        depends_on="current",
        leads_elsewhere=True,
    ),
    "withdraw": KeeperForm(
        label=lazy("discard this game"),
        make=lambda asked: withdrawal(asked.store),
        depends_on="game",
        leads_elsewhere=True,
    ),
    "join": KeeperForm(
        label=lazy("a player joins"),
        make=lambda asked: joining(
            asked.store, _check_name, present=(*asked.present, *known_players(asked.store))
        ),
        depends_on="game",
        names="player",
    ),
    "leave": KeeperForm(
        label=lazy("a player leaves"), make=lambda asked: leaving(asked.store), depends_on="game"
    ),
    "end": KeeperForm(label=lazy("end the game"), make=lambda asked: ending(asked.store), depends_on="game"),
    "rename": KeeperForm(
        label=lazy("rename a player"),
        make=lambda asked: renaming(asked.store, _check_name),
        depends_on="game",
        names="name",
    ),
    "stake": KeeperForm(label=lazy("stake"), make=lambda asked: staking(asked.store), depends_on="game"),
    "version": KeeperForm(
        label=lazy("choose a version"),
        make=_version,
        of_package="doctor",
        depends_on="game",
    ),
    "pay": KeeperForm(
        label=lazy("record a payment"),
        make=_payment,
        of_package="ledger",
        depends_on="payments",
    ),
    "entry": KeeperForm(
        label=lazy("entry paid"),
        make=_entry,
        of_package="ledger",
        depends_on="payments",
    ),
    "unpay": KeeperForm(
        label=lazy("undo a payment"),
        make=_payment_back,
        of_package="ledger",
        depends_on="payments",
    ),
}


def state(store: Store, form: KeeperForm, game: int, current: int | None) -> str:
    """Return a text that changes with the data that a form depends on."""
    match form.depends_on:
        case "game":
            return f"{game}.{len(store.open(None).file.events)}"
        case "current":
            return f"{current}"
        case "payments":
            from generala_cli.ledger.storing import load  # only its own forms depend on payments

            return f"{len(load(store).file.events)}"


def offered(watcher: Watcher, shown: Sequence[SeenGame]) -> Iterator[OfferedForm]:
    for name, form in FORMS.items():
        if form.of_package and not is_installed(form.of_package):
            continue
        if not (form.leads_elsewhere and watcher.is_fixed) and _makes_sense(name, watcher, shown):
            yield OfferedForm(name=name, label=translated(form.label))


def _makes_sense(name: str, watcher: Watcher, shown: Sequence[SeenGame]) -> bool:
    games = [seen for seen in shown if seen.stored is not None]
    now = games[0] if games else None
    match name:
        case "new" | "pay":
            return True
        case "another":
            return watcher.has_other_games
        case "entry":
            return watcher.has_entry_fee
        case "unpay":
            return watcher.has_payments
        case "withdraw":
            return now is not None and now.events == 0
        case "leave" | "end":
            return now is not None and not now.is_over
        case "version":
            return any(isinstance(seen.trouble, Conflict) or _was_chosen(seen) for seen in shown)
        case _:
            return now is not None


def _was_chosen(seen: SeenGame) -> bool:
    events = () if seen.stored is None else seen.stored.file.events
    return any(isinstance(recorded.event, Chosen) for recorded in events)
