"""What the board sends its page: all that is drawn, what the page is for, and what a pad may send."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, UnsetType

from generala_cli.advice.answers import Odds
from generala_cli.board.seats import ViewerKind
from generala_cli.render.documents import Count, Dice, Document, Ordinal
from generala_cli.render.documents.sheet import SheetDocument, StandingsDocument
from generala_cli.render.forms import Field
from generala_cli.tournament.answers import TournamentTable

if TYPE_CHECKING:  # a document needs nothing of what makes the other answers
    from generala_cli.game.decisions import Option


class BoardGame(Struct, frozen=True, kw_only=True):
    """A game on the page: the answers of commands about it, and sentences in the language of who looks.

    Attributes:
        events: how many there are, by which a pad says what it saw.
        problem: why it cannot be read, or not be trusted; with `sheet` null, nothing of it can be shown.
        names: the categories by their ids. extra: what the row of extra bonuses is called.
        terms: rules and stake. news: what happened last.
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
    extra: str = ""
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


class JoinCode(Struct, frozen=True, kw_only=True):
    """Where one asks for a seat, and its code: the path of an SVG with so many modules a side."""

    address: str
    path: str
    modules: Count


class BoardView(Document, frozen=True, kw_only=True):
    """All that the page draws. `current` is the game that is played now; `hint` says why there is none.

    `join` is left out where nobody can ask for a seat; `present` are those whose phones were let in.
    """

    current: Ordinal | None
    hint: str = ""
    games: tuple[BoardGame, ...]
    ledger: BoardLedger | UnsetType = UNSET
    join: JoinCode | UnsetType = UNSET
    present: tuple[str, ...] = ()


class BoardTable(TournamentTable, frozen=True, kw_only=True):
    """A table of a tournament, and how far it is: in which of its `rounds`, of 100 how much is played.

    `problem` says why it cannot be read.
    """

    round: Count = 0
    rounds: Count = 0
    played: Count = 0
    problem: str = ""


class BoardTables(Document, frozen=True, kw_only=True):
    """What a tournament's board shows of its last round; `heading` names that, or the tournament alone.

    Attributes:
        seating: what is another once another round is seated; "" before the first.
        byes: who sits out. elsewhere: what other machines did in that round that does not count.
        problem: what is wrong with the tournament's file.
    """

    heading: str
    seating: str
    tables: tuple[BoardTable, ...]
    byes: tuple[str, ...]
    elsewhere: tuple[str, ...] = ()
    problem: str = ""


class AskingPhone(Struct, frozen=True, kw_only=True):
    """A phone that asks for a seat; `replaces` where another phone has that seat."""

    number: Count
    name: str
    replaces: bool


class SeatedPlayer(Struct, frozen=True, kw_only=True):
    """Somebody who has a seat this evening; `phone` whether a phone was let in for them."""

    name: str
    phone: bool


class OfferedForm(Struct, frozen=True, kw_only=True):
    """A form that the keeper's pad may ask for, and what its button says."""

    name: str
    label: str


class PageSeat(Document, frozen=True, kw_only=True):
    """For whom a page is: what it may send, and what it needs for that.

    Attributes:
        name: of the player whose pad it is, or who asks to be let in.
        players: of a player's pad, what that player is called in each game.
        owes: of a player's pad, who owes them and whom they owe tonight, a sentence each.
        known: of a guest, the names of who may be meant.
        asking, seats, forms: of the keeper's.
    """

    kind: ViewerKind
    name: str = ""
    players: Mapping[str, str] = {}
    owes: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    asking: tuple[AskingPhone, ...] = ()
    seats: tuple[SeatedPlayer, ...] = ()
    forms: tuple[OfferedForm, ...] = ()


class PadForm(Document, frozen=True, kw_only=True):
    """A form as a pad shows it; `state` is sent back with it, by which it is known what was seen."""

    name: str
    title: str
    question: str
    state: str
    fields: tuple[Field, ...]


class PadDone(Document, frozen=True, kw_only=True):
    """What a pad sent was done; `message` says what that was."""

    message: str


class PadOption(Struct, frozen=True, kw_only=True):
    """A box that the hand may go to; `points` is null where it would be scratched.

    `marked` is the one that it goes to unless another is chosen; none where somebody has to choose.
    """

    category: str
    points: Count | None
    wins: bool
    marked: bool


class PadOptions(Document, frozen=True, kw_only=True):
    """The boxes that a hand may go to, as they follow on the sheet.

    `notes` say what else there is to know: why none is marked, that it is a joker, which throws it takes.
    """

    dice: Dice
    options: tuple[PadOption, ...]
    notes: tuple[str, ...]


def pad_options(
    dice: Dice, found: "Sequence[Option]", marked: "Option | None", notes: Sequence[str]
) -> PadOptions:
    return PadOptions(
        dice=dice,
        options=tuple(
            PadOption(
                category=each.category.id,
                points=each.points,
                wins=each.wins,
                marked=marked is not None and each.key == marked.key,
            )
            for each in found
        ),
        notes=tuple(notes),
    )
