"""rename, leave, join, stake: who plays and what for, in a game that has begun."""

from typing import TYPE_CHECKING, Annotated

from msgspec.structs import replace

from generala_cli.cli import completers
from generala_cli.cli.asking import ask_amount
from generala_cli.cli.lazy import app, documents, render
from generala_cli.cli.parameters import Payout, Unit, argument, option, unit_note
from generala_cli.cli.session import Answer, Session, open_house_rules
from generala_cli.game.events import Staked
from generala_cli.messages import tell
from generala_cli.rules.ruleset import RuleSet

if TYPE_CHECKING:  # only the schema of an answer asks for its class
    from generala_cli.render.documents.entries import TableChangeDocument

Old = Annotated[str, argument("OLD", "The player, by the name so far.", completers.seated)]
New = Annotated[str, argument("NEW", "The name from now on.")]
Leaving = Annotated[str, argument("NAME", "Who goes home.", completers.playing)]
Joining = Annotated[str, argument("NAME", "Who comes late, or is back.", completers.gone)]
Exactly = Annotated[bool, option("--exactly", "Take the name as it is typed, whatever else it may mean.")]
Amount = Annotated[str, argument("AMOUNT", "Per point; per game with pot and low-pays.")]


def rename(session: Session, old: Old, new: New, exactly: Exactly = False) -> "Answer[TableChangeDocument]":
    """Call a player by another name, in every view of this game.

    The log still shows the name so far. It works after the end of a game too; undo takes it back.
    """
    return _answer(
        session, app.playing.rename(session.store, old, new, check=_check(exactly), dry_run=session.dry_run)
    )


def leave(session: Session, player: Leaving) -> "Answer[TableChangeDocument]":
    """Let a player go home before the end.

    The points written so far count, winning included. Boxes still open count 0, turns pass over who left,
    and the game ends when the others are done. Undo takes it back; join brings them back later.
    """
    return _answer(session, app.playing.leave(session.store, player, dry_run=session.dry_run))


def join(session: Session, player: Joining, exactly: Exactly = False) -> "Answer[TableChangeDocument]":
    """Let one who comes late play too, after the others.

    The turns missed are played first. One who had left is back in the old column. Undo takes it back.
    """
    return _answer(
        session, app.playing.join(session.store, player, check=_check(exactly), dry_run=session.dry_run)
    )


def stake(
    session: Session, amount: Amount, unit: Unit = None, payout: Payout = None
) -> "Answer[TableChangeDocument]":
    """Play the whole game for something else, also after its end.

    The unit and the payout method stay as they were agreed, unless they are given. Undo takes it back;
    generala payouts tries other stakes and changes nothing.
    """
    amount = ask_amount(session, amount)
    changed = app.playing.stake(session.store, amount, unit=unit, payout=payout, dry_run=session.dry_run)
    assert isinstance(changed.change, Staked)
    answer = _answer(session, changed)
    return replace(answer, notes=(*unit_note(unit, changed.change.unit), *answer.notes))


_EXACTLY = tell("add --exactly for someone called that")


def _check(exactly: bool) -> "app.playing.CheckName":
    """Return the check that refuses a name that was surely meant for something else."""

    def check(name: str, rules: RuleSet) -> None:
        if not exactly:
            app.naming.doubt_name(
                name,
                app.naming.NameContext(rules=rules, rule_sets=open_house_rules().names()),
                as_is=_EXACTLY,
            )

    return check


def _answer(session: Session, changed: "app.playing.TableChanged") -> "Answer[TableChangeDocument]":
    return session.as_change(Answer.of(changed, render.lines.changed, documents.entries.changed))
