from functools import partial
from typing import TYPE_CHECKING, Annotated

from msgspec.structs import replace

from generala_cli.cli import completers
from generala_cli.cli.parameters import (
    MaybeUnit,
    Payout,
    Unit,
    argument,
    one_unit,
    option,
    points_note,
    unit_note,
)
from generala_cli.cli.prompts import ask_unit, read_or_ask
from generala_cli.cli.session import Answer, Session, open_house_rules
from generala_cli.errors import Retyped, UsageError
from generala_cli.game.events import Staked
from generala_cli.game.money import METHOD_WORDS, POINT
from generala_cli.messages import LANGUAGES, CommandLine, FirstWord, lazy
from generala_cli.rules.ruleset import RuleSet
from generala_cli.text import find_word

if TYPE_CHECKING:  # only for the schema
    from generala_cli.table.answers import ChangeAnswer
    from generala_cli.table.results import TableChanged
    from generala_cli.table.turns import CheckName

Old = Annotated[str | None, argument("OLD", "The player's current name.", completers.seated)]
New = Annotated[str | None, argument("NEW", "The new name.")]
NewLabel = Annotated[
    str | None, option("--label", "The new label of the game, instead of a player's name.", "LABEL")
]
Leaving = Annotated[str, argument("NAME", "The player who goes home.", completers.playing)]
Joining = Annotated[str, argument("NAME", "The player who comes late or is back.", completers.gone)]
Exactly = Annotated[
    bool, option("--exactly", "Take the name exactly as typed, even if it looks like something else.")
]
Amount = Annotated[str, argument("AMOUNT", "The stake per point; with pot and low-pays, per game.")]


def rename(
    session: Session,
    old: Old = None,
    new: New = None,
    exactly: Exactly = False,
    label: NewLabel = None,
) -> "Answer[ChangeAnswer]":
    """Rename a player in every view of this game, or change the game's label.

    The log also shows the old name. You can rename after the end of a game, too. Undo reverts it.
    """
    from generala_cli.table import turns

    if label is not None:
        return _answer(session, turns.label(session.store, label, dry_run=session.dry_run))
    if old is None or new is None:
        missing = CommandLine("OLD" if old is None else "NEW")
        line = CommandLine("generala rename OLD NEW")
        raise UsageError(lazy("{name} is missing", name=missing), lazy("type {command}", command=line))
    return _answer(
        session, turns.rename(session.store, old, new, check=_check(exactly), dry_run=session.dry_run)
    )


def leave(session: Session, player: Leaving) -> "Answer[ChangeAnswer]":
    """Let a player go home before the end.

    The points so far count, and may win. Open boxes count 0, turns skip the player, and the game ends when
    the others are done. Undo reverts it; join brings the player back later.
    """
    from generala_cli.table import turns

    return _answer(session, turns.leave(session.store, player, dry_run=session.dry_run))


def join(session: Session, player: Joining, exactly: Exactly = False) -> "Answer[ChangeAnswer]":
    """Add a late player after the others, or bring back a player who left.

    Missed turns are played first. A player who comes back keeps the old column. Undo reverts it.
    """
    from generala_cli.table import turns

    return _answer(session, turns.join(session.store, player, check=_check(exactly), dry_run=session.dry_run))


def end(session: Session) -> "Answer[ChangeAnswer]":
    """End the game early, as it stands.

    Open boxes count 0. Places and payouts are final, and the ledger counts the game. Undo reverts it.
    """
    from generala_cli.table import turns

    return _answer(session, turns.end(session.store, dry_run=session.dry_run))


def stake(
    session: Session, amount: Amount, word: MaybeUnit = None, unit: Unit = None, payout: Payout = None
) -> "Answer[ChangeAnswer]":
    """Change the stake of the whole game, even after its end.

    The unit and the payout method stay the same unless you give them. Undo reverts it. generala payouts
    tries other stakes without changing anything.
    """
    from generala_cli.table import turns

    if word and (method := find_word(word, METHOD_WORDS)):
        what = lazy("{word!r} is a payout method, not a unit", word=word)
        shown = LANGUAGES.spoken.text_of(FirstWord(METHOD_WORDS[method]))
        hint = lazy("type --payout {method}", method=shown)
        raise Retyped(what, hint, word=word, meant=(("--payout", shown),))
    unit = one_unit(word, unit)
    is_without_unit = unit is None and session.store.open(None).game.agreed.unit == POINT
    if is_without_unit and session.can_ask:
        unit, is_without_unit = ask_unit(amount), False
    change = partial(turns.stake, session.store, payout=payout, dry_run=session.dry_run)
    changed = read_or_ask(session, change, amount=amount, unit=unit)
    made = changed.change
    assert isinstance(made, Staked)
    answer = _answer(session, changed)
    for_points = (points_note(made.stake),) if is_without_unit else ()
    return replace(answer, notes=(*unit_note(unit, made.unit), *for_points, *answer.notes))


_EXACTLY = lazy("add --exactly if that is a player's name")


def _check(exactly: bool) -> "CheckName":
    from generala_cli.app.naming import NameContext, doubt_name

    def check(name: str, rules: RuleSet) -> None:
        if not exactly:
            context = NameContext(rules=rules, rule_sets=open_house_rules().readable_names())
            doubt_name(name, context, as_is=_EXACTLY)

    return check


def _answer(session: Session, changed: "TableChanged") -> "Answer[ChangeAnswer]":
    return session.as_change(Answer.of(changed, changed.document))
