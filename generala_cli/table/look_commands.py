from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Annotated

from msgspec.structs import replace

from generala_cli.cli import completers
from generala_cli.cli.parameters import MaybeGame, option, unit_note
from generala_cli.cli.prompts import read_or_ask
from generala_cli.cli.session import Answer, Session, open_house_rules, read_input
from generala_cli.errors import GeneralaError, NotFound, UsageError
from generala_cli.messages import lazy
from generala_cli.render.language import in_all_letters
from generala_cli.text import find_player

if TYPE_CHECKING:  # only for the schema
    from rich.console import RenderableType

    from generala_cli.render.documents.sheet import SheetDocument
    from generala_cli.render.screen import Screen
    from generala_cli.table.answers import BlankSheetDocument, LogAnswer, PayoutsDocument, StandingsDocument

TriedStake = Annotated[str | None, option("--stake", "Try a different stake.", "AMOUNT")]
_UNIT = lazy("Try a different unit, such as USD or drink.")
TriedUnit = Annotated[str | None, option("--unit", _UNIT, "UNIT", completers.units)]
_METHOD = lazy("Try a different method: difference, pairwise, pot or low-pays.")
TriedMethod = Annotated[str | None, option("--method", _METHOD, "METHOD", completers.methods)]
_BLANK = lazy("An empty sheet, to print and fill in by hand.")
Blank = Annotated[bool, option("--blank", _BLANK)]
Columns = Annotated[
    int | None, option("--players", "Columns of a blank sheet; by default 4.", "N", is_number=True)
]
_RULES = lazy("Rules of a blank sheet; by default the current game's, or generala.")
BlankRules = Annotated[str | None, option("--rules", _RULES, "NAME|FILE", completers.rule_sets)]
_HTML = lazy("A blank sheet as an HTML page, to print.")
Html = Annotated[bool, option("--html", _HTML)]
Everything = Annotated[bool, option("--all", "Include corrections and undone entries.")]


def sheet(
    session: Session,
    game: MaybeGame = None,
    blank: Blank = False,
    players: Columns = None,
    rules: BlankRules = None,
    html: Html = False,
) -> "Answer[SheetDocument | BlankSheetDocument]":
    """Show the scoresheet: players across, categories down, totals below.

    generala sheet --blank prints an empty sheet; add --html > sheet.html for a web page to print.
    """
    if blank:
        from generala_cli.render import blank_page
        from generala_cli.table import looking

        empty = looking.blank_sheet(
            session.store, game, rules, open_house_rules(), read_input, players=players
        )
        if html:
            with in_all_letters():
                page = blank_page.page(empty.rules, empty.columns)
            return replace(Answer.of_text(page, lambda: empty.document(page)), raw=lambda: [page.encode()])
        return Answer.of(empty, empty.document)
    if html:
        raise UsageError("--html is for a blank sheet", "generala export --format html prints a game's")
    try:
        stored = session.store.open(game)
    except NotFound as error:
        raise _player_not_game(session, game) or error from error

    def draw(screen: "Screen") -> "RenderableType":
        from generala_cli.render.tables import sheet

        return sheet(stored, screen)

    def document() -> "SheetDocument":
        from generala_cli.render.documents.sheet import sheet

        return sheet(stored)

    return Answer(draw, document)


def _player_not_game(session: Session, typed: str | None) -> NotFound | None:
    with suppress(GeneralaError):
        if typed is not None:
            player = find_player(typed, session.store.open(None).game.seats)
            hint = lazy("generala sheet shows every column; generala stats NAME shows a player's statistics")
            return NotFound("{player} is a player, not a game", hint, player=player)
    return None


def standings(session: Session, game: MaybeGame = None) -> "Answer[StandingsDocument]":
    """Show places and margins, between players or between sides."""
    from generala_cli.table import looking

    found = looking.standings(session.store.open(game))
    return Answer.of(found, found.document)


def payouts(
    session: Session,
    game: MaybeGame = None,
    stake: TriedStake = None,
    unit: TriedUnit = None,
    method: TriedMethod = None,
) -> "Answer[PayoutsDocument]":
    """Show who owes whom, to the cent. An unfinished game is shown as if it ended now.

    difference: each loser owes the winner the difference in points. pairwise: every pair settles.
    pot: everyone antes one stake and the winner takes all. low-pays: the lowest total pays one stake
    for every other player.
    """
    from generala_cli.table import looking

    read = partial(looking.payouts, session.store, game, method=method)
    settled = read_or_ask(session, read, stake=stake, unit=unit)
    return replace(Answer.of(settled, settled.document), notes=unit_note(unit, settled.payout.unit))


def log(session: Session, game: MaybeGame = None, everything: Everything = False) -> "Answer[LogAnswer]":
    """Show every entry in order, with dice, throw, category, points and time."""
    from generala_cli.table import looking

    found = looking.log(session.store, game, everything=everything)
    return Answer.of(found, found.document).long()
