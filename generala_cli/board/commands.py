import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

from msgspec.structs import replace

from generala_cli.cli import completers
from generala_cli.cli.output import note, write
from generala_cli.cli.parameters import Yes, argument, option
from generala_cli.cli.pictures import page_path
from generala_cli.cli.session import Answer, Session, open_house_rules
from generala_cli.messages import Message, lazy
from generala_cli.packages import is_installed
from generala_cli.render.language import in_users_language, translate
from generala_cli.render.screen import Screen, screen_of
from generala_cli.store.files import write_whole
from generala_cli.text import safe

if TYPE_CHECKING:  # at run time, only `generala schema` needs these
    from generala_cli.board.answers import BoardAddresses


def _games_or_tournaments(context: completers.Context) -> Iterable[str]:
    if not context.params.get("of_tournament") or not is_installed("tournament"):
        return completers.games(context)
    from generala_cli.tournament.completing import tournaments

    return tournaments(context)


_LAN = lazy("Show it to everyone on the same network, such as the bar's Wi-Fi, not only on this machine.")
Lan = Annotated[bool, option("--lan", _LAN)]
_PORT = lazy("The port; the default is the last one used, or any free one.")
Port = Annotated[int | None, option("--port", _PORT, "N", is_number=True)]
_PAD = lazy("Play on phones: players scan the code to ask for a seat, and the keeper lets them in.")
Pad = Annotated[bool, option("--pad", _PAD)]
Tonight = Annotated[bool, option("--tonight", "Show all games of this evening and who owes whom.")]
Odds = Annotated[bool, option("--odds", "Also show each player's chance of winning.")]
_TOURNAMENT = lazy("Show the tables of a tournament: the one you name, or the newest unfinished one.")
OfTournament = Annotated[bool, option("--tournament", _TOURNAMENT)]
_SHOWN = lazy(
    "A game's number or label, or a unique prefix; the default is the current "
    "game. With --tournament, a tournament's."
)
MaybeShown = Annotated[str | None, argument("[GAME|TOURNAMENT]", _SHOWN, _games_or_tournaments)]
_QR = lazy("Also write the QR codes to this .html file, a page to print.")
Codes = Annotated[str | None, option("--qr", _QR, "FILE", completers.files)]


def board(
    session: Session,
    game: MaybeShown = None,
    lan: Lan = False,
    port: Port = None,
    pad: Pad = False,
    tonight: Tonight = False,
    odds: Odds = False,
    of_tournament: OfTournament = False,
    qr: Codes = None,
    yes: Yes = False,
) -> "Answer[BoardAddresses]":
    """Show the game live on phones and big screens, until you press Ctrl-C.

    Anyone who scans the QR code sees the sheet, the next player, the ranking and the debts. The board
    follows the current game, even into a rematch. Viewers cannot enter anything; that takes a link from
    --pad. For streaming, add ?overlay to the address to make the page transparent.

    generala board --tournament Copa shows the seats, the progress of each table and the standings. A
    phone shows its own player's seat and, with --pad, the pad of that seat.
    """
    from generala_cli.board import drawing
    from generala_cli.board.running import (  # loads a server, which no other command needs
        Board,
        BoardSettings,
    )

    path = page_path(session, qr, yes=yes)
    settings = BoardSettings(
        lan=lan, port=port, pad=pad, tonight=tonight, odds=odds, tournament=of_tournament
    )
    opened = Board(session.store, game, settings, open_house_rules(), on_trouble=_report)
    opened.end_on_signals()  # before the address is printed
    addresses = opened.addresses
    notes: tuple[Message, ...] = ()
    if path is not None:
        with in_users_language():
            write_whole(path, drawing.page(addresses), mode=0o600)  # it contains every player's secret link
        notes = (lazy("saved to {file}", file=safe(path)),)

    def announce(player: str, address: str) -> None:
        if not session.json:
            write(drawing.pad(player, address, screen_of(sys.stdout, session.color or "auto")))

    def run() -> None:
        opened.run(announce)
        if not session.json:
            write(f"{translate('the board is closed')}\n")

    def draw(screen: Screen) -> str:
        return drawing.addresses(addresses, screen, is_local=not lan, with_pads=not of_tournament)

    answer = Answer(draw, lambda: addresses)
    return replace(answer, notes=() if session.quiet else notes, then=run)


def _report(trouble: str) -> None:
    sentence = translate(
        "could not answer a request ({trouble}); the board is still running", trouble=trouble
    )
    note(f"generala: {safe(sentence)}\n")
