"""Where a board is found: its addresses as text, as QR codes on a terminal, and on a page to print."""

from collections.abc import Iterator, Mapping
from html import escape
from io import StringIO

import segno
from msgspec import Struct
from msgspec.structs import replace

from generala_cli.render.documents import board as documents
from generala_cli.render.documents.board import BoardDocument
from generala_cli.render.language import spoken, translate
from generala_cli.render.screen import UNLIMITED, Screen
from generala_cli.text import safe

_BORDER = 2
"""Modules of white around a code, without which few cameras find it."""
_WHITE_ON_BLACK, _PLAIN = "\x1b[97;40m", "\x1b[0m"


class BoardAddresses(Struct, frozen=True, kw_only=True):
    """What to type into a browser, or to point a phone at.

    Attributes:
        is_local: whether only this machine can open it.
        watch: to look. join: to ask for a seat. keeper: to enter for everybody. pads: to enter, by player.
        are_many: whether there are more pads than a terminal has room for.
    """

    is_local: bool
    watch: str
    join: str | None = None
    keeper: str | None = None
    pads: Mapping[str, str] = {}
    are_many: bool = False

    def draw(self, screen: Screen) -> str:
        return addresses(self, screen)

    def document(self) -> BoardDocument:
        return documents.board(self)


def addresses(found: BoardAddresses, screen: Screen) -> str:
    """Return the addresses, each with its QR code where there is a terminal that is wide enough."""
    shown = replace(found, pads={}) if found.are_many else found
    parts = [line for title, address in _titled(shown) for line in _part(title, address, screen)]
    if found.is_local:
        parts.append(translate("only this machine can open it; --lan shows it to everybody in the Wi-Fi"))
    parts.append(translate("Ctrl-C ends it"))
    return "\n".join(parts) + "\n"


def pad(player: str, address: str, screen: Screen) -> str:
    """Return the address of a pad for somebody who has just come."""
    return "\n".join(_part(translate("pad of {player}", player=safe(player)), address, screen)) + "\n"


def _titled(found: BoardAddresses) -> Iterator[tuple[str, str]]:
    for player, address in found.pads.items():
        yield translate("pad of {player}", player=safe(player)), address
    if found.join is not None:
        yield translate("for everybody, to ask for a seat"), found.join
    if found.keeper is not None:
        yield translate("pad of the keeper, who lets them in"), found.keeper
    yield translate("to watch"), found.watch  # last, so that it is in sight


def _part(title: str, address: str, screen: Screen) -> Iterator[str]:
    yield f"{screen.strong(title)}: {address}"
    code = segno.make(address, error="m", micro=False)
    width, _ = code.symbol_size(border=_BORDER)
    if width <= screen.width < UNLIMITED and screen.marks.open.isascii() is False:
        drawn = StringIO()
        code.terminal(drawn, border=_BORDER, compact=True)
        for line in drawn.getvalue().splitlines():
            yield f"{_WHITE_ON_BLACK}{line}{_PLAIN}" if screen.color else line


def page(found: BoardAddresses) -> str:
    """Return a page of HTML with a QR code for each address, to print and to cut up."""
    cards = "".join(
        f"<figure>{segno.make(address, error='m', micro=False).svg_inline(scale=6)}"
        f"<figcaption><b>{escape(title)}</b><br>{escape(address)}</figcaption></figure>\n"
        for title, address in _titled(found)
    )
    return _PAGE.format(language=spoken(), title=escape(translate("the board")), cards=cards)


_PAGE = """\
<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ font-family: sans-serif; display: flex; flex-wrap: wrap; }}
figure {{ break-inside: avoid; margin: 8mm; text-align: center; }}
figcaption {{ overflow-wrap: anywhere; max-width: 70mm; }}
</style>
</head>
<body>
{cards}</body>
</html>
"""
