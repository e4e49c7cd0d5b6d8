from collections.abc import Sequence
from typing import TYPE_CHECKING

from generala_cli.cli.session import Answer, Session
from generala_cli.game.turnline import TurnLine
from generala_cli.table import turns

if TYPE_CHECKING:  # drawing needs no document
    from generala_cli.table.answers import EntryAnswer


def enter_line(
    session: Session,
    words: Sequence[str],
    *,
    roll: str | None,
    category: str | None = None,
    player: str | None,
    threw: Sequence[str] | None,
) -> "Answer[EntryAnswer]":
    line = TurnLine(words=words, roll=roll, category=category, player=player, threw=threw or ())
    if session.can_ask and category is None:
        from generala_cli.table.deciding import enter_or_ask  # needed only to ask

        entered = enter_or_ask(session, line)
    else:
        entered = turns.enter(session.store, line, dry_run=session.dry_run)
    return session.as_change(Answer.of(entered, entered.document))
