"""The command `board`."""

import sys
from typing import TYPE_CHECKING, Annotated

from msgspec.structs import replace

from generala_cli.cli import completers
from generala_cli.cli.output import note, write
from generala_cli.cli.parameters import Yes, argument, option
from generala_cli.cli.pictures import page_path
from generala_cli.cli.session import Answer, Session, open_house_rules
from generala_cli.messages import Message, lazy
from generala_cli.render.language import in_users_language, translate
from generala_cli.render.screen import Screen, screen_of
from generala_cli.store.files import write_whole
from generala_cli.text import safe

if TYPE_CHECKING:  # at run time, only `generala schema` needs these
    from generala_cli.board.answers import BoardAddresses

_LAN = lazy("Show it to everybody in the same network, as the bar's Wi-Fi; else on this machine alone.")
Lan = Annotated[bool, option("--lan", _LAN)]
_PORT = lazy("The port; by default that of last time, or any that is free.")
Port = Annotated[int | None, option("--port", _PORT, "N", is_number=True)]
_PAD = lazy("Play on phones: who scans the code asks for a seat, and the keeper lets them in.")
Pad = Annotated[bool, option("--pad", _PAD)]
Tonight = Annotated[bool, option("--tonight", "All games of this evening, and who owes whom by them.")]
Odds = Annotated[bool, option("--odds", "Everyone's chance to win too, worked out beside.")]
_TOURNAMENT = lazy("The tables of a tournament: of the one that is named, or the newest that is not over.")
OfTournament = Annotated[bool, option("--tournament", _TOURNAMENT)]
_SHOWN = lazy("A game's number or label, or the start of it; by default the current one. Or a tournament's.")
MaybeShown = Annotated[str | None, argument("[GAME|TOURNAMENT]", _SHOWN, completers.games_or_tournaments)]
_QR = lazy("Write the QR codes into this file too, a page to print, whose name ends in .html.")
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
    """Show the game on phones and on the wall, live, until Ctrl-C.

    Everybody who points a phone at the QR code sees the sheet, who is next, the places and what is owed.
    It follows the current game, also into a rematch. Nobody can enter anything but by the addresses of
    --pad. In a browser for streaming, ?overlay behind the address makes the page transparent.

    generala board --tournament Copa shows who sits where, how far every table is and who is ahead; on a
    phone, where oneself sits, and with --pad the pad of that seat.
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
        notes = (lazy("drawn into {file}", file=safe(path)),)

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
    sentence = translate("somebody was not answered ({trouble}); the board goes on", trouble=trouble)
    note(f"generala: {safe(sentence)}\n")
