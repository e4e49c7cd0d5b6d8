"""The JSON documents that a board sends to its page."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, Struct, UnsetType

from generala_cli.board.seats import ViewerKind
from generala_cli.render.documents import Count, Dice, Document, Ordinal
from generala_cli.render.documents.sheet import SheetDocument
from generala_cli.render.forms import Field
from generala_cli.table.answers import StandingsDocument

if TYPE_CHECKING:  # only needed for type checks
    from generala_cli.game.decisions import Option


class BoardGame(Struct, frozen=True, kw_only=True):
    """A game on the page: documents of commands, and texts in the viewer's language.

    Attributes:
        events: the number of events. A pad sends it back to say which state it saw.
        problem: why the game is unreadable or unreliable. If `sheet` is null too, nothing can be shown.
        instant_win: the name of a hand that wins at once, or "".
        corrected: the turn that the latest entry corrected, or 0.
        upper: the ids of the number categories, which sheets show as a block.
        bests, trophies: players with a personal best, and the records with their holders.
        debts: the debts if the game ended now; `between` has their debtors and creditors.
        undo_of: the player whose entry an undo would undo, or "".
        cards: the faces of poker dice; empty in other games.
        waiting: players who have not played this round, the player to move first.
        usual_throw, last_throw: the default throw of a typed hand, and the highest possible one.
        throws_matter: whether the pad asks for the throw.
        de_mano: the throw to send for a second throw that stands de mano; empty without turning.
        odds: the document of `generala odds --json`; `odds_problem` says why there is none.
    """

    game: Ordinal
    label: str = ""
    events: Count = 0
    problem: str = ""
    terms: str = ""
    news: str = ""
    hand: Dice = ()
    corrected: Count = 0
    names: dict[str, str] = {}
    instant_win: str = ""
    upper: tuple[str, ...] = ()
    extra: str = ""
    sheet: SheetDocument | None = None
    standings: StandingsDocument | None = None
    headline: str = ""
    bests: tuple[str, ...] = ()
    trophies: tuple[str, ...] = ()
    ending: tuple[str, ...] = ()
    debts: tuple[str, ...] = ()
    between: tuple[tuple[str, str], ...] = ()
    undo_of: str = ""
    waiting: tuple[str, ...] = ()
    dice: Count = 0
    faces: Count = 0
    cards: tuple[str, ...] = ()
    usual_throw: Count = 0
    last_throw: Count = 0
    throws_matter: bool = False
    de_mano: str = ""
    marks_first_throw: bool = False
    odds: Mapping[str, Any] | UnsetType = UNSET
    odds_problem: str = ""


class BoardLedger(Struct, frozen=True, kw_only=True):
    """Debts over all games of tonight, a sentence each; `problem` names the skipped games."""

    transfers: tuple[str, ...]
    problem: str = ""


class JoinCode(Struct, frozen=True, kw_only=True):
    """An address, and its QR code: an SVG path with that many modules per side."""

    address: str
    path: str
    modules: Count


class BoardView(Document, frozen=True, kw_only=True):
    """The data for the page; `hint` says why no game is `current`."""

    current: Ordinal | None
    hint: str = ""
    games: tuple[BoardGame, ...]
    ledger: BoardLedger | UnsetType = UNSET
    join: JoinCode | UnsetType = UNSET
    present: tuple[str, ...] = ()


class AskingPhone(Struct, frozen=True, kw_only=True):
    """A phone that asks for a seat, which `replaces` another phone's."""

    number: Count
    name: str
    replaces: bool


class SeatedPlayer(Struct, frozen=True, kw_only=True):
    name: str
    phone: bool


class OfferedForm(Struct, frozen=True, kw_only=True):
    name: str
    label: str


class OpenDebt(Struct, frozen=True, kw_only=True):
    """A debt of tonight, as a `line` for the viewer. The rest is empty for a pot."""

    line: str
    debtor: str = ""
    creditor: str = ""
    amount: str = ""
    unit: str = ""


class UndoablePayment(Struct, frozen=True, kw_only=True):
    id: str
    line: str


class PageSeat(Document, frozen=True, kw_only=True):
    """A viewer's role, the actions allowed, and the data for them.

    Attributes:
        name: the owner of a player's pad, or the player who asks to be let in.
        players: for a player's pad, the player's name in each game.
        owed: the debts of tonight that the viewer may record as paid: a player's own, or everyone's.
        paid: the last of their payments, which the viewer may undo.
        known: for a guest, the names to choose from.
        closed: whether asking for a seat is impossible.
        own_code: for the keeper, the code of the keeper's own address.
        again_in: for a refused guest, the seconds until they may ask again.
    """

    kind: ViewerKind
    name: str = ""
    players: Mapping[str, str] = {}
    owed: tuple[OpenDebt, ...] = ()
    paid: UndoablePayment | None = None
    known: tuple[str, ...] = ()
    closed: bool = False
    again_in: Count | UnsetType = UNSET
    asking: tuple[AskingPhone, ...] = ()
    seats: tuple[SeatedPlayer, ...] = ()
    forms: tuple[OfferedForm, ...] = ()
    own_code: JoinCode | UnsetType = UNSET


class PadForm(Document, frozen=True, kw_only=True):
    """A form on a pad, which sends `state` back to say which state of the game it saw."""

    name: str
    title: str
    question: str
    confirm: str
    state: str
    fields: tuple[Field, ...]


class PadDone(Document, frozen=True, kw_only=True):
    message: str


class PadOption(Struct, frozen=True, kw_only=True):
    """A box for a hand; `points` is null if it would be scratched. The `marked` box is the default."""

    category: str
    points: Count | None
    wins: bool
    marked: bool


class PadOptions(Document, frozen=True, kw_only=True):
    """The boxes for a hand, in the order of the sheet.

    `notes` are remarks: why no box is marked, that the hand is a joker, or that it uses saved throws.
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
