from collections.abc import Sequence
from datetime import datetime
from itertools import accumulate
from typing import Any, Unpack

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.app.region import local_currency
from generala_cli.errors import DamagedFile, FileError, NotFound, UsageError
from generala_cli.game.events import Agreed
from generala_cli.game.seating import Openings
from generala_cli.game.starting import Terms, again, start
from generala_cli.games.answers import NewGame
from generala_cli.messages import lazy, lazy_count
from generala_cli.rules.notation import dice_groups, parse_faces
from generala_cli.rules.options import key_and_value, with_settings_typed
from generala_cli.rules.ruleset import RuleSet
from generala_cli.store.game_lists import check_people, day_played
from generala_cli.store.store import Store, StoredGame
from generala_cli.text import find_player


class StartedGame(Struct, frozen=True, kw_only=True):
    """A game that was started, or would be in a dry run; `unfinished` is the game before, if not over."""

    stored: StoredGame
    unfinished: int | None
    is_from_paper: bool
    is_current: bool

    def document(self) -> NewGame:
        return NewGame(
            **game_terms(self.stored),
            unfinished=self.unfinished,
            saved=self.stored.saved,
            started=self.stored.file.started,
            current=self.is_current,
        )


def game_terms(stored: StoredGame) -> dict[str, Any]:
    game, agreed = stored.game, stored.game.agreed
    return {
        "game": stored.number,
        "label": agreed.label,
        "rules": game.rules.name,
        "settings": dict(game.rules.settings),
        "players": game.seats,
        "teams": agreed.sides,
        "stake": agreed.stake,
        "unit": agreed.unit,
        "method": agreed.payout,
        "next": game.to_move,
    }


def new(
    store: Store,
    rules: RuleSet,
    names: Sequence[str],
    *,
    settings: Sequence[str] = (),
    openings: Sequence[str] = (),
    played: str | None = None,
    dry_run: bool = False,
    **terms: Unpack[Terms],
) -> StartedGame:
    """Start a game; `played` is the typed day on which it was played, if that is over."""
    rules = with_settings_typed(rules, settings)
    thrown = _openings(openings, names, rules)
    agreed = start(rules, names, openings=thrown, local_currency=local_currency(), **terms)
    return _begin(store, agreed, dry_run, started=None if played is None else day_played(store, played))


def rematch(
    store: Store,
    reference: str | None,
    *,
    settings: Sequence[str] = (),
    label: str = "",
    openings: Sequence[str] = (),
    back: Sequence[str] = (),
    first: str = "",
    dry_run: bool = False,
) -> StartedGame:
    """Start a game with the players, sides, rules and stake of an earlier one. `settings` change its rules.

    The seats stay the same unless there are opening throws. Players who left take part only if in `back`.
    """
    last = store.open(reference).game
    rules = with_settings_typed(last.rules, settings)
    who = [find_player(name, last.seats) for name in back]
    thrown = _openings(openings, last.seats, rules)
    agreed = again(last, rules=rules, label=label, openings=thrown, back=who, first=first)
    return _begin(store, agreed, dry_run, before=last.seats)


def _begin(
    store: Store,
    agreed: Agreed,
    dry_run: bool,
    *,
    before: Sequence[str] = (),
    started: datetime | None = None,
) -> StartedGame:
    check_people(store, agreed.players, before=before)
    try:
        current = store.current_or_none()
    except DamagedFile:  # must not prevent a new game
        current = None
    unfinished = current if current is not None and is_unfinished(store, current) else None
    is_from_paper = started is not None
    is_current = unfinished is None or not is_from_paper
    if dry_run:
        stored = replace(store.preview_new(agreed, started), saved=False)
    else:
        stored = store.add(agreed, started=started, is_current=is_current)
    return StartedGame(
        stored=stored, unfinished=unfinished, is_from_paper=is_from_paper, is_current=is_current
    )


def is_unfinished(store: Store, number: int) -> bool:
    try:
        return store.summary(number).result.next is not None
    except (FileError, NotFound):
        return False


def _openings(texts: Sequence[str], names: Sequence[str], rules: RuleSet) -> Openings:
    """Read texts such as `Ana=55533` or `Ana=55533,12345`. Further throws of a player break ties."""
    found: dict[str, tuple[tuple[int, ...], ...]] = {}
    first = next((name for name in names if name.strip()), "Ana")
    for text in texts:
        name, dice = key_and_value(text, "--opening", f"{first}={rules.example}", last=True)
        player = find_player(name, [name.strip() for name in names])
        found[player] = (*found.get(player, ()), *_opening_throws(dice, rules))
    return found


def _opening_throws(text: str, rules: RuleSet) -> Sequence[tuple[int, ...]]:
    faces = parse_faces([text], faces=rules.faces)
    starts = range(0, len(faces), rules.dice)
    ends = set(accumulate(map(len, dice_groups(text))))
    if not {start + rules.dice for start in starts} <= ends:
        what = lazy("{text!r} is not a whole opening throw", text=text)
        hint = lazy_count(
            "it has {count} die, as in {example}",
            "it has {count} dice, as in {example}",
            rules.dice,
            example=rules.example,
        )
        raise UsageError(what, hint)
    return [faces[start : start + rules.dice] for start in starts]
