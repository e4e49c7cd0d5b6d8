from collections.abc import Iterator
from html import escape
from io import StringIO

import segno
from msgspec import UNSET
from msgspec.structs import replace

from generala_cli.board.answers import BoardAddresses
from generala_cli.render.language import spoken, translate
from generala_cli.render.screen import UNLIMITED, Screen
from generala_cli.text import safe

_BORDER = 2
"""White margin around a code, in modules. Cameras need it to find the code."""
_WHITE_ON_BLACK, _PLAIN = "\x1b[97;40m", "\x1b[0m"


def addresses(found: BoardAddresses, screen: Screen, *, is_local: bool, with_pads: bool) -> str:
    """Return the addresses, with QR codes if the terminal is wide enough."""
    shown = found if with_pads else replace(found, pads=UNSET)
    parts = [line for title, address in _titled(shown) for line in _part(title, address, screen)]
    if is_local:
        parts.append(
            translate("only this machine can open it; add --lan to show it to everyone on the Wi-Fi")
        )
    parts.append(translate("press Ctrl-C to stop"))
    return "\n".join(parts) + "\n"


def pad(player: str, address: str, screen: Screen) -> str:
    return "\n".join(_part(translate("pad of {player}", player=safe(player)), address, screen)) + "\n"


def _titled(found: BoardAddresses) -> Iterator[tuple[str, str]]:
    for player, address in (found.pads or {}).items():
        yield translate("pad of {player}", player=safe(player)), address
    if found.games is UNSET:
        yield translate("to watch"), found.watch
    else:
        yield translate("single games"), found.games
        yield translate("the tournament: seats and standings"), found.watch
    if found.keeper is not UNSET:
        yield translate("pad of the keeper, who lets players in"), found.keeper
    if found.join is not UNSET:  # last, so that it stays visible
        yield translate("for everyone, to ask for a seat"), found.join


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
