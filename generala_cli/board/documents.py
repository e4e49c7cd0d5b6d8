"""What the board sends its page: all that is drawn, and where a hand may go that a pad has."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, UnsetType

from generala_cli.advice.answers import Odds
from generala_cli.render.documents import Count, Dice, Document, Ordinal
from generala_cli.render.documents.sheet import SheetDocument, StandingsDocument

if TYPE_CHECKING:  # a document needs nothing of what makes the other answers
    from generala_cli.game.decisions import Option


class BoardGame(Struct, frozen=True, kw_only=True):
    """A game on the page: the answers of commands about it, and sentences in the language of who looks.

    Attributes:
        events: how many there are, by which a pad says what it saw.
        problem: why it cannot be read, or not be trusted; with `sheet` null, nothing of it can be shown.
        names: the categories by their ids. terms: rules and stake. news: what happened last.
        ending: who has won, and how. debts: who owes whom, or would if it ended now.
        waiting: who has not had this round's turn, the player to move first.
        dice: of a hand. faces: of a die. usual_throw: the one that is meant where none is typed.
        last_throw: the highest that the player to move may have; throws_matter: whether it is asked for.
        marks_first_throw: it may pay more. odds_problem: that there are none, where they were asked for.
    """

    game: Ordinal
    label: str = ""
    events: Count = 0
    problem: str = ""
    terms: str = ""
    news: str = ""
    names: dict[str, str] = {}
    sheet: SheetDocument | None = None
    standings: StandingsDocument | None = None
    ending: tuple[str, ...] = ()
    debts: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    dice: Count = 0
    faces: Count = 0
    usual_throw: Count = 0
    last_throw: Count = 0
    throws_matter: bool = False
    marks_first_throw: bool = False
    odds: Odds | UnsetType = UNSET
    odds_problem: str = ""


class BoardLedger(Struct, frozen=True, kw_only=True):
    """Who owes whom by all games of tonight, a sentence each; `problem`: what is left out, and why."""

    transfers: tuple[str, ...]
    problem: str = ""


class BoardView(Document, frozen=True, kw_only=True):
    """All that the page draws. `current` is the game that is played now; `hint` says why there is none."""

    current: Ordinal | None
    hint: str = ""
    games: tuple[BoardGame, ...]
    ledger: BoardLedger | UnsetType = UNSET


class PadOption(Struct, frozen=True, kw_only=True):
    """A box that the hand may go to; `points` is null where it would be scratched.

    `marked` is the one that it goes to unless another is chosen; none where somebody has to choose.
    """

    category: str
    points: Count | None
    wins: bool
    marked: bool


class PadOptionsDocument(Document, frozen=True, kw_only=True):
    """The boxes that a hand may go to, those that pay most first."""

    dice: Dice
    options: tuple[PadOption, ...]


def pad_options(dice: Dice, found: "Sequence[Option]", marked: "Option | None") -> PadOptionsDocument:
    options = [
        PadOption(
            category=each.category.id,
            points=each.points,
            wins=each.wins,
            marked=marked is not None and each.key == marked.key,
        )
        for each in found
    ]
    options.sort(key=lambda option: -(option.points or 0))
    return PadOptionsDocument(dice=dice, options=tuple(options))
